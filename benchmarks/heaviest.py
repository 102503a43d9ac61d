"""The heaviest honest work of each page: how long it takes, and what another visitor waits meanwhile.

Run by hand: `python benchmarks/heaviest.py [--pages rounding,protect]`. One visitor gives a page the largest table it
takes and asks for what takes longest there; another one moves the slider of Explore every 0.3 s. For each page it
prints the other visitor's median, p95 and longest wait, the seconds until the page had answered all and until its
process was idle again, its processor time and memory, and what the page refused. The first line is the other visitor
alone.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import psutil
from websocket import WebSocketTimeoutException

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from serving import free_port, running
from visiting import Visitor, connected, get, kernel_of

DRAW = np.random.default_rng(1)

#: Seconds after which nobody waits any more for a page.
PATIENCE = 60

#: How often the other visitor moves the slider at least while one page works.
WAITS = 40


def pasted(rows: int, columns: int, mean: float = 3.0) -> bytes:
    """Return a table of random counts."""
    counts = DRAW.poisson(mean, (rows, columns))
    head = ",".join(["Area", *(f"c{j}" for j in range(columns))])
    lines = (",".join([f"a{i}", *map(str, row)]) for i, row in enumerate(counts))
    return "\n".join([head, *lines]).encode()


def long_table(*shape: int) -> bytes:
    """Return a table of several axes as a long one."""
    counts = DRAW.poisson(5.0, shape)
    lines = (
        ",".join([*(f"{'ABCD'[k]}{i}" for k, i in enumerate(where)), str(counts[where])])
        for where in np.ndindex(shape)
    )
    return "\n".join([",".join(["Area", "Age", "Sex", "Status"][: len(shape)]) + ",Persons", *lines]).encode()


def people(rows: int) -> bytes:
    """Return a file of one row a person."""
    drawn = zip(DRAW.integers(0, 50, rows), DRAW.integers(0, 20, rows), strict=True)
    return ("Area,Age\n" + "\n".join(f"a{i},b{j}" for i, j in drawn)).encode()


class Heavy(Visitor):
    """A visitor who asks for much."""

    def file(self, content: bytes, **choices: object) -> None:
        """Open a file in the bar of sources, and answer what is asked about it."""
        source = self.widget(lambda state: "kinds" in state)
        kind = next(one["kind"] for one in self.widgets[source]["kinds"] if one["asks"] == "file")
        self.say(source, {"type": "given", "kind": kind, "name": "heavy.csv"}, content)
        if choices:
            self.say(source, {"type": "choose", "choices": choices})

    def listen(self, seconds: float) -> None:
        """Take what comes for so long, as a browser does."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.channel.settimeout(left)
            with suppress(WebSocketTimeoutException):
                self.channel.recv()
        self.channel.settimeout(PATIENCE)

    def tab(self, number: int) -> None:
        """Open a tab, counted from 0, which builds its content."""
        bar = self.widget(lambda state: "names" in state and "opened" in state)
        self.say(bar, {"type": "open", "index": number})

    def ahead(self) -> None:
        """Press the blue button."""
        self.say(self.widget(lambda state: "ahead" in state), {"type": "next"})

    def press(self, label: str) -> None:
        """Press the button whose name begins so, and wait until its work is done: whatever follows would end it."""
        row = self.widget(lambda state: any(one.startswith(label) for one in state.get("labels", ())))
        (place, *_) = (k for k, one in enumerate(self.widgets[row]["labels"]) if one.startswith(label))
        self.say(row, {"type": "press", "index": place})
        end = time.monotonic() + PATIENCE
        while Visitor(self.channel).widgets[row].get("progress", [0, 0])[1] and time.monotonic() < end:
            self.listen(1)

    def fill(self, title: str, cells: list[tuple[int, int, str]]) -> None:
        """Type into a grid."""
        grid = self.widget(lambda state: state.get("frame", {}).get("title") == title)
        self.say(grid, {"type": "edit", "turn": 1, "cells": cells})

    def set(self, label: str, value: object) -> None:
        """Move a control."""
        self.move(self.slider(label), value)  # type: ignore[arg-type]


def explore(visitor: Heavy) -> None:
    visitor.file(pasted(50, 50))
    visitor.set("ε", 0.4)


def counted(visitor: Heavy) -> None:
    visitor.file(people(600_000), by=["Area", "Age"])


def protect(visitor: Heavy) -> None:
    visitor.file(pasted(50, 50))
    visitor.set("Replications", 100_000)
    visitor.press("Compare all methods")


def rounding(visitor: Heavy) -> None:
    visitor.file(long_table(6, 6, 5, 5), by=["Area", "Age", "Sex", "Status"], count="Persons")
    visitor.set("Steps K", 1)


def suppression(visitor: Heavy) -> None:
    visitor.file(pasted(20, 20, 2.0))
    visitor.set("Minimum interval width", 3)
    visitor.tab(2)
    visitor.press("Apply the optimal pattern")


def cell_key(visitor: Heavy) -> None:
    visitor.file(pasted(50, 50))
    visitor.set("Maximum noise D", 25)
    visitor.set("Variance V", 100)
    visitor.tab(3)
    visitor.set("Unpublished counts", 8)
    visitor.ahead()


def sample(visitor: Heavy) -> None:
    visitor.tab(2)
    visitor.file(pasted(50, 50))
    visitor.tab(4)
    visitor.set("Terms of the log-linear model", "two-way")
    visitor.tab(3)
    visitor.press("Draw all")


def attack(visitor: Heavy) -> None:
    visitor.file(pasted(20, 20))
    visitor.tab(2)
    visitor.press("Start the automated attack")


