"""Protect and compare: the table before and after, the risk left, the information lost, the map of alternatives."""

from __future__ import annotations

from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets.dashboards import YOURS, page_for
from sdcwidgets.pages.protect import charts as plots
from sdcwidgets.pages.protect import words as words_of
from sdcwidgets.pages.protect.code import protect_code
from sdcwidgets.pages.protect.map import RiskMap
from sdcwidgets.pages.protect.rows import explained, rows
from sdcwidgets.pages.protect.state import Protected, ProtectState, improve, protect
from sdcwidgets.pages.protect.words import (
    before_deciding,
    beside,
    notice_after,
    steps,
    what_is_shown,
    why_two,
)
from sdcwidgets.release.printed import file_text, sheet
from sdcwidgets.replications import KEPT
from sdcwidgets.studies.base import Study
from sdcwidgets.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.live import Part, edit_table, follow, settings_control
from sdcwidgets.widgets.measures import Measures
from sdcwidgets.widgets.method_controls import MethodControls
from sdcwidgets.widgets.page import Page, Text, card, column, heading
from sdcwidgets.widgets.path import Path
from sdcwidgets.widgets.slice_bars import SliceChoice
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.two_grids import TwoGrids
from sdcwidgets.words import Line
from sdcwidgets.writing import workbook

__all__ = ["app"]

FOOT = (
    "Antal, Shlomo and Elliot 2014, sections 2 to 5; Antal 2016 (thesis), equation (3.6.6) and section 5.2."
)


