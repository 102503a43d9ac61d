"""Sources of tables, such as files, pasted text, records and databases, and the functions that read them."""

from __future__ import annotations

from sdcwidgets._util.registry import import_modules
from sdcwidgets.tables.io.options import Choice, Question, Reading, ReadOptions
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
from sdcwidgets.tables.io.sources.kinds import (
    Example,
    File,
    InMemorySource,
    Paste,
    Records,
    layout_name,
    named,
)
from sdcwidgets.tables.io.sources.people import tabulate

__all__ = [
    "MAX_DASHBOARD_CELLS",
    "MAX_DASHBOARD_COLUMNS",
    "MAX_DASHBOARD_ROWS",
    "Choice",
    "Code",
    "Example",
    "File",
    "InMemorySource",
    "Paste",
    "Question",
    "ReadOptions",
    "Reading",
    "Records",
    "Source",
    "available",
    "from_state",
    "get",
    "layout_name",
    "named",
    "read_block",
    "read_bytes",
    "read_csv",
    "read_excel",
    "read_frame",
    "register",
    "tabulate",
]

import_modules(__name__)
