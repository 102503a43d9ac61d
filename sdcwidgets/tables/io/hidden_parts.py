"""Doubts about the hidden rows, columns and sheets of a workbook: a person does not see what the import reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, count_in, quoted
from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.options import Choice, ReadOptions, choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of rows, columns or sheets that a doubt names.
_MOST_NAMED = 6

#: Maximum number of rows and of hidden sheets that are searched for a table, and minimum number of its rows.
_MOST_ROWS, _MOST_SHEETS, _LEAST_ROWS = 200, 20, 2


def hidden_doubts(
    file: Format, name: str, sheet: SheetCells, table: FrequencyTable, how: ReadOptions
) -> list[Doubt]:
    """Return the doubts about the hidden parts of a workbook.

    A sheet that the options name is no doubt, and then other sheets are none either.

    Parameters
    ----------
    file : Format
    name : str
        Name of the sheet that was read.
    sheet : SheetCells
        The sheet, after its rows have been read.
    table : FrequencyTable
        The table that was read.
    how : ReadOptions

    Returns
    -------
    list of Doubt
    """
    if sheet.own:
        return []
    hidden = {kind: sorted(numbers) for kind, numbers in sheet.hidden().items()}
    doubts = list[Doubt]()
    if any(hidden.values()):
        rows = list(file.sheet(name).rows)
        doubts += _doubts_about_lines(rows, table, hidden)
    return doubts if how.sheet else [*doubts, *_doubts_about_sheets(file, name)]


def _doubts_about_lines(
    rows: Sequence[Row], table: FrequencyTable, hidden: dict[str, list[int]]
) -> Iterator[Doubt]:
    """Yield a doubt about the hidden rows of a table, and a doubt about its hidden columns."""
    labels = {label for axis in table.axes for label in axis.labels}
    for kind in ("row", "column"):
        names = dict[int, str]()
        for number in hidden.get(kind, ()):
            cells = rows[number - 1 : number] if kind == "row" else [_column(rows, number)]
            texts = [label_of(cell).strip() for line in cells for cell in line]
            if _is_of_table(texts, labels, table.total if kind == "column" else -1):
                names[number] = next((text for text in texts if text), "")
        if names:
            first, noun = next(iter(names)), kind.capitalize()
            listed = [f"{number:,} ({quoted(text)})" for number, text in names.items()]
            are = (
                f"{noun} {listed[0]} is"
                if len(names) == 1
                else f"{noun}s {and_more(listed, _MOST_NAMED)} are"
            )
            yield doubt(
                f"hidden {kind}s",
                choice_of("doubts"),
                named=are,
                them="it" if len(names) == 1 else "them",
                numbers=tuple(names),
                first=first,
                axis="",
            )


def _column(rows: Sequence[Row], number: int) -> Row:
    return [row[number - 1] if number <= len(row) else None for row in rows]


def _is_of_table(texts: Sequence[str], labels: set[str], total: int) -> bool:
    """Return whether a line has a label of the table and numbers, only labels, or the counts of a long table."""
    numbers = [number for number in map(count_in, texts) if not isinstance(number, str)]
    return any(text in labels for text in texts) or (bool(numbers) and sum(numbers) in (total, 2 * total))


def _doubts_about_sheets(file: Format, name: str) -> Iterator[Doubt]:
    """Yield the doubt about a hidden sheet that is read, or about hidden sheets with tables that are not read."""
    hidden = [sheet for sheet in file.names() if sheet not in file.visible()]
    choices = (Choice("sheet", {sheet: sheet for sheet in file.names()}), choice_of("doubts"))
    if name in hidden:
        yield doubt("hidden sheet", *choices, named=quoted(name), axis="")
        return
    tables = [sheet for sheet in hidden[:_MOST_SHEETS] if _has_table(file, sheet)]
    if tables:
        names = and_more(list(map(quoted, tables)), _MOST_NAMED)
        are = f"sheet {names} is" if len(tables) == 1 else f"sheets {names} are"
        yield doubt("hidden sheets", *choices, named=are, axis="")


def _has_table(file: Format, name: str) -> bool:
    """Return whether a sheet has rows with a label and a number."""
    try:
        rows = list(islice(file.sheet(name).rows, _MOST_ROWS))
    except InputError:
        return False
    number = 0
    for row in rows:
        texts = [text for text in (label_of(cell).strip() for cell in row) if text]
        are_texts = [isinstance(count_in(text), str) for text in texts]
        number += any(are_texts) and not all(are_texts)
    return number >= _LEAST_ROWS
