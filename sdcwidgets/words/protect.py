"""What protection did to a table, in words: each number with its formula, the decision, and why two formulas differ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sdcwidgets.core import information
from sdcwidgets.core.risk import population
from sdcwidgets.pipeline import STEPS, Thresholds
from sdcwidgets.replications import Estimate
from sdcwidgets.studies.protect import Protected
from sdcwidgets.words import Line, Measure, Piece, explain

__all__ = ["after_formula", "notice_after", "rows", "steps", "why_two"]

#: The two formulas of the second term after protection, by variant.
PRINTED = {"information": "thesis (3.6.6)", "uncertainty": "PSD 2014 (5)"}


def after_formula(result: Protected) -> Line:
    """Return expected R2 of the table on one line, as the weighted sum of its expected terms."""
    weights = result.before.settings.weights
    terms = result.after.whole.terms[result.before.settings.variant].mean[0]
    pieces: Line = [Piece("R₂ = ")]
    for k, role in enumerate(("zeros", "unevenness", "size")):
        pieces += [Piece(f"{weights[k]:.3g} · {terms[k]:.4f}", role), Piece(" + " if k < 2 else "")]
    return [*pieces, Piece(f" = {result.risk:.4f}")]


def rows(result: Protected) -> list[Measure]:
    """Return every number about the whole table, the most important first."""
    before, after = result.before, result.after
    chosen = before.settings.variant
    other = "uncertainty" if chosen == "information" else "information"
    whole = after.whole
    people = int(before.whole.people[0])
    found = [
        Measure("Risk before, R₁", f"{before.whole.r1[0]:.4f}", "", lambda: explain(before, before.whole)),
        _row("Risk left, R₂", whole.r2[chosen], 4, lambda: _explain_risk(result, chosen), strong=True),
        _row(f"… as {PRINTED[other]} prints it", whole.r2[other], 4, lambda: _explain_risk(result, other)),
        _row("Weight-free risk left, R₂*", whole.r2_star[chosen], 4, lambda: _explain_star(result, chosen)),
        _row("Information lost, HD", whole.hellinger, 2, lambda: _explain_loss(result)),
        _row(
            "Utility, 1 − HD/√N", whole.utility, 4, lambda: _said(f"HD = {result.loss:.4f}, N = {people:,}")
        ),
        _row("Ones and twos changed", after.small_changed, 3, lambda: _said(_CHANGED)),
        _row("True among published ones and twos, DR", after.small_ratio, 3, lambda: _said(*_RATIO)),
    ]
    for axis, shares in after.disclosed.items():
        kind = f"slices of {axis}"
        told = {"GAD*": (shares.gad_star, shares.gad_cases), "WGAD*": (shares.wgad_star, shares.wgad_cases)}
        if shares.gad is not None and shares.wgad is not None:
            told |= {"GAD": (shares.gad, shares.gad_cases), "WGAD": (shares.wgad, shares.wgad_cases)}
        for name, (share, cases) in told.items():
            lines = _said(_DISCLOSED[name.rstrip("*")], _SAME["*" in name], _cases(cases, kind))
            found.append(_row(f"{name}, {kind}", share, 3, lambda lines=lines: lines))  # type: ignore[misc]
    return found


def notice_after(result: Protected, thresholds: Thresholds) -> str:
    """Return the decision on this protected table, and the step of the data protector where it falls."""
    step, words = result.decided(thresholds)
    return f"Step {step} of 15. {words}"


def steps(result: Protected, thresholds: Thresholds) -> list[Line]:
    """Return the 15 steps of a data protector, the one where the decision falls marked."""
    reached, _ = result.decided(thresholds)
    return [
        [
            Piece(
                f"{'→ ' if number == reached else ''}{number}. {words}",
                "unevenness" if number == reached else "",
            )
        ]
        for number, words in enumerate(STEPS, start=1)
    ]


def why_two(result: Protected) -> list[Line]:
    """Return why two formulas of R2 are in print, and what each of them claims."""
    whole = result.after.whole
    reveals, unknown = (float(whole.r2[name].mean[0]) for name in ("information", "uncertainty"))
    return _said(
        "Both begin with the unevenness before protection, 1 − H(X)/log K, and both use H(X|Y): what the intruder "
        "still does not know about a person after seeing the published table.",
        "Thesis (3.6.6): (1 − H(X)/log K) · (1 − H(X|Y)/H(X)). It counts what the table reveals: "
        f"R₂ = {reveals:.4f}.",
        "If nothing is changed, H(X|Y) = 0 and this is the risk before. More noise lowers it. It is the default here.",
        f"PSD 2014 (5): (1 − H(X)/log K) · H(X|Y)/H(X). It counts what is still unknown: R₂ = {unknown:.4f}.",
        "If nothing is changed this is 0, and more noise raises it. "
        "Not all printed tables of PSD 2014 follow it: some of their figures fit neither formula.",
    )


def _explain_risk(result: Protected, variant: str) -> list[Line]:
    """Return how R2 of the shown draw comes about, and that the number is the mean over the draws."""
    original, published = result.before.table.counts.ravel(), result.published.counts.ravel()
    settings, whole = result.before.settings, result.before.whole
    cells = original.size
    empty, left = original == 0, published == 0
    both, either = int((empty & left).sum()), int((empty | left).sum())
    terms = population.terms_after(
        original, published, variant=variant, third=settings.third, epsilon=settings.epsilon
    )
    entropy = information.entropy(original)
    unknown = information.conditional_entropy(original, published) if published.any() else float("nan")
    share = "(1 − H(X|Y)/H(X))" if variant == "information" else "H(X|Y)/H(X)"
    weighted = float(terms @ np.asarray(settings.weights))
    estimate = result.after.whole.r2[variant]
    return [
        [Piece("One draw first, the one that is shown:")],
        [
            Piece(
                f"{int(empty.sum())} cells are empty before, {int(left.sum())} after, "
                f"{both} in both, {either} in either."
            )
        ],
        [Piece(f"Zeros: ({int(empty.sum())}/{cells})^({either}/{both}) = {terms[0]:.4f}", "zeros")],
        [Piece(f"Entropy H(X) = {entropy:.4f}; still unknown H(X|Y) = {unknown:.4f}")],
        [Piece(f"Unevenness: {whole.terms[0, 1]:.4f} · {share} = {terms[1]:.4f}", "unevenness")],
        [Piece(f"Small size, as before: {terms[2]:.4f}", "size")],
        [
            Piece("R₂ of this draw = "),
            Piece(" + ".join(f"{w:.3g} · {x:.4f}" for w, x in zip(settings.weights, terms, strict=True))),
            Piece(f" = {weighted:.4f}"),
        ],
        *_said(_mean_of(result, estimate)),
    ]


def _explain_star(result: Protected, variant: str) -> list[Line]:
    terms = result.after.whole.terms[variant].mean[0]
    squares = " + ".join(f"{x:.4f}²" for x in terms)
    return _said(
        "R₂* = √((y₁² + y₂² + y₃²)/3), for each draw by itself.",
        f"With the mean terms, √(({squares})/3) = {np.sqrt((terms**2).sum() / 3):.4f}.",
        _mean_of(result, result.after.whole.r2_star[variant]),
    )


def _explain_loss(result: Protected) -> list[Line]:
    original, published = result.before.table.counts, result.published.counts
    return _said(
        "HD(F, G) = √(Σ (√F − √G)² / 2)",
        f"In the draw that is shown: {information.hellinger(original, published):.4f}.",
        _mean_of(result, result.after.whole.hellinger),
    )


def _mean_of(result: Protected, estimate: Estimate) -> str:
    if result.after.size == 1:
        return "There is one draw; with more, the number is their mean."
    mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
    return f"Mean over {result.after.size:,} draws: {mean:.4f}, standard error {_short(error)}."


def _row(
    name: str, estimate: Estimate, digits: int, lines: Callable[[], list[Line]], *, strong: bool = False
) -> Measure:
    mean, error = float(estimate.mean.flat[0]), float(estimate.error.flat[0])
    value = "–" if np.isnan(mean) else f"{mean:.{digits}f}"
    return Measure(name, value, "" if np.isnan(error) or error == 0 else _short(error), lines, strong)


def _short(error: float) -> str:
    """Return one digit that matters, without an exponent."""
    return np.format_float_positional(float(f"{error:.1g}"), trim="-")


def _said(*sentences: str) -> list[Line]:
    return [[Piece(sentence)] for sentence in sentences]


def _cases(cases: int, kind: str) -> str:
    return (
        f"There is no such slice among the {kind}, so 0 is shown."
        if cases == 0
        else f"There are {cases} of them."
    )


_CHANGED = "The share of cells of one or two people that are published as another count."
_RATIO = (
    "DR = (|D₁∩E₁| + |D₂∩E₂|)/|E₁∪E₂|: of the published ones and twos, how many are true ones and twos.",
    "D₁ and D₂ are the cells of 1 and 2 before protection, E₁ and E₂ those after it. Without any, 0 is shown.",
)
_DISCLOSED = {
    "GAD": "Group attribute disclosure: of the slices with all people in one cell, the share that still shows it.",
    "WGAD": "Within-group disclosure: of the slices with two cells, one of them a 1, the share that still shows it.",
}
_SAME = {True: "Only the counts are compared.", False: "The same people must be in the cells as well."}
