"""The page Literature: one short card per published measure, with an example that users can change."""

from __future__ import annotations

from functools import partial

import ipywidgets

from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.dashboards.literature.card import Card
from sdcwidgets.dashboards.literature.charts import draw
from sdcwidgets.dashboards.literature.result import LiteratureResult, compute
from sdcwidgets.dashboards.literature.state import CARDS, LiteratureState
from sdcwidgets.dashboards.literature.strip import opened, strip
from sdcwidgets.dashboards.literature.texts import about_table, as_code, headline, narration
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.tables.arrangement import two_way
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, reveal, settings_control
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with

__all__ = ["app"]

FOOT = (
    "Antal 2016 (thesis), section 2.3.2.2, and the articles that are named on the cards. Your changes are "
    "stored only in this browser tab. To keep the changes, copy the link of the page."
)


def app(state: LiteratureState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : LiteratureState, optional
        Initial card; default is Frank 1976.
    """
    study = Study(begin_with(LiteratureState, state), compute)
    page = page_for("literature", led=True)
    page.bind(study, LiteratureState.from_state, as_code)
    measures, show_measures = _measures(study)
    controls, show_controls = _settings(study)
    settings = card("Assumptions", *controls)
    example, show_example = _example(study)
    follow(
        study,
        show_measures,
        show_controls,
        show_example,
        lambda result: reveal(result.state.card.controls, settings),
    )

    def headline_of(result: LiteratureResult) -> Headline:
        following = result.state.following
        return Headline(*headline(result), f"Next: {following.title}", partial(_open, study, following.name))

    return page.answering(
        study,
        "What does the measure of a published article state about a table?",
        headline_of,
        controls=(card("Published measures", *measures), settings),
        stage=(ipywidgets.VBox(example).add_class("sdc-card"),),
        tabs={
            "Results": _follows,
            "Computation": partial(_answer, page),
            "Limitations": _limits,
        },
        foot=FOOT,
    )


def _open(study: Study[LiteratureState, LiteratureResult], name: str) -> None:
    study.put(opened(study.state, name))


def _load_example(study: Study[LiteratureState, LiteratureResult]) -> None:
    study.put(LiteratureState(study.state.name, settings=study.state.settings))


def _measures(study: Study[LiteratureState, LiteratureResult]) -> Part[LiteratureResult]:
    """Return controls for the kind of table and for the measure."""
    groups = {entry.group: entry.group for entry in CARDS.values()}
    group = Control(
        Parameter("group", str, next(iter(groups)), "Kind of published table", choices=groups), look="buttons"
    )
    group.on_change(
        lambda chosen: _open(study, next(name for name, entry in CARDS.items() if entry.group == chosen))
    )
    measure = Control(_measures_of_group(study.state.card))
    measure.on_change(partial(_open, study))

    def show_chosen(result: LiteratureResult) -> None:
        group.show(result.state.card.group)
        measure.become(_measures_of_group(result.state.card), result.state.name)

    return (group, measure), show_chosen


def _measures_of_group(chosen: Card) -> Parameter:
    titles = {name: entry.title for name, entry in CARDS.items() if entry.group == chosen.group}
    return Parameter("measure", str, chosen.name, "Measure", choices=titles)


def _settings(study: Study[LiteratureState, LiteratureResult]) -> Part[LiteratureResult]:
    controls = {
        parameter.name: settings_control(study, parameter.name, look="buttons", show_help=True)
        for parameter in declared(type(study.state.settings))
    }

    def show_controls(result: LiteratureResult) -> None:
        for name, control in controls.items():
            reveal(name in result.state.card.controls, control)

    return tuple(controls.values()), show_controls


def _example(study: Study[LiteratureState, LiteratureResult]) -> Part[LiteratureResult]:
    title, about, grid = heading("", 2), Text(), Grid(title="Example").add_class("sdc-full")
    measures = Board("All published measures for this kind of table, by year").add_class("sdc-board-narrow")
    load = Actions({"Load the example of this measure": partial(_load_example, study)})
    edit_table(
        grid,
        study,
        lambda counts: study.state.changed(
            table=study.state.table.with_counts(counts.reshape(study.state.table.shape))
        ),
    )

    def show_example(result: LiteratureResult) -> None:
        state, worked = result.state, result.worked
        title.value = heading(state.card.title, 2).value
        about.show(about_table(state))
        reveal(state.origin != state.name, load)
        grid.show(
            two_way(state.table),
            two_way(state.example),
            row_margin=worked.row_marks,
            column_margin=worked.column_marks,
            hint=state.card.hint,
        )
        entries = strip(state)
        reveal(entries, measures)
        spots = [
            [Spot(str(entry.year)), Spot(entry.value, look="chosen" if entry.card == state.name else "")]
            for entry in entries
        ]
        measures.show("Measure", [entry.name for entry in entries], ["Year", "Value"], spots)

    pair = ipywidgets.Box([ipywidgets.VBox([grid, load]), measures]).add_class("sdc-pair")
    return (title, about, pair), show_example


def _answer(page: Page) -> Part[LiteratureResult]:
    answer, name, symbols = Answer(page=page), Text(), Text().add_class("sdc-symbols")

    def show_answer(result: LiteratureResult) -> None:
        worked = result.worked
        name.show(worked.name)
        symbols.show(result.state.card.general)
        answer.label = worked.name
        answer.show(narration(result))

    return (symbols, name, answer), show_answer


def _follows() -> Part[LiteratureResult]:
    notice = Text()
    title = heading("")
    grid = Grid(editable=False)
    chart = Chart("Chart of the selected measure")

    def show_follows(result: LiteratureResult) -> None:
        cells, picture = result.worked.cells, result.worked.picture
        notice.show(result.worked.notice)
        if cells is not None:
            title.value = heading(cells.title).value
            grid.update(**vars(cells))
        if picture is not None:
            chart.label = result.state.card.title
            chart.show(draw, picture)
        reveal(cells is not None, title, grid)
        reveal(picture is not None, chart)

    return (notice, title, grid, chart), show_follows


def _limits() -> Part[LiteratureResult]:
    limits, reference = Text(), Text()

    def show(result: LiteratureResult) -> None:
        limits.show(result.state.card.limits)
        reference.show(result.state.card.reference)

    return (limits, reference), show
