"""The risk-utility map as a figure: what is clicked, what is dragged, and what is told by name."""

from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets import examples, methods
from sdcwidgets.measures.loss import Hellinger, RelativeDistance, Utility
from sdcwidgets.measures.risk import R2, R2Star
from sdcwidgets.plots import risk_utility
from sdcwidgets.plots.methods import LOOKS, look
from sdcwidgets.plots.naming import HEIGHT, WIDTH, named
from sdcwidgets.plots.risk_utility import drawing
from sdcwidgets.replications import replicate
from sdcwidgets.search import Thresholds
from sdcwidgets.settings import Settings
from sdcwidgets.table import FrequencyTable

RELIGION = examples.load("religion")
ROUNDING, SWAPPING = methods.get("random-rounding"), methods.get("record-swapping")


def drawn(chosen, current=0, thresholds=None, shown=None, axes=None, kinds=()):
    points = [replicate(RELIGION, method, Settings(replications=30)) for method in chosen]
    return risk_utility.prepare(
        points, axes or (R2(), Hellinger()), thresholds or Thresholds(), current, shown, kinds
    )


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
    layout = risk_utility.draw.plain(several)["layout"]
    paths = {
        path["line"]["color"]: path["path"]
        for path in layout["shapes"]
        if path["type"] == "path" and "H" in path["path"]
    }
    assert set(paths) == {look("random-rounding").colour, look("record-swapping").colour}
    swapped = paths[look("record-swapping").colour]
    assert paths[look("random-rounding").colour].count("M") == sum(
        len(cloud) for cloud in several.clouds[:10]
    )
    assert swapped.count("M") == len(several.clouds[10])
    loss, risk = several.clouds[10][0]
    left, height, right = swapped.split("M")[1].replace("H", ",").split(",")
    assert (float(left) + float(right)) / 2 == pytest.approx(loss, abs=1e-3)
    assert float(height) == pytest.approx(risk, abs=1e-5)


def test_no_shape_is_left_out_when_there_are_fewer_clouds(several):
    fewer = drawn([SWAPPING(rate=0.1)], kinds=several.families)
    one = risk_utility.draw.plain(fewer)["layout"]["shapes"]
    assert len(one) == len(risk_utility.draw.plain(several)["layout"]["shapes"])


def test_a_line_leads_from_each_name_to_what_it_names(several):
    figure = risk_utility.draw.plain(several)
    names = [note for note in figure["layout"]["annotations"] if "xshift" in note]
    line = figure["data"][-1]
    assert line["x"][2::3] == [None] * len(names)
    (left, right), (low, high) = (figure["layout"][axis]["range"] for axis in ("xaxis", "yaxis"))
    for k, name in enumerate(names):
        assert line["x"][3 * k + 1] == pytest.approx(name["x"] + name["xshift"] / WIDTH * (right - left))
        assert line["y"][3 * k + 1] == pytest.approx(name["y"] + name["yshift"] / HEIGHT * (high - low))


def test_each_kind_of_method_is_named_beside_its_cloud(several):
    notes = risk_utility.draw.plain(several)["layout"]["annotations"]
    names = {note["text"]: note for note in notes if "xshift" in note}
    assert set(names) == {several.names[7], "Record swapping"}
    assert names["Record swapping"]["font"]["color"] == look("record-swapping").colour
    assert names["Record swapping"]["x"] == several.loss[10]


def test_the_shown_draw_is_marked():
    figure = risk_utility.draw.plain(drawn([ROUNDING(base=3)], shown=11))
    ring = next(trace for trace in figure["data"] if trace["name"] == "draw 12, shown")
    point = drawn([ROUNDING(base=3)]).points[0]
    assert ring["x"] == [pytest.approx(point.draws[Hellinger()][11], abs=1e-4)]
    assert ring["y"] == [pytest.approx(point.draws[R2()][11], abs=1e-6)]


