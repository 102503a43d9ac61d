"""Print the JSON schema of what a command prints with --format json."""

from __future__ import annotations

import argparse
import json

from sdcwidgets.cli._json import VERSIONS, schema


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    parser.add_argument(
        "command", choices=tuple(VERSIONS), metavar="COMMAND", help=f"one of {', '.join(VERSIONS)}"
    )


def run(options: argparse.Namespace) -> None:
    """Print the schema."""
    print(json.dumps(schema(options.command), indent=2, ensure_ascii=False))
