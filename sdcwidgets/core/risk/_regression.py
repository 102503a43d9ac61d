"""Poisson regression of sample counts over a list of cells, with categories or numbers as terms.

Iterative proportional fitting needs the full crossing and categories. This module fits the same log-linear models
over any list of cells, and a key variable may enter as a number with one coefficient. References: Totter 2014,
section 3 and example 2.5; McCullagh and Nelder 1989, section 2.5 (iteratively reweighted least squares).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole
from ..estimate.formula import closure
from ..microdata.keys import MISSING, as_codes, distinct
from ._crossing import Crossing, Fitted, Margins, check_margins

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Maximum number of parameters, and of cells of a full crossing; larger models need too much memory.
MOST_PARAMETERS = 3_000
MOST_CELLS = 1_000_000

_ITERATIONS = 60

# Relative change of the deviance at convergence, and the largest change of a log rate if the estimate exists.
_TOLERANCE = 1e-9
_STEADY = 1e-3


@dataclass(frozen=True)
class ListedCells:
    """Sample counts over a list of cells, some of them without records.

    Attributes
    ----------
    cells : ndarray of int, shape (m, q)
        Distinct keys, as codes.
    populated : ndarray of int, shape (p,)
        Position of each populated cell of the sample, in the order of its `Crossing`.
    counts, weighted : ndarray, shape (m,)
        Number of records of each cell, and the sum of their weights.
    margins : tuple of tuple of int
        Interactions of the model; main effects are always included.
    numeric : dict of int to ndarray
        Number of each code, for the key variables that enter as numbers.
    """

    cells: Whole
    populated: Whole
    counts: Floats
    weighted: Floats
    margins: Margins
    numeric: dict[int, Floats]

    @classmethod
    def of(
        cls,
        codes: ArrayLike,
        sample: Crossing,
        margins: Margins,
        numeric: Mapping[int, ArrayLike],
        population: ArrayLike | None,
    ) -> ListedCells:
        """Return the cells of a sample among the keys of a population, or in the full crossing if it is None."""
        array = as_codes(codes)
        keys = array[distinct(array)[0]]
        check_margins(margins, keys.shape[1])
        cells = _crossed(keys) if population is None else _occurring(population, keys.shape[1])
        member = distinct(np.concatenate([cells, keys]))[1]
        position = np.full(int(member.max()) + 1, -1)
        position[member[: len(cells)]] = np.arange(len(cells))
        populated = position[member[len(cells) :]]
        if (populated < 0).any():
            raise ValueError("A combination of key values in the sample does not occur in the population.")
        counts, weighted = np.zeros(len(cells)), np.zeros(len(cells))
        counts[populated], weighted[populated] = sample.counts, sample.weighted
        return cls(cells, populated, counts, weighted, margins, _checked(numeric, cells))

    def fit(self, response: Floats, offset: Floats | None = None, covariate: Floats | None = None) -> Fitted:
        """Fit the model to a response, and return the expected counts of the populated cells."""
        from scipy.sparse import csr_array, hstack

        start = np.zeros(len(response)) if offset is None else offset
        design = self.design
        if covariate is not None:
            design = hstack([design, csr_array(covariate[:, np.newaxis])], format="csr")
        # A combination of categories without records has the limit 0, and its columns are left out.
        possible = self._possible(response)
        rate, steady, converged = _regression(design[possible], response[possible], start[possible])
        expected = np.zeros(len(response))
        expected[possible] = rate
        return Fitted(
            expected[self.populated], bool(possible.all() and steady), converged, parameters=design.shape[1]
        )

    @cached_property
    def design(self) -> csr_array:
        """Design matrix with treatment contrasts; a number has one column, with mean 0 and deviation 1.

        Each term has at most one entry per cell, so the matrix is sparse.
        """
        from scipy.sparse import csr_array

        terms = [(axis,) for axis in range(self.cells.shape[1])] + self._interactions
        width = 1
        rows, columns, entries = (
            [np.arange(len(self.cells))],
            [np.zeros(len(self.cells), np.int64)],
            [np.ones(len(self.cells))],
        )
        for term in terms:
            column, value, categories = self._term(term)
            some = np.flatnonzero(column >= 0)
            rows.append(some)
            columns.append(width + column[some])
            entries.append(value[some])
            width += categories
        if width > MOST_PARAMETERS:
            raise ValueError(
                f"The model has {width:,} parameters; a regression can have at most {MOST_PARAMETERS:,}. Remove an"
                " interaction, or enter more key variables as numbers."
            )
        places = np.concatenate(rows), np.concatenate(columns)
        return csr_array((np.concatenate(entries), places), shape=(len(self.cells), width))

    @property
    def _interactions(self) -> list[tuple[int, ...]]:
        """Interactions with all their parts of two or more variables."""
        terms = closure(tuple(sorted(margin)) for margin in self.margins)
        return sorted((term for term in terms if len(term) > 1), key=lambda term: (len(term), term))

    def _term(self, term: tuple[int, ...]) -> tuple[Whole, Floats, int]:
        """Return the column of each cell in a term, -1 for the reference, its entry, and the number of columns."""
        column, value, width = np.zeros(len(self.cells), np.int64), np.ones(len(self.cells)), 1
        for axis in term:
            codes = self.cells[:, axis]
            if axis in self.numeric:
                number = self.numeric[axis][codes]
                value = value * (number - number.mean()) / (float(number.std()) or 1.0)
                continue
            categories, category = np.unique(codes, return_inverse=True)
            others = len(categories) - 1
            column = np.where((column < 0) | (category == 0), -1, column * others + category - 1)
            width *= others
        return column, value, width

    def _possible(self, response: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return a mask of cells whose categories, and combinations of them in the model, have records."""
        possible = np.ones(len(response), dtype=bool)
        for term in [(axis,) for axis in range(self.cells.shape[1])] + self._interactions:
            categories = [axis for axis in term if axis not in self.numeric]
            if categories:
                member = distinct(self.cells[:, categories])[1]
                possible &= np.bincount(member, response)[member] > 0
        return possible


