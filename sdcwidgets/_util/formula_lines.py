"""Lines of a formula with numbers: a line is a list of pieces, and a piece is a text with a role."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

#: Roles of the terms of the risk; each role has one colour in all displays.
ROLES = ("zeros", "unevenness", "size")


class Piece(NamedTuple):
    """Piece of a formula: its text and its role ("" for none)."""

    text: str
    role: str = ""


Line: TypeAlias = list[Piece]


def text_lines(*sentences: str) -> list[Line]:
    """Return one line per sentence.

    Examples
    --------
    >>> [line[0].text for line in text_lines("First.", "Second.")]
    ['First.', 'Second.']
    """
    return [[Piece(sentence)] for sentence in sentences]


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign (a true minus), without sign if it is rounded to 0.

    Examples
    --------
    >>> signed(2), signed(-1234.56, 1), signed(-0.01, 1)
    ('+2', '−1,234.6', '0.0')
    """
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if rounded else ''},.{digits}f}".replace("-", "−")
