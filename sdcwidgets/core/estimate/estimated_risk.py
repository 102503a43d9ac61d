r"""Disclosure risk R2 of a sample-based table, estimated from the sample alone.

A model of the cells simulates populations. The risk is computed for each of them as if it were the true
population, which gives a distribution of the risk. References: thesis, sections 4.3 to 4.8; sample paper,
sections 4.2 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Floats, Numbers, as_counts
from ..risk.entropy_risk import DEFAULT_WEIGHTS
from ..risk.residual_entropy_risk import after_tables
from .loglinear import Model, NamedCounts, fit_loglinear
from .matches import main_effects
from .populations import expected_zeros, sample_multinomial, sample_poisson, sample_urn, urn_theta

#: Models of the people who are not in the sample.
MODELS = ("multinomial", "poisson", "urn")


@dataclass(frozen=True)
class SampleRisk:
    """Disclosure risk of one sample under many populations; each array has shape (size,).

    Attributes
    ----------
    r2 : ndarray
        R2 of each population, from 0 to 1.
    terms : ndarray, shape (size, 3)
        The three terms of R2.
    entropy, entropy_left : ndarray
        H(X) and H(X|Y) in nats.
    zeros : ndarray
        Number of empty cells of each population.
    """

    r2: Floats
    terms: Floats
    entropy: Floats
    entropy_left: Floats
    zeros: NDArray[np.int64]

    @property
    def mean(self) -> float:
        """Estimated risk: the mean of R2."""
        return float(self.r2.mean())

    @property
    def spread(self) -> float:
        """Standard deviation of R2; nan for a single population."""
        return float(self.r2.std(ddof=1)) if self.r2.size > 1 else float("nan")

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """Return the central interval of R2 that contains this share of its distribution."""
        low, high = np.quantile(self.r2, [(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)


def draw_populations(
    counts: ArrayLike | NamedCounts,
    people: int,
    size: int,
    rng: np.random.Generator,
    *,
    model: str = "multinomial",
    margins: Model | None = None,
) -> NDArray[np.int64]:
    """Simulate populations for a sample.

    Parameters
    ----------
    counts : array_like, or a table with named axes, shape (*table)
        The sample f.
    people : int
        The known population size N.
    size : int
        Number of populations.
    rng : numpy.random.Generator
        Source of random numbers.
    model : {"multinomial", "poisson", "urn"}
        Model of the people who are not in the sample; see `core.estimate.populations`. The urn's θ is that of
        equation (6), with the expected zeros of the log-linear model.
    margins : margins or formula, optional
        Log-linear model of the cell probabilities, as for `fit_loglinear`; default: main effects.

    Returns
    -------
    ndarray of int64, shape (size, *table)

    Raises
    ------
    ValueError
        If the model is unknown, or the functions called here reject the arguments.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> draw_populations([[3, 0], [1, 1]], 50, 4, rng, model="urn").sum(axis=(1, 2)).tolist()
    [50, 50, 50, 50]
    """
    if model not in MODELS:
        raise ValueError(f"The model must be one of {', '.join(MODELS)}, not {model!r}.")
    f = as_counts(counts.counts if hasattr(counts, "counts") else counts, "the sample")
    p = main_effects(f) / f.sum() if margins is None else fit_loglinear(counts, margins).probabilities
    if model == "urn":
        theta = float(urn_theta(f, people, expected_zeros(p, people)))
        return sample_urn(f, theta, people, size, rng)
    draw = sample_multinomial if model == "multinomial" else sample_poisson
    return draw(f, p, people, size, rng)


def sample_risk(
    counts: ArrayLike,
    populations: ArrayLike,
    weights: ArrayLike = DEFAULT_WEIGHTS,
    variant: str = "information",
    *,
    third: str = "h2",
    epsilon: float = 0.5,
) -> SampleRisk:
    r"""Return the risk of a sample under each of many populations.

    .. math:: R_2(\hat F, f, w) = w_1 \Bigl(\frac{|\hat D|}{K}\Bigr)^{|\hat D \cup E| / |\hat D \cap E|}
              + w_2 \Bigl(1 - \frac{H(X)}{\log K}\Bigr) \Bigl(1 - \frac{H(X|Y)}{H(X)}\Bigr) + w_3 h(N)

    As every empty cell of a population is empty in its sample, the exponent is :math:`|E|/|\hat D|`.

    Parameters
    ----------
    counts : array_like, shape (*table)
        The sample f.
    populations : array_like, shape (size, *table)
        Populations with at least the sample's count in every cell.
    weights : three floats
        Weights of the three terms, with sum 1.
    variant : {"information", "uncertainty"}
        Formula of the second term.
    third : {"h2", "h1", "h3"}
        Function of the third term.
    epsilon : float
        Parameter of the third term, from 0 to 1.

    Returns
    -------
    SampleRisk
        R2 and its terms for each population.

    Raises
    ------
    ValueError
        If the shapes do not match, or `r2` rejects the arguments.

    References
    ----------
    Thesis, (4.3.1); sample paper, (4).

    Examples
    --------
    >>> found = sample_risk([0, 2, 4], [[0, 6, 12], [3, 5, 10]])
    >>> found.r2.round(4).tolist(), found.zeros.tolist()
    ([0.4275, 0.1039], [1, 0])
    """
    f, F = as_counts(counts, "the sample"), as_counts(populations, "the populations")
    if F.shape[1:] != f.shape:
        raise ValueError(
            f"The populations have the shape {F.shape}; it must end in the shape {f.shape} of the sample."
        )
    cells: Numbers = F.reshape(len(F), -1)
    after = after_tables(cells, f.ravel(), third=third, epsilon=epsilon, axis=1)
    return SampleRisk(
        after.r2(weights, variant),
        after.terms(variant),
        after.entropy,
        after.entropy_left,
        np.count_nonzero(cells == 0, axis=1),
    )
