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


#: Settings with much noise, so that two independent results hardly agree by chance.
NOISY = {
    "random-rounding": {"base": 20},
    "cell-key": {"D": 15, "V": 40.0},
    "barnardisation": {"p": 0.4},
    "post-randomisation": {},
    "simple-random-sampling": {"fraction": 0.5},
}


def errors_of_difference(method, settings, seeds):
    """Return the errors of an intruder who takes the difference of two published tables as the original one.

    The tables of two years differ in one column.
    """
    rng = np.random.default_rng(8)
    last = rng.poisson(60, (12, 8))
    this = last + np.where(np.arange(8) == 2, rng.poisson(9, (12, 8)), 0)
    one, other = (
        protect(FrequencyTable(counts), method, seed=seed, **settings).cells
        for counts, seed in zip((last, this), seeds, strict=True)
    )
    return np.abs((other - one) - (this - last))


@pytest.mark.parametrize("method", NOISY)
def test_an_intruder_with_two_tables_of_one_secret_has_no_exact_difference(method):
    settings = NOISY[method]
    same = errors_of_difference(method, settings, (SECRET, SECRET))
    independent = [
        errors_of_difference(method, settings, (SECRET + 2 * k, SECRET + 2 * k + 1)) for k in range(8)
    ]
    # One secret protects the difference as well as two secrets do.
    assert same.mean() > 0.7 * np.mean(independent)
    assert (same == 0).mean() < np.mean([(errors == 0).mean() for errors in independent]) + 0.1


def test_the_difference_is_exact_for_one_small_seed():
    """The attack works: a small seed, which is for teaching, is not mixed with the counts."""
    errors = errors_of_difference("cell-key", NOISY["cell-key"], (17, 17))
    assert (errors == 0).mean() > 0.9


def test_the_same_table_settings_and_secret_give_the_same_release():
    for method in RANDOM:
        one, other = (protect(LARGER, method, seed=SECRET) for _ in range(2))
        assert all(np.array_equal(one.values[axes], other.values[axes]) for axes in one.values)
    one, other = (protect(LARGER, "cell-key", seed=SECRET, margins=margins) for margins in ("own", "sums"))
    assert np.array_equal(one.cells, other.cells)
    # Other labels do not give new noise, which could be averaged away.
    renamed = FrequencyTable(LARGER.counts, {"Area": [f"a{i}" for i in range(12)], "Kind": list("abcdefgh")})
    assert np.array_equal(
        protect(LARGER, "cell-key", seed=SECRET).cells, protect(renamed, "cell-key", seed=SECRET).cells
    )


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
