"""A case of the attack lab: what is published under each protection, what is wanted, and the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdcwidgets.attacks import Knowledge, Placed
from sdcwidgets.attacks.knowledge import system
from sdcwidgets.release import Release
from sdcwidgets.table import Axis, FrequencyTable

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
    view : mapping of str to str
        The label on each axis of the wanted table that is not shown.
    targets : tuple of tuple of str
        The counts that must be known for an answer.
    options : tuple of str
        The answers one can give; `right` is the true one.
    hints : tuple of str
    protections : mapping of str to str
        What the agency may have done.
    publish : mapping of str to tuple of (Placed, Release)
        The tables that are published then.
    means : mapping of str to mapping of tuple of str to float
        Published means, under each protection.
    """

    title: str
    source: str
    story: str
    question: str
    attack: str
    truth: FrequencyTable
    view: Mapping[str, str]
    targets: tuple[Cell, ...]
    options: tuple[str, ...]
    right: str
    hints: tuple[str, ...]
    protections: Mapping[str, str]
    publish: Mapping[str, tuple[tuple[Placed, Release], ...]]
    means: Mapping[str, Mapping[tuple[str, ...], float]]

    def knowledge(self, protection: str) -> Knowledge:
        """Return what the intruder knows beside the numbers."""
        places = tuple(place for place, _ in self.publish[protection])
        wanted = self.targets if self.truth.cells > MOST_ATTACKED else ()
        return Knowledge(self.truth.axes, places, means=self.means.get(protection, {}), wanted=wanted)


def cells_alone(counts: object, axes: Sequence[Axis]) -> Release:
    """Return a release of these cells alone."""
    values = {tuple(range(len(axes))): np.asarray(counts, dtype=np.float64)}
    return Release(tuple(axes), values, values, values)


def rounded(release: Release, base: int) -> Release:
    """Return a release with each value rounded by itself to the nearest multiple."""
    values = {kept: (2 * v + base) // (2 * base) * base for kept, v in release.values.items()}
    lower = {kept: np.maximum(np.ceil(v - base / 2), 0) for kept, v in values.items()}
    upper = {kept: np.ceil(v + base / 2) - 1 for kept, v in values.items()}
    return Release(release.axes, values, lower, upper)


def noisy(
    published: tuple[tuple[Placed, Release], ...], truth: FrequencyTable
) -> tuple[tuple[Placed, Release], ...]:
    """Return releases with noise of at most 2, the same wherever the same people are counted; a zero stays."""
    places = tuple(place for place, _ in published)
    rows = system([release for _, release in published], Knowledge(truth.axes, places)).matrix.toarray()
    people = rows * truth.counts.ravel()
    noisy, start = [], 0
    for place, release in published:
        values = {}
        for kept, array in release.values.items():
            block = people[start : start + array.size]
            start += array.size
            noise = [np.random.default_rng(line.astype(np.int64)).integers(-2, 3) for line in block]
            moved = np.maximum(array + np.reshape(noise, array.shape), 0)
            values[kept] = np.where(array > 0, moved, 0.0)
        # A reader knows that the noise is at most 2.
        lower = {kept: np.maximum(v - 2, 0) for kept, v in values.items()}
        upper = {kept: v + 2 for kept, v in values.items()}
        noisy.append((place, Release(release.axes, values, lower, upper)))
    return tuple(noisy)
