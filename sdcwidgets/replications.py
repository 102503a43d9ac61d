"""A table and a protection method in; what is left of the risk, and what is lost, over many draws out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk import census
from sdcwidgets.core.risk.population import VARIANTS, After, after_slices
from sdcwidgets.methods import Method, PreTabular
from sdcwidgets.parameters import declared
from sdcwidgets.table import FrequencyTable

__all__ = ["Disclosed", "Draws", "Estimate", "Replications", "Run", "SlicesAfter", "replicate"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Draws are made and assessed in chunks of about this many cells, to bound the memory.
CHUNK = 2**21

#: What is summed up over the draws of each slice: every estimate is a weighted sum of these.
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

    def columns(self) -> dict[str, Floats]:
        """Return each number as a column of its own, its error as the next one; shape (n,)."""
        told = {f"r2_{variant}": self.r2[variant] for variant in VARIANTS}
        told |= {f"r2_star_{variant}": self.r2_star[variant] for variant in VARIANTS}
        told |= {"hellinger": self.hellinger, "utility": self.utility}
        columns: dict[str, Floats] = {}
        for name, (mean, error) in told.items():
            columns |= {name: mean, f"{name}_error": error}
        return columns


class Disclosed(NamedTuple):
    """Census measures of the slices along one axis: the share that discloses the same before and after.

    The starred ones look at counts only; the others ask for the same people too and are None where the
    method does not follow them. A share of no slices is 0.
    """

    gad_star: Estimate
    wgad_star: Estimate
    gad: Estimate | None
    wgad: Estimate | None
    gad_cases: int
    """How many slices of the original have all people in one cell."""
    wgad_cases: int
    """How many have two populated cells, one of them a 1."""


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
    disclosed : dict of Disclosed
        GAD and WGAD over the slices along each axis.
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
    disclosed: Mapping[str, Disclosed]
    small_ratio: Estimate
    small_changed: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, ready for JSON; None stands where a number is not defined."""
        parameters = {item.name: getattr(self.method, item.name) for item in declared(type(self.method))}
        return {
            "method": {"name": self.method.name, **parameters},
            "replications": self.size,
            "seed": self.seed,
            "table": _lines(self.whole)[0],
            "slices": {name: _lines(part) for name, part in self.slices.items()},
            "disclosed": {
                name: {key: _plain(value) for key, value in measures._asdict().items() if value is not None}
                for name, measures in self.disclosed.items()
            },
            "small_ratio": _plain(self.small_ratio),
            "small_changed": _plain(self.small_changed),
            "first": self.first.counts.tolist(),
        }


