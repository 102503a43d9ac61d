"""The risk-utility map as a figure: what is clicked, what is dragged, and what is told by name."""

import numpy as np
import pytest

from sdcwidgets import examples, methods
from sdcwidgets.plots import risk_utility
from sdcwidgets.replications import replicate
from sdcwidgets.search import Thresholds
from sdcwidgets.settings import Settings

RELIGION = examples.load("religion")
ROUNDING, SWAPPING = methods.get("random-rounding"), methods.get("record-swapping")


def drawn(chosen, current=0):
    points = [replicate(RELIGION, method, Settings(replications=30)) for method in chosen]
    return risk_utility.prepare(points, "information", 0.2315, Thresholds(), current)


@pytest.fixture(scope="module")
def several():
    return drawn([*(ROUNDING(base=base) for base in range(2, 12)), SWAPPING(rate=0.1)], current=7)


def test_means_are_the_first_trace_and_thresholds_the_first_shapes(several):
    figure = risk_utility.draw(several).to_dict()
    means = figure["data"][0]
    assert means["customdata"] == list(several.names)
    np.testing.assert_allclose(means["x"], several.loss, atol=1e-4)
    limits = [shape.get("y0") for shape in figure["layout"]["shapes"][:2]]
    assert limits == [several.thresholds.before, several.thresholds.after]
    assert figure["layout"]["shapes"][2]["x0"] == several.thresholds.loss


def test_every_draw_of_a_family_is_a_stroke_of_its_path(several):
    paths = [
        shape for shape in risk_utility.draw.plain(several)["layout"]["shapes"] if shape["type"] == "path"
    ]
    assert [path["path"].count("M") for path in paths] == [
        sum(len(cloud) for cloud in several.clouds[:10]),
        len(several.clouds[10]),
    ]
    assert paths[0]["line"]["color"] != paths[1]["line"]["color"]
    loss, risk = several.clouds[10][0]
    left, height, right = paths[1]["path"].split("M")[1].replace("H", ",").split(",")
    assert (float(left) + float(right)) / 2 == pytest.approx(loss, abs=1e-3)
    assert float(height) == pytest.approx(risk, abs=1e-5)


def test_the_chosen_setting_has_its_name_and_no_name_is_empty(several):
    names = risk_utility.draw.plain(several)["data"][-1]
    assert f"  {several.names[7]}  " in names["text"]
    assert all(text.strip() for text in names["text"])
    assert len(names["text"]) == len(names["x"]) == len(names["textposition"])


def test_more_methods_than_colours_still_have_one_each():
    assert len(risk_utility.PALETTE) == len(risk_utility.SHAPES)
    one = drawn([ROUNDING(base=3)])
    assert one.families == [ROUNDING]
    assert len(risk_utility.draw.plain(one)["layout"]["shapes"]) == 4
