"""Cell suppression of tables of counts with sub-totals, linked tables, costs and frozen entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import cell_name
from sdcwidgets._util.parameters import chosen_by
from sdcwidgets.core.suppression import (
    SHARES,
    SMALL,
    Insiders,
    Pattern,
    Problem,
    Tree,
    Unprotectable,
    Work,
    audited_pattern,
    find_pattern,
    first_level,
    is_certified,
    is_network,
    of_tables,
    pattern_with,
    raised,
    small_union,
    threshold,
    weigh,
    with_margins,
)
from sdcwidgets.tables.apriori import Apriori
from sdcwidgets.tables.hierarchy import axes_of, caution_of, labels_of, tree_of
from sdcwidgets.tables.linked_release import LinkedRelease
from sdcwidgets.tables.nesting import check_disjoint, detected, without_totals
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator


#: Maximum number of entries of a table with three or more axes for the cheapest pattern, and limit of the work
#: for improvements. For two axes the heuristic needs a fifth of the time, and its cost is 1.03 times the
#: minimum (10 x 10, 12 tables).
EXACT_ENTRIES, MOST_WORK = 80, 1e6

#: Maximum number of entries of a table with all its sums.
MOST_ENTRIES = 2_000_000


@dataclass(frozen=True, eq=False)
class SuppressedTable:
    """Published and suppressed entries of a table of counts.

    Attributes
    ----------
    names : tuple of str
        Names of the axes.
    labels : tuple of tuple of str
        Labels of each axis, including sub-totals and the total.
    numbers : ndarray of int, shape (entries,)
        Position of each entry among all sums of the table, in a flattened array with the sizes of `labels`.
    counts : ndarray of int, shape (entries,)
        Original counts.
    pattern : Pattern
        Suppressed entries.
    caution : str
        Limitation of the proof of protection, or "".
    problem : Problem, optional
        The protected problem; `core.suppression.failures` audits any other pattern for it.
    notes : tuple of str
        Footnotes of the release, as sentences.
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    numbers: Whole
    counts: Whole
    pattern: Pattern
    caution: str = ""
    problem: Problem | None = None
    notes: tuple[str, ...] = ()

    @property
    def kinds(self) -> NDArray[np.str_]:
        """Kind of each entry: "primary" or "secondary" if it is suppressed, otherwise ""."""
        pattern = self.pattern
        return np.where(pattern.secondary, "secondary", np.where(pattern.suppressed, "primary", ""))

    def to_frame(self) -> pd.DataFrame:
        """Return one row per entry: labels, count, kind of suppression, and bounds for external intruders."""
        import pandas as pd

        places = np.unravel_index(self.numbers, tuple(map(len, self.labels)))
        index = pd.MultiIndex.from_arrays(
            [np.array(labels, dtype=object)[at] for labels, at in zip(self.labels, places, strict=True)],
            names=self.names,
        )
        pattern = self.pattern
        columns = {
            "count": self.counts,
            "suppressed": self.kinds,
            "lower": pattern.lower,
            "upper": pattern.upper,
        }
        return pd.DataFrame(columns, index=index)

    def release(self) -> LinkedRelease:
        """Return the published entries and their intervals, without the suppressed counts."""
        positions = np.unravel_index(self.numbers, tuple(map(len, self.labels)))
        pattern = self.pattern
        return LinkedRelease(
            self.names,
            self.labels,
            np.stack(positions, axis=1),
            np.where(pattern.suppressed, np.nan, self.counts),
            pattern.lower,
            pattern.upper,
            self.notes,
            (self.caution,) if self.caution else (),
            secondary=pattern.secondary,
        )

    def published(self) -> pd.DataFrame:
        """Return one row per entry with its count, None if it is suppressed."""
        frame = self.to_frame()
        return frame[["count"]].astype("Int64").where((frame["suppressed"] == "").to_numpy()[:, np.newaxis])

    def table(self, *names: str) -> tuple[list[tuple[str, ...]], Whole, NDArray[np.str_]]:
        """Return the labels and counts of a published table, and the kind of suppression of each entry.

        Parameters
        ----------
        *names : str
            Axes of the table, in their order.
        """
        shape = tuple(map(len, self.labels))
        counts, kinds = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=self.kinds.dtype)
        counts.flat[self.numbers], kinds.flat[self.numbers] = self.counts, self.kinds
        view = tuple(slice(None) if name in names else -1 for name in self.names)
        labels = [self.labels[k] for k, name in enumerate(self.names) if name in names]
        return labels, counts[view], kinds[view]


