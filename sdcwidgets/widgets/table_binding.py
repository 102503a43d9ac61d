"""The table of a grid in a notebook: it follows each edit, and can be observed and set."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.table import FrequencyTable, table_of
from sdcwidgets.widgets.base import Widget

#: Maximum number of cells of a table whose value is sent to the browser.
MOST_HELD = 5_000


class TableBinding(Widget):
    """Base class of widgets that show counts with labels.

    Attributes
    ----------
    table : FrequencyTable or None
        Two-way table; None if counts and labels were set separately.
    value : dict
        The table as plain values, empty for tables with more than 5,000 cells.
    """

    table = traitlets.Any(None)
    value = traitlets.Dict().tag(sync=True)
    #: Number of values that a browser has received; marimo sets it, and then runs the cells that use the grid.
    seen = traitlets.Int(0).tag(sync=True)
    asks = ("seen",)

    counts: Any
    rows: Any
    columns: Any
    row_name: Any
    column_name: Any
    unknown: Any

    @abstractmethod
    def show(self, table: FrequencyTable) -> None:
        """Show a table."""

    def begin(self, table: FrequencyTable | None) -> None:
        """Show a table, and keep `table` and `value` up to date."""
        self.observe(self._follow, ("rows", "columns", "row_name", "column_name", "counts", "unknown"))
        self.table = table

    @traitlets.validate("table")
    def _showable(self, proposal: traitlets.Bunch) -> FrequencyTable | None:
        """Reject tables that do not have two axes."""
        table: FrequencyTable | None = proposal.value
        if table is None:
            return None
        if table_of(table).ndim != 2:
            raise InputError("The table of a grid must be a two-way FrequencyTable.")
        return table

    @traitlets.observe("table")
    def _show_table(self, change: traitlets.Bunch) -> None:
        table: FrequencyTable | None = change.new
        if table is not None and table != self._displayed_table():
            self.show(table)
        self.value = {} if table is None or table.cells > MOST_HELD else _held(table)

    def _displayed_table(self) -> FrequencyTable | None:
        """Return the table on the grid, None if there is none yet."""
        if self.counts is None or not self.counts.size:
            return None
        table = FrequencyTable(
            self.counts, [Axis(self.row_name, self.rows), Axis(self.column_name, self.columns)]
        )
        return table.with_unknown(self.unknown)

    def _follow(self, _: object) -> None:
        if self.table is not None:
            self.table = self._displayed_table()


def _held(table: FrequencyTable) -> dict[str, object]:
    return {"axes": [[axis.name, list(axis.labels)] for axis in table.axes], "counts": table.counts.tolist()}
