"""Captions of saved charts: the table and the settings of the chart."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sdcwidgets._util.parameters import Declared, declared
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts import people

#: Settings of protection; a caption names one only if the page has a control for it.
PROTECTED = ("variant", "replications", "seed", "suppressed")


def caption_of(state: object, controlled: Collection[str] = ()) -> str:
    """Return a caption with the table, the method and the settings of a state; "" if it has none.

    Parameters
    ----------
    state : object
        State of a page.
    controlled : collection of str
        Settings in `PROTECTED` that the page has a control for.

    Examples
    --------
    >>> for sentence in caption_of(TableState.of_example("sex"), ("seed",)).split(". "):
    ...     print(sentence)
    Sex by output area, 2,449 people in 20 cells
    Weights 0.1/0.8/0.1, Third term h₂, Exponent of table size (ε) 0.5, Seed 1.
    """
    left_out = set(PROTECTED) - set(controlled)
    parts = []
    if isinstance(state, TableState):
        parts.append(f"{state.title}, {people(state.table.total, state.unit)} in {state.table.cells:,} cells")
    method, settings = getattr(state, "method", None), getattr(state, "settings", None)
    if isinstance(method, Declared):
        parts.append(", ".join(filter(None, (getattr(method, "title", ""), *_settings(method)))))
    if isinstance(settings, Declared):
        parts.append(", ".join(_settings(settings, left_out)))
    sentences = "".join(f"{part}. " for part in parts if part)
    return f"{sentences}{FIRST_LINE if is_own(state) else ''}".strip()


def is_own(state: object) -> bool:
    """Return whether a state holds the user's counts, so that its links, images, prints and code are internal.

    An example whose counts were changed is the user's table, because counts may have been typed or pasted over it.

    Examples
    --------
    >>> state = TableState.of_example("sex")
    >>> is_own(state), is_own(state.changed(table=state.table.with_count((0, 0), 1)))
    (False, True)
    """
    if not isinstance(state, TableState):
        return False
    original = state.source.original if isinstance(state.source, Example) else None
    return original is None or not np.array_equal(original.counts.ravel(), state.table.counts.ravel())


def _settings(settings: Declared, left_out: Collection[str] = ()) -> list[str]:
    texts = []
    for parameter in declared(type(settings)):
        if parameter.name in left_out:
            continue
        value = getattr(settings, parameter.name)
        text = parameter.choices.get(value, value) if isinstance(value, str) else value
        if isinstance(value, bool):
            text = "yes" if value else "no"
        elif isinstance(value, tuple) and all([isinstance(part, int | float) for part in value]):
            text = "/".join([f"{part:.3g}" for part in value])
        elif isinstance(value, tuple):
            continue
        elif isinstance(value, float):
            text = f"{value:g}"
        if text != "" and text is not None:
            texts.append(f"{parameter.label} {text}")
    return texts
