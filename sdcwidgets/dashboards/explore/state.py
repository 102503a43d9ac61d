"""State of the page Explore: a table and the settings of its risk."""

from __future__ import annotations

from dataclasses import dataclass

from sdcwidgets.widgets.page_state.table_state import TableState


@dataclass(frozen=True)
class ExploreState(TableState):
    """A table, its source, its arrangement on the screen, and the settings of its risk."""
