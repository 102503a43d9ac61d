"""Page Protect: a release decision, the table before and after protection, and tabs with details."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets import methods
from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.labels import listed, quoted, shortened
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.assessment.replications import STORED_REPLICATES
from sdcwidgets.assessment.verdict.other_tables import given_away
from sdcwidgets.dashboards.page_heads import YOURS, page_for
from sdcwidgets.dashboards.protect import charts as plots
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect import texts as words_of
from sdcwidgets.dashboards.protect.controls import OPEN, LimitsCard, method_card, without_required
from sdcwidgets.dashboards.protect.map import RiskMap
from sdcwidgets.dashboards.protect.nested import (
    Nesting,
    possible_nesting,
    sub_totals_beside,
    with_sums,
)
from sdcwidgets.dashboards.protect.recommended import Recommendation, recommended
from sdcwidgets.dashboards.protect.release import ReleaseCard
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy, compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.dashboards.protect.threads import in_thread
from sdcwidgets.dashboards.protect.unnamed_axes import UnnamedAxes
from sdcwidgets.dashboards.protect.withheld import WithheldLines
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.io.options import with_controls
from sdcwidgets.tables.io.sources import MAX_DASHBOARD_CELLS, File
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part, edit_table, follow, followed, reveal, settings_control
from sdcwidgets.widgets.change_grid import LOOKS, ChangeGrid
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.measures import Measures
from sdcwidgets.widgets.offers import Offers
from sdcwidgets.widgets.page import Page, Text, card, column, heading
from sdcwidgets.widgets.page_state.recomputation import Study, background
from sdcwidgets.widgets.slice_bars import SliceChoice
from sdcwidgets.widgets.source import NEXT_OF_FILE, SourceBar
from sdcwidgets.widgets.tabs import Tabs
from sdcwidgets.widgets.texts import Line, caption

__all__ = ["app"]

FOOT = (
    "Antal, Shlomo and Elliot 2014, sections 2 to 5; Antal 2016 (thesis), equation (3.6.6) and section 5.2."
)

#: Suggested reasons for accepting a violation; users can type others.
REASONS = (
    "the disclosed fact is already public",
    "the disclosed fact is not sensitive",
    "all people concerned agreed to the disclosure",
    "the missing counts were entered by hand",
)

#: Buttons for the sub-totals that the import omitted.
PUBLISH_SUB_TOTALS, OMIT_SUB_TOTALS = "Publish the sub-totals, too", "Publish without sub-totals"

#: Which settings of the chart are not recommended.
CANDIDATES = (
    "Each recommended setting was tested against the release rules. Settings that publish most cells as 0, and "
    "settings for teaching only, are in the chart, but are not recommended."
)

#: Name of the group of measures that are undefined for this table.
NOTHING = "undefined value"

#: Measures that are listed first under "Risk and loss settings"; the tab of all measures has the others.
FIRST = ("dr", "total_distance")


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial table (default: the religion table of PSD 2014).
    """
    start = ProtectState.of_example("religion") if table is None else ProtectState(table)
    study = Study(start, compute, improve)
    page = page_for("protect", led=True)
    page.bind(study, ProtectState.from_state, words_of.protect_code)
    page.numbers(lambda: words_of.why_two(study.result), "thesis (3.6.6)", "PSD 2014 (5)")
    for measure in study.result.measures:
        page.numbers(partial(_of_symbol, study, measure.symbol), measure.symbol)
    return _Screen(study, page).whole()


