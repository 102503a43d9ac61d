"""Protect a table, attack the result as a data user could, and compare with the original counts."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import isfinite
from typing import Annotated

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets.cli._json import method_values, print_json
from sdcwidgets.cli._options import (
    add_format,
    add_methods,
    add_table,
    read_method,
    read_table,
    suggest_name,
)
from sdcwidgets.cli._parser import Parser
from sdcwidgets.cli._progress import show_step
from sdcwidgets.cli._protected import warn_if_protected
from sdcwidgets.cli._secret import SEED_BITS, add_secret, read_secret

EXAMPLES = (
    "sdcwidgets attack example:religion --method random-rounding --base 5",
    "sdcwidgets attack example:religion --method threshold-suppression --attack suppression",
)

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


def add(parser: Parser) -> None:
    """Add the table, the method, the attack and the seed."""
    from sdcwidgets import attacks

    add_table(parser)
    add_methods(parser)
    attack = parser.add_argument(
        "--attack",
        metavar="NAME",
        default="linking",
        help="attack; `sdcwidgets list attacks` describes them (default: linking)",
    )
    attack.completer = lambda **_: attacks.available()  # type: ignore[attr-defined]  # read by argcomplete
    add_format(parser)
    add_secret(parser, _AttackSeed)


def run(options: argparse.Namespace) -> None:
    """Print the bounds and the most likely count of each cell, and how many of them are right."""
    from sdcwidgets import attacks

    suggest_name("attack", options.attack, attacks.available())
    attack, method = attacks.get(options.attack), read_method(options)
    if method is None:
        raise InputError(
            "There is no method. The command protects FILE, a table of original counts, and attacks the result; choose "
            "the method with --method, for example --method random-rounding."
        )
    warn_if_protected(options.file)
    reading = read_table(options)
    show_step(f"Attacking {options.file}")
    table = reading.table
    seed = read_secret(options, default=_AttackSeed.seed).seed
    release = method.release(table, seed)
    finding = attack([release], None)
    score = finding.score(release.regroup(table))
    frame = finding.to_frame()
    if options.format == "json":
        counts = [
            {"cell": list(cell)} | {name: _plain(value) for name, value in line.items()}
            for cell, line in zip(frame.index, frame.to_dict("records"), strict=True)
        ]
        values = {
            "file": options.file,
            "read": list(reading.notes),
            "attack": finding.attack,
            "method": method_values(method),
            "seed": seed,
            "score": score._asdict(),
        }
        print_json("attack", values | {"notes": list(finding.notes), "counts": counts})
        return
    flat = frame.reset_index(allow_duplicates=True)
    print(flat.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4g}"))
    print("", *LEGEND, *finding.notes, "", sep="\n")
    print(
        f"The attack names a count for {score.claimed} of {score.cells} cells: {score.right} "
        f"of these counts are right, and {score.wrong} are wrong.",
        f"The bounds of {score.contained} of {score.cells} cells contain the original count.",
        sep="\n",
    )


def _plain(value: object) -> object:
    """Return a value of a frame for JSON: None for a missing value or an infinite bound."""
    return None if isinstance(value, float) and not isfinite(value) else value
