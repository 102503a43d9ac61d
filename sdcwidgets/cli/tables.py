"""Ask a table generator for a table, or make one (init), let users in (users), read its log (log)."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put, writes
from sdcwidgets._util.parameters import declared
from sdcwidgets.cli._generator import add_verbs
from sdcwidgets.cli._json import method_told, print_json
from sdcwidgets.cli._options import Parser, add_methods, read_method
from sdcwidgets.cli._secret import Secret, add_secret, read_secret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver import Rules, TableServer
    from sdcwidgets.tableserver.tabulate import Query, Tabulator

#: The source that is not a file.
STUDY = "hypercube"

#: The people of that source are invented; what is drawn for them is public, so that all learn from the same tables.
PUBLIC = Secret(1, is_explicit=True)

#: The method where none is named.
USUAL = "random-rounding"

FORGOTTEN = (
    "Nothing was remembered: this table was checked by itself, not together with others of the same people. "
    "`sdcwidgets tables init` makes a generator that remembers."
)

INVENTED = "The hypercube is invented, and its seed and record keys are public: with them the noise can be taken off."

#: The warning about record keys that are not mixed with a secret.
PLAIN = (
    "Warning: the noise follows from the record keys alone, and the key of a total is the sum of those of its parts, "
    "from which data users can infer more than from the numbers. Give --secret-file to mix the keys."
)


def add(parser: Parser) -> None:
    """Add the source, what is asked for, the policy, and where to write."""
    add_verbs(parser)
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="the folder of a generator, which remembers; for a table alone CSV, Parquet, a database as URL#TABLE, or "
        f"{STUDY}: that of the study",
    )
    parser.add_argument("--by", metavar="A,B,C", required=True, help="the variables that span the table")
    parser.add_argument(
        "--where",
        metavar="SELECTION",
        default="",
        help='who is counted, such as "Region=Region 1; Age=0-4|5-9"',
    )
    parser.add_argument(
        "--groups",
        metavar="A,B:2",
        default="",
        help="variables in the groups that are offered, or their level",
    )
    parser.add_argument(
        "--count", metavar="COLUMN", help="the column with the people of each row; else each is one"
    )
    parser.add_argument(
        "--key",
        metavar="COLUMN",
        help="the column of record keys; a seed that is given is mixed with them (default: made of the seed)",
    )
    parser.add_argument(
        "--identity",
        metavar="COLUMN",
        default="",
        help="what tells records apart, for their keys (default: all columns)",
    )
    parser.add_argument(
        "--stage", choices=("after", "before"), default="after", help="when the method works (default: after)"
    )
    parser.add_argument(
        "--rule", metavar="NAME=VALUE", action="append", default=[], help=f"a rule of the agency: {_rules()}"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="a .csv or .xlsx file (default: standard output)"
    )
    parser.add_argument(
        "--format",
        choices=("csv", "json"),
        default="csv",
        help="what to write on the standard output (default: csv)",
    )
    add_secret(parser)
    add_methods(parser, required=False)


def run(options: argparse.Namespace) -> None:
    """Write the release; a refusal is one sentence on stderr."""
    if Path(options.source).is_dir():
        _ask(options)
    else:
        _alone(options)


def _ask(options: argparse.Namespace) -> None:
    """Ask a generator, which has its policy and remembers."""
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver.generator import TableGenerator
    from sdcwidgets.tableserver.tabulate import levels, names, selection

    own = ("method", "count", "key", "identity", "seed", "secret_file")
    if any(getattr(options, name) for name in own) or options.rule or options.stage != "after":
        raise InputError("A generator has its policy, keys and secret; leave out the flags that set them.")
    generator = TableGenerator(options.source)
    reply = generator.ask(
        names(options.by), selection(options.where), levels(options.groups), door="command line"
    )
    if not isinstance(reply.answer, Release):
        raise InputError(f"Refused ({reply.answer.rule}): {reply.answer}")
    notes = reply.answer.notes
    _write(
        reply.answer, (generator.title, reply.request.query.words, notes), options, generator.policy.method
    )
    print(*notes, sep="\n", file=sys.stderr)


def _alone(options: argparse.Namespace) -> None:
    """Make a table without a generator: nothing is remembered, so nothing goes out as it is under a method."""
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tableserver.refusing import OF_THE_QUESTION
    from sdcwidgets.widgets.texts import people

    secret = read_secret(options)
    if options.source == STUDY and not secret.is_explicit:
        secret = PUBLIC
    method, query = _method(options), _query(options)
    # Without a method nothing is drawn, and before tabulation no record needs a key.
    perturbed = method is not None and options.stage == "after" and options.key is None
    drawn = perturbed or (method is not None and options.stage == "before")
    data = _source(options, secret.seed if perturbed else None)
    # Under a new secret in each run, given keys would get new noise each time, which could be averaged away.
    mixed = options.source != STUDY and (perturbed or secret.is_explicit)
    server = _server(options, data, method, secret.seed, mixed_keys=mixed)
    answer = server.request(query)
    entry = server.log[-1]
    # What only the agency may know is told to the one who runs the command, and stays out of the file.
    for group in entry.singled[:1]:
        print(
            "For the agency only: as it is, or with all its numbers, this table would have singled out "
            f"{people(group.people)}: {group.words}.",
            file=sys.stderr,
        )
    for name in query.by if options.source != STUDY else ():
        for note in _labelled(data, name):
            print(f"For the agency only: {note}", file=sys.stderr)
    if not isinstance(answer, Release):
        # The rule looked at what was drawn: under another seed the answer may be another one.
        if drawn and answer.rule not in OF_THE_QUESTION and not secret.is_explicit:
            print(secret.refused, file=sys.stderr)
        raise InputError(f"Refused ({answer.rule}): {answer}")
    notes = [*answer.notes, *_unweighted(data)]
    _write(answer, (options.source, query.words, notes), options, server.method)
    if options.source == STUDY:
        remarks = [INVENTED] if method is not None else []
    else:
        remarks = [secret.remark] if (drawn or secret.is_explicit) and secret.remark else []
        if method is not None and options.stage == "after" and not mixed:
            remarks.append(PLAIN)
    print(*notes, *remarks, FORGOTTEN, sep="\n", file=sys.stderr)


def _method(options: argparse.Namespace) -> Method | str | None:
    """Return the method that is named, the usual one, or None where none is wanted."""
    none = options.method == "none"
    if none:
        options.method = None
    return read_method(options) or (None if none else USUAL)


def _query(options: argparse.Namespace) -> Query:
    """Return what is asked for, with the groups that are offered."""
    from sdcwidgets.tableserver.tabulate import Query, names, selection

    groups, grouped = _groups(options), {}
    for name in names(options.groups):
        if name not in groups:
            raise InputError(f"{name} has no groups; there are {', '.join(groups) or 'none for a file'}.")
        grouped[name] = groups[name]
    return Query(names(options.by), selection(options.where), grouped)


def _groups(options: argparse.Namespace) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the groups that are offered: the study has some."""
    from sdcwidgets.tableserver.hypercube import GROUPS

    return GROUPS if options.source == STUDY else {}


