"""Suppression problem (table, sensitive entries, required protection, costs) and its solution, a pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Flags, Floats, Whole
from .insiders import Insiders
from .primary import Contributions, Rule
from .relations import Relations

#: Function of the suppressed parts of published sums (relation and entry of each) that returns weak relations.
Union = Callable[[Whole, Whole], Whole]

#: An entry is expensive if its cost was raised by more than this factor, compared with the median entry.
MUCH = 2.0


class Unprotectable(ValueError):
    """No pattern gives the required protection of `entry`; `inside` is True if only insiders can infer it."""

    def __init__(self, entry: int, message: str, *, inside: bool = False) -> None:
        super().__init__(message)
        self.entry, self.inside = entry, inside


class Work:
    """Limit of the computations, in unknowns of flows and programs instead of seconds.

    The pattern therefore does not depend on the speed of the computer.

    Parameters
    ----------
    most : float
        Maximum work; one second is approximately a million.
    tell : callable, optional
        Function of the completed share, from 0 to 1; if it raises an exception, the work ends.
    """

    def __init__(self, most: float = 5e6, tell: Callable[[float], None] | None = None) -> None:
        self.most, self.done, self._tell = most, 0.0, tell

    def spend(self, amount: float) -> None:
        """Add completed work."""
        self.done += amount
        if self._tell is not None:
            self._tell(min(1.0, self.done / self.most))

    @property
    def over(self) -> bool:
        """Whether the work for improvements is used up."""
        return self.done >= self.most


@dataclass(frozen=True, eq=False)
class Problem:
    """A table with its sensitive entries and the required protection of each.

    Attributes
    ----------
    relations : Relations
        Sums among the entries.
    values : ndarray of float, shape (entries,)
        Original values, which are additive.
    primary : ndarray of bool
        Sensitive entries; every pattern suppresses them.
    weights : ndarray of float
        Cost of suppressing each entry, above 0.
    below, above : ndarray of float
        Minimum distance of the lower and of the upper bound of a primary entry from its value.
    width : ndarray of float
        Minimum distance between the two bounds.
    usable : ndarray of bool
        Entries that may be suppressed.
    floor, ceiling : ndarray of float
        Bounds of each entry that every data user knows.
    union : callable, optional
        Test for published sums of suppressed parts that are sensitive together.
    insiders : Insiders, optional
        Contributors in the table. Each primary entry must be protected against every coalition that does not
        make up the whole entry; below the value only as far as the coalition's contribution. None: external
        intruders only.
    expensive : ndarray of bool
        Entries whose cost was raised by hand. A random choice suppresses such an entry only if it is necessary.

    Raises
    ------
    ValueError
        If the values are not additive, a weight is not above 0, or a value is outside its known bounds.
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
    insiders: Insiders | None = field(default=None, compare=False)
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
        insiders: Insiders | None = None,
        usual: ArrayLike | None = None,
    ) -> Problem:
        """Build a problem from arrays of any shape, with the usual defaults.

        The default weight is the value of the entry, at least 1. By default zeros are not suppressed: a data
        user who knows that a zero is structural can undo the protection of other entries. With the `usual`
        weights, entries that became much more expensive than the others are `expensive`.
        """
        entries = np.asarray(values, dtype=np.float64).ravel()
        flags = np.asarray(primary, dtype=bool).ravel()

        def spread(numbers: ArrayLike) -> Floats:
            array = np.asarray(numbers, dtype=np.float64)
            return np.array(np.broadcast_to(array.ravel() if array.ndim else array, entries.shape))

        relations.check(entries)
        if flags.shape != entries.shape:
            raise ValueError(
                f"There are {flags.size} flags of sensitive cells for {entries.size} cells and totals; "
                "give one flag for each."
            )
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
            insiders,
        )
        expensive = np.zeros(flags.shape, dtype=bool)
        if usual is not None and problem.usable.any():
            ratio = problem.weights / spread(usual)
            expensive = ratio > MUCH * np.median(ratio[problem.usable])
        problem = replace(problem, expensive=expensive)
        if not np.all(problem.weights > 0):
            raise ValueError("Every weight must be above 0.")
        if np.any((entries < problem.floor) | (entries > problem.ceiling)):
            raise ValueError("A value is outside its known bounds (floor and ceiling).")
        return problem

    @property
    def room(self) -> Floats:
        """Maximum change of a value in one direction that can occur without exceeding one of its bounds."""
        most = (
            float(np.abs(self.values).sum() + max(self.above.max(), self.below.max(), self.width.max())) + 1
        )
        return np.minimum(most, np.maximum(self.ceiling - self.values, self.values - self.floor))

    @property
    def required(self) -> tuple[Floats, Floats, Floats]:
        """Bounds and width that a suppressed entry must attain; width 1 if it is not sensitive."""
        return (
            self.values - self.below,
            self.values + self.above,
            np.where(self.primary, self.width, 1.0),
        )


@dataclass(frozen=True, eq=False)
class Pattern:
    """Suppressed entries, with the proved bound of the cost.

    Attributes
    ----------
    suppressed : ndarray of bool, shape (entries,)
        Mask of all suppressed entries.
    secondary : ndarray of bool
        Mask of the suppressed entries that are not primary.
    cost : float
        Sum of the weights of the secondary entries.
    least : float
        Lower bound of the cost of every protecting pattern; equal to `cost` for a cheapest pattern.
    lower, upper : ndarray of float
        Values of each suppressed entry that occur in feasible tables. The feasibility interval contains them;
        if `exact` is True, they are its limits.
    exact : bool
        Whether `lower` and `upper` are the limits of the feasibility intervals.
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
        """Whether no cheaper pattern protects the sensitive entries."""
        return self.cost <= self.least * (1 + 1e-6) + 1e-6


def weigh(values: Floats, by: str = "value", costs: ArrayLike | None = None) -> Floats:
    """Return the cost of suppressing each entry: its `value`, 1 per `cell`, or custom `costs`.

    Raises
    ------
    ValueError
        If the costs do not match the entries or are not above 0, or `by` is unknown.
    """
    if costs is not None:
        own = np.asarray(costs, dtype=np.float64).ravel()
        if own.shape != values.shape or not np.all(own > 0):
            raise ValueError(f"There must be {values.size} costs, one per cell or total, each above 0.")
        return own
    if by == "cell":
        return np.ones(values.shape)
    if by == "value":
        return np.maximum(values, 1.0)
    raise ValueError(f'The cost of a suppressed cell must be "value" or "cell", not {by!r}.')


def small_union(values: Floats, least: float) -> Union:
    """Return a test for sums of suppressed parts that are too small, so that a member knows the rest.

    For example, if two suppressed ones in a row have the sum 2, each of the two people can locate the other.
    """

    def weak(rows: Whole, entries: Whole) -> Whole:
        if not len(rows):
            return rows
        sums = np.bincount(rows, values[entries])
        present = np.unique(rows)
        return present[(sums[present] > 0) & (sums[present] < least)]

    return weak


def union_rule(contributions: Contributions, rule: Rule) -> Union:
    """Return a test for sums of suppressed parts that a rule classifies as sensitive.

    It finds two single contributors in one row that can compute each other's amount, and a contributor with
    amounts in both suppressed cells.
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
