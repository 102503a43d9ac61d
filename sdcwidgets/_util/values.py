"""Base class of values with arrays: comparison by content, copying and pickling by construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")


def with_fields(value: V, /, **changes: object) -> V:
    """Return a dataclass with changed fields, which the class checks itself.

    Examples
    --------
    >>> from sdcwidgets.measures.settings import Settings
    >>> with_fields(Settings(), seed=3).seed
    3
    """
    return replace(value, **changes)


def turned(value: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their defaults.

    Examples
    --------
    >>> from sdcwidgets.measures.settings import Settings
    >>> turned(Settings(seed=3))
    {'seed': 3}
    """
    usual = type(value)()
    now = {item.name: getattr(value, item.name) for item in fields(value)}
    return {name: current for name, current in now.items() if current != getattr(usual, name)}


class Value:
    """Base class of frozen dataclasses (declared with `eq=False`) whose fields contain arrays or mappings.

    Two values are equal if all compared fields are equal; nan equals nan.

    Examples
    --------
    >>> from copy import deepcopy
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets.tables.release import Release
    >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
    >>> deepcopy(release) == release, release == Release.of(FrequencyTable([[1, 0], [3, 4]]))
    (True, False)
    """

    __hash__ = None  # type: ignore[assignment]  # the fields contain arrays

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        for item in fields(self):  # type: ignore[arg-type]  # it is a dataclass
            mine, others = getattr(self, item.name), getattr(other, item.name)
            if item.compare and mine is not others and not _same(mine, others):
                return False
        return True

    def __repr__(self) -> str:
        held = (f"{item.name}={brief(getattr(self, item.name))}" for item in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(held)})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        held = (getattr(self, item.name) for item in fields(self))  # type: ignore[arg-type]  # as above
        # A read-only view of a dict cannot be pickled, so the constructor creates it again.
        return type(self), tuple(dict(value) if isinstance(value, Mapping) else value for value in held)


def _same(mine: object, others: object) -> bool:
    if isinstance(mine, Mapping):
        if not isinstance(others, Mapping) or mine.keys() != others.keys():
            return False
        for key, own in mine.items():
            other = others[key]
            if own is not other and not _same(own, other):
                return False
        return True
    if isinstance(mine, np.ndarray):
        if not isinstance(others, np.ndarray) or mine.shape != others.shape:
            return False
        return np.array_equal(mine, others, equal_nan=mine.dtype.kind == "f" == others.dtype.kind)
    if isinstance(mine, tuple | list):
        if type(mine) is not type(others) or len(mine) != len(others):
            return False
        for position, own in enumerate(mine):
            other = others[position]
            if own is not other and not _same(own, other):
                return False
        return True
    return mine == others or (mine != mine and others != others)
