"""Suppress amounts such as turnover: what a rule calls sensitive, and what else must be a gap with it."""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.labels import holds_for
from sdcwidgets.cli._gaps import add_hierarchies, hierarchies_in, tables_in
from sdcwidgets.cli._secret import add_secret, read_secret

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets.core.suppression import Pattern
    from sdcwidgets.tables.magnitude import MagnitudeTable

#: The settings of the rules, and what each is.
SETTINGS = {
    "n": (int, "dominance: of so many contributors the sum is looked at"),
    "k": (float, "dominance: their greatest part of the amount, in percent"),
    "p": (float, "p-percent and pq: how closely nobody may estimate a contribution, in percent"),
    "q": (float, "pq: how closely everybody can estimate it beforehand, in percent"),
    "t": (float, "entropy: the least evenness of contributions, 0 to 1"),
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the file of contributions, its columns, the rule and the costs."""
    from sdcwidgets.tables.io.formats.columns import MARKS
    from sdcwidgets.tables.magnitude import RULES

    parser.add_argument("file", metavar="FILE", type=Path, help="a file with a line a contribution")
    parser.add_argument("--by", required=True, help="the columns that become axes, with commas between them")
    parser.add_argument("--holder", required=True, help="the column that says who contributed")
    parser.add_argument("--amount", required=True, help="the column of amounts")
    parser.add_argument(
        "--marks",
        choices=MARKS,
        default="ask",
        help="what a comma or point in 1,000 separates (default: ask)",
    )
    parser.add_argument(
        "--rule", choices=tuple(RULES), default="p-percent", help="what is sensitive (default: p-percent)"
    )
    for name, (kind, about) in SETTINGS.items():
        parser.add_argument(f"--{name}", type=kind, help=about)
    parser.add_argument(
        "--coalition",
        type=int,
        choices=range(4),
        default=1,
        help="how many contributors may put together what they know; 0 is for outsiders only (default: 1)",
    )
    add_hierarchies(parser)
    parser.add_argument(
        "--non-hierarchical",
        metavar="AXIS",
        action="append",
        default=[],
        help="an axis whose categories are disjoint, although their labels or amounts look like a hierarchy",
    )
    parser.add_argument(
        "--cost",
        choices=("value", "cell"),
        default="value",
        help="what other gaps should cost least of (default: value)",
    )
    parser.add_argument(
        "--published", metavar="FILE", type=Path, help="amounts that the contributions must add up to"
    )
    parser.add_argument(
        "--choice",
        choices=("secret", "optimal"),
        default="secret",
        help="choice of the pattern: by a secret, or the cheapest, for teaching only (default: secret)",
    )
    add_secret(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help='CSV of what may be published, "c" in each gap'
    )


def run(options: argparse.Namespace) -> None:
    """Print each cell and total, and whether and why it is a gap; write what may be published."""
    from sdcwidgets.tables.io.sources.contributions import read_contributions
    from sdcwidgets.tables.release import CONFIDENTIAL

    names = [name.strip() for name in options.by.split(",")]
    hierarchies = hierarchies_in(options.hierarchy)
    table, notes = read_contributions(
        options.file, names, options.holder, options.amount, marks=options.marks
    )
    table = table.with_hierarchies(hierarchies)
    if options.published is not None:
        table.check(_long(table, options, table.values.shape, options.published, options.amount, 0.0))
    costs = None
    if options.costs is not None:
        own = _long(table, options, table.full.shape, options.costs, "cost", np.nan)
        costs = np.where(np.isnan(own), np.maximum(table.full, 1), own)
    settings = {name: getattr(options, name) for name in SETTINGS if getattr(options, name) is not None}
    tables = tables_in(options.tables)
    secret = read_secret(options)
    pattern = table.suppress(
        options.rule,
        cost=options.cost,
        costs=costs,
        coalition=options.coalition,
        tables=tables,
        non_hierarchical=options.non_hierarchical,
        choice=options.choice,
        seed=secret.seed,
        **settings,
    )
    frame = table.to_frame(pattern, tables)
    print(frame.reset_index().to_string(index=False, float_format=lambda number: f"{number:,.6g}"))
    primary = int((pattern.suppressed & ~pattern.secondary).sum())
    hidden = float(frame["amount"].to_numpy()[pattern.secondary].sum())
    print(
        "",
        f"Gaps: {primary} sensitive, {int(pattern.secondary.sum())} more that protect them and hide {hidden:,.6g}.",
        _cost(pattern) if options.choice == "optimal" else "A secret chose this pattern among cheap ones.",
        holds_for(options.coalition, "who contributed who knows their own amounts"),
        sep="\n",
    )
    warning = secret.chosen if options.choice == "secret" else ""
    if lines := [*notes, *filter(None, [table.caution(tables), warning])]:
        print(*lines, sep="\n", file=sys.stderr)
    if options.output is not None:
        # Further decimals are errors of binary addition, which depend on the addends: they could disclose a gap.
        amounts = frame["amount"].round(6)
        public = frame.assign(amount=amounts.where(frame["gap"] == ""))[["amount"]]
        header, *rows = lines_of(public.reset_index())
        written = ([CONFIDENTIAL if value != value else value for value in row] for row in rows)
        csv_text(itertools.chain([header], written), options.output)


def _cost(pattern: Pattern) -> str:
    """Return how far the pattern may be from the cheapest one."""
    return (
        "No pattern costs less." if pattern.optimal else f"No pattern costs less than {pattern.least:,.6g}."
    )


def _long(
    table: MagnitudeTable,
    options: argparse.Namespace,
    shape: tuple[int, ...],
    path: Path,
    column: str,
    otherwise: float,
) -> NDArray[np.float64]:
    """Return the numbers of a long table in a shape; `otherwise` where it has none."""
    from sdcwidgets.tables.io.sources.contributions import entries_in

    labels = {axis.name: own[:size] for axis, own, size in zip(table.axes, table.labels, shape, strict=True)}
    places, numbers = entries_in(path, labels, column, options.marks)
    array = np.full(shape, otherwise)
    array[tuple(places.T)] = numbers
    return array
