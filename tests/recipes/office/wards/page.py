"""The page: widgets that are bound to one study, which holds the state and its result."""

from office.wards.charts import draw, prepare
from office.wards.result import WardsResult, compute
from office.wards.state import WardsState
from office.wards.texts import answer
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.widgets.binding import follow, parameter_of, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Headline, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with


def app(state: WardsState | None = None) -> Dashboard:
    """Return the page."""
    study = Study(begin_with(WardsState, state), compute)
    page = page_for("wards", led=True)
    page.bind(study, WardsState.from_state, lambda state: f"1 / {state.wards}")
    control = Control(parameter_of(WardsState, "wards"), study.state.wards)
    control.on_change(lambda value: study.change(wards=value))
    chart, show_chart = showing((Chart("The share of the people in each ward"), draw, prepare))

    def show(result: WardsResult) -> None:
        control.show(len(result.shares))
        show_chart(result)

    def headline(result: WardsResult) -> Headline:
        wards = len(result.shares) % 20 + 1
        return Headline(answer(result), ahead="Next: another number", act=lambda: study.change(wards=wards))

    follow(study, show)
    return page.answering(
        study,
        "How many people has a ward?",
        headline,
        controls=(card("Wards", control),),
        stage=(card("One bar per ward", *chart),),
        tabs={"And in words?": lambda: showing((Text(), answer))},
        foot="The office's handbook.",
    )
