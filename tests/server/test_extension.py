"""The extension of Jupyter servers."""

from importlib import import_module

from sdcwidgets import server
from sdcwidgets.server import extension
from sdcwidgets.widgets import plotlyjs


def test_a_jupyter_server_is_pointed_to_a_module_that_it_can_load():
    [point] = server._jupyter_server_extension_points()
    assert callable(import_module(point["module"])._load_jupyter_server_extension)


def test_the_only_address_is_that_of_plotly_below_the_base_url():
    [(address, *_)] = extension.handlers("/base/")
    assert address == f"/base/{plotlyjs.ROUTE}"
