"""Information loss: differences between a protected table and the original table.

References: PSD 2014, section 2.3; Shlomo, Antal and Elliot 2015 (flexible table generators), utility;
handbook chapter 5, section 5.8. Distances work along ``axis`` (default: all axes), and the other axes are a
batch.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Axis, Floats, Numbers, as_counts, axes_of, cells_last, plain
from .information import hellinger

__all__ = [
    "absolute_distance",
    "chi_squared",
    "cramers_v",
    "hellinger",
    "mean_ranks",
    "rank_correlation",
    "relative_distance",
    "utility",
    "variance_of_counts",
]


def utility(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the utility of a protected table, :math:`1 - HD(F, G)/\sqrt N`.

    Parameters
    ----------
    F : array_like
        Counts before protection, of a shape that broadcasts with `G`.
    G : array_like
        Counts after protection.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Returns
    -------
    ndarray
        1 for an unchanged table, and 0 or more if M = N; nan if N = 0.

    References
    ----------
    Shlomo, Antal and Elliot 2015; thesis, section 5.3.

    Examples
    --------
    >>> round(float(utility([0, 2, 4], [0, 3, 3])), 4)
    0.88
    """
    counts = np.broadcast_arrays(as_counts(F), as_counts(G, "G"))[0]
    N = np.sum(counts, axis=axes_of(axis, counts.ndim), dtype=np.float64)
    return plain(1 - hellinger(F, G, axis) / np.sqrt(np.where(N > 0, N, np.nan)))


