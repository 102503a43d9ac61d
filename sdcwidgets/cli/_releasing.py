"""The release of one table by the options of the command line, which `protect` writes and `attack` attacks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli._parser import METHOD, Parser
from sdcwidgets.cli._records import add_keys, keyed_release

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.methods.suppressing import SuppressedTable
    from sdcwidgets.tables.io.options import Reading
    from sdcwidgets.tables.release import Release


def add_releasing(parser: Parser) -> None:
    """Add `--additive`, `--suppress-below`, and the options for record keys."""
    parser.group(METHOD).add_argument(
        "--additive",
        action="store_true",
        help="adjust the protected counts so that they add up to the totals, and print the number of changes; "
        "adjusted counts can be small, also with cell keys that never give small counts; release rules block adjusted "
        "tables, because data users who invert the adjustment can infer narrower intervals than the published ones",
    )
    parser.group(METHOD).add_argument(
        "--suppress-below",
        metavar="N",
        type=int,
        help="suppress counts with noise below N, including zeros and totals, as the ONS does with N = 10 (cell-key; "
        "default: publish all counts)",
    )
    add_keys(parser)


def make_release(
    options: argparse.Namespace, method: Method, reading: Reading, gaps: SuppressedTable | None, seed: int
) -> tuple[Release, list[str]]:
    """Return the release of `protect` with these options, and the remarks on it for stderr.

    Parameters
    ----------
    options : Namespace
        Options of `add_releasing`, and the file.
    method : Method
    reading : Reading
        The original counts.
    gaps : SuppressedTable or None
        Suppressed cells if the options of cell suppression decide them.
    seed : int

    Returns
    -------
    release : Release
    remarks : list of str
    """
    import numpy as np

    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.tables.release import completed, made_additive

    table, stayed, remarks = reading.table, None, []
    rng = method.random_numbers(table, seed)
    release = keyed_release(options, method, table, seed)
    if release is None:
        if method.name == "cell-key":
            from sdcwidgets.methods.cellkey.lookup import NO_RECORDS

            remarks.append(NO_RECORDS)
        if gaps is not None and isinstance(method, CellSuppression):
            release = method.release_pattern(table, gaps.pattern)
        elif method.follows:
            drawn, followed = method.follow(table, 1, rng)
            release, stayed = method.release_from_cells(table, drawn[0], rng), followed[0]
        else:
            release = method.release(table, rng)
    if options.suppress_below is not None:
        release = _without_small_counts(options, method, release)
    if options.additive:
        before = release
        # Bounds by value hold for people, not for sums of weights.
        conclusions = method.conclusions if table.respondents is None else None
        release = made_additive(before, getattr(method, "base", 1), conclusions)
        changed = sum(
            int(np.count_nonzero(release.values[axes] != values)) for axes, values in before.values.items()
        )
        remarks.append(
            f"Number of counts that were changed so that the table adds up (internal figure): {changed:,}."
        )
        never = getattr(method, "js", 0)
        if changed and never:
            remarks.append(
                f"Adjusted counts can be from 1 to {never}, although the p-table never gives these counts."
            )
    private = method.private_note(table, stayed)
    remarks = [*remarks, *release.without_note_on_totals().notes]
    if private:
        remarks.insert(0, private)
    if reading.totals and not release.has_own_totals:
        remarks.append("The totals are the sums of the published counts.")
    return completed(release.made_by(method), table), remarks


def _without_small_counts(options: argparse.Namespace, method: Method, release: Release) -> Release:
    """Return the release of the cell key method without the counts below `--suppress-below`."""
    from sdcwidgets.methods.cellkey import CellKey, Lookup
    from sdcwidgets.methods.cellkey.lookup import without_small_counts

    threshold = options.suppress_below
    if not isinstance(method, CellKey):
        raise InputError(
            f"--suppress-below is an option of the method cell-key; the method is {method.name}."
        )
    if threshold < 1:
        raise InputError(f"--suppress-below is {threshold}; it must be 1 or more.")
    if options.additive:
        raise InputError(
            "--suppress-below has no effect with --additive, because sums disclose suppressed counts; leave out one of "
            "them."
        )
    if getattr(options, "weight", None):
        raise InputError(
            "--suppress-below applies to numbers of people, not to sums of --weight; leave out one of them."
        )
    return without_small_counts(release, Lookup.of(method.noise_table()), threshold)
