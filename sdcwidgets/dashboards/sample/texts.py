"""Texts of the page Sample: the sample, the estimated risk with its computation, and the urn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import counted, singular
from sdcwidgets._util.parameters import declared
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.sample.result import (
    MOST_BALLS,
    CurvePoint,
    SampleResult,
    SecondTermErrors,
    SizeModel,
    entropy_by_expectation,
)
from sdcwidgets.dashboards.sample.state import SampleSettings, SampleState
from sdcwidgets.widgets.texts import Line, Piece, Quantity, difference, existence, people, reading
from sdcwidgets.widgets.texts.narration import Narration

#: Names of the models in sentences.
MODELS = {"log-linear": "log-linear model", "urn": "Pólya urn"}


def drawn(result: SampleResult) -> str:
    """Return a description of the sample in one sentence."""
    unit = result.state.unit
    share, sampled = f"{result.sampled / result.people:.1%}", people(result.sampled, unit)
    if result.population is None:
        return f"The table is a sample of {sampled}, {share} of a population of {result.people:,}."
    number, were = result.state.sampling.draw, "was" if result.sampled == 1 else "were"
    drawn_of = f"{result.sampled:,} of the {result.people:,} {unit} of the population"
    return f"Sample {number}: {drawn_of} {were} drawn ({share})."


def clouds_caption(result: SampleResult) -> str:
    """Return a caption of the chart of estimated risks: its marks, and which bars contain the true risk."""
    marks = (
        "Each small dot is the risk of one estimated population. The bar above the dots of a model covers 95 % of "
        "its risks, and the large dot on the bar is their mean."
    )
    if result.truth is None:
        return marks
    bars = {name: cloud.risk.interval() for name, cloud in result.clouds.items()}
    inside = [MODELS[name] for name, (low, high) in bars.items() if low <= result.truth <= high]
    if not inside:
        return f"{marks} No bar contains the true risk."
    verb = "contain" if len(inside) > 1 else "contains"
    noun = "bars" if len(inside) > 1 else "bar"
    return f"{marks} The {noun} of the {' and the '.join(inside)} {verb} the true risk."


def lead(result: SampleResult) -> tuple[str, str]:
    """Return the answer of the page: the estimated risk compared with the true risk."""
    guess = result.guess.risk.mean
    each = (f"{MODELS[name]} {cloud.risk.mean:.3f}" for name, cloud in result.clouds.items())
    guesses, looks = ", ".join(each), "From this sample the log-linear model estimates the risk"
    if result.truth is None:
        return f"{looks} as {guess:.3f}.", f"The true risk is unknown. Estimates by model: {guesses}."
    apart = difference(guess, result.truth)
    off = f"{abs(apart):.3f} too {'high' if apart > 0 else 'low'}"
    if abs(apart) < 5e-4:
        off = "correctly"
    return (
        f"{looks} {off}.",
        f"The true risk (residual risk of the published sample, from 0 to 1) is {result.truth:.3f}. "
        f"Estimates by model: {guesses}.",
    )


def empty_told(result: SampleResult) -> str:
    """Return the numbers of empty cells in the sample and in the population."""
    seen = int((result.sample.counts == 0).sum())
    if result.population is None:
        empty = counted(seen, "cell of the sample is", "cells of the sample are")
        return (
            f"{empty} empty. The sample does not show which of these cells are also empty in the population."
        )
    true = int((result.population.counts == 0).sum())
    return (
        f"Number of empty cells: {true} in the population, {seen} in the sample. So {seen - true} cells are empty only "
        "in the sample."
    )


def caption(result: SampleResult) -> str:
    """Return the caption of the estimated risk."""
    risk = result.guess.risk
    low, high = risk.interval()
    truth = "" if result.truth is None else f" The true risk is {result.truth:.4f}."
    return (
        f"Mean risk of {risk.r2.size:,} populations simulated by the log-linear model; 95 % of the risks are from "
        f"{low:.4f} to {high:.4f}.{truth}"
    )


def formula(result: SampleResult) -> Line:
    """Return R2 with the mean terms of the log-linear model."""
    risk, w = result.guess.risk, result.state.settings.weights
    terms = risk.terms.mean(axis=0)
    parts = " + ".join(f"{weight:g}·{term:.4f}" for weight, term in zip(w, terms, strict=True))
    return [Piece(f"mean R₂(F̂, f) = {parts} = {risk.mean:.4f}")]


def explain(result: SampleResult) -> list[Line]:
    """Return the computation of the estimated risk, one line per step."""
    risk = result.guess.risk
    n, N, f, unit = result.sampled, result.people, result.sample, result.state.unit
    entropies = f"H(X) = {risk.entropy.mean():.4f} and H(X|Y) = {risk.entropy_left.mean():.4f} nats"
    unseen = counted(N - n, f"{singular(unit)} is", f"{unit} are")
    lines = text_lines(
        f"The sample has n = {n:,} {unit}, the population N = {N:,}; the sample has "
        f"{counted(int((f.counts == 0).sum()), 'empty cell')} among {f.cells:,} cells.",
        f"A log-linear model estimates a probability for each cell. With these probabilities, {unseen} "
        "added to the sample.",
        f"This simulation is repeated {risk.r2.size:,} times. Each time, the risk is computed "
        "as if the simulated table were the population:",
        "R₂(F̂, f) = w₁·(|D̂|/K)^(|E|/|D̂|) + w₂·(1 − H(X)/log K)·(1 − H(X|Y)/H(X)) + w₃·h(N)",
        f"On average |D̂| = {risk.zeros.mean():.1f}, {entropies}.",
    )
    return [*lines, formula(result)]


def notice(result: SampleResult) -> str:
    """Return a summary of the estimates."""
    risk, urn = result.guess.risk, result.clouds.get("urn")
    if result.truth is None:
        low, high = risk.interval()
        sentence = (
            f"The true risk is unknown. The log-linear model estimates a risk from {low:.4f} to {high:.4f}."
        )
        return f"{sentence} The Pólya urn estimates a mean risk of {urn.risk.mean:.4f}." if urn else sentence
    apart = difference(risk.mean, result.truth)
    if not apart:
        return "The risk is estimated correctly from this sample."
    side = "above" if apart > 0 else "below"
    sentence = f"From this sample, the risk is estimated {abs(apart):.4f} {side} the true value"
    if abs(apart) > 2 * risk.spread:
        return (
            f"{sentence}. The true value is outside the cloud of dots, which shows the random variation "
            f"of populations, "
            "but not that of samples."
        )
    return f"{sentence}. The true value is inside the cloud of dots."


def narration(result: SampleResult) -> Narration:
    """Return the estimated risk with an explanation."""
    risk, weights = result.guess.risk, result.state.settings.weights
    parts = (risk.terms.mean(axis=0) * weights).tolist()
    return Narration(
        f"{risk.mean:.4f}",
        caption(result),
        notice(result),
        formula(result),
        list(zip(("zeros", "unevenness", "small size"), parts, strict=True)),
        explain=lambda: ("Estimated risk", explain(result)),
        of=result.state,
        act=result.state,
    )


def black_balls(result: SampleResult) -> str:
    """Return a description of θ, or the reason why there is no urn."""
    if result.theta is None:
        return "There is no urn, because it would have to fill more empty cells than the number of balls to draw."
    empty = int((result.sample.counts == 0).sum())
    if result.theta == 0:
        return f"θ = 0: none of the {empty} empty cells of the sample is expected to be filled, so no ball is black."
    return (
        f"θ = {result.theta:.2f} black balls among {result.sampled:,} of the sample, so that on average as many black "
        f"balls are drawn as the log-linear model fills of its {empty} empty cells, equation (6). A black ball that "
        "finds no empty cell left takes one of the new colours, so that fewer may be filled."
    )


def urn_told(result: SampleResult) -> str:
    """Return the last drawn ball, or the reason why no balls can be drawn one by one."""
    balls, unit = result.unseen, result.state.unit
    if result.theta is None or balls == 0:
        return "The urn is not available, so there are no balls to draw."
    if balls > MOST_BALLS:
        return (
            f"{balls:,} balls are too many to draw one by one. The fast urn draws all balls at once, with the same "
            "probabilities."
        )
    if result.path is None or not result.state.ball:
        return (
            f"Each ball is one {singular(unit)}, and each colour a cell. A drawn ball is returned with a new ball of "
            f"the same colour. After {balls:,} draws, the urn contains an estimated population."
        )
    last = int(result.path[result.state.ball - 1])
    before = result.balls.ravel()[last] - 1
    cell = np.unravel_index(last, result.sample.shape)
    where = ", ".join(axis.labels[k] for axis, k in zip(result.sample.axes, cell, strict=True))
    if before == 0:
        first = f"the empty cell {where} gets its first {singular(unit)}"
        return f"Draw {result.state.ball:,} was a black ball, so {first}."
    return (
        f"Draw {result.state.ball:,} was a ball of the cell {where}, which had {people(int(before), unit)}. The ball "
        "was returned with a new ball of the same colour."
    )


def where_zeros_go(result: SampleResult) -> str:
    """Return the estimates of empty cells by model."""
    empty = result.sample.counts == 0
    if not empty.any():
        return "No cell of the sample is empty, so no cell of the population is empty."
    sentences = [f"{counted(int(empty.sum()), 'cell of the sample is', 'cells of the sample are')} empty."]
    for name, cloud in result.clouds.items():
        model = "log-linear model" if name == "log-linear" else "urn"
        sentences.append(f"On average, the {model} leaves {cloud.empty.sum():.1f} of these cells empty.")
    if result.population is not None:
        true, shares = result.population.counts == 0, result.guess.empty

        sentences.append(
            f"In the population, {counted(int(true.sum()), 'cell is', 'cells are')} empty. Of the zeros "
            f"estimated by the log-linear model ({shares.sum():.1f}), {shares[true].sum():.1f} are in these cells."
        )
    return " ".join(sentences)


def zeros_texts(result: SampleResult) -> NDArray[np.str_]:
    """Return the texts of the map of zeros: the sample has people, or the share of populations with an empty cell."""
    f = result.sample.counts
    empty = np.zeros(f.shape, dtype=bool) if result.population is None else result.population.counts == 0
    shares = np.array([f"{share:.0%}" for share in result.guess.empty.flat]).reshape(f.shape)
    return np.where(f > 0, "·", np.char.add(shares, np.where(empty, " ○", "")))


def models(result: SampleResult) -> dict[str, str]:
    """Return the labels of the log-linear models: the axes that they have terms for."""
    none = "none: equal probabilities of all cells"
    return {line.name: none if line.formula == "1" else line.formula for line in result.lines}


def designs(result: SampleResult) -> dict[str, str]:
    """Return the labels of the designs; with several axes in the rows, the stratification axis is named."""
    names = next(
        dict(parameter.choices) for parameter in declared(SampleSettings) if parameter.name == "design"
    )
    if result.sample.ndim > 2:
        names["stratified-sampling"] = f"From each category of {result.sample.rows.name}"
    return names


def fits(result: SampleResult) -> list[Quantity]:
    """Return one line per log-linear model: its fit and the estimated risk."""
    quantities = []
    for line in result.lines:
        # The selected model has more populations than the others; its risk must be the same everywhere on the page.
        chosen = line.name == result.state.sampling.terms
        risk = result.guess.risk if chosen else line.risk
        # The distribution of G² is known only if an estimate exists and most cells are populated.
        test = line.fit.exists and (result.sample.counts > 0).mean() > 0.5 and not np.isnan(line.p_value)
        fit = f"G² = {line.fit.deviance:,.1f}, p = {line.p_value:.3f}, " if test else ""
        description = f"{fit}df = {line.fit.df}; {risk.zeros.mean():.0f} empty cells estimated"
        if not line.fit.exists:
            description += f"; {existence(line.fit.exists)}"
        quantities.append(
            reading(f"{'▸ ' * chosen}{models(result)[line.name]}", f"{risk.mean:.4f}", description)
        )
    return quantities


def fits_note(result: SampleResult) -> str:
    """Return the accuracy of the risks in the list, and an explanation of its figures."""
    others = [line.risk for line in result.lines if line.name != result.state.sampling.terms]
    error = max((2 * risk.spread / np.sqrt(risk.r2.size) for risk in others), default=0.0)
    populations = result.guess.risk.r2.size
    return (
        f"▸ marks the selected model, with the {populations:,} populations of the estimate above. Each other model has"
        f" {others[0].r2.size if others else 0}, so two standard errors of its risk are up to {error:.4f}. "
        "G² is the deviance, which is large compared with its degrees of freedom if the model has too few terms. It is "
        "omitted if most cells are empty or no estimate exists, because its distribution is then unknown. If no "
        "maximum "
        "likelihood estimate exists, its limit is used, in which some cells have the probability 0."
    )


def curve_notice(points: tuple[CurvePoint, ...]) -> str:
    """Return a summary of the curve."""
    known = [point for point in points if "log-linear" in point.estimates]
    if len(known) < 2:
        return "The page is drawing samples with different sampling fractions …"
    first, last = known[0], known[-1]
    over, then = (difference(point.estimates["log-linear"][0], point.truth) for point in (first, last))
    return (
        f"With a sampling fraction of {first.fraction:.0%}, the mean estimate of the log-linear model is "
        f"{abs(over):.4f} {'above' if over > 0 else 'below'} the true risk; with {last.fraction:.0%}, "
        f"{abs(then):.4f} {'above' if then > 0 else 'below'}. Bars show two standard errors."
    )


def sample_code(state: SampleState) -> str:
    """Return Python code that computes the numbers of the page.

    Examples
    --------
    >>> print(sample_code(SampleState.of_example("religion")).splitlines()[-2])
    populations = draw_populations(f, N, 1000, rng, model='multinomial', margins=margins)
    """
    sampling = state.sampling
    if sampling.known == "sample":
        lines = [f"f, N = table.counts, {sampling.people}"]
    else:
        lines = [
            f"method = methods.get({sampling.design!r})(fraction={sampling.fraction!r})",
            f"f, N = method.apply(table, np.random.default_rng([{sampling.draw}, 0])).counts, table.total",
        ]
    return script(
        "import numpy as np",
        "from sdcwidgets.tables.table import FrequencyTable",
        "from sdcwidgets.tables import examples",
        "from sdcwidgets import methods",
        "from sdcwidgets.core.estimate import draw_populations, sample_risk",
        "",
        *state.source.code(state.table).lines,
        *lines,
        f"rng = np.random.default_rng([{sampling.draw}, 1])",
        f"margins = {state.models[sampling.terms]}  # preserved by the log-linear model",
        f"populations = draw_populations(f, N, 1000, rng, model={sampling.others!r}, margins=margins)",
        f'sample_risk(f, populations, {state.settings.weights}).mean  # and model="urn" for the other cloud',
    )


def bound_told(errors: dict[str, SecondTermErrors]) -> str:
    """Return the meaning of the bound, or the reason why there is none."""
    if not errors:
        return (
            "This chart needs a known population with people in more than one cell, because it shows errors."
        )
    share = min(error.within for error in errors.values())
    return (
        "H(X) and H(X|Y) are estimated, with the errors ε₁ and ε₂. Equation (6.3.6) of the thesis bounds the error of "
        "the second term of R₂ by these two errors. "
        + (
            "In each estimated population, the error is at most the bound. "
            if share == 1
            else f"The error is at most the bound in {share:.1%} of the estimated populations. "
        )
        + "The bound is far above the actual error if both errors are large and have opposite effects."
    )


#: Sources of the models of cell sizes.
_SIZE_SOURCES = {
    "population": "true value",
    "negative binomial": "cells with exchangeable counts, thesis (4.5.2)",
    "Poisson mixture": "one rate per cell from the log-linear model, thesis (4.5.3)",
    "log-normal": "rates of the log-linear model with an error, thesis (4.5.4)",
}


def entropies_told(result: SampleResult, models: dict[str, SizeModel]) -> list[Quantity]:
    """Return the entropy by each model of cell sizes, and by the expectation of F log F."""
    rows = [
        reading(
            name.capitalize(),
            "–" if np.isnan(model.entropy) else f"{model.entropy:.4f}",
            _SIZE_SOURCES[name]
            + ("; the cells are too large for this page" if np.isnan(model.entropy) else ""),
        )
        for name, model in models.items()
    ]
    value = entropy_by_expectation(result)
    return [*rows, reading("Expectation of F log F", f"{value:.4f}", "E(F log F | f), thesis (4.4.2)")]
