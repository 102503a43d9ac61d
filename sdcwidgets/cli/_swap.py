"""Nested command `microdata swap`: targeted record swapping of microdata.

The swapped records are written in the order of their values, without columns that show the original area.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets._util.publication import check_internal
from sdcwidgets.cli._options import add_options, read_options
from sdcwidgets.cli._output import NO_PUBLIC_REPORT, add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import METHOD, OUTPUT, Parser
from sdcwidgets.cli._secret import add_secret, read_secret

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

EXAMPLES = (
    "sdcwidgets microdata swap people.csv --hierarchy region,town --risk age,job -o swapped.csv",
    "sdcwidgets microdata swap people.csv --hierarchy region,town --risk age,job --household id -o swapped.csv",
)

#: Options that name columns: value, help.
_COLUMNS = {
    "--hierarchy": ("COLUMNS", "area variables, from the largest areas to the smallest, separated by commas"),
    "--risk": ("COLUMNS", "key variables, separated by commas"),
    "--similar": (
        "COLUMNS",
        "control variables, which must have equal values in both records of a swap; after a "
        "semicolon, a second list that is used if no such pair exists",
    ),
    "--household": (
        "COLUMN",
        "column that identifies the household; all records of a household are swapped together",
    ),
    "--along": (
        "COLUMNS",
        "further area variables that move together with the swapped areas, for example a second partition",
    ),
    "--forced": ("COLUMN", "column with 1 for records that must be swapped, and 0 or nothing for all others"),
}


@dataclass(frozen=True)
class _Swap(Declared):
    """Settings of targeted record swapping."""

    k: Annotated[
        int,
        Range(1, 20),
        Label("Risk threshold k"),
        Help("A record is at risk if at most k records of its area have the same key values."),
    ] = 3
    below: Annotated[
        bool,
        Label("Fewer than k"),
        Help("A record is at risk if fewer than k records have the same key values, as in sdcMicro."),
    ] = False
    rate: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Swap rate"),
        Help("Minimum share of records or households that are swapped."),
    ] = 0.05
    spread: Annotated[
        bool,
        Label("Spread over areas"),
        Help("Apply the swap rate in each of the smallest areas, not to the whole file."),
    ] = False


def add(parser: Parser) -> None:
    """Add the file, its columns, the settings, the outputs and the secret."""
    parser.add_argument("file", metavar="FILE", type=Path, help="microdata: a file with one row per person")
    method = parser.group(METHOD)
    for flag, (metavar, about) in _COLUMNS.items():
        where = method if flag in ("--along", "--forced") else parser
        where.add_argument(flag, metavar=metavar, required=flag in ("--hierarchy", "--risk"), help=about)
    add_options(parser, _Swap, only=("k", "rate"))
    add_options(method, _Swap, only=("below", "spread"))
    add_output(parser, "output file with the swapped records, CSV", required=True)
    add_secret(parser)
    parser.absent["--report"] = NO_PUBLIC_REPORT
    output = parser.group(OUTPUT)
    output.add_argument(
        "--internal-report",
        metavar="OUT",
        type=Path,
        help="output file (.csv) of the internal list of swapped records (row numbers in "
        "FILE, from 1) or households, with the reason of each swap; its name must "
        'contain "internal"',
    )
    output.add_argument(
        "--keep",
        metavar="COLUMNS",
        default="",
        help="columns to keep although they show which records were swapped, for example identifiers "
        "(default: these columns are removed)",
    )


def run(options: argparse.Namespace) -> None:
    """Swap records at risk, or whole households, with similar records of other areas."""
    import numpy as np

    from sdcwidgets._util.seeds import mixed_seed
    from sdcwidgets.methods.targeted import swap
    from sdcwidgets.microdata.reading import read_records

    check_internal(options.internal_report)
    numbers, secret = read_options(options, _Swap), read_secret(options)
    check_outputs([options.output, options.internal_report], [options.file], force=options.force)
    for path in (options.output, options.internal_report):
        check_ending(path, (".csv",))
    records, notes = read_records(options.file)
    forced = None if options.forced is None else _forced(records, options.forced)
    # Two files with one secret have independent random numbers.
    rng = np.random.default_rng(mixed_seed(secret.seed, records.to_csv(index=False).encode()))
    done = swap(
        records,
        _names(options.hierarchy),
        _names(options.risk),
        [_names(part) for part in (options.similar or "").split(";")],
        **{"k": _Swap.k, "rate": _Swap.rate, **numbers},
        along=_names(options.along or ""),
        household=options.household,
        forced=forced,
        rng=rng,
    )
    report = done.report
    if options.household is None:
        # Without an identifier, the report names records by their row number in the file, from 1.
        report = report.assign(**{name: report[name].astype("Int64") + 1 for name in ("unit", "donor")})
    # The order of rows, identifiers and the column of forced swaps would show which records were swapped.
    marks = [] if options.forced is None else [options.forced]
    choice = {"leave_out": marks, "keep": _names(options.keep)}
    released, removed = done.for_release(rng, **choice), done.left_out(**choice)
    if options.dry_run:
        print_dry_run(
            [f"{options.file}: {len(records):,} records."], [options.output, options.internal_report]
        )
        return
    secret.save()
    csv_text(lines_of(released), options.output)
    if options.internal_report is not None:
        csv_text(lines_of(report), options.internal_report, internal=True)
    remark = ""
    if removed:
        remark = f"Removed columns that show which records were swapped: {', '.join(map(quoted, removed))}."
    if options.household is None and any(name in done.identifying for name in removed):
        remark += " If one of them is the number of the household, name it with --household to swap whole households."
    lines = [line for line in (*notes, done.note, remark, secret.remark) if line]
    print(*lines, sep="\n", file=sys.stderr)
    print_written(options.output, options.internal_report)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _forced(records: pd.DataFrame, name: str) -> NDArray[np.bool_]:
    """Return a mask of the records that must be swapped."""
    from sdcwidgets.tables.io.sources.missing_values import cleaned

    if name not in records:
        raise InputError(
            f"--forced: the file has no column {quoted(name)}; it has {', '.join(map(quoted, records))}."
        )
    marks = cleaned(records[name]).fillna("0")
    strange = marks[~marks.isin(["0", "1"])]
    if len(strange):
        raise InputError(
            f"Record {int(strange.index[0]) + 1} has {quoted(strange.iloc[0])} as {quoted(name)}; "
            "it must be 1, 0 or empty (--forced)."
        )
    return (marks == "1").to_numpy()
