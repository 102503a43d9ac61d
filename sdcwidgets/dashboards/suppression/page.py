"""Page Suppression: suppress cells by hand, check disclosure, and compare with the optimal pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape

import ipywidgets
import numpy as np

from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.assessment.report import Report
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.suppression import by_hand, texts
from sdcwidgets.dashboards.suppression import charts as plots
from sdcwidgets.dashboards.suppression import files as saved
from sdcwidgets.dashboards.suppression.contributions_tab import contributions_to_a_cell
from sdcwidgets.dashboards.suppression.linked_tab import linked_tables
from sdcwidgets.dashboards.suppression.optimiser import box, chosen, costs_in
from sdcwidgets.dashboards.suppression.redesign_tab import merging_rows
from sdcwidgets.dashboards.suppression.result import SuppressionResult, SuppressionStudy, compute
from sdcwidgets.dashboards.suppression.sheet import Cell, Remaining, Sheet, spread
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.tables.examples import is_published
from sdcwidgets.tables.io.sources.contributions import read_hierarchy
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, follow, followed, reveal, settings_control, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.page_state.reporting import report_on, title_of
from sdcwidgets.widgets.source import OtherTable

__all__ = ["app"]

#: Maximum number of cells of tables in which two patterns are drawn.
MOST_SMALL = 80

#: Maximum number of columns of tables whose cells show the number of possible values in words.
MOST_WIDE = 8

FOOT = (
    "Oganian and Domingo-Ferrer 2003 (O&DF), sections 4.1, 4.3 to 4.5; Fischetti and Salazar 2001 (optimiser). "
    "Eight numbers of activities 5 and 6 are missing in our copy of O&DF Table 1. The numbers shown instead "
    "are recalled and agree with all published totals; x₁ to x₄ are one of 407 possible choices. O&DF "
    "Table 2 gives 1,148 "
    "as the total of size 4, but its cells and the total of 20,139 require 1,448."
)


def app(state: SuppressionState | FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : SuppressionState or FrequencyTable, optional
        Initial table and suppressed cells (default: Table 1 of O&DF with one suppressed cell, which is recalculable).
    """
    start = by_hand.opening() if state is None else begin_with(SuppressionState, state)
    study: SuppressionStudy = Study(start, compute)
    page = page_for("suppression", led=True)
    page.bind(study, SuppressionState.from_state, texts.as_code)

    def report() -> Report:
        made = report_on(study.state, saved.release(study.state))
        return replace(made, internal=not saved.is_protected(study.result))

    page.hand_over(report)

    def ahead(result: SuppressionResult) -> tuple[str, Callable[[], None]]:
        following = by_hand.next_cell(result)
        if following is not None:
            state = result.state

            def suppress() -> None:
                study.put(state.changed(hidden={*state.hidden, following}, suppose=None))

            return "Next: suppress another cell", suppress
        open_ = texts.lead(result)[2] != "good" or by_hand.is_rectangle(result)
        text = "Next: apply the optimal pattern" if open_ and result.best.hidden is not None else ""
        return text, partial(_take, study)

    def says(result: SuppressionResult) -> Headline:
        answer, why, tone = texts.lead(result)
        return Headline(answer, why, *ahead(result), tone, steps=by_hand.steps(result))

    press, group, width, reader = (
        settings_control(study, name, of="requirements", **look)
        for name, look in (("press", {"look": "buttons"}), ("group", {}), ("width", {}), ("reader", {}))
    )
    disjoint = settings_control(study, "disjoint", of="requirements")
    # The setting is relevant only if categories look like a hierarchy.
    follow(study, lambda result: reveal(result.state.sheet.possible_hierarchy, disjoint))
    return page.answering(
        study,
        "Are the suppressed cells protected?",
        says,
        controls=(
            card("Action for a selected cell", press, group),
            card("Protection requirements", width, reader, disjoint),
        ),
        stage=(card("Table with suppressed cells", *followed(study, _table(study))),),
        tabs={
            "Weakest suppressed cell": partial(_answer, study, page),
            "Equations of suppressed cells": partial(_chain, study),
            "Optimal pattern": partial(_compared, study, page),
            "Rectangle patterns": partial(_boxes, study),
            "Linked tables": partial(linked_tables, study),
            "Dominance and p % rules": partial(contributions_to_a_cell, page),
            "Table redesign": partial(merging_rows, study),
        },
        foot=FOOT,
    )


def _take(study: SuppressionStudy) -> None:
    """Apply a pattern for publication, chosen with a secret, because data users could compute the optimal one."""
    state, best = study.state, study.result.best
    if best.hidden is not None:
        hidden = chosen(state.sheet, state.request, state.secret)
        cells = tuple((int(i), int(j)) for i, j in np.argwhere(hidden))
        study.put(replace(study.state, hidden=cells, chosen=study.state.sensitive[0], suppose=None))


