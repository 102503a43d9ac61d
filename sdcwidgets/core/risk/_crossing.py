"""Log-linear models of a sample over the full crossing of its categories.

The crossing can be very large. A model is divided into parts that share no margin, and the crossing is the
product of the parts. Only the tables of the parts and the populated cells are stored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole
from ..estimate.loglinear import LogLinearFit, fit_loglinear
from ..estimate.raking import View
from ..microdata.keys import MISSING, as_codes, as_weights, distinct

Margins = tuple[tuple[int, ...], ...]

#: Maximum number of cells of one part of a model.
MOST_CELLS = 4_000_000

# Tolerance of the margins, relative to the largest value, and maximum number of cycles. If the estimate does
# not exist, some cells decrease towards 0 without end; after a hundred cycles τ1 and τ2 are stable to four
# digits.
_TOLERANCE = 1e-7
_STANDARD_CYCLES = 100

# Tolerance and maximum number of cycles for models with multipliers, which need more cycles.
_LOOSE = 1e-5

_CYCLES = 200

# The multiplier is updated after convergence, or after this number of cycles.
_PATIENCE = 8

# Maximum number of cells of a part for the test whether its estimate exists.
_MOST_ASKED = 3_000

Multiplier = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Fitted:
    """Expected sample counts of the populated cells.

    Attributes
    ----------
    expected : ndarray, shape (m,)
        Expected counts.
    exists : bool or None
        Whether the maximum likelihood estimate exists; None if unknown.
    converged : bool
        Whether the fit has converged.
    parameters : int
        Number of parameters, including the constant.
    """

    expected: Floats
    exists: bool | None
    converged: bool
    parameters: int


@dataclass(frozen=True)
class Crossing:
    """Populated cells of a sample.

    Attributes
    ----------
    cells : ndarray of int, shape (m, q)
        Categories of the populated cells, as codes from 0 among the observed categories.
    shape : tuple of int
        Number of observed categories of each variable.
    counts, weighted : ndarray, shape (m,)
        Number of records of each cell, and the sum of their weights.
    """

    cells: Whole
    shape: tuple[int, ...]
    counts: Floats
    weighted: Floats
    _fits: dict[Margins, list[tuple[_Part, LogLinearFit]]] = field(default_factory=dict)

    @classmethod
    def of(cls, codes: ArrayLike, weights: ArrayLike) -> Crossing:
        """Return the populated cells of records without missing values."""
        array = as_codes(codes)
        if array.min() == MISSING:
            raise ValueError(
                "A log-linear model needs records without missing values. Remove the other records first."
            )
        weight = as_weights(weights, len(array))
        first, member, count = distinct(array)
        columns = [np.unique(column, return_inverse=True) for column in array[first].T]
        return cls(
            np.column_stack([code for _, code in columns]),
            tuple(len(values) for values, _ in columns),
            count.astype(np.float64),
            np.bincount(member, weight).astype(np.float64),
        )

    def margin(self, axes: Sequence[int], values: Floats) -> Floats:
        """Return the sums of cell values over all other variables."""
        shape = tuple(self.shape[axis] for axis in axes)
        summed = np.bincount(self._cell_of_records(axes), values, minlength=int(np.prod(shape)))
        return summed.astype(np.float64).reshape(shape)

    def _cell_of_records(self, axes: Sequence[int]) -> Whole:
        shape = tuple(self.shape[axis] for axis in axes)
        return np.ravel_multi_index(tuple(self.cells[:, axis] for axis in axes), shape)

    def standard(self, response: Floats, margins: Margins) -> Fitted:
        """Fit a hierarchical model to a response that is 0 outside the populated cells."""
        if response is self.counts:
            fits = self._fits.setdefault(margins, []) or self._fit(response, margins)
            self._fits[margins] = fits
        else:
            fits = self._fit(response, margins)
        total = response.sum()
        expected = np.full(len(self.cells), total)
        for part, fit in fits:
            expected *= (fit.expected / total).ravel()[self._cell_of_records(part.axes)]
        return Fitted(expected, _exists(fits), all(fit.converged for _, fit in fits), _parameters(fits))

    def everywhere(self, margins: Margins) -> tuple[bool | None, Floats, int]:
        """Fit the standard model; return whether the estimate exists, all expected counts, and free parameters."""
        self.standard(self.counts, margins)
        fits, total = self._fits[margins], self.counts.sum()
        expected = np.full(self.shape, total)
        for part, fit in fits:
            expected *= np.expand_dims(
                fit.expected / total, tuple(axis for axis in range(len(self.shape)) if axis not in part.axes)
            )
        return _exists(fits), expected, _parameters(fits)

    def _fit(self, response: Floats, margins: Margins) -> list[tuple[_Part, LogLinearFit]]:
        return [(part, part.fit(self, response)) for part in _parts(margins, self.shape)]

    def multiplied(self, margins: Margins, empty: float, multiplier: Multiplier, start: Floats) -> Fitted:
        r"""Fit :math:`\mu = z \exp(X\lambda)` with multipliers z that may depend on the fit.

        Parameters
        ----------
        margins : tuple of tuple of int
            Margins that the model fits.
        empty : float
            Multiplier z of the empty cells.
        multiplier : callable
            Function of the expected counts of the populated cells that returns their z for the next cycles. It
            is called after convergence.
        start : ndarray, shape (m,)
            Initial z of the populated cells.

        Notes
        -----
        Each cycle scales the fit to one margin after another and starts from the standard model. An offset or a
        covariate does not change the margins, so the estimate exists if and only if that of the standard model
        exists.
        """
        self.standard(self.counts, margins)
        fits, total = self._fits[margins], self.counts.sum()
        tables = [fit.expected / total for _, fit in fits]
        tables[0] *= total / empty
        inside = np.ones(len(self.cells))
        steps: list[tuple[int, View, Whole, Floats]] = []
        for number, (part, _) in enumerate(fits):
            inside *= tables[number].ravel()[self._cell_of_records(part.axes)]
            for margin, local in zip(part.margins, part.local, strict=True):
                wanted = self.margin(margin, self.counts)
                steps.append((number, View(tables[number], local), self._cell_of_records(margin), wanted))
        enough = _LOOSE * max(float(wanted.max()) for *_, wanted in steps)
        z = start
        totals = [float(table.sum()) for table in tables]
        for cycle in range(1, _CYCLES + 1):
            off = 0.0
            for number, view, cell, wanted in steps:
                rest = empty * math.prod(totals[:number] + totals[number + 1 :])
                inner = view.sums()
                sums = rest * inner
                sums += np.bincount(cell, (z - empty) * inside, minlength=sums.size).reshape(sums.shape)
                ratio = np.divide(wanted, sums, out=np.zeros_like(sums), where=(wanted > 0) & (sums > 0))
                off = max(off, float(np.abs(wanted - sums).max()))
                view.multiply(ratio)
                inside *= ratio.take(cell)
                totals[number] = float((inner * ratio).sum())
            expected = z * inside
            if off <= enough or cycle % _PATIENCE == 0:
                new = multiplier(expected)
                moved = float(np.abs(new / z - 1).max())
                z = new
                if off <= enough and moved <= _LOOSE:
                    return Fitted(expected, _exists(fits), True, _parameters(fits))
        return Fitted(expected, _exists(fits), False, _parameters(fits))


@dataclass(frozen=True)
class _Part:
    """Variables that are connected by the margins of a model."""

    axes: tuple[int, ...]
    margins: Margins

    @cached_property
    def local(self) -> list[tuple[int, ...]]:
        """Margins as axes of the part's table."""
        return [tuple(self.axes.index(axis) for axis in margin) for margin in self.margins]

    def fit(self, crossing: Crossing, response: Floats) -> LogLinearFit:
        """Fit the part to its margin of a response."""
        size = int(np.prod([crossing.shape[axis] for axis in self.axes], dtype=np.float64))
        if size > MOST_CELLS:
            raise ValueError(
                f"The variables connected by the model have {size:,} cells; at most {MOST_CELLS:,} can be fitted."
                " Remove a term or recode a variable."
            )
        table = crossing.margin(self.axes, response)
        return fit_loglinear(table, self.local, tolerance=_TOLERANCE, iterations=_STANDARD_CYCLES)