class Run:
    """Draws of one method on one table, assessed as they come; it can be looked at after any of them.

    Draws are assessed in chunks, of which only sums and the numbers of the whole table are kept. The same
    seed gives the same numbers, however the draws are divided. The parameters are those of `assess`.
    """

    def __init__(
        self,
        table: FrequencyTable,
        method: Method,
        seed: int,
        *,
        weights: Sequence[float],
        third: str = "h2",
        epsilon: float = 0.5,
    ) -> None:
        self.table, self.method, self.seed = table, method, seed
        self.size = 0
        self._weights, self._third, self._epsilon = weights, third, epsilon
        self._rng = np.random.default_rng(seed)
        self._axes = range(table.ndim if table.ndim > 1 else 0)
        self._slicings = [*(tuple(k for k in range(table.ndim) if k != axis) for axis in self._axes), None]
        self._sums = [_Sums() for _ in self._slicings]
        self._wholes: list[Floats] = []
        self._shares: list[dict[str, census.Ratio]] = []
        self._first: FrequencyTable | None = None

    def draw(self, size: int) -> None:
        """Draw `size` more protected tables and assess them."""
        step = max(1, CHUNK // self.table.cells)
        for start in range(0, size, step):
            published, stayed = _draw(self.table, self.method, min(step, size - start), self._rng)
            if self._first is None:
                self._first = self.table.with_counts(published[0])
            parts = after_slices(
                self.table.counts, published, self._slicings, third=self._third, epsilon=self._epsilon
            )
            for total, part in zip(self._sums, parts, strict=True):
                total.add(part)
            self._wholes.append(_points(parts[-1], self._weights))
            self._shares.append(_shares(self.table, published, stayed))
            self.size += len(published)

    def draw_for(self, seconds: float, wanted: int) -> None:
        """Draw until there are `wanted` draws or the time is over; at least one is made."""
        end = time.perf_counter() + seconds
        part = max(1, 100_000 // self.table.cells)
        while self.size < wanted:
            self.draw(min(part, wanted - self.size))
            if time.perf_counter() > end:
                return
            part *= 2

    def result(self) -> Replications:
        """Return what the draws so far say; there must be at least one."""
        if self._first is None:
            raise ValueError("Nothing was drawn yet; call draw first.")
        *slices, whole = (
            _slices_after(self.table, total, axis, self._weights)
            for total, axis in zip(self._sums, [*self._axes, None], strict=True)
        )
        return Replications(
            method=self.method,
            size=self.size,
            seed=self.seed,
            first=self._first,
            slices={part.name: part for part in slices},
            whole=whole,
            draws=_draws(np.concatenate(self._wholes, axis=1)),
            disclosed={self.table.axes[axis].name: _disclosed(self._shares, axis) for axis in self._axes},
            small_ratio=_mean(self._shares, "small ratio"),
            small_changed=_mean(self._shares, "small changed"),
        )


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
    """Draw `size` protected tables, assess them all, and return what they say; see `Run`."""
    run = Run(table, method, seed, weights=weights, third=third, epsilon=epsilon)
    run.draw(size)
    return run.result()


def _lines(part: SlicesAfter) -> list[dict[str, Any]]:
    """Return the numbers of each slice as a dict of plain values."""
    columns = {name: [_number(x) for x in column] for name, column in part.columns().items()}
    return [
        {"label": label, **{name: column[i] for name, column in columns.items()}}
        for i, label in enumerate(part.labels)
    ]


def _plain(value: Estimate | int) -> dict[str, float | None] | int:
    """Return an estimate, or a number of cases, as plain values."""
    if isinstance(value, int):
        return value
    return {"mean": _number(value.mean), "error": _number(value.error)}


def _number(value: Floats) -> float | None:
    """Return a float, or None where the number is not defined."""
    return None if np.isnan(value) else float(value)


def _draw(
    table: FrequencyTable, method: Method, size: int, rng: np.random.Generator
) -> tuple[Counts, Counts | None]:
    """Return protected tables, and who stayed in each cell where people are followed."""
    if isinstance(method, PreTabular):
        return method.follow(table, size, rng)
    return method.replicate(table, size, rng), None


def _points(whole: After, weights: Sequence[float]) -> Floats:
    """Return what is kept of each draw: HD, then R2 and then R2* for each variant."""
    r2 = [whole.r2(weights, variant) for variant in VARIANTS]
    return np.stack([whole.hellinger, *r2, *map(whole.r2_star, VARIANTS)])


def _draws(points: Floats) -> Draws:
    """Return the points of all draws by their names."""
    hellinger, *risks = points
    r2, r2_star = risks[: len(VARIANTS)], risks[len(VARIANTS) :]
    return Draws(hellinger, dict(zip(VARIANTS, r2, strict=True)), dict(zip(VARIANTS, r2_star, strict=True)))


def _shares(table: FrequencyTable, published: Counts, stayed: Counts | None) -> dict[str, census.Ratio]:
    """Return the census measures of each draw."""
    counts = table.counts
    cells = np.flatnonzero((counts == 1) | (counts == 2))
    kept = published.reshape(len(published), -1)[:, cells] == counts.ravel()[cells]
    changed = 1 - kept.mean(axis=1) if cells.size else np.full(len(published), np.nan)
    every = tuple(range(1, table.ndim + 1))
    shares = {
        "small ratio": census.small_cell_ratio(counts, published, axis=every),
        "small changed": census.Ratio(changed, np.asarray(cells.size)),
    }
    for axis in range(table.ndim if table.ndim > 1 else 0):
        along = tuple(k for k in range(table.ndim) if k != axis)
        for name, measure in (("gad", census.gad), ("wgad", census.wgad)):
            shares[f"{name}* {axis}"] = measure(counts, published, along)
            if stayed is not None:
                shares[f"{name} {axis}"] = measure(counts, published, along, stayed=stayed)
    return shares


def _disclosed(shares: Sequence[Mapping[str, census.Ratio]], axis: int) -> Disclosed:
    """Return the estimates that are of the slices along one axis."""
    followed = f"gad {axis}" in shares[0]
    return Disclosed(
        gad_star=_mean(shares, f"gad* {axis}"),
        wgad_star=_mean(shares, f"wgad* {axis}"),
        gad=_mean(shares, f"gad {axis}") if followed else None,
        wgad=_mean(shares, f"wgad {axis}") if followed else None,
        gad_cases=int(shares[0][f"gad* {axis}"].cases.flat[0]),
        wgad_cases=int(shares[0][f"wgad* {axis}"].cases.flat[0]),
    )


def _mean(shares: Sequence[Mapping[str, census.Ratio]], name: str) -> Estimate:
    """Return the mean of a share over the draws of all chunks, and its error."""
    values = np.concatenate([chunk[name].value for chunk in shares])
    error = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else np.nan
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
        values = np.empty((measures[0][0].size, len(MEASURES), len(part.zeros)))
        for k, measure in enumerate(measures):
            values[:, k] = measure.reshape(len(measure), -1).T
        if not self.draws:
            # The third term is of the original counts, the same in every draw.
            self.size = part.size[0].reshape(-1)
            # Numbers are taken from the first draw on, so that no digits are lost in the squares.
            self.shift = values[:, :, 0].copy()
        values -= self.shift[:, :, np.newaxis]
        self.draws += values.shape[2]
        self.sum = self.sum + values.sum(axis=2)
        self.products = self.products + values @ values.transpose(0, 2, 1)

    def estimates(self, factors: Floats) -> list[Estimate]:
        """Return the mean and the error, in each slice, of weighted sums of measures; a row a sum."""
        means = factors @ (self.shift + self.sum / self.draws).T
        if self.draws == 1:
            return [Estimate(mean, np.full_like(mean, np.nan)) for mean in means]
        covariance = self.products - self.sum[:, :, np.newaxis] * self.sum[:, np.newaxis, :] / self.draws
        squares = np.einsum("qk,nkl,ql->qn", factors, covariance, factors)
        errors = np.sqrt(np.maximum(squares, 0) / (self.draws - 1) / self.draws)
        return list(map(Estimate, means, errors))


def _slices_after(
    table: FrequencyTable, sums: _Sums, axis: int | None, weights: Sequence[float]
) -> SlicesAfter:
    """Return what the sums say of the slices along an axis, or of the whole table where it is None."""
    across = tuple(k for k in range(table.ndim) if k != axis)
    people = np.atleast_1d(table.counts.sum(axis=across))
    root = np.sqrt(np.where(people > 0, people, np.nan))
    single = np.eye(len(MEASURES))
    weighted = [weights[0] * single[0] + weights[1] * single[MEASURES.index(variant)] for variant in VARIANTS]
    estimates = sums.estimates(np.stack([*single, *weighted]))
    of = dict(zip(MEASURES, estimates, strict=False))
    return SlicesAfter(
        name="Table" if axis is None else table.axes[axis].name,
        labels=("Table",) if axis is None else table.axes[axis].labels,
        terms={
            variant: Estimate(
                np.stack([of["zeros"].mean, of[variant].mean, sums.size], axis=1),
                np.stack([of["zeros"].error, of[variant].error, 0 * sums.size], axis=1),
            )
            for variant in VARIANTS
        },
        r2={
            variant: Estimate(mean + weights[2] * sums.size, error)
            for variant, (mean, error) in zip(VARIANTS, estimates[len(MEASURES) :], strict=True)
        },
        r2_star={variant: of[f"{variant} star"] for variant in VARIANTS},
        hellinger=of["hellinger"],
        utility=Estimate(1 - of["hellinger"].mean / root, of["hellinger"].error / root),
    )
