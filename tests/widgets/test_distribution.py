import pytest

from sdcwidgets import InputError
from sdcwidgets.widgets.distribution import Distribution, ceiling


@pytest.fixture
def bars():
    widget = Distribution(("P", "Q"), 100)
    widget.show((0, 2, 4), (0, 3, 3))
    return widget


def ask(widget, counts):
    """Say what a browser would say."""
    widget.set_state({"request": {"counts": counts, "turn": 1}})


def test_a_bar_is_as_high_as_its_share(bars):
    assert bars.shares == [[0, 2 / 6, 4 / 6], [0, 0.5, 0.5]]
    assert bars.ceiling == 1.0
    # Shares, not counts: P3 = 4/13 is below Q3 = 1/2, though it has more people.
    bars.show((0, 9, 4), (0, 1, 1))
    assert bars.shares[0][2] < bars.shares[1][2]
    assert all(share <= ceiling(share) <= 1 for share in (0, 0.04, 0.1, 0.308, 0.5, 0.9, 1))


def test_a_change_is_handed_on_with_all_counts(bars):
    seen = []
    bars.on_change(seen.append)
    ask(bars, [[1, 2, 4], [0, 3, 3]])
    assert seen == [[(1, 2, 4), (0, 3, 3)]]
    assert bars.counts == [[0, 2, 4], [0, 3, 3]]


def test_a_refusal_is_told_and_what_is_true_is_shown_again(bars):
    def refuse(_):
        raise InputError("Not so many.")

    bars.on_change(refuse)
    turn = bars.turn
    ask(bars, [[101, 2, 4], [0, 3, 3]])
    assert (bars.problem, bars.turn) == ("Not so many.", turn + 1)
    bars.show((0, 2, 4), (0, 3, 3))
    assert bars.problem == ""


@pytest.mark.parametrize(
    "counts", [None, [], "xx", [[1, 2, 3]], [[1, 2], [1, 2]], [[1, 2, 3], 5], {"0": 1}, [[1, 2, 3], "abc"]]
)
def test_a_strange_message_is_dropped(bars, counts):
    seen = []
    bars.on_change(seen.append)
    ask(bars, counts)
    assert seen == []


@pytest.mark.parametrize(
    "message", [{"counts": [[9]]}, {"request": "x"}, {"request": []}, {"names": ["R"], "most": 5}]
)
def test_a_browser_sets_nothing_but_what_it_asks(bars, message):
    bars.set_state(message)
    assert (bars.names, bars.most, bars.counts) == (["P", "Q"], 100, [[0, 2, 4], [0, 3, 3]])
