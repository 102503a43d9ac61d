"""Channels from the original cells to the protected cells, and the entropy that remains.

A channel is a matrix of :math:`Pr(Y = c_j | X = c_i)`. The row of a cell sums to 1, or is 0 if the cell is
empty. References: thesis, sections 3.3, 3.6.2 and 6.3 (Topic 3).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, Numbers, as_counts, logs, plain

__all__ = [
    "Decomposition",
    "channel_entropy",
    "decompose",
    "expected_channel",
    "joint",
    "mixture",
    "mutual_information",
    "second_term_bound",
]


def expected_channel(F: ArrayLike, G: ArrayLike, closest: bool = True) -> Floats:
    r"""Return the expected channel if every Y variable has the same probability.

    Over Ω (Theorems 1, 3) it is :math:`G_j / M`. Over Ω* (Theorems 2, 4), with :math:`p = F/N`,
    :math:`q = G/M`, :math:`m = \min(p, q)` and :math:`s = 1 - \sum m`,

    .. math:: E(Z_{ii}) = \frac{m_i}{p_i}, \qquad
              E(Z_{ij}) = \frac{(p_i - m_i)(q_j - m_j)}{p_i s} \quad (i \ne j) .

    Parameters
    ----------
    F : array_like, shape (*table)
        Counts before, K cells.
    G : array_like, shape (*batch, *table)
        Counts after.
    closest : bool
        Average over Ω* instead of Ω.

    Returns
    -------
    ndarray, shape (*batch, K, K)
        Rows sum to 1, or are 0 where F is 0; the identity (on populated cells) where G is proportional to F.

    Raises
    ------
    ValueError
        If N = 0 or M = 0, or the shapes do not match.

    References
    ----------
    Thesis, Theorems 1 to 4.

    Examples
    --------
    >>> expected_channel([0, 2, 4], [0, 3, 3]).tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75]]
    >>> expected_channel([0, 2, 4], [0, 3, 3], closest=False).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]]
    """
    before, after = _tables(F, G)
    populated = (before > 0).astype(np.float64)
    if not closest:
        shares = after / after.sum(axis=-1, keepdims=True)
        channel = np.broadcast_to(shares[..., None, :], (*shares.shape, len(before)))
    else:
        stay, leave, arrive = _moves(before, after)
        channel = leave[..., :, None] * arrive[..., None, :] + stay[..., :, None] * np.eye(len(before))
    return channel * populated[:, None]


def mixture(
    F: ArrayLike, G: ArrayLike, probabilities: ArrayLike | None = None, closest: bool = True
) -> Floats:
    r"""Return the expected channel of a method: the average over the tables it can publish.

    Parameters
    ----------
    F : array_like, shape (*table)
        Counts before, K cells.
    G : array_like, shape (n, *table)
        Every table that a method can publish, or replicates of it.
    probabilities : array_like, shape (n,), optional
        The method's probability T(G) of each table; default: equal, as for replicates.
    closest : bool
        Average over Ω* instead of Ω.

    Returns
    -------
    ndarray, shape (K, K)
        The average is over the tables G with people, because the channel is conditional on a published
        person.

    Raises
    ------
    ValueError
        If the probabilities do not sum to 1, no table with people has a positive probability, or F has no
        people.

    References
    ----------
    Thesis, Theorems 5 and 6.

    Examples
    --------
    >>> mixture([2, 4], [[2, 4], [3, 3]], [0.5, 0.5]).tolist()
    [[1.0, 0.0], [0.125, 0.875]]
    """
    before, after = _tables(F, G, empty=True)
    after = after.reshape(-1, len(before))
    n = len(after)
    T = np.full(n, 1 / n) if probabilities is None else np.asarray(probabilities, dtype=np.float64)
    if T.shape != (n,) or not (T.min() >= 0 and abs(T.sum() - 1) <= 1e-9):
        raise ValueError(f"The {n} probabilities must be 0 or more and have the sum 1.")
    some = after.any(axis=-1)
    if not (T[some].sum() > 0 and before.any()):
        raise ValueError(
            "The transition probabilities are undefined, because a table has no people (N = 0 or M = 0)."
        )
    after, T = after[some], T[some] / T[some].sum()
    populated = (before > 0).astype(np.float64)
    if not closest:
        return np.outer(populated, T @ (after / after.sum(axis=-1, keepdims=True)))
    stay, leave, arrive = _moves(before, after)
    channel: Floats = (leave * T[:, None]).T @ arrive
    return (channel + np.diag(T @ stay)) * populated[:, None]


def _tables(F: ArrayLike, G: ArrayLike, *, empty: bool = False) -> tuple[Numbers, Numbers]:
    """Return F as K cells and G as (*batch, K); `empty` allows tables without people."""
    before, after = as_counts(F), as_counts(G, "G")
    if after.shape[after.ndim - before.ndim :] != before.shape:
        raise ValueError(
            f"The original counts F have the shape {before.shape} and the published counts G the shape "
            f"{after.shape}; G must end in the shape of F."
        )
    after = after.reshape(*after.shape[: after.ndim - before.ndim], before.size)
    if not empty and not (before.any() and after.any(axis=-1).all()):
        raise ValueError(
            "The transition probabilities are undefined, because a table has no people (N = 0 or M = 0)."
        )
    return before.ravel(), after


def _moves(F: Numbers, G: Numbers) -> tuple[Floats, Floats, Floats]:
    """Return each cell's share of people that stay and that leave, and its share of all movers."""
    a = F * G.sum(axis=-1, keepdims=True, dtype=np.float64)
    b = G * F.sum(dtype=np.float64)
    m = np.minimum(a, b)
    people = np.where(a > 0, a, 1.0)
    moved = np.sum(a - m, axis=-1, keepdims=True)
    return m / people, (a - m) / people, (b - m) / np.where(moved > 0, moved, 1.0)