@pytest.mark.parametrize(
    ("limits", "texts"),
    [
        (Thresholds(0.2, 0.215, 4), {"T₁ 0.2 ↓", "T₂ 0.215", "T₃ 4"}),
        (Thresholds(0.9, 0.01, 40), {"T₁ 0.9 ↑", "T₂ 0.01 ↓", "T₃ 40 →"}),
    ],
)
def test_thresholds_are_on_the_map_or_pointed_at(limits, texts):
    layout = risk_utility.draw.plain(drawn([ROUNDING(base=3)], thresholds=limits))["layout"]
    notes = {note["text"]: note for note in layout["annotations"] if "xshift" not in note}
    assert set(notes) == texts
    low, high = layout["yaxis"]["range"]
    assert all(low <= note["y"] <= high for text, note in notes.items() if "T₃" not in text)


def test_the_numbers_of_a_small_risk_have_room():
    even = FrequencyTable([[5000, 5100], [4900, 5050]])
    point = replicate(even, ROUNDING(base=3), Settings(replications=20))
    layout = risk_utility.draw.plain(
        risk_utility.prepare([point], (R2(), Hellinger()), Thresholds(0.003, 0.004, 11), 0)
    )["layout"]
    low, high = layout["yaxis"]["range"]
    assert high - low > 0.001
    assert drawing._left((0.1, 0.1001)) > drawing._left((0.1, 0.2)) == 66


def test_no_name_of_a_cloud_covers_that_of_a_threshold():
    cloud = ([np.array([0.4, 0.86])], ["Random rounding"], ["red"], np.empty((0, 2)), (0, 1), (0, 1))
    (free,) = named(*cloud)
    covered = 0.4 + free["xshift"] / WIDTH, 0.86 + free["yshift"] / HEIGHT
    note = {"text": "T₃ 0.51", "x": covered[0], "y": covered[1], "yanchor": "top"}
    (moved,) = named(*cloud, [note])
    assert (moved["xshift"], moved["yshift"]) != (free["xshift"], free["yshift"])


def test_a_name_keeps_out_of_a_part_where_it_would_mislead_if_there_is_other_room():
    cloud = ([np.array([0.4, 0.6])], ["Random rounding"], ["red"], np.empty((0, 2)), (0, 1), (0, 1))
    (free,) = named(*cloud)
    (moved,) = named(*cloud, avoided=[np.array([[0, 0.6], [1, 1]])])
    assert (free["yshift"], moved["yshift"]) == (34, -34)
    everywhere = np.array([[0, 0], [1, 1]])
    assert named(*cloud, avoided=[everywhere]) == [free]


def test_names_of_methods_stay_where_they_are_when_another_setting_is_chosen(several):
    places = []
    for chosen in (0, 7, 9):
        notes = risk_utility.draw.plain(replace(several, current=chosen))["layout"]["annotations"]
        assert several.names[chosen] in [note["text"] for note in notes]
        places.append([note for note in notes if note["text"] == "Record swapping"])
    assert len(places[0]) == 1
    assert places[0] == places[1] == places[2]


def test_a_dot_tells_its_name_and_those_of_the_dots_that_it_hides(several):
    same = replace(
        several,
        loss=np.array([*np.arange(5.0), 9, 9, 9.0001, 9, 9, 9]),
        risk=np.array([0.1] * 10 + [np.nan]),
    )
    means = risk_utility.draw.plain(same)["data"][0]
    assert "%{customdata}" in means["hovertemplate"]
    assert "%{text}" in means["hovertemplate"]
    assert means["text"][:5] == [""] * 5
    assert means["text"][10] == ""
    lines = means["text"][7].split("<br>")
    assert lines == ["", "in nearly the same place:", *(several.names[i] for i in (5, 6, 8, 9))]


