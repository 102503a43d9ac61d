"""Detect rows and columns without counts of people: percentages, other figures, other units, thousands and times.

The labels of a line show its contents, or the numbers do: numbers with percent signs or decimals are not counts. If the
numbers of such a line may still be counts, the import raises a question. Other such lines are omitted with a note.
"""

from __future__ import annotations

import calendar
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import PEOPLE, and_more, count_in, listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import Rows
from sdcwidgets.tables.io.layout.cells import (
    begins,
    has,
    is_blank,
    is_bracketed,
    is_number,
    is_percentage,
    label_of,
    says,
    says_counts,
    says_figures,
    says_percentages,
    units_in,
)
from sdcwidgets.tables.io.layout.parts import Decisions, Outline
from sdcwidgets.tables.io.options import LEFT_OUT, ROWS, Choice, ReadOptions, choice_of
from sdcwidgets.tables.io.questions import Doubt, by_and_count, doubt

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole

#: Choice whether totals and lines without counts are omitted or kept.
TOTALS = choice_of("margins")

#: Choice that lines without counts of their own people are omitted; reading them needs a layout.
OMITTED = Choice("margins", {"drop": LEFT_OUT["drop"]})

#: Contents of a column such as "age" or "income".
QUANTITIES = "quantities of people, such as incomes"

#: Contents of a column such as "households" in a file that also has a column of people.
UNITS = "units other than people"

#: Counted units of a file whose texts on its contents name no known units.
UNKNOWN_UNITS = "units"

PERCENTAGES = "percentages"
DECIMALS = "decimal numbers"
YEARS = "years"
CODES = "codes, which begin with 0"

#: Numbers that are read as years.
_YEARS = range(1850, 2101)


class _Held(NamedTuple):
    """Contents of a line without counts of people: a label of the line, the contents, and whether the label names them.

    If `says` is false, the contents follow from the numbers and not from the label.
    """

    label: str
    content: str
    says: bool


