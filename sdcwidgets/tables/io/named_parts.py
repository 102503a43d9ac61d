"""Find labels that may be parts of another label of their axis by their words and their counts.

"Employed part-time" after "Employed" may be a part of it, and "w tym kobiety" begins with a small letter unlike all
other labels. Without a total, no sum shows whether such people are counted twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.layout.cells import is_part, range_in
from sdcwidgets.tables.io.options import choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.table import FrequencyTable

#: Minimum number of letters of a label that another label repeats.
_LEAST_REPEATED = 3

#: Minimum number of words of a label that begins with a small letter.
_LEAST_WORDS = 2

#: Maximum number of labels of an axis that are compared, such as a long list of places.
_MOST_LABELS = 40

#: Minimum number of cells of a label.
_LEAST_CELLS = 2


def named_parts(table: FrequencyTable, with_total: Collection[str] = ()) -> list[Doubt]:
    """Return doubts about labels that may be parts of another label, on axes without a total.

    Parameters
    ----------
    table : FrequencyTable
    with_total : collection of str
        Names of the axes that have a total, which shows that all labels are added.

    Examples
    --------
    >>> axes = {"Area": ["A", "B"], "Status": ["Employed", "Employed part-time", "Not employed"]}
    >>> table = FrequencyTable([[310, 45, 31], [590, 126, 43]], axes)
    >>> [one.facts["label"] for one in named_parts(table)], named_parts(table, ["Status"])
    (['Employed part-time'], [])
    """
    doubts = list[Doubt]()
    for k, axis in enumerate(table.axes):
        lines = np.moveaxis(table.counts, k, 0).reshape(len(axis), -1)
        if axis.name in with_total or not 1 < len(axis) <= _MOST_LABELS or lines.shape[1] < _LEAST_CELLS:
            continue
        for i, over in _pairs(axis.labels):
            if (lines[i] <= lines[over]).all() and lines[i].any() and (lines[i] < lines[over]).any():
                named, label = quoted(axis.labels[i]), axis.labels[i]
                facts = {"named": named, "over": quoted(axis.labels[over]), "axis": axis.name, "label": label}
                doubts.append(doubt("named part", choice_of("doubts"), **facts))
    return doubts


def _pairs(labels: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each label that may be a part by its words, with the label before it of which it may be a part."""
    texts = [label.strip() for label in labels]
    capitals = [text[:1].isupper() for text in texts]
    over = 0
    for i in range(1, len(texts)):
        if is_part(texts[i]):
            continue
        if _repeats(texts[over], texts[i]) or (capitals[over] and _is_small(texts[i], texts, capitals)):
            yield i, over
        else:
            over = i


def _repeats(over: str, text: str) -> bool:
    """Return whether a text repeats another one, which has no range, and adds words."""
    rest = text[len(over) :].strip(" -–—,;:(")
    is_word = not text[len(over) : len(over) + 1].isalnum()
    letters = sum(map(str.isalpha, over))
    return (
        letters >= _LEAST_REPEATED
        and is_word
        and text.casefold().startswith(over.casefold())
        and rest[:1].isalpha()
        and not range_in(over)
    )


def _is_small(text: str, texts: Sequence[str], capitals: Sequence[bool]) -> bool:
    """Return whether a text of several words begins with a small letter, and most other texts with a capital one."""
    is_phrase = text[:1].islower() and len(text.split()) >= _LEAST_WORDS
    return is_phrase and 2 * sum(capitals) >= len(texts)
