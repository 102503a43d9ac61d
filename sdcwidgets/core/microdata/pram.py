r"""Post-randomisation (PRAM) of a variable: random replacement of values with known probabilities.

`core.pram` has the probabilities of the resulting tables. References: Totter 2014, section 1.2.3; Gouweleeuw,
Kooiman, Willenborg and de Wolf 1998.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .._arrays import Floats
from .keys import MISSING, Codes, as_codes


def invariant_transition(shares: ArrayLike, redrawn: float) -> Floats:
    r"""Return an invariant transition matrix, which keeps the expected distribution: :math:`tP = t`.

    .. math:: p_{ij} = (1 - a)\,\delta_{ij} + a\,t_j

    With probability a, a value is drawn again from the distribution of the file; it may be the same value.

    Parameters
    ----------
    shares : array_like, shape (c,)
        Shares t of the values, or their counts; 0 or more, not all 0.
    redrawn : float
        Probability a, from 0 to 1.

    Returns
    -------
    ndarray, shape (c, c)
        Transition probabilities; each row has the sum 1.

    Raises
    ------
    ValueError
        If the probability is not in [0, 1], or the shares are negative or all 0.

    References
    ----------
    Gouweleeuw et al. 1998.

    Examples
    --------
    >>> matrix = invariant_transition([50, 30, 20], 0.2)
    >>> (np.array([50, 30, 20]) @ matrix).round(10).tolist(), matrix.diagonal().round(6).tolist()
    ([50.0, 30.0, 20.0], [0.9, 0.86, 0.84])
    """
    t = np.asarray(shares, dtype=np.float64)
    if t.ndim != 1 or not (np.isfinite(t).all() and (t >= 0).all() and t.sum() > 0):
        raise ValueError("The shares must be 0 or more, and not all 0.")
    if not 0 <= redrawn <= 1:
        raise ValueError(f"The probability of drawing a value again must be from 0 to 1, not {redrawn}.")
    matrix: Floats = (1 - redrawn) * np.eye(len(t)) + redrawn * t / t.sum()
    return matrix


def made_invariant(transition: ArrayLike, shares: ArrayLike) -> Floats:
    r"""Convert a transition matrix to an invariant one, :math:`tR = t`.

    .. math:: R = P Q, \qquad q_{jk} = \frac{t_k p_{kj}}{\sum_l t_l p_{lj}}

    After a first transition to j by P, the second transition by Q returns to an original value k, with the
    probability of k given j.

    Parameters
    ----------
    transition : array_like, shape (c, any)
        Matrix P; each row has the sum 1.
    shares : array_like, shape (c,)
        Shares t of the values, or their counts; 0 or more.

    Returns
    -------
    ndarray, shape (c, c)
        Transition probabilities; each row has the sum 1. If the value after the first transition has
        probability 0 under t, the original value is kept.

    References
    ----------
    Gouweleeuw et al. 1998; Shlomo, Antal, Elliot 2015, section 3.3.

    Examples
    --------
    >>> R = made_invariant([[0.9, 0.1], [0.2, 0.8]], [60, 40])
    >>> (np.array([60, 40]) @ R).round(10).tolist(), R.sum(axis=1).round(10).tolist()
    ([60.0, 40.0], [1.0, 1.0])
    """
    P, t = np.asarray(transition, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    joint = t[:, np.newaxis] * P
    reached = joint.sum(axis=0)
    backward = np.divide(joint, reached, out=np.zeros_like(joint), where=reached > 0)
    R: Floats = P @ backward.T
    R[np.diag_indices(len(R))] += P @ (reached <= 0)
    return R


def post_randomise(codes: ArrayLike, transition: ArrayLike, rng: Generator) -> Codes:
    """Apply post-randomisation (PRAM) to the values of one variable.

    Parameters
    ----------
    codes : array_like of int, shape (n,)
        Codes of the variable; missing values stay missing.
    transition : array_like, shape (c, c)
        Probabilities of the new value j of a value i, in row i.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        If the matrix is not square, has a negative entry or a row without sum 1, or a code has no row.

    Examples
    --------
    >>> post_randomise([0, 1, -1], [[0, 1], [1, 0]], np.random.default_rng(1)).tolist()
    [1, 0, -1]
    """
    before = as_codes(codes)[:, 0]
    P = np.asarray(transition, dtype=np.float64)
    if P.ndim != 2 or P.shape[0] != P.shape[1] or (P < 0).any() or np.abs(P.sum(axis=1) - 1).max() > 1e-9:
        raise ValueError(
            "The transition matrix must be square, without negative values, and each row must sum to 1."
        )
    if before.max() >= len(P):
        raise ValueError(
            f"The code {before.max()} has no row in the transition matrix, which has {len(P)} rows."
        )
    # The cumulative row i is shifted to the interval from i to i + 1, so that one search serves all rows.
    cumulative = P.cumsum(axis=1)
    cumulative[P[:, ::-1].cumsum(axis=1)[:, ::-1] - P <= 0] = 1
    row = np.maximum(before, 0)
    line = (cumulative + np.arange(len(P))[:, np.newaxis]).ravel()
    draws = np.minimum(row + rng.random(len(row)), np.nextafter(row + 1.0, 0.0))
    column = np.searchsorted(line, draws, side="right") - row * len(P)
    return np.where(before == MISSING, MISSING, column).astype(before.dtype)
