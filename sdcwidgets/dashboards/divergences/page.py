"""The page Divergences: distances between two distributions, and inequalities between these distances."""

from __future__ import annotations

from functools import partial

from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.dashboards.divergences import charts as plots
from sdcwidgets.dashboards.divergences.result import DivergencesResult, compute
from sdcwidgets.dashboards.divergences.state import (
    CATEGORIES,
    MOST,
    PRESETS,
    DivergencesState,
    beginning,
    following,
)
from sdcwidgets.dashboards.divergences.texts import (
    BEGINNINGS,
    READ,
    as_code,
    explain,
    headline,
    narration,
    readings,
)
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.distribution import Distribution
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.readings import Readings

__all__ = ["app"]

FOOT = (
    "Antal 2016 (thesis), sections 3.3 and 3.4; Csiszár and Shields 2004. Logarithms are natural; entropies are in "
    "nats."
)

BEGIN = Parameter("begin", str, "thesis", "Example", choices=BEGINNINGS)
SIZE = Parameter("size", int, 3, "Number of categories of P and Q", range=CATEGORIES)
ABOUT = Parameter("about", str, "pair", "Inequalities for", choices={"pair": "P and Q", "one": "P alone"})
PEOPLE = Parameter("people", int, 1, "Number of people added to the cell", range=Range(1, 10))


def app(state: DivergencesState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : DivergencesState, optional
        Initial counts; default is a row of a table before and after rounding.
    """
    start = PRESETS["rounded"] if state is None else begin_with(DivergencesState, state)
    study = Study(start, compute)
    page = page_for("divergences", led=True)
    page.bind(study, DivergencesState.from_state, as_code)
    (begin, size, bars), show_bars = _bars(study)
    follow(study, show_bars)

    def headline_of(result: DivergencesResult) -> Headline:
        ahead = following(result.state)
        take = partial(lambda name: study.put(study.state.like(name)), ahead)
        return Headline(*headline(result), f"Next: load “{BEGINNINGS[ahead]}”", take)

    return page.answering(
        study,
        "How different are two distributions?",
        headline_of,
        controls=(card("Distributions P and Q", begin, size),),
        stage=(card("Share of people per category, before (P) and after (Q)", bars),),
        tabs={
            "Other distances": partial(_answer, study, page),
            "Inequalities": partial(_pairs, study),
            "Ratios for similar distributions": _limit,
            "Effect of the size of the cell": _moves,
        },
        foot=FOOT,
    )


def _bars(study: Study[DivergencesState, DivergencesResult]) -> Part[DivergencesResult]:
    begin, size = Control(BEGIN), Control(SIZE)
    bars = Distribution(("P", "Q"), MOST)
    begin.on_change(lambda name: study.put(study.state.like(name)))
    size.on_change(lambda number: study.put(study.state.resized(number), gesture="size"))
    bars.on_change(lambda rows: study.change(before=rows[0], after=rows[1], gesture="bars"))

    def show(result: DivergencesResult) -> None:
        state = result.state
        begin.show(beginning(state))
        size.show(len(state.before))
        bars.show(state.before, state.after)

    return (begin, size, bars), show


def _answer(study: Study[DivergencesState, DivergencesResult], page: Page) -> Part[DivergencesResult]:
    answer, others = (
        Answer("Hellinger distance between P and Q", page),
        Readings("Other distances between P and Q"),
    )
    others.on_explain(lambda k: page.explain(f"Computation of {READ[k]}", explain(study.result, READ[k])))
    return showing((answer, narration), (others, readings), settings_control(study, "order"))


def _pairs(study: Study[DivergencesState, DivergencesResult]) -> Part[DivergencesResult]:
    about = Control(ABOUT, look="buttons")
    chart = Chart("Inequalities between distances, each as two bars")

    def prepare(result: DivergencesResult) -> plots.Pairs:
        return plots.prepare(result, about.value)

    part = showing(about, (chart, plots.draw, prepare))
    about.observe(lambda _: part[1](study.result), "value")
    return part


def _limit() -> Part[DivergencesResult]:
    return showing(
        (Chart("Each divergence divided by chi-squared, if P approaches Q"), plots.draw, plots.limit)
    )


def _moves() -> Part[DivergencesResult]:
    people = Control(PEOPLE)
    intro = Text(
        "The chart shows three distances between the tables before and after people are added to a cell. "
        "The Hellinger distance is larger for a smaller cell, because it uses square roots of counts. This "
        "distance is also defined for an empty cell. Total variation does not depend "
        "on "
        "the size of the cell."
    )
    chart = Chart("Distance after people are added to a cell, by size of the cell")

    def prepare(_: object) -> plots.Moves:
        return plots.moves(people.value)

    part = showing(intro, people, (chart, plots.draw, prepare))
    people.observe(part[1], "value")
    return part
