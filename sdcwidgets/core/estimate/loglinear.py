"""Log-linear models of tables of any dimension, fitted from their margins.

A hierarchical model keeps some margins of the table: its fit is the table with these margins that is otherwise
as even as can be. Iterative proportional fitting scales the cells to one margin after the other; it needs the
cells and the margins, never a design matrix. References: Deming and Stephan 1940; Bishop, Fienberg and Holland
1975, chapters 3 and 5; Haberman 1974 on estimates that do not exist; thesis, section 4.6.1.
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

#: Of models with more parameters no standard errors are computed: their matrix would fill the memory.
MOST_PARAMETERS = 2_000


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class NamedCounts(Protocol):
    """A table whose axes have names, such as a FrequencyTable."""

    @property
    def counts(self) -> NDArray[Any]:
        """The counts, one dimension an axis."""

    @property
    def axes(self) -> Sequence[_Named]:
        """The axes; each has a name."""


Model: TypeAlias = "str | Iterable[Iterable[int]]"


@dataclass(frozen=True)
class Coefficient:
    """A parameter of a log-linear model, by treatment contrasts: against the first category of each axis, as in R.

    Attributes
    ----------
    axes, levels : tuple of int
        The axes of the term and the category of each, from 1 on; empty for the intercept.
    estimate, error : float
        The parameter and its standard error, from the Fisher information of Poisson counts.
    """

    axes: tuple[int, ...]
    levels: tuple[int, ...]
    estimate: float
    error: float

    @property
    def z(self) -> float:
        """The estimate over its standard error."""
        return self.estimate / self.error


@dataclass(frozen=True, eq=False)
class LogLinearFit:
    """A log-linear model fitted to a table.

    Attributes
    ----------
    counts : ndarray
        The counts that were fitted.
    expected : ndarray
        The expected count of each cell. Where the estimate does not exist it is the limit that the likelihood
        climbs to, in which some cells are 0 that have no structural reason to be.
    margins : list of tuple of int
        The margins that the model keeps, none of them within another.
    converged : bool
        Whether the error left in the cells is at most 1e-12 of the largest margin, as far as the steps tell.
    iterations : int
        How often the cells were scaled to every margin.
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
        """The estimated probability of each cell, the expected counts over their sum."""
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
        r"""Pearson's statistic :math:`X^2 = \sum (n - \hat\mu)^2/\hat\mu`; cells fitted as 0 are left out."""
        some = self.expected > 0
        return float(np.sum((self.counts[some] - self.expected[some]) ** 2 / self.expected[some]))

    @property
    def parameters(self) -> int:
        """The number of free parameters, the constant among them."""
        return sum(math.prod(self.counts.shape[axis] - 1 for axis in term) for term in closure(self.margins))

    @property
    def df(self) -> int:
        """Degrees of freedom: cells less free parameters, sampling zeros not taken off."""
        return self.counts.size - self.parameters

    @property
    def sampling_zeros(self) -> int:
        """The number of cells in which nobody was counted."""
        return int(np.count_nonzero(self.counts == 0))

    @cached_property
    def empty_margins(self) -> int:
        """The number of values of the kept margins that are 0; with any, the estimate does not exist."""
        ndim = self.counts.ndim
        return sum(
            int(np.count_nonzero(self.counts.sum(axis=others(margin, ndim)) == 0)) for margin in self.margins
        )

    @cached_property
    def exists(self) -> bool | None:
        """Whether the maximum likelihood estimate exists: every cell has a positive expected count.

        It exists if, and only if, some table with all cells above 0 has the kept margins (Haberman 1974). Such a
        table is looked for near the fit, then by linear programming; None where the table has more than
        20,000 cells and the first search does not decide.
        """
        if not self.sampling_zeros:
            return True
        if self.empty_margins:
            return False
        return estimate_exists(self.counts, self.expected, self.margins)

    @cached_property
    def coefficients(self) -> list[Coefficient]:
        r"""The parameters with standard errors: roots of the diagonal of :math:`(X^T \mathrm{diag}(\mu) X)^{-1}`.

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
                "The estimate does not exist, so its parameters are not finite: leave out an interaction."
            )
        if self.parameters > MOST_PARAMETERS:
            raise ValueError(
                f"The model has {self.parameters:,} parameters; of at most {MOST_PARAMETERS:,} they are told."
            )
        shape = self.counts.shape
        log = np.log(self.expected)
        columns, terms = [], []
        for axes in sorted(closure(self.margins), key=lambda term: (len(term), term)):
            for levels in product(*(range(1, shape[axis]) for axis in axes)):
                column = np.ones((1,) * len(shape))
                # Each sign is that of how many of the axes are at their first category.
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

    over all sets of axes S within a kept margin: the maximum likelihood estimate under multinomial and
    Poisson sampling.

    Parameters
    ----------
    counts : array_like, or a table with named axes
        Counts, 0 or more, not all 0; they need not be whole.
    margins : iterable of tuples of int, or str
        The margins that the model keeps, as axes: ``[(0, 1), (2,)]``; or a formula over the axes' names for a
        table that has them: ``"a*b + c"``, see `core.estimate.formula`. An axis in no margin is taken to have
        equal categories.
    weights : array_like, optional
        Start weights w of the cells, above 0: the exponential of an offset. They broadcast.
    iterations : int
        The most cycles through all margins.
    tolerance : float
        The error that may be left in a cell, relative to the largest value of a margin.

    Returns
    -------
    LogLinearFit
        With `.expected`, `.deviance`, `.df`, `.exists`, `.converged`.

    Raises
    ------
    ValueError
        If nobody is counted, a margin or a name is no axis of the table, the model is not hierarchical, or a
        weight is not above 0.

    References
    ----------
    Deming and Stephan 1940; Bishop, Fienberg and Holland 1975; sample paper, section 5.1.

    Examples
    --------
    Main effects only give :math:`n_{i\bullet} n_{\bullet j}/n`:

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
        raise ValueError("Nobody is counted, so that no model can be fitted.")
    fitted = _start(n, weights)
    sums = {margin: n.sum(axis=others(margin, n.ndim)) for margin in generators}
    converged, cycles = scale(fitted, sums, iterations, tolerance)
    return LogLinearFit(n, fitted, generators, converged, cycles, weights is not None)


def _checked_model(margins: Model, ndim: int, names: Sequence[str] | None) -> Margins:
    """Return the margins of a model, checked."""
    if isinstance(margins, str):
        if names is None:
            raise ValueError("A formula needs a table with named axes; give margins as tuples of axes.")
        return margins_of(margins, names)
    try:
        return generators(normalize_axis_tuple(tuple(margin), ndim) for margin in margins)
    except (ValueError, TypeError):
        raise ValueError(
            f"The margins must be tuples of different axes of a table of {ndim}, such as [(0,), (1,)]."
        ) from None


def _start(n: Floats, weights: ArrayLike | None) -> Floats:
    """Return the cells before the first step: the weights, with the table's total."""
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
