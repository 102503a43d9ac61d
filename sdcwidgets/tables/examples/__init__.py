"""Published tables by name, each with its source; they are read at first use.

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

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.table import FrequencyTable

__all__ = ["PublishedTable", "available", "get", "load"]


@dataclass(frozen=True)
class PublishedTable:
    """A published table and what is known of it.

    Attributes
    ----------
    name : str
        What `load` takes, in kebab-case.
    title : str
        What a person chooses from a list.
    kind : str
        "census" for counts of real people, "worked example" for a text's own figures.
    source : str
        The publication and the number of its table.
    licence : str
        Under what terms the figures stand here.
    note : str
        What to know before using it, such as labels that the source does not print.
    table : FrequencyTable
        The counts without their totals.
    unit : str
        What is counted; where it is not "people", the words after a number of it.
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
    """Return every example by its name, census tables first."""
    text = files(__name__).joinpath("tables.json").read_text(encoding="utf-8")
    return MappingProxyType({name: _example(name, **record) for name, record in json.loads(text).items()})


def get(name: str) -> PublishedTable:
    """Return the example of this name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> from sdcwidgets import examples
    >>> type(examples.get("religion")).__name__
    'PublishedTable'
    """
    try:
        return available()[name]
    except KeyError:
        raise InputError(f"There is no example {name!r}; there are {', '.join(available())}.") from None


def load(name: str) -> FrequencyTable:
    """Return the table of the example of this name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    PSD 2014, section 5, gives its population as N = 2449:

    >>> load("religion")
    FrequencyTable(Area: 10, Religion: 9; total 2,449)
    """
    return get(name).table


def _example(name: str, *, axes: dict[str, list[str]], counts: list[Any], **words: str) -> PublishedTable:
    return PublishedTable(name=name, table=FrequencyTable(counts, axes), **words)
