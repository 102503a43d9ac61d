"""Effect of one person more or fewer in each cell on the risk of the table."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets
import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.formula_lines import signed
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts import explain_change, what_if

STEP = Parameter(
    "step",
    str,
    "1",
    "Change of the count of one cell",
    choices={"1": "one additional person", "-1": "one person fewer"},
)

#: Maximum number of cells of a heat map; the best change is reported for any table.
MOST_CELLS = 10_000


class WhatIf(ipywidgets.VBox):
    """A heat map of the change of the table's risk; a cell opens its formula.

    Parameters
    ----------
    state : callable
        Function that returns the current state of the page.
    assessment : callable
        Function that returns the assessment of the table of the page.
    page : Page
        Page that shows the explanation of a cell.
    """

    def __init__(
        self, state: Callable[[], TableState], assessment: Callable[[], Assessment], page: Page
    ) -> None:
        self._state, self._assessment, self._page = state, assessment, page
        self._step, self._sentence = Control(STEP, look="buttons"), Text()
        self._grid = Grid(title="Change of the table's disclosure risk", editable=False).add_class(
            "sdc-compact"
        )
        self._grid.on_explain(lambda _, index: self._explain(index))
        self._step.observe(lambda _: self.show(assessment()), "value")
        best = Actions({"Explain the largest reduction of the risk": self._explain_best})
        super().__init__([self._step, self._sentence, self._grid, best])

    def show(self, result: Assessment) -> None:
        """Show the changes of another result."""
        change = result.change_by_one[int(self._step.value)]
        best, words = what_if(result, int(self._step.value))
        self._sentence.show(words)
        state = self._state()
        seen, places = state.seen, state.arrangement.positions(result.table)
        if places.size > MOST_CELLS:
            message = {
                "rows": ("–",),
                "columns": ("–",),
                "texts": [["The table has too many cells for a heat map"]],
                "shade": [[0.0]],
            }
            self._grid.update(best=None, hint="", **message)
            return
        where = None
        if best is not None:
            at = np.argwhere(places == np.ravel_multi_index(best, result.table.shape))
            where = (*at[0].tolist(), "largest reduction of the risk") if len(at) else None
        change = change.ravel()[places]
        largest = np.nanmax(np.abs(change), initial=1e-300)
        self._grid.update(
            rows=seen.rows.labels,
            columns=seen.columns.labels,
            texts=[
                ["–" if np.isnan(value) else signed(1e4 * value, 1) for value in row]
                for row in change.tolist()
            ],
            shade=np.nan_to_num(change / largest),
            best=where,
            hint="Each cell shows the change of the table's disclosure risk, in ten-thousandths. Blue = "
            "lower risk. Orange = higher risk.",
        )

    def _explain(self, index: int) -> None:
        places = self._state().arrangement.positions(self._assessment().table).ravel()
        if index < places.size:
            self._open(int(places[index]))

    def _open(self, index: int) -> None:
        table = self._assessment().table
        cell = tuple(int(i) for i in np.unravel_index(index, table.shape))
        label = ", ".join(axis.labels[i] for axis, i in zip(table.axes, cell, strict=True))
        lines = explain_change(self._assessment(), int(self._step.value), cell)
        self._page.explain(f"Effect of {STEP.choices[self._step.value]} in {label}", lines)

    def _explain_best(self) -> None:
        best, words = what_if(self._assessment(), int(self._step.value))
        if best is None:
            raise InputError(words)
        self._open(int(np.ravel_multi_index(best, self._assessment().table.shape)))
