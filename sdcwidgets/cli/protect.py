"""Make a protected table."""

from __future__ import annotations

import argparse
from pathlib import Path

from sdcwidgets.cli._options import (
    add_methods,
    add_options,
    add_table,
    read_method,
    read_options,
    read_table,
    unwritable,
)
from sdcwidgets.errors import InputError

__all__ = ["add", "run"]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the table, the methods, the seed and where to write."""
    from sdcwidgets.assess import Settings

    add_table(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT.csv", type=Path, help="where to write it (default: standard output)"
    )
    add_options(parser, Settings, only=("seed",))
    add_methods(parser, required=True)


def run(options: argparse.Namespace) -> None:
    """Write what the method publishes."""
    import numpy as np

    from sdcwidgets.assess import Settings

    method = read_method(options)
    seed = read_options(options, Settings).get("seed", Settings.seed)
    if method is None:
        raise InputError("No method is named; name one with --method.")
    release = method.release(read_table(options), np.random.default_rng(seed))
    # Margins that are the sums of the cells are left to the reader.
    text = release.table().to_csv() if release.plain else release.to_csv()
    if options.output is None:
        print(text, end="")
        return
    try:
        options.output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise unwritable(options.output, error) from None
