"""How many records share a key: frequencies, with missing values that match everything, and cell size indices.

References: Totter 2014, sections 2.1 and 2.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole

Codes = NDArray[np.signedinteger]

#: The code of a missing value.
MISSING = -1

# A crossing of at most this many cells is counted directly; above it the keys that occur are sorted.
_DENSE = 1 << 22

# Keys are numbered up to here; before a crossing grows larger, the numbers in use are closed up.
_LARGEST = 1 << 62


def as_codes(codes: ArrayLike) -> Codes:
    """Return the codes as an array of records and key variables, checked.

    Raises
    ------
    ValueError
        If there is no record or no key variable, or a code is no whole number from -1 on.
    """
    array = np.asarray(codes)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.size == 0:
        raise ValueError("The codes must be an array of one or more records and one or more key variables.")
    if array.dtype.kind not in "bui":
        raise ValueError(f"The codes must be whole numbers, not {array.dtype}.")
    array = array.astype(np.int64) if array.dtype.kind in "bu" else array
    if array.min() < MISSING:
        raise ValueError(f"The codes must be 0 or more, or {MISSING} for a missing value.")
    return array


def as_weights(weights: ArrayLike, records: int) -> Floats:
    """Return the sampling weights, checked.

    Raises
    ------
    ValueError
        If there is not one for each record, or one is below 1 or not finite.
    """
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (records,):
        raise ValueError(f"There are {records} records and {array.size} weights; each record has one.")
    if not (np.isfinite(array).all() and (array >= 1).all()):
        raise ValueError(
            "A weight says how many people a record stands for; each must be finite and at least 1."
        )
    return array


def cells(codes: ArrayLike) -> tuple[Whole, int]:
    """Return for each record a number that is the same for equal keys, and a bound above all of them.

    A missing value counts as a category of its own here.

    Examples
    --------
    >>> cells([[0, 1], [2, 1], [0, 1]])
    (array([ 5, 11,  5]), 12)
    """
    array = as_codes(codes)
    return _cells(array, range(array.shape[1]))


def _cells(array: Codes, columns: Sequence[int]) -> tuple[Whole, int]:
    number = np.zeros(len(array), dtype=np.int64)
    bound = 1
    for column in columns:
        values = array[:, column]
        size = int(values.max()) + 2
        if bound > _LARGEST // size:
            used, number = np.unique(number, return_inverse=True)
            bound = len(used)
        number *= size
        number += values
        number += 1
        bound *= size
    return number, bound


def closed_up(number: Whole, bound: int) -> tuple[Whole, int]:
    """Close up cell numbers that are too far apart to count directly."""
    if bound <= max(_DENSE, 4 * len(number)):
        return number, bound
    used, inverse = np.unique(number, return_inverse=True)
    return inverse, len(used)


def complete(codes: ArrayLike) -> tuple[int, int]:
    """Return how many records miss no value, and how many of these no other of these is like.

    >>> complete([[0, 1], [0, -1], [0, 1], [2, 1]])
    (3, 1)
    """
    records = np.asarray(codes)
    whole = records[(records != MISSING).all(axis=1)]
    return len(whole), int((distinct(whole)[2] == 1).sum()) if len(whole) else 0


def distinct(codes: ArrayLike) -> tuple[Whole, Whole, Whole]:
    """Return the keys that occur.

    Returns
    -------
    first : ndarray, shape (m,)
        The first record with each key.
    member : ndarray, shape (n,)
        The key of each record, as its place in `first`.
    count : ndarray, shape (m,)
        How many records have exactly this key; a missing value is a category of its own.

    Examples
    --------
    >>> [part.tolist() for part in distinct([[0, 1], [2, 1], [0, 1]])]
    [[0, 1], [0, 1, 0], [2, 1]]
    """
    number, bound = closed_up(*cells(codes))
    count = np.bincount(number, minlength=bound)
    used = np.flatnonzero(count)
    index = np.zeros(bound, dtype=np.int64)
    index[used] = np.arange(len(used))
    member = index[number]
    first = np.zeros(len(used), dtype=np.int64)
    first[member[::-1]] = np.arange(len(number) - 1, -1, -1)
    return first, member, count[used]


def frequencies(codes: ArrayLike) -> Whole:
    r"""Return for each record how many records of the file may have the same key.

    .. math:: f_i = \#\{j : \text{for each key variable } z_{iv} = z_{jv}, \text{ or one of the two is missing}\}

    A missing value can stand for any value, so it matches all; the record itself is counted.

    Parameters
    ----------
    codes : array_like, shape (n, q)

    Returns
    -------
    ndarray of int, shape (n,)
        From 1 to n. A file is k-anonymous if none is below k.

    References
    ----------
    Totter 2014, Definition 2.3 and Table 5.

    Examples
    --------
    Gender, citizenship and occupation of the two records that Totter's Table 5 calls 4 and 6, and of a third:

    >>> frequencies([[0, -1, -1], [0, 0, -1], [1, 0, 2]]).tolist()
    [2, 2, 1]
    """
    return _summed(as_codes(codes), None).astype(np.int64)


def partial_frequencies(codes: ArrayLike, alpha: float) -> Floats:
    r"""Return `frequencies` in which another record that misses a value counts :math:`\alpha`, as sdcMicro has it.

    .. math:: f_i = e_i + c_i + \alpha\, m_i

    Of the records that may have the same key, e show exactly the same, c others miss nothing, and m others miss a
    value. With 1 it is `frequencies`. `hiding` counts what a blank is worth instead.

    Parameters
    ----------
    codes : array_like, shape (n, q)
    alpha : float
        From 0 to 1.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    ValueError
        If alpha is not from 0 to 1.

    Notes
    -----
    A record that misses all values counts for complete ones here, as for a single key in sdcMicro; with more keys it
    does not there.

    References
    ----------
    The R package sdcMicro, `freqCalc` and the figures in its tests.

    Examples
    --------
    sdcMicro's own: single, married, married, single, and one whose status was blanked; a blank counts 0.4.

    >>> partial_frequencies([[0], [1], [1], [0], [-1]], 0.4).tolist()
    [2.4, 2.4, 2.4, 2.4, 5.0]
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha}; it must be from 0 to 1.")
    array = as_codes(codes)
    first, member, count = distinct(array)
    keys = array[first]
    gap = (keys == MISSING).any(axis=1)
    own = np.where(gap, count, 0)
    whole, part = (
        matches(keys, keys[some], count[some]) if some.any() else np.zeros(len(keys)) for some in (~gap, gap)
    )
    return (whole + own + alpha * (part - own))[member]


