"""Recommended settings among all compared ones: least information loss, least risk, and a common method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sdcwidgets import methods
from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.recommending import (
    BUDGET,
    Judging,
    changing,
    is_mostly_zero,
    judged_release,
    means_of,
    ordered,
    replicates_of,
    within_limits,
)
from sdcwidgets.assessment.replications import Replications
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


#: Methods that merge categories, and methods that suppress cells, which are adapted to the minimum count of the limits.
MERGING, SUPPRESSING = ("redesign",), ("cell-suppression", "threshold-suppression")

#: Minimum count of a cell if the limits do not state one.
DEFAULT_COUNT = 3


class Recommendation(NamedTuple):
    """A recommended method, with its description and the largest number of violations of its judged replicates."""

    method: Method
    offer: Offer
    violations: float


def recommended(state: ProtectState, points: Sequence[Replications]) -> list[Recommendation]:
    """Return the recommended settings; those with violations come last.

    Candidates are all settings whose means are within the limits, or all settings if none is. Settings that change most
    cells to zero are no candidates. For each of the three kinds, the settings are judged in order of information loss
    (of risk for "Least risk") until one passes in all replicates. Among common methods, a method that is already
    recommended comes last. If no setting passes, the one that fails in the fewest replicates is returned
    with its violation, and the one with the fewest violations is added. Merging and suppression are added if they pass.

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
        if risk in point.whole_slice.estimates
        and loss in point.whole_slice.estimates
        and not is_mostly_zero(point)
    ]
    if len(known) < 2:
        return []
    means = means_of(known, (risk, loss))
    usual = np.array([point.method.name in USUAL for point in known])
    in_question = _in_question(state, means)
    judging = Judging(
        state.table,
        state.settings,
        state.applied_limits,
        others=[Release.of(published) for published in state.beside],
        closely=partial(at_once, state),
        required=state.required_instead,
        budget=BUDGET,
    )
    recommendations: list[Recommendation] = []

    def add(title: str, tried: Sequence[Method], *, only_passing: bool = False) -> None:
        """Add the first method that passes, or the one with the fewest failures, unless it must pass."""
        if not tried:
            return
        method = judging.first_that_passes(tried)
        violations = judging.most_violations(method)
        if violations and only_passing:
            return
        i = next(k for k, point in enumerate(known) if point.method == method)
        figures = _figures(state, float(means[risk][i]), float(means[loss][i]))
        keeps = " ".join(filter(None, [zeros_told(state, method), promise(method)]))
        offer = Offer(title, describe(method), figures, judging.standing(method).words, keeps)
        recommendations.append(Recommendation(method, offer, violations))

    for title, measure, these in (
        ("Least information loss", loss, in_question),
        ("Method common in statistical offices", loss, in_question & usual),
        ("Least risk", risk, in_question),
    ):
        # Ties in one measure are broken by the other.
        other = loss if measure is risk else risk
        taken = [recommendation.method for recommendation in recommendations]
        tried = [
            known[i].method
            for i in ordered(means, measure, other)
            if these[i] and known[i].method not in taken
        ]
        if measure is loss:
            # A different method is a better alternative than the same method with other margins.
            names = {method.name for method in taken}
            tried.sort(key=lambda method: method.name in names)
        add(title, tried)
    fitting = set(of_limits(state))
    kinds = {
        recommendation.method.name for recommendation in recommendations if not recommendation.violations
    }
    by_loss = [known[i].method for i in ordered(means, loss, risk) if in_question[i]]
    for title, names in (("Merging of categories", MERGING), ("Suppression", SUPPRESSING)):
        tried = [method for method in by_loss if method in fitting and method.name in names]
        if not kinds & set(names):
            add(title, tried, only_passing=True)
    if all(recommendation.violations for recommendation in recommendations):
        tried = [point.method for point in known if point.method in fitting]
        fewest = min(tried, key=judging.most_violations, default=None)
        if fewest is not None and fewest not in [recommendation.method for recommendation in recommendations]:
            add("Fewest violations", [fewest])
    return sorted(recommendations, key=lambda recommendation: recommendation.violations)


