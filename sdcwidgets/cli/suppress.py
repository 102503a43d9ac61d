"""Suppress sensitive cells of a magnitude table, and the cells that protect them."""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.files import check_ending
from sdcwidgets._util.publication import check_internal
from sdcwidgets.cli._json import print_json, published_values
from sdcwidgets.cli._options import add_json, reject_unused
from sdcwidgets.cli._output import add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import METHOD, OUTPUT, READING, Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._secret import add_secret, read_secret
from sdcwidgets.cli._suppression import add_hierarchies, add_status, hierarchies_in, tables_in

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from sdcwidgets.core.suppression import Pattern
    from sdcwidgets.tables.apriori import Apriori
    from sdcwidgets.tables.magnitude import MagnitudeTable

_NO_OUTPUT = "Without --dry-run, the command would print the cells on the standard output."

EXAMPLES = (
    "sdcwidgets suppress firms.csv --by Area,Kind --contributor firm --amount turnover -o public.csv",
    "sdcwidgets suppress firms.csv --by Area,Kind --contributor firm --amount turnover --rule dominance --n 2 --k 85",
)

#: Parameters of the sensitivity rules: type, help.
SETTINGS = {
    "n": (int, "number of largest contributors n (dominance rule; default: 1)"),
    "k": (float, "maximum share of the n largest contributors, in percent (dominance rule; default: 75)"),
    "p": (float, "protection level p, in percent (p-percent and pq rules; default: 10)"),
    "q": (float, "prior knowledge q, in percent (pq rule; default: 100)"),
    "t": (float, "minimum evenness of the contributions, from 0 to 1 (entropy rule; default: 0.5)"),
}


def add(parser: Parser) -> None:
    """Add the file of contributions, its columns, the sensitivity rule, the costs and the output."""
    from sdcwidgets.tables.io.formats.columns import MARKS
    from sdcwidgets.tables.magnitude import RULES

    parser.add_argument(
        "file", metavar="FILE", type=Path, help="file of contributions, with one row per contribution"
    )
    parser.add_argument(
        "--by", metavar="COLUMNS", required=True, help="variables of the table, separated by commas"
    )
    parser.add_argument(
        "--contributor", metavar="COLUMN", required=True, help="column that identifies the contributor"
    )
    parser.add_argument(
        "--amount", metavar="COLUMN", required=True, help="column with the amount of the contribution"
    )
    rules = tuple(RULES)
    parser.add_argument(
        "--rule",
        choices=rules,
        metavar="NAME",
        default="p-percent",
        help=f"sensitivity rule: {', '.join(rules)} (default: p-percent)",
    )
    add_output(
        parser, 'output file (CSV) with the amounts for publication; each suppressed cell contains "c"'
    )
    add_status(parser.group(OUTPUT))
    add_secret(parser)
    parser.absent = dict.fromkeys(
        ("--layout", "--show-layout"),
        "a layout file describes a table of counts, and FILE needs one header row, and then one row per contribution",
    )
    add_json(parser, "suppress")
    method = parser.group(METHOD)
    for name, (kind, about) in SETTINGS.items():
        method.add_argument(
            f"--{name}", metavar="N" if kind is int else "X", type=kind, help=about.replace("%", "%%")
        )
    method.add_argument(
        "--coalition",
        metavar="N",
        type=int,
        choices=range(4),
        default=1,
        help="number of contributors who combine their knowledge, from 0 (external intruders only) to 3 (default: 1)",
    )
    add_hierarchies(parser)
    method.add_argument(
        "--non-hierarchical",
        metavar="AXIS",
        action="append",
        default=[],
        help="axis with disjoint categories, although their labels or amounts look like a hierarchy; repeatable",
    )
    method.add_argument(
        "--cost",
        choices=("value", "cell"),
        metavar="CHOICE",
        default="value",
        help="minimise the suppressed amount (value) or the number of suppressed cells (cell) (default: value)",
    )
    method.add_argument(
        "--choice",
        choices=("secret", "optimal"),
        metavar="CHOICE",
        default="secret",
        help="choose the pattern by a secret, or take the cheapest one (optimal), for teaching only (default: secret)",
    )
    reading = parser.group(READING)
    reading.add_argument(
        "--marks",
        choices=MARKS,
        metavar="CHOICE",
        default="ask",
        help=f"meaning of the comma or point in 1,000: {', '.join(MARKS)} (default: stop with an error if ambiguous)",
    )
    reading.add_argument(
        "--totals",
        metavar="FILE",
        type=Path,
        help="file of published amounts, which must equal the sums of the contributions; "
        "this is checked before suppression",
    )


