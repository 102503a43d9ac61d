"""What looks small and grows: the seconds and megabytes until each file or link is read or refused.

Run by hand: `python benchmarks/growing.py`. It prints the processor's seconds and the megabytes beside what was there
before, the slowest first, with what was said, and how many are beyond 2 seconds or 200 megabytes. It needs a system
that forks: each file is read in a process of its own, and all links of a page in one (`tests/tables/io/growing.py`).
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

SECONDS, MEGABYTES = 2, 200


def main() -> None:
    """Read everything, and print what it took."""
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    script = Path(__file__).parent.parent / "tests" / "tables" / "io" / "growing.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for name, _, seconds, megabytes, said in sorted(rows, key=lambda row: -row[2])[:20]:
        print(f"{seconds:6.2f} s {megabytes:6.0f} MB  {name}: {said[:80]}")
    beyond = sum(row[2] > SECONDS or row[3] > MEGABYTES for row in rows)
    print(f"{len(rows)} files and links; {beyond} took more than {SECONDS} s or {MEGABYTES} MB")


if __name__ == "__main__":
    main()
