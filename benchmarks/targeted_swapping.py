"""How long targeted record swapping of a million records takes: `python benchmarks/targeted_swapping.py`."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

from sdcwidgets.methods.targeted import swap

RECORDS = 1_000_000


def main() -> None:
    rng = np.random.default_rng(1)
    town = rng.integers(0, 2000, RECORDS)
    people = pd.DataFrame({"region": town // 100, "town": town, "sex": rng.integers(0, 2, RECORDS)})
    people["age"], people["job"] = rng.integers(0, 18, RECORDS), rng.geometric(0.3, RECORDS)
    start, used = time.perf_counter(), time.process_time()
    done = swap(people, ["region", "town"], ["age", "job"], ["sex"], k=1, rate=0.05, rng=rng)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    print(f"{done.note} {seconds:.1f} s, {used:.1f} s of one core.")


if __name__ == "__main__":
    main()
