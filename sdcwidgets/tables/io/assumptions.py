"""The assumptions of a layout that no check of its file confirms, such as columns that are added as categories.

They follow from the layout and its reading alone. A question about a file is accompanied by them, because an answer to
the question does not confirm the rest of the layout.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from os import PathLike

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, and_more, counted, quoted, singular
from sdcwidgets.tables.io.formats.base import Format, Rows
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import flag_beside, is_blank, is_negative, label_of
from sdcwidgets.tables.io.layout_reader import opened, read
from sdcwidgets.tables.io.layout_totals import has_totals, with_totals
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.io.plausibility import range_of
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of names in a sentence, of lines inside a table that are named, and of rows that are searched.
_MOST_NAMED, _MOST_LINES, _MOST_ROWS = 8, 4, 20_000

#: Maximum number of cells of a table whose totals are compared with the sums of the other lines.
_MOST_CELLS = 1_000_000

#: Maximum number of labels of an axis of which neighbouring ones are summed.
_MOST_SUMMED = 150

#: What each meaning of a text in place of a count does.
_MEANINGS = {
    "zero": "is the count 0",
    "unknown": "is an unknown count, which is 0 in the table",
    "leave out": "omits its line",
}

#: Encodings in which letters cannot be decoded wrongly without an error.
_SURE_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "ascii")


@dataclass(frozen=True)
class Assumption:
    """A decision of a layout that no check of the file confirms.

    Attributes
    ----------
    kind : str
        What is assumed: "added", "lines", "below", "summed", "people", "persons", "numbers", "texts", "blanks",
        "totals", "only", "unread columns", "unread lines", "unread sheets" or "encoding".
    sentence : str
        The assumption as a sentence.
    names : tuple of str
        Labels, headings, texts or sheets that the assumption is about.
    axis : str
        Name of an axis of the table, if the assumption is about one.
    """

    kind: str
    sentence: str
    names: tuple[str, ...] = ()
    axis: str = ""


def assumptions_of(
    source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading
) -> tuple[Assumption, ...]:
    r"""Return the assumptions of a layout that no check of its file confirms.

    Parameters
    ----------
    source : str, bytes or path
        Text of more than one line, the content of a file, or the path of a file.
    layout : FileLayout
    reading : Reading
        The table that is read with the layout.

    Examples
    --------
    >>> from sdcwidgets.tables.io.proposals import propose_layout
    >>> text = "Area;Residents;Commuters;All\nBath;31;12;43\nHull;44;9;53\n"
    >>> layout = propose_layout(text).layout
    >>> [(one.kind, one.names) for one in assumptions_of(text, layout, read(text, layout))]
    [('lines', ('Bath', 'Hull')), ('people', ('Residents', 'Commuters'))]
    """
    return tuple(_Assumed(source, layout, reading).all())


def assumptions_of_table(reading: Reading) -> tuple[Assumption, ...]:
    """Return the assumptions of a reading without a layout: the labels of each axis are categories of one variable.

    Examples
    --------
    >>> table = FrequencyTable([[31, 12], [44, 9]], {"Area": ["Bath", "Hull"], "Column": ["Residents", "Commuters"]})
    >>> [one.kind for one in assumptions_of_table(Reading(table))]
    ['added', 'added', 'people']
    """
    added = [
        _added(axis.name, axis.labels, reading.counted)
        for axis in reading.table.axes
        if not _are_ranges(axis.labels)
    ]
    number = f"Each number is a number of {reading.counted}."
    return (*added, Assumption("people", number))


def _added(axis: str, labels: Sequence[str], unit: str) -> Assumption:
    names = and_more(list(map(quoted, labels)), _MOST_NAMED)
    noun = singular(unit) if singular(unit) != unit else "counted unit"
    each = f"each {noun} is in only one of them"
    return Assumption(
        "added", f"{names} are categories of one variable, so that {each}.", tuple(labels), axis
    )


def _are_ranges(labels: Sequence[str]) -> bool:
    """Return whether labels are ranges of numbers, whose overlap is checked."""
    return all(range_of(label) is not None for label in labels)


def _named(columns: Sequence[LayoutColumn]) -> str:
    return and_more(list(map(quoted, _names(columns))), _MOST_NAMED)


def _names(columns: Sequence[LayoutColumn]) -> tuple[str, ...]:
    return tuple(column.heading or " ".join(column.categories) or str(column.number) for column in columns)


class _Assumed:
    """The parts of a layout and its file about which something is assumed."""

    def __init__(self, source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading) -> None:
        self.source, self.layout, self.reading = source, layout, reading
        self.file: Format = opened(source, layout)[0]
        sheet = self.file.sheet(layout.sheet or self.file.names()[0])
        self.rows: Rows = list(itertools.islice(sheet.rows, _MOST_ROWS))
        special = {row.number: row.role for row in layout.rows}
        unread = {number for number, role in special.items() if role != "count"}
        self.lines = [
            i
            for i, row in enumerate(self.rows, start=1)
            if i >= layout.first and i not in unread and not all(map(is_blank, row))
        ]

    def all(self) -> Iterator[Assumption]:
        """Yield all assumptions, the most important first."""
        yield from self._of_axes()
        yield from self._below()
        yield from self._summed()
        yield from self._people()
        yield from self._totals()
        yield from self._unread_columns()
        yield from self._unread_lines()
        yield from self._unread_sheets()
        yield from self._texts()
        yield from self._blanks()
        yield from self._encoding()

    @cached_property
    def _whole(self) -> FrequencyTable | None:
        """The table with its totals, None without totals."""
        table = self.reading.table
        with suppress(InputError):
            whole = read(self.source, with_totals(self.layout)).table if has_totals(self.layout) else None
            if whole is not None and whole.ndim == table.ndim and whole.cells <= _MOST_CELLS:
                return whole
        return None

    @cached_property
    def _confirmed(self) -> Mapping[str, frozenset[str]]:
        """The omitted totals that are the sums of all labels of an axis, by the name of the axis."""
        whole, table = self._whole, self.reading.table
        if whole is None:
            return {}
        return {axis.name: _sums_of(whole, table, k, parts=False) for k, axis in enumerate(table.axes)}

    @cached_property
    def _sums(self) -> frozenset[str]:
        """The omitted totals that are the sums of some neighbouring labels of an axis."""
        whole, table = self._whole, self.reading.table
        if whole is None:
            return frozenset()
        return frozenset().union(*(_sums_of(whole, table, k, parts=True) for k in range(table.ndim)))

    def _of_axes(self) -> Iterator[Assumption]:
        """Yield for each axis that its labels are categories, unless they are ranges or a total is their sum."""
        table, layout = self.reading.table, self.layout
        across = len(layout.headings)
        for k, axis in enumerate(table.axes):
            if len(axis) < 2 or _are_ranges(axis.labels) or self._confirmed.get(axis.name):
                continue
            if k >= table.ndim - across or (layout.has_blocks and k == 0):
                yield _added(axis.name, axis.labels, self.reading.counted)
            elif layout.of_role("count"):
                ends = f"{quoted(axis.labels[0])} to {quoted(axis.labels[-1])}"
                names = (
                    ends if len(axis) > _MOST_NAMED else and_more(list(map(quoted, axis.labels)), _MOST_NAMED)
                )
                start = f"The {len(axis):,} categories of {quoted(axis.name)}"
                sentence = f"{start} ({names}) do not contain each other."
                yield Assumption("lines", sentence, axis.labels, axis.name)

    def _below(self) -> Iterator[Assumption]:
        """Yield that lines below another text or a blank line inside the table continue the table."""
        blocks = {row.number for row in self.layout.rows if row.role in ("block", "total", "join")}
        for before, after in itertools.islice(self._gaps(), _MOST_LINES):
            if any(number in blocks for number in range(before + 1, after)):
                continue
            texts = [self._text(number) for number in range(before + 1, after)]
            text = next(filter(None, texts), "")
            subject = f"the text {quoted(text)}" if text else f"the blank line {before + 1:,}"
            sentence = (
                f"The lines below {subject} continue the same table, from {quoted(self._text(after))} on."
            )
            yield Assumption("below", sentence, (text, self._text(after)))

    def _gaps(self) -> Iterator[tuple[int, int]]:
        """Yield neighbouring lines of counts with other lines between them."""
        return ((i, k) for i, k in itertools.pairwise(self.lines) if k > i + 1)

    def _text(self, number: int) -> str:
        row = self.rows[number - 1] if 0 < number <= len(self.rows) else []
        return next((label_of(cell).strip() for cell in row if not is_blank(cell)), "")

    def _summed(self) -> Iterator[Assumption]:
        """Yield that the counts of lines with the same labels are added, if there are such lines."""
        layout = self.layout
        if layout.repeated != "sum" or not layout.of_role("count"):
            return
        over = [
            column for column in layout.of_role("other") if not column.only and self._varies(column.number)
        ]
        if over and len(self.lines) > self.reading.table.cells:
            sentence = f"The counts are summed over the values of {_named(over)}."
            yield Assumption("summed", sentence, _names(over))

    def _varies(self, number: int) -> bool:
        """Return whether a column has different texts in the lines of counts."""
        rows = (self.rows[i - 1] for i in self.lines)
        return len({label_of(row[number - 1]) for row in rows if number <= len(row)}) > 1

    def _people(self) -> Iterator[Assumption]:
        """Yield what the numbers are, or that each row is one person."""
        layout, weights = self.layout, self.layout.of_role("weight")
        counts, unit = layout.of_role("count"), self.reading.counted
        if weights:
            names = _names(weights)
            yield Assumption(
                "persons", f"Each line is one person with the weight in {_named(weights)}.", names
            )
        elif not counts:
            yield Assumption("persons", "Each line is one person.")
        else:
            scale = f" in units of {layout.unit:,}" if layout.unit > 1 else ""
            is_one = len(counts) == 1
            number = f"number of {unit}{scale}" if is_one else f"numbers of {unit}{scale}"
            start = (
                f"Each number in {_named(counts)} is a" if is_one else f"The numbers in {_named(counts)} are"
            )
            yield Assumption("people", f"{start} {number}.", _names(counts))

    def _totals(self) -> Iterator[Assumption]:
        """Yield the omitted totals that are not the sums of other lines."""
        layout, sums = self.layout, self._sums
        names = [label for column in layout.of_role("label") for label in column.left_out if label]
        names += [column.heading or " ".join(column.categories) for column in layout.of_role("total")]
        names += [row.label for row in layout.rows if row.role == "total"]
        others = [name for name in dict.fromkeys(names) if name and name not in sums]
        if others:
            those = and_more(list(map(quoted, others)), _MOST_NAMED)
            sentence = f"The import omits {those} as totals or parts, and {self._why_unsure(others)}."
            yield Assumption("totals", sentence, tuple(others))

    def _why_unsure(self, labels: Sequence[str]) -> str:
        """Return why omitted totals are not confirmed, as the end of a sentence."""
        lines = Counter(row.label for row in self.layout.rows if row.role == "total")
        repeated = [label for label in labels if lines[label] > 1]
        if repeated:
            return f"several lines have the label {quoted(repeated[0])}, so no sum was computed"
        if self._whole is None:
            return "no sum was computed"
        return "no sum of other lines confirms it"

    def _unread_columns(self) -> Iterator[Assumption]:
        others = self.layout.of_role("other")
        unread = [column for column in others if not column.only]
        if unread:
            many = "columns" if len(unread) > 1 else "column"
            yield Assumption(
                "unread columns", f"The import does not read the {many} {_named(unread)}.", _names(unread)
            )
        for column in self.layout.columns:
            if column.only:
                only = f"Only lines with {quoted(column.only)} in {_named([column])} are read."
                yield Assumption("only", only, (column.only,))

    def _unread_lines(self) -> Iterator[Assumption]:
        """Yield the texts above, in and below the table that are not read."""
        layout = self.layout
        heads = {layout.header, *(heading.row for heading in layout.headings), *layout.joined_rows}
        heads |= {row.number for row in layout.rows if row.role in ("block", "count")}
        numbers = [i for i in range(1, min(layout.first, len(self.rows) + 1)) if i not in heads]
        numbers += [
            row.number for row in layout.rows if row.role in ("other", "skip") and row.number >= layout.first
        ]
        texts = [text for text in map(self._text, numbers) if text]
        if texts:
            lines = "lines" if len(texts) > 1 else "line"
            those = and_more(list(map(quoted, texts)), _MOST_NAMED)
            yield Assumption("unread lines", f"The import does not read the {lines} {those}.", tuple(texts))

    def _unread_sheets(self) -> Iterator[Assumption]:
        names = self.file.names()
        used = self.layout.sheet or names[0]
        others = tuple(name for name in names if name != used)
        if others:
            sheets = "sheets" if len(others) > 1 else "sheet"
            those = and_more(list(map(quoted, others)), _MOST_NAMED)
            yield Assumption("unread sheets", f"The import does not read the {sheets} {those}.", others)

    def _texts(self) -> Iterator[Assumption]:
        """Yield the meaning of texts in place of counts, and texts that are read as numbers."""
        for text, meaning in self.layout.texts.items():
            subject = f"The text {quoted(text)}" if text else "An empty cell"
            means = _MEANINGS[meaning]
            yield Assumption("texts", f"{subject} in place of a count {means}.", (text,))
        texts = itertools.filterfalse(is_negative, self._texts_of_counts())
        changed = [text for text in texts if _number(text, self.layout)]
        if changed:
            first = f"such as {quoted(changed[0])} as {_number(changed[0], self.layout)}"
            many = counted(len(changed), "text is", "texts are")
            yield Assumption("numbers", f"{many} read as numbers, {first}.", tuple(dict.fromkeys(changed)))

    def _texts_of_counts(self) -> Iterator[str]:
        """Yield the texts in place of counts that are not only digits."""
        columns = [column.number - 1 for column in self.layout.of_role("count")]
        for i in self.lines:
            row = self.rows[i - 1]
            for j in columns:
                cell = row[j] if j < len(row) else None
                if isinstance(cell, str) and cell.strip() and not cell.strip().isdecimal():
                    yield cell.strip()

    def _blanks(self) -> Iterator[Assumption]:
        """Yield the meaning of blanks in columns of labels, if there are blanks."""
        for column in self.layout.of_role("label"):
            rows = (self.rows[i - 1] for i in self.lines)
            has_blank = any(column.number > len(row) or is_blank(row[column.number - 1]) for row in rows)
            if has_blank and (column.fill or "" in column.renamed):
                other = f"is {quoted(column.renamed.get('', ''))}"
                means = "repeats the label above" if column.fill else other
                yield Assumption("blanks", f"A blank in {_named([column])} {means}.", _names([column]))

    def _encoding(self) -> Iterator[Assumption]:
        """Yield the encoding of a text with letters that depend on it."""
        encoding = self.layout.encoding
        if (
            not isinstance(self.file, DelimitedText)
            or encoding in _SURE_ENCODINGS
            or isinstance(self.source, str)
        ):
            return
        if any(not label_of(cell).isascii() for row in self.rows for cell in row):
            yield Assumption("encoding", f"The letters are decoded as {encoding}.", (encoding,))


def _sums_of(whole: FrequencyTable, table: FrequencyTable, k: int, parts: bool) -> frozenset[str]:
    """Return the labels of an axis that a table lacks, and that are the sums of its labels, or of neighbouring ones."""
    positions = [
        [axis.position(label) for label in own] for axis, own in zip(whole.axes, table.axes, strict=True)
    ]
    inside = np.ix_(*positions[:k], range(len(whole.axes[k])), *positions[k + 1 :])
    lines = np.moveaxis(whole.counts[inside], k, 0).reshape(len(whole.axes[k]), -1)
    ends = np.concatenate([np.zeros_like(lines[:1]), np.cumsum(lines[positions[k]], axis=0)])
    runs = [(0, len(ends) - 1)]
    if parts and len(ends) <= _MOST_SUMMED:
        runs = [(i, j) for i, j in itertools.combinations(range(len(ends)), 2) if j > i + 1]
    sums = {(ends[j] - ends[i]).tobytes() for i, j in runs}
    others = set(range(len(lines))) - set(positions[k])
    return frozenset(whole.axes[k].labels[i] for i in others if lines[i].tobytes() in sums)


def _number(text: str, layout: FileLayout) -> str:
    """Return the number as which a layout reads a text; "" if the text is not a number.

    >>> layout = FileLayout((LayoutColumn(1, "label"),), thousands=" ", flags=("p",))
    >>> _number("1 234", layout), _number("12 p", layout), _number("-", layout)
    ('1234', '12', '')
    """
    flagged = flag_beside(text) if layout.flags else None
    text = flagged[0].strip() if flagged and flagged[1] in layout.flags else text
    match = NUMBER.fullmatch(text)
    if match is None:
        return ""
    whole = "".join(filter(str.isdecimal, match["whole"]))
    return f"{whole}.{match['fraction']}" if match["mark"] and match["fraction"] else whole
