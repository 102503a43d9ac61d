"""Assess the disclosure risk of a table, and what a method makes of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli._json import print_json
from sdcwidgets.cli._options import (
    Parser,
    add_measures,
    add_methods,
    add_options,
    add_table,
    read_measures,
    read_method,
    read_options,
    read_reading,
)
from sdcwidgets.cli._verdict import add_rules, limits_of, read_accepted, read_beside, read_rule, status

if TYPE_CHECKING:
    from sdcwidgets.assessment.assessment import Assessment
    from sdcwidgets.assessment.replications import Replications


def add(parser: Parser) -> None:
    """Add the table, the settings, the methods and what is asked for."""
    from sdcwidgets import measures
    from sdcwidgets.assessment.assessment import Settings

    add_table(parser)
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print (default: text)"
    )
    add_options(parser, Settings)
    add_measures(parser)
    add_methods(parser, required=False)
    add_rules(parser)
    parser.add_argument(
        "--already-protected",
        metavar="METHOD",
        help="assert that FILE is already protected with the method that the rule requires; the verdict names it",
    )
    parser.add_argument(
        "--measure",
        metavar="NAME",
        action="append",
        help=f"only this, may be repeated: {', '.join(measures.available())}",
    )


def run(options: argparse.Namespace) -> int:
    """Print the measures of the table, of what the method makes of it, and the verdict; return the exit code."""
    from sdcwidgets.assessment.assessment import Settings, assess
    from sdcwidgets.assessment.verdict import judge

    settings, rule = read_options(options, Settings), read_rule(options)
    # A rule's method is never applied: FILE is judged as it is, or after the method that was named.
    method, asserted = read_method(options), _read_asserted(options)
    required = rule.method if rule is not None and rule.method != method else None
    names = [name.strip() for text in options.measure or () for name in text.split(",")]
    reading = read_reading(options)
    assessment = assess(reading.table, method, **settings, measures=names, of_measures=read_measures(options))
    # Of what is left to chance it is the first draw, and judged as if it were published with this seed.
    release = None if method is None else method.release(assessment.table, assessment.settings.seed)
    verdict = judge(
        assessment.table,
        release,
        limits_of(rule, options),
        settings=assessment.settings,
        seed=assessment.settings.seed if method is not None and method.seeded else None,
        accepted=read_accepted(options),
        others=read_beside(options),
        required=required,
        asserted=asserted,
    )
    if options.format == "json":
        print_json("assess", assessment.to_dict() | {"verdict": verdict.to_dict()}, reading.notes)
    else:
        print(_text(assessment))
        if rule is not None and method is not None:
            print(f"\nThe rule judges FILE after assess applied {method.name}: {method.note()}")
        draw = "" if method is None or not method.seeded else f"Draw 1, seed {assessment.settings.seed}. "
        print(f"\n{draw}{verdict.lines[0]}", *verdict.lines[1:], sep="\n")
    return status(verdict)


def _read_asserted(options: argparse.Namespace) -> str:
    """Return the name of the method that FILE is asserted to be protected with, "" for none."""
    from sdcwidgets import methods

    asserted: str | None = options.already_protected
    if asserted is None:
        return ""
    if options.rules is None:
        raise InputError("--already-protected belongs to a rule; name one with --rules.")
    if options.method is not None:
        raise InputError("--already-protected asserts what was done to FILE; leave out --method.")
    if asserted not in methods.available():
        known = ", ".join(methods.available())
        raise InputError(f"--already-protected: there is no method {asserted!r}; there are {known}.")
    return asserted


def _text(assessment: Assessment) -> str:
    from sdcwidgets.measures.risk import R2

    frame, lines = assessment.to_frame(), []
    if assessment.after is not None:
        usual = () if assessment.requested else (R2.of(assessment.settings).column, "hellinger")
        if usual:
            columns = [name for column in usual for name in (column, f"{column}_error")]
            frame = frame[["slice", "label", "people", "r1", *columns, "utility"]]
        lines = ["", *_whole(assessment.after, skipped=set(frame.columns))]
    table = frame.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}")
    return "\n".join([str(table), "", *_columns(assessment, list(frame.columns)), *lines])


def _columns(assessment: Assessment, columns: list[str]) -> list[str]:
    """Return what the columns of the table mean, a line each, in their order."""
    after = assessment.after
    measured = {*assessment.whole_slice.measured, *(() if after is None else after.whole_slice.estimates)}
    titles = {measure.column: measure.title for measure in measured}
    lines = [f"{name}: {titles[name]}" for name in columns if name in titles]
    if "x1" in columns:
        lines.insert(0, "x1, x2, x3: the terms of R₁ - zeros, unevenness, small size - each from 0 to 1")
    if any(name.endswith("_error") for name in columns):
        lines.append("..._error: the standard error of the mean over the draws of the method")
    return lines


def _whole(after: Replications, skipped: set[str]) -> list[str]:
    """Return a line for each measure of the whole table whose column isn't shown: its mean and its error."""
    lines = []
    for measure, (mean, error) in after.whole_slice.estimates.items():
        if measure.column not in skipped:
            spread = "" if error[0] != error[0] else f" ± {error[0]:.4f}"
            value = measure.format_value(mean[0]) if mean[0] != mean[0] else f"{mean[0]:.4f}{spread}"
            lines.append(f"{measure.title}: {value}")
    return lines
