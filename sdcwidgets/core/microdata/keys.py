"""Frequencies of keys, in which missing values match every value, and cell size indices.

References: Totter 2014, sections 2.1 and 2.2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Whole

Codes = NDArray[np.signedinteger]

#: Code of a missing value.
MISSING = -1

# Maximum number of cells to count directly; in larger crossings the keys that occur are sorted.
_DENSE = 1 << 22

# Maximum cell number. Before a number would exceed it, the numbers are compacted to the occurring ones.
_LARGEST = 1 << 62


def as_codes(codes: ArrayLike) -> Codes:
    """Return the codes as an array of records and key variables, after validation.

    Raises
    ------
    ValueError
        If there are no records or key variables, or a code is not a whole number of at least -1.
    """
    array = np.asarray(codes)
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            "The codes must be an array with at least one row (record) and one column (key variable)."
        )
    if array.dtype.kind not in "bui":
        raise ValueError(f"The codes must be whole numbers, not {array.dtype}.")
    array = array.astype(np.int64) if array.dtype.kind in "bu" else array
    if array.min() < MISSING:
        raise ValueError(f"The codes must be 0 or more, or {MISSING} for a missing value.")
    return array


def as_weights(weights: ArrayLike, records: int) -> Floats:
    """Return the sampling weights as an array, after validation.

    Raises
    ------
    ValueError
        If there is not exactly one weight per record, or a weight is below 1 or not finite.
    """
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (records,):
        raise ValueError(f"There are {records} records but {array.size} weights; the numbers must be equal.")
    if not (np.isfinite(array).all() and (array >= 1).all()):
        raise ValueError(
            "A sampling weight is the number of people that a record represents; it must be finite and at least 1."
        )
    return array


def cells(codes: ArrayLike) -> tuple[Whole, int]:
    """Return a number for each record, equal for equal keys, and an upper limit of the numbers.

    A missing value counts as a separate category.

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
    """Compact cell numbers to 0, 1, 2, ... if their range is too large to count directly."""
    if bound <= max(_DENSE, 4 * len(number)):
        return number, bound
    used, inverse = np.unique(number, return_inverse=True)
    return inverse, len(used)


def complete(codes: ArrayLike) -> tuple[int, int]:
    """Return the number of records without missing values, and the number of uniques among them.

    Examples
    --------
    >>> complete([[0, 1], [0, -1], [0, 1], [2, 1]])
    (3, 1)
    """
    records = np.asarray(codes)
    whole = records[(records != MISSING).all(axis=1)]
    return len(whole), int((distinct(whole)[2] == 1).sum()) if len(whole) else 0


