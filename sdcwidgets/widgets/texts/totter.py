"""Totter's (2014) conclusions compared with repeated results, by cells and scaling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.core.risk.sample import CELLS, MODELS, SCALINGS

if TYPE_CHECKING:
    import pandas as pd

#: Designs that Totter describes together; the fourth is oversampling.
_PLAIN = ("srs", "proportional", "equal")

_NAMES = {
    "srs": "SRS",
    "proportional": "PSS",
    "equal": "ESS",
    "oversampling": "POV",
    "standard": "standard",
    "clogg-eliason": "Clogg–Eliason",
    "pseudo-likelihood": "PSE",
    "weighted": "weighted",
}


class _Means:
    """Mean difference between estimate and true value, by scenario, design and model."""

    def __init__(self, results: pd.DataFrame, scaling: str) -> None:
        self._groups = {key: group for key, group in results.groupby(["scenario", "design"])}
        self._scaling = scaling
        self.scenarios = sorted(results["scenario"].unique())

    def truth(self, which: str, scenario: str, design: str) -> float:
        return float(self._groups[scenario, design][which].mean())

    def off(self, which: str, scenario: str, design: str, model: str) -> float:
        """Return the mean of the estimate minus the true value."""
        group = self._groups[scenario, design]
        return float((group[f"{model} {self._scaling} {which}"] - group[which]).mean())

    def worst(self, which: str, scenario: str, design: str) -> str:
        return max(MODELS, key=lambda model: abs(self.off(which, scenario, design, model)))

    def best(self, which: str, scenario: str, design: str) -> str:
        return min(MODELS, key=lambda model: abs(self.off(which, scenario, design, model)))


@dataclass(frozen=True)
class PrintedConclusion:
    """One of Totter's conclusions with its check.

    Attributes
    ----------
    text : str
        The conclusion.
    check : callable
        Maps the means to the cases of the conclusion, each with whether it holds there.
    """

    text: str
    check: Callable[[_Means], dict[str, bool]]


def _cases(
    scenarios: Sequence[str], designs: Sequence[str], models: Sequence[str], holds: Callable[..., bool]
) -> dict[str, bool]:
    return {
        f"scenario {scenario}, {_NAMES[design]}" + (f", {_NAMES[model]}" if model else ""): holds(
            scenario, design, model
        )
        for scenario in scenarios
        for design in designs
        for model in models
    }


#: Conclusions of section 5 and results of section 4.2, each with a check of the means over all samples.
CONCLUSIONS = (
    PrintedConclusion(
        "All models underestimate τ₁ in simple random, proportional and equal-allocation samples (SRS, PSS, ESS).",
        lambda m: _cases(m.scenarios, _PLAIN, MODELS, lambda s, d, k: m.off("tau1", s, d, k) < 0),
    ),
    PrintedConclusion(
        "For τ₁, the pseudo maximum likelihood model gives the best estimates in SRS, PSS and ESS samples "
        "(within a tenth of the best).",
        lambda m: _cases(
            m.scenarios,
            _PLAIN,
            [""],
            lambda s, d, _: (
                abs(m.off("tau1", s, d, "pseudo-likelihood"))
                <= abs(m.off("tau1", s, d, m.best("tau1", s, d))) + 0.1 * m.truth("tau1", s, d)
            ),
        ),
    ),
    PrintedConclusion(
        "The weighted model gives the worst estimates of τ₁ and τ₂ in SRS, PSS and ESS samples.",
        lambda m: {
            f"{case}, {label}": holds
            for which, label in (("tau1", "τ₁"), ("tau2", "τ₂"))
            for case, holds in _cases(
                m.scenarios, _PLAIN, [""], lambda s, d, _, w=which: m.worst(w, s, d) == "weighted"
            ).items()
        },
    ),
    PrintedConclusion(
        "All models except the weighted model give nearly the same estimates in SRS and PSS samples "
        "(τ₂ within a tenth).",
        lambda m: _cases(
            m.scenarios,
            ("srs", "proportional"),
            [""],
            lambda s, d, _: bool(
                np.ptp([m.off("tau2", s, d, model) for model in MODELS[:3]])
                <= 0.1 * (m.truth("tau2", s, d) + abs(m.off("tau2", s, d, "standard")))
            ),
        ),
    ),
    PrintedConclusion(
        "The models underestimate τ₂ in scenarios 1 and 3 in simple random and proportional samples (SRS, PSS).",
        lambda m: _cases(
            ("1", "3"), ("srs", "proportional"), MODELS, lambda s, d, k: m.off("tau2", s, d, k) < 0
        ),
    ),
    PrintedConclusion(
        "All models except the weighted model overestimate τ₂ in scenario 2 in SRS and PSS samples.",
        lambda m: (
            _cases(("2",), ("srs", "proportional"), MODELS[:3], lambda s, d, k: m.off("tau2", s, d, k) > 0)
            | _cases(
                ("2",), ("srs", "proportional"), ["weighted"], lambda s, d, k: m.off("tau2", s, d, k) < 0
            )
        ),
    ),
    PrintedConclusion(
        "In samples with equal allocation (ESS), the standard and Clogg–Eliason models estimate τ₂ within 15 %.",
        lambda m: _cases(
            m.scenarios,
            ("equal",),
            MODELS[:2],
            lambda s, d, k: abs(m.off("tau2", s, d, k)) <= 0.15 * m.truth("tau2", s, d),
        ),
    ),
    PrintedConclusion(
        "In samples with oversampling (POV), every model overestimates both τ₁ and τ₂.",
        lambda m: {
            f"{case}, {label}": holds
            for which, label in (("tau1", "τ₁"), ("tau2", "τ₂"))
            for case, holds in _cases(
                m.scenarios, ("oversampling",), MODELS, lambda s, d, k, w=which: m.off(w, s, d, k) > 0
            ).items()
        },
    ),
    PrintedConclusion(
        "In samples with oversampling (POV), the pseudo maximum likelihood model gives the worst estimates.",
        lambda m: {
            f"{case}, {label}": holds
            for which, label in (("tau1", "τ₁"), ("tau2", "τ₂"))
            for case, holds in _cases(
                m.scenarios,
                ("oversampling",),
                [""],
                lambda s, d, _, w=which: m.worst(w, s, d) == "pseudo-likelihood",
            ).items()
        },
    ),
)


def compare(results: pd.DataFrame, scaling: str = "formula") -> list[tuple[str, dict[str, bool]]]:
    """Return each conclusion with its cases, and whether it holds there on average over the samples.

    The results have one choice of cells.
    """
    means = _Means(results, scaling)
    return [(conclusion.text, conclusion.check(means)) for conclusion in CONCLUSIONS]


def report(results: pd.DataFrame, population: pd.DataFrame) -> str:
    """Return the comparison of the results with Totter's figures, as Markdown."""
    runs = results.groupby(["scenario", "cells", "design"]).size()
    lines = [
        "# Totter's study, repeated",
        "",
        f"Each design has {int(runs.min())} samples. The population is synthetic: it has the household sizes and"
        " regions of Totter's population, and its other variables are similar in kind.",
        "",
        "Every model is fitted twice. *Occurring* means the choice of Totter (2014): the model has the keys that occur"
        " in the population, and age and household size are numbers. *Crossing* means all combinations of the observed"
        " categories, and age has a category per year. A data holder who has only the sample does not know which keys"
        " occur.",
        "",
        "## Result",
        "",
        *_summary(results),
        "",
        "## Population",
        "",
        _table(["scenario", "variable", "Totter", "here"], population.astype(str).to_numpy().tolist()),
        "",
        "## Means over the samples",
        "",
        "Totter (2014, Table 16) reports the estimate τ̂₂ = 4.48 for 1,564 sample uniques under the standard log-linear"
        " model. Only λ = μ/π can give this value. `results.csv` also contains the estimates for λ = μ, which sdcMicro"
        " uses.",
        "",
    ]
    for which, sign in (("tau1", "τ₁"), ("tau2", "τ₂")):
        lines += [f"### {sign}", "", _means(results, which, sign), ""]
    lines += ["## Totter's conclusions", "", _conclusions(results), ""]
    for cells in CELLS[::-1]:
        lines += _exceptions(results, cells)
    return "\n".join(lines)


