"""How long controlled rounding takes, and how good it is: `python benchmarks/controlled_rounding.py`.

The baseline is the program as one writes it down with scipy alone: a 0 or 1 for each cell and margin that is no
multiple, up or down, one dense row a sum; solved by the same `milp` to the same share above the least. It knows no
steps and no parts, and is left out where it would take minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from sdcwidgets.core.controlled import controlled


def plain(counts: np.ndarray, base: int) -> float:
    """Return the distance of the zero-restricted rounding of a table with two or three axes."""
    full = counts
    for axis in range(counts.ndim):
        full = np.concatenate([full, full.sum(axis=axis, keepdims=True)], axis=axis)
    number = np.arange(full.size).reshape(full.shape)
    down, left = np.divmod(full.ravel(), base)
    rows, columns, signs = [], [], []
    for axis in range(counts.ndim):
        lines = np.moveaxis(number, axis, -1).reshape(-1, full.shape[axis])
        start = len(rows) and rows[-1] + 1
        for row, line in enumerate(lines, start):
            rows += [row] * len(line)
            columns += line.tolist()
            signs += [1.0] * (len(line) - 1) + [-1.0]
    sums = csr_array((signs, (rows, columns)), shape=(rows[-1] + 1, full.size))
    right = -(sums @ down)
    cost = np.abs(left - base) - left
    gain = cost[cost < 0].sum()
    solved = milp(
        cost,
        integrality=np.ones(full.size),
        bounds=Bounds(0, (left > 0).astype(float)),
        constraints=LinearConstraint(sums, right, right),
        options={"mip_rel_gap": 0.02 * (left.sum() + gain) / abs(gain)},
    )
    return float(left.sum() + solved.fun)


def used(do: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of one core that a call took, and what it gave."""
    start = time.process_time()
    found = do()
    return time.process_time() - start, found


def main() -> None:
    rng = np.random.default_rng(1)
    for shape, steps, beside in (
        ((50, 40), 0, True),
        ((10, 10, 20), 0, True),
        ((110, 100), 0, False),
        ((22, 25, 20), 1, False),
    ):
        counts = rng.poisson(rng.gamma(0.5, 8, shape))
        mine, found = used(lambda counts=counts, steps=steps: controlled(counts, 5, steps))
        told = f"{shape}, K = {steps}: {counts.size:,} cells in {mine:.2f} s of one core"
        told += f", distance {found.distance:,.0f}, at most {found.gap:.1%} from the best"
        if beside:
            theirs, distance = used(lambda counts=counts: plain(counts, 5))
            told += f"; plain scipy {theirs:.2f} s, distance {distance:,.0f}: {mine / theirs:.2f} times"
        print(told, flush=True)


if __name__ == "__main__":
    main()
