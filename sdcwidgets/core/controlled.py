r"""Controlled rounding: cells and margins become multiples of a base and still add up.

A rounded value of :math:`z = u b + r` is one of the multiples :math:`(u + j) b \ge 0` with j from -K to K, or to
K + 1 where r is not 0. The program chooses them so that every margin is the sum of its cells and

.. math:: \min \sum_i |z_i - a_i|

over all cells and margins. An entry that may take n + 1 multiples has n variables of 0 or 1, the steps from one
multiple to the next; the distance is convex, so the cheapest steps come first by themselves.

Categories may have sub-totals, level above level: these are rounded like other margins.

Large tables are rounded in parts: first a table with some of the categories of the longest axis added up, then
each of these with its categories apart, such that they add up to what was rounded before. Of two axes, one of them
without sub-totals, the program is a flow in a network and its linear relaxation has a solution in whole numbers: such
a table is rounded as a whole, and with the least distance, far beyond the size from which others come in parts.

References: handbook, chapter 5, section 5.5.1; Salazar, Lowthian, Young, Merola, Bond, Brown 2004.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .suppression.relations import Tree, of_trees, with_margins

__all__ = ["GOALS", "Rounded", "controlled", "nearest"]

Whole = NDArray[np.int64]

#: Entries of one program, cells and margins, and of one that is a flow in a network; larger tables come in parts.
MOST_ENTRIES, MOST_OF_NETWORK = 3000, 200_000

#: Up to so many entries the least distance is found; in larger tables one is content with this share above it.
EXACT, ENOUGH = 500, 0.02

#: What a search may stop at.
GOALS = ("optimal", "first", "rapid")


class Unroundable(ValueError):
    """No rounding is within the steps and adds up."""


class Rounded(NamedTuple):
    """A rounded table and how good it is."""

    cells: Whole
    """The rounded cells; margins are their sums."""
    distance: float
    """The sum of absolute distances of cells and margins."""
    bound: float
    """No rounding of this kind has a smaller distance."""

    @property
    def gap(self) -> float:
        """How far the distance may be above the least one, as a share of it; 0: it is the least."""
        return 0.0 if self.distance <= self.bound + 1e-6 else 1 - self.bound / self.distance


def controlled(
    counts: Whole,
    base: int,
    steps: int = 0,
    goal: str = "optimal",
    seconds: float | None = None,
    most_entries: int | None = None,
    gap: float | None = None,
    trees: Sequence[Tree] | None = None,
) -> Rounded:
    """Return the controlled rounding of a table with all of its margins.

    Parameters
    ----------
    counts : ndarray of int64
        Any number of dimensions.
    base : int
    steps : int
        K: how many multiples further than the two adjacent ones an entry may go; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        The least distance, in tables of more than 500 cells and margins to 2 %; the first rounding that is
        found; or cells to the nearest multiple and margins as their sums, however far these are.
    seconds : float, optional
        Stop each program after this time with the best that was found.
    most_entries : int, optional
        Tables with more cells and margins are rounded in parts; otherwise the number of axes says how many.
    gap : float, optional
        Be content with a distance of at most this share above the least; otherwise the goal says it.
    trees : sequence of Tree, optional
        The hierarchy of each axis: its categories are the leaves, each node above them is a sub-total that is rounded
        too; without it an axis has its total only. A table is rounded in parts along an axis without sub-totals.

    Returns
    -------
    Rounded

    Raises
    ------
    ValueError
        If no such rounding exists, or none was found in time.

    Examples
    --------
    The handbook's Table 5.18; the rounding that its Table 5.21 shows has the distance 22, the least is 18:

    >>> found = controlled(np.array([[1, 0], [3, 3], [12, 20]]), 5)
    >>> found.distance, found.gap, int(found.cells.sum())
    (18.0, 0.0, 40)
    """
    trees = [Tree.flat(size) for size in counts.shape] if trees is None else trees
    truth = with_margins(counts, trees)
    if goal == "rapid":
        cells = nearest(counts, base)
        return Rounded(cells, _distance(truth, cells, trees), _floor(truth, base))
    options: dict[str, Any] = {"mip_rel_gap": ENOUGH if truth.size > EXACT else 0.0}
    if goal == "first":
        options["mip_rel_gap"] = 1e9
    if gap is not None:
        options["mip_rel_gap"] = gap
    if seconds is not None:
        options["time_limit"] = seconds
    flat = [axis for axis, tree in enumerate(trees) if len(tree.groups) == 1]
    if most_entries is None:
        most_entries = MOST_OF_NETWORK if counts.ndim <= 2 else MOST_ENTRIES
    if truth.size > most_entries and flat:
        axis = max(flat, key=lambda one: counts.shape[one])
        others = [tree for one, tree in enumerate(trees) if one != axis]
        # What was fixed of the totals may leave a part no rounding, although the whole table has one.
        with suppress(Unroundable):
            slabs = _in_parts(np.moveaxis(counts, axis, 0), base, steps, others, most_entries, options)
            cells = np.moveaxis(slabs, 0, axis)
            return Rounded(cells, _distance(truth, cells, trees), _floor(truth, base))
    chosen, bound = _program(truth, *_reach(truth, base, steps), base, trees, options)
    cells = base * chosen
    distance = _distance(truth, cells, trees)
    return Rounded(cells, distance, min(bound, distance))


def nearest(counts: Whole, base: int) -> Whole:
    """Return each count rounded to its nearest multiple; a tie goes up."""
    rounded: Whole = (2 * counts + base) // (2 * base) * base
    return rounded


def _reach(truth: Whole, base: int, steps: int) -> tuple[Whole, Whole]:
    """Return the least and the greatest number of bases that each entry may have."""
    return np.maximum(truth // base - steps, 0), -(-truth // base) + steps


def _distance(truth: Whole, cells: Whole, trees: Sequence[Tree]) -> float:
    return float(np.abs(truth - with_margins(cells, trees)).sum())


def _floor(truth: Whole, base: int) -> float:
    """Return the distance of every entry to its nearest multiple: less is not possible."""
    return float(np.minimum(truth % base, -truth % base).sum())


def _in_parts(
    slabs: Whole, base: int, steps: int, others: Sequence[Tree], most: int, options: dict[str, Any]
) -> Whole:
    """Return the rounded cells of a large table, coarse parts first: slices of its first axis added up."""
    rounded = np.empty_like(slabs)
    fit = max(2, most // max(1, int(np.prod([len(tree.parents) for tree in others]))) - 1)
    waiting: list[tuple[Whole, Whole | None]] = [(np.arange(len(slabs)), None)]
    while waiting:
        rows, given = waiting.pop()
        groups = np.array_split(rows, min(fit, len(rows)))
        trees = [Tree.flat(len(groups)), *others]
        truth = with_margins(np.stack([slabs[group].sum(axis=0) for group in groups]), trees)
        low, high = _reach(truth, base, steps)
        if given is not None:
            # What was rounded before stays: the sums over this axis, which come last on it.
            low[-1] = high[-1] = with_margins(given, others)
        chosen, _ = _program(truth, low, high, base, trees, options)
        for group, part in zip(groups, chosen, strict=True):
            if len(group) == 1:
                rounded[group[0]] = base * part
            else:
                waiting.append((group, part))
    return rounded


def _program(
    truth: Whole, low: Whole, high: Whole, base: int, trees: Sequence[Tree], options: dict[str, Any]
) -> tuple[Whole, float]:
    """Return the numbers of bases of the cells of least distance that are in their range and add up, and a bound."""
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    if np.any(low > high):
        raise Unroundable(INFEASIBLE)
    cells = np.ix_(*(tree.leaves for tree in trees))
    aims, least, room = truth.ravel(), low.ravel(), (high - low).ravel()
    owner, prices = [], []
    for step in range(int(room.max(initial=0))):
        open_ = np.flatnonzero(room > step)
        now = base * (least[open_] + step)
        owner.append(open_)
        prices.append(np.abs(aims[open_] - now - base) - np.abs(aims[open_] - now))
    fixed = float(np.abs(aims - base * least).sum())
    if not owner:
        if not np.array_equal(with_margins(low[cells], trees), low):
            raise Unroundable(INFEASIBLE)
        return np.asarray(low[cells]), fixed
    places, price = np.concatenate(owner), np.concatenate(prices)
    relations = of_trees(trees).matrix
    # A total over two axes is a sum along each of them: one of the two says it all.
    totals = relations.indices[relations.indptr[:-1]]
    relations = relations[np.sort(np.unique(totals, return_index=True)[1])]
    steps_of = sparse.csr_array(
        (np.ones(places.size), (places, np.arange(places.size))), shape=(truth.size, places.size)
    )
    right = -(relations @ least).astype(np.float64)
    moved = sparse.csc_array(relations @ steps_of)
    # The solver of SciPy 1.13 takes indices of 32 bits alone.
    moved.indices, moved.indptr = moved.indices.astype(np.int32), moved.indptr.astype(np.int32)
    if 0 < options.get("mip_rel_gap", 0) < 1:
        # The solver sees the prices alone; the share is meant of the whole distance.
        gain = float(price[price < 0].sum())
        options = options | {"mip_rel_gap": options["mip_rel_gap"] * (fixed + gain) / max(abs(gain), 1.0)}
    solved = milp(
        price.astype(np.float64),
        integrality=np.ones(places.size),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(moved, right, right)],
        options=options,
    )
    if solved.x is None:
        raise Unroundable(INFEASIBLE) if solved.status == 2 else ValueError(LATE)
    taken = np.rint(steps_of @ solved.x).astype(np.int64).reshape(truth.shape)
    bound = solved.mip_dual_bound if solved.mip_dual_bound is not None else solved.fun
    return (low + taken)[cells], fixed + float(bound)


INFEASIBLE = "No rounding is within these steps and adds up."
LATE = "No rounding was found in this time."
