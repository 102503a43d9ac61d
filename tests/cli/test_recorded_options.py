"""Options and arguments of each command, compared with a recorded file.

After an intended change, `pytest --renew-snapshots tests/cli/test_recorded_options.py` writes the file anew. Help texts
are not recorded.
"""

from functools import partial
from pathlib import Path

from sdcwidgets import methods
from sdcwidgets.cli import _parser

FILE = Path(__file__).parent / "recorded" / "options.txt"

#: Words after which a command adds the options of a method.
LATER = [f"--method={methods.available()[0]}"]


def commands(parser):
    """Yield each command below a parser, also those of commands."""
    for command in parser.commands().values():
        yield command
        yield from commands(command)


def line(command, group, argument):
    """Return the properties of an option or argument as text."""
    kind = argument.type
    while isinstance(kind, partial):
        kind = next(
            (part for part in reversed(kind.args) if callable(part) or isinstance(part, partial)), None
        )
    choices = list(argument.choices) if argument.choices is not None else None
    properties = {
        "kind": type(argument).__name__.strip("_"),
        "dest": argument.dest,
        "default": argument.default,
        "constant": argument.const,
        "number": argument.nargs,
        "choices": choices,
        "value": argument.metavar,
        "required": argument.required or None,
        "type": getattr(kind, "__name__", None),
    }
    shown = " ".join(f"{name}={value!r}" for name, value in properties.items() if value is not None)
    return f"{command.prog} | {group.title} | {' '.join(argument.option_strings)} | {shown}"


def lines():
    listed = []
    for command in commands(_parser()):
        if command.later is not None:
            command.later(LATER)
        listed += [line(command, group, argument) for group in command.groups for argument in group.arguments]
        listed += [f"{command.prog} lacks {' '.join(command.absent)}"] if command.absent else []
        listed += (
            [f"{command.prog} checks {' '.join(command.checked_later)}"] if command.checked_later else []
        )
    return listed


def test_options_are_recorded(pytestconfig):
    listed = lines()
    if pytestconfig.getoption("--renew-snapshots"):
        FILE.write_text("\n".join(listed) + "\n", encoding="utf-8")
        return
    known = FILE.read_text("utf-8").splitlines()
    assert (sorted({*listed} ^ {*known}), len(listed)) == ([], len(known))
