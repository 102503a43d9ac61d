"""A pattern to begin with: publish what is dearest as long as no sensitive entry follows from what is published.

Each entry is a sum of cells. Published ones are eliminated one after the other, as in Gaussian elimination; one that
would leave nothing of a sensitive entry is suppressed. The result stops who only adds and subtracts; that numbers are
at least 0, and how wide intervals must be, is looked at afterwards.

Reference: Langsrud 2024, Secondary cell suppression by Gaussian elimination.
"""

from __future__ import annotations

import numpy as np

from .._arrays import Flags, Whole
from .problem import Problem

#: Numbers are counted modulo this prime, so that they stay exact and small.
PRIME = 2**31 - 1


def by_elimination(problem: Problem) -> Flags:
    """Return the sensitive entries and others without which none of them is a sum or difference of published ones."""
    rows = _free(problem)
    # What linked tables share is a sum in each of them: that both are the same is known like something published.
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
        # Where fewest others have a part they are changed least.
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
    """Return each entry as a sum of some that can be chosen freely, modulo the prime."""
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
