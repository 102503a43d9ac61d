"""Differencing of any number of exact tables: upper bounds of the size of small groups.

Each exact number is an equation over the atoms, the finest groups that the tables distinguish. Linear
programming duality implies: some linear combination of published numbers counts a small group exactly if the
linear program of one atom of this group has a small maximum. It is therefore sufficient to check the atoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.tableserver.differencing import CountedTable, SingledOutGroup
from sdcwidgets.tableserver.tabulate import Query, Tabulator

if TYPE_CHECKING:
    from scipy import sparse

#: Maximum numbers of atoms and of equations, and of solver iterations per program. A limit in seconds would
#: make the released tables depend on the load of the machine.
MOST_ATOMS, MOST_NUMBERS, MOST_STEPS = 1_500, 3_000, 4_000

#: Maximum number of atoms that are checked one by one, if the common check did not clear them.
MOST_ALONE = 12


class CheckTooLarge(Exception):
    """The check exceeds its limit of atoms, equations or iterations."""


@cache
def warm() -> None:
    """Load the solver and run it once, so that the first request is not delayed."""
    from scipy.optimize import linprog

    linprog([-1.0], A_eq=[[1.0]], b_eq=[1.0], method="highs")


def combined(data: Tabulator, tables: Sequence[CountedTable], most: int) -> SingledOutGroup | None:
    """Return a group that all exact tables together show to have at most `most` people, or None.

    Parameters
    ----------
    data : Tabulator
    tables : sequence of CountedTable
        Tables that are published without protection.
    most : int

    Returns
    -------
    SingledOutGroup or None

    Raises
    ------
    CheckTooLarge
        If there are too many atoms or numbers, or the solver takes too many steps.
    """
    from scipy import sparse

    atoms = _atoms(data, tables)
    names = list(atoms)
    shape = [len(parts) for parts in atoms.values()]
    cells = sum(table.counts[table.finest].size for table in tables)
    if np.prod(shape, dtype=object) > MOST_ATOMS or cells > MOST_NUMBERS:
        raise CheckTooLarge
    matrix = sparse.csr_array(sparse.vstack([sparse.csr_array(_equations(table, atoms)) for table in tables]))
    numbers = np.concatenate([table.counts[table.finest].ravel() for table in tables])
    groups = {name: {str(k): tuple(part) for k, part in enumerate(parts)} for name, parts in atoms.items()}
    true = np.array([int(numbers[0])]) if not names else _true(data, names, groups)
    # The original counts are one solution, so only atoms with few people can have a small maximum.
    candidates = [int(k) for k in np.flatnonzero(true <= most)]
    alone = 0
    while candidates:
        cleared = _cleared(matrix, numbers, candidates, most)
        if not cleared.any():
            alone += 1
            if alone > MOST_ALONE:
                raise CheckTooLarge
            if len(candidates) == 1 or not _cleared(matrix, numbers, candidates[:1], most).any():
                cell = np.unravel_index(candidates[0], shape)
                words = "; ".join(
                    f"{name}: {', '.join(sorted(atoms[name][k]))}"
                    for name, k in zip(names, cell, strict=True)
                )
                return SingledOutGroup("all exact tables together", words, int(true[candidates[0]]))
            cleared[0] = True
        candidates = [atom for atom, clear in zip(candidates, cleared, strict=True) if not clear]
    return None


def _atoms(data: Tabulator, tables: Sequence[CountedTable]) -> dict[str, list[frozenset[str]]]:
    """Return the sets of categories of each variable that no table distinguishes."""
    parts_of: dict[str, list[frozenset[str]]] = {}
    for name in dict.fromkeys(name for table in tables for name in (*table.names, *table.chosen)):
        parts = [frozenset(data.variable(name).labels)]
        for table in tables:
            for box in table.boxes(name):
                parts = [piece for part in parts for piece in (part & box, part - box) if piece]
        parts_of[name] = sorted(parts, key=min)
    return parts_of


def _equations(table: CountedTable, atoms: dict[str, list[frozenset[str]]]) -> NDArray[np.float64]:
    """Return one row per cell of a table, with 1 for each atom in the cell."""
    factors, order = [], []
    for name, parts in atoms.items():
        boxes = table.boxes(name) if name in table.names else (table.whole(name),)
        rows = [[float(box is None or part <= box) for part in parts] for box in boxes]
        factors.append(np.array(rows))
        order.append(table.names.index(name) if name in table.names else -1)
    matrix: NDArray[np.float64] = np.ones((1, 1))
    for factor in factors:
        matrix = np.kron(matrix, factor)
    # Rows follow the order of the variables of the atoms; cells follow the axes of the table.
    sizes = [len(factor) for factor in factors]
    turned = matrix.reshape(*sizes, -1)
    axes = sorted(range(len(order)), key=lambda k: order[k])
    return np.transpose(turned, (*axes, len(order))).reshape(matrix.shape)


def _true(
    data: Tabulator, names: Sequence[str], groups: dict[str, dict[str, tuple[str, ...]]]
) -> NDArray[np.int64]:
    """Return the number of people of each atom."""
    table = data.tabulate(Query(tuple(names), groups=groups)).table
    order = [[axis.labels.index(label) for label in groups[axis.name]] for axis in table.axes]
    return table.counts[np.ix_(*order)].ravel()


def _cleared(
    matrix: sparse.csr_array, numbers: NDArray[np.int64], candidates: Sequence[int], most: int
) -> NDArray[np.bool_]:
    """Return a mask of atoms that have more than `most` people in one common solution."""
    from scipy import sparse
    from scipy.optimize import linprog

    # Each atom is split into a part of at most `most + 1` people and a rest; the sum of the parts is maximised.
    n = matrix.shape[1]
    parts = matrix[:, list(candidates)]
    aim = np.concatenate([np.zeros(n), -np.ones(len(candidates))])
    bounds = [(0, None)] * n + [(0, most + 1)] * len(candidates)
    solution = linprog(
        aim,
        A_eq=sparse.hstack([matrix, parts]),
        b_eq=numbers.astype(np.float64),
        bounds=bounds,
        method="highs",
        options={"maxiter": MOST_STEPS},
    )
    if solution.status != 0:
        raise CheckTooLarge
    cleared: NDArray[np.bool_] = solution.x[n:] + solution.x[list(candidates)] > most + 1 - 1e-6
    return cleared
