"""Information loss of analyses: sub-totals, tests, analysis of variance, and the direction of changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.formula_lines import Line, text_lines
from sdcwidgets._util.parameters import AxisNames, Label
from sdcwidgets.core import changes as core
from sdcwidgets.core.utility import chi_squared
from sdcwidgets.measures.base import Direction, Measure, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

SOURCE = "Shlomo and Young 2005; SDC handbook, section 5.8"


class _Whole(Measure):
    """Base class of losses that are defined only for the whole table."""

    direction: ClassVar[Direction] = "loss"
    source: ClassVar[str] = SOURCE
    high: ClassVar[float] = np.inf
    sliced: ClassVar[bool] = False


@register
@dataclass(frozen=True)
class TotalDistance(_Whole):
    """Absolute change in the total number of people, as it is published or as the sum of the published cells.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Absolute change in the total"
    symbol = "|M − N|"
    unit = "people"
    digits = 2

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |M − N| in each replicate."""
        return np.abs(batch.published_sums(None) - batch.table.total)

    def explain(self, batch: Batch) -> list[Line]:
        """Return both totals and their difference."""
        after = float(batch.published_sums(None)[0, 0])
        return text_lines(
            f"N = {batch.table.total:,} people before protection, M = {after:,.6g} published: "
            f"the absolute difference is {abs(after - batch.table.total):.2f} people."
        )


@register
@dataclass(frozen=True)
class SubtotalDistance(_Whole):
    """Average absolute change in sub-totals, as they are published or as sums of the published cells.

    References
    ----------
    Handbook, section 5.8.
    """

    along: Annotated[str, AxisNames(), Label("Axis of the sub-totals")] = "rows"

    label = "Average absolute change in sub-totals"
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
        """Return 2N/k, the value if all people change their category."""
        return 2 * table.total / table.shape[self._position(table)]

    def particulars(self) -> list[str]:
        """Return the axis of the sub-totals."""
        return [f"by {self.along}"]

    def _apart(self) -> list[str]:
        return [self.along.lower().replace(" ", "_")]

    def _position(self, table: FrequencyTable) -> int:
        return table.axis_along(self.along)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the sum and the number of categories."""
        value, size = float(self.values(batch)[0, 0]), batch.table.shape[self._position(batch.table)]
        return text_lines(
            f"Σ|F₊ − G₊|/k = {value * size:,.6g}/{size} = {value:.3f} people on average over the sub-totals by "
            f"{self.along}."
        )


