"""Layout of selectable published numbers: the last axis is in the columns, all others are in the rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from sdcwidgets._util.labels import total_label
from sdcwidgets.attacks.knowledge import PublishedSystem
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release


class TableLayout(NamedTuple):
    """Layout of a published table."""

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    numbers: tuple[tuple[int | None, ...], ...]
    """Index of the published number at each position, None for a suppressed cell."""


def lay_out(release: Release, title: str, published: PublishedSystem) -> TableLayout:
    """Return the layout of a release: cells, and each published total after its categories.

    Examples
    --------
    >>> from sdcwidgets.attacks.knowledge import Knowledge, TablePlacement, system
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> release = Release.of(FrequencyTable([[[4, 7]], [[5, 9]]], {"Area": "ab", "Sex": "m", "Age": "01"}))
    >>> layout = lay_out(release, "T", system([release], Knowledge(release.axes, (TablePlacement("T"),))))
    >>> layout.corner, layout.columns
    ('Area × Sex', ('0', '1', 'Total'))
    >>> layout.rows
    ('a, m', 'a, Total', 'b, m', 'b, Total', 'Total, m', 'Total')
    """
    positions = {(number.source, number.axes, number.labels): k for k, number in enumerate(published.numbers)}
    down, across = sides(release.axes)
    totals = across is None or any(len(down) not in axes for axes in release.values)
    columns: list[str | None] = [] if across is None else list(across.labels)
    if totals:
        columns.append(None)

    def is_published(row: Sequence[str | None]) -> bool:
        axes, _ = _fixed_labels(row)
        return axes in release.values or (*axes, len(down)) in release.values

    rows = [row for row in itertools.product(*([*axis.labels, None] for axis in down)) if is_published(row)]
    return TableLayout(
        " × ".join(axis.name for axis in down),
        tuple(_name(down, row) for row in rows),
        tuple("Number" if across is None else label or total_label(across.labels) for label in columns),
        tuple(
            tuple(positions.get((title, *_fixed_labels((*row, label)))) for label in columns) for row in rows
        ),
    )


def _fixed_labels(labels: Sequence[str | None]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the axes with a fixed label, and these labels; None means all categories."""
    return (
        tuple(k for k, label in enumerate(labels) if label is not None),
        tuple(label for label in labels if label is not None),
    )


def _name(axes: Sequence[Axis], labels: Sequence[str | None]) -> str:
    names = [label or total_label(axis.labels) for axis, label in zip(axes, labels, strict=True)]
    return ", ".join(names) if any(labels) else names[-1]


def sides(axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], Axis | None]:
    """Return the axes in the rows, and the axis in the columns; None if there is only one axis."""
    return (tuple(axes[:-1]), axes[-1]) if len(axes) > 1 else (tuple(axes), None)
