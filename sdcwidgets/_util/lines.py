"""Lines of a formula with numbers in it: a line is a list of pieces, a piece a text and the role that colours it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

#: The role of each term of the risk; a role has one colour everywhere.
ROLES = ("zeros", "unevenness", "size")


class Piece(NamedTuple):
    """A piece of a formula: its text and its role, "" for none."""

    text: str
    role: str = ""


Line: TypeAlias = list[Piece]


def text_lines(*sentences: str) -> list[Line]:
    """Return a line for each sentence."""
    return [[Piece(sentence)] for sentence in sentences]


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign, a true minus; one that rounding makes 0 has none.

    >>> signed(2), signed(-1234.56, 1), signed(-0.01, 1)
    ('+2', '−1,234.6', '0.0')
    """
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if rounded else ''},.{digits}f}".replace("-", "−")
