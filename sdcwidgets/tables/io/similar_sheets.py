"""Find the sheets of a file whose tables have the same labels, such as one sheet per year or per sex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import count_in
from sdcwidgets.tables.io.formats.base import Format
from sdcwidgets.tables.io.layout.cells import label_of
from sdcwidgets.tables.io.layout.contents import are_times

__all__ = ["similar_sheets"]

#: Maximum number of rows per sheet, and of other sheets, that are compared.
MOST_ROWS, MOST_SHEETS = 60, 12

#: Minimum number of different labels of a sheet, and minimum share of all labels that two sheets have in common.
LEAST_LABELS, LEAST_SHARE = 3, 0.8


def similar_sheets(file: Format, name: str, rows: Iterable[Sequence[object]]) -> tuple[str, ...]:
    """Return the names of all sheets with the labels of a sheet, including its own; empty if there is no other.

    Hidden sheets are not compared. Afterwards, the hidden rows of `file` are those of another sheet.

    Parameters
    ----------
    file : Format
        File with the sheets.
    name : str
        Name of the sheet that was read.
    rows : iterable of sequence
        Cells of this sheet.
    """
    cells = list(islice(rows, MOST_ROWS))
    sheets, of_edges = file.visible(), False
    labels, _ = _labels_and_numbers(cells)
    if len(labels) < LEAST_LABELS:
        labels, of_edges = _edges(cells), True
        sheets = tuple(sheet for sheet in sheets if sheet == name or are_times([name, sheet]))
    if len(labels) < LEAST_LABELS or name not in sheets:
        return ()
    others = [other for other in sheets if other != name][:MOST_SHEETS]
    similar = {name, *(other for other in others if _has_labels(file, other, labels, of_edges))}
    return tuple(sheet for sheet in sheets if sheet in similar) if len(similar) > 1 else ()


def _has_labels(file: Format, name: str, labels: set[str], of_edges: bool) -> bool:
    """Return whether a sheet has numbers and most of these labels, and hardly any other label."""
    try:
        cells = list(islice(file.sheet(name).rows, MOST_ROWS))
    except InputError:
        return False
    found, numbers = _labels_and_numbers(cells)
    found = _edges(cells) if of_edges else found
    return numbers > 0 and len(found & labels) >= LEAST_SHARE * len(found | labels)


def _edges(rows: Iterable[Sequence[object]]) -> set[str]:
    """Return the cells of the first row with several cells, and the first cells of the rows below it, with their kind.

    They are the labels of a table whose labels are numbers, such as ages.
    """
    filled = [[label_of(cell).strip() for cell in row] for row in rows]
    lines = [texts for texts in filled if sum(map(bool, texts)) > 1]
    across = [f"column {text}" for text in (lines[0][1:] if lines else ()) if text]
    return {*across, *(f"row {texts[0]}" for texts in lines[1:] if texts[0])}


def _labels_and_numbers(rows: Iterable[Sequence[object]]) -> tuple[set[str], int]:
    """Return the texts in rows with several filled cells, and how many of the cells are numbers."""
    labels, numbers = set[str](), 0
    for row in islice(rows, MOST_ROWS):
        texts = [text for text in (label_of(cell).strip() for cell in row) if text]
        if len(texts) > 1:
            counts = [not isinstance(count_in(text), str) for text in texts]
            labels.update(text for text, is_count in zip(texts, counts, strict=True) if not is_count)
            numbers += sum(counts)
    return labels, numbers
