"""State of the page Explore: a table, and how its risk is measured."""

from __future__ import annotations

from dataclasses import dataclass

from sdcwidgets.widgets.studies.base import TableState


@dataclass(frozen=True)
class ExploreState(TableState):
    """A table, its source, its arrangement on the screen, and the settings of its risk."""
