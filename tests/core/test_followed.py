"""People followed from their original to their published cells, against simulated moves."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, examples, methods
from sdcwidgets.core.followed import PersonTransition, followed_people
from sdcwidgets.core.information import conditional_entropy, entropy

THREE_WAY = FrequencyTable(
    np.random.default_rng(1).integers(0, 6, (3, 2, 4)), {"area": "ABC", "sex": "fm", "job": "wxyz"}
)
ONE_LARGE = FrequencyTable([[40, 45], [3, 4], [2, 1]], {"area": "ABC", "sex": "fm"})
RELIGION = examples.load("religion")
SWAPPED = methods.get("record-swapping")(rate=0.1, axis="Area")


def simulated(table, method, replicates=3000):
    """Return the mean number of people of each cell who are published in each cell."""
    before, after = method.moves(table, replicates, np.random.default_rng(5))
    moved = np.zeros((table.cells, table.cells))
    np.add.at(moved, (before.ravel(), after.ravel()), 1 / replicates)
    np.fill_diagonal(moved, 0)
    return moved + np.diag(table.counts.ravel() - moved.sum(axis=1))


def entropy_left(moved):
    """Return H(X|Y) of numbers of people by original and published cell."""
    shares = moved / moved.sum()
    published = shares.sum(axis=0)
    some = shares > 1e-12
    logs = np.log(np.divide(shares, published, out=np.ones_like(shares), where=some))
    return -(shares * logs).sum()


@pytest.mark.parametrize(
    ("table", "method"),
    [
        (THREE_WAY, methods.get("record-swapping")(rate=0.2, axis="area")),
        (THREE_WAY, methods.get("record-swapping")(rate=0.5, axis="area", strata=("sex",))),
        (THREE_WAY, methods.get("record-swapping")(rate=0.3, axis="sex", strata=("area", "job"))),
        (ONE_LARGE, methods.get("record-swapping")(rate=0.5, axis="area")),
        (THREE_WAY, methods.get("post-randomisation")(redrawn=0.3, axis="job")),
        (ONE_LARGE, methods.get("post-randomisation")(matrix=[[0.9, 0.1], [0.3, 0.7]], axis="sex")),
    ],
)
def test_the_probabilities_are_the_shares_of_simulated_moves(table, method):
    axis, probabilities = method.person_transition(table)
    np.testing.assert_allclose(probabilities.sum(axis=2), 1)
    lines = np.moveaxis(np.arange(table.cells).reshape(table.shape), axis, -1).reshape(-1, table.shape[axis])
    expected = np.zeros((table.cells, table.cells))
    for number, line in enumerate(lines):
        shares = probabilities[number % len(probabilities)] if len(probabilities) > 1 else probabilities[0]
        expected[np.ix_(line, line)] = shares * table.counts.ravel()[line][:, np.newaxis]
    moved = simulated(table, method)
    # In strata of two or five people, expected numbers of free people are an approximation.
    assert np.abs(expected - moved).sum() < 0.04 * table.total
    followed = followed_people(table.counts, method.person_transition(table))
    assert followed.entropy_left[0] == pytest.approx(entropy_left(expected), abs=1e-12)
    assert followed.stayed[0] == pytest.approx(np.trace(expected) / table.total)


def test_religion_with_one_in_ten_swapped_is_0_527():
    followed = followed_people(RELIGION.counts, SWAPPED.person_transition(RELIGION))
    assert followed.entropy_left[0] == pytest.approx(0.527, abs=5e-4)
    assert followed.entropy_left[0] == pytest.approx(
        entropy_left(simulated(RELIGION, SWAPPED, 500)), abs=2e-3
    )
    lost = followed.entropy_left[0] / entropy(RELIGION.counts)
    assert lost == pytest.approx(0.155, abs=1e-3)
    # The closest table alone explains much less.
    published = SWAPPED.replicate(RELIGION, 300, np.random.default_rng(1)).reshape(300, -1)
    closest = np.mean([conditional_entropy(RELIGION.counts.ravel(), counts) for counts in published])
    assert closest == pytest.approx(0.122, abs=2e-3)
    assert closest / entropy(RELIGION.counts) == pytest.approx(0.0355, abs=1e-3)


@pytest.mark.parametrize("axis", [0, 1])
def test_people_who_leave_a_slice_have_one_value(axis):
    transition = SWAPPED.person_transition(RELIGION)
    followed = followed_people(RELIGION.counts, transition, axis)
    moved = np.zeros((RELIGION.cells, RELIGION.cells))
    for column in range(RELIGION.shape[1]):
        line = np.arange(RELIGION.shape[0]) * RELIGION.shape[1] + column
        counts = RELIGION.counts[:, column][:, np.newaxis]
        moved[np.ix_(line, line)] = transition.probabilities[0] * counts
    places = np.arange(RELIGION.cells).reshape(RELIGION.shape)
    for number in range(RELIGION.shape[axis]):
        cells = np.take(places, number, axis=axis)
        inside = moved[np.ix_(cells, cells)]
        left = np.maximum(moved[cells].sum(axis=1) - inside.sum(axis=1), 0)
        of_slice = np.column_stack([inside, left])
        assert followed.entropy_left[number] == pytest.approx(entropy_left(of_slice), abs=1e-9)
        assert followed.stayed[number] == pytest.approx(np.trace(inside) / inside.sum(), rel=0.2)


def test_wrong_shapes_and_empty_slices():
    transition = PersonTransition(0, np.array([[[0.9, 0.1], [0.1, 0.9]]]))
    with pytest.raises(ValueError, match="shape"):
        followed_people([[1, 2], [3, 4], [5, 6]], transition)
    followed = followed_people([[1, 0], [3, 0]], transition, 1)
    assert np.isnan(followed.entropy_left).tolist() == [False, True]
    assert np.isnan(followed.stayed).tolist() == [False, True]


def test_methods_without_known_probabilities():
    assert methods.get("targeted-record-swapping")().person_transition(RELIGION) is None
    assert methods.get("random-rounding")().person_transition(RELIGION) is None
    nobody = FrequencyTable([[0, 0], [0, 0]])
    assert methods.get("record-swapping")().person_transition(nobody) is None
    assert methods.get("post-randomisation")().person_transition(nobody) is None
