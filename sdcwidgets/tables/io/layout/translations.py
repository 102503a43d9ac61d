"""Recognise texts that a sheet repeats in a second language, by their scripts."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence
from functools import cache

#: Marks between the same text in two languages.
_BETWEEN = "/|\n"

#: Minimum number of different headings of a line with translations.
_LEAST_DIFFERENT = 2


@cache
def _script_of(letter: str) -> str:
    """Return the script of a letter, such as "LATIN"; Chinese and Japanese letters are of one script."""
    script = unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""
    return "CJK" if script in ("HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH") else script


def scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of the letters of a text.

    Examples
    --------
    >>> scripts_of("男"), scripts_of("0-14"), sorted(scripts_of("合計 Total"))
    (frozenset({'CJK'}), frozenset(), ['CJK', 'LATIN'])
    """
    return frozenset(map(_script_of, text)) - {""}


def are_translations(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Return whether the texts of a line are those of the line above in another script.

    Examples
    --------
    >>> are_translations(["Area", "M", "F", "M", "F"], ["", "ذكور", "إناث", "ذكور", "إناث"])
    True
    >>> are_translations(["地区", "男", "女"], ["", "人", "人"]), are_translations(["", "M", "F"], ["Area", "m", "f"])
    (False, False)
    """
    pairs = {
        (over, below) for over, below in itertools.zip_longest(upper, lower, fillvalue="") if over and below
    }
    filled = sum(map(bool, lower))
    if len(pairs) < _LEAST_DIFFERENT or filled != sum(map(bool, lower[: len(upper)])):
        return False
    is_complete = all(over for over, below in zip(upper, lower, strict=False) if below)
    is_paired = len({over for over, _ in pairs}) == len({below for _, below in pairs}) == len(pairs)
    differ = [bool(scripts_of(over)) and _are_apart(over, below) for over, below in pairs]
    same = [over == below for over, below in pairs]
    each = all(is_other or is_equal for is_other, is_equal in zip(differ, same, strict=True))
    return is_complete and is_paired and each and sum(differ) >= _LEAST_DIFFERENT


def _are_apart(over: str, below: str) -> bool:
    """Return whether two texts with letters have no script in common."""
    return bool(scripts_of(below)) and not scripts_of(over) & scripts_of(below)


def in_languages(label: str) -> list[str]:
    """Return the texts of a label in several languages, which marks or their scripts divide; else the label alone.

    Examples
    --------
    >>> in_languages("合 計 Total"), in_languages("Ukupno / Total"), in_languages("Total")
    (['合 計', 'Total'], ['Ukupno', 'Total'], ['Total'])
    """
    for mark in _BETWEEN:
        label = label.replace(mark, "\n")
    texts, script = [""], ""
    for letter in label:
        new = _script_of(letter)
        if letter == "\n" or (new and script and new != script):
            texts.append("")
        script = new or script
        texts[-1] += letter
    return [text.strip() for text in texts if text.strip()]