def drop_non_counts(parts: Outline, how: ReadOptions) -> tuple[Outline, bool, Decisions]:
    """Omit the columns and rows of a table that do not contain counts of people.

    Parameters
    ----------
    parts : Outline
    how : ReadOptions
        The option `margins` decides if lines of whole numbers, which may be counts, are omitted or kept. Its default
        returns doubts about them.

    Returns
    -------
    Outline
        The parts without the omitted lines.
    bool
        Whether some of the lines could be kept.
    Decisions

    Raises
    ------
    InputError
        If no column or no row is left.

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
        other = _no_people(keys, lines, across, decimals=how.unit == 1)
        if across:
            other |= _columns_of_years(parts, lines, other)
        never = {i for i in other if other[i].content in (YEARS, CODES) or not all(map(_may_count, lines[i]))}
        if not other:
            continue
        optional = optional or len(never) < len(other)
        out = never if how.margins == "keep" else set(other)
        _refuse_nothing_left(other, out, keys, across)
        sure = {i for i in never if other[i].content != DECIMALS}
        doubts = _doubts(other, out - sure, lines, across) if how.margins == "ask" else []
        if doubts:
            return parts, optional, Decisions(doubts=doubts)
        notes += _notes("omitted", other, out, across) + _notes("kept", other, set(other) - out, across)
        parts = _without(parts, out, across)
    return parts, optional, Decisions(notes)


def _no_people(
    keys: Sequence[Sequence[str]], lines: Sequence[Sequence[object]], across: bool, decimals: bool
) -> dict[int, _Held]:
    """Return the lines that do not contain counts of people, with their contents."""
    held = ((i, _held(key, lines[i], across)) for i, key in enumerate(keys))
    other = {i: line for i, line in held if line is not None}
    other |= _with_neighbours(keys, lines, other) if across else _units_of_rows(keys, other)
    other = _without_parts(other, lines)
    other |= _columns_of_codes(keys, lines, other) if across else {}
    decimal = [i for i in range(len(keys)) if i not in other and _are_decimals(lines[i])] if decimals else []
    rest = [lines[i] for i in range(len(keys)) if i not in other and i not in decimal]
    # If the only other columns are constant, for example a year, then the decimals are the figures of the table.
    varied = any(len(set(map(label_of, line))) > 1 or len(line) < 2 for line in rest)
    if varied and not any(is_sum_of(line, [lines[i] for i in decimal]) for line in rest):
        other |= {i: _Held(keys[i][-1], DECIMALS, says=False) for i in decimal}
    return other


def _without_parts(other: dict[int, _Held], lines: Sequence[Sequence[object]]) -> dict[int, _Held]:
    """Return lines of other contents; lines of other units remain counts if they are parts of a total."""
    doubtful = [i for i, line in other.items() if line.content in (UNITS, QUANTITIES)]
    if doubtful and _are_parts(doubtful, [i for i in range(len(lines)) if i not in other], lines):
        return {i: line for i, line in other.items() if i not in doubtful}
    return other


def _are_parts(those: Sequence[int], others: Sequence[int], lines: Sequence[Sequence[object]]) -> bool:
    """Return whether a line is the sum of all other lines including `those`, so that these are also categories.

    Places without a count in one of the lines, for example a mark of a suppressed count, are not compared.
    """
    every = (*those, *others)
    read = ([count_in(cell) for cell in cells] for cells in zip(*(lines[i] for i in every), strict=True))
    places = [[count for count in counts if isinstance(count, int)] for counts in read]
    complete = [counts for counts in places if len(counts) == len(every)]
    if len(every) < 3 or len(complete) < 2 or 2 * len(complete) < len(places):
        return False
    return any(
        all(sum(counts) == 2 * counts[k] for counts in complete) and any(counts[k] for counts in complete)
        for k in range(len(those), len(every))
    )


def is_sum_of(line: Sequence[object], parts: Sequence[Sequence[object]]) -> bool:
    """Return whether a line is the rounded sum of two or more lines of decimals, so that it is not a line of counts.

    Examples
    --------
    >>> is_sum_of(["52", "57"], [["20,25", "22,4"], ["31,75", "34,6"]]), is_sum_of([52, 57], [[38.9, 39.3]])
    (True, False)
    """
    if len(parts) < 2 or not all(is_number(cell) for cells in (line, *parts) for cell in cells):
        return False
    with suppress(ValueError):
        whole, *rows = ([float(str(cell).replace(",", ".")) for cell in cells] for cells in (line, *parts))
        sums = map(sum, zip(*rows, strict=True))
        return all(abs(total - own) < 1 for total, own in zip(sums, whole, strict=True))
    return False


def _columns_of_years(
    parts: Outline, lines: Sequence[Sequence[object]], known: Mapping[int, _Held]
) -> dict[int, _Held]:
    """Return columns with few different years, if the labels of the rows are unique and another column has counts.

    If the other counts are rounded to a base, multiples of this base may be counts that look like years.
    """
    if len(parts.labels) < 3 or len(set(map(tuple, parts.labels))) < len(parts.labels):
        return {}
    counts = {i: set(map(count_in, line)) for i, line in enumerate(lines) if i not in known}
    whole = {i: {one for one in line if isinstance(one, int)} for i, line in counts.items()}
    years = [i for i in whole if whole[i] == counts[i] <= set(_YEARS) and 3 * len(whole[i]) <= len(lines[i])]
    base = math.gcd(*(one for i in whole if i not in years for one in whole[i]))
    return {
        i: _Held(parts.headings[i][-1], YEARS, says=False)
        for i in years
        if base == 1 or (base and any(year % base for year in whole[i]))
    }


def persons_doubts(parts: Outline, doubts: Sequence[Doubt]) -> list[Doubt]:
    """Return a doubt whether each row is a person, if another doubt is about a quantity of people, such as an age.

    The first column of such a file identifies the rows, and another column has texts. A table of areas with their
    regions and incomes looks the same, so the choices of the doubt about the quantity are also offered.

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
    if not about or not names or len(first) < 3:
        return []
    if len(names) == 1 and len(set(first)) < len(first):
        by = by_and_count([*names, *headings], (), [*headings, *names])
        return [doubt("heading", *by, column=quoted(str(about[0].facts["named"])))]
    if not has_texts or len(set(first)) < len(first):
        return []
    column = str(about[0].facts["line"]).partition(" ")[2]
    choices = by_and_count([*names, *headings], (), [*names, *headings], (ROWS,))
    facts = {"first": quoted(names[0]), "column": column, "what": QUANTITIES}
    return [doubt("persons", *choices, *about[0].choices, **facts)]


def _units_of_rows(keys: Sequence[Sequence[str]], known: Mapping[int, _Held]) -> dict[int, _Held]:
    """Return the rows whose label is a unit other than people, such as "Households", if they are at most a third."""
    units = [i for i, key in enumerate(keys) if i not in known and any(says("unit", label) for label in key)]
    if 3 * len(units) > len(keys):
        return {}
    return {i: _Held(keys[i][-1], UNITS, says=True) for i in units}


def _held(key: Sequence[str], cells: Sequence[object], across: bool) -> _Held | None:
    """Return the contents of a line if its labels or numbers show that it does not contain counts; otherwise None."""
    for label in key:
        text = label.strip().replace("_", " ")
        if says_percentages(text):
            return _Held(label, PERCENTAGES, says=True)
        if says_thousands(text):
            return _Held(label, "numbers of people in thousands", says=True)
        if says_figures(text):
            return _Held(label, "figures other than counts", says=True)
    first = next((cell for cell in cells if not is_blank(cell)), None)
    if across and is_percentage(first) and _are_percentages(cells):
        return _Held(key[-1], PERCENTAGES, says=False)
    return None


