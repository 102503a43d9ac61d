"""Two tables side by side where each has the room that it needs, else one below the other."""

from __future__ import annotations

import ipywidgets

from sdcwidgets.tables.table import FrequencyTable

#: A grid beside another has at least this many pixels.
SIDE = 430


def room(table: FrequencyTable) -> int:
    """Return about how many pixels a table in small type needs, for its row labels and the longest word of each column.

    >>> room(FrequencyTable([[1, 2]], {"Area": ["North"], "Sex": ["Male", "Female"]}))
    113
    """
    words = (max(map(len, label.split()), default=0) for label in table.columns.labels)
    rows = min(108, 6.6 * max(map(len, table.rows.labels)))
    return round(rows + sum(max(40, 6.1 * min(word, 11)) for word in words))


class TwoGrids(ipywidgets.Box):
    """Two grids side by side; many columns stand below each other rather than half out of sight.

    Parameters
    ----------
    *parts : ipywidgets.Widget
        What holds the grids, which are in small type.
    """

    def __init__(self, *parts: ipywidgets.Widget) -> None:
        super().__init__(parts)
        self.add_class("sdc-pair")

    def fit(self, table: FrequencyTable) -> None:
        """Give each grid the room for this table."""
        need = room(table)
        self.layout.grid_template_columns = f"repeat(auto-fit, minmax(min({max(need, SIDE)}px, 100%), 1fr))"
        (self.add_class if need > SIDE + 25 else self.remove_class)("sdc-wide")
