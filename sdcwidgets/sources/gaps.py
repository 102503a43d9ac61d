"""Texts that stand in published tables where a number isn't published."""

from __future__ import annotations

import re

__all__ = ["gap_in"]

#: What statistical offices write for it: confidential, not available, rounded to nothing, or a range.
_GAPS = re.compile(
    r"\[?(c|x|z|u|s|n|na|n/a|low)\]?|\.{1,3}|…|[-–—−]|\*{1,3}|:|#|•|[<≤]\s?\d+|[>≥]\s?\d+|\d+\s?[-–—]\s?\d+",
    re.IGNORECASE,
)


def gap_in(cell: object) -> str | None:
    """Return the text of a gap, or None where the cell is no gap.

    >>> gap_in(" c "), gap_in("<5"), gap_in("1-4"), gap_in("12"), gap_in("few")
    ('c', '<5', '1-4', None, None)
    """
    text = cell.strip() if isinstance(cell, str) and len(cell) < 20 else ""
    return text if _GAPS.fullmatch(text) else None
