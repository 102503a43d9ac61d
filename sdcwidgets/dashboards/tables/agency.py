"""Agency view of a generator in a folder: its query log, and an averaging attack."""

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
from sdcwidgets.widgets.binding import Part, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.texts import Quantity, reading

#: Numbers of requests of the averaging attack on the page; the command line can use more.
REQUESTS = (1, 3, 10, 30)


def log_of(generator: TableGenerator) -> Part[Any]:
    """Return the query log of all interfaces, which is updated by a button."""
    summary, lines = Text(), Readings("Log of all requests")

    def show(_: object = None) -> None:
        summary.show(f"{log_counts(generator.store.counts())} {generator.slow}".strip())
        lines.show(log_lines(generator.store.log(30)))

    def export() -> None:
        text = csv_text(lines_of(generator.to_frame(), single_lines=True), internal=True)
        actions.file("internal-log.csv", text, generator.title)

    actions = Actions({"Update": show, "Export the log (CSV)": export})
    return (summary, lines, actions), show


def patience(server: Callable[[], TableServer]) -> Part[Any]:
    """Return a chart of an averaging attack, which is computed on request because it takes seconds."""
    summary = Text(
        "An averaging attack requests all possible tables and averages their noise. The simulation takes "
        "several seconds."
    )
    chart = Chart("Accuracy of an averaging attack")
    chart.layout.display = "none"

    def show() -> None:
        picture = charts.patience(averaged(server(), REQUESTS))
        summary.show(picture.summary)
        chart.show(charts.draw_patience, picture)
        chart.layout.display = None

    return showing(summary, Actions({"Simulate an averaging attack": show}), chart)


def log_counts(counts: Mapping[str, int]) -> str:
    """Return the number of requests of a generator by answer.

    Examples
    --------
    >>> log_counts({"protected": 1200, "refused: mean": 1}), log_counts({})
    ('1,201 requests: 1,200 protected, 1 refused: mean.', 'No tables were requested yet.')
    """
    if not counts:
        return "No tables were requested yet."
    parts = ", ".join(f"{number:,} {answer}" for answer, number in counts.items())
    return f"{counted(sum(counts.values()), 'request')}: {parts}."


def log_lines(lines: Sequence[Mapping[str, Any]]) -> list[Quantity]:
    """Return one line per request to a generator, the newest first."""
    readings = []
    for line in lines:
        when, who = line["time"][:19].replace("T", " "), line["user"] or "the agency"
        note = f"{when}, {who}, {line['door']}"
        readings.append(reading(f"{line['number']:,}. {line['table']}", line["answer"], note))
    return readings
