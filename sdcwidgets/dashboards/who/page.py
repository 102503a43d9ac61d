"""Page Who: step through the ways in which people may have moved, and measure the uncertainty."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets import methods
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.who import charts as plots
from sdcwidgets.dashboards.who import texts
from sdcwidgets.dashboards.who.method_average import average_over_tables, probability_of_table
from sdcwidgets.dashboards.who.result import LISTED, WhoResult, compute
from sdcwidgets.dashboards.who.state import CELLS, WhoState
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, parameter_of, reveal, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.people import PeopleRow
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.steps import Steps

__all__ = ["app"]

FOOT = (
    "Antal 2016 (thesis), section 3.6.2, Theorems 1 to 4 and Table 3.6.1; equations (3.6.5) and (3.6.6); Antal, "
    "Shlomo and Elliot 2014 (PSD 2014), equation (5). Logarithms are natural: nats."
)

SIZE = Parameter("size", int, 3, "Number of cells", range=CELLS)
METHOD = Parameter(
    "method",
    str,
    "random-rounding",
    "Method for G",
    choices={
        # The page needs published tables with the same cells and without suppressed cells.
        name: methods.get(name).title
        for name in sorted(methods.available())
        if not (methods.get(name).suppresses or methods.get(name).merges)
    },
)


def app(state: WhoState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : WhoState, optional
        Initial counts (default: Table 3.6.1 of the thesis).
    """
    study = Study(begin_with(WhoState, state), compute)
    page = page_for("who", led=True)
    page.bind(study, WhoState.from_state, texts.as_code)
    counts, show_counts = _counts(study)
    people, steps, show_people = _people(study)
    follow(study, show_counts, show_people)

    def headline(result: WhoResult) -> Headline:
        answer, reason = texts.lead(result)
        if result.length <= 1:
            return Headline(answer, reason)
        ways = "all draws" if result.drawn else f"all {result.length:,} possibilities"
        return Headline(answer, reason, f"Play {ways}", steps.play)

    return page.answering(
        study,
        "Which people moved between cells?",
        headline,
        controls=(card("Original and published counts", *counts),),
        stage=(card("People in each cell", *people),),
        tabs={
            "Average probabilities over possibilities": partial(_average, study, page),
            "Remaining uncertainty": partial(_unknown, study, page),
            "Second term of the risk": partial(_second, study, page),
            "Average over all tables of a method": partial(_chosen, study),
        },
        foot=FOOT,
    )


def _side_by_side(*children: ipywidgets.Widget) -> ipywidgets.Box:
    """Return widgets side by side, or one below the other if there is not enough room."""
    return ipywidgets.Box(
        children, layout={"flex_flow": "row wrap", "grid_gap": "0 28px", "align_items": "center"}
    )


def _counts(study: Study[WhoState, WhoResult]) -> Part[WhoResult]:
    grid, size = Grid(title="Original and published counts").add_class("sdc-compact"), Control(SIZE)
    size.on_change(lambda number: study.put(study.state.resized(number), gesture="size"))
    edit_table(grid, study, lambda counts: study.state.recounted(*map(tuple, counts.tolist())))

    def show(result: WhoResult) -> None:
        size.show(len(result.state.before))
        grid.update(
            rows=("F, original", "G, published"),
            columns=texts.cells(result),
            counts=[result.state.before, result.state.after],
            hint="To edit a count, type a number and press Enter.",
        )

    return (grid, size), show


def _chosen(study: Study[WhoState, WhoResult]) -> Part[WhoResult]:
    method, rng = Control(METHOD), np.random.default_rng()

    def publish() -> None:
        F = FrequencyTable([study.state.before], {"Table": ["All"], "Cell": texts.cells(study.result)})
        chosen = methods.get(method.value)()
        idle = chosen.no_effect_reason(F)
        if idle:
            raise InputError(idle)
        G = chosen.apply(F, rng)
        study.put(study.state.recounted(study.state.before, tuple(G.counts[0].tolist())))

    draw = Actions({"Draw G": publish})
    average = Grid(
        title="Average over the tables of the method",
        row_name="original",
        column_name="published",
        editable=False,
        hint="",
    )
    title, summary = heading("Average over the tables of the method"), Text()
    title_of_one, probability = heading("Probability of the published counts G"), Text()

    def show_average(result: WhoResult) -> None:
        state = result.state
        try:
            found = average_over_tables(state.before, method.value, state.settings.closest)
        except InputError as error:
            summary.show(str(error))
            reveal(False, average, title_of_one, probability)
            return
        published = probability_of_table(state.before, state.after, method.value)
        summary.show(texts.averaged(found))
        probability.show(texts.probability(published))
        names = texts.cells(result)
        average.update(rows=names, columns=names, **plots.heat_map(found.channel, state.before))
        reveal(True, average)
        reveal(published is not None, title_of_one, probability)

    method.observe(lambda _: show_average(study.result), "value")
    fixed = title, summary, average, title_of_one, probability
    return showing((Text(), texts.scene), _side_by_side(method, draw), (fixed, show_average))


