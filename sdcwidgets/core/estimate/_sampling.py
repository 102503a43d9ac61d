"""Validation of the sampling fraction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats


def as_fraction(fraction: ArrayLike) -> Floats:
    """Return the sampling fraction p = n/N as an array.

    Raises
    ------
    ValueError
        If a fraction is not in (0, 1].

    Examples
    --------
    >>> as_fraction([0.1, 1]).tolist()
    [0.1, 1.0]
    """
    share = np.asarray(fraction, dtype=np.float64)
    if not np.all((share > 0) & (share <= 1)):
        raise ValueError(f"The sampling fraction must be above 0 and at most 1, not {share.tolist()}.")
    return share
