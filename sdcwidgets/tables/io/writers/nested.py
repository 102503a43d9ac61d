"""Write a release with sub-totals as a cross table in the order of its source file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NOT_AVAILABLE, corner, quoted, total_label
from sdcwidgets.tables.sub_totals import SubTotals

if TYPE_CHECKING:
    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.release import Release

#: Published values of single entries by their labels, with "" for a total; nan if suppressed.
Entries = Mapping[tuple[str, ...], float]


class _NestedLine(NamedTuple):
    """Position of a label on its axis: a category, a sum of some categories, or the total."""

    label: str
    key: str  # the label, or "" for the total
    members: tuple[int, ...]  # empty for the total
    texts: tuple[str, ...]  # the cells of the label: one per column


def nested_lines(
    release: Release, sums: Sequence[SubTotals], entries: Entries | None = None
) -> Iterator[list[str | float]]:
    r"""Yield the header and the rows of a release with its sub-totals.

    A sub-total is the sum of the published counts of its categories, and it is suppressed if one of these counts is.
    The argument `entries` has other values of the sub-totals, for a method that protects them. If the sub-totals are
    those of higher levels, each level of an axis of rows has a column before the axis.

    Parameters
    ----------
    release : Release
        Release of the categories.
    sums : sequence of SubTotals
        Sums of the source file by axis.
    entries : mapping of tuple of str to float, optional
        Published values of entries that contain a sub-total.

    Raises
    ------
    InputError
        If the release has merged categories in position of the categories of a sub-total.

    Examples
    --------
    >>> from sdcwidgets.tables.release import Release
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> release = Release.of(FrequencyTable([[4, 1], [5, 7], [7, 2]], {"Area": ["a", "b", "c"], "Sex": ["f", "m"]}))
    >>> parents = (("a", "North"), ("b", "North"), ("c", ""), ("North", ""))
    >>> for line in nested_lines(release, [SubTotals("Area", ("North", "a", "b", "c", "All"), parents, "All")]):
    ...     print(line)
    ['Area \\ Sex', 'f', 'm']
    ['North', 9, 8]
    ['a', 4, 1]
    ['b', 5, 7]
    ['c', 7, 2]
    ['All', 16, 10]
    """
    by_axis = {axis_sums.axis: axis_sums for axis_sums in sums}
    lines = [_lines_of(axis, by_axis.get(axis.name)) for axis in release.axes]
    *down, across = lines if len(lines) > 1 else [*lines, [_NestedLine("Count", "", (), ("Count",))]]
    names = [name for axis in release.axes[: len(down)] for name in _columns(axis, by_axis.get(axis.name))]
    names += [axis.name for axis in release.axes[len(down) :]]
    yield [*corner(names), *(line.label for line in across)]
    for row in itertools.product(*down):
        cells = ((*row, line) if len(lines) > 1 else row for line in across)
        labels = itertools.chain.from_iterable(line.texts for line in row)
        yield [*labels, *(_value(release, cell, entries or {}) for cell in cells)]


def nested_label_columns(release: Release, sums: Sequence[SubTotals]) -> int:
    """Return the number of columns with labels of rows in `nested_lines`."""
    by_axis = {axis_sums.axis: axis_sums for axis_sums in sums}
    down = release.axes[:-1] if release.ndim > 1 else release.axes
    return sum(len(_columns(axis, by_axis.get(axis.name))) for axis in down)


def _columns(axis: Axis, sums: SubTotals | None) -> tuple[str, ...]:
    """Return the headings of the columns with the labels of an axis: its higher levels, the highest first, and itself.

    The levels have no columns if a category has no label on one of them.
    """
    if sums is None or not sums.levels:
        return (axis.name,)
    if any(len(sums.path(label)) != len(sums.levels) + 1 for label in sums.categories):
        return (axis.name,)
    return (*reversed(sums.levels), axis.name)


def _texts(axis: Axis, sums: SubTotals, label: str) -> tuple[str, ...]:
    """Return the cells with the label of a line, with the word for totals on the levels below a sub-total."""
    columns = len(_columns(axis, sums))
    if columns > 1:
        path = () if label == sums.total else sums.path(label)
        total = sums.total or total_label(sums.order)
        return (*path, *[total] * (columns - len(path)))
    if sums.levels and label != sums.total:
        return ("  " * (len(sums.path(label)) - 1) + label,)
    return (label,)


def _lines_of(axis: Axis, sums: SubTotals | None) -> list[_NestedLine]:
    """Return the lines of an axis in the order of its file."""
    if sums is None:
        return [_NestedLine(label, label, (k,), (label,)) for k, label in enumerate(axis.labels)]
    position = {label: (k,) for k, label in enumerate(axis.labels)}
    missing = [label for label in sums.categories if label not in position]
    if missing:
        raise InputError(
            f"The published table has no category {quoted(missing[0])} of {quoted(axis.name)}, so it has no "
            "sub-totals. Choose a method that does not merge categories."
        )
    below: dict[str, tuple[int, ...]] = {}
    above = dict(sums.parents)
    for label in sums.categories:
        parent = above.get(label, "")
        while parent:
            below[parent] = (*below.get(parent, ()), *position[label])
            parent = above.get(parent, "")
    return [
        _NestedLine(label, "", (), _texts(axis, sums, label))
        if label == sums.total
        else _NestedLine(label, label, {**position, **below}[label], _texts(axis, sums, label))
        for label in sums.order
    ]


def _value(release: Release, cell: Sequence[_NestedLine], entries: Entries) -> str | float:
    """Return the published value of an entry, or its symbol."""
    margin = tuple(k for k, line in enumerate(cell) if line.members)
    own = [cell[k].members for k in margin]
    key = tuple(line.key for line in cell)
    values = release.values[margin][np.ix_(*own)] if own else release.values[margin]
    symbols = release.symbols[margin][np.ix_(*own)] if own else release.symbols[margin]
    if (symbols == NOT_AVAILABLE).any():
        return NOT_AVAILABLE
    total = float(np.sum(values))
    if max(map(len, own), default=1) > 1 and key in entries:
        total = entries[key]
    if total != total:
        return next((str(symbol) for symbol in np.ravel(symbols) if symbol), "c")
    return int(total) if total.is_integer() else total
