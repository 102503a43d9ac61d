"""Recognise a file that this program has protected, where a command needs the original counts."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from sdcwidgets.cli._output import print_always

#: Maximum number of bytes of a file, and of each part of a workbook, that are searched.
_MOST_BYTES = 4_000_000


def warn_if_protected(file: str) -> None:
    """Print a warning if a file contains the note of a method below its table.

    Parameters
    ----------
    file : str
        Name of the file as on the command line; standard input, examples and addresses are not searched.
    """
    title = protecting_method(file)
    if title:
        print_always(
            f"Warning: {file} contains the note of a table that was protected before ({title}). FILE must be the table "
            f"of original counts; results for a protected table are wrong. To judge a protected table, use `sdcwidgets "
            f"assess ORIGINAL --protected {file}`."
        )


def protecting_method(file: str) -> str:
    """Return the title of the method whose note is in a file, "" without one."""
    from sdcwidgets import methods

    text = _text(file)
    for name in methods.available() if text else ():
        method = methods.get(name)()
        # The settings of the file may differ, so any number may be in place of a number of the note.
        pattern = re.sub(r"\d+", r"\\d+", re.escape(method.note()))
        if re.search(pattern, text):
            return method.title
    return ""


def _text(file: str) -> str:
    """Return the text of a file, or the texts of a workbook; "" if it cannot be read."""
    try:
        with Path(file).open("rb") as stream:
            content = stream.read(_MOST_BYTES)
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as book:
                parts = [part for part in book.namelist() if part.endswith(".xml")]
                content = b" ".join(book.open(part).read(_MOST_BYTES) for part in parts)
    except (OSError, ValueError, zipfile.BadZipFile):
        return ""
    return content.decode("utf-8", "replace")
