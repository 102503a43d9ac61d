"""Tell the risk of a file of people and protect it: recode, PRAM, blank, and write file, report and script."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put, writes
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.publication import check_internal, internal_text
from sdcwidgets.cli._secret import add_secret, read_secret

if TYPE_CHECKING:
    from sdcwidgets.dashboards.microdata.state import MicrodataState
    from sdcwidgets.microdata import Roles

_ROLES = {
    "weight": ("--weight", "COLUMN", "the sampling weight"),
    "household": ("--household", "COLUMN", "the number of the household"),
    "strata": (
        "--strata",
        "COLUMNS",
        "within each of their values records are hidden; they stay as they are",
    ),
    "sensitive": ("--sensitive", "COLUMNS", "what nobody is to learn"),
    "left_out": ("--leave-out", "COLUMNS", "what no saved file has"),
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the file, who is what in it, what is done, and where to write."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="CSV, XLSX, Parquet, Stata, SPSS, SAS, or DATABASE#TABLE; one row a person",
    )
    parser.add_argument("--keys", required=True, help="columns that an intruder may know, between commas")
    for name, (flag, metavar, about) in _ROLES.items():
        parser.add_argument(
            flag, dest=name, metavar=metavar, help=f"{about}; guessed if not given, an empty text for none"
        )
    parser.add_argument(
        "--recode",
        action="append",
        default=[],
        metavar="COLUMN=HOW",
        help="intervals:5, quantiles:5, cuts:18,35,65, top:80 or bottom:16; may be given again for another column",
    )
    parser.add_argument(
        "--pram",
        action="append",
        default=[],
        metavar="COLUMN=P",
        help="draw values anew with this probability, or by rows of probabilities: sex=0.9,0.1;0.2,0.8",
    )
    parser.add_argument(
        "--pram-within", action="store_true", help="draw values anew from those of the same strata"
    )
    parser.add_argument(
        "--suppress", action="store_true", help="blank values until each record is hidden by k"
    )
    parser.add_argument("--k", type=int, default=3, help="how many (default: 3)")
    parser.add_argument(
        "--keep", choices=("fewest", "order"), default="fewest", help="few blanks, or keep the first keys"
    )
    parser.add_argument(
        "--costs",
        metavar="COLUMN=COST,...",
        default="",
        help="what a blank costs, as age=4,sex=1; others cost 1",
    )
    parser.add_argument("--known", type=int, default=0, help="how many of the keys an intruder knows at once")
    parser.add_argument(
        "--threshold", type=float, default=0.0, help="blank only records with a higher individual risk"
    )
    parser.add_argument(
        "--blanks",
        choices=("share", "any"),
        default="share",
        help="what a blank counts for: its share, or any value as sdcMicro has it",
    )
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="the protected file, as CSV")
    parser.add_argument(
        "--report",
        metavar="OUT",
        type=Path,
        help='internal report; its name contains "internal" (default: standard output)',
    )
    parser.add_argument(
        "--script",
        metavar="OUT",
        type=Path,
        help='internal Python script of what was done; its name contains "internal"',
    )
    add_secret(parser)


def run(options: argparse.Namespace) -> None:
    """Write what was asked for; what was noticed on the way is told on stderr."""
    from sdcwidgets.dashboards.microdata.report import as_code, report
    from sdcwidgets.dashboards.microdata.result import as_it_came, compute
    from sdcwidgets.dashboards.microdata.state import MicrodataState
    from sdcwidgets.microdata import Roles
    from sdcwidgets.microdata.reading import guesses, read_microdata

    for path in (options.report, options.script):
        check_internal(path)
    secret = read_secret(options)
    reading = read_microdata(options.file)
    file = reading.file.with_roles(_roles(options, reading.file.roles))
    roles = {role: getattr(Roles(), role) for role in _ROLES if getattr(options, role) is not None}
    before = guesses(reading.file.roles)
    notes = guesses(replace(file.roles, **roles)) + [note for note in reading.notes if note not in before]
    start = MicrodataState(keys=_names(options.keys), own=file, title=options.file, secret=secret.seed)
    state = _changed(start, options)
    result = compute(state)
    lines = internal_text(report(result, as_it_came(state)))
    if options.report is None:
        print(lines)
    for path, text in (
        (options.report, lines),
        (options.script, internal_text(as_code(state) + "\n", ".py")),
    ):
        if path is not None:
            put(text, path)
    if options.output is not None:
        with writes(options.output):
            result.released.to_csv(options.output)
    # Only PRAM draws; without it the seed decides nothing.
    print(*notes, *filter(None, [secret.remark if state.pram else ""]), sep="\n", file=sys.stderr)


def _roles(options: argparse.Namespace, guessed: Roles) -> Roles:
    """Return who is what: as the flags say, else as it was guessed."""
    roles = guessed
    for role in _ROLES:
        if (text := getattr(options, role)) is None:
            continue
        for name in (guess for guess in guessed.having(role) if guess not in _names(text)):
            roles = roles.with_role(name, "none")
        for name in _names(text):
            roles = roles.with_role(name, role)
    for name in _names(options.keys):
        if roles.of(name) in ("sensitive", "strata", "left_out") and getattr(options, roles.of(name)) is None:
            roles = roles.with_role(name, "none")
    return roles


def _changed(state: MicrodataState, options: argparse.Namespace) -> MicrodataState:
    """Return the state with what is to be done."""
    from sdcwidgets._util.parameters import StochasticMatrix
    from sdcwidgets.dashboards.microdata.state import Recode

    for text in options.recode:
        name, how, at = _split(text)
        state = state.recoded(
            name, Recode(how, int(at) if how in ("intervals", "quantiles") and at.isdecimal() else at)
        )
    for text in options.pram:
        name, equals, share = text.rpartition("=")
        try:
            rows = ";" in share or "," in share
            state = state.randomised(name, StochasticMatrix().parse(share) if rows else float(share))
        except InputError:
            raise
        except ValueError:
            raise InputError(f"--pram is {quoted(text)}; give COLUMN=P, such as sex=0.1.") from None
        if not equals:
            raise InputError(f"--pram is {quoted(text)}; give COLUMN=P, such as sex=0.1.")
    chosen = {
        name: getattr(options, name)
        for name in ("k", "keep", "known", "threshold", "blanks", "pram_within", "costs")
    }
    chosen |= {"keep": "costs"} if options.costs else {}
    return replace(state.set(**chosen), suppress=options.suppress)


def _split(text: str) -> tuple[str, str, str]:
    name, equals, rest = text.rpartition("=")
    how, colon, at = rest.partition(":")
    if not (name and equals and colon and at):
        raise InputError(f"--recode is {quoted(text)}; give COLUMN=HOW, such as age=cuts:18,35,65.")
    return name, how, at


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
