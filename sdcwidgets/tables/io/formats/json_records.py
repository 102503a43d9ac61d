"""JSON with one object or list of values per row, as web interfaces of statistical offices return it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed
from sdcwidgets.tables.io.formats.base import RIGHT, Rows, SheetCells, register
from sdcwidgets.tables.io.formats.json_tables import NestedRecords, tables_in
from sdcwidgets.tables.io.formats.json_text import JsonFile, begins_like_json, json_value


@register
@dataclass(frozen=True)
class JsonRecords(JsonFile):
    """Lists of records: objects with the same keys, rows below a list of names, columns, or areas of GeoJSON.

    A list can be inside an object, as OData returns it. Instead of a list, the file can have one record per line. If
    a file has several tables, each one is a sheet, whose name consists of the keys that lead to the table.
    """

    tables: Mapping[str, Rows]
    name: ClassVar[str] = "json-records"
    title: ClassVar[str] = "JSON of records"
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".geojson", ".jsonl", ".ndjson")
    order: ClassVar[float] = 60  # Other formats based on JSON are tried before this one.

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins like JSON with lists or objects."""
        return begins_like_json(content)

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the records in these bytes."""
        try:
            tables = tables_in(json_value(content, name))
        except NestedRecords:
            raise InputError(f"{name} is JSON with records inside of records; {RIGHT}.") from None
        if not tables:
            raise InputError(f"{name} is JSON without a list of records that have numbers; {RIGHT}.")
        return cls(tables)

    def names(self) -> tuple[str, ...]:
        """Return the keys that lead to each table; "" for a single table."""
        return ("",) if len(self.tables) == 1 else tuple(self.tables)

    def tried(self) -> Iterator[str]:
        """Yield the names of the tables; the table with the most cells is first."""
        cells = {name: sum(map(len, rows)) for name, rows in self.tables.items()}
        yield from self.names() if len(cells) == 1 else sorted(cells, key=lambda name: -cells[name])

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each record, below the names."""
        if name not in self.names():
            raise InputError(f"The file has no {name!r}; it has {listed(self.names())}.")
        rows = next(iter(self.tables.values())) if len(self.tables) == 1 else self.tables[name]
        return SheetCells([list(row) for row in rows])
