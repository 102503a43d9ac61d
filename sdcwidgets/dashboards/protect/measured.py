"""Measures of the whole table: the deciding ones and additional ones."""

from __future__ import annotations

from collections.abc import Sequence

from sdcwidgets import measures
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.measures import Measure
from sdcwidgets.tables.table import FrequencyTable


def axis_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the measures for the vertical and the horizontal axis, which all methods have."""
    every = (measures.get(name) for name in measures.available())
    shared = [measure for measure in every if set(measure.needs) == {"before", "after"}]
    sides = (("risk", "protection"), ("loss", "utility"))
    upwards, across = (
        tuple(measure.name for measure in shared if measure.direction in side) for side in sides
    )
    return upwards, across


def besides(table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
    """Return the measures of the whole table that are computed in addition to the usual ones."""
    every = measures.select(table, settings)
    return tuple(
        measure for measure in every if not measure.usual and set(measure.needs) == {"before", "after"}
    )


def complete(point: Replications, wanted: Sequence[Measure]) -> Replications:
    """Return the same replicates with these measures; they are generated again if a measure is missing."""
    if all(measure in point.draws for measure in wanted):
        return point
    run = Run(point.table, point.method, point.settings, more=besides(point.table, point.settings))
    run.draw(point.size)
    return run.result()