def app(table: FrequencyTable | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        The table it begins with; the religion table of PSD 2014 if not given.
    """
    start = ProtectState.of_example("religion") if table is None else ProtectState(table)
    study = Study(start, protect, improve)
    page = page_for("protect")
    page.bind(study, ProtectState.from_state, protect_code)
    page.numbers(lambda: why_two(study.result), "thesis (3.6.6)", "PSD 2014 (5)")
    for one in study.result.measures:
        page.numbers(partial(_of_symbol, study, one.symbol), one.symbol)
    tables, show_tables = _tables(study, page)
    answer, show_answer = _answer(study, page)
    besides, show_besides = _besides(study, page)
    chart, show_chart = _chart(study)
    risk_map, (path, show_path) = RiskMap(study), _path(study)
    hint, show_hint = _hint(study)
    follow(study, show_path, show_hint, show_tables, show_answer, show_besides, show_chart, risk_map.show)
    return page.around(
        column(
            _at("protect", card("Method (steps 5 and 13)", *hint, MethodControls(study), *_draws(study))),
            _at("judge", card("Risk left in the draw that is shown (steps 7 and 8)", *answer)),
        ),
        column(
            card("Before and after (step 15: release)", SourceBar(study), *tables),
            _at("measure", _at("lose", card("Risk and information lost (steps 9 to 14)", risk_map))),
            card("What it does to this table", *besides),
            card("What is left of the risk, slice by slice", *chart),
        ),
        shape="wide-right",
        foot=FOOT,
        note=YOURS,
        above=path,
    )


def _at(place: str, one: ipywidgets.VBox) -> ipywidgets.VBox:
    """Return a card that the path leads to."""
    return one.add_class(f"sdc-at-{place}")


def _path(study: Study[ProtectState, Protected]) -> Part[Protected]:
    path = Path("The way to a release, in 15 steps")
    path.hear("next", lambda *_: study.change(judged=True))

    def show(result: Protected) -> None:
        state = study.state
        path.show(
            words_of.stages(result, state.thresholds, judged=state.judged),
            *words_of.next_act(result, state.thresholds, judged=state.judged),
        )

    return (path,), show


def _hint(study: Study[ProtectState, Protected]) -> Part[Protected]:
    hint = Text()

    def show(result: Protected) -> None:
        words = words_of.where_next(result, study.state.thresholds, judged=study.state.judged)
        hint.show(words)
        hint.layout.display = None if words else "none"

    return (hint,), show


def _of_symbol(study: Study[ProtectState, Protected], symbol: str) -> list[Line]:
    """Return how the measure with this symbol comes about, as it is set now."""
    result = study.result
    found = (one for one in result.measures if one.symbol == symbol)
    return next((explained(result, one) for one in found), [])


def _draws(study: Study[ProtectState, Protected]) -> tuple[ipywidgets.Widget, ...]:
    def roll() -> None:
        study.put(study.state.set(seed=(study.state.settings.seed + 1) % 2**32))

    seed, size = settings_control(study, "seed"), settings_control(study, "replications")
    again = Actions({"Roll again": roll})
    _only_of_chance(study, size, seed, again)
    return size, seed, again


def _only_of_chance(study: Study[ProtectState, Protected], *widgets: ipywidgets.Widget) -> None:
    """Show these as long as the draws of the method differ."""

    def show(result: Protected) -> None:
        for one in widgets:
            one.layout.display = "none" if result.after.method.deterministic else ""

    follow(study, show)


def _tables(study: Study[ProtectState, Protected], page: Page) -> Part[Protected]:
    before, published = Grid(title="Before", hint=""), Grid(title="After", editable=False, hint="")
    for grid in (before, published):
        grid.add_class("sdc-compact")
    edit_table(before, study)
    words = Text()
    pair = TwoGrids(
        ipywidgets.VBox([heading("Before"), before]), ipywidgets.VBox([heading("After"), published])
    )

    def step(by: int) -> None:
        last = min(KEPT, study.result.run.wanted)
        study.change(gesture="draw", shown=(study.state.shown + by) % last)

    def save_csv() -> None:
        text = file_text(study.result.published, totals=study.state.source.totals)
        actions.file("protected.csv", text.encode("utf-8-sig"), study.state.title)

    def published_sheet() -> Any:
        return sheet(study.result.published, totals=study.state.source.totals)

    def save_xlsx() -> None:
        book = workbook({"protected": published_sheet()}, study.result.published.notes)
        actions.file("protected.xlsx", book, study.state.title)

    def save_comparison() -> None:
        sheets = {"protected": published_sheet(), "TRUE COUNTS": study.state.table.to_frame()}
        book = workbook(sheets, study.result.published.notes)
        actions.file("confidential-comparison.xlsx", book, study.state.title)

    turn = Actions({"Previous draw": lambda: step(-1), "Next draw": lambda: step(1)})
    _only_of_chance(study, turn)
    actions = Actions(
        {
            "Protected table as CSV": save_csv,
            "Protected table as XLSX": save_xlsx,
            "Comparison with the true counts as XLSX, confidential": save_comparison,
        }
    )

    def say_moves() -> None:
        told = words_of.moved(study.result.moves(), f"Draw {study.result.index + 1}")
        page.explain("Who moves, and why", told)

    def save_moves() -> None:
        text = study.result.moves().to_csv(index=False)
        people.file("confidential-moves.csv", text.encode("utf-8-sig"), study.state.title)

    people = Actions({"Who moves, and why": say_moves, "Who moves as CSV, confidential": save_moves})

    def show(result: Protected) -> None:
        arrangement = study.state.arrangement
        release, table = result.published, result.before.table
        before.show(arrangement.seen(table), study.state.unchanged(study.start))
        published.show_release(arrangement.released(release), arrangement.seen(table))
        pair.fit(arrangement.seen(table))
        whole = "The words that follow and the files are of the whole table."
        part = f"Shown: {arrangement.words}. {whole} " if arrangement.words else ""
        seed = study.state.settings.seed
        totals = study.state.source.totals
        told = what_is_shown(
            release, table, result.index, result.run.wanted, seed, totals=totals, aside=result.aside
        )
        words.show(part + told)
        people.layout.display = "" if result.run.method.reports else "none"

    actions.add_class("sdc-at-release")
    return (pair, words, turn, people, actions), show


def _answer(study: Study[ProtectState, Protected], page: Page) -> Part[Protected]:
    answer = Answer(label="Risk left after protection")
    answer.hear(
        "explain",
        lambda *_: page.explain(
            study.result.risk_measure.title, explained(study.result, study.result.risk_measure)
        ),
    )
    actions = Actions(
        {
            "Why two formulas?": lambda: page.explain(
                "Two formulas of R₂ are in print", why_two(study.result)
            ),
            "The 15 steps": lambda: page.explain(
                "The steps of a data protector",
                steps(study.result, study.state.thresholds, judged=study.state.judged),
            ),
        }
    )

    def show(result: Protected) -> None:
        state = study.state
        parts, formula = words_of.answer(result)
        answer.show(
            value=result.risk_measure.told(result.risk),
            parts=parts,
            formula=formula,
            caption=beside(result),
            sentence=notice_after(result, state.thresholds, own=state.own)
            if state.judged
            else before_deciding(result, state.thresholds),
            act=state,
            of=state,
        )

    variant = settings_control(study, "variant")
    return (answer, variant, actions), show


def _besides(study: Study[ProtectState, Protected], page: Page) -> Part[Protected]:
    measures = Measures("What it does to this table")
    measures.on_explain(page.explain)

    def show(result: Protected) -> None:
        shown = "The table" if result.after.method.deterministic else f"Draw {result.index + 1}"
        measures.show(partial(rows, result), ("Measure", shown, f"Mean of {result.after.size:,}"))

    return (measures,), show


def _chart(study: Study[ProtectState, Protected]) -> Part[Protected]:
    chart = Chart("Risk before and after protection")
    shown = SliceChoice(lambda: show(study.result))

    def show(result: Protected) -> None:
        axis = result.before.table.axes[shown.axis(result.before.table)].name
        parts = result.before.slices[axis], result.after.slices[axis]
        left = plots.prepare(*parts, result.before.whole, result.after.whole)
        chart.show(plots.draw, left)

    return (shown, chart), show
