"""Long work says how many of how many are done."""

from sdcwidgets.widgets.actions import Actions


def test_work_is_counted():
    actions, seen = Actions({}), []
    actions.work(
        iter("abc"), lambda _: seen.append((actions.progress, actions.counted)), lambda: None, 3, "settings"
    )
    assert seen == [((k, 3), "settings") for k in (1, 2, 3)]
    assert not actions.working