def with_hierarchies(
    table: FrequencyTable, hierarchies: Mapping[str, Mapping[str, str] | str]
) -> tuple[FrequencyTable, dict[str, Mapping[str, str]]]:
    """Remove categories that are sub-totals, and return the table and its hierarchies.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    hierarchies : mapping of str to mapping of str to str, or "detected"
        The parent of each label for each axis; with "detected" it is inferred from the sums.

    Raises
    ------
    InputError
        If no hierarchy is detected, or a category is not the sum of its children.

    Examples
    --------
    >>> table = FrequencyTable([900, 413, 487, 723], {"Area": ["north", "a", "b", "south"]})
    >>> leaves, found = with_hierarchies(table, {"Area": "detected"})
    >>> leaves.axes[0].labels, found
    (('a', 'b', 'south'), {'Area': {'north': '', 'a': 'north', 'b': 'north', 'south': ''}})
    """
    names = [axis.name for axis in table.axes]
    axes_of([list(hierarchies)], names)
    parents = {
        name: detected(table.counts, table.axes, name) if isinstance(hierarchy, str) else hierarchy
        for name, hierarchy in hierarchies.items()
    }
    counts, axes = without_totals(table.counts, table.axes, parents)
    if counts.shape == table.shape:
        return table, parents
    return table.rearranged(axes, lambda counts: without_totals(counts, table.axes, parents)[0]), parents


