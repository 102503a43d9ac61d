"""The original table, assessed and judged once for all methods."""

from __future__ import annotations

from functools import lru_cache

from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.assessment.verdict import ReleaseLimits, Verdict, judge
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


@lru_cache(maxsize=8)
def assessed(table: FrequencyTable, settings: Settings) -> Assessment:
    """Assess a table before protection; the result is cached for all methods."""
    return Assessment.of(table, settings)


@lru_cache(maxsize=8)
def judged(
    table: FrequencyTable,
    limits: ReleaseLimits,
    settings: Settings,
    other_tables: tuple[FrequencyTable, ...],
    *,
    closely: bool,
    unpublished: tuple[str, ...] = (),
) -> Verdict:
    """Judge a table without protection; the verdict is cached for all methods."""
    others = [Release.of(other) for other in other_tables]
    return judge(
        table,
        None,
        limits,
        settings=settings,
        others=others,
        closely=closely,
        unpublished=unpublished,
    )