def _are_percentages(cells: Sequence[object]) -> bool:
    """Return whether two or more cells are percentages, and all others are blank."""
    filled = [cell for cell in cells if not is_blank(cell)]
    return len(filled) > 1 and all(map(is_percentage, filled))


def _columns_of_codes(
    keys: Sequence[Sequence[str]], lines: Sequence[Sequence[object]], known: Mapping[int, _Held]
) -> dict[int, _Held]:
    """Return the columns of codes with leading zeros, if other columns may have counts."""
    codes = [i for i, line in enumerate(lines) if i not in known and _are_codes(line)]
    if len(codes) + len(known) == len(lines):
        return {}
    return {i: _Held(keys[i][-1], CODES, says=False) for i in codes}


def _are_codes(cells: Sequence[object]) -> bool:
    """Return whether all cells have only digits, and one of them has a leading zero."""
    filled = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    padded = any(len(text) > 1 and text.startswith("0") for text in filled)
    return padded and len(filled) == len(cells) and all(text.isdecimal() for text in filled)


def _are_decimals(cells: Sequence[object]) -> bool:
    """Return whether most numbers of a line, and at least two, are not whole numbers."""
    # Whole numbers are removed first, because the other checks are slow.
    others = [
        cell for cell in cells if type(cell) is not int and not (isinstance(cell, str) and cell.isdecimal())
    ]
    decimals = sum(is_number(cell) and isinstance(count_in(cell), str) for cell in others)
    if decimals < 2:
        return False
    numbers = [cell for cell in cells if is_number(cell)]
    return 2 * decimals > len(numbers)


def _with_neighbours(
    keys: Sequence[Sequence[str]], lines: Sequence[Sequence[object]], known: Mapping[int, _Held]
) -> dict[int, _Held]:
    """Return the columns that do not contain counts, because a neighbouring column has counts, or an estimate.

    Examples are households next to people, ages next to counts, and the ends of confidence intervals.
    """
    last = {i: key[-1].strip() for i, key in enumerate(keys) if i not in known}
    units = [i for i, label in last.items() if has("unit", label) and not has("count", label)]
    held = dict.fromkeys(units, UNITS) if len(units) < len(keys) else {}
    own = [i for i, label in last.items() if says("record", label)]
    if len(own) < len(last):  # If all columns are quantities of people, a doubt asks if each row is a person.
        held |= dict.fromkeys(own, QUANTITIES)
    ends = [i for i, label in last.items() if says("bound", label)]
    if len(ends) == 2 and any(_is_between(lines, ends, i) for i in last if i not in ends):
        held |= dict.fromkeys(ends, "ends of confidence intervals")
    return {i: _Held(keys[i][-1], content, says=True) for i, content in held.items()}


def _is_between(lines: Sequence[Sequence[object]], ends: Sequence[int], i: int) -> bool:
    """Return whether each number of column `i` is between the numbers of the columns `ends`."""
    read = [[count_in(cell) for cell in lines[j]] for j in (ends[0], i, ends[1])]
    numbers = [[count for count in line if not isinstance(count, str)] for line in read]
    if len(set(map(len, numbers))) > 1 or len(numbers[0]) < 2:
        return False
    return all(sorted(three) == list(three) for three in zip(*numbers, strict=True))


def _may_count(cell: object) -> bool:
    """Return whether a cell may be a count: a whole number, or a text or blank in place of a number."""
    return not is_percentage(cell) and not (is_number(cell) and isinstance(count_in(cell), str))


def _refuse_nothing_left(
    other: Mapping[int, _Held], out: set[int], keys: Sequence[Sequence[str]], across: bool
) -> None:
    """Raise InputError if all lines would be omitted."""
    if len(out) < len(keys):
        return
    first = other[min(out)]
    such = quoted(first.label) + " ..." * (len(out) > 1)
    by_label = "By its label, every" if first.says else "Every"
    raise InputError(
        f"{by_label} {_word(across)} contains {first.content} ({such}). Load counts of people instead."
    )


def _doubts(
    other: Mapping[int, _Held], open_: set[int], lines: Sequence[Sequence[object]], across: bool
) -> list[Doubt]:
    """Return doubts about lines that may still be counts of a category; percentages only if one is above 100."""
    doubts = []
    for i in sorted(open_):
        counts = [count for count in map(count_in, lines[i]) if not isinstance(count, str)]
        if other[i].content != PERCENTAGES or max(counts, default=0) > 100:
            line = f"{_word(across).capitalize()} {quoted(other[i].label)}"
            question = "no people" if other[i].says else "decimals"
            facts = {"line": line, "named": other[i].label, "what": other[i].content}
            doubts.append(doubt(question, TOTALS, **facts))
    return doubts


