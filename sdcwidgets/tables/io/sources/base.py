"""What every source of tables is: something that reads a table and says how.

A source is one frozen dataclass. Its `kind` is its name in a registry; the screen, the command line, links and
the code behind a screen find it there.
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
from sdcwidgets.tables.table import FrequencyTable

#: A table of more cells is not written out in code; its file is read instead.
MOST_CELLS = 400

#: So many changed cells are written one by one.
MOST_CHANGES = 50


@dataclass(frozen=True)
class Code:
    """Lines of Python that make `table`, and what they need of the package."""

    lines: tuple[str, ...]
    imports: tuple[str, ...]


class Source(ABC):
    """Where a table comes from.

    Attributes
    ----------
    kind : str
        The name to call it by.
    asks : {"", "name", "file", "text"}
        What a screen asks for to make one: a name from a list, a file, or a text; "" is not on a screen.
    button, prompt : str
        What the button says, and what stands above the field for a text.
    order : float
        Its place on the screens, and in which order a link is read; sources with the same place stand as found.
    """

    kind: ClassVar[str]
    asks: ClassVar[str] = ""
    button: ClassVar[str] = ""
    prompt: ClassVar[str] = ""
    order: ClassVar[float] = 50

    @classmethod
    def names(cls) -> Mapping[str, str]:
        """Return what can be chosen where a name is asked for, each with its title."""
        return {}

    @classmethod
    @abstractmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the source of a name, of the content of a file called `name`, or of a text."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What its table is called on a screen."""

    @abstractmethod
    def read(self, limit: int | None = None) -> Reading:
        """Read the table; `limit` is the most cells.

        Raises
        ------
        Question
            If something must be chosen; `choose` answers it.
        InputError
            If there is no table; one sentence says why.
        """

    def choose(self, **choices: object) -> Self:
        """Return the source with other choices of how it is read."""
        names = ", ".join(f"({name})" for name in choices)
        raise InputError(f"{self.title} is not a file, so these options do not apply: {names}.")

    @property
    def file_content(self) -> bytes:
        """The content that a layout can describe; empty if there is none."""
        return b""

    def with_layout(self, layout: FileLayout) -> Self:
        """Return the source that is read with a layout."""
        raise InputError(f"{self.title} has no layout.")

    def light(self, reading: Reading) -> Source:
        """Return what a state keeps: the source without its content, but with what was read of it."""
        return self

    @property
    def original(self) -> FrequencyTable | None:
        """The table as it was read, where that is known."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of how it was read; one sentence each."""
        return ()

    @property
    def unit(self) -> str:
        """What its numbers count, as `examples.PublishedTable` says it."""
        return "people"

    @property
    def totals(self) -> bool:
        """Whether there were totals beside the cells."""
        return False

    @property
    def as_read(self) -> AsRead | None:
        """The layout in which the table came, where it is a simple one."""
        return None

    def began(self, table: FrequencyTable) -> Source:
        """Return the source with the table that it gave, which a link tells."""
        return self

    @abstractmethod
    def to_state(self) -> dict[str, object]:
        """Return plain values for a link."""

    @classmethod
    def from_state(cls, saved: Mapping[str, object]) -> Source | None:
        """Return the source of a link, None where the link is not of this kind."""
        return None

    @abstractmethod
    def code(self, table: FrequencyTable) -> Code:
        """Return the code that makes `table`, which came from here and may have been changed."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" not in cls.__dict__:
            cls.kind = cls.__name__.lower()


_SOURCES = Registry[type[Source]]("source", lambda source: source.order)

S = TypeVar("S", bound=type[Source])


def register(cls: S) -> S:
    """Make a source known by its kind; a decorator above `@dataclass(frozen=True)`."""
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
    """Return the class of a kind, or raise InputError."""
    return _SOURCES.get(kind)


def from_state(saved: Mapping[str, object]) -> Source:
    """Return the source that `to_state` wrote."""
    sources = (get(kind).from_state(saved) for kind in available())
    return next(source for source in sources if source is not None)


def changes(start: FrequencyTable, table: FrequencyTable) -> list[str] | None:
    """Return the lines that change the cells of one table to another's, None where they are too many."""
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
    """Return the code that writes a table out, or reads it from the file that a screen saves of this title."""
    if table.cells > MOST_CELLS:
        name = file_name("table.csv", title)
        line = f'table = FrequencyTable.from_csv("{name}")  # the counts that the page saves as CSV'
        return Code((line,), ("FrequencyTable",))
    axes = ",\n".join(f"        {axis.name!r}: {list(axis.labels)!r}" for axis in table.axes)
    counts = ",\n".join(f"        {row!r}" for row in table.counts.tolist())
    lines = ("table = FrequencyTable(", "    [", f"{counts},", "    ],", "    {", f"{axes},", "    },", ")")
    return Code(lines, ("FrequencyTable",))


def read_again(start: FrequencyTable | None, table: FrequencyTable, title: str, line: str, name: str) -> Code:
    """Return a line that reads what was there at the start, and one a changed cell; or the table, written out."""
    lines = None if start is None else changes(start, table)
    return written(table, title) if lines is None else Code((line, *lines), (name,))
