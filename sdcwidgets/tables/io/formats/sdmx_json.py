"""SDMX-JSON 1.0 and 2.0: data messages with the positions of labels in lists of the dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import RIGHT, SheetCells, register
from sdcwidgets.tables.io.formats.cube import distinct, is_json_object, readable
from sdcwidgets.tables.io.formats.json_text import JsonFile, json_value
from sdcwidgets.tables.io.formats.sdmx import observations

#: A dimension or attribute, with its values, as the file states it.
Component = Mapping[str, Any]


@register
@dataclass(frozen=True)
class SdmxJson(JsonFile):
    """The first data set of an SDMX-JSON message."""

    structure: Mapping[str, Any]
    data: Mapping[str, Any]
    called: str
    name: ClassVar[str] = "sdmx-json"
    title: ClassVar[str] = "SDMX-JSON"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    order: ClassVar[float] = 45

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a JSON object with data sets and a structure."""
        return is_json_object(content, b"dataSets") and b'"structure' in content

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the message in these bytes."""
        message = json_value(content, name)
        with readable(cls.title, name):
            message = message.get("data", message)
            datasets = [
                data for data in message["dataSets"] if data.get("series") or data.get("observations")
            ]
            if not datasets:
                raise InputError(f"{name} is SDMX-JSON without values; load the data.")
            if len(datasets) > 1:
                raise InputError(f"{name} has {len(datasets):,} data sets; load a message with one of them.")
            structures = message.get("structures") or [message["structure"]]
            return cls(structures[int(datasets[0].get("structure") or 0)], datasets[0], name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            by_level = self.structure["dimensions"]
            series, inner = (list(by_level.get(level) or ()) for level in ("series", "observation"))
            if not self.data.get("series"):
                series = []
            dimensions = [*series, *inner]
            labels = [_labels(part) for part in dimensions]
            ids = [str(part["id"]) for part in dimensions]
            names = distinct([_named(part) for part in dimensions], ids)
            if not dimensions or len({*names}) < len(names):
                raise InputError(f"{self.called} has no dimensions with unique names; {RIGHT}.")
            head = [*ids, "OBS_VALUE", "OBS_STATUS", "UNIT_MULT"]
            rows = list(self._rows(series, labels))
            if not any(row[-1] for row in rows):
                head, rows = head[:-1], [row[:-1] for row in rows]
            sheet = observations(head, iter(rows))
            called = dict(zip(ids, names, strict=True))
            codes = {
                called[part["id"]]: dict(zip(of, _ids(part), strict=True))
                for part, of in zip(dimensions, labels, strict=True)
            }
            lines = iter(sheet.rows)
            first = [called.get(str(cell), cell) for cell in next(lines)]
            times = [_named(part) for part in dimensions if part.get("role") == "time"]
            apart = dict.fromkeys([*(called.get(axis, axis) for axis in sheet.apart), *times])
            return replace(
                sheet,
                rows=chain([first], lines),
                by=names,
                count=str(first[-1]),
                apart=tuple(apart),
                codes=codes,
            )

    def _rows(self, series: Sequence[Component], labels: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """Yield the labels, the value, the status and the multiplier of each value."""
        attributes = self.structure.get("attributes") or {}
        measures = (self.structure.get("measures") or {}).get("observation") or [{}]
        of_data = _attributes(attributes.get("dataSet"), self.data.get("attributes"))
        groups = self.data.get("series") or {"": {"observations": self.data["observations"]}}
        for key, group in groups.items():
            of_group = of_data | _attributes(attributes.get("series"), group.get("attributes"))
            start = [int(part) for part in key.split(":")] if series else []
            for inner, cells in group["observations"].items():
                at = [*start, *(int(part) for part in inner.split(":"))]
                of_cell = of_group | _attributes(attributes.get("observation"), cells[len(measures) :])
                value = "" if not cells or cells[0] is None else str(cells[0])
                if len(at) != len(labels) or min(at) < 0:
                    raise ValueError(inner)
                where = [of[position] for of, position in zip(labels, at, strict=True)]
                status = of_cell.get("OBS_STATUS") or of_cell.get("OBS_FLAG") or ""
                multiplier = of_cell.get("UNIT_MULT", "")
                yield [*where, value, status, "" if multiplier == "0" else multiplier]


def _attributes(components: Sequence[Component] | None, positions: Sequence[Any] | None) -> dict[str, str]:
    """Return the code of each attribute that has a value."""
    values = dict[str, str]()
    for part, position in zip(components or (), positions or (), strict=False):
        if isinstance(position, int) and position < len(part.get("values") or ()):
            chosen = part["values"][position] or {}
            values[str(part["id"])] = str(chosen.get("id") or chosen.get("name") or "")
    return values


def _named(part: Component) -> str:
    """Return the name of a dimension or label: its only name, its first name by language, or its code."""
    name = part.get("name") or next(iter((part.get("names") or {}).values()), "")
    if isinstance(name, dict):
        name = next(iter(name.values()), "")
    return str(name or part.get("id") or part.get("value") or "")


def _ids(part: Component) -> list[str]:
    return [str(value.get("id") or _named(value)) for value in part["values"]]


def _labels(part: Component) -> tuple[str, ...]:
    return distinct([_named(value) for value in part["values"]], _ids(part))
