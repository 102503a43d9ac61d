"""The bar of sources: what is offered where, and what is said of tables that do not count people."""

import io
import json

import openpyxl
import pytest

from screens import inside
from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import attack, cell_key, explore, sample, weights
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.io import samples
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.source import AMOUNTS, NEXT_OF_FILE, UNNAMED_AXES, SourceBar
from sdcwidgets.widgets.tabs import Tabs
from sdcwidgets.widgets.texts import caption


def bar(name, **asked):
    return SourceBar(Study(TableState.of_example(name), lambda state: state), **asked)


def offered(one):
    return {name for kind in one.kinds for name, _ in kind["names"]}


def test_amounts_are_offered_only_where_a_page_can_speak_of_them():
    assert offered(bar("sex", amounts=True)) - offered(bar("sex")) == {"odf-1"}


def test_amounts_that_come_along_are_told_and_not_called_people():
    one = bar("odf-1")
    assert (one.size, one.chosen, one.notes) == ("20,139 of turnover in 25 cells", "", AMOUNTS)
    here = bar("odf-1", amounts=True)
    assert (here.size, here.chosen, here.notes) == ("20,139 of turnover in 25 cells", "odf-1", "")
    assert "20,139 of turnover in 25 cells" in caption.caption_of(TableState.of_example("odf-1"))
    assert bar("sex").notes == ""


def test_one_table_has_one_name():
    (place, _), *_ = CASES["gaps"].publish["published"]
    assert place.title == Example("odf-1").title


PEOPLE = b"id,sex,region\n1,m,North\n2,w,East\n3,w,South\n"
TOTALS = b"Area,a,b,Total\nx,1,2,3\ny,3,4,7\nTotal,4,6,10\n"
YEARS_OF_LINES = b"Area,Year,n\nBath,2021,31\nHull,2021,59\nBath,2022,35\nHull,2022,54\n"
REFUSED = b"%PDF-1.7 ..."


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def workbook_of(text):
    """Return a workbook with the cells of a text."""
    return workbook(Sheet=[line.split(",") for line in text.decode().splitlines()])


def say(one, content=None, name="mine.csv", **message):
    """Open a file, or say what a browser would say."""
    message = message or {"type": "given", "kind": "file", "name": name}
    one._hear(one, message, [] if content is None else [content])


def use(one, content, name="mine.csv"):
    """Open a file without questions, and confirm its preview."""
    say(one, content, name)
    assert (one.problem, one.asking) == ("", True)
    assert one.preview["doubts"] == []
    say(one, type="use")


def set_layout(one, name, value):
    """Choose a setting of the preview."""
    one._hear(one, {"type": "role", "name": name, "value": value}, [])


def controls(one):
    return {choice["name"]: choice["chosen"] for choice in one.choices}


def test_what_stays_after_a_refused_file_is_said_to_be_the_old_table():
    one = bar("religion")
    assert (one.refused, one.asking) == (False, False)
    use(one, TOTALS)
    assert (one.refused, one.asking, one.title) == (False, False, "mine.csv")
    notes = one.notes
    say(one, REFUSED, "other.csv")
    assert one.problem.startswith("other.csv: ")
    assert (one.refused, one.asking, one.title, one.notes) == (True, False, "mine.csv", notes)
    say(one, PEOPLE, "third.csv")
    assert (one.refused, one.asking, one.title) == (True, True, "mine.csv")
    say(one, type="given", kind="example", what="sex")
    assert (one.refused, one.asking, one.problem) == (False, False, "")


def test_the_controls_of_the_table_that_stays_stay_and_read_its_file():
    one = bar("religion")
    use(one, TOTALS)
    assert controls(one)["margins"] == ["drop"]
    say(one, REFUSED, "other.csv")
    assert controls(one)["margins"] == ["drop"]
    say(one, type="choose", choices={"margins": "keep"})
    assert (one.problem, one.title, one.size) == ("", "mine.csv", "40 people in 9 cells")


