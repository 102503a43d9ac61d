"""l-diversity against a count by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdcwidgets.core.microdata.diversity import distinct_diversity, entropy_diversity

files = arrays(np.int8, st.tuples(st.integers(1, 20), st.just(3)), elements=st.integers(-1, 2))


@given(files)
def test_both_against_every_record_beside_every_other(file):
    codes, sensitive = file[:, :2], file[:, 2]
    if (sensitive == -1).all():
        with pytest.raises(ValueError, match="Every sensitive value is missing"):
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
    with pytest.raises(ValueError, match="2 records and 1 sensitive"):
        distinct_diversity([[0], [1]], [1])
