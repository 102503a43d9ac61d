"""The state of the screen that protects a table, and what is computed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from sdcwidgets import measures, methods
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import turned, with_fields
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.assessment.replications import KEPT, Replications, Run
from sdcwidgets.assessment.search import MOMENT
from sdcwidgets.assessment.verdict import KINDS, ReleaseLimits, Verdict, judge
from sdcwidgets.dashboards.protect import original
from sdcwidgets.dashboards.protect.measured import axis_names, besides
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.methods import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import Axis, FrequencyTable
from sdcwidgets.widgets.studies.base import Study, TableState

if TYPE_CHECKING:
    import pandas as pd

#: The first result is shown after this time, in seconds; what draws are still missing follow.
FIRST_LOOK = 0.05

#: So long, in seconds, the page's loop waits at a time for what is computed beside it.
BREATH = 0.002

#: With more hidden cells than these, what they give away is looked for beside the page, which goes on.
GAPS_AT_ONCE = 60

_BESIDE = ThreadPoolExecutor(1)

#: What all draws of a method took the last time; see `Run`, which remembers the last ones only.
_TOOK: dict[tuple[object, ...], float] = {}


@dataclass(frozen=True)
class ProtectState(TableState):
    """A table, a method with its settings, the measures of the search, and what an office asks.

    Attributes
    ----------
    method : Method
    shown : int
        Which of the draws is shown, from 0.
    risk, loss : str
        The names of the measures that decide.
    limits : ReleaseLimits
        What the office asks; without a source nothing is decided.
    beside : tuple of FrequencyTable
        What is published of the same people besides; it falls with the table's axes.
    accepted : tuple of (str, str)
        The stops that somebody accepts, each with the reason; they fall with table, method and draw.
    rule : str
        The name of the rule that the limits come from; "" for limits that were set on the page.
    required : Method or None
        The method that the rule names. With one, the original table is never proposed.
    protects : bool
        Whether the protected table is shown also where the limits allow the original one. A chosen method sets it,
        and new limits take it back.
    """

    method: Method = field(default_factory=lambda: methods.get("random-rounding")())
    shown: int = 0
    risk: str = "r2"
    loss: str = "hellinger"
    limits: ReleaseLimits = field(default_factory=ReleaseLimits)
    accepted: tuple[tuple[str, str], ...] = ()
    beside: tuple[FrequencyTable, ...] = ()
    rule: str = ""
    required: Method | None = None
    protects: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.shown < KEPT:
            raise InputError(f"Draw {self.shown + 1} cannot be shown; the first {KEPT} can.")
        for name, offered in zip((self.risk, self.loss), axis_names(), strict=True):
            if name not in offered:
                raise InputError(f"There is no axis '{name}' of the map; there are {', '.join(offered)}.")
        object.__setattr__(self, "method", self.method.fitted(self.table))

    def changed(self, **changes: object) -> Self:
        """Return the state with other fields.

        What was accepted falls where what is published is another, and a whole kind of stops where the limits are; a
        limit falls where it was of another measure.
        """
        new = with_fields(self, **changes)
        if "protects" not in changes:
            new = replace(new, protects=self._protects_after(new))
        if (new.table.axes, new.source) != (self.table.axes, self.source):
            new = replace(new, beside=())
        limits = {"risk": None, "risk_before": None} if new.risk != self.risk else {}
        limits |= {"loss": None} if new.loss != self.loss else {}
        if new.limits == self.limits and limits:
            new = replace(new, limits=with_fields(new.limits, **limits))
        if new.accepted != self.accepted:
            return new
        if new._published() != self._published():
            return replace(new, accepted=())
        if new.limits == self.limits:
            return new
        # A whole kind was accepted of what stood by the limits of before.
        return replace(new, accepted=tuple(pair for pair in new.accepted if pair[0] not in KINDS))

    def _protects_after(self, new: Self) -> bool:
        """Return whether the protected table is shown after a change: a new method is seen, new limits are judged."""
        if new.limits != self.limits:
            return False
        return self.protects or self._drawn() != new._drawn()

    def _drawn(self) -> tuple[object, ...]:
        return (self.method, self.settings.seed, self.shown)

    def _published(self) -> tuple[object, ...]:
        return (self.table, self.source, self.beside, *self._drawn())

    @property
    def asked(self) -> ReleaseLimits:
        """The limits, of the measures that are chosen here; their source says where the rule is not followed."""
        limits = replace(self.limits, risk_measure=self.risk, loss_measure=self.loss)
        if self.required is None or not limits.decides or self.method == self.required.fitted(self.table):
            return limits
        is_same = self.method.name == self.required.name
        departure = "with other settings of its method" if is_same else "with another method"
        return replace(limits, source=f"{limits.source.strip()}, but {departure}")

    @property
    def risk_measure(self) -> Measure:
        """The risk that decides, with the settings of this state."""
        return measures.get(self.risk).lines(self.table, self.settings)[0]

    @property
    def loss_measure(self) -> Measure:
        """The information loss that decides."""
        return measures.get(self.loss).lines(self.table, self.settings)[0]

    def with_method(self, name: str) -> Self:
        """Return the state with another method, at its defaults."""
        return self.changed(method=methods.get(name)(), shown=0)

    def with_parameter(self, name: str, value: object) -> Self:
        """Return the state with one parameter of the method changed."""
        return self.changed(method=self.method.changed(name, value), shown=0)

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {
            **_saved_method(self.method),
            "shown": self.shown,
            "limits": turned(self.limits),
            "beside": [
                {"axes": [[axis.name, list(axis.labels)] for axis in one.axes], "counts": one.counts.tolist()}
                for one in self.beside
            ],
            "accepted": [list(pair) for pair in self.accepted],
            "axes_of_map": [self.risk, self.loss],
            "rule": self.rule,
            "required": None if self.required is None else _saved_method(self.required),
            "protects": self.protects,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        # Controlled rounding was limited in seconds once, and is in work now.
        parameters = {name: value for name, value in saved["parameters"].items() if name != "seconds"}
        risk, loss = map(str, saved.get("axes_of_map", ("r2", "hellinger")))
        required = saved.get("required")
        beside = (
            FrequencyTable(one["counts"], [Axis(name, tuple(labels)) for name, labels in one["axes"]])
            for one in saved.get("beside", ())
        )
        return cls(
            **vars(TableState.restored(saved)),
            method=methods.get(str(saved["method"]))(**parameters),
            shown=int(saved["shown"]),
            risk=risk,
            loss=loss,
            limits=ReleaseLimits(**saved.get("limits", {})),
            accepted=tuple((str(name), str(reason)) for name, reason in saved.get("accepted", ())),
            beside=tuple(beside),
            rule=str(saved.get("rule", "")),
            required=None
            if required is None
            else methods.get(str(required["method"]))(**required["parameters"]),
            protects=bool(saved.get("protects", False)),
        )


def _saved_method(method: Method) -> dict[str, object]:
    """Return plain values of a method."""
    parameters = {one.name: getattr(method, one.name) for one in declared(type(method))}
    return {"method": method.name, "parameters": parameters}


@dataclass(frozen=True)
class Protected:
    """Everything that the screen shows about one state.

    Attributes
    ----------
    before : Assessment
        The table before protection.
    after : Replications
        What the draws say that were made so far.
    shown : Batch
        The draw that is shown.
    index : int
        Which one it is, from 0; the last that was made where the one that was asked for is not made yet.
    run : Run
        Makes the draws that are still missing.
    risk_measure, loss_measure : Measure
        What decides.
    state : ProtectState
        What all of it is about.
    closely : bool
        Whether the verdict takes the time that many gaps take.
    """

    before: Assessment
    after: Replications
    shown: Batch
    index: int
    run: Run
    risk_measure: Measure
    loss_measure: Measure
    state: ProtectState
    closely: bool = False

    @property
    def checked(self) -> bool:
        """Whether the verdict looks for all that gaps and other tables give away."""
        return self.closely or at_once(self.state, self.published)

    @property
    def measures(self) -> list[Measure]:
        """What is measured of the whole table, each in its usual place; the mean of some follows after a moment."""
        usual = besides(self.before.table, self.before.settings)
        every = (*self.run.measures, *self.run.later)
        return sorted(every, key=lambda one: usual.index(one) if one in usual else -1)

    @property
    def settled(self) -> bool:
        """Whether all draws are made and measured by everything."""
        return self.run.done and all(one in self.after.draws for one in self.run.later)

    @cached_property
    def published(self) -> Release:
        """What the draw that is shown publishes: cells, margins and gaps; of the first one as `release` draws them."""
        method, table, seed = self.run.method, self.before.table, self.before.settings.seed
        rng = np.random.default_rng((seed, self.index) if self.index else seed)
        if not self.index and not method.deterministic:
            method.replicate(table, 1, rng)  # margins of their own follow the cells
        return method.around(table, self.shown.published[0], rng)

    @property
    def is_original(self) -> bool:
        """Whether the original table is proposed: the limits allow it, and nobody asks for a method."""
        state = self.state
        return state.required is None and not state.protects and self.as_it_is.answer == "release"

    @cached_property
    def release(self) -> Release:
        """The table that the page shows, judges and saves: the original one where it is proposed."""
        return Release.of(self.state.table) if self.is_original else self.published

    @property
    def deciding(self) -> Verdict:
        """The verdict on the table that the page shows and saves."""
        return self.as_it_is if self.is_original else self.verdict

    @property
    def aside(self) -> str:
        """What the one who protects should know of the draw that is shown and a reader should not, "" for nothing."""
        stayed = self.shown.stayed
        return self.run.method.aside(self.before.table, None if stayed is None else stayed[0])

    def moves(self) -> pd.DataFrame:
        """Return who moves in the draw that is shown, and why, for a method that reports it."""
        report: pd.DataFrame = self.run.method.report(self.state.table, self.state.settings.seed, self.index)
        return report

    def of_shown(self, measure: Measure) -> float:
        """Return a measure of the whole table in the draw that is shown."""
        known = self.after.draws.get(measure)
        return float(measure.values(self.shown)[0, 0] if known is None else known[self.index])

    @property
    def risk(self) -> float:
        """What is left of the risk in the draw that is shown."""
        return self.of_shown(self.risk_measure)

    @property
    def loss(self) -> float:
        """What the draw that is shown has lost."""
        return self.of_shown(self.loss_measure)

    @property
    def mean_risk(self) -> float:
        """The mean of the risk over all draws."""
        return float(self.after.whole[self.risk_measure].mean[0])

    @property
    def mean_loss(self) -> float:
        """The mean of the loss over all draws."""
        return float(self.after.whole[self.loss_measure].mean[0])

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the draw that is shown."""
        state = self.state
        found = judge(
            state.table,
            self.published,
            state.asked,
            settings=state.settings,
            seed=state.settings.seed if state.method.seeded else None,
            beside=[Release.of(one) for one in state.beside],
            values=(self.risk, self.loss),
            closely=self.checked,
        )
        standing = {name for stop in found.stops for name in (stop.name, stop.kind)}
        return found.accepting({name: reason for name, reason in state.accepted if name in standing})

    @property
    def as_it_is(self) -> Verdict:
        """The verdict on the table without protection."""
        state = self.state
        return original.judged(state.table, state.asked, state.settings, state.beside, closely=self.checked)


