"""Immutable frequency tables with named, labelled axes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util import html_table
from sdcwidgets._util.arguments import check_flag, check_kind, wrong
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError, described, type_with_article
from sdcwidgets._util.files import check_ending
from sdcwidgets._util.labels import (
    MOST_PEOPLE,
    PEOPLE,
    cell_name,
    corner,
    count_error,
    listed,
    names_of,
    quoted,
    shortened,
)
from sdcwidgets.tables.axis import Axis, fitting_axes

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets.tables.axis import AxesLike
    from sdcwidgets.tables.io.layouts import FileLayout

__all__ = ["Axis", "FrequencyTable", "table_of"]


class FrequencyTable:
    """Frequency table: counts of people with named, labelled axes.

    The object is immutable. Tables with equal counts and axes are equal, and methods return new tables. A
    table of zeros is valid because a protection method may return it; readers of files reject it.

    Parameters
    ----------
    counts : array-like of whole numbers, shape (n1, n2, ...)
        Non-negative counts. Their sum is at most 2**53, so that a float represents every sum exactly.
    axes : sequence of Axis or of (name, labels), mapping {name: labels}, or None
        One axis per dimension. The default names are Row and Column, and the default labels "Row 1", "Row 2"
        ...

    Raises
    ------
    InputError
        If a count is not a non-negative whole number (the message names its row and column), or if
        counts and axes do not fit together.

    Examples
    --------
    The table of PSD 2014, Table 4, has 302 people in its first area:

    >>> axes = {"Area": ["Area 1", "Area 2"], "Sex": ["Male", "Female"]}
    >>> table = FrequencyTable([[161, 141], [105, 94]], axes)
    >>> table
    FrequencyTable(Area: 2, Sex: 2; total 501)
    >>> table.marginal("Area").counts
    array([302, 199])
    """

    __slots__ = ("_axes", "_counts", "_respondents", "_total", "_unit", "_unknown")

    _axes: tuple[Axis, ...]
    _counts: NDArray[np.int64]
    _respondents: FrequencyTable | None
    _total: int
    _unit: str
    _unknown: FrequencyTable | None  # 1 for an unknown count, otherwise 0

    def __init__(self, counts: ArrayLike, axes: AxesLike | None = None) -> None:
        if axes is None and hasattr(counts, "index") and hasattr(counts, "to_numpy"):
            raise InputError(
                f"The counts are {type_with_article(counts)}, which has labels and may have totals. "
                "Use FrequencyTable.from_frame, or from_records if each row is a person."
            )
        try:
            array = np.array(counts, order="C")
            if array.dtype.kind not in "iuf":  # a single text would convert all numbers to text
                array = np.array(counts, dtype=object)
        except ValueError:
            raise InputError(
                "The rows have different lengths; every row needs the same columns (and a table at most 64 axes)."
            ) from None
        self._axes = fitting_axes(axes, array.shape)
        if array.dtype != np.int64:
            array = _whole(array, self._axes)
        if array.min() < 0:
            _refuse(array, self._axes, array >= 0)
        if array.sum(dtype=np.float64) > 2 * MOST_PEOPLE or array.sum() > MOST_PEOPLE:
            _refuse(array, self._axes, array <= MOST_PEOPLE)
            raise InputError(f"The counts sum to more than {MOST_PEOPLE:,}, the maximum of exact sums.")
        array.flags.writeable = False
        self._counts = array
        self._respondents = None
        self._unknown = None
        self._unit = PEOPLE
        self._total = int(array.sum())

    @classmethod
    def from_csv(
        cls,
        source: str | bytes | PathLike[str],
        *,
        sheet: str = "",
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        empty: str = "ask",
        level: str = "",
        largest: str = "ask",
        decimals: str = "ask",
        marks: str = "ask",
        doubts: str = "ask",
        encoding: str = "",
        layout: FileLayout | str | PathLike[str] | None = None,
    ) -> FrequencyTable:
        r"""Read a table from CSV text or from a file.

        Decisions of the import, such as omitted totals, are logged as warnings.

        Parameters
        ----------
        source : str, bytes or path
            Text of more than one line, the content of a file, or the path of a file. The content decides the format, so
            workbooks are read, too; `from_excel` also selects a sheet.
        sheet : str, optional
            A sheet of a workbook, or a file in a zip archive.
        totals : bool or {"ask", "drop", "keep"}, default True
            False keeps all lines, also totals. True uses the argument `margins`, and a text replaces it.
        by : str or sequence of str, optional
            Columns of a long table whose categories become the axes.
        count : str, optional
            The column with the counts of a long table.
        weight : str, optional
            The column with the sampling weights of a survey.
        only : str or sequence of str, optional
            Selected categories, such as "Year=2021".
        missing : str, optional
            The category of missing values.
        first_line : {"ask", "labels", "counts", "bare"}
            Meaning of the numbers in the first line: column labels, counts after the label of the row, or counts in
            all columns.
        margins : {"ask", "drop", "keep"}
            Whether to omit or keep rows and columns that contain totals, parts of other lines, or percentages.
        flags : {"ask", "off", "out"}
            Whether to remove flags next to counts, such as "12 p"; "out" also omits rows with suppressed counts.
        empty : {"ask", "zero", "dashes"}
            Meaning of an empty cell among counts; "dashes" also reads a dash as 0.
        level : str, optional
            The level that is read if a column states the level of each row.
        largest : {"ask", "drop", "keep"}
            Whether to omit or keep a label that is larger than all other labels of its axis together.
        decimals : {"ask", "thousands", "round"}
            Meaning of numbers with decimals in place of counts.
        marks : {"ask", "thousands", "decimals"}
            Meaning of a comma or point in numbers such as "5,000".
        doubts : {"ask", "accept"}
            Whether to accept a table with possible errors, such as a line of nearly equal counts.
        encoding : str, optional
            Encoding of a text, such as "cp1250" (default: detected).
        layout : FileLayout or path, optional
            Layout of the file, or the path of its TOML file; it replaces all other options.

        Returns
        -------
        FrequencyTable

        Raises
        ------
        InputError
            If the source is not a table of counts, or something has to be decided. Then the error is a `Question`, and
            its `proposal` has a layout.

        Examples
        --------
        >>> FrequencyTable.from_csv("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
        FrequencyTable(Area: 2, Column: 2; total 501)
        >>> long = "Area,Sex,Persons\nArea 1,Male,161\nArea 1,Female,141\nArea 2,Male,105\nArea 2,Female,94\n"
        >>> FrequencyTable.from_csv(long, by="Area", count="Persons").counts
        array([302, 199])
        """
        from sdcwidgets.tables.io.options import ReadOptions
        from sdcwidgets.tables.io.proposed_questions import read_or_propose
        from sdcwidgets.tables.io.reading import read_csv

        options = ReadOptions(
            sheet=sheet,
            by=_names(by),
            count=count,
            weight=weight,
            only=_names(only),
            missing=missing,
            first_line=first_line,
            margins=margins,
            flags=flags,
            empty=empty,
            level=level,
            largest=largest,
            decimals=decimals,
            marks=marks,
            doubts=doubts,
            encoding=encoding,
        )
        options = options.with_totals(totals)
        detect = partial(read_csv, source, limit=None, how=options)
        return read_or_propose(source, layout, options, detect).logged_table()

    @classmethod
    def from_excel(
        cls,
        source: str | bytes | PathLike[str],
        sheet: str | None = None,
        *,
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        empty: str = "ask",
        level: str = "",
        largest: str = "ask",
        decimals: str = "ask",
        marks: str = "ask",
        doubts: str = "ask",
        layout: FileLayout | str | PathLike[str] | None = None,
    ) -> FrequencyTable:
        """Read a table from a sheet of an .xlsx or .xls workbook.

        Parameters
        ----------
        source : bytes, str or path
            The content or the path of the workbook.
        sheet : str, optional
            Name of the sheet; default: the first sheet with a table.
        totals : bool or {"ask", "drop", "keep"}, default True
            False keeps all lines, also totals. True uses the argument `margins`, and a text replaces it.
        by : str or sequence of str, optional
            Columns of a long table whose categories become the axes.
        count : str, optional
            The column with the counts of a long table.
        weight : str, optional
            The column with the sampling weights of a survey.
        only : str or sequence of str, optional
            Selected categories, such as "Year=2021".
        missing : str, optional
            The category of missing values.
        first_line : {"ask", "labels", "counts", "bare"}
            Meaning of the numbers in the first line: column labels, counts after the label of the row, or counts in
            all columns.
        margins : {"ask", "drop", "keep"}
            Whether to omit or keep rows and columns that contain totals, parts of other lines, or percentages.
        flags : {"ask", "off", "out"}
            Whether to remove flags next to counts, such as "12 p"; "out" also omits rows with suppressed counts.
        empty : {"ask", "zero", "dashes"}
            Meaning of an empty cell among counts; "dashes" also reads a dash as 0.
        level : str, optional
            The level that is read if a column states the level of each row.
        largest : {"ask", "drop", "keep"}
            Whether to omit or keep a label that is larger than all other labels of its axis together.
        decimals : {"ask", "thousands", "round"}
            Meaning of numbers with decimals in place of counts.
        marks : {"ask", "thousands", "decimals"}
            Meaning of a comma or point in numbers such as "5,000".
        doubts : {"ask", "accept"}
            Whether to accept a table with possible errors, such as a line of nearly equal counts.
        layout : FileLayout or path, optional
            Layout of the file, or the path of its TOML file; it replaces all other options.

        Returns
        -------
        FrequencyTable

        Raises
        ------
        InputError
            If the sheet is not a table of counts, or something has to be decided.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sdcwidgets import FrequencyTable
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     FrequencyTable([[161, 141], [105, 94]]).to_frame().to_excel(Path(folder) / "table.xlsx")
        ...     FrequencyTable.from_excel(Path(folder) / "table.xlsx").total
        501
        """
        from sdcwidgets.tables.io.options import ReadOptions
        from sdcwidgets.tables.io.proposed_questions import read_or_propose
        from sdcwidgets.tables.io.reading import read_excel

        options = ReadOptions(
            sheet=sheet or "",
            by=_names(by),
            count=count,
            weight=weight,
            only=_names(only),
            missing=missing,
            first_line=first_line,
            margins=margins,
            flags=flags,
            empty=empty,
            level=level,
            largest=largest,
            decimals=decimals,
            marks=marks,
            doubts=doubts,
        )
        options = options.with_totals(totals)
        detect = partial(read_excel, source, limit=None, how=options)
        return read_or_propose(source, layout, options, detect).logged_table()

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        empty: str = "ask",
        level: str = "",
        largest: str = "ask",
        marks: str = "ask",
        doubts: str = "ask",
    ) -> FrequencyTable:
        """Create a table from a DataFrame of counts; its index and columns are the axes.

        Parameters
        ----------
        frame : DataFrame
        totals : bool or {"ask", "drop", "keep"}, default True
            False keeps all lines, also totals. True uses the argument `margins`, and a text replaces it.
        by : str or sequence of str, optional
            Columns of a long table whose categories become the axes.
        count : str, optional
            The column with the counts of a long table.
        weight : str, optional
            The column with the sampling weights of a survey.
        only : str or sequence of str, optional
            Selected categories, such as "Year=2021".
        missing : str, optional
            The category of missing values.
        first_line : {"ask", "labels", "counts", "bare"}
            Meaning of the numbers in the first line: column labels, counts after the label of the row, or counts in
            all columns.
        margins : {"ask", "drop", "keep"}
            Whether to omit or keep rows and columns that contain totals, parts of other lines, or percentages.
        flags : {"ask", "off", "out"}
            Whether to remove flags next to counts, such as "12 p"; "out" also omits rows with suppressed counts.
        empty : {"ask", "zero", "dashes"}
            Meaning of an empty cell among counts; "dashes" also reads a dash as 0.
        level : str, optional
            The level that is read if a column states the level of each row.
        largest : {"ask", "drop", "keep"}
            Whether to omit or keep a label that is larger than all other labels of its axis together.
        marks : {"ask", "thousands", "decimals"}
            Meaning of a comma or point in numbers such as "5,000".
        doubts : {"ask", "accept"}
            Whether to accept a table with possible errors, such as a line of nearly equal counts.

        Returns
        -------
        FrequencyTable

        Raises
        ------
        InputError
            If the frame is not a table of counts, or something has to be decided.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets import FrequencyTable
        >>> frame = pd.DataFrame({"Male": [161, 105], "Female": [141, 94]}, index=pd.Index(["1", "2"], name="Area"))
        >>> FrequencyTable.from_frame(frame).marginal("Area").counts
        array([302, 199])
        """
        from sdcwidgets.tables.io.options import ReadOptions
        from sdcwidgets.tables.io.reading import read_frame

        options = ReadOptions(
            by=_names(by),
            count=count,
            weight=weight,
            only=_names(only),
            missing=missing,
            first_line=first_line,
            margins=margins,
            flags=flags,
            empty=empty,
            level=level,
            largest=largest,
            marks=marks,
            doubts=doubts,
        )
        return read_frame(frame, totals=totals, how=options).logged_table()

    @classmethod
    def from_records(
        cls,
        records: pd.DataFrame | Sequence[Mapping[str, object]],
        columns: Sequence[str] = (),
        *,
        missing: str | None = None,
        **unknown: object,
    ) -> FrequencyTable:
        """Count microdata records by some of their columns.

        Each row counts as one person. If the rows are counts of people, use `from_frame` with `by` and `count`. A
        warning is logged if the rows look like counts.

        Parameters
        ----------
        records : DataFrame or sequence of mappings
            One record per person.
        columns : sequence of str
            The variables that become the axes. Unused categories of a pandas Categorical are kept with 0 people, and a
            warning is logged.
        missing : str, optional
            The category of missing values. Without it a missing value raises `InputError`.
        **unknown
            Arguments of other functions, such as `by`; they raise `InputError`.

        Returns
        -------
        FrequencyTable

        Raises
        ------
        InputError
            If a column does not exist, a value is missing without `missing`, or an argument is unknown.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets import FrequencyTable
        >>> people = pd.DataFrame({"Area": ["1", "1", "2"], "Sex": ["m", "f", "f"]})
        >>> FrequencyTable.from_records(people, ["Area", "Sex"]).total
        3
        """
        from sdcwidgets.tables.io.sources.people import (
            count_records,
            with_caution_on_counts,
            with_note_on_unused,
        )

        if unknown:
            raise InputError(
                f"from_records has no argument {listed(sorted(unknown))}; name the variables in the argument columns, "
                'such as columns=["Area", "Sex"]. If the rows are counts, use from_frame, which has by and count.'
            )
        columns = names_of(columns, "The columns")
        reading = with_note_on_unused(count_records(records, columns, missing=missing))
        return with_caution_on_counts(reading, records, columns).logged_table()

    @property
    def counts(self) -> NDArray[np.int64]:
        """Counts, read-only, one dimension per axis."""
        return self._counts

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Axes in the order of the dimensions of the counts."""
        return self._axes

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of categories of each axis."""
        return self._counts.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._counts.ndim

    @property
    def total(self) -> int:
        """Number of people N, or of other counted units."""
        return self._total

    @property
    def cells(self) -> int:
        """Number of cells K."""
        return self._counts.size

    @property
    def rows(self) -> Axis:
        """First axis."""
        return self._axes[0]

    @property
    def columns(self) -> Axis:
        """Last axis; equal to `rows` in a table with one axis."""
        return self._axes[-1]

    @property
    def respondents(self) -> FrequencyTable | None:
        """Unweighted number of records of each cell; None if counts are not weighted."""
        return self._respondents

    def with_respondents(self, counts: ArrayLike | None) -> FrequencyTable:
        """Return the table as weighted counts, with the number of records of each cell.

        Examples
        --------
        >>> table = FrequencyTable([20, 300]).with_respondents([1, 12])
        >>> table.total, table.respondents.total, table == FrequencyTable([20, 300])
        (320, 13, False)
        """
        respondents = None if counts is None else FrequencyTable(counts, self._axes)
        return self._with_those_of(respondents, self._unknown, self._unit)

    @property
    def unknown(self) -> NDArray[np.bool_] | None:
        """Mask of cells with unknown counts, which are 0 in the table; None if all counts are known."""
        return None if self._unknown is None else self._unknown.counts > 0

    @property
    def unknown_cells(self) -> int:
        """Number of cells with unknown counts."""
        return 0 if self._unknown is None else int(np.count_nonzero(self._unknown.counts))

    def with_unknown(self, cells: ArrayLike | None) -> FrequencyTable:
        """Return the table with a mask of the cells whose counts are unknown; releases publish no count for them.

        Another count of such a cell settles it.

        Examples
        --------
        >>> table = FrequencyTable([20, 0, 0]).with_unknown([False, True, False])
        >>> table.unknown_cells, table.with_count(1, 4).unknown_cells, table == FrequencyTable([20, 0, 0])
        (1, 0, False)
        """
        unknown = None
        if cells is not None:
            mask = np.asarray(cells, dtype=bool)
            if mask.shape != self.shape:
                raise InputError(
                    f"The mask of unknown counts has the shape {mask.shape}; it must be {self.shape}."
                )
            unknown = FrequencyTable(mask.astype(np.int64), self._axes)
        return self._with_those_of(self._respondents, unknown, self._unit)

    @property
    def unit(self) -> str:
        """Plural noun for the counted units, such as "households"; "people" if it is not known."""
        return self._unit

    def with_unit(self, unit: str) -> FrequencyTable:
        """Return the table with another noun for the counted units, which texts on the table use.

        Tables with equal counts and axes are equal, whatever their units are called.

        Examples
        --------
        >>> table = FrequencyTable([20, 300]).with_unit("households")
        >>> table.unit, table.marginal("Row").unit, table == FrequencyTable([20, 300])
        ('households', 'households', True)
        """
        check_kind("unit", unit, str, "a text")
        if not unit.strip():
            raise InputError('The unit is blank; it must be a noun, such as "households".')
        if unit == self._unit:
            return self
        return self._with_those_of(self._respondents, self._unknown, unit)

    def _with_those_of(
        self, respondents: FrequencyTable | None, unknown: FrequencyTable | None, unit: str
    ) -> FrequencyTable:
        """Return the table with other numbers of respondents, unknown counts and unit."""
        table = FrequencyTable(self._counts, self._axes)
        table._respondents, table._unit = respondents, unit
        table._unknown = unknown if unknown is not None and unknown.total else None
        return table

    def rearranged(
        self, axes: Sequence[Axis], arrange: Callable[[NDArray[np.int64]], NDArray[np.int64]]
    ) -> FrequencyTable:
        """Return a table with other axes, whose counts a function arranges; it keeps respondents and unknown counts.

        Examples
        --------
        >>> table = FrequencyTable([20, 0]).with_unknown([False, True])
        >>> table.rearranged(table.axes, lambda counts: counts[::-1]).unknown
        array([ True, False])
        """
        if not callable(arrange):
            raise wrong("arrange", arrange, "a function of an array of counts")
        respondents, unknown = (
            None if other is None else FrequencyTable(arrange(other.counts), axes)
            for other in (self._respondents, self._unknown)
        )
        table = FrequencyTable(arrange(self._counts), axes)
        return table._with_those_of(respondents, unknown, self._unit)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrequencyTable):
            return NotImplemented
        same = self._axes == other._axes and np.array_equal(self._counts, other._counts)
        return same and (self._respondents, self._unknown) == (other._respondents, other._unknown)

    def __hash__(self) -> int:
        return hash((self._axes, self._counts.tobytes(), self._respondents, self._unknown))

    def __repr__(self) -> str:
        sizes = ", ".join(f"{shortened(axis.name)}: {len(axis)}" for axis in self._axes)
        return f"FrequencyTable({sizes}; total {self._total:,})"

    _repr_html_ = html_table.of_table

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked, (self._counts, self._axes, self._respondents, self._unit, self._unknown)

    def axis(self, name: str) -> int:
        """Return the position of the axis with this name.

        Raises
        ------
        InputError
            If the table has no such axis.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.axis("Sex")
        1
        """
        check_kind("name", name, str, "a text")
        for position, axis in enumerate(self._axes):
            if axis.name == name:
                return position
        names = [axis.name for axis in self._axes]
        raise InputError(f"The table has no axis {quoted(name)}; it has {listed(names)}.")

    def axis_along(self, name: str) -> int:
        """Return the position of an axis by name; "rows" is the first, "columns" the last.

        Examples
        --------
        >>> FrequencyTable([[1, 2]], {"Area": ["a"], "Sex": ["m", "f"]}).axis_along("columns")
        1
        """
        ends = {"rows": 0, "columns": len(self._axes) - 1}
        is_end = isinstance(name, str) and name in ends and name not in [axis.name for axis in self._axes]
        return ends[name] if is_end else self.axis(name)

    def with_counts(self, counts: ArrayLike) -> FrequencyTable:
        """Return a table with the same axes and these counts.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.with_counts([[1, 2], [3, 4]]).total
        10
        """
        table = FrequencyTable(counts, self._axes)
        axes, unknown = _occupied(table), self._unknown
        if unknown is not None:
            is_settled = table.counts != self._counts
            unknown = FrequencyTable(np.where(is_settled, 0, unknown.counts), axes)
        return FrequencyTable(table.counts, axes)._with_those_of(self._respondents, unknown, self._unit)

    def with_count(self, position: int | tuple[int, ...], count: int) -> FrequencyTable:
        """Return a table in which the cell at this position has this count.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.with_count((0, 1), 100).counts[0].tolist()
        [161, 100]
        """
        counts: NDArray[np.generic] = self._counts.copy()
        if count_error(count):
            counts = counts.astype(object)  # keep the invalid count for the constructor's message
        counts[position] = count
        return self.with_counts(counts)

    def margin(self, *names: str) -> pd.Series:
        """Return the counts of a margin as a Series.

        `Release.margin` returns the same type, so that published and original margins can be compared.

        Parameters
        ----------
        *names : str
            Axes of the margin, in this order; the total if empty.

        Returns
        -------
        Series of int
            The index has one level per axis; the index of the total is "Total".

        Raises
        ------
        InputError
            If an axis is unknown or named twice.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.margin("Area").to_dict(), table.margin()["Total"].item()
        ({'1': 302, '2': 199}, 501)
        """
        if not names:
            return labelled_margin(np.array(self.total), ())
        marginal = self.marginal(*names)
        return labelled_margin(marginal.counts, marginal.axes)

    def marginal(self, *names: str) -> FrequencyTable:
        """Return the table of these axes, in this order, summed over all the others.

        Raises
        ------
        InputError
            If no axis is named, one is unknown, or one is named twice.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.marginal("Area").counts.tolist()
        [302, 199]
        """
        positions = [self.axis(name) for name in names]
        if not positions or len(set(positions)) < len(positions):
            raise InputError(
                f"A margin needs one or more different axes; the axes of the table are {self._names()}."
            )
        others = tuple(k for k in range(self.ndim) if k not in positions)
        ordered = np.transpose(self._counts, (*positions, *others))
        counts = ordered.sum(axis=tuple(range(len(positions), self.ndim)))
        respondents = None if self._respondents is None else self._respondents.marginal(*names)
        unknown = None if self._unknown is None else self._unknown.marginal(*names)
        return FrequencyTable(counts, [self._axes[k] for k in positions])._with_those_of(
            respondents, unknown, self._unit
        )

    def slice(
        self, chosen: Mapping[str, str | Sequence[str]] | None = None, /, **more: str | Sequence[str]
    ) -> FrequencyTable:
        """Return the part of the table with the chosen labels.

        One label of an axis removes that axis; a list of labels keeps it with those labels only.

        Raises
        ------
        InputError
            If an axis or a label is unknown, or no axis is left.

        Examples
        --------
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.slice(Area="2").counts
        array([105,  94])
        """
        wanted = {
            name: labels if isinstance(labels, str) else names_of(labels, f"The labels of {quoted(name)}")
            for name, labels in {**(chosen or {}), **more}.items()
        }
        single = {self.axis(name) for name, labels in wanted.items() if isinstance(labels, str)}
        if len(single) == self.ndim:
            raise InputError(
                "A label is selected on every axis, which leaves a single cell. Leave out one axis."
            )
        counts, axes = self._counts, list(self._axes)
        for name, labels in wanted.items():
            k = self.axis(name)
            axes[k] = Axis(name, (labels,) if isinstance(labels, str) else tuple(labels))
            counts = np.take(counts, [self._axes[k].position(label) for label in axes[k]], axis=k)
        # Nobody but the agency knows which categories occur in a part of the table.
        remaining = [Axis(axis.name, axis.labels) for k, axis in enumerate(axes) if k not in single]
        respondents = None if self._respondents is None else self._respondents.slice(wanted)
        unknown = None if self._unknown is None else self._unknown.slice(wanted)
        return FrequencyTable(counts.reshape([len(axis) for axis in remaining]), remaining)._with_those_of(
            respondents, unknown, self._unit
        )

    def rename(self, names: Mapping[str, str] | None = None, /, **more: str) -> FrequencyTable:
        r"""Return the table with other names of its axes.

        Files without names of the columns get names such as Column.

        Parameters
        ----------
        names : mapping of str to str, optional
            New name of each axis to rename, by its present name.
        **more : str
            The same as arguments: ``rename(Column="Sex")``.

        Returns
        -------
        FrequencyTable

        Raises
        ------
        InputError
            If an axis is unknown, or two axes would have the same name.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable.from_csv("Area,Male,Female\nArea 1,161,141\nArea 2,105,94\n")
        >>> table.rename(Column="Sex")
        FrequencyTable(Area: 2, Sex: 2; total 501)
        """
        if names is not None and not isinstance(names, Mapping):
            raise InputError(
                f'The names are {type_with_article(names)}; they must be a mapping, such as {{"Column": "Sex"}}.'
            )
        new_names = [axis.name for axis in self._axes]
        for old, new in {**(names or {}), **more}.items():
            if not isinstance(new, str):
                raise InputError(f"The new name of {quoted(old)} is {described(new)}; it must be text.")
            new_names[self.axis(old)] = new
        axes = [
            Axis(name, axis.labels, axis.observed) for name, axis in zip(new_names, self._axes, strict=True)
        ]
        respondents = None if self._respondents is None else self._respondents.rename(names, **more)
        unknown = None if self._unknown is None else self._unknown.rename(names, **more)
        return FrequencyTable(self._counts, axes)._with_those_of(respondents, unknown, self._unit)

    def to_frame(self) -> pd.DataFrame:
        """Return a DataFrame: the last axis as columns, the others as its index.

        A table of one dimension gives one column, Count.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> table.to_frame().loc["2", "Male"].item()
        105
        """
        import pandas as pd

        if self.ndim == 1:
            index = pd.Index(self._axes[0].labels, name=self._axes[0].name)
            return pd.DataFrame({"Count": self._counts}, index=index)
        *down, across = self._axes
        if len(down) == 1:
            index = pd.Index(down[0].labels, name=down[0].name)
        else:
            index = pd.MultiIndex.from_product(
                [axis.labels for axis in down], names=[axis.name for axis in down]
            )
        columns = pd.Index(across.labels, name=across.name)
        return pd.DataFrame(self._counts.reshape(-1, len(across)), index=index, columns=columns)

    def to_csv(self, path: str | PathLike[str] | None = None, *, escape: bool = True) -> str:
        r"""Return CSV text that `from_csv` can read, and write it to a path if given.

        The last axis is in columns and the others in rows. The corner cell names the axes, as in `Area \
        Religion`; for a table with one axis, nothing follows the backslash. With `escape`, labels that a
        spreadsheet would treat as formulas get an apostrophe, which the reader removes.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> table = FrequencyTable([[161, 141], [105, 94]], {"Area": ["1", "2"], "Sex": ["Male", "Female"]})
        >>> FrequencyTable.from_csv(table.to_csv()) == table
        True
        """
        check_flag("escape", escape)
        check_ending(path, (".csv", ".txt"))
        first = corner([axis.name for axis in self._axes])
        if self.ndim > 1:
            *down, across = self._axes
        else:
            down, across = list(self._axes), Axis("Count", ("Count",))
            first = [f"{first[0]} \\"]
        header = [*first, *across]
        counts = self._counts.reshape(-1, len(across)).tolist()
        rows = ([*labels, *row] for labels, row in zip(itertools.product(*down), counts, strict=True))
        return csv_text(itertools.chain([header], rows), path, escape=escape, quote_texts=True)

    def _names(self) -> str:
        return listed([axis.name for axis in self._axes])


def _unchecked(
    counts: NDArray[np.int64],
    axes: tuple[Axis, ...],
    respondents: FrequencyTable | None,
    unit: str = PEOPLE,
    unknown: FrequencyTable | None = None,
) -> FrequencyTable:
    """Restore a pickled or copied table."""
    return FrequencyTable(counts, axes)._with_those_of(respondents, unknown, unit)


def _occupied(table: FrequencyTable) -> list[Axis]:
    """Return the axes of a table with changed counts; an axis with an empty category was not observed."""
    axes = []
    for k, axis in enumerate(table.axes):
        if axis.observed and not table.counts.any(axis=tuple(j for j in range(table.ndim) if j != k)).all():
            axis = Axis(axis.name, axis.labels)
        axes.append(axis)
    return axes


def _names(value: str | Sequence[str]) -> tuple[str, ...]:
    return names_of(value, "The columns of by")


def _whole(array: NDArray[Any], axes: tuple[Axis, ...]) -> NDArray[np.int64]:
    """Convert an array to int64; raise InputError for the first invalid count."""
    if array.dtype.kind == "f":
        fits = (array >= 0) & (array <= MOST_PEOPLE) & (np.floor(array) == array)
    elif array.dtype.kind in "iu":
        fits = (array >= 0) & (array <= MOST_PEOPLE)
    else:
        fits = np.reshape([count_error(value) is None for value in array.flat], array.shape)
    _refuse(array, axes, fits)
    return array.astype(np.int64)


def _refuse(array: NDArray[np.generic], axes: tuple[Axis, ...], fits: NDArray[np.bool_]) -> None:
    """Raise InputError for the first cell with an invalid count, if there is one."""
    if not fits.all():
        position = np.unravel_index(int(np.argmin(fits)), array.shape)
        labels = [axis.labels[i] for axis, i in zip(axes, position, strict=True)]
        raise InputError(
            f"{cell_name(labels, [axis.name for axis in axes])}: {count_error(array[position])}."
        )


def labelled_margin(values: NDArray[np.number], axes: Sequence[Axis]) -> pd.Series:
    """Return the values of a margin as a Series; whole numbers become integers.

    Parameters
    ----------
    values : ndarray, one dimension per axis
    axes : sequence of Axis
        Axes of the margin; empty for the total.

    Returns
    -------
    Series
    """
    import pandas as pd

    flat = np.atleast_1d(values).ravel()
    if not np.isnan(flat).any() and np.array_equal(flat, np.floor(flat)):
        flat = flat.astype(np.int64)
    if not axes:
        return pd.Series(flat, index=pd.Index(["Total"]), name="count")
    index: pd.Index = pd.Index(axes[0].labels, name=axes[0].name)
    if len(axes) > 1:
        index = pd.MultiIndex.from_product([axis.labels for axis in axes], names=[axis.name for axis in axes])
    return pd.Series(flat, index=index, name="count")


def table_of(counts: object) -> FrequencyTable:
    """Return a frequency table unchanged, and raise InputError for other types."""
    if not isinstance(counts, FrequencyTable):
        if isinstance(getattr(counts, "table", None), FrequencyTable):
            raise InputError(f"The table is {type_with_article(counts)}; pass its attribute table.")
        raise InputError(
            f"The table is {type_with_article(counts)}; use FrequencyTable.from_csv for a file, or "
            "FrequencyTable.from_frame for a DataFrame."
        )
    return counts
