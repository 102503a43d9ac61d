"""Linked tables of one's own, and three of which each gap lowers a rank or doesn't: O&DF, section 4.5.

Turnover by activity, size and region; the table of all three is not published, those of two of them are. The ranks
need no numbers, and the paper prints none; the risk is that of turnovers of ours.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, quoted
from sdcwidgets.core.bounds import Bounds, published_equations
from sdcwidgets.core.risk.cell import expected, rank
from sdcwidgets.core.sums import extremes
from sdcwidgets.dashboards.suppression.sheet import SMALL
from sdcwidgets.methods.suppressing import Gaps, suppressed
from sdcwidgets.tables.hierarchy import axes_of
from sdcwidgets.tables.table import FrequencyTable

#: The letters of activity, size and region.
LETTERS = {0: "a", 1: "s", 2: "r"}

#: Three activities, four sizes, three regions, and the tables of two of them.
SHAPE = (3, 4, 3)
LINKED: Mapping[str, tuple[int, int]] = {"AS": (0, 1), "AR": (0, 2), "SR": (1, 2)}

#: Turnover by activity, size and region, for which the risk is told; ours, not in print.
TURNOVER = np.array(
    [
        [[12, 31, 22], [18, 9, 27], [25, 14, 33], [16, 28, 11]],
        [[21, 17, 35], [30, 24, 8], [13, 19, 26], [29, 10, 15]],
        [[32, 23, 20], [7, 34, 18], [28, 12, 16], [14, 21, 37]],
    ]
)

#: Gaps, each a table, a row and a column.
Linked: TypeAlias = tuple[tuple[str, int, int], ...]


class LinkedRanks(NamedTuple):
    """The rank of what linked tables say about the table behind them, for one, two and three tables."""

    names: tuple[str, ...]
    equations: tuple[int, ...]
    full_ranks: tuple[int, ...]
    """Without suppressed cells."""
    ranks: tuple[int, ...]
    unknowns: int
    risk: tuple[float, ...]
    """The risk of a turnover by all three, 1/log2 of the values that are left, the mean of all of them."""


def linked_pattern(alike: bool) -> Linked:
    """Return a primary cell and three more in each of the linked tables, in the same rows and columns or elsewhere."""
    corners = {"AS": (1, 2), "AR": (1, 2) if alike else (2, 1), "SR": (2, 2) if alike else (3, 2)}
    return tuple(
        (name, i, j) for name, (row, column) in corners.items() for i in (0, row) for j in (0, column)
    )


def checked_linked(linked: Linked) -> Linked:
    """Return the gaps as plain values, or raise InputError unless each is a cell of one of the linked tables."""
    gaps = tuple((str(name), int(i), int(j)) for name, i, j in linked)
    for name, i, j in gaps:
        shape = [SHAPE[axis] for axis in LINKED.get(name, ())]
        if not shape or not (0 <= i < shape[0] and 0 <= j < shape[1]):
            raise InputError(f"There is no cell {i + 1}, {j + 1} in a linked table {name}.")
    return gaps


@lru_cache(maxsize=64)
def linked_ranks(linked: Linked) -> LinkedRanks:
    """Return the rank of the linked tables with these gaps.

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
    """Return the expected risk of a turnover from these tables, each as likely to be looked for."""
    matrix, values = published_equations(released)
    size = matrix.shape[1]
    lower, upper = extremes(matrix, values, np.zeros(size), np.full(size, np.inf))
    return expected(Bounds(lower, upper), np.ones(size, dtype=bool))


#: The axes of a table, and of several.
Pair: TypeAlias = tuple[str, str]
Pairs: TypeAlias = tuple[Pair, ...]

#: Linked tables of more numbers are left to the command line, since a page should not wait for long.
MOST_NUMBERS = 1_500


class OwnLinkedTables(NamedTuple):
    """The gaps of linked tables, or why there are none, and what to say."""

    gaps: Gaps | None
    sentence: str


def pairs_of(table: FrequencyTable) -> Pairs:
    """Return the tables by two axes that a table of three axes or more can be published as.

    >>> pairs_of(FrequencyTable([[[1]]], {"A": "a", "B": "b", "C": "c"}))
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
    """
    return tuple(itertools.combinations([axis.name for axis in table.axes], 2)) if table.ndim > 2 else ()


def checked_pairs(tables: Pairs, table: FrequencyTable) -> Pairs:
    """Return the same tables, each once and in the order of the axes, or raise InputError."""
    axes_of(tables, [axis.name for axis in table.axes])
    known = pairs_of(table)
    for pair in tables:
        if pair not in known:
            raise InputError(f"{quoted(' by '.join(pair))} is no table by two of three axes or more.")
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
    """Return the gaps of linked tables: ones and twos, and others chosen by a secret that protect them."""
    if not pairs_of(table):
        return OwnLinkedTables(
            None, "A table of three axes or more can be published as tables by two of them."
        )
    if not tables:
        return OwnLinkedTables(None, "Choose the tables that are published instead of one of all axes.")
    sizes = {axis.name: len(axis) + 1 for axis in table.axes}
    numbers = sum(sizes[first] * sizes[second] for first, second in tables)
    if numbers > MOST_NUMBERS:
        elsewhere = f"`sdcwidgets protect --tables` takes more than {MOST_NUMBERS:,}"
        return OwnLinkedTables(None, f"These have {numbers:,} numbers; {elsewhere}.")
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
    small = counted(int(gaps.pattern.suppressed.sum()) - more, "small number")
    shared = "a sum that two tables share is one in both"
    sentence = f"{small} and {more:,} more are gaps; {shared}. {gaps.caution}"
    return OwnLinkedTables(gaps, sentence.strip())