class _Screen:
    """The parts of the page and their connections."""

    def __init__(self, study: ProtectStudy, page: Page) -> None:
        self._study, self._page = study, page
        self._all_offers: list[Recommendation] = []
        self._offers: list[Recommendation] = []  # those that are shown
        self._offered: object = None  # settings to which the offers belong
        self._awaited: ProtectState | None = (
            None  # state whose next action runs as soon as its check has ended
        )
        self._recommending: object = None  # the current computation of recommended settings
        self._to_improve: ProtectState | None = (
            None  # state whose first method a recommended setting replaces after the comparison
        )
        self._map = RiskMap(study, self._swept, self._recommend)
        self._cards = Offers("Recommended settings").add_class("sdc-at-offers")
        self._candidates = Text()
        self._cards.on_take(lambda index: self._take(self._offers[index]))
        self._limits = LimitsCard(study, self._update_lead)
        self._release = ReleaseCard(study, self._map.points)
        self._lead = Lead(headline.QUESTION, REASONS)
        self._lead.hear("next", lambda message, _: page.attempt(partial(self._press, message)))
        self._lead.hear("accept", lambda message, _: page.attempt(lambda: self._accept(message)))
        self._nested = Actions({PUBLISH_SUB_TOTALS: partial(self._publish_sub_totals, nested=True)})
        self._flat = Actions({OMIT_SUB_TOTALS: partial(self._publish_sub_totals, nested=False)})
        self._withheld, self._unnamed = WithheldLines(study), UnnamedAxes(study)
        self._last = study.state  # the state in which the headline was last shown
        self._saved: ProtectState | None = None  # the state whose files the primary button saved last
        self._nesting: Nesting | None = None  # axis that looks hierarchical
        self._sums = Actions({"Use sums as sub-totals": self._use_sums})
        self._disjoint = Actions({"Suppress cells of disjoint categories": self._use_categories})
        self._tabs: Tabs | None = None
        self._source = SourceBar(study, on_open=partial(self._lead.lead_to, "answer")).add_class(
            "sdc-at-file"
        )
        self._source.observe(lambda _: self._show_all(), ["waiting", "next_step"])

    def whole(self) -> Dashboard:
        """Return the dashboard with all parts."""
        study = self._study
        follow(study, self._show_all)
        parts: dict[str, Callable[[], Part[ProtectResult]]] = {
            "Compare settings": self._best,
            "Risk and loss settings": partial(_risk_and_loss, study, self._page),
            "Risk by row and column": partial(_chart, study),
            "Replicates": partial(_draws, study, self._page),
            "All measures": partial(_measures, study, self._page),
        }
        self._tabs = Tabs({name: partial(self._tab, part) for name, part in parts.items()})
        decisions = [self._nested, self._flat, self._sums, self._disjoint]
        return self._page.around(
            column(self._limits.card, method_card(study)),
            column(card("Table", *followed(study, _stage(study, self._source)))),
            shape="stage",
            foot=FOOT,
            note=YOURS,
            above=(
                self._lead,
                self._unnamed.box,
                self._withheld.box,
                ipywidgets.VBox(decisions).add_class("sdc-decisions"),
            ),
            below=(self._tabs, self._release.card),
        )

    def _best(self) -> Part[ProtectResult]:
        return (self._cards, self._candidates, self._map), self._map.show

    def _tab(self, part: Callable[[], Part[ProtectResult]]) -> ipywidgets.Widget:
        return ipywidgets.VBox(followed(self._study, part()))

    def _show_all(self, _: object = None) -> None:
        """Show the decision and the files; while another file waits for answers, they are not shown."""
        result, is_waiting = self._study.result, bool(self._source.waiting)
        for show in (self._show_lead, self._unnamed.show, self._withheld.show, self._release.show):
            show(result)
        reveal(not is_waiting, self._release.card)
        if is_waiting:
            reveal(False, self._unnamed.box, self._withheld.box, self._nested, self._flat, self._sums)
            reveal(False, self._disjoint)

    def _show_lead(self, result: ProtectResult) -> None:
        if result.state.is_of_another_table(self._last):
            self._lead.table += 1
        self._last = result.state
        if self._source.waiting:
            sentences = headline.waiting(self._source.waiting, result.state.title)
            words = NEXT_OF_FILE[self._source.next_step]
            self._lead.show(*sentences, words, tone="stop", of=result.state)
            return
        if self._offered is not None and result.settled and self._offered != self._settings_of_offers():
            return self._swept()
        if result.settled or not self._offers:
            self._show_offers(result)
        state = result.state
        reveal(bool(state.sub_totals) and not state.nested, self._nested)
        reveal(state.nested, self._flat)
        self._show_sums(state)
        verdict = result.deciding
        to_accept = headline.to_accept(verdict)
        accepted = bool(verdict.accepted)
        tick = headline.tick_words(verdict)
        act = self._act(result)
        waits = act.kind == "wait" and self._awaited is result.state
        if self._awaited is result.state and not waits:
            self._awaited = None
            background(self._go_on)
        words = headline.NEXT["waiting"] if waits else act.words
        if act.kind == "save" and self._saved is result.state:
            words = headline.NEXT["saved"]
        self._lead.show(
            headline.answer(result),
            headline.because(result, compared=len(self._map.points()), methods=len(methods.available())),
            words,
            tone={"release": "good", "not yet": "stop"}.get(verdict.answer, ""),
            tick=tick,
            ticked=accepted and not to_accept,
            steps=headline.steps_of_way(result),
            of=result.state,
        )

    def _act(self, result: ProtectResult) -> headline.NextStep:
        return headline.next_step(
            result,
            len(self._map.points()),
            self._offers,
            len(methods.available()),
            comparing=self._map.is_comparing,
            recommending=self._recommending is not None,
            missing=self._limits.missing,
        )

    def _update_lead(self) -> None:
        """Show the headline again, after a change of the page that is no change of its state."""
        self._show_lead(self._study.result)

    def _press(self, message: dict[str, object]) -> None:
        """Run the action that the primary button named when it was selected.

        A text field applies its value when it loses the focus. The button can then name another action, such as saving
        files, before the browser has shown it.
        """
        if message.get("words", self._lead.ahead) == self._lead.ahead or self._limits.missing:
            self._next()

    def _next(self) -> None:
        """Run the action of the primary button."""
        if self._source.waiting:
            if self._source.next_step == "use":
                self._source.use_table()
            else:
                self._lead.lead_to("file")
            return
        study, result = self._study, self._study.result
        match self._act(result).kind:
            case "wait":
                self._awaited = study.state
                self._show_lead(result)
            case "limits" | "source" | "limit" | "reason" | "review":
                self._lead.lead_to(self._limits.ask())
            case "tick":
                self._lead.lead_to("tick")
            case "seed":
                study.put(with_secret_seed(study.state))
            case "required":
                required = study.state.required
                assert required is not None
                study.change(method=required, shown=0)
            case "sweep" | "depart":
                self._compare(without_required(study.state))
            case "choose":
                assert self._tabs is not None
                self._tabs.turn_to(0)
                self._lead.lead_to("offers")
            case "take":
                offer = headline.offered(result, self._offers)
                assert offer is not None
                self._take(offer)
            case "save":
                self._release.save()
                self._saved = study.state
                self._show_lead(result)

    def _compare(self, state: ProtectState) -> None:
        """Compare all methods in a state; a method that a person or the rules chose is not replaced afterwards."""
        assert self._tabs is not None
        is_chosen = headline.is_chosen(self._study.state)
        if any(stop.kind == "seed" for stop in self._study.result.deciding.stops):
            # A later seed would give another replicate, which need not pass as the recommended one does.
            state = with_secret_seed(state)
        self._study.put(state)
        self._to_improve = None if is_chosen else self._study.state
        self._tabs.turn_to(0)
        self._map.sweep()
        self._show_lead(self._study.result)

    def _take_best(self) -> bool:
        """Apply the best recommended setting after a comparison by the primary button; return whether it did.

        Only the method with which the page begins is replaced, and only by a setting that passes and keeps all
        variables.
        """
        if self._to_improve is None:
            return False
        offer = headline.offered(self._study.result, self._all_offers)
        if self._to_improve is not self._study.state or self._map.was_stopped:
            self._to_improve = None
        elif offer is not None and not offer.violations:
            self._to_improve = None
            self._take(offer)
            return True
        return False

    async def _go_on(self) -> None:
        """Run the action that was requested while a check was running."""
        self._page.attempt(self._next)

    def _publish_sub_totals(self, *, nested: bool) -> None:
        """Publish the sub-totals of the file, too, or omit them; a method that merges categories is replaced."""
        study = self._study
        changes: dict[str, Any] = {"nested": nested}
        if nested and study.state.method.merges:
            changes |= {"method": study.state.with_method("cell-suppression").method, "shown": 0}
        study.change(**changes)

    def _show_sums(self, state: ProtectState) -> None:
        """Show the two decisions on an axis that looks hierarchical, which cell suppression requires."""
        nesting = self._nesting = None if state.nested else possible_nesting(state.table)
        if nesting is not None and nesting.axis in getattr(state.method, "non_hierarchical", ()):
            nesting = None
        reveal(nesting is not None and nesting.sums is not None, self._sums)
        reveal(nesting is not None, self._disjoint)
        if nesting is not None:
            axis = quoted(shortened(nesting.axis))
            self._sums.relabel(0, f"Use sums of {axis} as sub-totals")
            self._disjoint.relabel(0, f"Suppress cells, categories of {axis} are disjoint")

    def _use_sums(self) -> None:
        assert self._nesting is not None
        assert self._nesting.sums is not None
        self._study.put(with_sums(self._study.state, self._nesting.sums))

    def _use_categories(self) -> None:
        assert self._nesting is not None
        method = self._study.state.method
        suppression = method if isinstance(method, CellSuppression) else CellSuppression()
        axes = (*suppression.non_hierarchical, self._nesting.axis)
        self._study.change(method=replace(suppression, non_hierarchical=axes), shown=0)

    def _accept(self, message: dict[str, object]) -> None:
        study = self._study
        if message.get("accepted") is not True:
            study.change(accepted=())
            return
        reason = self._lead.reason_in(message)
        verdict = study.result.verdict
        stops = headline.to_accept(verdict)
        if reason and stops:
            kind = stops[0].kind
            names = [kind] if kind in verdict.more else [stop.name for stop in stops]
            study.change(accepted=(*study.state.accepted, *((name, reason) for name in names)))

    def _take(self, offer: Recommendation) -> None:
        self._map.stop()
        self._study.change(method=offer.method, shown=0)

    def _settings_of_offers(self) -> object:
        state = self._study.state
        return state.table, state.settings, state.limits, state.risk, state.loss

    def _swept(self) -> None:
        """Update the recommended settings, after all settings were compared or when the limits change."""
        steps = self._recommend()
        next(steps, None)  # the page shows at once that the recommendations are being computed

        async def work() -> None:
            for _ in steps:
                await asyncio.sleep(0.001)

        background(work)

    def _recommend(self) -> Iterator[None]:
        """Update the recommended settings by a computation in another thread; yield while it runs."""
        mine = self._recommending = object()
        if self._offered != self._settings_of_offers():
            self._offered, self._all_offers = self._settings_of_offers(), []
            self._show_offers(self._study.result)
        self._show_lead(self._study.result)
        state, points = self._study.state, self._map.points()
        for offers in in_thread(recommended(state, points) for _ in range(1)):
            if mine is not self._recommending:
                return
            if offers is None:
                yield None
            else:
                self._all_offers = offers
        self._recommending = None
        if self._take_best():
            yield None  # the comparison, which called this function, has been stopped
            return
        self._show_offers(self._study.result)
        self._show_lead(self._study.result)

    def _show_offers(self, result: ProtectResult) -> None:
        """Show the recommended settings that have no more violations than the table on the page."""
        offers = headline.no_worse(result, self._all_offers)
        if offers != self._offers:
            self._offers = offers
            self._cards.show([recommendation.offer for recommendation in offers])
            self._candidates.show(CANDIDATES if offers else "")


