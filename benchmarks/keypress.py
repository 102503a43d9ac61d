"""From the press of a key to the paint of what follows, in Chromium over Voila, in milliseconds.

The sample lab: the fraction moved by an arrow key, until its first cloud is painted; aim 150 ms. Suppress with a table
of 100 cells: the new intervals after one of them is suppressed or freed, by a key and by a click; aim 150 ms. Microdata
risk with 100,000 records: a key variable added or left out by the space bar, until each part of the page that is seen
was painted anew; aim 200 ms. Run it as a script. A page that does nothing but paint after a key press is the baseline:
what the browser alone needs.

Measured on two cores with nothing else at work (load 1 to 3), 2026-11, medians: baseline 4 ms; first cloud 142 ms, from
91 to 188; everything on Microdata risk 131 ms, from 110 to 152; new intervals on Suppress 86 ms by key, 87 ms by click.
At a load of 5 to 10 all take twice as long.
"""

import argparse
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from serving import free_port, running

TIMES = 15
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]

# Notes for each named part when a frame was first painted that shows it changed; the press of a key starts the clock.
WATCH = """(parts) => {
  window.pressed = null;
  window.painted = {};
  const note = (name) => {
    if (window.pressed === null || name in window.painted) return;
    window.painted[name] = null;
    // A message posted in a frame is heard right after that frame was painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.painted[name] = performance.now() - window.pressed; };
      port2.postMessage(0);
    });
  };
  for (const [name, where] of Object.entries(parts)) {
    const part = document.querySelector(where);
    if (part.classList.contains('sdc-plot')) part.addEventListener('sdc:drawn', () => note(name));
    else new MutationObserver(() => note(name)).observe(
      part, { childList: true, subtree: true, characterData: true, attributes: true });
  }
  for (const kind of ['keydown', 'pointerup']) document.addEventListener(kind, (event) => {
    window.painted = {};
    window.pressed = event.timeStamp;
  }, true);
}"""

MICRODATA = """
from sdcwidgets.dashboards import microdata
from sdcwidgets.microdata import population
microdata.app(population(100_000).without(["household"]))
"""

SUPPRESSION = """
import numpy as np
from sdcwidgets.dashboards import suppression
from sdcwidgets.tables.table import FrequencyTable
rng = np.random.default_rng(1)
suppression.app(FrequencyTable(rng.poisson(rng.gamma(0.7, 20, (10, 10)))))
"""

SAMPLE = """
from sdcwidgets.dashboards.sample import page as sample
sample.app()
"""

ECHO = """
from IPython.display import HTML
HTML('<button id="echo" onkeydown="this.textContent += 1">press</button>')
"""


def presses(
    page: Page, keys: list[str], parts: dict[str, str], rest: int, clicked: Locator | None = None
) -> dict[str, list[float]]:
    """Press one key after the other, or click, and return for each part how long it took.

    Two presses warm up; after each press the page has `rest` milliseconds to come to its end.
    """
    page.evaluate(WATCH, parts)
    found: dict[str, list[float]] = {name: [] for name in parts}
    for number in range(TIMES + 2):
        if clicked is None:
            page.keyboard.press(keys[number % len(keys)])
        else:
            clicked.click()
        page.wait_for_timeout(rest)
        painted = page.evaluate("window.painted")
        for name in parts:
            if number >= 2 and painted.get(name) is not None:
                found[name].append(painted[name])
    return found


def tell(what: str, aim: str, times: list[float]) -> None:
    """Print the median and the range of one measure."""
    if not times:
        print(f"  {what}: did not change")
        return
    print(
        f"  {what}: median {statistics.median(times):.0f} ms, from {min(times):.0f} to {max(times):.0f}"
        f" (n = {len(times)}){aim}",
        flush=True,
    )