def test_a_question_that_is_cancelled_leaves_the_old_table_with_its_controls():
    one = bar("religion")
    use(one, TOTALS)
    say(one, PEOPLE, "other.csv")
    assert list(controls(one)) == ["by", "count"]
    say(one, type="cancel")
    assert (one.problem, one.refused, one.asking, one.title) == ("", False, False, "mine.csv")
    assert controls(one)["margins"] == ["drop"]


def test_a_question_stays_while_the_old_table_is_changed_and_goes_with_it():
    study = Study(TableState.of_example("religion"), lambda state: state)
    one = SourceBar(study)
    say(one, PEOPLE)
    study.change(table=study.state.table.with_count((0, 0), 7))
    assert one.problem
    assert (one.refused, one.asking, list(controls(one))) == (True, True, ["by", "count"])
    say(one, type="choose", choices={"by": ["sex"], "count": "rows"})
    assert (one.problem, one.asking, one.size) == ("", False, "3 people in 2 cells")
    study.undo()
    assert (one.title, one.choices) == ("Religion by output area", [])
    study.redo()
    assert controls(one) == {"by": ["sex"], "count": ["rows"]}


def test_after_counting_one_counts_by_something_else():
    study = Study(TableState.of_example("religion"), lambda state: state)
    one = SourceBar(study)
    say(one, PEOPLE)
    say(one, type="choose", choices={"by": ["sex"], "count": "rows"})
    assert controls(one) == {"by": ["sex"], "count": ["rows"]}
    say(one, REFUSED, "other.csv")
    say(one, type="choose", choices={"by": ["sex", "region"], "count": "rows"})
    assert (one.problem, one.size) == ("", "3 people in 6 cells")
    assert controls(one) == {"by": ["sex", "region"], "count": ["rows"]}
    study.undo()
    assert controls(one) == {"by": ["sex"], "count": ["rows"]}
    say(one, type="choose", choices={"by": ["region"], "count": "rows"})
    assert one.size == "3 people in 3 cells"


def chosen(one):
    """Columns of the decision by which people are counted, and those that are chosen."""
    (decision,) = [part for part in one.preview["decisions"] if part["several"]]
    words = [answer["words"] for answer in decision["answers"]]
    return words, [answer["words"] for answer in decision["answers"] if answer["chosen"]]


def toggle(one, column):
    """Tick or untick a column by which people are counted."""
    answers = [answer for part in one.preview["decisions"] for answer in part["answers"]]
    change = next(answer["change"] for answer in answers if answer["words"] == column)
    one._hear(one, {"type": "role", **change}, [])


@pytest.mark.parametrize(
    "content", [PEOPLE, b"age,sex,region\n31,m,North\n45,w,East\n31,w,South\n", workbook_of(PEOPLE)]
)
def test_people_are_counted_by_the_columns_that_are_ticked_in_the_preview(content):
    one = bar("religion")
    say(one, content)
    names, ticked = chosen(one)
    assert (names[1:], ticked) == (["sex", "region"], [])
    assert [bool(part["answers"]) for part in one.preview["decisions"]] == [True]
    assert one.preview["problem"]
    assert {part["role"] for part in one.preview["columns"]} == {"other"}
    toggle(one, "sex")
    assert one.preview["summary"].startswith("3 people in 2 cells")
    toggle(one, "region")
    assert one.preview["summary"].startswith("3 people in 6 cells")
    toggle(one, "sex")
    assert (chosen(one)[1], one.preview["problem"]) == (["region"], "")
    say(one, type="use")
    assert (one.problem, one.title, one.size) == ("", "mine.csv", "3 people in 3 cells")
    assert "person" not in one.notes
    say(one, type="preview")
    assert chosen(one)[1] == ["region"]
    toggle(one, "sex")
    say(one, type="use")
    assert one.size == "3 people in 6 cells"


