"""Propose a layout: the reader detects the table, and the layout states where its labels and counts were detected.

A proposed layout is checked: with it, the file is read as the same table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import PEOPLE, count_in, listed, quoted
from sdcwidgets.tables.axis import BlankLabel, RepeatedLabel
from sdcwidgets.tables.io.filled_files import FilledFile
from sdcwidgets.tables.io.formats.base import Format
from sdcwidgets.tables.io.formats.delimited import encoding_doubts, encoding_of
from sdcwidgets.tables.io.layout.cells import is_blank, is_dash, is_number, is_total, label_of
from sdcwidgets.tables.io.layout.contents import (
    ALL,
    UNKNOWN_UNITS,
    counted_by_format,
    counted_in,
    may_be_people,
)
from sdcwidgets.tables.io.layout.records import MOST_COMPARED, second_header_doubts
from sdcwidgets.tables.io.layout_draft import first_layout, place_of_text, texts_in_counts
from sdcwidgets.tables.io.layout_levels import with_levels, without_levels
from sdcwidgets.tables.io.layout_of_reading import layout_of_reading
from sdcwidgets.tables.io.layout_reader import opened, read, text_content
from sdcwidgets.tables.io.layouts import UNKNOWN, FileLayout, LayoutColumn, LayoutHeading
from sdcwidgets.tables.io.open_doubts import OpenDoubts
from sdcwidgets.tables.io.options import ROWS, Choice, Reading, ReadOptions, choice_of
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.questions import HIDDEN, PERSONS, SUMS, Doubt, by_and_count, doubt
from sdcwidgets.tables.io.reading import read_file
from sdcwidgets.tables.io.samples import LineSample, sample_of
from sdcwidgets.tables.io.unread_lines import (
    groups_of,
    labels_not_included,
    larger_than_total,
    omitted_areas,
    omitted_words,
    unread_counts,
    unread_numbers,
)

#: Maximum number of questions of the reader that a proposal answers.
_MOST_QUESTIONS = 8

#: Maximum number of bytes of a file for which a layout is proposed after the reader rejected the file.
MOST_PROPOSED = 2_000_000

#: Alarms that people are counted twice, which are never accepted.
TWICE = ("near sum", "overlap", "combined sum")

#: Doubts that a sample of the lines of a file cannot decide.
_OF_ALL_LINES = ("absent", "mostly empty", "equal", "all")

#: Minimum number of rows of a file of records.
_LEAST_RECORDS = 40

#: Maximum number of categories of a column by which records are counted.
_MOST_CATEGORIES = 12

#: Doubts about decimal numbers in place of counts.
OF_DECIMALS = ("decimal counts", "decimal records")

#: Maximum number of cells of a table whose higher levels are searched.
_MOST_CELLS = 100_000

#: Doubts about single lines or axes, which do not matter if each row is a person.
OF_LINES = ("decimals", "no people", "even", "combined", "mostly empty")


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
    answers : ReadOptions or None
        Options of the reader that answer the doubts as the layout does; None if the layout follows from the structure
        of the file.
    """

    layout: FileLayout | None
    reading: Reading | None
    doubts: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    questions: Mapping[str, Doubt] = field(default_factory=dict, compare=False)
    answers: ReadOptions | None = field(default=None, compare=False)


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
    >>> from sdcwidgets import propose_layout
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
    how, content = how or ReadOptions(), text_content(source)
    sample = sample_of(content)
    if sample is None:
        return _proposal_of_all(source, how)
    return _checked_in_all_lines(content, sample, proposal_of_sample(content, sample, how))


