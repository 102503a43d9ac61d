"""A release: what is published, what a reader concludes from it, and what it is written as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.files import put
from sdcwidgets.tables.release import conclusions, merging, printed
from sdcwidgets.tables.release.exchange import Exchanged
from sdcwidgets.tables.release.published import NOT_AVAILABLE, Intervals, Published
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from sdcwidgets._util.arrays import Flags, Floats, Whole
    from sdcwidgets.assessment.report import Alternative
    from sdcwidgets.assessment.verdict import Verdict
    from sdcwidgets.core.margins import MarginAxes
    from sdcwidgets.core.ranges import Ranges
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release.as_read import AsRead


@dataclass(frozen=True, eq=False)
class Release(Published, Exchanged):
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
    key_noise : KeyNoise, optional
        The p-table of a release whose cells and margins have noise from cell keys. With it, `intervals` and
        `determined` use that equal keys give equal noise.

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

    >>> from sdcwidgets.tables.axis import Axis
    >>> axes = [Axis("Area", ("A", "B", "C")), Axis("Sex", ("Male", "Female"))]
    >>> release = Release(axes, {(0, 1): [[0, 0], [5, 5], [10, 20]], (0,): [0, 5, 35], (1,): [15, 25], (): 40})
    >>> release.margin("Area").tolist(), release.discrepancy("Area").tolist(), release.additive
    ([0.0, 5.0, 35.0], [0.0, -5.0, 5.0], False)
    """

    def display_texts(self, *names: str) -> NDArray[np.object_]:
        """Return the values of a margin as they are printed: a number as text, or the text of a gap."""
        values, texts = self.margin(*names), self._turned(self.gaps, names, NOT_AVAILABLE)
        cells = [text or printed.number(value) for value, text in zip(values.flat, texts.flat, strict=True)]
        return np.array(cells, dtype=np.object_).reshape(values.shape)

    @cached_property
    def open_gaps(self) -> Mapping[MarginAxes, Flags]:
        """Which gaps hide nothing: all that is published together leaves one true count; by sets of axes.

        Examples
        --------
        >>> from sdcwidgets.tables.axis import Axis
        >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("m", "f"))]
        >>> shown = lambda gap: {(0, 1): [[gap, 4], [5, 6]], (0,): [5, 11]}
        >>> Release(axes, shown(float("nan")), shown(0), shown(float("inf"))).open_gaps[0, 1].tolist()
        [[True, False], [False, False]]
        """
        return conclusions.open_gaps(self)

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What must be known before this is published, and does not stand below it; one sentence each."""
        return conclusions.cautions(self, self.open_gaps)

    def published(self) -> dict[MarginAxes, Floats]:
        """Return what is known exactly, as `core.bounds` takes it: the true value, nan where it is not known.

        A set of axes of which nothing is known exactly is left out.

        Examples
        --------
        >>> nan = float("nan")
        >>> from sdcwidgets.tables.axis import Axis
        >>> Release([Axis("Area", ("A", "B"))], {(0,): [nan, 4.0], (): 9.0}, {(0,): [0, 4]}, {(0,): [9, 4]}).published()
        {(0,): array([nan,  4.])}
        """
        return conclusions.published(self)

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

    def determined(self, sums: Sequence[Whole], ranges: Ranges | None = None) -> Flags:
        """Return which sums of cells have one value only in all tables that agree with the release.

        Parameters
        ----------
        sums : sequence of ndarray of int
            The cells of each sum, by their places in the flat table.
        ranges : mapping of tuple of int to pair of array_like, optional
            The lowest and the highest count behind each published value; default: those of the release.

        Returns
        -------
        ndarray of bool, shape (sums,)
            A sum of which the search finds no second value counts as determined.

        Raises
        ------
        ValueError
            If no table of counts agrees with the release.
        """
        return conclusions.determined(self, sums, self.ranges() if ranges is None else ranges)

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

    def to_csv(
        self,
        path: str | PathLike[str] | None = None,
        *,
        escape: bool = True,
        margins: bool = True,
        as_read: AsRead | None = None,
    ) -> str:
        r"""Return CSV text of the table as it is printed, gaps as their texts, and its notes; write it to a path too.

        With `escape`, a label that a spreadsheet would take for a formula gets an apostrophe before it. Without
        `margins` those are left out that are sums of the cells, as the command line does where its table had none.
        With the layout of what was read (`Reading.as_read`) the table is written in it, if it fits.

        Examples
        --------
        >>> nan = float("nan")
        >>> from sdcwidgets.tables.axis import Axis
        >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("m", "f"))]
        >>> print(Release(axes, {(0, 1): [[nan, 4], [5, 6]], (0,): [5, 11]}).to_csv())
        Area \ Sex,m,f,Total
        A,c,4,5
        B,5,6,11
        <BLANKLINE>
        """
        return printed.csv(self, path, escape=escape, margins=margins, as_read=as_read)

    def to_excel(
        self,
        path: str | PathLike[str],
        *,
        title: str = "Table",
        source: str = "",
        method: Method | None = None,
        as_read: AsRead | None = None,
    ) -> None:
        """Write the workbook that the command line writes: the table with its notes, and a sheet with the method.

        Parameters
        ----------
        path : str or path
        title, source : str
            What the table is called, and where it comes from.
        method : Method, optional
            The settings that are meant for publication are written.
        as_read : AsRead, optional
            The layout in which it was read: `Reading.as_read`.
        """
        from sdcwidgets.assessment.report import Report
        from sdcwidgets.assessment.report.workbook import workbook

        report = Report(self, None, method, title, source, as_read=as_read)
        put(workbook(report), path)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str = "Table",
        source: str = "",
        method: Method | None = None,
        verdict: Verdict | None = None,
        read: Sequence[str] = (),
        alternatives: Sequence[Alternative] = (),
        table: FrequencyTable | None = None,
        seed: int | None = None,
        by_hand: int = 0,
        internal: bool = False,
    ) -> None:
        """Write a report as an HTML file: for data users, or with `internal` for the agency.

        The public report has the table, the method, and what a data user can conclude from both. Only the internal
        report has the other arguments, because they follow from the original counts.

        Parameters
        ----------
        path : str or path
            A name that ends in .html. The name of an internal report contains "internal".
        title, source, method
            As for `to_excel`.
        verdict : Verdict, optional
            The result of `verdict.judge`; internal.
        read : sequence of str
            Notes on how the source was read, `Reading.notes`; internal.
        alternatives : sequence of Alternative
            Settings that were compared, with the means of their risk and loss; internal.
        table : FrequencyTable, optional
            The original counts; the internal report needs them.
        seed : int, optional
            The seed of the release; internal.
        by_hand : int
            The number of the replicate that a person selected, from 1; 0 if nobody selected. Internal.
        internal : bool
            Whether to write the internal report.

        Raises
        ------
        InputError
            If the file cannot be written, or an internal report has no original counts or another name.
        """
        from sdcwidgets.assessment.report import Report, write

        report = Report(
            self,
            verdict,
            method,
            title,
            source,
            read,
            alternatives,
            table,
            seed,
            by_hand=by_hand,
            internal=internal,
        )
        write(report, path)

    __repr__ = printed.summary
    _repr_html_ = printed.html
