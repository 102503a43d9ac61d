"""Loss of an intruder's uncertainty about which people are known, caused by a table (Frank 1978)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, as_counts, plain


def entropy_lost(F: ArrayLike, known: ArrayLike) -> Floats:
    r"""Return the entropy of an intruder's prior disclosure set that a table removes.

    .. math::
        H(\mathcal D_A) - H(\mathcal D_B) = P \log P - \sum_A \Pr(A) \log \Pr(A)

    The intruder knows each person independently with probability q. The sum is over the sets A for which the
    table discloses everyone: sets whose complement is in one cell or empty. P is the probability of such a set.
    With c people unknown, each set has the probability :math:`q^{N-c}(1-q)^c`, and there are :math:`\sum_i
    \binom{F_i}{c}` of them.

    Parameters
    ----------
    F : array_like
        Counts of one table, whole numbers.
    known : array_like
        Probability q that a person is known before publication, from 0 to 1.

    Returns
    -------
    ndarray
        Entropy in nats, with the shape of `known`; from 0 to `census.frank_bound`, which is at most N log 2.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1].

    References
    ----------
    Frank 1978; thesis, section 2.3.2.2.1.

    Examples
    --------
    For one person, the table alone discloses the cell, so all of H(A) is removed.

    >>> round(float(entropy_lost([1, 0], 0.5)), 4)  # log 2
    0.6931
    """
    from scipy.special import gammaln, logsumexp, xlog1py, xlogy

    counts = as_counts(F).astype(np.int64).ravel()
    q = np.asarray(known, dtype=np.float64)
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(
            f"The probability that the intruder knows a person must be from 0 to 1, not {q.tolist()}."
        )
    sizes, cells = np.unique(counts[counts > 0], return_counts=True)
    N = int(counts.sum())
    if N == 0:
        return plain(np.zeros(q.shape))
    unknown = np.arange(sizes[-1] + 1.0)
    short = unknown > sizes[:, None]
    known_people = np.where(short, 0, sizes[:, None] - unknown)
    ways = gammaln(sizes + 1.0)[:, None] - gammaln(unknown + 1) - gammaln(known_people + 1)
    log_sets = logsumexp(np.where(short, -np.inf, ways), b=cells[:, None], axis=0)
    log_sets[0] = 0.0  # there is one set without unknown people, whatever the cells
    log_one = xlogy(N - unknown, q[..., None]) + xlog1py(unknown, -q[..., None])
    chances = np.exp(log_sets + log_one)
    P = chances.sum(axis=-1)
    return plain(np.maximum(xlogy(P, P) - np.sum(chances * np.where(chances > 0, log_one, 0), axis=-1), 0))
