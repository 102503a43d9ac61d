"""How long controlled rounding takes, and how good it is: `python benchmarks/controlled_rounding.py`."""

from __future__ import annotations

import time

import numpy as np

from sdcwidgets.core.controlled import controlled


def main() -> None:
    rng = np.random.default_rng(1)
    for shape, steps in (((50, 40), 0), ((10, 10, 20), 0), ((110, 100), 0), ((22, 25, 20), 1)):
        counts = rng.poisson(rng.gamma(0.5, 8, shape))
        start, used = time.perf_counter(), time.process_time()
        found = controlled(counts, 5, steps)
        seconds, used = time.perf_counter() - start, time.process_time() - used
        print(
            f"{shape}, K = {steps}: {counts.size:,} cells in {seconds:.2f} s ({used:.2f} s of one core),"
            f" at most {found.gap:.1%} from the best",
            flush=True,
        )


if __name__ == "__main__":
    main()
