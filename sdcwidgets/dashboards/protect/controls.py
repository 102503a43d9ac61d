"""Controls of the page: the release rules, and the method with its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets import methods
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, quoted
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.assessment.search import most_loss
from sdcwidgets.assessment.verdict import ReleaseLimits, available, load
from sdcwidgets.assessment.verdict.rule_file import Rule, read_content
from sdcwidgets.dashboards.protect.recommended import SUPPRESSING, USUAL
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods.describing import describe
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import follow, parameter_of, reveal, settings_control
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.method_controls import MethodControls
from sdcwidgets.widgets.page import Text, card

#: Hint of the switch that is shown if the limits allow the original table.
ANYWAY = (
    "The limits allow the release of the original table. If this option is on, the page shows, checks and saves the "
    "protected table instead."
)

#: Methods that are shown first: the common perturbative ones, and cell suppression.
SHOWN_FIRST = USUAL | {SUPPRESSING[0]: "Cell suppression"}

#: Choice of the common methods that publishes the original counts.
NO_METHOD = "none"

#: Why the choice of no method has no effect, by the answer on the original table.
NOT_ORIGINAL = {
    "required": "The rules require a method, so the original counts cannot be released.",
    "not yet": "The original counts violate the limits, so the table needs a method.",
    "compare only": (
        "To release the original counts, set limits that they meet, or select “No limit applies, for a stated "
        "reason” under Rule."
    ),
}

#: Sentence below the methods if the original counts are released.
IS_ORIGINAL = "The release has the original counts, which the limits allow."

#: Marks a rule whose limits were changed by hand.
HERE = "on the page Protect"

#: Button that shows the sources of tables.
OPEN = "Open a file or an example"

#: Button that removes the limits and the method of the previous table.
DEFAULTS = "Begin with the defaults"

#: Key of a rule that was read from a file.
FROM_FILE = "file"

#: Label of the source if there is no limit.
SOURCE_OF_REASON = "Source of this decision"

#: Labels of the limits, for measures of which less or more is better.
BETTER_LESS = {"risk": "Maximum residual risk", "loss": "Maximum information loss"}
BETTER_MORE = {"risk": "Minimum protection", "loss": "Minimum utility"}

#: What a page begins with.
NO_LIMITS = ReleaseLimits()
NOTHING_SET: dict[str, Any] = {"limits": NO_LIMITS, "rule": "", "required": None}

#: Switch of the check of group disclosure, which is on by default.
GROUP_DISCLOSURE = Parameter(
    "group_disclosure",
    bool,
    True,
    "Block rows with all people in one cell",
    "Group disclosure: anyone known to be in the row is then known to be in this cell. You can also accept a case "
    "with a reason.",
)

#: Largest minimum count on the page; some agencies publish no means or tables of fewer than 100 people.
MOST_MINIMUM = 100

#: Maximum length of a source or a reason, in characters.
LONGEST_WORDS = 300


def take_rule(study: ProtectStudy, rule: Rule) -> None:
    """Apply a release rule of the agency: its limits and measures, and its method if it names one."""
    limits = rule.limits
    changes: dict[str, Any] = {"limits": limits, "risk": limits.risk_measure, "loss": limits.loss_measure}
    changes |= {"rule": rule.name, "required": rule.method}
    if rule.method is not None:
        changes |= {"method": rule.method, "shown": 0}
    study.change(**changes)


def set_limit(study: ProtectStudy, **changes: object) -> None:
    """Change a limit; if the limits belong to a rule, note the change in their source."""
    limits = with_fields(study.state.limits, **changes)
    if study.state.rule and "source" not in changes and HERE not in limits.source:
        limits = replace(limits, source=f"{limits.source}, changed {HERE}, {date.today().isoformat()}")
    study.change(gesture=f"limit {', '.join(changes)}", limits=limits)


def set_words(study: ProtectStudy, name: str, words: str) -> None:
    """Set the source of the limits, or the reason why no limit applies."""
    set_limit(study, **{name: words.strip()[:LONGEST_WORDS]})


def without_required(state: ProtectState) -> ProtectState:
    """Return the state with the limits of its rule, but without the required method, as their source then states.

    Examples
    --------
    >>> rule = load("minimum-frequency")
    >>> state = ProtectState.of_example("religion").changed(limits=rule.limits, required=rule.method, rule=rule.name)
    >>> without = without_required(state)
    >>> without.required, without.limits.smallest_count, "cell-suppression" in without.limits.source
    (None, 3, True)
    """
    if state.required is None:
        return state
    words = f"{state.limits.source}, without the required method {state.required.name}"
    if HERE not in words:
        words += f", changed {HERE}, {date.today().isoformat()}"
    return state.changed(required=None, limits=replace(state.limits, source=words), protects=state.protects)


def limits_in_force(state: ProtectState) -> str:
    """Return the limits of a state in words, "" for none.

    Examples
    --------
    >>> state = ProtectState.of_example("religion")
    >>> limits_in_force(state.changed(limits=ReleaseLimits("Panel", smallest_count=3, risk=0.2)))
    'minimum published count 3, maximum residual risk 0.2 (source: Panel)'
    >>> limits_in_force(state)
    ''
    """
    limits = state.limits
    if state.rule and HERE not in limits.source:
        return f"rule {quoted(state.rule)}"
    risk, loss = (
        (BETTER_MORE if measure.more_is_better else BETTER_LESS)[name]
        for name, measure in (("risk", state.risk_measure), ("loss", state.loss_measure))
    )
    values = {
        parameter_of(ReleaseLimits, "smallest_count").label: limits.smallest_count or None,
        risk: limits.risk,
        loss: limits.loss,
        parameter_of(ReleaseLimits, "small_cells").label: limits.small_cells,
        parameter_of(ReleaseLimits, "mean_cell_size").label: limits.mean_cell_size,
    }
    words = [f"{name[:1].lower()}{name[1:]} {value:g}" for name, value in values.items() if value is not None]
    if limits.no_risk_limit.strip():
        words.append("no risk limit")
    if not limits.one_cell:
        words.append("group disclosure only reported")
    source = f"source: {limits.source.strip()}" if limits.has_source else ""
    if not words:
        return source
    return f"{', '.join(words)} ({source})" if source else ", ".join(words)


def previous_words(limits: tuple[str, str], method: tuple[str, str]) -> str:
    """Return a sentence on the previous table whose limits and method also apply to this table; "" for none.

    Parameters
    ----------
    limits : (str, str)
        Title of the previous table, and its limits in words; "" if the limits are set for this table.
    method : (str, str)
        Title of the previous table, and its method in words; "" if the method is selected for this table.

    Examples
    --------
    >>> previous_words(("Births", "maximum residual risk 0.2"), ("Births", "Cell key"))
    'The limits and the method are those of the previous table, "Births": maximum residual risk 0.2; Cell key.'
    >>> previous_words(("Births", ""), ("Deaths", "Cell key"))
    'The method is that of the previous table, "Deaths": Cell key.'
    >>> previous_words(("", ""), ("", ""))
    ''
    """
    if limits[1] and method[1] and limits[0] == method[0]:
        return (
            f"The limits and the method are those of the previous table, {quoted(limits[0])}: "
            f"{limits[1]}; {method[1]}."
        )
    sentences = []
    if limits[1]:
        sentences.append(f"The limits are those of the previous table, {quoted(limits[0])}: {limits[1]}.")
    if method[1]:
        sentences.append(f"The method is that of the previous table, {quoted(method[0])}: {method[1]}.")
    return " ".join(sentences)


def rule_in(content: bytes, name: str) -> Rule:
    """Return the release rules in a file.

    Raises
    ------
    InputError
        If the file has no rules; for a file of another format, with the name of the button that opens tables.
    """
    try:
        return read_content(content, name)
    except InputError:
        if name.lower().endswith(".toml"):
            raise
        raise InputError(
            f"{quoted(name)} has no release rules, which are a file in TOML format. To open a table, select "
            f"{quoted(OPEN)}."
        ) from None


class LimitsCard:
    """Card of the limits: a release rule of the agency, or limits set on the page with their source.

    Limits that were set on the page are remembered while a rule is tried for the same table. If another table is
    opened, the limits that apply stay, and the method if the rules require it, because an agency often protects several
    tables in the same way. A note then states the previous table, its limits and its method, and a button resets both.
    """

    def __init__(self, study: ProtectStudy, on_open: Callable[[], None] = lambda: None) -> None:
        self._study, self._on_open = study, on_open
        self._opened = _first_way(study.state)  # the way without limits yet: own, reason, or "" for neither
        self._own: dict[str, Any] = {}  # the last limits that were set on the page
        self._limits_of = study.state  # the state in which the limits were last changed
        self._method_of = study.state  # the state in which the method was last changed
        self._last = study.state
        ways = {
            "none": "Compare only",
            "own": "Set limits on this page",
            "reason": "No limit applies, for a stated reason",
        } | {name: load(name).name for name in available()}
        self._ways = ways
        self._way = Control(Parameter("way", str, "none", "Rule", choices=ways))
        self._source = Control(parameter_of(ReleaseLimits, "source"))
        self._source_label = self._source.parameter.label
        smallest = replace(
            parameter_of(ReleaseLimits, "smallest_count"), range=Range(0, MOST_MINIMUM), unlimited=0
        )
        self._smallest = Control(smallest, 0)
        self._small_cells = Control(_of_cells("small_cells", Range(0, 1, 0.01), 1.0))
        self._mean_size = Control(_of_cells("mean_cell_size", Range(0, 100, 0.5), 0.0))
        self._risk = Control(_limit("risk", 1.0, 0.001, more_is_better=False))
        self._loss = Control(_limit("loss", 1.0, 0.1, more_is_better=False))
        self._groups = Control(GROUP_DISCLOSURE, True)
        self._reason = Control(parameter_of(ReleaseLimits, "no_risk_limit"))
        files = Actions({}, {"Open a rule file": self._read})
        self._previous, self._clear = Text(), Actions({DEFAULTS: self._remove})
        self._way.on_change(self._choose)
        self._source.on_change(partial(set_words, study, "source"))
        self._reason.on_change(partial(set_words, study, "no_risk_limit"))
        self._smallest.on_change(lambda value: set_limit(study, smallest_count=value))
        self._groups.on_change(lambda value: set_limit(study, one_cell=int(value)))
        for name, control in (
            ("risk", self._risk),
            ("loss", self._loss),
            ("small_cells", self._small_cells),
            ("mean_cell_size", self._mean_size),
        ):
            control.on_change(partial(self._set, name, control))
        # The primary button leads to the source while it is missing, then to the minimum count. Both are in one box,
        # so that a small window shows them together.
        self._least = ipywidgets.VBox([self._smallest]).add_class("sdc-at-limits")
        self._named = ipywidgets.VBox([self._source, self._least]).add_class("sdc-at-source")
        self._limits = ipywidgets.VBox([self._risk, self._loss, self._small_cells, self._mean_size])
        self._no_limit = ipywidgets.VBox([self._reason]).add_class("sdc-at-reason")
        self.card = card(
            "Release rules and limits",
            self._previous,
            self._clear,
            self._way,
            self._named,
            self._groups,
            self._limits,
            self._no_limit,
            files,
        )
        follow(study, self._show)

    def ask(self) -> str:
        """Show the controls of the limits, and return the class of the first one that a verdict still requires."""
        if not self._opened:
            self._open("own")
        return {"source": "source", "reason": "reason"}.get(self.missing, "limits")

    @property
    def missing(self) -> str:
        """What a verdict still requires: limits, source, limit or reason; "" if nothing is missing."""
        limits = self._study.state.limits
        if limits.decides:
            return ""
        if not self._opened and limits == NO_LIMITS:
            return "limits"
        if not limits.has_source:
            return "source"
        return "reason" if self._way.value == "reason" else "limit"

    def _open(self, way: str) -> None:
        """Show the controls of a way to a decision, or hide them."""
        self._opened = way
        self._show()
        self._on_open()

    def _choose(self, value: str) -> None:
        if value == FROM_FILE:  # the rule that is applied already
            return
        self._opened = value if value in ("own", "reason") else ""
        limits = self._study.state.limits
        if value in available():
            take_rule(self._study, load(value))
        elif value == "own" and self._own:
            self._study.change(**self._own)
        elif value == "reason":
            source = "" if self._study.state.rule else limits.source
            only_reason = ReleaseLimits(source, no_risk_limit=limits.no_risk_limit)
            self._study.change(**(NOTHING_SET | {"limits": only_reason}))
        else:
            self._study.change(**NOTHING_SET)
        self._open(self._opened)

    def _remove(self) -> None:
        self._own, self._opened = {}, ""
        start = ProtectState(self._study.state.table)
        changes = {name: getattr(start, name) for name in ("method", "shown", "risk", "loss")}
        self._study.change(**NOTHING_SET, **changes)

    def _read(self, name: str, content: bytes) -> None:
        take_rule(self._study, rule_in(content, name))

    def _set(self, name: str, control: Control, value: float) -> None:
        limit = None if value == control.parameter.unlimited else value
        set_limit(self._study, **{name: limit})

    def _show(self, _: object = None) -> None:
        state = self._study.state
        limits = state.limits
        known = {load(name).limits: name for name in available()}
        if state.is_of_another_table(self._last):
            self._own = {}
        if state.source != self._last.source and limits == NO_LIMITS:
            self._opened = self._opened or _first_way(state)
        is_from_file = bool(state.rule) and limits not in known and HERE not in limits.source
        ways = self._ways | ({FROM_FILE: state.rule} if is_from_file else {})
        way = FROM_FILE if is_from_file else known.get(limits) or self._way_of(limits)
        if self._way.parameter.choices != ways:
            self._way.become(replace(self._way.parameter, choices=ways), way)
        self._way.show(way)
        if limits != NO_LIMITS and limits not in known and way != "reason":
            names = ("limits", "rule", "required", "risk", "loss")
            self._own = {name: getattr(state, name) for name in names}
        self._show_previous(state)
        self._show_limits(state, way)

    def _show_limits(self, state: ProtectState, way: str) -> None:
        """Show the limits, with the controls that belong to a way to a decision."""
        limits = state.limits
        reveal(way != "none", self._named, self._groups)
        self._groups.show(limits.one_cell > 0)
        reveal(way not in ("none", "reason"), self._least, self._limits)
        needs_reason = way == "own" and not limits.has_limit
        reveal(way == "reason" or limits.no_risk_limit or needs_reason, self._no_limit)
        self._source.offer(limits.source, label=SOURCE_OF_REASON if way == "reason" else self._source_label)
        self._reason.show(limits.no_risk_limit)
        self._smallest.show(limits.smallest_count)
        for control, limit in (
            (self._small_cells, limits.small_cells),
            (self._mean_size, limits.mean_cell_size),
        ):
            control.show(control.parameter.unlimited if limit is None else limit)
        most = float(f"{most_loss(state.table, state.loss_measure):.6g}")
        step = float(f"{most / 1000:.0e}")
        risk = _limit("risk", 1.0, 0.001, more_is_better=state.risk_measure.more_is_better)
        loss = _limit("loss", most, step, more_is_better=state.loss_measure.more_is_better)
        _offer(self._risk, risk, limits.risk, 1.0)
        _offer(self._loss, loss, limits.loss, most)

    def _way_of(self, limits: ReleaseLimits) -> str:
        """Return the way of limits that belong to no rule."""
        if not limits.has_limit and (self._opened or limits == NO_LIMITS):
            return self._opened or "none"
        return "own" if limits.has_limit or not limits.no_risk_limit.strip() else "reason"

    def _show_previous(self, state: ProtectState) -> None:
        """State which limits and which method are those of a previous table, until they are changed."""
        last, self._last = self._last, state
        if state.limits != last.limits:
            self._limits_of = state
        # A method that names an axis which the new table lacks begins with its default axis.
        if state.method != state.fitted(last.method):
            self._method_of = state
        limits = "" if state.source == self._limits_of.source else limits_in_force(state)
        is_default = state.method == state.fitted(ProtectState(state.table).method)
        is_chosen_here = state.source == self._method_of.source or is_default
        method = "" if is_chosen_here else describe(state.method)
        words = previous_words((self._limits_of.title, limits), (self._method_of.title, method))
        self._previous.show(words)
        reveal(words, self._previous, self._clear)


def _first_way(state: ProtectState) -> str:
    """Return the way whose controls are shown before limits are set: those of limits for a table that is no example."""
    return "" if isinstance(state.source, Example) else "own"


def _offer(control: Control, declaration: Parameter, limit: float | None, high: float) -> None:
    """Show a limit in its control, whose scale may have changed."""
    value = declaration.unlimited if limit is None else min(limit, high)
    if control.parameter != declaration:
        control.become(declaration, value)
    control.show(value)


def _limit(name: str, high: float, step: float, *, more_is_better: bool) -> Parameter:
    """Return the declaration of a limit; the end of its scale that never restricts is shown as "no limit"."""
    label = (BETTER_MORE if more_is_better else BETTER_LESS)[name]
    unlimited = 0.0 if more_is_better else high
    return Parameter(
        f"limit_{name}", float, unlimited, label, range=Range(0, high, step), unlimited=unlimited
    )


def _of_cells(name: str, scale: Range, unlimited: float) -> Parameter:
    """Return the declaration of a limit on the sizes of all cells, with the scale of its control."""
    declared = parameter_of(ReleaseLimits, name)
    return replace(declared, type=float, default=unlimited, range=scale, kind=None, unlimited=unlimited)


def _words_on_original(result: ProtectResult) -> str:
    """Return whether the original counts are released, or why they are not."""
    if result.is_original:
        return IS_ORIGINAL
    verdict = result.as_it_is
    answer = "required" if result.state.required is not None else verdict.answer
    words = NOT_ORIGINAL.get(answer, "")
    if answer == "not yet" and verdict.stops:
        words += f" First of {counted(len(verdict.stops), 'violation')}: {verdict.stops[0].words}."
    return words


def method_card(study: ProtectStudy) -> ipywidgets.VBox:
    """Return the card of the method: the common ones, settings, and the other methods on demand."""
    rest = len(methods.available()) - len(SHOWN_FIRST)
    choices = SHOWN_FIRST | {NO_METHOD: "No protection"}
    usual = Control(Parameter("usual", str, "", "Common methods", choices=choices), look="buttons")
    no_method = Text()
    controls = MethodControls(study)
    anyway = Control(Parameter("protects", bool, False, "Publish the protected table", ANYWAY))
    anyway.on_change(lambda value: study.change(protects=value))
    reading = settings_control(study, "suppressed")
    replications, seed = settings_control(study, "replications"), settings_control(study, "seed")
    more = ipywidgets.VBox([replications, seed])
    opened = [False]
    refused: list[ProtectState | None] = [None]  # state in which the user selected no protection last

    def choose(name: str) -> None:
        if name == NO_METHOD:
            study.change(protects=False)
            refused[0] = study.state
            show()
        else:
            study.put(study.state.with_method(name).changed(protects=True))

    usual.on_change(choose)

    def toggle() -> None:
        opened[0] = not opened[0]
        show()

    button = Actions({f"Show {rest} more methods": toggle})

    def show(_: object = None) -> None:
        name, is_original = study.state.method.name, study.result.is_original
        usual.show(NO_METHOD if is_original else name if name in SHOWN_FIRST else "")
        is_asked = is_original or refused[0] is study.state
        no_method.show(_words_on_original(study.result) if is_asked else "")
        anyway.show(study.state.protects)
        reveal(study.state.required is None and study.result.as_it_is.answer == "release", anyway)
        wide = opened[0] or name not in SHOWN_FIRST
        controls.narrow(not wide)
        reveal(study.state.method.suppresses, reading)
        # A secret seed also chooses the result of methods whose replicates are all equal.
        reveal(wide and not study.state.method.deterministic, replications)
        reveal(wide and study.state.method.seeded, seed)
        button.relabel(0, "Show fewer methods" if wide else f"Show {rest} more methods")

    follow(study, show)
    return card("Method", anyway, usual, no_method, controls, reading, more, button)
