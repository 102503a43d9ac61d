"""The verdict on a table or on what is published of it: release, not yet, or compare only."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, shortened
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.seeds import is_guessable
from sdcwidgets.assessment.verdict.beside import given_away
from sdcwidgets.assessment.verdict.limits import KINDS, ReleaseLimits
from sdcwidgets.assessment.verdict.stops import Stop, disclosures, too_small, unchecked
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

Answer = Literal["release", "not yet", "compare only"]

#: A fall of the whole-table risk below this share is hardly any protection.
HARDLY_ANY = 0.02


@dataclass(frozen=True)
class Verdict:
    """Whether a table may be released, by whose limits, and what stands against it.

    A release under a rule that is known carries information itself: with the reading "shown", the answer depends on the
    original counts, so that a data user can rule out tables that would not have been released.

    Attributes
    ----------
    limits : ReleaseLimits
    stops : tuple of Stop
        What stands, the gravest first.
    accepted : tuple of (Stop, str)
        What would stop it and was accepted, each with the reason.
    reported : tuple of Stop
        What the limits do not ask for and a person should know.
    more : mapping of str to int
        Of kinds with more stops than are named: how many there are in all.
    before, residual, loss : float
        The risk of the true table, what is left of it, and what was lost.
    risk_measure, loss_measure : Measure
    as_it_is : bool
        Whether it is about the true table, without protection.
    asserted : str
        The method that the table is asserted to be protected with already, "" for none.
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

    @property
    def answer(self) -> Answer:
        """The answer; it never is "release" while a stop stands."""
        if not self.limits.decides:
            return "compare only"
        return "not yet" if self.stops else "release"

    @property
    def step(self) -> int:
        """At which of the 15 steps of the thesis, section 5.2, it falls: 4, 8, 12 or 15."""
        if not self.stops:
            return 4 if self.as_it_is else 15
        return 12 if self.stops[0].kind in ("empty", "loss") else 8

    @property
    def sentence(self) -> str:
        """The answer in one sentence; labels in it are no markup."""
        risk, loss = self.risk_measure, self.loss_measure
        if self.answer == "compare only":
            return self._compared
        if self.stops:
            first = self.stops[0]
            return f"Not yet: {first.words}{self._others(first)}."
        residual = risk.format_value(self.residual, self.limits.most_risk(as_it_is=self.as_it_is))
        if self.as_it_is:
            assertion = (
                f", given that {self.asserted} was already applied, as asserted" if self.asserted else ""
            )
            return f"Yes, as it is, by the rule of {self.limits.source.strip()}: its risk is {residual}{assertion}."
        return (
            f"Yes, by the rule of {self.limits.source.strip()}: risk left {residual}, "
            f"{'kept' if loss.more_is_better else 'lost'} {loss.format_value(self.loss, self.limits.loss)}."
        )

    def _others(self, first: Stop) -> str:
        """Return how many more stops there are of the kind of the first."""
        number = self.number(first.kind) - 1
        return f", and {counted(number, 'other')}" if number > 0 else ""

    def number(self, kind: str) -> int:
        """Return how many stops of a kind stand; where none does, how many are told."""
        standing = sum(stop.kind == kind for stop in self.stops)
        known = standing or sum(stop.kind == kind for stop in self.reported)
        return max(known, self.more.get(kind, 0))

    @property
    def _compared(self) -> str:
        risk = self.risk_measure
        if self.as_it_is:
            return (
                f"Its risk is {risk.format_value(self.before)}; whether that is small enough is yours to say."
            )
        return self.effect

    @property
    def effect(self) -> str:
        """What protection does to the risk, in a sentence; a fall below 2 % is called hardly any protection."""
        measure = self.risk_measure
        name = "the disclosure risk" if measure.name == "r2" else shortened(measure.title)
        if np.isnan(self.residual) or np.isnan(self.before):
            values = measure.format_value(self.residual), measure.format_value(self.before)
            return f"{name[0].upper()}{name[1:]}: {values[0]} after protection, {values[1]} before."
        before, after = _digits_apart(self.before, self.residual)
        change = self.change
        if self.before == self.residual == 0:
            return f"{name[0].upper()}{name[1:]} is {after} before and after protection."
        if before == after:
            return f"Hardly any protection: {name} stays at {after}."
        if self.before == 0 or (change > 0) != measure.more_is_better or abs(change) >= HARDLY_ANY:
            verb = "raises" if self.residual > self.before else "lowers"
            return f"Protection {verb} {name} from {before} to {after}."
        verb = "rises" if self.residual > self.before else "falls"
        return f"Hardly any protection: {name} {verb} from {before} to {after}."

    @property
    def change(self) -> float:
        """The change of the risk, as a share of the risk before; nan where that is none."""
        return (self.residual - self.before) / self.before if self.before else float("nan")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What a command line says: the answer, each kind of stop with its remedy, what was accepted, what is told."""
        lines = [self.sentence]
        if self.answer == "compare only":
            lines.append(f"{self.limits.missing} The table is only compared.")
        for kind in dict.fromkeys(stop.kind for stop in self.stops):
            some = [stop for stop in self.stops if stop.kind == kind][:3]
            rest = self.number(kind) - len(some)
            more = f", and {rest:,} more" if rest > 0 else ""
            words = "; ".join(stop.words for stop in some)
            lines.append(
                f"{'Stop' if self.limits.decides else 'Note'}: {words}{more}. {some[0].why} {some[0].remedy}"
            )
        lines += [
            f"Accepted: {stop.words}, because {reason.strip().rstrip('.')}." for stop, reason in self.accepted
        ]
        for kind in dict.fromkeys(stop.kind for stop in self.reported):
            first = next(stop for stop in self.reported if stop.kind == kind)
            lines.append(f"Told only: {first.words}{self._others(first)}.")
        return tuple(lines)

    def accepting(self, reasons: Mapping[str, str]) -> Verdict:
        """Return the verdict where these stops are accepted: by name, or by kind for all of a kind.

        Raises
        ------
        InputError
            If no such stop stands, or a reason is empty.
        """
        agreed, names = list(self.accepted), {stop.name for stop in self.stops}
        kinds = {stop.kind for stop in self.stops}
        for name, reason in reasons.items():
            if name not in names | kinds:
                standing = "; ".join(sorted(names)[:8]) or "none stands"
                raise InputError(f"There is no stop {name!r} to accept: {standing}.")
            if not reason.strip():
                raise InputError(f"The stop {name!r} is accepted without a reason; say why.")
        remaining = []
        for stop in self.stops:
            reason = reasons.get(stop.name, reasons.get(stop.kind, ""))
            if reason:
                agreed.append((stop, reason))
            else:
                remaining.append(stop)
        # Of a kind with more stops than are named only all can be accepted.
        for kind in {stop.kind for stop, _ in agreed} & set(self.more):
            if kind not in reasons:
                raise InputError(
                    f"There are {self.more[kind]:,} stops of the kind {kind!r}; accept the kind as a whole."
                )
        return replace(self, stops=tuple(remaining), accepted=tuple(agreed))

    def to_dict(self) -> dict[str, object]:
        """Return plain values, ready for JSON."""
        numbers = {"risk_before": self.before, "risk_left": self.residual, "loss": self.loss}
        return {
            "answer": self.answer,
            "sentence": self.sentence,
            "source": self.limits.source,
            "asserted": self.asserted,
            "stops": [stop.to_dict() for stop in self.stops],
            "accepted": [stop.to_dict() | {"reason": reason} for stop, reason in self.accepted],
            "told": [stop.to_dict() for stop in self.reported],
            "in_all": dict(self.more),
            **{name: None if np.isnan(value) else value for name, value in numbers.items()},
        }


def _digits_apart(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with three digits after the point, or with up to six where these are the same."""
    for digits in range(3, 7):
        texts = f"{first:.{digits}f}", f"{second:.{digits}f}"
        if texts[0] != texts[1]:
            return texts
    return f"{first:.3f}", f"{second:.3f}"


