"""A release with fewer categories beside the original table: each in the categories of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.margins import grouped, spread
from sdcwidgets.tables.release.published import Published
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Floats


def regroup(release: Published, table: FrequencyTable) -> FrequencyTable:
    """Return `Release.regroup`."""
    if table.respondents is not None:
        alone = regroup(release, table.with_respondents(None))
        return alone.with_respondents(regroup(release, table.respondents).counts)
    counts = table.counts
    if len(table.axes) != release.ndim:
        raise InputError(
            f"The table has {len(table.axes)} axes and the release {release.ndim}; both need the same."
        )
    for k, places in enumerate(_places(release, table)):
        if places != list(range(len(release.axes[k]))):
            counts = grouped(counts, k, places, len(release.axes[k]))
    return FrequencyTable(counts, release.axes)


def spread_over(release: Published, table: FrequencyTable) -> Floats:
    """Return `Release.spread`."""
    cells = release.cells
    for k, places in enumerate(_places(release, table)):
        if places != list(range(len(release.axes[k]))):
            cells = spread(cells, k, places)
    return cells


def _places(release: Published, table: FrequencyTable) -> list[list[int]]:
    """Return for each axis which published category each of the table's goes to."""
    maps = [release.merged.get(axis.name, {}) for axis in release.axes]
    return [
        [axis.position(to.get(label, label)) for label in old]
        for axis, old, to in zip(release.axes, table.axes, maps, strict=True)
    ]
