"""Disclosure risk of a population-based frequency table after protection.

The first term is lower if the intruder cannot trust zeros, the second if the intruder is uncertain about
people's cells. References: PSD 2014, section 2.2; thesis, section 3.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import (
    TINY,
    Axis,
    Floats,
    Numbers,
    as_counts,
    axes_of,
    check_undefined,
    pair_cells_first,
    plain,
)
from .._slices import SumsAfter, SumsBefore, after_sums, before_sums
from .entropy_risk import DEFAULT_WEIGHTS, check_weights, count_cells, refuse_undefined
from .third_term import THIRD_TERMS, check_third, h3

#: The two published versions of the second term: thesis (3.6.6) and PSD 2014 (5).
VARIANTS = ("information", "uncertainty")


class After(NamedTuple):
    """Residual risk and information loss of tables, as arrays of the same shape; nan where undefined."""

    zeros: Floats
    """First term."""
    information: Floats
    """Second term of the thesis: high if G still discloses people's cells."""
    uncertainty: Floats
    """Second term of PSD 2014: high if G no longer discloses people's cells."""
    size: Floats
    """Third term."""
    entropy: Floats
    """H(X), in nats."""
    entropy_left: Floats
    """H(X|Y), in nats."""
    hellinger: Floats
    """Hellinger distance of the counts."""

    def terms(self, variant: str = "information") -> Floats:
        """Return the three terms on a last axis, with one version of the second term."""
        return np.stack(np.broadcast_arrays(*self._three(variant)), axis=-1)

    def r2(self, weights: ArrayLike = DEFAULT_WEIGHTS, variant: str = "information") -> Floats:
        """Return the weighted risk after protection."""
        w1, w2, w3 = check_weights(weights)
        zeros, second, size = self._three(variant)
        risk: Floats = w1 * zeros
        risk += w2 * second
        risk += w3 * size
        return plain(risk)

    def r2_star(self, variant: str = "information") -> Floats:
        """Return the weight-free risk after protection."""
        zeros, second, size = self._three(variant)
        squares: Floats = zeros * zeros
        squares += second * second
        squares += size * size
        squares /= 3
        return plain(np.sqrt(squares))

    def _three(self, variant: str) -> tuple[Floats, Floats, Floats]:
        if variant not in VARIANTS:
            raise ValueError(f"The variant must be one of {', '.join(VARIANTS)}, not {variant!r}.")
        return self.zeros, self.information if variant == "information" else self.uncertainty, self.size


