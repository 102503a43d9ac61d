"""Stacked bars of the risk terms of every row or column of a table; a bar opens its formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ipywidgets
import numpy as np

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.assessment.assessment import TERMS, Assessment, Slices
from sdcwidgets.plots import term_bars as terms
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.texts import explain, in_words

#: Choice between rows and columns of a two-way table.
SLICES = Parameter("shown", str, "0", "Show", choices={"0": "Rows", "1": "Columns"})


class SliceChoice(ipywidgets.VBox):
    """Choice of the axis whose slices are shown: rows or columns, or an axis by name."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._control = Control(SLICES, look="buttons")
        super().__init__([])
        self._use(SLICES)

    def _use(self, parameter: Parameter) -> None:
        self._control = Control(parameter, look="buttons" if len(parameter.choices) < 5 else "")
        self._control.observe(lambda _: self._changed(), "value")
        self.children = (self._control,)

    def axis(self, table: FrequencyTable) -> int:
        """Return the index of the selected axis in this table; the choices follow the table."""
        names = {str(k): axis.name for k, axis in enumerate(table.axes)} if table.ndim > 2 else SLICES.choices
        if names != self._control.parameter.choices:
            self._use(replace(SLICES, choices=names))
        return int(self._control.value)


class SliceBars(ipywidgets.VBox):
    """A chart of the weighted risk terms, and the choice of rows or columns.

    Parameters
    ----------
    assessment : callable
        Returns the current assessment of the table.
    page : Page
        Page that shows explanations.
    """

    def __init__(self, assessment: Callable[[], Assessment], page: Page) -> None:
        self._assessment, self._page = assessment, page
        self._chart = Chart("Weighted terms of the disclosure risk by row or column")
        self._choice = SliceChoice(lambda: self.show(assessment()))
        self._chart.hear("click", lambda message, _: self._explain(message.get("points")))
        super().__init__([self._choice, self._chart])

    def show(self, result: Assessment) -> None:
        """Show the bars of another result."""
        self._chart.show(terms.draw, self._bars(result))

    def _bars(self, result: Assessment) -> terms.Bars:
        return terms.prepare(result, self._part(result))

    def _part(self, result: Assessment) -> Slices:
        return result.slices[result.table.axes[self._choice.axis(result.table)].name]

    def _explain(self, points: object) -> None:
        result = self._assessment()
        positions = self._bars(result).positions
        match points:
            case [[int(), int(bar)], *_] if 0 <= bar < len(positions):
                explain_part(self._page, result, self._part(result), positions[bar])
            case [[int(), int(bar)], *_] if bar == len(positions):
                explain_slice(self._page, result, "table", 0)


def explain_slice(page: Page, result: Assessment, kind: str, index: int) -> None:
    """Open the formulas of a "row", a "column" or the "table"; cells have none, but a browser could ask for one."""
    part = {"row": result.rows, "column": result.columns, "table": result.whole_slice}.get(kind)
    if part is not None:
        explain_part(page, result, part, index)


def explain_part(page: Page, result: Assessment, part: Slices, index: int) -> None:
    """Open the explanation of the risk of a slice or of the whole table: words, a bar, and formulas."""
    page.explain(*explanation(result, part, index))


def explanation(result: Assessment, part: Slices, index: int) -> tuple[Any, ...]:
    """Return title, formulas, sentences and bar of the explanation of the risk of a slice."""
    of = "the table" if part is result.whole_slice else part.labels[index]
    shares = np.nan_to_num(part.terms[index] * np.asarray(result.settings.weights)).tolist()
    parts = list(zip(map(str.lower, TERMS), shares, strict=True))
    title = f"Disclosure risk of {of}"
    return title, explain(result, part, index), in_words(result, part, index), parts
