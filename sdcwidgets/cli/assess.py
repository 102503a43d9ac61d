"""Assess the disclosure risk of a table, and what a method makes of it."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from sdcwidgets.cli._options import add_methods, add_options, add_table, read_method, read_options, read_table

if TYPE_CHECKING:
    from sdcwidgets.assess import Assessment
    from sdcwidgets.replications import Replications

__all__ = ["add", "run"]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the table, the settings, the methods and what is asked for."""
    from sdcwidgets import measures
    from sdcwidgets.assess import Settings

    add_table(parser)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print (default: text)"
    )
    add_options(parser, Settings)
    add_methods(parser, required=False)
    parser.add_argument(
        "--measure",
        metavar="NAME",
        action="append",
        help=f"only this, may be repeated: {', '.join(measures.available())}",
    )


def run(options: argparse.Namespace) -> None:
    """Print the measures of the table, and of what the method makes of it."""
    from sdcwidgets.assess import Settings, assess

    settings, method = read_options(options, Settings), read_method(options)
    asked = [name.strip() for text in options.measure or () for name in text.split(",")]
    assessment = assess(read_table(options), method, **settings, measures=asked)
    if options.format == "json":
        print(json.dumps(assessment.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(_text(assessment))


def _text(assessment: Assessment) -> str:
    frame, lines = assessment.to_frame(), []
    if assessment.after is not None:
        shown = () if assessment.asked else (f"r2_{assessment.settings.variant}", "hellinger")
        if shown:
            columns = [name for one in shown for name in (one, f"{one}_error")]
            frame = frame[["slice", "label", "people", "r1", *columns, "utility"]]
        lines = ["", *_whole(assessment.after, skipped=set(frame.columns))]
    table = frame.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}")
    return "\n".join([str(table), "", *_columns(assessment, list(frame.columns)), *lines])


def _columns(assessment: Assessment, shown: list[str]) -> list[str]:
    """Return what the columns of the table mean, a line each, in their order."""
    after = assessment.after
    measured = {*assessment.whole.measured, *(() if after is None else after.whole.estimates)}
    titles = {one.column: one.title for one in measured}
    told = [f"{name}: {titles[name]}" for name in shown if name in titles]
    if "x1" in shown:
        told.insert(0, "x1, x2, x3: the terms of R₁ - zeros, unevenness, small size - each from 0 to 1")
    if any(name.endswith("_error") for name in shown):
        told.append("..._error: the standard error of the mean over the draws of the method")
    return told


def _whole(after: Replications, skipped: set[str]) -> list[str]:
    """Return a line for each measure of the whole table whose column isn't shown: its mean and its error."""
    told = []
    for one, (mean, error) in after.whole.estimates.items():
        if one.column not in skipped:
            spread = "" if error[0] != error[0] else f" ± {error[0]:.4f}"
            value = one.told(mean[0]) if mean[0] != mean[0] else f"{mean[0]:.4f}{spread}"
            told.append(f"{one.title}: {value}")
    return told