def proposal_of_sample(content: bytes, sample: LineSample, how: ReadOptions) -> Proposal:
    """Return the proposal for a sample of the lines of a text, with the encoding of the whole text."""
    detection = encoding_of(content, "The file", how.encoding)
    is_known = how.encoding or detection.encoding == encoding_of(sample.content, "The file", "").encoding
    chosen = how if is_known else replace(how, encoding=detection.encoding)
    part = sample.content if _has_other_last_rows(sample, chosen) else sample.first_lines
    proposal = _proposal_of_all(part, chosen)
    doubts = OpenDoubts(list(proposal.doubts), dict(proposal.questions))
    for sentence, doubted in proposal.questions.items():
        if doubted.question in _OF_ALL_LINES and sentence in doubts.sentences:
            doubts.sentences.remove(sentence)
    if not is_known:
        doubts.add_first(encoding_doubts(content, *detection))
    layout = None if proposal.layout is None else proposal.layout.with_any_labels()
    reading = proposal.reading
    if layout is not None and reading is not None:
        reading = _read_part(sample.content, layout, doubts)
    return replace(
        proposal, layout=layout, reading=reading, doubts=tuple(doubts.sentences), questions=doubts.questions
    )


def _read_part(content: bytes, layout: FileLayout, doubts: OpenDoubts) -> Reading | None:
    """Return the reading of all lines or of a sample, or None with a doubt if the layout does not read them."""
    try:
        return replace(read(content, layout), counted=layout.counted)
    except InputError as error:
        doubts.sentences.append(str(error))
    return None


def _has_other_last_rows(sample: LineSample, how: ReadOptions) -> bool:
    """Return whether a last row of a sample may be a total or a note, because no first row has such cells."""
    rows = iter(opened_with(sample.content, how).sheet("").rows)
    first = {tuple(map(_kind, row)) for row in itertools.islice(rows, sample.first)}
    return any(tuple(map(_kind, row)) not in first or any(map(is_total, map(label_of, row))) for row in rows)


def _kind(cell: object) -> str:
    return "" if is_blank(cell) else "number" if is_number(cell) else "text"


def _checked_in_all_lines(content: bytes, sample: LineSample, proposal: Proposal) -> Proposal:
    """Return the proposal for a text after all its lines are read with the layout of a sample."""
    if proposal.layout is None:
        return proposal
    layout, reading = sample.layout_of_text(proposal.layout), None
    questions = {sample.sentence_of_text(old): doubted for old, doubted in proposal.questions.items()}
    doubts = OpenDoubts(list(map(sample.sentence_of_text, proposal.doubts)), questions)
    if proposal.reading is not None:
        if layout.of_role("level") and not _reads(content, layout):
            layout = without_levels(layout)  # a label of the other lines has two groups
        reading = _read_part(content, layout, doubts)
    if reading is not None:
        doubts.add_first([*alarms(reading.table), *reading.doubts])
    return Proposal(layout, reading, tuple(doubts.sentences), proposal.texts, doubts.questions)


def _proposal_of_all(source: str | bytes | PathLike[str], how: ReadOptions) -> Proposal:
    """Return the proposal for a file that is read as a whole."""
    doubts = OpenDoubts()
    if how.decimals != "ask":
        return _with_decimals(source, how)
    file, _ = opened(source, encoding=how.encoding)
    reading, answered = _detected_table(source, how, doubts)
    layout, texts, answers = None, tuple[str, ...](), None
    if reading is not None:
        layout, answers = layout_of_reading(source, file, reading, answered), answered
        if layout is None:
            reading = None
            doubts.sentences.append(
                "No layout file describes how this file is read; read the file without a layout."
            )
        elif doubts.sentences and (alarms(reading.table) or (answered.by and not answered.column)):
            structure = _without_alarms(source, how)
            layout, reading = structure or (layout, reading)
            answers = None if structure else answers
    if layout is None:
        answers = None
        layout, texts = _unfinished(source, file, answered, doubts)
        layout = _with_added_rows(source, layout, doubts)
        reading = None if texts else _read_or_ask(source, layout, doubts)
    if layout is not None and reading is not None:
        layout = _with_absent(layout, reading, how, doubts)
    if not how.by:
        doubts.add_first(_new_doubts(source, layout, doubts))
    if layout is None:
        return Proposal(None, None, tuple(doubts.sentences), texts, doubts.questions)
    layout, reading = _with_levels(source, layout, reading, doubts)
    if answered.unit > 1:
        layout = replace(layout, unit=answered.unit)
        reading = read(source, layout) if reading is not None else None
    doubts.add_last(second_header(source, layout))
    layout = _checked(source, layout, reading, texts, doubts)
    reading = replace(reading, counted=layout.counted) if reading is not None else None
    return Proposal(layout, reading, tuple(doubts.sentences), texts, doubts.questions, answers)


