"""PRAM of one variable of a table: what it keeps, what it gives on average, and what it cannot do."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets.core.pram import pram_probability

PRAM = methods.get("post-randomisation")
RELIGION = examples.load("religion")


def test_the_invariant_version_keeps_the_answers_on_average():
    method = PRAM(redrawn=0.4)
    drawn = method.replicate(RELIGION, 2000, np.random.default_rng(1))
    t = RELIGION.counts.sum(axis=0)
    np.testing.assert_allclose(t @ method.channel(RELIGION), t)
    answers = drawn.sum(axis=1)
    error = answers.std(axis=0) / np.sqrt(2000)
    assert (np.abs(answers.mean(axis=0) - t) < 4.5 * error).all()


@pytest.mark.parametrize("invariant", [True, False])
@pytest.mark.parametrize("axis", ["rows", "columns"])
def test_cells_are_what_the_matrix_gives_on_average_and_other_margins_stay(axis, invariant):
    method = PRAM(redrawn=0.3, axis=axis, invariant=invariant)
    P = method.channel(RELIGION)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    expected = P.T @ RELIGION.counts if axis == "rows" else RELIGION.counts @ P
    drawn = method.replicate(RELIGION, 3000, np.random.default_rng(2))
    error = np.maximum(drawn.std(axis=0), 0.2) / np.sqrt(3000)
    assert (np.abs(drawn.mean(axis=0) - expected) < 5 * error).all()
    over = 1 if axis == "rows" else 2
    assert (drawn.sum(axis=over) == RELIGION.counts.sum(axis=over - 1)).all()


def test_a_middle_axis_and_an_answer_that_nobody_gave():
    counts = np.array([[[3, 1], [0, 0], [2, 4]], [[1, 1], [0, 0], [5, 2]]])
    table = FrequencyTable(counts, {"Area": "ab", "Job": "xyz", "Sex": "mf"})
    method = PRAM(redrawn=1.0, axis="Job")
    drawn = method.replicate(table, 500, np.random.default_rng(3))
    assert not drawn[:, :, 1].any()
    assert (drawn.sum(axis=2) == counts.sum(axis=1)).all()
    release = method.release(table, np.random.default_rng(3))
    lower, upper = release.bounds("Area", "Sex")
    np.testing.assert_array_equal(lower, upper)


def test_what_cannot_be_done_is_told():
    table = FrequencyTable([[4, 0], [2, 0]], {"Area": "ab", "Sex": "mf"})
    assert "same value" in PRAM().no_effect_reason(table)
    assert PRAM(invariant=False).no_effect_reason(table) == ""
    both = FrequencyTable([[4, 1], [2, 0]], {"Area": "ab", "Sex": "mf"})
    assert PRAM().no_effect_reason(both) == ""
    assert "probability is 0" in PRAM(redrawn=0).no_effect_reason(table)
    with pytest.raises(InputError, match="no people"):
        PRAM().channel(FrequencyTable([[0, 0]]))


def test_a_given_matrix_is_followed_and_its_invariant_version_keeps_the_answers():
    sex = examples.load("sex")
    P = [[0.9, 0.1], [0.3, 0.7]]
    plain, invariant = PRAM(matrix=P, invariant=False), PRAM(matrix=P)
    np.testing.assert_array_equal(plain.channel(sex), P)
    t = sex.counts.sum(axis=0)
    np.testing.assert_allclose(t @ invariant.channel(sex), t)
    np.testing.assert_allclose(invariant.channel(sex).sum(axis=1), 1)
    for method in (plain, invariant):
        drawn = method.replicate(sex, 2000, np.random.default_rng(1))
        error = np.maximum(drawn.std(axis=0), 0.2) / np.sqrt(2000)
        assert (np.abs(drawn.mean(axis=0) - sex.counts @ method.channel(sex)) < 5 * error).all()
        assert (drawn.sum(axis=2) == sex.counts.sum(axis=1)).all()
        parts = np.random.default_rng(1)
        np.testing.assert_array_equal(
            np.concatenate([method.replicate(sex, 3, parts), method.replicate(sex, 4, parts)]), drawn[:7]
        )


def test_a_matrix_must_fit_and_goes_with_the_share_and_the_variable():
    with pytest.raises(InputError, match="has 9 categories"):
        PRAM(matrix=np.eye(2).tolist()).channel(RELIGION)
    with pytest.raises(InputError, match=r"Row 1 of the matrix sums to 0\.9; it must sum to 1"):
        PRAM(matrix=[[1, 0], [0.4, 0.5]])
    own = PRAM(matrix=np.eye(9).tolist())
    assert own.with_valid_axes(RELIGION) == own
    assert own.with_valid_axes(examples.load("sex")).matrix == ()
    assert own.changed("redrawn", 0.4) == PRAM(redrawn=0.4)
    assert own.changed("axis", "rows") == PRAM(axis="rows")
    assert own.changed("invariant", False).matrix == own.matrix
    assert "every value" in own.no_effect_reason(RELIGION)


def test_the_matrix_on_the_screen_is_the_given_one_and_beside_it_the_one_that_is_used():
    size = RELIGION.shape[1]
    matrix = np.full((size, size), 0.1 / (size - 1)) + np.eye(size) * (0.9 - 0.1 / (size - 1))
    drawn_anew, none = PRAM(redrawn=0.3).chances(RELIGION)
    np.testing.assert_array_equal(drawn_anew.matrix, PRAM(redrawn=0.3).channel(RELIGION))
    assert none is None
    for invariant in (False, True):
        method = PRAM(matrix=matrix.tolist(), invariant=invariant)
        shown, used = method.chances(RELIGION)
        np.testing.assert_array_equal(shown.matrix, matrix)
        assert shown.rows == RELIGION.axes[1].labels
        if invariant:
            np.testing.assert_array_equal(used.matrix, method.channel(RELIGION))
        else:
            assert used is None


def test_the_distribution_is_that_of_equation_6_3_2():
    table = FrequencyTable([0, 2, 4])
    method = PRAM(matrix=[[1, 0, 0], [0.1, 0.7, 0.2], [0, 0.3, 0.7]], invariant=False)
    published, probabilities = method.distribution(table)
    assert probabilities.sum() == pytest.approx(1)
    assert (published.sum(axis=1) == 6).all()
    for counts, probability in zip(published, probabilities, strict=True):
        assert probability == pytest.approx(pram_probability(table.counts, counts, method.channel(table)))
    drawn = method.replicate(table, 4000, np.random.default_rng(1))
    share = (drawn == [0, 2, 4]).all(axis=1).mean()
    assert share == pytest.approx(probabilities[(published == [0, 2, 4]).all(axis=1)][0], abs=0.03)


@pytest.mark.parametrize("table", [FrequencyTable([[1, 2], [3, 4]]), FrequencyTable([200] * 8)])
def test_too_many_tables_are_refused(table):
    with pytest.raises(InputError):
        PRAM(axis="columns").distribution(table)