def weighted_frequencies(codes: ArrayLike, weights: ArrayLike) -> Floats:
    r"""Return for each record the sum of the sampling weights of the records that may have the same key.

    .. math:: \hat F_i = \sum_{j \text{ matches } i} w_j,

    the simplest estimate of how many people of the population have the key.

    Parameters
    ----------
    codes : array_like, shape (n, q)
    weights : array_like, shape (n,)
        Each at least 1.

    Returns
    -------
    ndarray, shape (n,)

    References
    ----------
    Totter 2014, section 2.3 and Table 6.

    Examples
    --------
    Two employees of Totter's Table 6, with weights 120 and 90, and one worker with 110:

    >>> weighted_frequencies([[0, 0], [0, 0], [0, 3]], [120, 90, 110]).tolist()
    [210.0, 210.0, 110.0]
    """
    array = as_codes(codes)
    return _summed(array, as_weights(weights, len(array)))


def _summed(array: Codes, weights: Floats | None) -> Floats:
    if array.min() != MISSING:
        number, bound = closed_up(*_cells(array, range(array.shape[1])))
        return np.bincount(number, weights, minlength=bound)[number].astype(np.float64)
    first, member, count = distinct(array)
    amounts = count if weights is None else np.bincount(member, weights)
    return matches(array[first], array[first], amounts)[member]


def matches(queries: ArrayLike, codes: ArrayLike, amounts: ArrayLike) -> Floats:
    """Return for each key that is asked for the sum of the amounts of the keys that may be the same.

    Parameters
    ----------
    queries : array_like, shape (m, q)
    codes : array_like, shape (n, q)
    amounts : array_like, shape (n,)

    Returns
    -------
    ndarray, shape (m,)

    Notes
    -----
    Records are taken together by which of their values are missing: two such patterns are compared on the
    variables that both have, by a count of the keys there, so no record is compared with another one.

    Examples
    --------
    >>> matches([[0, -1], [1, 0]], [[0, 0], [0, 1], [-1, 0]], [1, 1, 5]).tolist()
    [7.0, 5.0]
    """
    queried, known = as_codes(queries), as_codes(codes)
    both = np.concatenate([queried, known])
    amount = np.concatenate([np.zeros(len(queried)), np.asarray(amounts, dtype=np.float64)])
    bits = 1 << np.arange(both.shape[1], dtype=np.int64)
    pattern = (both == MISSING) @ bits
    total = np.zeros(len(queried))
    everything = int(bits.sum())
    by_common: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for mine in np.unique(pattern[: len(queried)]).tolist():
        for other in np.unique(pattern[len(queried) :]).tolist():
            by_common[everything & ~(mine | other)].append((mine, other))
    where_asked = {
        mine: np.flatnonzero(pattern[: len(queried)] == mine) for mine in np.unique(pattern).tolist()
    }
    where_known = {
        other: len(queried) + np.flatnonzero(pattern[len(queried) :] == other) for other in where_asked
    }
    for common, pairs in by_common.items():
        columns = [column for column in range(both.shape[1]) if common >> column & 1]
        number, bound = closed_up(*_cells(both, columns))
        others: dict[int, list[int]] = defaultdict(list)
        for mine, other in pairs:
            others[mine].append(other)
        for mine, known_patterns in others.items():
            rows = np.concatenate([where_known[other] for other in known_patterns])
            sums = np.bincount(number[rows], amount[rows], minlength=bound)
            total[where_asked[mine]] += sums[number[where_asked[mine]]]
    return total


def cell_size_indices(counts: ArrayLike) -> Whole:
    r"""Return how many cells have 0 records, 1 record, 2 records ...: the cell size indices.

    .. math:: T_j = \sum_{i=1}^C 1(F_i = j), \qquad \sum_j T_j = C, \qquad \sum_j j\,T_j = N

    Parameters
    ----------
    counts : array_like of int
        The number of records in each cell, of a population (T) or of a sample (t).

    Returns
    -------
    ndarray of int, shape (largest count + 1,)

    References
    ----------
    Totter 2014, (1) and (2).

    Examples
    --------
    The counts of Totter's example 2.3, gender by occupation:

    >>> cell_size_indices([2, 3, 0, 3, 1, 2, 3, 0]).tolist()
    [2, 1, 2, 3]
    """
    from ..estimate.uniqueness import cell_sizes

    return cell_sizes(counts)
