"""Classify single cells and labels: blanks, numbers, missing values, flags, indented labels, and words with a meaning.

The file `words.toml` has the words of each kind in several languages.
"""

from __future__ import annotations

import datetime
import itertools
import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import count_in, is_decimal, quoted
from sdcwidgets.tables.io.layout.translations import in_languages

if TYPE_CHECKING:
    from sdcwidgets.tables.io.formats.base import Row, Rows

#: Maximum number of axes of a table, which is the maximum of numpy.
MOST_AXES = 64

#: Texts that may be numbers; a quick check, which excludes most other texts.
_DIGITS = re.compile(r"\s*[+\-−.,]?\d(?:[\d\s.,'’٫٬]|[eE][+\-]?)*")

#: Characters of a number with separators.
_IN_NUMBERS = frozenset("0123456789.,'’ \u00a0\u202f")

#: Brackets around flags, and signs that are flags although they are punctuation.
_BRACKETS, _FLAG_SIGNS = " ()[]", "*†‡§¶"

#: Dashes in place of counts.
_DASHES = "-–—−－ـ"

#: Flag of a count with a percentage in brackets behind it, as in "37 (38%)".
SHARE = "(%)"

#: Texts of statistical offices in place of a count: confidential, not available, rounded to zero, or a range.
_GAPS = re.compile(
    r"\[?(c|x|z|u|s|n|na|n/a|low)\]?|\.{1,3}|…|[-–—−－ـ]{1,3}|\*{1,3}|:|#|•|/|([<≤>≥]\s?\d+|\d+\s?[-–—]\s?\d+)",
    re.IGNORECASE,
)

#: Marks before an indented label. A single dash, star or ">" may begin a label ("-1", "> 65"), or frame it ("- no -").
_MARKS = re.compile(
    r"(?:\s|[·•‣▪◦»›→└├─…_]|\.{2,}|>{2,}|-*>(?=\s*[^\W\d])|[-–—*+]+(?=\s|[^\W\d])(?!.*[-–—*]\s*$))+"
)


#: Minimum number of letters of a word that is shortened.
_LEAST_SHORTENED = 3

#: Last letters of plurals.
_PLURALS = "seinr"


@cache
def _listed(kind: str, of: str = "") -> tuple[str, ...]:
    """Return the words of a kind; if `of` is not empty, those in lists whose names end with `of`."""
    known = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))[kind]
    return tuple(word for name, words in known.items() if name.endswith(of) for word in words)


@cache
def _words(kind: str, of: str = "") -> re.Pattern[str]:
    """Return a pattern that finds the words of a kind.

    A word for percentages after a number, as in "over 50 per cent", is not found. If `of` is not empty, only the lists
    of words are used whose names end with `of`.
    """
    every = sorted(set(_listed(kind, of)), key=len, reverse=True)
    number = r"(?<!\d\s)" if kind == "percentage" else ""
    pattern = rf"(?<!\w){number}(?:{'|'.join(every)})(?!\w)"
    return re.compile(pattern.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)


def says(kind: str, label: str) -> bool:
    """Return whether a whole label is a word of a kind, such as "total".

    Examples
    --------
    >>> says("total", "Insgesamt:"), says("total", "Total war")
    (True, False)
    """
    return _words(kind).fullmatch(label.strip(" :")) is not None


def has(kind: str, label: str) -> bool:
    """Return whether a label contains a word of a kind, such as "thousand".

    Examples
    --------
    >>> has("thousand", "Population (thousands)"), has("thousand", "Thousand Oaks Boulevard")
    (True, True)
    """
    return _words(kind).search(label) is not None


