"""A frequency table: counts of people by named, labelled axes; it never changes, one makes a new one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    #: What a caller may give as axes: `Axis` objects, (name, labels) pairs or {name: labels}.
    AxesLike = Sequence["Axis | tuple[str, Sequence[object]]"] | Mapping[str, Sequence[object]]

__all__ = ["MOST_PEOPLE", "Axis", "FrequencyTable", "fault", "place", "quoted"]

#: The largest count and the largest total: up to here a float holds every whole number exactly.
MOST_PEOPLE = 2**53

#: A spreadsheet takes a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Axis:
    """One axis of a table: its name and the label of each of its categories.

    Labels are data and are kept as they are. They are unique and not blank; numbers become text.

    Examples
    --------
    >>> list(Axis("Sex", ["Male", "Female"]))
    ['Male', 'Female']
    """

    name: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.labels, str):
            raise InputError(f"The labels of {quoted(self.name)} are one text; give a list of labels.")
        object.__setattr__(self, "name", str(self.name))
        object.__setattr__(self, "labels", tuple(map(str, self.labels)))
        if not self.name.strip():
            raise InputError("An axis has no name; give it one, such as Area.")
        if not self.labels:
            raise InputError(f"Axis {quoted(self.name)} has no labels; it needs at least one.")
        if not all(map(str.strip, self.labels)):
            position = next(i for i, label in enumerate(self.labels) if not label.strip())
            raise InputError(
                f"Label {position + 1} of axis {quoted(self.name)} is blank; every category needs a label."
            )
        if len(set(self.labels)) < len(self.labels):
            twice = next(label for i, label in enumerate(self.labels) if label in self.labels[:i])
            raise InputError(
                f"Axis {quoted(self.name)} has the label {quoted(twice)} twice; every label must be different."
            )

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def position(self, label: str) -> int:
        """Return the position of a label.

        Raises
        ------
        InputError
            If the axis has no such label.
        """
        try:
            return self.labels.index(label)
        except ValueError:
            raise InputError(
                f"Axis {quoted(self.name)} has no label {quoted(label)}; it has {_listed(self.labels)}."
            ) from None


class FrequencyTable:
    """A table of counts of people with named, labelled axes, of any number of dimensions.

    It is a value: it never changes, two tables with equal counts and axes are equal, and methods
    return new tables. A table of zeros only is allowed, since a method may return one.

    Parameters
    ----------
    counts : array-like of whole numbers, shape (n1, n2, ...)
        At least 0; their sum is at most 2**53, so that a float holds every sum exactly.
    axes : sequence of Axis or of (name, labels), mapping {name: labels}, or None
        One for each dimension. None gives the names Row and Column, and the labels "Row 1", "Row 2" ...

    Raises
    ------
    InputError
        If a count is not a whole number of at least 0 (the sentence names its row and column), or if
        counts and axes do not fit together.

    Examples
    --------
    The table of PSD 2014, Table 4, has 302 people in its first area:

    >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["Area 1", "Area 2"], "Sex": ["Male", "Female"]})
    >>> table
    FrequencyTable(Area: 2, Sex: 2; 501 people)
    >>> table.margin("Area").counts
    array([302, 199])
    """

    __slots__ = ("_axes", "_counts", "_total")

    _axes: tuple[Axis, ...]
    _counts: NDArray[np.int64]
    _total: int

    def __init__(self, counts: ArrayLike, axes: AxesLike | None = None) -> None:
        try:
            array = np.array(counts, order="C")
        except ValueError:
            raise InputError("The rows have different lengths; every row needs the same columns.") from None
        self._axes = _fitting(axes, array.shape)
        if array.dtype != np.int64:
            array = _whole(array, self._axes)
        if array.min() < 0:
            _refuse(array, self._axes, array >= 0)
        if array.sum(dtype=np.float64) > 2 * MOST_PEOPLE or array.sum() > MOST_PEOPLE:
            _refuse(array, self._axes, array <= MOST_PEOPLE)
            raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the most that is kept exactly.")
        array.flags.writeable = False
        self._counts = array
        self._total = int(array.sum())

    @property
    def counts(self) -> NDArray[np.int64]:
        """The counts, read-only, one dimension an axis."""
        return self._counts

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes, in the order of the dimensions of the counts."""
        return self._axes

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of categories of each axis."""
        return self._counts.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._counts.ndim

    @property
    def total(self) -> int:
        """N, the number of people."""
        return self._total

    @property
    def cells(self) -> int:
        """K, the number of cells."""
        return self._counts.size

    @property
    def rows(self) -> Axis:
        """The first axis, whatever the number of dimensions."""
        return self._axes[0]

    @property
    def columns(self) -> Axis:
        """The last axis; in a table of one dimension it is the same as `rows`."""
        return self._axes[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrequencyTable):
            return NotImplemented
        return self._axes == other._axes and np.array_equal(self._counts, other._counts)

    def __hash__(self) -> int:
        return hash((self._axes, self._counts.tobytes()))

    def __repr__(self) -> str:
        sizes = ", ".join(f"{_short(axis.name)}: {len(axis)}" for axis in self._axes)
        return f"FrequencyTable({sizes}; {self._total:,} people)"

    def __reduce__(self) -> tuple[type[FrequencyTable], tuple[NDArray[np.int64], tuple[Axis, ...]]]:
        return FrequencyTable, (self._counts, self._axes)

    def axis(self, name: str) -> int:
        """Return the position of the axis with this name.

        Raises
        ------
        InputError
            If the table has no such axis.
        """
        for position, axis in enumerate(self._axes):
            if axis.name == name:
                return position
        names = [axis.name for axis in self._axes]
        raise InputError(f"The table has no axis {quoted(name)}; it has {_listed(names)}.")

    def with_counts(self, counts: ArrayLike) -> FrequencyTable:
        """Return a table with the same axes and these counts."""
        return FrequencyTable(counts, self._axes)

    def with_count(self, position: int | tuple[int, ...], count: int) -> FrequencyTable:
        """Return a table in which the cell at this position has this count."""
        counts: NDArray[Any] = self._counts.copy()
        if fault(count):
            counts = counts.astype(object)  # so that the constructor sees the count as it was given
        counts[position] = count
        return FrequencyTable(counts, self._axes)

    def margin(self, *names: str) -> FrequencyTable:
        """Return the table of these axes, in this order, summed over all the others.

        Raises
        ------
        InputError
            If no axis is named, one is unknown, or one is named twice.
        """
        kept = [self.axis(name) for name in names]
        if not kept or len(set(kept)) < len(kept):
            raise InputError(f"A margin needs one or more different axes; the table has {self._names()}.")
        others = tuple(k for k in range(self.ndim) if k not in kept)
        ordered = np.transpose(self._counts, (*kept, *others))
        counts = ordered.sum(axis=tuple(range(len(kept), self.ndim)))
        return FrequencyTable(counts, [self._axes[k] for k in kept])

    def slice(
        self, chosen: Mapping[str, str | Sequence[str]] | None = None, /, **more: str | Sequence[str]
    ) -> FrequencyTable:
        """Return the part of the table with the chosen labels.

        One label of an axis removes that axis; a list of labels keeps it with those labels only.

        Raises
        ------
        InputError
            If an axis or a label is unknown, or no axis is left.

        Examples
        --------
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.slice(Area="2").counts
        array([105,  94])
        """
        counts, axes = self._counts, list(self._axes)
        for name, wanted in {**(chosen or {}), **more}.items():
            k = self.axis(name)
            labels = (wanted,) if isinstance(wanted, str) else tuple(wanted)
            counts = np.take(counts, [axes[k].position(label) for label in labels], axis=k)
            axes[k] = Axis(name, labels)
            if isinstance(wanted, str):
                axes[k] = Axis(name, (wanted,))
        gone = [self.axis(name) for name, wanted in {**(chosen or {}), **more}.items() if isinstance(wanted, str)]
        if len(gone) == self.ndim:
            raise InputError("A label is chosen on every axis, which leaves one cell; leave an axis free.")
        counts = counts.reshape([len(axis) for k, axis in enumerate(axes) if k not in gone])
        return FrequencyTable(counts, [axis for k, axis in enumerate(axes) if k not in gone])

    def _names(self) -> str:
        return _listed([axis.name for axis in self._axes])


def fault(value: object) -> str | None:
    """Return why a value is no count, as the end of a sentence, or None where it is one."""
    if value is None or str(value) in ("", "<NA>", "NaT"):
        return "the cell is empty; write 0 where there is nobody"
    try:
        number: Any = value if not isinstance(value, str | bytes) else None
        negative, whole = number < 0, math.isfinite(number) and number == math.floor(number)
    except (TypeError, ValueError, OverflowError):
        return f"{quoted(value)} is text; a count must be a whole number"
    if math.isnan(number):
        return "NaN is not a number; a count must be a whole number"
    if math.isinf(number):
        return "infinity is not a count; a count must be a whole number"
    if negative:
        return f"{number} is negative; a count must be 0 or more"
    if not whole:
        return f"{number} is not whole; a count must be a whole number"
    if number > MOST_PEOPLE:
        return f"{number} is too large; a count must be at most {MOST_PEOPLE:,}"
    return None


def place(labels: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return where a cell is, in words, from its label on each axis.

    >>> place(["Area 1", "Jewish"])
    'Row "Area 1", column "Jewish"'
    >>> place(["Area 1", "Male", "Jewish"], ["Area", "Sex", "Religion"])
    'Area "Area 1", Sex "Male", Religion "Jewish"'
    """
    words = names if len(labels) > 2 else ("Row", "column")
    return ", ".join(f"{_short(word)} {quoted(label)}" for word, label in zip(words, labels, strict=False))


