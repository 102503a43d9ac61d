"""Where tables come from: files, pasted text, data frames, records, and what is read of them.

Importing this package makes `FrequencyTable.from_csv` and its like work.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.registry import import_room
from sdcwidgets.tables.io.options import Choice, How, Question, Reading
from sdcwidgets.tables.io.reading import (
    MAX_DASHBOARD_CELLS,
    MAX_DASHBOARD_COLUMNS,
    MAX_DASHBOARD_ROWS,
    read_block,
    read_bytes,
    read_csv,
    read_excel,
    read_frame,
)
from sdcwidgets.tables.io.sources.base import Code, Source, available, from_state, get, register
from sdcwidgets.tables.io.sources.kinds import Example, File, InMemorySource, Paste, Records, named
from sdcwidgets.tables.io.sources.people import count_records, tabulate
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tables.table_readers import made_by

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

__all__ = [
    "MAX_DASHBOARD_CELLS",
    "MAX_DASHBOARD_COLUMNS",
    "MAX_DASHBOARD_ROWS",
    "Choice",
    "Code",
    "Example",
    "File",
    "How",
    "InMemorySource",
    "Paste",
    "Question",
    "Reading",
    "Records",
    "Source",
    "available",
    "from_state",
    "get",
    "named",
    "read_block",
    "read_bytes",
    "read_csv",
    "read_excel",
    "read_frame",
    "register",
    "tabulate",
]

_log = logging.getLogger(__name__)


@made_by("csv")
def _from_csv(source: str | bytes | PathLike[str], totals: bool | str = True, **how: Any) -> FrequencyTable:
    return _table_with_notes(read_csv(source, limit=None, totals=totals, how=How(**how)))


@made_by("excel")
def _from_excel(
    source: str | bytes | PathLike[str], sheet: str | None, totals: bool | str = True, **how: Any
) -> FrequencyTable:
    return _table_with_notes(read_excel(source, sheet, limit=None, totals=totals, how=How(**how)))


@made_by("frame")
def _from_frame(frame: pd.DataFrame, totals: bool | str = True, **how: Any) -> FrequencyTable:
    return _table_with_notes(read_frame(frame, totals=totals, how=How(**how)))


@made_by("records")
def _from_records(
    records: pd.DataFrame | Sequence[Mapping[str, object]], columns: Sequence[str], *, missing: str | None
) -> FrequencyTable:
    return _table_with_notes(count_records(records, columns, missing=missing))


def _table_with_notes(reading: Reading) -> FrequencyTable:
    """Return the table, and say what was decided where whoever calls sees it, as a page and the command line do."""
    for note in reading.notes:
        _log.warning(note)
    return reading.table


import_room(__name__)
