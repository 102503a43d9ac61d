r"""Read tables from text, workbooks, pasted blocks and data frames.

The first column has the labels of the rows, and the line above the counts has the labels of the columns. The top-left
cell may name both axes, as in `Area \ Religion`, or only the axis of the rows. Labels are not changed, except that
blanks at their ends are removed. If a file is ambiguous, the functions raise a `Question`, which a field of
`ReadOptions` answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, count_in, listed, quoted, shortened
from sdcwidgets.tables.io.formats.archive import MOST_UNPACKED, MOST_UNPACKED_OWN, unpacked
from sdcwidgets.tables.io.formats.base import Format, Row, Rows, SheetCells, file_bytes, frame_of
from sdcwidgets.tables.io.formats.delimited import DelimitedText, opened_bytes
from sdcwidgets.tables.io.formats.old_workbook import OldWorkbook
from sdcwidgets.tables.io.formats.workbook import Workbook
from sdcwidgets.tables.io.hidden_parts import hidden_doubts
from sdcwidgets.tables.io.layout.absent import absent_in
from sdcwidgets.tables.io.layout.assemble import assemble
from sdcwidgets.tables.io.layout.cells import is_number, label_of, squared
from sdcwidgets.tables.io.layout.contents import counted_by_format, counted_in
from sdcwidgets.tables.io.layout.long import count_by, observed, read_cube
from sdcwidgets.tables.io.layout.parts import Outline, accepted_or_asked, outline
from sdcwidgets.tables.io.named_parts import named_parts
from sdcwidgets.tables.io.options import (
    ROWS,
    Choice,
    NoCounts,
    NoNumbers,
    NoTable,
    NoWorkbook,
    Question,
    Reading,
    ReadOptions,
    choice_of,
)
from sdcwidgets.tables.io.original import as_declared, as_read, joint_of
from sdcwidgets.tables.io.plausibility import (
    OmittedTotal,
    alarms,
    equal_rows,
    without_determined_axes,
    without_largest,
    without_near_sums,
)
from sdcwidgets.tables.io.questions import Doubt, ask, by_and_count, doubt, offering
from sdcwidgets.tables.io.similar_sheets import similar_sheets
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

#: Maximum number of cells of a table on a page.
MAX_DASHBOARD_CELLS = 1_000_000

#: Doubts about the axes, which do not apply if the user chose the axes or the source declares them.
_OF_AXES = ("mostly empty", "combined", "determined")

#: Doubts that do not apply to a frame, which pandas may have grouped so that it has no rows for empty combinations.
_OF_FRAMES = (*_OF_AXES, "absent")

#: Maximum numbers of rows and of columns of a sheet on a page. Rows that are counted do not have this limit.
MAX_DASHBOARD_ROWS = MAX_DASHBOARD_COLUMNS = 50_000


def read_bytes(
    name: str,
    content: bytes,
    *,
    limit: int | None = MAX_DASHBOARD_CELLS,
    totals: bool | str = True,
    how: ReadOptions | None = None,
) -> Reading:
    """Read the content of a file; the content determines the format.

    Parameters
    ----------
    name : str
        Name of the file in messages.
    content : bytes
        Content of a file in any of the formats of `formats.available()`.
    limit : int or None
        Maximum number of cells; None for no limit.
    totals : bool or {"ask", "drop", "keep"}
        Treatment of totals: False keeps all lines, another text than "ask" is used as the option `margins`, and True
        uses the option `margins` of `how`.
    how : ReadOptions, optional
        Other options.

    Returns
    -------
    Reading
        The table, with notes on decisions of the import.

    Raises
    ------
    Question
        If the user must choose an option.
    InputError
        If the content is not a table of counts.
    """
    how = _how(how, totals)
    most = MOST_UNPACKED_OWN if limit is None else MOST_UNPACKED
    content = unpacked(bytes(content), quoted(name), most)
    return read_file(opened_bytes(content, quoted(name), limit, how.encoding), how, limit)


def read_csv(
    source: str | bytes | PathLike[str],
    *,
    limit: int | None = MAX_DASHBOARD_CELLS,
    totals: bool | str = True,
    how: ReadOptions | None = None,
) -> Reading:
    r"""Read CSV text, the bytes of a file, or the file at a path.

    A `str` of one line is a path; a `str` of several lines, or a blank one, is text. See `read_bytes` for parameters.

    Examples
    --------
    The first areas of PSD 2014, Table 4, with their totals:

    >>> reading = read_csv("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
    >>> reading.table.total, reading.notes
    (501, ('The import omitted the totals column "Total" as sums of other lines.',))
    """
    if isinstance(source, bytes | bytearray):
        return read_bytes("The file", source, limit=limit, totals=totals, how=how)
    if isinstance(source, str) and ("\n" in source or "\r" in source or not source.strip()):
        return read_file(DelimitedText(source, limit=limit), _how(how, totals), limit)
    content = file_bytes(source)
    return read_bytes(Path(source).name, content, limit=limit, totals=totals, how=how)


def read_block(
    text: str,
    *,
    limit: int | None = MAX_DASHBOARD_CELLS,
    totals: bool | str = True,
    how: ReadOptions | None = None,
) -> Reading:
    """Read a block of cells from a spreadsheet; a block without labels gets numbers as labels. See `read_bytes`."""
    how, block = _how(how, totals), DelimitedText(text, limit=limit)
    if how.first_line == "ask" and not block.own:
        rows = [row for row in block.rows() if row]
        if rows and not any(isinstance(count_in(cell), str) for cell in rows[0] + [row[0] for row in rows]):
            how = replace(how, first_line="bare", margins="keep" if how.margins == "ask" else how.margins)
    return read_file(block, how, limit)


#: Maximum number of rows of titles above a table.
_MOST_TITLES = 30

#: First bytes of files that may be workbooks, perhaps damaged or in the format of Excel 97.
_ARCHIVES = (b"PK", b"\xd0\xcf\x11\xe0")


def read_excel(
    source: bytes | str | PathLike[str],
    sheet: str | None = None,
    *,
    limit: int | None = MAX_DASHBOARD_CELLS,
    totals: bool | str = True,
    how: ReadOptions | None = None,
) -> Reading:
    """Read a sheet of an .xlsx or .xls workbook, by default the first with a table; see `read_bytes`.

    Formulas have the values that were saved with them.
    """
    content = bytes(source) if isinstance(source, bytes | bytearray) else file_bytes(source)
    if content and not content.startswith(_ARCHIVES):
        name = "The content" if isinstance(source, bytes | bytearray) else shortened(Path(source).name)
        raise NoWorkbook(f"{name} is not a workbook (.xlsx); read a file in another format with from_csv.")
    how = _how(how, totals)
    kind = OldWorkbook if OldWorkbook.knows(content) else Workbook
    called = "The workbook" if isinstance(source, bytes | bytearray) else quoted(Path(source).name)
    return read_file(kind(content, limit, called), how if sheet is None else replace(how, sheet=sheet), limit)


def read_frame(
    frame: pd.DataFrame,
    *,
    limit: int | None = None,
    totals: bool | str = True,
    how: ReadOptions | None = None,
) -> Reading:
    """Read a DataFrame of counts, whose index has the labels of rows and whose columns have the labels of columns.

    Each level of the index and of the columns becomes an axis. A frame with one column, whose columns have no name,
    becomes a table of the axes of the index. If `how` names columns to count by, the frame is a long table, or has one
    row per person. See `read_bytes` for the parameters and errors.
    """
    frame, how = frame_of(frame), _how(how, totals)
    if how.by:
        named = frame if frame.index.names == [None] else frame.reset_index()
        rows = [list(named.columns), *named.astype(object).to_numpy().tolist()]
        return _checked(count_by(rows, how, limit), how, answered=_OF_FRAMES)
    names = [str(name) if name is not None else None for name in (*frame.index.names, *frame.columns.names)]
    parts = Outline(
        names=names,
        labels=[[label_of(part) for part in _key(key)] for key in frame.index],
        headings=[[label_of(part) for part in _key(key)] for key in frame.columns],
        cells=[list(row) for row in frame.astype(object).to_numpy()],
    )
    return _checked(assemble(parts, how, limit, codes=False), how, answered=_OF_FRAMES)


def _key(key: object) -> tuple[object, ...]:
    return key if isinstance(key, tuple) else (key,)


def _how(how: ReadOptions | None, totals: bool | str) -> ReadOptions:
    """Return the options with the treatment of totals that the argument `totals` states."""
    return (how or ReadOptions()).with_totals(totals)


def read_file(file: Format, how: ReadOptions, limit: int | None) -> Reading:
    """Read the chosen sheet, or the first sheet with a table."""
    names = file.names()
    _check_sheet(file, names, how)
    if how.by and not how.column and isinstance(file, DelimitedText):
        file.count_people()
    failed: list[tuple[int, str, InputError]] = []
    most_numbers = 0
    for name in (how.sheet,) if how.sheet and names != ("",) else file.tried():
        rows: Rows = []
        try:
            sheet = file.sheet(name)
            reading = _read_sheet(sheet, rows, how, limit)
        except InputError as error:
            _ask_for_similar_sheet(file, name, rows, how)
            failed.append(_failure(name, error, rows))
            if isinstance(error, Question):
                break
            most_numbers = max(most_numbers, _numbers_beside(names, rows))
            continue
        if most_numbers and _numbers_beside(names, rows) < most_numbers:
            # An earlier sheet with more numbers could not be read. This smaller sheet, perhaps a summary, is not
            # read in its place.
            break
        return _of_sheet(file, name, sheet, rows, reading, how)
    if not failed:
        raise InputError("The workbook has no sheet with cells; load one with a table.")
    if len(names) == 1:
        raise failed[0][-1] from None
    raise _no_sheet(names, how, failed)


def _check_sheet(file: Format, names: Sequence[str], how: ReadOptions) -> None:
    """Raise the question of the file in an archive, or InputError if a file without sheets has no such sheet."""
    if file.must_choose and how.sheet not in names:
        choice = Choice("sheet", {name: name for name in names})
        ask([doubt("files", choice, number=len(names), names=and_more(list(map(quoted, names)), 6))])
    if how.sheet and tuple(names) == ("",):
        raise InputError(
            f"The file has no sheets, so it has no sheet {quoted(how.sheet)}; leave out the sheet (sheet)."
        )


def _of_sheet(
    file: Format, name: str, sheet: SheetCells, rows: Rows, reading: Reading, how: ReadOptions
) -> Reading:
    """Return the reading of a sheet with its layout, unit and codes, and with the notes and choices of its file."""
    names = file.names()
    doubtful = _doubts_about(file, how)
    as_read = None if sheet.own or how.by else _layout_of(sheet, rows, reading, joint_of(file))
    reading = replace(reading, as_read=as_read)
    reading = replace(_with_unit(reading, rows, sheet), table=_with_codes(reading.table, sheet.codes))
    remarks = sheet.remarks()
    hidden = hidden_doubts(file, name, sheet, reading.table, how)
    if len(names) > 1 and not sheet.own:
        _ask_for_similar_sheet(file, name, rows, how)
    accepted = accepted_or_asked(hidden, how)
    notes = (*reading.notes, *(accepted or remarks), *doubtful)
    if len(names) == 1:
        return replace(reading, notes=(*notes, *file.remark(name)))
    choice = Choice("sheet", {title: title for title in names}, (name,))
    notes += () if how.sheet else file.remark(name)
    return replace(reading, notes=notes, choices=(choice, *reading.choices))


def _ask_for_similar_sheet(file: Format, name: str, rows: Rows, how: ReadOptions) -> None:
    """Raise the question of the sheet if others have the same labels, such as one sheet per year, unless answered."""
    is_answered = how.sheet or how.by or how.doubts == "accept"
    names = () if is_answered or len(file.names()) == 1 else similar_sheets(file, name, rows)
    if names:
        choice = Choice("sheet", {title: title for title in file.names()})
        ask([doubt("sheets", choice, names=and_more(list(map(quoted, names)), 6))])


def _layout_of(sheet: SheetCells, rows: Rows, reading: Reading, joint: str) -> AsRead | None:
    """Return the layout in which a release is written; that of a format with declared axes is a cross table."""
    if sheet.by:
        return as_declared(reading.table, sheet) if sheet.above or sheet.below else None
    return as_read(rows, reading.table, reading.grand_totals, joint)


def _with_unit(reading: Reading, rows: Rows, sheet: SheetCells) -> Reading:
    """Return a reading with the counted units, which the format states, or which titles and headings name."""
    if sheet.contents or sheet.by:
        return replace(reading, counted=counted_by_format([*sheet.contents, *sheet.above, sheet.count]))
    above = list(takewhile(_is_without_numbers, rows[:_MOST_TITLES]))
    names = [label_of(cell).strip() for cell in above[-1]] if above else []
    axes = {axis.name for axis in reading.table.axes}
    others = [name for name in names if name and name not in axes]
    return replace(
        reading, counted=counted_in(above, others if axes <= set(names) and len(others) == 1 else ())
    )


def _is_without_numbers(row: Row) -> bool:
    return not any(map(is_number, row))


def _failure(name: str, error: InputError, rows: Rows) -> tuple[int, str, InputError]:
    """Return the rank of an error among those of all sheets, the sheet, and the error with its choices."""
    # The message about a sheet with numbers is more useful than the message that a sheet of notes has no table.
    rank = 2 if isinstance(error, NoTable) else int(isinstance(error, NoNumbers))
    return rank, name, _with_columns(error, rows) if isinstance(error, NoCounts) else error


def _numbers_beside(sheets: Sequence[str], rows: Rows) -> int:
    """Return the number of cells with a digit in the rows of one of several sheets; 0 for a file with one sheet."""
    if len(sheets) == 1:
        return 0
    return sum(any(letter.isdigit() for letter in str(cell)) for row in rows for cell in row)


def _with_codes(table: FrequencyTable, codes: Mapping[str, Mapping[str, str]]) -> FrequencyTable:
    """Return a table with the codes of a file, on axes whose labels have unique codes that differ from the labels."""
    axes = []
    for axis in table.axes:
        of_axis = codes.get(axis.name, {})
        known = tuple(of_axis[label] for label in axis.labels if label in of_axis)
        has_codes = len(set(known)) == len(axis) and known != axis.labels
        axes.append(replace(axis, codes=known) if has_codes else axis)
    return table.rearranged(axes, lambda counts: counts) if any(axis.codes for axis in axes) else table


def _doubts_about(file: Format, how: ReadOptions) -> list[str]:
    """Return a note on an ambiguous encoding if doubts are accepted; otherwise raise a question."""
    return [] if how.encoding else accepted_or_asked(file.doubts(), how, of="encoding")


def _read_sheet(sheet: SheetCells, rows: Rows, how: ReadOptions, limit: int | None) -> Reading:
    """Read a sheet, and append its rows to `rows`."""
    if limit is not None and not sheet.by:
        sheet = replace(sheet, rows=map(_narrow, sheet.rows))
    is_declared = bool(sheet.by)
    sheet = sheet if sheet.own or is_declared else observed(sheet, how)
    if sheet.by:
        answered = _OF_AXES if how.by else _OF_AXES[:2]
        inapplicable = _OF_AXES[:1] if is_declared else ()
        return _checked(read_cube(sheet, how, limit), how, answered=answered, inapplicable=inapplicable)
    if how.by:
        return _checked(count_by(sheet.rows, how, limit), how, answered=_OF_AXES)
    _gather(sheet.rows, rows, limit)
    cells = squared(rows) if sheet.typed and not sheet.own else rows
    reading = assemble(outline(cells, how, typed=sheet.typed, own=sheet.own), how, limit, own=sheet.own)
    return reading if sheet.own else _checked(reading, how)


def _alarms(
    table: FrequencyTable, how: ReadOptions, has_total: Sequence[str], inapplicable: Sequence[str]
) -> list[Doubt]:
    """Return the doubts about a table, also whether counted rows are people.

    The largest category of an axis whose total was omitted can be larger than all others together.
    """
    doubts = [
        alarm
        for alarm in alarms(table)
        if alarm.question not in inapplicable
        and (alarm.question != "outsized" or alarm.facts["axis"] not in has_total)
    ]
    return [*doubts, *(equal_rows(table) if how.by and not how.column else ())]


def _axes_with_total(reading: Reading) -> list[str]:
    """Return the names of the axes whose totals were omitted, and those of all axes if these are not known."""
    names = [axis.name for axis in reading.table.axes]
    if not reading.grand_totals:
        return names if reading.totals else []
    return [name for name, labels in zip(names, reading.grand_totals, strict=True) if labels]


def _totals_of_axes(reading: Reading, table: FrequencyTable) -> tuple[tuple[str, ...], ...]:
    """Return the labels of totals of the axes that are left in a table."""
    if not reading.grand_totals:
        return ()
    names = {axis.name for axis in table.axes}
    axes = zip(reading.table.axes, reading.grand_totals, strict=True)
    return tuple(labels for axis, labels in axes if axis.name in names)


def _checked(
    reading: Reading, how: ReadOptions, answered: Sequence[str] = (), inapplicable: Sequence[str] = ()
) -> Reading:
    """Return a reading with a note on each doubt that is answered, and without rounded totals if totals are omitted.

    If doubts are accepted, people are still not counted twice: rounded totals are omitted, and ranges that overlap
    are read only if all labels are kept.

    Parameters
    ----------
    reading : Reading
    how : ReadOptions
    answered : sequence of str
        Doubts that the source of the table answers, because it declares its axes.
    inapplicable : sequence of str
        Doubts about a guessed layout, which are not reported for a format that declares the axes of all its tables.

    Raises
    ------
    Question
        If a doubt is not answered.
    """
    table, sums = without_near_sums(reading.table) if _drops_sums(how) else (reading.table, [])
    has_total = [*_axes_with_total(reading), *(total.axis.name for total in sums)]
    table, largest = without_largest(table, has_total) if how.largest == "drop" else (table, [])
    gone = [*sums, *largest]
    notes = [total.note for total in gone]
    if _drops_axes(how) and "determined" not in answered:
        table, omitted = without_determined_axes(table)
        notes += omitted
        reading = replace(reading, grand_totals=_totals_of_axes(reading, table))
    choices = _with_choice(reading.choices, "margins", "drop" if sums else "")
    open_ = absent_in(table, _without_axes(reading.doubts, gone))
    if how.margins != "keep" and not inapplicable:
        open_ += named_parts(table, has_total)
    for alarm in (*_alarms(table, how, has_total, inapplicable), *open_):
        if not (_is_answered(alarm, how) or alarm.question in answered):
            offered = alarm.choices or (
                choice_of("doubts"),
                *(choice for choice in choices if choice.name == "by"),
            )
            question = Question(alarm.sentence, *offered)
            question.doubt, question.others = alarm, tuple(open_)
            raise question
        if not _is_noted(alarm, reading):
            notes.append(alarm.statement)
    for name in ("largest", "doubts"):
        chosen = str(getattr(how, name))
        choices = _with_choice(choices, name, "" if chosen == "ask" else chosen)
    totals = reading.totals or bool(gone)
    return replace(reading, table=table, notes=(*reading.notes, *notes), choices=choices, totals=totals)


def _is_noted(alarm: Doubt, reading: Reading) -> bool:
    """Return whether a note of a reading states an answered doubt."""
    named = str(alarm.facts["named"])
    notes = (note for note in reading.notes if note.startswith("The import kept"))
    return alarm.question == "absent" or any(named in note for note in notes)


def _drops_sums(how: ReadOptions) -> bool:
    """Return whether labels that equal the sum of others, except for rounding, are omitted."""
    return how.margins == "drop" or (how.margins == "ask" and how.doubts == "accept")


def _drops_axes(how: ReadOptions) -> bool:
    """Return whether axes that another axis determines are omitted."""
    return how.doubts == "accept" and how.margins != "keep"


def _with_choice(choices: tuple[Choice, ...], name: str, chosen: str) -> tuple[Choice, ...]:
    """Return choices with one more, if it is chosen and not among them."""
    return (
        (*choices, choice_of(name, chosen))
        if chosen and name not in {one.name for one in choices}
        else choices
    )


def _without_axes(doubts: Iterable[Doubt], gone: Sequence[OmittedTotal]) -> list[Doubt]:
    """Return the doubts about axes without an omitted total, which would confirm that the other labels are added."""
    omitted = {total.axis.name for total in gone}
    return [one for one in doubts if one.facts["axis"] not in omitted]


def _is_answered(doubt: Doubt, how: ReadOptions) -> bool:
    """Return whether an option answers a doubt, or all doubts without an option are accepted."""
    if not doubt.choices:
        return how.doubts == "accept"
    if doubt.question == "outsized" and how.margins == "keep":
        return True  # All labels are kept.
    return any(getattr(how, choice.name) in choice.options for choice in doubt.choices)


def _no_sheet(
    names: Sequence[str], how: ReadOptions, failed: Sequence[tuple[int, str, InputError]]
) -> Question:
    """Return a question with the most useful error among those of all sheets, and the sheets as choices."""
    _, name, error = min(failed, key=lambda failure: failure[0])
    choice = Choice("sheet", {title: title for title in names}, (how.sheet,) if how.sheet else ())
    message = str(error)
    if isinstance(error, NoTable):
        others = [title for title in names if title != name]
        are = "other is" if len(others) == 1 else "others are"
        message = f"The sheet {quoted(name)} contains no table; the {are} {listed(others)} (sheet)."
        if len(failed) == len(names) > 1:
            message = f"None of the sheets {listed(names)} contains a table. Load a workbook with a table."
    elif len(failed) > 1:
        message = f"In the sheet {quoted(name)}: {message}"
    question = Question(message, *getattr(error, "choices", ()), choice)
    question.doubt = getattr(error, "doubt", None)
    question.reason = getattr(error, "reason", error)
    return question


def _narrow(row: Row) -> Row:
    """Return a row, or raise InputError if a page cannot show so many columns."""
    if len(row) > MAX_DASHBOARD_COLUMNS:
        raise InputError(
            f"The table has more columns than a page can show; the maximum is {MAX_DASHBOARD_COLUMNS:,}."
        )
    return row


def _gather(lines: Iterable[Row], rows: Rows, limit: int | None) -> None:
    """Append the rows of a sheet to `rows`; with a limit, raise NoCounts if a page cannot show so many rows."""
    most = MAX_DASHBOARD_ROWS + 1  # including the header row
    rows += lines if limit is None else islice(lines, most + 1)
    if limit is not None and len(rows) > most:
        raise NoCounts(
            "The table has more rows than a page can show; the maximum is "
            f"{MAX_DASHBOARD_ROWS:,}. If each row is one person or one count, choose the columns to count "
            f"by (by)."
        )


def _with_columns(error: InputError, rows: Rows) -> InputError:
    """Return an error with the choice of columns to count by, if the first rows include a header row."""
    head = max(rows[:50], key=lambda row: sum(bool(label_of(cell).strip()) for cell in row), default=[])
    names = list(dict.fromkeys(label_of(cell).strip() for cell in head[:60]))
    names = [name for name in names if name and isinstance(count_in(name), str)]
    if len(names) < 2:
        return error
    choices = by_and_count(names, counted=(ROWS,))
    question = offering(error, *choices)
    question.doubt = doubt("people", *choices, error=str(error).removesuffix(" (by)."))
    return question
