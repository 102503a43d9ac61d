"""What every measure is: a definition from which its numbers, its words, its axis and its flag come.

Adding a measure is one class in one file: a frozen dataclass below `register`, with class variables that say
what it is, and `values`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.docstrings import documented
from sdcwidgets._util.lines import Line
from sdcwidgets._util.parameters import AxisNames, Declared, Parameter, check_names, declared
from sdcwidgets._util.registry import Registry
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

#: What a greater number means: more risk, less risk, more information lost, or more use for the reader.
Direction = Literal["risk", "protection", "loss", "utility"]

#: What a measure is computed from: the true counts; those that are published; who is still in the same cell; a sample.
Need = Literal["before", "after", "followed", "sample"]


#: Settings that measures share by their names; any other one is a measure's own.
SHARED = frozenset({"weights", "third", "epsilon", "variant", "replications", "seed"})


class Measure(Declared, ABC):
    """A measure of disclosure risk, information loss or utility, with its settings.

    Attributes
    ----------
    name : str
        The name of the measure in Python, JSON, columns and on the command line; made from the class name.
    label, symbol : str
        Its name in plain words, and the field's symbol, "" where there is none.
    unit : str
        What it is counted in, "" for a share or a number without one.
    low, high : float
        Its range, both ends included; `greatest` is the end for one table.
    direction : {"risk", "protection", "loss", "utility"}
        What a greater number means.
    source : str
        Where it is defined, with equation or section.
    needs : tuple of {"before", "after", "followed", "sample"}
        What it is computed from.
    gaps : str
        How it treats a cell of which nothing is published.
    nothing : str
        What a value that is not defined means, as a few words after "–, ".
    digits : int
        How many digits after the point are shown.
    sliced : bool
        Whether each slice of a table has a value of its own.
    usual : bool
        Whether it is computed for all slices without being asked for; the others are quick enough for one table.
    order : float
        Its place on the screens; measures with the same place stand as they are found.
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
    gaps: ClassVar[str] = "A gap counts as the mean of all counts that are hidden."
    nothing: ClassVar[str] = "nothing to count"
    digits: ClassVar[int] = 4
    sliced: ClassVar[bool] = True
    usual: ClassVar[bool] = False
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
        """Return the measure of each slice in each draw.

        Parameters
        ----------
        batch : Batch
        axis : int or None
            The axis whose slices are measured, or None for the whole table as its only slice.

        Returns
        -------
        ndarray of float, shape (draws, slices)
            nan where it is not defined. A measure that needs F only may return one draw for all.
        """

    def explain(self, batch: Batch) -> list[Line]:
        """Return how the number of the whole table comes about, in the first draw of a batch; a line a step."""
        return []

    def before(self, table: FrequencyTable) -> float:
        """Return the measure of the table as it is, published without protection."""
        return float(self.values(Batch(table))[0, 0])

    def greatest(self, table: FrequencyTable) -> float:
        """Return the greatest value that is possible for a table whose total is kept, as a rule `high`."""
        return self.high

    @property
    def title(self) -> str:
        """The label, the symbol, and the settings that tell it from another of its kind."""
        words = [f"{self.label}, {self.symbol}" if self.symbol else self.label, *self.particulars()]
        return ", ".join(words)

    @property
    def column(self) -> str:
        """The name of its column in a data frame."""
        return "_".join([self.name, *self._apart()])

    def particulars(self) -> list[str]:
        """Return in words the settings that tell one line of this measure from another: those that were turned."""
        settings = ((item, getattr(self, item.name)) for item in self.own_settings())
        return [
            f"{item.label}: {item.choices.get(value, value)}"
            for item, value in settings
            if value != item.default
        ]

    def _apart(self) -> list[str]:
        return []

    def worse(self, value: float) -> float:
        """Return the value with its sign turned where more is better: less of it is always good."""
        return -value if self.more_is_better else value

    @property
    def more_is_better(self) -> bool:
        """Whether a greater number is good: more use, or less risk."""
        return self.direction in ("utility", "protection")

    def within(self, value: ArrayLike, limit: float) -> Any:
        """Return whether values keep a threshold: a risk is below it, a loss at most it, what is good at least it.

        A value that is not defined counts nothing against the table.

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
        """Return a value as it is shown; beside a limit with as many digits as tell them apart.

        >>> from sdcwidgets import measures
        >>> measures.get("r2")().format_value(0.21496, 0.215), measures.get("r2")().format_value(0.21496, 0.3)
        ('0.21496', '0.2150')
        >>> measures.get("hellinger")().format_value(2.9751), measures.get("dr")().format_value(float("nan"))
        ('2.98', '–, nothing to count')
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
        """Return the parameters that it shares with no other measure; an axis is none, as each has a line."""
        return tuple(
            item for item in declared(cls) if item.name not in SHARED and not isinstance(item.kind, AxisNames)
        )

    @classmethod
    def of(cls, settings: object, **more: Any) -> Self:
        """Return the measure with the settings that have the names of its parameters, and its own."""
        known = {
            item.name: getattr(settings, item.name) for item in declared(cls) if hasattr(settings, item.name)
        }
        own = {
            name: value
            for of, name, value in getattr(settings, "of_measures", ())
            if of.replace("-", "_") == cls.name
        }
        measure: Self = _cached_measure(cls, **(known | own | more))
        return measure

    @classmethod
    def lines(cls, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
        """Return the measures of this kind that a screen shows: one, or one for each axis of the table."""
        along = next((setting.name for setting in declared(cls) if isinstance(setting.kind, AxisNames)), None)
        if along is None:
            return (cls.of(settings),)
        if table.ndim == 1:
            return ()
        return tuple(cls.of(settings, **{along: axis.name}) for axis in table.axes)


@lru_cache(maxsize=1024, typed=True)
def _cached_measure(cls: type[object], **settings: object) -> Any:
    """Return a measure with these settings, checked once: it is asked for at every turn."""
    return cls(**settings)


_MEASURES = Registry[type[Measure]]("measure", lambda measure: measure.order)

M = TypeVar("M", bound=type[Measure])


def register(cls: M) -> M:
    """Make a measure known by its name; a decorator above `@dataclass(frozen=True)`."""
    check_names(cls, Measure)
    _MEASURES.add(cls.name, cls)
    return documented(cls)


def available() -> tuple[str, ...]:
    """Return the names of all measures.

    >>> "hellinger" in available()
    True
    """
    return _MEASURES.names()


def get(name: str) -> type[Measure]:
    """Return the measure of that name.

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
    """Return the measures of a protected table, with these settings, in the order of the screens.

    Parameters
    ----------
    table : FrequencyTable
    settings : Settings
        Gives every parameter of a measure that has the name of one of its fields.
    followed : bool
        Whether the method follows people; without it measures that need them are left out.
    names : tuple of str, optional
        Only these: names of measures, or of single columns such as "gad_star_area". A measure that needs a sample is
        among them only if it is named.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> table = FrequencyTable([[3, 1], [0, 5]])
    >>> [one.title for one in select(table, None, names=("hellinger", "gad_star"))]
    ['Information lost, HD', 'Groups still seen, GAD*, by Row', 'Groups still seen, GAD*, by Column']
    """
    measures = [
        measure
        for name in (available() if names is None else names)
        for measure in _named(name, table, settings)
        if (followed or "followed" not in measure.needs) and (names or "sample" not in measure.needs)
    ]
    return tuple(measures)


def _named(name: str, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
    """Return the measures with this name, or the one measure whose column has this name."""
    if isinstance(name, str) and name.replace("-", "_") not in available():
        for kind in available():
            for measure in get(kind).lines(table, settings):
                if measure.column == name:
                    return (measure,)
    return get(name).lines(table, settings)
