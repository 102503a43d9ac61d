"""The cell key lab drawn."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards.cell_key import charts as plots
from sdcwidgets.dashboards.cell_key.result import compute
from sdcwidgets.dashboards.cell_key.state import CellKeyState

TABLE = FrequencyTable([[3, 0, 7], [120, 1, 4]], {"Area": "ab", "Job": "xyz"})
FOUND = compute(CellKeyState(TABLE, asks=30))


def test_a_dot_is_a_noise_and_the_drawn_one_is_marked():
    picture = plots.prepare_noise(FOUND)
    dots = plots.draw_noise.plain(picture)["data"][0]
    chance = dict(zip(zip(dots["y"], dots["x"], strict=True), dots["customdata"], strict=True))
    rows = FOUND.p_table[FOUND.p_table.p > 0]
    assert chance == pytest.approx(
        {(i, v): p for i, v, p in zip(rows.i, rows.v, rows.p, strict=True)}, abs=1e-6
    )
    marked = [k for k, symbol in enumerate(dots["marker"]["symbol"]) if symbol == "diamond"]
    step = FOUND.path[0]
    assert [(dots["y"][k], dots["x"][k]) for k in marked] == [(step.line, step.noise)]
    assert picture.to_frame()["total"].round(9).eq(1).all()
    assert "maximum noise is 3," in picture.summary


def test_pieces_of_the_line_of_keys_lie_end_to_end():
    picture = plots.prepare_keys(FOUND)
    bars, mark = plots.draw_keys.plain(picture)["data"]
    ends = np.array(bars["base"]) + np.array(bars["x"])
    np.testing.assert_allclose(ends[:-1], bars["base"][1:], atol=1e-9)
    assert (bars["base"][0], ends[-1]) == pytest.approx((0, 1))
    step = FOUND.path[0]
    assert (picture.line, picture.key, picture.drawn) == (step.line, step.key, step.noise)
    assert len({(other.line, other.key) for other in FOUND.path}) > 1, "the totals have other keys"
    chosen = picture.v.index(picture.drawn)
    assert bars["base"][chosen] <= mark["x"][0] < ends[chosen]
    assert len(picture.to_frame()) == len(picture.v)


def test_fresh_answers_have_their_mean_and_the_cell_key_one_answer():
    picture = plots.prepare_answers(FOUND)
    data = {trace["name"]: trace for trace in plots.draw_answers.plain(picture)["data"]}
    assert set(data["Cell key"]["y"]) == {FOUND.path[0].published}
    assert data["Running mean"]["y"][-1] == pytest.approx(FOUND.fresh.mean())
    assert picture.to_frame()["request"].tolist() == list(range(1, 31))


@pytest.mark.parametrize(
    "state", [CellKeyState(TABLE, cell=(0, 1)), CellKeyState(TABLE).noised(D=25, V=30.0, js=5)]
)
def test_every_state_is_drawn(state):
    found = compute(state)
    for name in ("noise", "keys", "answers"):
        picture = getattr(plots, f"prepare_{name}")(found)
        assert picture.summary
        getattr(plots, f"draw_{name}")(picture)
