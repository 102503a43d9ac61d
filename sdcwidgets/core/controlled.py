r"""Controlled rounding: cells and margins become multiples of a base and still add up.

A rounded value of :math:`z = u b + r` is one of the multiples :math:`(u + j) b \ge 0` with j from -K to K, or to
K + 1 where r is not 0. The program chooses them so that every margin is the sum of its cells and

.. math:: \min \sum_i |z_i - a_i|

over all cells and margins. An entry that may take n + 1 multiples has n variables of 0 or 1, the steps from one
multiple to the next; the distance is convex, so the cheapest steps come first by themselves.

Large tables are rounded in parts: first a table with some of the categories of the longest axis added up, then
each of these with its categories apart, such that they add up to what was rounded before.

References: handbook, chapter 5, section 5.5.1; Salazar, Lowthian, Young, Merola, Bond, Brown 2004.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .margins import Kept, margins

__all__ = ["GOALS", "Rounded", "controlled", "nearest"]

Whole = NDArray[np.int64]

#: Entries of one program: cells and margins. Larger tables are rounded in parts.
MOST_ENTRIES = 3000

#: Up to so many entries the least distance is found; in larger tables one is content with this share above it.
EXACT, ENOUGH = 500, 0.02

#: What a search may stop at.
GOALS = ("optimal", "first", "rapid")


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
    most_entries: int = MOST_ENTRIES,
    gap: float | None = None,
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
    most_entries : int
        Tables with more cells and margins are rounded in parts.
    gap : float, optional
        Be content with a distance of at most this share above the least; otherwise the goal says it.

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
    truth = margins(counts)
    if goal == "rapid":
        cells = nearest(counts, base)
        return Rounded(cells, _distance(truth, cells), _floor(truth, base))
    entries = sum(array.size for array in truth.values())
    options: dict[str, Any] = {"mip_rel_gap": ENOUGH if entries > EXACT else 0.0}
    if goal == "first":
        options["mip_rel_gap"] = 1e9
    if gap is not None:
        options["mip_rel_gap"] = gap
    if seconds is not None:
        options["time_limit"] = seconds
    if entries <= most_entries:
        low, high = _reach(truth, base, steps)
        chosen, bound = _program(low, high, lambda kept, w: np.abs(truth[kept] - base * w), options)
        cells = base * chosen
        distance = _distance(truth, cells)
        return Rounded(cells, distance, min(bound, distance))
    cells = _in_parts(counts, base, steps, most_entries, options)
    return Rounded(cells, _distance(truth, cells), _floor(truth, base))


def nearest(counts: Whole, base: int) -> Whole:
    """Return each count rounded to its nearest multiple; a tie goes up."""
    rounded: Whole = (2 * counts + base) // (2 * base) * base
    return rounded


def _reach(truth: Mapping[Kept, Any], base: int, steps: int) -> tuple[dict[Kept, Whole], dict[Kept, Whole]]:
    """Return the least and the greatest number of bases that each entry may have."""
    low = {kept: np.maximum(array // base - steps, 0) for kept, array in truth.items()}
    high = {kept: -(-array // base) + steps for kept, array in truth.items()}
    return low, high


def _distance(truth: Mapping[Kept, Any], cells: Whole) -> float:
    return float(sum(np.abs(truth[kept] - sums).sum() for kept, sums in margins(cells).items()))


def _floor(truth: Mapping[Kept, Any], base: int) -> float:
    """Return the distance of every entry to its nearest multiple: less is not possible."""
    return float(sum(np.minimum(array % base, -array % base).sum() for array in truth.values()))


def _in_parts(counts: Whole, base: int, steps: int, most: int, options: dict[str, Any]) -> Whole:
    """Return the rounded cells of a large table, coarse parts first: slices of its longest axis added up."""
    axis = int(np.argmax(counts.shape))
    slabs = np.moveaxis(counts, axis, 0)
    rounded = np.empty_like(slabs)
    fit = max(2, most // max(1, int(np.prod([n + 1 for n in slabs.shape[1:]]))) - 1)
    waiting: list[tuple[Whole, Whole | None]] = [(np.arange(len(slabs)), None)]
    while waiting:
        rows, given = waiting.pop()
        groups = np.array_split(rows, min(fit, len(rows)))
        truth = margins(np.stack([slabs[group].sum(axis=0) for group in groups]))
        low, high = _reach(truth, base, steps)
        if given is not None:
            # What was rounded before stays: the sums over this axis.
            for kept, sums in margins(given).items():
                over = tuple(k + 1 for k in kept)
                low[over] = high[over] = sums
        chosen, _ = _program(low, high, lambda kept, w, truth=truth: np.abs(truth[kept] - base * w), options)
        for group, part in zip(groups, chosen, strict=True):
            if len(group) == 1:
                rounded[group[0]] = base * part
            else:
                waiting.append((group, part))
    return np.moveaxis(rounded, 0, axis)


def _program(
    low: Mapping[Kept, Whole], high: Mapping[Kept, Whole], cost: Any, options: dict[str, Any]
) -> tuple[Whole, float]:
    """Return the numbers of bases of the cells of least cost that are within their range and add up, and a bound."""
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    if any(np.any(low[kept] > high[kept]) for kept in low):
        raise ValueError(INFEASIBLE)
    every = max(low, key=len)
    first, entries = {}, 0
    for kept, array in low.items():
        first[kept] = entries
        entries += int(np.size(array))
    wide = int(max(np.max(high[kept] - low[kept]) for kept in low))
    owner, prices, fixed = [], [], 0.0
    for kept in low:
        start = np.asarray(cost(kept, low[kept]))
        fixed += float(start.sum())
        for step in range(wide):
            open_ = np.ravel(high[kept] - low[kept] > step)
            rise = np.ravel(cost(kept, low[kept] + step + 1) - cost(kept, low[kept] + step))
            owner.append(first[kept] + np.flatnonzero(open_))
            prices.append(rise[open_])
    places, price = (
        np.concatenate(owner) if owner else np.zeros(0, int),
        np.concatenate(prices or [np.zeros(0)]),
    )
    if not places.size:
        _check_sums(low, every)
        return np.asarray(low[every]), fixed
    # A margin is the sum over one axis of the entries that keep one axis more.
    matrix_rows, matrix_columns, weight = [], [], []
    right = []
    count = 0
    for kept in low:
        if kept == every:
            continue
        axis = next(a for a in every if a not in kept)
        child = tuple(sorted((*kept, axis)))
        shape = np.shape(low[child])
        index = np.arange(int(np.prod(shape))).reshape(shape)
        over = child.index(axis)
        size = int(np.size(low[kept]))
        rows = count + np.arange(size)
        lines = np.moveaxis(index, over, -1).reshape(size, -1)
        matrix_rows += [rows, np.repeat(rows, lines.shape[1])]
        matrix_columns += [first[kept] + np.arange(size), first[child] + lines.ravel()]
        weight += [np.ones(size), -np.ones(lines.size)]
        right.append(np.ravel(np.asarray(low[child]).sum(axis=over) - low[kept]))
        count += size
    steps_of = sparse.csr_array(
        (np.ones(places.size), (places, np.arange(places.size))), shape=(entries, places.size)
    )
    rules = []
    if right:
        parts = (np.concatenate(weight), (np.concatenate(matrix_rows), np.concatenate(matrix_columns)))
        relation = sparse.csr_array(parts, shape=(count, entries))
        values = np.concatenate(right).astype(np.float64)
        rules = [LinearConstraint(relation @ steps_of, values, values)]
    if 0 < options.get("mip_rel_gap", 0) < 1:
        # The solver sees the prices alone; the share is meant of the whole distance.
        least = float(price[price < 0].sum())
        share = options["mip_rel_gap"] * (fixed + least) / max(abs(least), 1.0)
        options = options | {"mip_rel_gap": share}
    solved = milp(
        price.astype(np.float64),
        integrality=np.ones(places.size),
        bounds=Bounds(0, 1),
        constraints=rules,
        options=options,
    )
    if solved.x is None:
        raise ValueError(INFEASIBLE if solved.status == 2 else LATE)
    taken = np.rint(steps_of @ solved.x).astype(np.int64)
    chosen = np.asarray(low[every]) + taken[first[every] : first[every] + np.size(low[every])].reshape(
        low[every].shape
    )
    bound = solved.mip_dual_bound if solved.mip_dual_bound is not None else solved.fun
    return chosen, fixed + float(bound)


INFEASIBLE = "No rounding is within these steps and adds up."
LATE = "No rounding was found in this time."


def _check_sums(low: Mapping[Kept, Whole], every: Kept) -> None:
    """Raise unless the only values that are left add up."""
    sums = margins(np.asarray(low[every]))
    if any(np.any(sums[kept] != low[kept]) for kept in low):
        raise ValueError(INFEASIBLE)
