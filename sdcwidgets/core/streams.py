"""Many parallel streams of random numbers, with access to any number of a stream by its position."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["uniform"]


def uniform(streams: NDArray[np.uint64], turn: int) -> NDArray[np.float64]:
    """Return random number `turn` of each SplitMix64 stream, as a float in [0, 1).

    Parameters
    ----------
    streams : ndarray of uint64
        Seed of each stream.
    turn : int
        Position of the number in the stream, from 0.

    References
    ----------
    Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators.

    Examples
    --------
    The first number of the stream with seed 0 is 0xE220A8397B1DCDAF:

    >>> float(uniform(np.zeros(1, dtype=np.uint64), 0)[0]) == (0xE220A8397B1DCDAF >> 11) / 2**53
    True
    """
    mixed = streams + np.uint64((turn + 1) * 0x9E3779B97F4A7C15 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = (mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)
    return mixed.astype(np.float64) * 2.0**-53
