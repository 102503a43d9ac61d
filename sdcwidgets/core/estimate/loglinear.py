"""Log-linear models of tables of any dimension, fitted to their margins.

A hierarchical model has the same margins as the table. Its fit has the largest entropy of all tables with these
margins. Iterative proportional fitting scales the cells to one margin after another; it needs the cells and the
margins, but no design matrix. References: Deming and Stephan 1940; Bishop, Fienberg and Holland 1975, chapters
3 and 5; Haberman 1974 (existence of estimates); thesis, section 4.6.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts
from .existence import estimate_exists
from .formula import Margins, closure, generators, margins_of
from .raking import TOLERANCE, others, scale

#: Maximum number of parameters for standard errors; the information matrix of more would need too much memory.
MOST_PARAMETERS = 2_000


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class NamedCounts(Protocol):
    """A table with named axes, for example a FrequencyTable."""

    @property
    def counts(self) -> NDArray[Any]:
        """Counts with one dimension per axis."""

    @property
    def axes(self) -> Sequence[_Named]:
        """Axes with names."""


Model: TypeAlias = "str | Iterable[Iterable[int]]"


@dataclass(frozen=True)
class Coefficient:
    """A parameter of a log-linear model with treatment contrasts, as in R.

    Attributes
    ----------
    axes, levels : tuple of int
        Axes of the term and the category of each, from 1; empty for the intercept. The first category of each
        axis is the reference.
    estimate, error : float
        Estimate and standard error, from the Fisher information of Poisson counts.
    """

    axes: tuple[int, ...]
    levels: tuple[int, ...]
    estimate: float
    error: float

    @property
    def z(self) -> float:
        """Estimate divided by its standard error."""
        return self.estimate / self.error


@dataclass(frozen=True, eq=False)
class LogLinearFit:
    """A log-linear model fitted to a table.

    Attributes
    ----------
    counts : ndarray
        Counts of the table.
    expected : ndarray
        Expected count of each cell. If the maximum likelihood estimate does not exist, this is the limit of the
        fit, in which some cells without a structural zero are 0.
    margins : list of tuple of int
        Margins that the model fits; none is part of another.
    converged : bool
        Whether the estimated error of the cells is at most the tolerance, relative to the largest margin.
    iterations : int
        Number of cycles through all margins.
    weighted : bool
        Whether the cells had start weights.
    """

    counts: Floats
    expected: Floats
    margins: Margins
    converged: bool
    iterations: int
    weighted: bool = False

    @property
    def probabilities(self) -> Floats:
        """Estimated probability of each cell: expected counts divided by their sum."""
        result: Floats = self.expected / self.expected.sum()
        return result

    @cached_property
    def deviance(self) -> float:
        r"""Deviance (likelihood ratio statistic) :math:`G^2 = 2 \sum n \log(n/\hat\mu)`, 0 or more."""
        n, fitted = self.counts, self.expected
        seen = n > 0
        terms = n[seen] * np.log(n[seen] / fitted[seen]) - (n[seen] - fitted[seen])
        return max(0.0, float(2 * (terms.sum() + fitted[~seen].sum())))

    @cached_property
    def pearson(self) -> float:
        r"""Pearson's statistic :math:`X^2 = \sum (n - \hat\mu)^2/\hat\mu`, over cells with a fit above 0."""
        some = self.expected > 0
        return float(np.sum((self.counts[some] - self.expected[some]) ** 2 / self.expected[some]))

    @property
    def parameters(self) -> int:
        """Number of free parameters, including the constant."""
        return sum(math.prod(self.counts.shape[axis] - 1 for axis in term) for term in closure(self.margins))

    @property
    def df(self) -> int:
        """Degrees of freedom: cells minus free parameters, without correction for sampling zeros."""
        return self.counts.size - self.parameters

    @property
    def sampling_zeros(self) -> int:
        """Number of cells with a count of 0."""
        return int(np.count_nonzero(self.counts == 0))

    @cached_property
    def empty_margins(self) -> int:
        """Number of zeros in the fitted margins; if there are any, the estimate does not exist."""
        ndim = self.counts.ndim
        return sum(
            int(np.count_nonzero(self.counts.sum(axis=others(margin, ndim)) == 0)) for margin in self.margins
        )

    @cached_property
    def exists(self) -> bool | None:
        """Whether the maximum likelihood estimate exists, with all expected counts positive.

        It exists if and only if some table with all cells above 0 has the fitted margins (Haberman 1974). The
        search begins near the fit and continues with a linear program. The value is None if the first search
        does not decide and the table has more than 20,000 cells.
        """
        if not self.sampling_zeros:
            return True
        if self.empty_margins:
            return False
        return estimate_exists(self.counts, self.expected, self.margins)

    @cached_property
    def coefficients(self) -> list[Coefficient]:
        r"""Parameters with standard errors: roots of the diagonal of :math:`(X^T \mathrm{diag}(\mu) X)^{-1}`.

        Raises
        ------
        ValueError
            If the estimate does not exist, the fit has weights, or there are more than 2,000 parameters.

        Examples
        --------
        >>> fit = fit_loglinear([[10, 20], [30, 60]], [(0,), (1,)])
        >>> [(c.axes, c.levels, round(c.estimate, 4), round(c.error, 4)) for c in fit.coefficients]
        [((), (), 2.3026, 0.2236), ((0,), (1,), 1.0986, 0.2108), ((1,), (1,), 0.6931, 0.1936)]
        """
        if self.weighted or not (self.expected > 0).all() or self.exists is False:
            raise ValueError(
                "The maximum likelihood estimate does not exist, because a parameter is not finite. "
                "Remove an interaction from the model."
            )
        if self.parameters > MOST_PARAMETERS:
            raise ValueError(
                f"The model has {self.parameters:,} parameters; at most {MOST_PARAMETERS:,} can be "
                "estimated. Remove an interaction."
            )
        shape = self.counts.shape
        log = np.log(self.expected)
        columns, terms = [], []
        for axes in sorted(closure(self.margins), key=lambda term: (len(term), term)):
            for levels in product(*(range(1, shape[axis]) for axis in axes)):
                column = np.ones((1,) * len(shape))
                # The sign depends on the number of axes at their reference category.
                estimate = 0.0
                for chosen in product((0, 1), repeat=len(axes)):
                    index = [0] * len(shape)
                    for axis, level, on in zip(axes, levels, chosen, strict=True):
                        index[axis] = level * on
                    estimate += (-1) ** (len(axes) - sum(chosen)) * float(log[tuple(index)])
                for axis, level in zip(axes, levels, strict=True):
                    indicator = (np.arange(shape[axis]) == level).astype(np.float64)
                    column = column * np.expand_dims(indicator, others((axis,), len(shape)))
                columns.append(np.broadcast_to(column, shape).ravel())
                terms.append((axes, levels, estimate))
        design = np.stack(columns, axis=1)
        information = design.T @ (self.expected.ravel()[:, np.newaxis] * design)
        errors = np.sqrt(np.diag(np.linalg.inv(information)))
        return [Coefficient(*term, float(error)) for term, error in zip(terms, errors, strict=True)]

    def __repr__(self) -> str:
        return (
            f"LogLinearFit(margins={self.margins}, deviance={self.deviance:.6g}, df={self.df}, "
            f"exists={self.exists})"
        )