def joint(F: ArrayLike, channel: ArrayLike) -> Floats:
    r"""Return the joint distribution :math:`Pr(X = c_i, Y = c_j) = \frac{F_i}{N} Pr(Y = c_j | X = c_i)`.

    Parameters
    ----------
    F : array_like
        Counts before, K cells.
    channel : array_like, shape (..., K, L)
        Conditional probabilities.

    Returns
    -------
    ndarray, shape (..., K, L)

    Raises
    ------
    ValueError
        If the row of a populated cell does not sum to 1.

    Examples
    --------
    >>> joint([2, 4], [[1, 0], [0.25, 0.75]]).round(4).tolist()
    [[0.3333, 0.0], [0.1667, 0.5]]
    """
    counts = as_counts(F).ravel()
    matrix = as_counts(channel, "the channel").astype(np.float64)
    if matrix.ndim < 2 or matrix.shape[-2] != len(counts):
        raise ValueError(
            f"The transition matrix (channel) must have one row for each of the {len(counts)} cells."
        )
    if not counts.any():
        raise ValueError(
            "The entropy of the transition matrix is undefined, because the table has no people (N = 0)."
        )
    if not np.allclose(matrix.sum(axis=-1)[..., counts > 0], 1, rtol=0, atol=1e-9):
        raise ValueError("Each row of the transition matrix (channel) must sum to 1.")
    result: Floats = (counts / counts.sum())[:, None] * matrix
    return result


def channel_entropy(F: ArrayLike, channel: ArrayLike) -> Floats:
    """Return the conditional entropy H(X|Y) of any channel in nats; parameters as for `joint`.

    For `expected_channel` over Ω* it equals `information.conditional_entropy`, over Ω it equals H(X).

    References
    ----------
    Thesis, (3.6.3).

    Examples
    --------
    >>> round(float(channel_entropy([0, 2, 4], expected_channel([0, 2, 4], [0, 3, 3]))), 4)
    0.3183
    """
    shares = joint(F, channel)
    columns = shares.sum(axis=-2)
    total = np.sum(columns * logs(columns), axis=-1) - np.sum(shares * logs(shares), axis=(-2, -1))
    return plain(np.maximum(total, 0.0))


