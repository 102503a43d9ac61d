"""Proofs of bounds: the shortest sum and difference of published numbers that bounds an unknown."""

from __future__ import annotations

import numpy as np

from ._arrays import Floats, Sparse
from ._linear import extremes

__all__ = ["extremes", "proof"]


def proof(
    matrix: Sparse, low: Floats, high: Floats, target: int, bound: float, *, upper: bool
) -> Floats | None:
    r"""Return the multipliers of published numbers that prove a bound of one unknown.

    For an upper bound, the sum :math:`\sum_i \lambda_i b_i` is at least the unknown in every table of numbers
    that are 0 or more, and at most `bound`. If :math:`\lambda_i > 0`, :math:`b_i` is the upper bound of the
    published number, otherwise the lower bound. The result has the least
    :math:`\sum_i |\lambda_i|` of all such sums. It is a solution of the dual of the linear program for the bound.

    Parameters
    ----------
    matrix : sparse array, shape (numbers, unknowns)
        The unknowns that each published number sums.
    low : ndarray
        Lower bound of each published number.
    high : ndarray
        Upper bound of each published number.
    target : int
        Position of the unknown.
    bound : float
        The bound to prove.
    upper : bool
        Whether `bound` is an upper bound.

    Returns
    -------
    ndarray or None
        Multipliers :math:`\lambda`, or None if the published numbers do not prove the bound.

    Examples
    --------
    Of 55 people in two places, 54 are in the second:

    >>> from scipy import sparse
    >>> matrix = sparse.csr_array([[1, 1], [0, 1]])
    >>> proof(matrix, np.array([55.0, 54]), np.array([55.0, 54]), 0, 1.0, upper=True).tolist()
    [1.0, -1.0]
    """
    from scipy import sparse
    from scipy.optimize import linprog

    numbers, unknowns = matrix.shape
    unit = np.zeros(unknowns)
    unit[target] = 1
    both = sparse.hstack([matrix.T, -matrix.T], format="csr")
    if upper:
        system, sides = -both, -unit
        price, most = np.concatenate([high, -low]), bound
    else:
        system, sides = both, unit
        price, most = np.concatenate([-low, high]), -bound
    usable = np.isfinite(price)
    solved = linprog(
        np.ones(int(usable.sum())),
        A_ub=sparse.vstack([system[:, np.flatnonzero(usable)], sparse.csr_array(price[usable][None, :])]),
        b_ub=np.append(sides, most + 1e-6 * max(1.0, abs(bound))),
        method="highs",
    )
    if solved.status != 0:
        return None
    weights = np.zeros(2 * numbers)
    weights[usable] = solved.x
    # The numerical tolerance above leads to 0.99999 instead of 1.
    return np.round(weights[:numbers] - weights[numbers:], 3) + 0.0