def fit_loglinear(
    counts: ArrayLike | NamedCounts,
    margins: Model,
    *,
    weights: ArrayLike | None = None,
    iterations: int = 10_000,
    tolerance: float = TOLERANCE,
) -> LogLinearFit:
    r"""Fit a hierarchical log-linear model by iterative proportional fitting.

    .. math:: \log \mu_i = \log w_i + \sum_{S} u_S(i_S), \qquad \sum_{i: i_S} \hat\mu_i = n_S

    over all sets of axes S within a fitted margin. This is the maximum likelihood estimate under multinomial
    and Poisson sampling.

    Parameters
    ----------
    counts : array_like, or a table with named axes
        Counts, 0 or more and not all 0; fractions are allowed.
    margins : iterable of tuples of int, or str
        The margins that the model fits, as axes: ``[(0, 1), (2,)]``. For a table with named axes also a
        formula, ``"a*b + c"``, see `core.estimate.formula`. An axis in no margin has equal categories.
    weights : array_like, optional
        Start weights w of the cells, above 0, broadcast to the table: the exponential of an offset.
    iterations : int
        Maximum number of cycles through all margins.
    tolerance : float
        Maximum error of a cell, relative to the largest value of a margin.
        The error that may be left in a cell, relative to the largest value of a margin.

    Returns
    -------
    LogLinearFit
        The fit, with `.expected`, `.deviance`, `.df`, `.exists` and `.converged`.

    Raises
    ------
    ValueError
        If all counts are 0, a margin or name is not an axis of the table, the model is not hierarchical, or a
        weight is not above 0.

    References
    ----------
    Deming and Stephan 1940; Bishop, Fienberg and Holland 1975; sample paper, section 5.1.

    Examples
    --------
    Main effects only: the fit is :math:`n_{i\bullet} n_{\bullet j}/n`.

    >>> fit = fit_loglinear([[2, 0], [1, 1]], [(0,), (1,)])
    >>> fit.expected.tolist(), fit.df, fit.exists
    ([[1.5, 0.5], [1.5, 0.5]], 1, True)
    """
    names = None
    if hasattr(counts, "counts") and hasattr(counts, "axes"):
        names = [axis.name for axis in counts.axes]
        counts = counts.counts
    n = as_counts(counts, "the table").astype(np.float64)
    generators = _checked_model(margins, n.ndim, names)
    if not n.any():
        raise ValueError("All counts are 0, so no model can be fitted.")
    fitted = _start(n, weights)
    sums = {margin: n.sum(axis=others(margin, n.ndim)) for margin in generators}
    converged, cycles = scale(fitted, sums, iterations, tolerance)
    return LogLinearFit(n, fitted, generators, converged, cycles, weights is not None)


def _checked_model(margins: Model, ndim: int, names: Sequence[str] | None) -> Margins:
    """Return the margins of a model as sorted tuples of axes, after validation."""
    if isinstance(margins, str):
        if names is None:
            raise ValueError("A formula needs a table with named axes. Pass the margins as tuples of axes.")
        return margins_of(margins, names)
    try:
        return generators(normalize_axis_tuple(tuple(margin), ndim) for margin in margins)
    except (ValueError, TypeError):
        raise ValueError(
            f"The margins must be tuples of different axes of a {ndim}-way table, for example [(0,), (1,)]."
        ) from None


def _start(n: Floats, weights: ArrayLike | None) -> Floats:
    """Return the starting values: the weights, scaled to the total of the table."""
    if weights is None:
        return np.full(n.shape, n.sum() / n.size)
    values = as_counts(weights, "the weights").astype(np.float64)
    if not np.all(values > 0):
        raise ValueError("Every weight must be above 0.")
    try:
        start = np.broadcast_to(values, n.shape)
    except ValueError:
        raise ValueError(f"The weights have the shape {values.shape}, the table {n.shape}.") from None
    scaled: Floats = start * (n.sum() / start.sum())
    return scaled
