"""Sampling as a method: what a draw is, and what its release tells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, assess, examples, methods
from sdcwidgets.measures.risk import R2

tables = arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(2, 4)), elements=st.integers(0, 30)).map(
    FrequencyTable
)
NAMES = ["simple-random-sampling", "stratified-sampling"]


@pytest.mark.parametrize("name", NAMES)
@given(table=tables, fraction=st.floats(0.01, 1.0), seed=st.integers(0, 99))
def test_a_sample_has_its_fraction_and_nobody_twice(name, table, fraction, seed):
    method = methods.get(name)(fraction=fraction)
    drawn = method.replicate(table, 5, np.random.default_rng(seed))
    assert (drawn <= table.counts).all()
    assert (drawn.sum(axis=(1, 2)) == method.people(table)).all()
    assert abs(method.people(table) - fraction * table.total) <= max(0.5, 1 - fraction * table.total)


@pytest.mark.parametrize("name", NAMES)
def test_a_release_knows_its_fraction_and_the_reader_n(name):
    table = examples.load("religion")
    release = methods.get(name)(fraction=0.1).release(table, np.random.default_rng(1))
    assert release.fraction == 245 / 2449
    assert release.cells.sum() == 245
    assert [float(bound) for bound in release.bounds()] == [2449, 2449]
    assert "A sample of 245 of 2,449 people." in release.notes
    lower, upper = release.bounds(*(axis.name for axis in table.axes))
    np.testing.assert_array_equal(lower, release.cells)
    assert (upper <= release.cells + 2449 - 245).all()


def test_who_knows_the_design_of_strata_knows_their_sizes():
    table = examples.load("religion")
    area = table.rows.name
    release = methods.get("stratified-sampling")(fraction=0.1, strata=area).release(
        table, np.random.default_rng(1)
    )
    lower, upper = release.bounds(area)
    assert lower.tolist() == upper.tolist() == table.marginal(area).counts.tolist()
    _, most = release.bounds(*(axis.name for axis in table.axes))
    assert most.max() <= table.marginal(area).counts.max()


def test_equal_numbers_from_each_stratum():
    table = FrequencyTable([[60, 40], [8, 2], [1, 0]])
    drawn = methods.get("stratified-sampling")(fraction=0.2, allocation="equal").replicate(
        table, 3, np.random.default_rng(1)
    )
    assert drawn.sum(axis=2).tolist() == [[11, 10, 1]] * 3


def test_everyone_sampled_is_the_table_and_its_risk():
    table = examples.load("religion")
    method = methods.get("simple-random-sampling")(fraction=1.0)
    assert method.apply(table, np.random.default_rng(0)) == table
    assert method.release(table, np.random.default_rng(0)).fraction == 1
    after = assess(table, method, replications=2).after
    before = assess(table).to_frame().query("slice == 'Table'").r1.iloc[0]
    assert after.draws[R2()] == pytest.approx(before)


def test_the_original_risk_of_the_real_table_is_the_printed_one():
    """Sample paper, Table 2: 0.1697 (st. dev. 0.0048) and 0.1535 (0.0061)."""
    table = examples.load("religion")
    for fraction, mean, spread in ((0.1, 0.1697, 0.0048), (0.05, 0.1535, 0.0061)):
        method = methods.get("simple-random-sampling")(fraction=fraction)
        after = assess(table, method, replications=1000, seed=1).after
        found = after.draws[R2()]
        assert found.mean() == pytest.approx(mean, abs=5e-5 + 4 * 2**0.5 * spread / 1000**0.5)
        assert found.std() == pytest.approx(spread, rel=0.1)


def test_an_axis_that_is_not_there_is_told():
    with pytest.raises(InputError, match='no axis "Age"'):
        methods.get("stratified-sampling")(strata="Age").apply(
            examples.load("religion"), np.random.default_rng(0)
        )
    with pytest.raises(
        InputError,
        match=r"Sampling fraction \(sample size / population size\) is 0.0; it must be a number from 0\.01 to 1",
    ):
        methods.get("simple-random-sampling")(fraction=0.0)
