"""Automated attacks on a case of the attack lab: the attack of the case, or any other that can work there."""

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
    """The result of an automated attack under one protection."""

    protection: str
    lower: float
    upper: float
    """Of the first count that is wanted."""
    succeeded: bool
    moved: float
    """How much a published count is moved on average."""
    sentence: str


class AutomatedAttack(NamedTuple):
    """The published numbers and the finding of an attack; it does not depend on the lines of a person."""

    published: PublishedSystem
    finding: Finding | None
    problem: str
    before: tuple[Floats, Floats]


@lru_cache(maxsize=64)
def _published(case: Case, protection: str) -> tuple[PublishedSystem, tuple[Floats, Floats]]:
    """Return the published numbers, and what each by itself leaves of the counts."""
    published = system([release for _, release in case.publish[protection]], case.knowledge(protection))
    return published, single_bounds(published)


@lru_cache(maxsize=256)
def automated_attack(case: Case, protection: str, attack: str) -> AutomatedAttack:
    """Return what is published under a protection, and what an attack finds in it."""
    published, before = _published(case, protection)
    releases = [release for _, release in case.publish[protection]]
    try:
        finding = attacks.get(attack)(releases, case.knowledge(protection))
        if finding.axes != published.axes:
            raise InputError("This attack finds counts of a published table, not of the one that is wanted.")
        return AutomatedAttack(published, finding, "", before)
    except InputError as error:
        return AutomatedAttack(published, None, str(error), before)


def working(case: Case, protection: str) -> tuple[str, ...]:
    """Return the attacks that can work on what is published, the one of the case first.

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
    """Return what an attack comes to under a protection."""
    published, finding, problem, before = automated_attack(case, protection, attack)
    truth = published.matrix @ case.truth.counts.ravel()
    moved = float(
        np.nanmean([abs(number.value - true) for number, true in zip(published.numbers, truth, strict=True)])
    )
    remaining = finding or Finding.of(attack, published.axes, before, before)
    bounds = [remaining.at(*cell) for cell in case.targets]
    undetermined = sum(low != high for low, high in bounds)
    sentence = f"A machine leaves {undetermined} of the {len(bounds)} wanted counts open."
    if finding is None:
        sentence = problem
    elif not undetermined:
        sentence = "A machine finds all that is wanted."
    return Outcome(protection, *bounds[0], finding is not None and not undetermined, moved, sentence)
