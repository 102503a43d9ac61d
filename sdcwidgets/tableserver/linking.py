"""Bounds of the counts of groups from all published numbers, exact or protected.

A count of 1 that is published as 3 can have a wide interval in its own table. However, if a neighbouring count was
rounded up and their total was rounded down, the intervals of all three can leave 1 as the only possible value. The
total can be in the same table or in another one. Therefore, each published number is a group of people with a lower
and an upper bound, and the bounds of a group and its parts are tightened until they no longer change.

The check uses published numbers only, so a refusal discloses nothing else. The bounds are valid, but linear programming
over all tables could give narrower ones.

References: handbook, chapter 5, sections 5.5 (unpicking of rounding) and 5.3.2 (linked tables, differencing); Buzzigoli
and Giusti 1999 (the shuttle algorithm, here over all tables).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.differencing import published_margins, selected
from sdcwidgets.tableserver.tabulate import Query, Tabulator

#: Maximum number of iterations of tightening; the bounds are valid after each.
MOST_ROUNDS = 6

#: Maximum number of categories of a variable for a lower bound of each category. The lists of variables with more
#: categories are used only for groups that tables contain.
MOST_LISTED = 500


@dataclass(frozen=True)
class Bounded:
    """Group of people with bounds from published numbers."""

    categories: Mapping[str, frozenset[str]]
    low: int
    high: int

    @property
    def words(self) -> str:
        """Description of the group.

        Examples
        --------
        >>> Bounded({"Sex": frozenset({"m"}), "Age": frozenset({"0-4", "5-9"})}, 1, 2).words
        'Sex: m; Age: 0-4, 5-9'
        """
        return "; ".join(f"{name}: {', '.join(sorted(part))}" for name, part in self.categories.items())


class LinkedTables:
    """Published numbers with bounds, each described by a set of categories of every variable.

    The lists of categories are published, too, and each listed category has at least one person.

    Parameters
    ----------
    data : Tabulator
    groups : mapping of str to sequence of groupings
        The groups of categories that users may choose.

    Notes
    -----
    Instances are immutable; `with_` returns a new instance.
    """

    def __init__(self, data: Tabulator, groups: Mapping[str, Sequence[Mapping[str, Sequence[str]]]]) -> None:
        self._data, self._groups = data, groups
        self._sets: dict[str, list[frozenset[str]]] = {}
        self._populations: set[tuple[str, int]] = set()
        # The identifier of a number is a scalar product with these random numbers; collisions are negligible.
        self._strides = np.random.default_rng(0).integers(1, 2**63, size=len(data.names), dtype=np.uint64)
        self._codes = np.empty((0, len(data.names)), dtype=np.int32)
        self._ids = np.empty(0, dtype=np.uint64)
        self._low, self._high = np.empty(0), np.empty(0)
        # Bounds of each number before tightening.
        self._own_low, self._own_high = np.empty(0), np.empty(0)

    def __len__(self) -> int:
        return len(self._ids)

    def with_(self, query: Query, release: Release) -> LinkedTables:
        """Return the bounds after the publication of one more table."""
        if not any(np.isfinite(upper).any() for upper in release.upper.values()):
            return self
        more = LinkedTables(self._data, self._groups)
        more._sets = {name: list(sets) for name, sets in self._sets.items()}
        more._populations = set(self._populations)
        more._add(self, *more._numbers(query, release))
        more._add_listed({*query.by, *query.where})
        more._draw_in()
        return more

    def small(self, most: int) -> Bounded | None:
        """Return a group whose bounds show that it has 1 to `most` people, or None.

        If other numbers tightened the bounds, groups of up to twice as many people are returned, too. A refusal
        then does not prove that a group has 1 to `most` people.
        """
        narrowed = (self._low > self._own_low) | (self._high < self._own_high)
        least = np.where(narrowed, 2 * most, most)
        known = np.flatnonzero((self._low >= 1) & (self._high <= least))
        if not known.size:
            return None
        first = known[np.argmin(self._high[known] - self._low[known])]
        names = [name for name, code in zip(self._data.names, self._codes[first], strict=True) if code]
        codes = dict(zip(self._data.names, self._codes[first].tolist(), strict=True))
        return Bounded(
            {name: self._sets[name][codes[name]] for name in names},
            int(self._low[first]),
            int(self._high[first]),
        )

    def _code(self, name: str, part: frozenset[str]) -> int:
        """Return the code of a set of categories of a variable; 0 is the set of all categories."""
        sets = self._sets.get(name)
        if sets is None:
            labels = self._data.variable(name).labels
            sets = self._sets[name] = [frozenset(labels), *(frozenset([label]) for label in labels)]
            if len(labels) == 1:
                del sets[1]
        if part not in sets:
            sets.append(part)
        return sets.index(part)

    def _numbers(self, query: Query, release: Release) -> tuple[NDArray[np.int32], Floats, Floats]:
        """Return the groups of all numbers of a table, and their bounds."""
        names = self._data.names
        base = np.zeros(len(names), dtype=np.int32)
        for name, part in selected(self._data, query).items():
            if name not in query.by:
                base[names.index(name)] = code = self._code(name, part)
                self._populations.add((name, code))
        axes = []
        for name, axis in zip(query.by, release.axes, strict=True):
            stored = query.groups.get(name, {})
            axes.append([self._code(name, frozenset(stored.get(label, (label,)))) for label in axis.labels])
        codes, lows, highs = [], [], []
        for margin in published_margins(self._data, query):
            shape = tuple(len(axes[k]) for k in margin)
            some = np.tile(base, (int(np.prod(shape)), 1))
            for k, index in zip(margin, np.indices(shape).reshape(len(margin), len(some)), strict=True):
                some[:, names.index(query.by[k])] = np.array(axes[k])[index]
            codes.append(some)
            there = margin in release.lower
            lows.append(np.ravel(release.lower[margin]) if there else np.zeros(len(some)))
            highs.append(np.ravel(release.upper[margin]) if there else np.full(len(some), np.inf))
        return np.concatenate(codes), np.concatenate(lows), np.concatenate(highs)

    def _add(self, known: LinkedTables, codes: NDArray[np.int32], low: Floats, high: Floats) -> None:
        """Merge known groups with new ones, with the tightest bounds of each group."""
        codes = np.concatenate([known._codes, codes])
        ids = codes.astype(np.uint64) @ self._strides
        self._ids, first, member = np.unique(ids, return_index=True, return_inverse=True)
        self._codes = codes[first]

        def closest(before: Floats, bounds: Floats, closer: np.ufunc, start: float) -> Floats:
            tightest = np.full(len(first), start)
            closer.at(tightest, member, np.concatenate([before, bounds]))
            return tightest

        self._low, self._own_low = (
            closest(values, low, np.maximum, 0.0) for values in (known._low, known._own_low)
        )
        self._high, self._own_high = (
            closest(values, high, np.minimum, np.inf) for values in (known._high, known._own_high)
        )
        listed = self._listed()
        self._low, self._own_low = (np.maximum(values, listed) for values in (self._low, self._own_low))

    def _listed(self) -> Floats:
        """Return a lower bound of each group from the published lists of categories.

        Each listed category has at least one person. Therefore, a set of categories of one variable has at least as
        many people as categories.
        """
        least = np.zeros(len(self._codes))
        single = np.count_nonzero(self._codes, axis=1) == 1
        for k, name in enumerate(self._data.names):
            rows = np.flatnonzero(single & (self._codes[:, k] > 0))
            if rows.size:
                sizes = np.array([len(part) for part in self._sets[name]], dtype=np.float64)
                least[rows] = sizes[self._codes[rows, k]]
        everybody = ~self._codes.any(axis=1)
        if everybody.any():
            least[everybody] = max(len(self._data.variable(name).labels) for name in self._sets)
        return least

    def _add_listed(self, names: set[str]) -> None:
        """Add a group for each category of these variables, with the lower bound from the list."""
        rows = []
        for k, name in enumerate(self._data.names):
            labels = self._data.variable(name).labels if name in names else ()
            if 1 < len(labels) <= MOST_LISTED:
                self._code(name, frozenset(labels))
                codes = np.zeros((len(labels), len(self._data.names)), dtype=np.int32)
                # `_code` numbers the single categories from 1, in their order.
                codes[:, k] = 1 + np.arange(len(labels))
                rows.append(codes)
        if rows:
            more = np.concatenate(rows)
            self._add(self, more, np.zeros(len(more)), np.full(len(more), np.inf))

    def _partitions(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield a variable, one of its sets, and a partition of this set."""
        used = [set(column.tolist()) for column in self._codes.T]
        for k, name in enumerate(self._data.names):
            if len(used[k]) < 2:
                continue
            sets = self._sets[name]
            labels = self._data.variable(name).labels
            ways: list[list[frozenset[str]]] = [[frozenset([label]) for label in labels]]
            for level in self._groups.get(name, ()):
                parts = [frozenset(part) for part in level.values()]
                rest = [frozenset([label]) for label in labels if not any(label in part for part in parts)]
                ways.append(parts + rest)
            # A selected population and its complement.
            ways += [[sets[code], sets[0] - sets[code]] for own, code in self._populations if own == name]
            done = set()
            for parent in sorted(used[k]):
                for way in ways:
                    inside = [part for part in way if part < sets[parent]]
                    if frozenset().union(*inside) == sets[parent]:
                        children = tuple(sorted(self._code(name, part) for part in inside))
                        if (parent, children) not in done and used[k] & set(children):
                            done.add((parent, children))
                            yield k, parent, list(children)

    def _draw_in(self) -> None:
        """Tighten all bounds until they no longer change."""
        partitions = list(self._partitions())
        self._complete(partitions)
        relations = []
        for k, parent, children in partitions:
            above = np.flatnonzero(self._codes[:, k] == parent)
            places = self._places(above, k, parent, children)
            some = (places >= 0).any(axis=1)
            if some.any():
                relations.append((above[some], places[some]))
        for _ in range(MOST_ROUNDS):
            before = self._low.copy(), self._high.copy()
            for above, places in relations:
                self._draw_in_by(above, places)
            if np.array_equal(before[0], self._low) and np.array_equal(before[1], self._high):
                break

    def _draw_in_by(self, above: Whole, places: Whole) -> None:
        """Tighten the bounds of groups and of their parts; a part without a number can have any count."""
        there = places >= 0
        low = np.where(there, self._low[places], 0)
        high = np.where(there, self._high[places], np.inf)
        lows, highs = low.sum(axis=1), high.sum(axis=1)
        self._low[above] = np.maximum(self._low[above], lows)
        self._high[above] = np.minimum(self._high[above], highs)
        most = self._high[above][:, np.newaxis] - (lows[:, np.newaxis] - low)
        np.minimum.at(self._high, places[there], most[there])
        # The sum of the upper bounds of the other parts is infinite if one of them is.
        open_ = np.isinf(high)
        finite = np.where(open_, 0, high)
        others = finite.sum(axis=1)[:, np.newaxis] - finite
        unknown = open_.sum(axis=1)[:, np.newaxis] - open_ > 0
        least = np.where(unknown, 0, self._low[above][:, np.newaxis] - others)
        np.maximum.at(self._low, places[there], least[there])

    def _places(self, above: Whole, k: int, parent: int, children: Sequence[int]) -> Whole:
        """Return the indices of the parts of groups, shape (groups, parts); -1 for a part without a number."""
        steps = (np.array(children, dtype=np.int64) - parent).astype(np.uint64) * self._strides[k]
        wanted = self._ids[above][:, np.newaxis] + steps
        at = np.minimum(np.searchsorted(self._ids, wanted), len(self._ids) - 1)
        return np.where(self._ids[at] == wanted, at, -1)

    def _complete(self, partitions: Sequence[tuple[int, int, list[int]]]) -> None:
        """Add groups that are the difference of a group and all its other parts."""
        codes = [self._codes]
        for k, parent, children in partitions:
            above = np.flatnonzero(self._codes[:, k] == parent)
            missing = self._places(above, k, parent, children) < 0
            rows = np.flatnonzero(missing.sum(axis=1) == 1)
            more = self._codes[above[rows]].copy()
            more[:, k] = np.array(children, dtype=np.int32)[missing[rows].argmax(axis=1)]
            codes.append(more)
        n = sum(map(len, codes[1:]))
        if n:
            self._add(self, np.concatenate(codes[1:]), np.zeros(n), np.full(n, np.inf))
