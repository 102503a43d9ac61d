"""Put the parts of a sheet together: axes from labels, counts in their cells, totals off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.adding_up import is_total
from sdcwidgets.tables.io.layout.as_read import TotalLabels, grand_totals
from sdcwidgets.tables.io.layout.axes import axes_of, axis_names, crossed, without_codes, without_margins
from sdcwidgets.tables.io.layout.counts import counts_of
from sdcwidgets.tables.io.layout.doubts import (
    Written,
    heading_doubts,
    records_doubts,
    refuse_compact_pivot,
    twice_doubt,
)
from sdcwidgets.tables.io.layout.labelled import dates_for_ranges, without_empty, without_missing
from sdcwidgets.tables.io.layout.non_counts import drop_non_counts, persons_doubts
from sdcwidgets.tables.io.layout.outline import Outline
from sdcwidgets.tables.io.layout.row_labels import in_words
from sdcwidgets.tables.io.layout.scale import is_scaled_unit, thousands
from sdcwidgets.tables.io.layout.sheet import Decisions, settled
from sdcwidgets.tables.io.layout.size import check_size
from sdcwidgets.tables.io.layout.slices import sliced
from sdcwidgets.tables.io.layout.totals import TOTALS, kept_totals, totals_out
from sdcwidgets.tables.io.options import Reading, ReadOptions
from sdcwidgets.tables.io.questions import Doubt
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole

    Keys = list[list[str]]


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
    counts: Whole
    axes: tuple[Axis, ...] = ()
    optional: bool = False
    totals: bool = False
    grand_totals: TotalLabels = ()


def assemble(
    parts: Outline, how: ReadOptions, limit: int | None, *, codes: bool = True, own: bool = False
) -> Reading:
    """Make a table of its parts: each of `STAGES` takes the layout on, and says what it decided.

    Parameters
    ----------
    parts : Outline
    how : ReadOptions
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
    stages = [stage for stage, also_own in STAGES if also_own or not own]
    layout, notes, choices = settled(stages, layout, how)
    if own:
        choices.append(replace(TOTALS, chosen=("keep",)))
    table = FrequencyTable(layout.counts, layout.axes)
    totals = tuple(map(tuple, layout.grand_totals))
    return Reading(table, (*parts.notes, *notes), tuple(choices), layout.totals, totals)


