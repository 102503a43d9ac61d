"""A release is written in the cells of its file, also if the table does not begin in the first row or column."""

import csv
import io

import openpyxl
import pytest

from sdcwidgets import InputError, protect
from sdcwidgets.cli import main
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.io.writers.positions import Position

TABLE = [["Area", "f", "m", "All"], ["North", 3, 20, 23], ["South", 1, 40, 41], ["All", 4, 60, 64]]
ROUNDED = [["Area", "f", "m", "All"], ["North", 5, 20, 25], ["South", 0, 40, 40], ["All", 5, 60, 65]]
THREE_AXES = [
    ["Area", "Sex", "young", "old"],
    ["North", "f", 3, 20],
    ["", "m", 8, 14],
    ["South", "f", 1, 40],
    ["", "m", 9, 12],
]


def moved(table, row, column):
    return [[] for _ in range(row - 1)] + [[None] * (column - 1) + list(line) for line in table]


def xlsx(lines):
    book = openpyxl.Workbook()
    for i, line in enumerate(lines, start=1):
        for j, value in enumerate(line, start=1):
            book.active.cell(i, j, value)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def text(lines):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(lines)
    return stream.getvalue().encode()


def cells_of(path):
    """Return the filled cells of a written file by their row and column, as texts."""
    if path.suffix == ".xlsx":
        lines = list(openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True))
    else:
        lines = list(csv.reader(path.read_text().splitlines()))
    return {
        (i, j): str(cell)
        for i, line in enumerate(lines, start=1)
        for j, cell in enumerate(line, start=1)
        if cell not in (None, "")
    }


def written(tmp_path, content, ending, **titles):
    reading = read_bytes(f"t{ending}", content)
    release = protect(reading.table, "conventional-rounding", base=5)
    path = tmp_path / f"written{ending}"
    if ending == ".xlsx":
        release.to_excel(path, as_read=reading.as_read, **titles)
    else:
        release.to_csv(path, as_read=reading.as_read)
    return path, release


@pytest.mark.parametrize(("ending", "made"), [(".xlsx", xlsx), (".csv", text)])
@pytest.mark.parametrize(("row", "column"), [(2, 2), (4, 2), (2, 1), (1, 2)])
def test_a_table_is_written_in_its_cells(ending, made, row, column, tmp_path):
    content = made(moved(TABLE, row, column))
    path, release = written(tmp_path, content, ending, title="People")
    if row == 1 and ending == ".xlsx":
        row = 3  # below the title, for which the file has no row
    cells = cells_of(path)
    for i, line in enumerate(ROUNDED, start=row):
        assert [cells[i, j] for j in range(column, column + 4)] == list(map(str, line))
    assert min(j for _, j in cells) == column
    assert [cells[i, column] for i in (row + 5, row + 6)] == list(release.notes)
    if ending == ".xlsx":
        assert cells[1, column] == "People"


@pytest.mark.parametrize(("ending", "made"), [(".xlsx", xlsx), (".csv", text)])
def test_lines_around_a_table_are_written_in_their_cells(ending, made, tmp_path):
    lines = [
        [],
        [None, "People by area and sex"],
        [],
        *moved(TABLE, 2, 2),
        [],
        [],
        [None, None, "Source: us"],
    ]
    path, release = written(tmp_path, made(lines), ending)
    cells = cells_of(path)
    assert [cells[5, j] for j in range(2, 6)] == ROUNDED[0]
    assert [cells[8, j] for j in range(2, 6)] == list(map(str, ROUNDED[3]))
    assert cells[2, 2] == "People by area and sex"
    assert cells[11, 3] == "Source: us"
    assert cells[12, 2] == release.notes[0]
    assert not [cell for cell in cells if cell[0] in (1, 3, 4, 9, 10) or cell[1] == 1]


@pytest.mark.parametrize(("ending", "made"), [(".xlsx", xlsx), (".csv", text)])
def test_a_title_can_begin_in_a_column_before_the_table(ending, made, tmp_path):
    path, _ = written(tmp_path, made([["People by area"], *moved(TABLE, 2, 2)]), ending)
    cells = cells_of(path)
    assert cells[1, 1] == "People by area"
    assert [cells[6, j] for j in range(2, 6)] == list(map(str, ROUNDED[3]))


