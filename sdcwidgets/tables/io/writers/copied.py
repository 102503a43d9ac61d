"""Texts of a source that its published files repeat, and the caution about them.

A release is computed from the counts of a table, but its titles, notes and labels are written by people. Such a text
can contain a count, for example "Table of 37 people, of whom 2 moved". No program can decide whether it does, so an
agency reads these texts before publication. This module lists the texts.
"""

from __future__ import annotations

import itertools
import re
from calendar import month_name
from collections.abc import Iterable, Iterator, Sequence

from sdcwidgets._util.labels import and_more, counted, quoted

#: Maximum number of texts that a caution lists.
MOST_LISTED = 6

_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand nobody none"
)

#: Value of each word, except of "hundred" and "thousand", which multiply.
_VALUES = dict(zip(_WORDS.split(), [*range(1, 20), *range(20, 100, 10), 100, 1000, 0, 0], strict=True))

#: A number in digits or in words.
_NUMBER = re.compile(rf"\d|\b(?:{'|'.join(_WORDS.split())})\b", re.IGNORECASE)

#: Digits with marks between them, such as "1,234" or "31.12.2025", that do not belong to a word such as "E06".
_DIGITS = re.compile(r"(?<![^\W_])\d+(?:[.,'’٬٫ \u00a0\u2009\u202f]\d+)*")

#: The number of a table at the start of its title, which is not a possible count.
_NUMBERED = re.compile(r"^\W*(table|tab\.?|figure|sheet)\s+[\d.]+", re.IGNORECASE)

#: Dates and ranges, in which numbers are not counts.
_DATE_OR_RANGE = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}([./])\d{1,2}\1\d{4}\b|\b\d+ ?(?:[-–]|to) ?\d+\b"
    rf"|\b\d{{1,2}}(?:\. \w+| (?:{'|'.join(month_name[1:])})) \d{{4}}\b",
    re.IGNORECASE,
)

#: Numbers that are read as years.
_YEARS = range(1900, 2101)

#: A number in a label that is likely to be a count: in brackets, or after "n =".
_COUNT = re.compile(r"[(\[]\s*(?:n\s*=\s*)?\d[\d,. ]*[)\]]|\bn\s*=\s*\d", re.IGNORECASE)


def copied_texts(titles: Iterable[str], lines: Iterable[str], labels: Iterable[str]) -> list[str]:
    """Return the texts of a source that its published files repeat and that can contain a count.

    Parameters
    ----------
    titles : iterable of str
        Title of the table and source of the data. They are listed if they contain a number.
    lines : iterable of str
        Lines above and below the table. All of them are listed.
    labels : iterable of str
        Names of axes and categories. They are listed if they contain a number in brackets or after "n =".

    Returns
    -------
    list of str
        Different texts.

    Examples
    --------
    >>> copied_texts(["Table of 37 people", "Areas"], ["Source: office"], ["North (n = 5)", "16 to 24"])
    ['Table of 37 people', 'Source: office', 'North (n = 5)']
    """
    numbered = [text for text in titles if _NUMBER.search(text)]
    counts = [text for text in labels if _COUNT.search(text)]
    return list(dict.fromkeys([*numbered, *lines, *counts]))


def copied_text_caution(titles: Iterable[str], lines: Iterable[str], labels: Iterable[str]) -> str:
    """Return the caution about the texts that published files repeat, "" if there are none.

    The caution is internal, because it is a warning to the agency.

    Parameters
    ----------
    titles : iterable of str
        Title of the table and source of the data. They are listed if they contain a number.
    lines : iterable of str
        Lines above and below the table. All of them are listed.
    labels : iterable of str
        Names of axes and categories. They are listed if they contain a number in brackets or after "n =".

    Examples
    --------
    >>> copied_text_caution(["Areas"], [], ["North", "South"])
    ''
    """
    texts = copied_texts(titles, lines, labels)
    if not texts:
        return ""
    listed = "; ".join(map(quoted, texts[:MOST_LISTED]))
    more = len(texts) - MOST_LISTED
    others = f"; and {counted(more, 'more text')}" if more > 0 else ""
    return (
        f"Text copied from the input: {listed}{others}. Read this text before publication, "
        "because it can contain a count."
    )


def withheld_text_caution(withheld: Iterable[tuple[str, str]]) -> str:
    """Return the caution about lines of the input that published files do not repeat, "" if there are none.

    Parameters
    ----------
    withheld : iterable of (str, str)
        Lines, each with its reason.

    Examples
    --------
    >>> withheld_text_caution([("Of 7 people", "7 can be a count")])
    'Text withheld from the release: "Of 7 people" (7 can be a count).'
    """
    texts = [f"{quoted(line)} ({reason})" for line, reason in withheld]
    if not texts:
        return ""
    more = len(texts) - MOST_LISTED
    others = f"; and {counted(more, 'more text')}" if more > 0 else ""
    return f"Text withheld from the release: {'; '.join(texts[:MOST_LISTED])}{others}."


