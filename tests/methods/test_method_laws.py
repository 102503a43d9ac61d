"""Laws that every registered method keeps, over its whole range of declared parameters."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusing import outcome, sentence

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets._util.parameters import AxisNames, Groups, Parameter, StochasticMatrix, declared
from sdcwidgets.core.assignment import mixture
from sdcwidgets.core.margins import margins
from sdcwidgets.core.ptable import least_variance
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey.files import PTable

NAMES = methods.available()
SHAPES = st.sampled_from([(6,), (1, 4), (3, 2), (4, 5), (2, 3, 3)])


@st.composite
def tables(draw: Any) -> FrequencyTable:
    return FrequencyTable(draw(arrays(np.int64, draw(SHAPES), elements=st.integers(0, 30))))


@st.composite
def matrices(draw: Any) -> list[list[float]]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    weights = draw(arrays(np.int64, (rows, columns), elements=st.integers(0, 5))) + 0.0
    weights[np.arange(rows), draw(arrays(np.int64, rows, elements=st.integers(0, columns - 1)))] += 1
    return (weights / weights.sum(axis=1, keepdims=True)).tolist()


#: An unbiased p-table with its intervals in random order.
OWN_P_TABLE = PTable().check(cellkey.modify(cellkey.p_table(2, 0.8), 0.2, 1))


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Everything that a parameter may be, from its declaration."""
    if isinstance(parameter.kind, StochasticMatrix):
        # An optional one fits the categories of one table only.
        return (
            st.just(parameter.default) if parameter.kind.optional else st.just(parameter.default) | matrices()
        )
    if isinstance(parameter.kind, PTable):
        return st.just(()) | st.just(OWN_P_TABLE)
    if isinstance(parameter.kind, Groups):
        return st.just(()) | st.just((("Row 1", "Row 2"),)) | st.just((("Column 1", "Column 2"),))
    if isinstance(parameter.kind, AxisNames):
        return st.just(()) if parameter.kind.several else st.sampled_from(["rows", "columns"])
    if parameter.choices:
        return st.sampled_from(sorted(parameter.choices))
    if parameter.type is bool:
        return st.booleans()
    assert parameter.range is not None
    low, high = parameter.range.low, parameter.range.high
    return st.integers(int(low), int(high)) if parameter.type is int else st.floats(low, high)


@st.composite
def set_up(draw: Any, name: str) -> methods.Method:
    cls = methods.get(name)
    chosen = {parameter.name: draw(values(parameter)) for parameter in declared(cls)}
    if "residual_base" in chosen:
        chosen["residual_base"] = min(chosen["residual_base"], len(chosen["matrix"]))
    if "js" in chosen:
        chosen["js"] = min(chosen["js"], chosen["D"])
        chosen["V"] = max(chosen["V"], least_variance(chosen["js"]) + 0.25)
    if chosen.get("cell_keys") == "plain":
        # With shuffled intervals, the integer programs of unmixed keys take minutes.
        chosen["p_table"] = ()
    if name == "cell-suppression":
        # Small counts cannot keep bounds far apart; `test_what_cannot_be_protected_is_named` asks for more.
        chosen["threshold"], chosen["width"] = min(chosen["threshold"], 6), min(chosen["width"], 4)
    return cls(**chosen)