def _crossed(keys: Whole) -> Whole:
    """Return the full crossing of the observed categories."""
    values = [np.unique(column) for column in keys.T]
    size = math.prod(len(codes) for codes in values)
    if size > MOST_CELLS:
        raise ValueError(
            f"The full crossing has {size:,} cells, which is too much for a model with numbers. Use the keys that"
            " occur in the population, or leave out a key variable."
        )
    return np.stack([grid.ravel() for grid in np.meshgrid(*values, indexing="ij")], axis=1)


def _occurring(population: ArrayLike, variables: int) -> Whole:
    """Return the distinct keys of a population."""
    array = as_codes(population)
    if array.shape[1] != variables or array.min() == MISSING:
        raise ValueError(f"The population must have {variables} key variables without missing values.")
    return array[distinct(array)[0]]


def _checked(numeric: Mapping[int, ArrayLike], cells: Whole) -> dict[int, Floats]:
    """Return the numbers of the codes as arrays, after validation."""
    numbers = {}
    for axis, values in numeric.items():
        if axis not in range(cells.shape[1]):
            raise ValueError(
                f"There is no key variable {axis} to enter as a number; key variables are numbered from 0 "
                f"to {cells.shape[1] - 1}."
            )
        number = np.asarray(values, dtype=np.float64)
        if number.ndim != 1 or len(number) <= cells[:, axis].max() or not np.isfinite(number).all():
            raise ValueError(f"The numeric key variable {axis} must have one finite number for each code.")
        numbers[axis] = number
    return numbers


def _regression(design: csr_array, response: Floats, offset: Floats) -> tuple[Floats, bool, bool]:
    """Return the rates of a Poisson regression, whether its log rates are steady, and whether it has converged."""
    # The start is that of R: the response plus 0.1. The first step is then a weighted least squares fit.
    log = np.log(response + 0.1)
    deviance, steady = math.inf, False
    coefficients = np.zeros(design.shape[1])
    for _ in range(_ITERATIONS):
        rate = np.exp(np.clip(log, -60, 60))
        information = (design.T @ design.multiply(rate[:, np.newaxis]).tocsr()).toarray()
        right = design.T @ (rate * (log - offset) + response - rate)
        step = np.linalg.lstsq(information, right, rcond=1e-13)[0] - coefficients
        for _half in range(20):
            trial = offset + design @ (coefficients + step)
            reached = _deviance(response, trial)
            if reached <= deviance * (1 + 1e-12) or not math.isfinite(deviance):
                break
            step = step / 2
        steady = float(np.abs(trial - log).max()) < _STEADY
        done = abs(deviance - reached) <= _TOLERANCE * (reached + 0.1)
        coefficients, log, deviance = coefficients + step, trial, reached
        if done:
            return np.exp(np.clip(log, -60, 60)), steady, True
    return np.exp(np.clip(log, -60, 60)), steady, False


def _deviance(response: Floats, log: Floats) -> float:
    """Return the Poisson deviance of rates, given as logarithms."""
    some = response > 0
    fixed = float((response[some] * np.log(response[some]) - response[some]).sum())
    return 2 * (fixed - float(response @ log) + float(np.exp(np.clip(log, -60, 60)).sum()))
