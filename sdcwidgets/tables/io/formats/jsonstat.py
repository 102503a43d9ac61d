"""JSON-stat 2.0, a format of many statistical offices: dense or sparse values, and a status per value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed
from sdcwidgets.tables.io.formats.base import RIGHT, SheetCells, register
from sdcwidgets.tables.io.formats.cube import Cube, distinct, is_json_object, readable, shape_fits
from sdcwidgets.tables.io.formats.json_text import JsonFile, json_value


@register
@dataclass(frozen=True)
class JsonStat(JsonFile):
    """The datasets of JSON-stat 2.0, or of a bundle of version 1; each dataset is a sheet."""

    datasets: Mapping[str, Mapping[str, Any]]
    called: str
    name: ClassVar[str] = "json-stat"
    title: ClassVar[str] = "JSON-stat"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content is a JSON object with dimensions and values."""
        return is_json_object(content, b"dimension", b"value", b"category")

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the dataset in these bytes."""
        value = json_value(content, name)
        with readable(cls.title, name):
            datasets = dict[str, Mapping[str, Any]]()
            for key, data in _datasets(value):
                label = str(data.get("label") or key)
                datasets[label if label not in datasets else f"{label} ({key})"] = data
        if not datasets:
            raise InputError(f"{name} is JSON-stat without values, such as a list of links; {RIGHT}.")
        return cls(datasets, name)

    def names(self) -> tuple[str, ...]:
        """Return the labels of several datasets."""
        return ("",) if len(self.datasets) == 1 else tuple(self.datasets)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        if name not in self.names():
            raise InputError(f"The file has no {name!r}; it has {listed(self.names())}.")
        with readable(self.title, self.called):
            data = self.datasets[name] if len(self.datasets) > 1 else next(iter(self.datasets.values()))
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
            kinds = [label for name, labels in dimensions if name in apart for label in labels]
            contents = (str(data.get("label") or ""), *kinds)
            return Cube(tuple(dimensions), values, tuple(apart), codes=codes, contents=contents).sheet()

    def _values(
        self, data: Mapping[str, Any], dimensions: list[tuple[str, tuple[str, ...]]]
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


def _datasets(value: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the datasets with values of a dataset, a bundle or a collection, with a name for each."""
    if not isinstance(value, dict):
        return
    if isinstance(value.get("dimension"), dict):
        if "value" in value:
            yield "dataset", value
        return
    link = value.get("link")
    items = link.get("item") if isinstance(link, dict) else None
    parts = (
        enumerate(items, 1) if isinstance(items, list) else items.items() if isinstance(items, dict) else ()
    )
    for key, part in [*value.items(), *parts]:
        if isinstance(part, dict) and isinstance(part.get("dimension"), dict) and "value" in part:
            yield str(key), part


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
