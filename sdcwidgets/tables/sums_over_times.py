"""Totals over years and other times, which count the same people several times and are not published by default."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.tables.io.layout.contents import are_times
from sdcwidgets.tables.removed_axes import without_removed_axes

if TYPE_CHECKING:
    from sdcwidgets.tables.io.writers.as_read import AsRead
    from sdcwidgets.tables.release import Release


def as_in_files(release: Release, as_read: AsRead | None, *, totals: bool) -> Release:
    """Return a release as its files contain it, without removed variables and totals over times.

    Notes on totals that the files do not have are left out.

    Parameters
    ----------
    release : Release
    as_read : AsRead or None
        Layout of the source.
    totals : bool
        Whether the files have totals if the release does not fit the layout.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, Release
    >>> release = Release.of(FrequencyTable([31, 35], {"Year": ["2021", "2022"]}))
    >>> as_in_files(release, None, totals=False) is release, list(as_in_files(release, None, totals=True).values)
    (True, [(0,)])
    """
    release = without_removed_axes(release)
    if as_read is None or not as_read.fits(release):
        return without_sums_over_times(release) if totals else release.without_note_on_totals()
    if not as_read.has_totals(release):
        return release.without_note_on_totals()
    # The source can have totals over other axes only.
    without = without_sums_over_times(release)
    return without if as_read.fits(without) else release


def without_sums_over_times(release: Release) -> Release:
    """Return a release without its totals over years or other times, and with a note on them.

    The population at several times has the same people, so that its sum is no number of people.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, Release
    >>> table = FrequencyTable([[31, 35], [59, 55]], {"Area": ["A", "B"], "Year": ["2021", "2022"]})
    >>> without = without_sums_over_times(Release.of(table))
    >>> sorted(without.values), without.notes
    ([(0, 1), (1,)], ('Totals over "Year" are not published, because times can have the same people.',))
    """
    times = {k for k, axis in enumerate(release.axes) if are_times(axis.labels)}
    values = {margin: numbers for margin, numbers in release.values.items() if times <= set(margin)}
    if len(values) in (0, len(release.values)):
        return release
    names = and_more([quoted(release.axes[k].name) for k in sorted(times)], 3)
    note = f"Totals over {names} are not published, because times can have the same people."
    return replace(release, values=values, notes=(*release.notes, note))
