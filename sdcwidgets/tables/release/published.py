"""Values of a release: what is published of cells and margins, and what each by itself tells about the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import Value
from sdcwidgets.core.key_noise import KeyNoise
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import checks
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Flags, Floats


G = TypeVar("G", bound=np.generic)

#: Texts of gaps, as the Government Statistical Service writes them.
CONFIDENTIAL, NOT_AVAILABLE = "c", ".."


class Intervals(NamedTuple):
    """The lowest and the highest true count that each value may stand for; float, the highest may be inf."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Published(Value):
    """The values of a `Release`, whose fields these are, without what follows from them."""

    axes: tuple[Axis, ...]
    values: Mapping[MarginAxes, Floats]
    lower: Mapping[MarginAxes, Floats] = field(default_factory=dict)
    upper: Mapping[MarginAxes, Floats] = field(default_factory=dict)
    gaps: Mapping[MarginAxes, NDArray[np.str_]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fraction: float = 1.0
    merged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    key_noise: KeyNoise | None = None

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "axes", tuple(self.axes))
        set_(self, "notes", tuple(self.notes))
        set_(self, "merged", MappingProxyType({name: dict(map_) for name, map_ in self.merged.items()}))
        if not 0 < self.fraction <= 1:
            raise InputError(f"The sampling fraction is {self.fraction}; it must be above 0 and at most 1.")
        parts = (self.axes, self.values, self.lower, self.upper, self.gaps)
        for name, arrays in checks.arrays(*parts, CONFIDENTIAL).items():
            set_(self, name, MappingProxyType(arrays))

    @classmethod
    def of(
        cls,
        table: FrequencyTable,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        *,
        notes: Sequence[str] = (),
        fraction: float = 1.0,
    ) -> Self:
        """Return the release of a whole table, each margin the sum of its cells.

        `lower` and `upper` bound the true count of each cell; without them the counts are exact. The
        bounds of a margin are the sums of those of its cells.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
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
        values: Mapping[MarginAxes, ArrayLike],
        conclusions: Callable[[Floats], tuple[ArrayLike, ArrayLike]],
        notes: Sequence[str] = (),
    ) -> Self:
        """Return the release of these values, of each of which a reader concludes the same from its size.

        `conclusions` takes an array of published values, nan for a gap, and returns the lowest and the
        highest true count behind each; it is asked for the cells and for each margin.
        """
        arrays = {margin: np.asarray(array, dtype=np.float64) for margin, array in values.items()}
        bounds = {margin: conclusions(array) for margin, array in arrays.items()}
        lower = {margin: np.asarray(pair[0], dtype=np.float64) for margin, pair in bounds.items()}
        upper = {margin: np.asarray(pair[1], dtype=np.float64) for margin, pair in bounds.items()}
        return cls(tuple(axes), arrays, lower, upper, notes=tuple(notes))

    def narrowed(self, known: Mapping[MarginAxes, tuple[ArrayLike, ArrayLike]]) -> Self:
        """Return a release with the same values of which a reader knows more.

        Parameters
        ----------
        known : mapping of tuple of int to pair of array_like
            A lower and an upper bound of the truth for each value of some published sets of axes; of these
            and of what was known before the closer ones count.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> release = Release.of(FrequencyTable([3, 6]), [2, 5], [4, 7]).narrowed({(): (9, 9)})
        >>> [int(bound) for bound in release.bounds()]
        [9, 9]
        """
        closer = {margin: pair for margin, pair in known.items() if margin in self.values}
        lower = {margin: np.maximum(self.lower[margin], pair[0]) for margin, pair in closer.items()}
        upper = {margin: np.minimum(self.upper[margin], pair[1]) for margin, pair in closer.items()}
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
    def every(self) -> MarginAxes:
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

    def discrepancy(self, *names: str) -> Floats:
        """Return how much each value of a margin is above the sum of the published cells; nan at gaps."""
        sums = margins(self.cells)
        errors: Floats = self.margin(*names) - self._turned(sums, names, np.nan)
        return errors

    @cached_property
    def additive(self) -> bool:
        """Whether no published margin differs from the sum of the published cells."""
        sums = margins(self.cells)
        apart = (values - sums[margin] for margin, values in self.values.items())
        return not any(np.any(np.abs(np.nan_to_num(difference)) > 1e-9) for difference in apart)

    @property
    def exact(self) -> bool:
        """Whether every value is published and stands for one true count only."""
        return all(
            not np.isnan(values).any() and np.array_equal(self.lower[margin], self.upper[margin])
            for margin, values in self.values.items()
        )

    @property
    def plain(self) -> bool:
        """Whether the cells say it all: whole numbers without a gap, of which every margin is the sum."""
        return not self.hidden.any() and bool(np.all(self.cells == np.floor(self.cells))) and self.additive

    @property
    def hidden(self) -> Flags:
        """Which cells are gaps, shape of the table."""
        return np.isnan(self.cells)

    def ranges(self) -> dict[MarginAxes, Intervals]:
        """Return the lower and upper bound of the truth behind each published value, as `core.ranges` takes it."""
        return {margin: Intervals(self.lower[margin], self.upper[margin]) for margin in self.values}

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

    def _turned(
        self, of: Mapping[MarginAxes, NDArray[G]], names: Sequence[str], missing: object
    ) -> NDArray[G]:
        """Return the array of these axes, in this order, or one full of what stands for a missing one."""
        positions = checks.positions(self.axes, names)
        margin = tuple(sorted(positions))
        if margin not in of:
            return np.full([len(self.axes[k]) for k in positions], missing)
        return np.transpose(of[margin], [margin.index(k) for k in positions])
