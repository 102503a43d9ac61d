"""A preview of a file: some of its lines with the role of each column and line, and the table that is read."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import crossed_labels, quoted
from sdcwidgets.tables.io.encodings import CHOICES
from sdcwidgets.tables.io.formats.aligned import ALIGNED
from sdcwidgets.tables.io.formats.base import of
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.layout_draft import (
    BLANKS,
    MOST_TEXTS,
    SETTINGS,
    LayoutDraft,
    columns_with_blanks,
    file_rows,
    first_layout,
    texts_in_counts,
)
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import Reading, ReadOptions, with_controls
from sdcwidgets.tables.io.plausibility import alarms
from sdcwidgets.tables.io.proposals import propose_layout

#: Number of first and of last columns that are shown.
FIRST_COLUMNS, LAST_COLUMNS = 24, 4

#: Maximum size of the part of a text from which a layout is proposed, in bytes.
LARGEST_PROPOSED = 2**19

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

#: Maximum number of characters of a cell that are shown.
_MOST_CHARACTERS = 60

#: Maximum number of columns of labels whose codes and levels are offered.
_MOST_OWNERS = 6

_COLUMN_WORDS = {
    "label": "Labels",
    "count": "Counts",
    "total": "Total, omitted by the import",
    "weight": "Weights",
    "other": "Not read",
}

_ROW_WORDS = {
    "count": "Counts",
    "header": "Headings",
    "join": "Headings, joined with the next line",
    "block": "Heading of the rows below",
    "total": "Total, omitted by the import",
    "other": "Not read",
    "skip": "Not read, as all lines up to the next heading of lines",
}

#: Beginning of the name of a setting that states the meaning of a text in place of a count.
_MEANING = "meaning:"

#: Beginning of the name of a setting that states what a blank in a column of labels means.
_BLANKS = "blanks:"

#: Name of the setting that states whether the headings of columns are one axis or several.
_SPLIT = "split"

_DELIMITERS = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "vertical bar",
    " ": "blank",
    ALIGNED: "columns aligned by blanks",
}

_SETTING_WORDS = {
    "sheet": "Sheet",
    "encoding": "Encoding",
    "delimiter": "Delimiter",
    "unit": "Number of people of a count of 1",
    "thousands": "Thousands separator",
    "decimal": "Decimal mark",
    "rounded": "Counts with decimals",
    "repeated": "Lines with the same labels",
}


class FilePreview:
    r"""The lines of a file, and a layout that a person changes.

    Parameters
    ----------
    content : bytes
    how : ReadOptions, optional
        Options of the reader that are decided.
    limit : int, optional
        Maximum number of cells of the table.
    layout : FileLayout, optional
        Layout to begin with (default: the proposed one).

    Attributes
    ----------
    reading : Reading or None
        Table that is read with the layout, or None if it cannot be read.
    problem : str
        Why it cannot be read.

    Raises
    ------
    InputError
        If the file has no lines that could be a table.

    Examples
    --------
    >>> preview = FilePreview(b"Area,Code,n\nBath,10,302\nHull,20,199\n")
    >>> preview.change({"column": 2, "role": "other"})
    >>> preview.reading.summary
    '501 people in 2 cells: Area (2).'
    """

    def __init__(
        self,
        content: bytes,
        how: ReadOptions | None = None,
        limit: int | None = None,
        layout: FileLayout | None = None,
    ) -> None:
        self._content, self._limit = content, limit
        self._doubts: tuple[str, ...] = ()
        if layout is None:
            part = _part(content)
            proposal = propose_layout(part, how)
            if proposal.layout is None:
                raise InputError("The file has no table, because no row has two filled cells.")
            layout = proposal.layout
            if len(part) < len(content):
                layout = _with_any_labels(layout)
            self._doubts = tuple(with_controls(doubt) for doubt in proposal.doubts)
        self._draft = LayoutDraft(layout)
        self._rows = file_rows(content, layout)
        self.reading: Reading | None = None
        self.problem = ""
        self._read()
        # Doubts about the table are shown at their places.
        placed = [statement.removesuffix(".") for _, statement in self._alarms()]
        self._doubts = tuple(doubt for doubt in self._doubts if not doubt.startswith(tuple(placed)))

    def layout(self) -> FileLayout:
        """Return the layout as it is now."""
        return self._draft.layout()

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Doubts about the file and about the table as it is read now; one sentence each."""
        asked = (f"{doubt.partition(': choose')[0].rstrip('.')}." for doubt in self._doubts)
        return tuple(dict.fromkeys([*(statement for _, statement in self._alarms()), *asked]))

    def change(self, message: Mapping[str, object]) -> None:
        """Change the role of a column or a row, or a setting.

        Raises
        ------
        InputError
            If the message is none of the offered changes.
        """
        column, row, value = message.get("column"), message.get("row"), str(message.get("role"))
        if type(column) is int and 1 <= column <= self._rows.width and value in dict(self._column_options()):
            self._draft.set_column(column, value, self._rows)
        elif type(row) is int and row in self._rows.rows and value in dict(self._row_options()):
            self._draft.set_row(row, value, self._rows)
        else:
            self._set(str(message.get("name")), str(message.get("value")))
        self._read()

    def _set(self, name: str, value: str) -> None:
        offered = {setting["name"]: setting for setting in self._settings()}
        if name not in offered or value not in [option for option, _ in offered[name]["options"]]:
            raise InputError("The answer is not one of the options; choose one of the options.")
        if name.startswith(_MEANING):
            self._draft.set_meaning(name.removeprefix(_MEANING), value)
            return
        if name.startswith(_BLANKS):
            self._draft.set_blanks(int(name.removeprefix(_BLANKS)), value)
            return
        if name == _SPLIT:
            self._draft.set_split(value == "several")
            return
        if name.startswith(_SPLIT):
            self._draft.set_split_of_column(int(name.removeprefix(f"{_SPLIT}:")), value == "several")
            return
        if name in ("sheet", "delimiter"):
            self._propose_again(name, value)
            return
        if name == "encoding":
            self._rows = file_rows(self._content, replace(self._draft.layout(), encoding=value))
            self._draft.set_encoding(value)
            return
        if name == "unit":
            self._draft.set(name, int(value))
        else:
            self._draft.set(name, value == "True" if name == "rounded" else value)

    def _propose_again(self, name: str, value: str) -> None:
        """Propose a layout of another sheet, or of the cells that another delimiter gives."""
        chosen = {key: str(self._draft[key]) for key in ("encoding", "sheet", "delimiter")} | {name: value}
        if not self._rows.text:
            chosen["encoding"] = chosen["delimiter"] = ""
        layout = first_layout(self._content, **chosen)
        self._draft, self._doubts = LayoutDraft(layout), ()
        self._rows = file_rows(self._content, layout)

    def _read(self) -> None:
        """Read the file with the layout, or keep the reason why it cannot be read."""
        self.reading, self.problem = None, ""
        self._texts, self._blank = tuple(self._draft["texts"]), tuple[int, ...]()
        try:
            layout = self._draft.layout()
            try:
                self.reading = read(self._content, layout, limit=self._limit)
            except InputError:
                texts = dict.fromkeys((*self._texts, *texts_in_counts(self._content, layout)))
                self._texts = tuple(texts)[:MOST_TEXTS]
                self._blank = columns_with_blanks(self._content, layout)
                raise
        except InputError as error:
            self.problem = str(error)

    def shown(self) -> dict[str, object]:
        """Return what a page shows: only the cut lines, so that a large file is fast."""
        rows, draft = self._rows, self._draft
        columns = _shown_columns(rows.width)
        doubts = self._placed_doubts()
        return {
            "columns": [
                {
                    "number": number,
                    "heading": _cut(draft.heading(number, rows)),
                    "role": draft.role_of_column(number),
                    "doubts": doubts.get(("column", number), []),
                }
                for number in columns
            ],
            "rows": [
                {
                    "number": number,
                    "role": draft.role_of_row(number, rows),
                    "cells": [
                        _cut(label_of(cells[column - 1]) if column <= len(cells) else "")
                        for column in columns
                    ],
                    "doubts": doubts.get(("row", number), []),
                }
                for number, cells in rows.rows.items()
            ],
            "column_options": self._column_options(),
            "row_options": self._row_options(),
            "settings": self._settings(),
            "hidden_columns": rows.width - len(columns),
            "hidden_rows": rows.total - len(rows.rows),
            "doubts": doubts.get(("file", 0), []),
            "summary": self.reading.summary if self.reading else "",
            "problem": self.problem,
        }

    def _column_options(self) -> list[tuple[str, str]]:
        owners = [column for column in self._draft["columns"] if column.role == "label"][:_MOST_OWNERS]
        options = list(_COLUMN_WORDS.items())
        for role, words in (("code", "Code of"), ("level", "Higher level of the hierarchy of")):
            for owner in owners:
                options.append((f"{role}:{owner.number}", f"{words} {_name(owner)}"))
        return options

    def _row_options(self) -> list[tuple[str, str]]:
        owners = [column for column in self._draft["columns"] if column.role == "label"][:_MOST_OWNERS]
        words = "Not read, as all lines with this label of"
        omitted = [(f"omit:{owner.number}", f"{words} {_name(owner)}") for owner in owners if len(owners) > 1]
        return [*_ROW_WORDS.items(), *omitted]

    def _settings(self) -> list[dict[str, Any]]:
        """Return the settings that can be chosen for this file, each with its options."""
        draft, rows = self._draft, self._rows
        units = {str(unit): f"{unit:,} people" for unit in (10, 100, 1_000, 10_000, 1_000_000)}
        options: dict[str, dict[str, str]] = {
            "sheet": {name: name for name in rows.sheets} if len(rows.sheets) > 1 else {},
            "encoding": CHOICES if rows.text else {},
            "delimiter": _DELIMITERS if rows.text else {},
            "unit": {"1": "1 person"} | units,
            "thousands": {"": "none", ",": "comma", ".": "point", " ": "blank", "'": "apostrophe"},
            "decimal": {"": "none", ".": "point", ",": "comma"},
            "rounded": {"False": "are an error", "True": "are rounded"},
            "repeated": {"error": "are an error", "sum": "are summed"},
        }
        made = []
        for name in SETTINGS:
            chosen = str(draft[name])
            known = options[name]
            if known and chosen not in known:
                known = {chosen: chosen} | known
            if known:
                made.append(
                    {
                        "name": name,
                        "label": _SETTING_WORDS[name],
                        "options": list(known.items()),
                        "chosen": chosen,
                    }
                )
        made += [*self._settings_of_headings(), *self._settings_of_blanks()]
        for text in self._texts:
            made.append(
                {
                    "name": f"{_MEANING}{text}",
                    "label": f"Meaning of {quoted(text)}" if text else "Meaning of an empty cell",
                    "options": [
                        ("", "not stated"),
                        ("zero", "0"),
                        ("leave out", "the import omits the line"),
                    ],
                    "chosen": draft["texts"].get(text, ""),
                }
            )
        return made

    def _settings_of_headings(self) -> list[dict[str, Any]]:
        """Return the settings of the axes of headings and of labels that name several axes."""
        draft, settings = self._draft, list[dict[str, Any]]()
        parts = draft.parts_of_headings()
        if parts:
            settings.append(_setting_of_axes(_SPLIT, "Headings of columns", parts[0], draft.is_split))
        for column in draft["columns"]:
            parts = self._parts_of_labels(column)
            if parts or column.split:
                name, label = f"{_SPLIT}:{column.number}", f"Labels of {_name(column)}"
                settings.append(_setting_of_axes(name, label, parts[0] if parts else (), column.split))
        return settings

    def _parts_of_labels(self, column: LayoutColumn) -> list[tuple[str, ...]]:
        """Return the parts of the labels that are shown of a column, if they name several axes or are read so."""
        if column.role != "label":
            return []
        draft, rows = self._draft, self._rows
        numbers = [number for number in rows.rows if draft.role_of_row(number, rows) == "count"]
        labels = [draft.label(number, column, rows) for number in numbers]
        if self.reading is not None and not column.split:
            name = column.axis or column.heading
            labels = next((list(a.labels) for a in self.reading.table.axes if a.name == name), labels)
        return crossed_labels(labels)

    def _settings_of_blanks(self) -> list[dict[str, Any]]:
        """Return the settings of the columns of labels with blanks."""
        draft = self._draft
        labels = [column for column in draft["columns"] if column.role == "label"][:_MOST_OWNERS]
        stated = [c for c in labels if c.number in self._blank or draft.blanks(c.number) != "error"]
        return [
            {
                "name": f"{_BLANKS}{column.number}",
                "label": f"Blank in {_name(column)}",
                "options": list(BLANKS.items()),
                "chosen": draft.blanks(column.number),
            }
            for column in stated
        ]

    def _placed_doubts(self) -> dict[tuple[str, int], list[str]]:
        """Return the doubts about the table by their place in the file, and those of the proposal."""
        placed: dict[tuple[str, int], list[str]] = {("file", 0): list(self._doubts)}
        for place, statement in self._alarms():
            placed.setdefault(place, []).append(statement)
        return placed

    def _alarms(self) -> list[tuple[tuple[str, int], str]]:
        """Return the doubts about the table, each with its place in the file."""
        if self.reading is None:
            return []
        return [
            (
                self._place(str(doubt.facts.get("axis", "")), str(doubt.facts.get("label", ""))),
                doubt.statement,
            )
            for doubt in alarms(self.reading.table)
        ]

    def _place(self, axis: str, label: str) -> tuple[str, int]:
        """Return the place of a label of an axis: its line, its column or the whole file."""
        draft, rows = self._draft, self._rows
        for column in draft["columns"]:
            if column.role == "label" and axis and axis == (column.axis or column.heading):
                shown = (number for number in rows.rows if draft.role_of_row(number, rows) == "count")
                line = next(
                    (number for number in shown if label and rows.cell(number, column.number) == label), 0
                )
                return ("row", line) if line else ("column", column.number)
            if column.role == "count" and label and label in (column.heading, *column.categories):
                return ("column", column.number)
        return ("file", 0)