def omitted_note(labels: Sequence[str]) -> str:
    """Return the note on categories of the input that a release does not have, "" if there are none.

    A label that states a count is not named.

    Parameters
    ----------
    labels : sequence of str

    Examples
    --------
    >>> omitted_note(["Bremen", "Not stated (n = 7)"]), omitted_note([])
    ('Not in this table: Bremen and 1 more.', '')
    """
    named = [label for label in labels if not _COUNT.search(label)]
    listed_labels = named[:MOST_LISTED]
    more = len(labels) - len(listed_labels)
    if not labels:
        return ""
    if not listed_labels:
        return f"Not in this table: {counted(more, 'category', 'categories')} of the source."
    return f"Not in this table: {', '.join(listed_labels)}{f' and {more:,} more' if more else ''}."


def withheld_reason(numbers: Sequence[int], hidden: Sequence[int]) -> str:
    """Return why a line is withheld.

    Parameters
    ----------
    numbers : sequence of int
        Numbers of the line that can be counts.
    hidden : sequence of int
        Those of them that equal an original count that the release does not show.

    Examples
    --------
    >>> withheld_reason([3], []), withheld_reason([3, 7], [7])
    ('3 can be a count', '7 is an original count that the release does not show')
    """
    listed = and_more([f"{number:,}" for number in hidden or numbers], 3)
    if not hidden:
        return f"{listed} can be {'a count' if len(numbers) == 1 else 'counts'}"
    verb = "is an original count" if len(hidden) == 1 else "are original counts"
    return f"{listed} {verb} that the release does not show"


def possible_counts(text: str) -> tuple[set[int], set[int]]:
    """Return the numbers of a text that can be counts, and its numbers that are probably years.

    The result does not depend on the counts of a table. If a line were left out only where its number equals a hidden
    count, then the line "aged 3 and over" in a release would disclose that no hidden count is 3.

    Examples
    --------
    >>> possible_counts("Table 3.2. Aged 25-64, 1 January 2025")
    (set(), set())
    >>> possible_counts("Persons aged 3 and over, 2011")
    ({3}, {2011})
    """
    numbers = numbers_in(_DATE_OR_RANGE.sub(" ", text))
    years = numbers.intersection(_YEARS)
    return numbers - years, years


def numbers_in(text: str) -> set[int]:
    """Return all whole numbers that a text can contain, in digits of any script or in English words.

    Digits with blanks or marks between them are read as one number with separators of thousands, and unless this is the
    only possible reading, also as several numbers. The number of a table at the start of its title is omitted.

    Examples
    --------
    >>> sorted(numbers_in("Table 3.2. Aged 25-64, 1 January 2025"))
    [1, 25, 64, 2025]
    >>> sorted(numbers_in("1,234 people")), sorted(numbers_in("In 1 234 areas")), sorted(numbers_in("of ٣٧ people"))
    ([1234], [1, 234, 1234], [37])
    >>> sorted(numbers_in("twenty-one of two hundred and five, one or two")), sorted(numbers_in("E06000001"))
    ([1, 2, 21, 205], [])
    """
    rest = _NUMBERED.sub("", text)
    return {*_in_digits(rest), *_in_words(rest)}


def _in_digits(text: str) -> Iterator[int]:
    """Yield the numbers in digits, with and without separators of thousands."""
    for match in _DIGITS.finditer(text):
        runs = ["".join(run) for is_digit, run in itertools.groupby(match[0], str.isdecimal) if is_digit]
        marks = {letter for letter in match[0] if not letter.isdecimal()}
        is_grouped = len(runs) > 1 and len(runs[0]) <= 3 and all(len(run) == 3 for run in runs[1:])
        if is_grouped and len(marks) == 1 and not marks & {" "}:
            yield int("".join(runs))
            continue
        for start, end in itertools.combinations(range(len(runs) + 1), 2):
            # Indian numbers have groups of two digits.
            if end - start == 1 or all(len(run) in (2, 3) for run in runs[start + 1 : end]):
                yield int("".join(runs[start:end])[:18])


def _in_words(text: str) -> Iterator[int]:
    """Yield the numbers in English words."""
    thousands, rest, last = 0, 0, ""
    for word in [*"".join(letter if letter.isalpha() else " " for letter in text.lower()).split(), ""]:
        value = _VALUES.get(word)
        if word == "and" and last in ("hundred", "thousand"):
            continue
        is_added = last in ("hundred", "thousand") or (
            20 <= _VALUES.get(last, 0) < 100 and value in range(1, 10)
        )
        if last and word not in ("hundred", "thousand") and not (is_added and value is not None):
            yield thousands + rest
            thousands, rest = 0, 0
        if word == "thousand":
            thousands, rest = (rest or 1) * 1000, 0
        elif word == "hundred":
            rest = (rest or 1) * 100
        else:
            rest += value or 0
        last = word if value is not None else ""


def without_enumeration(lines: Sequence[str]) -> list[str]:
    """Return lines without the numbers 1, 2 and so on of enumerated notes, which follow from their positions.

    Examples
    --------
    >>> without_enumeration(["Notes", "1. Includes students.", "2) Without 7 people", "9. of them"])
    ['Notes', 'Includes students.', 'Without 7 people', '9. of them']
    """
    expected, result = 1, []
    for line in lines:
        first, _, rest = line.partition(" ")
        digits = first.strip("()[].:")
        if rest and digits != first and digits.isdecimal() and int(digits) == expected:
            expected += 1
            result.append(rest)
        else:
            result.append(line)
    return result
