"""How long core takes, each figure as a ratio to a stated baseline in `extra_info`."""

import numpy as np

from sdcwidgets import examples
from sdcwidgets.core import assignment as who
from sdcwidgets.core.information import conditional_entropy
from sdcwidgets.core.risk import population as risk


def test_risk_terms_of_a_million_tables(record, seconds):
    """10^6 tables of 100 cells; the baseline is one numpy.log over the same array. Aim: at most 5."""
    F = np.random.default_rng(0).integers(0, 50, (1_000_000, 100))
    with np.errstate(divide="ignore"):
        baseline = seconds(lambda: np.log(F), 3)
    record(lambda: risk.terms(F, axis=1, undefined="nan"), baseline, rounds=3)


def test_risk_after_protection_of_rows_columns_and_table(record, seconds):
    """1,000 replications of a 10 x 11 table; the baseline draws the random numbers and takes one log of them.

    Both variants of R2 and the Hellinger distance of 10 rows, 11 columns and the table. Aim: well
    below 10, since the method itself has to fit in as well.
    """
    F = examples.load("travel").counts
    rng = np.random.default_rng(1)
    residual = F % 3
    G = F - residual + 3 * (rng.random((1000, *F.shape)) < residual / 3)

    def both_variants():
        for after in risk.after_slices(F, G, [1, 0, None]):
            after.r2(), after.r2(variant="uncertainty")

    record(both_variants, seconds(lambda: np.log(rng.random((1000, *F.shape))), 50), rounds=30)


def test_closed_form_of_ten_thousand_pairs(record):
    """H(X|Y) of 10^4 pairs of 100-cell tables; the baseline is the 100 ms that it may take."""
    rng = np.random.default_rng(2)
    F, G = rng.integers(1, 50, (2, 10_000, 100))
    record(lambda: conditional_entropy(F, G, axis=1), 0.1, rounds=3)


def test_a_million_assignments_enumerated_and_averaged(record):
    """Ω* of about 10^6 assignments, listed and averaged; the baseline is the 5 s that it may take."""
    F, G = [11, 11, 1, 2], [9, 2, 5, 9]
    assert 990_000 < who.count(F, G, closest=True) <= who.LIMIT
    record(lambda: who.average_channel(F, G, closest=True), 5.0, rounds=1)
