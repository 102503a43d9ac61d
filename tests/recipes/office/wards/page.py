"""The page: widgets, bound to one state and to what follows from it."""

from office.wards.charts import Shares, draw
from office.wards.state import Wards
from office.wards.words import share_in_words
from sdcwidgets.dashboards.heads import page_for
from sdcwidgets.widgets.binding import follow, parameter_of, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Headline, Text, card
from sdcwidgets.widgets.studies.base import Study


def app(state=None):
    """Return the page."""
    study = Study(state or Wards(), lambda state: (1 / state.wards,) * state.wards)
    page = page_for("wards", led=True)
    page.bind(study, Wards.from_state, lambda state: f"1 / {state.wards}")
    control = Control(parameter_of(Wards, "wards"), study.state.wards)
    control.on_change(lambda value: study.change(wards=value))
    picture, draw_again = showing((Chart("The share of the people in each ward"), draw, Shares))

    def show(shares):
        control.show(len(shares))
        draw_again(shares)

    def says(shares):
        more = 1 if len(shares) == 20 else len(shares) + 1
        return Headline(
            share_in_words(shares), ahead="Next: another number", act=lambda: study.change(wards=more)
        )

    follow(study, show)
    return page.answering(
        study,
        "How many people has a ward?",
        says,
        controls=(card("Wards", control),),
        stage=(card("One bar a ward", *picture),),
        tabs={"And in words?": lambda: showing((Text(), share_in_words))},
        foot="The office's handbook.",
    )
