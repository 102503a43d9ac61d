"""What a state holds, as plain values that do not depend on how a link writes it."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from sdcwidgets.methods import Method
from sdcwidgets.tables.io.sources import Source
from sdcwidgets.tables.table import FrequencyTable


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: of a dataclass each field that is compared, by name."""
    if isinstance(value, FrequencyTable):
        return {
            "axes": [[axis.name, list(axis.labels)] for axis in value.axes],
            "counts": value.counts.ravel().tolist(),
        }
    if isinstance(value, Source):
        original = value.original
        return {"title": value.title, "unit": value.unit} | (
            {} if original is None else {"people": original.total}
        )
    if is_dataclass(value) and not isinstance(value, type):
        held = {item.name: plain(getattr(value, item.name)) for item in fields(value) if item.compare}
        return held | ({"method": value.name} if isinstance(value, Method) else {})
    if isinstance(value, Mapping):
        return sorted([plain(key), plain(item)] for key, item in value.items())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value
