"""Page Tables: data users request tables, and the agency sets rules and watches the log."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from secrets import token_hex

import ipywidgets

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.tables import charts as plots
from sdcwidgets.dashboards.tables import texts
from sdcwidgets.dashboards.tables.agency import log_of, patience
from sdcwidgets.dashboards.tables.lists import QuestionLists
from sdcwidgets.dashboards.tables.result import TablesResult, compute, empty_server, layer
from sdcwidgets.dashboards.tables.state import (
    AGENCY,
    NONE,
    TablesState,
    coarsened,
    method_names,
    method_parameters,
    served,
    variables_of,
)
from sdcwidgets.methods import get
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.reading import MicrodataReading
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Rules
from sdcwidgets.widgets.actions import Actions, Fold
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, follow, followed, reveal, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control, Controls
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.records import RecordsButton

__all__ = ["app"]

REFERENCES = (
    "Shlomo, Antal and Elliot 2015, sections 2 and 4 (steps, rules, risk, utility); Antal 2016 (thesis), section 5.2 "
    "(limits of risk and utility)."
)

FOOT = (
    f"{REFERENCES} The hypercube of the study has 1,500,000 synthetic people. Your file is stored only in "
    f"this session. "
    f"{texts.PUBLIC} The noise of your file depends on a secret of this session. For publication, use the "
    f"command “sdcwidgets tables”, which stores the secret and the published tables."
)

#: All layers of a three-way table together.
EVERY = "all"

StudyOf = Study[TablesState, TablesResult]


def app(file: Microdata | TablesState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    file : Microdata or TablesState, optional
        Initial records or requests (default: a refused request to the hypercube of the study).
    """
    if isinstance(file, TablesState):
        start = file
    elif file is None:
        start = TablesState.begun()
    else:
        start = _opened(begin_with(Microdata, file), "Your file").with_request()
    study: StudyOf = Study(start, compute)
    # Otherwise the page uses a shared generator in a folder.
    alone = served() is None or start.own is not None
    page = page_for("tables", led=True)
    page.bind(study, TablesState.from_state, texts.as_code)
    page.hand_over(lambda: study.result.report)
    part, save = _published(study)
    session = f"session {token_hex(4)}"

    def ask(state: TablesState) -> None:
        generator = state.generator
        if generator is not None:
            query = state.query
            requested = (query.by, query.where, query.groups)
            generator.ask(*requested, user=session, door="dashboard", limited=True)
        study.put(state.with_request())

    def says(result: TablesResult) -> Headline:
        answer, why = texts.lead(result)
        if not result.current:
            return Headline(answer, why, "Request this table", partial(ask, result.state))
        if result.release is not None:
            return Headline(answer, why, "Next: save the table", save, "good")
        ahead, coarser = coarsened(result.state, result.refused)
        return Headline(answer, why, ahead, partial(ask, coarser), "stop")

    controls = [card("Request", *followed(study, _asking(study, alone)))]
    tabs: dict[str, Callable[[], Part[TablesResult]]] = {
        "Released table and utility": partial(_answer, study, page)
    }
    generator = served() if os.environ.get(AGENCY) else None
    if alone:
        controls.insert(0, card("Data user or agency", settings_control(study, "door", look="buttons")))
        watched: dict[str, Callable[[], Part[TablesResult]]] = {
            "Release rules and protection method": partial(_policy, study),
            "Internal figures": partial(_judged, study, page),
            "Query log": partial(_log, study),
            "Disclosure by several tables": partial(_learnt, study),
        }
        tabs |= {name: partial(_for_agency, make) for name, make in watched.items()}
    elif generator is not None:
        tabs |= {
            "Log of all requests": partial(log_of, generator),
            "Averaging attack": partial(patience, generator.server),
        }
    screen = page.answering(
        study,
        "Is the requested table released?",
        says,
        controls=controls,
        stage=(card("Published table", *followed(study, part)),),
        tabs=tabs,
        foot=FOOT if alone else REFERENCES,
    )
    if alone:
        doors = [""]

        def show_door(result: TablesResult) -> None:
            door = result.state.settings.door
            if doors[0] != door:
                doors[0] = door
                page.offer_tabs(len(tabs) if door == "agency" else 1)
                page.turn_to(int(door == "agency"))

        follow(study, show_door)
    return screen


