"""A preview of a file: some of its lines with the role of each column and line, and the table that is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import PEOPLE, and_more, crossed_labels, quoted
from sdcwidgets.tables.io.assumptions import Assumption, assumptions_of
from sdcwidgets.tables.io.decisions import (
    OF_SHEETS,
    OF_TABLES,
    OF_TEXTS,
    Decision,
    Place,
    Reply,
    by_answers,
    column_answers,
    is_omitted,
    is_open,
    label_answers,
    setting_answers,
    table_doubts,
)
from sdcwidgets.tables.io.encodings import CHOICES
from sdcwidgets.tables.io.formats.aligned import ALIGNED
from sdcwidgets.tables.io.layout.cells import are_tags, is_number, label_of
from sdcwidgets.tables.io.layout.contents import UNKNOWN_UNITS, are_kinds, are_times
from sdcwidgets.tables.io.layout.records import usual_weight
from sdcwidgets.tables.io.layout_draft import (
    BLANKS,
    MOST_TEXTS,
    SETTINGS,
    CellsOfCounts,
    LayoutDraft,
    cells_of_counts,
    file_rows,
    first_layout,
    groups_in,
    key_of_counts,
    labels_of_columns,
    place_of_text,
)
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layout_totals import not_included
from sdcwidgets.tables.io.layouts import UNKNOWN, FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import ROWS, Choice, Reading, ReadOptions, with_controls
from sdcwidgets.tables.io.proposals import (
    OF_DECIMALS,
    Proposal,
    proposal_of_sample,
    propose_layout,
    second_header,
)
from sdcwidgets.tables.io.questions import NO_COUNTS, PERSONS, SUMS, Doubt
from sdcwidgets.tables.io.samples import sample_of
from sdcwidgets.tables.sub_totals import SubTotals
from sdcwidgets.tables.unnamed import is_invented

#: Number of first and of last columns that are shown.
FIRST_COLUMNS, LAST_COLUMNS = 24, 4

#: Maximum size of a file whose assumptions are listed after each change, in bytes.
_LARGEST_ASSUMED = 2_000_000

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

#: Beginning of the name of a setting for the meaning of a blank in a column of labels.
_BLANKS = "blanks:"

#: Beginning of the name of a setting that states the one label of a column, or of an axis of headings, that is read.
_ONLY, _ONLY_HEADING = "only:", "only-heading:"

#: Beginning of the name of a change that omits or reads the lines with a label of a column.
_LABEL = "label:"

#: Beginning of the name of a change that reads labels of a column as sub-totals of a hierarchy, or as categories.
_HIERARCHY = "hierarchy:"

#: Maximum number of sub-totals, and of their parts, that a decision names.
_MOST_NAMED = 3

#: Name of a change that reads groups and their parts as two axes.
_GROUPS = "groups"

#: Beginning of the name of a change of an option of the reader, with which a layout is proposed again.
_OPTION = "option:"

#: Options of the reader that answer a doubt about a proposed layout.
_OPTIONS = ("level", "first_line", "marks", "flags")

#: Beginning of the name of a change that states whether a column has the counts, or each row is one person.
_COUNT = "counts-in:"

#: Beginning of the name of a change of the name of an axis.
_AXIS = "axis:"

#: Labels of the fields for the names of axes, by the place of their labels.
_NAME_OF_AXIS = {
    "blocks": "Name of the groups of lines",
    "column": "Name of the lines",
    "heading": "Name of the columns",
}

#: Maximum number of characters of the name of an axis.
MOST_OF_NAME = 100

#: Beginning of the name of a change of the columns by which people are counted.
_BY = "by:"

#: Maximum number of columns by which people can be counted.
_MOST_BY = 60

#: Maximum number of labels in a list for choosing one label.
_MOST_LABELS = 200

#: Patterns of advice about keys of a layout file, and the advice about controls of a preview that replaces it.
_KEYS_OF_LAYOUTS = {
    r"set repeated to sum if .* are to be added": 'choose "are summed" for "Lines with the same labels"',
    r"state its meaning in texts, or correct": "choose its meaning, or correct",
    r"state the separator by thousands = ": 'choose "Thousands separator" ',
    r'give a column the role "label", or add a table \[\[headings\]\]': 'choose the role "Labels" for a column',
    r"; add it to categories, or to left_out": "",
}

#: Beginning of a doubt that is an error of the usual import.
_FROM_STRUCTURE = "Check the role of each column and line, because the structure of the file is uncertain. "

#: Answer to a decision about a table that is read rightly already.
IS_RIGHT = "This is right"

#: Answer to the decision by which columns people are counted, if the rows are read as cells of a table.
ARE_CELLS = "The rows are cells of a table"

#: Doubts whose answer changes the layout, so that the present reading is no answer.
_NEED_ACTION = ("absent",)

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

#: Nouns that a user can choose for the counted units.
_COUNTED = (
    "people",
    "households",
    "families",
    "dwellings",
    "buildings",
    "farms",
    "enterprises",
    "cases",
    "units",
)

_SETTING_WORDS = {
    "sheet": "Sheet",
    "encoding": "Encoding",
    "delimiter": "Delimiter",
    "counted": "What is counted",
    "unit": "Number of units of a count of 1",
    "thousands": "Thousands separator",
    "decimal": "Decimal mark",
    "rounded": "Counts with decimals",
    "repeated": "Lines with the same labels",
    "absent": "Meaning of combinations without a line",
}

#: Meanings of a text in place of a count, with their texts on a page.
_MEANINGS = {
    "zero": "0",
    "unknown": "unpublished or suppressed: the count is unknown",
    "leave out": "the import omits the line, and its counts are unknown",
}

#: Meanings of combinations without a line, with their texts on a page.
_MEANINGS_OF_ABSENT = {"": "not stated"} | {name: _MEANINGS[name] for name in ("zero", "unknown")}


class FilePreview:
    r"""The lines of a file, and a layout that a user changes.

    Parameters
    ----------
    content : bytes
    how : ReadOptions, optional
        Options of the reader that are decided.
    limit : int, optional
        Maximum number of cells of the table.
    layout : FileLayout, optional
        Layout to begin with (default: the proposed one).
    proposal : Proposal, optional
        Proposal for the file with these options, if there is one already.

    Attributes
    ----------
    reading : Reading or None
        Table that is read with the layout, or None if it cannot be read.
    problem : str
        Reason why the table cannot be read; "" if it can be read.

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
        proposal: Proposal | None = None,
    ) -> None:
        self._whole, self._limit, self._how = content, limit, how or ReadOptions()
        self._sample = sample_of(content)
        if self._sample is not None and layout is not None:
            layout = self._sample.layout_of_sample(layout)
            self._sample = None if layout is None else self._sample
        self._doubts: tuple[tuple[str, Doubt | None], ...] = ()
        self._answers: ReadOptions | None = None  # with which the proposed layout answers its doubts
        self._answered: dict[str, Doubt] = {}  # doubts by the option with which the user answered them
        self._known_cells = dict[tuple[object, ...], CellsOfCounts]()
        self._labels = dict[tuple[object, ...], dict[int, tuple[str, ...]]]()
        self._waiting = dict[str, str]()  # names of axes that another axis has, by the place of the labels
        self._confirmed = set[str]()  # texts of decisions whose present answer the user selected
        self._start(layout or self._propose(proposal))

    @property
    def _content(self) -> bytes:
        """The lines that are read after each change."""
        return self._whole if self._sample is None else self._sample.content

    @property
    def is_of_sample(self) -> bool:
        """Whether only the first and last lines of the file have been read."""
        return self._sample is not None

    def read_all(self) -> None:
        """Read all lines of the file, and after each change again."""
        layout, self._sample = self.layout(), None
        self._draft = LayoutDraft(layout)
        self._rows, self._is_certain = file_rows(self._content, layout), False
        self._read()

    def unseen_doubts(self, reading: Reading) -> list[Doubt]:
        """Return the doubts about the table of all lines that are no decision about the sample of the lines."""
        known = {decision.text for decision in self.decisions()}
        doubts = [*table_doubts(reading.table, with_sums=True), *reading.doubts]
        return [doubt for doubt in doubts if self._concerns(doubt) and doubt.statement not in known]

    def _concerns(self, doubt: Doubt) -> bool:
        """Return whether a doubt concerns the counted units."""
        return doubt.question != "world" or self._draft["counted"] in (PEOPLE, self._proposed.counted)

    def _propose(self, known: Proposal | None = None) -> FileLayout:
        """Return the layout of a known or of a new proposal, and store its doubts."""
        proposal = known or self._proposal(self._how)
        if proposal.layout is None:
            raise InputError("The file has no table, because no row has two filled cells.")
        # The doubt about texts in place of counts is omitted, because the whole file is searched for such texts.
        doubts = proposal.doubts[:-1] if proposal.texts else proposal.doubts
        self._doubts = tuple((doubt, proposal.questions.get(doubt)) for doubt in doubts)
        self._answers = proposal.answers
        return proposal.layout

    def _proposal(self, how: ReadOptions) -> Proposal:
        if self._sample is None:
            return propose_layout(self._whole, how)
        return proposal_of_sample(self._whole, self._sample, how)

    def _start(self, layout: FileLayout) -> None:
        """Begin with a layout."""
        self._is_certain = not self._doubts
        self._proposed = layout
        self._draft = LayoutDraft(layout)
        self._rows = file_rows(self._content, layout)
        asked = next((doubt for _, doubt in self._doubts if doubt and doubt.question in PERSONS), None)
        self._by = _columns_of(asked.choices) if asked else ()
        self._by = self._by or tuple(dict.fromkeys(c.heading for c in layout.columns if c.heading))[:_MOST_BY]
        if asked and asked.question in NO_COUNTS and not (asked.question == "people" and _has_counts(layout)):
            self._count_by(())
        self.reading: Reading | None = None
        self.problem = ""
        self._read()
        wrong = [number for number in self._hierarchies if self._labels_outside(number)]
        for number in wrong:  # A label that is in no sub-total is a category.
            self._set_hierarchy(str(number), "yes")
        if wrong:
            self._read()

    def layout(self) -> FileLayout:
        """Return the current layout."""
        layout = self._draft.layout()
        return layout if self._sample is None else self._sample.layout_of_text(layout)

    @property
    def counts_people(self) -> bool:
        """Whether each row is counted as one person."""
        return self._draft.counted_by is not None

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Open doubts about the file and about the current table, each with the answer with which the table is read."""
        return tuple(decision.words for decision in self.decisions() if decision.is_open)

    def change(self, message: Mapping[str, object]) -> None:
        """Change the role of a column or a row, or a setting.

        Raises
        ------
        InputError
            If the message is not one of the possible changes.
        """
        column, row, value = message.get("column"), message.get("row"), str(message.get("role"))
        if self._sample is not None and type(row) is int:
            row = self._sample.number_in_sample(row)
        name = str(message.get("name"))
        answered = [
            decision.text
            for decision in self.decisions()
            if not decision.several and any(_is_answer(message, answer) for answer in decision.answers)
        ]
        if "confirmed" in message:
            self._confirm(str(message["confirmed"]))
            return
        if self._change_named(name, message):
            pass
        elif (
            type(column) is int and 1 <= column <= self._rows.width and value in dict(self._column_options())
        ):
            self._draft.set_column(column, value, self._rows)
        elif type(row) is int and row in self._rows.rows and value in dict(self._row_options()):
            self._draft.set_row(row, value, self._rows)
        else:
            self._set(name, str(message.get("value")))
        self._confirmed.update(answered)
        self._use_names()
        self._read()

    def _change_named(self, name: str, message: Mapping[str, object]) -> bool:
        """Make a change that is neither a role nor a setting; return whether the name is one of such a change."""
        value = str(message.get("value"))
        if name == _GROUPS:
            self._draft.set_groups(groups_in(self._content, self._draft.layout()))
            return True
        if name.startswith(_LABEL):
            self._set_label(name.removeprefix(_LABEL), value, str(message.get("role")))
            return True
        changes = {
            _BY: self._set_by,
            _AXIS: self._rename_axis,
            _OPTION: self._answer,
            _COUNT: self._set_counts,
            _HIERARCHY: self._set_hierarchy,
        }
        for prefix, change in changes.items():
            if name.startswith(prefix):
                change(name.removeprefix(prefix), value)
                return True
        return False

    def _confirm(self, text: str) -> None:
        """Settle the decision with this text by the answer that the layout has already."""
        decisions = {decision.text: decision for decision in self.decisions()}
        answers = decisions[text].answers if text in decisions else ()
        if not any(answer.chosen or "confirmed" in answer.change for answer in answers):
            raise InputError("The answer is not one of the options; choose one of the options.")
        self._confirmed.add(text)

    def _answer(self, option: str, value: str) -> None:
        """Propose a layout again, with an option of the reader that answers a doubt."""
        doubts = [doubt for _, doubt in self._doubts if doubt is not None] + list(self._answered.values())
        question = next((doubt for doubt in doubts if value in _options_of(doubt, option)), None)
        if question is None or option not in (*_OPTIONS, "margins"):
            raise InputError("The answer is not one of the options; choose one of the options.")
        before = self._how
        changed: dict[str, Any] = {option: value}
        self._how = replace(self._how, **changed)
        try:
            layout = self._propose()
        except InputError:
            self._how = before
            raise
        self._answered[option] = question
        self._start(layout)

    def _set_counts(self, name: str, _: str) -> None:
        """Read the counts in a column and add those of the same labels, or count each row as one person."""
        columns = {column.heading: column.number for column in self._draft["columns"] if column.heading}
        labels = [column.heading for column in self._draft["columns"] if column.role == "label"]
        of_records = [
            doubt.facts["by"] for _, doubt in self._doubts if doubt and doubt.question == "decimal records"
        ]
        for categories in of_records:
            assert isinstance(categories, tuple)
            labels = list(categories)
        if name == ROWS:
            self._count_by([label for label in labels if label])
        elif name in columns:
            self._draft.set_column(columns[name], "count", self._rows)
            self._draft.set("repeated", "sum")
        else:
            raise InputError("The answer is not one of the options; choose one of the options.")

    def _rename_axis(self, place: str, text: str) -> None:
        """Set the name of an axis; a blank text restores a name that the import invented."""
        name = text.strip()
        names = self._draft.names_of_axes()
        if place not in names:
            raise InputError("The table has no such axis; choose one of the axes of the table.")
        first = LayoutDraft(self._proposed).names_of_axes().get(place, "")
        name = name or (first if is_invented(first) else "")
        if not name or len(name) > MOST_OF_NAME:
            raise InputError(
                f"The name of an axis must have 1 to {MOST_OF_NAME} characters; enter another name."
            )
        self._waiting[place] = name
        self._use_names()

    def _use_names(self) -> None:
        """Set the entered names of axes, except a name that another axis has; this name waits for another change."""
        names = self._draft.names_of_axes()
        waiting = {key: name for key, name in self._waiting.items() if key in names}
        entered = list((names | waiting).values())
        unique = {key: name for key, name in waiting.items() if entered.count(name) == 1}
        renamed = names | unique
        if len(set(renamed.values())) < len(renamed):  # A name is that of an axis whose new name waits.
            unique = {key: name for key, name in unique.items() if name not in names.values()}
        for key, name in unique.items():
            self._draft.rename_axis(key, name)
        self._waiting = {key: name for key, name in waiting.items() if key not in unique}

    def _set_by(self, name: str, value: str) -> None:
        """Add a column to those by which people are counted, or remove it."""
        if name not in self._by or value not in ("yes", "no"):
            raise InputError("The answer is not one of the options; choose one of the options.")
        chosen = self._draft.counted_by or ()
        self._count_by([by for by in self._by if (value == "yes" if by == name else by in chosen)])

    def _count_by(self, names: Sequence[str]) -> None:
        """Count each row as one person, by some columns; without a column, the layout is incomplete."""
        draft = self._draft
        if not names:
            for column in draft["columns"]:
                draft.set_column(column.number, "other", self._rows)
            return
        weights = [column.heading for column in draft["columns"] if column.role == "weight"]
        how = replace(
            self._how,
            by=tuple(names),
            count=ROWS,
            weight=next((weight for weight in weights if weight not in names), ""),
            missing=UNKNOWN,
            encoding=draft["encoding"] if self._rows.text else "",
            sheet=draft["sheet"],
        )
        proposal = self._proposal(how)
        layout = proposal.layout
        if layout is None or layout.of_role("count"):
            raise InputError(with_controls(next(iter(proposal.doubts), "The file has no such columns.")))
        counted = PEOPLE if draft["counted"] == UNKNOWN_UNITS else draft["counted"]
        self._draft = LayoutDraft(replace(layout, counted=counted))
        self._rows = file_rows(self._content, layout)

    def _set_hierarchy(self, number: str, value: str) -> None:
        """Omit the labels of a column that are sub-totals, or read them as categories."""
        if number not in map(str, self._hierarchies) or value not in ("yes", "no"):
            raise InputError("The answer is not one of the options; choose one of the options.")
        for label in self._hierarchies[int(number)].labels:
            self._draft.set_label(int(number), label, value == "yes")
        for label in self._labels_outside(int(number)):
            self._draft.set_label(int(number), label, False)

    def _set_label(self, number: str, label: str, role: str) -> None:
        """Omit or read the lines with a label of a column."""
        numbers = {str(column.number): column for column in self._draft["columns"] if column.role == "label"}
        column = numbers.get(number)
        known = self._labels_of(column) if column is not None else ()
        if column is None or label not in known or role not in ("omit", "read"):
            raise InputError("The answer is not one of the options; choose one of the options.")
        self._draft.set_label(column.number, label, role == "omit")

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
        if name.startswith(_ONLY_HEADING):
            self._draft.set_only_heading(int(name.removeprefix(_ONLY_HEADING)), value, self._rows)
            return
        if name.startswith(_ONLY):
            self._draft.set_only(int(name.removeprefix(_ONLY)), value)
            return
        if name == _SPLIT:
            self._draft.set_split(value == "several")
            return
        if name.startswith(_SPLIT):
            self._draft.set_split_of_column(int(name.removeprefix(f"{_SPLIT}:")), value == "several")
            return
        if name == "sheet":
            self._set_sheet(value)
            return
        if name == "delimiter":
            self._propose_again(name, value)
            return
        if name == "encoding":
            self._set_encoding(value)
            return
        if name == "unit":
            self._draft.set(name, int(value))
        else:
            self._draft.set(name, value == "True" if name == "rounded" else value)

    def _set_sheet(self, sheet: str) -> None:
        """Propose a layout for another sheet."""
        before = self._how
        for _, doubt in self._doubts:
            if doubt is not None and doubt.question in OF_SHEETS:
                self._answered["sheet"] = doubt
        self._how = replace(self._how, sheet=sheet)
        try:
            self._start(self._propose())
        except InputError:
            self._how = before
            self._propose_again("sheet", sheet)

    def _set_encoding(self, encoding: str) -> None:
        """Decode the file in another encoding; bytes that the encoding does not have are shown as replaced ones."""
        layout = self._draft.layout()
        try:
            rows = file_rows(self._content, replace(layout, encoding=encoding))
        except InputError:
            text = self._content.decode(encoding, "replace")
            rows = file_rows(text.encode("utf-8", "replace"), replace(layout, encoding="utf-8"))
        self._draft.set_encoding(encoding)
        self._rows = rows

    def _propose_again(self, name: str, value: str) -> None:
        """Propose a layout for another sheet, or for the cells that result from another delimiter."""
        chosen = {key: str(self._draft[key]) for key in ("encoding", "sheet", "delimiter")} | {name: value}
        if not self._rows.text:
            chosen["encoding"] = chosen["delimiter"] = ""
        layout = first_layout(self._content, **chosen)
        self._draft, self._proposed, self._doubts = LayoutDraft(layout), layout, ()
        self._by = tuple(dict.fromkeys(c.heading for c in layout.columns if c.heading))[:_MOST_BY]
        self._rows = file_rows(self._content, layout)

    def _read(self) -> None:
        """Read the file with the layout, or store the reason why it cannot be read."""
        self.reading, self.problem = None, ""
        self._texts, self._blank = tuple(self._draft["texts"]), tuple[int, ...]()
        self._checks, self._has_absent = list[Doubt](), False
        self._hierarchies: dict[int, SubTotals] = {}
        if self._draft.counted_by == () and self._by:
            self.problem = "Choose at least one column to count by."
            return
        try:
            layout = self._draft.layout()
            try:
                self.reading = read(self._content, layout, limit=self._limit)
            except InputError:
                cells = self._cells_of_counts(layout)
                self._texts = tuple(dict.fromkeys((*self._texts, *cells.texts)))[:MOST_TEXTS]
                self._blank = tuple(c.number for c in layout.of_role("label") if c.number in cells.blank)
                raise
        except InputError as error:
            self.problem = self._in_file(_with_settings(str(error)))
        if self.reading is not None:
            checks = [*table_doubts(self.reading.table, not self._is_certain), *self.reading.doubts]
            checks += second_header(self._content, layout)
            if len(self._content) <= _LARGEST_ASSUMED:
                checks += not_included(self._content, layout, self.reading.table)
            self._has_absent = bool(self.reading.doubts)
            self._checks = [doubt for doubt in checks if self._concerns(doubt)]
            self._hierarchies = self._find_hierarchies()

    def _find_hierarchies(self) -> dict[int, SubTotals]:
        """Return the labels of columns that look like sums of other labels, by the number of the column."""
        columns, labels = self._columns_of_axes(), dict[int, list[str]]()
        for doubt in (*self._checks, *(doubt for _, doubt in self._doubts if doubt is not None)):
            number = columns.get(str(doubt.facts.get("axis", "")), 0)
            if doubt.question == "sum" and number:
                labels.setdefault(number, []).append(str(doubt.facts["label"]))
        if len(self._content) > _LARGEST_ASSUMED:
            return {}
        sums = {number: self._sums_of_column(number, names) for number, names in labels.items()}
        return {number: of_column for number, of_column in sums.items() if of_column is not None}

    def _labels_outside(self, number: int) -> list[str]:
        """Return the labels of a column that the proposed layout omits, because a sum of other labels lacks them."""
        columns = self._columns_of_axes()
        doubts = [doubt for _, doubt in self._doubts if doubt is not None and doubt.question == "outside"]
        return [
            str(doubt.facts["label"]) for doubt in doubts if columns.get(str(doubt.facts["axis"])) == number
        ]

    def _sums_of_column(self, number: int, labels: Sequence[str]) -> SubTotals | None:
        """Return the sub-totals among labels of a column, None if there are none except a total of all categories."""
        tables = []
        with suppress(InputError):
            for is_omitted_label in (True, False):
                draft = LayoutDraft(self._draft.layout())
                for label in self._labels_outside(number):
                    draft.set_label(number, label, False)
                for label in labels:
                    draft.set_label(number, label, is_omitted_label)
                tables.append(read(self._content, draft.layout(), limit=self._limit).table)
            own, whole = tables
            sums = [axis for axis in SubTotals.omitted(own, whole) if axis.labels]
            return sums[0] if len(sums) == 1 else None
        return None

    def _cells_of_counts(self, layout: FileLayout) -> CellsOfCounts:
        """Return the cells of the rows of counts, which are read again only if a change concerns them."""
        key = (self._sample is None, *key_of_counts(layout))
        if key not in self._known_cells:
            self._known_cells = {key: cells_of_counts(self._content, layout)}
        return self._known_cells[key]

    def _in_file(self, sentence: str) -> str:
        """Return a sentence with the numbers of the lines of the file."""
        return sentence if self._sample is None else self._sample.sentence_of_text(sentence)

    def _number_in_file(self, row: int) -> int:
        return row if self._sample is None else self._sample.number_in_text(row)

    def shown(self) -> dict[str, object]:
        """Return plain values for a page: only some rows with shortened texts, so that a large file is fast."""
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
                    "number": self._number_in_file(number),
                    "role": draft.role_of_row(number, rows),
                    "cells": [
                        _cut(label_of(cells[column - 1]) if column <= len(cells) else "")
                        for column in columns
                    ],
                    "doubts": doubts.get(("row", self._number_in_file(number)), []),
                }
                for number, cells in rows.rows.items()
            ],
            "column_options": self._column_options(),
            "row_options": self._row_options(),
            "settings": self._settings(),
            "hidden_columns": rows.width - len(columns),
            "hidden_rows": self._number_in_file(rows.total) - len(rows.rows),
            "doubts": doubts.get(("file", 0), []),
            "decisions": [decision.shown() for decision in self.decisions()],
            "axes": self._names_of_axes() if self.reading else [],
            "summary": self.summary,
            "assumptions": [assumption.sentence for assumption in self.assumptions()],
            "problem": self.problem,
        }

    @property
    def summary(self) -> str:
        """What the file contains as it is read now, or its first and last lines; "" if it cannot be read."""
        if self.reading is None or self._sample is None:
            return self.reading.summary if self.reading else ""
        return f"In {self._sample.words}: {self.reading.summary} “Use this table” reads and checks all lines."

    def assumptions(self) -> tuple[Assumption, ...]:
        """Return what the current layout assumes and no check of the file confirms; nothing for a large file."""
        if self.reading is None or len(self._content) > _LARGEST_ASSUMED:
            return ()
        return assumptions_of(self._content, self._draft.layout(), self.reading)

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
        units = {str(unit): f"{unit:,}" for unit in (10, 100, 1_000, 10_000, 1_000_000)}
        options: dict[str, dict[str, str]] = {
            "sheet": {name: name for name in rows.sheets} if len(rows.sheets) > 1 else {},
            "encoding": CHOICES if rows.text else {},
            "delimiter": _DELIMITERS if rows.text else {},
            "counted": {name: name for name in _COUNTED},
            "unit": {"1": "1"} | units,
            "thousands": {"": "none", ",": "comma", ".": "point", " ": "blank", "'": "apostrophe"},
            "decimal": {"": "none", ".": "point", ",": "comma"},
            "rounded": {"False": "are an error", "True": "are rounded"},
            "repeated": {"error": "are an error", "sum": "are summed"},
            "absent": _MEANINGS_OF_ABSENT if self._may_be_absent() else {},
        }
        settings = []
        for name in SETTINGS:
            chosen = str(draft[name])
            known = options[name]
            if known and chosen not in known:
                known = {chosen: chosen} | known
            if known:
                settings.append(
                    {
                        "name": name,
                        "label": _SETTING_WORDS[name],
                        "options": list(known.items()),
                        "chosen": chosen,
                    }
                )
        settings += [*self._settings_of_headings(), *self._settings_of_times(), *self._settings_of_blanks()]
        for text in self._texts:
            settings.append(
                {
                    "name": f"{_MEANING}{text}",
                    "label": f"Meaning of {quoted(text)}" if text else "Meaning of an empty cell",
                    "options": [("", "not stated"), *_MEANINGS.items()],
                    "chosen": draft["texts"].get(text, ""),
                }
            )
        return settings

    def _names_of_axes(self) -> list[dict[str, str]]:
        """Return a field for the name of each axis, which is empty if the file does not name the axis."""
        names = self._draft.names_of_axes()
        kinds = [place.partition(":")[0] for place in names]
        return [
            {
                "name": f"{_AXIS}{place}",
                "axis": self._waiting.get(place, "" if is_invented(name) else name),
                "label": _NAME_OF_AXIS[kind] if kinds.count(kind) == 1 else f"Name of axis {k}",
                "problem": self._problem_of_name(place, names),
            }
            for k, ((place, name), kind) in enumerate(zip(names.items(), kinds, strict=True), start=1)
        ]

    def _problem_of_name(self, key: str, names: Mapping[str, str]) -> str:
        """Return why the entered name of an axis is not used yet; "" if it is used."""
        if key not in self._waiting:
            return ""
        other = "The other axis" if len(names) == 2 else "Another axis"
        return (
            f"{other} is also named {quoted(self._waiting[key])}; rename one of the axes. Until then, this axis "
            f"keeps the name {quoted(names[key])}."
        )

    def _may_be_absent(self) -> bool:
        """Return whether the meaning of combinations without a line is doubtful or chosen."""
        is_doubtful = any(doubt is not None and doubt.question == "absent" for _, doubt in self._doubts)
        return self._has_absent or is_doubtful or self._draft["absent"] != ""

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

    def _settings_of_times(self) -> list[dict[str, Any]]:
        """Return the settings of axes of times, or of kinds of figures, of which one label can be read."""
        settings = list[dict[str, Any]]()
        for column in self._draft["columns"]:
            labels = self._labels_of(column) if column.only or column.role == "label" else ()
            if column.only or are_times(labels) or are_kinds(labels) or self._are_perhaps_added(labels):
                name, label = f"{_ONLY}{column.number}", f"Lines of {_name(column)}"
                settings.append(_setting_of_labels(name, label, labels, column.only))
        for k, (heading, labels, only) in enumerate(self._draft.axes_of_headings(self._rows)):
            if only or are_times(labels) or are_kinds(labels) or self._are_perhaps_added(labels):
                label = f"Columns of {_cut(heading)}"
                settings.append(_setting_of_labels(f"{_ONLY_HEADING}{k}", label, labels, only))
        return settings

    def _are_perhaps_added(self, labels: Sequence[str]) -> bool:
        """Return whether a doubt is about people who are added in an axis with these labels."""
        doubts = [doubt for _, doubt in self._doubts if doubt is not None and doubt.question == "added"]
        return any(doubt.facts["label"] in labels for doubt in doubts)

    def _labels_of(self, column: LayoutColumn) -> tuple[str, ...]:
        """Return the labels of a column in the file, in their order."""
        layout = replace(self._proposed, encoding=self._draft["encoding"])
        key = (self._sample is None, *key_of_counts(layout))
        if key not in self._labels:
            numbers = [other.number for other in layout.columns]
            try:
                self._labels = {key: labels_of_columns(self._content, layout, numbers)}
            except InputError:  # The file is not a text in the chosen encoding.
                return ()
        return self._labels[key].get(column.number, ())

    def _placed_doubts(self) -> dict[Place, list[str]]:
        """Return the open doubts by their place in the file."""
        placed: dict[Place, list[str]] = {("file", 0): []}
        for decision in self.decisions():
            placed.setdefault(decision.place, []).append(decision.text)
        return placed

    def decisions(self) -> list[Decision]:
        """Return the decisions about the file as it is read now, each with the changes that it offers."""
        listed = [self._decision(doubt.statement, doubt) for doubt in self._checks]
        known = tuple(decision.text.removesuffix(".") for decision in listed)
        listed += [
            decision
            for decision in self._decisions_of_file()
            if not decision.text.startswith(known or ("\0",))
        ]
        listed += [self._decision(doubt.statement, doubt) for doubt in self._answered.values()]
        listed = self._with_hierarchies(listed)
        joinable = self._decisions_of_headings()
        places = [decision.place for decision in joinable]
        others = [
            decision for decision in listed if decision.place not in places or decision.place[0] == "column"
        ]
        people = self._decisions_of_people()
        # In a table, it is unlikely that each row is a person.
        listed = [*people, *others] if self._draft.counted_by is not None else [*others, *people]
        every = [*joinable, *listed, *self._decisions_of_texts()]
        placed = [self._placed_in_file(decision) for decision in every]
        confirmed = [replace(decision, is_confirmed=decision.text in self._confirmed) for decision in placed]
        return [self._with_present_reading(decision) for decision in confirmed]

    def _with_hierarchies(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Return decisions with one about each possible hierarchy, in place of those about its sub-totals."""
        doubts = (*self._checks, *(doubt for _, doubt in self._doubts if doubt is not None))
        labels = {label for sums in self._hierarchies.values() for label in sums.labels}
        single = {
            doubt.statement for doubt in doubts if doubt.question == "sum" and doubt.facts["label"] in labels
        }
        others = [decision for decision in decisions if decision.text not in single]
        return [*(self._decision_about_hierarchy(*item) for item in self._hierarchies.items()), *others]

    def _decision_about_hierarchy(self, number: int, sums: SubTotals) -> Decision:
        """Return the decision whether labels of a column are sub-totals of a hierarchy."""
        omitted = [is_omitted(label, self.layout()) for label in sums.labels]
        first, names = sums.labels[0], and_more(list(map(quoted, sums.labels)), _MOST_NAMED)
        parts = [quoted(label) for label, parent in sums.parents if parent == first]
        looks = "looks like a sub-total" if len(sums.labels) == 1 else "look like sub-totals"
        text = (
            f"{names} of {quoted(sums.axis)} {looks} of a hierarchy: {quoted(first)} is the sum of "
            f"{and_more(parts, _MOST_NAMED)}."
        )
        name = f"{_HIERARCHY}{number}"
        answers = (
            Reply("They form a hierarchy", {"name": name, "value": "yes"}, chosen=all(omitted)),
            Reply("They are categories", {"name": name, "value": "no"}, chosen=not any(omitted)),
        )
        return Decision(text, self._place(sums.axis, first), answers)

    def _placed_in_file(self, decision: Decision) -> Decision:
        """Return a decision with the numbers of the lines of the file."""
        kind, number = decision.place
        place = (kind, self._number_in_file(number) if kind == "row" else number)
        answers = tuple(
            answer._replace(
                change={**answer.change, "row": self._number_in_file(int(str(answer.change["row"])))}
            )
            if "row" in answer.change
            else answer
            for answer in decision.answers
        )
        return replace(decision, text=self._in_file(decision.text), place=place, answers=answers)

    def _with_present_reading(self, decision: Decision) -> Decision:
        """Return a decision that offers the present reading as an answer, if no other answer states it."""
        is_stated = any(answer.chosen for answer in decision.answers)
        needs_action = {doubt.statement for doubt in self._checks if doubt.question in _NEED_ACTION}
        if self.reading is None or is_stated or decision.text in needs_action:
            return decision
        words = ARE_CELLS if decision.several else IS_RIGHT
        right = Reply(words, {"confirmed": decision.text}, chosen=decision.is_confirmed)
        return replace(decision, answers=(*decision.answers, right))

    def _decisions_of_people(self) -> list[Decision]:
        """Return the decisions by which columns people are counted, and whether with weights."""
        doubt_on_people = next(
            (doubt for _, doubt in self._doubts if doubt and doubt.question in PERSONS), None
        )
        chosen = self._draft.counted_by
        if not self._by or (
            chosen is None
            and (
                doubt_on_people is None or not is_open(doubt_on_people, self._proposed, self._draft.layout())
            )
        ):
            return []
        decisions = list[Decision]()
        if doubt_on_people is not None and doubt_on_people.question == "rows":
            decisions.append(
                Decision(doubt_on_people.statement, ("file", 0), self._answers_about_counts(doubt_on_people))
            )
            if chosen is None:
                return decisions
        decisions.append(
            Decision(
                _text_on_people(doubt_on_people), ("file", 0), by_answers(self._by, chosen or ()), "Count by"
            )
        )
        return [*decisions, *(self._decisions_of_weights() if chosen else ())]

    def _decisions_of_weights(self) -> list[Decision]:
        """Return the decision whether a column that is not read contains weights of the people who are counted."""
        others = {c.heading: c.number for c in self._draft["columns"] if c.role == "other"}
        weight = None if self._has_role("weight") else usual_weight(others)
        if weight is None:
            return []
        answer = Reply("Read it as weights", {"column": others[weight], "role": "weight"})
        text = f"{quoted(weight)} looks like a sampling weight, but each row is counted as one person."
        return [Decision(text, ("column", others[weight]), (answer,))]

    def _has_role(self, role: str) -> bool:
        return any(column.role == role for column in self._draft["columns"])

    def _decisions_of_file(self) -> list[Decision]:
        """Return the doubts about the proposed layout that concern the layout as it is now."""
        try:
            now = self._draft.layout()
        except InputError:
            return []
        open_ = [item for item in self._doubts if is_open(item[1], self._proposed, now)]
        open_ = [item for item in open_ if item[1] is None or item[1].question not in PERSONS]
        if self.reading is not None:
            open_ = [
                item
                for item in open_
                if item[1] is None or item[1].question not in OF_TABLES or self._is_settled(item[1], now)
            ]
        elif self._texts:  # a decision about each text asks for its meaning
            open_ = [item for item in open_ if item[1] is None or item[1].question not in OF_TEXTS]
        return [
            self._decision(_sentence(doubt, question, self.reading is not None), question)
            for doubt, question in open_
        ]

    def _is_settled(self, doubt: Doubt, now: FileLayout) -> bool:
        """Return whether the layout still has the answer to a doubt about the table of the reader."""
        if doubt.question == "even":
            return is_omitted(str(doubt.facts["label"]), now)
        return doubt.question == "combined" and (
            self._draft.is_split or any(column.split for column in self._draft["columns"])
        )

    def _decisions_of_headings(self) -> list[Decision]:
        """Return the decisions about unread lines next to the headings, which have texts over or under them."""
        draft, rows, decisions = self._draft, self._rows, list[Decision]()
        header = int(draft["header"])
        for upper in (header - 1, header):
            unread = header - 1 if upper < header else header + 1
            if upper < 1 or upper + 1 >= draft["first"] or draft.role_of_row(unread, rows) != "other":
                continue
            pairs = [(rows.cell(upper, j), rows.cell(upper + 1, j)) for j in draft.labels_of_columns(rows)]
            both = [(over, below) for over, below in pairs if over and below and over != below]
            texts = [below for _, below in both]
            if all(map(is_number, texts)) or are_tags(texts):
                continue  # The line has counts of another level, or tags of HXL.
            if both and (upper == header or len({over for over, _ in both}) > 1):
                over, below = map(quoted, both[0])
                text = f"Line {unread} is not read. Its text may be part of a heading, because {over} is above {below}."
                joined = Reply(f"Join line {upper} with line {upper + 1}", {"row": upper, "role": "join"})
                decisions.append(Decision(text, ("row", unread), (joined,)))
        return decisions

    def _decisions_of_texts(self) -> list[Decision]:
        """Return the decisions about texts in place of counts, and about blank labels, without a meaning."""
        decisions = list[Decision]()
        for setting in self._settings() if self.reading is None else []:
            name, options = setting["name"], setting["options"]
            if name.startswith(_MEANING) and not setting["chosen"]:
                answers = setting_answers(name, options[1:], "")
                text = f"{setting['label'].removeprefix('Meaning of ')} is in place of counts, and may mean zero or"
                place = self._place_in_counts(name.removeprefix(_MEANING))
                decisions.append(
                    Decision(f"{text[0].upper()}{text[1:]} an unpublished count.", place, answers)
                )
            elif name.startswith(_BLANKS) and setting["chosen"] == "error":
                place = ("column", int(name.removeprefix(_BLANKS)))
                answers = setting_answers(name, options[1:], "")
                decisions.append(Decision(f"{setting['label']} has no meaning yet.", place, answers))
        return decisions

    def _place_in_counts(self, text: str) -> Place:
        """Return the line with the first text in place of a count, or its column if the line is not shown."""
        with suppress(InputError):
            layout = self._draft.layout()
            cell = self._cells_of_counts(layout).texts.get(text) or place_of_text(self._content, layout, text)
            if cell is not None:
                return ("row", cell[0]) if cell[0] in self._rows.rows else ("column", cell[1])
        return ("file", 0)

    def _decision(self, text: str, doubt: Doubt | None) -> Decision:
        """Return a decision about a doubt, with the changes that settle it."""
        if doubt is None:
            return Decision(text)
        decision = self._decision_about_axis(text, doubt) or self._decision_about_part(text, doubt)
        return decision or Decision(text, self._place_of(doubt), self._answers_about_file(text, doubt))

    def _place_of(self, doubt: Doubt) -> Place:
        """Return the place of a label or a total that a doubt is about, or the first line of the table."""
        if doubt.question == "first line":
            return ("row", self._draft["header"] or self._draft["first"])
        single = self._single_total() if doubt.question == "wrong total" else None
        if single is not None:
            label, column = single
            return ("column", column.number) if column.role == "total" else self._place_of_label(label)
        return self._place(str(doubt.facts.get("axis", "")), str(doubt.facts.get("label", "")))

    def _decision_about_axis(self, text: str, doubt: Doubt) -> Decision | None:
        """Return the decision about an axis or its labels, None for another doubt."""
        axis, label = str(doubt.facts.get("axis", "")), str(doubt.facts.get("label", ""))
        question, place = doubt.question, self._place_of(doubt)
        if question == "again":
            return Decision(text, place)  # it concerns several lines, so that their roles are changed
        if question in SUMS or question in ("even", "overlap"):
            return Decision(text, place, self._answers_about_label(axis, label))
        if question in ("time", "figures"):
            name = str(doubt.facts["name"])
            return Decision(text, self._place(name, ""), self._answers_about_times(name))
        if question == "added":
            return Decision(text, place, self._answers_about_added(label))
        if question == "determined":
            return Decision(text, place, self._answers_about_levels(axis, str(doubt.facts["other"])))
        if question == "combined":
            return Decision(text, place, self._answers_about_setting(_SPLIT))
        if question == "groups":
            has_groups = bool(groups_in(self._content, self._draft.layout()))
            two = Reply("They are two axes", {"name": _GROUPS, "value": "several"})
            return Decision(text, place, (two,) if has_groups else ())
        return None

    def _decision_about_part(self, text: str, doubt: Doubt) -> Decision | None:
        """Return the decision about a line or a column, None for another doubt."""
        question = doubt.question
        if question == "heading line" and self._draft["header"] > 1:
            row = self._draft["header"] - 1
            joined = Reply("Join it with the next line", {"row": row, "role": "join"})
            return Decision(text, ("row", row), (joined,))
        if question == "second header":
            row = int(str(doubt.facts["row"]))
            return Decision(text, ("row", row), (Reply("Skip the line", {"row": row, "role": "other"}),))
        if question in ("no people", "decimals"):
            return self._decision_about_line(text, str(doubt.facts["named"]))
        if question == "unread":
            column = int(str(doubt.facts["column"]))
            read = Reply("Read it as counts", {"column": column, "role": "count"})
            return Decision(text, ("column", column), (read,))
        hidden = _place_of_hidden(doubt)
        if hidden is not None:
            return Decision(text, hidden, _answers_about_hidden(doubt, hidden))
        return None

    def _answers_about_file(self, text: str, doubt: Doubt) -> tuple[Reply, ...]:
        """Return the answers to a doubt about all counts, the encoding, the sheet, or the first line."""
        question = doubt.question
        if question == "absent":
            return (
                Reply("Read them as 0", {"name": "absent", "value": "zero"}),
                Reply(
                    "They are unpublished, so their counts are unknown",
                    {"name": "absent", "value": "unknown"},
                ),
            )
        if question == "thousands":
            units = {"1", str(doubt.facts["unit"]), str(self._draft["unit"])}
            answers = self._answers_about_setting("unit", units)
            return tuple(one._replace(words=f"A count of 1 means {one.words}") for one in answers)
        if question in OF_DECIMALS:
            people = Reply("Each row is one person", {"name": f"{_COUNT}{ROWS}"})
            return (
                *((people,) if question == "decimal records" else ()),
                Reply("The numbers are thousands", {"name": "unit", "value": "1000"}),
                Reply("Round the numbers", {"name": "rounded", "value": "True"}),
            )
        if question == "rate":
            return (Reply("The numbers are counts", {"confirmed": text}, chosen=text in self._confirmed),)
        if question in ("unknown unit", "other figures", "world"):
            return self._answers_about_setting("counted")
        if question == "repeated":
            return (
                Reply("Add the counts of such lines", {"name": "repeated", "value": "sum"}, self._is_summed),
            )
        if question in ("twice", "equal"):
            return self._answers_about_counts(doubt)
        return self._answers_of_reader(doubt)

    @property
    def _is_summed(self) -> bool:
        """Whether the counts of lines with the same labels are added."""
        return str(self._draft["repeated"]) == "sum" and not self.counts_people

    def _answers_of_reader(self, doubt: Doubt) -> tuple[Reply, ...]:
        """Return the answers that are settings, or options with which the reader proposes a layout again."""
        known = {value for choice in doubt.choices for value in choice.options}
        if doubt.question == "encoding":
            return self._answers_about_setting("encoding", known)
        if doubt.question in OF_SHEETS:
            return self._answers_about_setting("sheet")
        if doubt.question == "wrong total":
            return self._answers_about_totals()
        return tuple(
            Reply(
                _words_of(option, words),
                {"name": f"{_OPTION}{option}", "value": value},
                self._has(option, value),
            )
            for option in _OPTIONS
            for value, words in _options_of(doubt, option).items()
        )

    def _has(self, option: str, value: str) -> bool:
        """Return whether the layout follows from a value of an option of the reader."""
        how = self._how if option in self._answered else self._answers
        if how is not None:
            return bool(getattr(how, option) == value)
        stated = {"first_line": ("labels", self._draft["header"]), "flags": ("off", self._draft["flags"])}
        usual, is_stated = stated.get(option, ("", 0))
        return value == usual and bool(is_stated)

    def _answers_about_counts(self, doubt: Doubt) -> tuple[Reply, ...]:
        """Return the answers that each row is one person, or that a column has the counts."""
        numbers = [
            column for column in self._draft["columns"] if column.heading and self._has_numbers(column)
        ]
        stated = doubt.facts.get("column")
        columns = [column for column in numbers if column.heading == stated] or numbers
        contents = "counts to be added" if doubt.question == "twice" else "the counts"
        persons = Reply("Each row is one person", {"name": f"{_COUNT}{ROWS}"}, chosen=self.counts_people)
        counts = [
            Reply(
                f"{quoted(_name(column))} contains {contents}",
                {"name": f"{_COUNT}{column.heading}"},
                chosen=column.role == "count",
            )
            for column in columns[:_MOST_OWNERS]
        ]
        return (persons, *counts)

    def _has_numbers(self, column: LayoutColumn) -> bool:
        """Return whether the lines of counts that are shown have numbers in a column."""
        draft, rows = self._draft, self._rows
        lines = [number for number in rows.rows if draft.role_of_row(number, rows) == "count"]
        return bool(lines) and all(is_number(rows.cell(number, column.number)) for number in lines)

    def _single_total(self) -> tuple[str, LayoutColumn] | None:
        """Return the label and the column of the total of the proposed layout, None if it has none or several."""
        columns = [(column.heading, column) for column in self._proposed.of_role("total")]
        labels = [(label, column) for column in self._proposed.columns for label in column.left_out]
        totals = [*columns, *labels]
        return totals[0] if len(totals) == 1 else None

    def _answers_about_totals(self) -> tuple[Reply, ...]:
        """Return the answers that omit or read the totals of the proposed layout."""
        single = self._single_total()
        if single is not None:
            label, column = single
            omitted = is_omitted(label, self.layout())
            answers = column_answers if column.role == "total" else label_answers
            return answers(label, column.number, omitted)
        words = {"drop": "Omit the totals", "keep": "Read the totals as categories"}
        return tuple(
            Reply(text, {"name": f"{_OPTION}margins", "value": value}, self._has("margins", value))
            for value, text in words.items()
        )

    def _decision_about_line(self, text: str, label: str) -> Decision:
        """Return the decision about a line or a column that may have figures other than counts."""
        layout = self.layout()
        columns = [column for column in layout.columns if label in (column.heading, *column.categories)]
        columns = [column for column in columns if column.role in ("count", "total", "other")]
        if len(columns) == 1:
            number = columns[0].number
            answers = column_answers(label, number, columns[0].role != "count")
            return Decision(text, ("column", number), answers)
        for column in layout.of_role("label"):
            if label in self._labels_of(column):
                answers = label_answers(label, column.number, is_omitted(label, layout))
                return Decision(text, self._place_of_label(label), answers)
        return Decision(text)

    def _place_of_label(self, label: str) -> Place:
        """Return the shown line with a label, or the whole file."""
        rows = self._rows
        return next((("row", i) for i in rows.rows if rows.first_text(i) == label), ("file", 0))

    def _answers_about_label(self, axis: str, label: str) -> tuple[Reply, ...]:
        layout = self.layout()
        omitted = is_omitted(label, layout)
        number = self._columns_of_axes().get(axis, 0)
        if number and label in self._labels_of(next(c for c in layout.columns if c.number == number)):
            return label_answers(label, number, omitted)
        over = self._draft.labels_of_columns(self._rows)
        columns = [n for n, labels in over.items() if label in labels]
        unread = [c for c in layout.columns if c.role in ("total", "other")]
        columns = columns or [c.number for c in unread if c.heading == label]
        return column_answers(label, columns[0], omitted) if len(columns) == 1 else ()

    def _answers_about_times(self, axis: str) -> tuple[Reply, ...]:
        of_one_label = {column.heading: column.number for column in self._draft["columns"] if column.only}
        number = self._columns_of_axes().get(axis, 0) or of_one_label.get(axis, 0)
        if number:
            return self._answers_about_setting(f"{_ONLY}{number}")
        for k, (heading, _, _) in enumerate(self._draft.axes_of_headings(self._rows)):
            if heading == axis:
                return self._answers_about_setting(f"{_ONLY_HEADING}{k}")
        return ()

    def _answers_about_added(self, label: str) -> tuple[Reply, ...]:
        """Return the answers that all labels of an axis are read as categories, or only one of them."""
        names = [*self._columns_of_axes().values()]
        of_columns = {
            f"{_ONLY}{c.number}": self._labels_of(c) for c in self._draft["columns"] if c.number in names
        }
        headings = self._draft.axes_of_headings(self._rows)
        of_headings = {f"{_ONLY_HEADING}{k}": labels for k, (_, labels, _) in enumerate(headings)}
        for name, labels in (of_headings | of_columns).items():
            if label in labels:
                answers = self._answers_about_setting(name)
                words = [f"Count only {quoted(_cut(str(one.change['value'])))}" for one in answers]
                words[:1] = ["Each person is in only one of them"]
                return tuple(one._replace(words=text) for one, text in zip(answers, words, strict=True))
        return ()

    def _answers_about_levels(self, axis: str, other: str) -> tuple[Reply, ...]:
        columns = self._columns_of_axes()
        if axis not in columns or other not in columns:
            return ()
        level = {"column": columns[other], "role": f"level:{columns[axis]}"}
        return (
            Reply(f"{quoted(other)} is a higher level of {quoted(axis)}", level),
            Reply(f"Do not read {quoted(other)}", {"column": columns[other], "role": "other"}),
        )

    def _answers_about_setting(self, name: str, options: set[str] | None = None) -> tuple[Reply, ...]:
        """Return the options of the first setting whose name begins with `name`, as answers to a doubt."""
        setting = next((item for item in self._settings() if item["name"].startswith(name)), None)
        if setting is None:
            return ()
        shown = [(value, words) for value, words in setting["options"] if options is None or value in options]
        return setting_answers(setting["name"], shown, setting["chosen"])

    def _columns_of_axes(self) -> dict[str, int]:
        """Return the number of the column with the labels of an axis, by the name of the axis."""
        columns = [column for column in self._draft["columns"] if column.role == "label"]
        start = 1 + any(row.role == "block" for row in self._draft["rows"])
        return {
            column.axis or column.heading or f"Row {k}": column.number
            for k, column in enumerate(columns, start=start)
        }

    def _place(self, axis: str, label: str) -> Place:
        """Return the place of a label of an axis: its line, its column or the whole file."""
        draft, rows = self._draft, self._rows
        for column in draft["columns"]:
            if column.role == "label" and axis and axis == (column.axis or column.heading):
                roles = {number: draft.role_of_row(number, rows) for number in rows.rows}
                shown = (number for number, role in roles.items() if role in ("count", "total"))
                line = next(
                    (number for number in shown if label and rows.cell(number, column.number) == label), 0
                )
                return ("row", line) if line else ("column", column.number)
            is_omitted_column = column.role in ("total", "other") and label == column.heading
            is_count = column.role == "count" and label in (column.heading, *column.categories)
            if label and (is_count or is_omitted_column):
                return ("column", column.number)
        return ("file", 0)


