"""Write releases and data frames as .xlsx workbooks; labels such as "=1+1" are written as text, not as formulas."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

from sdcwidgets._util.errors import InputError, described
from sdcwidgets._util.labels import corner, total_label
from sdcwidgets._util.publication import FIRST_LINE, creation_text, method_lines
from sdcwidgets.tables.io.writers.positions import Placement
from sdcwidgets.tables.unnamed import is_invented

if TYPE_CHECKING:
    import pandas as pd
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.writers.as_read import AsRead
    from sdcwidgets.tables.linked_release import LinkedRelease
    from sdcwidgets.tables.release import Release

#: Maximum width of columns of labels and of other columns, in letters. A longer header is wrapped.
WIDEST_LABELS, WIDEST = 60, 24

#: Maximum width of a column of a release, in letters.
_WIDEST_OF_RELEASE = 40

#: Maximum number of columns of labels that stay visible while a user scrolls.
MOST_FROZEN = 3


def below(notes: Sequence[str]) -> list[list[str]]:
    """Return the lines below a table: a blank line, and one line per note; an empty list without notes.

    Examples
    --------
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
    """Return an .xlsx file with one sheet per frame or list of lines.

    Texts are never written as formulas, so that a label such as "=1+1" does not change.

    Parameters
    ----------
    sheets : mapping of str to DataFrame or iterable of lines
        Content of each sheet by its name. The index of a frame becomes its first columns.
    notes : sequence of str
        Lines below the content of the first sheet.
    internal : bool
        Whether the first row of each sheet states that the file is internal.

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
    """Return a workbook as a file, in memory.

    `Workbook.save` writes each sheet to a temporary file first, and takes 1.1 times the processor time.
    """
    content = BytesIO()
    try:
        _write_in_memory(book, content)
    except (ImportError, AttributeError):  # the parts of openpyxl are private
        content = BytesIO()
        book.save(content)
    return content.getvalue()


def _write_in_memory(book: Workbook, content: BytesIO) -> None:
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    class InMemory(ExcelWriter):  # type: ignore[misc]
        def write_worksheet(self, sheet: Any) -> None:
            writer = WorksheetWriter(sheet, BytesIO())
            writer.write()
            sheet._rels, sheet._drawing = writer._rels, None
            self._archive.writestr(sheet.path[1:], writer.out.getvalue())
            self.manifest.append(sheet)

    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        InMemory(book, archive).write_data()


def _lay_out(sheet: Worksheet) -> None:
    """Fit the width of each column to its longest value, within limits, and freeze the header and the labels."""
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
    """Return the lines of a sheet; the first line of a frame is its header."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        return frame
    names = [str(name) for name in frame.index.names if name is not None]
    if names and frame.columns.name is not None:
        names = corner([*names, str(frame.columns.name)])
    table = frame.reset_index(names=names or None)
    return (table.columns, *table.itertuples(index=False))


