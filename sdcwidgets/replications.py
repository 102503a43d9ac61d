"""A table and a protection method in; what is left of the risk, and what is lost, over many draws out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk.population import VARIANTS, After, after_slices
from sdcwidgets.methods import Method, PreTabular
from sdcwidgets.table import FrequencyTable

__all__ = ["Draws", "Estimate", "Replications", "SlicesAfter", "replicate"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Draws are made and assessed in chunks of about this many cells, to bound the memory.
CHUNK = 2**21

#: What is summed up over the draws of each slice; every estimate is a weighted sum of these.
MEASURES = ("zeros", *VARIANTS, "hellinger", *(f"{variant} star" for variant in VARIANTS))


class Estimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, which is nan for one replication."""

    mean: Floats
    error: Floats


@dataclass(frozen=True)
class SlicesAfter:
    """The risk left and the information lost of every slice along one axis, or of the whole table.

    Attributes
    ----------
    name : str
        The axis, or "Table".
    labels : tuple of str
        One label a slice.
    terms : dict of Estimate, shape (n, 3)
        The three terms after protection, for each variant of the second; nan where they are not defined.
    r2, r2_star : dict of Estimate, shape (n,)
        The weighted and the weight-free risk after protection, for each variant; from 0 to 1.
    hellinger : Estimate, shape (n,)
        Hellinger distance of the counts before and after.
    utility : Estimate, shape (n,)
        1 - HD / √N; nan where nobody is.
    """

    name: str
    labels: tuple[str, ...]
    terms: Mapping[str, Estimate]
    r2: Mapping[str, Estimate]
    r2_star: Mapping[str, Estimate]
    hellinger: Estimate
    utility: Estimate

    def __len__(self) -> int:
        return len(self.labels)


class Draws(NamedTuple):
    """The risk and the information loss of the whole table in each replication, shape (replications,)."""

    hellinger: Floats
    r2: Mapping[str, Floats]
    r2_star: Mapping[str, Floats]


@dataclass(frozen=True)
class Replications:
    """What a method does to a table, over many draws.

    Attributes
    ----------
    method : Method
    size, seed : int
        How many draws were made, and from which seed.
    first : FrequencyTable
        The first draw.
    slices : dict of SlicesAfter
        One for each axis, by its name; empty for a table of one dimension.
    whole : SlicesAfter
        The whole table as its only slice.
    draws : Draws
        One point a draw, for the risk-utility map.
    small_ratio : Estimate
        DR, the share of the published ones and twos that are true; 0 where none is published.
    small_changed : Estimate
        The share of the original ones and twos that are published as another count; nan where there is none.
    """

    method: Method
    size: int
    seed: int
    first: FrequencyTable
    slices: Mapping[str, SlicesAfter]
    whole: SlicesAfter
    draws: Draws
    small_ratio: Estimate
    small_changed: Estimate


