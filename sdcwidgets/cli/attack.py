"""Attack a protected table as a data user could, and compare the result with the original counts.

With a method, FILE is the table of original counts. Without a method, FILE is a protected table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Annotated

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets.cli._json import method_values, print_json
from sdcwidgets.cli._options import (
    add_format,
    add_methods,
    add_table,
    read_method,
    read_options,
    reject_unused,
    suggest_name,
)
from sdcwidgets.cli._parser import Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._protected import warn_if_protected
from sdcwidgets.cli._releasing import add_releasing, make_release
from sdcwidgets.cli._secret import SEED_BITS, add_secret, read_secret
from sdcwidgets.cli._sub_totals import read_with_sub_totals
from sdcwidgets.cli._suppression import add_suppression, hierarchies_in, suppression_in

if TYPE_CHECKING:
    from sdcwidgets.attacks import Finding, Knowledge, Score
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable

EXAMPLES = (
    "sdcwidgets attack example:religion --method random-rounding --base 5",
    "sdcwidgets attack example:religion --method threshold-suppression --attack suppression",
    "sdcwidgets attack protected.csv --attack suppression",
)

#: Attacks that need published means, which no option states.
_BY_KNOWLEDGE = ("means",)

#: Options of the release that the command makes of original counts.
_OF_PROTECTING = ("seed", "secret_file", "costs", "frozen", "record_key", "identity")

#: Advice if a protected FILE contradicts itself.
_HIERARCHY_ADVICE = "If an axis has sub-totals, name them with --hierarchy AXIS=FILE."

#: Meaning of the columns of the result.
LEGEND = (
    "lower, upper: bounds of the original count",
    "likely, chance: most likely original count and its probability; - if the attack names no count",
    "line: published numbers from which the result of the attack follows",
)


@dataclass(frozen=True)
class _AttackSeed(Declared):
    """Option for the seed of the attacked release."""

    seed: Annotated[
        int,
        Range(0, 2**SEED_BITS - 1),
        Label("Seed"),
        Help(
            "Seed of the release that is attacked. The seed of a release of `protect` attacks this release."
        ),
    ] = 1


@dataclass(frozen=True)
class _Attacked:
    """A release that is attacked.

    Attributes
    ----------
    release : Release
    knowledge : Knowledge or None
    original : FrequencyTable or None
        Original counts, None if FILE is the protected table.
    seed : int or None
        Seed of the release.
    notes : sequence of str
        Decisions of the reader.
    """

    release: Release
    knowledge: Knowledge | None
    original: FrequencyTable | None
    seed: int | None
    notes: Sequence[str]


def names_of_attacks() -> tuple[str, ...]:
    """Return the names of the attacks that need only the published values."""
    from sdcwidgets import attacks

    return tuple(name for name in attacks.available() if name not in _BY_KNOWLEDGE)


def add(parser: Parser) -> None:
    """Add the table, the method, the attack and the seed."""
    add_table(parser, also="; without --method, a protected table with suppressed counts")
    add_methods(parser, "none: FILE is a protected table, whose suppressed counts are attacked")
    attack = parser.add_argument(
        "--attack",
        metavar="NAME",
        default="linking",
        help="attack; `sdcwidgets list attacks` describes them (default: linking)",
    )
    attack.completer = lambda **_: names_of_attacks()  # type: ignore[attr-defined]  # read by argcomplete
    add_format(parser)
    add_secret(parser, _AttackSeed)
    add_releasing(parser)
    add_suppression(
        parser,
        about="sub-totals of an axis in FILE, also in a protected FILE",
        has_linked_tables=False,
    )
    parser.absent = {
        "--tables": "an attack uses one table; `protect --tables` computes the bounds that all linked tables imply "
        "together"
    }


def run(options: argparse.Namespace) -> None:
    """Print the bounds and the most likely count of each cell, and how many of them are right."""
    from sdcwidgets import attacks
    from sdcwidgets.attacks.linking import CONTRADICTION

    suggest_name("attack", options.attack, names_of_attacks())
    if options.attack in _BY_KNOWLEDGE:
        raise InputError(
            f"--attack {options.attack} needs numbers that the command line cannot state; use the Python module "
            f"attacks, or one of {', '.join(names_of_attacks())}."
        )
    attack, method = attacks.get(options.attack), read_method(options)
    attacked = _published(options) if method is None else _protected(options, method)
    show_step(f"Attacking {options.file}")
    try:
        finding = attack([attacked.release], attacked.knowledge)
    except InputError as error:
        # Without its hierarchy, a sub-total counts the people of its categories once more.
        if str(error) == CONTRADICTION and method is None and not options.hierarchy:
            raise InputError(f"{error} {_HIERARCHY_ADVICE}") from None
        raise
    score = None if attacked.original is None else finding.score(attacked.original)
    frame = finding.to_frame()
    if options.format == "json":
        counts = [
            {"cell": list(cell)} | {name: _plain(value) for name, value in line.items()}
            for cell, line in zip(frame.index, frame.to_dict("records"), strict=True)
        ]
        values = {
            "file": options.file,
            "read": list(attacked.notes),
            "attack": finding.attack,
            "method": method_values(method),
            "seed": attacked.seed,
            "score": None if score is None else score._asdict(),
        }
        print_json("attack", values | {"notes": list(finding.notes), "counts": counts})
        return
    flat = frame.reset_index(allow_duplicates=True)
    print(flat.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4g}"))
    print("", *LEGEND, *finding.notes, "", sep="\n")
    print(*_conclusions(finding, score), sep="\n")


def _conclusions(finding: Finding, score: Score | None) -> list[str]:
    """Return the sentences on the result: compared with the original counts if they are known."""
    if score is None:
        return [
            f"The attack determines {finding.recovered} suppressed counts exactly, and narrows the bounds of "
            f"{int(finding.learnt.sum())} counts.",
            "FILE is a protected table, so the result is not compared with the original counts.",
        ]
    return [
        f"The attack names a count for {score.claimed} of {score.cells} cells: {score.right} "
        f"of these counts are right, and {score.wrong} are wrong.",
        f"The bounds of {score.contained} of {score.cells} cells contain the original count.",
    ]


def _protected(options: argparse.Namespace, method: Method) -> _Attacked:
    """Return the release that `protect` makes of FILE."""
    from sdcwidgets.attacks.linked import one_table, with_hierarchies
    from sdcwidgets.methods import suppressing

    warn_if_protected(options.file)
    reading = read_with_sub_totals(options, method)
    seed = read_secret(options, default=_AttackSeed.seed).seed
    gaps = suppression_in(options, method, reading.table, seed)
    if gaps is not None and options.hierarchy:
        leaves, parents = suppressing.with_hierarchies(
            reading.table, hierarchies_in(options.hierarchy, options.lead_string)
        )
        release = one_table(gaps.release())
        return _Attacked(release, with_hierarchies(release, parents), leaves, seed, reading.notes)
    release, _ = make_release(options, method, reading, gaps, seed)
    return _Attacked(release, None, release.regroup(reading.table), seed, reading.notes)


def _published(options: argparse.Namespace) -> _Attacked:
    """Return FILE as a published table with suppressed counts."""
    from sdcwidgets.attacks.linked import with_hierarchies
    from sdcwidgets.tables.io.published import read_published
    from sdcwidgets.tables.io.sources import ReadOptions, named
    from sdcwidgets.tables.nesting import DETECTED

    no_method = InputError(
        f"There is no method, and {options.file} has no suppressed count. If FILE contains original counts, choose "
        "the method that protects them, for example --method random-rounding; without a method, only suppressed "
        "counts of a protected FILE are attacked."
    )
    if not hasattr(named(options.file), "content"):  # an example or a database
        raise no_method
    release = read_published(options.file, read_options(options, ReadOptions))
    if not any(np.isnan(values).any() for values in release.values.values()):
        raise no_method
    reject_unused(
        options,
        _OF_PROTECTING,
        "without a method, because FILE is then the protected table; choose one with --method",
    )
    if options.additive:
        raise InputError("--additive has no effect without a method; choose one with --method.")
    hierarchies: dict[str, Mapping[str, str]] = {}
    for name, parents in hierarchies_in(options.hierarchy, options.lead_string).items():
        if isinstance(parents, str):
            raise InputError(
                f"--hierarchy {name}={DETECTED} needs all counts, but FILE has suppressed counts; name a file with the "
                "hierarchy."
            )
        hierarchies[name] = parents
    knowledge = with_hierarchies(release, hierarchies) if hierarchies else None
    hidden = sum(int(np.isnan(values).sum()) for values in release.values.values())
    print(
        f"{options.file} is attacked as a protected table, with {hidden:,} suppressed counts and totals.",
        file=sys.stderr,
    )
    return _Attacked(release, knowledge, None, None, ())


def _plain(value: object) -> object:
    """Return a value of a frame for JSON: None for a missing value or an infinite bound."""
    return None if isinstance(value, float) and not isfinite(value) else value
