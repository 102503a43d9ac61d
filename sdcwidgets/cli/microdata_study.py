"""Estimate the risk of many samples of a known population, as Totter did; stopped, it goes on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.files import writes


def add(parser: argparse.ArgumentParser) -> None:
    """Add the folder, the sizes and the seed."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where results, figures and report go")
    parser.add_argument("--samples", type=int, default=100, help="samples of each design (default: 100)")
    parser.add_argument("--persons", type=int, default=8_182_010, help="people (default: 8,182,010)")
    parser.add_argument(
        "--households", type=int, default=4641, help="households of a sample (default: 4,641)"
    )
    parser.add_argument("--seed", type=int, default=1, help="what all draws follow from (default: 1)")


def run(options: argparse.Namespace) -> None:
    """Draw, estimate, and write the comparison and its figures."""
    import time

    import pandas as pd

    from sdcwidgets.microdata.totter import TotterStudy
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
        (options.folder / "figures.html").write_text(plots.page(results), "utf-8")
    print(f"{options.folder / 'comparison.md'} and {options.folder / 'figures.html'} are written.")
