"""Iterative proportional fitting: scale a table to one margin after another until it has all of them.

The algorithm needs the cells and the margins, but no design matrix. References: Deming and Stephan 1940;
Bishop, Fienberg and Holland 1975, section 3.5; Csiszár 1975.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, as_counts

#: Maximum remaining error of a cell, relative to the largest value of a margin.
TOLERANCE = 1e-12

#: Minimum number of neighbouring cells in the inner loop of a sum or product.
INNER = 64


def rake(
    start: ArrayLike,
    margins: Mapping[tuple[int, ...], ArrayLike],
    *,
    iterations: int = 10_000,
    tolerance: float = TOLERANCE,
) -> Floats:
    """Scale a table until it has the requested margins (iterative proportional fitting).

    The result has the least relative entropy from `start` of all tables with these margins. Cells that are 0 in
    `start` remain 0.

    Parameters
    ----------
    start : array_like
        Starting table, 0 or more; it is not changed.
    margins : mapping of tuple of int to array_like
        For each tuple of ascending axes, the target sums over all other axes.
    iterations : int
        Maximum number of iterations.
    tolerance : float
        Difference from the margins at which the iteration stops, relative to the largest value of the margins.

    Raises
    ------
    ValueError
        If a margin does not fit the table, or the scaling does not converge because no table has all margins.

    References
    ----------
    Deming and Stephan 1940; Csiszár 1975.

    Examples
    --------
    >>> rake([[1, 1], [1, 0]], {(0,): [3, 2], (1,): [4, 1]}).round(6).tolist()
    [[2.0, 1.0], [2.0, 0.0]]
    """
    cells = np.array(as_counts(start, "the start"), dtype=np.float64, order="C")
    wanted: dict[tuple[int, ...], Floats] = {}
    for axes, values in margins.items():
        sums = as_counts(values, f"margin {axes}").astype(np.float64)
        if list(axes) != sorted(set(axes)) or sums.shape != tuple(cells.shape[axis] for axis in axes):
            raise ValueError(f"Margin {axes} has the shape {sums.shape}; it does not fit {cells.shape}.")
        wanted[axes] = sums
    if not scale(cells, wanted, iterations, tolerance)[0]:
        raise ValueError(
            "No table has all the given margins. The margins contradict each other or the zeros of "
            "the initial table."
        )
    return cells


def scale(
    cells: Floats, margins: Mapping[tuple[int, ...], Floats], iterations: int, tolerance: float
) -> tuple[bool, int]:
    """Scale the cells in place to one margin after another; return whether it converged, and the cycles."""
    views = [View(cells, margin) for margin in margins]
    wanted = list(margins.values())
    enough = tolerance * max(float(values.max()) for values in wanted)
    before = math.inf
    for cycle in range(1, iterations + 1):
        off = 0.0
        for view, values in zip(views, wanted, strict=True):
            off = max(off, view.scale(values))
        # The errors shrink geometrically, so the remaining error is the sum of a geometric series.
        rate = off / before
        if off <= 1e-3 * enough or (rate < 1 and off * max(1.0, rate / (1 - rate)) <= enough):
            return True, cycle
        before = off or math.inf
    return False, iterations


class View:
    """Cells as an array with few axes: neighbouring axes that are all in, or all not in, a margin are merged.

    The last axes are kept together until the final sum, so that numpy's inner loops are long even if the axes
    are short.
    """

    def __init__(self, cells: Floats, margin: tuple[int, ...]) -> None:
        ndim, tail = cells.ndim, 1
        first = ndim
        while first and tail < INNER:
            first -= 1
            tail *= cells.shape[first]
        shape: list[int] = []
        kinds: list[bool] = []
        for axis, size in enumerate(cells.shape[:first]):
            if kinds and kinds[-1] == (axis in margin):
                shape[-1] *= size
            else:
                shape.append(size)
                kinds.append(axis in margin)
        self._cells = cells.reshape(*shape, tail)  # a view: the cells are contiguous
        letters = "abcdefghijklmnopqrstuvwxy"[: len(shape)]
        kept_letters = "".join(letter for letter, has_axis in zip(letters, kinds, strict=True) if has_axis)
        self._sum = f"{letters}z->{kept_letters}z"
        leading = tuple(size for axis, size in enumerate(cells.shape[:first]) if axis in margin)
        self._split = (*leading, *cells.shape[first:])
        self._summed = tuple(len(leading) + axis - first for axis in range(first, ndim) if axis not in margin)
        self._merged = tuple(size if has_axis else 1 for size, has_axis in zip(shape, kinds, strict=True))

    def sums(self) -> Floats:
        """Return the sums of the margin."""
        sums: Floats = np.einsum(self._sum, self._cells).reshape(self._split).sum(axis=self._summed)
        return sums

    def scale(self, wanted: Floats) -> float:
        """Scale the cells to the target values, and return the largest deviation before."""
        sums = self.sums()
        self.multiply(np.divide(wanted, sums, out=np.zeros_like(sums), where=sums > 0))
        return float(np.max(np.abs(wanted - sums)))

    def multiply(self, ratio: Floats) -> None:
        """Multiply the cells in place by one factor per cell of the margin."""
        spread = np.broadcast_to(np.expand_dims(ratio, self._summed), self._split)
        self._cells *= spread.reshape(*self._merged, -1)


def others(margin: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """Return the axes to sum over for a margin."""
    return tuple(axis for axis in range(ndim) if axis not in margin)
