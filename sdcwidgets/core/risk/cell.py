r"""A posteriori risk of a cell: the reciprocal of the entropy that the published values leave.

The entropy is in bits. If every value between two bounds has the same probability, the risk is :math:`1/\log_2
m`, where m is the number of possible values. `core.bounds` computes the bounds; `rank` measures how far the
published values determine the table.

Reference: O&DF, that is Oganian and Domingo-Ferrer 2003.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Numbers, plain
from ..bounds import Bounds, Published, published_equations

#: Maximum number of entries of the dense matrix for the rank; larger matrices need too much memory.
LARGEST_MATRIX = 40_000_000


def values_left(intervals: Bounds | tuple[ArrayLike, ArrayLike], unit: float = 1) -> Floats:
    """Return the number m of values that each cell can have.

    Parameters
    ----------
    intervals : pair of array_like
        Lowest and highest value of each cell, for example from `bounds.intervals`; upper bounds may be infinite.
    unit : float
        Difference between neighbouring values: 1 for counts, 0.01 for amounts with two decimals.

    Returns
    -------
    ndarray of float
        1 or more; infinite if nothing bounds the cell.

    Raises
    ------
    ValueError
        If a bound is nan, an interval contains no value, or `unit` is not above 0.

    References
    ----------
    O&DF, section 3, note 1.

    Examples
    --------
    >>> values_left(([0, 1131], [406, 1537])).tolist()
    [407.0, 407.0]
    """
    if not unit > 0:
        raise ValueError(f"The unit of the values must be above 0; it is {unit}.")
    lower, upper = (np.asarray(bound, dtype=np.float64) / unit for bound in intervals)
    if np.isnan(lower).any() or np.isnan(upper).any():
        raise ValueError(
            "A bound of an interval is nan. Use 0 for an unknown lower bound and infinity for an unknown upper bound."
        )
    # Linear programs return 2.9999999 for 3.
    number: Floats = np.floor(upper + 1e-6) - np.ceil(lower - 1e-6) + 1
    if np.any(number < 1):
        where = tuple(int(i) for i in np.argwhere(number < 1)[0])
        raise ValueError(
            f"The interval of cell {where} contains no value: the published values contradict each other."
        )
    return plain(number)


def a_posteriori(intervals: Bounds | tuple[ArrayLike, ArrayLike], unit: float = 1) -> Floats:
    r"""Return the a posteriori disclosure risk of each cell if all values in its interval are equally likely.

    .. math:: DR(x) = \frac{1}{H(x \mid \text{what is known})} = \frac{1}{\log_2 m}

    Parameters
    ----------
    intervals : pair of array_like
        Lowest and highest value of each cell.
    unit : float
        Difference between neighbouring values.

    Returns
    -------
    ndarray of float
        0 if nothing bounds the cell, 1 if two values are possible, and infinity if only one value is possible
        (exact disclosure).

    Raises
    ------
    ValueError
        If a bound is nan, an interval contains no value, or `unit` is not above 0.

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
    r"""Return the a posteriori risk if values are not equally likely: :math:`1/-\sum p \log_2 p`.

    Parameters
    ----------
    chances : array_like
        Probability of each value given the published values; the sum along `axis` is 1.
    axis : int
        Axis of the values.

    Returns
    -------
    ndarray of float
        Risk above 0; infinity if one value has probability 1.

    Raises
    ------
    ValueError
        If a probability is negative, or the sum is not 1.

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
        raise ValueError("The probabilities of the values of a cell must be 0 or more and have the sum 1.")
    from scipy.special import entr

    return _reciprocal(np.sum(entr(p), axis=axis) / np.log(2))


def insider(
    intervals: Bounds | tuple[ArrayLike, ArrayLike], own: ArrayLike, *, largest: bool = False
) -> Bounds:
    """Return the interval of another contribution to a cell, as seen by an internal intruder.

    The intruder knows their own contribution. The other contribution is at least 0, and at most the upper bound
    of the cell minus the own contribution.

    Parameters
    ----------
    intervals : pair of array_like
        Lowest and highest value of each cell.
    own : array_like
        The intruder's contribution to each cell.
    largest : bool
        Whether the intruder knows that the other contribution is larger than their own.

    Returns
    -------
    Bounds

    Raises
    ------
    ValueError
        If the own contribution is negative or above the upper bound of the cell, or if `largest` is True and no
        larger contribution is possible.

    References
    ----------
    O&DF, section 4.5.4 and equation (22).

    Examples
    --------
    A cell is between 995 and 1004. The second largest contributor, with 400, learns that the largest
    contribution is between 401 and 604. Anyone else learns only that it is at most 1004.

    >>> bounds = insider(([995], [1004]), 400, largest=True)
    >>> bounds.lower.tolist(), bounds.upper.tolist()
    ([401.0], [604.0])
    """
    _, upper = (np.asarray(bound, dtype=np.float64) for bound in intervals)
    part = np.asarray(own, dtype=np.float64)
    if np.any(part < 0) or np.any(part > upper):
        raise ValueError(
            "The own contribution of an intruder must be from 0 to the highest possible value of its cell."
        )
    least = part + 1 if largest else np.zeros_like(part)
    if np.any(least > upper - part):
        raise ValueError("No other contribution can be larger than the own one, as largest=True states.")
    return Bounds(np.broadcast_to(least, np.broadcast_shapes(upper.shape, part.shape)), upper - part)


def expected(
    intervals: Bounds | tuple[ArrayLike, ArrayLike],
    pattern: ArrayLike,
    chances: ArrayLike | None = None,
    unit: float = 1,
) -> float:
    """Return the expected a posteriori risk of a suppressed cell.

    Parameters
    ----------
    intervals : pair of array_like
        Lowest and highest value of each cell.
    pattern : array_like of bool
        The suppressed cells; all others are ignored.
    chances : array_like, optional
        Relative probability that an intruder is interested in each cell; default: equal for suppressed cells.
    unit : float
        Difference between neighbouring values.

    Returns
    -------
    float
        Mean risk; infinite if a cell with positive probability is disclosed exactly.

    Raises
    ------
    ValueError
        If no cell is suppressed, or the probabilities are negative or all 0.

    Examples
    --------
    >>> round(expected(([0, 5, 0], [406, 5, 1]), [True, False, True]), 3)
    0.558
    """
    hidden = np.asarray(pattern, dtype=bool)
    weights = np.ones(hidden.shape) if chances is None else np.asarray(chances, dtype=np.float64)
    weights = np.where(hidden, weights, 0)
    if not np.all(weights >= 0) or not weights.sum() > 0:
        raise ValueError(
            "A suppression pattern needs at least one suppressed cell, and probabilities of at least "
            "0 that are not all 0."
        )
    risk = a_posteriori(intervals, unit)
    counted = weights > 0
    return float(np.sum(risk[counted] * weights[counted]) / weights.sum())


def within_rounding(values: ArrayLike, base: int) -> Bounds:
    r"""Return the whole numbers that conventional rounding may have changed to each published value.

    .. math:: x \in [(n - \tfrac12) b, (n + \tfrac12) b), \quad x \ge 0

    Raises
    ------
    ValueError
        If the base is below 2, or a value is not a multiple of it.

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
    """Return the rank of the equations that published tables define for the cells of a full table.

    Each published value is an equation with a sum of cells. The number of cells minus the rank is the number of
    free dimensions. Equations that follow from others do not change it, and a suppression increases it only if
    it lowers the rank.

    Parameters
    ----------
    published : mapping of tuple of int to array_like
        An array for each set of axes that a released table keeps; nan marks a value that is not published. Only
        the positions of nan matter. An array without other values is a table that is not released.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the arrays do not belong to one table, or the matrix of the equations is too large.

    References
    ----------
    O&DF, section 4.5, Propositions 1 to 3.

    Examples
    --------
    Three activities, four sizes and three regions; the tables AS, AR and SR are released.

    >>> import numpy as np
    >>> released = {(0, 1): np.zeros((3, 4)), (0, 2): np.zeros((3, 3)), (1, 2): np.zeros((4, 3))}
    >>> rank(released)
    24
    """
    matrix, _ = published_equations(published)
    if matrix.shape[0] * matrix.shape[1] > LARGEST_MATRIX:
        raise ValueError(
            f"The rank of {matrix.shape[0]:,} equations in {matrix.shape[1]:,} unknowns needs too much memory. "
            "Use a smaller table."
        )
    if not matrix.nnz:
        return 0
    return int(np.linalg.matrix_rank(matrix.toarray()))


def _reciprocal(entropy: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return plain(1 / np.asarray(np.maximum(entropy, 0)))
