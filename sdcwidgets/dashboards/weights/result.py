"""Results of the page Weights: the weighted risk, the weights of maximum w·x, and two means without weights.

References: thesis, sections 3.5.1 and 3.5.2; the properties are those of PSD 2014, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.core.risk.population import DEFAULT_WEIGHTS, terms
from sdcwidgets.dashboards.weights.state import WeightsState
from sdcwidgets.tables import examples
from sdcwidgets.widgets.page_state import Property

Counts = tuple[int, ...]

#: Labels of the means of the three terms.
MEANS: Mapping[str, str] = MappingProxyType(
    {
        "weighted": "Weighted mean w·x",
        "geometric": "Geometric mean",
        "rms": "Root mean square of the terms, R₁*",
        "length": "Length ‖x‖",
    }
)


@dataclass(frozen=True)
class Examples:
    """The means of the published tables.

    Attributes
    ----------
    names, titles : tuple of str
        One per table.
    means : dict of str to ndarray
        Values of each mean, one per table.
    """

    names: tuple[str, ...]
    titles: tuple[str, ...]
    means: Mapping[str, Floats]


@dataclass(frozen=True)
class WeightsResult:
    """All numbers about the weights of one table; the object is immutable.

    Attributes
    ----------
    assessment : Assessment
    x : ndarray, shape (3,)
        The three terms of the table.
    w : ndarray, shape (3,)
        The chosen weights, which sum to 1.
    means : dict of str to float
        Each of the `MEANS` of x.
    examples : Examples
    properties : tuple of Property
        Properties 1A to 4, tested on each mean.
    """

    assessment: Assessment
    x: Floats
    w: Floats
    means: Mapping[str, float]
    examples: Examples
    properties: tuple[Property, ...]

    @property
    def unit(self) -> Floats:
        """The chosen weights, scaled to length 1: a point of the sphere."""
        return self.w / np.linalg.norm(self.w)

    @property
    def best(self) -> Floats:
        """The weights of length 1 with the largest w·x: x/‖x‖."""
        return self.x / self.means["length"]

    @property
    def along(self) -> float:
        """w·x for the chosen weights of length 1; at most ‖x‖."""
        return float(self.unit @ self.x)

    @property
    def angle(self) -> float:
        """Angle between the chosen weights and x, in degrees."""
        return float(np.degrees(np.arccos(np.clip(self.unit @ self.best, -1, 1))))


def means(x: ArrayLike, weights: ArrayLike) -> dict[str, Floats]:
    r"""Return each mean of three terms: :math:`w \cdot x`, :math:`(x_1x_2x_3)^{1/3}`, :math:`\|x\|/\sqrt3`, length.

    Parameters
    ----------
    x : array_like, shape (..., 3)
        The terms, each from 0 to 1.
    weights : array_like of 3
        0 or more, with sum 1.

    References
    ----------
    Thesis, (3.5.2) and (3.5.4), and the end of section 3.5.1.

    Examples
    --------
    >>> {name: round(float(value), 4) for name, value in means(terms([0, 2, 4]), (0.1, 0.8, 0.1)).items()}
    {'weighted': 0.4472, 'geometric': 0.477, 'rms': 0.5438, 'length': 0.9419}
    """
    x = np.asarray(x, dtype=np.float64)
    length = np.linalg.norm(x, axis=-1)
    return {
        "weighted": x @ np.asarray(weights),
        "geometric": np.cbrt(np.prod(x, axis=-1)),
        "rms": length / np.sqrt(3),
        "length": length,
    }


def compute(state: WeightsState) -> WeightsResult:
    """Return all numbers about the weights of a table.

    Raises
    ------
    InputError
        If all counts are 0, or the table has only one cell.
    """
    settings = state.settings
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    if state.table.cells < 2:
        raise InputError("The table has one cell; it must have two or more cells.")
    assessment = Assessment.of(state.table, settings)
    x, w = assessment.whole_slice.terms[0], np.asarray(settings.weights)
    names, titles, rows = _example_terms()
    return WeightsResult(
        assessment,
        x,
        w,
        {name: float(value) for name, value in means(x, w).items()},
        Examples(names, titles, means(rows, w)),
        _properties(w),
    )


def choices(x: Floats) -> dict[str, tuple[float, ...]]:
    """Return the selectable weights, each with sum 1: of PSD 2014, equal, and proportional to x.

    Examples
    --------
    >>> choices(np.array([0.5, 0.25, 0.25]))["best"]
    (0.5, 0.25, 0.25)
    """
    return {"print": DEFAULT_WEIGHTS, "equal": (1 / 3,) * 3, "best": tuple((x / x.sum()).round(12).tolist())}


@cache
def _example_terms() -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    known = [example for example in examples.available().values() if example.unit == "people"]
    rows = np.stack([terms(example.table.counts) for example in known])
    rows.flags.writeable = False
    return tuple(example.name for example in known), tuple(example.title for example in known), rows


def _properties(w: Floats) -> tuple[Property, ...]:
    """Test the properties of PSD 2014 on tables.

    The limit between high and low is half of the maximum of a mean, which is 1 or √3.
    """
    properties = []
    for wish, tables, holds_for in _TESTS:
        x = np.stack([terms(np.array(table)) for table in tables])
        values = {name: tuple(value.tolist()) for name, value in means(x, w).items()}
        holds = {
            name: holds_for(value, np.sqrt(3) if name == "length" else 1.0) for name, value in values.items()
        }
        properties.append(Property(wish, tables, values, holds))
    return tuple(properties)


def _falls(values: Sequence[float], _: float) -> bool:
    return all(after < before - 1e-9 for before, after in pairwise(values))


def _rises(values: Sequence[float], most: float) -> bool:
    return _falls([-value for value in values], most)


def _is_high(values: Sequence[float], most: float) -> bool:
    return min(values) >= most / 2


def _is_low(values: Sequence[float], most: float) -> bool:
    return max(values) <= most / 2


def _is_in_range(values: Sequence[float], _: float) -> bool:
    return 0 <= min(values) <= max(values) <= 1


def _is_positive(values: Sequence[float], _: float) -> bool:
    return min(values) > 0


_TESTS: tuple[tuple[str, tuple[Counts, ...], Callable[[Sequence[float], float], bool]], ...] = (
    (
        "Property 1A: the mean is high if only one cell is populated",
        ((0,) * 9 + (10,), (0,) * 9 + (1_000_000,)),
        _is_high,
    ),
    ("Property 1B: the mean is low if all counts are equal", ((1,) * 10, (1000,) * 10), _is_low),
    ("Property 2: the mean is lower for larger counts", ((1, 2, 3, 4), (10, 20, 30, 40)), _falls),
    ("Property 3: the mean is higher if more cells are empty", ((0, 5), (0,) * 9 + (5,)), _rises),
    ("Property 4: the mean is between 0 and 1", ((0,) * 99 + (1,), (1000,) * 10), _is_in_range),
    ("The mean is above 0 even if one of the terms is 0", ((1,) * 9 + (991,),), _is_positive),
)
