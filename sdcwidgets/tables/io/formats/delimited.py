"""Read delimited text, such as CSV, from bytes or from a pasted text.

Lines and cells are counted while they are read, so that a file that is too large is rejected early.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import axis_names, quoted
from sdcwidgets._util.publication import without_first_line
from sdcwidgets.tables.io.encodings import CHOICES, NAMES, Detection, detected, different_word
from sdcwidgets.tables.io.formats.aligned import ALIGNED, MOST_LINES, aligned
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, Rows, SheetCells, most_cells, of, register
from sdcwidgets.tables.io.options import Choice, NoCounts, Remark
from sdcwidgets.tables.io.printed import has_frames, is_slice, without_frames
from sdcwidgets.tables.io.questions import Doubt, doubt

#: First bytes of files that are not tables, with the names of their formats in messages.
_KINDS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"II*\x00": "a picture",
    b"MM\x00*": "a picture",
    b"RIFF": "an image, a sound or a video",
    b"<svg": "a picture",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "a compressed file",
    b"7z\xbc\xaf": "a compressed file",
    b"\x7fELF": "a program",
    b"MZ\x90\x00": "a program",
    b"{\\rtf": "a document of a word processor",
}

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_CONTROL = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
#: Character at the end of text files of DOS.
_END_OF_FILE = b"\x1a"
_DELIMITING = re.compile(rb",(?! ?[A-Za-z]|\d{3}(?!\d))")  # a comma that is not inside a text or a number
#: If fewer than one in eight commas separate cells, aligned columns are tried instead.
_FEW = 8

#: Signs of rules between rows, and blanks.
_RULES = frozenset("-=+: ")

_NUMERIC = re.compile(r"[\d\s.,'’]+")
_OF_R = re.compile(r'("([^"\\]|\\.)*"|[\w.+\-]+)( ("([^"\\]|\\.)*"|[\w.+\-]+))+')


#: Maximum number of cells of a microdata file. Its records are counted and not stored.
MOST_OF_PEOPLE = 5_000_000

#: Maximum number of columns for which a file that is too large may be microdata.
_MOST_QUESTIONS = 100


@register
class DelimitedText(Format):
    """Delimited text, whose encoding and separator are detected.

    A byte order mark determines the encoding. Without the mark, the encoding is UTF-8 if all bytes are valid in UTF-8,
    and otherwise the encoding that charset-normalizer finds most probable; see `encodings`. The separator is the one
    with which most of the first 100 rows have the same number of cells, and most cells are numbers.

    Parameters
    ----------
    content : bytes or str
    name : str
        Name of the text in messages.
    limit : int or None
        Maximum number of cells of the table; None for no limit.
    encoding : str
        Encoding of the bytes; it is detected by default.

    Attributes
    ----------
    encoding : str
    other_encodings : tuple of str
        Encodings that fit equally well and result in another text.
    mark : str
        The separator.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the text: texts are in quotes, counts are not, and the first cell names
        the axes.

    Raises
    ------
    InputError
        If the bytes are not text, or have too many lines.
    """

    name: ClassVar[str] = "csv"
    title: ClassVar[str] = "CSV text"
    suffixes: ClassVar[tuple[str, ...]] = (".csv", ".tsv", ".tab", ".txt")
    order: ClassVar[float] = 100  # the last format, which accepts any content

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return True; the constructor raises InputError if the content is not text."""
        return True

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the text in these bytes."""
        return cls(content, name, limit)

    def __init__(
        self,
        content: bytes | str,
        name: str = "The text",
        limit: int | None = None,
        encoding: str = "",
    ) -> None:
        if isinstance(content, str):
            self.encoding, self.other_encodings = Detection("utf-8")
            self._content = content.encode("utf-8", "surrogatepass")
        else:
            content = content.rstrip(_END_OF_FILE)
            self.encoding, self.other_encodings = encoding_of(content, name, encoding)
            self._content = content
        self._content = without_first_line(self._content)
        if any(map(has_frames, islice(self._lines(), 100))):
            text = without_frames(self._content.decode(self.encoding, "surrogatepass"))
            self._content = text.encode(self.encoding, "surrogatepass")
        self._most = most_cells(limit)
        lines = self._content.count(b"\n") + self._content.count(b"\r")
        if lines > 2 * self._most:
            raise InputError(f"{name} has {lines:,} lines; at most {int(self._most):,} are read here.")
        # Excel reads the separator from such a first line.
        separator = re.match(r"\ufeff?sep=([,;\t])\r?\n", self._start(), re.IGNORECASE)
        self._skip = separator is not None
        self.own = not self._skip and self._is_own()
        if separator is not None or self.own:
            self.mark = separator[1] if separator else ","
        else:
            blanks = " " if self._is_of_r() else ""
            scores = {mark: self._score(mark) for mark in "\t;,|" + blanks}
            self.mark = max(scores, key=scores.__getitem__)
            if self.mark == "," and scores["|"][1] > 1 and self._has_equal_bars():
                self.mark = "|"
            is_inside_numbers = self.mark == "," and self._has_commas_in_numbers(scores[","][0])
            is_unlikely = not scores[self.mark][0] and scores[self.mark][1] < 3
            is_printed = self._has_ruled_columns() or any(map(is_slice, islice(self._lines(), 100)))
            if is_printed or ((is_unlikely or is_inside_numbers) and self._score(ALIGNED)[0]):
                self.mark = ALIGNED

    def _has_commas_in_numbers(self, score: float) -> bool:
        """Return whether nearly all commas are inside numbers, so that they do not separate cells."""
        start = self._content[:100_000]
        delimiting = sum(1 for _ in _DELIMITING.finditer(start))
        is_rare = _FEW * delimiting < start.count(b",")
        return not delimiting or (is_rare and self._score(ALIGNED)[0] > score)

    def _has_ruled_columns(self) -> bool:
        """Return whether the text looks like output of Stata: a rule of - and +, and several numbers between bars."""
        lines = list(islice(self._lines(), 100))
        if not any(set(line.strip()) == {"-", "+"} for line in lines):
            return False
        parts = [part.split() for line in lines for part in line.split("|")[1:-1]]
        return any(len(words) > 1 and all(map(_NUMERIC.fullmatch, words)) for words in parts)

    def _has_equal_bars(self) -> bool:
        """Return whether the first 100 lines have the same number of vertical bars, which then separate cells."""
        lines = [line for line in islice(self._lines(), 100) if line.strip()]
        numbers = {line.count("|") for line in lines}
        return len(lines) > 1 and len(numbers) == 1 and numbers != {0}

    def count_people(self, most: int = MOST_OF_PEOPLE) -> None:
        """Raise the maximum number of cells, because the records of people are counted and not stored."""
        self._most = max(self._most, most)

    @property
    def is_guessed(self) -> bool:
        """Whether the encoding is a guess."""
        return self.encoding in NAMES

    def doubts(self) -> list[Doubt]:
        """Return a doubt if other encodings fit equally well."""
        return encoding_doubts(self._content, self.encoding, self.other_encodings)

    def sheet(self, name: str = "") -> SheetCells:
        """Return the cells."""
        return SheetCells(self.rows(), typed=self.own, own=self.own, remarks=self._remarks)

    def _remarks(self) -> tuple[str, ...]:
        return (
            (Remark(f"The file is not UTF-8 text, and the import read it as {NAMES[self.encoding]}."),)
            if self.is_guessed
            else ()
        )

    def rows(self) -> Iterator[Row]:
        """Yield the rows as lists of cells, and a blank line as an empty list.

        If `FrequencyTable.to_csv` wrote the text, numbers are float; otherwise all cells are str. R omits the name of
        the row labels, so that the header has one cell less than the rows. Then, a blank cell is added to the header.
        """
        rows = self._parsed(self.mark)
        first = list(islice(rows, 100))
        filled = [row for row in first if row]
        if self.mark in " \t" and len(filled) > 1 and not self.own and _one_less(filled[0], filled[1:]):
            filled[0].insert(0, "")
        return itertools.chain(first, rows)

    def _is_of_r(self) -> bool:
        """Return whether words, numbers and texts in quotes are separated by blanks, as `write.table` of R does.

        Lines that begin with blanks have aligned columns, as R prints them.
        """
        lines = [line.rstrip() for line in islice(self._lines(), 100) if line.strip()]
        return len(lines) > 1 and all(map(_OF_R.fullmatch, lines))

    def _score(self, mark: str) -> tuple[float, int]:
        try:
            return _score(list(islice(self._parsed(mark), 100)))
        except InputError:  # Reading with the most frequent separator raises this error again.
            return 0.0, self._content[:10_000].count(mark.encode())

    def _start(self) -> str:
        return next(iter(self._lines()), "")[:20]

    def _lines(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(self._content), self.encoding, "surrogatepass", newline="")

    def _parsed(self, mark: str) -> Iterator[Row]:
        """Yield the rows, and raise an error if one row or all rows have too many cells."""
        lines = _Counted(self._lines(), mark, self._most)
        if self._skip:
            next(lines)
        strict: dict[str, Any] = (
            {"quoting": csv.QUOTE_NONNUMERIC} if self.own else {"skipinitialspace": mark != "\t"}
        )
        if mark == ALIGNED:
            aligned_lines = list(islice(self._lines(), MOST_LINES + 1))
            if len(aligned_lines) > MOST_LINES:
                raise InputError(
                    f"A text with aligned columns can have at most {MOST_LINES:,} lines; {RIGHT}."
                )
            yield from aligned([line.rstrip("\r\n").expandtabs() for line in aligned_lines])
            return
        cells = 0
        try:
            for row in csv.reader(lines, delimiter=mark, **strict):
                before = "" if mark in " \t" else lines.first[: -len(lines.first.lstrip(" ")) or None]
                lines.marks, lines.first = 0, ""
                cells += len(row)
                if cells > self._most and len(row) <= _MOST_QUESTIONS:
                    raise NoCounts(
                        f"{_too_many(self._most)} If each row of the file is one person, "
                        "choose the columns to count by (by)."
                    )
                if cells > self._most:
                    raise _too_many(self._most)
                if self.own:
                    yield row
                elif any(map(str.strip, row)) and not (mark == "|" and _is_rule(row)):
                    yield [before + row[0], *row[1:]] if row[0] else row
                else:
                    yield []
        except csv.Error:
            raise InputError(
                f"A cell is longer than {csv.field_size_limit():,} characters; {RIGHT}."
            ) from None

    def _is_own(self) -> bool:
        """Return whether each row has as many texts in quotes and numbers without as `to_csv` writes."""
        if not self._start().startswith('"'):
            return False
        try:
            reader = csv.reader(
                _Counted(self._lines(), ",", self._most), quoting=csv.QUOTE_NONNUMERIC, strict=True
            )
            head = next(reader)
            if not all(isinstance(cell, str) for cell in head):
                return False
            names, depth = axis_names(head)
            if len(names) == depth:
                return False
            kinds = [str] * depth + [float] * (len(head) - depth)
            below = itertools.dropwhile(lambda row: [type(cell) for cell in row] == kinds, reader)
            # Footnotes are below a blank line, one text per line.
            return next(below, []) == [] and all(len(row) == 1 and type(row[0]) is str for row in below)
        except (ValueError, csv.Error, StopIteration):
            return False


class _Counted:
    """Iterator of lines that limits the number of separators of a row, which can have several lines.

    The reader resets the attributes after each row: `marks`, the number of separators, and `first`, the first line.
    """

    def __init__(self, lines: Iterator[str], mark: str, most: float) -> None:
        self._lines, self._mark, self._most = lines, mark, most
        self.marks, self.first = 0, ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.marks += line.count(self._mark)
        self.first = self.first or line
        if self.marks > self._most:
            raise _too_many(self._most)
        return line


def opened_bytes(content: bytes, name: str, limit: int | None, encoding: str = "") -> Format:
    """Return the file with this content in its detected format; only texts accept an encoding."""
    kind = of(content)
    if kind is DelimitedText:
        return DelimitedText(content, name, limit, encoding)
    stated = kind.stated_encoding(content)
    if encoding and stated is None:
        raise InputError(
            f"{name} is {kind.title}, which has one encoding; leave out the encoding (encoding)."
        )
    if stated is None or (not encoding and _fits(content, "utf-8")):
        return kind.opened(content, name, limit)
    known = encoding or (stated if stated and _fits(content, stated) else "")
    found = encoding_of(content, name, known)
    text = content.decode(found.encoding)
    return _Recoded(kind.opened(text.encode("utf-8", "replace"), name, limit), content, found)


class _Recoded(Format):
    """A file of another format than delimited text, whose text was not in UTF-8."""

    title: ClassVar[str] = "a text"

    def __init__(self, file: Format, content: bytes, detection: Detection) -> None:
        self._file, self._content, self._detection = file, content, detection

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return False, because the content has another format."""
        return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file with this content, which is a text in UTF-8."""
        return cls(of(content).opened(content, name, limit), content, Detection("utf-8", ()))

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets."""
        return self._file.names()

    def tried(self) -> Iterator[str]:
        """Yield the names of the sheets in the order in which the import searches for a table."""
        yield from self._file.tried()

    def sheet(self, name: str) -> SheetCells:
        """Return a sheet of this name."""
        return self._file.sheet(name)

    def doubts(self) -> list[Doubt]:
        """Return a doubt if other encodings fit equally well."""
        return [*self._file.doubts(), *encoding_doubts(self._content, *self._detection)]