def _notes(done: str, other: Mapping[int, _Held], lines: set[int], across: bool) -> list[str]:
    """Return notes on omitted or kept lines, one note per kind of contents."""
    notes = []
    for content, is_by_label in dict.fromkeys(other[i][1:] for i in sorted(lines)):
        those = [other[i].label for i in sorted(lines) if other[i][1:] == (content, is_by_label)]
        labels = [quoted(label) for label in dict.fromkeys(those)]
        many = len(those) > 1
        they, contain, their = ("they", "contain", "their") if many else ("it", "contains", "its")
        why = f"{they} {contain} {content}"
        if is_by_label:
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
    """Return the parts without some rows or columns, and without axes that then have only one label."""
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
    """Return the remaining keys and the names of all axes, without levels that now have only one label."""
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
            names[-1] = next(iter(alone))  # A heading above all columns is the name of their axis.
    return [[key[level] for level in levels] for key in keys], names


#: A power of ten in digits, as in "1 000 persons", "'000", "10^3" and "per 100".
_POWER = re.compile(r"(?<![\d.,])(?:1(?:[ .,'’\u00a0\u202f]?0{2,3})+|'?0{3}s?|10\^\d)(?!\d)")

#: Brackets and colons of Chinese and Japanese texts, and square brackets, as "(", ")" and ":".
_ONE_BRACKET = str.maketrans("[]（）［］：", "()()():")

#: Words before a unit, as in "(thousands)", "in 1,000" and "per 100,000".
_BEFORE_UNIT = re.compile(
    r"(?:[(,:'’]|\b(?:in|en|em|i|v|w|u|σε|x|unit|(?P<per>per|je|pro|pour|por)))\s*", re.IGNORECASE
)


def says_thousands(text: str) -> bool:
    """Return whether a text states that numbers are in thousands or another power of ten, or per thousand.

    Examples
    --------
    >>> says_thousands("(Numbers in thousands.)"), says_thousands("Population '000"), says_thousands("Thousand Oaks")
    (True, True, False)
    >>> says_thousands("人口（万人）"), says_thousands("人口（人）")
    (True, False)
    >>> says_thousands("(11,000 agencies)"), says_thousands("in 1,000 persons")
    (False, True)
    """
    text = text.translate(_ONE_BRACKET)
    if not text.strip("() '").isdecimal() and says("thousand", text.strip("() ")):
        return True
    for before in _BEFORE_UNIT.finditer(text):
        if text[: before.start()][-1:].isdigit() and text[before.end() :][:1].isdigit():
            continue  # The comma is inside a number.
        word = text[before.end() :].partition(" ")[0].strip("().,;:")
        if says("thousand", word) or _numeral(word) > 1:
            return True
        if _POWER.match(text, before.end()) or _POWER.match(text, before.start()):
            return True
    return False


def title_says_thousands(text: str) -> bool:
    """Return whether a text above a table states thousands, or is a power of ten with one word.

    Such a label inside the table may also be a place, such as "1000 Bruxelles".

    Examples
    --------
    >>> title_says_thousands("1 000 personer"), title_says_thousands("1 000 personer asked")
    (True, False)
    >>> says_thousands("1 000 personer")
    False
    """
    line = text.translate(_ONE_BRACKET).strip(" ()")
    power = _POWER.match(line)
    if power is not None and power[0].count("0") > 2 and line[power.end() :].strip(" -").isalpha():
        return True
    return says_thousands(text)


def _numeral(word: str) -> int:
    """Return the value of a Chinese numeral of 1000 or more at the start of a word; 1 for any other word."""
    value = unicodedata.numeric(word[0], 1) if word[:1].isalpha() else 1
    return int(value) if value >= 1000 else 1


def is_rate(text: str) -> bool:
    """Return whether a text with a power of ten is the unit of a rate, which must not be multiplied.

    Counts are in thousands, millions or billions.

    Examples
    --------
    >>> is_rate("Deaths per 1 000"), is_rate("Deaths, 100 000"), is_rate("1 000 persons"), is_rate("In millions")
    (True, True, False, False)
    """
    text = text.replace("_", " ")
    power = _POWER.search(text)
    if power is None:
        return False
    before = (match for match in _BEFORE_UNIT.finditer(text) if match["per"])
    return any(match.end() == power.start() for match in before) or (
        "^" not in power[0] and power[0].count("0") % 3 > 0
    )


