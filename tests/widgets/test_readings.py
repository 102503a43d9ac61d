import pytest

from sdcwidgets.widgets.page_state import Property
from sdcwidgets.widgets.properties import Properties
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.texts import Piece, Quantity


@pytest.fixture
def shown():
    readings = Readings("Distances")
    readings.show([Quantity("Hellinger", "0.1200", (), [Piece("HD = "), Piece("0.12", "size")])])
    return readings


def test_a_reading_is_a_name_a_number_and_a_formula(shown):
    assert shown.rows == [
        {
            "label": "Hellinger",
            "name": [["Hellinger", ""]],
            "text": "0.1200",
            "formula": [["HD = ", ""], ["0.12", "size"]],
        }
    ]
    shown.set_state({"rows": []})
    assert len(shown.rows) == 1


@pytest.mark.parametrize(("index", "heard"), [(0, [0]), (1, []), (-1, []), (True, []), ("0", []), (None, [])])
def test_only_a_row_that_is_there_is_explained(shown, index, heard):
    seen = []
    shown.on_explain(seen.append)
    shown._hear(shown, {"type": "explain", "index": index}, [])
    assert seen == heard


def test_a_property_that_is_not_kept_is_marked_and_shaded():
    table = Properties("Properties", {"a": "First", "b": "Second"}, "Why.")
    one = Property(
        "falls", ((1, 1, 1), (9, 9, 9)), {"a": (0.5, 0.2), "b": (0.5, 0.5)}, {"a": True, "b": False}
    )
    table.show_properties([one])
    assert table.texts.tolist() == [["✓\u00a00.500 →\u00a00.200", "✗\u00a00.500 →\u00a00.500"]]
    assert table.shade.tolist() == [[0.0, 0.6]]
    assert table.row_margin["values"] == ["(1 × 3) → (9 × 3)"]