def _table(study: SuppressionStudy) -> Part[SuppressionResult]:
    board = Board("Published table", show_title=False, brief=True).add_class("sdc-board-wide")
    part, equation = Text(), ipywidgets.HTML().add_class("sdc-equation")

    def pressed(row: int, across: int) -> None:
        study.put(study.state.pressed((study.state.sheet.order[row], across)))

    board.on_press(pressed)

    def show(result: SuppressionResult) -> None:
        state, sheet = result.state, result.state.sheet
        finite = result.upper[result.mask & np.isfinite(result.upper)]
        chosen = state.chosen if state.chosen in state.hidden else None
        near = {}
        if chosen is not None:
            near = {other: line.axis for line in sheet.through(chosen) for other in line.cells}
        note = (
            f"⚑ = sensitive{', ▣ = kept published' * bool(state.frozen)}. The bar of a suppressed cell is its "
            "feasibility interval, and its ends are below at the left. At the right is the risk, 1/log₂ of the number "
            "of possible values. Orange frame = interval narrower than required."
        )
        _fill(board, sheet, partial(_spot, result, float(finite.max(initial=1.0)), chosen, near), note)
        arrangement = state.arrangement.words
        part.show(
            f"This part of the table is shown and published, with its totals: {arrangement}."
            if arrangement
            else ""
        )
        reveal(arrangement, part)
        equations = "".join(f"<p class='sdc-formula'>{escape(line)}</p>" for line in texts.equation(result))
        equation.value = equations
        reveal(equations, equation)

    return (OtherTable(study, amounts=True), part, equation, board), show


def _fill(board: Board, sheet: Sheet, spot: Callable[[Cell], Spot], note: str = "") -> None:
    """Show the cells of a sheet on a board."""
    spots = [[spot((i, j)) for j in range(len(sheet.columns))] for i in sheet.order]
    board.show(sheet.corner, [sheet.rows[i] for i in sheet.order], sheet.columns, spots, note=note)


def _spot(
    result: SuppressionResult, scale: float, chosen: Cell | None, near: dict[Cell, int], cell: Cell
) -> Spot:
    state, sheet = result.state, result.state.sheet
    printed, name = f"{sheet.full[cell]:,}", sheet.name(cell)
    if cell == sheet.last:
        return Spot(printed, look="total")
    badge, status = "", ""
    if cell in state.sensitive:
        badge, status = "⚑", ", sensitive"
    elif cell in state.frozen:
        badge, status = "▣", ", kept published"
    hidden = cell in state.hidden
    looked = hidden and cell == chosen
    presses = {"mark": cell in state.sensitive, "keep": cell in state.frozen, "look": looked}
    pressed = presses.get(state.requirements.press, hidden)
    if not hidden:
        look = ""
        if not sheet.leaf[cell]:
            look = "total"
        elif sheet.full[cell] == 0:
            look = "zero"
        if cell in near:
            look += " row" if near[cell] else " column"
        return Spot(printed, f"{name}: {printed}{status}", look=look, badge=badge, pressed=pressed)
    low, high = result.lower[cell], result.upper[cell]
    x, bounds, values = result.symbol(cell), spread(low, high), texts.values_text(result.values[cell])
    risk = texts.risk(result.risk[cell])
    has_room = len(sheet.columns) <= MOST_WIDE
    look = "hidden"
    if result.narrow[cell]:
        look = "narrow"
    elif cell == chosen:
        look = "chosen"
    return Spot(
        f"{x} {values}" if has_room else x,
        # The accessible name contains the visible text in its order.
        f"{name}: suppressed, {x}, {values}, {bounds}, risk {risk}{status}",
        small=bounds,
        end=f"risk {risk}" if has_room else risk,
        bar=(min(low / scale, 1.0), min(high / scale, 1.0)),
        look=look,
        badge=badge,
        pressed=pressed,
    )


def _answer(study: SuppressionStudy, page: Page) -> Part[SuppressionResult]:
    def save_csv() -> None:
        saved.check_protected(study.result)
        files.file("published.csv", saved.csv(study.state), study.state.title)

    def save_xlsx() -> None:
        saved.check_protected(study.result)
        files.file("published.xlsx", saved.xlsx(study.state), study.state.title)

    def open_subtotals(name: str, content: bytes) -> None:
        study.change(parents=tuple(read_hierarchy(name, content).items()))

    files = Actions(
        {"Save published table (CSV)": save_csv, "Save published table (XLSX)": save_xlsx},
        {"Open a file of sub-totals": open_subtotals},
    )

    def copied(result: SuppressionResult) -> str:
        release = saved.release(result.state)
        title = "" if is_published(result.state.title) else title_of(result.state, release)
        return release.copied_text_caution(title=title)

    weakest = Answer("Possible values of the weakest suppressed cell", page)
    return showing((weakest, texts.narration), (Text(), copied), files)


