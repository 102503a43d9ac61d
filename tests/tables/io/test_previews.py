"""The first view of a file, and changes of its layout that make the table right."""

import io
import itertools
import zipfile

import openpyxl
import pytest

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.previews import FIRST_COLUMNS, IS_RIGHT, LAST_COLUMNS, FilePreview
from sdcwidgets.tables.io.sources import read_csv

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


def asked(made):
    """The answers of each open decision, by the words of its buttons or options."""
    return [[answer["words"] for answer in decision["answers"]] for decision in made.shown()["decisions"]]


def answer(made, words):
    """Give the answer of an open decision that has these words."""
    answers = [one for decision in made.shown()["decisions"] for one in decision["answers"]]
    made.change(next(one["change"] for one in answers if one["words"] == words))


LONG = "Area,Year,n\nBath,2021,31\nHull,2021,59\nBath,2022,35\nHull,2022,54\n"
WIDE = "Area,2021,2022,2023\nBath,310,350,75\nHull,590,540,88\n"


@pytest.mark.parametrize(("text", "first", "all_"), [(LONG, 90, 179), (WIDE, 900, 1953)])
def test_one_time_is_read(text, first, all_):
    made = preview(text)
    assert asked(made)[0][:2] == ["all are read", "only 2021"]
    answer(made, "only 2021")
    assert (made.reading.table.total, labels(made)) == (first, [("Bath", "Hull")])
    assert "only 2021" not in [words for answers in asked(made) for words in answers]
    made.change(
        setting(next(s["name"] for s in made.shown()["settings"] if s["name"].startswith("only")), "")
    )
    assert (made.reading.table.total, asked(made)[0][0]) == (all_, "all are read")


def test_a_ragged_line_does_not_hide_times_and_ends_with_a_change():
    rows = [
        f"{area},{year},{sex},{31 + 7 * len(area)},1"
        for area in ("A", "BB")
        for year in (2021, 2022)
        for sex in "mf"
    ]
    made = preview("\n".join(["Area,Year,Sex,Value,Notes", *rows, "fnSeqID,Footnote", "1,Final figure"]))
    decisions = made.shown()["decisions"]
    assert [len(decision["answers"]) for decision in decisions][2:] == [1]  # only that the reading is right
    made.change({"column": 2, "role": "other"})
    assert [decision["several"] for decision in made.shown()["decisions"]] == ["Count by"]


@pytest.mark.parametrize(
    "text",
    [
        "Sector,Exports\nFood,24310000000\nCars,31200000\nOther,881234\n",
        "Region,Netto CHF,Brutto CHF\nBern,5987,6431\nUri,5300,6120\n",
    ],
)
def test_what_is_counted_answers_a_doubt_about_the_unit(text):
    made = preview(text)
    (answers,) = asked(made)
    assert "cases" in answers
    answer(made, "cases")
    assert (asked(made), made.reading.counted) == ([], "cases")


def test_doubts_are_those_of_the_table_as_it_is_read_now():
    made = preview("Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n")
    assert made.shown()["decisions"][0]["place"] == "column-2"
    answer(made, 'Omit "Code"')
    assert (asked(made), made.reading.table.total) == ([], 3424)
    made.change({"column": 2, "role": "count"})
    assert asked(made) == [['Omit "Code"', 'Read "Code"']]


def test_a_total_that_was_omitted_is_read_on_request():
    made = preview("Area,Men,Women\nBath,31,41\nHull,59,26\nOuse,90,67\n")
    assert asked(made) == [['Omit "Ouse"', 'Read "Ouse"']]
    assert made.reading.table.total == 157
    answer(made, 'Read "Ouse"')
    assert labels(made)[0] == ("Bath", "Hull", "Ouse")
    answer(made, 'Omit "Ouse"')
    assert made.reading.table.total == 157


def test_a_text_in_place_of_a_count_has_two_answers():
    made = preview("Area,Men,Women\nBath,31,-\nHull,59,26\n")
    assert len(asked(made)) == 1
    answer(made, "0")
    assert (made.reading.table.total, asked(made)) == (116, [])