def of_limits(state: ProtectState) -> list[Method]:
    """Return settings that merge categories or suppress cells below the minimum count of the limits.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets.assessment.verdict import ReleaseLimits
    >>> state = ProtectState(FrequencyTable([[1, 9], [7, 4]]))
    >>> state = state.changed(limits=ReleaseLimits("Panel", smallest_count=5))
    >>> for method in of_limits(state)[-3:]:
    ...     print(describe(method))
    Redesign, smallest 5, merge all variables
    Cell suppression, threshold 5, width 2, coalition 1
    Threshold suppression, threshold 5, suppress zeros
    """
    table = state.table
    least = state.limits.smallest_count if state.limits.smallest_count > 1 else DEFAULT_COUNT
    redesign, suppression, threshold = (methods.get(name) for name in (*MERGING, *SUPPRESSING))
    settings: list[Method] = []
    for zeros in (True, False):
        names = ["rows", *(axis.name for axis in table.axes[1:-1]), "columns"] if table.ndim > 1 else []
        settings += [redesign(axis=name, smallest=least, zeros=zeros) for name in names]
        settings.append(redesign(smallest=least, zeros=zeros, all_variables=True))
    settings += [suppression(threshold=least), threshold(threshold=least, zeros=True)]
    return list(dict.fromkeys(method.with_valid_axes(table) for method in settings))


def _figures(state: ProtectState, risk: float, loss: float) -> str:
    """Return the means of a setting as text."""
    noun = "utility" if state.loss_measure.more_is_better else "information loss"
    return f"{noun} {state.loss_measure.format_value(loss)} · residual risk {state.risk_measure.format_value(risk)}"


def _in_question(state: ProtectState, means: dict[Measure, Floats]) -> Flags:
    """Return a mask of the settings that change the table and are within the limits, or that change it if none is."""
    within = within_limits(means, state.risk_measure, state.loss_measure, state.applied_limits)
    return within if within.any() else changing(means, state.loss_measure)


def zeros_told(state: ProtectState, method: Method) -> str:
    """Return a warning if a setting turns most cells into zeros, "" otherwise.

    Cells that are empty in the original table are included, because the share of zeros in the release matters.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets import methods
    >>> state = ProtectState(FrequencyTable([[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]]))
    >>> rounding = methods.get("conventional-rounding")
    >>> zeros_told(state, rounding(base=20)), zeros_told(state, rounding(base=3))
    ('Most cells become zero: 11 of 12 cells (before protection: 3).', '')
    """
    before = int((state.table.counts == 0).sum())
    try:
        releases = [
            judged_release(state.table, method, state.settings, k) for k in range(replicates_of(method))
        ]
    except InputError:
        return ""
    zeros = round(float(np.mean([(release.cells == 0).sum() for release in releases])))
    cells = releases[0].cells.size
    if zeros <= before or 2 * zeros <= cells:
        return ""
    return f"Most cells become zero: {zeros:,} of {cells:,} cells (before protection: {before:,})."


def promise(method: Method) -> str:
    """Return the properties of a method in short sentences: additivity, consistency and zeros.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> promise(methods.get("record-swapping")())
    'Counts are additive, and consistent with other tables of the same data. Zeros may become positive.'
    """
    if method.suppresses:
        return "The method suppresses cells. The published counts are additive. Zeros stay zero."
    if method.merges:
        return "The protected table has fewer categories. The counts are exact and additive."
    if method.follows:
        return "Counts are additive, and consistent with other tables of the same data. Zeros may become positive."
    own = getattr(method, "margins", "sums") == "own"
    same = method.deterministic or method.name == "cell-key"
    tables = (
        "The same cell has the same count in every table"
        if same
        else "The same cell may have different counts in different tables"
    )
    additivity = (
        "Totals are perturbed independently, so they may differ from the sums of their cells"
        if own
        else "Totals are the sums of their cells"
    )
    return f"{additivity}. {tables}. Zeros stay zero."
