"""How fast a visitor's slider is followed while another one sends hostile messages, beside how fast it is alone.

Run by hand: `python benchmarks/hostile.py [messages]`. It prints both and the machine with its load.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from thirty import PAGE, told

from hostility import attacked
from serving import free_port, running
from visiting import Visitor, connected, get, kernel_of


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
            beside = []
            with attacked(address, pages[0], number) as (attacker, sent):
                while attacker.is_alive():
                    beside.append(visitor.move(slider, 0.3 + 0.01 * (len(beside) % 40)))
    told("a change, alone", alone, 1000, "ms")
    told(f"a change, {len(sent):,} messages", beside, 1000, "ms")


if __name__ == "__main__":
    main()
