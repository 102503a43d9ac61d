"""Parser of the command line: layout of the help, and one sentence for each wrong call."""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

#: Groups of options, in the order in which the help shows them.
MAIN = "Main options"
METHOD = "Options of the method"
OUTPUT = "Options for output and release"
READING = "Options for reading FILE"
MEASURES = "Options of single measures"
GROUPS = (MAIN, METHOD, OUTPUT, READING, MEASURES)

#: Maximum width of the help, in characters.
WIDTH = 100

#: Column at which the descriptions of options begin.
HELP_START = 28

#: Mark for an option that was not given yet.
_NO_VALUE = object()

#: Types of an option, each with its description in an error message.
KINDS: dict[object, str] = {int: "a whole number", float: "a number"}

#: Messages of argparse, each with the sentence that replaces it.
_MESSAGES = (
    (re.compile(r"argument (?:\S+/)?(\S+): expected (?:one|at least one) argument"), r"\1 needs a value"),
    (re.compile(r"argument (?:\S+/)?(\S+): ignored explicit argument (.*)"), r"\1 has no value, but got \2"),
    (re.compile(r"argument (?:\S+/)?(\S+): (.*)"), r"\1: \2"),
)


class _Once(argparse.Action):
    """Option with one value, which must not be given twice."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        _reject_second_value(self, parser, namespace, values)
        setattr(namespace, self.dest, values)


class _Constant(argparse.Action):
    """Abbreviation of one value of another option, for example `--json`."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        _reject_second_value(self, parser, namespace, self.const)
        setattr(namespace, self.dest, self.const)


def _reject_second_value(action: argparse.Action, parser: Parser, namespace: Any, value: object) -> None:
    """Stop if an option gets a second value; argparse would use the last one without a message."""
    if not action.option_strings:
        return
    flag = action.option_strings[-1]
    earlier: dict[str, tuple[str, object]] = vars(namespace).setdefault("given_options", {})
    first, first_value = earlier.setdefault(action.dest, (flag, _NO_VALUE))
    if first_value is not _NO_VALUE:
        if first == flag and not isinstance(action, _Constant):
            parser.error(f"{flag} is given twice; give it once")
        if value != first_value:
            parser.error(f"{first} and {flag} contradict each other; use one of them")
    earlier[action.dest] = (flag, value)


