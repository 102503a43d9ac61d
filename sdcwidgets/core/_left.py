"""The closed form of H(X|Y), the heart of the risk after protection, over slices of many tables at once."""

from __future__ import annotations

import numpy as np

from ._arrays import TINY, Floats

# A share of people this small that has to move is rounding error, not a move: G is proportional to F.
_NOISE = 2.0**-46


def entropy_left(
    F: Floats, G: Floats, log_F: Floats, log_G: Floats, N: Floats, M: Floats, axes: tuple[int, ...]
) -> Floats:
    r"""Conditional entropy H(X|Y) of the Y variables nearest to X, in nats (thesis, 3.6.5).

    With :math:`a = F M/N`, :math:`m = \min(a, G)`, :math:`d = |a - G|` and :math:`S = \sum d / 2`, the
    three sums of (3.6.5) collapse: in each cell one of :math:`a - m`, :math:`G - m` is 0, the other is d.

    .. math:: M\,H(X|Y) = S \log S + \sum G \log G - \sum m \log m - \sum d \log d .

    Only ``d`` needs a logarithm of its own, since :math:`\log m = \min(\log F + \log M/N, \log G)`.

    Parameters
    ----------
    F, G : ndarray
        Counts before and after, table axes first and the batch last; F's batch may be 1.
    log_F, log_G : ndarray
        Their logarithms, with 0 for the logarithm of 0.
    N, M : ndarray
        Their sums over ``axes``, with those axes kept.
    axes : tuple of int
        The axes to sum over.

    Returns
    -------
    ndarray
        H(X|Y), the shape of M; it means nothing where N or M is 0.
    """
    letters = "abcdefghijklmnopqrstuvwxyz"[: G.ndim]
    kept = "".join(letters[a] for a in range(G.ndim) if a not in axes)
    dot = f"{letters},{letters}->{kept}"
    M = np.maximum(M, 1e-9)
    ratio = M / np.maximum(N, 1e-9)
    # Where F or G is 0, m is 0 and its logarithm does not matter so long as it is finite.
    a = F * ratio
    m = np.minimum(a, G)
    log_m = log_F + np.log(ratio + TINY)
    np.minimum(log_m, log_G, out=log_m)
    d = np.subtract(a, G, out=a)
    np.abs(d, out=d)
    shape = M.shape
    moved = np.add.reduce(d, axis=axes).reshape(shape) / 2
    total = np.einsum(dot, G, log_G).reshape(shape)
    total -= np.einsum(dot, m, log_m).reshape(shape)
    log_d = np.log(np.add(d, TINY, out=m), out=m)
    total -= np.einsum(dot, d, log_d).reshape(shape)
    total += moved * np.log(moved + TINY)
    return np.where(moved <= _NOISE * M, 0.0, np.maximum(total, 0.0) / M)