def _parameters(fits: list[tuple[_Part, LogLinearFit]]) -> int:
    """Return the number of parameters of a model, including the constant."""
    return 1 + sum(fit.parameters - 1 for _, fit in fits)


def _exists(fits: list[tuple[_Part, LogLinearFit]]) -> bool | None:
    """Return whether the estimate exists in each part, or None if the test would take too long."""
    if any(fit.empty_margins for _, fit in fits):
        return False
    known = [
        fit.exists if fit.counts.size <= _MOST_ASKED or not fit.sampling_zeros else None for _, fit in fits
    ]
    if False in known:
        return False
    return None if None in known else True


def check_margins(margins: Margins, variables: int) -> None:
    """Raise ValueError if a margin is not a tuple of different variables."""
    for margin in margins:
        if not margin or len(set(margin)) < len(margin) or not set(margin) <= set(range(variables)):
            raise ValueError(f"The margins must be tuples of different variables from 0 to {variables - 1}.")


def _parts(margins: Margins, shape: tuple[int, ...]) -> list[_Part]:
    """Return the parts of a model, which share no margin; each variable is in one part."""
    check_margins(margins, len(shape))
    generators = list(
        dict.fromkeys(
            [*(tuple(sorted(margin)) for margin in margins), *((axis,) for axis in range(len(shape)))]
        )
    )
    generators = [
        generator for generator in generators if not any(set(generator) < set(other) for other in generators)
    ]
    groups: list[set[int]] = []
    for margin in generators:
        touched = [group for group in groups if group & set(margin)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(margin).union(*touched))
    parts = []
    for group in sorted(groups, key=min):
        axes = tuple(sorted(group))
        parts.append(_Part(axes, tuple(margin for margin in generators if set(margin) <= group)))
    return parts
