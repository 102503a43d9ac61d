import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import assess, examples
from sdcwidgets.assessment.assessment import TERMS
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import explain, explain_change, formula, in_words, lead, notice, what_if
from sdcwidgets.widgets.texts.risk import LITTLE, MUCH, _learnt


def said(line):
    return "".join(piece.text for piece in line)


def test_the_formula_carries_the_tables_numbers():
    assessment = assess(examples.load("religion"))
    words = said(formula(assessment, assessment.whole_slice))
    assert words == "R₁ = 0.1 · 25/90 + 0.8 · (1 − 3.410/log 90) + 0.1 · 0.099 = 0.2315"


def test_the_worked_example_is_explained_with_its_printed_terms():
    assessment = assess(examples.load("thesis-3-6-1"))
    words = [said(line) for line in explain(assessment, assessment.whole_slice)]
    assert words[1].endswith("= 0.3333")
    assert "= 0.6365" in words[2]
    assert words[3].endswith("= 0.4206")
    assert words[5].endswith("= 0.7740")


def test_what_to_notice_is_computed():
    words = notice(assess(examples.load("religion")))
    assert words.startswith("Area 6 is the row")
    assert "129 of its 219 people" in words
    assert "5 of 9 cells" in words
    assert words.endswith(_learnt(MUCH))


def test_a_row_of_one_cell_is_said_to_tell_everything():
    assert "all 9" in notice(assess(FrequencyTable([[0, 9], [5, 4]])))


def test_an_even_table_is_said_to_tell_little():
    assert "evenly" in notice(assess(FrequencyTable([[500, 500], [500, 500]])))


def test_an_almost_even_slice_tells_little_and_a_half_even_one_something():
    assert "spread evenly" in notice(assess(FrequencyTable([[500, 500], [500, 500]])))
    west = notice(assess(FrequencyTable([[7, 2, 7, 4, 6, 5], [5, 4, 3, 3, 5, 5], [2, 4, 8, 3, 3, 3]])))
    assert "8 of its 23" in west
    assert west.endswith(_learnt(0.9 * LITTLE))
    half = notice(assess(FrequencyTable([[3, 1], [5, 5]])))
    assert half.endswith(_learnt(LITTLE))
    assert len({_learnt(0), _learnt(0.9 * LITTLE), _learnt(LITTLE), _learnt(MUCH)}) == 4


def test_labels_that_begin_alike_are_told_apart_in_the_sentence():
    axes = {
        "Branch": [
            f"Employed in the wholesale of fish, oil and sweets as well as related goods {k}" for k in (1, 2)
        ]
    }
    told = notice(assess(FrequencyTable([[5, 5], [9, 0]], axes | {"Sex": "mf"})))
    assert told.startswith("Employed in the wholesale of…as well as related goods 2 is the row")


def test_the_best_change_lowers_the_risk_as_said():
    table = examples.load("religion")
    assessment = assess(table)
    cell, sentence = what_if(assessment, 1)
    after = assess(table.with_count(cell, int(table.counts[cell]) + 1))
    assert f"from 0.2315 to {after.whole_slice.r1[0]:.4f}" in sentence


def test_a_small_change_has_the_digits_that_show_it():
    _, sentence = what_if(assess(FrequencyTable([[1_000_000, 30_000], [20_000, 500_000]])), 1)
    before, after = re.findall(r"0\.\d+", sentence)
    assert len(before) == len(after)
    assert float(after) < float(before)


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=3), min_size=1, max_size=3).filter(
        lambda rows: len({len(row) for row in rows}) == 1 and any(map(any, rows))
    )
)
def test_every_table_can_be_put_in_words(rows):
    assessment = assess(FrequencyTable(rows))
    assert notice(assessment)
    for part in (assessment.whole_slice, assessment.rows, assessment.columns):
        for index in range(len(part)):
            assert all(said(line) for line in explain(assessment, part, index))
    for step in (1, -1):
        assert what_if(assessment, step)[1].endswith(".")


@pytest.mark.parametrize("count", [1, 2449])
def test_people_are_counted_in_plain_words(count):
    from sdcwidgets.widgets.texts import people

    assert people(count) == {1: "1 person", 2449: "2,449 people"}[count]


def test_a_change_by_one_is_explained_with_both_formulas():
    assessment = assess(examples.load("religion"))
    words = [said(line) for line in explain_change(assessment, 1, (0, 1))]
    assert words[1].endswith("= 0.2315")
    assert words[3].endswith("= 0.2300")
    assert "−15.0" in words[4]
    assert len(explain_change(assessment, -1, (0, 1))) == 1  # a count of 0 cannot be reduced


def test_an_unknown_count_is_not_called_empty():
    counts = np.array([[120, 1, 40, 0], [60, 55, 58, 61]])
    unknown = FrequencyTable(counts).with_unknown(counts == 0)
    for table, is_unknown in ((FrequencyTable(counts), False), (unknown, True)):
        _, reason = lead(assess(table))
        assert ("unknown" in reason) == is_unknown
        assert ("1 of 4 cells are empty" in reason) != is_unknown


def test_a_slice_is_told_in_sentences_and_the_lead_names_who_is_easiest_to_find():
    religion = assess(examples.load("religion"))
    spread = "129 of its 219 people are in one cell and 5 of 9 cells are empty."
    answer, reason = lead(religion)
    attribute, identity = reason.split(" Identity disclosure: ")
    assert attribute.endswith(f"Attribute disclosure: {spread}")
    counts = religion.table.counts
    assert int(re.search(r"\d+", identity)[0]) == int(((counts == 1) | (counts == 2)).sum())
    assert "Identity disclosure" not in lead(assess(FrequencyTable([[0, 5], [7, 9]])))[1]
    assert re.findall(r"Area 6|0\.\d+", answer) == ["Area 6", "0.546", "0.2315"]
    people, origin, inference = in_words(religion, religion.rows, 5)
    assert people == spread
    assert re.findall(r"0\.\d+", origin) == ["0.546", f"{0.8 * religion.rows.terms[5, 1]:.3f}"]
    assert TERMS[1].lower() in origin
    assert inference == _learnt(MUCH)
    empty = assess(FrequencyTable([[0, 0], [1, 4]]))
    assert len(in_words(empty, empty.rows, 0)) == 1
