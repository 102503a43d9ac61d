"""The table of a grid in a notebook of one's own: it follows each edit, can be observed, and can be set."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.table import FrequencyTable, table_of
from sdcwidgets.widgets.base import Widget

#: A browser is given the value of tables of at most so many cells.
MOST_HELD = 5_000


class TableBinding(Widget):
    """A base of what shows counts with labels.

    Attributes
    ----------
    table : FrequencyTable or None
        Of two axes; None where counts and labels were set by themselves.
    value : dict
        The same as plain values, empty for tables of more than 5,000 cells.
    """

    table = traitlets.Any(None)
    value = traitlets.Dict().tag(sync=True)
    #: How many values a browser has seen; marimo's sets it, and then runs the cells that use the grid.
    seen = traitlets.Int(0).tag(sync=True)
    asks = ("seen",)

    counts: Any
    rows: Any
    columns: Any
    row_name: Any
    column_name: Any

    @abstractmethod
    def show(self, table: FrequencyTable) -> None:
        """Show a table."""

    def begin(self, table: FrequencyTable | None) -> None:
        """Show a table, and let it follow from now on."""
        self.observe(self._follow, ("rows", "columns", "row_name", "column_name", "counts"))
        self.table = table

    @traitlets.validate("table")
    def _showable(self, proposal: traitlets.Bunch) -> FrequencyTable | None:
        """Refuse what has not two axes."""
        table: FrequencyTable | None = proposal.value
        if table is None:
            return None
        if table_of(table).ndim != 2:
            raise InputError("A grid takes a FrequencyTable of two axes.")
        return table

    @traitlets.observe("table")
    def _show_table(self, change: traitlets.Bunch) -> None:
        table: FrequencyTable | None = change.new
        if table is not None and table != self._displayed_table():
            self.show(table)
        self.value = {} if table is None or table.cells > MOST_HELD else _held(table)

    def _displayed_table(self) -> FrequencyTable | None:
        """Return the table of what is shown, None where it is none yet."""
        if self.counts is None or not self.counts.size:
            return None
        return FrequencyTable(
            self.counts, [Axis(self.row_name, self.rows), Axis(self.column_name, self.columns)]
        )

    def _follow(self, _: object) -> None:
        if self.table is not None:
            self.table = self._displayed_table()


def _held(table: FrequencyTable) -> dict[str, object]:
    """Return a table as plain values."""
    return {"axes": [[axis.name, list(axis.labels)] for axis in table.axes], "counts": table.counts.tolist()}
