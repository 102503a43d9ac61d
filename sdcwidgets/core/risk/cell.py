r"""A posteriori risk of a cell: how much what is published leaves open about it.

The risk is the reciprocal of the entropy, in bits, that the intruder's constraints leave. Where every value
between two bounds is as likely as the others, that is :math:`1/\log_2 m` with m the number of values left.
How the bounds are found is the matter of `core.bounds`; what constraints do together that of `rank`.

Reference: O&DF, that is Oganian and Domingo-Ferrer 2003.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Numbers, plain
from ..bounds import Bounds, Published, published_equations

#: The rank is found from a dense matrix; this many numbers of it fit in memory easily.
LARGEST_MATRIX = 40_000_000


def values_left(intervals: Bounds | tuple[ArrayLike, ArrayLike], unit: float = 1) -> Floats:
    """Return m, how many values each cell may still have.

    Parameters
    ----------
    intervals : pair of array_like
        The lowest and the highest value of each cell, as `bounds.intervals` gives them; an upper bound may
        be infinite.
    unit : float
        What two neighbouring values differ by: 1 for counts, 0.01 for amounts with two decimals.

    Returns
    -------
    ndarray of float
        At least 1; infinite where nothing bounds the cell.

    Raises
    ------
    ValueError
        If a bound is nan, an interval holds no value, or `unit` is not above 0.

    References
    ----------
    O&DF, section 3, note 1.

    Examples
    --------
    >>> values_left(([0, 1131], [406, 1537])).tolist()
    [407.0, 407.0]
    """
    if not unit > 0:
        raise ValueError(f"The unit of the values must be above 0, not {unit}.")
    lower, upper = (np.asarray(bound, dtype=np.float64) / unit for bound in intervals)
    if np.isnan(lower).any() or np.isnan(upper).any():
        raise ValueError(
            "An interval has a bound that is not a number; use 0 and infinity where none is known."
        )
    # A linear program gives 2.9999999 for 3.
    number: Floats = np.floor(upper + 1e-6) - np.ceil(lower - 1e-6) + 1
    if np.any(number < 1):
        where = tuple(int(i) for i in np.argwhere(number < 1)[0])
        raise ValueError(
            f"The interval of cell {where} holds no value: what is published contradicts itself."
        )
    return plain(number)


def a_posteriori(intervals: Bounds | tuple[ArrayLike, ArrayLike], unit: float = 1) -> Floats:
    r"""Return the a posteriori disclosure risk of each cell, all values between its bounds being as likely.

    .. math:: DR(x) = \frac{1}{H(x \mid \text{what is known})} = \frac{1}{\log_2 m}

    Parameters
    ----------
    intervals : pair of array_like
        The lowest and the highest value of each cell.
    unit : float
        What two neighbouring values differ by.

    Returns
    -------
    ndarray of float
        From 0 (nothing bounds the cell) over 1 (two values are left) to infinity: exact disclosure, one
        value is left.

    Raises
    ------
    ValueError
        If an interval holds no value.

    References
    ----------
    O&DF, equations (2) and (3).

    Examples
    --------
    The four suppressed cells of Table 1 in O&DF:

    >>> a_posteriori(([0, 1131, 0, 845], [406, 1537, 406, 1251])).round(3).tolist()
    [0.115, 0.115, 0.115, 0.115]
    >>> a_posteriori(([3, 0], [3, 1])).tolist()
    [inf, 1.0]
    """
    return _reciprocal(np.log2(values_left(intervals, unit)))


def from_distribution(chances: ArrayLike, axis: int = -1) -> Floats:
    r"""Return the a posteriori risk where values are not equally likely: :math:`1/-\sum p \log_2 p`.

    Parameters
    ----------
    chances : array_like
        The chance of each value given what is published, summing to 1 along `axis`.
    axis : int
        The axis of the values.

    Returns
    -------
    ndarray of float
        From above 0 to infinity.

    Raises
    ------
    ValueError
        If chances are negative or don't sum to 1.

    References
    ----------
    O&DF, equation (2).

    Examples
    --------
    >>> from_distribution([[0.5, 0.5], [0.25, 0.75], [1, 0]]).round(3).tolist()
    [1.0, 1.233, inf]
    """
    p = np.asarray(chances, dtype=np.float64)
    if not np.all(p >= 0) or not np.allclose(p.sum(axis=axis), 1):
        raise ValueError("The chances of the values of a cell must be 0 or more and sum to 1.")
    from scipy.special import entr

    return _reciprocal(np.sum(entr(p), axis=axis) / np.log(2))


def insider(
    intervals: Bounds | tuple[ArrayLike, ArrayLike], own: ArrayLike, *, largest: bool = False
) -> Bounds:
    """Return the interval of another contributor of the cell, as one who knows an own contribution sees it.

    The other has at most what the cell holds beside the own contribution, and at least nothing.

    Parameters
    ----------
    intervals : pair of array_like
        The lowest and the highest value of each cell.
    own : array_like
        What the intruder contributed to it.
    largest : bool
        Whether the intruder knows that the other's contribution is larger than its own.

    Returns
    -------
    Bounds

    Raises
    ------
    ValueError
        If the own contribution is negative or more than the cell can hold.

    References
    ----------
    O&DF, section 4.5.4 and equation (22).

    Examples
    --------
    A cell is between 995 and 1004. Who comes second in it, with 400, knows the largest contributor's turnover
    within 50 per cent; anyone else knows only that it is at most 1004.

    >>> bounds = insider(([995], [1004]), 400, largest=True)
    >>> bounds.lower.tolist(), bounds.upper.tolist()
    ([401.0], [604.0])
    """
    _, upper = (np.asarray(bound, dtype=np.float64) for bound in intervals)
    part = np.asarray(own, dtype=np.float64)
    if np.any(part < 0) or np.any(part > upper):
        raise ValueError("An own contribution must be between 0 and the highest value of its cell.")
    least = part + 1 if largest else np.zeros_like(part)
    if np.any(least > upper - part):
        raise ValueError("No other contribution can be larger than the own one in a cell of this value.")
    return Bounds(np.broadcast_to(least, np.broadcast_shapes(upper.shape, part.shape)), upper - part)


def expected(
    intervals: Bounds | tuple[ArrayLike, ArrayLike],
    pattern: ArrayLike,
    chances: ArrayLike | None = None,
    unit: float = 1,
) -> float:
    """Return the expected a posteriori risk of a suppressed cell over a pattern.

    Parameters
    ----------
    intervals : pair of array_like
        The lowest and the highest value of each cell.
    pattern : array_like of bool
        The suppressed cells; only they count.
    chances : array_like, optional
        How likely an intruder is after each cell, any scale; default: each suppressed cell alike.
    unit : float
        What two neighbouring values differ by.

    Returns
    -------
    float
        Infinite if a cell that can be asked for is disclosed exactly.

    Raises
    ------
    ValueError
        If nothing is suppressed, or the chances are negative or all 0.

    Examples
    --------
    >>> round(expected(([0, 5, 0], [406, 5, 1]), [True, False, True]), 3)
    0.558
    """
    hidden = np.asarray(pattern, dtype=bool)
    weights = np.ones(hidden.shape) if chances is None else np.asarray(chances, dtype=np.float64)
    weights = np.where(hidden, weights, 0)
    if not np.all(weights >= 0) or not weights.sum() > 0:
        raise ValueError("A pattern needs a suppressed cell, and chances of 0 or more that are not all 0.")
    risk = a_posteriori(intervals, unit)
    counted = weights > 0
    return float(np.sum(risk[counted] * weights[counted]) / weights.sum())


def within_rounding(values: ArrayLike, base: int) -> Bounds:
    r"""Return the whole numbers that conventional rounding may have turned into each published value.

    .. math:: x \in [(n - \tfrac12) b, (n + \tfrac12) b), \quad x \ge 0

    Raises
    ------
    ValueError
        If the base is below 2 or a value is no multiple of it.

    References
    ----------
    O&DF, section 4.2.

    Examples
    --------
    >>> bounds = within_rounding([0, 5, 10], 5)
    >>> bounds.lower.tolist(), bounds.upper.tolist()
    ([0, 3, 8], [2, 7, 12])
    >>> a_posteriori(bounds).round(3).tolist()
    [0.631, 0.431, 0.431]
    """
    published: Numbers = np.asarray(values)
    if base < 2 or np.any(published % base):
        raise ValueError(f"Every published value must be a multiple of the base {base}, which is at least 2.")
    # Whole numbers x with 2x >= (2n - 1) b and 2x < (2n + 1) b.
    lower = -((base - 2 * published) // 2)
    upper = (2 * published + base - 1) // 2
    return Bounds(np.maximum(lower, 0), upper)


def rank(published: Published) -> int:
    """Return the rank of the equations that published tables put on the cells of the table behind them.

    Each published value is an equation: a sum of cells. Equations that follow from the others add nothing,
    so the cells less the rank is what is left free. A suppression that lowers the rank frees more.

    Parameters
    ----------
    published : mapping of tuple of int to array_like
        An array for each set of axes that a released table keeps; nan is not published. Only where a nan is
        matters, and an array of nothing but nan is a table that is not released.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the arrays do not belong to one table, or there are more equations than can be looked at.

    References
    ----------
    O&DF, section 4.5, Propositions 1 to 3.

    Examples
    --------
    Three activities, four sizes, three regions; the tables AS, AR and SR are released.

    >>> import numpy as np
    >>> released = {(0, 1): np.zeros((3, 4)), (0, 2): np.zeros((3, 3)), (1, 2): np.zeros((4, 3))}
    >>> rank(released)
    24
    """
    matrix, _ = published_equations(published)
    if matrix.shape[0] * matrix.shape[1] > LARGEST_MATRIX:
        raise ValueError(
            f"The rank of {matrix.shape[0]:,} equations in {matrix.shape[1]:,} unknowns is too much to compute; "
            "take a smaller table."
        )
    if not matrix.nnz:
        return 0
    return int(np.linalg.matrix_rank(matrix.toarray()))


def _reciprocal(entropy: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return plain(1 / np.asarray(np.maximum(entropy, 0)))
