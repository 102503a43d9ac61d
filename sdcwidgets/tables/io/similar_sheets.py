"""Find the sheets of a file whose tables have the same labels, such as one sheet per year or per sex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import count_in
from sdcwidgets.tables.io.formats.base import Format
from sdcwidgets.tables.io.layout.cells import label_of

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
    labels, _ = _labels_and_numbers(rows)
    sheets = file.visible()
    if len(labels) < LEAST_LABELS or name not in sheets:
        return ()
    others = [other for other in sheets if other != name][:MOST_SHEETS]
    similar = {name, *(other for other in others if _has_labels(file, other, labels))}
    return tuple(sheet for sheet in sheets if sheet in similar) if len(similar) > 1 else ()


def _has_labels(file: Format, name: str, labels: set[str]) -> bool:
    """Return whether a sheet has numbers and most of these labels, and hardly any other label."""
    try:
        found, numbers = _labels_and_numbers(file.sheet(name).rows)
    except InputError:
        return False
    return numbers > 0 and len(found & labels) >= LEAST_SHARE * len(found | labels)


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