def thousands(where: str, text: str, how: ReadOptions) -> Decisions:
    """Return the decision on numbers that are in thousands according to a title, a name or a column of units.

    Parameters
    ----------
    where : str
        Place of the text in messages.
    text : str
        The text with the unit.
    how : ReadOptions
        The option `margins`: "keep" reads the numbers as counts, and the default returns a doubt.

    Raises
    ------
    InputError
        If `margins` is "drop", because no other numbers are left.
    """
    if how.unit > 1:
        return Decisions()  # A layout multiplies the numbers.
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
    if is_rate(text):
        return Decisions(doubts=[doubt("rate", TOTALS, where=where, words=quoted(text))])
    facts = {"where": where, "words": quoted(text), "unit": unit_in(text)}
    return Decisions(doubts=[doubt("thousands", TOTALS, **facts)])


#: A word before a unit, and a code of three capital letters, as in "in EUR"; "Source: ONS" is not a unit.
_CODE = re.compile(r"\b(?:in|en|em|w|per|je|pro|pour|por)\s+([A-Z]{3})\b")

#: A unit at the end of a heading: up to four characters or an index in brackets, or a code of three capital letters
#: after other words.
_LAST_UNIT = re.compile(
    r"[(\[（［]([^\W\d_][^\s()\[\]]{1,3}|\S+=\S+)[)\]）］]$|(?<=[^\W\d_A-Z])[\s,]+([A-Z]{3})$"
)


@cache
def _currencies() -> frozenset[str]:
    """Return the names of currencies with a sign, such as "euro" and "dollar"."""
    signs = (sign for sign in map(chr, range(0x10000)) if unicodedata.category(sign) == "Sc")
    return frozenset(unicodedata.name(sign).lower().removesuffix(" sign").split()[-1] for sign in signs)


def currency_in(text: str) -> str:
    """Return the currency, or code of three letters, that a text names as a unit; "" if there is none.

    Examples
    --------
    >>> currency_in("Mean wages in euros"), currency_in("Turnover (EUR)"), currency_in("Wages in EUR per month")
    ('euros', '', 'EUR')
    """
    for before in _BEFORE_UNIT.finditer(text):
        word = text[before.end() :].partition(" ")[0].strip("().,;:[]")
        if {word.lower(), word.lower().removesuffix("s")} & _currencies():
            return word
    code = _CODE.search(text)
    return code[1] if code else ""


def unit_of(heading: str) -> str:
    """Return the unit that a heading names, if it is neither people nor another unit that is counted.

    Examples
    --------
    >>> unit_of("Milk (kg)"), unit_of("Median wage CHF"), unit_of("Persons (F)"), unit_of("Men (aged 15-24)")
    ('kg', 'CHF', '', '')
    """
    if _is_counted(heading) or says_percentages(heading):
        return ""
    last = _LAST_UNIT.search(heading.strip())
    unit = (last[1] or last[2]) if last else currency_in(heading)
    return "" if _is_counted(unit) or says("total", unit) else unit


def _is_counted(text: str) -> bool:
    """Return whether a text names people, or another unit that is counted."""
    return bool(units_in(text)) or has("count", text)


def unknown_unit_doubts(
    titles: Iterable[str], headings: Sequence[str] = (), axes: Sequence[str] = ()
) -> list[Doubt]:
    """Return the doubt about a unit of measurement that is neither people nor another known unit.

    For example, mean wages can be whole numbers like counts, and the name of their unit can be in any language. A title
    has a unit if the title is in brackets or names a currency. Headings have a unit if each heading ends with one.

    Parameters
    ----------
    titles : iterable of str
        Titles above the table.
    headings : sequence of str
        Headings of all columns of numbers.
    axes : sequence of str
        Names of axes that may contain the unit of the numbers.

    Examples
    --------
    >>> [doubt.facts["words"] for doubt in unknown_unit_doubts(["Mean wages", "(BGN)"])]
    ['"(BGN)"']
    >>> unknown_unit_doubts(["(persons)", "(number)", "(2022)"])
    []
    >>> [doubt.facts["where"] for doubt in unknown_unit_doubts([], ["Area (ha)", "Forest (ha)"])]
    ['Column "Area (ha)"']
    """
    choice, above = choice_of("doubts"), [title.strip() for title in titles]
    named = [
        unit
        for unit in filter(is_bracketed, above)
        if any(map(str.isalpha, unit)) and not _is_counted(unit[1:-1])
    ]
    if not any(_is_counted(text) or says_percentages(text) for text in (*above, *headings)):
        named += filter(None, map(currency_in, above))
        figures = [] if named else list(filter(says_figures, above))
        if figures:
            return [doubt("other figures", choice, words=quoted(figures[0]))]
    if named:
        return [doubt("unknown unit", choice, where="A line above the table", words=quoted(named[0]))]
    axis = "" if any(map(_is_counted, (*above, *headings, *axes))) else next(filter(_is_amount, axes), "")
    if axis:
        return [doubt("unknown unit", choice, where="The name of an axis", words=quoted(axis))]
    return _unit_of_headings(headings)


