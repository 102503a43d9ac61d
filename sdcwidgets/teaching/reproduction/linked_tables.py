"""Recompute the ranks and the internal intruder of O&DF, section 4.5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure

SOURCE = "O&DF"

#: A published cell: the name of its table, and its row and column, numbered from 1.
Cell = tuple[str, int, int]

TABLES = ("AS", "AR", "SR")


def ranks() -> Iterator[Figure]:
    """Section 4.5: ranks of the equations, and the decrease with each suppression."""
    printed = load("oganian2003")["section 4.5"]
    sizes = printed["sizes"]
    figure = partial(Figure, SOURCE, "section 4.5", digits=0)
    for released, value in printed["ranks"].items():
        tables = released.split(", ")
        yield figure("rank", released, value, recomputed=_rank(_cells(tables, sizes), sizes))
    published = _cells(TABLES, sizes)
    whole = _rank(published, sizes)
    suppressed: list[Cell] = []
    for number, step in enumerate(printed["steps"]):
        for other in printed["instead"]:
            if other["after"] == number:
                decrease = _decrease(published, suppressed, _cell(other), sizes)
                subject = f"{number}, then {_name(other)} instead"
                yield figure("decrease of the rank", subject, other["decrease"], recomputed=decrease)
        decrease = _decrease(published, suppressed, _cell(step), sizes)
        subject = f"{number}, then {_name(step)}"
        yield figure("decrease of the rank", subject, step["decrease"], recomputed=decrease)
        suppressed.append(_cell(step))
    left = _rank(published - set(suppressed), sizes)
    yield figure("decrease of the rank", "all 12 suppressions", printed["all 12"], recomputed=whole - left)
    # Every pattern suppresses a rectangle with the cell (1, 1) in each of the three tables.
    patterns = product(*(_rectangles(table, sizes) for table in TABLES))
    largest = max(whole - _rank(published - set().union(*pattern), sizes) for pattern in patterns)
    subject = "largest of all patterns of 12"
    yield figure("decrease of the rank", subject, printed["largest"], recomputed=largest)


def internal_intruder() -> Iterator[Figure]:
    """Section 4.5.4: the interval of the largest contribution for the second largest contributor."""
    printed = load("oganian2003")["section 4.5.4"]
    figure = partial(Figure, SOURCE, "section 4.5.4", digits=0)
    least, greatest = printed["largest"]
    # The largest contribution is above the own one, and both are at most the upper bound of the cell.
    own, upper = printed["own"], printed["upper"]
    possible = [value for value in range(own + 1, upper + 1) if value + own <= upper]
    subject = f"own contribution {own}"
    yield figure("lowest largest contribution", subject, least, recomputed=min(possible))
    yield figure("highest largest contribution", subject, greatest, recomputed=max(possible))


def _cells(tables: Iterable[str], sizes: dict[str, int]) -> set[Cell]:
    return {
        (table, row, column)
        for table in tables
        for row in range(1, sizes[table[0]] + 1)
        for column in range(1, sizes[table[1]] + 1)
    }


def _rank(published: set[Cell], sizes: dict[str, int]) -> int:
    """Return the rank of the equations of these cells, with one unknown per cell of the three-way table."""
    axes = list(sizes)
    unknowns = list(product(*(range(1, size + 1) for size in sizes.values())))
    equations = [
        [
            unknown[axes.index(table[0])] == row and unknown[axes.index(table[1])] == column
            for unknown in unknowns
        ]
        for table, row, column in sorted(published)
    ]
    return int(np.linalg.matrix_rank(np.array(equations, dtype=float)))


def _decrease(published: set[Cell], suppressed: list[Cell], cell: Cell, sizes: dict[str, int]) -> int:
    """Return by how much the rank falls if this cell is suppressed, too."""
    before = published - set(suppressed)
    return _rank(before, sizes) - _rank(before - {cell}, sizes)


def _rectangles(table: str, sizes: dict[str, int]) -> list[set[Cell]]:
    """Return all sets of four cells with (1, 1) that protect each other in a table with totals."""
    rows, columns = range(2, sizes[table[0]] + 1), range(2, sizes[table[1]] + 1)
    return [
        {(table, 1, 1), (table, 1, column), (table, row, 1), (table, row, column)}
        for row, column in product(rows, columns)
    ]


def _cell(step: dict[str, Any]) -> Cell:
    row, column = step["cell"]
    return step["table"], row, column


def _name(step: dict[str, Any]) -> str:
    table, row, column = _cell(step)
    return f"{table} ({row}, {column})"
