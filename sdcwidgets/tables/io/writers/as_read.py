"""Write a release in the layout of its source file: labels and positions of totals, titles and footnotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from sdcwidgets._util.csv_writing import csv_text

if TYPE_CHECKING:
    from sdcwidgets.tables.axis import Axis
    from sdcwidgets.tables.release import Release

#: Maximum number and length of the texts around a table that a state keeps.
MOST_TEXTS, LONGEST_TEXT = 40, 500


@dataclass(frozen=True)
class AsRead:
    """Layout of a table in its file, without any count; with three or more axes, only the lines around the table.

    Attributes
    ----------
    corner : str
        Text of the cell to the left of the labels of the columns.
    rows, columns : tuple of str
        The labels in their order, including the label of the total.
    total_row, total_column : str
        Labels of the totals; "" if there is no total.
    above, below : tuple of str
        Lines of text before and after the table, such as its title, its source and footnotes.
    """

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    total_row: str = ""
    total_column: str = ""
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

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
        return {
            "corner": self.corner,
            "row": row,
            "column": column,
            "above": list(self.above),
            "below": list(self.below),
        }

    @classmethod
    def from_state(cls, saved: Mapping[str, Any], axes: Sequence[Axis]) -> Self:
        """Return the layout of a table with these two axes.

        Examples
        --------
        >>> from sdcwidgets.tables.axis import Axis
        >>> layout = AsRead("Area", ("All", "A", "B"), ("f", "m"), "All", above=("Sex by area",))
        >>> axes = Axis("Area", ("A", "B")), Axis("Sex", ("f", "m"))
        >>> AsRead.from_state(layout.to_state(), axes) == layout
        True
        """
        above, below = (
            tuple(str(text)[:LONGEST_TEXT] for text in saved[name][:MOST_TEXTS])
            for name in ("above", "below")
        )
        (total_row, at_row), (total_column, at_column) = saved["row"], saved["column"]
        rows, columns = list(axes[0]), list(axes[1])
        if total_row:
            rows.insert(int(at_row), str(total_row))
        if total_column:
            columns.insert(int(at_column), str(total_column))
        corner = str(saved["corner"])[:LONGEST_TEXT]
        return cls(corner, tuple(rows), tuple(columns), str(total_row), str(total_column), above, below)

    def fits(self, release: Release) -> bool:
        """Return whether a release can be written in this layout without omitting published values.

        The release must have the same labels, and a value for each total of the layout. If the totals of the release do
        not follow from its cells, the layout must have both totals.
        """
        if release.ndim != 2 or not (release.plain or (self.total_row and self.total_column)):
            return False
        for axis, labels, total in (
            (release.axes[0], self.rows, self.total_row),
            (release.axes[1], self.columns, self.total_column),
        ):
            if [label for label in labels if label != total or not total] != list(axis.labels):
                return False
        wanted: set[tuple[int, ...]] = {(0, 1)}
        if self.total_row:
            wanted.add((1,))
        if self.total_column:
            wanted.add((0,))
        if self.total_row and self.total_column:
            wanted.add(())
        return wanted <= set(release.values)

    def lines(self, release: Release) -> Iterator[list[str | float]]:
        """Yield the header and the rows of a release that fits, with the symbols of its suppressed cells."""
        yield [self.corner, *self.columns]
        down, across = release.axes
        for label in self.rows:
            line: list[str | float] = [label]
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
        notes = [*self.below, *release.notes]
        tail = [[], *([note] for note in notes)] if notes else []
        return csv_text([*([line] for line in self.above), *self.lines(release), *tail], escape=escape)
