"""The rounding lab: one table rounded in four ways, what adds up, and what a reader concludes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets.dashboards.heads import YOURS, page_for
from sdcwidgets.dashboards.rounding import charts as plots
from sdcwidgets.dashboards.rounding import texts
from sdcwidgets.dashboards.rounding.state import (
    METHODS,
    RoundingLab,
    RoundingState,
    ShownRounding,
    improve,
    lab,
)
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, reveal, settings_control, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import OtherTable
from sdcwidgets.widgets.studies.base import Study
from sdcwidgets.widgets.studies.reporting import report_on

__all__ = ["app"]

FOOT = (
    "Handbook on statistical disclosure control, chapter 5, section 5.5 and Tables 5.18 to 5.22; section 5.5.1 for "
    "controlled rounding and the intervals; Shlomo, Antal and Elliot 2015, section 3.2, for semi-controlled rounding. "
    "Controlled rounding is solved by HiGHS."
)

#: The part of a large table that is shown of each rounding.
MOST_ROWS, MOST_COLUMNS = 40, 16


def app(table: FrequencyTable | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        The table it begins with; the handbook's Table 5.18 if not given.
    """
    start = RoundingState.of_example("handbook-5-18") if table is None else RoundingState(table)
    study = Study(start, lab, improve)
    page = page_for("rounding", led=True)
    page.bind(study, RoundingState.from_state, texts.as_code)
    page.hand_over(lambda: report_on(study.state, study.result.publishing, study.result.method))
    line = Chart("Where each rounding may put the count")
    follow(study, lambda result: line.show(plots.draw_ways, plots.prepare_ways(result, texts.NAMES)))

    def again() -> None:
        study.put(study.state.rounded(draw=study.state.rounding.draw % 1_000_000 + 1))
        page.lead_to(0)

    base, steps, count = (settings_control(study, name, "rounding") for name in ("base", "steps", "count"))
    return page.answering(
        study,
        "What happens to a count?",
        lambda result: Headline(
            *texts.lead(result),
            "Next: draw a table again",
            again,
            question=f"What happens to {result.state.rounding.count}?",
        ),
        controls=(card("Which count, and how rough?", count, base, steps),),
        stage=(card("Where can it go?", line),),
        tabs={
            "What happens to a table?": partial(_four, study),
            "What can a reader conclude?": partial(_answer, study, page),
            "Which rounding stays closest?": partial(_compared, study, page),
            "Is there a better one?": partial(_solver, study),
        },
        foot=FOOT,
        note=YOURS,
        opens=lambda state: (
            1 if (state.method, state.rounding.published) != (start.method, start.rounding.published) else 0
        ),
    )


def _four(study: Study[RoundingState, RoundingLab]) -> Part[RoundingLab]:
    boards = {name: Board(texts.NAMES[name], brief=True).add_class("sdc-board-narrow") for name in METHODS}

    def pressed(name: str, row: int, column: int) -> None:
        values = _seen(study.result, study.result.roundings[METHODS.index(name)])
        state = study.state.rounded(published=int(values[row, column]))
        study.put(replace(state, method=name))

    for name, board in boards.items():
        board.on_press(partial(pressed, name))

    true, show_true = _true(study)

    def show(result: RoundingLab) -> None:
        show_true(result)
        for one in result.roundings:
            _show_board(boards[one.name], result, one)
        # Two by two where there is room for that; many columns stand below each other rather than half out of sight.
        need = 110 + 50 * (min(result.true.shape[1], MOST_COLUMNS) + 1)
        side_by_side.layout.grid_template_columns = (
            f"repeat(auto-fit, minmax(min(max({need}px, 34%), 100%), 1fr))"
        )

    hint = Text(
        "Press a published number to see what may be behind it. ≠: not the sum of its cells (in small)."
    )
    side_by_side = ipywidgets.Box(list(boards.values())).add_class("sdc-pair")
    return (OtherTable(study), hint, side_by_side, heading("The true table"), *true), show


def _seen(result: RoundingLab, rounding: ShownRounding) -> np.ndarray:
    """Return the published numbers as the screen shows them, totals last."""
    release = result.state.arrangement.released(rounding.release)
    row, column = (axis.name for axis in release.axes)
    cells = release.cells[:MOST_ROWS, :MOST_COLUMNS]
    right, below = release.margin(row)[:MOST_ROWS], release.margin(column)[:MOST_COLUMNS]
    return np.block([[cells, right[:, np.newaxis]], [below[np.newaxis], np.array([[release.margin()]])]])


