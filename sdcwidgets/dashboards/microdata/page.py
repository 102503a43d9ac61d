"""Microdata risk: choose what an intruder may know, see who becomes unique, estimate, protect, and save."""

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
from sdcwidgets.core.risk.choice import ModelFit
from sdcwidgets.dashboards.heads import page_for
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
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.reading import MicrodataReading
from sdcwidgets.microdata.roles import NO_ROLE
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part, follow, reveal, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.records import RecordsButton
from sdcwidgets.widgets.studies.base import Study, begin_with

__all__ = ["app"]

FOOT = "Totter 2014, sections 1 to 3, equations (13) to (20); Skinner and Shlomo 2008; Elliot, Manning and Ford 2002."

#: What stands at the foot beside the sources.
NOTE = "A file that you open stays in this session; only what you save carries it further."

#: So many samples are drawn at a press.
SAMPLES = 40

StudyOf = Study[MicrodataState, MicrodataResult]


def app(file: Microdata | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    file : Microdata, optional
        The records it begins with; a sample of a synthetic population if not given.
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
    chart = Chart("Unique records as keys are added")
    follow(
        study, show_keys, show_hidden, lambda result: chart.show(plots.draw_falling, plots.falling(result))
    )

    def says(result: MicrodataResult) -> Headline:
        answer, tone, ahead = texts.answer(result)
        step = save if result.state.suppress else partial(study.change, suppress=True)
        return Headline(answer, texts.notice(result), ahead, step, tone)

    return page.answering(
        study,
        "Who is alone in this file?",
        says,
        controls=(card("What may an intruder know?", *keys), card("How well is each hidden?", *hidden)),
        stage=(card("Unique records, key by key", chart),),
        tabs={
            "Who is easiest to find?": partial(_riskiest, study, page),
            "How many matches would be right?": partial(_estimates, study, page),
            "How is the file protected?": partial(_protect, study),
            "What do the keys tell?": _tells,
            "Another file?": partial(_file, study),
        },
        foot=FOOT,
        note=NOTE,
    )


def _opened(state: MicrodataState, file: Microdata, title: str) -> MicrodataState:
    """Return the state of a file of one's own, with the first variables that can be keys."""
    keys = []
    for name, variable in file.variables.items():
        if file.roles.of(name) == NO_ROLE:
            with suppress(InputError):
                variable.check_key()
                keys.append(name)
    if not keys:
        raise InputError("No variable of the file can be a key; a key has categories that people share.")
    return MicrodataState(keys=tuple(keys[:3]), settings=state.settings, own=file, title=title)


def _able(file: Microdata) -> dict[str, str]:
    """Return the variables that can be keys, and how each is called with its number of categories."""
    return {
        name: f"{name} ({len(variable.categories):,})"
        for name, variable in file.variables.items()
        if file.roles.of(name) not in ("weight", "household", "left_out")
        and len(variable.categories) <= MOST_CATEGORIES
    }


def _switch(name: str, label: str) -> Control:
    return Control(Parameter(name, bool, False, label))


def _keys(study: StudyOf) -> Part[MicrodataResult]:
    box = ipywidgets.Box(layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"})
    switches: dict[str, Control] = {}

    def switch(name: str, on: bool) -> None:
        study.put(study.state.switched(name, on))

    def show(result: MicrodataResult) -> None:
        able = _able(result.recoded)  # those that can't be keys are told with the roles
        if list(switches) != list(able):
            switches.clear()
            for name, label in able.items():
                switches[name] = _switch(name, label)
                switches[name].on_change(partial(switch, name))
            box.children = tuple(switches.values())
        for name, control in switches.items():
            if control.spec["label"] != able[name]:  # it was recoded
                control.become(Parameter(name, bool, False, able[name]), name in result.state.keys)
            control.show(name in result.state.keys)

    return (box,), show


def _file(study: StudyOf) -> Part[MicrodataResult]:
    summary = Text()
    roles, show_roles = role_controls(study)

    def take(reading: MicrodataReading, name: str) -> None:
        study.load(_opened(study.state, reading.file, name))

    known = Actions(
        {"Sample of a known population": lambda: study.load(MicrodataState(settings=study.state.settings))}
    )
    drawn = [settings_control(study, name) for name in ("design", "households", "seed")]

    def show(result: MicrodataResult) -> None:
        show_roles(result)
        summary.show(f"{texts.which_file(result)} {texts.missing_note(result)}")
        reveal(result.state.own is None, *drawn)

    return (summary, RecordsButton(take), known, *drawn, heading("Who is what"), *roles), show


def _tells() -> Part[MicrodataResult]:
    tells, cost = Text(), Text()
    current: Microdata | None = None

    def show(result: MicrodataResult) -> None:
        nonlocal current
        if current is result.file:  # better estimates change nothing here
            return
        current = result.file
        tells.show(
            protection.sensitive(result)
            or "No variable is called sensitive, and the file knows no households."
        )
        cost.show(protection.cost_summary(result) or "Nothing was changed yet.")

    return (tells, cost), show


def _estimates(study: StudyOf, page: Page) -> Part[MicrodataResult]:
    values, chart = Readings("Correct matches, true and estimated"), Chart("Estimates beside the truth")
    pairs, problem = ipywidgets.Box(layout={"flex_flow": "row wrap", "grid_gap": "2px 18px"}), Text()
    model, terms = settings_control(study, "model"), settings_control(study, "terms", look="buttons")
    scaling = settings_control(study, "scaling", look="buttons")
    values.on_explain(lambda _: page.explain("τ̂₁ and τ̂₂", texts.explain_estimate(study.result)))
    seen: list[tuple[float, ...]] = []
    about: tuple[object, ...] = ()
    definitions = Text(
        "τ₁: sample uniques that are population uniques. τ₂: right guesses of an intruder about all sample uniques."
    )

    def tie(first: str, second: str, on: bool) -> None:
        study.put(study.state.paired(first, second, on))

    def finish() -> None:
        chart.show(plots.draw_repeated, plots.repeated(seen, MODEL_TITLES[study.state.settings.model]))
        reveal(seen, chart)

    def draw_many() -> None:
        seen.clear()
        steps = draws(study.state, SAMPLES)
        if study.result.problem and not study.state.suppress:
            raise InputError(study.result.problem)
        actions.work(steps, seen.append, finish, SAMPLES, "samples")

    def find() -> None:
        fits: list[ModelFit] = []

        def take() -> None:
            keys = study.state.keys
            chosen = {frozenset((keys[i], keys[j])) for i, j in fits[-1].margins}
            off = frozenset(frozenset(pair) for pair in combinations(keys, 2)) - chosen
            study.put(replace(study.state.set(terms="chosen" if chosen else "main"), off=off))

        most = len(study.state.keys) * (len(study.state.keys) - 1) // 2 + 1
        actions.work(search_pairs(study.result), fits.append, take, most, "models")

    actions = Actions({f"Draw {SAMPLES} samples": draw_many, "Find the pairs that fit": find})
    # A browser takes long for a new widget, so each is made once, when its pair is first on the screen.
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
        if about != (now := _drawn_about(state)):
            about = now
            seen.clear()
            actions.stop()
        reveal(seen, chart)

    return (definitions, model, terms, pairs, scaling, problem, values, actions, chart), show


def _drawn_about(state: MicrodataState) -> tuple[object, ...]:
    """Return what the repeated samples depend on; how the list is ordered and what is saved are not of it."""
    settings = state.settings
    chosen = (settings.design, settings.households, settings.seed, settings.model, settings.terms)
    return state.keys, chosen, state.recodes, state.off, state.own, state.pram, state.suppress


def _hidden(
    study: StudyOf,
) -> tuple[tuple[ipywidgets.Widget, ...], Callable[[MicrodataResult], None], Callable[[], None]]:
    """Return how well each record must be hidden, the view that follows the study, and what saves the file."""
    suppress = _switch("suppress", "Blank values until the file is k-anonymous")
    suppress.on_change(lambda on: study.change(suppress=on))

    def save() -> None:
        text = study.result.released.to_csv()
        assert text is not None  # no path was given
        buttons.file("protected.csv", text, study.state.title)

    def tell() -> None:
        text = internal_text(report(study.result, as_it_came(study.state)))
        buttons.file("internal-report.txt", text, study.state.title)

    buttons = Actions({"Protected file as CSV": save, "Internal report as text": tell})
    widgets = (settings_control(study, "k"), suppress, buttons)
    return widgets, lambda result: suppress.show(result.state.suppress), save


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

    return (summary, heading("Change a variable"), *change, heading("Suppress"), *ways, keep), show


def _riskiest(study: StudyOf, page: Page) -> Part[MicrodataResult]:
    rows, order = Readings("The riskiest records"), settings_control(study, "order", look="buttons")
    rows.on_explain(lambda k: page.explain("Risk of one record", texts.explain_record(study.result, k)))
    return showing(order, (Text(), texts.order_note), (rows, texts.riskiest))
