r"""Estimate the number of population uniques from a sample, by three models of the cells.

Each model describes how the people of a population are distributed over K cells. A sample with fraction p
follows the same model with fewer people. The expected number of cells of each size therefore gives the fit, the
expected number of population uniques, and the probability for a sample unique:

.. math:: \Pr(F = 1 \mid f = 1) = p\,\frac{E\,\#\{F = 1\}}{E\,\#\{f = 1\}}

because a population unique is in the sample, and is then a sample unique, with probability p.

All parameters may be arrays that broadcast, to fit many samples in one call. The estimators equate moments of
the sample counts. References: thesis, section 2.3.2.2.2; Bethlehem, Keller and Pannekoek 1990; Takemura 1999;
Skinner and Holmes 1993, 1998.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts, plain
from ._sampling import as_fraction

#: Minimum relative variance of the rates. If sample counts vary no more than Poisson counts, the fitted
#: variance is 0 or less; this minimum then replaces it.
LEAST_VARIATION = 1e-6


def cell_sizes(counts: ArrayLike) -> NDArray[np.int64]:
    """Return the cell size indices: the number of cells with 0, 1, 2, ... people.

    Examples
    --------
    >>> cell_sizes([0, 1, 1, 4, 0, 0]).tolist()
    [3, 2, 0, 0, 1]
    """
    return np.bincount(as_counts(counts).astype(np.int64).ravel())


class Superpopulation(ABC):
    """Base class of the models: K cells, expected number of cells of each size, model of a sample."""

    @classmethod
    @abstractmethod
    def fit(cls, sizes: ArrayLike, fraction: ArrayLike) -> Self:
        """Fit the model of the population to a sample by equating moments.

        Parameters
        ----------
        sizes : array_like, shape (..., J)
            Number of cells with 0, 1, 2, ... people in the sample, for example from `cell_sizes`. The empty
            cells must be included, so that the sum is K, the number of cells that a person can be in.
        fraction : array_like
            Sampling fraction p = n/N in (0, 1].

        Raises
        ------
        ValueError
            If the sample is empty, a fraction is not in (0, 1], or a number of cells is invalid.
        """

    @abstractmethod
    def cells_of_size(self, size: ArrayLike) -> Floats:
        """Return the expected number of cells with `size` people in the population."""

    @abstractmethod
    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the model of a sample with this fraction of the people."""

    def uniques(self) -> Floats:
        """Return the expected number of population uniques (cells with one person), from 0 to K."""
        return self.cells_of_size(1)

    def unique_given_sample_unique(self, fraction: ArrayLike) -> Floats:
        """Return the probability that a sample unique is a population unique, from 0 to 1.

        Parameters
        ----------
        fraction : array_like
            Sampling fraction p in (0, 1].
        """
        share = as_fraction(fraction)
        return plain(share * self.uniques() / self.sampled(share).uniques())


