"""Measures of census offices: small counts (1 and 2), and group attribute disclosure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import Line, text_lines
from sdcwidgets._util.parameters import AxisNames, Help, Label, Range
from sdcwidgets.core.risk import census
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

Along = Annotated[
    str,
    AxisNames(),
    Label("Axis of the measured slices"),
    Help("Axis of the table whose slices are measured."),
]


def _share(ratio: census.Ratio) -> Floats:
    """Return a share, or nan if it has no cases."""
    return np.where(ratio.cases > 0, ratio.value, np.nan)


@register
@dataclass(frozen=True)
class SmallChanged(Measure):
    """Share of the small counts (1 and 2) that are published with another value."""

    label = "Changed small counts (1 and 2)"
    order: ClassVar[float] = 30
    direction = "protection"
    source = "Antal, Shlomo and Elliot 2014 (PSD 2014), section 4; SDC handbook, section 5.2"
    suppression_note = "A suppressed small count counts as a changed small count."
    nothing = "no original count of 1 or 2"
    digits = 3
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share in each slice and replicate."""
        (cases,), _ = batch.original.small(axis)
        _, true = batch.small(axis)
        share: Floats = (cases - true) / np.where(cases > 0, cases, np.nan)
        return share

    def before(self, table: FrequencyTable) -> float:
        """Return 0, because no count is changed."""
        return 0.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the number of changed small counts and of all small counts."""
        F, G = batch.table.counts, batch.published[0]
        small = (F == 1) | (F == 2)
        cases, changed = int(small.sum()), int((small & (F != G)).sum())
        if cases == 0:
            return text_lines("No cell has a count of 1 or 2, so the share is undefined.")
        return text_lines(
            "The measure is the share of cells with a count of 1 or 2 whose published count differs from "
            "the original count.",
            f"In this replicate, the method changed {changed} of {cases} small counts.",
        )


@register
@dataclass(frozen=True)
class SmallCells(Measure):
    """Share of the published cells with a count from 1 to below a threshold, the risk of identification.

    References
    ----------
    Handbook, section 5.9; thesis, section 3.5.1.
    """

    threshold: Annotated[
        int,
        Range(2, 20),
        Label("Threshold of small counts"),
        Help("Smallest positive count that is not small. 3: counts of 1 and 2 are small."),
    ] = 3

    label = "Cells with small published counts"
    order: ClassVar[float] = 31
    direction = "risk"
    source = "SDC handbook, section 5.9; Antal 2016, section 3.5.1"
    nothing = "no cells"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share in each slice and replicate."""
        _, published = batch.cells(axis)
        small: Floats = ((published > 0) & (published < self.threshold)).mean(axis=-1)
        return small

    def explain(self, batch: Batch) -> list[Line]:
        """Return the number of small counts and of cells in the first replicate."""
        _, published = batch.cells(None)
        small = (published[0] > 0) & (published[0] < self.threshold)
        return text_lines(
            f"The measure is the share of published cells with a count from 1 to {self.threshold - 1}. An intruder who "
            "finds a person in such a cell can identify the person.",
            f"In this replicate: {int(small.sum())} of {small.size} cells, {small.mean():.4f}.",
        )