def units_in(text: str) -> list[str]:
    """Return the units that a text names, in their order: "people", or the plural of another unit as in the text.

    A singular, as in "household size", is not a unit, and people are none whom something is for, as in "homes for
    people over 80".

    Examples
    --------
    >>> units_in("Households by number of persons"), units_in("Inhabitants"), units_in("Household size")
    (['households', 'people'], ['people'], [])
    >>> units_in("Hébergement pour personnes âgées")
    []
    """
    people = [
        (match.start(), "people")
        for match in _words("count", "_people").finditer(text)
        if not says("for", " ".join(text[: match.start()].split()[-1:]))
    ]
    others = [
        (match.start(), match[0].lower())
        for match in _words("unit").finditer(text)
        if match[0][-1] in _PLURALS
    ]
    return [unit for _, unit in sorted([*people, *others])]


def begins(kind: str, label: str) -> bool:
    """Return whether a label begins with words of a kind, such as "part".

    Examples
    --------
    >>> begins("part", "of which 80+"), begins("part", "80+"), begins("part", "thereo. women")
    (True, False, True)
    """
    text = label.lstrip(" -–([")
    return _words(kind).match(text) is not None or _is_shortened(kind, text.partition(" ")[0].lower())


def _is_shortened(kind: str, word: str) -> bool:
    """Return whether a word with a point at its end is the beginning of a word of a kind."""
    start = word.removesuffix(".")
    return (
        start != word
        and len(start) >= _LEAST_SHORTENED
        and any(known.startswith(start) for known in _listed(kind))
    )


def is_total(label: str) -> bool:
    """Return whether a label can only be the label of a total, perhaps in two languages.

    Examples
    --------
    >>> is_total("Grand total:"), is_total("Total war"), is_total("Insgesamt / Total"), is_total("Σύνολο Total")
    (True, False, True, True)
    """
    if says("total", label):
        return True
    texts = in_languages(label)
    return len(texts) > 1 and all(says("total", text) for text in texts)


def is_part(label: str) -> bool:
    """Return whether a label marks a part of another category, as in "of which 80+".

    Examples
    --------
    >>> is_part("of which 80+"), is_part("80+")
    (True, False)
    """
    return begins("part", label)


def says_percentages(label: str) -> bool:
    """Return whether a label means that the numbers of its line are percentages.

    Examples
    --------
    >>> says_percentages("Total in %"), says_percentages("over 50 %")
    (True, False)
    """
    return has("percentage", label)


def says_figures(label: str) -> bool:
    """Return whether a label means that the numbers of its line are not counts, but for example rates or money.

    Examples
    --------
    >>> says_figures("Death rate"), says_figures("Turnover in m €"), says_figures("under 500 €")
    (True, True, False)
    """
    # If a wrong encoding was used, a sign of a currency before other letters can be a letter.
    pairs = itertools.pairwise(f"{label} ")
    is_money = any(unicodedata.category(sign) == "Sc" and not after.isalpha() for sign, after in pairs)
    return has("figure", label) or (is_money and not any(map(str.isdigit, label)))


def holds_no_counts(heading: str) -> bool:
    """Return whether the heading of a column names an attribute of a person, such as an age, and not counts.

    Examples
    --------
    >>> holds_no_counts("Age"), holds_no_counts("Persons")
    (True, False)
    """
    return says("record", heading)


def says_counts(heading: str) -> bool:
    """Return whether a heading or a unit means that its numbers are counts.

    Examples
    --------
    >>> says_counts("Persons"), says_counts("Euro")
    (True, False)
    """
    return says("count", heading)


def label_of(cell: object) -> str:
    """Return a cell as the text of a label."""
    if isinstance(cell, str):
        return cell
    if type(cell) is int:
        return str(cell)
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)


def grouping(labels: Sequence[str]) -> tuple[int, ...]:
    """Return the first position of each label; columns that distinguish the same rows have the same result.

    Examples
    --------
    >>> grouping(["A", "B", "A"]) == grouping(["05", "07", "05"])
    True
    """
    first: dict[str, int] = {}
    return tuple(first.setdefault(label, i) for i, label in enumerate(labels))


