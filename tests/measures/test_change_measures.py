"""Losses for analyses: what they are of a known change."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, assess, examples, measures, methods
from sdcwidgets.assessment.replications import Run
from sdcwidgets.measures import Batch
from sdcwidgets.measures.settings import Settings

TABLE = FrequencyTable([[4, 6], [10, 0], [5, 5]], {"Area": "abc", "Sex": "mf"})


def value(name, published, **settings):
    return measures.get(name)(**settings).values(Batch(TABLE, np.array([published])))[0, 0]


def test_totals_and_sub_totals():
    published = [[6, 6], [9, 0], [6, 6]]
    assert value("total_distance", published) == 3
    assert value("subtotal_distance", published, along="Area") == pytest.approx((2 + 1 + 2) / 3)
    assert value("subtotal_distance", published, along="Sex") == pytest.approx((2 + 1) / 2)
    assert value("subtotal_distance", published) == pytest.approx((2 + 1 + 2) / 3)


@pytest.mark.parametrize(
    "method",
    [
        methods.get("cell-key")(D=3, V=1.0),
        methods.get("random-rounding")(base=5, margins="own"),
        methods.get("threshold-suppression")(threshold=4),
        methods.get("cell-suppression")(threshold=4),
        methods.get("random-rounding")(base=5),
    ],
    ids=["cell-key", "own", "threshold", "cell-suppression", "sums"],
)
def test_totals_are_compared_as_they_are_published(method):
    religion = examples.load("religion")
    wanted = [measures.get("total_distance")(), measures.get("subtotal_distance")(along="Area")]
    run = Run(religion, method, Settings(seed=4, replications=400), wanted)
    run.draw(1 if method.deterministic else 7)
    run.draw()
    found = run.result()
    rng = np.random.default_rng(9)
    sums, apart = religion.counts.sum(axis=1), []
    for _ in range(1 if method.deterministic else 200):
        release = method.release(religion, rng)
        margin = release.marginal("Area")
        margin = np.where(np.isnan(margin), release.spread(religion).sum(axis=1), margin)
        apart.append((abs(float(release.marginal()) - religion.total), np.abs(margin - sums).mean()))
    means = np.mean(apart, axis=0)
    error = np.std(apart, axis=0) / np.sqrt(len(apart)) + 1e-9
    for measure, mean, sigma in zip(wanted, means, error, strict=True):
        assert abs(found.draws[measure].mean() - mean) < 5 * sigma + 1e-9
        # The draw that is looked at says what its own release publishes.
        shown, first = run.stored(0), float(found.draws[measure][0])
        assert float(measure.values(shown)[0, 0]) == pytest.approx(first)
        whole = float(measure.values(Batch.of_release(religion, found.first))[0, 0])
        assert whole == pytest.approx(first)
    again = Run(religion, method, Settings(seed=4, replications=400), wanted)
    again.draw()
    for measure in wanted:
        np.testing.assert_array_equal(again.result().draws[measure], found.draws[measure])


def test_rows_that_are_made_alike_lose_all_that_they_explained():
    alike = [[5, 5], [5, 5], [5, 5]]
    assert value("between_variance", alike) == 1
    assert value("chi_squared", alike) == 1
    before = measures.get("explained_variance")().values(Batch(TABLE, np.array([alike])))[0, 0]

    assert before > 0.2


def test_random_rounding_is_tested_and_other_methods_are_not():
    religion = examples.load("religion")
    fair = methods.get("random-rounding")(base=3).replicate(religion, 400, np.random.default_rng(1))
    p = measures.get("rounding_probabilities")().values(Batch(religion, fair))[:, 0]
    assert (p < 0.05).mean() < 0.07
    down = religion.counts - religion.counts % 3
    low = measures.get("rounding_probabilities")().values(Batch(religion, down[np.newaxis]))[0, 0]
    assert low < 1e-6
    swapped = methods.get("record-swapping")().replicate(religion, 3, np.random.default_rng(1))
    assert np.isnan(measures.get("rounding_probabilities")().values(Batch(religion, swapped))).all()


@pytest.mark.parametrize("name", ["conventional-rounding", "controlled-rounding"])
def test_a_rounding_that_leaves_nothing_to_chance_is_not_tested_as_if_it_did(name):
    table, asked = examples.load("religion"), ["rounding_probabilities"]
    assert np.isnan(
        assess(table, methods.get(name)(), measures=asked).to_frame()["rounding_probabilities"][0]
    )
    by_chance = assess(table, "random-rounding", measures=asked, replications=20)
    assert by_chance.to_frame()["rounding_probabilities"][0] > 0.05


def test_counts_that_only_go_up_have_shifted():
    assert value("signed_rank", TABLE.counts) == 1
    assert value("signed_rank", TABLE.counts + 1) < 0.05
