"""Suppression and linked tables: hide numbers by hand, and see what they still give away."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets
import numpy as np

from sdcwidgets.dashboards import page_for
from sdcwidgets.lines import Piece
from sdcwidgets.parameters import Parameter, Range
from sdcwidgets.plots import suppression as plots
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.suppression import Suppressed, Suppressing, suppress
from sdcwidgets.studies.suppression_best import freed
from sdcwidgets.studies.suppression_links import LINKED, SHAPE, linked_pattern
from sdcwidgets.studies.suppression_sheet import Cell, spread
from sdcwidgets.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import Part, follow, settings_control
from sdcwidgets.widgets.page import Page, Text, card, column
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.words import suppression as words

__all__ = ["app"]

FOOT = (
    "Oganian and Domingo-Ferrer 2003 (O&DF), sections 4.1, 4.4 and 4.5; Fischetti and Salazar 2001 (the optimiser). "
    "Our copy of O&DF Table 1 lacks eight numbers of activities 5 and 6: those shown are recalled and meet every sum "
    "that is printed; x₁ to x₄ are one choice among 407. O&DF Table 2 prints 1,148 as the total of size 4; its cells "
    "and 20,139 need 1,448."
)

LETTERS = {0: "a", 1: "s", 2: "r"}

S = Study[Suppressing, Suppressed]


def app(state: Suppressing | FrequencyTable | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    state : Suppressing or FrequencyTable, optional
        The table, and the gaps it begins with; Table 1 of O&DF if not given.
    """
    start = Suppressing(state) if isinstance(state, FrequencyTable) else state or Suppressing()
    study: S = Study(start, suppress)
    page = page_for("suppression")
    page.bind(study, Suppressing.from_state, words.as_code)
    table, show_table = _table(study)
    answer, show_answer = _answer(study, page)
    chain, show_chain = _chain(study)
    compared, show_compared = _compared(study, page)
    boxes, show_boxes = _boxes(study)
    linked, show_linked = _linked(study)
    follow(study, show_table, show_answer, show_chain, show_compared, show_boxes, show_linked)
    return page.around(
        column(
            card("Press a number to suppress it. Press it again to free it.", *table),
            card("Yours beside the optimiser’s", *compared),
        ),
        column(
            card("The weakest gap", *answer),
            card("Which number leads to which", *chain),
            card("Which box protects most?", *boxes),
        ),
        column(card("Linked tables: what the sums leave free", *linked)).add_class("sdc-whole"),
        shape="wide-left",
        foot=FOOT,
    )


def _table(study: S) -> Part[Suppressed]:
    press = settings_control(study, "press", of="asked", look="buttons")
    group = settings_control(study, "group", of="asked")
    board = Board("The table that is published", shown=False).add_class("sdc-board-wide")
    free, part = Text(), Text()

    def pressed(row: int, across: int) -> None:
        study.put(study.state.pressed((study.state.sheet.order[row], across)))

    board.on_press(pressed)

    def show(result: Suppressed) -> None:
        state, sheet = result.state, result.state.sheet
        finite = result.upper[result.mask & np.isfinite(result.upper)]
        scale = float(finite.max(initial=1.0))
        chosen = state.chosen if state.chosen in state.hidden else None
        near = {one: line.axis for line in sheet.through(chosen) for one in line.cells} if chosen else {}
        spots = [
            [_spot(result, (i, j), scale, chosen, near) for j in range(len(sheet.columns))]
            for i in sheet.order
        ]
        note = "⚑ sensitive. A bar is what a gap can still be. Orange frame: fewer values than asked."
        rows = [sheet.rows[i] for i in sheet.order]
        board.show(sheet.table.rows.name, rows, sheet.columns, spots, note=note)
        free.show(words.free_told(result))
        shown = state.arrangement.words
        part.show(f"Shown and published: {shown}, with its own totals." if shown else "")
        part.layout.display = None if shown else "none"

    controls = ipywidgets.Box([press, group], layout={"flex_flow": "row wrap", "grid_gap": "0 28px"})
    return (SourceBar(study), part, controls, board, free), show


def _spot(result: Suppressed, cell: Cell, scale: float, chosen: Cell | None, near: dict[Cell, int]) -> Spot:
    state, sheet = result.state, result.state.sheet
    count, name = int(sheet.full[cell]), sheet.name(cell)
    total = cell[0] >= sheet.inner[0] or cell[1] >= sheet.inner[1]
    if cell == sheet.last:
        return Spot(f"{count:,}", look="total")
    badge = "⚑" if cell in state.sensitive else ""
    sensitive = ", sensitive" if badge else ""
    marking, looking = state.asked.press == "mark", state.asked.press == "look"
    if cell not in state.hidden:
        look = "total" if total else "zero" if count == 0 else ""
        if cell in near:
            look += " row" if near[cell] else " column"
        pressed = cell in state.sensitive if marking else False
        return Spot(f"{count:,}", f"{name}: {count:,}{sensitive}", look=look, badge=badge, pressed=pressed)
    low, high = result.lower[cell], result.upper[cell]
    x, told, kept = result.symbol(cell), spread(low, high), words.values_told(result.values[cell])
    pressed = cell in state.sensitive if marking else cell == chosen if looking else True
    return Spot(
        f"{x} {kept}",
        f"{name}: suppressed, {x}, {told}, {kept}, risk {words.risk(result.risk[cell])}{sensitive}",
        small=told,
        bar=(min(low / scale, 1.0), min(high / scale, 1.0)),
        look="narrow" if result.narrow[cell] else "chosen" if cell == chosen else "hidden",
        badge=badge,
        pressed=pressed,
    )


