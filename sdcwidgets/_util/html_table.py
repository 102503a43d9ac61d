"""A table as HTML, for a notebook: every label is text, every mark has words, and no more than a screen is shown."""

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

#: More rows and columns are told, not shown.
MOST_ROWS, MOST_COLUMNS = 25, 15

#: Each mark in words, and how it looks; colours alone say nothing.
MARKS = {
    "nobody": "opacity: .5",
    "one or two people": "font-weight: bold; outline: 1px solid; outline-offset: -2px",
    "not published": "background: repeating-linear-gradient(45deg, #8884 0 3px, #0000 3px 6px)",
    "known exactly": "font-weight: bold; text-decoration: underline",
    "risk": "font-style: italic; border-left: 2px solid",
}


class Cell(NamedTuple):
    """A text, and what it is marked as: one of `MARKS` or nothing."""

    text: str
    mark: str = ""


#: The labels of a row, and its cells.
Row = tuple[Sequence[str], Sequence[Cell]]


def of_lines(caption: str, head: Sequence[str], rows: Iterable[Row], notes: Sequence[str] = ()) -> str:
    """Return a table with a head and rows, and what is to be said below it; `notes` are sentences.

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
    """Return a table of arrays of one shape, the last axis across; `cell_of` makes a cell of a value of each.

    `margins` are a head, and what stands beside each row and below each column.
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
    """Return a table of true counts, with what gives somebody away marked."""
    return of_arrays(repr(table), table.axes, [table.counts], counted)


def risk(value: float) -> Cell:
    """Return the cell of a risk, blank where it is not defined."""
    return Cell("" if value != value else f"{value:.3f}", "risk")


def counted(count: int) -> Cell:
    """Return the cell of a true count."""
    return Cell(f"{count:,}", "nobody" if count == 0 else "one or two people" if count < 3 else "")
