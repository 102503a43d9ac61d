"""Make a protected table."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put
from sdcwidgets._util.publication import check_internal
from sdcwidgets.cli._gaps import add_gaps, gaps_in, hierarchies_in, put_gaps
from sdcwidgets.cli._options import (
    Parser,
    add_measures,
    add_methods,
    add_table,
    described,
    read_measures,
    read_method,
    read_reading,
)
from sdcwidgets.cli._records import ALONE, add_keys, keyed_release
from sdcwidgets.cli._secret import add_secret, read_secret
from sdcwidgets.cli._verdict import add_rules, limits_of, read_accepted, read_beside, read_rule, status

if TYPE_CHECKING:
    from sdcwidgets.assessment.report import Report
    from sdcwidgets.assessment.verdict import Verdict
    from sdcwidgets.methods import Method
    from sdcwidgets.methods.suppressing import Gaps
    from sdcwidgets.tables.io.options import Reading
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable


def add(parser: Parser) -> None:
    """Add the table, the methods, the seed and where to write."""
    add_table(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        help="a .csv or .xlsx file, not the input (default: standard output)",
    )
    parser.add_argument(
        "--moves",
        metavar="FILE",
        type=Path,
        help="internal .csv file that lists the moved people, for methods that select people; its name contains "
        '"internal"',
    )
    parser.add_argument(
        "--report", metavar="FILE", type=Path, help=".html report for data users, without original counts"
    )
    parser.add_argument(
        "--internal-report",
        metavar="FILE",
        type=Path,
        help="internal .html report with the verdict, disclosure risk, information loss, original counts and seed; "
        'its name contains "internal"',
    )
    parser.add_argument(
        "--additive",
        action="store_true",
        help="adjust what is published so that it adds up; what that costs is told",
    )
    add_keys(parser)
    add_gaps(parser)
    add_secret(parser)
    add_measures(parser)
    add_methods(parser, required=False)
    add_rules(parser)


def run(options: argparse.Namespace) -> int:
    """Write the protected table and its reports, print remarks on stderr, and return the exit code."""
    from sdcwidgets.assessment.report import Report
    from sdcwidgets.assessment.verdict import judge
    from sdcwidgets.measures.settings import Settings

    rule = read_rule(options)
    method = read_method(options) or (rule.method if rule else None)
    if method is None:
        raise InputError("No method is named; name one with --method.")
    secret = read_secret(options)
    _check_outputs(options)
    reading = read_reading(options)
    gaps = gaps_in(options, method, reading.table, secret.seed)
    if gaps is not None and (options.hierarchy or options.tables):
        code = _judged_gaps(options, reading.table, gaps)
        if code == 0:
            put_gaps(gaps, options.output)
            warning = secret.chosen if method.seeded else ""
            print(*filter(None, [method.private_note(reading.table), warning]), sep="\n", file=sys.stderr)
        return code
    release, remarks = _protected(options, method, reading, gaps, secret.seed)
    seed = secret.seed if method.seeded else None
    verdict = judge(
        reading.table,
        release,
        limits_of(rule, options),
        settings=Settings(of_measures=read_measures(options)),
        seed=seed,
        accepted=read_accepted(options),
        others=read_beside(options),
    )
    report = Report(
        release,
        verdict,
        method,
        *described(options.file),
        reading.notes,
        table=reading.table,
        as_read=reading.as_read,
        seed=seed,
    )
    held = status(verdict) != 0
    _write_internal(options, report, method, reading.table, secret.seed)
    if not held:
        _write_public(options, report, reading.totals)
    if secret.remark and seed is not None:
        warning = secret.chosen if method.deterministic else secret.remark
        remarks.append(secret.refused if held and not secret.is_explicit else warning)
    if rule is not None or options.beside:
        remarks += verdict.lines
    if held:
        remarks.append(_blocked(verdict, options.report is not None))
    print(*remarks, sep="\n", file=sys.stderr)
    if options.output is None and not held:
        print(replace(release, notes=()).to_csv(margins=reading.totals, as_read=reading.as_read), end="")
    return status(verdict)


def _check_outputs(options: argparse.Namespace) -> None:
    """Raise an error if a file that is to be written is the input, or has the wrong name."""
    for path in (options.output, options.moves, options.report, options.internal_report):
        _check_input(path, options.file)
    _check_ending(options.output)
    for path in (options.moves, options.internal_report):
        check_internal(path)


def _write_internal(
    options: argparse.Namespace, report: Report, method: Method, table: FrequencyTable, seed: int
) -> None:
    """Write the internal report and the list of moved people, if they are named."""
    from sdcwidgets.assessment.report import write

    if options.internal_report is not None:
        write(replace(report, internal=True), options.internal_report)
    if options.moves is not None:
        csv_text(lines_of(method.report(table, seed)), options.moves, internal=True)


def _write_public(options: argparse.Namespace, report: Report, totals: bool) -> None:
    """Write the report for data users and the table, if they are named."""
    from sdcwidgets.assessment.report import write

    if options.report is not None:
        write(report, options.report)
    if options.output is not None:
        _write(report, totals, options.output)


def _blocked(verdict: Verdict, has_report: bool) -> str:
    """Return the sentence on what was not written, and why."""
    written = "The table and the report for data users were" if has_report else "The table was"
    why = "accept a stop with --accept, or change the setting"
    if verdict.answer == "compare only":
        why = "the rule has no limit to judge it by"
    return f"{written} not written: {why}."


def _judged_gaps(options: argparse.Namespace, table: FrequencyTable, gaps: Gaps) -> int:
    """Judge sub-totals or linked tables together with the tables of --beside; return the exit code."""
    from sdcwidgets.assessment.verdict.gaps import judge_gaps
    from sdcwidgets.methods.suppressing import with_hierarchies

    limits = limits_of(None, options)
    if limits is None:
        return 0
    table, hierarchies = with_hierarchies(table, hierarchies_in(options.hierarchy))
    other_tables = read_beside(options, hierarchies)
    verdict = judge_gaps(table, gaps, hierarchies, other_tables, limits, read_accepted(options))
    if status(verdict) != 0:
        why = "The table was not written: accept a stop with --accept, or change the setting."
        print(*verdict.lines, why, sep="\n", file=sys.stderr)
    elif verdict.accepted:
        print(*verdict.lines[1:], sep="\n", file=sys.stderr)
    return status(verdict)


def _protected(
    options: argparse.Namespace, method: Method, reading: Reading, gaps: Gaps | None, seed: int
) -> tuple[Release, list[str]]:
    """Return what the method publishes, and what must be known of it."""
    import numpy as np

    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.tables.release import made_additive

    table, rng, stayed, alone = reading.table, np.random.default_rng(seed), None, ""
    release = keyed_release(options, method, table, seed)
    if release is None:
        alone = ALONE if method.name == "cell-key" else ""
        if gaps is not None and isinstance(method, CellSuppression):
            hidden = gaps.pattern.suppressed.reshape([size + 1 for size in table.shape])
            release = method.with_gaps(table, hidden)
        elif method.follows:
            drawn, followed = method.follow(table, 1, rng)
            release, stayed = method.release_from_cells(table, drawn[0], rng), followed[0]
        else:
            release = method.release(table, rng)
    if options.additive:
        before = release
        release = made_additive(before, getattr(method, "base", 1))
        changed = sum(
            int(np.count_nonzero(release.values[axes] != values)) for axes, values in before.values.items()
        )
        alone = " ".join(
            filter(None, [alone, f"Figures changed so that the table adds up, internal: {changed:,}."])
        )
    sums = "The totals are the sums of what is published." if reading.totals and release.plain else ""
    remarks = filter(None, [method.private_note(table, stayed), alone])
    return release, [*remarks, *release.notes, *release.cautions, *filter(None, [sums])]


def _check_input(path: Path | None, file: str) -> None:
    """Check that an output does not overwrite the original counts."""
    if path is not None and file != "-" and path.exists() and Path(file).exists() and path.samefile(file):
        raise InputError(f"{path} holds the true counts and is not overwritten; name another file with -o.")


def _check_ending(path: Path | None) -> None:
    """Check that the ending of an output is one of the formats that are written."""
    if path is not None and path.suffix.lower() not in ("", ".csv", ".txt", ".xlsx", ".px", ".json"):
        raise InputError(
            f"{path} cannot be written: name a file that ends in .csv, .xlsx, .px, .json or .sdmx.csv with -o."
        )


def _write(report: Report, totals: bool, path: Path) -> None:
    """Write the table as a workbook where the ending says so, else as CSV; with totals if what was read had some."""
    from sdcwidgets.tables.io.writers.exchange import ENDINGS

    release = report.release
    exchanged = next((write for ending, write in ENDINGS.items() if path.name.lower().endswith(ending)), None)
    if exchanged is not None:
        exchanged(release, path, margins=totals or not release.plain)
    elif path.suffix.lower() == ".xlsx":
        put(report.workbook(), path)
    else:
        release.to_csv(path, margins=totals, as_read=report.as_read)
