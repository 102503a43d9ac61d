"""Read a file with a layout for a release: with its texts, and with the labels that are not in the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from os import PathLike

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layout_totals import has_totals, with_totals
from sdcwidgets.tables.io.layouts import FileLayout
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.sub_totals import SubTotals


def read_for_release(
    source: str | bytes | PathLike[str], layout: FileLayout, *, limit: int | None = None
) -> Reading:
    r"""Read a file as a layout states, with its title, source and notes, and with the labels that it omits.

    Parameters
    ----------
    source : str, bytes or path
        Text of more than one line, the content of a file, or the path of a file.
    layout : FileLayout
    limit : int, optional
        Maximum number of cells.

    Examples
    --------
    >>> from sdcwidgets.tables.io.layouts import LayoutColumn
    >>> columns = (LayoutColumn(1, "label", "Area", left_out=("All", "Hull")), LayoutColumn(2, "count", "n"))
    >>> text = "Area,n\nBath,3\nYork,6\nHull,5\nAll,9\n"
    >>> read_for_release(text, FileLayout(columns, header=1, first=2)).as_read.omitted
    ('Hull',)
    """
    reading = read(source, layout, limit=limit, texts=True)
    return reading.with_omitted((*reading.omitted, *_unclear(source, layout, reading)))


def _unclear(source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading) -> Iterator[str]:
    """Yield the labels that a layout omits as totals, although they are no sums of categories."""
    if not has_totals(layout):
        return
    with suppress(InputError):  # without its omitted lines, the layout may read the file only
        whole = read(source, with_totals(layout)).table
        for sums in SubTotals.omitted(reading.table, whole):
            yield from sums.unclear
