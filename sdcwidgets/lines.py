"""Lines of a formula with numbers in it: a line is a list of pieces, a piece a text and the role that colours it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = ["ROLES", "Line", "Piece", "said"]

#: The role of each term of the risk; a role has one colour everywhere.
ROLES = ("zeros", "unevenness", "size")


class Piece(NamedTuple):
    """A piece of a formula: its text and its role, "" for none."""

    text: str
    role: str = ""


Line: TypeAlias = list[Piece]


def said(*sentences: str) -> list[Line]:
    """Return a line for each sentence."""
    return [[Piece(sentence)] for sentence in sentences]
