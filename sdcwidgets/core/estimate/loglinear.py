"""Log-linear models of tables of any dimension, fitted from their margins.

A hierarchical model keeps some margins of the table: its fit is the table with these margins that is otherwise
as even as can be. Iterative proportional fitting scales the cells to one margin after the other; it needs the
cells and the margins, never a design matrix. References: Deming and Stephan 1940; Bishop, Fienberg and Holland
1975, chapters 3 and 5; Haberman 1974 on estimates that do not exist; thesis, section 4.6.1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts
from .formula import Margins, generators, margins_of

__all__ = ["LogLinearFit", "fit_loglinear", "rake"]

#: A fit has converged when the error that is left in its cells is at most this, relative to the largest margin.
TOLERANCE = 1e-12

#: Above this many cells the linear program that tells whether an estimate exists would take minutes.
MOST_CELLS_ASKED = 20_000

#: Sums and products run over at least this many neighbouring cells at a time.
INNER = 64


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
        return sum(math.prod(self.counts.shape[axis] - 1 for axis in term) for term in _closure(self.margins))

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
            int(np.count_nonzero(self.counts.sum(axis=_others(margin, ndim)) == 0)) for margin in self.margins
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
        near = self.expected + _projected(self.counts - self.expected, self.margins)
        if near.min() > 1e-13 * max(1.0, float(self.counts.max())):
            return True
        return _positive_table(self.counts, self.margins) if self.counts.size <= MOST_CELLS_ASKED else None

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
    kept = _kept(margins, n.ndim, names)
    if not n.any():
        raise ValueError("Nobody is counted, so that no model can be fitted.")
    fitted = _start(n, weights)
    sums = {margin: n.sum(axis=_others(margin, n.ndim)) for margin in kept}
    converged, cycles = _scale(fitted, sums, iterations, tolerance)
    return LogLinearFit(n, fitted, kept, converged, cycles)


def rake(
    start: ArrayLike,
    margins: Mapping[tuple[int, ...], ArrayLike],
    *,
    iterations: int = 10_000,
    tolerance: float = TOLERANCE,
) -> Floats:
    """Scale a table until it has the margins that are asked for: iterative proportional fitting.

    Of all tables with these margins it is the one nearest to `start` in relative entropy; a cell that is 0 at the
    start stays 0.

    Parameters
    ----------
    start : array_like
        0 or more; it is not changed.
    margins : mapping of tuple of int to array_like
        For each tuple of rising axes the sums wanted over all others.

    Raises
    ------
    ValueError
        If a margin does not fit the table, or no table has all of them, as far as the steps tell.

    References
    ----------
    Deming and Stephan 1940; Csiszár 1975.

    Examples
    --------
    >>> rake([[1, 1], [1, 0]], {(0,): [3, 2], (1,): [4, 1]}).round(6).tolist()
    [[2.0, 1.0], [2.0, 0.0]]
    """
    cells = np.array(as_counts(start, "the start"), dtype=np.float64, order="C")
    wanted: dict[tuple[int, ...], Floats] = {}
    for axes, values in margins.items():
        sums = as_counts(values, f"margin {axes}").astype(np.float64)
        if list(axes) != sorted(set(axes)) or sums.shape != tuple(cells.shape[axis] for axis in axes):
            raise ValueError(f"Margin {axes} has the shape {sums.shape}; it does not fit {cells.shape}.")
        wanted[axes] = sums
    if not _scale(cells, wanted, iterations, tolerance)[0]:
        raise ValueError(
            "No table has all these margins; they contradict each other or the cells that are 0."
        )
    return cells


def _kept(margins: Model, ndim: int, names: Sequence[str] | None) -> Margins:
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
    given = as_counts(weights, "the weights").astype(np.float64)
    if not np.all(given > 0):
        raise ValueError("Every weight must be above 0.")
    try:
        start = np.broadcast_to(given, n.shape)
    except ValueError:
        raise ValueError(f"The weights have the shape {given.shape}, the table {n.shape}.") from None
    scaled: Floats = start * (n.sum() / start.sum())
    return scaled


def _scale(
    cells: Floats, margins: Mapping[tuple[int, ...], Floats], iterations: int, tolerance: float
) -> tuple[bool, int]:
    """Scale the cells, in place, to one margin after the other until no more than the tolerance is left."""
    views = [_View(cells, margin) for margin in margins]
    wanted = list(margins.values())
    enough = tolerance * max(float(values.max()) for values in wanted)
    before = math.inf
    for cycle in range(1, iterations + 1):
        off = 0.0
        for view, values in zip(views, wanted, strict=True):
            off = max(off, view.scale(values))
        # Steps shrink by a factor; what is left is the sum of all that would still come.
        rate = off / before
        if off <= 1e-3 * enough or (rate < 1 and off * max(1.0, rate / (1 - rate)) <= enough):
            return True, cycle
        before = off or math.inf
    return False, iterations


class _View:
    """The cells seen by one margin: neighbouring axes that are summed, or kept, are taken as one.

    The last axes stay together until the very end, so that numpy's inner loops are long however short the
    axes are.
    """

    def __init__(self, cells: Floats, margin: tuple[int, ...]) -> None:
        ndim, tail = cells.ndim, 1
        first = ndim
        while first and tail < INNER:
            first -= 1
            tail *= cells.shape[first]
        shape: list[int] = []
        kinds: list[bool] = []
        for axis, size in enumerate(cells.shape[:first]):
            if kinds and kinds[-1] == (axis in margin):
                shape[-1] *= size
            else:
                shape.append(size)
                kinds.append(axis in margin)
        self._cells = cells.reshape(*shape, tail)  # a view: the cells are contiguous
        letters = "abcdefghijklmnopqrstuvwxy"[: len(shape)]
        kept_letters = "".join(x for x, kept in zip(letters, kinds, strict=True) if kept)
        self._sum = f"{letters}z->{kept_letters}z"
        leading = tuple(size for axis, size in enumerate(cells.shape[:first]) if axis in margin)
        self._split = (*leading, *cells.shape[first:])
        self._summed = tuple(len(leading) + a - first for a in range(first, ndim) if a not in margin)
        self._merged = tuple(size if kept else 1 for size, kept in zip(shape, kinds, strict=True))

    def sums(self) -> Floats:
        sums: Floats = np.einsum(self._sum, self._cells).reshape(self._split).sum(axis=self._summed)
        return sums

    def scale(self, wanted: Floats) -> float:
        """Scale the cells to the wanted values; return how far they were off."""
        sums = self.sums()
        ratio = np.divide(wanted, sums, out=np.zeros_like(sums), where=sums > 0)
        spread = np.broadcast_to(np.expand_dims(ratio, self._summed), self._split)
        self._cells *= spread.reshape(*self._merged, -1)
        return float(np.max(np.abs(wanted - sums)))


def _others(margin: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(ndim) if axis not in margin)


def _closure(margins: Margins) -> set[tuple[int, ...]]:
    """Return every set of axes within a margin, the empty one among them."""
    return {
        part
        for margin in margins
        for size in range(len(margin) + 1)
        for part in itertools.combinations(margin, size)
    }


def _projected(values: Floats, margins: Margins) -> Floats:
    """Return the projection of a table onto the space of the model: it has the same kept margins."""
    total = np.zeros(values.shape)
    for term, factor in _inclusions(margins):
        total += factor * values.mean(axis=_others(term, values.ndim), keepdims=True)
    return total


def _inclusions(margins: Margins) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return the means that the projection consists of, and how often each is added."""
    closure = _closure(margins)
    for term in closure:
        factor = sum((-1) ** (len(more) - len(term)) for more in closure if set(term) <= set(more))
        if factor:
            yield term, factor


def _positive_table(counts: Floats, margins: Margins) -> bool:
    """Return whether some table with these margins has no cell of 0.

    That is so if a move that leaves the margins as they are raises every cell that is 0: by how much does not
    matter, since a small enough part of it leaves the others above 0.
    """
    from scipy.optimize import linprog

    from .._linear import equations

    published = {margin: counts.sum(axis=_others(margin, counts.ndim), keepdims=True) for margin in margins}
    matrix, _ = equations(counts.shape, published)
    lowest = np.where(counts.ravel() > 0, -np.inf, 1.0)
    bounds = np.stack([lowest, np.full(lowest.shape, np.inf)], axis=1)
    solved = linprog(
        np.zeros(counts.size), A_eq=matrix, b_eq=np.zeros(matrix.shape[0]), bounds=bounds, method="highs"
    )
    if solved.status not in (0, 2):
        raise RuntimeError(f"The linear program was not solved: {solved.message}")
    return bool(solved.status == 0)
