"""What a method did to a table, in plain words for verdicts and reports; internal, because it needs original counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdcwidgets._util.labels import counted_units, quoted, shortened
from sdcwidgets.core.margins import margins
from sdcwidgets.methods.base import Method
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Names of methods whose title is not the subject of a sentence.
_TITLES = {
    "cell-key": "Cell key noise",
    "post-randomisation": "Post-randomisation",
}


class MethodEffect(NamedTuple):
    """Name of a method, and what it did to a table as the rest of a sentence.

    Examples
    --------
    >>> print(MethodEffect("Record swapping", "moved 20 people between categories of Area"))
    record swapping moved 20 people between categories of Area
    """

    method: str
    words: str

    def __str__(self) -> str:
        """Return the clause, which begins with a small letter."""
        return f"{self.method[:1].lower()}{self.method[1:]} {self.words}"

    @property
    def sentence(self) -> str:
        """The clause as a sentence."""
        return f"{self.method} {self.words}."


def effect_of(table: FrequencyTable, release: Release | None) -> MethodEffect | None:
    """Return what a method did to a table: moved people, suppressed, merged, sampled or changed counts.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    release : Release or None
        A release of the table, or None for the original table.

    Returns
    -------
    MethodEffect or None
        None for the original table, and if the release does not state its method.

    Examples
    --------
    >>> from sdcwidgets import examples, protect
    >>> table = examples.load("religion")
    >>> for name in ("random-rounding", "record-swapping", "cell-suppression", "redesign"):
    ...     print(effect_of(table, protect(table, name, seed=2**60 + 12345)).sentence)  # doctest: +ELLIPSIS
    Random rounding changed ... of 90 counts by at most 2 and totals by at most ...
    Record swapping moved 244 people between categories of Area.
    Cell suppression suppressed ... of 90 counts and changed no other count.
    Redesign merged the 9 categories of Religion to ...
    """
    if release is None or release.method is None:
        return None
    method = release.method
    title = _TITLES.get(method.name, method.title)
    return MethodEffect(title, _words(table, release, method))


def _words(table: FrequencyTable, release: Release, method: Method) -> str:
    """Return what a method did to a table as the rest of a sentence."""
    if release.fraction < 1:
        sampled = round(release.fraction * table.total)
        return f"counted a sample of {sampled:,} of the {counted_units(table.total, table.unit)}"
    merged = [
        f"the {len(old)} categories of {_axis_name(old.name)} to {len(new)}"
        for old, new in zip(table.axes, release.axes, strict=True)
        if len(new) < len(old)
    ]
    if merged:
        return f"merged {' and '.join(merged)}"
    if release.moved is not None and hasattr(method, "axis"):
        axis = table.axes[table.axis_along(method.axis)].name
        moved = counted_units(release.moved, table.unit) if release.moved else f"no {table.unit}"
        return f"moved {moved} between categories of {_axis_name(axis)}"
    return changed_counts(table, release)


def changed_counts(table: FrequencyTable, release: Release) -> str:
    """Return how many counts of a table are suppressed or changed, as the rest of a sentence.

    Examples
    --------
    >>> table = FrequencyTable([3, 6])
    >>> changed_counts(table, Release.of(FrequencyTable([3, 9], table.axes)))
    'changed 1 of 2 counts by at most 3'
    >>> changed_counts(table, Release.of(FrequencyTable([5, 8], table.axes)))
    'changed 2 of 2 counts by at most 2 and totals by at most 4'
    >>> changed_counts(table, Release.of(table))
    'changed no count'
    """
    original = release.regroup(table)
    hidden = release.suppressed
    differences = np.abs(release.cells - original.counts)[~hidden]
    # Unknown counts are not published, whatever the method does.
    number = original.cells - original.unknown_cells
    suppressed = int(hidden.sum()) - original.unknown_cells
    changed = int(np.count_nonzero(differences))
    largest = differences.max(initial=0)
    change = f"changed {changed:,} of {number:,} counts by at most {largest:,.15g}"
    of_totals = _largest_change_of_totals(original, release)
    if changed and of_totals > largest:
        change += f" and totals by at most {of_totals:,.15g}"
    if not suppressed:
        return change if changed else "changed no count"
    rest = change if changed else "changed no other count"
    return f"suppressed {suppressed:,} of {number:,} counts and {rest}"


def _largest_change_of_totals(original: FrequencyTable, release: Release) -> float:
    """Return the largest difference of a published total and the original total; 0 without totals."""
    totals = margins(original.counts)
    largest = 0.0
    for axes, values in release.values.items():
        if len(axes) < original.ndim:
            differences = np.abs(values - totals[axes])
            largest = max(largest, float(differences[~np.isnan(differences)].max(initial=0)))
    return largest


def _axis_name(name: str) -> str:
    """Return the name of an axis, in quotation marks if it has several words."""
    return shortened(name) if name.isidentifier() else quoted(shortened(name))