def test_the_unit_of_a_thousand_is_a_decision():
    made = preview("In thousands\nArea,Men,Women\nBath,31,41\nHull,59,26\n")
    assert asked(made) == [["A count of 1 means 1", "A count of 1 means 1,000"]]
    answer(made, "A count of 1 means 1")
    assert (made.reading.table.total, asked(made)) == (157, [])


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Households by tenure\nArea,Owned,Rented\nBath,3,4\nHull,5,6\n", "households"),
        ("Persons in private households\nArea,Men,Women\nBath,3,4\nHull,5,6\n", "people"),
        ("Area,Men,Women\nBath,3,4\nHull,5,6\n", "people"),
        ("Area,Tenure,Dwellings\nBath,o,3\nHull,o,4\nBath,r,5\nHull,r,6\n", "dwellings"),
    ],
)
def test_the_line_names_what_is_counted(text, counted):
    made = preview(text)
    assert made.reading.summary.startswith(f"18 {counted} in")
    assert read_csv(text).summary == made.reading.summary
    made.change(setting("counted", "farms"))
    assert made.reading.summary.startswith("18 farms in")
    assert made.layout().counted == "farms"


def test_an_unknown_answer_is_refused():
    made = preview(LONG)
    for change in (
        {"name": "label:1", "value": "York", "role": "omit"},
        {"name": "label:x", "value": "", "role": ""},
    ):
        with pytest.raises(InputError):
            made.change(change)


LEVELS = "level,Area,m,f\n0,Land,950,870\n1,North,500,450\n2,A,200,190\n2,B,210,180\n"
LEVELS += "1,South,410,400\n2,C,180,170\n2,D,190,200\n"


def test_another_level_of_the_rows_is_chosen_in_the_preview():
    preview = FilePreview(LEVELS.encode())
    assert preview.reading.table.total == 1520
    (decision,) = [one for one in preview.decisions() if "level" in one.text]
    (answer,) = [reply for reply in decision.answers if reply.words == "Read level 1"]
    preview.change(dict(answer.change))
    assert preview.reading.table.total == 1760
    assert not [one for one in preview.decisions() if "level" in one.text and one.is_open]


def test_a_file_of_an_archive_is_chosen_in_the_preview():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.csv", "Area;m;f\nA;3;1\nB;7;5\n")
        archive.writestr("b.csv", "Area;m;f\nA;30;10\nB;70;50\n")
    preview = FilePreview(stream.getvalue())
    (decision,) = [one for one in preview.decisions() if "archive" in one.text]
    preview.change(dict(next(reply for reply in decision.answers if reply.words == "b.csv").change))
    assert preview.reading.table.total == 160
    assert not preview.open_questions


@pytest.mark.parametrize(
    "text", [LEVELS, "Area,m,f\n#adm1,#population+m,#population+f\nA,31,12\nB,47,55\n"], ids=["levels", "HXL"]
)
def test_a_line_of_counts_or_tags_that_is_not_read_is_no_part_of_a_heading(text):
    preview = FilePreview(text.encode())
    assert not [one.text for one in preview.decisions() if "part of a heading" in one.text]


def test_a_decision_that_needs_no_action_can_be_answered():
    made = preview("Age,C,H\nMen,,\n15-24,61,72\n25-64,18,19\nWomen,,\n15-24,7,8\n25-64,2,9\n")
    before = made.reading.table
    silent = [one for one in made.decisions() if not any(answer.chosen for answer in one.answers)]
    assert silent
    for decision in silent:
        assert decision.answers[-1].words == IS_RIGHT
        made.change(decision.answers[-1].change)
    assert not any(one.is_open for one in made.decisions() if one.text in {other.text for other in silent})
    assert made.reading.table == before


def test_a_doubt_about_absent_rows_and_an_unreadable_file_need_an_action():
    absent = preview("Area,Sex,n\nA,m,31\nA,f,27\nB,m,12\nB,f,35\nC,m,41\n")
    unread = preview("Area;m;f;Total\nA;120;x;250\nB;230;410;640\nTotal;350;540;890\n")
    assert unread.problem
    for made in (absent, unread):
        answers = [answer.words for decision in made.decisions() for answer in decision.answers]
        assert answers
        assert IS_RIGHT not in answers


CZECH = (
    "Kraj,Mu\u017ei,\u017deny\nPlze\u0148sk\u00fd,31,45\nJiho\u010desk\u00fd,27,38\n\u00dasteck\u00fd,44,52\n"
)


