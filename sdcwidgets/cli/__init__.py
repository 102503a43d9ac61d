"""The command line: a module of this package is a command, found by its name, with `add(parser)` and `run(options)`.

A module whose name begins with `_` holds what commands share. What a command is for is the first line of its docstring.
What is wrong with the input is told in one sentence on stderr, and the exit code is 2; it is 3 where a rule of the
house says of a table that it must not be released yet.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from sdcwidgets import __version__
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets.cli._options import Parser
from sdcwidgets.cli._secret import SEED_TOLD

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file or a pipe gets UTF-8 wherever it is; a console without a letter shows its number.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    parser = _parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        complete(parser)
    try:
        options = parser.parse_args(argv)
        with _quietly() if getattr(options, "quiet", False) else nullcontext():
            status: int | None = options.run(options)
        sys.stdout.flush()
    except InputError as error:
        print(error, *filter(None, [getattr(error, "flags", "")]), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # who reads has read enough, as `head` does; Python must not try to write again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status or 0


@contextmanager
def _quietly() -> Iterator[None]:
    """Say nothing on stderr but a seed that was drawn: nobody could have it again."""
    notes = io.StringIO()
    try:
        with redirect_stderr(notes):
            yield
    finally:
        for line in notes.getvalue().splitlines():
            if line.startswith(SEED_TOLD):
                print(line, file=sys.stderr)


def complete(parser: Parser, **how: Any) -> None:
    """Tell a shell what may follow what is typed, and end; of a method that is named, its flags too.

    Raises
    ------
    InputError
        If what does so is not installed.
    """
    need("completion", subject="Completion in a shell")
    import argcomplete

    argcomplete.autocomplete(parser, **how)


def _parser() -> Parser:
    parser = Parser(
        prog="sdcwidgets", description="Disclosure control of frequency tables that one can touch."
    )
    parser.add_argument("--version", action="version", version=f"sdcwidgets {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in sorted(module.name for module in iter_modules(__path__)):
        if not name.startswith("_"):
            module = import_module(f"{__name__}.{name}")
            about = (module.__doc__ or "").partition("\n")[0]
            command = commands.add_parser(
                name.replace("_", "-"), help=(about[:1].lower() + about[1:]).rstrip(".").replace("%", "%%")
            )
            command.add_argument(
                "-q",
                "--quiet",
                action="store_true",
                help="say on stderr only what is wrong, and a seed that was drawn",
            )
            module.add(command)
            command.set_defaults(run=module.run)
    return parser
