"""Release decision for a table or a protected release: release, not yet, or compare only."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from sdcwidgets._util.arguments import check_flag, check_kind, check_number, check_texts, wrong
from sdcwidgets._util.errors import InputError, described, type_with_article
from sdcwidgets._util.labels import and_more, counted, quoted, shortened
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.seeds import is_guessable
from sdcwidgets.assessment.verdict.limits import KINDS, ReleaseLimits
from sdcwidgets.assessment.verdict.other_tables import given_away
from sdcwidgets.assessment.verdict.rule_file import Rule
from sdcwidgets.assessment.verdict.violations import (
    Stop,
    cell_sizes,
    disclosures,
    further_inference,
    smallest_published,
    too_small,
    unchecked,
    unchecked_sums_of_keys,
    unknown_counts,
)
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.methods.effect import MethodEffect, effect_of
from sdcwidgets.tables.linked_release import LinkedRelease
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

Answer = Literal["release", "not yet", "compare only"]

#: Relative change of the risk below which a method is reported as giving hardly any protection.
HARDLY_ANY = 0.02

#: Maximum number of higher levels that a condition names.
MOST_NAMED = 8

#: Names of versions of the disclosure risk in a sentence; the full titles of these measures contain references.
RISK_NAMES = {
    "r2": "the disclosure risk",
    "r2_uncertainty": "the disclosure risk (PSD 2014)",
    "r2_followed": "the disclosure risk (people followed)",
    "r2_star": "the unweighted disclosure risk",
    "r2_star_uncertainty": "the unweighted disclosure risk (PSD 2014)",
    "r2_star_followed": "the unweighted disclosure risk (people followed)",
}


def _accepting_argument(name: str) -> str:
    """Return the argument in Python that accepts a violation."""
    return f'pass accepted={{{quoted(name)}: "REASON"}}'


def _accepting_option(name: str) -> str:
    """Return the option of the command line that accepts a violation."""
    return f"add --accept {shlex.quote(f'{name}=REASON')}"


@dataclass(frozen=True)
class Verdict:
    """Release decision according to certain limits, with the rule violations.

    A release under a rule that is known carries information itself: with the reading "shown", the answer depends on the
    original counts, so that a data user can rule out tables that would not have been released.

    Attributes
    ----------
    limits : ReleaseLimits
    stops : tuple of Stop
        Rule violations, most severe first.
    accepted : tuple of (Stop, str)
        Accepted violations with the reasons.
    reported : tuple of Stop
        Findings that the limits do not treat as violations.
    more : mapping of str to int
        Total number by kind, for kinds with more violations than are listed.
    before, residual, loss : float
        Risk of the original table, residual risk, and information loss.
    risk_measure, loss_measure : Measure
    as_it_is : bool
        Whether the original table is judged, without protection.
    asserted : str
        Method that is asserted to have been applied already; "" for none.
    cell_sizes_kept : tuple of str
        Sentences on the limits of the share of small cells and of the mean cell size that the table keeps.
    method_effect : MethodEffect, optional
        Name of the method, and what it did to the table; None for the original table or an unknown method.
    smallest : str
        Smallest published count above 0 with its place, if the limits have a minimum count; otherwise "". If the
        counts are weighted, this is the smallest number of respondents.
    is_weighted : bool
        Whether the counts are sums of weights of respondents.
    unpublished : tuple of str
        Names of higher levels whose totals were not checked. A release is allowed only if they are not published.
    has_only_totals : bool
        Whether all published counts above 0 are totals.
    """

    limits: ReleaseLimits
    stops: tuple[Stop, ...]
    accepted: tuple[tuple[Stop, str], ...]
    reported: tuple[Stop, ...]
    more: Mapping[str, int]
    before: float
    residual: float
    loss: float
    risk_measure: Measure
    loss_measure: Measure
    as_it_is: bool = False
    asserted: str = ""
    smallest: str = ""
    cell_sizes_kept: tuple[str, ...] = ()
    method_effect: MethodEffect | None = None
    unpublished: tuple[str, ...] = ()
    has_only_totals: bool = False
    is_weighted: bool = False

    @cached_property
    def answer(self) -> Answer:
        """Decision; never "release" while there are violations."""
        if not self.limits.decides:
            return "compare only"
        return "not yet" if self.stops else "release"

    @property
    def step(self) -> int:
        """Step of the thesis, section 5.2, that decides: 4, 8, 12 or 15."""
        if not self.stops:
            return 4 if self.as_it_is else 15
        return 12 if self.stops[0].kind in ("empty", "loss") else 8

    @property
    def sentence(self) -> str:
        """Decision in one sentence, and a sentence on the values without a limit, as plain text."""
        if self.answer == "compare only":
            return self._compared
        if self.stops:
            first = self.stops[0]
            return f"Not yet: {first.words}{self._further_violations}."
        values = f": {', '.join(self._limited_values)}" if self._limited_values else ""
        meets = f"{self._meets}{values}"
        if self.asserted:
            assumed = f"assuming that {self.asserted} was already applied, as asserted"
            return f"{self._yes} – the table in this file {meets}, {assumed}.{self._without_limit}"
        if self.as_it_is:
            return f"{self._yes} – the original table {meets}.{self._without_limit}"
        number = len(self.accepted)
        accepted = f", with {counted(number, 'accepted violation')}" if number else ""
        table = "the table" if self.method_effect is None else f"{self.method_effect}, and the table"
        return f"{self._yes}{accepted} – {table} {meets}.{self._without_limit}"

    @property
    def _yes(self) -> str:
        """The word "Yes", with the condition on unchecked totals, and with what is left of the table."""
        condition = f", {self.condition}" if self.condition else ""
        only_totals = ", but no cell has a published count above 0" if self.has_only_totals else ""
        return f"Yes{condition}{only_totals}"

    @property
    def condition(self) -> str:
        """Condition of a release on the totals of higher levels as a clause, such as districts of municipalities."""
        if not self.unpublished:
            return ""
        names = and_more([quoted(name) for name in self.unpublished], MOST_NAMED)
        return f"if the totals of {names} are not published"

    @property
    def _meets(self) -> str:
        """Clause on whose limits the table meets, or who decided that no limit applies."""
        source = self.limits.source.strip()
        return (
            f"meets the limits of {source}"
            if self.limits.has_limit
            else f"needs no limit according to {source}"
        )

    @property
    def _limited_values(self) -> list[str]:
        """Values that the limits concern, each with its limit."""
        limits = self.limits
        values = list[str]()
        if self.smallest:
            smallest, least = self.smallest.split()[0], limits.smallest_count
            if self.is_weighted:
                basis = counted(int(smallest.replace(",", "")), "respondent")
                values.append(f"each published number is based on at least {basis} (minimum {least})")
            else:
                values.append(f"smallest published count {smallest} (without zeros; minimum {least})")
        if limits.small_cells is not None:
            values.append(f"share of cells with small counts not above {limits.small_cells:.15g}")
        if limits.mean_cell_size:
            values.append(f"mean cell size not below {limits.mean_cell_size:.15g}")
        for noun, measure, value, limit in self._measured:
            if limit is not None:
                bound = "minimum" if measure.more_is_better else "maximum"
                values.append(f"{noun} {measure.format_value(value, limit)} ({bound} {limit:.15g})")
        return values

    @property
    def _measured(self) -> list[tuple[str, Measure, float, float | None]]:
        """Risk and information loss: the name, the measure, the value and the limit of each."""
        risk, loss = self.risk_measure, self.loss_measure
        if self.as_it_is:
            return [("risk", risk, self.residual, self.limits.most_risk(as_it_is=True))]
        noun = "utility" if loss.more_is_better else "information loss"
        most_risk = self.limits.most_risk(as_it_is=False)
        return [("residual risk", risk, self.residual, most_risk), (noun, loss, self.loss, self.limits.loss)]

    @property
    def _without_limit(self) -> str:
        """Sentence on the values for which no limit was set, after a space; "" if there are none."""
        values = [
            f"{noun} ({measure.format_value(value)})"
            for noun, measure, value, limit in self._measured
            if limit is None
        ]
        return f" No limit was set for {' and '.join(values)}." if values else ""

    def __str__(self) -> str:
        """Return the lines, so that `print(verdict)` shows the decision and its reasons."""
        return "\n".join(self.lines)

    def _others(self, first: Stop) -> str:
        """Return how many further violations have the kind of the first, as text."""
        number = self.number(first.kind) - 1
        return f", and {counted(number, 'other')}" if number > 0 else ""

    @property
    def _further_violations(self) -> str:
        """Number of violations of all kinds except the first violation, as text."""
        number = sum(self.number(kind) for kind in {stop.kind for stop in self.stops}) - 1
        if number == 0:
            return ""
        return f", and there {'is' if number == 1 else 'are'} {counted(number, 'further violation')}"

    def number(self, kind: str) -> int:
        """Return the number of violations of a kind, or of reported findings if there are none."""
        standing = sum(stop.kind == kind for stop in self.stops)
        known = standing or sum(stop.kind == kind for stop in self.reported)
        return max(known, self.more.get(kind, 0))

    @property
    def _compared(self) -> str:
        risk = self.risk_measure
        if self.as_it_is:
            return (
                f"The risk of the original table is {risk.format_value(self.before)}. "
                "Set limits to get a release decision."
            )
        return self.effect

    @property
    def protection(self) -> str:
        """Name of the method and what it did to the table, in one sentence; "" if the method is not known."""
        return "" if self.method_effect is None else self.method_effect.sentence

    @property
    def effect(self) -> str:
        """Effect of the protection on the risk, in one sentence; changes below 2 % count as hardly any."""
        measure = self.risk_measure
        name = RISK_NAMES.get(measure.name, f"the value of {shortened(measure.title)}")
        first = f"{name[:1].upper()}{name[1:]}"
        if np.isnan(self.residual) or np.isnan(self.before):
            values = measure.format_value(self.residual), measure.format_value(self.before)
            return f"{first} is {values[0]} after protection, and {values[1]} before."
        before, after = _digits_apart(self.before, self.residual)
        change = self.change
        if self.before == self.residual == 0:
            return f"{first} is {after} before and after protection."
        if before == after:
            return f"{first} hardly changes: {after} before and after protection."
        if self.before == 0 or (change > 0) != measure.more_is_better or abs(change) >= HARDLY_ANY:
            subject = "Protection" if self.method_effect is None else self.method_effect.method
            verb = "raises" if self.residual > self.before else "lowers"
            return f"{subject} {verb} {name} from {before} to {after}."
        verb = "rises" if self.residual > self.before else "falls"
        return f"{first} hardly changes: it {verb} from {before} to {after}."

    @property
    def change(self) -> float:
        """Relative change of the risk; nan if the risk before protection is 0."""
        return (self.residual - self.before) / self.before if self.before else float("nan")

    @property
    def is_hardly_protected(self) -> bool:
        """Whether protection lowers the risk by less than 2 %, or raises it."""
        if np.isnan(self.residual) or np.isnan(self.before) or self.before == 0:
            return False
        improvement = self.change if self.risk_measure.more_is_better else -self.change
        return improvement < HARDLY_ANY

    @cached_property
    def limits_kept(self) -> tuple[str, ...]:
        """Limits of the rules that the table keeps, each with the value that the table reaches."""
        if not self.limits.decides:
            return ()
        standing = {stop.kind for stop in (*self.stops, *(stop for stop, _ in self.accepted))}
        lines = list[str]()
        if self.smallest and "small-count" not in standing:
            subject = (
                "The smallest number of respondents of a published number"
                if self.is_weighted
                else "The smallest published count above 0"
            )
            lines.append(f"{subject} is {self.smallest}, and the minimum is {self.limits.smallest_count}.")
        lines += self.cell_sizes_kept
        most_risk = self.limits.most_risk(as_it_is=self.as_it_is)
        for kind, measure, value, limit in (
            ("risk", self.risk_measure, self.residual, most_risk),
            ("loss", self.loss_measure, self.loss, self.limits.loss),
        ):
            if limit is not None and kind not in standing and not np.isnan(value):
                text = measure.format_value(value, limit)
                lines.append(f"{shortened(measure.title)}: {text}; the limit is {limit:.15g}.")
        return tuple(lines)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines of the text: decision, limits that are kept, violations with remedies, and findings."""
        return self._all_lines(_accepting_argument)

    @cached_property
    def command_lines(self) -> tuple[str, ...]:
        """Lines of the command line, which accepts violations by an option."""
        return self._all_lines(_accepting_option)

    def _all_lines(self, accepting: Callable[[str], str]) -> tuple[str, ...]:
        lines = [self.sentence]
        if self.answer == "compare only":
            if self.as_it_is:
                lines = [
                    f"The disclosure risk of the table is {self.risk_measure.format_value(self.before)}."
                ]
            lines.append(f"{self.limits.missing} This result is a comparison, not a release decision.")
        elif not self.as_it_is and self.is_hardly_protected:
            lines.append(self.effect)
        if self.answer != "release" and self.protection:
            lines.append(self.protection)
        lines += [f"Limit kept: {line}" for line in self.limits_kept]
        lines += [
            self._violation_line(kind, accepting) for kind in dict.fromkeys(stop.kind for stop in self.stops)
        ]
        lines += [
            f"Accepted: {stop.words}, because {reason.strip().rstrip('.')}." for stop, reason in self.accepted
        ]
        for kind in dict.fromkeys(stop.kind for stop in self.reported):
            first = next(stop for stop in self.reported if stop.kind == kind)
            lines.append(f"Reported only: {first.words}{self._others(first)}.")
        return tuple(lines)

    def _violation_line(self, kind: str, accepting: Callable[[str], str]) -> str:
        """Return the first violations of a kind, with the remedy and how to accept them."""
        some = [stop for stop in self.stops if stop.kind == kind][:3]
        rest = self.number(kind) - len(some)
        more = f", and {rest:,} more" if rest > 0 else ""
        words = "; ".join(stop.words for stop in some)
        line = f"{words}{more}. {some[0].why} {some[0].remedy}"
        if not self.limits.decides:
            return f"Note: {line}"
        # A kind accepts all of its violations; the command line splits at the first equals sign.
        name = some[0].name if self.number(kind) == 1 and "=" not in some[0].name else kind
        accept = "To accept all violations of this kind" if name == kind else "To accept this violation"
        return f"Stop: {line} {accept}, {accepting(name)}."

    def accepting(self, reasons: Mapping[str, str]) -> Verdict:
        """Return the verdict after accepting violations by name, or all of a kind by its kind.

        Raises
        ------
        InputError
            If there is no such violation, or a reason is empty.
        """
        agreed, names = list(self.accepted), {stop.name for stop in self.stops}
        kinds = {stop.kind for stop in self.stops}
        for name, reason in reasons.items():
            if name not in names | kinds:
                if not names:
                    raise InputError(f"There is no violation to accept, so remove {name!r}.")
                standing = "; ".join(sorted(names)[:8])
                raise InputError(f"There is no violation {name!r} to accept; choose from: {standing}.")
            if not reason.strip():
                raise InputError(f"The violation {name!r} is accepted without a reason; give a reason.")
        remaining = []
        for stop in self.stops:
            reason = reasons.get(stop.name, reasons.get(stop.kind, ""))
            if reason:
                agreed.append((stop, reason))
            else:
                remaining.append(stop)
        # A kind with more violations than are listed can only be accepted as a whole.
        for kind in {stop.kind for stop, _ in agreed} & set(self.more):
            if kind not in reasons:
                raise InputError(
                    f"There are {self.more[kind]:,} violations of the kind {kind!r}; accept the kind as a whole."
                )
        return replace(self, stops=tuple(remaining), accepted=tuple(agreed))

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        numbers = {"risk_before": self.before, "risk_left": self.residual, "loss": self.loss}
        return {
            "answer": self.answer,
            "sentence": self.sentence,
            "method": self.protection,
            "source": self.limits.source,
            "asserted": self.asserted,
            "unpublished": list(self.unpublished),
            "stops": [stop.to_dict() for stop in self.stops],
            "accepted": [stop.to_dict() | {"reason": reason} for stop, reason in self.accepted],
            "told": [stop.to_dict() for stop in self.reported],
            "in_all": dict(self.more),
            "limits_kept": list(self.limits_kept),
            **{name: None if np.isnan(value) else value for name, value in numbers.items()},
        }


