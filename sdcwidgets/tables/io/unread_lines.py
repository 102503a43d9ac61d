"""Doubts about rows and columns that a proposed layout does not read, although they may be counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import NUMBER, count_error, count_in, quoted
from sdcwidgets.tables.io.filled_files import is_count
from sdcwidgets.tables.io.formats.base import Rows
from sdcwidgets.tables.io.layout.cells import is_blank, label_of, missing_in
from sdcwidgets.tables.io.layout.totals import larger_doubts
from sdcwidgets.tables.io.layout_reader import opened, read
from sdcwidgets.tables.io.layout_totals import not_included
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.open_doubts import OpenDoubts
from sdcwidgets.tables.io.options import Reading
from sdcwidgets.tables.io.plausibility import outsized_labels
from sdcwidgets.tables.io.questions import Doubt, doubt

#: Minimum number of similar numbers with a mark that separates decimals.
_LEAST_DECIMALS = 3

#: Maximum number of omitted labels of a column that are compared with the others.
_MOST_OMITTED = 4


def unread_counts(
    source: str | bytes | PathLike[str], layout: FileLayout, doubts: OpenDoubts, notes: Sequence[str]
) -> list[Doubt]:
    """Return a doubt on each column that is not read, although its whole numbers may be counts."""
    if not layout.of_role("count"):
        return []
    # A note on columns that a doubt concerns is the consequence of the answer, which may be wrong.
    stated, open_ = " ".join(doubts.sentences or notes), list[Doubt]()
    for column, cells in unread_numbers(source, layout):
        name = quoted(column.heading or str(column.number))
        is_checked = column.role == "total" or bool(column.categories or column.only)
        has_texts = not all(map(is_count, cells))
        is_stated = name in stated and not has_texts
        if not is_checked and not is_stated and _may_be_counts(cells):
            open_.append(doubt("unread", named=name, column=column.number))
    return open_


def larger_than_total(
    source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading | None
) -> list[Doubt]:
    """Return doubts about columns that a column of totals does not include although they are larger."""
    if reading is None or not layout.of_role("total"):
        return []
    columns = [replace(one, role="count") if one.role == "total" else one for one in layout.columns]
    with suppress(InputError):
        whole = read(source, replace(layout, columns=tuple(columns))).table
        pairs = zip(whole.axes, reading.table.axes, strict=True)
        stay = [np.array([label in read_axis.labels for label in axis]) for axis, read_axis in pairs]
        every = [larger_doubts(whole.counts, whole.axes, k, stay[k]) for k in range(whole.ndim)]
        return list(itertools.chain.from_iterable(every))
    return []


def labels_not_included(
    source: str | bytes | PathLike[str], layout: FileLayout, reading: Reading | None, open_: OpenDoubts
) -> list[Doubt]:
    """Return doubts about labels that no omitted total includes, if no other doubt names them."""
    known = {one.facts.get("label") for one in open_.questions.values()}
    doubts = not_included(source, layout, reading.table) if reading is not None else []
    return [one for one in doubts if one.facts["label"] not in known]


def omitted_areas(
    source: str | bytes | PathLike[str],
    layout: FileLayout,
    texts: Sequence[str],
    open_: OpenDoubts,
) -> list[Doubt]:
    """Return a doubt on each omitted label that is larger than all other labels together, if no doubt names it."""
    known = {one.facts.get("label") for one in open_.questions.values()}
    meant, doubts = {**dict.fromkeys(texts, "zero"), **layout.texts}, list[Doubt]()
    for column in layout.of_role("label"):
        for label in column.left_out[:_MOST_OMITTED]:
            others = tuple(text for text in column.left_out if text != label)
            changed = replace(column, left_out=others, categories=())
            columns = tuple(changed if listed is column else listed for listed in layout.columns)
            with suppress(InputError):
                table = read(source, replace(layout, columns=columns, texts=meant, rounded=True)).table
                if label and label not in known:
                    doubts += [one for one in outsized_labels(table) if one.facts["label"] == label]
    return doubts


def omitted_words(source: str | bytes | PathLike[str], layout: FileLayout, open_: OpenDoubts) -> list[Doubt]:
    """Return a doubt if a layout does not read a line whose text in place of a count the reader rejected."""
    counts = [column.number - 1 for column in layout.of_role("count")]
    if not counts or not open_.sentences:
        return []
    file, _ = opened(source, layout)
    rows = list(file.sheet(layout.sheet or file.names()[0]).rows)
    for i, j in (*_rows_with_words(rows, layout, counts), *_columns_with_words(rows, layout)):
        word = label_of(rows[i][j]).strip()
        error = quoted(word) if missing_in(word) else count_error(word)
        if error and any(error in sentence for sentence in open_.sentences):
            return [doubt("omitted word", word=quoted(word), row=i + 1, column=j + 1)]
    return []


def _rows_with_words(rows: Rows, layout: FileLayout, counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first count of each row that is not read, and has all labels and one word in place of all counts."""
    labels = [column.number - 1 for column in layout.of_role("label") if not column.fill]
    unread = {row.number - 1 for row in layout.rows if row.role == "other"}
    full = [
        i
        for i, row in enumerate(rows)
        if (i < layout.first - 1 or i in unread) and all(j < len(row) and row[j] for j in (*labels, *counts))
    ]
    for i in full[1:] if full and full[0] < layout.first else full:  # The first one is the header.
        words = {label_of(rows[i][j]).strip() for j in counts}
        if len(words) == 1 and not any(map(is_count, words)):
            yield i, counts[0]


