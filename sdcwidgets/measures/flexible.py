"""The risk of flexible table generators as a measure: small counts weigh more, and what a reader expects counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.lines import Line, Piece
from sdcwidgets._util.parameters import Help, Label, Range, Shares
from sdcwidgets.core.risk import flexible
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

NAMES = ("Zeros", "Small counts", "Large counts", "Small size")


@register
@dataclass(frozen=True)
class FlexibleRisk(Measure):
    """Risk left as table generators measure it: zeros, small counts, large counts and size weigh by themselves.

    What a reader expects behind a published value is the mean of the true counts behind it in this draw; how likely
    a count stays as it is, by which the unevenness is multiplied, the share that stayed over all draws, the mean over
    the small and over the large counts. For a method that changes each cell by itself both are on average what its
    matrix gives.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4 (thesis, section 5.3).

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> round(FlexibleRisk().before(FrequencyTable([0, 2, 4, 10, 10])), 4)
    0.366
    """

    split: Annotated[
        int, Range(1, 50), Label("Largest small count"), Help("Counts up to this one are small; 6 in print.")
    ] = flexible.SPLIT
    shares: Annotated[
        tuple[float, ...],
        Shares(NAMES),
        Label("Weights of the four terms"),
        Help("How much zeros, small counts, large counts and small size count; they sum to 1."),
    ] = flexible.WEIGHTS

    label = "Risk left, small counts weighing more"
    symbol = "R(F, w₁, w₂)"
    source = "Shlomo, Antal and Elliot 2015, (3) and section 4.2"
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after")
    gaps: ClassVar[str] = "A gap counts as the mean of all counts that are hidden."
    nothing: ClassVar[str] = "nobody there"
    sliced: ClassVar[bool] = False

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the risk that is left in each draw; nan where nobody is counted."""
        if axis is not None:
            raise ValueError("The risk of a table generator is of the whole table.")
        if batch.table.total == 0:
            return np.full((batch.size, 1), np.nan)
        values: Floats = self.terms(batch) @ np.asarray(self.shares)
        return values[:, np.newaxis]

    def terms(self, batch: Batch) -> Floats:
        """Return the four terms of each draw, shape (draws, 4)."""
        F, G = batch.table.counts.ravel(), np.asarray(batch.filled).reshape(batch.size, -1)
        zeros, _, _, size = flexible.terms(F, split=self.split)
        empty, empty_after = F == 0, G == 0
        both, either = (empty & empty_after).sum(axis=1), (empty | empty_after).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            first = np.where(both > 0, zeros ** (either / np.maximum(both, 1)), 0.0)
        values, member = np.unique(G, return_inverse=True)
        n = len(values)
        index = member.reshape(G.shape) + n * np.arange(batch.size)[:, np.newaxis]
        times = np.bincount(index.ravel(), minlength=n * batch.size).reshape(-1, n)
        people: Floats = (
            np.bincount(index.ravel(), np.broadcast_to(F, G.shape).ravel(), n * batch.size)
            .reshape(-1, n)
            .astype(np.float64)
        )
        small = values <= self.split
        parts = [_unevenness(people[:, part], times[:, part]) for part in (small, ~small)]
        factors = self.diagonals(batch)
        return np.stack(
            [first, parts[0] * factors[0], parts[1] * factors[1], np.full(batch.size, size)], axis=1
        )

    def diagonals(self, batch: Batch) -> tuple[float, float]:
        """Return how likely a small and a large count stays as it is, over all draws."""
        F = batch.table.counts.ravel()
        same = (np.asarray(batch.filled).reshape(batch.size, -1) == F).mean(axis=0)
        counts, member = np.unique(F, return_inverse=True)
        stays = np.bincount(member, same) / np.bincount(member)
        # A zero has nobody whose place could be in doubt.
        parts = (stays[(counts > 0) & (counts <= self.split)], stays[counts > self.split])
        overall = float(stays[counts > 0].mean())
        small, large = (float(part.mean()) if part.size else overall for part in parts)
        return small, large

    def before(self, table: FrequencyTable) -> float:
        """Return the risk of the table as it is."""
        if table.total == 0:
            return float("nan")
        return float(flexible.risk(flexible.terms(table.counts, split=self.split), self.shares))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the four terms of one draw with their numbers, and how the weights put them together."""
        if batch.table.total == 0:
            return [[Piece("Nobody is counted there, so there is no risk to measure.")]]
        F, G = batch.table.counts.ravel(), np.asarray(batch.filled)[0].ravel()
        terms, (small, large) = self.terms(batch)[0], self.diagonals(batch)
        empty, empty_after = F == 0, G == 0
        both, either = int((empty & empty_after).sum()), int((empty | empty_after).sum())
        cells = [int((self.split >= G).sum()), int((self.split < G).sum())]
        weighted = " + ".join(f"{w:.3g}·{x:.4f}" for w, x in zip(self.shares, terms, strict=True))
        return [
            [
                Piece(
                    f"{int(empty.sum())} of {F.size:,} cells are empty before, {both} in both, {either} in either."
                )
            ],
            [
                Piece(
                    f"Zeros: ({int(empty.sum())}/{F.size})^({either}/{both}) = {terms[0]:.4f}"
                    if both
                    else "Zeros: none of the true zeros is published as zero: 0"
                )
            ],
            [
                Piece(
                    f"Each published value stands for the mean of the true counts behind it; N = {int(F.sum()):,}."
                )
            ],
            [
                Piece(
                    f"Small, up to {self.split}: {cells[0]:,} cells, unevenness times {small:.3f}, "
                    f"the share of small counts that stay: {terms[1]:.4f}"
                )
            ],
            [Piece(f"Large: {cells[1]:,} cells, unevenness times {large:.3f}: {terms[2]:.4f}")],
            [Piece(f"Small size, as before: {terms[3]:.4f}")],
            [Piece(f"R = {weighted} = {float(terms @ np.asarray(self.shares)):.4f}")],
        ]


def _unevenness(people: Floats, times: Whole) -> Floats:
    """Return 1 - H/log K of each draw, the people of each value spread evenly over the cells that have it."""
    total, cells = people.sum(axis=1), times.sum(axis=1)
    each = people / np.maximum(times, 1)
    sums = (people * np.log(np.where(each > 0, each, 1))).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(total) - sums / total
        share = 1 - entropy / np.log(cells)
    share = np.where(cells == 1, 1.0, share)
    return np.where(total > 0, np.clip(share, 0, 1), 0.0)
