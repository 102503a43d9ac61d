r"""A synthetic population with the make-up of Totter's: households in regions, and the people in them.

It is made the way R's simPopulation makes Totter's: a survey of households gives who lives together (sizes, ages and
sexes), its households are drawn again and again for each region, and status, citizenship and income of each person
are drawn from their distribution given what is known already. The survey itself is drawn from a simple model, with
the household sizes and the regions that Totter prints. References: Totter 2014, sections 1.3 and 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .._arrays import Floats
from ._drawing import drawn

__all__ = ["INCOME_CLASSES", "OLDEST", "REGIONS", "SIZES", "STATUSES", "SURVEY", "People", "people"]

Integers = NDArray[np.int64]

#: Households of the survey by size, 1 to 9 people; their people are those of example 1.10.
SIZES = (1313, 1385, 797, 688, 312, 98, 35, 11, 2)

#: Shares of the people by region, in thousandths (example 1.8).
REGIONS = (37, 79, 177, 66, 159, 95, 181, 153, 53)

#: How many households Totter's survey and each of his samples have.
SURVEY = sum(SIZES)

#: The highest age; it stands for all above it.
OLDEST = 97

STATUSES = 7
INCOME_CLASSES = 15

# Shares of EU and other foreigners by region: the more a region is a city or a border, the more.
_FOREIGN = (
    np.array([[2, 2], [2, 3], [2, 4], [4, 7], [2, 3], [4, 5], [2, 5], [5, 13], [5, 8]], dtype=np.float64)
    / 100
)

# How likely someone of these ages is not of the nationality of the household of the survey.
_OTHER_NATIONALITY = 0.1
_MIXED_AGES = (24, 44)

# Yearly net income by status, in euros: the median, and the share that has any.
_INCOME = np.array(
    [[19500, 0.995], [10500, 0.99], [8000, 0.85], [4500, 0.3], [15500, 0.98], [11000, 0.93], [5500, 0.4]]
)

# The standard deviation of the logarithm of an income.
_SPREAD = 0.4

# Upper ends of the income classes after "none", in euros.
_INCOME_ENDS = np.array(
    [2000, 4000, 6000, 8000, 10000, 12000, 14000, 16500, 19000, 22000, 26000, 32000, 45000], dtype=np.float64
)


@dataclass(frozen=True)
class People:
    """The people of a population, by household, as codes from 0 on.

    Attributes
    ----------
    household : ndarray of int32, shape (N,)
        Its number; the people of a household stand together.
    region, size, age, sex, status, citizenship, income : ndarray of int8, shape (N,)
        Region 0 to 8; size of the household, 1 to 9; age 0 to 97; sex 0 male, 1 female; economic status 0 to 6;
        citizenship 0 own, 1 EU, 2 other; income class 0 to 14.
    """

    household: NDArray[np.int32]
    region: NDArray[np.int8]
    size: NDArray[np.int8]
    age: NDArray[np.int8]
    sex: NDArray[np.int8]
    status: NDArray[np.int8]
    citizenship: NDArray[np.int8]
    income: NDArray[np.int8]


def people(persons: int, rng: Generator) -> People:
    """Return a synthetic population of so many people.

    Parameters
    ----------
    persons : int
        N, at least 1. If the last household drawn has too many people, a smaller one takes its place.
    rng : numpy.random.Generator

    Returns
    -------
    People

    Raises
    ------
    ValueError
        If N is below 1 or above two thousand million.

    References
    ----------
    Totter 2014, Table 12 and section 4.1.

    Examples
    --------
    >>> made = people(1000, np.random.default_rng(1))
    >>> len(made.age), int(made.size.max()) <= 9
    (1000, True)
    """
    if not 1 <= persons <= 2_000_000_000:
        raise ValueError(f"A population has from 1 to 2,000,000,000 people, not {persons:,}.")
    size, region, age, sex = _survey(rng)
    foreign = np.column_stack([1 - _FOREIGN.sum(axis=1), _FOREIGN])
    nationality = drawn(foreign, region, rng)
    start = np.concatenate([[0], np.cumsum(size)[:-1]])
    chosen = _households(size, persons, rng)
    sizes = size[chosen]
    end = np.cumsum(sizes)
    # Where each person stands in the survey: the start of the household there, and the place in the household.
    origin = np.repeat(start[chosen] - (end - sizes), sizes) + np.arange(persons)
    household = np.repeat(np.arange(len(chosen), dtype=np.int32), sizes)
    ages, sexes, regions = age[origin], sex[origin], np.repeat(region[chosen], sizes)
    status = drawn(_status_table(), ages.astype(np.int64) * 2 + sexes, rng)
    other = (ages >= _MIXED_AGES[0]) & (ages <= _MIXED_AGES[1])
    other &= rng.random(persons, dtype=np.float32) < _OTHER_NATIONALITY
    citizenship = np.repeat(nationality[chosen], sizes)
    citizenship[other] = drawn(foreign, regions[other], rng)
    income = drawn(_income_table(), (status.astype(np.int64) * 5 + _age_band(ages)) * 2 + sexes, rng)
    return People(
        household, regions, np.repeat(sizes.astype(np.int8), sizes), ages, sexes, status, citizenship, income
    )


def _households(size: Integers, persons: int, rng: Generator) -> Integers:
    """Draw households of the survey until their people are as many as are wanted."""
    number = int(persons / size.mean() * 1.02) + 50
    chosen = rng.integers(len(size), size=number)
    total = np.cumsum(size[chosen])
    if total[-1] < persons:  # so many small households are next to impossible; then all draws are made anew
        return _households(size, persons, rng)
    whole = int(np.searchsorted(total, persons, side="right"))
    left = persons - int(total[whole - 1] if whole else 0)
    last = rng.choice(np.flatnonzero(size == left), size=1) if left else np.empty(0, dtype=np.int64)
    return np.concatenate([chosen[:whole], last])


def _survey(rng: Generator) -> tuple[Integers, NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Return the survey: size and region of each household, age and sex of each of its people."""
    size = rng.permutation(np.repeat(np.arange(1, 10), SIZES))
    region = rng.choice(9, size=len(size), p=np.array(REGIONS) / sum(REGIONS)).astype(np.int8)
    households = len(size)
    place = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    of = np.repeat(np.arange(households), size)
    # The first person: alone one is young or old, with a family in between.
    alone = np.where(
        rng.random(households) < 0.45, rng.normal(34, 10, households), rng.normal(70, 12, households)
    )
    pair = np.where(
        rng.random(households) < 0.4, rng.normal(36, 11, households), rng.normal(64, 10, households)
    )
    family = rng.normal(41, 8, households)
    first = np.select([size == 1, size == 2], [alone, pair], family)
    first = np.clip(first, 18, OLDEST)
    second = np.clip(first + rng.normal(-2, 4, households), 18, OLDEST)
    couple = rng.random(households) < np.where(size == 2, 0.78, 0.88)
    grandparent = (size >= 5) & (rng.random(households) < 0.3)
    # A child is born when the first person is about 28, later ones some years after.
    child = np.clip(
        first[of] - rng.normal(28, 4, len(of)) - 2.3 * (place - 2) - 2 * rng.random(len(of)),
        0,
        first[of] - 15,
    )
    age = np.where(place == 0, first[of], child)
    age = np.where((place == 1) & couple[of], second[of], age)
    last = (place == size[of] - 1) & grandparent[of]
    age = np.where(last, np.clip(first[of] + rng.normal(27, 4, len(of)), 50, OLDEST), age)
    woman = rng.random(len(of)) < 0.49
    head = rng.random(households) < np.where(size == 1, 0.55, 0.35)
    woman = np.where(place == 0, head[of], woman)
    woman = np.where((place == 1) & couple[of], ~head[of], woman)
    return size, region, np.floor(age).astype(np.int8), woman.astype(np.int8)


