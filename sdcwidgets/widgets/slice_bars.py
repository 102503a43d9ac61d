"""The stacked bars of every row or every column of a study's table; a bar opens its formula."""

from __future__ import annotations

from typing import Any

import ipywidgets

from sdcwidgets.assess import Assessment
from sdcwidgets.parameters import Parameter
from sdcwidgets.plots import terms
from sdcwidgets.studies.base import Study, TableState
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Page
from sdcwidgets.words import explain

__all__ = ["SLICES", "SliceBars", "explain_slice"]

#: The choice between the two families of slices of a table with two axes.
SLICES = Parameter("shown", str, "rows", "Show", choices={"rows": "Rows", "columns": "Columns"})


class SliceBars(ipywidgets.VBox):
    """A chart of the weighted terms, and the choice of rows or columns."""

    def __init__(self, study: Study[TableState, Assessment], page: Page) -> None:
        self._study, self._page = study, page
        self._chart, self._shown = Chart("Weighted terms of every slice"), Control(SLICES, look="buttons")
        self._shown.observe(lambda _: self.show(study.result), "value")
        self._chart.hear("click", lambda message, _: self._explain(message.get("points")))
        super().__init__([self._shown, self._chart])

    def show(self, result: Assessment) -> None:
        """Show the bars of another result."""
        self._chart.show(terms.draw, self._bars(result))

    def _bars(self, result: Assessment) -> terms.Bars:
        return terms.prepare(result, result.rows if self._shown.value == "rows" else result.columns)

    def _explain(self, points: Any) -> None:
        result = self._study.result
        positions = self._bars(result).positions
        match points:
            case [[int(), int(bar)], *_] if 0 <= bar < len(positions):
                explain_slice(self._page, result, self._shown.value.removesuffix("s"), positions[bar])
            case [[int(), int(bar)], *_] if bar == len(positions):
                explain_slice(self._page, result, "table", 0)


def explain_slice(page: Page, result: Assessment, kind: str, index: int) -> None:
    """Open the formulas of a "row", a "column" or the "table"."""
    part = {"row": result.rows, "column": result.columns, "table": result.whole}[kind]
    assert part is not None  # a page lays its table out in two axes
    of = "the table" if kind == "table" else part.labels[index]
    page.explain(f"Disclosure risk of {of}", explain(result, part, index))
