"""Texts that stand in published tables where a number isn't published."""

from __future__ import annotations

import re

#: What statistical offices write for it: confidential, not available, rounded to nothing, or a range.
_GAPS = re.compile(
    r"\[?(c|x|z|u|s|n|na|n/a|low)\]?|\.{1,3}|…|[-–—−]|\*{1,3}|:|#|•|/|[<≤]\s?\d+|[>≥]\s?\d+|\d+\s?[-–—]\s?\d+",
    re.IGNORECASE,
)


#: A range, which may be a published count as well as a group of ages.
_RANGE = re.compile(r"\d+\s?[-–—]\s?\d+|[<≤>≥]\s?\d+")


def range_in(cell: object) -> bool:
    """Return whether a cell is a range: a count that is not published, or a label such as an age group.

    Examples
    --------
    >>> range_in("0-17"), range_in("c")
    (True, False)
    """
    return _RANGE.fullmatch(missing_in(cell) or "") is not None


def missing_in(cell: object) -> str | None:
    """Return the text of a gap, or None where the cell is no gap.

    Examples
    --------
    >>> missing_in(" c "), missing_in("<5"), missing_in("1-4"), missing_in("12"), missing_in("few")
    ('c', '<5', '1-4', None, None)
    """
    text = cell.strip() if isinstance(cell, str) and len(cell) < 20 else ""
    return text if _GAPS.fullmatch(text) else None
