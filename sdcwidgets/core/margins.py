"""Margins of a table: its sums over all sets of axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["MarginAxes", "every_margin", "grouped", "margins", "spread"]

#: Axes that a margin keeps, as ascending positions: all axes give the cells, none gives the total.
MarginAxes: TypeAlias = tuple[int, ...]


def every_margin(ndim: int) -> list[MarginAxes]:
    """Return the axes of the cells and of every margin, from the cells to the total.

    Examples
    --------
    >>> every_margin(2)
    [(0, 1), (0,), (1,), ()]
    """
    return [margin for size in range(ndim, -1, -1) for margin in itertools.combinations(range(ndim), size)]


def margins(cells: ArrayLike) -> dict[MarginAxes, NDArray[Any]]:
    """Return the cells and all margins of a table, by the axes that each keeps.

    Examples
    --------
    >>> {axes: sums.tolist() for axes, sums in margins([[1, 0], [3, 3]]).items()}
    {(0, 1): [[1, 0], [3, 3]], (0,): [1, 6], (1,): [4, 3], (): 7}
    """
    array = np.asarray(cells)
    sums: dict[MarginAxes, NDArray[np.number]] = {tuple(range(array.ndim)): array}
    for margin, source, axis in _summation_order(array.shape):
        sums[margin] = np.asarray(sums[source].sum(axis=axis))
    return sums


@lru_cache(maxsize=256)
def _summation_order(shape: tuple[int, ...]) -> list[tuple[MarginAxes, MarginAxes, int]]:
    """Return each margin, the smallest margin with one axis more, and the axis of it that is summed over."""
    order = []
    cells, *smaller = every_margin(len(shape))
    sizes = {cells: math.prod(shape)}
    for margin in smaller:
        larger = [other for other in sizes if len(other) == len(margin) + 1 and set(margin) < set(other)]
        source = min(larger, key=lambda other: sizes[other])
        axis = next(k for k, name in enumerate(source) if name not in margin)
        order.append((margin, source, axis))
        sizes[margin] = math.prod([shape[k] for k in margin])
    return order


def grouped(cells: ArrayLike, axis: int, places: Sequence[int], size: int) -> NDArray[Any]:
    """Sum the slices of an axis by group; `places` has the group of each slice, from 0 to `size` - 1.

    Examples
    --------
    >>> grouped([[1, 0], [3, 3], [2, 2]], 0, [1, 0, 1], 2).tolist()
    [[3, 3], [3, 2]]
    """
    slices = np.moveaxis(np.asarray(cells), axis, 0)
    sums = np.zeros((size, *slices.shape[1:]), dtype=slices.dtype)
    np.add.at(sums, np.array(places, dtype=np.int64), slices)
    return np.moveaxis(sums, 0, axis)


def spread(cells: ArrayLike, axis: int, places: Sequence[int]) -> NDArray[np.float64]:
    """Reverse `grouped`: divide each sum evenly among the slices of its group.

    A remainder goes to the first slices of the group, one unit each.

    Examples
    --------
    >>> spread([[3, 3], [3, 2]], 0, [1, 0, 1]).tolist()
    [[2.0, 1.0], [3.0, 3.0], [1.0, 1.0]]
    """
    to = np.array(places, dtype=np.int64)
    among = np.bincount(to)[to]
    # Number of earlier slices of the same group.
    order = np.argsort(to, kind="stable")
    before = np.empty_like(to)
    before[order] = np.arange(len(to)) - np.searchsorted(to[order], to[order])
    sums = np.moveaxis(np.asarray(cells, dtype=np.float64), axis, -1)[..., to]
    return np.moveaxis(sums // among + (before < sums % among), -1, axis)