def refused(method: methods.Method, table: FrequencyTable) -> bool:
    """Whether the method refuses the table, as these may; it does so in one sentence, whatever is asked."""
    why = {
        "cell-suppression": "pattern protects|be hierarchical",
        "controlled-rounding": "rounding exists",
        "redesign": "another axis|no label|below the minimum count",
    }
    if method.name not in why:
        return False
    told = outcome(method.replicate, table, 1, np.random.default_rng(1))
    if not isinstance(told, str):
        return False
    assert re.search(why[method.name], told)
    assert told == sentence(method.release, table, np.random.default_rng(1))
    return True


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), table=tables(), seed=st.integers(0, 99))
def test_draws_are_counts_and_a_seed_gives_them_again_in_any_chunks(name, data, table, seed):
    method = data.draw(set_up(name))
    if refused(method, table):
        return
    whole = method.replicate(table, 10, np.random.default_rng(seed))
    assert whole.shape == (10, *table.shape)
    assert whole.dtype == (np.float64 if method.suppresses else np.int64)
    assert np.nanmin(whole, initial=0) >= 0
    rng = np.random.default_rng(seed)
    parts = [method.replicate(table, 3, rng), method.replicate(table, 7, rng)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    if method.suppresses or method.merges:
        with pytest.raises(InputError, match=r"release\(\)"):
            method.apply(table, np.random.default_rng(seed))
    else:
        assert method.apply(table, np.random.default_rng(seed)) == table.with_counts(whole[0])
    released = method.release(table, np.random.default_rng(seed))
    # A method that merges spreads what it publishes over the original cells.
    drawn = released.regroup(table.with_counts(whole[0])).counts if method.merges else whole[0]
    np.testing.assert_array_equal(released.cells, drawn)
    assert released == method.release(table, np.random.default_rng(seed))
    assert released.notes


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None)
@given(data=st.data(), table=tables(), seed=st.integers(0, 99))
def test_what_a_reader_may_conclude_is_true(name, data, table, seed):
    method = data.draw(set_up(name))
    if refused(method, table):
        return
    release = method.release(table, np.random.default_rng(seed))
    truth = margins(release.regroup(table).counts)
    for kept in release.values:
        assert (release.lower[kept] <= truth[kept]).all()
        assert (truth[kept] <= release.upper[kept]).all()
    # The integer programs of unmixed keys take minutes for larger tables; tests of the attack have some.
    if getattr(method, "cell_keys", "mixed") == "mixed" or table.counts.size <= 4:
        lower, upper = release.cell_bounds(sharp=False)
        assert (lower <= truth[release.every]).all()
        assert (truth[release.every] <= upper).all()
    assert release.lower[release.every].min() >= 0


@pytest.mark.parametrize("name", [name for name in NAMES if methods.get(name).deterministic])
def test_a_reader_of_a_method_that_draws_nothing_concludes_something(name):
    release = methods.get(name)().release(FrequencyTable(np.arange(60).reshape(6, 10)), 1)
    lower, upper = release.cell_bounds(sharp=False)
    assert lower.any() or np.isfinite(upper).any(), "`conclusions` is missing"


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), table=tables())
def test_rows_of_the_transition_matrix_are_distributions(name, data, table):
    method = data.draw(set_up(name))
    matrix = method.transition(table)
    if matrix is None and name == "post-randomisation" and table.ndim == 1 and table.total:
        with suppress(InputError):  # too many tables
            published, probabilities = method.distribution(table)
            np.testing.assert_allclose(probabilities.sum(), 1, atol=1e-9)
            assert (published.sum(axis=1) == table.total).all()
        return
    if matrix is None:
        with pytest.raises(InputError):
            method.distribution(table)
        return
    assert len(matrix) == table.counts.max() + 1
    assert matrix.min() >= 0
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)


UNBIASED = [name for name in NAMES if methods.get(name).unbiased]


@pytest.mark.parametrize("name", UNBIASED)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), largest=st.integers(0, 60))
def test_the_expectation_of_an_unbiased_method_is_the_original_count(name, data, largest):
    matrix = data.draw(set_up(name)).transition(largest)
    if matrix is None:
        assert name == "semi-controlled-rounding"  # cells are drawn together; the next test looks at draws
        return
    np.testing.assert_allclose(matrix @ np.arange(matrix.shape[1]), np.arange(largest + 1), atol=1e-9)


