r"""Estimates of frequencies of frequencies (N_r, the number of cells with r people) and of entropies.

Three models give the expected N_r from a sample: exchangeable cells with negative binomial counts (4.5.2), one
rate per cell from a log-linear model (4.5.3), and such rates with a log-normal error (4.5.4). The entropy
follows from the N_r by (4.5.1), or directly from the expectation of F log F (4.4.2). References: thesis,
sections 4.4.1 and 4.5; Skinner and Shlomo 2012; Skinner and Holmes 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import BLOCK, Floats, as_counts, logs, plain
from ._sampling import as_fraction
from .uniqueness import LogNormal, PoissonGamma, cell_sizes

#: Maximum of the largest count r, because all sizes up to it are listed.
MOST = 1_000_000


class Expectation(NamedTuple):
    """A truncated series, with a bound on the omitted terms."""

    value: Floats
    error: Floats


def entropy_of(cells: ArrayLike) -> Floats:
    r"""Return the entropy of a population from the number of cells of each size.

    .. math:: H = -\sum_r N_r \frac{r}{N} \log\frac{r}{N}, \qquad N = \sum_r r N_r

    Parameters
    ----------
    cells : array_like, shape (..., R)
        N_0, N_1, N_2, ..., which may be fractions.

    Returns
    -------
    ndarray, shape (...)
        H in nats, 0 or more.

    Raises
    ------
    ValueError
        If there are no people.

    References
    ----------
    Thesis, (4.5.1).

    Examples
    --------
    The table (0, 2, 4) has one cell each of 0, 2 and 4 people:

    >>> round(float(entropy_of([1, 0, 1, 0, 1])), 4)
    0.6365
    """
    N_r = as_counts(cells, "the numbers of cells").astype(np.float64)
    r = np.arange(N_r.shape[-1], dtype=np.float64)
    N = N_r @ r
    if not np.all(N > 0):
        raise ValueError("The entropy of a population without people is not defined: N = 0.")
    return plain(np.maximum(np.log(N) - N_r @ (r * logs(r)) / N, 0.0))


def negative_binomial(counts: ArrayLike, fraction: float, largest: int | None = None) -> Floats:
    r"""Estimate N_r from a sample with exchangeable cells: Poisson counts with gamma rates.

    .. math::
        \hat N_r = \frac{K\,\Gamma(r + \theta_1\theta_2)\,\theta_2^{\theta_1\theta_2}}
        {r!\,\Gamma(\theta_1\theta_2)\,(1 + \theta_2)^{r + \theta_1\theta_2}}, \quad
        \hat\theta_1 = \frac{\hat\mu_1}{p}, \quad \hat\theta_2 = \frac{p\,\hat\mu_1}{\hat\mu_2 - \hat\mu_1^2}

    with :math:`\hat\mu_1 = n/K` and :math:`\hat\mu_2 = \sum f(f-1)/K`. The model is `PoissonGamma` with
    :math:`\alpha = \theta_1\theta_2`.

    Parameters
    ----------
    counts : array_like
        The sample f.
    fraction : float
        The sampling fraction p = n/N.
    largest : int, optional
        The largest r. Default: large enough that less than a millionth of the people are in larger cells.

    Returns
    -------
    ndarray, shape (largest + 1,)
        The expected N_0, N_1, ...; their sum is K minus the number of larger cells.

    Raises
    ------
    ValueError
        If the sample is empty, the fraction is not in (0, 1], or the largest r is out of range.

    Notes
    -----
    The text of the thesis gives the parameters of this distribution as :math:`\theta_2/\theta_1` and
    :math:`\theta_2`. Its formula has the shape :math:`\theta_1\theta_2`, which agrees with the mean and the
    variance.

    References
    ----------
    Skinner and Shlomo 2012; thesis, (4.5.2).

    Examples
    --------
    >>> negative_binomial([0, 0, 1, 4, 0, 2], 0.5).round(2).tolist()[:4]
    [1.52, 1.33, 1.0, 0.71]
    """
    model = PoissonGamma.fit(cell_sizes(counts), fraction)
    return _listed(model.cells_of_size, float(model.people), float(model.cells), largest)


def poisson_mixture(rates: ArrayLike, largest: int | None = None) -> Floats:
    r"""Return the expected N_r of cells with these Poisson rates.

    .. math:: \hat N_r = \sum_i \frac{\lambda_i^r e^{-\lambda_i}}{r!}

    Parameters
    ----------
    rates : array_like
        The rate :math:`\lambda_i` of each cell in the population: the fit of a log-linear model divided by p.
    largest : int, optional
        As for `negative_binomial`.

    Returns
    -------
    ndarray, shape (largest + 1,)

    References
    ----------
    Elamir 2004; thesis, (4.5.3).

    Examples
    --------
    >>> poisson_mixture([0.0, 1.0], 2).round(4).tolist()
    [1.3679, 0.3679, 0.1839]
    """
    from scipy.special import gammaln, xlogy

    cells = as_counts(rates, "the rates").astype(np.float64).ravel()

    def cells_of_size(sizes: Floats) -> Floats:
        total = np.zeros(sizes.shape)
        step = max(1, 64 * BLOCK // sizes.size)
        for start in range(0, cells.size, step):
            rate = cells[start : start + step, np.newaxis]
            total += np.exp(xlogy(sizes, rate) - rate - gammaln(sizes + 1)).sum(axis=0)
        return total

    return _listed(cells_of_size, float(cells.sum()), float(cells.size), largest)


def log_normal_sigma(counts: ArrayLike, fitted: ArrayLike) -> float:
    r"""Estimate the standard deviation of the errors of a log-linear model's rates.

    .. math:: \hat\sigma^2 = \log \frac{\sum_i (f_i^2 - f_i)/\hat\mu_i^2}{\sum_i f_i/\hat\mu_i}

    Parameters
    ----------
    counts : array_like
        The sample counts f.
    fitted : array_like
        The expected sample counts of the model; cells with an expected count of 0 are omitted.

    Returns
    -------
    float
        Estimate of sigma; 0 if the counts vary no more than Poisson counts.

    References
    ----------
    Skinner and Holmes 1998; thesis, section 4.5.

    Examples
    --------
    >>> round(log_normal_sigma([6, 0, 1, 5], [3, 3, 3, 3]), 4)
    0.5732
    """
    f, mean = np.broadcast_arrays(as_counts(counts), as_counts(fitted, "the fit"))
    some = mean > 0
    f, mean = f[some].astype(np.float64), mean[some]
    ones, pairs = float(np.sum(f / mean)), float(np.sum((f * f - f) / mean**2))
    return float(np.sqrt(max(np.log(pairs / ones), 0.0))) if pairs > 0 and ones > 0 else 0.0


def log_normal(counts: ArrayLike, fitted: ArrayLike, fraction: float, largest: int | None = None) -> Floats:
    r"""Estimate N_r from rates with a log-normal error around a log-linear model.

    .. math:: \log\lambda_i = x_i^T\beta + \varepsilon_i, \quad \varepsilon_i \sim N(0, \sigma^2), \quad
              x_i^T\hat\beta = \log\frac{\hat\mu_i}{p\,\exp(\hat\sigma^2/2)}

    Parameters
    ----------
    counts : array_like
        The sample counts f.
    fitted : array_like
        The expected sample counts of the model.
    fraction : float
        The sampling fraction p = n/N.
    largest : int, optional
        As for `negative_binomial`.

    Returns
    -------
    ndarray, shape (largest + 1,)

    References
    ----------
    Skinner and Holmes 1998; thesis, (4.5.4).

    Examples
    --------
    >>> log_normal([6, 0, 1, 5], [3, 3, 3, 3], 0.5).round(2).tolist()[:4]
    [0.12, 0.28, 0.42, 0.48]
    """
    mean = as_counts(fitted, "the fit").astype(np.float64).ravel()
    p, sigma = float(as_fraction(fraction)), log_normal_sigma(counts, fitted)
    if sigma == 0:
        return poisson_mixture(mean / p, largest)
    rates, cells = np.unique(mean, return_counts=True)
    empty = float(cells[rates == 0].sum())
    rates, cells = rates[rates > 0], cells[rates > 0]
    mu = np.log(rates / p) - sigma**2 / 2

    def cells_of_size(sizes: Floats) -> Floats:
        expected: Floats = empty * (sizes == 0)
        step = max(1, 64 * BLOCK // (sizes.size * 801))
        for start in range(0, rates.size, step):
            some = slice(start, start + step)
            model = LogNormal(1.0, mu[some, np.newaxis], sigma)
            expected += cells[some] @ model.cells_of_size(sizes)
        return expected

    return _listed(cells_of_size, float(cells @ rates) / p, float(cells.sum()) + empty, largest)


def expected_flogf(
    counts: ArrayLike, rates: ArrayLike, fraction: float, terms: int | None = None
) -> Expectation:
    r"""Return E(F log F) of each cell by a truncated series, given its sample count and rate.

    .. math:: E(F_i \log F_i \mid f_i = r, \lambda_i) \approx
              \sum_{s=0}^{L} \frac{m^s}{s!} e^{-m} (s + r) \log(s + r), \qquad m = (1 - p)\lambda_i

    All terms are 0 or more. Because :math:`\log x \le x - 1`, the sum is too small by at most

    .. math:: \sum_{s>L} \frac{m^s}{s!} e^{-m} (s+r)(s+r-1) =
              m^2 \Pr(S > L-2) + 2rm \Pr(S > L-1) + r(r-1) \Pr(S > L), \quad S \sim Po(m) .

    Parameters
    ----------
    counts : array_like
        The sample count r of each cell, broadcast against `rates`.
    rates : array_like
        The population rate λ of each cell.
    fraction : float
        The sampling fraction p = n/N.
    terms : int, optional
        The number of terms L. Default: large enough for an error below about 1e-9 of the value.

    Returns
    -------
    Expectation
        `.value`, 0 or more, and `.error`, both with the cells' shape. The expectation is in [value, value +
        error].

    References
    ----------
    Thesis, (4.4.2) and the formula after it, which does not specify L.

    Examples
    --------
    >>> found = expected_flogf(2, 8.0, 0.5)
    >>> round(float(found.value), 4), bool(found.error < 1e-6)
    (11.0832, True)
    """
    from scipy.special import gammaln, pdtr, pdtrc, xlogy

    r, rate = np.broadcast_arrays(as_counts(counts), as_counts(rates, "the rates"))
    shape = r.shape
    r, m = r.astype(np.float64).ravel(), (1 - float(as_fraction(fraction))) * rate.ravel()
    last = np.ceil(m + 12 * np.sqrt(m) + 40) if terms is None else np.full(m.shape, float(terms))
    # Terms outside the window from `first` to `last` are negligible.
    first = np.zeros(m.shape) if terms is not None else np.maximum(np.floor(m - 12 * np.sqrt(m) - 40), 0.0)
    value = np.empty(m.shape)
    order = np.argsort(last - first)
    start = 0
    while start < len(order):
        # Each block contains cells with windows of similar length, so that short windows need little padding.
        width = int((last - first)[order[start]]) * 2 + 2
        stop = start + max(1, 64 * BLOCK // width)
        block = order[start:stop]
        block = block[(last - first)[block] < width]
        start += len(block)
        s = first[block, np.newaxis] + np.arange(int((last - first)[block].max()) + 1)
        mean, people = m[block, np.newaxis], s + r[block, np.newaxis]
        chance = np.exp(xlogy(s, mean) - mean - gammaln(s + 1))
        value[block] = np.sum(
            np.where(s <= last[block, np.newaxis], chance * xlogy(people, people), 0), axis=1
        )

    def beyond(fewer: int) -> Floats:
        return np.where(last - fewer < 0, 1.0, pdtrc(np.maximum(last - fewer, 0), m))

    error = m**2 * beyond(2) + 2 * r * m * beyond(1) + r * np.maximum(r - 1, 0) * beyond(0)
    below = first - 1
    before = np.where(below >= 0, pdtr(np.maximum(below, 0), m), 0.0)
    error = error + before * xlogy(below + r, np.maximum(below + r, 1))
    return Expectation(plain(value.reshape(shape)), plain(error.reshape(shape)))


def expected_entropy(counts: ArrayLike, rates: ArrayLike, fraction: float, people: int) -> Expectation:
    r"""Return the entropy of the population, with F log F replaced by its expectation.

    .. math:: \hat H(X) = \log N - \frac1N \sum_i E(F_i \log F_i \mid f_i, \lambda_i)

    Parameters
    ----------
    counts : array_like
        The sample count r of each cell, broadcast against `rates`.
    rates : array_like
        The population rate λ of each cell.
    fraction : float
        The sampling fraction p = n/N.
    people : int
        The known population size N.

    Returns
    -------
    Expectation
        `.value` in nats, too large by at most `.error` because the series is truncated. It can be negative if
        the rates do not agree with N.

    References
    ----------
    Thesis, (4.4.1) and section 4.4.1.

    Examples
    --------
    >>> found = expected_entropy([2, 4], [4.0, 8.0], 0.5, people=12)
    >>> round(float(found.value), 3)
    0.596
    """
    if not people >= 1:
        raise ValueError(f"The population has {people} people; it must have at least 1.")
    each = expected_flogf(counts, rates, fraction)
    return Expectation(
        plain(np.asarray(np.log(people) - np.sum(each.value) / people)),
        plain(np.asarray(np.sum(each.error) / people)),
    )


def _listed(
    cells_of_size: Callable[[Floats], Floats], people: float, cells: float, largest: int | None
) -> Floats:
    """Return the cells of each size up to the largest, or until less than a millionth of the people remain."""
    if largest is not None:
        if not 0 <= largest <= MOST:
            raise ValueError(f"The largest count is {largest}; it must be from 0 to {MOST:,}.")
        return np.asarray(cells_of_size(np.arange(largest + 1.0)))
    top = int(min(people, 64 + 4 * people / cells))
    while True:
        expected = np.asarray(cells_of_size(np.arange(top + 1.0)))
        if people - expected @ np.arange(top + 1.0) < 1e-6 * people or top >= MOST:
            return expected
        top = min(2 * top + 1, MOST)
