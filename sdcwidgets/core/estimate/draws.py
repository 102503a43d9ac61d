"""Samples of a known population, drawn without replacement in batches: simple random or stratified.

References: thesis, sections 4.2 and 4.3 (sampling as a protection method); Cochran 1977, chapters 2 and 5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Whole, as_counts

#: Allocation rules of a sample to strata: in proportion to their sizes, or equal numbers.
ALLOCATIONS = ("proportional", "equal")

#: Number of people per block of replicates, which limits the memory.
BLOCK = 2**22

#: Limit of numpy's hypergeometric distribution: the population must be smaller.
MOST_PEOPLE = 10**9


def simple_random_samples(counts: ArrayLike, sampled: int, size: int, rng: np.random.Generator) -> Whole:
    """Draw simple random samples without replacement.

    Parameters
    ----------
    counts : array_like, shape (*table)
        The population F, whole numbers, fewer than 10^9 people.
    sampled : int
        Sample size n, from 0 to N.
    size : int
        Number of samples.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of int64, shape (size, *table)
        Counts of each sample, multivariate hypergeometric with sum n.

    Raises
    ------
    ValueError
        If n is not in [0, N], or the population is too large.

    References
    ----------
    Sample paper, section 6.2.

    Examples
    --------
    >>> simple_random_samples([5, 0, 5], 4, 2, np.random.default_rng(1)).tolist()
    [[2, 0, 2], [2, 0, 2]]
    """
    F = _population(counts, sampled)
    drawn = rng.multivariate_hypergeometric(F.ravel(), sampled, size=size, method="marginals")
    return np.asarray(drawn, dtype=np.int64).reshape(size, *F.shape)


def stratified_samples(
    counts: ArrayLike, sampled: ArrayLike, size: int, rng: np.random.Generator, axis: int = 0
) -> Whole:
    """Draw stratified samples: a simple random sample of given size from each category of an axis.

    Parameters
    ----------
    counts : array_like, shape (*table)
        The population F, whole numbers.
    sampled : array_like of int, shape (strata,)
        Sample size of each stratum, for example from `allocate`.
    size : int
        Number of samples.
    rng : numpy.random.Generator
        Source of one random number per person and sample, so that samples drawn in several calls equal those of
        one call.
    axis : int
        The axis whose categories are the strata.

    Returns
    -------
    ndarray of int64, shape (size, *table)

    Raises
    ------
    ValueError
        If a stratum has fewer people than its sample size, or the sample sizes do not match the axis.

    Examples
    --------
    >>> drawn = stratified_samples([[5, 5], [2, 0]], [4, 1], 3, np.random.default_rng(1))
    >>> drawn.sum(axis=2).tolist()
    [[4, 1], [4, 1], [4, 1]]
    """
    whole = np.asarray(sampled)
    F = _population(counts, int(whole.sum()))
    strata = np.moveaxis(F, axis, 0)
    cells = np.moveaxis(np.arange(F.size).reshape(F.shape), axis, 0).reshape(len(strata), -1)
    people = strata.reshape(len(strata), -1)
    if whole.shape != (len(strata),) or (whole < 0).any():
        raise ValueError(f"There must be {len(strata)} sample sizes, one per stratum, each 0 or more.")
    short = np.flatnonzero(people.sum(axis=1) < whole)
    if short.size:
        k = int(short[0])
        raise ValueError(
            f"Stratum {k + 1} has {people[k].sum():,} people, fewer than its sample size of {whole[k]:,}."
        )
    total = int(F.sum())
    ends = np.cumsum(people.sum(axis=1))
    drawn = np.zeros((size, F.size), dtype=np.int64)
    step = max(1, BLOCK // max(total, 1))
    for start in range(0, size, step):
        block = drawn[start : start + step]
        keys = rng.random((len(block), total))
        for k, n in enumerate(whole.tolist()):
            if n:
                mine = keys[:, ends[k] - people[k].sum() : ends[k]]
                first = np.argpartition(mine, n - 1, axis=1)[:, :n] if n < mine.shape[1] else None
                block[:, cells[k]] = people[k] if first is None else _counted(first, people[k])
    return drawn.reshape(size, *F.shape)


def allocate(strata: ArrayLike, sampled: int, rule: str = "proportional") -> Whole:
    """Allocate the sample size to strata.

    Parameters
    ----------
    strata : array_like of int, shape (strata,)
        Number of people of each stratum.
    sampled : int
        Sample size n, from 0 to N.
    rule : {"proportional", "equal"}
        In proportion to the sizes of the strata, or equal numbers. If a stratum is too small for an equal
        number, the others get more.

    Returns
    -------
    ndarray of int64, shape (strata,)
        Sample sizes with the sum n, none above the size of its stratum. Remaining units go to the largest
        remainders.

    Raises
    ------
    ValueError
        If n is not in [0, N], the population is too large, or the rule is unknown.

    Examples
    --------
    >>> allocate([100, 50, 2], 20).tolist(), allocate([100, 50, 2], 20, "equal").tolist()
    ([13, 7, 0], [9, 9, 2])
    """
    if rule not in ALLOCATIONS:
        raise ValueError(f"The allocation must be one of {', '.join(ALLOCATIONS)}, not {rule!r}.")
    N = _population(strata, sampled)
    if rule == "proportional":
        shares = sampled * N / max(int(N.sum()), 1)
    else:
        # `level` is the equal sample size of all strata that have enough people.
        order = np.sort(N)
        allotted = np.concatenate([[0], np.cumsum(order)])[:-1] + order * np.arange(len(N), 0, -1)
        full = int(np.searchsorted(allotted, sampled, side="left"))
        level = (sampled - order[:full].sum()) / max(len(N) - full, 1)
        shares = np.minimum(N, level)
    whole = np.floor(shares + 1e-9).astype(np.int64)
    rest = sampled - int(whole.sum())
    largest = np.argsort(-(shares - whole), kind="stable")
    whole[largest[:rest]] += 1
    return whole


def _population(counts: ArrayLike, sampled: int) -> Whole:
    F = as_counts(counts, "the population").astype(np.int64)
    N = int(F.sum())
    if not 0 <= sampled <= N:
        raise ValueError(f"The sample size {sampled:,} must be from 0 to the population size {N:,}.")
    if N >= MOST_PEOPLE:
        raise ValueError(f"The population has {N:,} people; sampling needs fewer than {MOST_PEOPLE:,}.")
    return F


def _counted(people: NDArray[np.intp], cells: Whole) -> Whole:
    """Count the sampled people, numbered within a stratum, in each of its cells."""
    cell = np.repeat(np.arange(len(cells)), cells)[people]
    places = cell + len(cells) * np.arange(len(people))[:, np.newaxis]
    counts = np.bincount(places.ravel(), minlength=len(people) * len(cells))
    return counts.reshape(len(people), len(cells))
