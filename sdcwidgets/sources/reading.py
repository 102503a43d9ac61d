r"""Read tables that people have: text, workbooks, pasted blocks, data frames, one record a person.

The first column holds row labels and the first row column labels. The top-left cell may name the axes,
as in `Area \ Religion`, or the rows only. Labels are data and are kept as they are.

`totals` says how totals are found and dropped; `totals=False` keeps every row and column.
"""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.labels import (
    MOST_PEOPLE,
    axis_names,
    count_in,
    default_names,
    from_spreadsheet,
    place,
    quoted,
)
from sdcwidgets.sources.files import Rows, decoded, delimited_rows, file_bytes, is_workbook, workbook_rows
from sdcwidgets.sources.totals import without_totals
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    from numpy.typing import NDArray

__all__ = [
    "MAX_DASHBOARD_CELLS",
    "Reading",
    "read_block",
    "read_bytes",
    "read_csv",
    "read_excel",
    "read_frame",
    "tabulate",
]

#: The most cells that a dashboard takes.
MAX_DASHBOARD_CELLS = 1_000_000


@dataclass(frozen=True)
class Reading:
    """A table that was read, and what a person should know of how: one sentence a note."""

    table: FrequencyTable
    notes: tuple[str, ...] = ()


def read_bytes(
    name: str, content: bytes, *, limit: int | None = MAX_DASHBOARD_CELLS, totals: bool = True
) -> Reading:
    """Read an uploaded file; its content decides what it is, `name` is only for the sentences.

    Parameters
    ----------
    name : str
        The name of the file.
    content : bytes
        CSV text in any of the usual encodings, or an .xlsx workbook, of which the first sheet is read.
    limit : int or None
        The most cells.
    totals : bool
        Whether to look for totals and drop them.

    Returns
    -------
    Reading
        The table, and notes on what was decided.

    Raises
    ------
    InputError
        If the content is not a table of counts; one sentence says what is wrong and where.
    """
    content = bytes(content)
    if is_workbook(content):
        return read_excel(content, limit=limit, totals=totals)
    text, encoding = decoded(content, quoted(name))
    reading = _read(delimited_rows(text), limit=limit, totals=totals, unescape=True)
    if encoding not in ("cp1252", "latin-1"):
        return reading
    return Reading(reading.table, (*reading.notes, "The text is not UTF-8; it was read as Latin-1."))


def read_csv(
    source: str | bytes | PathLike[str], *, limit: int | None = MAX_DASHBOARD_CELLS, totals: bool = True
) -> Reading:
    r"""Read CSV text, the bytes of a file, or the file at a path; the separator is found out.

    A `str` of more than one line is text, one of one line is a path. See `read_bytes`.

    Examples
    --------
    The first areas of PSD 2014, Table 4, with their totals:

    >>> reading = read_csv("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
    >>> reading.table.total, reading.notes
    (501, ('I dropped the totals column "Total": it adds up.',))
    """
    if isinstance(source, bytes | bytearray):
        return read_bytes("The file", source, limit=limit, totals=totals)
    if isinstance(source, str) and ("\n" in source or "\r" in source or not source.strip()):
        return _read(delimited_rows(source), limit=limit, totals=totals, unescape=True)
    return read_bytes(Path(source).name, file_bytes(source), limit=limit, totals=totals)


def read_block(text: str, *, limit: int | None = MAX_DASHBOARD_CELLS, totals: bool = True) -> Reading:
    """Read a block pasted from a spreadsheet; counts alone get numbered labels. See `read_bytes`."""
    rows = delimited_rows(text)
    if not rows or any(isinstance(count_in(cell), str) for cell in rows[0] + [row[0] for row in rows]):
        return _read(rows, limit=limit, totals=totals, unescape=True)
    labels = [f"Row {i + 1}" for i in range(len(rows))]
    header = ["", *(f"Column {j + 1}" for j in range(len(rows[0])))]
    rows = [header, *([label, *row] for label, row in zip(labels, rows, strict=True))]
    reading = _read(rows, limit=limit, totals=totals)
    return Reading(
        reading.table, (*reading.notes, "The block has no labels, so rows and columns are numbered.")
    )


def read_excel(
    source: bytes | str | PathLike[str],
    sheet: str | None = None,
    *,
    limit: int | None = MAX_DASHBOARD_CELLS,
    totals: bool = True,
) -> Reading:
    """Read a sheet of an .xlsx workbook, by default the first; see `read_bytes`.

    Formulas have the values that were saved with them.
    """
    content = bytes(source) if isinstance(source, bytes | bytearray) else file_bytes(source)
    rows, title, sheets = workbook_rows(content, sheet, limit)
    reading = _read(rows, limit=limit, totals=totals)
    if sheet is not None or sheets == 1:
        return reading
    return Reading(
        reading.table, (*reading.notes, f"The sheet {quoted(title)}, the first of {sheets}, was read.")
    )


