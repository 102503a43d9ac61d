"""Axes whose names are not in a file, so that the import invented them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdcwidgets._util.labels import quoted

if TYPE_CHECKING:
    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.table import FrequencyTable

#: Names that the import and Python give to axes without a name.
_INVENTED = re.compile(r"(Row|Columns?|Layer|Block|Heading|Upper heading)( \d+)?")


def is_invented(name: str) -> bool:
    """Return whether the name of an axis is one that the import invents.

    Examples
    --------
    >>> [is_invented(name) for name in ("Column", "Heading 1", "Row 2", "Sex")]
    [True, True, True, False]
    """
    return _INVENTED.fullmatch(name) is not None


def unnamed_axes(table: FrequencyTable) -> list[Axis]:
    r"""Return the axes with an invented name and at least two categories.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable
    >>> [axis.name for axis in unnamed_axes(FrequencyTable.from_csv("Sex,Low,High\nf,3,12\nm,14,9\n"))]
    ['Column']
    """
    return [axis for axis in table.axes if is_invented(axis.name) and len(axis) > 1]


def names_for_readers(names: Sequence[str]) -> list[str]:
    """Return the names of axes without invented ones, or all names if each one is invented.

    Examples
    --------
    >>> names_for_readers(["Sex", "Column"]), names_for_readers(["Row", "Column"])
    (['Sex'], ['Row', 'Column'])
    """
    return [name for name in names if not is_invented(name)] or list(names)


def unnamed_note(file: str, table: FrequencyTable) -> str:
    r"""Return a note for the command line on invented names of axes, "" if there are none.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable
    >>> table = FrequencyTable.from_csv("Sex,Low,High\nf,3,12\nm,14,9\n")
    >>> unnamed_note("t.csv", table)[:35]
    'Note: t.csv does not name each axis'
    """
    names = [quoted(axis.name) for axis in unnamed_axes(table)]
    if not names:
        return ""
    noun, axis = ("name", "axis") if len(names) == 1 else ("names", "axes")
    return (
        f"Note: {file} does not name each axis, so the output can contain the invented {noun} {', '.join(names)}. "
        f"Name the {axis} in a layout file (--layout)."
    )
