"""The sample lab as a page: what its buttons do."""

import numpy as np
import pytest

from sdcwidgets.dashboards import sample
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead


def inside(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


class Opened:
    """The page, its parts by the names that people see."""

    def __init__(self):
        widgets = list(inside(sample.app()))
        self.controls = {w.spec["label"]: w for w in widgets if isinstance(w, Control)}
        self.charts = {w.label: w for w in widgets if isinstance(w, Chart)}
        self.grids = {w.title: w for w in widgets if isinstance(w, Grid)}
        [self.lead] = [w for w in widgets if isinstance(w, Lead)]
        self._actions = [w for w in widgets if isinstance(w, Actions)]

    def press(self, label):
        actions = next(one for one in self._actions if label in one.labels)
        actions._press(actions.labels.index(label))
        return actions.status

    def turn(self, label, value):
        self.controls[label].request = {"value": value, "turn": 1}
        return self.controls[label].problem


@pytest.fixture
def page():
    return Opened()


def test_a_moved_fraction_draws_another_sample(page):
    before = np.array(page.grids["Sample"].counts)
    assert page.turn("Sampling fraction n/N", 0.3) == ""
    assert before.sum() == 245
    assert page.grids["Sample"].counts.sum() == 735


def test_another_sample_has_the_next_number(page):
    before = np.array(page.grids["Sample"].counts)
    page.lead._hear(page.lead, {"type": "next"}, [])
    assert page.controls["Sample number"].value == 19
    assert (page.grids["Sample"].counts != before).any()


def test_forgetting_the_population_keeps_the_sample_and_n(page):
    kept = np.array(page.grids["Sample"].counts)
    page.press("Use the table as a sample only")
    np.testing.assert_array_equal(page.grids["Table"].counts, kept)
    assert page.controls["The table is"].value == "sample"
    assert page.controls["People in the population, N"].value == 2449
    assert "245" in page.turn("People in the population, N", 100)
    assert page.controls["People in the population, N"].value == 2449


@pytest.mark.slow
def test_balls_are_drawn_and_the_two_urns_compared(page):
    page.press("Draw 10")
    page.press("Draw 100")
    assert "110 balls added" in page.charts["Pólya urn"].summary
    assert "200 populations of each" in page.charts["Number of new cells filled by two kinds of urns"].summary
    page.press("Draw all")
    assert "2,204 balls added" in page.charts["Pólya urn"].summary
    page.press("Remove the added balls")
    assert "0 balls added" in page.charts["Pólya urn"].summary


def test_terms_of_the_model_change_what_is_estimated(page):
    before = page.charts["Disclosure risk of the sample, by estimated population"].summary
    assert page.turn("Terms of the log-linear model", "none") == ""
    assert page.charts["Disclosure risk of the sample, by estimated population"].summary != before
