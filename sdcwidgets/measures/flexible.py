"""Disclosure risk of flexible table generators, with separate terms for small and for large counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.formula_lines import Line, Piece
from sdcwidgets._util.parameters import Help, Label, Range, Shares
from sdcwidgets.core.risk import flexible
from sdcwidgets.measures.base import NOTE, Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

NAMES = ("Zeros", "Small counts", "Large counts", "Small size")


@register
@dataclass(frozen=True)
class FlexibleRisk(Measure):
    """Residual risk of table generators, with weights for zeros, small counts, large counts and size.

    The expected original count of a published value is the mean original count of its cells in this replicate.
    The unevenness is multiplied by the probability that a count is unchanged: the share of unchanged counts
    in this replicate, averaged over the small and over the large counts. If a method perturbs cells
    independently, both quantities agree on average with its transition matrix.

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
        int,
        Range(1, 50),
        Label("Largest count that is small"),
        Help("Counts up to this value are small counts. The published study uses 6."),
    ] = flexible.SPLIT
    shares: Annotated[
        tuple[float, ...],
        Shares(NAMES),
        Label("Weights of the four terms"),
        Help(
            "Weights of the terms for zeros, small counts, large counts and small size. The four weights "
            "sum to 1."
        ),
    ] = flexible.WEIGHTS

    label = "Residual disclosure risk with a weight for small counts"
    symbol = "R(F, w₁, w₂)"
    source = "Shlomo, Antal and Elliot 2015, equation (3) and section 4.2"
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("before", "after")
    suppression_note: ClassVar[str] = NOTE
    nothing: ClassVar[str] = "no people"
    sliced: ClassVar[bool] = False

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the residual risk in each replicate; nan if the table has no people."""
        if axis is not None:
            raise ValueError("The risk of a table generator is defined only for the whole table (axis=None).")
        if batch.table.total == 0:
            return np.full((batch.size, 1), np.nan)
        values: Floats = self.terms(batch) @ np.asarray(self.shares)
        return values[:, np.newaxis]

    def terms(self, batch: Batch) -> Floats:
        """Return the four terms of each replicate, shape (draws, 4)."""
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
        unchanged = self.shares_unchanged(batch)
        return np.stack(
            [first, parts[0] * unchanged[:, 0], parts[1] * unchanged[:, 1], np.full(batch.size, size)], axis=1
        )

    def shares_unchanged(self, batch: Batch) -> Floats:
        """Return the shares of unchanged small and large counts in each replicate, shape (draws, 2)."""
        F = batch.table.counts.ravel()
        same = np.asarray(batch.filled).reshape(batch.size, -1) == F
        counts, starts, times = np.unique(np.sort(F), return_index=True, return_counts=True)
        stays = (
            np.add.reduceat(same[:, np.argsort(F, kind="stable")], starts, axis=1, dtype=np.float64) / times
        )
        # Zeros are excluded, because a zero cell has no people whose cell could be uncertain.
        overall = stays[:, counts > 0].mean(axis=1)
        parts = (stays[:, (counts > 0) & (counts <= self.split)], stays[:, counts > self.split])
        return np.stack([part.mean(axis=1) if part.shape[1] else overall for part in parts], axis=1)

    def before(self, table: FrequencyTable) -> float:
        """Return the risk of the original table."""
        if table.total == 0:
            return float("nan")
        return float(flexible.risk(flexible.terms(table.counts, split=self.split), self.shares))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the four terms of one replicate with their numbers, and their weighted sum."""
        if batch.table.total == 0:
            return [[Piece("The table has no people, so the risk is undefined.")]]
        F, G = batch.table.counts.ravel(), np.asarray(batch.filled)[0].ravel()
        terms, (small, large) = self.terms(batch)[0], self.shares_unchanged(batch)[0]
        empty, empty_after = F == 0, G == 0
        both, either = int((empty & empty_after).sum()), int((empty | empty_after).sum())
        cells = [int((self.split >= G).sum()), int((self.split < G).sum())]
        weighted = " + ".join(f"{w:.3g}·{x:.4f}" for w, x in zip(self.shares, terms, strict=True))
        return [
            [
                Piece(
                    f"Empty cells, of {F.size:,} cells: {int(empty.sum())} before protection, {both} in "
                    f"both tables, {either} in at least one table."
                )
            ],
            [
                Piece(
                    f"Zeros: ({int(empty.sum())}/{F.size})^({either}/{both}) = {terms[0]:.4f}"
                    if both
                    else "Zeros: no cell is zero before and after protection, so the term is 0."
                )
            ],
            [
                Piece(
                    f"Each published count is replaced by the mean original count of all cells with this "
                    f"published count; N = {int(F.sum()):,}."
                )
            ],
            [
                Piece(
                    f"Small counts, up to {self.split}: unevenness of {cells[0]:,} cells times {small:.3f}, "
                    f"the share of unchanged small counts: {terms[1]:.4f}"
                )
            ],
            [
                Piece(
                    f"Large counts: unevenness of {cells[1]:,} cells times {large:.3f}, the share of "
                    f"unchanged large counts: {terms[2]:.4f}"
                )
            ],
            [Piece(f"Small size, a term that protection does not change: {terms[3]:.4f}")],
            [Piece(f"R = {weighted} = {float(terms @ np.asarray(self.shares)):.4f}")],
        ]


def _unevenness(people: Floats, times: Whole) -> Floats:
    """Return 1 - H/log K of each replicate, with the people of each value divided evenly among its cells."""
    total, cells = people.sum(axis=1), times.sum(axis=1)
    each = people / np.maximum(times, 1)
    sums = (people * np.log(np.where(each > 0, each, 1))).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.log(total) - sums / total
        share = 1 - entropy / np.log(cells)
    share = np.where(cells == 1, 1.0, share)
    return np.where(total > 0, np.clip(share, 0, 1), 0.0)
