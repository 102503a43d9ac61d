"""How fast a visitor's slider is followed while another one sends hostile messages, beside how fast it is alone.

Run by hand: `python benchmarks/hostile.py [messages]`. Both visitors are processes of their own, so that neither
waits for the other one's Python. It prints both times and the machine with its load.

Measured on two cores with nothing else at work, 2026-11: p95 6 ms alone and 15 ms during 10,000 messages in 4 s.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))
from thirty import PAGE, told

from hostility import attacked
from serving import free_port, running
from visiting import Visitor, connected, get, health, kernel_of


def attack(address: str, kernel: str, number: int) -> None:
    """Send so many hostile messages, and say how many were taken."""
    with attacked(address, kernel, number) as (attacker, sent):
        attacker.join()
    print(f"{len(sent):,} hostile messages were sent", flush=True)


def main() -> None:
    """Serve two visitors, let one move a slider alone and then beside the other one's messages."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with running(command, f"{address}health"):
        pages = [kernel_of(get(address + PAGE)[2]) for _ in range(2)]
        with connected(address, pages[1]) as channel:
            visitor = Visitor(channel)
            slider = visitor.slider("ε")
            alone = [visitor.move(slider, 0.3 + 0.01 * (step % 40)) for step in range(60)]
            before, start = health(address)["memory_mb"], time.perf_counter()
            context = multiprocessing.get_context("spawn")
            attacker = context.Process(target=attack, args=(address, pages[0], number))
            attacker.start()
            beside = []
            while attacker.is_alive():
                beside.append(visitor.move(slider, 0.3 + 0.01 * (len(beside) % 40)))
            took, after = time.perf_counter() - start, health(address)["memory_mb"]
    told("a change, alone", alone, 1000, "ms")
    told(f"a change, {number:,} messages", beside, 1000, "ms")
    print(f"{'the attack':28} {took:.0f} s; memory of all {before} MB before, {after} MB after")


if __name__ == "__main__":
    main()
