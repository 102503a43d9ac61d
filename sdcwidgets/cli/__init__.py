"""Command line: each module of this package without a leading underscore is a command.

A command has a purpose (the first line of the module's docstring), `EXAMPLES`, `add(parser)` and `run(options)`.
Wrong input ends with one sentence on stderr and exit status 2, before any file is written. Exit status 3 means that a
release rule blocks the release.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from sdcwidgets import __version__
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets.cli._layouts import DoubtfulLayout
from sdcwidgets.cli._options import show_layout
from sdcwidgets.cli._output import QuietStream
from sdcwidgets.cli._parser import Parser
from sdcwidgets.cli._progress import progress
from sdcwidgets.cli._secret import SEED_PRINTED

__all__ = ["main"]

#: Exit status after Ctrl+C and after a reader that closed the pipe, as shells number signals.
INTERRUPTED, BROKEN_PIPE = 130, 141

_EXAMPLES = (
    "sdcwidgets assess example:religion",
    "sdcwidgets protect table.csv --method random-rounding --base 5 -o protected.csv",
)

_EPILOG = (
    "Exit status: 0 = success; 2 = wrong input, nothing is written; 3 = a release rule blocks the release.\n"
    "`sdcwidgets COMMAND --help` shows the options of a command. `sdcwidgets list methods` shows the names of methods. "
    "`sdcwidgets serve` opens the dashboards in a browser, with the documentation at /docs."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Files and pipes get UTF-8 on each system; a console shows the code of a letter that it lacks.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    parser = _parser()
    if "_ARGCOMPLETE" in os.environ:  # set by a shell that completes a command
        complete(parser)
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        print(parser.format_help(), end="")
        return 0
    if words[0] == "help":
        words = [*words[1:], "--help"]
    try:
        options = parser.parse_args(words)
        with _output_of(options):
            shows_layout = getattr(options, "show_layout", False)
            status: int | None = show_layout(options) if shows_layout else options.run(options)
        sys.stdout.flush()
    except InputError as error:
        flags = getattr(error, "flags", "")
        print(f"{error} {flags}" if flags else error, file=sys.stderr)
        if isinstance(error, DoubtfulLayout):
            for line in error.preview:
                print(line, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # for example `| head`; Python must not write to the pipe again at its exit
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:  # for example a full disk
        _discard_output()
        name = error.filename or "The standard output"
        print(f"{name} cannot be read or written: {(error.strerror or str(error)).lower()}.", file=sys.stderr)
        return 2
    return status or 0


def _open_closed_streams() -> None:
    """Replace standard streams that the shell has closed; Python would print their lines on the other stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the exit


def _discard_output() -> None:
    """Redirect standard output to the null device, so that the flush at the exit of Python raises no error."""
    # `contextlib.suppress` would be hidden by the command of the same name.
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stream in memory has no number
        return


@contextmanager
def _output_of(options: argparse.Namespace) -> Iterator[None]:
    """Print less with `--quiet`, and the progress otherwise."""
    if getattr(options, "quiet", False):
        output: Any = _quietly()
    elif getattr(options, "has_own_progress", False):
        output = nullcontext()
    else:
        output = progress(options.prog)
    with output:
        yield


@contextmanager
def _quietly() -> Iterator[None]:
    """Print on stderr only the generated seed, which reproduces the output, and the reasons of a blocked release."""
    notes = QuietStream(sys.stderr)
    try:
        with redirect_stderr(notes):
            yield
    finally:
        for line in notes.getvalue().splitlines():
            if SEED_PRINTED in line:
                print(line, file=sys.stderr)


def complete(parser: Parser, **settings: Any) -> None:
    """Print possible next words for the shell, and exit; the options of the method in `--method` are included.

    Raises
    ------
    InputError
        If argcomplete is not installed.
    """
    need("completion", subject="Shell completion")
    import argcomplete

    parser = _nested(parser)
    for command in parser.commands().values():
        if command.nested:
            # The first argument is a file or a nested command.
            first = next(action for action in command.arguments if not action.option_strings)
            first.completer = _FirstArgument(command.nested)  # type: ignore[attr-defined]  # read by argcomplete
    argcomplete.autocomplete(parser, **settings)


class _FirstArgument:
    """Completion of a first argument that is a file or a nested command."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    def __call__(self, prefix: str, **_: Any) -> list[str]:
        from argcomplete.completers import FilesCompleter

        return [*(name for name in self._names if name.startswith(prefix)), *FilesCompleter()(prefix)]


def _nested(parser: Parser) -> Parser:
    """Return the parser of the nested command that a shell completes, and shorten the line to its words."""
    line, point = os.environ.get("COMP_LINE", ""), int(os.environ.get("COMP_POINT", 0))
    words = re.match(r"\S+\s+(\S+)\s+(?=(\S+)\s)", line[:point])
    command = parser.commands().get(words[1]) if words else None
    if words is None or command is None or words[2] not in command.nested:
        return parser
    os.environ["COMP_LINE"], os.environ["COMP_POINT"] = line[words.end() :], str(point - words.end())
    return command.nested[words[2]]


def _parser() -> Parser:
    parser = Parser(
        prog="sdcwidgets",
        description="Assess and protect frequency tables with methods of statistical disclosure control.",
        examples=_EXAMPLES,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"sdcwidgets {__version__}",
        help="show the version and exit",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    modules = [
        import_module(f"{__name__}.{module.name}")
        for module in iter_modules(__path__)
        if not module.name.startswith("_")
    ]
    names = {getattr(module, "NAME", module.__name__.rpartition(".")[2]): module for module in modules}
    for name, module in sorted(names.items()):
        purpose = (module.__doc__ or "").partition("\n")[0]
        command = commands.add_parser(name, description=purpose, examples=module.EXAMPLES)
        command.set_defaults(run=module.run)
        module.add(command)
        _add_quiet(command)
    return parser


def _add_quiet(parser: Parser) -> None:
    """Add `--quiet`, and the name of the command for the line of progress."""
    parser.set_defaults(prog=parser.prog)
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only errors, reasons of a blocked release and the generated seed on stderr",
    )
    for nested in parser.commands().values():
        _add_quiet(nested)
