"""Questions about a file whose reading is doubtful, each with the layout that is proposed for the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.tables.io.assumptions import Assumption, assumptions_of, assumptions_of_table
from sdcwidgets.tables.io.formats.base import file_bytes
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layout_release import read_for_release
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.open_doubts import OpenDoubts
from sdcwidgets.tables.io.options import (
    Choice,
    NoWorkbook,
    Question,
    Reading,
    ReadOptions,
    Remark,
    RemarkOnColumns,
    choice_of,
)
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.proposals import (
    MOST_PROPOSED,
    OF_DECIMALS,
    OF_LINES,
    TWICE,
    Proposal,
    detected_reading,
    has_no_counts,
    opened_with,
    propose_layout,
    reads_with_texts,
    records_doubt,
)
from sdcwidgets.tables.io.questions import Doubt, doubt

#: Maximum number of answers to a question that are followed in search of a table.
_MOST_ANSWERS = 6


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
    r"""Return a reading with its higher levels, and with its assumptions if options answer a question about its file.

    Parameters
    ----------
    source : str, bytes or path
    how : ReadOptions
        The options with which the file was read.
    reading : Reading

    Examples
    --------
    >>> from sdcwidgets.tables.io.layout_reader import opened
    >>> from sdcwidgets.tables.io.reading import read_file
    >>> text = "Area;Residents;Commuters;All\nBath;31;12;43\nHull;44;9;54\n"
    >>> how = ReadOptions(margins="drop")
    >>> [one.kind for one in with_assumptions(text, how, read_file(opened(text)[0], how, None)).assumptions]
    ['lines', 'added', 'people', 'totals']
    """
    reading = _with_levels(source, how, reading)
    if not _ANSWERS & how.changed().keys() or reading.assumptions:
        return reading
    with suppress(InputError):
        if not _is_large(source):
            proposal = propose_layout(source, how)
            layout, proposed = proposal.layout, proposal.reading
            if layout is not None and proposed is not None and proposed.table == reading.table:
                return replace(reading, assumptions=assumptions_of(source, layout, reading))
    return replace(reading, assumptions=assumptions_of_table(reading))


def _with_levels(source: str | bytes | PathLike[str], how: ReadOptions, reading: Reading) -> Reading:
    """Return a reading with the sub-totals of unread columns that are higher levels, such as provinces of areas.

    A release of the table without these sub-totals is safe only if nobody publishes them.
    """
    is_omitted = any(isinstance(note, RemarkOnColumns) for note in reading.notes)
    if is_omitted and not reading.sub_totals and not _is_large(source):
        with suppress(InputError):
            proposed = propose_layout(source, how).reading
            if proposed is not None and proposed.sub_totals and proposed.table == reading.table:
                notes = [note for note in proposed.notes if not isinstance(note, Remark)]
                return replace(
                    reading,
                    notes=tuple(dict.fromkeys((*reading.notes, *notes))),
                    levels=proposed.levels,
                    sub_totals=proposed.sub_totals,
                )
    return reading


def _is_large(source: str | bytes | PathLike[str]) -> bool:
    """Return whether no layout is proposed for a source, because it is large."""
    if isinstance(source, bytes | bytearray) or (isinstance(source, str) and "\n" in source):
        return len(source) > MOST_PROPOSED
    with suppress(OSError):
        return Path(source).stat().st_size > MOST_PROPOSED
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
        None if the file leads to no doubt and has no higher levels, if no layout reads it, if people would be counted
        twice, or if the file is large.

    Examples
    --------
    >>> text = "Job;Clerks;Nurses;Cooks\nArea;;;\nA;31;44;57\nB;52;61;70\nC;78;35;29\n"
    >>> accepted_reading(text, ReadOptions()).notes[-1]
    'The layout reads labels from "Job" and counts from "Clerks", "Nurses" and "Cooks".'
    """
    if isinstance(source, bytes) and len(source) > MOST_PROPOSED:
        return None
    try:
        proposal = propose_layout(source, replace(how, doubts="ask"))
    except InputError:
        return None
    if proposal.layout is None or proposal.reading is None:
        return None
    if how.decimals != "ask" and how.doubts != "accept" and proposal.doubts:
        raise _with_proposal(_open_question(proposal), source, proposal)
    if how.decimals == "ask" and not proposal.doubts and not proposal.layout.of_role("level"):
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
    if isinstance(error, NoWorkbook) or (isinstance(source, bytes) and len(source) > MOST_PROPOSED):
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
    records = None if how.by else records_doubt(source, proposal.layout)
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
    for doubted in ([last] if last is not None and last.question in OF_DECIMALS else omitted)[:1]:
        question = ProposedReading(doubted.sentence, proposal, str(error), *doubted.choices)
        question.doubt = doubted
        return question
    return None


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
    if how.by or (isinstance(source, bytes) and len(source) > MOST_PROPOSED):
        return None
    if isinstance(question.doubt, Doubt) and question.doubt.question == "people":
        return _table_in_place_of_people(source, how, question)
    statement = question.doubt.statement if isinstance(question.doubt, Doubt) else str(question)
    if isinstance(question.doubt, Doubt) and question.doubt.question in OF_LINES:
        about = question_on(source, how, InputError(statement)) if has_no_counts(source, how) else None
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
    if proposed.proposal.texts and not reads_with_texts(source, layout, proposed.proposal.texts):
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
            if (
                detected_reading(partial(opened_with, source, answered), answered, OpenDoubts())[0]
                is not None
            ):
                return True
    return False


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
