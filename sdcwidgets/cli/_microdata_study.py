"""Nested command `study microdata`: risk estimates from many samples of a known population."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.files import writes
from sdcwidgets.cli._parser import Parser

EXAMPLES = (
    "sdcwidgets study microdata results/",
    "sdcwidgets study microdata results/ --samples 10 --persons 100000 --households 500",
)


def add(parser: Parser) -> None:
    """Add the folder, the sizes and the seed."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="folder for results, charts and report")
    parser.add_argument(
        "--samples",
        metavar="N",
        type=int,
        default=100,
        help="number of samples per sampling design (default: 100)",
    )
    parser.add_argument(
        "--persons",
        metavar="N",
        type=int,
        default=8_182_010,
        help="number of people in the population (default: 8182010)",
    )
    parser.add_argument(
        "--households",
        metavar="N",
        type=int,
        default=4641,
        help="number of households per sample (default: 4641)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="seed of all random numbers (default: 1)"
    )
    parser.set_defaults(has_own_progress=True)


def run(options: argparse.Namespace) -> None:
    """Repeat Totter's study of disclosure risk estimates; a run that was interrupted continues."""
    import time

    import pandas as pd

    from sdcwidgets.microdata.totter import TotterStudy, load_sizes
    from sdcwidgets.plots import totter as plots
    from sdcwidgets.widgets.texts import totter as words

    study = TotterStudy(options.persons, options.households, options.samples, options.seed)
    began, first = time.monotonic(), -1

    def progress(done: int, total: int, doing: str) -> None:
        nonlocal first
        first = done if first < 0 else first
        minutes = (time.monotonic() - began) / max(done - first, 1) * (total - done) / 60
        print(f"{done} of {total}: {doing}; about {minutes:.0f} minutes left", file=sys.stderr, flush=True)

    with writes(options.folder):
        results = study.run(options.folder, progress)
        report = words.report(results, pd.read_csv(options.folder / "population.csv"))
        (options.folder / "comparison.md").write_text(report, "utf-8")
        (options.folder / "figures.html").write_text(plots.page(results, load_sizes(options.folder)), "utf-8")
    print(f"Written: {options.folder / 'comparison.md'} and {options.folder / 'figures.html'}.")
