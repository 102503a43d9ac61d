"""What the words and symbols on the screens mean: each opens its entry where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape

from sdcwidgets import measures
from sdcwidgets.lines import Line, Piece, said
from sdcwidgets.search import step_of

__all__ = ["WORD", "Entry", "all_words", "entry", "linked", "markup"]

#: The role of a piece that opens its entry.
WORD = "word"


@dataclass(frozen=True)
class Entry:
    """A word and what it means.

    Attributes
    ----------
    word : str
        The word as it stands on the screens; `also` are other spellings of it.
    meaning : str
        What it means, in plain words.
    formula, source : str
        Its formula and where it is defined, "" for none.
    linked : bool
        Whether it opens where it stands in a text; a word that means other things too does not.
    """

    word: str
    meaning: str
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    linked: bool = True

    def lines(self) -> list[Line]:
        """Return the entry as lines for a dialog."""
        told = (self.meaning, self.formula, f"Source: {self.source}." if self.source else "")
        return said(*filter(None, told))


_PSD = "Antal, Shlomo and Elliot 2014 (PSD 2014)"
_THESIS = "Antal 2016 (thesis)"

_STEPS = f"{_THESIS}, section 5.2"

_WRITTEN = (
    Entry(
        "Weights",
        "How much each of the three terms of the risk counts: zeros, unevenness, small size. They sum to 1.",
        "R₁ = w₁·x₁ + w₂·x₂ + w₃·x₃",
        f"{_PSD}, equation (2)",
        linked=False,
    ),
    Entry(
        "x₁",
        "The share of cells with nobody in them, from 0 to 1: whoever sees a zero knows what nobody is. It is the "
        "first of the three terms of the risk.",
        "x₁ = |D|/K, D the cells that are zero, K all cells",
        f"{_PSD}, section 2",
        linked=False,
    ),
    Entry(
        "x₂",
        "How unevenly people lie over the cells: 0 when all cells are alike, 1 when all people are in one cell, so "
        "that the intruder is sure. It is the second of the three terms of the risk.",
        "x₂ = 1 − H(X)/log K",
        f"{_PSD}, section 2",
        linked=False,
    ),
    Entry(
        "x₃",
        "How small the table is, from 0 to 1: the fewer people are counted, the greater it is, since each is found "
        "more easily. It is the third of the three terms of the risk; h₁, h₂ or h₃ measures it.",
        "x₃ = h₂(N, ε) unless another is chosen",
        f"{_THESIS}, equation (3.5.4)",
        linked=False,
    ),
    Entry(
        "ε", "How fast a larger table counts as safer in x₃, small size; 0: not at all, 1: as fast as 1/N."
    ),
    Entry(
        "h₁",
        "A way to measure small size, x₃: a power of the number of people, which falls fastest.",
        "h₁(N, ε) = N^(−ε)",
    ),
    Entry(
        "h₂",
        "The usual way to measure small size, x₃: it falls slowly as people are added.",
        "h₂(N, ε) = −N^(−ε) · log(e⁻¹ · N^(−ε))",
    ),
    Entry(
        "h₃",
        "A way to measure small size, x₃, that looks at each populated cell, not at the whole table.",
        "h₃(F, ε) = mean over F > 0 of −F^(−ε) · log(e⁻¹ · F^(−ε))",
        f"{_THESIS}, section 3.5",
    ),
    Entry(
        "thesis (3.6.6)",
        "One of two formulas in print for the unevenness that is left after protection. This one counts what the "
        "published table still tells about the true one: with nothing changed all of it is left, and more noise leaves "
        "less.",
        "(1 − H(X)/log K) · (1 − H(X|Y)/H(X))",
        f"{_THESIS}, equation (3.6.6)",
    ),
    Entry(
        "PSD 2014 (5)",
        "The other of two formulas in print for the unevenness after protection. This one counts what a reader of the "
        "published table still does not know: with nothing changed it is 0, and more noise makes it greater. Not all "
        "printed tables of that paper follow it.",
        "(1 − H(X)/log K) · H(X|Y)/H(X)",
        f"{_PSD}, equation (5)",
    ),
    Entry(
        "H(X|Y)",
        "What the intruder still does not know about a person after seeing the published table: the entropy of "
        "the true cell X when the published cell Y is known. 0: everything is known.",
        "H(X|Y) = −Σ Pr(x, y) · log Pr(x | y)",
    ),
    Entry(
        "H(X)",
        "Entropy: how uncertain the cell of a person is who is picked at random. 0: all are in one cell; "
        "log K: all cells are alike.",
        "H(X) = −Σ F/N · log(F/N)",
    ),
    Entry("nats", "The unit of entropy with natural logarithms; 1 nat is 1.44 bits.", also=("nat",)),
    *(
        Entry(
            threshold,
            f"{meaning} It is set in step {step_of(threshold)} of 15, and it is yours to set.",
            "",
            _STEPS,
        )
        for threshold, meaning in (
            (
                "T₁",
                "A table whose risk is below this can be published as it is; any other is protected first.",
            ),
            (
                "T₂",
                "The risk that is left after protection must be below this, or the table is not published.",
            ),
            (
                "T₃",
                "The information that protection loses may be at most this, or the table is not worth publishing.",
            ),
        )
    ),
    Entry(
        "draw",
        "One run of a method that leaves something to chance. What is published is one draw; "
        "the mean is over many.",
        linked=False,
    ),
)

_MEASURED = {
    "risk": "More of it is more risk.",
    "protection": "More of it is less risk.",
    "loss": "More of it is more information lost.",
    "utility": "More of it is more use for the reader.",
}


@cache
def entries() -> dict[str, Entry]:
    """Return every entry by each spelling of its word: those written here, and one for each measure."""
    found = list(_WRITTEN)
    for name in measures.available():
        cls = measures.get(name)
        word = cls.symbol or cls.label
        if word not in {one.word for one in found}:
            told = (cls.__doc__ or "").strip().splitlines()[0]
            meaning = told if word == cls.label else f"{cls.label}: {told}"
            found.append(Entry(word, f"{meaning} {_MEASURED[cls.direction]}", "", cls.source))
    return {spelling: one for one in found for spelling in (one.word, *one.also)}


def entry(word: str) -> Entry | None:
    """Return the entry of a word, None for a word that has none.

    >>> entry("GAD").meaning.split(":")[0]
    'Groups still seen, the same people'
    """
    return entries().get(word)


def all_words() -> list[Line]:
    """Return a line for each word, which opens its entry."""
    once = {one.word: one for one in entries().values()}
    return [
        [Piece(word, WORD), Piece(f": {re.split(r'(?<=[.;]) ', one.meaning)[0].rstrip(';.')}.")]
        for word, one in once.items()
    ]


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((word for word, one in entries().items() if one.linked), key=len, reverse=True)
    return re.compile(rf"(?<![\w|])(?:{'|'.join(map(re.escape, words))})(?![\w*])")


def linked(text: str) -> Line:
    """Return a text as pieces, in which the first of each word opens its entry.

    >>> [piece.text for piece in linked("R₁* = 0.4, R₁* again") if piece.role == WORD]
    ['R₁*']
    """
    pieces: Line = []
    end, seen = 0, set()
    for found in _pattern().finditer(text):
        if (one := entries()[found[0]].word) in seen:
            continue
        seen.add(one)
        pieces += [Piece(text[end : found.start()]), Piece(found[0], WORD)]
        end = found.end()
    return [piece for piece in (*pieces, Piece(text[end:])) if piece.text]


def markup(text: str) -> str:
    """Return a text as HTML with the same buttons; the text is data, not markup.

    >>> markup("<b> and ε")
    '&lt;b&gt; and <button type="button" class="sdc-word">ε</button>'
    """
    return "".join(
        f'<button type="button" class="sdc-word">{escape(piece.text)}</button>'
        if piece.role
        else escape(piece.text)
        for piece in linked(text)
    )
