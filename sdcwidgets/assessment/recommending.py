"""Verdicts on compared settings, and the setting with the lowest information loss that passes the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import process_time
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.verdict import ReleaseLimits, Verdict, judge
from sdcwidgets.measures import Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Number of replicates of a setting that are judged.
DRAWS = 5

#: Number of settings that are compared if none passes.
COMPARED = 8

#: Maximum time for judging settings, in seconds of processor time.
BUDGET = 2.0


class Standing(NamedTuple):
    """Number of replicates with a violation other than of the seed, and its description."""

    stops: int
    words: str


def means_of(points: Sequence[Replications], measures: Sequence[Measure]) -> dict[Measure, Floats]:
    """Return the mean of each measure for each setting."""
    return {
        measure: np.array([point.whole_slice[measure].mean[0] for point in points]) for measure in measures
    }


def within_limits(means: dict[Measure, Floats], risk: Measure, loss: Measure, limits: ReleaseLimits) -> Flags:
    """Return which settings change the table and have means within the limits of risk and information loss.

    Parameters
    ----------
    means : dict of Measure to ndarray
        The means of both measures for each setting.
    risk : Measure
        Measure of risk.
    loss : Measure
        Measure of information loss.
    limits : ReleaseLimits
    """
    within: Flags = changing(means, loss).copy()
    for measure, limit in ((risk, limits.risk), (loss, limits.loss)):
        if limit is not None:
            within &= measure.within(means[measure], limit)
    return within


def changing(means: dict[Measure, Floats], loss: Measure) -> Flags:
    """Return which settings change the table; a setting that changes nothing does not protect."""
    losses = loss.worse(1.0) * means[loss]
    changed: Flags = (losses > losses.min()) | (losses.min() != 0)
    return changed


def is_mostly_zero(point: Replications) -> bool:
    """Return whether the first replicate of a setting has zeros in most cells, and more than the original table.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, assess
    >>> table = FrequencyTable([[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]])
    >>> [is_mostly_zero(assess(table, "conventional-rounding", base=base).after) for base in (3, 20)]
    [False, True]
    """
    # The release of a method that solves programs takes long, and only merged categories need it.
    cells = point.first.cells if point.method.merges else point.drawn
    zeros, before = int((cells == 0).sum()), int((point.table.counts == 0).sum())
    return zeros > before and 2 * zeros > cells.size


def is_for_teaching(method: Method) -> bool:
    """Return whether a setting is for teaching only, because its best result discloses original counts.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> suppression = methods.get("cell-suppression")
    >>> [is_for_teaching(suppression(choice=choice)) for choice in ("secret", "optimal")]
    [False, True]
    """
    return getattr(method, "choice", "secret") != "secret"


def ordered(means: dict[Measure, Floats], measure: Measure, other: Measure) -> list[int]:
    """Return the positions of the settings in the order of a measure; the other measure decides ties."""
    order = np.lexsort((other.worse(1.0) * means[other], measure.worse(1.0) * means[measure]))
    return [int(position) for position in order]


def replicates_of(method: Method) -> int:
    """Return the number of replicates that are judged."""
    return 1 if method.deterministic else DRAWS


def judged_release(table: FrequencyTable, method: Method, settings: Settings, replicate: int) -> Release:
    """Return a replicate as a release; replicate 0 is the first one of the assessment."""
    seed = settings.seed
    release = method.release(table, np.random.default_rng((seed, replicate)) if replicate else seed)
    return release.with_facts_of(table)


class Judging:
    """Verdicts on settings within a time budget; each replicate is judged once.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    settings : Settings
    limits : ReleaseLimits
    others : sequence of Release
        Tables of the same people that are published already.
    closely : callable, optional
        Function that returns whether slow checks of a release are made; default: always.
    required : callable, optional
        Function that returns the method that release rules require instead of a setting, or None; default: none is.
    budget : float
        Maximum time in seconds of processor time; the setting that is then judged is the last one.
    """

    def __init__(
        self,
        table: FrequencyTable,
        settings: Settings,
        limits: ReleaseLimits,
        *,
        others: Sequence[Release] = (),
        closely: Callable[[Release], bool] | None = None,
        required: Callable[[Method], Method | None] | None = None,
        budget: float = inf,
    ) -> None:
        self._table, self._settings, self._limits = table, settings, limits
        self._others, self._closely, self._required = tuple(others), closely, required
        self._end = process_time() + budget
        self._violations: dict[tuple[Method, int], tuple[float, str]] = {}
        self._passing: dict[tuple[Method, int], bool] = {}
        self._refused: dict[Method, str] = {}

    def first_that_passes(self, methods: Sequence[Method]) -> Method:
        """Return the first method that passes in all replicates, or the one that fails in the fewest of them."""
        for method in methods:
            if process_time() > self._end:
                break
            if all(self._passes(method, k) for k in range(replicates_of(method))):
                return method
        return min(methods[:COMPARED], key=self._failures)

    def _failures(self, method: Method) -> int:
        """Return the number of replicates that fail; a refused method has more than any other one."""
        failures = sum(not self._passes(method, k) for k in range(replicates_of(method)))
        return DRAWS + 1 if method in self._refused else failures

    def _passes(self, method: Method, k: int) -> bool:
        """Return whether a replicate passes; slow checks are made only if the quick ones find no violation."""
        if (method, k) not in self._passing:
            quickly = self._verdict(method, k, closely=False)
            finished = quickly is not None and any(stop.kind != "unchecked" for stop in quickly.stops)
            self._passing[method, k] = not finished and not self._violation(method, k)[0]
        return self._passing[method, k]

    def standing(self, method: Method) -> Standing:
        """Return the violations of a method over all replicates."""
        draws = replicates_of(method)
        violations = [violation for violation in self.violations(method) if violation]
        if method in self._refused:
            return Standing(DRAWS + 1, self._refused[method])
        if not violations:
            return Standing(0, "")
        number = len(violations)
        where = "Violation" if draws == 1 else f"Violation in {number} of {draws} replicates"
        return Standing(number, f"{where}: {violations[0]}")

    def violations(self, method: Method) -> list[str]:
        """Return the first rule violation of each judged replicate, "" for a replicate that passes."""
        found = [self._violation(method, k)[1] for k in range(replicates_of(method))]
        return [self._refused.get(method, violation) for violation in found]

    def most_violations(self, method: Method, replicates: Sequence[int] | None = None) -> float:
        """Return the largest number of rule violations of a replicate; infinity if the method refuses the table."""
        chosen = range(replicates_of(method)) if replicates is None else replicates
        return max(self._violation(method, k)[0] for k in chosen)

    def _violation(self, method: Method, k: int) -> tuple[float, str]:
        """Return the number of rule violations of a replicate, and the first one with its value and limit."""
        if (method, k) not in self._violations:
            self._violations[method, k] = self._judged(method, k)
        return self._violations[method, k]

    def _judged(self, method: Method, k: int) -> tuple[float, str]:
        verdict = self._verdict(method, k, closely=True)
        if verdict is None:
            return inf, "refused"
        number = sum(verdict.number(kind) for kind in {stop.kind for stop in verdict.stops})
        return number, verdict.stops[0].words if verdict.stops else ""

    def _verdict(self, method: Method, k: int, *, closely: bool) -> Verdict | None:
        """Return the verdict on a replicate, or None if the method refuses the table."""
        try:
            release = judged_release(self._table, method, self._settings, k)
        except InputError as error:
            self._refused[method] = str(error)
            return None
        return judge(
            self._table,
            release,
            self._limits,
            settings=self._settings,
            others=self._others,
            closely=closely and (self._closely is None or self._closely(release)),
            required=None if self._required is None else self._required(method),
            unknown=0,  # No setting adds counts that the source does not contain.
        )