def terms_after(
    F: ArrayLike,
    G: ArrayLike,
    *,
    variant: str = "information",
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the three terms of the disclosure risk after protection.

    .. math:: y = \Bigl(\Bigl(\frac{|D|}{K}\Bigr)^{|D \cup E| / |D \cap E|},\;
              \Bigl(1 - \frac{H(X)}{\log K}\Bigr) v,\; h(N, \varepsilon)\Bigr)

    with D and E the zero cells of F and G. For ``variant="information"`` :math:`v = 1 - H(X|Y)/H(X)`, for
    ``variant="uncertainty"`` :math:`v = H(X|Y)/H(X)`. The two versions contradict each other: if G = F, the
    first gives the risk before protection, the second 0. The first term is 0 if D ∩ E is empty, the second if M
    = 0. If all people are in one cell, H(X) = 0 and v is 0/0. The second term is then 0 for "uncertainty", as
    in PSD 2014. For "information" it is 1, its value before protection, if G is proportional to F, and 0
    otherwise.

    Parameters
    ----------
    F : array_like
        Counts before protection, of a shape that broadcasts with `G`.
    G : array_like
        Counts after protection.
    variant : {"information", "uncertainty"}
        Published version of the second term.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty. A very large table with few people
        can then be assessed from its populated cells.

    Returns
    -------
    ndarray, shape (..., 3)
        The terms, each from 0 to 1; all three are nan if they are undefined.

    Raises
    ------
    ValueError
        If N = 0 or K = 1 and `undefined` is "raise".

    References
    ----------
    Thesis, (3.6.6); PSD 2014, (5).

    Examples
    --------
    >>> terms_after([0, 2, 4], [0, 3, 3]).round(4).tolist()
    [0.3333, 0.2103, 0.774]
    """
    return after_tables(F, G, third, epsilon, axis, undefined, cells).terms(variant)


def r2(
    F: ArrayLike,
    G: ArrayLike,
    weights: ArrayLike = DEFAULT_WEIGHTS,
    variant: str = "information",
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the disclosure risk after protection, :math:`R_2 = w \cdot y`.

    Parameters
    ----------
    F : array_like
        Counts before protection, of a shape that broadcasts with `G`.
    G : array_like
        Counts after protection.
    variant : {"information", "uncertainty"}
        Published version of the second term.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty. A very large table with few people
        can then be assessed from its populated cells.
    weights : array_like of 3
        Weights, 0 or more, with the sum 1.

    Returns
    -------
    ndarray
        R2, from 0 to 1, with the batch's shape. Its mean over replicates is the expected risk of a method.

    Raises
    ------
    ValueError
        If the weights are invalid, or as for `terms_after`.

    References
    ----------
    Thesis, (3.6.6); PSD 2014, (5).

    Examples
    --------
    >>> round(float(r2([0, 2, 4], [0, 3, 3])), 4), round(float(r2([0, 2, 4], [0, 2, 4])), 4)
    (0.279, 0.4472)
    """
    return after_tables(F, G, third, epsilon, axis, undefined, cells).r2(weights, variant)


def r2_star(
    F: ArrayLike,
    G: ArrayLike,
    variant: str = "information",
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> Floats:
    r"""Return the weight-free disclosure risk after protection, :math:`R_2^* = \|y\|_2 / \sqrt 3`.

    For the "information" variant it is at most `r1_star`. Parameters as for `terms_after`.

    References
    ----------
    Thesis, section 3.6.4.

    Examples
    --------
    >>> round(float(r2_star([0, 2, 4], [0, 3, 3])), 4)
    0.5015
    """
    return after_tables(F, G, third, epsilon, axis, undefined, cells).r2_star(variant)


def after_slices(
    F: ArrayLike,
    G: ArrayLike,
    axes: Sequence[Axis] = (None,),
    *,
    third: str = "h2",
    epsilon: float = 0.5,
    undefined: str = "nan",
) -> list[After]:
    """Compute the risk after protection for several slicings of one table, over many replicates.

    Rows, columns and the table share the logarithms and roots of the counts, so one call is much faster than
    one call per slicing.

    Parameters
    ----------
    F : array_like, shape (*table)
        Original counts.
    G : array_like, shape (*batch, *table)
        Protected tables, for example the replicates of a method.
    axes : sequence of (int, tuple of int or None)
        One entry per slicing: the axes of the table that a slice contains. ``[1, 0, None]`` gives rows, columns
        and the table.
    third : {"h2", "h1", "h3"}
        Formula of the third term.
    epsilon : float
        Exponent of the third term, from 0 to 1.
    undefined : {"raise", "nan"}
        Action if there are no people (N = 0) or only one cell (K = 1): raise an error, or return nan.

    Returns
    -------
    list of After
        One result per slicing, with arrays of shape (*batch, *slices).

    Raises
    ------
    ValueError
        If G does not end in the shape of F, or `undefined` is "raise" and a slice has N = 0 or K = 1.

    Examples
    --------
    >>> rows, table = after_slices([[5, 0], [2, 1]], [[[6, 0], [3, 0]], [[6, 0], [0, 0]]], [1, None])
    >>> rows.zeros.shape, table.zeros.shape
    ((2, 2), (2,))
    """
    before, after = as_counts(F), as_counts(G, "G")
    if after.shape[after.ndim - before.ndim :] != before.shape:
        raise ValueError(
            f"The original counts F have the shape {before.shape} and the published counts G the shape "
            f"{after.shape}; G must end in the shape of F."
        )
    batch = after.shape[: after.ndim - before.ndim]
    slicings = [axes_of(axis, before.ndim) for axis in axes]
    replicates = np.moveaxis(after.reshape(-1, *before.shape), 0, -1)
    results = _assess(before[..., None], replicates, slicings, third, epsilon, undefined)
    return [
        After._make([np.moveaxis(value, -1, 0).reshape(*batch, *value.shape[:-1]) for value in result])
        for result in results
    ]


def after_tables(
    F: ArrayLike,
    G: ArrayLike,
    third: str = "h2",
    epsilon: float = 0.5,
    axis: Axis = None,
    undefined: str = "raise",
    cells: int | None = None,
) -> After:
    """Return all quantities of `terms_after`, `r2` and `r2_star`; parameters as for `terms_after`."""
    first, second, batch = pair_cells_first(as_counts(F), as_counts(G, "G"), axis)
    (result,) = _assess(first, second, [(0,)], third, epsilon, undefined, cells)
    return After._make([value.reshape(batch) for value in result])


def _assess(
    F: Numbers,
    G: Numbers,
    slicings: Sequence[tuple[int, ...]],
    third: str,
    epsilon: float,
    undefined: str,
    cells: int | None = None,
) -> list[After]:
    """Return the risk after protection for each set of axes; the batch is the last axis."""
    check_third(third, epsilon)
    check_undefined(undefined)
    results = []
    for axes, sums in zip(slicings, after_sums(F, G, slicings), strict=True):
        listed = int(np.prod([G.shape[k] for k in axes], dtype=int))
        K = count_cells(listed, cells)
        before = before_sums(F, axes)
        for zeros in (before.zeros, sums.zeros, sums.common_zeros):
            zeros += K - listed
        defined = (before.N > 0) & (K > 1)
        if undefined == "raise":
            refuse_undefined(np.where(defined, 0.0, np.nan), K)
        if third == "h3":
            size = h3(np.where(np.expand_dims(defined, axes), F, 1.0), epsilon, axes)
        else:
            size = THIRD_TERMS[third](np.where(defined, before.N, 1.0)[None], epsilon, 0)
        results.append(_finish(before, sums, K, defined, size))
    return results


def _finish(before: SumsBefore, sums: SumsAfter, K: int, defined: NDArray[np.bool_], size: Floats) -> After:
    """Return the quantities of `After`; results overwrite the arrays of `sums`, since allocation is slow."""
    # Arrays that depend only on F mostly have a batch of 1; they are combined before they meet the replicates.
    N, D = np.where(defined, before.N, 1.0), before.zeros
    log_share = np.log(np.where(defined, D / K, 0.5) + TINY)
    entropy = np.where(D == K - 1, 0.0, np.maximum(np.log(N) - before.weighted / N, 0.0))
    unevenness = np.clip(1 - entropy / np.log(max(K, 2)), 0.0, 1.0)
    certain = entropy <= 0
    per_nat = 1 / np.where(entropy > 0, entropy, 1.0)
    common, empty = sums.common_zeros, sums.M <= 0
    remaining = sums.entropy_left()
    unmoved = sums.unmoved() if certain.any() else None
    # If no zero of F is a zero of G, the exponent is infinite and the term is 0.
    some = common > 0
    zeros = np.add(sums.zeros, D, out=sums.zeros)
    zeros -= common
    zeros /= np.maximum(common, 1, out=common)
    zeros *= log_share
    np.exp(zeros, out=zeros)
    zeros *= some
    uncertainty = np.multiply(remaining, per_nat, out=sums.moved)
    np.minimum(uncertainty, 1.0, out=uncertainty)
    uncertainty *= unevenness
    information = np.subtract(unevenness, uncertainty, out=sums.split)
    if unmoved is not None:
        # All people are in one cell (H(X) = 0): 1 if G is proportional to F, 0 otherwise.
        uncertainty[np.broadcast_to(certain, remaining.shape)] = 0.0
        information[np.broadcast_to(certain, remaining.shape) & ~unmoved] = 0.0
    hellinger = np.divide(sums.squares, 2, out=sums.squares)
    np.sqrt(hellinger, out=hellinger)
    if empty.any():
        # A table without people contains no information.
        uncertainty[empty] = information[empty] = 0.0
        remaining[empty] = np.nan
    values = [zeros, information, uncertainty, size, entropy, remaining, hellinger]
    if not defined.all():
        values = [np.where(defined, value, np.nan) for value in values]
    return After._make([np.broadcast_to(value, remaining.shape) for value in values])
