"""Write a release in the layout of its source file: labels and positions of totals, titles and footnotes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.labels import total_label
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.tables.io.writers.copied import (
    omitted_note,
    possible_counts,
    withheld_reason,
    without_enumeration,
)
from sdcwidgets.tables.io.writers.headings import Headings
from sdcwidgets.tables.io.writers.positions import Placement, Position

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Whole
    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable

#: Maximum number and length of the texts around a table that a state keeps.
MOST_TEXTS, LONGEST_TEXT = 60, 1_000


class Withheld(NamedTuple):
    """Line of a file that a release does not repeat.

    Attributes
    ----------
    line : str
        The line.
    numbers : tuple of int
        Its numbers that can be counts.
    hidden : tuple of int
        Those of them that equal an original count that the release does not show.
    """

    line: str
    numbers: tuple[int, ...]
    hidden: tuple[int, ...] = ()

    @property
    def reason(self) -> str:
        """Why the line is withheld."""
        return withheld_reason(self.numbers, self.hidden)


@dataclass(frozen=True)
class AsRead:
    """Layout of a table in its file, and the lines of text around the table.

    A line can contain a count. Therefore, a release does not repeat lines with numbers, except years, dates, ranges,
    and the numbers of tables and notes. `withheld` returns these lines, and `with_text` puts one of them back.

    Attributes
    ----------
    corner : str
        Text of the cell to the left of the labels of the columns.
    rows, columns : tuple of str
        The labels in their order, including the label of the total; empty if the layout is not a simple one.
    total_row, total_column : str
        Labels of the totals; "" if there is no total.
    above, below : tuple of str
        Lines of text before and after the table, such as its title, its source and footnotes.
    headings : Headings, optional
        Headings of a table that does not have two axes.
    sums : tuple of int
        Numbers of the lines that equal a number of the file that is no count of the table, for example a sub-total.
    edits : tuple of (str, str)
        Lines with the texts that a user publishes in their place; "" omits a line.
    omitted : tuple of str
        Labels of the file that are no categories of the table and no sums of its categories. A note names them.
    position : Position, optional
        Cells of the table and of the lines in the file. Without it, a table begins in the first column.
    table : FrequencyTable, optional
        The original counts. Without them, all lines are published.
    """

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    total_row: str = ""
    total_column: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    headings: Headings | None = None
    sums: tuple[int, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()
    omitted: tuple[str, ...] = ()
    position: Position | None = None
    table: FrequencyTable | None = field(default=None, compare=False, repr=False)

    def to_state(self) -> dict[str, object]:
        """Return plain values: texts, and the name and position of each total; {} if there are too many texts.

        Examples
        --------
        >>> layout = AsRead("Area", ("All", "A", "B"), ("f", "m"), "All", above=("Sex by area",))
        >>> layout.to_state()
        {'corner': 'Area', 'row': ['All', 0], 'column': ['', -1], 'above': ['Sex by area'], 'below': []}
        """
        texts = (self.corner, *self.above, *self.below)
        if len(texts) > MOST_TEXTS or max(map(len, texts)) > LONGEST_TEXT:
            return {}
        row, column = (
            [total, labels.index(total) if total else -1]
            for total, labels in ((self.total_row, self.rows), (self.total_column, self.columns))
        )
        saved: dict[str, object] = {
            "corner": self.corner,
            "row": row,
            "column": column,
            "above": list(self.above),
            "below": list(self.below),
        }
        if not self.rows:
            saved["simple"] = False
        if self.headings is not None:
            saved["headings"] = self.headings.to_state()
        if self.sums:
            saved["sums"] = list(self.sums)
        if self.omitted:
            saved["omitted"] = [label[:LONGEST_TEXT] for label in self.omitted[:MOST_TEXTS]]
        if self.position is not None and self.position.is_repeated:
            saved["position"] = self.position.to_state()
        return saved

    @classmethod
    def from_state(cls, saved: Mapping[str, Any], table: FrequencyTable) -> Self:
        """Return the layout of a table.

        Examples
        --------
        >>> from sdcwidgets.tables.table import FrequencyTable
        >>> layout = AsRead("Area", ("All", "A", "B"), ("f", "m"), "All", above=("Sex by area",))
        >>> table = FrequencyTable([[1, 2], [3, 4]], {"Area": ("A", "B"), "Sex": ("f", "m")})
        >>> AsRead.from_state(layout.to_state(), table) == layout
        True
        """
        above, below = (
            tuple(str(text)[:LONGEST_TEXT] for text in saved[name][:MOST_TEXTS])
            for name in ("above", "below")
        )
        (total_row, at_row), (total_column, at_column) = saved["row"], saved["column"]
        rows, columns = list[str](), list[str]()
        if saved.get("simple", True) and table.ndim == 2:
            rows, columns = list(table.axes[0]), list(table.axes[1])
        if total_row:
            rows.insert(int(at_row), str(total_row))
        if total_column:
            columns.insert(int(at_column), str(total_column))
        return cls(
            str(saved["corner"])[:LONGEST_TEXT],
            tuple(rows),
            tuple(columns),
            str(total_row),
            str(total_column),
            above,
            below,
            headings=Headings.from_state(saved["headings"]) if saved.get("headings") else None,
            sums=tuple(map(int, saved.get("sums", ()))),
            omitted=tuple(str(label)[:LONGEST_TEXT] for label in saved.get("omitted", ())[:MOST_TEXTS]),
            position=Position.from_state(saved["position"]) if saved.get("position") else None,
            table=table,
        )

    def with_text(self, line: str, text: str) -> Self:
        """Return the layout with another text in place of a line; the line itself puts back a withheld line.

        Examples
        --------
        >>> AsRead("", (), (), above=("Of 7 people",)).with_text("Of 7 people", "Of all people").texts(None)
        (('Of all people',), ())
        """
        others = tuple(pair for pair in self.edits if pair[0] != line)
        return replace(self, edits=(*others, (line, text)))

    def with_omitted(self, labels: Iterable[str]) -> Self:
        """Return the layout with further labels of the file that are not in the table.

        Examples
        --------
        >>> AsRead("", (), ()).with_omitted(["Bremen", "Hamburg"]).texts(None)
        ((), ('Not in this table: Bremen, Hamburg.',))
        """
        return replace(self, omitted=tuple(dict.fromkeys((*self.omitted, *labels))))

    def withheld(self, release: Release | None) -> list[Withheld]:
        """Return the lines that are not published with a release, because they have a number that can be a count.

        Which lines are withheld does not depend on the counts, except for a year that equals a count that the release
        does not show. A release from which data users know all counts repeats all lines.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[1, 20], [30, 40]])
        >>> layout = AsRead("", (), (), above=("Persons aged 16 to 64",), below=("One person left.",), table=table)
        >>> release = protect(table, "conventional-rounding", base=10)
        >>> layout.withheld(release)
        [Withheld(line='One person left.', numbers=(1,), hidden=(1,))]
        """
        if not any(map(any, self._possible_counts.values())):
            return []
        edited = {line for line, _ in self.edits}
        hidden, is_unchanged = self._hidden(release), self._is_unchanged(release)
        result = []
        for line, (numbers, years) in self._possible_counts.items():
            hidden_counts = (numbers | years) & hidden
            reported = hidden_counts if is_unchanged else numbers | hidden_counts
            if reported and line not in edited:
                result.append(Withheld(line, tuple(sorted(reported)), tuple(sorted(hidden_counts))))
        return result

    def texts(self, release: Release | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the published lines above and below the table, with a note on categories that are not in it."""
        above, below = self._published_lines(release)
        note = self._omitted_note(release)
        return tuple(filter(None, above)), tuple(filter(None, [*below, note]))

    def _published_lines(self, release: Release | None) -> tuple[list[str], list[str]]:
        """Return the text that is published for each line above and below the table, "" for an omitted line."""
        edits = {line: line for line in (*self.above, *self.below)} | dict(self.edits)
        edits |= {withheld.line: "" for withheld in self.withheld(release)}
        return [edits[line] for line in self.above], [edits[line] for line in self.below]

    def _omitted_note(self, release: Release | None) -> str:
        """Return the note on categories of the file that are not in the table, "" if there is none."""
        own = {self.total_row, self.total_column}
        own |= set() if release is None else {total_label(axis.labels) for axis in release.axes}
        return omitted_note([label for label in self.omitted if label not in own])

    def placement(
        self,
        release: Release,
        *,
        titles: Sequence[str] = (),
        notes: Sequence[str] = (),
        blank_rows: int = 0,
    ) -> Placement:
        """Return the cells in which a release is written: those of the file, as far as they are known.

        Parameters
        ----------
        release : Release
        titles : sequence of str
            Titles if no line above the table is published. The first one replaces a title that is withheld.
        notes : sequence of str
            Notes after those of the file.
        blank_rows : int
            Number of blank rows below the titles if the file has too few rows above the table.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> from sdcwidgets.tables.table import FrequencyTable
        >>> release = Release.of(FrequencyTable([[3, 6]], {"Area": ["A"], "Sex": ["f", "m"]}))
        >>> layout = AsRead("Area", ("A",), ("f", "m"), position=Position(2, 2))
        >>> layout.placement(release, titles=["Sex by area"])
        Placement(row=2, column=2, above=(PlacedText(row=1, column=2, text='Sex by area'),), below=())
        """
        above, below = self._published_lines(release)
        if titles and (not any(above) or not above[0]):
            above = [titles[0], *above[1:]] if any(above) else list(titles)
        note = self._omitted_note(release)
        further = [text for text in (note, *notes) if text]
        if self.position is None or not self.position.is_repeated:
            return Placement.compact(
                filter(None, above), [*filter(None, below), *further], blank_rows=blank_rows
            )
        return self.position.placement(above, below, further, blank_rows=blank_rows)

    def title(self, release: Release | None) -> str:
        """Return the first line above the table as it is published, "" if it is withheld or there is none."""
        first = self.above[:1]
        return "".join(replace(self, above=first, below=(), position=None).texts(release)[0])

    @cached_property
    def _possible_counts(self) -> dict[str, tuple[set[int], set[int]]]:
        """Numbers of each line that can be counts, and its years."""
        lines = [*self.above, *self.below]
        texts = without_enumeration(lines)
        return {line: possible_counts(text) for line, text in zip(lines, texts, strict=True)}

    @cached_property
    def _equal_counts(self) -> dict[MarginAxes, tuple[Flags, Whole]]:
        """Mask and values of the original counts that equal a number of a line."""
        if self.table is None:
            return {}
        numbers = sorted(set().union(*itertools.chain(*self._possible_counts.values())))
        if not numbers:
            return {}
        masks = {
            margin: (np.isin(counts, numbers), counts)
            for margin, counts in margins(self.table.counts).items()
        }
        return {margin: (mask, counts[mask]) for margin, (mask, counts) in masks.items() if mask.any()}

    def _hidden(self, release: Release | None) -> set[int]:
        """Return the numbers that equal an original count that the release does not show."""
        hidden = set(self.sums)
        for margin, (mask, counts) in self._equal_counts.items():
            is_hidden = np.ones(len(counts), dtype=bool)
            if release is not None and self._is_comparable(release, margin):
                is_hidden = release.values[margin][mask] != counts
            hidden.update(counts[is_hidden].tolist())
        return hidden

    def _is_unchanged(self, release: Release | None) -> bool:
        """Return whether data users know all counts of the table exactly.

        Equal values are not enough: if rounding happened to change nothing, a line that stays would disclose it.
        """
        if self.table is None:
            return True
        if release is None:
            return False
        known = release.published()
        return all(
            self._is_comparable(release, margin) and margin in known and not np.isnan(known[margin]).any()
            for margin in margins(self.table.counts)
        )

    def _is_comparable(self, release: Release, margin: MarginAxes) -> bool:
        """Return whether a release has the counts of a margin in the order of the table."""
        if self.table is None or release.ndim != self.table.ndim or margin not in release.values:
            return False
        return all(release.axes[k].labels == self.table.axes[k].labels for k in margin)

    def _free_texts(self, axes: Sequence[Axis]) -> list[str]:
        """Return the texts of the headings that are no categories."""
        if self.headings is not None:
            return self.headings.free_texts(axes)
        return [self.corner, self.total_row, self.total_column]

    def _replaced_labels(self, release: Release) -> dict[str, str]:
        """Return a text for each heading with a number that can be a count, unless the release shows all counts."""
        if self._is_unchanged(release):
            return {}
        texts = [text for text in self._free_texts(release.axes) if possible_counts(text)[0]]
        totals = {self.total_row, self.total_column}
        labels = [label for axis in release.axes for label in axis.labels]
        is_lines = self.headings is not None
        return {text: total_label(labels) if is_lines or text in totals else "" for text in texts if text}

    def fits(self, release: Release) -> bool:
        """Return whether a release has the labels of this layout, and a value for each of its totals.

        Totals of the release that the file did not have are not published.
        """
        if self.headings is not None:
            return self.headings.fits(release)
        if release.ndim != 2 or not self.rows:
            return False
        for axis, labels, total in (
            (release.axes[0], self.rows, self.total_row),
            (release.axes[1], self.columns, self.total_column),
        ):
            if [label for label in labels if label != total or not total] != list(axis.labels):
                return False
        return self.margins(release) <= set(release.values)

    def has_totals(self, release: Release) -> bool:
        """Return whether the table of a release that fits has totals."""
        return any(len(margin) < release.ndim for margin in self.margins(release))

    def margins(self, release: Release) -> set[MarginAxes]:
        """Return the sets of axes whose values the table of a release that fits contains.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> from sdcwidgets.tables.table import FrequencyTable
        >>> release = Release.of(FrequencyTable([[3, 6]], {"Area": ["A"], "Sex": ["f", "m"]}))
        >>> sorted(AsRead("Area", ("A",), ("Both", "f", "m"), "", "Both").margins(release))
        [(0,), (0, 1)]
        """
        if self.headings is not None:
            return {margin for _, _, (margin, _) in self.headings.cells(release.axes)}
        margins: set[MarginAxes] = {(0, 1)}
        if self.total_row:
            margins.add((1,))
        if self.total_column:
            margins.add((0,))
        if self.total_row and self.total_column:
            margins.add(())
        return margins

    @property
    def heading_lines(self) -> int:
        """Number of lines with labels of columns."""
        return 1 if self.headings is None else len(self.headings.corners)

    @property
    def label_columns(self) -> int:
        """Number of columns with labels of rows."""
        return 1 if self.headings is None else len(self.headings.down)

    def lines(self, release: Release) -> Iterator[list[str | float]]:
        """Yield the header and the rows of a release that fits, with the symbols of its suppressed cells."""
        replaced = self._replaced_labels(release)
        if self.headings is not None:
            yield from self.headings.lines(release, replaced)
            return
        yield [replaced.get(text, text) for text in (self.corner, *self.columns)]
        down, across = release.axes
        for label in self.rows:
            line: list[str | float] = [replaced.get(label, label)]
            for name in self.columns:
                i = None if label == self.total_row else down.position(label)
                j = None if name == self.total_column else across.position(name)
                margin = tuple(k for k, at in enumerate((i, j)) if at is not None)
                index = tuple(at for at in (i, j) if at is not None)
                symbol = str(release.symbols[margin][index])
                value = float(release.values[margin][index])
                line.append(symbol or (int(value) if value.is_integer() else value))
            yield line

    def csv(self, release: Release, *, escape: bool = True) -> str:
        """Return a release that fits as CSV text, with the lines around the table in its file and the notes.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> from sdcwidgets.tables.table import FrequencyTable
        >>> release = Release.of(FrequencyTable([[3, 6]], {"Area": ["A"], "Sex": ["f", "m"]}))
        >>> layout = AsRead("Area", ("A",), ("Both", "f", "m"), "", "Both", ("Sex by area",), ("Source: us",))
        >>> print(layout.csv(release), end="")
        Sex by area
        Area,Both,f,m
        A,9,3,6
        <BLANKLINE>
        Source: us
        """
        return self.around(self.lines(release), release, escape=escape)

    def around(
        self, table: Iterator[list[Any]], release: Release, *, notes: Sequence[str] = (), escape: bool = True
    ) -> str:
        """Return lines of a table as CSV text, with the lines around the table in its file and the notes."""
        placement = self.placement(release, notes=notes or release.notes)
        return csv_text(placement.lines(table), escape=escape)
