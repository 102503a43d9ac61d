r"""Sums over the slices of many tables before and after protection, from which the residual risk follows.

The central formula is the closed form of H(X|Y) (thesis, 3.6.5). With :math:`a = F M/N`, :math:`m = \min(a,
G)`,
:math:`d = |a - G|` and :math:`S = \sum d / 2` its three sums simplify, because in each cell one of
:math:`a - m` and :math:`G - m` is 0 and the other is d:

.. math:: M\,H(X|Y) = S \log S + \sum G \log G - \sum m \log m - \sum d \log d .

Only log d must be computed for every slicing (rows, columns, table), because
:math:`\log m = \min(\log F + \log M/N, \log G)`. The batch is the last axis, so that every sum adds
contiguous
rows of numbers. The batch is processed in blocks, so that the workspace stays small.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import TINY, Floats, Numbers, logs

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Cells per block: smaller blocks need more calls, larger ones more memory traffic.
BLOCK = 2**17

# Blocks are independent and numpy releases the interpreter lock, so blocks run in parallel. More threads than
# this wait for memory. Below WORTH_A_THREAD cells, starting a thread takes longer than it saves.
THREADS = min(4, os.cpu_count() or 1)
WORTH_A_THREAD = 2**15

# If a smaller share of people would have to move, the difference is rounding error and G is proportional to
# F.
_NOISE = 2.0**-46


class SumsBefore(NamedTuple):
    """Sums over slices of F, of shape (*slices, batch), where F's batch may be 1."""

    N: Floats
    zeros: Floats
    weighted: Floats
    """Sum of F log F."""


class SumsAfter(NamedTuple):
    """Sums over slices of G and of F with G, of shape (*slices, batch)."""

    M: Floats
    zeros: Floats
    common_zeros: Floats
    squares: Floats
    """Sum of the squared differences of the roots."""
    weighted: Floats
    """Sum of G log G."""
    moved: Floats
    """Sum of d: twice the number of people who have to move if both tables have M people."""
    split: Floats
    """Sum of m log m + d log d."""

    def unmoved(self) -> NDArray[np.bool_]:
        """Mask of slices in which G is proportional to F, so that nobody has to move."""
        return (self.M > 0) & (self.moved / 2 <= _NOISE * self.M)

    def entropy_left(self) -> Floats:
        """H(X|Y) in nats; the value is undefined if N or M is 0."""
        moved = self.moved / 2
        entropy: Floats = np.log(moved + TINY)
        entropy *= moved
        entropy += self.weighted
        entropy -= self.split
        np.maximum(entropy, 0.0, out=entropy)
        entropy /= np.maximum(self.M, TINY)
        entropy *= moved > _NOISE * self.M
        return entropy


def before_sums(F: Numbers, axes: tuple[int, ...]) -> SumsBefore:
    """Return the sums of F over these axes; the batch is F's last axis."""
    values = F.astype(np.float64)
    weighted = np.sum(values * logs(values), axis=axes)
    return SumsBefore(values.sum(axis=axes), np.sum(F == 0, axis=axes, dtype=np.float64), weighted)


