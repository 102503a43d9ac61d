"""Results of the page Third term: the third terms of one row of counts, and published and recomputed values.

References: thesis, section 3.5.1 and Tables A.1.1 and A.1.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets.core.risk.population import THIRD_TERMS, h1, h2
from sdcwidgets.dashboards.third_term.state import ThirdTermState
from sdcwidgets.tables.examples import figures as published_figures
from sdcwidgets.widgets.page_state import Property

#: The three functions, in the order of the published tables.
FUNCTIONS = ("h1", "h2", "h3")


#: Maximum rounding error of published figures, which have four decimals. The thesis rounds two halves to even.
TOLERANCE = 0.5e-4 + 1e-12


@dataclass(frozen=True)
class ThirdTermResult:
    """All numbers about one row of counts; the object is immutable.

    Attributes
    ----------
    state : ThirdTermState
    terms : dict of str to float
        h1, h2 and h3 of the row, each from 0 to 1.
    at : dict of str to float
        h1 and h2 at the chosen number of people.
    properties : tuple of Property
    """

    state: ThirdTermState
    terms: Mapping[str, float]
    at: Mapping[str, float]
    properties: tuple[Property, ...]

    @property
    def people(self) -> int:
        """N, the number of people in the row."""
        return sum(self.state.counts)

    @property
    def half(self) -> float:
        """The largest N for which the chosen function, h1 or h2, is at least 0.5; infinite if ε is 0.

        For h1, N^(-ε) = 1/2. For h2 with p = N^(-ε), it is the solution of p·(1 - log p) = 1/2 by Lambert's W.
        """
        from scipy.special import lambertw

        settings = self.state.settings
        if settings.epsilon == 0:
            return float(np.inf)
        # The base 2 makes the result exact for h1 and ε = 1, 0.5, 0.25 and so on.
        power = 1.0 if settings.fan == "h1" else -(1 + lambertw(-0.5 / np.e, -1).real) / np.log(2)
        with np.errstate(over="ignore"):
            return float(np.floor(np.exp2(power / settings.epsilon)))


def compute(state: ThirdTermState) -> ThirdTermResult:
    """Return all numbers about a row of counts.

    Examples
    --------
    >>> {name: round(value, 4) for name, value in compute(ThirdTermState()).terms.items()}
    {'h1': 0.3536, 'h2': 0.7212, 'h3': 0.9693}
    """
    epsilon, people = state.settings.epsilon, state.settings.people
    values = {name: _value(name, state.counts, epsilon) for name in FUNCTIONS}
    at = {"h1": float(h1(people, epsilon)), "h2": float(h2(people, epsilon))}
    return ThirdTermResult(state, MappingProxyType(values), MappingProxyType(at), _properties(state))


@dataclass(frozen=True)
class PublishedTables:
    """Published and recomputed values of the thesis' Tables A.1.1 and A.1.2.

    Attributes
    ----------
    source : str
    vectors : tuple of tuple of int
        F, one vector per row.
    columns : tuple of (function, epsilon)
    figures, values : ndarray, shape (rows, columns)
        Published figures and recomputed values.
    """

    source: str
    vectors: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[str, float], ...]
    figures: Floats
    values: Floats

    @property
    def differs(self) -> Flags:
        """Mask of the figures that differ from the formula by more than rounding."""
        return np.abs(self.figures - self.values) > TOLERANCE


@cache
def published_tables() -> PublishedTables:
    """Return the published tables and their recomputed values.

    Examples
    --------
    >>> tables = published_tables()
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
    return PublishedTables(data["source"], vectors, columns, figures, values)


def _value(name: str, counts: tuple[int, ...], epsilon: float) -> float:
    return float(THIRD_TERMS[name](np.array(counts), epsilon, None))


def _properties(state: ThirdTermState) -> tuple[Property, ...]:
    F, epsilon = state.counts, state.settings.epsilon
    single = (0,) * 9 + (1,)
    ten = (1,) * 10
    doubled = tuple(2 * count for count in F)
    # The third function decreases most if the additional person joins the cell with the smallest count.
    emptiest = F.index(min(F))
    joined = tuple(count + (index == emptiest) for index, count in enumerate(F))
    large = (1000,) * 10

    def is_in_range(values: tuple[float, ...]) -> bool:
        return all(0 <= value <= 1 for value in values)

    def falls(values: tuple[float, ...]) -> bool:
        return values[1] < values[0] - 1e-12

    tests: tuple[tuple[str, tuple[tuple[int, ...], ...], Callable[[tuple[float, ...]], bool]], ...] = (
        ("The third term is between 0 and 1", (single, ten, large), is_in_range),
        ("The third term decreases if all counts double", (F, doubled), falls),
        ("The third term decreases if one person is added", (F, joined), falls),
        ("The third term is smaller for ten people than for one person", (single, ten), falls),
    )
    properties = []
    for wish, tables, holds in tests:
        values = {name: tuple(_value(name, counts, epsilon) for counts in tables) for name in FUNCTIONS}
        properties.append(Property(wish, tables, values, {name: holds(values[name]) for name in FUNCTIONS}))
    return tuple(properties)