def test_people_without_a_value_and_with_weights_are_counted_in_the_preview():
    one = bar("religion")
    say(one, b"id,sex,weight\n1,m,12\n2,w,20\n3,NA,31\n")
    toggle(one, "sex")
    assert one.preview["summary"].startswith("3 people in 3 cells")
    weights = next(part for part in one.preview["decisions"] if part["place"] == "column-3")
    say(one, type="role", **weights["answers"][0]["change"])
    assert one.preview["summary"].startswith("63 people in 3 cells")
    toggle(one, "id")
    assert one.preview["summary"].startswith("63 people in 9 cells")


@pytest.mark.parametrize(
    "content",
    [YEARS_OF_LINES, b"Area,m,f\nBath,3,-\nHull,4,7\n", b"age,sex,income\n31,m,10\n45,w,20\n31,w,30\n"],
)
def test_a_message_beside_a_preview_names_no_other_control(content):
    one = bar("religion")
    say(one, content)
    assert all(part["answers"] for part in one.preview["decisions"])
    assert one.problem.endswith("in the preview.")
    labels = [choice["label"] for choice in one.choices]
    assert not [label for label in labels if f'("{label}")' in one.problem]
    assert not [word for word in ("layout", "Microdata", "--") if word in one.problem]


def test_the_problem_of_a_preview_names_a_setting_of_the_preview():
    one = bar("religion")
    say(one, b"Sex,Region,Cars\nm,N,3\nw,S,4\nw,N,2\nm,N,1\n")
    setting = next(part for part in one.preview["settings"] if part["name"] == "repeated")
    assert setting["label"] in one.preview["problem"]
    assert "repeated" not in one.preview["problem"]


def test_a_file_that_is_no_table_closes_the_preview_of_another_file():
    one = bar("religion")
    say(one, PEOPLE)
    say(one, REFUSED, "other.csv")
    assert (one.preview, one.previewable) == ({}, False)
    use(one, TOTALS)
    say(one, REFUSED, "other.csv")
    assert (one.preview, one.previewable) == ({}, True)


def test_a_name_for_people_without_a_value_can_be_changed_after_counting():
    one = bar("religion")
    say(one, b"id,sex\n1,m\n2,w\n3,NA\n")
    ticked = {"by": ["sex"], "count": "rows"}
    say(one, type="choose", choices=ticked)
    say(one, type="choose", choices=ticked | {"missing": "Unknown"})
    assert controls(one) == {"by": ["sex"], "count": ["rows"], "missing": ["Unknown"]}


def test_totals_of_a_long_table_are_kept_after_they_were_left_out():
    one = bar("religion")
    use(one, b"Area,Sex,n\nA,m,1\nA,f,5\nA,Total,6\nB,m,7\nB,f,4\nB,Total,11\n")
    assert controls(one)["margins"] == ["drop"]
    say(one, type="given", kind="paste", what="Area\tSex\tn\nA\tm\t1\nA\tf\t5\nA\tm\t6\nB\tm\t7\nB\tf\t4\n")
    say(one, type="choose", choices={"by": ["Area", "Sex"], "count": "n"})
    assert one.problem == ""
    assert controls(one) == {"by": ["Area", "Sex"], "count": ["n"]}


@pytest.fixture
def sheets():
    table = [["Area", "a", "b"], ["x", 1, 2], ["y", 3, 4]]
    people = [["id", "sex", "job"], [1, "m", "p"], [2, "w", "q"], [3, "w", "p"]]
    wrong = [["Job", "c", "d"], ["v", 1, -2], ["w", 3, 4]]
    return workbook(Table=table, People=people, Wrong=wrong)


