"""JSON-stat 2.0, a format of many statistical offices: dense or sparse values, and a status per value."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sdcwidgets.tables.io.formats.base import Format, SheetCells, register
from sdcwidgets.tables.io.formats.cube import Cube, distinct, is_json_object, readable, shape_fits


@register
@dataclass(frozen=True)
class JsonStat(Format):
    """A dataset of JSON-stat 2.0, or the first dataset of a bundle of version 1."""

    content: bytes
    called: str
    name: ClassVar[str] = "json-stat"
    title: ClassVar[str] = "JSON-stat"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a JSON object with dimensions and values."""
        return is_json_object(content, b"dimension", b"value")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the dataset in these bytes."""
        return cls(content, name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            data = json.loads(self.content.decode("utf-8-sig"))
            if "dimension" not in data:
                data = next(iter(data.values()))
            about = data["dimension"]
            ids, role = data.get("id") or about["id"], data.get("role") or about.get("role") or {}
            dimensions = []
            apart = []
            for code in ids:
                label = str(about[code].get("label") or code)
                if code in (*role.get("time", ()), *role.get("metric", ())):
                    apart.append(label)
                dimensions.append((label, _labels(about[code]["category"])))
            if len({label for label, _ in dimensions}) < len(ids):
                dimensions = [(str(code), labels) for code, (_, labels) in zip(ids, dimensions, strict=True)]
                apart = [*role.get("time", ()), *role.get("metric", ())]
            codes = {
                name: dict(zip(labels, _codes(about[code]["category"]), strict=True))
                for code, (name, labels) in zip(ids, dimensions, strict=True)
            }
            values = self._values(data, dimensions)
            return Cube(tuple(dimensions), values, tuple(apart), codes=codes).sheet()

    def _values(
        self, data: dict[str, Any], dimensions: list[tuple[str, tuple[str, ...]]]
    ) -> Callable[[int], object]:
        """Return a function of a position, which returns the value, or the status of a missing value."""
        values, status = data["value"], data.get("status") or {}
        if isinstance(values, list):
            shape_fits(len(values), dimensions, self.called)

        def value_at(at: int) -> object:
            value = values[at] if isinstance(values, list) else values.get(str(at))
            if value is not None:
                return value
            why = status if isinstance(status, str) else None
            why = status[at] if isinstance(status, list) else why or status.get(str(at))
            return why or ".."

        return value_at


def _labels(category: dict[str, Any]) -> tuple[str, ...]:
    """Return the labels of a dimension in the order of their index."""
    labels, codes = category.get("label") or {}, _codes(category)
    return distinct([str(labels.get(code, code)) for code in codes], codes)


def _codes(category: dict[str, Any]) -> list[str]:
    """Return the codes of a dimension in the order of their index."""
    index = category.get("index")
    if index is None:
        index = list(category.get("label") or {})
    codes = sorted(index, key=index.__getitem__) if isinstance(index, dict) else list(index)
    return [str(code) for code in codes]
