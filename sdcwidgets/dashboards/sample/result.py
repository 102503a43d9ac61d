"""The sample lab: a table as a population or as a sample, and how sure one can be of its risk.

Where the population is known, samples are drawn from it, and what is estimated from a sample alone stands beside
the truth. Where it is not, the table is the sample, and only the estimates are there. References: sample paper;
thesis, chapter 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sdcwidgets import methods
from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.search import MOMENT
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
from sdcwidgets.dashboards.sample.state import SampleState
from sdcwidgets.tables.table import FrequencyTable

#: Estimated populations: so many cells of them are made at first, and so many populations in the end.
FIRST_CELLS, POPULATIONS = 30_000, 1_000

#: Estimated populations of each model of the list.
LINE = 30

#: The sampling fractions of the curve, and what is drawn for each: samples, and populations of each sample.
FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75)
CURVE = (16, 20)

#: The urn is drawn ball by ball up to so many balls; it is compared with the fast one in parts of so many draws.
MOST_BALLS, URNS = 4_000, (5, 40)


class Cloud(NamedTuple):
    """What one model says of the sample.

    Attributes
    ----------
    risk : SampleRisk
        The risk of the sample under each estimated population.
    empty : ndarray, shape (rows, columns)
        The share of the estimated populations in which a cell is empty.
    """

    risk: SampleRisk
    empty: Floats


class ModelLine(NamedTuple):
    """A log-linear model, how it fits the sample, and the risk that follows from it.

    Attributes
    ----------
    name, formula : str
    fit : LogLinearFit
    p_value : float
        Of the deviance; nan without degrees of freedom.
    risk : SampleRisk
    """

    name: str
    formula: str
    fit: LogLinearFit
    p_value: float
    risk: SampleRisk


class CurvePoint(NamedTuple):
    """Mean risk at one sampling fraction: the truth, and by model the estimates and the errors of their means."""

    fraction: float
    truth: float
    estimates: Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class SampleResult:
    """Every number that the lab shows; it never changes.

    Attributes
    ----------
    state : SampleState
    population : FrequencyTable or None
        F, where it is known.
    sample : FrequencyTable
        f.
    people : int
        N.
    fit : LogLinearFit
        The chosen log-linear model.
    theta : float or None
        The black balls of the urn; None where no urn can fill as many cells.
    clouds : dict of str to Cloud
        By model, "log-linear" and, if there is one, "urn".
    lines : tuple of ModelLine
        All log-linear models.
    truth : float or None
        R2(F, f), where the population is known.
    path : ndarray or None, shape (N − n,)
        The cell of each ball drawn; None where there are too many.
    curve : tuple of CurvePoint
        Grows while the result gets better; empty where the population is not known.
    new_cells : tuple of ndarray or None
        How many new cells the fast urn filled, and the one drawn ball by ball, in as many populations of each.
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
        """What the log-linear model says."""
        return self.clouds["log-linear"]

    @property
    def sampled(self) -> int:
        """The people in the sample, n."""
        return self.sample.total

    @property
    def unseen(self) -> int:
        """The people who were not sampled: the balls that are drawn."""
        return self.people - self.sample.total

    @property
    def balls(self) -> Whole:
        """The people of each cell in the urn that is shown, after the balls drawn so far."""
        start = self.sample.counts.ravel()
        if self.path is None:
            return start
        return start + np.bincount(self.path[: self.state.ball], minlength=start.size)