def test_after_a_refused_sheet_another_one_is_chosen(sheets):
    one = bar("religion")
    use(one, sheets, "book.xlsx")
    assert (one.size, controls(one)) == ("10 people in 4 cells", {"sheet": ["Table"]})
    say(one, type="choose", choices={"sheet": "Wrong"})
    assert "-2" in one.problem
    assert "sheet" in controls(one)
    say(one, type="choose", choices={"sheet": "People"})
    assert list(controls(one)) == ["by", "count", "sheet"]
    say(one, type="choose", choices={"by": ["sex"], "count": "rows"})
    assert (one.problem, one.size) == ("", "3 people in 2 cells")
    assert controls(one) == {"by": ["sex"], "count": ["rows"], "sheet": ["People"]}
    say(one, type="choose", choices={"sheet": "Table"})
    assert (one.problem, one.size) == ("", "10 people in 4 cells")


def test_half_a_character_in_the_name_of_a_file_is_replaced():
    one = bar("sex")
    use(one, TOTALS, name="\ud800.csv")
    assert one._study.state.title == "\ufffd.csv"


def test_a_doubt_about_the_table_is_asked_and_accepted():
    one = bar("religion")
    say(one, b"Area,Code,m,f\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n")
    assert (one.refused, one.asking, controls(one)) == (True, True, {"doubts": []})
    say(one, type="choose", choices={"doubts": "accept"})
    assert (one.problem, one.title) == ("", "mine.csv")
    assert "Code" in one.notes
    assert controls(one) == {"doubts": ["accept"]}


def test_ranges_that_overlap_are_asked_and_kept():
    one = bar("religion")
    say(one, b"Age,m,f\n15-24,312,275\n20-29,290,301\n30-39,410,388\n")
    assert (one.refused, one.asking, controls(one)) == (True, True, {"margins": []})
    say(one, type="choose", choices={"margins": "keep"})
    assert (one.problem, one.title, one.size) == ("", "mine.csv", "1,976 people in 6 cells")
    assert "15-24" in one.notes
    assert controls(one) == {"margins": ["keep"]}


def test_a_total_within_rounding_is_asked_and_left_out():
    one = bar("religion")
    say(one, b"Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5932,6657,2224\n")
    assert (one.refused, controls(one)) == (True, {"margins": []})
    say(one, type="choose", choices={"margins": "drop"})
    assert (one.problem, one.size) == ("", "14,814 people in 6 cells")
    assert controls(one)["margins"] == ["drop"]


YEARS = b"Region,2021,2022,2023\nAshby,41,52,53\nBurton,44,45,46\n"
CODES = b"Area,Code,m,f\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n"


def roles(one, kind):
    return {part["number"]: part["role"] for part in one.preview[kind]}


def test_a_file_with_a_doubt_is_previewed_and_used_after_a_role_is_corrected():
    one = bar("religion")
    say(one, CODES)
    assert roles(one, "columns") == {1: "label", 2: "count", 3: "count", 4: "count"}
    assert one.preview["columns"][1]["doubts"]
    say(one, type="role", column=2, role="code:1")
    assert roles(one, "columns")[2] == "code:1"
    assert (one.preview["columns"][1]["doubts"], one.preview["problem"]) == ([], "")
    assert one.preview["summary"].startswith("3,424 people in 8 cells")
    assert one.title != "mine.csv"
    say(one, type="use")
    assert (one.problem, one.title, one.size, one.preview) == ("", "mine.csv", "3,424 people in 8 cells", {})


def test_a_doubt_that_was_settled_stays_beside_the_table():
    one = bar("religion")
    say(one, YEARS)
    assert one.problem
    say(one, type="use")
    assert (one.problem, one.title) == ("", "mine.csv")
    assert "2021" in one.notes


def test_a_layout_that_cannot_be_read_is_not_used():
    one = bar("religion")
    say(one, CODES)
    say(one, type="role", column=1, role="count")
    assert one.preview["problem"]
    say(one, type="use")
    assert one.problem
    assert one.title != "mine.csv"


def test_a_table_that_was_read_is_previewed_on_request_and_an_example_is_not():
    one = bar("religion")
    assert (one.previewable, one.preview) == (False, {})
    say(one, type="preview")
    assert one.problem
    use(one, TOTALS)
    assert (one.previewable, one.preview) == (True, {})
    say(one, type="preview")
    assert roles(one, "rows") == {1: "header", 2: "count", 3: "count", 4: "total"}
    say(one, type="role", row=4, role="count")
    say(one, type="use")
    assert (one.problem, one.size) == ("", "20 people in 6 cells")
    say(one, type="given", kind="example", what="sex")
    assert (one.previewable, one.preview) == (False, {})


