"""How long a visitor waits: from asking for a dashboard to a slider that answers.

Run by hand: `.venv/bin/python benchmarks/startup.py [runs]`. It prints medians, bytes and the machine.
A run is a visitor's first: a new browser profile, with nothing in its cache.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from serving import free_port, running

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]

# Looked for in each frame of the page: a test tool's own search comes back only every half second.
FOCUS = """() => {
  const named = (one) => document.getElementById(one.getAttribute("aria-labelledby"))?.textContent.includes("ε");
  const slider = [...document.querySelectorAll("input[type=range]")].find(named);
  if (!slider) return false;
  window.before = document.querySelector(".sdc-big").innerText;
  slider.focus();
  return true;
}"""
ANSWERED = '() => document.querySelector(".sdc-big").innerText !== window.before'
DRAWN = '() => !document.querySelector(".sdc-plot.sdc-empty")'


def visit(browser: Browser, address: str) -> dict[str, float]:
    """Return the seconds to the first slider and to its answer, and the megabytes received."""
    context = browser.new_context(viewport={"width": 1366, "height": 1000})
    page = context.new_page()
    wire = {"http": 0, "websocket": 0}
    answers = []
    page.on("requestfinished", lambda request: answers.append(request))
    page.on(
        "websocket",
        lambda channel: channel.on(
            "framereceived", lambda frame: wire.update(websocket=wire["websocket"] + len(frame))
        ),
    )
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    html = time.perf_counter() - start
    page.wait_for_function(FOCUS, polling="raf", timeout=60_000)
    seen = time.perf_counter() - start
    page.keyboard.press("ArrowRight")
    page.wait_for_function(ANSWERED, polling="raf")
    answered = time.perf_counter() - start
    page.wait_for_function(DRAWN, polling="raf")
    drawn = time.perf_counter() - start
    page.wait_for_load_state("networkidle")
    wire["http"] = sum(request.sizes()["responseBodySize"] for request in answers)
    context.close()
    return {
        "first byte": html,
        "slider seen": seen,
        "slider answers": answered,
        "chart drawn": drawn,
        "MB by HTTP": wire["http"] / 1e6,
        "MB by websocket": wire["websocket"] / 1e6,
    }


def measure(browser: Browser, preheat: int, runs: int) -> list[dict[str, float]]:
    """Return a list of visits to a server of its own, each to a kernel that nobody has used."""
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--preheat", str(preheat)]
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}sdcwidgets/static/plotly.min.js"):
        # The first page of a server's life also pays for the server's own imports.
        urllib.request.urlopen(f"{address}voila/render/explore.ipynb").read()
        # Every notebook has its pool, and all are filled first.
        time.sleep(40 if preheat else 0)
        visits = []
        for _ in range(runs):
            time.sleep(12 if preheat else 2)
            visits.append(visit(browser, f"{address}voila/render/explore.ipynb"))
        return visits


def main() -> None:
    """Measure with cold and with preheated kernels, and print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    version = subprocess.run(
        [chromium, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"Python {platform.python_version()}, {version}; medians of {runs} visits")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, preheat in (("cold kernel", 0), ("preheated", 1)):
            visits = measure(browser, preheat, runs)
            for key in visits[0]:
                values = [item[key] for item in visits]
                middle, low, high = statistics.median(values), min(values), max(values)
                print(f"{name:12} {key:16} {middle:6.2f}   ({low:.2f} to {high:.2f})")
        browser.close()


if __name__ == "__main__":
    main()
