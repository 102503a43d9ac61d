"""Releases that are adjusted afterwards so that they add up: nearest by another program, and true for readers."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from stating import stating

from sdcwidgets import InputError, methods
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.core.additive import adjusted
from sdcwidgets.core.margins import margins
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.release import made_additive
from sdcwidgets.tables.table import FrequencyTable

COUNTS = arrays(np.int64, (3, 4), elements=st.integers(0, 30))


@settings(max_examples=15, deadline=None)
@given(COUNTS, st.integers(0, 99), st.sampled_from(["cell-key", "random-rounding", "conventional-rounding"]))
def test_it_adds_up_in_multiples_and_what_a_reader_may_conclude_stays_true(counts, seed, name):
    table = FrequencyTable(counts)
    method = methods.get(name)(margins="own")
    before = method.release(table, np.random.default_rng(seed))
    base = getattr(method, "base", 1)
    widened, after = made_additive(before, base), made_additive(before, base, method.conclusions)
    assert after.additive
    for kept in after.values:
        # By value, the bounds are never wider.
        assert (after.lower[kept] >= widened.lower[kept]).all()
        assert (after.upper[kept] <= widened.upper[kept]).all()
    for kept, truth in margins(counts).items():
        assert not (after.values[kept] % base).any()
        assert (after.lower[kept] <= truth).all()
        assert (truth <= after.upper[kept]).all()
        assert (widened.lower[kept] <= truth).all()
        assert (truth <= widened.upper[kept]).all()
    if not before.additive:
        # How many figures changed follows from values that are not published, so only the largest change is stated.
        most = max(float(np.abs(after.values[kept] - before.values[kept]).max()) for kept in before.values)
        assert re.findall(r"\d+", after.notes[0]) == [f"{most:.0f}"]
        assert not any("be additive" in note for note in after.notes)


@settings(max_examples=15, deadline=None)
@given(COUNTS, st.integers(0, 99))
def test_no_table_that_adds_up_is_nearer(counts, seed):
    """Against a program in matrices of its own; of two axes its fractions are whole."""
    rng = np.random.default_rng(seed)
    noisy = {
        kept: np.maximum(sums + rng.integers(-4, 5, sums.shape), 0.0)
        for kept, sums in margins(counts).items()
    }
    found = adjusted(noisy)
    rows, columns = counts.shape
    sums = np.vstack(
        [
            np.eye(12),
            np.kron(np.eye(rows), np.ones(columns)),
            np.tile(np.eye(columns), rows),
            np.ones((1, 12)),
        ]
    )
    target = np.concatenate([noisy[kept].ravel() for kept in ((0, 1), (0,), (1,), ())])
    least = linprog(
        np.concatenate([np.zeros(12), np.ones(20)]),
        A_ub=np.block([[sums, -np.eye(20)], [-sums, -np.eye(20)]]),
        b_ub=np.concatenate([target, -target]),
    ).fun
    assert found.distance == pytest.approx(least)
    assert np.abs(sums @ found.cells.ravel() - target).sum() == pytest.approx(least)


def test_three_axes_are_within_their_gap_and_gaps_are_refused():
    counts = np.random.default_rng(1).poisson(4, (4, 5, 6))
    release = methods.get("cell-key")().release(FrequencyTable(counts), np.random.default_rng(1))
    found = adjusted(release.values)
    assert found.bound <= found.distance <= 1.02 * found.bound + 1
    table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    gaps = CellSuppression().release(table, np.random.default_rng(1))
    with pytest.raises(InputError, match="no cell"):
        made_additive(gaps)


def test_protect_adjusts_and_tells_the_cost(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(FrequencyTable(np.random.default_rng(1).poisson(9, (5, 6))).to_csv(), "utf-8")
    arguments = [
        "protect",
        str(path),
        "--method",
        "random-rounding",
        "--method-margins",
        "own",
        "--seed",
        "2",
    ]
    assert main(arguments) == 0
    assert "be additive" in capsys.readouterr().err
    assert main([*arguments, "--additive"]) == 0
    told = capsys.readouterr().err
    assert "add up:" in told
    assert "be additive" not in told


def adjusted_releases(largest):
    """Yield each release of 2 x 2 tables by rounding to base 3 that is adjusted, with all tables that lead to it."""
    method = methods.get("conventional-rounding")(base=3, margins="own")
    files, seen = {}, {}
    for counts in itertools.product(range(largest + 1), repeat=4):
        before = method.release(FrequencyTable(np.reshape(counts, (2, 2))), 1)
        key = tuple(np.concatenate([np.ravel(part) for part in before.values.values()]).tolist())
        if key not in seen:
            seen[key] = made_additive(before, 3, method.conclusions)
        after = seen[key]
        files.setdefault((after.cells.tobytes(), after.notes), (after, []))[1].append(counts)
    for after, tables in files.values():
        if "Adjusted" in "".join(after.notes):
            yield after, np.array(tables)


@pytest.mark.slow
def test_an_intruder_who_inverts_the_adjustment_infers_more_so_rules_do_not_release_it():
    closer = 0
    for reading in ("shown", "sure"):
        limits = ReleaseLimits("Panel", no_risk_limit="a test", one_cell=0, reading=reading)
        for release, tables in adjusted_releases(4):
            low = release.cell_bounds().lower
            closer += int((tables.min(axis=0) > low.ravel()).sum())
            assert (tables.min(axis=0) >= low.ravel()).all()
            verdict = judge(FrequencyTable(tables[0].reshape(2, 2)), release, limits)
            assert verdict.answer == "not yet"
            assert "inference" in {stop.kind for stop in verdict.stops}
            assert release.limitation in release.cautions
    assert closer > 0


def test_the_report_for_data_users_of_an_adjusted_table_states_its_limitation():
    release, _ = next(iter(adjusted_releases(3)))
    plain = methods.get("conventional-rounding")(base=3, margins="own").release(
        FrequencyTable([[7, 2], [4, 5]]), 1
    )
    adjusted_, stated = Report(release).conclusions, Report(plain).conclusions
    assert adjusted_[0] == stating("may infer", "narrower")
    assert adjusted_[0] not in stated
    # The report states the intervals that follow from all values together.
    lower, upper = plain.cell_bounds()
    assert f" {int((lower == upper).sum())} of 4 " in stated[0]
