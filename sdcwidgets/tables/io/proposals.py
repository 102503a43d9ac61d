"""Propose a layout: the reader detects the table, and the layout states where its labels and counts were detected.

A proposed layout is checked: with it, the file is read as the same table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import (
    NUMBER,
    and_more,
    count_error,
    count_in,
    from_spreadsheet,
    listed,
    no_value_among,
    quoted,
)
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.assumptions import Assumption, assumptions_of, assumptions_of_table
from sdcwidgets.tables.io.formats.base import Format, Row, Rows, SheetCells, Unsaved, file_bytes
from sdcwidgets.tables.io.formats.base import of as format_of
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import (
    flag_beside,
    is_blank,
    is_dash,
    is_number,
    is_total,
    joined_row,
    label_of,
    missing_in,
    squared,
)
from sdcwidgets.tables.io.layout.contents import ALL, chosen, counted_in, may_be_people
from sdcwidgets.tables.io.layout.long import observed
from sdcwidgets.tables.io.layout.parts import Outline, outline
from sdcwidgets.tables.io.layout.totals import larger_doubts
from sdcwidgets.tables.io.layout_draft import first_layout, texts_in_counts
from sdcwidgets.tables.io.layout_reader import opened, read
from sdcwidgets.tables.io.layout_release import read_for_release
from sdcwidgets.tables.io.layout_totals import not_included
from sdcwidgets.tables.io.layouts import UNKNOWN, FileLayout, LayoutColumn, LayoutHeading, LayoutRow
from sdcwidgets.tables.io.options import ROWS, Choice, NoWorkbook, Question, Reading, ReadOptions, choice_of
from sdcwidgets.tables.io.plausibility import alarms, outsized_labels
from sdcwidgets.tables.io.questions import PERSONS, SUMS, Doubt, by_and_count, doubt
from sdcwidgets.tables.io.reading import read_file
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of questions of the reader that a proposal answers.
_MOST_QUESTIONS = 8

#: Maximum number of bytes of a file for which a layout is proposed after the reader rejected the file.
_MOST_PROPOSED = 2_000_000

#: Alarms that people are counted twice, which are never accepted.
TWICE = ("near sum", "overlap", "combined sum")

#: Minimum number of rows of a file of records.
_LEAST_RECORDS = 40

#: Doubts about single lines or axes, which do not matter if each row is a person.
_OF_LINES = ("decimals", "no people", "even", "combined", "mostly empty")

#: Maximum number of answers to a question that are followed in search of a table.
_MOST_ANSWERS = 6

#: Number of rows in which the headings of a long table are searched.
_FIRST_ROWS = 200


#: Maximum number of columns or groups of columns that are compared with a table that is one of them.
_MOST_SLICES = 200


#: Maximum number of columns of which neighbouring ones are summed.
_MOST_SUMMED = 100

#: Maximum number of omitted labels of a column that are compared with the others.
_MOST_OMITTED = 4

#: Maximum number of texts of a column that is not read, if the layout states them.
_MOST_CHECKED = 50

#: Maximum number of rows that are compared in search of a total in a column that is summed over.
_MOST_COMPARED = 20_000


@dataclass(frozen=True)
class _OpenDoubts:
    """The open doubts about a file.

    Attributes
    ----------
    sentences : list of str
        The doubts in their order.
    questions : dict of str to Doubt
        The doubts with values in their questions, by their sentences.
    """

    sentences: list[str] = field(default_factory=list)
    questions: dict[str, Doubt] = field(default_factory=dict)

    def add_first(self, doubts: Sequence[Doubt]) -> None:
        """Add doubts before the others."""
        added = {new.sentence: new for new in doubts}
        self.sentences[:0] = [sentence for sentence in added if sentence not in self.sentences]
        self.questions.update(added)

    def add_last(self, doubts: Sequence[Doubt]) -> None:
        """Add doubts after the others."""
        new = {added.sentence: added for added in doubts if added.sentence not in self.sentences}
        self.sentences.extend(new)
        self.questions.update(new)

    def replace_last(self, sentence: str, question: Doubt | None = None) -> None:
        """Replace the last doubt by another one."""
        self.sentences[-1:] = [sentence]
        if question is not None:
            self.questions[sentence] = question


@dataclass(frozen=True)
class Proposal:
    """A layout that the reader proposes for a file.

    Attributes
    ----------
    layout : FileLayout or None
        None if the file has no column of counts, or if no layout reads it as the reader does.
    reading : Reading or None
        Table that is read with the layout; None if the layout must be corrected first.
    doubts : tuple of str
        Sentences on doubts of the import, or the reason why the import could not read the file.
    texts : tuple of str
        Texts in place of counts whose meaning the layout lacks; "" for an empty cell.
    questions : mapping of str to Doubt
        The doubts with values in their questions, by their sentences.
    """

    layout: FileLayout | None
    reading: Reading | None
    doubts: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    questions: Mapping[str, Doubt] = field(default_factory=dict, compare=False)


def propose_layout(source: str | bytes | PathLike[str], how: ReadOptions | None = None) -> Proposal:
    r"""Propose a layout for a file.

    Parameters
    ----------
    source : str, bytes or path
        Text of more than one line, the content of a file, or the path of a file.
    how : ReadOptions, optional
        Options of the reader that are decided.

    Returns
    -------
    Proposal
        If a text in place of a count has no meaning, such as "-", the layout states all but its meaning.

    Raises
    ------
    InputError
        If there is no such file, or if it is damaged.

    Examples
    --------
    >>> proposal = propose_layout("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
    >>> [column.role for column in proposal.layout.columns], proposal.doubts
    (['label', 'count', 'count', 'total'], ())

    The meaning of a text in place of a count is added to the proposed layout:

    >>> from dataclasses import replace
    >>> text = "Area,Men,Women\nBath,3,-\nHull,4,7\n"
    >>> proposal = propose_layout(text)
    >>> proposal.reading is None, proposal.texts, len(proposal.doubts)
    (True, ('-',), 1)
    >>> read(text, replace(proposal.layout, texts={"-": "zero"})).table.total
    14
    """
    how, doubts = how or ReadOptions(), _OpenDoubts()
    if how.decimals != "ask":
        return _with_decimals(source, how)
    file, _ = opened(source, encoding=how.encoding)
    reading, answered = _detected_table(source, how, doubts)
    layout, texts = None, tuple[str, ...]()
    if reading is not None:
        layout = _layout(source, file, reading, answered)
        if layout is None:
            reading = None
            doubts.sentences.append(
                "No layout file describes how this file is read; read the file without a layout."
            )
        elif doubts.sentences and (alarms(reading.table) or (answered.by and not answered.column)):
            layout, reading = _without_alarms(source, how) or (layout, reading)
    if layout is None:
        layout, texts = _unfinished(source, file, answered, doubts)
        reading = None if texts else _read_or_ask(source, layout, doubts)
    if layout is not None and reading is not None:
        layout = _with_absent(layout, reading, how, doubts)
    if not how.by:
        doubts.add_first(_new_doubts(source, layout, doubts))
    if layout is None:
        return Proposal(None, None, tuple(doubts.sentences), texts, doubts.questions)
    if answered.unit > 1:
        layout = replace(layout, unit=answered.unit)
        reading = read(source, layout) if reading is not None else None
    layout = _checked(source, layout, reading, texts, doubts)
    reading = replace(reading, counted=layout.counted) if reading is not None else None
    return Proposal(layout, reading, tuple(doubts.sentences), texts, doubts.questions)


def _checked(
    source: str | bytes | PathLike[str],
    layout: FileLayout,
    reading: Reading | None,
    texts: Sequence[str],
    doubts: _OpenDoubts,
) -> FileLayout:
    """Return a layout with the keys that its file completes, and add the doubts about lines that are not read."""
    unread = _unread_counts(source, layout, doubts, reading.notes if reading is not None else ())
    unread += [*_larger(source, layout, reading), *_omitted_areas(source, layout, texts, doubts)]
    unread += _not_included(source, layout, reading, doubts) if not unread else []
    doubts.add_first([*unread, *_omitted_words(source, layout, doubts)])
    return replace(_completed(source, layout), counted=_counted(source, layout))


def _with_absent(layout: FileLayout, reading: Reading, how: ReadOptions, doubts: _OpenDoubts) -> FileLayout:
    """Return a layout in which combinations without a row are 0 if the options state it, or add the doubt about it."""
    absent = [doubted for doubted in reading.doubts if doubted.question == "absent"]
    if absent and how.empty != "ask":
        return replace(layout, absent="zero")
    if absent and absent[0].sentence not in doubts.sentences:
        doubts.add_first(absent)
    return layout


def _with_decimals(source: str | bytes | PathLike[str], how: ReadOptions) -> Proposal:
    """Return the proposal for a file whose numbers have decimals, which are thousands of people or are rounded."""
    layout = first_layout(source, how.encoding, how.sheet)
    texts = texts_in_counts(source, layout)
    if texts and how.empty == "dashes":
        layout = replace(layout, texts={text: "zero" for text in texts if not text or is_dash(text)})
        texts = tuple(text for text in texts if text not in layout.texts)
    if how.decimals == "thousands":
        layout = replace(layout, unit=1000)
    if how.decimals == "round" or not _reads(source, layout):
        layout = replace(layout, rounded=True)
    doubts = _OpenDoubts()
    if texts:
        doubts.sentences.append(_doubt_on_texts(texts))
        return Proposal(layout, None, tuple(doubts.sentences), texts)
    reading = read(source, layout)
    doubts.add_first(alarms(reading.table))
    return Proposal(layout, reading, tuple(doubts.sentences), (), doubts.questions)


def _new_doubts(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: _OpenDoubts
) -> list[Doubt]:
    """Return the doubt by which columns people are counted, if no other doubt is about this."""
    records = None if layout is None else _records_doubt(source, layout)
    is_known = any(one.question in PERSONS for one in doubts.questions.values())
    return [] if records is None or is_known else [records]


def _records_doubt(source: str | bytes | PathLike[str], layout: FileLayout) -> Doubt | None:
    """Return the doubt by which columns people are counted; None if a layout has counts, or for a few rows."""
    labels = [column.heading for column in layout.of_role("label")]
    names = list(dict.fromkeys(column.heading for column in layout.columns if column.heading))
    if layout.of_role("count") or layout.of_role("weight") or not (layout.header and all(labels)):
        return None
    file, _ = opened(source, layout)
    rows = itertools.islice(file.sheet(layout.sheet or file.names()[0]).rows, layout.first + _LEAST_RECORDS)
    if len(names) > 1 and sum(1 for _ in rows) >= layout.first + _LEAST_RECORDS:
        return doubt("records", *by_and_count(names, counted=(ROWS,)), columns=listed(labels))
    return None


def _without_alarms(
    source: str | bytes | PathLike[str], how: ReadOptions
) -> tuple[FileLayout, Reading] | None:
    """Return the layout that follows from the structure of a file, and its reading, if no check has a doubt."""
    with suppress(InputError):
        layout = first_layout(source, how.encoding, how.sheet)
        reading = _read_without_alarms(source, layout)
        return None if reading is None else (layout, reading)
    return None


def _read_without_alarms(source: str | bytes | PathLike[str], layout: FileLayout | None) -> Reading | None:
    """Return the reading of a layout; None if the layout has no counts, or if a check has a doubt."""
    if layout is None or not layout.of_role("count"):
        return None
    with suppress(InputError):
        reading = read(source, layout)
        return None if alarms(reading.table) else reading
    return None


def _completed(source: str | bytes | PathLike[str], layout: FileLayout) -> FileLayout:
    """Return a layout with the separator of thousands of columns that are not read.

    If such a column becomes a column of counts, the layout can then read its numbers.
    """
    if not layout.of_role("count"):
        return layout  # each row is a person, and a column of numbers is a variable
    groups = set(layout.thousands)
    for _, cells in _unread_numbers(source, layout):
        groups |= _groups_of(cells)
    return replace(layout, thousands="".join(sorted(groups - {layout.decimal})))


def _counted(source: str | bytes | PathLike[str], layout: FileLayout) -> str:
    """Return the counted units of a file, which are detected in titles and in the heading of the only counts."""
    file, _ = opened(source, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    counts = layout.of_role("count")
    names = [column.heading for column in counts] if len(counts) == 1 else []
    return counted_in(list(itertools.islice(sheet.rows, layout.first - 1)), names)


def _unread_counts(
    source: str | bytes | PathLike[str], layout: FileLayout, doubts: _OpenDoubts, notes: Sequence[str]
) -> list[Doubt]:
    """Return a doubt on each column that is not read, although its whole numbers may be counts."""
    if not layout.of_role("count"):
        return []
    # A note on columns that a doubt concerns is the consequence of the answer, which may be wrong.
    stated, open_ = " ".join(doubts.sentences or notes), list[Doubt]()
    for column, cells in _unread_numbers(source, layout):
        name = quoted(column.heading or str(column.number))
        is_checked = column.role == "total" or bool(column.categories or column.only)
        has_texts = not all(map(_is_count, cells))
        is_stated = name in stated and not has_texts
        if not is_checked and not is_stated and _may_be_counts(cells):
            open_.append(doubt("unread", named=name, column=column.number))
    return open_


def _larger(source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading | None) -> list[Doubt]:
    """Return doubts about columns that a column of totals does not include although they are larger."""
    if reading is None or not layout.of_role("total"):
        return []
    columns = [replace(one, role="count") if one.role == "total" else one for one in layout.columns]
    with suppress(InputError):
        whole = read(source, replace(layout, columns=tuple(columns))).table
        pairs = zip(whole.axes, reading.table.axes, strict=True)
        stay = [np.array([label in read_axis.labels for label in axis]) for axis, read_axis in pairs]
        every = [larger_doubts(whole.counts, whole.axes, k, stay[k]) for k in range(whole.ndim)]
        return list(itertools.chain.from_iterable(every))
    return []


def _not_included(
    source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading | None, open_: _OpenDoubts
) -> list[Doubt]:
    """Return doubts about labels that no omitted total includes, if no other doubt names them."""
    known = {one.facts.get("label") for one in open_.questions.values()}
    doubts = not_included(source, layout, reading.table) if reading is not None else []
    return [one for one in doubts if one.facts["label"] not in known]


def _omitted_areas(
    source: str | bytes | PathLike[str],
    layout: FileLayout,
    texts: Sequence[str],
    open_: _OpenDoubts,
) -> list[Doubt]:
    """Return a doubt on each omitted label that is larger than all other labels together, if no doubt names it."""
    known = {one.facts.get("label") for one in open_.questions.values()}
    meant, doubts = {**dict.fromkeys(texts, "zero"), **layout.texts}, list[Doubt]()
    for column in layout.of_role("label"):
        for label in column.left_out[:_MOST_OMITTED]:
            others = tuple(text for text in column.left_out if text != label)
            changed = replace(column, left_out=others, categories=())
            columns = tuple(changed if one is column else one for one in layout.columns)
            with suppress(InputError):
                table = read(source, replace(layout, columns=columns, texts=meant, rounded=True)).table
                if label and label not in known:
                    doubts += [one for one in outsized_labels(table) if one.facts["label"] == label]
    return doubts


def _omitted_words(
    source: str | bytes | PathLike[str], layout: FileLayout, open_: _OpenDoubts
) -> list[Doubt]:
    """Return a doubt if a layout does not read a line whose text in place of a count the reader rejected."""
    counts = [column.number - 1 for column in layout.of_role("count")]
    if not counts or not open_.sentences:
        return []
    file, _ = opened(source, layout)
    rows = list(file.sheet(layout.sheet or file.names()[0]).rows)
    for i, j in (*_rows_with_words(rows, layout, counts), *_columns_with_words(rows, layout)):
        word = label_of(rows[i][j]).strip()
        error = quoted(word) if missing_in(word) else count_error(word)
        if error and any(error in sentence for sentence in open_.sentences):
            return [doubt("omitted word", word=quoted(word), row=i + 1, column=j + 1)]
    return []


def _rows_with_words(rows: Rows, layout: FileLayout, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first count of each row that is not read, and has all labels and one word in place of all counts."""
    labels = [column.number - 1 for column in layout.of_role("label") if not column.fill]
    unread = {row.number - 1 for row in layout.rows if row.role == "other"}
    full = [
        i
        for i, row in enumerate(rows)
        if (i < layout.first - 1 or i in unread) and all(j < len(row) and row[j] for j in (*labels, *counts))
    ]
    for i in full[1:] if full and full[0] < layout.first else full:  # The first one is the header.
        words = {label_of(rows[i][j]).strip() for j in counts}
        if len(words) == 1 and not any(map(_is_count, words)):
            yield i, counts[0]


def _columns_with_words(rows: Rows, layout: FileLayout) -> Iterator[tuple[int, int]]:
    """Yield the first word of each column beside counts that is not read, and has one word without digits only."""
    of_counts = {column.number for column in layout.columns if column.role in ("count", "total")}
    for column in layout.of_role("other"):
        j = column.number - 1
        if not column.heading or not of_counts & {j, j + 2}:
            continue  # A column of codes often has no heading.
        cells = {i: row[j] for i, row in enumerate(rows) if i >= layout.first - 1 and j < len(row)}
        words = {
            i: label_of(cell).strip()
            for i, cell in cells.items()
            if not is_blank(cell) and not _is_count(cell)
        }
        if len(set(words.values())) == 1 and not any(map(str.isdigit, next(iter(words.values())))):
            yield next(iter(words)), j


def _unread_numbers(
    source: str | bytes | PathLike[str], layout: FileLayout
) -> Iterator[tuple[LayoutColumn, list[object]]]:
    """Yield each column of whole numbers that is not read, with its cells that are not blank."""
    file, _ = opened(source, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    unread = {row.number for row in layout.rows}
    rows = [row for i, row in enumerate(sheet.rows, 1) if i >= layout.first and i not in unread]
    for column in layout.columns:
        if column.role in ("other", "total"):
            own = [row[column.number - 1] for row in rows if column.number <= len(row)]
            filled = [cell for cell in own if not is_blank(cell)]
            numbers = [cell for cell in filled if _is_count(cell)]
            texts = {label_of(cell) for cell in filled if not _is_count(cell)}
            # One text in place of some counts marks unpublished ones.
            if numbers and (not texts or (len(texts) == 1 and len(numbers) > len(rows) // 2)):
                yield column, filled


def _groups_of(cells: Sequence[object]) -> set[str]:
    """Return the separators of thousands in cells."""
    matches = [NUMBER.fullmatch(cell.strip()) for cell in cells if isinstance(cell, str)]
    return {match["group"] for match in matches if match is not None and match["group"]}


def _may_be_counts(cells: Sequence[object]) -> bool:
    """Return whether whole numbers of a column may be counts: they differ, and do not number the rows."""
    numbers = [count for count in map(count_in, cells) if not isinstance(count, str)]
    if any(len(text) > 1 and text.startswith("0") for text in map(label_of, cells)):
        return False  # codes
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    return len(set(numbers)) > 1 and steps != {1}


def _detected_table(
    source: str | bytes | PathLike[str], how: ReadOptions, doubts: _OpenDoubts
) -> tuple[Reading | None, ReadOptions]:
    """Return what `_detected` does, without a reading if each row is a person."""
    reading, answered = _detected(partial(_opened, source, how), how, doubts)
    if answered.count == ROWS and how.count != ROWS and _has_counts_with_texts(source, how):
        return None, how
    return None if _are_records(source, how, doubts) else reading, answered


def _has_counts_with_texts(source: str | bytes | PathLike[str], how: ReadOptions) -> bool:
    """Return whether the structure of a file has columns of counts with some texts in place of counts."""
    structure, texts = _structure(source, how)
    return structure is not None and bool(texts) and bool(structure.of_role("count"))


def _detected(
    open_file: Callable[[], Format], how: ReadOptions, doubts: _OpenDoubts
) -> tuple[Reading | None, ReadOptions]:
    """Return the reading of a file, and the options that answer its questions; the questions become doubts."""
    for _ in range(_MOST_QUESTIONS):
        try:
            return read_file(open_file(), how, None), how
        except InputError as error:
            answered = _answered(how, error)
            if str(error) in doubts.sentences:
                break
            doubts.sentences.append(str(error))
            if isinstance(getattr(error, "doubt", None), Doubt):
                doubts.questions[str(error)] = error.doubt  # type: ignore[attr-defined]
            doubts.add_last([one for one in getattr(error, "others", ()) if one.question in SUMS])
            if answered is None:
                break
            how = answered
    return None, how


def _unfinished(
    source: str | bytes | PathLike[str],
    file: Format,
    how: ReadOptions,
    doubts: _OpenDoubts,
) -> tuple[FileLayout | None, tuple[str, ...]]:
    """Return a layout of a file that the reader rejects, None if it is not a table, and the texts without a meaning."""
    filled = _FilledFile(opened(source, encoding=how.encoding)[0])
    more = _OpenDoubts(questions=doubts.questions)
    if how.flags == "ask":
        how = replace(how, flags="off")  # the question on flags is a doubt already
    reading, answered = _detected(lambda: _FilledFile(opened(source, encoding=how.encoding)[0]), how, more)
    structure, texts = _structure(source, how)
    is_readable = structure is not None and _is_readable(source, structure, texts)
    is_other = is_readable or _are_records(source, how, doubts)
    layout = None if reading is None or is_other else _layout(source, file, reading, answered, filled)
    if layout is not None:
        # If all rows of a label are skipped, the label is not a category.
        columns = tuple(
            replace(column, categories=()) if column.role == "label" else column for column in layout.columns
        )
        layout, texts = replace(layout, columns=columns, texts={}), tuple(filled.texts)
    elif structure is None:
        return None, ()
    elif not is_readable:
        doubts.sentences.extend([_doubt_on_texts(texts)] if texts and structure.of_role("count") else [])
        return structure, texts
    else:
        layout = structure
    if reading is not None:
        filled.sheet(layout.sheet or filled.names()[0])  # notes the texts in place of counts
    # If the texts have a meaning, the file is read, so that the error of the reader concerns one of the texts.
    if filled.texts:
        doubts.replace_last(_doubt_on_texts(filled.texts, filled.first))
    elif texts:
        doubts.sentences.append(_doubt_on_texts(texts))
    # The sentence on the texts stays the last doubt.
    doubts.sentences[:0] = [doubt for doubt in more.sentences if doubt not in doubts.sentences]
    return layout, texts


def _structure(
    source: str | bytes | PathLike[str], how: ReadOptions
) -> tuple[FileLayout | None, tuple[str, ...]]:
    """Return the layout of the structure alone, if there is one, and the texts in place of its counts."""
    with suppress(InputError):
        layout = first_layout(source, how.encoding, how.sheet)
        return layout, texts_in_counts(source, layout)
    return None, ()


def _is_readable(source: str | bytes | PathLike[str], layout: FileLayout, texts: Sequence[str]) -> bool:
    """Return whether a layout lacks the meaning of some texts only, and no check doubts the table that it reads."""
    with suppress(InputError):
        reading = read(source, replace(layout, texts=dict.fromkeys(texts, "zero")))
        return bool(texts) and not alarms(reading.table)
    return False


def _doubt_on_texts(texts: Sequence[str], first: tuple[int, int] | None = None) -> str:
    """Return the sentence on texts in place of counts without a meaning."""
    where = "" if first is None else f" (first in row {first[0]}, column {first[1]})"
    meaning = "zero" if not texts[0] or is_dash(texts[0]) else "unknown"
    subject = f"The text {listed(texts)} stands" if len(texts) == 1 else f"The texts {listed(texts)} stand"
    return (
        f"{subject} in place of counts{where}, and may mean zero or unpublished counts; "
        f'state the meaning in a layout, for example texts = {{ "{texts[0]}" = "{meaning}" }}; "zero" is the count 0, '
        '"unknown" is an unpublished count, and "leave out" skips the row.'
    )


class _FilledFile(Format):
    """A file in which a text in place of a count, such as "-", is read as 0.

    Attributes
    ----------
    texts : list of str
        The texts that were replaced, each once, "" for an empty cell.
    first : tuple of int
        Row and column of the first replaced text, from 1.
    """

    name, title, suffixes = "filled", "", ()

    def __init__(self, file: Format) -> None:
        self._file, self.texts, self.first = file, list[str](), (0, 0)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        return cls(format_of(content).opened(content, name, limit))

    def names(self) -> tuple[str, ...]:
        return self._file.names()

    def tried(self) -> Iterator[str]:
        yield from self._file.tried()

    def sheet(self, name: str) -> SheetCells:
        """Return a sheet with 0 in place of each text in a row and a column with counts."""
        sheet = self._file.sheet(name)
        rows = [list(row) for row in sheet.rows]
        numbers = [[_is_count(cell) for cell in row] for row in rows]
        first = next((i for i, line in enumerate(numbers) if any(line[1:])), len(rows))
        with_counts = {j for line in numbers[first:] for j, is_count in enumerate(line) if is_count and j}
        for i in range(first, len(rows)):
            if not any(numbers[i][1:]) and sum(not is_blank(cell) for cell in rows[i]) < 2:
                continue  # a note below the table
            for j in with_counts & set(range(len(rows[i]))):
                cell = rows[i][j]
                if missing_in(cell) or is_blank(cell):
                    text = label_of(cell).strip()
                    if not self.texts:
                        self.first = (i + 1, j + 1)
                    if text not in self.texts:
                        self.texts.append(text)
                    rows[i][j] = "0" if isinstance(self._file, DelimitedText) else 0
        return replace(sheet, rows=rows)


def _is_count(cell: object) -> bool:
    return not is_blank(cell) and not isinstance(count_in(cell), str)


def read_or_propose(
    source: str | bytes | PathLike[str],
    layout: FileLayout | str | PathLike[str] | None,
    how: ReadOptions,
    detect: Callable[[], Reading],
) -> Reading:
    """Read a file with a layout, or detect one; a question of the reader gets a proposal.

    Parameters
    ----------
    source : str, bytes or path
    layout : FileLayout, path or None
        A layout, or the path of its TOML file.
    how : ReadOptions
        Options of the reader, which exclude a layout.
    detect : callable
        Reads the file without a layout.

    Raises
    ------
    InputError
        If there are a layout and options, or if the file is not read. The error is a `Question` with a proposal if
        the reader has a question, or if a text in place of a count has no meaning.
    """
    if layout is not None:
        changed = how.changed()
        if changed:
            raise InputError(
                f"A layout states how the file is read, so {', '.join(changed)} cannot be set too; change the layout."
            )
        return read_as_stated(source, layout_of(layout))
    is_accepted = how.doubts == "accept" or how.decimals != "ask"
    accepted = accepted_reading(source, how) if is_accepted else None
    if accepted is not None:
        return accepted
    try:
        return with_assumptions(source, how, detect())
    except InputError as error:
        if not isinstance(error, Question):
            question = question_on(source, how, error)
            if question is None:
                raise
            raise _with_proposal(question, source, question.proposal) from None
        table = question_on_table(source, how, error)
        if table is not None:
            raise _with_proposal(table, source, table.proposal) from None
        with suppress(InputError):
            proposal = propose_layout(source, how)
            _with_proposal(error, source, proposal)
            _name_hierarchies(error, proposal)
        raise


def _with_proposal(question: Question, source: str | bytes | PathLike[str], proposal: Proposal) -> Question:
    """Return a question with a proposal and its assumptions; a proposal with a unit can be accepted."""
    is_scaled = isinstance(question.doubt, Doubt) and question.doubt.question == "thousands"
    if is_scaled and proposal.reading is not None:
        question.choices = (*question.choices, choice_of("doubts"))
    question.proposal, question.assumptions = proposal, proposed_assumptions(source, proposal)
    return question


def proposed_assumptions(source: str | bytes | PathLike[str], proposal: Proposal) -> tuple[Assumption, ...]:
    """Return the assumptions of a proposed layout, also if texts in place of counts have no meaning yet."""
    layout, reading = proposal.layout, proposal.reading
    if layout is None:
        return ()
    with suppress(InputError):
        if reading is None:
            texts = {**dict.fromkeys(proposal.texts, "zero"), **layout.texts}
            reading = read(source, replace(layout, texts=texts, rounded=True))
        return assumptions_of(source, layout, reading)
    return ()


#: Options that answer a question about a file, so that the assumptions of the reading are shown.
_ANSWERS = frozenset(
    (
        "margins",
        "flags",
        "empty",
        "level",
        "largest",
        "decimals",
        "marks",
        "first_line",
        "doubts",
        "encoding",
        "only",
        "missing",
    )
)


def with_assumptions(source: str | bytes | PathLike[str], how: ReadOptions, reading: Reading) -> Reading:
    r"""Return a reading with its assumptions, if options answer a question about its file.

    Parameters
    ----------
    source : str, bytes or path
    how : ReadOptions
        The options with which the file was read.
    reading : Reading

    Examples
    --------
    >>> text = "Area;Residents;Commuters;All\nBath;31;12;43\nHull;44;9;54\n"
    >>> how = ReadOptions(margins="drop")
    >>> [one.kind for one in with_assumptions(text, how, read_file(opened(text)[0], how, None)).assumptions]
    ['lines', 'added', 'people', 'totals']
    """
    if not _ANSWERS & how.changed().keys() or reading.assumptions:
        return reading
    with suppress(InputError):
        if not _is_large(source):
            proposal = propose_layout(source, how)
            layout, proposed = proposal.layout, proposal.reading
            if layout is not None and proposed is not None and proposed.table == reading.table:
                return replace(reading, assumptions=assumptions_of(source, layout, reading))
    return replace(reading, assumptions=assumptions_of_table(reading))


def _is_large(source: str | bytes | PathLike[str]) -> bool:
    """Return whether no layout is proposed for a source, because it is large."""
    if isinstance(source, bytes | bytearray) or (isinstance(source, str) and "\n" in source):
        return len(source) > _MOST_PROPOSED
    with suppress(OSError):
        return Path(source).stat().st_size > _MOST_PROPOSED
    return True


def accepted_reading(source: str | bytes | PathLike[str], how: ReadOptions) -> Reading | None:
    r"""Return the reading of the proposed layout, with a note on each doubt and on each decision of the layout.

    The table is the one that the preview of the file shows.

    Parameters
    ----------
    source : str, bytes or path
    how : ReadOptions

    Returns
    -------
    Reading or None
        None if the file leads to no doubt, if no layout reads it, if people would be counted twice, or if the file is
        large.

    Examples
    --------
    >>> text = "Job;Clerks;Nurses;Cooks\nArea;;;\nA;31;44;57\nB;52;61;70\nC;78;35;29\n"
    >>> accepted_reading(text, ReadOptions()).notes[-1]
    'The layout reads labels from "Job" and counts from "Clerks", "Nurses" and "Cooks".'
    """
    if isinstance(source, bytes) and len(source) > _MOST_PROPOSED:
        return None
    try:
        proposal = propose_layout(source, replace(how, doubts="ask"))
    except InputError:
        return None
    if proposal.layout is None or proposal.reading is None:
        return None
    if how.decimals != "ask" and how.doubts != "accept" and proposal.doubts:
        raise _with_proposal(_open_question(proposal), source, proposal)
    if how.decimals == "ask" and not proposal.doubts:
        return None
    doubts = [
        proposal.questions[sentence].statement if sentence in proposal.questions else sentence
        for sentence in proposal.doubts
    ]
    if not may_accept(proposal, how):
        return None
    stated = [alarm.statement for alarm in alarms(proposal.reading.table)]
    notes = dict.fromkeys((*doubts, *proposal.reading.notes, *stated, *_decided(proposal.layout)))
    assumptions = proposed_assumptions(source, proposal)
    as_read = read_for_release(source, proposal.layout).as_read
    return replace(proposal.reading, notes=tuple(notes), assumptions=assumptions, as_read=as_read)


def _open_question(proposal: Proposal) -> Question:
    """Return the question of the first doubt of a proposal."""
    sentence = proposal.doubts[0]
    first = proposal.questions.get(sentence)
    question = Question(sentence, *((first.choices if first else ()) or (choice_of("doubts"),)))
    question.doubt = first
    return question


def may_accept(proposal: Proposal, how: ReadOptions) -> bool:
    """Return whether the table of a proposal can be accepted, because no check finds people who are counted twice.

    A label that is larger than all others together, and the choice of a file in an archive, need their own answers.
    """
    if proposal.reading is None or any(one.question in TWICE for one in alarms(proposal.reading.table)):
        return False
    if any(doubted.question == "omitted word" for doubted in proposal.questions.values()):
        return False
    kinds = {question.question for question in proposal.questions.values()}
    is_decided = how.largest != "ask" or how.margins == "keep"
    return "files" not in kinds and (is_decided or "outsized" not in kinds)


def read_as_stated(source: str | bytes | PathLike[str], layout: FileLayout) -> Reading:
    """Return the reading of a layout, with a note on each of its decisions."""
    reading = read_for_release(source, layout)
    return replace(reading, notes=tuple(dict.fromkeys((*reading.notes, *_decided(layout)))))


def _decided(layout: FileLayout) -> list[str]:
    """Return a sentence on each decision of a layout that another reader of the file might not make."""

    def named(columns: Sequence[LayoutColumn]) -> str:
        return and_more([quoted(column.heading or f"column {column.number}") for column in columns], 6)

    labels, counts = layout.of_role("label"), layout.of_role("count")
    of_counts = f"counts from {named(counts)}" if counts else "counts each row as a person"
    sentences = [f"The layout reads labels from {named(labels)} and {of_counts}."]
    headings = [column.heading for column in counts]
    if len(counts) > 1 and (len(labels) > 1 or len(set(headings)) < len(headings)):
        sentences.append("The layout adds these counts as categories of one axis.")
    unread = layout.of_role("other")
    if unread:
        sentences.append(f"The layout does not read {named(unread)}.")
    totals = [quoted(label) for column in labels for label in column.left_out if label]
    totals += [quoted(column.heading) for column in layout.of_role("total") if column.heading]
    if totals:
        sentences.append(f"The layout omits {and_more(list(dict.fromkeys(totals)), 6)}.")
    if layout.unit > 1:
        sentences.append(f"The layout multiplies each count by {layout.unit:,}.")
    return sentences


def question_on(
    source: str | bytes | PathLike[str], how: ReadOptions, error: InputError
) -> ProposedReading | None:
    r"""Return the question whether a file that the reader rejects is read with the proposed layout.

    Parameters
    ----------
    source : str, bytes or path
    how : ReadOptions
    error : InputError
        Why the file is rejected.

    Returns
    -------
    ProposedReading or None
        None if no layout is proposed, or if a check doubts the table that the layout reads.

    Examples
    --------
    >>> text = "Job;Clerks;Nurses;Cooks\nArea;;;\nA;31;44;57\nB;52;61;70\nC;78;35;29\n"
    >>> question_on(text, ReadOptions(), InputError("A cell is empty")).proposal.reading.table.total
    457
    """
    proposal = None
    if isinstance(error, NoWorkbook) or (isinstance(source, bytes) and len(source) > _MOST_PROPOSED):
        return None
    with suppress(InputError):
        proposal = propose_layout(source, how)
    if proposal is None or proposal.layout is None:
        return None
    if proposal.texts:
        return ProposedReading(proposal.doubts[-1], proposal, str(error))
    cells = _question_on_cells(proposal, error)
    if cells is not None:
        return cells
    records = None if how.by else _records_doubt(source, proposal.layout)
    if records is not None:
        return _about_records(proposal, records, error)
    is_asked = replace(how, doubts="ask", encoding="") != ReadOptions()
    reading = proposal.reading if proposal.layout.of_role("count") and not is_asked else None
    if reading is None:
        return None
    larger = [one for one in proposal.questions.values() if one.question == "larger"]
    statement = larger[0].statement if larger else str(error).partition("; ")[0]
    statement = statement.rstrip(".")
    facts = {"error": statement, "summary": reading.summary.rstrip(".")}
    asked = doubt("proposed", choice_of("doubts"), **facts)
    question = ProposedReading(asked.sentence, proposal, f"{statement}.", *asked.choices)
    question.doubt = asked
    return question


def _question_on_cells(proposal: Proposal, error: InputError) -> ProposedReading | None:
    """Return the question about decimals in place of counts, or about a line with a word in place of its counts."""
    last = proposal.questions.get(proposal.doubts[-1]) if proposal.doubts else None
    omitted = [doubted for doubted in proposal.questions.values() if doubted.question == "omitted word"]
    for doubted in ([last] if last is not None and last.question == "decimal counts" else omitted)[:1]:
        question = ProposedReading(doubted.sentence, proposal, str(error), *doubted.choices)
        question.doubt = doubted
        return question
    return None


def _are_records(source: str | bytes | PathLike[str], how: ReadOptions, doubts: _OpenDoubts) -> bool:
    """Return whether each row of a file is a person by its structure, and a doubt is about its lines or axes."""
    is_doubtful = any(one.question in _OF_LINES for one in doubts.questions.values())
    return is_doubtful and not how.by and _has_no_counts(source, how)


def _has_no_counts(source: str | bytes | PathLike[str], how: ReadOptions) -> bool:
    """Return whether each row of a file is a person, by its structure."""
    structure = _structure(source, how)[0]
    return structure is not None and not structure.of_role("count")


def _about_records(proposal: Proposal, records: Doubt, error: InputError) -> ProposedReading:
    """Return the question by which columns the people of a file are counted."""
    question = ProposedReading(records.sentence, proposal, str(error), *records.choices)
    question.doubt = records
    return question


def question_on_table(
    source: str | bytes | PathLike[str], how: ReadOptions, question: Question
) -> ProposedReading | None:
    """Return the question on the proposed layout, in place of one that no answer settles, or whether rows are people.

    Parameters
    ----------
    source : str, bytes or path
    how : ReadOptions
    question : Question
        Question of the reader.

    Returns
    -------
    ProposedReading or None
        None if the reader asks something else, if other columns may be the counts, or if the rows do not have each
        combination of the labels once.
    """
    if how.by or (isinstance(source, bytes) and len(source) > _MOST_PROPOSED):
        return None
    if isinstance(question.doubt, Doubt) and question.doubt.question == "people":
        return _table_in_place_of_people(source, how, question)
    statement = question.doubt.statement if isinstance(question.doubt, Doubt) else str(question)
    if isinstance(question.doubt, Doubt) and question.doubt.question in _OF_LINES:
        about = question_on(source, how, InputError(statement)) if _has_no_counts(source, how) else None
        if about is not None:
            return about
    return None if _is_settled(source, how, question) else question_on(source, how, InputError(statement))


def _table_in_place_of_people(
    source: str | bytes | PathLike[str], how: ReadOptions, question: Question
) -> ProposedReading | None:
    """Return a question on the proposed layout if the file is perhaps a table and not one row per person."""
    proposed = question_on(source, how, InputError("Some columns contain texts and no counts"))
    if proposed is None or (isinstance(proposed.doubt, Doubt) and proposed.doubt.question == "records"):
        return proposed
    layout, table = proposed.proposal.layout, proposed.proposal.reading
    if layout is None or not layout.of_role("count") or layout.repeated != "error":
        return None
    if proposed.proposal.texts and not _is_readable(source, layout, proposed.proposal.texts):
        return None
    is_full = table is not None and table.table.ndim > 1 and bool(table.table.counts.all())
    unread = [one for one in proposed.proposal.questions.values() if one.question == "unread"]
    if is_full and not unread and len(layout.of_role("count")) == 1:
        return proposed
    more = ""
    if unread:
        numbers = and_more([str(one.facts["named"]) for one in unread], 4)
        more = f" The whole numbers of {numbers} are not read; if they are the counts, change their role."
    people = "If each row is one person, choose the columns to count by (by)."
    choices = (*proposed.choices, *question.choices)
    asked = ProposedReading(f"{proposed}{more} {people}", proposed.proposal, proposed.statement, *choices)
    asked.doubt = proposed.doubt
    return asked


def _is_settled(source: str | bytes | PathLike[str], how: ReadOptions, question: Question) -> bool:
    """Return whether an answer to a question leads to a table, perhaps after other questions.

    Only the user can choose the columns to count by, and accept doubts.
    """
    offered = {choice.name for choice in question.choices if not choice.chosen or choice.name == "doubts"}
    is_scaled = isinstance(question.doubt, Doubt) and question.doubt.question == "thousands"
    if is_scaled or offered & {"by", "doubts", "missing"}:
        return True  # the question on thousands names the layout itself
    facts = question.doubt.facts if isinstance(question.doubt, Doubt) else {}
    latest = [f"{facts['name']}={facts['last']}"] if "last" in facts else []
    for choice in question.choices:
        options = latest if choice.name == "only" else list(choice.options)[:_MOST_ANSWERS]
        for value in options if choice.name != "by" else ():
            answers: dict[str, Any] = {choice.name: (value,) if choice.several else value}
            answered = replace(how, **answers)
            if _detected(partial(_opened, source, answered), answered, _OpenDoubts())[0] is not None:
                return True
    return False


def _opened(source: str | bytes | PathLike[str], how: ReadOptions) -> Format:
    return opened(source, encoding=how.encoding)[0]


class ProposedReading(Question):
    """Question whether a file is read with the proposed layout.

    Attributes
    ----------
    statement : str
        Why the file was not read without a layout.
    """

    proposal: Proposal

    def __init__(self, sentence: str, proposal: Proposal, statement: str, *choices: Choice) -> None:
        super().__init__(sentence, *choices)
        self.proposal, self.statement = proposal, statement


def _name_hierarchies(question: Question, proposal: Proposal | None) -> None:
    """Add to a question about a sum of other lines how `protect` publishes sub-totals."""
    if not isinstance(question.doubt, Doubt) or question.doubt.question != "sum":
        return
    if proposal is None or proposal.layout is None:
        return
    omitting = [
        column.heading for column in proposal.layout.columns if column.role == "label" and column.left_out
    ]
    headings = [heading.axis for heading in proposal.layout.headings]
    for axis in (omitting or headings)[:1]:
        hierarchies = f'hierarchies={{{quoted(axis)}: "detected"}}'
        question.args = (
            f'{question} To publish sub-totals by cell suppression, use margins="keep", and pass {hierarchies} to '
            "protect.",
        )


def layout_of(layout: FileLayout | str | PathLike[str]) -> FileLayout:
    """Return a layout, or the layout in the TOML file at a path."""
    if isinstance(layout, FileLayout):
        return layout
    if not isinstance(layout, str | PathLike):
        raise InputError(
            f"The layout is {type_with_article(layout)}; it must be a FileLayout or the path of a TOML file."
        )
    try:
        text = file_bytes(layout, "a layout").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("The layout is not a text in UTF-8; save it as UTF-8.") from None
    return FileLayout.from_toml(text)


#: Answers of a proposal that never count people twice.
_SAFE_ANSWERS = {"margins": "drop", "largest": "keep", "missing": UNKNOWN}

#: Options for which the proposal uses the chosen value, or else the first value.
_FIRST_OPTION = ("level", "marks", "flags", "empty", "first_line", "doubts", "count", "encoding")


def _answered(how: ReadOptions, error: InputError) -> ReadOptions | None:
    """Return options with an answer to a question that never counts people twice, or None without an answer."""
    doubt = getattr(error, "doubt", None)
    if isinstance(doubt, Doubt) and doubt.question in ("thousands", "figures"):
        return _only_people(how, doubt)
    choices: Sequence[Choice] = getattr(error, "choices", ())
    offered = {choice.name: choice for choice in choices}
    if "by" in offered and not offered["by"].chosen and "count" in offered:
        return None  # Each row may be one person, and only the user can choose the columns to count by.
    answers: dict[str, Any] = {}
    for choice in choices:
        options = [value for value in choice.options if value]
        if choice.name in _SAFE_ANSWERS:
            answers[choice.name] = _SAFE_ANSWERS[choice.name]
        elif choice.name in _FIRST_OPTION and options:
            answers[choice.name] = choice.chosen[0] if choice.chosen else options[0]
        elif choice.name in ("only", "by") and choice.chosen:
            answers[choice.name] = choice.chosen
    try:
        answered = replace(how, **answers)
    except InputError:
        return None
    return None if answered == how else answered


def _only_people(how: ReadOptions, doubt: Doubt) -> ReadOptions | None:
    """Return options with the unit of the counts, or with the only kind of figures that is a number of people."""
    if doubt.question == "thousands":
        unit = doubt.facts["unit"]
        return replace(how, unit=unit) if isinstance(unit, int) else None
    name = f"{doubt.facts['name']}="
    kinds = [value for choice in doubt.choices for value in choice.options if value.startswith(name)]
    people = [value for value in kinds if may_be_people(value.removeprefix(name))]
    people = [value for value in people if value != f"{name}{ALL}"]
    return replace(how, only=(*how.only, people[0])) if len(people) == 1 else None


def _layout(
    source: str | bytes | PathLike[str],
    file: Format,
    reading: Reading,
    how: ReadOptions,
    filled: _FilledFile | None = None,
) -> FileLayout | None:
    """Return a layout with which the file is read as the same table, or None.

    With a filled file, the layout reads each of its texts as 0.
    """
    sheet_name = next((choice.chosen[0] for choice in reading.choices if choice.name == "sheet"), "")
    again = filled or opened(source, encoding=how.encoding)[0]
    sheet = again.sheet(sheet_name or again.names()[0])
    rows = [list(row) for row in sheet.rows]
    base = FileLayout((LayoutColumn(1, "label"),), sheet=sheet_name)
    if isinstance(file, DelimitedText):
        encoding = "utf-8" if file.encoding == "utf-8-sig" else file.encoding
        base = replace(base, encoding=encoding, delimiter=file.mark)
    explained = _ExplainedTable(rows, sheet, reading.table, how, base, isinstance(file, DelimitedText))
    zeros = dict.fromkeys(filled.texts, "zero") if filled else {}
    for layout in explained.layouts():
        if zeros:
            layout = replace(layout, texts=zeros)
        try:
            if read(source, layout).table == reading.table:
                return layout
        except InputError:
            continue
    return None


def _read_or_ask(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: _OpenDoubts
) -> Reading | None:
    """Return the reading of a layout; if only decimals prevent it, replace the last doubt by a doubt on decimals."""
    reading = _read_without_alarms(source, layout) or _read_with_doubts(source, layout, doubts)
    decimals = _doubt_on_decimals(source, layout) if reading is None and layout is not None else None
    if decimals is not None:
        doubts.replace_last(decimals.sentence, decimals)
    return reading


def _read_with_doubts(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: _OpenDoubts
) -> Reading | None:
    """Return the reading of a layout, and add the doubts of its checks; None if people would be counted twice."""
    if layout is None or not layout.of_role("count"):
        return None
    with suppress(InputError):
        reading = read(source, layout)
        raised = alarms(reading.table)
        if not any(alarm.question in TWICE for alarm in raised):
            doubts.add_first(raised)
            return reading
    return None


def _doubt_on_decimals(source: str | bytes | PathLike[str], layout: FileLayout) -> Doubt | None:
    """Return the doubt about decimal numbers in place of counts, if the layout only lacks their meaning."""
    if not layout.of_role("count") or not _reads(source, replace(layout, rounded=True)):
        return None
    file, _ = opened(source, layout)
    rows = file.sheet(layout.sheet or file.names()[0]).rows
    columns = [column.number - 1 for column in layout.of_role("count")]
    cells = (
        row[j] for row in itertools.islice(rows, layout.first - 1, None) for j in columns if j < len(row)
    )
    number = next((cell for cell in cells if is_number(cell) and isinstance(count_in(cell), str)), None)
    if number is None:
        return None
    return doubt("decimal counts", choice_of("decimals"), number=label_of(number).strip())


def _reads(source: str | bytes | PathLike[str], layout: FileLayout) -> bool:
    """Return whether a layout reads a file."""
    with suppress(InputError):
        read(source, layout)
        return True
    return False


class _PlacedText(str):
    """A text with its place."""

    place: tuple[int, int]


class _PlacedWhole(int):
    """A whole number with its place."""

    place: tuple[int, int]


class _PlacedDecimal(float):
    """A decimal number with its place."""

    place: tuple[int, int]


def _placed(cell: object, i: int, j: int) -> object:
    """Return a cell that keeps its row and its column on its way through the reader."""
    placed: Any
    if type(cell) is str:
        placed = _PlacedText(cell)
    elif type(cell) is int:
        placed = _PlacedWhole(cell)
    elif type(cell) is float:
        placed = _PlacedDecimal(cell)
    else:
        return cell
    placed.place = (i, j)
    return placed


def _unflagged(cell: object) -> object:
    """Return a cell without the flag next to its number."""
    flagged = flag_beside(cell)
    return cell if flagged is None or missing_in(cell) else flagged[0]


@dataclass(frozen=True)
class _ExplainedTable:
    """A table that was read, and the rows of its file."""

    rows: Rows
    sheet: SheetCells
    table: FrequencyTable
    how: ReadOptions
    base: FileLayout
    text: bool
    joined: tuple[LayoutRow, ...] = ()

    def layouts(self) -> Iterator[FileLayout]:
        """Yield layouts that may read the rows as the table, the most probable first."""
        try:
            if self.how.by or self.sheet.by:
                yield from self._long(self.how.column or self.sheet.count)
                return
            seen = (
                observed(replace(self.sheet, rows=self.rows), self.how) if not self.sheet.own else self.sheet
            )
            if seen.by:
                yield from self._long(seen.count)
                return
            yield from self._grid()
        except InputError:
            return

    @cached_property
    def _all_labels(self) -> frozenset[str]:
        return frozenset(label for axis in self.table.axes for label in axis.labels)

    def _label(self, cell: object) -> str:
        text = label_of(cell)
        if self.sheet.own:
            return from_spreadsheet(text)
        return from_spreadsheet(text.strip()) if self.text else text.strip()

    def _at(self, i: int, j: int) -> object:
        return self.rows[i][j] if j < len(self.rows[i]) else None

    def _long(self, count: str) -> Iterator[FileLayout]:
        """Yield layouts of a table with a row for each combination or person."""
        needed = {*(axis.name for axis in self.table.axes), count, self.how.weight} - {""}
        head = self._row_with(needed)
        if head is None:
            return
        header = self._texts(head)
        only = {name: label for name, label in chosen(self.how).items() if label != ALL}
        known = sorted({header.index(name) for name in needed})
        body = range(head + 1, len(self.rows))
        columns = [self._axis_column(axis, header, body, only) for axis in self.table.axes]
        columns += self._number_columns(header, count)
        others = self._other_columns(header, body, known, only)
        notes = [i for i in body if self._is_note(i, known, count)]
        layout = self._layout_of_rows(head, notes, self._counts(header, body, notes, count))
        if count:
            # A year or a unit that is the same in all rows must not be added up with another one next year.
            others = [self._checked(column, body, notes) for column in others]
            yield replace(layout, columns=(*columns, *others), repeated="error")
        yield replace(layout, columns=(*columns, *others))
        without = [self._without_totals(column, body) for column in others]
        yield replace(layout, columns=(*columns, *without))
        if count:
            for summed in self._without_one_label(others, body):
                yield replace(layout, columns=(*columns, *summed))

    def _texts(self, i: int) -> list[str]:
        return [label_of(cell).strip() for cell in self.rows[i]]

    def _row_with(self, needed: Set[str]) -> int | None:
        """Return the first row that has all these texts; None if there is no such row."""
        first_rows = range(min(len(self.rows), _FIRST_ROWS))
        return next((i for i in first_rows if needed <= set(self._texts(i))), None)

    def _axis_column(
        self, axis: Axis, header: Sequence[str], body: range, only: Mapping[str, str]
    ) -> LayoutColumn:
        """Return the column with the labels of an axis of a long table."""
        j = header.index(axis.name)
        labels = dict.fromkeys(self._label(self._at(i, j)) for i in body if self.rows[i])
        gone = no_value_among(labels) if self.how.missing else set()
        known_labels = {*axis.labels, *gone, ""}
        return LayoutColumn(
            j + 1,
            "label",
            header[j],
            categories=axis.labels,
            left_out=tuple(label for label in labels if label not in known_labels),
            renamed=dict.fromkeys(sorted(gone), self.how.missing),
            only=only.get(axis.name, ""),
        )

    def _number_columns(self, header: Sequence[str], count: str) -> list[LayoutColumn]:
        """Return the columns of counts and of weights of a long table."""
        columns = list[LayoutColumn]()
        if count:
            columns.append(LayoutColumn(header.index(count) + 1, "count", count))
        if self.how.weight:
            columns.append(LayoutColumn(header.index(self.how.weight) + 1, "weight", self.how.weight))
        return columns

    def _other_columns(
        self, header: Sequence[str], body: range, known: Sequence[int], only: Mapping[str, str]
    ) -> list[LayoutColumn]:
        """Return the columns of a long table that hold something else."""
        others = list[LayoutColumn]()
        for j in range(max(map(len, self.rows))):
            heading = header[j] if j < len(header) else ""
            if j not in known and (heading or any(not is_blank(self._at(i, j)) for i in body)):
                others.append(LayoutColumn(j + 1, "other", heading, only=only.get(heading, "")))
        return others

    def _counts(self, header: Sequence[str], body: range, notes: Sequence[int], count: str) -> list[object]:
        """Return the counts of a long table; an empty list if each row is one person."""
        if not count:
            return []
        j = header.index(count)
        out = set(notes)
        return [self._at(i, j) for i in body if i not in out]

    def _layout_of_rows(self, head: int, notes: Sequence[int], counts: Sequence[object]) -> FileLayout:
        """Return the layout of a long table, still without its columns."""
        return replace(
            self.base,
            header=head + 1,
            first=head + 2,
            repeated="sum",
            rows=tuple(LayoutRow(i + 1, "other", self._first(i)) for i in notes),
            **self._numbers(counts),
        )

    def _without_one_label(self, others: Sequence[LayoutColumn], body: range) -> Iterator[list[LayoutColumn]]:
        """Yield the columns over which counts are summed, each time with one omitted label of one column."""
        for k, column in enumerate(others):
            seen = dict.fromkeys(self._label(self._at(i, column.number - 1)) for i in body)
            if len(self.rows) * len(seen) <= _MOST_COMPARED:
                for label in seen:
                    yield [*others[:k], replace(column, left_out=(label,)), *others[k + 1 :]]

    def _checked(self, column: LayoutColumn, body: range, notes: Sequence[int]) -> LayoutColumn:
        """Return a column that is not read with its texts, if they are few."""
        out = set(notes)
        cells = [self._label(self._at(i, column.number - 1)) for i in body if self.rows[i] and i not in out]
        texts = tuple(dict.fromkeys(cells))
        is_checked = len(texts) <= _MOST_CHECKED and 2 * len(texts) <= max(len(cells), 2) and texts != ("",)
        return replace(column, categories=texts) if is_checked else column

    def _without_totals(self, column: LayoutColumn, body: range) -> LayoutColumn:
        """Return a column that is summed over, without the totals in it."""
        labels = dict.fromkeys(self._label(self._at(i, column.number - 1)) for i in body)
        return replace(column, left_out=tuple(label for label in labels if is_total(label)))

    def _is_note(self, i: int, known: Sequence[int], count: str) -> bool:
        """Return whether a row of a long table has no labels and at most one text."""
        filled = [j for j, cell in enumerate(self.rows[i]) if not is_blank(cell)]
        if len(filled) != 1 or known == filled:
            return False
        text = self._label(self._at(i, filled[0]))
        is_person = not count and filled[0] in known and text in self._all_labels
        return not is_person

    def _first(self, i: int) -> str:
        return next((label_of(cell).strip() for cell in self.rows[i] if not is_blank(cell)), "")

    def _numbers(self, cells: Sequence[object]) -> dict[str, Any]:
        """Return the keys of a layout on the notation of counts, such as separators, flags and other texts."""
        groups, marks, texts, flags = set[str](), set[str](), dict[str, str](), set[str]()
        for cell in cells:
            if is_blank(cell) and not isinstance(cell, Unsaved) and self.how.empty != "ask":
                texts[""] = "zero"
            elif is_dash(cell) and self.how.empty == "dashes":
                texts[label_of(cell).strip()] = "zero"
            if not isinstance(cell, str) or not cell.strip():
                continue
            text = cell.strip()
            if missing_in(text) and self.how.flags == "out":
                texts[text] = "leave out"
                continue
            flagged = None if self.how.flags == "ask" else flag_beside(text)
            if flagged:
                text = flagged[0].strip()
                flags.add(flagged[1])
            match = NUMBER.fullmatch(text)
            if match is None:
                continue
            if match["group"] and self.how.marks == "decimals":
                marks.add(match["group"])
            elif match["group"]:
                groups.add(match["group"])
            marks |= {match["mark"]} - {None}
        return {
            "thousands": "".join(sorted(groups)),
            "decimal": min(marks, default=""),
            "texts": texts,
            "flags": tuple(sorted(flags)),
        }

    def _grid(self) -> Iterator[FileLayout]:
        """Yield layouts of a table with labels of rows and headings of columns."""
        rows = self.rows if self.how.flags == "ask" else [list(map(_unflagged, row)) for row in self.rows]
        placed = [[_placed(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)]
        cells = squared(placed) if self.sheet.typed and not self.sheet.own else placed
        parts = outline(cells, self.how, typed=self.sheet.typed, own=self.sheet.own)
        grid = _GridPlaces(self._with_joined_headings(parts.continued), parts)
        if not grid.is_placed:
            return
        levels = range(len(parts.labels[0]) + len(parts.headings[0]))
        for levels_of_axes in itertools.combinations(levels, self.table.ndim):
            if all(
                set(axis.labels) <= set(grid.level(level))
                for axis, level in zip(self.table.axes, levels_of_axes, strict=True)
            ):
                yield from grid.layouts(levels_of_axes)

    def _with_joined_headings(self, continued: Sequence[int]) -> _ExplainedTable:
        """Return the table with one row of headings in place of two, of which the layout states the upper one."""
        rows, joined = list(self.rows), list[LayoutRow]()
        for i in continued:
            joined.append(LayoutRow(i + 1, "join", self._first(i)))
            rows[i], rows[i + 1] = [], joined_row(rows[i], rows[i + 1])
        return replace(self, rows=rows, joined=tuple(joined)) if continued else self


class _GridPlaces:
    """The parts of a table with labels of rows and headings of columns, and their places in the file."""

    def __init__(self, explained: _ExplainedTable, parts: Outline) -> None:
        self.explained, self.parts = explained, parts
        self.depth = len(parts.labels[0])
        across: list[list[int]] = [[] for _ in parts.headings]
        down: list[list[int]] = [[] for _ in parts.labels]
        for i, row in enumerate(parts.cells):
            for j, cell in enumerate(row):
                place = getattr(cell, "place", None)
                if place is not None:
                    down[i].append(place[0])
                    across[j].append(place[1])
        self.is_placed = all(map(bool, across)) and all(map(bool, down))
        self.lines = [places[0] for places in down if places]
        self.columns = [places[0] for places in across if places]

    def level(self, k: int) -> list[str]:
        """Return the labels of the rows or of the columns on a level."""
        if k < self.depth:
            return [labels[k] for labels in self.parts.labels]
        return [labels[k - self.depth] for labels in self.parts.headings]

    def layouts(self, levels: Sequence[int]) -> Iterator[FileLayout]:
        """Yield layouts in which these levels are the axes."""
        others = [k for k in range(self.depth + len(self.parts.headings[0])) if k not in levels]
        values = [list(dict.fromkeys(self.level(k))) for k in others]
        slices: list[dict[int, str]] = [{}]
        if 1 < math.prod(map(len, values)) <= _MOST_SLICES:
            slices += [dict(zip(others, labels, strict=True)) for labels in itertools.product(*values)]
        for only in slices:
            with suppress(InputError):  # such a layout has columns of counts without an axis
                yield self._layout(levels, only)

    def _layout(self, levels: Sequence[int], only: Mapping[int, str]) -> FileLayout:
        """Return the layout in which these levels are the axes, with one label of other levels."""
        explained = self.explained
        axes = dict(zip(levels, explained.table.axes, strict=True))
        rows, columns = self._read_lines(axes, only)
        first = min(self.lines)
        headings = [self._heading(k, first, columns, axes[k].name) for k in levels if k >= self.depth]
        is_stated = any(heading.row == 0 for heading in headings)
        head = max((heading.row for heading in headings), default=0)
        if not head and not is_stated:
            head = self._header(first)
        header = explained.rows[head - 1] if head else []
        made = self._label_columns(axes, rows, header)
        special = [*explained.joined, *self._special_rows(made, axes, rows)]
        made += self._columns_with_one_label(only, made, header)
        stated = [k - self.depth for k in levels if k >= self.depth] if is_stated else []
        made += self._count_columns(columns, stated, header)
        made += self._unread_columns(made, header)
        special += self._unread_rows(first)
        return replace(
            explained.base,
            columns=tuple(made),
            headings=tuple(headings),
            rows=tuple(sorted(special, key=lambda row: row.number)),
            header=head,
            first=first + 1,
            **explained._numbers(self._counts(rows, columns)),
        )

    def _read_lines(self, axes: Mapping[int, Axis], only: Mapping[int, str]) -> tuple[list[bool], list[bool]]:
        """Return for each row, and for each column, whether all its labels are of the axes or the chosen ones."""
        allowed = {k: frozenset(axis.labels) for k, axis in axes.items()}
        allowed |= {k: frozenset([label]) for k, label in only.items()}
        of_rows = {k: labels for k, labels in allowed.items() if k < self.depth}
        of_columns = {k - self.depth: labels for k, labels in allowed.items() if k >= self.depth}
        rows = [all(labels[k] in of_rows[k] for k in of_rows) for labels in self.parts.labels]
        columns = [all(labels[k] in of_columns[k] for k in of_columns) for labels in self.parts.headings]
        return rows, columns

    def _columns_with_one_label(
        self, only: Mapping[int, str], label_columns: Sequence[LayoutColumn], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns of which only the rows with one label are read."""
        taken = [column.number - 1 for column in label_columns]
        columns = list[LayoutColumn]()
        for k, label in only.items():
            if k < self.depth:
                number = self._column_of(k, taken)
                taken.append(number)
                columns.append(LayoutColumn(number + 1, "other", _text(header, number), only=label))
        return columns

    def _count_columns(
        self, columns: Sequence[bool], stated: Sequence[int], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns of numbers; columns of counts state their labels on the levels `stated` of headings."""
        read = list[LayoutColumn]()
        sums = self._sums(columns)
        for j, column in enumerate(self.columns):
            heading = self.parts.headings[j]
            if columns[j]:
                role, categories = "count", tuple(heading[k] for k in stated)
            else:
                is_sum = j in sums or any(map(is_total, heading))
                role, categories = "total" if is_sum else "other", ()
            read.append(LayoutColumn(column + 1, role, _text(header, column), categories=categories))
        return read

    def _sums(self, columns: Sequence[bool]) -> set[int]:
        """Return the columns that are not read and are the sums of columns that are next to each other and are read."""
        counts = list(itertools.compress(self.columns, columns))
        lines = [[count_in(self.explained._at(i, j)) for j in (*counts, *self.columns)] for i in self.lines]
        full = [line for line in lines if not any(isinstance(count, str) for count in line)]
        if all(columns) or len(counts) > _MOST_SUMMED or not full:
            return set()
        numbers = np.array(full, dtype=np.int64).T
        ends = np.concatenate([np.zeros_like(numbers[:1]), np.cumsum(numbers[: len(counts)], axis=0)])
        sums = {
            (ends[stop] - ends[start]).tobytes()
            for start, stop in itertools.combinations(range(len(ends)), 2)
            if stop > start + 1
        }
        every = enumerate(numbers[len(counts) :])
        return {j for j, line in every if not columns[j] and line.tobytes() in sums}

    def _unread_columns(self, made: Sequence[LayoutColumn], header: Row) -> list[LayoutColumn]:
        """Return the columns that are not blank and are not yet in the layout."""
        explained = self.explained
        known = {column.number - 1 for column in made}
        unread = list[LayoutColumn]()
        for column in range(max(map(len, explained.rows))):
            body = (explained._at(i, column) for i in self.lines)
            if column not in known and (_text(header, column) or not all(map(is_blank, body))):
                unread.append(LayoutColumn(column + 1, "other", _text(header, column)))
        return unread

    def _unread_rows(self, first: int) -> list[LayoutRow]:
        """Return the rows that are not blank and have no counts, such as footnotes."""
        explained, inside = self.explained, set(self.lines)
        return [
            LayoutRow(i + 1, "other", explained._first(i))
            for i in range(first, len(explained.rows))
            if i not in inside and not all(map(is_blank, explained.rows[i]))
        ]

    def _counts(self, rows: Sequence[bool], columns: Sequence[bool]) -> list[object]:
        """Return the cells of the file that are read as counts."""
        counts = list(itertools.compress(self.columns, columns))
        lines = itertools.compress(self.lines, rows)
        return [self.explained._at(i, column) for i in lines for column in counts]

    def _header(self, first: int) -> int:
        """Return the number of the row above the counts with the most different texts; 0 if there is no text."""
        rows = self.explained.rows
        texts = [len({label_of(cell).strip() for cell in rows[i]} - {""}) for i in range(first)]
        most = max(texts, default=0)
        return max((i + 1 for i, number in enumerate(texts) if number == most), default=0) if most else 0

    def _heading(self, k: int, first: int, columns: Sequence[bool], name: str) -> LayoutHeading:
        """Return the heading whose row above the counts has the labels of a level; its row is 0 if no row has them."""
        explained = self.explained
        counts = [column for column, is_read in zip(self.columns, columns, strict=True) if is_read]
        wanted = [label for label, is_read in zip(self.level(k), columns, strict=True) if is_read]
        for i in reversed(range(first)):
            texts = [explained._label(explained._at(i, column)) for column in counts]
            if texts == wanted:
                return LayoutHeading(name, i + 1)
            filled = _filled(texts)
            if any(texts) and filled == wanted:
                return LayoutHeading(name, i + 1, fill=True)
        return LayoutHeading(name)

    def _label_columns(
        self, axes: Mapping[int, Axis], rows: Sequence[bool], header: Row
    ) -> list[LayoutColumn]:
        """Return the columns with the labels of the axes of rows."""
        made = list[LayoutColumn]()
        for k, axis in axes.items():
            if k < self.depth:
                number = self._column_of(k, [column.number - 1 for column in made])
                made.append(self._label_column(k, axis, number, rows, _text(header, number)))
        return made

    def _label_column(
        self, k: int, axis: Axis, number: int, rows: Sequence[bool], heading: str
    ) -> LayoutColumn:
        """Return a column whose texts are the labels of an axis."""
        explained = self.explained
        labels = {label for label, is_read in zip(self.level(k), rows, strict=True) if is_read}
        texts = [explained._label(explained._at(i, number)) for i in self.lines]
        has_blank = any(not text for text, is_read in zip(texts, rows, strict=True) if is_read)
        inside = frozenset(axis.labels) | {""}
        return LayoutColumn(
            number + 1,
            "label",
            heading,
            axis="" if axis.name == heading else axis.name,
            categories=axis.labels if labels == set(axis.labels) else (),
            left_out=tuple(dict.fromkeys(label for label in self.level(k) if label not in inside)),
            fill=has_blank and not explained.sheet.own,
        )

    def _special_rows(
        self, label_columns: Sequence[LayoutColumn], axes: Mapping[int, Axis], rows: Sequence[bool]
    ) -> list[LayoutRow]:
        """Return rows of counts whose labels differ from the labels in their cells, and omitted rows of totals."""
        explained = self.explained
        special = list[LayoutRow]()
        above = [""] * len(label_columns)
        own_levels = [k for k in axes if k < self.depth]
        left_out = [frozenset(column.left_out) for column in label_columns]
        for i, line in enumerate(self.lines):
            texts = [explained._label(explained._at(line, column.number - 1)) for column in label_columns]
            above = [
                text or (over if column.fill else "")
                for text, over, column in zip(texts, above, label_columns, strict=True)
            ]
            labels = [self.parts.labels[i][k] for k in own_levels]
            is_out = any(text in labels_out for text, labels_out in zip(above, left_out, strict=True))
            if rows[i] and above != labels:
                special.append(LayoutRow(line + 1, "count", explained._first(line), tuple(labels)))
            elif not rows[i] and not is_out:
                special.append(LayoutRow(line + 1, "total", explained._first(line)))
        return special

    def _column_of(self, k: int, taken: Sequence[int]) -> int:
        """Return the column of the file whose texts are most often the labels of a level."""
        explained, labels = self.explained, self.level(k)
        free = [
            column
            for column in range(max(map(len, explained.rows)))
            if column not in self.columns and column not in taken
        ]
        return max(
            free,
            key=lambda column: sum(
                2 * (text == label) + (label.endswith(text) and text != "")
                for label, text in zip(
                    labels, (explained._label(explained._at(i, column)) for i in self.lines), strict=True
                )
            ),
            default=0,
        )


def _text(row: Row, column: int) -> str:
    return label_of(row[column]).strip() if column < len(row) else ""


def _filled(texts: Sequence[str]) -> list[str]:
    """Return the texts with each blank as the text before it."""
    filled, last = list[str](), ""
    for text in texts:
        last = text or last
        filled.append(last)
    return filled
