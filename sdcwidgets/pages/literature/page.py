"""The literature gallery: the measures of others, each a short card with an example to change."""

from __future__ import annotations

import ipywidgets

from sdcwidgets.arrangement import two_way
from sdcwidgets.dashboards import page_for
from sdcwidgets.pages.literature.charts import draw
from sdcwidgets.pages.literature.state import CARDS, Gallery, Shown, show
from sdcwidgets.parameters import declared
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.answer import Answer, Place
from sdcwidgets.widgets.catalogue import Catalogue
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.live import Part, follow, settings_control
from sdcwidgets.widgets.page import Page, Text, card, column, heading

__all__ = ["app"]

FOOT = (
    "Antal 2016 (thesis), section 2.3.2.2, and the articles that the cards name. "
    "Examples stay in this session; only a link that you make carries them further."
)

#: A table with more columns than this takes the whole width.
MOST_BESIDE = 5


def app(gallery: Gallery | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    gallery : Gallery, optional
        The card it begins with; Frank's scenarios if not given.
    """
    study = Study(gallery or Gallery(), show)
    page = page_for("literature")
    page.bind(study, Gallery.from_state, lambda state: show(state).worked.code)
    parts = (_catalogue(study), _words(), _example(study), _answer(study, page), _cells(), _chart())
    (catalogue, words, example, answer, cells, chart), views = zip(*parts, strict=True)
    title, question, formula, about, limits, reference = words

    follows = card("What follows", *answer, *cells, chart)
    follows.layout.grid_area = "span 2"  # two rows: beside the example and its limits
    beside = ipywidgets.Box([card("Try it", about, *example), follows, card("Limits", limits, reference)])
    beside.layout = ipywidgets.Layout(
        display="grid",
        grid_gap="16px",
        align_items="flex-start",
        grid_template_rows="auto 1fr",
        grid_auto_flow="row dense",
    )

    def share_the_width(shown: Shown) -> None:
        least = "100%" if len(shown.state.table.columns) > MOST_BESIDE else "min(100%, 380px)"
        beside.layout.grid_template_columns = f"repeat(auto-fit, minmax({least}, 1fr))"

    follow(study, *views, share_the_width)
    return page.around(
        column(card("Measures and models", catalogue)),
        column(ipywidgets.VBox([title, question, formula]).add_class("sdc-card"), beside),
        shape="wide-right",
        foot=FOOT,
    )


def _catalogue(study: Study[Gallery, Shown]) -> Part[Shown]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for one in CARDS.values():
        groups.setdefault(one.group, []).append((one.name, one.title))
    catalogue = Catalogue("Measure or model", groups, study.state.name)
    catalogue.on_choose(lambda name: study.put(Gallery(name, settings=study.state.settings)))

    def show_chosen(shown: Shown) -> None:
        catalogue.chosen = shown.state.name

    return catalogue, show_chosen


def _words() -> Part[Shown]:
    title, question, formula = heading("", 2), Text(), Text()
    about, limits, reference = Text(), Text(), Text()
    question.add_class("sdc-question")
    formula.add_class("sdc-symbols")

    def show_words(shown: Shown) -> None:
        one = shown.state.card
        title.value = heading(one.title, 2).value
        question.show(one.question)
        formula.show(one.general)
        about.show(one.about)
        limits.show(one.limits)
        reference.show(one.reference)

    return (title, question, formula, about, limits, reference), show_words


def _example(study: Study[Gallery, Shown]) -> Part[Shown]:
    grid = Grid(title="Example")
    controls = {
        parameter.name: settings_control(study, parameter.name, look="buttons", show_help=True)
        for parameter in declared(type(study.state.settings))
    }
    grid.on_edit(
        lambda counts: study.change(
            table=study.state.table.with_counts(counts.reshape(study.state.table.shape))
        )
    )
    grid.on_undo(study.undo)
    grid.on_redo(study.redo)

    def show_example(shown: Shown) -> None:
        state, worked = shown
        for name, control in controls.items():
            _visible(control, name in state.card.controls)
        grid.show(
            two_way(state.table),
            two_way(state.card.example),
            row_margin=_margin(worked.row_marks),
            column_margin=_margin(worked.column_marks),
            hint=state.card.hint,
        )

    return (*controls.values(), grid), show_example


def _answer(study: Study[Gallery, Shown], page: Page) -> Part[Shown]:
    answer, name = Answer(), Text()
    caption = "Press the number to see how it comes about."
    answer.hear("explain", lambda *_: page.explain(study.result.worked.name, study.result.worked.steps))

    def show_answer(shown: Shown) -> None:
        worked = shown.worked
        name.show(worked.name)
        answer.label = worked.name
        answer.show(
            worked.value,
            [worked.share],
            worked.formula,
            caption,
            worked.notice,
            place=Place(shown.state.name, shown.state.card.title),
        )

    return (name, answer), show_answer


def _cells() -> Part[Shown]:
    title, grid = heading(""), Grid(editable=False)

    def show_cells(shown: Shown) -> None:
        cells = shown.worked.cells
        if cells is not None:
            title.value = heading(cells.title).value
            grid.update(
                title=cells.title,
                row_name=cells.names[0],
                column_name=cells.names[1],
                rows=cells.rows,
                columns=cells.columns,
                texts=cells.texts,
                shade=cells.shades,
                hint=cells.hint,
            )
        _visible(title, cells is not None)
        _visible(grid, cells is not None)

    return (title, grid), show_cells


def _chart() -> Part[Shown]:
    chart = Chart("Chart of the card")

    def show_chart(shown: Shown) -> None:
        picture = shown.worked.picture
        if picture is not None:
            chart.label = shown.state.card.title
            chart.show(draw, picture)
        _visible(chart, picture is not None)

    return chart, show_chart


def _margin(marks: tuple[str, tuple[str, ...]] | None) -> dict[str, object] | None:
    return None if marks is None else {"title": marks[0], "values": list(marks[1])}


def _visible(widget: ipywidgets.DOMWidget, whether: bool) -> None:
    widget.layout.display = None if whether else "none"
