"""How bytes are cells, and cells a table: one module a format, and the layout of published tables.

`reading` opens a file with the format that knows its content, and reads the sheet that holds a table.
"""

from __future__ import annotations

from sdcwidgets._util.registry import import_modules
from sdcwidgets.tables.io.formats.base import Format, SheetCells, available, get, of, register, suffixes

__all__ = ["Format", "SheetCells", "available", "get", "of", "register", "suffixes"]

import_modules(__name__)
