r"""Disclosure risk as flexible table generators measure it: small counts weigh more than large ones.

Four terms, each between 0 and 1: the share of zeros, the unevenness of the small counts, that of the large
ones, and how small the population is. After protection the counts are replaced by what a reader expects behind
each published value, and the unevenness is multiplied by how likely a count was left as it is.

What the print leaves open. It says that the entropy term is split into "small counts up to six and larger counts
of seven and more", not how. Here each part is the term :math:`1 - H/\log K` of its own cells, zeros among the
small ones. The other reading, two shares that add up to the term of the whole table, cannot be meant: with the
printed weights and numbers of zeros it gives at most 0.17 for the four tables whose risks are printed as 0.318,
0.248, 0.339 and 0.298.

References: Shlomo, Antal and Elliot 2015, section 4 (thesis, section 5.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts, plain
from .third import h2

#: Counts up to this one are small.
SPLIT = 6

#: Weights of zeros, small counts, large counts and size in the comparison study.
WEIGHTS = (0.1, 0.7, 0.1, 0.1)

#: What may be published for each count: the counts, shape (n,), the values, shape (n, m), and their probabilities.
Spread = tuple[NDArray[np.int64], NDArray[np.int64], Floats]


def terms(F: ArrayLike, *, split: int = SPLIT, cells: int | None = None) -> Floats:
    r"""Return the four terms of the risk before protection.

    .. math:: \Bigl(\frac{|A|}{K},\; 1 - \frac{H_s}{\log K_s},\; 1 - \frac{H_l}{\log K_l},\;
        -\frac{1}{\sqrt N}\log\frac{1}{e\sqrt N}\Bigr)

    with A the zero cells, and H and K the entropy and the number of the cells with small (s) and large (l) counts.
    A part in which nobody is has the term 0, and one with all its people in one cell 1.

    Parameters
    ----------
    F : array_like
        Counts.
    split : int
        The largest small count.
    cells : int, optional
        The number of cells K, where F lists only some of them and all others are empty.

    Returns
    -------
    ndarray, shape (4,)
        Each between 0 and 1.

    Raises
    ------
    ValueError
        If nobody is counted.

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
        raise ValueError("The table has no people; its risk is not defined.")
    small = counts <= split
    zeros = np.count_nonzero(counts == 0) + more
    parts = (
        _unevenness(np.append(counts[small], 0), np.append(np.ones(small.sum(), dtype=int), more)),
        _unevenness(counts[~small]),
    )
    return np.array([zeros / (counts.size + more), *parts, float(h2(people))])


