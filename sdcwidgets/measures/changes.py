"""Information loss for analyses: sub-totals, independence, analysis of variance, and how chance has moved counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.lines import Line, text_lines
from sdcwidgets._util.parameters import AxisNames, Label
from sdcwidgets.core import changes as core
from sdcwidgets.core.utility import chi_squared
from sdcwidgets.measures.base import Direction, Measure, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

SOURCE = "Shlomo and Young 2005; handbook, section 5.8"


class _Whole(Measure):
    """A loss of the whole table."""

    direction: ClassVar[Direction] = "loss"
    source: ClassVar[str] = SOURCE
    high: ClassVar[float] = np.inf
    sliced: ClassVar[bool] = False


@register
@dataclass(frozen=True)
class TotalDistance(_Whole):
    """How far the number of all people moves, as it is published: a total of its own, or the sum of the cells.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Change of the total"
    symbol = "|M − N|"
    unit = "people"
    digits = 2

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |M − N| of each draw."""
        return np.abs(batch.published_sums(None) - batch.table.total)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the two totals."""
        after = float(batch.published_sums(None)[0, 0])
        return text_lines(
            f"N = {batch.table.total:,} people before, M = {after:,.6g} as published: "
            f"{abs(after - batch.table.total):.2f} apart."
        )


@register
@dataclass(frozen=True)
class SubtotalDistance(_Whole):
    """Mean distance of a sub-total from the true one, as it is published: of its own, or the sum of its cells.

    References
    ----------
    Handbook, section 5.8.
    """

    along: Annotated[str, AxisNames(), Label("Sub-totals of")] = "rows"

    label = "Mean change of a sub-total"
    symbol = "Σ|F₊ − G₊|/k"
    unit = "people"
    digits = 3

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the mean of |F₊ − G₊| over the categories of the axis."""
        along = self._position(batch.table) if batch.table.ndim > 1 else None
        apart = np.abs(batch.published_sums(along) - batch.people(along))
        mean: Floats = apart.mean(axis=-1)[:, np.newaxis]
        return mean

    def greatest(self, table: FrequencyTable) -> float:
        """Return 2N/k: all people in other categories than before."""
        return 2 * table.total / table.shape[self._position(table)]

    def particulars(self) -> list[str]:
        """Return the axis."""
        return [f"by {self.along}"]

    def _apart(self) -> list[str]:
        return [self.along.lower().replace(" ", "_")]

    def _position(self, table: FrequencyTable) -> int:
        return table.axis_along(self.along)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the sum and the number of categories."""
        value, size = float(self.values(batch)[0, 0]), batch.table.shape[self._position(batch.table)]
        return text_lines(
            f"Σ|F₊ − G₊|/k = {value * size:,.6g}/{size} = {value:.3f} people, the mean over the sub-totals by "
            f"{self.along}."
        )


