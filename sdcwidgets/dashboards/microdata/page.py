"""Page Microdata: select key variables, find unique records, estimate the risk, and protect and save the file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import combinations

import ipywidgets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter
from sdcwidgets._util.publication import internal_text
from sdcwidgets.assessment.report.html import Notes
from sdcwidgets.core.risk.model_choice import ModelFit
from sdcwidgets.dashboards.microdata import charts as plots
from sdcwidgets.dashboards.microdata import protection, texts
from sdcwidgets.dashboards.microdata.recoding import recoding
from sdcwidgets.dashboards.microdata.report import as_code, report
from sdcwidgets.dashboards.microdata.result import (
    MicrodataResult,
    as_it_came,
    compute,
    draws,
    improve,
    search_pairs,
)
from sdcwidgets.dashboards.microdata.role_controls import role_controls
from sdcwidgets.dashboards.microdata.state import MODEL_TITLES, MicrodataState
from sdcwidgets.dashboards.microdata.strip import strip
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.reading import MicrodataReading
from sdcwidgets.microdata.roles import NO_ROLE
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part, follow, reveal, settings_control, showing
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.records import RecordsButton

__all__ = ["app"]

FOOT = "Totter 2014, sections 1 to 3, equations (13) to (20); Skinner and Shlomo 2008; Elliot, Manning and Ford 2002."

#: Note at the foot of the page.
NOTE = (
    "Microdata files that you open are stored only in this session. Their data leave the "
    "session only if you save a file."
)

#: Number of samples that are drawn on request.
SAMPLES = 40

StudyOf = Study[MicrodataState, MicrodataResult]


def app(file: Microdata | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    file : Microdata, optional
        Initial records (default: a sample of a synthetic population).
    """
    start = (
        MicrodataState()
        if file is None
        else _opened(MicrodataState(), begin_with(Microdata, file), "your file")
    )
    study: StudyOf = Study(start, compute, improve)
    page = page_for("microdata", led=True)
    page.bind(study, MicrodataState.from_state, as_code)
    page.hand_over(lambda: Notes(study.state.title, report(study.result, as_it_came(study.state))))
    keys, show_keys = _keys(study)
    hidden, show_hidden, save = _hidden(study)
    chart, caption = Chart("Number of unique records by number of key variables"), Text()
    records, show_records = _records()

    def show_uniques(result: MicrodataResult) -> None:
        picture = plots.falling(result)
        chart.show(plots.draw_falling, picture)
        caption.show(picture.caption)

    follow(
        study,
        show_keys,
        show_hidden,
        show_records,
        show_uniques,
    )

    def says(result: MicrodataResult) -> Headline:
        answer, tone, ahead = texts.answer(result)
        step = save if result.state.suppress else partial(study.change, suppress=True)
        return Headline(answer, texts.notice(result), ahead, step, tone)

    return page.answering(
        study,
        "Which records are unique in this file?",
        says,
        controls=(card("Key variables known to an intruder", *keys), card("k-anonymity", *hidden)),
        stage=(
            card(
                "Records of the microdata file",
                *records,
                heading("Unique records by key variables"),
                chart,
                caption,
            ),
        ),
        tabs={
            "Riskiest records": partial(_riskiest, study, page),
            "Estimated risk (models)": partial(_estimates, study, page),
            "Recoding and suppression of values": partial(_protect, study),
            "Sensitive variables": _tells,
            "File and variable roles": partial(_file, study),
            "Class sizes": _sizes,
        },
        foot=FOOT,
        note=NOTE,
    )


def _opened(state: MicrodataState, file: Microdata, title: str) -> MicrodataState:
    """Return the state of a file of the user, with the first variables that can be key variables."""
    keys = []
    for name, variable in file.variables.items():
        if file.roles.of(name) == NO_ROLE:
            with suppress(InputError):
                variable.check_key()
                keys.append(name)
    if not keys:
        raise InputError(
            "No variable of the file can be a key variable. A key variable needs categories that several records share."
        )
    return MicrodataState(keys=tuple(keys[:3]), settings=state.settings, own=file, title=title)


def _able(file: Microdata) -> dict[str, str]:
    """Return the possible key variables, each with its label and number of categories."""
    return {
        name: f"{name} ({len(variable.categories):,})"
        for name, variable in file.variables.items()
        if file.roles.of(name) not in ("weight", "household", "left_out")
        and len(variable.categories) <= MOST_CATEGORIES
    }