@pytest.mark.parametrize(
    ("text", "encoding"), [("Area,Men,Women\nBath,31,45\nHull,27,38\n", "utf-8"), (CZECH, "cp1250")]
)
@pytest.mark.parametrize(
    "others", [["utf-16"], ["gb18030"], ["utf-16-be", "gb18030", "utf-16"], ["big5", "utf-8"]]
)
def test_the_first_encoding_can_be_chosen_again(text, encoding, others):
    made = FilePreview(text.encode(encoding), ReadOptions(encoding=encoding))
    first, layout = made.shown()["rows"], made.layout()
    for other in others:
        made.change(setting("encoding", other))
        assert offered(made, "encoding") == other
    if others[-1].startswith("utf-16"):
        assert made.problem
        assert made.shown()["rows"] != first
    made.change(setting("encoding", encoding))
    assert (made.layout(), made.problem, made.shown()["rows"]) == (layout, "", first)


def test_an_encoding_that_does_not_fit_shows_its_letters_and_a_problem():
    made = FilePreview(CZECH.encode("cp1250"), ReadOptions(encoding="cp1250"))
    made.change(setting("encoding", "gb18030"))
    assert "not a text" in made.problem
    assert "Plze\u0148sk\u00fd" not in str(made.shown()["rows"])


def only_other_answers(decision):
    """Return the answers that change the layout."""
    return [reply for reply in decision.answers if "confirmed" not in reply.change]


def select(made, text, words):
    """Select the answer with some words to the decision with a text."""
    (decision,) = [one for one in made.decisions() if text in one.text]
    (reply,) = [one for one in decision.answers if one.words == words]
    made.change(dict(reply.change))


FIRST_LINE = "Area,2021,2022\nBath,31,40\nHull,59,61\n"
TWICE = "Area,Sex,n\nBath,m,3\nBath,m,4\nHull,f,6\nHull,m,8\nBath,f,3\n"
#: Files with the doubt of the reader, which the preview must offer to answer.
ASKED = {
    "flag": "Area,Men,Women\nBath,31,12 p\nHull,59,61\nYork,20,25\n",
    "gap": "Area,Men,Women\nBath,31,c\nHull,59,61\nYork,20,25\n",
    "wrong total": "Area,Men,Women\nBath,31,40\nHull,59,61\nYork,20,25\nAll,110,125\n",
    "twice": TWICE,
    "first line": FIRST_LINE,
    "rows": "Area,Year,n\nBath,2021,31\nHull,2021,59\nBath,2022,35\nHull,2022,54\n",
    "combined": "Area,n\nBath men,31\nBath women,40\nHull men,59\nHull women,61\n",
    "even": "Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n",
    "figures": "Area,Age,Unit,Value\n"
    + "".join(
        f"{a},{b},{u},{n}\n"
        for n, (a, b, u) in enumerate(itertools.product("AB", "xy", ("Persons", "Households")), 9)
    ),
}


@pytest.mark.parametrize("kind", ASKED)
def test_each_decision_of_a_preview_has_an_answer_beside_the_present_reading(kind):
    made = preview(ASKED[kind])
    assert made.decisions()
    assert all(only_other_answers(decision) for decision in made.decisions())
    assert len({decision.text for decision in made.decisions()}) == len(made.decisions())


def test_the_first_line_is_read_as_counts_and_again_as_labels():
    made = preview(FIRST_LINE)
    before = made.reading.table
    select(made, "The first line", "Counts, after the label of the row")
    assert made.reading.table.total == before.total + 2021 + 2022
    assert not [one for one in made.decisions() if "The first line" in one.text and one.is_open]
    select(made, "The first line", "Column labels")
    assert made.reading.table == before


def test_rows_with_the_same_labels_are_people_or_counts_to_be_added():
    made = preview(TWICE)
    select(made, "twice", '"n" contains counts to be added')
    assert (made.reading.table.total, made.counts_people) == (24, False)
    assert not [one for one in made.decisions() if one.is_open]
    select(made, "twice", "Each row is one person")
    assert (made.reading.table.total, made.reading.table.ndim, made.counts_people) == (5, 2, True)


