"""JSON with one object or list of values per row, as web interfaces of statistical offices return it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, Rows, SheetCells, register

_BEGINS = (b"{", b"[{", b"[[")


@register
@dataclass(frozen=True)
class JsonRecords(Format):
    """A list of records: objects with the same keys, or lists of values below a list of names.

    The list can be inside an object, as OData returns it. Instead of a list, the file can have one record per line.
    """

    rows: tuple[Row, ...]
    name: ClassVar[str] = "json-records"
    title: ClassVar[str] = "JSON of records"
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".jsonl", ".ndjson")
    order: ClassVar[float] = 60  # Other formats based on JSON are tried before this one.

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is JSON with a list of records."""
        start = content[:200].removeprefix(b"\xef\xbb\xbf").translate(None, b" \t\r\n")
        return start.startswith(_BEGINS) and bool(_records(content))

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the records in these bytes."""
        rows = _rows(_records(content))
        if any(isinstance(cell, list | dict) for row in rows for cell in row):
            raise InputError(f"{name} is JSON with records inside of records; {RIGHT}.")
        return cls(tuple(rows))

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each record, below the names."""
        return SheetCells(list(self.rows))


def _records(content: bytes) -> list[Any]:
    """Return the records; an empty list if the content has no list of records."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return []
    try:
        value = json.loads(text)
    except ValueError:
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return []
    if isinstance(value, dict):
        lists = [part for part in value.values() if _are_records(part)]
        value = lists[0] if len(lists) == 1 else None
    return value if _are_records(value) else []


def _are_records(value: object) -> bool:
    """Return whether a value is a list of several objects, or of several lists of the same length."""
    if not isinstance(value, list) or len(value) < 2:
        return False
    if all(isinstance(record, dict) for record in value):
        return True
    return all(isinstance(record, list) for record in value) and len({*map(len, value)}) == 1


def _rows(records: list[Any]) -> Rows:
    """Return the names and a row for each record.

    Examples
    --------
    >>> _rows([{"Sex": "m", "Count": 3}, {"Sex": "f", "Age": "0-4", "Count": True}])
    [['Sex', 'Count', 'Age'], ['m', 3, ''], ['f', 'true', '0-4']]
    """
    if isinstance(records[0], list):
        return [[_cell(value) for value in record] for record in records]
    names = list(dict.fromkeys(name for record in records for name in record))
    named = records[0]
    if len(records) > 2 and _is_heading(named, records[1:]):
        # Some interfaces return the names of the columns as the first record, and codes as keys.
        return [[str(named.get(name, name)) for name in names], *_below(names, records[1:])]
    return [names, *_below(names, records)]


def _below(names: list[str], records: list[Any]) -> Iterator[Row]:
    for record in records:
        yield [_cell(record.get(name)) for name in names]


def _is_heading(first: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """Return whether the first record has texts where all other records have numbers."""
    return any(
        isinstance(value, str)
        and not _is_number(value)
        and all(_is_number(other.get(name)) for other in others)
        for name, value in first.items()
    )


def _is_number(value: object) -> bool:
    return isinstance(value, str) and value.replace(".", "", 1).isdecimal()


def _cell(value: object) -> object:
    """Return a value as the cell of a sheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value