@pytest.mark.parametrize(("ending", "made"), [(".xlsx", xlsx), (".csv", text)])
def test_a_table_of_three_axes_is_written_in_its_cells(ending, made, tmp_path):
    path, _ = written(tmp_path, made(moved(THREE_AXES, 3, 2)), ending)
    cells = cells_of(path)
    assert [cells[3, j] for j in range(2, 6)] == THREE_AXES[0]
    assert [cells[6, j] for j in (2, 3, 4, 5)] == ["South", "f", "0", "40"]


@pytest.mark.parametrize(("ending", "made"), [(".xlsx", xlsx), (".csv", text)])
@pytest.mark.parametrize("around", [False, True])
def test_the_layout_of_the_source_reads_the_written_file(ending, made, around, tmp_path):
    lines = moved(TABLE, 2, 2)
    if around:
        lines = [[], [None, "People by area and sex"], [], *lines, [], [None, "Source: us"]]
    content = made(lines)
    source = tmp_path / f"source{ending}"
    source.write_bytes(content)
    layout = propose_layout(source).layout
    path, release = written(tmp_path, content, ending)
    assert read(path, layout).table.counts.tolist() == release.values[0, 1].tolist()
    out = tmp_path / f"protected{ending}"
    options = ["--method", "conventional-rounding", "--base", "5", "--output", str(out)]
    assert main(["protect", str(source), *options]) == 0
    assert read(out, layout).table.counts.tolist() == release.values[0, 1].tolist()


def test_number_formats_and_panes_are_those_of_the_moved_table(tmp_path):
    path, _ = written(tmp_path, xlsx(moved(TABLE, 2, 2)), ".xlsx", title="People")
    sheet = openpyxl.load_workbook(path).worksheets[0]
    assert sheet["C3"].number_format == "#,##0"
    assert sheet["B3"].number_format == "General"
    assert sheet.freeze_panes == "C3"
    assert sheet["B1"].font.bold
    assert sheet["C2"].border.bottom.style == "thin"


def test_a_line_that_is_withheld_leaves_its_row_blank(tmp_path):
    content = text([["People"], ["There are 3 people in North"], *moved(TABLE, 2, 1)])
    cells = cells_of(written(tmp_path, content, ".csv")[0])
    assert cells[1, 1] == "People"
    assert not [cell for cell in cells if cell[0] in (2, 3)]
    assert cells[4, 1] == "Area"


def test_a_link_keeps_the_position():
    reading = read_bytes("t.csv", text([[], [None, "People"], *moved(TABLE, 2, 2), [], [None, "Source: us"]]))
    layout = reading.as_read
    assert layout.position == Position(4, 2, ((2, 2),), ((2, 2),))
    assert AsRead.from_state(layout.to_state(), reading.table) == layout


@pytest.mark.parametrize("saved", [[[0, 1], [], []], [[3, 1], [2, 1, 1, 1], []], [[2, 1], [2, 1], []]])
def test_a_damaged_position_is_refused(saved):
    with pytest.raises(InputError):
        Position.from_state(saved)


def test_a_table_far_from_the_first_cell_is_written_in_the_first_column(tmp_path):
    cells = cells_of(written(tmp_path, xlsx(moved(TABLE, 2_000, 2)), ".xlsx", title="People")[0])
    assert cells[1, 1] == "People"
    assert cells[3, 1] == "Area"


def test_rows_of_a_workbook_have_their_numbers():
    layout = propose_layout(xlsx([[], [], *TABLE])).layout
    assert (layout.header, layout.first) == (3, 4)


def test_notes_below_a_blank_row_need_no_role():
    layout = propose_layout(text(TABLE)).layout
    assert read(text([*TABLE, [], ["Source: us"], ["Rounded."]]), layout).table.total == 64
    for lines in ([*TABLE, ["East"]], [*TABLE, [], ["East"], ["West", 1, 2, 3]]):
        with pytest.raises(InputError) as error:
            read(text(lines), layout)
        assert "East" in str(error.value)