def read_frame(frame: pd.DataFrame, *, limit: int | None = None, totals: bool = True) -> Reading:
    """Read a DataFrame of counts: its index labels the rows, its columns the columns.

    An index of several levels gives an axis for each level. One column, where the columns have no name,
    gives a table of the index alone. See `read_bytes` for `limit`, `totals` and what raises.
    """
    import pandas as pd

    frame = pd.DataFrame(frame)  # a Series too
    if frame.columns.nlevels > 1:
        raise InputError("The columns have several levels; put all levels but one into the index.")
    names = [str(name) if name is not None else None for name in (*frame.index.names, frame.columns.name)]
    one = frame.shape[1] == 1 and names[-1] is None
    labels = [[_label(part) for part in (key if isinstance(key, tuple) else (key,))] for key in frame.index]
    values = frame.astype(object).to_numpy()
    return _build(
        names[:-1] if one else names,
        labels,
        [_label(column) for column in frame.columns],
        [list(row) for row in values],
        limit=limit,
        totals=totals,
        guess=False,
    )


def tabulate(
    records: pd.DataFrame | Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    *,
    missing: str | None = None,
    limit: int = 10**8,
) -> FrequencyTable:
    """Count records, one row a person, by the chosen columns.

    Categories are in sorted order, or in their own where the column is categorical; then those with
    nobody stay in the table, as empty cells. `missing` names the category of missing values.

    Raises
    ------
    InputError
        If a column is unknown, a value is missing and `missing` is None, or there are too many cells.
    """
    import pandas as pd

    frame = pd.DataFrame(records)
    axes: list[Axis] = []
    codes: list[NDArray[np.int64]] = []
    for name in [columns] if isinstance(columns, str) else columns:
        if name not in frame.columns:
            raise InputError(f"The records have no column {quoted(name)}; choose columns that they have.")
        column = frame[name]
        gaps = int(column.isna().sum())
        if gaps and missing is None:
            raise InputError(
                f"Column {quoted(name)} has no value in {gaps:,} records; name a category with `missing`."
            )
        if not isinstance(column.dtype, pd.CategoricalDtype):
            values = column.dropna().unique().tolist()
            try:
                values.sort()
            except TypeError:  # values of several kinds
                values.sort(key=str)
            column = column.astype(pd.CategoricalDtype(values, ordered=True))
        labels = [_label(value) for value in column.cat.categories]
        code = column.cat.codes.to_numpy(dtype=np.int64)
        if gaps and missing not in labels:
            labels.append(str(missing))
        axes.append(Axis(str(name), tuple(labels)))
        codes.append(np.where(code < 0, labels.index(str(missing)) if gaps else 0, code))
    if not axes or frame.empty:
        raise InputError("There is nothing to count; give at least one record and one column.")
    shape = tuple(map(len, axes))
    _check_size(shape, limit)
    cells = np.ravel_multi_index(tuple(codes), shape)
    return FrequencyTable(np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape), axes)


def _read(rows: Rows, *, limit: int | None, totals: bool, unescape: bool = False) -> Reading:
    """Make a table of rows of cells, of which the first holds the column labels."""
    rows = _trimmed(rows)
    if not rows:
        raise InputError("The table is empty; it needs a row of column labels, and rows of counts below it.")
    width = len(rows[0])
    if len(rows) < 2 or width < 2:
        raise InputError(
            "There is only one row or one column, separated by comma, semicolon or tab; "
            "a table needs row labels, column labels and counts."
        )
    for row in rows:
        if len(row) != width:
            raise InputError(
                f"Row {quoted(_label(row[0]))} has {len(row)} cells and the first row {width}; "
                f"every row must have as many, up to column {quoted(_label(rows[0][-1]))}."
            )
    read = _unescaped if unescape else _label
    header = [read(cell) for cell in rows[0]]
    names, depth = axis_names(header)
    if len(names) == 1 and width > 2:
        names.append(None)
    return _build(
        names,
        [[read(cell) for cell in row[:depth]] for row in rows[1:]],
        header[depth:],
        [row[depth:] for row in rows[1:]],
        limit=limit,
        totals=totals,
        guess=len(names) == 2 and names[1] is None,
    )


