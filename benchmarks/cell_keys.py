"""Cell keys against plain numpy, and how long a p-table takes: `python benchmarks/cell_keys.py`.

The baseline for keys and noise is one `numpy.bincount` of the same keys and one look-up pass: a `searchsorted` of
the cells in a line of as many bounds as the p-table has.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from sdcwidgets.core.ptable import noise_distributions
from sdcwidgets.methods.cellkey import cell_keys, noise, p_table

RECORDS, CELLS, TURNS = 1_000_000, 100_000, 9


def seconds(do: Callable[[], object]) -> float:
    """Return the least time that one call used of the processor: other programs of the machine don't count."""
    do()
    found = []
    for _ in range(TURNS):
        start = time.process_time()
        do()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    rng = np.random.default_rng(1)
    keys, cells = rng.random(RECORDS), rng.integers(0, CELLS, RECORDS)
    counts, table = np.bincount(cells, minlength=CELLS), p_table(10, 8, 3)
    line = np.sort(rng.random(len(table)))

    def plain() -> None:
        np.searchsorted(line, np.bincount(cells, keys, CELLS) % 1)

    def ours() -> None:
        noise(counts, cell_keys(keys, cells, CELLS), table)

    base, mine = seconds(plain), seconds(ours)
    print(f"keys and noise: {mine * 1e3:.1f} ms, plain numpy {base * 1e3:.1f} ms, {mine / base:.1f} times")
    for setting in ((10, 8, 3), (25, 30, 0)):
        print(f"p-table {setting}: {seconds(lambda s=setting: noise_distributions(*s)) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
