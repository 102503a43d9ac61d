"""Sub-totals, linked tables, entries that stay and costs of one's own, for the gaps of a table on the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.cli._options import unwritable
from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.table import FrequencyTable

__all__ = ["add_gaps", "add_hierarchies", "hierarchies_in", "put_gaps"]


def add_hierarchies(parser: argparse.ArgumentParser) -> None:
    """Add the files of sub-totals, and of costs of one's own."""
    parser.add_argument(
        "--hierarchy",
        metavar="AXIS=FILE",
        action="append",
        default=[],
        help="sub-totals of an axis: a file with a line of names, then a label and its parent in each, or an .hrc file",
    )
    parser.add_argument(
        "--costs",
        metavar="FILE",
        type=Path,
        help="costs of gaps of one's own: a file with the axes and a column cost",
    )


def add_gaps(parser: argparse.ArgumentParser) -> None:
    """Add what cell suppression takes beside its settings."""
    add_hierarchies(parser)
    parser.add_argument(
        "--frozen",
        metavar="FILE",
        type=Path,
        help="cell-suppression: a file with the axes of what must stay in print",
    )
    parser.add_argument(
        "--tables",
        metavar="A,B;A,C",
        help="cell-suppression: linked tables of these people, each by its axes, instead of one of all axes",
    )


def hierarchies_in(texts: list[str]) -> dict[str, dict[str, str]]:
    """Return the hierarchy of each axis, from what was written as AXIS=FILE."""
    from sdcwidgets.sources.contributions import read_hierarchy

    found = {}
    for text in texts:
        axis, _, path = text.partition("=")
        if not path:
            raise InputError(f"The hierarchy {quoted(text)} names no file; write --hierarchy AXIS=FILE.")
        found[axis] = read_hierarchy(path)
    return found


def put_gaps(options: argparse.Namespace, method: Method, table: FrequencyTable) -> bool:
    """Write a table with sub-totals, or linked tables, a line an entry; return whether that was asked for.

    Raises
    ------
    InputError
        If another method is named, or a file of another kind is to be written.
    """
    from sdcwidgets.hierarchy import labels_of
    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.release import CONFIDENTIAL
    from sdcwidgets.sources.contributions import entries_in

    given = [flag for flag in ("hierarchy", "costs", "frozen", "tables") if getattr(options, flag)]
    if not given:
        return False
    if not isinstance(method, CellSuppression):
        raise InputError(f"--{given[0]} belongs to the method cell-suppression, not to {method.name}.")
    if (
        options.report
        or options.rules
        or (options.output and options.output.suffix.lower() not in (".csv", ".txt"))
    ):
        raise InputError(
            f"With --{given[0]} a CSV file of entries is written, no report, rule or other format."
        )
    hierarchies = hierarchies_in(options.hierarchy)
    # A hierarchy of no axis is told by the method.
    labels = {axis.name: labels_of(axis, hierarchies.get(axis.name, {})) for axis in table.axes}
    shape = tuple(map(len, labels.values()))
    frozen, costs = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
    if options.frozen is not None:
        frozen[tuple(entries_in(options.frozen, labels)[0].T)] = True
    if options.costs is not None:
        places, numbers = entries_in(options.costs, labels, "cost")
        costs[tuple(places.T)] = numbers
    tables = [part.split(",") for part in (options.tables or "").split(";") if part.strip()]
    found = method.gaps_of(
        table,
        hierarchies=hierarchies,
        tables=[[name.strip() for name in part] for part in tables] or None,
        frozen=frozen,
        costs=costs,
    )
    text = found.published().reset_index().to_csv(index=False, na_rep=CONFIDENTIAL, lineterminator="\n")
    if options.output is None:
        print(text, end="")
    else:
        try:
            options.output.write_text(text, "utf-8")
        except OSError as error:
            raise unwritable(options.output, error) from None
    pattern = found.pattern
    more = int(pattern.secondary.sum())
    small = int(pattern.suppressed.sum()) - more
    told = f"Of {len(found.counts):,} cells and sums {small} small counts and {more} more are gaps."
    print(told, *filter(None, [method.aside(table), found.caution]), sep="\n", file=sys.stderr)
    return True
