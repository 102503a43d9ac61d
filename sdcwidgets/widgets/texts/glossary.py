"""Glossary of terms and symbols: each occurrence in a text is a button that shows its entry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from sdcwidgets import measures
from sdcwidgets._util.formula_lines import Line, Piece, text_lines
from sdcwidgets.assessment.search import step_of

#: Role of a piece that is a button for its glossary entry.
WORD = "word"


@dataclass(frozen=True)
class Entry:
    """A glossary entry.

    Attributes
    ----------
    word : str
        Heading of the entry: the symbol, or the term if there is no symbol.
    meaning : str
        Definition in one or more sentences; with a symbol, it begins with the term and a colon.
    formula, source : str
        Formula and reference, "" if there is none.
    also : tuple of str
        Other spellings.
    linked : bool
        Whether occurrences in texts are buttons. This is False for words with other meanings.
    """

    word: str
    meaning: str
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    linked: bool = True

    def lines(self) -> list[Line]:
        """Return the entry as lines for a dialog."""
        parts = (self.meaning, self.formula, f"Source: {self.source}." if self.source else "")
        lines = [part for part in parts if part]
        return text_lines(*lines)


_MEASURED = {
    "risk": "A higher value means a higher disclosure risk.",
    "protection": "A higher value means a lower disclosure risk.",
    "loss": "A higher value means a greater information loss.",
    "utility": "A higher value means a more useful table.",
}


def _written() -> Iterator[Entry]:
    """Yield the entries of glossary.toml."""
    for fields in tomllib.loads(files(__package__).joinpath("glossary.toml").read_text("utf-8"))["entry"]:
        term, symbol, definition = fields.pop("term"), fields.pop("symbol", ""), fields.pop("definition")
        if fields.pop("threshold", False):
            definition += f" The threshold is set in step {step_of(symbol)} of 15."
        meaning = f"{term}: {definition}" if symbol else definition
        yield Entry(symbol or term, meaning, **fields | {"also": tuple(fields.get("also", ()))})


@cache
def entries() -> dict[str, Entry]:
    """Return every entry by each of its spellings: those of glossary.toml, and one for each measure."""
    collected = list(_written())
    for name in measures.available():
        cls = measures.get(name)
        word = cls.symbol or cls.label
        if word not in {known.word for known in collected}:
            summary = (cls.__doc__ or "").strip().splitlines()[0]
            meaning = (
                summary
                if word == cls.label or summary.startswith(f"{cls.label}:")
                else f"{cls.label}: {summary}"
            )
            collected.append(Entry(word, f"{meaning} {_MEASURED[cls.direction]}", "", cls.source))
    return {spelling: known for known in collected for spelling in (known.word, *known.also)}


def entry(word: str) -> Entry | None:
    """Return the entry of a word or symbol, None if there is none.

    Examples
    --------
    >>> entry("x₂").meaning.partition(":")[0]
    'Unevenness'
    """
    return entries().get(word)


def all_words(here: Iterable[str] = ()) -> list[Line]:
    """Return one line per glossary entry: first the terms in `here`, then all others, both in alphabetical order.

    Examples
    --------
    >>> [line[0].text for line in all_words(["R₁*", "GAD"])][:2]
    ['GAD', 'R₁*']
    """
    mine = {entries()[word].word for word in here if word in entries()}
    by_word = {known.word: known for known in entries().values()}
    words = sorted(by_word, key=lambda word: (word not in mine, word.casefold()))
    return [
        [Piece(word, WORD), Piece(f": {re.split(r'(?<=[.;]) ', by_word[word].meaning)[0].rstrip(';.')}.")]
        for word in words
    ]


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((word for word, known in entries().items() if known.linked), key=len, reverse=True)
    return re.compile(rf"(?<![\w|])(?:{'|'.join(map(re.escape, words))})(?![\w*])")


def linked(text: str) -> Line:
    """Return a text as pieces, in which the first occurrence of each glossary term is a button for its entry.

    Examples
    --------
    >>> [piece.text for piece in linked("R₁* = 0.4, R₁* again") if piece.role == WORD]
    ['R₁*']
    """
    pieces: Line = []
    end = 0
    linked_words = set()
    for match in _pattern().finditer(text):
        word = entries()[match[0]].word
        if word in linked_words:
            continue
        linked_words.add(word)
        pieces += [Piece(text[end : match.start()]), Piece(match[0], WORD)]
        end = match.end()
    return [piece for piece in (*pieces, Piece(text[end:])) if piece.text]


def markup(text: str) -> str:
    """Return a text as HTML with buttons for glossary terms; markup in the text is escaped.

    Examples
    --------
    >>> markup("<b> and ε")
    '&lt;b&gt; and <button type="button" class="sdc-word">ε</button>'
    """
    return "".join(
        f'<button type="button" class="sdc-word">{escape(piece.text)}</button>'
        if piece.role
        else escape(piece.text)
        for piece in linked(text)
    )
