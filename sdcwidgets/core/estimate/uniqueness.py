r"""How many people are unique in a population of which only a sample is known: three models of the cells.

Each model says how the people of a population fall into K cells. A sample with fraction p of it follows the
same model with fewer people, so one formula, the expected number of cells of each size, gives the fit, the
expected population uniques, and what a sample unique says:

.. math:: \Pr(F = 1 \mid f = 1) = p\,\frac{E\,\#\{F = 1\}}{E\,\#\{f = 1\}}

because a population unique is in the sample, and is unique there, with probability p.

All parameters may be arrays that broadcast, so that many samples are fitted at once. The estimators equate
moments of the sample's counts. References: thesis, section 2.3.2.2.2; Bethlehem, Keller and Pannekoek 1990;
Takemura 1999; Skinner and Holmes 1993, 1998.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, as_counts, plain
from ._sampling import as_fraction

#: The least relative variance of the cells' rates that is fitted. A sample that varies no more than chance
#: makes it vary has a fitted variance of 0 or less; it is then taken to come from all but equal cells.
LEAST_VARIATION = 1e-6


def cell_sizes(counts: ArrayLike) -> NDArray[np.int64]:
    """Return the cell size indices: how many cells have 0 people, 1 person, 2 people ...

    Examples
    --------
    >>> cell_sizes([0, 1, 1, 4, 0, 0]).tolist()
    [3, 2, 0, 0, 1]
    """
    return np.bincount(as_counts(counts).astype(np.int64).ravel())


class Superpopulation(ABC):
    """What all models share: K cells, the cells expected of each size, and a smaller model for a sample."""

    @classmethod
    @abstractmethod
    def fit(cls, sizes: ArrayLike, fraction: ArrayLike) -> Self:
        """Return the model of the population from a sample, by equating moments.

        Parameters
        ----------
        sizes : array_like, shape (..., J)
            How many cells have 0, 1, 2 ... people in the sample, as `cell_sizes` gives it. The empty ones
            count: all K cells in which a person of the population could be.
        fraction : array_like
            The sampling fraction p = n/N, above 0 and at most 1.

        Raises
        ------
        ValueError
            If nobody is in the sample, or the fraction or a number of cells is impossible.
        """

    @abstractmethod
    def cells_of_size(self, size: ArrayLike) -> Floats:
        """Return the expected number of cells with `size` people in the population."""

    @abstractmethod
    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the model of a sample with this fraction of the people."""

    def uniques(self) -> Floats:
        """Return the expected number of population uniques, cells of one person: from 0 to K."""
        return self.cells_of_size(1)

    def unique_given_sample_unique(self, fraction: ArrayLike) -> Floats:
        """Return the probability, from 0 to 1, that a person who is unique in the sample is so in the population.

        Parameters
        ----------
        fraction : array_like
            The sampling fraction p, above 0 and at most 1.
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
    The thesis prints :math:`\alpha N` for :math:`\alpha` and :math:`\beta` for :math:`N\beta` in the negative
    binomial distribution and in the expected uniques. That is the model :math:`F \mid \lambda \sim Po(\lambda)`,
    :math:`\lambda \sim \text{Gamma}(\alpha N, \beta)`, which has the same mean and another variance than the model
    it states; `uniques_as_printed` gives it.

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
        """Return the model whose sample has the mean and variance of this one; see `Superpopulation.fit`."""
        moments = _moments(sizes, fraction)
        return cls(moments.cells, moments.people, 1 / moments.variation)

    @property
    def beta(self) -> Floats:
        """The scale of the gamma distribution, 1/(K alpha)."""
        return plain(1 / np.multiply(self.cells, self.alpha))

    def cells_of_size(self, size: ArrayLike) -> Floats:
        """Return K times the negative binomial probability of `size`."""
        from scipy.special import betaln, xlogy

        k, alpha = np.asarray(size, dtype=np.float64), np.asarray(self.alpha, dtype=np.float64)
        scale = np.multiply(self.people, self.beta)
        # Γ(k+α)/(Γ(α) k!) is 1/(k B(k, α)); where k = 0 it is 1.
        ways = np.where(k > 0, -np.log(np.maximum(k, 1)) - betaln(np.maximum(k, 1), alpha), 0)
        return plain(self.cells * np.exp(ways + xlogy(k, scale) - (k + alpha) * np.log1p(scale)))

    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the same cells with fewer people."""
        return replace(self, people=np.multiply(self.people, fraction))

    def uniques_as_printed(self) -> Floats:
        r"""Return :math:`N (1+\beta)^{-(1+\alpha N)}`, the formula that the thesis prints; see the notes."""
        exponent = 1 + np.multiply(self.alpha, self.people)
        return plain(self.people * np.exp(-exponent * np.log1p(self.beta)))


