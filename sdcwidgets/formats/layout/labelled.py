"""What labels and cells are that a spreadsheet or an office changed: ages taken for dates, gaps in place of counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sdcwidgets.formats.how import How
from sdcwidgets.formats.layout.cells import is_blank
from sdcwidgets.formats.layout.gaps import gap_in, range_in
from sdcwidgets.formats.layout.outline import Outline
from sdcwidgets.formats.layout.words import words
from sdcwidgets.labels import counted, listed, quoted

__all__ = ["dates_for_ranges", "without_gaps"]

#: How a spreadsheet shows "1-4" that it took for a day of this year, or keeps it.
_DATE = re.compile(
    rf"\d{{1,2}}[-. ]({words('month')})\.?|({words('month')})[-. ]\d{{2}}|\d{{4}}-\d\d-\d\d", re.IGNORECASE
)


def dates_for_ranges(axes: Sequence[Sequence[str]]) -> list[str]:
    """Say which labels are dates where others are ranges, as a spreadsheet makes them of ages.

    >>> dates_for_ranges([["0", "4-Jan", "5-9", "10-14"]])
    ['"4-Jan" stands among ranges such as "5-9": a spreadsheet takes ages such as "1-4" for dates; look at the label.']
    """
    notes = []
    for labels in axes:
        dates = [label for label in dict.fromkeys(labels) if _DATE.fullmatch(label.strip())]
        ranges = [label for label in labels if range_in(label)]
        if dates and ranges:
            stand = "stands" if len(dates) == 1 else "stand"
            look = "label" if len(dates) == 1 else "labels"
            notes.append(
                f"{listed(dates)} {stand} among ranges such as {quoted(ranges[0])}: a spreadsheet takes ages such as "
                f'"1-4" for dates; look at the {look}.'
            )
    return notes


def without_gaps(parts: Outline, how: How) -> tuple[Outline, tuple[str, ...]]:
    """Return the parts without rows that have a gap in place of a count, where that was chosen."""
    if how.flags != "out" or len(parts.labels[0]) > 1:  # a row less would be read as one of nobody
        return parts, ()
    gaps = [any(gap_in(cell) or is_blank(cell) for cell in row) for row in parts.cells]
    out = [labels for labels, gap in zip(parts.labels, gaps, strict=True) if gap]
    if not out or all(gaps):
        return parts, ()
    kept = [i for i, gap in enumerate(gaps) if not gap]
    left = replace(parts, labels=[parts.labels[i] for i in kept], cells=[parts.cells[i] for i in kept])
    names = listed([", ".join(labels) for labels in out])
    return left, (f"I left out {counted(len(out), 'row')} with a gap in place of a count: {names}.",)