def suppressed(
    table: FrequencyTable,
    *,
    least: int = 3,
    width: int = 2,
    cost: str = "value",
    coalition: int = 1,
    hierarchies: Mapping[str, Mapping[str, str] | str] | None = None,
    non_hierarchical: Collection[str] = (),
    tables: Sequence[Sequence[str]] | None = None,
    frozen: ArrayLike | None = None,
    costs: ArrayLike | None = None,
    apriori: Apriori | None = None,
    audited: bool = True,
    choice: str = "secret",
    seed: int | Generator | None = None,
) -> SuppressedTable:
    """Suppress small counts of a table with all its sums, and the entries that would disclose them.

    The rules are those of `CellSuppression`. In addition, there can be sub-totals, entries that must be
    published, custom costs, and several published tables of the same people. A common sum of several tables is
    one entry, suppressed in all of them or in none. Each respondent is in one cell of the full table, whether
    it is published or not.

    Parameters
    ----------
    table : FrequencyTable
        Counts by all axes of all tables.
    least : int
        Threshold: counts from 1 to below it are suppressed, including sub-totals and totals. Weighted counts with fewer
        respondents are suppressed, too.
    width : int
        Minimum width of the feasibility interval of a small count.
    cost : {"value", "cell"}
        Quantity that the secondary suppression minimises: suppressed total, or number of entries.
    coalition : int
        Maximum coalition size, 0 to 3; 0: external intruders only.
    hierarchies : mapping of str to mapping of str to str, or "detected", optional
        For an axis with sub-totals, the parent of each label and of each parent; "" is the total. With
        "detected", categories that are sums of others are sub-totals.
    non_hierarchical : collection of str
        Axes with disjoint categories, although their labels or counts look like a hierarchy.
    tables : sequence of sequence of str, optional
        Axes of each published table, with all its sums; default: one table of all axes.
    frozen : array_like of bool, optional
        Entries that must be published, in the shape of the table with all its sums (`labels_of` each axis).
    costs : array_like of float, optional
        Cost of suppressing each entry, in the same shape; nan: as given by `cost`.
    apriori : Apriori, optional
        Entries that are set by hand as unsafe, safe or protected, and their costs and protection levels.
    audited : bool
        Also compute the feasibility interval of each suppressed entry.
    choice : {"secret", "optimal"}
        Random choice by the seed (see `CellSuppression`), or the cheapest pattern. Use the cheapest only
        for teaching, because a data user who runs the program can infer counts from it.
    seed : int or Generator, optional
        The secret. Equal tables, settings and secrets give equal patterns. Two different patterns of one table
        disclose counts by their difference. Default: a new secret.

    Returns
    -------
    SuppressedTable
        Published and suppressed entries.

    Raises
    ------
    InputError
        If no pattern gives the required protection, a small count is frozen, an axis is unknown, or an axis
        looks hierarchical and is neither in `hierarchies` nor in `non_hierarchical`.

    References
    ----------
    Handbook, chapter 5, section 5.3; de Wolf and Giessing 2009 (linked tables).

    Examples
    --------
    The areas are in the north or the south; the sub-totals are published or suppressed sums:

    >>> counts = [[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]]
    >>> table = FrequencyTable(counts, {"Area": "abcd", "Age": "xyz"})
    >>> sides = {"a": "north", "b": "north", "c": "south", "d": "south"}
    >>> result = suppressed(table, hierarchies={"Area": sides}, choice="optimal")
    >>> result.to_frame().query("suppressed != ''").index.tolist()
    [('a', 'x'), ('a', 'z'), ('b', 'x'), ('b', 'z')]
    """
    secret = chosen_by(choice, seed)
    if not 0 <= coalition <= 3:
        raise InputError(f"The coalition is {coalition}; it must be a whole number from 0 to 3.")
    names = tuple(axis.name for axis in table.axes)
    axes_of([list(non_hierarchical)], names)
    hierarchies = hierarchies or {}
    check_disjoint(table.counts, table.axes, {*hierarchies, *non_hierarchical})
    table, by_axis = with_hierarchies(table, hierarchies)
    parts = axes_of(tables, names)
    trees = tuple(tree_of(axis, by_axis.get(axis.name, {})) for axis in table.axes)
    labels = tuple(labels_of(axis, by_axis.get(axis.name, {})) for axis in table.axes)
    shape = tuple(map(len, labels))
    if np.prod(shape, dtype=float) > MOST_ENTRIES:
        raise InputError(
            f"The table has {np.prod(shape, dtype=float):,.0f} cells and sums; at most {MOST_ENTRIES:,} are supported."
        )
    every = np.asarray(with_margins(table.counts, trees))
    numbers, relations = of_tables(trees, parts)
    values = every.ravel()[numbers].astype(np.float64)
    stay = _in_shape(frozen, shape, "Cells that must be published", False).ravel()[numbers].astype(bool)
    own = _in_shape(costs, shape, "Costs", np.nan).ravel()[numbers]
    people = _people_behind(table, trees, numbers)
    primary = np.asarray(threshold(people(values), least))
    primary[-1] = False  # the total number of people is known from other sources

    def where(entry: int) -> str:
        at = np.unravel_index(int(numbers[entry]), shape)
        return cell_name([axis_labels[int(i)] for axis_labels, i in zip(labels, at, strict=True)], names)

    if (primary & stay).any():
        entry = int(np.argmax(primary & stay))
        raise InputError(
            f"{where(entry)}: the {_noun(table)} is {people(values)[entry]:.0f}, below the threshold, so the cell "
            "cannot be required for publication (frozen)."
        )
    if (own <= 0).any():
        raise InputError(f"{where(int(np.argmax(own <= 0)))}: the cost must be above 0.")

    by_hand = (apriori or Apriori.nothing(shape)).entries(numbers)
    by_hand = replace(by_hand, frozen=by_hand.frozen | stay)
    conflict = by_hand.conflict(primary, values)
    if conflict is not None:
        raise InputError(f"{where(conflict[0])}: {conflict[1]}; correct the a priori file.")
    own = np.where(np.isnan(own), by_hand.costs, own)
    usable = (values > 0) & ~by_hand.frozen
    usable[-1] = False
    unsafe, primary = by_hand.unsafe, primary | by_hand.unsafe
    below, above = np.nan_to_num(by_hand.below), np.nan_to_num(by_hand.above)

    def problem_of(values: Floats, primary: Flags, counts: Whole) -> Problem:
        return Problem.of(
            relations,
            values,
            primary,
            below=np.minimum(below, np.maximum(values - 1, 0)),
            above=above,
            width=np.maximum(float(width), below + above),
            usable=usable,
            weights=np.where(np.isnan(own), weigh(values, cost), own),
            usual=weigh(values, cost),
            floor=np.minimum(values, 1),
            union=small_union(people(values), least),
            insiders=Insiders.of_counts(counts, trees, coalition).within(numbers) if coalition else None,
        )

    def sensitive(values: Whole) -> Flags:
        small = np.asarray(threshold(people(values), least)) | unsafe
        small[..., -1] = False
        return small

    def problem_for(values: Whole) -> Problem:
        """Return the problem of another table with the same settings."""
        other = np.zeros(shape, dtype=np.int64)
        other.ravel()[numbers] = values
        counts = other[np.ix_(*(tree.leaves for tree in trees))]
        return problem_of(values.astype(np.float64), sensitive(values), counts)

    problem = problem_of(values, primary, table.counts)
    try:
        if secret is not None and len(values) == every.size <= SMALL and is_network(problem):
            cells = np.eye(table.cells, dtype=np.int64).reshape(table.cells, *table.shape)
            sums = np.stack([with_margins(cell, trees).ravel() for cell in cells], axis=1)[numbers]
            chosen = _certified(problem, secret, least, sums, sensitive, problem_for)
            pattern = audited_pattern(problem, chosen, audited=audited)
        else:
            pattern = find_pattern(
                problem,
                method="exact" if table.ndim > 2 and len(values) <= EXACT_ENTRIES else "heuristic",
                work=Work(MOST_WORK),
                audited=audited,
                secret=secret,
            )
    except Unprotectable as error:
        how = "a smaller coalition or a lower threshold" if error.inside else "a lower threshold"
        inside = " against each respondent in the table" if error.inside else ""
        raise InputError(
            f"{where(error.entry)}: no pattern protects this count as required{inside}. Use {how} "
            "or a smaller width."
        ) from None
    return SuppressedTable(
        names, labels, numbers, every.ravel()[numbers], pattern, caution_of(parts), problem
    )


