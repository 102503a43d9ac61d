"""How long a visitor waits: from asking for a dashboard to its first true picture, and to a slider that answers.

Run by hand: `.venv/bin/python benchmarks/startup.py [runs [page]]`. It prints medians, bytes and the machine.
The picture is true once the answer of the lead and a number of the stage, or what stands for its chart, are painted.
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

#: A slider of each page that is measured.
SLIDERS = {"explore": "ε", "protect": "Rounding base b", "sample": "Sampling fraction n/N"}

# Looked for in each frame of the page: a test tool's own search comes back only every half second.
FOCUS = """(name) => {
  const named = (one) => document.getElementById(one.getAttribute("aria-labelledby"))?.textContent.includes(name);
  const slider = [...document.querySelectorAll("input[type=range]")].find(named);
  if (!slider?.checkVisibility({ visibilityProperty: true })) return false;
  window.said = () => [...document.querySelectorAll(".sdc-lead, .sdc-grid")].map((one) => one.innerText).join();
  window.before = window.said();
  slider.focus();
  return true;
}"""
ANSWERED = "() => window.said() !== window.before"
# What comes with the HTML stands in a tree that is closed to scripts. A frame in which it is there paints it.
PICTURE = """const internals = HTMLElement.prototype.attachInternals;
const roots = [document];
HTMLElement.prototype.attachInternals = function () {
  const found = internals.call(this);
  if (found.shadowRoot) roots.push(found.shadowRoot);
  return found;
};
const seen = (part) => part?.checkVisibility({ visibilityProperty: true }) && (part.textContent || part.value);
const look = () => {
  const parts = [".sdc-lead-answer", ".sdc-stage :is(td input, .sdc-plot)"];
  const there = roots.some((root) => parts.every((one) => seen(root.querySelector(one))));
  if (there) window.pictured = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);"""
SCRIPTS = """() => performance.getEntriesByType("resource").filter(({ name }) => /[.]js([?]|$)/.test(name))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
DRAWN = '() => !document.querySelector(".sdc-plot.sdc-empty")'


def visit(browser: Browser, address: str) -> dict[str, float]:
    """Return the seconds to the first picture, the first slider and its answer, and the megabytes received."""
    context = browser.new_context(viewport={"width": 1366, "height": 1000})
    page = context.new_page()
    page.add_init_script(PICTURE)
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
    slider = next(name for page_name, name in SLIDERS.items() if page_name in address)
    page.wait_for_function(FOCUS, arg=slider, polling="raf", timeout=60_000)
    seen = time.perf_counter() - start
    page.keyboard.press("ArrowRight")
    page.wait_for_function(ANSWERED, polling="raf")
    answered = time.perf_counter() - start
    scripts = page.evaluate(SCRIPTS)
    page.wait_for_function(DRAWN, polling="raf")
    drawn = time.perf_counter() - start
    page.wait_for_load_state("networkidle")
    pictured = page.evaluate("pictured") / 1000
    wire["http"] = sum(request.sizes()["responseBodySize"] for request in answers)
    context.close()
    return {
        "first byte": html,
        "first picture": pictured,
        "slider seen": seen,
        "slider answers": answered,
        "chart drawn": drawn,
        "MB of script": scripts / 1e6,
        "MB by HTTP": wire["http"] / 1e6,
        "MB by websocket": wire["websocket"] / 1e6,
    }


def measure(browser: Browser, preheat: int, runs: int, page: str) -> list[dict[str, float]]:
    """Return a list of visits to a server of its own, each to a kernel that nobody has used."""
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--preheat", str(preheat)]
    address = f"http://127.0.0.1:{port}/"
    with running(command, f"{address}sdcwidgets/static/plotly.min.js"):
        # The first page of a server's life also pays for the server's own imports.
        urllib.request.urlopen(f"{address}voila/render/{page}.ipynb").read()
        # What is made ready for all visitors is there first.
        time.sleep(20)
        visits = []
        for _ in range(runs):
            time.sleep(12 if preheat else 2)
            visits.append(visit(browser, f"{address}voila/render/{page}.ipynb"))
        return visits


def main() -> None:
    """Measure with cold and with preheated kernels, and print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    page = sys.argv[2] if len(sys.argv) > 2 else "explore"
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    version = subprocess.run(
        [chromium, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"Python {platform.python_version()}, {version}; medians of {runs} visits to {page}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, preheat in (("cold kernel", 0), ("preheated", 1)):
            visits = measure(browser, preheat, runs, page)
            for key in visits[0]:
                values = [item[key] for item in visits]
                middle, low, high = statistics.median(values), min(values), max(values)
                print(f"{name:12} {key:16} {middle:6.2f}   ({low:.2f} to {high:.2f})")
        browser.close()


if __name__ == "__main__":
    main()
