"""Each public function has an Examples section; pytest runs the examples themselves as doctests."""

from __future__ import annotations

import importlib
import inspect

import pytest

#: Packages whose `__all__` is the public interface.
PACKAGES = (
    "sdcwidgets",
    "sdcwidgets.assessment",
    "sdcwidgets.assessment.replications",
    "sdcwidgets.assessment.verdict",
    "sdcwidgets.attacks",
    "sdcwidgets.dashboards",
    "sdcwidgets.measures",
    "sdcwidgets.methods",
    "sdcwidgets.methods.cellkey",
    "sdcwidgets.microdata",
    "sdcwidgets.plots",
    "sdcwidgets.tables",
    "sdcwidgets.tables.examples",
    "sdcwidgets.tableserver",
    "sdcwidgets.widgets",
)

#: Classes whose objects an analyst has in a script, and whose methods therefore need an example, too.
CLASSES = (
    "Assessment",
    "Axis",
    "Comparison",
    "Finding",
    "FrequencyTable",
    "MagnitudeTable",
    "Microdata",
    "Release",
    "Variable",
)


def functions() -> dict[str, object]:
    """Return the public functions, and the public methods of the classes above."""
    public: dict[str, object] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isfunction(item):
                public[f"{item.__module__}.{name}"] = item
            elif inspect.isclass(item) and name in CLASSES:
                for attribute, value in vars(item).items():
                    function = getattr(value, "__func__", value)
                    if inspect.isfunction(function) and not attribute.startswith("_"):
                        public[f"{item.__module__}.{name}.{attribute}"] = function
    return public


PUBLIC = functions()


def test_all_classes_are_public():
    names = {name.split(".")[-2] for name in PUBLIC if name.split(".")[-2] in CLASSES}
    assert names == set(CLASSES)
    assert len(PUBLIC) > 100


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_function_has_an_example(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    assert "\nExamples\n--------\n" in text
    assert ">>> " in text.partition("\nExamples\n--------\n")[2]
