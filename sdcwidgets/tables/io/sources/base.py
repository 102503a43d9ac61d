"""Base class and registry of the sources of tables.

Each kind of source is a frozen dataclass that reads a table, and writes the Python code that reads the table again.
Pages, the command line and links find the class in the registry by its `kind`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import file_name
from sdcwidgets._util.registry import Registry
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.sub_totals import SubTotals
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of cells of a table whose counts are written in exported code. A larger table is read from its file.
MOST_CELLS = 400

#: Maximum number of changed cells that exported code changes one by one.
MOST_CHANGES = 50


@dataclass(frozen=True)
class Code:
    """Lines of Python that assign the table to the variable `table`, and the names that they import."""

    lines: tuple[str, ...]
    imports: tuple[str, ...]


class Source(ABC):
    """Source of a table.

    Attributes
    ----------
    kind : str
        Name of the class in the registry.
    asks : {"", "name", "file", "text"}
        The input on a page: a name from a list, a file, or a text. A source with "" is not available on pages.
    button, prompt : str
        Text of the button, and label of the field for a text.
    order : float
        Sort key on pages, and when the source of a link is determined. Sources with equal keys keep the order of
        registration.
    """

    kind: ClassVar[str]
    asks: ClassVar[str] = ""
    button: ClassVar[str] = ""
    prompt: ClassVar[str] = ""
    order: ClassVar[float] = 50

    @classmethod
    def names(cls) -> Mapping[str, str]:
        """Return the available names with their titles, if the input of the source is a name."""
        return {}

    @classmethod
    @abstractmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the source for a name or path, for the content of the file `name`, or for a text."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Title of the table on a page."""

    @abstractmethod
    def read(self, limit: int | None = None) -> Reading:
        """Read the table.

        Parameters
        ----------
        limit : int, optional
            Maximum number of cells; default: no limit.

        Raises
        ------
        Question
            If a user must choose an option. Pass the option to `choose`, and read again.
        InputError
            If the source has no table that can be read.
        """

    def choose(self, **choices: object) -> Self:
        """Return the source with other options for reading."""
        names = ", ".join(f"({name})" for name in choices)
        raise InputError(f"{self.title} is not a file, so these options do not apply: {names}.")

    @property
    def file_content(self) -> bytes:
        """The content that a layout can describe; empty if there is none."""
        return b""

    def with_layout(self, layout: FileLayout) -> Self:
        """Return the source with a layout, which replaces the options for reading."""
        raise InputError(f"{self.title} has no layout.")

    def light(self, reading: Reading) -> Source:
        """Return the source for the state of a page: without its content, but with the table that was read."""
        return self

    @property
    def original(self) -> FrequencyTable | None:
        """The table as it was read; None if it is unknown."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user on how the table was read."""
        return ()

    @property
    def unit(self) -> str:
        """Noun for the counted units, as in `examples.PublishedTable`."""
        return "people"

    @property
    def totals(self) -> bool:
        """Whether the source had totals in addition to the cells."""
        return False

    @property
    def as_read(self) -> AsRead | None:
        """The layout of the table in its file; None if the layout is not a simple one."""
        return None

    @property
    def read_arguments(self) -> Mapping[str, object]:
        """Arguments with which Python reads the file of the source; empty if there are none."""
        return {}

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of higher levels of the source whose totals are not in the table."""
        return ()

    @property
    def sub_totals(self) -> tuple[SubTotals, ...]:
        """Sums of the source that are no cells of the table, such as sub-totals, by axis."""
        return ()

    def with_sub_totals(self, sub_totals: tuple[SubTotals, ...]) -> Source:
        """Return the source with other sums that are no cells of the table."""
        raise InputError(f"{self.title} has no sub-totals.")

    def with_axis_name(self, old: str, new: str) -> Source:
        """Return the source with another name of an axis."""
        return self

    def began(self, table: FrequencyTable) -> Source:
        """Return the source of a link with the original table, which the link also contains."""
        return self

    @abstractmethod
    def to_state(self) -> dict[str, object]:
        """Return plain values for a link."""

    @classmethod
    def from_state(cls, saved: Mapping[str, object]) -> Source | None:
        """Return the source that a link describes; None if the link has another kind of source."""
        return None

    @abstractmethod
    def code(self, table: FrequencyTable) -> Code:
        """Return the code for `table`, which was read from this source and may have changed cells."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" not in cls.__dict__:
            cls.kind = cls.__name__.lower()


_SOURCES = Registry[type[Source]]("source", lambda source: source.order)

S = TypeVar("S", bound=type[Source])


def register(cls: S) -> S:
    """Add a source to the registry; a class decorator above `@dataclass(frozen=True)`."""
    _SOURCES.add(cls.kind, cls)
    return cls


def available() -> tuple[str, ...]:
    """Return the kinds of all sources.

    Examples
    --------
    >>> available()
    ('example', 'file', 'paste', 'records', 'database', 'memory')
    """
    return _SOURCES.names()


def get(kind: str) -> type[Source]:
    """Return the class of a kind of source, or raise InputError."""
    return _SOURCES.get(kind)


def from_state(saved: Mapping[str, object]) -> Source:
    """Return the source that `to_state` wrote."""
    sources = (get(kind).from_state(saved) for kind in available())
    return next(source for source in sources if source is not None)


def changes(start: FrequencyTable, table: FrequencyTable) -> list[str] | None:
    """Return the lines of code that change one table to another.

    The result is None if the tables have different numbers of cells, or more than `MOST_CHANGES` cells differ.
    """
    if start.cells != table.cells:
        return None
    before, after = start.counts.ravel(), table.counts.ravel()
    changed = (before != after).nonzero()[0]
    if len(changed) > MOST_CHANGES:
        return None
    import numpy as np

    places = [tuple(int(i) for i in np.unravel_index(flat, start.shape)) for flat in changed]
    return [
        f"table = table.with_count({position}, {after[flat]})"
        for position, flat in zip(places, changed, strict=True)
    ]


def written(table: FrequencyTable, title: str = "") -> Code:
    """Return code with all counts of a table; for a large table, code that reads the CSV file saved by the page."""
    if table.cells > MOST_CELLS:
        name = file_name("table.csv", title)
        line = f'table = FrequencyTable.from_csv("{name}")  # the counts that the page saves as CSV'
        return Code((line,), ("FrequencyTable",))
    axes = ",\n".join(f"        {axis.name!r}: {list(axis.labels)!r}" for axis in table.axes)
    counts = ",\n".join(f"        {row!r}" for row in table.counts.tolist())
    lines = ("table = FrequencyTable(", "    [", f"{counts},", "    ],", "    {", f"{axes},", "    },", ")")
    return Code(lines, ("FrequencyTable",))


def read_again(start: FrequencyTable | None, table: FrequencyTable, title: str, line: str, name: str) -> Code:
    """Return `line`, which reads the original table, and one line per changed cell.

    If there is no original table, or too many cells are changed, return the code of `written` instead.
    """
    lines = None if start is None else changes(start, table)
    return written(table, title) if lines is None else Code((line, *lines), (name,))
