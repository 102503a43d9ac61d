"""Sources of tables: an example, a file, pasted text, records, and a table in memory."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.values import with_fields
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.formats.archive import MOST_UNPACKED, unpacked
from sdcwidgets.tables.io.formats.base import file_bytes
from sdcwidgets.tables.io.layout_release import read_for_release
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.options import Reading, ReadOptions
from sdcwidgets.tables.io.reading import read_block, read_bytes
from sdcwidgets.tables.io.sources.base import (
    Code,
    Source,
    available,
    changes,
    get,
    read_again,
    register,
    written,
)
from sdcwidgets.tables.io.sources.people import count_records
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.sub_totals import SubTotals, with_totals
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

#: Maximum number of notes in a link, and maximum number of characters of a note.
MOST_NOTES, LONGEST_NOTE = 20, 1_000

#: Maximum number of characters of the layout of a file in a link.
LONGEST_LAYOUT = 4_000

#: Maximum number of cells and sums of a file that is read again for its sub-totals.
MOST_CELLS_WITH_SUMS = 100_000


@register
@dataclass(frozen=True)
class Example(Source):
    """One of the published tables that the package contains.

    Examples
    --------
    >>> source = Example("religion")
    >>> source.title, source.read().table.total
    ('Religion by output area', 2449)
    >>> source.code(source.read().table).lines
    ("table = examples.load('religion')",)
    """

    name: str
    asks: ClassVar[str] = "name"
    order: ClassVar[float] = 10

    def __post_init__(self) -> None:
        examples.get(self.name)

    @classmethod
    def names(cls) -> Mapping[str, str]:
        """Return the names of the examples with their titles."""
        return {name: example.title for name, example in examples.available().items()}

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the example with this name."""
        return cls(str(content))

    @property
    def title(self) -> str:
        """The title of the example."""
        return examples.get(self.name).title

    @property
    def original(self) -> FrequencyTable:
        """The table of the example."""
        return examples.load(self.name)

    @property
    def unit(self) -> str:
        """Noun for the counted units."""
        return examples.get(self.name).unit

    def read(self, limit: int | None = None) -> Reading:
        """Return the table of the example."""
        return Reading(self.original)

    def to_state(self) -> dict[str, object]:
        """Return the name of the example."""
        return {"example": self.name}

    @classmethod
    def from_state(cls, saved: Mapping[str, object]) -> Source | None:
        """Return the example that a link names; None if the link names no example."""
        return cls(str(saved["example"])) if "example" in saved else None

    def code(self, table: FrequencyTable) -> Code:
        """Return the line that loads the example, and one line per changed cell."""
        lines = changes(self.original, table)
        if lines is None:
            return written(table, self.title)
        return Code((f"table = examples.load({self.name!r})", *lines), ("examples",))


@dataclass(frozen=True, kw_only=True)
class _Carried(Source):
    """Source whose table a link contains, with the notes that were made when the table was read."""

    start: FrequencyTable | None = field(default=None, compare=False, repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)
    totals: bool = field(default=False, repr=False)
    levels: tuple[str, ...] = field(default=(), repr=False)
    as_read: AsRead | None = field(default=None, compare=False, repr=False)
    sub_totals: tuple[SubTotals, ...] = field(default=(), compare=False, repr=False)
    #: Names of axes in the file, each with the name that a user entered.
    renames: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)

    @property
    def original(self) -> FrequencyTable | None:
        """The table as it was read, or as it was passed."""
        return self.start

    def with_sub_totals(self, sub_totals: tuple[SubTotals, ...]) -> Source:
        """Return the source with other sums that are no cells of the table."""
        return replace(self, sub_totals=sub_totals)

    def with_axis_name(self, old: str, new: str) -> Source:
        """Return the source with another name of an axis, which its file need not contain."""
        as_read = self.as_read
        if as_read is not None and as_read.table is not None:
            as_read = replace(as_read, table=_renamed(as_read.table, old, new))
        return replace(
            self,
            start=None if self.start is None else _renamed(self.start, old, new),
            as_read=as_read,
            sub_totals=tuple(
                replace(sums, axis=new) if sums.axis == old else sums for sums in self.sub_totals
            ),
            renames=(*self.renames, (old, new)),
        )

    def to_state(self) -> dict[str, object]:
        """Return the title, the notes and the layout; the link stores the table separately."""
        carried: dict[str, object] = {"title": self.title}
        if self.notes:
            carried["notes"] = [note[:LONGEST_NOTE] for note in self.notes[:MOST_NOTES]]
        layout = {} if self.as_read is None else self.as_read.to_state()
        if layout:
            carried["as_read"] = layout
        carried |= _reading_state(self.read_arguments)
        if self.sub_totals:
            carried["sub_totals"] = [sums.to_state() for sums in self.sub_totals]
        if self.levels:
            carried["levels"] = [level[:LONGEST_NOTE] for level in self.levels[:MOST_NOTES]]
        return carried | ({"totals": True} if self.totals else {})


