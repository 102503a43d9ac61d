"""The sample lab as a page: what its buttons do."""

import numpy as np
import pytest

from screens import button, named
from sdcwidgets.dashboards import sample
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead


def inside(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


class Opened:
    """The page: its controls by the names of their parameters, its charts and grids by their titles."""

    def __init__(self):
        self.screen = sample.app()
        widgets = list(inside(self.screen))
        self.controls = {w.parameter.name: w for w in widgets if isinstance(w, Control)}
        self.charts = {w.label: w for w in widgets if isinstance(w, Chart)}
        self.grids = {w.title: w for w in widgets if isinstance(w, Grid)}
        [self.lead] = [w for w in widgets if isinstance(w, Lead)]

    def press(self, words):
        actions, place = button(self.screen, words)
        actions._press(place)
        return actions.status

    def turn(self, name, value):
        self.controls[name].request = {"value": value, "turn": 1}
        return self.controls[name].problem


@pytest.fixture
def page():
    return Opened()


def test_a_moved_fraction_draws_another_sample(page):
    before = np.array(page.grids["Sample"].counts)
    assert page.turn("fraction", 0.3) == ""
    assert before.sum() == 245
    assert page.grids["Sample"].counts.sum() == 735


def test_another_sample_has_the_next_number(page):
    before = np.array(page.grids["Sample"].counts)
    page.lead._hear(page.lead, {"type": "next"}, [])
    assert page.controls["draw"].value == 19
    assert (page.grids["Sample"].counts != before).any()


def test_forgetting_the_population_keeps_the_sample_and_n(page):
    kept = np.array(page.grids["Sample"].counts)
    page.press("sample only")
    np.testing.assert_array_equal(page.grids["Table"].counts, kept)
    assert page.controls["known"].value == "sample"
    assert page.controls["people"].value == 2449
    assert "245" in page.turn("people", 100)
    assert page.controls["people"].value == 2449


@pytest.mark.slow
def test_balls_are_drawn_and_the_two_urns_compared(page):
    page.press("Draw 10")
    page.press("Draw 100")
    assert "110 balls added" in named(page.charts, "Pólya").summary
    assert "200 populations of each" in named(page.charts, "of urns").summary
    page.press("Draw all")
    assert "2,204 balls added" in named(page.charts, "Pólya").summary
    page.press("Remove the")
    assert "0 balls added" in named(page.charts, "Pólya").summary


def test_terms_of_the_model_change_what_is_estimated(page):
    before = named(page.charts, "estimated population").summary
    assert page.turn("terms", "none") == ""
    assert named(page.charts, "estimated population").summary != before
