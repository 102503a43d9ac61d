"""Doubt about combinations of labels that have no row in a file: their counts may be 0, or not published.

A list of people that were counted omits combinations without people. An extract from published tables can also omit
combinations whose counts were not published.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from sdcwidgets._util.labels import listed
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.records import in_words
from sdcwidgets.tables.io.options import Choice
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole

#: The choice that combinations without a row have the count 0.
ZERO = Choice("empty", {"zero": "0", "dashes": "0, and dashes are also 0"})

#: Minimum share of the combinations without a row, and minimum of all counts above 0, for the doubt.
_LEAST_SHARE, _LEAST_COUNT = 0.05, 3


def absent_doubts(keys: Iterable[Sequence[str]], axes: Sequence[Axis], counts: Whole) -> list[Doubt]:
    """Return the doubt whether combinations without a row have the count 0.

    There is no doubt if the table has counts of 1 or 2 and no other zero, because such a file was not protected and
    lists people. There is none either if few combinations have no row, or if one axis determines another.

    Parameters
    ----------
    keys : iterable of sequence of str
        The labels of each row on the axes of rows.
    axes : sequence of Axis
        The axes of rows.
    counts : ndarray of int64
        The counts of the table, with 0 for combinations without a row.

    Examples
    --------
    >>> import numpy as np
    >>> axes = [Axis("Area", ("A", "B", "C")), Axis("Sex", ("f", "m"))]
    >>> keys = [("A", "f"), ("A", "m"), ("B", "f"), ("C", "f"), ("C", "m")]
    >>> absent_doubts(keys, axes, np.array([[31, 45], [12, 0], [28, 17]]))[0].facts["named"]
    'Area "B", Sex "m"'
    """
    labels = [dict.fromkeys(axis.labels) for axis in axes]
    rows = {tuple(key) for key in keys if all(part in of for part, of in zip(key, labels, strict=True))}
    cells = math.prod(map(len, axes))
    absent = cells - len(rows)
    if len(axes) < 2 or absent < _LEAST_SHARE * cells or not counts.any() or _is_determined(rows):
        return []
    zeros = int((counts == 0).sum()) - absent * (counts.size // cells)
    if not zeros and counts[counts > 0].min() < _LEAST_COUNT:
        return []
    names = [axis.name for axis in axes]
    first = next(key for key in itertools.product(*labels) if key not in rows)
    facts = {
        "absent": absent,
        "cells": cells,
        "axis": "",
        "of": listed(names),
        "named": in_words(first, names),
    }
    return [doubt("absent", ZERO, **facts, rows=frozenset(rows), names=tuple(names))]


def absent_in(table: FrequencyTable, doubts: Iterable[Doubt]) -> list[Doubt]:
    """Return doubts about a table after labels or axes were omitted, which may be those of absent combinations."""
    current = list[Doubt]()
    axes = {axis.name: axis for axis in table.axes}
    for open_doubt in doubts:
        if open_doubt.question != "absent":
            current.append(open_doubt)
            continue
        names, rows = open_doubt.facts["names"], open_doubt.facts["rows"]
        assert isinstance(names, tuple)
        assert isinstance(rows, frozenset)
        of_rows = [k for k, name in enumerate(names) if name in axes]
        keys = ([key[k] for k in of_rows] for key in rows)
        current += absent_doubts(keys, [axes[names[k]] for k in of_rows], table.counts)
    return current


def _is_determined(rows: Collection[tuple[str, ...]]) -> bool:
    """Return whether each label of an axis occurs with one label of another axis, as districts and regions do."""
    columns = list(zip(*rows, strict=True))
    return any(
        len(set(zip(*pair, strict=True))) <= len(set(pair[0])) for pair in itertools.permutations(columns, 2)
    )
