"""State of the page Weights: a table and the weights of its three risk terms."""

from __future__ import annotations

from dataclasses import dataclass

from sdcwidgets.widgets.page_state.table_state import TableState


@dataclass(frozen=True)
class WeightsState(TableState):
    """A table, its source, its arrangement on the screen, and the settings of its risk, with the weights."""