def sample_lab(page: Page, address: str) -> None:
    """Time the first cloud after a moved fraction."""
    page.goto(f"{address}voila/render/sample.ipynb")
    page.locator(".sdc-lead-answer", has_text="From this sample").wait_for(timeout=120_000)
    page.wait_for_timeout(5000)
    page.get_by_role("slider", name=re.compile("Sampling fraction")).focus()
    cloud = '.sdc-plot[aria-label^="Disclosure risk of the sample, by estimated population"]'
    print("sample lab, the fraction moved by a key")
    found = presses(page, ["ArrowRight", "ArrowLeft"], {"first cloud": cloud}, 2000)
    tell("first cloud painted", ", aim 150", found["first cloud"])


def microdata(page: Page, address: str) -> None:
    """Time everything that follows a key variable that is added or left out."""
    page.goto(f"{address}voila/render/many.ipynb")
    switch = page.get_by_role("checkbox", name=re.compile("^sex"))
    switch.wait_for(timeout=120_000)
    page.get_by_role("tab").nth(1).click()
    page.get_by_role("radio", name="Main effects").check(force=True)
    page.wait_for_timeout(5000)
    page.get_by_role("tab").nth(0).click()
    switch.focus()
    parts = {
        "chart of the keys": '.sdc-plot[aria-label^="Number of unique records by number of key variables"]',
        "estimates": 'ul[aria-label="True and estimated numbers of correct matches"]',
        "riskiest records": 'ul[aria-label="Riskiest records"]',
    }
    print("microdata risk, 100,000 records, a key variable added or left out by a key")
    found = presses(page, ["Space"], parts, 1500)
    for name, times in found.items():
        tell(name, "", times)
    tell("everything", ", aim 200", [max(each) for each in zip(*filter(None, found.values()), strict=False)])


def suppression(page: Page, address: str) -> None:
    """Time the new intervals of 100 cells after a cell is suppressed or freed, by a key and by a click."""
    page.goto(f"{address}voila/render/hundred.ipynb")
    table = page.get_by_role("table", name="Published table")
    cell = table.get_by_role("button").nth(14)
    cell.wait_for(timeout=120_000)
    page.wait_for_timeout(5000)
    parts = {
        "intervals": ".sdc-board-wide table",
        "answer": ".sdc-big",
    }
    print("suppress, 100 cells, one of them suppressed or freed")
    for how in ("key", "click"):
        cell.focus()
        found = presses(page, ["Space"], parts, 1500, cell if how == "click" else None)
        tell(f"new intervals after a {how}", ", aim 150", found["intervals"])


def echo(page: Page, address: str) -> None:
    """Time a page that paints one more character at each press."""
    page.goto(f"{address}voila/render/echo.ipynb")
    page.locator("#echo").focus(timeout=60_000)
    print("a button that paints a character, no Python")
    tell("painted", "", presses(page, ["a"], {"echo": "#echo"}, 200)["echo"])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "what", nargs="*", help="echo, sample_lab, microdata, suppression; all of them if none is named"
    )
    wanted = options.parse_args().what
    print("load", os.getloadavg(), "on", os.cpu_count(), "processors")
    with tempfile.TemporaryDirectory() as folder:
        for name, code in (("many", MICRODATA), ("echo", ECHO), ("sample", SAMPLE), ("hundred", SUPPRESSION)):
            cells = [nbformat.v4.new_code_cell(code)]
            nbformat.write(nbformat.v4.new_notebook(cells=cells), Path(folder) / f"{name}.ipynb")
        port = free_port()
        address = f"http://127.0.0.1:{port}/"
        command = [sys.executable, "-m", "voila", folder, f"--port={port}", "--no-browser"]
        with running(command, address), sync_playwright() as playwright:
            path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            for measure in (echo, sample_lab, microdata, suppression):
                if wanted and measure.__name__ not in wanted:
                    continue
                page = browser.new_page(viewport={"width": 1366, "height": 1000})
                measure(page, address)
                print("  load", os.getloadavg()[0])
                page.close()
            browser.close()


if __name__ == "__main__":
    main()
