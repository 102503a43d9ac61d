"""The page Weights: one risk from three terms, and the best weights."""

from __future__ import annotations

from functools import partial

import numpy as np

from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.dashboards.as_code import assess_code
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.weights import charts as plots
from sdcwidgets.dashboards.weights.result import MEANS, WeightsResult, choices, compute
from sdcwidgets.dashboards.weights.state import WeightsState
from sdcwidgets.dashboards.weights.texts import READ, explain, explain_property, lead, narration, readings
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.properties import Properties
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.texts.narration import Narration

__all__ = ["app"]

FOOT = "Antal 2016 (thesis), section 3.5.2 and (3.5.4); Antal, Shlomo and Elliot 2014, section 1 (properties 1A to 4)."

AZIMUTH = Parameter("azimuth", float, 45.0, "Viewing angle of the chart (degrees)", range=Range(0, 90, 1))
CHOICE = Parameter(
    "choice",
    str,
    "print",
    "Weights",
    choices={"print": "PSD 2014", "equal": "Equal", "best": "Proportional", "own": "Your own"},
)


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial table; default is the worked example of the thesis.
    """
    study = Study(WeightsState.of_example("thesis-3-6-1") if table is None else WeightsState(table), compute)
    page = page_for("weights", led=True)
    page.bind(study, WeightsState.from_state, assess_code)
    terms, show_terms = _terms()
    choice = Control(CHOICE, look="buttons")

    def choose(name: str) -> None:
        study.put(study.state.set(weights=choices(study.result.x).get(name, study.result.w)))

    def show_choice(result: WeightsResult) -> None:
        known = choices(result.x).items()
        choice.show(
            next(
                (name for name, weights in known if np.allclose(weights, result.w, rtol=0, atol=1e-9)), "own"
            )
        )

    def headline(result: WeightsResult) -> Headline:
        answer, reason = lead(result)
        if np.allclose(choices(result.x)["best"], result.w, rtol=0, atol=1e-9):
            return Headline(answer, reason)
        return Headline(answer, reason, "Next: set weights proportional to terms", partial(choose, "best"))

    choice.on_change(choose)
    follow(study, show_terms, show_choice)
    source = SourceBar(study)
    return page.answering(
        study,
        "How do the weights change the disclosure risk?",
        headline,
        controls=(card("Weights of the three terms", choice, settings_control(study, "weights")),),
        stage=(card("Weighted terms of the disclosure risk", *terms),),
        tabs={
            "Weights on a sphere": partial(_sphere, study),
            "Disclosure risk without weights": partial(_answer, study, page),
            "Table": partial(_table, study, source),
            "Three means for published tables": _bars,
            "Required properties": partial(_wishes, study, page),
        },
        foot=FOOT,
        source=source,
        tab_of_source="Table",
    )


def _table(study: Study[WeightsState, WeightsResult], source: SourceBar) -> Part[WeightsResult]:
    grid = Grid(title="Table").add_class("sdc-compact")
    edit_table(grid, study)

    def show(_: object) -> None:
        grid.show(study.state.seen)

    return (source, grid), show


def _terms() -> Part[WeightsResult]:
    introduction = Text(
        "The width of a rectangle is the weight of a term, and the height is the term. "
        "The sum of the three areas is the disclosure risk (R₁) of the table."
    )
    chart = Chart("Weighted terms of the disclosure risk")
    return showing(introduction, (chart, plots.draw_terms, plots.weighted_terms))


def _sphere(study: Study[WeightsState, WeightsResult]) -> Part[WeightsResult]:
    azimuth = Control(AZIMUTH)
    introduction = Text(
        "Weights w of length 1 are points on a sphere. Because weights cannot be negative, "
        "the chart shows only one eighth of this sphere. A stronger blue means a larger w·x. "
        "The weighted sum w·x has its maximum if w has the same direction as x, the vector of the three terms "
        "(the Cauchy–Schwarz inequality)."
    )
    chart = Chart("Weights of length 1 on a sphere, and the terms of the table")

    def prepare(result: WeightsResult) -> plots.Octant:
        return plots.prepare(result, azimuth.value)

    part = showing(introduction, azimuth, (chart, plots.draw, prepare))
    azimuth.observe(lambda _: part[1](study.result), "value")
    return part


def _answer(study: Study[WeightsState, WeightsResult], page: Page) -> Part[WeightsResult]:
    others = Readings("Other combinations of the three terms")

    def explain_reading(index: int) -> None:
        page.explain(readings(study.result)[index].label, explain(study.result, READ[index]))

    others.on_explain(explain_reading)

    def narrate(result: WeightsResult) -> Narration:
        return narration(result, study.state)

    return showing((Answer("Weight-free risk of the table", page), narrate), (others, readings))


def _bars() -> Part[WeightsResult]:
    return showing((Chart("Three means of the terms, by published table"), plots.draw, plots.bars))


def _wishes(study: Study[WeightsState, WeightsResult], page: Page) -> Part[WeightsResult]:
    table = Properties(
        "Properties 1A to 4 of each mean",
        MEANS,
        "A mean is high if it is at least half of its maximum, and low if it is at most half of its "
        "maximum. The weighted mean uses the weights "
        "that "
        "you set with the sliders.",
    )
    table.on_explain(lambda _, index: _explain_wish(page, study.result, index))

    def show(result: WeightsResult) -> None:
        table.show_properties(result.properties)

    return (table,), show


def _explain_wish(page: Page, result: WeightsResult, index: int) -> None:
    criterion = result.properties[index]
    title = criterion.wish
    page.explain(title, explain_property(criterion))