def microdata(visitor: Heavy) -> None:
    visitor.tab(4)
    visitor.press("Sample of a known")
    visitor.set("Number of households in the sample", 5000)
    visitor.tab(1)
    visitor.set("Terms of the log-linear model", "two-way")
    visitor.press("Draw 40 samples")
    visitor.press("Search interactions")
    visitor.set("Suppress values until", True)


def tables(visitor: Heavy) -> None:
    visitor.press("Study hypercube")
    visitor.set("Columns", "Sex")
    visitor.ahead()


def weights(visitor: Heavy) -> None:
    visitor.tab(1)
    visitor.file(pasted(50, 50))
    visitor.set("Viewing angle of the chart (degrees)", 60)


def who(visitor: Heavy) -> None:
    visitor.set("Number of cells", 8)
    visitor.fill("Original and published counts", [(row, j, "1250") for row in range(2) for j in range(8)])
    visitor.tab(1)
    visitor.tab(0)
    visitor.press("Average over")


def literature(visitor: Heavy) -> None:
    for group in visitor.widgets[visitor.slider("For")]["spec"]["options"]:
        visitor.set("For", group)
        now = Visitor(visitor.channel)
        for name in now.widgets[now.slider("Measure")]["spec"]["options"]:
            visitor.set("Measure", name)
            visitor.set("Number of people known to the intruder (m)", 20)


def divergences(visitor: Heavy) -> None:
    visitor.set("Categories", 8)
    visitor.tab(3)
    visitor.set("Number of people added to the cell", 10)


def third_term(visitor: Heavy) -> None:
    visitor.set("Number of people (N)", 10_000)


#: A page and what is asked there.
DEEDS: dict[str, tuple[str, Callable[[Heavy], None]]] = {
    "explore": ("a table of 50 × 50", explore),
    "counted": ("a file of 600,000 people", counted),
    "protect": ("a sweep on 50 × 50, 100,000 draws", protect),
    "rounding": ("controlled rounding of 4 axes", rounding),
    "suppression": ("gaps in 20 × 20", suppression),
    "cell_key": ("a p-table at its limits, 50 × 50", cell_key),
    "sample": ("a model of two-way terms, 50 × 50", sample),
    "attack": ("all attacks on 20 × 20", attack),
    "microdata": ("5,000 households, 40 samples", microdata),
    "tables": ("the study of the hypercube", tables),
    "weights": ("a table of 50 × 50", weights),
    "who": ("8 cells of 10,000 people, averaged", who),
    "literature": ("each measure, 20 people known", literature),
    "divergences": ("8 categories, 10 people", divergences),
    "third_term": ("10,000 people", third_term),
}


class Neighbour(threading.Thread):
    """Another visitor, who moves a slider until it is enough."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address, self.waits, self.enough = address, list[float](), threading.Event()

    def run(self) -> None:
        kernel = kernel_of(get(f"{self.address}voila/render/explore.ipynb")[2])
        draw = random.Random(1)
        with connected(self.address, kernel, timeout=PATIENCE) as channel:
            visitor = Visitor(channel)
            slider = visitor.slider("ε")
            while not self.enough.wait(0.3):
                self.waits.append(visitor.move(slider, round(draw.uniform(0.1, 0.9), 2)))

    def since(self, start: int) -> str:
        """Return how long the waits were, from the one numbered so."""
        waits = sorted(self.waits[start:]) or [float("nan")]
        p95 = waits[min(len(waits) - 1, int(0.95 * len(waits)))]
        parts = (statistics.median(waits), p95, waits[-1])
        return f"{len(waits):4} waits, {', '.join(f'{1000 * part:.0f}' for part in parts)} ms"


def used(process: psutil.Process) -> float:
    """Return the seconds of processor time that a process has used."""
    return float(sum(process.cpu_times()[:2]))


@contextmanager
def page(address: str, name: str):
    """Open a page; give its visitor and its process."""
    kernel = kernel_of(get(f"{address}voila/render/{name}.ipynb")[2])
    process = max(psutil.Process().children(recursive=True), key=psutil.Process.create_time)
    with connected(address, kernel, timeout=PATIENCE) as channel:
        yield Heavy(channel), process


def main() -> None:
    """Print a line a page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", default=",".join(DEEDS))
    asked = options.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with running(command, f"{address}health"):
        other = Neighbour(address)
        other.start()
        while len(other.waits) < 30:
            time.sleep(1)
        print(f"{'nobody':12} {'':36} {other.since(5)}", flush=True)
        for name in asked.pages.split(","):
            what, deed = DEEDS[name]
            with page(address, "explore" if name == "counted" else name) as (visitor, process):
                time.sleep(1)
                start, first, cpu = time.monotonic(), len(other.waits), used(process)
                said = ""
                try:
                    deed(visitor)
                except (StopIteration, ValueError, OSError) as error:
                    said = f"; the page has changed: {error!r}"
                answered = time.monotonic() - start
                peak, now = 0, used(process)
                while time.monotonic() - start < PATIENCE and process.is_running():
                    visitor.listen(1)
                    peak, last, now = max(peak, process.memory_info().rss), now, used(process)
                    if now - last < 0.1:
                        break
                took = time.monotonic() - start - 1
                while len(other.waits) < first + WAITS:
                    visitor.listen(1)
                for state in Visitor(visitor.channel).widgets.values():
                    refused = state.get("problem") or state.get("status") or ""
                    said += f"; {refused}" if refused else ""
                print(
                    f"{name:12} {what:36} {other.since(first)}; answered after {answered:.1f} s, "
                    f"idle after {took:.1f} s, {now - cpu:.1f} s of processor, {peak / 2**20:.0f} MB, "
                    f"load {os.getloadavg()[0]:.1f}{said}",
                    flush=True,
                )
        other.enough.set()
        other.join()


if __name__ == "__main__":
    main()
