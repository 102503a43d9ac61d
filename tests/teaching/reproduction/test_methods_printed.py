"""The printed figures of PSD 2014 that depend on a protection method: HD and R2 of Tables 3 to 5, DR of 6.

HD and DR reproduce in full. R2 reproduces with the paper's own second term for the table by sex and for
columns of ones and twos; elsewhere the print lies between the two formulas, and both figures are stated.
"""

import numpy as np
import pytest

from sdcwidgets import assess, examples, methods
from sdcwidgets.core.information import hellinger
from sdcwidgets.measures.census import GADStar, WGADStar
from sdcwidgets.teaching import reproduction

PSD = reproduction.load("psd2014")["tables"]
METHODS = {
    "random_rounding": methods.get("random-rounding")(base=3),
    "record_swapping": methods.get("record-swapping")(rate=0.1, axis="Area"),
}
OURS, THEIRS = 4000, 1000
PARTS = {"rows": 2, "columns": 1, "table": (1, 2)}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["travel", "sex", "religion"])
def test_hellinger_distances_of_tables_3_to_5(name, method, part):
    table, printed = examples.load(name), np.array(PSD[name]["HD"][part][method])
    drawn = METHODS[method].replicate(table, OURS, np.random.default_rng(2014))
    distances = hellinger(table.counts, drawn, axis=PARTS[part])
    # Both means are of draws; half a unit of the last printed digit comes on top.
    error = distances.std(axis=0) * np.sqrt(1 / OURS + 1 / THEIRS)
    assert (np.abs(distances.mean(axis=0) - printed) <= 4 * error + 0.5e-4).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["travel", "sex", "religion"])
def test_census_measures_of_table_6(name, method):
    table, printed = examples.load(name), PSD[name]["DR"][method]
    after = assess(table, METHODS[method], replications=OURS, seed=6).after
    ratio = after.small_ratio
    # Rounding publishes no one and no two, and the sexes have none: 0 of 0 is printed as 0.
    assert np.isnan(ratio.mean) == (method == "random_rounding" or name == "sex")
    assert printed == 0 if np.isnan(ratio.mean) else agrees(ratio, printed)
    # No row or column has one populated cell, or two with a 1 among them: all of GAD and WGAD is printed 0.
    for part, axis in zip(("rows", "columns"), table.axes, strict=True):
        assert PSD[name]["GAD"][method][part] == PSD[name]["WGAD"][method][part] == 0
        assert np.isnan(after.whole_slice[GADStar(axis.name)].mean)
        assert np.isnan(after.whole_slice[WGADStar(axis.name)].mean)


def agrees(estimate, printed):
    """Whether a printed mean of 1,000 draws is within 4 errors of ours, and half of its last digit."""
    error = estimate.error * np.sqrt(1 + OURS / THEIRS)
    return np.abs(estimate.mean - printed) <= 4 * error + 0.5e-4


@pytest.mark.parametrize("method", METHODS)
def test_r2_of_table_4_follows_the_uncertainty_variant(method):
    after = assess(examples.load("sex"), METHODS[method], replications=OURS, seed=4).after
    printed = PSD["sex"]["R2"]
    assert agrees(after.slices["Area"]["r2_uncertainty"], printed["rows"][method]).all()
    assert agrees(after.slices["Sex"]["r2_uncertainty"], printed["columns"][method]).all()
    assert agrees(after.whole_slice["r2_uncertainty"], printed["table"][method]).all()
    assert not agrees(after.whole_slice.r2, printed["table"][method]).any()


@pytest.mark.parametrize(
    ("name", "method", "columns"),
    [
        ("travel", "random_rounding", [4, 7]),
        ("travel", "record_swapping", [4]),
        ("religion", "random_rounding", [2, 4, 7]),
        ("religion", "record_swapping", [7]),
    ],
)
def test_r2_of_small_columns_follows_the_uncertainty_variant(name, method, columns):
    table, which = examples.load(name), np.array(columns) - 1
    after = assess(table, METHODS[method], replications=OURS, seed=5).after.slices[table.columns.name]
    printed = np.array(PSD[name]["R2"]["columns"][method])
    assert agrees(after["r2_uncertainty"], printed)[which].all()
    assert not agrees(after.r2, printed)[which].any()


@pytest.mark.parametrize(
    ("name", "method", "printed", "uncertainty", "information"),
    [
        ("travel", "random_rounding", 0.0295, 0.0265, 0.1833),
        ("travel", "record_swapping", 0.0372, 0.0344, 0.1886),
        ("religion", "random_rounding", 0.0327, 0.0306, 0.2137),
        ("religion", "record_swapping", 0.0377, 0.0357, 0.2158),
    ],
)
def test_r2_of_tables_3_and_5_is_printed_between_the_two_formulas(
    name, method, printed, uncertainty, information
):
    r2 = assess(examples.load(name), METHODS[method], replications=OURS, seed=7).after.whole_slice
    assert PSD[name]["R2"]["table"][method] == printed
    assert r2["r2_uncertainty"].mean[0] == pytest.approx(uncertainty, abs=3e-4)
    assert r2["r2"].mean[0] == pytest.approx(information, abs=3e-4)
    assert not agrees(r2["r2_uncertainty"], printed)[0]
    assert not agrees(r2["r2"], printed)[0]
