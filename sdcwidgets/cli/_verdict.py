"""Verdict on the command line: release rules, accepted rule violations, published tables, exit status."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._parser import OUTPUT, Parser

if TYPE_CHECKING:
    from sdcwidgets.assessment.verdict import ReleaseLimits, Rule, Verdict
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release import Release

#: Exit status if the release rules block the release.
NOT_YET = 3


def add_rules(parser: Parser) -> None:
    """Add `--rules`, `--accept` and `--published`."""
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help="release rules: a TOML file, or a name of `sdcwidgets list rules`; the exit status is "
        f"{NOT_YET} if they block the release; tables with hierarchies and linked tables get no verdict",
    )
    group = parser.group(OUTPUT)
    group.add_argument(
        "--accept",
        metavar="VIOLATION=REASON",
        action="append",
        help="accept a rule violation, by its name or kind, and record the reason; repeatable",
    )
    group.add_argument(
        "--published",
        metavar="FILE",
        action="append",
        help="published table of the same population with exact counts, and with the names and categories of FILE; "
        "checks what both tables disclose together; repeatable",
    )


def read_rule(options: argparse.Namespace) -> Rule | None:
    """Return the release rules that the command line names; None without `--rules`."""
    from sdcwidgets.assessment.verdict import load

    if options.rules is None and options.accept and not options.published:
        raise InputError("--accept needs release rules; name them with --rules.")
    return None if options.rules is None else load(options.rules)


def required_by(rule: Rule | None, method: Method | None) -> Method | None:
    """Return the method that the rules require if it is not this one with the same settings; None otherwise."""
    return None if rule is None or rule.method == method else rule.method


def limits_of(rule: Rule | None, options: argparse.Namespace) -> ReleaseLimits | None:
    """Return the limits of the rules.

    Without rules, only disclosure jointly with the tables of `--published` is a violation.
    """
    from sdcwidgets.assessment.verdict import ReleaseLimits

    if rule is not None:
        return rule.limits
    if not options.published:
        return None
    return ReleaseLimits(
        "the tables that are named with --published",
        no_risk_limit="only disclosure by this table together with the tables named with "
        "--published is judged",
        one_cell=0,
        all_but_one=0,
        recalculable=False,
        linked=True,
        seed=False,
    )


def read_published(
    options: argparse.Namespace, hierarchies: Mapping[str, Mapping[str, str]] | None = None
) -> list[Release]:
    """Return the tables that are already published, without categories that are sums in these hierarchies."""
    from sdcwidgets.methods.suppressing import with_hierarchies
    from sdcwidgets.tables.io.sources import named
    from sdcwidgets.tables.release import Release

    releases = []
    for file in options.published or ():
        try:
            table = named(file).read().table
            labels = {axis.name: set(axis) for axis in table.axes}
            # A category would be counted twice if a category below it is in the table, too.
            doubled = {
                name: parents
                for name, parents in (hierarchies or {}).items()
                if any(
                    label in labels.get(name, ()) and above in labels[name]
                    for label, above in parents.items()
                )
            }
            releases.append(Release.of(with_hierarchies(table, doubled)[0]))
        except InputError as error:
            raise InputError(f"--published {file}: {error}") from None
    return releases


def read_accepted(options: argparse.Namespace) -> dict[str, str]:
    """Return the accepted rule violations, each with its reason."""
    reasons = {}
    for text in options.accept or ():
        name, equals, reason = text.partition("=")
        if not equals or not reason.strip():
            raise InputError(f"--accept: {quoted(text)} has no reason; it must be VIOLATION=REASON.")
        reasons[name.strip()] = reason.strip()
    return reasons


def status(verdict: Verdict) -> int:
    """Return the exit status of a verdict: with release rules, 0 only for "release".

    Rules without a limit do not decide, so they do not release a table.
    """
    is_by_rule = verdict.limits.has_source
    return NOT_YET if is_by_rule and verdict.answer != "release" else 0
