"""Put the parts of a sheet together: axes from labels, counts in their cells, totals off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.formats.how import Choice, How, Reading
from sdcwidgets.formats.layout.axes import axes_of, axis_names, crossed, without_codes, without_margins
from sdcwidgets.formats.layout.counts import counts_of
from sdcwidgets.formats.layout.doubts import (
    Written,
    ask_heading,
    ask_records,
    ask_twice,
    refuse_compact_pivot,
)
from sdcwidgets.formats.layout.labelled import dates_for_ranges, without_gaps
from sdcwidgets.formats.layout.long import check_size
from sdcwidgets.formats.layout.no_people import without_other_things
from sdcwidgets.formats.layout.outline import Outline
from sdcwidgets.formats.layout.row_labels import in_words
from sdcwidgets.formats.layout.slices import sliced
from sdcwidgets.formats.layout.totals import TOTALS, kept_totals, without_totals
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Keys = list[list[str]]

__all__ = ["assemble"]


@dataclass(frozen=True)
class Layout:
    """A table while it is put together: first its parts, then counts with an axis for each dimension.

    Attributes
    ----------
    parts : Outline
    limit : int or None
        The most cells.
    codes : bool
        Whether a column of labels may be only a code of another one.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that it is taken as it is.
    counts, axes
        Counts in rows and columns, and after `_with_axes` with a dimension for each axis.
    optional, totals : bool
        Whether something was left out that may be kept; whether there were totals beside the cells.
    """

    parts: Outline
    limit: int | None
    codes: bool
    own: bool
    counts: Counts
    axes: tuple[Axis, ...] = ()
    optional: bool = False
    totals: bool = False


class Decisions(NamedTuple):
    """What a stage did: the sentences that say so, and what could have been read otherwise."""

    notes: Iterable[str] = ()
    choices: Iterable[Choice] = ()


Stage = Callable[[Layout, How], tuple[Layout, Decisions]]


def assemble(
    parts: Outline, how: How, limit: int | None, *, codes: bool = True, own: bool = False
) -> Reading:
    """Make a table of its parts: each of `STAGES` takes the layout on, and says what it decided.

    Parameters
    ----------
    parts : Outline
    how : How
    limit : int or None
        The most cells.
    codes : bool
        Whether a column of labels may be only a code of another one.
    own : bool
        Whether `FrequencyTable.to_csv` wrote it, so that no line of it is a total.

    Raises
    ------
    Question, InputError
        See `reading.read_bytes`.
    """
    if not parts.labels or not parts.headings:
        raise InputError("The table is empty; it needs at least one row and one column of counts.")
    check_size((len(parts.labels), len(parts.headings)), limit)
    layout = Layout(parts, limit, codes, own, np.zeros((0, 0), dtype=np.int64))
    notes, choices = list(parts.notes), list[Choice]()
    for stage, also_own in STAGES:
        if also_own or not own:
            layout, decided = stage(layout, how)
            notes += decided.notes
            choices += decided.choices
    if own:
        choices.append(replace(TOTALS, chosen=("keep",)))
    return Reading(FrequencyTable(layout.counts, layout.axes), tuple(notes), tuple(choices), layout.totals)


def _only_people(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Leave out what is no people."""
    parts, notes, optional = without_other_things(layout.parts, how)
    return replace(layout, parts=parts, optional=optional), Decisions(notes)


