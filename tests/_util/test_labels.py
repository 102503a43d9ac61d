import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusing import outcome, sentence
from stating import stating

from sdcwidgets._util.labels import (
    MOST_PEOPLE,
    axis_names,
    cell_name,
    corner,
    for_spreadsheet,
    from_spreadsheet,
    parse_count,
    shortened,
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("007", 7),
        (" 12 ", 12),
        ("+5", 5),
        ("-0", 0),
        ("12.0", 12),
        ("12,00", 12),
        ("12.", 12),
        ("1,234", 1234),
        ("1.234", 1234),
        ("1 234", 1234),
        ("1'234", 1234),
        ("1’234", 1234),
        ("1\u00a0234\u00a0567", 1234567),
        ("1\u2009234", 1234),
        ("1\u202f234", 1234),
        ("1,234,567.00", 1234567),
        ("1.234.567,0", 1234567),
        ("1e3", 1000),
        ("9007199254740992", MOST_PEOPLE),
        ("9,007,199,254,740,992", MOST_PEOPLE),
    ],
)
def test_counts_as_people_write_them(text, count):
    assert parse_count(text) == count


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The cell is empty; write 0 if the cell has no people."),
        ("  ", "The cell is empty; write 0 if the cell has no people."),
        ("-3", stating("-3", "0")),
        ("−3", stating("-3", "0")),
        ("-1,234", stating("-1234", "0")),
        ("2.5", stating("2.5 is not")),
        ("2,5", stating("2.5 is not")),
        ("0,500", stating("0.5 is not")),
        ("1,234.5", stating("1234.5 is not")),
        ("few", stating('"few"')),
        ("1,234,56", stating('"1,234,56"')),
        ("1,234,5", stating('"1,234,5"')),
        ("1_000", stating('"1_000"')),
        ("<img src=x>", stating('"<img src=x>"')),
        ("nan", "NaN is not a count; a count must be a whole number, and 0 if the cell has no people."),
        ("inf", "Infinity is not a count of people; a count must be a whole number."),
        ("-inf", "Infinity is not a count of people; a count must be a whole number."),
        ("9007199254740993", "The count is too large; it must be at most 9,007,199,254,740,992."),
        ("9" * 5000, "The count is too large; it must be at most 9,007,199,254,740,992."),
        ("1e300", "The count is too large; it must be at most 9,007,199,254,740,992."),
    ],
)
def test_why_a_text_is_no_count(text, said):
    assert sentence(parse_count, text) == said


@given(st.text())
def test_any_text_is_a_count_or_a_sentence(text):
    count = outcome(parse_count, text)
    assert count.endswith(".") if isinstance(count, str) else 0 <= count <= MOST_PEOPLE


@given(st.integers(0, MOST_PEOPLE))
def test_a_count_survives_its_writing(count):
    for mark in ("", ",", " ", ".", "'"):
        assert parse_count(f"{count:,}".replace(",", mark)) == count


names = st.lists(st.text(" \\ab", min_size=1).filter(str.strip), min_size=1, max_size=4)


@given(names, st.text("\\ab "))
def test_axis_names_survive_the_header(axes, label):
    header = corner(axes)
    assert axis_names([*header, label]) == (axes, len(header))


@given(st.text("'=+-@\t\r ＝x"))
def test_a_label_made_safe_is_no_formula_and_comes_back(label):
    safe = for_spreadsheet(label)
    assert not safe.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "＝"))
    assert from_spreadsheet(safe) == label


def test_a_place_is_short_and_on_one_line():
    said = cell_name(["x" * 500, "a\n b"])
    assert said == f'Row "{"x" * 30}…{"x" * 29}", column "a b"'


def test_labels_that_differ_in_a_long_last_word_are_told_apart():
    cut = [
        shortened(f"Employed in the wholesale of {'fishandoilandsweets' * 3}{end} 7") for end in ("a", "b")
    ]
    assert cut[0] != cut[1]
    assert {len(one) for one in cut} == {60}
