"""Lines and frames as CSV text and workbooks in which a label is never taken for a formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from sdcwidgets._util.labels import corner
from sdcwidgets._util.publication import FIRST_LINE

if TYPE_CHECKING:
    import pandas as pd
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

#: So wide are columns of labels and others at most, in letters; a longer header is wrapped.
WIDEST_LABELS, WIDEST = 60, 24

#: At most so many columns of labels stay in sight.
MOST_FROZEN = 3


def below(notes: Sequence[str]) -> list[list[str]]:
    """Return the lines that stand below a table: a blank one, and a note in each other; none without notes.

    >>> below(["Rounded."]), below([])
    ([[], ['Rounded.']], [])
    """
    return [[], *([note] for note in notes)] if notes else []


def workbook(
    sheets: Mapping[str, pd.DataFrame | Iterable[Iterable[object]]],
    notes: Sequence[str] = (),
    *,
    internal: bool = False,
) -> bytes:
    """Return an .xlsx file with one sheet for each frame or list of lines; notes stand below the first.

    With `internal`, the first row of each sheet says that the file is internal.

    The index of a frame is its first column; the lines of a release are those of `Release.lines`.

    Text is written as text, so that a label such as "=1+1" stays what it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> content = workbook({"table": pd.DataFrame({"Yes": [1, 2]}, index=pd.Index(["=A1", "b"], name="Area"))})
    >>> FrequencyTable.from_excel(content).axes[0].labels
    ('=A1', 'b')
    """
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, frame in sheets.items():
        sheet = book.create_sheet(name)
        for row in _lines(frame):
            sheet.append([_plain(value) for value in row])
        _lay_out(sheet)
        if internal:
            sheet.insert_rows(1)
            sheet.cell(1, 1, FIRST_LINE)
            sheet.freeze_panes = sheet.cell(3, sheet[sheet.freeze_panes].column)
        for row in below(notes) if len(book.worksheets) == 1 else ():
            sheet.append(row)
        for line in sheet.iter_rows():
            for cell in line:
                if isinstance(cell.value, str):
                    cell.data_type = "s"
    return in_memory(book)


def in_memory(book: Workbook) -> bytes:
    """Return a workbook as a file, in memory: openpyxl's own way writes each sheet to a temporary file first."""
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    class InMemory(ExcelWriter):  # type: ignore[misc]
        def write_worksheet(self, sheet: Any) -> None:
            writer = WorksheetWriter(sheet, BytesIO())
            writer.write()
            sheet._rels, sheet._drawing = writer._rels, None
            self._archive.writestr(sheet.path[1:], writer.out.getvalue())
            self.manifest.append(sheet)

    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        InMemory(book, archive).write_data()
    return content.getvalue()


def _lay_out(sheet: Worksheet) -> None:
    """Give columns the width of what they hold, within bounds, and keep header and labels in sight."""
    from openpyxl.styles import Alignment

    labels = 0
    for k, column in enumerate(sheet.iter_cols()):
        body = column[1:]
        if k == labels < MOST_FROZEN and body and all(isinstance(cell.value, str) for cell in body):
            labels += 1
        widest = max(len(str(cell.value)) for cell in column if cell.value is not None or cell.row == 1)
        most = WIDEST_LABELS if k < labels else WIDEST
        sheet.column_dimensions[column[0].column_letter].width = min(max(widest + 2, 9), most)
        column[0].alignment = Alignment(wrap_text=True, vertical="bottom")
    sheet.freeze_panes = sheet.cell(2, labels + 1)


def _lines(frame: pd.DataFrame | Iterable[Iterable[object]]) -> Iterable[Iterable[object]]:
    """Return the lines of a sheet; those of a frame begin with its head."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        return frame
    names = [str(name) for name in frame.index.names if name is not None]
    if names and frame.columns.name is not None:
        names = corner([*names, str(frame.columns.name)])
    table = frame.reset_index(names=names or None)
    return (table.columns, *table.itertuples(index=False))


def _plain(value: object) -> object:
    """Return a value that a workbook can hold: numbers of numpy become plain ones, what is missing is empty."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and value != value else value
