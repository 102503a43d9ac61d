"""The attack lab: each case can be solved by lines, the machine solves it, and protection prevents it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError, attacks
from sdcwidgets.dashboards.attack import texts as words
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.attack.charts import lay_out
from sdcwidgets.dashboards.attack.own_table import own_case
from sdcwidgets.dashboards.attack.result import compute
from sdcwidgets.dashboards.attack.state import OWN, AttackState
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import decode, encode


def number(case, source, *place, protection="published"):
    given = compute(AttackState(case=case, protection=protection)).published
    return next(k for k, one in enumerate(given.numbers) if source in one.source and one.labels == place)


def solved(case, *lines):
    return compute(AttackState(case=case, combinations=lines))


def test_the_first_case_line_by_line():
    hours = ("More than 30", "16-30", "15 or less")
    lines = [
        (number("boundaries", "5.5", h, "Female"), number("boundaries", "5.4", h, "Female")) for h in hours
    ]
    one = compute(AttackState(line=lines[0]))
    assert words.line(one.line) == "55 − 54 = 1"
    assert "More than 30, Female, strip" in words.meaning(one, one.line)
    assert one.bounds((hours[0], "Female", "strip")) == (1, 1)
    assert one.bounds((hours[1], "Female", "strip")) == (0, 140)
    assert not one.solved
    done = solved("boundaries", *lines)
    assert done.solved
    assert [done.bounds((h, "Female", "strip")) for h in hours] == [(1, 1), (0, 0), (0, 0)]
    assert done.score == 100
    assert not done.explained
    # When nothing is left to find, the machine's lines are free.
    right = compute(done.state.answered(done.state.known.right))
    assert (right.explained, right.score) == (True, 100)


def test_the_second_case_needs_a_kept_line():
    both = number("linked", "5.8", "Both")
    women = (both, number("linked", "5.9", "Live and work in A"))
    elsewhere = (number("linked", "5.7", "Employed"), both)
    size = len(compute(AttackState(case="linked")).published.numbers)
    females = (size + 1, number("linked", "5.9", "Work elsewhere"))
    done = solved("linked", women, elsewhere, females)
    assert [words.line(kept) for kept in done.combinations] == ["22 − 21 = 1", "85 − 22 = 63", "63 − 58 = 5"]
    assert done.solved


def test_rounded_margins_close_in_from_both_sides():
    total = number("margins", "Rounded", "A")
    male, female = (number("margins", "Rounded", "A", sex) for sex in ("Male", "Female"))
    done = solved("margins", (total, male), (total, female))
    assert words.line(done.combinations[0]) == "3 − 0 = 1 to 4"
    assert done.solved


def test_one_gap_too_few():
    total = number("gaps", "O&DF", "size 5")
    rest = [number("gaps", "O&DF", activity, "size 5") for activity in ("2,3", "4", "6", "7")]
    done = solved("gaps", (total, *rest))
    assert words.line(done.combinations[0]) == "4,353 − 253 − 3,694 − 306 − 0 = 100"
    assert done.solved


@pytest.mark.parametrize("name", CASES)
def test_the_machine_finds_the_person_only_if_nothing_protects(name):
    result = compute(AttackState(case=name, automated=True))
    case = CASES[name]
    assert result.outcomes[0].succeeded
    assert not any(one.succeeded for one in result.outcomes[1:])
    score = result.finding.score(case.truth)
    assert score.contained == case.truth.cells
    assert score.wrong == 0
    assert case.right in case.options
    for count, line, left in words.automated_lines(result):
        assert count
        assert line
        assert left


@pytest.mark.parametrize("name", CASES)
def test_every_published_bound_holds_the_truth(name):
    """But for means divided by noisy counts, which tell nothing for certain."""
    for protection in CASES[name].protections:
        result = compute(AttackState(case=name, protection=protection))
        truth = result.published.matrix @ CASES[name].truth.counts.ravel()
        assert np.all(result.published.low <= truth)
        assert np.all(truth <= result.published.high)
        assert np.all(result.lower <= CASES[name].truth.counts)
        assert np.all(CASES[name].truth.counts <= result.upper)


@given(st.sampled_from([*sorted(CASES), OWN]), st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_is_pointed_at_the_truth_stays_possible(name, data):
    case = AttackState(case=name).known
    protection = data.draw(st.sampled_from(sorted(case.protections)))
    state = AttackState(case=name, protection=protection)
    size = len(compute(state).published.numbers)
    for k in range(data.draw(st.integers(0, 3))):
        for one in data.draw(st.lists(st.integers(0, size + k - 1), min_size=1, max_size=3, unique=True)):
            state = state.pointed(one)
        state = state.keep()
    result = compute(state)
    truth = case.truth.counts
    assert np.all((result.lower <= truth) & (truth <= result.upper))
    assert AttackState.from_state(state.to_state()) == state
    assert words.next_step(result)


def test_answers_and_hints_cost():
    state = AttackState().answered("16-30")
    result = compute(state)
    assert (result.right, result.score) == (False, 80)
    assert "is wrong" in words.agency_says(result)
    result = compute(state.answered("16-30").answered("More than 30"))
    assert (result.right, result.score) == (True, 80)
    assert "a guess" in words.agency_says(result)


def test_a_gap_less_a_gap_tells_nothing_and_contradicts_nothing():
    start = AttackState(case=OWN, protection="secondary")
    gaps = [
        k for k, one in enumerate(compute(start).published.numbers) if str(one) == stating("suppressed value")
    ]
    found = compute(replace(start, line=(*gaps[:2],)))
    assert (found.line.lower, found.line.upper) == (-np.inf, np.inf)
    assert all(map(np.array_equal, (found.lower, found.upper), found.before))


def test_a_machine_that_finds_less_says_what_it_leaves():
    result = compute(AttackState(protection="rounded", automated=True))
    assert "0 to " in words.so_far(result)
    none = compute(AttackState(case="linked", automated=True, attack="means"))
    assert words.so_far(none) == stating(f"{none.problem}")
    assert words.so_far(compute(AttackState())) == words.next_step(compute(AttackState()))


def test_noise_is_tied_to_the_people():
    """The same women of 15 hours or less are counted in both tables, so both get the same noise."""
    given = compute(AttackState(case="boundaries", protection="noise")).published
    values = {
        (one.source, one.labels): one.value for one in given.numbers if one.labels == ("15 or less", "Female")
    }
    assert len(values) == 2
    assert len(set(values.values())) == 1


def test_bounds_close_in_step_by_step():
    hours = ("More than 30", "16-30", "15 or less")
    lines = tuple(
        (number("boundaries", "5.5", h, "Female"), number("boundaries", "5.4", h, "Female")) for h in hours
    )
    result = compute(AttackState(combinations=lines[:2], line=lines[2]))
    left = [[result.bounds(cell, step) for cell in result.state.known.targets] for step in result.steps]
    assert left == [
        [(1, 1), (0, 140), (0, 49)],
        [(1, 1), (0, 0), (0, 49)],
        [(1, 1), (0, 0), (0, 0)],
    ]
    assert [words.wanted(result, cell) for cell in result.state.known.targets] == list(hours)


def test_ones_own_table_is_attacked():
    """The handbook's Table 5.1: the single woman is the row total less the single men."""
    state = AttackState(case=OWN)
    result = compute(state)
    assert result.state.known.question == stating("many", "“Single, Female”")
    total, men = (number(OWN, "Your table", *place) for place in (("Single",), ("Single", "Male")))
    done = compute(AttackState(case=OWN, combinations=((total, men),)).answered("1"))
    assert words.line(done.combinations[0]) == "4 − 3 = 1"
    assert done.solved
    assert done.right
    assert [one.succeeded for one in done.outcomes] == [True, False, False, False]
    assert done.outcomes[-1].protection == "secondary"
    namespace = {}
    exec(words.as_code(state).replace("attacks.get(case", "frame = attacks.get(case"), namespace)
    assert namespace["frame"]["lower"].tolist() == namespace["frame"]["upper"].tolist()