def _chain(study: SuppressionStudy) -> Part[SuppressionResult]:
    chart = Chart("Suppressed cells and the totals that contain them")
    free, lines = Text(), [Text() for _ in range(4)]
    control = Control(Parameter("suppose", int, 0, "", range=Range(0, 1)))
    control.on_change(lambda value: study.change(gesture="suppose", suppose=int(value)))

    def show(result: SuppressionResult) -> None:
        state = result.state
        if result.supposed is not None:
            most = min(result.upper[state.chosen], 2 * state.sheet.full[-1, -1])
            between = Range(float(result.lower[state.chosen]), float(most))
            label = f"Assumed value of {result.symbol(state.chosen)}"
            control.offer(result.supposed, label=label, range=between)
        chart.show(plots.draw_chain, plots.chain(result, texts.supposition(result)))
        reveal(result.supposed is not None, control, chart)
        free.show(texts.degrees_of_freedom(result))
        equations = texts.equations(result)
        for k, text in enumerate(lines):
            text.show("".join(piece.text for piece in equations[k]) if k < len(equations) else "")
            reveal(k < len(equations), text)

    return (free, control, chart, *lines), show


def _compared(study: SuppressionStudy, page: Page) -> Part[SuppressionResult]:
    measures, summary, proved = (
        Board("Comparison of two suppression patterns", show_title=False),
        Text(),
        Text(),
    )
    boards = Board("Your pattern", brief=True), Board("Optimal pattern", brief=True)
    for board in boards:
        board.add_class("sdc-board-narrow")
    cost = settings_control(study, "cost", of="requirements", look="buttons")
    together = settings_control(study, "coalition", of="requirements")

    def explain() -> None:
        page.explain("Explain the optimal pattern", texts.why(study.result))

    def open_costs(name: str, content: bytes) -> None:
        study.change(costs=costs_in(study.state.sheet, name, content))

    actions = Actions(
        {"Apply the optimal pattern": partial(_take, study), "Explain the optimal pattern": explain},
        {"Open a file of suppression costs": open_costs},
    )
    without = Actions({"Remove the suppression costs": partial(study.change, costs=())})
    both = ipywidgets.Box(boards, layout={"flex_flow": "row wrap", "grid_gap": "8px 20px"})

    def show(result: SuppressionResult) -> None:
        # Magnitude tables do not count respondents, so coalitions are not defined for them.
        reveal(result.state.source.unit == "people", together)
        reveal(result.state.costs, without)
        summary.show(texts.protects_more(result))
        proved.show(texts.proof(result))
        lines = texts.compared(result)
        spots = [[Spot(mine), Spot(other)] for _, mine, other in lines]
        measures.show("", [name for name, *_ in lines], ["Your pattern", "Optimal pattern"], spots)
        sheet, theirs = result.state.sheet, result.best.remaining
        small = theirs is not None and sheet.full.size <= MOST_SMALL
        reveal(small, both)
        if theirs is not None and small:
            for board, remaining in zip(boards, (result, theirs), strict=True):
                _fill(board, sheet, partial(_small, result, remaining))

    return (cost, together, summary, measures, both, proved, actions, without), show


def _small(result: SuppressionResult, remaining: Remaining, cell: Cell) -> Spot:
    """Return a small cell with the number of possible values if it is suppressed, and empty otherwise."""
    state, values = result.state, remaining.values[cell]
    name = f"{state.sheet.name(cell)}: {state.sheet.full[cell]:,}"
    if not remaining.mask[cell]:
        return Spot("", f"{name}, published")
    marked = cell in state.sensitive
    return Spot(
        "∞" if np.isinf(values) else f"{values:,.0f}",
        f"{name}, suppressed, {texts.values_text(values)}, risk {texts.risk(remaining.risk[cell])}",
        look="narrow" if values < state.requirements.width and marked else "hidden",
        badge="⚑" if marked else "",
    )


def _boxes(study: SuppressionStudy) -> Part[SuppressionResult]:
    chart = Chart("Possible values and cost of each rectangle pattern")

    def try_it(points: object) -> None:
        boxes = study.result.boxes
        for point in points if isinstance(points, list) else ():
            match point:
                case [1, int(k)] if boxes is not None and 0 <= k < len(boxes.corners):
                    corners = box(study.state.sheet, boxes.around, boxes.corners[k])
                    return study.change(hidden=corners, chosen=boxes.around, suppose=None)

    chart.hear("click", lambda message, _: try_it(message.get("points")))

    intro = Text(
        "A rectangle pattern suppresses the sensitive cell and the three other corners of a rectangle, or seven other "
        "corners in a three-way table. The counts at the corners can change together without a change of any total. "
        "Select a dot to apply its pattern."
    )
    return showing(intro, (chart, plots.draw, plots.prepare))
