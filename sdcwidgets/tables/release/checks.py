"""Arrays of a release as it keeps them: of the right shape, and read-only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.tables.axis import Axis

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Floats
    from sdcwidgets.core.margins import MarginAxes


def arrays(
    axes: Sequence[Axis],
    values: Mapping[MarginAxes, ArrayLike],
    lower: Mapping[MarginAxes, ArrayLike],
    upper: Mapping[MarginAxes, ArrayLike],
    gaps: Mapping[MarginAxes, ArrayLike],
    gap: str,
) -> dict[str, Mapping[MarginAxes, NDArray[Any]]]:
    """Return values, bounds and texts of gaps as a release keeps them; `gap` is the text where there is none.

    Raises
    ------
    InputError
        If there are no values, an array does not fit the axes, or a lower bound is above its upper bound.
    """
    published = {margin: _fitting(axes, margin, array) for margin, array in values.items()}
    if not published:
        raise InputError("A release has no values; it needs the cells or a margin of a table.")
    low = {margin: _spread(axes, margin, lower.get(margin, 0.0)) for margin in published}
    high = {margin: _spread(axes, margin, upper.get(margin, np.inf)) for margin in published}
    if any(np.any(low[margin] > high[margin]) for margin in published):
        raise InputError("A lower bound of a release is above the upper bound; it must not be.")
    texts = {margin: _texts(array, gaps.get(margin, gap)) for margin, array in published.items()}
    return {"values": published, "lower": low, "upper": high, "gaps": texts}


def _fitting(axes: Sequence[Axis], margin: MarginAxes, array: ArrayLike) -> Floats:
    """Return the values of a set of axes as a read-only float array.

    Raises
    ------
    InputError
        If these are no axes of the release, or the shape is not theirs.
    """
    values = np.array(array, dtype=np.float64)
    if list(margin) != sorted(set(margin)) or not set(margin) <= set(range(len(axes))):
        raise InputError(f"{margin} are no axes of a release with {len(axes)}; positions rise from 0.")
    wanted = _shape(axes, margin)
    if values.shape != wanted:
        names = listed([axes[k].name for k in margin]) or "the total"
        raise InputError(f"The values of {names} have the shape {values.shape}; it must be {wanted}.")
    values.flags.writeable = False
    return values


def _spread(axes: Sequence[Axis], margin: MarginAxes, bound: ArrayLike) -> Floats:
    """Return a bound of each value of a set of axes, where one number stands for all."""
    return _fitting(axes, margin, np.broadcast_to(np.asarray(bound, dtype=np.float64), _shape(axes, margin)))


def _texts(values: Floats, gaps: ArrayLike) -> NDArray[np.str_]:
    """Return the text of each gap, "" where there is a value."""
    text = np.array(np.broadcast_to(gaps, values.shape), dtype=np.str_)
    text[~np.isnan(values)] = ""
    text.flags.writeable = False
    return text


def positions(axes: Sequence[Axis], names: Sequence[str]) -> list[int]:
    """Return the positions of the axes with these names, or raise InputError."""
    known = [axis.name for axis in axes]
    for name in names:
        if name not in known:
            raise InputError(f"The release has no axis {quoted(name)}; it has {listed(known)}.")
    if len(set(names)) < len(names):
        raise InputError(f"A margin needs different axes; the release has {listed(known)}.")
    return [known.index(name) for name in names]


def _shape(axes: Sequence[Axis], margin: MarginAxes) -> tuple[int, ...]:
    return tuple(len(axes[k]) for k in margin)
