"""The four designs: fixed sizes, whole households, and inclusion probabilities that hold in repetition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.microdata.sampling import (
    DESIGNS,
    Households,
    allocate,
    draw,
    inclusion_probabilities,
    midzuno,
)

SIZE = np.array([1] * 12 + [2] * 10 + [3] * 6 + [5] * 4)
STRATUM = np.arange(len(SIZE)) % 3
FRAME = Households.of(np.repeat(np.arange(len(SIZE)), SIZE), np.repeat(STRATUM, SIZE))


@pytest.mark.parametrize("design", DESIGNS)
def test_households_are_whole_and_as_many_as_asked_for(design):
    sample = draw(FRAME, 9, design, np.random.default_rng(1))
    household = np.repeat(np.arange(len(SIZE)), SIZE)[sample.records]
    assert len(np.unique(household)) == 9
    for number in np.unique(household):
        assert (household == number).sum() == SIZE[number]
    assert len(np.unique(sample.household)) == 9


@pytest.mark.parametrize("design", DESIGNS)
def test_each_household_is_drawn_as_often_as_its_weight_says(design):
    rng, runs = np.random.default_rng(3), 4000
    drawn = np.zeros(len(SIZE))
    stated = np.zeros(len(SIZE))
    household = np.repeat(np.arange(len(SIZE)), SIZE)
    for _ in range(runs):
        sample = draw(FRAME, 9, design, rng)
        first = np.flatnonzero(np.diff(sample.household, prepend=-1))
        drawn[household[sample.records[first]]] += 1
        stated[household[sample.records[first]]] = 1 / sample.weights[first]
    # 4.5 standard errors of a share, for 32 households and four designs
    np.testing.assert_allclose(drawn / runs, stated, atol=4.5 * np.sqrt(0.25 / runs))
    if design == "oversampling":
        np.testing.assert_allclose(stated, 9 * SIZE / SIZE.sum())


def test_the_weights_of_an_oversample_estimate_the_number_of_households():
    rng = np.random.default_rng(8)
    totals = []
    for _ in range(400):
        sample = draw(FRAME, 9, "oversampling", rng)
        first = np.flatnonzero(np.diff(sample.household, prepend=-1))
        totals.append(sample.weights[first].sum())
    assert abs(np.mean(totals) / len(SIZE) - 1) < 0.05


def test_example_1_10_inclusion_probabilities():
    number = [8602, 14128, 12429, 13180, 6745, 2094, 840, 528, 108]
    printed = [
        0.0636432719969603,
        0.127286543993921,
        0.190929815990881,
        0.254573087987841,
        0.318216359984802,
        0.381859631981762,
        0.445502903978722,
        0.509146175975683,
        0.572789447972643,
    ]
    found = inclusion_probabilities(range(1, 10), 11725, number)
    np.testing.assert_allclose(found, printed, rtol=1e-13)


def test_example_1_8_proportional_allocation():
    # Eight of the nine federal states are named in the print, and nine numbers stand under them.
    people = np.array([37, 79, 177, 66, 159, 95, 181, 153, 53]) * 100
    assert allocate(people, 1000).tolist() == [37, 79, 177, 66, 159, 95, 181, 153, 53]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.data(), st.booleans())
def test_an_allocation_takes_no_more_than_there_is_and_adds_up(available, data, equal):
    total = data.draw(st.integers(0, sum(available)))
    wanted = allocate(available, total, equal=equal)
    assert wanted.sum() == total
    assert (wanted >= 0).all()
    assert (wanted <= available).all()


@given(st.lists(st.integers(1, 9), min_size=2, max_size=20), st.data())
def test_inclusion_probabilities_add_up_and_are_at_most_1(size, data):
    total = data.draw(st.integers(0, len(size)))
    pi = inclusion_probabilities(size, total)
    assert pi.sum() == pytest.approx(total)
    assert (pi <= 1 + 1e-12).all()
    free = pi < 1 - 1e-9
    ratio = pi[free] / np.array(size)[free]
    np.testing.assert_allclose(ratio, ratio[:1].repeat(len(ratio)))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=20), st.data(), st.integers(0, 1000))
def test_midzunos_scheme_draws_a_fixed_number_without_repetition(size, data, seed):
    total = data.draw(st.integers(1, len(size)))
    chosen, weights = midzuno(size, total, np.random.default_rng(seed))
    assert len(set(chosen.tolist())) == total == len(weights)
    np.testing.assert_allclose(1 / weights, inclusion_probabilities(size, total)[chosen])


def test_records_of_a_household_need_not_stand_together():
    frame = Households.of([4, 7, 4, 7, 7], [0, 1, 0, 1, 1])
    sample = draw(frame, 2, "srs", np.random.default_rng(0))
    assert sample.records.tolist() == [0, 2, 1, 3, 4]
    assert sample.household.tolist() == [0, 0, 1, 1, 1]


def test_a_household_in_two_strata_is_refused():
    with pytest.raises(ValueError, match="different strata"):
        Households.of([1, 1], [0, 1])


@pytest.mark.parametrize(
    ("households", "design", "told"), [(33, "srs", "from 1 to 32"), (3, "snow", "design 'snow' is unknown")]
)
def test_what_cannot_be_drawn_is_refused(households, design, told):
    with pytest.raises(ValueError, match=told):
        draw(FRAME, households, design, np.random.default_rng(0))


def test_an_equal_allocation_differs_by_one_where_no_stratum_is_used_up():
    assert allocate([1, 10, 10], 7, equal=True).tolist() == [1, 3, 3]
    assert allocate([1, 1, 1], 3, equal=True).tolist() == [1, 1, 1]
    wanted = allocate([1, 5, 50, 8], 26, equal=True)
    assert wanted.tolist() == [1, 5, 12, 8]
