"""Nested command `microdata keys`: a record key for each record, for the cell key method."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._output import add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import Parser
from sdcwidgets.cli._secret import add_secret, read_secret

#: Name of the column of record keys.
COLUMN = "record key"

EXAMPLES = (
    "sdcwidgets microdata keys people.csv -o keyed.csv",
    "sdcwidgets microdata keys people.csv --identity person -o keyed.csv --secret-file secret.txt",
)


def add(parser: Parser) -> None:
    """Add the file, the column that identifies a record, the output and the secret."""
    parser.add_argument("file", metavar="FILE", type=Path, help="microdata: a file with one row per person")
    parser.add_argument(
        "--identity",
        metavar="COLUMN",
        default="",
        help="column that identifies a record; the key of a record then stays the same if "
        "other records change (default: all columns)",
    )
    add_output(parser, "output file with the records and their keys, CSV", required=True)
    add_secret(parser)


def run(options: argparse.Namespace) -> None:
    """Add a record key to each record of a microdata file, for the cell key method."""
    from sdcwidgets.methods.cellkey.keys import derived_record_keys
    from sdcwidgets.microdata.reading import read_records

    secret = read_secret(options)
    check_outputs([options.output], [options.file], force=options.force)
    check_ending(options.output, (".csv",))
    records, notes = read_records(options.file)
    if COLUMN in records:
        raise InputError(
            f"{options.file} already has a column {quoted(COLUMN)}; keep these keys, or rename the column."
        )
    if options.identity and options.identity not in records:
        known = ", ".join(map(quoted, records))
        raise InputError(
            f"--identity: {options.file} has no column {quoted(options.identity)}; it has {known}."
        )
    keys = derived_record_keys(records, secret.seed, options.identity)
    if options.dry_run:
        print_dry_run([f"{options.file}: {len(records):,} records."], [options.output])
        return
    secret.save()
    keyed = records.assign(**{COLUMN: [f"{key:.9f}" for key in keys]})
    csv_text(lines_of(keyed), options.output)
    advice = f"Keep the keys as secret as the records. Use them with protect --record-key {quoted(COLUMN)}."
    lines = [*notes, advice]
    if secret.remark:
        lines.append(secret.remark)
    print(*lines, sep="\n", file=sys.stderr)
    print_written(options.output)
