"""Leave out what stands beside counts and is no people: percentages, averages, rates, ranks, errors, other units.

What a label says is a rule of `RULES`, read from top to bottom; percent signs in all cells of a column say it too.
Where the numbers may be people all the same, because a label such as "Share" may be that of a category and its numbers
are whole, or percentages are above 100, a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, count_in, quoted
from sdcwidgets.tables.io.layout.cells import is_blank, is_number, is_percentage, says_percentages
from sdcwidgets.tables.io.layout.outline import Outline
from sdcwidgets.tables.io.layout.scale import says_thousands
from sdcwidgets.tables.io.layout.sheet import Decisions
from sdcwidgets.tables.io.layout.totals import TOTALS
from sdcwidgets.tables.io.layout.words import has, says, words
from sdcwidgets.tables.io.options import ROWS, ReadOptions
from sdcwidgets.tables.io.questions import Doubt, by_and_count, doubt

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Contents of a column such as "age" or "income".
QUANTITIES = "quantities of people, such as incomes"

#: So many intervals are looked for.
_MOST_PAIRS = 100

#: Words for shares, which may be a category's too.
_SHARE = re.compile(
    rf"({words('share')})( (of|der|des|an|am|von|av|van|de|di) .*)?|.* (share|proportion|rate|ratio)|.*(anteil|quote)",
    re.IGNORECASE,
)
_RATE = re.compile(rf"(?<!\w)({words('rate')})\s?1[0 .,]*000(?!\d)|‰", re.IGNORECASE)
_MEAN_OF = re.compile(rf"({words('average')})[\s.]+[^\W\d].*|.*[(,]\s?({words('average')})\)?", re.IGNORECASE)


class NonCountRule(NamedTuple):
    """What a label says that a line holds."""

    content: str
    says: Callable[[str], bool]
    sure: bool
    """Whether no column of counts is called so, also where its numbers are whole."""


#: The first that fits is what a line holds.
RULES = (
    NonCountRule("percentages", says_percentages, sure=False),
    NonCountRule("numbers of people in thousands", says_thousands, sure=True),
    NonCountRule("rates", lambda label: _RATE.search(label) is not None, sure=True),
    NonCountRule("averages", lambda label: _MEAN_OF.fullmatch(label) is not None, sure=True),
    NonCountRule("averages", lambda label: says("average_of", label), sure=True),
    NonCountRule("averages", lambda label: says("average", label), sure=False),
    NonCountRule("cumulative sums of the lines", lambda label: has("running", label), sure=True),
    NonCountRule(
        "standard errors or ends of confidence intervals", lambda label: says("error", label), sure=True
    ),
    NonCountRule("ranks", lambda label: says("rank", label), sure=True),
    NonCountRule("areas of land or population densities", lambda label: has("measure", label), sure=True),
    NonCountRule("shares", lambda label: _SHARE.fullmatch(label) is not None, sure=False),
)


class _Held(NamedTuple):
    """What a line holds, which of its labels tells it, whether that says so, and whether it is sure."""

    label: str
    content: str
    says: bool
    sure: bool = False


def drop_non_counts(parts: Outline, how: ReadOptions) -> tuple[Outline, bool, Decisions]:
    """Return the parts of a table without what is no people, and whether it might be kept; doubtful are whole numbers.

    Raises
    ------
    InputError
        If there is nothing else.

    Examples
    --------
    >>> parts = Outline(["Area", None], [["A"], ["B"]], [["n"], ["in %"]], [["5", "62.5"], ["3", "37.5"]])
    >>> left, _, decided = drop_non_counts(parts, ReadOptions())
    >>> left.cells, decided.notes
    ([['5'], ['3']], ['The import omitted column "in %": it contains percentages, according to its label.'])
    """
    notes: list[str] = []
    optional = False
    for across in (True, False):
        keys = parts.headings if across else parts.labels
        lines = [list(line) for line in zip(*parts.cells, strict=True)] if across else parts.cells
        other = {}
        for i, key in enumerate(keys):
            held = _held(key, lines[i], across)
            if held:
                other[i] = held
        if across:
            other |= _with_neighbours(keys, lines, other)
        never = {i for i in other if not all(map(_may_count, lines[i]))}
        if not other:
            continue
        optional = optional or len(never) < len(other)
        out = never if how.margins == "keep" else set(other)
        _refuse_nothing_left(other, out, keys, across)
        doubts = _doubts(other, out - never, lines, across) if how.margins == "ask" else []
        if doubts:
            return parts, optional, Decisions(doubts=doubts)
        notes += _notes("omitted", other, out, across) + _notes("kept", other, set(other) - out, across)
        parts = _without(parts, out, across)
    return parts, optional, Decisions(notes)


def persons_doubts(parts: Outline, doubts: Sequence[Doubt]) -> list[Doubt]:
    """Return the doubt whether each row is a person, if a doubt is about a quantity of people, such as an age.

    The first column of such a file identifies the rows, and another column has texts, too. A table of areas with
    their regions and incomes looks alike, so the doubt about the quantity can still be answered.

    Parameters
    ----------
    parts : Outline
        Parts of the table.
    doubts : sequence of Doubt
        Doubts about the contents of its columns.

    Returns
    -------
    list of Doubt
        One doubt, or none.
    """
    about = [one for one in doubts if one.facts.get("what") == QUANTITIES]
    first = [row[0] for row in parts.labels]
    names = [str(name) for name in parts.names[: len(parts.labels[0])] if name]
    headings = [heading[-1].strip() for heading in parts.headings]
    has_texts = len(names) > 1 or any(
        not any(map(is_number, column)) for column in zip(*parts.cells, strict=True)
    )
    if not about or not names or not has_texts or len(first) < 3 or len(set(first)) < len(first):
        return []
    column = str(about[0].facts["line"]).partition(" ")[2]
    choices = by_and_count([*names, *headings], (), [*names, *headings], (ROWS,))
    facts = {"first": quoted(names[0]), "column": column, "what": QUANTITIES}
    return [doubt("persons", *choices, *about[0].choices, **facts)]


def _held(key: Sequence[str], cells: Sequence[object], across: bool) -> _Held | None:
    """Return what a line holds that is no people, None where it may hold them."""
    for rule in RULES:
        for label in key:
            if any(rule.says(part) for part in _label_parts(label)):
                return _Held(label, rule.content, says=True, sure=rule.sure and across)
        if rule.content == "percentages" and across:
            filled = [cell for cell in cells if not is_blank(cell)]
            if len(filled) > 1 and all(map(is_percentage, filled)):
                return _Held(key[-1], rule.content, says=False)
    return None


def _label_parts(label: str) -> list[str]:
    """Return what a label may say: all of it, and its parts as the US Census Bureau writes them."""
    text = label.strip().replace("_", " ")
    return [text, *text.split("!!")] if "!!" in text else [text]


def _with_neighbours(
    keys: Sequence[Sequence[str]], lines: Sequence[Sequence[object]], known: dict[int, _Held]
) -> dict[int, _Held]:
    """Return the columns that are no people because of what stands beside them."""
    last = {i: key[-1].strip() for i, key in enumerate(keys) if i not in known}
    people = any(has("people", label) for label in last.values())
    held = dict[int, tuple[str, bool]]()
    if not all(has("unit", label) for label in last.values()):
        units = _saying(dict(enumerate(key[-1].strip() for key in keys)), has if people else says, "unit")
        held |= {
            i: ("units other than people", people) for i in units if not has("people", keys[i][-1].strip())
        }
    own = _saying(last, says, "own")
    if len(own) < len(last):  # where all say so, it is asked what the rows are
        counts = {*_saying(last, says, "people"), *_saying(last, says, "count")}
        held |= {i: (QUANTITIES, bool(counts)) for i in own}
    held |= {i: ("ends of confidence intervals", True) for i in _ends(keys, lines)}
    return {i: _Held(keys[i][-1], content, says=True, sure=sure) for i, (content, sure) in held.items()}


def _saying(labels: Mapping[int, str], by: Callable[[str, str], bool], content: str) -> list[int]:
    """Return which labels say something."""
    return [i for i, label in labels.items() if by(content, label)]


def _ends(keys: Sequence[Sequence[str]], lines: Sequence[Sequence[object]]) -> set[int]:
    """Return the columns called lower and upper between which another one lies; the first is with the first."""
    last = dict(enumerate(key[-1].strip() for key in keys))
    pairs = list(zip(_saying(last, says, "lower"), _saying(last, says, "upper"), strict=False))
    if not 0 < len(pairs) <= _MOST_PAIRS or len(lines[0]) < 2:
        return set()
    read = [[count_in(cell) for cell in line] for line in lines]
    numbers = np.array(
        [[np.nan if isinstance(count, str) else count for count in line] for line in read], float
    )
    return {i for low, high in pairs if _is_between(numbers, low, high) for i in (low, high)}


def _is_between(numbers: NDArray[np.float64], low: int, high: int) -> bool:
    """Return whether all numbers of a column lie between those of two others, and not all at one of them."""
    least, most = numbers[low], numbers[high]
    between = ((least <= numbers) & (numbers <= most)).all(axis=1)
    between[[low, high]] = False
    return bool(between.any() and (least < most).any())


def _may_count(cell: object) -> bool:
    """Return whether a cell may be a count: a whole number, or what stands for none."""
    return not is_percentage(cell) and not (is_number(cell) and isinstance(count_in(cell), str))


def _refuse_nothing_left(
    other: dict[int, _Held], out: set[int], keys: Sequence[Sequence[str]], across: bool
) -> None:
    """Say that there are no counts where every line holds something else."""
    if len(out) < len(keys):
        return
    first = other[min(out)]
    such = quoted(first.label) + " ..." * (len(out) > 1)
    raise InputError(
        f"By its label, every {_word(across)} contains {first.content} ({such}). Load counts "
        "of people instead."
    )


def _doubts(
    other: dict[int, _Held], open_: set[int], lines: Sequence[Sequence[object]], across: bool
) -> list[Doubt]:
    """Return the doubts about lines of whole numbers that may be a category's."""
    doubts = []
    for i in sorted(open_):
        label, content, _, sure = other[i]
        read = [count_in(cell) for cell in lines[i]]
        counts = [count for count in read if not isinstance(count, str)]
        if not sure and (content != "percentages" or max(counts, default=0) > 100):
            line = f"{_word(across).capitalize()} {quoted(label)}"
            doubts.append(doubt("no people", TOTALS, line=line, what=content))
    return doubts


