"""What `import sdcwidgets` costs over numpy, in milliseconds: at most 50.

Run by hand: `python benchmarks/importing.py`. Each import is a process of its own; numpy alone and both are measured in
turn,
and the middle of the differences is printed. It ends with an error if that is more than 50 ms.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

TURNS, MOST = 9, 0.050


def seconds(code: str) -> float:
    """Return how long a Python takes that runs some code."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print the difference."""
    found = [seconds("import numpy, sdcwidgets") - seconds("import numpy") for _ in range(TURNS)]
    middle = statistics.median(found)
    print(f"import sdcwidgets: {1000 * middle:.0f} ms over numpy")
    sys.exit(middle > MOST)


if __name__ == "__main__":
    main()
