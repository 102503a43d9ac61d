"""JSON of e-Stat, the portal of Japan's statistics: values with codes, and classes with the labels of the codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import RIGHT, Row, SheetCells, register
from sdcwidgets.tables.io.formats.cube import distinct, is_json_object, readable, value_beside
from sdcwidgets.tables.io.formats.json_text import JsonFile, json_value


@register
@dataclass(frozen=True)
class EStatJson(JsonFile):
    """A table of the interface of e-Stat, with a row for each value."""

    data: Mapping[str, Any]
    called: str
    name: ClassVar[str] = "e-stat"
    title: ClassVar[str] = "JSON of e-Stat"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a JSON object with classes and values."""
        return is_json_object(content, b"STATISTICAL_DATA", b"CLASS_OBJ")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the table in these bytes."""
        value = json_value(content, name)
        with readable(cls.title, name):
            data = value.get("GET_STATS_DATA", value)["STATISTICAL_DATA"]
            if not data.get("DATA_INF", {}).get("VALUE"):
                raise InputError(f"{name} is {cls.title} without values, such as a description; {RIGHT}.")
            return cls(data, name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            classes = _listed(self.data["CLASS_INF"]["CLASS_OBJ"])
            labels = dict[str, dict[str, str]]()
            for part in classes:
                own = _listed(part["CLASS"])
                codes = [str(of["@code"]) for of in own]
                names = distinct([str(of["@name"]) for of in own], codes)
                labels[str(part["@id"])] = dict(zip(codes, names, strict=True))
            keys = list(labels)
            axes = distinct([str(part["@name"]) for part in classes], keys)
            count = value_beside(axes)
            values = _listed(self.data["DATA_INF"]["VALUE"])
            rows: list[Row] = [[*axes, count]]
            rows += [[*(labels[key][value[f"@{key}"]] for key in keys), value["$"]] for value in values]
            units = {str(value.get("@unit", "")) for value in values}
            apart = [axis for axis, key in zip(axes, keys, strict=True) if key in ("time", "tab")]
            return SheetCells(
                rows,
                by=axes,
                count=count,
                apart=tuple(apart),
                unit=units.pop() if len(units) == 1 else "",
                codes={
                    axis: {label: code for code, label in labels[key].items()}
                    for axis, key in zip(axes, keys, strict=True)
                },
            )


def _listed(part: Any) -> list[Mapping[str, Any]]:
    """Return a list; the interface returns an object in place of a list with one object."""
    return part if isinstance(part, list) else [part]
