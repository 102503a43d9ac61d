"""What a proposed layout assumes beside the doubt that stops a file, and columns that may not be categories."""

from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.cli import main
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.assumptions import assumptions_of, assumptions_of_table
from sdcwidgets.tables.io.layout.categories import are_categories
from sdcwidgets.tables.io.layout.contents import _Held, _refuse_nothing_left
from sdcwidgets.tables.io.layout.parts import Outline
from sdcwidgets.tables.io.layout.totals import find_sums
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading, LayoutRow
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import read_or_propose
from sdcwidgets.tables.io.reading import Reading, read_csv
from sdcwidgets.tables.io.writers.workbook import workbook

AREAS = ["Bath", "Hull", "York", "Leeds", "Derby", "Ripon"]
RESIDENTS = [3120, 410, 1877, 5240, 951, 66]
COMMUTERS = [1210, 170, 801, 2105, 340, 21]
HOUSEHOLDS = [1401, 180, 790, 2400, 402, 30]
WOMEN = [1590, 201, 960, 2603, 490, 30]


def table(**columns):
    lines = [";".join(["Area", *columns])]
    lines += [
        ";".join(map(str, (area, *counts))) for area, *counts in zip(AREAS, *columns.values(), strict=True)
    ]
    return "\n".join(lines) + "\n"


def question_of(text, **how):
    """Return the key of the question about a text, None if it is read."""
    try:
        FrequencyTable.from_csv(text, **how)
    except Question as question:
        return question.doubt.question
    return None


def kinds(text, **how):
    """Return the assumptions of a text that is read with options, by their kinds."""
    options = ReadOptions(**how)
    reading = read_or_propose(text, None, options, lambda: read_csv(text, how=options))
    return {one.kind: one for one in reading.assumptions}


MEN = [residents - women for residents, women in zip(RESIDENTS, WOMEN, strict=True)]
OTHERS = [residents - commuters for residents, commuters in zip(RESIDENTS, COMMUTERS, strict=True)]


@pytest.mark.parametrize(
    "columns",
    [
        {"Ou": RESIDENTS, "Qua": COMMUTERS},
        {"Ou": RESIDENTS, "Qua": COMMUTERS, "Re": [1, 0, 2, 5, 1, 3]},
        {"Mu": MEN, "Ze": WOMEN, "Ciz": [40, 3, 25, 77, 9, 1]},
    ],
    ids=["a part", "two parts", "a part beside men and women"],
)
def test_columns_that_may_contain_each_other_are_asked_about(columns):
    assert question_of(table(**columns)) == "added"
    assert FrequencyTable.from_csv(table(**columns), doubts="accept").ndim == 2


@pytest.mark.parametrize(
    "text",
    [
        table(Men=MEN, Women=WOMEN),
        table(All=RESIDENTS, Commuters=COMMUTERS, Others=OTHERS),
        table(**{"0-14": COMMUTERS, "15-64": RESIDENTS, "65+": HOUSEHOLDS}),
        table(**{"Group 1": COMMUTERS, "Group 2": RESIDENTS}),
        "Area;Tenure;\n" + table(Owned=RESIDENTS, Rented=COMMUTERS).replace("Area;", ";"),
        table(Owned=RESIDENTS, Rented=COMMUTERS).replace("Area;", "Area \\ Tenure;"),
        table(Red=RESIDENTS, Blue=[*RESIDENTS[3:], *RESIDENTS[:3]], Green=[*RESIDENTS[2:], *RESIDENTS[:2]]),
    ],
    ids=["similar", "total", "ranges", "numbers", "heading", "corner", "crossing"],
)
def test_clear_categories_are_not_asked_about(text):
    assert question_of(text) is None


def test_few_rows_that_may_be_measures_are_asked_about():
    rows = "\n".join(
        ";".join(map(str, row)) for row in (["Ou", *RESIDENTS], ["Qua", *COMMUTERS], ["Bi", *HOUSEHOLDS])
    )
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(f";{';'.join(AREAS)}\n{rows}\n")
    assert (raised.value.doubt.question, raised.value.doubt.facts["label"]) == ("added", "Ou")


def test_codes_beside_counts_are_no_categories():
    codes = np.array([[4051, 1204, 8820, 2310, 9100, 3333], [310, 75, 1204, 2005, 44, 801]])
    assert not are_categories(codes, ["Code", "People"])


def test_an_answer_does_not_hide_what_else_is_assumed():
    text = table(Persons=RESIDENTS, Commuters=COMMUTERS, Households=HOUSEHOLDS)
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(text)
    assert raised.value.doubt.question == "no people"
    assert raised.value.proposal.layout is not None
    asked = {one.kind: one for one in raised.value.assumptions}
    assert asked["added"].names == ("Persons", "Commuters")
    assert asked["unread columns"].names == ("Households",)
    assert question_of(text, margins="drop") == "added"
    accepted = kinds(text, margins="drop", doubts="accept")
    assert accepted["added"].names == ("Persons", "Commuters")
    assert "Households" in kinds(text, margins="keep")["added"].names


def test_a_total_confirms_what_it_sums():
    total = table(Men=MEN, Women=WOMEN, Total=RESIDENTS) + f"All;{sum(MEN)};{sum(WOMEN)};{sum(RESIDENTS)}\n"
    layout = propose_layout(total).layout
    assert {one.kind for one in assumptions_of(total, layout, read(total, layout))} == {"people"}
    wrong = total.replace(f";{RESIDENTS[0]}\n", f";{RESIDENTS[0] + 1}\n")
    found = {one.kind: one for one in assumptions_of(wrong, layout, read(wrong, layout))}
    assert {"added", "totals"} <= found.keys()
    assert found["totals"].names == ("Total",)