def _is_answer(message: Mapping[str, object], answer: Reply) -> bool:
    """Return whether a message of a page selects an answer."""
    return all(message.get(key) == value for key, value in answer.change.items())


def _text_on_people(doubt: Doubt | None) -> str:
    """Return the text of the decision by which columns people are counted."""
    if doubt is None or doubt.question == "rows":
        return "Each row is counted as one person. Choose the columns to count by."
    if doubt.question == "people":
        return doubt.statement
    return f"{doubt.statement} If each row is one person, choose the columns to count by."


def _options_of(doubt: Doubt, option: str) -> Mapping[str, str]:
    """Return the values of an option of the reader that answer a doubt, with their texts."""
    options = next((choice.options for choice in doubt.choices if choice.name == option), {})
    return {value: words for value, words in options.items() if value != "ask"}


def _words_of(option: str, words: str) -> str:
    """Return the text of an answer.

    Examples
    --------
    >>> _words_of("level", "level 1"), _words_of("flags", "remove flags")
    ('Read level 1', 'Remove flags')
    """
    return f"Read {words}" if option == "level" else f"{words[0].upper()}{words[1:]}"


def _place_of_hidden(doubt: Doubt) -> Place | None:
    """Return the place of the first hidden row or column in a doubt about them; None for another doubt."""
    kinds = {"hidden rows": "row", "hidden columns": "column"}
    kind = kinds.get(doubt.question)
    return None if kind is None else (kind, int(str(doubt.facts["first"])))


