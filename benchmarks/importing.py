"""What importing costs over numpy, in milliseconds of processor: `import sdcwidgets` at most 50.

Run by hand: `python benchmarks/importing.py`. Each import is a process of its own; numpy alone and with the package are
run in turn, 11 times, and the middle of the differences is printed, also of names at their first use. It ends with an
error if the package itself takes more than 50 ms.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

TURNS, MOST = 11, 0.050
IMPORTS = (
    "import sdcwidgets",
    "from sdcwidgets import FrequencyTable",
    "from sdcwidgets import FrequencyTable, assess, protect",
)


def seconds(code: str) -> float:
    """Return the processor time of a Python that runs some code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def over_numpy(code: str) -> float:
    """Return the middle of what some code takes more than numpy alone."""
    return statistics.median(seconds(f"import numpy; {code}") - seconds("import numpy") for _ in range(TURNS))


def main() -> None:
    """Print the differences."""
    found = {code: over_numpy(code) for code in IMPORTS}
    for code, more in found.items():
        print(f"{code}: {1000 * more:.0f} ms over numpy")
    sys.exit(found[IMPORTS[0]] > MOST)


if __name__ == "__main__":
    main()
