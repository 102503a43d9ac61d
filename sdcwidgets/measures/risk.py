"""The entropy based risk of a table, before and after protection, weighted and without weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.lines import ROLES, Line, Piece, text_lines
from sdcwidgets._util.parameters import Choices, Help, Label, Range, Shares
from sdcwidgets.core.risk import population
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

#: The two formulas of the second term after protection, by variant.
PRINTED = {"information": "thesis (3.6.6)", "uncertainty": "PSD 2014 (5)"}

Weights = Annotated[
    tuple[float, ...],
    Shares(("Zeros w₁", "Unevenness w₂", "Small size w₃")),
    Label("Weights"),
    Help("How much each of the three terms counts; they sum to 1."),
]
Third = Annotated[
    str,
    Choices({"h1": "h₁", "h2": "h₂", "h3": "h₃"}),
    Label("Small size measured by"),
    Help("The function of the third term: h₁ falls fastest with size, h₂ slowly, h₃ looks at each cell."),
]
Epsilon = Annotated[
    float, Range(0, 1, 0.05), Label("ε"), Help("How fast a larger table counts as safer; 0: not at all.")
]
Variant = Annotated[
    str,
    Choices(PRINTED),
    Label("Second term after protection"),
    Help("Two formulas are in print: what the intruder has learned, or what is still unknown."),
]

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DEFINITIONS = {
    "h1": "h₁(N, ε) = N^(−ε)",
    "h2": "h₂(N, ε) = −N^(−ε) · log(e⁻¹ · N^(−ε))",
    "h3": "h₃(F, ε) = mean over F > 0 of −F^(−ε) · log(e⁻¹ · F^(−ε))",
}
_EMPTY = "nobody is counted there"


class _Before(Measure):
    """A measure of the true counts alone."""

    third: str
    epsilon: float

    order: ClassVar[float] = 10
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("before",)
    gaps: ClassVar[str] = "It is a measure of the true counts, which have no gaps."
    nothing: ClassVar[str] = "nobody there, or one cell only"
    usual: ClassVar[bool] = True

    def terms(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return x1, x2 and x3 of each slice, shape (slices, 3)."""
        return batch.terms(axis, self.third, self.epsilon)


@register
@dataclass(frozen=True)
class R1(_Before):
    """Disclosure risk before protection, the weighted sum of zeros, unevenness and small size.

    References
    ----------
    PSD 2014, (3); thesis, (3.5.2).
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5

    label = "Risk before"
    symbol = "R₁"
    source = "PSD 2014, (3); thesis, (3.5.2)"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return w · x of each slice, as one draw."""
        values: Floats = (self.terms(batch, axis) @ np.asarray(self.weights))[np.newaxis]
        return values

    def formula(self, batch: Batch) -> Line:
        """Return R1 of the whole table on one line, with its numbers put in."""
        terms, cells = self.terms(batch)[0], batch.table.cells
        w1, w2, w3 = self.weights
        entropy = (1 - terms[1]) * np.log(cells)
        empty = int((batch.table.counts == 0).sum())
        return [
            Piece("R₁ = "),
            Piece(f"{w1:.3g} · {empty}/{cells}", ROLES[0]),
            Piece(" + "),
            Piece(f"{w2:.3g} · (1 − {entropy:.3f}/log {cells})", ROLES[1]),
            Piece(" + "),
            Piece(f"{w3:.3g} · {terms[2]:.3f}", ROLES[2]),
            Piece(f" = {float(terms @ np.asarray(self.weights)):.4f}"),
        ]

    def explain(self, batch: Batch) -> list[Line]:
        """Return each term, and how the weights put them together."""
        steps = _terms_told(self, batch)
        return steps if len(steps) == 1 else [*steps, self.formula(batch)]


