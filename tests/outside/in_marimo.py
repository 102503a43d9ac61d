"""What a notebook of marimo does with the grid: an edit runs the cells that use it, by `make outside`."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

NOTEBOOK = """
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


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def try_it(address: str) -> None:
    """Edit a count, and wait for what the cell below says of it."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        expect(page.get_by_text("12 people, [[4, 0], [1, 7]]")).to_be_visible(timeout=60_000)
        cell = page.locator(".sdc-grid td input").nth(1)
        for count, said in (("3", "15 people, [[4, 3], [1, 7]]"), ("5", "17 people, [[4, 5], [1, 7]]")):
            cell.fill(count)
            cell.press("Enter")
            expect(page.get_by_text(said)).to_be_visible(timeout=20_000)
        print(page.get_by_text("17 people").inner_text())
        browser.close()


def main() -> None:
    """Serve the notebook, try it, and end the server."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "notebook.py"
        file.write_text(NOTEBOOK, encoding="utf-8")
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "marimo",
            "run",
            str(file),
            "--headless",
            "--no-token",
            "--port",
            str(port),
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                for _ in range(300):
                    try:
                        urllib.request.urlopen(f"http://127.0.0.1:{port}/health").close()
                        break
                    except OSError:
                        time.sleep(0.2)
                try_it(f"http://127.0.0.1:{port}/")
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
