"""Sub-totals of a file on the page: the check of those that are published, and the words on those that are not."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.assessment.verdict import ReleaseLimits, Stop, judge
from sdcwidgets.assessment.verdict.suppressed_tables import filled_entries
from sdcwidgets.core.margins import margins
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods.nested_suppression import NestedSuppression
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.nesting import PossibleHierarchy, check_disjoint, detected
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.sub_totals import SubTotals, without_sums
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of sub-totals that a sentence names.
MOST_NAMED = 6


def judged_sub_totals(state: ProtectState, method: NestedSuppression, *, closely: bool) -> list[Stop]:
    """Return the violations by the published sub-totals of a table, which its cells do not show.

    Parameters
    ----------
    state : ProtectState
    method : NestedSuppression
    closely : bool
        Whether the suppressed values are checked for recalculation, which takes long.
    """
    seed = state.settings.seed
    stops = [
        stop
        for levels in _tables_of_levels(state.table, method)
        for stop in _stops_of_table(state.table, method, levels, state.limits, seed)
    ]
    if closely:
        entries = method.entries(state.table, seed)
        for stop in filled_entries(state.table, entries, method.hierarchies, []):
            words = stop.words.replace("with another table", "with the sub-totals")
            stops.append(replace(stop, words=words))
    return list({stop.name: stop for stop in stops}.values())


def _tables_of_levels(table: FrequencyTable, method: NestedSuppression) -> list[tuple[tuple[str, ...], ...]]:
    """Return the tables with sub-totals in place of categories, each by the label of every category per axis."""
    by_axis = method.hierarchies
    choices = [_levels(axis, by_axis.get(axis.name, {})) for axis in table.axes]
    return list(itertools.product(*choices))[1:]


def _levels(axis: Axis, parents: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the categories of an axis, and for each level above the label that contains each category."""
    levels = [axis.labels]
    while (above := tuple(parents.get(label, "") or label for label in levels[-1])) != levels[-1]:
        levels.append(above)
    return levels


@lru_cache(maxsize=64)
def _stops_of_table(
    table: FrequencyTable,
    method: NestedSuppression,
    levels: tuple[tuple[str, ...], ...],
    limits: ReleaseLimits,
    seed: int,
) -> tuple[Stop, ...]:
    """Return the violations of a table in which sub-totals replace categories."""
    axes = tuple(
        Axis(axis.name, tuple(dict.fromkeys(labels))) for axis, labels in zip(table.axes, levels, strict=True)
    )
    counts = np.zeros([len(axis) for axis in axes], dtype=np.int64)
    places = [
        [axis.labels.index(label) for label in labels] for axis, labels in zip(axes, levels, strict=True)
    ]
    np.add.at(counts, np.ix_(*places), table.counts)
    entries, values = method.published_entries(table, seed), {}
    for margin, sums in margins(counts).items():
        keys = itertools.product(*(axis.labels if k in margin else ("",) for k, axis in enumerate(axes)))
        values[margin] = np.array([entries[key] for key in keys], dtype=np.float64).reshape(np.shape(sums))
    release = Release.by_value(axes, values, method.conclusions, method.notes())
    # Risk and information loss are those of the categories.
    own = replace(limits, risk=None, risk_before=None, loss=None, small_cells=None, mean_cell_size=None)
    verdict = judge(FrequencyTable(counts, axes), release, own, values=(0.0, 0.0), closely=False)
    return tuple(stop for stop in verdict.stops if stop.kind not in ("unchecked", "recalculable"))


class Nesting(NamedTuple):
    """Axis whose categories look like sums of other categories, and these sums if they are certain."""

    axis: str
    sums: SubTotals | None


@lru_cache(maxsize=8)
def possible_nesting(table: FrequencyTable) -> Nesting | None:
    """Return the axis of a table that looks hierarchical, which cell suppression rejects; None if there is none.

    Examples
    --------
    >>> axes = {"Activity": ["Employed", "Full-time", "Part-time", "Other"], "Sex": ["m", "f"]}
    >>> nesting = possible_nesting(FrequencyTable([[330, 387], [314, 202], [16, 185], [275, 212]], axes))
    >>> nesting.axis, nesting.sums.labels
    ('Activity', ('Employed',))
    """
    try:
        check_disjoint(table.counts, table.axes)
    except PossibleHierarchy as error:
        if error.level:
            return Nesting(error.axis, None)
        (axis,) = (axis for axis in table.axes if axis.name == error.axis)
        try:
            parents = detected(table.counts, table.axes, axis.name)
        except InputError:
            return Nesting(axis.name, None)
        return Nesting(axis.name, _without_top(axis, parents))
    return None


def _without_top(axis: Axis, parents: Mapping[str, str]) -> SubTotals:
    """Return the sums of an axis; the sum of all categories is the total."""
    top = [label for label in axis.labels if not parents[label]]
    total = top[0] if len(top) == 1 else ""
    pairs = tuple(
        (label, "" if parents[label] == total else parents[label]) for label in axis.labels if label != total
    )
    has_sub_totals = any(parent for _, parent in pairs)
    return SubTotals(axis.name, axis.labels, pairs if has_sub_totals else (), total)


def with_sums(state: ProtectState, sums: SubTotals) -> ProtectState:
    """Return the state in which categories of an axis are sub-totals of the other categories.

    Parameters
    ----------
    state : ProtectState
    sums : SubTotals
        Sums of an axis of the table.
    """
    known = {axis_sums.axis: axis_sums for axis_sums in state.source.sub_totals} | {sums.axis: sums}
    source = state.source.with_sub_totals(tuple(known.values()))
    return state.with_table(without_sums(state.table, [sums]), source).changed(nested=bool(sums.labels))


def omitted_words(state: ProtectState) -> str:
    """Return a sentence on lines of the file that the release decision does not include, "" if there are none.

    Examples
    --------
    >>> omitted_words(ProtectState.of_example("religion"))
    ''
    """
    if state.nested:
        return ""
    named = [
        (axis_sums.axis, (*axis_sums.labels, *axis_sums.unclear)) for axis_sums in state.source.sub_totals
    ]
    parts = [
        f"{and_more([quoted(label) for label in labels], MOST_NAMED)} of {quoted(axis)}"
        for axis, labels in named
        if labels
    ]
    if not parts:
        return ""
    noun = "sub-totals" if state.sub_totals else "lines"
    return f"This decision holds only if the {noun} {' and '.join(parts)}, which the import omitted, are not published."
