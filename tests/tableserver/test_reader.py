"""What a reader takes the counts to be: nothing but the protected table goes in, and it comes near the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import methods
from sdcwidgets.core import utility
from sdcwidgets.hypercube import hypercube
from sdcwidgets.tableserver.noise import keyed_release
from sdcwidgets.tableserver.reader import expected_utility, taken_for
from sdcwidgets.tabulate import Query, Tabulator

METHODS = (
    "random-rounding",
    "cell-key",
    "barnardisation",
    "stochastic-perturbation",
    "small-cell-adjustment",
)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.sampled_from(METHODS))
def test_what_is_taken_could_have_been_published_so(counts, name):
    method = methods.get(name)()
    rng = np.random.default_rng(1)
    G = method.perturb(np.array(counts), rng.random((1, len(counts))), (np.arange(len(counts)),))[0]
    G = np.where(method.changes(np.array(counts)), G, counts)
    taken = taken_for(method, G)
    low, high = method.conclusions(G)
    assert taken.shape == G.shape
    assert np.all((taken >= low) & (taken <= high))
    np.testing.assert_array_equal(taken, taken_for(method, G))


@pytest.mark.parametrize("name", METHODS[:4])
def test_small_counts_and_utility_come_near_the_truth(name):
    data = Tabulator.open(hypercube(), count="Count", key="Key")
    found = data.tabulate(Query(("Age", "Occupation", "Education")))
    method = methods.get(name)()
    F = found.table.counts
    G = keyed_release(method, found).cells.astype(np.int64)
    taken = taken_for(method, G)
    assert expected_utility(method, G, int(F.sum())) == pytest.approx(utility.utility(F, G), abs=0.002)
    small, guessed = (np.mean((x == 1) | (x == 2)) for x in (F, taken))
    assert guessed == pytest.approx(small, abs=0.015)
