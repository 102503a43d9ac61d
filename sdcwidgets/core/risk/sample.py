r"""Risk of survey microdata: expected population uniques among sample uniques, and expected correct matches.

If the population is known, :math:`\tau_1` and :math:`\tau_2` are counted; otherwise they are estimated by a
log-linear model of the sample. References: Totter 2014, sections 2.3 and 3; Skinner and Shlomo 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, as_counts
from ._crossing import Crossing, Fitted
from ._regression import ListedCells

__all__ = [
    "CELLS",
    "MODELS",
    "SCALINGS",
    "Crossing",
    "ModelledTau",
    "modelled_tau",
    "modelled_taus",
    "tau1",
    "tau2",
    "two_way",
]

#: Names of the models.
MODELS = ("standard", "clogg-eliason", "pseudo-likelihood", "weighted")

#: Cells over which a model is fitted.
CELLS = ("crossing", "occurring")

#: Methods to convert the fitted count of the sample to the rate of the population.
SCALINGS = ("formula", "sdcmicro")

# Constant that Totter and sdcMicro add to f/F before they take its logarithm, because of empty cells.
_CLOGG_ELIASON = 0.1


def tau1(sample: ArrayLike, population: ArrayLike) -> int:
    r"""Count the sample uniques that are population uniques.

    .. math:: \tau_1 = \sum_j 1(f_j = 1, F_j = 1)

    Parameters
    ----------
    sample : array_like
        Sample counts f.
    population : array_like
        Population counts F of the same cells.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the shapes differ, or a cell has more records in the sample than people in the population.

    References
    ----------
    Totter 2014, (15).

    Examples
    --------
    >>> tau1([1, 1, 2, 0], [1, 4, 5, 1])
    1
    """
    f, F = _both(sample, population)
    return int(((f == 1) & (F == 1)).sum())


def tau2(sample: ArrayLike, population: ArrayLike) -> float:
    r"""Return the expected number of correct matches if an intruder guesses among the people of each key.

    .. math:: \tau_2 = \sum_j 1(f_j = 1)/F_j

    Parameters
    ----------
    sample : array_like
        Sample counts f.
    population : array_like
        Population counts F of the same cells.

    Returns
    -------
    float
        From `tau1` to the number of sample uniques.

    Raises
    ------
    ValueError
        If the shapes differ, or a cell has more records in the sample than people in the population.

    References
    ----------
    Totter 2014, (16).

    Examples
    --------
    >>> tau2([1, 1, 2, 0], [1, 4, 5, 1])
    1.25
    """
    f, F = _both(sample, population)
    return float((1 / F[f == 1]).sum())


def _both(sample: ArrayLike, population: ArrayLike) -> tuple[Floats, Floats]:
    f, F = (
        np.asarray(as_counts(counts, name), dtype=np.float64)
        for counts, name in ((sample, "f"), (population, "F"))
    )
    if f.shape != F.shape:
        raise ValueError(
            f"The sample f has the shape {f.shape} and the population F has the shape {F.shape}; both "
            "must have the same cells."
        )
    if (f > F).any():
        raise ValueError("A cell has more records in the sample than people in the population.")
    return f, F


@dataclass(frozen=True)
class ModelledTau:
    """Estimates from a log-linear model of a sample.

    Attributes
    ----------
    tau1, tau2 : float
        The estimates.
    unique : ndarray, shape (u,)
        Probability that each sample unique is a population unique. The sample uniques have the order of the cells
        of ``Crossing.of(codes, weights)``, which is not the order of the file: row k belongs to the key
        ``crossing.cells[crossing.counts == 1][k]``. `microdata.modelled_risk` returns the values by record.
    match : ndarray, shape (u,)
        Expected value of 1/F for each sample unique, in the same order.
    exists : bool or None
        Whether the maximum likelihood estimate of the model exists. If False, the fit is the limit of the
        likelihood maximisation. None if the table is too large for the test.
    converged : bool
        Whether the fit has converged.
    parameters : int
        Number of parameters of the model, including the constant.
    """

    tau1: float
    tau2: float
    unique: Floats
    match: Floats
    exists: bool | None
    converged: bool
    parameters: int


def two_way(variables: int) -> tuple[tuple[int, int], ...]:
    """Return the margins of all two-way interactions of this number of variables.

    Examples
    --------
    >>> two_way(3)
    ((0, 1), (0, 2), (1, 2))
    """
    return tuple(combinations(range(variables), 2))


def modelled_tau(
    codes: ArrayLike,
    weights: ArrayLike,
    margins: Iterable[Sequence[int]] = (),
    *,
    model: str = "standard",
    scaling: str = "formula",
    cells: str = "crossing",
    numeric: Mapping[int, ArrayLike] | None = None,
    population: ArrayLike | None = None,
) -> ModelledTau:
    r"""Estimate :math:`\tau_1` and :math:`\tau_2` from a sample by a log-linear model.

    .. math::
        \hat\tau_1 = \sum_{f_j=1} e^{-\lambda_j(1-\pi_j)}, \qquad
        \hat\tau_2 = \sum_{f_j=1} \frac{1 - e^{-\lambda_j(1-\pi_j)}}{\lambda_j(1-\pi_j)}

    where the number of people in a cell is Poisson with mean :math:`\lambda`, each person is sampled with
    probability
    :math:`\pi_j = f_j/\hat F_j`, and a model of the sample gives its expected count :math:`\mu`.

    | model | relation between the counts and the model |
    | --- | --- |
    | `standard` | f follows the model: :math:`\log \mu = X\lambda` |
    | `clogg-eliason` | an offset for the weights: :math:`\log \mu = \log(f/\hat F + 0.1) + X\lambda` |
    | `pseudo-likelihood` | :math:`\hat F`, scaled to the sample's size and rounded, follows the model |
    | `weighted` | the weight of the cell is a covariate: :math:`\log \mu = X\lambda + \beta \hat F` |

    Parameters
    ----------
    codes : array_like, shape (n, q)
        Keys of the sample, without missing values.
    weights : array_like, shape (n,)
        Sampling weights, at least 1.
    margins : iterable of sequences of int
        Interactions of the model, as sets of key variables. All main effects are included.
    model : {"standard", "clogg-eliason", "pseudo-likelihood", "weighted"}
        Model of the sample, see the table above.
    scaling : {"formula", "sdcmicro"}
        `formula`: :math:`\lambda = \mu/\pi`, because :math:`\mu = \lambda\pi` is the expected count of the
        *sample*. For pseudo maximum likelihood, whose response is scaled by n/N in all cells, :math:`\pi` is
        :math:`n/\sum\hat F`. `sdcmicro`: :math:`\lambda = \mu`, as in the R package. Totter's figures agree
        with the formula: his Table 16 has 4.48 for the 1,564 uniques of a sample, while :math:`\lambda = \mu`
        gives more than a thousand.
    cells : {"crossing", "occurring"}
        `crossing`: all combinations of the observed categories. `occurring`: only the keys that occur in the
        population, as in Totter's study.
    numeric : mapping of int to array_like, optional
        Key variables that enter the model as numbers, each with the number of each of its codes. A number has one
        coefficient instead of one per category.
    population : array_like, shape (N, q), optional
        Keys of the population, as codes; needed for `occurring`.

    Returns
    -------
    ModelledTau

    Raises
    ------
    ValueError
        If a value is missing, a weight is below 1, a model, scaling or variable is unknown, or variables that
        the model connects have more than 4 million cells.

    Notes
    -----
    By default the model is fitted to the full crossing of the observed categories, because cells without records
    are informative. If a margin is 0, the fit is 0 in its cells, and `exists` is False. The keys that occur in the
    population are seldom known. Totter uses them (example 2.5), with age and household size as numbers, and the
    choice of cells changes his conclusions.

    With equal weights an offset should have no effect. The published offset, log(f/F̂ + 0.1), is higher in
    populated cells than in empty ones. The model of Clogg and Eliason therefore expects too many people in
    populated cells and underestimates the risk: by a third with a correct model and a sampling fraction of 0.1,
    and less with smaller samples. In this simulation, on average over 200 samples, the standard model and
    pseudo maximum likelihood are within 15 % of the true value for both :math:`\tau`. The weighted model is
    within 15 % too, but in another population its estimates were 0.70 of :math:`\tau_1` and 0.90 of
    :math:`\tau_2`. `modRisk` of sdcMicro has the same offset, including 0.1 for the empty cells.

    Pseudo maximum likelihood rounds the scaled weights, so a unique record with a small weight becomes 0. If a
    whole margin becomes 0, the expected count is 0, and the record counts as a certain match. `modRisk` omits
    such records.

    References
    ----------
    Totter 2014, (3) to (7), (19) and (20). In (5) the sum is over log μ, but the Poisson likelihood has the sum
    over μ.
    """
    taus = modelled_taus(
        codes,
        weights,
        margins,
        models=(model,),
        scalings=(scaling,),
        cells=cells,
        numeric=numeric,
        population=population,
    )
    return taus[model, scaling]


def modelled_taus(
    codes: ArrayLike | Crossing,
    weights: ArrayLike = (),
    margins: Iterable[Sequence[int]] = (),
    *,
    models: Sequence[str] = MODELS,
    scalings: Sequence[str] = ("formula",),
    cells: str = "crossing",
    numeric: Mapping[int, ArrayLike] | None = None,
    population: ArrayLike | None = None,
) -> dict[tuple[str, str], ModelledTau]:
    """Estimate the risk of a sample by several models and scalings; arguments as for `modelled_tau`.

    `codes` can also be a `Crossing`, which contains the weights, if all variables are categories of the full crossing.

    Returns
    -------
    dict of (str, str) to ModelledTau
        Estimates by model and scaling. Fits are shared between scalings.

    Raises
    ------
    ValueError
        As for `modelled_tau`.
    """
    for name, known in [
        *((model, MODELS) for model in models),
        *((scaling, SCALINGS) for scaling in scalings),
        (cells, CELLS),
    ]:
        if name not in known:
            raise ValueError(
                f"The model, scaling or cells {name!r} are unknown; use one of {', '.join(known)}."
            )
    if (cells == "occurring") != (population is not None):
        raise ValueError(
            "The argument cells='occurring' needs the keys of the population. Without "
            "cells='occurring', leave out these keys."
        )
    crossing = codes if isinstance(codes, Crossing) else Crossing.of(codes, weights)
    generators = tuple(tuple(margin) for margin in margins)
    if cells == "crossing" and not numeric:
        fits = {model: _fitted(crossing, generators, model) for model in models}
    elif isinstance(codes, Crossing):
        raise ValueError(
            "Numeric key variables and the keys of a population require the codes of the sample, not a Crossing."
        )
    else:
        listed = ListedCells.of(codes, crossing, generators, numeric or {}, population)
        fits = {model: _regressed(listed, model) for model in models}
    return {
        (model, scaling): _estimate(crossing, fit, model, scaling)
        for model, fit in fits.items()
        for scaling in scalings
    }


def _estimate(crossing: Crossing, fit: Fitted, model: str, scaling: str) -> ModelledTau:
    unique = crossing.counts == 1
    pi = (crossing.counts / crossing.weighted)[unique]
    mu = fit.expected[unique]
    whole = crossing.counts.sum() / crossing.weighted.sum()
    if scaling == "sdcmicro":
        rate = mu
    elif model == "pseudo-likelihood":
        rate = mu / whole
    else:
        rate = mu / pi
    hidden = rate * (1 - pi)
    alone = np.exp(-hidden)
    match = np.where(hidden > 1e-12, -np.expm1(-hidden) / np.maximum(hidden, 1e-12), 1.0)
    return ModelledTau(
        float(alone.sum()), float(match.sum()), alone, match, fit.exists, fit.converged, fit.parameters
    )


def _fitted(crossing: Crossing, margins: tuple[tuple[int, ...], ...], model: str) -> Fitted:
    """Return the expected sample counts of a model."""
    f, F = crossing.counts, crossing.weighted
    if model == "standard":
        return crossing.standard(f, margins)
    if model == "pseudo-likelihood":
        return crossing.standard(np.round(F * f.sum() / F.sum()), margins)
    if model == "clogg-eliason":
        offset = f / F + _CLOGG_ELIASON
        return crossing.multiplied(margins, _CLOGG_ELIASON, lambda _: offset, offset)
    fit = crossing.multiplied(margins, 1.0, _Covariate(f, F), np.ones_like(f))
    return replace(fit, parameters=fit.parameters + 1)


def _regressed(listed: ListedCells, model: str) -> Fitted:
    """Return the expected sample counts of a model over listed cells."""
    f, F = listed.counts, listed.weighted
    scaled = F * (f.sum() / F.sum())
    if model == "standard":
        return listed.fit(f)
    if model == "pseudo-likelihood":
        return listed.fit(np.round(scaled))
    if model == "clogg-eliason":
        share = np.divide(f, F, out=np.zeros_like(f), where=F > 0)
        return listed.fit(f, offset=np.log(share + _CLOGG_ELIASON))
    return listed.fit(f, covariate=scaled)


class _Covariate:
    """Factor exp(βF̂) of each cell, with β from the secant method; empty cells have F̂ = 0."""

    def __init__(self, counts: Floats, weighted: Floats) -> None:
        self._counts = counts
        self._covariate = weighted * (counts.sum() / weighted.sum())  # the scale affects only β
        self._beta = 0.0
        self._last: tuple[float, float] | None = None

    def __call__(self, expected: Floats) -> Floats:
        """Return the factors after the next step to the root of the score."""
        score = float(self._covariate @ (self._counts - expected))
        slope = float(self._covariate**2 @ expected)
        if self._last is not None and self._beta != self._last[0]:
            # The likelihood is concave, so the score decreases in β. It decreases more slowly if the other
            # parameters adapt.
            secant = (self._last[1] - score) / (self._beta - self._last[0])
            slope = secant if 0 < secant < slope else slope
        self._last = self._beta, score
        self._beta += float(np.clip(score / slope, -1, 1))
        return np.asarray(np.exp(self._beta * self._covariate), dtype=np.float64)
