"""Entropy, conditional entropy, and the divergences that measure information loss, in nats.

All functions work along ``axis`` (default: all axes), and the other axes are a batch. References: thesis,
sections 3.3, 3.4 and 3.6.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Axis, Floats, as_counts, cells_last, check_undefined, logs, pair_cells_first, plain
from ._slices import after_sums, before_sums

__all__ = [
    "chi_squared",
    "conditional_entropy",
    "entropy",
    "f_divergence",
    "hellinger",
    "hellinger_distance",
    "lp_distance",
    "relative_entropy",
    "squared_hellinger",
    "total_variation",
]


def entropy(F: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the entropy of the distribution of the counts over the cells.

    .. math:: H = \frac{N \log N - \sum_i F_i \log F_i}{N}

    Parameters
    ----------
    F : array_like
        Counts (or probabilities), 0 or more.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Returns
    -------
    ndarray
        H in nats, from 0 (one populated cell) to log K (all cells equal), with the batch's shape.

    Raises
    ------
    ValueError
        If a table has no people (N = 0).

    References
    ----------
    Thesis, section 3.4.

    Examples
    --------
    >>> round(float(entropy([0, 2, 4])), 4)
    0.6365
    """
    cells = cells_last(as_counts(F), axis)
    N = cells.sum(axis=-1, dtype=np.float64)
    if not np.all(N > 0):
        raise ValueError("The entropy is undefined for a table without people (N = 0).")
    sums = np.einsum("...k,...k->...", cells, logs(cells))
    one_cell = np.count_nonzero(cells, axis=-1) == 1
    return plain(np.where(one_cell, 0.0, np.maximum(np.log(N) - sums / N, 0.0)))


def conditional_entropy(F: ArrayLike, G: ArrayLike, axis: Axis = None, *, undefined: str = "raise") -> Floats:
    r"""Return the conditional entropy H(X|Y): the uncertainty about F that remains when G is known.

    X assigns each person to a cell of F. Y is drawn from the assignments to cells of G in which as many people
    as possible stay in their cell. With :math:`p = F/N`, :math:`q = G/M`, :math:`m = \min(p, q)` and
    :math:`s = 1 - \sum m`,

    .. math::
       H(X|Y) = -\sum m \log\frac{m}{q} - \sum (p-m) \log\frac{p-m}{s} - \sum (q-m) \log\frac{q-m}{q} .

    Parameters
    ----------
    F : array_like
        Counts before protection, of a shape that broadcasts with `G`.
    G : array_like
        Counts after protection; their total M may differ from the total N of `F`.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if N = 0 or M = 0: raise an error, or return nan.

    Returns
    -------
    ndarray
        H(X|Y) in nats, from 0 (G proportional to F) to H(X), with the batch's shape.

    Raises
    ------
    ValueError
        If N = 0 or M = 0 and `undefined` is "raise".

    References
    ----------
    Thesis, (3.6.5); (3.6.4) is the case N = M.

    Examples
    --------
    >>> round(float(conditional_entropy([0, 2, 4], [0, 3, 3])), 4)
    0.3183
    """
    first, second, batch = pair_cells_first(as_counts(F), as_counts(G, "G"), axis)
    (after,) = after_sums(first, second, [(0,)])
    defined = (before_sums(first, (0,)).N > 0) & (after.M > 0)
    check_undefined(undefined)
    if undefined == "raise" and not defined.all():
        raise ValueError(
            "The conditional entropy H(X|Y) is undefined for a table without people (N = 0 or M = 0)."
        )
    return plain(np.where(defined, after.entropy_left(), np.nan).reshape(batch))


