"""Swap records at risk into other areas, whole households if need be, and report who moved and why."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdcwidgets.cli._options import add_options, read_options
from sdcwidgets.cli._secret import add_secret, read_secret
from sdcwidgets.errors import InputError
from sdcwidgets.files import writes
from sdcwidgets.labels import quoted
from sdcwidgets.parameters import Declared, Help, Label, Range

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
    for flag, what, about in (
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
        parser.add_argument(flag, metavar=what, required=flag in ("--hierarchy", "--risk"), help=about)
    add_options(parser, _Swap)
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, required=True, help="the swapped records, a CSV file"
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        help="who moved and why, a CSV file: records by number, from 1, or households; keep it secret",
    )
    add_secret(parser)


def run(options: argparse.Namespace) -> None:
    """Write the swapped records and the report; how many moved, and how many found no donor, is told on stderr."""
    import numpy as np

    from sdcwidgets.methods.targeted import swap
    from sdcwidgets.sources.microdata import read_records

    numbers, secret = read_options(options, _Swap), read_secret(options)
    paths = [path for path in (options.output, options.report) if path is not None]
    if len({path.resolve() for path in (options.file, *paths)}) <= len(paths):
        raise InputError(
            "The records, the swapped records and the report must be three files; name another one."
        )
    records, notes = read_records(options.file)
    profiles = [_names(part) for part in (options.similar or "").split(";")]
    done = swap(
        records,
        _names(options.hierarchy),
        _names(options.risk),
        profiles,
        **{"k": _Swap.k, "rate": _Swap.rate, **numbers},
        along=_names(options.along or ""),
        household=options.household,
        forced=None if options.forced is None else _forced(records, options.forced),
        rng=np.random.default_rng(secret.seed),
    )
    report = done.report
    if options.household is None:
        # Records are told by their number in the file, from 1.
        report = report.assign(**{name: report[name].astype("Int64") + 1 for name in ("unit", "donor")})
    for path, frame in zip(paths, (done.records, report), strict=False):
        with writes(path):
            frame.to_csv(path, index=False, lineterminator="\n")
    print(*filter(None, [*notes, done.note, secret.remark]), sep="\n", file=sys.stderr)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _forced(records: pd.DataFrame, name: str) -> NDArray[np.bool_]:
    """Return who must move, by a column of 1 and 0."""
    from sdcwidgets.sources.no_value import cleaned

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
