"""Controlled rounding: cells and margins are multiples of the base, and every margin is the sum of its cells."""

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

Steps = Annotated[
    int,
    Range(0, 5),
    Label("Steps K"),
    Help("How many multiples further than the two adjacent ones a value may go; 0 as a rule."),
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
    """Return a table of multiples of the base that is close to this one, in its cells and all of its margins.

    Parameters
    ----------
    table : FrequencyTable
        Any number of axes; a large one is rounded in parts.
    base : int
        From 2.
    steps : int
        K: how many multiples further than the two adjacent ones a value may go; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        The least sum of distances, the first rounding that is found, or every cell to its nearest multiple
        with margins that may then be far away.
    effort : float
        How many times as much work as usual is done at most; see `core.controlled`.
    hierarchies : mapping of str to mapping of str to str, optional
        For an axis with sub-totals: the parent of each label, and of each parent its own, if it is not the total.
    secret : int, optional
        Choose a rounding that is close to the closest by this secret, for publication. None: the closest, from which a
        data user who runs the program concludes more than from the base.

    Returns
    -------
    FrequencyTable
        Its margins are the rounded margins, and sums of its cells the rounded sub-totals.

    Raises
    ------
    InputError
        If there is no such rounding, or none was found; the sentence offers what would do.

    References
    ----------
    Handbook, chapter 5, section 5.5.1. See `core.controlled`.

    Examples
    --------
    >>> table = FrequencyTable([[1, 0], [3, 3], [12, 20]])
    >>> rounded = controlled(table, base=5)
    >>> rounded.total, set((rounded.counts % 5).ravel().tolist())
    (40, {0})

    The first two rows have 7 people; as a sub-total that becomes 5 or 10:

    >>> north = {"Row": {"Row 1": "north", "Row 2": "north", "Row 3": "south"}}
    >>> int(controlled(table, base=5, hierarchies=north).counts[:2].sum())
    10
    """
    trees_of_axes = hierarchies or {}
    unknown = set(trees_of_axes) - {axis.name for axis in table.axes}
    if unknown:
        raise InputError(f"The hierarchy {quoted(min(unknown))} belongs to no axis of the table.")
    trees = tuple(tree_of(axis, trees_of_axes.get(axis.name, {})) for axis in table.axes)
    solution = solve(table, base, steps, goal, effort, trees, secret)
    if solution.rapid and goal != "rapid":
        raise InputError(
            f"No rounding was found by so much work; allow K = {steps + 1}, more work, or take the goal rapid."
        )
    return table.with_counts(solution.cells)


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
    """Return the rounded cells with their distance and the gap to the least one; see `controlled`.

    Parameters
    ----------
    table, base, steps, goal, effort : as for `controlled`
    trees : tuple of Tree, optional
        The sub-totals of each axis.
    secret : int, optional
        As for `controlled`.

    Returns
    -------
    core.controlled.Rounded

    Raises
    ------
    InputError
        If a setting is out of its range, there is no such rounding, or none was found.
    """
    if base < 2 or steps < 0:
        raise InputError(
            f"The base is {base} and K is {steps}; the base must be at least 2 and K at least 0."
        )
    if goal not in core.GOALS:
        raise InputError(f"The goal is {goal}; it must be one of {', '.join(core.GOALS)}.")
    with _explained(steps):
        return core.controlled(table.counts, base, steps, goal, effort=effort, trees=trees, secret=secret)


def protection_interval(
    published: ArrayLike, base: int, steps: int = 0, *, printed: bool = False
) -> tuple[NDArray[np.number], NDArray[np.number]]:
    """Return the least and the greatest true count behind a rounded one, for a reader who knows base and K.

    Parameters
    ----------
    published : array_like of int
    base : int
        From 2.
    steps : int
        K, from 0.
    printed : bool
        Take the handbook's formula, section 5.5.1.2. Where 0 < a < (K + 1) b it says that the truth is below
        (K + 1) b; but a count of 12 may become 5 in base 5 with K = 1, and 12 is above 9. Without `printed`
        the interval holds such counts too.

    Returns
    -------
    lower, upper : ndarray of int, of the shape of `published`

    Examples
    --------
    The handbook's example:

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
    """Counts and margins become multiples of the base that still add up, as close to the truth as was found.

    How close that is `private_note` tells, where it is not proved to be the closest. Where no such rounding is found,
    cells go to their nearest multiple and margins are their sums (RAPID); the note says so.

    A secret chooses the rounding among those that are nearly the closest. Of the closest one, a data user who runs the
    program on every table that fits narrows 83 of 630 intervals of small tables; of one that a secret chooses 0 of 606.
    Keep the secret, and use the same one for the same table.

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
            {"optimal": "the closest, or nearly", "first": "the first found", "rapid": "RAPID: cells only"}
        ),
        Label("Solution"),
        Help("RAPID rounds cells to the nearest multiple; its margins may be far from the truth."),
    ] = "optimal"
    group: Annotated[
        int,
        Range(1, 20),
        Label("Rows under one sub-total"),
        Help("So many neighbouring rows have a sub-total, which is rounded within K steps too; 1 is none."),
    ] = 1

    effort: Annotated[
        float,
        Range(0, 20, 0.05),
        Label("Work, times the usual"),
        Help(
            "More work may come closer. It is counted in work, not in time, so that a busy machine finds the same."
        ),
    ] = 1.0
    choice: Choice = "secret"

    note_settings = " to base {0.base}"

    @property
    def seeded(self) -> bool:
        """Whether a secret chooses the rounding; RAPID rounds each cell to its nearest multiple."""
        return self.choice == "secret" and self.goal != "rapid"

    def trees(self, table: FrequencyTable) -> tuple[Tree, ...]:
        """Return the hierarchy of each axis: the first one with its sub-totals, the others flat."""
        first, *others = table.shape
        if not 1 < self.group < first:
            return tuple(map(Tree.flat, table.shape))
        above = first + np.arange(first) // self.group
        root = above[-1] + 1
        return (Tree([*above, *np.full(root - first, root), -1]), *map(Tree.flat, others))

    def cells(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Counts:
        """Return the rounded counts that this secret chooses."""
        return self._solved(table, seed).cells

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return the same cells in every draw, shape (size, *shape): two roundings would narrow the intervals.

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`
            The seed of the generator is the secret, whatever was drawn from it before.

        Returns
        -------
        ndarray, shape (size, *shape)
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
        """Return the table in canonical order where a secret chooses, unless sub-totals depend on the order of rows."""
        if not self.seeded or 1 < self.group < table.shape[0]:
            return CanonicalTable.unchanged(table)
        return canonical(table)

    def search(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> Iterator[core.Rounded]:
        """Yield the best rounding after each step of the work, so that one can stop; `of` publishes it."""
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
        """Return how far the rounding may be from the closest one, where it is not proved to be that.

        Of a rounding that a secret chooses nothing is told: how far it is says something about the counts.

        Examples
        --------
        >>> ControlledRounding(base=5, goal="rapid").private_note(FrequencyTable([[1, 0], [3, 3], [12, 20]]))
        'Cells and totals move by 18 people in all, and no such rounding moves them by less than 15: a gap of 16.7%.'
        """
        if self.seeded:
            return ""
        solution = self._solved(table, None)
        remark = ""
        if solution.rapid and self.goal != "rapid":
            remark = (
                f"No rounding within {self.steps} steps (K) was found, so RAPID stands in: cells at their nearest "
                f"multiple, margins as their sums. Allow K = {self.steps + 1}, or more work. "
            )
        if solution.gap <= 1e-9:
            return remark.rstrip()
        return (
            f"{remark}Cells and totals move by {solution.distance:,.0f} people in all, "
            f"and no such rounding moves them by less than {solution.bound:,.0f}: a gap of {solution.gap:.1%}."
        )

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.number], NDArray[np.number]]:
        """Return the protection interval of each published value."""
        if self.goal == "rapid":
            return within(published, self.base // 2, (self.base - 1) // 2)
        return protection_interval(published, self.base, self.steps)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator
    ) -> Release:
        """Return the cells with their sums as margins, which were rounded like cells, but for RAPID.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`

        Returns
        -------
        Release
        """
        return self.of(table, self._solved(table, rng)._replace(cells=cells))

    def of(self, table: FrequencyTable, rounded: core.Rounded) -> Release:
        """Return what is published of a rounding that was found."""
        if rounded.rapid:
            rapid = replace(self, goal="rapid")
            bounds = rapid.conclusions(rounded.cells)
            return Release.of(FrequencyTable(rounded.cells, table.axes), *bounds, notes=[rapid.note()])
        notes = [self.note()]
        if 1 < self.group < table.shape[0]:
            notes.append(f"The sums of every {self.group} rows are rounded likewise.")
        return Release.by_value(table.axes, margins(rounded.cells), self.conclusions, notes)

    def note(self) -> str:
        """Return what stands below what is published."""
        if self.goal == "rapid":
            return f"Rounding to base {self.base}, RAPID: cells are at their nearest multiple, totals are their sums."
        return f"{self.title} to base {self.base}: counts and totals are multiples of {self.base} and add up."


@contextmanager
def _explained(steps: int) -> Iterator[None]:
    """Say in a sentence that there is no rounding within these steps."""
    try:
        yield
    except ValueError as error:
        raise InputError(
            f"{error} Every value moves by at most {steps} steps (K); allow K = {steps + 1}, or take the goal rapid."
        ) from None
