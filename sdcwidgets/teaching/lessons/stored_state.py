"""State of an exercise or of an interactive part, which a reload of a served lesson restores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid


class StoredState(Widget):
    """A widget whose state the browser stores per lesson, and sends back after a reload."""

    stored_name = traitlets.Unicode().tag(sync=True)
    stored_state: traitlets.Dict[str, object] = traitlets.Dict().tag(sync=True)

    def on_restore(self, name: str, restore: Callable[[dict[str, Any]], None]) -> None:
        """Store the state under a name, and call `restore(state)` with a state of an earlier visit.

        A stored state is untrusted, and an invalid state is ignored.
        """
        self.stored_name = name

        def hear(message: dict[str, object], _: list[memoryview]) -> None:
            state = message.get("state")
            if isinstance(state, dict):
                with suppress(InputError, KeyError, OverflowError, TypeError, ValueError):
                    restore(state)

        self.hear("restore", hear)


def store_inputs(
    widget: StoredState,
    name: str,
    controls: Sequence[Control] = (),
    grid: Grid | None = None,
    counts: Callable[[], NDArray[np.int64]] | None = None,
) -> None:
    """Store the values of controls and the counts that were typed into a grid.

    Parameters
    ----------
    widget : StoredState
        Widget of the browser that stores the state.
    name : str
        Name of the interactive part. A part with another name does not get the stored state.
    controls : sequence of Control
    grid : Grid, optional
    counts : callable, optional
        Function that returns the typed counts. By default, these are the counts that the grid shows.
    """

    def typed() -> NDArray[np.int64] | None:
        if grid is None:
            return None
        return grid.counts if counts is None else counts()

    def current() -> dict[str, object]:
        table = typed()
        return {
            "values": [control.value for control in controls],
            "counts": None if table is None else table.tolist(),
        }

    def restore(state: dict[str, Any]) -> None:
        pairs = list(zip(controls, state["values"], strict=True))
        if grid is not None:
            grid.edit(count_edits(state["counts"], grid.counts.shape))
        for control, value in pairs:
            control.enter(value)

    def update(_: object = None) -> None:
        widget.stored_state = current()

    widget.on_restore(name, restore)
    update()
    for control in controls:
        control.observe(update, "value")
    if grid is not None:
        grid.observe(update, "counts")


def count_edits(counts: list[list[int]], shape: tuple[int, ...]) -> list[tuple[int, int, str]]:
    """Return the edits that set all counts of a grid.

    Raises
    ------
    ValueError
        If the counts do not have this shape, or if a count is negative.

    Examples
    --------
    >>> count_edits([[3, 0]], (1, 2))
    [(0, 0, '3'), (0, 1, '0')]
    """
    table = np.array(counts, dtype=np.int64)
    if table.shape != shape or (table < 0).any():
        raise ValueError(f"The counts must be a table of the shape {shape} without negative counts.")
    return [(row, column, str(count)) for (row, column), count in np.ndenumerate(table)]
