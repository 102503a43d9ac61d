"""The literature gallery: the measures of others, each a short card with an example to change."""

from __future__ import annotations

from functools import partial

import ipywidgets

from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.dashboards.heads import page_for
from sdcwidgets.dashboards.literature.card import Card
from sdcwidgets.dashboards.literature.charts import draw
from sdcwidgets.dashboards.literature.state import CARDS, Gallery, Shown, show
from sdcwidgets.tables.arrangement import two_way
from sdcwidgets.widgets.answer import Answer, Place
from sdcwidgets.widgets.binding import Part, edit_table, follow, reveal, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.studies.base import Study, begin_with
from sdcwidgets.widgets.texts.narration import Narration

__all__ = ["app"]

FOOT = (
    "Antal 2016 (thesis), section 2.3.2.2, and the articles that the cards name. "
    "Examples stay in this session; only a link that you make carries them further."
)


def app(gallery: Gallery | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    gallery : Gallery, optional
        The card it begins with; Frank's scenarios if not given.
    """
    study = Study(begin_with(Gallery, gallery), show)
    page = page_for("literature", led=True)
    page.bind(study, Gallery.from_state, lambda state: show(state).worked.code)
    (measures, show_measures), (turned, show_turned) = _measures(study), _turned(study)
    turning = card("What is assumed?", *turned)
    example, show_example = _example(study)
    follow(
        study,
        show_measures,
        show_turned,
        show_example,
        lambda shown: reveal(shown.state.card.controls, turning),
    )

    def says(shown: Shown) -> Headline:
        one, worked, following = shown.state.card, shown.worked, shown.state.following
        ahead, take = f"Next: {following.title}", partial(_open, study, following.name)
        return Headline(f"{worked.name}: {worked.value}.", one.question, ahead, take)

    return page.answering(
        study,
        "How do others measure it?",
        says,
        controls=(card("Which measure?", *measures), turning),
        stage=(ipywidgets.VBox(example).add_class("sdc-card"),),
        tabs={
            "What follows from it?": _follows,
            "How is it computed?": partial(_answer, page),
            "What are its limits?": _limits,
        },
        foot=FOOT,
    )


def _open(study: Study[Gallery, Shown], name: str) -> None:
    study.put(Gallery(name, settings=study.state.settings))


def _measures(study: Study[Gallery, Shown]) -> Part[Shown]:
    """Return what the measures are for, and those for the same."""
    groups = {one.group: one.group for one in CARDS.values()}
    group = Control(Parameter("group", str, next(iter(groups)), "For", choices=groups), look="buttons")
    group.on_change(lambda wanted: _open(study, next(n for n, one in CARDS.items() if one.group == wanted)))
    measure = Control(_alike(study.state.card))
    measure.on_change(partial(_open, study))

    def show_chosen(shown: Shown) -> None:
        group.show(shown.state.card.group)
        measure.become(_alike(shown.state.card), shown.state.name)

    return (group, measure), show_chosen


def _alike(chosen: Card) -> Parameter:
    titles = {name: one.title for name, one in CARDS.items() if one.group == chosen.group}
    return Parameter("measure", str, chosen.name, "Measure", choices=titles)


def _turned(study: Study[Gallery, Shown]) -> Part[Shown]:
    controls = {
        parameter.name: settings_control(study, parameter.name, look="buttons", show_help=True)
        for parameter in declared(type(study.state.settings))
    }

    def show_turned(shown: Shown) -> None:
        for name, control in controls.items():
            reveal(name in shown.state.card.controls, control)

    return tuple(controls.values()), show_turned


def _example(study: Study[Gallery, Shown]) -> Part[Shown]:
    title, about, grid = heading("", 2), Text(), Grid(title="Example")
    edit_table(
        grid,
        study,
        lambda counts: study.state.changed(
            table=study.state.table.with_counts(counts.reshape(study.state.table.shape))
        ),
    )

    def show_example(shown: Shown) -> None:
        state, worked = shown
        title.value = heading(state.card.title, 2).value
        about.show(state.card.about)
        grid.show(
            two_way(state.table),
            two_way(state.card.example),
            row_margin=worked.row_marks,
            column_margin=worked.column_marks,
            hint=state.card.hint,
        )

    return (title, about, grid), show_example


def _answer(page: Page) -> Part[Shown]:
    answer, name, symbols = Answer(page=page), Text(), Text().add_class("sdc-symbols")

    def show_answer(shown: Shown) -> None:
        worked = shown.worked
        name.show(worked.name)
        symbols.show(shown.state.card.general)
        answer.label = worked.name
        answer.show(
            Narration(
                worked.value,
                "Press the number to see how it comes about.",
                formula=worked.formula,
                parts=[worked.share],
                explain=lambda: (worked.name, worked.steps),
                place=Place(shown.state.name, shown.state.card.title),
            )
        )

    return (symbols, name, answer), show_answer


def _follows() -> Part[Shown]:
    told, title, grid, chart = Text(), heading(""), Grid(editable=False), Chart("Chart of the card")

    def show_follows(shown: Shown) -> None:
        cells, picture = shown.worked.cells, shown.worked.picture
        told.show(shown.worked.notice)
        if cells is not None:
            title.value = heading(cells.title).value
            grid.update(**vars(cells))
        if picture is not None:
            chart.label = shown.state.card.title
            chart.show(draw, picture)
        for widget, whether in ((title, cells), (grid, cells), (chart, picture)):
            reveal(whether is not None, widget)

    return (told, title, grid, chart), show_follows


def _limits() -> Part[Shown]:
    limits = Text(), lambda shown: shown.state.card.limits
    return showing(limits, (Text(), lambda shown: shown.state.card.reference))