def _of(results: pd.DataFrame, cells: str) -> pd.DataFrame:
    return results[results["cells"] == cells]


def _summary(results: pd.DataFrame) -> list[str]:
    """Return the number of parameters and of conclusions that hold, for each choice of cells."""
    rows = []
    for cells in CELLS[::-1]:
        chosen = _of(results, cells)
        size = chosen.groupby("scenario")["parameters"].mean()
        cases = [list(held.values()) for _, held in compare(chosen)]
        total = sum(map(len, cases))
        rows.append(
            [cells, " / ".join(f"{mean:,.0f}" for mean in size), f"{sum(map(sum, cases))} of {total}"]
        )
    heads = [
        "cells",
        "parameters in scenarios 1 / 2 / 3",
        "cases in which Totter's conclusions hold, λ = μ/π",
    ]
    return [_table(heads, rows)]


def _means(results: pd.DataFrame, which: str, sign: str) -> str:
    """Return a table of the true value and the estimates of both choices of cells, for λ = μ/π."""
    rows = []
    for (scenario, design), group in results.groupby(["scenario", "design"]):
        truth = _of(group, "crossing")
        row = [
            str(scenario),
            _NAMES[str(design)],
            f"{truth['uniques'].mean():.0f}",
            f"{truth[which].mean():.1f}",
        ]
        for cells in CELLS[::-1]:
            chosen = _of(group, cells)
            row += [f"{chosen[f'{model} formula {which}'].mean():.1f}" for model in MODELS]
        rows.append(row)
    heads = ["scenario", "design", "sample uniques", f"true {sign}"]
    heads += [f"{_NAMES[model]}, {cells}" for cells in CELLS[::-1] for model in MODELS]
    return _table(heads, rows)


