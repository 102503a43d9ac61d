"""Linked tables of one's own: several by two of the axes each, instead of one of all axes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from sdcwidgets.errors import InputError
from sdcwidgets.hierarchy import axes_of
from sdcwidgets.labels import counted, quoted
from sdcwidgets.pages.suppression.sheet import SMALL
from sdcwidgets.suppressing import Gaps, suppressed
from sdcwidgets.table import FrequencyTable

#: The axes of a table, and of several.
Pair: TypeAlias = tuple[str, str]
Pairs: TypeAlias = tuple[Pair, ...]

#: Linked tables of more numbers are left to the command line, since a page should not wait for long.
MOST_NUMBERS = 1_500


@dataclass(frozen=True)
class OwnLinks:
    """The gaps of linked tables, or why there are none, and what to say."""

    gaps: Gaps | None
    sentence: str


def pairs_of(table: FrequencyTable) -> Pairs:
    """Return the tables by two axes that a table of three axes or more can be published as.

    >>> pairs_of(FrequencyTable([[[1]]], {"A": "a", "B": "b", "C": "c"}))
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
    """
    return tuple(itertools.combinations([axis.name for axis in table.axes], 2)) if table.ndim > 2 else ()


def checked_pairs(tables: Pairs, table: FrequencyTable) -> Pairs:
    """Return the same tables, each once and in the order of the axes, or raise InputError."""
    axes_of(tables, [axis.name for axis in table.axes])
    known = pairs_of(table)
    if wrong := [one for one in tables if one not in known]:
        raise InputError(f"{quoted(' by '.join(wrong[0]))} is no table by two of three axes or more.")
    return tuple(one for one in known if one in tables)


@lru_cache(maxsize=16)
def own_links(table: FrequencyTable, tables: Pairs, width: int, cost: str, coalition: int) -> OwnLinks:
    """Return the gaps of linked tables: ones and twos, and what would give them away in any of the tables."""
    if not pairs_of(table):
        return OwnLinks(None, "A table of three axes or more can be published as tables by two of them.")
    if not tables:
        return OwnLinks(None, "Choose the tables that are published instead of one of all axes.")
    sizes = {axis.name: len(axis) + 1 for axis in table.axes}
    numbers = sum(sizes[one] * sizes[other] for one, other in tables)
    if numbers > MOST_NUMBERS:
        return OwnLinks(
            None,
            f"These have {numbers:,} numbers; `sdcwidgets protect --tables` takes more than {MOST_NUMBERS:,}.",
        )
    try:
        gaps = suppressed(
            table, least=SMALL, width=width - 1, cost=cost, coalition=coalition, tables=tables, audited=False
        )
    except InputError as error:
        return OwnLinks(None, str(error))
    more = int(gaps.pattern.secondary.sum())
    small = int(gaps.pattern.suppressed.sum()) - more
    sentence = (
        f"{counted(small, 'small number')} and {more:,} more are gaps; a sum that two tables share is one in both. "
        f"{gaps.caution}"
    )
    return OwnLinks(gaps, sentence.strip())