@register
@dataclass(frozen=True)
class R1Star(_Before):
    """Disclosure risk before protection without weights: the length of the three terms.

    References
    ----------
    Thesis, (3.5.4).
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5

    label = "Risk before without weights"
    symbol = "R₁*"
    source = "thesis, (3.5.4)"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖x‖ / √3 of each slice, as one draw."""
        values: Floats = np.sqrt((self.terms(batch, axis) ** 2).sum(axis=1) / 3)[np.newaxis]
        return values

    def formula(self, batch: Batch) -> Line:
        """Return R1* of the whole table on one line."""
        squares = self.terms(batch)[0] ** 2
        return [
            Piece(
                f"Weight-free: R₁* = √((x₁² + x₂² + x₃²)/3) = √(({' + '.join(f'{x:.4f}' for x in squares)})/3)"
                f" = {float(np.sqrt(squares.sum() / 3)):.4f}"
            )
        ]

    def explain(self, batch: Batch) -> list[Line]:
        """Return each term, and the length that they make."""
        steps = _terms_told(self, batch)
        return steps if len(steps) == 1 else [*steps, self.formula(batch)]


def _terms_told(measure: _Before, batch: Batch) -> list[Line]:
    """Return how the three terms before protection come about, or one line that says why there are none."""
    zeros, unevenness, size = (float(x) for x in measure.terms(batch)[0])
    count, cells = batch.table.total, batch.table.cells
    if np.isnan(zeros):
        return text_lines(f"There is no risk to measure: {'it has only one cell' if cells == 1 else _EMPTY}.")
    empty, most = int((batch.table.counts == 0).sum()), float(np.log(cells))
    entropy, third = (1 - unevenness) * most, measure.third
    argument = "F" if third == "h3" else f"{count:,}"
    people = "1 person" if count == 1 else f"{count:,} people"
    return [
        [Piece(f"K = {cells} cells, N = {people}, |D| = {empty} empty cells")],
        [Piece(f"Zeros: x₁ = |D|/K = {empty}/{cells} = {zeros:.4f}", ROLES[0])],
        [Piece(f"Entropy: H = (N log N − Σ F log F)/N = {entropy:.4f}; at most log K = {most:.4f}")],
        [
            Piece(
                f"Unevenness: x₂ = 1 − H/log K = 1 − {entropy:.4f}/{most:.4f} = {unevenness:.4f}",
                ROLES[1],
            )
        ],
        [Piece(_DEFINITIONS[third])],
        [
            Piece(
                f"Small size: x₃ = {third.translate(_SUBSCRIPTS)}({argument}, {measure.epsilon:g}) = {size:.4f}",
                ROLES[2],
            )
        ],
    ]


