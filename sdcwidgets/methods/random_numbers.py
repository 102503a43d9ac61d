"""Random numbers of a protected table, from the secret seed and the original counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.parameters import generator
from sdcwidgets._util.seeds import mixed_seed

if TYPE_CHECKING:
    from sdcwidgets.tables.table import FrequencyTable


def random_numbers(
    table: FrequencyTable, seed: int | np.random.Generator, settings: str = ""
) -> np.random.Generator:
    """Return the generator of the random numbers for a table.

    A secret seed is mixed with the settings of a method and with the original counts in their order. Two tables
    with one secret therefore have independent noise, and their difference is not exact. The same table, settings
    and secret give the same random numbers. Labels are not mixed in: the same counts with other labels have the
    same noise, because the mean of two independent results would be closer to the original counts.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    seed : int or Generator
        A seed below 2^48 is for teaching and is not mixed. A generator is returned unchanged.
    settings : str
        Text of the method and its settings.

    Returns
    -------
    Generator

    Raises
    ------
    InputError
        If the seed is not a whole number of at least 0.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable
    >>> this_year, last_year = FrequencyTable([1, 2]), FrequencyTable([1, 3])
    >>> random_numbers(this_year, 3**60).random() == random_numbers(this_year, 3**60).random()
    True
    >>> random_numbers(this_year, 3**60).random() == random_numbers(last_year, 3**60).random()
    False
    """
    rng = generator(seed)
    if not isinstance(seed, int | np.integer):
        return rng
    content = (
        f"{settings} {table.shape} ".encode() + np.ascontiguousarray(table.counts, dtype="<i8").tobytes()
    )
    return generator(mixed_seed(int(seed), content))
