"""Average probabilities over all tables that a protection method can publish (thesis, Theorems 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sdcwidgets import methods
from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.core.channel import channel_entropy, mixture, mutual_information
from sdcwidgets.core.information import entropy
from sdcwidgets.core.pram import pram_poisson
from sdcwidgets.methods.pram import PostRandomisation
from sdcwidgets.tables.table import FrequencyTable

__all__ = ["MethodAverage", "TableProbability", "average_over_tables", "probability_of_table"]

#: Number of replicates of a method whose tables cannot be listed.
REPLICATES = 200

#: Maximum number of tables that are listed.
LISTED = 20_000

# The replicates use a fixed seed, so that the page shows the same average to everyone.
_SEED = 36


@dataclass(frozen=True)
class MethodAverage:
    """Average over the tables of a method.

    Attributes
    ----------
    title : str
        Title of the method.
    tables : int
        Number of tables, or of replicates.
    is_exact : bool
        Whether the tables are all that the method can publish, with their probabilities, and not replicates.
    channel : Floats, shape (K, K)
        Expected probability of each published cell, by original cell.
    entropy, remaining_entropy, mutual_information : float
        H(X), H(X|Y) and I(X; Y) by this matrix, in nats.
    """

    title: str
    tables: int
    is_exact: bool
    channel: Floats
    entropy: float
    remaining_entropy: float
    mutual_information: float


@lru_cache(maxsize=16)
def average_over_tables(before: tuple[int, ...], method: str, closest: bool) -> MethodAverage:
    """Return the average over the tables of a method with its default settings.

    Parameters
    ----------
    before : tuple of int
        Original counts, K cells.
    method : str
        Name of a method.
    closest : bool
        Whether only Y variables in Ω* are considered.

    Raises
    ------
    InputError
        If the method has no effect on one row of counts, or all its tables are empty.

    Examples
    --------
    >>> found = average_over_tables((0, 2, 4), "random-rounding", True)
    >>> found.tables, found.is_exact, found.channel.round(4).tolist()[1]
    (4, True, [0.0, 0.6667, 0.3333])
    """
    cells = [f"c{k + 1}" for k in range(len(before))]
    table = FrequencyTable([before], {"Table": ["All"], "Cell": cells})
    chosen = methods.get(method)()
    reason = chosen.no_effect_reason(table)
    if reason:
        raise InputError(reason)
    published: NDArray[np.number]
    probabilities = None
    try:
        # PRAM lists the tables of one axis only.
        published, probabilities = chosen.distribution(FrequencyTable(before, {"Cell": cells}), LISTED)
    except InputError:
        published = chosen.replicate(table, REPLICATES, np.random.default_rng(_SEED))
    if not published.any():
        raise InputError(
            f"{chosen.title} publishes no people of this row, so the probabilities are undefined."
        )
    matrix = mixture(before, published.reshape(-1, len(before)), probabilities, closest)
    return MethodAverage(
        chosen.title,
        len(published),
        probabilities is not None,
        matrix,
        float(entropy(before)),
        float(channel_entropy(before, matrix)),
        float(mutual_information(before, matrix)),
    )


@dataclass(frozen=True)
class TableProbability:
    """Probability Pr(G | F) that a method publishes a table G.

    Attributes
    ----------
    exact : float
        Probability by the distribution of the method, which is equation (6.3.2) for PRAM.
    poisson : float or None
        Poisson form of (6.3.2), given the number of people; None for other methods.
    """

    exact: float
    poisson: float | None


@lru_cache(maxsize=16)
def probability_of_table(
    before: tuple[int, ...], after: tuple[int, ...], method: str
) -> TableProbability | None:
    """Return Pr(G | F) of a method with its default settings; None if its tables cannot be listed.

    Parameters
    ----------
    before : tuple of int
        Original counts F.
    after : tuple of int
        Published counts G.
    method : str
        Name of a method.

    Returns
    -------
    TableProbability or None

    Examples
    --------
    >>> found = probability_of_table((0, 2, 4), (0, 3, 3), "random-rounding")
    >>> round(found.exact, 4), found.poisson
    (0.4444, None)
    """
    from scipy.special import gammaln

    table = FrequencyTable(before, {"Cell": [f"c{k + 1}" for k in range(len(before))]})
    chosen = methods.get(method)()
    try:
        published, probabilities = chosen.distribution(table, LISTED)
    except InputError:
        return None
    same = (published.reshape(len(published), -1) == np.array(after)).all(axis=1)
    poisson = None
    if isinstance(chosen, PostRandomisation) and sum(after) == sum(before):
        people = sum(before)
        of_total = float(np.exp(people * np.log(people) - people - gammaln(people + 1)))
        poisson = float(pram_poisson(before, after, chosen.channel(table))) / of_total
    return TableProbability(float(probabilities[same].sum()), poisson)
