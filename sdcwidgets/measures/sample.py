"""Disclosure risk of a sample, estimated from the sample alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.formula_lines import Line, Piece
from sdcwidgets._util.parameters import Help, Label, Range
from sdcwidgets.core.estimate.matches import main_effects
from sdcwidgets.core.risk import population
from sdcwidgets.core.risk.residual_entropy_risk import after_tables
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.measures.risk import Epsilon, Third, Variant, Weights, published_version


@register
@dataclass(frozen=True)
class EstimatedRisk(Measure):
    """Residual risk estimated from the sample alone: the mean R2 of simulated populations.

    People outside the sample are simulated as multinomial, with the probabilities of the log-linear model of
    main effects. The known population size N is the only information that is not from the sample.

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
        Label("Number of simulated populations"),
        Help(
            "Number of populations that are simulated for each sample. A larger number gives a more "
            "precise mean."
        ),
    ] = 50

    label = "Residual disclosure risk estimated from the sample"
    symbol = "R₂(F̂, f)"
    source = "Antal, Shlomo and Elliot 2015, equation (4) and section 5.1"
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("after", "sample")
    nothing: ClassVar[str] = "the published table is not a sample"
    sliced: ClassVar[bool] = False

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean R2 of each replicate; nan if it is not a sample of the table, or K = 1."""
        if axis is not None:
            raise ValueError("The estimated risk is defined only for the whole table (axis=None).")
        f = np.asarray(batch.published).reshape(batch.size, -1)
        F, n = batch.table.counts.ravel(), f.sum(axis=1)
        estimates = np.full(batch.size, np.nan)
        # A comparison with nan (a suppressed cell) is False.
        some = (f <= F).all(axis=1) & (n > 0)
        if some.any() and F.size > 1:
            estimates[some] = self._means(f[some].astype(np.int64), batch.table.shape, batch.table.total)
        return estimates[:, np.newaxis]

    def _means(self, f: Whole, shape: tuple[int, ...], people: int) -> Floats:
        n = f.sum(axis=1)
        tables = f.reshape(-1, *shape)
        p = main_effects(tables, tuple(range(1, tables.ndim))).reshape(f.shape)
        p /= p.sum(axis=1, keepdims=True)
        # A fixed seed gives equal results for equal samples.
        rng = np.random.default_rng(0)
        others = rng.multinomial((people - n)[:, np.newaxis], p[:, np.newaxis], (len(f), self.populations))
        populations = f[:, np.newaxis] + others
        after = after_tables(populations, f[:, np.newaxis], self.third, self.epsilon, axis=2)
        means: Floats = after.r2(self.weights, published_version(self.variant)).mean(axis=1)
        return means

    def explain(self, batch: Batch) -> list[Line]:
        """Return the steps of the estimate, one line per step."""
        n, N = int(np.nansum(batch.published[0])), batch.table.total
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return [
                [
                    Piece(
                        "The published table is not a sample of the original table, so the risk cannot be "
                        "estimated."
                    )
                ]
            ]
        return [
            [Piece(f"The sample has n = {n:,} of N = {N:,} people.")],
            [
                Piece(
                    "p̂, the estimated probability of a cell, is the product of the shares of its "
                    "categories, such as row and column (main effects only)."
                )
            ],
            [
                Piece(
                    f"{self.populations} populations are simulated: F̂ = f + multinomial({N - n:,}, p̂); "
                    f"R₂(F̂, f) of each."
                )
            ],
            [Piece(f"The mean of these risks is {value:.4f}.")],
        ]
