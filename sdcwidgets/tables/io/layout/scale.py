"""What is said outside of the numbers of how large they are: in a title, a unit, a power of ten."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.layout.sheet import Decisions
from sdcwidgets.tables.io.layout.totals import TOTALS
from sdcwidgets.tables.io.layout.words import has, says, words
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.questions import doubt

_THOUSANDS = re.compile(
    rf"(\(|\bin |\ben |,\s?|\bx ?)(in |en |x ?)?({words('thousand')}|1[ .,]?000s?)\)?|['’]000s?\b",
    re.IGNORECASE,
)

#: A power of ten in digits, as in "1 000 persons", "'000", "10^3" and "per 100".
_POWER = re.compile(r"(?<![\d.,])(?:1(?:[ .,'’\u00a0\u202f]?0{2,3})+|'?0{3}|10\^\d)(?!\d)")


def says_thousands(text: str) -> bool:
    """Return whether a text says that numbers are in thousands.

    Examples
    --------
    >>> says_thousands("(Numbers in thousands.)"), says_thousands("Population '000"), says_thousands("Thousand Oaks")
    (True, True, False)
    """
    return _THOUSANDS.search(text) is not None


def thousands(where: str, text: str, how: ReadOptions) -> Decisions:
    """Return what becomes of numbers of which a text outside of them says that they are in thousands.

    Raises
    ------
    InputError
        If what is no people is to be left out.
    """
    if how.unit > 1:
        return Decisions()  # a layout multiplies the numbers
    if how.margins == "keep":
        note = (
            f"{where} has the unit {quoted(text)}, so the numbers may not be numbers of people. The import "
            f"used the numbers as numbers of people."
        )
        return Decisions([note], [replace(TOTALS, chosen=("keep",))])
    if how.margins == "drop":
        raise InputError(
            f"{where} has the unit {quoted(text)}, so the numbers are not single people. Load unscaled counts."
        )
    facts = {"where": where, "words": quoted(text), "unit": unit_in(text)}
    return Decisions(doubts=[doubt("thousands", TOTALS, **facts)])


def unit_in(text: str) -> int:
    """Return the number of people for which 1 stands, by a text that says that numbers are no single people.

    Examples
    --------
    >>> unit_in("In thousands"), unit_in("1 000 000 persons"), unit_in("10^6"), unit_in("3")
    (1000, 1000000, 1000000, 1000)
    """
    power = _POWER.search(text)
    if power is None:
        return 10 ** int(text) if text.isdecimal() and len(text) == 1 else 1000
    if "^" in power[0]:
        return int(10 ** int(power[0].partition("^")[2]))
    return int("1" + "".join([digit for digit in power[0] if digit == "0"]))


def is_scaled_unit(unit: str) -> bool:
    """Return whether a unit says that numbers are no single people; its digits need no words.

    Examples
    --------
    >>> is_scaled_unit("1 000 personer"), is_scaled_unit("tys. osób"), is_scaled_unit("Personen"), is_scaled_unit("")
    (True, True, False, False)
    """
    return _POWER.search(unit) is not None or has("thousand", unit)


def scaled(name: str, labels: Iterable[str]) -> str:
    """Return the label by which a column of units or powers of ten says that numbers are no single people.

    Examples
    --------
    >>> scaled("UNIT_MULT", ["3"]), scaled("unit", ["THS_PER"]), scaled("unit", ["NR"]), scaled("UNIT_MULT", ["0"])
    ('3', 'THS_PER', '', '')
    """
    if says("power", name):
        return next((label for label in labels if label.isdigit() and int(label) > 0), "")
    return next((label for label in labels if is_scaled_unit(label.replace("_", " "))), "")
