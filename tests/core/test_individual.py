"""Individual and household risk: the integral they stand for, closed forms, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nbinom

from sdcwidgets.core.risk.individual import household_risk, individual_risk


@given(st.integers(1, 30), st.floats(1.05, 60))
def test_it_is_the_mean_of_1_over_F_under_the_negative_binomial(f, weight):
    p = 1 / weight
    more = np.arange(int(nbinom.ppf(1 - 1e-13, f, p)) + 2)
    direct = np.sum(nbinom.pmf(more, f, p) / (f + more))
    assert individual_risk(f, f * weight) == pytest.approx(direct, rel=1e-7)


@pytest.mark.parametrize("p", [0.001, 0.05, 0.5, 0.9])
def test_the_closed_forms_that_are_printed_for_one_two_and_three_records(p):
    q = 1 - p
    one, two, three = (float(individual_risk(f, f / p)) for f in (1, 2, 3))
    assert one == pytest.approx(-p * np.log(p) / q)
    assert two == pytest.approx(p * (p * np.log(p) + q) / q**2)
    assert three == pytest.approx(p * (q * (3 * q - 2) - 2 * p**2 * np.log(p)) / (2 * q**3))


@given(st.integers(1, 1000), st.floats(1, 1e6))
def test_it_is_a_probability_that_falls_with_the_weights(f, weight):
    risk, less = individual_risk(f, f * weight), individual_risk(f, f * weight * 2)
    assert 0 < less < risk <= 1 / f + 1e-12


def test_a_record_that_stands_for_itself_alone_is_found():
    assert individual_risk([1, 4], [1, 4]).tolist() == [1, 0.25]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=1, max_size=20))
def test_a_household_is_found_unless_nobody_of_it_is(people):
    risk, household = map(np.array, zip(*people, strict=True))
    for record, found in enumerate(household_risk(risk, household)):
        assert found == pytest.approx(1 - np.prod(1 - risk[household == household[record]]), abs=1e-12)
        assert found >= risk[record] - 1e-12


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: individual_risk(0, 1), "at least 1"),
        (lambda: individual_risk(2, 1), "their number"),
        (lambda: household_risk([0.1], [0, 1]), "1 risks but 2 households"),
        (lambda: household_risk([1.1], [0]), "from 0 to 1"),
    ],
)
def test_what_is_no_risk_is_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()
