"""From a change to the repaint of everything, in Chromium and this project's server: a slider, a cell, a fast drag.

Run by hand: `python benchmarks/latency.py [--slowed 4]`; the number says how many times slower Chromium's processor is.
It prints medians and 95th percentiles in milliseconds with the machine. A change is repainted when the frame is painted
that shows it in the last of the number, the grid and the charts seen.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nbformat
from playwright.sync_api import Page, sync_playwright

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]

# Runs a change and resolves with how long it took until the last thing that follows it was painted.
WATCH = """
const watch = (change) => new Promise((done) => {
  const start = performance.now();
  let last = 0;
  const now = () => { last = performance.now(); };
  // A message posted in a frame is heard right after that frame was painted.
  const seen = () => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = now;
    port2.postMessage(0);
  });
  const marks = new MutationObserver(seen);
  for (const part of document.querySelectorAll('.sdc-formula, .sdc-grid table'))
    marks.observe(part, { childList: true, subtree: true, characterData: true });
  document.addEventListener('sdc:drawn', seen);
  change();
  const stop = () => {
    marks.disconnect();
    document.removeEventListener('sdc:drawn', seen);
    done(last - start);
  };
  setTimeout(stop, 700);
});
const slider = (label) => [...document.querySelectorAll('input[type=range]')].find(
  (one) => document.getElementById(one.getAttribute('aria-labelledby'))?.textContent === label);
const slide = (label, value) => {
  const one = slider(label);
  one.value = value;
  one.dispatchEvent(new Event('input', { bubbles: true }));
};
"""

SLIDE = f"([label, value]) => {{ {WATCH} return watch(() => slide(label, value)); }}"

TYPE = f"""([row, column, text]) => {{ {WATCH}
  const field = document.querySelector('.sdc-grid tbody').rows[row].querySelectorAll('input')[column];
  field.focus();
  return watch(() => {{
    field.value = text;
    field.dispatchEvent(new Event('input', {{ bubbles: true }}));
    field.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true }}));
  }});
}}"""

# Drags for a second as fast as frames allow, and says how long after the release the last position was shown.
DRAG = f"""([label]) => {{ {WATCH}
  return new Promise((done) => {{
    const begin = performance.now();
    const step = () => {{
      const now = performance.now();
      if (now - begin < 1000) {{
        slide(label, (0.3 + 0.5 * Math.abs(Math.sin((now - begin) / 150))).toFixed(2));
        requestAnimationFrame(step);
      }} else watch(() => {{}}).then((after) => done(Math.max(0, after)));
    }};
    requestAnimationFrame(step);
  }});
}}"""

CELLS = {
    "protect 10 x 9": """
from sdcwidgets.dashboards import protect
protect.app()
""",
    "10 x 11": """
from sdcwidgets import examples
from sdcwidgets.dashboards import explore
explore.app(examples.load("travel"))
""",
    "50 x 50": """
import numpy as np
from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import explore
explore.app(FrequencyTable(np.random.default_rng(1).poisson(8, (50, 50))))
""",
}


def told(times: list[float]) -> str:
    """Return the median and the 95th percentile."""
    high = sorted(times)[int(0.95 * len(times))]
    return f"p50 {statistics.median(times):5.0f}   p95 {high:5.0f}   (n = {len(times)})"


def measure(page: Page, script: str, changes: list[list[object]]) -> list[float]:
    """Return how long each change took, the first three left out."""
    times = []
    for change in changes:
        times.append(page.evaluate(script, change))
        page.wait_for_timeout(60)
    return times[3:]


def wait_for(address: str) -> None:
    """Wait until a server answers, for at most a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"No server answers at {address}.")


def main() -> None:
    """Serve each table, change it many times, and print how long it took."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=40)
    options.add_argument("--slowed", type=float, default=1)
    asked = options.parse_args()
    repeats = asked.repeats
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for name, code in CELLS.items():
            cells = [nbformat.v4.new_code_cell(code)]
            nbformat.write(
                nbformat.v4.new_notebook(cells=cells), Path(folder) / f"{name.replace(' ', '')}.ipynb"
            )
        port = 8987
        code = f"from pathlib import Path; from sdcwidgets.server.app import serve; serve(Path({folder!r}), "
        command = [sys.executable, "-c", f"{code}host='127.0.0.1', port={port})"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        print(
            json.dumps({"machine": platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()[0]})
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/")
            for name in CELLS:
                page = browser.new_page(viewport={"width": 1366, "height": 1000})
                page.context.new_cdp_session(page).send(
                    "Emulation.setCPUThrottlingRate", {"rate": asked.slowed}
                )
                page.goto(
                    f"http://127.0.0.1:{port}/voila/render/{name.replace(' ', '')}.ipynb", timeout=60_000
                )
                page.wait_for_selector(".sdc-big, .sdc-lead-answer", timeout=60_000)
                page.wait_for_timeout(3000)
                if "protect" in name:
                    bases = [["Rounding base b", str(2 + i % 17)] for i in range(repeats)]
                    print(f"{name}  base    {told(measure(page, SLIDE, bases))}")
                    page.close()
                    continue
                positions = [["ε", f"{0.3 + 0.05 * (i % 9):.2f}"] for i in range(repeats)]
                print(f"{name}  slider  {told(measure(page, SLIDE, positions))}")
                weights = [["Unevenness w₂", f"{0.3 + 0.01 * (i % 40):.2f}"] for i in range(repeats)]
                print(f"{name}  weight  {told(measure(page, SLIDE, weights))}")
                counts = [[i % 10, (3 * i) % 9, str(20 + i)] for i in range(repeats)]
                print(f"{name}  cell    {told(measure(page, TYPE, counts))}")
                after = [page.evaluate(DRAG, ["Unevenness w₂"]) for _ in range(5)]
                print(f"{name}  drag    from the release to the last paint: {told(after)}")
                page.close()
        finally:
            browser.close()
            server.terminate()


if __name__ == "__main__":
    main()
