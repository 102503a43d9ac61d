"""What several commands share: flags of declared parameters, the method that is named, the table that is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdcwidgets.errors import InputError
from sdcwidgets.parameters import declared

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.table import FrequencyTable

__all__ = [
    "add_methods",
    "add_options",
    "add_table",
    "read_method",
    "read_options",
    "read_table",
    "unwritable",
]

#: A parameter of a method is kept under this and its name, so that it meets no setting of the same name.
_METHOD = "method_"


def add_options(parser: argparse.ArgumentParser, cls: type, only: Sequence[str] = ()) -> None:
    """Add a flag for each declared parameter of a dataclass; its text is checked by `read_options`."""
    for parameter in declared(cls):
        if only and parameter.name not in only:
            continue
        about = f"{parameter.label}: {parameter.expected}. {parameter.help}"
        parser.add_argument(
            parameter.flag, dest=parameter.name, metavar=parameter.name.upper(), help=about.replace("%", "%%")
        )


def read_options(options: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the declared parameters of a dataclass that were given, as their own types."""
    given = ((parameter, getattr(options, parameter.name, None)) for parameter in declared(cls))
    return {parameter.name: parameter.parse(text) for parameter, text in given if text is not None}


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the file that a table is read from, and a flag for each way of reading it."""
    from sdcwidgets.sources import How

    about = "CSV or XLSX: a table, a long table or one row a person; - is the standard input, example:NAME an example"
    parser.add_argument("file", metavar="FILE", help=about)
    add_options(parser, How)


def read_table(options: argparse.Namespace) -> FrequencyTable:
    """Read the table that is named; what was noticed on the way is told on stderr."""
    from sdcwidgets.sources import How, named

    given = read_options(options, How)
    source = named(options.file)
    reading = (source.choose(**given) if given else source).read()
    for note in reading.notes:
        print(note, file=sys.stderr)
    return reading.table


def add_methods(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add `--method` and a flag for each parameter of any method; `read_method` sees that they fit."""
    from sdcwidgets import methods

    names = methods.available()
    parser.add_argument("--method", metavar="NAME", required=required, help=f"one of {', '.join(names)}")
    takers: dict[str, list[str]] = {}
    for name in names:
        for parameter in declared(methods.get(name)):
            takers.setdefault(parameter.flag, []).append(name)
            if len(takers[parameter.flag]) > 1:
                continue
            about = f"{parameter.label}: {parameter.expected}. {parameter.help}"
            flag = parameter.flag
            if flag in _reading_flags():
                flag = f"--method-{flag.removeprefix('--')}"
            parser.add_argument(
                flag,
                dest=_METHOD + parameter.name,
                metavar=parameter.name.upper(),
                help=about.replace("%", "%%"),
            )


def read_method(options: argparse.Namespace) -> Method | None:
    """Return the method that was named, with its parameters, or None where none was."""
    from sdcwidgets import methods

    given = {
        name.removeprefix(_METHOD): text
        for name, text in vars(options).items()
        if name.startswith(_METHOD) and text is not None
    }
    flags = ["--" + name.replace("_", "-") for name in given]
    if options.method is None:
        if flags:
            raise InputError(f"{flags[0]} belongs to a method; name one with --method.")
        return None
    cls = methods.get(options.method)
    known = {parameter.name: parameter for parameter in declared(cls)}
    for name, flag in zip(given, flags, strict=True):
        if name not in known:
            has = ", ".join(parameter.flag for parameter in known.values()) or "no parameters"
            raise InputError(f"The method {cls.name} has no {flag}; it has {has}.")
    return cls(**{name: known[name].parse(text) for name, text in given.items()})


def unwritable(path: Path | None, error: OSError) -> InputError:
    """Return what is said when a file cannot be written."""
    return InputError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")


def _reading_flags() -> set[str]:
    """Return the flags that say how a file is read; a parameter of a method with such a name yields to them."""
    from sdcwidgets.sources import How

    return {parameter.flag for parameter in declared(How)}
