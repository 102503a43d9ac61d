"""Put the parts of a sheet together: axes from labels, counts in their cells, totals off."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Row, Rows
from sdcwidgets.formats.how import Choice, How, NoCounts, Reading
from sdcwidgets.formats.layout.cells import is_blank, is_percentage
from sdcwidgets.formats.layout.doubts import Written, ask_heading, ask_twice
from sdcwidgets.formats.layout.gaps import gap_in, range_in
from sdcwidgets.formats.layout.long import check_size
from sdcwidgets.formats.layout.outline import Outline
from sdcwidgets.formats.layout.row_labels import in_words
from sdcwidgets.formats.layout.shares import without_shares
from sdcwidgets.formats.layout.totals import TOTALS, kept_totals, without_totals
from sdcwidgets.labels import MOST_PEOPLE, count_in, place, quoted
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Keys = list[list[str]]

__all__ = ["assemble"]


def assemble(
    parts: Outline, how: How, limit: int | None, *, codes: bool = True, own: bool = False
) -> Reading:
    """Make a table of its parts.

    Parameters
    ----------
    parts : Outline
    how : How
    limit : int or None
        The most cells.
    codes : bool
        Whether a column of labels may be only a code of another one.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that no line of it is a total.

    Raises
    ------
    Question, InputError
        See `reading.read_bytes`.
    """
    if not parts.labels or not parts.headings:
        raise InputError("The table is empty; it needs at least one row and one column of counts.")
    check_size((len(parts.labels), len(parts.headings)), limit)
    notes, optional = list(parts.notes), False
    if not own:
        parts, shares, optional = without_shares(parts, how)
        notes += shares
    names, depth = list(parts.names), len(parts.labels[0])
    if depth > 1 and not parts.named and not own and codes:
        ask_heading(parts.headings, names[:depth])
    cells = parts.cells
    choices: list[Choice] = []
    if not own:
        written = Written()
        cells = [[written.read(cell, how.marks) for cell in row] for row in cells]
        written.ask(how.marks)
        read_so, choices[:] = written.told(how.marks)
        notes += read_so
    counts = _counts(_named(names, depth), parts.labels, parts.headings, cells)
    if not own:
        _ask_twice(parts)
    down, down_names = parts.labels, names[:depth]
    if codes and depth > 1 and not parts.named:
        down, down_names = _without_codes(down, down_names, _named(names, depth), notes)
    across, across_names = parts.headings, names[depth:]
    one = len(across) == 1 and len(across[0]) == 1 and across_names[-1] is None
    named = _named([*down_names, *([] if one else across_names)], len(down_names))
    lines = len(down) + len(across)
    down, counts = _without_margins(down, counts, 0, notes)
    across, counts = _without_margins(across, counts, 1, notes)
    totals = len(down) + len(across) < lines
    rows = _axes(down, named[: len(down_names)])
    columns = [] if one else _axes(across, named[len(down_names) :])
    if not one and len(across[0]) == 1 and len(down_names) == 1:
        table, axes = counts, [*rows, *columns]
    else:
        table, axes = _crossed(counts, rows, down, columns, across, limit, notes)
    if how.margins != "keep" and not own:
        ask = how.margins == "ask"
        table, left, dropped = without_totals(table, axes, ask=ask, doubts=not (parts.named and ask))
        axes = list(left)
        notes += dropped
        totals = totals or bool(dropped)
        if dropped or optional:
            choices.append(replace(TOTALS, chosen=("drop",)))
    else:
        choices.append(replace(TOTALS, chosen=("keep",)))
        notes += () if own else kept_totals(table, axes)
    if table.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not table.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    if not own:
        notes += _percentages(table)
    return Reading(FrequencyTable(table, axes), tuple(notes), tuple(choices), totals)


def _percentages(table: Counts) -> list[str]:
    """Return a note where all lines along an axis sum to 100, as percentages do."""
    for k in range(table.ndim - 1, -1, -1):
        sums = table.sum(axis=k)
        if table.ndim > 1 and table.shape[k] > 1 and sums.size > 2 and (abs(sums - 100) <= 1).all():
            line = ("column", "row")[k] if table.ndim == 2 else "line"
            about = "" if (sums == 100).all() else "about "
            return [f"Every {line} sums to {about}100: these look like percentages, not counts of people."]
    return []


def _ask_twice(parts: Outline) -> None:
    """Ask what a long table holds in which a combination of labels is there twice: its columns may be chosen."""
    *names, _ = parts.names
    heading = parts.headings[0][-1].strip()
    if len(parts.headings) > 1 or len(parts.headings[0]) > 1 or not heading:
        return
    if parts.named or not all(names) or len({*names, heading}) <= len(names):
        return
    twice = next((key for key, times in Counter(map(tuple, parts.labels)).items() if times > 1), None)
    if twice is not None:
        known = [str(name).strip() for name in names]
        raise ask_twice(in_words(twice, known), known, heading)


def _named(names: Sequence[str | None], depth: int) -> list[str]:
    """Return the names of the axes, those without one by where they stand: `depth` columns of labels, headings."""
    over = max(len(names) - depth - 1, 0)
    usual = [*_numbered("Row", depth), *_numbered("Upper heading", over), "Column"]
    named = [name or usual[k] for k, name in enumerate(names)]
    if names[-1] is None and named[-1] in named[:-1]:
        named[-1] = "Columns"
    return named


def _numbered(name: str, number: int) -> list[str]:
    """Return so many names, all but the first with a number."""
    return [name, *(f"{name} {k}" for k in range(2, number + 1))][:number]


def _counts(names: list[str], labels: Keys, headings: Keys, cells: Rows) -> Counts:
    """Return the counts in the cells."""
    counts = np.empty((len(labels), len(headings)), dtype=np.int64)
    for i, row in enumerate(cells):
        read = [count_in(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                where = place([*labels[i], *headings[j]], names)
                kind, why = _why_none(row[j], count, [line[j] for line in cells])
                raise kind(f"{where}: {why}.")
        counts[i] = read
    # Each axis may carry a total and totals of parts; what is left is checked again by the table.
    if counts.sum(dtype=np.float64) > 2.0**61 or (counts > MOST_PEOPLE).any():
        raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the most that is kept exactly.")
    return counts


def _why_none(cell: Any, why: str, column: Row) -> tuple[type[InputError], str]:
    """Return what to raise for a cell of a column that holds no count, and the end of the sentence."""
    gap = gap_in(cell)
    if gap == "-":
        why = '"-" may mean nobody or a count that is not published; write 0 where there is nobody'
    elif gap:
        why = f"{quoted(gap)} stands for a count that is not published; the counts themselves are needed"
    elif is_percentage(cell):
        why = f"{quoted(cell)} is a percentage; the counts themselves are needed"
    if range_in(cell):
        return NoCounts, f"{why}; where it is a group of people, choose columns to count by (by)"
    if gap or is_blank(cell) or not isinstance(cell, str):
        return InputError, why
    if all(isinstance(one, str) and isinstance(count_in(one), str) for one in column):
        why += "; if each row is one person, choose columns to count by (by)"
    return NoCounts, why


def _without_codes(
    labels: Keys, given: list[str | None], names: list[str], notes: list[str]
) -> tuple[Keys, list[str | None]]:
    """Leave out columns of labels that only name again what another one names, such as codes of areas."""
    columns = [list(column) for column in zip(*labels, strict=True)]
    sizes = [len(set(column)) for column in columns]
    kept = list(range(len(columns)))
    for j in range(1, len(columns)):
        for k in [k for k in kept if k < j]:
            if sizes[k] == sizes[j] == len(set(zip(columns[k], columns[j], strict=True))) > 1:
                kept.remove(j)
                break
    left = math.prod(sizes[k] for k in kept)
    whole = next((k for k in kept if sizes[k] == len(labels)), None)
    if whole is not None and left > len(labels):
        kept = [whole]  # one column names every row; the others say something about it
    dropped = [k for k in range(len(columns)) if k not in kept]
    if dropped:
        told = " and ".join(quoted(names[k]) for k in dropped)
        notes.append(f"I left out the labels in {told}: {quoted(names[kept[0]])} names the same rows.")
    return [[row[k] for k in kept] for row in labels], [given[k] for k in kept]


def _without_margins(keys: Keys, counts: Counts, k: int, notes: list[str]) -> tuple[Keys, Counts]:
    """Drop rows or columns with a label on the first of several axes only: pandas writes its margins so."""
    alone = np.array([len(key) > 1 and not any(map(str.strip, key[1:])) for key in keys])
    if not alone.any() or alone.all():
        return keys, counts
    lines = np.moveaxis(counts, k, 0)
    sums = lines[~alone].sum(axis=0)
    for i in np.flatnonzero(alone).tolist():
        if not np.array_equal(lines[i], sums):
            word = "Row" if k == 0 else "Column"
            raise InputError(
                f"{word} {quoted(keys[i][0])} has one label where others have {len(keys[i])}, and is not their "
                "sum; give it all of its labels."
            )
    word = "row" if k == 0 else "column"
    notes.append(f"I left out the totals {word} {quoted(keys[int(np.argmax(alone))][0])}: it adds up.")
    return [key for key, out in zip(keys, alone, strict=True) if not out], counts.compress(~alone, axis=k)


def _axes(keys: Keys, names: Sequence[str]) -> list[Axis]:
    """Return an axis for each part of the keys, with labels in the order in which they come."""
    if len(names) == 1:
        return [Axis(names[0], tuple(key[0] for key in keys))]  # twice the same is told by the axis
    parts = zip(*keys, strict=True)
    return [Axis(name, tuple(dict.fromkeys(part))) for name, part in zip(names, parts, strict=True)]


def _crossed(
    counts: Counts,
    rows: list[Axis],
    down: Keys,
    columns: list[Axis],
    across: Keys,
    limit: int | None,
    notes: list[str],
) -> tuple[Counts, list[Axis]]:
    """Return the counts with a dimension for each axis; combinations that are not there count 0."""
    axes = [*rows, *columns]
    names = [axis.name for axis in axes]
    places = _places(rows, down, names), _places(columns, across, names[len(rows) :])
    sizes = math.prod(map(len, rows)), math.prod(map(len, columns))
    check_size(sizes, 10**8 if limit is None else limit)
    for place_, size, part, keys in zip(places, sizes, (rows, columns), (down, across), strict=True):
        if len(place_) < size:
            there = set(map(tuple, keys))
            first = next(key for key in itertools.product(*part) if key not in there)
            lost = size - len(place_)
            words = in_words(first, [axis.name for axis in part])
            many = f"Nobody is counted in {lost:,} combinations that are not there, such as"
            notes.append(
                f"{many} {words}." if lost > 1 else f"{words} is not there; nobody is counted in it."
            )
    table = np.zeros(sizes, dtype=np.int64)
    table[np.ix_(*places)] = counts
    return table.reshape([len(axis) for axis in axes]), axes


def _places(axes: Sequence[Axis], keys: Keys, names: Sequence[str]) -> NDArray[np.intp]:
    """Return the position of each key among all combinations of the axes' labels."""
    if not axes:
        return np.zeros(1, dtype=np.intp)
    if len(axes) > 1:
        twice = next((key for key, times in Counter(map(tuple, keys)).items() if times > 1), None)
        if twice is not None:
            raise InputError(
                f"{in_words(twice, names[: len(axes)])} is there twice; every combination must be there once."
            )
        blank = next((key for key in keys if not all(map(str.strip, key))), None)
        if blank is not None:
            raise InputError(f"{place(blank, names)}: a label is blank; every row needs all of its labels.")
    found = [{label: i for i, label in enumerate(axis)} for axis in axes]
    codes = [np.array([where[key[k]] for key in keys]) for k, where in enumerate(found)]
    return np.ravel_multi_index(tuple(codes), tuple(map(len, axes)))
