"""What labels and headings say, in the words of several languages; the words are data, in `words.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def words(kind: str) -> str:
    """Return a pattern of all words that say something, such as "total"."""
    known = _known()[kind]
    every = dict.fromkeys(word for language in known.values() for word in language)
    return "|".join(sorted(every, key=len, reverse=True)).replace(" ", r"\s+").replace(r"\s+?", r"\s*")


@cache
def _known() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


@cache
def _pattern(kind: str, around: str) -> re.Pattern[str]:
    return re.compile(around.replace("WORDS", f"(?:{words(kind)})"), re.IGNORECASE)


def says(kind: str, label: str) -> bool:
    """Return whether all of a label says something.

    Examples
    --------
    >>> says("total", "Insgesamt:"), says("total", "Total war")
    (True, False)
    """
    return _pattern(kind, "WORDS").fullmatch(label.strip(" :")) is not None


def has(kind: str, label: str) -> bool:
    """Return whether a word of a label says something.

    Examples
    --------
    >>> has("thousand", "Population (thousands)"), has("thousand", "Thousand Oaks Boulevard")
    (True, True)
    """
    return _pattern(kind, r"(?<!\w)WORDS(?!\w)").search(label) is not None


def begins(kind: str, label: str) -> bool:
    """Return whether the first words of a label say something.

    Examples
    --------
    >>> begins("part", "of which 80+"), begins("part", "80+")
    (True, False)
    """
    return _pattern(kind, r"\W*WORDS\b").match(label) is not None
