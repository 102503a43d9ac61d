"""The attack lab: each case can be solved by lines, the machine solves it, and protection prevents it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets.errors import InputError
from sdcwidgets.studies.attack import Intrusion, attempt
from sdcwidgets.studies.attack_cases import CASES
from sdcwidgets.words import attack as words


def number(case, source, *place, protection="published"):
    given = attempt(Intrusion(case, protection)).given
    return next(k for k, one in enumerate(given.numbers) if source in one.source and one.place == place)


def solved(case, *lines):
    return attempt(Intrusion(case, kept=lines))


def test_the_first_case_line_by_line():
    hours = ("More than 30", "16-30", "15 or less")
    lines = [
        (number("boundaries", "5.5", h, "Female"), number("boundaries", "5.4", h, "Female")) for h in hours
    ]
    one = attempt(Intrusion(line=lines[0]))
    assert words.line(one.line) == "55 − 54 = 1"
    assert "More than 30, Female, strip" in words.meaning(one, one.line)
    assert one.bounds((hours[0], "Female", "strip")) == (1, 1)
    assert one.bounds((hours[1], "Female", "strip")) == (0, 140)
    assert not one.found
    done = solved("boundaries", *lines)
    assert done.found
    assert [done.bounds((h, "Female", "strip")) for h in hours] == [(1, 1), (0, 0), (0, 0)]
    assert done.score == 100


def test_the_second_case_needs_a_kept_line():
    both = number("linked", "5.8", "Both")
    women = (both, number("linked", "5.9", "Live and work in A"))
    elsewhere = (number("linked", "5.7", "Employed"), both)
    size = len(attempt(Intrusion("linked")).given.numbers)
    females = (size + 1, number("linked", "5.9", "Work elsewhere"))
    done = solved("linked", women, elsewhere, females)
    assert [words.line(kept) for kept in done.kept] == ["22 − 21 = 1", "85 − 22 = 63", "63 − 58 = 5"]
    assert done.found


def test_rounded_margins_close_in_from_both_sides():
    total = number("margins", "Rounded", "A")
    male, female = (number("margins", "Rounded", "A", sex) for sex in ("Male", "Female"))
    done = solved("margins", (total, male), (total, female))
    assert words.line(done.kept[0]) == "3 − 0 = 1 to 4"
    assert done.found


def test_one_gap_too_few():
    total = number("gaps", "O&DF", "size 5")
    rest = [number("gaps", "O&DF", activity, "size 5") for activity in ("2,3", "4", "6", "7")]
    done = solved("gaps", (total, *rest))
    assert words.line(done.kept[0]) == "4353 − 253 − 3694 − 306 − 0 = 100"
    assert done.found


@pytest.mark.parametrize("name", CASES)
def test_the_machine_finds_the_person_only_if_nothing_protects(name):
    result = attempt(Intrusion(name, machine=True))
    case = CASES[name]
    assert result.outcomes[0].found
    assert not any(one.found for one in result.outcomes[1:])
    score = result.machine.score(case.truth)
    assert score.contained == case.truth.cells
    assert score.wrong == 0
    assert case.right in case.options
    for count, line, left in words.machine(result):
        assert count
        assert line
        assert left


@pytest.mark.parametrize("name", CASES)
def test_every_published_bound_holds_the_truth(name):
    """But for means divided by noisy counts, which tell nothing for certain."""
    for protection in CASES[name].protections:
        result = attempt(Intrusion(name, protection))
        truth = result.given.matrix @ CASES[name].truth.counts.ravel()
        assert np.all(result.given.low <= truth)
        assert np.all(truth <= result.given.high)
        assert np.all(result.lower <= CASES[name].truth.counts)
        assert np.all(CASES[name].truth.counts <= result.upper)


@given(st.sampled_from(sorted(CASES)), st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_is_pointed_at_the_truth_stays_possible(name, data):
    protection = data.draw(st.sampled_from(sorted(CASES[name].protections)))
    state = Intrusion(name, protection)
    size = len(attempt(state).given.numbers)
    for k in range(data.draw(st.integers(0, 3))):
        for one in data.draw(st.lists(st.integers(0, size + k - 1), min_size=1, max_size=3, unique=True)):
            state = state.pointed(one)
        state = state.keep()
    result = attempt(state)
    truth = CASES[name].truth.counts
    assert np.all((result.lower <= truth) & (truth <= result.upper))
    assert Intrusion.from_state(state.to_state()) == state
    assert words.next_step(result)


def test_answers_and_hints_cost():
    state = Intrusion().answered("16-30")
    result = attempt(state)
    assert (result.right, result.score) == (False, 80)
    assert "is wrong" in words.told(result)
    result = attempt(state.answered("16-30").answered("More than 30"))
    assert (result.right, result.score) == (True, 80)
    assert "a guess" in words.told(result)


def test_noise_is_tied_to_the_people():
    """The same women of 15 hours or less are counted in both tables, so both get the same noise."""
    given = attempt(Intrusion("boundaries", "noise")).given
    values = {
        (one.source, one.place): one.value for one in given.numbers if one.place == ("15 or less", "Female")
    }
    assert len(values) == 2
    assert len(set(values.values())) == 1


@pytest.mark.parametrize(
    ("make", "words_"),
    [
        (lambda: Intrusion("nobody"), "no case"),
        (lambda: Intrusion(protection="none"), "no protection"),
        (lambda: Intrusion(line=(99,)), "not published"),
        (lambda: Intrusion().keep(), "no line to keep"),
        (lambda: Intrusion.from_state({"version": 1}), "damaged"),
    ],
)
def test_bad_states_are_refused(make, words_):
    with pytest.raises(InputError, match=words_):
        make()