@dataclass(frozen=True)
class PoissonGamma(Superpopulation):
    r"""Poisson counts with gamma rates, so that cell counts are negative binomial (Bethlehem et al. 1990).

    .. math::
        F_i \mid \pi_i \sim Po(N\pi_i),\quad \pi_i \sim \text{Gamma}(\alpha, \beta),\quad K\alpha\beta = 1,\quad
        E\,\#\{F = 1\} = N (1 + N\beta)^{-(1+\alpha)}

    Attributes
    ----------
    cells, people : float
        K and N; N is the expected number of people.
    alpha : float
        The shape of the gamma distribution; 1/alpha is the relative variance of the rates.

    Notes
    -----
    The thesis has :math:`\alpha N` instead of :math:`\alpha`, and :math:`\beta` instead of :math:`N\beta`, in
    the negative binomial distribution and in the expected uniques. This is the model :math:`F \mid \lambda \sim
    Po(\lambda)`,
    :math:`\lambda \sim \text{Gamma}(\alpha N, \beta)`. It has the mean of the stated model, but another
    variance; `uniques_as_printed` computes it.

    References
    ----------
    Bethlehem, Keller and Pannekoek 1990; thesis, section 2.3.2.2.2.

    Examples
    --------
    >>> model = PoissonGamma(cells=1000, people=5000, alpha=0.5)
    >>> round(float(model.uniques()), 2)
    137.05
    >>> round(float(model.unique_given_sample_unique(0.1)), 4)
    0.0775
    """

    cells: float | Floats
    people: float | Floats
    alpha: float | Floats

    @classmethod
    def fit(cls, sizes: ArrayLike, fraction: ArrayLike) -> Self:
        """Fit mean and variance of the sample counts; see `Superpopulation.fit`."""
        moments = _moments(sizes, fraction)
        return cls(moments.cells, moments.people, 1 / moments.variation)

    @property
    def beta(self) -> Floats:
        """Scale of the gamma distribution, 1/(K alpha)."""
        return plain(1 / np.multiply(self.cells, self.alpha))

    def cells_of_size(self, size: ArrayLike) -> Floats:
        """Return K times the negative binomial probability of `size`."""
        from scipy.special import betaln, xlogy

        k, alpha = np.asarray(size, dtype=np.float64), np.asarray(self.alpha, dtype=np.float64)
        scale = np.multiply(self.people, self.beta)
        # Γ(k+α)/(Γ(α) k!) equals 1/(k B(k, α)), and 1 if k = 0.
        ways = np.where(k > 0, -np.log(np.maximum(k, 1)) - betaln(np.maximum(k, 1), alpha), 0)
        return plain(self.cells * np.exp(ways + xlogy(k, scale) - (k + alpha) * np.log1p(scale)))

    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the model with the same cells and fewer people."""
        return replace(self, people=np.multiply(self.people, fraction))

    def uniques_as_printed(self) -> Floats:
        r"""Return :math:`N (1+\beta)^{-(1+\alpha N)}`, the published formula of the thesis; see the notes."""
        exponent = 1 + np.multiply(self.alpha, self.people)
        return plain(self.people * np.exp(-exponent * np.log1p(self.beta)))


@dataclass(frozen=True)
class DirichletMultinomial(Superpopulation):
    r"""N people in cells with symmetric Dirichlet shares (Takemura 1999).

    .. math::
        \pi \sim \text{Dirichlet}(\alpha, \dots, \alpha),\quad F \sim \text{Multinomial}(N, \pi),\quad
        \mathcal A = K\alpha

    The number of people in a cell is beta-binomial.

    Attributes
    ----------
    cells, people : float
        K and N.
    alpha : float
        Dirichlet parameter of each cell.

    References
    ----------
    Takemura 1999; thesis, section 2.3.2.2.2.

    Examples
    --------
    >>> model = DirichletMultinomial(cells=1000, people=5000, alpha=0.5)
    >>> round(float(model.uniques()), 2)
    136.99
    """

    cells: float | Floats
    people: float | Floats
    alpha: float | Floats

    @classmethod
    def fit(cls, sizes: ArrayLike, fraction: ArrayLike) -> Self:
        """Fit the sum of squares of the sample counts; see `Superpopulation.fit`.

        Raises
        ------
        ValueError
            If `Superpopulation.fit` would raise it, there are fewer than two cells, or all people are in one
            cell.
        """
        moments = _moments(sizes, fraction)
        if np.any(moments.cells < 2) or np.any(moments.squares >= moments.sampled**2):
            raise ValueError(
                "The Dirichlet–multinomial model needs a sample with people in two or more cells."
            )
        # Variance of a cell divided by the variance of a multinomial count: (n + A)/(1 + A).
        n, K = moments.sampled, moments.cells
        inflation = (K * moments.squares / n - n) / (K - 1)
        total = (n - inflation) / np.maximum(inflation - 1, LEAST_VARIATION)
        return cls(K, moments.people, total / K)

    def cells_of_size(self, size: ArrayLike) -> Floats:
        """Return K times the beta-binomial probability of `size`."""
        from scipy.special import betaln, gammaln

        k, alpha = np.asarray(size, dtype=np.float64), np.asarray(self.alpha, dtype=np.float64)
        N, rest = np.asarray(self.people, dtype=np.float64), np.multiply(self.cells, alpha) - alpha
        inside = k <= N
        remaining = np.where(inside, N - k, 0)
        ways = gammaln(N + 1) - gammaln(k + 1) - gammaln(remaining + 1)
        chance = np.exp(ways + betaln(k + alpha, remaining + rest) - betaln(alpha, rest))
        return plain(np.where(inside, self.cells * chance, 0.0))

    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the model with the same cells and fewer people."""
        return replace(self, people=np.multiply(self.people, fraction))


