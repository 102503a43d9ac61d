"""Layouts on the command line: read FILE with one, print the proposed one, and show FILE where a doubt stops."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import shortened
from sdcwidgets.cli._parser import READING, Parser

if TYPE_CHECKING:
    from sdcwidgets.tables.io.decisions import Place
    from sdcwidgets.tables.io.layouts import FileLayout
    from sdcwidgets.tables.io.options import Question, Reading, ReadOptions
    from sdcwidgets.tables.io.proposals import Proposal
    from sdcwidgets.tables.io.samples import LineSample
    from sdcwidgets.tables.io.sources import Source

#: Number of rows of a preview at the start and at the end of a file, and its width in characters.
FIRST_ROWS, LAST_ROWS, WIDTH = 12, 4, 100

#: Maximum length of a cell in a preview.
_LONGEST_CELL = 24

#: The name of a row in a preview, and the texts of its cells.
_Line = tuple[str, Sequence[str]]


def add_layouts(parser: Parser) -> None:
    """Add `--layout` and `--show-layout`."""
    group = parser.group(READING)
    group.add_argument(
        "--layout",
        metavar="FILE",
        help="layout file (TOML) that states how the table is read (default: detected)",
    )
    group.add_argument(
        "--show-layout", action="store_true", help="print the detected layout as a layout file, and stop"
    )


def print_layout(options: argparse.Namespace, choices: Mapping[str, Any]) -> int:
    """Print the proposed layout of FILE as TOML, with its doubts as comments."""
    from sdcwidgets.tables.io.options import ReadOptions, with_flags
    from sdcwidgets.tables.io.samples import sample_of
    from sdcwidgets.tables.io.sources import named

    files = getattr(options, "files", None) or [options.file]
    if len(files) > 1:
        raise InputError("--show-layout prints the layout of one FILE; give one.")
    if choices.get("first_line") == "bare":
        raise InputError(
            "A layout needs a column of labels, so no layout states --first-line bare; add labels to the file, or read "
            "it without a layout."
        )
    content = _content(named(files[0]))
    sample = sample_of(content)
    proposal = _proposal(content, sample, ReadOptions(**choices))
    sentences = [_in_file(with_flags(doubt), sample) for doubt in proposal.doubts]
    if proposal.layout is None or (
        proposal.reading is None
        and _has_only_single_rows(content if sample is None else sample.content, proposal.layout)
    ):
        raise InputError(
            sentences[-1]
            if sentences
            else f"No layout file can describe how {shortened(files[0])} is read. Read the "
            "file without a layout."
        )
    if sample is not None:
        print(f"# The layout was proposed from {sample.words}. Reading FILE with it checks all lines.")
    for sentence in sentences:
        print(f"# Doubt: {sentence}")
    layout = proposal.layout if sample is None else sample.layout_of_text(proposal.layout)
    print(layout.to_toml(), end="")
    if proposal.reading is not None:
        where = "" if sample is None else f"In {sample.words}: "
        print(f"{where}{proposal.reading.summary}", file=sys.stderr)
    else:
        print(
            "Correct the layout before you read FILE with --layout; its doubts are comments.", file=sys.stderr
        )
    return 0


def _proposal(content: bytes, sample: LineSample | None, how: ReadOptions) -> Proposal:
    """Return the proposal for a file, or for a sample of its lines."""
    from sdcwidgets.tables.io.proposals import proposal_of_sample, propose_layout

    return propose_layout(content, how) if sample is None else proposal_of_sample(content, sample, how)


def _in_file(sentence: str, sample: LineSample | None) -> str:
    """Return a sentence with the numbers of the lines of the file."""
    return sentence if sample is None else sample.sentence_of_text(sentence)


def _has_only_single_rows(content: bytes, layout: FileLayout) -> bool:
    """Return whether a layout without a column of counts reads at most one row per cell, so that it is not a table."""
    from sdcwidgets.tables.io.layout_reader import read

    if layout.of_role("count"):
        return False
    with suppress(InputError):
        return int(read(content, layout).table.counts.max()) < 2
    return False


def read_with_layout(source: Source, layout: str, choices: Mapping[str, Any]) -> Reading:
    """Read a file with the layout in a TOML file."""
    from sdcwidgets.tables.io.proposed_questions import layout_of, read_as_stated

    if choices:
        flags = ", ".join("--yes" if name == "doubts" else f"--{name.replace('_', '-')}" for name in choices)
        raise InputError(f"--layout states how FILE is read; remove {flags}, or change the layout.")
    return read_as_stated(_content(source), layout_of(layout))


def as_proposed(source: Source, choices: Mapping[str, Any]) -> Reading | None:
    """Return the reading of the proposed layout if options accept it; None without a doubt or a layout."""
    from sdcwidgets.tables.io.options import ReadOptions
    from sdcwidgets.tables.io.proposed_questions import accepted_reading

    content = getattr(source, "content", None)
    is_accepted = choices.get("doubts") == "accept" or "decimals" in choices
    if not is_accepted or not isinstance(content, bytes):
        return None
    return accepted_reading(content, ReadOptions(**choices))


def table_question(source: Source, choices: Mapping[str, Any], question: Question) -> Question:
    """Return the question on the proposed layout if it reads a table, or the question of the reader."""
    from sdcwidgets.tables.io.options import ReadOptions
    from sdcwidgets.tables.io.proposed_questions import question_on_table

    content = getattr(source, "content", None)
    if not isinstance(content, bytes):
        return question
    return question_on_table(content, ReadOptions(**choices), question) or question


def assumed(source: Source, choices: Mapping[str, Any], reading: Reading) -> Reading:
    """Return a reading with its higher levels, and with its assumptions if options answer a question about its file."""
    from sdcwidgets.tables.io.options import ReadOptions
    from sdcwidgets.tables.io.proposed_questions import with_assumptions

    content = getattr(source, "content", None)
    if not isinstance(content, bytes):
        return reading
    return with_assumptions(content, ReadOptions(**choices), reading)


def accepted(source: Source, choices: Mapping[str, Any], error: InputError) -> Reading:
    """Return the reading of the proposed layout, with its doubts as notes.

    Raise the error if the source is not a file, and the last doubt if the layout reads no table.
    """
    from sdcwidgets.tables.io.options import ReadOptions
    from sdcwidgets.tables.io.proposals import propose_layout
    from sdcwidgets.tables.io.proposed_questions import may_accept, proposed_assumptions

    if not hasattr(source, "content"):
        raise error
    how = ReadOptions(**choices)
    proposal = propose_layout(source.content, how)
    if proposal.reading is None:
        raise InputError(proposal.doubts[-1])
    if not may_accept(proposal, how):
        raise error
    notes = (*proposal.doubts, *proposal.reading.notes)
    return replace(proposal.reading, notes=notes, assumptions=proposed_assumptions(source.content, proposal))


class DoubtfulLayout(InputError):
    """Error about a file whose layout is doubtful, with lines that are printed below the message.

    Attributes
    ----------
    preview : sequence of str
        Lines of the file, and how to state a layout.
    """

    def __init__(self, sentence: str, preview: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.preview = preview


def lines_of_preview(
    source: Source, choices: Mapping[str, Any], file: str, question: str = "", ways: Sequence[str] = ()
) -> list[str]:
    """Return the first and last rows of a file with the roles of its columns and its doubts, and how to read it.

    Parameters
    ----------
    source : Source
    choices : mapping
        Options of the command line.
    file : str
    question : str, optional
        Statement of the doubt that the message names.
    ways : sequence of str, optional
        Options that read the file, each with the table.
    """
    from sdcwidgets.tables.io.options import ReadOptions
    from sdcwidgets.tables.io.proposed_questions import proposed_assumptions
    from sdcwidgets.tables.io.samples import sample_of

    if not hasattr(source, "content"):
        return []
    how = ReadOptions(**choices)
    sample = sample_of(source.content)
    part = source.content if sample is None else sample.content
    proposal = _proposal(source.content, sample, how)
    answers = [f"To read {shortened(file)}, add one of these answers:", *ways] if ways else []
    if proposal.layout is None or not (proposal.layout.of_role("count") or ways):
        return answers
    doubts = _placed_doubts(source.content, how, proposal)
    lines = [*preview(part, proposal.layout, sample, doubts)]
    others = [text for _, text in _doubts_of(doubts, "file") if text.rstrip(".") not in question]
    lines += [f"Another decision: {text}" for text in others]
    if not _is_readable(part, proposal.layout, proposal.texts):
        return [*lines, *answers]
    assumptions = [f"- {one.sentence}" for one in proposed_assumptions(part, proposal)]
    correction = (
        f"add {_example_of_texts(proposal.texts)} to table.toml" if proposal.texts else "correct table.toml"
    )
    by_layout = (
        f"To state how {shortened(file)} is read: add --show-layout > table.toml, {correction}, and pass "
        "--layout table.toml."
    )
    has_layout = proposal.reading is not None or proposal.texts
    return [
        *lines,
        *(["The proposed layout also assumes:"] if assumptions else []),
        *assumptions,
        *answers,
        *([by_layout] if has_layout else []),
    ]


def _example_of_texts(texts: Sequence[str]) -> str:
    """Return a line of a layout that states a meaning of each text in place of a count.

    Examples
    --------
    >>> _example_of_texts(["-", "c"])
    'texts = { "-" = "zero", "c" = "unknown" }'
    """
    from sdcwidgets.tables.io.layout.cells import is_dash

    meanings = {text: "zero" if not text or is_dash(text) else "unknown" for text in texts}
    pairs = (f'{json.dumps(text, ensure_ascii=False)} = "{meaning}"' for text, meaning in meanings.items())
    return f"texts = {{ {', '.join(pairs)} }}"


def _placed_doubts(content: bytes, how: ReadOptions, proposal: Proposal) -> dict[Place, list[str]]:
    """Return the doubts about a file with a proposed layout, by their places."""
    from sdcwidgets.tables.io.previews import FilePreview

    placed: dict[Place, list[str]] = {}
    with suppress(InputError):
        for decision in FilePreview(content, how, proposal=proposal).decisions():
            is_answered = any("confirmed" not in answer.change for answer in decision.answers)
            # The question itself asks for the columns to count by.
            if decision.place[0] != "file" or (is_answered and not decision.several):
                placed.setdefault(decision.place, []).append(decision.text)
    return placed


def _is_readable(content: bytes, layout: FileLayout, texts: Sequence[str]) -> bool:
    """Return whether a layout reads counts, once texts and decimals in place of counts have a meaning."""
    from sdcwidgets.tables.io.layout_reader import read

    try:
        read(content, replace(layout, texts={**layout.texts, **dict.fromkeys(texts, "zero")}, rounded=True))
    except InputError:
        return False
    return bool(layout.of_role("count"))


def preview(
    content: bytes,
    layout: FileLayout,
    sample: LineSample | None = None,
    doubts: Mapping[Place, Sequence[str]] | None = None,
) -> Iterator[str]:
    """Yield the first and last rows of a file as text, below the roles of its columns.

    Parameters
    ----------
    content : bytes
        Content of a file, or of a sample of its lines.
    layout : FileLayout
    sample : LineSample, optional
    doubts : mapping, optional
        Doubts about columns and rows, which are printed below the roles and below the row.
    """
    from sdcwidgets.tables.io.layout.cells import label_of
    from sdcwidgets.tables.io.layout_reader import opened

    file, _ = opened(content, layout)
    rows = enumerate(file.sheet(layout.sheet or file.names()[0]).rows, start=1)
    first = list(itertools.islice(rows, FIRST_ROWS))
    last = list(deque(rows, maxlen=LAST_ROWS))
    if sample is not None:
        last = [(sample.number_in_text(number), row) for number, row in last]
        layout = sample.layout_of_text(layout)
    width = max((len(row) for _, row in (*first, *last)), default=0)
    lines: list[_Line] = [("", _roles_of_columns(layout, width))]
    below = {0: [f"column {place[1]}: {text}" for place, text in _doubts_of(doubts, "column")]}
    names = _names_of_rows(layout)
    left_out = {label: column.number - 1 for column in layout.columns for label in column.left_out}
    for number, row in (*first, *last):
        if last and number == last[0][0] > first[-1][0] + 1:
            lines.append(("...", []))
        below[len(lines)] = [text for place, text in _doubts_of(doubts, "row") if place[1] == number]
        texts = [label_of(cell).strip() for cell in row]
        is_out = any(left_out.get(text) == j for j, text in enumerate(texts))
        lines.append((names.get(number) or ("not read" if is_out else str(number)), texts))
    for k, line in enumerate(_aligned(lines, width)):
        yield line
        yield from (f"{'^':>{max(len(name) for name, _ in lines)}} {text}" for text in below.get(k, ()))


def _doubts_of(doubts: Mapping[Place, Sequence[str]] | None, kind: str) -> list[tuple[Place, str]]:
    """Return the doubts about the columns or rows, with their places."""
    return [(place, text) for place, texts in (doubts or {}).items() for text in texts if place[0] == kind]


def _roles_of_columns(layout: FileLayout, shown: int) -> list[str]:
    """Return the role of each column, "" where the layout states none."""
    roles = {column.number: column.role for column in layout.columns}
    return [roles.get(number, "") for number in range(1, shown + 1)]


def _names_of_rows(layout: FileLayout) -> dict[int, str]:
    """Return the role of each row that differs from the others."""
    names = {row.number: row.role for row in layout.rows}
    names |= {heading.row: "heading" for heading in layout.headings}
    names[layout.header] = "heading"
    return names


def _aligned(lines: Sequence[_Line], shown: int) -> Iterator[str]:
    """Yield each line as text with aligned cells."""
    widths = [
        min(max((len(texts[j]) for _, texts in lines if j < len(texts)), default=0), _LONGEST_CELL)
        for j in range(shown)
    ]
    before = max(len(name) for name, _ in lines)
    for name, texts in lines:
        cells = [text[:width].ljust(width) for text, width in zip(texts, widths, strict=False)]
        yield " | ".join([name.rjust(before), *cells])[:WIDTH].rstrip()


def _content(source: Source) -> bytes:
    """Return the content of a file; raise InputError for any other source."""
    content = getattr(source, "content", None)
    if not isinstance(content, bytes):
        raise InputError(f"{source.title} is not a file, so it has no layout; give a file.")
    return content
