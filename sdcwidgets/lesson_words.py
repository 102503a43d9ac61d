"""What a lesson says about a row of counts: each quantity as a bar, a number and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from sdcwidgets.assess import Assessment
from sdcwidgets.words import ROLES, Line, Piece, entropy_of, formula

__all__ = ["READINGS", "Reading"]


class Reading(NamedTuple):
    """A quantity of a table.

    Attributes
    ----------
    label, text : str
        Its name and its value.
    parts : tuple of (share, role)
        The bar: what part of its full length each piece takes, and the role that colours it.
    formula : list of Piece
        How the value comes about, with the numbers put in.
    """

    label: str
    text: str
    parts: tuple[tuple[float, str], ...]
    formula: Line


def _guess(result: Assessment) -> Reading:
    largest, people = int(result.table.counts.max()), result.table.total
    share = largest / people
    words = f"people in the largest cell ÷ all people = {largest:,}/{people:,}"
    return Reading("Chance of the best guess", f"{share:.4f}", ((share, ""),), [Piece(words)])


def _entropy(result: Assessment) -> Reading:
    most, entropy = float(np.log(result.table.cells)), entropy_of(result.whole, 0)
    words = f"from 0 to log {result.table.cells} = {most:.4f}"
    return Reading("Entropy H", f"{entropy:.4f}", ((entropy / most, ""),), [Piece(words)])


def _zeros(result: Assessment) -> Reading:
    whole = result.whole
    return _term(result, 0, "Zeros x₁", f"empty cells ÷ all cells = {whole.zeros[0]}/{whole.cells}")


def _unevenness(result: Assessment) -> Reading:
    entropy, cells = entropy_of(result.whole, 0), result.whole.cells
    return _term(result, 1, "Unevenness x₂", f"1 − H/log K = 1 − {entropy:.4f}/{np.log(cells):.4f}")


def _size(result: Assessment) -> Reading:
    return _term(result, 2, "Small size x₃", f"h₂(N) for N = {int(result.whole.people[0]):,}")


def _term(result: Assessment, index: int, label: str, words: str) -> Reading:
    value, role = float(result.whole.terms[0, index]), ROLES[index]
    return Reading(label, f"{value:.4f}", ((value, role),), [Piece(words, role)])


def _risk(result: Assessment) -> Reading:
    weighted = (result.whole.terms[0] * result.settings.weights).tolist()
    parts = tuple(zip(weighted, ROLES, strict=True))
    return Reading("Risk R₁", f"{result.whole.r1[0]:.4f}", parts, formula(result, result.whole))


def _weight_free(result: Assessment) -> Reading:
    value = float(result.whole.r1_star[0])
    squares = " + ".join(f"{x:.4f}²" for x in result.whole.terms[0])
    return Reading("Risk without weights R₁*", f"{value:.4f}", ((value, ""),), [Piece(f"√(({squares})/3)")])


#: Every quantity that a lesson can show, by name.
READINGS: Mapping[str, Callable[[Assessment], Reading]] = MappingProxyType(
    {
        "guess": _guess,
        "entropy": _entropy,
        "zeros": _zeros,
        "unevenness": _unevenness,
        "size": _size,
        "risk": _risk,
        "weight-free": _weight_free,
    }
)
