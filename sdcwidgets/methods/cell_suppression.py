"""Cell suppression: small counts are suppressed, together with the cells that would disclose them."""

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
from sdcwidgets.methods.suppressing import SuppressedTable, suppressed
from sdcwidgets.methods.tabular import Fixed
from sdcwidgets.tables.apriori import Apriori
from sdcwidgets.tables.nesting import check_disjoint
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Maximum coalition size, shared by the method and the page *Suppress*.
Together = Annotated[
    int,
    Range(0, 3),
    Label("Maximum coalition size"),
    Help(
        "Number of colluding respondents, who share what they know, against whom the pattern protects. 1: "
        "each respondent alone; 0: external intruders only."
    ),
]


@register
@dataclass(frozen=True)
class CellSuppression(Fixed):
    """Suppresses small counts (primary), and other cells so that the small counts cannot be computed.

    Primary: counts from 1 to below the threshold, including totals. Secondary: a good pattern, and the cheapest
    one for a small table with three or more axes. No external intruder can compute a suppressed count, and the
    interval of each small count is at least as wide as required. The same holds for the intervals of small
    counts in the view of every respondent and of every coalition up to the given size, although they may
    compute other suppressed counts. With a coalition size of 0, and for sums of weights, the protection is
    against external intruders only. No published sum of suppressed counts is below the threshold. Zeros are
    published, so a data user knows that a suppressed count is at least 1.

    The pattern is by default a random choice. From the cheapest pattern, a data user who runs the program for
    every feasible table can determine 13 % of the suppressed small counts of 2 x 2 to 4 x 4 tables (66 of 527).
    From random patterns it is 0.12 % (1 of 830, in 1 of 320 tables), with an upper 95 % limit of 0.6 %. In a
    table of one or two axes with at most 36 cells and totals, the secret selects a threshold below which all
    counts are suppressed. The threshold rises until other tables that can lead to the same pattern vary every
    small count; in the end only zeros and the grand total are published. In other tables the costs change at
    random, and no rate is known. Two patterns of one table disclose counts by their difference, so keep the
    secret and use it for every release of the table.

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
        int,
        Range(2, 100),
        Label("Threshold"),
        Help("Counts of at least 1 and below the threshold are suppressed."),
    ] = 3
    width: Annotated[
        int,
        Range(1, 1000),
        Label("Minimum interval width"),
        Help("Minimum width of the feasibility interval of each suppressed small count."),
    ] = 2
    cost: Annotated[
        str,
        Choices({"value": "suppressed total", "cell": "number of suppressed cells"}),
        Label("Cost of secondary suppression"),
        Help("Quantity that the choice of the secondary cells minimises."),
    ] = "value"

    coalition: Together = 1
    choice: Choice = "secret"

    non_hierarchical: Annotated[
        tuple[str, ...],
        AxisNames(several=True, stated=True),
        Label("Non-hierarchical axes"),
        Help(
            "Axes whose categories are disjoint, although labels or counts look like a hierarchy. If an "
            "axis looks hierarchical and is not named here, the table is rejected, because sub-totals would "
            "disclose suppressed cells."
        ),
    ] = ()

    note_settings = " of counts below {0.threshold}"
    suppresses = True

    def is_slow_for(self, table: FrequencyTable) -> bool:
        """Return True, because a pattern requires many linear programs."""
        return True

    @property
    def seeded(self) -> bool:
        """Whether the pattern is a random choice."""
        return self.choice == "secret"

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return a sentence if the table has no small count, otherwise ""."""
        people = with_margins((table.respondents or table).counts)
        if (
            threshold(with_margins(table.counts), self.threshold).any()
            or threshold(people, self.threshold).any()
        ):
            return ""
        if table.respondents is not None:
            return f"No count of this table has fewer than {self.threshold} respondents, so no cell is suppressed."
        return f"No count of this table is from 1 to {self.threshold - 1}, so no cell is suppressed."

    def pattern(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Pattern:
        """Return the suppressed cells and totals, numbered as in `core.suppression.with_margins`.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        seed : int or Generator, optional
            The secret; default: a new one.

        Returns
        -------
        Pattern
            The pattern, without feasibility intervals.

        Raises
        ------
        InputError
            If no pattern gives the required protection.
        """
        return _pattern(self, table, secret_of(seed) if self.seeded else None)

    def suppress(
        self,
        table: FrequencyTable,
        *,
        hierarchies: Mapping[str, Mapping[str, str] | str] | None = None,
        tables: Sequence[Sequence[str]] | None = None,
        frozen: ArrayLike | None = None,
        costs: ArrayLike | None = None,
        apriori: Apriori | None = None,
        audited: bool = True,
        seed: int | np.random.Generator | None = None,
    ) -> SuppressedTable:
        """Return the suppressed entries of a table with sub-totals, linked tables, frozen entries or costs.

        Parameters
        ----------
        table : FrequencyTable
            Counts by all axes of all tables.
        hierarchies : mapping of str to mapping of str to str, or "detected", optional
            For an axis with sub-totals, the parent of each label and of each parent; "" is the total. With
            "detected", categories that are sums of others are sub-totals.
        tables : sequence of sequence of str, optional
            Axes of each published table, with all its sums; default: one table of all axes.
        frozen : array_like of bool, optional
            Entries that must be published, in the shape of the table with all its sums (`labels_of` each axis).
        costs : array_like of float, optional
            Cost of suppressing each entry, in the same shape; nan: as given by `cost`.
        apriori : Apriori, optional
            Entries that are set by hand as unsafe, safe or protected, and their costs and protection levels.
        audited : bool
            Also compute the feasibility interval of each suppressed entry.
        seed : int or Generator, optional
            The secret. Equal tables, settings and secrets give equal patterns. Two different patterns of one table
            disclose counts by their difference. Default: a new secret.

        Returns
        -------
        SuppressedTable
            The suppressed and the published entries.
        """
        result = suppressed(
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
            apriori=apriori,
            audited=audited,
            choice=self.choice,
            seed=seed,
        )
        return replace(result, notes=self.notes(has_suppressed=bool(result.pattern.suppressed.any())))

    def cells(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> NDArray[np.float64]:
        """Return the counts with nan for the cells that the pattern of this secret suppresses."""
        return np.where(self._hidden(table, seed)[(slice(0, -1),) * table.ndim], np.nan, table.counts)

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.number]:
        """Return equal replicates, shape (size, *shape), because two patterns would disclose counts.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers. The secret is the seed of the generator, whatever was drawn from it before.

        Returns
        -------
        ndarray, shape (size, *shape)
            Counts with nan for suppressed cells.
        """
        check_size(size)
        return np.broadcast_to(self.cells(table, rng), (size, *table.shape))

    def conclusions(self, published: NDArray[np.number]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the published counts, and a lower bound of 1 for suppressed cells."""
        gaps = np.isnan(published)
        return np.where(gaps, 1, published), np.where(gaps, np.inf, published)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the original cells and margins, with nan for suppressed entries.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins. The pattern is the same as in `replicate` with
            this generator.

        Returns
        -------
        Release
            Cells and margins, with nan for suppressed entries.
        """
        return self.release_pattern(table, self.pattern(table, rng))

    def release_pattern(self, table: FrequencyTable, pattern: Pattern) -> Release:
        """Build the release with the pattern of the table with its margins; the total of each axis is last."""
        hidden, secondary = (
            flags.reshape([size + 1 for size in table.shape])
            for flags in (pattern.suppressed, pattern.secondary)
        )
        values, protecting = {}, {}
        for margin, sums in margins(table.counts).items():
            view = tuple(slice(0, -1) if k in margin else -1 for k in range(table.ndim))
            values[margin] = np.where(hidden[view], np.nan, sums)
            protecting[margin] = secondary[view]
        notes = self.notes(has_suppressed=bool(hidden.any()))
        if table.respondents is not None and hidden.any():
            of_respondents = f"Counts with fewer than {self.threshold} respondents are suppressed, too."
            notes = (notes[0], of_respondents, *notes[1:])
        return replace(Release.by_value(table.axes, values, self.conclusions, notes), secondary=protecting)

    def notes(self, *, has_suppressed: bool = True) -> tuple[str, ...]:
        """Return the footnotes of a release: the method, and the symbol of suppressed values if there are any."""
        return (self.note(), "c: confidential.") if has_suppressed else (self.no_change_note(),)

    def private_note(self, table: FrequencyTable, stayed: NDArray[np.int64] | None = None) -> str:
        """Return against whom the pattern protects.

        Examples
        --------
        >>> "each respondent in the table" in CellSuppression().private_note(FrequencyTable([1, 5]))
        True
        """
        # In a table of weights, a sum does not show that a respondent is alone in a cell.
        coalition = self.coalition if table.respondents is None else 0
        return holds_for(coalition, "in the table who knows their own category")

    def _hidden(self, table: FrequencyTable, seed: int | np.random.Generator | None) -> NDArray[np.bool_]:
        """Return the suppressed entries of the table with its margins, the total of each axis last."""
        return self.pattern(table, seed).suppressed.reshape([size + 1 for size in table.shape])


@lru_cache(maxsize=32)
def _pattern(method: CellSuppression, table: FrequencyTable, secret: int | None) -> Pattern:
    """Return the pattern from a cache, because a page requests it several times.

    A random choice is made in canonical order, because the patterns of one table in two arrangements would
    disclose counts by their difference.
    """
    stated = [table.axes[table.axis_along(name)].name for name in method.non_hierarchical]
    check_disjoint(table.counts, table.axes, set(stated))
    in_order = CanonicalTable.unchanged(table) if secret is None else canonical(table)
    checked = replace(method, non_hierarchical=tuple(axis.name for axis in table.axes))
    try:
        pattern = checked.suppress(in_order.table, audited=False, seed=secret).pattern
    except InputError:
        # The message must name rows and columns as in the original table.
        method.suppress(table, audited=False, seed=secret)
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
