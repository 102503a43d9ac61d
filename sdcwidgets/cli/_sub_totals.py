"""Sub-totals of FILE, which cell suppression with a detected hierarchy publishes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.cli._options import print_reading, read_quietly

if TYPE_CHECKING:
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.options import Reading
    from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of sub-totals that a note names.
_MOST_NAMED = 6


def read_with_sub_totals(options: argparse.Namespace, method: Method, *, prefix: str = "") -> Reading:
    """Read the table in `options.file`, with the sub-totals of axes whose hierarchy is detected.

    Without `--margins`, the reader omits sub-totals, or has a question. A detected hierarchy answers the question.
    Without a hierarchy, a note names the sub-totals that cell suppression does not publish.

    Parameters
    ----------
    options : Namespace
    method : Method
    prefix : str
        Begin of each line on stderr.
    """
    from sdcwidgets.tables.nesting import DETECTED

    axes = [axis for axis, _, path in (text.partition("=") for text in options.hierarchy) if path == DETECTED]
    is_decided = options.margins is not None or options.layout is not None
    if method.name != "cell-suppression" or is_decided:
        return print_reading(options, read_quietly(options), prefix, is_release=True)
    if not axes:
        reading = print_reading(options, read_quietly(options), prefix, is_release=True)
        if not options.hierarchy and reading.totals:
            _print_advice(options, reading, prefix)
        return reading
    reading = read_quietly(_with_margins(options, "drop"))
    table, added = _completed(options, reading, axes)
    # The notes on omitted sub-totals would be wrong.
    notes = () if added else reading.notes
    lines = [
        f"The import kept the sub-totals {_named(labels)} of {quoted(axis)}, because the hierarchy is detected."
        for axis, labels in added.items()
    ]
    # The printed number of people is that of the table without sub-totals.
    reading = print_reading(options, replace(reading, notes=(*notes, *lines)), prefix, is_release=True)
    return replace(reading, table=table)


def _with_margins(options: argparse.Namespace, margins: str) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(options), "margins": margins})


def _print_advice(options: argparse.Namespace, reading: Reading, prefix: str) -> None:
    """Print a note on omitted sub-totals, which cell suppression can publish."""
    with suppress(InputError):
        names = [axis.name for axis in reading.table.axes]
        for axis, labels in _completed(options, reading, names)[1].items():
            print(
                f"{prefix}The omitted lines {_named(labels)} are sub-totals of {quoted(axis)}. To publish and protect "
                f"them, too, add --hierarchy {quoted(f'{axis}=detected')}, or name a file with the hierarchy.",
                file=sys.stderr,
            )


def _named(labels: Collection[str]) -> str:
    return and_more([quoted(label) for label in labels], _MOST_NAMED)


def _completed(
    options: argparse.Namespace, reading: Reading, axes: Collection[str]
) -> tuple[FrequencyTable, Mapping[str, list[str]]]:
    """Return a table with the sub-totals of some axes, and the labels of the sub-totals by axis.

    The table of the reading is returned if the file with all its totals is not the same table with further lines.
    """
    from sdcwidgets.tables.sub_totals import completed

    return completed(reading.table, read_quietly(_with_margins(options, "keep")).table, axes)
