"""A sheet of a workbook whose rows are stored while its file is parsed, with its hidden rows and columns."""

from __future__ import annotations

from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import Row, Rows, SheetCells, blank_rows, hidden_note


class StoredSheet:
    """The rows of a sheet up to the last filled row, and its hidden parts.

    Attributes
    ----------
    rows : list of list
        The rows from row 1 on.
    is_visible : bool
        Whether the sheet is not hidden.

    Examples
    --------
    >>> sheet = StoredSheet()
    >>> sheet.add_row(2, ["A", 3], is_hidden=True)
    >>> sheet.rows, sheet.hidden()
    ([[], ['A', 3]], {'row': {2}, 'column': set()})
    """

    def __init__(self) -> None:
        self.rows: Rows = []
        self.is_visible = True
        self._hidden_rows: set[int] = set()
        self._hidden_columns = list[tuple[int, int]]()

    def add_row(self, number: int, row: Row, repeats: int = 1, *, is_hidden: bool) -> None:
        """Add a filled row with its number from 1, which is repeated a number of times."""
        self.rows += blank_rows(max(number - 1 - len(self.rows), 0))
        if is_hidden:
            self._hidden_rows.update(range(len(self.rows) + 1, len(self.rows) + repeats + 1))
        self.rows += [row] * repeats

    def hide_columns(self, first: int, last: int) -> None:
        """Store that the columns from `first` to `last` are hidden."""
        self._hidden_columns.append((first, last))

    def hidden(self) -> dict[str, set[int]]:
        """Return the numbers from 1 of the hidden rows and columns with cells."""
        width = max(map(len, self.rows), default=0) if self._hidden_columns else 0
        numbers = {n for first, last in self._hidden_columns for n in range(first, min(last, width) + 1)}
        filled = {
            n for n in numbers if any(n <= len(row) and row[n - 1] not in (None, "") for row in self.rows)
        }
        return {"row": self._hidden_rows, "column": filled}

    def cells(self, name: str) -> SheetCells:
        """Return the cells of the sheet with this name."""
        return SheetCells(
            [list(row) for row in self.rows],
            typed=True,
            remarks=lambda: hidden_note(self.hidden(), f"The sheet {quoted(name)}"),
            hidden=self.hidden,
        )
