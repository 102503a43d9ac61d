"""Writer of delimited text, used for all CSV files of the package."""

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

#: Significant digits of a number in a file. Further digits are rounding errors that depend on the addends and
#: their order, so they could disclose a suppressed addend.
DIGITS = 15

_escaped = lru_cache(maxsize=65_536)(for_spreadsheet)


class _Lines(list[str]):
    """Collector of the lines of `csv.writer`, each with one line feed at its end."""

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
    """Return lines as CSV text, and write them to a file if a path is given.

    Cells with line feeds or carriage returns are quoted, so that they do not start a new line. Numbers have 15
    significant digits, and missing values are empty cells.

    Parameters
    ----------
    lines : iterable of iterable
        Rows of cells.
    path : str or path, optional
        File to write.
    escape : bool
        Insert an apostrophe before each text that a spreadsheet would read as a formula.
    quote_texts : bool
        Quote all texts, which marks a table of counts written by `FrequencyTable.to_csv`.
    internal : bool
        Add the first line that marks an internal file.

    Examples
    --------
    >>> print(csv_text([["Area", "=1+1"], ["A, B", 3]]), end="")
    Area,'=1+1
    "A, B",3
    """
    written = _Lines()
    # With this line end `csv.writer` quotes both line feeds and carriage returns. `_Lines` shortens it.
    writer = csv.writer(
        written, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC if quote_texts else csv.QUOTE_MINIMAL
    )
    for line in lines:
        writer.writerow([_cell(value, escape) for value in line])
    text = "".join(written)
    return put_too(internal_text(text, ".csv") if internal else text, path)


def lines_of(frame: pd.DataFrame, *, single_lines: bool = False) -> Iterator[Iterable[object]]:
    r"""Yield the column names of a frame and then its rows, without the index.

    Parameters
    ----------
    frame : DataFrame
        Frame to write.
    single_lines : bool
        Replace line ends in texts by \\r and \\n. A log has one line per request, whatever the request contains.
    """
    yield list(frame)
    for row in frame.astype(object).itertuples(index=False, name=None):
        yield map(_on_one_line, row) if single_lines else row


def _on_one_line(value: object) -> object:
    return value.replace("\r", "\\r").replace("\n", "\\n") if isinstance(value, str) else value


def _cell(value: object, escape: bool) -> object:
    """Return a value in the form that `csv.writer` writes."""
    if isinstance(value, str):
        return _escaped(value) if escape else value
    if isinstance(value, float):
        return "" if value != value else float(f"{value:.{DIGITS}g}")
    return "" if type(value).__name__ in ("NAType", "NaTType") else value