def _answers_about_hidden(doubt: Doubt, place: Place) -> tuple[Reply, ...]:
    """Return the answer that omits a hidden line or column, if there is only one of them."""
    kind, number = place
    numbers = doubt.facts["numbers"]
    words = "Omit the line" if kind == "row" else "Omit the column"
    is_single = isinstance(numbers, tuple) and len(numbers) == 1
    return (Reply(words, {kind: number, "role": "other"}),) if is_single else ()


def _setting_of_axes(name: str, label: str, parts: Sequence[str], is_split: bool) -> dict[str, Any]:
    """Return the setting of labels that name several axes."""
    axes = f"{len(parts)} axes, as in {' × '.join(map(quoted, parts))}" if parts else "several axes"
    return {
        "name": name,
        "label": label,
        "options": [("one", "one axis"), ("several", axes)],
        "chosen": "several" if is_split else "one",
    }


def _setting_of_labels(name: str, label: str, labels: Sequence[str], chosen: str) -> dict[str, Any]:
    """Return the setting of the one label of an axis that is read."""
    known = dict.fromkeys([*labels[:_MOST_LABELS], *([chosen] if chosen else [])])
    options = [("", "all are read"), *((text, f"only {_cut(text)}") for text in known)]
    return {"name": name, "label": label, "options": options, "chosen": chosen}


