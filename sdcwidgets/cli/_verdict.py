"""The verdict on the command line: the rules it follows, what is accepted, and the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError

if TYPE_CHECKING:
    from sdcwidgets.assessment.verdict import ReleaseLimits, Rule, Verdict
    from sdcwidgets.tables.release import Release

#: The exit code where a rule says that a table must not be released yet.
NOT_YET = 3


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules` and `--accept`."""
    from sdcwidgets.assessment.verdict import available

    parser.add_argument(
        "--rules",
        metavar="FILE",
        help="a rule of the house: a TOML file, or one that comes with the project "
        f"({', '.join(available())}); the exit code is 0 for release and {NOT_YET} otherwise",
    )
    parser.add_argument(
        "--accept",
        metavar="STOP=REASON",
        action="append",
        help="a stop that is accepted, by its name or its kind, and why; may be repeated",
    )
    parser.add_argument(
        "--beside",
        metavar="FILE",
        action="append",
        help="another table of the same people that is published, exact; may be repeated. Its axes and labels "
        "are called as those of FILE",
    )


def read_rule(options: argparse.Namespace) -> Rule | None:
    """Return the rule that was named, None where none was."""
    from sdcwidgets.assessment.verdict import load

    if options.rules is None and options.accept and not options.beside:
        raise InputError("--accept belongs to a rule; name one with --rules.")
    return None if options.rules is None else load(options.rules)


def limits_of(rule: Rule | None, options: argparse.Namespace) -> ReleaseLimits | None:
    """Return the limits of the rule. Without a rule, only what tables named with --beside disclose is a violation."""
    from sdcwidgets.assessment.verdict import ReleaseLimits

    if rule is not None:
        return rule.limits
    if not options.beside:
        return None
    return ReleaseLimits(
        "the tables named with --beside",
        no_risk_limit="only the disclosure by the tables named with --beside is judged",
        one_cell=0,
        all_but_one=0,
        gaps=False,
        linked=True,
        seed=False,
    )


def read_beside(
    options: argparse.Namespace, hierarchies: Mapping[str, Mapping[str, str]] | None = None
) -> list[Release]:
    """Return the tables that are published already, without categories that are sums by these hierarchies."""
    from sdcwidgets.methods.suppressing import with_hierarchies
    from sdcwidgets.tables.io.sources import named
    from sdcwidgets.tables.release import Release

    releases = []
    for file in options.beside or ():
        try:
            table = named(file).read().table
            labels = {axis.name: set(axis) for axis in table.axes}
            # A category is counted twice where the categories below it are there, too.
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
            raise InputError(f"--beside {file}: {error}") from None
    return releases


def read_accepted(options: argparse.Namespace) -> dict[str, str]:
    """Return the stops that are accepted, each with its reason."""
    reasons = {}
    for text in options.accept or ():
        name, equals, reason = text.partition("=")
        if not equals or not reason.strip():
            raise InputError(f'--accept: "{text}" has no reason; write the stop, an equals sign and why.')
        reasons[name.strip()] = reason.strip()
    return reasons


def status(verdict: Verdict) -> int:
    """Return the exit code of a verdict: by a rule, 0 means release and nothing else.

    A rule that limits nothing decides nothing, so it releases nothing.
    """
    is_by_rule = verdict.limits.has_source
    return NOT_YET if is_by_rule and verdict.answer != "release" else 0