def _people(
    study: Study[WhoState, WhoResult],
) -> tuple[tuple[ipywidgets.Widget, ...], Steps, Callable[[WhoResult], None]]:
    truth = PeopleRow("X: original cells of the people")
    possible = PeopleRow("Y: possible published cells of the people", threads=True)
    steps, hurdle = Steps("Number of the shown possibility", plays=False), Text()
    steps.on_go(lambda position: study.change(position=position, gesture="step"))
    steps.on_choose(lambda among: study.put(study.state.set(among=among)))

    def show(result: WhoResult) -> None:
        names = texts.cells(result)
        steps.show(
            result.state.position,
            result.length,
            "draw" if result.drawn else "possibility",
            texts.moved(result),
            texts.labels(result),
            result.state.settings.among,
        )
        hurdle.show(texts.hurdle(result))
        reveal(texts.hurdle(result), hurdle)
        reveal(result.assignment is not None, truth, possible)
        if result.assignment is not None:
            before = result.truth.tolist()
            truth.show(names, before, copies=result.copies)
            possible.show(names, result.assignment.tolist(), before, result.copies)

    return (truth, possible, steps, hurdle), steps, show


def _average(study: Study[WhoState, WhoResult], page: Page) -> Part[WhoResult]:
    average, theorem = (
        Grid(title=title, row_name="original", column_name="published", editable=False, hint="")
        for title in ("Average", "Probability of each published cell, by original cell")
    )
    so_far, note, counted = Text(), Text().add_class("sdc-note"), Text()
    chart = Chart("Largest difference between averaged and exact probabilities")
    order = Control(parameter_of(type(study.state.settings), "order"), look="buttons")

    def reorder(value: str) -> None:
        exact = study.result.sizes[study.state.settings.among].exact
        if value == "listed" and exact is not None and exact > LISTED:
            raise InputError(
                f"More than {LISTED:,} possibilities cannot be listed; they are drawn at random."
            )
        study.put(study.state.set(order=value), gesture="order")

    order.on_change(reorder)

    def draw_possibility() -> None:
        study.put(study.result.next_draw, gesture="step")

    draw = Actions({"Draw one possibility at random": draw_possibility})

    def explain() -> None:
        page.explain(
            "Probability of each published cell, by original cell", texts.explain_matrix(study.result)
        )

    explained = Actions({"Explain the matrix of probabilities": explain})

    def average_over_all() -> None:
        study.put(study.result.whole)

    at_once = Actions({"Average over all": average_over_all})

    def show(result: WhoResult) -> None:
        names = texts.cells(result)
        for grid, channel in ((average, result.average), (theorem, result.theorem)):
            matrix = np.zeros_like(result.theorem) if channel is None else channel
            grid.update(rows=names, columns=names, **plots.heat_map(matrix, result.state.before))
        reveal(result.average is not None, average_so_far, at_once, chart)
        chart.show(plots.draw, plots.prepare(result))
        counted.show(texts.counted(result))
        at_once.relabel(0, texts.at_once(result))
        # Possibilities that are too many to list are always drawn.
        order.show("drawn" if result.drawn else "listed")
        so_far.show(texts.so_far(result))
        note.show(texts.no_table(result))

    legend = Text(
        "Each number is the probability that a person of the original cell (row) is in the published cell "
        "(column). Blue = stays. Orange = moves. – = no people."
    )
    average_so_far = ipywidgets.VBox([heading("Average"), average])
    matrices = _side_by_side(average_so_far, ipywidgets.VBox([heading("Theorem"), theorem]))
    buttons = _side_by_side(at_once, explained)
    return (legend, matrices, _side_by_side(order, draw), so_far, buttons, note, chart, counted), show


def _unknown(study: Study[WhoState, WhoResult], page: Page) -> Part[WhoResult]:
    answer, sums = (
        Answer("Remaining uncertainty of the intruder", page),
        Readings("Remaining uncertainty H(X|Y) as three sums"),
    )
    sums.on_explain(lambda index: page.explain("Part of H(X|Y)", texts.explain_sum(study.result, index)))
    title = heading("Remaining uncertainty H(X|Y) as a sum of three parts")
    return showing((answer, texts.narration), title, (sums, texts.sums))


def _second(study: Study[WhoState, WhoResult], page: Page) -> Part[WhoResult]:
    variants = Readings("Second risk term after protection")
    variants.on_explain(lambda index: page.explain("Second term", texts.explain_second(study.result, index)))
    return showing((variants, texts.variants), (Text(), texts.two_claims))
