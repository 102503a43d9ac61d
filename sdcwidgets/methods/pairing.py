"""Pairs of units of different areas that agree, drawn by their risk: for tables of people and files of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Flags, Floats, Whole

#: Random numbers from 0 to below 1 of some units; each number of a unit is another one.
Uniform = Callable[[Whole, int], Floats]

#: How often those who are left ask again for a donor whom somebody else took.
TURNS = 60


def pair(
    asking: Whole,
    partner: Whole,
    groups: Sequence[Whole],
    area: Whole,
    risk: Floats,
    uniform: Uniform,
) -> None:
    """Pair those who ask with free units of other areas that agree with them, drawn by their risk.

    Parameters
    ----------
    asking : ndarray of int
        Units; who has a partner does not ask.
    partner : ndarray of int, shape (units,)
        The partner of each unit, -1 for none; changed here.
    groups : sequence of ndarray of int, shape (units,)
        Two units agree if their groups are the same; the next groups serve those who found nobody by the ones before.
    area : ndarray of int, shape (units,)
        Two units of the same area are never paired.
    risk : ndarray of float, shape (units,)
        How likely each is drawn as a partner, up to a factor.
    uniform : callable
        Gives the random numbers of some units; see `Uniform`.
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
    """Pair units in a random order until so many have a partner, or nobody is left; yield those of each turn.

    Parameters
    ----------
    partner : ndarray of int, shape (replications * units,)
        As for `pair`, the units of each replication behind those of the one before.
    wanted : ndarray of int, shape (replications,)
        How many units shall have a partner in each.
    groups, area, risk : as for `pair`
    uniform : callable
        Gives the random numbers of each turn, from turn 0.

    Yields
    ------
    ndarray of int
        The units that asked in a turn and found a partner.
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
    """Pair units of each area at random until it has its share of the rate, or nobody is left to ask.

    Parameters
    ----------
    partner : as for `pair`
    rate : float
        The share of each area's units that shall have a partner, from 0 to 1.
    groups, area, risk, uniform : as for `pair`
    rng : numpy.random.Generator
        Draws who asks.

    Yields
    ------
    ndarray of int
        The units that asked in a turn and found a partner.
    """
    share = np.ceil(rate * np.bincount(area)).astype(np.int64)
    paired = partner >= 0
    while True:
        need = share - np.bincount(area[partner >= 0], minlength=len(share))
        free = rng.permutation(np.flatnonzero(~paired & (partner < 0) & (need[area] > 0)))
        free = free[np.argsort(area[free], kind="stable")]
        rank = np.arange(free.size) - np.searchsorted(area[free], area[free])
        # Half of them at a time: a partner may be of an area that needs some, too.
        asking = free[rank < -(-need[area[free]] // 2)]
        if not asking.size:
            return
        paired[asking] = True
        pair(asking, partner, groups, area, risk, uniform)
        yield asking[partner[asking] >= 0]


def is_at_risk(alike: ArrayLike, k: int, below: bool) -> Flags:
    """Return whether so many alike in an area are at risk: at most k, or fewer.

    Parameters
    ----------
    alike : array_like of float
        How many agree with each, itself among them; rounded to whole numbers.
    k : int
    below : bool
        Whether less than k are few, instead of at most k.

    Returns
    -------
    ndarray of bool

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
    """Pair those who ask with free units of their group; `number` is that of the first random number."""
    for turn in range(number, number + 2 * TURNS, 2):
        if not asking.size:
            return
        free = np.flatnonzero(partner < 0)
        # Sorted by group and area, the units of a group are a run, and those of its areas are runs within it.
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
        asking, low, own_low, own_high, high = (x[possible] for x in (asking, low, own_low, own_high, high))
        if not asking.size:
            return
        before, after = mass[own_low] - mass[low], mass[high] - mass[own_high]
        drawn = uniform(asking, turn) * (before + after)
        target = np.where(drawn < before, mass[low] + drawn, mass[own_high] + drawn - before)
        at = np.searchsorted(mass, target, side="right") - 1
        # Rounding may end at the edge of a run.
        at = np.where(drawn < before, np.clip(at, low, own_low - 1), np.clip(at, own_high, high - 1))
        donor = free[at]
        # Of all pairs that want the same unit, the one with the first number in a random order gets it.
        place_in_line = np.empty(asking.size, dtype=np.int64)
        place_in_line[np.argsort(uniform(asking, turn + 1))] = np.arange(asking.size)
        best = np.full(len(partner), asking.size, dtype=np.int64)
        np.minimum.at(best, asking, place_in_line)
        np.minimum.at(best, donor, place_in_line)
        won = (best[asking] == place_in_line) & (best[donor] == place_in_line)
        partner[asking[won]], partner[donor[won]] = donor[won], asking[won]
        asking = asking[partner[asking] < 0]
