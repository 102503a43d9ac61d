"""Linked tables of the user's data, and the three linked tables of O&DF, section 4.5.

O&DF release turnover by activity and size, by activity and region, and by size and region, but not the three-way
table. The ranks do not depend on the turnovers, which O&DF do not give; the risk uses invented turnovers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, quoted
from sdcwidgets.core.bound_proofs import extremes
from sdcwidgets.core.bounds import Bounds, published_equations
from sdcwidgets.core.risk.cell import expected, rank
from sdcwidgets.dashboards.suppression.sheet import SMALL
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.suppressing import SuppressedTable, suppressed
from sdcwidgets.tables.hierarchy import axes_of
from sdcwidgets.tables.table import FrequencyTable

#: Letters of activity, size and region.
LETTERS = {0: "a", 1: "s", 2: "r"}

#: Numbers of activities, sizes and regions, and the axes of the three released tables.
SHAPE = (3, 4, 3)
LINKED: Mapping[str, tuple[int, int]] = {"AS": (0, 1), "AR": (0, 2), "SR": (1, 2)}

#: Invented turnover by activity, size and region, used for the risk.
TURNOVER = np.array(
    [
        [[12, 31, 22], [18, 9, 27], [25, 14, 33], [16, 28, 11]],
        [[21, 17, 35], [30, 24, 8], [13, 19, 26], [29, 10, 15]],
        [[32, 23, 20], [7, 34, 18], [28, 12, 16], [14, 21, 37]],
    ]
)

#: Suppressed cells, each as table, row and column.
Linked: TypeAlias = tuple[tuple[str, int, int], ...]


class LinkedRanks(NamedTuple):
    """Rank of the equations of linked tables about the three-way table, for one, two and three released tables."""

    names: tuple[str, ...]
    equations: tuple[int, ...]
    full_ranks: tuple[int, ...]
    """Rank without suppressed cells."""
    ranks: tuple[int, ...]
    unknowns: int
    risk: tuple[float, ...]
    """Risk of a turnover, 1/log2 of its number of possible values, averaged over all turnovers."""


def linked_pattern(alike: bool) -> Linked:
    """Return a primary and three secondary cells in each linked table, in the same rows and columns if `alike`."""
    corners = {"AS": (1, 2), "AR": (1, 2) if alike else (2, 1), "SR": (2, 2) if alike else (3, 2)}
    return tuple(
        (name, i, j) for name, (row, column) in corners.items() for i in (0, row) for j in (0, column)
    )


def checked_linked(linked: Linked) -> Linked:
    """Return the suppressed cells as plain values.

    Raises
    ------
    InputError
        If one is not a cell of a linked table.
    """
    gaps = tuple((str(name), int(i), int(j)) for name, i, j in linked)
    for name, i, j in gaps:
        shape = [SHAPE[axis] for axis in LINKED.get(name, ())]
        if not shape or not (0 <= i < shape[0] and 0 <= j < shape[1]):
            raise InputError(f"There is no cell {i + 1}, {j + 1} in linked table {name}.")
    return gaps


@lru_cache(maxsize=64)
def linked_ranks(linked: Linked) -> LinkedRanks:
    """Return the rank of the linked tables with these suppressed cells.

    Examples
    --------
    >>> linked_ranks(linked_pattern(True)).ranks, linked_ranks(linked_pattern(False)).ranks
    ((8, 12, 17), (8, 13, 20))
    >>> [round(linked_ranks(linked_pattern(alike)).risk[-1], 3) for alike in (True, False)]
    [0.133, 0.163]
    """

    def released(names: tuple[str, ...], gaps: Linked) -> dict[tuple[int, ...], NDArray[np.float64]]:
        tables: dict[tuple[int, ...], NDArray[np.float64]] = {}
        for name, axes in LINKED.items():
            array = TURNOVER.sum(axis=3 - sum(axes)).astype(np.float64)
            if name not in names:
                array[:] = np.nan
            for table, i, j in gaps:
                if table == name:
                    array[i, j] = np.nan
            tables[axes] = array
        return tables

    sets = (("AS",), ("AS", "AR"), ("AS", "AR", "SR"))
    gaps = [released(names, linked) for names in sets]
    return LinkedRanks(
        names=tuple(map(", ".join, sets)),
        equations=tuple(
            sum(math.prod(SHAPE[axis] for axis in LINKED[name]) for name in names) for names in sets
        ),
        full_ranks=tuple(rank(released(names, ())) for names in sets),
        ranks=tuple(map(rank, gaps)),
        unknowns=math.prod(SHAPE),
        risk=tuple(map(_risk, gaps)),
    )


def _risk(released: dict[tuple[int, ...], NDArray[np.float64]]) -> float:
    """Return the expected risk of a turnover, averaged over all turnovers with equal probability."""
    matrix, values = published_equations(released)
    size = matrix.shape[1]
    lower, upper = extremes(matrix, values, np.zeros(size), np.full(size, np.inf))
    return expected(Bounds(lower, upper), np.ones(size, dtype=bool))


#: Axes of one two-way table, and of several.
Pair: TypeAlias = tuple[str, str]
Pairs: TypeAlias = tuple[Pair, ...]

#: Maximum number of cells of linked tables on the page; larger ones take long and need the command line.
MOST_NUMBERS = 1_500


class OwnLinkedTables(NamedTuple):
    """Suppressed cells of linked tables, or None, and a sentence on the result."""

    suppressed: SuppressedTable | None
    sentence: str


def pairs_of(table: FrequencyTable) -> Pairs:
    """Return the two-way tables of a table with at least three axes.

    Examples
    --------
    >>> pairs_of(FrequencyTable([[[1]]], {"A": "a", "B": "b", "C": "c"}))
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
    """
    return tuple(itertools.combinations([axis.name for axis in table.axes], 2)) if table.ndim > 2 else ()


def checked_pairs(tables: Pairs, table: FrequencyTable) -> Pairs:
    """Return the two-way tables without duplicates, in the order of the axes.

    Raises
    ------
    InputError
        If one is not a two-way table of a table with at least three axes.
    """
    axes_of(tables, [axis.name for axis in table.axes])
    known = pairs_of(table)
    for pair in tables:
        if pair not in known:
            raise InputError(
                f"{quoted(' by '.join(pair))} is not a two-way table of a table with at least three axes."
            )
    return tuple(pair for pair in known if pair in tables)


@lru_cache(maxsize=16)
def own_linked_tables(
    table: FrequencyTable,
    tables: Pairs,
    width: int,
    cost: str,
    coalition: int,
    disjoint: bool = False,
    secret: int | None = None,
) -> OwnLinkedTables:
    """Return a suppression pattern for linked tables: all small counts, and secondary cells chosen with a secret."""
    if not pairs_of(table):
        return OwnLinkedTables(
            None, "Only a table with at least three axes can be published as several two-way tables."
        )
    if not tables:
        return OwnLinkedTables(
            None, "Select the two-way tables that are published instead of the full table."
        )
    sizes = {axis.name: len(axis) + 1 for axis in table.axes}
    numbers = sum(sizes[first] * sizes[second] for first, second in tables)
    if numbers > MOST_NUMBERS:
        return OwnLinkedTables(
            None,
            f"The linked tables have {numbers:,} cells and totals; this page can protect at most {MOST_NUMBERS:,}. "
            "For larger tables, use the command `sdcwidgets protect --tables`.",
        )
    try:
        gaps = suppressed(
            table,
            least=SMALL,
            width=width - 1,
            cost=cost,
            coalition=coalition,
            tables=tables,
            non_hierarchical=[axis.name for axis in table.axes] if disjoint else (),
            audited=False,
            seed=secret,
        )
    except InputError as error:
        return OwnLinkedTables(None, str(error))
    more = int(gaps.pattern.secondary.sum())
    small = counted(int(gaps.pattern.suppressed.sum()) - more, "small count")
    shared = "If two tables have a common total, both tables publish or both tables suppress this total."
    sentence = f"{small} and {more:,} secondary cells are suppressed. {shared} {gaps.caution}"
    return OwnLinkedTables(replace(gaps, notes=CellSuppression(threshold=SMALL).notes()), sentence.strip())
