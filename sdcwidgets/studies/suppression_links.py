"""Three linked tables of which each gap lowers a rank or doesn't: O&DF, section 4.5, without numbers.

Turnover by activity, size and region; the table of all three is not published, those of two of them are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk.cell import rank
from sdcwidgets.errors import InputError

__all__ = ["LINKED", "SHAPE", "Linked", "Links", "check_linked", "linked_pattern", "links"]

#: Three activities, four sizes, three regions, and the tables of two of them.
SHAPE = (3, 4, 3)
LINKED: Mapping[str, tuple[int, int]] = {"AS": (0, 1), "AR": (0, 2), "SR": (1, 2)}

#: Gaps, each a table, a row and a column.
Linked: TypeAlias = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Links:
    """The rank of what linked tables say about the table behind them, for one, two and three tables."""

    names: tuple[str, ...]
    equations: tuple[int, ...]
    whole: tuple[int, ...]
    left: tuple[int, ...]
    unknowns: int


def linked_pattern(alike: bool) -> Linked:
    """Return a primary cell and three more in each of the linked tables, in the same rows and columns or elsewhere."""
    corners = {"AS": (1, 2), "AR": (1, 2) if alike else (2, 1), "SR": (2, 2) if alike else (3, 2)}
    return tuple(
        (name, i, j) for name, (row, column) in corners.items() for i in (0, row) for j in (0, column)
    )


def check_linked(linked: Linked) -> None:
    """Raise InputError unless each gap is a cell of one of the linked tables."""
    for name, i, j in linked:
        rows, columns = (SHAPE[axis] for axis in LINKED.get(name, (0, 0)))
        if name not in LINKED or not (0 <= i < rows and 0 <= j < columns):
            raise InputError(f"There is no cell {i + 1}, {j + 1} in a linked table {name}.")


@lru_cache(maxsize=64)
def links(linked: Linked) -> Links:
    """Return the rank of the linked tables with these gaps.

    >>> links(linked_pattern(True)).left, links(linked_pattern(False)).left
    ((8, 12, 17), (8, 13, 20))
    """

    def released(names: tuple[str, ...], gaps: bool) -> dict[tuple[int, ...], NDArray[np.float64]]:
        tables: dict[tuple[int, ...], NDArray[np.float64]] = {}
        for name, axes in LINKED.items():
            array = np.full([SHAPE[a] for a in axes], 0.0 if name in names else np.nan)
            for table, i, j in linked if gaps else ():
                if table == name:
                    array[i, j] = np.nan
            tables[axes] = array
        return tables

    sets = (("AS",), ("AS", "AR"), ("AS", "AR", "SR"))
    return Links(
        tuple(", ".join(names) for names in sets),
        tuple(sum(SHAPE[a] * SHAPE[b] for a, b in (LINKED[name] for name in names)) for names in sets),
        tuple(rank(released(names, False)) for names in sets),
        tuple(rank(released(names, True)) for names in sets),
        int(np.prod(SHAPE)),
    )
