"""Estimate the disclosure risk of a table, and the effect of a protection method."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._json import method_values, print_json
from sdcwidgets.cli._measures import (
    ALL,
    NEEDS_METHOD,
    NEEDS_RECORDS,
    NEEDS_SAMPLE,
    names_in,
    needs_met_by,
    possible_measures,
    print_omitted,
)
from sdcwidgets.cli._options import (
    add_format,
    add_measures,
    add_methods,
    add_options,
    add_table,
    check_measures,
    read_measures,
    read_method,
    read_options,
    read_table,
    reject_unused,
)
from sdcwidgets.cli._output import print_always
from sdcwidgets.cli._parser import MEASURES, OUTPUT, Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._protected import warn_if_protected
from sdcwidgets.cli._verdict import (
    add_rules,
    limits_of,
    read_accepted,
    read_published,
    read_rule,
    required_by,
    status,
)

if TYPE_CHECKING:
    from sdcwidgets.assessment import Assessment
    from sdcwidgets.assessment.verdict import Rule, Verdict
    from sdcwidgets.measures.settings import Settings
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.options import Reading
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable

EXAMPLES = (
    "sdcwidgets assess example:religion",
    "sdcwidgets assess example:religion --method random-rounding --base 5 --json",
    "sdcwidgets assess table.csv --protected protected.csv --rules minimum-frequency",
)

#: Settings of an assessment that the help shows among the main options.
_MAIN_SETTINGS = ("replications", "seed")

#: Measures of a protected table without `--measure`.
_AFTER = ("r2", "hellinger", "utility")

#: Needs of the measures that one protected table has the data for.
_NEEDS_OF_PAIR = ("", NEEDS_METHOD)

#: Reasons why measures of a protected table are omitted.
_OMITTED_OF_PAIR = dict.fromkeys((NEEDS_RECORDS, NEEDS_SAMPLE), "replicates of a method are needed")

#: Settings of an assessment that have no effect on the original table.
_OF_METHODS = ("replications", "seed", "variant", "suppressed")


def add(parser: Parser) -> None:
    """Add the table, the method, the measures and their settings, and the release rules."""
    from sdcwidgets._util.parameters import declared
    from sdcwidgets.assessment.assessment import Settings

    add_table(parser, also=" (a protected table: see --protected and --already-protected)")
    add_methods(parser)
    measure = parser.add_argument(
        "--measure",
        metavar="NAME",
        action="append",
        help="measure to report; `sdcwidgets list measures` lists all; repeatable; all reports all measures that are "
        "possible for the table and the method (default: the terms of R₁ and, with a method, R₂, Hellinger distance "
        "and utility)",
    )
    measure.completer = _measure_names  # type: ignore[attr-defined]  # read by argcomplete
    add_rules(parser)
    add_format(parser)
    add_options(parser, Settings, only=_MAIN_SETTINGS)
    parser.add_argument(
        "--protected",
        metavar="FILE",
        help="protected table that was made of FILE, with any suppressed cells; the command judges it and applies no "
        "method; --method then states the method that was used (default: none)",
    )
    parser.group(OUTPUT).add_argument(
        "--already-protected",
        metavar="METHOD",
        help="state that FILE is already protected with the method that the rules require; the verdict records it",
    )
    others = [item.name for item in declared(Settings) if item.name not in _MAIN_SETTINGS]
    add_options(parser.group(MEASURES), Settings, only=others)
    add_measures(parser)


def _measure_names(**_: object) -> tuple[str, ...]:
    from sdcwidgets import measures

    return (ALL, *measures.available())


def run(options: argparse.Namespace) -> int:
    """Print the measures of the table before and after protection, and the verdict; return the exit status."""
    from sdcwidgets.assessment.assessment import Settings, assess
    from sdcwidgets.assessment.verdict import judge

    settings, rule = read_options(options, Settings), read_rule(options)
    # The method of the rules is never applied: FILE is judged as it is, or after the method of --method.
    method, asserted = read_method(options), _read_asserted(options)
    required = required_by(rule, method)
    names = names_in(options)
    is_all = ALL in names
    if is_all:
        met = needs_met_by(method) if options.protected is None else _NEEDS_OF_PAIR
        names = possible_measures(met)
    _check_unused(options, rule, method, names)
    reading = read_table(options)
    if not asserted:
        warn_if_protected(options.file)
    show_step(f"Assessing {options.file}")
    if options.protected is not None:
        if is_all:
            print_omitted(names, _OMITTED_OF_PAIR)
        return _judge_pair(options, rule, method, reading, names, asserted)
    requested = ALL if is_all else names
    assessment = assess(
        reading.table, method, **settings, measures=requested, of_measures=read_measures(options)
    )
    if is_all:
        print_omitted(names)
    # For a random method the verdict is on the first replicate, as if it were published with this seed.
    release = None
    if method is not None:
        release = method.release(assessment.table, assessment.settings.seed).with_facts_of(assessment.table)
    verdict = judge(
        assessment.table,
        release,
        limits_of(rule, options),
        settings=assessment.settings,
        # Without --seed, the replicates have a fixed seed, and `protect` will use a secret one.
        seed=settings.get("seed") if method is not None and method.seeded else None,
        accepted=read_accepted(options),
        others=read_published(options),
        required=required,
        asserted=asserted,
        unpublished=reading.levels,
    )
    if options.format == "json":
        head = {"file": options.file, "method": method_values(method), "read": list(reading.notes)}
        print_json("assess", head | assessment.to_dict() | {"verdict": verdict.to_dict()})
    else:
        text = str(assessment)
        # FILE is not an original table if its protection is asserted.
        print(text.replace("risk before protection", "risk of this file") if asserted else text)
        if rule is not None and method is not None:
            print(f"\nThe release rules judge FILE after {method.name}: {method.note()}")
        is_random = method is not None and method.seeded
        replicate = f"Replicate 1, seed {assessment.settings.seed}. " if is_random else ""
        print(f"\n{replicate}{verdict.command_lines[0]}", *verdict.command_lines[1:], sep="\n")
        if rule is None and verdict.limits.missing:
            print("To get a release decision, name the release rules with --rules.")
    return _status_with_reasons(verdict, options)


def _check_unused(
    options: argparse.Namespace, rule: Rule | None, method: Method | None, names: Sequence[str]
) -> None:
    """Raise InputError for settings of measures and of replicates that have no effect."""
    limits = None if rule is None else rule.limits
    computed = list(names)
    if limits is not None:
        computed += [limits.risk_measure, limits.loss_measure]
    check_measures(options, computed, "add --measure {}")
    if options.protected is not None:
        reject_unused(options, ("replications", "seed"), "with --protected, which draws no replicates")
    elif method is None:
        reject_unused(options, _OF_METHODS, "without a method; choose one with --method")


@dataclass(frozen=True)
class _Pair:
    """The protected table of --protected, as a release of the original table.

    Attributes
    ----------
    table : FrequencyTable
    release : Release
    method : Method or None
        Method that made the release, as stated by the user.
    settings : Settings
    """

    table: FrequencyTable
    release: Release
    method: Method | None
    settings: Settings

    @classmethod
    def of(
        cls, options: argparse.Namespace, table: FrequencyTable, method: Method | None, settings: Settings
    ) -> _Pair:
        """Read the protected table."""
        from sdcwidgets.tables.io.published import published_of

        try:
            release = published_of(table, options.protected, None if method is None else method.conclusions)
        except InputError as error:
            raise InputError(f"--protected {options.protected}: {error}") from None
        if method is None and release.limitation:
            advice = "state the method with --method and its settings"
            release = replace(release, limitation=f"{release.limitation.rstrip('.')}; {advice}.")
        return cls(table, release if method is None else release.made_by(method), method, settings)

    def measured(self, names: Sequence[str]) -> dict[str, tuple[str, float]]:
        """Return the title and the value of each measure after protection, by its column."""
        from sdcwidgets import measures
        from sdcwidgets.measures.batch import Batch

        batch = Batch.of_release(self.table, self.release, self.settings.suppressed)
        values = {}
        for name in names:
            for measure in measures.get(name).lines(self.table, self.settings):
                if not {*measure.needs} <= {"before", "after"}:
                    raise InputError(
                        f"The measure {name} needs replicates of a method; leave out --protected."
                    )
                if measure.needs != ("before",):
                    values[measure.column] = (measure.title, float(measure.values(batch)[0, 0]))
        return values


def _judge_pair(
    options: argparse.Namespace,
    rule: Rule | None,
    method: Method | None,
    reading: Reading,
    names: Sequence[str],
    asserted: str,
) -> int:
    """Judge the protected table of --protected; return the exit status."""
    from sdcwidgets import measures
    from sdcwidgets.assessment.assessment import Settings, assess
    from sdcwidgets.assessment.verdict import judge

    own, of_measures = read_options(options, Settings), read_measures(options)
    pair = _Pair.of(options, reading.table, method, Settings(**own, of_measures=of_measures))
    alone = [name for name in names if measures.get(name).needs == ("before",)]
    requested = ALL if ALL in names_in(options) else alone
    assessment = assess(reading.table, **own, measures=requested, of_measures=of_measures)
    verdict = judge(
        reading.table,
        pair.release,
        limits_of(rule, options),
        settings=pair.settings,
        accepted=read_accepted(options),
        others=read_published(options),
        required=required_by(rule, method),
        asserted=asserted,
        unpublished=reading.levels,
    )
    return _print_pair(options, pair, assessment, verdict, reading, names)


def _print_pair(
    options: argparse.Namespace,
    pair: _Pair,
    assessment: Assessment,
    verdict: Verdict,
    reading: Reading,
    names: Sequence[str],
) -> int:
    """Print the measures of the original and of the protected table, and the verdict; return the exit status."""
    measured = pair.measured(names or _AFTER)
    if options.format == "json":
        values = {column: None if value != value else value for column, (_, value) in measured.items()}
        head = {"file": options.file, "method": method_values(pair.method), "read": list(reading.notes)}
        protected = {"file": options.protected, "measures": values}
        print_json(
            "assess",
            head | assessment.to_dict() | {"protected": protected, "verdict": verdict.to_dict()},
        )
    else:
        print(assessment, "", f"After protection ({options.protected}):", sep="\n")
        for title, value in measured.values():
            print(f"{title}: {'–' if value != value else f'{value:.4f}'}")
        print("", *verdict.command_lines, sep="\n")
    return _status_with_reasons(verdict, options)


def _status_with_reasons(verdict: Verdict, options: argparse.Namespace) -> int:
    """Return the exit status, and print the reasons of a blocked release on stderr if the text is not shown."""
    # With --quiet or --json, the standard output is often discarded or read by a program.
    if status(verdict) != 0 and (options.quiet or options.format == "json"):
        print_always(*verdict.command_lines)
    return status(verdict)


def _read_asserted(options: argparse.Namespace) -> str:
    """Return the method of --already-protected; "" without it."""
    from sdcwidgets import methods

    asserted: str | None = options.already_protected
    if asserted is None:
        return ""
    if options.rules is None:
        raise InputError("--already-protected needs release rules; name them with --rules.")
    if options.method is not None:
        raise InputError("--already-protected and --method exclude each other; use one of them.")
    if asserted not in methods.available():
        known = ", ".join(methods.available())
        raise InputError(f"--already-protected is {quoted(asserted)}; it must be one of {known}.")
    return asserted
