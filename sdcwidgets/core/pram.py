"""Probabilities of the tables that result from post-randomisation (PRAM) of the people of a table.

PRAM moves each person independently, from cell i to cell j with the probability of a channel. References:
thesis, section 6.3, Topic 2.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, Whole, as_counts, plain
from .channel import joint

__all__ = ["pram_distribution", "pram_poisson", "pram_probability"]

# Maximum number of sub-tables of G for the exact probability.
_STATES = 10**7

# Maximum number of tables of the whole distribution.
_TABLES = 100_000


def pram_probability(F: ArrayLike, G: ArrayLike, channel: ArrayLike) -> float:
    r"""Return the exact probability that post-randomisation (PRAM) of the people of F gives the table G.

    The probability is the sum over all matrices of moves :math:`(F_i^j)` with margins F and G of

    .. math:: \prod_i \frac{F_i!}{F_i^1! \cdots F_i^K!} \prod_j p_{ij}^{F_i^j},

    It is a coefficient of :math:`\prod_i (\sum_j p_{ij} x_j)^{F_i}`, which is computed person by person.

    Parameters
    ----------
    F : array_like
        Counts of K cells before protection, whole numbers.
    G : array_like
        Counts of the same cells after protection, whole numbers.
    channel : array_like, shape (K, K)
        Transition probabilities of PRAM.

    Returns
    -------
    float
        The probability; 0 if N ≠ M.

    Raises
    ------
    ValueError
        If G has more than 10^7 sub-tables, Π(G_j + 1).

    References
    ----------
    Thesis, (6.3.2).

    Examples
    --------
    >>> round(pram_probability([1, 1], [1, 1], [[0.9, 0.1], [0.2, 0.8]]), 4)
    0.74
    """
    before, after = (as_counts(counts, name).ravel().astype(int) for counts, name in ((F, "F"), (G, "G")))
    joint(before, channel)
    P = np.asarray(channel, dtype=np.float64)
    if before.sum() != after.sum():
        return 0.0
    K = len(after)
    states = np.prod(after + 1.0)
    if states > _STATES:
        raise ValueError(
            f"The published table G has {states:.3g} sub-tables; the exact probability can be computed "
            f"for at most {_STATES}."
        )
    ways = np.zeros(after + 1)
    ways[(0,) * K] = 1.0
    for person in np.repeat(np.arange(K), before):
        further = np.zeros_like(ways)
        for cell in np.flatnonzero(P[person]):
            to = tuple(slice(1, None) if axis == cell else slice(None) for axis in range(K))
            of = tuple(slice(None, -1) if axis == cell else slice(None) for axis in range(K))
            further[to] += P[person, cell] * ways[of]
        ways = further
    return float(ways[tuple(after)])


def pram_distribution(F: ArrayLike, channel: ArrayLike) -> tuple[Whole, Floats]:
    r"""Return every table that post-randomisation of the people of F can give, with its probability Pr(G | F).

    Parameters
    ----------
    F : array_like
        Counts of K cells before protection, whole numbers.
    channel : array_like, shape (K, K)
        Transition probabilities of PRAM.

    Returns
    -------
    tables : ndarray of int64, shape (n, K)
        The tables in lexicographic order.
    probabilities : ndarray of float, shape (n,)
        Their probabilities, with the sum 1.

    Raises
    ------
    ValueError
        If there can be more than 100,000 tables.

    References
    ----------
    Thesis, (6.3.2).

    Examples
    --------
    >>> tables, probabilities = pram_distribution([1, 1], [[0.9, 0.1], [0.2, 0.8]])
    >>> tables.tolist(), probabilities.round(4).tolist()
    ([[0, 2], [1, 1], [2, 0]], [0.08, 0.74, 0.18])
    """
    before = as_counts(F).ravel().astype(int)
    joint(before, channel)
    P = np.asarray(channel, dtype=np.float64)
    people, K = int(before.sum()), len(before)
    if math.comb(people + K - 1, K - 1) > _TABLES:
        raise ValueError(
            f"{people:,} people in {K} cells have more than {_TABLES:,} tables; use the Poisson approximation."
        )
    ways = {(0,) * K: 1.0}
    for cell in np.repeat(np.arange(K), before):
        further: dict[tuple[int, ...], float] = {}
        for table, probability in ways.items():
            for to in np.flatnonzero(P[cell]):
                moved = (*table[:to], table[to] + 1, *table[to + 1 :])
                further[moved] = further.get(moved, 0.0) + probability * float(P[cell, to])
        ways = further
    tables = sorted(ways)
    return np.array(tables, dtype=np.int64).reshape(-1, K), np.array([ways[table] for table in tables])


def pram_poisson(F: ArrayLike, G: ArrayLike, channel: ArrayLike) -> Floats:
    r"""Return the Poisson approximation of the probability that PRAM of F gives G.

    .. math:: \prod_j Po\Bigl(G_j; \sum_i p_{ij} F_i\Bigr)

    The approximation treats the counts of G as independent, so that their total is random. Divide by the
    Poisson probability of the total N to compare the result with `pram_probability`.

    Parameters
    ----------
    F : array_like, shape (*table)
        Counts before.
    G : array_like, shape (*batch, *table)
        Counts after.
    channel : array_like, shape (K, K)
        Transition probabilities of PRAM.

    Returns
    -------
    ndarray
        Probabilities, with the batch's shape.

    References
    ----------
    Thesis, section 6.3, Topic 2, after (6.3.3).

    Examples
    --------
    >>> round(float(pram_poisson([1, 1], [1, 1], [[0.9, 0.1], [0.2, 0.8]])), 4)
    0.134
    """
    from scipy.special import gammaln, xlogy

    before, after = as_counts(F), as_counts(G, "G")
    cells = after.reshape(*after.shape[: after.ndim - before.ndim], before.size)
    means = joint(before, channel).sum(axis=0) * before.sum()
    log = np.sum(xlogy(cells, means) - means - gammaln(cells + 1.0), axis=-1)
    return plain(np.asarray(np.exp(log)))
