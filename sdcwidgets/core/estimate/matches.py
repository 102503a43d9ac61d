r"""Expected uniques and correct matches of a population, from a log-linear model of a sample.

The fit of the model is the expected sample count :math:`\mu_i` of each cell. With the sampling fraction p, the
rate in the population is :math:`\lambda_i = \mu_i/p`, and

.. math:: f_i \mid \lambda_i \sim Po(p\lambda_i),\qquad F_i - f_i \mid \lambda_i \sim Po((1-p)\lambda_i)

independently (2.3.4). References: thesis, section 2.3.2.2.2; Skinner and Holmes 1998; Elamir 2004; Elamir and
Skinner 2006.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Axis, Floats, as_counts, axes_of, plain
from ._sampling import as_fraction


def main_effects(counts: ArrayLike, axis: Axis = None) -> Floats:
    r"""Return the expected counts of the log-linear model of main effects (independent axes).

    .. math:: \mu_{i_1 \dots i_k} = n \prod_j \frac{n_j(i_j)}{n}

    This is `fit_loglinear` with each axis as a margin, in closed form and for many tables in one call.

    Parameters
    ----------
    counts : array_like
        Counts.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Raises
    ------
    ValueError
        If all counts of a table are 0.

    Examples
    --------
    >>> main_effects([[2, 0], [1, 1]]).tolist()
    [[1.5, 0.5], [1.5, 0.5]]
    """
    f = as_counts(counts)
    axes = axes_of(axis, f.ndim)
    n = f.sum(axis=axes, keepdims=True, dtype=np.float64)
    if not n.all():
        raise ValueError("All counts are 0, so no model can be fitted.")
    fitted: Floats = n * np.ones(f.shape)
    for own in axes:
        fitted *= f.sum(axis=tuple(k for k in axes if k != own), keepdims=True) / n
    return fitted


def expected_cells(rates: ArrayLike, fraction: ArrayLike, population: ArrayLike, sample: ArrayLike) -> Floats:
    r"""Return the expected number of cells with given counts in the population and the sample.

    .. math::
        \sum_i \frac{(p\lambda_i)^r\,[(1-p)\lambda_i]^{s-r}\,e^{-\lambda_i}}{r!\,(s-r)!}

    Parameters
    ----------
    rates : array_like
        Rate of each cell in the population.
    fraction : array_like
        Sampling fraction p in (0, 1].
    population : array_like
        Population counts s, broadcast against `sample` and `fraction`.
    sample : array_like
        Sample counts r.

    Returns
    -------
    ndarray
        From 0 to the number of cells; 0 if r > s.

    References
    ----------
    Elamir 2004; thesis, equation (2.3.8).

    Examples
    --------
    One cell with the rate 2 and p = 0.5: the probability of exactly one person, who is in the sample.

    >>> round(float(expected_cells([2.0], 0.5, population=1, sample=1)), 4)  # exp(-2)
    0.1353
    """
    from scipy.special import gammaln, xlogy

    cells = as_counts(rates, "the rates").astype(np.float64).ravel()
    p = as_fraction(fraction)[..., None]
    s, r = (np.asarray(size, dtype=np.float64)[..., None] for size in (population, sample))
    unseen = np.maximum(s - r, 0)
    log_chance = (
        xlogy(r, p * cells) + xlogy(unseen, (1 - p) * cells) - cells - gammaln(r + 1) - gammaln(unseen + 1)
    )
    return plain(np.where(r <= s, np.exp(log_chance), 0).sum(axis=-1))


def match_probability(rates: ArrayLike, fraction: ArrayLike, shape: ArrayLike = np.inf) -> Floats:
    r"""Return the probability that a match with a sample unique is correct, for each cell's rate.

    .. math::
        \theta = E\Bigl(\frac1F \Bigm| f = 1\Bigr) = \frac{1 - e^{-(1-p)\lambda}}{(1-p)\lambda},\qquad
        \theta = \frac{p(\mu + v)}{(1-p)\mu v}\Bigl[1 - \Bigl(\frac{\mu + v}{\mu/p + v}\Bigr)^v\Bigr]

    The first formula holds for fixed rates, the second for rates multiplied by a gamma variable with mean 1 and
    shape v, with :math:`\mu = p\lambda`.

    Parameters
    ----------
    rates : array_like
        Rate of each cell in the population, from the log-linear model.
    fraction : array_like
        Sampling fraction p in (0, 1].
    shape : array_like
        Shape v, above 0; infinite for fixed rates.

    Returns
    -------
    ndarray
        From 0 to 1; 1 if the rate is 0 or p = 1.

    References
    ----------
    Elamir and Skinner 2006; thesis, section 2.3.2.2.2, after (2.3.10).

    Examples
    --------
    >>> match_probability([2.0, 2.0], 0.5, shape=[float("inf"), 1.0]).round(4).tolist()
    [0.6321, 0.6667]
    """
    p = as_fraction(fraction)
    mean = p * as_counts(rates, "the rates")
    v = np.asarray(shape, dtype=np.float64)
    if not np.all(v > 0):
        raise ValueError("The shape v of the random effect must be above 0.")
    fixed = np.isinf(v)
    finite = np.where(fixed, 1.0, v)
    unseen = np.asarray((1 - p) * mean / p)
    some = unseen > 0
    safe = np.where(some, unseen, 1.0)
    plainly = -np.expm1(-safe) / safe
    mixed = (mean + finite) / (safe * finite) * -np.expm1(-finite * np.log1p(safe / (mean + finite)))
    return plain(np.where(some, np.where(fixed, plainly, mixed), 1.0))


def dispersion(counts: ArrayLike, fitted: ArrayLike, axis: Axis = None) -> Floats:
    r"""Estimate the shape v of the random effect from the deviations of the counts from the fit.

    .. math:: \hat v = \frac{\sum \mu_i^2}{\sum \bigl[(f_i - \mu_i)^2 - \mu_i\bigr]}

    This follows from the variance :math:`\mu + \mu^2/v` of a count. The estimate is infinite if the counts vary
    no more than Poisson counts.

    Examples
    --------
    >>> round(float(dispersion([5, 0, 0, 3], [2, 2, 2, 2])), 4)
    1.6
    """
    f, mean = np.broadcast_arrays(as_counts(counts), as_counts(fitted, "the fit"))
    axes = axes_of(axis, f.ndim)
    extra = np.sum((f - mean) ** 2 - mean, axis=axes)
    squares = np.sum(np.square(mean, dtype=np.float64), axis=axes)
    return plain(np.where(extra > 0, squares / np.where(extra > 0, extra, 1), np.inf))
