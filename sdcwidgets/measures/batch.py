"""What a measure is computed from: a table, draws of what was published of it, and who stayed where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk.population import After, after_slices, terms
from sdcwidgets.table import FrequencyTable

__all__ = ["Batch"]

Floats = NDArray[np.float64]


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
    """

    def __init__(
        self,
        table: FrequencyTable,
        published: NDArray[Any] | None = None,
        stayed: NDArray[np.int64] | None = None,
    ) -> None:
        self.table = table
        self.published = table.counts[np.newaxis] if published is None else published
        self.stayed = table.counts[np.newaxis] if published is None else stayed
        self._terms: dict[tuple[int | None, str, float], Floats] = {}
        self._after: dict[tuple[str, float], list[After]] = {}

    @property
    def size(self) -> int:
        """The number of draws."""
        return len(self.published)

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """The axes whose slices are measured: all of them, or none for a table of one dimension."""
        return tuple(range(self.table.ndim if self.table.ndim > 1 else 0))

    def along(self, axis: int | None) -> tuple[int, ...]:
        """Return the axes of the table that a slice of this axis runs along; None is the whole table."""
        return tuple(k for k in range(self.table.ndim) if k != axis)

    @cached_property
    def gaps(self) -> NDArray[np.bool_] | None:
        """Where nothing is published, in the shape of the draws; None where there is no gap."""
        if self.published.dtype.kind != "f":
            return None
        missing = np.isnan(self.published)
        return missing if missing.any() else None

    @cached_property
    def filled(self) -> NDArray[Any]:
        """The draws with every gap filled by the mean of what is hidden, as a reader who knows the total does."""
        if self.gaps is None:
            return self.published
        draws = self.published.reshape(self.size, -1)
        missing = self.gaps.reshape(self.size, -1)
        hidden = np.maximum(self.table.total - np.nansum(draws, axis=1), 0) / np.maximum(
            missing.sum(axis=1), 1
        )
        return np.where(missing, hidden[:, np.newaxis], draws).reshape(self.published.shape)

    def cells(self, axis: int | None, *, filled: bool = True) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return F and G as slices of cells, of shapes (slices, cells) and (draws, slices, cells)."""
        counts, drawn = self.table.counts, self.filled if filled else self.published
        if axis is None:
            return counts.reshape(1, -1), drawn.reshape(self.size, 1, -1)
        n = counts.shape[axis]
        return (
            np.moveaxis(counts, axis, 0).reshape(n, -1),
            np.moveaxis(drawn, axis + 1, 1).reshape(self.size, n, -1),
        )

    def terms(self, axis: int | None, third: str = "h2", epsilon: float = 0.5) -> Floats:
        """Return the three terms of the risk before protection of each slice, shape (slices, 3)."""
        key = (axis, third, epsilon)
        if key not in self._terms:
            counts = self.table.counts
            cells = counts.reshape(1, -1) if axis is None else np.moveaxis(counts, axis, 0)
            cells = cells.reshape(len(cells), -1)
            self._terms[key] = terms(cells, third=third, epsilon=epsilon, axis=1, undefined="nan")
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
        found = self._after[key][-1 if axis is None else axis]
        return After(*(x[:, np.newaxis] for x in found)) if axis is None else found

    def hellinger(self, axis: int | None) -> Floats:
        """Return the Hellinger distance of each slice in each draw, shape (draws, slices)."""
        if not self._after:
            return hellinger(*self.cells(axis), -1)
        # It comes with the terms, but for slices that have none: without people, or of one cell.
        found = self.after(axis, *next(iter(self._after))).hellinger
        missing = np.isnan(found[0])
        if missing.any():
            before, after = self.cells(axis)
            found = found.copy()
            found[:, missing] = hellinger(before[missing], after[:, missing], -1)
        return found

    @cached_property
    def small(self) -> NDArray[np.bool_]:
        """Which cells are published as a one or a two, in the shape of the draws; a gap is neither."""
        flags: NDArray[np.bool_] = self.published == 1
        flags |= self.published == 2
        return flags

    @cached_property
    def same(self) -> NDArray[np.bool_]:
        """Which cells are published as they are, in the shape of the draws."""
        flags: NDArray[np.bool_] = self.published == self.table.counts
        return flags

    @cached_property
    def true(self) -> NDArray[np.bool_]:
        """Which cells are published as a one or a two, and are it."""
        return self.small & self.same

    def number(self, flags: NDArray[np.bool_], axis: int | None) -> NDArray[np.int64]:
        """Return how many cells of each slice are flagged in each draw, shape (draws, slices)."""
        every = "abcdefghijklmnopqrstuvwxy"[: flags.ndim - 1]
        # Sums of short floats are several times as fast as counting flags, and exact up to 16 million cells.
        kind = np.float32 if self.table.cells < 2**24 else np.float64
        ones: NDArray[Any] = flags.view(np.uint8).astype(kind)
        found = np.einsum(f"z{every}->z{'' if axis is None else every[axis]}", ones)
        return np.asarray(found, dtype=np.int64).reshape(len(flags), -1)

    def people(self, axis: int | None) -> NDArray[np.int64]:
        """Return N of each slice."""
        return np.atleast_1d(self.table.counts.sum(axis=self.along(axis)))

    def draw(self, index: int, *, copy: bool = False) -> Batch:
        """Return one of the draws as a batch of its own; a copy doesn't hold the memory of all draws."""
        part = slice(index, index + 1)
        published, stayed = self.published[part], None if self.stayed is None else self.stayed[part]
        if copy:
            published, stayed = published.copy(), None if stayed is None else stayed.copy()
        return Batch(self.table, published, stayed)
