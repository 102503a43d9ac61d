"""Tabulate microdata or a hypercube by a database: DuckDB, or another one of Ibis.

Rows are people, or cells with a column of counts. A request is one Ibis expression, so tables can come from
files larger than memory, from DuckDB or from Spark. Record keys are summed in the same query as integers, so
the key of a cell does not depend on the order of rows.
"""

from sdcwidgets.tableserver.tabulate.query import Query, levels, names, selection
from sdcwidgets.tableserver.tabulate.tabulation import KEYS, MOST_CELLS, Tabulation
from sdcwidgets.tableserver.tabulate.tabulator import Tabulator
from sdcwidgets.tableserver.tabulate.variable import MISSING, SpanningVariable

__all__ = [
    "KEYS",
    "MISSING",
    "MOST_CELLS",
    "Query",
    "SpanningVariable",
    "Tabulation",
    "Tabulator",
    "levels",
    "names",
    "selection",
]
