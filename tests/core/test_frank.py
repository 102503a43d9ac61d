import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.core.information import entropy
from sdcwidgets.core.risk.census import frank_bound
from sdcwidgets.core.risk.frank import entropy_lost

COUNTS = st.lists(st.integers(0, 4), min_size=1, max_size=3)


@given(COUNTS, st.floats(0.05, 0.95))
def test_by_listing_every_set_of_people(counts, chance):
    """Every prior set A and what becomes of it; the entropies of both distributions."""
    cells = np.repeat(np.arange(len(counts)), counts)
    everybody = frozenset(range(len(cells)))
    prior, posterior = {}, {}
    for flags in itertools.product([False, True], repeat=len(cells)):
        known = frozenset(np.flatnonzero(flags).tolist())
        p = chance ** len(known) * (1 - chance) ** (len(cells) - len(known))
        after = everybody if len({cells[i] for i in everybody - known}) <= 1 else known
        prior[known] = p
        posterior[after] = posterior.get(after, 0) + p
    lost = entropy(list(prior.values())) - entropy(list(posterior.values()))
    assert entropy_lost(counts, chance) == pytest.approx(lost, abs=1e-9)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=6))
def test_between_zero_and_the_bound(counts):
    lost = entropy_lost(counts, np.linspace(0, 1, 21))
    assert np.all((lost >= 0) & (lost <= frank_bound(counts) + 1e-9))
    assert lost[0] == lost[-1] == 0  # nothing is uncertain before


def test_a_table_of_one_cell_loses_everything():
    chance = np.array([0.2, 0.5])
    lost = entropy_lost([7, 0], chance)
    np.testing.assert_allclose(lost, -7 * (chance * np.log(chance) + (1 - chance) * np.log(1 - chance)))
    assert lost[1] == pytest.approx(frank_bound([7, 0]))


def test_many_people_do_not_overflow():
    lost = entropy_lost([3000, 2000, 1], [0.5, 0.999])
    assert np.all(np.isfinite(lost))
    assert 0 < lost[1] < frank_bound([3000, 2000, 1])


def test_bad_chances_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        entropy_lost([1], 1.1)
