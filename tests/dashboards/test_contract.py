"""Every page has the same modules, and the same names in them."""

import ast
import inspect
import pkgutil
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import ipywidgets
import pytest

import sdcwidgets.dashboards
from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import decode, encode, pack
from sdcwidgets.widgets.tabs import Tabs

PAGES = tuple(module.name for module in pkgutil.iter_modules(sdcwidgets.dashboards.__path__) if module.ispkg)

#: The landing page is text with links: nothing on it can be chosen, so it has no state, result or chart.
WITHOUT_STATE = {"index"}

MODULES = ("state", "result", "texts", "charts", "page")

#: Modules of a page without a state.
MODULES_OF_TEXT = ("texts", "page")

INTERACTIVE = [name for name in PAGES if name not in WITHOUT_STATE]


def module(page, name):
    return import_module(f"sdcwidgets.dashboards.{page}.{name}")


def camel_case(page):
    """Return the name of a folder as the beginning of a class name."""
    return "".join(word.capitalize() for word in page.split("_"))


def contract(page):
    """Return state, result and compute of a page."""
    state = getattr(module(page, "state"), f"{camel_case(page)}State")
    result = getattr(module(page, "result"), f"{camel_case(page)}Result")
    return state, result, module(page, "result").compute


def test_the_pages_are_the_notebooks_and_the_landing_page():
    assert set(PAGES) == {dashboard.name for dashboard in DASHBOARDS} | WITHOUT_STATE


@pytest.mark.parametrize("page", PAGES)
def test_app_is_a_typed_function_of_a_real_module(page):
    package = import_module(f"sdcwidgets.dashboards.{page}")
    assert inspect.ismodule(getattr(sdcwidgets.dashboards, page))
    assert package.app is module(page, "page").app
    assert package.app.__module__ == f"sdcwidgets.dashboards.{page}.page"
    signature = inspect.signature(package.app)
    assert len(signature.parameters) <= 1
    for parameter in signature.parameters.values():
        assert parameter.default is None
        assert parameter.annotation is not inspect.Parameter.empty
    # Pages import some names for type checkers only.
    names = vars(module(page, "page")) | {"ipywidgets": ipywidgets, "Dashboard": Dashboard}
    assert issubclass(get_type_hints(package.app, names)["return"], ipywidgets.Widget)
    stub = Path(package.__file__).with_suffix(".pyi").read_text("utf-8")
    assert "from .page import app as app" in stub.splitlines()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_modules_of_the_contract(page):
    folder = Path(import_module(f"sdcwidgets.dashboards.{page}").__file__).parent
    wanted = MODULES_OF_TEXT if page in WITHOUT_STATE else MODULES
    assert {name for name in wanted if not (folder / f"{name}.py").is_file()} == set()


@pytest.mark.parametrize("page", INTERACTIVE)
def test_state_and_result_are_frozen_classes_of_their_modules(page):
    state, result, _ = contract(page)
    assert state.__module__ == f"sdcwidgets.dashboards.{page}.state"
    assert result.__module__ == f"sdcwidgets.dashboards.{page}.result"
    for kind in (state, result):
        assert is_dataclass(kind)
        assert kind.__dataclass_params__.frozen


@pytest.mark.parametrize("page", INTERACTIVE)
def test_compute_goes_from_the_state_to_the_result(page):
    state, result, compute = contract(page)
    assert compute.__module__ == f"sdcwidgets.dashboards.{page}.result"
    hints = get_type_hints(compute)
    assert hints.pop("return") is result
    assert list(hints.items()) == [("state", state)]


@pytest.mark.parametrize("page", INTERACTIVE)
def test_the_screen_begins_with_a_state_that_a_link_holds(page):
    state, result, _ = contract(page)
    study = import_module(f"sdcwidgets.dashboards.{page}").app()._study
    assert type(study.state) is state
    assert type(study.result) is result
    assert state.from_state(decode(encode(study.state))) == study.state


def opened(page):
    """Return the head of a new screen, its study, and its tabs."""
    screen = import_module(f"sdcwidgets.dashboards.{page}").app()
    head, tabs = (next(part for part in below(screen) if isinstance(part, kind)) for kind in (Page, Tabs))
    return head, screen._study, tabs


def below(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from below(child)


@pytest.mark.parametrize("page", INTERACTIVE)
def test_a_link_of_another_version_leaves_the_page_as_it_is_and_says_so(page):
    head, study, _ = opened(page)
    before = study.state
    for saved in (before.to_state() | {"version": 0}, {"version": 1}):
        head._hear(head, {"type": "state", "state": pack(saved)}, [])
        assert study.state is before
        assert head.problem.count(".") == 1
        assert "link" in head.problem
    head._hear(head, {"type": "state", "state": encode(before)}, [])
    assert head.problem == ""
    assert study.state == before


def test_a_link_opens_the_tab_that_it_names():
    head, _, tabs = opened("explore")
    for index in (2, None, 99, -1, "1", True):
        head._hear(head, {"type": "tab", "index": index}, [])
        assert tabs.opened == 2


@pytest.mark.parametrize("page", INTERACTIVE)
def test_states_and_results_know_no_widgets(page):
    for name in ("state", "result"):
        tree = ast.parse(Path(module(page, name).__file__).read_text("utf-8"))
        imported = {
            node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        }
        own = f"sdcwidgets.dashboards.{page}"
        assert not imported & {f"{own}.page", f"{own}.charts", f"{own}.texts", "ipywidgets"}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_imports_no_other_page(page):
    folder = Path(import_module(f"sdcwidgets.dashboards.{page}").__file__).parent
    others = tuple(f"sdcwidgets.dashboards.{other}" for other in PAGES if other != page)
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
                assert not [name for name in names if f"{name}.".startswith(tuple(f"{o}." for o in others))]


def test_the_name_of_a_folder_gives_the_names_of_its_classes():
    assert [camel_case(name) for name in ("cell_key", "protect")] == ["CellKey", "Protect"]