def test_undo_after_a_layout_returns_to_the_reading_before():
    study = Study(TableState.of_example("religion"), lambda state: state)
    one = SourceBar(study)
    use(one, TOTALS)
    say(one, type="preview")
    say(one, type="role", column=4, role="count")
    say(one, type="use")
    assert one.size == "20 people in 6 cells"
    study.undo()
    assert one.size == "10 people in 4 cells"
    study.redo()
    say(one, type="preview")
    assert roles(one, "columns")[4] == "count"


def test_a_saved_layout_reads_the_file_as_it_was_used():
    one = bar("religion")
    say(one, CODES)
    say(one, type="role", column=2, role="other")
    sent = []
    one.send = lambda content, buffers=None: sent.append(content)
    say(one, type="layout")
    assert sent[0]["name"] == "mine.layout.toml"
    say(one, type="use")
    assert read(CODES, FileLayout.from_toml(sent[0]["text"])).table == one._study.state.table
    assert "layout='mine.layout.toml'" in one._study.state.source.code(one._study.state.table).lines[0]


def test_a_pasted_line_is_never_taken_for_a_path():
    one = bar("religion")
    say(one, type="given", kind="paste", what="/etc/passwd")
    assert one.problem
    assert not one.preview or "root" not in str(one.preview)


def test_a_change_that_is_not_offered_is_refused():
    one = bar("religion")
    say(one, CODES)
    for message in ({"column": 99}, {"column": 0}, {"column": True}, {"row": 99}, {}):
        say(one, type="role", role="count", **message)
        assert one.problem
    say(one, type="role", column=1, role="x")
    assert one.problem
    for name, value in (("flags", "p"), ("unit", "7"), ("encoding", "rot13"), ("columns", "")):
        set_layout(one, name, value)
        assert one.problem


def test_encoding_and_unit_are_chosen():
    one = bar("religion")
    say(one, CODES.replace(b"A,", "Łódź,".encode("cp1250")))
    set_layout(one, "encoding", "cp1250")
    assert "Łódź" in [row["cells"][0] for row in one.preview["rows"]]
    set_layout(one, "encoding", "utf-8")
    assert "utf-8" in one.preview["problem"]
    assert "Łódź" not in [row["cells"][0] for row in one.preview["rows"]]
    set_layout(one, "encoding", "cp1250")
    assert one.preview["problem"] == ""
    assert "Łódź" in [row["cells"][0] for row in one.preview["rows"]]
    say(one, type="role", column=2, role="other")
    before = one.preview["summary"]
    set_layout(one, "unit", "1000")
    assert (before[:5], one.preview["summary"][:9]) == ("3,424", "3,424,000")


def test_only_the_cut_lines_of_a_wide_and_long_file_are_sent():
    one = bar("religion")
    names = ",".join(f"c{j}" for j in range(120))
    lines = [f"r{i}," + ",".join(str((i * 7 + j * 13) % 90 + 1) for j in range(120)) for i in range(120)]
    say(one, f"Area,{names}\n{chr(10).join(lines)}\n".encode())
    say(one, type="preview")
    assert (len(one.preview["rows"]), one.preview["hidden_rows"]) == (16, 105)
    assert len(one.preview["columns"]) + one.preview["hidden_columns"] == 121
    assert len(json.dumps(one.preview)) < 50_000


def large_text(*changes):
    lines = [f"Area {i},{(i * 7) % 90 + 1},{(i * 13) % 80 + 1}" for i in range(100)]
    for i, line in changes:
        lines[i] = line
    return "\n".join(["Area,m,f", *lines, ""]).encode()


