"""A cube of values with labelled dimensions, as offices exchange it: what its formats share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import RIGHT, Row, SheetCells

#: The most values of a cube, of which slices are read.
_MOST_VALUES = 5_000_000


def is_json_object(content: bytes, *keys: bytes) -> bool:
    """Return whether bytes begin as a JSON object and contain all keys.

    Examples
    --------
    >>> is_json_object(b'{"value": 1}', b"value"), is_json_object(b"[1]"), is_json_object(b"{}", b"value")
    (True, False, False)
    """
    start = content[:3].removeprefix(b"\xef\xbb\xbf") + content[3:20]
    return start.lstrip().startswith(b"{") and all(b'"' + key + b'"' in content for key in keys)


@dataclass(frozen=True)
class Cube:
    """Values of all combinations of labels, in row-major order.

    Attributes
    ----------
    dimensions : tuple of (str, tuple of str)
        Each with its name and labels.
    value_at : callable
        Gives what stands at a place: a number, or a text where there is none.
    apart : tuple of str
        Dimensions that are never added up, such as times and kinds of figures.
    unit : str
        The unit of all values, "" if the file does not state one.
    codes : mapping of str to mapping
        Code of each label, for dimensions with codes.
    """

    dimensions: tuple[tuple[str, tuple[str, ...]], ...]
    value_at: Callable[[int], object]
    apart: tuple[str, ...] = ()
    unit: str = ""
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        cells = math.prod(len(labels) for _, labels in self.dimensions)
        if not self.dimensions or not cells:
            raise InputError("The table is empty; it needs at least one dimension with labels.")
        if cells > _MOST_VALUES:
            raise InputError(f"The file has {cells:,} values; at most {_MOST_VALUES:,} are read.")

    def sheet(self, remarks: Sequence[str] = ()) -> SheetCells:
        """Return a row for each value."""
        names = tuple(name for name, _ in self.dimensions)
        count = value_beside(names)
        return SheetCells(
            self._rows(count),
            typed=True,
            by=names,
            count=count,
            apart=self.apart,
            unit=self.unit,
            codes=self.codes,
            remarks=lambda: tuple(remarks),
        )

    def _rows(self, count: str) -> Iterator[Row]:
        yield [*(name for name, _ in self.dimensions), count]
        for at, labels in enumerate(itertools.product(*(labels for _, labels in self.dimensions))):
            yield [*labels, self.value_at(at)]


def value_beside(names: Sequence[str]) -> str:
    """Return what the column of the values is called: no dimension is called so.

    Examples
    --------
    >>> value_beside(["Area"]), value_beside(["Area", "Value"])
    ('Value', 'Value of the cell')
    """
    return "Value of the cell" if "Value" in names else "Value"


@contextmanager
def readable(kind: str, name: str) -> Iterator[None]:
    """Say in one sentence what a damaged file makes fail in many ways."""
    try:
        yield
    except InputError:
        raise
    except Exception:
        raise InputError(
            f"{name} begins like {kind} but cannot be read, so the file may be damaged; {RIGHT}."
        ) from None


def distinct(labels: Sequence[str], codes: Sequence[str]) -> tuple[str, ...]:
    """Return labels, with their codes where one is there twice.

    Examples
    --------
    >>> distinct(["Total", "A", "A"], ["T", "1", "2"])
    ('Total', 'A (1)', 'A (2)')
    """
    if len(set(labels)) == len(labels):
        return tuple(labels)
    return tuple(
        f"{label} ({code})" if labels.count(label) > 1 else label
        for label, code in zip(labels, codes, strict=True)
    )


def shape_fits(number: int, dimensions: Sequence[tuple[str, Sequence[str]]], name: str) -> None:
    """Refuse a file with more or fewer values than its dimensions have combinations."""
    cells = math.prod(len(labels) for _, labels in dimensions)
    if number != cells:
        raise InputError(
            f"{(quoted(name) if name[:1] != chr(34) else name)} has {number:,} values for {cells:,} "
            "cells; the file must have one value per cell."
        )
