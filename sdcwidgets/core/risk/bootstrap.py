r"""Uncertainty of the estimated :math:`\tau_1` and :math:`\tau_2` of a sample, by a parametric bootstrap.

The estimates of `sample.modelled_tau` have two kinds of error: the fitted model differs from the true rates, and
the number of people outside the sample is random. Each replicate simulates both. It draws a sample and the people
outside it from the fitted model, counts their :math:`\tau`, fits the model to the new sample, and compares.

References: Totter 2014, section 5, and Skinner and Vallet 2010 (estimation of variances as a task).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole
from ._crossing import Crossing
from .sample import modelled_taus

#: Maximum number of cells of the crossing; each replicate draws a count for each of them.
MOST_CELLS = 1_000_000


class TauInterval(NamedTuple):
    """An estimate of τ with its standard error and its interval."""

    estimate: float
    error: float
    """Standard deviation of estimate minus true value."""
    bias: float
    """Mean of estimate minus true value."""
    lower: float
    upper: float


class BootstrappedTau(NamedTuple):
    """Estimates with their uncertainty, and the errors of all replicates."""

    tau1: TauInterval
    tau2: TauInterval
    errors: Floats
    """Estimate minus true value of each replicate, for τ1 and τ2, shape (replicates, 2)."""


def bootstrapped_tau(
    codes: ArrayLike | Crossing,
    weights: ArrayLike = (),
    margins: Iterable[Sequence[int]] = (),
    *,
    rng: np.random.Generator,
    replicates: int = 200,
    level: float = 0.95,
) -> BootstrappedTau:
    r"""Return the estimates of the standard log-linear model with bootstrap intervals.

    With the fitted counts :math:`\mu` and the sampling fractions :math:`\pi`, a replicate draws
    :math:`f^* \sim Po(\mu)` and :math:`F^* - f^* \sim Po(\mu(1-\pi)/\pi)`. The interval of a true value :math:`\tau`
    is the estimate minus the quantiles of :math:`\hat\tau^* - \tau^*`. It contains the errors of sampling, but not
    the error of a wrong model.

    Parameters
    ----------
    codes : array_like, shape (n, q), or Crossing
        Keys of the sample, without missing values.
    weights : array_like, shape (n,)
        Sampling weights, at least 1; not needed for a `Crossing`.
    margins : iterable of sequences of int
        Interactions of the model.
    rng : numpy.random.Generator
        Source of random numbers.
    replicates : int
        Number of replicates, 2 or more.
    level : float
        Coverage of the intervals, between 0 and 1.

    Returns
    -------
    BootstrappedTau

    Raises
    ------
    ValueError
        If the crossing has too many cells, or a number is out of its range.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> codes = np.column_stack([rng.integers(0, 6, 150), rng.integers(0, 9, 150), rng.integers(0, 4, 150)])
    >>> bootstrap = bootstrapped_tau(codes, np.full(150, 10.0), rng=rng, replicates=100)
    >>> bootstrap.tau2.lower < bootstrap.tau2.estimate < bootstrap.tau2.upper
    True
    """
    if replicates < 2 or not 0 < level < 1:
        raise ValueError(
            f"The bootstrap has {replicates} replicates and the level {level}; it needs at least 2 replicates and a "
            "level between 0 and 1."
        )
    crossing = codes if isinstance(codes, Crossing) else Crossing.of(codes, weights)
    generators = tuple(tuple(margin) for margin in margins)
    size = float(np.prod(crossing.shape, dtype=np.float64))
    if size > MOST_CELLS:
        raise ValueError(
            f"The crossing of the key variables has {size:,.0f} cells; the bootstrap is possible for at most "
            f"{MOST_CELLS:,} cells."
        )
    fitted = modelled_taus(crossing, (), generators, models=("standard",))["standard", "formula"]
    expected = crossing.everywhere(generators)[1].ravel()
    fraction = np.full(expected.size, crossing.counts.sum() / crossing.weighted.sum())
    fraction[np.ravel_multi_index(tuple(crossing.cells.T), crossing.shape)] = (
        crossing.counts / crossing.weighted
    )
    errors = np.array(
        [_error(expected, fraction, crossing.shape, generators, rng) for _ in range(replicates)]
    )
    unique = len(fitted.unique)
    return BootstrappedTau(
        _interval(fitted.tau1, errors[:, 0], unique, level),
        _interval(fitted.tau2, errors[:, 1], unique, level),
        errors,
    )


def _error(
    expected: Floats,
    fraction: Floats,
    shape: tuple[int, ...],
    margins: tuple[tuple[int, ...], ...],
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the errors of both estimates in one replicate."""
    counts: Whole = rng.poisson(expected)
    populated = np.flatnonzero(counts)
    if not populated.size:
        return 0.0, 0.0
    unique = np.flatnonzero(counts == 1)
    others = rng.poisson(expected[unique] * (1 - fraction[unique]) / fraction[unique])
    sample = Crossing(
        np.column_stack(np.unravel_index(populated, shape)),
        shape,
        counts[populated].astype(np.float64),
        counts[populated] / fraction[populated],
    )
    estimate = modelled_taus(sample, (), margins, models=("standard",))["standard", "formula"]
    return estimate.tau1 - float((others == 0).sum()), estimate.tau2 - float((1 / (1 + others)).sum())


def _interval(estimate: float, errors: Floats, unique: int, level: float) -> TauInterval:
    """Return the interval of a true value, which is at least 0 and at most the number of sample uniques."""
    low, high = np.quantile(errors, [(1 - level) / 2, (1 + level) / 2])
    return TauInterval(
        estimate,
        float(errors.std(ddof=1)),
        float(errors.mean()),
        float(np.clip(estimate - high, 0, unique)),
        float(np.clip(estimate - low, 0, unique)),
    )