def _only_people(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Leave out what is no people."""
    parts, optional, decided = drop_non_counts(layout.parts, how)
    doubts = persons_doubts(layout.parts, tuple(decided.doubts))
    if doubts:
        return replace(layout, parts=parts, optional=optional), Decisions(doubts=doubts)
    return replace(layout, parts=parts, optional=optional), decided


def _not_records(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Ask where each row may be a record, and refuse a pivot table in compact form."""
    parts = layout.parts
    depth = len(parts.labels[0])
    refuse_compact_pivot(parts.names[:depth], parts.labels)
    doubts = list[Doubt]()
    if not parts.named and layout.codes:
        doubts += records_doubts(parts.headings, parts.names[:depth])
        if depth > 1:
            doubts += heading_doubts(parts.headings, parts.names[:depth])
    notes = dates_for_ranges([*zip(*parts.labels, strict=True), *zip(*parts.headings, strict=True)])
    for column in list(zip(*parts.labels, strict=True)) if layout.codes and depth > 1 else ():
        if len(column) > 1 and len(set(column)) == 1 and is_scaled_unit(column[0]):
            scale = thousands("Each row", column[0], how)
            return layout, Decisions((*notes, *scale.notes), scale.choices, (*doubts, *scale.doubts))
    return layout, Decisions(notes, (), doubts)


def _as_written(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read marks and flags in numbers."""
    written, parts = Written(), layout.parts
    cells = [[written.read(cell, how) for cell in row] for row in parts.cells]
    return replace(layout, parts=replace(parts, cells=cells)), Decisions(
        *written.decided(how), written.doubts(how)
    )


def _without_missing(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Fill empty cells, and leave out rows with gaps."""
    parts, filled = without_empty(layout.parts, how)
    parts, gone = without_missing(parts, how)
    return replace(layout, parts=parts), Decisions(
        (*filled.notes, *gone.notes), (*filled.choices, *gone.choices)
    )


def _with_counts(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read the counts in the cells."""
    parts = layout.parts
    names = axis_names(parts.names, len(parts.labels[0]))
    counts, doubts = counts_of(names, parts.labels, parts.headings, parts.cells, how)
    return replace(layout, counts=counts), Decisions(doubts=doubts)


def _without_blank_totals(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Leave out a row or column without a label that is the sum of all others."""
    parts, counts, notes = layout.parts, layout.counts, list[str]()
    row = _blank_total(parts.labels, counts) if how.margins != "keep" else None
    if row is not None:
        counts = np.delete(counts, row, axis=0)
        parts = replace(
            parts,
            labels=[key for i, key in enumerate(parts.labels) if i != row],
            cells=[cells for i, cells in enumerate(parts.cells) if i != row],
        )
        notes.append(
            "The import omitted the totals row without a label, because its counts are the sums of "
            "the other rows."
        )
    column = _blank_total(parts.headings, counts.T) if how.margins != "keep" else None
    if column is not None:
        counts = np.delete(counts, column, axis=1)
        parts = replace(
            parts,
            headings=[key for j, key in enumerate(parts.headings) if j != column],
            cells=[[cell for j, cell in enumerate(cells) if j != column] for cells in parts.cells],
        )
        notes.append(
            "The import omitted the totals column without a label, because its counts are the sums "
            "of the other columns."
        )
    layout = replace(layout, parts=parts, counts=counts, totals=layout.totals or bool(notes))
    return layout, Decisions(notes)


def _blank_total(labels: Sequence[Sequence[str]], counts: Whole) -> int | None:
    """Return the only line without a label if it is the sum of at least two others; else None."""
    blank = [i for i, key in enumerate(labels) if not any(label.strip() for label in key)]
    if len(blank) != 1 or len(labels) < 3 or not counts.any():
        return None
    line = blank[0]
    return line if np.array_equal(2 * counts[line], counts.sum(axis=0)) else None


def _once(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Leave open what a long table holds in which a combination is there twice."""
    return layout, Decisions(doubts=_twice(layout.parts))


def _with_axes(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Give the counts a dimension for each axis, without codes and margins that pandas writes."""
    parts, notes = layout.parts, list[str]()
    names, depth = list(parts.names), len(parts.labels[0])
    down, down_names = parts.labels, names[:depth]
    if layout.codes and depth > 1 and not parts.named:
        down, down_names = without_codes(down, down_names, axis_names(names, depth), notes)
    across, across_names = parts.headings, names[depth:]
    single = len(across) == 1 and len(across[0]) == 1 and across_names[-1] is None
    names_to_complete = list(down_names) if single else [*down_names, *across_names]
    all_names = axis_names(names_to_complete, len(down_names))
    lines = len(down) + len(across)
    down, counts = without_margins(down, layout.counts, 0, notes)
    across, counts = without_margins(across, counts, 1, notes)
    totals = len(down) + len(across) < lines
    axes = axes_of(down, all_names[: len(down_names)])
    columns = [] if single else axes_of(across, all_names[len(down_names) :])
    if not single and len(across[0]) == 1 and len(down_names) == 1:
        axes += columns
    else:
        counts, axes = crossed(counts, axes, down, columns, across, layout.limit, notes)
    return replace(layout, counts=counts, axes=tuple(axes), totals=totals), Decisions(notes)


def _one_slice(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Read one label of an axis where it was chosen, and ask where an axis has times."""
    counts, axes, decided = sliced(layout.counts, layout.axes, how)
    return replace(layout, counts=counts, axes=tuple(axes)), decided


def _without_totals(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Leave totals out, or say that they are kept."""
    if not layout.axes:  # one cell was chosen
        return layout, Decisions()
    if how.margins == "keep":
        return layout, Decisions(
            kept_totals(layout.counts, layout.axes, layout.parts.blanks), (replace(TOTALS, chosen=("keep",)),)
        )
    ask = how.margins == "ask"
    doubts = not (layout.parts.named and ask)
    counts, axes, decided = totals_out(
        layout.counts, layout.axes, ask=ask, doubts=doubts, blanks=layout.parts.blanks
    )
    choices = (replace(TOTALS, chosen=("drop",)),) if decided.notes or layout.optional else ()
    totals = layout.totals or bool(decided.notes)
    grand = grand_totals(layout.counts, layout.axes, axes)
    before, after = layout.axes[0], axes[0]
    inside = [label for label in before if label not in after and not is_total(label)]
    refuse_compact_pivot([before.name], [[label] for label in before], inside=bool(inside))
    layout = replace(layout, counts=counts, axes=axes, totals=totals, grand_totals=grand)
    return layout, decided._replace(choices=choices)


def _is_a_table(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Refuse what holds nobody."""
    if layout.counts.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not layout.counts.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    return layout, Decisions()


def _told_percentages(layout: Layout, how: ReadOptions) -> tuple[Layout, Decisions]:
    """Say where lines sum to 100."""
    return layout, Decisions(_percentages(layout.counts))


#: From parts to a table, in order; and whether what `FrequencyTable.to_csv` wrote passes through a stage too.
STAGES = (
    (_not_records, False),
    (_only_people, False),
    (_as_written, False),
    (_without_missing, False),
    (_with_counts, True),
    (_without_blank_totals, False),
    (_once, False),
    (_with_axes, True),
    (_one_slice, False),
    (_without_totals, False),
    (_is_a_table, True),
    (_told_percentages, False),
)


def _percentages(table: Whole) -> list[str]:
    """Return a note where all lines along an axis sum to 100, as percentages do."""
    for k in range(table.ndim - 1, -1, -1):
        sums = table.sum(axis=k)
        if table.ndim > 1 and table.shape[k] > 1 and sums.size > 2 and (abs(sums - 100) <= 1).all():
            line = ("column", "row")[k] if table.ndim == 2 else "line"
            about = "" if (sums == 100).all() else "about "
            return [
                f"Every {line} sums to {about}100, so the numbers look like percentages, not like "
                f"counts of people."
            ]
    return []


def _twice(parts: Outline) -> list[Doubt]:
    """Return what a long table may hold in which a combination of labels is there twice."""
    names = parts.names[:-1]
    heading = parts.headings[0][-1].strip()
    if len(parts.headings) > 1 or len(parts.headings[0]) > 1 or not heading:
        return []
    if parts.named or not all(names) or len({*names, heading}) <= len(names):
        return []
    known = [str(name).strip() for name in names]
    times = Counter(map(tuple, parts.labels))
    return [twice_doubt(in_words(key, known), known, heading) for key, many in times.items() if many > 1]