def variants(name: str, *, flags: bool = False) -> list[methods.Method]:
    """The method with each of its choices, and with each flag on and off if asked; others at their default."""
    cls = methods.get(name)
    chosen = [
        {one.name: value}
        for one in declared(cls)
        if (flags and one.type is bool) or (one.choices and one.type is str)
        for value in ((False, True) if one.type is bool else one.choices)
    ]
    return [cls(**settings) for settings in chosen or [{}]]


@pytest.mark.parametrize("method", [one for name in UNBIASED for one in variants(name)], ids=repr)
def test_no_cell_and_no_margin_of_an_unbiased_method_is_off_on_average(method):
    table, size = FrequencyTable(np.random.default_rng(2).poisson(4, (5, 7))), 8000
    rng = np.random.default_rng(3)
    drawn = method.replicate(table, size, rng)
    for kept, truth in margins(table.counts).items():
        others = tuple(k + 1 for k in range(table.ndim) if k not in kept)
        found = method.published_margin(table, drawn, kept, rng) if others else None
        values = drawn.sum(axis=others) if found is None else found
        error = np.maximum(values.std(axis=0, ddof=1), 1e-9) / np.sqrt(size)
        assert (np.abs(values.mean(axis=0) - truth) <= 5 * error).all()
        # A cell that may move does move: the bias is not hidden in a cell that is always the same.
        if not others and isinstance(method, methods.get("semi-controlled-rounding")):
            assert (values.std(axis=0)[truth % method.base > 0] > 0).all()
        if isinstance(method, methods.get("cell-key")) and (found is not None or not others):
            assert (values.var(axis=0) <= method.V * 1.15).all()


DRAWN = [
    one
    for name in NAMES
    for one in variants(name)
    if one.transition(FrequencyTable([[3, 0], [0, 0]])) is not None
]


@pytest.mark.parametrize("method", DRAWN, ids=repr)
def test_cells_and_margins_of_their_own_vary_as_the_transition_matrix_says(method):
    table, size = FrequencyTable(np.random.default_rng(2).poisson(4, (5, 7))), 8000
    matrix = method.transition(FrequencyTable([[table.total, 0], [0, 0]]))
    published, rng = np.arange(matrix.shape[1]), np.random.default_rng(3)
    variance = matrix @ published**2 - (matrix @ published) ** 2
    drawn = method.replicate(table, size, rng)
    for kept, truth in margins(table.counts).items():
        others = tuple(k + 1 for k in range(table.ndim) if k not in kept)
        found = method.published_margin(table, drawn, kept, rng) if others else drawn
        if found is None:
            continue  # a sum of cells, which are drawn one by one
        away = (found - found.mean(axis=0)) ** 2
        error = away.std(axis=0) / np.sqrt(size)
        assert (np.abs(away.mean(axis=0) - variance[truth]) <= 5 * error + 1e-9).all()
    if method.name in ("random-rounding", "small-cell-adjustment"):
        rest = np.arange(method.base)
        np.testing.assert_allclose(variance[: method.base], rest * (method.base - rest))


@pytest.mark.parametrize("method", variants("semi-controlled-rounding"), ids=repr)
def test_a_cell_of_semi_controlled_rounding_varies_like_one_of_random_rounding(method):
    """Each goes up with the chance r / b, so that it varies by r (b - r); what is kept of a total varies no more."""
    table, size = FrequencyTable(np.random.default_rng(2).poisson(4, (5, 7))), 8000
    drawn = method.replicate(table, size, np.random.default_rng(3))
    rest = table.counts % method.base
    away = (drawn - drawn.mean(axis=0)) ** 2
    error = away.std(axis=0) / np.sqrt(size)
    assert (np.abs(away.mean(axis=0) - rest * (method.base - rest)) <= 5 * error + 1e-9).all()


def of_kind(has: Any) -> list[methods.Method]:
    """Each registered method of a kind, with each of its choices."""
    return [one for name in NAMES if has(methods.get(name)) for one in variants(name, flags=True)]


