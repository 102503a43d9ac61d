"""Initial pattern: suppress entries until no sensitive entry is a combination of published ones.

Each entry is a sum of cells. Published entries are eliminated one after another in descending cost, as in
Gaussian elimination. An entry is suppressed if its elimination would determine a sensitive entry. The pattern
protects against addition and subtraction of published values. Bounds of 0 and the required widths of intervals
are checked later.

Reference: Langsrud 2024, Secondary cell suppression by Gaussian elimination.
"""

from __future__ import annotations

import numpy as np

from .._arrays import Flags, Whole
from .problem import Problem

#: Prime modulus of the arithmetic, which keeps all numbers exact and small.
PRIME = 2**31 - 1


def by_elimination(problem: Problem) -> Flags:
    """Return a pattern in which no sensitive entry is a linear combination of published entries."""
    rows = _free(problem)
    # Linked tables share sums; their equality is known in the same way as a published value.
    ties = problem.relations.lean.matrix.astype(np.int64) @ rows
    size, rows = len(rows), np.concatenate([rows, ties[ties.any(axis=1)] % PRIME])
    suppressed = problem.primary.copy()
    sensitive = np.append(problem.primary, np.zeros(len(rows) - size, dtype=bool))
    dear = np.argsort(-problem.weights, kind="stable")
    first = np.flatnonzero(~problem.usable)
    later = dear[(problem.usable & ~problem.primary)[dear]]
    for entry in [*range(size, len(rows)), *first.tolist(), *later.tolist()]:
        across = np.flatnonzero(rows[entry])
        if not len(across):
            continue
        # The pivot column with the fewest entries changes the fewest rows.
        pivot = across[np.argmin((rows[:, across] != 0).sum(axis=0))]
        line = rows[entry, across] * pow(int(rows[entry, pivot]), PRIME - 2, PRIME) % PRIME
        others = np.flatnonzero(rows[:, pivot])
        others = others[others != entry]
        reduced = (rows[np.ix_(others, across)] - rows[others, pivot][:, None] * line) % PRIME
        if entry < size and problem.usable[entry]:
            inner = np.flatnonzero(sensitive[others] & ~reduced.any(axis=1))
            if len(inner):
                other_rows = rows[others[inner]]
                other_rows[:, across] = 0
                if not other_rows.any(axis=1).all():
                    suppressed[entry] = True
                    continue
        rows[np.ix_(others, across)] = reduced
        rows[entry] = 0
    return suppressed


def _free(problem: Problem) -> Whole:
    """Return each entry as a sum of free entries (leaves), modulo the prime."""
    matrix = problem.relations.lean.matrix.tocsr()
    size = matrix.shape[1]
    total = np.full(size, -1)
    for row in range(matrix.shape[0]):
        segment = slice(matrix.indptr[row], matrix.indptr[row + 1])
        sums = matrix.indices[segment][matrix.data[segment] < 0]
        if total[sums[0]] < 0:
            total[sums[0]] = row
    leaves = np.flatnonzero(total < 0)
    rows = np.zeros((size, len(leaves)), dtype=np.int64)
    rows[leaves, np.arange(len(leaves))] = 1
    done = total < 0

    def fill(entry: int) -> None:
        parts = matrix.indices[matrix.indptr[total[entry]] : matrix.indptr[total[entry] + 1]]
        parts = parts[parts != entry]
        for part in parts[~done[parts]].tolist():
            fill(part)
        rows[entry], done[entry] = rows[parts].sum(axis=0), True

    for entry in np.flatnonzero(~done).tolist():
        if not done[entry]:
            fill(entry)
    return rows
