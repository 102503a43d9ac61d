from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.methods.perturbation import published_example

Perturbation = methods.get("stochastic-perturbation")


@settings(max_examples=40, deadline=None)
@given(counts=arrays(np.int64, 8, elements=st.integers(0, 5)), p=st.floats(0, 1))
def test_barnardisation_changes_by_one_at_most_and_leaves_zeros(counts, p):
    drawn = methods.get("barnardisation")(p=p).replicate(FrequencyTable(counts), 20, np.random.default_rng(1))
    assert (np.abs(drawn - counts) <= 1).all()
    assert (drawn[:, counts == 0] == 0).all()
    if p == 0:
        assert (drawn == counts).all()


def test_barnardisation_with_p_one_changes_every_count():
    drawn = methods.get("barnardisation")(p=1).replicate(
        FrequencyTable([1, 7]), 200, np.random.default_rng(1)
    )
    assert set(drawn[:, 0]) == {0, 2}
    assert set(drawn[:, 1]) == {6, 8}


def test_barnardisation_with_p_one_tells_that_a_published_one_was_two():
    """A count of 1 becomes 0 or 2 for sure and 0 stays, so a 1 comes from a 2; a little chance of staying hides it."""
    barnardisation = methods.get("barnardisation")
    low, high = barnardisation(p=1).conclusions(np.array([0, 1, 2, 5]))
    assert low.tolist() == [0, 2, 1, 4]
    assert high.tolist() == [1, 2, 3, 6]
    low, _ = barnardisation(p=0.99).conclusions(np.array([0, 1, 2, 5]))
    assert low.tolist() == [0, 1, 1, 4]


@settings(max_examples=50, deadline=None)
@given(
    rows=st.integers(2, 6),
    residual_base=st.integers(1, 6),
    counts=st.lists(st.integers(0, 60), min_size=1, max_size=8),
    seed=st.integers(0, 99),
)
def test_a_count_uses_the_last_row_of_its_residual(rows, residual_base, counts, seed):
    """Above the matrix the rows repeat: the count less a multiple of the base is among the last rows."""
    residual_base = min(residual_base, rows)
    moves = np.random.default_rng(seed).integers(0, 2, rows)
    moves[0] = 0
    matrix = np.zeros((rows, rows + 1))
    matrix[np.arange(rows), np.arange(rows) + moves] = 1  # each row moves a count up by one, or leaves it
    method = Perturbation(matrix=matrix.tolist(), residual_base=residual_base)
    drawn = method.apply(FrequencyTable([*counts, 1]), np.random.default_rng(1)).counts[:-1]
    for count, published in zip(counts, drawn.tolist(), strict=True):
        row = count
        while row >= rows:
            row -= residual_base
        assert published == count + moves[row]


def test_the_published_matrix_as_it_is_read():
    # Shlomo, Antal, Elliot 2015, Table 3; rows 1 and 2 are a reading, since the print lost entries.
    matrix = np.array(published_example())
    assert matrix[0].tolist() == [1] + [0] * 13
    assert matrix[1, :6].tolist() == [0, 0.5, 0.125, 0.125, 0.125, 0.125]
    assert matrix[2, :6].tolist() == [0, 0.125, 0.5, 0.125, 0.125, 0.125]
    assert matrix[3:].max(axis=1).tolist() == [0.9] * 8
    assert matrix[4].round(4).tolist() == [0, 0.0167, 0.0167, 0.0167, 0.9, 0.0167, 0.0167, 0.0167] + [0] * 6
    assert np.flatnonzero(matrix[3]).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert np.flatnonzero(matrix[10]).tolist() == [7, 8, 9, 10, 11, 12, 13]
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)


def test_a_count_above_the_last_row_moves_by_its_residual():
    # Rows 1 and 2 repeat: odd counts stay, even counts go down by one.
    method = Perturbation(matrix=[[1, 0, 0], [0, 1, 0], [0, 1, 0]], residual_base=2)
    drawn = method.apply(FrequencyTable([0, 1, 2, 3, 4, 101, 102]), np.random.default_rng(1))
    assert drawn.counts.tolist() == [0, 1, 1, 3, 3, 101, 101]
    last = Perturbation(matrix=[[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    assert last.apply(FrequencyTable([1, 3, 102]), np.random.default_rng(1)).counts.tolist() == [1, 2, 101]


@pytest.mark.parametrize("name", ["religion", "travel"])
def test_the_invariant_version_keeps_the_frequencies_of_counts(name):
    table = examples.load(name)
    matrix = Perturbation(invariant=True).transition(table)
    frequencies = np.bincount(table.counts.ravel())
    np.testing.assert_allclose(frequencies @ matrix, frequencies, atol=1e-9)
    drawn = Perturbation(invariant=True).replicate(table, 2000, np.random.default_rng(1))
    ones = (drawn == 1).sum(axis=(1, 2))
    assert abs(ones.mean() - frequencies[1]) < 4.5 * ones.std() / np.sqrt(2000)
    plain = Perturbation().transition(table)
    assert np.abs(frequencies @ plain[:, : len(frequencies)] - frequencies).max() > 1


def test_large_counts_cost_the_invariant_version_no_memory():
    """Its matrix has a column for each count that somebody can get, not for each number."""
    table = FrequencyTable(np.arange(40) * 100_000, {"Area": [f"Area {i}" for i in range(40)]})
    method = methods.get("stochastic-perturbation")(
        matrix=published_example(), residual_base=5, invariant=True
    )
    tracemalloc.start()
    method.apply(table, 1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**20


def test_matrices_that_are_wrong_are_refused_with_their_row():
    with pytest.raises(InputError, match=r"^Row 1 of the matrix sums to 0.9; it must sum to 1.$"):
        Perturbation(matrix=[[1, 0], [0.2, 0.7]])
    with pytest.raises(InputError, match=r"^Row 0"):
        Perturbation(matrix=[[1.5, -0.5]])
    with pytest.raises(InputError, match="not complete"):
        Perturbation(matrix=[[1, 0], [1]])
    with pytest.raises(InputError, match="it must be a matrix of numbers"):
        Perturbation(matrix=7)
    with pytest.raises(InputError, match=r"residual base .* 3; .* 2"):
        Perturbation(matrix=[[1, 0], [0, 1]], residual_base=3)
    with pytest.raises(InputError, match="the table"):
        Perturbation(invariant=True).transition(5)


def test_a_matrix_can_be_written_as_text():
    (parameter,) = (p for p in declared(Perturbation) if p.name == "matrix")
    assert parameter.parse("1, 0; 0.25, 0.75") == ((1.0, 0.0), (0.25, 0.75))
    with pytest.raises(InputError, match="Probabilities P is one; it must be a matrix"):
        parameter.parse("one")
