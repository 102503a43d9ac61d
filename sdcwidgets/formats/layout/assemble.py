"""Put the parts of a sheet together: axes from labels, counts in their cells, totals off."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Row, Rows
from sdcwidgets.formats.how import Choice, How, NoCounts, Reading
from sdcwidgets.formats.layout.cells import flag_beside, is_blank, is_percentage, is_rounded
from sdcwidgets.formats.layout.doubts import (
    Written,
    ask_flag,
    ask_heading,
    ask_records,
    ask_twice,
    refuse_compact_pivot,
)
from sdcwidgets.formats.layout.gaps import gap_in, range_in
from sdcwidgets.formats.layout.labelled import dates_for_ranges, without_gaps
from sdcwidgets.formats.layout.long import check_size
from sdcwidgets.formats.layout.no_people import without_other_things
from sdcwidgets.formats.layout.outline import Outline
from sdcwidgets.formats.layout.row_labels import in_words
from sdcwidgets.formats.layout.slices import sliced
from sdcwidgets.formats.layout.totals import TOTALS, kept_totals, without_totals
from sdcwidgets.labels import MOST_PEOPLE, count_in, place, quoted
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


class Decided(NamedTuple):
    """What a stage did: the sentences that say so, and what could have been read otherwise."""

    notes: Iterable[str] = ()
    choices: Iterable[Choice] = ()


Stage = Callable[[Layout, How], tuple[Layout, Decided]]


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


def _only_people(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Leave out what is no people."""
    parts, notes, optional = without_other_things(layout.parts, how)
    return replace(layout, parts=parts, optional=optional), Decided(notes)


