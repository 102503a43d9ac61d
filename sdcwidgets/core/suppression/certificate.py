"""Random choice of a pattern for a small table, which prevents inference from the choice (minimality attack).

A data user can run the program on every table that agrees with the published values, and keep the tables that
can lead to the published pattern. Therefore the pattern also suppresses all counts below a higher threshold,
which the secret selects (`raised`). A pattern is published only if other tables that can lead to it vary every
small count, in this table and in each of these other tables. The test is mutual: every table in the certificate
passes it as well, because the tables are examined in an order that depends on the published values only. If a
pattern fails the test, the next higher threshold is used. The last pattern suppresses everything except zeros
and the grand total, and is not tested.

References: Wong, Fu, Wang and Pei 2007, Minimality attack in privacy preserving data publishing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import Flags, Floats, Whole
from .problem import Problem

#: Maximum number of entries of a table for which certificates are searched.
SMALL = 36

#: Probability of each threshold, in ascending order; the last one is used only if all patterns before it fail.
SHARES = (0.6, 0.15, 0.13, 0.12, 0.0)

#: Maximum number of tables that are enumerated, and number of them that are examined for a certificate.
TABLES, EXAMINED = 5000, 12


def first_level(secret: int) -> int:
    """Return the number of the threshold that the secret selects."""
    draw = np.random.default_rng(secret).random()
    return int(np.searchsorted(np.cumsum(SHARES[:-2]), draw, side="right"))


def raised(problem: Problem, level: int, least: int, leaves: Flags) -> Flags:
    """Return the counts to suppress that are not sensitive, for a threshold.

    Parameters
    ----------
    problem : Problem
        Table with its sensitive entries.
    level : int
        Number of the threshold: `least`, `least` + 2, 3 `least`, all cells, or all cells and totals.
    least : int
        Threshold of sensitive counts.
    leaves : ndarray of bool
        Entries that are cells, not totals.
    """
    thresholds = (least, least + 2, 3 * least, np.inf, np.inf)
    possible = problem.usable & ~problem.primary & ~problem.expensive
    if level == len(SHARES) - 2:
        possible = possible & leaves
    return possible & (problem.values < thresholds[level])


def is_certified(
    problem: Problem,
    suppressed: Flags,
    sums: Whole,
    small: Callable[[Whole], Flags],
    can_lead: Callable[[Whole], bool],
) -> bool:
    """Return whether other tables that lead to a pattern vary every small count, mutually.

    Parameters
    ----------
    problem : Problem
        Problem of the original table.
    suppressed : ndarray of bool, shape (entries,)
        Pattern that protects it.
    sums : ndarray of int, shape (entries, cells)
        1 if a cell is part of an entry, otherwise 0.
    small : callable
        Function of tables, shape (..., entries), that returns a mask of their sensitive entries.
    can_lead : callable
        Function of another table that returns whether a secret exists that leads from it to the pattern.
    """
    tables = fitting_tables(problem.values, suppressed, sums)
    tables = likely(tables, suppressed, small(tables), problem.width.max(), sums.sum(axis=1) == 1)
    own = problem.values.astype(np.int64)[np.newaxis]
    if not _varies(np.concatenate([tables, own]))[problem.primary].all():
        return False
    members = own[:0]
    for table in tables:
        if not can_lead(table):
            continue
        members = np.concatenate([members, table[np.newaxis]])
        mutual = _mutual(members, small)
        if len(mutual) and _varies(np.concatenate([mutual, own]))[problem.primary].all():
            return True
    return False


def fitting_tables(values: Floats, suppressed: Flags, sums: Whole, most: int = TABLES) -> Whole:
    """Return the tables that agree with the published values, if there are many an evenly spaced part of them.

    Parameters
    ----------
    values : ndarray of float, shape (entries,)
        Original values; only the published ones are used.
    suppressed : ndarray of bool, shape (entries,)
        Mask of the suppressed entries, which are at least 1.
    sums : ndarray of int, shape (entries, cells)
        1 if a cell is part of an entry, otherwise 0. The last entry is the grand total, which is published.
    most : int
        Maximum number of tables at each step.

    Returns
    -------
    ndarray of int, shape (tables, entries)
        The tables in an order that depends on the published values only.

    Examples
    --------
    >>> from sdcwidgets.core.suppression import with_margins
    >>> values, hidden = with_margins([1, 2, 5]), np.array([True, True, False, False])
    >>> sums = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
    >>> fitting_tables(values, hidden, sums).tolist()
    [[1, 2, 5, 8], [2, 1, 5, 8]]
    """
    single = np.flatnonzero(sums.sum(axis=1) == 1)
    cell_entries = single[sums[single].argmax(axis=0)]
    unknown = np.flatnonzero(suppressed[cell_entries])
    start = np.where(suppressed[cell_entries], 1, values[cell_entries]).astype(np.int64)
    published = np.flatnonzero(~suppressed)
    parts = sums[published]
    # Part of each published entry that is not yet distributed to its cells, per table.
    rest = (values[published].astype(np.int64) - parts @ start)[np.newaxis]
    added = np.zeros((1, sums.shape[1]), dtype=np.int64)
    if (rest < 0).any():
        return np.empty((0, len(values)), dtype=np.int64)
    for k, cell in enumerate(unknown):
        containing = np.flatnonzero(parts[:, cell])
        highest = rest[:, containing].min(axis=1)
        # The last unknown cell of a published sum takes the rest of it.
        closed = containing[~parts[np.ix_(containing, unknown[k + 1 :])].any(axis=1)]
        lowest = rest[:, closed].max(axis=1, initial=0)
        choices = np.maximum(highest - lowest + 1, 0)
        ends, total = np.cumsum(choices), int(choices.sum())
        chosen = np.arange(total) if total <= most else np.linspace(0, total - 1, most).astype(np.int64)
        table = np.searchsorted(ends, chosen, side="right")
        more = lowest[table] + chosen - (ends - choices)[table]
        added, rest = added[table], rest[table] - more[:, np.newaxis] * parts[:, cell]
        added[:, cell] = more
    complete = added[~rest.any(axis=1)]
    return (start + complete) @ sums.T


def likely(tables: Whole, suppressed: Flags, small: Flags, width: float, leaves: Flags) -> Whole:
    """Return the tables to examine: the most likely ones to lead to the pattern first.

    The pattern must suppress all small counts of a table, with intervals that are wide enough, also for a
    respondent who is alone in a cell. Tables with many small counts are first.
    """
    if not len(tables):
        return tables
    possible = small.any(axis=1) & ~(small & ~suppressed).any(axis=1)
    possible &= ~(small & (np.ptp(tables, axis=0) < width)).any(axis=1)
    for cell in np.flatnonzero(suppressed & leaves):
        alone = tables[:, cell] == 1
        if not (alone & possible).any():
            continue
        narrow = np.ptp(tables[alone], axis=0) < width
        # Entries that are equal to the cell of the respondent.
        narrow &= ~(tables[alone] == 1).all(axis=0)
        possible[alone] &= ~(small[alone] & narrow).any(axis=1)
    tables = tables[possible]
    score = (1 / tables[:, suppressed & leaves]).sum(axis=1)
    return tables[np.argsort(-score, kind="stable")[:EXAMINED]]


def _mutual(tables: Whole, small: Callable[[Whole], Flags]) -> Whole:
    """Return the largest part of some tables in which every small count of every table varies."""
    while len(tables):
        constant = (small(tables) & ~_varies(tables)).any(axis=1)
        if not constant.any():
            break
        tables = tables[~constant]
    return tables


def _varies(tables: Whole) -> Flags:
    varies: Flags = (tables != tables[0]).any(axis=0)
    return varies
