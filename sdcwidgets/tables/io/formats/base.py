"""Base class and registry of file formats.

A format converts the bytes of a file to the cells of its sheets. The package `layout` then determines which cells are
labels and which are counts. Each format is one class with the decorator `@register`. The file picker, the lists of
formats in texts, and the tests of all formats use the registered classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import counted, quoted, shortened
from sdcwidgets._util.registry import Registry
from sdcwidgets.tables.io.formats.argus import is_metadata, metadata_of, records_as_csv

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.tables.io.questions import Doubt

Row = list[Any]
Rows = list[Row]


class Unsaved(str):
    """A blank cell with a formula whose value is not in the file."""

    __slots__ = ()


#: Advice at the end of messages about files that cannot be read.
RIGHT = "load a table as CSV text or as an .xlsx workbook"

#: Number of cells with labels or totals that a file may have in addition. A million cells take about 60 MB.
_LABELS_AND_TOTALS = 10_000

#: Maximum number of consecutive blank rows of a sheet.
_LONGEST_GAP = 50_000


@dataclass(frozen=True)
class SheetCells:
    """The cells of a sheet.

    Attributes
    ----------
    rows : iterable of list
        The rows from the top, which can be iterated only once. A blank row is an empty list.
    typed : bool
        Whether the types of the cells distinguish numbers from texts.
    own : bool
        Whether `FrequencyTable.to_csv` wrote the sheet. Its layout is then known and not guessed.
    by : tuple of str
        The columns with labels if the format states that each row is one cell of a table; otherwise empty.
    count : str
        The column with the counts if `by` is not empty.
    apart : tuple of str
        The columns of `by` over which counts must not be summed, such as times.
    unit : str
        The unit of all counts; "" if the format states none.
    contents : tuple of str
        Texts of the format that state what the counts are, such as their unit and title; empty if it has no such texts.
    codes : mapping of str to mapping
        The code of each label, for the columns of `by` with codes.
    across : int
        Number of the last columns of `by` whose labels are headings of columns in the format.
    above, below : tuple of str
        Texts of the file on its table, such as its title, and its source and notes.
    remarks : callable
        Returns sentences for the user about the sheet. Call it after the rows have been read.
    hidden : callable
        Returns the positions from 1 of hidden rows and columns with cells. Call it after the rows have been read.
    """

    rows: Iterable[Row]
    typed: bool = False
    own: bool = False
    by: tuple[str, ...] = ()
    count: str = ""
    apart: tuple[str, ...] = ()
    unit: str = ""
    contents: tuple[str, ...] = ()
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    across: int = 1
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    remarks: Callable[[], tuple[str, ...]] = tuple
    hidden: Callable[[], Mapping[str, set[int]]] = dict


class Format(ABC):
    """A file of one format, constructed from its bytes.

    Attributes
    ----------
    name : str
        Name of the format in the registry.
    title : str
        Noun phrase for a file of this format in messages.
    suffixes : tuple of str
        Usual endings of file names, with the point. The content of a file determines its format, not the ending.
    order : float
        Formats with a smaller number are tried first. The last format, delimited text, accepts any content.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    order: ClassVar[float] = 50

    @classmethod
    @abstractmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content has this format; a quick check, usually of the first bytes."""

    @classmethod
    @abstractmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file with this content.

        Parameters
        ----------
        content : bytes
        name : str
            Name of the file in messages.
        limit : int or None
            Maximum number of cells of a table; None for no limit.

        Raises
        ------
        InputError
            If the file is damaged or too large.
        """

    @classmethod
    def stated_encoding(cls, content: bytes) -> str | None:
        """Return the encoding that a text states; "" if it states none, and None if the format has one encoding."""
        return None

    def names(self) -> tuple[str, ...]:
        """Return the names of the sheets; a format without sheets has one sheet, whose name is ""."""
        return ("",)

    def visible(self) -> tuple[str, ...]:
        """Return the names of the sheets that are not hidden."""
        return self.names()

    def tried(self) -> Iterator[str]:
        """Yield the names of the sheets in the order in which the import searches for a table, hidden sheets last."""
        visible = set(self.visible())
        yield from sorted(self.names(), key=lambda name: name not in visible)

    @abstractmethod
    def sheet(self, name: str) -> SheetCells:
        """Return a sheet of this name."""

    @property
    def must_choose(self) -> bool:
        """Whether a user must choose the sheet, because each sheet is a file with a table of its own."""
        return False

    def doubts(self) -> list[Doubt]:
        """Return the questions that a user must answer before the sheets can be read."""
        return []

    def remark(self, name: str) -> tuple[str, ...]:
        """Return a sentence that names the sheet that was read, if there are several, and one if it is hidden."""
        names = self.names()
        which = "the first" if name == names[0] else f"number {names.index(name) + 1}"
        remarks = [f"The sheet {quoted(name)}, {which} of {len(names)}, was read."] if len(names) > 1 else []
        if name not in self.visible():
            remarks.append(f"The sheet {quoted(name)} is hidden.")
        return tuple(remarks)