@pytest.mark.slow
def test_a_trainees_table_of_three_hundred_cells_is_attacked():
    """The machine looks for what is wanted only, and finds it if small counts alone are left out."""
    rng = np.random.default_rng(1)
    table = FrequencyTable(rng.poisson(rng.gamma(0.7, 20, (25, 12))))
    result = compute(AttackState(table))
    (target,) = result.state.known.targets
    assert result.finding.at(*target) == (2, 2)
    assert [one.succeeded for one in result.outcomes] == [True, False, False, False]
    assert result.finding.score(table).contained == table.cells
    whole = attacks.suppression([release for _, release in result.state.known.publish["published"]])
    assert whole.at(*target) == (2, 2)
    assert whole.line(*target).text == result.finding.line(*target).text


def test_a_table_of_three_axes_is_attacked_by_the_sums_of_each():
    """Nord, 18-64 less the women is the men, although no row and no column has one gap only."""
    table = FrequencyTable(
        [[[7, 2, 7], [4, 6, 5]], [[5, 4, 3], [3, 5, 5]], [[2, 4, 8], [3, 3, 3]]],
        {"Region": ("Nord", "Süd", "West"), "Sex": ("m", "w"), "Age": ("0-17", "18-64", "65+")},
    )
    state = AttackState(table, InMemorySource())
    given = compute(state).published
    at = {one.labels: k for k, one in enumerate(given.numbers)}
    lines = ((at["Nord", "18-64"], at["Nord", "w", "18-64"]),)
    done = compute(replace(state, combinations=lines))
    assert done.state.known.targets == (("Nord", "m", "18-64"),)
    assert done.bounds(("Nord", "m", "18-64")) == (2, 2)
    assert done.solved
    assert words.line(done.combinations[0]) == "8 − 6 = 2"
    board = lay_out(state.known.publish["published"][0][1], "Your table", given)
    assert (board.rows[2], board.numbers[2][1]) == ("Nord, Total", at["Nord", "18-64"])
    assert not given.numbers[board.numbers[0][1]].exact
    # A pattern that protects leaves it open.
    safe = next(one for one in done.outcomes if one.protection == "secondary")
    assert safe.lower < safe.upper