def test_totals_that_were_perturbed_are_omitted_or_read():
    made = preview(ASKED["wrong total"])
    select(made, "too few", 'Read "All"')
    assert len(made.reading.table.axes[0]) == 4
    select(made, "too few", 'Omit "All"')
    assert len(made.reading.table.axes[0]) == 3
    both = preview("Area,Men,Women,All\nBath,31,40,70\nHull,59,61,120\nAll,90,101,191\n")
    select(both, "too", "Read the totals as categories")
    assert both.reading.table.shape == (3, 3)
    select(both, "too", "Omit the totals")
    assert both.reading.table.shape == (2, 2)


def hidden(rows=(), columns=(), sheets=()):
    """Return a workbook with hidden parts."""
    book = openpyxl.Workbook()
    page = book.active
    for line in (["Area", "Men", "Women"], ["Bath", 31, 40], ["Hull", 59, 61], ["York", 20, 25]):
        page.append(line)
    for number in rows:
        page.row_dimensions[number].hidden = True
    for letter in columns:
        page.column_dimensions[letter].hidden = True
    for name in sheets:
        other = book.create_sheet(name)
        for line in (["Area", "Men"], ["Bath", 4], ["Hull", 5]):
            other.append(line)
        other.sheet_state = "hidden"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_hidden_line_or_column_is_omitted_in_the_preview():
    made = FilePreview(hidden(rows=[3]))
    select(made, "hidden", "Omit the line")
    assert (made.reading.table.axes[0].labels, made.decisions()) == (("Bath", "York"), [])
    made = FilePreview(hidden(columns=["C"]))
    select(made, "hidden", "Omit the column")
    assert (made.reading.table.total, made.decisions()) == (110, [])


def test_a_hidden_sheet_is_read_in_the_preview_and_the_other_one_again():
    made = FilePreview(hidden(sheets=["Old"]))
    select(made, "hidden", "Old")
    assert made.reading.table.total == 9
    select(made, "hidden", "Sheet")
    assert made.reading.table.total == 236
    assert not [one for one in made.decisions() if one.is_open]


def test_an_option_that_no_decision_offers_is_refused():
    made = preview(FIRST_LINE)
    for change in (
        {"name": "option:doubts", "value": "accept"},
        {"name": "option:first_line", "value": "none"},
        {"name": "option:level", "value": "1"},
        {"name": "counts-in:Sex"},
    ):
        with pytest.raises(InputError):
            made.change(change)


GROUPED = "Area,Men,Women\nNorth,90,101\nBath,31,40\nHull,59,61\nSouth,30,45\nYork,20,25\nEly,10,20\n"


def test_labels_that_look_like_sums_are_one_decision_about_a_hierarchy():
    made = preview(GROUPED)
    (decision,) = made.decisions()
    assert [reply.chosen for reply in decision.answers] == [True, False]
    assert (made.reading.table.total, decision.is_open) == (266, True)
    select(made, "hierarchy", "They are categories")
    assert made.reading.table.total == 532
    assert not made.open_questions
    select(made, "hierarchy", "They form a hierarchy")
    assert made.reading.table.total == 266
    assert not made.open_questions
    for change in ({"name": "hierarchy:2", "value": "yes"}, {"name": "hierarchy:1", "value": "maybe"}):
        with pytest.raises(InputError):
            made.change(change)


def test_a_label_outside_all_sub_totals_is_a_category_of_a_hierarchy():
    made = preview("Activity,m,f\nEmployed,330,387\nFull-time,314,202\nPart-time,16,185\nOther,275,212\n")
    assert made.reading.table.axes[0].labels == ("Full-time", "Part-time", "Other")
    assert [reply.words for reply in made.decisions()[0].answers if reply.chosen] == ["They form a hierarchy"]


def test_the_total_of_all_categories_is_no_hierarchy():
    (decision,) = preview("Area,m,f\nBath,31,40\nHull,59,61\nYork,20,25\nRest,110,126\n").decisions()
    assert "hierarchy" not in decision.text


DEATHS = "Meghalt,2000,2001\nFérfi,60,70\nNő,50,51\n"


def named_axes(made):
    """Return the text and whether there is a problem, for the field of the name of each axis."""
    return [(field["axis"], bool(field["problem"])) for field in made.shown()["axes"]]


