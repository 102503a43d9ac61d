"""Give each record of a file a key for the cell key method, made of a secret."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._secret import add_secret, read_secret

#: What the column of keys is called.
COLUMN = "record key"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the file, what tells its records apart, where to write, and the secret."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a CSV file with one line a person")
    parser.add_argument(
        "--identity",
        metavar="COLUMN",
        default="",
        help="the column that tells records apart, so that a key stays when others come and go (default: all columns)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        required=True,
        help="the records with their keys, a CSV file",
    )
    add_secret(parser)


def run(options: argparse.Namespace) -> None:
    """Write the records with a column of keys; a secret that was drawn is told on stderr."""
    from sdcwidgets.methods.cellkey import keys_of_records
    from sdcwidgets.microdata.reading import read_records

    secret = read_secret(options)
    if options.file.resolve() == options.output.resolve():
        raise InputError("The records and the records with keys must be two files; name another one with -o.")
    records, notes = read_records(options.file)
    if COLUMN in records:
        raise InputError(f"The records have a column {quoted(COLUMN)} already; keys are given once and kept.")
    keys = keys_of_records(records, secret.seed, options.identity)
    keyed = records.assign(**{COLUMN: [f"{key:.9f}" for key in keys]})
    csv_text(lines_of(keyed), options.output)
    advice = f"Keep the keys as secret as the records: protect --record-key {quoted(COLUMN)} uses them."
    print(*filter(None, [*notes, advice, secret.remark]), sep="\n", file=sys.stderr)
