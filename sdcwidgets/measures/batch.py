"""Data of the measures: an original table, replicates of the protected table, and people who stayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets.core.followed import MOST_PROBABILITIES, PersonTransition, followed_people
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk.population import After, after_slices, terms
from sdcwidgets.measures.suppressed_cells import Midpoints, with_means, with_midpoints, with_zeros
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


class Batch:
    """An original table and replicates of its protected table, with cached intermediate results.

    Parameters
    ----------
    table : FrequencyTable
        F, the original counts.
    published : ndarray, shape (draws, *table.shape), optional
        G, the published counts of each replicate, nan for suppressed cells. Default: F as a single replicate.
    stayed : ndarray, shape (draws, *table.shape), optional
        Number of people who stayed in each cell, for methods that record this.
    chance : bool
        Whether replicates can differ.
    margins : callable, optional
        Function of an axis (None for all cells) that returns the published sums of its slices, shape (draws,
        slices), with nan for suppressed sums. It returns None if the published sums are those of the cells,
        which is the default.
    reading : {"mean", "zero", "interval"}
        Value of a suppressed cell; see `suppressed_cells`.
    midpoints : callable, optional
        Function of one replicate that returns its cells with midpoints of intervals for suppressed cells. It is
        needed for the reading "interval"; without it, this reading is the mean.
    transition : PersonTransition, optional
        Probabilities with which a method moves people, for methods that know them.
    """

    def __init__(
        self,
        table: FrequencyTable,
        published: NDArray[np.number] | None = None,
        stayed: Whole | None = None,
        *,
        chance: bool = True,
        margins: Callable[[int | None], Floats | None] | None = None,
        reading: str = "mean",
        midpoints: Midpoints | None = None,
        transition: PersonTransition | None = None,
    ) -> None:
        self.table, self.chance, self._margins = table, chance, margins
        self.reading, self._midpoints = reading, midpoints
        self.transition = transition
        self._disclosed: dict[int | None, Floats] = {}
        self._published_sums: dict[int | None, Floats] = {}
        self.published = table.counts[np.newaxis] if published is None else published
        #: Number of replicates.
        self.size = len(self.published)
        self.stayed = table.counts[np.newaxis] if published is None else stayed
        self._terms: dict[tuple[int | None, str, float], Floats] = {}
        self._after: dict[tuple[str, float], list[After]] = {}
        self._small: tuple[dict[int | None, Whole], ...] = ()

    @classmethod
    def of_release(cls, table: FrequencyTable, release: Release, reading: str = "interval") -> Batch:
        """Build a batch with one replicate from the cells and margins of a release."""

        def margins(axis: int | None) -> Floats | None:
            values = release.values.get(() if axis is None else (axis,))
            slices = 1 if axis is None else table.shape[axis]
            return None if values is None or values.size != slices else values.reshape(1, slices)

        cells = release.spread(table)
        if table.unknown is not None:
            # Unknown counts are 0 in the table, and no method changes them.
            cells = np.where(table.unknown & np.isnan(cells), 0, cells)
        return cls(
            table,
            cells[np.newaxis],
            margins=margins,
            reading=reading,
            midpoints=lambda _: with_midpoints(release, table),
        )

    @cached_property
    def original(self) -> Batch:
        """Batch with the original table as its only replicate."""
        return Batch(self.table)

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """Axes whose slices are measured: all axes, or none for a one-way table."""
        return tuple(range(self.table.ndim if self.table.ndim > 1 else 0))

    def along(self, axis: int | None) -> tuple[int, ...]:
        """Return the axes of the table within a slice of this axis; None is the whole table."""
        return tuple([k for k in range(self.table.ndim) if k != axis])

    @cached_property
    def suppressed(self) -> Flags | None:
        """Mask of the suppressed cells, with the shape of the replicates, or None if there are none."""
        if self.published.dtype.kind != "f":
            return None
        missing = np.isnan(self.published)
        return missing if missing.any() else None

    @cached_property
    def filled(self) -> NDArray[np.number]:
        """Replicates with a value for each suppressed cell, as stated by `reading`."""
        if self.suppressed is None:
            return self.published
        if self.reading == "zero":
            return with_zeros(self.published)
        if self.reading == "interval" and self._midpoints is not None:
            return np.stack([self._midpoints(cells) for cells in self.published])
        return with_means(self.published, self.table.total)

    def true(self, axis: int | None) -> Whole:
        """Return F as slices of cells, shape (slices, cells)."""
        counts = self.table.counts
        if axis is None:
            return counts.reshape(1, -1)
        return np.moveaxis(counts, axis, 0).reshape(counts.shape[axis], -1)

    def cells(self, axis: int | None, *, filled: bool = True) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return F and G as slices of cells, shapes (slices, cells) and (draws, slices, cells)."""
        true, drawn = self.true(axis), self.filled if filled else self.published
        moved = drawn if axis is None else np.moveaxis(drawn, axis + 1, 1)
        return true, moved.reshape(self.size, len(true), -1)

    def published_sums(self, axis: int | None) -> Floats:
        """Return the number of people of each slice as a data user sees it, shape (draws, slices).

        This is the published margin if there is one, and otherwise the sum of the published cells.
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
        """Return the terms, entropies and distances of each slice, as arrays of shape (draws, slices).

        The first call with these settings computes all slicings together.
        """
        key = (third, epsilon)
        if key not in self._after:
            slicings: Sequence[tuple[int, ...] | None] = [*map(self.along, self.axes), None]
            self._after[key] = after_slices(
                self.table.counts, self.filled, slicings, third=third, epsilon=epsilon
            )
        terms = self._after[key][-1 if axis is None else axis]
        return terms if axis is not None else After._make([term[:, np.newaxis] for term in terms])

    def disclosed_of_followed(self, axis: int | None) -> Floats | None:
        """Return 1 − H(X|Y)/H(X) of the same people before and after protection, shape (slices,).

        If all people of a slice are in one cell, H(X) = 0, and the result is the share of people who stay. It is
        nan for slices without people, and for tables with too many probabilities.

        Returns
        -------
        ndarray of float, or None
            None if the method does not move people with known probabilities.
        """
        if self.transition is None:
            return None
        if axis not in self._disclosed:
            self._disclosed[axis] = self._share_of_followed(axis, self.transition)
        return self._disclosed[axis]

    def _share_of_followed(self, axis: int | None, transition: PersonTransition) -> Floats:
        table = self.table
        if table.cells * table.shape[transition.axis] > MOST_PROBABILITIES:
            return np.full(1 if axis is None else table.shape[axis], np.nan)
        followed = followed_people(table.counts, transition, axis)
        # The entropy depends only on the original counts, so the first replicate is sufficient.
        entropy = self.after(axis).entropy[0]
        is_certain = entropy <= 0
        ratio = followed.entropy_left / np.where(is_certain, 1.0, entropy)
        return np.where(is_certain, followed.stayed, 1 - np.minimum(ratio, 1.0))

    def hellinger(self, axis: int | None) -> Floats:
        """Return the Hellinger distance of each slice in each replicate, shape (draws, slices)."""
        if not self._after:
            return hellinger(*self.cells(axis), -1)
        # Already computed with the risk terms, except for slices in which these are undefined (N = 0 or K = 1).
        distances = self.after(axis, *next(iter(self._after))).hellinger
        missing = np.isnan(distances[0])
        if missing.any():
            before, after = self.cells(axis)
            distances = distances.copy()
            distances[:, missing] = hellinger(before[missing], after[:, missing], -1)
        return distances

    def small(self, axis: int | None) -> tuple[Whole, Whole]:
        """Count the published small counts (1 and 2), and those equal to the original, per slice and replicate.

        Suppressed cells are not counted. Both arrays have the shape (draws, slices).
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
        """Return the number of flagged cells of each slice in each replicate, for every slicing."""
        every = "abcdefghijklmnopqrstuvwxy"[: flags.ndim - 1]
        # Sums of float32 are several times faster than counts of flags, and exact up to 16 million cells.
        kind = np.float32 if self.table.cells < 2**24 else np.float64
        ones: NDArray[np.number] = flags.view(np.uint8).astype(kind)
        counts: dict[int | None, NDArray[np.number]] = {
            axis: np.einsum(f"z{every}->z{every[axis]}", ones) for axis in range(self.table.ndim)
        }
        counts[None] = counts[0].sum(axis=1, keepdims=True)
        return {axis: sums.astype(np.int64) for axis, sums in counts.items()}

    def people(self, axis: int | None) -> Whole:
        """Return the number of people N of each slice."""
        return np.atleast_1d(self.table.counts.sum(axis=self.along(axis)))

    def part(self, start: int, end: int) -> Batch:
        """Return a range of replicates as a separate batch, without a reference to the memory of the others."""
        stayed = None if self.stayed is None else self.stayed[start:end].copy()
        return Batch(
            self.table,
            self.published[start:end].copy(),
            stayed,
            chance=self.chance,
            margins=None if self._margins is None else lambda axis: self.published_sums(axis)[start:end],
            reading=self.reading,
            midpoints=self._midpoints,
            transition=self.transition,
        )
