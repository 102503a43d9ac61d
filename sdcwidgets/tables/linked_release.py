"""Release of a table with sub-totals, or of linked tables: published entries, their intervals, and output files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util import html_table
from sdcwidgets._util.arguments import check_flag, check_kind
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending, put, put_too
from sdcwidgets._util.labels import listed, number_text, quoted
from sdcwidgets._util.values import Value
from sdcwidgets.tables.io.writers.argus import apriori_text
from sdcwidgets.tables.io.writers.copied import copied_text_caution
from sdcwidgets.tables.io.writers.workbook import below, linked_workbook

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets._util.arrays import Flags, Floats, Whole
    from sdcwidgets.methods import Method

#: Symbol of a suppressed entry according to the Government Statistical Service.
CONFIDENTIAL = "c"


@dataclass(frozen=True, eq=False, repr=False)
class LinkedRelease(Value):
    """Published entries of a table with sub-totals, or of linked tables of the same people.

    `protect` returns this type for `hierarchies` and `tables`. An entry is a cell, a sub-total or a total. Files for
    data users do not contain `cautions` and `secondary`, which are internal.

    Attributes
    ----------
    names : tuple of str
        Names of the axes.
    labels : tuple of tuple of str
        Labels of each axis, then its sub-totals and its total.
    positions : ndarray of int, shape (entries, axes)
        Position of each entry in the labels of each axis.
    values : ndarray of float, shape (entries,)
        Published counts, nan if suppressed.
    lower, upper : ndarray of float, shape (entries,)
        Smallest and largest possible original count, by all published entries together.
    notes : tuple of str
        Footnotes, as sentences.
    cautions : tuple of str
        Warnings to read before publication. They are not published.
    method : Method, optional
        Method and settings that made the release, if they are known. `to_excel` writes those that are meant for
        publication.
    secondary : ndarray of bool, shape (entries,), optional
        Entries that are suppressed to protect other entries; the other suppressed entries are primary. Do not publish
        them.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, protect
    >>> counts = [[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]]
    >>> table = FrequencyTable(counts, {"Area": "abcd", "Age": "xyz"})
    >>> sides = {"a": "north", "b": "north", "c": "south", "d": "south"}
    >>> release = protect(table, "cell-suppression", hierarchies={"Area": sides}, seed=3**60)
    >>> release
    LinkedRelease(Area: 7, Age: 4; 28 cells and totals, 4 suppressed)
    >>> release.margin("Area").to_dict()
    {'a': 18, 'b': 32, 'c': 41, 'd': 24, 'north': 50, 'south': 65}
    """

    names: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    positions: Whole
    values: Floats
    lower: Floats
    upper: Floats
    notes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = field(default=(), compare=False)
    method: Method | None = field(default=None, compare=False)
    secondary: Flags | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.values)

    def cautions_on_files(self, *, title: str = "", source: str = "") -> tuple[str, ...]:
        """Return `cautions`, and a caution that lists the texts that files copy from the input.

        Titles and labels are copied, and each of them can contain a count.

        Parameters
        ----------
        title : str
            Title of the table, if the files contain it.
        source : str
            Source of the data, if the files contain it.

        Returns
        -------
        tuple of str
        """
        check_kind("title", title, str, "a text")
        check_kind("source", source, str, "a text")
        labels = [text for labels in self.labels for text in labels]
        caution = copied_text_caution([title, source], [], [*self.names, *labels])
        return (*self.cautions, caution) if caution else self.cautions

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.names)

    @property
    def suppressed(self) -> Flags:
        """Mask of the suppressed entries."""
        return np.isnan(self.values)

    @cached_property
    def _entry_labels(self) -> list[tuple[str, ...]]:
        """The labels of each entry."""
        return [
            tuple([labels[k] for labels, k in zip(self.labels, position, strict=True)])
            for position in self.positions.tolist()
        ]

    def margin(self, *names: str) -> pd.Series:
        """Return the published values of one of the tables, with its sub-totals, as a Series.

        Parameters
        ----------
        *names : str
            Axes of the table, in this order; the total if empty.

        Returns
        -------
        Series
            Values, nan if suppressed. The index has one level per axis; the index of the total is "Total".

        Raises
        ------
        InputError
            If an axis is unknown or named twice, or no published table has these axes.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.margin("Age").to_dict()
        {'x': 11, 'y': 29}
        """
        import pandas as pd

        axes = [self._axis(name) for name in names]
        if len(set(axes)) < len(axes):
            raise InputError(
                f"A margin needs different axes; the axes of the release are {listed(self.names)}."
            )
        last = np.array([len(labels) - 1 for labels in self.labels])
        is_total = self.positions == last
        is_named = np.isin(np.arange(self.ndim), axes)
        entries = np.flatnonzero((is_total != is_named).all(axis=1))
        if not len(entries):
            raise InputError(
                f"The release has no table of {listed(names)}; name axes of one of its published tables."
            )
        entries = (
            entries[np.lexsort([self.positions[entries, k] for k in reversed(axes)])] if axes else entries
        )
        values = self.values[entries]
        if not np.isnan(values).any():
            values = values.astype(np.int64)
        if not axes:
            return pd.Series(values, index=pd.Index(["Total"]), name="count")
        rows = [tuple([self._entry_labels[entry][k] for k in axes]) for entry in entries.tolist()]
        if len(axes) == 1:
            index = pd.Index([row[0] for row in rows], name=names[0])
            return pd.Series(values, index=index, name="count")
        return pd.Series(values, index=pd.MultiIndex.from_tuples(rows, names=names), name="count")

    def part(self, *names: str) -> LinkedRelease:
        """Return one of the published tables with its sub-totals and totals, for example to write one file per table.

        Parameters
        ----------
        *names : str
            Axes of the table.

        Returns
        -------
        LinkedRelease
            The entries of this table. The bounds follow from all published tables together.

        Raises
        ------
        InputError
            If an axis is unknown or named twice, or no published table has these axes.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.part("Age").to_csv().splitlines()[:4]
        ['Age,count', 'x,11', 'y,29', 'Total,40']
        """
        if not names:
            raise InputError(
                f"The argument names is empty; name axes of a published table, {listed(self.names)}."
            )
        self.margin(*names)  # raises InputError if there is no such table
        axes = [self._axis(name) for name in names]
        others = [k for k in range(self.ndim) if k not in axes]
        last = np.array([len(labels) - 1 for labels in self.labels])
        entries = np.flatnonzero((self.positions[:, others] == last[others]).all(axis=1))
        entries = entries[np.lexsort([self.positions[entries, k] for k in reversed(axes)])]
        return replace(
            self,
            names=names,
            labels=tuple(self.labels[k] for k in axes),
            positions=self.positions[entries][:, axes],
            values=self.values[entries],
            lower=self.lower[entries],
            upper=self.upper[entries],
            secondary=None if self.secondary is None else self.secondary[entries],
        )

    def _axis(self, name: str) -> int:
        """Return the position of the axis with this name."""
        check_kind("name", name, str, "the name of an axis")
        if name not in self.names:
            raise InputError(f"The release has no axis {quoted(name)}; it has {listed(self.names)}.")
        return self.names.index(name)

    def intervals(self) -> pd.DataFrame:
        """Return the interval of each entry that follows from all published entries.

        Returns
        -------
        DataFrame
            One row per entry: its label on each axis, the `published` value (nan if suppressed), and `lower` and
            `upper`, the smallest and the largest possible original count.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.intervals().columns.tolist()
        ['Area', 'Age', 'published', 'lower', 'upper']
        """
        import pandas as pd

        labels = pd.MultiIndex.from_tuples(self._entry_labels, names=self.names)
        values = pd.DataFrame({"published": self.values, "lower": self.lower, "upper": self.upper})
        return pd.concat([labels.to_frame(index=False, allow_duplicates=True), values], axis=1)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per entry: labels, value, bounds and symbol, as `Release.to_frame` does.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.to_frame().shape
        (5, 6)
        """
        symbols = np.where(self.suppressed, CONFIDENTIAL, "")
        return self.intervals().rename(columns={"published": "value"}).assign(symbol=symbols)

    def suppression(self) -> pd.DataFrame:
        """Return one row per entry with its kind of suppression, for internal use.

        Returns
        -------
        DataFrame
            As for `Release.suppression`.

        Raises
        ------
        InputError
            If the release states no primary and secondary entries.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [2, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.suppression().columns.tolist()
        ['Area', 'Age', 'status']
        """
        if self.secondary is None:
            raise InputError("The release states no primary and secondary cells; make it with protect.")
        kinds = np.where(self.secondary, "secondary", np.where(self.suppressed, "primary", ""))
        return self.intervals()[list(self.names)].assign(status=kinds)

    def to_hst(self, path: str | PathLike[str] | None = None, *, separator: str = ",") -> str:
        """Return an internal a priori file of τ-ARGUS with the suppressed entries; see `Release.to_hst`.

        Parameters
        ----------
        path : str or path, optional
            File that ends in .hst and has "internal" in its name.
        separator : str
            Separator of the codes, one character.

        Returns
        -------
        str

        Raises
        ------
        InputError
            If a label contains the separator, or the name of the file does not contain "internal".

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60).to_hst()
        ''
        """
        totals = [labels[-1] for labels in self.labels]
        return apriori_text(self._entry_labels, self.suppression()["status"], totals, path, separator)

    def lines(self) -> Iterator[list[str | float]]:
        """Yield a header and one row per entry: its labels, and its count or the symbol of a suppressed entry.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> list(release.lines())[1]
        ['a', 'Total', 13]
        """
        yield [*self.names, "count"]
        for labels, value in zip(self._entry_labels, self.values.tolist(), strict=True):
            yield [*labels, CONFIDENTIAL if value != value else int(value)]

    def to_csv(self, path: str | PathLike[str] | None = None, *, escape: bool = True) -> str:
        """Return the entries and the notes as CSV text, and write it to a path if given.

        With `escape`, labels that a spreadsheet would treat as formulas get an apostrophe.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> release.to_csv().splitlines()[:2]
        ['Area,Age,count', 'a,Total,13']
        """
        check_flag("escape", escape)
        check_ending(path, (".csv", ".txt"))
        return put_too(csv_text([*self.lines(), *below(self.notes)], escape=escape), path)

    def to_excel(
        self,
        path: str | PathLike[str],
        *,
        title: str = "Table",
        source: str = "",
        method: Method | None = None,
    ) -> None:
        """Write a workbook: the entries with their notes, and a sheet on the method.

        Parameters
        ----------
        path : str or path
        title : str
            Title of the table.
        source : str
            Source of the data.
        method : Method, optional
            Method whose public settings are written; default: the method of the release, if it is known.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[4, 9], [7, 20]], {"Area": "ab", "Age": "xy"})
        >>> release = protect(table, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     release.to_excel(Path(folder) / "linked.xlsx")
        ...     (Path(folder) / "linked.xlsx").exists()
        True
        """
        check_ending(path, (".xlsx",))
        method = self.method if method is None else method
        put(linked_workbook(self, title, source, method=method), path)

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{name}: {len(labels)}" for name, labels in zip(self.names, self.labels, strict=True)
        )
        return f"LinkedRelease({sizes}; {len(self):,} cells and totals, {int(self.suppressed.sum()):,} suppressed)"

    def _repr_html_(self) -> str:
        head, *lines = self.lines()
        rows = [
            (
                [str(label) for label in line[: self.ndim]],
                [
                    html_table.Cell(value, "not published")
                    if isinstance(value, str)
                    else html_table.Cell(number_text(value))
                    for value in line[self.ndim :]
                ],
            )
            for line in lines[: html_table.MOST_ROWS]
        ]
        more = len(lines) - html_table.MOST_ROWS
        notes: Sequence[str] = [f"{more:,} more rows."] if more > 0 else []
        return html_table.of_lines(repr(self), [str(name) for name in head], rows, [*notes, *self.notes])
