"""JSON output of the command line: each command has a schema, and each change of its form a new version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING

from sdcwidgets import __version__

if TYPE_CHECKING:
    from sdcwidgets.methods import Method

#: Commands that print JSON, each with the version of its schema. The schemas are in `schemas`.
VERSIONS: Mapping[str, int] = {"assess": 2, "attack": 2, "compare": 1, "list": 3, "study": 2, "tables": 2}


def schema(command: str) -> dict[str, object]:
    """Return the JSON schema of the output of a command.

    >>> schema("assess")["$id"]
    'sdcwidgets:assess:2'
    """
    schema: dict[str, object] = json.loads(
        files(__package__).joinpath(f"schemas/{command}.json").read_text("utf-8")
    )
    return schema


def print_json(command: str, values: Mapping[str, object]) -> None:
    """Print the result of a command with its schema and the version of the package.

    Parameters
    ----------
    command : str
        Name of the schema.
    values : mapping
        Result. Commands that read a table include the name of the file, the method and the decisions of the reader.
    """
    head = {"schema": f"sdcwidgets:{command}:{VERSIONS[command]}", "version": __version__}
    print(json.dumps(head | dict(values), indent=2, ensure_ascii=False, allow_nan=False))


def method_values(method: Method | None) -> dict[str, object] | None:
    """Return the name and the settings of a method; None without a method."""
    if method is None:
        return None
    return {"name": method.name} | {item.name: getattr(method, item.name) for item in fields(method)}