#: What the parts of the page are bound to.
ProtectStudy: TypeAlias = Study[ProtectState, Protected]


def at_once(state: ProtectState, release: Release) -> bool:
    """Return whether all that gaps and other tables give away is found in a moment."""
    return not state.beside and int(release.hidden.sum()) <= GAPS_AT_ONCE


def protect(state: ProtectState) -> Protected:
    """Assess a table before and after protection, with as many draws as a moment allows."""
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    table, settings = state.table, state.settings
    deciding = (state.risk_measure, state.loss_measure)
    run = Run(table, state.method, settings, more=deciding, later=besides(table, settings), took=_TOOK)
    run.draw_for(FIRST_LOOK)
    return _look(state, original.assessed(table, settings), run)


def improve(state: ProtectState, first: Protected) -> Iterator[Protected]:
    """Yield the same with more and more draws, until all that were asked for are made, and with every measure."""
    while not first.run.done:
        first.run.draw_for(MOMENT)
        yield _look(state, first.before, first.run)
    first.run.catch_up()
    last = _look(state, first.before, first.run)
    yield last
    if last.checked:
        return
    closer = replace(last, closely=True)
    judged = _BESIDE.submit(lambda: (closer.verdict, closer.as_it_is))
    try:
        # Whoever presses something meanwhile is heard after several turns of the loop; none of them waits for long.
        while wait([judged], BREATH).not_done:
            yield last
        judged.result()
    finally:
        judged.cancel()
    yield closer


def _look(state: ProtectState, before: Assessment, run: Run) -> Protected:
    """Return what the draws say that were made by now."""
    index = min(state.shown, run.size - 1)
    shown = run.kept(index)
    assert shown is not None  # there is a draw, and all that can be shown are kept
    return Protected(before, run.result(), shown, index, run, state.risk_measure, state.loss_measure, state)
