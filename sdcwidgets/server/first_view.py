"""Static first views of pages, shown until the session is ready.

A separate process runs each notebook once and draws the top of its page (`widgets/drawn.py`), before any
visitor arrives. It receives no data of visitors, so a first view cannot contain any. A page that depends on
its address, a course or saved tab contents has no first view.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from threading import Thread

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server import folder, skip_unused

#: Page without a first view if the server has a table generator (`dashboards/tables/state.py`): its content
#: depends on the state of the generator.
GENERATOR, ASKING = "SDCWIDGETS_GENERATOR", "tables.ipynb"


class FirstViews(dict[str, str]):
    """First views by the name of their notebook; a notebook without one is missing."""

    def draw(self) -> None:
        """Start drawing all dashboards in a background process of low priority."""
        Thread(target=self._draw, daemon=True).start()

    def _draw(self) -> None:
        pages = [
            entry.file
            for entry in notebook_pages.dashboards()
            if not (entry.notebook == ASKING and os.environ.get(GENERATOR))
        ]
        command = [sys.executable, "-m", __name__, *map(str, pages)]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        ) as drawing:
            for line in drawing.stdout or ():
                name, text = json.loads(line)
                self[name] = text


def first_view(notebook: Path) -> str:
    """Return the first view of a notebook, or "" if it does not end with a dashboard."""
    from ipywidgets import Widget

    from sdcwidgets.widgets.dashboard import Dashboard
    from sdcwidgets.widgets.drawn import drawn

    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = ast.parse("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    last, names = code.body.pop(), {"__name__": "__main__"}
    if not isinstance(last, ast.Expr):
        return ""
    exec(compile(code, notebook.name, "exec"), names)
    app = eval(compile(ast.Expression(last.value), notebook.name, "eval"), names)
    try:
        return drawn(app) if isinstance(app, Dashboard) else ""
    finally:
        Widget.close_all()


def main() -> None:
    """Draw the notebooks of the command line and print one line of JSON for each."""
    folder.end_with(os.getppid())
    with suppress(AttributeError, OSError):
        os.nice(5)
    skip_unused()
    for notebook in map(Path, sys.argv[1:]):
        with suppress(Exception):  # the page itself will show the error to its visitors
            with redirect_stdout(sys.stderr):
                text = first_view(notebook)
            print(json.dumps([notebook.name, text]), flush=True)


if __name__ == "__main__":
    main()
