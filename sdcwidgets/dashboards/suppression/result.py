"""Result of the page Suppression: an audit of a pattern of suppressed cells, and the optimal pattern."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets.dashboards.suppression import linked_tables, optimiser
from sdcwidgets.dashboards.suppression.sheet import READERS, Cell, Remaining, remaining_by
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.page_state.recomputation import Study

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class SuppressionResult(Remaining):
    """Audit of a pattern of suppressed cells; it is immutable.

    Attributes
    ----------
    state : SuppressionState
    supposed : int, optional
        Assumed value of the selected cell; None if no suppressed cell is selected or its value is known.
    then_lower, then_upper : ndarray
        Bounds of each cell under this assumption.
    """

    state: SuppressionState
    supposed: int | None
    then_lower: Floats
    then_upper: Floats

    def symbol(self, cell: Cell) -> str:
        """Return the symbol of a suppressed cell in equations: x₁, x₂, ... in the order of the table."""
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
        """Mask of the required cells with fewer possible values than required."""
        return self.required & (self.values < self.state.requirements.width)

    @property
    def fewest(self) -> float:
        """Smallest number of possible values of a required cell; nan if no cell is suppressed."""
        return float(self.values[self.required].min()) if self.unknowns else float("nan")

    @property
    def known(self) -> list[Cell]:
        """Recalculable suppressed cells."""
        return [cell for cell in self.state.hidden if self.values[cell] == 1]

    @property
    def narrowest(self) -> Cell | None:
        """Suppressed cell with the fewest possible values, if these are fewer than required."""
        narrow = [cell for cell in self.state.hidden if self.narrow[cell]]
        return min(narrow, key=lambda cell: float(self.values[cell]), default=None)

    @property
    def secondary_counts(self) -> list[int]:
        """Suppressed counts that are not marked as sensitive."""
        cells = set(self.state.hidden) - set(self.state.sensitive)
        return [int(self.state.sheet.full[cell]) for cell in cells]

    @cached_property
    def others(self) -> Remaining:
        """Audit for the other kind of data user in `READERS`."""
        other = next(reader for reader in READERS if reader != self.state.requirements.reader)
        return remaining_by(replace(self.state.sheet, reader=other), self.mask)

    @cached_property
    def best(self) -> optimiser.OptimalPattern:
        """Optimal pattern."""
        return optimiser.optimise(self.state.sheet, self.state.request)

    @cached_property
    def cell_effects(self) -> list[optimiser.CellEffect]:
        """Effects of publishing each secondary cell of the optimal pattern."""
        return optimiser.cell_effects(self.state.sheet, self.state.request, self.best)

    @cached_property
    def insider(self) -> optimiser.InsiderDisclosure | None:
        """Respondents who can estimate a suppressed sensitive count more precisely than allowed."""
        state = self.state
        marked = tuple(cell for cell in state.sensitive if cell in state.hidden)
        return optimiser.insider_disclosure(state.sheet, self.mask, state.request._replace(sensitive=marked))

    @cached_property
    def boxes(self) -> optimiser.Boxes | None:
        """Rectangle patterns of the first sensitive count."""
        return optimiser.boxes_around(self.state.sheet, self.state.sensitive)

    @cached_property
    def linked_ranks(self) -> tuple[linked_tables.LinkedRanks, linked_tables.LinkedRanks]:
        """Ranks of the linked tables with each of the two patterns."""
        return linked_tables.linked_ranks(self.state.pattern_a), linked_tables.linked_ranks(
            self.state.pattern_b
        )

    @cached_property
    def own_linked_tables(self) -> linked_tables.OwnLinkedTables:
        """Suppression pattern of the published two-way tables."""
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


#: Study that all parts of the page use.
SuppressionStudy = Study[SuppressionState, SuppressionResult]


def compute(state: SuppressionState) -> SuppressionResult:
    """Audit a pattern of suppressed cells.

    Examples
    --------
    O&DF, section 4.1: each of the four suppressed cells has 407 possible values and a risk of 0.115.

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
        # Without an upper bound, the assumed value is at most twice the total.
        high = min(high, 2.0 * sheet.full[-1, -1])
        supposed = int((low + high) // 2 if state.suppose is None else min(max(state.suppose, low), high))
        then = sheet.bounds(hidden, (state.chosen, supposed))
    return SuppressionResult(
        **vars(remaining), state=state, supposed=supposed, then_lower=then[0], then_upper=then[1]
    )
