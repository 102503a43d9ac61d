"""Texts of a source that its published files repeat, and the caution about them.

A release is computed from the counts of a table, but its titles, notes and labels are written by people. Such a text
can contain a count, for example "Table of 37 people, of whom 2 moved". No program can decide whether it does, so an
agency reads these texts before publication. This module lists the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sdcwidgets._util.labels import counted, quoted

#: Maximum number of texts that a caution lists.
MOST_LISTED = 6

_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand nobody none"
)

#: A number in digits or in words.
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_WORDS.split())})\b", re.IGNORECASE)

#: A number in a label that is likely to be a count: in brackets, or after "n =".
_COUNT = re.compile(r"[(\[]\s*(?:n\s*=\s*)?\d[\d,. ]*[)\]]|\bn\s*=\s*\d", re.IGNORECASE)


def copied_texts(titles: Iterable[str], lines: Iterable[str], labels: Iterable[str]) -> list[str]:
    """Return the texts of a source that its published files repeat and that can contain a count.

    Parameters
    ----------
    titles : iterable of str
        Title of the table and source of the data. They are listed if they contain a number.
    lines : iterable of str
        Lines above and below the table. All of them are listed.
    labels : iterable of str
        Names of axes and categories. They are listed if they contain a number in brackets or after "n =".

    Returns
    -------
    list of str
        Different texts.

    Examples
    --------
    >>> copied_texts(["Table of 37 people", "Areas"], ["Source: office"], ["North (n = 5)", "16 to 24"])
    ['Table of 37 people', 'Source: office', 'North (n = 5)']
    """
    numbered = [text for text in titles if _NUMBER.search(text)]
    counts = [text for text in labels if _COUNT.search(text)]
    return list(dict.fromkeys([*numbered, *lines, *counts]))


def copied_text_caution(titles: Iterable[str], lines: Iterable[str], labels: Iterable[str]) -> str:
    """Return the caution about the texts that published files repeat, "" if there are none.

    The caution is internal, because it is a warning to the agency.

    Parameters
    ----------
    titles : iterable of str
        Title of the table and source of the data. They are listed if they contain a number.
    lines : iterable of str
        Lines above and below the table. All of them are listed.
    labels : iterable of str
        Names of axes and categories. They are listed if they contain a number in brackets or after "n =".

    Examples
    --------
    >>> copied_text_caution(["Areas"], [], ["North", "South"])
    ''
    """
    texts = copied_texts(titles, lines, labels)
    if not texts:
        return ""
    listed = "; ".join(map(quoted, texts[:MOST_LISTED]))
    more = len(texts) - MOST_LISTED
    others = f"; and {counted(more, 'more text')}" if more > 0 else ""
    return (
        f"Text copied from the input: {listed}{others}. Read this text before publication, "
        "because it can contain a count."
    )
