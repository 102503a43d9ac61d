"""Suppression and linked tables: hide numbers by hand, and see what they still give away."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets.dashboards import page_for
from sdcwidgets.lines import Piece
from sdcwidgets.parameters import Parameter
from sdcwidgets.plots import suppression as plots
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.suppression import (
    LINKED,
    SHAPE,
    SOURCES,
    Suppressed,
    Suppressing,
    linked_pattern,
    suppress,
)
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import Part, follow, settings_control
from sdcwidgets.widgets.page import Page, Text, card, column
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.words import suppression as words

__all__ = ["app"]

FOOT = (
    "Oganian and Domingo-Ferrer 2003 (O&DF), sections 4.1, 4.4 and 4.5; Fischetti and Salazar 2001 (the optimiser). "
    "Our copy of O&DF Table 1 lacks eight numbers of activities 5 and 6: those shown are recalled and meet every sum "
    "that is printed; x₁ to x₄ are one choice among 407. O&DF Table 2 prints 1,148 as the total of size 4; its cells "
    "and 20,139 need 1,448."
)

SOURCE = Parameter("source", str, "odf", "Table", choices=dict(SOURCES))
LETTERS = {0: "a", 1: "s", 2: "r"}


def app(state: Suppressing | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    state : Suppressing, optional
        The table and the gaps it begins with; Table 1 of O&DF if not given.
    """
    study = Study(state or Suppressing(), suppress)
    page = page_for("suppression")
    page.bind(study, Suppressing.from_state, words.as_code)
    table, show_table = _table(study)
    answer, show_answer = _answer(study, page)
    compared, show_compared = _compared(study)
    boxes, show_boxes = _boxes()
    linked, show_linked = _linked(study)
    follow(study, show_table, show_answer, show_compared, show_boxes, show_linked)
    return page.around(
        column(
            card("Press a number to suppress it. Press it again to free it.", *table),
            card("Yours beside the optimiser’s", *compared),
        ),
        column(card("The weakest gap", *answer), card("Which box protects most?", *boxes)),
        column(card("Linked tables: what the sums leave free", *linked)).add_class("sdc-whole"),
        shape="wide-left",
        foot=FOOT,
    )


def _table(study: Study[Suppressing, Suppressed]) -> Part[Suppressed]:
    source, press = Control(SOURCE), settings_control(study, "press", look="buttons")
    board = Board("The table that is published", shown=False).add_class("sdc-board-wide")
    sums, free = tuple(Text() for _ in range(3)), Text()
    source.on_change(lambda name: study.put(study.state.at(name)))

    def pressed(row: int, column: int) -> None:
        study.put(study.state.pressed((row, column)))

    board.on_press(pressed)

    def show(result: Suppressed) -> None:
        state = result.state
        source.show(state.source)
        counts = state.table.counts
        rows, columns = state.table.axes
        scale = float(result.upper[result.mask].max()) if state.hidden else 1.0
        chosen = state.chosen if state.chosen in state.hidden else None
        spots = []
        for i in range(len(rows)):
            line = [_spot(result, (i, j), scale, chosen) for j in range(len(columns))]
            spots.append([*line, Spot(f"{int(counts[i].sum()):,}", look="total")])
        totals = [Spot(f"{int(value):,}", look="total") for value in counts.sum(axis=0)]
        spots.append([*totals, Spot(f"{int(counts.sum()):,}", look="total")])
        note = "⚑ sensitive. A bar is what a gap can still be. Orange frame: fewer values than asked."
        board.show(rows.name, [*rows, "Total"], [*columns, "Total"], spots, note=note)
        lines = words.equations(result)
        for k, text in enumerate(sums):
            text.show("".join(piece.text for piece in lines[k]) if k < len(lines) else "")
            text.layout.display = None if k < len(lines) else "none"
        free.show(words.free_told(result))

    controls = ipywidgets.Box([source, press], layout={"flex_flow": "row wrap", "grid_gap": "0 28px"})
    return (controls, board, *sums, free), show


def _spot(result: Suppressed, cell: tuple[int, int], scale: float, chosen: tuple[int, int] | None) -> Spot:
    state = result.state
    count = int(state.table.counts[cell])
    row, column = state.table.axes
    name = f"{row.labels[cell[0]]}, {column.labels[cell[1]]}"
    badge = "⚑" if cell in state.sensitive else ""
    sensitive = ", sensitive" if badge else ""
    marking = state.settings.press == "mark"
    looking = state.settings.press == "look"
    if cell not in state.hidden:
        look = "zero" if count == 0 else ""
        if chosen is not None and (cell[0] == chosen[0] or cell[1] == chosen[1]):
            look += " row" if cell[0] == chosen[0] else " column"
        pressed = None if looking else cell in state.sensitive if marking else False
        return Spot(f"{count:,}", f"{name}: {count:,}{sensitive}", look=look, badge=badge, pressed=pressed)
    low, high, left = result.lower[cell], result.upper[cell], result.values[cell]
    x = words.symbol(result, cell)
    look = "narrow" if result.narrow[cell] else "chosen" if cell == chosen else "hidden"
    kept = "known" if left == 1 else f"{left:,.0f} values"
    spread = words.spread(result, cell)
    share = (low / scale, high / scale) if scale else (0.0, 0.0)
    pressed = cell in state.sensitive if marking else cell == chosen if looking else True
    return Spot(
        f"{x} {kept}",
        f"{name}: suppressed, {x}, {spread}, {kept}, risk {words.risk(result.risk[cell])}{sensitive}",
        small=spread,
        bar=share,
        look=look,
        badge=badge,
        pressed=pressed,
    )