def _server(
    options: argparse.Namespace,
    data: Tabulator,
    method: Method | str | None,
    seed: int,
    *,
    mixed_keys: bool,
) -> TableServer:
    """Return the table generator that is asked."""
    from sdcwidgets.tableserver import TableServer

    offered = {name: [dict(groups)] for name, groups in _groups(options).items()}
    rules = _chosen(options.rule)
    if method is not None:
        if any(text.partition("=")[0] == "before" for text in options.rule) and rules.before:
            raise InputError(
                "Without a generator no table goes out as it is under a method, so that the rule before has nothing to "
                "decide; leave it out."
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
    """Write a release where it is wanted: a workbook has its metadata beside it, a CSV file its notes below."""
    from sdcwidgets._util.csv_writing import csv_text
    from sdcwidgets.tables.io.writers.workbook import below, workbook

    source, table, notes = about
    path = options.output
    metadata = [["Data", source], ["Table", table], *(["Note", note] for note in notes)]
    with writes(path):
        if options.format == "json":
            if path is not None:
                raise InputError("--format json is for the standard output; leave out -o.")
            print_json(
                "tables",
                _release_values(release, method) | {"source": source, "table": table, "notes": [*notes]},
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
        {"cell": list(cell), "value": None if value != value else value, "gap": gap}
        for cell, value, gap in zip(
            frame.iloc[:, : len(names)].itertuples(index=False), frame["value"], frame["gap"], strict=True
        )
    ]
    axes = [{"name": axis.name, "labels": list(axis.labels)} for axis in release.axes]
    return {"method": method_told(method), "axes": axes, "counts": counts}


def _source(options: argparse.Namespace, seed: int | None) -> Tabulator:
    """Return what is asked, with record keys made of the seed if there is one."""
    from sdcwidgets.tableserver.hypercube import hypercube
    from sdcwidgets.tableserver.protecting import keyed
    from sdcwidgets.tableserver.tabulate import Tabulator

    if options.source == STUDY:
        return Tabulator.open(hypercube(), count="Count", key="Key")
    data = Tabulator.open(options.source, count=options.count, key=options.key)
    return data if seed is None else keyed(data, seed, options.identity)


def _labelled(data: Tabulator, name: str) -> list[str]:
    """Return what is to be known of the categories of a variable: who has no value, and what was taken off."""
    from sdcwidgets.tables.io.layout.row_labels import RowLabels
    from sdcwidgets.tableserver.tabulate import MISSING

    labelled = RowLabels([name])
    for value, times in data.values(name).items():
        labelled.add(labelled.of([value], times), times)
    return labelled.notes(MISSING)


def _unweighted(data: Tabulator) -> list[str]:
    """Return a sentence if a column is called as weights are: tables are not weighted."""
    from sdcwidgets.dashboards.tables.texts import unweighted
    from sdcwidgets.tables.io.layout.weights import usual_weight

    return [note] if (note := unweighted(usual_weight(data.names))) else []


def _rules() -> str:
    from sdcwidgets.tableserver import Rules

    return ", ".join(f"{rule.name} ({rule.expected})" for rule in declared(Rules)).replace("%", "%%")


def _chosen(texts: list[str]) -> Rules:
    """Return the rules with those that were given."""
    from sdcwidgets.tableserver import Rules

    known = {rule.name: rule for rule in declared(Rules)}
    values = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise InputError(f"There is no rule {name!r}; there are {', '.join(known)}.")
        values[name] = known[name].parse(value)
    return Rules(**values)
