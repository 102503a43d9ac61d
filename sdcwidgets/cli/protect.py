"""Protect frequency tables with one method."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending, put, writes
from sdcwidgets._util.publication import check_internal
from sdcwidgets._util.seeds import GUESSED
from sdcwidgets.cli._json import print_json, public_method_values, published_values
from sdcwidgets.cli._layouts import DoubtfulLayout
from sdcwidgets.cli._options import (
    add_json,
    add_measures,
    add_methods,
    add_table,
    check_measures,
    described,
    read_measures,
    read_method,
    read_options,
    reject_unused,
    with_omitted_labels,
)
from sdcwidgets.cli._output import add_output, check_outputs, print_always, print_dry_run, print_written
from sdcwidgets.cli._parser import OUTPUT, Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._protected import warn_if_protected
from sdcwidgets.cli._records import has_record_keys
from sdcwidgets.cli._releasing import add_releasing, make_release
from sdcwidgets.cli._secret import AFTER_REFUSAL, Secret, add_secret, read_secret
from sdcwidgets.cli._sub_totals import read_with_sub_totals
from sdcwidgets.cli._suppression import (
    add_status,
    add_suppression,
    check_linked_outputs,
    check_status,
    hierarchies_in,
    put_suppressed,
    remarks_on_suppressed,
    suppression_in,
    write_status_of,
    write_status_of_entries,
)
from sdcwidgets.cli._verdict import (
    add_rules,
    limits_of,
    read_accepted,
    read_published,
    read_rule,
    required_by,
    status,
)

if TYPE_CHECKING:
    from sdcwidgets.assessment.report import Report
    from sdcwidgets.assessment.verdict import Rule, Verdict
    from sdcwidgets.methods import Method
    from sdcwidgets.methods.suppressing import SuppressedTable
    from sdcwidgets.tables.io.options import Reading
    from sdcwidgets.tables.linked_release import LinkedRelease
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable

EXAMPLES = (
    "sdcwidgets protect example:religion --method random-rounding --base 5 -o protected.csv",
    "sdcwidgets protect north.csv south.csv --rules minimum-frequency -o protected/",
)

#: Endings of the files that the command writes.
ENDINGS = ("csv", "xlsx", "px", "json", "sdmx.csv")

#: Formats of p-tables.
_P_TABLES = ("ptable", "tau-argus", "whole-keys")

#: Remark on a table of a file that is written without release rules.
_UNCHECKED = (
    "{0}: no limit was checked, so there is no release decision. Name release rules with --rules before publication; a "
    "rule file can also state why no limit applies (no-risk-limit)."
)

#: Endings of names that cannot be meant as the name of a new folder.
_FILE_ENDINGS = (".csv", ".txt", ".xlsx", ".px", ".json", ".html", ".htm")


@dataclass(frozen=True)
class _Protected:
    """Result for one file before anything is written.

    Attributes
    ----------
    status : int
        Exit status.
    write : callable
        Function that writes the files.
    print_result : callable
        Function that prints the result on the standard output.
    remarks : list of str
        Lines for stderr.
    reasons : list of str
        Reasons why the release is blocked, for stderr, also with `--quiet`.
    seed : tuple of (str, str)
        Line with a generated seed, and the advice on it.
    """

    status: int
    write: Callable[[], None]
    print_result: Callable[[], None]
    remarks: list[str]
    reasons: list[str]
    seed: tuple[str, str] = ("", "")


def add(parser: Parser) -> None:
    """Add the tables, the method, the seed, the release rules and the outputs."""
    add_table(parser, several=True)
    add_methods(parser, "the method of --rules")
    add_rules(parser)
    add_output(
        parser,
        "output file: .csv, .xlsx, .px, .json or .sdmx.csv; or a folder for one file per FILE, which several FILEs "
        "need; .csv and .xlsx contain a cross table, also if FILE has one row per cell, and .sdmx.csv has one row per "
        "cell (default: standard output)",
    )
    add_secret(parser)
    output = parser.group(OUTPUT)
    output.add_argument(
        "--file-type",
        choices=ENDINGS,
        metavar="TYPE",
        default="csv",
        help=f"type of the files in the folder of -o: {', '.join(ENDINGS)} (default: csv)",
    )
    output.add_argument(
        "--report", metavar="OUT", type=Path, help=".html report for data users, without original counts"
    )
    output.add_argument(
        "--internal-report",
        metavar="OUT",
        type=Path,
        help="output file of the internal HTML report with the verdict, disclosure risk, "
        'information loss, original counts and seed; its name must contain "internal"',
    )
    output.add_argument(
        "--moves",
        metavar="OUT",
        type=Path,
        help="output file (.csv) of the internal list of moved people, for methods that "
        'select people; its name must contain "internal"',
    )
    add_status(output)
    output.add_argument(
        "--write-p-table",
        metavar="OUT",
        type=Path,
        help="output file (.csv) of the p-table of the method cell-key, for other programs",
    )
    output.add_argument(
        "--p-table-format",
        choices=_P_TABLES,
        metavar="FORM",
        default="ptable",
        help="format of --write-p-table: ptable (columns i, j, p, v), tau-argus, or whole-keys (columns pcv, ckey, "
        "pvalue) for record keys up to --largest-record-key or 255 (default: ptable)",
    )
    add_json(parser, "protect")
    add_releasing(parser)
    add_suppression(parser, note="; a table with a hierarchy gets no verdict by --rules")
    add_measures(parser)


def run(options: argparse.Namespace) -> int:
    """Protect each table, and write the results when all of them are computed."""
    rule = read_rule(options)
    method = read_method(options) or (rule.method if rule else None)
    if method is None:
        raise InputError(
            "There is no method; choose one with --method, for example --method random-rounding."
        )
    secret = read_secret(options)
    outputs = _outputs(options)
    limits = None if rule is None else rule.limits
    computed = () if limits is None else (limits.risk_measure, limits.loss_measure)
    check_measures(options, computed, "name release rules with this measure with --rules")
    if outputs == [options.output]:
        reject_unused(options, ("file_type",), "without a folder for the outputs; name a folder with -o")
    one_file = [argparse.Namespace(**vars(options)) for _ in options.files]
    readings = []
    for own, file, output in zip(one_file, options.files, outputs, strict=True):
        own.file, own.output = file, output
        show_step(f"Reading {file}")
        warn_if_protected(file)
        with _naming(file, len(one_file) > 1):
            prefix = f"{file}: " if len(one_file) > 1 else ""
            readings.append(with_omitted_labels(own, read_with_sub_totals(own, method, prefix=prefix)))
    _check_secret(secret, method, one_file, readings)
    protected = []
    for own, reading in zip(one_file, readings, strict=True):
        show_step(f"Protecting {own.file}")
        with _naming(own.file, len(one_file) > 1):
            protected.append(_protect(own, rule, method, reading, secret))
        if not secret.is_explicit and not has_record_keys(own, method, reading.table):
            # With equal random numbers, anyone who knows one original table could compute the noise of another table.
            # Record keys, however, must be the same for all tables of the same people.
            secret = read_secret(options)
    if options.dry_run:
        return _print_dry_run(options, method, readings, protected, outputs)
    secret.save()
    return _write_results(options, protected, outputs)


def _write_results(
    options: argparse.Namespace, protected: list[_Protected], outputs: list[Path | None]
) -> int:
    """Write the files, print the remarks, and return the exit status."""
    if len(outputs) > 1 and outputs[0] is not None:
        with writes(outputs[0].parent):
            outputs[0].parent.mkdir(exist_ok=True)
    for file, result in zip(options.files, protected, strict=True):
        result.write()
        _print_remarks(result, file if len(protected) > 1 else "")
    _print_advice(protected)
    released = [path for path, result in zip(outputs, protected, strict=True) if not result.reasons]
    print_written(*released, *_other_files(options, protected))
    for result in protected:
        result.print_result()
    return max(result.status for result in protected)


def _print_remarks(result: _Protected, file: str) -> None:
    """Print the remarks on a result, the reasons why it is blocked, and its seed."""
    if file:
        print(f"{file}:", file=sys.stderr)
    if result.remarks:
        print(*result.remarks, sep="\n", file=sys.stderr)
    print_always(*result.reasons)
    if result.seed[0]:
        print(f"{file}: {result.seed[0]}" if file else result.seed[0], file=sys.stderr)


def _print_advice(protected: Iterable[_Protected]) -> None:
    """Print each advice on a seed once."""
    for advice in dict.fromkeys(result.seed[1] for result in protected):
        if advice:
            print(advice, file=sys.stderr)


def _other_files(options: argparse.Namespace, protected: list[_Protected]) -> list[Path | None]:
    """Return the reports and the list of moves that are written, also for a blocked release."""
    report = None if protected[0].reasons else options.report
    return [report, options.internal_report, options.moves, options.write_p_table, options.internal_status]


def _print_dry_run(
    options: argparse.Namespace,
    method: Method,
    readings: list[Reading],
    protected: list[_Protected],
    outputs: list[Path | None],
) -> int:
    """Print the files that the command would write and the rule violations; return the exit status."""
    # Without a verdict, nothing in the output of a dry run depends on the seed.
    if options.rules is None and not options.published:
        protected = [replace(result, seed=("", "")) for result in protected]
    for file, result in zip(options.files, protected, strict=True):
        _print_remarks(result, file if len(protected) > 1 else "")
    _print_advice(protected)
    sizes = [
        f"{file}: {_size(reading.table)}." for file, reading in zip(options.files, readings, strict=True)
    ]
    public = [path for path, result in zip(outputs, protected, strict=True) if not result.reasons]
    otherwise = "Without --dry-run, the command would print the protected table on the standard output."
    return print_dry_run(
        [*sizes, f"Method: {method.name}. {method.note()}"],
        [*public, *_other_files(options, protected)],
        otherwise if len(public) == len(outputs) else "",
        status=max(result.status for result in protected),
    )


def _check_secret(
    secret: Secret, method: Method, one_file: list[argparse.Namespace], readings: list[Reading]
) -> None:
    """Raise InputError if several tables would get the same noise from one seed, which is not mixed with the counts."""
    if len(readings) == 1 or secret.seed >= GUESSED or method.deterministic:
        return
    for own, reading in zip(one_file, readings, strict=True):
        if not has_record_keys(own, method, reading.table):
            raise InputError(
                f"The seed {secret.seed} would give {own.file} and the other FILEs the same noise, and the difference "
                "of two tables would disclose counts. Leave out the seed, or use a random number of 128 bits."
            )


@contextmanager
def _naming(file: str, is_one_of_several: bool) -> Iterator[None]:
    """Begin the message of an error with the name of the file if there are several files."""
    try:
        yield
    except InputError as error:
        if not is_one_of_several or str(error).startswith(file):
            raise
        preview = error.preview if isinstance(error, DoubtfulLayout) else ()
        raise DoubtfulLayout(f"{file}: {error}", preview) from None


def _outputs(options: argparse.Namespace) -> list[Path | None]:
    """Return the output file of each table, after a check that all outputs can be written."""
    folder: Path | None = options.output
    extra = {
        "--report": options.report,
        "--internal-report": options.internal_report,
        "--moves": options.moves,
        "--write-p-table": options.write_p_table,
        "--internal-status": options.internal_status,
    }
    outputs: list[Path | None] = [folder]
    if options.json and len(options.files) > 1:
        raise InputError("--json prints the result of one FILE; give one FILE.")
    if len(options.files) > 1 or (folder is not None and folder.is_dir()):
        if folder is None:
            raise InputError("Several FILEs need a folder for their outputs; name it with -o.")
        if folder.is_file():
            raise InputError(f"{folder} is a file; for several FILEs -o must name a folder.")
        if not folder.is_dir() and folder.suffix.lower() in _FILE_ENDINGS:
            raise InputError(
                f"{folder} ends in {folder.suffix}, as a file does; for several FILEs -o must name a folder."
            )
        for flag, path in extra.items() if len(options.files) > 1 else ():
            if path is not None:
                raise InputError(f"{flag} is for one FILE; protect each FILE with a separate command.")
        outputs = [folder / f"{_stem(file)}.{options.file_type}" for file in options.files]
    for path in outputs:
        _check_ending(path)
    inputs = list(options.files)
    if options.published:
        inputs += options.published
    check_outputs([*outputs, *extra.values()], inputs, force=options.force, folder=folder)
    for path in (options.moves, options.internal_report, options.internal_status):
        check_internal(path)
    check_ending(options.internal_status, (".csv", ".hst"))
    for path in (options.report, options.internal_report):
        if path is not None and path.suffix.lower() not in (".html", ".htm"):
            raise InputError(f"{path} cannot hold a report; name a file that ends in .html.")
    return outputs


def _stem(file: str) -> str:
    """Return the name of an output in a folder, without its ending."""
    return "table" if file == "-" else Path(file.removeprefix("example:")).stem


def _size(table: FrequencyTable) -> str:
    """Return the size of a table in words."""
    return f"{' × '.join(map(str, table.shape))} cells, {table.total:,} people"


def _protect(
    options: argparse.Namespace, rule: Rule | None, method: Method, reading: Reading, secret: Secret
) -> _Protected:
    """Return the result for one table; nothing is written."""
    from sdcwidgets.assessment.report import Report
    from sdcwidgets.assessment.verdict import judge
    from sdcwidgets.measures.settings import Settings
    from sdcwidgets.tables.unnamed import unnamed_note

    check_linked_outputs(options, method)
    gaps = suppression_in(options, method, reading.table, secret.seed)
    if gaps is not None and (options.hierarchy or options.tables):
        return _suppressed(options, method, reading.table, gaps, secret)
    release, remarks = make_release(options, method, reading, gaps, secret.seed)
    seed = secret.seed if method.seeded else None
    verdict = judge(
        reading.table,
        release,
        limits_of(rule, options),
        settings=Settings(of_measures=read_measures(options)),
        seed=seed,
        accepted=read_accepted(options),
        others=read_published(options),
        required=required_by(rule, method),
        unpublished=reading.levels,
    )
    report = Report(
        release,
        verdict,
        method,
        *described(options.file, [axis.name for axis in reading.table.axes], reading.as_read, release),
        reading.notes,
        table=reading.table,
        totals=reading.totals or reading.as_read is None,
        as_read=reading.as_read,
        seed=seed,
        file=options.file if Path(options.file).is_file() else "",
        read_options=_read_arguments(options),
    )
    # Only CSV files and workbooks repeat the lines above and below the table of the input.
    repeats_lines = _exchange_writer(options.output) is None and not options.json
    remarks += [note for note in report.public_release.notes if note not in release.notes]
    remarks += filter(None, [unnamed_note(options.file, reading.table)])
    remarks += release.cautions_on_files(as_read=reading.as_read if repeats_lines else None)
    is_blocked = status(verdict) != 0
    reasons: list[str] = []
    if is_blocked:
        reasons = [*verdict.command_lines, _blocked(verdict, options)]
    elif rule is not None or options.published:
        remarks += verdict.command_lines
    remarks += _unchecked(options)
    p_table = _p_table(options, method)
    check_status(options, method)
    # Computed before anything is written, because a method that does not select people has no such list.
    moves = None if options.moves is None else _moves(method, reading.table, secret.seed)
    return _Protected(
        status(verdict),
        partial(_write_all, options, report, reading.totals, moves, p_table, is_blocked=is_blocked),
        partial(_print_all, options, report, reading.totals, is_blocked=is_blocked),
        remarks,
        reasons,
        ("", "") if seed is None or release.exact else _seed_lines(secret, method, is_blocked=is_blocked),
    )


def _read_arguments(options: argparse.Namespace) -> dict[str, object]:
    """Return the options for reading FILE as arguments in Python."""
    from sdcwidgets.tables.io.sources import ReadOptions

    layout = {} if options.layout is None else {"layout": options.layout}
    return {**read_options(options, ReadOptions), **layout}


def _seed_lines(secret: Secret, method: Method, *, is_blocked: bool) -> tuple[str, str]:
    """Return the line with a generated seed, and the advice on the seed."""
    if is_blocked and not secret.is_explicit:
        return secret.line_after_refusal, AFTER_REFUSAL
    return secret.line, secret.advice_on_choice if method.deterministic else secret.advice


def _moves(method: Method, table: FrequencyTable, seed: int) -> Iterable[Iterable[object]]:
    """Return the header and the rows of the list of moved people."""
    try:
        return lines_of(method.report(table, seed))
    except InputError as error:
        raise InputError(f"--moves cannot be used with {method.name}: {error}") from None


def _p_table(options: argparse.Namespace, method: Method) -> str:
    """Return the text of `--write-p-table`; "" without this option."""
    from sdcwidgets.methods import cellkey

    if options.write_p_table is None:
        reject_unused(options, ("p_table_format",), "without --write-p-table; name a file")
        return ""
    if not isinstance(method, cellkey.CellKey):
        raise InputError(f"--write-p-table is an option of the method cell-key; the method is {method.name}.")
    if options.p_table_format == "tau-argus":
        return cellkey.to_argus(method.noise_table())
    if options.p_table_format == "whole-keys":
        largest = options.largest_record_key
        return cellkey.to_whole_keys(method.noise_table(), 255 if largest is None else largest)
    return cellkey.to_csv(method.noise_table())


def _write_all(
    options: argparse.Namespace,
    report: Report,
    totals: bool,
    moves: Iterable[Iterable[object]] | None,
    p_table: str,
    *,
    is_blocked: bool,
) -> None:
    """Write the internal files, and the public files unless the release is blocked."""
    from sdcwidgets.assessment.report import write

    if options.internal_report is not None:
        # The internal report names FILE, whose name a published file does not repeat.
        title = f"{report.title} ({options.file})"
        own = replace(report, internal=True, title=title, published_title=report.title)
        write(own, options.internal_report)
    if moves is not None:
        csv_text(moves, options.moves, internal=True)
    if options.internal_status is not None and report.table is not None:
        write_status_of(options, report.release, report.table)
    if options.write_p_table is not None:
        put(p_table, options.write_p_table)
    if not is_blocked:
        _write_public(options, report, totals)


def _unchecked(options: argparse.Namespace) -> list[str]:
    """Return the remark that no limit was checked; examples are public already."""
    if options.rules is not None or options.file.startswith("example:"):
        return []
    return [_UNCHECKED.format(options.file)]


def _print_all(options: argparse.Namespace, report: Report, totals: bool, *, is_blocked: bool) -> None:
    """Print the table on the standard output if no file is named, or as JSON, unless the release is blocked."""
    if is_blocked:
        return
    if options.json and report.method is not None:
        _print_json(options, report.method, report.public_release)
    elif options.output is None:
        print(replace(report.public_release, notes=()).to_csv(margins=totals, as_read=report.as_read), end="")


def _print_json(options: argparse.Namespace, method: Method, release: Release | LinkedRelease) -> None:
    """Print a release, which contains nothing that data users must not see."""
    from sdcwidgets.tables.linked_release import LinkedRelease

    names = release.names if isinstance(release, LinkedRelease) else [axis.name for axis in release.axes]
    values = {"file": options.file, "method": public_method_values(method)}
    values |= published_values(names, release.to_frame())
    output = None if options.output is None else str(options.output)
    print_json("protect", values | {"notes": list(release.notes), "output": output})


def _write_public(options: argparse.Namespace, report: Report, totals: bool) -> None:
    """Write the report for data users and the table, if the command line names them."""
    from sdcwidgets.assessment.report import write

    if options.report is not None:
        write(report, options.report)
    if options.output is not None:
        _write(report, totals, options.output)


def _blocked(verdict: Verdict, options: argparse.Namespace) -> str:
    """Return the sentences on the files that were not written, and on internal files that exist now."""
    files = "The table and the report for data users were" if options.report else "The table was"
    if verdict.answer == "compare only":
        return (
            f"{options.file}: {files} not written, because the release rules contain no "
            "limit, and therefore no release decision is possible."
        )
    sentence = f"{options.file}: {files} not written; change the settings, or accept the rule violation."
    written = [str(path) for path in (options.internal_report, options.moves) if path is not None]
    if written and not options.dry_run:
        sentence += f" {' and '.join(written)} exists now; add --force to the next call to replace the file."
    return sentence


def _suppressed(
    options: argparse.Namespace, method: Method, table: FrequencyTable, gaps: SuppressedTable, secret: Secret
) -> _Protected:
    """Return the result for a table with hierarchies or for linked tables, judged with the tables of --published."""
    from sdcwidgets.assessment.verdict.suppressed_tables import judge_suppressed
    from sdcwidgets.methods.suppressing import with_hierarchies

    private = filter(None, [method.private_note(table)])
    notes = [*remarks_on_suppressed(gaps), *private, *_unchecked(options)]
    result = _Protected(
        0,
        partial(_write_suppressed, options, gaps, method),
        partial(_print_suppressed, options, gaps, method),
        notes,
        [],
        (secret.line, secret.advice_on_choice) if method.seeded else ("", ""),
    )
    limits = limits_of(None, options)
    if limits is None:
        return result
    leaves, hierarchies = with_hierarchies(table, hierarchies_in(options.hierarchy, options.lead_string))
    published = read_published(options, hierarchies)
    verdict = judge_suppressed(leaves, gaps, hierarchies, published, limits, read_accepted(options))
    if status(verdict) != 0:
        reasons = [*verdict.command_lines, _blocked(verdict, options)]
        seed = _seed_lines(secret, method, is_blocked=True) if method.seeded else ("", "")
        return _Protected(status(verdict), _do_nothing, _do_nothing, [], reasons, seed)
    accepted = verdict.command_lines[1:] if verdict.accepted else ()
    return replace(result, remarks=[*accepted, *notes])


def _do_nothing() -> None:
    """Write and print nothing, for a blocked release."""


def _write_suppressed(options: argparse.Namespace, gaps: SuppressedTable, method: Method) -> None:
    """Write a table with hierarchies or linked tables if a file is named."""
    write_status_of_entries(options, gaps)
    if options.output is not None:
        put_suppressed(gaps, method, options.output, *described(options.file, gaps.release().names))


def _print_suppressed(options: argparse.Namespace, gaps: SuppressedTable, method: Method) -> None:
    """Print a table with hierarchies or linked tables, as JSON or if no file is named."""
    if options.json:
        _print_json(options, method, gaps.release())
    elif options.output is None:
        put_suppressed(gaps, method, None)


def _check_ending(path: Path | None) -> None:
    """Check that the command can write a file with this ending."""
    if path is not None and path.suffix.lower() not in ("", ".csv", ".xlsx", ".px", ".json"):
        endings = ", ".join(f".{ending}" for ending in ENDINGS)
        raise InputError(f"{path} has an unknown ending; name an output file that ends in one of {endings}.")


def _exchange_writer(path: Path | None) -> Callable[..., str] | None:
    """Return the function that writes a file for exchange, such as PX; None for another file."""
    from sdcwidgets.tables.io.writers.exchange import ENDINGS as EXCHANGE

    name = "" if path is None else path.name.lower()
    return next((write for ending, write in EXCHANGE.items() if name.endswith(ending)), None)


def _write(report: Report, totals: bool, path: Path) -> None:
    """Write the table in the format of the file's ending; with totals if the input had totals."""
    release, exchanged = report.public_release, _exchange_writer(path)
    if exchanged is not None:
        exchanged(release, path, margins=totals or release.has_own_totals)
    elif path.suffix.lower() == ".xlsx":
        put(report.workbook(), path)
    else:
        release.to_csv(path, margins=totals, as_read=report.as_read)
