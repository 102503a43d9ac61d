"""Take the pictures of pages and lessons that the documentation shows: `make pictures`.

`sdcwidgets serve` shows each page, and Chromium takes the picture. The pictures are committed, so that the
documentation can be built without a browser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from sdcwidgets.dashboards import notebook_pages

PICTURES = Path(__file__).parents[1] / "pictures"

#: Shows the parts of a lesson that wait for an answer.
UNHIDE = """() => {
    for (const part of document.querySelectorAll("[hidden]")) part.hidden = false;
    for (const part of document.querySelectorAll(".sdc-later")) part.classList.remove("sdc-later");
}"""

#: Width and height of a picture of a page, in pixels.
WIDTH, HEIGHT = 1200, 760

#: Quality of the JPEG files, in percent.
QUALITY = 70

#: What is photographed in a lesson: the place of the first chart or table.
LESSON_PART = ".sdc-plot, .sdc-grid"


def ready(page: Page) -> None:
    """Wait until the page shows numbers, and all charts in sight are drawn."""
    page.locator(".sdc-page :is(.sdc-big, .sdc-number, .sdc-value, .sdc-grid td)").first.wait_for()
    page.wait_for_function(
        """() => [...document.querySelectorAll(".sdc-plot")].every((plot) => {
            const { top, bottom, width } = plot.getBoundingClientRect();
            return !width || bottom < 0 || top > innerHeight || plot.querySelector(".main-svg");
        })"""
    )


def take(page: Page, root: str) -> None:
    """Take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for entry in notebook_pages.dashboards():
        page.goto(f"{root}voila/render/{entry.notebook}")
        ready(page)
        page.screenshot(path=PICTURES / f"{entry.name}.jpg", type="jpeg", quality=QUALITY)
        print(entry.name)
    for entry in notebook_pages.lessons():
        page.goto(f"{root}voila/render/{entry.notebook}")
        page.locator(LESSON_PART).first.wait_for(state="attached")
        page.evaluate(UNHIDE)
        part = page.locator(LESSON_PART).first
        part.scroll_into_view_if_needed()
        part.evaluate("(part) => scrollBy(0, part.getBoundingClientRect().top - 120)")
        part.locator(".main-svg, td").first.wait_for()
        page.screenshot(path=PICTURES / f"{entry.name}.jpg", type="jpeg", quality=QUALITY)
        print(entry.name)


def main() -> None:
    """Start a server and a browser, and take all pictures."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise SystemExit("Chromium is missing. Install it, or set CHROMIUM to its path.")
    port = int(os.environ.get("PORT", "8877"))
    root = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server, sync_playwright() as playwright:
        try:
            while server.poll() is None:
                try:
                    urllib.request.urlopen(f"{root}health", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.2)
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            page.set_default_timeout(120_000)
            take(page, root)
            browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
