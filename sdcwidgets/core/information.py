"""Entropy, conditional entropy and the divergences that information loss is measured with, in nats.

Counts or distributions go in, arrays come out. Everything works along ``axis`` (default: all axes) and
batches over the others. References: thesis, sections 3.3, 3.4 and 3.6.
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
    r"""Entropy of the distribution that counts stand for.

    .. math:: H = \frac{N \log N - \sum_i F_i \log F_i}{N}

    Parameters
    ----------
    F : array_like
        Counts (or probabilities), 0 or more.
    axis : int, tuple of int or None
        The axes that a table consists of; the others are a batch.

    Returns
    -------
    ndarray
        H in nats, between 0 (one populated cell) and log K (all cells equal), of the batch's shape.

    Raises
    ------
    ValueError
        If a table is empty, N = 0.

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
        raise ValueError("The entropy of a table without people is not defined: N = 0.")
    sums = np.einsum("...k,...k->...", cells, logs(cells))
    one_cell = np.count_nonzero(cells, axis=-1) == 1
    return plain(np.where(one_cell, 0.0, np.maximum(np.log(N) - sums / N, 0.0)))


def conditional_entropy(F: ArrayLike, G: ArrayLike, axis: Axis = None, *, undefined: str = "raise") -> Floats:
    r"""Conditional entropy H(X|Y): what who sees G still does not know about where people are in F.

    X sends each person to a cell of F. Y is drawn from those assignments to the cells of G that leave the
    most people in place. With :math:`p = F/N`, :math:`q = G/M`, :math:`m = \min(p, q)` and
    :math:`s = 1 - \sum m`,

    .. math::
       H(X|Y) = -\sum m \log\frac{m}{q} - \sum (p-m) \log\frac{p-m}{s} - \sum (q-m) \log\frac{q-m}{q} .

    Parameters
    ----------
    F, G : array_like
        Counts before and after, of shapes that broadcast; their totals N and M may differ.
    axis : int, tuple of int or None
        The axes that a table consists of.
    undefined : {"raise", "nan"}
        What to do where N = 0 or M = 0.

    Returns
    -------
    ndarray
        H(X|Y) in nats, between 0 (G is proportional to F) and H(X), of the batch's shape.

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
        raise ValueError("H(X|Y) is not defined for a table without people: N = 0 or M = 0.")
    return plain(np.where(defined, after.entropy_left(), np.nan).reshape(batch))


def hellinger(F: ArrayLike, G: ArrayLike, axis: Axis = None) -> Floats:
    r"""Hellinger distance of counts.

    .. math:: HD(F, G) = \frac{1}{\sqrt 2} \Bigl(\sum_i (\sqrt{F_i} - \sqrt{G_i})^2\Bigr)^{1/2}

    Parameters
    ----------
    F, G : array_like
        Counts, of shapes that broadcast.
    axis : int, tuple of int or None
        The axes that a table consists of.

    Returns
    -------
    ndarray
        HD, a metric, between 0 and :math:`\sqrt{(N+M)/2}`.

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
    r"""Hellinger distance of two distributions, :math:`\sqrt{1 - \sum\sqrt{p_i q_i}}`, between 0 and 1.

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
    r"""How far one distribution is from another, seen through a convex function f with f(1) = 0.

    .. math:: D_f(P \| Q) = \sum_i q_i f(p_i / q_i),
       \qquad 0 f(0/0) = 0, \quad 0 f(c/0) = c \lim_{x\to\infty} f(x)/x

    Parameters
    ----------
    p, q : array_like
        Distributions over the cells: 0 or more, sum 1, of shapes that broadcast.
    f : callable
        Takes an array of ratios and returns an array; at 0 it gives its limit.
    axis : int, tuple of int or None
        The axes that a distribution runs over.
    slope : float, optional
        The limit of f(x)/x; needed only where p > 0 and q = 0.

    Returns
    -------
    ndarray
        The divergence, 0 or more, 0 for p = q; it may be infinite.

    Raises
    ------
    ValueError
        If p or q is no distribution, or `slope` is needed and not given.

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
        raise ValueError("Some p > 0 where q = 0: give slope, the limit of f(x)/x for large x.")
    ratio = np.divide(p, q, out=np.ones_like(p), where=seen)
    total = np.einsum("...k,...k->...", q, np.asarray(f(ratio), dtype=np.float64))
    # 0 times an infinite slope is 0: nothing was lost.
    beyond = np.multiply(
        unmatched, 0.0 if slope is None else slope, out=np.zeros_like(unmatched), where=unmatched > 0
    )
    return plain(np.maximum(total + beyond, 0.0))


def relative_entropy(p: ArrayLike, q: ArrayLike, axis: Axis = None) -> Floats:
    r"""Relative entropy (Kullback-Leibler divergence) :math:`\sum p_i \log(p_i/q_i)` in nats.

    0 or more, and infinite where p > 0 and q = 0; it is not symmetric. The f-divergence of x log x.

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
    r"""Chi-squared divergence :math:`\sum (p_i - q_i)^2 / q_i`, the f-divergence of (x − 1)².

    0 or more, and infinite where p > 0 and q = 0. When p is close to q, every f-divergence is close to
    f''(1)/2 times it.

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
    r"""Total variation :math:`\sum |p_i - q_i|`, the f-divergence of abs(x − 1), between 0 and 2.

    As in the thesis it carries no factor ½, so that it equals the L1 distance.

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
    r"""Squared Hellinger distance :math:`1 - \sum\sqrt{p_i q_i}`, between 0 and 1.

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
    r"""Lp distance :math:`(\sum |p_i - q_i|^{order})^{1/order}` of two distributions, a metric.

    `order` is 1 or more; infinity gives the greatest difference.

    Raises
    ------
    ValueError
        If `order` is below 1, or p or q is no distribution.

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
    """Check two distributions and return them with their cells last, broadcast against each other."""
    arrays = np.broadcast_arrays(as_counts(p, "p"), as_counts(q, "q"))
    first, second = (cells_last(a, axis).astype(np.float64) for a in arrays)
    for name, array in (("p", first), ("q", second)):
        if not np.allclose(array.sum(axis=-1), 1, rtol=0, atol=1e-9):
            raise ValueError(f"{name} must sum to 1 over its cells; divide counts by their total first.")
    return first, second
