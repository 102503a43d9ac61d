"""A column that tables can be made by, and its categories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sdcwidgets.errors import InputError
from sdcwidgets.labels import listed, quoted

__all__ = ["MISSING", "SpanningVariable", "variable_of"]

#: What the category of missing values is called.
MISSING = "(missing)"

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class SpanningVariable:
    """A column that tables can be made by.

    Attributes
    ----------
    name : str
    labels : tuple of str
        Its categories in order, as people read them.
    stored : tuple
        The same as the data have them; None is a missing value.
    """

    name: str
    labels: tuple[str, ...]
    stored: tuple[Any, ...]

    def position(self, label: str) -> int:
        """Return where a label stands, or raise InputError."""
        if label not in self.labels:
            raise InputError(
                f"{quoted(self.name)} has no category {quoted(label)}; it has {listed(self.labels[:12])}."
            )
        return self.labels.index(label)


def variable_of(name: str, values: list[Any], given: Sequence[str] | None) -> SpanningVariable:
    """Return a variable of the values that were found, in the order given or in a natural one."""
    by_label = {MISSING if value is None else str(value): value for value in values}
    if given is not None:
        for label in given:
            by_label.setdefault(label, label)
        order = {label: k for k, label in enumerate(given)}
        labels = sorted(by_label, key=lambda label: order.get(label, len(order)))
    else:
        labels = sorted(by_label, key=lambda label: (label == MISSING, _natural(label)))
    if not labels:
        raise InputError(f"{quoted(name)} has no categories, since there are no rows.")
    return SpanningVariable(name, tuple(labels), tuple(by_label[label] for label in labels))


def _natural(label: str) -> list[tuple[int, float, str]]:
    """Return a key that sorts 5-9 before 10-14."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(label) if part]
