"""Two tables side by side if there is enough room, otherwise one below the other."""

from __future__ import annotations

import ipywidgets

from sdcwidgets.tables.table import FrequencyTable

#: Minimum width of a grid next to another, in pixels.
SIDE = 430


def room(table: FrequencyTable) -> int:
    """Return the approximate width of a table in small type, in pixels.

    The width is that of the row labels and of the longest word of each column label.

    Examples
    --------
    >>> room(FrequencyTable([[1, 2]], {"Area": ["North"], "Sex": ["Male", "Female"]}))
    113
    >>> room(FrequencyTable([[1, 2]], {"Area": ["North"], "Sex": ["Male", "Administration"]}))
    140
    """
    words = (max(map(len, label.split()), default=0) for label in table.columns.labels)
    rows = min(108, 6.6 * max(map(len, table.rows.labels)))
    return round(rows + sum(max(40, 6.1 * min(word, 11)) for word in words))


class TwoGrids(ipywidgets.Box):
    """Two grids side by side; grids with many columns are placed one below the other.

    Parameters
    ----------
    *parts : ipywidgets.Widget
        Widgets that contain the grids.
    """

    def __init__(self, *parts: ipywidgets.Widget) -> None:
        super().__init__(parts)
        self.add_class("sdc-pair")

    def fit(self, table: FrequencyTable) -> None:
        """Set the width of the grids for this table."""
        need = room(table)
        self.layout.grid_template_columns = f"repeat(auto-fit, minmax(min({max(need, SIDE)}px, 100%), 1fr))"
        (self.add_class if need > SIDE + 25 else self.remove_class)("sdc-wide")
