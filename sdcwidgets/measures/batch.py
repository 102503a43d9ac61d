"""What a measure is computed from: a table, draws of what was published of it, and who stayed where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk.population import After, after_slices, terms
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


class Batch:
    """An original table and draws of its protected table; what several measures need is computed once.

    Parameters
    ----------
    table : FrequencyTable
        F, the true counts.
    published : ndarray, shape (draws, *table.shape), optional
        G, what is published in each draw; nan is a gap. Without it F itself, as one draw.
    stayed : ndarray, shape (draws, *table.shape), optional
        How many people of each cell are still in it, where a method follows them.
    chance : bool
        Whether another draw might be another table.
    margins : callable, optional
        What is published of the sums of each slice along an axis (of all cells: None), shape (draws, slices), nan for
        gaps; None where it is the sums of the cells, as it is for all slices without it.
    """

    def __init__(
        self,
        table: FrequencyTable,
        published: NDArray[np.number] | None = None,
        stayed: Whole | None = None,
        *,
        chance: bool = True,
        margins: Callable[[int | None], Floats | None] | None = None,
    ) -> None:
        self.table, self.chance, self._margins = table, chance, margins
        self._published_sums: dict[int | None, Floats] = {}
        self.published = table.counts[np.newaxis] if published is None else published
        self.stayed = table.counts[np.newaxis] if published is None else stayed
        self._terms: dict[tuple[int | None, str, float], Floats] = {}
        self._after: dict[tuple[str, float], list[After]] = {}
        self._small: tuple[dict[int | None, Whole], ...] = ()

    @classmethod
    def of_release(cls, table: FrequencyTable, release: Release) -> Batch:
        """Return one draw: what a release publishes of the table, with its margins."""

        def margins(axis: int | None) -> Floats | None:
            values = release.values.get(() if axis is None else (axis,))
            slices = 1 if axis is None else table.shape[axis]
            return None if values is None or values.size != slices else values.reshape(1, slices)

        return cls(table, release.spread(table)[np.newaxis], margins=margins)

    @property
    def size(self) -> int:
        """The number of draws."""
        return len(self.published)

    @cached_property
    def original(self) -> Batch:
        """The table as it is, as the only draw."""
        return Batch(self.table)

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """The axes whose slices are measured: all of them, or none for a table of one dimension."""
        return tuple(range(self.table.ndim if self.table.ndim > 1 else 0))

    def along(self, axis: int | None) -> tuple[int, ...]:
        """Return the axes of the table that a slice of this axis runs along; None is the whole table."""
        return tuple(k for k in range(self.table.ndim) if k != axis)

    @cached_property
    def gaps(self) -> Flags | None:
        """Where nothing is published, in the shape of the draws; None where there is no gap."""
        if self.published.dtype.kind != "f":
            return None
        missing = np.isnan(self.published)
        return missing if missing.any() else None

    @cached_property
    def filled(self) -> NDArray[np.number]:
        """The draws with every gap filled by the mean of what is hidden, as a reader who knows the total does."""
        if self.gaps is None:
            return self.published
        draws = self.published.reshape(self.size, -1)
        missing = self.gaps.reshape(self.size, -1)
        hidden = np.maximum(self.table.total - np.nansum(draws, axis=1), 0) / np.maximum(
            missing.sum(axis=1), 1
        )
        return np.where(missing, hidden[:, np.newaxis], draws).reshape(self.published.shape)

    def true(self, axis: int | None) -> Whole:
        """Return F as slices of cells, of shape (slices, cells)."""
        counts = self.table.counts
        if axis is None:
            return counts.reshape(1, -1)
        return np.moveaxis(counts, axis, 0).reshape(counts.shape[axis], -1)

    def cells(self, axis: int | None, *, filled: bool = True) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return F and G as slices of cells, of shapes (slices, cells) and (draws, slices, cells)."""
        true, drawn = self.true(axis), self.filled if filled else self.published
        moved = drawn if axis is None else np.moveaxis(drawn, axis + 1, 1)
        return true, moved.reshape(self.size, len(true), -1)

    def published_sums(self, axis: int | None) -> Floats:
        """Return what a reader takes for the people of each slice, shape (draws, slices).

        It is the margin that is published, where one is, and otherwise the sum of the published cells.
        """
        if axis not in self._published_sums:
            sums = self.cells(axis)[1].sum(axis=-1, dtype=np.float64)
            own = None if self._margins is None else self._margins(axis)
            self._published_sums[axis] = sums if own is None else np.where(np.isnan(own), sums, own)
        return self._published_sums[axis]

    def terms(self, axis: int | None, third: str = "h2", epsilon: float = 0.5) -> Floats:
        """Return the three terms of the risk before protection of each slice, shape (slices, 3)."""
        key = (axis, third, epsilon)
        if key not in self._terms:
            self._terms[key] = terms(self.true(axis), third=third, epsilon=epsilon, axis=1, undefined="nan")
        return self._terms[key]

    def after(self, axis: int | None, third: str = "h2", epsilon: float = 0.5) -> After:
        """Return terms, entropies and distances of each slice, its arrays of shape (draws, slices).

        All slicings are computed together, at the first call with these settings.
        """
        key = (third, epsilon)
        if key not in self._after:
            slicings: Sequence[tuple[int, ...] | None] = [*map(self.along, self.axes), None]
            self._after[key] = after_slices(
                self.table.counts, self.filled, slicings, third=third, epsilon=epsilon
            )
        terms = self._after[key][-1 if axis is None else axis]
        return After(*(x[:, np.newaxis] for x in terms)) if axis is None else terms

    def hellinger(self, axis: int | None) -> Floats:
        """Return the Hellinger distance of each slice in each draw, shape (draws, slices)."""
        if not self._after:
            return hellinger(*self.cells(axis), -1)
        # It comes with the terms, but for slices that have none: without people, or of one cell.
        distances = self.after(axis, *next(iter(self._after))).hellinger
        missing = np.isnan(distances[0])
        if missing.any():
            before, after = self.cells(axis)
            distances = distances.copy()
            distances[:, missing] = hellinger(before[missing], after[:, missing], -1)
        return distances

    def small(self, axis: int | None) -> tuple[Whole, Whole]:
        """Return how many ones and twos each slice publishes in each draw, and how many of them are true.

        A gap is neither. Both have the shape (draws, slices).
        """
        if not self._small:
            published = self.published == 1
            published |= self.published == 2
            self._small = (
                self._numbers(published),
                self._numbers(published & (self.published == self.table.counts)),
            )
        released, true = self._small
        return released[axis], true[axis]

    def _numbers(self, flags: Flags) -> dict[int | None, Whole]:
        """Return how many cells of each slice are flagged in each draw, for every slicing."""
        every = "abcdefghijklmnopqrstuvwxy"[: flags.ndim - 1]
        # Sums of short floats are several times as fast as counting flags, and exact up to 16 million cells.
        kind = np.float32 if self.table.cells < 2**24 else np.float64
        ones: NDArray[np.number] = flags.view(np.uint8).astype(kind)
        counts: dict[int | None, NDArray[np.number]] = {
            axis: np.einsum(f"z{every}->z{every[axis]}", ones) for axis in range(self.table.ndim)
        }
        counts[None] = counts[0].sum(axis=1, keepdims=True)
        return {axis: sums.astype(np.int64) for axis, sums in counts.items()}

    def people(self, axis: int | None) -> Whole:
        """Return N of each slice."""
        return np.atleast_1d(self.table.counts.sum(axis=self.along(axis)))

    def part(self, start: int, end: int) -> Batch:
        """Return some of the draws as a batch of their own, which doesn't hold the memory of all draws."""
        stayed = None if self.stayed is None else self.stayed[start:end].copy()
        return Batch(
            self.table,
            self.published[start:end].copy(),
            stayed,
            chance=self.chance,
            margins=None if self._margins is None else lambda axis: self.published_sums(axis)[start:end],
        )