@register
@dataclass(frozen=True)
class ChiSquared(_Whole):
    """Relative change in Pearson's chi-squared statistic of independence.

    References
    ----------
    Handbook, section 5.8.
    """

    label = "Relative change in the chi-squared statistic"
    symbol = "|χ²(G)/χ²(F) − 1|"
    nothing = "rows and columns were independent before protection"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |χ²(G)/χ²(F) − 1|; with three or more axes, all but the last are crossed to rows."""
        before, after = (np.atleast_1d(chi_squared(_crossed(cells))) for cells in _pair(batch))
        return np.abs(after / np.where(before > 1e-9, before, np.nan) - 1)[:, np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return an upper limit: the value for the strongest possible association, at least 1."""
        before = float(chi_squared(_crossed(table.counts[np.newaxis]))[0])
        sides = min(table.cells // table.shape[-1], table.shape[-1])
        return max(1.0, table.total * (sides - 1) / before - 1) if before > 1e-9 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the statistic before and after protection."""
        before, after = (float(np.atleast_1d(chi_squared(_crossed(cells)))[0]) for cells in _pair(batch))
        if not before > 1e-9:
            return text_lines(
                f"χ² is 0 before protection, so the relative change is undefined: {self.nothing}."
            )
        return text_lines(
            "χ² = Σ (F − E)²/E, where E are the expected counts if rows and columns were independent.",
            f"Before protection {before:,.6g}, in this replicate {after:,.6g}: |{after:,.6g}/{before:,.6g} − 1| = "
            f"{abs(after / before - 1):.4f}.",
        )


@register
@dataclass(frozen=True)
class BetweenVariance(_Whole):
    """Relative change in the variance between rows.

    References
    ----------
    Shlomo and Young 2005; SDC handbook, section 5.8 (one-way ANOVA).
    """

    label = "Relative change in the variance between rows"
    symbol = "|B(G)/B(F) − 1|"
    nothing = "all rows had the same distribution before protection"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |B(G)/B(F) − 1|; with three or more axes, all but the last are crossed to rows."""
        before, after = (
            np.atleast_1d(core.variance_between(_crossed(cells)).between) for cells in _pair(batch)
        )
        return np.abs(after / np.where(before > 1e-12, before, np.nan) - 1)[:, np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return an upper limit, because the variance between rows is below 1."""
        before = float(np.atleast_1d(core.variance_between(_crossed(table.counts[np.newaxis])).between)[0])
        return max(1.0, 1 / before - 1) if before > 1e-12 else 1.0

    def explain(self, batch: Batch) -> list[Line]:
        """Return the variance before and after protection."""
        before, after = (
            float(np.atleast_1d(core.variance_between(_crossed(cells)).between)[0]) for cells in _pair(batch)
        )
        if not before > 1e-12:
            return text_lines(
                f"The variance B is 0 before protection, so its relative change is undefined: {self.nothing}."
            )
        return text_lines(
            "B = Σ N_k/N · (P_kc − P_c)² measures how far the column shares of each row are from those of all people. "
            "A decrease of B means that the rows have become more similar.",
            f"Before protection {before:.6g}, in this replicate {after:.6g}: |{after:.6g}/{before:.6g} − 1| = "
            f"{abs(after / before - 1):.4f}.",
        )


@register
@dataclass(frozen=True)
class ExplainedVariance(_Whole):
    """Absolute change in the share of the variance that the rows explain.

    References
    ----------
    Handbook, section 5.8 (R² of a one-way ANOVA).
    """

    label = "Absolute change in the share of variance between rows"
    symbol = "|R²(G) − R²(F)|"
    nothing = "all people of the table are in one column"
    high = 1.0

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return |R²(G) − R²(F)|; with three or more axes, all but the last are crossed to rows."""
        before, after = (
            np.atleast_1d(core.variance_between(_crossed(cells)).explained) for cells in _pair(batch)
        )
        return np.abs(after - before)[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return R² before and after protection."""
        before, after = (
            float(np.atleast_1d(core.variance_between(_crossed(cells)).explained)[0])
            for cells in _pair(batch)
        )
        if np.isnan(before - after):
            return text_lines(f"R² is undefined: {self.nothing}.")
        return text_lines(
            "R² = B/T is the share of the variance that is between rows: 0 if all rows have the same "
            "distribution, and at most 1.",
            f"Before protection {before:.4f}, in this replicate {after:.4f}: the change is {abs(after - before):.4f}.",
        )


class _Chance(Measure):
    """Base class of p-values of tests of the changes."""

    direction: ClassVar[Direction] = "utility"
    source: ClassVar[str] = SOURCE
    sliced: ClassVar[bool] = False


@register
@dataclass(frozen=True)
class SignedRank(_Chance):
    """p-value of the signed-rank test that changes have no direction.

    References
    ----------
    Handbook, section 5.8 (signed rank test).
    """

    label = "Signed-rank test of a systematic change"
    symbol = "p-value"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the p-value in each replicate; 1 if no count changed."""
        F, G = batch.cells(None)
        return np.atleast_1d(core.signed_rank(F[0], G[:, 0]))[:, np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return the numbers of increased and decreased cells, and the p-value."""
        F, G = batch.cells(None)
        up, down = int((G[0, 0] > F[0]).sum()), int((G[0, 0] < F[0]).sum())
        return text_lines(
            f"{up} counts increased, and {down} counts decreased. The test ranks the changes by size and "
            f"compares the rank sums of both groups.",
            f"p = {float(self.values(batch)[0, 0]):.4f} is the probability of such rank sums if increases "
            f"and decreases are equally likely. A value below 0.05 indicates a systematic change.",
        )


@register
@dataclass(frozen=True)
class RoundingProbabilities(_Chance):
    """p-value of an exact binomial test that random rounding used its stated probabilities.

    The base is the greatest common divisor of the published counts of this replicate. The test is undefined if
    the counts are not multiples of a base, changed by at least the base, or were not rounded at random.

    References
    ----------
    Handbook, section 5.8 (exact binomial test).
    """

    label = "Binomial test of the rounding probabilities"
    symbol = "p-value"
    nothing = "counts not rounded at random"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the p-value in each replicate; nan if the counts are not rounded at random."""
        F, G = batch.cells(None)
        values = np.full((len(G), 1), np.nan)
        bases = _bases(G[:, 0])
        for base in np.unique(bases[bases > 1]) if batch.chance else ():
            rounded = np.flatnonzero(bases == base)
            rounded = rounded[(np.abs(G[rounded, 0] - F[0]) < base).all(axis=1)]
            if rounded.size:
                values[rounded, 0] = core.rounding_test(F[0], G[rounded, 0], int(base))
        return values

    def explain(self, batch: Batch) -> list[Line]:
        """Return, for each residual, the observed and the expected number of counts rounded up."""
        F, G = batch.cells(None)
        value, base = float(self.values(batch)[0, 0]), int(_bases(G[:1, 0])[0])
        if np.isnan(value):
            return text_lines(
                "The published counts are not rounded at random to a common base, so the test is undefined."
            )
        lines = []
        for r in range(1, base):
            members = F[0] % base == r
            if members.any():
                up = int((G[0, 0] > F[0])[members].sum())
                wanted = members.sum() * r / base
                lines.append(
                    f"Counts with the residual {r}: {up} of {int(members.sum())} counts were "
                    f"rounded up, and {wanted:.1f} were expected."
                )
        return text_lines(
            f"Base {base}.",
            *lines,
            f"The p-value is {value:.4f}, with a Bonferroni correction for the number of residuals.",
        )


def _pair(batch: Batch) -> tuple[NDArray[np.number], NDArray[np.number]]:
    return batch.table.counts[np.newaxis], batch.filled


def _crossed(tables: NDArray[np.number]) -> NDArray[np.number]:
    """Return a batch of two-way tables: all axes but the last crossed to rows, and the last as columns."""
    return tables.reshape(len(tables), -1, tables.shape[-1])


def _bases(published: NDArray[np.number]) -> Whole:
    """Return the greatest common divisor of the published counts of each replicate, or 0 if one is no whole number."""
    whole = np.rint(published).astype(np.int64)
    divisors: Whole = np.gcd.reduce(whole, axis=1)
    return np.where((whole == published).all(axis=1), divisors, 0)
