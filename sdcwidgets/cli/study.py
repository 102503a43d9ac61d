"""Repeat a simulation study of the references, and compare the results with the published figures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.files import writes
from sdcwidgets.cli import _microdata_study
from sdcwidgets.cli._json import print_json
from sdcwidgets.cli._options import add_format
from sdcwidgets.cli._parser import Parser

EXAMPLES = (
    "sdcwidgets study sample-paper --samples 50 --populations 40",
    "sdcwidgets study three-way --state study.json --json",
)


def add(parser: Parser) -> None:
    """Add the study, its sizes, its seed and the file of its state."""
    _microdata_study.add(parser.add_command("microdata", _microdata_study.run, _microdata_study.EXAMPLES))
    parser.add_argument(
        "name",
        metavar="NAME",
        help="sample-paper (Table 2 of the paper) or three-way (section 4.8 of the thesis, synthetic population)",
    )
    for size in ("samples", "populations"):
        parser.add_argument(
            f"--{size}", type=int, default=1000, metavar="N", help=f"number of {size} (default: 1000)"
        )
    parser.add_argument("--seed", metavar="N", type=int, default=2015, help="random seed (default: 2015)")
    parser.add_argument(
        "--state",
        metavar="FILE",
        type=Path,
        help="file that keeps finished parts; an interrupted study continues from it",
    )
    add_format(parser, "csv")
    parser.set_defaults(has_own_progress=True)


def run(options: argparse.Namespace) -> None:
    """Run the study with its progress on stderr, and print its table."""
    from sdcwidgets.teaching.reproduction.sample_study import SampleStudy

    study = SampleStudy(options.name, options.samples, options.populations, options.seed, options.state)
    is_terminal, last = sys.stderr.isatty() and not options.quiet, -1
    try:
        with writes(options.state):
            for done, total in study.run():
                percent = 100 * done // total
                if is_terminal and percent > last:
                    last = percent
                    print(f"\r{percent} % of {total:,} populations", end="", file=sys.stderr, flush=True)
    finally:
        if is_terminal:
            print(file=sys.stderr)
    print(*study.notes, sep="\n", file=sys.stderr)
    result = study.result()
    if options.format == "json":
        print_json("study", {"study": options.name} | study.to_dict())
    elif options.format == "csv":
        print(csv_text(lines_of(result)), end="")
    else:
        print(result.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}"))
