"""What a widget shows belongs to the kernel: a browser sets what it asks by, and nothing else."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Page

ROOT = Path(sdcwidgets.__file__).parents[1]

for folder in ("widgets", "teaching/lessons"):
    for module in (ROOT / "sdcwidgets" / folder).glob("[!_]*.py"):
        import_module(".".join(["sdcwidgets", *folder.split("/"), module.stem]))


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


def sources(file):
    """Return the texts of a module and of those that it imports."""
    text = file.read_text("utf-8")
    imported = re.findall(r'^import .* from "([^"]+)";$', text, re.MULTILINE)
    return {file: text} | {
        path: part for name in imported for path, part in sources((file.parent / name).resolve()).items()
    }


@pytest.mark.parametrize(
    "file", sorted((ROOT / "sdcwidgets/static").glob("[wl]*/*.js")), ids=lambda file: file.stem
)
def test_what_the_browser_side_reads_is_sent(file):
    """The checker of types knows the names that JSDoc gives; here are those that the kernel gives."""
    text = "".join(sources(ROOT / "js" / file.parent.name / file.name).values())
    read = set(re.findall(r'model\.(?:[gs]et\("|on\("change:)(\w+)"', text))
    widgets = [cls for cls in below(Widget) if str(vars(cls).get("_esm", "")) == file.read_text("utf-8")]
    assert widgets
    assert read or file.stem == "batch_sender"
    for cls in widgets:
        assert read <= set(cls.class_trait_names(sync=True))