def quoted(label: object) -> str:
    """Return a label in quotation marks for a sentence, shortened where it is long."""
    return f'"{_short(label)}"'


def _short(label: object) -> str:
    text = " ".join(str(label).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _listed(labels: Sequence[str]) -> str:
    shown = [quoted(label) for label in labels[:8]]
    return ", ".join(shown) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")


def _fitting(axes: AxesLike | None, shape: tuple[int, ...]) -> tuple[Axis, ...]:
    """Return the axes as `Axis` objects that fit the shape of the counts."""
    if not shape or 0 in shape:
        raise InputError("There are no counts; a table needs at least one row and one column.")
    if axes is None:
        middle = [f"Layer {k}" for k in range(1, len(shape) - 1)]
        names = ["Row", *middle, "Column"][: len(shape)]
        axes = {name: [f"{name} {i + 1}" for i in range(n)] for name, n in zip(names, shape, strict=True)}
    pairs = axes.items() if isinstance(axes, Mapping) else axes
    made = tuple(pair if isinstance(pair, Axis) else Axis(pair[0], tuple(map(str, pair[1]))) for pair in pairs)
    sizes = tuple(len(axis) for axis in made)
    if sizes != shape:
        raise InputError(
            f"The counts are {_by(shape)} but the labels {_by(sizes)}; each count needs a label on each axis."
        )
    names = [axis.name for axis in made]
    if len(set(names)) < len(names):
        raise InputError(f"The axes are named {_listed(names)}; every axis needs a name of its own.")
    return made


def _by(shape: tuple[int, ...]) -> str:
    return " by ".join(map(str, shape)) or "none"


def _whole(array: NDArray[Any], axes: tuple[Axis, ...]) -> NDArray[np.int64]:
    """Return an array of any type as int64, or refuse its first value that is no count."""
    if array.dtype.kind == "f":
        fits = (array >= 0) & (array <= MOST_PEOPLE) & (np.floor(array) == array)
    elif array.dtype.kind in "iu":
        fits = (array >= 0) & (array <= MOST_PEOPLE)
    else:
        fits = np.reshape([fault(value) is None for value in array.flat], array.shape)
    _refuse(array, axes, fits)
    return array.astype(np.int64)


def _refuse(array: NDArray[Any], axes: tuple[Axis, ...], fits: NDArray[np.bool_]) -> None:
    """Raise for the first cell that does not fit, if there is one."""
    if not fits.all():
        position = np.unravel_index(int(np.argmin(fits)), array.shape)
        labels = [axis.labels[i] for axis, i in zip(axes, position, strict=True)]
        raise InputError(f"{place(labels, [axis.name for axis in axes])}: {fault(array[position])}.")
