"""A case of the attack lab: what is published under each protection, what is wanted, and the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdcwidgets.attacks import Knowledge, TablePlacement
from sdcwidgets.attacks.knowledge import system
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

Cell = tuple[str, ...]

#: In a larger table the machine attacks only what is wanted, so that a page need not wait.
MOST_ATTACKED = 60


@dataclass(frozen=True, eq=False)
class Case:
    """One person to find.

    Attributes
    ----------
    title, source, story, question : str
    attack : str
        The attack that a machine does.
    truth : FrequencyTable
        The counts that are wanted, which the agency holds.
    targets : tuple of tuple of str
        The counts that must be known for an answer.
    options : sequence of str
        The answers one can give; `right` is the true one.
    hints : sequence of str
    protections : mapping of str to str
        What the agency may have done.
    publish : mapping of str to tuple of (TablePlacement, Release)
        The tables that are published then.
    means : mapping of str to mapping of tuple of str to float
        Published means, under each protection.
    view : mapping of str to str
        The label on each axis of the wanted table that is not shown.
    own : tuple of str
        The cell of an intruder who is a respondent and knows that at least one person is in it. Empty for an external
        intruder.
    """

    title: str
    source: str
    story: str
    question: str
    attack: str
    truth: FrequencyTable
    targets: tuple[Cell, ...]
    options: Sequence[str]
    right: str
    hints: Sequence[str]
    protections: Mapping[str, str]
    publish: Mapping[str, tuple[tuple[TablePlacement, Release], ...]]
    means: Mapping[str, Mapping[tuple[str, ...], float]] = field(default_factory=dict)
    view: Mapping[str, str] = field(default_factory=dict)
    own: Cell = ()

    def knowledge(self, protection: str) -> Knowledge:
        """Return what the intruder knows beside the numbers."""
        placements = tuple(placement for placement, _ in self.publish[protection])
        wanted = self.targets if self.truth.cells > MOST_ATTACKED else ()
        known = {self.own: (1.0, float("inf"))} if self.own else {}
        return Knowledge(self.truth.axes, placements, known, self.means.get(protection, {}), wanted=wanted)


def rounded(release: Release, base: int) -> Release:
    """Return a release with each value rounded by itself to the nearest multiple."""
    values = {axes: (2 * v + base) // (2 * base) * base for axes, v in release.values.items()}
    return Release.by_value(
        release.axes, values, lambda v: (np.maximum(np.ceil(v - base / 2), 0), np.ceil(v + base / 2) - 1)
    )


def noisy(
    published: tuple[tuple[TablePlacement, Release], ...], truth: FrequencyTable
) -> tuple[tuple[TablePlacement, Release], ...]:
    """Return releases with noise of at most 2, the same wherever the same people are counted; a zero stays."""
    placements = tuple(placement for placement, _ in published)
    rows = system([release for _, release in published], Knowledge(truth.axes, placements)).matrix.toarray()
    people = iter((rows * truth.counts.ravel()).astype(np.int64))
    releases = []
    for placement, release in published:
        values = {}
        for axes, array in release.values.items():
            noise = [np.random.default_rng(next(people)).integers(-2, 3) for _ in range(array.size)]
            moved = np.maximum(array + np.reshape(noise, array.shape), 0)
            values[axes] = np.where(array > 0, moved, 0.0)
        # A reader knows that the noise is at most 2.
        bounded = Release.by_value(release.axes, values, lambda v: (np.maximum(v - 2, 0), v + 2))
        releases.append((placement, bounded))
    return tuple(releases)
