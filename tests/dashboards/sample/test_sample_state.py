"""The sample lab: what it draws, estimates and refuses."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from refusing import sentence
from stating import stating

from sdcwidgets import FrequencyTable
from sdcwidgets.core.estimate.frequencies import negative_binomial, poisson_mixture
from sdcwidgets.core.information import entropy
from sdcwidgets.core.risk.population import r2, terms_after
from sdcwidgets.dashboards.sample import charts as plots
from sdcwidgets.dashboards.sample import texts as words
from sdcwidgets.dashboards.sample.result import (
    cell_size_models,
    compute,
    entropy_by_expectation,
    improve,
    second_term_errors,
)
from sdcwidgets.dashboards.sample.state import SampleState, models
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.widgets.page_state.links import decode, encode

START = SampleState.of_example("religion")


@pytest.fixture(scope="module")
def best():
    """The lab with everything that gets better, an urn among it."""
    state = replace(START, ball=50)
    *_, last = improve(state, compute(state))
    return last


def test_the_truth_is_the_risk_of_the_sample_under_its_population():
    found = compute(START)
    assert found.truth == pytest.approx(float(r2(found.population.counts, found.sample.counts)))
    assert (found.sample.counts <= found.population.counts).all()
    assert found.sampled == 245


def test_the_same_state_shows_the_same_numbers_and_another_draw_another_sample():
    first, again, other = compute(START), compute(START), compute(START.sampled(draw=2))
    assert first.sample == again.sample
    assert first.clouds["urn"].risk.r2.tolist() == again.clouds["urn"].risk.r2.tolist()
    assert first.sample != other.sample


def test_everything_gets_better_to_the_end(best):
    assert {name: cloud.risk.r2.size for name, cloud in best.clouds.items()} == {
        "log-linear": 1000,
        "urn": 1000,
    }
    assert [point.fraction for point in best.curve] == [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75]
    fast, slow = best.new_cells
    assert len(fast) == len(slow) == 200
    assert abs(fast.mean() - slow.mean()) < 5 * np.hypot(fast.std(), slow.std()) / np.sqrt(200)


def test_small_samples_over_estimate_as_in_the_sample_paper(best):
    first = best.curve[0]
    for mean, error in first.estimates.values():
        assert mean - first.truth > 3 * error


def test_the_urn_holds_its_sample_and_the_balls_drawn():
    found = compute(replace(START, ball=100))
    assert found.balls.sum() == 245 + 100
    assert (found.balls >= found.sample.counts.ravel()).all()
    assert len(found.path) == 2449 - 245
    picture = plots.prepare_urn(found)
    assert (picture.cells >= 0).sum() == 345
    assert (picture.cells < 0).sum() == np.ceil(found.theta)


def test_a_black_ball_is_black_on_any_page_and_no_colour_of_a_cell_stands_in_the_legend():
    drawn = plots.draw_urn.plain(plots.prepare_urn(compute(replace(START, ball=100))))["data"]
    named = {one["name"]: one["marker"] for one in drawn if one.get("showlegend", True)}
    black, *others = named.values()
    assert "black" in next(iter(named))
    assert (black["color"], len(others)) == ("#000000", 2)
    assert {look["color"] for look in others} == {"rgba(0,0,0,0)"}


def test_balls_of_a_table_of_three_axes_are_named_by_all_of_them():
    axes = {"Area": "ab", "Age": "012", "Work": "wxyz"}
    state = SampleState(FrequencyTable(np.arange(24).reshape(2, 3, 4), axes))
    drawn = compute(replace(state.sampled(fraction=0.2), ball=9))
    assert all(name.count(", ") == 2 for name in plots.prepare_urn(drawn).names)
    assert re.search(r" [ab], [012], [wxyz]", words.urn_told(drawn))


def test_a_sample_of_an_unknown_population():
    state = START.sampled(known="sample", people=24_490)
    found = compute(state)
    assert found.population is None
    assert found.truth is None
    assert found.sample == START.table
    assert found.people == 24_490
    *_, last = improve(state, found)
    assert last.curve == ()
    assert "is unknown" in words.notice(last)


def test_every_log_linear_model_is_fitted_and_told(best):
    assert [line.name for line in best.lines] == list(models(2))
    deviances = {line.name: line.fit.deviance for line in best.lines}
    assert deviances["saturated"] == pytest.approx(0, abs=1e-9)
    assert deviances["none"] > deviances["columns"] > deviances["main"] > deviances["saturated"]
    lines = words.fits(best)
    assert lines[3].label == "▸ Area + Religion"
    assert lines[4].label == "Area*Religion"
    assert any("its limit" in line.formula[0].text for line in lines)


@pytest.mark.parametrize("others", ["multinomial", "poisson"])
def test_one_model_has_one_risk_on_the_screen(others):
    state = START.sampled(others=others)
    first = compute(state)
    for found in (first, next(improve(state, first))):
        (chosen,) = (one for one in words.fits(found) if one.label.startswith("▸"))
        assert chosen.text == f"{found.clouds['log-linear'].risk.mean:.4f}"
        assert words.formula(found)[0].text.endswith(f"= {chosen.text}")
        assert f"{found.clouds['log-linear'].risk.r2.size:,} populations" in words.fits_note(found)
    # Each other one is within what its few populations allow of the mean of many.
    error = float(re.search(r"up to (\d+\.\d+)", words.fits_note(first)).group(1))
    assert 0 < error < 0.02


def test_the_difference_that_is_told_is_that_of_the_numbers_told():
    for draw in range(1, 9):
        found = compute(START.sampled(draw=draw))
        shown = float(words.formula(found)[0].text.rpartition("= ")[2])
        truth = float(re.search(r"true risk is ([\d.]+)\.", words.caption(found)).group(1))
        told = float(re.search(r"estimated ([\d.]+) (above|below)", words.notice(found)).group(1))
        assert f"{abs(shown - truth):.4f}" == f"{told:.4f}"


def test_zeros_that_are_told_are_those_that_are_drawn(best):
    shares = best.guess.empty
    assert (shares[best.sample.counts > 0] == 0).all()
    assert shares.sum() == pytest.approx(best.clouds["log-linear"].risk.zeros.mean())
    texts = np.array(words.zeros_texts(best))
    assert ((texts == "·") == (best.sample.counts > 0)).all()
    assert sum("○" in text for text in texts.ravel()) == int((best.population.counts == 0).sum())
    assert "25 cells" in words.where_zeros_go(best)


def test_everyone_sampled_leaves_nothing_to_estimate():
    found = compute(START.sampled(fraction=1.0))
    assert found.clouds["log-linear"].risk.r2 == pytest.approx(found.truth)
    assert "no balls" in words.urn_told(found)


@settings(max_examples=12)
@given(
    counts=arrays(
        np.int64, st.tuples(st.integers(1, 4), st.integers(2, 4)), elements=st.integers(0, 20)
    ).filter(np.any),
    fraction=st.floats(0.01, 1),
    known=st.sampled_from(["population", "sample"]),
    terms=st.sampled_from(list(models(2))),
    others=st.sampled_from(["multinomial", "poisson"]),
)
def test_any_table_is_told_and_drawn(counts, fraction, known, terms, others):
    state = SampleState(FrequencyTable(counts)).sampled(
        fraction=fraction, known=known, terms=terms, others=others, people=1000
    )
    found = compute(replace(state, ball=0))
    for told in (
        words.drawn,
        words.caption,
        words.notice,
        words.black_balls,
        words.urn_told,
        words.where_zeros_go,
    ):
        assert told(found).endswith(".")
    assert len(words.explain(found)) == 6
    for prepare, draw in (
        (plots.prepare_clouds, plots.draw_clouds),
        (plots.prepare_curve, plots.draw_curve),
        (plots.prepare_urn, plots.draw_urn),
        (plots.prepare_new_cells, plots.draw_new_cells),
    ):
        picture = prepare(found)
        assert picture.summary
        draw(picture)
        picture.to_frame()


def test_a_table_of_four_axes_has_a_term_for_each():
    rng = np.random.default_rng(1)
    axes = {"Region": "abc", "Sex": "mw", "Age": "012", "Marital": "sd"}
    state = SampleState(FrequencyTable(rng.integers(0, 9, (3, 2, 3, 2)), axes), InMemorySource()).sampled(
        fraction=0.5
    )
    found = compute(state)
    names = words.models(found)
    assert list(names.values()) == [
        *(stating("equal probabilities"), "Region", "Sex", "Age", "Marital"),
        *("Region + Sex + Age + Marital", "Region*Sex*Age*Marital"),
    ]
    assert names[state.sampling.terms] == "Region + Sex + Age + Marital"
    for axis in range(4):  # what the model says of each axis is what the sample says
        others = tuple(k for k in range(4) if k != axis)
        assert found.fit.expected.sum(axis=others) == pytest.approx(found.sample.counts.sum(axis=others))
    marital = compute(state.sampled(terms="axis-4"))
    assert names["axis-4"] == "Marital"
    assert marital.fit.margins == [(3,)]
    assert words.fits(marital)[4].label == "▸ Marital"
    assert words.designs(found)["stratified-sampling"] == stating("category of Region")
    assert SampleState.from_state(decode(encode(marital.state))) == marital.state
    # Another table may have no fourth axis.
    assert marital.state.with_table(START.table, START.source).sampling.terms == "main"
    assert 'no model "axis-4"' in sentence(START.sampled, terms="axis-4")


def test_one_person_was_drawn():
    found = compute(SampleState(FrequencyTable([[1, 0], [0, 0]])).sampled(fraction=1.0))
    assert words.drawn(found).startswith("Sample ")


def test_a_link_brings_everything_back():
    state = replace(START.sampled(fraction=0.2, terms="saturated", draw=7), ball=12)
    assert SampleState.from_state(decode(encode(state))) == state
    assert "no setting 'no'" in sentence(SampleState.from_state, {**state.to_state(), "sampling": {"no": 1}})


def test_the_code_gives_the_numbers_of_the_screen(best):
    names = {}
    source = (
        words.sample_code(START).replace("sample_risk(f", "risk = sample_risk(f").replace(").mean  #", ")  #")
    )
    exec(source, names)
    np.testing.assert_array_equal(names["f"], best.sample.counts)
    assert names["risk"].mean == pytest.approx(best.clouds["log-linear"].risk.mean, abs=0.002)


def test_what_cannot_be_is_refused_in_one_sentence():
    assert "N must be at least the sample size" in sentence(
        compute, START.sampled(known="sample", people=100)
    )
    assert "one person" in sentence(compute, SampleState(FrequencyTable([[0, 0]])))
    assert "no ball with the number 9,999" in sentence(compute, replace(START, ball=9_999))
    assert "Sampling fraction" in sentence(START.sampled, fraction=2)


def test_the_error_of_the_second_term_is_within_the_bound():
    result = compute(SampleState.of_example("religion"))
    errors = second_term_errors(result)
    assert set(errors) == set(result.clouds)
    truth = float(terms_after(result.population.counts.ravel(), result.sample.counts.ravel())[1])
    for name, error in errors.items():
        terms = result.clouds[name].risk.terms[:, 1]
        assert error.actual == pytest.approx(np.abs(terms - truth).mean())
        assert error.within == 1
        assert error.of_entropy + error.of_remaining >= error.actual
        assert error.bound == pytest.approx(error.of_entropy + error.of_remaining + error.of_both)
    picture = plots.prepare_errors(result)
    assert len(plots.draw_errors(picture).data) == 4
    assert f"{errors['urn'].actual:.4f}" in picture.summary


def test_errors_need_a_known_population():
    state = SampleState.of_example("religion").sampled(known="sample", people=5000)
    assert second_term_errors(compute(state)) == {}
    one_cell = SampleState(FrequencyTable([[50, 0], [0, 0]]))
    assert second_term_errors(compute(one_cell)) == {}


def test_the_models_of_cell_sizes_are_those_of_the_library():
    result = compute(SampleState.of_example("religion"))
    models = cell_size_models(result)
    fraction = result.sampled / result.people
    counts = result.population.counts
    assert models["population"].cells[:3].tolist() == [(counts == size).sum() for size in range(3)]
    assert models["population"].entropy == pytest.approx(float(entropy(counts)))
    rates = result.fit.expected / fraction
    np.testing.assert_allclose(models["Poisson mixture"].cells, poisson_mixture(rates, 8))
    np.testing.assert_allclose(
        models["negative binomial"].cells, negative_binomial(result.sample.counts, fraction, 8)
    )
    told = words.entropies_told(result, models)
    assert [row.text for row in told][-1] == f"{entropy_by_expectation(result):.4f}"
    picture = plots.prepare_sizes(result)
    assert len(plots.draw_sizes(picture).data) == len(models) == 4


def test_cell_sizes_of_a_sample_alone_and_of_few_people():
    state = SampleState.of_example("religion").sampled(known="sample", people=5000)
    assert "population" not in cell_size_models(compute(state))
    models = cell_size_models(compute(SampleState(FrequencyTable([[9, 0], [0, 1]]))))
    assert "Poisson mixture" in models


def test_very_large_cells_have_no_entropy_but_a_chart():
    counts = np.random.default_rng(1).pareto(0.3, (10, 10)).clip(0, 50_000).astype(int)
    result = compute(SampleState(FrequencyTable(counts)))
    models = cell_size_models(result)
    assert np.isnan(models["log-normal"].entropy)
    assert any(row.text == "–" for row in words.entropies_told(result, models))


def test_the_caption_states_which_bars_contain_the_true_risk():
    result = compute(START)
    caption = words.clouds_caption(result)
    for name, cloud in result.clouds.items():
        low, high = cloud.risk.interval()
        named = words.MODELS[name] in caption.partition("mean.")[2]
        assert named == (low <= result.truth <= high)
    unknown = compute(result.state.sampled(known="sample", people=result.people))
    assert "true risk" not in words.clouds_caption(unknown)
