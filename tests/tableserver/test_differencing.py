"""How the categories of one table lie in those of another."""

import pytest

from sdcwidgets.tableserver.differencing import _first_around


@pytest.mark.parametrize(
    ("box", "boxes", "first"),
    [
        ("a", ["b", "ab", None], 1),
        ("c", ["ab", None], 1),
        ("c", ["ab"], -1),
        (None, ["a"], -1),
        (None, ["a", None], 1),
    ],
)
def test_the_first_box_around_another_is_found(box, boxes, first):
    sets = [None if letters is None else frozenset(letters) for letters in [box, *boxes]]
    assert _first_around(sets[0], sets[1:]) == first
