"""Noise from record keys: the keys of the people of a cell determine its random number.

A record key is drawn once per person. The sum of the keys of a cell replaces its random number, so that
the same people have the same noise in every table, and a repeated request gives no new information.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.core.risk.flexible import SPLIT, Spread, mean_diagonals
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.cellkey import mixed_keys, weighted
from sdcwidgets.methods.cellkey.lookup import WEIGHTED
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.tabulate import KEYS, Tabulation

#: Number of evenly spaced random numbers at which a method is evaluated; a multiple of many rounding bases.
LOOKS = 120

#: Large counts at which a method is evaluated, to find whether it changes totals.
LARGE = np.arange(1000, 1120)

OWN = "Each total is protected independently, so the table may not be additive."

#: Footnote of a table of weighted numbers.
FEW = "Numbers of fewer than {:,} people (with noise) are suppressed (c)."


def works_by_cell(method: Method) -> PostTabular:
    """Return the method if it perturbs each cell independently, or raise InputError."""
    if isinstance(method, PostTabular) and method.alone:
        if method.changes(LARGE).any():
            return method
        raise InputError(
            f"{method.title} does not change large counts, so differences of totals disclose small counts. Use a"
            " method that changes all counts, such as cell-key or random-rounding."
        )
    raise InputError(
        f"{method.title} protects a table as a whole. A table generator needs a method that perturbs each cell"
        " independently, such as cell-key or random-rounding."
    )


def published(
    method: PostTabular, counts: NDArray[np.int64], keys: NDArray[np.int64], secret: int | None = None
) -> NDArray[np.int64]:
    """Return the published counts of a method for given keys.

    With a secret, the random number is a pseudorandom function of key and secret. Without it, the random number is the
    key. The key of a total is the sum of the keys of its parts, so data users who see the noise of the parts could
    bound the noise of the total. The function removes this relation.

    Parameters
    ----------
    method : PostTabular
    counts : ndarray of int64
    keys : ndarray of int64, of the same shape
        Cell keys, whole numbers from 0 to below KEYS.
    secret : int, optional

    Returns
    -------
    ndarray of int64, of the same shape
    """
    flat = counts.ravel()
    shares = keys.ravel() / KEYS if secret is None else mixed_keys(keys.ravel(), secret)
    where = np.flatnonzero(method.changes(flat))
    result = flat.copy()
    if where.size:
        result[where] = method.perturb(flat[where], shares[np.newaxis, where], (where,))[0]
    return result.reshape(counts.shape)


def keyed_release(
    method: PostTabular,
    tabulation: Tabulation,
    only: Sequence[MarginAxes] | None = None,
    secret: int | None = None,
) -> Release:
    """Return the release of a table, with cells and margins perturbed by the keys of their people.

    Parameters
    ----------
    method : PostTabular
    tabulation : Tabulation
        The table, with the keys of its cells.
    only : sequence of MarginAxes, optional
        Published margins (default: all).
    secret : int, optional
        As for `published`.

    Returns
    -------
    Release

    Raises
    ------
    InputError
        If the data have no record keys.
    """
    counts = margins(tabulation.table.counts)
    keys = margins(tabulation.cell_keys)
    values = {
        margin: published(method, np.asarray(counts[margin]), np.asarray(keys[margin]) % KEYS, secret)
        for margin in (counts if only is None else only)
    }
    return Release.by_value(
        tabulation.axes,
        values,
        lambda array: method.conclusions(array.astype(np.int64)),
        [method.note(), OWN],
    )


def weighted_release(counted: Release, tabulation: Tabulation, least: int) -> Release:
    """Return the release of weighted numbers: people with noise times their mean weight.

    A number of fewer than `least` people (with noise) is suppressed, because the mean weight of few people can identify
    them. The release states no bounds for weighted numbers, because only the agency knows the number of people.

    Parameters
    ----------
    counted : Release
        Numbers of people, with noise.
    tabulation : Tabulation
        With sums of weights.
    least : int

    Returns
    -------
    Release
        Suppressed numbers are nan.
    """
    people, sums = margins(tabulation.table.counts), margins(tabulation.weighted)
    values = {
        margin: np.where(
            (noisy > 0) & (noisy < least), np.nan, np.rint(weighted(noisy, people[margin], sums[margin]))
        )
        for margin, noisy in counted.values.items()
    }
    notes = [counted.notes[0], WEIGHTED]
    if least > 1:
        notes.append(FEW.format(least))
    notes += counted.notes[1:]
    return Release(counted.axes, values, notes=tuple(notes))


def spread(method: PostTabular, counts: NDArray[np.int64]) -> Spread:
    """Return the possible published counts of each count and their probabilities, to 1/120.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> known, values, chances = spread(methods.get("random-rounding")(base=3), np.array([0, 1, 2]))
    >>> [round(float((values[k] == 3) @ chances[k]), 4) for k in range(3)]
    [0.0, 0.3333, 0.6667]
    """
    known = np.unique(counts)
    looks = (np.arange(LOOKS) + 0.5) / LOOKS
    values = np.repeat(known[:, np.newaxis], LOOKS, axis=1)
    where = np.flatnonzero(method.changes(known))
    if where.size:
        draws = np.broadcast_to(looks[:, np.newaxis], (LOOKS, where.size))
        values[where] = method.perturb(known[where], draws, (where,)).T
    return known, values, np.full(values.shape, 1 / LOOKS)


def spread_of(method: Method, F: NDArray[np.int64], G: NDArray[np.int64], stay: float = 0.9) -> Spread:
    """Return the transition probabilities of single counts that a data user assumes for a method.

    Controlled versions of a method have the probabilities of the plain version. For a method without transition
    probabilities, the result is that of `uniform_spread` with `stay`, the share of people who do not move.

    Parameters
    ----------
    method : Method
    F : ndarray of int64
        Counts before protection; only the set of distinct counts matters.
    G : ndarray of int64
        Counts after protection; only the set of distinct counts matters.
    stay : float
        From 0 to 1.

    Returns
    -------
    known : ndarray of int64, shape (counts,)
        Distinct counts in increasing order.
    values : ndarray of int64, shape (counts, values)
        Possible published counts.
    chances : ndarray of float, shape (counts, values)
        Probabilities; each row sums to 1.
    """
    if isinstance(method, PostTabular):
        return spread(method.of_single_counts(), F)
    return uniform_spread(np.union1d(F, G), stay)


def multipliers_of(method: Method, stay: float = 0.9) -> tuple[float, float]:
    """Return the probabilities that a method does not change a small and a large count.

    The probabilities do not depend on the counts of a table. For a method without transition probabilities, both are
    `stay`, as in the publication.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 5.2: 0.33 and 0.33 under rounding to base 3, 0.75 and 0.9 under perturbation.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> [round(part, 2) for part in multipliers_of(methods.get("random-rounding")(base=3))]
    [0.33, 0.33]
    >>> [round(part, 2) for part in multipliers_of(methods.get("stochastic-perturbation")())]
    [0.77, 0.9]
    """
    return _diagonals(method.of_single_counts()) if isinstance(method, PostTabular) else (stay, stay)


@lru_cache(maxsize=16)
def _diagonals(method: PostTabular) -> tuple[float, float]:
    return mean_diagonals(spread(method, np.arange(1, SPLIT + LOOKS + 1)))


def uniform_spread(counts: NDArray[np.int64], stay: float, split: int = SPLIT) -> Spread:
    """Return transition probabilities in which a small count is unchanged or becomes any other small count.

    The paper treats record swapping in this way, because data users do not know the swapped variables. It does not
    state the range of the new counts. If a count of 1 could become any count up to the largest, the residual risk would
    be far below the published value; with counts up to 6, the reduction of the risk is as published.

    Parameters
    ----------
    counts : ndarray of int64
    stay : float
        Probability that a small count is unchanged, from 0 to 1.
    split : int
        Largest small count.

    Returns
    -------
    known, values, chances : ndarray
        See `spread_of`.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4.2.

    Examples
    --------
    >>> known, values, chances = uniform_spread(np.array([0, 4, 5, 70]), 0.9)
    >>> chances.round(2).tolist()[1:]
    [[0.05, 0.9, 0.05, 0.0], [0.05, 0.05, 0.9, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    known = np.unique(counts)
    small = known <= split
    others = np.count_nonzero(small) - 1
    chances = np.eye(len(known))
    if others > 0:
        chances[np.ix_(small, small)] = (1 - stay) / others
        chances[small, small] = stay
    return known, np.broadcast_to(known, chances.shape), chances