def risk(terms: ArrayLike, weights: ArrayLike = WEIGHTS) -> Floats:
    r"""Return the weighted risk R, from 0 to 1, of terms of shape (..., 4).

    Examples
    --------
    >>> round(float(risk(terms([0, 2, 4, 10, 10]))), 4)
    0.366
    """
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (4,) or not np.all(w >= 0) or abs(w.sum() - 1) > 1e-9:
        raise ValueError("The weights must be four numbers of at least 0 that sum to 1.")
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

    with B the zero cells after protection is the first; it is 0 where no cell is empty in both. The unevenness is
    that of `expected_counts`, times the mean diagonal of the method's matrix. Small are the cells with a published
    count up to `split`.

    Parameters
    ----------
    F, G : array_like
        Counts before and after, of the same cells.
    spread : tuple
        What the method may publish for each count, as `Method.spread` tells it.
    multipliers : (float, float), optional
        Of the small and of the large counts; by default `mean_diagonals` of `spread`, so of the counts that it tells
        of. They belong to the method, not to a table: the study prints 0.33 for both under rounding to base 3 in all
        its tables, and 0.75 and 0.9 under perturbation, where the printed matrix has 0.77 and 0.9.
    split, cells
        As for `terms`.
    conditional
        As for `expected_counts`.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4.2.

    Examples
    --------
    Rounding to base 3; its matrix keeps one count of three as it is:

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
        raise ValueError(f"F has {before.size} cells and G {after.size}; they must be the same table.")
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
    r"""Return what a reader expects behind each published count.

    .. math:: e_j = \frac{1}{n'_j} \sum_i i\, n_i\, p_{ij}

    with :math:`n_i` the cells of count i before, :math:`n'_j` those of count j after protection.

    That is what is printed. Where a published count is alone, it is no expectation: a count of 30,000 that was moved to
    30,002 with chance 1/60 holds 30,000 · 1/60 = 500 there, and the large counts seem far more uneven than they were.
    With `conditional` the sum is divided by :math:`\sum_i n_i p_{ij}`, how many cells are expected to have that count,
    instead of by how many happen to.

    Returns
    -------
    values : ndarray of int64, shape (n,)
        The counts that are published, rising.
    times : ndarray of int64, shape (n,)
        How many cells have each.
    expected : ndarray of float, shape (n,)
        What each of them holds in expectation; 0 or more.

    Raises
    ------
    ValueError
        If `spread` does not tell of a count of F.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 4.2, whose example is rounding to base 3: the zeros hold
    :math:`[n_1 \cdot 2/3 + 2 n_2 \cdot 1/3]/n'_0`.

    Examples
    --------
    >>> spread = np.arange(3), np.array([[0, 3]] * 3), np.array([[1, 0], [2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    >>> values, times, expected = expected_counts([0, 1, 1, 2], [0, 0, 3, 3], spread)
    >>> values.tolist(), times.tolist(), expected.round(4).tolist()
    ([0, 3], [2, 2], [1.0, 1.0])

    One that was moved, as printed and as a conditional expectation:

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
        raise ValueError("The method's probabilities are not known for every count of the table.")
    targets = published[rows]
    people = (original * n)[:, np.newaxis] * chances[rows]
    places = np.minimum(np.searchsorted(values, targets), len(values) - 1)
    here = values[places] == targets
    totals = np.bincount(places[here], weights=people[here], minlength=len(values))
    if not conditional:
        return values, times, totals / times
    weights = (n[:, np.newaxis] * chances[rows])[here]
    cells_there = np.bincount(places[here], weights=weights, minlength=len(values))
    likely = cells_there > 0  # a count that the method leads nowhere to stands for itself
    return values, times, np.divide(totals, cells_there, out=values.astype(np.float64), where=likely)


def mean_diagonals(spread: Spread, split: int = SPLIT) -> tuple[float, float]:
    """Return how likely a count stays as it is, on average over the small and over the large counts.

    Counts begin at one: a zero has nobody whose place could be in doubt. So the mean over all counts of rounding to
    base 3 is the printed 0.33, and the small counts of the printed matrix have 0.77, where 0.75 is printed. A kind of
    count that `spread` does not tell of has the mean of the other; where it tells of neither, nothing changes.

    Examples
    --------
    Rounding to base 3 keeps a third of all counts:

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
    """Return the listed cells as one axis, and how many empty ones there are besides."""
    listed = as_counts(counts).ravel()
    more = 0 if cells is None else cells - listed.size
    if more < 0:
        raise ValueError(f"The table has {listed.size} listed cells, more than {cells} in all.")
    return listed.astype(np.int64, copy=False), more


def _unevenness(values: ArrayLike, times: ArrayLike = 1) -> float:
    """Return 1 - H/log K of cells with these values, each so many times."""
    each, number = np.broadcast_arrays(np.asarray(values, dtype=np.float64), np.asarray(times))
    people, n_cells = float(each @ number), int(number.sum())
    if people == 0:
        return 0.0
    if n_cells == 1:
        return 1.0
    # log(1) stands where nobody is, so that 0 log 0 = 0.
    sums = float((each * number) @ np.log(np.where(each > 0, each, 1)))
    share = (np.log(people) - sums / people) / np.log(n_cells)
    return min(1.0, max(0.0, float(1 - share)))
