"""Find the labels of a table that the omitted totals of its layout do not include."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.totals import find_sums, outside_doubts, sums_of_totals
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutRow
from sdcwidgets.tables.io.plausibility import near_sums_of, outside_sums
from sdcwidgets.tables.io.questions import Doubt
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags

#: Maximum number of cells of a table, with its totals, whose sums are searched.
_MOST_CELLS = 100_000


def has_totals(layout: FileLayout) -> bool:
    """Return whether a layout omits lines as totals or parts."""
    return bool(
        layout.of_role("total")
        or any(column.left_out for column in layout.columns)
        or any(row.role == "total" for row in layout.rows)
    )


def with_totals(layout: FileLayout) -> FileLayout:
    """Return a layout that reads totals as counts."""
    columns = []
    for column in layout.columns:
        if column.role == "total":
            categories = (column.heading,) * len(layout.headings) if _states_labels(layout) else ()
            column = replace(column, role="count", categories=categories)
        elif column.role == "label":
            column = replace(column, left_out=tuple(t for t in column.left_out if not t), categories=())
        columns.append(column)
    rows: tuple[LayoutRow, ...] = tuple(row for row in layout.rows if row.role != "total")
    return replace(layout, columns=tuple(columns), rows=rows)


def _states_labels(layout: FileLayout) -> bool:
    return any(heading.row == 0 for heading in layout.headings)


def not_included(
    source: str | bytes | PathLike[str], layout: FileLayout, table: FrequencyTable
) -> list[Doubt]:
    r"""Return doubts about labels of a table that no omitted total includes, although they may be its parts.

    Parameters
    ----------
    source : str, bytes or path
    layout : FileLayout
        Layout with which the table was read.
    table : FrequencyTable

    Examples
    --------
    >>> from sdcwidgets.tables.io.layouts import LayoutColumn, LayoutHeading
    >>> roles = ["label", "total", "count", "count", "count"]
    >>> columns = tuple(LayoutColumn(k, role, "Area,T,L,M,x".split(",")[k - 1]) for k, role in enumerate(roles, 1))
    >>> layout = FileLayout(columns, headings=(LayoutHeading("Size", 1),), header=1, first=2)
    >>> text = "Area,T,L,M,x\nBath,502,301,201,57\nHull,654,410,244,81\n"
    >>> [one.facts["label"] for one in not_included(text, layout, read(text, layout).table)]
    ['x']
    """
    if not has_totals(layout) or table.cells > _MOST_CELLS:
        return []
    with suppress(InputError):  # without its omitted lines, the layout may read the file only
        whole = read(source, with_totals(layout)).table
        if whole.ndim == table.ndim and whole.cells <= _MOST_CELLS:
            return [one for k in range(table.ndim) for one in _of_axis(whole, table, k)]
    return []


def _of_axis(whole: FrequencyTable, table: FrequencyTable, k: int) -> list[Doubt]:
    """Return the doubts about labels of axis k."""
    pairs = list(zip(whole.axes, table.axes, strict=True))
    stay = [np.array([label in of_table.labels for label in axis]) for axis, of_table in pairs]
    if stay[k].all() or not all(mask.any() for mask in stay):
        return []
    at = [np.ones_like(mask) if j == k else mask for j, mask in enumerate(stay)]
    counts = whole.counts[np.ix_(*at)]
    axes = [
        Axis(axis.name, tuple(np.array(axis.labels, dtype=object)[mask]))
        for axis, mask in zip(whole.axes, at, strict=True)
    ]
    return _doubts(FrequencyTable(counts, axes), k, stay[k])


def _doubts(whole: FrequencyTable, k: int, stay: Flags) -> list[Doubt]:
    """Return the doubts about labels of axis k of a table with its totals."""
    lines = np.moveaxis(whole.counts, k, 0).reshape(len(whole.axes[k]), -1)
    sums = find_sums(lines, whole.axes[k], ask=False, doubts=True)
    summed: dict[int, Sequence[int]] = {i: parts for i, parts in sums.summed.items() if not stay[i]}
    summed = summed or dict(sums_of_totals(lines, whole.axes[k], ~stay))
    outside = outside_sums(lines, stay, summed)
    if not outside:
        near = {i: parts for i, (parts, _) in near_sums_of(whole, k).items() if not stay[i]}
        tolerance = max((allowed for _, allowed in near_sums_of(whole, k).values()), default=0)
        outside = outside_sums(lines, stay, near, tolerance)
    return outside_doubts(whole.axes, k, outside)
