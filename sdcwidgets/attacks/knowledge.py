"""What an intruder knows: how the published tables hang together, and some counts of their own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.attacks.number import Number
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole


@dataclass(frozen=True)
class TablePlacement:
    """How one release lies in the intruder's table.

    Parameters
    ----------
    title : str
        What the published table is called.
    groups : mapping of str to (str, mapping of str to sequence of str)
        For each axis of the release: the axis of the intruder's table it goes with, and for each of its labels
        the labels there that it stands for. An axis that is left out is the one of the same name, and a label
        that is left out itself.
    within : mapping of str to sequence of str
        The labels of the intruder's axes that the release is about; default: all.

    Examples
    --------
    >>> TablePlacement("Table 5.4", within={"Part": ["core"]}).within["Part"]
    ['core']
    """

    title: str
    groups: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    within: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Knowledge:
    """What an intruder has beside the published numbers.

    Parameters
    ----------
    axes : sequence of Axis
        The axes of the table that the intruder wants: the finest categories that any release tells apart.
        Empty: those of the first release.
    placed : sequence of TablePlacement
        How each release lies in that table. Empty: as it is.
    known : mapping of tuple of str to (float, float)
        Counts that the intruder knows within bounds, by their labels; a contributor knows their own.
    means : mapping of tuple of str to float
        Published means beside the counts, by the labels of the count; () is the mean of all.
    decimals : int
        Of the published means.
    chances : array, optional
        The chance of each published value (columns) for each true count (rows), where the method is known.
    wanted : sequence of tuple of str
        The counts that the intruder is after, by their labels; empty: all of them. Attacks by linear programming leave
        the others as each published number by itself does, which saves their programs.
    """

    axes: tuple[Axis, ...] = ()
    placed: tuple[TablePlacement, ...] = ()
    known: Mapping[tuple[str, ...], tuple[float, float]] = field(default_factory=dict)
    means: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    decimals: int = 4
    chances: object = field(default=None, compare=False)
    wanted: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "placed", tuple(self.placed))
        object.__setattr__(self, "wanted", tuple(tuple(cell) for cell in self.wanted))


class PublishedSystem(NamedTuple):
    """The published numbers as sums of the counts that the intruder wants."""

    axes: tuple[Axis, ...]
    matrix: Any
    """Sparse, a row for each number, a column for each count."""
    numbers: tuple[Number, ...]
    low: Floats
    high: Floats
    least: Floats
    """What is known about each count beforehand."""
    most: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the intruder's table."""
        return tuple(map(len, self.axes))


#: What is said of anything else.
_NO_RELEASE = (
    "An attack sees a release, not a {}; a method's release() makes one, and Release.of of a whole table."
)


def as_releases(releases: Release | Sequence[Release]) -> tuple[Release, ...]:
    """Return one or several releases as a tuple, and raise InputError if there is none."""
    if not isinstance(releases, Release | Sequence):
        raise InputError(_NO_RELEASE.format(type(releases).__name__))
    attacked = (releases,) if isinstance(releases, Release) else tuple(releases)
    if not attacked:
        raise InputError("There is nothing to attack; give at least one release.")
    other = next((release for release in attacked if not isinstance(release, Release)), None)
    if other is not None:
        raise InputError(_NO_RELEASE.format(type(other).__name__))
    return attacked


def system(releases: Sequence[Release], knowledge: Knowledge | None) -> PublishedSystem:
    """Return the published numbers as sums of the counts that the intruder wants.

    Raises
    ------
    InputError
        If a release does not fit what is said about it.
    """
    from scipy import sparse

    known = knowledge or Knowledge()
    axes = known.axes or releases[0].axes
    placed = known.placed or tuple(TablePlacement(f"Table {k + 1}") for k in range(len(releases)))
    if len(placed) != len(releases):
        raise InputError(
            f"There are {len(releases)} releases and {len(placed)} places for them; each needs one."
        )
    rows: list[object] = []
    numbers: list[Number] = []
    for release, placement in zip(releases, placed, strict=True):
        indicators, base = _indicators(release, placement, axes)
        for margin, values in release.values.items():
            lower, upper = release.lower[margin], release.upper[margin]
            labels = [release.axes[k].labels for k in margin]
            for index, at in zip(np.ndindex(values.shape), itertools.product(*labels), strict=True):
                if np.isnan(values[index]) and lower[index] <= 0 and np.isinf(upper[index]):
                    continue  # a gap that tells nothing
                parts = [side.copy() for side in base]
                for k, i in zip(margin, index, strict=True):
                    axis, table = indicators[k]
                    parts[axis] = parts[axis] & table[i]
                rows.append(_product(parts))
                numbers.append(
                    Number(
                        placement.title,
                        at,
                        float(values[index]),
                        float(lower[index]),
                        float(upper[index]),
                        margin,
                    )
                )
    shape = tuple(map(len, axes))
    least, most = np.zeros(shape), np.full(shape, np.inf)
    for at, (low, high) in known.known.items():
        where = _index(axes, at, "What is known of")
        least[where], most[where] = low, high
    matrix = sparse.csr_array(np.array(rows, dtype=np.float64).reshape(len(rows), int(np.prod(shape))))
    lows, highs = (np.array([getattr(number, side) for number in numbers]) for side in ("lower", "upper"))
    return PublishedSystem(axes, matrix, tuple(numbers), lows, highs, least.ravel(), most.ravel())


def wanted_counts(axes: Sequence[Axis], knowledge: Knowledge | None) -> Whole | None:
    """Return the numbers of the counts that the intruder is after, None for all of them."""
    if knowledge is None or not knowledge.wanted:
        return None
    places = [_index(axes, at, "The wanted count") for at in knowledge.wanted]
    shape = tuple(map(len, axes))
    return np.unique([np.ravel_multi_index(position, shape) for position in places])


def _index(axes: Sequence[Axis], labels: Sequence[str], subject: str) -> tuple[int, ...]:
    if len(labels) != len(axes):
        raise InputError(f"{subject} {quoted(labels)} needs a label on each axis.")
    return tuple(axis.position(label) for axis, label in zip(axes, labels, strict=True))


def _indicators(
    release: Release, placement: TablePlacement, axes: tuple[Axis, ...]
) -> tuple[list[tuple[int, Flags]], list[Flags]]:
    """Return for each axis of a release where it goes and which labels each of its own stands for; and the base."""
    names = [axis.name for axis in axes]
    base = [np.ones(len(axis), dtype=bool) for axis in axes]
    for name, labels in placement.within.items():
        if name not in names:
            raise InputError(f"{placement.title} is said to lie within {quoted(name)}, which is no axis.")
        axis = axes[names.index(name)]
        base[names.index(name)] = np.isin(np.arange(len(axis)), [axis.position(label) for label in labels])
    indicators = []
    for own in release.axes:
        goes, groups = placement.groups.get(own.name, (own.name, {}))
        if goes not in names:
            raise InputError(
                f"Axis {quoted(own.name)} of {placement.title} goes with no axis of the table that is wanted."
            )
        axis = axes[names.index(goes)]
        table = np.zeros((len(own), len(axis)), dtype=bool)
        for i, label in enumerate(own):
            for part in groups.get(label, (label,)):
                table[i, axis.position(part)] = True
        indicators.append((names.index(goes), table))
        base[names.index(goes)] = base[names.index(goes)] & table.any(axis=0)
    return indicators, base


def _product(parts: Sequence[Flags]) -> Flags:
    product = parts[0]
    for part in parts[1:]:
        product = np.logical_and.outer(product, part).reshape(*product.shape, len(part))
    return product.ravel()
