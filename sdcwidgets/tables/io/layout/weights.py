"""Sampling weights in files of people: where they are, and what must be said of a table that leaves them out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, listed, quoted
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.table import FrequencyTable

#: What the weight is often called; a column of such a name is taken for it and told.
_WEIGHTS = ("weight", "weights", "w", "rb050", "sampling weight", "hweight", "pweight")


def usual_weight(names: Iterable[str]) -> str | None:
    """Return the name that a sampling weight usually has, if it is among these.

    Examples
    --------
    >>> usual_weight(["Area", " Weight"])
    ' Weight'
    """
    known = {name.strip().lower(): name for name in names}
    return next((known[word] for word in _WEIGHTS if word in known), None)


def unweighted(columns: Iterable[object], by: Sequence[str]) -> list[str]:
    """Say that rows were counted as they are where a column looks like their weights.

    Examples
    --------
    >>> unweighted(["Area", "Sex"], ["Area"])
    []
    """
    weight = usual_weight({str(name) for name in columns} - set(by))
    if weight is None:
        return []
    return [
        f"{quoted(weight)} looks like a sampling weight, but each row was counted as one "
        "person. The table is therefore a table of the sample, not of the population. Name the column of "
        "weights (weight), or use the page Sample lab."
    ]


def weighted(weight: str, rows: int) -> str:
    """Return what must be known of a table of sums of weights."""
    return (
        f"The counts are rounded sums of {quoted(weight)}: estimates from a sample of "
        f"{counted(rows, 'record')}. Rules for small counts apply to these records. The page "
        "Sample lab shows the disclosure risk of the sample."
    )


def column_of_weights(header: Sequence[str], weight: str) -> int | None:
    """Return the place of the column with the weights, None where none is named."""
    if not weight:
        return None
    if weight not in header:
        raise InputError(f"The column {quoted(weight)} does not exist. The columns are {listed(header)}.")
    return list(header).index(weight)


def weight_in(cell: object, number: int, weight: str) -> Any:
    """Return the weight in a cell of a row.

    Examples
    --------
    >>> weight_in("10,5", 1, "weight")
    10.5
    """
    with suppress(ValueError):
        value = float(label_of(cell).strip().replace(",", "."))
        if 0 <= value < math.inf:
            return value
    raise InputError(
        f"Row {number:,}, column {quoted(weight)}: {quoted(label_of(cell))} is not a weight; "
        "a weight must be a number of at least 0."
    )


def of_respondents(table: FrequencyTable, rows: Counter[tuple[str, ...]]) -> FrequencyTable:
    """Return a table of weights that says how many rows are behind each cell."""
    counts = np.zeros(table.shape, dtype=np.int64)
    for labels, number in rows.items():
        counts[tuple(axis.position(label) for axis, label in zip(table.axes, labels, strict=True))] += number
    return table.with_respondents(counts)
