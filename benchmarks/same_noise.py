"""Compare the noise of the same people in overlapping tables: `python benchmarks/same_noise.py [pairs] [seed]`.

Each pair is two tables of the same records by cell keys (`tests/overlapping.py`): tables with two common axes, or a
table and a part of its people that contains whole cells. All published values of the same people are compared. With
another secret the same values differ in most cases, so that the comparison is not void.

Measured 2026-11 for 100 pairs: 0 of 2,447 values differ, with mixed and with plain keys; 1,771 and 1,813 values have
noise. With two secrets, 1,882 of 2,447 values differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from overlapping import of_pairs


def main(pairs: int = 100, seed: int = 20261125) -> int:
    """Print how many values of the same people differ."""
    different = 0
    for words, secrets in (("mixed keys", (3**60, 3**60)), ("plain keys", (None, None))):
        common, differ, noisy = of_pairs(pairs, seed, secrets)
        print(f"{words}: {differ} of {common:,} values differ between two tables; {noisy:,} have noise")
        different += differ
    common, differ, _ = of_pairs(pairs, seed, (3**60, 5**50))
    print(f"mixed keys, two secrets: {differ:,} of {common:,} values differ")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
