"""Arrange the axes of a multi-way table: as rows, as columns, or as a slice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

G = TypeVar("G", bound=np.generic)

#: Maximum number of characters of crossed labels. Above it, labels of the first axes are selected.
LONGEST_LABELS = 2_000_000


@dataclass(frozen=True)
class Arrangement:
    """Arrangement of the axes of a table as rows, columns and slice.

    Several row axes are crossed, so that each combination of their labels is a row; column axes likewise. The
    table is not changed.

    Attributes
    ----------
    down, across : tuple of str
        Names of the row axes and of the column axes, the slowest first. Both are non-empty if the table has
        two axes or more.
    chosen : tuple of (axis, label)
        Axes of which one label is selected.

    Examples
    --------
    >>> table = FrequencyTable(np.arange(12).reshape(2, 3, 2), {"Area": "ab", "Age": "012", "Sex": "mf"})
    >>> Arrangement.usual(table)
    Arrangement(down=('Area', 'Age'), across=('Sex',), chosen=())
    >>> Arrangement.usual(table).seen(table)
    FrequencyTable(Area × Age: 6, Sex: 2; total 66)
    >>> part = Arrangement.usual(table).placed("Area", "b")
    >>> part.seen(table).counts.tolist(), part.words
    ([[6, 7], [8, 9], [10, 11]], 'Area "b"')
    """

    down: tuple[str, ...]
    across: tuple[str, ...]
    chosen: tuple[tuple[str, str], ...] = ()

    @classmethod
    def usual(cls, table: FrequencyTable) -> Self:
        """Return the default arrangement: the last axis as columns, the others as rows.

        If there are too many rows, a label of the first axes is selected.
        """
        names = [axis.name for axis in table.axes]
        arrangement = cls(tuple(names[:-1]), tuple(names[-1:]))
        for axis in table.axes[:-2]:
            if arrangement._letters(table) <= LONGEST_LABELS:
                break
            arrangement = cls(
                arrangement.down[1:], arrangement.across, (*arrangement.chosen, (axis.name, axis.labels[0]))
            )
        return arrangement

    def fits(self, table: FrequencyTable) -> bool:
        """Return whether the arrangement uses each axis once and all its labels exist."""
        placed = [*self.down, *self.across, *(name for name, _ in self.chosen)]
        axes = {axis.name: axis for axis in table.axes}
        return (
            sorted(placed) == sorted(axes)
            and all(label in axes[name].labels for name, label in self.chosen)
            and (table.ndim < 2 or bool(self.down and self.across))
            and self._letters(table) <= LONGEST_LABELS
        )

    def _letters(self, table: FrequencyTable) -> float:
        """Return the approximate number of characters of all row and column labels."""
        axes = {axis.name: axis for axis in table.axes}
        total = 0.0
        for names in (self.down, self.across):
            number = math.prod([len(axes[name]) for name in names])
            total += sum([number / len(axes[name]) * sum(map(len, axes[name])) for name in names])
        return total if len(self.down) + len(self.across) > 2 else 0.0

    @property
    def words(self) -> str:
        """Description of the selected slice, "" for the whole table."""
        return ", ".join(f"{name} {quoted(label)}" for name, label in self.chosen)

    def place_of(self, name: str) -> str:
        """Return the position of an axis: "down", "across" or "chosen"."""
        if name in self.down:
            return "down"
        return "across" if name in self.across else "chosen"

    def placed(self, name: str, where: str) -> Self:
        """Return the arrangement with one axis moved to "down" or "across", or sliced.

        If `where` is neither "down" nor "across", it is the label to select.
        """
        down = tuple(axis for axis in self.down if axis != name)
        across = tuple(axis for axis in self.across if axis != name)
        chosen = tuple(pair for pair in self.chosen if pair[0] != name)
        if where == "down":
            down = (*down, name)
        elif where == "across":
            across = (*across, name)
        else:
            chosen = (*chosen, (name, where))
        if not down or not across:
            raise InputError(
                "A table needs at least one row axis and one column axis. Move another axis first."
            )
        return replace(self, down=down, across=across, chosen=chosen)

    def positions(self, table: FrequencyTable) -> NDArray[np.intp]:
        """Return the flat index of the cell in each row and column."""
        cells = np.arange(table.cells).reshape(table.shape)
        order = [*(table.axis(name) for name in self.down), *(table.axis(name) for name in self.across)]
        chosen = [table.axis(name) for name, _ in self.chosen]
        cells = cells.transpose([*chosen, *order])
        for name, label in self.chosen:
            cells = cells[table.axes[table.axis(name)].position(label)]
        rows = math.prod(cells.shape[: len(self.down)])
        return cells.reshape(rows, -1)

    def seen(self, table: FrequencyTable) -> FrequencyTable:
        """Return the arranged table with two axes."""
        if table.ndim == 2 and self.down == (table.axes[0].name,) and not self.chosen:
            return table
        rows, columns = (self._crossed(table, names) for names in (self.down, self.across))
        positions = self.positions(table)
        return table.rearranged([rows, columns], lambda counts: counts.ravel()[positions])

    def unfolded(self, table: FrequencyTable) -> FrequencyTable:
        """Return the displayed part of a table with all its axes, row axes first.

        Examples
        --------
        >>> table = FrequencyTable(np.arange(12).reshape(2, 3, 2), {"Area": "ab", "Age": "012", "Sex": "mf"})
        >>> Arrangement(("Sex",), ("Area", "Age")).unfolded(table)
        FrequencyTable(Sex: 2, Area: 2, Age: 3; total 66)
        """
        part = table.slice(dict(self.chosen)) if self.chosen else table
        return part if self.seen(table) is table else part.marginal(*self.down, *self.across)

    def released(self, release: Release) -> Release:
        """Return the arranged release with two axes and its published margins.

        Margins belong to the displayed rows and columns, within the selected labels. An axis whose categories are all
        merged is not crossed with other axes.
        """
        if release.ndim == 2 and self.down == (release.axes[0].name,) and not self.chosen:
            return release
        like = FrequencyTable(np.ones([len(axis) for axis in release.axes], dtype=np.int64), release.axes)
        here = self if self.fits(like) else Arrangement.usual(like)  # the release may have fewer categories
        here = here._without(release.removed_axes, like)
        places, cells = here.positions(like), tuple(range(release.ndim))

        def lie(array: NDArray[G], margin: tuple[int, ...], names: Sequence[str]) -> NDArray[G]:
            order = [*(name for name, _ in here.chosen), *names]
            array = array.transpose([margin.index(release.axis(name)) for name in order])
            for name, label in here.chosen:
                array = array[release.axes[release.axis(name)].position(label)]
            return array.ravel()

        def laid(values: Mapping[tuple[int, ...], NDArray[G]]) -> dict[tuple[int, ...], NDArray[G]]:
            lines: dict[tuple[int, ...], NDArray[G]] = {(0, 1): values[cells].ravel()[places]}
            for seen, names in (((0,), here.down), ((1,), here.across), ((), ())):
                every = [*names, *(name for name, _ in here.chosen)]
                margin = tuple(sorted(map(release.axis, every)))
                if margin in values:
                    line = lie(values[margin], margin, names)
                    lines[seen] = line if seen else line[0]
            return lines

        return Release(
            here.seen(like).axes,
            laid(release.values),
            lower=laid(release.lower),
            upper=laid(release.upper),
            symbols=laid(release.symbols),
            notes=release.notes,
            fraction=release.fraction,
        )

    def _without(self, removed: Sequence[str], table: FrequencyTable) -> Arrangement:
        """Return the arrangement in which axes with one label are selected, unless they are all rows or all columns."""
        here = self
        for name in removed:
            side = here.down if name in here.down else here.across
            if name in side and len(side) > 1:
                here = here.placed(name, table.axes[table.axis(name)].labels[0])
        return here

    def _crossed(self, table: FrequencyTable, names: Sequence[str]) -> Axis:
        axes = [table.axes[table.axis(name)] for name in names]
        if not axes:
            return Axis("Table", ("All",))
        if len(axes) == 1:
            return axes[0]
        labels = list(map(", ".join, product(*axes)))
        if len(set(labels)) < len(labels):  # commas in labels can make two combinations equal
            labels = [" × ".join(map(quoted, combination)) for combination in product(*axes)]
        if len(set(labels)) < len(labels):
            labels = [f"{label} ({i + 1})" for i, label in enumerate(labels)]
        return Axis(" × ".join(axis.name for axis in axes), tuple(labels))

    def changed(
        self, table: FrequencyTable, counts: ArrayLike, settled: ArrayLike | None = None
    ) -> FrequencyTable:
        """Return the table with new counts in the displayed cells.

        Parameters
        ----------
        table : FrequencyTable
        counts : array_like of int
            Counts of the displayed cells.
        settled : array_like of bool, optional
            Displayed cells whose counts are known now, also if they are still 0.

        Examples
        --------
        >>> table = FrequencyTable([[20, 0], [0, 4]]).with_unknown([[False, True], [True, False]])
        >>> changed = Arrangement.usual(table).changed(table, table.counts, [[False, True], [False, False]])
        >>> changed.unknown.tolist()
        [[False, False], [True, False]]
        """
        flat, positions = table.counts.ravel().copy(), self.positions(table)
        flat[positions] = counts
        changed = table.with_counts(flat.reshape(table.shape))
        if settled is None or changed.unknown is None:
            return changed
        unknown = changed.unknown.ravel()
        unknown[positions] &= ~np.asarray(settled, dtype=bool)
        return changed.with_unknown(unknown.reshape(table.shape))

    def to_state(self) -> list[object]:
        """Return the arrangement as JSON-compatible values."""
        return [list(self.down), list(self.across), [list(pair) for pair in self.chosen]]

    @classmethod
    def from_state(cls, saved: Any) -> Self:
        """Return the arrangement that `to_state` has saved."""
        down, across, chosen = saved
        pairs = tuple((str(name), str(label)) for name, label in chosen)
        return cls(tuple(map(str, down)), tuple(map(str, across)), pairs)


def two_way(table: FrequencyTable) -> FrequencyTable:
    """Return a table with two axes: all axes but the last one are crossed.

    A table with one axis becomes a table with one row.

    Examples
    --------
    >>> two_way(FrequencyTable([0, 2, 4], {"Cell": ["c1", "c2", "c3"]}))
    FrequencyTable(Table: 1, Cell: 3; total 6)
    """
    return Arrangement.usual(table).seen(table)
