"""A case of the attack lab: published tables by protection, the question, and the original counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sdcwidgets.attacks import Knowledge, TablePlacement
from sdcwidgets.attacks.knowledge import system
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

Cell = tuple[str, ...]

#: Maximum number of cells for which the automated attack includes all counts; otherwise only those of the question.
MOST_ATTACKED = 60


@dataclass(frozen=True, eq=False)
class Case:
    """A question about a confidential count, with published tables.

    Attributes
    ----------
    title, source, story, question : str
    attack : str
        Default automated attack.
    truth : FrequencyTable
        Original counts, which only the agency knows.
    targets : tuple of tuple of str
        Counts that determine the answer.
    options : sequence of str
        Possible answers; `right` is the correct one.
    hints : sequence of str
    protections : mapping of str to str
        Protection methods of the agency.
    publish : mapping of str to tuple of (TablePlacement, Release)
        Published tables by protection.
    means : mapping of str to mapping of tuple of str to float
        Published means by protection.
    view : mapping of str to str
        Fixed label on each axis of the confidential table that is not shown.
    own : tuple of str
        Cell of an intruder who is a respondent and knows that at least one person is in it. Empty for an external
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
        """Return the knowledge of the intruder in addition to the published numbers."""
        placements = tuple(placement for placement, _ in self.publish[protection])
        wanted = self.targets if self.truth.cells > MOST_ATTACKED else ()
        known = {self.own: (1.0, float("inf"))} if self.own else {}
        return Knowledge(self.truth.axes, placements, known, self.means.get(protection, {}), wanted=wanted)


def rounded(release: Release, base: int) -> Release:
    """Return a release with each value rounded independently to the nearest multiple of the base."""
    values = {axes: (2 * published + base) // (2 * base) * base for axes, published in release.values.items()}
    return Release.by_value(
        release.axes, values, lambda v: (np.maximum(np.ceil(v - base / 2), 0), np.ceil(v + base / 2) - 1)
    )


def noisy(
    published: tuple[tuple[TablePlacement, Release], ...], truth: FrequencyTable
) -> tuple[tuple[TablePlacement, Release], ...]:
    """Return releases with noise of at most 2, which is equal for equal groups of people; zeros stay zero."""
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
        # Data users know that the noise is at most 2.
        bounded = Release.by_value(release.axes, values, lambda v: (np.maximum(v - 2, 0), v + 2))
        releases.append((placement, bounded))
    return tuple(releases)
