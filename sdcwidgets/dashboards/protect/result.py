"""Result of the page Protect: the table before and after protection, the replicates, and the verdict on a release."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.assessment.search import MOMENT
from sdcwidgets.assessment.verdict import Verdict, judge
from sdcwidgets.dashboards.protect import original
from sdcwidgets.dashboards.protect.measured import besides
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.studies.base import Study

if TYPE_CHECKING:
    import pandas as pd

#: The first result is shown after this time, in seconds; what draws are still missing follow.
FIRST_LOOK = 0.05

#: So long, in seconds, the page's loop waits at a time for what is computed beside it.
BREATH = 0.002

#: With more hidden cells than these, what they give away is looked for beside the page, which goes on.
GAPS_AT_ONCE = 60

_JUDGES = ThreadPoolExecutor(1)

#: What all draws of a method took the last time; see `Run`, which remembers the last ones only.
_TOOK: dict[tuple[object, ...], float] = {}


@dataclass(frozen=True)
class ProtectResult:
    """Everything that the screen shows about one state.

    Attributes
    ----------
    before : Assessment
        The table before protection.
    after : Replications
        What the draws say that were made so far.
    replicate : Batch
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
    replicate: Batch
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
        return sorted(every, key=lambda measure: usual.index(measure) if measure in usual else -1)

    @property
    def settled(self) -> bool:
        """Whether all draws are made and measured by everything."""
        return self.run.done and all(measure in self.after.draws for measure in self.run.later)

    @cached_property
    def published(self) -> Release:
        """What the draw that is shown publishes: cells, margins and gaps; of the first one as `release` draws them."""
        method, table, seed = self.run.method, self.before.table, self.before.settings.seed
        rng = np.random.default_rng((seed, self.index) if self.index else seed)
        if not self.index and not method.deterministic:
            method.replicate(table, 1, rng)  # margins of their own follow the cells
        return method.release_from_cells(table, self.replicate.published[0], rng)

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
    def private_note(self) -> str:
        """What the one who protects should know of the draw that is shown and a reader should not, "" for nothing."""
        stayed = self.replicate.stayed
        return self.run.method.private_note(self.before.table, None if stayed is None else stayed[0])

    def moves(self) -> pd.DataFrame:
        """Return who moves in the draw that is shown, and why, for a method that reports it."""
        report: pd.DataFrame = self.run.method.report(self.state.table, self.state.settings.seed, self.index)
        return report

    def of_shown(self, measure: Measure) -> float:
        """Return a measure of the whole table in the draw that is shown."""
        known = self.after.draws.get(measure)
        return float(measure.values(self.replicate)[0, 0] if known is None else known[self.index])

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
        verdict = judge(
            state.table,
            self.published,
            state.applied_limits,
            settings=state.settings,
            seed=state.settings.seed if state.method.seeded else None,
            others=[Release.of(published) for published in state.beside],
            values=(self.risk, self.loss),
            closely=self.checked,
        )
        standing = {name for stop in verdict.stops for name in (stop.name, stop.kind)}
        return verdict.accepting({name: reason for name, reason in state.accepted if name in standing})

    @property
    def as_it_is(self) -> Verdict:
        """The verdict on the table without protection."""
        state = self.state
        return original.judged(
            state.table, state.applied_limits, state.settings, state.beside, closely=self.checked
        )


#: What the parts of the page are bound to.
ProtectStudy: TypeAlias = Study[ProtectState, ProtectResult]


def at_once(state: ProtectState, release: Release) -> bool:
    """Return whether all that gaps and other tables give away is found in a moment."""
    return not state.beside and int(release.hidden.sum()) <= GAPS_AT_ONCE


def compute(state: ProtectState) -> ProtectResult:
    """Assess a table before and after protection, with as many draws as a moment allows."""
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    table, settings = state.table, state.settings
    deciding = (state.risk_measure, state.loss_measure)
    run = Run(table, state.method, settings, more=deciding, later=besides(table, settings), took=_TOOK)
    run.draw_for(FIRST_LOOK)
    return _look(state, original.assessed(table, settings), run)


def improve(state: ProtectState, first: ProtectResult) -> Iterator[ProtectResult]:
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
    judged = _JUDGES.submit(lambda: (closer.verdict, closer.as_it_is))
    try:
        # Whoever presses something meanwhile is heard after several turns of the loop; none of them waits for long.
        while wait([judged], BREATH).not_done:
            yield last
        judged.result()
    finally:
        judged.cancel()
    yield closer


def _look(state: ProtectState, before: Assessment, run: Run) -> ProtectResult:
    """Return what the draws say that were made by now."""
    index = min(state.shown, run.size - 1)
    replicate = run.stored(index)
    assert replicate is not None  # there is a draw, and all that can be shown are kept
    return ProtectResult(
        before, run.result(), replicate, index, run, state.risk_measure, state.loss_measure, state
    )
