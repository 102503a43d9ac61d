"""What many visits leave behind: kernels, memory of the server and of the process that kernels are forked from.

Run by hand: `python benchmarks/soak.py [--visits 400] [--at-once 4] [--preheat 0]`. Every third
visitor hangs up while the page still comes; the others move a slider and say goodbye.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from serving import free_port, running
from visiting import come_and_go, health, sessions


def held(port: int) -> list[tuple[int, float, int]]:
    """Return process, megabytes and open files of the server and of all below it."""
    listening = (one for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port)
    server = psutil.Process(next(one.pid for one in listening if one.status == psutil.CONN_LISTEN))
    every = (server, *server.children(recursive=True))
    return [(one.pid, one.memory_full_info().uss / 2**20, one.num_fds()) for one in every]


def shown(when: str, port: int) -> None:
    """Print what is held now."""
    parts = ", ".join(f"{megabytes:.0f} MB and {files} files" for _, megabytes, files in held(port))
    print(f"{when:14} {len(held(port))} processes: {parts}", flush=True)


def main() -> None:
    """Let visitors come and go, and print what there was before, midway and after."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--visits", type=int, default=400)
    options.add_argument("--at-once", type=int, default=4)
    options.add_argument("--preheat", type=int, default=0)
    asked = options.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--preheat", str(asked.preheat)]
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with running(command, f"{address}health"):
        for turn in range(10):
            come_and_go(address, patient=turn % 3 > 0)
        for when, visits in (
            ("after 10", 0),
            ("midway", asked.visits // 2),
            ("at the end", asked.visits // 2),
        ):
            start = time.monotonic()
            with ThreadPoolExecutor(asked.at_once) as visitors:
                list(visitors.map(lambda turn: come_and_go(address, patient=turn % 3 > 0), range(visits)))
            took = time.monotonic() - start
            until = time.monotonic() + 90
            while (
                sessions(address) or health(address)["ready"] < asked.preheat
            ) and time.monotonic() < until:
                time.sleep(0.5)
            shown(when, port)
            if visits:
                told = health(address)
                known = told["sessions"] + told["ready"]
                print(
                    f"{'':14} {visits} visits in {took:.0f} s; {told['processes']} processes for {known} known"
                )


if __name__ == "__main__":
    main()
