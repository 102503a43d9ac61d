"""Long work says how many of how many are done; what fails is told beside the buttons."""

import pytest

from sdcwidgets.widgets.actions import FAILED, Actions, Fold


def test_work_is_counted():
    actions, seen = Actions({}), []
    actions.work(
        iter("abc"), lambda _: seen.append((actions.progress, actions.counted)), lambda: None, 3, "settings"
    )
    assert seen == [((k, 3), "settings") for k in (1, 2, 3)]
    assert not actions.working


def test_what_nobody_foresaw_is_told_too():
    actions = Actions({"Divide": lambda: 1 / 0})
    with pytest.raises(ZeroDivisionError):
        actions._hear(None, {"type": "press", "index": 0}, [])
    assert actions.status == FAILED


def test_a_fold_opens_and_closes_and_says_which():
    inside = Actions({})
    fold = Fold("More", inside, leading=[Actions({"Beside": lambda: None})])
    line, folded = fold.children
    _, button = line.children
    assert folded.children == (inside,)
    for unfolded in (False, True, False):
        assert (button.unfolded, folded.layout.display) == (unfolded, None if unfolded else "none")
        button._hear(None, {"type": "press", "index": 0}, [])
