"""The synthetic population: what Totter prints of his, and laws."""

import numpy as np
import pytest

from sdcwidgets.core.microdata.keys import distinct
from sdcwidgets.core.microdata.population import REGIONS, SIZES, SURVEY, people


@pytest.fixture(scope="module")
def made():
    return people(300_000, np.random.default_rng(1))


def test_the_survey_has_the_households_and_people_that_totter_prints():
    # Example 1.10: people by size of their household in the survey of 11,725.
    by_size = np.array(SIZES) * np.arange(1, 10)
    assert by_size.tolist() == [1313, 2770, 2391, 2752, 1560, 588, 245, 88, 18]
    assert by_size.sum() == 11725
    assert SURVEY == 4641


@pytest.mark.parametrize("persons", [1, 2, 9, 137, 10_000])
def test_there_are_exactly_as_many_people_as_asked_for(persons):
    drawn = people(persons, np.random.default_rng(persons))
    assert {len(part) for part in vars(drawn).values()} == {persons}


def test_households_are_whole_and_in_one_region(made):
    start = np.flatnonzero(np.diff(made.household, prepend=-1))
    counted = np.bincount(made.household)
    assert (counted == made.size[start]).all()
    for part in (made.size, made.region):
        assert (part == np.repeat(part[start], counted)).all()


def test_sizes_and_regions_have_the_printed_shares(made):
    households = np.flatnonzero(np.diff(made.household, prepend=-1))
    sizes = np.bincount(made.size[households], minlength=10)[1:] / len(households)
    np.testing.assert_allclose(sizes, np.array(SIZES) / SURVEY, atol=0.006)
    regions = np.bincount(made.region, minlength=9) / len(made.region)
    np.testing.assert_allclose(regions, np.array(REGIONS) / sum(REGIONS), atol=0.02)


def test_every_category_is_in_its_range_and_the_large_ones_occur(made):
    for name, categories in dict(region=9, sex=2, status=7, citizenship=3, income=15).items():
        assert np.unique(getattr(made, name)).tolist() == list(range(categories)), name
    assert made.age.min() == 0
    assert made.age.max() <= 97


def test_children_are_in_education_and_have_next_to_no_income(made):
    child = made.age < 15
    assert 0.1 < child.mean() < 0.3
    assert (made.status[child] == 3).all()
    assert (made.income[child] == 0).mean() > 0.9


def test_a_seed_gives_the_same_population_again():
    one, two = (people(5000, np.random.default_rng(7)) for _ in range(2))
    for name, values in vars(one).items():
        assert (values == getattr(two, name)).all()


def test_more_keys_and_fewer_people_make_more_uniques(made):
    few = distinct(np.column_stack([made.region, made.size, made.sex]))[2]
    many = distinct(np.column_stack([made.region, made.size, made.sex, made.age, made.income]))[2]
    assert (many == 1).sum() > 50 > (few == 1).sum()


@pytest.mark.parametrize("persons", [0, -3])
def test_a_population_of_nobody_is_refused(persons):
    with pytest.raises(ValueError, match="from 1 to"):
        people(persons, np.random.default_rng(1))


def test_two_who_live_together_are_mostly_a_woman_and_a_man(made):
    sexes = made.sex[made.size == 2].reshape(-1, 2)
    assert (sexes[:, 0] != sexes[:, 1]).mean() > 0.75


def test_women_stop_working_two_years_before_men(made):
    retired = [(made.status[(made.age == 60) & (made.sex == sex)] == 4).mean() for sex in (0, 1)]
    assert retired[0] < 0.5 < 0.6 < retired[1]