def judge(
    table: FrequencyTable,
    release: Release | None = None,
    limits: ReleaseLimits | None = None,
    *,
    settings: Settings | None = None,
    seed: int | None = None,
    accepted: Mapping[str, str] | None = None,
    others: Sequence[Release] = (),
    values: tuple[float, float] | None = None,
    closely: bool = True,
    required: Method | None = None,
    asserted: str = "",
) -> Verdict:
    """Say whether a table may be released, by the limits of an office.

    Parameters
    ----------
    table : FrequencyTable
        The true counts. Where they are sums of weights, small groups are judged by their respondents.
    release : Release, optional
        What is to be published; the table as it is, if not given.
    limits : ReleaseLimits, optional
        Without them, or where they have no source or limit nothing, it is compared only.
    settings : Settings, optional
        Of the measures.
    seed : int, optional
        What the random numbers followed from, where that is known and chance was used.
    accepted : mapping of str to str, optional
        Stops that a person accepts, by their names (or a kind, for all of it), each with a reason.
    others : sequence of Release
        What is published of the same people besides.
    values : (float, float), optional
        What is left of the risk, and what was lost, where that is known already.
    closely : bool
        Without it, an answer comes at once: what gaps and other tables give away is not checked, which is a stop.
    required : Method, optional
        The method that the rule requires and that was not applied here. It is a violation unless it is asserted.
    asserted : str
        The name of the method that the table is asserted to be protected with already.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        If an accepted stop does not stand, or has no reason; or what is published contradicts itself.

    Examples
    --------
    Everyone of the second row is in one cell, and a gap beside a printed total hides nothing:

    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets import methods
    >>> table = FrequencyTable([[20, 30, 40], [0, 7, 0]], {"Area": ["Area 1", "Area 2"], "Does": ["a", "b", "c"]})
    >>> hidden = methods.get("threshold-suppression")(zeros=True).release(table, 1)
    >>> print(judge(table, hidden, ReleaseLimits("Panel, May 2026", smallest_count=3)).sentence)
    Not yet: Area 2 still shows everyone in one cell, and 2 others.
    """
    _check_arguments(table, release, limits)
    limits, settings = limits or ReleaseLimits(), settings or Settings()
    risk, loss_measure = limits.measured(table, settings)
    before = risk.before(table)
    true = table if release is None else release.regroup(table)
    public = Release.of(true) if release is None else release
    if values is None:
        batch = Batch(table) if release is None else Batch.of_release(table, release)
        values = float(risk.values(batch)[0, 0]), float(loss_measure.values(batch)[0, 0])
    residual, loss = values
    groups = list(disclosures(true, release, limits, closely=closely))
    if others and closely:
        groups.append(given_away(true, public, others, all_but_one=limits.all_but_one > 0))
    elif others:
        words = counted(len(others), "table beside it is", "tables beside it are")
        groups.append(unchecked("tables", words, "What all tables tell together is being computed."))
    if limits.smallest_count > 1:
        groups.append(too_small(true, public, limits))
    groups += [
        ([stop], 1)
        for stop in _numbers(public, limits, (risk, residual), (loss_measure, loss), seed, release is None)
    ]
    if required is not None and required.name != asserted:
        groups.append(([_not_shown(required, as_it_is=release is None)], 1))
    more = {stops[0].kind: number for stops, number in groups if number > len(stops) > 0}
    every = itertools.chain(*(stops for stops, _ in groups))
    stops, below = _by_limits(sorted(every, key=lambda stop: [*KINDS].index(stop.kind)), limits)
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
    )
    return verdict.accepting(accepted) if accepted else verdict


