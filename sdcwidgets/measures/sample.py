"""The risk of a sample as who has only the sample must estimate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.lines import Line, Piece
from sdcwidgets._util.parameters import Help, Label, Range
from sdcwidgets.core.estimate.matches import main_effects
from sdcwidgets.core.risk import population
from sdcwidgets.core.risk.after import after_tables
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.measures.risk import Epsilon, Third, Variant, Weights


@register
@dataclass(frozen=True)
class EstimatedRisk(Measure):
    """Risk left as it is estimated from the sample alone: the mean R2 of populations that it may come from.

    The people who were not seen are multinomial with the probabilities of the log-linear model of main effects.
    It uses nothing of the table but N, which is known.

    References
    ----------
    Antal, Shlomo and Elliot 2015, sections 4.2 and 5.1; thesis, section 4.6.1.
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"
    populations: Annotated[
        int,
        Range(2, 1000),
        Label("Estimated populations"),
        Help("How many populations are made of each sample; more make the mean steadier."),
    ] = 50

    label = "Risk estimated from the sample"
    symbol = "R₂(F̂, f)"
    source = "sample paper, (4) and section 5.1"
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("after", "sample")
    nothing: ClassVar[str] = "no sample of this table"
    sliced: ClassVar[bool] = False

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean R2 of each draw; nan where it is no sample of the table, or all are in one cell of it."""
        if axis is not None:
            raise ValueError("The estimated risk is of the whole table.")
        f = np.asarray(batch.published).reshape(batch.size, -1)
        F, n = batch.table.counts.ravel(), f.sum(axis=1)
        estimates = np.full(batch.size, np.nan)
        # A comparison with a gap, which is nan, is false.
        some = (f <= F).all(axis=1) & (n > 0)
        if some.any() and F.size > 1:
            estimates[some] = self._means(f[some].astype(np.int64), batch.table.shape, batch.table.total)
        return estimates[:, np.newaxis]

    def _means(self, f: Whole, shape: tuple[int, ...], people: int) -> Floats:
        n = f.sum(axis=1)
        tables = f.reshape(-1, *shape)
        p = main_effects(tables, tuple(range(1, tables.ndim))).reshape(f.shape)
        p /= p.sum(axis=1, keepdims=True)
        # The same numbers for the same samples, whoever asks.
        rng = np.random.default_rng(0)
        others = rng.multinomial((people - n)[:, np.newaxis], p[:, np.newaxis], (len(f), self.populations))
        populations = f[:, np.newaxis] + others
        after = after_tables(populations, f[:, np.newaxis], self.third, self.epsilon, axis=2)
        means: Floats = after.r2(self.weights, self.variant).mean(axis=1)
        return means

    def explain(self, batch: Batch) -> list[Line]:
        """Return how the number comes about, a line a step."""
        n, N = int(np.nansum(batch.published[0])), batch.table.total
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return [[Piece("What is published is no sample of this table, so nothing is estimated from it.")]]
        return [
            [Piece(f"The sample has n = {n:,} of N = {N:,} people.")],
            [Piece("p̂ = product of the shares of its rows, columns ...: main effects only.")],
            [Piece(f"{self.populations} populations F̂ = f + multinomial({N - n:,}, p̂); R₂(F̂, f) of each.")],
            [Piece(f"Their mean is {value:.4f}.")],
        ]
