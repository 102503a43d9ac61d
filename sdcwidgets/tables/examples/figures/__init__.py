"""Published figures as data, one file per publication."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _text(name: str) -> str:
    return files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")


def load(name: str) -> dict[str, Any]:
    """Return the published figures of a publication by the name of its file.

    Examples
    --------
    >>> load("h_functions")["rows"][0]
    {'F': [1, 1], 'epsilon': 0.1, 'h1': 0.933, 'h2': 0.9977, 'h3': 1.0}
    """
    figures: dict[str, object] = json.loads(_text(name))
    return figures
