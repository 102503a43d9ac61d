"""Text whose columns are aligned by blanks, as statistical packages print it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from sdcwidgets.tables.io.formats.base import Row, Rows

#: In place of a delimiter: the columns are aligned by blanks.
ALIGNED = "  "

#: Maximum number of lines of such a text.
MOST_LINES = 20_000

#: Texts between two or more blanks.
_TOKEN = re.compile(r"\S+(?: \S+)*")

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
    """
    lines = [line.replace("|", " ") for line in lines]
    found = [[(match.start(), match.end()) for match in _TOKEN.finditer(line.rstrip())] for line in lines]
    with_numbers = [k for k, tokens in enumerate(found) if _ends_with_number(lines[k], tokens)]
    spans = _columns([found[k] for k in with_numbers])
    return [_cells(line, tokens, spans) for line, tokens in zip(lines, found, strict=True)]


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
    """Return the words of a text if it has three or more, each above another column; otherwise the whole text."""
    words = [(token[0] + m.start(), token[0] + m.end()) for m in re.finditer(r"\S+", line[slice(*token)])]
    columns = [span for span in spans if _overlap(span, token)]
    above = [[span for span in columns if _overlap(span, word)] for word in words]
    return words if len(words) > 2 and above == [[span] for span in columns] else [token]


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
