"""Tables as HTML for notebooks: labels are escaped, marks have words, and the number of lines is limited."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.table import FrequencyTable

#: Maximum numbers of rows and columns to show.
MOST_ROWS, MOST_COLUMNS = 25, 15

#: Style of each mark; the marks are words, so that no information depends on colour alone.
MARKS = {
    "nobody": "opacity: .5",
    "one or two people": "font-weight: bold; outline: 1px solid; outline-offset: -2px",
    "not published": "background: repeating-linear-gradient(45deg, #8884 0 3px, #0000 3px 6px)",
    "known exactly": "font-weight: bold; text-decoration: underline",
    "risk": "font-style: italic; border-left: 2px solid",
}


class Cell(NamedTuple):
    """Text of a cell, and its mark (a key of `MARKS` or empty)."""

    text: str
    mark: str = ""


#: Labels of a row, and its cells.
Row = tuple[Sequence[str], Sequence[Cell]]


def of_lines(caption: str, head: Sequence[str], rows: Iterable[Row], notes: Sequence[str] = ()) -> str:
    """Return an HTML table with a header row, and below it the notes (sentences) and the legend.

    Examples
    --------
    >>> of_lines("One", ["Area", "<b>"], [(["A"], [Cell("1")])])[:66]
    '<table><caption style="text-align: left">One</caption><thead><tr><'
    """
    cells = "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    parts = [
        f'<table><caption style="text-align: left">{escape(caption)}</caption><thead><tr>{cells}</tr></thead><tbody>'
    ]
    marks: dict[str, None] = {}
    for labels, row in rows:
        heads = "".join(f'<th scope="row" style="text-align: left">{escape(text)}</th>' for text in labels)
        parts.append(f"<tr>{heads}{''.join(map(_cell, row))}</tr>")
        marks |= dict.fromkeys(cell.mark for cell in row if cell.mark)
    parts.append("</tbody></table>")
    legend = ", ".join(f'<span style="{MARKS[mark]}">{mark}</span>' for mark in marks if mark != "risk")
    sentences = [escape(note) for note in notes] + ([f"Marked: {legend}."] if legend else [])
    return "".join(parts) + (f"<p>{' '.join(sentences)}</p>" if sentences else "")


def _cell(cell: Cell) -> str:
    look = f' style="{MARKS[cell.mark]}" title="{cell.mark}"' if cell.mark else ""
    return f"<td{look}>{escape(cell.text)}</td>"


def of_arrays(
    caption: str,
    axes: Sequence[Axis],
    arrays: Sequence[NDArray[np.generic]],
    cell_of: Callable[..., Cell],
    *,
    margins: tuple[str, NDArray[np.generic], NDArray[np.generic]] | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return an HTML table of arrays with the same shape; the last axis gives the columns.

    `cell_of` converts the values at one position of all arrays to a cell. `margins` are a heading, the values
    at the right of the rows, and the values below the columns.
    """
    *down, across = axes
    width = len(across)
    flat = [np.reshape(array, (-1, width))[:MOST_ROWS, :MOST_COLUMNS] for array in arrays]
    size = int(np.prod([len(axis) for axis in down], dtype=np.int64))
    head = [*(axis.name for axis in down), *across.labels[:MOST_COLUMNS]]
    places = itertools.islice(itertools.product(*(axis.labels for axis in down)), MOST_ROWS)
    rows: list[Row] = [
        (labels, [cell_of(*values) for values in zip(*lines, strict=True)])
        for labels, *lines in zip(places, *flat, strict=True)
    ]
    if margins is not None:
        name, row_margin, below = margins
        head.append(name)
        rows = [
            (labels, [*cells, risk(value)]) for (labels, cells), value in zip(rows, row_margin, strict=False)
        ]
        rows.append(([name], [risk(value) for value in below[:MOST_COLUMNS]]))
    more = [
        f"{omitted:,} more {noun}."
        for omitted, noun in ((size - MOST_ROWS, "rows"), (width - MOST_COLUMNS, "columns"))
        if omitted > 0
    ]
    return of_lines(caption, head, rows, [*more, *notes])


def of_table(table: FrequencyTable) -> str:
    """Return an HTML table of original counts, with zeros and small counts marked."""
    caption = f"{' by '.join(axis.name for axis in table.axes)}, total {table.total:,}"
    return of_arrays(caption, table.axes, [table.counts], counted)


def risk(value: float) -> Cell:
    """Return the cell of a risk, blank if it is undefined."""
    return Cell("" if value != value else f"{value:.3f}", "risk")


def counted(count: int) -> Cell:
    """Return the cell of an original count.

    Examples
    --------
    >>> [counted(count).mark for count in (0, 1, 2, 3)]
    ['nobody', 'one or two people', 'one or two people', '']
    """
    note = ""
    if count == 0:
        note = "nobody"
    elif count < 3:
        note = "one or two people"
    return Cell(f"{count:,}", note)
