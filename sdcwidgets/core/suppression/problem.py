"""What is to be protected, how well, and at what cost; and the pattern that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Flags, Floats, Whole
from .primary import Contributions, Rule
from .relations import Relations
from .seats import Seats

#: Suppressed parts of published sums in: for each pair, the relation and the entry; out: the weak relations.
Union = Callable[[Whole, Whole], Whole]

#: An entry is expensive if its cost was raised by more than this factor, compared with the median entry.
MUCH = 2.0


class Unprotectable(ValueError):
    """No pattern gives the protection that is asked for; `entry` says where, `inside` that it is for an insider."""

    def __init__(self, entry: int, message: str, *, inside: bool = False) -> None:
        super().__init__(message)
        self.entry, self.inside = entry, inside


class Work:
    """How much may be done, and how much was: in unknowns of flows and programs, not in seconds.

    So what a pattern is does not depend on how busy a machine is.

    Parameters
    ----------
    most : float
        About a million a second.
    tell : callable, optional
        Called with the share that is done, from 0 to 1; what it raises ends the work.
    """

    def __init__(self, most: float = 5e6, tell: Callable[[float], None] | None = None) -> None:
        self.most, self.done, self._tell = most, 0.0, tell

    def spend(self, amount: float) -> None:
        """Count what is done."""
        self.done += amount
        if self._tell is not None:
            self._tell(min(1.0, self.done / self.most))

    @property
    def over(self) -> bool:
        """Whether nothing is left to look for something better."""
        return self.done >= self.most


@dataclass(frozen=True, eq=False)
class Problem:
    """A table, its sensitive entries, and the protection that each must have.

    Attributes
    ----------
    relations : Relations
    values : ndarray of float, shape (entries,)
        The true values, which add up.
    primary : ndarray of bool
        The sensitive entries; they are suppressed in every pattern.
    weights : ndarray of float
        The cost of suppressing each entry, above 0.
    below, above : ndarray of float
        How far below and above its value the bounds of a primary entry must lie at least.
    width : ndarray of float
        How far its two bounds must lie apart at least.
    usable : ndarray of bool
        Which entries may be suppressed.
    floor, ceiling : ndarray of float
        What everybody knows about each entry beforehand.
    union : callable, optional
        Tells which published sums are of suppressed parts that are sensitive together.
    seats : Seats, optional
        Who is in the table. A primary entry must be as wide for each coalition of them that is not all of it; below
        the value no further than to what they contributed to it. None: for outsiders only.
    expensive : ndarray of bool
        Entries whose cost was raised by hand. A choice by a secret suppresses none of them without need.

    Raises
    ------
    ValueError
        If the values don't add up, a weight is not above 0, or a primary entry cannot be suppressed.
    """

    relations: Relations
    values: Floats
    primary: Flags
    weights: Floats
    below: Floats
    above: Floats
    width: Floats
    usable: Flags
    floor: Floats
    ceiling: Floats
    union: Union | None = field(default=None, compare=False)
    seats: Seats | None = field(default=None, compare=False)
    expensive: Flags = field(default_factory=lambda: np.zeros(0, dtype=bool), compare=False)

    @classmethod
    def of(
        cls,
        relations: Relations,
        values: ArrayLike,
        primary: ArrayLike,
        *,
        weights: ArrayLike | None = None,
        below: ArrayLike = 0.0,
        above: ArrayLike = 0.0,
        width: ArrayLike = 1.0,
        usable: ArrayLike | None = None,
        floor: ArrayLike = 0.0,
        ceiling: ArrayLike = np.inf,
        union: Union | None = None,
        seats: Seats | None = None,
        usual: ArrayLike | None = None,
    ) -> Problem:
        """Make a problem of arrays of any shape, filling in what is usual.

        A weight is by default the value of the entry, at least 1. Zeros are not usable by default: who knows
        that a zero must be one undoes what it protects. With the `usual` weights, entries that became much more
        expensive than the others are `expensive`.
        """
        entries = np.asarray(values, dtype=np.float64).ravel()
        flags = np.asarray(primary, dtype=bool).ravel()

        def spread(numbers: ArrayLike) -> Floats:
            array = np.asarray(numbers, dtype=np.float64)
            return np.array(np.broadcast_to(array.ravel() if array.ndim else array, entries.shape))

        relations.check(entries)
        if flags.shape != entries.shape:
            raise ValueError(f"There are {flags.size} marks of primary entries for {entries.size} entries.")
        problem = cls(
            relations,
            entries,
            flags,
            np.maximum(entries, 1) if weights is None else spread(weights),
            np.where(flags, spread(below), 0),
            np.where(flags, spread(above), 0),
            np.where(flags, spread(width), 0),
            (entries > 0) | flags if usable is None else np.asarray(usable, dtype=bool).ravel() | flags,
            spread(floor),
            spread(ceiling),
            union,
            seats,
        )
        expensive = np.zeros(flags.shape, dtype=bool)
        if usual is not None and problem.usable.any():
            ratio = problem.weights / spread(usual)
            expensive = ratio > MUCH * np.median(ratio[problem.usable])
        problem = replace(problem, expensive=expensive)
        if not np.all(problem.weights > 0):
            raise ValueError("Every weight must be above 0.")
        if np.any((entries < problem.floor) | (entries > problem.ceiling)):
            raise ValueError("A value is outside of what is said to be known about it.")
        return problem

    @property
    def room(self) -> Floats:
        """The most that a value can change in one direction without one of the bounds being passed."""
        most = (
            float(np.abs(self.values).sum() + max(self.above.max(), self.below.max(), self.width.max())) + 1
        )
        return np.minimum(most, np.maximum(self.ceiling - self.values, self.values - self.floor))

    @property
    def required(self) -> tuple[Floats, Floats, Floats]:
        """What each entry must attain if it is suppressed: below, above, and width; one step if it is not sensitive."""
        return (
            self.values - self.below,
            self.values + self.above,
            np.where(self.primary, self.width, 1.0),
        )


@dataclass(frozen=True, eq=False)
class Pattern:
    """Which entries are suppressed, and what was proved about that.

    Attributes
    ----------
    suppressed : ndarray of bool, shape (entries,)
    secondary : ndarray of bool
        Those that are not primary.
    cost : float
        The weight of the secondary entries.
    least : float
        No pattern that protects costs less than this; equal to `cost` where the pattern is the cheapest.
    lower, upper : ndarray of float
        For each suppressed entry values that tables with everything that is published attain. Its interval
        reaches at least so far; it is exactly that where `exact`.
    exact : bool
    """

    suppressed: Flags
    secondary: Flags
    cost: float
    least: float
    lower: Floats
    upper: Floats
    exact: bool

    @property
    def optimal(self) -> bool:
        """Whether no cheaper pattern protects."""
        return self.cost <= self.least * (1 + 1e-6) + 1e-6


def weigh(values: Floats, by: str = "value", costs: ArrayLike | None = None) -> Floats:
    """Return the cost of suppressing each entry: its `value`, 1 for each `cell`, or `costs` of one's own."""
    if costs is not None:
        own = np.asarray(costs, dtype=np.float64).ravel()
        if own.shape != values.shape or not np.all(own > 0):
            raise ValueError(f"Costs of one's own must be {values.size} numbers above 0.")
        return own
    if by == "cell":
        return np.ones(values.shape)
    if by == "value":
        return np.maximum(values, 1.0)
    raise ValueError(f"Weights are by value or by cell, not by {by!r}.")


