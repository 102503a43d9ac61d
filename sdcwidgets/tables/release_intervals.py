"""Intervals of original counts that follow from all published values of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import cell_name
from sdcwidgets.core.key_noise import MOST_SOURCES, MOST_VALUES, KeySystem, occupied
from sdcwidgets.core.possible_originals import combined, sharpened
from sdcwidgets.core.respondents import Unknowns

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole
    from sdcwidgets.core.margins import MarginAxes
    from sdcwidgets.core.ranges import Ranges
    from sdcwidgets.tables.release import Release


def recalculable(release: Release) -> dict[MarginAxes, Flags]:
    """Return `Release.recalculable`."""
    open_ = {margin: np.zeros(values.shape, dtype=bool) for margin, values in release.values.items()}
    sums = suppressed_sums(release)
    try:
        known = fixed_sums(release, [cells for *_, cells in sums], release.ranges()) if sums else ()
    except ValueError as error:
        raise InputError(str(error)) from None
    for (margin, at, _), computed in zip(sums, known, strict=True):
        open_[margin][at] = computed
    return open_


def suppressed_sums(release: Release) -> list[tuple[MarginAxes, tuple[int, ...], Whole]]:
    """Return margin, index and flat cell indices of each suppressed value."""
    cells = np.arange(int(np.prod(release.shape))).reshape(release.shape)
    cells_at = []
    for margin, values in release.values.items():
        turned = np.transpose(cells, (*margin, *[k for k in release.every if k not in margin]))
        turned = turned.reshape(*values.shape, -1)
        cells_at += [(margin, at, turned[at]) for at in map(tuple, np.argwhere(np.isnan(values)).tolist())]
    return cells_at


def cautions(release: Release, recalculable_of: Mapping[MarginAxes, Flags]) -> tuple[str, ...]:
    """Return `Release.cautions` for these recalculable cells."""
    every = sum(int(np.isnan(values).sum()) for values in release.values.values())
    places = [(margin, tuple(at)) for margin, open_ in recalculable_of.items() for at in np.argwhere(open_)]
    if not places:
        return ()
    if has_keys_of_sums(release) and is_too_large(release):
        return (
            f"The program did not examine whether the {every:,} suppressed values can be recalculated, because cell "
            "keys are not mixed with a secret, and the release or the p-table is too large for this analysis.",
        )
    margin, at = places[0]
    labels = [release.axes[k].labels[at[margin.index(k)]] if k in margin else "Total" for k in release.every]
    where = cell_name(labels, [axis.name for axis in release.axes])
    return (
        f"{len(places):,} of {every:,} suppressed values can be recalculated from published ones, for example "
        f"{where}. The method cell-suppression also suppresses the values that disclose small counts.",
    )


def published(release: Release) -> dict[MarginAxes, Floats]:
    """Return `Release.published`."""
    known = {
        margin: np.where(release.lower[margin] == release.upper[margin], release.lower[margin], np.nan)
        for margin in release.values
    }
    return {margin: array for margin, array in known.items() if not np.isnan(array).all()}


def together(release: Release, *, sharp: bool) -> tuple[Floats, Floats]:
    """Return the bounds of `Release.intervals`."""
    from sdcwidgets.core.ranges import cells_within

    try:
        ranges, groups = release.ranges(), occupied_groups(release)
        lower, upper = cells_within(release.shape, ranges, sharp=sharp, occupied=groups)
        system = _keys_of_sums(release, {**ranges, release.every: (lower, upper)}) if sharp else None
        if system is not None:
            lower, upper = system.bounds()
        if sharp and release.origins is not None and release.origins.possible is not None:
            lower, upper = sharpened(_with_origins(release, release.origins.possible), lower, upper)
        return lower, upper
    except ValueError as error:
        raise InputError(str(error)) from None


def certain_bounds(release: Release, sharp: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """Return the bounds of cells if the method moved all people whom it selects.

    `sharp` are the bounds of `Release.cell_bounds`, if they are computed already.
    """
    lower, upper = sharp or together(release, sharp=True)
    if release.origins is None:
        return lower, upper
    try:
        lower, upper = sharpened(_with_origins(release, release.origins.certain), lower, upper)
    except ValueError as error:
        raise InputError(str(error)) from None
    return lower, upper


def constraints(release: Release) -> Unknowns:
    """Return the constraints that a data user knows; the first unknowns are the original cells."""
    if release.origins is not None:
        return _with_origins(release, release.origins.certain)
    return _published_constraints(release)


def _published_constraints(release: Release) -> Unknowns:
    from sdcwidgets.core.fixed_sums import of_table

    return Unknowns(*of_table(release.shape, release.ranges(), occupied_groups(release)))


def _with_origins(release: Release, system: Unknowns) -> Unknowns:
    return combined(_published_constraints(release), system)


def fixed_sums(release: Release, sums: Sequence[Whole], ranges: Ranges) -> Flags:
    """Return `Release.fixed_sums`."""
    from sdcwidgets.core import fixed_sums as search
    from sdcwidgets.core._linear import sums_of

    if release.origins is not None:
        known = constraints(release)
        return search.fixed_sums(*known, sums_of(list(sums), len(known.lower)))
    if has_keys_of_sums(release):
        system = _keys_of_sums(release, ranges)
        # Sums that cannot be examined count as determined.
        return np.ones(len(sums), dtype=bool) if system is None else system.fixed_sums(sums)
    return search.among_tables(release.shape, ranges, sums, occupied=occupied_groups(release))


def has_keys_of_sums(release: Release) -> bool:
    """Return whether the cell key of a total is the sum of the cell keys of its cells."""
    return release.key_noise is not None and not release.key_noise.mixed


def _keys_of_sums(release: Release, ranges: Ranges) -> KeySystem | None:
    """Return the system of counts and keys, None if inapplicable or too large."""
    if release.key_noise is None or release.key_noise.mixed or is_too_large(release):
        return None
    return KeySystem(release.shape, release.values, ranges, release.key_noise)


def is_too_large(release: Release) -> bool:
    """Return whether a release has too many values, or its p-table too many intervals, to analyse sums of cell keys."""
    numbers = [float(number) for values in release.values.values() for number in values.ravel()]
    if len(numbers) > MOST_VALUES:
        return True
    noise = release.key_noise
    if noise is None or not noise.step:
        return False
    return sum(len(noise.sources(number)) for number in numbers) > MOST_SOURCES


def occupied_groups(release: Release) -> list[Whole]:
    """Return groups of cells that must be occupied: noisy values differ, or a category was read from records."""
    groups = [] if release.key_noise is None else occupied(release.values, release.lower)
    return groups + _observed_categories(release)


def _observed_categories(release: Release) -> list[Whole]:
    """Return the cells of each category that occurs in the records, unless its bounds show this anyway."""
    places = np.arange(int(np.prod(release.shape))).reshape(release.shape)
    cells = release.lower.get(release.every, np.zeros(release.shape))
    groups = []
    for k, axis in enumerate(release.axes):
        if not axis.observed:
            continue
        others = tuple(j for j in release.every if j != k)
        least = np.maximum(cells.sum(axis=others), release.lower.get((k,), 0.0))
        groups += [places.take(i, axis=k).ravel() for i in np.flatnonzero(least < 1).tolist()]
    return groups
