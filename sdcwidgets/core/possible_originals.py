"""Original tables that a method can lead to a published table, as linear constraints with further unknowns.

Bounds of single cells are not enough for methods that move people or reuse counts of the table: a data user who knows
the settings also knows the number of moved people, and which counts occur.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import Flags, Floats, Whole
from ._linear import CONTRADICTION
from .bounds import Bounds
from .respondents import Unknowns

__all__ = [
    "MOST_UNKNOWNS",
    "Origins",
    "combined",
    "equal_pairs",
    "most_pairs",
    "of_occurring_counts",
    "of_replaced_values",
    "of_swaps",
    "sharpened",
]

#: Maximum number of unknowns of a system; larger systems are not built.
MOST_UNKNOWNS = 1500

#: Maximum number of nodes of one integer program.
MOST_NODES = 2000


class Origins(NamedTuple):
    """Constraints on the original cells, which are the first unknowns, in the order of the flattened table.

    Attributes
    ----------
    possible : Unknowns or None
        Constraints that hold for every original table; intervals use them.
    certain : Unknowns
        Constraints that hold at least if all people whom the method selects are moved; statements about what a data
        user can be certain of use them.
    """

    possible: Unknowns | None
    certain: Unknowns


class _Rows:
    """Rows of a system that is built step by step."""

    def __init__(self) -> None:
        self.entries: list[dict[int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add(self, entries: dict[int, float], low: float, high: float) -> None:
        self.entries.append(entries)
        self.low.append(low)
        self.high.append(high)

    def system(self, cells: int, lower: Floats, upper: Floats) -> Unknowns:
        """Return the system; the bounds are those of the unknowns after the cells."""
        from scipy import sparse

        matrix = sparse.lil_array((len(self.entries), cells + len(lower)))
        for number, entries in enumerate(self.entries):
            for unknown, factor in entries.items():
                matrix[number, unknown] = factor
        return Unknowns(
            matrix.tocsr(),
            np.array(self.low),
            np.array(self.high),
            np.concatenate([np.zeros(cells), lower]),
            np.concatenate([np.full(cells, np.inf), upper]),
        )


def most_pairs(published: Whole) -> int:
    """Return the maximum number of pairs of people from different areas of one stratum.

    Parameters
    ----------
    published : ndarray of int, shape (strata, areas, others)

    Examples
    --------
    >>> most_pairs(np.array([[[9, 0], [1, 0]], [[2, 0], [1, 2]]]))
    3
    """
    areas = published.sum(axis=2)
    people = areas.sum(axis=1)
    return int(np.minimum(people // 2, people - areas.max(axis=1)).sum())


def equal_pairs(published: Whole) -> int:
    """Return the number of separate pairs of people who differ in the area only.

    Parameters
    ----------
    published : ndarray of int, shape (strata, areas, others)

    Examples
    --------
    >>> equal_pairs(np.array([[[3, 2], [1, 0]]]))
    1
    """
    people = published.sum(axis=1)
    return int(np.minimum(people // 2, people - published.max(axis=1)).sum())


def of_swaps(published: Whole, cells: Whole, fewest: int, most: int) -> Unknowns | None:
    """Return the tables from which exchanges of areas lead to the published table; None if there are too many unknowns.

    An exchange can be reversed, so these are the tables to which as many exchanges lead from the published table.

    Parameters
    ----------
    published : ndarray of int, shape (strata, areas, others)
        Published counts. Two people who exchange their areas are in one stratum.
    cells : ndarray of int, of the same shape
        Position of each cell in the flattened table.
    fewest : int
        Minimum number of pairs.
    most : int
        Maximum number of pairs.
    """
    strata, areas, others = published.shape
    size = published.size
    if size * areas > MOST_UNKNOWNS:
        return None
    moved = {
        move: size + number
        for number, move in enumerate(
            (stratum, area, category, other)
            for stratum, area, category in np.ndindex(strata, areas, others)
            for other in range(areas)
            if other != area
        )
    }
    rows = _Rows()
    for stratum, area, category in np.ndindex(strata, areas, others):
        out = {moved[stratum, area, category, other]: -1.0 for other in range(areas) if other != area}
        back = {moved[stratum, other, category, area]: 1.0 for other in range(areas) if other != area}
        count = float(published[stratum, area, category])
        # The original count minus the people who come back, plus those who leave again, is the published count.
        rows.add({int(cells[stratum, area, category]): -1.0, **out, **back}, -count, -count)
        rows.add(dict.fromkeys(out, 1.0), 0, count)
    for stratum, area, other in np.ndindex(strata, areas, areas):
        if area < other:
            there = {moved[stratum, area, category, other]: 1.0 for category in range(others)}
            rows.add(
                {**there, **{moved[stratum, other, category, area]: -1.0 for category in range(others)}}, 0, 0
            )
    rows.add(dict.fromkeys(moved.values(), 1.0), 2 * fewest, 2 * most)
    upper = np.array([float(published[stratum, area, category]) for stratum, area, category, _ in moved])
    return rows.system(size, np.zeros(len(moved)), upper)


def of_replaced_values(published: Whole, cells: Whole, leads: Flags) -> Unknowns | None:
    """Return the tables whose people can have the published values of one variable after their replacement.

    Parameters
    ----------
    published : ndarray of int, shape (others, values)
        Published counts.
    cells : ndarray of int, of the same shape
        Position of each cell in the flattened table.
    leads : ndarray of bool, shape (values, values)
        Whether the original value in the row can become the value in the column.

    Returns
    -------
    Unknowns or None
        None if there are too many unknowns.
    """
    others, values = published.shape
    if published.size * (1 + values) > MOST_UNKNOWNS:
        return None
    size, rows = published.size, _Rows()
    people = {
        place: size + number
        for number, place in enumerate(
            (i, *pair) for i in range(others) for pair in map(tuple, np.argwhere(leads).tolist())
        )
    }
    for i, j in np.ndindex(others, values):
        old = {people[i, j, k]: 1.0 for k in range(values) if leads[j, k]}
        new = {people[i, k, j]: 1.0 for k in range(values) if leads[k, j]}
        rows.add({int(cells[i, j]): -1.0, **old}, 0, 0)
        rows.add(new, float(published[i, j]), float(published[i, j]))
    upper = np.array([float(published[i, k]) for i, _, k in people])
    return rows.system(size, np.zeros(len(people)), upper)


def of_occurring_counts(published: Whole, sources: list[Whole]) -> tuple[list[Whole], Unknowns | None]:
    """Return the tables in which each published count occurs, and in which each cell has one of its sources.

    Parameters
    ----------
    published : ndarray of int, shape (cells,)
        Published counts.
    sources : list of ndarray of int
        The counts that each cell can have; the published count is one of them.

    Returns
    -------
    possible : list of ndarray of int
        The sources of each cell with which every published count still occurs.
    system : Unknowns or None
        None if there are too many unknowns.

    Examples
    --------
    The only 7 is certain. The other counts can be 1 or 2, as long as both occur:

    >>> both = np.array([1, 2])
    >>> of_occurring_counts(np.array([1, 2, 7]), [both, both, np.array([6, 7])])[0]
    [array([1, 2]), array([1, 2]), array([7])]
    """
    cover = _Cover(published, sources)
    possible = [
        np.array([count for count in counts.tolist() if cover.remains(cell, count)])
        for cell, counts in enumerate(sources)
    ]
    size = len(published)
    number = sum(map(len, possible))
    if size + number > MOST_UNKNOWNS:
        return possible, None
    rows, flags, of_count = _Rows(), size, dict[int, dict[int, float]]()
    for cell, counts in enumerate(possible):
        chosen = dict(zip(range(flags, flags + len(counts)), counts.tolist(), strict=True))
        flags += len(counts)
        rows.add(dict.fromkeys(chosen, 1.0), 1, 1)
        rows.add({cell: -1.0, **{flag: float(count) for flag, count in chosen.items()}}, 0, 0)
        for flag, count in chosen.items():
            of_count.setdefault(count, {})[flag] = 1.0
    for count in np.unique(published).tolist():
        rows.add(of_count[count], 1, np.inf)
    return possible, rows.system(size, np.zeros(number), np.ones(number))


class _Cover:
    """An assignment of a cell to each published count, in which this count occurs."""

    def __init__(self, published: Whole, sources: list[Whole]) -> None:
        self.published = published
        self.cells: dict[int, list[int]] = {count: [] for count in np.unique(published).tolist()}
        for cell, counts in enumerate(sources):
            for count in counts.tolist():
                if count in self.cells:
                    self.cells[count].append(cell)
        self.of_count = {count: int(np.argmax(published == count)) for count in self.cells}
        self.of_cell = {cell: count for count, cell in self.of_count.items()}

    def remains(self, cell: int, count: int) -> bool:
        """Return whether every published count can occur if this cell has this count."""
        covers = self.of_cell.get(cell)
        if covers is None or covers == count:
            return True
        # The count that the cell covered needs another cell; the count that it has now frees one.
        freed = self.of_count.get(count)
        return self._finds(covers, {cell}, freed)

    def _finds(self, count: int, tried: set[int], freed: int | None) -> bool:
        waiting = [count]
        while waiting:
            for cell in self.cells[waiting.pop()]:
                if cell in tried:
                    continue
                tried.add(cell)
                if cell == freed or cell not in self.of_cell:
                    return True
                waiting.append(self.of_cell[cell])
        return False


def combined(published: Unknowns, system: Unknowns) -> Unknowns:
    """Return the constraints of published values, whose unknowns are the cells, together with a system."""
    from scipy import sparse

    cells, more = len(published.lower), len(system.lower) - len(published.lower)
    wide = sparse.hstack([published.matrix, sparse.csr_array((published.matrix.shape[0], more))])
    return Unknowns(
        sparse.vstack([wide, system.matrix], format="csr"),
        np.concatenate([published.low, system.low]),
        np.concatenate([published.high, system.high]),
        np.concatenate([np.maximum(published.lower, system.lower[:cells]), system.lower[cells:]]),
        np.concatenate([np.minimum(published.upper, system.upper[:cells]), system.upper[cells:]]),
    )


def sharpened(known: Unknowns, lower: Floats, upper: Floats) -> Bounds:
    """Return the smallest and the largest count of each cell over all whole solutions.

    Parameters
    ----------
    known : Unknowns
        Constraints; the first unknowns are the cells.
    lower : ndarray
        Valid lower bounds of the cells, in the shape of the table.
    upper : ndarray
        Valid upper bounds of the cells.

    Returns
    -------
    Bounds
        A program that reaches its limit leaves a bound that is valid, and may be wider.

    Raises
    ------
    ValueError
        If there is no solution.
    """
    low, high = lower.ravel().copy(), upper.ravel().copy()
    witnesses = list[NDArray[np.float64]]()
    for sign, ends in ((1, low), (-1, high)):
        for cell in range(low.size):
            if low[cell] == high[cell] or any(one[cell] == ends[cell] for one in witnesses):
                continue
            bound, solution = _extreme(known, cell, sign)
            ends[cell] = max(low[cell], bound) if sign == 1 else min(high[cell], bound)
            witnesses += [] if solution is None else [solution]
    return Bounds(low.reshape(lower.shape), high.reshape(upper.shape))


def _extreme(known: Unknowns, cell: int, sign: int) -> tuple[float, Floats | None]:
    """Return the smallest (sign 1) or largest (sign -1) count of a cell, and a table with it."""
    from scipy.optimize import Bounds as Box
    from scipy.optimize import LinearConstraint, milp

    known.matrix.indices, known.matrix.indptr = (
        part.astype(np.int32) for part in (known.matrix.indices, known.matrix.indptr)
    )
    objective = np.zeros(len(known.lower))
    objective[cell] = sign
    solved = milp(
        objective,
        integrality=1,
        bounds=Box(known.lower, known.upper),
        constraints=LinearConstraint(known.matrix, known.low, known.high),
        options={"node_limit": MOST_NODES},
    )
    if solved.status == 2:
        raise ValueError(CONTRADICTION)
    if solved.status == 0:
        return float(np.rint(solved.fun) * sign), np.rint(solved.x)
    bound = solved.mip_dual_bound if solved.mip_dual_bound is not None else -np.inf
    return float(np.ceil(bound - 1e-6) * sign), None
