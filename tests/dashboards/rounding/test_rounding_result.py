"""The rounding lab: the handbook's tables, laws of the four roundings, the solver's runs, links and refusals."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets import FrequencyTable, InputError, examples
from sdcwidgets.core import controlled as core
from sdcwidgets.core.margins import margins
from sdcwidgets.dashboards.rounding import result as rounding
from sdcwidgets.dashboards.rounding.result import compute, improve
from sdcwidgets.dashboards.rounding.state import METHODS, RoundingState
from sdcwidgets.methods.rounding import protection_interval
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.widgets.page_state.links import decode, encode

HANDBOOK = RoundingState.of_example("handbook-5-18")


def by_name(found):
    return {one.name: one for one in found.roundings}


def last(state):
    """The lab after all runs of the solver."""
    first = compute(state)
    return [first, *improve(state, first)][-1]


def test_table_5_19_is_conventional_rounding():
    release = by_name(compute(HANDBOOK))["conventional"].release
    assert release.cells.tolist() == [[0, 0], [5, 5], [10, 20]]
    # The third is printed 35; the nearest multiple of 5 to 32 is 30.
    assert release.marginal("Area").tolist() == [0, 5, 30]
    assert release.marginal("Sex").tolist() == [15, 25]
    assert release.marginal() == 40


def test_table_5_20_is_one_of_the_random_roundings():
    """Each printed number is drawn now and then; cells and totals are drawn one by one."""
    printed = {
        (0, 1): [[0, 0], [5, 0], [10, 20]],
        (0,): [0, 5, 35],
        (1,): [15, 20],
        (): 40,
    }
    seen = {kept: np.zeros(np.shape(array), dtype=bool) for kept, array in printed.items()}
    for draw in range(1, 41):
        release = by_name(compute(HANDBOOK.rounded(draw=draw)))["random"].release
        for kept, array in printed.items():
            seen[kept] |= np.asarray(release.values[kept]) == array
    assert all(flags.all() for flags in seen.values())


def test_table_5_21_adds_up_but_a_closer_one_exists():
    found = by_name(last(HANDBOOK))["controlled"]
    assert (found.distance, found.nonadditive) == (18, 0)
    printed = margins(examples.load("handbook-5-21").counts)
    truth = margins(HANDBOOK.table.counts)
    assert sum(np.abs(printed[kept] - truth[kept]).sum() for kept in truth) == 22


def test_the_handbooks_interval():
    state = HANDBOOK.rounded(base=5, steps=1, published=15)
    assert compute(state).interval == (6, 24)
    assert compute(HANDBOOK.rounded(published=0)).interval == (0, 4)
    assert compute(HANDBOOK.rounded(published=16)).published == 15


@settings(max_examples=15, deadline=None)
@given(
    counts=arrays(np.int64, st.sampled_from([(3, 4), (2, 2, 3)]), elements=st.integers(0, 30)),
    base=st.integers(2, 9),
    draw=st.integers(1, 50),
)
def test_true_counts_are_inside_of_what_a_reader_concludes(counts, base, draw):
    table = FrequencyTable(counts)
    state = RoundingState(table).rounded(base=base, steps=1, draw=draw)
    found = last(state)
    truth = margins(counts)
    for one in (*found.roundings, found.chosen_by_secret):
        for kept, values in one.release.values.items():
            assert (values % base == 0).all()
            assert (one.release.lower[kept] <= truth[kept]).all()
            assert (truth[kept] <= one.release.upper[kept]).all()
        assert one.distance == sum(np.abs(one.release.values[kept] - truth[kept]).sum() for kept in truth)
    assert by_name(found)["controlled"].nonadditive == 0
    assert found.chosen_by_secret.nonadditive == 0
    # Each total of the conventional and the random rounding is rounded by itself; the semi-controlled adds up.
    assert by_name(found)["semi-controlled"].nonadditive == 0
    value = int(by_name(found)["controlled"].release.cells.flat[0])
    low, high = compute(state.rounded(published=value)).interval
    assert low <= counts.flat[0] <= high


def test_runs_get_closer_and_the_bound_never_passes_them():
    table = FrequencyTable(np.random.default_rng(1).poisson(2, (6, 5, 5)))
    found = last(RoundingState(table).rounded(base=3))
    assert found.runs
    assert max(run.bound for run in found.runs) <= min(run.distance for run in found.runs) + 1e-6
    assert found.roundings[-1].distance == min(run.distance for run in found.runs)
    # No run is target_gap for what the one before has reached.
    assert all(after.target_gap < before.gap for before, after in pairwise(found.runs))
    best = core.controlled(table.counts, 3, gap=0.0)
    if found.runs[-1].gap <= 1e-9:
        assert found.roundings[-1].distance == best.distance


def test_rapid_stands_in_where_no_run_finds_anything(monkeypatch):
    monkeypatch.setattr(rounding, "MOST_ENTRIES", 3)
    found = last(HANDBOOK)
    assert found.rapid
    assert found.runs == ()
    assert found.roundings[-1].release.cells.tolist() == [[0, 0], [5, 5], [10, 20]]
    assert found.roundings[-1].nonadditive == 0


def test_no_rounding_within_k_steps_offers_one_more():
    counts = np.zeros((2, 2, 2), dtype=np.int64)
    counts[0, 0, 0] = counts[0, 1, 1] = counts[1, 0, 1] = counts[1, 1, 0] = 1
    state = RoundingState(FrequencyTable(counts)).rounded(base=2, steps=1)
    assert compute(state).roundings[-1].nonadditive == 0
    with pytest.raises(InputError, match=r"Set K to 1"):
        compute(state.rounded(steps=0))


@pytest.mark.parametrize("name", sorted(examples.available()))
def test_every_example_is_rounded(name):
    found = last(RoundingState.of_example(name))
    assert [one.name for one in found.roundings] == list(METHODS)
    assert found.runs[-1].gap <= 1e-9


@pytest.mark.parametrize("state", [HANDBOOK, HANDBOOK.rounded(base=7, steps=2, draw=9, published=21)])
def test_links_bring_back_the_same(state):
    assert RoundingState.from_state(decode(encode(state))) == state


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: HANDBOOK.rounded(base=1), "a whole number from 2 to 20"),
        (lambda: HANDBOOK.rounded(steps=-1), "a whole number from 0 to 5"),
        (lambda: RoundingState(HANDBOOK.table, method="best"), "rounding method 'best'"),
        (lambda: RoundingState.from_state(HANDBOOK.to_state() | {"rounding": 3}), "damaged"),
    ],
)
def test_bad_states_are_told_in_one_sentence(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


@given(st.integers(0, 60), st.integers(2, 20), st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_ways_of_a_count_are_those_of_the_methods(count, base, steps):
    state = HANDBOOK.rounded(count=count, base=base, steps=0)
    found = replace(compute(HANDBOOK), state=state.rounded(steps=steps))
    conventional, chance, *_ = rounding.methods_of(state)
    for name, method in (("conventional", conventional), ("random", chance)):
        row = method.transition(count)[count]
        assert {a: pytest.approx(row[a]) for a in np.flatnonzero(row).tolist()} == dict(found.ways[name])
    for name, reach in (("random", 0), ("controlled", steps)):
        for published in found.ways[name]:
            low, high = protection_interval(published, base, reach)
            assert low <= count <= high
    mean = sum(place * chance for place, chance in found.ways["random"].items())
    assert mean == pytest.approx(count)


def test_a_large_table_tells_how_much_of_the_work_is_done():
    table = FrequencyTable(np.random.default_rng(1).poisson(3, (6, 6, 6, 6)))
    state = RoundingState(table, InMemorySource())
    first = compute(state)
    assert first.rapid
    assert first.work == (0, 0)
    assert first.chosen_by_secret is None
    with pytest.raises(InputError, match="No controlled"):
        replace(first, state=replace(state, method="controlled")).publishing  # noqa: B018
    seen = list(islice(improve(state, first), 12))
    done, most = zip(*(found.work for found in seen), strict=True)
    assert list(done) == list(range(12))
    assert set(most) == {core.rounds(7**4)}
    assert most[0] > 12
