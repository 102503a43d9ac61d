import pytest
from stating import stating

from screens import ask, control, inside
from sdcwidgets.dashboards import third_term
from sdcwidgets.dashboards.third_term.state import ThirdTermState
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.readings import Readings


@pytest.fixture
def screen():
    return third_term.app()


def grid(screen, title):
    return next(one for one in inside(screen, Grid) if one.title.startswith(title))


def values(screen):
    return [row["text"] for row in inside(screen, Readings)[0].rows]


def test_it_begins_with_a_printed_row(screen):
    assert values(screen) == ["0.3536", "0.7212", "0.9693"]
    assert control(screen, "Example row").value == "(0 × 5, 1 × 3, 2, 3)"


def test_an_edited_count_changes_values_curve_and_properties(screen):
    (chart,), wishes = inside(screen, Chart), grid(screen, "Properties")
    before = chart.arrays, wishes.texts.tolist()
    grid(screen, "Row").edit([(0, 0, "100")])
    assert values(screen)[0] == "0.0962"
    assert chart.arrays != before[0]
    assert wishes.texts.tolist() != before[1]
    assert control(screen, "Example row").value == "own"


def test_an_example_row_changes_the_headline_and_the_values(screen):
    (lead,) = inside(screen, Lead)
    before = lead.answer, values(screen)
    ask(control(screen, "Example row"), "(0, 5)")
    assert lead.answer != before[0]
    assert values(screen) != before[1]
    assert "5 people" in lead.answer
    assert control(screen, "Number of people (N)").value == 5
    assert "own" not in control(screen, "Example row").parameter.choices


def test_a_row_without_people_is_refused_beside_its_cell(screen):
    ask(control(screen, "Example row"), "(0, 5)")
    row = grid(screen, "Row")
    row.edit([(0, 1, "0")])
    assert row.problems[0][2].startswith("Every count of F would be zero")
    assert row.counts.tolist() == [[0, 5]]


def test_epsilon_and_size_move_the_curve(screen):
    ask(control(screen, "epsilon"), 0.3)
    ask(control(screen, "people"), 50)
    assert "For 50 people, they are 0.3092 and 0.6722" in inside(screen, Chart)[0].summary
    ask(control(screen, "epsilon"), 2)
    assert control(screen, "epsilon").problem == stating("(ε)", "2", "0 to 1")
    assert control(screen, "epsilon").value == 0.3


def test_the_blue_button_takes_larger_tables_and_begins_again(screen):
    (lead,) = inside(screen, Lead)
    answers = set()
    for people in (1000, 10_000, 1):
        lead._hear(lead, {"type": "next"}, [])
        assert control(screen, "people").value == people
        answers.add(lead.answer)
    assert "1 person" in lead.answer
    assert len(answers) == 3


@pytest.mark.parametrize(
    ("shown", "text"), [("formula", "0.9150"), ("print", "0.9812"), ("difference", "+0.0662")]
)
def test_the_figure_that_differs_is_marked_in_the_printed_tables(screen, shown, text):
    ask(control(screen, "Values"), shown)
    tables = grid(screen, "Tables A.1.1")
    row, column, why = tables.best
    assert (tables.rows[row], tables.columns[column]) == ("(5 × 10)", "h₃, ε = 0.3")
    assert (tables.texts[row, column], why) == (text, stating("values differ"))
    assert tables.texts.shape == (40, 15)
    assert tables.shade.sum() == 1


def test_numbers_open_their_formulas(screen):
    (page,), sent = inside(screen, Page), []
    page.send = sent.append
    (readings,), tables = inside(screen, Readings), grid(screen, "Tables A.1.1")
    readings._hear(readings, {"type": "explain", "index": 1}, [])
    tables._hear(tables, {"type": "explain", "kind": "row", "index": 18}, [])
    assert [message["title"] for message in sent] == [
        "h₂ of this row",
        stating("third terms"),
    ]
    assert sent[1]["lines"][0][0][0] == "F = (5 × 10), N = 50 people"


def test_a_link_holds_the_row(screen):
    (page,) = inside(screen, Page)
    page._hear(page, {"type": "state", "state": encode(ThirdTermState((7, 0, 1)).set(epsilon=0.8))}, [])
    assert grid(screen, "Row").counts.tolist() == [[7, 0, 1]]
    assert control(screen, "epsilon").value == 0.8
    page._hear(page, {"type": "undo"}, [])
    assert grid(screen, "Row").counts.tolist() == [[7, 0, 1]]


def test_the_code_computes_what_is_shown(screen):
    (page,), sent = inside(screen, Page), []
    page.send = sent.append
    page._hear(page, {"type": "code"}, [])
    lines = sent[0]["text"].splitlines()
    names = {}
    exec("\n".join(lines[:2]), names)
    assert {name: round(x, 4) for name, x in eval(lines[3], names).items()} == {
        "h1": 0.3536,
        "h2": 0.7212,
        "h3": 0.9693,
    }