def _setting_of_axes(name: str, label: str, parts: Sequence[str], is_split: bool) -> dict[str, Any]:
    """Return the setting of labels that name several axes."""
    axes = f"{len(parts)} axes, as in {' × '.join(map(quoted, parts))}" if parts else "several axes"
    return {
        "name": name,
        "label": label,
        "options": [("one", "one axis"), ("several", axes)],
        "chosen": "several" if is_split else "one",
    }


def _name(column: LayoutColumn) -> str:
    return _cut(column.heading) or f"column {column.number}"


def _part(content: bytes) -> bytes:
    """Return the first lines of a large text, and any other file whole."""
    if len(content) <= LARGEST_PROPOSED or of(content) is not DelimitedText or content[:2] in _UTF_16:
        return content
    return content[: content.rfind(b"\n", 0, LARGEST_PROPOSED) + 1] or content


def _with_any_labels(layout: FileLayout) -> FileLayout:
    """Return a layout of the first lines for the whole file, which has more labels."""
    columns = tuple(
        replace(column, categories=()) if column.role in ("label", "other") else column
        for column in layout.columns
    )
    return replace(layout, columns=columns)


def _shown_columns(width: int) -> list[int]:
    """Return the numbers of the first and last columns."""
    if width <= FIRST_COLUMNS + LAST_COLUMNS:
        return list(range(1, width + 1))
    return [*range(1, FIRST_COLUMNS + 1), *range(width - LAST_COLUMNS + 1, width + 1)]


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