def _check_arguments(table: object, release: object, limits: object) -> None:
    """Raise InputError for arguments of another type."""
    table_of(table)
    if release is not None and not isinstance(release, Release):
        raise InputError(
            f"The release is a {type(release).__name__}; pass the result of protect(table, method)."
        )
    if limits is not None and not isinstance(limits, ReleaseLimits):
        raise InputError(
            f"The limits are a {type(limits).__name__}; pass ReleaseLimits(risk=0.2), for example."
        )


def _not_shown(required: Method, *, as_it_is: bool) -> Stop:
    """Return the violation that a method is required by the rule and was not applied."""
    if as_it_is:
        why = f"The rule also requires {required.name}, which this file cannot show."
    else:
        parameters = [parameter.name for parameter in declared(type(required))]
        settings = ", ".join(f"{name.replace('_', '-')} {getattr(required, name)}" for name in parameters)
        why = f"The rule also requires {required.name} with {settings or 'no settings'}, and another one was applied."
    words = "the method that the rule requires is not shown"
    return Stop("method", "method", words, why)


def _by_limits(stops: Iterable[Stop], limits: ReleaseLimits) -> tuple[list[Stop], list[Stop]]:
    """Return the stops that stand by the limits, and those that are only told: about fewer people than count."""
    stand, below = list[Stop](), list[Stop]()
    for stop in stops:
        least = limits.people(stop.kind)
        (stand if least > 0 and (stop.people >= least or not stop.people) else below).append(stop)
    return stand, below


def _numbers(
    public: Release,
    limits: ReleaseLimits,
    risk: tuple[Measure, float],
    loss: tuple[Measure, float],
    seed: int | None,
    as_it_is: bool,
) -> Iterator[Stop]:
    """Yield the stops that are about the whole table: what its numbers break, and its seed."""
    cells = public.cells
    if not as_it_is and not np.nan_to_num(cells).any():
        yield Stop("empty", "empty", "no count above 0 is left", "A table of zeros and gaps tells nothing.")
    measure, value = risk
    limit = limits.most_risk(as_it_is=as_it_is)
    if limit is not None and (np.isnan(value) or not measure.within(value, limit)):
        subject = "its risk" if as_it_is else "the risk left"
        word = "below" if measure.more_is_better else "above"
        if value == limit:
            word = "not below"
        yield Stop(
            "risk",
            "risk",
            f"{subject}, {measure.format_value(value, limit)}, is {word} your limit, {limit:.15g}",
            measure.title + ".",
        )
    measure, value = loss
    if (
        limits.loss is not None
        and not as_it_is
        and (np.isnan(value) or not measure.within(value, limits.loss))
    ):
        verb = "keeps" if measure.more_is_better else "loses"
        yield Stop(
            "loss",
            "loss",
            f"it {verb} {measure.format_value(value, limits.loss)}, and your limit is {limits.loss:.15g}",
            measure.title + ".",
        )
    if seed is not None and is_guessable(seed):
        yield Stop("seed", "seed", f"seed {seed} can be guessed", "Who tries it finds the true counts out.")
