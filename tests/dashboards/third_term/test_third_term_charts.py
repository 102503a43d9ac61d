import numpy as np
import pytest

from sdcwidgets.dashboards.third_term import charts as third_term
from sdcwidgets.dashboards.third_term.result import compute
from sdcwidgets.dashboards.third_term.state import ThirdTermSettings, ThirdTermState


def curves(**settings):
    return third_term.prepare(compute(ThirdTermState(settings=ThirdTermSettings(**settings))))


def test_the_curves_begin_at_1_and_fall():
    prepared = curves(epsilon=0.3)
    for line in (*prepared.chosen.values(), *prepared.fan.values()):
        assert line[0] == pytest.approx(1)
        assert np.all(np.diff(line) < 0)
    assert np.all(prepared.chosen["h1"] <= prepared.chosen["h2"])


def test_the_chosen_size_and_the_row_are_marked():
    prepared = curves(people=400)
    *_, dots, diamonds = third_term.draw(prepared).to_dict()["data"]
    assert (dots["x"], dots["y"][0]) == ([400, 400], 0.05)
    assert diamonds["x"] == [8, 8, 8]
    assert diamonds["y"] == pytest.approx([0.3536, 0.7212, 0.9693], abs=1e-4)
    assert "For 400 people, they are 0.0500" in prepared.summary


@pytest.mark.parametrize("fan", ["h1", "h2"])
def test_the_numbers_are_those_of_the_lines(fan):
    frame = curves(fan=fan).to_frame()
    assert frame["N"].tolist() == [10**power for power in range(7)]
    assert list(frame)[1:3] == ["h1, ε = 0.5", "h2, ε = 0.5"]
    assert frame[f"{fan}, ε = 0.5"].iloc[1] == pytest.approx({"h1": 0.3162, "h2": 0.6803}[fan], abs=1e-4)


def test_the_summary_has_the_values_of_a_million_people():
    prepared = curves(epsilon=0.5)
    frame = prepared.to_frame().set_index("N")
    values = [frame.loc[10**6, f"{name}, ε = 0.5"] for name in ("h1", "h2")]
    assert "a million people" in prepared.summary
    assert values == pytest.approx([0.001, 1e-3 * (1 + np.log(1e3))], rel=1e-6)
    assert f"{values[0]:.4f} and {values[1]:.4f} for" in prepared.summary
