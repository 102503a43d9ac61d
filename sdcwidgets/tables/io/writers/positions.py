"""Cells of a table and of the lines around it: where they are in a file, and where a release is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from sdcwidgets._util.errors import InputError

#: Maximum number of rows above a table or below it, and of columns before it, that a release repeats.
MOST_ROWS, MOST_COLUMNS = 1_000, 200

#: Row and column of a cell.
Cell = tuple[int, int]


class PlacedText(NamedTuple):
    """A line of text, with the row and the column of its cell."""

    row: int
    column: int
    text: str


@dataclass(frozen=True)
class Placement:
    """Cells in which a table, its titles and its notes are written.

    Attributes
    ----------
    row, column : int
        First cell of the table with its headings.
    above : tuple of PlacedText
        Lines above the table, from the first to the last row.
    below : tuple of PlacedText
        Lines below the table. Their rows are counted from the last row of the table.
    """

    row: int
    column: int
    above: tuple[PlacedText, ...]
    below: tuple[PlacedText, ...]

    @classmethod
    def compact(
        cls, titles: Iterable[str], notes: Iterable[str], *, blank_rows: int = 0, column: int = 1
    ) -> Self:
        """Return the placement with the titles in the first rows, and the notes after a blank row.

        Examples
        --------
        >>> Placement.compact(["People"], [], blank_rows=1)
        Placement(row=3, column=1, above=(PlacedText(row=1, column=1, text='People'),), below=())
        """
        above = tuple(PlacedText(row, column, text) for row, text in enumerate(titles, start=1))
        below = tuple(PlacedText(row, column, text) for row, text in enumerate(notes, start=2))
        return cls(len(above) + blank_rows + 1, column, above, below)

    def lines(self, table: Iterable[Iterable[Any]]) -> Iterator[list[Any]]:
        """Yield the lines of a file: the texts above the table, the lines of the table, and the texts below it.

        Examples
        --------
        >>> list(Placement.compact(["People"], ["Source: us"], column=2).lines([["Area", "n"], ["A", 3]]))
        [['', 'People'], ['', 'Area', 'n'], ['', 'A', 3], [], ['', 'Source: us']]
        """
        yield from _lines_of(self.above, self.row - 1)
        for line in table:
            yield [*[""] * (self.column - 1), *line]
        yield from _lines_of(self.below, max((text.row for text in self.below), default=0))


@dataclass(frozen=True)
class Position:
    """Cells of a table and of the lines around it in a file. Rows and columns are counted from 1.

    Attributes
    ----------
    row, column : int
        First cell of the table with its headings.
    above : tuple of (int, int)
        Cell of each line above the table.
    below : tuple of (int, int)
        Cell of each line below the table. Its row is counted from the last row of the table.
    """

    row: int
    column: int
    above: tuple[Cell, ...] = ()
    below: tuple[Cell, ...] = ()

    @property
    def is_repeated(self) -> bool:
        """Whether a release is written at this position, which has not too many blank rows and columns."""
        rows = [row for row, _ in (*self.above, *self.below)]
        columns = [column for _, column in (*self.above, *self.below)]
        return max(self.row, *rows, 0) <= MOST_ROWS and max(self.column, *columns, 0) <= MOST_COLUMNS

    def to_state(self) -> list[list[int]]:
        """Return plain values for a link: the cell of the table, and those of the lines above and below.

        Examples
        --------
        >>> Position(3, 2, ((1, 2),)).to_state()
        [[3, 2], [1, 2], []]
        """
        above, below = ([number for cell in cells for number in cell] for cells in (self.above, self.below))
        return [[self.row, self.column], above, below]

    @classmethod
    def from_state(cls, saved: Sequence[Sequence[int]]) -> Self:
        """Return the position from plain values.

        Examples
        --------
        >>> Position.from_state([[3, 2], [1, 2], []]) == Position(3, 2, ((1, 2),))
        True
        """
        (row, column), *texts = [list(map(int, numbers)) for numbers in saved]
        above, below = (tuple(zip(numbers[::2], numbers[1::2], strict=True)) for numbers in texts)
        position = cls(row, column, above, below)
        rows = [number for number, _ in above]
        is_ordered = rows == sorted(set(rows)) and all(number < row for number in rows)
        if min(row, column, *(number for cell in (*above, *below) for number in cell)) < 1 or not is_ordered:
            raise InputError("The link is damaged: the position of its table is not in a file.")
        return position

    def placement(
        self, above: Sequence[str], below: Sequence[str], notes: Sequence[str], *, blank_rows: int
    ) -> Placement:
        """Return the cells in which a release is written.

        Parameters
        ----------
        above : sequence of str
            Text in place of each line above the table, "" for a line that is not published; or other titles.
        below : sequence of str
            Text in place of each line below the table, "" for a line that is not published.
        notes : sequence of str
            Further lines below those of the file.
        blank_rows : int
            Number of blank rows below other titles, if the file has too few rows above the table for the titles.

        Examples
        --------
        >>> position = Position(4, 2, ((1, 2), (3, 2)), ((1, 2),))
        >>> arranged = position.placement(["", "2024"], ["us"], ["Rounded."], blank_rows=0)
        >>> arranged.row, arranged.above, [text.row for text in arranged.below]
        (4, (PlacedText(row=3, column=2, text='2024'),), [1, 2])
        """
        row, cells = self.row, self.above
        if len(above) != len(cells):
            cells = tuple((number, self.column) for number in range(1, len(above) + 1))
            row = self.row if len(above) < self.row else len(above) + blank_rows + 1
        first = max((number for number, _ in self.below), default=1) + 1
        further = [PlacedText(number, self.column, text) for number, text in enumerate(notes, start=first)]
        return Placement(row, self.column, _texts(cells, above), (*_texts(self.below, below), *further))


def _texts(cells: Sequence[Cell], texts: Sequence[str]) -> tuple[PlacedText, ...]:
    """Return the published texts in their cells."""
    return tuple(PlacedText(*cell, text) for cell, text in zip(cells, texts, strict=True) if text)


def _lines_of(texts: Sequence[PlacedText], number: int) -> Iterator[list[Any]]:
    """Yield a number of lines, which are blank or have one text."""
    by_row = {text.row: text for text in texts}
    for row in range(1, number + 1):
        text = by_row.get(row)
        yield [] if text is None else [*[""] * (text.column - 1), text.text]
