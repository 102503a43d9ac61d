"""The page Rounding: four rounding methods for one table, additivity, and possible original counts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.assessment.report import Report
from sdcwidgets.dashboards.page_heads import YOURS, page_for
from sdcwidgets.dashboards.rounding import charts as plots
from sdcwidgets.dashboards.rounding import texts
from sdcwidgets.dashboards.rounding.result import RoundedTable, RoundingResult, compute, improve
from sdcwidgets.dashboards.rounding.state import METHODS, RoundingState
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, reveal, settings_control, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import OtherTable

__all__ = ["app"]

FOOT = (
    "Handbook on statistical disclosure control, chapter 5, section 5.5 and Tables 5.18 to 5.22; section 5.5.1 for "
    "controlled rounding and the intervals; Shlomo, Antal and Elliot 2015, section 3.2, for semi-controlled rounding. "
    "Controlled rounding is solved by HiGHS."
)

#: Maximum numbers of rows and columns that are shown of each rounding.
MOST_ROWS, MOST_COLUMNS = 40, 16


def _report(study: Study[RoundingState, RoundingResult]) -> Report:
    """Return the report on the chosen method; random rounding depends on the number of the draw on the screen."""
    state, result = study.state, study.result
    seed = None if state.method in ("conventional", "controlled") else state.rounding.draw
    return report_on(state, result.publishing, result.method, seed=seed)


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial table; default is the handbook's Table 5.18.
    """
    start = RoundingState.of_example("handbook-5-18") if table is None else RoundingState(table)
    study = Study(start, compute, improve)
    page = page_for("rounding", led=True)
    page.bind(study, RoundingState.from_state, texts.as_code)
    page.hand_over(lambda: _report(study))
    line = Chart("Possible published values of the count, by method")
    follow(study, lambda result: line.show(plots.draw_ways, plots.prepare_ways(result, texts.NAMES)))

    def again() -> None:
        study.put(study.state.rounded(draw=study.state.rounding.draw % 1_000_000 + 1))
        page.lead_to(0)

    base = settings_control(study, "base", "rounding")
    steps = settings_control(study, "steps", "rounding")
    count = settings_control(study, "count", "rounding")
    return page.answering(
        study,
        "How is a count rounded?",
        lambda result: Headline(
            *texts.headline(result),
            "Next: show another replicate",
            again,
            question=f"How is {result.state.rounding.count} rounded?",
        ),
        controls=(card("Count, rounding base and published value", count, base, steps),),
        stage=(card("Published values by method", line),),
        tabs={
            "Rounded tables": partial(_four, study),
            "Original counts and probabilities": partial(_answer, study, page),
            "Distance by method": partial(_compared, study, page),
            "Solver progress": partial(_solver, study),
        },
        foot=FOOT,
        note=YOURS,
    )


def _four(study: Study[RoundingState, RoundingResult]) -> Part[RoundingResult]:
    boards = {name: Board(texts.NAMES[name], brief=True).add_class("sdc-board-narrow") for name in METHODS}

    def pressed(name: str, row: int, column: int) -> None:
        values = _published_values(study.result, study.result.shown[METHODS.index(name)])
        state = study.state.rounded(published=int(values[row, column]))
        study.put(replace(state, method=name))

    for name, board in boards.items():
        board.on_press(partial(pressed, name))

    original, show_original = _original(study)

    def show(result: RoundingResult) -> None:
        show_original(result)
        for rounded in result.shown:
            _show_board(boards[rounded.name], result, rounded)
        # Show two tables per line if they fit; wide tables are shown below each other, so that none is cut off.
        need = 110 + 50 * (min(result.original.shape[1], MOST_COLUMNS) + 1)
        side_by_side.layout.grid_template_columns = (
            f"repeat(auto-fit, minmax(min(max({need}px, 34%), 100%), 1fr))"
        )

    hint = Text(
        "Select a published number to see the original counts that are possible. ≠ = not equal to the sum of its "
        "cells, "
        "which is in small print."
    )
    selected = Text()
    follow(study, lambda result: selected.show(texts.selected(result)))
    side_by_side = ipywidgets.Box(list(boards.values())).add_class("sdc-pair")
    return (OtherTable(study), hint, selected, side_by_side, heading("Original table"), *original), show


def _published_values(result: RoundingResult, rounding: RoundedTable) -> np.ndarray:
    """Return the published numbers as the screen shows them, totals last."""
    release = result.state.arrangement.released(rounding.release)
    row, column = (axis.name for axis in release.axes)
    cells = release.cells[:MOST_ROWS, :MOST_COLUMNS]
    right, below = release.marginal(row)[:MOST_ROWS], release.marginal(column)[:MOST_COLUMNS]
    return np.block([[cells, right[:, np.newaxis]], [below[np.newaxis], np.array([[release.marginal()]])]])