def test_a_large_text_is_previewed_by_some_lines_and_used_with_all(monkeypatch):
    monkeypatch.setattr(samples, "LARGEST_WHOLE", 400)
    one = bar("religion")
    say(one, large_text())
    assert (one.preview["problem"], one.preview["doubts"], one.preview["hidden_rows"]) == ("", [], 101 - 16)
    assert one.preview["rows"][-1]["number"] == 101
    say(one, type="use")
    assert (one.preview, one.problem, one.size) == ({}, "", "8,470 people in 200 cells")


def test_a_mark_that_the_preview_of_a_large_text_does_not_show_keeps_it_open(monkeypatch):
    monkeypatch.setattr(samples, "LARGEST_WHOLE", 400)
    one = bar("religion")
    say(one, large_text((60, "Area 60,x,4")))
    say(one, type="preview")
    before = one.title
    assert one.preview["problem"] == ""
    say(one, type="use")
    assert "row 62, column 2" in one.problem
    assert (one.title, bool(one.preview["problem"])) == (before, True)
    set_layout(one, "meaning:x", "unknown")
    say(one, type="use")
    assert (one.preview, one.problem) == ({}, "")


def test_a_doubt_is_shown_once_at_its_place():
    one = bar("religion")
    say(one, CODES)
    assert (one.preview["doubts"], len(one.preview["columns"][1]["doubts"])) == ([], 1)


def test_the_meaning_of_a_text_in_place_of_a_count_is_chosen():
    one = bar("religion")
    lines = [f"Area {i},{i + 3},{i + 20}" for i in range(30)]
    say(one, f"Area,m,f\n{chr(10).join(lines)}\nZ,-,4\n".replace("Area 14,17,", "Area 14,-,").encode())
    set_layout(one, "meaning:-", "zero")
    assert (one.preview["problem"], one.problem) == ("", "")
    zero = one.preview["summary"]
    set_layout(one, "meaning:-", "leave out")
    assert one.preview["summary"] != zero
    set_layout(one, "meaning:x", "zero")
    assert one.problem


def test_the_encoding_is_asked_for_in_the_preview_only():
    one = bar("religion")
    say(one, CODES.replace(b"A,", "Łódź,".encode("cp1250")))
    assert "encoding" in [part["name"] for part in one.preview["settings"]]
    assert "encoding" not in [choice["name"] for choice in one.choices]


def test_the_size_names_what_a_layout_counts():
    one = bar("religion")
    say(one, b"Households by tenure\nArea,Owned,Rented\nBath,3,4\nHull,5,6\n")
    say(one, type="preview")
    assert "decisions" in one.preview
    say(one, type="use")
    assert one.size == "18 households in 4 cells"


def test_an_axis_is_renamed_in_the_preview():
    one = bar("religion")
    say(one, b"Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n")
    say(one, type="role", column=2, role="other")
    axes = [axis["axis"] for axis in one.preview["axes"]]
    assert axes == ["Area", ""]
    set_layout(one, one.preview["axes"][1]["name"], " Sex ")
    set_layout(one, one.preview["axes"][0]["name"], "Ward")
    assert [axis["axis"] for axis in one.preview["axes"]] == ["Ward", "Sex"]
    for refused in ("", "x" * 101):
        set_layout(one, one.preview["axes"][0]["name"], refused)
        assert one.problem
    set_layout(one, one.preview["axes"][0]["name"], "Sex")
    assert (one.problem, bool(one.preview["axes"][0]["problem"])) == ("", True)
    say(one, type="use")
    assert [axis.name for axis in one._study.state.table.axes] == ["Ward", "Sex"]
    assert one._study.state.source.layout.headings[0].axis == "Sex"


def test_a_file_of_people_is_a_question_and_no_error():
    one = bar("religion")
    say(one, b"id,sex,region\n1,m,North\n2,NA,East\n3,w,South\n", "people.csv")
    assert one.people
    assert one.problem.startswith("people.csv: Is each row one person?")
    say(one, b"Area,m,f\nBath,3,many\nHull,4,7\n", "words.csv")
    assert not one.people
    assert "many" in one.problem


