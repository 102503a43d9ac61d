"""The source bar of a dashboard: opening a table, how it was read, and its arrangement on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import file_name, quoted, shortened, whole
from sdcwidgets._util.memory_limit import memory_limit
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.publication import internal_name, internal_text
from sdcwidgets.tables.io import formats, sources
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.options import Reading, ReadOptions, with_controls
from sdcwidgets.tables.io.previews import FilePreview, sentence_of
from sdcwidgets.tables.io.questions import PERSONS, Doubt
from sdcwidgets.tables.io.sources import MAX_DASHBOARD_CELLS, Choice, Question
from sdcwidgets.tables.unnamed import unnamed_axes
from sdcwidgets.widgets.actions import Fold
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.stopping import stoppable
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts import people
from sdcwidgets.widgets.texts.caption import is_own

#: Maximum size of a text, and of a file of another format, in bytes. A page sends a large file in parts.
LARGEST_FILE, LARGEST_BINARY = 100 * 2**20, 20 * 2**20

#: Minimum ratio of the memory of a session to the size of a text.
_TIMES = 8

#: Note on a magnitude table on a page about frequency tables.
AMOUNTS = "The table is a magnitude table. Statements about people on this page do not apply to such a table."

#: Note on a file without a name for an axis.
UNNAMED_AXES = (
    "The file does not name each axis, so an axis has an invented name, such as Row or Column. To name it, select "
    "“Check how the file was read”, and enter the name of the axis."
)

#: Maximum number of readings of one file that Undo can restore.
MOST_READINGS = 20

#: Maximum number of labels of an axis of which a single one can be shown.
MOST_LABELS = 200


def _largest_file() -> int:
    """Return the maximum size of a text; reading takes up to six times its size, and a session has limited memory."""
    memory = memory_limit()
    return min(LARGEST_FILE, max(memory // _TIMES, LARGEST_BINARY)) if memory else LARGEST_FILE


#: What a file in the preview needs next: answers to its open decisions, other roles, or its use.
STEPS_OF_FILE = ("answer", "correct", "use")

#: Text of the primary button while the table of a file is not used yet, by what the file needs next.
NEXT_OF_FILE = {
    "answer": "Next: answer the open questions",
    "correct": "Next: correct how the file is read",
    "use": "Next: use the table of the file",
}


class _Opened(NamedTuple):
    """A reading of a file.

    Attributes
    ----------
    source : Source
        The source with its content.
    light : Source
        The source in the state.
    choices : list of dict
    is_previewed : bool
        Whether a preview asked for the names of its axes.
    """

    source: sources.Source
    light: sources.Source
    choices: list[dict[str, object]]
    is_previewed: bool


class SourceBar(Widget):
    """Examples, buttons for other sources, and a button that saves the counts, connected to a study of tables.

    A preview of an opened or pasted file shows its lines with the role of each column and line, and the table is shown
    when the user confirms it. If a file is ambiguous, controls below the message ask how to read it. If a file cannot
    be read, the error is shown. Until then, the current table stays.

    Parameters
    ----------
    study : Study
    amounts : bool
        Whether the page supports magnitude tables. If not, no such example is offered, and a note is shown for such a
        table.
    on_open : callable, optional
        Function that is called after another table was opened.
    """

    _esm = STATIC / "source.js"
    _css = STATIC / "source.css"

    kinds: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    size = traitlets.Unicode().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    refused = traitlets.Bool().tag(sync=True)  # whether the error belongs to a file whose table is not shown
    people = traitlets.Bool().tag(sync=True)  # whether the problem is by which columns people are counted
    waiting = traitlets.Unicode()  # title of a file that waits for answers while the page shows another table
    next_step = traitlets.Enum(STEPS_OF_FILE, "answer")  # what a waiting file needs next
    asking = traitlets.Bool().tag(sync=True)  # whether the choices belong to this file
    choices: traitlets.List[Any] = traitlets.List().tag(sync=True)
    axes: traitlets.List[dict[str, object]] = traitlets.List().tag(sync=True)
    preview: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    previewable = traitlets.Bool().tag(sync=True)
    limit = traitlets.Int().tag(sync=True)
    saves = traitlets.Unicode("Save original counts (CSV)").tag(sync=True)

    def __init__(
        self, study: Study[Any, Any], *, amounts: bool = False, on_open: Callable[[], None] = lambda: None
    ) -> None:
        kinds = [_describe_kind(kind, amounts) for kind in sources.available() if sources.get(kind).asks]
        super().__init__(kinds=kinds, limit=_largest_file())
        self._amounts = amounts
        self._study, self._on_open = study, on_open
        self._opened: sources.Source | None = None  # the file that a choice reads again
        self._parts: list[bytes] = []  # first parts of a file of which the last part has not arrived
        self._readings: list[_Opened] = []  # readings of the file of the current table
        self._pending: list[_Opened] = []  # readings of the file that a choice reads again
        self._pending_for: sources.Source | None = None  # the source of the table at the time of the question
        self._preview: FilePreview | None = None
        self._previewed: sources.Source | None = None  # the file of the preview
        self._unconfirmed: tuple[FileLayout, Reading] | None = (
            None  # a reading without questions, and its layout
        )
        self._preview_for: sources.Source | None = None  # the source of the table when the preview was opened
        self.hear("given", lambda message, buffers: self._attempt(lambda: self._open(message, buffers)))
        self.hear("part", lambda message, buffers: self._store_part(message.get("start"), buffers))
        self.hear("choose", lambda message, _: self._attempt(lambda: self._choose(message.get("choices"))))
        self.hear("cancel", lambda *_: self._attempt(self._cancel))
        self.hear("preview", lambda *_: self._attempt(self._preview_opened))
        self.hear("role", lambda message, _: self._attempt(lambda: self._change_layout(message)))
        self.hear("use", lambda *_: self._attempt(self._use_layout))
        self.hear("layout", lambda *_: self._attempt(self._save_layout))
        self.hear("place", lambda message, _: self._attempt(lambda: self._arrange(message)))
        self.hear(
            "save",
            lambda *_: self.send(
                {
                    "type": "save",
                    "name": file_name(
                        internal_name("table.csv") if is_own(study.state) else "table.csv", study.state.title
                    ),
                    "text": internal_text(study.state.table.to_csv(), ".csv")
                    if is_own(study.state)
                    else study.state.table.to_csv(),
                }
            ),
        )
        study.observe(lambda _: self._follow(), "turn")
        self._follow()

    def _is_unnamed(self, state: TableState) -> bool:
        """Return whether the file of the table has no name for an axis, and no preview asked for the name yet."""
        current = next((opened for opened in self._readings if opened.light == state.source), None)
        if current is None or current.is_previewed or not current.source.file_content:
            return False
        return bool(unnamed_axes(state.table))

    def _attempt(self, action: Callable[[], None]) -> None:
        with self.hold_sync():
            self.problem, self.refused, self.people = "", False, False
            try:
                action()
            except InputError as error:
                self.problem = str(error)
                # The lists in the browser show the request and must show the actual values again.
                self.send_state(["chosen", "axes", "choices"])
            self._update_waiting()

    def _update_waiting(self) -> None:
        """Set the title of the file that waits for answers, "" if the page shows the table of the opened file."""
        pending = self._opened if self.asking else self._previewed
        is_shown = pending is None or pending == self._source_of_table()
        self.next_step = self._next_step()
        self.waiting = "" if is_shown or pending is None else pending.title

    def _next_step(self) -> str:
        """Return what a waiting file needs next: answers, other roles of its columns and lines, or its use."""
        if self._preview is None or self._preview.open_questions:
            return "answer"
        return "correct" if self._preview.problem else "use"

    def waiting_sentences(self) -> tuple[str, str]:
        """Return a headline and its reason for a page while a file waits."""
        title = quoted(shortened(self._study.state.title))
        return (
            f"The table in {quoted(shortened(self.waiting))} is not used yet.",
            f"The page still shows {title}. To keep it, select “Cancel” below the file.",
        )

    def use_table(self) -> None:
        """Use the table of the preview, as its button does."""
        self._attempt(self._use_layout)

    def _source_of_table(self) -> sources.Source | None:
        """Return the source of the table that the page shows, None if the server no longer has it."""
        light = self._study.state.source
        return next((opened.source for opened in reversed(self._readings) if opened.light == light), None)

    def _open(self, message: dict[str, object], buffers: list[memoryview]) -> None:
        kind = sources.get(str(message.get("kind")))
        content = message.get("what")
        if not kind.asks:  # visitors must not read files and databases of the server
            raise InputError(
                "A source of this kind cannot be opened from a page; use Python or the command line."
            )
        if kind.asks == "file":
            if len(buffers) != 1:
                raise InputError("The server received no file; choose one file.")
            data = self._joined(buffers[0], message.get("start", 0))
            name = whole(str(message.get("name")))[:200]
            most = self.limit if formats.of(data) is DelimitedText else LARGEST_BINARY
            if len(data) > most:
                raise InputError(
                    f"{name} is larger than {most // 2**20} MB, the maximum of a page; read it in Python with "
                    "FrequencyTable.from_csv, or with the command sdcwidgets."
                )
            self._read(kind.from_input(data, name), [], is_new=True)
        elif isinstance(content, str) and len(content) <= LARGEST_BINARY:
            self._read(kind.from_input(content), [], is_new=kind.asks == "text")
        else:
            raise InputError("The pasted text is not a table; copy cells in a spreadsheet and paste them.")

    def _store_part(self, start: object, buffers: list[memoryview]) -> None:
        """Store a part of a file, of which the last part arrives with its name; other parts are forgotten."""
        stored = sum(map(len, self._parts)) if start else 0
        if start != stored or len(buffers) != 1 or stored + len(buffers[0]) > self.limit:
            self._parts = []
        else:
            self._parts = [*(self._parts if start else ()), bytes(buffers[0])]

    def _joined(self, last: memoryview, start: object) -> bytes:
        """Return the content of a file whose last part starts at a place."""
        parts, self._parts = self._parts if start else [], []
        if sum(map(len, parts)) != start:
            raise InputError("The server did not receive all parts of the file; open the file again.")
        return b"".join([*parts, last])

    def _choose(self, choices: Any) -> None:
        if self._opened is None or not isinstance(choices, dict):
            raise InputError("The server no longer has this file; open the file again.")
        offered = {choice["name"]: choice for choice in self.choices}
        if not set(choices) <= set(offered):
            raise InputError(
                "This value is not one of the choices on this page; choose one of the offered values."
            )
        plain = {
            name: tuple(map(str, value)) if isinstance(value, list) else str(value)
            for name, value in choices.items()
        }
        # If the reading fails, tick boxes keep the new values, and all other controls show the previous ones.
        ticked = plain if any(choice["several"] for choice in offered.values()) else {}
        refused = [
            choice | ({"chosen": _several(ticked[name])} if name in ticked else {})
            for name, choice in offered.items()
        ]
        if set(plain) == {"sheet"}:  # choices for another sheet do not apply to this one
            plain = {parameter.name: parameter.default for parameter in declared(ReadOptions)} | plain
        self._read(self._opened.choose(**plain), self._pending, refused)

    def _read(
        self,
        source: sources.Source,
        readings: list[_Opened],
        refused: Sequence[object] = (),
        questions: Sequence[str] = (),
        *,
        is_new: bool = False,
    ) -> None:
        """Read a source.

        The argument `readings` has previous readings, and `refused` has the choices to show if the source cannot be
        read. The doubts in `questions`, which the user confirmed, remain visible next to the table. The table of a new
        file is shown when the user confirms the preview of the file.
        """
        try:
            with stoppable():
                reading = source.read(limit=MAX_DASHBOARD_CELLS)
        except InputError as error:
            if isinstance(error, Question):
                self._opened, self._pending, self._pending_for = source, readings, self._study.state.source
                self.choices, self.asking = [_plain(choice) for choice in error.choices], True
            elif refused:
                self.choices = list(refused)
            else:
                self._offer()
            self.refused = True
            self.previewable = self._opened is not None and self._opened.file_content != b""
            self._close_preview()
            with suppress(InputError):
                self._show_preview(source)
            if is_new and self._reads_without_decisions():
                self._opened, self._pending, self._pending_for = source, readings, self._study.state.source
                self.choices, self.asking, self.previewable = [], True, True
                return
            self.people = self._is_about_people(error)
            raise InputError(f"{source.title}: {self._sentence(source, error)}") from None
        if is_new and self._has_preview(source, reading):
            self._opened, self._pending, self._pending_for = source, readings, self._study.state.source
            self.choices, self.asking = [], True
            self.refused, self.previewable = True, True
            return
        self._take(source, reading, readings, questions)

    def _reads_without_decisions(self) -> bool:
        """Return whether the layout of the preview reads the file, and no decision about the file is open."""
        return (
            self._preview is not None and self._preview.reading is not None and not self._preview.decisions()
        )

    def _has_preview(self, source: sources.Source, reading: Reading) -> bool:
        """Show the preview of a file without questions; return whether its layout reads the same table."""
        with suppress(InputError):
            self._show_preview(source)
        preview = self._preview
        if preview is None or preview.reading is None:
            self._close_preview()
            return False
        if preview.is_of_sample or preview.reading.table == reading.table:
            self._unconfirmed = (preview.layout(), reading)
            return True
        self._close_preview()
        return False

    def _take(
        self, source: sources.Source, reading: Reading, readings: list[_Opened], questions: Sequence[str]
    ) -> None:
        """Show the table of a reading."""
        confirmed = tuple(
            f"This decision was open when the table was confirmed: {question}" for question in questions
        )
        reading = replace(reading, notes=(*reading.notes, *confirmed))
        before = self._readings
        choices = [_plain(choice) for choice in reading.choices]
        is_previewed = self._preview is not None or any(opened.is_previewed for opened in readings)
        opened = _Opened(source, source.light(reading), choices, is_previewed)
        self._readings = [*readings, opened][-MOST_READINGS:]
        self.asking = False
        try:
            self._study.load(self._study.state.with_table(reading.table, opened.light))
        except InputError:
            self._readings = before
            raise
        finally:
            self._close_preview()
            self._offer()
        self._on_open()

    def _sentence(self, source: sources.Source, error: InputError) -> str:
        """Return why a file is not read; a preview with decisions has the controls, so that the sentence has none."""
        if self.people:
            where = " in the preview" if self._preview is not None else ""
            return f"Is each row one person? Choose the columns to count by{where}."
        is_shown = self._previewed is source
        decisions = self._preview.decisions() if self._preview is not None and is_shown else []
        if not decisions:
            return with_controls(str(error))
        doubt = getattr(error, "doubt", None)
        # The advice after the semicolon names other controls than those of the preview.
        text = str(error) if not isinstance(doubt, Doubt) else doubt.statement
        statement = sentence_of(text.partition("; ")[0], None)
        return f"{statement} First answer the open decisions in the preview."

    def _is_about_people(self, error: InputError) -> bool:
        """Return whether a file may have one row per person, so that the user must choose columns to count by."""
        doubt = getattr(error, "doubt", None)
        if not isinstance(doubt, Doubt) or doubt.question not in PERSONS:
            return False
        return self._preview.counts_people if self._preview is not None else doubt.question != "people"

    def _cancel(self) -> None:
        self._close_preview()
        self._offer()

    def _preview_opened(self) -> None:
        """Show how the current file is read, or the file with a question."""
        if self._opened is None:
            raise InputError("The server no longer has the file; open the file again.")
        self._show_preview(self._opened)

    def _show_preview(self, source: sources.Source) -> None:
        """Show the lines of a file, or raise InputError if it has none."""
        content = source.file_content
        if not content:
            raise InputError(f"{source.title} has no lines to show.")
        how = getattr(source, "how", None)
        layout = getattr(source, "layout", None)
        with stoppable():
            preview = FilePreview(content, how, limit=MAX_DASHBOARD_CELLS, layout=layout)
        self._preview, self._previewed = preview, source
        self._preview_for = self._study.state.source
        self.preview = preview.shown()
        # The preview has a setting for the encoding.
        self.choices = [choice for choice in self.choices if choice["name"] != "encoding"]

    def _close_preview(self) -> None:
        self._preview = self._previewed = self._preview_for = self._unconfirmed = None
        self.preview = {}

    def _change_layout(self, message: dict[str, object]) -> None:
        if self._preview is None:
            raise InputError("The server no longer has the file; open the file again.")
        with stoppable():
            self._preview.change(message)
        self.preview = self._preview.shown()

    def _use_layout(self) -> None:
        """Use the table that is read with the layout of the preview."""
        if self._preview is None or self._previewed is None:
            raise InputError("The server no longer has the file; open the file again.")
        # The preview is of the file of the table, or of another one.
        readings = self._pending if self._previewed == self._opened else []
        layout = self._preview.layout()
        source = self._previewed.with_layout(layout)
        if self._unconfirmed is not None and self._unconfirmed[0] == layout:
            self._take(self._previewed, self._unconfirmed[1], readings, self._preview.open_questions)
        elif self._preview.is_of_sample:
            reading = self._read_all_lines(source, self._preview)
            self._take(source, reading, readings, self._preview.open_questions)
        else:
            self._read(source, readings, questions=self._preview.open_questions)

    def _read_all_lines(self, source: sources.Source, preview: FilePreview) -> Reading:
        """Return the reading of all lines of a previewed file; raise InputError if a line raises a new doubt."""
        with stoppable():
            try:
                reading, unseen = source.read(limit=MAX_DASHBOARD_CELLS), list[Doubt]()
                unseen = preview.unseen_doubts(reading)
                problem = (
                    f"Lines that the preview had not read lead to a doubt: {unseen[0].statement}"
                    if unseen
                    else ""
                )
            except InputError as error:
                problem = str(error)
            if problem:
                preview.read_all()
        if problem:
            self.preview = preview.shown()
            raise InputError(problem)
        return reading

    def _save_layout(self) -> None:
        if self._preview is None or self._previewed is None:
            raise InputError("The server no longer has the file; open the file again.")
        name = sources.layout_name(self._previewed.title)
        self.send({"type": "save", "name": name, "text": self._preview.layout().to_toml()})

    def _offer(self) -> None:
        """Show the choices of how the current table is read, if its file is still available."""
        source = self._study.state.source
        current = next((opened for opened in reversed(self._readings) if opened.light == source), None)
        self._opened = None if current is None else current.source
        self._pending = self._readings
        self.asking = False
        self.choices = [] if current is None else current.choices
        self.previewable = current is not None and current.source.file_content != b""

    def _arrange(self, message: dict[str, object]) -> None:
        state, axis, where = self._study.state, message.get("axis"), message.get("where")
        if type(axis) is not int or not 0 <= axis < state.table.ndim:
            raise InputError("The table has no such axis; choose one of the axes of the table.")
        chosen = state.table.axes[axis]
        if type(where) is int and 0 <= where < len(chosen):
            where = chosen.labels[where]
        elif where not in ("down", "across"):
            raise InputError(
                "Each axis must form the rows or the columns, or be restricted to one of its categories."
            )
        arrangement = state.arrangement.placed(chosen.name, where)
        if not arrangement.fits(state.table):
            raise InputError(
                "The table has too many rows or columns to show; choose one label of "
                f"{chosen.name} or of another axis."
            )
        self._study.change(arrangement=arrangement)

    def _follow(self) -> None:
        state = self._study.state
        with self.hold_sync():
            saved = state.source.to_state()
            fits = self._amounts or state.source.unit == "people"
            self.chosen, self.title = saved.get("example", "") if fits else "", state.title
            self.size = f"{people(state.table.total, state.unit)} in {state.table.cells:,} cells"
            self.axes = [] if state.table.ndim < 3 else [_lying(state, k) for k in range(state.table.ndim)]
            notes = [with_controls(note) for note in state.source.notes]
            if not fits:
                notes.append(AMOUNTS)
            if self._is_unnamed(state):
                notes.append(UNNAMED_AXES)
            self.notes = " ".join(notes)
            if not (
                self.asking and state.source == self._pending_for
            ):  # an open question stays until it is answered
                self.problem, self.refused = "", False
                self._offer()
            if state.source != self._preview_for:
                self._close_preview()
            self._update_waiting()


def _describe_kind(name: str, amounts: bool) -> dict[str, object]:
    """Return the properties of a kind of source for the browser, with or without magnitude tables."""
    kind = sources.get(name)
    named = kind.names().items()
    names = [
        [example, title] for example, title in named if amounts or kind.from_input(example).unit == "people"
    ]
    accept = ",".join(formats.suffixes()) if kind.asks == "file" else ""
    return {
        "kind": name,
        "asks": kind.asks,
        "button": kind.button,
        "prompt": kind.prompt,
        "names": names,
        "accept": accept,
    }


def _several(value: str | tuple[str, ...]) -> list[str]:
    return list(value) if isinstance(value, tuple) else [value]


def _plain(choice: Choice) -> dict[str, object]:
    return {
        "name": choice.name,
        "label": choice.label,
        "options": [[value, words] for value, words in choice.options.items()],
        "chosen": list(choice.chosen),
        "several": choice.several,
    }


def _lying(state: TableState, k: int) -> dict[str, object]:
    """Return the position of an axis, and its labels if a single one may be shown."""
    axis, arrangement = state.table.axes[k], state.arrangement
    label = dict(arrangement.chosen).get(axis.name)
    where = arrangement.place_of(axis.name) if label is None else axis.position(label)
    return {"name": axis.name, "where": where, "labels": list(axis.labels[:MOST_LABELS])}


class OtherTable(Fold):
    """A button that expands the source bar, because most users look at the current table.

    Parameters
    ----------
    study : Study
    leading : sequence of widgets
        Widgets before the button, on the same line.
    """

    def __init__(self, study: Study[Any, Any], *leading: ipywidgets.Widget, amounts: bool = False) -> None:
        super().__init__("Open another table", SourceBar(study, amounts=amounts), leading=leading)
