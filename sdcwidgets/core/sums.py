"""Bounds of unknowns whose sums are known, and the shortest sum and difference of these that proves a bound."""

from __future__ import annotations

import numpy as np

from ._arrays import Floats, Sparse
from ._linear import extremes

__all__ = ["extremes", "proof"]


def proof(
    matrix: Sparse, low: Floats, high: Floats, target: int, bound: float, *, upper: bool
) -> Floats | None:
    r"""Return how often each published number is added or subtracted to bound one unknown.

    For an upper bound the sum :math:`\sum_i \lambda_i b_i` is at least the unknown for every table of numbers of
    at least 0, and at most `bound`; where :math:`\lambda_i > 0` the highest that the number stands for counts,
    else the lowest. Of all such sums it is one with the least :math:`\sum_i |\lambda_i|`. It is the dual of the
    linear program that gave the bound.

    Parameters
    ----------
    matrix : sparse array, shape (numbers, unknowns)
        Which unknowns each published number is the sum of.
    low, high : ndarray
        The least and the greatest that each number may stand for.
    target : int
        The unknown.
    bound : float
        What is to be proved.
    upper : bool
        Whether it is an upper bound.

    Returns
    -------
    ndarray or None
        :math:`\lambda`; None if the published numbers don't prove the bound.

    Examples
    --------
    Of 55 people in two places 54 are in the second:

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
    # The room for error above leaves 0.99999 for 1.
    return np.round(weights[:numbers] - weights[numbers:], 3) + 0.0
