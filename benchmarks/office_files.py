"""Count how many files in the shapes of statistical offices are read right, asked about, or silently wrong.

Run `python benchmarks/office_files.py`; with `--list` each file that is not read right at once is printed.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tables" / "io"))

from collection.catalogue import collection
from collection.score import OUTCOMES, outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="number of offices per common shape")
    parser.add_argument("--list", action="store_true", help="print each file that is not read right at once")
    options = parser.parse_args()
    files = collection(options.each)
    number = Counter()
    for file in files:
        name, detail = outcome(file)
        number[name] += 1
        if options.list and name not in ("right", "refused rightly"):
            print(f"{name:20} {file}: {detail[:260]}")
    for name in OUTCOMES:
        print(f"{name:20} {number[name]:4} {100 * number[name] / len(files):5.1f} %")


if __name__ == "__main__":
    main()
