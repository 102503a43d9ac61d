"""Lowest and highest possible count of each cell, given the published totals of a table.

Published values are a mapping from axes to an array. ``{(0,): rows, (1,): columns}`` are the two margins of a
table, ``{(0, 1): cells, (0,): rows, (): N}`` are its cells, row totals and grand total. A nan marks a value
that is not published, so a table with suppressed cells has the same form.

| function | margins it accepts | bounds |
| --- | --- | --- |
| `frechet` | one margin per axis | sharp |
| `dobra_fienberg` | decomposable margins | sharp |
| `shuttle` | any | fast, not always sharp |
| `intervals` | any | the sharpest from linear programming |

References: thesis, section 2.3.2.2.1; Fienberg 1999; Dobra and Fienberg 2000; Buzzigoli and Giusti 1999,
2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Floats, Sparse, Whole, as_counts
from ._linear import CONTRADICTION, equations, extremes

__all__ = ["Bounds", "Shuttle", "dobra_fienberg", "frechet", "intervals", "margins_of", "shuttle"]

Published: TypeAlias = Mapping[tuple[int, ...], ArrayLike]

#: Maximum number of shuttle rounds before linear programming; contradictory margins can take very many.
MOST_ROUNDS = 50


class Bounds(NamedTuple):
    """Lowest and highest possible count of each cell."""

    lower: NDArray[Any]
    upper: NDArray[Any]


class Shuttle(NamedTuple):
    """Result of the shuttle algorithm."""

    lower: Whole
    upper: Whole
    widths: Whole
    """The sum of upper − lower over all cells, before the first round and after each."""


def margins_of(table: ArrayLike, axes: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], Any]:
    """Return the mapping of published values for these margins of a table.

    Parameters
    ----------
    table : array_like
        Counts.
    axes : iterable of tuple of int
        The axes that each margin keeps; all axes give the cells, () the total.

    Examples
    --------
    >>> margins_of([[2, 1], [0, 3]], [(0,), ()])
    {(0,): array([3, 3]), (): np.int64(6)}
    """
    counts = as_counts(table)
    wanted = [tuple(margin) for margin in axes]
    return {
        margin: counts.sum(axis=tuple(axis for axis in range(counts.ndim) if axis not in margin))
        for margin in wanted
    }


def frechet(*margins: ArrayLike) -> Bounds:
    r"""Return the Fréchet bounds of the cells of a table with published one-way margins.

    .. math:: \min_j n_j(i_j) \ge n_{i_1 \dots i_k} \ge \max\Bigl(0, \sum_j n_j(i_j) - (k-1) n\Bigr)

    Both bounds are attained by some table with these margins.

    Parameters
    ----------
    *margins : array_like, shape (..., n_j)
        One margin per axis of the table: whole numbers, all with the same sum. Leading axes are a batch.

    Returns
    -------
    Bounds
        Arrays of shape (..., n_1, ..., n_k).

    Raises
    ------
    ValueError
        If there are fewer than two margins, they are not whole numbers, or their sums differ.

    References
    ----------
    Fienberg 1999; thesis, section 2.3.2.2.1.

    Examples
    --------
    Of five people, three are in the first row and four in the first column. So at least two are in both.

    >>> lower, upper = frechet([3, 2], [4, 1])
    >>> lower.tolist(), upper.tolist()
    ([[2, 0], [1, 0]], [[3, 1], [2, 1]])
    """
    if len(margins) < 2:
        raise ValueError("Fréchet bounds need two or more margins, one per axis.")
    arrays = [_whole(as_counts(margin, f"margin {k}")) for k, margin in enumerate(margins)]
    totals = np.stack(np.broadcast_arrays(*(array.sum(axis=-1) for array in arrays)))
    if np.any(totals != totals[0]):
        raise ValueError(f"The margins have the sums {totals.tolist()}; all sums must be equal.")
    k = len(arrays)
    spread = [
        array.reshape(*array.shape[:-1], *(array.shape[-1] if axis == j else 1 for axis in range(k)))
        for j, array in enumerate(arrays)
    ]
    upper = spread[0]
    sums = spread[0]
    for array in spread[1:]:
        upper, sums = np.minimum(upper, array), sums + array
    total = np.expand_dims(totals[0], tuple(range(-k, 0)))
    return Bounds(np.maximum(sums - (k - 1) * total, 0), upper)


def dobra_fienberg(published: Published) -> Bounds:
    r"""Return the sharp bounds of the cells for published margins of a decomposable graph.

    .. math:: \min_C n_C(i) \ge n(i) \ge \max\Bigl(0, \sum_C n_C(i) - \sum_S n_S(i)\Bigr)

    where C are the published margins (the cliques) and S the intersections of neighbours in their junction
    tree
    (the separators; a separator without axes is the total). One-way margins give the Fréchet bounds.

    Parameters
    ----------
    published : mapping of tuple of int to array_like
        Whole numbers for each set of axes, without nan.

    Returns
    -------
    Bounds

    Raises
    ------
    ValueError
        If the margins are not decomposable (for example the three two-way margins of a three-way table),
        contain
        nan, or contradict each other.

    References
    ----------
    Dobra and Fienberg 2000; thesis, section 2.3.2.2.1.

    Examples
    --------
    >>> table = [[[3, 0], [1, 2]], [[0, 1], [4, 0]]]
    >>> lower, upper = dobra_fienberg(margins_of(table, [(0, 1), (1, 2)]))
    >>> lower.tolist(), upper.tolist()
    ([[[2, 0], [1, 0]], [[0, 0], [2, 0]]], [[[3, 1], [3, 2]], [[1, 1], [4, 2]]])
    """
    shape, margins = _read(published)
    if any(np.isnan(array).any() for array in margins.values()):
        raise ValueError(
            "The margins contain missing values (nan). For margins with unpublished values, use the "
            "function shuttle or intervals."
        )
    cliques = [margin for margin in margins if not any(set(margin) < set(other) for other in margins)]
    tree = _junction_tree(cliques)
    if sum(map(len, cliques)) - sum(len(shared) for _, shared in tree) != len(shape):
        raise ValueError(
            f"The margins {cliques} are not decomposable; use the function shuttle or intervals."
        )
    upper = np.broadcast_to(
        np.min(np.broadcast_arrays(*(margins[margin] for margin in cliques)), axis=0), shape
    )
    lower = np.zeros(shape)
    for margin in cliques:
        lower = lower + margins[margin]
    for margin, shared in tree:
        # Sum over the axes that the neighbour does not have.
        lower = lower - margins[margin].sum(
            axis=tuple(axis for axis in margin if axis not in shared), keepdims=True
        )
    lower = np.maximum(lower, 0)
    if np.any(lower > upper):
        raise ValueError(CONTRADICTION)
    return _as_whole(lower, upper)


def shuttle(published: Published, rounds: int | None = None) -> Shuttle:
    """Return bounds of the cells from any margins by the shuttle algorithm.

    In each round, the upper bound of a cell becomes at most a margin minus the lower bounds of the other
    cells in it.
    The lower bound becomes at least a margin minus their upper bounds. The algorithm stops if no bound
    changes.

    Parameters
    ----------
    published : mapping of tuple of int to array_like
        Whole numbers for each set of axes; nan marks a value that is not published.
    rounds : int, optional
        Maximum number of rounds; 0 returns the starting bounds. Default: until no bound changes.

    Returns
    -------
    Shuttle
        Valid bounds, which are not always attained.

    Raises
    ------
    ValueError
        If a cell is in no published margin, or a round shows that the margins contradict each other.

    References
    ----------
    Buzzigoli and Giusti 1999, 2006; thesis, section 2.3.2.2.1.

    Examples
    --------
    >>> found = shuttle({(0,): [3, 2], (1,): [4, 1]})
    >>> found.lower.tolist(), found.upper.tolist(), found.widths.tolist()
    ([[2, 0], [1, 0]], [[3, 1], [2, 1]], [7, 4])
    """
    shape, margins = _read(published)
    lower, upper = np.zeros(shape), _highest(shape, margins)
    others = {margin: tuple(axis for axis in range(len(shape)) if axis not in margin) for margin in margins}
    widths = [(upper - lower).sum()]
    while rounds is None or len(widths) <= rounds:
        before = lower, upper
        for margin, array in margins.items():
            rest = lower.sum(axis=others[margin], keepdims=True) - lower
            upper = np.fmin(upper, array - rest)
        for margin, array in margins.items():
            rest = upper.sum(axis=others[margin], keepdims=True) - upper
            lower = np.fmax(lower, array - rest)
        if np.any(lower > upper):
            raise ValueError(CONTRADICTION)
        if np.array_equal(before[0], lower) and np.array_equal(before[1], upper):
            break
        widths.append((upper - lower).sum())
    return Shuttle(*_as_whole(lower, upper), np.asarray(widths, dtype=np.int64))


def intervals(published: Published, *, whole: bool = True) -> Bounds:
    """Return bounds of the cells from any margins by linear programming.

    The bounds of a cell are its lowest and highest value over all tables of numbers >= 0 that agree with the
    published
    values. An audit of suppressed cells computes these intervals.

    Parameters
    ----------
    published : mapping of tuple of int to array_like
        Whole numbers for each set of axes; nan marks a value that is not published.
    whole : bool
        Round the bounds inwards, because counts are whole numbers. If False, they are float.

    Returns
    -------
    Bounds

    Raises
    ------
    ValueError
        If a cell is in no published margin, or the margins contradict each other.

    References
    ----------
    Handbook chapter 5, section 5.4 (the audit of suppressed cells); thesis, section 2.4.1.2.

    Examples
    --------
    Four suppressed cells of a table with its totals:

    >>> nan = float("nan")
    >>> cells = [[nan, nan, 5], [nan, nan, 2], [6, 1, 3]]
    >>> lower, upper = intervals({(0, 1): cells, (0,): [12, 9, 10], (1,): [14, 7, 10]})
    >>> lower.tolist(), upper.tolist()
    ([[1, 0, 5], [1, 0, 2], [6, 1, 3]], [[7, 6, 5], [7, 6, 2], [6, 1, 3]])
    """
    shape, margins = _read(published)
    start = shuttle(published, rounds=MOST_ROUNDS)
    lower, upper = start.lower.ravel().astype(np.float64), start.upper.ravel().astype(np.float64)
    open_cells = np.flatnonzero(lower < upper)
    if not len(open_cells):
        _check_all(margins, start.lower)
        return Bounds(lower.reshape(shape), upper.reshape(shape)) if not whole else Bounds(*start[:2])
    matrix, values = equations(shape, margins)
    values = values - matrix @ np.where(lower < upper, 0, lower)
    matrix = matrix[:, open_cells]
    used = np.flatnonzero(np.diff(matrix.indptr))
    if np.any(np.delete(values, used)):
        raise ValueError(CONTRADICTION)
    least, most = extremes(matrix[used], values[used], lower[open_cells], upper[open_cells])
    lower[open_cells], upper[open_cells] = least, most
    lower, upper = lower.reshape(shape), upper.reshape(shape)
    if whole:
        return _as_whole(np.ceil(lower - 1e-6), np.floor(upper + 1e-6))
    return Bounds(lower, upper)


def published_equations(published: Published) -> tuple[Sparse, Floats]:
    """Return the sparse matrix and the right side of the equations, one row per published value."""
    return equations(*_read(published))


def _read(published: Published) -> tuple[tuple[int, ...], dict[tuple[int, ...], Floats]]:
    """Return the shape of the table, and its margins with length 1 along the axes that were summed."""
    sizes: dict[int, int] = {}
    sorted_margins: dict[tuple[int, ...], Floats] = {}
    for axes, values in published.items():
        array = np.asarray(values, dtype=np.float64)
        if array.ndim != len(axes) or len(set(axes)) < len(axes) or any(axis < 0 for axis in axes):
            raise ValueError(
                f"The margin {axes} has an array of shape {array.shape}; it must have one dimension per axis."
            )
        known = ~np.isnan(array)
        if np.any((array < 0) & known) or np.any((array != np.floor(array)) & known) or np.isinf(array).any():
            raise ValueError(
                f"The values of the margin {axes} must be whole numbers of at least 0, or nan if unknown."
            )
        for axis, size in zip(axes, array.shape, strict=True):
            if sizes.setdefault(axis, size) != size:
                raise ValueError(f"Axis {axis} has {sizes[axis]} and {size} categories in different margins.")
        sorted_margins[tuple(sorted(axes))] = np.transpose(array, np.argsort(axes).astype(int))
    if not sizes or set(sizes) != set(range(len(sizes))):
        raise ValueError(f"Every axis must be in a published margin, but only the axes {sorted(sizes)} are.")
    shape = tuple(sizes[axis] for axis in range(len(sizes)))
    spread = {
        axes: array.reshape([length if axis in axes else 1 for axis, length in enumerate(shape)])
        for axes, array in sorted_margins.items()
    }
    return shape, spread


def _highest(shape: tuple[int, ...], margins: Mapping[tuple[int, ...], Floats]) -> Floats:
    """Return the smallest margin that contains each cell."""
    upper = np.full(shape, np.nan)
    for array in margins.values():
        upper = np.fmin(upper, array)
    if np.isnan(upper).any():
        cell = tuple(int(i) for i in np.argwhere(np.isnan(upper))[0])
        raise ValueError(f"Cell {cell} is in no published margin, so it has no upper bound.")
    return upper


def _junction_tree(cliques: list[tuple[int, ...]]) -> list[tuple[tuple[int, ...], frozenset[int]]]:
    """Return the edges of a maximum spanning tree: a clique, and the axes shared with its neighbour."""
    inside, outside = cliques[:1], cliques[1:]
    edges = []
    while outside:
        pairs = [(len(set(clique) & set(other)), clique, other) for clique in inside for other in outside]
        _, near, far = max(pairs, key=lambda pair: pair[0])
        edges.append((far, frozenset(near) & frozenset(far)))
        inside.append(far)
        outside.remove(far)
    return edges


def _check_all(margins: Mapping[tuple[int, ...], Floats], table: Whole) -> None:
    """Raise an error unless the only possible table agrees with all published values."""
    for axes, array in margins.items():
        sums = table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in axes), keepdims=True)
        if np.any((sums != array) & ~np.isnan(array)):
            raise ValueError(CONTRADICTION)


def _whole(array: NDArray[np.number]) -> Whole:
    if np.any(array != np.floor(array)):
        raise ValueError("A margin must hold whole numbers.")
    return array.astype(np.int64)


def _as_whole(lower: Floats, upper: Floats) -> Bounds:
    return Bounds(lower.astype(np.int64), np.asarray(upper).astype(np.int64))
