"""What is left five seconds after a server was killed: processes and files, thirty times at random moments.

Run by hand: `python benchmarks/kills.py [--kills 30]`. A visitor comes as soon as the server listens and moves a slider
without end, beside sessions that are made ready. Every third server is killed while it starts, and every third together
with the process that sessions are forked from.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from killing import fork_servers, left, processes, short_folder, visited
from visiting import health


def _listens(address: str) -> bool:
    """Return whether a server answers and has a session."""
    with suppress(OSError):
        return bool(health(address)["processes"])
    return False


def main() -> None:
    """Kill servers, and print what there was and what is left."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=30)
    asked, draw, failed = options.parse_args(), random.Random(20261122), 0
    for turn in range(asked.kills):
        seconds = draw.uniform(0.1, 6)
        with short_folder() as folder, visited(folder, "--preheat", "2") as (server, address):
            while turn % 3 and not _listens(address):
                time.sleep(0.1)
            time.sleep(seconds)
            before = len(processes(folder))
            for forks in fork_servers(folder) if turn % 3 == 2 else ():
                forks.kill()
            server.kill()
            server.wait()
            start = time.monotonic()
            remains = left(folder)
            took = time.monotonic() - start
        failed += bool(remains)
        print(
            f"{turn + 1:3} after {seconds:4.1f} s: {before} processes; gone in {took:.1f} s; left: {remains}",
            flush=True,
        )
    print(f"{failed} of {asked.kills} left something")


if __name__ == "__main__":
    main()
