"""Protect as a page: a method that publishes fewer categories is shown with these."""

import numpy as np

from screens import ask, control, inside
from sdcwidgets import examples, methods
from sdcwidgets.dashboards import protect
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Text


def test_categories_are_merged_and_the_page_says_so():
    screen = protect.app()
    ask(control(screen, "Method"), "redesign")
    after = next(grid for grid in inside(screen, Grid) if grid.title == "After")
    assert control(screen, "Method").problem == ""
    assert after.columns == ("Christian", "Buddhist to Sikh", "Other to None", "Not stated")
    release = methods.get("redesign")().release(examples.load("religion"), 1)
    np.testing.assert_array_equal(after.counts, release.cells)
    told = "has 4 categories instead of 9"
    assert any(told in text.value for text in inside(screen, Text))
