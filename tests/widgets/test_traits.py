"""What a widget shows belongs to the kernel: a browser sets what it asks by, and nothing else."""

import re

import pytest

from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Page


def below(cls):
    for child in cls.__subclasses__():
        yield child
        yield from below(child)


def test_only_the_base_class_decides_what_a_browser_sets():
    assert [cls.__name__ for cls in below(Widget) if "set_state" in vars(cls)] == []


@pytest.mark.parametrize(
    "cls", [Page, *[cls for cls in below(Widget) if cls.__module__.startswith("sdcwidgets")]]
)
def test_what_a_widget_may_be_asked_is_a_trait_of_it(cls):
    assert set(cls.asks) <= set(cls.class_trait_names())
    assert not {"_esm", "_css", "value", "title"} & set(cls.asks)


@pytest.mark.parametrize(
    "state",
    [
        {"_esm": "alert(1)", "_css": "*{}", "_model_name": "x", "_view_module": "y", "layout": "z"},
        {"title": "<b>", "links": [["x", "javascript:1"]], "can_undo": True, "problem": "forged"},
        {"title": 7, "nothing": 1, "_anywidget_id": "x"},
        {},
    ],
)
def test_a_browser_cannot_change_what_a_page_is(state):
    page = Page(title="Explore", links=[["Explore", "explore.ipynb"]], here="explore.ipynb")
    before = page.get_state()
    page.set_state(state)
    assert page.get_state() == before


def test_what_does_not_fit_a_trait_is_dropped(monkeypatch):
    monkeypatch.setattr(Control, "__init__", lambda self: Widget.__init__(self))
    control = Control()
    control.set_state({"request": "no dict", "value": 3})
    assert (control.request, control.value) == ({}, None)
    control.set_state({"request": {"value": 1, "turn": 2}})
    assert control.request == {"value": 1, "turn": 2}


@pytest.mark.parametrize(
    "cls",
    [
        cls
        for cls in below(Widget)
        if cls.__module__.startswith("sdcwidgets")
        and "export default { render }" in vars(cls).get("_esm", "")
    ],
)
def test_what_the_browser_side_reads_is_sent(cls):
    """The checker of types knows the names that JSDoc gives; here are those that the kernel gives."""
    heard = re.findall(r'model\.(?:[gs]et\("|on\("change:)(\w+)"', cls._esm)
    assert heard
    assert set(heard) <= set(cls.class_trait_names(sync=True))
