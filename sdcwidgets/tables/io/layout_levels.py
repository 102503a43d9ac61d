"""Find the columns that a layout does not read, but that are higher levels of a hierarchy, such as provinces."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import replace
from os import PathLike

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.layout.cells import is_number
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import Reading


def with_levels(source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading) -> FileLayout:
    r"""Return a layout in which unread columns to the left of labels are higher levels of their hierarchy.

    Parameters
    ----------
    source : str, bytes or path
    layout : FileLayout
    reading : Reading
        Reading of the layout; with the levels, the layout reads the same table.

    Examples
    --------
    >>> columns = (LayoutColumn(2, "label", "Area"), LayoutColumn(3, "count", "n"), LayoutColumn(1, "other", "Part"))
    >>> layout = FileLayout(columns, header=1, first=2)
    >>> text = "Part,Area,n\nNorth,Bath,3\nNorth,Hull,5\nSouth,York,8\n"
    >>> with_levels(text, layout, read(text, layout)).columns[2].role
    'level'
    """
    for column in layout.of_role("other") if layout.of_role("count") else ():
        labels = [of for of in layout.of_role("label") if of.number > column.number and not of.split]
        if not labels or not column.heading or column.only or column.left_out:
            continue
        of = min(labels, key=lambda label: label.number)
        for fill in (False, True):
            level = replace(column, role="level", of=of.number, fill=fill, categories=())
            if _is_level(source, _with_column(without_levels(layout), level), reading):
                layout = _with_column(layout, level)
                break
    return layout


def without_levels(layout: FileLayout) -> FileLayout:
    """Return a layout that does not read higher levels."""
    columns = (
        replace(column, role="other", of=0, fill=False) if column.role == "level" else column
        for column in layout.columns
    )
    return replace(layout, columns=tuple(columns))


def _with_column(layout: FileLayout, changed: LayoutColumn) -> FileLayout:
    columns = (changed if column.number == changed.number else column for column in layout.columns)
    return replace(layout, columns=tuple(columns))


def _is_level(source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading) -> bool:
    """Return whether the level of a layout has a name for each label, and groups labels that are next to each other.

    Each label has one group, and the layout reads the same table as without the level.
    """
    with suppress(InputError):  # a label has two groups
        with_level = read(source, layout)
        if with_level.table != reading.table or not with_level.sub_totals:
            return False
        sums = with_level.sub_totals[0]
        above = dict(sums.parents)
        axis = reading.table.axes[reading.table.axis(sums.axis)]
        groups = [label for label, _ in itertools.groupby(above[label] for label in axis)]
        are_names = all(groups) and not any(map(is_number, groups))
        return are_names and 1 < len(groups) == len(set(groups)) < len(axis)
    return False
