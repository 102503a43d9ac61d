"""What a reader concludes from each kind of release is what enumerating all tables that agree with it allows."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusing import outcome

from sdcwidgets import InputError, attacks, methods
from sdcwidgets.attacks import Knowledge, TablePlacement
from sdcwidgets.core.margins import margins
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

SMALL = arrays(np.int64, (2, 2), elements=st.integers(0, 4))

#: Every table that is tried; no count of the tables that are drawn is near its end.
MOST = 16
EVERY = np.array(list(itertools.product(range(MOST), repeat=4))).reshape(-1, 2, 2)

#: One of each kind: each value rounded by itself, rounded together, known noise, gaps.
KINDS = {
    "rounded": methods.get("conventional-rounding")(base=3, margins="own"),
    "random rounding": methods.get("random-rounding")(base=3, margins="own"),
    "controlled": methods.get("controlled-rounding")(base=3),
    "perturbed": methods.get("cell-key")(D=2),
    "small counts suppressed": methods.get("threshold-suppression")(threshold=3),
    "suppressed": methods.get("cell-suppression")(width=1),
}


def agreeing(release):
    """The tables that agree with all that a reader may conclude from each published value."""
    fits = np.ones(len(EVERY), dtype=bool)
    for kept in release.values:
        sums = EVERY.sum(axis=tuple(a + 1 for a in range(2) if a not in kept))
        inside = (sums >= release.lower[kept]) & (sums <= release.upper[kept])
        fits &= inside.reshape(len(EVERY), -1).all(axis=1)
    if release.key_noise is not None:
        fits &= equal_people_have_equal_noise(release)
    return EVERY[fits]


def equal_people_have_equal_noise(release):
    """The tables in which a margin whose people are all in one of its parts is published as that part."""
    fits = np.ones(len(EVERY), dtype=bool)
    for whole, axis in (((0,), 1), ((1,), 0), ((), 0), ((), 1)):
        part = tuple(sorted((*whole, axis)))
        at = part.index(axis)
        differ = release.values[part] != np.expand_dims(release.values[whole], at)
        counts = EVERY.sum(axis=tuple(k + 1 for k in range(2) if k not in part))
        alone = counts == counts.sum(axis=at + 1, keepdims=True)
        fits &= ~(alone & (counts > 0) & differ).reshape(len(EVERY), -1).any(axis=1)
    return fits


@pytest.mark.parametrize("kind", KINDS)
@given(counts=SMALL, seed=st.integers(0, 50))
@settings(max_examples=12, deadline=None)
def test_intervals_are_what_enumeration_leaves(kind, counts, seed):
    table = FrequencyTable(counts)
    release = outcome(KINDS[kind].release, table, np.random.default_rng(seed))
    if isinstance(release, str):
        assert "pattern protects" in release
        return
    left = agreeing(release)
    assert (left == counts).all(axis=(1, 2)).any()
    lower, upper = release.cell_bounds()
    # Counts are whole and a program's are not, so its bounds may be wider; in a two-way table they are attained.
    np.testing.assert_array_equal(lower, left.min(axis=0))
    top = left.max(axis=0)
    np.testing.assert_array_equal(upper[top < MOST - 1], top[top < MOST - 1])
    finding = attacks.linking(release)
    np.testing.assert_array_equal(finding.lower, lower)
    np.testing.assert_array_equal(finding.upper, upper)


@given(SMALL, SMALL, st.sampled_from(["rounded", "perturbed", "small counts suppressed"]))
@settings(max_examples=10, deadline=None)
def test_two_linked_releases_leave_no_more_than_each_alone_and_the_truth(core, strip, kind):
    axes = FrequencyTable(core).axes
    parts = Axis("Part", ("core", "strip"))
    truth = FrequencyTable(np.stack([core, strip], axis=-1), [*axes, parts])
    rng = np.random.default_rng(3)
    both = [KINDS[kind].release(FrequencyTable(one), rng) for one in (core, core + strip)]
    finding = attacks.linking(
        both,
        Knowledge(
            [*axes, parts], [TablePlacement("inner", within={"Part": ["core"]}), TablePlacement("outer")]
        ),
    )
    assert finding.score(truth).contained == truth.cells
    alone = both[0].cell_bounds()
    assert np.all(finding.lower[..., 0] >= alone.lower)
    assert np.all(finding.upper[..., 0] <= alone.upper)
    whole = both[1].cell_bounds()
    assert np.all(finding.upper.sum(axis=2) >= whole.lower)
    assert np.all(finding.upper[..., 1] <= whole.upper)


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_that_contradicts_itself_is_refused_in_one_sentence(kind):
    table = FrequencyTable([[4, 9], [8, 7]])
    release = KINDS[kind].release(table, np.random.default_rng(1))
    wrong = {kept: np.array(bound) for kept, bound in release.lower.items()}
    above = {kept: np.array(bound) for kept, bound in release.upper.items()}
    wrong[(0,)] = wrong[(0,)] + 1000
    above[(0,)] = above[(0,)] + 1000
    contradictory = Release(release.axes, release.values, wrong, above)
    for act in (contradictory.intervals, lambda: attacks.linking(contradictory)):
        with pytest.raises(InputError, match=r"contradict|counts agrees") as caught:
            act()
        assert str(caught.value).count(". ") == 0


def test_margins_of_every_kind_hold_the_truth():
    table = FrequencyTable(np.random.default_rng(2).integers(0, 12, (4, 3)))
    for method in KINDS.values():
        release = method.release(table, np.random.default_rng(5))
        for kept, true in margins(table.counts).items():
            if kept in release.values:
                assert np.all((release.lower[kept] <= true) & (true <= release.upper[kept]))
