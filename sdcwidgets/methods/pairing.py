"""Pairs of units from different areas that agree, drawn by risk: for tables of people and for microdata."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Flags, Floats, Whole

#: Random numbers in [0, 1) of some units; the numbers of a unit are independent.
Uniform = Callable[[Whole, int], Floats]

#: Maximum number of attempts to find a free donor after another unit got the first choice.
TURNS = 60


def pair(
    asking: Whole,
    partner: Whole,
    groups: Sequence[Whole],
    area: Whole,
    risk: Floats,
    uniform: Uniform,
) -> None:
    """Pair units with free units of other areas that agree with them, drawn by risk.

    Parameters
    ----------
    asking : ndarray of int
        Units to pair; units that already have a partner are skipped.
    partner : ndarray of int, shape (units,)
        Partner of each unit, -1 for none; changed in place.
    groups : sequence of ndarray of int, shape (units,)
        Two units agree if their groups are equal. Units without a partner after the first groups use the next ones.
    area : ndarray of int, shape (units,)
        Two units of the same area are never paired.
    risk : ndarray of float, shape (units,)
        Probability to be drawn as a partner, up to a factor.
    uniform : callable
        Function that returns random numbers of units; see `Uniform`.
    """
    for number, group in enumerate(groups):
        _pair(asking[partner[asking] < 0], partner, group, area, risk, uniform, 2 * TURNS * number)


def fill(
    partner: Whole,
    wanted: Whole,
    groups: Sequence[Whole],
    area: Whole,
    risk: Floats,
    uniform: Callable[[int], Uniform],
) -> Iterator[Whole]:
    """Pair units in random order until enough have a partner or none is left; yield the units of each turn.

    Parameters
    ----------
    partner : ndarray of int, shape (replications * units,)
        As for `pair`; the units of the replicates are concatenated.
    wanted : ndarray of int, shape (replications,)
        Required number of units with a partner in each replicate.
    groups : sequence of ndarray of int, shape (units,)
        Two units agree if their groups are equal. Units without a partner after the first groups use the next ones.
    area : ndarray of int, shape (units,)
        Two units of the same area are never paired.
    risk : ndarray of float, shape (units,)
        Probability to be drawn as a partner, up to a factor.
    uniform : callable
        Function that returns the random numbers of a turn, from turn 0.

    Yields
    ------
    ndarray of int
        Units that were processed in a turn and got a partner.
    """
    n = len(partner) // max(len(wanted), 1)
    free = np.flatnonzero(partner < 0)
    of = free // max(n, 1)
    order = np.lexsort((uniform(0)(free, 0), of))
    free, of = free[order], of[order]
    rank = np.arange(free.size) - np.searchsorted(of, np.arange(len(wanted)))[of]
    rejected, turn = np.zeros(len(wanted), dtype=np.int64), 1
    while True:
        moved = (partner >= 0).reshape(len(wanted), n).sum(axis=1)
        need = np.maximum(-(-(wanted - moved) // 2), 0)
        now = (rank >= rejected[of]) & (rank < (rejected + need)[of])
        if not now.any():
            return
        rejected += need
        asking = free[now]
        asking = asking[partner[asking] < 0]
        pair(asking, partner, groups, area, risk, uniform(turn))
        yield asking[partner[asking] >= 0]
        turn += 1


def fill_each_area(
    partner: Whole,
    rate: float,
    groups: Sequence[Whole],
    area: Whole,
    risk: Floats,
    uniform: Uniform,
    rng: np.random.Generator,
) -> Iterator[Whole]:
    """Pair random units of each area until the area has its share of the rate or no unit is left.

    Parameters
    ----------
    partner : as for `pair`
    rate : float
        Required share of each area's units with a partner, from 0 to 1.
    groups : sequence of ndarray of int, shape (units,)
        Two units agree if their groups are equal. Units without a partner after the first groups use the next ones.
    area : ndarray of int, shape (units,)
        Two units of the same area are never paired.
    risk : ndarray of float, shape (units,)
        Probability to be drawn as a partner, up to a factor.
    uniform : callable
        Function that returns random numbers of units; see `Uniform`.
    rng : numpy.random.Generator
        Random order of the units.

    Yields
    ------
    ndarray of int
        Units that were processed in a turn and got a partner.
    """
    share = np.ceil(rate * np.bincount(area)).astype(np.int64)
    paired = partner >= 0
    while True:
        need = share - np.bincount(area[partner >= 0], minlength=len(share))
        free = rng.permutation(np.flatnonzero(~paired & (partner < 0) & (need[area] > 0)))
        free = free[np.argsort(area[free], kind="stable")]
        rank = np.arange(free.size) - np.searchsorted(area[free], area[free])
        # Half of them per turn, because the partner may be in an area that also needs pairs.
        asking = free[rank < -(-need[area[free]] // 2)]
        if not asking.size:
            return
        paired[asking] = True
        pair(asking, partner, groups, area, risk, uniform)
        yield asking[partner[asking] >= 0]


def is_at_risk(alike: ArrayLike, k: int, below: bool) -> Flags:
    """Return a mask of the units at risk: at most k, or fewer than k, alike units in the area.

    Parameters
    ----------
    alike : array_like of float
        Number of alike units including the unit itself; rounded to whole numbers.
    k : int
        Threshold.
    below : bool
        Whether fewer than k units are at risk, instead of at most k.

    Returns
    -------
    ndarray of bool
        Mask of the units at risk.

    Examples
    --------
    >>> is_at_risk([1, 2, 3], 2, False).tolist(), is_at_risk([1, 2, 3], 2, True).tolist()
    ([True, True, False], [True, False, False])
    """
    many = np.rint(np.asarray(alike))
    flags: Flags = many < k if below else many <= k
    return flags


def _pair(
    asking: Whole,
    partner: Whole,
    group: Whole,
    area: Whole,
    risk: Floats,
    uniform: Uniform,
    number: int,
) -> None:
    """Pair units with free units of their group; `number` is the index of their first random number."""
    for turn in range(number, number + 2 * TURNS, 2):
        if not asking.size:
            return
        free = np.flatnonzero(partner < 0)
        # After sorting by group and area, the units of a group are contiguous, and within a group the units
        # of an area.
        free = free[np.lexsort((area[free], group[free]))]
        mass = np.concatenate([[0.0], np.cumsum(risk[free])])
        low, high = (
            np.searchsorted(group[free], group[asking]),
            np.searchsorted(group[free], group[asking], "right"),
        )
        position = group[free].astype(np.float64) * (area.max() + 1) + area[free]
        mine = group[asking].astype(np.float64) * (area.max() + 1) + area[asking]
        own_low, own_high = np.searchsorted(position, mine), np.searchsorted(position, mine, "right")
        possible = (high - low) > (own_high - own_low)
        asking, low, own_low, own_high, high = (
            values[possible] for values in (asking, low, own_low, own_high, high)
        )
        if not asking.size:
            return
        before, after = mass[own_low] - mass[low], mass[high] - mass[own_high]
        drawn = uniform(asking, turn) * (before + after)
        target = np.where(drawn < before, mass[low] + drawn, mass[own_high] + drawn - before)
        at = np.searchsorted(mass, target, side="right") - 1
        # Rounding errors can lead to the limit of a run.
        at = np.where(drawn < before, np.clip(at, low, own_low - 1), np.clip(at, own_high, high - 1))
        donor = free[at]
        # If several pairs need the same unit, the first one in a random order gets it.
        place_in_line = np.empty(asking.size, dtype=np.int64)
        place_in_line[np.argsort(uniform(asking, turn + 1))] = np.arange(asking.size)
        best = np.full(len(partner), asking.size, dtype=np.int64)
        np.minimum.at(best, asking, place_in_line)
        np.minimum.at(best, donor, place_in_line)
        won = (best[asking] == place_in_line) & (best[donor] == place_in_line)
        partner[asking[won]], partner[donor[won]] = donor[won], asking[won]
        asking = asking[partner[asking] < 0]
