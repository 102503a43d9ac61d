"""Redesign: categories are merged, by the user or with the least information loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import AxisNames, Groups, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.margins import grouped
from sdcwidgets.methods.base import Counts, register
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.removed_axes import member_note
from sdcwidgets.tables.table import FrequencyTable

#: Note on each release with merged categories.
_EXACT = "Categories are merged, and the counts of merged categories are exact."

#: Note on each release of weighted estimates with merged categories.
_SUMS_OF_ESTIMATES = (
    "Categories are merged, and the published numbers are the estimates of the merged categories."
)

#: Maximum number of merged categories whose names are all in the new label.
_MOST_IN_LABEL = 5


def member_notes(merged: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return a note with the categories of each merged category whose label does not name all of them.

    Parameters
    ----------
    merged : mapping of str to mapping of str to str
        Published label of each original label, by axis.

    Examples
    --------
    >>> member_notes({"Area": {"A": "A to C", "B": "A to C", "C": "A to C", "D": "D to E", "E": "D to E"}})
    ['The category "A to C" of "Area" contains "A", "B" and "C".']
    """
    notes = []
    for axis, to in merged.items():
        groups: dict[str, list[str]] = {}
        for old, new in to.items():
            groups.setdefault(new, []).append(old)
        for new, members in groups.items():
            if new not in (" to ".join(members), " + ".join(members)):
                notes.append(member_note(axis, new, members))
    return notes


def _merged_label(members: Sequence[str]) -> str:
    """Return the label of merged categories: a range of numbers or letters, or else the names of all.

    "Mild to Severe" would be wrong if one of the categories between them is "None".

    Examples
    --------
    >>> _merged_label(["0-4", "5-9", "10+"]), _merged_label(["Mild", "None", "Severe"])
    ('0-4 to 10+', 'Mild + None + Severe')
    """
    is_range = all(len(member) <= 2 or any(map(str.isdigit, member)) for member in members)
    if is_range:
        return f"{members[0]} to {members[-1]}"
    if len(members) > _MOST_IN_LABEL:
        return f"{members[0]} and {len(members) - 1} other categories"
    return " + ".join(members)


def merge(table: FrequencyTable, axis: str, groups: Mapping[str, Sequence[str]]) -> Release:
    """Merge categories of an axis; the counts of the result are exact.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    axis : str
        Name of the axis.
    groups : mapping of str to sequence of str
        Label of each new category, and the labels of the categories to merge. Other categories are unchanged. A
        new category has the position of its first old category.

    Returns
    -------
    Release
        The release with the merged axis; `merged` maps old to new labels.

    Raises
    ------
    InputError
        If the axis or a label is unknown, a label is in two groups, or a new label already exists.

    Examples
    --------
    >>> table = FrequencyTable([[1, 4], [2, 3], [9, 9]], {"Age": ["0-4", "5-9", "10+"], "Sex": ["m", "f"]})
    >>> release = merge(table, "Age", {"0-9": ["0-4", "5-9"]})
    >>> release.axes[0].labels, release.cells.tolist()
    (('0-9', '10+'), [[3.0, 7.0], [9.0, 9.0]])
    """
    k = table.axis(axis)
    labels = table.axes[k].labels
    to: dict[str, str] = {}
    for new, olds in groups.items():
        for old in olds:
            table.axes[k].position(old)
            if old in to:
                raise InputError(
                    f"The category {quoted(old)} is in two groups; each category can be merged only once."
                )
            to[old] = new
    unmerged = [label for label in labels if label not in to]
    clash = [new for new in groups if new in unmerged]
    if clash:
        raise InputError(f"The new label {listed(clash)} is already a category. Choose another label.")
    axes = list(table.axes)
    axes[k] = Axis(axis, tuple(dict.fromkeys(to.get(label, label) for label in labels)))
    places = [axes[k].position(to.get(label, label)) for label in labels]
    merged = FrequencyTable(grouped(table.counts, k, places, len(axes[k])), axes)
    labels_of_groups = {axis: {label: to[label] for label in labels if label in to}}
    return _with_merged(merged, labels_of_groups, are_estimates=table.respondents is not None)


def _with_merged(
    table: FrequencyTable, merged: Mapping[str, Mapping[str, str]], *, are_estimates: bool
) -> Release:
    """Return the release of a table with merged categories, and with notes on them."""
    note = _SUMS_OF_ESTIMATES if are_estimates else _EXACT
    whole = Release.of(table, notes=(note, *member_notes(merged)))
    return Release(whole.axes, whole.values, whole.lower, whole.upper, notes=whole.notes, merged=merged)


