"""Controlled rounding: cells and margins are multiples of the base, and the table is additive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Choices, Help, Label, Range, secret_of
from sdcwidgets.core import controlled as core
from sdcwidgets.core.margins import margins
from sdcwidgets.core.suppression import Tree
from sdcwidgets.methods.base import Choice, Counts, check_size, register
from sdcwidgets.methods.canonical import CanonicalTable, canonical
from sdcwidgets.methods.rounding.single import Base, within
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.hierarchy import tree_of
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of cells of a table that the solver rounds within half a second.
QUICK_CELLS = 300

Steps = Annotated[
    int,
    Range(0, 5),
    Label("Steps K"),
    Help(
        "Number of multiples of the base, beyond the two adjacent multiples, to which a count may be "
        "rounded. 0 allows only the two adjacent multiples."
    ),
]


def controlled(
    table: FrequencyTable,
    base: int,
    steps: int = 0,
    goal: str = "optimal",
    effort: float = 1.0,
    hierarchies: Mapping[str, Mapping[str, str]] | None = None,
    secret: int | None = None,
) -> FrequencyTable:
    """Round a table to multiples of the base, close to its cells and margins.

    Parameters
    ----------
    table : FrequencyTable
        The original table, with any number of axes; a large table is rounded in parts.
    base : int
        Base, 2 or more.
    steps : int
        K, the number of multiples beyond the two adjacent ones that a value may move; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        Least sum of distances; first rounding within the steps; or each cell to its nearest multiple, with
        margins that can be far from the original ones.
    effort : float
        Factor of the maximum amount of work; see `core.controlled`.
    hierarchies : mapping of str to mapping of str to str, optional
        For an axis with sub-totals, the parent of each label, and of each parent unless it is the total.
    secret : int, optional
        Seed of a random choice close to the closest rounding, for publication. None: the closest rounding, from
        which a data user can infer more than from the base alone.

    Returns
    -------
    FrequencyTable
        The rounded table; its margins are the rounded margins, and sums of its cells the rounded sub-totals.

    Raises
    ------
    InputError
        If no such rounding exists or none was found; the message names possible settings.

    References
    ----------
    Handbook, chapter 5, section 5.5.1. See `core.controlled`.

    Examples
    --------
    >>> table = FrequencyTable([[1, 0], [3, 3], [12, 20]])
    >>> rounded = controlled(table, base=5)
    >>> rounded.total, set((rounded.counts % 5).ravel().tolist())
    (40, {0})

    The first two rows have 7 people; as a sub-total this becomes 5 or 10:

    >>> north = {"Row": {"Row 1": "north", "Row 2": "north", "Row 3": "south"}}
    >>> int(controlled(table, base=5, hierarchies=north).counts[:2].sum())
    10
    """
    trees_of_axes = hierarchies or {}
    unknown = set(trees_of_axes) - {axis.name for axis in table.axes}
    if unknown:
        raise InputError(f"The hierarchy {quoted(min(unknown))} does not belong to an axis of the table.")
    trees = tuple(tree_of(axis, trees_of_axes.get(axis.name, {})) for axis in table.axes)
    solution = solve(table, base, steps, goal, effort, trees, secret)
    if solution.rapid and goal != "rapid":
        raise InputError(
            f"No rounding was found within the limit of work. Allow K = {steps + 1}, increase the effort, or "
            "use the goal rapid."
        )
    return FrequencyTable(solution.cells, table.axes)


@lru_cache(maxsize=16)
def solve(
    table: FrequencyTable,
    base: int,
    steps: int = 0,
    goal: str = "optimal",
    effort: float = 1.0,
    trees: tuple[Tree, ...] | None = None,
    secret: int | None = None,
) -> core.Rounded:
    """Return the rounded cells with their distance and its lower bound; see `controlled`.

    Parameters
    ----------
    table : FrequencyTable
        The original table, with any number of axes; a large table is rounded in parts.
    base : int
        Base, 2 or more.
    steps : int
        K, the number of multiples beyond the two adjacent ones that a value may move; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        Least sum of distances; first rounding within the steps; or each cell to its nearest multiple, with margins
        that can be far from the original ones.
    effort : float
        Factor of the maximum amount of work; see `core.controlled`.
    trees : tuple of Tree, optional
        Sub-totals of each axis.
    secret : int, optional
        As for `controlled`.

    Returns
    -------
    core.controlled.Rounded
        Rounded cells, distance and lower bound.

    Raises
    ------
    InputError
        If a setting is out of range, or no such rounding exists.
    """
    if base < 2 or steps < 0:
        raise InputError(
            f"The rounding base is {base} and the maximum number of steps K is {steps}. The base must "
            "be at least 2, and K at least 0."
        )
    if goal not in core.GOALS:
        raise InputError(
            f"The goal of controlled rounding is {goal}; it must be one of {', '.join(core.GOALS)}."
        )
    with _explained(steps):
        return core.controlled(table.counts, base, steps, goal, effort=effort, trees=trees, secret=secret)


def protection_interval(
    published: ArrayLike, base: int, steps: int = 0, *, printed: bool = False
) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return the least and the greatest original count of a rounded count, given base and K.

    Parameters
    ----------
    published : array_like of int
        Rounded counts.
    base : int
        Base, 2 or more.
    steps : int
        K, 0 or more.
    printed : bool
        Use the published formula of the handbook, section 5.5.1.2. For 0 < a < (K + 1) b it gives an upper
        bound below (K + 1) b, although a count of 12 can become 5 for base 5 and K = 1. If False, the interval
        includes such counts.

    Returns
    -------
    lower, upper : ndarray of int, of the shape of `published`
        Bounds of the original counts.

    Examples
    --------
    Example of the handbook:

    >>> [int(end) for end in protection_interval(15, base=5, steps=1)]
    [6, 24]
    >>> [int(end) for end in protection_interval(5, 5, 1)]
    [0, 14]
    >>> [int(end) for end in protection_interval(5, 5, 1, printed=True)]
    [0, 9]
    """
    value, reach = np.asarray(published), (steps + 1) * base - 1
    lower, upper = within(value, reach, reach)
    return lower, np.where(value <= reach, reach, upper) if printed else upper


