"""Measures of census offices: ones and twos, and slices whose people are all in one or two cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.lines import Line, text_lines
from sdcwidgets._util.parameters import AxisNames, Help, Label
from sdcwidgets.core.risk import census
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

Along = Annotated[
    str,
    AxisNames(),
    Label("Slices of"),
    Help("The axis whose slices are looked at, one by one."),
]


def _share(ratio: census.Ratio) -> Floats:
    """Return a share, nan where there is nothing that it is a share of."""
    return np.where(ratio.cases > 0, ratio.value, np.nan)


@register
@dataclass(frozen=True)
class SmallChanged(Measure):
    """Share of the cells of one or two people that are published as another count."""

    label = "Ones and twos that changed"
    order: ClassVar[float] = 30
    direction = "protection"
    source = "PSD 2014, section 4; handbook, section 5.2"
    gaps = "A gap counts as changed: the small count is not published."
    digits = 3
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share in each slice in each draw."""
        (cases,), _ = batch.original.small(axis)
        _, true = batch.small(axis)
        share: Floats = (cases - true) / np.where(cases > 0, cases, np.nan)
        return share

    def before(self, table: FrequencyTable) -> float:
        """Return 0: nothing is changed."""
        return 0.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return how many of how many."""
        F, G = batch.table.counts, batch.published[0]
        small = (F == 1) | (F == 2)
        cases, changed = int(small.sum()), int((small & (F != G)).sum())
        if cases == 0:
            return text_lines("No cell has one or two people, so there is nothing to count.")
        return text_lines(
            "The share of cells of one or two people that are published as another count.",
            f"In this draw: {changed} of {cases}.",
        )


@register
@dataclass(frozen=True)
class DR(Measure):
    """Share of the published ones and twos that are true.

    References
    ----------
    PSD 2014, section 4.
    """

    label = "Published ones and twos that are true"
    symbol = "DR"
    order: ClassVar[float] = 30
    direction = "risk"
    source = "PSD 2014, section 4"
    gaps = "A gap is no published one or two, and doesn't count."
    digits = 3
    usual = True

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share in each slice in each draw."""
        cases, true = batch.small(axis)
        return true / np.where(cases > 0, cases, np.nan)

    def explain(self, batch: Batch) -> list[Line]:
        """Return how many of how many."""
        cases, true = (int(number[0, 0]) for number in batch.small(None))
        lines = text_lines(
            "DR = (|D₁∩E₁| + |D₂∩E₂|)/|E₁∪E₂|: of the published ones and twos, how many are true ones and twos.",
            "D₁ and D₂ are the cells of 1 and 2 before protection, E₁ and E₂ those after it.",
        )
        if cases == 0:
            return [
                *lines,
                *text_lines("In this draw no one and no two is published, so there is nothing to count."),
            ]
        return [*lines, *text_lines(f"In this draw: {true} of {cases}, {true / cases:.4f}.")]


class _Disclosed(Measure):
    """The share of slices that disclose a group, and still do when they are published."""

    along: str

    order: ClassVar[float] = 30
    direction: ClassVar[Direction] = "risk"
    source: ClassVar[str] = "PSD 2014, section 4"
    gaps: ClassVar[str] = "A slice with a gap doesn't show its group."
    digits: ClassVar[int] = 3
    sliced: ClassVar[bool] = False
    usual: ClassVar[bool] = True
    populated: ClassVar[int] = 1

    def particulars(self) -> list[str]:
        """Return the axis."""
        return [f"by {self.along}"]

    def _apart(self) -> list[str]:
        return [self.along.lower().replace(" ", "_")]

    def position(self, table: FrequencyTable) -> int:
        """Return the axis whose slices are looked at; "rows" is the first and "columns" the last."""
        return table.axis_along(self.along)

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the slices of the table in each draw."""
        along = batch.along(self.position(batch.table))
        measure = census.gad if self.populated == 1 else census.wgad
        published, stayed = batch.published, None
        if batch.gaps is not None:
            # A slice with a gap is made one that shows nothing: all of its cells populated, by many.
            hidden = batch.gaps.any(axis=tuple(k + 1 for k in along), keepdims=True)
            published = np.where(hidden, 9, published)
        if "followed" in self.needs:
            if batch.stayed is None:
                return np.full((batch.size, 1), np.nan)
            stayed = batch.stayed
        return np.atleast_1d(_share(measure(batch.table.counts, published, along, stayed=stayed)))[
            :, np.newaxis
        ]

    def explain(self, batch: Batch) -> list[Line]:
        """Return what is counted, and how many of how many."""
        ratio = census.gad if self.populated == 1 else census.wgad
        along = batch.along(self.position(batch.table))
        cases = int(ratio(batch.table.counts, batch.table.counts, along).cases)
        subject = {
            1: "Group attribute disclosure: of the slices with all people in one cell, the share that is shown so.",
            2: "Within-group disclosure: of the slices with two populated cells, one of them a 1, the share that "
            "is shown so: the one person sees where all others are.",
        }[self.populated]
        same = (
            "The same people must be in the cells as well."
            if "followed" in self.needs
            else "Only the counts are compared."
        )
        if cases == 0:
            return text_lines(subject, same, f"No slice of {self.along} is one, so there is no share.")
        still = round(float(self.values(batch)[0, 0]) * cases)
        return text_lines(subject, same, f"In this draw: {still} of the {cases} such slices of {self.along}.")


@register
@dataclass(frozen=True)
class GADStar(_Disclosed):
    """Share of the slices with all people in one cell that are published so.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Groups still seen"
    symbol = "GAD*"


@register
@dataclass(frozen=True)
class WGADStar(_Disclosed):
    """Share of the slices where one person sees all others that are published so.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Groups still seen from within"
    symbol = "WGAD*"
    populated = 2


@register
@dataclass(frozen=True)
class GAD(_Disclosed):
    """Share of the slices with all people in one cell that are published so, with the same people in it.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Groups still seen, the same people"
    symbol = "GAD"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after", "followed")


@register
@dataclass(frozen=True)
class WGAD(_Disclosed):
    """Share of the slices where one person sees all others that are published so, with the same people.

    References
    ----------
    PSD 2014, section 4.
    """

    along: Along = "rows"

    label = "Groups still seen from within, the same people"
    symbol = "WGAD"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after", "followed")
    populated = 2