def _plain(value: object) -> object:
    """Convert a value of numpy to a value of Python, and nan to None, for openpyxl."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and value != value else value


def release_workbook(
    release: Release,
    title: str = "Table",
    source: str = "",
    *,
    method: Method | None = None,
    as_read: AsRead | None = None,
    total: str = "",
    lines: Sequence[list[Any]] = (),
    label_columns: int = 0,
    totals: bool = True,
    is_original: bool = False,
) -> bytes:
    """Return an .xlsx file for data users, which follows from the release and the method alone.

    Parameters
    ----------
    release : Release
    title : str
        Title of the table.
    source : str
        Source of the data.
    method : Method, optional
        Its settings that are meant for publication are written to a second sheet.
    as_read : AsRead, optional
        Layout of the source, which is used if the release fits it. The lines around the table are always written,
        except those that contain a count which the release does not show.
    total : str
        Label of the sum of all categories, "Total" if not given.
    lines : sequence of list
        Header and rows of the release with its sub-totals, which are written in place of those of the release.
    label_columns : int
        Number of columns of `lines` with labels of rows; by default one per axis except the last axis.
    totals : bool
        Whether totals are written if the release does not fit the layout of the source.
    is_original : bool
        Whether the second sheet states that the counts are original, if no method is given.

    Examples
    --------
    >>> from io import BytesIO
    >>> from openpyxl import load_workbook
    >>> from sdcwidgets import methods
    >>> from sdcwidgets.tables import examples
    >>> release = methods.get("conventional-rounding")().release(examples.load("religion"), 1)
    >>> book = load_workbook(BytesIO(release_workbook(release, "Religion by area", total="All areas")))
    >>> book.sheetnames, book["Table"]["A1"].value, book["Table"].freeze_panes
    (['Table', 'Method'], 'Religion by area', 'B4')
    """
    titles, notes = _filled(title, source), release.notes
    if as_read is None:
        placement = Placement.compact(titles, notes, blank_rows=1)
    else:
        placement = as_read.placement(release, titles=titles, notes=notes, blank_rows=1)
    labels, heads = max(1, release.ndim - 1), 1
    if lines:
        labels = label_columns or labels
        head, *body = lines
        lines = [header_for_readers(release, head, labels), *body]
    elif as_read is not None and as_read.fits(release):
        lines = list(as_read.lines(release))
        labels, heads = as_read.label_columns, as_read.heading_lines
    else:
        head, *body = lines_with_total(release, total, totals=totals)
        lines = [header_for_readers(release, head), *body]
    axes = [axis.name for axis in release.axes]
    on_method = _checked(method, is_original=is_original, axes=axes)
    return _book(lines, labels, placement, on_method, heads)


def linked_workbook(
    release: LinkedRelease, title: str = "Table", source: str = "", *, method: Method | None = None
) -> bytes:
    """Return an .xlsx file of a release with sub-totals or of linked tables; see `release_workbook`."""
    titles = _filled(title, source)
    return book_of_lines(release.lines(), release.ndim, titles, release.notes, _checked(method))


def _filled(*titles: str) -> tuple[str, ...]:
    return tuple(filter(None, titles))


def book_of_lines(
    lines: Iterable[list[Any]],
    labels: int,
    titles: Sequence[str],
    notes: Sequence[str],
    method: Sequence[tuple[str, str]],
) -> bytes:
    """Return a workbook with a sheet of the header and the rows, and a sheet on the method.

    Parameters
    ----------
    lines : iterable of list
        Header and rows.
    labels : int
        Number of columns with labels.
    titles : sequence of str
        Lines above the table.
    notes : sequence of str
        Lines below the table.
    method : sequence of (str, str)
        Names and texts of the sheet on the method, as of `publication.method_lines`.
    """
    return _book(lines, labels, Placement.compact(titles, notes, blank_rows=1), method, 1)


def _book(
    lines: Iterable[list[Any]],
    labels: int,
    placement: Placement,
    method: Sequence[tuple[str, str]],
    heads: int,
) -> bytes:
    """Return a workbook with a table and its texts in the cells of a placement, and a sheet on the method.

    The table has `heads` header lines, in which a label is merged with the blank cells after it.
    """
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Table"
    _fill_table(sheet, lines, labels, placement, heads)
    _fill_method(book.create_sheet("Method"), method)
    for worksheet in book.worksheets:
        for line in worksheet.iter_rows():
            for cell in line:
                if isinstance(cell.value, str):  # a label such as "=1+1" stays text
                    cell.data_type = "s"
    return in_memory(book)


def _fill_table(
    sheet: Worksheet, lines: Iterable[list[Any]], labels: int, placement: Placement, heads: int
) -> None:
    from openpyxl.styles import Alignment, Font

    for row, column, title in placement.above:
        sheet.cell(row, column, title)
    if placement.above:
        row, column, _ = placement.above[0]
        sheet.cell(row, column).font = Font(bold=True, size=14)
    lines = list(lines)
    at, first_column = placement.row, placement.column
    _fill_heads(sheet, lines[:heads], labels, at, first_column)
    body = lines[heads:]
    for row, line in enumerate(body, start=at + heads):
        for k, value in enumerate(line):
            cell = sheet.cell(row, first_column + k, value)
            if k < labels:
                continue
            cell.alignment = Alignment(horizontal="right")
            if not isinstance(value, str):
                cell.number_format = "#,##0" if value == int(value) else "#,##0.0##"
    sheet.freeze_panes = sheet.cell(at + heads, first_column + labels)
    last = at + heads - 1 + len(body)
    for row, column, note in placement.below:
        sheet.cell(last + row, column, note)
    _widen(sheet, at + heads - 1, last)


def _fill_heads(
    sheet: Worksheet, lines: Sequence[list[Any]], labels: int, first: int, first_column: int
) -> None:
    """Write the header lines; each label of an upper line is merged with the blank cells after it."""
    from openpyxl.styles import Alignment, Border, Font, Side

    first_count = first_column + labels
    for row, line in enumerate(lines, start=first):
        is_last = row == first + len(lines) - 1
        for k, label in enumerate(line, start=first_column):
            cell = sheet.cell(row, k, label or None)
            cell.font = Font(bold=True)
            cell.border = Border(bottom=Side("thin")) if is_last else Border()
            side = "left" if k < first_count else "right" if is_last else "center"
            cell.alignment = Alignment(wrap_text=True, vertical="bottom", horizontal=side)
        texts = enumerate(line[labels:], start=first_count)
        starts = [] if is_last else [k for k, label in texts if label]
        for start, end in itertools.pairwise([*starts, first_column + len(line)]):
            if end - start > 1:
                sheet.merge_cells(start_row=row, end_row=row, start_column=start, end_column=end - 1)


def header_for_readers(release: Release, head: Sequence[Any], label_columns: int = 0) -> list[Any]:
    r"""Return the header of `Release.lines` without the names that the program gave to axes without a name.

    Parameters
    ----------
    release : Release
    head : sequence of str
    label_columns : int
        Number of columns with labels of rows; by default one per axis except the last axis.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, Release
    >>> release = Release.of(FrequencyTable([[1, 2]], {"Area": ["A"], "Column": ["x", "y"]}))
    >>> head = list(next(release.lines()))
    >>> head, header_for_readers(release, head)
    (['Area \\ Column', 'x', 'y', 'Total'], ['Area', 'x', 'y', 'Total'])
    """
    *names, last = (axis.name for axis in release.axes)
    if not names or not is_invented(last):
        return list(head)
    if label_columns > len(names):
        names = [str(label).removesuffix(f" \\ {last}") for label in head[:label_columns]]
    return ["" if is_invented(name) else name for name in names] + list(head[len(names) :])


def lines_with_total(release: Release, total: str, *, totals: bool = True) -> Iterator[list[Any]]:
    """Yield the header and the rows of a release, with `total` as the label of each total if it is not empty."""
    lines = map(list, release.lines(totals=totals))
    if not total:
        yield from lines
        return
    # A category of one axis may have the label that the total of another axis has.
    ends = [total_label(axis.labels) for axis in release.axes]
    head = next(lines)
    if release.ndim > 1:
        across = ends.pop()
        labels = len(ends)
        head[labels:] = [total if label == across else label for label in head[labels:]]
    yield head
    for line in lines:
        for k, end in enumerate(ends):
            if line[k] == end:
                line[k] = total
        yield line


def _checked(
    method: Method | None, *, is_original: bool = False, axes: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return the lines on a method, or raise InputError if it is another value."""
    if method is not None and (
        isinstance(method, str) or not hasattr(method, "title") or not hasattr(method, "note")
    ):
        raise InputError(
            f"The method is {described(method)}; pass the method with its settings, such as "
            'methods.get("random-rounding")(base=5).'
        )
    return method_lines(method, is_original=is_original, axes=axes)


def _fill_method(sheet: Worksheet, method: Sequence[tuple[str, str]]) -> None:
    """Write the method, its settings for publication, and the creation time of the file, one per row."""
    from openpyxl.styles import Font

    lines = [*method, ("Made", creation_text())]
    for line in lines:
        sheet.append(line)
        sheet.cell(sheet.max_row, 1).font = Font(bold=True)
    _widen(sheet, 1, len(lines))


def _widen(sheet: Worksheet, first: int, last: int) -> None:
    """Fit the width of each column to its longest value in the rows from `first` to `last`, within limits."""
    for column in sheet.iter_cols(min_row=first, max_row=last):
        widest = max(len(str(cell.value)) for cell in column if cell.value is not None or cell.row == first)
        sheet.column_dimensions[column[0].column_letter].width = min(max(widest + 2, 9), _WIDEST_OF_RELEASE)
