"""Axis of a table: a name, and a label for each category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import default_names, listed, quoted, unwritable

if TYPE_CHECKING:
    #: Accepted types of axes: `Axis` objects, (name, labels) pairs or {name: labels}.
    AxesLike = Sequence["Axis | tuple[str, Sequence[object]]"] | Mapping[str, Sequence[object]]


class BlankLabel(InputError):
    """A label of an axis is blank."""


class RepeatedLabel(InputError):
    """An axis has a label twice."""


@dataclass(frozen=True)
class Axis:
    """Axis of a table with its name and labels.

    Labels are data and are not changed. They must be unique and not blank; numbers are converted to text.

    Parameters
    ----------
    name : str
    labels : sequence of str
    observed : bool
        Whether the labels were read from records, so that each category has at least one person. Data users may
        use this fact, so the intervals and the verdict of a release use it, too. It is no part of equality.
    codes : sequence of str
        Code of each label in the file of the table, such as "01" for "North" (default: none). Codes must be unique.
        PX and JSON-stat files of a release have them again. They are no part of equality.

    Examples
    --------
    >>> list(Axis("Sex", ["Male", "Female"]))
    ['Male', 'Female']
    """

    name: str
    labels: tuple[str, ...]
    observed: bool = field(default=False, compare=False)
    codes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self.name))
        if isinstance(self.labels, str) or not isinstance(self.labels, Iterable):
            raise InputError(
                f"The labels of axis {quoted(self.name)} are {self.labels!r}; they must be a list of labels."
            )
        object.__setattr__(self, "labels", tuple(map(str, self.labels)))
        if not self.name.strip():
            raise InputError("An axis has no name. Give it a name, such as Area.")
        if not self.labels:
            raise InputError(f"Axis {quoted(self.name)} has no labels; it needs at least one.")
        if not all(map(str.strip, self.labels)):
            position = next(i for i, label in enumerate(self.labels) if not label.strip())
            raise BlankLabel(
                f"Label {position + 1} of axis {quoted(self.name)} is blank; every category needs a label."
            )
        for label in (self.name, *self.labels):
            character = unwritable(label)
            if character is not None:
                raise InputError(
                    f"{quoted(label)} has the character {character}, which files cannot contain. Remove it."
                )
        if len(set(self.labels)) < len(self.labels):
            twice = Counter(self.labels).most_common(1)[0][0]
            raise RepeatedLabel(
                f"Axis {quoted(self.name)} has the label {quoted(twice)} twice; labels must be different."
            )
        object.__setattr__(self, "codes", tuple(map(str, self.codes)))
        if self.codes and len(set(self.codes)) != len(self.labels):
            raise InputError(
                f"Axis {quoted(self.name)} has {len(set(self.codes))} different codes for {len(self.labels)} labels; "
                "each label needs its own code."
            )

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __contains__(self, label: object) -> bool:
        return label in self._places

    @cached_property
    def _places(self) -> dict[str, int]:
        return {label: position for position, label in enumerate(self.labels)}

    def position(self, label: str) -> int:
        """Return the position of a label.

        Raises
        ------
        InputError
            If the axis has no such label.

        Examples
        --------
        >>> from sdcwidgets import Axis
        >>> Axis("Sex", ("Male", "Female")).position("Female")
        1
        """
        check_kind("label", label, str, "a text")
        try:
            return self._places[label]
        except KeyError:
            raise InputError(
                f"Axis {quoted(self.name)} has no label {quoted(label)}; it has {listed(self.labels)}."
            ) from None


def fitting_axes(axes: AxesLike | None, shape: tuple[int, ...]) -> tuple[Axis, ...]:
    """Convert axes to `Axis` objects and check that they fit the shape of the counts."""
    if not shape or 0 in shape:
        raise InputError("There are no counts; a table needs at least one row and one column.")
    if axes is None:
        named = zip(default_names(len(shape)), shape, strict=True)
        axes = {name: [f"{name} {i + 1}" for i in range(length)] for name, length in named}
    try:
        pairs = axes.items() if isinstance(axes, Mapping) else axes
        fitted = tuple(
            [pair if isinstance(pair, Axis) else Axis(pair[0], tuple(map(str, pair[1]))) for pair in pairs]
        )
    except (IndexError, KeyError, TypeError):
        raise InputError(
            f"The axes are {axes!r}; give names with their labels, as in {{'Sex': ['m', 'f']}}."
        ) from None
    sizes = tuple([len(axis) for axis in fitted])
    if sizes != shape:
        raise InputError(
            f"The array of counts is {_by(shape)}, but the labels describe an array of {_by(sizes)}; "
            "each count needs a label on each axis."
        )
    names = [axis.name for axis in fitted]
    if len(set(names)) < len(names):
        raise InputError(f"The axes are named {listed(names)}; the names must be different.")
    return fitted


def _by(shape: tuple[int, ...]) -> str:
    return " by ".join(map(str, shape)) or "none"
