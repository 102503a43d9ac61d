"""The risk-utility map as a figure: what is clicked, what is dragged, and what is told by name."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import examples, methods
from sdcwidgets.assessment.replications import replicate
from sdcwidgets.assessment.search import candidates
from sdcwidgets.measures.base import select
from sdcwidgets.measures.loss import Hellinger, RelativeDistance, Utility
from sdcwidgets.measures.risk import R2, R2Followed, R2Star
from sdcwidgets.measures.settings import Settings
from sdcwidgets.plots import risk_utility
from sdcwidgets.plots.point_labels import LINE, free_lines
from sdcwidgets.plots.risk_utility.drawing import HIGH
from sdcwidgets.plots.style import ACCENT, MUTE, resolved
from sdcwidgets.tables.table import FrequencyTable

RELIGION = examples.load("religion")
ROUNDING, SWAPPING = methods.get("random-rounding"), methods.get("record-swapping")
ASKED = (0.215, 4.0)


def drawn(chosen, current=0, limits=ASKED, index=None, table=RELIGION, replications=30):
    points = [replicate(table, method, Settings(replications=replications)) for method in chosen]
    return risk_utility.prepare(points, (R2(), Hellinger()), limits, current, index)


@pytest.fixture(scope="module")
def several():
    return drawn([*(ROUNDING(base=base) for base in range(2, 12)), SWAPPING(rate=0.1)], current=7)


def notes_of(picture):
    return risk_utility.draw.plain(picture)["layout"]["annotations"]


def test_means_are_the_first_trace_and_limits_the_first_shapes(several):
    figure = risk_utility.draw(several).to_dict()
    means = figure["data"][0]
    assert means["customdata"] == list(several.names)
    np.testing.assert_allclose(means["x"], several.loss, atol=1e-4)
    first, second = figure["layout"]["shapes"][:2]
    assert (first["y0"], second["x0"]) == several.limits
    assert means["marker"]["color"] == [resolved(ACCENT if best else MUTE) for best in several.best]


def test_every_draw_of_the_chosen_setting_is_a_stroke_of_its_path(several):
    for picture, others in ((several, 0), (drawn([SWAPPING(rate=0.1), ROUNDING()]), 30)):
        rest, own = (
            one for one in risk_utility.draw.plain(picture)["layout"]["shapes"] if one["type"] == "path"
        )
        cloud = picture.clouds[picture.current]
        assert own["path"].count("H") == len(cloud)
        assert rest["path"].count("H") == others
        left, height, right = own["path"].split("M")[1].replace("H", ",").split(",")
        assert (float(left) + float(right)) / 2 == pytest.approx(cloud[0][0], abs=1e-3)
        assert float(height) == pytest.approx(cloud[0][1], abs=1e-5)


def test_there_are_as_many_shapes_whatever_is_shown(several):
    """Where there were fewer, plotly would leave old ones behind."""
    numbers = {
        len(risk_utility.draw.plain(picture)["layout"]["shapes"])
        for picture in (several, drawn([SWAPPING(rate=0.1)]), replace(several, limits=(None, None)))
    }
    assert len(numbers) == 1


def test_it_names_the_chosen_setting_and_what_nothing_beats_within_the_limits(several):
    texts = [note["text"] for note in notes_of(several)]
    assert f"<b>selected: {several.names[7]}</b>" in texts
    assert "original table" in texts
    named = [several.names[i] for i in several.named]
    assert set(named) <= set(texts)
    assert all(several.best[i] and several.allowed[i] for i in several.named)
    assert len({type(several.methods[i]) for i in several.named}) == len(named)
    nobody = {several.names[i] for i in np.flatnonzero(~several.best)}
    assert not nobody & set(texts)


@pytest.fixture(scope="module")
def many():
    """A table of 25 x 12 with every method."""
    rng = np.random.default_rng(5)
    table = FrequencyTable(rng.poisson(rng.gamma(0.7, 9, size=(25, 12))))
    slow = ("controlled-rounding", "cell-suppression", "redesign")
    quick = [one for one in candidates(table=table) if one.name not in slow]
    return drawn(quick[::3], table=table, replications=2, limits=(None, None))


@given(st.data())
def test_no_two_names_share_a_line(many, data):
    """Names that are on lines of their own cover each other at no width."""
    current = data.draw(st.integers(0, len(many.points) - 1))
    risk = data.draw(st.none() | st.floats(0, 1))
    loss = data.draw(st.none() | st.floats(0, 60))
    picture = replace(many, current=current, limits=(risk, loss))
    assert len(picture.named) <= 5
    low, high = risk_utility.draw.plain(picture)["layout"]["yaxis"]["range"]
    lines = []
    for note in notes_of(picture):
        down = 0.0 if note["yref"] == "paper" else (high - note["y"]) / (high - low) * HIGH
        lines.append(down - note["yshift"])
    lines.sort()
    assert (np.diff(lines) > LINE - 1e-6).all()
    assert lines[0] >= LINE / 2 - 1e-6
    assert lines[-1] <= HIGH - LINE / 2 + 1e-6


@given(st.lists(st.floats(-50, 450), max_size=10), st.floats(0, 350))
def test_lines_of_text_are_apart_and_inside(wanted, taken):
    found = free_lines(wanted, [taken], HIGH)
    every = sorted([*found, taken])
    assert all(later - sooner >= LINE for sooner, later in pairwise(every))
    assert all(0 <= one <= HIGH - LINE for one in found)


def test_a_line_leads_from_each_name_to_what_it_names(several):
    figure = risk_utility.draw.plain(several)
    names = [note for note in figure["layout"]["annotations"] if "xref" not in note and note["yref"] == "y"]
    line = figure["data"][-1]
    assert line["x"][2::3] == [None] * len(names)
    low, high = figure["layout"]["yaxis"]["range"]
    for k, name in enumerate(names):
        assert line["x"][3 * k : 3 * k + 2] == [name["x"]] * 2
        assert line["y"][3 * k + 1] == pytest.approx(name["y"] + name["yshift"] / HIGH * (high - low))


def test_the_shown_draw_is_marked():
    figure = risk_utility.draw.plain(drawn([ROUNDING(base=3)], index=11))
    ring = next(trace for trace in figure["data"] if trace["name"] == "replicate 12, shown")
    point = drawn([ROUNDING(base=3)]).points[0]
    assert ring["x"] == [pytest.approx(point.draws[Hellinger()][11], abs=1e-4)]
    assert ring["y"] == [pytest.approx(point.draws[R2()][11], abs=1e-6)]


@pytest.mark.parametrize(
    ("limits", "texts"),
    [
        ((0.215, 4), {"residual risk: at most 0.215", "loss: at most 4"}),
        ((0.01, 40), {"residual risk: at most 0.01 ↓", "loss: at most 40 →"}),
        ((0.9, None), {"residual risk: at most 0.9 ↑"}),
        ((None, None), set()),
    ],
)
def test_limits_are_on_the_map_or_pointed_at(limits, texts):
    layout = risk_utility.draw.plain(drawn([ROUNDING(base=3)], limits=limits))["layout"]
    assert {note["text"] for note in layout["annotations"] if "at most" in note["text"]} == texts
    assert [shape["visible"] for shape in layout["shapes"][:2]] == [limit is not None for limit in limits]


def test_the_numbers_of_a_small_risk_have_room():
    even = FrequencyTable([[5000, 5100], [4900, 5050]])
    point = replicate(even, ROUNDING(base=3), Settings(replications=20))
    picture = risk_utility.prepare([point], (R2(), Hellinger()), (0.004, 11), 0)
    layout = risk_utility.draw.plain(picture)["layout"]
    low, high = layout["yaxis"]["range"]
    assert high - low > 0.001
    assert layout["margin"]["l"] >= 66


def test_a_long_title_of_the_vertical_axis_has_lines_that_fit():
    shown = []
    for measure in (R2(), R2Followed()):
        point = replicate(
            RELIGION, ROUNDING(base=3), Settings(replications=2), measures=(measure, Hellinger())
        )
        picture = risk_utility.prepare([point], (measure, Hellinger()), ASKED, 0)
        shown.append(risk_utility.draw.plain(picture)["layout"])
    lines = [layout["yaxis"]["title"]["text"].split("<br>") for layout in shown]
    assert [len(parts) > 1 for parts in lines] == [False, True]
    assert max(len(line) for parts in lines for line in parts) * 7 < HIGH
    assert shown[1]["margin"]["l"] - shown[0]["margin"]["l"] == 18 * (len(lines[1]) - 1)


def test_an_undefined_risk_has_no_label():
    """The group disclosure of religion has no value, so that no label of the map has a position."""
    axes = (select(RELIGION, None, names=("gad_star",))[0], Hellinger())
    point = replicate(RELIGION, ROUNDING(base=3), Settings(replications=2), measures=axes)
    picture = risk_utility.prepare([point], axes, (None, None), 0)
    assert np.isnan(picture.original[1])
    notes = notes_of(picture)
    assert len(notes) == 1  # the selected setting
    assert all(np.isfinite(note["yshift"]) and np.isfinite(note["y"]) for note in notes)


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
    assert lines == ["", stating("same position"), *(several.names[i] for i in (5, 6, 8, 9))]


def test_a_label_in_a_name_is_no_markup():
    table = FrequencyTable([[5, 1, 3], [2, 8, 1]], {"A": ["x", "y"], "B": ["<b>1</b>", "<i>2</i>", "3"]})
    redesign = methods.get("redesign")(together=[["<b>1</b>", "<i>2</i>"]])
    told = str(risk_utility.draw.plain(drawn([redesign, ROUNDING()], table=table)))
    assert "<i>2" not in told
    assert "&lt;i&gt;2" in told


def test_the_settings_that_pass_are_told_by_name_least_lost_first(several):
    wide = replace(several, limits=(0.9, 1000))
    order = np.argsort(several.loss, kind="stable")[:5]
    assert wide.summary.endswith(f"Lowest loss: {'; '.join(several.names[i] for i in order)}.")
    assert "11 of 11 settings meet both limits on average." in wide.summary
    least = int(np.argmin(several.loss))
    one = replace(several, limits=(None, float(several.loss[least]) + 1e-9))
    assert one.summary.endswith(
        f"1 of 11 settings meet the limit on average. Setting: {several.names[least]}."
    )
    free = replace(several, limits=(None, None))
    assert f"{several.best.sum()} of 11 settings are Pareto-optimal." in free.summary


def test_the_table_begins_with_the_settings_that_pass_least_lost_first(several):
    limit = float(np.sort(several.loss)[4])
    some = replace(several, limits=(0.9, limit))
    frame = some.to_frame()
    assert frame["keeps both limits on average"].tolist() == ["yes"] * 5 + ["no"] * 6
    assert sorted(frame["method"]) == sorted(several.names)
    assert frame["method"].tolist() == [several.names[i] for i in np.argsort(several.loss, kind="stable")]
    assert not any("limit" in column for column in replace(several, limits=(None, None)).to_frame())


def test_when_nothing_passes_it_says_what_would_have_to_give():
    none = drawn([ROUNDING(base=3), ROUNDING(base=10)], limits=(0.2, 3.5))
    assert none.summary == stating(
        "2 settings", f"above {none.risk[0]:.4f}", "base 3", f"least {none.loss[1]:.2f}", "base 10"
    )


def test_the_numbers_to_save_have_every_draw_both_variants_and_errors(several):
    draws, means = several.every_draw(), several.every_mean()
    assert len(draws) == 11 * 30
    assert {"r2", "r2_uncertainty", "hellinger", "seed", "draw"} <= set(draws)
    assert {"r2_error", "r2_uncertainty_error", "hellinger_error"} <= set(means)
    assert means["r2"].tolist() == several.risk.tolist()


@pytest.mark.parametrize("loss", [Utility(), RelativeDistance()])
def test_other_axes(loss):
    points = [
        replicate(RELIGION, ROUNDING(base=base), Settings(replications=20), [R2Star(), loss])
        for base in (3, 9)
    ]
    found = risk_utility.prepare(points, (R2Star(), loss), (0.17, 0.92), 0)
    layout = risk_utility.draw.plain(found)["layout"]
    assert layout["xaxis"]["title"]["text"].startswith(loss.title)
    word = "utility: at least 0.92" if loss.more_is_better else "loss: at most 0.92"
    assert any(note["text"].startswith(word) for note in layout["annotations"])
    assert found.original == (loss.before(RELIGION), R2Star().before(RELIGION))
    assert found.best.all()