def after_sums(F: Numbers, G: Numbers, slicings: Sequence[tuple[int, ...]]) -> list[SumsAfter]:
    """Return the sums of G, and of F with G, over each set of axes; the batch is the last axis.

    Parameters
    ----------
    F : ndarray, shape (*table, batch) or (*table, 1)
        Counts before.
    G : ndarray, shape (*table, batch)
        Counts after.
    slicings : sequence of tuple of int
        Axes of the table that a slice runs along, without repeats, sorted.
    """
    table, batch = G.shape[:-1], G.shape[-1]
    shapes = [tuple(length for axis, length in enumerate(table) if axis not in axes) for axes in slicings]
    results = [np.empty((7, *shape, batch)) for shape in shapes]
    cells = int(np.prod(table))
    threads = THREADS if cells * batch > WORTH_A_THREAD else 1
    step = min(-(-batch // threads), max(1, BLOCK // cells))
    starts = range(0, batch, step)
    whole = F.shape[-1] == 1
    first = _Counts(F, slicings) if whole else None
    known = _known_logs(G)

    def add(thread: int) -> None:
        # One workspace serves all blocks, because allocating memory per block takes longer than the
        # arithmetic.
        work = np.empty((9, *table, step))
        for start in starts[thread::threads]:
            block = slice(start, start + step)
            counts = first or _Counts(F[..., block], slicings)
            some = G[..., block]
            part = [result[..., block] for result in results]
            _add_block(counts, some, slicings, part, work[..., : some.shape[-1]], known)

    others = [_pool().submit(add, thread) for thread in range(1, threads)]
    add(0)
    for other in others:
        other.result()
    return [SumsAfter(*result) for result in results]


def _known_logs(G: Numbers) -> Floats | None:
    """Return a look-up table of log 0, log 1, ..., or None if it would not be much smaller than G."""
    if G.dtype.kind not in "iu":
        return None
    most = int(G.max(initial=0))
    return np.log(np.arange(most + 1) + TINY) if most < G.size / 16 else None


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(THREADS, thread_name_prefix="sdcwidgets")


class _Counts:
    """Arrays computed from F that every block uses."""

    def __init__(self, F: Numbers, slicings: Sequence[tuple[int, ...]]) -> None:
        self.values = F.astype(np.float64)
        self.log, self.root = logs(self.values), np.sqrt(self.values)
        self.zero = np.equal(self.values, 0).astype(np.float64)
        totals = [self.values.sum(axis=axes, keepdims=True) for axes in slicings]
        self.per_person = [1 / np.where(N > 0, N, 1.0) for N in totals]


def _add_block(
    F: _Counts,
    G: Numbers,
    slicings: Sequence[tuple[int, ...]],
    results: Sequence[Floats],
    work: Floats,
    known: Floats | None,
) -> None:
    parts = work[:5]
    values, zero, common, squares, weighted, log_G, d, m, log_m = work
    np.copyto(values, G)
    if known is None:
        np.add(values, TINY, out=log_G)
        np.log(log_G, out=log_G)
    else:
        np.take(known, G, out=log_G, mode="clip")
    np.multiply(values, log_G, out=weighted)
    np.equal(values, 0, out=zero, casting="unsafe")
    np.multiply(zero, F.zero, out=common)
    np.sqrt(values, out=squares)
    np.subtract(squares, F.root, out=squares)
    np.square(squares, out=squares)
    letters = "abcdefghijklmnopqrstuvwxy"[: G.ndim - 1]
    done: list[tuple[tuple[int, ...], Floats]] = []
    for axes, per_person, result in zip(slicings, F.per_person, results, strict=True):
        _reduce(parts, axes, done, result[:5])
        done.append((axes, result[:5]))
        ratio = np.expand_dims(result[0], axes) * per_person
        np.multiply(F.values, ratio, out=d)
        np.minimum(d, values, out=m)
        np.add(F.log, np.log(ratio + TINY), out=log_m)
        np.minimum(log_m, log_G, out=log_m)
        dot = f"{letters}z,{letters}z->{''.join(letter for axis, letter in enumerate(letters) if axis not in axes)}z"
        np.einsum(dot, m, log_m, out=result[6])
        np.subtract(d, values, out=d)
        np.abs(d, out=d)
        np.add.reduce(d, axis=axes, out=result[5])
        np.add(d, TINY, out=m)
        np.log(m, out=m)
        result[6] += np.einsum(dot, d, m)


def _reduce(
    parts: Floats, axes: tuple[int, ...], done: Sequence[tuple[tuple[int, ...], Floats]], out: Floats
) -> None:
    """Sum over these axes; start from the sums of an earlier slicing if its axes are a subset."""
    for fewer, sums in done:
        if set(fewer) <= set(axes):
            remaining = [axis for axis in range(parts.ndim - 2) if axis not in fewer]
            np.add.reduce(
                sums, axis=tuple(remaining.index(axis) + 1 for axis in axes if axis not in fewer), out=out
            )
            return
    np.add.reduce(parts, axis=tuple(axis + 1 for axis in axes), out=out)