def test_a_decision_that_is_open_when_a_table_is_used_is_recorded_as_open():
    one = bar("religion")
    say(one, b"Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n")
    open_decisions = len(one.preview["decisions"])
    assert open_decisions
    say(one, type="use")
    notes = one._study.state.source.notes
    assert sum("was open" in note for note in notes) == open_decisions


def test_the_name_of_an_axis_is_asked_for_in_the_preview_only():
    one = bar("religion")
    say(one, b"Area,Owned,Rented\nA,31,42\nB,53,64\nC,12,17\n")
    fields = {field["label"]: field for field in one.preview["axes"]}
    assert {label: field["axis"] for label, field in fields.items()} == {
        "Name of the lines": "Area",
        "Name of the columns": "",
    }
    place = fields["Name of the columns"]["name"]
    set_layout(one, place, "Tenure")
    assert [field["axis"] for field in one.preview["axes"]] == ["Area", "Tenure"]
    set_layout(one, place, "")
    assert [field["axis"] for field in one.preview["axes"]] == ["Area", ""]
    set_layout(one, fields["Name of the lines"]["name"], "")
    assert one.problem
    say(one, type="use")
    assert [axis.name for axis in one._study.state.table.axes] == ["Area", "Column"]
    assert UNNAMED_AXES not in one.notes
    say(one, type="preview")
    set_layout(one, place, "Tenure")
    say(one, type="use")
    assert [axis.name for axis in one._study.state.table.axes] == ["Area", "Tenure"]


def test_a_decision_is_settled_by_its_present_answer():
    one = bar("religion")
    say(one, "Unternehmen;klein;mittel\nGröße;41;52\nHandel;3;17\nBau;12;30\n".encode("latin-1"), "firms.csv")
    decision = next(
        one for one in one.preview["decisions"] if any(reply["chosen"] for reply in one["answers"])
    )
    assert decision["open"]
    say(one, type="role", confirmed="another text")
    assert one.problem
    say(one, type="role", confirmed=decision["text"])
    assert not any(other["open"] for other in one.preview["decisions"] if other["text"] == decision["text"])
    say(one, type="use")
    assert decision["text"] not in one.notes


def test_a_table_that_is_confirmed_without_an_answer_states_the_answer_that_was_used():
    one = bar("religion")
    say(one, "Unternehmen;klein;mittel\nGröße;41;52\nHandel;3;17\nBau;12;30\n".encode("latin-1"), "firms.csv")
    decision = next(
        one for one in one.preview["decisions"] if any(reply["chosen"] for reply in one["answers"])
    )
    (chosen,) = [reply["words"] for reply in decision["answers"] if reply["chosen"]]
    say(one, type="use")
    assert decision["text"] in one.notes
    assert f'"{chosen}"' in one.notes


def test_a_file_with_an_error_and_open_decisions_states_the_first_step():
    one = bar("religion")
    say(one, b"Area;m;f;Total\nA;120;x;250\nB;230;410;640\nTotal;350;540;890\n", "marks.csv")
    assert one.preview["problem"]
    assert any(decision["open"] for decision in one.preview["decisions"])
    assert one.problem.count("First ") == 1
    say(one, b"Age,C,H\nMen,,\n15-24,61,72\n25-64,18,19\nWomen,,\n15-24,7,8\n25-64,2,9\n", "blocks.csv")
    assert one.problem.count("First ") == 1


def test_a_file_without_questions_is_counted_when_its_preview_is_confirmed():
    one = bar("religion")
    say(one, TOTALS)
    assert (one.problem, one.refused, one.asking, one.waiting) == ("", True, True, "mine.csv")
    assert (one.title, one.size) == ("Religion by output area", "2,449 people in 90 cells")
    assert one.preview["summary"].startswith("10 people in 4 cells")
    say(one, type="cancel")
    assert (one.refused, one.asking, one.waiting, one.preview) == (False, False, "", {})
    assert one.size == "2,449 people in 90 cells"
    say(one, TOTALS)
    say(one, type="use")
    assert (one.title, one.size, one.preview, one.waiting) == ("mine.csv", "10 people in 4 cells", {}, "")