def _not_records(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Ask where each row may be a record, and refuse a pivot table in compact form."""
    parts = layout.parts
    depth = len(parts.labels[0])
    refuse_compact_pivot(parts.names[:depth], parts.labels)
    if not parts.named and layout.codes:
        ask_records(parts.headings, parts.names[:depth])
        if depth > 1:
            ask_heading(parts.headings, parts.names[:depth])
    return layout, Decided(
        dates_for_ranges([*zip(*parts.labels, strict=True), *zip(*parts.headings, strict=True)])
    )


def _as_written(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Read marks and flags in numbers."""
    written, parts = Written(), layout.parts
    cells = [[written.read(cell, how) for cell in row] for row in parts.cells]
    written.ask(how.marks)
    notes, choices = written.told(how)
    parts, gone = without_gaps(replace(parts, cells=cells), how)
    return replace(layout, parts=parts), Decided((*notes, *gone), choices)


def _with_counts(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Read the counts in the cells."""
    parts = layout.parts
    names = _named(parts.names, len(parts.labels[0]))
    return replace(layout, counts=_counts(names, parts.labels, parts.headings, parts.cells)), Decided()


def _once(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Ask what a long table holds in which a combination is there twice."""
    _ask_twice(layout.parts)
    return layout, Decided()


def _with_axes(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Give the counts a dimension for each axis, without codes and margins that pandas writes."""
    parts, notes = layout.parts, list[str]()
    names, depth = list(parts.names), len(parts.labels[0])
    down, down_names = parts.labels, names[:depth]
    if layout.codes and depth > 1 and not parts.named:
        down, down_names = _without_codes(down, down_names, _named(names, depth), notes)
    across, across_names = parts.headings, names[depth:]
    one = len(across) == 1 and len(across[0]) == 1 and across_names[-1] is None
    named = _named([*down_names, *([] if one else across_names)], len(down_names))
    lines = len(down) + len(across)
    down, counts = _without_margins(down, layout.counts, 0, notes)
    across, counts = _without_margins(across, counts, 1, notes)
    totals = len(down) + len(across) < lines
    axes = _axes(down, named[: len(down_names)])
    columns = [] if one else _axes(across, named[len(down_names) :])
    if not one and len(across[0]) == 1 and len(down_names) == 1:
        axes += columns
    else:
        counts, axes = _crossed(counts, axes, down, columns, across, layout.limit, notes)
    return replace(layout, counts=counts, axes=tuple(axes), totals=totals), Decided(notes)


def _one_slice(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Read one label of an axis where it was chosen, and ask where an axis has times."""
    counts, axes, notes, choices = sliced(layout.counts, layout.axes, how)
    return replace(layout, counts=counts, axes=tuple(axes)), Decided(notes, choices)


def _without_totals(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Leave totals out, or say that they are kept."""
    if how.margins == "keep":
        return layout, Decided(kept_totals(layout.counts, layout.axes), (replace(TOTALS, chosen=("keep",)),))
    ask = how.margins == "ask"
    doubts = not (layout.parts.named and ask)
    counts, axes, notes = without_totals(layout.counts, layout.axes, ask=ask, doubts=doubts)
    choices = (replace(TOTALS, chosen=("drop",)),) if notes or layout.optional else ()
    totals = layout.totals or bool(notes)
    return replace(layout, counts=counts, axes=axes, totals=totals), Decided(notes, choices)


def _is_a_table(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Refuse what holds nobody."""
    if layout.counts.size == 1:
        raise InputError("The table has one cell only; it needs at least two.")
    if not layout.counts.any():
        raise InputError("All counts are 0; a table needs at least one person.")
    return layout, Decided()


def _told_percentages(layout: Layout, how: How) -> tuple[Layout, Decided]:
    """Say where lines sum to 100."""
    return layout, Decided(_percentages(layout.counts))


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


def _named(names: Sequence[str | None], depth: int) -> list[str]:
    """Return the names of the axes, those without one by where they stand: `depth` columns of labels, headings."""
    over = max(len(names) - depth - 1, 0)
    usual = [*_numbered("Row", depth), *_numbered("Upper heading", over), "Column"]
    named = [name or usual[k] for k, name in enumerate(names)]
    if names[-1] is None and named[-1] in named[:-1]:
        named[-1] = "Columns"
    return named


def _numbered(name: str, number: int) -> list[str]:
    """Return so many names, all but the first with a number."""
    return [name, *(f"{name} {k}" for k in range(2, number + 1))][:number]


def _counts(names: list[str], labels: Keys, headings: Keys, cells: Rows) -> Counts:
    """Return the counts in the cells."""
    counts = np.empty((len(labels), len(headings)), dtype=np.int64)
    for i, row in enumerate(cells):
        read = [ROUNDED if is_rounded(cell) else count_in(cell) for cell in row]
        for j, count in enumerate(read):
            if isinstance(count, str):
                where = place([*labels[i], *headings[j]], names)
                if flag_beside(row[j]) and gap_in(row[j]) is None:
                    raise ask_flag(where, row[j])
                kind, why = _why_none(row[j], count, [line[j] for line in cells])
                raise kind(f"{where}: {why}.")
        counts[i] = read
    # Each axis may carry a total and totals of parts; what is left is checked again by the table.
    if counts.sum(dtype=np.float64) > 2.0**61 or (counts > MOST_PEOPLE).any():
        raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the most that is kept exactly.")
    return counts


#: Why a number such as "1.2E+05" is no count.
ROUNDED = "the number is rounded, as digits do not fit; save the file with all of them"


def _why_none(cell: Any, why: str, column: Row) -> tuple[type[InputError], str]:
    """Return what to raise for a cell of a column that holds no count, and the end of the sentence."""
    gap = gap_in(cell)
    if gap == "-":
        why = '"-" may mean nobody or a count that is not published; write 0 where there is nobody'
    elif gap:
        why = f"{quoted(gap)} stands for a count that is not published; the counts themselves are needed"
    elif is_percentage(cell):
        why = f"{quoted(cell)} is a percentage; the counts themselves are needed"
    if range_in(cell):
        return NoCounts, f"{why}; where it is a group of people, choose columns to count by (by)"
    if gap or is_blank(cell) or not isinstance(cell, str):
        return InputError, why
    if all(isinstance(one, str) and isinstance(count_in(one), str) for one in column):
        why += "; if each row is one person, choose columns to count by (by)"
    return NoCounts, why


def _without_codes(
    labels: Keys, given: list[str | None], names: list[str], notes: list[str]
) -> tuple[Keys, list[str | None]]:
    """Leave out columns of labels that only name again what another one names, such as codes of areas."""
    columns = [list(column) for column in zip(*labels, strict=True)]
    sizes = [len(set(column)) for column in columns]
    kept = list(range(len(columns)))
    for j in range(1, len(columns)):
        for k in [k for k in kept if k < j]:
            if sizes[k] == sizes[j] == len(set(zip(columns[k], columns[j], strict=True))) > 1:
                kept.remove(j)
                break
    left = math.prod(sizes[k] for k in kept)
    whole = next((k for k in kept if sizes[k] == len(labels)), None)
    if whole is not None and left > len(labels):
        kept = [whole]  # one column names every row; the others say something about it
    dropped = [k for k in range(len(columns)) if k not in kept]
    if dropped:
        told = " and ".join(quoted(names[k]) for k in dropped)
        notes.append(f"I left out the labels in {told}: {quoted(names[kept[0]])} names the same rows.")
    return [[row[k] for k in kept] for row in labels], [given[k] for k in kept]


def _without_margins(keys: Keys, counts: Counts, k: int, notes: list[str]) -> tuple[Keys, Counts]:
    """Drop rows or columns with a label on the first of several axes only: pandas writes its margins so."""
    alone = np.array([len(key) > 1 and not any(map(str.strip, key[1:])) for key in keys])
    if not alone.any() or alone.all():
        return keys, counts
    lines = np.moveaxis(counts, k, 0)
    sums = lines[~alone].sum(axis=0)
    for i in np.flatnonzero(alone).tolist():
        if not np.array_equal(lines[i], sums):
            word = "Row" if k == 0 else "Column"
            raise InputError(
                f"{word} {quoted(keys[i][0])} has one label where others have {len(keys[i])}, and is not their "
                "sum; give it all of its labels."
            )
    word = "row" if k == 0 else "column"
    notes.append(f"I left out the totals {word} {quoted(keys[int(np.argmax(alone))][0])}: it adds up.")
    return [key for key, out in zip(keys, alone, strict=True) if not out], counts.compress(~alone, axis=k)


def _axes(keys: Keys, names: Sequence[str]) -> list[Axis]:
    """Return an axis for each part of the keys, with labels in the order in which they come."""
    if len(names) == 1:
        return [Axis(names[0], tuple(key[0] for key in keys))]  # twice the same is told by the axis
    parts = zip(*keys, strict=True)
    return [Axis(name, tuple(dict.fromkeys(part))) for name, part in zip(names, parts, strict=True)]


def _crossed(
    counts: Counts,
    rows: list[Axis],
    down: Keys,
    columns: list[Axis],
    across: Keys,
    limit: int | None,
    notes: list[str],
) -> tuple[Counts, list[Axis]]:
    """Return the counts with a dimension for each axis; combinations that are not there count 0."""
    axes = [*rows, *columns]
    names = [axis.name for axis in axes]
    places = _places(rows, down, names), _places(columns, across, names[len(rows) :])
    sizes = math.prod(map(len, rows)), math.prod(map(len, columns))
    check_size(sizes, 10**8 if limit is None else limit)
    for place_, size, part, keys in zip(places, sizes, (rows, columns), (down, across), strict=True):
        if len(place_) < size:
            there = set(map(tuple, keys))
            first = next(key for key in itertools.product(*part) if key not in there)
            lost = size - len(place_)
            words = in_words(first, [axis.name for axis in part])
            many = f"Nobody is counted in {lost:,} combinations that are not there, such as"
            notes.append(
                f"{many} {words}." if lost > 1 else f"{words} is not there; nobody is counted in it."
            )
    table = np.zeros(sizes, dtype=np.int64)
    table[np.ix_(*places)] = counts
    return table.reshape([len(axis) for axis in axes]), axes


def _places(axes: Sequence[Axis], keys: Keys, names: Sequence[str]) -> NDArray[np.intp]:
    """Return the position of each key among all combinations of the axes' labels."""
    if not axes:
        return np.zeros(1, dtype=np.intp)
    if len(axes) > 1:
        twice = next((key for key, times in Counter(map(tuple, keys)).items() if times > 1), None)
        if twice is not None:
            raise InputError(
                f"{in_words(twice, names[: len(axes)])} is there twice; every combination must be there once."
            )
        blank = next((key for key in keys if not all(map(str.strip, key))), None)
        if blank is not None:
            raise InputError(f"{place(blank, names)}: a label is blank; every row needs all of its labels.")
    found = [{label: i for i, label in enumerate(axis)} for axis in axes]
    codes = [np.array([where[key[k]] for key in keys]) for k, where in enumerate(found)]
    return np.ravel_multi_index(tuple(codes), tuple(map(len, axes)))
