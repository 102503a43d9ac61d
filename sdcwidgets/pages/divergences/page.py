"""Divergences: how far apart two distributions are, and the inequalities that tie the distances together."""

from __future__ import annotations

import ipywidgets

from sdcwidgets.dashboards import page_for
from sdcwidgets.pages.divergences import charts as plots
from sdcwidgets.pages.divergences.state import CATEGORIES, MOST, PRESETS, Comparison, Pair, compare
from sdcwidgets.pages.divergences.words import (
    BEGINNINGS,
    READ,
    as_code,
    explain,
    formula,
    notice,
    number,
    readings,
)
from sdcwidgets.parameters import Parameter, Range
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.distribution import Distribution
from sdcwidgets.widgets.live import Part, follow, settings_control
from sdcwidgets.widgets.page import Page, Text, card, column
from sdcwidgets.widgets.readings import Readings

__all__ = ["app"]

FOOT = "Antal 2016 (thesis), sections 3.3 and 3.4; Csiszár and Shields 2004. Logarithms are natural: nats."

BEGIN = Parameter("begin", str, "thesis", "Begin with", choices=BEGINNINGS)
SIZE = Parameter("size", int, 3, "Categories", range=CATEGORIES)
ABOUT = Parameter("about", str, "pair", "Show those about", choices={"pair": "P and Q", "one": "P alone"})
PEOPLE = Parameter("people", int, 1, "People who come", range=Range(1, 10))


def app(pair: Pair | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    pair : Pair, optional
        The counts it begins with; those of the thesis' Table 3.6.1 if not given.
    """
    study = Study(pair or Pair(), compare)
    page = page_for("divergences")
    page.bind(study, Pair.from_state, as_code)
    bars, show_bars = _bars(study)
    answer, show_answer = _answer(study, page)
    pairs, show_pairs = _pairs(study)
    limit, show_limit = _limit()
    follow(study, show_bars, show_answer, show_pairs, show_limit)
    return page.around(
        column(
            card("Two distributions", *bars),
            card("The smaller side never passes the greater one", *pairs),
            card("Why the square root?", *_moves()),
        ),
        column(
            card("How far apart are they?", *answer),
            card("Close together, every divergence is χ² times a constant", *limit),
        ),
        shape="wide-left",
        foot=FOOT,
    )


def _bars(study: Study[Pair, Comparison]) -> Part[Comparison]:
    begin, size = Control(BEGIN), Control(SIZE)
    bars = Distribution(("P", "Q"), MOST)
    begin.on_change(lambda name: study.put(study.state.like(name)))
    size.on_change(lambda number: study.put(study.state.resized(number), gesture="size"))
    bars.on_change(lambda rows: study.change(before=rows[0], after=rows[1], gesture="bars"))

    def show(result: Comparison) -> None:
        pair = result.pair
        counts = (pair.before, pair.after)
        begin.show(next((name for name, one in PRESETS.items() if (one.before, one.after) == counts), "own"))
        size.show(len(pair.before))
        bars.show(*counts)

    told = Text(
        "P are the people before (F), Q after (G), each as a share of its total. Drag a bar, use the arrow keys, "
        "or type a count."
    )
    return (begin, size, bars, told), show


def _answer(study: Study[Pair, Comparison], page: Page) -> Part[Comparison]:
    answer, others = Answer(label="Hellinger distance of P and Q"), Readings("Other distances of P and Q")
    order = settings_control(study, "order")
    answer.hear("explain", lambda *_: _explain(page, study.result, "HD"))
    others.on_explain(lambda index: _explain(page, study.result, READ[index]))

    def show(result: Comparison) -> None:
        answer.show(
            value=number(result.distances["HD"]),
            parts=[],
            formula=formula(result, "HD"),
            caption=f"Hellinger distance, 0 to 1. Of the counts themselves: HD(F, G) = {number(result.counts)}.",
            sentence=notice(result),
        )
        others.show(readings(result))

    return (answer, others, order), show


def _pairs(study: Study[Pair, Comparison]) -> Part[Comparison]:
    chart, about = Chart("Inequalities as pairs of bars"), Control(ABOUT, look="buttons")

    def show(result: Comparison) -> None:
        pairs = plots.prepare(result, about.value)
        chart.show(plots.draw, pairs)

    about.observe(lambda _: show(study.result), "value")
    return (about, chart), show


def _limit() -> Part[Comparison]:
    chart = Chart("Divergences over chi-squared while P moves to Q")

    def show(result: Comparison) -> None:
        picture = plots.limit(result)
        chart.show(plots.draw, picture)

    return (chart,), show


def _moves() -> tuple[ipywidgets.Widget, ...]:
    chart, people = Chart("What distances say of a move, by the size of the cell"), Control(PEOPLE)
    told = Text(
        "The same move matters more to a small cell. Total variation cannot see that; the square root does, "
        "and works for an empty cell too."
    )

    def show() -> None:
        picture = plots.moves(people.value)
        chart.show(plots.draw, picture)

    people.observe(lambda _: show(), "value")
    show()
    return told, people, chart


def _explain(page: Page, result: Comparison, symbol: str) -> None:
    page.explain(f"How far apart: {symbol}", explain(result, symbol))
