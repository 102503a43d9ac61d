"""Third term of the population risk, which measures how small the table is: a family of three functions.

References: thesis, section 3.5.1 and Tables A.1.1 and A.1.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Axis, Floats, Numbers, as_counts, cells_last, plain


def h1(N: ArrayLike, epsilon: float = 0.5) -> Floats:
    r"""Return the third term :math:`h_1 = N^{-\varepsilon}`, from 0 to 1 and decreasing in N.

    References
    ----------
    Thesis, section 3.5.1 and Table A.1.1.

    Examples
    --------
    >>> round(float(h1(10, 0.8)), 4)
    0.1585
    """
    return plain(_people(N) ** -_exponent(epsilon))


def h2(N: ArrayLike, epsilon: float = 0.5) -> Floats:
    r"""Return the third term :math:`h_2 = -N^{-\varepsilon}\log(e^{-1}N^{-\varepsilon})`, from 0 to 1.

    It decreases in N.

    References
    ----------
    Thesis, section 3.5.1 and Table A.1.1; with ε = ½ the third term of PSD 2014 (3).

    Examples
    --------
    >>> round(float(h2(6)), 4)
    0.774
    """
    logs = -_exponent(epsilon) * np.log(_people(N))
    return plain(np.exp(logs) * (1 - logs))


def h3(F: ArrayLike, epsilon: float = 0.5, axis: Axis = None) -> Floats:
    r"""Return the third term :math:`h_3`, the mean of :math:`h_2(F_i, \varepsilon)` over the populated cells.

    It is from 0 to 1. For a table of ones it is 1 whatever the size, so the thesis prefers `h2`.

    References
    ----------
    Thesis, section 3.5.1 and Table A.1.1.

    Examples
    --------
    >>> round(float(h3([0, 0, 0, 0, 0, 1, 1, 1, 2, 3], 0.5)), 4)
    0.9693
    """
    cells = cells_last(as_counts(F), axis)
    populated = cells > 0
    if not populated.any(axis=-1).all():
        raise ValueError("The third term is undefined for a table without people (N = 0).")
    total = np.sum(h2(np.where(populated, cells, 1), epsilon), axis=-1, where=populated)
    return plain(np.asarray(total / np.count_nonzero(cells, axis=-1)))


def _h1_of_table(F: Numbers, epsilon: float, axis: Axis) -> Floats:
    return h1(np.sum(F, axis=axis), epsilon)


def _h2_of_table(F: Numbers, epsilon: float, axis: Axis) -> Floats:
    return h2(np.sum(F, axis=axis), epsilon)


#: Third terms by name, as functions of counts, ε and the axes of a table.
THIRD_TERMS: Mapping[str, Callable[[Numbers, float, Axis], Floats]] = MappingProxyType(
    {"h1": _h1_of_table, "h2": _h2_of_table, "h3": h3}
)


def check_third(third: str, epsilon: float) -> None:
    """Raise ValueError unless the name of the third term is known and its exponent is in [0, 1]."""
    if third not in THIRD_TERMS:
        raise ValueError(f"The third term must be one of {', '.join(THIRD_TERMS)}, not {third!r}.")
    _exponent(epsilon)


def _exponent(epsilon: float) -> float:
    if not 0 <= epsilon <= 1:
        raise ValueError(f"The exponent ε of the third term must be from 0 to 1, not {epsilon}.")
    return float(epsilon)


def _people(N: ArrayLike) -> Floats:
    people = as_counts(N, "N").astype(np.float64)
    if not people.min() > 0:
        raise ValueError("The third term is undefined for a table without people (N = 0).")
    return people
