r"""Samples of whole households: simple random, proportional, equal, or with probability proportional to size.

References: Totter 2014, section 1.3; Midzuno 1952; Tillé 1996.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole

#: Designs: simple random, proportional and equal stratified sampling, oversampling by household size.
DESIGNS = ("srs", "proportional", "equal", "oversampling")


@dataclass(frozen=True)
class Households:
    """Sampling frame of households.

    Attributes
    ----------
    order : ndarray of int
        Record numbers, ordered so that records of a household are adjacent.
    start, size : ndarray of int, shape (households,)
        Position in `order` of the first record of each household, and the number of its records.
    stratum : ndarray of int, shape (households,)
        Stratum of each household, from 0.
    """

    order: Whole
    start: Whole
    size: Whole
    stratum: Whole

    @classmethod
    def of(cls, household: ArrayLike, stratum: ArrayLike | None = None) -> Households:
        """Return the frame of records with these household numbers and strata (default: one stratum).

        Raises
        ------
        ValueError
            If the people of a household are in several strata.

        Examples
        --------
        >>> frame = Households.of([4, 7, 4], [0, 1, 0])
        >>> frame.size.tolist(), frame.stratum.tolist()
        ([2, 1], [0, 1])
        """
        number = np.asarray(household)
        in_order = bool((np.diff(number) >= 0).all())
        order = np.arange(len(number)) if in_order else np.argsort(number, kind="stable")
        ordered = number[order]
        start = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        size = np.diff(np.concatenate([start, [len(number)]]))
        if stratum is None:
            return cls(order, start, size, np.zeros(len(start), dtype=np.int64))
        strata = np.asarray(stratum)[order].astype(np.int64)
        if (np.repeat(strata[start], size) != strata).any():
            raise ValueError(
                "People of one household are in different strata; each household must be in one stratum."
            )
        return cls(order, start, size, strata[start])


@dataclass(frozen=True)
class Sample:
    """Sample of households.

    Attributes
    ----------
    records : ndarray of int, shape (n,)
        Position of each sampled record in the file; records of a household are adjacent.
    household : ndarray of int, shape (n,)
        Number of the household of each record, from 0.
    weights : ndarray, shape (n,)
        Sampling weights: inverse inclusion probabilities of the households.
    """

    records: Whole
    household: Whole
    weights: Floats


def draw(frame: Households, households: int, design: str, rng: Generator) -> Sample:
    r"""Draw whole households by one of the designs.

    | design | selection of households |
    | --- | --- |
    | `srs` | simple random sample: :math:`\pi = m/M` |
    | `proportional` | stratified, with sample sizes proportional to the strata |
    | `equal` | stratified, with equal sample sizes |
    | `oversampling` | :math:`\pi_h = m\,\text{size}_h / \sum \text{size}`, by Midzuno's scheme |

    Parameters
    ----------
    frame : Households
        Households to draw from.
    households : int
        Number of households m to draw, at most the number M in the frame.
    design : {"srs", "proportional", "equal", "oversampling"}
        Sampling design.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    Sample

    Raises
    ------
    ValueError
        If the design is unknown, or the number of households is not in [1, M].

    References
    ----------
    Totter 2014, Definitions 1.7 to 1.9.
    """
    number = len(frame.size)
    if not 1 <= households <= number:
        raise ValueError(
            f"The frame has {number:,} households; the sample size must be from 1 to {number:,}, not {households:,}."
        )
    if design == "srs":
        chosen = rng.choice(number, households, replace=False, shuffle=False)
        weight = np.full(households, number / households)
    elif design in ("proportional", "equal"):
        available = np.bincount(frame.stratum)
        wanted = allocate(available, households, equal=design == "equal")
        chosen = _of_each(frame.stratum, available, wanted, rng)
        stratum = frame.stratum[chosen]
        weight = available[stratum] / wanted[stratum]
    elif design == "oversampling":
        chosen, weight = midzuno(frame.size, households, rng)
    else:
        raise ValueError(f"The design {design!r} is unknown; use one of {', '.join(DESIGNS)}.")
    position = np.sort(chosen)
    weight = weight[np.argsort(chosen, kind="stable")]
    size = frame.size[position]
    end = np.cumsum(size)
    records = frame.order[np.repeat(frame.start[position] - (end - size), size) + np.arange(size.sum())]
    return Sample(records, np.repeat(np.arange(households), size), np.repeat(weight, size))


def allocate(available: ArrayLike, total: int, *, equal: bool = False) -> Whole:
    """Allocate a number of households to strata by largest remainders.

    Parameters
    ----------
    available : array_like of int
        Households of each stratum. If a stratum has too few, other strata get more.
    total : int
        Number of households to allocate.
    equal : bool
        Allocate equal numbers; otherwise in proportion to `available`.

    Raises
    ------
    ValueError
        If `total` is not from 0 to the number of households.

    Examples
    --------
    >>> allocate([500, 300, 200], 9).tolist(), allocate([500, 300, 200], 9, equal=True).tolist()
    ([4, 3, 2], [3, 3, 3])
    """
    have = np.asarray(available, dtype=np.int64)
    if not 0 <= total <= have.sum():
        raise ValueError(
            f"The strata have {have.sum():,} households, so a sample of {total:,} households cannot be "
            "allocated."
        )
    wanted = np.zeros_like(have)
    while (remaining := total - int(wanted.sum())) > 0:
        free = have - wanted
        share = (free > 0).astype(float) if equal else free.astype(float)
        ideal = remaining * share / share.sum()
        more = np.floor(ideal).astype(np.int64)
        largest = np.argsort(-(ideal - more), kind="stable")[: remaining - int(more.sum())]
        more[largest] += 1
        wanted = np.minimum(wanted + more, have)
    return wanted


def _of_each(stratum: Whole, available: Whole, wanted: Whole, rng: Generator) -> Whole:
    """Draw the wanted number of households from each stratum without replacement."""
    order = np.argsort(stratum, kind="stable")
    begin = np.cumsum(available) - available
    parts = [
        order[first + rng.choice(have, take, replace=False, shuffle=False)]
        for first, have, take in zip(begin.tolist(), available.tolist(), wanted.tolist(), strict=True)
        if take
    ]
    return np.concatenate(parts)


def inclusion_probabilities(size: ArrayLike, total: float, number: ArrayLike | None = None) -> Floats:
    r"""Return inclusion probabilities proportional to size, at most 1, with a given sum.

    A unit with :math:`n x_i / \sum x > 1` is included with certainty, and the rest is divided among the others.

    Parameters
    ----------
    size : array_like, shape (c,)
        Sizes x, 0 or more.
    total : float
        Sum n of the probabilities, at most the number of units.
    number : array_like, shape (c,), optional
        Number of units of each size; default: one.

    Raises
    ------
    ValueError
        If a size is negative, or the sum is above the number of units with a size above 0.

    References
    ----------
    Totter 2014, example 1.10.

    Examples
    --------
    Totter's example: 11,725 of 58,654 people, whose household sizes have the sum 184,230.

    >>> number = [8602, 14128, 12429, 13180, 6745, 2094, 840, 528, 108]
    >>> inclusion_probabilities(range(1, 10), 11725, number).round(4).tolist()
    [0.0636, 0.1273, 0.1909, 0.2546, 0.3182, 0.3819, 0.4455, 0.5091, 0.5728]
    """
    x = np.asarray(size, dtype=np.float64)
    units = np.ones_like(x) if number is None else np.asarray(number, dtype=np.float64)
    if not 0 <= total <= units[x > 0].sum() or (x < 0).any():
        raise ValueError(
            "The size measures must be 0 or more, and enough units for the sample must have a size "
            "measure above 0."
        )
    certain = np.zeros(x.shape, dtype=bool)
    while True:
        rest = (x * units)[~certain].sum()
        share = np.zeros_like(x) if rest == 0 else x * (total - units[certain].sum()) / rest
        share[certain] = 1
        over = (share > 1 + 1e-12) & ~certain
        if not over.any():
            return np.minimum(share, 1)
        certain |= over


def midzuno(size: ArrayLike, total: int, rng: Generator) -> tuple[Whole, Floats]:
    r"""Draw a fixed number of units with probability proportional to size, by Midzuno's scheme.

    Midzuno draws the first unit with unequal probabilities and the others with equal ones. The generalisation
    to any probabilities :math:`\pi` is the complement of Tillé's elimination for :math:`1 - \pi`. Units are
    selected one after another. If k units are left, unit i is next with probability :math:`1 -
    \pi'_i(k-1)/\pi'_i(k)`, where :math:`\pi'(k)` are the `inclusion_probabilities` of k units with sizes
    :math:`1 - \pi`.

    Parameters
    ----------
    size : array_like of int, shape (M,)
        Size of each unit.
    total : int
        Number of units m to draw.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    chosen : ndarray of int, shape (m,)
        Positions of the selected units.
    weights : ndarray, shape (m,)
        Inverse inclusion probabilities.

    Notes
    -----
    Units of the same size are exchangeable. The scheme therefore decides only how many units of each size are
    drawn, and these are a simple random sample of the units of that size.

    References
    ----------
    Totter 2014, example 1.10; Midzuno 1952; Tillé 1996 (the elimination procedure, and R's `UPmidzuno`).

    Examples
    --------
    >>> chosen, weights = midzuno([1, 1, 2, 4], 2, np.random.default_rng(0))
    >>> len(chosen), {*(1 / weights).tolist()} <= {0.25, 0.5, 1.0}
    (2, True)
    """
    sizes, member, units = np.unique(np.asarray(size), return_inverse=True, return_counts=True)
    pi = inclusion_probabilities(sizes, total, units)
    # Units that are certain come first, because the scheme needs 1 - π above 0.
    sure = pi >= 1 - 1e-12
    wanted = np.where(sure, units, 0)
    remaining, steps = np.where(sure, 0, units).tolist(), total - int(wanted.sum())
    if steps:
        rates = _rates(tuple((1 - pi).tolist()), tuple(remaining), steps)
        # Each step depends on all earlier ones and there are few sizes, so Python numbers are faster than
        # arrays.
        for rate, point in zip(rates.tolist(), rng.random(steps).tolist(), strict=True):
            chances = [have * chance for have, chance in zip(remaining, rate, strict=True)]
            point *= sum(chances)
            stratum = -1
            for stratum, chance in enumerate(chances):  # noqa: B007
                point -= chance
                if point < 0 and chance > 0:
                    break
            remaining[stratum] -= 1
        wanted = np.where(sure, units, units - np.array(remaining))
    chosen = _of_each(member, units, wanted, rng)
    return chosen, 1 / pi[member[chosen]]


@lru_cache(maxsize=8)  # repeated samples of the same frame have the same rates
def _rates(size: tuple[float, ...], units: tuple[int, ...], steps: int) -> Floats:
    """Return the selection probability of a unit of each size at each step of Tillé's elimination."""
    number = sum(units)
    probabilities = np.stack([inclusion_probabilities(size, number - k, units) for k in range(steps + 1)])
    before, after = probabilities[:-1], probabilities[1:]
    kept_on = np.divide(after, before, out=np.ones_like(after), where=before > 0)
    rates: Floats = np.maximum(1 - kept_on, 0)
    return rates
