"""What commands print for programs: JSON by a schema that is shipped, and that a new shape gets a new number of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdcwidgets.methods import Method

#: The commands that print JSON, each with the number of its present shape; the schemas lie in `schemas`.
VERSIONS: Mapping[str, int] = {"assess": 1, "attack": 1, "study": 1, "tables": 1}


def schema(command: str) -> dict[str, object]:
    """Return the JSON schema of what a command prints.

    >>> schema("assess")["$id"]
    'sdcwidgets:assess:1'
    """
    schema: dict[str, object] = json.loads(
        files(__package__).joinpath(f"schemas/{command}.json").read_text("utf-8")
    )
    return schema


def print_json(command: str, values: Mapping[str, object], read: Sequence[str] = ()) -> None:
    """Print what a command found; `read` is what was decided when its file was read, a sentence each."""
    head = {"schema": f"sdcwidgets:{command}:{VERSIONS[command]}", "read": list(read)}
    print(json.dumps(head | dict(values), indent=2, ensure_ascii=False, allow_nan=False))


def method_told(method: Method | None) -> dict[str, object] | None:
    """Return a method with its settings as plain values."""
    if method is None:
        return None
    return {"name": method.name} | {item.name: getattr(method, item.name) for item in fields(method)}