def _build(
    given: Sequence[str | None],
    labels: list[list[str]],
    columns: list[str],
    cells: Rows,
    *,
    limit: int | None,
    totals: bool,
    guess: bool,
) -> Reading:
    """Make a table of its parts; `given` are the names of the axes, None where there is none."""
    if not labels or not columns:
        raise InputError("The table is empty; it needs at least one row and one column of counts.")
    _check_size((len(labels), len(columns)), limit)
    names, depth = _named(given), len(labels[0])
    across = Axis(names[depth] if len(names) > depth else "Count", tuple(columns))
    if depth > 1:
        axes = [
            Axis(name, tuple(dict.fromkeys(part)))
            for name, part in zip(names, zip(*labels, strict=True), strict=False)
        ]
        order = _order(axes, labels)
        counts, notes = _counts(names, labels, columns, cells)
        shape = [*map(len, axes), *([len(columns)] if len(names) > depth else [])]
        return _checked(counts[order].reshape(shape), [*axes, across][: len(names)], notes)
    down = Axis(names[0], tuple(label for (label,) in labels))
    counts, notes = _counts(names, labels, columns, cells)
    if totals:
        counts, (down, across), dropped = without_totals(counts, (down, across), guess=guess)
        notes += dropped
    if len(names) == 1:
        return _checked(counts[:, 0], [down], notes)
    return _checked(counts, [down, across], notes)


def _trimmed(rows: Rows) -> Rows:
    """Drop the blank columns at the end."""
    width = 0
    for row in rows:
        last = len(row)
        while last > width and not _label(row[last - 1]).strip():
            last -= 1
        width = max(width, last)
    return [row[:width] for row in rows]


def _label(cell: Any) -> str:
    """Return a cell as the text of a label."""
    if isinstance(cell, str):
        return cell
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)


def _unescaped(cell: Any) -> str:
    return from_spreadsheet(_label(cell))


def _named(names: Sequence[str | None]) -> list[str]:
    """Return the names of the axes, with usual names where none is given."""
    usual = default_names(max(len(names), 2))
    named = [name or usual[k] for k, name in enumerate(names)]
    if names[-1] is None and named[-1] in named[:-1]:
        named[-1] = "Columns"
    return named


def _check_size(shape: Sequence[int], limit: int | None) -> None:
    cells = math.prod(shape)
    if limit is not None and cells > limit:
        raise InputError(f"The table has {cells:,} cells; at most {limit:,} fit here.")


def _counts(
    names: list[str], labels: list[list[str]], columns: list[str], cells: Rows
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the counts in the cells, and a note where a comma or point was taken for a separator."""
    counts = np.empty((len(labels), len(columns)), dtype=np.int64)
    grouped = None
    for i, row in enumerate(cells):
        read = [count_in(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                raise InputError(f"{place([*labels[i], columns[j]], names)}: {count}.")
            if grouped is None and count >= 1000 and isinstance(row[j], str) and re.search("[.,]", row[j]):
                grouped = f"{quoted(row[j])} was read as {count}: the mark separates thousands."
        counts[i] = read
    if counts.sum(dtype=np.float64) > 5 * MOST_PEOPLE:  # a table and its totals sum to 4 times its total
        raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the most that is kept exactly.")
    return counts, () if grouped is None else (grouped,)


def _order(axes: Sequence[Axis], labels: list[list[str]]) -> NDArray[np.intp]:
    """Return the order of the rows that counts every combination of the axes' labels once."""
    names = [axis.name for axis in axes]
    combinations = set(map(tuple, labels))
    if len(combinations) < len(labels):
        twice = next(row for row, times in Counter(map(tuple, labels)).items() if times > 1)
        raise InputError(f"{place(twice, names)} is there twice; every combination must be there once.")
    if len(labels) != math.prod(map(len, axes)):
        lost = next(row for row in itertools.product(*axes) if row not in combinations)
        raise InputError(f"{place(lost, names)} is missing; write its counts, 0 where there is nobody.")
    positions = [{label: i for i, label in enumerate(axis)} for axis in axes]
    codes = [[where[row[k]] for row in labels] for k, where in enumerate(positions)]
    return np.argsort(np.ravel_multi_index(tuple(map(np.array, codes)), tuple(map(len, axes))))


def _checked(counts: NDArray[np.int64], axes: Sequence[Axis], notes: tuple[str, ...]) -> Reading:
    """Return the table, unless there is nothing in it to assess."""
    if counts.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not counts.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    return Reading(FrequencyTable(counts, axes), notes)