def small_union(values: Floats, least: float) -> Union:
    """Return a test of suppressed parts whose published sum is too small: who is in one knows the rest.

    Two suppressed ones in a row have the sum 2, so each of the two people knows where the other is.
    """

    def weak(rows: Whole, entries: Whole) -> Whole:
        if not len(rows):
            return rows
        sums = np.bincount(rows, values[entries])
        present = np.unique(rows)
        return present[(sums[present] > 0) & (sums[present] < least)]

    return weak


def union_rule(contributions: Contributions, rule: Rule) -> Union:
    """Return a test of suppressed parts whose sum a rule calls sensitive.

    It catches two single contributors in one row, each of whom recovers the other, and a holder whose
    contributions are in both suppressed cells.
    """
    merged = contributions.merged()
    starts = np.searchsorted(merged.entries, np.arange(int(merged.entries.max(initial=-1)) + 2))

    def weak(rows: Whole, entries: Whole) -> Whole:
        if not len(rows):
            return rows
        known = entries < len(starts) - 1
        rows, entries = rows[known], entries[known]
        sizes = starts[entries + 1] - starts[entries]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.repeat(starts[entries], sizes) + within
        groups, index = np.unique(np.repeat(rows, sizes), return_inverse=True)
        together = Contributions(index, merged.values[places], merged.holders[places])
        return groups[rule(together, len(groups)).flags]

    return weak
