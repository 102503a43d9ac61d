"""The command line: `sdcwidgets serve` shows the dashboards, `sdcwidgets assess FILE` gives their numbers.

What is wrong with the input is told in one sentence on stderr, and the exit code is 2.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sdcwidgets.errors import InputError
from sdcwidgets.parameters import declared

if TYPE_CHECKING:
    from sdcwidgets.assess import Assessment
    from sdcwidgets.table import FrequencyTable

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` lists what there is.\n")


def _parser() -> _Parser:
    from sdcwidgets.assess import Settings

    parser = _Parser(
        prog="sdcwidgets", description="Disclosure control of frequency tables that one can touch."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="show the dashboards in a browser")
    serve.add_argument("--port", type=int, default=8866, help="where to listen (default: 8866)")
    serve.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: this machine only)"
    )
    serve.add_argument(
        "--preheat",
        type=int,
        default=0,
        metavar="N",
        help="kernels to keep ready for each dashboard (default: 0)",
    )
    serve.add_argument(
        "--dev", action="store_true", help="show tracebacks, log, and reload when code changes"
    )
    serve.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    serve.set_defaults(run=_serve)

    assess = commands.add_parser("assess", help="assess the disclosure risk of a table")
    assess.add_argument(
        "file", metavar="FILE", type=Path, help="CSV or XLSX; the first column holds row labels"
    )
    assess.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print (default: text)"
    )
    add_options(assess, Settings)
    assess.set_defaults(run=_assess)
    return parser


def add_options(parser: argparse.ArgumentParser, cls: type) -> None:
    """Add a flag for each declared parameter of a dataclass; its text is checked by `read_options`."""
    for parameter in declared(cls):
        about = f"{parameter.label}: {parameter.expected}. {parameter.help}"
        parser.add_argument(
            parameter.flag, dest=parameter.name, metavar=parameter.name.upper(), help=about.replace("%", "%%")
        )


def read_options(options: argparse.Namespace, cls: type) -> dict[str, Any]:
    """Return the declared parameters of a dataclass that were given, as their own types."""
    given = ((parameter, getattr(options, parameter.name)) for parameter in declared(cls))
    return {parameter.name: parameter.parse(text) for parameter, text in given if text is not None}


def read_table(path: Path) -> FrequencyTable:
    """Read the table in a file; what was noticed on the way is told on stderr."""
    from sdcwidgets.reading import read_bytes

    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    reading = read_bytes(path.name, content, limit=None)
    for note in reading.notes:
        print(note, file=sys.stderr)
    return reading.table


def _assess(options: argparse.Namespace) -> None:
    from sdcwidgets.assess import Settings, assess

    settings = read_options(options, Settings)
    assessment = assess(read_table(options.file), **settings)
    if options.format == "json":
        print(json.dumps(assessment.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(_text(assessment))


def _text(assessment: Assessment) -> str:
    frame = assessment.to_frame()
    return str(frame.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}"))


def _serve(options: argparse.Namespace) -> None:
    if not 0 < options.port < 65536:
        raise InputError(f"The port is {options.port}; it must be from 1 to 65535.")
    if options.preheat < 0:
        raise InputError(f"{options.preheat} kernels cannot be kept ready; --preheat must be 0 or more.")
    from sdcwidgets.server import skip_url_grammar

    skip_url_grammar()
    from sdcwidgets.server.app import serve

    serve(
        _notebooks(),
        host=options.host,
        port=options.port,
        preheat=options.preheat,
        dev=options.dev,
        browser=options.browser,
    )


def _notebooks() -> Path:
    """Return the folder of the notebooks: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / "index.ipynb").is_file():
            return folder
    raise InputError("The notebooks of the dashboards are missing; install sdcwidgets again.")


if __name__ == "__main__":
    sys.exit(main())
