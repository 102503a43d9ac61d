"""What several commands share: flags of declared parameters, the method that is named, the table that is read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, declared

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.sources import Reading
    from sdcwidgets.tables.table import FrequencyTable

#: A parameter of a method is kept under this and its name, so that it meets no setting of the same name.
_METHOD = "method_"


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence, and that may know more flags once it has seen what is asked.

    Attributes
    ----------
    later : callable, optional
        Called with the arguments before they are read; it adds what they ask for.
    own_flags : frozenset of str
        The flags that were there before.
    verbs : dict of str to Parser
        Parsers that read the rest where the first argument is their name.
    """

    later: Callable[[Sequence[str]], None] | None = None
    own_flags: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.verbs: dict[str, Parser] = {}

    def verb(self, name: str, run: Callable[[argparse.Namespace], int | None]) -> Parser:
        """Return a new parser for what follows this name; the first line of the function's docstring is its help."""
        about = (run.__doc__ or "").partition("\n")[0]
        parser = self.verbs[name] = Parser(prog=f"{self.prog} {name}", description=about)
        parser.set_defaults(run=run)
        names = ", ".join(self.verbs)
        self.epilog = f"`{self.prog} NAME --help` tells of {names}."
        return parser

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read arguments, after what they ask for was added."""
        if args and args[0] in self.verbs:
            return self.verbs[args[0]].parse_known_args(args[1:], namespace)
        later, self.later = self.later, None
        if later is not None:
            self.own_flags = frozenset(self._option_string_actions)
            later(list(args or ()))
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and self._subparsers is None and "_ARGCOMPLETE" not in os.environ:
            # Here, as `--help` of the command lists them.
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end with exit code 2."""
        self.exit(2, f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` lists what there is.\n")


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
    settings = ((parameter, getattr(options, parameter.name, None)) for parameter in declared(cls))
    return {
        parameter.name: _parsed(parameter, text, parameter.flag)
        for parameter, text in settings
        if text is not None
    }


def _about(parameter: Parameter) -> str:
    """Return the help of a flag: what it is, what would be right, what it does, and its default."""
    text = f"{parameter.label}: {parameter.expected}. {parameter.help}"
    default = _written(parameter)
    if default and "(default:" not in text:
        text += f" (default: {default})"
    return text.replace("%", "%%")


def _written(parameter: Parameter) -> str:
    """Return the default of a parameter as it is typed, "" for nothing and for a matrix."""
    value = parameter.default
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) if not any(isinstance(item, tuple) for item in value) else ""
    return str(value)


def _parsed(parameter: Parameter, text: str, flag: str) -> Any:
    """Return the value of a flag; what is wrong with it names the flag."""
    try:
        return parameter.parse(text)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the file that a table is read from, and a flag for each way of reading it."""
    from sdcwidgets.tables.io.sources import How

    about = (
        "CSV, XLSX, ODS, PX, JSON-stat, SDMX or HTML: a table, a long table or one row a person; - is the standard "
        "input, example:NAME an example"
    )
    parser.add_argument("file", metavar="FILE", help=about)
    add_options(parser, How)


def read_table(options: argparse.Namespace) -> FrequencyTable:
    """Read the table that is named; what was noticed on the way is told on stderr."""
    return read_reading(options).table


def read_reading(options: argparse.Namespace) -> Reading:
    """Do what `read_table` does, and return what else is known of the table."""
    from sdcwidgets.tables.io.options import with_flags
    from sdcwidgets.tables.io.sources import How, named

    choices = read_options(options, How)
    try:
        source = named(options.file)
        reading = (source.choose(**choices) if choices else source).read()
    except InputError as error:
        raise InputError(with_flags(str(error))) from None
    for note in reading.notes:
        print(with_flags(note), file=sys.stderr)
    return reading


def described(file: str) -> tuple[str, str]:
    """Return the title and the source of the table that is named, for a report."""
    from sdcwidgets.tables import examples
    from sdcwidgets.tables.io.sources import named

    if file.startswith("example:"):
        published = examples.get(file.removeprefix("example:"))
        return published.title, published.source
    return named(file).title, ""


def add_methods(parser: Parser, *, required: bool) -> None:
    """Add `--method`; once it is read, a flag for each parameter of the method that it names."""
    from sdcwidgets import methods

    names = ", ".join(methods.available())
    about = f"one of {names}; with `--method NAME --help` its settings are listed"
    parser.add_argument("--method", metavar="NAME", required=required, help=about)
    parser.later = partial(_add_settings, parser)


def _add_settings(parser: Parser, args: Sequence[str]) -> None:
    """Add the flags of the method that is named; one that belongs to none, or to another one, is an error.

    Raises
    ------
    InputError
        If there is no such method, or it has not what is given.
    """
    from sdcwidgets import methods

    first = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    first.add_argument("--method")
    name = None
    with suppress(argparse.ArgumentError):  # which is told when all is read
        name = first.parse_known_args(args)[0].method
    own = _flags(parser, name) if name in methods.available() else {}
    group = parser.add_argument_group(f"settings of {name}") if own else parser
    for flag, parameter in own.items():
        group.add_argument(
            flag, dest=_METHOD + parameter.name, metavar=parameter.name.upper(), help=_about(parameter)
        )
    parser.set_defaults(flags_of_method={parameter.name: flag for flag, parameter in own.items()})
    known = {flag for other in methods.available() for flag in _flags(parser, other)}
    for text in args:
        flag = text.partition("=")[0]
        if flag in known and flag not in parser._option_string_actions:
            if not own:
                raise InputError(f"{flag} belongs to a method; name one with --method.")
            raise InputError(f"The method {name} has no {flag}; it has {', '.join(own) or 'no parameters'}.")


def read_method(options: argparse.Namespace) -> Method | None:
    """Return the method that was named, with its parameters, or None where none was."""
    from sdcwidgets import methods

    if options.method is None:
        return None
    cls, settings = methods.get(options.method), {}
    for parameter in declared(cls):
        text = getattr(options, _METHOD + parameter.name)
        if text is not None:
            settings[parameter.name] = _parsed(parameter, text, options.flags_of_method[parameter.name])
    return cls(**settings)


def add_measures(parser: Parser) -> None:
    """Add a flag for each setting that one measure alone has, with the measure's name in front."""
    group = parser.add_argument_group("what one measure asks")
    for measure, item in _own_settings():
        group.add_argument(
            f"--{measure.replace('_', '-')}-{item.flag[2:]}", metavar=item.name.upper(), help=_about(item)
        )


def read_measures(options: argparse.Namespace) -> tuple[tuple[str, str, object], ...]:
    """Return the settings of single measures that were given: measure, setting, value."""
    settings = (
        (measure, item, f"{measure.replace('_', '-')}-{item.flag[2:]}") for measure, item in _own_settings()
    )
    return tuple(
        (measure, item.name, _parsed(item, text, f"--{flag}"))
        for measure, item, flag in settings
        if (text := getattr(options, flag.replace("-", "_"))) is not None
    )


def _own_settings() -> list[tuple[str, Parameter]]:
    from sdcwidgets import measures

    return [(name, item) for name in measures.available() for item in measures.get(name).own_settings()]


def _flags(parser: Parser, method: str) -> dict[str, Parameter]:
    """Return the flags of a method's parameters; one with the name of a way of reading, or of the command's, yields."""
    from sdcwidgets import methods
    from sdcwidgets.tables.io.sources import How

    taken = {*parser.own_flags, *(parameter.flag for parameter in declared(How))}
    return {
        ("--method-" if parameter.flag in taken else "--") + parameter.flag.removeprefix("--"): parameter
        for parameter in declared(methods.get(method))
    }
