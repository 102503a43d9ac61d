"""Recommended settings among all compared ones: least information loss, least risk, and a common method."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.verdict import KINDS, judge
from sdcwidgets.dashboards.protect.result import at_once
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.methods.describing import describe
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.offers import Offer

#: Methods that are most common in statistical offices.
USUAL = {
    "conventional-rounding": "Conventional rounding",
    "random-rounding": "Random rounding",
    "cell-key": "Cell key",
    "record-swapping": "Record swapping",
}

#: Number of replicates of a setting that are judged.
DRAWS = 5

#: Number of settings that are compared where none passes.
COMPARED = 8

#: Maximum time for judging settings, in seconds of processor time.
BUDGET = 2.0


class Recommendation(NamedTuple):
    """A recommended method, with its description and the violations in some of its replicates."""

    method: Method
    offer: Offer


def recommended(state: ProtectState, points: Sequence[Replications]) -> list[Recommendation]:
    """Return the recommended settings; those with violations come last.

    Candidates are all settings whose means are within the limits, or all settings if none is. For each of the three
    kinds, the settings are judged in order of information loss (of risk for "Least risk") until one passes in all
    replicates. Among common methods, a method that is already recommended comes last. If no setting passes, the
    one that fails in the fewest replicates is returned with its violation.

    Parameters
    ----------
    state : ProtectState
    points : sequence of Replications
        The settings that were compared, with the means of their replicates.

    Returns
    -------
    list of Recommendation
    """
    risk, loss = state.risk_measure, state.loss_measure
    known = [
        point
        for point in points
        if risk in point.whole_slice.estimates and loss in point.whole_slice.estimates
    ]
    if len(known) < 2:
        return []
    means = {
        measure: np.array([point.whole_slice[measure].mean[0] for point in known]) for measure in (risk, loss)
    }
    usual = np.array([point.method.name in USUAL for point in known])
    in_question = _in_question(state, means)
    judging = _Judging(state, process_time() + BUDGET)
    recommendations: list[Recommendation] = []
    for title, measure, these in (
        ("Least information loss", loss, in_question),
        ("Common in statistical offices", loss, in_question & usual),
        ("Least risk", risk, in_question),
    ):
        # Ties in one measure are broken by the other.
        other = loss if measure is risk else risk
        order = np.lexsort((other.worse(1.0) * means[other], measure.worse(1.0) * means[measure]))
        taken = [recommendation.method for recommendation in recommendations]
        methods = [known[i].method for i in order[these[order]] if known[i].method not in taken]
        if measure is loss:
            # A different method is a better alternative than the same method with other margins.
            names = {method.name for method in taken}
            methods.sort(key=lambda method: method.name in names)
        if methods:
            method = judging.first_that_passes(methods)
            i = next(k for k, point in enumerate(known) if point.method == method)
            loss_text, risk_text = (
                loss.format_value(float(means[loss][i])),
                risk.format_value(float(means[risk][i])),
            )
            figures = (
                f"{'utility' if loss.more_is_better else 'information loss'} {loss_text} · residual risk "
                f"{risk_text}"
            )
            keeps = " ".join(filter(None, [zeros_told(state, method), promise(method)]))
            offer = Offer(title, describe(method), figures, judging.standing(method).words, keeps)
            recommendations.append(Recommendation(method, offer))
    return sorted(recommendations, key=lambda recommendation: bool(recommendation.offer.against))


def _in_question(state: ProtectState, means: dict[Measure, Floats]) -> Flags:
    """Return a mask of the settings that change the table and are within the limits, or that change it if none is."""
    losses = state.loss_measure.worse(1.0) * means[state.loss_measure]
    # A setting that changes nothing does not protect.
    changed = (losses > losses.min()) | (losses.min() != 0)
    within: Flags = changed.copy()
    for measure, limit in (
        (state.risk_measure, state.applied_limits.risk),
        (state.loss_measure, state.applied_limits.loss),
    ):
        if limit is not None:
            within &= measure.within(means[measure], limit)
    return within if within.any() else changed


class Standing(NamedTuple):
    """Number of replicates with a violation other than of the seed, and its description."""

    stops: int
    words: str


class _Judging:
    """Verdicts on settings within a time budget; each replicate is judged once."""

    def __init__(self, state: ProtectState, end: float) -> None:
        self._state, self._end = state, end
        self._kinds: dict[tuple[Method, int], str] = {}
        self._refused: dict[Method, str] = {}

    def first_that_passes(self, methods: Sequence[Method]) -> Method:
        """Return the first method that passes in all replicates, or the one that fails in the fewest of them."""
        for method in methods:
            if process_time() > self._end:
                break
            if all(not self._kind(method, k) for k in range(_draws(method))):
                return method
        return min(methods[:COMPARED], key=lambda method: self.standing(method).stops)

    def standing(self, method: Method) -> Standing:
        """Return the violations of a method over all replicates."""
        draws = _draws(method)
        kinds = [kind for k in range(draws) if (kind := self._kind(method, k))]
        if method in self._refused:
            return Standing(DRAWS + 1, self._refused[method])
        if not kinds:
            return Standing(0, "")
        how = "in every replicate" if len(kinds) == draws else f"in {len(kinds)} of {draws} replicates"
        return Standing(len(kinds), f"{KINDS[kinds[0]].capitalize()}: {how}")

    def _kind(self, method: Method, k: int) -> str:
        """Return the kind of the first rule violation of a replicate, "" if there is none."""
        if (method, k) not in self._kinds:
            self._kinds[method, k] = self._judged(method, k)
        return self._kinds[method, k]

    def _judged(self, method: Method, k: int) -> str:
        state = self._state
        try:
            release = _release(state, method, k)
        except InputError as error:
            self._refused[method] = str(error)
            return "refused"
        verdict = judge(
            state.table,
            release,
            state.applied_limits,
            settings=state.settings,
            others=[Release.of(published) for published in state.beside],
            closely=at_once(state, release),
        )
        return verdict.stops[0].kind if verdict.stops else ""


def _draws(method: Method) -> int:
    return 1 if method.deterministic else DRAWS


def _release(state: ProtectState, method: Method, k: int) -> Release:
    """Return a replicate of a release; replicate 0 is the one on the page."""
    seed = state.settings.seed
    return method.release(state.table, np.random.default_rng((seed, k) if k else seed))


def zeros_told(state: ProtectState, method: Method) -> str:
    """Return a warning if a setting turns most cells into zeros, "" otherwise.

    Cells that are empty in the original table are included, because the share of zeros in the release matters.

    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets import methods
    >>> state = ProtectState(FrequencyTable([[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]]))
    >>> rounding = methods.get("conventional-rounding")
    >>> zeros_told(state, rounding(base=20)), zeros_told(state, rounding(base=3))
    ('Most cells become zero: 11 of 12 (before: 3).', '')
    """
    before = int((state.table.counts == 0).sum())
    try:
        releases = [_release(state, method, k) for k in range(_draws(method))]
    except InputError:
        return ""
    zeros = round(float(np.mean([(release.cells == 0).sum() for release in releases])))
    cells = releases[0].cells.size
    if zeros <= before or 2 * zeros <= cells:
        return ""
    return f"Most cells become zero: {zeros:,} of {cells:,} (before: {before:,})."


def promise(method: Method) -> str:
    """Return the properties of a method in short sentences: additivity, consistency and zeros.

    >>> from sdcwidgets import methods
    >>> promise(methods.get("record-swapping")())
    'Additive. Other tables stay consistent. Zeros may become positive.'
    """
    if method.suppresses:
        return "Published cells are additive. Suppresses cells. Zeros stay zero."
    if method.merges:
        return "Additive. Fewer categories. Counts are exact."
    if method.follows:
        return "Additive. Other tables stay consistent. Zeros may become positive."
    own = getattr(method, "margins", "sums") == "own"
    same = method.deterministic or method.name == "cell-key"
    tables = "The same cell has the same count in every table" if same else "Counts may differ between tables"
    return (
        f"{'Totals are perturbed independently and may not be additive' if own else 'Additive'}. {tables}. Zeros "
        "stay zero."
    )
