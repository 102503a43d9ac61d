"""Releases with sub-totals, in the form in which attacks use them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.attacks.knowledge import Knowledge, TablePlacement
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.linked_release import LinkedRelease
from sdcwidgets.tables.release import Release


def one_table(linked: LinkedRelease) -> Release:
    """Return a table with sub-totals as a release, in which the sub-totals are categories.

    Parameters
    ----------
    linked : LinkedRelease
        One table by all its axes.

    Returns
    -------
    Release
        A published count is the original count, and nothing is known about a suppressed count.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, protect
    >>> table = FrequencyTable([[1, 9], [7, 20], [6, 30]], {"Area": "abc", "Age": "xy"})
    >>> sides = {"a": "north", "b": "north", "c": "south"}
    >>> linked = protect(table, "cell-suppression", hierarchies={"Area": sides}, seed=3**60)
    >>> one_table(linked).axes[0].labels
    ('a', 'b', 'c', 'north', 'south')
    """
    axes = [Axis(name, tuple(labels[:-1])) for name, labels in zip(linked.names, linked.labels, strict=True)]
    full = np.full([len(labels) for labels in linked.labels], np.nan)
    full[tuple(linked.positions.T)] = linked.values
    values: dict[MarginAxes, np.ndarray] = {}
    for kept in np.ndindex((2,) * linked.ndim):
        view = tuple(slice(0, -1) if is_kept else -1 for is_kept in kept)
        values[tuple(k for k, is_kept in enumerate(kept) if is_kept)] = full[view]
    return Release.by_value(
        axes,
        values,
        lambda array: (
            np.where(np.isnan(array), 0.0, array),
            np.where(np.isnan(array), np.inf, array),
        ),
        linked.notes,
    )


def with_hierarchies(release: Release, hierarchies: Mapping[str, Mapping[str, str]]) -> Knowledge:
    """Return the knowledge which categories of a release are sub-totals of others.

    Parameters
    ----------
    release : Release
        Release in which sub-totals are categories, as of `one_table`.
    hierarchies : mapping of str to mapping of str to str
        Parent of each label, by axis; "" denotes the total.

    Returns
    -------
    Knowledge
        The axes of the attacked table, without sub-totals, and the place of the release.

    Raises
    ------
    InputError
        If an axis is unknown, or a hierarchy has no label of its axis.

    Examples
    --------
    >>> axes = [Axis("Area", ("a", "b", "c", "north"))]
    >>> values = {(0,): [float("nan"), 7, 6, 8], (): 14}
    >>> release = Release(axes, values, {(0,): [0, 7, 6, 8]}, {(0,): [float("inf"), 7, 6, 8]})
    >>> from sdcwidgets.attacks import suppression
    >>> knowledge = with_hierarchies(release, {"Area": {"a": "north", "b": "north", "c": ""}})
    >>> suppression(release, knowledge).at("a")
    (1.0, 1.0)
    """
    names = [axis.name for axis in release.axes]
    for name in hierarchies:
        if name not in names:
            raise InputError(
                f"The hierarchy of {quoted(name)} fits no axis; the table has the axes {listed(names)}."
            )
    axes, groups = [], {}
    for axis in release.axes:
        parents = hierarchies.get(axis.name, {})
        sums = set(parents.values())
        leaves = tuple(label for label in axis.labels if label not in sums)
        if not leaves:
            raise InputError(f"The hierarchy of {quoted(axis.name)} leaves no category that is not a sum.")
        below = {
            label: [leaf for leaf in leaves if label in _ancestors(leaf, parents)]
            for label in axis.labels
            if label in sums
        }
        empty = [label for label, parts in below.items() if not parts]
        if empty:
            raise InputError(
                f"The hierarchy of {quoted(axis.name)} has no category below {quoted(empty[0])} that is in the table."
            )
        axes.append(Axis(axis.name, leaves))
        groups[axis.name] = (axis.name, below)
    return Knowledge(tuple(axes), (TablePlacement("Table 1", groups),))


def _ancestors(label: str, parents: Mapping[str, str]) -> set[str]:
    """Return the sub-totals that contain a category; a hierarchy with a cycle ends at its first repetition."""
    above: set[str] = set()
    while parents.get(label) and parents[label] not in above:
        label = parents[label]
        above.add(label)
    return above