def test_the_settings_that_pass_are_told_by_name_least_lost_first(several):
    wide = replace(several, thresholds=Thresholds(0.9, 0.9, 1000))
    order = np.argsort(several.loss, kind="stable")[:5]
    assert wide.summary.endswith(f"least is lost by {'; '.join(several.names[i] for i in order)}.")
    assert "11 of 11 settings keep T₂ and T₃ on average." in wide.summary
    assert wide.summary.startswith("Large: the mean of a setting; small: its single draws. ")
    least = int(np.argmin(several.loss))
    one = replace(several, thresholds=Thresholds(0.9, 0.9, float(several.loss[least]) + 1e-9))
    assert one.summary.endswith(f"1 of 11 settings keep T₂ and T₃ on average. It is {several.names[least]}.")


def test_the_table_begins_with_the_settings_that_pass_least_lost_first(several):
    limit = float(np.sort(several.loss)[4])
    some = replace(several, thresholds=Thresholds(0.9, 0.9, limit))
    frame = some.to_frame()
    assert frame["keeps T₂ and T₃ on average"].tolist() == ["yes"] * 5 + ["no"] * 6
    assert sorted(frame["method"]) == sorted(several.names)
    assert frame["method"].tolist() == [several.names[i] for i in np.argsort(several.loss, kind="stable")]


def test_names_of_two_near_thresholds_stand_on_both_sides():
    layout = risk_utility.draw.plain(drawn([ROUNDING(base=3)], thresholds=Thresholds(0.2148, 0.215, 4)))[
        "layout"
    ]
    notes = {note["text"]: note for note in layout["annotations"] if "xshift" not in note}
    assert (notes["T₁ 0.2148"]["yanchor"], notes["T₂ 0.215"]["yanchor"]) == ("top", "bottom")


def test_thresholds_that_are_all_off_the_map_are_named_below_each_other():
    layout = risk_utility.draw.plain(drawn([ROUNDING(base=3)], thresholds=Thresholds(0.8, 0.9, 40)))["layout"]
    notes = [note for note in layout["annotations"] if "xshift" not in note]
    assert sorted(note.get("yshift", 0) for note in notes) == [-34, -17, 0]


def test_when_nothing_passes_it_says_what_would_have_to_give():
    none = drawn([ROUNDING(base=3), ROUNDING(base=10)], thresholds=Thresholds(0.1, 0.2, 3.5))
    assert none.summary.endswith(
        f"None of 2 settings passes: T₂ would have to be above {none.risk[0]:.4f} (Random rounding, base 3), "
        f"or T₃ at least {none.loss[1]:.2f} (Random rounding, base 10). Or try other methods, or publish less detail."
    )


def test_the_numbers_to_save_have_every_draw_both_variants_and_errors(several):
    draws, means = several.every_draw(), several.every_mean()
    assert len(draws) == 11 * 30
    assert {"r2_information", "r2_uncertainty", "hellinger", "seed", "draw"} <= set(draws)
    assert {"r2_information", "r2_information_error", "r2_uncertainty_error", "hellinger_error"} <= set(means)
    assert means["r2_information"].tolist() == several.risk.tolist()


def test_looks_are_of_the_name_and_nothing_else():
    every = [look(name) for name in methods.available()]
    assert len({one.shape for one in every}) == len({one.colour for one in every}) == len(every)
    assert look("somebody's own") == look("somebody's own")
    assert look("somebody's own").shape not in {one.shape for one in LOOKS.values()}


@pytest.mark.parametrize("loss", [Utility(), RelativeDistance()])
def test_other_axes(loss):
    points = [
        replicate(RELIGION, ROUNDING(base=base), Settings(replications=20), [R2Star(), loss])
        for base in (3, 9)
    ]
    found = risk_utility.prepare(points, (R2Star(), loss), Thresholds(0.1, 0.17, 0.92), 0)
    layout = risk_utility.draw.plain(found)["layout"]
    assert layout["xaxis"]["title"]["text"].startswith(loss.title)
    assert found.original == (loss.before(RELIGION), R2Star().before(RELIGION))
    assert found.best.all()
