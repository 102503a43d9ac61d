"""Request a table from a table generator, or manage a generator."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put, writes
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import declared
from sdcwidgets.cli._generator import add_generator_commands
from sdcwidgets.cli._json import method_values, print_json
from sdcwidgets.cli._options import add_format, add_methods, read_method
from sdcwidgets.cli._output import add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import METHOD, Parser
from sdcwidgets.cli._secret import Secret, add_secret, read_secret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver import Rules, TableServer
    from sdcwidgets.tableserver.generator import TableGenerator
    from sdcwidgets.tableserver.server import Request
    from sdcwidgets.tableserver.tabulate import Query, Tabulator

_NO_OUTPUT = "Without --dry-run, the command would print the table on the standard output."

EXAMPLES = (
    "sdcwidgets tables people.csv --by Area,Sex -o table.csv",
    'sdcwidgets tables hypercube --by Age,Citizenship --where "Region=Region 1" --json',
)

#: Name of the source with synthetic data.
SYNTHETIC = "hypercube"

#: Seed of the synthetic data. It is public, so that all learners get the same tables.
PUBLIC = Secret(1, is_explicit=True)

#: Method without `--method`.
DEFAULT_METHOD = "random-rounding"

NO_STATE = (
    "The table was not checked together with other tables of the same people. `sdcwidgets tables init` makes a "
    "generator that stores its tables and checks them together."
)

#: Warning about record keys that are not mixed with a secret.
PLAIN_KEYS = (
    "Warning: the noise follows from the record keys alone, and the key of a total is the sum of the keys of its "
    "parts. Data users can infer more from such totals than from the numbers. Use --secret-file to mix the keys."
)

SYNTHETIC_NOTE = (
    "The hypercube holds synthetic data. Its seed and record keys are public, so the noise can be removed."
)


def add(parser: Parser) -> None:
    """Add the source, the request, the method, the rules and the output."""
    add_generator_commands(parser)
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="folder of a generator, which stores its tables; or data for one table: CSV, Parquet, URL#TABLE of a "
        f"database, or {SYNTHETIC} (synthetic example)",
    )
    parser.add_argument(
        "--by", metavar="A,B,C", required=True, help="variables of the table, separated by commas"
    )
    parser.add_argument(
        "--where",
        metavar="SELECTION",
        default="",
        help='population of the table, for example "Region=Region 1; Age=0-4|5-9" (default: all)',
    )
    parser.add_argument(
        "--groups",
        metavar="A,B:2",
        default="",
        help="variables to show in broader categories, separated by commas; B:2 selects "
        "level 2 of the groups of B",
    )
    add_methods(parser)
    add_output(parser, "output file: .csv or .xlsx (default: standard output)")
    add_format(parser, default="csv")
    add_secret(parser)
    method = parser.group(METHOD)
    method.add_argument(
        "--count",
        metavar="COLUMN",
        help="column with the number of people in each row (default: each row is one person)",
    )
    method.add_argument(
        "--key",
        metavar="COLUMN",
        help="column of record keys; a seed from --seed or --secret-file is mixed with these "
        "keys (default: record keys computed from the seed)",
    )
    method.add_argument(
        "--identity",
        metavar="COLUMN",
        default="",
        help="column that identifies a record; the record key is computed from this column "
        "(default: all columns)",
    )
    method.add_argument(
        "--stage",
        choices=("after", "before"),
        metavar="CHOICE",
        default="after",
        help="stage at which the protection method is applied: after or before tabulation (default: after)",
    )
    method.add_argument(
        "--rule",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=f"release rule of the agency (repeatable): {_rules()}",
    )


def run(options: argparse.Namespace) -> None:
    """Print or write the table; a refusal is one sentence on stderr."""
    if options.format == "json" and options.output is not None:
        raise InputError("--json prints on the standard output; leave out -o, or leave out --json.")
    check_outputs([options.output], [options.source], force=options.force)
    if options.output is not None and options.output.suffix.lower() not in ("", ".csv", ".xlsx"):
        raise InputError(
            f"{options.output} has an unknown ending; name an output file that ends in .csv or .xlsx."
        )
    if Path(options.source).is_dir():
        _ask(options)
    else:
        _alone(options)


def _ask(options: argparse.Namespace) -> None:
    """Request a table from a generator with its own policy, which stores the table."""
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver.generator import TableGenerator
    from sdcwidgets.tableserver.tabulate import levels, names, selection

    own = ("method", "count", "key", "identity", "seed", "secret_file")
    if any(getattr(options, name) for name in own) or options.rule or options.stage != "after":
        raise InputError(
            "A generator has its own policy, record keys and secret; leave out the options that set them."
        )
    generator = TableGenerator(options.source)
    request = names(options.by), selection(options.where), levels(options.groups)
    if options.dry_run:
        _check_request(generator, *request)
        # An answer that is not logged could be used to search for requests that the generator answers.
        print(
            f"Dry run: the request has a valid form. The generator {generator.title} decides only on requests that it "
            "logs, and this request is not logged."
        )
        return
    reply = generator.ask(*request, door="command line")
    if not isinstance(reply.answer, Release):
        raise InputError(f"Refused ({reply.answer.rule}): {reply.answer}")
    notes = reply.answer.notes
    _write(
        reply.answer, (generator.title, reply.request.query.words, notes), options, generator.policy.method
    )
    print(*notes, sep="\n", file=sys.stderr)
    print_written(options.output)


def _check_request(
    generator: TableGenerator,
    by: Sequence[str],
    where: Mapping[str, Sequence[str]],
    groups: Mapping[str, object],
) -> None:
    """Raise InputError if a variable or a category of a request does not exist."""
    from sdcwidgets.tableserver.tabulate import Query

    Query(tuple(by), {name: tuple(labels) for name, labels in where.items()})
    for name in (*by, *where, *groups):
        variable = generator.data.variable(name)
        for label in where.get(name, ()):
            variable.position(label)


def _alone(options: argparse.Namespace) -> None:
    """Make one table without a generator; with a method, no table is released unprotected."""
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver.refusing import OF_THE_QUESTION

    secret = read_secret(options)
    if options.source == SYNTHETIC and not secret.is_explicit:
        secret = PUBLIC
    method, query = _method(options), _query(options)
    # Without a method there is no random number, and a method before tabulation needs no record key.
    perturbed = method is not None and options.stage == "after" and options.key is None
    drawn = perturbed or (method is not None and options.stage == "before")
    data = _source(options, secret.seed if perturbed else None)
    # With a new secret in each run, the record keys would give new noise each time, which could be averaged away.
    is_mixed = options.source != SYNTHETIC and (perturbed or secret.is_explicit)
    server = _server(options, data, method, secret.seed, mixed_keys=is_mixed)
    answer = server.request(query)
    if options.dry_run and isinstance(answer, Release):
        print_dry_run([f"{options.source}: {query.words}."], [options.output], _NO_OUTPUT)
        return
    if not options.dry_run:
        secret.save()
    _print_internal_remarks(server.log[-1], query, data, options)
    if not isinstance(answer, Release):
        # The rules judge the perturbed table, so the answer may differ with another seed.
        if drawn and answer.rule not in OF_THE_QUESTION and not secret.is_explicit:
            print(secret.after_refusal, file=sys.stderr)
        raise InputError(f"Refused ({answer.rule}): {answer}")
    notes = [*answer.notes, *_unweighted(data)]
    _write(answer, (options.source, query.words, notes), options, server.method)
    remarks = _remarks(options, method, secret, drawn=drawn, is_mixed=is_mixed)
    print(*notes, *remarks, NO_STATE, sep="\n", file=sys.stderr)
    print_written(options.output)


def _remarks(
    options: argparse.Namespace, method: Method | str | None, secret: Secret, *, drawn: bool, is_mixed: bool
) -> list[str]:
    """Return remarks on the secret and the record keys."""
    if options.source == SYNTHETIC:
        return [SYNTHETIC_NOTE] if method is not None else []
    remarks = [secret.remark] if (drawn or secret.is_explicit) and secret.remark else []
    if method is not None and options.stage == "after" and not is_mixed:
        remarks.append(PLAIN_KEYS)
    return remarks


def _print_internal_remarks(
    entry: Request, query: Query, data: Tabulator, options: argparse.Namespace
) -> None:
    """Print remarks for the person who runs the command; they are not in the file."""
    from sdcwidgets.widgets.texts import people

    for group in entry.singled[:1]:
        print(
            f"Internal: without protection, the table would disclose a group of {people(group.people)}: {group.words}.",
            file=sys.stderr,
        )
    if options.source == SYNTHETIC:
        return
    for name in query.by:
        for note in _labelled(data, name):
            print(f"Internal: {note}", file=sys.stderr)


def _method(options: argparse.Namespace) -> Method | str | None:
    """Return the method of --method, or the default method; None for "none"."""
    none = options.method == "none"
    if none:
        options.method = None
    return read_method(options) or (None if none else DEFAULT_METHOD)


def _query(options: argparse.Namespace) -> Query:
    """Return the request, with broader categories."""
    from sdcwidgets.tableserver.tabulate import Query, names, selection

    groups, grouped = _groups(options), {}
    for name in names(options.groups):
        if name not in groups:
            raise InputError(
                f"--groups: {quoted(name)} has no broader categories; variables that have: "
                f"{', '.join(groups) or 'none in a file'}."
            )
        grouped[name] = groups[name]
    return Query(names(options.by), selection(options.where), grouped)


def _groups(options: argparse.Namespace) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the broader categories of each variable; only the synthetic data have some."""
    from sdcwidgets.tableserver.hypercube import GROUPS

    return GROUPS if options.source == SYNTHETIC else {}


