"""With the reading "sure", a verdict depends on the published table only, so that its answer discloses nothing."""

import itertools

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge

METHODS = {
    "conventional-rounding": {},
    "random-rounding": {},
    "random-rounding margins": {"margins": "own"},
    "controlled-rounding": {},
    "semi-controlled-rounding": {},
    "small-cell-adjustment": {},
    "cell-suppression": {},
    "threshold-suppression": {},
    "barnardisation": {},
    "stochastic-perturbation": {},
    "record-swapping": {"rate": 0.3},
    "post-randomisation": {},
    "cell-key": {"D": 2, "V": 1.0},
    "simple-random-sampling": {"fraction": 0.7},
}


def tables_that_fit(release, most=400):
    """Return original tables that agree with a release, at most so many, chosen at random."""
    low, high = (np.asarray(side).astype(int) for side in release.cell_bounds())
    high = np.minimum(high, low + 6)
    ranges = [range(a, b + 1) for a, b in zip(low.ravel(), high.ravel(), strict=True)]
    tables = np.array(list(itertools.islice(itertools.product(*ranges), 60_000)))
    tables = tables.reshape(-1, *release.shape)
    for margin in release.values:
        gone = tuple(k + 1 for k in range(release.ndim) if k not in margin)
        sums = tables.sum(axis=gone)
        fits = (sums >= release.lower[margin]) & (sums <= release.upper[margin])
        tables = tables[fits.reshape(len(tables), -1).all(axis=1)]
    rng = np.random.default_rng(1)
    return tables[rng.permutation(len(tables))[:most]]


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("all_but_one", [1, 3])
def test_the_answer_is_the_same_for_all_tables_that_fit(name, all_but_one):
    rng = np.random.default_rng(7)
    limits = ReleaseLimits("Panel", smallest_count=3, all_but_one=all_but_one, reading="sure")
    judged = 0
    while judged < 3:
        counts = rng.choice([0, 0, 1, 2, 3, 6], (2, int(rng.integers(2, 4))))
        if counts.sum() < 3:
            continue
        table = FrequencyTable(counts)
        try:
            release = methods.get(name.split()[0])(**METHODS[name]).release(
                table, 3**60 + int(rng.integers(2**40))
            )
        except InputError:
            continue
        judged += 1
        answer = judge(table, release, limits).answer
        others = tables_that_fit(release, 12)
        assert {judge(FrequencyTable(one), release, limits).answer for one in others} <= {answer}


@pytest.mark.parametrize(
    ("shape", "least"), [((14, 2), {"one_cell": 1}), ((2, 2), {"one_cell": 0, "all_but_one": 1})]
)
def test_sums_of_cell_keys_give_the_same_answer_for_all_tables(shape, least):
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 6, shape)
    counts[:, 1] = 1
    table = FrequencyTable(counts)
    release = protect(table, "cell-key", seed=3**60, cell_keys="plain", D=2, V=1.0)
    limits = ReleaseLimits("Panel", no_risk_limit="a test", reading="sure", **least)
    empty = counts.copy()
    empty[:, 1] = 0
    for original in (counts, empty):
        verdict = judge(FrequencyTable(original), release, limits)
        assert verdict.answer == "not yet"
        assert "inference: sums of cell keys" in {stop.name for stop in verdict.stops}
    mixed = protect(table, "cell-key", seed=3**60, D=2, V=1.0)
    assert "inference" not in {stop.kind for stop in judge(table, mixed, limits).stops}
    shown = ReleaseLimits("Panel", no_risk_limit="a test", reading="shown", **least)
    assert "inference" not in {stop.kind for stop in judge(table, release, shown).stops}


def test_small_tables_with_sums_of_cell_keys_get_the_answer_of_the_published_table():
    limits = ReleaseLimits("Panel", no_risk_limit="a test", one_cell=1, reading="sure")
    release = protect(FrequencyTable([[3, 1], [2, 4]]), "cell-key", seed=3**60, cell_keys="plain", D=1, V=0.5)
    answers = {judge(FrequencyTable(one), release, limits).answer for one in tables_that_fit(release, 10)}
    assert len(answers) == 1


@pytest.mark.parametrize(("people", "is_violation"), [(2, False), (3, True), (4, True)])
def test_the_minimum_number_of_people_is_included(people, is_violation):
    table = FrequencyTable([[people, 0, 0], [20, 30, 40]])
    verdict = judge(table, None, ReleaseLimits("Panel", no_risk_limit="a test", one_cell=3))
    groups = {
        kind: [stop.people for stop in stops if stop.kind == "one-cell"]
        for kind, stops in (("violations", verdict.stops), ("reported", verdict.reported))
    }
    assert (people in groups["violations"], people in groups["reported"]) == (is_violation, not is_violation)
