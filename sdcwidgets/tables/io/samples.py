"""A sample of the lines of a large text, from which a layout is proposed and previewed.

A sample has the first and last lines of a text. The layout of a sample is a layout of the text, with the numbers of its
lines in the text. What the sample does not show, the reader of layouts checks when it reads all lines.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from dataclasses import dataclass, replace

from sdcwidgets.tables.io.formats.base import of
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layouts import FileLayout

#: Maximum size of a text of which no sample is taken, in bytes.
LARGEST_WHOLE = 2**19

#: Sizes of the first lines and of the last lines of a sample, as parts of `LARGEST_WHOLE`.
_FIRST_PART, _LAST_PART = 3 / 4, 1 / 16

#: Maximum number of line ends that are tried as a place between two rows.
_MOST_TRIED = 200

#: Minimum number of groups of rows among the first lines, if these end between two groups.
_GROUPS = 4

_DELIMITERS = (b",", b";", b"\t", b"|")

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_ROW = re.compile(r"\b([Rr]ow|[Ll]ine) ([\d,]+)")


@dataclass(frozen=True)
class LineSample:
    r"""The first and last lines of a text.

    Attributes
    ----------
    content : bytes
    first_lines : bytes
        The first lines of the text.
    first : int
        Number of rows of the text before the rows that the sample omits.
    omitted : int
        Number of rows of the text that the sample omits.
    total : int
        Number of rows of the text.

    Examples
    --------
    >>> sample = LineSample(b"Area,n\nBath,1\nYork,9\n", b"Area,n\nBath,1\n", first=2, omitted=7, total=10)
    >>> sample.number_in_text(3), sample.number_in_sample(10), sample.number_in_sample(5)
    (10, 3, 0)
    >>> sample.sentence_of_text("row 3 has no label.")
    'row 10 has no label.'
    """

    content: bytes
    first_lines: bytes
    first: int
    omitted: int
    total: int

    def number_in_text(self, number: int) -> int:
        """Return the number in the text of a row of the sample."""
        return number if number <= self.first else number + self.omitted

    def number_in_sample(self, number: int) -> int:
        """Return the number in the sample of a row of the text; 0 for a row that the sample omits."""
        if number <= self.first:
            return number
        return max(number - self.omitted, self.first) if number > self.first + self.omitted else 0

    def layout_of_text(self, layout: FileLayout) -> FileLayout:
        """Return the layout of the text for a layout of the sample."""
        rows = tuple(replace(row, number=self.number_in_text(row.number)) for row in layout.rows)
        return replace(layout, rows=rows)

    def layout_of_sample(self, layout: FileLayout) -> FileLayout | None:
        """Return the layout of the sample for a layout of the text; None if the sample omits one of its rows."""
        numbers = [self.number_in_sample(row.number) for row in layout.rows]
        if not all(numbers):
            return None
        rows = tuple(replace(row, number=number) for row, number in zip(layout.rows, numbers, strict=True))
        return replace(layout, rows=rows)

    def sentence_of_text(self, sentence: str) -> str:
        """Return a sentence about the sample with the numbers of the rows in the text."""

        def in_text(match: re.Match[str]) -> str:
            return f"{match[1]} {self.number_in_text(int(match[2].replace(',', ''))):,}"

        return _ROW.sub(in_text, sentence)

    @property
    def words(self) -> str:
        """Noun phrase for the lines of the sample."""
        last = self.total - self.omitted - self.first
        return f"the first {self.first:,} and the last {last:,} of {self.total:,} lines"


def sample_of(content: bytes) -> LineSample | None:
    r"""Return a sample of the lines of a large text; None for a file of another format, or for a small text.

    Examples
    --------
    >>> lines = b"".join(b"Area %d,7\n" % number for number in range(100_000))
    >>> sample = sample_of(b"Area,n\n" + lines)
    >>> sample.total, sample.first + sample.omitted < sample.total, len(sample.content) < LARGEST_WHOLE
    (100001, True, True)
    """
    if len(content) <= LARGEST_WHOLE or content.startswith(_UTF_16) or of(content) is not DelimitedText:
        return None
    end = _between_rows(content, int(_FIRST_PART * LARGEST_WHOLE))
    start = _between_rows(content, len(content) - int(_LAST_PART * LARGEST_WHOLE))
    if not 0 < end < start:
        return None
    end = _end_of_group(content, end)
    first_lines, last_lines = content[:end], content[start:]
    delimiter = _delimiter(first_lines)
    first, last, total = (_number_of_rows(part, delimiter) for part in (first_lines, last_lines, content))
    if first + last >= total:
        return None
    return LineSample(first_lines + last_lines, first_lines, first, total - first - last, total)


def _delimiter(lines: bytes) -> bytes:
    return max(_DELIMITERS, key=lines.count)


def _between_rows(content: bytes, place: int) -> int:
    """Return the first place after a line end from `place` on that is not inside quotes; 0 without a line end."""
    is_inside = _has_odd_quotes(content, 0, place)
    first = after = content.find(b"\n", place) + 1
    for _ in range(_MOST_TRIED):
        if not after:
            break
        is_inside ^= _has_odd_quotes(content, place, after)
        if not is_inside:
            return after
        place, after = after, content.find(b"\n", after) + 1
    return first  # a quote without its counterpart, such as the sign for inches


def _has_odd_quotes(content: bytes, start: int, end: int) -> bool:
    return content.count(b'"', start, end) % 2 == 1


def _end_of_group(content: bytes, end: int) -> int:
    """Return the place at which the last group of rows before `end` begins, because `end` may be inside the group.

    The rows of a group have the same first cells.
    """
    lines = content[:end].splitlines(keepends=True)
    below = content[end : content.find(b"\n", end)]
    delimiter = _delimiter(below)
    for number in range(1, below.count(delimiter) + 1):
        start = delimiter.join(below.split(delimiter)[:number]) + delimiter
        group = list(itertools.takewhile(lambda line: line.startswith(start), reversed(lines)))  # noqa: B023
        if len(group) * _GROUPS <= len(lines):
            return end - sum(map(len, group))
    return end


def _number_of_rows(content: bytes, delimiter: bytes) -> int:
    """Return the number of rows of a text, whose cells in quotes may have line ends."""
    if b'"' not in content:
        return content.count(b"\n") + (not content.endswith(b"\n"))
    lines = io.TextIOWrapper(io.BytesIO(content), "latin-1", newline="")
    try:
        return sum(
            1 for _ in csv.reader(lines, delimiter=delimiter.decode(), skipinitialspace=delimiter != b"\t")
        )
    except csv.Error:  # a cell is too long, which is an error when the text is read
        return content.count(b"\n")
