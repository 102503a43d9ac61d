"""Swap records at risk into other areas, whole households if need be, and report who moved and why.

The swapped records are written in the order of their values, without the columns that show where a record was before.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets._util.publication import check_internal
from sdcwidgets.cli._options import add_options, read_options
from sdcwidgets.cli._secret import add_secret, read_secret

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class _Swap(Declared):
    """The numbers of targeted swapping."""

    k: Annotated[
        int, Range(1, 20), Label("At risk"), Help("At most so many alike in an area are at risk.")
    ] = 3
    below: Annotated[
        bool, Label("Fewer than k"), Help("At risk are fewer than k alike, as in sdcMicro, not at most k.")
    ] = False
    rate: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Swap rate"),
        Help("The share of records or households to move, at least."),
    ] = 0.05
    spread: Annotated[
        bool, Label("Spread"), Help("Each of the smallest areas has its share of the swap rate.")
    ] = False


def add(parser: argparse.ArgumentParser) -> None:
    """Add the file, its columns, the numbers, and where to write."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a file with one line a person")
    for flag, metavar, about in (
        ("--hierarchy", "COLUMNS", "columns of the areas, from the largest to the smallest, between commas"),
        ("--risk", "COLUMNS", "columns that an intruder may know"),
        (
            "--similar",
            "COLUMNS",
            "columns in which the two must agree; after a semicolon those that will do otherwise",
        ),
        ("--along", "COLUMNS", "other geographies that move with the areas, such as a second partition"),
        ("--household", "COLUMN", "the column that tells households apart, which move whole"),
        ("--forced", "COLUMN", "a column that holds 1 for records that must move, else 0 or nothing"),
    ):
        parser.add_argument(flag, metavar=metavar, required=flag in ("--hierarchy", "--risk"), help=about)
    add_options(parser, _Swap)
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, required=True, help="the swapped records, a CSV file"
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        help="who moved and why, a CSV file: records by their number in FILE, from 1, or households; keep it secret",
    )
    parser.add_argument(
        "--keep",
        metavar="COLUMNS",
        default="",
        help="columns to keep although they show who moved, such as identifiers (default: they are left out)",
    )
    add_secret(parser)


def run(options: argparse.Namespace) -> None:
    """Write the swapped records and the report; print on stderr how many moved and what was left out."""
    import numpy as np

    from sdcwidgets.methods.targeted import swap
    from sdcwidgets.microdata.reading import read_records

    check_internal(options.report)
    numbers, secret = read_options(options, _Swap), read_secret(options)
    paths = [path for path in (options.output, options.report) if path is not None]
    if len({path.resolve() for path in (options.file, *paths)}) <= len(paths):
        raise InputError(
            "The records, the swapped records and the report must be three files; name another one."
        )
    records, notes = read_records(options.file)
    profiles = [_names(part) for part in (options.similar or "").split(";")]
    rng = np.random.default_rng(secret.seed)
    done = swap(
        records,
        _names(options.hierarchy),
        _names(options.risk),
        profiles,
        **{"k": _Swap.k, "rate": _Swap.rate, **numbers},
        along=_names(options.along or ""),
        household=options.household,
        forced=None if options.forced is None else _forced(records, options.forced),
        rng=rng,
    )
    report = done.report
    if options.household is None:
        # Records are told by their number in the file, from 1.
        report = report.assign(**{name: report[name].astype("Int64") + 1 for name in ("unit", "donor")})
    # The order of the file and its identifiers show where each record was, and the marks who had to move.
    marks = [] if options.forced is None else [options.forced]
    choice = {"leave_out": marks, "keep": _names(options.keep)}
    released, gone = done.for_release(rng, **choice), done.left_out(**choice)
    csv_text(lines_of(released), options.output)
    if options.report is not None:
        csv_text(lines_of(report), options.report, internal=True)
    remark = f"Left out, as it shows who moved: {', '.join(map(quoted, gone))}." if gone else ""
    print(*filter(None, [*notes, done.note, remark, secret.remark]), sep="\n", file=sys.stderr)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _forced(records: pd.DataFrame, name: str) -> NDArray[np.bool_]:
    """Return who must move, by a column of 1 and 0."""
    from sdcwidgets.tables.io.sources.no_value import cleaned

    if name not in records:
        raise InputError(f"The records have no column {quoted(name)} of who must move.")
    marks = cleaned(records[name]).fillna("0")
    strange = marks[~marks.isin(["0", "1"])]
    if len(strange):
        raise InputError(
            f"Record {int(strange.index[0]) + 1} has {quoted(strange.iloc[0])} as {quoted(name)}; "
            "it must be 1, 0 or empty."
        )
    return (marks == "1").to_numpy()
