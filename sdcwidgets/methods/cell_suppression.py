"""Cell suppression: small counts are not published, nor the others that would give them away."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sdcwidgets.core.suppression import (
    Pattern,
    Problem,
    Unprotectable,
    find_pattern,
    of_shape,
    small_union,
    threshold,
    weigh,
    with_margins,
)
from sdcwidgets.errors import InputError
from sdcwidgets.labels import place
from sdcwidgets.methods.base import Counts, Method
from sdcwidgets.parameters import Choices, Help, Label, Range
from sdcwidgets.release import Release
from sdcwidgets.table import FrequencyTable

__all__ = ["CellSuppression"]


@dataclass(frozen=True)
class CellSuppression(Method):
    """Small counts, and as few others as keep them from being computed, are gaps; all else is exact.

    Primary: counts from 1 to below the threshold, margins too. Secondary: the cheapest pattern on small tables, a
    good one on large ones. No suppressed count can be computed; the bounds of a small one lie at least so far
    apart as is asked; and no published sum of suppressed counts is itself below the threshold, so that nobody in
    one of them learns the others.

    References
    ----------
    Handbook, chapter 5, section 5.3; Fischetti and Salazar 2001; Giessing and Repsilber 2002.

    Examples
    --------
    >>> import numpy as np
    >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    >>> print(CellSuppression().release(table, np.random.default_rng(0)).cells)
    [[nan nan  8.]
     [ 7. 20.  5.]
     [nan nan 30.]]
    """

    threshold: Annotated[
        int, Range(2, 100), Label("Threshold"), Help("Counts below it, but not zeros, are suppressed.")
    ] = 3
    width: Annotated[
        int,
        Range(1, 1000),
        Label("Width of intervals"),
        Help("How far the bounds that anyone can compute of a small count must lie apart at least."),
    ] = 2
    cost: Annotated[
        str,
        Choices({"value": "few people", "cell": "few cells"}),
        Label("Secondary cells"),
        Help("What the other suppressed cells should cost least of."),
    ] = "value"

    deterministic = True

    def pattern(self, table: FrequencyTable) -> Pattern:
        """Return the suppressed cells and margins, numbered as in `core.suppression.with_margins`.

        Raises
        ------
        InputError
            If no pattern protects as asked.
        """
        full = with_margins(table.counts)
        values = full.ravel().astype(np.float64)
        usable = values > 0
        usable[-1] = False  # how many people there are in all is known from elsewhere
        problem = Problem.of(
            of_shape(table.shape),
            values,
            threshold(full, self.threshold) & (np.arange(full.size) < full.size - 1).reshape(full.shape),
            width=float(self.width),
            usable=usable,
            weights=weigh(values, self.cost),
            union=small_union(values, self.threshold),
        )
        try:
            return find_pattern(problem)
        except Unprotectable as error:
            at = np.unravel_index(error.entry, full.shape)
            labels = [(*axis.labels, "Total")[int(i)] for axis, i in zip(table.axes, at, strict=True)]
            where = place(labels, [axis.name for axis in table.axes])
            raise InputError(
                f"{where}: no pattern protects this count as asked; take a lower threshold or a smaller width."
            ) from None

    def release(self, table: FrequencyTable, rng: np.random.Generator | None = None) -> Release:
        """Return the table with gaps; what is published is exact, margins too."""
        hidden = self.pattern(table).suppressed.reshape([size + 1 for size in table.shape])
        full = with_margins(table.counts).astype(np.float64)
        values, lower, upper = {}, {}, {}
        for size in range(table.ndim + 1):
            for kept in itertools.combinations(range(table.ndim), size):
                view = tuple(slice(0, -1) if k in kept else -1 for k in range(table.ndim))
                gap, count = hidden[view], full[view]
                values[kept] = np.where(gap, np.nan, count)
                lower[kept], upper[kept] = np.where(gap, 0.0, count), np.where(gap, np.inf, count)
        return Release(table.axes, values, lower, upper, notes=(self.summary(),))

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Refuse: a table with gaps is not a table of counts; `release` gives it."""
        raise InputError("Cell suppression leaves gaps, so it gives no table of counts; ask for its release.")