def _for_agency(make: Callable[[], Part[TablesResult]]) -> Part[TablesResult]:
    """Return a part that is not updated in the view of data users, because only the agency may see it."""
    widgets, view = make()

    def show(result: TablesResult) -> None:
        if result.state.settings.door == "agency":
            view(result)

    return widgets, show


def _opened(file: Microdata, title: str) -> TablesState:
    """Return the state of a user's file, with the first two variables that can span a table."""
    return TablesState(own=file, title=title, population=("", ""), by=tuple(variables_of(file))[:2])


def _asking(study: StudyOf, alone: bool) -> Part[TablesResult]:
    """Return the lists of a request, and the choice of records unless a generator provides them."""
    weights, lists = Text(), QuestionLists(study)

    def take(reading: MicrodataReading, name: str) -> None:
        study.load(_opened(reading.file, name).with_request())

    def back() -> None:
        study.load(TablesState.begun())

    known = Actions({"Use the study hypercube": back})
    data = (Fold("Open another microdata file", RecordsButton(take), known),) if alone else ()

    def show(result: TablesResult) -> None:
        own = result.state.own
        lists.show(result.state)
        weights.show(texts.unweighted(None if own is None else own.weight))
        reveal(weights.value, weights)
        reveal(own, known)

    return (weights, lists, *data), show


def _answer(study: StudyOf, page: Page) -> Part[TablesResult]:
    def notes(result: TablesResult) -> str:
        return "" if result.release is None else " ".join(result.release.notes[:-1])

    return showing((Answer("Answer", page), texts.narration), (Text(), notes))


def _published(study: StudyOf) -> tuple[Part[TablesResult], Callable[[], None]]:
    """Return the released table, with a function that saves it; a three-way table is shown layer by layer."""
    request_text, grid = Text(), Grid(title="Published table", editable=False)
    refusal = ipywidgets.HTML().add_class("sdc-refusal")
    layers = Control(Parameter("layer", str, EVERY, "", choices={EVERY: ""}))
    drawn: list[Release | None] = [None]

    def as_csv() -> None:
        files.file("table.csv", csv_text(texts.release_lines(study.result)), study.state.title)

    def as_xlsx() -> None:
        release = study.result.release
        assert release is not None  # the buttons are visible only with a table
        sheets = {"table": release.lines(), "metadata": texts.metadata(study.result)}
        files.file("table.xlsx", workbook(sheets), study.state.title)

    def draw(release: Release, value: str) -> None:
        seen = layer(release, None if value == EVERY else int(value))
        # Totals are shown only if they are not sums of their cells.
        hint = (
            ""
            if seen.plain
            else "≠ = a total that is not the sum of its cells, because totals are perturbed independently."
        )
        grid.show_release(seen, hint=hint)

    def choose(value: str) -> None:
        if drawn[0] is not None:
            draw(drawn[0], value)

    layers.on_change(choose)

    def show(result: TablesResult) -> None:
        release, request = result.release, result.request
        query = "No table was requested yet." if request is None else texts.describe_query(request.query)
        is_missing = release is None and request is not None
        request_text.show(f"The request was refused. Requested table: {query}" if is_missing else query)
        lines = texts.refusal(result)
        refusal.value = "".join(f"<p>{escape(line)}</p>" for line in lines)
        reveal(lines, refusal)
        reveal(release is not None, box)
        if release is None or release is drawn[0]:
            return
        drawn[0], choices = release, {EVERY: "all categories"} if (0, 1) in release.values else {}
        reveal(release.ndim == 3, layers)
        if release.ndim == 3:
            axis = release.axes[2]
            choices |= {str(k): label for k, label in enumerate(axis.labels)}
            layers.become(replace(layers.parameter, label=axis.name, choices=choices), next(iter(choices)))
        draw(release, next(iter(choices), EVERY))

    files = Actions({"Save table (CSV)": as_csv, "Save table (XLSX)": as_xlsx})
    box = ipywidgets.VBox([layers, grid, files])
    return ((request_text, refusal, box), show), as_xlsx