def _not_records(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Ask where each row may be a record, and refuse a pivot table in compact form."""
    parts = layout.parts
    depth = len(parts.labels[0])
    refuse_compact_pivot(parts.names[:depth], parts.labels)
    if not parts.named and layout.codes:
        ask_records(parts.headings, parts.names[:depth])
        if depth > 1:
            ask_heading(parts.headings, parts.names[:depth])
    return layout, Decisions(
        dates_for_ranges([*zip(*parts.labels, strict=True), *zip(*parts.headings, strict=True)])
    )


def _as_written(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Read marks and flags in numbers."""
    written, parts = Written(), layout.parts
    cells = [[written.read(cell, how) for cell in row] for row in parts.cells]
    written.ask(how.marks)
    notes, choices = written.told(how)
    parts, gone = without_gaps(replace(parts, cells=cells), how)
    return replace(layout, parts=parts), Decisions((*notes, *gone), choices)


def _with_counts(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Read the counts in the cells."""
    parts = layout.parts
    names = axis_names(parts.names, len(parts.labels[0]))
    return replace(layout, counts=counts_of(names, parts.labels, parts.headings, parts.cells)), Decisions()


def _once(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Ask what a long table holds in which a combination is there twice."""
    _ask_twice(layout.parts)
    return layout, Decisions()


def _with_axes(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Give the counts a dimension for each axis, without codes and margins that pandas writes."""
    parts, notes = layout.parts, list[str]()
    names, depth = list(parts.names), len(parts.labels[0])
    down, down_names = parts.labels, names[:depth]
    if layout.codes and depth > 1 and not parts.named:
        down, down_names = without_codes(down, down_names, axis_names(names, depth), notes)
    across, across_names = parts.headings, names[depth:]
    one = len(across) == 1 and len(across[0]) == 1 and across_names[-1] is None
    all_names = axis_names([*down_names, *([] if one else across_names)], len(down_names))
    lines = len(down) + len(across)
    down, counts = without_margins(down, layout.counts, 0, notes)
    across, counts = without_margins(across, counts, 1, notes)
    totals = len(down) + len(across) < lines
    axes = axes_of(down, all_names[: len(down_names)])
    columns = [] if one else axes_of(across, all_names[len(down_names) :])
    if not one and len(across[0]) == 1 and len(down_names) == 1:
        axes += columns
    else:
        counts, axes = crossed(counts, axes, down, columns, across, layout.limit, notes)
    return replace(layout, counts=counts, axes=tuple(axes), totals=totals), Decisions(notes)


def _one_slice(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Read one label of an axis where it was chosen, and ask where an axis has times."""
    counts, axes, notes, choices = sliced(layout.counts, layout.axes, how)
    return replace(layout, counts=counts, axes=tuple(axes)), Decisions(notes, choices)


def _without_totals(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Leave totals out, or say that they are kept."""
    if how.margins == "keep":
        return layout, Decisions(
            kept_totals(layout.counts, layout.axes), (replace(TOTALS, chosen=("keep",)),)
        )
    ask = how.margins == "ask"
    doubts = not (layout.parts.named and ask)
    counts, axes, notes = without_totals(layout.counts, layout.axes, ask=ask, doubts=doubts)
    choices = (replace(TOTALS, chosen=("drop",)),) if notes or layout.optional else ()
    totals = layout.totals or bool(notes)
    return replace(layout, counts=counts, axes=axes, totals=totals), Decisions(notes, choices)


def _is_a_table(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Refuse what holds nobody."""
    if layout.counts.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not layout.counts.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    return layout, Decisions()


def _told_percentages(layout: Layout, how: How) -> tuple[Layout, Decisions]:
    """Say where lines sum to 100."""
    return layout, Decisions(_percentages(layout.counts))


#: From parts to a table, in order; and whether what `FrequencyTable.to_csv` wrote passes through a stage too.
STAGES: tuple[tuple[Stage, bool], ...] = (
    (_not_records, False),
    (_only_people, False),
    (_as_written, False),
    (_with_counts, True),
    (_once, False),
    (_with_axes, True),
    (_one_slice, False),
    (_without_totals, False),
    (_is_a_table, True),
    (_told_percentages, False),
)


def _percentages(table: Counts) -> list[str]:
    """Return a note where all lines along an axis sum to 100, as percentages do."""
    for k in range(table.ndim - 1, -1, -1):
        sums = table.sum(axis=k)
        if table.ndim > 1 and table.shape[k] > 1 and sums.size > 2 and (abs(sums - 100) <= 1).all():
            line = ("column", "row")[k] if table.ndim == 2 else "line"
            about = "" if (sums == 100).all() else "about "
            return [f"Every {line} sums to {about}100: these look like percentages, not counts of people."]
    return []


def _ask_twice(parts: Outline) -> None:
    """Ask what a long table holds in which a combination of labels is there twice: its columns may be chosen."""
    *names, _ = parts.names
    heading = parts.headings[0][-1].strip()
    if len(parts.headings) > 1 or len(parts.headings[0]) > 1 or not heading:
        return
    if parts.named or not all(names) or len({*names, heading}) <= len(names):
        return
    twice = next((key for key, times in Counter(map(tuple, parts.labels)).items() if times > 1), None)
    if twice is not None:
        known = [str(name).strip() for name in names]
        raise ask_twice(in_words(twice, known), known, heading)
