"""Every number about a pattern of suppressed cells, and what the optimiser would suppress instead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets.dashboards.suppression import linked_tables, optimiser
from sdcwidgets.dashboards.suppression.sheet import READERS, Cell, Remaining, remaining_by
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.studies.base import Study

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class SuppressionResult(Remaining):
    """Every number about a pattern; it never changes.

    Attributes
    ----------
    state : SuppressionState
    supposed : int, optional
        What the chosen gap is supposed to be; None where no gap is chosen, or nothing is left to suppose.
    then_lower, then_upper : ndarray
        What each number can be if that is so.
    """

    state: SuppressionState
    supposed: int | None
    then_lower: Floats
    then_upper: Floats

    def symbol(self, cell: Cell) -> str:
        """Return what a gap is called in equations: x₁, x₂, ... in the order of the table."""
        return f"x{str(self.state.hidden.index(cell) + 1).translate(_DIGITS)}"

    @cached_property
    def required(self) -> Flags:
        """Suppressed cells that must keep the required number of values.

        These are the sensitive ones. If no suppressed cell is marked as sensitive, these are all suppressed cells.
        """
        sensitive = np.zeros_like(self.mask)
        for cell in self.state.sensitive:
            sensitive[cell] = self.mask[cell]
        return sensitive if sensitive.any() else self.mask

    @property
    def narrow(self) -> Flags:
        """Cells that keep fewer values than required."""
        return self.required & (self.values < self.state.requirements.width)

    @property
    def fewest(self) -> float:
        """Smallest number of values of a required cell; nan if no cell is suppressed."""
        return float(self.values[self.required].min()) if self.unknowns else float("nan")

    @property
    def known(self) -> list[Cell]:
        """The gaps that anyone can compute."""
        return [cell for cell in self.state.hidden if self.values[cell] == 1]

    @property
    def narrowest(self) -> Cell | None:
        """The gap with the fewest values, if these are fewer than asked."""
        narrow = [cell for cell in self.state.hidden if self.narrow[cell]]
        return min(narrow, key=lambda cell: float(self.values[cell]), default=None)

    @property
    def secondary_counts(self) -> list[int]:
        """The suppressed counts that are not marked as sensitive."""
        cells = {*self.state.hidden} - {*self.state.sensitive}
        return [int(self.state.sheet.full[cell]) for cell in cells]

    @cached_property
    def others(self) -> Remaining:
        """What the gaps leave for the other reader, who knows more or less."""
        other = next(reader for reader in READERS if reader != self.state.requirements.reader)
        return remaining_by(replace(self.state.sheet, reader=other), self.mask)

    @cached_property
    def best(self) -> optimiser.OptimalPattern:
        """What the optimiser does."""
        return optimiser.optimise(self.state.sheet, self.state.request)

    @cached_property
    def gap_effects(self) -> list[optimiser.GapEffect]:
        """What would be left without each gap that the optimiser adds."""
        return optimiser.gap_effects(self.state.sheet, self.state.request, self.best)

    @cached_property
    def insider(self) -> optimiser.InsiderDisclosure | None:
        """Who in the table knows a sensitive number that these gaps hide better than is asked."""
        state = self.state
        marked = tuple(cell for cell in state.sensitive if cell in state.hidden)
        return optimiser.insider_disclosure(state.sheet, self.mask, state.request._replace(sensitive=marked))

    @cached_property
    def boxes(self) -> optimiser.Boxes | None:
        """The boxes of the first sensitive count."""
        return optimiser.boxes_around(self.state.sheet, self.state.sensitive)

    @cached_property
    def linked_ranks(self) -> tuple[linked_tables.LinkedRanks, linked_tables.LinkedRanks]:
        """The rank of the linked tables under each of the two patterns."""
        return linked_tables.linked_ranks(self.state.pattern_a), linked_tables.linked_ranks(
            self.state.pattern_b
        )

    @cached_property
    def own_linked_tables(self) -> linked_tables.OwnLinkedTables:
        """The gaps of the tables by two axes that are published."""
        state = self.state
        return linked_tables.own_linked_tables(
            state.table,
            state.tables,
            width=state.requirements.width,
            cost=state.requirements.cost,
            coalition=state.coalition,
            disjoint=state.requirements.disjoint,
            secret=state.secret,
        )


#: What the parts of the page are bound to.
SuppressionStudy = Study[SuppressionState, SuppressionResult]


def compute(state: SuppressionState) -> SuppressionResult:
    """Return every number about a pattern.

    Examples
    --------
    O&DF, section 4.1: each of the four gaps keeps 407 values, a risk of 0.115.

    >>> result = compute(SuppressionState())
    >>> result.values[result.mask].tolist(), result.risk[result.mask].round(3).tolist(), result.rank
    ([407.0, 407.0, 407.0, 407.0], [0.115, 0.115, 0.115, 0.115], 3)
    """
    sheet = state.sheet
    hidden = sheet.mask(state.hidden)
    remaining = remaining_by(sheet, hidden)
    supposed, then = None, (remaining.lower, remaining.upper)
    low, high = (side[state.chosen] for side in then)
    if hidden[state.chosen] and low < high:
        # What nothing bounds is supposed to be at most twice the total.
        high = min(high, 2.0 * sheet.full[-1, -1])
        supposed = int((low + high) // 2 if state.suppose is None else min(max(state.suppose, low), high))
        then = sheet.bounds(hidden, (state.chosen, supposed))
    return SuppressionResult(
        **vars(remaining), state=state, supposed=supposed, then_lower=then[0], then_upper=then[1]
    )
