"""Count microdata: convert records of people to frequency tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, counted, listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import frame_of
from sdcwidgets.tables.io.layout.cells import check_size, label_of
from sdcwidgets.tables.io.layout.records import marks_in_words, unweighted
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.io.sources.missing_values import Texts, doubts, texts_of
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def tabulate(
    records: pd.DataFrame | Sequence[Mapping[str, object]],
    columns: Sequence[str],
    *,
    missing: str | None = None,
    limit: int = 10**8,
) -> FrequencyTable:
    """Count the records of people by some columns.

    The categories of a column are sorted. A pandas Categorical keeps the order of its categories, and categories
    without records become empty cells. Blanks at the ends of texts are removed. A text such as "NA" or "." means
    a missing value, as in a file.

    Parameters
    ----------
    records : DataFrame or sequence of mappings
        One record per person.
    columns : sequence of str
        The variables that become the axes.
    missing : str, optional
        The category of missing values.
    limit : int
        Maximum number of cells.

    Raises
    ------
    InputError
        If a column is unknown, a value is missing and `missing` is None, or there are too many cells.
    """
    return count_records(records, columns, missing=missing, limit=limit).table


def count_records(
    records: pd.DataFrame | Sequence[Mapping[str, object]],
    columns: Sequence[str],
    *,
    missing: str | None = None,
    limit: int = 10**8,
) -> Reading:
    """Return the table of `tabulate` with notes for the user, for example on missing values."""
    return _counted(records, columns, missing, limit)[0]


def with_caution_on_counts(
    reading: Reading, records: pd.DataFrame | Sequence[Mapping[str, object]], columns: Sequence[str]
) -> Reading:
    """Return the reading, with a note if the records look like a table of counts in long form.

    In such a table each combination of categories has one row, and another column has the counts.

    Parameters
    ----------
    reading : Reading
        Result of `count_records`.
    records : DataFrame or sequence of mappings
        One record per person.
    columns : sequence of str
        The variables that become the axes.
    """
    frame = frame_of(records)
    possible = [
        str(name)
        for k, name in enumerate(frame.columns)
        if name not in columns and _may_be_counts(frame.iloc[:, k])
    ]
    if not possible or len(frame) < 2 or reading.table.counts.max() > 1:
        return reading
    note = (
        f"Each row was counted as one person. However, each combination of {listed(list(columns))} has at most one "
        f"row, and the column {quoted(possible[0])} has whole numbers. If these numbers are counts of people, use "
        f"FrequencyTable.from_frame(frame, by={list(columns)}, count={quoted(possible[0])})."
    )
    return replace(reading, notes=(*reading.notes, note))


def with_note_on_unused(reading: Reading) -> Reading:
    """Return the reading, with a note for each variable with categories that no record has.

    Only a pandas Categorical can have unused categories.

    Parameters
    ----------
    reading : Reading
        Result of `count_records`.
    """
    notes = []
    for k, axis in enumerate(reading.table.axes):
        others = tuple([other for other in range(reading.table.ndim) if other != k])
        people = reading.table.counts.sum(axis=others)
        unused = [
            quoted(label) for label, number in zip(axis.labels, people.tolist(), strict=True) if number == 0
        ]
        if unused:
            notes.append(
                f"The Categorical {quoted(axis.name)} has categories without records, which were kept with 0 people: "
                f"{and_more(unused, 6)}. To omit them, use cat.remove_unused_categories() of pandas."
            )
    return replace(reading, notes=(*reading.notes, *notes))


def _may_be_counts(column: pd.Series) -> bool:
    """Return whether a column has whole numbers of 0 or more, and one above 1."""
    if column.dtype.kind not in "iuf" or column.isna().any():
        return False
    values = column.to_numpy(dtype=np.float64)
    return bool((values >= 0).all() and (values == np.floor(values)).all() and values.max() > 1)


def count_with_cells(
    records: pd.DataFrame | Sequence[Mapping[str, object]],
    columns: Sequence[str],
    *,
    missing: str | None = None,
    limit: int = 10**8,
) -> tuple[FrequencyTable, NDArray[np.int64]]:
    """Return the table of `tabulate`, and the index of the cell of each record, from 0.

    Parameters
    ----------
    records : DataFrame or sequence of mappings
        One record per person.
    columns : sequence of str
        The variables that become the axes.
    missing : str, optional
        The category of missing values. Without it a missing value raises `InputError`.
    limit : int
        Maximum number of cells.

    Returns
    -------
    table : FrequencyTable
    cells : ndarray of int64, shape (records,)

    Raises
    ------
    InputError
        As for `tabulate`.

    Examples
    --------
    >>> table, cells = count_with_cells([{"Sex": "m"}, {"Sex": "f"}, {"Sex": "m"}], ["Sex"])
    >>> table.counts.tolist(), cells.tolist()
    ([1, 2], [1, 0, 1])
    """
    reading, cells = _counted(records, columns, missing, limit)
    return reading.logged_table(), cells


def _counted(
    records: pd.DataFrame | Sequence[Mapping[str, object]],
    columns: Sequence[str],
    missing: str | None,
    limit: int,
) -> tuple[Reading, NDArray[np.int64]]:
    """Return the table of records with notes on how it was counted, and the cell of each record."""
    import pandas as pd

    frame = frame_of(records)
    if frame.empty:
        raise InputError("There are no records; pass at least one record, with a value of each variable.")
    if not len(columns):
        raise InputError(
            "The argument columns is empty; name the variables that become the axes. The records have the columns "
            f"{and_more([quoted(str(name)) for name in frame.columns], 12)}."
        )
    axes: list[Axis] = []
    codes: list[NDArray[np.int64]] = []
    coded: dict[str, Texts] = {}
    notes: list[str] = []
    for name in [columns] if isinstance(columns, str) else columns:
        if name not in frame.columns:
            raise InputError(f"The records have no column {quoted(name)}; choose columns that they have.")
        column = frame[name]
        marks: set[str] = set()
        texts = texts_of(column)
        if texts is not None:
            column, marks, coded[str(name)] = pd.Series(texts.column()), texts.marks, texts
        gaps = int(column.isna().sum())
        if gaps:
            where = f"{counted(gaps, 'record')}{marks_in_words(marks)}"
            if missing is None:
                raise InputError(
                    f"Column {quoted(name)} has no value in {where}; name a category for missing values "
                    "(missing)."
                )
            if any(marks):
                notes.append(f"{quoted(name)} has no value in {where}, counted as {quoted(missing)}.")
        observed = not isinstance(column.dtype, pd.CategoricalDtype)
        if observed:
            values = column.dropna().unique().tolist()
            try:
                values.sort()
            except TypeError:  # values of several kinds
                values.sort(key=str)
            column = column.astype(pd.CategoricalDtype(values, ordered=True))
        labels = [label_of(value) for value in column.cat.categories]
        code = column.cat.codes.to_numpy(dtype=np.int64)
        if gaps and missing not in labels:
            labels.append(str(missing))
        axes.append(Axis(str(name), tuple(labels), observed))
        codes.append(np.where(code < 0, labels.index(str(missing)) if gaps else 0, code))
    shape = tuple(map(len, axes))
    check_size(shape, limit)
    cells = np.ravel_multi_index(tuple(codes), shape)
    table = FrequencyTable(np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape), axes)
    remarks = (*notes, *doubts(coded), *unweighted(frame.columns, [axis.name for axis in axes]))
    return Reading(table, remarks), cells
