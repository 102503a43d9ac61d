"""Cell key method: noise that depends on the people of a cell, so it is the same in every table.

Every record has a record key from 0 to below 1. The cell key is the fractional part of the sum of the record
keys. A p-table gives the noise for a count and a cell key. A margin is treated like a cell with its own cell
key, so published margins need not be the sums of the published cells.

Each cell key is by default mixed with a secret before the look-up. Cell keys without mixing, as in the handbook
and in the R packages ptable and cellKey, are a setting. The cell key of a total is then the sum of the cell
keys of its parts, which bounds its noise.
"""

from __future__ import annotations

from sdcwidgets.methods.cellkey.designing import COLUMNS, checks, modify, p_table
from sdcwidgets.methods.cellkey.files import (
    handbook_example,
    parse_p_table,
    read_p_table,
    to_argus,
    to_csv,
    to_whole_keys,
)
from sdcwidgets.methods.cellkey.keys import (
    LISTED,
    cell_keys,
    keys_of_records,
    mixed_keys,
    record_keys,
    table_keys,
)
from sdcwidgets.methods.cellkey.lookup import Lookup, noise, release, release_of_records, weighted
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
    "release_of_records",
    "table_keys",
    "to_argus",
    "to_csv",
    "to_whole_keys",
    "weighted",
]
