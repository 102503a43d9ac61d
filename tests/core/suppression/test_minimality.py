"""A data user who runs the program on every table that fits learns nothing from the choice of a pattern or rounding.

`benchmarks/minimality.py` has the attack and measures the rates on many tables; here are small cases.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from sampling import one_of

from sdcwidgets import protect
from sdcwidgets.cli import main
from sdcwidgets.core.suppression import failures, is_certified
from sdcwidgets.core.suppression.certificate import fitting_tables
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.rounding import ControlledRounding
from sdcwidgets.methods.suppressing import suppressed
from sdcwidgets.tables.table import FrequencyTable

_SPEC = importlib.util.spec_from_file_location(
    "minimality", Path(__file__).parents[3] / "benchmarks" / "minimality.py"
)
attack = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(attack)

#: The cheapest pattern of this table is the cheapest one of no table with another small count.
EXACT = np.array([[5, 7, 2, 5], [26, 3, 18, 7]])
TABLE = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])


def test_the_cheapest_pattern_discloses_counts_and_a_chosen_one_does_not():
    assert attack.exact_cells(EXACT, "optimal", 0) == (1, 1)
    assert attack.exact_cells(EXACT, "secret", 1) == (0, 1)


def test_the_attack_keeps_the_original_table():
    """The attack draws in canonical order, as the program does."""
    pattern = attack.pattern_of(EXACT, "secret", 1)
    problem = attack.problem_of(EXACT, pattern)
    assert attack.leads_to(EXACT, problem, pattern)


@pytest.mark.slow
@pytest.mark.parametrize("number", [2700000, 2700001, 2700003, 2700005])
def test_every_table_of_a_certificate_leads_to_the_pattern(number):
    """The attack runs the whole program on the tables of the certificate and on those next to the original."""
    counts = next(attack.tables_of(number))[1]
    result = attack.exact_cells(counts, "secret", number)
    assert result is None or result[0] == 0


def test_the_program_enumerates_the_same_tables_as_the_attack():
    rng = np.random.default_rng(3)
    for _ in range(20):
        counts = rng.integers(0, 6, (3, 3))
        totals = attack.with_totals(counts)
        hidden = (rng.random(totals.shape) < 0.6) & (totals > 0)
        hidden[-1, -1] = False
        cells = np.eye(9, dtype=int).reshape(9, 3, 3)
        sums = np.stack([attack.with_totals(cell).ravel() for cell in cells], axis=1)
        tables = fitting_tables(totals.ravel().astype(float), hidden.ravel(), sums)
        expected = attack.tables_that_fit(np.where(hidden, np.nan, totals))
        assert {table.tobytes() for table in tables.reshape(-1, 4, 4)[:, :-1, :-1]} == {
            table.tobytes() for table in expected
        }


def test_without_other_tables_that_lead_to_a_pattern_the_next_one_is_used():
    result = suppressed(TABLE, seed=1, non_hierarchical=["Row", "Column"])
    sums = np.stack(
        [attack.with_totals(cell).ravel() for cell in np.eye(9, dtype=int).reshape(9, 3, 3)], axis=1
    )

    def small(tables):
        flags = (tables > 0) & (tables < 3)
        flags[..., -1] = False
        return flags

    hidden = np.zeros((4, 4), dtype=bool)
    hidden[np.ix_([0, 1], [0, 2])] = True
    for answer in (True, False):
        assert is_certified(result.problem, hidden.ravel(), sums, small, lambda _, a=answer: a) == answer


def test_the_last_pattern_suppresses_everything_except_zeros_and_the_grand_total(monkeypatch):
    monkeypatch.setattr("sdcwidgets.methods.suppressing.is_certified", lambda *_: False)
    pattern = suppressed(TABLE, seed=1).pattern.suppressed
    assert pattern[:-1].all()
    assert not pattern[-1]


def test_the_closest_rounding_narrows_intervals_and_a_chosen_one_does_not():
    counts = np.array([[7, 6], [3, 1]])
    assert attack.narrow_intervals(counts, "optimal", 0)[0] > 0
    assert attack.narrow_intervals(counts, "secret", 1)[0] == 0


def test_the_attack_enumerates_every_table_that_fits():
    published = np.array([[np.nan, np.nan, 5], [np.nan, np.nan, 6], [4, 7, 11]])
    tables = attack.tables_that_fit(published)
    assert sorted(table[0, 0] for table in tables) == [1, 2, 3]
    for table in tables:
        known = ~np.isnan(published)
        np.testing.assert_array_equal(attack.with_totals(table)[known], published[known])


@pytest.mark.parametrize("method", [CellSuppression(), ControlledRounding(), CellSuppression(cost="cell")])
def test_the_same_secret_gives_the_same_result_and_others_give_others(method):
    drawn = [method.cells(TABLE, secret) for secret in range(12)]
    assert len({array.tobytes() for array in drawn}) > 1
    for secret, cells in enumerate(drawn):
        rng = np.random.default_rng(secret)
        rng.random(3)  # what was drawn before does not matter
        np.testing.assert_array_equal(method.replicate(TABLE, 2, rng)[1], cells)
        np.testing.assert_array_equal(method.release(TABLE, secret).cells, cells)


@pytest.mark.parametrize("shape", one_of(3, [((3, 4),), ((5, 5),), ((2, 3, 3),)]))
def test_every_chosen_pattern_protects_as_asked(shape):
    counts = np.random.default_rng(4).poisson(3, shape)
    for secret in range(6):
        gaps = suppressed(FrequencyTable(counts), seed=secret)
        assert gaps.pattern.suppressed[gaps.problem.primary].all()
        assert failures(gaps.problem, gaps.pattern.suppressed) == []
        primary = gaps.problem.primary
        assert primary.any()
        assert (gaps.pattern.upper - gaps.pattern.lower)[primary].min() >= 2
        assert not gaps.pattern.suppressed[-1]


def test_two_patterns_of_one_table_disclose_counts_so_a_lost_secret_is_warned_of(tmp_path, capsys):
    drawn = [CellSuppression().cells(TABLE, secret) for secret in range(12)]
    # What one of them hides another one shows.
    hidden = np.isnan(drawn)
    assert (hidden.any(axis=0) & ~hidden.all(axis=0)).any()
    with pytest.warns(UserWarning, match="not stored"):
        protect(TABLE, "cell-suppression")
    path = tmp_path / "table.csv"
    path.write_text("Area,x,y,z\nA,1,9,8\nB,7,20,5\nC,6,5,30\n", "utf-8")
    arguments = ["protect", str(path), "--method", "cell-suppression"]
    assert main(arguments) == 0
    assert "different results" in capsys.readouterr().err
    outputs = []
    for _ in range(2):
        assert main([*arguments, "--seed", str(2**100 + 7)]) == 0
        captured = capsys.readouterr()
        assert "different results" not in captured.err
        outputs.append(captured.out)
    assert outputs[0] == outputs[1]


def test_a_table_without_small_counts_has_no_decoys():
    for secret in range(10):
        assert not CellSuppression().pattern(FrequencyTable([[5, 6], [7, 8]]), secret).suppressed.any()


@pytest.mark.slow
def test_a_pattern_that_no_other_table_leads_to_is_replaced():
    """The cheapest pattern is a ring that leaves two tables; a chosen one leaves several for each count."""
    counts = np.array([[3, 2, 7, 0], [3, 5, 0, 3], [0, 5, 3, 1], [13, 10, 2, 2]])
    assert attack.exact_cells(counts, "optimal", 0)[0] >= 2
    assert attack.exact_cells(counts, "secret", 40036)[0] == 0
