"""Measures of the whole table: those that decide, those that are measured besides, and settings that lack some."""

from __future__ import annotations

from collections.abc import Sequence

from sdcwidgets import measures
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.measures import Measure
from sdcwidgets.tables.table import FrequencyTable


def axis_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the measures that the map offers upwards and across: what every method has."""
    every = (measures.get(name) for name in measures.available())
    shared = [one for one in every if set(one.needs) == {"before", "after"}]
    sides = (("risk", "protection"), ("loss", "utility"))
    upwards, across = (tuple(one.name for one in shared if one.direction in side) for side in sides)
    return upwards, across


def besides(table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
    """Return the measures that are taken of the whole table besides the usual ones."""
    found = measures.select(table, settings)
    return tuple(one for one in found if not one.usual and set(one.needs) == {"before", "after"})


def complete(point: Replications, wanted: Sequence[Measure]) -> Replications:
    """Return the same draws with these measures; they are made again where one is missing."""
    if all(one in point.draws for one in wanted):
        return point
    run = Run(point.table, point.method, point.settings, more=besides(point.table, point.settings))
    run.draw(point.size)
    return run.result()
