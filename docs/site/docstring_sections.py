"""Check docstring sections of public functions with three or more arguments.

The check is part of `make lint`. numpydoc compares the sections with the signature; this module also checks
the section Raises.
"""

import ast
import importlib
import inspect
import sys
import textwrap
from pkgutil import walk_packages

from numpydoc.validate import validate

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
    print(*lacks, sep="\n", end="\n" if lacks else "")
    print(
        f"{len(functions)} public functions of three or more arguments: {len(lacks)} gaps in their docstrings"
    )
    sys.exit(bool(lacks))


if __name__ == "__main__":
    main()
