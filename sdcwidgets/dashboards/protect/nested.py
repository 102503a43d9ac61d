"""Sub-totals of a file on the page: the check of those that are published, and the words on those that are not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.arrangement import Arrangement
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.nesting import PossibleHierarchy, check_disjoint, detected
from sdcwidgets.tables.sub_totals import SubTotals, without_sums
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of sub-totals that a sentence names.
MOST_NAMED = 6


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
    table = without_sums(state.table, [sums])
    arrangement = Arrangement.usual(table)
    return state.changed(table=table, source=source, arrangement=arrangement, nested=bool(sums.labels))


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
        (axis_sums.axis, (*axis_sums.labels, *axis_sums.unclear))
        for axis_sums in state.source.sub_totals
        if not axis_sums.levels  # The verdict itself states the condition on the totals of levels.
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


def follow_from_counts(state: ProtectState) -> bool:
    """Return whether data users can compute all omitted lines of the file from the original counts.

    They cannot if a count is unknown, or if a line is not clearly a sum of other lines.
    """
    return not state.table.unknown_cells and not any(sums.unclear for sums in state.source.sub_totals)


def sub_totals_beside(state: ProtectState, *, is_original: bool = False) -> str:
    """Return sentences on the sub-totals of the file, which the table on the page does not show; "" for none.

    Examples
    --------
    >>> sub_totals_beside(ProtectState.of_example("religion"))
    ''
    """
    named = [
        f"{and_more([quoted(label) for label in axis_sums.labels], MOST_NAMED)} of {quoted(axis_sums.axis)}"
        for axis_sums in state.sub_totals
        if axis_sums.labels
    ]
    if not named:
        return ""
    names = " and ".join(named)
    if not state.nested and is_original and follow_from_counts(state):
        return (
            f"The table above does not show the sub-totals {names}. They are sums of its counts, so publishing them "
            "discloses nothing more. The saved files do not contain them."
        )
    if not state.nested:
        return (
            f"The table above does not show the sub-totals {names}. They are not protected, and the saved files do "
            "not contain them."
        )
    if state.method.suppresses:
        treatment = "The method suppresses sub-totals where this is necessary to protect cells"
    else:
        treatment = "Each sub-total is the sum of its published categories"
    has_levels = any(axis_sums.levels for axis_sums in state.sub_totals)
    places = "above their categories" if has_levels else "at their places in your file"
    files = f"the saved files contain them {places}."
    return f"The table above does not show the sub-totals {names}. {treatment}, and {files}"