def _digits_apart(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with three decimals, or with up to six if they would be equal otherwise."""
    for digits in range(3, 7):
        texts = f"{first:.{digits}f}", f"{second:.{digits}f}"
        if texts[0] != texts[1]:
            return texts
    return f"{first:.3f}", f"{second:.3f}"


def judge(
    table: FrequencyTable,
    release: Release | None = None,
    limits: ReleaseLimits | Rule | None = None,
    *,
    settings: Settings | None = None,
    seed: int | None = None,
    accepted: Mapping[str, str] | None = None,
    others: Sequence[Release] = (),
    values: tuple[float, float] | None = None,
    closely: bool = True,
    required: Method | None = None,
    asserted: str = "",
    unknown: int | None = None,
    unpublished: Sequence[str] = (),
) -> Verdict:
    """Decide whether a table may be released according to the limits of an organisation.

    Parameters
    ----------
    table : FrequencyTable
        Original counts. If they are sums of weights, small groups are judged by their number of respondents.
    release : Release, optional
        Release to be judged; default: the original table.
    limits : ReleaseLimits or Rule, optional
        Release rules, such as ``verdict.load("minimum-frequency")``, or limits alone. If the rules require a method,
        the violation "method" states that the release was made by another method, or that its method is not
        known. Limits alone require no method. Without a source or any limit the result is "compare only".
    settings : Settings, optional
        Settings of the measures.
    seed : int, optional
        Random seed of the release, if known. `protect` states in the release whether its seed is guessable, so that
        its seed need not be passed.
    accepted : mapping of str to str, optional
        Reasons for accepted violations, by name or kind.
    others : sequence of Release
        Other published tables of the same population.
    values : (float, float), optional
        Residual risk and information loss, if already computed.
    closely : bool
        Whether to compute disclosures by suppressed values and other tables, and whether people without a partner
        narrow the intervals of swapped records; otherwise these are violations "unchecked".
    required : Method, optional
        Required method with its settings; default: the method that the rules require. It is a violation if the release
        was not made by this method with these settings, unless the method is `asserted`.
    asserted : str
        Name of a method that is asserted to have been applied already.
    unknown : int, optional
        Number of counts that the input did not contain and that are 0 in the table; default: the unknown counts of the
        table. They are a violation.
    unpublished : sequence of str
        Names of higher levels of the input whose totals are not in the table, such as `Reading.levels`. The verdict
        states that they must not be published.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        If an accepted violation does not exist or has no reason, or the published values contradict each other.

    Examples
    --------
    All people of the second row are in one cell, and suppression next to a published total does not hide this:

    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets import methods
    >>> table = FrequencyTable([[20, 30, 40], [0, 7, 0]], {"Area": ["Area 1", "Area 2"], "Does": ["a", "b", "c"]})
    >>> hidden = methods.get("threshold-suppression")(zeros=True).release(table, 1)
    >>> print(judge(table, hidden, ReleaseLimits("Panel, May 2026", smallest_count=3)).sentence)
    Not yet: Area 2 still shows all people in one cell, and there are 4 further violations.

    Rules that require cell suppression do not allow a release of another method:

    >>> from sdcwidgets import examples, protect
    >>> from sdcwidgets.assessment.verdict import load
    >>> table = examples.load("religion")
    >>> rounded = protect(table, "random-rounding", base=5)
    >>> any(stop.kind == "method" for stop in judge(table, rounded, load("minimum-frequency")).stops)
    True
    """
    _check_options(settings, seed, values, closely, required)
    check_texts("unpublished", unpublished)
    _check_arguments(table, release, limits, accepted, others)
    if isinstance(limits, Rule):
        required = limits.method if required is None else required
        limits = limits.limits
    limits, settings = limits or ReleaseLimits(), settings or Settings()
    risk, loss_measure = limits.measured(table, settings)
    before = risk.before(table)
    true = table if release is None else release.regroup(table)
    public = Release.of(true) if release is None else release
    if values is None:
        batch = Batch(table) if release is None else Batch.of_release(table, release, settings.suppressed)
        values = float(risk.values(batch)[0, 0]), float(loss_measure.values(batch)[0, 0])
    residual, loss = values
    groups = list(disclosures(true, release, limits, closely=closely))
    groups += unknown_counts(_number_of_unknown(table, unknown), true.unit)
    groups += further_inference(public, closely=closely)
    groups += unchecked_sums_of_keys(public, limits)
    if others and closely:
        groups.append(given_away(true, public, others, all_but_one=limits.all_but_one > 0))
    elif others:
        words = f"the check with {counted(len(others), 'other table')} is not finished"
        why = "The program still computes which counts all published tables together disclose."
        groups.append(unchecked("tables", words, why))
    groups += too_small(true, public, limits, closely=closely)
    sizes = cell_sizes(true, public, limits)
    groups += [
        ([stop], 1)
        for stop in _numbers(
            public, limits, (risk, residual), (loss_measure, loss), seed, release is None, asserted
        )
    ]
    groups += [([stop], 1) for stop in sizes.stops]
    groups += _of_method(required, release, asserted)
    more = {stops[0].kind: number for stops, number in groups if number > len(stops) > 0}
    every = itertools.chain(*(stops for stops, _ in groups))
    stops, below = _by_limits(sorted(every, key=lambda stop: list(KINDS).index(stop.kind)), limits)
    verdict = Verdict(
        limits,
        tuple(stops),
        (),
        tuple(below),
        more,
        before,
        residual,
        loss,
        risk,
        loss_measure,
        as_it_is=release is None,
        asserted=asserted,
        smallest=smallest_published(true, public) if limits.smallest_count > 1 else "",
        cell_sizes_kept=sizes.kept,
        method_effect=effect_of(table, release),
        is_weighted=true.respondents is not None,
        unpublished=tuple(unpublished),
        has_only_totals=release is not None and not np.nan_to_num(release.cells).any(),
    )
    return verdict.accepting(accepted) if accepted else verdict


def _number_of_unknown(table: FrequencyTable, stated: int | None) -> int:
    """Return the stated number of unknown counts; by default that of the table."""
    if stated is None:
        return table.unknown_cells
    check_number("unknown", stated, whole=True)
    return stated


def _check_arguments(
    table: object, release: object, limits: object, accepted: object, others: object
) -> None:
    """Raise InputError for arguments of another type."""
    table_of(table)
    if isinstance(release, LinkedRelease):
        raise InputError(
            "The release is a LinkedRelease with sub-totals or linked tables, which judge cannot check; pass the "
            "result of protect without hierarchies and tables."
        )
    if release is not None and not isinstance(release, Release):
        raise InputError(
            f"The release is {type_with_article(release)}; pass the result of protect(table, method)."
        )
    if limits is not None and not isinstance(limits, ReleaseLimits | Rule):
        raise InputError(
            f"The limits are {type_with_article(limits)}; pass ReleaseLimits, or release rules, such as "
            'verdict.load("minimum-frequency").'
        )
    if accepted is not None and not isinstance(accepted, Mapping):
        raise InputError(
            f"The accepted violations are {described(accepted)}; they must be a mapping of violations to reasons."
        )
    if not isinstance(others, Sequence) or not all(isinstance(other, Release) for other in others):
        raise InputError(
            f"The other tables are {described(others)}; they must be a list of releases, such as [Release.of(table)]."
        )


def _check_options(settings: object, seed: object, values: object, closely: object, required: object) -> None:
    """Raise InputError for optional arguments of another type."""
    if settings is not None:
        check_kind("settings", settings, Settings, "the settings of an assessment")
    if seed is not None:
        check_number("seed", seed, whole=True)
    if values is not None:
        if not isinstance(values, tuple | list) or len(values) != 2:
            raise wrong("values", values, "the risk and the information loss")
        for value in values:
            check_kind("values", value, (int, float, np.number), "two numbers")
    check_flag("closely", closely)
    if required is not None:
        check_kind("required", required, Method, "a method, such as methods.get('random-rounding')()")


def _of_method(
    required: Method | None, release: Release | None, asserted: str
) -> list[tuple[list[Stop], int]]:
    """Return the violation that a release was not made by the required method, if it is one."""
    if required is None or required.name == asserted:
        return []
    if release is not None and release.method == required:
        return []
    return [([_not_shown(required, release)], 1)]


def _not_shown(required: Method, release: Release | None) -> Stop:
    """Return the violation that a required method was not applied, or is not known to have been applied."""
    rules = f"The release rules require the method {required.name}"
    if release is None:
        words = "there is no evidence that the required method was applied"
        why = f"{rules}, and the file does not show whether this method was applied."
    elif release.method is None:
        words = "there is no evidence that the required method was applied"
        why = f"{rules} with {_settings_of(required)}, and the release does not show whether this method was applied."
    elif release.method.name != required.name:
        words = "the release was not made by the required method"
        why = f"{rules} with {_settings_of(required)}; the release was made by the method {release.method.name}."
    else:
        words = "the required method was applied with other settings"
        why = f"{rules} with {_settings_of(required)}; the settings of the release are {_settings_of(release.method)}."
    return Stop("method", "method", words, why)


def _settings_of(method: Method) -> str:
    """Return the settings of a method as text."""
    names = [parameter.name for parameter in declared(type(method))]
    return ", ".join(f"{name.replace('_', '-')} {getattr(method, name)}" for name in names) or "no settings"


def _by_limits(stops: Iterable[Stop], limits: ReleaseLimits) -> tuple[list[Stop], list[Stop]]:
    """Return the violations according to the limits, and findings about fewer people than the limits require."""
    stand, below = list[Stop](), list[Stop]()
    for stop in stops:
        least = limits.people(stop.kind)
        (stand if least > 0 and (stop.people >= least or not stop.people) else below).append(stop)
    return stand, below


def _limit_of(measure: Measure, limit: float, *, as_it_is: bool, asserted: str) -> str:
    """Return a sentence on the limit of the risk, and the measure that computes the risk."""
    noun = "protection" if measure.more_is_better else "risk"
    side = "at least" if measure.more_is_better else "below"
    if as_it_is:
        subject = "a file" if asserted else "an original table"
        return f"The {noun} of {subject} must be {side} {limit:.15g}, by the measure {measure.name}."
    return f"The residual {noun} must be {side} {limit:.15g}, by the measure {shortened(measure.title)}."


def _numbers(
    public: Release,
    limits: ReleaseLimits,
    risk: tuple[Measure, float],
    loss: tuple[Measure, float],
    seed: int | None,
    as_it_is: bool,
    asserted: str = "",
) -> Iterator[Stop]:
    """Yield the violations that concern the whole table and its seed."""
    if not as_it_is and not any(np.nan_to_num(values).any() for values in public.values.values()):
        yield Stop(
            "empty",
            "empty",
            "all published counts are 0 or suppressed",
            "A table of zeros and suppressed values, also in all totals, contains no information.",
        )
    measure, value = risk
    limit = limits.most_risk(as_it_is=as_it_is)
    if limit is not None and (np.isnan(value) or not measure.within(value, limit)):
        subject = "residual"
        if as_it_is:
            subject = "file’s" if asserted else "original table’s"
        text = measure.format_value(value, limit)
        words = f"the {subject} risk ({text}) is above your limit ({limit:.15g})"
        if value == limit:
            words = f"the {subject} risk ({text}) is not below your limit ({limit:.15g})"
        elif measure.more_is_better:
            words = f"the {subject} protection ({text}) is below your limit ({limit:.15g})"
        yield Stop("risk", "risk", words, _limit_of(measure, limit, as_it_is=as_it_is, asserted=asserted))
    measure, value = loss
    if (
        limits.loss is not None
        and not as_it_is
        and (np.isnan(value) or not measure.within(value, limits.loss))
    ):
        noun = "utility" if measure.more_is_better else "information loss"
        yield Stop(
            "loss",
            "loss",
            f"the {noun} is {measure.format_value(value, limits.loss)}, and your limit is {limits.loss:.15g}",
            f"The rules limit the {noun} by the measure {shortened(measure.title)}.",
        )
    if public.exact:  # nothing is suppressed or changed, so the seed discloses nothing
        return
    if seed is not None and is_guessable(seed):
        yield _guessable(f"the random seed ({seed})", public.method)
    elif public.has_guessable_seed:
        yield _guessable("the random seed of the release", public.method)


def _guessable(seed: str, method: Method | None) -> Stop:
    """Return the violation that an intruder can guess the seed."""
    if method is not None and method.suppresses:
        words = f"{seed}, which selects the suppressed cells, is guessable"
        return Stop(
            "seed", "seed", words, "Anyone who guesses the seed can infer suppressed counts more closely."
        )
    why = "Anyone who guesses the seed can reconstruct the original counts."
    return Stop("seed", "seed", f"{seed} is guessable", why)