def _show_board(board: Board, result: RoundingResult, rounding: RoundedTable) -> None:
    release = result.state.arrangement.released(rounding.release)
    rows, columns = release.axes
    height, width = min(len(rows), MOST_ROWS), min(len(columns), MOST_COLUMNS)
    values = _published_values(result, rounding)
    off = np.zeros(values.shape)
    off[:-1, -1] = release.discrepancy(rows.name)[:height]
    off[-1, :-1] = release.discrepancy(columns.name)[:width]
    off[-1, -1] = release.discrepancy()
    names = ([*rows.labels[:height], "Total"], [*columns.labels[:width], "Total"])
    original = np.pad(result.original.counts, ((0, 1), (0, 1)))
    original[-1, :-1] = result.original.counts.sum(axis=0)
    original[:-1, -1] = result.original.counts.sum(axis=1)
    original[-1, -1] = result.original.total
    # The margins are the last row and column.
    row_positions = [*range(height), -1]
    column_positions = [*range(width), -1]
    mine = result.state.method == rounding.name
    spots = []
    for i, row in zip(row_positions, names[0], strict=True):
        line = []
        for j, label in zip(column_positions, names[1], strict=True):
            value, discrepancy = int(values[i, j]), int(off[i, j])
            total = "total" if i < 0 or j < 0 else ""
            here = mine and value == result.published
            line.append(
                Spot(
                    f"{value:,}{' ≠' if discrepancy else ''}",
                    f"{texts.NAMES[rounding.name]}, {row}, {label}: {value:,}"
                    + (f" ≠ {value - discrepancy:,}, the sum of its cells" if discrepancy else "")
                    + f", original {int(original[i, j]):,}",
                    small=f"{value - discrepancy:,}" if discrepancy else "",
                    look=f"{total} {'chosen' if here else ''}".strip(),
                    pressed=here,
                )
            )
        spots.append(line)
    part = ""
    if (height, width) != result.original.shape:
        part = f" The first {height} of {len(rows):,} rows and {width} of {len(columns):,} columns are shown."
    board.show(rows.name, *names, spots, note=texts.note(result, rounding) + part)


def _answer(study: Study[RoundingState, RoundingResult], page: Page) -> Part[RoundingResult]:
    def example() -> None:
        study.put(replace(study.state.rounded(base=5, steps=1, published=15), method="controlled"))

    method = Control(
        Parameter("method", str, study.state.method, "Rounding method", choices=texts.NAMES), look="buttons"
    )
    method.on_change(lambda name: study.put(replace(study.state, method=name), gesture="method"))
    chart = Chart("Probabilities of the original counts")
    return showing(
        (method, lambda result: result.state.method),
        settings_control(study, "published", "rounding"),
        (Answer("Original counts of a published value", page), texts.narration),
        heading("Probabilities of the original counts"),
        (chart, plots.draw_original_counts, plots.prepare_original_counts),
        (Text(), texts.a_posteriori_risk),
        Actions({"Load handbook example (a = 15, b = 5, K = 1)": example}),
    )


def _compared(study: Study[RoundingState, RoundingResult], page: Page) -> Part[RoundingResult]:
    lines = [Text() for _ in range(3)]
    printed = ipywidgets.VBox([heading("Comparison with the SDC handbook"), *lines])
    distances = Readings("Distance by method")

    def explain(index: int) -> None:
        title = f"{texts.NAMES[METHODS[index]]} rounding"
        page.explain(title, texts.explain_rounding(study.result, index))

    distances.on_explain(explain)

    def show(result: RoundingResult) -> None:
        reveal(texts.has_published_figures(result.state), printed)
        if texts.has_published_figures(result.state):
            for line, sentence in zip(lines, texts.published_comparison(result), strict=True):
                line.show(sentence)

    intro = Text(
        "The distance is Σ |z − a| over all cells and totals, with z the original and a the published value. "
        "The last row is the controlled rounding with the smallest distance. A report contains the "
        "controlled rounding on the tab “Rounded tables”, which a secret selects."
    )
    return showing(intro, (distances, texts.compared), ((printed,), show))


def _original(study: Study[RoundingState, RoundingResult]) -> Part[RoundingResult]:
    grid = Grid(title="Original table", hint="To edit a count, type a number and press Enter.")
    grid.add_class("sdc-compact")
    edit_table(grid, study)

    def show(result: RoundingResult) -> None:
        state = result.state
        grid.show(state.seen, state.unchanged(study.start))

    return (grid,), show


def _solver(study: Study[RoundingState, RoundingResult]) -> Part[RoundingResult]:
    chart = Chart("Optimality gap of controlled rounding")
    report = Text()
    stop = Actions({"Stop and keep this rounding": study.stop})
    intro = Text(
        "Each point is one run of the solver. A run ends when the distance is proved to be within the given "
        "percentage of the smallest possible distance, or when the time limit is reached."
    )

    def show(result: RoundingResult) -> None:
        more = " The search for a better rounding continues." if study.improving else ""
        report.show(texts.solver_report(result) + more)
        stop.layout.display = None if study.improving else "none"
        stop.progress, stop.counted = result.work if study.improving else (0, 0), "parts of the table"
        # A single run makes a point, not a line.
        chart.layout.display = None if len(result.runs) > 1 else "none"
        chart.show(plots.draw, plots.prepare(result))

    return (intro, report, stop, chart), show