def _answer(study: Study[Suppressing, Suppressed], page: Page) -> Part[Suppressed]:
    answer = Answer(label="Values left for the weakest gap")
    answer.hear("explain", lambda *_: page.explain("Bounds and risk", words.explain(study.result)))
    width = settings_control(study, "width")

    def show(result: Suppressed) -> None:
        left, asked = result.weakest, result.state.settings.width
        none = np.isnan(left)
        answer.show(
            value="–" if none else f"{left:,.0f}",
            parts=[("kept", 0.0 if none else min(left / asked, 1.0))],
            formula=[]
            if none or left == 1
            else [Piece(f"risk 1/log₂ {left:,.0f} = {1 / np.log2(left):.3f}")],
            caption=f"values are left, of {asked:,} that are asked.",
            sentence=words.weakest(result),
            ends=("exactly known", "as asked"),
        )

    return (answer, width), show


def _compared(study: Study[Suppressing, Suppressed]) -> Part[Suppressed]:
    readings, told = Readings("Two patterns"), Text()
    board = Board("The optimiser’s pattern")
    cost = settings_control(study, "cost", look="buttons")

    def take() -> None:
        best = study.result.best
        if best.hidden is not None:
            cells = tuple((int(i), int(j)) for i, j in np.argwhere(best.hidden[:-1, :-1]))
            study.put(replace(study.state, hidden=cells, chosen=study.state.sensitive[0]))

    actions = Actions({"Take the optimiser’s": take})

    def show(result: Suppressed) -> None:
        readings.show(words.compared(result))
        told.show(words.best_told(result))
        best, state = result.best, result.state
        board.layout.display = None if best.hidden is not None else "none"
        if best.hidden is not None:
            rows, columns = state.table.axes
            full = np.pad(state.table.counts, ((0, 1), (0, 1)))
            full[-1, :-1], full[:-1, -1] = state.table.counts.sum(axis=0), state.table.counts.sum(axis=1)
            full[-1, -1] = state.table.counts.sum()
            spots = [
                [
                    Spot(
                        f"{int(full[i, j]):,}" if not best.hidden[i, j] else "gap",
                        look=("good" if (i, j) not in state.sensitive else "narrow")
                        if best.hidden[i, j]
                        else ("total" if i == len(rows) or j == len(columns) else ""),
                    )
                    for j in range(len(columns) + 1)
                ]
                for i in range(len(rows) + 1)
            ]
            board.show(rows.name, [*rows, "Total"], [*columns, "Total"], spots)

    return (cost, readings, told, board, actions), show


def _boxes() -> Part[Suppressed]:
    chart = Chart("Values left against what is hidden, a dot for each box")

    def show(result: Suppressed) -> None:
        chart.show(plots.draw, plots.prepare(result))

    intro = Text(
        "A box is a marked count and three more at its corners: counts move around it and no sum changes."
    )
    return (intro, chart), show


def _linked(study: Study[Suppressing, Suppressed]) -> Part[Suppressed]:
    boards = {name: Board(name) for name in LINKED}
    ranks = Board("Rank of what is released")
    intro, told = (
        Text(
            "Turnover by activity a, size s and region r. The three-way table is not published, three tables of its "
            "sums are. A gap frees something only if it lowers the rank."
        ),
        Text(),
    )

    def free_or_hide(name: str, i: int, j: int) -> None:
        study.put(study.state.linked_pressed((name, i, j)))

    for name, board in boards.items():
        board.on_press(partial(free_or_hide, name))
    actions = Actions(
        {
            "Same rows and columns": lambda: study.change(linked=linked_pattern(True)),
            "Elsewhere": lambda: study.change(linked=linked_pattern(False)),
            "Free all": lambda: study.change(linked=()),
        }
    )

    def show(result: Suppressed) -> None:
        for name, (first, second) in LINKED.items():
            rows = [f"{LETTERS[first]}{i + 1}" for i in range(SHAPE[first])]
            columns = [f"{LETTERS[second]}{j + 1}" for j in range(SHAPE[second])]
            gaps = {(i, j) for table, i, j in result.state.linked if table == name}
            spots = [
                [
                    Spot(
                        "×" if (i, j) in gaps else "·",
                        f"{name}, {rows[i]}, {columns[j]}: {'suppressed' if (i, j) in gaps else 'published'}",
                        look="hidden" if (i, j) in gaps else "",
                        pressed=(i, j) in gaps,
                    )
                    for j in range(len(columns))
                ]
                for i in range(len(rows))
            ]
            boards[name].show("", rows, columns, spots)
        links = result.links
        lines = zip(links.equations, links.whole, links.left, strict=True)
        ranks.show(
            "Released",
            links.names,
            ["Equations", "Rank, no gap", "Rank now", "Left free"],
            [
                [Spot(str(n)) for n in (equations, whole, left, links.unknowns - left)]
                for equations, whole, left in lines
            ],
        )
        number, fall = len(result.state.linked), links.whole[-1] - links.left[-1]
        told.show(
            f"{number} gaps lower the rank of all three tables by {fall}. The same rows and columns in all tables "
            "lower it most: by 7 with 12 gaps (Propositions 1 to 3)."
        )

    beside = ipywidgets.Box(list(boards.values()), layout={"flex_flow": "row wrap", "grid_gap": "0 28px"})
    return (intro, actions, beside, ranks, told), show
