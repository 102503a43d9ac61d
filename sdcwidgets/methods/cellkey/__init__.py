"""The cell key method: noise that a cell's people determine, the same wherever the cell appears.

Every record has a key from 0 to below 1. The key of a cell is the fractional part of the sum of the keys of its
records; together with the count it says in a p-table what is added. A margin is a cell like any other, with a
key of its own, so that published margins need not be the sums of the published cells.
"""

from __future__ import annotations

from sdcwidgets.methods.cellkey.designing import COLUMNS, checks, modify, p_table
from sdcwidgets.methods.cellkey.keys import LISTED, cell_keys, keys_of_records, record_keys, table_keys
from sdcwidgets.methods.cellkey.lookup import Lookup, noise, release, weighted
from sdcwidgets.methods.cellkey.method import CellKey

__all__ = [
    "COLUMNS",
    "LISTED",
    "CellKey",
    "Lookup",
    "cell_keys",
    "checks",
    "keys_of_records",
    "modify",
    "noise",
    "p_table",
    "record_keys",
    "release",
    "table_keys",
    "weighted",
]
