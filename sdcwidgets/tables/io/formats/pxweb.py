"""The older JSON format of PxWeb: a list of cells, each with its keys and values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import Row, SheetCells, register
from sdcwidgets.tables.io.formats.cube import is_json_object, readable
from sdcwidgets.tables.io.formats.json_text import JsonFile

#: Names of the columns of contents and of values, if there are several contents.
_CONTENTS, _VALUE = "Contents", "Value"


@register
@dataclass(frozen=True)
class PxWebJson(JsonFile):
    """A table in the format "json" of PxWeb, with a column for each dimension and content."""

    content: bytes
    called: str
    name: ClassVar[str] = "pxweb"
    title: ClassVar[str] = "JSON of PxWeb"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a JSON object with columns and cells."""
        return is_json_object(content, b"columns", b"data", b"key", b"values")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the table in these bytes."""
        return cls(content, name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each cell."""
        with readable(self.title, self.called):
            data = json.loads(self.content.decode("utf-8-sig"))
            columns = sorted(data["columns"], key=lambda column: column.get("type") == "c")
            contents = [column for column in columns if column.get("type") == "c"]
            names = [str(column.get("text") or column["code"]) for column in columns]
            cells = [[*cell["key"], *cell["values"]] for cell in data["data"]]
        if not contents or {len(names)} != {*map(len, cells)}:
            raise InputError(
                f"{self.called} is not a table of PxWeb: its cells need a value for each content."
            )
        times = [text for text, column in zip(names, columns, strict=True) if column.get("type") == "t"]
        axes, values = names[: -len(contents)], names[-len(contents) :]
        if len(values) == 1:
            return SheetCells([names, *cells], by=tuple(axes), count=values[0], apart=tuple(times))
        rows: list[Row] = [[*axes, _CONTENTS, _VALUE]]
        rows += [
            [*cell[: len(axes)], content, value]
            for cell in cells
            for content, value in zip(values, cell[len(axes) :], strict=True)
        ]
        return SheetCells(rows, by=(*axes, _CONTENTS), count=_VALUE, apart=(*times, _CONTENTS))
