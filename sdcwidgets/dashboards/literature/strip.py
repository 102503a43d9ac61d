"""The values of all two-way measures for the same table, in the order of their years."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from sdcwidgets._util.errors import InputError
from sdcwidgets.dashboards.literature.state import CARDS, LiteratureState

#: Year of each measure that accepts a two-way table of a population.
YEARS = {"frank-1976": 1976, "frank-1978": 1978, "frechet": 1999, "sap": 2008}


class MeasureOfTable(NamedTuple):
    """The value of a measure for the table."""

    card: str
    year: int
    name: str
    value: str


def strip(state: LiteratureState) -> list[MeasureOfTable]:
    """Return the value of each measure for the table of the open card; empty for tables that they do not accept."""
    if state.name not in YEARS or state.table.ndim != 2:
        return []
    entries = []
    for name, year in sorted(YEARS.items(), key=lambda item: item[1]):
        with suppress(InputError):  # a measure may have a smaller maximum of people
            worked = CARDS[name].worked(state.table, state.settings)
            entries.append(MeasureOfTable(name, year, worked.name, worked.value))
    return entries


def opened(state: LiteratureState, name: str) -> LiteratureState:
    """Return the state with another card, and with the same table if the measure of this card is in the strip."""
    if name in {entry.card for entry in strip(state)}:
        return replace(state, name=name)
    return LiteratureState(name, settings=state.settings)
