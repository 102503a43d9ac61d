"""What a page shows before its session is there: the lead and the stage of its beginning, drawn once for everybody.

A process of its own runs each notebook as a visitor's session would and draws it (`widgets/drawn.py`), once, before
anybody comes. It hears of no visitor, so nothing of one can be in it. A page that begins otherwise, by its
address, its course or what its tab has kept, does without.
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

#: The page that asks whoever answers at the moment, when a server has a table generator (`dashboards/tables/state.py`).
GENERATOR, ASKING = "SDCWIDGETS_GENERATOR", "tables.ipynb"


class FirstViews(dict[str, str]):
    """What pages show at first, by their notebooks; a page that is not drawn yet, or cannot be, is not there."""

    def draw(self) -> None:
        """Draw every dashboard, in a process that gives way to sessions; nobody waits for it."""
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
    """Return what the dashboard of a notebook shows at first, "" if it ends with no dashboard."""
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
    """Draw the notebooks that are named, and write each as a line of JSON."""
    folder.end_with(os.getppid())
    with suppress(AttributeError, OSError):
        os.nice(5)
    skip_unused()
    for notebook in map(Path, sys.argv[1:]):
        with suppress(Exception):  # whoever visits it is told
            with redirect_stdout(sys.stderr):
                text = first_view(notebook)
            print(json.dumps([notebook.name, text]), flush=True)


if __name__ == "__main__":
    main()
