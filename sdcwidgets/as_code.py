"""The Python code that computes what a screen shows, so that a screen can be checked and taken further."""

from __future__ import annotations

from dataclasses import fields

from sdcwidgets.assess import Settings
from sdcwidgets.sources import Code
from sdcwidgets.studies.base import TableState

__all__ = ["assess_code", "imports", "options", "script"]


def assess_code(state: TableState) -> str:
    """Return the code for the assessment of a state before protection.

    Examples
    --------
    >>> print(assess_code(TableState.of_example("religion")))
    from sdcwidgets import assess, examples
    <BLANKLINE>
    table = examples.load('religion')
    assess(table).to_frame()
    """
    code = state.source.code(state.table)
    return script(imports(code), "", *code.lines, f"assess(table{options(state)}).to_frame()")


def imports(code: Code, *more: str) -> str:
    """Return the line that imports what code for an assessment needs."""
    return f"from sdcwidgets import {', '.join(sorted(['assess', *code.imports, *more], key=str.swapcase))}"


def options(state: TableState) -> str:
    """Return the settings that are not at their defaults, as arguments."""
    default = Settings()
    changed = [
        f"{item.name}={getattr(state.settings, item.name)!r}"
        for item in fields(Settings)
        if getattr(state.settings, item.name) != getattr(default, item.name)
    ]
    return "".join(f", {option}" for option in changed)


def script(*lines: str) -> str:
    """Return lines of code as one text."""
    return "\n".join(lines)
