"""Many small streams of random numbers side by side: each is known by its start, and is asked for by number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["uniform"]


def uniform(streams: NDArray[np.uint64], turn: int) -> NDArray[np.float64]:
    """Return number `turn` of each stream of the generator SplitMix64, as a float from 0 to below 1.

    Parameters
    ----------
    streams : ndarray of uint64
        Where each stream begins.
    turn : int
        From 0.

    References
    ----------
    Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators.

    Examples
    --------
    The first number that the generator gives from 0 on is 0xE220A8397B1DCDAF:

    >>> float(uniform(np.zeros(1, dtype=np.uint64), 0)[0]) == (0xE220A8397B1DCDAF >> 11) / 2**53
    True
    """
    mixed = streams + np.uint64((turn + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = (mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)
    return mixed.astype(np.float64) * 2.0**-53
