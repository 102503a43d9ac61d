"""Count people: one row a person, or one row a combination of categories with its count (a long table)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.labels import count_in, listed, quoted
from sdcwidgets.sources.cells import label_of
from sdcwidgets.sources.doubts import Written, ask_rows
from sdcwidgets.sources.gaps import gap_in
from sdcwidgets.sources.how import ROWS, Choice, How, Question, Reading
from sdcwidgets.sources.text import Row, Rows
from sdcwidgets.sources.totals import kept_totals, without_totals
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

__all__ = ["check_size", "count_by", "tabulate"]

#: The header is looked for in so many rows from the top.
_FIRST_ROWS = 200


#: Of more rows than this it is not asked whether a column holds counts: tables are shorter.
_MOST_SEEN = 200_000


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
    if frame.empty or not len(columns):
        raise InputError("There is nothing to count; give at least one record and one column.")
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
        labels = [label_of(value) for value in column.cat.categories]
        code = column.cat.codes.to_numpy(dtype=np.int64)
        if gaps and missing not in labels:
            labels.append(str(missing))
        axes.append(Axis(str(name), tuple(labels)))
        codes.append(np.where(code < 0, labels.index(str(missing)) if gaps else 0, code))
    shape = tuple(map(len, axes))
    check_size(shape, limit)
    cells = np.ravel_multi_index(tuple(codes), shape)
    return FrequencyTable(np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape), axes)


def check_size(shape: Sequence[int], limit: int | None) -> None:
    """Refuse a table of too many cells."""
    cells = math.prod(shape)
    if limit is not None and cells > limit:
        raise InputError(f"The table has {cells:,} cells; at most {limit:,} fit here.")


def count_by(rows: Iterable[Row], how: How, limit: int | None) -> Reading:
    """Count rows, or add up their counts, by the columns that were chosen.

    Other columns with labels are summed over, without the totals in them. Of a long table categories stay
    in the order of the file; of records they are sorted.

    Raises
    ------
    InputError
        If a column is missing, a row has no label in one, or a count is none.
    """
    header, body, skipped = _from_header(iter(rows), how)
    wanted = [header.index(name) for name in how.by]
    where = header.index(how.column) if how.column else None
    others = [] if where is None else [j for j in range(len(header)) if j not in wanted and j != where]
    sums: Counter[tuple[str, ...]] = Counter()
    seen: Rows = []
    written = Written()
    notes = [] if not skipped else [f"I left out {_lines(skipped)} above the header."]
    below = 0
    for number, row in enumerate(body, start=1):
        row = row + [None] * (len(header) - len(row))
        labels = tuple(label_of(row[j]).strip() for j in wanted)
        if not all(labels) and sum(bool(label_of(cell).strip()) for cell in row) <= 1:
            below += 1  # a blank line, or a note
            continue
        if not all(labels):
            if not how.missing:
                column = how.by[labels.index("")]
                raise Question(
                    f"Row {number:,} has no value in the column {quoted(column)}; name a category for people "
                    "without one (missing).",
                    *_columns(header, how),
                    Choice("missing"),
                )
            labels = tuple(label or how.missing for label in labels)
        if where is None and not how.count and len(seen) < _MOST_SEEN:
            seen.append(row)
        count = 1 if where is None else count_in(written.read(row[where], how.marks))
        if isinstance(count, str):
            what = " and ".join(f"{name} {quoted(label)}" for name, label in zip(how.by, labels, strict=True))
            gap = gap_in(row[where]) if where is not None else None
            why = f"{quoted(gap)} stands for a count that is not published" if gap else count
            raise InputError(f"Row {number:,} ({what}), column {quoted(how.column)}: {why}.")
        sums[labels + tuple(label_of(row[j]).strip() for j in others)] += count
    if not sums:
        raise InputError("There is nothing to count; give at least one record and one column.")
    if seen and len(seen) < _MOST_SEEN:
        ask_rows(header, seen, wanted)
    written.ask(how.marks)
    read_so, choices = written.told(how.marks)
    notes += read_so
    if below:
        notes.append(f"I left out {_lines(below)} without labels.")
    return replace(_cube(sums, how, [header[j] for j in others], limit, notes), choices=choices)


def _columns(header: Sequence[str], how: How) -> tuple[Choice, Choice]:
    """Return what can be chosen to count by and to count, with what was."""
    names = {name: name for name in header if name}
    return (
        Choice("by", names, how.by, several=True),
        Choice("count", {ROWS: "each row is a person"} | names, (how.count or ROWS,)),
    )


def _from_header(rows: Iterable[Row], how: How) -> tuple[list[str], Iterable[Row], int]:
    """Return the header, the rows below it, and how many filled rows are above it."""
    rows = iter(rows)
    needed = [*how.by, *([how.column] if how.column else [])]
    best: list[str] = []
    above = 0
    for _ in range(_FIRST_ROWS):
        row = next(rows, None)
        if row is None:
            break
        header = [label_of(cell).strip() for cell in row]
        if set(needed) <= set(header):
            for name in needed:
                if header.count(name) > 1:
                    raise InputError(f"Several columns are named {quoted(name)}; give them different names.")
            return header, rows, above
        above += bool(row)
        if sum(map(bool, header)) > sum(map(bool, best)):
            best = header
    lost = next((name for name in needed if name not in best), needed[0])
    have = f"its columns are {listed([name for name in best if name])}" if best else "it is empty"
    raise InputError(f"There is no column {quoted(lost)}; {have}.")


def _cube(
    sums: Counter[tuple[str, ...]], how: How, others: list[str], limit: int | None, notes: list[str]
) -> Reading:
    """Make a table of the counts of combinations."""
    columns = [list(column) for column in zip(*sums, strict=True)]
    n = len(how.by)
    extra = [n + j for j in range(len(others)) if how.column and _is_axis(columns, n + j, n)]
    counts, axes = _array(
        sums, columns, [*range(n), *extra], [*how.by, *others], limit if extra else None, how
    )
    if counts is None:
        extra = []
        counts, axes = _array(sums, columns, [*range(n)], list(how.by), None, how)
    check_size([len(axis) for axis in axes[:n]], 10**8 if limit is None else limit)
    assert counts is not None
    dropped: tuple[str, ...] = ()
    if how.column and how.margins != "keep":
        counts, left, dropped = without_totals(counts, axes, ask=how.margins == "ask")
        axes = list(left)
        notes += dropped
    elif how.column:
        notes += kept_totals(counts, axes)
    if extra:
        notes.append(f"It is summed over {listed([axis.name for axis in axes[n:]])}.")
    table = FrequencyTable(counts.sum(axis=tuple(range(n, counts.ndim))), axes[:n])
    if table.total == 0:
        raise InputError("All counts are 0; a table needs at least one person.")
    return Reading(table, tuple(notes), totals=bool(dropped))


def _is_axis(columns: list[list[str]], j: int, n: int) -> bool:
    """Return whether a column that was not chosen splits the chosen combinations, by labels."""
    labels = set(columns[j])
    if len(labels) < 2 or "" in labels or all(not isinstance(count_in(label), str) for label in labels):
        return False
    chosen = list(zip(*columns[:n], strict=True))
    return len(set(zip(chosen, columns[j], strict=True))) > len(set(chosen)) and 2 * len(labels) <= len(
        columns[j]
    )


def _array(
    sums: Counter[tuple[str, ...]],
    columns: list[list[str]],
    chosen: list[int],
    names: list[str],
    limit: int | None,
    how: How,
) -> tuple[NDArray[np.int64] | None, list[Axis]]:
    """Return the counts by some columns, None where they would be too many, and their axes."""
    axes = []
    for j in chosen:
        labels = list(dict.fromkeys(columns[j]))
        if not how.column:
            labels.sort(key=natural)
            if how.missing in labels:
                labels.append(labels.pop(labels.index(how.missing)))
        axes.append(Axis(names[j], tuple(labels)))
    shape = tuple(map(len, axes))
    if math.prod(shape) > (limit if limit is not None else 10**8):
        if limit is None:
            check_size(shape, 10**8)
        return None, axes
    codes = []
    for axis, j in zip(axes, chosen, strict=True):
        position = {label: i for i, label in enumerate(axis)}
        codes.append([position[label] for label in columns[j]])
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(
        counts, tuple(map(np.array, codes)), np.fromiter(sums.values(), dtype=np.int64, count=len(sums))
    )
    return counts, axes


def natural(label: str) -> tuple[int, float, str]:
    """Return what sorts labels: numbers as numbers, before texts."""
    try:
        number = float(label)
    except ValueError:
        return 1, 0.0, label
    return (0, number, label) if math.isfinite(number) else (1, 0.0, label)


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number:,} lines"