def _show_board(board: Board, result: RoundingLab, rounding: ShownRounding) -> None:
    release = result.state.arrangement.released(rounding.release)
    rows, columns = release.axes
    height, width = min(len(rows), MOST_ROWS), min(len(columns), MOST_COLUMNS)
    values = _seen(result, rounding)
    off = np.zeros(values.shape)
    off[:-1, -1] = release.discrepancy(rows.name)[:height]
    off[-1, :-1] = release.discrepancy(columns.name)[:width]
    off[-1, -1] = release.discrepancy()
    names = ([*rows.labels[:height], "Total"], [*columns.labels[:width], "Total"])
    true = np.pad(result.true.counts, ((0, 1), (0, 1)))
    true[-1, :-1], true[:-1, -1] = result.true.counts.sum(axis=0), result.true.counts.sum(axis=1)
    true[-1, -1] = result.true.total
    places = [*range(height), -1], [*range(width), -1]
    mine = result.state.method == rounding.name
    spots = []
    for i, row in zip(places[0], names[0], strict=True):
        line = []
        for j, label in zip(places[1], names[1], strict=True):
            value, apart = int(values[i, j]), int(off[i, j])
            total = "total" if i < 0 or j < 0 else ""
            here = mine and value == result.published
            line.append(
                Spot(
                    f"{value:,}{' ≠' if apart else ''}",
                    f"{texts.NAMES[rounding.name]}, {row}, {label}: {value:,}"
                    + (f" ≠ {value - apart:,}, the sum of its cells" if apart else "")
                    + f", true {int(true[i, j]):,}",
                    small=f"{value - apart:,}" if apart else "",
                    look=f"{total} {'chosen' if here else ''}".strip(),
                    pressed=here,
                )
            )
        spots.append(line)
    part = ""
    if (height, width) != result.true.shape:
        part = f" Shown: {height} of {len(rows):,} rows and {width} of {len(columns):,} columns."
    board.show(rows.name, *names, spots, note=texts.note(result, rounding) + part)


def _answer(study: Study[RoundingState, RoundingLab], page: Page) -> Part[RoundingLab]:
    def example() -> None:
        study.put(replace(study.state.rounded(base=5, steps=1, published=15), method="controlled"))

    return showing(
        (Answer("True counts that are possible", page), texts.narration),
        settings_control(study, "published", "rounding"),
        Actions({"Handbook: a = 15, b = 5, K = 1": example}),
    )


def _compared(study: Study[RoundingState, RoundingLab], page: Page) -> Part[RoundingLab]:
    lines = [Text() for _ in range(3)]
    printed = ipywidgets.VBox([heading("As the handbook prints it"), *lines])
    distances = Readings("Distance of each rounding")

    def explain(index: int) -> None:
        title = f"{texts.NAMES[METHODS[index]]} rounding"
        page.explain(title, texts.explain_rounding(study.result, index))

    distances.on_explain(explain)

    def show(result: RoundingLab) -> None:
        reveal(texts.is_printed(result.state), printed)
        if texts.is_printed(result.state):
            for line, sentence in zip(lines, texts.printed_told(result), strict=True):
                line.show(sentence)

    intro = Text("Σ |z − a|, the distance from the true cells and totals.")
    return showing(intro, (distances, texts.compared), ((printed,), show))


def _true(study: Study[RoundingState, RoundingLab]) -> Part[RoundingLab]:
    grid = Grid(title="Table", hint="Change a true count and press Enter.")
    grid.add_class("sdc-compact")
    edit_table(grid, study)

    def show(result: RoundingLab) -> None:
        state = result.state
        grid.show(state.seen, state.unchanged(study.start))

    return (grid,), show


def _solver(study: Study[RoundingState, RoundingLab]) -> Part[RoundingLab]:
    chart, told = Chart("The gap of controlled rounding"), Text()
    stop = Actions({"Take what is found": study.stop})
    intro = Text(
        "Each point is a run of its own that may stop as soon as its distance is proved to be within so much of the "
        "least; a run that takes too long stops with what it has."
    )

    def show(result: RoundingLab) -> None:
        more = " A closer one is being looked for." if study.improving else ""
        told.show(texts.runs_told(result) + more)
        stop.layout.display = None if study.improving else "none"
        stop.progress, stop.counted = result.work if study.improving else (0, 0), "parts of the table"
        # One run is no line.
        chart.layout.display = None if len(result.runs) > 1 else "none"
        chart.show(plots.draw, plots.prepare(result))

    return (intro, told, stop, chart), show
