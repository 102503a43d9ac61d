"""What every format is: bytes in, sheets of cells out; what the cells mean is found out in `layout`.

A format is one class with `@register`. The file picker, the sentences that say what is read, and the tests of laws find
it there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import quoted, shortened
from sdcwidgets._util.registry import Registry
from sdcwidgets.tables.io.formats.argus import is_metadata, metadata_of, records_as_csv

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.tables.io.questions import Doubt

Row = list[Any]
Rows = list[Row]


class Unsaved(str):
    """A blank cell: it holds a formula whose value was not saved with it."""

    __slots__ = ()


#: What is told where a file is none that is read.
RIGHT = "load a table as CSV text or as an .xlsx workbook"

#: Cells of a file that is read whole; a million of them take about 60 MB.
_LABELS_AND_TOTALS = 10_000


@dataclass(frozen=True)
class SheetCells:
    """The cells of a sheet.

    Attributes
    ----------
    rows : iterable of list
        Read once, from the top; a blank row is empty.
    typed : bool
        Whether a cell's type says whether it is a number.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that it is taken as it is.
    by : tuple of str
        The columns with labels, where the format itself says that each row is one cell of a table.
    count : str
        Then, the column with the counts.
    apart : tuple of str
        Then, those columns over which nothing is added up, such as times.
    unit : str
        Then, the unit of all counts if the format states one.
    codes : mapping of str to mapping
        Then, the code of each label of a column, for columns with codes.
    remarks : callable
        Gives what a person should know of it, one sentence each, once the rows were read.
    """

    rows: Iterable[Row]
    typed: bool = False
    own: bool = False
    by: tuple[str, ...] = ()
    count: str = ""
    apart: tuple[str, ...] = ()
    unit: str = ""
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    remarks: Callable[[], tuple[str, ...]] = tuple


class Format(ABC):
    """A file of one format; made of its bytes.

    Attributes
    ----------
    name : str
        The name to call it by.
    title : str
        What a sentence calls a file of it.
    suffixes : tuple of str
        How names of its files end, with the point; its content decides.
    order : float
        Formats are asked in this order whether they know a content; the last knows any text.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    order: ClassVar[float] = 50

    @classmethod
    @abstractmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is of this format, by how it begins; without much work."""

    @classmethod
    @abstractmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file; `name` is what a sentence calls it, `limit` the most cells of a table.

        Raises
        ------
        InputError
            If it is damaged or too large.
        """

    def names(self) -> tuple[str, ...]:
        """Return the names of its sheets; one without a name where it has no sheets."""
        return ("",)

    def tried(self) -> Iterator[str]:
        """Yield the sheets to look through for the first that holds a table."""
        yield from self.names()

    @abstractmethod
    def sheet(self, name: str) -> SheetCells:
        """Return a sheet of this name."""

    def doubts(self) -> list[Doubt]:
        """Return what the content leaves open before it is a sheet."""
        return []

    def remark(self, name: str) -> tuple[str, ...]:
        """Say which sheet was taken where nobody chose one."""
        names = self.names()
        if len(names) == 1:
            return ()
        which = "the first" if name == names[0] else f"number {names.index(name) + 1}"
        return (f"The sheet {quoted(name)}, {which} of {len(names)}, was read.",)


_FORMATS = Registry[type[Format]]("format", lambda kind: kind.order)

F = TypeVar("F", bound=type[Format])


def register(cls: F) -> F:
    """Make a format known by its name; a decorator."""
    _FORMATS.add(cls.name, cls)
    return cls


def available() -> tuple[str, ...]:
    """Return the names of all formats, in the order in which they are asked whether they know a content."""
    return _FORMATS.names()


def get(name: str) -> type[Format]:
    """Return the class of a format, or raise InputError."""
    return _FORMATS.get(name)


def of(content: bytes) -> type[Format]:
    """Return the format of a content: the first that knows it."""
    return next(kind for kind in map(get, available()) if kind.knows(content))


def suffixes() -> tuple[str, ...]:
    """Return how names of files end that are read, for a file picker."""
    return tuple(dict.fromkeys(ending for name in available() for ending in get(name).suffixes))


def file_bytes(path: str | PathLike[str], content: str = "a table") -> bytes:
    """Return the content of a file; `content` says in the message of an error what the file should contain.

    Microdata of τ-ARGUS in an .rda and an .asc file are returned as CSV text.

    Raises
    ------
    InputError
        If there is no such file or it cannot be read.
    """
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
        return records_as_csv(Path(path)) if is_metadata(Path(path), read) else read
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the file name is not valid"
        raise InputError(
            f"The file {shortened(path)} cannot be read: {why.lower()}; give the path of {content}."
        ) from None


def frame_of(data: Any) -> pd.DataFrame:
    """Return what pandas makes a DataFrame of, a Series too, or refuse it."""
    import pandas as pd

    try:
        return pd.DataFrame(data)
    except (TypeError, ValueError):
        raise InputError(
            f"The data are {type_with_article(data)}, which is not a DataFrame. "
            "Pass a DataFrame, or read a file or text with from_csv."
        ) from None


def most_cells(limit: int | None) -> float:
    """Return how many cells of a file may be read for a table of `limit` cells: it has labels and totals too."""
    return float("inf") if limit is None else limit + limit // 4 + _LABELS_AND_TOTALS
