"""Scripts and style sheets that a browser gets for each widget, and their sources."""

import re
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Page

BUILT = Path(sdcwidgets.__file__).parent / "static"
SOURCES = Path(sdcwidgets.__file__).parents[1] / "js"


def below(cls):
    for child in cls.__subclasses__():
        yield child
        yield from below(child)


CLASSES = [
    Page,
    *[cls for cls in below(Widget) if cls.__module__.startswith("sdcwidgets") and "_esm" in vars(cls)],
]


@pytest.mark.parametrize("cls", CLASSES)
def test_the_script_of_a_widget_is_one_module_without_imports(cls):
    script = str(cls._esm)
    assert re.search(r"export\{[\w$]+ as default\}", script)
    assert not re.search(r"\bimport\b", script)


@pytest.mark.parametrize(
    "file", sorted(BUILT.rglob("*.js")), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_each_built_script_has_a_source(file):
    assert (SOURCES / file.relative_to(BUILT)).is_file()


def test_the_licences_of_bundled_packages_are_in_the_package():
    text = (BUILT / "frontend/LICENSES.txt").read_text("utf-8")
    packages = re.findall(r"^(\S+) \d+\.\d+\.\d+, (\S+)$", text, re.MULTILINE)
    assert {"@jupyter-widgets/base", "@jupyterlab/services", "@lumino/widgets", "anywidget", "solid-js"} <= {
        name for name, _ in packages
    }
    assert {licence for _, licence in packages} <= {"MIT", "BSD-3-Clause"}
    assert text.count("Copyright") >= len(packages)


@pytest.mark.parametrize("value", [list(range(20_000)), {"a": [[0] * 6_000, [1] * 6_000]}, "x" * 200_000])
def test_a_request_of_extreme_length_is_ignored(value):
    control = Control(Parameter("base", int, 5, "Base", range=Range(2, 20)))
    control.set_state({"request": {"value": value, "turn": 1}})
    assert control.request == {}
    control.set_state({"request": {"value": 7, "turn": 2}})
    assert control.value == 7
