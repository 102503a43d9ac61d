"""Cell suppression: small counts are not published, nor the others that would give them away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import holds_for
from sdcwidgets._util.parameters import AxisNames, Choices, Help, Label, Range, secret_of
from sdcwidgets.core.margins import margins
from sdcwidgets.core.suppression import Pattern, threshold, with_margins
from sdcwidgets.methods.base import Choice, check_size, register
from sdcwidgets.methods.canonical import CanonicalTable, canonical
from sdcwidgets.methods.suppressing import Gaps, suppressed
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.nesting import check_disjoint
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: How many people may share what they know; declared once for the method and the page *Suppress*.
Together = Annotated[
    int,
    Range(0, 3),
    Label("People who share what they know"),
    Help(
        "So many people of the table may put together what they know of their own counts, and still compute no "
        "small count of others: 1 is everyone alone, 0 outsiders only."
    ),
]


@register
@dataclass(frozen=True)
class CellSuppression(Fixed):
    """Small counts, and as few others as keep them from being computed, are gaps; all else is exact.

    Primary: counts from 1 to below the threshold, totals too. Secondary: a good pattern, of a small table of three
    axes the cheapest. No outsider computes a suppressed count, and the bounds of a small one lie at least as far
    apart as is asked. For everyone in the table, who knows the counts that are theirs alone, and for as many as may put
    together what they know, the bounds of small ones do so too, though others may be computed; with a coalition of 0,
    and for sums of weights, this holds for outsiders only. No published sum of suppressed
    counts is itself below the threshold. Zeros are published, so a reader knows that a gap is at least 1.

    A secret chooses the pattern among those that cost nearly the least. From the cheapest pattern, a data user who runs
    the program on every table that fits finds 18 % of the suppressed small counts of 2 x 2 to 4 x 4 tables (72 of 407);
    from a pattern that a secret chooses, 0 of 105, which does not rule out a rate of up to 3 %. Two patterns of one
    table disclose counts by their difference: keep the secret, and use the same one for the same table.

    References
    ----------
    Handbook, chapter 5, section 5.3; Castro 2007; Daalmans and de Waal 2010; Fischetti and Salazar 2001; Langsrud 2024.

    Examples
    --------
    >>> import numpy as np
    >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    >>> print(CellSuppression(choice="optimal").release(table, np.random.default_rng(0)).cells)
    [[nan  9. nan]
     [nan 20. nan]
     [ 6.  5. 30.]]
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

    coalition: Together = 1
    choice: Choice = "secret"

    non_hierarchical: Annotated[
        tuple[str, ...],
        AxisNames(several=True, stated=True),
        Label("Non-hierarchical axes"),
        Help(
            "Axes whose categories are disjoint, although their labels or counts look like a hierarchy. Without it a "
            "table that looks hierarchical is refused, because the sums would disclose suppressed cells."
        ),
    ] = ()

    note_settings = " of counts below {0.threshold}"
    gaps = True

    @property
    def seeded(self) -> bool:
        """Whether a secret chooses the pattern."""
        return self.choice == "secret"

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return that no count is small, where that is so."""
        if threshold(with_margins(table.counts), self.threshold).any():
            return ""
        return f"No count of this table is from 1 to {self.threshold - 1}, so nothing is suppressed."

    def pattern(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Pattern:
        """Return the suppressed cells and totals, numbered as in `core.suppression.with_margins`; without bounds.

        Parameters
        ----------
        table : FrequencyTable
        seed : int or Generator, optional
            The secret that chooses the pattern; a new one is drawn if it is not given.

        Returns
        -------
        Pattern

        Raises
        ------
        InputError
            If no pattern protects as asked.
        """
        return _pattern(self, table, secret_of(seed) if self.seeded else None)

    def gaps_of(
        self,
        table: FrequencyTable,
        *,
        hierarchies: Mapping[str, Mapping[str, str] | str] | None = None,
        tables: Sequence[Sequence[str]] | None = None,
        frozen: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        audited: bool = True,
        seed: int | np.random.Generator | None = None,
    ) -> Gaps:
        """Return the gaps of a table with sub-totals, linked tables, frozen entries or costs.

        Parameters
        ----------
        table, hierarchies, tables, frozen, costs, audited, seed : as for `suppressing.suppressed`

        Returns
        -------
        Gaps
        """
        return suppressed(
            table,
            least=self.threshold,
            width=self.width,
            cost=self.cost,
            coalition=self.coalition,
            hierarchies=hierarchies,
            non_hierarchical=[table.axes[table.axis_along(name)].name for name in self.non_hierarchical],
            tables=tables,
            frozen=frozen,
            costs=costs,
            audited=audited,
            choice=self.choice,
            seed=seed,
        )

    def cells(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> NDArray[np.float64]:
        """Return the counts, nan for each gap of the pattern of this secret."""
        return np.where(self._hidden(table, seed)[(slice(0, -1),) * table.ndim], np.nan, table.counts)

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return the same cells in every draw, shape (size, *shape): two patterns would disclose counts.

        Parameters
        ----------
        table, size, rng : as of `Method.replicate`
            The seed of the generator is the secret, whatever was drawn from it before.

        Returns
        -------
        ndarray, shape (size, *shape)
        """
        check_size(size)
        return np.broadcast_to(self.cells(table, rng), (size, *table.shape))

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what is published, and that a gap is at least 1; one who is inside knows their own besides."""
        gaps = np.isnan(published)
        return np.where(gaps, 1, published), np.where(gaps, np.inf, published)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the cells and the true margins, with the gaps of the pattern in both.

        Parameters
        ----------
        table, cells, rng : as of `Method.release_from_cells`
            The pattern is that of the seed of the generator, as in `replicate`.

        Returns
        -------
        Release
            With nan for each gap.
        """
        return self.with_gaps(table, self._hidden(table, rng))

    def with_gaps(self, table: FrequencyTable, hidden: NDArray[np.bool_]) -> Release:
        """Return the cells and the true margins with gaps that were found, the total of each axis last in `hidden`."""
        values = {}
        for margin, sums in margins(table.counts).items():
            view = tuple(slice(0, -1) if k in margin else -1 for k in range(table.ndim))
            values[margin] = np.where(hidden[view], np.nan, sums)
        return Release.by_value(table.axes, values, self.conclusions, (self.note(), "c: confidential."))

    def private_note(self, table: FrequencyTable, stayed: NDArray[np.int64] | None = None) -> str:
        """Return for whom the gaps hold.

        >>> "everyone in the table" in CellSuppression().private_note(FrequencyTable([1, 5]))
        True
        """
        # Who is alone in a cell of weights is not known by its sum.
        coalition = self.coalition if table.respondents is None else 0
        return holds_for(coalition, "in the table who knows their own counts")

    def _hidden(self, table: FrequencyTable, seed: int | np.random.Generator | None) -> NDArray[np.bool_]:
        """Return the gaps of the table with its margins, the total of each axis last."""
        return self.pattern(table, seed).suppressed.reshape([size + 1 for size in table.shape])


@lru_cache(maxsize=32)
def _pattern(method: CellSuppression, table: FrequencyTable, secret: int | None) -> Pattern:
    """Return the pattern; a page asks for the same one several times.

    A secret chooses it in an order that does not depend on how rows and columns are arranged: patterns of one table in
    two arrangements would disclose counts by their difference.
    """
    stated = [table.axes[table.axis_along(name)].name for name in method.non_hierarchical]
    check_disjoint(table.counts, table.axes, set(stated))
    in_order = CanonicalTable.unchanged(table) if secret is None else canonical(table)
    checked = replace(method, non_hierarchical=tuple(axis.name for axis in table.axes))
    try:
        pattern = checked.gaps_of(in_order.table, audited=False, seed=secret).pattern
    except InputError:
        # The sentence names rows and columns as the table has them.
        method.gaps_of(table, audited=False, seed=secret)
        raise
    shape = [size + 1 for size in in_order.table.shape]

    def restored(entries: NDArray[Any]) -> NDArray[Any]:
        return in_order.restore(entries.reshape(shape)).ravel()

    return replace(
        pattern,
        suppressed=restored(pattern.suppressed),
        secondary=restored(pattern.secondary),
        lower=restored(pattern.lower),
        upper=restored(pattern.upper),
    )