def blank_rows(number: int) -> Rows:
    """Return blank rows before a filled row, or raise InputError if there are too many of them.

    Examples
    --------
    >>> blank_rows(2)
    [[], []]
    """
    if number >= _LONGEST_GAP:
        raise InputError(
            f"The sheet has more than {_LONGEST_GAP:,} consecutive empty rows. Delete them, or save the table in a "
            "separate sheet."
        )
    return [[] for _ in range(number)]


def hidden_note(hidden: Mapping[str, Collection[int]], where: str) -> tuple[str, ...]:
    """Return a sentence with the numbers of hidden rows and columns that are read, if there are any."""
    parts = [counted(len(numbers), f"hidden {word}") for word, numbers in hidden.items() if numbers]
    if not parts:
        return ()
    return (f"{where} has {' and '.join(parts)}, which the import also used.",)


_FORMATS = Registry[type[Format]]("format", lambda kind: kind.order)

F = TypeVar("F", bound=type[Format])


def register(cls: F) -> F:
    """Add a format to the registry; a class decorator."""
    _FORMATS.add(cls.name, cls)
    return cls


def available() -> tuple[str, ...]:
    """Return the names of all formats, in the order in which `of` tries them."""
    return _FORMATS.names()


def get(name: str) -> type[Format]:
    """Return the class of a format, or raise InputError."""
    return _FORMATS.get(name)


def of(content: bytes) -> type[Format]:
    """Return the first format whose `knows` accepts the content; that of several tables for such an archive."""
    from sdcwidgets.tables.io.formats.archive import SeveralTables

    kind = next(kind for kind in map(get, available()) if kind.knows(content))
    return SeveralTables if kind.name == "csv" and SeveralTables.knows(content) else kind


def suffixes() -> tuple[str, ...]:
    """Return the endings of file names that a file picker offers."""
    return (*dict.fromkeys(ending for name in available() for ending in get(name).suffixes), ".gz", ".zip")


def file_bytes(path: str | PathLike[str], content: str = "a table") -> bytes:
    """Return the content of a file; microdata of τ-ARGUS (.rda and .asc) are returned as CSV text.

    A zip archive with one table is unpacked.

    Parameters
    ----------
    path : str or PathLike
    content : str
        Noun phrase for the expected content in error messages.

    Raises
    ------
    InputError
        If the file does not exist or cannot be read.
    """
    from sdcwidgets.tables.io.formats.archive import unpacked

    if not isinstance(path, str | PathLike):
        right = "; a frame is read by from_frame" if hasattr(path, "columns") else ""
        raise InputError(
            f"A table cannot be read from {type_with_article(path)}: give a path, text or bytes{right}."
        )
    try:
        read = Path(path).read_bytes()
        metadata = metadata_of(Path(path))
        if metadata is not None:
            return records_as_csv(metadata, Path(path))
        if is_metadata(Path(path), read):
            return records_as_csv(Path(path))
        return unpacked(read, shortened(Path(path).name))
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the file name is not valid"
        raise InputError(
            f"The file {shortened(path)} cannot be read: {why.lower()}; give the path of {content}."
        ) from None


def frame_of(data: Any) -> pd.DataFrame:
    """Convert data to a DataFrame with pandas, or raise InputError."""
    import pandas as pd

    try:
        return pd.DataFrame(data)
    except (TypeError, ValueError):
        raise InputError(
            f"The data are {type_with_article(data)}, which is not a DataFrame. "
            "Pass a DataFrame, or read a file or text with from_csv."
        ) from None


def most_cells(limit: int | None) -> float:
    """Return the maximum number of cells of a file, including labels and totals, for a table of `limit` cells."""
    return float("inf") if limit is None else limit + limit // 4 + _LABELS_AND_TOTALS
