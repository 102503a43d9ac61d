"""Samples of households from a microdata file, with sampling weights."""

from __future__ import annotations

import secrets
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from sdcwidgets._util.arguments import check_kind, check_number
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.microdata import sampling
from sdcwidgets.core.microdata.population import SURVEY
from sdcwidgets.core.microdata.sampling import Households
from sdcwidgets.microdata.data import Microdata, Variable, microdata_of

#: Titles of the sampling designs in the interface.
DESIGN_TITLES = {
    "srs": "Simple random sample of households",
    "proportional": "Proportional allocation to regions",
    "equal": "Equal allocation to regions",
    "oversampling": "Oversampling of large households",
}

#: Name of the weight variable in a sample.
WEIGHT = "weight"


def frame(file: Microdata, stratum: str | None = "region") -> Households:
    """Return the households of a file as a sampling frame; without household numbers, each record is one.

    Raises
    ------
    InputError
        If the stratum variable does not exist, has missing values, or differs within a household.
    """
    numbers = file.households
    household = np.arange(file.records) if numbers is None else numbers
    strata = None
    if stratum is not None:
        strata = file[stratum].codes
        if (strata < 0).any():
            raise InputError(f'"{stratum}" has missing values; a stratum needs a value in every record.')
    try:
        return Households.of(household, strata)
    except ValueError as error:
        raise InputError(str(error)) from None


def sample(
    file: Microdata,
    design: str = "srs",
    households: int = SURVEY,
    *,
    seed: int | Generator | None = None,
    stratum: str = "region",
    drawn_from: Households | None = None,
) -> Microdata:
    """Draw a sample of households from a file.

    Parameters
    ----------
    file : Microdata
        Population.
    design : {"srs", "proportional", "equal", "oversampling"}
        Simple random sampling, stratified sampling with proportional or equal allocation, or sampling with a
        probability that increases with household size.
    households : int
        Number of households; Totter uses 4,641.
    seed : int or numpy.random.Generator, optional
        Seed of the random numbers. By default, 128 new secret bits are used and not kept. Anyone who knows the seed can
        draw the same sample from the population.
    stratum : str
        Stratum variable of the stratified designs.
    drawn_from : Households, optional
        Result of `frame`, to save time when several samples are drawn from the same file.

    Returns
    -------
    Microdata
        Records of the sampled households with the variable "weight", the inverse of the selection probability.

    Raises
    ------
    InputError
        If the design is unknown, or `households` exceeds the number of households.

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
    microdata_of(file)
    check_kind("design", design, str, "srs, proportional or equal")
    check_number("households", households, whole=True)
    if drawn_from is not None:
        check_kind("drawn_from", drawn_from, sampling.Households, "the result of microdata.sampling.frame")
    rng = generator(secrets.randbits(128) if seed is None else seed)
    stratified = design in ("proportional", "equal")
    households_of = drawn_from or frame(file, stratum if stratified else None)
    try:
        drawn = sampling.draw(households_of, households, design, rng)
    except ValueError as error:
        raise InputError(str(error)) from None
    if WEIGHT in file.variables and file.weight != WEIGHT:
        raise InputError('The file has a variable "weight" that is not its sampling weight; rename it first.')
    weights, codes = np.unique(drawn.weights, return_inverse=True)
    weighted = file.take(drawn.records).put(Variable(WEIGHT, codes, weights))
    return replace(weighted, weight=WEIGHT)
