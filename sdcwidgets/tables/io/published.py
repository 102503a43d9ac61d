"""Read a published table, in which counts are suppressed and totals need not be sums, as a release."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import count_in, listed, quoted, shortened
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.formats.base import Format, SheetCells
from sdcwidgets.tables.io.formats.base import of as format_of
from sdcwidgets.tables.io.formats.delimited import DelimitedText, opened_bytes
from sdcwidgets.tables.io.layout.cells import is_blank, is_total, missing_in, range_in
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_file
from sdcwidgets.tables.io.sources import named
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


def read_published(
    file: str,
    choices: Mapping[str, Any] | None = None,
    conclusions: Callable[[Floats], tuple[Any, Any]] | None = None,
) -> Release:
    """Return a published table as a release: its cells, its totals and its suppressed counts.

    Parameters
    ----------
    file : str
        Name of the file, as on the command line.
    choices : mapping, optional
        Options of the reader.
    conclusions : callable, optional
        Function of a method that maps published values to the bounds of the original counts. By default, each
        published value is the original count.

    Returns
    -------
    Release
        Categories that are named as totals are margins. Other categories that are sums remain categories.

    Raises
    ------
    InputError
        If the file does not exist or contains no table.
    """
    source = named(file)
    content = getattr(source, "content", None)
    if not isinstance(content, bytes):
        raise InputError(f"{source.title} is not a file; give a file with a published table.")
    how = ReadOptions(**{"margins": "keep", "doubts": "accept", **(choices or {})})
    filled = [
        read_file(
            _PublishedFile(opened_bytes(content, shortened(file), None, how.encoding), fill), how, None
        ).table
        for fill in (0, 1)
    ]
    # A suppressed count is read as 0 and as 1, so the two tables differ there.
    published = np.where(filled[0].counts == filled[1].counts, filled[0].counts, np.nan)
    axes, values = _margins(filled[0], published)
    return Release.by_value(axes, values, conclusions or _as_published)


def _as_published(values: Floats) -> tuple[Floats, Floats]:
    """Return the bounds of original counts that are published as they are, or suppressed."""
    return np.where(np.isnan(values), 0.0, values), np.where(np.isnan(values), np.inf, values)


def _margins(table: FrequencyTable, published: Floats) -> tuple[list[Axis], dict[MarginAxes, Floats]]:
    """Return the axes without totals, and the values of the cells and of each published margin."""
    places: list[tuple[list[int], int | None]] = []
    axes = []
    for axis in table.axes:
        totals = [k for k, label in enumerate(axis.labels) if is_total(label)]
        total = totals[-1] if totals and len(axis) > 1 else None
        own = [k for k in range(len(axis)) if k != total]
        places.append((own, total))
        axes.append(Axis(axis.name, tuple(axis.labels[k] for k in own)))
    values: dict[MarginAxes, Floats] = {}
    for is_kept in itertools.product((True, False), repeat=len(axes)):
        totals_of = [total for keeps, (_, total) in zip(is_kept, places, strict=True) if not keeps]
        if any(total is None for total in totals_of):
            continue
        view = published
        for k, keeps in reversed(list(enumerate(is_kept))):
            own, total = places[k]
            view = np.asarray(view.take(own, axis=k) if keeps or total is None else view.take(total, axis=k))
        values[tuple(k for k, keeps in enumerate(is_kept) if keeps)] = view
    return axes, values


class _PublishedFile(Format):
    """A file in which each suppressed count is read as a number."""

    name, title, suffixes = "published", "", ()

    def __init__(self, file: Format, fill: int) -> None:
        self._file, self._fill = file, fill

    @classmethod
    def knows(cls, content: bytes) -> bool:
        return False

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> _PublishedFile:
        return cls(format_of(content).opened(content, name, limit), 0)

    def names(self) -> tuple[str, ...]:
        return self._file.names()

    def tried(self) -> Any:
        yield from self._file.tried()

    def sheet(self, name: str) -> SheetCells:
        """Return a sheet with a number in place of each suppressed count."""
        sheet = self._file.sheet(name)
        rows = [list(row) for row in sheet.rows]
        first, columns = self._counts(sheet, rows)
        fill: object = str(self._fill) if isinstance(self._file, DelimitedText) else self._fill
        for row in rows[first:]:
            for j in columns:
                if j < len(row) and _is_gap(row[j]):
                    row[j] = fill
        return replace(sheet, rows=rows, own=False)

    def _counts(self, sheet: SheetCells, rows: list[list[Any]]) -> tuple[int, list[int]]:
        """Return the first row with counts, and the columns with counts."""
        if sheet.by:
            header = next((i for i, row in enumerate(rows) if sheet.count in row), None)
            if header is None:
                raise InputError(f"The file has no column {quoted(sheet.count)}.")
            return header + 1, [rows[header].index(sheet.count)]
        first = next((i for i, row in enumerate(rows) if i and _has_counts(row)), len(rows))
        # A note below the table has one cell.
        body = [row for row in rows[first:] if sum(not is_blank(cell) for cell in row) > 1]
        width = max(map(len, body), default=0)
        columns = [j for j in range(1, width) if all(_is_number(row[j]) for row in body if j < len(row))]
        # In the first rows of a long table, all counts may be suppressed.
        while first > 1 and columns and all(_is_gap(cell) for cell in _cells(rows[first - 1], columns)):
            first -= 1
        return first, columns


def _cells(row: list[Any], columns: list[int]) -> list[Any]:
    """Return the cells of a row in some columns, None where the row is shorter."""
    return [row[j] if j < len(row) else None for j in columns]


def _has_counts(row: list[Any]) -> bool:
    """Return whether a row has a count after its first cell, or only suppressed counts."""
    cells = [cell for cell in row[1:] if not is_blank(cell)]
    return any(map(_is_count, cells)) or (bool(cells) and all(map(_is_gap, cells)))


def _is_gap(cell: object) -> bool:
    """Return whether a cell is a suppressed count, and not a label such as an age group."""
    return missing_in(cell) is not None and not range_in(cell)


def _is_number(cell: object) -> bool:
    """Return whether a cell of a column of counts is as expected: blank, suppressed or a count."""
    return is_blank(cell) or _is_gap(cell) or _is_count(cell)


def _is_count(cell: object) -> bool:
    return not is_blank(cell) and not isinstance(count_in(cell), str)


def published_of(
    table: FrequencyTable, file: str, conclusions: Callable[[Floats], tuple[Any, Any]] | None = None
) -> Release:
    """Return the protected table in a file as a release of its original table.

    Parameters
    ----------
    table : FrequencyTable
        Original counts.
    file : str
        Name of a file with the protected table. It has the axes and categories of the original table, in any order.
    conclusions : callable, optional
        Function of the method that maps published values to the bounds of the original counts.

    Returns
    -------
    Release
        Without `conclusions`, published values that differ from the original counts imply no bounds, and the release
        states this limitation.

    Raises
    ------
    InputError
        If the file contains no table, or another table, or a count that the method cannot publish so.
    """
    published = read_published(file)
    names = [axis.name for axis in table.axes]
    order = _order_of_labels(table, published, file)
    values, is_exact = {}, True
    for size in range(table.ndim + 1):
        for kept in itertools.combinations(range(table.ndim), size):
            chosen = [names[k] for k in kept]
            if tuple(sorted(published.axis(name) for name in chosen)) not in published.values:
                continue
            array = published.marginal(*chosen)
            for k, name in enumerate(chosen):
                array = array.take(order[name], axis=k)
            values[kept] = np.asarray(array, dtype=np.float64)
            original = table.counts.sum(axis=tuple(k for k in range(table.ndim) if k not in kept))
            is_exact &= bool((np.isnan(values[kept]) | (values[kept] == original)).all())
    if conclusions is None and not is_exact:
        release = Release.by_value(table.axes, values, _no_bounds)
        return replace(release, limitation=f"The method that changed the counts in {file} is not known.")
    if conclusions is None:
        return Release.by_value(table.axes, values, _as_published)
    cells = values[tuple(range(table.ndim))]
    _check_conclusions(table, cells, conclusions, file)
    if not np.isnan(cells).any() and _are_sums(values, cells):
        # Totals that are sums of published cells were not protected themselves.
        whole = FrequencyTable(cells.astype(np.int64), table.axes)
        return Release.of(whole, *conclusions(cells))
    return Release.by_value(table.axes, values, conclusions)


def _order_of_labels(table: FrequencyTable, published: Release, file: str) -> dict[str, list[int]]:
    """Return the published position of each label of the original table, by axis."""
    names, own = [axis.name for axis in table.axes], [axis.name for axis in published.axes]
    if sorted(names) != sorted(own):
        raise InputError(f"{file} has the axes {listed(own)}, but the original table has {listed(names)}.")
    order: dict[str, list[int]] = {}
    for axis in table.axes:
        labels = published.axes[published.axis(axis.name)].labels
        different = [
            label for label in (*axis.labels, *labels) if (label in axis.labels) != (label in labels)
        ]
        if different:
            raise InputError(
                f"{file} and the original table have different categories of {quoted(axis.name)}, for example "
                f"{quoted(different[0])}."
            )
        order[axis.name] = [labels.index(label) for label in axis.labels]
    return order


def _check_conclusions(
    table: FrequencyTable, cells: Floats, conclusions: Callable[[Floats], tuple[Any, Any]], file: str
) -> None:
    """Raise InputError if a method cannot have published a cell of the original table with this value."""
    lower, upper = conclusions(cells)
    is_false = ~np.isnan(cells) & ((table.counts < lower) | (table.counts > upper))
    if is_false.any():
        cell = tuple([int(index) for index in np.argwhere(is_false)[0]])
        labels = ", ".join([axis.labels[index] for axis, index in zip(table.axes, cell, strict=True)])
        raise InputError(
            f"{file} publishes the count {table.counts[cell]} of {quoted(labels)} as {cells[cell]:g}, which the stated "
            "method and settings cannot do; state the method and the settings that were used."
        )


def _are_sums(values: Mapping[MarginAxes, Floats], cells: Floats) -> bool:
    """Return whether each published margin is the sum of the published cells."""
    return all(
        np.array_equal(array, cells.sum(axis=tuple(k for k in range(cells.ndim) if k not in kept)))
        for kept, array in values.items()
    )


def _no_bounds(values: Floats) -> tuple[Floats, Floats]:
    """Return the bounds of original counts that the published values do not narrow."""
    return np.zeros(values.shape), np.full(values.shape, np.inf)
