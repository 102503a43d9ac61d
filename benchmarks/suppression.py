"""What patterns of gaps cost and how long they take, beside elimination alone: `python benchmarks/suppression.py`.

The baseline is GaussSuppression (Langsrud 2024) as its paper tells it, written with numpy alone: each published number
is a sum of cells, and is taken from the dearest one on. Columns of numbers in print are eliminated one after the other;
a number after which a sensitive one would be a sum of what is in print becomes a gap. It knows neither widths of
intervals nor people in the table, so that it may be cheaper; how many sensitive numbers it leaves narrower than asked
for an outsider, by linear programs of scipy, is told beside it.
"""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import linprog

from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.table import FrequencyTable

#: The prime modulo which sums are eliminated exactly.
PRIME = 2**31 - 1


def sums_of(counts: np.ndarray) -> np.ndarray:
    """Return each cell, margin and the total as a row of 0 and 1 over the cells; totals last along each axis."""
    full = np.eye(counts.size, dtype=np.int64).reshape(*counts.shape, counts.size)
    for axis in range(counts.ndim):
        full = np.concatenate([full, full.sum(axis=axis, keepdims=True)], axis=axis)
    return full.reshape(-1, counts.size)


def gauss(counts: np.ndarray, least: int) -> np.ndarray:
    """Return the gaps of elimination alone."""
    sums = sums_of(counts)
    values = sums @ counts.ravel()
    gaps = (values > 0) & (values < least)
    gaps[-1] = False
    rows = sums % PRIME
    sensitive = np.flatnonzero(gaps)
    order = [*np.flatnonzero(values == 0), len(values) - 1, *np.argsort(-values, kind="stable")]
    for entry in dict.fromkeys(order):
        across = np.flatnonzero(rows[entry])
        if gaps[entry] or not len(across):
            continue
        pivot = across[0]
        line = rows[entry] * pow(int(rows[entry, pivot]), PRIME - 2, PRIME) % PRIME
        others = np.flatnonzero(rows[:, pivot])
        left = (rows[others] - rows[others, pivot][:, np.newaxis] * line) % PRIME
        told = np.isin(others, sensitive) & ~left.any(axis=1)
        if told.any() and values[entry] > 0 and entry != len(values) - 1:
            gaps[entry] = True
            continue
        rows[others] = left
    return gaps


def narrow(counts: np.ndarray, gaps: np.ndarray, least: int, width: float, most: int = 60) -> tuple[int, int]:
    """Return how many of so many sensitive numbers an outsider knows to less than the width."""
    sums = sums_of(counts)
    values = sums @ counts.ravel()
    sensitive = np.flatnonzero((values > 0) & (values < least))[:most]
    cells = np.flatnonzero((sums[~gaps] != 0).any(axis=0))
    floors = np.where(counts.ravel() > 0, 1.0, 0.0)
    known, right = sums[~gaps][:, cells], values[~gaps]
    count = 0
    for entry in sensitive:
        ends = [
            linprog(
                sign * sums[entry, cells],
                A_eq=known,
                b_eq=right,
                bounds=np.c_[floors[cells], np.full(len(cells), np.inf)],
            )
            for sign in (1, -1)
        ]
        reach = [np.inf if end.fun is None else end.fun for end in ends]
        count += -reach[1] - reach[0] < width - 1e-6
    return count, len(sensitive)


def main() -> None:
    for shape, scale in (
        ((10, 10), 8),
        ((20, 20), 8),
        ((30, 40), 8),
        ((4, 4, 4), 12),
        ((4, 6, 5), 12),
        ((10, 10, 10), 8),
    ):
        for seed in (1, 2):
            rng = np.random.default_rng(seed)
            counts = rng.poisson(rng.gamma(1, scale, shape))
            values = sums_of(counts) @ counts.ravel()
            small = int(((counts > 0) & (counts < 3)).sum())
            begun = time.process_time()
            gaps = gauss(counts, 3)
            taken = time.process_time() - begun
            primary = (values > 0) & (values < 3)
            told = f"{shape}, {small} small: elimination hides {values[gaps & ~primary].sum():,} in {taken:.2f} s"
            if counts.size <= 200:
                told += " (narrow for outsiders: {} of {})".format(*narrow(counts, gaps, 3, 2.0))
            for coalition in (0, 1):
                begun = time.process_time()
                pattern = CellSuppression(coalition=coalition).pattern(FrequencyTable(counts))
                taken = time.process_time() - begun
                whom = "everyone inside" if coalition else "outsiders"
                told += f"; for {whom} {pattern.cost:,.0f} in {taken:.2f} s"
            print(told, flush=True)


if __name__ == "__main__":
    main()
