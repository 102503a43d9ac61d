import pytest
from stating import stating

from screens import ask, control, inside
from sdcwidgets.dashboards import weights
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.properties import Properties
from sdcwidgets.widgets.readings import Readings


@pytest.fixture
def screen():
    return weights.app()


def choice(screen):
    return next(one for one in inside(screen, Control) if one.spec["kind"] == "choice")


def shares(screen):
    return next(one for one in inside(screen, Control) if one.spec["kind"] == "shares")


def values(screen):
    return [row["text"] for row in inside(screen, Readings)[0].rows]


def test_it_begins_with_the_worked_example(screen):
    (answer,) = inside(screen, Answer)
    assert answer.value == "0.5438"
    assert sum(part["share"] for part in answer.parts) == pytest.approx(0.5438, abs=1e-4)
    assert values(screen) == ["0.5505", "0.4472", "0.4770", "0.9419"]
    assert choice(screen).value == "print"


def test_the_best_weights_leave_no_angle(screen):
    ask(choice(screen), "best")
    assert values(screen)[0] == values(screen)[3] == "0.9419"
    assert "same direction" in inside(screen, Answer)[0].sentence
    assert choice(screen).value == "best"
    ask(shares(screen), [1, 0.9])
    assert choice(screen).value == "own"
    assert inside(screen, Answer)[0].value == "0.5438"


def test_the_weights_decide_which_wishes_the_weighted_mean_keeps(screen):
    (table,) = inside(screen, Properties)
    assert table.shade[:, 0].tolist() == [0.0] * 6
    ask(shares(screen), [2, 1.0])
    assert table.shade[:, 0].tolist() == [0.6, 0.6, 0.0, 0.6, 0.0, 0.0]


def test_an_edited_count_changes_the_picture(screen):
    terms, sphere, bars = inside(screen, Chart)
    before = sphere.arrays, bars.arrays, terms.arrays
    inside(screen, Grid)[0].edit([(0, 0, "9")])
    assert sphere.arrays != before[0]
    assert bars.arrays == before[1]
    assert terms.arrays != before[2]
    assert inside(screen, Answer)[0].parts[0]["share"] == 0


def test_a_table_without_people_is_refused(screen):
    grid = inside(screen, Grid)[0]
    grid.edit([(0, 1, "0"), (0, 2, "0")])
    assert "one person" in grid.problems[0][2]
    assert inside(screen, Answer)[0].value == "0.5438"


def test_turning_the_sphere_moves_its_points_only(screen):
    (_, sphere, _), page = inside(screen, Chart), inside(screen, Page)[0]
    before = sphere.summary, sphere.arrays
    ask(control(screen, "azimuth"), 10)
    assert (sphere.summary, page.can_undo) == (before[0], False)
    assert sphere.arrays != before[1]


def test_numbers_open_their_formulas(screen):
    (page,), sent = inside(screen, Page), []
    page.send = sent.append
    (readings,), (table,) = inside(screen, Readings), inside(screen, Properties)
    readings._hear(readings, {"type": "explain", "index": 0}, [])
    table._hear(table, {"type": "explain", "kind": "row", "index": 0}, [])
    inside(screen, Answer)[0]._hear(None, {"type": "explain"}, [])
    assert [message["title"] for message in sent] == [
        stating("your weights", "length 1"),
        stating("Property 1A"),
        stating("without weights", "R₁*"),
    ]


def test_a_link_holds_table_and_weights(screen):
    (page,) = inside(screen, Page)
    state = TableState(FrequencyTable([[1, 2], [3, 4]])).set(weights=(0.5, 0.25, 0.25))
    page._hear(page, {"type": "state", "state": encode(state)}, [])
    assert inside(screen, Grid)[0].counts.tolist() == [[1, 2], [3, 4]]
    assert shares(screen).value == (0.5, 0.25, 0.25)


def test_it_shows_a_table_of_ones_own():
    screen = weights.app(FrequencyTable([5, 5]))
    assert inside(screen, Answer)[0].parts[2]["share"] == pytest.approx(0.6803 / 3**0.5, abs=1e-4)