def sentence_of(text: str, doubt: Doubt | None) -> str:
    """Return the text of a doubt, or else of an error, without its choices, because a preview has other controls.

    Examples
    --------
    >>> sentence_of('"Year" has times: choose one time (only: Year=2022).', None)
    '"Year" has times.'
    """
    text = with_controls(doubt.statement if doubt is not None else text)
    return f"{text.partition(': choose')[0].rstrip('.')}."


def _sentence(doubt: str, question: Doubt | None, is_read: bool) -> str:
    """Return the text of a doubt without its choices; for an error of the reader, add that all roles need a check."""
    text = sentence_of(doubt, question)
    if question is not None or not is_read:
        return text
    # The advice after the semicolon does not concern the layout, which reads the file.
    return f"{_FROM_STRUCTURE}{text.partition('; ')[0].rstrip('.')}."


def _has_counts(layout: FileLayout) -> bool:
    """Return whether a column of counts, which may have decimals, is behind one of labels."""
    first = min((column.number for column in layout.of_role("label")), default=0)
    return any(column.number > first for column in layout.of_role("count"))


def _columns_of(choices: Sequence[Choice]) -> tuple[str, ...]:
    """Return the columns by which people can be counted."""
    return tuple(name for choice in choices if choice.name == "by" for name in choice.options)[:_MOST_BY]


def _with_settings(sentence: str) -> str:
    """Return the sentence on a file that does not fit a layout, with the settings of a preview for keys of the layout.

    Examples
    --------
    >>> _with_settings('"m" of row 5 is there twice; set repeated to sum if the counts of both rows are to be added.')
    '"m" of row 5 is there twice; choose "are summed" for "Lines with the same labels".'
    """
    for key, words in _KEYS_OF_LAYOUTS.items():
        sentence = re.sub(key, words, sentence)
    return sentence


def _name(column: LayoutColumn) -> str:
    return _cut(column.heading) or f"column {column.number}"


def _shown_columns(width: int) -> list[int]:
    """Return the numbers of the first and last columns."""
    if width <= FIRST_COLUMNS + LAST_COLUMNS:
        return list(range(1, width + 1))
    return [*range(1, FIRST_COLUMNS + 1), *range(width - LAST_COLUMNS + 1, width + 1)]


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
