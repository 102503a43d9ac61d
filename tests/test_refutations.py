"""Programs that try to refute promises of the documents from outside: by the public interface and by files alone."""

import itertools

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, protect
from sdcwidgets.cli import main

TABLE = FrequencyTable(np.random.default_rng(3).poisson(4, (6, 5)))
#: A table with so many small counts that two seeds hardly give the same result by chance.
LARGER = FrequencyTable(np.random.default_rng(4).poisson(2, (12, 8)))
SECRET = 271828182845904523536

#: Methods whose result depends on random numbers.
RANDOM = (
    "random-rounding",
    "cell-key",
    "small-cell-adjustment",
    "record-swapping",
    "stochastic-perturbation",
)


def unpublished_by_rounding(shape, base, released):
    """Return the smallest and the largest count of each cell over all tables that are rounded to the released one."""
    low, high = np.full(shape, 99), np.full(shape, -1)
    for cells in itertools.product(range(int(released.max()) + base), repeat=int(np.prod(shape))):
        counts = np.reshape(cells, shape)
        if np.array_equal(base * ((counts + base // 2) // base), released):
            low, high = np.minimum(low, counts), np.maximum(high, counts)
    return low, high


@pytest.mark.parametrize("counts", [[[1, 4], [2, 0]], [[5, 1], [3, 6]], [[0, 0], [2, 4]]])
def test_the_intervals_of_conventional_rounding_are_those_of_all_tables_that_fit(counts):
    table = FrequencyTable(counts)
    release = protect(table, "conventional-rounding", base=3)
    low, high = unpublished_by_rounding(table.shape, 3, release.cells)
    frame = release.intervals()
    assert frame["lower"].to_numpy().reshape(2, 2).tolist() == low.tolist()
    assert frame["upper"].to_numpy().reshape(2, 2).tolist() == high.tolist()


@pytest.mark.parametrize("method", RANDOM)
def test_an_intruder_who_tries_small_seeds_does_not_repeat_a_release(method):
    released = protect(LARGER, method).cells
    assert not any(np.array_equal(protect(LARGER, method, seed=seed).cells, released) for seed in range(50))
    # The attack works on a release of a small seed.
    known = protect(LARGER, method, seed=17).cells
    assert 17 in [
        seed for seed in range(50) if np.array_equal(protect(LARGER, method, seed=seed).cells, known)
    ]


@pytest.mark.parametrize("method", RANDOM)
def test_an_intruder_who_averages_outputs_of_one_secret_removes_no_noise(method):
    one = protect(TABLE, method, seed=SECRET).cells
    same = np.mean([protect(TABLE, method, seed=SECRET).cells for _ in range(8)], axis=0)
    assert np.array_equal(same, one)
    others = np.mean([protect(TABLE, method, seed=SECRET + k).cells for k in range(1, 61)], axis=0)
    # With other secrets the mean is closer to the original counts, so the attack works.
    assert np.abs(others - TABLE.counts).mean() < np.abs(one - TABLE.counts).mean()


@pytest.mark.parametrize("ending", ["csv", "xlsx", "px", "json", "sdmx.csv"])
def test_no_public_file_of_the_command_contains_the_secret(tmp_path, capsys, ending):
    source, secret = tmp_path / "table.csv", tmp_path / "secret.txt"
    source.write_text(TABLE.to_csv(), "utf-8")
    secret.write_text(str(SECRET), "utf-8")
    out, report, internal = (tmp_path / name for name in (f"out.{ending}", "report.html", "internal.html"))
    command = [
        "protect",
        str(source),
        "--method",
        "random-rounding",
        "--secret-file",
        str(secret),
        "-o",
        str(out),
    ]
    assert main([*command, "--report", str(report), "--internal-report", str(internal)]) == 0
    said = capsys.readouterr()
    for text in (out.read_bytes(), report.read_bytes(), said.out.encode(), said.err.encode()):
        assert str(SECRET).encode() not in text
    assert str(SECRET).encode() in internal.read_bytes()
