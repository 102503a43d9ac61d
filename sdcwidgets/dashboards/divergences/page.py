"""The page Divergences: the distances between two distributions, and inequalities between these distances."""

from __future__ import annotations

from functools import partial

from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.dashboards.divergences import charts as plots
from sdcwidgets.dashboards.divergences.result import DivergencesResult, compute
from sdcwidgets.dashboards.divergences.state import CATEGORIES, MOST, DivergencesState, beginning, following
from sdcwidgets.dashboards.divergences.texts import (
    BEGINNINGS,
    READ,
    as_code,
    explain,
    headline,
    narration,
    readings,
)
from sdcwidgets.dashboards.heads import page_for
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.distribution import Distribution
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.studies.base import Study, begin_with

__all__ = ["app"]

FOOT = "Antal 2016 (thesis), sections 3.3 and 3.4; Csiszár and Shields 2004. Logarithms are natural: nats."

BEGIN = Parameter("begin", str, "thesis", "Begin with", choices=BEGINNINGS)
SIZE = Parameter("size", int, 3, "Categories", range=CATEGORIES)
ABOUT = Parameter("about", str, "pair", "Show those about", choices={"pair": "P and Q", "one": "P alone"})
PEOPLE = Parameter("people", int, 1, "People who come", range=Range(1, 10))


def app(state: DivergencesState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : DivergencesState, optional
        The counts it begins with; those of the thesis' Table 3.6.1 if not given.
    """
    study = Study(begin_with(DivergencesState, state), compute)
    page = page_for("divergences", led=True)
    page.bind(study, DivergencesState.from_state, as_code)
    (begin, size, bars), show_bars = _bars(study)
    follow(study, show_bars)

    def headline_of(result: DivergencesResult) -> Headline:
        ahead = following(result.state)
        take = partial(lambda name: study.put(study.state.like(name)), ahead)
        return Headline(*headline(result), f"Next: try “{BEGINNINGS[ahead]}”", take)

    return page.answering(
        study,
        "How far apart are they?",
        headline_of,
        controls=(card("Which two?", begin, size),),
        stage=(card("P before, Q after: the share of people in each category", bars),),
        tabs={
            "What do other distances say?": partial(_answer, study, page),
            "Which is never the greater one?": partial(_pairs, study),
            "What if they come close together?": _limit,
            "Why the square root?": _moves,
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
    answer, others = Answer("Hellinger distance of P and Q", page), Readings("Other distances of P and Q")
    others.on_explain(lambda k: page.explain(f"How far apart: {READ[k]}", explain(study.result, READ[k])))
    return showing((answer, narration), (others, readings), settings_control(study, "order"))


def _pairs(study: Study[DivergencesState, DivergencesResult]) -> Part[DivergencesResult]:
    about = Control(ABOUT, look="buttons")
    chart = Chart("Inequalities as pairs of bars")
    part = showing(about, (chart, plots.draw, lambda result: plots.prepare(result, about.value)))
    about.observe(lambda _: part[1](study.result), "value")
    return part


def _limit() -> Part[DivergencesResult]:
    return showing((Chart("Divergences over chi-squared while P moves to Q"), plots.draw, plots.limit))


def _moves() -> Part[DivergencesResult]:
    people = Control(PEOPLE)
    intro = Text(
        "The same move matters more to a small cell. Total variation cannot see that; the square root does, "
        "and works for an empty cell too."
    )
    chart = Chart("What distances say of a move, by the size of the cell")
    part = showing(intro, people, (chart, plots.draw, lambda _: plots.moves(people.value)))
    people.observe(part[1], "value")
    return part
