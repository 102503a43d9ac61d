"""What a machine finds in a case of the attack lab, by the attack of the case or any other that can work there."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sdcwidgets import attacks
from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks import Finding
from sdcwidgets.attacks.knowledge import System, system
from sdcwidgets.attacks.linking import alone
from sdcwidgets.dashboards.attack.case import Case


class Outcome(NamedTuple):
    """What the machine finds under one protection."""

    protection: str
    lower: float
    upper: float
    """Of the first count that is wanted."""
    found: bool
    moved: float
    """How much a published count is moved on average."""
    said: str


class Setting(NamedTuple):
    """What does not change while a person points."""

    given: System
    finding: Finding | None
    problem: str
    before: tuple[Floats, Floats]


@lru_cache(maxsize=64)
def _given(known: Case, protection: str) -> tuple[System, tuple[Floats, Floats]]:
    """Return the published numbers, and what each by itself leaves of the counts."""
    given = system([release for _, release in known.publish[protection]], known.knowledge(protection))
    return given, alone(given)


@lru_cache(maxsize=256)
def setting(known: Case, protection: str, attack: str) -> Setting:
    """Return what is published under a protection, and what an attack finds in it."""
    given, before = _given(known, protection)
    releases = [release for _, release in known.publish[protection]]
    try:
        finding = attacks.get(attack)(releases, known.knowledge(protection))
        if finding.axes != given.axes:
            raise InputError("This attack finds counts of a published table, not of the one that is wanted.")
        return Setting(given, finding, "", before)
    except InputError as error:
        return Setting(given, None, str(error), before)


def working(known: Case, protection: str) -> tuple[str, ...]:
    """Return the attacks that can work on what is published, the one of the case first.

    >>> from sdcwidgets.dashboards.attack.cases import CASES
    >>> [name for name in working(CASES["classes"], "published") if name in ("differencing", "linking", "means")]
    ['differencing', 'linking']
    """
    others = [name for name in attacks.available() if name != known.attack]
    return (known.attack, *(name for name in others if setting(known, protection, name).finding is not None))


@lru_cache(maxsize=256)
def outcome(known: Case, protection: str, attack: str) -> Outcome:
    """Return what an attack comes to under a protection."""
    given, finding, problem, before = setting(known, protection, attack)
    truth = given.matrix @ known.truth.counts.ravel()
    moved = float(
        np.nanmean([abs(number.value - true) for number, true in zip(given.numbers, truth, strict=True)])
    )
    left = finding or Finding.of(attack, given.axes, before, before)
    bounds = [left.at(*cell) for cell in known.targets]
    still = sum(low != high for low, high in bounds)
    said = f"A machine leaves {still} of the {len(bounds)} wanted counts open."
    if finding is None:
        said = problem
    elif not still:
        said = "A machine finds all that is wanted."
    return Outcome(protection, *bounds[0], finding is not None and not still, moved, said)