def _server(
    options: argparse.Namespace,
    data: Tabulator,
    method: Method | str | None,
    seed: int,
    *,
    mixed_keys: bool,
) -> TableServer:
    """Return a table server for one request."""
    from sdcwidgets.tableserver import TableServer

    offered = {name: [dict(groups)] for name, groups in _groups(options).items()}
    rules = _chosen(options.rule)
    if method is not None:
        if any(text.partition("=")[0] == "before" for text in options.rule) and rules.before:
            raise InputError(
                "--rule before has no effect without a generator, because each table is protected; leave it out."
            )
        rules = replace(rules, before=0.0)
    return TableServer(
        data, rules, method, stage=options.stage, groups=offered, seed=seed, mixed_keys=mixed_keys
    )


def _write(
    release: Release,
    about: tuple[str, str, Sequence[str]],
    options: argparse.Namespace,
    method: Method | None,
) -> None:
    """Write or print a release: a workbook has a sheet of metadata, a CSV file has footnotes."""
    from sdcwidgets._util.csv_writing import csv_text
    from sdcwidgets.tables.io.writers.workbook import below, workbook

    source, table, notes = about
    path = options.output
    metadata = [["Data", source], ["Table", table], *(["Note", note] for note in notes)]
    with writes(path):
        if options.format == "json":
            print_json(
                "tables",
                {"file": options.source, "source": source, "table": table, "notes": list(notes)}
                | _release_values(release, method),
            )
        elif path is None:
            print(csv_text(release.lines()), end="")
        elif path.suffix.lower() == ".xlsx":
            put(workbook({"table": release.lines(), "metadata": metadata}), path)
        else:
            csv_text([*release.lines(), *below(notes)], path)


