"""Grids and dashboards in a notebook of one's own: what they show is observed, set, and held by a value."""

import json

import nbformat
import numpy as np
import pytest
import traitlets
from nbclient import NotebookClient

import sdcwidgets
from sdcwidgets import FrequencyTable, InputError, widgets
from sdcwidgets._util.registry import import_module
from sdcwidgets.dashboards.explore import page as explore
from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.dashboards.protect import page as protect
from sdcwidgets.dashboards.rounding import page as rounding
from sdcwidgets.dashboards.weights import page as weights
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets import Dashboard, Grid

OWN = FrequencyTable([[3, 0, 4], [4, 1, 9]], {"Area": "AB", "Job": "xyz"})
PAGES = [one.name for one in DASHBOARDS if one.name != "index"]


def app_of(name):
    return import_module(f"sdcwidgets.dashboards.{name}").app()


def test_parts_are_named_and_there():
    assert {"Grid", "Dashboard", "Chart"} <= set(dir(widgets)) == set(widgets.__all__)
    assert all(getattr(widgets, name) is not None for name in widgets.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = widgets.nothing


@pytest.mark.parametrize("name", PAGES)
def test_every_dashboard_is_a_widget_with_a_value(name):
    app, other = app_of(name), app_of(name)
    assert isinstance(app, Dashboard)
    assert len(repr(app)) < 200
    assert app.result is not None
    assert json.loads(json.dumps(app.value)) == app.value != {}
    other.value = json.loads(json.dumps(app.value))
    assert other.value == app.value
    with pytest.raises(traitlets.TraitError, match="read-only"):
        app.result = None
    with pytest.raises(InputError):
        app.value = {"version": 0}
    assert app.value == other.value


@pytest.mark.parametrize("page", [explore, protect, rounding, weights])
def test_a_table_is_set_and_followed(page):
    app, seen = page.app(), []
    app.observe(lambda change: seen.append((change.name, app.table.total)), ["table", "result", "value"])
    app.table = OWN
    assert app.table == OWN
    assert {name for name, _ in seen} == {"table", "result", "value"}
    assert {total for _, total in seen} == {OWN.total}  # all have changed when the first is told
    before = app.result
    with pytest.raises(InputError, match="FrequencyTable"):
        app.table = [[1, 2]]
    assert app.result is before
    app.children[0]._handlers["undo"][0]({}, [])
    assert app.table != OWN


def test_a_change_on_the_screen_is_told():
    app = explore.app(OWN)
    grid = next(one for one in inside(app) if isinstance(one, Grid))
    seen = []
    app.observe(lambda change: seen.append(change.new.counts.tolist()), "table")
    grid.edit([(0, 0, "7")])
    assert seen == [[[7, 0, 4], [4, 1, 9]]]


def inside(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


def test_methods_settings_and_releases():
    app = protect.app(OWN)
    app.method = "cell-key"
    assert app.method.name == "cell-key"
    assert isinstance(app.release, Release)
    app.settings = {"epsilon": 0.25}
    assert app.settings.epsilon == app.result.before.settings.epsilon == 0.25
    with pytest.raises(InputError):
        app.method = "no such method"
    with pytest.raises(InputError, match="there are"):
        app.settings = {"nothing": 1}
    with pytest.raises(InputError):
        app.settings = {"epsilon": -1}
    assert (app.method.name, app.settings.epsilon) == ("cell-key", 0.25)
    with pytest.raises(InputError, match="has no method"):
        explore.app().method = "cell-key"
    assert isinstance(rounding.app(OWN).release, Release)


def test_a_value_from_a_browser_is_checked():
    app, other = explore.app(), explore.app(OWN)
    app.set_state({"value": {"version": 1, "settings": {}, "axes": [], "counts": 5}})
    assert app.children[0].problem.startswith("There are no counts")
    app.set_state({"value": other.value})
    assert app.table == OWN
    assert app.children[0].problem == ""


def test_large_tables_are_not_sent_again_and_again():
    large = FrequencyTable(np.full((80, 80), 3))
    assert explore.app(large).value == Grid(large).value == {}


def test_a_grid_of_a_table_goes_both_ways():
    grid, seen = Grid(OWN), []
    assert grid.value == {
        "axes": [["Area", ["A", "B"]], ["Job", ["x", "y", "z"]]],
        "counts": OWN.counts.tolist(),
    }
    grid.observe(lambda change: seen.append(change.new.total), "table")
    grid.edit([(0, 1, "5")])
    assert (grid.table.total, seen) == (OWN.total + 5, [OWN.total + 5])
    grid.table = sdcwidgets.examples.load("religion")
    assert grid.rows == grid.table.axes[0].labels
    assert grid.value["counts"] == grid.table.counts.tolist()
    for wrong, why in (([[1]], "table is a list"), (FrequencyTable([1, 2]), "two-way")):
        with pytest.raises(InputError, match=why):
            grid.table = wrong


@pytest.mark.slow
def test_in_the_kernel_of_a_notebook():
    cells = [
        "from sdcwidgets import FrequencyTable, widgets\nfrom sdcwidgets.dashboards import explore",
        "app = explore.app(FrequencyTable([[3, 0], [4, 1]])); app",
        "app.observe(lambda change: print('total', change.new.total), 'table')\n"
        "app.table = FrequencyTable([[5, 0], [4, 1]])",
        "widgets.Grid(app.table)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute()
    outputs = [cell["outputs"] for cell in notebook.cells]
    view = "application/vnd.jupyter.widget-view+json"
    assert view in outputs[1][0]["data"]
    assert view in outputs[3][0]["data"]
    assert outputs[2][0]["text"] == "total 10\n"
    shown = client.widget_state[outputs[1][0]["data"][view]["model_id"]]
    assert shown["value"]["counts"] == [[5, 0], [4, 1]]
    assert shown["_model_name"] == "VBoxModel"
