"""The heat map of the change of the risk by one person."""

from screens import inside
from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards import explore
from sdcwidgets.widgets import what_if
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.tabs import Tabs


def heat_map(table):
    app = explore.app(table)
    [tabs] = inside(app, Tabs)
    for index in range(tabs.count):
        tabs.turn_to(index)
    [found] = inside(app, what_if.WhatIf)
    return inside(found, Grid)[0]


def test_a_heat_map_has_a_change_for_each_cell():
    grid = heat_map(FrequencyTable([[3, 0, 2], [4, 1, 7]]))
    assert len(grid.cells["texts"]) == 6
    assert not grid.editable


def test_a_table_with_too_many_cells_has_no_heat_map(monkeypatch):
    monkeypatch.setattr(what_if, "MOST_CELLS", 5)
    grid = heat_map(FrequencyTable([[3, 0, 2], [4, 1, 7]]))
    assert len(grid.cells["texts"]) == 1
    assert grid.shade.tolist() == [[0.0]]
