"""The third term of the risk: three functions of how small a table is, and their printed values.

References: thesis, section 3.5.1 and Tables A.1.1 and A.1.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Annotated, Self

import numpy as np
from scipy.special import lambertw

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.risk.population import THIRD_TERMS, h1, h2
from sdcwidgets.tables.examples import figures as published_figures
from sdcwidgets.widgets.studies import Property, whole_counts
from sdcwidgets.widgets.studies.links import Linked

#: The three functions, in the order of the printed tables.
FUNCTIONS = ("h1", "h2", "h3")

#: The largest table whose values are marked.
LARGEST = 10_000

#: A cell holds at most this many people.
MOST = 1_000_000

#: Printed figures have four decimals; two of them are halves that the thesis rounds to even.
TOLERANCE = 0.5e-4 + 1e-12


@dataclass(frozen=True)
class SizeSettings(Declared):
    """What can be turned beside the counts."""

    epsilon: Annotated[
        float, Range(0, 1, 0.05), Label("ε"), Help("How fast a larger table counts as safer; 0: not at all.")
    ] = 0.5
    people: Annotated[
        int, Range(1, LARGEST), Label("People N"), Help("The size of table whose values are marked.")
    ] = 100
    fan: Annotated[
        str,
        Choices({"h1": "h₁", "h2": "h₂"}),
        Label("Other ε for"),
        Help("The thin lines show this function for ε = 0.1, 0.3, 0.5, 0.8 and 1."),
    ] = "h2"


@dataclass(frozen=True)
class SmallTable(Linked):
    """A row of counts and the settings of the third term.

    Attributes
    ----------
    counts : tuple of int
        F, 2 to 20 cells, not all of them empty.
    settings : SizeSettings
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0, 1, 1, 1, 2, 3)
    settings: SizeSettings = field(default_factory=SizeSettings)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", whole_counts(self.counts, "F", MOST))
        if not 2 <= len(self.counts) <= 20:
            raise InputError(f"F has {len(self.counts)} cells; it must have from 2 to 20.")

    def set(self, **changes: object) -> Self:
        """Return the same counts under other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))


@dataclass(frozen=True)
class Sizes:
    """Every number about one row of counts; it never changes.

    Attributes
    ----------
    table : SmallTable
    terms : dict of str to float
        h1, h2 and h3 of the row, each from 0 to 1.
    at : dict of str to float
        h1 and h2 at the chosen number of people.
    properties : tuple of Property
    """

    table: SmallTable
    terms: Mapping[str, float]
    at: Mapping[str, float]
    properties: tuple[Property, ...]

    @property
    def people(self) -> int:
        """N, the people in the row."""
        return sum(self.table.counts)

    @property
    def half(self) -> float:
        """The greatest N whose h2 is at least a half; infinite where size counts for nothing.

        With p = N^(-ε) it is where p·(1 - log p) = 1/2, and Lambert's W solves that.
        """
        epsilon = self.table.settings.epsilon
        with np.errstate(over="ignore"):
            largest = np.exp(-(1 + lambertw(-0.5 / np.e, -1).real) / epsilon) if epsilon else np.inf
        return float(np.floor(largest))


def measure(table: SmallTable) -> Sizes:
    """Return every number about a row of counts.

    Examples
    --------
    >>> {name: round(value, 4) for name, value in measure(SmallTable()).terms.items()}
    {'h1': 0.3536, 'h2': 0.7212, 'h3': 0.9693}
    """
    epsilon, people = table.settings.epsilon, table.settings.people
    values = {name: _value(name, table.counts, epsilon) for name in FUNCTIONS}
    at = {"h1": float(h1(people, epsilon)), "h2": float(h2(people, epsilon))}
    return Sizes(table, MappingProxyType(values), MappingProxyType(at), _properties(table))


@dataclass(frozen=True)
class Printed:
    """Thesis Tables A.1.1 and A.1.2 beside the values of the formulas.

    Attributes
    ----------
    source : str
    vectors : tuple of tuple of int
        F, a row each.
    columns : tuple of (function, epsilon)
    figures, values : ndarray, shape (rows, columns)
        What is printed, and what the formula gives.
    """

    source: str
    vectors: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[str, float], ...]
    figures: Floats
    values: Floats

    @property
    def differs(self) -> Flags:
        """Where print and formula differ by more than rounding."""
        return np.abs(self.figures - self.values) > TOLERANCE


@cache
def printed() -> Printed:
    """Return the printed tables, and what the formulas give, recomputed.

    Examples
    --------
    >>> tables = printed()
    >>> tables.figures.size, int(tables.differs.sum())
    (600, 1)
    """
    data = published_figures.load("h_functions")
    figure = {(tuple(row["F"]), row["epsilon"]): row for row in data["rows"]}
    vectors = tuple(dict.fromkeys(vector for vector, _ in figure))
    epsilons = sorted({epsilon for _, epsilon in figure})
    columns = tuple((name, epsilon) for epsilon in epsilons for name in FUNCTIONS)
    figures = np.array([[figure[vector, epsilon][name] for name, epsilon in columns] for vector in vectors])
    values = np.array([[_value(name, vector, epsilon) for name, epsilon in columns] for vector in vectors])
    figures.flags.writeable = values.flags.writeable = False
    return Printed(data["source"], vectors, columns, figures, values)


def _value(name: str, counts: tuple[int, ...], epsilon: float) -> float:
    return float(THIRD_TERMS[name](np.array(counts), epsilon, None))


def _properties(table: SmallTable) -> tuple[Property, ...]:
    F, epsilon = table.counts, table.settings.epsilon
    alone, ten = (0,) * 9 + (1,), (1,) * 10
    doubled = tuple(2 * count for count in F)
    # The place where one person more does the third function the most good: the emptiest cell.
    place = F.index(min(F))
    joined = tuple(count + (index == place) for index, count in enumerate(F))
    large = (1000,) * 10

    def falls(values: tuple[float, ...]) -> bool:
        return values[1] < values[0] - 1e-12

    tests: tuple[tuple[str, tuple[tuple[int, ...], ...], Callable[[tuple[float, ...]], bool]], ...] = (
        ("Between 0 and 1", (alone, ten, large), lambda values: all(0 <= value <= 1 for value in values)),
        ("Falls when every count doubles", (F, doubled), falls),
        ("Falls when one more person comes", (F, joined), falls),
        ("Tells ten people from one", (alone, ten), falls),
    )
    found = []
    for wish, tables, kept in tests:
        values = {name: tuple(_value(name, one, epsilon) for one in tables) for name in FUNCTIONS}
        found.append(Property(wish, tables, values, {name: kept(values[name]) for name in FUNCTIONS}))
    return tuple(found)