def _people_behind(
    table: FrequencyTable, trees: Sequence[Tree], numbers: Whole
) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Return a function of counts that returns the numbers of people, which can be respondents of weighted counts."""
    if table.respondents is None:
        return lambda values: values
    respondents = np.asarray(with_margins(table.respondents.counts, trees)).ravel()[numbers]
    return lambda values: np.minimum(values, respondents)


def _noun(table: FrequencyTable) -> str:
    """Return the noun for the numbers of people of a table."""
    return "count" if table.respondents is None else "number of respondents"


def _certified(
    problem: Problem,
    secret: int,
    least: int,
    sums: Whole,
    sensitive: Callable[[Whole], Flags],
    problem_for: Callable[[Whole], Problem],
) -> Flags:
    """Return the pattern for the threshold that the secret selects, or for the next one with a certificate.

    Parameters
    ----------
    problem : Problem
        Problem of the table.
    secret : int
        The secret.
    least : int
        Threshold of small counts.
    sums : ndarray of int, shape (entries, cells)
        1 if a cell is part of an entry, otherwise 0.
    sensitive : callable
        Function that returns the sensitive entries of a table.
    problem_for : callable
        Function that returns the problem of another table.
    """
    leaves = sums.sum(axis=1) == 1
    if not problem.primary.any():
        return problem.primary
    level = first_level(secret)
    while True:
        pattern = pattern_with(problem, raised(problem, level, least, leaves))

        def can_lead(values: Whole, pattern: Flags = pattern, level: int = level) -> bool:
            other = problem_for(values)
            # The result does not depend on the order of the thresholds; the most likely one is first.
            for number in sorted(range(len(SHARES)), key=lambda number: number != level):
                decoys = raised(other, number, least, leaves)
                if not (decoys & ~pattern).any() and _leads(other, decoys, pattern):
                    return True
            return False

        if level == len(SHARES) - 1 or is_certified(problem, pattern, sums, sensitive, can_lead):
            return pattern
        level += 1


def _leads(problem: Problem, decoys: Flags, pattern: Flags) -> bool:
    try:
        return np.array_equal(pattern_with(problem, decoys), pattern)
    except Unprotectable:
        return False


def _in_shape(values: ArrayLike | None, shape: tuple[int, ...], subject: str, otherwise: float) -> Floats:
    if values is None:
        return np.full(shape, otherwise, dtype=np.float64)
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise InputError(
            f"{subject} have the shape {array.shape}, but the table with all its sums has {shape}."
        )
    return array
