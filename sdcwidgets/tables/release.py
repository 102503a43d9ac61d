"""Release: published values of a table, their bounds, and output files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import numpy as np

from sdcwidgets._util.arguments import (
    check_flag,
    check_kind,
    check_number,
    numbers_of,
    whole_numbers_of,
    wrong,
)
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import check_ending, put
from sdcwidgets._util.labels import NOT_AVAILABLE, NUMBER_FORMAT, counted, listed, quoted, total_label
from sdcwidgets._util.values import Value
from sdcwidgets.core.additive import adjusted
from sdcwidgets.core.key_noise import KeyNoise
from sdcwidgets.core.margins import MarginAxes, grouped, margins, spread
from sdcwidgets.core.possible_originals import Origins
from sdcwidgets.tables import release_intervals
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.writers import exchange
from sdcwidgets.tables.io.writers import text as text_writer
from sdcwidgets.tables.io.writers.argus import apriori_text
from sdcwidgets.tables.io.writers.copied import copied_text_caution, withheld_text_caution
from sdcwidgets.tables.io.writers.workbook import release_workbook
from sdcwidgets.tables.table import FrequencyTable, labelled_margin, table_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Flags, Floats, Whole
    from sdcwidgets.core.ranges import Ranges
    from sdcwidgets.methods import Method
    from sdcwidgets.tables.io.writers.as_read import AsRead

G = TypeVar("G", bound=np.generic)

#: Symbol of suppressed values according to the Government Statistical Service.
CONFIDENTIAL = "c"

#: Footnote on counts that the source of a table does not contain.
UNKNOWN_NOTE = (
    f"The sign “{NOT_AVAILABLE}” means not available. It replaces each sign of the source for a missing count, and "
    "each total that includes such a count."
)

#: Footnote on totals that a method does not change itself.
SUMS_NOTE = "Totals are the sums of the published counts."

#: Note on a release of sums of weights.
WEIGHTED_NOTE = "The published numbers are weighted estimates from {}."

#: Internal caution. After a random method, data users must not learn that the published counts are the original ones.
UNCHANGED = "The method changed no count: the published table is the original table."


class Intervals(NamedTuple):
    """Lower and upper bounds of original counts as float arrays; upper may be inf."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Release(Value):
    """Published table with cells, margins, and bounds of original counts.

    Margins are separate values and need not be sums of cells. For a data user who knows the protection method,
    the bounds follow from each value alone; `intervals` combines them.

    Parameters
    ----------
    axes : sequence of Axis
        Published axes, possibly with fewer categories than the original table.
    values : mapping of tuple of int to array
        Published values for each set of axes, given by ascending axis positions:
        ``{(0, 1): cells, (0,): row totals, (): total}``. A suppressed value is nan.
    lower : mapping of tuple of int to array
        Smallest possible original count of each value; 0 by default.
    upper : mapping of tuple of int to array
        Largest possible original count of each value; infinity by default.
    symbols : mapping of tuple of int to array of str
        Text of each suppressed value; "c" by default.
    notes : sequence of str
        Footnotes, as sentences.
    fraction : float
        Sampling fraction, below 1 for a sample.
    merged : mapping of str to mapping of str to str
        Published label of each original label, by axis with merged categories.
    key_noise : KeyNoise, optional
        p-table of a release with cell-key noise. With it, `intervals` and `fixed_sums` use the fact that
        equal keys give equal noise.
    origins : Origins, optional
        Constraints on the original cells that follow from the method, beyond the bounds of single values.
    is_moved : bool
        Whether the method only moves people, so that the published table can be the original one.
    limitation : str
        Reason why a data user may infer more than the intervals state. It is part of `cautions`, and it blocks
        a release decision.
    internal_cautions : sequence of str
        Warnings that are part of `cautions` and must not be published, for example about a guessable seed.
    method : Method, optional
        Method and settings that made the release, if they are known. `protect` states them for release rules, and
        `to_excel` writes those that are meant for publication.
    has_guessable_seed : bool
        Whether the seed of the release is known to be guessable. `protect` states it for release rules; files do
        not contain it.
    secondary : mapping of tuple of int to array of bool, optional
        Values that cell suppression suppresses to protect other values; the other suppressed values are primary. It is
        internal, and files for data users do not contain it. `suppression` returns it as a frame.
    moved : int, optional
        Number of people that the method moved to another category, if it moves people. It is internal, because it
        follows from the original counts.
    respondents : int
        Number of respondents of a table of weighted estimates; 0 if the values are counts.

    Raises
    ------
    InputError
        If an array does not fit the axes, a lower bound exceeds its upper bound, or the fraction is not
        in (0, 1].

    See Also
    --------
    sdcwidgets.core.ranges.cells_within : Algorithm of `intervals`.

    Examples
    --------
    Table 5.19 of the handbook: independent rounding publishes 10 and 20 with the total 35.

    >>> from sdcwidgets.tables.axis import Axis
    >>> axes = [Axis("Area", ("A", "B", "C")), Axis("Sex", ("Male", "Female"))]
    >>> release = Release(axes, {(0, 1): [[0, 0], [5, 5], [10, 20]], (0,): [0, 5, 35], (1,): [15, 25], (): 40})
    >>> release.marginal("Area").tolist(), release.discrepancy("Area").tolist(), release.additive
    ([0.0, 5.0, 35.0], [0.0, -5.0, 5.0], False)
    """

    axes: tuple[Axis, ...]
    values: Mapping[MarginAxes, Floats]
    lower: Mapping[MarginAxes, Floats] = field(default_factory=dict)
    upper: Mapping[MarginAxes, Floats] = field(default_factory=dict)
    symbols: Mapping[MarginAxes, NDArray[np.str_]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fraction: float = 1.0
    merged: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    key_noise: KeyNoise | None = None
    origins: Origins | None = field(default=None, compare=False)
    is_moved: bool = field(default=False, compare=False)
    limitation: str = field(default="", compare=False)
    internal_cautions: tuple[str, ...] = field(default=(), compare=False)
    method: Method | None = field(default=None, compare=False)
    has_guessable_seed: bool = field(default=False, compare=False)
    secondary: Mapping[MarginAxes, Flags] | None = field(default=None, compare=False)
    moved: int | None = field(default=None, compare=False)
    respondents: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        check_kind("values", self.values, Mapping, "a mapping of positions of axes to values")
        check_number("fraction", self.fraction)
        set_ = object.__setattr__
        set_(self, "internal_cautions", tuple(self.internal_cautions))
        set_(self, "axes", tuple(self.axes))
        set_(self, "notes", tuple(self.notes))
        set_(self, "merged", MappingProxyType({name: dict(map_) for name, map_ in self.merged.items()}))
        if not 0 < self.fraction <= 1:
            raise InputError(f"The sampling fraction is {self.fraction}; it must be above 0 and at most 1.")
        parts = (self.axes, self.values, self.lower, self.upper, self.symbols)
        for name, arrays in _arrays(*parts).items():
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
        """Return a release of a whole table, with margins that are sums of its cells.

        `lower` and `upper` are bounds of the original counts; by default the counts are exact. The bounds of
        a margin are the sums of the bounds of its cells.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.marginal("Row").tolist(), release.exact
        ([1.0, 6.0], True)
        """
        if isinstance(notes, str) or not isinstance(notes, Sequence):
            raise wrong("notes", notes, "a list of sentences")
        table_of(table)
        bounds = {"lower": lower, "upper": upper}
        low, high = (
            _bound(name, table.counts if bound is None else bound, table.shape)
            for name, bound in bounds.items()
        )
        release = cls(
            axes=table.axes,
            values=margins(table.counts),
            lower=margins(low),
            upper=margins(high),
            notes=tuple(notes),
            fraction=fraction,
        )
        return release.with_facts_of(table)

    @classmethod
    def by_value(
        cls,
        axes: Sequence[Axis],
        values: Mapping[MarginAxes, ArrayLike],
        conclusions: Callable[[Floats], tuple[ArrayLike, ArrayLike]],
        notes: Sequence[str] = (),
    ) -> Self:
        """Return a release whose bounds depend on the published values only.

        `conclusions` maps an array of published values (nan if suppressed) to the smallest and largest possible
        original counts. The function is applied to the cells and to each margin.

        Examples
        --------
        >>> import numpy as np
        >>> from sdcwidgets import Axis, Release
        >>> axes = [Axis("Area", ("A", "B"))]
        >>> rounded = {(0,): [5, 10], (): 15}
        >>> release = Release.by_value(axes, rounded, lambda values: (values - 2, values + 2), ["Rounded to base 5."])
        >>> release.bounds("Area").lower.tolist()
        [3.0, 8.0]
        """
        arrays = {margin: np.asarray(array, dtype=np.float64) for margin, array in values.items()}
        bounds = {margin: conclusions(array) for margin, array in arrays.items()}
        lower = {margin: np.asarray(pair[0], dtype=np.float64) for margin, pair in bounds.items()}
        upper = {margin: np.asarray(pair[1], dtype=np.float64) for margin, pair in bounds.items()}
        return cls(tuple(axes), arrays, lower, upper, notes=tuple(notes))

    def narrowed(self, known: Mapping[MarginAxes, tuple[ArrayLike, ArrayLike]]) -> Self:
        """Return the release with narrower bounds.

        Parameters
        ----------
        known : mapping of tuple of int to pair of array_like
            Additional lower and upper bounds for some published sets of axes. They are intersected with the
            existing bounds.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> release = Release.of(FrequencyTable([3, 6]), [2, 5], [4, 7]).narrowed({(): (9, 9)})
        >>> [int(bound) for bound in release.bounds()]
        [9, 9]
        """
        check_kind("known", known, Mapping, "a mapping of positions of axes to bounds")
        for pair in known.values():
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise wrong("known", known, "a mapping of positions of axes to pairs of bounds")
        closer = {margin: pair for margin, pair in known.items() if margin in self.values}
        lower = {margin: np.maximum(self.lower[margin], pair[0]) for margin, pair in closer.items()}
        upper = {margin: np.minimum(self.upper[margin], pair[1]) for margin, pair in closer.items()}
        return replace(self, lower={**self.lower, **lower}, upper={**self.upper, **upper})

    def with_facts_of(self, table: FrequencyTable) -> Self:
        """Return the release without unknown counts of its table, and with a note if the counts are sums of weights.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> Release.of(FrequencyTable([20, 30]).with_respondents([1, 6])).notes
        ('The published numbers are weighted estimates from 7 respondents.',)
        """
        release = self.without_unknown(table)
        if table.respondents is None or release.respondents:
            return release
        respondents = table.respondents.total
        note = WEIGHTED_NOTE.format(counted(respondents, "respondent"))
        return replace(release, respondents=respondents, notes=(note, *release.notes))

    def without_unknown(self, table: FrequencyTable) -> Self:
        """Return the release without values for unknown counts of its table, and without totals that contain them.

        The values have the symbol ".." and are explained by a footnote.

        Examples
        --------
        >>> from sdcwidgets.tables.release import Release
        >>> release = Release.of(FrequencyTable([3, 0]).with_unknown([False, True]))
        >>> release.cells.tolist(), release.symbols[0,].tolist(), release.notes[0].partition(".")[0]
        ([3.0, nan], ['', '..'], 'The sign “')
        """
        if table_of(table).unknown is None or UNKNOWN_NOTE in self.notes:
            return self
        regrouped = self.regroup(table).unknown
        assert regrouped is not None
        numbers = margins(regrouped.astype(np.int64))
        masks = {margin: number > 0 for margin, number in numbers.items() if margin in self.values}
        return replace(
            self,
            values={margin: np.where(mask, np.nan, self.values[margin]) for margin, mask in masks.items()},
            lower={margin: np.where(mask, 0.0, self.lower[margin]) for margin, mask in masks.items()},
            upper={margin: np.where(mask, np.inf, self.upper[margin]) for margin, mask in masks.items()},
            symbols={
                margin: np.where(mask, NOT_AVAILABLE, self.symbols[margin]) for margin, mask in masks.items()
            },
            notes=(*self.notes, UNKNOWN_NOTE),
        )

    def without_note_on_totals(self) -> Self:
        """Return the release without the footnote that totals are sums, for a file without totals.

        Examples
        --------
        >>> from sdcwidgets import protect
        >>> release = protect(FrequencyTable([4, 5]), "conventional-rounding")
        >>> len(release.notes), len(release.without_note_on_totals().notes)
        (2, 1)
        """
        if SUMS_NOTE not in self.notes:
            return self
        return replace(self, notes=tuple(note for note in self.notes if note != SUMS_NOTE))

    def made_by(self, method: Method) -> Self:
        """Return the release with the method that made it.

        Examples
        --------
        >>> from sdcwidgets import methods
        >>> release = Release.of(FrequencyTable([3, 6])).made_by(methods.get("random-rounding")())
        >>> release.method.base
        3
        """
        # The arrays are not checked and copied again, which a page would do at each step of a slider.
        copied = object.__new__(type(self))
        vars(copied).update(vars(self), method=method)
        return copied

    @cached_property
    def _axis_names(self) -> list[str]:
        return [axis.name for axis in self.axes]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of published categories of each axis."""
        return tuple([len(axis.labels) for axis in self.axes])

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.axes)

    @cached_property
    def every(self) -> MarginAxes:
        """Positions of all axes: the key of the cells in `values`."""
        return tuple(range(len(self.axes)))

    def axis(self, name: str) -> int:
        """Return the position of the axis with this name; raise InputError if unknown.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.axis("Column")
        1
        """
        return _positions(self._axis_names, [name])[0]

    @property
    def cells(self) -> Floats:
        """Published values of the cells, nan if suppressed; read-only."""
        cells = self.values.get(self.every)
        return np.full(self.shape, np.nan) if cells is None else cells

    def margin(self, *names: str) -> pd.Series:
        """Return the published values of a margin as a Series.

        Parameters
        ----------
        *names : str
            Axes of the margin, in this order; the total if empty.

        Returns
        -------
        Series
            Values, nan if not published. The index has one level per axis; the index of the total is "Total".

        Raises
        ------
        InputError
            If an axis is unknown or named twice.

        Examples
        --------
        >>> from sdcwidgets import examples, protect
        >>> table = examples.load("sex")
        >>> release = protect(table, "conventional-rounding", base=5)
        >>> difference = release.margin("Area") - table.margin("Area")
        >>> bool(difference.abs().max() <= 10)
        True
        """
        return labelled_margin(self.marginal(*names), [self.axes[self.axis(name)] for name in names])

    def marginal(self, *names: str) -> Floats:
        """Return the published values of a margin as an array, nan if not published.

        Without names, the result is the total.

        Raises
        ------
        InputError
            If an axis is unknown or named twice.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.marginal("Row").tolist(), float(release.marginal())
        ([1.0, 6.0], 7.0)
        """
        return self._turned(self.values, names, np.nan)

    def bounds(self, *names: str) -> Intervals:
        """Return the bounds that each value of a margin alone gives of its original count.

        If a margin is not published, the bounds are 0 and infinity.

        Examples
        --------
        >>> from sdcwidgets import examples, protect
        >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
        >>> bounds = release.bounds("Area")
        >>> bool((bounds.lower <= examples.load("sex").marginal("Area").counts).all())
        True
        """
        return Intervals(self._turned(self.lower, names, 0.0), self._turned(self.upper, names, np.inf))

    def discrepancy(self, *names: str) -> Floats:
        """Return the margin minus the sum of published cells, nan if suppressed.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.discrepancy("Row").tolist()
        [0.0, 0.0]
        """
        sums = margins(self.cells)
        errors: Floats = self.marginal(*names) - self._turned(sums, names, np.nan)
        return errors

    @cached_property
    def additive(self) -> bool:
        """Whether all published margins are sums of the published cells."""
        sums = margins(self.cells)
        apart = (values - sums[margin] for margin, values in self.values.items())
        return not any(np.any(np.abs(np.nan_to_num(difference)) > 1e-9) for difference in apart)

    @property
    def exact(self) -> bool:
        """Whether every value is published and determines its original count."""
        return all(
            not np.isnan(values).any() and np.array_equal(self.lower[margin], self.upper[margin])
            for margin, values in self.values.items()
        )

    @property
    def plain(self) -> bool:
        """Whether the cells are complete, whole and additive: they define the release."""
        return (
            not self.suppressed.any() and bool(np.all(self.cells == np.floor(self.cells))) and self.additive
        )

    @property
    def has_own_totals(self) -> bool:
        """Whether totals state more than the cells: a cell is suppressed, or a total is not the sum of its cells."""
        if self.plain:
            return False
        if self.every not in self.values:
            return True
        unexplained = self.suppressed & (self.symbols[self.every] != NOT_AVAILABLE)
        is_whole = bool(np.all(np.nan_to_num(self.cells) % 1 == 0))
        return bool(unexplained.any()) or not is_whole or not self.additive

    @property
    def removed_axes(self) -> tuple[str, ...]:
        """Names of the axes whose categories are all merged to one, so that the release does not distinguish them.

        Examples
        --------
        >>> from sdcwidgets import protect
        >>> table = FrequencyTable([[1, 9], [7, 4]], {"Age": ["0-9", "10+"], "Sex": ["m", "f"]})
        >>> protect(table, "redesign", axis="Age", smallest=8).removed_axes
        ('Age',)
        """
        return tuple(axis.name for axis in self.axes if len(axis) == 1 and axis.name in self.merged)

    @property
    def suppressed(self) -> Flags:
        """Mask of suppressed cells, in the shape of the table."""
        return np.isnan(self.cells)

    def ranges(self) -> dict[MarginAxes, Intervals]:
        """Return the bounds of the original count of each value, for `core.ranges`.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.ranges()[0,].lower.tolist()
        [1.0, 6.0]
        """
        return {margin: Intervals(self.lower[margin], self.upper[margin]) for margin in self.values}

    def table(self) -> FrequencyTable:
        """Return the published cells as a frequency table.

        Raises
        ------
        InputError
            If a cell is not published, or is not a whole number.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.table().total
        7
        """
        if self.suppressed.any():
            raise InputError(
                f"{int(self.suppressed.sum())} cells are not published; a frequency table needs a count in "
                "every cell."
            )
        return FrequencyTable(self.cells, self.axes)

    def display_texts(self, *names: str) -> NDArray[np.object_]:
        """Return the values of a margin as text, with the symbols of suppressed values.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.display_texts("Row").tolist()
        ['1', '6']
        """
        values, texts = self.marginal(*names), self._turned(self.symbols, names, NOT_AVAILABLE)
        pairs = zip(values.ravel().tolist(), texts.ravel().tolist(), strict=True)
        cells = [text or format(value, NUMBER_FORMAT) for value, text in pairs]
        return np.array(cells, dtype=np.object_).reshape(values.shape)

    @cached_property
    def recalculable(self) -> Mapping[MarginAxes, Flags]:
        """Masks of recalculable suppressed values, by margin.

        A suppressed value is recalculable if all published values together determine it.

        Examples
        --------
        >>> from sdcwidgets.tables.axis import Axis
        >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("m", "f"))]
        >>> shown = lambda gap: {(0, 1): [[gap, 4], [5, 6]], (0,): [5, 11]}
        >>> Release(axes, shown(float("nan")), shown(0), shown(float("inf"))).recalculable[0, 1].tolist()
        [[True, False], [False, False]]
        """
        return release_intervals.recalculable(self)

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """Warnings to read before publication, which are not footnotes of the table."""
        limitation = (self.limitation,) if self.limitation else ()
        return (*self.internal_cautions, *limitation, *self.public_cautions)

    @cached_property
    def public_cautions(self) -> tuple[str, ...]:
        """Cautions that follow from the published values alone, for the report for data users."""
        return release_intervals.cautions(self, self.recalculable)

    def cautions_on_files(
        self, *, title: str = "", source: str = "", as_read: AsRead | None = None
    ) -> tuple[str, ...]:
        """Return `cautions`, and a caution that lists the texts that files copy from the input.

        Titles, notes and labels are copied, and each of them can contain a count.

        Parameters
        ----------
        title : str
            Title of the table, if the files contain it.
        source : str
            Source of the data, if the files contain it.
        as_read : AsRead, optional
            Layout of the source (`Reading.as_read`), if the files use it.

        Returns
        -------
        tuple of str

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.cautions_on_files(title="Table of 7 people")[0].partition(".")[0]
        'Text copied from the input: "Table of 7 people"'
        """
        caution = self.copied_text_caution(title=title, source=source, as_read=as_read)
        return (*self.cautions, caution) if caution else self.cautions

    def copied_text_caution(self, *, title: str = "", source: str = "", as_read: AsRead | None = None) -> str:
        """Return the last caution of `cautions_on_files`, "" if files copy no text that can contain a count.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> Release.of(FrequencyTable([[1, 0], [3, 3]])).copied_text_caution(title="Areas")
        ''
        """
        check_kind("title", title, str, "a text")
        check_kind("source", source, str, "a text")
        if as_read is not None and not hasattr(as_read, "fits"):
            raise wrong("as_read", as_read, "the layout of a file as FrequencyTable read it")
        labels = [text for axis in self.axes for text in (axis.name, *axis.labels)]
        if as_read is None:
            return copied_text_caution([title, source], [], labels)
        above, below = as_read.texts(self)
        withheld = withheld_text_caution((line.line, line.reason) for line in as_read.withheld(self))
        return " ".join(
            filter(None, [withheld, copied_text_caution([title, source], [*above, *below], labels)])
        )

    def published(self) -> dict[MarginAxes, Floats]:
        """Return the original counts that are known exactly, for `core.bounds`.

        Unknown counts are nan, and margins without known counts are omitted.

        Examples
        --------
        >>> nan = float("nan")
        >>> from sdcwidgets.tables.axis import Axis
        >>> Release([Axis("Area", ("A", "B"))], {(0,): [nan, 4.0], (): 9.0}, {(0,): [0, 4]}, {(0,): [9, 4]}).published()
        {(0,): array([nan,  4.])}
        """
        return release_intervals.published(self)

    def intervals(self, *, sharp: bool = True) -> pd.DataFrame:
        """Return the intervals of each cell that follow from all published values.

        Parameters
        ----------
        sharp : bool
            Whether to compute the narrowest intervals, by linear programming. Otherwise the intervals are computed
            quickly, contain the original counts, and may be wider.

        Returns
        -------
        DataFrame
            One row per cell: its label on each axis, the `published` value (nan if suppressed), and `lower` and
            `upper`, the smallest and the largest possible original count.

        Raises
        ------
        InputError
            If no table of counts agrees with the release.

        Examples
        --------
        A suppressed cell in a row with a published total:

        >>> nan = float("nan")
        >>> from sdcwidgets.tables.axis import Axis
        >>> axes = [Axis("Sex", ("m", "f"))]
        >>> release = Release(axes, {(0,): [nan, 4.0], (): 9.0}, {(0,): [0, 4], (): 9}, {(0,): [9, 4], (): 9})
        >>> release.intervals()["lower"].tolist()
        [5.0, 4.0]
        """
        import pandas as pd

        lower, upper = self.cell_bounds(sharp=sharp)
        labels = pd.MultiIndex.from_product(
            [axis.labels for axis in self.axes], names=[axis.name for axis in self.axes]
        )
        values = {"published": self.cells.ravel(), "lower": lower.ravel(), "upper": upper.ravel()}
        return pd.concat([labels.to_frame(index=False, allow_duplicates=True), pd.DataFrame(values)], axis=1)

    def cell_bounds(self, *, sharp: bool = True) -> Intervals:
        """Return the smallest and largest possible original count of each cell.

        Parameters
        ----------
        sharp : bool
            Whether to compute the narrowest bounds, by linear programming after the shuttle algorithm, also from
            sums of cell keys. Otherwise the bounds are valid but may be wider.

        Raises
        ------
        InputError
            If no table of counts agrees with the release.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.cell_bounds().upper.tolist()
        [[1.0, 0.0], [3.0, 3.0]]
        """
        return Intervals(*release_intervals.together(self, sharp=sharp))

    def fixed_sums(self, sums: Sequence[Whole], ranges: Ranges | None = None) -> Flags:
        """Return which sums of cells are constant over all feasible original tables.

        Parameters
        ----------
        sums : sequence of ndarray of int
            Flat indices of the cells of each sum.
        ranges : mapping of tuple of int to pair of array_like, optional
            Bounds of the original count of each published value; by default those of the release.

        Returns
        -------
        ndarray of bool, shape (sums,)
            If the search finds no second value of a sum, the sum counts as constant.

        Raises
        ------
        ValueError
            If no table of counts agrees with the release.

        Examples
        --------
        >>> import numpy as np
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.fixed_sums([np.array([0, 1])]).tolist()
        [True]
        """
        if not isinstance(sums, Sequence) or isinstance(sums, str | bytes):
            raise wrong("sums", sums, "a list of arrays of cell numbers")
        for cells in sums:
            if (whole_numbers_of("sums", cells) >= np.prod(self.shape)).any():
                raise wrong("sums", sums, "a list of arrays of cell numbers of the release")
        if ranges is not None:
            check_kind("ranges", ranges, Mapping, "a mapping of positions of axes to bounds")
            if not set(ranges) <= set(self.values):
                raise wrong("ranges", ranges, "a mapping of published positions of axes to bounds")
        return release_intervals.fixed_sums(self, sums, self.ranges() if ranges is None else ranges)

    def regroup(self, table: FrequencyTable) -> FrequencyTable:
        """Return the original table in the categories of this release.

        Raises
        ------
        InputError
            If the categories of the table were neither published nor merged.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.regroup(FrequencyTable([[1, 0], [3, 3]])).total
        7
        """
        table_of(table)
        if len(table.axes) != self.ndim:
            raise InputError(
                f"The table has {len(table.axes)} axes and the release {self.ndim}; the numbers must be equal."
            )
        merged = [
            (k, categories)
            for k, categories in enumerate(self._published_categories(table))
            if categories != list(range(len(self.axes[k])))
        ]

        def regrouped(counts: Whole) -> Whole:
            for k, categories in merged:
                counts = grouped(counts, k, categories, len(self.axes[k]))
            return counts

        return table.rearranged(self.axes, regrouped)

    def spread(self, table: FrequencyTable) -> Floats:
        """Return the published cells in the categories of the original table.

        The count of merged categories is distributed evenly among them; a suppressed cell is nan.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.spread(FrequencyTable([[1, 0], [3, 3]])).tolist()
        [[1.0, 0.0], [3.0, 3.0]]
        """
        table_of(table)
        if len(table.axes) != self.ndim:
            raise InputError(
                f"The table has {len(table.axes)} axes and the release {self.ndim}; the numbers must be equal."
            )
        cells = self.cells
        for k, categories in enumerate(self._published_categories(table)):
            if categories != list(range(len(self.axes[k]))):
                cells = spread(cells, k, categories)
        return cells

    def _published_categories(self, table: FrequencyTable) -> list[list[int]]:
        """Return the published category index of each original category, by axis."""
        categories = []
        for axis, original in zip(self.axes, table.axes, strict=True):
            if axis.labels == original.labels and axis.name not in self.merged:
                categories.append(list(range(len(axis.labels))))
                continue
            merged = self.merged.get(axis.name, {})
            categories.append([axis.position(merged.get(label, label)) for label in original])
        return categories

    def to_frame(self) -> pd.DataFrame:
        """Return one row per published value: labels, value, bounds and symbol.

        The bounds are those that each value alone gives, so that a suppressed cell next to its published total has
        wide bounds. The method `intervals` combines all published values, and returns the intervals that a data user
        can compute.

        A margin has the label "Total" on the axes over which it is summed, or "Total (all)" if the axis has a label
        "Total".

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> release.to_frame().shape
        (9, 6)
        """
        return text_writer.frame(self)

    def suppression(self) -> pd.DataFrame:
        """Return one row per published value with its kind of suppression, for internal use.

        Do not publish the kinds, because they show which suppressed counts are small.

        Returns
        -------
        DataFrame
            The label on each axis, and `status`: "primary" for a small count, "secondary" for a value that protects
            other values, otherwise "".

        Raises
        ------
        InputError
            If the release was not made by cell suppression.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
        >>> release = protect(table, "cell-suppression", choice="optimal")
        >>> release.suppression()["status"].value_counts().to_dict()
        {'': 12, 'secondary': 3, 'primary': 1}
        """
        if self.secondary is None:
            raise InputError(
                "The release states no primary and secondary cells; only the method cell-suppression has them."
            )
        frame = self.to_frame()
        secondary = np.concatenate([self.secondary[margin].ravel() for margin in self.values])
        primary = frame["value"].isna() & ~secondary
        status = np.where(secondary, "secondary", np.where(primary, "primary", ""))
        return frame[[axis.name for axis in self.axes]].assign(status=status)

    def to_hst(self, path: str | PathLike[str] | None = None, *, separator: str = ",") -> str:
        r"""Return an internal a priori file of τ-ARGUS with the suppressed cells, and write it to a path if given.

        Parameters
        ----------
        path : str or path, optional
            File that ends in .hst and has "internal" in its name.
        separator : str
            Separator of the codes, one character.

        Returns
        -------
        str
            A line for each suppressed cell: its codes, and u (primary) or m (secondary).

        Raises
        ------
        InputError
            If the release was not made by cell suppression, or a label contains the separator.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, protect
        >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
        >>> protect(table, "cell-suppression", choice="optimal").to_hst().splitlines()[0]
        'Row 1,Column 1,u'
        """
        frame = self.suppression()
        totals = [total_label(axis.labels) for axis in self.axes]
        labels = frame.drop(columns="status").itertuples(index=False, name=None)
        return apriori_text(labels, frame["status"], totals, path, separator)

    def lines(self, *, totals: bool = True) -> Iterator[list[str | float]]:
        """Yield the rows of the printed table: a header, then cells and margins.

        The last axis is in columns and the others in rows, each followed by its total; without `totals`, only the
        cells are yielded. Suppressed values are replaced by their symbols. Values of unpublished margins are omitted,
        or blank within a row or column with other values.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> list(release.lines())[1]
        ['Row 1', 1, 0, 1]
        """
        return text_writer.lines(self, totals=totals)

    def to_csv(
        self,
        path: str | PathLike[str] | None = None,
        *,
        escape: bool = True,
        margins: bool = True,
        as_read: AsRead | None = None,
        total: str = "",
    ) -> str:
        r"""Return the table and its notes as CSV text, and write it to a path if given.

        With `escape`, labels that a spreadsheet would treat as formulas get an apostrophe. Without `margins`,
        margins that are sums of the cells are omitted, as the command line does for a source without totals.
        With the layout of the source (`Reading.as_read`), the table is written in this layout if possible; without
        `margins`, it then has no totals. `total` is
        the label of totals, "Total" by default.

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
        check_flag("escape", escape)
        check_flag("margins", margins)
        check_kind("total", total, str, "a text")
        if as_read is not None:
            from sdcwidgets.tables.io.writers.as_read import AsRead

            check_kind("as_read", as_read, AsRead, "the layout of a file that was read")
        check_ending(path, (".csv", ".txt"))
        return text_writer.csv(self, path, escape=escape, margins=margins, as_read=as_read, total=total)

    def to_excel(
        self,
        path: str | PathLike[str],
        *,
        title: str = "Table",
        source: str = "",
        method: Method | None = None,
        as_read: AsRead | None = None,
        total: str = "",
        totals: bool = True,
        is_original: bool = False,
    ) -> None:
        """Write a workbook: the table with its notes, and a sheet on the method.

        Parameters
        ----------
        path : str or path
        title : str
            Title of the table.
        source : str
            Source of the data.
        method : Method, optional
            Method whose public settings are written; default: the method of the release, if it is known.
        as_read : AsRead, optional
            Layout of the source: `Reading.as_read`.
        total : str
            Label of totals, "Total" by default.
        totals : bool
            Whether totals are written if the release does not fit the layout of the source.
        is_original : bool
            Whether the sheet on the method states that the counts are original, if no method is known.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     release.to_excel(Path(folder) / "protected.xlsx")
        ...     (Path(folder) / "protected.xlsx").exists()
        True
        """
        check_ending(path, (".xlsx",))
        method = self.method if method is None else method
        book = release_workbook(
            self,
            title,
            source,
            method=method,
            as_read=as_read,
            total=total,
            totals=totals,
            is_original=is_original,
        )
        put(book, path)

    def to_px(self, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
        """Return a PX file, and write it to a path if given; see `io.writers.exchange.px`.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> "DATA=" in release.to_px()
        True
        """
        check_flag("margins", margins)
        check_ending(path, (".px",))
        return exchange.px(self, path, margins=margins)

    def to_json_stat(self, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
        """Return a JSON-stat 2.0 dataset, and write it to a path if given.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> "value" in release.to_json_stat()
        True
        """
        check_flag("margins", margins)
        check_ending(path, (".json",))
        return exchange.json_stat(self, path, margins=margins)

    def to_sdmx_csv(self, path: str | PathLike[str] | None = None, *, margins: bool = True) -> str:
        """Return SDMX-CSV 1.0 text, and write it to a path if given.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable, Release
        >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
        >>> "OBS_VALUE" in release.to_sdmx_csv()
        True
        """
        check_flag("margins", margins)
        check_ending(path, (".csv",))
        return exchange.sdmx_csv(self, path, margins=margins)

    def __repr__(self) -> str:
        return text_writer.summary(self)

    def _repr_html_(self) -> str:
        return text_writer.html(self)

    def _turned(
        self, of: Mapping[MarginAxes, NDArray[G]], names: Sequence[str], missing: object
    ) -> NDArray[G]:
        """Return the array of a margin with its axes in this order, or a default array."""
        positions = _positions(self._axis_names, names)
        margin = tuple(sorted(positions))
        if margin not in of:
            return np.full([len(self.axes[k]) for k in positions], missing)
        if positions == list(margin):
            return of[margin]
        return np.transpose(of[margin], [margin.index(k) for k in positions])


#: Limitation of releases that were adjusted so that they add up.
ADJUSTED = (
    "The table was adjusted so that it adds up. Data users who compute which tables the adjustment turns into this one "
    "can infer narrower intervals than the published ones."
)


def completed(release: Release, table: FrequencyTable) -> Release:
    """Return a release without unknown counts, and with an internal caution if it has all original counts.

    Examples
    --------
    >>> table = FrequencyTable([[1, 0], [3, 3]])
    >>> completed(Release.of(table), table).cautions
    ('The method changed no count: the published table is the original table.',)
    """
    sums = margins(table.counts)
    is_unchanged = (
        release.axes == table.axes
        and release.fraction == 1
        and all(np.array_equal(values, sums[margin]) for margin, values in release.values.items())
    )
    if is_unchanged:
        release = replace(release, internal_cautions=(*release.internal_cautions, UNCHANGED))
    return release.with_facts_of(table)


def made_additive(
    release: Release,
    base: int = 1,
    conclusions: Callable[[Floats], tuple[ArrayLike, ArrayLike]] | None = None,
) -> Release:
    """Return the additive release that is nearest to this one.

    A note states the maximum change of a value, and the bounds are widened by it. Unbiasedness of the method
    may be lost. The bounds contain the original counts, but are wider than what data users can infer who invert
    the adjustment. The `limitation` of the release states this, and release rules block the release.

    Parameters
    ----------
    release : Release
    base : int
        Common divisor of all published values; 1 for cell keys.
    conclusions : callable, optional
        Function that returns the bounds of the original counts for published values, as `Method.conclusions`. The
        bounds of a value are then those of all values that are at most the maximum change away. By default, all
        bounds are widened equally, which can be wider than what data users know of small values.

    Returns
    -------
    Release

    Raises
    ------
    InputError
        If a value is suppressed, a margin is not published, or a value is not a multiple of the base.

    Examples
    --------
    >>> import numpy as np
    >>> from sdcwidgets.tables.axis import Axis
    >>> values = {(0,): np.array([5.0, 5.0]), (): np.array(15.0)}
    >>> release = Release.by_value([Axis("Sex", ("f", "m"))], values, lambda v: (v - 4, v + 4))
    >>> found = made_additive(release, base=5)
    >>> found.marginal().item(), found.notes[0]
    (10.0, 'Adjusted to add up: each figure was moved by 5 at most.')
    """
    if release.additive and not release.suppressed.any():
        return release
    published = release.values
    every = margins(np.zeros(release.shape))
    whole = all(
        margin in published and not (np.nan_to_num(published[margin], nan=0.5) % base).any()
        for margin in every
    )
    if not whole:
        raise InputError(
            f"A table can be made additive only if all margins are published, no cell is suppressed, and all "
            f"values are multiples of {base}."
        )
    result = adjusted(published, base)
    sums = {margin: array.astype(np.float64) for margin, array in margins(result.cells).items()}
    moved = {margin: np.abs(sums[margin] - published[margin]) for margin in sums}
    most = max(float(array.max()) for array in moved.values())
    # The number and the sum of changes depend on unpublished values, so they are not published. The largest
    # change is published, because the bounds need it.
    sentence = f"Adjusted to add up: each figure was moved by {most:,.0f} at most."
    if conclusions is not None:
        bounds = {margin: _moved_bounds(array, most, base, conclusions) for margin, array in sums.items()}
        lower, upper = ({margin: pair[side] for margin, pair in bounds.items()} for side in (0, 1))
        return _adjusted_release(release, sums, lower, upper, sentence)
    # Each original value is within `apart` of the published one, so the bounds are widened by `most` and
    # `apart`.
    apart = {
        side: max(float(np.max(np.abs(bound[margin] - published[margin]))) for margin in sums)
        for side, bound in (("lower", release.lower), ("upper", release.upper))
    }
    lower = {margin: np.maximum(array - most - apart["lower"], 0) for margin, array in sums.items()}
    upper = {margin: array + most + apart["upper"] for margin, array in sums.items()}
    return _adjusted_release(release, sums, lower, upper, sentence)


def _moved_bounds(
    values: Floats, most: float, base: int, conclusions: Callable[[Floats], tuple[ArrayLike, ArrayLike]]
) -> tuple[Floats, Floats]:
    """Return the bounds of original counts behind values that were moved by a number at most."""
    low, high = np.full(values.shape, np.inf), np.full(values.shape, -np.inf)
    for move in np.arange(-most, most + 1, base):
        before = values + move
        lower, upper = map(np.asarray, conclusions(np.maximum(before, 0)))
        # Bounds without a limit belong to values that the method never publishes.
        possible = (before >= 0) & ((lower > 0) | np.isfinite(upper))
        low = np.where(possible, np.minimum(low, lower), low)
        high = np.where(possible, np.maximum(high, upper), high)
    none = low > high
    return np.where(none, 0, low), np.where(none, np.inf, high)


def _adjusted_release(
    release: Release,
    values: Mapping[MarginAxes, Floats],
    lower: Mapping[MarginAxes, Floats],
    upper: Mapping[MarginAxes, Floats],
    sentence: str,
) -> Release:
    """Return the release with adjusted values and their bounds."""
    notes = (sentence, *(note for note in release.notes if "may not be additive" not in note))
    return replace(
        release,
        values=values,
        lower=lower,
        upper=upper,
        key_noise=None,
        notes=notes,
        limitation=release.limitation or ADJUSTED,
    )


def _bound(name: str, bound: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a bound of each cell, or raise InputError."""
    array = numbers_of(name, bound)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise InputError(f"The argument {name} has the shape {array.shape}; it must be {shape}.") from None


def _arrays(
    axes: Sequence[Axis],
    values: Mapping[MarginAxes, ArrayLike],
    lower: Mapping[MarginAxes, ArrayLike],
    upper: Mapping[MarginAxes, ArrayLike],
    symbols: Mapping[MarginAxes, ArrayLike],
) -> dict[str, Mapping[MarginAxes, NDArray[Any]]]:
    """Return values, bounds and symbols as read-only arrays of the right shape.

    Raises
    ------
    InputError
        If there are no values, an array does not fit the axes, or a lower bound exceeds its upper bound.
    """
    if not values:
        raise InputError("A release must have values; pass the cells or a margin of a table.")
    published: dict[MarginAxes, Floats] = {}
    low: dict[MarginAxes, Floats] = {}
    high: dict[MarginAxes, Floats] = {}
    texts: dict[MarginAxes, NDArray[np.str_]] = {}
    for margin, array in values.items():
        if list(margin) != sorted(set(margin)) or not set(margin) <= set(range(len(axes))):
            raise InputError(
                f"{margin} are not positions of axes: a release with {len(axes)} axes has ascending positions from 0."
            )
        shape = tuple([len(axes[k].labels) for k in margin])
        published[margin] = _fitting(axes, margin, array, shape)
        # A scalar bound applies to all values of a margin.
        low[margin] = _fitting(axes, margin, np.broadcast_to(lower.get(margin, 0.0), shape), shape)
        high[margin] = _fitting(axes, margin, np.broadcast_to(upper.get(margin, np.inf), shape), shape)
        if np.any(low[margin] > high[margin]):
            raise InputError("A lower bound of a release exceeds its upper bound.")
        texts[margin] = _texts(published[margin], symbols.get(margin, CONFIDENTIAL))
    return {"values": published, "lower": low, "upper": high, "symbols": texts}


def _fitting(axes: Sequence[Axis], margin: MarginAxes, array: ArrayLike, wanted: tuple[int, ...]) -> Floats:
    """Return the values of a margin as a read-only array of the right shape."""
    values = np.array(array, dtype=np.float64)
    if values.shape != wanted:
        names = listed([axes[k].name for k in margin]) or "the total"
        raise InputError(f"The values of {names} have the shape {values.shape}; it must be {wanted}.")
    values.flags.writeable = False
    return values


def _texts(values: Floats, symbols: ArrayLike) -> NDArray[np.str_]:
    """Return the symbol of each suppressed value, "" for other values."""
    text = np.array(np.broadcast_to(symbols, values.shape), dtype=np.str_)
    text[~np.isnan(values)] = ""
    text.flags.writeable = False
    return text


def _positions(known: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the positions of the axes with these names, or raise InputError."""
    positions = []
    for name in names:
        if not isinstance(name, str) or name not in known:
            check_kind("name", name, str, "the name of an axis")
            raise InputError(f"The release has no axis {quoted(name)}; it has {listed(known)}.")
        positions.append(known.index(name))
    if len(set(positions)) < len(positions):
        raise InputError(f"A margin needs different axes; the axes of the release are {listed(known)}.")
    return positions
