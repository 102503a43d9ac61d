"""Multi-way tables with labelled dimensions, and helper functions of the formats that contain them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import RIGHT, Row, SheetCells

#: Maximum number of values of a cube.
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
        The name and the labels of each dimension.
    value_at : callable
        Returns the value at a position: a number, or a text in place of a missing number.
    apart : tuple of str
        Dimensions over which counts must not be summed, such as times and indicators.
    unit : str
        The unit of all values, "" if the file does not state one.
    codes : mapping of str to mapping
        Code of each label, for dimensions with codes.
    contents : tuple of str
        Texts of the file that state what the values are, such as its title.
    """

    dimensions: tuple[tuple[str, tuple[str, ...]], ...]
    value_at: Callable[[int], object]
    apart: tuple[str, ...] = ()
    unit: str = ""
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    contents: tuple[str, ...] = ()

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
            contents=self.contents,
            remarks=lambda: tuple(remarks),
        )

    def _rows(self, count: str) -> Iterator[Row]:
        yield [*(name for name, _ in self.dimensions), count]
        for at, labels in enumerate(itertools.product(*(labels for _, labels in self.dimensions))):
            yield [*labels, self.value_at(at)]


def value_beside(names: Sequence[str]) -> str:
    """Return a name for the column of values that differs from the names of the dimensions.

    Examples
    --------
    >>> value_beside(["Area"]), value_beside(["Area", "Value"])
    ('Value', 'Value of the cell')
    """
    return "Value of the cell" if "Value" in names else "Value"


@contextmanager
def readable(kind: str, name: str) -> Iterator[None]:
    """Replace any other exception by an InputError with one sentence: a damaged file can fail in many ways."""
    try:
        yield
    except InputError:
        raise
    except Exception:
        raise InputError(
            f"{name} begins like {kind} but cannot be read, so the file may be damaged; {RIGHT}."
        ) from None


def distinct(labels: Sequence[str], codes: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, and add the code to each label that occurs more than once.

    Examples
    --------
    >>> distinct(["Total", "A", "A"], ["T", "1", "2"])
    ('Total', 'A (1)', 'A (2)')
    """
    if len(set(labels)) == len(labels):
        return tuple(labels)
    times = Counter(labels)
    return tuple(
        f"{label} ({code})" if times[label] > 1 else label for label, code in zip(labels, codes, strict=True)
    )


def shape_fits(number: int, dimensions: Sequence[tuple[str, Sequence[str]]], name: str) -> None:
    """Raise InputError if the number of values differs from the number of combinations of labels."""
    cells = math.prod(len(labels) for _, labels in dimensions)
    if number != cells:
        raise InputError(
            f"{(quoted(name) if name[:1] != chr(34) else name)} has {number:,} values for {cells:,} "
            "cells; the file must have one value per cell."
        )