def hellinger(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the Hellinger distance of counts.

    .. math:: HD(F, G) = \frac{1}{\sqrt 2} \Bigl(\sum_i (\sqrt{F_i} - \sqrt{G_i})^2\Bigr)^{1/2}

    Parameters
    ----------
    F : array_like
        Counts, of a shape that broadcasts with `G`.
    G : array_like
        Other counts of the same cells.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Returns
    -------
    ndarray
        HD, a metric, from 0 to :math:`\sqrt{(N+M)/2}`.

    References
    ----------
    PSD 2014, section 2.3; thesis, section 3.8.

    Examples
    --------
    >>> round(float(hellinger([0, 2, 4], [0, 3, 3])), 4)
    0.294
    """
    difference = np.sqrt(as_counts(F)) - np.sqrt(as_counts(G, "G"))
    cells = cells_last(difference, axis)
    return plain(np.sqrt(np.einsum("...k,...k->...", cells, cells) / 2))


def hellinger_distance(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the Hellinger distance of two distributions, :math:`\sqrt{1 - \sum\sqrt{p_i q_i}}`, from 0 to 1.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> float(hellinger_distance([1, 0], [0, 1]))
    1.0
    """
    p, q = _distributions(p, q, axis)
    return plain(np.minimum(hellinger(p, q, -1), 1.0))


def f_divergence(
    p: ArrayLike,
    q: ArrayLike,
    f: Callable[[Floats], ArrayLike],
    axis: Axis = None,
    *,
    slope: float | None = None,
) -> Floats:
    r"""Return the f-divergence of two distributions, for a convex function f with f(1) = 0.

    .. math:: D_f(P \| Q) = \sum_i q_i f(p_i / q_i),
       \qquad 0 f(0/0) = 0, \quad 0 f(c/0) = c \lim_{x\to\infty} f(x)/x

    Parameters
    ----------
    p : array_like
        Distribution over the cells: 0 or more, with sum 1, of a shape that broadcasts with `q`.
    q : array_like
        Other distribution over the same cells.
    f : callable
        Function of an array of ratios that returns an array, with the limit of f at 0.
    axis : int, tuple of int or None
        The axes of a distribution; the other axes are a batch.
    slope : float, optional
        Limit of f(x)/x for large x; required if p > 0 and q = 0 in some cell.

    Returns
    -------
    ndarray
        The divergence, 0 or more; it is 0 for p = q, and may be infinite.

    Raises
    ------
    ValueError
        If p or q is not a distribution, or `slope` is required and missing.

    References
    ----------
    Csiszár 1967; thesis, section 3.3.

    Examples
    --------
    >>> round(float(f_divergence([0.5, 0.5], [0.25, 0.75], lambda x: abs(x - 1))), 4)
    0.5
    """
    p, q = _distributions(p, q, axis)
    seen = q > 0
    unmatched = np.where(seen, 0.0, p).sum(axis=-1)
    if slope is None and np.any(unmatched > 0):
        raise ValueError("Some cells have p > 0 and q = 0. Pass slope, the limit of f(x)/x for large x.")
    ratio = np.divide(p, q, out=np.ones_like(p), where=seen)
    total = np.einsum("...k,...k->...", q, np.asarray(f(ratio), dtype=np.float64))
    # 0 times an infinite slope is 0.
    beyond = np.multiply(
        unmatched, 0.0 if slope is None else slope, out=np.zeros_like(unmatched), where=unmatched > 0
    )
    return plain(np.maximum(total + beyond, 0.0))


def relative_entropy(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the relative entropy (Kullback–Leibler divergence) :math:`\sum p_i \log(p_i/q_i)` in nats.

    It is 0 or more, infinite if p > 0 and q = 0 in some cell, and not symmetric. It is the f-divergence of x
    log x.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> round(float(relative_entropy([0.5, 0.5], [0.25, 0.75])), 4)
    0.1438
    """
    return f_divergence(p, q, lambda x: x * logs(x), axis, slope=np.inf)


def chi_squared(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the chi-squared divergence :math:`\sum (p_i - q_i)^2 / q_i`, the f-divergence of (x − 1)².

    It is 0 or more, and infinite if p > 0 and q = 0 in some cell. If p is close to q, every f-divergence is
    approximately f''(1)/2 times this one.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> round(float(chi_squared([0.5, 0.5], [0.25, 0.75])), 4)
    0.3333
    """
    return f_divergence(p, q, lambda x: (x - 1) ** 2, axis, slope=np.inf)


def total_variation(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the total variation :math:`\sum |p_i - q_i|`, the f-divergence of abs(x − 1), from 0 to 2.

    As in the thesis there is no factor ½, so the total variation equals the L1 distance.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> float(total_variation([1, 0], [0, 1]))
    2.0
    """
    return f_divergence(p, q, lambda x: np.abs(x - 1), axis, slope=1.0)


def squared_hellinger(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the squared Hellinger distance :math:`1 - \sum\sqrt{p_i q_i}`, from 0 to 1.

    It is the f-divergence of 1 − √x.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> float(squared_hellinger([1, 0], [0, 1]))
    1.0
    """
    return hellinger_distance(p, q, axis) ** 2


def lp_distance(p: ArrayLike, q: ArrayLike, order: float = 2.0, axis: Axis = None) -> Floats:
    r"""Return the Lp distance :math:`(\sum |p_i - q_i|^{order})^{1/order}` of two distributions, a metric.

    `order` is 1 or more; infinity gives the largest difference.

    Raises
    ------
    ValueError
        If `order` is below 1, or p or q is not a distribution.

    References
    ----------
    Thesis, section 3.3.

    Examples
    --------
    >>> float(lp_distance([0.5, 0.5], [0.25, 0.75], order=1))
    0.5
    """
    if not order >= 1:
        raise ValueError(f"The order of an Lp distance must be 1 or more, not {order}.")
    p, q = _distributions(p, q, axis)
    return plain(np.asarray(np.linalg.norm(p - q, ord=order, axis=-1)))


def _distributions(p: ArrayLike, q: ArrayLike, axis: Axis) -> tuple[Floats, Floats]:
    """Check two distributions, broadcast them, and return them with their cells on the last axis."""
    arrays = np.broadcast_arrays(as_counts(p, "p"), as_counts(q, "q"))
    first, second = (cells_last(array, axis).astype(np.float64) for array in arrays)
    for name, array in (("p", first), ("q", second)):
        if not np.allclose(array.sum(axis=-1), 1, rtol=0, atol=1e-9):
            raise ValueError(
                f"{name} must have the sum 1 over its cells. Divide counts by their total first."
            )
    return first, second