def _is_amount(name: str) -> bool:
    """Return whether a name of an axis means percentages, money or other figures."""
    return says_percentages(name) or bool(currency_in(name)) or says_figures(name)


def _unit_of_headings(headings: Sequence[str]) -> list[Doubt]:
    """Return the doubt about the unit at the end of all headings."""
    choice = choice_of("doubts")
    units = list(map(unit_of, headings))
    if units and all(units):
        return [doubt("unknown unit", choice, where=f"Column {quoted(headings[0])}", words=quoted(units[0]))]
    return []


def currency_doubts(name: str, unit: str) -> list[Doubt]:
    """Return the doubt about the unit of all rows, if it is a currency.

    Examples
    --------
    >>> [bool(currency_doubts("Unit", unit)) for unit in ("EUR", "US Dollar", "NR", "Persons")]
    [True, True, False, False]
    """
    letters = "".join(sign if sign.isalnum() else " " for sign in unit.lower())
    words = [word for word in letters.split() if len(word) > 2]
    if not any(
        name.startswith(word[:3]) and word[3:] in ("", name[3:]) for word in words for name in _currencies()
    ):
        return []
    return [
        doubt("unknown unit", choice_of("doubts"), where=f"The column {quoted(name)}", words=quoted(unit))
    ]


def unit_in(text: str) -> int:
    """Return the number of people of a count of 1, according to a text such as "In thousands".

    Examples
    --------
    >>> unit_in("In thousands"), unit_in("1 000 000 persons"), unit_in("10^6"), unit_in("3"), unit_in("Mio.")
    (1000, 1000000, 1000000, 1000, 1000000)
    >>> unit_in("人口(万人)"), unit_in("单位：万人")
    (10000, 10000)
    """
    power = _POWER.search(text)
    if power is None:
        parts = "".join(letter if letter.isalnum() else " " for letter in text).split()
        numeral = max(map(_numeral, parts), default=1)
        if numeral > 1:
            return numeral
        if text.isdecimal() and len(text) == 1:
            return int(10 ** int(text))
        is_million = any(part in text.lower() for part in ("million", "millon", "milion", "mio", "mln"))
        return 10**6 if is_million else 1000
    if "^" in power[0]:
        return int(10 ** int(power[0].partition("^")[2]))
    return int("1" + "".join([digit for digit in power[0] if digit == "0"]))


def is_scaled_unit(unit: str) -> bool:
    """Return whether a unit is thousands or another power of ten, in words or digits.

    Examples
    --------
    >>> is_scaled_unit("1 000 personer"), is_scaled_unit("tys. osób"), is_scaled_unit("Personen"), is_scaled_unit("")
    (True, True, False, False)
    """
    return _POWER.search(unit) is not None or has("thousand", unit)


def scaled(labels: Iterable[str]) -> str:
    """Return the first label of a column of units or exponents that is thousands or more; "" if there is none.

    Examples
    --------
    >>> scaled(["3"]), scaled(["THS_PER"]), scaled(["NR"]), scaled(["0"]), scaled(["12"])
    ('3', 'THS_PER', '', '', '')
    """
    for label in labels:
        if is_scaled_unit(label.replace("_", " ")) or (len(label) == 1 and label.isdecimal() and label > "0"):
            return label
    return ""


#: Text in place of a label, with which all labels are kept, or summed over.
ALL = "*"

#: Maximum number of labels of an axis in a choice.
_MOST_LABELS = 200

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


#: Number of months of a year.
_MONTHS = 12


def are_times(labels: Sequence[str]) -> bool:
    """Return whether the labels of an axis may be times: all have a year, and years, quarters or months differ.

    Years of birth look the same, so the user must decide.

    Examples
    --------
    >>> are_times(["2023Q1", "2023Q2"]), are_times(["2021", "2022"]), are_times(["Jan 2021", "Feb 2021"])
    (True, True, True)
    >>> are_times(["31.12.2021", "31.12.2022"]), are_times(["Persons 2021", "Persons 2022"])
    (True, True)
    >>> are_times(["Men 2021", "Women 2021", "Men 2022"]), are_times(["Men 2021", "Women 2021"])
    (True, False)
    >>> are_times(["1. Quartal 2023", "2. Quartal 2023"]), are_times(["Jan-Mar 2023", "Apr-Jun 2023"])
    (True, True)
    """
    coded = [label[:1] in "PC" and label[1:3].isdecimal() and label[3:4] == "_" for label in labels]
    if len(labels) > 1 and all(coded):  # INSEE uses names such as "P20_POP".
        return len({label[1:3] for label in labels}) > 1
    years = [_YEAR.findall(label) for label in labels]
    if len(labels) < 2 or not all(years):
        return False
    rests = [_YEAR.sub("", label).strip(" _-/.,:()").lower() for label in labels]
    short = all(sum(map(str.isalpha, rest)) <= 3 and sum(map(str.isalnum, rest)) <= 4 for rest in rests)
    return (
        short
        or are_parts_of_years(rests)
        or (len({year[0] for year in years}) > 1 and len(set(rests)) < len(labels))
    )