def test_a_name_of_another_axis_is_used_once_that_axis_is_renamed():
    lines, columns = "axis:column:1", "axis:heading:0"
    made = preview(DEATHS, setting(columns, "Év"), setting(lines, "Év"))
    assert named_axes(made) == [("Év", True), ("Év", False)]
    assert '"Év"' in made.shown()["axes"][0]["problem"]
    assert '"Meghalt"' in made.shown()["axes"][0]["problem"]
    assert [axis.name for axis in made.reading.table.axes] == ["Meghalt", "Év"]
    made.change(setting("counted", "cases"))
    assert named_axes(made) == [("Év", True), ("Év", False)]
    made.change(setting(columns, "Nem"))
    assert named_axes(made) == [("Év", False), ("Nem", False)]
    assert [axis.name for axis in made.reading.table.axes] == ["Év", "Nem"]


def test_the_names_of_two_axes_are_exchanged():
    lines, columns = "axis:column:1", "axis:heading:0"
    made = preview(DEATHS, setting(columns, "Év"), setting(lines, "Év"), setting(columns, "Meghalt"))
    assert named_axes(made) == [("Év", False), ("Meghalt", False)]
    assert [axis.name for axis in made.reading.table.axes] == ["Év", "Meghalt"]


def test_a_waiting_name_of_an_axis_is_withdrawn():
    lines, columns = "axis:column:1", "axis:heading:0"
    made = preview(DEATHS, setting(columns, "Év"), setting(lines, "Év"), setting(lines, "Sex"))
    assert named_axes(made) == [("Sex", False), ("Év", False)]


def survey(sex, rows=60):
    lines = (
        f"{1000 + k},{sex[k % 2]},{('Yes', 'No', 'Past')[k % 3]},{'NSEW'[k // 2 % 4]},{18.3 + k * 0.31:.1f}\n"
        for k in range(rows)
    )
    return "SEQN,SEX,SMOKE,REGION,BMI\n" + "".join(lines)


@pytest.mark.parametrize("sex", ["12", ("Male", "Female")])
def test_records_with_decimals_can_be_counted_as_people(sex):
    made = preview(survey(sex))
    decision = made.decisions()[0]
    people, *others = decision.answers
    assert people.change == {"name": "counts-in:rows"}
    assert [answer.change["name"] for answer in others] == ["unit", "rounded"]
    made.change(dict(people.change))
    (chosen,) = made.decisions()
    assert {answer.words for answer in chosen.answers if answer.chosen} == {"SEX", "SMOKE", "REGION"}
    assert {answer.words for answer in chosen.answers} == {"SEQN", "SEX", "SMOKE", "REGION", "BMI"}
    assert made.reading.table.total == 60
    assert {axis.name for axis in made.reading.table.axes} == {"SEX", "SMOKE", "REGION"}


def test_decimals_of_a_few_areas_are_no_records():
    (decision,) = preview(survey(("Male", "Female"), rows=12)).decisions()
    assert [answer.change["name"] for answer in decision.answers] == ["unit", "rounded"]


UPPER_HEADING = (
    "Bezirk;Total;Schweiz;;;Ausland;;\n;;Total;Ref;Kath;Total;Ref;Kath\n"
    "Aarau;50;30;10;20;20;5;15\nBaden;72;40;19;21;32;11;21\nZug;61;33;11;22;28;9;19\n"
)


def test_a_blank_heading_is_no_decision_if_the_layout_reads_the_file():
    made = preview(UPPER_HEADING)
    assert made.reading.table.total == 183
    assert made.decisions() == []


def test_one_of_the_columns_that_count_something_else_is_counted():
    births = "Area,Residents,Commuters,Cars\nA,310,140,32\nB,75,22,11\nC,1204,590,99\nD,88,31,5\nE,31,9,2\n"
    made = preview(births)
    (decision,) = made.decisions()
    assert [answer.change["value"] for answer in decision.answers] == ["", "Residents", "Commuters", "Cars"]
    assert [answer.chosen for answer in decision.answers] == [True, False, False, False]
    made.change(dict(decision.answers[2].change))
    assert (made.reading.table.total, made.decisions()) == (792, [])