def _answer(study: S, page: Page) -> Part[Suppressed]:
    answer = Answer(label="Values left for the weakest gap")
    answer.hear("explain", lambda *_: page.explain("Bounds and risk", words.explain(study.result)))
    width = settings_control(study, "width", of="asked")

    def show(result: Suppressed) -> None:
        left, asked = result.weakest, result.state.asked.width
        none = np.isnan(left)
        answer.show(
            value="–" if none else "∞" if np.isinf(left) else f"{left:,.0f}",
            parts=[("kept", 0.0 if none else min(left / asked, 1.0))],
            formula=[]
            if none or left == 1 or np.isinf(left)
            else [Piece(f"risk 1/log₂ {left:,.0f} = {1 / np.log2(left):.3f}")],
            caption=f"values are left, of {asked:,} that are asked.",
            sentence=words.weakest(result),
            ends=("exactly known", "as asked"),
            of=study.state,
        )

    return (answer, width), show


def _chain(study: S) -> Part[Suppressed]:
    chart = Chart("The gaps that one leads to, and the sums between them")
    holder, lines = ipywidgets.Box(), [Text() for _ in range(4)]
    made: list[tuple[str, float, float]] = []

    def suppose(value: Any) -> None:
        study.change(gesture="suppose", suppose=int(value))

    def show(result: Suppressed) -> None:
        state = result.state
        if result.supposed is None:
            holder.children, made[:] = (), []
        else:
            low, high = result.lower[state.chosen], result.upper[state.chosen]
            spec = (result.symbol(state.chosen), float(low), float(min(high, 2 * state.sheet.full[-1, -1])))
            if made != [spec]:
                made[:] = [spec]
                control = Control(
                    Parameter(
                        "suppose", int, result.supposed, f"Suppose {spec[0]} is", range=Range(*spec[1:])
                    )
                )
                control.on_change(suppose)
                holder.children = (control,)
            holder.children[0].show(result.supposed)
        chart.show(plots.draw_chain, plots.chain(result, words.supposed_told(result)))
        chart.layout.display = None if result.supposed is not None else "none"
        told = words.equations(result)
        for k, text in enumerate(lines):
            text.show("".join(piece.text for piece in told[k]) if k < len(told) else "")
            text.layout.display = None if k < len(told) else "none"

    return (holder, chart, *lines), show


def _compared(study: S, page: Page) -> Part[Suppressed]:
    readings, told = Readings("Two patterns"), Text()
    board = Board("The optimiser’s pattern")
    cost = settings_control(study, "cost", of="asked", look="buttons")

    def take() -> None:
        best = study.result.best
        if best.hidden is not None:
            cells = tuple((int(i), int(j)) for i, j in np.argwhere(best.hidden))
            study.put(replace(study.state, hidden=cells, chosen=study.state.sensitive[0], suppose=None))

    def why() -> None:
        state, best = study.state, study.result.best
        lines = words.why(study.result, freed(state.sheet, state.sensitive, best))
        page.explain("Why nothing cheaper holds", lines)

    actions = Actions({"Take the optimiser’s": take, "Why nothing cheaper holds": why})

    def show(result: Suppressed) -> None:
        readings.show(words.compared(result))
        told.show(words.best_told(result))
        best, state, sheet = result.best, result.state, result.state.sheet
        board.layout.display = None if best.hidden is not None else "none"
        if best.hidden is not None:
            rows, columns = sheet.inner
            spots: list[list[Spot]] = []
            for i in sheet.order:
                spots.append([])
                for j in range(len(sheet.columns)):
                    total = "total" if i >= rows or j >= columns else ""
                    added = "narrow" if (i, j) in state.sensitive else "good"
                    gap = bool(best.hidden[i, j])
                    spots[-1].append(
                        Spot("gap" if gap else f"{int(sheet.full[i, j]):,}", look=added if gap else total)
                    )
            board.show(sheet.table.rows.name, [sheet.rows[i] for i in sheet.order], sheet.columns, spots)

    return (cost, readings, told, board, actions), show


def _boxes(study: S) -> Part[Suppressed]:
    chart = Chart("Values left against what is hidden, a dot for each box")

    def try_it(points: Any) -> None:
        boxes = study.result.boxes
        if boxes is None or not isinstance(points, list):
            return
        for point in points:
            if not isinstance(point, list) or len(point) != 2 or point[0] != 1 or type(point[1]) is not int:
                continue
            if 0 <= point[1] < len(boxes.corners):
                (i, j), (row, across) = boxes.around, boxes.corners[point[1]]
                corners = ((i, j), (i, across), (row, j), (row, across))
                study.change(hidden=corners, chosen=(i, j), suppose=None)
                return

    chart.hear("click", lambda message, _: try_it(message.get("points")))

    def show(result: Suppressed) -> None:
        chart.show(plots.draw, plots.prepare(result))

    intro = Text(
        "A box is a marked count and three more at its corners: counts move around it and no sum changes. Press a dot "
        "to try its pattern."
    )
    return (intro, chart), show


def _linked(study: S) -> Part[Suppressed]:
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
