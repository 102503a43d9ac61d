"""A page in Panel and Solara, and a grid in marimo: an edit of a count changes what follows from it.

`make hosts` installs these programs into an environment of their own, because their extensions would change what
JupyterLab and Voila load.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from serving import free_port, running

ROOT = Path(__file__).parents[2]

#: Folder of the programs of the environment.
PROGRAMS = ROOT / ".venv-hosts" / "bin"

MARIMO = """
import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    from sdcwidgets import FrequencyTable, assess, widgets
    return FrequencyTable, assess, mo, widgets

@app.cell
def _(FrequencyTable, mo, widgets):
    grid = mo.ui.anywidget(widgets.Grid(FrequencyTable([[4, 0], [1, 7]], {"Area": "AB", "Sex": "mf"})))
    grid
    return (grid,)

@app.cell
def _(assess, grid, mo):
    table = grid.widget.table
    mo.md(f"{table.total} people, {grid.value['value']['counts']}, risk {assess(table).whole.r1:.4f}")
    return

if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def tolerated():
    """Return what these programs write to the console: requests to the internet, and no plotly.js by URL."""
    return ("Failed to load resource", "ERR_")


@pytest.fixture
def program(missing):
    """Return the path of a program of the environment."""

    def path(name):
        file = PROGRAMS / name
        if not file.exists():
            missing(f"{name} is missing. Install it with `make hosts`.")
        return str(file)

    return path


def recipe(name, folder):
    """Write the recipe of docs/how/notebook.md for a program into a file, and return the file."""
    text = (ROOT / "docs/how/notebook.md").read_text("utf-8")
    file = folder / f"in_{name.lower()}.py"
    file.write_text(re.search(rf"## {name}\n.*?```py\n(.*?)```", text, re.DOTALL)[1], "utf-8")
    return file


def edit_changes_the_answer(page):
    """Edit a count of Explore, and expect another answer."""
    count = page.locator(".sdc-page .sdc-grid td input").first
    count.wait_for()
    assert page.locator(".sdc-page").first.bounding_box()["width"] > 500
    answer = page.locator(".sdc-page .sdc-lead-answer")
    before = answer.inner_text()
    assert re.search(r"0\.\d+", before)
    count.fill("99")
    count.press("Enter")
    expect(answer).not_to_have_text(before)


def test_a_page_in_panel(program, page, tmp_path, missing):
    script = ROOT / "node_modules/anywidget/dist/index.js"
    if not script.exists():
        missing("anywidget is missing. Install it with `npm ci`.")
    # The only script from the internet that the page needs.
    page.route("https://unpkg.com/anywidget*/**", lambda route: route.fulfill(path=script))
    port = free_port()
    address = f"http://127.0.0.1:{port}/in_panel"
    command = [program("panel"), "serve", str(recipe("Panel", tmp_path)), f"--port={port}"]
    with running(command, f"http://127.0.0.1:{port}/none"):
        page.goto(address)
        edit_changes_the_answer(page)


def test_a_page_in_solara(program, page, tmp_path):
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [program("solara"), "run", str(recipe("Solara", tmp_path)), "--production"]
    with running([*command, "--host=127.0.0.1", f"--port={port}"], address):
        page.goto(address)
        edit_changes_the_answer(page)


def test_a_grid_in_marimo_runs_the_cells_that_use_it(program, page, tmp_path):
    file = tmp_path / "notebook.py"
    file.write_text(MARIMO, "utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [program("marimo"), "run", str(file), "--headless", "--no-token", f"--port={port}"]
    with running(command, f"{address}health"):
        page.goto(address)
        page.get_by_text("12 people, [[4, 0], [1, 7]]").wait_for()
        count = page.locator(".sdc-grid td input").nth(1)
        for value, result in (("3", "15 people, [[4, 3], [1, 7]]"), ("5", "17 people, [[4, 5], [1, 7]]")):
            count.fill(value)
            count.press("Enter")
            page.get_by_text(result).wait_for()