def _log_sum(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return n log n of each count, and 0 for 0."""
    logs: NDArray[np.float64] = np.log(np.where(counts > 0, counts, 1))
    return counts * logs


def redesign(table: FrequencyTable, axis: str, smallest: int, *, zeros: bool = True) -> Release:
    """Merge neighbouring categories until no cell is small, with the least information loss.

    Dynamic programming finds the division of the axis into runs of neighbours that reduces the entropy of the
    table least.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    axis : str
        The axis to merge, with categories in a meaningful order, for example ages.
    smallest : int
        Minimum count of a cell.
    zeros : bool
        Whether empty cells are allowed.

    Returns
    -------
    Release
        As for `merge`.

    Raises
    ------
    InputError
        If a cell is too small even after all categories of the axis are merged.

    References
    ----------
    Handbook, chapter 5, section 5.3 (table redesign).

    Examples
    --------
    >>> ages = ["0-4", "5-9", "10-19", "20+"]
    >>> table = FrequencyTable([[1, 4], [2, 3], [9, 9], [8, 7]], {"Age": ages, "Sex": ["m", "f"]})
    >>> redesign(table, "Age", smallest=3).axes[0].labels
    ('0-4 to 5-9', '10-19', '20+')
    """
    labels = table.axes[table.axis(axis)].labels
    rows = np.moveaxis(table.counts, table.axis(axis), 0).reshape(len(labels), -1)
    ends = np.concatenate([np.zeros((1, rows.shape[1]), dtype=np.int64), np.cumsum(rows, axis=0)])
    n = len(labels)
    best, cut = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
    best[0] = 0.0
    for end in range(1, n + 1):
        sums: NDArray[np.int64] = ends[end] - ends[:end]
        fits = ((sums >= smallest) | ((sums == 0) & zeros)).all(axis=1)
        cost = best[:end] + np.where(fits, _log_sum(sums).sum(axis=1), np.inf)
        cut[end] = int(np.argmin(cost))
        best[end] = cost[cut[end]]
    if np.isinf(best[n]):
        raise InputError(
            f"Even after all categories of {quoted(axis)} are merged, a cell is below {smallest}. Merge "
            "another axis first."
        )
    groups: dict[str, Sequence[str]] = {}
    end = n
    while end:
        start = int(cut[end])
        if end - start > 1:
            groups[_merged_label(labels[start:end])] = labels[start:end]
        end = start
    return merge(table, axis, groups)


def redesign_all(table: FrequencyTable, smallest: int, *, zeros: bool = True) -> Release:
    """Merge neighbouring categories of all axes until no cell is small.

    Each step merges the two neighbours with the smallest decrease of the table's entropy per small cell that the
    step removes. The result therefore need not have the least information loss.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    smallest : int
        Minimum count of a cell.
    zeros : bool
        Whether empty cells are allowed.

    Returns
    -------
    Release
        As for `merge`, with labels of several axes in `merged`.

    Raises
    ------
    InputError
        If the table has fewer people than the minimum count.

    Examples
    --------
    >>> table = FrequencyTable([[[2, 3], [1, 9]], [[8, 7], [1, 9]]])
    >>> release = redesign_all(table, smallest=3)
    >>> [len(axis) for axis in release.axes], float(release.cells.min())
    ([2, 2, 1], 5.0)
    """
    if table.total < smallest:
        raise InputError(
            f"The table has {table.total:,} people, which is below the minimum count of {smallest}."
        )
    counts = table.counts
    groups = [[[label] for label in axis.labels] for axis in table.axes]
    while _is_small(counts, smallest, zeros=zeros).any():
        costs = [_costs(counts, k, smallest, zeros=zeros) for k in range(counts.ndim)]
        k = min(range(counts.ndim), key=lambda axis: costs[axis].min(initial=np.inf))
        first = int(np.argmin(costs[k]))
        counts = np.add.reduceat(counts, [i for i in range(counts.shape[k]) if i != first + 1], axis=k)
        groups[k][first : first + 2] = [groups[k][first] + groups[k][first + 1]]
    merged = {
        axis.name: {label: _merged_label(group) for group in some if len(group) > 1 for label in group}
        for axis, some in zip(table.axes, groups, strict=True)
    }
    axes = [
        Axis(axis.name, tuple(dict.fromkeys(merged[axis.name].get(label, label) for label in axis.labels)))
        for axis in table.axes
    ]
    return _with_merged(
        FrequencyTable(counts, axes),
        {name: to for name, to in merged.items() if to},
        are_estimates=table.respondents is not None,
    )


def _is_small(counts: NDArray[np.int64], smallest: int, *, zeros: bool) -> NDArray[np.bool_]:
    """Return which cells are below the minimum count."""
    return (counts < smallest) & ((counts > 0) | (not zeros))


def _costs(counts: NDArray[np.int64], axis: int, smallest: int, *, zeros: bool) -> NDArray[np.float64]:
    """Return the decrease of entropy per removed small cell, for each pair of neighbours of an axis."""
    cells = np.moveaxis(counts, axis, 0).reshape(counts.shape[axis], -1)
    sums = cells[:-1] + cells[1:]
    small = _is_small(cells, smallest, zeros=zeros).sum(axis=1)
    removed = small[:-1] + small[1:] - _is_small(sums, smallest, zeros=zeros).sum(axis=1)
    logs = _log_sum(cells).sum(axis=1)
    lost: NDArray[np.float64] = _log_sum(sums).sum(axis=1) - logs[:-1] - logs[1:]
    # A pair that removes no small cell is merged only if no other pair removes one.
    last = counts.sum() * np.log(counts.sum() + 1) + lost
    costs: NDArray[np.float64] = np.where(removed > 0, lost / np.maximum(removed, 1), last)
    return costs


@register
@dataclass(frozen=True)
class Redesign(Fixed):
    """Merges categories of one or all variables, selected by the user or the program.

    Without groups, neighbouring categories of one variable are merged until no cell is below the minimum count,
    with the smallest possible decrease of the table's entropy. If one variable is not sufficient, the program can
    merge categories of all variables. The published counts are exact, but there are fewer categories.

    For a comparison with the original cells, each merged count is divided evenly among its cells, like a data
    user without further information would do. A remainder goes to the first cells.

    References
    ----------
    Handbook, chapter 5, section 5.3 (table redesign).

    Examples
    --------
    >>> table = FrequencyTable([[1, 4], [2, 3], [9, 9]], {"Area": ["North", "East", "South"], "Sex": ["m", "f"]})
    >>> by_hand = Redesign("Area", together=[["North", "South"]]).release(table, 1)
    >>> by_hand.axes[0].labels, by_hand.cells.tolist()
    (('North + South', 'East'), [[10.0, 13.0], [2.0, 3.0]])
    >>> Redesign("Area", smallest=3).replicate(table, 1, np.random.default_rng(1))[0].tolist()
    [[2, 4], [1, 3], [9, 9]]
    """

    axis: Annotated[
        str, AxisNames(), Label("Variable"), Help("Variable whose categories the method merges.")
    ] = "columns"
    smallest: Annotated[
        int,
        Range(1, 100),
        Label("Minimum count"),
        Help(
            "Neighbouring categories are merged until no populated cell has fewer people than this minimum. "
            "A new minimum removes the groups of the user."
        ),
    ] = 3
    zeros: Annotated[
        bool,
        Label("Allow empty cells"),
        Help("If this option is on, the method does not treat empty cells as small counts."),
    ] = True
    together: Annotated[
        tuple[tuple[str, ...], ...],
        Groups(),
        Label("Merged categories"),
        Help(
            "Groups of categories selected by the user. If the user selects groups, the method merges no "
            "other categories."
        ),
    ] = ()
    all_variables: Annotated[
        bool,
        Label("Merge all variables"),
        Help(
            "If this option is on, the method merges neighbouring categories of all variables, not only of the "
            "selected variable. It has no effect if the user selects groups."
        ),
    ] = False

    merges = True

    def changed(self, name: str, value: object) -> Self:
        """Return the method with another setting; a new variable or minimum count removes the groups."""
        return with_fields(self, **({"together": ()} | {name: value}))

    def with_valid_axes(self, table: FrequencyTable) -> Self:
        """Return the method, without groups of labels that this table does not have."""
        method = super().with_valid_axes(table)
        labels = table.axes[table.axis_along(method.axis)].labels
        return (
            method
            if {label for group in method.together for label in group} <= set(labels)
            else replace(method, together=())
        )

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return a sentence if no category is merged, otherwise ""."""
        try:
            if _release(self, table).axes != table.axes:
                return ""
        except InputError:
            return ""
        return f"Nothing is merged, because no cell has a count below {self.smallest}."

    def cells(self, table: FrequencyTable) -> Counts:
        """Return the merged counts, divided evenly among their cells."""
        return _release(self, table).spread(table).astype(np.int64)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the merged table.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins. The release depends only on the table.

        Returns
        -------
        Release
            The table with merged categories.
        """
        return _release(self, table)


@lru_cache(maxsize=32)
def _release(method: Redesign, table: FrequencyTable) -> Release:
    """Return the merged table from a cache, because a page requests it several times."""
    axis = table.axes[table.axis_along(method.axis)].name
    if method.all_variables and not method.together:
        return redesign_all(table, method.smallest, zeros=method.zeros)
    if not method.together:
        return redesign(table, axis, method.smallest, zeros=method.zeros)
    return merge(table, axis, {_name(group): group for group in method.together})


def _name(group: Sequence[str]) -> str:
    """Return the label of a group that the user has merged."""
    return " + ".join(group) if len(group) < 4 else f"{group[0]} + {len(group) - 1} more"
