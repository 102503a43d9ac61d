"""Options of cell suppression: hierarchies, linked tables, costs of cells, cells that must be published."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._options import reject_unused
from sdcwidgets.cli._parser import METHOD, OptionGroup, Parser

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.methods.suppressing import SuppressedTable
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable


#: Options that need one table without sub-totals.
_OF_ONE_TABLE = ("report", "rules", "internal_report", "moves", "write_p_table")


def add_hierarchies(
    parser: Parser,
    *,
    about: str = "hierarchy of an axis",
    note: str = "",
    scope: str = "",
    has_linked_tables: bool = True,
) -> None:
    """Add the files of hierarchies and of costs, and the linked tables.

    Parameters
    ----------
    parser : Parser
    about : str
        Begin of the help of `--hierarchy`.
    note : str
        Part of the help of `--hierarchy` before its end.
    scope : str
        Method that has the options, for the end of their help.
    has_linked_tables : bool
        Whether the command has `--tables`.
    """
    group = parser.group(METHOD)
    group.add_argument(
        "--hierarchy",
        metavar="AXIS=FILE",
        action="append",
        default=[],
        help=f"{about}: a file with a header row, and a category and its parent in each row, an .hrc "
        "file, or an .rda file that names it; AXIS=detected confirms the sums that the counts show; "
        f"repeatable{note}{_scoped(scope)}",
    )
    group.add_argument(
        "--lead-string",
        metavar="TEXT",
        default="",
        help=f"text before a label of an .hrc file, once for each level below the first{_scoped(scope, 'default: @')}",
    )
    group.add_argument(
        "--apriori",
        metavar="FILE",
        type=Path,
        help="a priori file of τ-ARGUS (.hst) with cells that are set by hand, one per line: its codes, and u "
        f"(unsafe), p (must be published), s (safe), or c and a cost{_scoped(scope)}",
    )
    if has_linked_tables:
        group.add_argument(
            "--tables",
            metavar='"A,B;A,C"',
            help="linked tables to publish instead of one table of all axes, each by its axes"
            f"{_scoped(scope, 'default: one table')}",
        )
    group.add_argument(
        "--costs",
        metavar="FILE",
        type=Path,
        help="file with the cost of suppressing each cell: the axes and a column named cost"
        f"{_scoped(scope, 'default: costs by --cost')}",
    )


def _scoped(scope: str, default: str = "") -> str:
    """Return the end of a help: the method that has the option, and the default."""
    parts = "; ".join(filter(None, [scope, default]))
    return f" ({parts})" if parts else ""


def tables_in(text: str | None) -> list[list[str]] | None:
    """Return the axes of each linked table; None for one table."""
    tables = [[name.strip() for name in part.split(",")] for part in (text or "").split(";") if part.strip()]
    if text is not None and not tables:
        raise InputError(
            f'--tables is {quoted(text)}; it must name the axes of each table, such as "A,B;A,C".'
        )
    return tables or None


def add_suppression(
    parser: Parser, *, about: str = "hierarchy of an axis", note: str = "", has_linked_tables: bool = True
) -> None:
    """Add the options of cell suppression that are not settings of the method."""
    add_hierarchies(
        parser, about=about, note=note, scope="cell-suppression", has_linked_tables=has_linked_tables
    )
    parser.group(METHOD).add_argument(
        "--frozen",
        metavar="FILE",
        type=Path,
        help="file with the cells that must be published, one row of axis labels per cell (cell-suppression)",
    )


def add_status(parser: OptionGroup) -> None:
    """Add the internal file with the status of each cell."""
    parser.add_argument(
        "--internal-status",
        metavar="OUT",
        type=Path,
        help="output file of the internal list of cells with their status, S (published), U (primary) or M "
        '(secondary): .csv with the original values, or .hst for τ-ARGUS; its name must contain "internal"',
    )


def check_status(options: argparse.Namespace, method: Method) -> None:
    """Raise InputError if the method has no primary and secondary cells for `--internal-status`."""
    if options.internal_status is not None and method.name != "cell-suppression":
        raise InputError(
            f"--internal-status is an option of the method cell-suppression; the method is {method.name}."
        )


def write_status_of(options: argparse.Namespace, release: Release, table: FrequencyTable) -> None:
    """Write `--internal-status` for a table without sub-totals."""
    from sdcwidgets._util.labels import total_label
    from sdcwidgets.tables.io.writers.argus import write_status
    from sdcwidgets.tables.release import Release

    original = Release.of(table).to_frame()
    names = [axis.name for axis in table.axes]
    counts = original.set_index(names)["value"].astype(int)
    frame = release.suppression()
    frame.insert(len(names), "count", counts.loc[frame.set_index(names).index].to_numpy())
    write_status(frame, "count", [total_label(axis.labels) for axis in table.axes], options.internal_status)


def write_status_of_entries(options: argparse.Namespace, gaps: SuppressedTable) -> None:
    """Write `--internal-status` for a table with sub-totals or for linked tables, if a file is named."""
    from sdcwidgets.tables.io.writers.argus import write_status

    if options.internal_status is not None:
        frame = gaps.to_frame().rename(columns={"suppressed": "status"})[["count", "status"]].reset_index()
        write_status(frame, "count", [labels[-1] for labels in gaps.labels], options.internal_status)


def hierarchies_in(texts: list[str], lead: str = "") -> dict[str, dict[str, str] | str]:
    """Return the hierarchy of each axis, from texts AXIS=FILE or AXIS=detected.

    Parameters
    ----------
    texts : list of str
    lead : str
        Lead string of .hrc files; "" for the default.
    """
    from sdcwidgets.tables.nesting import DETECTED

    hierarchies: dict[str, dict[str, str] | str] = {}
    for text in texts:
        axis, _, path = text.partition("=")
        if not path:
            raise InputError(f"--hierarchy is {quoted(text)}; it must be AXIS=FILE or AXIS=detected.")
        hierarchies[axis] = DETECTED if path == DETECTED else _read_hierarchy(path, lead, axis)
    if lead and not hierarchies:
        raise InputError("--lead-string has no effect without --hierarchy; name a hierarchy.")
    return hierarchies


def _read_hierarchy(path: str, lead: str, axis: str) -> dict[str, str]:
    """Return the hierarchy in a file; messages name the option of the command line."""
    from sdcwidgets.tables.io.sources.contributions import read_hierarchy

    try:
        return read_hierarchy(path, lead=lead, axis=axis)
    except InputError as error:
        raise InputError(str(error).replace("(lead)", "with --lead-string")) from None


def check_linked_outputs(options: argparse.Namespace, method: Method) -> None:
    """Raise InputError for an output that cannot hold a hierarchy or linked tables."""
    flags = [flag for flag in ("hierarchy", "tables") if getattr(options, flag)]
    if not flags or method.name != "cell-suppression":
        return
    if options.output and options.output.suffix.lower() not in ("", ".csv", ".xlsx"):
        raise InputError(f"With --{flags[0]} the output is a CSV or XLSX file; change -o.")
    reject_unused(options, _OF_ONE_TABLE, f"with --{flags[0]}; leave out one of them")
    if options.additive:
        raise InputError(f"--additive has no effect with --{flags[0]}; leave out one of them.")


def suppression_in(
    options: argparse.Namespace, method: Method, table: FrequencyTable, seed: int
) -> SuppressedTable | None:
    """Return the pattern with hierarchies, linked tables, fixed cells or costs; None without these options.

    Raises
    ------
    InputError
        If the method is not cell suppression, or an option does not fit the table.
    """
    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.methods.linking import suppressed_by

    flags = [
        flag for flag in ("hierarchy", "tables", "costs", "frozen", "apriori") if getattr(options, flag, None)
    ]
    if not options.hierarchy:
        reject_unused(options, ("lead_string",), "without --hierarchy; name a hierarchy")
    if not flags:
        return None
    if not isinstance(method, CellSuppression):
        raise InputError(
            f"--{flags[0]} is an option of the method cell-suppression; the method is {method.name}."
        )
    return suppressed_by(
        method,
        table,
        hierarchies=hierarchies_in(options.hierarchy, options.lead_string),
        tables=tables_in(getattr(options, "tables", None)),
        frozen=options.frozen,
        costs=options.costs,
        apriori=options.apriori,
        seed=seed,
    )


def put_suppressed(
    gaps: SuppressedTable, method: Method, path: Path | None, title: str = "Table", source: str = ""
) -> None:
    """Write a table with hierarchies or linked tables, one row per entry; print it if there is no path."""
    release = gaps.release()
    if path is None:
        print(replace(release, notes=()).to_csv(), end="")
    elif path.suffix.lower() == ".xlsx":
        release.to_excel(path, title=title, source=source, method=method)
    else:
        release.to_csv(path)


def remarks_on_suppressed(gaps: SuppressedTable) -> list[str]:
    """Return the number of suppressed cells, the footnotes and the cautions."""
    release = gaps.release()
    secondary = int(gaps.pattern.secondary.sum())
    primary = int(gaps.pattern.suppressed.sum()) - secondary
    line = (
        f"Suppressed cells: {primary + secondary} of {len(gaps.counts):,} cells and totals ({primary} primary, "
        f"{secondary} secondary)."
    )
    return [line, *release.notes, *release.cautions_on_files()]