@register
@dataclass(frozen=True)
class ControlledRounding(Fixed):
    """Rounds cells and margins to multiples of the base so that the table remains additive.

    The result is as close to the original table as possible within the limit of work; `private_note` reports
    the remaining optimality gap. If no additive rounding is found, each cell gets its nearest multiple and
    margins are sums of cells (RAPID); the footnote states this.

    The rounding is by default a random choice among roundings that are nearly the closest. From the closest
    one, a data user who runs the program for every feasible table can narrow 432 of 3,166 intervals of small
    tables; from random choices it was 0 of 3,010. Keep the secret, and use it for every release of the table.

    References
    ----------
    Handbook, chapter 5, section 5.5.1.

    Examples
    --------
    >>> table = FrequencyTable([[1, 0], [3, 3], [12, 20]], {"Area": ["A", "B", "C"], "Sex": ["Male", "Female"]})
    >>> release = ControlledRounding(base=5).release(table, np.random.default_rng(1))
    >>> release.additive, release.bounds().upper - release.bounds().lower
    (True, np.float64(8.0))
    """

    base: Base = 3
    steps: Steps = 0
    goal: Annotated[
        str,
        Choices(
            {
                "optimal": "the rounding with the smallest distance, or nearly",
                "first": "the first rounding within K steps",
                "rapid": "RAPID: nearest multiple of each cell",
            }
        ),
        Label("Solution"),
        Help(
            "RAPID rounds each cell to the nearest multiple and sums the cells, so totals can be far from "
            "the original totals."
        ),
    ] = "optimal"
    group: Annotated[
        int,
        Range(1, 20),
        Label("Rows per sub-total"),
        Help(
            "Number of neighbouring rows that have a common sub-total. The sub-totals are also rounded "
            "within K steps. 1: no sub-totals."
        ),
    ] = 1

    effort: Annotated[
        float,
        Range(0, 20, 0.05),
        Label("Effort factor"),
        Help(
            "Factor for the maximum number of computation steps. More steps can give a smaller distance. "
            "The result does not depend on the speed of the computer."
        ),
    ] = 1.0
    choice: Choice = "secret"

    note_settings = " to base {0.base}"

    @property
    def seeded(self) -> bool:
        """Whether the rounding is a random choice; RAPID is deterministic."""
        return self.choice == "secret" and self.goal != "rapid"

    def is_slow_for(self, table: FrequencyTable) -> bool:
        """Return whether the solver may take more than half a second."""
        return table.cells > QUICK_CELLS and self.goal != "rapid"

    def trees(self, table: FrequencyTable) -> tuple[Tree, ...]:
        """Return the hierarchy of each axis: sub-totals for the first axis, the other axes flat."""
        first, *others = table.shape
        if not 1 < self.group < first:
            return tuple(map(Tree.flat, table.shape))
        above = first + np.arange(first) // self.group
        root = above[-1] + 1
        return (Tree([*above, *np.full(root - first, root), -1]), *map(Tree.flat, others))

    def cells(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Counts:
        """Return the rounded counts that this secret selects."""
        return self._solved(table, seed).cells

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return equal replicates, shape (size, *shape), because two roundings would narrow the intervals.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers. The secret is the seed of the generator, whatever was drawn from it before.

        Returns
        -------
        ndarray, shape (size, *shape)
            Rounded counts.
        """
        check_size(size)
        return np.broadcast_to(self.cells(table, rng), (size, *table.shape))

    def _secret(self, seed: int | np.random.Generator | None) -> int | None:
        return secret_of(seed) if self.seeded else None

    def _solved(self, table: FrequencyTable, seed: int | np.random.Generator | None) -> core.Rounded:
        in_order = self._in_order(table)
        trees = self.trees(in_order.table)
        secret = self._secret(seed)
        rounded = solve(in_order.table, self.base, self.steps, self.goal, self.effort, trees, secret)
        return rounded._replace(cells=in_order.restore(rounded.cells))

    def _in_order(self, table: FrequencyTable) -> CanonicalTable:
        """Return the table in canonical order for a random choice, unless sub-totals depend on the row order."""
        if not self.seeded or 1 < self.group < table.shape[0]:
            return CanonicalTable.unchanged(table)
        return canonical(table)

    def search(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> Iterator[core.Rounded]:
        """Yield the best rounding after each step, so that the caller can stop; `of` builds its release."""
        in_order = self._in_order(table)
        with _explained(self.steps):
            for rounded in core.search(
                in_order.table.counts,
                self.base,
                self.steps,
                self.goal,
                effort=self.effort,
                trees=self.trees(in_order.table),
                secret=self._secret(seed),
            ):
                yield rounded._replace(cells=in_order.restore(rounded.cells))

    def private_note(self, table: FrequencyTable, stayed: Counts | None = None) -> str:
        """Return the distance from the closest rounding, if it is not proved to be the closest.

        For a random choice the result is empty, because the distance would disclose something about the counts.

        Examples
        --------
        >>> table = FrequencyTable([[1, 0], [3, 3], [12, 20]])
        >>> ControlledRounding(base=5, goal="rapid").private_note(table).partition("; ")[0]
        'The total absolute change of cells and totals is 18 people'
        """
        if self.seeded:
            return ""
        solution = self._solved(table, None)
        remark = ""
        if solution.rapid and self.goal != "rapid":
            remark = (
                f"No rounding within {self.steps} steps (K) was found. Therefore, each cell is rounded to "
                f"its nearest multiple (RAPID), and totals are sums. Allow K = {self.steps + 1}, or "
                f"increase the effort. "
            )
        if solution.gap <= 1e-9:
            return remark.rstrip()
        return (
            f"{remark}The total absolute change of cells and totals is {solution.distance:,.0f} people; "
            f"the lower bound is {solution.bound:,.0f}, so the gap is at most {solution.gap:.1%}."
        )

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the protection interval of each published value."""
        if self.goal == "rapid":
            return within(published, self.base // 2, (self.base - 1) // 2)
        return protection_interval(published, self.base, self.steps)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator
    ) -> Release:
        """Return the rounded cells with their sums as margins.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins and bounds.
        """
        return self.of(table, self._solved(table, rng)._replace(cells=cells))

    def of(self, table: FrequencyTable, rounded: core.Rounded) -> Release:
        """Return the release of a rounding from `search`."""
        if rounded.rapid:
            rapid = replace(self, goal="rapid")
            bounds = rapid.conclusions(rounded.cells)
            return Release.of(FrequencyTable(rounded.cells, table.axes), *bounds, notes=[rapid.note()])
        notes = [self.note()]
        if 1 < self.group < table.shape[0]:
            notes.append(f"The sums of every {self.group} rows are also rounded.")
        return Release.by_value(table.axes, margins(rounded.cells), self.conclusions, notes)

    def note(self) -> str:
        """Return the footnote of a release."""
        if self.goal == "rapid":
            return (
                f"Rounding to base {self.base}, RAPID: each cell is rounded to the nearest multiple, and "
                f"totals are sums of the rounded cells."
            )
        return (
            f"{self.title} to base {self.base}: counts and totals are multiples of {self.base} and additive."
        )


@contextmanager
def _explained(steps: int) -> Iterator[None]:
    """Convert the error of `core.controlled` to an InputError with possible settings."""
    try:
        yield
    except ValueError as error:
        raise InputError(
            f"{error} Every value moves by at most {steps} steps (K). Allow K = {steps + 1}, or use the goal rapid."
        ) from None
