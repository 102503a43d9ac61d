"""No release publishes a number for an unknown count: it is marked, or one sentence refuses the release."""

import numpy as np
import pytest

from screens import inside
from sdcwidgets import FrequencyTable, InputError, dashboards, protect
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.reporting import report_on

COUNTS = [[12, 31, 15], [0, 25, 22], [14, 18, 17]]
AXES = {"Area": ["A", "B", "C"], "Sex": ["m", "f", "d"]}
TABLE = FrequencyTable(COUNTS, AXES).with_unknown(np.array(COUNTS) == 0)


@pytest.mark.parametrize("page", ["cell_key", "rounding"])
def test_pages_mark_an_unknown_count_in_their_files(page):
    screen = getattr(dashboards, page).app(TABLE)
    study = inside(screen, Page)[0]._study
    result = study.result
    release = result.release if page == "cell_key" else result.publishing
    published = report_on(study.state, release).release
    assert np.isnan(published.cells).tolist() == TABLE.unknown.tolist()
    assert sum("not available" in note for note in published.notes) == 1


def test_a_release_is_marked_only_once():
    release = protect(TABLE, "conventional-rounding")
    assert release.with_facts_of(TABLE) is release


@pytest.mark.parametrize(
    "linked",
    [{"hierarchies": {"Area": {"A": "North", "B": "North", "C": ""}}}, {"tables": [["Area"], ["Sex"]]}],
)
def test_a_hierarchy_or_linked_tables_refuse_unknown_counts_in_one_sentence(linked):
    with pytest.raises(InputError) as error:
        protect(TABLE, "cell-suppression", seed=3**80, **linked)
    assert "1 unknown count" in str(error.value)


def test_the_page_suppression_refuses_a_table_with_unknown_counts():
    with pytest.raises(InputError) as error:
        SuppressionState(TABLE)
    assert "1 unknown count" in str(error.value)