def within_error(drawn: Any, mean: Any, variance: Any) -> bool:
    """Whether draws, along the first axis, have these means and variances, by their standard errors."""
    away = (drawn - drawn.mean(axis=0)) ** 2
    root = np.sqrt(len(drawn))
    off = np.abs(drawn.mean(axis=0) - mean) <= 5 * np.sqrt(variance) / root + 1e-9
    return bool(
        off.all() and (np.abs(away.mean(axis=0) - variance) <= 5.5 * away.std(axis=0) / root + 1e-9).all()
    )


@pytest.mark.parametrize("method", of_kind(lambda cls: hasattr(cls, "channel")), ids=repr)
@pytest.mark.parametrize("axis", ["rows", "columns"])
def test_answers_replaced_by_chance_have_the_means_and_variances_of_the_matrix(method, axis):
    """People are drawn one by one: of c with the answer i, c P has the answer j on average, varying by c P (1 - P)."""
    table = FrequencyTable(np.random.default_rng(2).poisson(6, (4, 6)))
    method = method.changed("axis", axis)
    P = method.channel(table)
    drawn = method.replicate(table, 6000, np.random.default_rng(4))
    counts = table.counts.T if axis == "rows" else table.counts
    drawn = drawn.swapaxes(1, 2) if axis == "rows" else drawn
    assert within_error(drawn, counts @ P, counts @ (P * (1 - P)))
    answers = counts.sum(axis=0)
    assert within_error(drawn.sum(axis=1), answers @ P, answers @ (P * (1 - P)))
    if method.invariant:
        np.testing.assert_allclose(answers @ P, answers)


@pytest.mark.parametrize("method", of_kind(lambda cls: cls.samples), ids=repr)
def test_cells_and_margins_of_a_sample_have_the_means_and_variances_of_its_design(method):
    """Of K people in a part of N of whom n are drawn, n K / N are counted on average: hypergeometric."""
    table = FrequencyTable(np.random.default_rng(2).poisson(9, (4, 6)))
    method = method.changed("fraction", 0.3)
    drawn = method.replicate(table, 6000, np.random.default_rng(4))
    (kept, taken), *_ = [*method.sampled(table).items(), ((), np.array(method.people(table)))]
    others = tuple(axis for axis in range(table.ndim) if axis not in kept)
    assert (drawn.sum(axis=tuple(axis + 1 for axis in others)) == taken).all()
    parts = np.expand_dims(taken, others), np.expand_dims(table.counts.sum(axis=others), others)
    n, N = (np.broadcast_to(one, table.shape).astype(float) for one in parts)
    share = table.counts / N
    mean, variance = n * share, n * share * (1 - share) * (N - n) / (N - 1)
    assert within_error(drawn, mean, variance)
    # Strata are drawn by themselves, so that what varies in each adds up.
    for axis in range(table.ndim):
        if kept == (1 - axis,):
            continue
        if not kept:
            share = table.counts.sum(axis=axis) / table.total
            spread = n.flat[0] * share * (1 - share) * (table.total - n.flat[0]) / (table.total - 1)
        else:
            spread = variance.sum(axis=axis)
        assert within_error(drawn.sum(axis=axis + 1), mean.sum(axis=axis), spread)


@pytest.mark.parametrize("method", of_kind(lambda cls: issubclass(cls, methods.PreTabular)), ids=repr)
def test_moving_people_changes_cells_and_no_margin_that_is_said_to_stay(method):
    table = FrequencyTable(np.random.default_rng(2).poisson(3, (4, 6)))
    drawn = method.replicate(table, 400, np.random.default_rng(4))
    assert (drawn.std(axis=0) > 0).mean() > 0.5
    kept = method.unchanged_margins(table)
    assert () in kept
    for margin, truth in margins(table.counts).items():
        others = tuple(axis + 1 for axis in range(table.ndim) if axis not in margin)
        stays = (drawn.sum(axis=others) == truth).all()
        assert stays == (margin in kept)