def replicate(
    table: FrequencyTable,
    method: Method,
    size: int,
    seed: int,
    *,
    weights: Sequence[float],
    third: str = "h2",
    epsilon: float = 0.5,
) -> Replications:
    """Draw `size` protected tables and assess them all.

    Draws are assessed in chunks, of which only sums and the numbers of the whole table are kept. The same
    seed gives the same numbers. The parameters are those of `assess`.
    """
    rng = np.random.default_rng(seed)
    axes = range(table.ndim if table.ndim > 1 else 0)
    slicings = [*(tuple(k for k in range(table.ndim) if k != axis) for axis in axes), None]
    sums = [_Sums() for _ in slicings]
    wholes: list[Floats] = []
    small: list[Floats] = []
    first = None
    step = max(1, CHUNK // table.cells)
    for start in range(0, size, step):
        published, _ = _draw(table, method, min(step, size - start), rng)
        first = table.with_counts(published[0]) if first is None else first
        parts = after_slices(table.counts, published, slicings, third=third, epsilon=epsilon)
        for total, part in zip(sums, parts, strict=True):
            total.add(part)
        wholes.append(np.stack([parts[-1].hellinger, *_risks(parts[-1], weights)]))
        small.append(_small(table.counts, published))
    *slices, whole = (
        _slices_after(table, total, axis, weights) for total, axis in zip(sums, [*axes, None], strict=True)
    )
    hellinger, *risks = np.concatenate(wholes, axis=1)
    small_ratio, small_changed = map(_estimate, np.concatenate(small, axis=1))
    assert first is not None
    return Replications(
        method,
        size,
        seed,
        first,
        {part.name: part for part in slices},
        whole,
        Draws(
            hellinger,
            dict(zip(VARIANTS, risks[: len(VARIANTS)], strict=True)),
            dict(zip(VARIANTS, risks[len(VARIANTS) :], strict=True)),
        ),
        small_ratio,
        small_changed,
    )


def _draw(
    table: FrequencyTable, method: Method, size: int, rng: np.random.Generator
) -> tuple[Counts, Counts | None]:
    """Return protected tables, and who stayed in each cell where people are followed."""
    if isinstance(method, PreTabular):
        return method.follow(table, size, rng)
    return method.replicate(table, size, rng), None


def _risks(part: After, weights: Sequence[float]) -> list[Floats]:
    """Return R2 for each variant, then R2* for each variant."""
    return [*(part.r2(weights, variant) for variant in VARIANTS), *map(part.r2_star, VARIANTS)]


def _small(original: Counts, published: Counts) -> Floats:
    """Return DR and the share of changed ones and twos, for each draw."""
    draws = published.reshape(len(published), -1)
    cells = np.flatnonzero((original == 1) | (original == 2))
    same = np.count_nonzero(draws[:, cells] == original.ravel()[cells], axis=1)
    shown = np.count_nonzero((draws == 1) | (draws == 2), axis=1)
    changed = 1 - same / cells.size if cells.size else np.full(len(draws), np.nan)
    return np.stack([same / np.maximum(shown, 1), changed])


def _estimate(values: Floats) -> Estimate:
    """Return the mean of draws and its error."""
    error = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else np.float64(np.nan)
    return Estimate(np.asarray(values.mean()), np.asarray(error))


class _Sums:
    """Sums of the measures of every slice and of their products: means and errors follow from these."""

    def __init__(self) -> None:
        self.draws = 0
        self.size = self.shift = self.sum = self.products = np.zeros(())

    def add(self, part: After) -> None:
        """Add the draws of a chunk."""
        stars = [part.r2_star(variant) for variant in VARIANTS]
        measures = [part.zeros, part.information, part.uncertainty, part.hellinger, *stars]
        values = np.stack([measure.reshape(len(measure), -1).T for measure in measures], axis=1)
        if not self.draws:
            # The third term is of the original counts, the same in every draw.
            self.size = part.size[0].reshape(-1)
            # Numbers are taken from the first draw on, so that no digits are lost in the squares.
            self.shift = values[:, :, 0].copy()
        values -= self.shift[:, :, np.newaxis]
        self.draws += values.shape[2]
        self.sum = self.sum + values.sum(axis=2)
        self.products = self.products + values @ values.transpose(0, 2, 1)

    def estimate(self, **shares: float) -> Estimate:
        """Return the mean and the error of a weighted sum of measures, shape (slices,)."""
        factor = np.array([shares.get(name.replace(" ", "_"), 0.0) for name in MEASURES])
        mean = self.shift @ factor + self.sum @ factor / self.draws
        if self.draws == 1:
            return Estimate(mean, np.full_like(mean, np.nan))
        squares = self.products @ factor @ factor - (self.sum @ factor) ** 2 / self.draws
        return Estimate(mean, np.sqrt(np.maximum(squares, 0) / (self.draws - 1) / self.draws))


def _slices_after(
    table: FrequencyTable, sums: _Sums, axis: int | None, weights: Sequence[float]
) -> SlicesAfter:
    """Return what the sums say of the slices along an axis, or of the whole table where it is None."""
    across = tuple(k for k in range(table.ndim) if k != axis)
    people = np.atleast_1d(table.counts.sum(axis=across))
    root = np.sqrt(np.where(people > 0, people, np.nan))
    zeros, hellinger = sums.estimate(zeros=1), sums.estimate(hellinger=1)
    terms, r2 = {}, {}
    for variant in VARIANTS:
        second = sums.estimate(**{variant: 1})
        terms[variant] = Estimate(
            np.stack([zeros.mean, second.mean, sums.size], axis=1),
            np.stack([zeros.error, second.error, 0 * sums.size], axis=1),
        )
        mean, error = sums.estimate(**{"zeros": weights[0], variant: weights[1]})
        r2[variant] = Estimate(mean + weights[2] * sums.size, error)
    return SlicesAfter(
        name="Table" if axis is None else table.axes[axis].name,
        labels=("Table",) if axis is None else table.axes[axis].labels,
        terms=terms,
        r2=r2,
        r2_star={variant: sums.estimate(**{f"{variant}_star": 1}) for variant in VARIANTS},
        hellinger=hellinger,
        utility=Estimate(1 - hellinger.mean / root, hellinger.error / root),
    )
