"""Samples of a file, households whole, with their weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.microdata import sampling
from sdcwidgets.core.microdata.population import SURVEY
from sdcwidgets.core.microdata.sampling import Households
from sdcwidgets.microdata.data import Microdata, Variable

#: The designs as a person reads them.
DESIGN_TITLES = {
    "srs": "Simple random sample",
    "proportional": "Each region in proportion",
    "equal": "As many from each region",
    "oversampling": "Large households likelier",
}

#: What the sampling weight is called in a sample.
WEIGHT = "weight"


def frame(file: Microdata, stratum: str | None = "region") -> Households:
    """Return the households of a file, to be drawn from; each record is one if the file knows none.

    Raises
    ------
    InputError
        If there is no such variable as the stratum, it is missing somewhere, or the people of one household
        differ in it.
    """
    numbers = file.households
    household = np.arange(file.records) if numbers is None else numbers
    strata = None
    if stratum is not None:
        strata = file[stratum].codes
        if (strata < 0).any():
            raise InputError(f'"{stratum}" is missing in some records; each must be in a stratum.')
    try:
        return Households.of(household, strata)
    except ValueError as error:
        raise InputError(str(error)) from None


def sample(
    file: Microdata,
    design: str = "srs",
    households: int = SURVEY,
    *,
    seed: int | Generator = 1,
    stratum: str = "region",
    drawn_from: Households | None = None,
) -> Microdata:
    """Draw whole households from a file.

    Parameters
    ----------
    file : Microdata
        The population, with households if it knows them.
    design : {"srs", "proportional", "equal", "oversampling"}
        Simple random; stratified in proportion or with as many from each stratum; likelier the larger they are.
    households : int
        How many; Totter draws 4,641.
    seed : int or numpy.random.Generator
    stratum : str
        The variable of the strata; only the stratified designs need it.
    drawn_from : Households, optional
        The households, as `frame` gives them, where many samples are drawn from one file.

    Returns
    -------
    Microdata
        The people of the households, with the variable "weight": one over the probability to be drawn.

    Raises
    ------
    InputError
        If there is no such design, or there are not so many households.

    References
    ----------
    Totter 2014, section 1.3.

    Examples
    --------
    >>> from sdcwidgets.microdata import population
    >>> drawn = sample(population(10_000), "equal", 90)
    >>> len(set(drawn["household"].codes.tolist())), drawn.weight
    (90, 'weight')
    """
    rng = generator(seed)
    stratified = design in ("proportional", "equal")
    households_of = drawn_from or frame(file, stratum if stratified else None)
    try:
        drawn = sampling.draw(households_of, households, design, rng)
    except ValueError as error:
        raise InputError(str(error)) from None
    if WEIGHT in file.variables and file.weight != WEIGHT:
        raise InputError(
            'The file has a variable "weight" that is not its weight; rename it before sampling.'
        )
    weights, codes = np.unique(drawn.weights, return_inverse=True)
    weighted = file.take(drawn.records).put(Variable(WEIGHT, codes, weights))
    return replace(weighted, weight=WEIGHT)
