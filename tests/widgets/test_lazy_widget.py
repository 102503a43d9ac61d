from sdcwidgets.widgets.measures import Measures
from sdcwidgets.widgets.texts import MeasureRow


def rows(made, value):
    def make():
        made.append(value)
        return [MeasureRow("R₁", value, "", list)]

    return make


def test_what_nobody_sees_is_not_made_until_it_is_seen():
    measures, made = Measures("Numbers"), []
    measures._hear(measures, {"type": "seen", "view": "one", "seen": False}, [])
    for value in ("0.1", "0.2", "0.3"):
        measures.show(rows(made, value))
    assert (made, measures.measures, measures.old) == ([], [], True)
    measures._hear(measures, {"type": "seen", "view": "one", "seen": True}, [])
    assert (made, measures.measures[0]["value"], measures.old) == (["0.3"], "0.3", False)
    measures.show(rows(made, "0.4"))
    assert (made, measures.old) == (["0.3", "0.4"], False)


def test_what_is_out_of_sight_is_made_once_the_browser_asks():
    measures, made = Measures("Numbers"), []
    measures._hear(measures, {"type": "seen", "view": "one", "seen": False}, [])
    measures.show(rows(made, "0.1"))
    for _ in range(3):
        measures._hear(measures, {"type": "draw"}, [])
    assert (made, measures.old) == (["0.1"], False)


def test_without_a_browser_everything_is_made():
    measures, made = Measures("Numbers"), []
    measures.show(rows(made, "0.1"))
    assert made == ["0.1"]
