"""Recommended settings among all compared ones: least information loss, least risk, and a common method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.recommending import (
    BUDGET,
    Judging,
    changing,
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
    for title, measure, these in (
        ("Least information loss", loss, in_question),
        ("Method common in statistical offices", loss, in_question & usual),
        ("Least risk", risk, in_question),
    ):
        # Ties in one measure are broken by the other.
        other = loss if measure is risk else risk
        taken = [recommendation.method for recommendation in recommendations]
        methods = [
            known[i].method
            for i in ordered(means, measure, other)
            if these[i] and known[i].method not in taken
        ]
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
