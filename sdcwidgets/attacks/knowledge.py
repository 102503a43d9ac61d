"""Prior knowledge of an intruder, and how published tables relate to the target table."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sdcwidgets._util.arguments import check_kind, check_kinds, check_number, wrong
from sdcwidgets._util.errors import InputError, described, type_with_article
from sdcwidgets._util.labels import quoted
from sdcwidgets.attacks.number import Number
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole


@dataclass(frozen=True)
class TablePlacement:
    """Position of one release in the target table.

    Parameters
    ----------
    title : str
        Title of the published table.
    groups : mapping of str to (str, mapping of str to sequence of str)
        For each axis of the release, the matching axis of the target table, and for each of its labels the
        labels of the target axis that it contains. Missing axes match the axis with the same name, missing
        labels the same label.
    within : mapping of str to sequence of str
        Labels of target axes to which the release is restricted. Default: no restriction.

    Examples
    --------
    >>> TablePlacement("Table 5.4", within={"Part": ["core"]}).within["Part"]
    ['core']
    """

    title: str
    groups: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]] = field(default_factory=dict)
    within: Mapping[str, Sequence[str]] = field(default_factory=dict)


#: Valid value of the argument `known`, for messages.
_KNOWN = 'a mapping of labels to a count or two bounds, such as {("Area 1", "Single"): 1}'


@dataclass(frozen=True)
class Knowledge:
    """Prior knowledge of an intruder, in addition to the releases.

    Parameters
    ----------
    axes : sequence of Axis
        Axes of the target table, with categories at least as fine as those of every release. Default: the axes
        of the first release.
    placed : sequence of TablePlacement
        Position of each release in the target table. Default: matching by axis names and labels.
    known : mapping of tuple of str to float or (float, float)
        Known counts, by their labels, one label per axis: an exact count, or a lower and an upper bound. For example,
        a respondent knows that the count is in (1, inf).
    means : mapping of tuple of str to float
        Published means, by the labels of the count; the key () is the mean of the total.
    decimals : int
        Number of decimals of the published means.
    chances : array, optional
        Transition matrix of the method: probability of each published value (columns) for each true count
        (rows).
    wanted : sequence of tuple of str
        Labels of the counts to be attacked. Default: all. Attacks by linear programming compute bounds only for
        these, which saves time; the other counts keep the bounds from single published values.

    Raises
    ------
    InputError
        If an argument has another type, or a lower bound is above its upper bound.

    Examples
    --------
    >>> knowledge = Knowledge(known={("Area 1", "Other"): 1, ("Area 2", "Other"): (1, np.inf)})
    >>> [list(bounds) for bounds in knowledge.known.values()]
    [[1.0, 1.0], [1.0, inf]]
    """

    axes: tuple[Axis, ...] = ()
    placed: tuple[TablePlacement, ...] = ()
    known: Mapping[tuple[str, ...], Any] = field(default_factory=dict)
    means: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    decimals: int = 4
    chances: object = field(default=None, compare=False)
    wanted: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        check_kinds("axes", self.axes, Axis, "a list of axes")
        check_kinds("placed", self.placed, TablePlacement, "a list of placements")
        check_kinds("wanted", self.wanted, (list, tuple), "a list of labels of counts")
        check_kind("known", self.known, Mapping, _KNOWN)
        check_kind("means", self.means, Mapping, 'a mapping of labels to means, such as {("Area 1",): 2.5}')
        for mean in self.means.values():
            check_number("means", mean)
        object.__setattr__(self, "known", {at: _bounds(at, value) for at, value in self.known.items()})
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "placed", tuple(self.placed))
        object.__setattr__(self, "wanted", tuple(tuple(cell) for cell in self.wanted))


def _bounds(labels: object, value: object) -> tuple[float, float]:
    """Return the bounds of a count that an intruder knows; one number is an exact count.

    Raises
    ------
    InputError
        If the labels are not a tuple of texts, or the value is not a number or two bounds in their order.
    """
    if not isinstance(labels, tuple) or not all(isinstance(label, str) for label in labels):
        raise InputError(
            f"The stated knowledge has the key {described(labels)}; it must be a tuple with one label per axis, such "
            'as ("Area 1", "Single").'
        )
    subject = f"The stated knowledge of {quoted(labels)}"
    bounds = value if isinstance(value, list | tuple) else (value, value)
    if len(bounds) != 2 or not all(map(_is_number, bounds)):
        raise InputError(
            f"{subject} is {described(value)}; it must be a count, such as 1, or a lower and an upper bound, such as "
            "(1, 5) or (1, inf)."
        )
    low, high = map(float, bounds)
    if low > high:
        raise InputError(f"{subject} is not possible: lower bound {low:g} is above upper bound {high:g}.")
    return low, high


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and value == value


class PublishedSystem(NamedTuple):
    """Published values as linear constraints on the counts of the target table."""

    axes: tuple[Axis, ...]
    matrix: Any
    """Sparse 0/1 matrix: one row per published value, one column per count."""
    numbers: tuple[Number, ...]
    low: Floats
    high: Floats
    least: Floats
    """Lower bound of each count from prior knowledge; `most` is the upper bound."""
    most: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the target table."""
        return tuple(map(len, self.axes))


