"""Repeat a simulation study of the references, beside its print."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.files import writes
from sdcwidgets.cli._json import print_json


def add(parser: argparse.ArgumentParser) -> None:
    """Add the study, its sizes, its seed and where it is kept."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="sample-paper (its Table 2) or three-way (thesis, 4.8; of another population)",
    )
    for size in ("samples", "populations"):
        parser.add_argument(f"--{size}", type=int, default=1000, metavar="N", help=f"{size} (default: 1000)")
    parser.add_argument("--seed", type=int, default=2015, help="reproduces every number (default: 2015)")
    parser.add_argument(
        "--state", metavar="FILE", type=Path, help="keep what is done here; a study that was stopped goes on"
    )
    parser.add_argument(
        "--format", choices=("text", "csv", "json"), default="text", help="what to print (default: text)"
    )


def run(options: argparse.Namespace) -> None:
    """Run the study, with its progress on stderr, and print its table."""
    from sdcwidgets.teaching.reproduction.sample_study import SampleStudy

    study = SampleStudy(options.name, options.samples, options.populations, options.seed, options.state)
    last = -1
    try:
        with writes(options.state):
            for done, total in study.run():
                if (percent := 100 * done // total) > last:
                    last = percent
                    print(f"\r{percent} % of {total:,} populations", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)
    print(*study.notes, sep="\n", file=sys.stderr)
    result = study.result()
    if options.format == "json":
        print_json("study", study.to_dict())
    elif options.format == "csv":
        print(result.to_csv(index=False), end="")
    else:
        print(result.to_string(index=False, na_rep="-", float_format=lambda number: f"{number:.4f}"))