def are_codes(labels: Sequence[str]) -> bool:
    """Return whether all labels are codes: one word with a digit and without a lower-case letter.

    Examples
    --------
    >>> are_codes(["E06000001", "101"]), are_codes(["North", "Area 2"]), are_codes(["0-14", "15-64"])
    (True, False, False)
    """
    words = [label.strip().replace("_", "") for label in labels]
    return all(word.isalnum() and word == word.upper() and any(map(str.isdigit, word)) for word in words)


def are_tags(row: Row) -> bool:
    """Return whether a row has two or more tags of the Humanitarian Exchange Language, and no other texts.

    Examples
    --------
    >>> are_tags(["#adm1+name", "#population+f"]), are_tags(["#", "Area"])
    (True, False)
    """
    filled = [label_of(cell).strip() for cell in row if not is_blank(cell)]
    return len(filled) > 1 and all(text.startswith("#") and text[1:2].isalpha() for text in filled)


def _likeness(labels: Sequence[str]) -> tuple[bool, bool, bool, bool]:
    """Return a sort key that is larger for columns of names than for columns of codes."""
    words = sum(" " in label or (label[:1].isalpha() and any(map(_is_small, label))) for label in labels)
    letters = "".join(labels)
    has_case = any(map(str.isupper, letters)) or letters.upper() == letters
    return not are_codes(labels), not all(map(str.isdecimal, labels)), 2 * words > len(labels), has_case


def _is_small(letter: str) -> bool:
    """Return whether a character is a letter that is not a capital, as all letters of many scripts."""
    return letter.isalpha() and not letter.isupper()


def named_once(those: Sequence[int], columns: Sequence[Sequence[str]]) -> list[int]:
    """Return one column of each group that distinguishes the same rows: the first column of names, and not of codes.

    A column behind the names, such as the survey of a country, is an attribute. Among columns without names, such as
    codes and years, the last one is returned.

    Examples
    --------
    >>> named_once([0, 1, 2], [["E1", "E2", "E1"], ["Bath", "Hull", "Bath"], ["m", "m", "f"]])
    [1, 2]
    >>> named_once([0, 1], [["2ae19600", "2ae19601"], ["Carlow", "Louth"]])
    [1]
    >>> named_once([0, 1], [["Peru", "Chile"], ["Labour force survey of Peru", "Survey of Chile"]])
    [0]
    """
    best: dict[tuple[int, ...], int] = {}
    for j in those:
        which = grouping(columns[j])
        likeness, best_yet = _likeness(columns[j]), _likeness(columns[best.get(which, j)])
        is_name = likeness >= (True, True, True)
        if likeness > best_yet or (likeness == best_yet and (which not in best or not is_name)):
            best[which] = j
    return sorted(best.values())


def is_blank(cell: object) -> bool:
    """Return whether a cell is empty, nan, or has only spaces."""
    return (
        cell is None
        or (isinstance(cell, str) and not cell.strip())
        or (isinstance(cell, float) and cell != cell)
    )


def extent(row: Row) -> int:
    """Return the number of cells up to the last filled one."""
    return next((j for j in range(len(row), 0, -1) if not is_blank(row[j - 1])), 0)


def is_number(cell: object) -> bool:
    """Return whether a cell is a number, which need not be a count."""
    if isinstance(cell, str):
        return _DIGITS.fullmatch(cell) is not None and (
            not isinstance(count_in(cell), str) or is_decimal(cell)
        )
    return isinstance(cell, int | float) and not isinstance(cell, bool) and cell == cell


def is_negative(cell: object) -> bool:
    """Return whether a cell is a number below 0, which marks a missing count, or is a difference of counts.

    Examples
    --------
    >>> [is_negative(cell) for cell in (-1, "-999", "-", "3", "-12.5", "2020-21")]
    [True, True, False, False, True, False]
    """
    text = label_of(cell).strip()
    return text[:1] in ("-", "−") and text[1:2].isdigit() and is_number(text.replace("−", "-"))


