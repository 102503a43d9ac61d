"""Thirty visitors at the same moment: how long each waits, how fast sliders are followed, and the memory of all.

Run by hand: `python benchmarks/thirty.py [--visitors 30] [--preheat 0] [--seconds 10] [--no-browser]`. Visitors are
websocket clients that speak as a page does, and one real browser is beside them. It prints the machine with its load.

All of it shares the processors of one machine, though clients and browser would be on the visitors'; so it also prints
who used how much of them. All move their sliders for the first time at the same moment, and then every 0.4 s or so.

Measured on two cores, 2026-11, none preheated: 95 % of the first answers of a slider take at most 2.7 s (aim 5), 95 %
of the changes at most 81 ms while all move (aim 150), and a visitor takes 36 to 40 MB (aim 40). A visit then took
0.02 s of the server's processor time and 0.07 s of its kernel's, a change 2 ms and 6 ms. Three alternated pairs with
commit abab488e, on a slower machine: first answer 4.7 s (before 4.9), change 50 ms (before 77), and memory 40 MB
(before 34).
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))
from startup import ANSWERED, FLAGS, FOCUS, SLIDERS

from serving import free_port, running
from visiting import Visitor, connected, get, health, kernel_of

PAGE = "voila/render/explore.ipynb"


def seconds_of_cpu() -> dict[str, float]:
    """Return what each part of this benchmark has used of the processors so far.

    A process that has ended counts no more; the browser's are taken together with what drives it.
    """
    used = {"server": 0.0, "kernels": 0.0, "clients": sum(psutil.Process().cpu_times()[:2]), "browser": 0.0}
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            serves = "serve" in child.cmdline()
            used["server" if serves else "browser"] += sum(child.cpu_times()[:2])
            for other in child.children(recursive=True):
                with suppress(psutil.Error):
                    used["kernels" if serves else "browser"] += sum(other.cpu_times()[:2])
    return used


def visit(address: str, begin: threading.Barrier, until: float, waited: list, moved: list) -> None:
    """Open a page with all others, wait for the first answer of its slider, and move it for some seconds."""
    begin.wait()
    start = time.perf_counter()
    kernel = kernel_of(get(address + PAGE)[2])
    draw = random.Random(kernel)
    with connected(address, kernel, timeout=120) as channel:
        visitor = Visitor(channel)
        slider = visitor.slider("ε")
        visitor.move(slider, 0.31)
        if not visitor.followed:
            raise RuntimeError("nothing on the page followed the slider")
        waited.append(time.perf_counter() - start)
        begin.wait()
        end = time.monotonic() + until
        while time.monotonic() < end:
            moved.append(visitor.move(slider, round(draw.uniform(0.1, 0.9), 2)))
            time.sleep(draw.uniform(0.2, 0.6))
        begin.wait()


def look(address: str, said: dict[str, list[float]]) -> None:
    """Open the page in a browser; note the seconds until its slider answers, and until each change is drawn."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page()
        start = time.perf_counter()
        page.goto(address + PAGE, timeout=120_000, wait_until="commit")
        page.wait_for_function(FOCUS, arg=SLIDERS["explore"], polling="raf", timeout=120_000)
        for key in ("ArrowRight", *["ArrowRight", "ArrowLeft"] * 10):
            pressed = time.perf_counter()
            page.evaluate("window.before = window.said()")
            page.keyboard.press(key)
            page.wait_for_function(ANSWERED, polling="raf", timeout=120_000)
            said.setdefault("change", []).append(time.perf_counter() - pressed)
            said.setdefault("answer", [time.perf_counter() - start])
            time.sleep(0.2)
        browser.close()


def told(name: str, times: list[float], unit: float, sign: str) -> None:
    """Print the median, the 95th percentile and the most of some times."""
    high = sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]
    middle, most = statistics.median(times), max(times)
    print(
        f"{name:28} p50 {middle * unit:7.2f} {sign}  p95 {high * unit:7.2f}  most {most * unit:7.2f}  n = {len(times)}"
    )


@contextmanager
def split() -> Iterator[None]:
    """Print which part used how much of the processors in a block."""
    start, before = time.perf_counter(), seconds_of_cpu()
    yield
    took, after = time.perf_counter() - start, seconds_of_cpu()
    parts = ", ".join(f"{name} {max(0.0, after[name] - before[name]):.1f}" for name in after)
    print(f"{'':28} seconds of CPU in {took:.1f} s: {parts}")


def main() -> None:
    """Serve, let all come at once, move sliders, leave, and print what that took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--visitors", type=int, default=30)
    options.add_argument("--preheat", type=int, default=0)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--no-browser", dest="browser", action="store_false")
    asked = options.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--preheat", str(asked.preheat), "--visitors", str(asked.visitors + 2)]
    print(
        f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, preheat {asked.preheat}"
    )
    with running(command, f"{address}health"), ExitStack() as stack:
        # The first page of a server's life also pays for what the server imports and packs.
        get(address + PAGE)
        until = time.monotonic() + 120
        while health(address)["ready"] < asked.preheat and time.monotonic() < until:
            time.sleep(0.5)
        before = health(address)
        begin = threading.Barrier(asked.visitors + 1, timeout=300)
        waited: list[float] = []
        moved: list[float] = []
        arguments = (address, begin, asked.seconds, waited, moved)
        threads = [threading.Thread(target=visit, args=arguments, daemon=True) for _ in range(asked.visitors)]
        for thread in threads:
            thread.start()
        said: dict[str, list[float]] = {}
        if asked.browser:
            browser = threading.Thread(target=look, args=(address, said), daemon=True)
            browser.start()
            stack.callback(browser.join, 120)
        with split():
            begin.wait()
            begin.wait()
            told("a slider that answers", waited, 1, "s")
        with split():
            begin.wait()
            told("a change, all moving", moved, 1000, "ms")
        after = health(address)
        more = (after["memory_mb"] - before["memory_mb"]) / asked.visitors
        print(f"{'memory of a visitor':28} {more:.0f} MB more, {after['memory_mb']} MB in all")
    if said:
        told("a browser's first answer", said["answer"], 1, "s")
        told("a browser's changes, drawn", said["change"][1:], 1000, "ms")


if __name__ == "__main__":
    main()
