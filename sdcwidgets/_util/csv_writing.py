"""Writer of delimited text: the one function that writes the cells of all CSV files of the project."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING

from sdcwidgets._util.files import put_too
from sdcwidgets._util.labels import for_spreadsheet
from sdcwidgets._util.publication import internal_text

if TYPE_CHECKING:
    import pandas as pd

#: Significant digits of a number in a file. The digits after them are errors of binary addition, which depend on the
#: addends and on their order, so that they could disclose a suppressed addend.
DIGITS = 15

_escaped = lru_cache(maxsize=65_536)(for_spreadsheet)


class _Lines(list[str]):
    """Lines that `csv.writer` writes, each with one line feed at its end."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def csv_text(
    lines: Iterable[Iterable[object]],
    path: str | PathLike[str] | None = None,
    *,
    escape: bool = True,
    quote_texts: bool = False,
    internal: bool = False,
) -> str:
    """Return lines as CSV text, and write it to a file if a path is given.

    A cell with a line feed or a carriage return is in quotes, so that it begins no line of its own. Numbers have
    15 significant digits, and a missing value is an empty cell.

    Parameters
    ----------
    lines : iterable of iterable
        Rows of cells.
    path : str or path, optional
    escape : bool
        Whether each text that a spreadsheet would take for a formula gets an apostrophe before it.
    quote_texts : bool
        Whether all texts are in quotes, which marks a table of counts that `FrequencyTable.to_csv` wrote.
    internal : bool
        Whether the first line says that the file is internal.

    Examples
    --------
    >>> print(csv_text([["Area", "=1+1"], ["A, B", 3]]), end="")
    Area,'=1+1
    "A, B",3
    """
    written = _Lines()
    # This line end makes `csv.writer` quote line feeds and carriage returns alike. `_Lines` shortens it.
    writer = csv.writer(
        written, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC if quote_texts else csv.QUOTE_MINIMAL
    )
    for line in lines:
        writer.writerow([_cell(value, escape) for value in line])
    text = "".join(written)
    return put_too(internal_text(text, ".csv") if internal else text, path)


def lines_of(frame: pd.DataFrame, *, single_lines: bool = False) -> Iterator[Iterable[object]]:
    r"""Yield the names of the columns of a frame and then its rows, without its index.

    Parameters
    ----------
    frame : DataFrame
    single_lines : bool
        Whether line ends in texts become \\r and \\n. A log has one line per request, whatever was requested.
    """
    yield list(frame)
    for row in frame.astype(object).itertuples(index=False, name=None):
        yield map(_on_one_line, row) if single_lines else row


def _on_one_line(value: object) -> object:
    return value.replace("\r", "\\r").replace("\n", "\\n") if isinstance(value, str) else value


def _cell(value: object, escape: bool) -> object:
    """Return a value as `csv.writer` writes it."""
    if isinstance(value, str):
        return _escaped(value) if escape else value
    if isinstance(value, float):
        return "" if value != value else float(f"{value:.{DIGITS}g}")
    return "" if type(value).__name__ in ("NAType", "NaTType") else value