def _columns_with_words(rows: Rows, layout: FileLayout) -> Iterator[tuple[int, int]]:
    """Yield the first word of each column beside counts that is not read, and has one word without digits only."""
    of_counts = {column.number for column in layout.columns if column.role in ("count", "total")}
    for column in layout.of_role("other"):
        j = column.number - 1
        if not column.heading or not of_counts & {j, j + 2}:
            continue  # A column of codes often has no heading.
        cells = {i: row[j] for i, row in enumerate(rows) if i >= layout.first - 1 and j < len(row)}
        words = {
            i: label_of(cell).strip()
            for i, cell in cells.items()
            if not is_blank(cell) and not is_count(cell)
        }
        if len(set(words.values())) == 1 and not any(map(str.isdigit, next(iter(words.values())))):
            yield next(iter(words)), j


def unread_numbers(
    source: str | bytes | PathLike[str], layout: FileLayout
) -> Iterator[tuple[LayoutColumn, list[object]]]:
    """Yield each column of whole numbers that is not read, with its cells that are not blank."""
    file, _ = opened(source, layout)
    sheet = file.sheet(layout.sheet if layout.sheet else file.names()[0])
    unread = {row.number for row in layout.rows}
    rows = [row for i, row in enumerate(sheet.rows, 1) if i >= layout.first and i not in unread]
    for column in layout.columns:
        if column.role in ("other", "total"):
            own = [row[column.number - 1] for row in rows if column.number <= len(row)]
            filled = [cell for cell in own if not is_blank(cell)]
            is_decimal = column.role == "other" and _are_decimals(filled, layout.thousands)
            if not is_decimal and _are_whole(filled, len(rows)):
                yield column, filled


def _are_whole(cells: Sequence[object], rows: int) -> bool:
    """Return whether cells are whole numbers, perhaps with one text that marks unpublished counts."""
    numbers = [cell for cell in cells if is_count(cell)]
    texts = {label_of(cell) for cell in cells if not is_count(cell)}
    return bool(numbers) and (not texts or (len(texts) == 1 and len(numbers) > rows // 2))


def _are_decimals(cells: Sequence[object], thousands: str) -> bool:
    """Return whether similar numbers, such as the latitudes 46.204 and 47.377, have a mark that no count has.

    Examples
    --------
    >>> _are_decimals(["46.204", "47.377", "47.123"], ""), _are_decimals(["46.204", "47.377", "47.123"], ".")
    (True, False)
    >>> _are_decimals(["1.204", "47.377", "912"], "")
    False
    """
    marks = [groups_of([cell]) for cell in cells]
    numbers = [count for count in map(count_in, cells) if not isinstance(count, str)]
    if len(cells) < _LEAST_DECIMALS or not all(marks) or any(mark & set(thousands) for mark in marks):
        return False
    return max(numbers, default=0) < 2 * min(numbers, default=0)


def groups_of(cells: Sequence[object]) -> set[str]:
    """Return the separators of thousands in cells."""
    matches = [NUMBER.fullmatch(cell.strip()) for cell in cells if isinstance(cell, str)]
    return {match["group"] for match in matches if match is not None and match["group"]}


def _may_be_counts(cells: Sequence[object]) -> bool:
    """Return whether whole numbers of a column may be counts: they differ, and do not number the rows."""
    numbers = [count for count in map(count_in, cells) if not isinstance(count, str)]
    if any(len(text) > 1 and text.startswith("0") for text in map(label_of, cells)):
        return False  # codes
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    return len(set(numbers)) > 1 and steps != {1}