def test_a_category_that_is_called_total_is_told_apart_from_the_total():
    table = FrequencyTable([[1, 7, 5], [6, 2, 9]], {"Area": ("a", "Total"), "Age": ("0", "Total", "2")})
    state = AttackState(table, InMemorySource())
    board = lay_out(state.known.publish["published"][0][1], "Your table", compute(state).published)
    assert board.rows == ("a", "Total", "Total (all)")
    assert board.columns == ("0", "Total", "2", "Total (all)")


def test_another_table_begins_its_own_case():
    state = AttackState().pointed(1)
    table = FrequencyTable([[1, 7, 5], [6, 2, 9], [8, 9, 30]])
    other = replace(state, table=table, source=InMemorySource(), arrangement=None)
    assert (other.case, other.line, other.protection) == (OWN, (), "published")
    assert compute(other).outcomes
    assert AttackState.from_state(decode(encode(other))) == other
    back = replace(other, table=AttackState().table, source=AttackState().source, arrangement=None)
    assert back.case == OWN


def test_labels_that_are_the_same_on_both_axes_are_told_apart():
    table = FrequencyTable([[1, 7], [6, 9]], {"Before": ["a", "b"], "After": ["a", "b"]})
    given = compute(AttackState(table)).published
    assert {one.axes for one in given.numbers if one.labels == ("a",)} == {(0,), (1,)}
    case = own_case(table)
    finding = attacks.suppression(
        [release for _, release in case.publish["published"]], case.knowledge("published")
    )
    assert finding.at("a", "a") == (1, 1)


@pytest.mark.parametrize(
    ("make", "words_"),
    [
        (lambda: AttackState(case="nobody"), "There is no case"),
        (lambda: AttackState(FrequencyTable([[5, 6], [7, 8]])), "to attack"),
        (
            lambda: AttackState(FrequencyTable(np.ones((21, 20), int))),
            "420 cells; the page accepts at most 400",
        ),
        (lambda: AttackState(protection="none"), "protection method"),
        (lambda: AttackState(attack="nonsense"), "There is no attack"),
        (lambda: AttackState(line=(99,)), "not published"),
        (lambda: AttackState().keep(), "to save"),
        (lambda: AttackState.from_state({"version": 1}), "damaged"),
    ],
)
def test_bad_states_are_refused(make, words_):
    with pytest.raises(InputError, match=words_):
        make()


def test_a_respondent_knows_more_than_an_external_intruder():
    """The row 1, 1, 0 is published as zeros to base 5, with a total of 0 for 0 to 2: one of them is the respondent."""
    table = FrequencyTable([[1, 1, 0], [8, 9, 6]])
    outside = AttackState(table, protection="published").protected("rounded")
    inside = outside.attacked_by("respondent")
    assert outside.case == inside.case == OWN
    assert inside.known.own == ("Row 1", "Column 2")
    found = [compute(state).finding.at("Row 1", "Column 1") for state in (outside, inside)]
    assert found == [(0, 2), (0, 1)]
    assert AttackState.from_state(decode(encode(inside))).intruder == "respondent"
    with pytest.raises(InputError, match="There is no intruder"):
        outside.attacked_by("nobody")
