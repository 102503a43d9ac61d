"""Cards for tables of a sample: who is unique, or correctly matched, in the population behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sdcwidgets import examples
from sdcwidgets.core.estimate.matches import dispersion, expected_cells, main_effects, match_probability
from sdcwidgets.core.estimate.uniqueness import DirichletMultinomial, LogNormal, PoissonGamma
from sdcwidgets.errors import InputError
from sdcwidgets.pages.literature.card import Card, CardSettings, Cells, Worked, line
from sdcwidgets.pages.literature.picture import prepare
from sdcwidgets.table import Axis, FrequencyTable
from sdcwidgets.words import Line

GROUP = "Tables of a sample"

#: A population of 2,000 cells with log-normal rates (mu = 0, sigma = 1.3), drawn once; each of its people
#: was in the sample with chance 0.1.
POPULATION = {"people": 4358, "uniques": 450, "sample uniques": 230, "both": 48}
SIZES = FrequencyTable(
    np.array([[1694, 230, 46, 16, 10, 2, 2, 0, 0]]).T,
    [Axis("People in the cell", tuple("012345678")), Axis("Sample", ("Cells",))],
)
#: A simple random sample of 188 of the 1,885 people of the travel table, drawn once.
TRAVEL = examples.load("travel").with_counts(
    [
        [0, 1, 1, 0, 1, 0, 2, 0, 7, 0, 15],
        [0, 2, 0, 0, 3, 0, 0, 1, 1, 0, 12],
        [0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 11],
        [0, 0, 1, 0, 1, 0, 0, 1, 3, 0, 17],
        [1, 0, 1, 0, 2, 1, 0, 1, 1, 0, 12],
        [0, 0, 1, 0, 11, 1, 0, 0, 4, 0, 1],
        [0, 0, 0, 0, 3, 1, 0, 0, 3, 0, 3],
        [3, 0, 1, 0, 6, 0, 0, 0, 3, 0, 15],
        [0, 0, 1, 0, 2, 1, 0, 0, 3, 0, 3],
        [2, 0, 0, 0, 10, 0, 0, 0, 1, 0, 6],
    ]
)
#: The fraction that both examples were drawn with.
DRAWN = 0.1


def _model(
    family: Any, words: Callable[[Any, float], tuple[Line, list[Line]]]
) -> Callable[[FrequencyTable, CardSettings], Worked]:
    """Return what works out a card of one family of models, whose own formula `words` writes."""

    def work(table: FrequencyTable, settings: CardSettings) -> Worked:
        sizes, p = table.counts[:, 0], settings.fraction
        k = np.arange(len(sizes))
        try:
            model = family.fit(sizes, p)
        except ValueError as error:
            raise InputError(str(error)) from None
        cells, sampled = int(sizes.sum()), int(sizes @ k)
        uniques, chance = float(model.uniques()), float(model.unique_given_sample_unique(p))
        expected = model.sampled(p).cells_of_size(k)
        mean = sampled / cells
        variance = float(sizes @ k**2) / cells - mean**2
        formula, own = words(model, uniques)
        return Worked(
            name="Population uniques expected",
            value=f"{uniques:,.0f}" if uniques >= 100 else f"{uniques:.1f}",
            share=("share of all cells", uniques / cells),
            formula=formula,
            steps=(
                line(f"Sample: n = {sampled:,} people in K = {cells:,} cells; N = n/p = {sampled / p:,.0f}"),
                line(f"Mean m = n/K = {mean:.4f}, variance s² = Σ j² T(j)/K − m² = {variance:.4f}"),
                *own,
                formula,
                line(
                    f"Pr(F = 1 | f = 1) = p · E#{{F = 1}} / E#{{f = 1}} = "
                    f"{p:g} · {uniques:.1f} / {expected[1]:.1f} = {chance:.4f}"
                ),
            ),
            notice=f"A sample unique is unique in the population with chance {chance:.1%}.{_truth(table, p)}",
            code=_code(
                "uniqueness",
                family.__name__,
                f"{family.__name__}.fit({sizes.tolist()}, fraction={p:g}).uniques()",
            ),
            picture=prepare(
                k[1:],
                ("people in the cell (sample)", "cells"),
                bars={"in the sample": sizes[1:]},
                lines={"expected under the model": expected[1:]},
                summary=f"The sample has {sizes[1]:,} cells of one person, the model expects {expected[1]:.1f}; "
                f"of two, {sizes[2]:,} and {expected[2]:.1f}.",
            ),
        )

    return work


def _truth(table: FrequencyTable, fraction: float) -> str:
    if table != SIZES or fraction != DRAWN:
        return ""
    true = POPULATION
    return (
        f" The truth behind this example: {true['uniques']} population uniques among {true['people']:,} people; "
        f"{true['both']} of the {true['sample uniques']} sample uniques, {true['both'] / true['sample uniques']:.1%}."
    )


def _gamma(model: PoissonGamma, uniques: float) -> tuple[Line, list[Line]]:
    N, K, alpha, beta = (float(x) for x in (model.people, model.cells, model.alpha, model.beta))
    printed = float(model.uniques_as_printed())
    return (
        line(f"N/(1 + Nβ)^(1 + α) = {N:,.0f}/(1 + {N:,.0f} · {beta:.4g})^{1 + alpha:.4f} = {uniques:.1f}"),
        [
            line(f"α = m²/(s² − m) = {alpha:.4f}, β = 1/(Kα) = 1/({K:,.0f} · {alpha:.4f}) = {beta:.4g}"),
            line(
                f"As the thesis prints it, N/(1 + β)^(1 + αN) = {printed:.1f}: that is for rates ~ Gamma(αN, β)."
            ),
        ],
    )


def _dirichlet(model: DirichletMultinomial, uniques: float) -> tuple[Line, list[Line]]:
    N, K, alpha = (float(x) for x in (model.people, model.cells, model.alpha))
    return (
        line(
            f"N · Γ(A)/Γ(A + N) · Σ α Γ(A − α + N − 1)/Γ(A − α) with N = {N:,.0f}, A = {K * alpha:,.1f}: {uniques:.1f}"
        ),
        [
            line("A: a cell's variance is (n + A)/(1 + A) times that of a multinomial count"),
            line(f"α = A/K = {K * alpha:.2f}/{K:,.0f} = {alpha:.4f}, the same for every cell"),
        ],
    )


def _log_normal(model: LogNormal, uniques: float) -> tuple[Line, list[Line]]:
    K = float(model.cells)
    return (
        line(f"K P₁ = {K:,.0f} · ∫ λ exp(−λ) g(λ) dλ = {K:,.0f} · {uniques / K:.4f} = {uniques:.1f}"),
        [
            line(f"σ² = log(1 + (s² − m)/m²) = {float(model.sigma) ** 2:.4f}"),
            line(f"μ = log(m/p) − σ²/2 = {float(model.mu):.4f}"),
        ],
    )


def _elamir(table: FrequencyTable, settings: CardSettings) -> Worked:
    p = settings.fraction
    fitted = main_effects(table.counts)
    s, r = np.arange(1, 7), np.arange(5)
    expected = expected_cells(fitted / p, p, s[:, None], r)
    both, single = float(expected[0, 1]), float(np.sum(fitted * np.exp(-fitted)))
    shown = r <= s[:, None]
    return Worked(
        name="Cells with one person, who is in the sample",
        value=f"{both:.2f}",
        share=("share of the sample uniques expected", both / single if single else 0.0),
        formula=line(f"s = r = 1: Σ p λ exp(−λ) = {both:.3f}, λ = μ/p, p = {p:g}"),
        steps=(
            line("μ: row total × column total / n, the log-linear model of main effects"),
            line(f"λ = μ/{p:g}; the largest is {fitted.max() / p:.2f}, the least {fitted.min() / p:.3f}"),
            line("E #{F = s, f = r} = Σ (pλ)^r ((1−p)λ)^(s−r) exp(−λ) / (r! (s−r)!)"),
            line(
                f"Expected sample uniques: Σ μ exp(−μ) = {single:.2f}; observed: {int((table.counts == 1).sum())}"
            ),
        ),
        notice=f"The model expects {single:.1f} sample uniques and finds {int((table.counts == 1).sum())}; "
        "where these are far apart, the model is too simple for this table.",
        code=_code(
            "matches",
            "expected_cells, main_effects",
            f"expected_cells(main_effects({_list(table)}) / {p:g}, {p:g}, population=1, sample=1)",
        ),
        cells=Cells(
            title="Expected cells by both counts",
            names=("People in the population", "People in the sample"),
            rows=tuple(f"F = {count}" for count in s),
            columns=tuple(f"f = {count}" for count in r),
            texts=tuple(
                tuple(f"{x:.2f}" if ok else "–" for x, ok in zip(row, known, strict=True))
                for row, known in zip(expected.tolist(), shown.tolist(), strict=True)
            ),
            shades=tuple(map(tuple, (expected / max(float(expected.max()), 1e-300)).tolist())),
            hint="How many cells are expected to have F people, of whom f are in the sample. Darker: more.",
        ),
    )


def _elamir_skinner(table: FrequencyTable, settings: CardSettings) -> Worked:
    p, counts = settings.fraction, table.counts
    fitted = main_effects(counts)
    shape = settings.shape if settings.effect else np.inf
    chances = match_probability(fitted / p, p, shape)
    single = counts == 1
    correct, uniques = float(chances[single].sum()), int(single.sum())
    moment = float(dispersion(counts, fitted))
    told = (
        "no more than by chance"
        if np.isinf(moment)
        else f"as a random effect of shape {moment:.1f} would make them"
    )
    if settings.effect:
        rule = "θ = p(μ + v)/((1 − p)μv) · [1 − ((μ + v)/(μ/p + v))^v]"
    else:
        rule = "θ = (1 − exp(−(1−p)λ))/((1 − p)λ)"
    truth = ""
    if table == TRAVEL and p == DRAWN:
        behind = examples.load("travel").counts[single]
        truth = f" The truth behind this example is {float((1 / behind).sum()):.2f}."
    highest = float(chances[single].max()) if uniques else 0.0
    option = f", shape={shape:g}" if settings.effect else ""
    return Worked(
        name="Correct matches expected among the sample uniques",
        value=f"{correct:.2f}",
        share=("share of the sample uniques", correct / uniques if uniques else 0.0),
        formula=line(
            f"Σ θ over the {uniques} cells with f = 1: {correct:.3f}; the highest θ is {highest:.3f}"
        ),
        steps=(
            line("μ: row total × column total / n, the log-linear model of main effects; λ = μ/p"),
            line(
                "θ = E(1/F | f = 1): the chance that a person matched with a sample unique is the right one"
            ),
            line(rule),
            line(
                "Shape from moments: v = Σ μ² / Σ((f − μ)² − μ)"
                + ("" if np.isinf(moment) else f" = {moment:.2f}")
            ),
        ),
        notice=f"An intruder who matches all {uniques} sample uniques is right in {correct:.2f} of them on "
        f"average.{truth} Around the model the counts vary {told}.",
        code=_code(
            "matches",
            "main_effects, match_probability",
            f"match_probability(main_effects({_list(table)}) / {p:g}, {p:g}{option})",
        ),
        cells=Cells(
            title="Chance of a correct match",
            names=(table.rows.name, table.columns.name),
            rows=tuple(table.rows),
            columns=tuple(table.columns),
            texts=tuple(
                tuple(f"{x:.2f}" if one else "–" for x, one in zip(row, known, strict=True))
                for row, known in zip(chances.tolist(), single.tolist(), strict=True)
            ),
            shades=tuple(map(tuple, np.where(single, chances, 0).tolist())),
            hint="θ of every sample unique. Darker: a match is more likely correct.",
        ),
    )


def _list(table: FrequencyTable) -> str:
    return repr(table.counts.tolist())


def _code(module: str, names: str, call: str) -> str:
    return f"from sdcwidgets.core.estimate.{module} import {names}\n\n{call}"


_ABOUT = (
    "How many cells of the sample hold 0, 1, 2 … people. Drawn from 4,358 people in 2,000 cells with "
    "log-normal rates."
)
_HINT = "Change how many cells there are of a size: Enter keeps it, Escape takes it back. ▴ or ▾: changed."

CARDS = (
    Card(
        name="bethlehem",
        title="Bethlehem et al. 1990: Poisson–gamma",
        group=GROUP,
        question="Only a sample is known: how many people are unique in the population?",
        general="F ~ Po(Nπ), π ~ Gamma(α, β), Kαβ = 1:   E #{F = 1} = N/(1 + Nβ)^(1 + α)",
        limits="Usually too few: gamma rates have a shorter tail than those of real cells. It needs K, the number of "
        "cells in which anybody could be.",
        reference="Bethlehem, Keller and Pannekoek 1990; thesis, section 2.3.2.2.2, whose printed formula has αN for α "
        "and β for Nβ.",
        example=SIZES,
        about=_ABOUT,
        hint=_HINT,
        work=_model(PoissonGamma, _gamma),
        controls=("fraction",),
    ),
    Card(
        name="takemura",
        title="Takemura 1999: Dirichlet–multinomial",
        group=GROUP,
        question="The same, when the population has exactly N people: how many are unique?",
        general="π ~ Dirichlet(α, …, α), F ~ Multinomial(N, π), A = Kα:   "
        "Pr(F = 1) = N α Γ(A) Γ(A−α+N−1) / (Γ(A+N) Γ(A−α))",
        limits="In a large table it says nearly the same as Poisson–gamma, and is too low where that is. Here every "
        "cell has the same α.",
        reference="Takemura 1999; thesis, section 2.3.2.2.2.",
        example=SIZES,
        about=_ABOUT,
        hint=_HINT,
        work=_model(DirichletMultinomial, _dirichlet),
        controls=("fraction",),
    ),
    Card(
        name="skinner-holmes",
        title="Skinner & Holmes 1993: log-normal",
        group=GROUP,
        question="The same, when the rates of the cells have a longer tail: how many people are unique?",
        general="F ~ Po(λ), log λ ~ N(μ, σ²):   E #{F = 1} = K ∫ λ exp(−λ) g(λ) dλ",
        limits="It fits real cells better, but the moments of a long tail hang on the few largest cells of the sample. "
        "This example was drawn from the model, so it is at its best here.",
        reference="Skinner and Holmes 1993, 1998; thesis, (2.3.1) to (2.3.6); in its formula for Pr(F = 1 | f = 1) "
        "the exponent lacks λ.",
        example=SIZES,
        about=_ABOUT,
        hint=_HINT,
        work=_model(LogNormal, _log_normal),
        controls=("fraction",),
    ),
    Card(
        name="elamir",
        title="Elamir 2004: both counts",
        group=GROUP,
        question="How many cells are expected to have s people in the population and r of them in the sample?",
        general="E #{F = s, f = r} = Σ (pλ)^r ((1−p)λ)^(s−r) exp(−λ) / (r! (s−r)!)",
        limits="All depends on the log-linear model: a complex one is unstable, a simple one misses how cells differ. "
        "Here it is main effects only.",
        reference="Elamir 2004; thesis, equation (2.3.8).",
        example=TRAVEL,
        about="A sample of 188 of the 1,885 people of PSD 2014's travel table.",
        work=_elamir,
        controls=("fraction",),
    ),
    Card(
        name="elamir-skinner",
        title="Elamir & Skinner 2006: matches",
        group=GROUP,
        question="An intruder matches someone with a sample unique: how likely is the match correct?",
        general="θ = E(1/F | f = 1) = (1 − exp(−(1−p)λ)) / ((1 − p)λ)",
        limits="The random effect allows for more variation, but the article found no evidence that it does better. "
        "The intruder is assumed to know the key without error.",
        reference="Elamir and Skinner 2006; thesis, section 2.3.2.2.2, after (2.3.10).",
        example=TRAVEL,
        about="A sample of 188 of the 1,885 people of PSD 2014's travel table.",
        work=_elamir_skinner,
        controls=("fraction", "effect", "shape"),
    ),
)
