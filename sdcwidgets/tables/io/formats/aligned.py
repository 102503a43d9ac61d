"""Text whose columns are aligned by blanks, as statistical packages print it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from sdcwidgets.tables.io.formats.base import Row, Rows
from sdcwidgets.tables.io.printed import (
    lines_of_one_cell,
    with_one_header,
    without_types,
)

#: In place of a delimiter: the columns are aligned by blanks.
ALIGNED = "  "

#: Maximum number of lines of such a text.
MOST_LINES = 20_000

#: Texts between two or more blanks.
_TOKEN = re.compile(r"\S+(?: \S+)*")

#: Dots between a label and its numbers, as in "Hull ......", and shorter ones if other labels have such dots.
_LEADERS = re.compile(r"\s*\.{4,}$|(\s+\.){3,}$")
_SHORT_LEADERS = re.compile(r"(\s+\.+)+$|\.{2,}$")

#: Number of first lines of which one may be the header.
_MOST_HEADERS = 10

_RULE = frozenset("-=_+| ")

Span = tuple[int, int]


def aligned(lines: Sequence[str]) -> Rows:
    """Return the cells of lines; the lines that end with a number show where the columns are.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> aligned(["Area        Men   All women", "----", "New York  1 310          95", "Hull         75           8"])
    [['Area', 'Men', 'All women'], [], ['New York', '1 310', '95'], ['Hull', '75', '8']]

    If each column has one word as its heading, as R prints it, one blank separates columns:

    >>> aligned(["        Sex", "Area       m   f", "  York  1310 951", "  Hull    75   8"])
    [['', 'Sex'], ['Area', 'm', 'f'], ['York', '1310', '951'], ['Hull', '75', '8']]

    Dots that lead from a label to its numbers are no part of the label:

    >>> aligned(["Area          Men   Women", "New York ..   310      95", "Hull ......    75       8"])
    [['Area', 'Men', 'Women'], ['New York', '310', '95'], ['Hull', '75', '8']]
    """
    slices = lines_of_one_cell(lines)
    lines = ["" if k in slices else line.replace("|", " ") for k, line in enumerate(lines)]
    lines = with_one_header([line.rstrip() for line in without_types(lines)])
    found = [[(match.start(), match.end()) for match in _TOKEN.finditer(line.rstrip())] for line in lines]
    head, spans = _below_words(lines)
    if spans:
        for k in range(head, len(lines)):
            words = _words(lines[k])
            if k == head or _ends_with_number(lines[k], words):
                found[k] = words
    else:
        with_numbers = [k for k, tokens in enumerate(found) if _ends_with_number(lines[k], tokens)]
        spans = _columns([found[k] for k in with_numbers])
    rows = [_cells(line, tokens, spans) for line, tokens in zip(lines, found, strict=True)]
    rows = _without_leaders(rows)
    rows = [_at_first_columns(row, below) for row, below in itertools.pairwise([*rows, []])]
    return [[slices[k]] if k in slices else row for k, row in enumerate(rows)]


def _without_leaders(rows: Rows) -> Rows:
    """Return rows without the dots behind the labels of the first column."""
    if not any(_LEADERS.search(row[0]) for row in rows if row):
        return rows
    return [[_SHORT_LEADERS.sub("", row[0]), *row[1:]] if row else row for row in rows]


def _at_first_columns(row: Row, below: Row) -> Row:
    """Return a row of headings, each above the first of the columns that it spans, if the row below shows the columns.

    The row below has the same labels again and again, and each repetition has one text above it.

    Examples
    --------
    >>> _at_first_columns(["Age", "", "Germans", "", "Others", "All"], ["", "m", "f", "m", "f"])
    ['Age', 'Germans', '', 'Others', '', 'All']
    """
    start = next((j for j, text in enumerate(below) if text), 0)
    labels = below[start:]
    size = len(dict.fromkeys(labels))
    repeats = len(labels) // max(size, 1)
    if size < 2 or repeats < 2 or labels != labels[:size] * repeats or not all(map(str.strip, labels)):
        return row
    moved, end = list(row) + [""] * (start + len(labels) - len(row)), start + len(labels)
    for first in range(start, end, size):
        texts = [text for text in moved[first : first + size] if text]
        if len(texts) != 1 or _is_a_number(texts[0]):
            return row
        moved[first : first + size] = [*texts, *[""] * (size - 1)]
    return moved


def _is_a_number(text: str) -> bool:
    return text[:1].isdigit() and text[-1:].isdigit()


def _below_words(lines: Sequence[str]) -> tuple[int, list[Span]]:
    """Return the number of the header and the places of the columns, if each column has one word as its heading.

    The places have at least one blank between them in the header and in all lines that end with a number. The first
    column may have no heading. The result has no places if no line is such a header.
    """
    filled = [k for k, line in enumerate(lines) if line.strip()]
    words = {k: _words(lines[k]) for k in filled}
    numbers = [k for k in filled if _ends_with_number(lines[k], words[k])]
    places = _columns([words[k] for k in numbers])
    for head in filled[:_MOST_HEADERS] if numbers else ():
        if len(words[head]) < 2 or head in numbers or head > numbers[0]:
            continue
        spans = _columns([*([span] for span in places), words[head]])
        above = [[span for span in spans if _overlap(span, word)] for word in words[head]]
        if _are_above(spans[1:], places) and above in (
            [[span] for span in spans],
            [[span] for span in spans[1:]],
        ):
            return head, spans
    return 0, []


def _are_above(spans: Sequence[Span], places: Sequence[Span]) -> bool:
    """Return whether each heading is above a column, which is false for a word of a heading such as "No change"."""
    return all(any(_overlap(span, column) for column in places) for span in spans)


def _words(line: str) -> list[Span]:
    return [(match.start(), match.end()) for match in re.finditer(r"\S+", line)]


def _ends_with_number(line: str, tokens: Sequence[Span]) -> bool:
    """Return whether a line has several texts, and the last one is a number or a percentage."""
    last = line[slice(*tokens[-1])].rstrip("%") if len(tokens) > 1 else ""
    return bool(last) and last[0].isdigit() and last[-1].isdigit()


def _columns(lines: Sequence[Sequence[Span]]) -> list[Span]:
    """Return the places of the columns."""
    spans = list[Span]()
    for start, end in sorted(token for tokens in lines for token in tokens):
        if spans and start < spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    return spans


def _headings(line: str, token: Span, spans: Sequence[Span]) -> list[Span]:
    """Return the headings in a text that is above several columns; otherwise the whole text.

    Each heading is one of at least three words, or it ends where its column ends, as in "Improved No change Worse".
    """
    words = [(token[0] + start, token[0] + end) for start, end in _words(line[slice(*token)])]
    columns = [span for span in spans if _overlap(span, token)]
    above = [[span for span in columns if _overlap(span, word)] for word in words]
    if len(words) > 2 and above == [[span] for span in columns]:
        return words
    ends = [end for _, end in columns]
    if len(columns) < 2 or ends[-1] != token[1] or not set(ends) <= {end for _, end in words}:
        return [token]
    starts = [next(start for start, _ in words if start >= before) for before in (0, *ends[:-1])]
    return list(zip(starts, ends, strict=True))


def _overlap(first: Span, second: Span) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _cells(line: str, tokens: Sequence[Span], spans: Sequence[Span]) -> Row:
    """Return the cells of a line, each text in the column with which it shares the most places."""
    if not tokens or set(line.strip()) <= _RULE or not spans:
        return []
    cells = [""] * len(spans)
    for start, end in itertools.chain(*(_headings(line, token, spans) for token in tokens)):
        shared = [min(end, last) - max(start, first) for first, last in spans]
        column = shared.index(max(shared))
        cells[column] = f"{cells[column]} {line[start:end]}".strip()
    while cells and not cells[-1]:
        cells.pop()
    return list(cells)
