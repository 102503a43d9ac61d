"""The three settings to begin with, out of all that were tried: least lost, least risk, and the usual one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sdcwidgets.arrays import Flags, Floats
from sdcwidgets.errors import InputError
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.pages.protect.state import ProtectState, at_once
from sdcwidgets.plots.methods import describe
from sdcwidgets.release import Release
from sdcwidgets.replications import Replications
from sdcwidgets.verdict import KINDS, judge
from sdcwidgets.widgets.offers import Offer

#: What offices use most, in a few words each.
USUAL = {
    "conventional-rounding": "Usual rounding: to the nearest",
    "random-rounding": "Random rounding: up or down",
    "cell-key": "Cell key: fixed noise",
    "record-swapping": "Swapping: people move",
}

#: So many draws of a setting are judged, and so many settings of each kind at most.
DRAWS, LOOKED_AT = 5, 8


class Recommendation(NamedTuple):
    """One of the three: a method, and how it is offered, with what stands against it in how many of some draws."""

    method: Method
    offer: Offer


def recommended(state: ProtectState, points: Sequence[Replications]) -> list[Recommendation]:
    """Return the settings to begin with; those that something stands against come last.

    A setting is in question where its means keep the limits; where none does, all are. Of the best of these a few draws
    are judged, so that one which always shows somebody is not offered before one that never does.
    """
    risk, loss = state.risk_measure, state.loss_measure
    known = [point for point in points if risk in point.whole.estimates and loss in point.whole.estimates]
    if len(known) < 2:
        return []
    means = {measure: np.array([point.whole[measure].mean[0] for point in known]) for measure in (risk, loss)}
    usual = np.array([point.method.name in USUAL for point in known])
    in_question = _in_question(state, means)
    found: list[Recommendation] = []
    for title, measure, these in (
        ("Least lost", loss, in_question),
        ("Least risk", risk, in_question),
        ("Usual in offices", loss, in_question & usual),
    ):
        order = np.argsort(measure.worse(1.0) * means[measure], kind="stable")
        taken = [one.method for one in found]
        looked = [
            (_standing(state, known[i].method), i)
            for i in order[these[order]][:LOOKED_AT]
            if known[i].method not in taken
        ]
        if looked:
            stops, i = min(looked, key=lambda pair: pair[0][0])
            method = known[i].method
            lost, left = loss.told(float(means[loss][i])), risk.told(float(means[risk][i]))
            figures = f"{'kept' if loss.more_is_better else 'lost'} {lost} · risk left {left}"
            offer = Offer(title, describe(method), figures, stops[1], promise(method))
            found.append(Recommendation(method, offer))
    return sorted(found, key=lambda one: bool(one.offer.against))


def _in_question(state: ProtectState, means: dict[Measure, Floats]) -> Flags:
    """Return which settings change something and keep the limits; where none does, which change something."""
    losses = state.loss_measure.worse(1.0) * means[state.loss_measure]
    # What changes nothing is no protection.
    changed = (losses > losses.min()) | (losses.min() != 0)
    within: Flags = changed.copy()
    for measure, limit in ((state.risk_measure, state.asked.risk), (state.loss_measure, state.asked.loss)):
        if limit is not None:
            within &= measure.within(means[measure], limit)
    return within if within.any() else changed


def _standing(state: ProtectState, method: Method) -> tuple[int, str]:
    """Return in how many draws something but the seed stands against a setting, and what in words."""
    draws = 1 if method.deterministic else DRAWS
    kinds = []
    for k in range(draws):
        try:
            release = method.release(state.table, np.random.default_rng((state.settings.seed, k)))
        except InputError as error:
            return DRAWS + 1, str(error)
        verdict = judge(
            state.table,
            release,
            state.asked,
            settings=state.settings,
            beside=[Release.of(one) for one in state.beside],
            closely=at_once(state, release),
        )
        kinds += [stop.kind for stop in verdict.stops[:1]]
    if not kinds:
        return 0, ""
    how = "always" if len(kinds) == draws else f"in {len(kinds)} of {draws} draws"
    return len(kinds), f"{KINDS[kinds[0]].capitalize()}: {how}"


def promise(method: Method) -> str:
    """Return what a method keeps and breaks, in a few words.

    >>> from sdcwidgets import methods
    >>> promise(methods.get("record-swapping")())
    'Adds up. Other tables stay consistent. Zeros may fill.'
    """
    if method.gaps:
        return "Adds up where it is shown. Leaves gaps. Zeros stay."
    if method.merges:
        return "Adds up. Fewer categories. Counts are exact."
    if method.follows:
        return "Adds up. Other tables stay consistent. Zeros may fill."
    own = getattr(method, "margins", "sums") == "own"
    same = method.deterministic or method.name == "cell-key"
    tables = "The same count in every table" if same else "Other tables may differ"
    return f"{'Totals of their own: may not add up' if own else 'Adds up'}. {tables}. Zeros stay."
