"""Recommended settings among all compared ones: least information loss, least risk, and a common method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sdcwidgets import methods
from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.labels import and_more, counted
from sdcwidgets.assessment.recommending import (
    BUDGET,
    Judging,
    changing,
    is_for_teaching,
    is_mostly_zero,
    means_of,
    ordered,
    within_limits,
)
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.dashboards.protect.minimum_count import has_threshold_below, is_possible, with_minimum_count
from sdcwidgets.dashboards.protect.ordered_labels import is_ordered
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


#: Bases of rounding that statistical offices use; other bases are recommended only if none of these passes.
USUAL_BASES = (3, 5, 10)

#: Methods that merge categories, and methods that suppress cells, which are adapted to the minimum count of the limits.
MERGING, SUPPRESSING = ("redesign",), ("cell-suppression", "threshold-suppression")

#: Minimum count of a cell if the limits do not state one.
DEFAULT_COUNT = 3


class Recommendation(NamedTuple):
    """A recommended method.

    Attributes
    ----------
    method : Method
    offer : Offer
        Description of the method.
    violations : float
        Largest number of violations of its judged replicates.
    removed : tuple of str
        Names of the variables that the table no longer has.
    """

    method: Method
    offer: Offer
    violations: float
    removed: tuple[str, ...] = ()


def recommended(state: ProtectState, points: Sequence[Replications]) -> list[Recommendation]:
    """Return the recommended settings; those with violations come last.

    Candidates are all settings whose means are within the limits, or all settings if none is. Settings that change
    most cells to zero, settings for teaching only, settings that the rules do not permit, and suppression with a
    threshold below the minimum count are no candidates. Settings that round to an unusual base are judged after all
    others, and then settings that merge categories without an order or all categories of a variable. For each of
    the three kinds, the settings are judged in order of information loss (of risk for "Least risk") until one
    passes in all replicates. Among common methods, a method that is already recommended comes last. If no setting
    passes, the one that fails in the fewest replicates is returned with its violation, and the one with the fewest
    violations is added. Merging and suppression are added if they pass.

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
        if {risk, loss} <= point.whole_slice.estimates.keys()
        and state.required_instead(point.method) is None
        and not is_for_teaching(point.method)
        and not is_mostly_zero(point)
        and not has_threshold_below(point.method, state.limits.smallest_count)
        and not (state.nested and point.method.merges)
    ]
    if len(known) < (2 if state.required is None else 1):
        return []
    recommending = _Recommending(state, known)
    recommending.add_best()
    recommending.add_merging_and_suppression()
    recommending.add_fewest_violations()
    return sorted(recommending.recommendations, key=lambda recommendation: recommendation.violations)


class _Recommending:
    """Recommendations among compared settings, judged within one time budget."""

    def __init__(self, state: ProtectState, known: Sequence[Replications]) -> None:
        self._state, self._known = state, known
        self._risk, self._loss = state.risk_measure, state.loss_measure
        self._means = means_of(known, (self._risk, self._loss))
        self._in_question = _in_question(state, self._means)
        self._fitting = set(of_limits(state))
        self._unusual_merges = {point.method for point in known if _is_unusual_merge(point)}
        self._judging = Judging(
            state.table,
            state.settings,
            state.applied_limits,
            others=[Release.of(published) for published in state.beside],
            closely=partial(at_once, state),
            required=state.required_instead,
            budget=BUDGET,
        )
        self.recommendations: list[Recommendation] = []

    def add_best(self) -> None:
        """Add the settings with the least information loss, also of a common method, and with the least risk."""
        usual = np.array([point.method.name in USUAL for point in self._known])
        for title, measure, these in (
            ("Least information loss", self._loss, self._in_question),
            ("Method common in statistical offices", self._loss, self._in_question & usual),
            ("Least risk", self._risk, self._in_question),
        ):
            taken = self._taken()
            tried = [method for method in self._ordered(measure, these) if method not in taken]
            if measure is self._loss:
                # A different method is a better alternative than the same method with other margins.
                names = {method.name for method in taken}
                tried.sort(key=lambda method: method.name in names)
            self._add(title, tried)

    def add_merging_and_suppression(self) -> None:
        """Add settings that merge categories or suppress cells, if they pass and none is recommended yet."""
        passing = {one.method.name for one in self.recommendations if not one.violations}
        by_loss = [
            method
            for method in self._ordered(self._loss, self._in_question)
            if method in self._fitting and not (passing and method in self._unusual_merges)
        ]
        for title, names in (("Merging of categories", MERGING), ("Suppression", SUPPRESSING)):
            if not passing & set(names):
                self._add(title, [method for method in by_loss if method.name in names], only_passing=True)

    def add_fewest_violations(self) -> None:
        """Add the setting with the fewest violations if no recommended setting passes."""
        if all(recommendation.violations for recommendation in self.recommendations):
            tried = [point.method for point in self._known if point.method in self._fitting]
            fewest = min(tried, key=self._judging.most_violations, default=None)
            if fewest is not None and fewest not in self._taken():
                self._add("Fewest violations", [fewest])

    def _taken(self) -> list[Method]:
        return [recommendation.method for recommendation in self.recommendations]

    def _ordered(self, measure: Measure, these: Flags) -> list[Method]:
        """Return the chosen methods in the order of a measure; the other measure decides ties."""
        other = self._loss if measure is self._risk else self._risk
        return [self._known[i].method for i in ordered(self._means, measure, other) if these[i]]

    def _add(self, title: str, tried: Sequence[Method], *, only_passing: bool = False) -> None:
        """Add the first method that passes, or the one with the fewest failures, unless it must pass."""
        if not tried:
            return
        tried = sorted(tried, key=lambda method: (method in self._unusual_merges, has_unusual_base(method)))
        method = self._judging.first_that_passes(tried)
        violations = self._judging.most_violations(method)
        if violations and only_passing:
            return
        i = next(k for k, point in enumerate(self._known) if point.method == method)
        means = float(self._means[self._risk][i]), float(self._means[self._loss][i])
        figures = _figures(self._state, self._known[i], *means)
        keeps = " ".join(filter(None, [merged_words(self._known[i]), promise(method)]))
        offer = Offer(title, describe(method), figures, self._judging.standing(method).words, keeps)
        removed = self._known[i].first.removed_axes if method.merges else ()
        self.recommendations.append(Recommendation(method, offer, violations, removed))


