"""The first view of a file, and changes of its layout that make the table right."""

import pytest

from sdcwidgets import InputError
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


def preview(text, *changes):
    made = FilePreview(text.encode())
    for change in changes:
        made.change(change)
    return made


def labels(made):
    return [axis.labels for axis in made.reading.table.axes]


def role(number, chosen):
    return {"row": number, "role": chosen}


def setting(name, value):
    return {"name": name, "value": value}


def offered(made, name):
    settings = {item["name"]: item for item in made.shown()["settings"]}
    return settings[name]["chosen"] if name in settings else None


YEARS = "Area,Men 2022,Women 2022,Men 2023,Women 2023\nBath,310,295,75,82\nHull,1204,1190,88,60\n"


def test_headings_that_name_two_axes_are_read_as_two_axes_or_one():
    made = preview(YEARS)
    assert labels(made) == [("Bath", "Hull"), ("Men", "Women"), ("2022", "2023")]
    made.change(setting("split", "one"))
    assert labels(made)[1] == ("Men 2022", "Women 2022", "Men 2023", "Women 2023")
    made.change(setting("split", "several"))
    assert labels(made)[1:] == [("Men", "Women"), ("2022", "2023")]


def test_a_column_that_breaks_the_two_axes_of_the_headings_is_read_on_one_axis():
    made = preview(YEARS.replace("Women 2023", "Women"), {"column": 5, "role": "other"})
    assert offered(made, "split") is None
    assert labels(made)[1] == ("Men 2022", "Women 2022", "Men 2023")


CROSSED = "Area,Sex,n\nBath,m,31\nBath,f,41\nHull,m,59\nHull,f,26\n"


def test_all_lines_with_a_label_are_omitted_and_read_again():
    made = preview(CROSSED, role(3, "omit:2"))
    assert (labels(made), made.reading.table.total) == ([("Bath", "Hull"), ("m",)], 90)
    assert [row["role"] for row in made.shown()["rows"]] == ["header", "count", "total", "count", "total"]
    made.change(role(5, "count"))
    assert made.reading.table.total == 157


def test_lines_with_one_column_of_labels_are_omitted_one_by_one():
    assert "omit:1" not in dict(preview("Area,n\nBath,31\nHull,41\n").shown()["row_options"])


@pytest.mark.parametrize(
    ("meaning", "first", "total"),
    [("fill", ("Bath", "Hull"), 157), ("leave out", ("Bath", "Hull"), 90), ("error", None, 0)],
)
def test_a_blank_label_has_a_meaning(meaning, first, total):
    text = "Area,Sex,n\nBath,m,31\n,f,41\nHull,m,59\n,f,26\n"
    made = preview(text)
    made.change({"column": 1, "role": "label"})
    assert offered(made, "blanks:1") == "error"
    made.change(setting("blanks:1", meaning))
    if first is None:
        assert made.reading is None
    else:
        assert (labels(made)[0], made.reading.table.total) == (first, total)


def test_blanks_are_a_category_on_request():
    made = preview(CROSSED.replace("Hull,m", ",m").replace("Hull,f", ",f"), {"column": 1, "role": "label"})
    made.change(setting("blanks:1", "category"))
    assert set(labels(made)[0]) == {"Bath", "Unknown"}


def test_a_part_of_a_file_is_skipped():
    text = "Area,m,f\nBath,31,41\nHull,59,26\nSecond table,,\nKent,72,1\nYork,85,2\n"
    made = preview(text, role(4, "skip"))
    assert made.reading.table.counts.tolist() == [[31, 41], [59, 26]]
    assert [row["role"] for row in made.shown()["rows"]][3:] == ["skip", "other", "other"]


def test_counts_with_decimals_are_rounded():
    made = preview("Area,m,f\nBath,31.5,41.2\nHull,59.9,26.1\n", setting("rounded", "True"))
    assert made.reading.table.counts.tolist() == [[32, 41], [60, 26]]


def test_another_delimiter_gives_another_proposal():
    text = "Area|Men, all|Women, all\nBath|31|41\nHull|59|26\n"
    made = preview(text, setting("delimiter", ","), setting("delimiter", "|"))
    assert (labels(made)[0], made.reading.table.total) == (("Bath", "Hull"), 157)
    with pytest.raises(InputError):
        made.change(setting("delimiter", "x"))
    assert made.reading.table.total == 157


def test_a_layout_with_these_choices_reads_the_file_again():
    from sdcwidgets.tables.io.layout_reader import read
    from sdcwidgets.tables.io.layouts import FileLayout

    made = preview(YEARS, setting("rounded", "True"))
    layout = FileLayout.from_toml(made.layout().to_toml())
    assert read(YEARS, layout).table == made.reading.table


COMBINED = (
    'Group,Bath,Hull\n"Men, 0-14",310,75\n"Men, 15+",1204,88\n"Women, 0-14",295,82\n"Women, 15+",1190,60\n'
)


def test_labels_of_lines_that_name_two_axes_are_read_as_two_axes_or_one():
    made = preview(COMBINED)
    assert labels(made) == [("Men", "Women"), ("0-14", "15+"), ("Bath", "Hull")]
    assert made.reading.table.counts.tolist() == [[[310, 75], [1204, 88]], [[295, 82], [1190, 60]]]
    made.change(setting("split:1", "one"))
    assert [len(axis) for axis in labels(made)] == [4, 2]
    made.change(setting("split:1", "several"))
    made.change(role(3, "other"))
    assert (made.reading, offered(made, "split:1")) == (None, "several")
    made.change(setting("split:1", "one"))
    assert [len(axis) for axis in labels(made)] == [3, 2]
