"""Write a release as lines, CSV text, HTML or a data frame with one row per value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util import html_table
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.files import put_too
from sdcwidgets._util.labels import corner, counted, number_text, total_label
from sdcwidgets.tables.io.writers.workbook import below, header_for_readers, lines_with_total

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets.core.margins import MarginAxes
    from sdcwidgets.tables.io.writers.as_read import AsRead
    from sdcwidgets.tables.release import Release


def frame(release: Release) -> pd.DataFrame:
    """Return `Release.to_frame`."""
    import pandas as pd

    frames = []
    for margin in release.values:
        pieces = _labels(release, margin)
        index = pd.MultiIndex.from_product(pieces, names=[axis.name for axis in release.axes])
        columns = {
            name: getattr(release, name)[margin].ravel() for name in ("values", "lower", "upper", "symbols")
        }
        part = pd.DataFrame(columns, index=index).rename(columns={"values": "value", "symbols": "symbol"})
        frames.append(part.reset_index(allow_duplicates=True))
    return pd.concat(frames, ignore_index=True)


def lines(release: Release, *, totals: bool = True) -> Iterator[list[str | float]]:
    """Yield `Release.lines`."""
    published = _published(release, totals=totals)
    down = release.every[:-1] if release.ndim > 1 else (0,)
    last = release.ndim - 1
    used = _ends(release, published)
    head: list[str | float] = list(corner([axis.name for axis in release.axes]))
    for end in used:
        head += _labels(release, end)[last] if last else ["Count"]
    yield head
    choices = [_places(release, k) for k in down]
    for chosen in itertools.product(*choices):
        at = {k: i for k, i in chosen if i is not None}
        if not any((*at, *end) in published for end in used):
            continue
        line: list[str | float] = [
            total_label(release.axes[k].labels) if i is None else release.axes[k].labels[i] for k, i in chosen
        ]
        for end in used:
            line += _numbers(release, (*at, *end), tuple(at.values()))
        yield line


def _ends(release: Release, published: Collection[MarginAxes]) -> list[MarginAxes]:
    """Return the blocks of columns: the categories of the last axis, and its total."""
    last = release.ndim - 1
    if not last:
        return [()]
    ends = {last in margin for margin in published}
    used: list[MarginAxes] = [end for end in ((last,), ()) if bool(end) in ends]
    return used[:1] if is_merged_to_one(release, last) else used


def _places(release: Release, k: int) -> list[tuple[int, int | None]]:
    """Return the position of each category of an axis of rows, and None for its total."""
    places: list[tuple[int, int | None]] = [(k, i) for i in range(len(release.axes[k]))]
    return places if is_merged_to_one(release, k) else [*places, (k, None)]


def is_merged_to_one(release: Release, k: int) -> bool:
    """Return whether all categories of an axis are merged to one, which is also its total."""
    axis = release.axes[k]
    return release.ndim > 1 and len(axis) == 1 and axis.name in release.merged


def _published(release: Release, *, totals: bool) -> set[MarginAxes]:
    """Return the published margins; without totals, only that of the cells."""
    return set(release.values) if totals or release.every not in release.values else {release.every}


def _numbers(release: Release, margin: MarginAxes, index: tuple[int, ...]) -> list[str | float]:
    """Return the values or symbols of a margin in one line; blank cells if the margin is not published."""
    if margin not in release.values:
        return [""] * (release.shape[-1] if len(margin) > len(index) else 1)
    values, symbols = (np.atleast_1d(arrays[margin][index]) for arrays in (release.values, release.symbols))
    return [
        symbol or (int(value) if value == np.floor(value) else float(value))
        for value, symbol in zip(values, symbols, strict=True)
    ]


def _number_of_rows(release: Release) -> int:
    """Return the number of lines of `lines` without the first line."""
    down = set(release.every[:-1] if release.ndim > 1 else (0,))
    margins = {tuple(sorted(down & set(margin))) for margin in release.values}
    return sum(math.prod(len(release.axes[k]) for k in margin) for margin in margins)


def summary(release: Release) -> str:
    """Return a release in one line."""
    sizes = ", ".join(f"{axis.name}: {len(axis)}" for axis in release.axes)
    gaps = sum(int(np.isnan(array).sum()) for array in release.values.values())
    return f"Release({sizes}; {len(release.values)} sets of values, {gaps} suppressed)"


def _html_cell(value: str | float, symbols: Collection[str]) -> html_table.Cell:
    """Return the cell of a number, or of a symbol that replaces a number."""
    if isinstance(value, str):
        return html_table.Cell(value, "not published" if value in symbols else "")
    return html_table.Cell(number_text(value))


def html(release: Release) -> str:
    """Return `Release.lines` as HTML for a notebook, with its notes."""
    heads = max(1, release.ndim - 1)
    first, *rest = itertools.islice(lines(release), html_table.MOST_ROWS + 1)
    symbols = dict.fromkeys(
        str(text) for texts in release.symbols.values() for text in np.unique(texts) if text
    )
    rows = [
        (
            [str(label) for label in line[:heads]],
            [_html_cell(value, symbols) for value in line[heads : heads + html_table.MOST_COLUMNS]],
        )
        for line in rest
    ]
    more = [
        f"Of {total:,} {noun} {most} are shown."
        for total, most, noun in (
            (_number_of_rows(release), html_table.MOST_ROWS, "rows"),
            (len(first) - heads, html_table.MOST_COLUMNS, "columns"),
        )
        if total > most
    ]
    head = [str(text) for text in first[: heads + html_table.MOST_COLUMNS]]
    return html_table.of_lines(_caption(release), head, rows, [*more, *release.notes])


def _caption(release: Release) -> str:
    """Return the axes of a release, and its number of suppressed values, as a caption for readers."""
    suppressed = sum(int(np.isnan(array).sum()) for array in release.values.values())
    axes = " by ".join(axis.name for axis in release.axes)
    return f"{axes}, published values" + (
        f", {counted(suppressed, 'suppressed value')}" if suppressed else ""
    )


def csv(
    release: Release,
    path: str | PathLike[str] | None = None,
    *,
    escape: bool = True,
    margins: bool = True,
    as_read: AsRead | None = None,
    total: str = "",
) -> str:
    """Return `Release.to_csv`."""
    if as_read is not None and as_read.fits(release):
        text = as_read.csv(release, escape=escape)
    elif as_read is not None:
        head, *body = lines_with_total(release, total, totals=margins)
        text = as_read.around(iter([header_for_readers(release, head), *body]), release, escape=escape)
    elif margins or not release.plain:
        totals = margins or release.has_own_totals
        notes = release.notes if totals else release.without_note_on_totals().notes
        lines_of_text = lines_with_total(release, total, totals=totals)
        text = csv_text([*lines_of_text, *below(notes)], escape=escape)
    else:
        noted = csv_text(below(release.without_note_on_totals().notes), escape=escape, quote_texts=True)
        text = f"{release.table().to_csv(escape=escape)}{noted}"
    return put_too(text, path)


def sheet(release: Release, *, totals: bool) -> pd.DataFrame | Iterator[list[str | float]]:
    """Return a release for a sheet of a workbook: a data frame of the cells, or lines with totals."""
    if release.plain and not totals:
        return release.table().to_frame()
    return lines(release, totals=totals or release.has_own_totals)


def _labels(release: Release, margin: MarginAxes) -> list[tuple[str, ...]]:
    axes = enumerate(release.axes)
    return [axis.labels if k in margin else (total_label(axis.labels),) for k, axis in axes]
