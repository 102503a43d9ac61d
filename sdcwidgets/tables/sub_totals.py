"""Sums of a file that are no cells of its table, such as sub-totals, and their positions in a published file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import total_label
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.nesting import detected
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of labels of an axis with sub-totals in a link.
MOST_LABELS = 2_000


@dataclass(frozen=True)
class SubTotals:
    """Lines of a file that are no categories of an axis.

    Attributes
    ----------
    axis : str
        Name of the axis.
    order : tuple of str
        Labels of the categories, sub-totals and total in the order of the file.
    parents : tuple of (str, str)
        Each category and sub-total with the sub-total above it, "" for the total; empty without sub-totals.
    total : str
        Label of the sum of all categories; "" if the file has none.
    unclear : tuple of str
        Labels of omitted lines that are not known to be sums of categories.
    levels : tuple of str
        Names of the higher levels whose totals these sums are, if a layout states the levels.

    Examples
    --------
    >>> own = FrequencyTable([[4, 1], [5, 7], [7, 2]], {"Area": ["a", "b", "c"], "Sex": ["f", "m"]})
    >>> labels = {"Area": ["All", "North", "a", "b", "c"], "Sex": ["f", "m"]}
    >>> whole = FrequencyTable([[16, 10], [9, 8], [4, 1], [5, 7], [7, 2]], labels)
    >>> (found,) = SubTotals.omitted(own, whole)
    >>> found.total, found.labels, found.parents
    ('All', ('North',), (('a', 'North'), ('b', 'North'), ('c', ''), ('North', '')))
    """

    axis: str
    order: tuple[str, ...]
    parents: tuple[tuple[str, str], ...] = ()
    total: str = ""
    unclear: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the sub-totals in the order of the file."""
        above = {parent for _, parent in self.parents if parent}
        return tuple(label for label in self.order if label in above)

    @property
    def categories(self) -> tuple[str, ...]:
        """Labels of the categories in the order of the file."""
        others = {*self.labels, self.total}
        return tuple(label for label in self.order if label not in others)

    def path(self, label: str) -> tuple[str, ...]:
        """Return the sub-totals above a category or a sub-total, the highest first, and its label.

        Examples
        --------
        >>> parents = (("a", "North"), ("b", "North"), ("c", ""), ("North", ""))
        >>> SubTotals("Area", ("North", "a", "b", "c"), parents).path("b")
        ('North', 'b')
        """
        above, labels = dict(self.parents), [label]
        while above.get(labels[0], ""):
            labels.insert(0, above[labels[0]])
        return tuple(labels)

    @property
    def groups(self) -> frozenset[frozenset[str]]:
        """Categories of each sub-total."""
        above, below = dict(self.parents), dict[str, set[str]]()
        for label in self.categories:
            parent = above.get(label, "")
            while parent:
                below.setdefault(parent, set()).add(label)
                parent = above.get(parent, "")
        return frozenset(map(frozenset, below.values()))

    def to_state(self) -> list[object]:
        """Return plain values for a link."""
        parents = [list(pair) for pair in self.parents]
        return [self.axis, list(self.order), parents, self.total, list(self.unclear), list(self.levels)]

    @classmethod
    def from_state(cls, saved: Sequence[Any]) -> Self:
        """Return the sums of an axis from plain values; links of earlier versions have no levels."""
        axis, order, parents, total, unclear, *levels = saved
        return cls(
            str(axis),
            tuple(map(str, order[:MOST_LABELS])),
            tuple((str(label), str(parent)) for label, parent in parents[: 2 * MOST_LABELS]),
            str(total),
            tuple(map(str, unclear[:MOST_LABELS])),
            tuple(map(str, levels[0][:MOST_LABELS])) if levels else (),
        )

    @classmethod
    def omitted(cls, own: FrequencyTable, whole: FrequencyTable) -> tuple[Self, ...]:
        """Return the sums of each axis that a table does not have, but the table with all lines of its file has.

        Parameters
        ----------
        own : FrequencyTable
            Categories only.
        whole : FrequencyTable
            All lines of the file.
        """
        places = places_in(own, whole)
        if places is None:
            return ()
        every = (cls._of_axis(own, whole, places, position) for position in range(own.ndim))
        return tuple(axis_sums for axis_sums in every if axis_sums is not None)

    @classmethod
    def _of_axis(
        cls, own: FrequencyTable, whole: FrequencyTable, places: Sequence[Sequence[int]], position: int
    ) -> Self | None:
        axis, leaves = whole.axes[position], list(places[position])
        others = sorted(set(range(len(axis))) - set(leaves))
        if not others or len(axis) > MOST_LABELS:
            return None
        view = [range(len(axis)) if k == position else row for k, row in enumerate(places)]
        lines = np.moveaxis(whole.counts[np.ix_(*view)], position, 0).reshape(len(axis), -1)
        everything = lines[leaves].sum(axis=0)
        totals = [k for k in others if np.array_equal(lines[k], everything)]
        members = {k: _run(lines, leaves, k) for k in others if k not in totals}
        if not all(members.values()):
            members |= _by_sums(lines, axis, leaves, [k for k, run in members.items() if not run])
        nested, unclear = _nested(members)
        parents = _parents(nested, leaves)
        order = tuple(
            label for k, label in enumerate(axis.labels) if k not in unclear and k not in totals[1:]
        )
        named = tuple((axis.labels[k], "" if above < 0 else axis.labels[above]) for k, above in parents)
        total = axis.labels[totals[0]] if totals else ""
        return cls(axis.name, order, named if nested else (), total, tuple(axis.labels[k] for k in unclear))