def _renamed(table: FrequencyTable, old: str, new: str) -> FrequencyTable:
    """Return a table with another name of an axis, if it has this axis."""
    return table.rename({old: new}) if any(axis.name == old for axis in table.axes) else table


def _reading_state(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments with which Python reads a file as plain values for a link."""
    layout = arguments.get("layout")
    if isinstance(layout, FileLayout):
        text = layout.to_toml()
        return {"layout": text} if len(text) <= LONGEST_LAYOUT else {}
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in arguments.items()}
    return {"read": options} if options else {}


def _arguments_of(saved: Mapping[str, Any]) -> dict[str, object]:
    """Return the arguments with which Python reads a file from plain values; {} if a value is invalid."""
    with suppress(InputError, TypeError, ValueError):
        if "layout" in saved:
            return {"layout": FileLayout.from_toml(str(saved["layout"])[:LONGEST_LAYOUT])}
        return with_fields(ReadOptions(), **saved.get("read", {})).changed()
    return {}


@dataclass(frozen=True, kw_only=True)
class _Read(_Carried):
    """Source that is read with options or with a layout."""

    how: ReadOptions = field(default_factory=ReadOptions)
    layout: FileLayout | None = field(default=None, hash=False, repr=False)
    #: The fields with the content, as the state of a page stores them: empty.
    unread: ClassVar[Mapping[str, Any]]

    def choose(self, **choices: object) -> Self:
        """Return the source with other options for reading."""
        return self._not_read_yet(with_fields(self.how, **choices), None)

    @property
    def read_arguments(self) -> Mapping[str, object]:
        """Arguments with which Python reads the file: the layout, or the options that differ from the defaults."""
        return self.how.changed() if self.layout is None else {"layout": self.layout}

    def with_layout(self, layout: FileLayout) -> Self:
        """Return the source with a layout, which replaces the options for reading."""
        return self._not_read_yet(ReadOptions(), layout)

    def _not_read_yet(self, how: ReadOptions, layout: FileLayout | None) -> Self:
        """Return the source with other ways of reading, and without what was read before."""
        return replace(
            self,
            how=how,
            layout=layout,
            start=None,
            notes=(),
            totals=False,
            levels=(),
            as_read=None,
            sub_totals=(),
        )

    def light(self, reading: Reading) -> Source:
        """Return the source without its content, and with the table that was read."""
        read = replace(self, start=reading.table, notes=reading.notes, totals=reading.totals, **self.unread)
        sums = _joined(self._omitted_sums(reading), reading.sub_totals)
        if reading.sub_totals and reading.totals:
            sums = with_totals(sums, reading.table.axes)
        is_omitted = self.layout is not None or self.how.margins != "keep"
        unclear = [label for axis_sums in sums if is_omitted for label in axis_sums.unclear]
        as_read = reading.with_omitted(unclear).as_read
        return replace(read, as_read=as_read, levels=reading.levels, sub_totals=sums)

    def _omitted_sums(self, reading: Reading) -> tuple[SubTotals, ...]:
        """Return the sums of the source that are no categories; the source is read again with and without them."""
        has_all = self.layout is None and self.how.margins == "keep"
        if not has_all and not reading.totals:
            return ()
        # A layout is no option for reading; its table is compared with that of the usual reading.
        how = ReadOptions(doubts="accept") if self.layout is not None else self.how
        other = replace(self, how=replace(how, margins="drop" if has_all else "keep"), layout=None)
        with suppress(InputError):
            table = other.read(MOST_CELLS_WITH_SUMS).table
            sums = SubTotals.omitted(*((table, reading.table) if has_all else (reading.table, table)))
            return sums if has_all or any(axis.labels or axis.unclear for axis in sums) else ()
        return ()


def _joined(omitted: tuple[SubTotals, ...], of_levels: tuple[SubTotals, ...]) -> tuple[SubTotals, ...]:
    """Return the sums of each axis that a file has, or else the totals of its higher levels."""
    by_axis = {sums.axis: sums for sums in omitted}
    for sums in of_levels:
        lines = by_axis.get(sums.axis)
        if lines is None:
            by_axis[sums.axis] = sums
        elif not lines.labels and not lines.unclear:
            is_first = lines.order[0] == lines.total
            order = (lines.total, *sums.order) if is_first else (*sums.order, lines.total)
            by_axis[sums.axis] = replace(sums, order=order, total=lines.total)
        elif sums.groups <= lines.groups:
            by_axis[sums.axis] = replace(lines, levels=sums.levels)
    return tuple(by_axis.values())


def layout_name(name: str) -> str:
    """Return the name of the layout file of a file.

    Examples
    --------
    >>> layout_name("area.csv")
    'area.layout.toml'
    """
    return f"{Path(name).stem}.layout.toml"


@cache
def standard_input() -> bytes:
    """Return the bytes of the standard input; the cache stores the bytes, which can be read only once."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()  # None if the shell closed it


@register
@dataclass(frozen=True)
class File(_Read):
    r"""The content of a file of any supported format: a table, a long table, or records.

    Examples
    --------
    >>> content = b"Area,Sex,Persons\nA,f,5\nA,m,6\nB,f,7\nB,m,2\n"
    >>> source = File.from_input(content, "long.csv").choose(by="Area", count="Persons")
    >>> reading = source.read()
    >>> reading.table
    FrequencyTable(Area: 2; total 20)
    >>> source.light(reading).code(reading.table).lines
    ("table = FrequencyTable.from_csv('long.csv', by=('Area',), count='Persons')",)
    """

    name: str = "table.csv"
    content: bytes = field(default=b"", repr=False)
    unread = MappingProxyType({"content": b""})
    asks: ClassVar[str] = "file"
    button: ClassVar[str] = "Open a file"
    order: ClassVar[float] = 20

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the file with this content, or the file at a path; `-` is the standard input."""
        if isinstance(content, bytes):
            return cls(name=name or "table.csv", content=unpacked(content, quoted(name), MOST_UNPACKED))
        if content == "-":
            return cls(name="standard input", content=standard_input())
        return cls(name=name or Path(content).name, content=file_bytes(content))

    @property
    def file_content(self) -> bytes:
        """The content of the file."""
        return self.content

    @property
    def title(self) -> str:
        """The name of the file."""
        return self.name

    def read(self, limit: int | None = None) -> Reading:
        """Read the file."""
        if self.layout is not None:
            return read_for_release(self.content, self.layout, limit=limit)
        return read_bytes(self.name, self.content, limit=limit, how=self.how)

    def code(self, table: FrequencyTable) -> Code:
        """Return the line that reads the file, and one line per changed cell."""
        reader = "from_excel" if self.name.lower().endswith((".xlsx", ".xlsm", ".xls")) else "from_csv"
        chosen = "".join(f", {name}={value!r}" for name, value in self.how.changed().items())
        if self.layout is not None:
            # The page saves the layout in this file.
            chosen = f", layout={layout_name(self.name)!r}"
        line = f"table = FrequencyTable.{reader}({self.name!r}{chosen})"
        line += "".join(f".rename({ {old: new}!r})" for old, new in self.renames)
        return read_again(self.start, table, self.title, line, "FrequencyTable")


@register
@dataclass(frozen=True)
class Paste(_Read):
    """A block of cells that was copied from a spreadsheet."""

    text: str = field(default="", repr=False)
    unread = MappingProxyType({"text": ""})
    asks: ClassVar[str] = "text"
    button: ClassVar[str] = "Paste"
    prompt: ClassVar[str] = "Copy cells in your spreadsheet, with the headings, and paste the cells here."
    order: ClassVar[float] = 30

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the source with this text."""
        return cls(text=content if isinstance(content, str) else content.decode("utf-8", "replace"))

    @property
    def file_content(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode("utf-8", "replace")

    @property
    def title(self) -> str:
        """Title of any pasted table."""
        return "Pasted table"

    def read(self, limit: int | None = None) -> Reading:
        """Read the block."""
        if self.layout is not None:
            return read_for_release(self.file_content, self.layout, limit=limit)
        return read_block(self.text, limit=limit, how=self.how)

    def code(self, table: FrequencyTable) -> Code:
        """Return code with the counts of the table."""
        return written(table, self.title)


@register
@dataclass(frozen=True)
class Records(_Read):
    """Records with one row per person; `how.by` names the variables that become the axes."""

    frame: pd.DataFrame | Sequence[Mapping[str, object]] | None = field(
        default=None, compare=False, repr=False
    )
    unread = MappingProxyType({"frame": None})

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Raise InputError, because records can be passed only in Python."""
        raise InputError("Records can be passed only in Python; open a file with one row per person instead.")

    @property
    def title(self) -> str:
        """The names of the axes, such as "area by sex"."""
        return " by ".join(self.how.by) or "Records"

    def read(self, limit: int | None = None) -> Reading:
        """Count the records."""
        if self.frame is None:
            raise InputError("The records are no longer available; pass the records again.")
        options = {} if limit is None else {"limit": limit}
        return count_records(self.frame, self.how.by, missing=self.how.missing or None, **options)

    def code(self, table: FrequencyTable) -> Code:
        """Return the line that counts the records, and one line per changed cell."""
        missing = f", missing={self.how.missing!r}" if self.how.missing else ""
        line = f"table = FrequencyTable.from_records(records, {list(self.how.by)!r}{missing})"
        return read_again(self.start, table, self.title, line, "FrequencyTable")


@register
@dataclass(frozen=True)
class InMemorySource(_Carried):
    """A table from Python or from a link, with the notes that were made when it was read."""

    kind: ClassVar[str] = "memory"
    called: str = "Your table"
    #: Layout of the original file, in the form of `AsRead.to_state`.
    layout_state: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    #: Arguments with which Python reads the original file.
    saved_arguments: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    order: ClassVar[float] = 100  # The last source accepts any link.

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Raise InputError, because a table in memory has no file."""
        raise InputError(
            "A table from Python or from a link cannot be opened by its name; open a file instead."
        )

    @property
    def title(self) -> str:
        """Title of the table."""
        return self.called

    @property
    def read_arguments(self) -> Mapping[str, object]:
        """Arguments with which Python reads the original file."""
        return self.saved_arguments

    def read(self, limit: int | None = None) -> Reading:
        """Raise InputError, because a table in memory has no file."""
        raise InputError(
            f"{quoted(self.called)} came from Python or from a link and cannot be read again; open a file instead."
        )

    @classmethod
    def from_state(cls, saved: Mapping[str, Any]) -> Source | None:
        """Return the source of a link with any other source; `began` adds the table."""
        notes = tuple(str(note)[:LONGEST_NOTE] for note in saved.get("notes", ())[:MOST_NOTES])
        called = str(saved.get("title", "Your table"))[:200]
        layout = dict(saved.get("as_read", {}))
        sums = tuple(SubTotals.from_state(axis) for axis in saved.get("sub_totals", ()))
        return cls(
            called,
            notes=notes,
            totals=saved.get("totals") is True,
            levels=tuple(str(level)[:LONGEST_NOTE] for level in saved.get("levels", ())[:MOST_NOTES]),
            sub_totals=sums,
            layout_state=layout,
            saved_arguments=_arguments_of(saved),
        )

    def began(self, table: FrequencyTable) -> Source:
        """Return the source with the original table, and with its layout."""
        as_read = AsRead.from_state(self.layout_state, table) if self.layout_state else None
        return replace(self, start=table, as_read=as_read)

    def code(self, table: FrequencyTable) -> Code:
        """Return code with the counts of the table."""
        return written(table, self.title)


def named(text: str) -> Source:
    """Return the source for an argument of the command line: a path, `-`, or `KIND:NAME`.

    Examples
    --------
    >>> named("example:sex").title
    'Sex by output area'
    """
    kind, colon, content = text.partition(":")
    if colon and kind in available() and not Path(text).exists():
        return get(kind).from_input(content)
    return File.from_input(text)
