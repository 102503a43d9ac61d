"""The cell key method: noise that a cell's people determine, the same wherever the cell appears.

Every record has a key from 0 to below 1. The key of a cell is the fractional part of the sum of the keys of its
records. A p-table gives the noise for a count and a key. A margin is a cell like any other, with a key of its own, so
that published margins need not be the sums of the published cells.

By default each key is mixed with a secret before the look-up. Unmixed keys, as in the handbook and in the R packages
ptable and cellKey, are a setting: the key of a total is then the sum of the keys of its parts, which bounds its noise.
"""

from __future__ import annotations

from sdcwidgets.methods.cellkey.designing import COLUMNS, checks, modify, p_table
from sdcwidgets.methods.cellkey.files import handbook_example, parse_p_table, read_p_table, to_argus, to_csv
from sdcwidgets.methods.cellkey.keys import (
    LISTED,
    cell_keys,
    keys_of_records,
    mixed_keys,
    record_keys,
    table_keys,
)
from sdcwidgets.methods.cellkey.lookup import Lookup, noise, release, weighted
from sdcwidgets.methods.cellkey.method import CellKey

__all__ = [
    "COLUMNS",
    "LISTED",
    "CellKey",
    "Lookup",
    "cell_keys",
    "checks",
    "handbook_example",
    "keys_of_records",
    "mixed_keys",
    "modify",
    "noise",
    "p_table",
    "parse_p_table",
    "read_p_table",
    "record_keys",
    "release",
    "table_keys",
    "to_argus",
    "to_csv",
    "weighted",
]
