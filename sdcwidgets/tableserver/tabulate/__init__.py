"""Tables from microdata or a hypercube, made by a database: DuckDB in this process, or any other behind Ibis.

The rows are people, or cells with a column of counts. What is asked for, variables and a selection, is one Ibis
expression, so that the same tables come from a file that is larger than memory, from DuckDB or from Spark. Record
keys are summed in the same query, as whole numbers, so that a cell has the same key in whatever order they came.
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