def _of_symbol(study: ProtectStudy, symbol: str) -> list[Line]:
    """Return the computation of the measure with this symbol, with its current settings."""
    result = study.result
    matching = (measure for measure in result.measures if measure.symbol == symbol)
    return next((words_of.explained(result, measure) for measure in matching), [])


def _stage(study: ProtectStudy, source: SourceBar) -> Part[ProtectResult]:
    grid = ChangeGrid(title="Counts before and after protection", hint="")
    edit_table(grid, study)
    look = Control(Parameter("look", str, "change", "Show", choices=LOOKS), look="buttons")
    opened = {"source": study.state.source}

    def turn(name: str) -> None:
        look.show(name)
        show(study.result)

    look.on_change(turn)

    def toggle() -> None:
        reveal(loading.layout.display == "none", loading)
        show_reading()

    def show_reading() -> None:
        # The opened panel shows the same notes.
        notes = [with_controls(note) for note in study.state.source.notes]
        reading.show(" ".join(notes))
        reveal(bool(notes) and loading.layout.display == "none", reading)

    def set_beside(name: str, content: bytes) -> None:
        table, state = File.from_input(content, name).read(MAX_DASHBOARD_CELLS).table, study.state
        # This raises an error with the reason if the other table does not fit.
        given_away(state.table, Release.of(state.table), [Release.of(table)])
        study.change(beside=(*state.beside, table))

    list_of_tables = Text()
    others = Actions({}, {"Add another published table": set_beside})
    forget = Actions({"Remove the other tables": partial(study.change, beside=())})
    loading = ipywidgets.VBox([source, others, list_of_tables, forget], layout={"display": "none"})

    def open_for_questions(change: dict[str, Any]) -> None:
        if change["new"]:
            reveal(True, loading)
            show_reading()

    source.observe(open_for_questions, "waiting")
    reading, apparent, beside = Text(), Text(), Text()
    bar = ipywidgets.Box([look, Actions({OPEN: toggle})]).add_class("sdc-bar-of-table")

    def show(result: ProtectResult) -> None:
        arrangement = study.state.arrangement
        true, release = arrangement.seen(result.before.table), arrangement.released(result.release)
        stops = (*result.deciding.stops, *result.deciding.reported)
        lines = [stop.where[0] for stop in stops if stop.kind == "one-cell" and len(stop.where) == 1]
        hits = tuple({label for name, label in lines if name == axis.name} for axis in true.axes)
        if study.state.source != opened["source"]:
            # The panel has done its work when another table is opened.
            opened["source"] = study.state.source
            reveal(False, loading)
        show_reading()
        grid.show_change(true, release, look.value, "Total", hits)
        names = [" by ".join(axis.name for axis in published.axes) for published in study.state.beside]
        list_of_tables.show(
            f"Other published tables with exact counts, which the disclosure check includes: {listed(names)}."
            if names
            else ""
        )
        reveal(bool(names), forget)
        beside.show(sub_totals_beside(study.state, is_original=result.is_original))
        apparent.show(words_of.apparent_groups(true, release))
        if arrangement.words:
            grid.hint = (
                f"Only this part of the table is shown: {arrangement.words}. The "
                "release decision and the files refer to the whole table."
            )

    return (bar, loading, reading, grid, apparent, beside), show