#: Error message for objects that are not releases.
_NO_RELEASE = "An attack needs a release, not {}; use release() of a method, or Release.of(table)."


def as_releases(releases: Release | Sequence[Release]) -> tuple[Release, ...]:
    """Return one or several releases as a tuple.

    Raises
    ------
    InputError
        If there is no release, or an element is not a release.
    """
    if not isinstance(releases, Release | Sequence):
        raise InputError(_NO_RELEASE.format(type_with_article(releases)))
    attacked = (releases,) if isinstance(releases, Release) else tuple(releases)
    if not attacked:
        raise InputError("There is no release to attack; pass at least one.")
    for release in attacked:
        if not isinstance(release, Release):
            raise InputError(_NO_RELEASE.format(type_with_article(release)))
    return attacked


def check_knowledge(knowledge: object) -> None:
    """Raise InputError if the knowledge of an intruder has another type."""
    if knowledge is not None and not isinstance(knowledge, Knowledge):
        raise wrong("knowledge", knowledge, "an attacks.Knowledge")


def system(releases: Sequence[Release], knowledge: Knowledge | None) -> PublishedSystem:
    """Return the published values as linear constraints on the counts of the target table.

    Suppressed values without bounds are left out.

    Raises
    ------
    InputError
        If an axis or label of a placement does not exist, or the number of placements differs from that of
        releases.
    """
    from scipy import sparse

    known = knowledge or Knowledge()
    axes = known.axes or releases[0].axes
    placed = known.placed or tuple(TablePlacement(f"Table {k + 1}") for k in range(len(releases)))
    if len(placed) != len(releases):
        raise InputError(
            f"There are {len(releases)} releases but {len(placed)} placements; pass one placement per "
            "release, which states how the release relates to the target table."
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
                    continue  # A suppressed value without bounds gives no constraint.
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
        where = _index(axes, at, "The stated knowledge")
        least[where], most[where] = low, high
    matrix = sparse.csr_array(np.array(rows, dtype=np.float64).reshape(len(rows), int(np.prod(shape))))
    lows, highs = (np.array([getattr(number, side) for number in numbers]) for side in ("lower", "upper"))
    return PublishedSystem(axes, matrix, tuple(numbers), lows, highs, least.ravel(), most.ravel())


def wanted_counts(axes: Sequence[Axis], knowledge: Knowledge | None) -> Whole | None:
    """Return the flat indices of the counts to be attacked, or None for all."""
    if knowledge is None or not knowledge.wanted:
        return None
    places = [_index(axes, at, "The count to find") for at in knowledge.wanted]
    shape = tuple(map(len, axes))
    return np.unique([np.ravel_multi_index(position, shape) for position in places])


def _index(axes: Sequence[Axis], labels: Sequence[str], subject: str) -> tuple[int, ...]:
    if len(labels) != len(axes):
        raise InputError(f"{subject} {quoted(labels)} needs one label per axis.")
    return tuple(axis.position(label) for axis, label in zip(axes, labels, strict=True))


def _indicators(
    release: Release, placement: TablePlacement, axes: tuple[Axis, ...]
) -> tuple[list[tuple[int, Flags]], list[Flags]]:
    """Return the target axis and the indicator matrix of each release axis, and the cells covered by the release."""
    names = [axis.name for axis in axes]
    base = [np.ones(len(axis), dtype=bool) for axis in axes]
    for name, labels in placement.within.items():
        if name not in names:
            raise InputError(
                f"{placement.title} is restricted by axis {quoted(name)}, but the target table has no such axis."
            )
        axis = axes[names.index(name)]
        base[names.index(name)] = np.isin(np.arange(len(axis)), [axis.position(label) for label in labels])
    indicators = []
    for own in release.axes:
        goes, groups = placement.groups.get(own.name, (own.name, {}))
        if goes not in names:
            raise InputError(
                f"Axis {quoted(own.name)} of {placement.title} matches no axis of the target table; name "
                "the matching axis in groups."
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
