"""Reading of suppressed cells: the value that a measure uses where nothing is published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.parameters import Choices, Help, Label
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Readings of a suppressed cell, with their labels.
READINGS = {
    "interval": "midpoint of the feasibility interval",
    "mean": "mean of suppressed counts",
    "zero": "zero",
}

Suppressed = Annotated[
    str,
    Choices(READINGS),
    Label("Value for suppressed cells"),
    Help(
        "Value that replaces a suppressed count in the measures. Antal (2016, section 6.2) objects that R₂ "
        "is made for changed counts, not for suppressed ones, so each replacement is a convention."
    ),
]

#: Maximum number of suppressed cells whose intervals are sharpened by linear programs.
MOST_PROGRAMS = 200

#: Function of one replicate with nan for suppressed cells; returns all cells without nan.
Midpoints = Callable[[NDArray[np.number]], Floats]


def with_zeros(published: NDArray[np.number]) -> Floats:
    """Return replicates with 0 for each suppressed cell.

    Examples
    --------
    >>> with_zeros(np.array([[np.nan, 4]])).tolist()
    [[0.0, 4.0]]
    """
    filled: Floats = np.where(np.isnan(published), 0.0, published)
    return filled


def with_means(published: NDArray[np.number], total: int) -> Floats:
    """Return replicates with the mean of all suppressed counts for each suppressed cell.

    Parameters
    ----------
    published : ndarray, shape (replicates, *shape)
        Published counts, nan for suppressed cells.
    total : int
        Number of people in the original table.

    Examples
    --------
    >>> with_means(np.array([[np.nan, np.nan, 4]]), 10).tolist()
    [[3.0, 3.0, 4.0]]
    """
    flat = published.reshape(len(published), -1)
    missing = np.isnan(flat)
    hidden = np.maximum(total - np.nansum(flat, axis=1), 0) / np.maximum(missing.sum(axis=1), 1)
    filled: Floats = np.where(missing, hidden[:, np.newaxis], flat).reshape(published.shape)
    return filled


def with_midpoints(release: Release, table: FrequencyTable, *, sharp: bool = True) -> Floats:
    """Return the cells of a release with the midpoint of its interval for each suppressed cell.

    The interval contains all counts that agree with the published values. Linear programs sharpen the quick
    bounds of cells that these do not determine, up to `MOST_PROGRAMS` suppressed cells. A cell without an upper
    bound has the mean of all suppressed counts.

    Parameters
    ----------
    release : Release
        Published values.
    table : FrequencyTable
        Original table, whose categories the result has.
    sharp : bool
        Whether linear programs are used.

    Returns
    -------
    ndarray, shape of the table

    Examples
    --------
    The first count is the row total minus the published count:

    >>> shown = [{(0,): [count, 4.0], (): 5.0} for count in (np.nan, 0.0, np.inf)]
    >>> table = FrequencyTable([1, 4])
    >>> with_midpoints(Release(table.axes, *shown), table).tolist()
    [1.0, 4.0]
    """
    missing = release.suppressed
    if not missing.any():
        return release.spread(table)
    bounds = release.cell_bounds(sharp=sharp and int(missing.sum()) <= MOST_PROGRAMS)
    middle = np.where(missing, (bounds.lower + bounds.upper) / 2, release.cells)
    unlimited = np.where(np.isfinite(middle), middle, np.nan)
    filled: Floats = with_means(unlimited[np.newaxis], table.total)[0]
    if release.shape == table.shape:
        return filled
    return replace(release, values={**release.values, release.every: filled}).spread(table)
