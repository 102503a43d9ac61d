"""Read files about magnitude tables: contributions, hierarchies of labels, and entries with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import counted, listed, no_value_among, quoted
from sdcwidgets.tables.apriori import Apriori, apriori_of
from sdcwidgets.tables.hierarchy import LEVEL, from_hrc, parents_of
from sdcwidgets.tables.io.formats.argus import decoded, hierarchy_file
from sdcwidgets.tables.io.formats.base import file_bytes
from sdcwidgets.tables.io.formats.columns import Columns, read_columns
from sdcwidgets.tables.io.layout.records import marks_in_words, trimmed
from sdcwidgets.tables.magnitude import MagnitudeTable

if TYPE_CHECKING:
    import pandas as pd

#: Identifiers that mean an unknown contributor, in lower case.
NOBODY = ("unknown", "not known", "not stated", "none", "-", "−", "–", "—", "?")


def read_contributions(
    path: str | Path,
    names: Sequence[str],
    holder: str,
    amount: str,
    *,
    marks: str = "ask",
    hierarchies: Mapping[str, Mapping[str, str]] | None = None,
) -> tuple[MagnitudeTable, tuple[str, ...]]:
    """Read a file with one row per contribution, in any format of tables.

    Each contribution without an identifier (blank, NA, "unknown") is treated as that of a different contributor.

    Parameters
    ----------
    path : str or Path
    names : sequence of str
        The columns that become axes.
    holder : str
        The column that identifies the contributor.
    amount : str
        The column with the amount of the contribution.
    marks : {"ask", "thousands", "decimals"}
        Meaning of an ambiguous comma or point in an amount; "ask" raises an error.
    hierarchies : mapping, optional
        Hierarchies of the axes, as for `MagnitudeTable`.

    Returns
    -------
    MagnitudeTable
    tuple of str
        Notes on removed blanks, unknown contributors and decimal marks, one sentence each.

    Raises
    ------
    InputError
        If a column does not exist, or a row has no label or no amount of 0 or more.
    """
    file = read_columns(path)
    labels = [_labels(file, name) for name in names]
    holders = file.texts(holder)
    values, readings = file.amounts(amount, marks)
    gone = {who for who in holders if who.lower() in NOBODY} | no_value_among(holders)
    firms: list[object] = [
        (number, who) if who in gone else who for number, who in zip(file.numbers, holders, strict=True)
    ]
    table = MagnitudeTable.from_records(list(zip(*labels, firms, values, strict=True)), names, hierarchies)
    notes = [trimmed(file.trimmed)] if file.trimmed else []
    alone = sum(who in gone for who in holders)
    if alone:
        notes.append(
            f"{counted(alone, 'contribution')} without the identifier of a contributor{marks_in_words(gone)}: "
            "each of these rows is treated as a different contributor. If several rows belong to one contributor, "
            "give them the same identifier."
        )
    return table, (*notes, *readings)


def _labels(file: Columns, name: str) -> list[str]:
    labels = file.texts(name)
    if "" in labels:
        line = file.numbers[labels.index("")]
        raise InputError(
            f"Line {line} of {quoted(file.name)} has no {quoted(name)}; each contribution needs one."
        )
    return labels


def read_hierarchy(
    path: str | Path, content: bytes | None = None, *, lead: str = "", axis: str = ""
) -> dict[str, str]:
    """Read the parent of each label, from a file with two columns or from files of tau-ARGUS.

    Parameters
    ----------
    path : str or Path
        A file with the columns label and parent, an .hrc file, or an .rda file that names the .hrc file of the axis.
    content : bytes, optional
        Content of the file, if it was read already.
    lead : str
        Lead string of an .hrc file; default: the one in the .rda file, otherwise @.
    axis : str
        Name of the axis, for an .rda file.

    Returns
    -------
    dict of str to str

    Raises
    ------
    InputError
        If the file has another number of columns, a label has two parents, or the lead string does not fit.
    """
    name = Path(path).name
    if name.lower().endswith(".rda") and content is None:
        path, stated = hierarchy_file(Path(path), axis)
        name, lead = path.name, lead or stated
    if name.lower().endswith(".hrc"):
        text = decoded(file_bytes(path) if content is None else content, name)
        if not lead:
            _check_lead(text, name)
        return from_hrc(text, name, lead or LEVEL)
    if lead:
        raise InputError(
            f"{quoted(name)} is not an .hrc file, so it has no lead string; leave out the lead string."
        )
    file = read_columns(path, content)
    if len(file.names) != 2:
        raise InputError(
            f"{quoted(name)} has {len(file.names)} columns; a hierarchy has two, a label and its parent."
        )
    return parents_of(zip(file.numbers, *map(file.texts, file.names), strict=True), name)


def read_apriori(path: str | PathLike[str], axes: Mapping[str, Sequence[str]]) -> Apriori:
    """Read an a priori file of τ-ARGUS (.hst).

    Parameters
    ----------
    path : str or path
    axes : mapping of str to sequence of str
        Labels of each axis, with its sub-totals and its total, such as those of `MagnitudeTable.labels`.

    Returns
    -------
    Apriori

    Raises
    ------
    InputError
        As for `apriori_of`.
    """
    if not isinstance(path, str | PathLike):
        raise InputError(f"The a priori file is {type_with_article(path)}; give the path of an .hst file.")
    name = Path(path).name
    return apriori_of(decoded(file_bytes(path, "an .hst file"), name), axes, name)


def _check_lead(text: str, name: str) -> None:
    """Raise InputError if the labels of a hierarchy begin with another lead string than @."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if any(line.startswith(LEVEL) for line in lines) or not lines or not lines[0][0].isalnum():
        return
    signs = {line[0] for line in lines if not line[0].isalnum() and line[0] not in "\"'(["}
    if len(signs) == 1:
        sign = signs.pop()
        raise InputError(
            f"No label of {quoted(name)} begins with {LEVEL}, but some begin with {quoted(sign)}; state the lead "
            f"string (lead), which is {quoted(LEVEL)} if these labels are not on a lower level."
        )