def distinct(codes: ArrayLike) -> tuple[Whole, Whole, Whole]:
    """Return the distinct keys of a file.

    Returns
    -------
    first : ndarray, shape (m,)
        First record with each key.
    member : ndarray, shape (n,)
        Key of each record, as a position in `first`.
    count : ndarray, shape (m,)
        Number of records with each key; a missing value is a separate category.

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
    r"""Return the number of records that can have the same key as each record.

    .. math:: f_i = \#\{j : \text{for each key variable } z_{iv} = z_{jv}, \text{ or one of the two is missing}\}

    A missing value matches every value. The record counts itself.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables.

    Returns
    -------
    ndarray of int, shape (n,)
        From 1 to n. The file is k-anonymous if no frequency is below k.

    References
    ----------
    Totter 2014, Definition 2.3 and Table 5.

    Examples
    --------
    Gender, citizenship and occupation of records 4 and 6 in Totter's Table 5, and of a third record:

    >>> frequencies([[0, -1, -1], [0, 0, -1], [1, 0, 2]]).tolist()
    [2, 2, 1]
    """
    return _summed(as_codes(codes), None).astype(np.int64)


def partial_frequencies(codes: ArrayLike, alpha: float) -> Floats:
    r"""Return `frequencies` in which other records with missing values count :math:`\alpha`, as in sdcMicro.

    .. math:: f_i = e_i + c_i + \alpha\, m_i

    Among the records that can have the same key, e have exactly the same values, c others have no missing
    value, and m others have missing values. With :math:`\alpha = 1` the result equals `frequencies`. `hiding`
    weights suppressed values by their shares instead.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables.
    alpha : float
        Weight of a record with missing values, from 0 to 1.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    ValueError
        If alpha is not in [0, 1].

    Notes
    -----
    A record in which all values are missing counts for complete records. In sdcMicro this holds only for a
    single key variable.

    References
    ----------
    The R package sdcMicro, `freqCalc` and the figures in its tests.

    Examples
    --------
    Example of sdcMicro: single, married, married, single, and a suppressed status that counts 0.4.

    >>> partial_frequencies([[0], [1], [1], [0], [-1]], 0.4).tolist()
    [2.4, 2.4, 2.4, 2.4, 5.0]
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"The parameter alpha is {alpha}; it must be from 0 to 1.")
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
    r"""Return the sum of sampling weights of the records that can have the same key as each record.

    .. math:: \hat F_i = \sum_{j \text{ matches } i} w_j,

    the simplest estimate of the number of people in the population with the key.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables.
    weights : array_like, shape (n,)
        Sampling weights, at least 1.

    Returns
    -------
    ndarray, shape (n,)

    References
    ----------
    Totter 2014, section 2.3 and Table 6.

    Examples
    --------
    Two employees of Totter's Table 6 with weights 120 and 90, and a worker with weight 110:

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
    """Return the sum of the amounts of all matching keys for each queried key.

    Parameters
    ----------
    queries : array_like, shape (m, q)
        Queried keys; a missing value matches every value.
    codes : array_like, shape (n, q)
        Keys to search.
    amounts : array_like, shape (n,)
        Amount of each key to search.

    Returns
    -------
    ndarray, shape (m,)

    Notes
    -----
    Keys are grouped by their pattern of missing values. Each pair of patterns is compared on the variables that
    are present in both, by counts, so that no pair of records is compared.

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
    r"""Return the cell size indices: the number of cells with 0, 1, 2, ... records.

    .. math:: T_j = \sum_{i=1}^C 1(F_i = j), \qquad \sum_j T_j = C, \qquad \sum_j j\,T_j = N

    Parameters
    ----------
    counts : array_like of int
        Number of records in each cell of a population (T) or a sample (t).

    Returns
    -------
    ndarray of int, shape (largest count + 1,)

    References
    ----------
    Totter 2014, (1) and (2).

    Examples
    --------
    Counts of Totter's example 2.3, gender by occupation:

    >>> cell_size_indices([2, 3, 0, 3, 1, 2, 3, 0]).tolist()
    [2, 1, 2, 3]
    """
    from ..estimate.uniqueness import cell_sizes

    return cell_sizes(counts)


#: Largest number of records of each interval of a histogram above 10 records.
_SIZE_LIMITS = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def cell_size_histogram(counts: ArrayLike) -> list[tuple[str, int]]:
    """Return the number of populated cells by their number of records.

    The numbers of records from 1 to 10 have one entry each. Larger numbers of records are combined to intervals.

    Parameters
    ----------
    counts : array_like of int
        Number of records in each cell; cells without records are ignored.

    Returns
    -------
    list of (str, int)
        Number of records, as a label, and number of cells; up to the interval of the largest cell.

    References
    ----------
    Totter 2014, Figures 2, 7, 8, 13, 14, 19 and 20.

    Examples
    --------
    >>> histogram = cell_size_histogram([1, 1, 3, 0, 14])
    >>> histogram[:3], histogram[-1]
    ([('1', 2), ('2', 0), ('3', 1)], ('11–20', 1))
    """
    populated = np.asarray(counts)
    populated = populated[populated > 0]
    largest = int(populated.max(initial=1))
    histogram = [(str(size), int((populated == size).sum())) for size in range(1, min(largest, 10) + 1)]
    low = 10
    for high in _SIZE_LIMITS:
        if largest > low:
            histogram.append((f"{low + 1:,}–{high:,}", int(((populated > low) & (populated <= high)).sum())))
        low = high
    if largest > low:
        histogram.append((f"more than {low:,}", int((populated > low).sum())))
    return histogram
