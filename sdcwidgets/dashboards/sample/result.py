"""Result of the page Sample: a table as population or as sample, and the accuracy of its estimated risk.

If the table is a population, samples are drawn from it, and estimates are compared with true values. Otherwise the
table is the sample, and there are only estimates. References: sample paper; thesis, chapter 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from sdcwidgets import methods
from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import singular
from sdcwidgets.assessment.search import MOMENT
from sdcwidgets.core.channel import second_term_bound
from sdcwidgets.core.estimate import (
    LogLinearFit,
    SampleRisk,
    fit_loglinear,
    sample_multinomial,
    sample_poisson,
    sample_risk,
    sample_urn,
    urn_balls,
    urn_theta,
)
from sdcwidgets.core.estimate.formula import written
from sdcwidgets.core.estimate.frequencies import (
    entropy_of,
    expected_entropy,
    log_normal,
    negative_binomial,
    poisson_mixture,
)
from sdcwidgets.dashboards.sample.state import SampleState
from sdcwidgets.measures.risk import published_version
from sdcwidgets.tables.table import FrequencyTable

#: Number of cells of the first estimated populations, and final number of populations.
FIRST_CELLS, POPULATIONS = 30_000, 1_000

#: Number of estimated populations per model of the list.
LINE = 30

#: Sampling fractions of the curve, and numbers of samples per fraction and of populations per sample.
FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75)
CURVE = (16, 20)

#: Maximum number of balls that are drawn one by one, and number and size of the parts of the comparison of two urns.
MOST_BALLS, URNS = 4_000, (5, 40)


class Cloud(NamedTuple):
    """Estimates of one model.

    Attributes
    ----------
    risk : SampleRisk
        Risk of the sample for each estimated population.
    empty : ndarray, shape (rows, columns)
        Share of the estimated populations in which a cell is empty.
    """

    risk: SampleRisk
    empty: Floats


class ModelLine(NamedTuple):
    """A log-linear model with its fit and the estimated risk.

    Attributes
    ----------
    name, formula : str
    fit : LogLinearFit
    p_value : float
        P-value of the deviance; nan without degrees of freedom.
    risk : SampleRisk
    """

    name: str
    formula: str
    fit: LogLinearFit
    p_value: float
    risk: SampleRisk


class CurvePoint(NamedTuple):
    """Mean risk at one sampling fraction: true value, and estimates by model with standard errors."""

    fraction: float
    truth: float
    estimates: Mapping[str, tuple[float, float]]


class SecondTermErrors(NamedTuple):
    """Mean error of the second term over the estimated populations of one model, and its bound (6.3.6).

    Attributes
    ----------
    of_entropy, of_remaining : float
        The parts of the bound for the errors of H(X) and of H(X|Y): the mean of ε₁/Ĥ(X), and of ε₂/Ĥ(X).
    of_both : float
        Mean of the second summand of the bound.
    actual : float
        Mean absolute error of the second term.
    within : float
        Share of the populations in which the actual error is at most the bound.
    """

    of_entropy: float
    of_remaining: float
    of_both: float
    actual: float
    within: float

    @property
    def bound(self) -> float:
        """Mean of the whole bound."""
        return self.of_entropy + self.of_remaining + self.of_both


#: Largest cell size in the chart of the frequencies of frequencies.
LARGEST_SIZE = 8

#: Maximum number of evaluated sizes of all cells, and the maximum share of people in larger cells for an entropy.
MOST_WORK, MOST_OMITTED = 1_000_000, 0.001


class SizeModel(NamedTuple):
    """Numbers of cells by size, from a model or from the population, and the entropy from them.

    Attributes
    ----------
    cells : ndarray, shape (LARGEST_SIZE + 1,)
        Number of cells with 0, 1, 2, ... people.
    entropy : float
        H(X) in nats; nan if the computed sizes omit too many people.
    """

    cells: Floats
    entropy: float


@dataclass(frozen=True)
class SampleResult:
    """All numbers of the page; it is immutable.

    Attributes
    ----------
    state : SampleState
    population : FrequencyTable or None
        F, None if it is unknown.
    sample : FrequencyTable
        f.
    people : int
        N.
    fit : LogLinearFit
        The selected log-linear model.
    theta : float or None
        Number of black balls of the urn; None if no urn can fill enough cells.
    clouds : dict of str to Cloud
        Estimates by model, "log-linear" and, if it exists, "urn".
    lines : tuple of ModelLine
        All log-linear models.
    truth : float or None
        R2(F, f), None if the population is unknown.
    path : ndarray or None, shape (N − n,)
        Cell of each drawn ball; None if there are too many.
    curve : tuple of CurvePoint
        Risk by sampling fraction, extended while the result is refined; empty if the population is unknown.
    new_cells : tuple of ndarray or None
        Numbers of new cells of the fast urn and of the urn drawn ball by ball, in equal numbers of populations.
    """

    state: SampleState
    population: FrequencyTable | None
    sample: FrequencyTable
    people: int
    fit: LogLinearFit
    theta: float | None
    clouds: Mapping[str, Cloud]
    lines: tuple[ModelLine, ...]
    truth: float | None
    path: Whole | None
    curve: tuple[CurvePoint, ...] = ()
    new_cells: tuple[Whole, Whole] | None = None

    @property
    def guess(self) -> Cloud:
        """Estimates of the log-linear model."""
        return self.clouds["log-linear"]

    @property
    def sampled(self) -> int:
        """Number of people in the sample, n."""
        return self.sample.total

    @property
    def unseen(self) -> int:
        """Number of people who are not in the sample, which is the number of balls to draw."""
        return self.people - self.sample.total

    @property
    def balls(self) -> Whole:
        """Number of people of each cell in the urn, after the balls drawn so far."""
        start = self.sample.counts.ravel()
        if self.path is None:
            return start
        return start + np.bincount(self.path[: self.state.ball], minlength=start.size)


def compute(state: SampleState) -> SampleResult:
    """Return all numbers of the page, with a first part of the estimated populations.

    Raises
    ------
    InputError
        If all counts are 0, or N is smaller than the number of people in the sample.

    Examples
    --------
    >>> found = compute(SampleState.of_example("religion"))
    >>> found.people, found.sampled, sorted(found.clouds)
    (2449, 245, ['log-linear', 'urn'])
    """
    if state.table.total == 0:
        raise InputError(f"All counts are zero; the table must have at least one {singular(state.unit)}.")
    sampling = state.sampling
    population, sample, people = None, state.table, sampling.people
    if sampling.known == "population":
        population, people = state.table, state.table.total
        sample = method_of(state, sampling.fraction).apply(state.table, _rng(state, 0))
    f = sample.counts
    if people < sample.total:
        raise InputError(
            f"The population size N is {people:,}, but the sample has {sample.total:,} {state.unit}; N must "
            "be at least the sample size."
        )
    rng = _rng(state, 1)
    size = max(8, min(POPULATIONS // 4, FIRST_CELLS // f.size))
    fits = {name: fit_loglinear(f, margins) for name, margins in state.models.items()}
    draw, names = _others(state), [axis.name for axis in sample.axes]
    drawn = {name: draw(f, fit.probabilities, people, LINE, rng) for name, fit in fits.items()}
    risks = _risks(state, f, drawn)
    lines = tuple(
        ModelLine(name, written(state.models[name], names), fit, _p_value(fit), risks[name])
        for name, fit in fits.items()
    )
    fit = fits[sampling.terms]
    theta = _theta(f, people, fit)
    truth = None if population is None else _truth(state, population, f)
    balls = people - sample.total
    if state.ball > max(balls, 0):
        raise InputError(
            f"The urn has no ball with the number {state.ball:,}; the last ball has the number {balls:,}."
        )
    path = None
    if theta is not None and state.ball and balls <= MOST_BALLS:
        path = _path(f.tobytes(), f.shape, theta, people, sampling.draw)
    first = SampleResult(state, population, sample, people, fit, theta, {}, lines, truth, path)
    return replace(first, clouds=_clouds(first, size, rng))


# Stepping and playing use the same balls repeatedly.
@lru_cache(maxsize=4)
def _path(counts: bytes, shape: tuple[int, ...], theta: float, people: int, draw: int) -> Whole:
    f = np.frombuffer(counts, dtype=np.int64).reshape(shape)
    return urn_balls(f, theta, people, 1, np.random.default_rng([draw, 2]))[:, 0]


def second_term_errors(result: SampleResult) -> dict[str, SecondTermErrors]:
    """Return the errors of the second term by model; empty if the population is unknown or H(X) = 0.

    Examples
    --------
    >>> errors = second_term_errors(compute(SampleState.of_example("religion")))["log-linear"]
    >>> errors.actual < errors.bound, errors.within
    (True, 1.0)
    """
    if result.population is None:
        return {}
    truth = _risks(result.state, result.sample.counts, {"truth": result.population.counts[np.newaxis]})[
        "truth"
    ]
    entropy, remaining = float(truth.entropy[0]), float(truth.entropy_left[0])
    if not entropy > 0:
        return {}
    errors = {}
    for name, cloud in result.clouds.items():
        is_positive = cloud.risk.entropy > 0
        hat, left = cloud.risk.entropy[is_positive], cloud.risk.entropy_left[is_positive]
        if not hat.size:
            continue
        first, second = np.abs(entropy - hat) / hat, np.abs(remaining - left) / hat
        bounds = np.array(
            [second_term_bound(entropy, remaining, *pair) for pair in zip(hat, left, strict=True)]
        )
        most = np.log(result.sample.cells)
        actual = np.abs(
            (1 - entropy / most) * (1 - remaining / entropy) - (1 - hat / most) * (1 - left / hat)
        )
        errors[name] = SecondTermErrors(
            float(first.mean()),
            float(second.mean()),
            float((bounds - first - second).mean()),
            float(actual.mean()),
            float((actual <= bounds + 1e-12).mean()),
        )
    return errors


def cell_size_models(result: SampleResult) -> dict[str, SizeModel]:
    """Return the numbers of cells by size, by the models (4.5.2) to (4.5.4), and of the population if it is known.

    A model is left out if its parameters cannot be estimated from the sample.

    Examples
    --------
    >>> models = cell_size_models(compute(SampleState.of_example("religion")))
    >>> {name: round(model.entropy, 2) for name, model in models.items()}["population"]
    3.41
    """
    f, fraction, people = result.sample.counts, result.sampled / result.people, result.people
    models = {}
    if result.population is not None:
        sizes = np.bincount(result.population.counts.ravel()).astype(np.float64)
        models["population"] = SizeModel(_of_sizes(sizes), float(entropy_of(sizes)))
    rates = result.fit.expected / fraction
    estimates: dict[str, tuple[Callable[..., Floats], int]] = {
        "negative binomial": (partial(negative_binomial, f, fraction), 1),
        "Poisson mixture": (partial(poisson_mixture, rates), rates.size),
        "log-normal": (partial(log_normal, f, result.fit.expected, fraction), 40 * rates.size),
    }
    for name, (estimate, work) in estimates.items():
        # Larger sizes than people are impossible, and many sizes of many cells take too long for a page.
        largest = min(people, max(LARGEST_SIZE, MOST_WORK // work))
        try:
            cells = estimate(largest)
        except ValueError:
            continue
        counted = float(cells @ np.arange(cells.size))
        is_complete = counted > (1 - MOST_OMITTED) * people
        models[name] = SizeModel(_of_sizes(cells), float(entropy_of(cells)) if is_complete else np.nan)
    return models


def entropy_by_expectation(result: SampleResult) -> float:
    """Return H(X) of the population with F log F replaced by its expectation E(F log F | f), in nats."""
    fraction = result.sampled / result.people
    rates = result.fit.expected / fraction
    return float(expected_entropy(result.sample.counts, rates, fraction, result.people).value)


def _of_sizes(cells: Floats) -> Floats:
    """Return the numbers of cells up to the largest size of the chart."""
    padded = np.zeros(LARGEST_SIZE + 1)
    padded[: min(cells.size, LARGEST_SIZE + 1)] = cells[: LARGEST_SIZE + 1]
    return padded


def improve(state: SampleState, first: SampleResult) -> Iterator[SampleResult]:
    """Yield results with more estimated populations, then the comparison of two urns, then the curve over fractions."""
    now, rng = first, _rng(state, 3)
    size = first.guess.risk.r2.size
    while size < POPULATIONS:
        start, more = time.perf_counter(), now.clouds
        while size < POPULATIONS and time.perf_counter() - start < MOMENT:
            part = min(POPULATIONS - size, max(8, FIRST_CELLS // state.table.cells))
            more = _joined(more, _clouds(first, part, rng))
            size += part
        now = replace(now, clouds=more)
        yield now
    if first.theta is not None and state.ball and 0 < first.unseen <= MOST_BALLS:
        rng, drawn = _rng(state, 4), []
        for _ in range(URNS[0]):
            drawn.append(_compared(first, rng))
            yield now
        fast, slow = np.concatenate(drawn, axis=1)
        now = replace(now, new_cells=(fast, slow))
        yield now
    if first.population is not None:
        for fraction in FRACTIONS:
            means = []
            for means_of_sample in _curve(state, first.population, fraction):
                means.append(means_of_sample)
                yield now
            if means:
                now = replace(now, curve=(*now.curve, _point(fraction, means)))
                yield now


def method_of(state: SampleState, fraction: float) -> methods.Method:
    """Return the sampling method."""
    design: Any = methods.get(state.sampling.design)
    method: methods.Method = design(fraction=fraction)
    return method


def _rng(state: SampleState, use: int) -> np.random.Generator:
    """Return the random generator for one purpose; its seed depends on the state only."""
    return np.random.default_rng([state.sampling.draw, use])


def _others(state: SampleState) -> Callable[..., Whole]:
    """Return the function that draws the people who are not in the sample."""
    return sample_multinomial if state.sampling.others == "multinomial" else sample_poisson


def _theta(f: Whole, people: int, fit: LogLinearFit) -> float | None:
    try:
        return float(urn_theta(f, people, probabilities=fit.probabilities))
    except ValueError:
        return None


def _truth(state: SampleState, population: FrequencyTable, f: Whole) -> float:
    """Return the risk of the sample by the population from which it was drawn."""
    return float(_risks(state, f, {"truth": population.counts[np.newaxis]})["truth"].r2[0])


def _risks(state: SampleState, f: Whole, drawn: Mapping[str, Whole]) -> dict[str, SampleRisk]:
    """Return the risk of the sample for the populations of each model, computed at once."""
    s = state.settings
    variant = published_version(s.variant)
    risk = sample_risk(
        f, np.concatenate(list(drawn.values())), s.weights, variant, third=s.third, epsilon=s.epsilon
    )
    ends = np.cumsum([len(populations) for populations in drawn.values()])
    parts = [np.split(getattr(risk, part.name), ends[:-1]) for part in fields(SampleRisk)]
    return {name: SampleRisk(*part) for name, part in zip(drawn, zip(*parts, strict=True), strict=True)}


def _clouds(result: SampleResult, size: int, rng: np.random.Generator) -> dict[str, Cloud]:
    """Return estimates of each model from new populations."""
    f, people = result.sample.counts, result.people
    drawn = {"log-linear": _others(result.state)(f, result.fit.probabilities, people, size, rng)}
    if result.theta is not None:
        drawn["urn"] = sample_urn(f, result.theta, people, size, rng)
    risks = _risks(result.state, f, drawn)
    return {name: Cloud(risks[name], (populations == 0).mean(axis=0)) for name, populations in drawn.items()}


def _joined(first: Mapping[str, Cloud], second: Mapping[str, Cloud]) -> dict[str, Cloud]:
    joined = {}
    for name, cloud in first.items():
        other = second[name]
        parts = (
            [getattr(estimate.risk, part.name) for estimate in (cloud, other)] for part in fields(SampleRisk)
        )
        n, m = cloud.risk.r2.size, other.risk.r2.size
        empty = (n * cloud.empty + m * other.empty) / (n + m)
        joined[name] = Cloud(SampleRisk(*map(np.concatenate, parts)), empty)
    return joined


def _compared(result: SampleResult, rng: np.random.Generator) -> tuple[Whole, Whole]:
    """Return the numbers of new cells of the two urns, in equal numbers of populations."""
    assert result.theta is not None  # callers check this
    f, people, size = result.sample.counts, result.people, URNS[1]
    empty = f.ravel() == 0
    fast = sample_urn(f, result.theta, people, size, rng).reshape(size, -1)[:, empty] > 0
    balls = urn_balls(f, result.theta, people, size, rng)
    filled = np.zeros((size, f.size), dtype=bool)
    filled[np.arange(size), balls] = True
    return fast.sum(axis=1), filled[:, empty].sum(axis=1)


def _curve(state: SampleState, population: FrequencyTable, fraction: float) -> Iterator[dict[str, float]]:
    """Yield the true risk and the estimates of several samples of one fraction, except samples of all people."""
    samples, size = CURVE
    rng, N = _rng(state, 5), population.total
    for f in method_of(state, fraction).replicate(population, samples, rng):
        if int(f.sum()) < N:
            fit = fit_loglinear(f, state.models[state.sampling.terms])
            sample, theta = population.with_counts(f), _theta(f, N, fit)
            result = SampleResult(state, None, sample, N, fit, theta, {}, (), None, None)
            means = {name: cloud.risk.mean for name, cloud in _clouds(result, size, rng).items()}
            yield {"truth": _truth(state, population, f), **means}


def _point(fraction: float, samples: list[dict[str, float]]) -> CurvePoint:
    """Return the means over several samples of one fraction."""
    estimates = {}
    for name in ("log-linear", "urn"):
        means = [sample[name] for sample in samples if name in sample]
        if len(means) > 1:
            estimates[name] = float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(len(means)))
    return CurvePoint(fraction, float(np.mean([sample["truth"] for sample in samples])), estimates)


def _p_value(fit: LogLinearFit) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(fit.df, fit.deviance)) if fit.df > 0 else float("nan")