def encoding_doubts(content: bytes, encoding: str, others: Sequence[str]) -> list[Doubt]:
    """Return a doubt if other encodings fit equally well, with a word that they decode differently."""
    if not others:
        return []
    options = {name: CHOICES[name] for name in (encoding, *others)}
    words = different_word(content, list(options))
    named = [f"{code} is {name}" for code, name in options.items()]
    if words:
        named = [
            f"{quoted(word)} in {code}, {name}"
            for word, (code, name) in zip(words, options.items(), strict=True)
        ]
    choice = Choice("encoding", options, (encoding,))
    return [doubt("encoding", choice, names=", ".join(named), first=encoding, others=" or ".join(others))]


def _too_many(most: float) -> InputError:
    return InputError(f"There are more than {int(most):,} cells; choose a table with fewer.")


def encoding_of(content: bytes, name: str, stated: str) -> Detection:
    """Return the encoding of the bytes, or raise InputError if the bytes are not text."""
    start = content[:1000].lstrip()
    other_format = next((kind for begin, kind in _KINDS.items() if start.startswith(begin)), None)
    if other_format is not None:
        raise InputError(f"{name} is {other_format}, not a table; {RIGHT}.")
    marked = next((code for mark, code in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), None)
    if stated and not _fits(content, stated):
        raise InputError(
            f"{name} is not a text in {CHOICES.get(stated, stated)}; choose another encoding (encoding)."
        )
    if stated == "utf-16" and marked != stated:
        stated = _utf_16(content) or "utf-16-le"  # the decoder of a stream needs a byte order mark
    found = Detection(stated or marked or _utf_16(content) or "utf-8")
    try:
        text = content.decode(found.encoding)
    except UnicodeDecodeError:
        found = Detection("utf-16") if marked else detected(content)
        text = "\0" if marked else content.decode(found.encoding)
    if "\0" not in text and not (found.encoding in {*NAMES, "latin-1"} and _CONTROL.search(text)):
        return found
    raise InputError(f"{name} is not text; {RIGHT}.")


