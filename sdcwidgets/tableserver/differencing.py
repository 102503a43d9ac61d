"""Differencing of two tables: groups that are the difference of two published numbers.

A published number counts a box: a set of categories of each variable. If one box contains another, the difference of
their numbers counts the remaining people. `combining` checks any number of tables together.

References: handbook, chapter 5, section 5.3.2 (differencing); Shlomo, Antal and Elliot 2015, section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.margins import MarginAxes, every_margin, margins
from sdcwidgets.tableserver.tabulate import Query, Tabulator

#: Number of a table: its margin, and its position in this margin.
Number = tuple[MarginAxes, tuple[int, ...]]


@dataclass(frozen=True)
class SingledOutGroup:
    """Small group that two tables single out: the people of an outer box who are not in an inner box.

    Attributes
    ----------
    around, within : str
        Descriptions of the outer and the inner box.
    people : int
        The difference.
    numbers : (Number, Number), optional
        Positions of both numbers in their tables, the outer box first.
    new_around : bool
        Whether the outer box belongs to the new table.
    """

    around: str
    within: str
    people: int
    numbers: tuple[Number, Number] | None = None
    new_around: bool = True

    @property
    def words(self) -> str:
        """Description of the two numbers."""
        return (
            f"{self.within}, by {self.around}"
            if self.numbers is None
            else f"({self.around}) minus ({self.within})"
        )


def selected(data: Tabulator, query: Query) -> dict[str, frozenset[str]]:
    """Return the selected categories of each variable, without complete selections."""
    return {
        name: frozenset(labels)
        for name, labels in query.where.items()
        if set(labels) != set(data.variable(name).labels)
    }


def published_margins(data: Tabulator, query: Query) -> list[MarginAxes]:
    """Return the published margins of a table, which sum over all categories of a variable.

    The sum over some categories of a variable would count a population that users cannot request.
    """
    partly = {
        k
        for k, name in enumerate(query.by)
        if name in query.where and set(query.where[name]) != set(data.variable(name).labels)
    }
    return [margin for margin in every_margin(len(query.by)) if partly <= set(margin)]


@dataclass(frozen=True, eq=False)
class CountedTable:
    """Table with its margins, described by sets of categories.

    Attributes
    ----------
    query : Query
    names : tuple of str
        The variables of the axes.
    labels : tuple of tuple of str
        The published categories of each axis.
    parts : tuple of tuple of frozenset
        The stored categories of each published category.
    chosen : dict of frozenset
        The selected stored categories of each selected variable.
    counts : dict of ndarray
        Counts of each margin.
    """

    query: Query
    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[frozenset[str], ...], ...]
    chosen: dict[str, frozenset[str]]
    counts: dict[MarginAxes, NDArray[np.int64]]

    @classmethod
    def of(cls, data: Tabulator, query: Query, counts: NDArray[np.int64]) -> CountedTable:
        """Return the table of a query.

        Parameters
        ----------
        data : Tabulator
        query : Query
        counts : ndarray of int64
            The cells of its table.

        Returns
        -------
        CountedTable
        """
        chosen = selected(data, query)
        names, parts = [], []
        for name in query.by:
            stored = [label for label in data.variable(name).labels if label in chosen.get(name, {label})]
            group_of = {old: new for new, part in query.groups.get(name, {}).items() for old in part}
            by_label: dict[str, set[str]] = {}
            for label in stored:
                by_label.setdefault(group_of.get(label, label), set()).add(label)
            names.append(tuple(by_label))
            parts.append(tuple(map(frozenset, by_label.values())))
        sums = margins(counts)
        own = {margin: sums[margin] for margin in published_margins(data, query)}
        return cls(query, query.by, tuple(names), tuple(parts), chosen, own)

    @property
    def finest(self) -> MarginAxes:
        """The axes of the cells."""
        return tuple(range(len(self.names)))

    def whole(self, name: str) -> frozenset[str] | None:
        """Return the selected categories of a variable, or None for all categories."""
        return self.chosen.get(name)

    def boxes(self, name: str) -> tuple[frozenset[str], ...]:
        """Return the sets of categories of a variable that this table distinguishes."""
        if name in self.names:
            return self.parts[self.names.index(name)]
        whole = self.whole(name)
        return () if whole is None else (whole,)

    def same_people(self, other: CountedTable) -> bool:
        """Whether both tables count the same people in categories that do not partly overlap."""
        return self.chosen == other.chosen and self.query.groups == other.query.groups

    def words(self, margin: MarginAxes, cell: tuple[int, ...]) -> str:
        """Return a description of the people of a number."""
        at = [f"{self.names[k]}: {self.labels[k][i]}" for k, i in zip(margin, cell, strict=True)]
        at += [
            f"{name}: {', '.join(sorted(part))}"
            for name, part in self.chosen.items()
            if name not in {self.names[k] for k in margin}
        ]
        return "; ".join(at) or "everybody"


def singled_out(new: CountedTable, old: CountedTable, most: int, least: int = 1) -> Iterator[SingledOutGroup]:
    """Yield groups of `least` to `most` people that are the difference of two numbers of two tables.

    Parameters
    ----------
    new : CountedTable
        The new table.
    old : CountedTable
        A table that was answered before.
    most : int
        Maximum number of people of a group.
    least : int
        Minimum number of people of a group.

    Yields
    ------
    SingledOutGroup
    """
    if new.same_people(old):
        return
    for inner, outer in ((new, old), (old, new)):
        for margin in inner.counts:
            for around in outer.counts:
                yield from _between(inner, margin, outer, around, most, least, outer is new)


def _between(
    inner: CountedTable,
    margin: MarginAxes,
    outer: CountedTable,
    around: MarginAxes,
    most: int,
    least: int,
    new_around: bool,
) -> Iterator[SingledOutGroup]:
    """Yield the differences between numbers of two margins of which one box contains the other."""
    numbers = inner.counts[margin]
    shape = np.shape(numbers)
    inside = np.ones(shape, dtype=bool)
    outer_axis = {outer.names[k]: k for k in around}
    inner_axis = {inner.names[k]: position for position, k in enumerate(margin)}
    variables = {*outer_axis, *inner_axis, *inner.chosen, *outer.chosen}
    index_of: dict[str, NDArray[np.int64]] = {}
    for name in variables:
        boxes = inner.parts[margin[inner_axis[name]]] if name in inner_axis else [inner.whole(name)]
        around_them = outer.parts[outer_axis[name]] if name in outer_axis else [outer.whole(name)]
        index = np.array([_first_around(box, around_them) for box in boxes])
        spread_shape = [1] * len(shape)
        if name in inner_axis:
            spread_shape[inner_axis[name]] = len(index)
        index_of[name] = np.broadcast_to(index.reshape(spread_shape), shape)
        inside &= index_of[name] >= 0
    indices = [index_of[outer.names[k]] for k in around]
    if not inside.any():
        return
    values = outer.counts[around]
    totals = np.asarray(values)
    if indices:
        totals = values[tuple(np.where(inside, positions, 0) for positions in indices)]
    rest = np.where(inside, totals - numbers, 0)
    for spot in np.argwhere(inside & (rest >= least) & (rest <= most)):
        here = tuple(map(int, spot))
        there = tuple(int(positions[here]) for positions in indices)
        yield SingledOutGroup(
            outer.words(around, there),
            inner.words(margin, here),
            int(rest[here]),
            ((around, there), (margin, here)),
            new_around,
        )


def _first_around(box: frozenset[str] | None, boxes: Sequence[frozenset[str] | None]) -> int:
    """Return the index of the first box that contains a box, or -1; None contains everybody."""
    return next((k for k, part in enumerate(boxes) if part is None or (box is not None and box <= part)), -1)
