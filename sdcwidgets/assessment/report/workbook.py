"""Workbook of a release: a sheet with the title, source, table and notes, and a sheet with the method."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.labels import total_label
from sdcwidgets.assessment.report.report import Report
from sdcwidgets.tables.writing import in_memory

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

#: So wide are columns at most, in letters.
_WIDEST = 40


def workbook(report: Report, total: str = "") -> bytes:
    """Return an .xlsx file for data users, which follows from the release and the method alone.

    Parameters
    ----------
    report : Report
        Only what is public of it is written, also of an internal report.
    total : str
        What the sum of all is called, "Total" if not given.

    Examples
    --------
    >>> from io import BytesIO
    >>> from openpyxl import load_workbook
    >>> from sdcwidgets.tables import examples
    >>> from sdcwidgets import methods
    >>> release = methods.get("conventional-rounding")().release(examples.load("religion"), 1)
    >>> book = load_workbook(BytesIO(workbook(Report(release, title="Religion by area"), total="All areas")))
    >>> book.sheetnames, book["Table"]["A1"].value, book["Table"].freeze_panes
    (['Table', 'Method'], 'Religion by area', 'B5')
    """
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Table"
    _fill_table(sheet, report, total)
    _fill_method(book.create_sheet("Method"), report)
    for worksheet in book.worksheets:
        for line in worksheet.iter_rows():
            for cell in line:
                if isinstance(cell.value, str):  # a label such as "=1+1" stays text
                    cell.data_type = "s"
    return in_memory(book)


def _fill_table(sheet: Worksheet, report: Report, total: str) -> None:
    from openpyxl.styles import Alignment, Border, Font, Side

    release, bold = report.release, Font(bold=True)
    layout = report.as_read if report.as_read is not None and report.as_read.fits(release) else None
    titles = list(layout.above) if layout and layout.above else [report.title, report.source]
    for r, title in enumerate(titles, start=1):
        sheet.cell(r, 1, title)
    sheet["A1"].font = Font(bold=True, size=14)
    ends = {total_label(axis.labels): total for axis in release.axes} if total else {}
    head, *body = list(layout.lines(release) if layout else release.lines())
    labels, at = max(1, release.ndim - 1), len(titles) + 2
    for k, label in enumerate(head, start=1):
        cell = sheet.cell(at, k, label if k <= labels else _named(label, ends))
        cell.font, cell.border = bold, Border(bottom=Side("thin"))
        cell.alignment = Alignment(
            wrap_text=True, vertical="bottom", horizontal="left" if k <= labels else "right"
        )
    for r, line in enumerate(body, start=at + 1):
        for k, value in enumerate(line, start=1):
            if k <= labels:
                sheet.cell(r, k, _named(value, ends))
                continue
            cell = sheet.cell(r, k, value)
            cell.alignment = Alignment(horizontal="right")
            if not isinstance(value, str):
                cell.number_format = "#,##0" if value == int(value) else "#,##0.0##"
    sheet.freeze_panes = sheet.cell(at + 1, labels + 1)
    for r, note in enumerate((*(layout.below if layout else ()), *release.notes), start=at + 2 + len(body)):
        sheet.cell(r, 1, note)
    _widen(sheet, at, at + len(body))


def _fill_method(sheet: Worksheet, report: Report) -> None:
    """Write the method and the settings that are meant for publication, one per row."""
    from openpyxl.styles import Font

    public = replace(report, internal=False)
    lines: list[tuple[str, str]] = []
    if public.method is not None:
        lines += [("Method", public.method.title), *public.settings]
    lines.append(("Made", public.created))
    for line in lines:
        sheet.append(line)
        sheet.cell(sheet.max_row, 1).font = Font(bold=True)
    _widen(sheet, 1, len(lines))


def _widen(sheet: Worksheet, first: int, last: int) -> None:
    """Give columns the width of what stands in these lines, within bounds."""
    for column in sheet.iter_cols(min_row=first, max_row=last):
        widest = max(len(str(cell.value)) for cell in column if cell.value is not None or cell.row == first)
        sheet.column_dimensions[column[0].column_letter].width = min(max(widest + 2, 9), _WIDEST)


def _named(label: Any, ends: dict[str, str]) -> object:
    return ends.get(label, label)
