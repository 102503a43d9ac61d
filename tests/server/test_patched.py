"""Private parts of other packages: all are listed and there, and what works without them."""

import argparse
import ast
import importlib
import io
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, SimpleNamespace

import pytest
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment

import sdcwidgets
from private_parts import OVERRIDDEN_METHODS, PRIVATE_PARTS
from sdcwidgets.server import rate_limit, temporary_folder
from sdcwidgets.server.kernels import PageKernels
from sdcwidgets.tables.io.formats import workbook as formats
from sdcwidgets.tables.io.writers import workbook

SOURCE = Path(sdcwidgets.__file__).parent

#: Public parts of named tuples, and of the standard library, whose names begin with an underscore.
DOCUMENTED = {"_replace", "_asdict", "_fields", "_make", "_exit", "_typeshed"}


@cache
def trees():
    """Return the syntax tree of each module."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in SOURCE.rglob("*.py")
    }


def is_private(name):
    # names such as `_missing_` are of the enumerations of the standard library
    return (
        name.startswith("_")
        and not name.startswith("__")
        and not name.endswith("_")
        and name not in DOCUMENTED
    )


def own_names():
    """Return the names that the source code defines, and those of its modules."""
    names = {part for place in trees() for part in place.removesuffix(".py").split("/")}
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                    names.add(node.attr)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
    return names


def uses(tree, own):
    """Yield the private names of other packages that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            inherited = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
            if is_private(node.attr) and (inherited or node.attr not in own):
                yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "setattr", "hasattr"):
            name = node.args[1]
            if isinstance(name, ast.Constant) and is_private(name.value) and name.value not in own:
                yield name.value
        elif isinstance(node, ast.ImportFrom) and not node.level and not node.module.startswith("sdcwidgets"):
            yield from filter(is_private, [*node.module.split("."), *(one.name for one in node.names)])
        elif isinstance(node, ast.Import):
            yield from filter(is_private, (part for one in node.names for part in one.name.split(".")))


def assignments(tree):
    """Yield the attributes of imported modules and classes of other packages that a module sets."""
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("sdcwidgets"):
            imported |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Import):
            imported |= {(one.asname or one.name).partition(".")[0] for one in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            name = ast.unparse(node)
            if name.partition(".")[0] in imported:
                yield name


def listed(place):
    return {
        name
        for part in PRIVATE_PARTS + OVERRIDDEN_METHODS
        if place in part.place.split()
        for name in part.names.split()
    }


@pytest.mark.slow
def test_every_private_name_of_another_package_is_listed():
    own = own_names()
    found = {(place, name) for place, tree in trees().items() for name in uses(tree, own)}
    assert {(place, name) for place, name in found if name not in listed(place)} == set()
    assert ("server/kernels.py", "_activity_stream") in found


def test_a_private_name_that_is_not_listed_is_found():
    text = "import one._two\nfrom three import _four\na._five\nsuper()._six\ngetattr(b, '_seven')\nself._eight = 9"
    assert {*uses(ast.parse(text), {"_six"})} == {"_two", "_four", "_five", "_six", "_seven", "_eight"}


#: Attributes of other packages that are documented to be set.
SETTABLE = {"comm.create_comm", "tempfile.tempdir", "sys.argv", "sys.excepthook", "sys.stdout", "sys.stderr"}
SETTABLE |= {"threading.excepthook"}


@pytest.mark.slow
def test_every_attribute_that_is_set_is_listed_or_documented():
    found = {(place, name) for place, tree in trees().items() for name in assignments(tree)}
    others = {(place, name) for place, name in found if name not in SETTABLE}
    assert {(place, name) for place, name in others if name.rpartition(".")[2] not in listed(place)} == set()
    assert ("server/comms.py", "ipywidgets.Widget.open") in found


def overridden(cls):
    """Yield the private methods of another package that a class overrides."""
    for name in filter(is_private, vars(cls)):
        owner = next((base for base in cls.__mro__[1:] if name in vars(base)), cls)
        is_method = isinstance(vars(cls)[name], FunctionType | property)
        if is_method and not owner.__module__.startswith(("sdcwidgets", __name__)):
            yield name


@pytest.mark.slow
def test_no_private_method_is_overridden():
    found = set()
    for module in pkgutil.walk_packages(sdcwidgets.__path__, "sdcwidgets."):
        if module.name.endswith(("preload", "with_server", "__main__")):
            continue
        for cls in vars(importlib.import_module(module.name)).values():
            if isinstance(cls, type) and cls.__module__ == module.name:
                found |= {(module.name, name) for name in overridden(cls)}
    assert found == set()


def test_a_private_method_that_is_overridden_is_found():
    class Parser(argparse.ArgumentParser):
        def _check_value(self, action, value):
            """Accept every value."""

        def _own(self):
            """Do nothing."""

    assert [*overridden(Parser)] == ["_check_value"]


@pytest.mark.parametrize(
    "part", PRIVATE_PARTS + OVERRIDDEN_METHODS, ids=lambda part: part.names.partition(" ")[0]
)
def test_what_is_listed_is_there_and_used(part):
    names = part.names.split()
    if part.owner is not None:
        assert [name for name in names if name not in dir(part.owner)] == []
    for place in part.place.split():
        assert any(name in (SOURCE / place).read_text("utf-8") for name in names)
    assert part.reason.endswith(".")


def test_a_websocket_without_the_private_method_of_tornado_is_left_as_it_is():
    connection = SimpleNamespace()
    rate_limit.throttle(connection)
    assert vars(connection) == {}


def test_a_folder_is_made_and_removed_without_the_private_settings_of_a_process(monkeypatch):
    monkeypatch.setattr(temporary_folder.multiprocessing, "current_process", SimpleNamespace)
    with temporary_folder.own() as own:
        assert own.is_dir()
    assert not own.exists()


def test_a_kernel_is_watched_without_the_private_stream_of_jupyter(monkeypatch):
    watched = []
    monkeypatch.setattr(
        AsyncMappingKernelManager, "start_watching_activity", lambda _, kernel_id: watched.append(kernel_id)
    )
    monkeypatch.setattr(PageKernels, "get_kernel", lambda _, kernel_id: SimpleNamespace())
    PageKernels.start_watching_activity(PageKernels.__new__(PageKernels), "one")
    assert watched == ["one"]


@pytest.mark.parametrize("without", [False, True])
def test_a_workbook_is_written_without_the_private_writer_of_openpyxl(monkeypatch, without):
    if without:
        monkeypatch.setitem(sys.modules, "openpyxl.worksheet._writer", None)
    content = workbook.workbook({"Table": [["Area", "=1+1"], ["North", 3]]})
    cells = load_workbook(io.BytesIO(content))["Table"].iter_rows(values_only=True)
    assert list(cells) == [("Area", "=1+1"), ("North", 3)]


@pytest.mark.parametrize("without", [False, True])
def test_a_workbook_is_read_without_the_private_parser_of_openpyxl(monkeypatch, without):
    book = Workbook()
    sheet = book.active
    for row in (["Area", "Count"], ["North", 3], ["Leeds", 1], ["South", 4]):
        sheet.append(row)
    sheet["A3"].alignment = Alignment(indent=1)
    content = io.BytesIO()
    book.save(content)
    if without:
        monkeypatch.setitem(sys.modules, "openpyxl.worksheet._reader", None)
    rows = list(formats.Workbook(content.getvalue()).rows("Sheet"))
    assert rows == [["Area", "Count"], ["North", 3], ["  Leeds", 1], ["South", 4]]
