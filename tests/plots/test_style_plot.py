"""What all charts share: labels that fit and stay apart."""

from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets.plots.style import shorten, slice_axis

PLACE = st.lists(
    st.sampled_from(["E05", "North", "north", "Hill", "of the line", ",", "1", "2"]), min_size=1, max_size=9
)


@given(st.lists(PLACE.map(" ".join), min_size=1, max_size=30, unique=True))
def test_labels_are_never_cut_until_they_are_the_same(labels):
    assert len(set(shorten(labels))) == len(labels)
    below = slice_axis(range(len(labels) + 1), [*labels, "Table"])["ticktext"]
    assert len(set(below)) == len(labels) + 1
