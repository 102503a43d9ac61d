"""A dashboard: one state, what follows from it, and a page that shows both."""

from dataclasses import dataclass
from typing import Annotated

from sdcwidgets.dashboards import page_for
from sdcwidgets.parameters import Declared, Label, Range
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.links import Linked
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import follow, parameter_of
from sdcwidgets.widgets.page import Text, card, column


@dataclass(frozen=True)
class Wards(Declared, Linked):
    """How many wards there are."""

    wards: Annotated[int, Range(1, 20), Label("Wards")] = 4


def app(state=None):
    """Return the page."""
    study = Study(state or Wards(), lambda state: 1 / state.wards)
    page = page_for("wards")
    page.bind(study, Wards.from_state, lambda state: f"1 / {state.wards}")
    control, told = Control(parameter_of(Wards, "wards"), study.state.wards), Text()
    control.on_change(lambda value: study.change(wards=value))

    def show(share):
        control.show(study.state.wards)
        told.show(f"A ward has {share:.0%} of the people on average.")

    follow(study, show)
    return page.around(column(card("Wards", control, told)), shape="one", foot="The office's handbook.")
