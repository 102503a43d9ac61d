"""The rows of a sheet that hold the counts: how wide they are, what names them, and what is no row of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Row, Rows
from sdcwidgets.formats.layout.adding_up import is_total
from sdcwidgets.formats.layout.cells import (
    extent,
    gaps_only,
    has_numbers,
    is_blank,
    is_mark,
    is_number,
    label_of,
)
from sdcwidgets.formats.layout.gaps import gap_in
from sdcwidgets.formats.layout.headings import names_rows, units_below
from sdcwidgets.formats.layout.words import words
from sdcwidgets.labels import counted, place, quoted

__all__ = ["Body", "such_as"]

#: What may be the name of an axis, and is no group of ages nor of people of whom it isn't known.
_NAME = re.compile(rf"(?!({words('unknown')})\b)[^\W\d]+([ -][^\W\d]+)*", re.IGNORECASE)


class Body:
    """The rows with counts, the line that names their axes if there is one, and the notes below.

    Attributes
    ----------
    index_names : int or None
    units : list of str
        What stands in a line of units below the header, for each column; "" where there is none.
    rows : list of list
        Equally long.
    width : int
        How long: as the header, where it is longer than most rows with counts.
    notes : list of list
    told : list of str
        What else was decided.
    """

    def __init__(self, rows: Rows, head: Sequence[int], body: Sequence[int], width: int, typed: bool) -> None:
        self.index_names: int | None = None
        self.told: list[str] = []
        body = list(body)
        self.units = units_below(rows[body[0]], width) if head and len(body) > 1 else []
        if self.units:
            told = such_as(rows[body.pop(0)], 1)
            self.told.append(f"I left out the line of units below the header ({told}).")
        if (
            len(body) > 1
            and width > 2
            and extent(rows[body[0]]) < width - 1
            and not has_numbers(rows[body[0]])
            and self._names_axes(rows, head, body, width)
        ):
            self.index_names = body.pop(0)
        last = max((i for i in body if has_numbers(rows[i]) or gaps_only(rows[i])), default=None)
        kept, self.notes = [], []
        apart = False
        for i in body:
            row = rows[i]
            apart = apart or (last is not None and i > last and not rows[i - 1])
            is_note = last is not None and i > last and not any(map(is_number, row))
            short = extent(row) < width and not any(map(is_mark, row[1:]))
            if is_note and (apart or short or width < 2):
                self.notes.append(row)
                continue
            kept.append(i)
        self.width = self._widened([rows[i] for i in kept], rows[head[-1]] if head else [], width)
        self.units = [*self.units, *[""] * self.width][: self.width]
        first = rows[head[-1]] if head else [None] * width
        self.rows = [self._even(rows[i], first, typed) for i in kept]
        beside = [cell for i in kept for cell in rows[i][self.width :] if not is_blank(cell)]
        if beside:
            self.told.append(
                f"I left out {counted(len(beside), 'cell')} beside the table ({such_as(beside)})."
            )

    def _names_axes(self, rows: Rows, head: Sequence[int], body: Sequence[int], width: int) -> bool:
        """Return whether the first line names the rows' axes, as pandas writes it; else it is a row without counts."""
        line = rows[body[0]]
        depth = extent(line)
        if not head:
            return False
        before = [[not is_blank(cell) for cell in rows[i][:depth]] for i in head]
        named = {cells[-1] for cells in before}
        alike = len(named) == 1 and not any(any(cells[:-1]) for cells in before)
        word = label_of(line[0]).strip()
        certain = (
            _NAME.fullmatch(word) and not is_total(word) and names_rows(line, [rows[i] for i in body[1:]])
        )
        if alike and (len(head) > 1 or depth > 1 or certain) and not any(map(is_mark, line[1:])):
            self.told.append(
                f"I took the line {such_as(line, depth)} for names of the rows: it has no counts."
            )
            return True
        header = rows[head[-1]]
        gap = next(
            (j for j in range(1, min(width, len(header))) if j >= len(line) or is_blank(line[j])), None
        )
        if gap is None or depth > 1 or is_blank(line[0]) or len(body) < 2:
            return False
        raise InputError(
            f"{place([label_of(line[0]), label_of(header[gap])])}: the cell is empty; write 0 where there is nobody, "
            f"or {quoted(label_of(line[0]))} into the first cell of the header if it names the rows."
        )

    def _widened(self, kept: Rows, header: Row, width: int) -> int:
        """Return how wide the table is: as its header, unless below the rest of it are remarks or no totals."""
        most = extent(header)
        beside = [cell for row in kept for cell in row[width:most] if not is_blank(cell)]
        if most <= width or (beside and not any(is_number(cell) or gap_in(cell) for cell in beside)):
            return width
        if not beside and all(is_total(label_of(cell)) for cell in header[width:most]):
            self.told.append(f"I left out the column {quoted(label_of(header[width]))}: it is blank.")
            return width
        return most

    def _even(self, row: Row, first: Row, typed: bool) -> Row:
        """Return the cells of a row up to the table's width, or refuse it where it has more or fewer."""
        fits = len(row) in (self.width, len(first)) or extent(row) == self.width
        ragged = not typed and not (fits and len(first) >= self.width)
        if ragged or any(is_number(cell) or gap_in(cell) for cell in row[self.width :]):
            raise InputError(
                f"Row {quoted(label_of(row[0]))} has {len(row) if ragged else extent(row)} cells and the first line "
                f"{extent(first) or len(first)}; every row must have as many."
            )
        return [*row, *[None] * (self.width - len(row))][: self.width]


def such_as(cells: Row, of: int | None = None) -> str:
    """Return the first filled cell in quotes, with dots where there are more of what it stands for."""
    first = quoted(label_of(next(cell for cell in cells if not is_blank(cell))))
    return f"{first}{' ...' if (len(cells) if of is None else of) > 1 else ''}"
