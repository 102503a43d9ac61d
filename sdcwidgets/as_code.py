"""The Python code that computes what a screen shows, so that a screen can be checked and taken further."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from sdcwidgets import examples
from sdcwidgets.assess import Settings
from sdcwidgets.study import TableState
from sdcwidgets.table import FrequencyTable

__all__ = ["assess_code", "table_code"]

#: A table of more cells is not written out; its file is read instead.
MOST_CELLS = 400


def table_code(state: TableState) -> list[str]:
    """Return the lines that make the table of a state."""
    if state.source:
        lines = [f"table = examples.load({state.source!r})"]
        original, now = examples.load(state.source).counts, state.table.counts.ravel()
        for flat in np.flatnonzero(original.ravel() != now):
            place = tuple(int(i) for i in np.unravel_index(flat, original.shape))
            lines.append(f"table = table.with_count({place}, {now[flat]})")
        return lines
    if state.table.counts.size > MOST_CELLS:
        return ['table = FrequencyTable.from_csv("table.csv")  # the file that "Save as CSV" writes']
    return _literal(state.table)


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
    default = Settings()
    options = [
        f"{item.name}={getattr(state.settings, item.name)!r}"
        for item in fields(Settings)
        if getattr(state.settings, item.name) != getattr(default, item.name)
    ]
    names = "assess, examples" if state.source else "FrequencyTable, assess"
    call = f"assess({', '.join(['table', *options])}).to_frame()"
    return "\n".join([f"from sdcwidgets import {names}", "", *table_code(state), call])


def _literal(table: FrequencyTable) -> list[str]:
    axes = ",\n".join(f"        {axis.name!r}: {list(axis.labels)!r}" for axis in table.axes)
    counts = ",\n".join(f"        {row!r}" for row in table.counts.tolist())
    return ["table = FrequencyTable(", "    [", f"{counts},", "    ],", "    {", f"{axes},", "    },", ")"]
