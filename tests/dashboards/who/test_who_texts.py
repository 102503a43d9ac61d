import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets.dashboards.who import texts as words
from sdcwidgets.dashboards.who.result import Size, compute
from sdcwidgets.dashboards.who.state import Search, WhoState

TABLE = compute(WhoState())
ALL = compute(WhoState(settings=Search("all"), position=9))
COPIES = compute(WhoState((3, 2), (2, 2)))
CROWD = compute(WhoState((1000, 5, 30), (999, 6, 30)))


def said(lines):
    return ["".join(piece.text for piece in line) for line in lines]


def test_the_counts_have_their_numbers_in_them():
    assert words.counted(TABLE) == (
        stating("6!/(0! 3! 3!) = 20", "(6 − 5)!/(0! 1! 0!) · C(2,2) · C(4,3) = 4")
    )
    assert words.labels(TABLE) == {"all": stating("20"), "closest": stating("4", "fewest")}


@pytest.mark.parametrize(
    ("size", "told"),
    [(Size(1, 0.0), "1"), (Size(1_260, 3.1), "1,260"), (Size(10**13, 13.0), "1.0·10¹³"), (Size(None, 0.0), "1"),
     (Size(None, 5.8e9), "10^5,800,000,000")],
)  # fmt: skip
def test_huge_numbers_are_powers_of_ten(size, told):
    assert words.how_many(size) == told


def test_who_moved_is_named():
    assert words.moved(TABLE) == "Person 3 moved from c₃ to c₂."
    assert words.moved(ALL).startswith("Person 2 moved from c₂ to c₃. Person 5")
    assert words.moved(COPIES) == "2 copies moved: 2 from c₁ to c₂."
    assert words.moved(compute(WhoState((2, 1), (2, 1)))) == (stating("original cells"))
    many = compute(WhoState((9, 1), (1, 9)))
    assert words.moved(many) == "8 people moved: 8 from c₁ to c₂."
    assert words.moved(CROWD) == ""


def test_theorem_1_says_what_all_of_them_tell():
    assert words.no_table(TABLE) == stating("20", "would be (0, ½, ½)", "(Theorem 1)")
    assert words.no_table(ALL) == stating("20", "is (0, ½, ½)", "(Theorem 1)")
    assert "(Theorem 3)" in words.no_table(COPIES)


def test_what_to_notice_depends_on_what_is_left():
    assert "keeps 50% of" in words.notice(TABLE)
    assert "H(X|Y) = H(X)" in words.notice(ALL)
    assert "Nobody has" in words.notice(compute(WhoState((2, 4), (1, 2))))
    assert "one cell" in words.notice(compute(WhoState((0, 4), (1, 3))))


def test_the_answer_names_only_cells_in_which_a_person_may_be():
    answer, _ = words.lead(ALL)
    assert "20" in answer
    assert [name in answer for name in ("c₁", "c₂", "c₃")] == [False, True, True]
    one, _ = words.lead(compute(WhoState((2, 4), (0, 6), Search("all"))))
    assert [name in one for name in ("c₁", "c₂")] == [False, True]


def test_both_sets_of_possibilities_are_told_apart_in_the_answer():
    assert "fewest moves" in words.lead(TABLE)[0]
    assert "fewest moves" not in words.lead(ALL)[0]


def test_copies_draws_and_crowds_are_explained():
    answer, why = words.lead(COPIES)
    assert "2 copies left" in answer
    assert "4 copies" in why
    assert "copies" not in " ".join(words.lead(TABLE))
    assert words.hurdle(TABLE) == ""
    assert "shown as 4 dots" in words.hurdle(COPIES)
    assert "only numbers" in words.hurdle(CROWD)
    assert "at random" in words.hurdle(compute(WhoState((5, 5, 5), (4, 6, 5), Search("all"))))


def test_the_average_says_what_it_is_over():
    assert "first 1 of 4" in words.so_far(TABLE)
    assert words.so_far(compute(TABLE.whole)) == stating("(4)", "Theorem 2")
    assert "1 random" in words.so_far(compute(TABLE.next_draw))
    assert words.so_far(CROWD) == stating("not listed", "Theorem 2")
    assert words.at_once(TABLE) == stating("4 possibilities")


def test_every_number_of_h_given_y_can_be_opened():
    lines = said(words.explain_entropy(TABLE))
    assert "−Σ m·log(m/q) = −(2/6·log(2/3) + 3/6·log(3/3)) = 0.1352" in lines
    assert lines[-2].endswith("= 0.1352 + 0.0000 + 0.1831 = 0.3183")
    assert "= H(X) = " in said(words.explain_entropy(ALL))[-2]
    assert [reading.text for reading in words.sums(TABLE)] == ["0.1352", "0.0000", "0.1831"]
    for index in range(3):
        assert words.sums(TABLE)[index].text in said(words.explain_sum(TABLE, index))[-2]


def test_the_theorem_is_filled_in():
    assert said(words.explain_matrix(TABLE))[-1] == "from c₃: stays 3/4 = 0.7500; to c₂ 1·1/(4·1) = 0.2500"
    assert said(words.explain_matrix(ALL))[-1] == "to c₃: 3/6 = 0.5000"


def test_the_two_second_terms_are_two_claims():
    assert "are equal" in words.two_claims(TABLE)
    assert "are equal" not in words.two_claims(COPIES)
    for index, reading in enumerate(words.variants(COPIES)):
        assert reading.text in said(words.explain_second(COPIES, index))[3]


def test_the_code_gives_the_numbers():
    space = {}
    exec(words.as_code(TABLE.state).rpartition("\n")[0], space)
    assert space["result"].remaining_entropy == TABLE.remaining_entropy


@given(
    st.integers(2, 8).flatmap(
        lambda size: st.tuples(
            *[st.lists(st.integers(0, 10_000), min_size=size, max_size=size).filter(any)] * 2
        )
    ),
    st.sampled_from(["all", "closest"]),
)
def test_there_are_words_for_every_table(pair, among):
    result = compute(WhoState(*map(tuple, pair), Search(among)))
    for tell in (
        words.scene,
        words.hurdle,
        words.moved,
        words.counted,
        words.so_far,
        words.no_table,
        words.notice,
    ):
        assert "nan" not in tell(result)
    assert len(words.explain_entropy(result)) >= 4
    assert len(words.explain_matrix(result)) >= 2
