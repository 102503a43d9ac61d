"""Labels of points: on which side and line they are, and which points they avoid."""

import pytest

from sdcwidgets.plots.point_labels import LETTER, LINE, NARROW, SIDEWAYS, Anchor, place_names

HEIGHT = 200.0


@pytest.mark.parametrize("across", [0.1, 0.9])
def test_a_label_avoids_points_beside_its_own_point(across):
    spot = Anchor(across, 100.0)
    [free] = place_names([spot], ["a label"], [], [], HEIGHT)
    side = -1 if free["xanchor"] == "right" else 1
    assert side == (1 if across < 0.5 else -1)
    length = (LETTER * len("a label") + SIDEWAYS) / NARROW
    beside = Anchor(across + side * length / 4, free["line"] + LINE / 2)
    behind = Anchor(across - side * length / 4, free["line"] + LINE / 2)
    [moved] = place_names([spot], ["a label"], [beside], [], HEIGHT)
    assert not moved["line"] - 6 < beside.down < moved["line"] + LINE + 6
    assert place_names([spot], ["a label"], [behind], [], HEIGHT) == [free]
    assert moved["yshift"] == spot.down - moved["line"] - LINE / 2
