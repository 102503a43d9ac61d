"""Leave out what stands beside counts and holds percentages: its numbers are no people.

A label with a word for percentages ("in %", "per cent") says so, and so do percent signs in all cells of a column. A
label such as "Share" may be that of a category: where its numbers are whole, and where percentages are above
100, a person is asked. A number before the word belongs to a category ("over 50 %").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sdcwidgets.errors import InputError
from sdcwidgets.formats.how import How, Question
from sdcwidgets.formats.layout.cells import is_blank, is_number, is_percentage, says_percentages
from sdcwidgets.formats.layout.outline import Outline
from sdcwidgets.formats.layout.totals import TOTALS
from sdcwidgets.labels import count_in, quoted

__all__ = ["without_shares"]

#: Words for shares, which may be a category's too.
_SHARE = re.compile(
    r"((shares?|proportions?|rates?|ratio|anteile?|quoten?|andel|aandeel|udział)( (of|der|des|an|am|von|av|van) .*)?"
    r"|.* (share|proportion|rate|ratio)|.*(anteil|quote))",
    re.IGNORECASE,
)


class _Share(NamedTuple):
    """What a line holds, which of its labels tells it, and whether that says so; otherwise its cells do."""

    label: str
    what: str
    says: bool


def without_shares(parts: Outline, how: How) -> tuple[Outline, list[str], bool]:
    """Return the parts of a table without percentages and shares, notes, and whether they might be kept.

    Raises
    ------
    Question
        If whole numbers may be shares.
    InputError
        If there is nothing else.

    Examples
    --------
    >>> parts = Outline(["Area", None], [["A"], ["B"]], [["n"], ["in %"]], [["5", "62.5"], ["3", "37.5"]])
    >>> left, notes, _ = without_shares(parts, How())
    >>> left.cells, notes
    ([['5'], ['3']], ['I left out column "in %": it says that it holds percentages.'])
    """
    notes: list[str] = []
    optional = False
    for across in (True, False):
        keys = parts.headings if across else parts.labels
        lines = [list(line) for line in zip(*parts.cells, strict=True)] if across else parts.cells
        found = {i: said for i, key in enumerate(keys) if (said := _said(key, lines[i] if across else ()))}
        surely = {i for i in found if not all(map(_may_count, lines[i]))}
        if not found:
            continue
        optional = optional or len(surely) < len(found)
        out = surely if how.margins == "keep" else set(found)
        if len(out) == len(keys):
            first = found[min(out)]
            such = quoted(first.label) + " ..." * (len(out) > 1)
            raise InputError(
                f"Every {_word(across)} says that it holds {first.what} ({such}); the counts themselves are needed."
            )
        if how.margins == "ask":
            _ask(found, out - surely, lines, across)
        notes += _notes("left out", found, out, across) + _notes("kept", found, set(found) - out, across)
        parts = _without(parts, out, across)
    return parts, notes, optional


def _said(key: Sequence[str], cells: Sequence[Any]) -> _Share | None:
    """Return what a line holds that is no counts, None where it may hold them."""
    for label in key:
        if says_percentages(label):
            return _Share(label, "percentages", says=True)
    filled = [cell for cell in cells if not is_blank(cell)]
    if len(filled) > 1 and all(map(is_percentage, filled)):
        return _Share(key[-1], "percentages", says=False)
    said = (label for label in key if _SHARE.fullmatch(label.strip()))
    return next((_Share(label, "shares", says=True) for label in said), None)


def _may_count(cell: Any) -> bool:
    """Return whether a cell may be a count: a whole number, or what stands for none."""
    return not is_percentage(cell) and not (is_number(cell) and isinstance(count_in(cell), str))


def _ask(found: dict[int, _Share], open_: set[int], lines: Sequence[Sequence[Any]], across: bool) -> None:
    """Ask about the first line of whole numbers that may be a category's."""
    for i in sorted(open_):
        label, what = found[i][:2]
        counts = [count for cell in lines[i] if not isinstance(count := count_in(cell), str)]
        if what == "percentages" and max(counts, default=0) <= 100:
            continue
        raise Question(
            f"{_word(across).capitalize()} {quoted(label)} says that it holds {what}, but its numbers may be people: "
            "choose whether to leave it out (margins: drop or keep).",
            TOTALS,
        )


def _notes(done: str, found: dict[int, _Share], lines: set[int], across: bool) -> list[str]:
    """Say what was left out, or kept, one sentence for what says the same."""
    notes = []
    for what, says in dict.fromkeys(found[i][1:] for i in sorted(lines)):
        those = [found[i].label for i in sorted(lines) if found[i][1:] == (what, says)]
        labels = [quoted(label) for label in dict.fromkeys(those)]
        labels = [*labels[:5], f"{len(labels) - 5} more"] if len(labels) > 6 else labels
        told = labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"
        many = len(those) > 1
        they, hold, their = ("they", "hold", "their") if many else ("it", "holds", "its")
        why = (
            f"{they} {'say' if many else 'says'} that {they} {hold} {what}"
            if says
            else f"{they} {hold} {what}"
        )
        named = f"I {done} {_word(across)}{'s' * many} {told}"
        if done == "kept":
            notes.append(f"{named}, although {why}: {their} numbers are counted as people.")
        else:
            notes.append(f"{named}: {why}.")
    return notes


def _word(across: bool) -> str:
    return "column" if across else "row"


def _without(parts: Outline, out: set[int], across: bool) -> Outline:
    """Return the parts without some rows or columns, and without an axis of them that has one label left."""
    if not out:
        return parts
    depth = len(parts.labels[0])
    keys = [list(key) for i, key in enumerate(parts.headings if across else parts.labels) if i not in out]
    first = depth if across else 0
    names = list(parts.names)
    last = len(names) - 1
    for level in range(len(keys[0]) - 1, -1, -1):
        alone = {key[level] for key in keys}
        before = {key[level] for key in (parts.headings if across else parts.labels)}
        if len(keys[0]) == 1 or len(alone) > 1 or len(before) == 1:
            continue
        for key in keys:
            del key[level]
        del names[first + level]
        if across and names[-1] is None and first + level < last:
            names[-1] = next(iter(alone))  # what stands over all columns names them
    if across:
        cells = [[cell for j, cell in enumerate(row) if j not in out] for row in parts.cells]
        return replace(parts, names=names, headings=keys, cells=cells)
    cells = [row for i, row in enumerate(parts.cells) if i not in out]
    return replace(parts, names=names, labels=keys, cells=cells)