def absolute_distance(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the mean absolute distance per cell, :math:`\frac1K \sum |F_i - G_i|`, in people.

    References
    ----------
    Gomatam and Karr 2003; handbook chapter 5, section 5.8.

    Examples
    --------
    >>> round(float(absolute_distance([0, 2, 4], [0, 3, 3])), 4)
    0.6667
    """
    difference = np.abs(np.subtract(as_counts(G, "G"), as_counts(F), dtype=np.float64))
    return plain(difference.mean(axis=axes_of(axis, difference.ndim)))


def relative_distance(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the mean relative distance, :math:`|F_i - G_i|/F_i`, over the cells with F > 0.

    Cells with F = 0 are omitted; the result is nan if there are no other cells.

    References
    ----------
    Handbook chapter 5, section 5.8.

    Examples
    --------
    >>> float(relative_distance([0, 2, 4], [0, 3, 3]))
    0.375
    """
    before, after = (
        np.asarray(counts, np.float64) for counts in np.broadcast_arrays(as_counts(F), as_counts(G, "G"))
    )
    axes = axes_of(axis, before.ndim)
    total = np.sum(np.abs(after - before) / np.where(before > 0, before, 1.0), axis=axes, where=before > 0)
    cells = np.count_nonzero(before, axis=axes)
    return plain(np.where(cells > 0, total, np.nan) / np.maximum(cells, 1))


def variance_of_counts(F: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the variance of the cells, :math:`\frac{1}{K-1}\sum (F_i - N/K)^2`.

    Its change by protection shows whether the counts became more even or more uneven; nan for one cell.

    References
    ----------
    Shlomo and Young 2005; handbook chapter 5, section 5.8.

    Examples
    --------
    >>> float(variance_of_counts([0, 2, 4]))
    4.0
    """
    cells = cells_last(as_counts(F), axis).astype(np.float64)
    squares = np.sum((cells - cells.mean(axis=-1, keepdims=True)) ** 2, axis=-1)
    return plain(np.asarray(squares / (cells.shape[-1] - 1 or np.nan)))


def cramers_v(F: ArrayLike, axes: tuple[int, int] = (-2, -1)) -> Floats:
    r"""Return Cramér's V, the association of the rows and the columns of a table.

    .. math:: V = \sqrt{\frac{\chi^2 / N}{\min(r, c) - 1}}, \qquad
              \chi^2 = \sum_{ij} \frac{(F_{ij} - F_{i\cdot}F_{\cdot j}/N)^2}{F_{i\cdot}F_{\cdot j}/N}

    Rows and columns without people are omitted.

    Parameters
    ----------
    F : array_like
        Counts.
    axes : tuple of two int
        Axis of the rows and axis of the columns; the other axes are a batch.

    Returns
    -------
    ndarray
        V, from 0 (independent) to 1; nan if fewer than two rows or two columns have people.

    References
    ----------
    Handbook chapter 5, section 5.8.

    Examples
    --------
    >>> float(cramers_v([[5, 0], [0, 5]])), float(cramers_v([[2, 4], [1, 2]]))
    (1.0, 0.0)
    """
    table = np.moveaxis(as_counts(F), axes, (-2, -1))
    rows, columns = (np.count_nonzero(table.sum(axis=axis), axis=-1) for axis in (-1, -2))
    least = np.minimum(rows, columns)
    degrees = np.where(least > 1, (least - 1) * table.sum(axis=(-2, -1), dtype=np.float64), np.nan)
    return plain(np.minimum(np.sqrt(chi_squared(F, axes) / degrees), 1.0))


def chi_squared(F: ArrayLike, axes: tuple[int, int] = (-2, -1)) -> Floats:
    r"""Return Pearson's chi-squared statistic for the independence of rows and columns, see `cramers_v`.

    Examples
    --------
    >>> float(chi_squared([[5, 0], [0, 5]]))
    10.0
    """
    table = np.moveaxis(as_counts(F), axes, (-2, -1)).astype(np.float64)
    rows, columns = table.sum(axis=-1, keepdims=True), table.sum(axis=-2, keepdims=True)
    N = rows.sum(axis=-2, keepdims=True)
    expected = rows * columns / np.where(N > 0, N, 1.0)
    share = (table - expected) ** 2 / np.where(expected > 0, expected, 1.0)
    return plain(np.sum(share, axis=(-2, -1)))


#: Limit for ranking by counting: the largest count may be at most this number times the cells.
COUNTED = 4


def rank_correlation(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    """Return Spearman's rank correlation of the cells before and after, with mean ranks for ties.

    Returns
    -------
    ndarray
        From -1 to 1; 1 if the order of the cells is unchanged; nan if all cells of F or of G are equal.

    References
    ----------
    Handbook chapter 5, section 5.8.

    Examples
    --------
    >>> round(float(rank_correlation([0, 2, 4], [0, 3, 3])), 4)
    0.866
    """
    pair: Sequence[Numbers] = as_counts(F), as_counts(G, "G")
    if axis != -1 or pair[0].shape[-1:] != pair[1].shape[-1:]:
        # Without broadcasting, an F that is the same for all replicates is ranked only once.
        pair = np.broadcast_arrays(*pair)
    first, second = (mean_ranks(cells_last(counts, axis)) for counts in pair)
    first = first - first.mean(axis=-1, keepdims=True)
    second = second - second.mean(axis=-1, keepdims=True)
    scale = np.sum(first**2, axis=-1) * np.sum(second**2, axis=-1)
    return plain(np.sum(first * second, axis=-1) / np.sqrt(np.where(scale > 0, scale, np.nan)))


def mean_ranks(values: Numbers) -> Floats:
    """Return the rank of each value on the last axis, with mean ranks for ties.

    The result equals that of scipy.stats.rankdata, which is slow to import. Small counts are ranked from their
    frequencies, without sorting.
    """
    rows = values.reshape(-1, values.shape[-1])
    most = int(rows.max()) + 1 if rows.size and rows.dtype.kind in "iu" and rows.min() >= 0 else 0
    if 0 < most <= COUNTED * rows.shape[-1]:
        places = rows + most * np.arange(len(rows))[:, np.newaxis]
        number = np.bincount(places.ravel(), minlength=len(rows) * most).reshape(-1, most)
        middles = np.cumsum(number, axis=-1) - (number - 1) / 2
        return middles.ravel()[places].reshape(values.shape)
    order = np.argsort(rows, axis=-1)
    ordered = np.take_along_axis(rows, order, axis=-1)
    begins = np.ones(rows.shape, dtype=bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    group = np.cumsum(begins.ravel()) - 1
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=begins.size)
    middle = starts % rows.shape[-1] + (lengths + 1) / 2
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, middle[group].reshape(rows.shape), axis=-1)
    return ranks.reshape(values.shape)