def _notes(done: str, other: dict[int, _Held], lines: set[int], across: bool) -> list[str]:
    """Say what was left out, or kept, one sentence for what says the same."""
    notes = []
    for content, told_so in dict.fromkeys(other[i][1:3] for i in sorted(lines)):
        those = [other[i].label for i in sorted(lines) if other[i][1:3] == (content, told_so)]
        labels = [quoted(label) for label in dict.fromkeys(those)]
        many = len(those) > 1
        they, contain, their = ("they", "contain", "their") if many else ("it", "contains", "its")
        why = f"{they} {contain} {content}"
        if told_so:
            why += f", according to {their} label{'s' * many}"
        named = f"The import {done} {_word(across)}{'s' * many} {and_more(labels, 6)}"
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
    before = parts.headings if across else parts.labels
    keys, names = _without_levels(
        before, [key for i, key in enumerate(before) if i not in out], parts, across
    )
    if across:
        cells = [[cell for j, cell in enumerate(row) if j not in out] for row in parts.cells]
        return replace(parts, names=names, headings=keys, cells=cells)
    cells = [row for i, row in enumerate(parts.cells) if i not in out]
    return replace(parts, names=names, labels=keys, cells=cells)


def _without_levels(
    before: Sequence[list[str]], keys: Sequence[list[str]], parts: Outline, across: bool
) -> tuple[list[list[str]], list[str | None]]:
    """Return the keys that are left and the names of all axes, without levels that have one label left."""
    names, first = list(parts.names), len(parts.labels[0]) if across else 0
    levels = list(range(len(keys[0])))
    for level in reversed(levels[:]):
        alone = {key[level] for key in keys}
        if len(levels) == 1 or len(alone) > 1 or len({key[level] for key in before}) == 1:
            continue
        levels.remove(level)
        over = first + level < len(names) - 1
        del names[first + level]
        if across and over and names[-1] is None:
            names[-1] = next(iter(alone))  # what stands over all columns names them
    return [[key[level] for level in levels] for key in keys], names
