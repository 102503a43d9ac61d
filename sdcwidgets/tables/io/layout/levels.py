"""Rows of several levels of areas, such as regions and their districts, in one table.

A column of small numbers states the level of each row, or the labels of lower levels are blank in rows of higher ones.
Numbers show that the rows are nested: a row is at least as large as the rows of the next level below it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.tables.io.layout.cells import is_blank, label_of

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole

#: Maximum number of levels.
_MOST_LEVELS = 6

#: Minimum number of comparisons of a row with the rows below it, and of rows.
_LEAST_COMPARISONS, _LEAST_ROWS = 4, 4

#: Largest difference between a row and the rows below it, per row, if the counts were rounded or perturbed.
_NOISE = 10


def levels_in(texts: Sequence[str], labels: Sequence[str], counts: Whole) -> list[int]:
    """Return the levels of rows if a column states them, and not all rows are exact sums of the rows below them.

    Parameters
    ----------
    texts : sequence of str
        The column, with a text per row.
    labels : sequence of str
        Labels of the rows.
    counts : ndarray of int64
        Counts with a line per row.

    Examples
    --------
    >>> counts = np.array([[90, 80], [30, 20], [12, 9], [11, 8], [50, 45], [20, 20], [21, 19]])
    >>> levels_in(list("1233233"), list("abcdefg"), counts)
    [1, 2, 3, 3, 2, 3, 3]
    >>> levels_in(list("1231231"), list("abcdefg"), counts)
    []
    """
    if not may_be_levels(texts) or len(set(labels)) < len(labels):
        return []
    levels = list(map(int, texts))
    differences = _differences(levels, counts)
    is_pyramid = 2 * levels.count(max(levels)) >= len(levels) and differences.size >= _LEAST_COMPARISONS
    return levels if is_pyramid and (differences >= 0).all() and differences.any() else []


def may_be_levels(texts: Sequence[str]) -> bool:
    """Return whether texts are a few different digits, of which the first one is the smallest.

    Examples
    --------
    >>> may_be_levels(["1", "2", "3", "3"]), may_be_levels(["2", "1", "3", "3"]), may_be_levels(["1", "20", "3", "3"])
    (True, False, False)
    """
    different = set(texts)
    is_few = 1 < len(different) <= _MOST_LEVELS and all(
        len(text) == 1 and text in "0123456789" for text in different
    )
    return is_few and len(texts) >= _LEAST_ROWS and texts[0] == min(different)


def _differences(levels: Sequence[int], counts: Whole) -> Whole:
    """Return each count minus the sum of the rows of the next level below its row, for all rows with such rows."""
    differences = []
    for i, level in enumerate(levels):
        end = next((k for k in range(i + 1, len(levels)) if levels[k] <= level), len(levels))
        nearest = min(levels[i + 1 : end], default=level)
        parts = [k for k in range(i + 1, end) if levels[k] == nearest]
        if parts:
            differences.append(counts[i] - counts[parts].sum(axis=0))
    return np.concatenate(differences) if differences else np.zeros(0, dtype=np.int64)


def upper_rows(cells: Mapping[int, Sequence[object]], columns: Sequence[int], counts: Whole) -> list[int]:
    """Return the rows of higher levels, in which the labels of the lower levels are blank.

    Parameters
    ----------
    cells : mapping of int to sequence
        Rows by their numbers.
    columns : sequence of int
        Columns of labels, the highest level first.
    counts : ndarray of int64
        Counts with a line per row.

    Returns
    -------
    list of int
        Empty if a row is not within rounding of the sum of its rows of the lowest level.

    Examples
    --------
    >>> rows = [["R1", "", 30], ["R1", "A", 12], ["R1", "B", 18], ["R2", "", 9], ["R2", "C", 4], ["R2", "D", 5]]
    >>> upper_rows(dict(enumerate(rows)), [0, 1], np.array([[row[2]] for row in rows]))
    [0, 3]
    """
    depths = {i: _depth(row, columns) for i, row in cells.items()}
    if None in depths.values() or len(set(depths.values())) < 2:
        return []
    deepest = max(depth for depth in depths.values() if depth is not None)
    numbers = list(cells)
    lowest = [k for k, i in enumerate(numbers) if depths[i] == deepest]
    upper = [k for k, i in enumerate(numbers) if depths[i] != deepest]
    for k in upper:
        key = _texts(cells[numbers[k]], columns)[: depths[numbers[k]]]
        parts = [m for m in lowest if _texts(cells[numbers[m]], columns)[: len(key)] == key]
        tolerance = _NOISE * (len(parts) + 1) ** 0.5
        if not parts or np.abs(counts[parts].sum(axis=0) - counts[k]).max() > tolerance:
            return []
    return [numbers[k] for k in upper]


def _texts(row: Sequence[object], columns: Sequence[int]) -> list[str]:
    return [label_of(row[j]).strip() if j < len(row) else "" for j in columns]


def _depth(row: Sequence[object], columns: Sequence[int]) -> int | None:
    """Return the number of labels of a row; None if a label is below a blank one, or if there is no label."""
    filled = [j < len(row) and not is_blank(row[j]) for j in columns]
    depth = sum(filled)
    return depth if depth and all(filled[:depth]) else None
