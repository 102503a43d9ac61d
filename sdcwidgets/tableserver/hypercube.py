"""Synthetic census hypercube: 1.5 million people by seven variables of a Eurostat specification.

The census figures behind the hypercube of Shlomo, Antal and Elliot (2015) are not public. The synthetic
hypercube has the same variables and number of cells, 2 x 2 x 21 x 5 x 13 x 9 x 5 = 245,700. Its numbers of
people by region, by sex and in the tenth age group are as published there. The other margins are plausible for
a western European country; they are stated in `hypercube.toml`. The cells follow from iterative proportional
fitting, and the counts are drawn with a seed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.estimate.raking import rake
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tableserver.tabulate import KEYS

if TYPE_CHECKING:
    import pandas as pd


#: Number of people in the hypercube.
PEOPLE = 1_500_000

_DATA = tomllib.loads(files(__package__).joinpath("hypercube.toml").read_text("utf-8"))

AXES = tuple(Axis(name, tuple(labels)) for name, labels in _DATA["axes"].items())
#: Broader categories of some variables, nested or disjoint.
GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        axis: {group: tuple(labels) for group, labels in groups.items()}
        for axis, groups in _DATA["groups"].items()
    }
)

_REGION, _SEX, _AGE, _EMPLOYMENT, _OCCUPATION, _EDUCATION, _CITIZENSHIP = range(7)


@cache
def expected() -> Floats:
    """Return the expected number of people in each cell, shape (2, 2, 21, 5, 13, 9, 5), sum 1,500,000.

    The stated margins, region x sex x age, age x employment, employment x occupation, age x education, region x
    citizenship and age x citizenship, are reached by iterative proportional fitting. The initial cells describe the
    association of occupation with education, age and citizenship.

    Examples
    --------
    >>> people = expected()
    >>> people.shape, round(float(people.sum()))
    ((2, 2, 21, 5, 13, 9, 5), 1500000)
    >>> round(float(people[:, :, 9].sum())), [round(float(region.sum())) for region in people]
    (96656, [854539, 645461])
    """
    printed, shares, often = _DATA["people"], _DATA["shares"], _DATA["fits"]
    ages = np.array(printed["age"], dtype=np.float64)
    ages[9] = 0
    ages *= (PEOPLE - printed["tenth_age"]) / ages.sum()
    ages[9] = printed["tenth_age"]
    women, region = np.array(printed["women"]) / 100, np.array(printed["region"])
    sex_age = rake(np.stack([1 - women, women]), {(0,): printed["sex"], (1,): ages})
    people = np.multiply.outer(region / PEOPLE, sex_age)

    work = _shares(shares["work"]) * ages[:, np.newaxis]
    jobs = _shares(shares["occupations"]) * work.sum(axis=0)[:, np.newaxis]
    education = np.zeros((21, 9))
    education[:3, 8] = ages[:3]
    education[3:, :8] = _shares(shares["educations"]) * ages[3:, np.newaxis]
    fits, at_work = np.ones((13, 9)), np.ones((21, 13))
    fits[:12, :8] = often["education"]
    at_work[:3, :12] = 0
    at_work[3, :12] = often["first_jobs"]
    at_work[13:, :12] = np.array(often["last_jobs"])[:, np.newaxis]
    citizens = _shares(shares["citizens"]) * region[:, np.newaxis]
    foreign = np.repeat(np.array(often["age"]), (3, 2, 4, 4, 3, 5), axis=0) * citizens.sum(axis=0)
    by_age = rake(foreign, {(0,): ages, (1,): citizens.sum(axis=0)})
    margins = {
        (_REGION, _SEX, _AGE): people,
        (_AGE, _EMPLOYMENT): work,
        (_EMPLOYMENT, _OCCUPATION): jobs,
        (_AGE, _EDUCATION): education,
        (_REGION, _CITIZENSHIP): citizens,
        (_AGE, _CITIZENSHIP): by_age,
    }
    start = np.einsum("aj,je,cj->ajec", at_work, fits, np.array(often["citizenship"]))
    return rake(np.broadcast_to(start[:, np.newaxis], [len(axis) for axis in AXES]), margins, tolerance=1e-9)


def hypercube(people: int = PEOPLE, seed: int = 1) -> pd.DataFrame:
    """Return the non-empty cells of the hypercube: one row per cell, with labels, count and key.

    Parameters
    ----------
    people : int
        Total number of people. Each region has its exact share; the cells are drawn (multinomial).
    seed : int
        The same seed gives the same people and the same record keys.

    Returns
    -------
    DataFrame
        Seven categorical columns, `Count` (at least 1) and `Key`: the sum of the people's record keys, each a whole
        number from 0 to 999,999,999, modulo 1,000,000,000.

    Raises
    ------
    InputError
        If `people` is below 1.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 5.1 and Table 1, where 92.4 % of the cells are empty.

    Examples
    --------
    >>> cells = hypercube()
    >>> int(cells["Count"].sum()), round(1 - len(cells) / 245_700, 3)
    (1500000, 0.916)
    """
    import pandas as pd

    if people < 1:
        raise InputError(f"The hypercube has {people} people. It must have at least 1.")
    rng = generator(seed)
    shares = expected().reshape(2, -1)
    of_first = round(people * _DATA["people"]["region"][0] / PEOPLE)
    counts = np.concatenate(
        [
            rng.multinomial(number, region / region.sum())
            for number, region in zip((of_first, people - of_first), shares, strict=True)
        ]
    )
    cells = np.flatnonzero(counts)
    populated = counts[cells]
    owner = np.repeat(np.arange(cells.size), populated)
    keys = np.zeros(cells.size, dtype=np.uint64)
    np.add.at(keys, owner, rng.integers(KEYS, size=people, dtype=np.uint64))
    places = np.unravel_index(cells, [len(axis) for axis in AXES])
    frame = pd.DataFrame(
        {
            axis.name: pd.Categorical.from_codes(codes, pd.Index(axis.labels))
            for axis, codes in zip(AXES, places, strict=True)
        }
    )
    return frame.assign(Count=populated, Key=(keys % KEYS).astype(np.int64))


def _shares(hundreds: tuple[tuple[float, ...], ...]) -> Floats:
    """Return rows that sum to 1."""
    rows = np.array(hundreds, dtype=np.float64)
    shares: Floats = rows / rows.sum(axis=1, keepdims=True)
    return shares
