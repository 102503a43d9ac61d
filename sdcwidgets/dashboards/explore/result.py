"""Result of the page Explore: the risk of the whole table, and of the part of it that the screen shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.dashboards.explore.state import ExploreState


@dataclass(frozen=True, eq=False)
class ExploreResult:
    """The risk of a table.

    Attributes
    ----------
    state : ExploreState
    assessment : Assessment
        Of the whole table.
    """

    state: ExploreState
    assessment: Assessment

    @cached_property
    def on_screen(self) -> Assessment:
        """Assessment of the two-way table on the screen: the whole table, or a part or arrangement of it."""
        table = self.state.seen
        if table is self.assessment.table:
            return self.assessment
        return Assessment.of(table, self.assessment.settings)


def compute(state: ExploreState) -> ExploreResult:
    """Return the risk of a table.

    Raises
    ------
    InputError
        If nobody is counted in the table.

    Examples
    --------
    >>> result = compute(ExploreState.of_example("religion"))
    >>> round(float(result.assessment.whole.r1[0]), 4)
    0.2315
    """
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    return ExploreResult(state, Assessment.of(state.table, state.settings))