def _checked(
    source: str | bytes | PathLike[str],
    layout: FileLayout,
    reading: Reading | None,
    texts: Sequence[str],
    doubts: OpenDoubts,
) -> FileLayout:
    """Return a layout with the keys that its file completes, and add the doubts about lines that are not read."""
    unread = unread_counts(source, layout, doubts, reading.notes if reading is not None else ())
    unread += [*larger_than_total(source, layout, reading), *omitted_areas(source, layout, texts, doubts)]
    unread += labels_not_included(source, layout, reading, doubts) if not unread else []
    # Whether each row is one person is the first question.
    add = doubts.add_last if doubts.has("decimal records") else doubts.add_first
    add([*unread, *omitted_words(source, layout, doubts)])
    return replace(_completed(source, layout), counted=_counted(source, layout))


def _with_levels(
    source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading | None, doubts: OpenDoubts
) -> tuple[FileLayout, Reading | None]:
    """Return a layout with higher levels of hierarchies, and its reading.

    The levels answer the doubts about axes that another axis determines.
    """
    if reading is None or reading.table.cells > _MOST_CELLS:
        return layout, reading
    layout = with_levels(source, layout, reading)
    names = {column.heading for column in layout.of_role("level")}
    answered = {
        sentence
        for sentence, doubted in doubts.questions.items()
        if doubted.question == "determined" and doubted.facts["other"] in names
    }
    doubts.sentences[:] = [sentence for sentence in doubts.sentences if sentence not in answered]
    return layout, read(source, layout) if names else reading


def _with_absent(layout: FileLayout, reading: Reading, how: ReadOptions, doubts: OpenDoubts) -> FileLayout:
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
    doubts = OpenDoubts()
    if texts:
        doubts.sentences.append(_doubt_on_texts(texts, place_of_text(source, layout, texts[0])))
        return Proposal(layout, None, tuple(doubts.sentences), texts)
    reading = read(source, layout)
    doubts.add_first(alarms(reading.table))
    return Proposal(layout, reading, tuple(doubts.sentences), (), doubts.questions)


def _new_doubts(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: OpenDoubts
) -> list[Doubt]:
    """Return the doubt by which columns people are counted, if no other doubt is about this."""
    records = None if layout is None else records_doubt(source, layout)
    is_known = any(one.question in PERSONS for one in doubts.questions.values())
    return [] if records is None or is_known else [records]


def records_doubt(source: str | bytes | PathLike[str], layout: FileLayout) -> Doubt | None:
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


def second_header(source: str | bytes | PathLike[str], layout: FileLayout) -> list[Doubt]:
    """Return the doubt whether the first row of a layout without counts is a line of questions."""
    if layout.of_role("count") or not layout.header or any(row.number == layout.first for row in layout.rows):
        return []
    file, _ = opened(source, layout)
    rows = file.sheet(layout.sheet or file.names()[0]).rows
    return second_header_doubts(
        list(itertools.islice(rows, layout.first - 1, layout.first + MOST_COMPARED)), layout.first
    )


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
    for _, cells in unread_numbers(source, layout):
        groups |= groups_of(cells)
    return replace(layout, thousands="".join(sorted(groups - {layout.decimal})))


