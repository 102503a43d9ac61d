"""Means over draws that come one part after the other, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets.measures import Batch, Measure


class Estimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, which is nan for one replication."""

    mean: Floats
    error: Floats


class NumberEstimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, as single numbers."""

    mean: float
    error: float


class Sums:
    """Sums of measures, and of their squares, over the draws, of each slice: mean and error follow from these."""

    def __init__(self, measures: Sequence[Measure], axis: int | None) -> None:
        self.measures, self.axis = tuple(measures), axis
        self._size = 0
        self._missing = self._shift = self._sum = self._squares = np.zeros(())

    def add(self, batch: Batch) -> Floats:
        """Add draws; what is not defined is no case. Return the numbers of the first slice, (measures, draws)."""
        parts = [measure.values(batch, self.axis) for measure in self.measures]
        if not parts:
            return np.empty((0, batch.size))
        # All measures are summed at once, and the draws go last, so that every sum adds whole rows of numbers.
        values = np.empty((len(parts), parts[0].shape[1], batch.size))
        for k, part in enumerate(parts):
            values[k] = part.T
        first = values[:, 0].copy()
        if not self._shift.ndim:
            # Numbers are taken from the first draw on, so that no digits are lost in the squares.
            self._shift = np.nan_to_num(values[..., 0])
        values -= self._shift[..., np.newaxis]
        total = values.sum(axis=-1)
        undefined = np.isnan(total)
        if undefined.any():
            some = values[undefined]
            missing = np.isnan(some)
            some[missing] = 0.0
            values[undefined], total[undefined] = some, some.sum(axis=-1)
            self._missing = self._missing + np.zeros(total.shape)
            self._missing[undefined] += missing.sum(axis=-1)
        self._size += batch.size
        self._sum = self._sum + total
        self._squares = self._squares + np.einsum("msd,msd->ms", values, values)
        return first

    def estimates(self, certain: bool) -> dict[Measure, Estimate]:
        """Return the mean and the error of each measure; there is none where nothing is left to chance."""
        number = self._size - self._missing
        some = np.where(number > 0, number, np.nan)
        mean = self._shift + self._sum / some
        if certain:
            error = 0 * mean
        else:
            spread = np.maximum(self._squares - self._sum**2 / some, 0)
            error = np.sqrt(spread / np.where(number > 1, number - 1, np.nan) / some)
        return {measure: Estimate(mean[k], error[k]) for k, measure in enumerate(self.measures)}