def compute(state: SampleState) -> SampleResult:
    """Return every number of the page, with as many estimated populations as a moment allows.

    Raises
    ------
    InputError
        If nobody is in the table, or N is below the people of the sample.

    Examples
    --------
    >>> found = compute(SampleState.of_example("religion"))
    >>> found.people, found.sampled, sorted(found.clouds)
    (2449, 245, ['log-linear', 'urn'])
    """
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    sampling = state.sampling
    population, sample, people = None, state.table, sampling.people
    if sampling.known == "population":
        population, people = state.table, state.table.total
        sample = method_of(state, sampling.fraction).apply(state.table, _rng(state, 0))
    f = sample.counts
    if people < sample.total:
        raise InputError(
            f"The population has {people:,} people and the sample {sample.total:,}; N must be at least as many."
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
        raise InputError(f"Ball {state.ball:,} does not exist; {balls:,} are drawn.")
    path = None
    if theta is not None and state.ball and balls <= MOST_BALLS:
        path = _path(f.tobytes(), f.shape, theta, people, sampling.draw)
    first = SampleResult(state, population, sample, people, fit, theta, {}, lines, truth, path)
    return replace(first, clouds=_clouds(first, size, rng))


# Stepping and playing ask for the same balls again and again.
@lru_cache(maxsize=4)
def _path(counts: bytes, shape: tuple[int, ...], theta: float, people: int, draw: int) -> Whole:
    f = np.frombuffer(counts, dtype=np.int64).reshape(shape)
    return urn_balls(f, theta, people, 1, np.random.default_rng([draw, 2]))[:, 0]


def improve(state: SampleState, first: SampleResult) -> Iterator[SampleResult]:
    """Yield the same with more estimated populations, the two urns compared, and the curve over fractions."""
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
    """Return the method that draws the samples."""
    design: Any = methods.get(state.sampling.design)
    method: methods.Method = design(fraction=fraction)
    return method


def _rng(state: SampleState, use: int) -> np.random.Generator:
    """Return the random numbers of one use; the same state shows the same numbers to everyone."""
    return np.random.default_rng([state.sampling.draw, use])


def _others(state: SampleState) -> Callable[..., Whole]:
    """Return what draws the people who were not seen, as it is chosen."""
    return sample_multinomial if state.sampling.others == "multinomial" else sample_poisson


def _theta(f: Whole, people: int, fit: LogLinearFit) -> float | None:
    try:
        return float(urn_theta(f, people, probabilities=fit.probabilities))
    except ValueError:
        return None


def _truth(state: SampleState, population: FrequencyTable, f: Whole) -> float:
    """Return the risk of the sample under the population that it was drawn from."""
    return float(_risks(state, f, {"truth": population.counts[np.newaxis]})["truth"].r2[0])


def _risks(state: SampleState, f: Whole, drawn: Mapping[str, Whole]) -> dict[str, SampleRisk]:
    """Return the risk of the sample under the populations of each model; all are assessed at once."""
    s = state.settings
    risk = sample_risk(
        f, np.concatenate(list(drawn.values())), s.weights, s.variant, third=s.third, epsilon=s.epsilon
    )
    ends = np.cumsum([len(populations) for populations in drawn.values()])
    parts = [np.split(getattr(risk, part.name), ends[:-1]) for part in fields(SampleRisk)]
    return {name: SampleRisk(*part) for name, part in zip(drawn, zip(*parts, strict=True), strict=True)}


def _clouds(result: SampleResult, size: int, rng: np.random.Generator) -> dict[str, Cloud]:
    """Draw populations by each model, and return what they say."""
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
        parts = ([getattr(x.risk, part.name) for x in (cloud, other)] for part in fields(SampleRisk))
        n, m = cloud.risk.r2.size, other.risk.r2.size
        empty = (n * cloud.empty + m * other.empty) / (n + m)
        joined[name] = Cloud(SampleRisk(*map(np.concatenate, parts)), empty)
    return joined


def _compared(result: SampleResult, rng: np.random.Generator) -> tuple[Whole, Whole]:
    """Return how many new cells the two urns fill, in as many populations of each."""
    assert result.theta is not None  # there is an urn
    f, people, size = result.sample.counts, result.people, URNS[1]
    empty = f.ravel() == 0
    fast = sample_urn(f, result.theta, people, size, rng).reshape(size, -1)[:, empty] > 0
    balls = urn_balls(f, result.theta, people, size, rng)
    filled = np.zeros((size, f.size), dtype=bool)
    filled[np.arange(size), balls] = True
    return fast.sum(axis=1), filled[:, empty].sum(axis=1)


def _curve(state: SampleState, population: FrequencyTable, fraction: float) -> Iterator[dict[str, float]]:
    """Yield the true risk and the estimates of several samples of one fraction; none if a sample is everyone."""
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
    """Return the mean over several samples of one fraction."""
    estimates = {}
    for name in ("log-linear", "urn"):
        means = [sample[name] for sample in samples if name in sample]
        if len(means) > 1:
            estimates[name] = float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(len(means)))
    return CurvePoint(fraction, float(np.mean([sample["truth"] for sample in samples])), estimates)


def _p_value(fit: LogLinearFit) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(fit.df, fit.deviance)) if fit.df > 0 else float("nan")