def _utf_16(content: bytes) -> str:
    """Return the byte order of UTF-16 without a byte order mark, by two ASCII characters at the start; else ""."""
    zeros = [byte == 0 for byte in content[:4]]
    if len(content) % 2 == 0 and zeros == [False, True, False, True]:
        return "utf-16-le"
    if len(content) % 2 == 0 and zeros == [True, False, True, False]:
        return "utf-16-be"
    return ""


def _fits(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _is_rule(row: Row) -> bool:
    """Return whether a row is a rule, as below the header of Markdown, psql and reStructuredText.

    Examples
    --------
    >>> _is_rule(["", ":---", "---:", ""]), _is_rule(["+=====+====+"]), _is_rule(["a", "-"])
    (True, True, False)
    """
    return all(len(cell.strip()) != 1 and set(cell) <= _RULES for cell in row)


def _one_less(head: Row, body: Rows) -> bool:
    """Return whether a header of names has one cell less than each row, and the last cell of each row is filled."""
    return (
        all(len(row) == len(head) + 1 and row[-1].strip() for row in body)
        and len(head) > 1
        and not any(_NUMERIC.fullmatch(cell) or not cell.strip() for cell in head)
    )


def _score(rows: Rows) -> tuple[float, int]:
    """Return a score from 0 to 1 for how much the rows look like a table, and their usual number of cells."""
    rows = [row for row in rows if row]
    if not rows:
        return 0.0, 0
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count)
    body = [cell for row in rows[1:] for cell in row[1:]]
    numbers = sum(_NUMERIC.fullmatch(cell) is not None for cell in body)
    if usual < 2:
        return 0.0, max(widths)
    if all(";" in row[0] or "\t" in row[0] for row in rows if len(row) == usual):
        return 0.0, usual  # The semicolon or tab is the separator, and the tested mark is part of the cells.
    return widths.count(usual) / len(rows) * (1 + numbers) / (1 + len(body)), usual
