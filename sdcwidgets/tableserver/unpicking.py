"""Whether totals with noise of their own, or exact ones, undo the protection of a cell: bounds of a table together.

A count of 1 that is published as 3 is safe by itself. But its neighbour was rounded up and their total down: what each
can stand for leaves only 1. Whether it is so can be seen from what is published, so that asking tells nothing more.

What is looked at is one protected table with the exact tables of the same people. A total that is left out of one
protected table may be published by another, and two protected tables that share totals bound each other's cells:
neither is looked at.

References: handbook, chapter 5, section 5.5 (unpicking of rounding).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.margins import Kept
from sdcwidgets.release import Release
from sdcwidgets.tableserver.differencing import Counted
from sdcwidgets.tabulate import Query

__all__ = ["totals", "unpicked"]

#: Larger tables are not looked at; the rules on cells refuse them as a rule.
MOST_CELLS = 100_000


def totals(exact: Counted, query: Query) -> dict[Kept, NDArray[np.int64]]:
    """Return the numbers of an exact table of the same people that are totals of the table of a query, by its axes."""
    found = {}
    for kept, counts in exact.counts.items():
        names = [exact.names[k] for k in kept]
        same = all(exact.query.groups.get(name) == query.groups.get(name) for name in names)
        if same and set(names) <= set(query.by):
            axes = [query.by.index(name) for name in names]
            found[tuple(sorted(axes))] = (
                np.transpose(counts, np.argsort(axes)) if axes else np.asarray(counts)
            )
    return found


def unpicked(release: Release, query: Query, exact: Iterable[Counted], most: int) -> bool:
    """Return whether a cell is known to hold 1 to `most` people from all that is published of its table.

    Parameters
    ----------
    release : Release
        The protected table.
    query : Query
    exact : iterable of Counted
        Tables of the same people that are published as they are; what of them is a total of this one is used.
    most : int
    """
    if np.prod(release.shape) > MOST_CELLS or not any(
        np.isfinite(upper).any() for upper in release.upper.values()
    ):
        return False
    known = {kept: (counts, counts) for table in exact for kept, counts in totals(table, query).items()}
    lower, upper = release.narrowed(known).intervals(sharp=False)
    return bool(np.any((lower >= 1) & (upper <= most)))
