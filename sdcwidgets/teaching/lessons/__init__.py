"""Widgets of lessons: checked questions, a guessing game and editable rows."""

from pathlib import Path

__all__ = ["STATIC"]

#: Folder of the scripts and style sheets of these widgets, which `npm run build` bundles from `js/lessons`.
STATIC = Path(__file__).parents[2] / "static" / "lessons"
