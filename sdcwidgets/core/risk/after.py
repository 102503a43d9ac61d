"""Disclosure risk of a population based frequency table after protection.

Zeros that the intruder cannot trust and people whose cell he no longer knows lower the first and the second
term. References: PSD 2014, section 2.2; thesis, section 3.6.
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
from .before import DEFAULT_WEIGHTS, check_weights, count_cells, refuse_undefined
from .third import THIRD_TERMS, check_third, h3

#: The two second terms in print: thesis (3.6.6) and PSD 2014 (5).
VARIANTS = ("information", "uncertainty")


class After(NamedTuple):
    """What protection leaves of the risk of tables, and its cost, in one shape, nan where undefined."""

    zeros: Floats
    """First term."""
    information: Floats
    """Second term as the thesis has it: high where G still tells where people are."""
    uncertainty: Floats
    """Second term as PSD 2014 has it: high where G no longer tells where people are."""
    size: Floats
    """Third term."""
    entropy: Floats
    """H(X), in nats."""
    entropy_left: Floats
    """H(X|Y), in nats."""
    hellinger: Floats
    """Hellinger distance of the counts."""

    def terms(self, variant: str = "information") -> Floats:
        """Return the three terms in a last axis, with one of the two second terms."""
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
    r"""Three terms of the disclosure risk after protection.

    .. math:: y = \Bigl(\Bigl(\frac{|D|}{K}\Bigr)^{|D \cup E| / |D \cap E|},\;
              \Bigl(1 - \frac{H(X)}{\log K}\Bigr) v,\; h(N, \varepsilon)\Bigr)

    with D and E the zero cells of F and G. For ``variant="information"`` :math:`v = 1 - H(X|Y)/H(X)`, for
    ``variant="uncertainty"`` :math:`v = H(X|Y)/H(X)`. These are different claims: where G = F the first
    gives the risk before, the second 0. The first term is 0 where D ∩ E is empty, the second where M = 0.
    Where H(X) = 0, all people in one cell, v would be 0/0: the second term is 0 in the second variant, as PSD
    2014 has it, and in the first it is the term before, 1, where G is proportional to F, and 0 elsewhere.

    Parameters
    ----------
    F, G : array_like
        Counts before and after protection, of shapes that broadcast.
    variant : {"information", "uncertainty"}
        Which of the two printed second terms.
    third, epsilon, axis, undefined, cells
        As for `terms`.

    Returns
    -------
    ndarray, shape (..., 3)
        The terms, each between 0 and 1; nan in all three where they are undefined.

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
    r"""Disclosure risk after protection, :math:`R_2 = w \cdot y`.

    Parameters
    ----------
    F, G, variant, third, epsilon, axis, undefined, cells
        As for `terms_after`.
    weights : array_like of 3
        0 or more, with sum 1.

    Returns
    -------
    ndarray
        R2, between 0 and 1, of the batch's shape. The mean over replications is the expected risk of a
        method.

    Raises
    ------
    ValueError
        If the weights are not of this kind, or as for `terms_after`.

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
    r"""Weight-free disclosure risk after protection, :math:`R_2^* = \|y\|_2 / \sqrt 3`.

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
    """Risk after protection of several slicings of one table at once, over many replications.

    Rows, columns and the table itself share the logarithms and roots of the counts, so this is much quicker
    than a call for each.

    Parameters
    ----------
    F : array_like, shape (*table)
        The original table.
    G : array_like, shape (*batch, *table)
        Protected tables, as a method replicates them.
    axes : sequence of (int, tuple of int or None)
        Each entry is one slicing, as the table's axes that a slice runs along: ``[1, 0, None]`` gives rows,
        columns and the table.
    third, epsilon, undefined
        As for `terms`.

    Returns
    -------
    list of After
        One for each slicing, its arrays of shape (*batch, *slices).

    Raises
    ------
    ValueError
        If F has not the shape of the last axes of G, or a slice has N = 0 or K = 1 and `undefined` is
        "raise".

    Examples
    --------
    >>> rows, table = after_slices([[5, 0], [2, 1]], [[[6, 0], [3, 0]], [[6, 0], [0, 0]]], [1, None])
    >>> rows.zeros.shape, table.zeros.shape
    ((2, 2), (2,))
    """
    before, after = as_counts(F), as_counts(G, "G")
    if after.shape[after.ndim - before.ndim :] != before.shape:
        raise ValueError(f"F has the shape {before.shape} and G {after.shape}: G must end in the shape of F.")
    batch = after.shape[: after.ndim - before.ndim]
    slicings = [axes_of(axis, before.ndim) for axis in axes]
    replicates = np.moveaxis(after.reshape(-1, *before.shape), 0, -1)
    results = _assess(before[..., None], replicates, slicings, third, epsilon, undefined)
    return [
        After(*(np.moveaxis(x, -1, 0).reshape(*batch, *x.shape[:-1]) for x in result)) for result in results
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
    """Return all that `terms_after`, `r2` and `r2_star` are made of; parameters as for `terms_after`."""
    first, second, batch = pair_cells_first(as_counts(F), as_counts(G, "G"), axis)
    (result,) = _assess(first, second, [(0,)], third, epsilon, undefined, cells)
    return After(*(x.reshape(batch) for x in result))


def _assess(
    F: Numbers,
    G: Numbers,
    slicings: Sequence[tuple[int, ...]],
    third: str,
    epsilon: float,
    undefined: str,
    cells: int | None = None,
) -> list[After]:
    """Risk after protection for each of these sets of axes; the batch is the last axis."""
    check_third(third, epsilon)
    check_undefined(undefined)
    results = []
    for axes, sums in zip(slicings, after_sums(F, G, slicings), strict=True):
        listed = int(np.prod([G.shape[a] for a in axes], dtype=int))
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
    """Return what the sums say; it goes into their memory, since new memory costs more than the arithmetic."""
    # What is of F alone has a batch of 1 as a rule; it is put together before it meets the replications.
    N, D = np.where(defined, before.N, 1.0), before.zeros
    log_share = np.log(np.where(defined, D / K, 0.5) + TINY)
    entropy = np.where(D == K - 1, 0.0, np.maximum(np.log(N) - before.weighted / N, 0.0))
    unevenness = np.clip(1 - entropy / np.log(max(K, 2)), 0.0, 1.0)
    certain = entropy <= 0
    per_nat = 1 / np.where(entropy > 0, entropy, 1.0)
    common, empty = sums.common_zeros, sums.M <= 0
    remaining = sums.entropy_left()
    unmoved = sums.unmoved() if certain.any() else None
    # Where no zero of F is a zero of G the exponent has no end, and nothing is left of the term.
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
        # All people are in one cell, H(X) = 0: as before where G is proportional to F, and nothing elsewhere.
        uncertainty[np.broadcast_to(certain, remaining.shape)] = 0.0
        information[np.broadcast_to(certain, remaining.shape) & ~unmoved] = 0.0
    hellinger = np.divide(sums.squares, 2, out=sums.squares)
    np.sqrt(hellinger, out=hellinger)
    if empty.any():
        # A table without people tells nothing.
        uncertainty[empty] = information[empty] = 0.0
        remaining[empty] = np.nan
    values = [zeros, information, uncertainty, size, entropy, remaining, hellinger]
    if not defined.all():
        values = [np.where(defined, x, np.nan) for x in values]
    return After(*(np.broadcast_to(x, remaining.shape) for x in values))