class OptionGroup:
    """Options below one title of the help.

    Parameters
    ----------
    title : str
        Title; "" for arguments of the command and main options.
    parser : Parser
        Parser that gets the options.

    Attributes
    ----------
    arguments : list of argparse.Action
        The options and arguments, in the order of their addition.
    """

    def __init__(self, title: str, parser: Parser) -> None:
        self.title = title
        self.arguments: list[argparse.Action] = []
        self._parser = parser

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option or argument to the parser; the parameters are the same as in ArgumentParser.add_argument."""
        argument = self._parser.add(*names, **settings)
        self.arguments.append(argument)
        return argument


class Parser(argparse.ArgumentParser):
    """Parser with grouped help, nested commands and options that depend on other options.

    Attributes
    ----------
    later : callable, optional
        Function that gets the arguments before they are parsed, and adds the options that they require.
    own_flags : frozenset of str
        Options that existed before `later` was called.
    nested : dict of str to Parser
        Parsers of the commands that the first argument selects.
    groups : list of OptionGroup
        The options and arguments by the titles of the help.
    examples : tuple of str
        Calls that the help shows.
    absent : dict of str to str
        Options of other commands, each with the reason why this command does not have it.
    checked_later : tuple of str
        Required options that the command checks itself, by their attributes; the usage shows them.
    """

    later: Callable[[Sequence[str]], None] | None = None
    own_flags: frozenset[str] = frozenset()

    def __init__(self, *, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(**({"allow_abbrev": False, "add_help": False} | settings))
        for kind, action in ((None, _Once), ("store", _Once), ("store_const", _Constant)):
            self.register("action", kind, action)
        self.examples = tuple(examples)
        self.nested: dict[str, Parser] = {}
        self.absent: dict[str, str] = {}
        self.checked_later: tuple[str, ...] = ()
        self.groups: list[OptionGroup] = [OptionGroup("", self)]
        self._subcommands: Any = None
        self.add_argument("-h", "--help", action="help", help="show this help and exit")

    @property
    def arguments(self) -> list[argparse.Action]:
        """The options and arguments of all groups."""
        return [argument for group in self.groups for argument in group.arguments]

    @property
    def flags(self) -> frozenset[str]:
        """The options of the parser, such as "--seed"."""
        return frozenset(flag for argument in self.arguments for flag in argument.option_strings)

    def group(self, title: str) -> OptionGroup:
        """Return the group of options with this title; create it if it does not exist."""
        for group in self.groups:
            if group.title == title:
                return group
        self.groups.append(OptionGroup(title, self))
        return self.groups[-1]

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an argument of the command, or one of its main options."""
        return self.groups[0].add_argument(*names, **settings)

    def add(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option or argument whose errors are sentences; its group in the help is the caller's matter."""
        argument = super().add_argument(*names, **settings)
        if argument.nargs != 0:
            argument.type = partial(_read, argument, argument.type)
        return argument

    def add_subparsers(self, **settings: Any) -> Any:
        """Add commands, as ArgumentParser.add_subparsers does."""
        self._subcommands = super().add_subparsers(**settings)
        return self._subcommands

    def add_command(
        self, name: str, run: Callable[[argparse.Namespace], int | None], examples: Sequence[str]
    ) -> Parser:
        """Add a nested command that the first argument selects.

        Parameters
        ----------
        name : str
        run : callable
            Function that runs the command. The first line of its docstring is the purpose in the help.
        examples : sequence of str
            Calls that the help shows.

        Returns
        -------
        Parser
            The parser of the arguments after the name.
        """
        purpose = (run.__doc__ or "").partition("\n")[0]
        parser = Parser(prog=f"{self.prog} {name}", description=purpose, examples=examples)
        parser.set_defaults(run=run)
        self.nested[name] = parser
        return parser

    def commands(self) -> dict[str, Parser]:
        """Return the parsers of all commands below this one, by name."""
        return self.nested | (self._subcommands.choices if self._subcommands else {})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments after `later` has added the options that they require."""
        if args and args[0] in self.nested:
            return self.nested[args[0]].parse_known_args(args[1:], namespace)
        later, self.later = self.later, None
        if later is not None:
            self.own_flags = self.flags
            later(list(args or ()))
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and self._subcommands is None and "_ARGCOMPLETE" not in os.environ:
            # Raised by this parser and not by its parent, so that the message names the right command.
            self.error(self._unknown(unknown[0]))
        return options, unknown

    def format_help(self) -> str:
        """Return the help: purpose, examples, usage, commands, options by group."""
        width = min(WIDTH, shutil.get_terminal_size().columns) - 2
        parts = [textwrap.fill(self.description or "", width)]
        if self.examples:
            parts.append("\n".join(["Examples:", *(f"  {example}" for example in self.examples)]))
        parts.append(self.format_usage().rstrip("\n"))
        commands = self.commands()
        if commands:
            title = "Commands, in place of the first argument:" if self.nested else "Commands:"
            parts.append("\n".join([title, *(_line(name, commands[name], width) for name in commands)]))
        sections = _sections(self.groups)
        longest = max(len(_invocation(argument)) for _, arguments in sections for argument in arguments)
        start = min(longest + 4, HELP_START)
        for title, arguments in sections:
            parts.append("\n".join([f"{title}:", *(_described(one, start, width) for one in arguments)]))
        if self.epilog:
            parts += [textwrap.fill(line, width) for line in self.epilog.split("\n")]
        return "\n\n".join(parts) + "\n"

    def format_usage(self) -> str:
        """Return one line: the command, its required arguments, and `[options]`."""
        words = ["Usage:", self.prog]
        for argument in self.arguments:
            metavar = _value_name(argument)
            if not argument.option_strings:
                words.append({"+": f"{metavar}...", "?": f"[{metavar}]"}.get(str(argument.nargs), metavar))
            elif argument.required or argument.dest in self.checked_later:
                words.append(f"{argument.option_strings[-1]} {metavar}")
        if self._subcommands:
            words += [self._subcommands.metavar, "..."]
        return " ".join([*words, "[options]"]) + "\n"

    def error(self, message: str) -> NoReturn:
        """Print the error in one sentence, and exit with status 2."""
        wrong = re.search(r"invalid choice: '(.*?)' \(", message)
        if wrong and self._subcommands:
            message = self._unknown_command(wrong[1], list(self._subcommands.choices))
        missing = re.fullmatch(r"the following arguments are required: (.*)", message)
        if missing:
            names = [name.rpartition("/")[2] for name in missing[1].split(", ")]
            listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
            message = f"{listed} {'is' if len(names) == 1 else 'are'} missing{self._choices_of(names)}"
        for pattern, sentence in _MESSAGES:
            message = pattern.sub(sentence, message)
        self.exit(2, f"{message[:1].upper()}{message[1:]} (see `{self.prog} --help`).\n")

    def _choices_of(self, names: Sequence[str]) -> str:
        """Return the allowed values of a missing argument that has a list of them, "" otherwise."""
        for argument in self.arguments:
            if argument.choices and argument.metavar in names:
                return f"; {argument.metavar} must be one of {', '.join(map(str, argument.choices))}"
        return ""

    def _unknown(self, text: str) -> str:
        """Return the message for an unknown argument."""
        if not text.startswith("-"):
            return f'There is one argument too many: "{text}"'
        flag = text.partition("=")[0]
        if flag in self.absent:
            return f"There is no option {flag}; {self.absent[flag]}"
        near = difflib.get_close_matches(flag, sorted(self.flags), 1)
        return f"There is no option {flag}" + (f"; the nearest one is {near[0]}" if near else "")

    def _unknown_command(self, value: str, known: Sequence[str]) -> str:
        """Return the message for an unknown command, with the nearest command."""
        below = [
            f"{name} {nested}" for name, parser in self.commands().items() for nested in parser.commands()
        ]
        near = [path for path in below if path.rpartition(" ")[2] == value]
        near = near or difflib.get_close_matches(value, known, 1)
        if near:
            return f'There is no command "{value}"; the nearest one is "{self.prog} {near[0]}"'
        return f'There is no command "{value}"; there are {", ".join(known)}'


#: Values of options and arguments that name a file.
_FILE_VALUES = ("FILE", "RULES")


def _read(argument: argparse.Action, convert: Any, text: str) -> Any:
    """Return the value of an option or argument; raise ArgumentError with one sentence if it is not allowed."""
    name = argument.option_strings[-1] if argument.option_strings else str(argument.metavar or argument.dest)
    if convert is Path or argument.metavar in _FILE_VALUES:
        _check_file_name(name, text)
    try:
        value = convert(text) if convert else text
    except ValueError:
        if convert not in KINDS:
            raise
        raise argparse.ArgumentError(None, f'{name} is "{text}"; it must be {KINDS[convert]}') from None
    if argument.choices is not None and value not in argument.choices:
        known = ", ".join(map(str, argument.choices))
        raise argparse.ArgumentError(None, f'{name} is "{value}"; it must be one of {known}')
    return value


def _check_file_name(name: str, text: str) -> None:
    """Raise ArgumentError for a file name that no system accepts."""
    if not text.strip():
        raise argparse.ArgumentError(None, f"{name} is empty; it must be the name of a file")
    try:
        os.stat(text)
    except ValueError:
        raise argparse.ArgumentError(None, f"{name} has a character that file names cannot contain") from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise argparse.ArgumentError(
                None, f"{name} has {len(text):,} characters, more than a file name can have"
            ) from None


def _sections(groups: Sequence[OptionGroup]) -> list[tuple[str, list[argparse.Action]]]:
    """Return titles and arguments in the order of the help: arguments, main options, and other groups."""
    main = groups[0].arguments
    sections = [
        ("Arguments", [argument for argument in main if not argument.option_strings]),
        # `--help` is the last one.
        (
            MAIN,
            sorted((one for one in main if one.option_strings), key=lambda argument: argument.dest == "help"),
        ),
    ]
    sections += [(group.title, group.arguments) for group in sorted(groups[1:], key=_rank)]
    return [(title, arguments) for title, arguments in sections if arguments]


def _rank(group: OptionGroup) -> int:
    """Return the place of a group in the help; settings of a method follow the main options."""
    return 2 * GROUPS.index(group.title) if group.title in GROUPS else 1


def _value_name(argument: argparse.Action) -> str:
    """Return the name of the value of an option or argument in the help."""
    return argument.metavar if isinstance(argument.metavar, str) else argument.dest


def _invocation(argument: argparse.Action) -> str:
    """Return an option with its value, for example `-o, --output OUT`, or the name of an argument."""
    if not argument.option_strings:
        return _value_name(argument)
    flags = ", ".join(argument.option_strings)
    return flags if argument.nargs == 0 else f"{flags} {_value_name(argument)}"


def _described(argument: argparse.Action, start: int, width: int) -> str:
    """Return an option and its help; most defaults are in the help already."""
    text = (argument.help or "").replace("%%", "%")
    has_value = bool(argument.option_strings) and argument.nargs != 0
    if has_value and not argument.required and "default" not in text:
        text += " (default: none)"
    lines = [" " * start + line for line in textwrap.wrap(text, width - start)]
    invocation = f"  {_invocation(argument)}"
    if len(invocation) + 2 > start:
        return "\n".join([invocation, *lines])
    lines[0] = invocation.ljust(start) + lines[0].lstrip()
    return "\n".join(lines)


def _line(name: str, parser: Parser, width: int) -> str:
    """Return the name of a command and its purpose."""
    return textwrap.fill(
        (parser.description or "").rstrip("."),
        width,
        initial_indent=f"  {name:<11} ",
        subsequent_indent=" " * 14,
    )
