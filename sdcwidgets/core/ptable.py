r"""Noise distributions (p-table) of the cell key method: maximum entropy for each count.

Row i of a p-table is the distribution of the noise v that is added to a count of i. It solves

.. math:: \max_p -\sum_v p_v \log p_v, \quad \sum p_v = 1, \quad \sum v p_v = 0, \quad \sum v^2 p_v \le V

with the optional conditions :math:`p_0 \ge p_{stay}` and p non-decreasing from the lowest v to v = 0. This is a
convex problem with many unknowns and few conditions, so its dual is solved. The dual has one multiplier each
for the mean, the variance and the probability of no change. For given multipliers the optimal p is an
exponential family; decreasing neighbours are pooled (pool adjacent violators). Newton's method solves all rows
together.

References: Giessing 2016; handbook, chapter 5, section 5.4; Marley and Leaver 2011.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._arrays import Flags, Floats, Whole

__all__ = ["Design", "greatest_variance", "least_variance", "noise_distributions"]

#: Maximum number of Newton steps; the hardest rows in the tests need about 30.
MOST_STEPS = 200

#: Maximum change of an exponent in one step.
LONGEST_STEP = 20.0

#: Limit of the multipliers; larger values mean that no distribution exists.
ENDLESS = 1e7

#: Relative tolerance at which a variance counts as the least possible one.
TIGHT = 1e-9

#: Tolerance of the scaled residual of mean, variance and probability of no change.
SOLVED = 1e-12


class Design(NamedTuple):
    """Noise distributions, one row per count from 0."""

    v: Whole
    """Noise of each column, from -D to D."""
    allowed: Flags
    """Mask of the noise values that each row allows, shape (rows, 2 D + 1)."""
    p: Floats
    """Probability of each noise value; 0 if it is not allowed."""
    entropy: Floats
    """Entropy of each row, in nats."""


def least_variance(js: int) -> int:
    """Return the least variance that allows unbiased noise without published counts from 1 to js.

    A count k changes to 0 or to at least js + 1. If this is unbiased, the variance is at least k (js + 1 - k).

    Examples
    --------
    >>> [least_variance(js) for js in range(5)]
    [0, 1, 2, 4, 6]
    """
    return max((k * (js + 1 - k) for k in range(1, js + 1)), default=0)


def noise_distributions(
    D: int,
    V: float,
    js: int = 0,
    pstay: float | None = None,
    *,
    monotone: bool = True,
    equality: bool = False,
) -> Design:
    """Compute the maximum-entropy noise distribution of each count.

    Parameters
    ----------
    D : int
        Maximum absolute noise, at least 1 and at least js.
    V : float
        Maximum variance of the noise; the exact variance if `equality` is True.
    js : int
        Counts from 1 to js are never published.
    pstay : float, optional
        Minimum probability of no change, for rows in which no change is allowed.
    monotone : bool
        Require that p does not decrease from the lowest noise to 0.
    equality : bool
        Require a variance of exactly V.

    Returns
    -------
    Design
        D + 1 rows, or D + js + 2 if js > 0; the last row applies to all larger counts.

    Raises
    ------
    ValueError
        If no distribution satisfies the conditions; the message names the row and a possible value.

    Examples
    --------
    The last row is symmetric, so it can be used for all larger counts:

    >>> design = noise_distributions(3, 0.7)
    >>> design.p[3].round(4).tolist()
    [0.0008, 0.0274, 0.2334, 0.4768, 0.2334, 0.0274, 0.0008]
    """
    if js == 0 and V <= 0:
        raise ValueError(f"The variance V is {V:g}; it must be above 0.")
    if least_variance(js) > V:
        raise ValueError(
            f"The variance V is {V:g}. Unbiased noise without published counts from 1 to {js} needs a variance of"
            f" {least_variance(js)} or more."
        )
    if js > D:
        raise ValueError(
            f"The maximum noise D is {D}, but a count of 1 must become 0 or {js + 1}. D must be {js} or more."
        )
    last = D if js == 0 else D + js + 1
    v = np.arange(-D, D + 1)
    targets = np.arange(last + 1)[:, np.newaxis] + v
    allowed = (targets >= 0) & ((targets == 0) | (targets > js))
    # If all allowed noise of a row has the same sign, only 0 is unbiased. A count of 0 also stays 0.
    allowed[~(allowed[:, :D].any(axis=1) & allowed[:, D + 1 :].any(axis=1))] = v == 0
    allowed[0] = v == 0
    stay = np.where(allowed[:, D], pstay or 0.0, 0.0)
    p = np.zeros(allowed.shape)
    p[0] = allowed[0]
    k = np.arange(len(p))
    # A count for which V is the least possible variance has one distribution: 0 or js + 1, unbiased.
    tight = (k > 0) & (k <= js) & (k * (js + 1 - k) >= V * (1 - TIGHT))
    p[k[tight], D - k[tight]] = 1 - k[tight] / (js + 1)
    p[k[tight], D + js + 1 - k[tight]] = k[tight] / (js + 1)
    free = (k > 0) & ~tight
    p[free] = _Dual(v, allowed[free], V, stay[free], monotone, equality, k[free]).solve()
    entropy = -np.sum(p * np.log(np.where(p > 0, p, 1)), axis=1)
    return Design(v, allowed, p, entropy)


class _Dual:
    """Dual problem of all rows: a smooth convex function of three multipliers per row."""

    def __init__(
        self, v: Whole, allowed: Flags, V: float, stay: Floats, monotone: bool, equality: bool, counts: Whole
    ) -> None:
        self.counts = counts
        self.allowed, self.monotone = allowed, monotone
        self.rows, self.zero = len(allowed), len(v) // 2
        self.below = allowed[:, : self.zero + 1].astype(np.float64)
        self.v, self.V = v, V
        self.ahead = np.triu(np.ones((self.zero + 1, self.zero + 1), dtype=bool))
        # Scaled, so that all rows and conditions have the same magnitude.
        features = np.stack([v / np.sqrt(V), -(v**2) / V, (v == 0) * 1.0], axis=1)
        self.features = np.broadcast_to(features, (self.rows, *features.shape))
        self.wanted = np.stack([np.zeros(self.rows), np.full(self.rows, -1.0), stay], axis=1)
        self.open = np.stack(
            [
                np.full(self.rows, -np.inf),
                np.full(self.rows, -np.inf if equality else 0.0),
                np.zeros(self.rows),
            ],
            axis=1,
        )
        self.fixed = np.stack([np.zeros(self.rows), np.zeros(self.rows), stay], axis=1) == 0
        self.fixed[:, :2] = False  # without a required probability of no change its multiplier stays 0
        self.stay = stay

    def solve(self) -> Floats:
        """Return the probabilities of each row, by projected Newton steps with line search."""
        # The starting point is approximately the discrete normal distribution with the wanted variance.
        y = np.tile([0.0, min(0.5, self.V * np.log1p(2 / self.V)), 0.0], (self.rows, 1))
        value, p, pooled, gradient = self._at(y)
        for _ in range(MOST_STEPS):
            held = self.fixed | ((y <= self.open) & (gradient > 0))
            residual = np.where(held, 0, np.abs(gradient)).max(axis=1)
            if residual.max() <= SOLVED:
                return p
            busy = residual > SOLVED
            step = self._newton(p, pooled, gradient, held)
            slope = np.sum(step * gradient, axis=1)
            length = np.ones(self.rows)
            for _ in range(40):
                trial = np.maximum(y + length[:, np.newaxis] * step, self.open)
                evaluated = self._at(trial)
                enough = evaluated[0] <= value + 1e-4 * length * slope + 1e-15 * (1 + np.abs(value))
                if np.all(enough | ~busy):
                    break
                length = np.where(enough | ~busy, length, length / 2)
            moved = busy[:, np.newaxis]
            y = np.where(moved, trial, y)
            value, p = np.where(busy, evaluated[0], value), np.where(moved, evaluated[1], p)
            pooled = np.where(busy[:, np.newaxis, np.newaxis], evaluated[2], pooled)
            gradient = np.where(moved, evaluated[3], gradient)
            if np.abs(y).max() > ENDLESS:
                break
        self._refuse(np.flatnonzero(residual > 1e-9))
        return p

    def _at(self, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the dual's value, the probabilities, the pooled features and the gradient at y."""
        theta = y @ self.features[0].T
        pooled = self.features
        if self.monotone:
            theta, pooled = self._pool(theta)
        theta = np.where(self.allowed, theta, -np.inf)
        top = theta.max(axis=1, keepdims=True)
        weights = np.exp(theta - top)
        total = weights.sum(axis=1, keepdims=True)
        p = weights / total
        value = (np.log(total) + top)[:, 0] - np.sum(y * self.wanted, axis=1)
        gradient = (p[:, np.newaxis] @ pooled)[:, 0] - self.wanted
        return value, p, pooled, gradient

    def _pool(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return exponents that do not decrease up to noise 0, and the mean features of pooled blocks."""
        size = self.zero + 1
        there = self.below > 0
        running = np.maximum.accumulate(np.where(there, theta[:, :size], -np.inf), axis=1)
        falls = np.flatnonzero(
            np.any(there & (theta[:, :size] < running - 1e-14 * (1 + np.abs(running))), axis=1)
        )
        if not falls.size:
            return theta, self.features
        below, part = self.below[falls], theta[falls, :size]
        weight, sums = np.cumsum(below, axis=1), np.cumsum(below * part, axis=1)
        # means[s, e] is the mean of the block from s to e; isotonic fit by the min-max formula.
        total = weight[:, np.newaxis, :] - (weight - below)[:, :, np.newaxis]
        means = (sums[:, np.newaxis, :] - (sums - below * part)[:, :, np.newaxis]) / np.where(
            total > 0, total, 1
        )
        level = np.where(self.ahead, np.maximum.accumulate(means, axis=1), np.inf).min(axis=2)
        near = 1e-14 * (1 + np.abs(level))
        apart = (np.abs(level - part) > near) & (below > 0)
        # Neighbours at the same level form a block if at least one of them was moved.
        same = (np.abs(level[:, :, np.newaxis] - level[:, np.newaxis, :]) <= near[:, :, np.newaxis]) * below[
            :, np.newaxis
        ]
        block = np.where((same @ apart[:, :, np.newaxis]) > 0, same, np.eye(size))
        pooled, theta = self.features.copy(), theta.copy()
        means_of = block @ self.features[falls, :size] / np.maximum(block.sum(axis=2, keepdims=True), 1)
        pooled[falls, :size] = means_of
        theta[falls, :size] = np.where(below > 0, level, -np.inf)
        return theta, pooled

    def _newton(self, p: Floats, pooled: Floats, gradient: Floats, held: Flags) -> Floats:
        """Return the Newton step of each row; multipliers in `held` do not change."""
        mean = np.einsum("rv,rvk->rk", p, pooled)
        hessian = (
            np.einsum("rv,rvk,rvl->rkl", p, pooled, pooled) - mean[:, :, np.newaxis] * mean[:, np.newaxis, :]
        )
        free = ~held
        hessian = hessian * (free[:, :, np.newaxis] & free[:, np.newaxis, :])
        diagonal = np.arange(3)
        scale = np.maximum(hessian[:, diagonal, diagonal], 0)
        hessian[:, diagonal, diagonal] += np.where(held, 1.0, 1e-13 * scale + 1e-30)
        step = -np.linalg.solve(hessian, np.where(held, 0, gradient)[:, :, np.newaxis])[:, :, 0]
        # Limit the step, so that no exponent changes by more than LONGEST_STEP.
        reach = np.abs(step @ self.features[0].T).max(axis=1, keepdims=True)
        shorter: Floats = step * np.minimum(1, LONGEST_STEP / np.maximum(reach, LONGEST_STEP))
        return shorter

    def _refuse(self, rows: Whole) -> None:
        """Raise an error for the first row without a solution."""
        if not rows.size:
            return
        row = int(rows[0])
        most = greatest_variance(self.v, self.allowed[row], float(self.stay[row]), self.monotone)
        raise ValueError(
            f"A count of {self.counts[row]} cannot have noise with the variance {self.V:g} under the other conditions;"
            f" its variance is at most {most:.4g}."
        )


def greatest_variance(v: Whole, allowed: Flags, stay: float, monotone: bool) -> float:
    """Return the largest variance of unbiased noise, by linear programming; 0 if there is no such noise.

    Examples
    --------
    >>> greatest_variance(np.arange(-2, 3), np.ones(5, dtype=bool), 0.5, monotone=False)
    2.0
    """
    from scipy.optimize import linprog

    zero = len(v) // 2
    bounds = [(stay if k == zero else 0, 1 if there else 0) for k, there in enumerate(allowed)]
    below = np.flatnonzero(allowed[: zero + 1])
    falls = np.zeros((max(len(below) - 1, 0), len(v)))
    falls[np.arange(len(falls)), below[:-1]] = 1
    falls[np.arange(len(falls)), below[1:]] = -1
    solved = linprog(
        -(v.astype(float) ** 2),
        A_ub=falls if monotone and len(falls) else None,
        b_ub=np.zeros(len(falls)) if monotone and len(falls) else None,
        A_eq=np.stack([np.ones(len(v)), v]),
        b_eq=[1, 0],
        bounds=bounds,
        method="highs",
    )
    return float(-solved.fun) if solved.status == 0 else 0.0
