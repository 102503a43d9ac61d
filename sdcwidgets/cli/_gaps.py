"""Sub-totals, linked tables, entries that stay and costs of one's own, for the gaps of a table on the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put
from sdcwidgets._util.labels import quoted

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.methods.suppressing import Gaps
    from sdcwidgets.tables.table import FrequencyTable


def add_hierarchies(parser: argparse.ArgumentParser) -> None:
    """Add the files of sub-totals, and of costs of one's own."""
    parser.add_argument(
        "--hierarchy",
        metavar="AXIS=FILE",
        action="append",
        default=[],
        help="sub-totals of an axis: a file with a line of names, then a label and its parent in each, or an .hrc "
        "file; AXIS=detected confirms the sums of categories that the counts show",
    )
    parser.add_argument(
        "--costs",
        metavar="FILE",
        type=Path,
        help="costs of gaps of one's own: a file with the axes and a column cost",
    )
    parser.add_argument(
        "--tables",
        metavar="A,B;A,C",
        help="linked tables of all these, each by its axes, instead of one of all axes",
    )


def tables_in(text: str | None) -> list[list[str]] | None:
    """Return the axes of each linked table, None where none is named."""
    tables = [[name.strip() for name in part.split(",")] for part in (text or "").split(";") if part.strip()]
    return tables or None


def add_gaps(parser: argparse.ArgumentParser) -> None:
    """Add what cell suppression takes beside its settings."""
    add_hierarchies(parser)
    parser.add_argument(
        "--frozen",
        metavar="FILE",
        type=Path,
        help="cell-suppression: a file with the axes of what must stay in print",
    )


def hierarchies_in(texts: list[str]) -> dict[str, dict[str, str] | str]:
    """Return the hierarchy of each axis, from what was written as AXIS=FILE or AXIS=detected."""
    from sdcwidgets.tables.io.sources.contributions import read_hierarchy
    from sdcwidgets.tables.nesting import DETECTED

    hierarchies: dict[str, dict[str, str] | str] = {}
    for text in texts:
        axis, _, path = text.partition("=")
        if not path:
            raise InputError(f"The hierarchy {quoted(text)} names no file; write --hierarchy AXIS=FILE.")
        hierarchies[axis] = DETECTED if path == DETECTED else read_hierarchy(path)
    return hierarchies


def gaps_in(options: argparse.Namespace, method: Method, table: FrequencyTable, seed: int) -> Gaps | None:
    """Return the gaps with sub-totals, of linked tables, with entries that stay or own costs; None if not asked for.

    Raises
    ------
    InputError
        If another method is named, or sub-totals or linked tables are to be written in another form than entries.
    """
    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.methods.suppressing import with_hierarchies
    from sdcwidgets.tables.hierarchy import labels_of
    from sdcwidgets.tables.io.sources.contributions import entries_in

    flags = [flag for flag in ("hierarchy", "tables", "costs", "frozen") if getattr(options, flag)]
    if not flags:
        return None
    if not isinstance(method, CellSuppression):
        raise InputError(f"--{flags[0]} belongs to the method cell-suppression, not to {method.name}.")
    other = options.output and options.output.suffix.lower() not in (".csv", ".txt", ".xlsx")
    if flags[0] in ("hierarchy", "tables") and (options.report or options.rules or other):
        raise InputError(
            f"With --{flags[0]} a CSV or XLSX file of entries is written, no report, rule or other format."
        )
    table, hierarchies = with_hierarchies(table, hierarchies_in(options.hierarchy))
    labels = {axis.name: labels_of(axis, hierarchies.get(axis.name, {})) for axis in table.axes}
    shape = tuple(map(len, labels.values()))
    frozen, costs = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
    if options.frozen is not None:
        frozen[tuple(entries_in(options.frozen, labels)[0].T)] = True
    if options.costs is not None:
        places, numbers = entries_in(options.costs, labels, "cost")
        costs[tuple(places.T)] = numbers
    return method.gaps_of(
        table,
        hierarchies=hierarchies,
        tables=tables_in(options.tables),
        frozen=frozen,
        costs=costs,
        seed=seed,
    )


def put_gaps(gaps: Gaps, path: Path | None) -> None:
    """Write a table with sub-totals, or linked tables, a line an entry; say how many gaps there are."""
    from sdcwidgets._util.csv_writing import csv_text
    from sdcwidgets.tables.io.writers.workbook import workbook
    from sdcwidgets.tables.release import CONFIDENTIAL

    lines = gaps.lines(CONFIDENTIAL)
    if path is None:
        print(csv_text(lines), end="")
    else:
        put(workbook({"published": lines}) if path.suffix.lower() == ".xlsx" else csv_text(lines), path)
    more = int(gaps.pattern.secondary.sum())
    small = int(gaps.pattern.suppressed.sum()) - more
    line = f"Of {len(gaps.counts):,} cells and sums {small} small counts and {more} more are gaps."
    print(line, *filter(None, [gaps.caution]), sep="\n", file=sys.stderr)