def _counted(source: str | bytes | PathLike[str], layout: FileLayout) -> str:
    """Return the counted units of a file, which the format states, or which titles and headings name."""
    file, _ = opened(source, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    if sheet.contents or sheet.by:
        return counted_by_format([*sheet.contents, *sheet.above, sheet.count])
    counts = layout.of_role("count")
    names = [column.heading for column in counts] if len(counts) == 1 else []
    counted = counted_in(list(itertools.islice(sheet.rows, layout.first - 1)), names)
    return counted if counts or counted != UNKNOWN_UNITS else PEOPLE  # Without counts, each row is a person.


def _detected_table(
    source: str | bytes | PathLike[str], how: ReadOptions, doubts: OpenDoubts
) -> tuple[Reading | None, ReadOptions]:
    """Return what `detected_reading` does, without a reading if each row is a person."""
    reading, answered = detected_reading(partial(opened_with, source, how), how, doubts)
    if answered.count == ROWS and how.count != ROWS and _has_counts_with_texts(source, how):
        return None, how
    if answered.count == ROWS and how.count != ROWS:
        reading, answered = _with_column_of_counts(source, how, doubts, (reading, answered))
    return None if _are_records(source, how, doubts) else reading, answered


def _with_column_of_counts(
    source: str | bytes | PathLike[str],
    how: ReadOptions,
    doubts: OpenDoubts,
    by_rows: tuple[Reading | None, ReadOptions],
) -> tuple[Reading | None, ReadOptions]:
    """Return the reading of the column of counts that a doubt names and the structure has, else that of the rows."""
    names = [one.facts["column"] for one in doubts.questions.values() if one.question == "rows"]
    structure, _ = _structure(source, how)
    counts = [] if structure is None else [column.heading for column in structure.of_role("count")]
    if len(names) != 1 or names != counts:
        return by_rows
    more, chosen = OpenDoubts(), replace(by_rows[1], count=counts[0])
    reading, answered = detected_reading(partial(opened_with, source, how), chosen, more)
    doubts.add_last(list(more.questions.values()))
    return by_rows if reading is None else (reading, answered)


def _has_counts_with_texts(source: str | bytes | PathLike[str], how: ReadOptions) -> bool:
    """Return whether the structure of a file has columns of counts with some texts in place of counts."""
    structure, texts = _structure(source, how)
    return structure is not None and bool(texts) and bool(structure.of_role("count"))


def detected_reading(
    open_file: Callable[[], Format], how: ReadOptions, doubts: OpenDoubts
) -> tuple[Reading | None, ReadOptions]:
    """Return the reading of a file, and the options that answer its questions; the questions become doubts."""
    for _ in range(_MOST_QUESTIONS):
        try:
            return read_file(open_file(), how, None), how
        except InputError as error:
            answered = _answered(how, error)
            if str(error) in doubts.sentences:
                break
            if isinstance(error, RepeatedLabel):
                statement = str(error).partition("; ")[0]
                doubts.add_last([doubt("repeated", choice_of("doubts"), error=statement)])
                break
            if isinstance(getattr(error, "reason", error), BlankLabel):
                statement = str(error).partition("; ")[0]
                doubts.add_last([doubt("blank label", choice_of("doubts"), error=statement)])
                break
            doubts.sentences.append(str(error))
            if isinstance(getattr(error, "doubt", None), Doubt):
                doubts.questions[str(error)] = error.doubt  # type: ignore[attr-defined]
            listed_together = (*SUMS, *HIDDEN)
            doubts.add_last([one for one in getattr(error, "others", ()) if one.question in listed_together])
            if answered is None:
                break
            how = answered
    return None, how


def _with_added_rows(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: OpenDoubts
) -> FileLayout | None:
    """Return a layout that adds the counts of rows with the same label, if a doubt is about such rows.

    In such a table, the first column contains labels, and the others numbers. If this layout reads no table, the layout
    of the structure remains.
    """
    if layout is None or not any(one.question == "repeated" for one in doubts.questions.values()):
        return layout
    file, _ = opened(source, layout)
    rows = list(itertools.islice(file.sheet(layout.sheet or file.names()[0]).rows, layout.first - 1, None))
    columns = [column for column in layout.columns if column.heading]
    numbers = [
        c for c in columns if all(c.number <= len(row) and is_number(row[c.number - 1]) for row in rows)
    ]
    labels = [replace(column, role="label", of=0) for column in columns if column not in numbers]
    counts = [LayoutColumn(column.number, "count", column.heading) for column in numbers]
    if [column.number for column in labels] != [1]:
        return layout
    headings = (LayoutHeading("Column", layout.header),) if len(counts) > 1 else ()
    with suppress(InputError):
        added = replace(layout, columns=(*labels, *counts), headings=headings, repeated="sum")
        read(source, added)
        return added if counts else layout
    return layout


def _unfinished(
    source: str | bytes | PathLike[str],
    file: Format,
    how: ReadOptions,
    doubts: OpenDoubts,
) -> tuple[FileLayout | None, tuple[str, ...]]:
    """Return a layout of a file that the reader rejects, None if it is not a table, and the texts without a meaning."""
    filled = FilledFile(opened(source, encoding=how.encoding)[0])
    more = OpenDoubts(questions=doubts.questions)
    if how.flags == "ask":
        how = replace(how, flags="off")  # the question on flags is a doubt already
    reading, answered = detected_reading(
        lambda: FilledFile(opened(source, encoding=how.encoding)[0]), how, more
    )
    _remove_unknown_differences(source, how, more)
    structure, texts = _structure(source, how)
    is_readable = structure is not None and reads_with_texts(source, structure, texts)
    is_other = is_readable or _are_records(source, how, doubts)
    layout = (
        None if reading is None or is_other else layout_of_reading(source, file, reading, answered, filled)
    )
    if layout is not None:
        # If all rows of a label are skipped, the label is not a category.
        columns = tuple(
            replace(column, categories=()) if column.role == "label" else column for column in layout.columns
        )
        layout, texts = replace(layout, columns=columns, texts={}), tuple(filled.texts)
    elif structure is None:
        return None, ()
    elif not is_readable:
        if texts and structure.of_role("count"):
            place = place_of_text(source, structure, texts[0])
            doubts.sentences.append(_doubt_on_texts(texts, place))
        return structure, texts
    else:
        layout = structure
    if reading is not None:
        filled.sheet(layout.sheet or filled.names()[0])  # notes the texts in place of counts
    # If the texts have a meaning, the file is read, so that the error of the reader concerns one of the texts.
    if filled.texts:
        doubts.replace_last(_doubt_on_texts(filled.texts, filled.first))
    elif texts:
        doubts.sentences.append(_doubt_on_texts(texts, place_of_text(source, layout, texts[0])))
    # The sentence on the texts stays the last doubt.
    doubts.sentences[:0] = [doubt for doubt in more.sentences if doubt not in doubts.sentences]
    return layout, texts


def _remove_unknown_differences(
    source: str | bytes | PathLike[str], how: ReadOptions, doubts: OpenDoubts
) -> None:
    """Remove the doubt about wrong totals if unknown counts account for the differences.

    The file is read with 1 in place of each text. If a total or its sum changes, it contains an unknown count.
    """
    questions = {
        sentence: asked for sentence, asked in doubts.questions.items() if asked.question == "wrong total"
    }
    for sentence in [sentence for sentence in doubts.sentences if sentence in questions]:
        more = OpenDoubts()
        reading, _ = detected_reading(
            lambda: FilledFile(opened(source, encoding=how.encoding)[0], fill=1), how, more
        )
        again = [asked for asked in more.questions.values() if asked.question == "wrong total"]
        changed = _differences(again[0]) if again else {}
        if (reading is not None or again) and all(
            _is_of_unknown(pair, changed.get(line))
            for line, pair in _differences(questions[sentence]).items()
        ):
            doubts.sentences.remove(sentence)


def _differences(asked: Doubt) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return each wrong total of a doubt and the sum of its parts, by their position."""
    differences = asked.facts["differences"]
    assert isinstance(differences, dict)
    return differences


def _is_of_unknown(before: tuple[int, int], after: tuple[int, int] | None) -> bool:
    """Return whether an unknown count can be the difference of a total and a sum, which change if it is 1."""
    total, summed = before
    return after is None or after[0] != total or (after[1] != summed and total > summed)


def _structure(
    source: str | bytes | PathLike[str], how: ReadOptions
) -> tuple[FileLayout | None, tuple[str, ...]]:
    """Return the layout of the structure alone, if there is one, and the texts in place of its counts."""
    with suppress(InputError):
        layout = first_layout(source, how.encoding, how.sheet)
        return layout, texts_in_counts(source, layout)
    return None, ()


def reads_with_texts(source: str | bytes | PathLike[str], layout: FileLayout, texts: Sequence[str]) -> bool:
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


def _are_records(source: str | bytes | PathLike[str], how: ReadOptions, doubts: OpenDoubts) -> bool:
    """Return whether each row of a file is a person by its structure, and a doubt is about its lines or axes."""
    is_doubtful = any(one.question in OF_LINES for one in doubts.questions.values())
    return is_doubtful and not how.by and has_no_counts(source, how)


def has_no_counts(source: str | bytes | PathLike[str], how: ReadOptions) -> bool:
    """Return whether each row of a file is a person, by its structure."""
    structure = _structure(source, how)[0]
    return structure is not None and not structure.of_role("count")


def opened_with(source: str | bytes | PathLike[str], how: ReadOptions) -> Format:
    """Return a file in the encoding of the options."""
    return opened(source, encoding=how.encoding)[0]


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
        options = _values_in_order(choice, doubt)
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


def _values_in_order(choice: Choice, doubt: object) -> list[str]:
    """Return the values of a choice; for rows with the same labels, a single column of counts is first."""
    values = [value for value in choice.options if value]
    is_twice = isinstance(doubt, Doubt) and doubt.question == "twice" and choice.name == "count"
    columns = [value for value in values if value != ROWS]
    return [*columns, ROWS] if is_twice and len(columns) == 1 else values


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


def _read_or_ask(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: OpenDoubts
) -> Reading | None:
    """Return the reading of a layout; if only decimals prevent it, replace the last doubt by a doubt on decimals.

    Decimals of a file that may have one row per person are weights or quantities, and no counts.
    """
    reading = _read_without_alarms(source, layout) or _read_with_doubts(source, layout, doubts)
    may_be_people = any(one.question == "persons" for one in doubts.questions.values())
    is_asked = reading is None and layout is not None and not may_be_people
    decimals = _doubt_on_decimals(source, layout) if is_asked and layout is not None else None
    if decimals is not None:
        doubts.replace_last(decimals.sentence, decimals)
        if decimals.question == "decimal records":
            doubts.remove("decimals")  # Its answers omit or read the column of decimals.
    return reading


def _read_with_doubts(
    source: str | bytes | PathLike[str], layout: FileLayout | None, doubts: OpenDoubts
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
    rows = list(itertools.islice(file.sheet(layout.sheet or file.names()[0]).rows, layout.first - 1, None))
    columns = [column.number - 1 for column in layout.of_role("count")]
    cells = (row[j] for row in rows for j in columns if j < len(row))
    number = next((cell for cell in cells if is_number(cell) and isinstance(count_in(cell), str)), None)
    if number is None:
        return None
    text = label_of(number).strip()
    identifier, categories = _columns_of_records(rows, layout)
    if not identifier or not categories:
        return doubt("decimal counts", choice_of("decimals"), number=text)
    names = dict.fromkeys(column.heading for column in layout.columns if column.heading)
    by, count = by_and_count(names, counts=())
    choices = (choice_of("decimals"), by, count)
    return doubt("decimal records", *choices, number=text, first=quoted(identifier), by=categories)


def _columns_of_records(rows: Sequence[Sequence[object]], layout: FileLayout) -> tuple[str, tuple[str, ...]]:
    """Return the column that identifies the rows, "" if there is none, and the columns with few labels.

    A column of a table can also have another label in each row. Therefore, the other answers remain.
    """
    if len(rows) < _LEAST_RECORDS:
        return "", ()
    identifier, categories = "", list[str]()
    counts = [column.number for column in layout.of_role("count")]
    for column in sorted(layout.columns, key=lambda column: column.number):
        if not column.heading or column.number in counts:
            continue
        cells = [
            label_of(row[column.number - 1]).strip() if column.number <= len(row) else "" for row in rows
        ]
        labels = set(cells)
        if len(labels) == len(rows):
            identifier = identifier or column.heading
        elif 1 < len(labels - {""}) <= _MOST_CATEGORIES:
            categories.append(column.heading)
    return identifier, tuple(categories)


def _reads(source: str | bytes | PathLike[str], layout: FileLayout) -> bool:
    """Return whether a layout reads a file."""
    with suppress(InputError):
        read(source, layout)
        return True
    return False
