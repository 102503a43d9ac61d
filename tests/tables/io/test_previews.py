"""The first view of a file, whose layout a person changes."""

import pytest

from sdcwidgets.tables.io.previews import FIRST_COLUMNS, LAST_COLUMNS, FilePreview

#: Number of columns up to which all are shown.
ALL = FIRST_COLUMNS + LAST_COLUMNS


def wide_file(width):
    head = ["Area", *(f"c{number}" for number in range(2, width + 1))]
    lines = [head, *([area, *["5"] * (width - 1)] for area in ("Bath", "Hull"))]
    return "\n".join(",".join(line) for line in lines).encode()


@pytest.mark.parametrize(
    ("width", "last"), [(ALL, range(25, 29)), (ALL + 1, range(26, 30)), (ALL + 9, range(34, 38))]
)
def test_the_first_and_the_last_columns_are_shown(width, last):
    shown = FilePreview(wide_file(width)).shown()
    numbers = [column["number"] for column in shown["columns"]]
    assert numbers == [*range(1, 25), *last]
    headings = [column["heading"] for column in shown["columns"]]
    assert headings == ["Area", *(f"c{number}" for number in numbers[1:])]
    assert {len(row["cells"]) for row in shown["rows"]} == {ALL}


@pytest.mark.parametrize(("length", "is_cut"), [(60, False), (61, True)])
def test_a_long_text_is_cut(length, is_cut):
    shown = FilePreview(f"Area,n\n{'b' * length},4\nHull,5\n".encode()).shown()
    (cell,) = [row["cells"][0] for row in shown["rows"] if row["cells"][0].startswith("b")]
    assert len(cell) == 60
    assert cell.endswith("…") == is_cut