def _policy(study: StudyOf) -> Part[TablesResult]:
    rules = Controls[str](
        lambda name, value: study.put(study.state.ruled(**{name: value}), gesture=f"rule {name}")
    )
    settings = Controls[str](
        lambda name, value: study.put(study.state.with_parameter(name, value), gesture=f"method {name}")
    )
    stage = settings_control(study, "stage", look="buttons")
    summary = Text()
    method = Control(Parameter("method", str, NONE, "Method", choices={NONE: "none"}))
    method.on_change(lambda name: study.put(study.state.with_method(name)))

    def show(result: TablesResult) -> None:
        state = result.state
        titles = {name: get(name).title for name in sorted(method_names(state.settings.stage))}
        effect, name = ("Without a protection method, each refused request discloses information."), NONE
        if state.method is not None:
            effect, name = state.method.summary(), state.method.name
        summary.show(effect)
        method.become(replace(method.parameter, choices={NONE: "none"} | titles), name)
        turned = method_parameters(state.method) if state.method is not None else ()
        settings.show(
            {parameter.name: parameter for parameter in turned}, lambda name: getattr(state.method, name)
        )
        rules.show({rule.name: rule for rule in declared(Rules)}, lambda name: getattr(state.rules, name))

    intro = Text("If you change a rule or the method, the page repeats all previous requests.")
    return (intro, heading("Method"), stage, method, settings, summary, heading("Rules"), rules), show


def _judged(study: StudyOf, page: Page) -> Part[TablesResult]:
    summary, values = (
        Text(),
        Readings("Risk and utility of the table: true values, and estimates by data users"),
    )
    values.on_explain(
        lambda _: page.explain(
            "Disclosure risk of the table before protection", texts.explain_risk(study.result)
        )
    )
    true, chart = (
        Grid(title="Original counts", editable=False, hint=""),
        Chart("Risk-utility map of all requested tables"),
    )
    true.add_class("sdc-compact")

    def show(result: TablesResult) -> None:
        chart.show(plots.draw, plots.prepare(result))
        summary.show(texts.verdict(result))
        values.show(texts.risks(result))
        request = result.request
        seen = request is not None and values.rows != []
        reveal(seen, true)
        if request is not None and seen:
            table = result.server.original(request)
            true.show(table.marginal(*(axis.name for axis in table.axes[:2])) if table.ndim > 2 else table)

    mapped = heading("Risk and utility of all requested tables")
    return (
        summary,
        values,
        heading("Original counts (confidential) by the first two variables"),
        true,
        mapped,
        chart,
    ), show


def _log(study: StudyOf) -> Part[TablesResult]:
    lines = Readings("Query log")
    lines.on_explain(lambda index: study.change(looked=index))

    def export() -> None:
        log = csv_text(lines_of(study.result.server.to_frame(), single_lines=True), internal=True)
        actions.file("internal-log.csv", log, study.state.title)

    forget = partial(study.change, requests=(), looked=-1)
    actions = Actions({"Export the log (CSV)": export, "Delete all requests": forget})
    return showing(Text("Select an answer to show it."), (lines, texts.log), actions)


def _learnt(study: StudyOf) -> Part[TablesResult]:
    return showing(
        (Text(), texts.learnt_summary),
        (Readings("Small groups that follow from the difference of two released tables"), texts.learnt),
        heading("Averaging attack"),
        patience(lambda: empty_server(study.state)),
    )