def _age_band(age: NDArray[np.int8]) -> Integers:
    return np.searchsorted([16, 25, 40, 60], age, side="right")


def _status_table() -> Floats:
    """Return the distribution of the status by age and sex, shape (98 * 2, 7), a woman after a man."""
    age = np.arange(OLDEST + 1.0)[:, np.newaxis]
    woman = np.array([0.0, 1.0])

    def slope(middle: float | Floats, width: float) -> Floats:
        rising: Floats = 1 / (1 + np.exp(-(age - middle) / width))
        return rising

    adult, old = slope(20.5, 1.2), slope(60.5 - 2 * woman, 1.0)
    working = adult * (1 - old)
    part = 0.06 + 0.3 * woman * slope(26, 3)
    home = 0.01 + 0.2 * woman
    shares = np.stack(
        [
            working * (1 - part) * (0.9 - home),
            working * part * (0.9 - home),
            working * 0.07,
            (1 - adult) + 0 * woman,
            adult * old * (0.94 - 0.1 * woman),
            working * 0.03 + adult * old * 0.02,
            working * home + adult * old * (0.04 + 0.1 * woman),
        ],
        axis=-1,
    )
    shares[:15] = np.eye(STATUSES)[3]
    table: Floats = shares.reshape(-1, STATUSES) / shares.sum(axis=-1).reshape(-1, 1)
    return table


def _income_table() -> Floats:
    """Return the distribution of the income class by status, age band and sex, shape (7 * 5 * 2, 15)."""
    from scipy.special import ndtr

    median, share = _INCOME.T[:, :, np.newaxis, np.newaxis]
    by_age = np.array([0.3, 0.75, 0.95, 1.15, 1.05])[:, np.newaxis]
    by_sex = np.array([1.1, 0.88])
    middle = np.log(median * by_age * by_sex)
    below = ndtr((np.log(_INCOME_ENDS) - middle[..., np.newaxis]) / _SPREAD)
    some = share * np.array([0.02, 1, 1, 1, 1])[:, np.newaxis] * np.ones(2)
    ends = np.concatenate([np.zeros((*middle.shape, 1)), below, np.ones((*middle.shape, 1))], axis=-1)
    shares = np.concatenate([(1 - some)[..., np.newaxis], some[..., np.newaxis] * np.diff(ends)], axis=-1)
    return shares.reshape(-1, INCOME_CLASSES)
