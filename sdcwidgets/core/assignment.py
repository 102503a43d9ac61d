"""Y variables: possible assignments of people to cells when a table F is published as G.

X assigns each person to a cell of F, and Y to a cell of G. Ω is the set of all Y with the counts G, and Ω*
the subset in which
as many people as possible stay in their cell. The functions count assignments exactly, list them in a fixed
order, or draw them
uniformly. People are ordered by their cell in F, and a Y is an array of N cell numbers. If N ≠ M, the tables
M·F and N·G replace F and G. References: thesis, section 3.6.2 and appendices A.2 and A.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial, prod

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, Whole, as_counts
from ._ranking import closest_ranked, ranked
from .channel import (
    channel_entropy,
    decompose,
    expected_channel,
    joint,
    mixture,
    mutual_information,
    second_term_bound,
)
from .pram import pram_poisson, pram_probability

__all__ = [
    "LIMIT",
    "assignment_chunks",
    "average_channel",
    "channel_entropy",
    "conditional_probabilities",
    "count",
    "decompose",
    "draw_assignments",
    "enumerate_assignments",
    "expected_channel",
    "joint",
    "mixture",
    "mutual_information",
    "people",
    "pram_poisson",
    "pram_probability",
    "running_averages",
    "same_total",
    "second_term_bound",
]


#: Maximum number of assignments to list; draw from them if there are more.
LIMIT = 10**6

# Approximate number of array entries per chunk of assignments.
_CHUNK = 2**18


def same_total(F: ArrayLike, G: ArrayLike) -> tuple[Whole, Whole]:
    """Return both tables as flat arrays with the same total: F and G, or M·F and N·G if N ≠ M.

    Raises
    ------
    ValueError
        If the tables differ in shape, hold numbers that are not whole, or have no people.

    References
    ----------
    Thesis, section 3.6.2.2.

    Examples
    --------
    >>> [table.tolist() for table in same_total([0, 2, 4], [1, 1, 1])]
    [[0, 6, 12], [6, 6, 6]]
    """
    before, after = _whole(F, "F"), _whole(G, "G")
    if np.shape(F) != np.shape(G):
        raise ValueError(
            f"The original counts F have the shape {np.shape(F)} and the published counts G the shape "
            f"{np.shape(G)}; both must be the same table."
        )
    N, M = int(before.sum()), int(after.sum())
    if N == M:
        return before, after
    if N * M > 2**62:
        raise ValueError(
            "The tables have too many people: the product of both totals is greater than 2^62. Use "
            "smaller tables."
        )
    return M * before, N * after


def _whole(F: ArrayLike, name: str) -> Whole:
    counts = as_counts(F, name).ravel()
    if np.any(counts != np.floor(counts)):
        raise ValueError(
            f"The counts of {name} are people to assign to cells, so they must be whole numbers."
        )
    if not counts.any():
        raise ValueError(f"{name} has no people to assign; its total must be at least 1.")
    return counts.astype(np.int64)


def people(F: ArrayLike) -> Whole:
    """Return the X variable: the cell of each person, in the order of the cells.

    Examples
    --------
    >>> people([0, 2, 4]).tolist()
    [1, 1, 2, 2, 2, 2]
    """
    counts = _whole(F, "F")
    return np.repeat(np.arange(len(counts)), counts)


def count(F: ArrayLike, G: ArrayLike, closest: bool = False) -> int:
    r"""Count the Y variables with the counts G exactly, whatever their number.

    .. math:: |\Omega_G| = \frac{N!}{\prod_j G_j!}, \qquad |\Omega^*_G| =
              \frac{(N - \sum m)!}{\prod_j (G_j - m_j)!} \prod_i \binom{F_i}{m_i}, \quad m = \min(F, G)

    Parameters
    ----------
    F : array_like
        Counts before protection, whole numbers.
    G : array_like
        Counts after protection, whole numbers.
    closest : bool
        Count only the assignments in Ω*, in which as many people as possible stay.

    Returns
    -------
    int

    References
    ----------
    Thesis, (A.2.3) and (A.3.2).

    Examples
    --------
    >>> count([0, 2, 4], [0, 3, 3]), count([0, 2, 4], [0, 3, 3], closest=True)
    (20, 4)
    """
    before, after = same_total(F, G)
    if not closest:
        return _multinomial(after)
    stay = np.minimum(before, after)
    choices = prod(comb(n, m) for n, m in zip(before.tolist(), stay.tolist(), strict=True))
    return choices * _multinomial(after - stay)


def _multinomial(counts: Whole) -> int:
    values = counts.tolist()
    return factorial(sum(values)) // prod(map(factorial, values))


def enumerate_assignments(
    F: ArrayLike, G: ArrayLike, closest: bool = False, limit: int = LIMIT
) -> Iterator[Whole]:
    """List the Y variables lazily in dictionary order, the order of Table 3.6.1.

    Parameters
    ----------
    F : array_like
        Counts before protection, whole numbers.
    G : array_like
        Counts after protection, whole numbers.
    closest : bool
        Count only the assignments in Ω*, in which as many people as possible stay.
    limit : int
        Maximum number of assignments to list.

    Yields
    ------
    ndarray of int, shape (N,)
        The cell of each person.

    Raises
    ------
    ValueError
        If there are more than `limit`; use `draw_assignments` then.

    References
    ----------
    Thesis, Table 3.6.1.

    Examples
    --------
    >>> for Y in enumerate_assignments([0, 2, 4], [0, 3, 3], closest=True):
    ...     print(*Y)
    1 1 1 2 2 2
    1 1 2 1 2 2
    1 1 2 2 1 2
    1 1 2 2 2 1
    """
    for chunk in assignment_chunks(F, G, closest, limit):
        yield from chunk


def assignment_chunks(
    F: ArrayLike, G: ArrayLike, closest: bool = False, limit: int = LIMIT
) -> Iterator[Whole]:
    """List the assignments of `enumerate_assignments` in arrays of shape (rows, N).

    Raises
    ------
    ValueError
        If there are more than `limit`, or too many for 64-bit ranks.

    Examples
    --------
    >>> sum(len(chunk) for chunk in assignment_chunks([0, 2, 4], [0, 3, 3]))
    20
    """
    before, after = same_total(F, G)
    total = count(before, after, closest)
    if total > limit:
        raise ValueError(
            f"There are {total} assignments of people to cells, more than the limit of {limit}. Draw "
            "assignments at random instead."
        )
    N = int(before.sum())
    if total * N**2 >= 2**62:
        raise ValueError(
            "There are too many assignments of people to cells to list all of them. Draw assignments "
            "at random instead."
        )
    rows = max(1, _CHUNK // N)
    for start in range(0, total, rows):
        ranks = np.arange(start, min(start + rows, total))
        yield closest_ranked(before, after, ranks, total) if closest else ranked(after, ranks, total)


def draw_assignments(
    F: ArrayLike, G: ArrayLike, size: int, rng: np.random.Generator, closest: bool = False
) -> Whole:
    """Draw Y variables uniformly, also if there are too many to list.

    Parameters
    ----------
    F : array_like
        Counts before protection, whole numbers.
    G : array_like
        Counts after protection, whole numbers.
    closest : bool
        Count only the assignments in Ω*, in which as many people as possible stay.
    size : int
        Number of draws.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int, shape (size, N)
        The cell of each person.

    References
    ----------
    Thesis, sections 3.6.2.1 and 3.6.2.2.

    Examples
    --------
    >>> Y = draw_assignments([0, 2, 4], [0, 3, 3], 5, np.random.default_rng(1), closest=True)
    >>> Y.shape, bool((Y[:, :2] == 1).all())
    ((5, 6), True)
    """
    before, after = same_total(F, G)
    if not closest:
        return rng.permuted(np.tile(people(after), (size, 1)), axis=1)
    X, N = people(before), int(before.sum())
    stay = np.minimum(before, after)
    # People of each cell are put into a random order: the first of them stay, the others leave.
    order = np.argsort(rng.permuted(np.tile(np.arange(N), (size, 1)), axis=1) + N * X, axis=1)
    position = np.arange(N) - np.repeat(np.cumsum(before) - before, before)
    leaves = position >= stay[X]
    Y = np.tile(X, (size, 1))
    surplus = after - stay
    if leaves.any():
        Y[:, leaves] = rng.permuted(np.tile(people(surplus), (size, 1)), axis=1)
    result = np.empty_like(Y)
    np.put_along_axis(result, order, Y, axis=1)
    return result


def conditional_probabilities(F: ArrayLike, Y: ArrayLike) -> Floats:
    r"""Return the conditional probabilities :math:`Pr(Y = c_j | X = c_i)` of each Y variable.

    Parameters
    ----------
    F : array_like
        Counts before, K cells; if N ≠ M, the table of `same_total`.
    Y : array_like of int, shape (..., N)
        Cells of the people, ordered as `people` orders them.

    Returns
    -------
    ndarray, shape (..., K, K)
        Rows sum to 1, or are 0 where F is 0.

    References
    ----------
    Thesis, section 3.6.2.1.

    Examples
    --------
    >>> conditional_probabilities([0, 2, 4], [1, 1, 1, 2, 2, 2]).tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]]
    """
    counts, X = _whole(F, "F"), people(F)
    cells = np.asarray(Y, dtype=np.int64)
    if cells.shape[-1:] != X.shape:
        raise ValueError(f"The assignment Y must name {len(X)} cells, one per person.")
    K, batch = len(counts), cells.shape[:-1]
    flat = cells.reshape(-1, len(X))
    pairs = flat + K * X + K * K * np.arange(len(flat))[:, None]
    moves = np.bincount(pairs.ravel(), minlength=K * K * len(flat)).reshape(*batch, K, K)
    return moves / np.maximum(counts, 1)[:, None]


def running_averages(F: ArrayLike, Y: ArrayLike) -> Floats:
    """Return the averages of the conditional probabilities over the first 1, 2, ... Y variables.

    They converge to `expected_channel`, the matrix of the theorems.

    Parameters
    ----------
    F : array_like
        Counts before.
    Y : array_like of int, shape (n, N)

    Returns
    -------
    ndarray, shape (n, K, K)

    Examples
    --------
    >>> Y = list(enumerate_assignments([0, 2, 4], [0, 3, 3]))
    >>> running_averages([0, 2, 4], Y)[-1].tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]]
    """
    each = conditional_probabilities(F, Y)
    return np.cumsum(each, axis=0) / np.arange(1, len(each) + 1)[:, None, None]


def average_channel(F: ArrayLike, G: ArrayLike, closest: bool = False, limit: int = LIMIT) -> Floats:
    """Average the conditional probabilities over all Y variables by enumeration.

    This confirms the theorems behind `expected_channel` by another computation.

    Parameters
    ----------
    F : array_like
        Counts before protection, whole numbers.
    G : array_like
        Counts after protection, whole numbers.
    closest : bool
        Count only the assignments in Ω*, in which as many people as possible stay.
    limit : int
        Maximum number of assignments to list.

    Returns
    -------
    ndarray, shape (K, K)
        Equal to `expected_channel`.

    References
    ----------
    Thesis, (3.6.2).

    Examples
    --------
    >>> average_channel([0, 2, 4], [0, 3, 3], closest=True).tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]]
    """
    before, after = same_total(F, G)
    K, X = len(before), people(before)
    moves = np.zeros(K * K, dtype=np.int64)
    total = 0
    for chunk in assignment_chunks(before, after, closest, limit):
        moves += np.bincount((chunk + K * X).ravel(), minlength=K * K)
        total += len(chunk)
    return moves.reshape(K, K) / np.maximum(before, 1)[:, None] / total