def mutual_information(F: ArrayLike, channel: ArrayLike) -> Floats:
    """Return the mutual information I(X; Y) = H(X) − H(X|Y) in nats; parameters as for `joint`.

    References
    ----------
    Thesis, section 6.3, Topic 3.

    Examples
    --------
    >>> round(float(mutual_information([2, 4], [[1, 0], [0.25, 0.75]])), 4)
    0.3183
    """
    rows = joint(F, channel).sum(axis=-1)
    return plain(np.maximum(-np.sum(rows * logs(rows), axis=-1) - channel_entropy(F, channel), 0.0))


class Decomposition(NamedTuple):
    """The three terms of H(X|Y), in nats."""

    stayed: Floats
    """Uncertainty about people who stay: have they come from another cell?"""
    departed: Floats
    """Uncertainty about people who moved: which cell have they left?"""
    arrived: Floats
    """Uncertainty about people who moved: are they among the arrivals in this cell?"""


def decompose(F: ArrayLike, G: ArrayLike) -> Decomposition:
    r"""Return the three sums of which H(X|Y) consists.

    .. math:: -\sum m \log\frac{m}{q}, \qquad -\sum (p-m) \log\frac{p-m}{s}, \qquad
              -\sum (q-m) \log\frac{q-m}{q}

    Parameters
    ----------
    F : array_like, shape (*table)
        Counts before.
    G : array_like, shape (*batch, *table)
        Counts after.

    Returns
    -------
    Decomposition
        Terms of 0 or more, with the batch's shape.

    References
    ----------
    Thesis, (3.6.5).

    Examples
    --------
    >>> [round(float(part), 4) for part in decompose([0, 2, 4], [0, 3, 3])]
    [0.1352, 0.0, 0.1831]
    """
    before, after = _tables(F, G)
    stay, leave, arrive = _moves(before, after)
    p = before / before.sum()
    m, away = p * stay, p * leave
    s = away.sum(axis=-1, keepdims=True)
    q, new = after / after.sum(axis=-1, keepdims=True), s * arrive
    parts = (m * (logs(q) - logs(m)), away * (logs(s) - logs(away)), new * (logs(q) - logs(new)))
    return Decomposition(*(plain(np.asarray(part.sum(axis=-1))) for part in parts))


def second_term_bound(
    entropy: float, conditional: float, entropy_hat: float, conditional_hat: float
) -> float:
    r"""Return a bound on the error of the second risk term if H(X) and H(X|Y) are estimated.

    .. math:: \frac{\varepsilon_1 + \varepsilon_2}{\hat H(X)} +
              \left| \frac{\varepsilon_1 (H(X) - H(X|Y))}{H(X) \hat H(X)} \right|

    with :math:`\varepsilon_1 = |H(X) - \hat H(X)|` and :math:`\varepsilon_2 = |H(X|Y) - \hat H(X|Y)|`.
    Equation (6.3.6) prints :math:`H(X) - \hat H(X)` in the second summand; its proof, (A.6.1), and the text
    that follows it have :math:`H(X) - H(X|Y)`, as here. The first summand alone is a bound too, since each
    error enters the term with a factor of at most :math:`1/\hat H(X)`.

    Parameters
    ----------
    entropy : float
        H(X) in nats, above 0.
    conditional : float
        H(X|Y) in nats.
    entropy_hat : float
        Estimate of H(X), in nats.
    conditional_hat : float
        Estimate of H(X|Y), in nats.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    ValueError
        If an entropy is not above 0.

    References
    ----------
    Thesis, (6.3.6) and (A.6.1).

    Examples
    --------
    >>> round(second_term_bound(1.0, 0.4, 0.9, 0.5), 4)
    0.2889
    """
    if not (entropy > 0 and entropy_hat > 0):
        raise ValueError("Both entropies, entropy and entropy_hat, must be above 0.")
    first, second = abs(entropy - entropy_hat), abs(conditional - conditional_hat)
    return (first + second) / entropy_hat + abs(first * (entropy - conditional) / (entropy * entropy_hat))
