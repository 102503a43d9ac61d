"""Figure 2 of the comparison study: sixteen points here, and the sixteen that are printed."""

import pytest
from stating import stating

from sdcwidgets.dashboards.tables import charts as plots
from sdcwidgets.tableserver import comparison


@pytest.fixture(scope="module")
def found():
    return comparison.compare(seed=1)


def test_figure_2_draws_every_point_here_and_in_print(found):
    drawn = plots.draw.plain(plots.comparison(found))
    names = [trace["name"] for trace in drawn["data"]]
    assert sorted(names) == sorted(
        name for method in ("RS", "RR", "SP", "RRP") for name in (method, f"{method}, published")
    )
    for trace in drawn["data"]:
        method, _, printed = trace["name"].partition(", ")
        columns = ("utility printed", "risk printed") if printed else ("utility", "risk")
        some = found.xs(method, level="method")
        assert list(trace["text"]) == ["T1", "T2", "T3", "T4"]
        assert list(trace["x"]) == some[columns[0]].tolist()
        assert list(trace["y"]) == some[columns[1]].tolist()
        assert trace["marker"]["symbol"].endswith("-open") == bool(printed)
    swapped = next(trace["marker"] for trace in drawn["data"] if trace["name"] == "RS")
    assert (swapped["color"], swapped["symbol"]) == (
        plots.KINDS["RS"].colour,
        plots.KINDS["RS"].shape,
    )
    assert len({trace["marker"]["symbol"] for trace in drawn["data"]}) == 8
    printed = next(trace for trace in drawn["data"] if trace["name"] == "SP, published")
    assert list(printed["y"]) == [0.239, 0.210, 0.254, 0.229]


def test_figure_2_without_print_and_its_summary(found):
    picture = plots.comparison(found, printed=False)
    assert len(picture.points) == 16
    below = (found.drop("original", level="method")["risk"] < 0.15).sum()
    assert picture.summary == stating(f"{below}", "16 recomputed", "below 0.15")
    line = plots.draw(picture).to_plotly_json()["layout"]["shapes"]
    assert [one["y0"] for one in line] == [0.15]


@pytest.mark.parametrize(
    ("values", "limit", "expected"),
    [
        ([], None, (-0.12, 1.18)),
        ([], 0.5, (0.4976, 0.5036)),
        ([0.2, 0.6], None, (0.152, 0.672)),
        ([0.2, 0.6], 0.9, (0.152, 0.972)),
        ([0.2, 0.6], 1.0, (0.152, 0.672)),
    ],
)
def test_the_range_of_an_axis_has_all_values_and_a_near_threshold(values, limit, expected):
    assert plots._range(values, limit) == pytest.approx(expected)


def test_the_labels_of_figure_2_do_not_overlap(found):
    drawn = plots.draw.plain(plots.comparison(found))
    layout = drawn["layout"]
    low, high = layout["xaxis"]["range"]
    down, up = layout["yaxis"]["range"]
    height = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    middles = []
    for trace in drawn["data"]:
        for x, y, position in zip(trace["x"], trace["y"], trace["textposition"], strict=True):
            upright, sideways = position.split()
            across = {"left": -15, "center": 0, "right": 15}[sideways]
            downward = {"top": -15, "middle": 0, "bottom": 15}[upright]
            middles.append(
                ((x - low) / (high - low) * 600 + across, (up - y) / (up - down) * height + downward)
            )
    close = [
        (one, other)
        for k, one in enumerate(middles)
        for other in middles[:k]
        if abs(one[0] - other[0]) < 16 and abs(one[1] - other[1]) < 12
    ]
    assert len(middles) == 32
    assert close == []