def _conclusions(results: pd.DataFrame) -> str:
    """Return a table of the conclusions, for each choice of cells and each scaling."""
    fits = [(cells, scaling) for scaling in SCALINGS for cells in CELLS[::-1]]
    verdicts = [compare(_of(results, cells), scaling) for cells, scaling in fits]
    rows = [
        [conclusion.text, *(_verdict(fit[number][1]) for fit in verdicts)]
        for number, conclusion in enumerate(CONCLUSIONS)
    ]
    rates = {"formula": "λ = μ/π", "sdcmicro": "λ = μ, as sdcMicro"}
    return _table(["conclusion", *(f"{cells}, {rates[scaling]}" for cells, scaling in fits)], rows)


def _exceptions(results: pd.DataFrame, cells: str) -> list[str]:
    """Return the exceptions of conclusions that hold in part, and how the fits ended."""
    chosen = _of(results, cells)
    lines = [
        f"### Exceptions with {cells} cells",
        "",
        "The conclusions do not hold in these cases with λ = μ/π:",
        "",
    ]
    for text, here in compare(chosen):
        failed = [case for case, holds in here.items() if not holds]
        if failed and len(failed) < len(here):
            lines.append(f"- {text} Exceptions: {'; '.join(failed)}.")
    settled = [f"{_NAMES[model]} {chosen[f'{model} converged'].mean():.0%}" for model in MODELS]
    exists = chosen["standard exists"].astype(str).eq("True").mean()
    return [
        *lines,
        "",
        f"The maximum likelihood estimate exists in {exists:.0%} of the fits. In the other fits, the model "
        f"has combinations that no sampled record has, and the fit is a limit. Share of fits that converged:"
        f" {', '.join(settled)}.",
        "",
    ]


def _verdict(cases: dict[str, bool]) -> str:
    held = sum(cases.values())
    if held == len(cases):
        word = "holds"
    elif held:
        word = "holds in some cases"
    else:
        word = "does not hold"
    return f"{word} ({held} of {len(cases)} cases)"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
