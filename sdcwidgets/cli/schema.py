"""Print the JSON schema of the output of a command."""

from __future__ import annotations

import argparse
import json

from sdcwidgets.cli._json import VERSIONS, schema
from sdcwidgets.cli._parser import Parser

EXAMPLES = ("sdcwidgets schema assess", "sdcwidgets schema tables > tables.schema.json")


def add(parser: Parser) -> None:
    """Add the command."""
    parser.add_argument(
        "command",
        choices=tuple(VERSIONS),
        metavar="COMMAND",
        help=f"command with JSON output: {', '.join(VERSIONS)}",
    )


def run(options: argparse.Namespace) -> None:
    """Print the schema."""
    print(json.dumps(schema(options.command), indent=2, ensure_ascii=False))
