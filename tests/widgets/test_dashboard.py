"""The traits of a page that Python sets."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.dashboards import explore


def test_the_value_of_one_page_sets_another():
    app, other = explore.app(), explore.app()
    other.settings = {"epsilon": 0.2}
    app.value = other.value
    assert app.settings.epsilon == 0.2
    assert app.result.assessment.whole.r1 == other.result.assessment.whole.r1


def test_a_page_without_methods_refuses_one():
    with pytest.raises(InputError):
        explore.app().method = "sampling"


@pytest.mark.parametrize(("rows", "is_kept"), [(50, True), (51, False)])
def test_the_value_is_kept_up_to_5000_cells(rows, is_kept):
    app = explore.app(FrequencyTable(np.ones((rows, 100), dtype=int)))
    assert bool(app.value) is is_kept