def flag_beside(cell: object) -> tuple[str, str] | None:
    """Return the number and the flag of a cell that has both; otherwise None.

    All percentages and decimals in brackets are the flag `SHARE`.

    Examples
    --------
    >>> flag_beside("12 p"), flag_beside("1,234(b)"), flag_beside("12 %"), flag_beside("12")
    (('12', 'p'), ('1,234', 'b'), None, None)
    >>> flag_beside("712 ┴"), flag_beside("37 (38.2 %)"), flag_beside("37 (38.2)"), flag_beside("37 °C")
    (('712', '┴'), ('37', '(%)'), ('37', '(%)'), None)
    """
    text = cell.strip() if isinstance(cell, str) and len(cell) < 40 else ""
    if not text[:1].isdigit() or (text[-1:].isascii() and text[-1:].isdigit()):
        return None
    end = next((i for i, letter in enumerate(text) if letter not in _IN_NUMBERS), len(text))
    number, flag = text[:end].strip(), text[end:]
    bare = flag.strip(_BRACKETS)
    if flag[:1] in ("(", "[") and (is_percentage(bare) or is_decimal(bare)):
        return number, SHARE
    is_letters = bare.isascii() and bare.isalpha()
    is_digit = flag[:1] in ("(", "[") and len(bare) == 1 and bare.isdigit()
    is_flag = 0 < len(bare) <= 3 and (is_letters or is_digit or all(map(_is_flag_sign, bare)))
    return (number, bare) if is_flag else None


def are_lettered(cells: Sequence[object]) -> bool:
    """Return whether all filled cells are a number and a sign, and a number has several signs, as school classes have.

    Examples
    --------
    >>> are_lettered(["1a", "1b", "2a", ""]), are_lettered(["12 p", "13 p", "14 r"]), are_lettered(["1a", "1b", "7"])
    (True, False, False)
    """
    flagged = [flag_beside(cell) for cell in cells if not is_blank(cell)]
    different = {pair for pair in flagged if pair is not None}
    return None not in flagged and len({number for number, _ in different}) < len(different)


def unpublished(gap: str) -> str:
    """Return the advice about a mark in place of a count."""
    return f"{quoted(gap)} marks a count that was not published; load a table with all counts"


def _is_flag_sign(sign: str) -> bool:
    """Return whether a character is a raised digit, or a sign without a meaning for a number."""
    return sign in _FLAG_SIGNS or (unicodedata.category(sign) in ("So", "No") and sign != "°")


def is_rounded(cell: object) -> bool:
    """Return whether a cell is a number such as "1.2E+05", whose last digits are missing.

    Examples
    --------
    >>> is_rounded("1.2E+05"), is_rounded("1,2E05"), is_rounded("E06"), is_rounded("120000")
    (True, True, False, False)
    """
    if not isinstance(cell, str):
        return False
    number, mark, power = cell.strip().upper().partition("E")
    return mark == "E" and power.lstrip("+").isdecimal() and is_number(number) and " " not in number


def is_flag(cell: object) -> bool:
    """Return whether a cell looks like a flag without a number: up to three small letters.

    Examples
    --------
    >>> is_flag("p"), is_flag("bep"), is_flag("few"), is_flag("Area")
    (True, True, True, False)
    """
    text = cell.strip() if isinstance(cell, str) else ""
    return text.isascii() and text.isalpha() and text.islower() and len(text) <= 3


def is_percentage(cell: object) -> bool:
    """Return whether a cell is a number with a percent sign."""
    text = cell.strip() if isinstance(cell, str) and len(cell) < 20 else ""
    return text.endswith("%") and is_number(text[:-1])


def missing_in(cell: object) -> str | None:
    """Return the text of a cell that marks a missing or suppressed count; None for any other cell.

    Examples
    --------
    >>> missing_in(" c "), missing_in("<5"), missing_in("1-4"), missing_in("12"), missing_in("few")
    ('c', '<5', '1-4', None, None)
    """
    text = cell.strip() if isinstance(cell, str) and len(cell) < 20 else ""
    return text if _GAPS.fullmatch(text) else None