def are_parts_of_years(texts: Sequence[str]) -> bool:
    """Return whether texts are different quarters or months: a number and the same word, or names of months.

    In languages other than English, twelve different words are the months of a year.

    Examples
    --------
    >>> are_parts_of_years(["1. quartal", "2. quartal"]), are_parts_of_years(["jan-mar", "apr-jun"])
    (True, True)
    >>> [are_parts_of_years(texts) for texts in (["march", "june"], ["men", "women"], ["20 y", "21 y"])]
    [True, False, False]
    >>> are_parts_of_years("janv févr mars avr mai juin juil août sept oct nov déc".split())
    True
    """
    if len(set(texts)) < len(texts):
        return False
    numbers = ["".join(filter(str.isdecimal, text)) for text in texts]
    if all(number and 1 <= int(number) <= _MONTHS for number in numbers):
        return len({text.replace(number, "", 1) for text, number in zip(texts, numbers, strict=True)}) == 1
    parts = [text.replace("-", " ").replace(".", " ").split() for text in texts]
    months = {name.lower() for name in (*calendar.month_name[1:], *calendar.month_abbr[1:])}
    if len(texts) == _MONTHS and all(len(words) == 1 and words[0].isalpha() for words in parts):
        return True
    return all(words and months.issuperset(words) for words in parts)


def are_kinds(labels: Sequence[str]) -> bool:
    """Return whether labels of an axis are different kinds of figures, whose numbers must not be summed.

    Examples
    --------
    >>> are_kinds(["Persons", "Households"]), are_kinds(["Number", "Per cent"]), are_kinds(["Men", "Women"])
    (True, True, False)
    """
    if any(says_percentages(label) or says_figures(label) or says_thousands(label) for label in labels):
        return len(labels) > 1
    units = [has("unit", label) for label in labels]
    return any(units) and any(
        has("count", label) for label, unit in zip(labels, units, strict=True) if not unit
    )


def chosen(how: ReadOptions) -> dict[str, str]:
    """Return the chosen label of each axis.

    Examples
    --------
    >>> chosen(ReadOptions(only=("Year=2021", "Sex=*")))
    {'Year': '2021', 'Sex': '*'}
    """
    labels = {}
    for choice in how.only:
        name, equals, label = choice.partition("=")
        if not (name.strip() and equals):
            raise InputError(
                f"{quoted(choice)} is not an axis with a category; write the argument only as Year=2021."
            )
        labels[name.strip()] = label.strip()
    return labels


def offered(axes: Iterable[tuple[str, Sequence[str]]], how: ReadOptions) -> Choice:
    """Return the choice of one label, or of all labels, for each axis."""
    options = {
        f"{name}={label}": f"{name}: {'all' if label == ALL else label}"
        for name, labels in axes
        for label in (ALL, *labels[:_MOST_LABELS])
    }
    return Choice("only", options, tuple(option for option in how.only if option in options), several=True)


def time_doubt(
    name: str, labels: Sequence[str], others: Iterable[tuple[str, Sequence[str]]], how: ReadOptions
) -> Doubt:
    """Return the doubt about an axis of times or of kinds of figures, over which people must not be summed."""
    some = f"{listed(labels[:2])}{' ...' * (len(labels) > 2)}"
    choice = offered([(name, labels), *others], how)
    times = are_times(labels)
    proposed = _newest(labels) if times else next(filter(may_be_people, labels), labels[0])
    facts = {"axis": quoted(name), "name": name, "labels": some, "last": proposed}
    return doubt("time" if times else "figures", choice, **facts)


def _newest(labels: Sequence[str]) -> str:
    """Return the newest time: the last label with the latest year, or the first one if the years descend.

    Examples
    --------
    >>> _newest(["2021", "2022"]), _newest(["1 July 2023", "1 January 2023", "1 July 2022"]), _newest(["P20_POP"])
    ('2022', '1 July 2023', 'P20_POP')
    """
    years = [
        max(map(int, _YEAR.findall(label)), default=int(label[1:3]) if label[1:3].isdecimal() else 0)
        for label in labels
    ]
    newest = [label for label, year in zip(labels, years, strict=True) if year == max(years)]
    return newest[0] if years[0] > years[-1] else newest[-1]


