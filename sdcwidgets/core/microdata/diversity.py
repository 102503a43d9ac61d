"""l-diversity: how many values of a sensitive variable the records of one key have.

References: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007; the R package sdcMicro.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, logs
from .keys import MISSING, Integers, as_codes, distinct, matches

__all__ = ["distinct_diversity", "entropy_diversity"]


def distinct_diversity(codes: ArrayLike, sensitive: ArrayLike) -> Integers:
    """Return for each record how many different values of the sensitive variable its key has.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        The keys; a missing value matches every value.
    sensitive : array_like of int, shape (n,)
        A missing value is no value.

    Returns
    -------
    ndarray of int, shape (n,)
        The file is l-diverse if none is below l. Where it is 1 an intruder learns the value without knowing
        which record it is.

    References
    ----------
    Machanavajjhala et al. 2007.

    Examples
    --------
    >>> distinct_diversity([[0], [0], [0], [1], [1]], [3, 4, 4, 7, 7]).tolist()
    [2, 2, 2, 1, 1]
    """
    values: Integers = (_shares(codes, sensitive) > 0).sum(axis=1)
    return values


def entropy_diversity(codes: ArrayLike, sensitive: ArrayLike) -> Floats:
    r"""Return for each record the exponential of the entropy of the sensitive variable in its key.

    .. math:: \ell_i = \exp\Bigl(-\sum_s p_{is} \log p_{is}\Bigr)

    Parameters
    ----------
    codes, sensitive
        As for `distinct_diversity`.

    Returns
    -------
    ndarray, shape (n,)
        From 1 to the number of different values; it is that number where all are as frequent.

    References
    ----------
    Machanavajjhala et al. 2007.

    Examples
    --------
    >>> entropy_diversity([[0], [0], [1]], [3, 4, 7]).round(12).tolist()
    [2.0, 2.0, 1.0]
    """
    shares = _shares(codes, sensitive)
    found: Floats = np.exp(-np.sum(shares * logs(shares), axis=1))
    return found


def _shares(codes: ArrayLike, sensitive: ArrayLike) -> Floats:
    """Return the distribution of the sensitive values in each record's key, shape (n, values)."""
    array, value = as_codes(codes), as_codes(sensitive)[:, 0]
    if len(array) != len(value):
        raise ValueError(f"There are {len(array)} records and {len(value)} sensitive values; each has one.")
    first, member, _ = distinct(array)
    keys = array[first]
    columns = [
        matches(keys, array[value == one], np.ones(int((value == one).sum())))
        for one in np.unique(value[value != MISSING]).tolist()
    ]
    if not columns:
        raise ValueError("Every sensitive value is missing.")
    counts = np.stack(columns, axis=1)
    total = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)[member]
    return shares
