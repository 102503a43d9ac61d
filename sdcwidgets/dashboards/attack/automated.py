"""Automated attacks on a case of the attack lab: the default attack of the case, or any other that applies."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sdcwidgets import attacks
from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks import Finding
from sdcwidgets.attacks.knowledge import PublishedSystem, system
from sdcwidgets.attacks.linking import single_bounds
from sdcwidgets.dashboards.attack.case import Case


class Outcome(NamedTuple):
    """Result of an automated attack under one protection."""

    protection: str
    lower: float
    upper: float
    """Interval of the first confidential count of the question."""
    succeeded: bool
    moved: float
    """Mean absolute change of a published count."""
    sentence: str


class AutomatedAttack(NamedTuple):
    """Published numbers and the finding of an attack, independent of the user's combinations."""

    published: PublishedSystem
    finding: Finding | None
    problem: str
    before: tuple[Floats, Floats]


@lru_cache(maxsize=64)
def _published(case: Case, protection: str) -> tuple[PublishedSystem, tuple[Floats, Floats]]:
    """Return the published numbers, and the bounds of the counts that follow from single numbers."""
    published = system([release for _, release in case.publish[protection]], case.knowledge(protection))
    return published, single_bounds(published)


@lru_cache(maxsize=256)
def automated_attack(case: Case, protection: str, attack: str) -> AutomatedAttack:
    """Return the published numbers under a protection, and the finding of an attack."""
    published, before = _published(case, protection)
    releases = [release for _, release in case.publish[protection]]
    try:
        finding = attacks.get(attack)(releases, case.knowledge(protection))
        if finding.axes != published.axes:
            raise InputError(
                "This automated attack cannot answer the question, because it finds only counts of the "
                "published table."
            )
        return AutomatedAttack(published, finding, "", before)
    except InputError as error:
        return AutomatedAttack(published, None, str(error), before)


def working(case: Case, protection: str) -> tuple[str, ...]:
    """Return the attacks that apply to the published numbers, the default attack of the case first.

    Examples
    --------
    >>> from sdcwidgets.dashboards.attack.cases import CASES
    >>> [name for name in working(CASES["classes"], "published") if name in ("differencing", "linking", "means")]
    ['differencing', 'linking']
    """
    others = [name for name in attacks.available() if name != case.attack]
    return (
        case.attack,
        *(name for name in others if automated_attack(case, protection, name).finding is not None),
    )


@lru_cache(maxsize=256)
def outcome(case: Case, protection: str, attack: str) -> Outcome:
    """Return the result of an attack under a protection."""
    published, finding, problem, before = automated_attack(case, protection, attack)
    truth = published.matrix @ case.truth.counts.ravel()
    moved = float(
        np.nanmean([abs(number.value - true) for number, true in zip(published.numbers, truth, strict=True)])
    )
    remaining = finding or Finding.of(attack, published.axes, before, before)
    bounds = [remaining.at(*cell) for cell in case.targets]
    undetermined = sum(low != high for low, high in bounds)
    sentence = (
        f"The automated attack does not determine {undetermined} of the {len(bounds)} counts of the question."
    )
    if finding is None:
        sentence = problem
    elif not undetermined:
        sentence = "The automated attack determines all counts of the question."
    return Outcome(protection, *bounds[0], finding is not None and not undetermined, moved, sentence)
