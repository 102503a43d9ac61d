"""The release itself: what is published, and what a reader may conclude from each value about the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.core.margins import Kept, margins
from sdcwidgets.errors import InputError
from sdcwidgets.release import checks, conclusions, merging, printed
from sdcwidgets.release.exchange import Exchanged
from sdcwidgets.table import FrequencyTable
from sdcwidgets.values import Value
from sdcwidgets.writing import below, csv_text

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["CONFIDENTIAL", "NOT_AVAILABLE", "Intervals", "Release"]

#: Texts of gaps, as the Government Statistical Service writes them.
CONFIDENTIAL, NOT_AVAILABLE = "c", ".."


class Intervals(NamedTuple):
    """The lowest and the highest true count that each value may stand for; float, the highest may be inf."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Release(Value, Exchanged):
    """A published table: its cells and margins as they are read, not as they are.

    Margins are values of their own: they need not be the sums of the cells. The bounds say what a reader
    who knows how the table was protected may conclude from each value by itself; `intervals` puts them
    together.

    Parameters
    ----------
    axes : sequence of Axis
        The axes as published; there may be fewer categories than in the original table.
    values : mapping of tuple of int to array
        For each set of axes that is published, by their positions in rising order, the published values:
        ``{(0, 1): cells, (0,): row totals, (): total}``. nan is a gap.
    lower, upper : mapping of tuple of int to array
        The lowest and the highest true count that each value may stand for; 0 and infinity where missing.
    gaps : mapping of tuple of int to array of str
        The text in place of each value that is nan; "c" where missing.
    notes : sequence of str
        Sentences that stand below the table.
    fraction : float
        The share of the people who are counted, below 1 for a sample.
    merged : mapping of str to mapping of str to str
        For each axis with fewer categories than before: the published label of each original one.

    Raises
    ------
    InputError
        If an array does not fit the axes, a lower bound is above its upper bound, or the fraction is not
        above 0 and at most 1.

    See Also
    --------
    sdcwidgets.core.ranges.cells_within : What `intervals` computes.

    Examples
    --------
    The handbook's Table 5.19: each value rounded by itself, so that 10 and 20 make 35.

    >>> axes = [Axis("Area", ("A", "B", "C")), Axis("Sex", ("Male", "Female"))]
    >>> release = Release(axes, {(0, 1): [[0, 0], [5, 5], [10, 20]], (0,): [0, 5, 35], (1,): [15, 25], (): 40})
    >>> release.margin("Area").tolist(), release.discrepancy("Area").tolist(), release.additive
    ([0.0, 5.0, 35.0], [0.0, -5.0, 5.0], False)
    """

    axes: tuple[Axis, ...]
    values: Mapping[Kept, Floats]
    lower: Mapping[Kept, Floats] = field(default_factory=dict)
    upper: Mapping[Kept, Floats] = field(default_factory=dict)
    gaps: Mapping[Kept, NDArray[np.str_]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fraction: float = 1.0
    merged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "axes", tuple(self.axes))
        set_(self, "notes", tuple(self.notes))
        set_(self, "merged", MappingProxyType({name: dict(map_) for name, map_ in self.merged.items()}))
        if not 0 < self.fraction <= 1:
            raise InputError(f"The sampling fraction is {self.fraction}; it must be above 0 and at most 1.")
        for name, found in checks.arrays(self, CONFIDENTIAL).items():
            set_(self, name, MappingProxyType(found))

    @classmethod
    def of(
        cls,
        table: FrequencyTable,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        *,
        notes: Sequence[str] = (),
        fraction: float = 1.0,
    ) -> Release:
        """Return the release of a whole table, each margin the sum of its cells.

        `lower` and `upper` bound the true count of each cell; without them the counts are exact. The
        bounds of a margin are the sums of those of its cells.

        Examples
        --------
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.margin("Row").tolist(), release.exact
        ([1.0, 6.0], True)
        """
        low, high = (table.counts if bound is None else bound for bound in (lower, upper))
        shape = table.shape
        return cls(
            axes=table.axes,
            values=margins(table.counts),
            lower=margins(np.broadcast_to(np.asarray(low, dtype=np.float64), shape)),
            upper=margins(np.broadcast_to(np.asarray(high, dtype=np.float64), shape)),
            notes=tuple(notes),
            fraction=fraction,
        )

    @classmethod
    def by_value(
        cls,
        axes: Sequence[Axis],
        values: Mapping[Kept, ArrayLike],
        conclusions: Callable[[Floats], tuple[ArrayLike, ArrayLike]],
        notes: Sequence[str] = (),
        **more: Any,
    ) -> Release:
        """Return the release of these values, of each of which a reader concludes the same from its size.

        `conclusions` takes an array of published values, nan for a gap, and returns the lowest and the
        highest true count behind each; it is asked for the cells and for each margin.
        """
        arrays = {kept: np.asarray(array, dtype=np.float64) for kept, array in values.items()}
        bounds = {kept: conclusions(array) for kept, array in arrays.items()}
        lower = {kept: np.asarray(pair[0], dtype=np.float64) for kept, pair in bounds.items()}
        upper = {kept: np.asarray(pair[1], dtype=np.float64) for kept, pair in bounds.items()}
        return cls(tuple(axes), arrays, lower, upper, notes=tuple(notes), **more)

    def narrowed(self, known: Mapping[Kept, tuple[ArrayLike, ArrayLike]]) -> Release:
        """Return a release with the same values of which a reader knows more.

        Parameters
        ----------
        known : mapping of tuple of int to pair of array_like
            A lower and an upper bound of the truth for each value of some published sets of axes; of these
            and of what was known before the closer ones count.

        Examples
        --------
        >>> release = Release.of(FrequencyTable([3, 6]), [2, 5], [4, 7]).narrowed({(): (9, 9)})
        >>> [int(bound) for bound in release.bounds()]
        [9, 9]
        """
        closer = {kept: pair for kept, pair in known.items() if kept in self.values}
        lower = {kept: np.maximum(self.lower[kept], pair[0]) for kept, pair in closer.items()}
        upper = {kept: np.minimum(self.upper[kept], pair[1]) for kept, pair in closer.items()}
        return replace(self, lower={**self.lower, **lower}, upper={**self.upper, **upper})

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of published categories of each axis."""
        return tuple(map(len, self.axes))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.axes)

    @property
    def every(self) -> Kept:
        """The positions of all axes: the key of the cells in `values`."""
        return tuple(range(self.ndim))

    def axis(self, name: str) -> int:
        """Return the position of the axis with this name, or raise InputError."""
        return checks.positions(self.axes, [name])[0]

    @property
    def cells(self) -> Floats:
        """The published values of the cells, nan where there is a gap; read-only."""
        return self.margin(*(axis.name for axis in self.axes))

    def margin(self, *names: str) -> Floats:
        """Return the published values of the margin with these axes, in this order; no name: the total.

        nan stands where nothing is published.

        Raises
        ------
        InputError
            If an axis is unknown or named twice.
        """
        return self._turned(self.values, names, np.nan)

    def bounds(self, *names: str) -> Intervals:
        """Return what each value of a margin by itself tells about the truth; no bounds where it is missing."""
        return Intervals(self._turned(self.lower, names, 0.0), self._turned(self.upper, names, np.inf))

    def shown(self, *names: str) -> NDArray[np.object_]:
        """Return the values of a margin as they are printed: a number as text, or the text of a gap."""
        values, texts = self.margin(*names), self._turned(self.gaps, names, NOT_AVAILABLE)
        shown = [text or printed.number(value) for value, text in zip(values.flat, texts.flat, strict=True)]
        return np.array(shown, dtype=np.object_).reshape(values.shape)

    def discrepancy(self, *names: str) -> Floats:
        """Return how much each value of a margin is above the sum of the published cells; nan at gaps."""
        sums = margins(self.cells)
        found: Floats = self.margin(*names) - self._turned(sums, names, np.nan)
        return found

    @cached_property
    def additive(self) -> bool:
        """Whether no published margin differs from the sum of the published cells."""
        sums = margins(self.cells)
        apart = (values - sums[kept] for kept, values in self.values.items())
        return not any(np.any(np.abs(np.nan_to_num(difference)) > 1e-9) for difference in apart)

    @property
    def exact(self) -> bool:
        """Whether every value is published and stands for one true count only."""
        return all(
            not np.isnan(values).any() and np.array_equal(self.lower[kept], self.upper[kept])
            for kept, values in self.values.items()
        )

    @property
    def plain(self) -> bool:
        """Whether the cells say it all: whole numbers without a gap, of which every margin is the sum."""
        return not self.hidden.any() and bool(np.all(self.cells == np.floor(self.cells))) and self.additive

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Which cells are gaps, shape of the table."""
        return np.isnan(self.cells)

    @cached_property
    def open_gaps(self) -> Mapping[Kept, NDArray[np.bool_]]:
        """Which gaps hide nothing: all that is published together leaves one true count; by sets of axes.

        Examples
        --------
        >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("m", "f"))]
        >>> shown = lambda gap: {(0, 1): [[gap, 4], [5, 6]], (0,): [5, 11]}
        >>> Release(axes, shown(float("nan")), shown(0), shown(float("inf"))).open_gaps[0, 1].tolist()
        [[True, False], [False, False]]
        """
        return conclusions.open_gaps(self)

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What must be known before this is published, and does not stand below it; one sentence each."""
        return conclusions.cautions(self)

    def published(self) -> dict[Kept, Floats]:
        """Return what is known exactly, as `core.bounds` takes it: the true value, nan where it is not known.

        A set of axes of which nothing is known exactly is left out.

        Examples
        --------
        >>> nan = float("nan")
        >>> Release([Axis("Area", ("A", "B"))], {(0,): [nan, 4.0], (): 9.0}, {(0,): [0, 4]}, {(0,): [9, 4]}).published()
        {(0,): array([nan,  4.])}
        """
        return conclusions.published(self)

    def ranges(self) -> dict[Kept, Intervals]:
        """Return the lower and upper bound of the truth behind each published value, as `core.ranges` takes it."""
        return {kept: Intervals(self.lower[kept], self.upper[kept]) for kept in self.values}

    def intervals(self, *, sharp: bool = True) -> Intervals:
        """Return the least and the greatest true count of each cell that all published values together leave.

        Parameters
        ----------
        sharp : bool
            Whether linear programming follows the shuttle algorithm; without it the bounds are quick and
            hold, but may be wider than need be.

        Raises
        ------
        InputError
            If no table of counts agrees with all that a reader may conclude.
        """
        return Intervals(*conclusions.together(self, sharp=sharp))

    def table(self) -> FrequencyTable:
        """Return the published cells as a table of counts.

        Raises
        ------
        InputError
            If a cell is not published, or is not a whole number.
        """
        if self.hidden.any():
            raise InputError(f"{int(self.hidden.sum())} cells are not published; a table needs all of them.")
        return FrequencyTable(self.cells, self.axes)

    def regroup(self, table: FrequencyTable) -> FrequencyTable:
        """Return the original table in the categories of this release, to compare the two.

        Raises
        ------
        InputError
            If the table's categories are not those that were published or merged.
        """
        return merging.regroup(self, table)

    def spread(self, table: FrequencyTable) -> Floats:
        """Return the published cells in the table's categories, a merged count spread evenly; nan is a gap."""
        return merging.spread_over(self, table)

    def to_frame(self) -> pd.DataFrame:
        """Return one line a published value: its label on each axis, the value, its bounds and the text of a gap.

        A margin has the label "Total" (or, where an axis has that label, "Total (all)") on the axes that it
        is summed over.
        """
        return printed.frame(self)

    def lines(self) -> Iterator[list[str | float]]:
        """Yield the lines of the table as it is printed: a head, then cells and margins, a gap as its text.

        The last axis goes across, the others down, each with its total after its categories. What is in no
        published set of axes is left out, or blank where its line or column holds something else.
        """
        return printed.lines(self)

    def to_csv(self, path: str | PathLike[str] | None = None, *, escape: bool = True) -> str:
        r"""Return CSV text of the table as it is printed, gaps as their texts, and its notes; write it to a path too.

        With `escape`, a label that a spreadsheet would take for a formula gets an apostrophe before it.

        Examples
        --------
        >>> nan = float("nan")
        >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("m", "f"))]
        >>> print(Release(axes, {(0, 1): [[nan, 4], [5, 6]], (0,): [5, 11]}).to_csv())
        Area \ Sex,m,f,Total
        A,c,4,5
        B,5,6,11
        <BLANKLINE>
        """
        return csv_text([*self.lines(), *below(self.notes)], path, escape=escape)

    def to_excel(self, path: str | PathLike[str]) -> None:
        """Write a workbook of one sheet that says what `to_csv` says; every label stays text."""
        printed.write_workbook(self, path)

    def report(self, path: str | PathLike[str], **more: Any) -> None:
        """Write an HTML file on what was done and what a reader may conclude; `more` are fields of a `Report`."""
        from sdcwidgets.report import Report, write

        write(Report(self, **more), path)

    __repr__ = printed.summary
    _repr_html_ = printed.html

    def _turned(self, of: Mapping[Kept, NDArray[Any]], names: Sequence[str], missing: object) -> NDArray[Any]:
        """Return the array of these axes, in this order, or one full of what stands for a missing one."""
        positions = checks.positions(self.axes, names)
        kept = tuple(sorted(positions))
        if kept not in of:
            return np.full([len(self.axes[k]) for k in positions], missing)
        return np.transpose(of[kept], [kept.index(k) for k in positions])
