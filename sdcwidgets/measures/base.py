"""Base class and registry of measures.

A new measure is one class in one module: a frozen dataclass with the decorator `register`, class variables that
describe it, and the method `values`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arguments import check_flag, check_texts
from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.docstrings import documented
from sdcwidgets._util.errors import InputError, described
from sdcwidgets._util.formula_lines import Line
from sdcwidgets._util.parameters import AxisNames, Declared, Parameter, check_registered, declared
from sdcwidgets._util.registry import Registry
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable, table_of

#: Meaning of a larger value: higher risk, lower risk, more information loss, or more utility.
Direction = Literal["risk", "protection", "loss", "utility"]

#: Data of a measure: original counts, published counts, number of people who stayed in their cell, a sample.
Need = Literal["before", "after", "followed", "sample"]


#: Treatment of suppressed cells by measures that need a value for each cell.
NOTE = (
    "The value of a suppressed cell is set to the midpoint of its interval, "
    "to the mean of all suppressed counts, or to zero."
)

#: Maximum distance of a value from the range of its measure.
ROUNDING_ERROR = 1e-6

#: Names of settings that several measures share; all other settings belong to one measure.
SHARED = frozenset({"weights", "third", "epsilon", "variant", "replications", "seed", "suppressed"})


class Measure(Declared, ABC):
    """A measure of disclosure risk, information loss or utility, with its settings.

    Attributes
    ----------
    name : str
        Name of the measure in Python, JSON, columns and on the command line, derived from the class name.
    label, symbol : str
        Name of the measure in words, and its symbol ("" for none).
    unit : str
        Unit, "" for a share or a number without unit.
    low, high : float
        Range of the values, both limits included; `greatest` is the upper limit for one table.
    direction : {"risk", "protection", "loss", "utility"}
        Meaning of a larger value.
    source : str
        Reference of the definition, with equation or section.
    needs : tuple of {"before", "after", "followed", "sample"}
        Data from which the measure is computed.
    suppression_note : str
        Treatment of suppressed cells, as a sentence.
    nothing : str
        Reason for an undefined value, as a few words after "–, ".
    digits : int
        Number of decimals in displays.
    sliced : bool
        Whether each slice of a table has a value.
    usual : bool
        Whether it is computed for all slices by default; other measures are computed on request.
    version_of : str
        Name of the measure of which this measure is another version, "" for none. Pages offer the version as a setting.
    order : float
        Position in the interface; measures with equal positions keep the order of registration.
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    unit: ClassVar[str] = ""
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    direction: ClassVar[Direction] = "loss"
    source: ClassVar[str] = ""
    needs: ClassVar[tuple[Need, ...]] = ("before", "after")
    suppression_note: ClassVar[str] = NOTE
    nothing: ClassVar[str] = "no cases"
    digits: ClassVar[int] = 4
    sliced: ClassVar[bool] = True
    usual: ClassVar[bool] = False
    version_of: ClassVar[str] = ""
    order: ClassVar[float] = 99

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        words = re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z][a-z0-9]*", cls.__name__)
        if "name" not in cls.__dict__:
            cls.name = "_".join(words).lower()
        if "label" not in cls.__dict__:
            cls.label = " ".join(words).capitalize()

    @abstractmethod
    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the measure of each slice in each replicate.

        Parameters
        ----------
        batch : Batch
            Original table and replicates of the protected table.
        axis : int or None
            Axis whose slices are measured; None measures the whole table as a single slice.

        Returns
        -------
        ndarray of float, shape (draws, slices)
            nan if the measure is undefined. A measure that needs only F may return one replicate for all.
        """

    def explain(self, batch: Batch) -> list[Line]:
        """Return the steps of the computation for the whole table in the first replicate, one line per step."""
        return []

    def before(self, table: FrequencyTable) -> float:
        """Return the measure of the table published without protection."""
        return float(self.values(Batch(table_of(table)))[0, 0])

    def greatest(self, table: FrequencyTable) -> float:
        """Return the largest possible value for tables with the same total; by default `high`."""
        return self.high

    @property
    def title(self) -> str:
        """Label, symbol, and the settings that distinguish this measure from others of its class."""
        words = [f"{self.label} ({self.symbol})" if self.symbol else self.label, *self.particulars()]
        return ", ".join(words)

    @property
    def column(self) -> str:
        """Name of the measure's column in a data frame."""
        return "_".join([self.name, *self._apart()])

    def particulars(self) -> list[str]:
        """Return descriptions of the measure's settings that differ from their defaults."""
        settings = ((item, getattr(self, item.name)) for item in self.own_settings())
        return [
            f"{item.label}: {item.choices.get(value, value)}"
            for item, value in settings
            if value != item.default
        ]

    def _apart(self) -> list[str]:
        return []

    def worse(self, value: float) -> float:
        """Return the value, with reversed sign if larger values are better, so that less is always better."""
        return -value if self.more_is_better else value

    @property
    def more_is_better(self) -> bool:
        """Whether a larger value is better: more utility, or less risk."""
        return self.direction in ("utility", "protection")

    def within(self, value: ArrayLike, limit: float) -> Any:
        """Return whether values satisfy a threshold.

        A risk must be below it, a loss at most equal to it, and a utility or protection at least equal to it.
        An undefined value satisfies every threshold.

        Examples
        --------
        >>> from sdcwidgets import measures
        >>> measures.get("r2")().within([0.2, 0.3], 0.3).tolist(), bool(measures.get("hellinger")().within(4, 4))
        ([True, False], True)
        """
        values = np.asarray(value, dtype=float)
        if self.more_is_better:
            within = values >= limit
        else:
            within = values < limit if self.direction == "risk" else values <= limit
        return (within | np.isnan(values))[()]

    def format_value(self, value: float, limit: float | None = None) -> str:
        """Return a value as text, with enough digits to distinguish it from the limit.

        Examples
        --------
        >>> from sdcwidgets import measures
        >>> measures.get("r2")().format_value(0.21496, 0.215), measures.get("r2")().format_value(0.21496, 0.3)
        ('0.21496', '0.2150')
        >>> measures.get("hellinger")().format_value(2.9751), measures.get("dr")().format_value(float("nan"))
        ('2.98', '–, no published count of 1 or 2')
        """
        if np.isnan(value):
            return f"–, {self.nothing}"
        if value == limit:
            return f"{value:.15g}"
        digits = self.digits
        while (
            limit is not None
            and digits < 15
            and np.sign(round(value, digits) - limit) != np.sign(value - limit)
        ):
            digits += 1
        return f"{value:.{digits}f}"

    @classmethod
    def own_settings(cls) -> tuple[Parameter, ...]:
        """Return the parameters of this class that are neither shared nor an axis (each axis has a line)."""
        return tuple(
            item for item in declared(cls) if item.name not in SHARED and not isinstance(item.kind, AxisNames)
        )

    @classmethod
    def of(cls, settings: object, **more: Any) -> Self:
        """Build the measure from the settings with the names of its parameters, and from further values."""
        # A page asks for each measure many times per change. Only settings that cannot change may be a key.
        kind: type = type(settings)
        find = _cached_measure_of if _is_frozen(kind) else _measure_of
        measure: Self = find(cls, settings, **more)
        return measure

    @classmethod
    def lines(cls, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
        """Return the measures of this class to display: one, or one per axis of the table."""
        along = _axis_setting(cls)
        if along is None:
            return (cls.of(settings),)
        if table.ndim == 1:
            return ()
        return tuple([cls.of(settings, **{along: axis.name}) for axis in table.axes])


@cache
def _axis_setting(cls: type[Measure]) -> str | None:
    """Return the name of the setting of a measure that is an axis, None if it has none."""
    for setting in declared(cls):
        if isinstance(setting.kind, AxisNames):
            return setting.name
    return None


def _measure_of(cls: type[Measure], settings: object, **more: object) -> Any:
    """Return a measure with the settings that have the names of its parameters, and its own."""
    values: dict[str, object] = {}
    for parameter in declared(cls):
        if hasattr(settings, parameter.name):
            values[parameter.name] = getattr(settings, parameter.name)
    for measure, name, value in getattr(settings, "of_measures", ()):
        if measure.replace("-", "_") == cls.name:
            values[name] = value
    return _cached_measure(cls, **(values | more))


_cached_measure_of = lru_cache(maxsize=1024, typed=True)(_measure_of)


@lru_cache(maxsize=1024, typed=True)
def _cached_measure(cls: type[object], **settings: object) -> Any:
    """Return a measure with these settings from a cache, because it is requested very often."""
    return cls(**settings)


#: Selections that are stored until there are too many.
_SELECTED: dict[tuple[object, ...], tuple[Measure, ...]] = {}
MOST_SELECTIONS = 256

_MEASURES = Registry[type[Measure]]("measure", lambda measure: measure.order)

M = TypeVar("M", bound=type[Measure])


def register(cls: M) -> M:
    """Register a measure under its name; a decorator above `@dataclass(frozen=True)`.

    Parameters
    ----------
    cls : type of Measure
        A frozen dataclass with a method `values(batch, axis)`; its fields are the settings.

    Returns
    -------
    type of Measure
        The same class, with its settings in the docstring. `get`, the pages and the command line then know it.

    Raises
    ------
    InputError
        If the class lacks a method, is not a frozen dataclass, its direction, needs or range are not valid, or another
        measure has the name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from sdcwidgets import measures
    >>> @measures.register
    ... @dataclass(frozen=True)
    ... class Nothing(measures.Measure):
    ...     label = "Nothing"
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: Nothing has no method values; define values(self, batch, axis) in it.
    """
    check_registered(cls, Measure, "measures.register")
    _check_description(cls)
    _MEASURES.add(cls.name, cls)
    return documented(cls)


def _check_description(cls: type[Measure]) -> None:
    """Raise InputError if the direction, the needs or the range of a measure are not valid."""
    directions, needs = get_args(Direction), get_args(Need)
    if cls.direction not in directions:
        raise InputError(
            f"{cls.__name__}.direction is {described(cls.direction)}; it must be one of {', '.join(directions)}."
        )
    if not isinstance(cls.needs, tuple) or not set(cls.needs) <= set(needs):
        raise InputError(
            f"{cls.__name__}.needs is {described(cls.needs)}; it must be a tuple with some of {', '.join(needs)}."
        )
    if not cls.low < cls.high:
        raise InputError(
            f"{cls.__name__} has the range from low = {cls.low:g} to high = {cls.high:g}; low must be below high."
        )


def available() -> tuple[str, ...]:
    """Return the names of all measures.

    Some measures need a method, a sampling method, or a method that changes individual records. Therefore,
    ``assess(..., measures="all")`` computes those that a table and a method allow.

    Examples
    --------
    >>> "hellinger" in available()
    True
    """
    return _MEASURES.names()


def get(name: str) -> type[Measure]:
    """Return the measure class with this name.

    Parameters
    ----------
    name : str
        A name of `available`; hyphens count as underscores.

    Returns
    -------
    type of Measure
        The class; call it with settings to get a measure.

    Raises
    ------
    InputError
        If there is no such measure.

    Examples
    --------
    >>> get("r1")().weights
    (0.1, 0.8, 0.1)
    """
    return _MEASURES.get(name.replace("-", "_") if isinstance(name, str) else name)


def select(
    table: FrequencyTable, settings: object, *, followed: bool = False, names: tuple[str, ...] | None = None
) -> tuple[Measure, ...]:
    """Return the measures of a protected table with these settings, in the order of the interface.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    settings : Settings
        Values of the parameters, by name.
    followed : bool
        Whether the method records which people stay in their cell; otherwise measures that need this are
        omitted.
    names : tuple of str, optional
        Names of measures, or of single columns such as "gad_star_area". By default all, except measures that
        need a sample.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> table = FrequencyTable([[3, 1], [0, 5]])
    >>> [measure.column for measure in select(table, None, names=("hellinger", "gad_star"))]
    ['hellinger', 'gad_star_row', 'gad_star_column']
    """
    table_of(table)
    check_flag("followed", followed)
    if names is not None:
        check_texts("names", names)
        names = tuple(names)
    kind: type = type(settings)
    if not _is_frozen(kind):
        return _lines_of(table, settings, followed, names)
    # Which measures there are depends on the names of the axes, not on counts. A page selects them at each change.
    key = (settings, followed, names, tuple([axis.name for axis in table.axes]), available())
    if key not in _SELECTED:
        if len(_SELECTED) >= MOST_SELECTIONS:
            _SELECTED.clear()
        _SELECTED[key] = _lines_of(table, settings, followed, names)
    return _SELECTED[key]


def _lines_of(
    table: FrequencyTable, settings: object, followed: bool, names: tuple[str, ...] | None
) -> tuple[Measure, ...]:
    selected = []
    for name in available() if names is None else names:
        lines = get(name).lines(table, settings) if names is None else _named(name, table, settings)
        for measure in lines:
            if (followed or "followed" not in measure.needs) and (names or "sample" not in measure.needs):
                selected.append(measure)
    return tuple(dict.fromkeys(selected))


@cache
def _is_frozen(cls: type) -> bool:
    """Return whether settings of a class cannot change, so that they can be the key of a cache."""
    parameters = getattr(cls, "__dataclass_params__", None)
    return cls is type(None) or (parameters is not None and parameters.frozen and parameters.eq)


def _named(name: str, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
    """Return the measures with this name, or the one measure whose column has this name."""
    if isinstance(name, str) and name.replace("-", "_") not in available():
        for kind in available():
            for measure in get(kind).lines(table, settings):
                if measure.column == name:
                    return (measure,)
    lines = get(name).lines(table, settings)
    versions = any(measure.version_of for measure in lines)
    return tuple([measure for measure in lines if not versions or measure.name == get(name).name])


def measured_values(measure: Measure, batch: Batch, axis: int | None) -> Floats:
    """Return the values of a measure, or raise InputError if they have another shape or are out of range.

    Parameters
    ----------
    measure : Measure
    batch : Batch
    axis : int or None
        Position of the axis of the slices; None for the whole table.

    Returns
    -------
    ndarray of float, shape (replicates, slices)
    """
    values = np.asarray(measure.values(batch, axis))
    wanted = (batch.size, 1 if axis is None else batch.table.shape[axis])
    if values.shape != wanted or values.dtype.kind not in "biuf":
        raise InputError(
            f"The method {type(measure).__name__}.values returned an array of the shape "
            f"{values.shape} and the type {values.dtype}; it must return numbers of the shape "
            f"{wanted}, one per replicate and slice."
        )
    is_outside = (values < measure.low - ROUNDING_ERROR) | (values > measure.high + ROUNDING_ERROR)
    if is_outside.any():
        raise InputError(
            f"The method {type(measure).__name__}.values returned {values[is_outside][0]:g}, but the values of the "
            f"measure are from low = {measure.low:g} to high = {measure.high:g}. Correct the values or the range."
        )
    return values
