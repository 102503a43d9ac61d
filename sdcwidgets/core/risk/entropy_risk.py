"""Disclosure risk of a population-based frequency table before protection.

The risk has three terms from 0 to 1: the share of zeros, the distance of the entropy from its maximum, and the
smallness of the population. References: PSD 2014, section 2.1; thesis, section 3.5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import (
    BLOCK,
    Axis,
    Floats,
    Numbers,
    as_counts,
    cells_back,
    cells_last,
    check_undefined,
    logs,
    plain,
)
from .third_term import THIRD_TERMS, check_third, h2, h3

#: Weights of the three terms in PSD 2014; attribute disclosure, measured by the entropy, has the largest weight.
DEFAULT_WEIGHTS = (0.1, 0.8, 0.1)


def terms(
    F: ArrayLike,
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the three terms of the disclosure risk before protection.

    .. math:: x = \Bigl(\frac{|D|}{K},\; 1 - \frac{H(X)}{\log K},\; h(N, \varepsilon)\Bigr)

    with D the zero cells, K the number of cells, and h the third term.

    Parameters
    ----------
    F : array_like
        Counts.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty. A very large table with few
        people can then be assessed from its populated cells.

    Returns
    -------
    ndarray, shape (..., 3)
        The terms, each from 0 to 1; all three are nan if they are undefined.

    Raises
    ------
    ValueError
        If N = 0 or K = 1 and `undefined` is "raise".

    References
    ----------
    PSD 2014, (3); thesis, (3.5.2).

    Examples
    --------
    >>> terms([0, 2, 4]).round(4).tolist()
    [0.3333, 0.4206, 0.774]
    """
    check_third(third, epsilon)
    check_undefined(undefined)
    listed = cells_last(as_counts(F), axis)
    K = count_cells(listed.shape[-1], cells)
    tables = listed.reshape(-1, listed.shape[-1])
    result = np.full((len(tables), 3), np.nan)
    step = max(1, BLOCK // listed.shape[-1])
    for start in range(0, len(tables) if K > 1 else 0, step):
        block = slice(start, start + step)
        result[block] = _terms(tables[block], K, third, epsilon)
    if undefined == "raise":
        refuse_undefined(result, K)
    return result.reshape(*listed.shape[:-1], 3)


def r1(
    F: ArrayLike,
    weights: ArrayLike = DEFAULT_WEIGHTS,
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the disclosure risk before protection, :math:`R_1 = w \cdot x`.

    Parameters
    ----------
    F : array_like
        Counts.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty. A very large table with few people
        can then be assessed from its populated cells.
    weights : array_like of 3
        Weights, 0 or more, with the sum 1.

    Returns
    -------
    ndarray
        R1, from 0 to 1, with the batch's shape.

    Raises
    ------
    ValueError
        If the weights are invalid, or as for `terms`.

    References
    ----------
    PSD 2014, (3); thesis, (3.5.2).

    Examples
    --------
    >>> round(float(r1([181, 0, 0, 1, 17, 1, 1, 83, 18])), 4)
    0.4626
    """
    x = terms(F, third=third, epsilon=epsilon, axis=axis, undefined=undefined, cells=cells)
    return plain(x @ check_weights(weights))


def r1_star(
    F: ArrayLike,
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the weight-free disclosure risk before protection, :math:`R_1^* = \|x\|_2 / \sqrt 3`.

    This is the maximum of the weighted risk over weights of length 1, :math:`w = x/\|x\|`, scaled to [0, 1].
    Parameters as for `terms`.

    References
    ----------
    Thesis, (3.5.4).

    Examples
    --------
    >>> round(float(r1_star([0, 2, 4])), 4)
    0.5438
    """
    x = terms(F, third=third, epsilon=epsilon, axis=axis, undefined=undefined, cells=cells)
    return plain(np.sqrt(np.einsum("...t,...t->...", x, x) / 3))


def change_by_one(
    F: ArrayLike,
    weights: ArrayLike = DEFAULT_WEIGHTS,
    step: int = 1,
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
) -> Floats:
    r"""Return R1 after one person is added to or removed from each cell in turn.

    A change of one cell affects N, the number of zeros and one term of :math:`\sum F_i \log F_i`. All K risks
    are therefore as fast to compute as one.

    Parameters
    ----------
    F : array_like
        Counts.
    weights : array_like of 3
        Weights, 0 or more, with the sum 1.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.
    step : {1, -1}
        1 adds a person, -1 removes one.

    Returns
    -------
    ndarray
        Risk after the change, with the shape of F; nan if no whole person can be removed.

    Raises
    ------
    ValueError
        If `step` is not 1 or -1, or as for `r1`.

    References
    ----------
    PSD 2014, (3).

    Examples
    --------
    >>> change_by_one([0, 2, 4], step=1).round(4).tolist()
    [0.1786, 0.4106, 0.4722]
    """
    if step not in (1, -1):
        raise ValueError(f"The step must be 1 or -1, not {step!r}.")
    counts = as_counts(F)
    cells = cells_last(counts, axis).astype(np.float64)
    before = terms(cells, third=third, epsilon=epsilon, axis=-1, undefined=undefined)
    K = cells.shape[-1]
    changed = cells + step
    N = cells.sum(axis=-1, keepdims=True) + step
    defined = (changed >= 0) & (N > 0) & ~np.isnan(before[..., :1])
    changed, N = np.where(defined, changed, 1.0), np.where(defined, N, 1.0)
    zeros = np.sum(cells == 0, axis=-1, keepdims=True) - (cells == 0) + (changed == 0)
    entropy = np.log(N) - _all_but_one(cells * logs(cells), changed * logs(changed)) / N
    if third == "h3":
        own, own_changed = _populated_h2(cells, epsilon), _populated_h2(changed, epsilon)
        size = _all_but_one(own, own_changed) / np.maximum(K - zeros, 1)
    else:
        size = THIRD_TERMS[third](N[..., None], epsilon, -1)
    unevenness = np.clip(1 - entropy / np.log(max(K, 2)), 0.0, 1.0)
    risk = np.stack([zeros / K, unevenness, size], axis=-1) @ check_weights(weights)
    return cells_back(np.where(defined, risk, np.nan), counts.shape, axis)


def _all_but_one(values: Floats, changed: Floats) -> Floats:
    """Return, for each value, the sum of all values with this value changed."""
    total: Floats = values.sum(axis=-1, keepdims=True) - values + changed
    return total


def _populated_h2(cells: Floats, epsilon: float) -> Floats:
    populated = cells > 0
    return h2(np.where(populated, cells, 1.0), epsilon) * populated


def check_weights(weights: ArrayLike) -> Floats:
    """Return three weights as an array; raise ValueError unless they are 0 or more with the sum 1."""
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (3,):
        raise ValueError(f"There must be three weights, one per term, not {array.size}.")
    if not (array.min() >= 0 and abs(array.sum() - 1) <= 1e-9):
        raise ValueError(f"The weights must be 0 or more with the sum 1, not {array.tolist()}.")
    return array


def count_cells(listed: int, cells: int | None) -> int:
    """Return K: the number of listed cells, or the given total number if it is not None."""
    if cells is None:
        return listed
    if cells < listed:
        raise ValueError(
            f"The stated number of cells is {cells}, but the table has {listed} counts; the number of "
            "cells must be at least as large."
        )
    return cells


def refuse_undefined(values: Floats, K: int) -> None:
    """Raise ValueError with the reason if the risk is undefined."""
    if K == 1:
        raise ValueError(
            "The risk of a table with one cell is undefined: the largest possible entropy, log K, is 0."
        )
    if np.isnan(values).any():
        raise ValueError("The risk of a table without people is undefined (N = 0).")


def _terms(tables: Numbers, K: int, third: str, epsilon: float) -> Floats:
    """Return the three terms of each row for K > 1 cells; nan for a row without people."""
    counts = tables.astype(np.float64)
    ones = np.ones(counts.shape[1])
    zero = np.equal(counts, 0).astype(np.float64)
    zeros, N = zero @ ones + (K - len(ones)), counts @ ones
    # Counts of 0 are replaced by 1, because log 1 = 0.
    log = np.add(counts, zero, out=zero)
    np.log(log, out=log)
    sums = np.einsum("ij,ij->i", counts, log)
    people = N > 0
    N = np.where(people, N, 1.0)
    entropy = np.where(zeros == K - 1, 0.0, np.log(N) - sums / N)
    unevenness = np.clip(1 - entropy / np.log(K), 0.0, 1.0)
    if third == "h3":
        size = h3(np.where(people[:, None], counts, 1.0), epsilon, -1)
    else:
        size = THIRD_TERMS[third](N[:, None], epsilon, -1)
    return np.where(people[:, None], np.stack([zeros / K, unevenness, size], axis=-1), np.nan)
