"""Array types of `core`, checks of counts, and conversions of the axes of a table to one axis of cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.typing import ArrayLike, NDArray

Axis: TypeAlias = int | Sequence[int] | None
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Whole: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[Any]
# Scipy's sparse arrays have no type parameters.
Sparse: TypeAlias = Any

# Cells per block of work: the workspace of a block then fits into the processor's cache.
BLOCK = 16384

# Added to the argument of a logarithm, so that log 0 is finite; it changes no other number.
TINY = 1e-300


def as_counts(counts: ArrayLike, name: str = "F") -> Numbers:
    """Return the counts as an array after checking that they are finite and >= 0.

    Fractions are allowed, because estimated and expected frequencies are counts too.

    Raises
    ------
    ValueError
        If a count is not a number, negative, or not finite.
    """
    array = np.asarray(counts)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"The counts of {name} must be numbers, not {array.dtype}.")
    if array.size == 0:
        raise ValueError(f"{name} has no cells.")
    if array.dtype.kind in "if" and not array.min() >= 0:
        raise ValueError(f"The counts of {name} must be 0 or more.")
    if array.dtype.kind == "f" and not np.isfinite(array.max()):
        raise ValueError(f"The counts of {name} must be finite.")
    return array


def axes_of(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Return `axis` as a sorted tuple of non-negative axes; None means all axes."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(sorted(normalize_axis_tuple(axis, ndim)))


def cells_last(array: Numbers, axis: Axis) -> Numbers:
    """Return the array with the axes of a table merged into one last axis: shape (..., K)."""
    axes = axes_of(axis, array.ndim)
    cells = math.prod([array.shape[k] for k in axes])
    last = tuple(range(array.ndim - len(axes), array.ndim))
    moved = array if axes == last else np.moveaxis(array, axes, last)
    return moved.reshape(*moved.shape[: array.ndim - len(axes)], cells)


def cells_back(cells: Floats, shape: tuple[int, ...], axis: Axis) -> Floats:
    """Reverse `cells_last`: return an array of this shape from an array of shape (..., K)."""
    axes = axes_of(axis, len(shape))
    spread = cells.reshape(*cells.shape[:-1], *(shape[k] for k in axes))
    return np.moveaxis(spread, range(-len(axes), 0), axes)


def cells_first(array: Numbers, axis: Axis) -> tuple[Numbers, tuple[int, ...]]:
    """Return the array with shape (cells, batch), and the shape of the batch."""
    cells = cells_last(array, axis)
    return cells.reshape(-1, cells.shape[-1]).T, cells.shape[:-1]


def pair_cells_first(F: Numbers, G: Numbers, axis: Axis) -> tuple[Numbers, Numbers, tuple[int, ...]]:
    """Broadcast two arrays and return both with shape (cells, batch), and the shape of the batch.

    If F is the same for the whole batch, its batch has length 1, so that its logarithms are computed once.
    """
    ndim = max(F.ndim, G.ndim)
    try:
        shape = np.broadcast_shapes(F.shape, G.shape)
    except ValueError:
        raise ValueError(
            f"The original counts F have the shape {F.shape} and the published counts G the shape "
            f"{G.shape}; both must be the same table."
        ) from None
    axes = axes_of(axis, ndim)
    whole_batch = all(k in axes or length == 1 for k, length in enumerate((1,) * (ndim - F.ndim) + F.shape))
    F_shape = tuple(length if k in axes or not whole_batch else 1 for k, length in enumerate(shape))
    first, _ = cells_first(np.broadcast_to(F, F_shape), axes)
    second, batch = cells_first(np.broadcast_to(G, shape), axes)
    return first, second, batch


def logs(values: Numbers) -> Floats:
    """Return log x, with a finite number at x = 0, so that x · log x is 0 there."""
    result: Floats = np.add(values, TINY, dtype=np.float64)
    return np.log(result, out=result)


def plain(array: Floats) -> Floats:
    """Return the array, or its only element if it has no axes."""
    return array[()]


def check_undefined(undefined: str) -> None:
    """Raise ValueError unless `undefined` is "raise" or "nan"."""
    if undefined not in ("raise", "nan"):
        raise ValueError(f'undefined must be "raise" or "nan", not {undefined!r}.')