class _After(Measure):
    """A measure of what protection leaves of the risk."""

    variant: str
    third: str
    epsilon: float

    order: ClassVar[float] = 10
    direction: ClassVar[Direction] = "risk"
    gaps: ClassVar[str] = (
        "A gap is no published zero; it counts as the mean of all counts that are hidden, as a reader would fill it."
    )
    nothing: ClassVar[str] = "nobody there, or one cell only"
    usual: ClassVar[bool] = True

    def particulars(self) -> list[str]:
        """Return in which print the second term is found, for the one that is not the default."""
        return [] if self.variant == "information" else [f"as {PRINTED[self.variant]} prints it"]

    def _apart(self) -> list[str]:
        return [] if self.variant == "information" else [self.variant]

    @classmethod
    def lines(cls, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
        """Return both variants, the one of the settings first."""
        first = cls.of(settings)
        other = next(name for name in PRINTED if name != first.variant)
        return first, cls.of(settings, variant=other)


@register
@dataclass(frozen=True)
class R2(_After):
    """Disclosure risk that protection leaves: what can be trusted of the zeros, what is learned of the cells.

    References
    ----------
    Thesis, (3.6.6); PSD 2014, (5).
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"

    label = "Risk left"
    symbol = "R₂"
    source = "thesis, (3.6.6); PSD 2014, (5)"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return w · y of each slice in each draw."""
        return batch.after(axis, self.third, self.epsilon).r2(self.weights, self.variant)

    def before(self, table: FrequencyTable) -> float:
        """Return R1."""
        return R1.of(self).before(table)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the terms of one draw, and how the weights put them together."""
        y = _term_values(self, batch)
        weighted = float(y @ np.asarray(self.weights))
        return [
            *_terms_after_told(self, batch),
            [
                Piece("R₂ of this draw = "),
                Piece(" + ".join(f"{w:.3g} · {x:.4f}" for w, x in zip(self.weights, y, strict=True))),
                Piece(f" = {weighted:.4f}"),
            ],
        ]


@register
@dataclass(frozen=True)
class R2Star(_After):
    """Disclosure risk that protection leaves, without weights: the length of the three terms.

    References
    ----------
    Thesis, section 3.6.4.
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"

    label = "Risk left without weights"
    symbol = "R₂*"
    source = "thesis, section 3.6.4"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖y‖ / √3 of each slice in each draw."""
        return batch.after(axis, self.third, self.epsilon).r2_star(self.variant)

    def before(self, table: FrequencyTable) -> float:
        """Return R1*."""
        return R1Star.of(self).before(table)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the terms of one draw, and the length that they make."""
        y = _term_values(self, batch)
        squares = " + ".join(f"{x:.4f}²" for x in y)
        total = float(np.sqrt((y**2).sum() / 3))
        return [
            *_terms_after_told(self, batch),
            [Piece(f"R₂* of this draw = √((y₁² + y₂² + y₃²)/3) = √(({squares})/3) = {total:.4f}")],
        ]


def _term_values(measure: Any, batch: Batch) -> Floats:
    """Return y1, y2, y3 of the whole table in the first draw."""
    terms = batch.after(None, measure.third, measure.epsilon).terms(measure.variant)
    values: Floats = terms[0, 0]
    return values


def _terms_after_told(measure: Any, batch: Batch) -> list[Line]:
    """Return how the three terms after protection come about in one draw."""
    after = batch.after(None, measure.third, measure.epsilon)
    y1, y2, y3 = _term_values(measure, batch)
    if np.isnan(y1):
        return text_lines(
            f"There is no risk to measure: {_EMPTY if batch.table.cells > 1 else 'it has one cell'}."
        )
    F, G = batch.table.counts, batch.filled[0]
    empty, empty_after, cells = F == 0, G == 0, batch.table.cells
    both, either = int((empty & empty_after).sum()), int((empty | empty_after).sum())
    entropy, unknown = float(after.entropy[0, 0]), float(after.entropy_left[0, 0])
    x2 = 1 - entropy / float(np.log(cells))
    lines = [
        [
            Piece(
                f"{int(empty.sum())} cells are empty before, {int(empty_after.sum())} after, "
                f"{both} in both, {either} in either."
            )
        ],
        [
            Piece(
                f"Zeros: ({int(empty.sum())}/{cells})^({either}/{both}) = {y1:.4f}"
                if both
                else "Zeros: no zero of the true table is a published zero, so nothing is left of this term: 0",
                ROLES[0],
            )
        ],
    ]
    if np.isnan(unknown):
        lines += text_lines("Nobody is published, so H(X|Y) is not defined, and the second term is 0.")
    elif entropy == 0:
        lines += text_lines(
            "All people are in one cell, so H(X) = 0 and H(X|Y)/H(X) is 0/0. "
            + (
                f"What is published shows it as it is, so the term stays as before: {y2:.4f}."
                if y2 > 0
                else "The second term is set to 0."
            )
        )
    else:
        share = "(1 − H(X|Y)/H(X))" if measure.variant == "information" else "H(X|Y)/H(X)"
        lines += text_lines(f"Entropy H(X) = {entropy:.4f}; still unknown H(X|Y) = {unknown:.4f}")
        lines.append([Piece(f"Unevenness: {x2:.4f} · {share} = {y2:.4f}", ROLES[1])])
    return [*lines, [Piece(f"Small size, as before: {y3:.4f}", ROLES[2])]]