@register
@dataclass(frozen=True)
class MeanCellSize(Measure):
    """Mean number of people per cell of the original table; many offices require a minimum.

    References
    ----------
    Thesis, section 3.5.1; handbook, section 5.3 (table redesign).
    """

    label = "Mean cell size"
    symbol = "N/K"
    unit = "people"
    order: ClassVar[float] = 31
    high: ClassVar[float] = np.inf
    direction = "protection"
    needs: ClassVar[tuple[Need, ...]] = ("before",)
    source = "Antal 2016, section 3.5.1; SDC handbook, section 5.3"
    suppression_note = "The measure uses the original counts, which have no suppressed cells."
    digits = 2

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return N/K of each slice, as one replicate."""
        sizes: Floats = batch.true(axis).mean(axis=1)[np.newaxis]
        return sizes

    def greatest(self, table: FrequencyTable) -> float:
        """Return the value of this table, because tables with the same total and cells have the same mean."""
        return table.total / table.cells

    def explain(self, batch: Batch) -> list[Line]:
        """Return the number of people and of cells, and their ratio."""
        table = batch.table
        return text_lines(
            f"N/K = {table.total:,}/{table.cells:,} = {table.total / table.cells:.2f} people per cell."
        )


@register
@dataclass(frozen=True)
class DR(Measure):
    """Share of the published small counts (1 and 2) that equal the original count.

    References
    ----------
    PSD 2014, section 4.
    """

    label = "Unchanged published small counts"
    symbol = "DR"
    order: ClassVar[float] = 30
    direction = "risk"
    source = "PSD 2014, section 4"
    suppression_note = "A suppressed cell is not counted as a published small count."
    nothing = "no published count of 1 or 2"
    digits = 3
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share in each slice and replicate."""
        cases, true = batch.small(axis)
        return true / np.where(cases > 0, cases, np.nan)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula, and the number of unchanged and of all published small counts."""
        cases, true = (int(number[0, 0]) for number in batch.small(None))
        lines = text_lines(
            "DR = (|D₁∩E₁| + |D₂∩E₂|)/|E₁∪E₂|: the share of published small counts that equal the original count.",
            "D₁ and D₂ are the sets of cells with counts of 1 and 2 before protection; E₁ and E₂ are these "
            "sets after protection.",
        )
        if cases == 0:
            return [
                *lines,
                *text_lines("In this replicate no count of 1 or 2 is published, so the share is undefined."),
            ]
        return [*lines, *text_lines(f"In this replicate: {true} of {cases}, {true / cases:.4f}.")]


class _Disclosed(Measure):
    """Share of slices with a group disclosure that the published table still shows."""

    along: str

    order: ClassVar[float] = 30
    direction: ClassVar[Direction] = "risk"
    source: ClassVar[str] = "PSD 2014, section 4"
    suppression_note: ClassVar[str] = "A slice with a suppressed cell discloses no group."
    nothing: ClassVar[str] = "no slice with all its people in one cell"
    digits: ClassVar[int] = 3
    sliced: ClassVar[bool] = False
    usual: ClassVar[bool] = True
    populated: ClassVar[int] = 1

    def particulars(self) -> list[str]:
        """Return the axis of the slices."""
        return [f"by {self.along}"]

    def _apart(self) -> list[str]:
        return [self.along.lower().replace(" ", "_")]

    def position(self, table: FrequencyTable) -> int:
        """Return the axis of the slices; "rows" is the first axis and "columns" the last."""
        return table.axis_along(self.along)

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the table's slices in each replicate."""
        along = batch.along(self.position(batch.table))
        measure = census.gad if self.populated == 1 else census.wgad
        published, stayed = batch.published, None
        if batch.suppressed is not None:
            # A slice with a suppressed cell must show no disclosure, so all its cells get a large count.
            hidden = batch.suppressed.any(axis=tuple(k + 1 for k in along), keepdims=True)
            published = np.where(hidden, 9, published)
        if "followed" in self.needs:
            if batch.stayed is None:
                return np.full((batch.size, 1), np.nan)
            stayed = batch.stayed
        return np.atleast_1d(_share(measure(batch.table.counts, published, along, stayed=stayed)))[
            :, np.newaxis
        ]

    def explain(self, batch: Batch) -> list[Line]:
        """Return the definition, and the number of slices that still show the disclosure."""
        ratio = census.gad if self.populated == 1 else census.wgad
        along = batch.along(self.position(batch.table))
        cases = int(ratio(batch.table.counts, batch.table.counts, along).cases)
        subject = {
            1: "Group attribute disclosure: among the slices with all people in one cell before protection, "
            "the share for which the published table still shows this.",
            2: "Within-group attribute disclosure: among the slices in which all people but one are in one "
            "cell before protection, the share for which the published table still shows this. The one "
            "person can infer the cell of all others.",
        }[self.populated]
        same = (
            "A slice is counted only if the published cell contains the same people as the original cell."
            if "followed" in self.needs
            else "Only counts are compared: the people of the published cell can be other people."
        )
        if cases == 0:
            return text_lines(
                subject, same, f"No slice of {self.along} has this disclosure, so the share is undefined."
            )
        still = round(float(self.values(batch)[0, 0]) * cases)
        return text_lines(
            subject, same, f"In this replicate: {still} of the {cases} such slices of {self.along}."
        )


@register
@dataclass(frozen=True)
class GADStar(_Disclosed):
    """Share of slices with all people in one cell for which the published slice shows the same cell.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Group attribute disclosure"
    symbol = "GAD*"


@register
@dataclass(frozen=True)
class WGADStar(_Disclosed):
    """Share of slices in which one person can infer all others, before and after protection.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Within-group attribute disclosure"
    symbol = "WGAD*"
    nothing = "no slice with all its people but one in one cell"
    populated = 2


@register
@dataclass(frozen=True)
class GAD(_Disclosed):
    """Share of slices with all people in one cell, the same cell and the same people after protection.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Group attribute disclosure of the same people"
    symbol = "GAD"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after", "followed")


@register
@dataclass(frozen=True)
class WGAD(_Disclosed):
    """Share of slices in which one person can infer all others, with the same people after protection.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Within-group attribute disclosure of the same people"
    symbol = "WGAD"
    nothing = "no slice with all its people but one in one cell"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after", "followed")
    populated = 2
