"""l-diversity and t-closeness against counts by hand, and scipy's earth mover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import wasserstein_distance

from sdcwidgets.core.microdata.diversity import (
    closeness,
    distinct_diversity,
    entropy_diversity,
    recursive_diversity,
)

files = arrays(np.int8, st.tuples(st.integers(1, 20), st.just(3)), elements=st.integers(-1, 2))


@given(files)
def test_both_against_every_record_beside_every_other(file):
    codes, sensitive = file[:, :2], file[:, 2]
    if (sensitive == -1).all():
        with pytest.raises(ValueError, match="sensitive values are missing"):
            distinct_diversity(codes, sensitive)
        return
    different, entropy = distinct_diversity(codes, sensitive), entropy_diversity(codes, sensitive)
    for record in range(len(codes)):
        same = ((codes == codes[record]) | (codes == -1) | (codes[record] == -1)).all(axis=1)
        values = sensitive[same & (sensitive != -1)]
        assert different[record] == len(set(values.tolist()))
        shares = np.unique(values, return_counts=True)[1] / max(len(values), 1)
        assert entropy[record] == pytest.approx(np.exp(-np.sum(shares * np.log(shares))))


def test_each_record_needs_a_value():
    with pytest.raises(ValueError, match="2 records but 1 sensitive"):
        distinct_diversity([[0], [1]], [1])


@given(files, st.sampled_from((0.5, 1.0, 3.0)))
def test_recursive_diversity_and_closeness_by_hand(file, c):
    codes, sensitive = file[:, :2], file[:, 2]
    known = sensitive[sensitive != -1]
    if not len(known):
        return
    found, near = recursive_diversity(codes, sensitive, c), closeness(codes, sensitive)
    place = np.array([2.0, 3.0, 7.0])
    moved = closeness(codes, sensitive, place)
    span = np.ptp(place[known])
    for record in range(len(codes)):
        same = ((codes == codes[record]) | (codes == -1) | (codes[record] == -1)).all(axis=1)
        values = sensitive[same & (sensitive != -1)]
        counts = sorted(np.bincount(values, minlength=1).tolist(), reverse=True)
        deep = 1
        while deep < len(counts) and counts[0] < c * sum(counts[deep:]):
            deep += 1
        assert found[record] == deep
        if not len(values):
            assert near[record] == moved[record] == 0
            continue
        shares = [np.bincount(part, minlength=3) / len(part) for part in (values, known)]
        assert near[record] == pytest.approx(0.5 * np.abs(shares[0] - shares[1]).sum())
        earth = wasserstein_distance(place[values], place[known]) / span if span else 0.0
        assert moved[record] == pytest.approx(earth)


def test_what_is_no_setting_is_refused():
    with pytest.raises(ValueError, match=r"\bc\b.* 0;"):
        recursive_diversity([[0]], [0], 0)
    for positions in ([3, 2], [3, 3], [3]):  # falling, equal, and none for the value 1
        with pytest.raises(ValueError, match="increasing"):
            closeness([[0]], [1], positions)
