r"""Choice of a log-linear model of a sample: tests of over- and underfitting, AIC, BIC, forward search.

Reference: Skinner and Shlomo 2008, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats
from ._crossing import MOST_CELLS, Crossing
from .sample import two_way

Margins = tuple[tuple[int, ...], ...]

#: Criteria of a search.
CRITERIA = ("b2", "aic", "bic")

#: Limit of the statistic above which a model underfits: 97.5 % quantile of the standard normal distribution.
UNDERFITS = 1.96

# Below this value the derivatives of (1 - exp(-x))/x are computed from their series.
_SMALL = 1e-2


@dataclass(frozen=True)
class ModelFit:
    r"""Quality of a standard log-linear model of a sample, with regard to the estimated risk.

    Attributes
    ----------
    margins : tuple of tuple of int
        The interactions.
    b1, b2 : float
        Estimated bias of :math:`\hat\tau_1` and :math:`\hat\tau_2`, divided by its standard deviation under the
        model. Both are approximately standard normal if the model holds. If they are far above 0, the model
        underfits and the risk is overestimated; if they are far below 0, it overfits.
    aic, bic : float
        Information criteria (smaller is better). BIC uses the logarithm of the number of records.
    parameters : int
        Number of free parameters.
    exists : bool or None
        As `ModelledTau.exists`.
    """

    margins: Margins
    b1: float
    b2: float
    aic: float
    bic: float
    parameters: int
    exists: bool | None

    @property
    def underfits(self) -> bool:
        """Whether the model overestimates the risk significantly."""
        return max(self.b1, self.b2) > UNDERFITS


def model_fit(
    codes: ArrayLike | Crossing, weights: ArrayLike = (), margins: Sequence[Sequence[int]] = ()
) -> ModelFit:
    r"""Compute the fit statistics of the standard model with these interactions.

    .. math::
        \hat B_i = \sum_k \hat\lambda_k e^{-\pi\hat\lambda_k} \Bigl\{
            -h_i'(\hat\lambda_k)(f_k - \pi\hat\lambda_k)
            + \frac{h_i''(\hat\lambda_k)}{2\pi} \bigl[(f_k - \pi\hat\lambda_k)^2 - f_k\bigr] \Bigr\}

    over all cells, with :math:`h_1(\lambda) = e^{-\lambda(1-\pi)}` and
    :math:`h_2(\lambda) = (1 - e^{-\lambda(1-\pi)})/(\lambda(1-\pi))`; the statistics are
    :math:`\hat B_i/\sqrt{v_i}`, where :math:`v_i` is the variance for Poisson counts with the fitted means.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Keys of the sample without missing values, or their `Crossing`.
    weights : array_like, shape (n,)
        Sampling weights; :math:`\pi` is n divided by their sum.
    margins : sequence of sequences of int
        Interactions of the model.

    Returns
    -------
    ModelFit

    Raises
    ------
    ValueError
        As for `modelled_tau`, or if the crossing has more than 4 million cells, or the sample is the population.

    References
    ----------
    Skinner and Shlomo 2008, section 4. AIC: Akaike 1974. BIC: Raftery 1986.
    """
    crossing = codes if isinstance(codes, Crossing) else Crossing.of(codes, weights)
    return _fit(crossing, _tidy(margins))


def forward_search(
    codes: ArrayLike | Crossing,
    weights: ArrayLike = (),
    *,
    criterion: str = "b2",
    start: Sequence[Sequence[int]] = (),
    existing: bool = False,
) -> Iterator[ModelFit]:
    r"""Add the best two-way interaction in each step, and yield each model; the last one is the result.

    The best interaction is the one with the smallest criterion. For `b2`, as Skinner and Shlomo suggest, the
    search continues while the model underfits and the statistic decreases; for `aic` and `bic` while the
    criterion decreases.

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Keys of the sample without missing values, or their `Crossing`.
    weights : array_like, shape (n,)
        Sampling weights; :math:`\pi` is n divided by their sum.
    criterion : {"b2", "aic", "bic"}
        Criterion of the search.
    start : sequence of sequences of int
        Interactions of the first model.
    existing : bool
        Consider only models for which the estimate is known to exist. If the keys have many categories, few
        interactions remain, because every combination of two categories must occur in the sample.

    Yields
    ------
    ModelFit

    Raises
    ------
    ValueError
        As for `model_fit`, or if the criterion is unknown.

    Examples
    --------
    Two associated variables, and a third one that is independent of them:

    >>> codes = np.array([[a, a, b] for a in range(3) for b in range(2)] * 8 + [[0, 1, 0], [1, 2, 1], [2, 0, 0]] * 2)
    >>> [fit.margins for fit in forward_search(codes, np.full(len(codes), 5.0), criterion="bic")]
    [(), ((0, 1),)]
    """
    if criterion not in CRITERIA:
        raise ValueError(f"The criterion {criterion!r} is unknown; use one of {', '.join(CRITERIA)}.")
    crossing = codes if isinstance(codes, Crossing) else Crossing.of(codes, weights)
    now = _fit(crossing, _tidy(start))
    yield now
    while criterion != "b2" or now.underfits:
        candidates = [pair for pair in two_way(len(crossing.shape)) if pair not in now.margins]
        tried = []
        for pair in candidates:
            try:
                tried.append(_fit(crossing, (*now.margins, pair)))
            except ValueError:  # the connected variables have too many cells
                continue
        able = [fit for fit in tried if fit.exists or not existing]
        best = min(able, key=lambda fit: getattr(fit, criterion), default=now)
        if getattr(best, criterion) >= getattr(now, criterion):
            return
        now = best
        yield now


def _tidy(margins: Sequence[Sequence[int]]) -> Margins:
    return tuple(tuple(sorted(margin)) for margin in margins)


def _fit(crossing: Crossing, margins: Margins) -> ModelFit:
    if int(np.prod(crossing.shape, dtype=np.float64)) > MOST_CELLS:
        raise ValueError(
            f"The keys have {np.prod(crossing.shape, dtype=np.float64):,.0f} cells; the fit can be assessed for at most"
            f" {MOST_CELLS:,}. Recode a variable."
        )
    n, people = float(crossing.counts.sum()), float(crossing.weighted.sum())
    pi = n / people
    if pi >= 1 - 1e-12:
        raise ValueError("The sample is the whole population, so there is no risk to estimate.")
    f = crossing.margin(range(len(crossing.shape)), crossing.counts)
    fitted, mu, parameters = crossing.everywhere(margins)
    seen = f > 0
    with np.errstate(divide="ignore"):
        likelihood = float((f[seen] * np.log(mu[seen])).sum() - mu.sum() - _log_factorials(crossing.counts))
    b1, b2 = (_statistic(f, mu, pi, slopes(mu / pi * (1 - pi))) for slopes in (_slopes1, _slopes2))
    return ModelFit(
        margins,
        b1,
        b2,
        -2 * likelihood + 2 * parameters,
        -2 * likelihood + float(np.log(n)) * parameters,
        parameters,
        fitted,
    )


def _log_factorials(counts: Floats) -> float:
    from scipy.special import gammaln

    return float(gammaln(counts + 1).sum())


def _statistic(f: Floats, mu: Floats, pi: float, slopes: tuple[Floats, Floats]) -> float:
    """Return the bias divided by its standard deviation; the slopes are derivatives by λ(1−π)."""
    first, second = slopes[0] * (1 - pi), slopes[1] * (1 - pi) ** 2
    rate = mu / pi * np.exp(-mu)
    a, b = -rate * first, rate * second / (2 * pi)
    off = f - mu
    bias = float((a * off + b * (off**2 - f)).sum())
    spread = float((a**2 * mu + 2 * b**2 * mu**2).sum())
    return float(bias / np.sqrt(spread)) if spread > 0 else 0.0


def _slopes1(x: Floats) -> tuple[Floats, Floats]:
    value = np.exp(-x)
    return -value, value


def _slopes2(x: Floats) -> tuple[Floats, Floats]:
    """Return the first and second derivative of (1 − exp(−x))/x."""
    small = x < _SMALL
    y = np.where(small, 1.0, x)
    e = np.exp(-y)
    first = np.where(small, -1 / 2 + x / 3 - x**2 / 8, (e * (1 + y) - 1) / y**2)
    second = np.where(small, 1 / 3 - x / 4 + x**2 / 10, (2 - e * (y**2 + 2 * y + 2)) / y**3)
    return first, second
