"""The printed figures of the population risk. Where print and formula differ, both are stated."""

import numpy as np
import pytest

from sdcwidgets import examples
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.risk import census
from sdcwidgets.core.risk import population as risk
from sdcwidgets.teaching import reproduction

PSD = reproduction.load("psd2014")
PRINTED = PSD["tables"]
H_ROWS = reproduction.load("h_functions")["rows"]
TABLES = tuple(PRINTED)


@pytest.mark.parametrize("name", TABLES)
def test_risk_before_protection_in_psd_2014_tables_3_to_5(name):
    F, printed = examples.load(name).counts, PRINTED[name]["R1"]
    assert risk.r1(F, axis=1).round(4).tolist() == printed["rows"]
    assert risk.r1(F, axis=0).round(4).tolist() == printed["columns"]
    assert round(float(risk.r1(F)), 4) == printed["table"]


def test_thesis_tables_a11_and_a12_reproduce_but_for_one_figure():
    """599 of the 600 figures; two of them are halves that the thesis rounds to even (0.00625 and 0.00125)."""
    functions = {"h1": lambda F, e: risk.h1(sum(F), e), "h2": lambda F, e: risk.h2(sum(F), e), "h3": risk.h3}
    figures = [
        (row["F"], row["epsilon"], name, row[name], float(h(row["F"], row["epsilon"])))
        for row in H_ROWS
        for name, h in functions.items()
    ]
    differ = [figure for figure in figures if abs(figure[3] - figure[4]) > 0.5e-4 + 1e-12]
    assert len(figures) == 600
    assert [(F, epsilon, name) for F, epsilon, name, _, _ in differ] == [([5] * 10, 0.3, "h3")]


def test_erratum_of_table_a11_states_the_value_of_the_row_above():
    fives = next(row for row in H_ROWS if row["F"] == [5] * 10 and row["epsilon"] == 0.3)
    twos = next(row for row in H_ROWS if row["F"] == [2] * 10 and row["epsilon"] == 0.3)
    assert fives["h3"] == 0.9812 == twos["h3"]
    assert round(float(risk.h3([5] * 10, 0.3)), 4) == 0.9150


def test_worked_example_of_psd_2014():
    printed = PSD["worked example"]
    F, G = printed["F"], printed["G"]
    assert (F, G) == ([0, 2, 4], [0, 3, 3])
    assert risk.terms(F).round(4).tolist() == printed["terms"] == [0.3333, 0.4206, 0.7740]
    assert round(float(hellinger(F, G)), 4) == printed["HD"] == 0.2940


def rounded_to_3(F, size, seed):
    residual = F % 3
    up = np.random.default_rng(seed).random((size, *F.shape)) < residual / 3
    return F - residual + 3 * up


def test_risk_after_rounding_in_the_sex_table_follows_the_uncertainty_variant():
    """Table 4 prints PSD 2014's own second term; with the thesis' the rows would be up to twice as high."""
    F, printed = examples.load("sex").counts, PRINTED["sex"]["R2"]
    rows, columns, table = risk.after_slices(F, rounded_to_3(F, 1000, 1), [1, 0, None])
    assert rows.r2(variant="uncertainty").mean(axis=0) == pytest.approx(
        printed["rows"]["random_rounding"], abs=1.5e-4
    )
    assert columns.r2(variant="uncertainty").mean(axis=0) == pytest.approx(
        printed["columns"]["random_rounding"], abs=1.5e-4
    )
    assert table.r2(variant="uncertainty").mean() == pytest.approx(
        printed["table"]["random_rounding"], abs=1e-4
    )
    assert rows.r2().mean(axis=0)[9] == pytest.approx(0.0527, abs=5e-4)
    assert printed["rows"]["random_rounding"][9] == 0.0254


def test_a_column_of_ones_follows_the_uncertainty_variant():
    """Travel, column 4, rounded: the expectation over its 2^5 outcomes; the print is a mean of 1,000."""
    F = examples.load("travel").counts[:, 3]
    ups = np.indices((2,) * 5).reshape(5, -1).T
    G = np.zeros((32, 10), dtype=int)
    G[:, F == 1] = 3 * ups
    probability = np.prod(np.where(ups, 1 / 3, 2 / 3), axis=1)
    R2 = risk.r2(F, G, variant="uncertainty", axis=-1)
    mean = probability @ R2
    error = np.sqrt(probability @ (R2 - mean) ** 2 / 1000)
    printed = PRINTED["travel"]["R2"]["columns"]["random_rounding"][3]
    assert (round(float(mean), 4), printed) == (0.2839, 0.2868)
    assert abs(mean - printed) < 2 * error


@pytest.mark.parametrize(
    ("name", "printed", "uncertainty", "information"),
    [("travel", 0.0295, 0.0265, 0.18), ("religion", 0.0327, 0.0306, 0.21)],
)
def test_discrepancy_of_the_whole_tables_after_rounding(name, printed, uncertainty, information):
    """Neither printed second term gives the printed figure: the print lies between the two."""
    F = examples.load(name).counts
    (table,) = risk.after_slices(F, rounded_to_3(F, 1000, 3))
    found = table.r2(variant="uncertainty").mean(), table.r2().mean()
    assert PRINTED[name]["R2"]["table"]["random_rounding"] == printed
    assert found == (pytest.approx(uncertainty, abs=2e-4), pytest.approx(information, abs=5e-3))
    assert found[0] < printed - 1e-3 < printed + 0.1 < found[1]


@pytest.mark.parametrize("name", TABLES)
def test_hellinger_distance_after_rounding_in_psd_2014(name):
    F, printed = examples.load(name).counts, PRINTED[name]["HD"]
    slicings = risk.after_slices(F, rounded_to_3(F, 1000, 4), [1, 0, None])
    for after, where in zip(slicings, ("rows", "columns", "table"), strict=True):
        HD = after.hellinger
        # Two means of 1,000 replications each, and a printed figure of four decimals.
        error = HD.std(axis=0) * np.sqrt(2 / 1000)
        wanted = printed[where]["random_rounding"]
        assert np.all(np.abs(HD.mean(axis=0) - wanted) <= 4 * error + 1e-4)


@pytest.mark.parametrize(("n", "printed", "found"), [(245, 0.1697, 0.1695), (122, 0.1535, 0.1533)])
def test_original_risk_of_samples_in_the_sample_paper_table_2(n, printed, found):
    """Sample paper, Table 2, real table, fractions 0.1 and 0.05: its second term is the thesis'."""
    F = examples.load("religion").counts.ravel()
    samples = np.random.default_rng(5).multivariate_hypergeometric(F, n, size=4000)
    (table,) = risk.after_slices(F, samples)
    assert table.r2().mean() == pytest.approx(found, abs=3e-4)
    assert table.r2().mean() == pytest.approx(printed, abs=6e-4)
    if n == 245:
        assert table.r2(variant="uncertainty").mean() == pytest.approx(0.060, abs=1e-3)


@pytest.mark.parametrize("name", TABLES)
def test_census_measures_of_rounding_in_psd_2014_table_6(name):
    """All are printed as 0: no row or column has so few populated cells, and no 1 or 2 is left."""
    F = examples.load(name).counts
    G = rounded_to_3(F, 50, 6)
    for axis in (0, 1):
        for measure in (census.gad(F, G, axis), census.wgad(F, G, axis)):
            assert not measure.value.any()
            assert not measure.cases.any()
    assert not np.isin(G, (1, 2)).any()
