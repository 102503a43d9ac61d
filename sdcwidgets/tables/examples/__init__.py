"""Published example tables by name, with their sources.

Examples
--------
>>> load("thesis-3-6-1").counts
array([0, 2, 4])
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from sdcwidgets._util.errors import unknown_name
from sdcwidgets.tables.table import FrequencyTable

__all__ = ["PublishedTable", "available", "get", "load"]


@dataclass(frozen=True)
class PublishedTable:
    """Published table with its source and licence.

    Attributes
    ----------
    name : str
        Name in kebab-case, for `load`.
    title : str
        Title in lists.
    kind : str
        "census" for counts of real people, "worked example" for constructed counts.
    source : str
        Publication and number of the table.
    licence : str
        Licence of the figures.
    note : str
        Remark on the use of the table, for example about labels that the source does not contain.
    table : FrequencyTable
        Counts without totals.
    unit : str
        Unit of the counts, by default "people".
    """

    name: str
    title: str
    kind: str
    source: str
    licence: str
    note: str
    table: FrequencyTable
    unit: str = "people"


@cache
def available() -> Mapping[str, PublishedTable]:
    """Return all examples by name, census tables first."""
    text = files(__name__).joinpath("tables.json").read_text(encoding="utf-8")
    return MappingProxyType({name: _example(name, **record) for name, record in json.loads(text).items()})


def get(name: str) -> PublishedTable:
    """Return the example with this name.

    Raises
    ------
    InputError
        If the example does not exist.

    Examples
    --------
    >>> from sdcwidgets import examples
    >>> type(examples.get("religion")).__name__
    'PublishedTable'
    """
    try:
        return available()[name]
    except (KeyError, TypeError):
        raise unknown_name("example", name, available()) from None


def is_published(text: str) -> bool:
    """Return whether a text is the title or the source of an example, which are published.

    Examples
    --------
    >>> is_published(get("religion").title), is_published("Table of 37 people")
    (True, False)
    """
    return any(text in (example.title, example.source) for example in available().values())


def load(name: str) -> FrequencyTable:
    """Return the frequency table of an example.

    Raises
    ------
    InputError
        If the example does not exist.

    Examples
    --------
    PSD 2014, section 5, gives its population as N = 2449:

    >>> load("religion")
    FrequencyTable(Area: 10, Religion: 9; total 2,449)
    """
    return get(name).table


def _example(name: str, *, axes: dict[str, list[str]], counts: list[Any], **words: str) -> PublishedTable:
    return PublishedTable(name=name, table=FrequencyTable(counts, axes), **words)
