import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.core.assignment import average_channel, count
from sdcwidgets.core.information import conditional_entropy
from sdcwidgets.dashboards.who.result import DOTS, DRAWS, LISTED, compute
from sdcwidgets.dashboards.who.state import Search, WhoState
from sdcwidgets.widgets.page_state.links import decode, encode

ALL = Search("all")
MANY = WhoState((5, 5, 5), (4, 6, 5), ALL)
CROWD = WhoState((1000, 5, 30), (999, 6, 30))


def counts(size):
    return st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any).map(tuple)


def publications():
    pairs = st.integers(2, 4).flatmap(lambda size: st.tuples(counts(size), counts(size)))
    searches = st.builds(Search, st.sampled_from(["all", "closest"]), st.sampled_from(["listed", "drawn"]))
    return st.builds(lambda pair, search: WhoState(*pair, search), pairs, searches)


def test_table_3_6_1_is_the_first_thing_shown():
    found = compute(WhoState())
    assert [found.sizes[name].exact for name in ("all", "closest")] == [20, 4]
    assert (found.length, found.drawn, found.fewest, found.copies) == (4, False, 1, 1)
    assert found.assignment.tolist() == [1, 1, 1, 2, 2, 2]
    assert [round(value, 4) for value in (found.entropy, found.remaining_entropy)] == [0.6365, 0.3183]
    assert [round(value, 4) for value in found.second.values()] == [0.2103, 0.2103]


def test_over_all_of_them_nothing_is_learnt():
    found = compute(WhoState(settings=ALL))
    assert found.theorem.tolist() == [[0, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]]
    assert found.unknown == pytest.approx(1)
    assert found.left_closest == pytest.approx(0.3183, abs=5e-5)


@given(publications())
def test_the_whole_sequence_averages_to_the_theorem(publication):
    found = compute(publication)
    if not found.length:
        return
    whole = compute(found.whole)
    assert len(whole.differences) == whole.length
    if whole.drawn:
        assert whole.differences[-1] < 0.2
    else:
        assert whole.differences[-1] == 0
        np.testing.assert_allclose(
            whole.average, average_channel(*whole.people, publication.settings.closest), atol=1e-12
        )


@given(publications())
def test_what_is_shown_has_the_published_counts(publication):
    found = compute(publication)
    if found.assignment is not None:
        assert (
            np.bincount(found.assignment, minlength=len(publication.before)).tolist()
            == found.people[1].tolist()
        )
        moved = int((found.assignment != found.truth).sum())
        assert moved == found.fewest if publication.settings.closest else moved >= found.fewest


@given(publications())
def test_the_sums_are_those_of_the_closed_form(publication):
    expected = conditional_entropy(publication.before, publication.after)
    assert compute(publication).left_closest == pytest.approx(float(expected), abs=1e-12)


@given(publications())
def test_a_state_survives_its_link(publication):
    assert WhoState.from_state(decode(encode(publication))) == publication


def test_more_than_can_be_listed_are_drawn():
    found = compute(MANY)
    assert found.size.exact == 630_630 > LISTED
    assert (found.drawn, found.length) == (True, DRAWS)
    assert found.next_draw.position == 1
    assert found.whole.position == DRAWS - 1


def test_the_same_draws_come_again():
    state = WhoState(settings=Search("closest", "drawn"), position=7)
    np.testing.assert_array_equal(compute(state).assignment, compute(state).assignment)
    assert compute(WhoState()).next_draw == WhoState(settings=Search("closest", "drawn"))


def test_a_crowd_has_numbers_and_no_dots():
    found = compute(CROWD)
    assert found.people.sum() > 2 * DOTS
    assert (found.length, found.assignment, found.average, len(found.differences)) == (0, None, None, 0)
    for ask in ("next_draw", "whole"):
        with pytest.raises(InputError, match="400 dots"):
            getattr(found, ask)


@pytest.mark.parametrize("name", ["all", "closest"])
def test_the_size_of_a_crowd_is_that_of_the_exact_count(name):
    F, G = (300, 200, 10), (290, 205, 15)
    exact = str(count(F, G, name == "closest"))
    digits = compute(WhoState(F, G)).sizes[name].digits
    assert 10 ** (digits % 1) == pytest.approx(float(f"{exact[0]}.{exact[1:12]}"), rel=1e-6)
    assert int(digits) == len(exact) - 1


def test_copies_stand_for_people_where_the_totals_differ():
    found = compute(WhoState((3, 2), (2, 2)))
    assert (found.copies, found.people.tolist()) == (4, [[12, 8], [10, 10]])


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((0, 0), (1, 1), "Every count of F would be zero"),
        ((1, 1), (0, 0), "Every count of G would be zero"),
        ((1, 1, 1), (1, 1), "both must have the same"),
        ((1,), (1,), "from 2 to 8"),
        ((1,) * 9, (1,) * 9, "from 2 to 8"),
        ((1, 10_001), (1, 1), "from 0 to 10,000"),
    ],
)
def test_counts_that_are_no_publication_are_refused(before, after, words):
    with pytest.raises(InputError, match=words):
        WhoState(before, after)


@pytest.mark.parametrize("position", [4, 10**9])
def test_a_place_that_does_not_exist_is_refused(position):
    with pytest.raises(InputError, match="the last number is 4"):
        compute(WhoState(position=position))


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"version": 2},
        {"version": 1, "before": 3, "after": [1, 2], "settings": {}, "position": 0},
        {"version": 1, "before": [1, 2], "after": [1, 2], "settings": {"among": "some"}, "position": 0},
        {"version": 1, "before": [1, 2], "after": [1, 2], "settings": {"speed": 1}, "position": 0},
        {"version": 1, "before": [1, 2], "after": [1, 2], "settings": {}, "position": "0"},
        {"version": 1, "before": [1, 2], "after": [1, 2], "settings": {}, "position": -1},
    ],
)
def test_a_damaged_link_is_refused(saved):
    with pytest.raises(InputError):
        WhoState.from_state(saved)
