"""JSON output of the command line: each command has a schema, and each change of its form a new version."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING

from sdcwidgets import __version__
from sdcwidgets._util.publication import is_published

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.methods import Method

#: Commands that print JSON, each with the version of its schema. The schemas are in `schemas`.
VERSIONS: Mapping[str, int] = {
    "assess": 3,
    "attack": 3,
    "compare": 1,
    "list": 5,
    "microdata": 1,
    "protect": 1,
    "study": 2,
    "suppress": 1,
    "tables": 2,
}


def schema(command: str) -> dict[str, object]:
    """Return the JSON schema of the output of a command.

    Examples
    --------
    >>> schema("assess")["$id"]
    'sdcwidgets:assess:3'
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


def public_method_values(method: Method) -> dict[str, object]:
    """Return the name and the public settings of a method."""
    settings = (item.name for item in fields(method) if is_published(method.name, item.name))
    return {"name": method.name} | {name: getattr(method, name) for name in settings}


def published_values(names: Sequence[str], frame: pd.DataFrame) -> dict[str, object]:
    """Return the axes and the published counts of a release.

    Parameters
    ----------
    names : sequence of str
        Names of the axes.
    frame : DataFrame
        Result of `to_frame` of a release: the labels, the columns `value` and `symbol`.
    """
    cells = list(frame.iloc[:, : len(names)].itertuples(index=False, name=None))
    axes = [
        {"name": name, "labels": list(dict.fromkeys(cell[k] for cell in cells))}
        for k, name in enumerate(names)
    ]
    counts = [
        {"cell": list(cell), "value": None if value != value else value, "symbol": symbol}
        for cell, value, symbol in zip(cells, frame["value"].tolist(), frame["symbol"].tolist(), strict=True)
    ]
    return {"axes": axes, "counts": counts}
