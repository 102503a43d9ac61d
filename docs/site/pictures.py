"""Take the pictures of pages and lessons that the documentation shows: `make pictures`.

`python docs/site/pictures.py NAME...` takes only the pictures with these names, for example `explore`.

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from sdcwidgets.dashboards import notebook_pages

PICTURES = Path(__file__).parents[1] / "pictures"

#: Picture of the page Explore in the README, which has the size of a small screen.
README_PICTURE = PICTURES.parent / "explore.png"

#: Shows the parts of a lesson that wait for an answer.
SHOW_ALL_PARTS = """() => {
    for (const part of document.querySelectorAll(".sdc-later")) part.classList.remove("sdc-later");
}"""

#: Course that the picture of the trainer view shows, and the access key of its trainer.
COURSE, TRAINER_KEY = "frequency-tables-and-entropy", "cedar-2026"

#: Width and height of a picture of a page, in pixels.
WIDTH, HEIGHT = 1200, 760

#: Quality of the JPEG files, in percent.
QUALITY = 70

#: File with a unit, for which a page shows a preview.
FILE_WITH_UNIT = b"Households\nIn thousands\n\nDistrict,Owned,Rented\nEast,12,4\nWest,9,6\n"

#: Place of the first chart, table or group of sliders of a lesson, which its picture shows.
LESSON_PART = ".sdc-lesson, .sdc-plot, .sdc-grid"

#: Distance of that place from the upper edge of the picture, in pixels.
ABOVE = 160


def ready(page: Page) -> None:
    """Wait until the page shows numbers, and all charts in sight are drawn."""
    page.locator(".sdc-page :is(.sdc-big, .sdc-number, .sdc-value, .sdc-grid td)").first.wait_for()
    page.wait_for_function(
        """() => [...document.querySelectorAll(".sdc-plot")].every((plot) => {
            const { top, bottom, width } = plot.getBoundingClientRect();
            return !width || bottom < 0 || top > innerHeight || plot.querySelector(".main-svg");
        })"""
    )


def save(page: Page, name: str) -> None:
    """Save the picture of a page."""
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=QUALITY)
    print(name, flush=True)


def take_preview(page: Page, root: str) -> None:
    """Take the picture of the preview of a file."""
    page.goto(f"{root}voila/render/explore.ipynb")
    ready(page)
    file = {"name": "households.csv", "mimeType": "text/csv", "buffer": FILE_WITH_UNIT}
    page.get_by_label("File to open").set_input_files(file)
    button = page.get_by_role("button", name="Use this table")
    button.wait_for()
    button.evaluate("(button) => button.scrollIntoView({ block: 'end' })")
    save(page, "preview")


def take_lesson(page: Page, name: str) -> None:
    """Take the picture of an open lesson."""
    page.locator(LESSON_PART).first.wait_for(state="attached")
    page.evaluate(SHOW_ALL_PARTS)
    part = page.locator(LESSON_PART).locator("visible=true").first
    part.wait_for()
    part.evaluate(f"(part) => scrollBy(0, part.getBoundingClientRect().top - {ABOVE})")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    part.locator(".main-svg, td, input, tspan, strong, b").first.wait_for()
    save(page, name)


def take(page: Page, root: str, wanted: set[str]) -> None:
    """Take the pictures of the landing page, all pages and all lessons, or only the wanted ones."""
    PICTURES.mkdir(exist_ok=True)

    def is_wanted(name: str) -> bool:
        return not wanted or name in wanted

    if is_wanted("landing"):
        page.goto(root)
        page.locator("a[href$='explore.ipynb']").first.wait_for()
        save(page, "landing")
    for entry in notebook_pages.dashboards():
        if is_wanted(entry.name):
            page.goto(f"{root}voila/render/{entry.notebook}")
            ready(page)
            save(page, entry.name)
    if is_wanted("explore"):
        page.set_viewport_size({"width": 1366, "height": 768})
        page.goto(f"{root}voila/render/explore.ipynb")
        ready(page)
        page.screenshot(path=README_PICTURE)
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    if is_wanted("preview"):
        take_preview(page, root)
    for entry in notebook_pages.lessons():
        if is_wanted(entry.name):
            page.goto(f"{root}voila/render/{entry.notebook}")
            take_lesson(page, entry.name)


def take_trainer_view(page: Page, root: str) -> None:
    """Take the picture of the trainer view, with the page on which participants join."""
    page.goto(f"{root}course/board?trainer={TRAINER_KEY}")
    page.get_by_text("Join page", exact=True).click()
    page.locator("svg").first.wait_for()
    save(page, "trainer")


@contextmanager
def served(*options: str) -> Iterator[str]:
    """Start a server, and return its address."""
    port = int(os.environ.get("PORT", "8877"))
    root = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None:
                try:
                    urllib.request.urlopen(f"{root}health", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield root
        finally:
            server.terminate()


def main(wanted: set[str]) -> None:
    """Start a server and a browser, and take all pictures, or only the wanted ones."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise SystemExit("Chromium is missing. Install it, or set CHROMIUM to its path.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
        page.set_default_timeout(120_000)
        with served() as root:
            take(page, root, wanted)
        if not wanted or "trainer" in wanted:
            # With a course, each page has a line that invites to the course.
            with served("--course", COURSE, "--trainer", TRAINER_KEY) as root:
                take_trainer_view(page, root)
        browser.close()


if __name__ == "__main__":
    main(set(sys.argv[1:]))
