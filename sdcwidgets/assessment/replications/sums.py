"""Means and standard errors over replicates that are generated in several steps."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.measures.base import measured_values


class Estimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, which is nan for one replication."""

    mean: Floats
    error: Floats


class NumberEstimate(NamedTuple):
    """A mean over replications and its Monte Carlo standard error, as single numbers."""

    mean: float
    error: float


class Sums:
    """Sums and sums of squares of measures over the replicates, for each slice."""

    def __init__(self, measures: Sequence[Measure], axis: int | None) -> None:
        self.measures, self.axis = tuple(measures), axis
        self._size = 0
        self._missing = self._shift = self._sum = self._squares = np.zeros(())

    def add(self, batch: Batch) -> Floats:
        """Add replicates, ignoring nan; return the values of the first slice, shape (measures, replicates)."""
        return self._add(
            [measured_values(measure, batch, self.axis) for measure in self.measures], batch.size
        )

    def adding(self, batch: Batch) -> Generator[None, None, Floats]:
        """Add replicates as `add` does, and yield after each measure, so that the caller can interrupt."""
        parts = []
        for measure in self.measures:
            parts.append(measured_values(measure, batch, self.axis))
            yield
        return self._add(parts, batch.size)

    def _add(self, parts: Sequence[Floats], size: int) -> Floats:
        """Add the values of all measures."""
        if not parts:
            return np.empty((0, size))
        # All measures are summed at once. Replicates are the last axis, so that sums run over contiguous memory.
        values = np.empty((len(parts), parts[0].shape[1], size))
        for k, part in enumerate(parts):
            values[k] = part.T
        first = values[:, 0].copy()
        if not self._shift.ndim:
            # The first value is subtracted, which avoids cancellation in the squares.
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
        self._size += size
        self._sum = self._sum + total
        self._squares = self._squares + np.einsum("msd,msd->ms", values, values)
        return first

    def estimates(self, certain: bool) -> dict[Measure, Estimate]:
        """Return mean and standard error of each measure; the error is 0 if `certain`."""
        number = self._size - self._missing
        some = np.where(number > 0, number, np.nan)
        mean = self._shift + self._sum / some
        if certain:
            error = 0 * mean
        else:
            spread = np.maximum(self._squares - self._sum**2 / some, 0)
            error = np.sqrt(spread / np.where(number > 1, number - 1, np.nan) / some)
        return {measure: Estimate(mean[k], error[k]) for k, measure in enumerate(self.measures)}
