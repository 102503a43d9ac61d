"""Tests of the direction and the probabilities of changes, and their effect on an analysis of variance.

References: handbook chapter 5, section 5.8; Shlomo and Young 2005.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, as_counts, plain
from .utility import mean_ranks

__all__ = ["Variance", "rounding_test", "signed_rank", "variance_between"]


def signed_rank(F: ArrayLike, G: ArrayLike) -> Floats:
    r"""Return the p-value of the Wilcoxon signed-rank test that changes have no direction.

    Changed cells are ranked by \|G - F\|, and equal changes get their mean rank. Let T be the sum of the
    ranks R of the
    cells that increased. Its mean is :math:`\sum R / 2` and its variance :math:`\sum R^2 / 4`; it is
    approximately normal.

    Parameters
    ----------
    F : array_like, shape (cells,)
    F : array_like, shape (cells,)
        Counts before.
    G : array_like, shape (*batch, cells)
        Counts after.

    Returns
    -------
    ndarray
        Two-sided p-values from 0 to 1; 1 if no count changed.

    Examples
    --------
    >>> round(float(signed_rank([3, 5, 7, 9], [4, 7, 10, 13])), 4)
    0.0679
    """
    from scipy.special import erfc

    changes = np.asarray(as_counts(G, "G"), dtype=np.float64) - np.asarray(as_counts(F), dtype=np.float64)
    still = changes == 0
    ranks = np.where(still, 0.0, mean_ranks(np.abs(changes)) - still.sum(axis=-1, keepdims=True))
    away = np.sum(ranks * (changes > 0), axis=-1) - ranks.sum(axis=-1) / 2
    spread = np.sqrt(np.sum(ranks**2, axis=-1)) / 2
    return plain(np.asarray(erfc(np.abs(away) / np.where(spread > 0, spread, 1.0) / np.sqrt(2))))


def rounding_test(F: ArrayLike, G: ArrayLike, base: int) -> Floats:
    r"""Return the p-value of an exact test that random rounding used its stated probabilities.

    There are :math:`n_r` cells with the residual r = F mod b. The number of these cells that are rounded up has a
    binomial distribution with probability r/b. For each residual, the two-sided p-value is the probability of all
    numbers that are at most as likely as the observed number. The result is the smallest of the m p-values times m
    (Bonferroni), at most 1.

    Parameters
    ----------
    F : array_like, shape (cells,)
        Counts before.
    G : array_like, shape (*batch, cells)
        Counts after.
    base : int
        Base b of rounding.

    Returns
    -------
    ndarray
        p-values from 0 to 1; 1 if every count is a multiple of the base.

    Examples
    --------
    Nine of ten ones are rounded up; the expected share is one third:

    >>> round(float(rounding_test([1] * 10, [3] * 9 + [0], 3)), 4)
    0.0004
    """
    before, after = as_counts(F), as_counts(G, "G")
    residual = np.asarray(before, dtype=np.int64) % base
    least = np.ones(after.shape[:-1])
    classes = [r for r in range(1, base) if np.any(residual == r)]
    for r in classes:
        members = residual == r
        up = np.sum(after[..., members] > before[members], axis=-1)
        least = np.minimum(least, _exact(int(members.sum()), r / base)[up])
    return plain(np.minimum(least * max(len(classes), 1), 1.0))


def _exact(n: int, p: float) -> Floats:
    """Return the two-sided p-value of each number from 0 to n of a binomial distribution."""
    from scipy.stats import binom

    chance = binom.pmf(np.arange(n + 1), n, p)
    order = np.argsort(chance)
    # scipy.stats.binomtest uses the same tolerance for outcomes with equal probability.
    last = np.searchsorted(chance[order], chance * (1 + 1e-7), side="right")
    probability: Floats = np.minimum(np.cumsum(chance[order])[last - 1], 1.0)
    return probability


class Variance(NamedTuple):
    """Variance of the column indicators between the rows and in total, summed over the columns."""

    between: Floats
    total: Floats

    @property
    def explained(self) -> Floats:
        """R², the share of the variance that the rows explain; nan if all people are in one column."""
        return plain(np.asarray(self.between) / np.where(np.asarray(self.total) > 0, self.total, np.nan))


def variance_between(F: ArrayLike) -> Variance:
    r"""Return the variances of an analysis of the columns by the rows of a table.

    With :math:`P_{kc}` the share of row k in column c and :math:`P_c` that of all people,

    .. math:: B = \sum_k \frac{N_k}{N} \sum_c (P_{kc} - P_c)^2, \qquad T = 1 - \sum_c P_c^2, \qquad R^2 = B/T

    These are the sums of squares of an analysis of variance of each column's indicator, divided by N and
    added up.

    Parameters
    ----------
    F : array_like, shape (*batch, rows, columns)
        Counts.

    Examples
    --------
    >>> found = variance_between([[5, 0], [0, 5]])
    >>> float(found.between), float(found.total), float(found.explained)
    (0.5, 0.5, 1.0)
    """
    counts = np.asarray(as_counts(F), dtype=np.float64)
    rows = counts.sum(axis=-1, keepdims=True)
    N = rows.sum(axis=-2, keepdims=True)
    shares = counts.sum(axis=-2, keepdims=True) / np.where(N > 0, N, np.nan)
    inside = counts / np.where(rows > 0, rows, 1.0)
    between = np.sum(rows / np.where(N > 0, N, np.nan) * (inside - shares) ** 2, axis=(-2, -1))
    total = 1 - np.sum(shares**2, axis=(-2, -1))
    return Variance(plain(between), plain(np.where(total > 1e-12, total, 0.0)))
