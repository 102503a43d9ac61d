"""Copy the lessons into a folder, to run them as notebooks in JupyterLab."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdcwidgets.cli._parser import Parser

EXAMPLES = ("sdcwidgets lessons course", "jupyter lab course")


def add(parser: Parser) -> None:
    """Add the folder."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        type=Path,
        help="folder for the copies of the lessons; existing lessons in the folder are not overwritten",
    )


def run(options: argparse.Namespace) -> None:
    """Copy the lessons, and print their folder."""
    from sdcwidgets.dashboards import notebook_pages

    copied = notebook_pages.copy_lessons(options.folder)
    print(f"Copied {len(copied)} lessons to {options.folder}. Open them with: jupyter lab {options.folder}")
