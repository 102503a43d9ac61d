"""Formats of files, one module per format. Each format converts the bytes of a file to the cells of sheets.

The module `reading` selects the format by the content of the file, and reads the sheet that contains a table.
"""

from __future__ import annotations

from sdcwidgets._util.registry import import_modules
from sdcwidgets.tables.io.formats.base import Format, SheetCells, available, get, of, register, suffixes

__all__ = ["Format", "SheetCells", "available", "get", "of", "register", "suffixes"]

import_modules(__name__)
