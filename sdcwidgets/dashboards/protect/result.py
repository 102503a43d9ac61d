"""Result of the page Protect: the table before and after protection, the replicates, and the verdict on a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.assessment.search import MOMENT
from sdcwidgets.assessment.verdict import Verdict, judge
from sdcwidgets.assessment.verdict.nested_verdict import judged_sub_totals
from sdcwidgets.dashboards.protect import original
from sdcwidgets.dashboards.protect.measured import besides
from sdcwidgets.dashboards.protect.nested import follow_from_counts
from sdcwidgets.dashboards.protect.state import OF_SOURCE, ProtectState
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.methods.nested_suppression import NestedSuppression, with_sub_totals
from sdcwidgets.tables.io.writers.nested import nested_lines
from sdcwidgets.tables.release import Release, completed
from sdcwidgets.tables.release_intervals import has_keys_of_sums
from sdcwidgets.widgets.page_state.recomputation import Study

if TYPE_CHECKING:
    import pandas as pd

#: Time limit of the first result, in seconds; the remaining replicates follow.
FIRST_LOOK = 0.05

#: Time that the page's loop waits at once for a verdict of another thread, in seconds.
BREATH = 0.002

#: Time that the first result waits for a verdict that is usually quick, in seconds.
FIRST_VERDICT = 0.05

#: With more suppressed cells than this, they are checked for disclosure in another thread.
SUPPRESSED_AT_ONCE = 60

#: The check of an abandoned setting may still run, so that the next setting needs another thread.
_JUDGES = ThreadPoolExecutor(3)

#: Time of all replicates by method, at the last run. `Run` itself remembers only the most recent ones.
_TOOK: dict[tuple[object, ...], float] = {}


@dataclass(frozen=True)
class ProtectResult:
    """All values that the page shows for one state.

    Attributes
    ----------
    before : Assessment
        The table before protection.
    after : Replications
        Figures of the replicates computed so far.
    replicate : Batch
        The replicate on the page.
    index : int
        Its index, from 0; the last computed one if the selected one is not computed yet.
    run : Run
        Computes the remaining replicates.
    risk_measure, loss_measure : Measure
        The deciding measures.
    state : ProtectState
        The state of this result.
    closely : bool
        Whether the verdict includes checks that can take long.
    judging : Future, optional
        The same result with these checks, which another thread computes.
    """

    before: Assessment
    after: Replications
    replicate: Batch
    index: int
    run: Run
    risk_measure: Measure
    loss_measure: Measure
    state: ProtectState
    closely: bool = False
    judging: Future[ProtectResult] | None = None

    @property
    def checked(self) -> bool:
        """Whether the verdict includes disclosure by suppressed cells, other tables and narrower intervals."""
        return self.closely or (
            at_once(self.state, self.published) and not has_inferred_intervals(self.published)
        )

    @property
    def measures(self) -> list[Measure]:
        """Measures of the whole table, in their usual order; the means of some are computed later."""
        usual = besides(self.before.table, self.before.settings)
        every = (*self.run.measures, *self.run.later)
        return sorted(every, key=lambda measure: usual.index(measure) if measure in usual else -1)

    @property
    def settled(self) -> bool:
        """Whether all replicates are computed, with all measures."""
        return self.run.done and set(self.run.later) <= self.after.draws.keys()

    @cached_property
    def published(self) -> Release:
        """Release of the replicate on the page: cells, margins and suppressed cells."""
        method, table, seed = self.run.method, self.before.table, self.before.settings.seed
        rng = np.random.default_rng((seed, self.index)) if self.index else method.random_numbers(table, seed)
        if not self.index and not method.deterministic:
            method.replicate(
                table, 1, rng
            )  # margins that are drawn separately use the random numbers after the cells
        release = method.release_from_cells(table, self.replicate.published[0], rng)
        stayed = self.replicate.stayed
        if stayed is not None:
            release = replace(release, moved=table.total - int(stayed[0].sum()))
        plain = with_sub_totals(method, ())  # the settings that rules and reports name
        return completed(release.made_by(plain), table)

    @cached_property
    def sub_totals(self) -> Mapping[tuple[str, ...], float]:
        """Published values by their labels that the method computes for sub-totals; empty if they are sums of cells."""
        method = self.run.method
        if self.is_original or not isinstance(method, NestedSuppression):
            return {}
        return method.published_entries(self.before.table, self.before.settings.seed)

    @cached_property
    def lines(self) -> list[list[str | float]]:
        """Header and rows of the published table with its sub-totals; empty if they are not published."""
        return (
            list(nested_lines(self.release, self.state.sub_totals, self.sub_totals))
            if self.state.nested
            else []
        )

    @cached_property
    def is_original(self) -> bool:
        """Whether the original table is proposed: the limits allow it, and no method is required or requested."""
        state = self.state
        return state.required is None and not state.protects and self.as_it_is.answer == "release"

    @cached_property
    def release(self) -> Release:
        """The table that the page shows, judges and saves; this is the original one if it is proposed."""
        return Release.of(self.state.table) if self.is_original else self.published

    @cached_property
    def deciding(self) -> Verdict:
        """Verdict on the table that the page shows and saves."""
        return self.as_it_is if self.is_original else self.verdict

    @property
    def private_note(self) -> str:
        """Internal remark of the method on the replicate, "" if there is none; data users must not see it."""
        stayed = self.replicate.stayed
        return self.run.method.private_note(self.before.table, None if stayed is None else stayed[0])

    def moves(self) -> pd.DataFrame:
        """Return the people who are moved in the replicate on the page, and the reasons, if the method reports them."""
        report: pd.DataFrame = self.run.method.report(self.state.table, self.state.settings.seed, self.index)
        return report

    def of_shown(self, measure: Measure) -> float:
        """Return a measure of the whole table for the replicate on the page."""
        known = self.after.draws.get(measure)
        return float(measure.values(self.replicate)[0, 0] if known is None else known[self.index])

    @property
    def risk(self) -> float:
        """Residual disclosure risk of the replicate on the page."""
        return self.of_shown(self.risk_measure)

    @property
    def loss(self) -> float:
        """Information loss of the replicate on the page."""
        return self.of_shown(self.loss_measure)

    @property
    def mean_risk(self) -> float:
        """Mean risk over all replicates."""
        return float(self.after.whole_slice[self.risk_measure].mean[0])

    @property
    def mean_loss(self) -> float:
        """Mean information loss over all replicates."""
        return float(self.after.whole_slice[self.loss_measure].mean[0])

    @cached_property
    def verdict(self) -> Verdict:
        """Verdict on the replicate on the page."""
        return self.judge_replicate()

    def judge_replicate(self) -> Verdict:
        """Judge the replicate on the page; in contrast to `verdict`, several threads can judge at once."""
        state = self.state
        verdict = judge(
            state.table,
            self.published,
            state.applied_limits,
            settings=state.settings,
            seed=state.settings.seed if state.method.seeded else None,
            others=[Release.of(published) for published in state.beside],
            values=(self.risk, self.loss),
            closely=self.checked,
            required=state.required_instead(state.method),
            unpublished=state.unpublished_levels,
        )
        method = self.run.method
        if isinstance(method, NestedSuppression):
            seed = state.settings.seed
            more = judged_sub_totals(state.table, method, state.limits, seed, closely=self.checked)
            verdict = replace(verdict, stops=(*verdict.stops, *more))
        standing = {name for stop in verdict.stops for name in (stop.name, stop.kind)}
        return verdict.accepting({name: reason for name, reason in state.accepted if name in standing})

    def with_figures(self, after: Replications) -> ProtectResult:
        """Return the result of the same replicate with the figures of more replicates, without judging it again."""
        result = replace(self, after=after)
        for name in ("published", "verdict"):
            if name in self.__dict__:
                result.__dict__[name] = self.__dict__[name]
        return result

    @property
    def as_it_is(self) -> Verdict:
        """Verdict on the table without protection; only violations of the source itself can be accepted for it."""
        state = self.state
        verdict = original.judged(
            state.table,
            state.applied_limits,
            state.settings,
            state.beside,
            closely=self.checked,
            # Anybody can add up original counts, so their totals are no condition of the release.
            unpublished=() if follow_from_counts(state) else state.unpublished_levels,
        )
        standing = {stop.kind for stop in verdict.stops} & set(OF_SOURCE)
        return verdict.accepting({kind: reason for kind, reason in state.accepted if kind in standing})


#: Study that all parts of the page use.
ProtectStudy: TypeAlias = Study[ProtectState, ProtectResult]


def at_once(state: ProtectState, release: Release) -> bool:
    """Return whether disclosure by suppressed cells and other tables can be checked without delay."""
    return not state.beside and int(release.suppressed.sum()) <= SUPPRESSED_AT_ONCE


def has_inferred_intervals(release: Release) -> bool:
    """Return whether a search, which can take many seconds, computes the intervals that data users infer."""
    has_origins = release.origins is not None and release.origins.possible is not None
    return has_origins or has_keys_of_sums(release)


def compute(state: ProtectState) -> ProtectResult:
    """Assess a table before and after protection, with the replicates that `FIRST_LOOK` allows.

    Raises
    ------
    InputError
        If all counts are zero.
    """
    if state.table.total == 0:
        raise InputError("All counts are zero. The table must have at least one person.")
    if state.nested and state.method.merges:
        raise InputError(
            f"{state.method.title} merges categories, so that sub-totals of the file cannot be published. "
            "Choose another method, or publish the table without its sub-totals."
        )
    table, settings = state.table, state.settings
    deciding = (state.risk_measure, state.loss_measure)
    run = Run(table, state.method, settings, more=deciding, later=besides(table, settings), took=_TOOK)
    run.draw_for(FIRST_LOOK)
    first = _look(state, original.assessed(table, settings), run)
    if first.checked or not at_once(state, first.published):
        return first
    judging = _JUDGES.submit(_judged, replace(first, closely=True))
    return judging.result() if wait([judging], FIRST_VERDICT).done else replace(first, judging=judging)


def improve(state: ProtectState, first: ProtectResult) -> Iterator[ProtectResult]:
    """Yield results with more replicates until all requested ones are computed, then with all measures and checks."""
    last = first
    while not first.run.done:
        first.run.draw_for(MOMENT)
        last = _refined(last)
        yield last
    for _ in first.run.catching_up():
        yield last
    last = _refined(last)
    yield last
    if last.checked:
        return
    judging = last.judging or _JUDGES.submit(_judged, replace(last, closely=True))
    try:
        # Events of the user are handled between several short waits, so none of them may be long.
        while wait([judging], BREATH).not_done:
            yield last
        closer = judging.result()
    finally:
        judging.cancel()
    yield closer.with_figures(last.after)


def _judged(result: ProtectResult) -> ProtectResult:
    """Return a result that keeps the verdicts on its replicate and on the original table."""
    # Until Python 3.12, threads wait for each other in a cached property, also those of other results.
    result.__dict__["verdict"] = result.judge_replicate()
    _ = result.as_it_is
    return result


def _refined(last: ProtectResult) -> ProtectResult:
    """Return the result with the replicates computed since the last one; the same replicate is not judged again."""
    if last.index == last.state.shown:
        return last.with_figures(last.run.result())
    return _look(last.state, last.before, last.run)


def _look(state: ProtectState, before: Assessment, run: Run) -> ProtectResult:
    """Return the result with the replicates computed so far."""
    index = min(state.shown, run.size - 1)
    replicate = run.stored(index)
    assert replicate is not None  # at least one replicate exists, and those that can be shown are stored
    return ProtectResult(
        before, run.result(), replicate, index, run, state.risk_measure, state.loss_measure, state
    )