def _risk_and_loss(study: ProtectStudy, page: Page) -> Part[ProtectResult]:
    measures = Measures("Residual risk and information loss")
    measures.on_explain(page.explain)
    words = Text()

    def explain(title: str, lines: Callable[[ProtectResult], list[Line]]) -> None:
        page.explain(title, lines(study.result))

    formulas = partial(explain, "Formulas of the residual risk R₂", words_of.why_two)
    steps = partial(explain, "Fifteen steps of table protection", words_of.steps)
    why = Actions({"Explain the formulas of R₂": formulas, "Show the 15 steps of protection": steps})

    def show(result: ProtectResult) -> None:
        measures.show(partial(words_of.rows, result, FIRST), _heads(result))
        note = words_of.what_is_shown(
            result.published,
            result.before.table,
            result.index,
            result.run.wanted,
            totals=study.state.source.totals,
            private_note=result.private_note,
            checked=result.checked,
            reading=result.before.settings.suppressed,
        )
        words.show(words_of.ORIGINAL if result.is_original else note)

    return (measures, words, settings_control(study, "variant"), why), show


def _measures(study: ProtectStudy, page: Page) -> Part[ProtectResult]:
    names = tuple(dict.fromkeys(words_of.GROUPS.values()))
    lists = {name: Measures(name) for name in (*names, NOTHING)}
    for measure_list in lists.values():
        measure_list.on_explain(page.explain)
    opened = {"nothing": False}

    def toggle() -> None:
        opened["nothing"] = not opened["nothing"]
        show(study.result)

    fold = Actions({NOTHING: toggle})

    def show(result: ProtectResult) -> None:
        groups, empty = words_of.grouped(result)
        for name, some in (groups | {NOTHING: empty}).items():
            lists[name].show(partial(list, some), _heads(result))
        fold.relabel(0, f"{'Hide' if opened['nothing'] else 'Show'} {len(empty)} with an {NOTHING}")
        reveal(empty, fold)
        reveal(opened["nothing"] and empty, lists[NOTHING])

    parts = [part for name in names for part in (heading(name), lists[name])]
    return (*parts, fold, lists[NOTHING]), show


