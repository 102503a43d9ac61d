"""Labels in, axes out: codes and margins off, and a dimension for each part of the labels."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, cell_name, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.cells import grouping
from sdcwidgets.tables.io.layout.row_labels import in_words
from sdcwidgets.tables.io.layout.size import check_axes, check_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets._util.arrays import Whole

    Keys = list[list[str]]


#: A code such as "E06000001", "DE11" or "101"; a range of ages is none.
_CODE = re.compile(r"(?=[A-Z]*\d)[A-Z\d]+")


def axis_names(names: Sequence[str | None], depth: int) -> list[str]:
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


def without_codes(
    labels: Keys, own_names: list[str | None], names: list[str], notes: list[str]
) -> tuple[Keys, list[str | None]]:
    """Leave out columns of labels that only name again what another one names, such as codes of areas."""
    columns = [list(column) for column in zip(*labels, strict=True)]
    sizes = [len(set(column)) for column in columns]
    differ = _that_differ(columns, sizes, own_names, names, notes)
    names_first = sorted(differ, key=lambda k: _holds_codes(columns[k]))
    remaining = sorted({grouping(columns[k]): k for k in reversed(names_first)}.values())
    if math.prod(sizes[k] for k in remaining) > len(labels):
        # Where one column names every row the others say something about it.
        remaining = [k for k in remaining if sizes[k] == len(labels)][:1] or remaining
    same = _four(names, set(differ) - set(remaining))
    if same:
        notes.append(
            f"The import omitted the labels in {same}, because {quoted(names[remaining[0]])} names the same rows."
        )
    return [[row[k] for k in remaining] for row in labels], [own_names[k] for k in remaining]


def _that_differ(
    columns: Keys, sizes: Sequence[int], own_names: list[str | None], names: list[str], notes: list[str]
) -> list[int]:
    """Return the columns of labels that are not the same in all rows, nor only number them."""
    differ = [k for k, size in enumerate(sizes) if size > 1] or [0]
    alike = _four(names, set(range(len(columns))) - set(differ))
    if alike:
        each = "each" if len(columns) - len(differ) > 1 else "it"
        notes.append(f"The import omitted {alike}, because {each} has the same label in all rows.")
    if not own_names[0] and _numbers_rows(columns[0]) and _tell_apart([columns[k] for k in differ if k]):
        notes.append("The import omitted the column of row numbers.")
        differ = [k for k in differ if k]
    return differ


def _holds_codes(labels: Sequence[str]) -> bool:
    """Return whether all labels are codes: one word with a digit and without a lower-case letter.

    >>> _holds_codes(["E06000001", "101"]), _holds_codes(["North", "Area 2"]), _holds_codes(["0-14", "15-64"])
    (True, False, False)
    """
    return all(_CODE.fullmatch(label.strip()) for label in labels)


def _four(names: Sequence[str], those: Collection[int]) -> str:
    """Return the first four of those names in words, "" where there are none."""
    return and_more([quoted(names[k]) for k in sorted(those)], 4) if those else ""


def _numbers_rows(labels: Sequence[str]) -> bool:
    """Return whether labels are running numbers from 0 or 1, as R and pandas write them."""
    return any(list(labels) == list(map(str, range(start, start + len(labels)))) for start in (0, 1))


def _tell_apart(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether columns of labels tell all rows apart."""
    return bool(columns) and len(set(zip(*columns, strict=True))) == len(columns[0])


def without_margins(keys: Keys, counts: Whole, k: int, notes: list[str]) -> tuple[Keys, Whole]:
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
                f"{word} {quoted(keys[i][0])} has one label, but other lines have {len(keys[i])}. Add the missing "
                "labels, because the line is not the sum of the others."
            )
    word = "row" if k == 0 else "column"
    total = quoted(keys[int(np.argmax(alone))][0])
    notes.append(f"The import omitted the totals {word} {total} as sums of other lines.")
    return [key for key, out in zip(keys, alone, strict=True) if not out], counts.compress(~alone, axis=k)


def axes_of(keys: Keys, names: Sequence[str]) -> list[Axis]:
    """Return an axis for each part of the keys, with labels in the order in which they come."""
    if len(names) == 1:
        return [Axis(names[0], tuple(key[0] for key in keys))]  # twice the same is told by the axis
    parts = zip(*keys, strict=True)
    return [Axis(name, tuple(dict.fromkeys(part))) for name, part in zip(names, parts, strict=True)]


def crossed(
    counts: Whole,
    rows: list[Axis],
    down: Keys,
    columns: list[Axis],
    across: Keys,
    limit: int | None,
    notes: list[str],
) -> tuple[Whole, list[Axis]]:
    """Return the counts with a dimension for each axis; combinations that are not there count 0."""
    axes = [*rows, *columns]
    names = [axis.name for axis in axes]
    sizes = math.prod(map(len, rows)), math.prod(map(len, columns))
    check_size(sizes, 10**8 if limit is None else limit)
    check_axes(len(axes))
    places = _places(rows, down, names), _places(columns, across, names[len(rows) :])
    for positions, size, part, keys in zip(places, sizes, (rows, columns), (down, across), strict=True):
        if len(positions) < size:
            there = set(map(tuple, keys))
            first = next(key for key in itertools.product(*part) if key not in there)
            missing = size - len(positions)
            words = in_words(first, [axis.name for axis in part])
            many = f"The count is 0 in {missing:,} combinations that the file does not contain, such as"
            notes.append(
                f"{many} {words}."
                if missing > 1
                else f"The file does not contain {words}, so its count is 0."
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
                f"The file contains {in_words(twice, names[: len(axes)])} twice. Every "
                "combination must occur once."
            )
        blank = next((key for key in keys if not all(map(str.strip, key))), None)
        if blank is not None:
            raise InputError(f"{cell_name(blank, names)}: a label is empty. Every row needs all its labels.")
    positions = [{label: i for i, label in enumerate(axis)} for axis in axes]
    codes = [np.array([where[key[k]] for key in keys]) for k, where in enumerate(positions)]
    return np.ravel_multi_index(tuple(codes), tuple(map(len, axes)))
