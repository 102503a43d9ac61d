import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError, assess, examples, methods
from sdcwidgets.teaching.lessons.protection import live_count, live_map
from sdcwidgets.teaching.lessons.quantities import count_readings

RELIGION = examples.load("religion")


@pytest.fixture
def parts():
    rounding, swapping = methods.get("random-rounding"), methods.get("record-swapping")
    return live_map(RELIGION, {rounding(): "base", swapping(rate=0.2): "rate"}).children


@given(st.integers(0, 20), st.integers(2, 20))
def test_chances_of_random_rounding_sum_to_one_and_are_right_on_average(count, base):
    *chances, mean = count_readings(methods.get("random-rounding")(base=base), count)
    assert sum(float(one.text) for one in chances) == pytest.approx(1, abs=2e-4)
    assert all(int(one.label.split()[-1]) % base == 0 for one in chances)
    assert float(mean.text) == count
    assert all(0 <= share <= 1 for one in (*chances, mean) for share, _ in one.parts)


def test_the_sliders_of_a_count_may_begin_with_another_setting():
    _, base, readout = live_count("random-rounding", "base", 3, 5).children
    assert base.value == 5
    assert [(reading["label"], reading["text"]) for reading in readout.readings[:2]] == [
        ("Published as 0", "0.4000"),
        ("Published as 5", "0.6000"),
    ]


def test_a_turned_count_and_base_are_followed():
    count, base, readout = live_count("random-rounding", "base", 2).children
    count.request = {"value": 6}
    assert [one["label"] for one in readout.readings] == ["Published as 6", "On average"]
    base.request = {"value": 5}
    assert [one["label"] for one in readout.readings] == ["Published as 5", "Published as 10", "On average"]
    assert readout.readings[1]["formula"][0][0] == "probability 1/5"
    base.request = {"value": 1}
    assert base.problem
    assert base.value == 5


def test_a_fraction_is_shown_only_if_it_is_exact():
    readings = count_readings(methods.get("cell-key")(D=2, V=1), 2)[:-1]
    assert [reading.text for reading in readings] == ["0.0638", "0.2447", "0.3830", "0.2447", "0.0638"]
    assert all("/" not in piece.text for reading in readings for piece in reading.formula)
    even = count_readings(methods.get("cell-key")(D=2, V=2), 2)
    assert even[0].formula[0].text == "probability 1/5"
    assert even[-1].formula[0].text.startswith("1/5 · 0 + 1/5 · 1")


def test_a_slider_keeps_other_settings_of_the_method():
    count, variance, readout = live_count("cell-key", "V", 2, 1, most=3, D=2).children
    assert len(readout.readings) == len(range(5)) + 1
    variance.request = {"value": 3}
    assert not variance.problem
    assert [reading["text"] for reading in readout.readings[:5]] == ["0.2000"] * 5
    variance.request = {"value": 3.5}
    assert variance.problem
    count.request = {"value": 20}
    assert readout.readings[0]["label"] == "Published as 18"


def test_a_method_that_is_biased_is_not_right_on_average():
    *_, mean = count_readings(methods.get("conventional-rounding")(base=3), 2)
    assert mean.text == "3.0000"


def test_a_method_without_chances_of_a_count_is_refused():
    with pytest.raises(InputError, match="Record swapping"):
        live_count("record-swapping", "rate", 2)
    with pytest.raises(ValueError, match="independently"):
        count_readings(methods.get("record-swapping")(), 2)


def test_a_setting_is_put_on_the_map_and_stays(parts):
    base, rate, _, _, chart = parts
    assert len(chart.arrays["data/0/x"]) == 2
    assert (base.value, rate.value) == (3, 0.2)
    base.request = {"value": 10}
    rate.request = {"value": 0.3}
    base.request = {"value": 3}
    base.request = {"value": 10}
    loss, risk = chart.arrays["data/0/x"], chart.arrays["data/0/y"]
    assert len(loss) == 4
    whole = assess(
        RELIGION, methods.get("random-rounding")(base=10), replications=200, seed=1
    ).after.whole_slice
    assert np.isclose(loss, whole.hellinger.mean[0], atol=1e-4).sum() == 1
    assert np.isclose(risk, whole.r2.mean[0], atol=1e-6).sum() == 1
    assert re.search(r"Random rounding, base 10, on average: [\w ]*risk[^,]* 0\.1998", chart.summary), (
        chart.summary
    )


def test_a_threshold_moves_its_line_and_keeps_the_points(parts):
    _, _, after, loss, chart = parts
    points = chart.arrays["data/0/x"]
    assert "2 of 2 settings meet both limits" in chart.summary
    after.request = {"value": 0.15}
    assert "None of 2 settings passes" in chart.summary
    after.request = {"value": 0.22}
    loss.request = {"value": 3.1}
    assert "1 of 2 settings meet both limits on average. Setting: Random rounding" in chart.summary
    assert chart.arrays["data/0/x"] == points
    assert (after.value, loss.value) == (0.22, 3.1)