@register
@dataclass(frozen=True)
class ChiSquared(_Whole):
    """How far Pearson's test of independence moves, as a share of the original statistic.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Change of the test of independence"
    symbol = "|χ²(G)/χ²(F) − 1|"
    nothing = "rows and columns are independent before"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |χ²(G)/χ²(F) − 1|; with three and more axes all but the last are crossed."""
        before, after = (np.atleast_1d(chi_squared(_crossed(cells))) for cells in _pair(batch))
        return np.abs(after / np.where(before > 1e-9, before, np.nan) - 1)[:, np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return what it is where rows and columns go together as closely as they can, at least 1."""
        before = float(chi_squared(_crossed(table.counts[np.newaxis]))[0])
        sides = min(table.cells // table.shape[-1], table.shape[-1])
        return max(1.0, table.total * (sides - 1) / before - 1) if before > 1e-9 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the statistic before and after."""
        before, after = (float(np.atleast_1d(chi_squared(_crossed(cells)))[0]) for cells in _pair(batch))
        if not before > 1e-9:
            return text_lines(f"χ² is 0 before, so there is no share: {self.nothing}.")
        return text_lines(
            "χ² = Σ (F − E)²/E, with E the counts expected if rows and columns were independent.",
            f"Before {before:,.6g}, in this draw {after:,.6g}: |{after:,.6g}/{before:,.6g} − 1| = "
            f"{abs(after / before - 1):.4f}.",
        )


@register
@dataclass(frozen=True)
class BetweenVariance(_Whole):
    """How far the variance between the rows moves, as a share of the original one.

    References
    ----------
    Shlomo and Young 2005; handbook, section 5.8 (one-way ANOVA).
    """

    label = "Change of the variance between rows"
    symbol = "|B(G)/B(F) − 1|"
    nothing = "the rows are alike before"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |B(G)/B(F) − 1|; with three and more axes all but the last are crossed."""
        before, after = (
            np.atleast_1d(core.variance_between(_crossed(cells)).between) for cells in _pair(batch)
        )
        return np.abs(after / np.where(before > 1e-12, before, np.nan) - 1)[:, np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return a bound: the variance between rows is below 1."""
        before = float(np.atleast_1d(core.variance_between(_crossed(table.counts[np.newaxis])).between)[0])
        return max(1.0, 1 / before - 1) if before > 1e-12 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the variance before and after."""
        before, after = (
            float(np.atleast_1d(core.variance_between(_crossed(cells)).between)[0]) for cells in _pair(batch)
        )
        if not before > 1e-12:
            return text_lines(f"B is 0 before, so there is no share: {self.nothing}.")
        return text_lines(
            "B = Σ N_k/N · (P_kc − P_c)²: how far the shares of the columns in each row are from those of all people. "
            "Less means that rows became more alike.",
            f"Before {before:.6g}, in this draw {after:.6g}: |{after:.6g}/{before:.6g} − 1| = "
            f"{abs(after / before - 1):.4f}.",
        )


@register
@dataclass(frozen=True)
class ExplainedVariance(_Whole):
    """How far the share of the variance that the rows explain moves, up or down.

    References
    ----------
    Handbook, section 5.8 (R² of a one-way ANOVA).
    """

    label = "Change of what rows explain"
    symbol = "|R²(G) − R²(F)|"
    nothing = "all people are in one column"
    high = 1.0

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |R²(G) − R²(F)|; with three and more axes all but the last are crossed."""
        before, after = (
            np.atleast_1d(core.variance_between(_crossed(cells)).explained) for cells in _pair(batch)
        )
        return np.abs(after - before)[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return R² before and after."""
        before, after = (
            float(np.atleast_1d(core.variance_between(_crossed(cells)).explained)[0])
            for cells in _pair(batch)
        )
        if np.isnan(before - after):
            return text_lines(f"R² is not defined, so there is no share: {self.nothing}.")
        return text_lines(
            "R² = B/T, the variance between rows as a share of the whole: 0 where all rows are alike, at most 1.",
            f"Before {before:.4f}, in this draw {after:.4f}: {abs(after - before):.4f} apart.",
        )


class _Chance(Measure):
    """A probability that tells whether chance did as it should."""

    direction: ClassVar[Direction] = "utility"
    source: ClassVar[str] = SOURCE
    sliced: ClassVar[bool] = False


@register
@dataclass(frozen=True)
class SignedRank(_Chance):
    """Whether counts went up and down alike: the signed rank test of the changes.

    References
    ----------
    Handbook, section 5.8 (signed rank test).
    """

    label = "No shift up or down"
    symbol = "signed rank p"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the p-value of each draw; 1 where nothing has changed."""
        F, G = batch.cells(None)
        return np.atleast_1d(core.signed_rank(F[0], G[:, 0]))[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return how many cells went up and down, and the p-value."""
        F, G = batch.cells(None)
        up, down = int((G[0, 0] > F[0]).sum()), int((G[0, 0] < F[0]).sum())
        return text_lines(
            f"{up} cells went up and {down} down. Changes are ranked by size, and the ranks of both sides compared.",
            f"p = {float(self.values(batch)[0, 0]):.4f}: the chance of such ranks if up and down were alike. Below "
            "0.05 the counts have shifted.",
        )


@register
@dataclass(frozen=True)
class RoundingProbabilities(_Chance):
    """Whether a random rounding went up as often as its probabilities say: an exact binomial test.

    The base is the greatest common divisor of all that is published. Where counts are no multiples of a base, moved by
    one or more of them, or were left to no chance, there is nothing to test.

    References
    ----------
    Handbook, section 5.8 (exact binomial test).
    """

    label = "Rounded as chance should"
    symbol = "binomial p"
    nothing = "not rounded at random"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the p-value of each draw; nan where the counts are not rounded."""
        F, G = batch.cells(None)
        base = _base(G)
        if base < 2 or not batch.chance:
            return np.full((len(G), 1), np.nan)
        p = np.atleast_1d(core.rounding_test(F[0], G[:, 0], base))
        near = (np.abs(G[:, 0] - F[0]) < base).all(axis=-1)
        return np.where(near, p, np.nan)[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return for each residual how many counts went up, and how many should."""
        F, G = batch.cells(None)
        value, base = float(self.values(batch)[0, 0]), _base(G)
        if np.isnan(value):
            return text_lines(
                "The published counts are not rounded to one base at random, so there is no share that went up to test."
            )
        lines = []
        for r in range(1, base):
            members = F[0] % base == r
            if members.any():
                up = int((G[0, 0] > F[0])[members].sum())
                wanted = members.sum() * r / base
                lines.append(f"Residual {r}: {up} of {int(members.sum())} went up, {wanted:.1f} expected.")
        return text_lines(
            f"Base {base}.", *lines, f"p = {value:.4f}, each residual tested by itself (Bonferroni)."
        )


def _pair(batch: Batch) -> tuple[NDArray[np.number], NDArray[np.number]]:
    return batch.table.counts[np.newaxis], batch.filled


def _crossed(tables: NDArray[np.number]) -> NDArray[np.number]:
    """Return a batch of tables with two axes, the last against all others crossed."""
    return tables.reshape(len(tables), -1, tables.shape[-1])


def _base(published: NDArray[np.number]) -> int:
    """Return the greatest common divisor of all published counts; 0 where they are no whole numbers."""
    whole = np.rint(published).astype(np.int64)
    return int(np.gcd.reduce(whole, axis=None)) if np.array_equal(whole, published) else 0