def _heads(result: ProtectResult) -> tuple[str, str, str]:
    replicate = "The table" if result.after.method.deterministic else f"Replicate {result.index + 1}"
    return "Measure", replicate, f"Mean of {result.after.size:,}"


def _draws(study: ProtectStudy, page: Page) -> Part[ProtectResult]:
    words = Text()

    def step(by: int) -> None:
        last = min(STORED_REPLICATES, study.result.run.wanted)
        study.change(gesture="draw", shown=(study.state.shown + by) % last)

    def roll() -> None:
        study.put(study.state.set(seed=(study.state.settings.seed + 1) % 2**53))

    def say_moves() -> None:
        title = f"Replicate {study.result.index + 1}"
        lines = words_of.moved(study.result.moves(), title, study.state.unit)
        page.explain("Swapped people and the reasons of swaps", lines)

    def save_moves() -> None:
        text = csv_text(lines_of(study.result.moves()), internal=True)
        people.file("internal-moves.csv", text, study.state.title)

    turn = Actions(
        {
            "Previous replicate": partial(step, -1),
            "Next replicate": partial(step, 1),
            "Use another seed": roll,
        }
    )
    people = Actions({"Show swapped people": say_moves, "Export swapped people (CSV), internal": save_moves})

    def show(result: ProtectResult) -> None:
        words.show(words_of.replicate_summary(result))
        reveal(not result.after.method.deterministic, turn)
        reveal(result.run.method.reports, people)

    return (words, turn, people), show


def _chart(study: ProtectStudy) -> Part[ProtectResult]:
    chart = Chart("Risk before and after protection")
    slices = SliceChoice(lambda: show(study.result))

    def show(result: ProtectResult) -> None:
        axis = result.before.table.axes[slices.axis(result.before.table)].name
        parts = result.before.slices[axis], result.after.slices[axis]
        residual = plots.prepare(*parts, result.before.whole_slice, result.after.whole_slice)
        chart.caption = f"{caption.caption_of(study.state)} {FOOT}"
        chart.show(plots.draw, residual)

    return (slices, chart), show
