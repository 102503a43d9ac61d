"""Read texts in place of counts, such as "-", as 0 or another count, and list these texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

from sdcwidgets._util.labels import count_in
from sdcwidgets.tables.io.formats.base import Format, SheetCells
from sdcwidgets.tables.io.formats.base import of as format_of
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import is_blank, label_of, missing_in


class FilledFile(Format):
    """A file in which a text in place of a count, such as "-", is read as 0 or another count.

    Attributes
    ----------
    texts : list of str
        The texts that were replaced, each once, "" for an empty cell.
    first : tuple of int
        Row and column of the first replaced text, from 1.
    """

    name, title, suffixes = "filled", "", ()

    def __init__(self, file: Format, fill: int = 0) -> None:
        self._file, self._fill, self.texts, self.first = file, fill, list[str](), (0, 0)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return False, because no content begins as a filled file."""
        return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file with a content, which is opened by its format."""
        return cls(format_of(content).opened(content, name, limit))

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets."""
        return self._file.names()

    def tried(self) -> Iterator[str]:
        """Yield the names of the sheets in the order in which a table is searched."""
        yield from self._file.tried()

    def sheet(self, name: str) -> SheetCells:
        """Return a sheet with a count in place of each text in a row and a column with counts."""
        sheet = self._file.sheet(name)
        rows = [list(row) for row in sheet.rows]
        numbers = [[is_count(cell) for cell in row] for row in rows]
        first = next((i for i, line in enumerate(numbers) if any(line[1:])), len(rows))
        with_counts = {j for line in numbers[first:] for j, is_count in enumerate(line) if is_count and j}
        for i in range(first, len(rows)):
            if not any(numbers[i][1:]) and sum(not is_blank(cell) for cell in rows[i]) < 2:
                continue  # a note below the table
            for j in with_counts & set(range(len(rows[i]))):
                cell = rows[i][j]
                if missing_in(cell) or is_blank(cell):
                    text = label_of(cell).strip()
                    if not self.texts:
                        self.first = (i + 1, j + 1)
                    if text not in self.texts:
                        self.texts.append(text)
                    rows[i][j] = str(self._fill) if isinstance(self._file, DelimitedText) else self._fill
        return replace(sheet, rows=rows)


def is_count(cell: object) -> bool:
    """Return whether a cell is a count.

    Examples
    --------
    >>> is_count("12"), is_count(""), is_count("12.5")
    (True, False, False)
    """
    return not is_blank(cell) and not isinstance(count_in(cell), str)
