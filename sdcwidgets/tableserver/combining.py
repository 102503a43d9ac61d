"""What all tables that are released as they are leave of a group, taken together: the greatest number it may still be.

Each exact number is an equation over the atoms, the finest groups that the tables tell apart. A sum of published
numbers, with any signs, that counts a small group and nobody else exists if and only if the linear program for an
atom in that group has a small maximum (they are each other's dual). So one looks at atoms, whatever the combination.
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

#: At most so many atoms and numbers are put into equations, and the solver takes so many steps for each program: not so
#: many seconds, since what is released must not depend on how busy a machine is.
MOST_ATOMS, MOST_NUMBERS, MOST_STEPS = 1_500, 3_000, 4_000

#: So many atoms are looked at one by one, where looking at them together did not clear them.
MOST_ALONE = 12


class CheckTooLarge(Exception):
    """The check would take too long."""


@cache
def warm() -> None:
    """Load the solver and let it run once, so that the first user who needs it does not wait for that."""
    from scipy.optimize import linprog

    linprog([-1.0], A_eq=[[1.0]], b_eq=[1.0], method="highs")


def combined(data: Tabulator, tables: Sequence[CountedTable], most: int) -> SingledOutGroup | None:
    """Return a group that is known to be of at most `most` people from all exact tables together, or None.

    Parameters
    ----------
    data : Tabulator
    tables : sequence of CountedTable
        Tables whose numbers are published as they are.
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
    # What is true is possible, so that only small atoms can have a small maximum.
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
    """Return for each variable the sets of categories that no table tells apart."""
    parts_of: dict[str, list[frozenset[str]]] = {}
    for name in dict.fromkeys(name for table in tables for name in (*table.names, *table.chosen)):
        parts = [frozenset(data.variable(name).labels)]
        for table in tables:
            for box in table.boxes(name):
                parts = [piece for part in parts for piece in (part & box, part - box) if piece]
        parts_of[name] = sorted(parts, key=min)
    return parts_of


def _equations(table: CountedTable, atoms: dict[str, list[frozenset[str]]]) -> NDArray[np.float64]:
    """Return a row a cell of a table, 1 for each atom that is counted in it."""
    factors, order = [], []
    for name, parts in atoms.items():
        boxes = table.boxes(name) if name in table.names else (table.whole(name),)
        rows = [[float(box is None or part <= box) for part in parts] for box in boxes]
        factors.append(np.array(rows))
        order.append(table.names.index(name) if name in table.names else -1)
    matrix: NDArray[np.float64] = np.ones((1, 1))
    for factor in factors:
        matrix = np.kron(matrix, factor)
    # The rows come in the order of the atoms' variables; the cells in that of the table's.
    sizes = [len(factor) for factor in factors]
    turned = matrix.reshape(*sizes, -1)
    axes = sorted(range(len(order)), key=lambda k: order[k])
    return np.transpose(turned, (*axes, len(order))).reshape(matrix.shape)


def _true(
    data: Tabulator, names: Sequence[str], groups: dict[str, dict[str, tuple[str, ...]]]
) -> NDArray[np.int64]:
    """Return the people of each atom."""
    table = data.tabulate(Query(tuple(names), groups=groups)).table
    order = [[axis.labels.index(label) for label in groups[axis.name]] for axis in table.axes]
    return table.counts[np.ix_(*order)].ravel()


def _cleared(
    matrix: sparse.csr_array, numbers: NDArray[np.int64], candidates: Sequence[int], most: int
) -> NDArray[np.bool_]:
    """Return which of these atoms can have more than `most` people, in a solution where many of them have."""
    from scipy import sparse
    from scipy.optimize import linprog

    # Each of these atoms is a part of at most `most + 1` people, whose sum is made as large as can be, and a rest.
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