def run(options: argparse.Namespace) -> None:
    """Print each cell and total with the reason of its suppression, and write the amounts for publication."""
    from sdcwidgets.tables.io.sources.contributions import read_contributions

    if options.choice == "optimal":
        reject_unused(
            options, ("seed", "secret_file"), "with --choice optimal, which draws no random numbers"
        )
    if options.costs is not None:
        reject_unused(options, ("cost",), "with --costs; leave out one of them")
    secret = read_secret(options)
    check_outputs([options.output, options.internal_status], [options.file], force=options.force)
    check_ending(options.output, (".csv",))
    check_ending(options.internal_status, (".csv", ".hst"))
    check_internal(options.internal_status)
    show_step(f"Reading {options.file}")
    names = [name.strip() for name in options.by.split(",")]
    hierarchies = hierarchies_in(options.hierarchy, options.lead_string)
    table, notes = read_contributions(
        options.file, names, options.contributor, options.amount, marks=options.marks
    )
    table = table.with_hierarchies(hierarchies)
    if options.totals is not None:
        shape = tuple(len(axis) for axis in table.axes)
        table.check(_long(table, options, shape, options.totals, options.amount, 0.0))
    costs = None
    if options.costs is not None:
        own = _long(table, options, table.full.shape, options.costs, "cost", np.nan)
        costs = np.where(np.isnan(own), np.maximum(table.full, 1), own)
    settings = {name: getattr(options, name) for name in SETTINGS if getattr(options, name) is not None}
    tables = tables_in(options.tables)
    show_step(f"Suppressing cells of {options.file}")
    pattern = table.suppress(
        options.rule,
        cost=options.cost,
        costs=costs,
        coalition=options.coalition,
        tables=tables,
        apriori=_by_hand(options, table),
        non_hierarchical=options.non_hierarchical,
        choice=options.choice,
        seed=secret.seed,
        **settings,
    )
    frame = table.to_frame(pattern, tables)
    if options.dry_run:
        size = " × ".join(str(len(axis)) for axis in table.axes)
        outputs = [options.output, options.internal_status]
        print_dry_run([f"{options.file}: {size} cells.", *notes], outputs, _NO_OUTPUT)
        return
    secret.save()
    # Further decimals are rounding errors that depend on the addends, so they could disclose a suppressed cell.
    amounts = frame["amount"].round(6)
    public = frame.assign(amount=amounts.where(frame["suppressed"] == ""))[["amount"]]
    if options.json:
        _print_json(options, table, public)
    else:
        _print_internal(options, frame, pattern)
    warning = secret.warning if options.choice == "secret" else ""
    lines = [line for line in (*notes, table.caution(tables), warning) if line]
    if lines:
        print(*lines, sep="\n", file=sys.stderr)
    _write(options, table, frame.assign(amount=amounts), public)
    print_written(options.output, options.internal_status)


def _by_hand(options: argparse.Namespace, table: MagnitudeTable) -> Apriori | None:
    """Return the settings in the file of `--apriori`; None without this option."""
    from sdcwidgets.tables.io.sources.contributions import read_apriori

    if options.apriori is None:
        return None
    labels = {axis.name: own for axis, own in zip(table.axes, table.labels, strict=True)}
    return read_apriori(options.apriori, labels)


def _write(
    options: argparse.Namespace, table: MagnitudeTable, frame: pd.DataFrame, public: pd.DataFrame
) -> None:
    """Write the amounts for publication, and the internal status of the cells, if files are named."""
    from sdcwidgets.tables.io.writers.argus import write_status
    from sdcwidgets.tables.release import CONFIDENTIAL

    if options.internal_status is not None:
        status = frame.assign(status=frame["suppressed"])[["amount", "status"]].reset_index()
        write_status(status, "amount", [labels[-1] for labels in table.labels], options.internal_status)
    if options.output is not None:
        header, *rows = lines_of(public.reset_index())
        written = ([CONFIDENTIAL if value != value else value for value in row] for row in rows)
        csv_text(itertools.chain([header], written), options.output)


def _print_json(options: argparse.Namespace, table: MagnitudeTable, public: pd.DataFrame) -> None:
    """Print the amounts for publication."""
    from sdcwidgets.tables.release import CONFIDENTIAL

    frame = public.reset_index().set_axis([*(axis.name for axis in table.axes), "value"], axis=1)
    frame = frame.assign(symbol=np.where(frame["value"].isna(), CONFIDENTIAL, ""))
    values = published_values([axis.name for axis in table.axes], frame)
    print_json(
        "suppress",
        {
            "file": str(options.file),
            "rule": options.rule,
            "axes": values["axes"],
            "amounts": values["counts"],
            "output": None if options.output is None else str(options.output),
        },
    )


def _print_internal(options: argparse.Namespace, frame: pd.DataFrame, pattern: Pattern) -> None:
    """Print each cell with the reason of its suppression, and the number and the cost of suppressed cells."""
    print(frame.reset_index().to_string(index=False, float_format=lambda number: f"{number:,.6g}"))
    primary = int((pattern.suppressed & ~pattern.secondary).sum())
    hidden = float(frame["amount"].to_numpy()[pattern.secondary].sum())
    print(
        "",
        f"Suppressed cells: {primary} primary, {int(pattern.secondary.sum())} secondary with a sum of {hidden:,.6g}.",
        _cost(pattern)
        if options.choice == "optimal"
        else "The suppression pattern was selected with a secret random seed among several "
        "patterns of low cost.",
        _scope(options.coalition),
        sep="\n",
    )


def _scope(coalition: int) -> str:
    """Return the intruders that the pattern protects against."""
    if coalition == 0:
        return "The suppression pattern protects only against external intruders, not against contributors."
    inside = (
        "each contributor" if coalition == 1 else f"any {coalition} contributors who combine their knowledge"
    )
    return f"The suppression pattern protects against external intruders and against {inside}."


def _cost(pattern: Pattern) -> str:
    """Return a bound of the cost of the cheapest pattern."""
    return (
        "No other suppression pattern has a lower cost."
        if pattern.optimal
        else f"Every suppression pattern costs at least {pattern.least:,.6g}."
    )


def _long(
    table: MagnitudeTable,
    options: argparse.Namespace,
    shape: tuple[int, ...],
    path: Path,
    column: str,
    otherwise: float,
) -> NDArray[np.float64]:
    """Return the numbers of a long table as an array; `otherwise` for cells without a number."""
    from sdcwidgets.tables.io.sources.contributions import entries_in

    labels = {axis.name: own[:size] for axis, own, size in zip(table.axes, table.labels, shape, strict=True)}
    places, numbers = entries_in(path, labels, column, options.marks)
    array = np.full(shape, otherwise)
    array[tuple(places.T)] = numbers
    return array
