"""Check docstring sections of public functions.

The check is part of `make lint`. numpydoc compares the sections with the signature if a function has three or more
arguments; this module also checks the section Raises. In all public docstrings, each parameter needs a separate entry,
because the site would show the default of the first parameter for all. Each doctest must be in the section Examples,
because the site would show it as a quotation elsewhere.
"""

import ast
import importlib
import inspect
import re
import sys
import textwrap
from pathlib import Path
from pkgutil import walk_packages

from numpydoc.validate import validate

SOURCE = Path(__file__).parents[2] / "sdcwidgets"

#: Entry of several parameters, such as "F, G : array_like".
GROUPED = re.compile(r"\*{0,2}\w+(, \*{0,2}\w+)+\s*(:.*)?")

ROOMS = ("sdcwidgets.methods", "sdcwidgets.plots", "sdcwidgets.tableserver")

#: Codes of numpydoc for missing, unknown or reordered parameters, missing Returns or Yields, and unknown or
#: reordered sections.
CHECKS = {"PR01", "PR02", "PR03", "RT01", "YD01", "GL06", "GL07"}


def public(owner, things, module):
    """Yield (name, function) of each public function of a module and of its classes."""
    for name, thing in things.items():
        thing = getattr(thing, "__func__", thing)
        if name.startswith("_") or getattr(thing, "__module__", "") != module:
            continue
        if inspect.isclass(thing):
            yield from public(f"{owner}.{name}", vars(thing), module)
        elif inspect.isfunction(thing):
            yield f"{owner}.{name}", thing


def takes_three(function):
    """Return whether a function has three arguments or more."""
    return len(inspect.signature(function).parameters.keys() - {"self", "cls"}) >= 3


def raises(function):
    """Return whether the body of a function raises an error."""
    code = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(code))


def missing(name, function):
    """Return the missing sections of a function's docstring."""
    lacks = [message for code, message in validate(name)["errors"] if code in CHECKS]
    if raises(function) and "\nRaises\n------" not in inspect.getdoc(function):
        lacks.append("No Raises section found")
    return [f"{name}: {message}" for message in lacks]


def documented(node, name):
    """Yield (name, docstring) of a module, class or function, and of all public ones inside it."""
    text = ast.get_docstring(node)
    if text:
        yield name, text
    for inner in getattr(node, "body", ()):
        is_named = isinstance(inner, ast.ClassDef | ast.FunctionDef)
        if is_named and not inner.name.startswith("_"):
            yield from documented(inner, f"{name}.{inner.name}")


def lines_by_section(text):
    """Yield (section, line) of a docstring; the section is "" before the first heading."""
    section, lines = "", text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and re.fullmatch("-{3,}", below):
            section = line
        yield section, line


def badly_shown(name, text):
    """Return the lines of a docstring that the site would show wrongly."""
    lacks = []
    for section, line in lines_by_section(text):
        if section == "Parameters" and GROUPED.fullmatch(line):
            lacks.append(f"{name}: Write one entry per parameter instead of {line!r}")
        if line.startswith(">>>") and section != "Examples":
            lacks.append(f"{name}: Move the doctest to the section Examples")
            break
    return lacks


def main():
    """Print missing sections and exit with status 1 if there are any."""
    modules = [
        importlib.import_module(found.name)
        for room in ROOMS
        for found in walk_packages(importlib.import_module(room).__path__, f"{room}.")
    ]
    functions = [
        found
        for module in modules
        for found in public(module.__name__, vars(module), module.__name__)
        if takes_three(found[1])
    ]
    lacks = [line for name, function in functions for line in missing(name, function)]
    for path in sorted(SOURCE.rglob("*.py")):
        for name, text in documented(ast.parse(path.read_text("utf-8")), str(path.relative_to(SOURCE))):
            lacks += badly_shown(name, text)
    print(*lacks, sep="\n", end="\n" if lacks else "")
    print(
        f"{len(functions)} public functions of three or more arguments, and all other public docstrings: "
        f"{len(lacks)} gaps"
    )
    sys.exit(bool(lacks))


if __name__ == "__main__":
    main()