@pytest.mark.parametrize("method", of_kind(lambda cls: cls.merges), ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_what_is_merged_is_exact(method, seed):
    table = FrequencyTable(np.random.default_rng(seed).poisson(3, (6, 6)))
    release = method.release(table, seed)
    assert release.cells.size < table.cells
    truth = margins(release.regroup(table).counts)
    for kept, values in release.values.items():
        np.testing.assert_array_equal(values, truth[kept])
    assert (
        method.replicate(table, 3, np.random.default_rng(seed)).sum(axis=(1, 2)).tolist() == [table.total] * 3
    )


def test_what_the_handbook_calls_unbiased_promises_it():
    rounding = {"random-rounding", "semi-controlled-rounding", "small-cell-adjustment"}
    assert set(UNBIASED) >= rounding | {"barnardisation", "cell-key"}


@pytest.mark.parametrize("name", [n for n in NAMES if methods.get(n)().transition(3) is not None])
def test_draws_follow_the_transition_matrix(name):
    method = methods.get(name)()
    table = FrequencyTable(np.repeat([0, 1, 2, 3, 4, 5, 9, 12, 40], 2))
    size = 8000
    drawn = method.replicate(table, size, np.random.default_rng(5))
    matrix = method.transition(table)
    for cell, count in enumerate(table.counts):
        seen = np.bincount(drawn[:, cell], minlength=matrix.shape[1]) / size
        error = np.sqrt(matrix[count] * (1 - matrix[count]) / size)
        # One draw of a count that is almost impossible is more than any number of standard errors.
        assert (np.abs(seen - matrix[count]) <= 4.5 * error + 1 / size).all()


def test_a_method_of_ten_lines_is_found_by_its_name(shift):
    assert "shift" in methods.available()
    assert methods.get("shift") is shift
    assert shift.title == "Shift"
    assert shift.summary() == "Each count that is not zero grows by the same amount."
    drawn = shift(by=3).replicate(FrequencyTable([0, 4]), 50, np.random.default_rng(1))
    assert {tuple(x) for x in drawn.tolist()} == {(0, 7)}


def test_every_method_is_told_on_the_screen():
    for name in NAMES:
        cls = methods.get(name)
        assert cls.name == name
        assert cls.summary().endswith(".")
        assert all(parameter.label and parameter.help for parameter in declared(cls))


def test_bad_input_is_told_in_one_sentence():
    with pytest.raises(InputError, match=r"no method 'rounding'; the nearest .*random-rounding"):
        methods.get("rounding")
    with pytest.raises(InputError, match="is 0; it must be at least 1"):
        methods.get("random-rounding")().replicate(FrequencyTable([1, 2]), 0, np.random.default_rng(1))
    with pytest.raises(InputError, match="largest count is 6,000"):
        methods.get("random-rounding")().transition(6000)


@pytest.mark.parametrize("name", ["random-rounding", "barnardisation", "stochastic-perturbation"])
def test_the_exact_distribution_gives_the_channel_of_theorems_5_and_6(name):
    table, method = FrequencyTable([3, 2, 4]), methods.get(name)()
    published, probabilities = method.distribution(table)
    assert probabilities.sum() == pytest.approx(1)
    if method.unbiased:
        np.testing.assert_allclose(probabilities @ published, table.counts)
    exact = mixture(table.counts, published, probabilities)
    drawn = mixture(table.counts, method.replicate(table, 40_000, np.random.default_rng(5)))
    np.testing.assert_allclose(drawn, exact, atol=0.01)


def test_a_distribution_that_cannot_be_listed_is_refused():
    table = FrequencyTable(np.ones((10, 10), dtype=int))
    with pytest.raises(InputError, match="replicate"):
        methods.get("random-rounding")().distribution(table)
    with pytest.raises(InputError, match="replicate"):
        methods.get("record-swapping")().distribution(table)
