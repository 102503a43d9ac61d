"""What several commands share: flags of declared parameters, the method that is named, the table that is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdcwidgets.errors import InputError
from sdcwidgets.parameters import Parameter, declared

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.sources import Reading
    from sdcwidgets.table import FrequencyTable

__all__ = [
    "add_methods",
    "add_options",
    "add_table",
    "described",
    "read_method",
    "read_options",
    "read_reading",
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
        parser.add_argument(
            parameter.flag, dest=parameter.name, metavar=parameter.name.upper(), help=_about(parameter)
        )


def read_options(options: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the declared parameters of a dataclass that were given, as their own types."""
    given = ((parameter, getattr(options, parameter.name, None)) for parameter in declared(cls))
    return {
        parameter.name: _parsed(parameter, text, parameter.flag)
        for parameter, text in given
        if text is not None
    }


def _about(parameter: Parameter) -> str:
    """Return the help of a flag: what it is, what would be right, what it does, and its default."""
    told = f"{parameter.label}: {parameter.expected}. {parameter.help}"
    default = _written(parameter)
    if default and "(default:" not in told:
        told += f" (default: {default})"
    return told.replace("%", "%%")


def _about_method(of: Mapping[str, Parameter]) -> str:
    """Return the help of a parameter of methods: each with what it is there, where they differ, and its default."""
    told: dict[str, list[str]] = {}
    for name, parameter in of.items():
        told.setdefault(_about(parameter), []).append(name)
    return " ".join(f"[{', '.join(names)}] {about}" for about, names in told.items())


def _written(parameter: Parameter) -> str:
    """Return the default of a parameter as it is typed, "" for nothing and for a matrix."""
    value = parameter.default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) if not any(isinstance(one, tuple) for one in value) else ""
    return str(value)


def _parsed(parameter: Parameter, text: str, flag: str) -> Any:
    """Return the value of a flag; what is wrong with it names the flag."""
    try:
        return parameter.parse(text)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the file that a table is read from, and a flag for each way of reading it."""
    from sdcwidgets.sources import How

    about = "CSV or XLSX: a table, a long table or one row a person; - is the standard input, example:NAME an example"
    parser.add_argument("file", metavar="FILE", help=about)
    add_options(parser, How)


def read_table(options: argparse.Namespace) -> FrequencyTable:
    """Read the table that is named; what was noticed on the way is told on stderr."""
    return read_reading(options).table


def read_reading(options: argparse.Namespace) -> Reading:
    """Do what `read_table` does, and return what else is known of the table."""
    from sdcwidgets.formats.how import with_flags
    from sdcwidgets.sources import How, named

    given = read_options(options, How)
    try:
        source = named(options.file)
        reading = (source.choose(**given) if given else source).read()
    except InputError as error:
        raise InputError(with_flags(str(error))) from None
    for note in reading.notes:
        print(with_flags(note), file=sys.stderr)
    return reading


def described(file: str) -> tuple[str, str]:
    """Return the title and the source of the table that is named, for a report."""
    from sdcwidgets import examples
    from sdcwidgets.sources import named

    if file.startswith("example:"):
        published = examples.get(file.removeprefix("example:"))
        return published.title, published.source
    return named(file).title, ""


def add_methods(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add `--method` and a flag for each parameter of any method; `read_method` sees that they fit."""
    from sdcwidgets import methods

    names = methods.available()
    parser.add_argument("--method", metavar="NAME", required=required, help=f"one of {', '.join(names)}")
    takers: dict[str, dict[str, Parameter]] = {}
    for name in names:
        for parameter in declared(methods.get(name)):
            takers.setdefault(parameter.name, {})[name] = parameter
    for name, of in takers.items():
        parser.add_argument(
            _method_flag(name), dest=_METHOD + name, metavar=name.upper(), help=_about_method(of)
        )


def read_method(options: argparse.Namespace) -> Method | None:
    """Return the method that was named, with its parameters, or None where none was."""
    from sdcwidgets import methods

    given = {
        name.removeprefix(_METHOD): text
        for name, text in vars(options).items()
        if name.startswith(_METHOD) and text is not None
    }
    flags = [_method_flag(name) for name in given]
    if options.method is None:
        if flags:
            raise InputError(f"{flags[0]} belongs to a method; name one with --method.")
        return None
    cls = methods.get(options.method)
    known = {parameter.name: parameter for parameter in declared(cls)}
    for name, flag in zip(given, flags, strict=True):
        if name not in known:
            has = ", ".join(map(_method_flag, known)) or "no parameters"
            raise InputError(f"The method {cls.name} has no {flag}; it has {has}.")
    return cls(**{name: _parsed(known[name], text, _method_flag(name)) for name, text in given.items()})


def unwritable(path: Path | None, error: OSError) -> InputError:
    """Return what is said when a file cannot be written."""
    return InputError(
        f"{path or 'The standard output'} cannot be written: {(error.strerror or str(error)).lower()}."
    )


def _method_flag(name: str) -> str:
    """Return the flag of a parameter of a method; one with the name of a way of reading yields to that."""
    from sdcwidgets.sources import How

    taken = any(parameter.name == name for parameter in declared(How))
    return ("--method-" if taken else "--") + name.replace("_", "-")
