import numpy as np
import pytest

from sdcwidgets import assess, examples
from sdcwidgets.dashboards.explore import charts as explore
from sdcwidgets.plots import term_bars as terms
from sdcwidgets.plots.style import MOST_SLICES
from sdcwidgets.tables.table import FrequencyTable


@pytest.fixture(scope="module")
def religion():
    return assess(examples.load("religion"))


def test_the_weighted_terms_sum_to_the_risk(religion):
    bars = terms.prepare(religion, religion.rows)
    np.testing.assert_allclose(bars.heights.sum(axis=1), bars.r1)
    assert bars.labels[-1] == "Table"
    assert round(bars.r1[-1], 4) == 0.2315


def test_the_summary_names_the_highest_row(religion):
    assert terms.prepare(religion, religion.rows).summary.startswith("Highest: Area 6 0.546;")


def test_the_figure_stacks_what_was_prepared(religion):
    figure = terms.draw(terms.prepare(religion, religion.columns)).to_dict()
    stacked = np.sum([trace["y"] for trace in figure["data"][:3]], axis=0)
    np.testing.assert_allclose(stacked, [*religion.columns.r1, religion.whole_slice.r1[0]], atol=1e-5)


def test_an_empty_row_has_no_bar_and_no_diamond():
    assessment = assess(FrequencyTable([[0, 0], [3, 1]]))
    bars = terms.prepare(assessment, assessment.rows)
    figure = terms.draw(bars).to_dict()
    assert figure["data"][0]["y"][0] == 0
    assert figure["data"][3]["y"][0] is None
    assert "Row 2" in bars.summary


def test_of_many_rows_the_highest_are_shown():
    counts = np.random.default_rng(0).integers(0, 9, (200, 5)) + 1
    assessment = assess(FrequencyTable(counts))
    bars = terms.prepare(assessment, assessment.rows)
    assert (len(bars.labels), bars.omitted) == (MOST_SLICES + 1, 200 - MOST_SLICES)
    assert bars.r1[:-1].min() >= np.sort(assessment.rows.r1)[-MOST_SLICES]


def test_a_label_is_shown_letter_by_letter():
    label = "<b>x</b>"
    assessment = assess(FrequencyTable([[1, 2], [3, 1]], {"A": [label, "y"], "B": "uv"}))
    figure = terms.draw(terms.prepare(assessment, assessment.rows)).to_dict()
    assert figure["data"][0]["customdata"][0] == "&lt;b&gt;x&lt;/b&gt;"


def test_the_curve_holds_this_tables_third_term(religion):
    curve = explore.prepare(religion)
    assert (curve.people, round(curve.value, 4)) == (2449, 0.0990)
    assert "0.0990" in curve.summary
    assert list(curve.to_frame()["N"]) == [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    figure = explore.draw(curve).to_dict()
    assert figure["data"][2]["x"] == [2449]
