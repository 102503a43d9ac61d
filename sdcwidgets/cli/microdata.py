"""Estimate the disclosure risk of a microdata file, and protect it."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending, put, writes
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets._util.publication import FIRST_LINE, check_internal, internal_text
from sdcwidgets.cli import _keys, _swap
from sdcwidgets.cli._json import print_json
from sdcwidgets.cli._options import add_json, reject_unused
from sdcwidgets.cli._output import NO_PUBLIC_REPORT, add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import METHOD, OUTPUT, READING, Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._secret import add_secret, read_secret

if TYPE_CHECKING:
    from sdcwidgets.dashboards.microdata.result import MicrodataResult
    from sdcwidgets.dashboards.microdata.state import MicrodataState
    from sdcwidgets.microdata import Microdata, Roles

EXAMPLES = (
    "sdcwidgets microdata people.csv --keys region,age,job",
    "sdcwidgets microdata people.csv --keys region,age,job --sensitive sex --suppress -o safe.csv",
)

#: Kinds of recoding that an option can state.
_RECODINGS = ("intervals", "quantiles", "cuts", "top", "bottom")

#: Maximum number of columns that a message names.
_MOST_LISTED = 30

#: Roles of variables: option, value, help.
_ROLES = {
    "weight": ("--weight", "COLUMN", "sampling weight"),
    "household": ("--household", "COLUMN", "column that identifies the household"),
    "strata": (
        "--strata",
        "COLUMNS",
        "stratification variables; k-anonymity holds within each stratum, and these variables do not change",
    ),
    "sensitive": ("--sensitive", "COLUMNS", "sensitive variables"),
    "left_out": ("--leave-out", "COLUMNS", "direct identifiers, which are removed from each output file"),
}


def add(parser: Parser) -> None:
    """Add the file, the roles of its variables, the protection and the outputs."""
    _swap.add(parser.add_command("swap", _swap.run, _swap.EXAMPLES))
    _keys.add(parser.add_command("keys", _keys.run, _keys.EXAMPLES))
    parser.add_argument(
        "file",
        metavar="FILE",
        help="microdata with one row per person: CSV, XLSX, Parquet, Stata, SPSS, SAS, or DATABASE#TABLE",
    )
    parser.add_argument("--keys", metavar="COLUMNS", help="key variables, separated by commas; required")
    # The error without --keys lists the columns of FILE.
    parser.checked_later = ("keys",)
    reading, method = parser.group(READING), parser.group(METHOD)
    for name, (flag, metavar, about) in _ROLES.items():
        where = parser if name == "sensitive" else reading
        where.add_argument(flag, dest=name, metavar=metavar, help=f'{about} (default: detected; "" for none)')
    parser.add_argument(
        "--recode",
        action="append",
        default=[],
        metavar="COLUMN=HOW",
        help="recode a variable: intervals:5 (5 classes of equal width), quantiles:5 (5 classes of about equal "
        "numbers of records), cuts:18,35,65 (lower class boundaries), top:80 (80 or more) or bottom:16 (16 or less); "
        "repeatable",
    )
    parser.add_argument(
        "--pram",
        action="append",
        default=[],
        metavar="COLUMN=P",
        help="post-randomise a variable (PRAM): redraw each value with probability P, or by a matrix of "
        "transition probabilities such as sex=0.9,0.1;0.2,0.8; repeatable",
    )
    parser.add_argument(
        "--suppress",
        action="store_true",
        help="suppress single values (local suppression) until the file is k-anonymous",
    )
    parser.add_argument("--k", metavar="N", type=int, default=3, help="minimum class size k (default: 3)")
    method.add_argument(
        "--pram-within",
        action="store_true",
        help="draw the new values of post-randomisation (PRAM) within the strata; the value of a record that is alone "
        "in its stratum does not change",
    )
    method.add_argument(
        "--keep",
        choices=("fewest", "order"),
        metavar="CHOICE",
        default="fewest",
        help="aim of local suppression: fewest suppressed values (fewest), or keep the "
        "values of the first key variables (order) (default: fewest)",
    )
    method.add_argument(
        "--costs",
        metavar="COLUMN=COST,...",
        default="",
        help="local suppression: cost per suppressed value of a variable, for example age=4,sex=1 (default: 1)",
    )
    method.add_argument(
        "--known",
        metavar="N",
        type=int,
        default=0,
        help="local suppression: number of key variables that an intruder knows at once (default: 0, all)",
    )
    method.add_argument(
        "--threshold",
        metavar="X",
        type=float,
        default=0.0,
        help="local suppression: minimum individual risk of the records that are protected (default: 0)",
    )
    method.add_argument(
        "--blanks",
        choices=("share", "any"),
        metavar="CHOICE",
        default="share",
        help="a suppressed value matches each value with the share of this value (share), or every value fully, as in "
        "sdcMicro (any) (default: share)",
    )
    method.add_argument(
        "--model",
        choices=("standard", "clogg-eliason", "pseudo-likelihood", "weighted"),
        metavar="MODEL",
        default="standard",
        help="log-linear model of the estimated risk: standard, clogg-eliason, pseudo-likelihood or weighted "
        "(default: standard)",
    )
    method.add_argument(
        "--numeric",
        action="store_true",
        help="let numeric key variables enter the model as numbers, with one coefficient instead of one per category",
    )
    method.add_argument(
        "--population",
        metavar="FILE",
        help="microdata of the population; the risk is also estimated by a model of the keys that occur in it",
    )
    add_output(parser, "output file with the protected records, CSV")
    add_secret(parser)
    parser.absent = dict.fromkeys(
        ("--layout", "--show-layout"),
        "a layout file describes a table of counts, and FILE needs one header row, and then one row per person",
    )
    parser.absent["--report"] = NO_PUBLIC_REPORT
    add_json(parser, "microdata")
    output = parser.group(OUTPUT)
    output.add_argument(
        "--internal-report",
        metavar="OUT",
        type=Path,
        help="output file (.txt) of the internal report with the Python script of all steps; its name must contain "
        '"internal" (default: the report without the script, on the standard output)',
    )
    output.add_argument(
        "--script",
        metavar="OUT",
        type=Path,
        help='output file of the internal Python script of all steps; its name must contain "internal"',
    )


def run(options: argparse.Namespace) -> None:
    """Print or write the risk report, and write the protected records."""
    from sdcwidgets.dashboards.microdata.report import as_code, report
    from sdcwidgets.dashboards.microdata.result import as_it_came, compute
    from sdcwidgets.dashboards.microdata.state import MicrodataState
    from sdcwidgets.microdata import Roles
    from sdcwidgets.microdata.reading import guesses, read_microdata

    for path in (options.internal_report, options.script):
        check_internal(path)
    secret = read_secret(options)
    _check_unused(options)
    outputs = (options.output, options.internal_report, options.script)
    check_outputs(outputs, [options.file], force=options.force)
    check_ending(options.output, (".csv",))
    check_ending(options.internal_report, (".txt", ".md"))
    check_ending(options.script, (".py",))
    show_step(f"Reading {options.file}")
    reading = read_microdata(options.file)
    if options.keys is None:
        raise InputError(_missing_keys(options.file, reading.file))
    file = reading.file.with_roles(_roles(options, reading.file.roles))
    roles = {role: getattr(Roles(), role) for role in _ROLES if getattr(options, role) is not None}
    before = guesses(reading.file.roles)
    notes = guesses(replace(file.roles, **roles)) + [note for note in reading.notes if note not in before]
    start = MicrodataState(keys=_names(options.keys), own=file, title=options.file, secret=secret.seed)
    state = _changed(start, options)
    show_step(f"Protecting {options.file}")
    result = compute(state)
    original = as_it_came(state)
    # The screen shows no script; --script and --internal-report write it.
    lines = internal_text(report(result, original, has_script=options.internal_report is not None))
    if options.dry_run:
        otherwise = "Without --dry-run, the command would print the report on the standard output."
        print_dry_run([f"{options.file}: {file.records:,} records.", *notes], outputs, otherwise)
        return
    occurring = _occurring_estimates(options, result)
    if occurring is not None:
        lines += (
            f"Estimates by the {options.model} model of the keys that occur in {options.population}: "
            f"τ̂₁ {occurring['tau1']:.1f}, τ̂₂ {occurring['tau2']:.1f}.\n"
        )
    secret.save()
    if options.json:
        _print_json(options, result, original, notes, occurring)
    elif options.internal_report is None:
        print(lines.replace(FIRST_LINE, FIRST_LINE.replace("this file", "this output"), 1))
    for path, text in (
        (options.internal_report, lines),
        (options.script, internal_text(as_code(state) + "\n", ".py")),
    ):
        if path is not None:
            put(text, path)
    if options.output is not None:
        with writes(options.output):
            result.released.to_csv(options.output)
    # Without PRAM and suppression the seed decides nothing.
    if secret.remark and (state.pram or state.suppress):
        notes = [*notes, secret.remark]
    print(*notes, sep="\n", file=sys.stderr)
    print_written(*outputs)


def _missing_keys(name: str, file: Microdata) -> str:
    """Return the error without `--keys`, with the columns that can be key variables."""
    possible = []
    for column, variable in file.variables.items():
        with suppress(InputError):  # the column identifies people, or has too many values
            variable.check_key()
            if file.roles.of(column) == "none" and len(variable.categories) > 1:
                possible.append(column)
    columns = (
        f"These columns can be key variables: {and_more(list(map(quoted, possible)), _MOST_LISTED)}."
        if possible
        else ""
    )
    return f"{name}: the key variables are missing; name them with --keys, separated by commas. {columns}".strip()


def _occurring_estimates(options: argparse.Namespace, result: MicrodataResult) -> dict[str, float] | None:
    """Return tau1 and tau2 by the model of the keys that occur in the population; None without a population."""
    if options.population is None:
        return None
    from sdcwidgets.microdata import modelled_risk
    from sdcwidgets.microdata.reading import read_microdata

    names = result.state.keys
    numeric = [name for name in names if options.numeric and result.file[name].categories.dtype.kind in "iuf"]
    frame = modelled_risk(
        result.file,
        names,
        options.model,
        interactions=[[names[k] for k in margin] for margin in result.state.margins],
        cells="occurring",
        numeric=numeric or None,
        population=read_microdata(options.population).file,
    )
    suffix = options.model.replace("-", "_")
    return {
        "tau1": float(frame[f"population_unique_{suffix}"].sum()),
        "tau2": float(frame[f"match_{suffix}"].sum()),
    }


def _print_json(
    options: argparse.Namespace,
    result: MicrodataResult,
    original: MicrodataResult,
    notes: list[str],
    occurring: dict[str, float] | None,
) -> None:
    """Print the figures of the report before and after protection."""
    blanked = {} if result.suppressed_file is None else result.suppressed_file.blanked
    print_json(
        "microdata",
        {
            "file": options.file,
            "read": notes,
            "keys": list(result.state.keys),
            "k": result.state.settings.k,
            "records": len(result.f),
            "suppressed_values": sum(blanked.values()),
            "before": _figures(original, result.state.settings.k),
            "after": _figures(result, result.state.settings.k),
            "model": options.model,
            "estimates": None
            if result.chosen is None
            else {"tau1": result.chosen.tau1, "tau2": result.chosen.tau2},
            "estimates_of_occurring_keys": occurring,
            "output": None if options.output is None else str(options.output),
        },
    )


def _figures(result: MicrodataResult, k: int) -> dict[str, float | None]:
    """Return the figures of a file as plain values, None for an undefined value."""
    figures = {
        "minimum_class_size": float(result.f.min()),
        "expected_reidentifications": float(result.hidden.right),
        "maximum_risk": float(result.risk.max()),
        "sum_of_risks": float(result.risk.sum()),
    }
    # A class size with suppressed values is a sum of shares, which rounding errors can put below k.
    numbers: dict[str, float | None] = {
        "unique": int(result.unique.sum()),
        "below_k": int((result.f < k - 1e-9).sum()),
    }
    return numbers | {name: value if isfinite(value) else None for name, value in figures.items()}


def _check_unused(options: argparse.Namespace) -> None:
    """Raise InputError for an option whose kind of protection is not chosen."""
    if not options.suppress:
        names = ("keep", "costs", "known", "threshold", "blanks")
        reject_unused(options, names, "without local suppression; add --suppress")
        if not options.pram:
            reject_unused(
                options, ("seed", "secret_file"), "without --suppress or --pram, which draw random numbers"
            )
    if options.pram_within and not options.pram:
        raise InputError("--pram-within has no effect without post-randomisation; add --pram COLUMN=P.")
    if options.population and (options.recode or options.pram or options.suppress):
        raise InputError(
            "--population needs the original keys; leave out --recode, --pram and --suppress, or --population."
        )
    if options.costs:
        reject_unused(options, ("keep",), "with --costs; leave out one of them")


def _roles(options: argparse.Namespace, guessed: Roles) -> Roles:
    """Return the roles of the variables: as set by options, otherwise as detected."""
    roles = guessed
    for role in _ROLES:
        text = getattr(options, role)
        if text is None:
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
    """Return the state with the protection that the options describe."""
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
            raise InputError(f"--pram is {quoted(text)}; it must be COLUMN=P, for example sex=0.1.") from None
        if not equals:
            raise InputError(f"--pram is {quoted(text)}; it must be COLUMN=P, for example sex=0.1.")
    chosen = {
        name: getattr(options, name)
        for name in ("k", "keep", "known", "threshold", "blanks", "pram_within", "costs")
    }
    chosen |= {"keep": "costs"} if options.costs else {}
    chosen |= {"model": options.model, "numbers": options.numeric}
    return replace(state.set(**chosen), suppress=options.suppress)


def _split(text: str) -> tuple[str, str, str]:
    name, equals, rest = text.rpartition("=")
    how, colon, at = rest.partition(":")
    if not (name and equals and colon and at) or how not in _RECODINGS:
        raise InputError(
            f"--recode is {quoted(text)}; it must be COLUMN=HOW, for example "
            f"age=cuts:18,35,65; HOW begins with {', '.join(_RECODINGS)}."
        )
    return name, how, at


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