def places_in(part: FrequencyTable, whole: FrequencyTable) -> list[list[int]] | None:
    """Return the places of the categories of a table in another table; None if it is no part of this table."""
    if [axis.name for axis in part.axes] != [axis.name for axis in whole.axes]:
        return None
    places = []
    for own, full in zip(part.axes, whole.axes, strict=True):
        index = {label: k for k, label in enumerate(full.labels)}
        if any(label not in index for label in own.labels):
            return None
        places.append([index[label] for label in own.labels])
    return places if np.array_equal(whole.counts[np.ix_(*places)], part.counts) else None


def completed(
    own: FrequencyTable, whole: FrequencyTable, axes: Collection[str]
) -> tuple[FrequencyTable, dict[str, list[str]]]:
    """Return a table with the sub-totals of some axes, and the labels of the sub-totals by axis.

    Parameters
    ----------
    own : FrequencyTable
        Categories only.
    whole : FrequencyTable
        All lines of the file. If it is not the same table with further lines, `own` is returned.
    axes : collection of str
        Names of the axes.
    """
    places = places_in(own, whole)
    if places is None:
        return own, {}
    chosen, added = [list(row) for row in places], dict[str, list[str]]()
    for position, axis in enumerate(whole.axes):
        if axis.name in axes:
            total = own.counts.sum(axis=position)
            for k in sorted(set(range(len(axis))) - set(places[position])):
                line = [[k] if other == position else row for other, row in enumerate(places)]
                # The grand total is a total of each table, and no category.
                if not np.array_equal(whole.counts[np.ix_(*line)].sum(axis=position), total):
                    chosen[position].append(k)
                    added.setdefault(axis.name, []).append(axis.labels[k])
    chosen = [sorted(row) for row in chosen]
    labels = [
        Axis(axis.name, tuple(axis.labels[k] for k in row))
        for axis, row in zip(whole.axes, chosen, strict=True)
    ]
    return FrequencyTable(whole.counts[np.ix_(*chosen)], labels).with_unit(whole.unit), added


def sums_of_levels(axis: Axis, levels: Mapping[str, Sequence[str]]) -> SubTotals | None:
    """Return the totals of the higher levels of an axis; None if no level groups its categories, or the axis is long.

    A level is omitted if a finer level is not nested in it. A label that occurs twice gets the name of its level.

    Parameters
    ----------
    axis : Axis
    levels : mapping of str to sequence of str
        Name of each level, with the label above each category; "" for none.

    Examples
    --------
    >>> sums = sums_of_levels(Axis("Town", ("a", "b", "c")), {"District": ["North", "South", "North"]})
    >>> sums.order
    ('North', 'a', 'c', 'South', 'b')
    """
    used, covered = set(axis.labels), list[str]()
    # Each chain has a category and the totals above it, the lowest first.
    chains: list[tuple[str, ...]] = [(label,) for label in axis.labels]
    for name, texts in sorted(levels.items(), key=lambda level: -len(set(level[1]))):
        if len(set(texts)) == 1:
            covered.append(
                name
            )  # The only total of the level is the total of the axis, which is always protected.
            continue
        above = dict[str, str]()
        if any(above.setdefault(chain[-1], text) != text for chain, text in zip(chains, texts, strict=True)):
            continue
        labels = {text: f"{text} ({name})" if text in used else text for text in texts if text.strip()}
        if used & set(labels.values()):
            continue
        covered.append(name)
        used |= set(labels.values())
        chains = [
            (*chain, labels[text]) if text in labels else chain
            for chain, text in zip(chains, texts, strict=True)
        ]
    pairs = [pair for chain in chains for pair in zip(chain, (*chain[1:], ""), strict=True)]
    order = _nested_order(chains)
    if not any(parent for _, parent in pairs) or len(order) > MOST_LABELS:
        return None
    return SubTotals(axis.name, order, tuple(dict.fromkeys(pairs)), levels=tuple(covered))


