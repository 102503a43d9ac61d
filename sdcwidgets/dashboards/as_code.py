"""Python code that reproduces the numbers of a page."""

from __future__ import annotations

from sdcwidgets._util.parameters import declared
from sdcwidgets._util.values import turned
from sdcwidgets.tables.io.sources import Code
from sdcwidgets.widgets.page_state.table_state import TableState


def assess_code(state: TableState) -> str:
    """Return the code that assesses the table of a state before protection.

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
    """Return the import line that the code of an assessment needs."""
    return f"from sdcwidgets import {', '.join(sorted(['assess', *code.imports, *more], key=str.swapcase))}"


def options(state: TableState) -> str:
    """Return the settings that differ from their defaults, as arguments."""
    return "".join(f", {name}={value!r}" for name, value in turned(state.settings).items())


def arguments(settings: object, *, changed: bool = False) -> str:
    """Return declared settings as arguments of a call: all, or only changed ones."""
    values = [(parameter, getattr(settings, parameter.name)) for parameter in declared(type(settings))]
    return ", ".join(
        f"{parameter.name}={value!r}"
        for parameter, value in values
        if not changed or value != parameter.default
    )


def script(*lines: str) -> str:
    """Join lines of code."""
    return "\n".join(lines)
