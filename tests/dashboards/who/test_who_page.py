import ipywidgets
import pytest
from stating import stating

from screens import button
from sdcwidgets.dashboards import who
from sdcwidgets.dashboards.who.state import Search, WhoState
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.people import PeopleRow
from sdcwidgets.widgets.steps import Steps


class Screen:
    """The dashboard, and its parts as a person finds them."""

    def __init__(self, publication=None):
        self.parts = list(self.within(who.app(publication)))
        self.page, self.steps, self.answer, self.chart = (
            self.one(kind) for kind in (Page, Steps, Answer, Chart)
        )
        self.counts, self.average, self.theorem, self.of_method = (
            part for part in self.parts if isinstance(part, Grid)
        )
        self.truth, self.possible = (part for part in self.parts if isinstance(part, PeopleRow))

    def within(self, part):
        yield part
        for child in getattr(part, "children", ()):
            yield from self.within(child)

    def one(self, kind):
        return next(part for part in self.parts if isinstance(part, kind))

    def press(self, words):
        actions, place = button(self.parts[0], words)
        actions._press(place)
        return actions.status

    def choose(self, name, value):
        self.control(name)._ask({"value": value})

    def control(self, name):
        return next(part for part in self.parts if isinstance(part, Control) and part.parameter.name == name)

    def says(self, words):
        return any(words in part.value for part in self.parts if isinstance(part, ipywidgets.HTML))


@pytest.fixture
def screen():
    return Screen()


def test_it_begins_with_the_worked_example(screen):
    assert screen.counts.counts.tolist() == [[0, 2, 4], [0, 3, 3]]
    assert (screen.steps.position, screen.steps.length, screen.steps.noun) == (0, 4, "possibility")
    assert screen.answer.value == "0.3183"
    assert screen.theorem.texts[2].tolist() == ["0.00", "0.25", "0.75"]
    assert screen.says("(6 − 5)!/(0! 1! 0!) · C(2,2) · C(4,3) = 4")


def test_a_step_moves_someone_else(screen):
    assert screen.steps.announcement == "Person 3 moved from c₃ to c₂."
    screen.steps.go(2)
    assert screen.steps.announcement == "Person 5 moved from c₃ to c₂."
    assert screen.possible.cells[1]["words"].endswith("Person 5, who was in c₃.")
    assert screen.says("averages over the first 3 of 4 ")


def test_all_of_them_tell_nothing(screen):
    screen.steps.choose("all")
    screen.press("all 20")
    assert screen.steps.position == 19
    assert screen.average.texts.tolist() == screen.theorem.texts.tolist()
    assert screen.answer.value == "0.6365"
    assert screen.says("is (0, ½, ½)")
    assert screen.chart.summary == stating("20", "0.000")


def test_one_may_be_drawn_after_the_other(screen):
    screen.press("one possibility")
    assert (screen.steps.noun, screen.steps.position) == ("draw", 0)
    assert screen.control("order").value == "drawn"
    screen.press("one possibility")
    assert screen.steps.position == 1
    screen.choose("order", "listed")
    assert (screen.steps.noun, screen.steps.position) == ("possibility", 0)
    assert screen.control("order").value == "listed"


def test_the_last_draw_says_that_it_is_the_last():
    screen = Screen(WhoState(settings=Search("closest", "drawn"), position=999))
    assert (
        screen.press("one possibility")
        == "There is no possibility with the number 1001; the last number is 1,000."
    )


def test_edited_counts_begin_at_the_first_possibility(screen):
    screen.steps.go(3)
    screen.counts.edit([(1, 0, "1"), (1, 1, "2")])
    assert (screen.steps.position, screen.counts.counts[1].tolist()) == (0, [1, 2, 3])
    assert screen.says("Published counts G = (1, 2, 3)")


def test_a_refused_edit_leaves_everything_as_it_was(screen):
    screen.steps.go(2)
    screen.counts.edit([(1, 1, "0"), (1, 2, "0")])
    assert "one person" in screen.counts.problems[0][2]
    assert (screen.steps.position, screen.counts.counts.tolist()) == (2, [[0, 2, 4], [0, 3, 3]])


def test_cells_come_and_go(screen):
    screen.choose("size", 5)
    assert screen.counts.counts.tolist() == [[0, 2, 4, 0, 0], [0, 3, 3, 0, 0]]
    assert len(screen.possible.cells) == len(screen.theorem.rows) == 5


def test_a_method_makes_g(screen):
    screen.choose("method", "conventional-rounding")
    screen.press("Draw G")
    assert screen.counts.counts.tolist() == [[0, 2, 4], [0, 3, 3]]
    screen.counts.edit([(0, 2, "5")])
    screen.press("Draw G")
    assert screen.counts.counts[1].tolist() == [0, 3, 6]
    assert screen.says("shown as 9 dots")


def test_a_method_has_the_average_over_its_tables(screen):
    assert screen.of_method.texts[1].tolist() == ["0.00", "0.67", "0.33"]
    screen.choose("method", "conventional-rounding")  # always (0, 3, 3)
    assert screen.of_method.texts.tolist() == screen.theorem.texts.tolist()
    screen.choose("method", "record-swapping")
    assert screen.of_method.layout.display == "none"
    assert screen.says("one category")


@pytest.mark.parametrize("method", ["record-swapping", "targeted-record-swapping"])
def test_a_method_that_cannot_change_one_row_says_so(screen, method):
    screen.choose("method", method)
    assert "one category" in screen.press("Draw G")
    assert screen.counts.counts.tolist() == [[0, 2, 4], [0, 3, 3]]


def test_a_crowd_hides_what_cannot_be_drawn(screen):
    screen.counts.edit([(0, 2, "1000")])
    assert screen.steps.length == 0
    assert screen.says("only numbers")
    screen.counts.edit([(0, 2, "4")])
    assert screen.steps.length == 4
    assert screen.truth.layout.display is None


def test_undo_redo_and_a_link_lead_to_the_same_screen(screen):
    screen.steps.choose("all")
    screen.steps.go(6)
    screen.page._hear(screen.page, {"type": "undo"}, [])
    assert (screen.steps.position, screen.steps.chosen) == (0, "all")
    screen.page._hear(screen.page, {"type": "undo"}, [])
    assert screen.steps.chosen == "closest"
    link = encode(WhoState((1, 2), (2, 1), Search("all"), 2))
    screen.page._hear(screen.page, {"type": "state", "state": link}, [])
    assert (screen.steps.position, screen.steps.length, screen.steps.chosen) == (2, 3, "all")
    damaged = encode(WhoState((1, 2), (2, 1), Search("all"), 3))
    screen.page._hear(screen.page, {"type": "state", "state": damaged}, [])
    assert screen.page.problem == "There is no possibility with the number 4; the last number is 3."
    assert screen.steps.position == 2
