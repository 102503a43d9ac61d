"""Measures of the whole table: the deciding ones and additional ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sdcwidgets import measures
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.measures import Measure
from sdcwidgets.tables.table import FrequencyTable


def axis_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the measures for the vertical and the horizontal axis, which all methods have."""
    return _axis_names(measures.available())


@lru_cache(maxsize=8)
def _axis_names(available: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    upwards, across = [], []
    for name in available:
        measure = measures.get(name)
        if set(measure.needs) != {"before", "after"} or measure.version_of:
            continue
        if measure.direction in ("risk", "protection"):
            upwards.append(name)
        elif measure.direction in ("loss", "utility"):
            across.append(name)
    return tuple(upwards), tuple(across)


def besides(table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
    """Return the measures of the whole table that are computed in addition to the usual ones.

    Other versions of a measure are computed only if the setting of the version requests them.
    """
    shared = [
        measure
        for measure in measures.select(table, settings)
        if not measure.usual and not measure.version_of and set(measure.needs) == {"before", "after"}
    ]
    return tuple(shared)


def complete(point: Replications, wanted: Sequence[Measure]) -> Replications:
    """Return the same replicates with these measures; they are generated again if a measure is missing."""
    if set(wanted) <= point.draws.keys():
        return point
    more = (*besides(point.table, point.settings), *wanted)
    run = Run(point.table, point.method, point.settings, more=more)
    run.draw(point.size)
    return run.result()
