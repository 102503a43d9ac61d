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


class HelpFormatter(argparse.HelpFormatter):
    """Formatter that shows the value of an option once: `-o, --output OUT`."""

    def __init__(self, prog: str, width: int | None = None, **settings: Any) -> None:
        if width is None:
            width = min(WIDTH, shutil.get_terminal_size().columns) - 2
        super().__init__(prog, width=width, max_help_position=28, **settings)

    def _get_help_string(self, action: argparse.Action) -> str:
        """Return the help of an option with its default; most defaults are in the text already."""
        text = action.help or ""
        has_value = bool(action.option_strings) and action.nargs != 0
        if not has_value or action.required or "default" in text:
            return text
        return f"{text} (default: none)"

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class _Once(argparse._StoreAction):
    """Option with one value, which must not be given twice."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        _reject_second_value(self, parser, namespace, values)
        super().__call__(parser, namespace, values, option_string)


class _Constant(argparse._StoreConstAction):
    """Option that stands for one value of another option, for example `--json`."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        _reject_second_value(self, parser, namespace, self.const)
        super().__call__(parser, namespace, values, option_string)


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
        defaults: Any = {"formatter_class": HelpFormatter, "allow_abbrev": False, "add_help": False}
        super().__init__(**(defaults | settings))
        for kind, action in ((None, _Once), ("store", _Once), ("store_const", _Constant)):
            self.register("action", kind, action)
        self.examples = tuple(examples)
        self.nested: dict[str, Parser] = {}
        self.absent: dict[str, str] = {}
        self.checked_later: tuple[str, ...] = ()
        self.add_argument("-h", "--help", action="help", help="show this help and exit")

    @property
    def flags(self) -> frozenset[str]:
        """The options of the parser, such as "--seed"."""
        return frozenset(self._option_string_actions)

    def group(self, title: str) -> argparse._ArgumentGroup:
        """Return the group of options with this title; create it if it does not exist."""
        for group in self._action_groups:
            if group.title == title:
                return group
        return self.add_argument_group(title)

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
        parsers = dict(self.nested)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers |= action.choices
        return parsers

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments after `later` has added the options that they require."""
        if args and args[0] in self.nested:
            return self.nested[args[0]].parse_known_args(args[1:], namespace)
        later, self.later = self.later, None
        if later is not None:
            self.own_flags = self.flags
            later(list(args or ()))
        options, unknown = super().parse_known_args(args, namespace)
        if unknown and self._subparsers is None and "_ARGCOMPLETE" not in os.environ:
            # Raised by this parser and not by its parent, so that the message names the right command.
            self.error(self._unknown(unknown[0]))
        return options, unknown

    def format_help(self) -> str:
        """Return the help: purpose, examples, usage, commands, options by group."""
        formatter = self._get_formatter()
        for group in sorted(self._action_groups, key=_rank):
            title = group.title or ""
            formatter.start_section(_TITLES.get(title, title))
            formatter.add_arguments(_options_of(group))
            formatter.end_section()
        width = formatter._width
        parts = [textwrap.fill(self.description or "", width)]
        if self.examples:
            parts.append("\n".join(["Examples:", *(f"  {example}" for example in self.examples)]))
        parts.append(self.format_usage().rstrip("\n"))
        commands = self.commands()
        if commands:
            title = "Commands, in place of the first argument:" if self.nested else "Commands:"
            parts.append("\n".join([title, *(_line(name, commands[name], width) for name in commands)]))
        parts.append(formatter.format_help().strip("\n"))
        if self.epilog:
            parts += [textwrap.fill(line, width) for line in self.epilog.split("\n")]
        return "\n\n".join(parts) + "\n"

    def format_usage(self) -> str:
        """Return one line: the command, its required arguments, and `[options]`."""
        words = ["Usage:", self.prog]
        for action in self._actions:
            metavar = action.metavar if isinstance(action.metavar, str) else action.dest
            if isinstance(action, argparse._SubParsersAction):
                words += [metavar, "..."]
            elif not action.option_strings:
                words.append({"+": f"{metavar}...", "?": f"[{metavar}]"}.get(str(action.nargs), metavar))
            elif action.required or action.dest in self.checked_later:
                words.append(f"{action.option_strings[-1]} {metavar}")
        return " ".join([*words, "[options]"]) + "\n"

    def error(self, message: str) -> NoReturn:
        """Print the error in one sentence, and exit with status 2."""
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
        for action in self._actions:
            if (
                not isinstance(action, argparse._SubParsersAction)
                and action.choices
                and action.metavar in names
            ):
                return f"; {action.metavar} must be one of {', '.join(map(str, action.choices))}"
        return ""

    def _unknown(self, text: str) -> str:
        """Return the message for an unknown argument."""
        if not text.startswith("-"):
            return f'There is one argument too many: "{text}"'
        flag = text.partition("=")[0]
        if flag in self.absent:
            return f"There is no option {flag}; {self.absent[flag]}"
        near = difflib.get_close_matches(flag, self._option_string_actions, 1)
        return f"There is no option {flag}" + (f"; the nearest one is {near[0]}" if near else "")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, self._unknown_command(str(value), known))
        name = "/".join(action.option_strings[-1:]) or str(action.metavar or action.dest)
        raise argparse.ArgumentError(None, f'{name} is "{value}"; it must be one of {", ".join(known)}')

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

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.type is Path or action.metavar in _FILE_VALUES:
            _check_file_name(action, arg_string)
        kind = KINDS.get(action.type)
        if kind is None:
            return super()._get_value(action, arg_string)
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            name = action.option_strings[-1] if action.option_strings else str(action.metavar)
            raise argparse.ArgumentError(None, f'{name} is "{arg_string}"; it must be {kind}') from None


#: Values of options and arguments that name a file.
_FILE_VALUES = ("FILE", "RULES")


def _check_file_name(action: argparse.Action, text: str) -> None:
    """Raise ArgumentError for a file name that no system accepts."""
    name = action.option_strings[-1] if action.option_strings else str(action.metavar)
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


#: Titles of the groups that argparse makes, each with the title in the help.
_TITLES = {"positional arguments": "Arguments", "options": MAIN}


def _rank(group: argparse._ArgumentGroup) -> int:
    """Return the place of a group in the help; settings of a method follow the main options."""
    title = group.title or ""
    if title in _TITLES:
        return 0
    return 2 * GROUPS.index(title) if title in GROUPS else 1


def _options_of(group: argparse._ArgumentGroup) -> list[argparse.Action]:
    """Return the arguments of a group without commands; `--help` is the last one."""
    actions = [
        action for action in group._group_actions if not isinstance(action, argparse._SubParsersAction)
    ]
    return sorted(actions, key=lambda action: action.dest == "help")


def _line(name: str, parser: Parser, width: int) -> str:
    """Return the name of a command and its purpose."""
    return textwrap.fill(
        (parser.description or "").rstrip("."),
        width,
        initial_indent=f"  {name:<11} ",
        subsequent_indent=" " * 14,
    )