def test_unread_parts_of_a_workbook_are_assumed():
    rows = [
        ["Title"],
        [],
        ["Area", "Men", "Women"],
        *([a, m, w] for a, m, w in zip(AREAS, MEN, WOMEN, strict=True)),
    ]
    rows += [[], ["Source: us"]]
    content = workbook({"Data": rows, "Other": [["Area", "Cars"], ["Bath", 12]]})
    layout = propose_layout(content).layout
    found = {one.kind: one.names for one in assumptions_of(content, layout, read(content, layout))}
    assert found["unread sheets"] == ("Other",)
    assert found["unread lines"] == ("Title", "Source: us")


def test_texts_that_become_numbers_are_assumed():
    text = "Area;Men;Women\n" + "".join(f"{area};1 2{k}4;{k}1\n" for k, area in enumerate(AREAS))
    layout = propose_layout(text).layout
    found = {one.kind: one for one in assumptions_of(text, layout, read(text, layout))}
    assert len(found["numbers"].names) == len(AREAS)
    assert "1204" in found["numbers"].sentence


def test_lines_below_a_blank_line_are_assumed_to_continue_the_table():
    text = (
        table(Men=MEN, Women=WOMEN)
        + "\n"
        + "".join(f"{a} again;{m};{w}\n" for a, m, w in zip(AREAS, MEN, WOMEN, strict=True))
    )
    layout = propose_layout(text).layout
    found = {one.kind: one for one in assumptions_of(text, layout, read(text, layout))}
    assert found["below"].names[1] == "Bath again"


def test_a_preview_lists_the_assumptions_of_the_current_layout():
    preview = FilePreview(table(Persons=RESIDENTS, Commuters=COMMUTERS, Households=HOUSEHOLDS).encode())
    before = {one.kind: one.names for one in preview.assumptions()}
    assert before["added"] == ("Persons", "Commuters")
    preview.change({"column": 3, "role": "other"})
    after = {one.kind: one.names for one in preview.assumptions()}
    assert "added" not in after
    assert after["unread columns"] == ("Commuters", "Households")
    assert preview.shown()["assumptions"] == [one.sentence for one in preview.assumptions()]


@pytest.mark.parametrize("line", ["1 000 personer", "(1,000 henkilöä)", "1000-tal"])
def test_a_line_with_a_power_of_ten_and_one_word_is_a_unit(line):
    text = f"Title;;\n{line};;\n" + table(Men=MEN, Women=WOMEN)
    with pytest.raises(Question) as raised:
        FrequencyTable.from_csv(text)
    assert raised.value.doubt.question == "thousands"
    assert raised.value.proposal.layout.unit == 1000


def test_a_place_with_a_power_of_ten_is_no_unit():
    text = table(Men=MEN, Women=WOMEN).replace("Bath", "1000 Bruxelles")
    assert question_of(text) is None


@pytest.mark.filterwarnings("error")
def test_negative_amounts_raise_no_warning():
    lines = np.array([[-1200, 310], [-7, 88], [45, -3]])
    assert find_sums(lines, Axis("Area", ("A", "B", "C")), ask=True, doubts=True).sure == []


@pytest.mark.parametrize(
    ("heading", "cells"), [("x", ("0.31", "0.27", "0.42")), ("share", ("31", "27", "42"))]
)
def test_a_refusal_names_labels_only_if_they_decided(heading, cells):
    rows = [[cell] for cell in cells]
    parts = Outline(["Area", None], [["A"], ["B"], ["C"]], [[heading]], rows)
    decided = {0: _Held(heading, "figures", says=heading == "share")}
    with pytest.raises(InputError) as raised:
        _refuse_nothing_left(decided, {0}, parts.headings, across=True)
    assert str(raised.value).startswith("By its label") == (heading == "share")


def test_the_command_line_prints_assumptions_with_a_question_and_after_an_answer(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(table(Persons=RESIDENTS, Commuters=COMMUTERS, Households=HOUSEHOLDS))
    assert main(["assess", str(path)]) == 2
    assert '- "Persons" and "Commuters" are categories' in capsys.readouterr().err
    assert main(["assess", str(path), "--margins", "drop", "--yes"]) == 0
    assert '- "Persons" and "Commuters" are categories' in capsys.readouterr().err


def test_several_lines_with_one_label_are_compared_with_no_sum():
    text = "Area;Men;Women\nBath;310;402\nHull;41;57\nTotal;351;459\nYork;87;95\nRipon;66;71\nTotal;153;166\n"
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "count", "Men"),
        LayoutColumn(3, "count", "Women"),
    )
    rows = tuple(LayoutRow(number, "total", "Total") for number in (4, 7))
    layout = FileLayout(
        columns, rows=rows, first=2, header=1, delimiter=";", headings=(LayoutHeading("Sex", 1),)
    )
    (totals,) = [one for one in assumptions_of(text, layout, read(text, layout)) if one.kind == "totals"]
    assert "several lines" in totals.sentence
    assert "confirms" not in totals.sentence
    once = replace(layout, rows=rows[:1])
    lines = text.replace("Total;153;166\n", "").replace("351", "352")
    (totals,) = [one for one in assumptions_of(lines, once, read(lines, once)) if one.kind == "totals"]
    assert "confirms" in totals.sentence


def test_the_assumption_on_categories_names_the_counted_units():
    table = FrequencyTable([[31, 12], [44, 9]], {"Region": ["A", "B"], "Type": ["Pigs", "Goats"]})
    nouns = {"people": "person", "farms": "farm", "live births": "counted unit"}
    for unit, noun in nouns.items():
        first, *_ = assumptions_of_table(Reading(table.with_unit(unit), counted=unit))
        assert f"each {noun} is" in first.sentence
