"""Recommendations of a page: only one that is shown can be applied."""

import pytest

from sdcwidgets.widgets.offers import Offer, Offers


@pytest.mark.parametrize(
    ("place", "taken"), [(0, [0]), (1, [1]), (2, []), (-1, []), (True, []), ("0", []), (None, [])]
)
def test_a_shown_recommendation_is_applied(place, taken):
    offers, seen = Offers("Recommendations"), []
    offers.show([Offer("Rounding", "rounding", "R2 = 0.2", "", "unbiased")] * 2)
    offers.on_take(seen.append)
    offers._hear(offers, {"type": "take", "place": place}, [])
    assert seen == taken