def _records() -> Part[MicrodataResult]:
    """Return a few records of the file, with their suppressed values."""
    board = Board("Records of the microdata file", show_title=False, brief=True).add_class("sdc-board-narrow")

    def show(result: MicrodataResult) -> None:
        seen = strip(result)
        rows = [f"{number:,}" for number in seen.records]
        board.show("Record", rows, seen.columns, seen.spots, note=seen.note)

    return (board,), show


def _switch(name: str, label: str) -> Control:
    return Control(Parameter(name, bool, False, label))


def _keys(study: StudyOf) -> Part[MicrodataResult]:
    box = ipywidgets.Box(layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"})
    switches: dict[str, Control] = {}

    def switch(name: str, on: bool) -> None:
        study.put(study.state.switched(name, on))

    def show(result: MicrodataResult) -> None:
        able = _able(result.recoded)  # the list of roles names all other variables
        if list(switches) != list(able):
            switches.clear()
            for name, label in able.items():
                switches[name] = _switch(name, label)
                switches[name].on_change(partial(switch, name))
            box.children = tuple(switches.values())
        for name, control in switches.items():
            if control.spec["label"] != able[name]:  # recoding has changed the number of categories
                control.become(Parameter(name, bool, False, able[name]), name in result.state.keys)
            control.show(name in result.state.keys)

    return (box,), show


def _file(study: StudyOf) -> Part[MicrodataResult]:
    summary = Text()
    roles, show_roles = role_controls(study)

    def take(reading: MicrodataReading, name: str) -> None:
        study.load(_opened(study.state, reading.file, name))

    def use_known_population() -> None:
        study.load(MicrodataState(settings=study.state.settings))

    known = Actions({"Use a sample of the known population": use_known_population})
    drawn = [settings_control(study, name) for name in ("design", "households", "seed")]

    def show(result: MicrodataResult) -> None:
        show_roles(result)
        summary.show(f"{texts.which_file(result)} {texts.missing_note(result)}")
        reveal(result.state.own is None, *drawn)

    return (summary, RecordsButton(take), known, *drawn, heading("Variable roles"), *roles), show


def _tells() -> Part[MicrodataResult]:
    tells, cost = Text(), Text()
    current: Microdata | None = None

    def show(result: MicrodataResult) -> None:
        nonlocal current
        if current is result.file:  # only the estimates have changed
            return
        current = result.file
        tells.show(protection.sensitive(result) or "The file has no sensitive variable and no households.")
        cost.show(protection.cost_summary(result) or "No value of the file was changed.")

    return (tells, cost), show


def _estimates(study: StudyOf, page: Page) -> Part[MicrodataResult]:
    values, chart = (
        Readings("True and estimated numbers of correct matches"),
        Chart("Estimates of τ₁ and τ₂ compared with true values"),
    )
    pairs, problem = ipywidgets.Box(layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"}), Text()
    intervals = Text()
    dots = Text("Each dot is one sample. If a dot is above the line, the model overestimates τ₂.")
    model, terms = settings_control(study, "model"), settings_control(study, "terms", look="buttons")
    scaling = settings_control(study, "scaling", look="buttons")
    cells, numbers = settings_control(study, "cells", look="buttons"), settings_control(study, "numbers")
    values.on_explain(lambda _: page.explain("τ̂₁ and τ̂₂", texts.explain_estimate(study.result)))
    seen: list[tuple[float, ...]] = []
    about: tuple[object, ...] = ()
    definitions = Text(
        "τ₁: sample uniques that are population uniques. τ₂: expected correct matches of an intruder for all "
        "sample uniques."
    )

    def tie(first: str, second: str, on: bool) -> None:
        study.put(study.state.paired(first, second, on))

    def finish() -> None:
        chart.show(plots.draw_repeated, plots.repeated(seen, MODEL_TITLES[study.state.settings.model]))
        reveal(seen, chart, dots)

    def draw_many() -> None:
        seen.clear()
        steps = draws(study.state, SAMPLES)
        if study.result.problem and not study.state.suppress:
            raise InputError(study.result.problem)
        actions.work(steps, seen.append, finish, SAMPLES, "samples")

    def bootstrap() -> None:
        if study.result.problem:
            raise InputError(study.result.problem)
        intervals.show(texts.bootstrap_intervals(study.result))
        reveal(True, intervals)

    def find() -> None:
        fits: list[ModelFit] = []

        def take() -> None:
            keys = study.state.keys
            chosen = {frozenset((keys[i], keys[j])) for i, j in fits[-1].margins}
            off = frozenset(frozenset(pair) for pair in combinations(keys, 2)) - chosen
            study.put(replace(study.state.set(terms="chosen" if chosen else "main"), off=off))

        most = len(study.state.keys) * (len(study.state.keys) - 1) // 2 + 1
        actions.work(search_pairs(study.result), fits.append, take, most, "models")

    actions = Actions(
        {
            "Compute bootstrap intervals": bootstrap,
            f"Draw {SAMPLES} samples": draw_many,
            "Search interactions": find,
        }
    )
    # Creating a widget is slow in browsers, so each control is created once, when its pair is first shown.
    controls: dict[tuple[str, str], Control] = {}

    def switch(first: str, second: str) -> Control:
        if (first, second) not in controls:
            controls[first, second] = _switch(f"{first} {second}", f"{first} × {second}")
            controls[first, second].on_change(partial(tie, first, second))
        return controls[first, second]

    def show(result: MicrodataResult) -> None:
        nonlocal about
        state = result.state
        values.show(texts.estimates(result))
        problem.show(texts.model_note(result))
        if state.settings.terms == "chosen":
            switches = {pair: switch(*pair) for pair in combinations(state.keys, 2)}
            pairs.children = tuple(switches.values())
            for pair, control in switches.items():
                control.show(frozenset(pair) not in state.off)
        reveal(state.settings.terms == "chosen", pairs)
        now = _drawn_about(state)
        if about != now:
            about = now
            seen.clear()
            actions.stop()
            reveal(False, intervals)
        reveal(seen, chart, dots)

    widgets = (
        definitions,
        model,
        terms,
        pairs,
        cells,
        numbers,
        scaling,
        problem,
        values,
        actions,
        intervals,
        chart,
        dots,
    )
    return widgets, show


def _drawn_about(state: MicrodataState) -> tuple[object, ...]:
    """Return the settings on which the repeated samples depend."""
    settings = state.settings
    chosen = (
        settings.design,
        settings.households,
        settings.seed,
        settings.model,
        settings.terms,
        settings.cells,
        settings.numbers,
    )
    return state.keys, chosen, state.recodes, state.off, state.own, state.pram, state.suppress


def _hidden(
    study: StudyOf,
) -> tuple[tuple[ipywidgets.Widget, ...], Callable[[MicrodataResult], None], Callable[[], None]]:
    """Return the controls of k-anonymity, the function that updates them, and the function that saves the file."""
    suppress = _switch("suppress", "Suppress values until the file is k-anonymous")
    suppress.on_change(lambda on: study.change(suppress=on))

    def save() -> None:
        text = study.result.released.to_csv()
        assert text is not None  # no path was given
        buttons.file("protected.csv", text, study.state.title)

    def tell() -> None:
        text = internal_text(report(study.result, as_it_came(study.state)))
        buttons.file("internal-report.txt", text, study.state.title)

    buttons = Actions({"Save protected file (CSV)": save, "Save internal report (TXT)": tell})
    widgets = (settings_control(study, "k"), suppress, buttons)

    def show(result: MicrodataResult) -> None:
        suppress.show(result.state.suppress)

    return widgets, show, save


def _protect(study: StudyOf) -> Part[MicrodataResult]:
    summary = Text()
    change, show_change = recoding(study)
    ways = [settings_control(study, name) for name in ("blanks", "keep", "costs", "known", "threshold")]
    keep = settings_control(study, "keep_household")

    def show(result: MicrodataResult) -> None:
        show_change(result)
        share = result.state.settings.blanks == "share"
        for position, control in enumerate(ways):
            applies = result.state.suppress and (share or position < 3)
            reveal(applies and (position != 2 or result.state.settings.keep == "costs"), control)
        reveal(result.file.household, keep)
        summary.show(f"{protection.suppression_summary(result)} {protection.left_out(result)}".strip())

    return (summary, heading("Recode a variable"), *change, heading("Suppress values"), *ways, keep), show


def _sizes() -> Part[MicrodataResult]:
    chart = Chart("Number of combinations of key values by class size")
    note = Text(
        "The class size of a combination of key values is the number of records with this combination. A combination "
        "with class size 1 has a unique record. Sizes above 10 are combined to intervals, so compare their bars with "
        "care. The numbers of combinations by size are the cell size indices of Totter (2014)."
    )

    def show(result: MicrodataResult) -> None:
        chart.show(plots.draw_class_sizes, plots.class_sizes(result))

    return (note, chart), show


def _riskiest(study: StudyOf, page: Page) -> Part[MicrodataResult]:
    rows, order = Readings("Riskiest records"), settings_control(study, "order", look="buttons")
    rows.on_explain(
        lambda k: page.explain("Disclosure risk of one record", texts.explain_record(study.result, k))
    )
    return showing(order, (Text(), texts.order_note), (rows, texts.riskiest))
