"""Noise that belongs to a cell: the random numbers of a method come from the keys of the people in it.

A record key is drawn once for each person. The sum of the keys of a cell stands for the random number of that cell,
so that the same people get the same noise in every table, and asking again tells nothing new.
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

#: What a method does to a count is looked at in so many evenly spaced random numbers; many bases divide it.
LOOKS = 120

#: Counts that a total may have; whether a method changes any is looked at in these.
LARGE = np.arange(1000, 1120)

OWN = "Each total is protected by itself, so the figures may not add up."

#: Below a table of weighted numbers.
FEW = "Numbers of fewer than {:,} people, with their noise, are not shown (c)."


def works_by_cell(method: Method) -> PostTabular:
    """Return the method if each cell can be protected by a random number of its own, or raise InputError."""
    if isinstance(method, PostTabular) and method.alone:
        if method.changes(LARGE).any():
            return method
        raise InputError(
            f"{method.title} leaves large counts as they are, so that totals less their parts give small ones away;"
            " take a method that changes all counts, such as cell-key or random-rounding."
        )
    raise InputError(
        f"{method.title} protects a table as a whole; noise that is the same in every table needs a method"
        " that protects each cell by itself, such as cell-key or random-rounding."
    )


def published(
    method: PostTabular, counts: NDArray[np.int64], keys: NDArray[np.int64], secret: int | None = None
) -> NDArray[np.int64]:
    """Return what a method publishes of counts with these keys, in their shape.

    With a secret the random number is a function of key and secret, and no longer the key itself. The key of a total
    is the sum of those of its parts: who sees the noise of the parts could bound the key, and with it the noise, of the
    total. After such a function nothing of that is left.

    Parameters
    ----------
    method : PostTabular
    counts : ndarray of int64
    keys : ndarray of int64, of the same shape
        The keys of the people in each, whole numbers from 0 to below KEYS.
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
    """Return the release of a table: cells and margins, each with the noise of its own people.

    Parameters
    ----------
    method : PostTabular
    tabulation : Tabulation
        The table, with the keys of its cells.
    only : sequence of MarginAxes, optional
        The margins that are published; all of them if not given.
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

    A number of fewer than `least` people, with their noise, is a gap, since a mean weight of few tells who they are. Of
    a weighted number nothing is concluded: nobody but the agency knows how many people are behind it.

    Parameters
    ----------
    counted : Release
        The numbers of people with noise.
    tabulation : Tabulation
        With sums of weights.
    least : int

    Returns
    -------
    Release
        With nan for each gap.
    """
    people, sums = margins(tabulation.table.counts), margins(tabulation.weighted)
    values = {
        margin: np.where(
            (noisy > 0) & (noisy < least), np.nan, np.rint(weighted(noisy, people[margin], sums[margin]))
        )
        for margin, noisy in counted.values.items()
    }
    notes = [counted.notes[0], WEIGHTED, *([FEW.format(least)] if least > 1 else []), *counted.notes[1:]]
    return Release(counted.axes, values, notes=tuple(notes))


def spread(method: PostTabular, counts: NDArray[np.int64]) -> Spread:
    """Return what a method may publish for each of these counts, and how likely, to 1 in 120.

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
    """Return what the reader of a table takes a method to do to single counts, before or after tabulation.

    Controlled versions do to a single count what the plain ones do. Of a method that follows no cell, `uniform_spread`
    with `stay`, the share of people who are left where they were.

    Parameters
    ----------
    method : Method
    F, G : ndarray of int64
        The counts before and after; only which counts there are matters.
    stay : float
        From 0 to 1.

    Returns
    -------
    known : ndarray of int64, shape (counts,)
        The different counts, in rising order.
    values : ndarray of int64, shape (counts, values)
        What each of them may become.
    chances : ndarray of float, shape (counts, values)
        How likely; each row sums to 1.
    """
    if isinstance(method, PostTabular):
        return spread(method.of_single_counts(), F)
    return uniform_spread(np.union1d(F, G), stay)


def multipliers_of(method: Method, stay: float = 0.9) -> tuple[float, float]:
    """Return how likely a method leaves a small and a large count as it is, whatever counts a table holds.

    The mean over the counts of one table is no property of a method: all published counts are multiples of a rounding
    base, and taken by themselves would all seem to stay. Of a method that follows no cell it is `stay` for both, as in
    print.

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
    """Return the spread of a method that follows no cell: a small count stays, or becomes any other small one.

    So the paper treats record swapping, whose reader cannot know which variables were swapped. It does not say among
    which counts; if a one could become any count up to the largest, the risk left would be far below what is
    printed, whereas among the counts up to six it is as much below the risk before as in print.

    Parameters
    ----------
    counts : ndarray of int64
    stay : float
        How likely a small count stays, from 0 to 1.
    split : int
        The largest small count.

    Returns
    -------
    known, values, chances : ndarray
        As of `spread_of`.

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