def counted_in(above: Rows, names: Sequence[str] = ()) -> str:
    """Return the counted units, which headings of counts, titles or totals name.

    If such texts name no known units, the units are "units"; if there are no such texts, "people".

    Parameters
    ----------
    above : list of list
        Rows above the counts; a title has one or two filled cells.
    names : sequence of str
        Headings of the counts.

    Returns
    -------
    str

    Examples
    --------
    >>> counted_in([["Dwellings by tenure, 2021"], ["Area", "Owned", "Rented"]]), counted_in([], ["Farms"])
    ('dwellings', 'farms')
    >>> counted_in([["Area", "All households", "Owned", "Rented"]])
    'households'
    >>> counted_in([["Persons in private households"], ["Area", "Men", "Women"]])
    'people'
    >>> counted_in([["Incidents by district, 2023"], ["Area", "2022", "2023"]]), counted_in([["Area", "Men", "Women"]])
    ('units', 'people')
    """
    titles = [row for row in above if sum(not is_blank(cell) for cell in row) < 3]
    texts = [*names, *(label_of(cell) for row in titles for cell in row)]
    texts += [text for row in above for text in map(label_of, row) if begins("total", text)]
    units = (unit for text in texts for unit in units_in(text))
    filled = [[label_of(cell) for cell in row if not is_blank(cell)] for row in above]
    described = [*names, *(row[0] for row in filled if len(row) == 1)]
    is_described = any(any(map(str.isalpha, text)) and not says_counts(text.strip()) for text in described)
    return next(units, UNKNOWN_UNITS if is_described else PEOPLE)


def counted_by_format(contents: Sequence[str]) -> str:
    """Return the counted units that texts of a format state; "units" if no text names known units.

    Examples
    --------
    >>> counted_by_format(["number", "Households"]), counted_by_format(["lukumäärä", "Asuntokunnat"])
    ('households', 'units')
    """
    return next((unit for text in contents for unit in units_in(text)), UNKNOWN_UNITS)


def axes_doubts(axes: Iterable[Axis]) -> list[Doubt]:
    """Return the doubts about axes of times, and of different kinds of figures.

    Examples
    --------
    >>> [doubt.question for doubt in axes_doubts([Axis("Year", ("2021", "2022")), Axis("Sex", ("m", "f"))])]
    ['time']
    """
    open_ = [axis for axis in axes if are_times(axis.labels) or are_kinds(axis.labels)]
    return [time_doubt(axis.name, axis.labels, (), ReadOptions()) for axis in open_]


def may_be_people(label: str) -> bool:
    """Return whether a kind of figures may be a number of people.

    Examples
    --------
    >>> may_be_people("Persons"), may_be_people("Households"), may_be_people("Per cent")
    (True, False, False)
    """
    return not says_figures(label) and not any(
        has(kind, label) for kind in ("unit", "percentage", "thousand")
    )


def sliced(counts: Whole, axes: Sequence[Axis], how: ReadOptions) -> tuple[Whole, list[Axis], Decisions]:
    """Return the table of the chosen labels, and a doubt for each other axis of times.

    Examples
    --------
    >>> table, axes, decided = sliced(
    ...     np.array([[3, 4], [5, 6]]),
    ...     [Axis("Area", ("A", "B")), Axis("Column", ("2023Q1", "2023Q2"))],
    ...     ReadOptions(only=("Column=2023Q2",)),
    ... )
    >>> table.tolist(), decided.notes
    ([4, 6], ['Only "2023Q2" of "Column" was read.'])
    """
    only, remaining = chosen(how), list(axes)
    notes, doubts = list[str](), list[Doubt]()
    _check(only, {axis.name: axis.labels for axis in axes})
    offer = [(axis.name, axis.labels) for axis in axes if axis.name in only]
    for axis in axes:
        label = only.get(axis.name)
        if label is None and are_times(axis.labels):
            doubts.append(time_doubt(axis.name, axis.labels, offer, how))
        if label in (None, ALL):
            continue
        counts = np.moveaxis(counts, remaining.index(axis), 0)[axis.position(label)]
        remaining.remove(axis)
        notes.append(f"Only {quoted(label)} of {quoted(axis.name)} was read.")
    return counts, remaining, Decisions(notes, [offered(offer, how)] if offer else [], doubts)


def _check(only: Mapping[str, str], axes: Mapping[str, Sequence[str]]) -> None:
    """Raise InputError if a chosen axis or label does not exist."""
    for name, label in only.items():
        if name not in axes:
            raise InputError(
                f"The argument only names the axis {quoted(name)}, which does not exist. "
                f"The axes are {listed(list(axes))}."
            )
        if label != ALL and label not in axes[name]:
            raise InputError(
                f"The axis {quoted(name)} has no label {quoted(label)}, which the argument only names. Its labels are "
                f"{listed(list(axes[name]))}."
            )