def is_bracketed(text: str) -> bool:
    """Return whether a text is in brackets, as a unit above a table often is.

    Examples
    --------
    >>> is_bracketed("(persons)"), is_bracketed("Men (persons)")
    (True, False)
    """
    return text[:1] in tuple("([（［") and text[-1:] in tuple(")]）］")


def is_dash(cell: object) -> bool:
    """Return whether a cell has only dashes, which may mean zero or an unpublished count.

    Examples
    --------
    >>> is_dash("-"), is_dash(" –– "), is_dash("..")
    (True, True, False)
    """
    text = missing_in(cell) or ""
    return bool(text) and all(sign in _DASHES for sign in text)


def range_in(cell: object) -> bool:
    """Return whether a cell is a range, which can replace a count or be a label such as an age group.

    Examples
    --------
    >>> range_in("0-17"), range_in("c")
    (True, False)
    """
    return any(map(str.isdigit, missing_in(cell) or ""))


def is_mark(cell: object) -> bool:
    """Return whether a cell is a short text without words, which may replace a count.

    Examples
    --------
    >>> [is_mark(cell) for cell in ("(5)", "/", "k.A.", "c", "12 %", "Source", "A", 5)]
    [True, True, True, True, True, False, False, False]
    """
    text = cell.strip() if isinstance(cell, str) else ""
    if not 0 < len(text) < 20:
        return False
    has_word = any(first.isalpha() and second.isalpha() for first, second in itertools.pairwise(text))
    return missing_in(cell) is not None or not (text.isalpha() or has_word)


def has_numbers(row: Row) -> bool:
    """Return whether a row has a number to the right of its first cell."""
    return any(map(is_number, row[1:]))


def missing_only(row: Row) -> bool:
    """Return whether all cells except the first mark missing or suppressed counts."""
    return len(row) > 1 and all(missing_in(cell) for cell in row[1:])


def indent(label: str) -> int:
    """Return the number of blanks and marks with which a label is indented.

    Examples
    --------
    >>> [indent(label) for label in ("Boys", "  Boys", "- Boys", ">> 0-4", "..5", "-5", "> 65", "...")]
    [0, 2, 2, 3, 2, 0, 0, 0]
    """
    marks = _MARKS.match(label)
    return marks.end() if marks and marks.end() < len(label) else 0


def blanks_before(label: str) -> int:
    """Return the number of blanks at the start of a label."""
    return len(label) - len(label.lstrip())


def squared(rows: Rows) -> Rows:
    """Remove blank columns on the left, and pad all rows to the same length; blank rows become empty lists."""
    filled = [row for row in rows if extent(row)]
    width = max(map(len, filled), default=0)
    first = min((next(j for j, cell in enumerate(row) if not is_blank(cell)) for row in filled), default=0)
    return [(row + [None] * (width - len(row)))[first:] if extent(row) else [] for row in rows]