def has_unusual_base(method: Method) -> bool:
    """Return whether a method rounds to a base that is not usual in statistical offices.

    Examples
    --------
    >>> rounding = methods.get("random-rounding")
    >>> [has_unusual_base(rounding(base=base)) for base in (3, 13)]
    [False, True]
    """
    return getattr(method, "base", USUAL_BASES[0]) not in USUAL_BASES


def _is_unusual_merge(point: Replications) -> bool:
    """Return whether a setting merges categories of an axis without an order, or all categories of an axis."""
    if not point.method.merges:
        return False
    axes = {axis.name: axis.labels for axis in point.table.axes}
    return any(
        not is_ordered(axes[name]) or len(set(merged.values())) == 1
        for name, merged in point.first.merged.items()
    )


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
    Redesign, minimum count 5, merge all variables
    Cell suppression, threshold 5, width 2
    Threshold suppression, threshold 5, suppress zeros
    """
    table = state.table
    least = state.limits.smallest_count if state.limits.smallest_count > 1 else DEFAULT_COUNT
    redesign, suppression, threshold = (methods.get(name) for name in (*MERGING, *SUPPRESSING))
    settings: list[Method] = []
    for zeros in (True, False) if is_possible(redesign(), "smallest", least) else ():
        names = ["rows", *(axis.name for axis in table.axes[1:-1]), "columns"] if table.ndim > 1 else []
        settings += [redesign(axis=name, smallest=least, zeros=zeros) for name in names]
        settings.append(redesign(smallest=least, zeros=zeros, all_variables=True))
    settings += [
        with_minimum_count(method, least)
        for method in (suppression(), threshold(zeros=True))
        if is_possible(method, "threshold", least)
    ]
    fitted = dict.fromkeys(state.fitted(method) for method in settings)
    return [method for method in fitted if not (state.nested and method.merges)]


def _figures(state: ProtectState, point: Replications, risk: float, loss: float) -> str:
    """Return the means of a setting as text; the table on the page is one replicate and has other values."""
    noun = "utility" if state.loss_measure.more_is_better else "information loss"
    figures = f"{noun} {state.loss_measure.format_value(loss)} · residual risk {state.risk_measure.format_value(risk)}"
    return (
        figures if point.method.deterministic else f"means of {counted(point.size, 'replicate')}: {figures}"
    )


def _in_question(state: ProtectState, means: dict[Measure, Floats]) -> Flags:
    """Return a mask of the settings that change the table and are within the limits, or that change it if none is."""
    within = within_limits(means, state.risk_measure, state.loss_measure, state.applied_limits)
    return within if within.any() else changing(means, state.loss_measure)


def merged_words(point: Replications) -> str:
    """Return which variables a setting merges and how many cells remain, "" for other methods.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, assess
    >>> table = FrequencyTable([[1, 9], [7, 4], [2, 8]], {"Age": ["0-4", "5-9", "10+"], "Sex": ["m", "f"]})
    >>> merged_words(assess(table, "redesign", axis="Age").after)
    'Merged variable: Age. The table has 2 cells instead of 6. It no longer has the variable Age.'
    """
    if not point.method.merges:
        return ""
    release = point.first
    noun = "variable" if len(release.merged) == 1 else "variables"
    cells = f"{release.cells.size:,} {'cell' if release.cells.size == 1 else 'cells'}"
    words = (
        f"Merged {noun}: {and_more(list(release.merged), 3)}. The table has {cells} instead of "
        f"{point.table.cells:,}."
    )
    removed = release.removed_axes
    if not removed:
        return words
    noun = "variable" if len(removed) == 1 else "variables"
    return f"{words} It no longer has the {noun} {and_more(list(removed), 3)}."


def promise(method: Method) -> str:
    """Return the properties of a method in short sentences: additivity, consistency and zeros.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> promise(methods.get("record-swapping")())
    'Counts are additive, and consistent with other tables of the same protected data. Zeros may become positive.'
    >>> promise(methods.get("conventional-rounding")())
    'Totals are the sums of their cells. The same count may be different in different tables. Zeros stay zero.'
    """
    if method.suppresses:
        return "The method suppresses cells. The published counts are additive. Zeros stay zero."
    if method.merges:
        return "The counts are exact and additive."
    if method.follows:
        return (
            "Counts are additive, and consistent with other tables of the same protected data. "
            "Zeros may become positive."
        )
    own = getattr(method, "margins", "sums") == "own"
    if own and method.deterministic:
        tables = "The same count is equal in every table"
    elif own and method.name == "cell-key":
        tables = "The same count is equal in every table of the same people and record keys"
    else:
        tables = "The same count may be different in different tables"
    additivity = (
        "Totals are perturbed independently, so they may differ from the sums of their cells"
        if own
        else "Totals are the sums of their cells"
    )
    return f"{additivity}. {tables}. Zeros stay zero."
