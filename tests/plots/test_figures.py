"""Figures in one call: plotly figures with the numbers of the assessment, without names of colours of a page."""

import numpy as np
import plotly.graph_objects as go
import pytest

from sdcwidgets import FrequencyTable, InputError, assess, compare, examples, methods, plots

TABLE = examples.load("religion")
AFTER = assess(TABLE, "random-rounding", replications=30)
CHOSEN = ["random-rounding", "record-swapping", "conventional-rounding"]


def figures():
    comparison = compare(TABLE, CHOSEN, replications=20)
    return [
        plots.risk_utility_map(comparison, max_risk=0.22, max_loss=4),
        plots.terms(AFTER, "Area"),
        plots.terms(assess(FrequencyTable([1, 2, 3]))),
        plots.residual_risk(AFTER, "columns"),
        plots.third_term(AFTER),
    ]


@pytest.mark.parametrize("figure", figures())
def test_a_figure_stands_alone(figure, tmp_path):
    assert isinstance(figure, go.Figure)
    figure.write_html(tmp_path / "chart.html", include_plotlyjs=False)
    text = (tmp_path / "chart.html").read_text("utf-8")
    assert "var(--sdc" not in text
    assert len(figure.data) > 0


def test_the_map_shows_the_means_of_the_comparison():
    comparison = compare(TABLE, CHOSEN, replications=20)
    frame = comparison.to_frame()
    means = plots.risk_utility_map(comparison, highlighted=2).data[0]
    np.testing.assert_allclose(means.x, frame.hellinger, atol=1e-4)
    np.testing.assert_allclose(means.y, frame.r2, atol=1e-6)
    other = plots.risk_utility_map(TABLE, CHOSEN, loss="cramers_v", replications=20)
    assert other.data[0].x != means.x


@pytest.mark.parametrize("max_loss", [None, 0.5])
def test_the_map_explains_its_marks_and_shows_all_of_them(max_loss):
    settings = [methods.get("random-rounding")(base=base) for base in (3, 5, 10)]
    comparison = compare(TABLE, settings, replications=20)
    figure = plots.risk_utility_map(comparison, highlighted=0, max_loss=max_loss)
    for point in comparison.points:
        for axis, name in ((figure.layout.xaxis, "hellinger"), (figure.layout.yaxis, "r2")):
            (values,) = (values for measure, values in point.draws.items() if measure.column == name)
            assert axis.range[0] <= values.min()
            assert values.max() <= axis.range[1]
    explained = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert figure.layout.showlegend
    assert len(explained) == len({*explained}) == (7 if max_loss is None else 8)
    assert figure.layout.title.text
    assert "click" not in figure.data[0].hovertemplate


def test_the_bars_sum_to_the_risk():
    figure = plots.terms(AFTER, "rows")
    sums = np.sum([trace.y for trace in figure.data[:3]], axis=0)
    np.testing.assert_allclose(sums, [*AFTER.rows.r1, AFTER.whole.r1], atol=1e-5)


def test_terms_after_protection_are_on_the_right_of_those_before_and_sum_to_the_residual_risk():
    figure = plots.terms(AFTER, "Area")
    assert figure.layout.title.text
    after = figure.data[4:7]
    sums = np.sum([trace.y for trace in after], axis=0)
    expected = [*AFTER.after.slices["Area"].r2.mean, AFTER.after.whole.r2.mean]
    np.testing.assert_allclose(sums, expected, atol=1e-5)
    np.testing.assert_allclose(figure.data[7].y[-1], AFTER.after.whole.r2_star.mean, atol=1e-5)
    for before, residual in zip(figure.data[:3], after, strict=True):
        assert all(
            left + before.width / 2 <= right - residual.width / 2 + 1e-9
            for left, right in zip(before.x, residual.x, strict=True)
        )
    assert len(plots.terms(assess(TABLE), "Area").data) == 4


def test_terms_of_the_residual_risk_are_not_called_terms_after_protection_and_are_in_a_frame():
    table = FrequencyTable([[0, 2, 9, 0], [4, 6, 5, 5]], {"Area": ["East", "West"], "Age": "abcd"})
    assessment = assess(table, "conventional-rounding", base=5)
    assert assessment.after.first.cells[0].tolist() == [0, 0, 10, 0]
    figure = plots.terms(assessment, "Area")
    names = [trace.name for trace in figure.data]
    assert len(set(names)) == len(names)
    assert "R₂" in figure.layout.title.text
    frame = assessment.after.to_frame()
    assert frame.slice.tolist() == ["Table", "Area", "Area", *["Age"] * 4]
    weights = np.array(assessment.settings.weights)
    terms = frame[["y1", "y2", "y3"]].to_numpy()
    drawn = np.stack([trace.y for trace in figure.data[4:7]], axis=1)
    np.testing.assert_allclose(drawn, terms[[1, 2, 0]] * weights, atol=1e-6)
    np.testing.assert_allclose(terms @ weights, frame.r2, atol=1e-12)
    # The protected row is more uneven than the original row, but data users do not know the original distribution.
    assert frame.y2[1] == pytest.approx(0, abs=1e-12)
    assert assess(assessment.after.first.table()).rows.terms[0, 1] == 1


@pytest.mark.parametrize("number", [3, 8, 9])
def test_each_of_a_few_settings_has_a_label_at_its_point(number):
    settings = [methods.get("random-rounding")(base=base) for base in range(2, 2 + number)]
    comparison = compare(TABLE, settings, replications=20)
    notes = plots.risk_utility_map(comparison, highlighted=1).layout.annotations
    labels = {note.text: note for note in notes}
    names = comparison.to_frame().index
    if number > 8:
        assert not set(names) <= set(labels)
        return
    for name, loss, risk in zip(names, *comparison.to_frame()[["hellinger", "r2"]].to_numpy().T, strict=True):
        assert labels[name].x == pytest.approx(loss, abs=1e-6)
        assert labels[name].y == pytest.approx(risk, abs=1e-6)


def test_the_residual_risk_of_the_table_is_the_last_point():
    figure = plots.residual_risk(AFTER, "Area")
    assert figure.data[1].y[-1] == pytest.approx(AFTER.after.whole.r2.mean, abs=1e-6)
    assert figure.data[0].y[-1] == pytest.approx(AFTER.whole.r1, abs=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: plots.terms(TABLE),
        lambda: plots.terms(AFTER, "Nowhere"),
        lambda: plots.residual_risk(assess(TABLE)),
        lambda: plots.residual_risk(assess(TABLE, "random-rounding", replications=2, measures=["dr"])),
        lambda: plots.residual_risk(assess(FrequencyTable([1, 2]), "random-rounding", replications=2)),
        lambda: plots.third_term(None),
        lambda: plots.risk_utility_map(TABLE, CHOSEN, risk="hellinger", replications=2),
        lambda: plots.risk_utility_map(TABLE, CHOSEN, highlighted=9, replications=2),
        lambda: plots.risk_utility_map(compare(TABLE, CHOSEN, replications=2), CHOSEN),
    ],
)
def test_wrong_arguments_are_refused(call):
    with pytest.raises(InputError):
        call()
