"""Observations: a long table in which a heading says where the value stands, as offices hand out their databases.

Before the value stand dimensions, often twice, as code and as label, and behind it remarks on the value. It is read as
a cube, so that times and kinds of figures are never added up.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from sdcwidgets._util.labels import count_in
from sdcwidgets.tables.io.formats.base import Row, Rows, SheetCells
from sdcwidgets.tables.io.layout.cells import extent, grouping, is_blank, is_number, label_of
from sdcwidgets.tables.io.layout.doubts import says_counts
from sdcwidgets.tables.io.layout.missing import missing_in
from sdcwidgets.tables.io.layout.size import MOST_AXES
from sdcwidgets.tables.io.layout.slices import are_times
from sdcwidgets.tables.io.layout.words import has, says
from sdcwidgets.tables.io.options import ROWS, ReadOptions

#: What stands for a value that is not there, where a format has no word for it.
_NO_VALUE = ".."


def observed(sheet: SheetCells, how: ReadOptions) -> SheetCells:
    """Return the sheet with its dimensions and its value named, if it holds observations; else as it is.

    Examples
    --------
    >>> rows = [["Code", "Area", "Sex", "Observation"], ["1", "A", "m", "3"], ["2", "B", "m", "5"]]
    >>> found = observed(SheetCells(rows), ReadOptions())
    >>> found.by, list(found.rows)
    (('Area',), [['Area', 'Observation'], ['A', '3'], ['B', '5']])
    >>> observed(SheetCells([["Area", "m", "f"], ["A", "3", "5"]]), ReadOptions()).by
    ()
    """
    lines, above = iter(sheet.rows), list[Row]()
    for row in lines:
        above.append(row)
        if row:
            break
    again = replace(sheet, rows=itertools.chain(above, lines))
    header = [label_of(cell).strip() for cell in above[-1]] if above else []
    while header and not header[-1]:
        header.pop()
    if how.count == ROWS or not _says_where(header, bool(how.by and (how.count or not how.only))):
        return again
    rows = list(lines)
    filled = [row for row in rows if extent(row) > 1]
    return _cube(sheet, header, filled, how) or replace(sheet, rows=[*above, *rows])


def _says_where(header: Sequence[str], chosen: bool) -> bool:
    """Return whether a header names the value beside at least two other columns, and no other counts.

    Where columns were `chosen`, it must say that they are those of observations.
    """
    if len(header) < 3 or "" in header or len(set(header)) < len(header):
        return False
    return sum(says("observation", name) for name in header) == 1 or (
        not chosen and says_counts(header[-1]) and any(map(_is_time, header[:-1]))
    )


def _is_time(name: str) -> bool:
    return has("time", name.replace("_", " ")) and not has("birth", name)


def _cube(sheet: SheetCells, header: Sequence[str], rows: Rows, how: ReadOptions) -> SheetCells | None:
    """Return the dimensions, what is never added up, and the value; None where rows are not told apart by labels."""
    value = next((j for j, name in enumerate(header) if says("observation", name)), len(header) - 1)
    columns = [[label_of(cell).strip() for cell in _column(rows, j)] for j in range(len(header))]
    numbers = _column(rows, value)
    dimensions = _dimensions_around(value, columns, header) if len(rows) > 1 and _are_counts(numbers) else []
    names = tuple(header[j] for j in dimensions)
    if not names or not set(how.by) <= set(names) or how.count not in ("", header[value]):
        return None
    apart = [j for j in range(len(header)) if j != value and says("figure", header[j])]
    labels = dict.fromkeys([*dimensions, *apart])
    lines = [
        [*(columns[j][i] for j in labels), _reason(columns[value + 1 :], i) if is_blank(cell) else cell]
        for i, cell in enumerate(numbers)
    ]
    head = [*(header[j] for j in labels), header[value]]
    return replace(
        sheet,
        rows=[head, *lines],
        typed=True,
        by=names,
        count=header[value],
        apart=tuple(header[j] for j in apart),
    )


def _column(rows: Rows, j: int) -> list[object]:
    return [row[j] if j < len(row) else None for row in rows]


def _are_counts(cells: Row) -> bool:
    """Return whether all numbers in cells are counts."""
    return not any(isinstance(count_in(cell), str) for cell in cells if is_number(cell))


def _dimensions_around(value: int, columns: Sequence[Sequence[str]], header: Sequence[str]) -> list[int]:
    """Return the dimensions before a value, those behind it too where they are needed; none if it holds counts."""
    # "Full time" is the name of a time, and holds counts.
    if not says("observation", header[value]) and not any(map(are_times, header[:value], columns)):
        return []
    several = [j for j in range(len(header)) if j != value and len(set(columns[j])) > 1]
    before = [j for j in several if j < value]
    return _dimensions(before, columns, header) or _dimensions(several, columns, header)


def _dimensions(those: Sequence[int], columns: Sequence[Sequence[str]], header: Sequence[str]) -> list[int]:
    """Return which columns tell all rows apart by their labels; none if they do not."""
    if any(says_counts(header[j]) for j in those):
        return []
    apart = _told_apart(_without_codes(those, columns, header), columns)
    keys = set(zip(*(columns[j] for j in apart), strict=True))
    full = not any("" in columns[j] for j in apart)
    return apart if full and len(apart) <= MOST_AXES and len(keys) == len(columns[0]) else []


def _reason(statuses: Sequence[Sequence[str]], row: int) -> str:
    """Return what a status beside a value that is not there says of it."""
    return next((column[row] for column in statuses if missing_in(column[row])), _NO_VALUE)


def _without_codes(
    dimensions: Sequence[int], columns: Sequence[Sequence[str]], header: Sequence[str]
) -> list[int]:
    """Return one of the columns that name the same: the last that is not called a code."""
    remaining: dict[tuple[int, ...], int] = {}
    for j in dimensions:
        which = grouping(columns[j])
        if not _is_code(header[j]) or _is_code(header[remaining.get(which, j)]):
            remaining[which] = j
    return list(remaining.values())


def _is_code(name: str) -> bool:
    return has("code", name.replace("_", " "))


def _told_apart(dimensions: Sequence[int], columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns without those that name each row anew, where the others tell rows apart."""
    many = len(columns[0])
    shared = [j for j in dimensions if len(set(columns[j])) < many]
    return shared if len(set(zip(*(columns[j] for j in shared), strict=True))) == many else list(dimensions)
