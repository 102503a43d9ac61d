"""Public limits, defaults and settings of all modules, compared with a recorded file of each package.

They are part of the interface: a caller, a page or a rule file depends on them. A limit or default that changes by
mistake rarely makes another test fail. After an intended change, `pytest
--renew-snapshots tests/test_declared_values.py` writes the files anew, and their differences are read before a commit.
Sentences are not recorded.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
import traitlets

import sdcwidgets
from sdcwidgets._util.parameters import declared

FOLDER = Path(__file__).parent / "declared_values"

ROOT = Path(sdcwidgets.__path__[0])

PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))

#: Modules that are programs: an import runs them.
PROGRAMS = {"sdcwidgets.cli.__main__", "sdcwidgets.server.preload", "sdcwidgets.server.with_server"}

#: A text with more words is a sentence.
MOST_WORDS = 3

#: A longer line is recorded by its beginning and its checksum.
LONGEST = 400


def text_of(value: object) -> str | None:
    """Return a value as text that is equal on all machines, or None for a value of another kind."""
    if value is None or isinstance(value, bool | int | bytes | Fraction | range | slice):
        return repr(value)
    if isinstance(value, float | np.floating):
        return f"{float(value):.9g}"
    if isinstance(value, str):
        return repr(value) if len(value.split()) <= MOST_WORDS else "sentence"
    if isinstance(value, re.Pattern):
        return f"{value.pattern!r}, {value.flags}"
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, type | FunctionType):
        return value.__qualname__
    if isinstance(value, np.ndarray):
        return text_of(value.tolist())
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{text_of(key)}: {text_of(item)}' for key, item in value.items())}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(str(text_of(item)) for item in value))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(str(text_of(item)) for item in value)}]"
    if is_dataclass(value):
        parts = (text_of(getattr(value, item.name, None)) for item in fields(value) if item.repr)
        return f"{type(value).__qualname__}({', '.join(map(str, parts))})"
    return None


def trait_of(trait: traitlets.TraitType[Any, Any]) -> str:
    """Return the kind of a trait, its default, and whether browsers get it."""
    default = text_of(trait.default_value) if trait.default_value is not traitlets.Undefined else "undefined"
    limits = {name: getattr(trait, name, None) for name in ("min", "max", "values", "read_only")}
    others = {name: value for name, value in (limits | trait.metadata).items() if value not in (None, False)}
    return f"{type(trait).__name__} {default} {text_of(others)}"


def constants(module: ModuleType) -> list[str]:
    """Return the names that a module assigns once, with a value that is not filled later or read from a file."""
    tree = ast.parse(inspect.getsource(module))
    later = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    names = []
    for node in tree.body:
        value = getattr(node, "value", None)
        source = "" if value is None else ast.dump(value)
        is_filled_later = isinstance(value, ast.List | ast.Dict | ast.Call) and "Constant" not in source
        is_file = "json" in source or "load" in source
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and source and not is_filled_later and not is_file:
            names += [target.id for target in targets if isinstance(target, ast.Name)]
    return [name for name in names if name not in later and not name.startswith("_")]


def defaults(name: str, function: Any) -> Iterator[tuple[str, str | None]]:
    """Yield the defaults of the parameters of a function."""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            yield f"{name}({parameter.name})", text_of(parameter.default)


def members(name: str, cls: type) -> Iterator[tuple[str, str | None]]:
    """Yield the class variables, traits, fields, declared settings and defaults of a class."""
    names = {item.name for item in fields(cls)} if is_dataclass(cls) else set()
    for key, value in vars(cls).items():
        function = getattr(value, "__func__", value)
        if isinstance(value, traitlets.TraitType):
            yield f"{name}.{key}", trait_of(value)
        elif (key == "__init__" and names) or (key.startswith("_") and key != "__init__"):
            continue  # the defaults of a data class are those of its fields
        elif isinstance(function, FunctionType) and function.__module__ == cls.__module__:
            yield from defaults(f"{name}.{key}", function)
        elif key not in names and not isinstance(value, type | FunctionType):
            yield f"{name}.{key}", text_of(value)
    if is_dataclass(cls):
        own = inspect.get_annotations(cls)
        for item in fields(cls):
            default = item.default if item.default_factory is MISSING else item.default_factory
            if item.name in own and default is not MISSING:
                yield f"{name}.{item.name}", text_of(default)
        if any("Label(" in str(annotation) for annotation in own.values()):
            for setting in declared(cls):
                limits = [setting.range, list(setting.choices), setting.kind, setting.unlimited]
                yield f"{name}.{setting.name}: setting", text_of(limits)


def values(module: ModuleType) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each limit, default and setting of a module, and its text."""
    for name in constants(module):
        yield name, text_of(getattr(module, name))
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__ or name.startswith("_"):
            continue
        if isinstance(value, type):
            yield from members(name, value)
        elif callable(value) and getattr(value, "__name__", None) == name:
            yield from defaults(name, value)


def lines(package: str) -> list[str]:
    """Return a line for each limit, default and setting of a package."""
    listed = set()
    folder = [str(ROOT / package)]
    modules = [item.name for item in pkgutil.walk_packages(folder, f"sdcwidgets.{package}.")]
    for name in [f"sdcwidgets.{package}", *modules]:
        if name not in PROGRAMS:
            for key, text in values(importlib.import_module(name)):
                if text is not None and text not in ("None", "sentence"):
                    line = f"{name.removeprefix('sdcwidgets.')}.{key} = {text}"
                    checksum = f" … {zlib.crc32(line.encode())}"
                    listed.add(line if len(line) <= LONGEST else line[:LONGEST] + checksum)
    return sorted(listed)


@pytest.mark.parametrize("package", PACKAGES)
def test_limits_defaults_and_settings_are_recorded(package, pytestconfig):
    file = FOLDER / f"{package}.txt"
    listed = lines(package)
    if pytestconfig.getoption("--renew-snapshots"):
        file.write_text("\n".join(listed) + "\n", encoding="utf-8")
        return
    assert sorted({*listed} ^ {*file.read_text("utf-8").splitlines()}) == []
