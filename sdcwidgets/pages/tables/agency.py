"""The agency's side of a generator in a folder: its log, and what a patient user gains."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from sdcwidgets.pages.tables import charts, words
from sdcwidgets.tableserver.averaging import averaged
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.server import TableServer
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.page import Text, card
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.writing import csv_text

__all__ = ["log_of", "patience"]

#: So many answered questions of a patient user are looked at on the page; the command line goes on.
REQUESTS = (1, 3, 10, 30)


def log_of(generator: TableGenerator) -> ipywidgets.Widget:
    """Return the log of all doors, as it is when the button is pressed."""
    said, lines = Text(), Readings("Query log of all doors")

    def show() -> None:
        said.show(f"{words.log_counts(generator.store.counts())} {generator.slow}".strip())
        lines.show(words.log_lines(generator.store.log(30)))

    def export() -> None:
        found = generator.to_frame()
        text = csv_text([list(found), *found.astype(object).itertuples(index=False)])
        actions.file("log.csv", text.encode("utf-8-sig"), generator.title)

    actions = Actions({"Look again": show, "Log as CSV": export})
    show()
    return card("Query log of all doors", said, lines, actions)


def patience(server: Callable[[], TableServer]) -> tuple[ipywidgets.Widget, ...]:
    """Return a curve of how close a patient user comes, made when it is asked for; it takes seconds."""
    said = Text(
        "A patient user asks for everything and puts all numbers together. It takes seconds to find out."
    )
    chart = Chart("What a patient user gains")
    chart.layout.display = "none"

    def show() -> None:
        found = charts.PatienceCurve(averaged(server(), REQUESTS))
        said.show(found.summary)
        chart.show(charts.draw_patience, found)
        chart.layout.display = None

    return said, Actions({"What does a patient user gain?": show}), chart
