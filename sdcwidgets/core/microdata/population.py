r"""Synthetic population with the structure of Totter's: households in regions, and their people.

All records are simulated, and no record is a copy of another one. Household sizes and regions follow the
distributions that Totter publishes. Status, citizenship and income of each person are drawn conditionally on
the variables drawn before. Totter used R's simPopulation, which repeats households of a survey. A population of
such copies has very few unique people, whatever the models of a sample predict. References: Totter 2014,
sections 1.3 and 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .._arrays import Floats, Whole
from ._drawing import drawn

#: Households of the survey by size, 1 to 9 people; the numbers of people are taken from example 1.10.
SIZES = (1313, 1385, 797, 688, 312, 98, 35, 11, 2)

#: Share of each region in the population, in thousandths (example 1.8).
REGIONS = (37, 79, 177, 66, 159, 95, 181, 153, 53)

#: Number of households in Totter's survey and in each of his samples.
SURVEY = sum(SIZES)

#: Maximum age; older people have this age.
OLDEST = 97

STATUSES = 7
INCOME_CLASSES = 15

# Shares of EU citizens and of other foreigners by region, higher in cities and near borders.
_FOREIGN = (
    np.array([[2, 2], [2, 3], [2, 4], [4, 7], [2, 3], [4, 5], [2, 5], [5, 13], [5, 8]], dtype=np.float64)
    / 100
)

# Probability that a person of these ages has another nationality than the household's, as in the survey.
_OTHER_NATIONALITY = 0.1
_MIXED_AGES = (24, 44)

# Median yearly net income by status in euros, and the share of people with an income.
_INCOME = np.array(
    [[19500, 0.995], [10500, 0.99], [8000, 0.85], [4500, 0.3], [15500, 0.98], [11000, 0.93], [5500, 0.4]]
)

# Standard deviation of the logarithm of an income.
_SPREAD = 0.4

# Upper limits of the income classes after "none", in euros.
_INCOME_ENDS = np.array(
    [2000, 4000, 6000, 8000, 10000, 12000, 14000, 16500, 19000, 22000, 26000, 32000, 45000], dtype=np.float64
)


@dataclass(frozen=True)
class People:
    """People of a population, ordered by household, as codes from 0.

    Attributes
    ----------
    household : ndarray of int32, shape (N,)
        Number of the household; people of a household are adjacent.
    region, size, age, sex, status, citizenship, income : ndarray of int8, shape (N,)
        Region 0 to 8; household size 1 to 9; age 0 to 97; sex 0 male, 1 female; economic status 0 to 6;
        citizenship 0 national, 1 EU, 2 other; income class 0 to 14.
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
    """Simulate a population with this number of people.

    Parameters
    ----------
    persons : int
        Population size N, at least 1. The last household is cut so that the sum is N.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    People

    Raises
    ------
    ValueError
        If N is not from 1 to 2,000,000,000.

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
        raise ValueError(f"The number of people must be from 1 to 2,000,000,000, not {persons:,}.")
    home = _households(persons, rng)
    household = np.repeat(np.arange(len(home), dtype=np.int32), home)
    size = home[household].astype(np.int8)
    position = (np.arange(persons) - (np.cumsum(home) - home)[household]).astype(np.int8)
    region = rng.choice(9, size=len(home), p=np.array(REGIONS) / sum(REGIONS)).astype(np.int8)
    foreign = np.column_stack([1 - _FOREIGN.sum(axis=1), _FOREIGN])
    citizenship = drawn(foreign, region, rng)[household]
    ages, sexes = _ages_and_sexes(home, household, position, rng)
    regions = region[household]
    status = drawn(_status_table(), ages.astype(np.int64) * 2 + sexes, rng)
    other = (ages >= _MIXED_AGES[0]) & (ages <= _MIXED_AGES[1])
    other &= rng.random(persons, dtype=np.float32) < _OTHER_NATIONALITY
    citizenship[other] = drawn(foreign, regions[other], rng)
    income = drawn(_income_table(), (status.astype(np.int64) * 5 + _age_band(ages)) * 2 + sexes, rng)
    return People(household, regions, size, ages, sexes, status, citizenship, income)


def _households(persons: int, rng: Generator) -> Whole:
    """Draw household sizes until the households have enough people; the last household is cut."""
    shares = np.array(SIZES) / SURVEY
    number = int(persons / (shares @ np.arange(1, 10)) * 1.02) + 50
    size = 1 + rng.choice(9, size=number, p=shares)
    total = np.cumsum(size)
    if total[-1] < persons:  # 2 % more households than expected almost always suffice; otherwise draw again
        return _households(persons, rng)
    whole = int(np.searchsorted(total, persons))
    size[whole] -= total[whole] - persons
    return size[: whole + 1]


def _ages_and_sexes(
    size: Whole, of: NDArray[np.int32], position: NDArray[np.int8], rng: Generator
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Draw age and sex: `of` is the household of each person, `position` the person's number in it."""
    households = len(size)
    # First person: people who live alone are young or old, heads of larger households are in between.
    young = rng.random(households) < np.where(size == 1, 0.45, 0.4)
    mean = np.select([size > 2, young, size == 1], [41, 35, 70], 64)
    first = mean + rng.standard_normal(households) * np.where(size > 2, 8, np.where(young, 10.5, 11))
    first = np.clip(first, 18, OLDEST)
    second = np.clip(first + rng.normal(-2, 4, households), 18, OLDEST)
    couple = rng.random(households) < np.where(size == 2, 0.78, 0.88)
    grandparent = (size >= 5) & (rng.random(households) < 0.3)
    # The first child is born when the first person is about 28, later children some years after.
    born = 28 + 4 * rng.standard_normal(len(of), dtype=np.float32)
    born += 2.3 * (position - 2) + 2 * rng.random(len(of), dtype=np.float32)
    age = np.clip(first[of] - born, 0, first[of] - 15)
    head = position == 0
    age[head] = first
    partner = (position == 1) & couple[of]
    age[partner] = second[of[partner]]
    last = (position == size[of] - 1) & grandparent[of]
    age[last] = np.clip(first[of[last]] + rng.normal(27, 4, int(last.sum())), 50, OLDEST)
    woman = rng.random(len(of), dtype=np.float32) < 0.49
    first_woman = rng.random(households) < np.where(size == 1, 0.55, 0.35)
    woman[head] = first_woman
    woman[partner] = ~first_woman[of[partner]]
    return np.floor(age).astype(np.int8), woman.astype(np.int8)


def _age_band(age: NDArray[np.int8]) -> Whole:
    return np.searchsorted([16, 25, 40, 60], age, side="right")


def _status_table() -> Floats:
    """Return the status distribution by age and sex, shape (98 * 2, 7), men before women of an age."""
    age = np.arange(OLDEST + 1.0)[:, np.newaxis]
    woman = np.array([0.0, 1.0])

    def slope(middle: float | Floats, width: float) -> Floats:
        return 1 / (1 + np.exp(-(age - middle) / width))

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
    """Return the distribution of income classes by status, age band and sex, shape (7 * 5 * 2, 15)."""
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
