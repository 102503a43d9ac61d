"""Result of the page Explore: the risk of the table, and of the part of it on the screen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.dashboards.explore.state import ExploreState


@dataclass(frozen=True, eq=False)
class ExploreResult:
    """Disclosure risk of a table.

    Attributes
    ----------
    state : ExploreState
    assessment : Assessment
        Assessment of the whole table.
    """

    state: ExploreState
    assessment: Assessment

    @cached_property
    def on_screen(self) -> Assessment:
        """Assessment of the two-way table on the screen, which may be a part or an arrangement of the whole table."""
        table = self.state.seen
        if table is self.assessment.table:
            return self.assessment
        return Assessment.of(table, self.assessment.settings)


def compute(state: ExploreState) -> ExploreResult:
    """Assess the table of a state.

    Raises
    ------
    InputError
        If all counts are zero.

    Examples
    --------
    >>> result = compute(ExploreState.of_example("religion"))
    >>> round(result.assessment.whole.r1, 4)
    0.2315
    """
    if state.table.total == 0:
        raise InputError("All counts are zero. The table must have at least one person.")
    return ExploreResult(state, Assessment.of(state.table, state.settings))