def _release_values(release: Release, method: Method | None) -> dict[str, object]:
    """Return a release as plain values."""
    names = [axis.name for axis in release.axes]
    frame = release.to_frame()
    counts = [
        {"cell": list(cell), "value": None if value != value else value, "symbol": symbol}
        for cell, value, symbol in zip(
            frame.iloc[:, : len(names)].itertuples(index=False), frame["value"], frame["symbol"], strict=True
        )
    ]
    axes = [{"name": axis.name, "labels": list(axis.labels)} for axis in release.axes]
    return {"method": method_values(method), "axes": axes, "counts": counts}


def _source(options: argparse.Namespace, seed: int | None) -> Tabulator:
    """Return the data of the source, with record keys computed from the seed if there is one."""
    from sdcwidgets.tableserver.hypercube import hypercube
    from sdcwidgets.tableserver.protecting import keyed
    from sdcwidgets.tableserver.tabulate import Tabulator

    if options.source == SYNTHETIC:
        return Tabulator.open(hypercube(), count="Count", key="Key")
    data = Tabulator.open(options.source, count=options.count, key=options.key)
    return data if seed is None else keyed(data, seed, options.identity)


def _labelled(data: Tabulator, name: str) -> list[str]:
    """Return notes on the categories of a variable: missing values, and characters that were removed."""
    from sdcwidgets.tables.io.layout.records import RowLabels
    from sdcwidgets.tableserver.tabulate import MISSING

    labelled = RowLabels([name])
    for value, times in data.values(name).items():
        labelled.add(labelled.of([value], times), times)
    return labelled.notes(MISSING)


def _unweighted(data: Tabulator) -> list[str]:
    """Return a note if the data have a column of weights, because tables are not weighted."""
    from sdcwidgets.dashboards.tables.texts import unweighted
    from sdcwidgets.tables.io.layout.records import usual_weight

    note = unweighted(usual_weight(data.names))
    return [note] if note else []


def _rules() -> str:
    from sdcwidgets.tableserver import Rules

    return ", ".join(f"{rule.name} ({rule.expected})" for rule in declared(Rules)).replace("%", "%%")


def _chosen(texts: list[str]) -> Rules:
    """Return the rules with the values of --rule."""
    from sdcwidgets.tableserver import Rules

    known = {rule.name: rule for rule in declared(Rules)}
    values = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise InputError(f"--rule: there is no rule {quoted(name)}; there are {', '.join(known)}.")
        values[name] = known[name].parse(value)
    return Rules(**values)
