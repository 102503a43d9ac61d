"""Synthetic population with Austrian federal states and variables coded as in EU-SILC."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.arguments import check_number
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.microdata.population import OLDEST, people
from sdcwidgets.microdata.data import Microdata, Variable

#: Categories of each variable; income classes are in euros per year.
CATEGORIES = {
    "region": (
        "Burgenland",
        "Carinthia",
        "Lower Austria",
        "Salzburg",
        "Styria",
        "Tyrol",
        "Upper Austria",
        "Vienna",
        "Vorarlberg",
    ),
    "household size": tuple(range(1, 10)),
    "age": tuple(range(OLDEST + 1)),
    "sex": ("male", "female"),
    "status": (
        "full time",
        "part time",
        "unemployed",
        "in education",
        "retired",
        "disabled",
        "at home",
    ),
    "citizenship": ("AT", "EU", "Other"),
    "income": (
        "none",
        "below 2,000",
        "2,000 to 3,999",
        "4,000 to 5,999",
        "6,000 to 7,999",
        "8,000 to 9,999",
        "10,000 to 11,999",
        "12,000 to 13,999",
        "14,000 to 16,499",
        "16,500 to 18,999",
        "19,000 to 21,999",
        "22,000 to 25,999",
        "26,000 to 31,999",
        "32,000 to 44,999",
        "45,000 or more",
    ),
}


def population(persons: int = 100_000, seed: int = 1) -> Microdata:
    """Return a synthetic population with about the same structure as the one of Totter.

    Parameters
    ----------
    persons : int
        Number of people, at least 1; 8,182,010 in Totter's study.
    seed : int
        Random seed; equal seeds give equal populations.

    Returns
    -------
    Microdata
        File with household, region, household size, age, sex, status, citizenship and income.

    References
    ----------
    Totter 2014, section 4.1.

    Examples
    --------
    >>> population(1000)
    Microdata(1,000 records; household, region, household size, age, sex, status, citizenship, income)
    """
    check_number("persons", persons, whole=True)
    try:
        synthetic = people(persons, generator(seed))
    except ValueError as error:
        raise InputError(str(error)) from None
    columns = (
        synthetic.region,
        synthetic.size - 1,
        synthetic.age,
        synthetic.sex,
        synthetic.status,
        synthetic.citizenship,
        synthetic.income,
    )
    variables = {
        "household": Variable("household", synthetic.household, np.arange(int(synthetic.household[-1]) + 1)),
    }
    for (name, categories), codes in zip(CATEGORIES.items(), columns, strict=True):
        kind = object if isinstance(categories[0], str) else np.int64
        variables[name] = Variable(name, codes, np.array(categories, dtype=kind))
    return Microdata(variables, household="household", sensitive=("income",))
