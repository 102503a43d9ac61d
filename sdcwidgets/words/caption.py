"""What stands below a picture that is saved: the table and the settings that it was made from."""

from __future__ import annotations

from typing import Any

from sdcwidgets.parameters import Declared, declared
from sdcwidgets.studies.base import TableState
from sdcwidgets.words import people

__all__ = ["told"]


def told(state: Any) -> str:
    """Return the table of a state, the method and the settings, as far as it has them; "" for none.

    >>> told(TableState.of_example("sex")).split(". ")[0]
    'Sex by output area, 2,449 people in 20 cells'
    """
    parts = []
    if isinstance(state, TableState):
        parts.append(f"{state.title}, {people(state.table.total)} in {state.table.cells:,} cells")
    for one in (getattr(state, "method", None), getattr(state, "settings", None)):
        if isinstance(one, Declared):
            parts.append(", ".join(filter(None, (getattr(one, "title", ""), *_settings(one)))))
    return "".join(f"{part}. " for part in parts if part).strip()


def _settings(one: Declared) -> list[str]:
    """Return the settings of a method or of a page, each with its label."""
    found = []
    for parameter in declared(type(one)):
        value = getattr(one, parameter.name)
        shown = parameter.choices.get(value, value) if isinstance(value, str) else value
        if isinstance(shown, bool):
            shown = "yes" if shown else "no"
        elif isinstance(shown, tuple) and all(isinstance(part, int | float) for part in shown):
            shown = "/".join(f"{part:.3g}" for part in shown)
        elif isinstance(shown, tuple):
            continue
        elif isinstance(shown, float):
            shown = f"{shown:g}"
        if shown != "" and shown is not None:
            found.append(f"{parameter.label} {shown}")
    return found
