"""Make a protected table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets.cli._options import (
    add_methods,
    add_table,
    read_method,
    read_table,
    unwritable,
)
from sdcwidgets.cli._secret import add_secret, read_secret
from sdcwidgets.errors import InputError

if TYPE_CHECKING:
    from sdcwidgets.release import Release

__all__ = ["add", "run"]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the table, the methods, the seed and where to write."""
    add_table(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        help="a .csv or .xlsx file, not the input (default: standard output)",
    )
    add_secret(parser)
    add_methods(parser, required=True)


def run(options: argparse.Namespace) -> None:
    """Write what the method publishes; what must be known of it is told on stderr."""
    import numpy as np

    method = read_method(options)
    if method is None:
        raise InputError("No method is named; name one with --method.")
    secret = read_secret(options)
    _check_output(options.output, options.file)
    table = read_table(options)
    release = method.release(table, np.random.default_rng(secret.seed))
    if options.output is not None:
        _write(release, options.output)
    told = [*release.notes, *release.cautions]
    if secret.told and not method.deterministic:
        told.append(secret.told)
    print(*told, sep="\n", file=sys.stderr)
    if options.output is None:
        print(_text(release), end="")


def _check_output(path: Path | None, file: str) -> None:
    """Refuse an output that is the input, or whose ending promises something else than what is written."""
    if path is None:
        return
    if file != "-" and path.exists() and Path(file).exists() and path.samefile(file):
        raise InputError(f"{path} holds the true counts and is not overwritten; name another file with -o.")
    if path.suffix.lower() not in ("", ".csv", ".txt", ".xlsx"):
        raise InputError(f"{path} cannot be written: name a file that ends in .csv or .xlsx with -o.")


def _text(release: Release) -> str:
    """Return the table as it is printed; margins that are the sums of the cells are left to the reader."""
    return release.table().to_csv() if release.plain else release.to_csv()


def _write(release: Release, path: Path) -> None:
    """Write the table as a workbook where the ending says so, else as CSV."""
    if path.suffix.lower() == ".xlsx":
        from sdcwidgets.writing import workbook

        sheet = release.table().to_frame() if release.plain else release.lines()
        content = workbook({"protected": sheet})
    else:
        content = _text(release).encode()
    try:
        path.write_bytes(content)
    except OSError as error:
        raise unwritable(path, error) from None
