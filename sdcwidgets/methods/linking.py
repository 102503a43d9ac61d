"""Release of cell suppression with hierarchies, linked tables, frozen entries and costs, from plain arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sdcwidgets._util.errors import InputError, described, type_with_article
from sdcwidgets._util.labels import counted, quoted
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.suppressing import SuppressedTable, with_hierarchies
from sdcwidgets.tables.hierarchy import labels_of
from sdcwidgets.tables.nesting import DETECTED
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator

    from sdcwidgets._util.arrays import Floats

    #: Hierarchies by axis: the parent of each label, the labels of each parent, a frame, "detected", or a path.
    Hierarchies: TypeAlias = Mapping[
        str, Mapping[str, str] | Mapping[str, Sequence[str]] | pd.DataFrame | str | PathLike[str]
    ]
    #: Entries of a table: a file, a frame, a Series with the labels in its index, or a list of mappings.
    Entries: TypeAlias = str | PathLike[str] | pd.DataFrame | pd.Series | Iterable[Mapping[str, object]]


def suppressed_by(
    method: Method,
    table: FrequencyTable,
    *,
    hierarchies: Hierarchies | None = None,
    tables: Sequence[Sequence[str] | str] | None = None,
    frozen: Entries | None = None,
    costs: Entries | None = None,
    apriori: str | PathLike[str] | None = None,
    seed: int | Generator | None = None,
) -> SuppressedTable:
    """Suppress cells of a table with sub-totals, of linked tables, with frozen entries or with costs.

    Parameters
    ----------
    method : Method
        Cell suppression with its settings.
    table : FrequencyTable
        The original counts.
    hierarchies : mapping of str to mapping, DataFrame, path or "detected", optional
        Sub-totals of cell suppression: for an axis, the parent of each label, such as ``{"a": "north"}``, or the labels
        of each parent, such as ``{"north": ["a", "b"]}``. A DataFrame or file has a label and its parent in each row; a
        file can also be .hrc. "detected" confirms the sums that the counts show.
    tables : sequence of sequence of str, optional
        Linked tables of cell suppression, each by its axes; default: one table of all axes.
    frozen : path, DataFrame or list of mappings, optional
        Cells that cell suppression must publish: one label per axis, "Total" for a total.
    costs : path, DataFrame, Series or list of mappings, optional
        Costs of suppressing single cells: one label per axis, and a number above 0 in the column "cost".
    apriori : path, optional
        A priori file of τ-ARGUS (.hst) with cells that are set by hand as unsafe, safe or protected, and with costs.
    seed : int or Generator, optional
        The secret seed of the random numbers. Anyone who knows the seed can undo the protection. By default, 128 new
        secret bits are used and not kept. Methods that choose one result by the secret then warn, because two
        different results for one table disclose counts. A seed below 2^48 can be found by trying and adds a caution
        to `cautions`; a larger seed with a pattern, such as 2^64, is rejected.

    Returns
    -------
    SuppressedTable
        Published and suppressed entries. It contains the original counts.

    Raises
    ------
    InputError
        If the method is not cell suppression, an argument does not fit the table, or no pattern protects it.
    """
    from sdcwidgets.methods.cell_suppression import CellSuppression
    from sdcwidgets.tables.io.sources.contributions import read_apriori

    if not isinstance(method, CellSuppression):
        arguments = {
            "hierarchies": hierarchies,
            "tables": tables,
            "frozen": frozen,
            "costs": costs,
            "apriori": apriori,
        }
        named = [name for name, value in arguments.items() if value is not None]
        raise InputError(
            f"The argument {named[0]} requires the method cell-suppression instead of {method.name}."
        )
    if table.unknown_cells and (hierarchies is not None or tables is not None):
        raise InputError(
            f"The table has {counted(table.unknown_cells, 'unknown count')}, which a release with a hierarchy or with "
            "linked tables cannot mark. Enter the missing counts, or leave out the hierarchy and the linked tables."
        )
    parents = _parents_by_axis(hierarchies)
    leaves, parents_of_labels = with_hierarchies(table, parents)
    labels = {axis.name: labels_of(axis, parents_of_labels.get(axis.name, {})) for axis in leaves.axes}
    shape = tuple(map(len, labels.values()))
    return method.suppress(
        leaves,
        hierarchies=parents_of_labels,
        tables=_axes_of_tables(tables),
        frozen=None
        if frozen is None
        else ~np.isnan(_array_of(frozen, labels, shape, "", "the cells that must be published")),
        costs=None if costs is None else _array_of(costs, labels, shape, "cost", "the costs"),
        apriori=None if apriori is None else read_apriori(apriori, labels),
        seed=seed,
    )


def released_pattern(method: Method, table: FrequencyTable, result: SuppressedTable) -> Release:
    """Return the release of one table without sub-totals with this pattern.

    Parameters
    ----------
    method : CellSuppression
    table : FrequencyTable
    result : SuppressedTable
        Pattern of the table and its margins.

    Returns
    -------
    Release
    """
    from sdcwidgets.methods.cell_suppression import CellSuppression

    assert isinstance(method, CellSuppression)
    return method.release_pattern(table, result.pattern)


def _parents_by_axis(hierarchies: Hierarchies | None) -> dict[str, Mapping[str, str] | str]:
    """Return the parents of each axis, after reading the files of hierarchies."""
    import pandas as pd

    from sdcwidgets.tables.io.sources.contributions import read_hierarchy

    if hierarchies is not None and not isinstance(hierarchies, Mapping):
        raise InputError(
            f"The hierarchies are {type_with_article(hierarchies)}; they must be a mapping, such as "
            '{"Area": {"Area 1": "North"}}.'
        )
    parents: dict[str, Mapping[str, str] | str] = {}
    for name, hierarchy in (hierarchies or {}).items():
        if isinstance(hierarchy, Mapping):
            parents[name] = _parents_in(hierarchy, name)
        elif isinstance(hierarchy, pd.DataFrame):
            parents[name] = _parents_in_frame(hierarchy, name)
        elif isinstance(hierarchy, str | PathLike):
            path = fspath(hierarchy)
            parents[name] = DETECTED if path == DETECTED else read_hierarchy(path, axis=name)
        else:
            raise InputError(
                f"The hierarchy of {quoted(name)} is {type_with_article(hierarchy)}; it must be a mapping of labels to "
                "parents, a DataFrame of them, a file, or detected."
            )
    return parents


def _parents_in(hierarchy: Mapping[Any, Any], name: str) -> dict[str, str]:
    """Return the parent of each label, from a mapping of labels to parents or of parents to lists of labels."""
    lists = [isinstance(value, list | tuple | set | frozenset) for value in hierarchy.values()]
    if not any(lists):
        return {str(label): str(parent or "") for label, parent in hierarchy.items()}
    if not all(lists):
        raise InputError(
            f"The hierarchy of {quoted(name)} mixes labels and lists; map each label to its parent, or each parent to "
            "the list of its labels."
        )
    pairs = [(label, parent) for parent, labels in hierarchy.items() for label in labels]
    return _parents_of_pairs(pairs, name)


def _parents_in_frame(frame: pd.DataFrame, name: str) -> dict[str, str]:
    """Return the parent of each label, from a frame with the columns "label" and "parent", or with two columns."""
    columns = ["label", "parent"] if {"label", "parent"} <= set(frame.columns) else list(frame.columns)
    if len(columns) != 2:
        raise InputError(
            f"The hierarchy of {quoted(name)} has {len(columns)} columns; a hierarchy has two, a label and its parent."
        )
    rows = frame[columns].astype(object).where(frame[columns].notna(), "")
    return _parents_of_pairs(list(rows.itertuples(index=False, name=None)), name)


def _parents_of_pairs(pairs: Sequence[tuple[object, object]], name: str) -> dict[str, str]:
    """Return the parent of each label; raise InputError if a label has two parents."""
    parents: dict[str, str] = {}
    for label, parent in pairs:
        other = parents.setdefault(str(label), str(parent))
        if other != str(parent):
            raise InputError(
                f"In the hierarchy of {quoted(name)}, {quoted(str(label))} has the parents {quoted(other)} and "
                f"{quoted(str(parent))}; a label must have one parent."
            )
    return parents


def _axes_of_tables(tables: Sequence[Sequence[str] | str] | None) -> list[list[str]] | None:
    """Return the axes of each linked table; a text is the name of one axis."""
    if tables is None:
        return None
    is_list = isinstance(tables, Sequence) and not isinstance(tables, str) and len(tables) > 0
    if not is_list or not all(isinstance(table, Sequence) for table in tables):
        raise InputError(
            f"The linked tables are {described(tables)}; they must be lists of axes, such as "
            '[["Area", "Sex"], ["Area", "Age"]].'
        )
    return [[table] if isinstance(table, str) else list(table) for table in tables]


def _array_of(
    entries: object, labels: Mapping[str, Sequence[str]], shape: tuple[int, ...], column: str, subject: str
) -> Floats:
    """Return the number of each entry in the shape of the table with all its sums, nan for other entries."""
    from sdcwidgets.tables.io.sources.contributions import entries_of

    if isinstance(entries, np.ndarray):
        if entries.shape != shape:
            raise InputError(
                f"The array of {subject} has the shape {entries.shape}; the table with all its sums has "
                f"the shape {shape}."
            )
        return np.where(entries, 1.0, np.nan) if not column else entries.astype(np.float64)
    positions, numbers = entries_of(entries, labels, column, subject)  # type: ignore[arg-type]  # checked there
    array = np.full(shape, np.nan)
    array[tuple(positions.T)] = numbers
    return array