def entries_in(
    path: str | Path,
    axes: Mapping[str, Sequence[str]],
    column: str = "",
    marks: str = "ask",
    content: bytes | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Read entries of a table by their labels, each with a number.

    Parameters
    ----------
    path : str or Path
        A file with one column per axis.
    axes : mapping of str to sequence of str
        The labels of each axis, with its sub-totals and total if entries can be totals. A blank means the last label.
    column : str
        The column of numbers; no numbers are read if empty.
    marks : {"ask", "thousands", "decimals"}
        Meaning of an ambiguous comma or point in a number; "ask" raises an error.
    content : bytes, optional
        Content of the file, if it was read already.

    Returns
    -------
    ndarray of int, shape (entries, axes)
        The position of each entry on each axis.
    ndarray of float, shape (entries,)
        The numbers; 1 without a column.

    Raises
    ------
    InputError
        If a label is not one of its axis, or an entry occurs twice.
    """
    file = read_columns(path, content)
    columns = [file.texts(name) for name in axes]
    wheres = [f"Line {line} of {quoted(file.name)}" for line in file.numbers]
    places = _positions(wheres, list(zip(*columns, strict=True)), axes)
    return places, np.asarray(file.amounts(column, marks)[0] if column else np.ones(len(places)))


def entries_of(
    entries: str | PathLike[str] | pd.DataFrame | pd.Series | Iterable[Mapping[str, object]],
    axes: Mapping[str, Sequence[str]],
    column: str = "",
    subject: str = "the entries",
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return entries of a table by their labels, each with a number, from a file, a frame or a list of mappings.

    Parameters
    ----------
    entries : path, DataFrame, Series or iterable of mappings
        The labels of each entry, one per axis. A Series has the labels in its index.
    axes : mapping of str to sequence of str
        The labels of each axis, with its sub-totals and its total.
    column : str
        Name of the numbers; no numbers are read if empty.
    subject : str
        Name of the entries in messages.

    Returns
    -------
    ndarray of int, shape (entries, axes)
        The position of each entry on each axis.
    ndarray of float, shape (entries,)
        The numbers; 1 without a column.

    Raises
    ------
    InputError
        If an axis, a label or a number is missing or wrong, or an entry occurs twice.

    Examples
    --------
    >>> axes = {"Area": ["a", "b", "Total"], "Sex": ["m", "f", "Total"]}
    >>> entries_of([{"Area": "a", "Sex": "Total", "cost": 3}], axes, "cost")
    (array([[0, 2]]), array([3.]))
    """
    if isinstance(entries, str | PathLike):
        return entries_in(Path(entries), axes, column)
    rows = _mappings(entries, column, subject)
    names = [*axes, column] if column else list(axes)
    wheres = [f"Row {number} of {subject}" for number in range(1, len(rows) + 1)]
    for where, row in zip(wheres, rows, strict=True):
        missing = [name for name in names if name not in row]
        if missing:
            raise InputError(f"{where} has no {quoted(missing[0])}; it has {listed(list(map(str, row)))}.")
    labels = [tuple(["" if row[name] is None else str(row[name]) for name in axes]) for row in rows]
    numbers = [
        _number(row[column], f"{where}: {column}") if column else 1.0
        for where, row in zip(wheres, rows, strict=True)
    ]
    return _positions(wheres, labels, axes), np.asarray(numbers, dtype=np.float64)


def _mappings(entries: object, column: str, subject: str) -> list[dict[str, object]]:
    """Return the rows of a frame, a Series or a list of mappings."""
    import pandas as pd

    if isinstance(entries, pd.Series):
        entries = entries.rename(column or "value").to_frame()
    if isinstance(entries, pd.DataFrame):
        named = [name for name in entries.index.names if name is not None]
        frame = entries.reset_index(level=named) if named else entries
        entries = frame.astype(object).where(frame.notna(), None).to_dict("records")
    mappings: list[dict[str, object]] = []
    for row in entries if isinstance(entries, Iterable) else [entries]:
        if not isinstance(row, Mapping):
            raise InputError(
                f"{subject[:1].upper()}{subject[1:]} are {type_with_article(entries)}; they must be a file, a "
                "DataFrame or a list of mappings with a label for each axis."
            )
        mappings.append({str(name): value for name, value in row.items()})
    return mappings


def _number(value: object, where: str) -> float:
    """Return a finite number, or raise InputError."""
    try:
        number = float(value)  # type: ignore[arg-type]  # any other type is the error
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise InputError(f"{where} is {value!r}; it must be a number.")
    return number


def _positions(
    wheres: Sequence[str], rows: Sequence[Sequence[str]], axes: Mapping[str, Sequence[str]]
) -> NDArray[np.int64]:
    """Return the position of each label on its axis; a blank is the last label, the total."""
    positions = np.zeros((len(rows), len(axes)), dtype=np.int64)
    for k, (name, labels) in enumerate(axes.items()):
        number = {label: position for position, label in enumerate(labels)} | {"": len(labels) - 1}
        for row, (where, texts) in enumerate(zip(wheres, rows, strict=True)):
            if texts[k] not in number:
                raise InputError(
                    f"{where} has {quoted(texts[k])} as {quoted(name)}, which is not one of "
                    f"its categories. The categories are {listed(list(labels))}."
                )
            positions[row, k] = number[texts[k]]
    first: dict[tuple[int, ...], str] = {}
    for where, position in zip(wheres, map(tuple, positions.tolist()), strict=True):
        if first.setdefault(position, where) != where:
            earlier = first[position].partition(" of ")[0].lower()
            raise InputError(f"{where} names the same cell as {earlier}; keep one of them.")
    return positions
