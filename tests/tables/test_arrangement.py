"""How tables of three and more axes lie on a screen, in links, files and code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusing import sentence

from sdcwidgets import methods
from sdcwidgets.dashboards.cell_key import page as cell_key
from sdcwidgets.dashboards.explore import page as explore
from sdcwidgets.dashboards.protect import page as protect
from sdcwidgets.dashboards.rounding import page as rounding
from sdcwidgets.dashboards.sample import page as sample
from sdcwidgets.dashboards.weights import page as weights
from sdcwidgets.tables.arrangement import LONGEST_LABELS, Arrangement, two_way
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.source import SourceBar

CUBE = FrequencyTable(
    np.arange(24).reshape(2, 3, 4), {"Area": ["a", "b"], "Age": ["0", "1", "2"], "Work": list("wxyz")}
)


@st.composite
def arranged(draw):
    shape = draw(st.lists(st.integers(1, 3), min_size=2, max_size=5).filter(lambda s: np.prod(s) > 1))
    axes = {f"Axis {k}": [f"{k}.{i}" for i in range(n)] for k, n in enumerate(shape)}
    table = FrequencyTable(np.arange(1, np.prod(shape) + 1).reshape(shape), axes)
    names = draw(st.permutations(list(axes)))
    down = draw(st.integers(1, len(names) - 1))
    across = draw(st.integers(1, len(names) - down))
    chosen = tuple((name, draw(st.sampled_from(axes[name]))) for name in names[down + across :])
    return table, Arrangement(tuple(names[:down]), tuple(names[down : down + across]), chosen)


@given(arranged())
def test_margins_of_a_release_lie_beside_what_is_seen(pair):
    table, arrangement = pair
    seen, release = arrangement.seen(table), arrangement.released(Release.of(table))
    assert release.additive
    np.testing.assert_array_equal(release.cells, seen.counts)
    names = [axis.name for axis in release.axes]
    np.testing.assert_array_equal(release.marginal(names[0]), seen.counts.sum(axis=1))
    np.testing.assert_array_equal(release.marginal(names[1]), seen.counts.sum(axis=0))
    assert release.marginal() == seen.total
    assert release.exact


@given(arranged())
def test_each_cell_that_is_seen_is_its_own(pair):
    table, arrangement = pair
    assert arrangement.fits(table)
    seen = arrangement.seen(table)
    assert seen.ndim == 2
    assert seen.total == table.slice(dict(arrangement.chosen)).total
    assert len(set(seen.counts.ravel().tolist())) == seen.cells
    changed = arrangement.changed(table, seen.counts + 100)
    assert arrangement.seen(changed).counts.tolist() == (seen.counts + 100).tolist()
    assert changed.total == table.total + 100 * seen.cells
    state = TableState(table, InMemorySource("x"), arrangement=arrangement)
    assert TableState.from_state(decode(encode(state))) == state
    assert FrequencyTable.from_csv(state.table.to_csv()) == table


def test_where_an_axis_goes():
    usual = Arrangement.usual(CUBE)
    assert usual.seen(CUBE) == two_way(CUBE)
    turned = usual.placed("Area", "across").placed("Work", "down").placed("Age", "1")
    assert (turned.down, turned.across, turned.words) == (("Work",), ("Area",), 'Age "1"')
    assert turned.seen(CUBE).counts.tolist() == CUBE.counts[:, 1].T.tolist()
    assert "column axis" in sentence(turned.placed, "Area", "down")
    assert TableState(CUBE, arrangement=Arrangement(("Area",), ("Sex",))).arrangement == usual


def test_labels_with_commas_stay_apart():
    table = FrequencyTable(np.arange(8).reshape(2, 2, 2), {"a": ["x", "x, y"], "b": ["y, z", "z"], "c": "12"})
    assert len(set(two_way(table).rows)) == 4


def test_crossed_labels_stay_short():
    axes = {f"Axis {k}": [f"{k} {i} " + "long " * 20 for i in range(2)] for k in range(16)}
    state = TableState(FrequencyTable(np.ones((2,) * 16, dtype=int), axes))
    assert sum(map(len, state.seen.rows)) <= LONGEST_LABELS
    chosen = state.arrangement.chosen
    assert chosen
    assert chosen == tuple((axis.name, axis.labels[0]) for axis in state.table.axes[: len(chosen)])


@pytest.mark.parametrize("screen", [cell_key, explore, protect, rounding, sample, weights])
def test_screens_show_three_axes(screen):
    assert screen.app(CUBE).children


def say(widget, buffers=(), **message):
    widget._hear(widget, message, list(buffers))


def test_axes_are_placed_on_the_screen():
    study = Study(TableState(CUBE), lambda state: state.table.total)
    source = SourceBar(study)
    assert [axis["where"] for axis in source.axes] == ["down", "down", "across"]
    say(source, type="place", axis=1, where=2)
    assert study.state.arrangement.words == 'Age "2"'
    assert source.axes[1]["where"] == 2
    say(source, type="place", axis=2, where="down")
    assert "column axis" in source.problem
    study.put(study.state.edited(np.zeros((2, 4), dtype=int)))
    assert study.state.table.slice(Age="2").total == 0
    assert study.state.table.slice(Age="1").total == CUBE.slice(Age="1").total
    for where in (None, -1, 99, "x", [], {}):
        say(source, type="place", axis=0, where=where)
        say(source, type="place", axis=where, where="down")
    assert study.state.arrangement.down == ("Area",)
    study.put(TableState.of_example("sex"))
    assert source.axes == []


def test_an_axis_whose_categories_are_all_merged_is_not_crossed():
    axes = {"Age": ["0-9", "10+"], "Sex": ["m", "f"], "Area": ["a", "b"]}
    table = FrequencyTable([[[1, 9], [9, 9]], [[8, 9], [9, 9]]], axes)
    release = methods.get("redesign")(axis="Age", smallest=9).release(table, 1)
    seen = Arrangement.usual(table).released(release)
    assert [axis.name for axis in seen.axes] == ["Sex", "Area"]
    assert seen.cells.tolist() == [[9, 18], [18, 18]]
