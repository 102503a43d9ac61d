"""A file of a million records opened in a real browser: how long it takes, and how long the page stands still.

Run it as a script. What is measured: from the moment the file is chosen to the page that shows it, and the longest gap
between two frames meanwhile, which is how long a page that scrolls would have been frozen.

Measured on two cores at a load of 3.4, 2026-11: 2.7 MB of Parquet, shown after 2.8 s, longest gap 67 ms.
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import TimeoutError, sync_playwright

from sdcwidgets.microdata import population

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from serving import free_port, running

RECORDS = 1_000_000
FRAMES = """() => {
  window.longest = 0;
  let last = performance.now();
  const frame = (now) => {
    window.longest = Math.max(window.longest, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def main():
    print("load", os.getloadavg(), "on", os.cpu_count(), "processors")
    folder = Path(tempfile.mkdtemp())
    path = folder / "million.parquet"
    population(RECORDS).without(["household"]).to_parquet(path)
    print(f"{RECORDS:,} records, {path.stat().st_size / 2**20:.1f} MB of Parquet")
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    with running(command, f"{address}sdcwidgets/static/plotly.min.js"), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(f"{address}voila/render/microdata.ipynb")
        page.get_by_text("With 4 keys 1,299 of 2,540").wait_for(timeout=120_000)
        page.evaluate(FRAMES)
        begun = time.perf_counter()
        page.get_by_label("File of records to open").set_input_files(path)
        page.get_by_label("Reading the file").wait_for()
        print(f"a moving bar after {time.perf_counter() - begun:.2f} s")
        try:
            page.get_by_text(re.compile("1,000,000 records of million.parquet")).first.wait_for(
                timeout=60_000
            )
        except TimeoutError:
            page.screenshot(path=str(folder / "failed.png"))
            raise
        print(
            f"shown after {time.perf_counter() - begun:.1f} s; longest gap of frames "
            f"{page.evaluate('window.longest'):.0f} ms"
        )
        page.screenshot(path=str(folder / "million.png"))
        print(folder / "million.png")
        browser.close()


if __name__ == "__main__":
    main()
