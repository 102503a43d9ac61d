"""Copy the lessons, to work on them in JupyterLab."""

from __future__ import annotations

import argparse
from pathlib import Path


def add(parser: argparse.ArgumentParser) -> None:
    """Add the folder."""
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder; lessons that are there stay as they are"
    )


def run(options: argparse.Namespace) -> None:
    """Copy the lessons and say where they are."""
    from sdcwidgets.dashboards import notebook_pages

    copied = notebook_pages.copy_lessons(options.folder)
    print(f"{len(copied)} lessons copied to {options.folder}; open them with: jupyter lab {options.folder}")
