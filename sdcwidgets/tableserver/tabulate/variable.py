"""Variables of tables and their categories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, no_value_among, quoted

#: Label of the category of missing values.
MISSING = "(missing)"

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class SpanningVariable:
    """Categorical variable of the data.

    Attributes
    ----------
    name : str
    labels : tuple of str
        Ordered labels of the categories.
    stored : tuple
        Distinct values in the data; None is a missing value.
    places : tuple of int
        Category of each stored value. Unless the categories were given, values that differ only in
        surrounding blanks share a category, and so do codes of missing values.
    """

    name: str
    labels: tuple[str, ...]
    stored: tuple[object, ...]
    places: tuple[int, ...]

    def position(self, label: str) -> int:
        """Return the index of a label; raise InputError if it does not exist."""
        if label not in self.labels:
            raise InputError(
                f"{quoted(self.name)} has no category {quoted(label)}; it has {listed(self.labels[:12])}."
            )
        return self.labels.index(label)

    def stored_as(self, labels: Sequence[str]) -> list[object]:
        """Return the stored values of some categories, or raise InputError."""
        wanted = {self.position(label) for label in labels}
        return [value for value, position in zip(self.stored, self.places, strict=True) if position in wanted]


def variable_of(name: str, values: list[object], order_of: Sequence[str] | None) -> SpanningVariable:
    """Return a variable with the values of a column as its categories.

    Parameters
    ----------
    name : str
    values : list of object
        Distinct values of the column; None is a missing value.
    order_of : sequence of str or None
        Categories in their order; None for natural order.

    Returns
    -------
    SpanningVariable

    Raises
    ------
    InputError
        If there are no categories.

    Examples
    --------
    >>> variable_of("Job", ["b", "a ", "NA", None, "a"], None).labels
    ('a', 'b', '(missing)')
    """
    label_of = {value: str(value) for value in values if value is not None}
    if order_of is not None:
        order = {label: k for k, label in enumerate(order_of)}
        all_labels = list(label_of.values())
        if None in values:
            all_labels.insert(0, MISSING)
        seen = dict.fromkeys(all_labels, 0)
        labels = sorted({**seen, **order}, key=lambda label: order.get(label, len(order)))
    else:
        label_of = {value: label.strip() for value, label in label_of.items()}
        gone = no_value_among(label_of.values())
        label_of = {value: MISSING if label in gone else label for value, label in label_of.items()}
        every = set(label_of.values())
        if None in values:
            every.add(MISSING)
        labels = sorted(every, key=lambda label: (label == MISSING, _natural(label)))
    if not labels:
        raise InputError(f"{quoted(name)} has no categories, since there are no rows.")
    positions = {label: k for k, label in enumerate(labels)}
    places = tuple(positions[MISSING if value is None else label_of[value]] for value in values)
    return SpanningVariable(name, tuple(labels), tuple(values), places)


def _natural(label: str) -> list[tuple[int, float, str]]:
    """Return a sort key that places 5-9 before 10-14."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(label) if part]