@dataclass(frozen=True)
class LogNormal(Superpopulation):
    r"""Poisson counts with log-normal rates (Skinner and Holmes 1993, 1998).

    .. math::
        F_i \mid \lambda_i \sim Po(\lambda_i),\quad \log\lambda_i \sim N(\mu, \sigma^2),\quad
        P_j = \int \frac{e^{-\lambda}\lambda^j}{j!} g(\lambda)\,d\lambda,\quad E\,\#\{F = 1\} = K P_1

    If `mu` is an array of linear predictors of a log-linear model, `unique_given_sample_unique` is the measure
    (2.3.6) of each cell.

    Attributes
    ----------
    cells : float
        K.
    mu, sigma : float
        Mean and standard deviation of the logarithm of a cell's rate in the population.

    Notes
    -----
    The thesis calls :math:`P_1/\sum_j j P_j` the probability that a cell is a population unique, but it is the
    share of uniques among people. Its formula for :math:`\Pr(F=1 \mid f=1)` lacks :math:`\lambda` in the
    exponent, which must be :math:`\exp[-(1-p)\lambda]`, as (2.3.6) implies.

    References
    ----------
    Skinner and Holmes 1993, 1998; thesis, equations (2.3.1) to (2.3.6).

    Examples
    --------
    >>> model = LogNormal(cells=1000, mu=0.0, sigma=1.5)
    >>> round(float(model.uniques()), 2)
    205.53
    """

    cells: float | Floats
    mu: float | Floats
    sigma: float | Floats

    @classmethod
    def fit(cls, sizes: ArrayLike, fraction: ArrayLike) -> Self:
        """Fit mean and variance of the sample counts; see `Superpopulation.fit`."""
        moments = _moments(sizes, fraction)
        variance = np.log1p(moments.variation)
        return cls(
            moments.cells, plain(np.log(moments.people / moments.cells) - variance / 2), np.sqrt(variance)
        )

    @property
    def people(self) -> Floats:
        """Expected number of people N."""
        return plain(self.cells * np.exp(self.mu + np.square(self.sigma) / 2))

    def cells_of_size(self, size: ArrayLike) -> Floats:
        r"""Return :math:`K P_j`, by the trapezoidal rule over the logarithm of the rate."""
        from scipy.special import gammaln

        k = np.asarray(size, dtype=np.float64)[..., None]
        # The integrand is analytic and vanishes at both ends, where the trapezoidal rule converges fastest.
        z = np.linspace(-9, 9, 801)
        log_rate = np.asarray(self.mu)[..., None] + np.asarray(self.sigma)[..., None] * z
        log_poisson = k * log_rate - np.exp(log_rate) - gammaln(k + 1)
        step = (z[1] - z[0]) / np.sqrt(2 * np.pi)
        return plain(self.cells * step * np.exp(log_poisson - z**2 / 2).sum(axis=-1))

    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the model with the rates multiplied by the fraction."""
        return replace(self, mu=plain(self.mu + np.log(fraction)))


class _Moments(NamedTuple):
    """Statistics of a sample: K, n, the sum of squares, N, and the relative variance of the rates."""

    cells: Floats
    sampled: Floats
    squares: Floats
    people: Floats
    variation: Floats


def _moments(sizes: ArrayLike, fraction: ArrayLike) -> _Moments:
    array = as_counts(sizes, "the cell sizes").astype(np.float64)
    share = as_fraction(fraction)
    k = np.arange(array.shape[-1])
    cells, sampled, squares = (plain(np.sum(array * power, axis=-1)) for power in (k**0, k, k**2))
    if np.any(sampled == 0):
        raise ValueError("The sample is empty, so the model cannot be fitted.")
    mean = sampled / cells
    # A Poisson count has a variance equal to its mean; the remaining variance is that of the rates.
    variation = (squares / cells - mean**2 - mean) / mean**2
    return _Moments(cells, sampled, squares, plain(sampled / share), np.maximum(variation, LEAST_VARIATION))
