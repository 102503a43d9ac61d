"""The page: widgets, bound to one state and to what follows from it."""

from office.wards.charts import Shares, draw
from office.wards.state import Wards
from office.wards.words import share_in_words
from sdcwidgets.dashboards import page_for
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import follow, parameter_of
from sdcwidgets.widgets.page import Text, card, column


def app(state=None):
    """Return the page."""
    study = Study(state or Wards(), lambda state: 1 / state.wards)
    page = page_for("wards")
    page.bind(study, Wards.from_state, lambda state: f"1 / {state.wards}")
    control, told = Control(parameter_of(Wards, "wards"), study.state.wards), Text()
    chart = Chart("The share of the people in each ward")
    control.on_change(lambda value: study.change(wards=value))

    def show(share):
        control.show(study.state.wards)
        told.show(share_in_words(share))
        chart.show(draw, Shares((share,) * study.state.wards))

    follow(study, show)
    return page.around(
        column(card("Wards", control, told, chart)), shape="one", foot="The office's handbook."
    )