@dataclass(frozen=True)
class DirichletMultinomial(Superpopulation):
    r"""Exactly N people in cells whose shares are Dirichlet (Takemura 1999), here with the same alpha for all.

    .. math::
        \pi \sim \text{Dirichlet}(\alpha, \dots, \alpha),\quad F \sim \text{Multinomial}(N, \pi),\quad
        \mathcal A = K\alpha

    The number of people in a cell is beta-binomial.

    Attributes
    ----------
    cells, people : float
        K and N.
    alpha : float
        The parameter of each cell.

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
        """Return the model whose sample has the sum of squares of this one; see `Superpopulation.fit`.

        Raises
        ------
        ValueError
            Also if there are fewer than two cells, or all people of the sample are in one.
        """
        moments = _moments(sizes, fraction)
        if np.any(moments.cells < 2) or np.any(moments.squares >= moments.sampled**2):
            raise ValueError(
                "The Dirichlet–multinomial model needs people in two or more cells of the sample."
            )
        # The variance of a cell, relative to that of a multinomial count: (n + A)/(1 + A).
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
        """Return the same cells with fewer people."""
        return replace(self, people=np.multiply(self.people, fraction))


@dataclass(frozen=True)
class LogNormal(Superpopulation):
    r"""Poisson counts whose rates are log-normal (Skinner and Holmes 1993, 1998).

    .. math::
        F_i \mid \lambda_i \sim Po(\lambda_i),\quad \log\lambda_i \sim N(\mu, \sigma^2),\quad
        P_j = \int \frac{e^{-\lambda}\lambda^j}{j!} g(\lambda)\,d\lambda,\quad E\,\#\{F = 1\} = K P_1

    With `mu` an array of a log-linear model's predictors, `unique_given_sample_unique` is the measure (2.3.6)
    for each cell.

    Attributes
    ----------
    cells : float
        K.
    mu, sigma : float
        Mean and standard deviation of the logarithm of a cell's rate in the population.

    Notes
    -----
    The thesis calls :math:`P_1/\sum_j j P_j` the probability that a cell is a population unique; it is the
    share of uniques among people. In its formula for :math:`\Pr(F=1 \mid f=1)` the exponent lacks
    :math:`\lambda`: it is :math:`\exp[-(1-p)\lambda]`, as (2.3.6) implies.

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
        """Return the model whose sample has the mean and variance of this one; see `Superpopulation.fit`."""
        moments = _moments(sizes, fraction)
        variance = np.log1p(moments.variation)
        return cls(
            moments.cells, plain(np.log(moments.people / moments.cells) - variance / 2), np.sqrt(variance)
        )

    @property
    def people(self) -> Floats:
        """N, the expected number of people."""
        return plain(self.cells * np.exp(self.mu + np.square(self.sigma) / 2))

    def cells_of_size(self, size: ArrayLike) -> Floats:
        r"""Return :math:`K P_j`, by the trapezoidal rule over the logarithm of the rate."""
        from scipy.special import gammaln

        k = np.asarray(size, dtype=np.float64)[..., None]
        # The integrand is analytic and falls to 0 at both ends, where this rule converges fastest.
        z = np.linspace(-9, 9, 801)
        log_rate = np.asarray(self.mu)[..., None] + np.asarray(self.sigma)[..., None] * z
        log_poisson = k * log_rate - np.exp(log_rate) - gammaln(k + 1)
        step = (z[1] - z[0]) / np.sqrt(2 * np.pi)
        return plain(self.cells * step * np.exp(log_poisson - z**2 / 2).sum(axis=-1))

    def sampled(self, fraction: ArrayLike) -> Self:
        """Return the same cells with rates that are lower by the fraction."""
        return replace(self, mu=plain(self.mu + np.log(fraction)))


class _Moments(NamedTuple):
    """What a sample tells: K, n, the sum of squares, N, and the relative variance of the cells' rates."""

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
        raise ValueError("Nobody is in the sample, so that nothing can be estimated from it.")
    mean = sampled / cells
    # Chance alone gives a Poisson count the variance of its mean; the rest is what the rates vary by.
    variation = (squares / cells - mean**2 - mean) / mean**2
    return _Moments(cells, sampled, squares, plain(sampled / share), np.maximum(variation, LEAST_VARIATION))