def test_a_changed_preview_of_a_file_without_questions_is_read_anew():
    one = bar("religion")
    say(one, TOTALS)
    say(one, type="role", row=4, role="count")
    say(one, type="use")
    assert one.size == "20 people in 6 cells"


GROUPED = b"Area,Men,Women\nNorth,90,101\nBath,31,40\nHull,59,61\nSouth,30,45\nYork,20,25\nEly,10,20\n"


def test_an_answer_in_the_preview_builds_the_hierarchy_that_protect_shows():
    one = SourceBar(Study(ProtectState.of_example("religion"), lambda state: state))
    say(one, GROUPED)
    (decision,) = one.preview["decisions"]
    (change,) = [reply["change"] for reply in decision["answers"] if "form a hierarchy" in reply["words"]]
    set_layout(one, change["name"], change["value"])
    assert not one.preview["decisions"][0]["open"]
    say(one, type="use")
    (sums,) = one._study.state.sub_totals
    assert (sums.axis, sums.labels, dict(sums.parents)["Ely"]) == ("Area", ("North", "South"), "South")
    assert "was open" not in one.notes
    say(one, GROUPED)
    (change,) = [reply["change"] for reply in one.preview["decisions"][0]["answers"] if not reply["chosen"]]
    set_layout(one, change["name"], change["value"])
    assert not one.preview["decisions"][0]["open"]
    say(one, type="use")
    assert (one._study.state.sub_totals, one.size) == ((), "532 people in 12 cells")


def attack_of_own_table():
    """Return the page Attack, with a table of the person."""
    counts = FrequencyTable([[12, 1], [40, 25]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
    return attack.app(counts)


def opened_tabs(screen):
    """Return a page with all tabs opened, since tabs are built when they are first opened."""
    (tabs,) = inside(screen, Tabs)
    for index in range(tabs.count):
        tabs.turn_to(index)
    return screen


@pytest.mark.parametrize("build", [explore.app, weights.app, sample.app, cell_key.app, attack_of_own_table])
def test_the_headline_of_a_page_names_a_file_that_waits(build):
    screen = opened_tabs(build())
    (lead,), (bar,) = inside(screen, Lead), inside(screen, SourceBar)
    before = lead.answer
    content = b"Area,m,f,Total\nNorth,31,2,33\nSouth,59,58,117\nTotal,90,60,150\n"
    bar._hear(bar, {"type": "given", "kind": "file", "name": "plain.csv"}, [memoryview(content)])
    assert bar.waiting == "plain.csv"
    assert "plain.csv" in lead.answer
    assert lead.ahead == NEXT_OF_FILE["use"]
    bar._hear(bar, {"type": "cancel"}, [])
    assert lead.answer == before
    bar._hear(bar, {"type": "given", "kind": "file", "name": "plain.csv"}, [memoryview(content)])
    lead._hear(lead, {"type": "next", "words": lead.ahead}, [])
    assert bar.waiting == ""
    assert "plain.csv" not in lead.answer
    assert lead.answer != before


def test_a_file_that_only_its_layout_reads_leads_to_no_error():
    content = (
        "Bezirk;Total;Schweiz;;;Ausland;;\n;;Total;Ref;Kath;Total;Ref;Kath\n"
        "Aarau;50;30;10;20;20;5;15\nBaden;72;40;19;21;32;11;21\nZug;61;33;11;22;28;9;19\n"
    )
    one = bar("sex")
    say(one, content.encode())
    assert (one.problem, one.preview["problem"], one.preview["decisions"]) == ("", "", [])
    say(one, type="use")
    assert (one._study.state.table.total, one.problem) == (183, "")
