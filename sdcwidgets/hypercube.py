"""A synthetic census hypercube: 1.5 million people by seven variables, in the shape of a Eurostat specification.

The census figures behind the hypercube of Shlomo, Antal and Elliot (2015) are not public. This one has the same
variables and number of cells, 2 x 2 x 21 x 5 x 13 x 9 x 5 = 245,700, its people by region, sex and in the tenth
age group as printed there, and otherwise margins of our own that are plausible for a western European country. They
are stated in this module, put together by iterative proportional fitting, and drawn with a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.axis import Axis
from sdcwidgets.core.estimate.raking import rake
from sdcwidgets.errors import InputError
from sdcwidgets.tabulate import KEYS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AXES", "GROUPS", "PEOPLE", "expected", "hypercube"]

Floats = NDArray[np.float64]

#: Everybody in the hypercube.
PEOPLE = 1_500_000

AXES = (
    Axis("Region", ("Region 1", "Region 2")),
    Axis("Sex", ("Male", "Female")),
    Axis("Age", (*(f"{low}-{low + 4}" for low in range(0, 100, 5)), "100 and over")),
    Axis("Employment", ("Employed", "Unemployed", "Pension", "Student or child", "Other not active")),
    Axis(
        "Occupation",
        (
            "Armed forces",
            "Managers",
            "Professionals",
            "Technicians",
            "Clerks",
            "Services and sales",
            "Agriculture",
            "Crafts",
            "Machine operators",
            "Elementary",
            "Not stated",
            "Never worked",
            "Not applicable",
        ),
    ),
    Axis(
        "Education",
        (
            "None",
            "Primary",
            "Lower secondary",
            "Upper secondary",
            "Post-secondary",
            "First stage tertiary",
            "Second stage tertiary",
            "Not stated",
            "Not applicable",
        ),
    ),
    Axis("Citizenship", ("National", "Other EU", "Other Europe", "Elsewhere", "Stateless or not stated")),
)
#: Broader categories that lie within each other or apart, for those who ask for less detail.
GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Age": {
            "0-14": AXES[2].labels[:3],
            "15-29": AXES[2].labels[3:6],
            "30-44": AXES[2].labels[6:9],
            "45-64": AXES[2].labels[9:13],
            "65 and over": AXES[2].labels[13:],
        },
        "Education": {
            "Low": AXES[5].labels[:3],
            "Middle": AXES[5].labels[3:5],
            "High": AXES[5].labels[5:7],
            "None stated": AXES[5].labels[7:],
        },
        "Occupation": {
            "Non-manual": AXES[4].labels[:6],
            "Manual": AXES[4].labels[6:10],
            "No occupation": AXES[4].labels[10:],
        },
        "Citizenship": {"Foreign": AXES[6].labels[1:]},
    }
)

_REGION, _SEX, _AGE, _EMPLOYMENT, _OCCUPATION, _EDUCATION, _CITIZENSHIP = range(7)

#: People by region and by sex, and of 45 to 49: printed in Table 2 of the paper.
_BY_REGION = (854_539, 645_461)
_BY_SEX = (736_355, 763_645)
_TENTH_AGE = 96_656

#: People by age, in thousandths; the tenth is replaced by the printed number.
_BY_AGE = (59, 63, 66, 62, 60, 66, 77, 79, 71, 64, 69, 57, 49, 44, 40, 33, 22, 13, 5.2, 1.1, 0.15)

#: How many of a hundred people are women, by age.
_WOMEN = (49, 49, 49, 49, 50, 51, 51, 51, 51, 51, 51, 51, 51, 52, 54, 58, 63, 70, 77, 83, 87)

#: Of a hundred people of each age: employed, unemployed, pension, student or child, other.
_WORK = (
    *[(0, 0, 0, 100, 0)] * 3,
    (36, 6, 0, 54, 4),
    (64, 7, 0.2, 21, 7.8),
    (77, 5, 0.4, 4, 13.6),
    (79, 4, 0.6, 1.6, 14.8),
    (80, 3.6, 0.9, 1, 14.5),
    (81, 3.3, 1.3, 0.7, 13.7),
    (80, 3, 2, 0.5, 14.5),
    (74, 3, 6, 0.3, 16.7),
    (57, 3, 19, 0.2, 20.8),
    (32, 1.6, 48, 0.1, 18.3),
    (9, 0.2, 86, 0.05, 4.75),
    (4, 0.05, 93, 0.02, 2.93),
    (1.6, 0.01, 96, 0.01, 2.38),
    (0.6, 0, 97.5, 0, 1.9),
    (0.2, 0, 98, 0, 1.8),
    (0.1, 0, 98.2, 0, 1.7),
    (0, 0, 98.5, 0, 1.5),
    (0, 0, 98.5, 0, 1.5),
)

#: Of a hundred people of each employment status: the thirteen occupations. Those not in work have none.
_OCCUPATIONS = (
    (0.5, 14, 15, 13, 13, 15, 1.2, 10, 7.5, 9.8, 1, 0, 0),
    (0.2, 6, 6, 7, 11, 19, 1, 12, 10, 18, 2.8, 7, 0),
    *[(0,) * 12 + (100,)] * 3,
)

#: Of a hundred people of each age from 15 on: the eight levels of education. Children have none that applies.
_EDUCATIONS = (
    (1.5, 3, 46, 42, 3, 1.5, 0, 3),
    (1, 2, 17, 49, 9, 19, 0.1, 2.9),
    (1, 2, 14, 44, 9, 27, 0.6, 2.4),
    (1, 2.5, 16, 43, 9, 25.5, 0.9, 2.1),
    (1.2, 3, 19, 43, 8, 22.8, 1, 2),
    (1.5, 4, 22, 42, 7, 20.6, 0.9, 2),
    (2, 6, 25, 39, 6, 19.2, 0.8, 2),
    (2.5, 9, 28, 35, 5, 17.6, 0.8, 2.1),
    (3, 13, 30, 31, 4.5, 15.6, 0.7, 2.2),
    (4, 18, 31, 27, 4, 13, 0.6, 2.4),
    (5, 24, 31, 23, 3.5, 10.5, 0.5, 2.5),
    (6, 30, 30, 20, 3, 8.1, 0.4, 2.5),
    (7, 36, 28, 17, 2.5, 6.6, 0.3, 2.6),
    (8, 41, 26, 14.5, 2, 5.5, 0.2, 2.8),
    (9, 45, 24, 12, 1.7, 5, 0.2, 3.1),
    (10, 48, 22, 10.5, 1.5, 4.5, 0.1, 3.4),
    (11, 50, 20, 10, 1.3, 4, 0.1, 3.6),
    (12, 51, 19, 9, 1.2, 3.8, 0, 4),
)

#: How much more often than by chance an occupation, of those in work, goes with an education.
_FITS = (
    (0.3, 0.5, 1, 1.5, 1.2, 0.7, 0.1, 1),
    (0.1, 0.3, 0.6, 1, 1.3, 2, 1.5, 0.7),
    (0, 0.02, 0.08, 0.25, 1.2, 4, 9, 0.4),
    (0.05, 0.2, 0.5, 1.2, 2, 1.5, 0.6, 0.7),
    (0.1, 0.4, 1, 1.5, 1.1, 0.5, 0.05, 0.9),
    (0.6, 1, 1.3, 1.3, 0.7, 0.2, 0.01, 1),
    (2, 2, 1.4, 0.9, 0.5, 0.2, 0.02, 1.2),
    (0.8, 1.3, 1.5, 1.2, 0.5, 0.06, 0, 1),
    (1.3, 1.9, 1.7, 0.9, 0.3, 0.04, 0, 1.2),
    (3, 2.6, 1.8, 0.7, 0.2, 0.04, 0, 1.5),
    (1.5, 1.2, 1, 1, 0.8, 0.7, 0.4, 4),
    (4, 2, 1.6, 0.8, 0.3, 0.2, 0.02, 2),
)

#: Of a hundred people: the five kinds of citizenship, in each region.
_CITIZENS = ((90.8, 3.8, 1.3, 3.9, 0.2), (95.4, 1.9, 0.7, 1.9, 0.1))

#: How much more often than by chance a citizenship is met at the ages 0-14, 15-24, 25-44, 45-64, 65 and over.
_FOREIGN = (
    (1, 0.6, 0.8, 0.7, 1),
    (1, 1, 1, 1, 1),
    (0.98, 1.7, 1.6, 1.8, 1.2),
    (1, 0.8, 0.7, 0.6, 0.9),
    (1.03, 0.4, 0.2, 0.15, 0.6),
)


@cache
def expected() -> Floats:
    """Return the expected number of people in each cell, shape (2, 2, 21, 5, 13, 9, 5), sum 1,500,000.

    The stated margins, region x sex x age, age x employment, employment x occupation, age x education, region x
    citizenship and age x citizenship, are reached by iterative proportional fitting from cells that tell only how
    well an occupation goes with an education.

    Examples
    --------
    >>> people = expected()
    >>> people.shape, round(float(people.sum()))
    ((2, 2, 21, 5, 13, 9, 5), 1500000)
    >>> round(float(people[:, :, 9].sum())), [round(float(region.sum())) for region in people]
    (96656, [854539, 645461])
    """
    ages = np.array(_BY_AGE, dtype=np.float64)
    ages[9] = 0
    ages *= (PEOPLE - _TENTH_AGE) / ages.sum()
    ages[9] = _TENTH_AGE
    women = np.array(_WOMEN) / 100
    sex_age = rake(np.stack([1 - women, women]), {(0,): _BY_SEX, (1,): ages})
    people = np.multiply.outer(np.array(_BY_REGION) / PEOPLE, sex_age)

    work = _shares(_WORK) * ages[:, np.newaxis]
    jobs = _shares(_OCCUPATIONS) * work.sum(axis=0)[:, np.newaxis]
    education = np.zeros((21, 9))
    education[:3, 8] = ages[:3]
    education[3:, :8] = _shares(_EDUCATIONS) * ages[3:, np.newaxis]
    fits = np.ones((13, 9))
    fits[:12, :8] = _FITS
    citizens = _shares(_CITIZENS) * np.array(_BY_REGION)[:, np.newaxis]
    foreign = np.repeat(np.array(_FOREIGN), (3, 2, 4, 4, 8), axis=0) * citizens.sum(axis=0)
    by_age = rake(foreign, {(0,): ages, (1,): citizens.sum(axis=0)})
    margins = {
        (_REGION, _SEX, _AGE): people,
        (_AGE, _EMPLOYMENT): work,
        (_EMPLOYMENT, _OCCUPATION): jobs,
        (_AGE, _EDUCATION): education,
        (_REGION, _CITIZENSHIP): citizens,
        (_AGE, _CITIZENSHIP): by_age,
    }
    start = np.broadcast_to(fits[:, :, np.newaxis], [len(axis) for axis in AXES])
    return rake(start, margins, tolerance=1e-9)


def hypercube(people: int = PEOPLE, seed: int = 1) -> pd.DataFrame:
    """Return the populated cells of the hypercube: a line each, with its labels, its people and its key.

    Parameters
    ----------
    people : int
        How many there are in all; each region has its share of them exactly, the cells are drawn (multinomial).
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
        If there is nobody.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 5.1 and Table 1, where 92.4 % of the cells are empty.

    Examples
    --------
    >>> cells = hypercube()
    >>> int(cells["Count"].sum()), round(1 - len(cells) / 245_700, 3)
    (1500000, 0.925)
    """
    import pandas as pd

    if people < 1:
        raise InputError(f"A hypercube of {people} people cannot be made; it needs at least one.")
    rng = np.random.default_rng(seed)
    shares = expected().reshape(2, -1)
    of_first = round(people * _BY_REGION[0] / PEOPLE)
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
            axis.name: pd.Categorical.from_codes(place, pd.Index(axis.labels))
            for axis, place in zip(AXES, places, strict=True)
        }
    )
    return frame.assign(Count=populated, Key=(keys % KEYS).astype(np.int64))


def _shares(hundreds: tuple[tuple[float, ...], ...]) -> Floats:
    """Return rows that sum to 1."""
    rows = np.array(hundreds, dtype=np.float64)
    shares: Floats = rows / rows.sum(axis=1, keepdims=True)
    return shares
