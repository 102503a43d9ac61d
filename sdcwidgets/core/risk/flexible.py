r"""Disclosure risk of flexible table generators, with separate terms for small and for large counts.

The risk has four terms from 0 to 1: the share of zeros, the unevenness of the small counts, the unevenness of
the large counts, and the smallness of the population. After protection, the expected original count of each
published value replaces the counts, and the unevenness is multiplied by the mean probability that a count is
unchanged.

Open point of the publication: it states that the entropy term is split into "small counts up to six and larger
counts of seven and more", but not how. Here each part is the term :math:`1 - H/\log K` of its own cells, with
the zeros among the small ones. The alternative, two parts that add up to the term of the whole table, is
impossible: with the published weights and numbers of zeros the risk would be at most 0.17 for the four tables
with published risks of 0.318, 0.248, 0.339 and 0.298.

References: Shlomo, Antal and Elliot 2015, section 4 (thesis, section 5.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts, plain
from .third_term import h2

#: Largest small count.
SPLIT = 6

#: Weights of zeros, small counts, large counts and size in the comparison study of the paper.
WEIGHTS = (0.1, 0.7, 0.1, 0.1)

#: Possible published values per count: counts, shape (n,), values, shape (n, m), and their probabilities.
Spread = tuple[NDArray[np.int64], NDArray[np.int64], Floats]


def terms(F: ArrayLike, *, split: int = SPLIT, cells: int | None = None) -> Floats:
    r"""Return the four terms of the risk before protection.

    .. math:: \Bigl(\frac{|A|}{K},\; 1 - \frac{H_s}{\log K_s},\; 1 - \frac{H_l}{\log K_l},\;
        -\frac{1}{\sqrt N}\log\frac{1}{e\sqrt N}\Bigr)

    with A the zero cells, and H and K the entropy and the number of the cells with small (s) and large (l)
    counts. A part without people has the term 0, and a part with all its people in one cell the term 1.

    Parameters
    ----------
    F : array_like
        Counts.
    split : int
        The largest small count.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty.

    Returns
    -------
    ndarray, shape (4,)
        The terms, each from 0 to 1.

    Raises
    ------
    ValueError
        If the table has no people, or more cells than `cells`.

    References
    ----------
    Shlomo, Antal and Elliot 2015, (3) and section 4.1.

    Examples
    --------
    >>> terms([0, 2, 4, 10, 10]).round(4).tolist()
    [0.2, 0.4206, 0.0, 0.5156]
    """
    counts, more = _listed(F, cells)
    people = counts.sum()
    if people == 0:
        raise ValueError("The risk of a table without people is undefined (N = 0).")
    small = counts <= split
    zeros = np.count_nonzero(counts == 0) + more
    parts = (
        _unevenness(np.append(counts[small], 0), np.append(np.ones(small.sum(), dtype=int), more)),
        _unevenness(counts[~small]),
    )
    return np.array([zeros / (counts.size + more), *parts, float(h2(people))])


def risk(terms: ArrayLike, weights: ArrayLike = WEIGHTS) -> Floats:
    r"""Return the weighted risk R, from 0 to 1, for terms of shape (..., 4).

    Raises
    ------
    ValueError
        If the weights are not four numbers of 0 or more with the sum 1.

    Examples
    --------
    >>> round(float(risk(terms([0, 2, 4, 10, 10]))), 4)
    0.366
    """
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (4,) or not np.all(w >= 0) or abs(w.sum() - 1) > 1e-9:
        raise ValueError("The weights must be four numbers of 0 or more with the sum 1.")
    return plain(np.asarray(terms, dtype=np.float64) @ w)


def terms_after(
    F: ArrayLike,
    G: ArrayLike,
    spread: Spread,
    *,
    split: int = SPLIT,
    multipliers: tuple[float, float] | None = None,
    cells: int | None = None,
    conditional: bool = False,
) -> Floats:
    r"""Return the four terms after protection.

    .. math:: \Bigl(\frac{|A|}{K}\Bigr)^{|A \cup B|/|A \cap B|}

    with B the zero cells after protection is the first term; it is 0 if no cell is empty in both tables. The
    unevenness is that of `expected_counts`, multiplied by the mean diagonal of the method's transition matrix.
    A cell is small if its published count is at most `split`.

    Parameters
    ----------
    F : array_like
        Counts before protection.
    G : array_like
        Counts of the same cells after protection.
    spread : tuple
        Possible published values of each count, from `Method.spread`.
    multipliers : (float, float), optional
        Factors of the small and of the large counts; default: `mean_diagonals` of `spread`. They belong to the
        method, not to a table. The study has 0.33 for both in all tables with rounding to base 3, and 0.75 and
        0.9 for perturbation, where the published matrix gives 0.77 and 0.9.
    split : int
        The largest small count.
    cells : int, optional
        Number of cells K if F contains only some of them and all others are empty.
    conditional : bool
        As for `expected_counts`.

    Raises
    ------
    ValueError
        If F and G have different numbers of cells, or as for `terms` and `expected_counts`.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4.2.

    Examples
    --------
    Rounding to base 3 leaves one count in three unchanged:

    >>> counts = np.arange(13)
    >>> down = counts // 3 * 3
    >>> chance = counts % 3 / 3
    >>> spread = counts, np.stack([down, down + 3], axis=1), np.stack([1 - chance, chance], axis=1)
    >>> terms_after([0, 2, 4, 10, 12], [0, 3, 3, 9, 12], spread).round(4).tolist()
    [0.2, 0.0286, 0.0383, 0.5038]
    """
    before, more = _listed(F, cells)
    after, _ = _listed(G, cells)
    if before.shape != after.shape:
        raise ValueError(
            f"The original table F has {before.size} cells and the published table G has {after.size}; "
            "both must have the same cells."
        )
    first, _, _, size = terms(F, split=split, cells=cells)
    both = np.count_nonzero((before == 0) & (after == 0)) + more
    either = np.count_nonzero((before == 0) | (after == 0)) + more
    values, times, expected = expected_counts(F, G, spread, cells=cells, conditional=conditional)
    small = values <= split
    parts = [_unevenness(expected[part], times[part]) for part in (small, ~small)]
    factors = mean_diagonals(spread, split) if multipliers is None else multipliers
    return np.array([first ** (either / both) if both else 0.0, *np.multiply(parts, factors), size])


def expected_counts(
    F: ArrayLike, G: ArrayLike, spread: Spread, *, cells: int | None = None, conditional: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    r"""Return the expected original count of each published count.

    .. math:: e_j = \frac{1}{n'_j} \sum_i i\, n_i\, p_{ij}

    with :math:`n_i` the cells of count i before, :math:`n'_j` those of count j after protection.

    This is the published formula. It is not an expectation if few cells have the published count. For example,
    a single count of 30,000 that was changed to 30,002 with probability 1/60 gives 30,000 · 1/60 = 500 there,
    so the large counts seem far more uneven than before. If `conditional` is True, the divisor is :math:`\sum_i
    n_i p_{ij}`, the expected number of cells with the published count, instead of their actual number.

    Returns
    -------
    values : ndarray of int64, shape (n,)
        The published counts, ascending.
    times : ndarray of int64, shape (n,)
        Number of cells with each published count.
    expected : ndarray of float, shape (n,)
        Expected original count of each, 0 or more.

    Raises
    ------
    ValueError
        If `spread` lacks a count of F.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4.2. In its example of rounding to base 3, the expected count of the
    zeros is
    :math:`[n_1 \cdot 2/3 + 2 n_2 \cdot 1/3]/n'_0`.

    Examples
    --------
    >>> spread = np.arange(3), np.array([[0, 3]] * 3), np.array([[1, 0], [2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    >>> values, times, expected = expected_counts([0, 1, 1, 2], [0, 0, 3, 3], spread)
    >>> values.tolist(), times.tolist(), expected.round(4).tolist()
    ([0, 3], [2, 2], [1.0, 1.0])

    A single count that was changed, by the published formula and as a conditional expectation:

    >>> spread = np.array([30000]), np.array([[30000, 30002]]), np.array([[59 / 60, 1 / 60]])
    >>> [expected_counts([30000], [30002], spread, conditional=one)[2].round().tolist() for one in (False, True)]
    [[500.0], [30000.0]]
    """
    before, _ = _listed(F, cells)
    after, more = _listed(G, cells)
    original, n = np.unique(before, return_counts=True)
    values, times = np.unique(np.append(after, 0) if more else after, return_counts=True)
    if more:
        times[0] += more - 1
    known, published, chances = spread
    rows = np.searchsorted(known, original)
    if np.any(rows >= len(known)) or np.any(known[rows] != original):
        raise ValueError("The method has no transition probabilities for one of the counts in the table.")
    targets = published[rows]
    people = (original * n)[:, np.newaxis] * chances[rows]
    places = np.minimum(np.searchsorted(values, targets), len(values) - 1)
    here = values[places] == targets
    totals = np.bincount(places[here], weights=people[here], minlength=len(values))
    if not conditional:
        return values, times, totals / times
    weights = (n[:, np.newaxis] * chances[rows])[here]
    cells_there = np.bincount(places[here], weights=weights, minlength=len(values))
    likely = cells_there > 0  # a published count with no possible origin is its own expectation
    return values, times, np.divide(totals, cells_there, out=values.astype(np.float64), where=likely)


def mean_diagonals(spread: Spread, split: int = SPLIT) -> tuple[float, float]:
    """Return the mean probability that a count is unchanged, for the small and for the large counts.

    Zeros are excluded, because a zero cell has no people whose cell could be uncertain. With this rule the mean
    over all counts is the published 0.33 for rounding to base 3, and 0.77 for the small counts of the published
    matrix, where the paper has 0.75. If `spread` contains no small or no large counts, that part gets the mean
    of the other; if it contains neither, both are 1.

    Examples
    --------
    Rounding to base 3 leaves a third of all counts unchanged:

    >>> counts = np.arange(13)
    >>> spread = counts, counts[:, np.newaxis], (counts % 3 == 0)[:, np.newaxis].astype(float)
    >>> [round(mean, 4) for mean in mean_diagonals(spread, split=5)]
    [0.2, 0.4286]
    """
    known, published, chances = (part[spread[0] > 0] for part in spread)
    stays = np.where(published == known[:, np.newaxis], chances, 0).sum(axis=1)
    parts = [stays[known <= split], stays[known > split]]
    overall = float(stays.mean()) if stays.size else 1.0
    small, large = (float(part.mean()) if part.size else overall for part in parts)
    return small, large


def _listed(counts: ArrayLike, cells: int | None) -> tuple[NDArray[np.int64], int]:
    """Return the listed cells on one axis, and the number of further empty cells."""
    listed = as_counts(counts).ravel()
    more = 0 if cells is None else cells - listed.size
    if more < 0:
        raise ValueError(
            f"The table has {listed.size} counts, more than the stated number of cells, which is {cells}."
        )
    return listed.astype(np.int64, copy=False), more


def _unevenness(values: ArrayLike, times: ArrayLike = 1) -> float:
    """Return 1 - H/log K for cells with these values, where each value occurs `times` times."""
    each, number = np.broadcast_arrays(np.asarray(values, dtype=np.float64), np.asarray(times))
    people, n_cells = float(each @ number), int(number.sum())
    if people == 0:
        return 0.0
    if n_cells == 1:
        return 1.0
    # Counts of 0 are replaced by 1, because log 1 = 0.
    sums = float((each * number) @ np.log(np.where(each > 0, each, 1)))
    share = (np.log(people) - sums / people) / np.log(n_cells)
    return min(1.0, max(0.0, float(1 - share)))
