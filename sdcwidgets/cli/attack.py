"""Attack what a method publishes of a table, as a reader would, and compare with the truth."""

from __future__ import annotations

import argparse
from math import isfinite

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli._json import method_told, print_json
from sdcwidgets.cli._options import (
    Parser,
    add_methods,
    add_options,
    add_table,
    read_method,
    read_options,
    read_reading,
)

#: What the columns of a finding mean.
LEGEND = (
    "lower, upper: what the count is at least and at most",
    "likely, chance: the most likely count where the attack names one, and how sure it is; - where it names none",
    "line: the numbers that it was found from",
)


def add(parser: Parser) -> None:
    """Add the table, the methods, the seed and the attack."""
    from sdcwidgets import attacks
    from sdcwidgets.assessment.assessment import Settings

    add_table(parser)
    parser.add_argument(
        "--attack",
        metavar="NAME",
        default="linking",
        help=f"one of {', '.join(attacks.available())} (default: linking)",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="what to print (default: text)"
    )
    add_options(parser, Settings, only=("seed",))
    add_methods(parser, required=True)


def run(options: argparse.Namespace) -> None:
    """Print what the attack finds out about each cell, and how much of it is true."""
    import numpy as np

    from sdcwidgets import attacks
    from sdcwidgets.assessment.assessment import Settings

    attack, method = attacks.get(options.attack), read_method(options)
    if method is None:
        raise InputError("No method is named; name one with --method.")
    reading = read_reading(options)
    table = reading.table
    seed = read_options(options, Settings).get("seed", Settings.seed)
    release = method.release(table, np.random.default_rng(seed))
    finding = attack([release], None)
    score = finding.score(release.regroup(table))
    frame = finding.to_frame()
    if options.format == "json":
        counts = [
            {"cell": list(cell)} | {name: _plain(value) for name, value in line.items()}
            for cell, line in zip(frame.index, frame.to_dict("records"), strict=True)
        ]
        values = {
            "attack": finding.attack,
            "method": method_told(method),
            "seed": seed,
            "score": score._asdict(),
        }
        print_json("attack", values | {"notes": list(finding.notes), "counts": counts}, reading.notes)
        return
    flat = frame.reset_index(allow_duplicates=True)
    print(flat.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4g}"))
    print(
        *("", *LEGEND, *finding.notes, ""),
        f"{score.claimed} of {score.cells} counts are claimed to be known: {score.right} right, {score.wrong} wrong.",
        f"{score.contained} of {score.cells} are within the bounds that were found.",
        sep="\n",
    )


def _plain(value: object) -> object:
    """Return a value of a frame for JSON: None where there is none, or no bound."""
    return None if isinstance(value, float) and not isfinite(value) else value
