"""The agency's side of a generator in a folder: its log, and what a patient user gains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.labels import counted
from sdcwidgets.dashboards.tables import charts
from sdcwidgets.tableserver.averaging import averaged
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.server import TableServer
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.texts import Quantity, reading

#: So many answered questions of a patient user are looked at on the page; the command line goes on.
REQUESTS = (1, 3, 10, 30)


def log_of(generator: TableGenerator) -> Part[Any]:
    """Return the log of all doors, as it is when the button is pressed."""
    summary, lines = Text(), Readings("Query log of all doors")

    def show(_: object = None) -> None:
        summary.show(f"{log_counts(generator.store.counts())} {generator.slow}".strip())
        lines.show(log_lines(generator.store.log(30)))

    def export() -> None:
        text = csv_text(lines_of(generator.to_frame(), single_lines=True), internal=True)
        actions.file("internal-log.csv", text, generator.title)

    actions = Actions({"Look again": show, "Log as CSV": export})
    return (summary, lines, actions), show


def patience(server: Callable[[], TableServer]) -> Part[Any]:
    """Return a curve of how close a patient user comes, made when it is asked for; it takes seconds."""
    summary = Text(
        "A patient user asks for everything and puts all numbers together. It takes seconds to find out."
    )
    chart = Chart("What a patient user gains")
    chart.layout.display = "none"

    def show() -> None:
        picture = charts.patience(averaged(server(), REQUESTS))
        summary.show(picture.summary)
        chart.show(charts.draw_patience, picture)
        chart.layout.display = None

    return (summary, Actions({"Find out": show}), chart), lambda _: None


def log_counts(counts: Mapping[str, int]) -> str:
    """Return how many questions of a generator got each answer.

    >>> log_counts({"protected": 1200, "refused: mean": 1}), log_counts({})
    ('1,201 questions: 1,200 protected, 1 refused: mean.', 'Nothing was asked yet, at any door.')
    """
    if not counts:
        return "Nothing was asked yet, at any door."
    parts = ", ".join(f"{number:,} {answer}" for answer, number in counts.items())
    return f"{counted(sum(counts.values()), 'question')}: {parts}."


def log_lines(lines: Sequence[Mapping[str, Any]]) -> list[Quantity]:
    """Return a line a question of a generator, the newest first."""
    readings = []
    for line in lines:
        when, who = line["time"][:19].replace("T", " "), line["user"] or "the agency"
        note = f"{when}, {who}, {line['door']}"
        readings.append(reading(f"{line['number']:,}. {line['table']}", line["answer"], note))
    return readings
