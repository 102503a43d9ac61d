"""The risk estimated from a sample, as a measure: what it is of a sample, and that it needs one."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, assess, examples, measures, methods
from sdcwidgets.core.estimate import draw_populations, sample_risk
from sdcwidgets.measures import Batch

RELIGION = examples.load("religion")
SAMPLING = methods.get("simple-random-sampling")(fraction=0.1)


def test_it_is_the_mean_risk_of_estimated_populations():
    f = SAMPLING.apply(RELIGION, np.random.default_rng(1)).counts
    one = measures.get("estimated_risk")(populations=1000)
    found = one.values(Batch(RELIGION, f[np.newaxis]))[0, 0]
    other = sample_risk(f, draw_populations(f, 2449, 1000, np.random.default_rng(2)))
    assert found == pytest.approx(other.mean, abs=5 * other.spread / np.sqrt(500))
    assert f"{found:.4f}" in one.explain(Batch(RELIGION, f[np.newaxis]))[-1][0].text


def test_its_mean_over_samples_is_the_printed_one():
    """Sample paper, Table 2, real table, fraction 0.1, log-linear model: 0.1715 (st. dev. 0.0173)."""
    one = measures.get("estimated_risk")()
    after = assess(RELIGION, SAMPLING, measures=[one], replications=400, seed=3).after
    draws = after.draws[one]
    assert draws.mean() == pytest.approx(0.1715, abs=4 * 0.0173 * np.sqrt(1 / 400 + 1 / 1000))
    assert draws.std() == pytest.approx(0.0173, rel=0.2)


def test_everyone_in_the_sample_leaves_the_risk_of_the_table():
    value = measures.get("estimated_risk")().values(Batch(RELIGION, RELIGION.counts[np.newaxis]))
    assert value[0, 0] == pytest.approx(measures.get("r1")().before(RELIGION))


def test_what_is_no_sample_has_no_estimated_risk():
    more, none = RELIGION.counts + 1, np.zeros_like(RELIGION.counts)
    one = measures.get("estimated_risk")()
    values = one.values(Batch(RELIGION, np.stack([more, none])))
    assert np.isnan(values).all()
    assert one.format_value(values[0, 0]) == f"–, {one.nothing}"
    assert "a sample" in one.explain(Batch(RELIGION, more[np.newaxis]))[0][0].text
    gap = RELIGION.counts.astype(float)
    gap[0, 0] = np.nan
    assert np.isnan(one.values(Batch(RELIGION, gap[np.newaxis]))).all()


def test_it_is_shown_only_where_it_is_asked_for_and_there_is_a_sample():
    assert all(one.name != "estimated_risk" for one in measures.select(RELIGION, None, followed=True))
    assert [one.name for one in measures.select(RELIGION, None, names=("estimated_risk",))] == [
        "estimated_risk"
    ]
    with pytest.raises(InputError, match="simple-random-sampling"):
        assess(RELIGION, "random-rounding", measures=["estimated_risk"])


def test_the_distance_of_a_sample_is_told_as_published_and_divided_by_the_fraction():
    table = FrequencyTable([[40, 80], [120, 160]])
    sample = np.array([[[4, 8], [12, 16]]])
    told = "".join(
        piece.text for line in measures.get("utility")().explain(Batch(table, sample)) for piece in line
    )
    assert measures.get("hellinger")().values(Batch(table, sample))[0, 0] == pytest.approx(
        np.sqrt(400 / 2) * (1 - np.sqrt(0.1))
    )
    assert "N/n = 10. Then HD is 0.0000, and 1 − HD/√N is 1.0000" in told
    whole = "".join(piece.text for line in measures.get("utility")().explain(Batch(table)) for piece in line)
    assert "sample" not in whole


def test_a_table_of_two_cells_has_an_estimated_risk_and_one_of_one_cell_has_none():
    one = measures.get("estimated_risk")()
    two, single = FrequencyTable([40, 60]), FrequencyTable([100])
    assert 0 <= one.values(Batch(two, np.array([[4, 6]])))[0, 0] <= 1
    assert np.isnan(one.values(Batch(single, np.array([[10]])))[0, 0])
