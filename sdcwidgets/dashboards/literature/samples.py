"""Cards for tables of a sample: population uniques and correct matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.core.estimate.matches import dispersion, expected_cells, main_effects, match_probability
from sdcwidgets.core.estimate.uniqueness import DirichletMultinomial, LogNormal, PoissonGamma
from sdcwidgets.dashboards.literature.card import DATA, EXAMPLES, CardSettings, Cells, Computed, cells_of
from sdcwidgets.dashboards.literature.picture import prepare
from sdcwidgets.tables import examples
from sdcwidgets.tables.table import FrequencyTable

SIZES, TRAVEL, POPULATION = EXAMPLES["sizes"], EXAMPLES["travel"], DATA["population"]

#: Sampling fraction of both examples.
DRAWN = 0.1


def _model(
    family: Any, derived: Callable[[Any], dict[str, Any]]
) -> Callable[[FrequencyTable, CardSettings], Computed]:
    """Return the function that computes a card of one family of models; `derived` returns the formula's numbers."""

    def work(table: FrequencyTable, settings: CardSettings) -> Computed:
        sizes, p = table.counts[:, 0], settings.fraction
        k = np.arange(len(sizes))
        try:
            model = family.fit(sizes, p)
        except ValueError as error:
            raise InputError(str(error)) from None
        cells, sampled, uniques = int(sizes.sum()), int(sizes @ k), float(model.uniques())
        mean = sampled / cells
        expected = model.sampled(p).cells_of_size(k)
        return Computed(
            uniques / cells,
            {
                "family": family.__name__,
                "sizes": sizes.tolist(),
                "p": p,
                "N": float(model.people),
                "K": cells,
                "uniques": uniques,
                "shown": f"{uniques:,.0f}" if uniques >= 100 else f"{uniques:.1f}",
                "of_cell": uniques / cells,
                "sampled": sampled,
                "drawn_from": sampled / p,
                "mean": mean,
                "variance": float(sizes @ k**2) / cells - mean**2,
                "expected": expected,
                "chance": float(model.unique_given_sample_unique(p)),
                "truth": _truth(table, p),
                **{name: float(number) for name, number in derived(model).items()},
            },
            picture=prepare(
                k[1:],
                bars={"Sample": sizes[1:]},
                lines={"Number expected by the model": expected[1:]},
            ),
        )

    return work


def _truth(table: FrequencyTable, fraction: float) -> str:
    if table != SIZES or fraction != DRAWN:
        return ""
    true = POPULATION
    return (
        f" The true numbers of this example: {true['uniques']} of {true['people']:,} people are population uniques, "
        "and "
        f"so are {true['both']} of the {true['sample uniques']} sample uniques "
        f"({true['both'] / true['sample uniques']:.1%})."
    )


def _elamir(table: FrequencyTable, settings: CardSettings) -> Computed:
    p = settings.fraction
    fitted = main_effects(table.counts)
    s, r = np.arange(1, 7), np.arange(5)
    expected = expected_cells(fitted / p, p, s[:, None], r)
    both, single = float(expected[0, 1]), float(np.sum(fitted * np.exp(-fitted)))
    return Computed(
        both / single if single else 0.0,
        {
            "p": p,
            "both": both,
            "single": single,
            "uniques": (table.counts == 1).sum(),
            "largest": fitted.max() / p,
            "smallest": fitted.min() / p,
        },
        Cells(
            [f"F = {count}" for count in s],
            [f"f = {count}" for count in r],
            _texts(expected, r <= s[:, None]),
            (expected / max(float(expected.max()), 1e-300)).tolist(),
        ),
    )


def _elamir_skinner(table: FrequencyTable, settings: CardSettings) -> Computed:
    p, counts = settings.fraction, table.counts
    fitted = main_effects(counts)
    shape = settings.shape if settings.effect else np.inf
    chances = match_probability(fitted / p, p, shape)
    single = counts == 1
    correct, uniques = float(chances[single].sum()), int(single.sum())
    moment = float(dispersion(counts, fitted))
    truth = ""
    if table == TRAVEL and p == DRAWN:
        behind = examples.load("travel").counts[single]
        truth = f" The true number of this example is {float((1 / behind).sum()):.2f}."
    return Computed(
        correct / uniques if uniques else 0.0,
        {
            "p": p,
            "option": f", shape={shape:g}" if settings.effect else "",
            "correct": correct,
            "uniques": uniques,
            "highest": float(chances[single].max()) if uniques else 0.0,
            "rule": "θ = p(μ + v)/((1 − p)μv) · [1 − ((μ + v)/(μ/p + v))^v]"
            if settings.effect
            else "θ = (1 − exp(−(1−p)λ))/((1 − p)λ)",
            "moment": "" if np.isinf(moment) else f" = {moment:.2f}",
            "varied": "The counts vary around the log-linear model like Poisson counts, without additional "
            "variation."
            if np.isinf(moment)
            else f"The counts vary around the model as with a random effect of shape {moment:.1f}.",
            "truth": truth,
        },
        cells_of(table, _texts(chances, single), np.where(single, chances, 0)),
    )


def _texts(values: Floats, defined: Flags) -> list[list[str]]:
    """Return numbers as texts, a dash for undefined ones."""
    rows = zip(values.tolist(), defined.tolist(), strict=True)
    return [
        [f"{value:.2f}" if is_defined else "–" for value, is_defined in zip(*row, strict=True)]
        for row in rows
    ]


#: Functions that compute the cards, by name.
WORK = {
    "bethlehem": _model(
        PoissonGamma,
        lambda model: {
            "alpha": model.alpha,
            "beta": model.beta,
            "exponent": 1 + model.alpha,
            "printed": model.uniques_as_printed(),
        },
    ),
    "takemura": _model(
        DirichletMultinomial, lambda model: {"alpha": model.alpha, "A": model.cells * model.alpha}
    ),
    "skinner-holmes": _model(LogNormal, lambda model: {"mu": model.mu, "spread": model.sigma**2}),
    "elamir": _elamir,
    "elamir-skinner": _elamir_skinner,
}
