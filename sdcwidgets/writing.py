"""Frames as workbooks in which a label is never taken for a formula."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from sdcwidgets.labels import corner

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["workbook"]


def workbook(sheets: dict[str, pd.DataFrame]) -> bytes:
    """Return an .xlsx file with one sheet for each frame; the index of a frame is its first column.

    Text is written as text, so that a label such as "=1+1" stays what it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from sdcwidgets import FrequencyTable
    >>> content = workbook({"table": pd.DataFrame({"Yes": [1, 2]}, index=pd.Index(["=A1", "b"], name="Area"))})
    >>> FrequencyTable.from_excel(content).axes[0].labels
    ('=A1', 'b')
    """
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, frame in sheets.items():
        sheet = book.create_sheet(name)
        names = [str(name) for name in (frame.index.name, frame.columns.name) if name is not None]
        table = frame.reset_index(names=corner(names) if names else None)
        rows: Iterable[Iterable[Any]] = (table.columns, *table.itertuples(index=False))
        for row in rows:
            sheet.append([_plain(value) for value in row])
        for line in sheet.iter_rows():
            for cell in line:
                if isinstance(cell.value, str):
                    cell.data_type = "s"
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _plain(value: Any) -> Any:
    """Return a value that a workbook can hold: numbers of numpy become plain ones, what is missing is empty."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and value != value else value
