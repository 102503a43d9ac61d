"""Patterns of large tables: hypercubes, and where they do not suffice, the cheapest flow.

For each sensitive entry the hypercube method looks at all boxes with that entry as a corner, along whose edges
counts can be moved without changing a sum, and suppresses the corners of the cheapest one that has room. What is
left is mended entry by entry: the cheapest change of the table that moves the entry far enough tells what else to
suppress. In hierarchies and linked tables what one table suppresses must be protected in the next.

References: Giessing and Repsilber 2002 (hypercubes); Kelly, Golden and Assad 1992 (flows).
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from .._linear import solve
from .problem import Problem, Unprotectable
from .relations import Tree

__all__ = ["by_cubes", "by_flow"]

Flags = NDArray[np.bool_]

#: Rounds over linked subtables; each adds entries or is the last.
MOST_ROUNDS = 20


def by_cubes(problem: Problem, suppressed: Flags, trees: tuple[tuple[Tree, ...], ...]) -> Flags:
    """Return the pattern with the corners of a box added for each suppressed entry, where there is one.

    Parameters
    ----------
    problem : Problem
    suppressed : ndarray of bool
        The pattern so far, with all sensitive entries.
    trees : tuple of tuples of Tree
        The hierarchies of each table.

    Returns
    -------
    ndarray of bool
        It may still be too weak: an entry without a box that has room stays as it was.
    """
    pattern = suppressed.copy()
    done: set[tuple[int, int]] = set()
    pairs = zip(problem.relations.tables, trees, strict=True)
    subtables = [sub for table, axes in pairs for sub in _subtables(table, axes)]
    order = np.argsort(-np.maximum(problem.above + problem.below, problem.width), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    for _ in range(MOST_ROUNDS):
        before = int(pattern.sum())
        for number, table in enumerate(subtables):
            _box_subtable(problem, pattern, table, number, done, rank)
        if len(subtables) == 1 or int(pattern.sum()) == before:
            break
    return pattern


def _subtables(table: NDArray[np.int64], trees: tuple[Tree, ...]) -> list[NDArray[np.int64]]:
    """Return the tables without a hierarchy that a table consists of, each with its totals last."""
    groups = itertools.product(*(tree.groups for tree in trees))
    return [table[np.ix_(*([*parts, total] for total, parts in group))] for group in groups]


def _box_subtable(
    problem: Problem,
    pattern: Flags,
    table: NDArray[np.int64],
    number: int,
    done: set[tuple[int, int]],
    rank: NDArray[np.int64],
) -> None:
    values, weights = problem.values[table], problem.weights[table]
    down = values - problem.floor[table]
    up = problem.ceiling[table] - values
    usable = problem.usable[table]
    # In the sum of a line its total counts against the parts.
    signs = [np.where(np.arange(size) == size - 1, -1, 1) for size in table.shape]
    subsets = [
        subset
        for size in range(1, table.ndim + 1)
        for subset in itertools.combinations(range(table.ndim), size)
    ]
    cost_now = np.where(pattern[table], 0.0, np.where(usable, weights, np.inf))
    waiting = np.argwhere(pattern[table])
    order = np.argsort(rank[table[tuple(waiting.T)]], kind="stable")
    for at in waiting[order]:
        place = tuple(int(i) for i in at)
        entry = int(table[place])
        if (number, entry) in done:
            continue
        done.add((number, entry))
        cost = np.zeros(table.shape)
        rise = np.full(table.shape, up[place])
        fall = np.full(table.shape, down[place])
        for subset in subsets:
            view = tuple(slice(None) if a in subset else slice(i, i + 1) for a, i in enumerate(place))
            direction = np.ones([table.shape[a] if a in subset else 1 for a in range(table.ndim)])
            for a in subset:
                line = -signs[a] * signs[a][place[a]]
                direction = direction * line.reshape([-1 if b == a else 1 for b in range(table.ndim)])
            cost = cost + cost_now[view]
            rise = np.minimum(rise, np.where(direction > 0, up[view], down[view]))
            fall = np.minimum(fall, np.where(direction > 0, down[view], up[view]))
        short = (rise < problem.above[entry]) | (fall < problem.below[entry])
        # What is not sensitive itself must not be recovered: it needs room for one step.
        short |= rise + fall < max(problem.width[entry], 1.0)
        cost = np.where(short, np.inf, cost)
        for a, i in enumerate(place):
            cost[tuple(i if b == a else slice(None) for b in range(table.ndim))] = np.inf
        best = np.unravel_index(int(np.argmin(cost)), cost.shape)
        if not np.isfinite(cost[best]):
            continue
        for corner in itertools.product(*zip(place, (int(i) for i in best), strict=True)):
            if not pattern[table[corner]]:
                pattern[table[corner]] = True
                cost_now[corner] = 0.0


def by_flow(problem: Problem, suppressed: Flags, entry: int) -> Flags:
    """Return the pattern with what the cheapest changes that move this entry far enough need beside it.

    Raises
    ------
    Unprotectable
        If no change moves it far enough.
    """
    from scipy import sparse

    pattern = suppressed.copy()
    columns = np.flatnonzero(problem.usable)
    place = int(np.searchsorted(columns, entry))
    matrix = problem.relations.matrix[:, columns]
    room = problem.room
    down = np.minimum(problem.values - problem.floor, room)[columns]
    up = np.minimum(problem.ceiling - problem.values, room)[columns]
    wanted_up, wanted_down = float(problem.above[entry]), float(problem.below[entry])
    width = max(float(problem.width[entry]), 1.0)
    can_up, can_down = float(up[place]), float(down[place])
    # The width asked is found above first, as far as there is room, and the rest below.
    rise = max(wanted_up, min(can_up, width - wanted_down))
    fall = max(wanted_down, width - rise)
    if fall > can_down + 1e-9 or rise > can_up + 1e-9:
        raise _impossible(entry)
    for change, sign in ((rise, 1.0), (fall, -1.0)):
        if change <= 0:
            continue
        costs = np.where(pattern[columns], 1e-6, problem.weights[columns])
        least, most = np.zeros(2 * len(columns)), np.concatenate([up, down])
        # A change up and one down of the same entry: two unknowns of at least 0.
        least[place if sign > 0 else place + len(columns)] = change
        most[place if sign > 0 else place + len(columns)] = change
        most[place if sign < 0 else place + len(columns)] = 0
        both = sparse.hstack([matrix, -matrix], format="csr")
        try:
            solved = solve(np.tile(costs, 2), both, np.zeros(both.shape[0]), least, most)
        except ValueError:
            raise _impossible(entry) from None
        moved = (solved.x[: len(columns)] + solved.x[len(columns) :]) > 1e-7
        pattern[columns[moved]] = True
    return pattern


def _impossible(entry: int) -> Unprotectable:
    return Unprotectable(
        entry,
        f"No pattern protects entry {entry} as asked: even all that may be suppressed leaves it too narrow.",
    )
