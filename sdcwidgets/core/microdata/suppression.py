"""Local suppression in which a missing value matches every value (Totter), or counts alpha (sdcMicro).

The resulting file is k-anonymous in this sense. However, an intruder who knows the shares of the categories
identifies nearly as many people as before; `class_sizes` weights suppressed values by these shares. References:
Totter 2014, sections 1.2.2 and 2.2; Templ, Kowarik and Meindl 2014 (sdcMicro).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Whole
from .keys import MISSING, Codes, as_codes, cells, distinct, matches, partial_frequencies


def suppress(
    codes: ArrayLike, k: int, importance: Sequence[int] | None = None, *, alpha: float = 1.0
) -> Codes:
    """Suppress few values so that each record can have the same key as k records of the file.

    A suppressed value matches every value, so a suppressed record also protects others. The records with the
    lowest frequency are treated first. Suppression selects a smallest sufficient set of variables, and among
    the smallest ones the set that serves most records in need. If several records have the same remaining
    values, only as many are suppressed as the others need.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Codes of the key variables.
    k : int
        Required frequency, from 1 to n.
    importance : sequence of int, optional
        Key variables in descending importance; values of important variables are kept if others suffice.
    alpha : float
        Weight of another record with missing values, in (0, 1]; see `partial_frequencies`.

    Returns
    -------
    ndarray, shape (n, q)
        Codes with -1 for suppressed values; their `partial_frequencies` are at least k.

    Raises
    ------
    ValueError
        If k is not from 1 to n, `importance` is not a permutation of the variables, or alpha is too small to
        reach k.

    Notes
    -----
    Minimal suppression is NP-hard, and this algorithm is greedy. On random files of five records and three
    variables it suppressed about a quarter more values than the minimum.

    References
    ----------
    Totter 2014, Table 5.

    Examples
    --------
    >>> suppress([[0, 0], [0, 1], [1, 1], [1, 1]], 2).tolist()
    [[0, -1], [0, 1], [1, 1], [1, 1]]
    """
    array = as_codes(codes).copy()
    records, variables = array.shape
    if not 1 <= k <= records:
        raise ValueError(
            f"The class size k is {k:,}; it must be from 1 to {records:,}, the number of records."
        )
    order = range(variables) if importance is None else importance
    if sorted(order) != list(range(variables)):
        raise ValueError(f"The order of importance must contain each of the {variables} key variables once.")
    # `max` takes the first set of several that serve equally many: the one of the least important variables.
    by_size = [list(combinations(list(order)[::-1], size)) for size in range(1, variables + 1)]
    wanted = 1 + int(np.ceil((k - 1) / alpha - 1e-9)) if 0 < alpha <= 1 else records + 1
    if wanted > records:
        least = (k - 1) / max(records - 1, 1)
        raise ValueError(
            f"The parameter alpha is {alpha}; for {records:,} records and k = {k:,} it must be from "
            f"{least:.3g} to 1."
        )
    count = partial_frequencies(array, alpha)
    while count.min() < k:
        needy = np.flatnonzero((count == count.min()) & (array != MISSING).any(axis=1))
        if not len(needy):
            needy = np.flatnonzero((count < k) & (array != MISSING).any(axis=1))
        if not len(needy):
            return array
        chosen, blanks = _choice(array, count < k, needy, wanted, by_size)
        _blank(array, chosen, blanks, wanted - int(count.min()))
        count = partial_frequencies(array, alpha)
    return array


def _choice(
    array: Codes, rare: np.ndarray, needy: Whole, k: int, by_size: list[list[tuple[int, ...]]]
) -> tuple[Whole, list[tuple[tuple[int, ...], np.ndarray]]]:
    """Return the records in need, and the sets to suppress with a mask of the records for each."""
    first, _, amount = distinct(array)
    keys = array[first]
    rare_first, _, rare_amount = distinct(array[rare])
    rare_keys = array[rare][rare_first]
    own_first, own, _ = distinct(array[needy])
    queried = array[needy][own_first]
    for sets in by_size:
        best = np.zeros(len(queried))
        which = np.full(len(queried), -1)
        for index, blanked in enumerate(sets):
            # Values that are already suppressed cannot be suppressed again.
            able = np.flatnonzero((queried[:, blanked] != MISSING).all(axis=1))
            if not len(able):
                continue
            queries = queried[able]
            queries[:, blanked] = MISSING
            able = able[matches(queries, keys, amount) >= k]
            if not len(able):
                continue
            queries = queried[able]
            queries[:, blanked] = MISSING
            served = matches(queries, rare_keys, rare_amount)
            better = served > best[able]
            best[able[better]] = served[better]
            which[able[better]] = index
        if (which >= 0).any():
            return needy, [(sets[index], which[own] == index) for index in np.unique(which[which >= 0])]
    raise AssertionError("A record without any value matches every record.")


def _blank(array: Codes, records: Whole, blanks: list[tuple[tuple[int, ...], np.ndarray]], need: int) -> None:
    """Suppress in place as many records of each group as the other records of the group need."""
    for blanked, member in blanks:
        rows = records[member]
        queries = array[rows]
        queries[:, blanked] = MISSING
        group, _ = cells(queries)
        key, _ = cells(array[rows])
        # Records with the same key do not help each other, so records with different keys come first.
        turn = _rank(np.column_stack([group, key]))
        order = np.lexsort((turn, group))
        nth = _rank(group[order, np.newaxis])
        taken = rows[order[nth < need]]
        array[np.ix_(taken, blanked)] = MISSING


def _rank(keys: np.ndarray) -> Whole:
    """Return the number of equal earlier rows of each row."""
    order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    start = np.flatnonzero(new)
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys)) - start[np.cumsum(new) - 1]
    return rank