def trimmed(rows: Rows) -> Rows:
    """Remove blank columns on the right and blank rows at the end; other blank rows become empty lists."""
    width = 0
    for row in rows:
        if len(row) > width:
            width = max(width, extent(row))
    rows = [row[:width] for row in rows]
    rows = [row if extent(row) else [] for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def usual_width(rows: Rows) -> int:
    """Return the most frequent number of cells of rows with numbers.

    If several numbers are equally frequent, prefer the number of cells of the line above these rows, or the largest.
    """
    widths = Counter(extent(row) for row in rows if has_numbers(row))
    if not widths:
        return 0
    most = max(widths.values())
    tied = {width for width, times in widths.items() if times == most}
    first = next(i for i, row in enumerate(rows) if has_numbers(row))
    header = next((extent(row) for row in reversed(rows[:first]) if row), 0)
    return header if header in tied else max(tied)


def joined_text(upper: str, lower: str) -> str:
    """Return the text of a heading on two lines.

    Examples
    --------
    >>> joined_text("Not in", "labor force"), joined_text("Unem-", "ployed"), joined_text("", "Total")
    ('Not in labor force', 'Unemployed', 'Total')
    """
    upper, lower = upper.strip(), lower.strip()
    if upper.endswith("-") and lower[:1].islower():
        return upper[:-1] + lower
    return f"{upper} {lower}".strip()


def joined_row(upper: Row, lower: Row) -> list[str]:
    """Return the headings of columns whose texts are on two lines."""
    pairs = itertools.zip_longest(upper, lower)
    return [joined_text(label_of(first), label_of(second)) for first, second in pairs]


def is_continued(upper: Row, lower: Row) -> bool:
    """Return whether headings continue in the line below, so that the lower words begin with a small letter.

    A column whose heading is only in the lower line may belong to the group that the heading to its left names. If the
    heading begins with a capital letter, the column does not belong to such a group.

    Examples
    --------
    >>> is_continued(["Sex", "", "Unem-", "Not in", ""], ["", "Employed", "ployed", "labor force", "Total"])
    True
    >>> is_continued(["Area", "Men", "", "Women"], ["", "single", "married", "single"])
    False
    >>> is_continued(["Area", "Sex", "", ""], ["", "of which children", "Men", "Women"])
    False
    """
    texts = [
        (label_of(first).strip(), label_of(second).strip())
        for first, second in itertools.zip_longest(upper, lower)
    ]
    pairs = texts[1:]
    first = next((j for j, pair in enumerate(pairs) if all(pair)), len(pairs))
    if first == len(pairs) or not _are_different([text for text, _ in pairs if text]):
        return False
    alone = [below for over, below in pairs[first:] if below and not over]
    labels = [joined_text(*pair) for pair in pairs if any(pair)]
    is_apart = _are_different(labels) and all(below[0].isupper() for below in alone)
    return (
        is_apart and not _is_name_of_axis(pairs) and _are_one_heading([pair for pair in texts if all(pair)])
    )


def _is_name_of_axis(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether a single text is above several headings, so that it names their axis."""
    both = [over for over, below in pairs if over and below]
    alone = [below for over, below in pairs if below and not over]
    return len(both) == 1 and bool(alone) and not both[0].endswith("-")


def _are_different(texts: Sequence[str]) -> bool:
    return len(set(texts)) == len(texts)


def _are_one_heading(pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether the lower texts continue the words of the upper ones, and are neither units nor marks."""
    lower = [below for _, below in pairs]
    if all(says_counts(below) or says_percentages(below) for below in lower):
        return False
    if any(is_mark(below) or is_flag(below) for below in lower):
        return False
    starts = all(over.endswith("-") or not over[:1].islower() for over, _ in pairs)
    return starts and all(below[0].islower() for below in lower)


def texts_over(upper: Row, lower: Row) -> list[tuple[str, str]]:
    """Return the headings that have another heading directly below them, without those of the first column.

    A single text over several headings is a title, a unit or the name of their axis.

    Examples
    --------
    >>> texts_over(["", "Not In", "Divorced Or"], ["Area", "Labour Force", "Separated"])
    [('Not In', 'Labour Force'), ('Divorced Or', 'Separated')]
    >>> texts_over(["", "", "(persons)"], ["Area", "Men", "Women"])
    []
    """
    texts = [
        (label_of(first).strip(), label_of(second).strip())
        for first, second in zip(upper[1:], lower[1:], strict=False)
    ]
    both = [(over, below) for over, below in texts if over and below]
    is_repeated = all(over == below for over, below in both)
    return [] if is_repeated or len({over for over, _ in both}) < 2 else both


def check_axes(axes: int) -> None:
    """Raise InputError if a table has too many axes."""
    if axes > MOST_AXES:
        raise InputError(f"The table has {axes:,} axes; the maximum is {MOST_AXES}.")


def check_size(shape: Sequence[int], limit: int | None) -> None:
    """Raise InputError if a table has more cells than the limit."""
    cells = math.prod(shape)
    if limit is not None and cells > limit:
        many = f"{cells:,}" if cells < 10**15 else "too many"
        raise InputError(f"The table has {many} cells; the maximum is {limit:,}.")