def with_totals(sums: Sequence[SubTotals], axes: Sequence[Axis]) -> tuple[SubTotals, ...]:
    """Return the sums of each axis with a total, which is the last line if the axis has no total yet.

    Examples
    --------
    >>> [sums.order for sums in with_totals([], [Axis("Sex", ("f", "m"))])]
    [('f', 'm', 'Total')]
    """
    by_axis = {axis_sums.axis: axis_sums for axis_sums in sums}
    every = [by_axis.get(axis.name, SubTotals(axis.name, axis.labels)) for axis in axes]
    labels = [total_label(axis_sums.order) for axis_sums in every]
    return tuple(
        axis_sums if axis_sums.total else replace(axis_sums, order=(*axis_sums.order, label), total=label)
        for axis_sums, label in zip(every, labels, strict=True)
    )


def _nested_order(chains: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return each total above its categories, in the order in which the first category of each total comes."""
    first = dict[str, int]()
    for k, chain in enumerate(chains):
        for label in chain:
            first.setdefault(label, k)
    ordered = sorted(chains, key=lambda chain: [first[label] for label in reversed(chain)])
    return tuple(dict.fromkeys(label for chain in ordered for label in reversed(chain)))


def without_sums(table: FrequencyTable, sums: Sequence[SubTotals]) -> FrequencyTable:
    """Return the categories of a table that also contains all lines of `sums`, otherwise the same table.

    Examples
    --------
    >>> table = FrequencyTable([9, 4, 5], {"Area": ["North", "a", "b"]})
    >>> without_sums(table, [SubTotals("Area", ("North", "a", "b"), total="North")]).axes[0].labels
    ('a', 'b')
    """
    by_axis = {axis_sums.axis: axis_sums for axis_sums in sums}
    if not sums or any(
        axis.name in by_axis and set(by_axis[axis.name].order) - set(axis.labels) for axis in table.axes
    ):
        return table
    if not by_axis.keys() <= {axis.name for axis in table.axes}:
        return table
    places, axes = list[list[int]](), list[Axis]()
    for axis in table.axes:
        own = by_axis[axis.name].categories if axis.name in by_axis else axis.labels
        places.append([axis.labels.index(label) for label in own])
        axes.append(Axis(axis.name, own))
    return table.rearranged(axes, lambda counts: counts[np.ix_(*places)])


def _run(lines: Whole, leaves: Sequence[int], k: int) -> tuple[int, ...]:
    """Return the categories directly below or above a line whose sum is this line, () if there are none."""
    below = _summed(lines, lines[k], _while_leaves(range(k + 1, len(lines)), leaves))
    above = _summed(lines, lines[k], _while_leaves(range(k - 1, -1, -1), leaves))
    return max(below, above, key=len)


def _while_leaves(places: Iterator[int] | range, leaves: Collection[int]) -> Iterator[int]:
    """Yield the categories among these places; sub-totals between them are passed over."""
    own = set(leaves)
    return (k for k in places if k in own)


def _summed(lines: Whole, wanted: Whole, places: Iterator[int]) -> tuple[int, ...]:
    """Return the first places whose lines have this sum, and further lines of zeros; () if there are none."""
    run, rest = list[int](), wanted.copy()
    for k in places:
        if not rest.any() and lines[k].any():
            break
        rest = rest - lines[k]
        if (rest < 0).any():
            return ()
        run.append(k)
    return tuple(run) if wanted.any() and not rest.any() else ()


def _by_sums(
    lines: Whole, axis: Axis, leaves: Sequence[int], unknown: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    """Return the categories of lines that are certain to be sums of categories at any position."""
    members = {}
    for k in unknown:
        chosen = sorted((*leaves, k))
        labels = Axis(axis.name, tuple(axis.labels[row] for row in chosen))
        try:
            parents = detected(
                lines[chosen], (labels, Axis("cells", tuple(map(str, range(lines.shape[1]))))), axis.name
            )
        except InputError:
            continue
        members[k] = tuple(row for row in leaves if parents[axis.labels[row]] == axis.labels[k])
    return members


def _nested(members: Mapping[int, tuple[int, ...]]) -> tuple[dict[int, frozenset[int]], list[int]]:
    """Return the sums that are nested in each other or disjoint, and the other lines."""
    nested, unclear = dict[int, frozenset[int]](), list[int]()
    for k in sorted(members, key=lambda k: -len(members[k])):
        own = frozenset(members[k])
        if own and all(own < other or not own & other for other in nested.values()):
            nested[k] = own
        else:
            unclear.append(k)
    return nested, sorted(unclear)


def _parents(nested: Mapping[int, frozenset[int]], leaves: Sequence[int]) -> list[tuple[int, int]]:
    """Return each category and sub-total with the smallest sub-total above it, -1 if there is none."""
    by_size = sorted(nested, key=lambda k: len(nested[k]))
    pairs = [(k, next((above for above in by_size if k in nested[above]), -1)) for k in leaves]
    pairs += [(k, next((above for above in by_size if nested[k] < nested[above]), -1)) for k in by_size]
    return pairs
