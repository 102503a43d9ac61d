"""Entropy-based disclosure risk of a table before and after protection, with and without weights."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import ROLES, Line, Piece, text_lines
from sdcwidgets._util.parameters import Choices, Help, Label, Range, Shares
from sdcwidgets.core.risk import population
from sdcwidgets.core.risk.population import After
from sdcwidgets.measures.base import NOTE, Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.tables.table import FrequencyTable

#: References of the two published versions of the second term after protection.
PRINTED = {"information": "thesis (3.6.6)", "uncertainty": "PSD 2014 (5)"}

#: Versions of the second term after protection: the published ones, and (3.6.6) with the channel of the method.
VERSIONS = PRINTED | {"followed": "people followed, thesis 3.6.5"}

Weights = Annotated[
    tuple[float, ...],
    Shares(("Zeros w₁", "Unevenness w₂", "Small size w₃")),
    Label("Weights"),
    Help("Weights of the three terms of the disclosure risk. The weights sum to 1."),
]
Third = Annotated[
    str,
    Choices({"h1": "h₁", "h2": "h₂", "h3": "h₃"}),
    Label("Third term"),
    Help(
        "Function that measures small size. h₁ decreases fastest with the number of people, h₂ slowly, and "
        "h₃ depends on the count of each cell."
    ),
]
Epsilon = Annotated[
    float,
    Range(0, 1, 0.05),
    Label("Exponent of table size (ε)"),
    Help(
        "Exponent that sets how fast the third term decreases with the number of people. 0: the number has "
        "no effect."
    ),
]
Variant = Annotated[
    str,
    Choices(VERSIONS),
    Label("Second term after protection"),
    Help(
        "Formula of the second term after protection: information that an intruder gains, or uncertainty that "
        "remains. People followed: the information that remains if people move with the probabilities of record "
        "swapping or PRAM. For other methods, it is the information of thesis (3.6.6)."
    ),
]

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DEFINITIONS = {
    "h1": "h₁(N, ε) = N^(−ε)",
    "h2": "h₂(N, ε) = −N^(−ε) · log(e⁻¹ · N^(−ε))",
    "h3": "h₃(F, ε) = mean over F > 0 of −F^(−ε) · log(e⁻¹ · F^(−ε))",
}
_EMPTY = "the table has no people"


class _Before(Measure):
    """Base class of measures of the original counts alone."""

    third: str
    epsilon: float

    order: ClassVar[float] = 10
    direction: ClassVar[Direction] = "risk"
    needs: ClassVar[tuple[Need, ...]] = ("before",)
    suppression_note: ClassVar[str] = "The measure uses the original counts, which have no suppressed cells."
    nothing: ClassVar[str] = "no people, or only one cell in the table"
    usual: ClassVar[bool] = True

    def terms(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return x1, x2 and x3 of each slice, shape (slices, 3)."""
        return batch.terms(axis, self.third, self.epsilon)


@register
@dataclass(frozen=True)
class R1(_Before):
    """Disclosure risk before protection: the weighted sum of zeros, unevenness and small size.

    References
    ----------
    PSD 2014, (3); thesis, (3.5.2).
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5

    label = "Disclosure risk before protection"
    symbol = "R₁"
    source = "Antal, Shlomo and Elliot 2014 (PSD 2014), equation (3); Antal 2016, equation (3.5.2)"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return w · x of each slice, as one replicate."""
        values: Floats = (self.terms(batch, axis) @ np.asarray(self.weights))[np.newaxis]
        return values

    def formula(self, batch: Batch) -> Line:
        """Return the formula of R1 for the whole table with its numbers, on one line."""
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
        """Return each term, and their weighted sum."""
        steps = _terms_told(self, batch)
        return steps if len(steps) == 1 else [*steps, self.formula(batch)]


@register
@dataclass(frozen=True)
class R1Star(_Before):
    """Disclosure risk before protection without weights: the scaled length of the vector of terms.

    References
    ----------
    Thesis, (3.5.4).
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5

    label = "Unweighted disclosure risk before protection"
    symbol = "R₁*"
    source = "Antal 2016, equation (3.5.4)"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖x‖ / √3 of each slice, as one replicate."""
        values: Floats = np.sqrt((self.terms(batch, axis) ** 2).sum(axis=1) / 3)[np.newaxis]
        return values

    def formula(self, batch: Batch) -> Line:
        """Return the formula of R1* for the whole table with its numbers, on one line."""
        squares = self.terms(batch)[0] ** 2
        return [
            Piece(
                f"Unweighted: R₁* = √((x₁² + x₂² + x₃²)/3) = √(({' + '.join(f'{term:.4f}' for term in squares)})/3)"
                f" = {float(np.sqrt(squares.sum() / 3)):.4f}"
            )
        ]

    def explain(self, batch: Batch) -> list[Line]:
        """Return each term, and the length of the vector of terms."""
        steps = _terms_told(self, batch)
        return steps if len(steps) == 1 else [*steps, self.formula(batch)]


def _on_unknown_counts(table: FrequencyTable) -> list[Line]:
    """Return a line on unknown counts, which the formulas contain as empty cells; no line without such counts."""
    if not table.unknown_cells:
        return []
    verb = "is an unknown count" if table.unknown_cells == 1 else "are unknown counts"
    return text_lines(
        f"{table.unknown_cells:,} of these empty cells {verb}. The formula uses 0 in place of an unknown count."
    )


def _terms_told(measure: _Before, batch: Batch) -> list[Line]:
    """Return the steps to the three terms before protection, or one line with the reason if undefined."""
    zeros, unevenness, size = (float(term) for term in measure.terms(batch)[0])
    count, cells = batch.table.total, batch.table.cells
    if np.isnan(zeros):
        return text_lines(
            f"The risk is undefined: {'the table has only one cell' if cells == 1 else _EMPTY}."
        )
    empty, most = int((batch.table.counts == 0).sum()), float(np.log(cells))
    entropy, third = (1 - unevenness) * most, measure.third
    argument = "F" if third == "h3" else f"{count:,}"
    people = "1 person" if count == 1 else f"{count:,} people"
    return [
        [Piece(f"K = {cells} cells, N = {people}, |D| = {empty} empty cells")],
        *_on_unknown_counts(batch.table),
        [Piece(f"Zeros: x₁ = |D|/K = {empty}/{cells} = {zeros:.4f}", ROLES[0])],
        [Piece(f"Entropy: H = (N log N − Σ F log F)/N = {entropy:.4f}; the maximum is log K = {most:.4f}")],
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
    """Base class of measures of residual disclosure risk."""

    variant: str
    third: str
    epsilon: float

    order: ClassVar[float] = 10
    direction: ClassVar[Direction] = "risk"
    suppression_note: ClassVar[str] = (
        f"{NOTE} Antal 2016, section 6.2, objects that R₂ is made for changed cells, not for suppressed "
        f"cells."
    )
    nothing: ClassVar[str] = "no people, or only one cell"
    usual: ClassVar[bool] = True

    def particulars(self) -> list[str]:
        """Return the reference of the second term if it is not the default version."""
        return [] if self.variant == "information" else [f"second term by {VERSIONS[self.variant]}"]

    @classmethod
    def lines(cls, table: FrequencyTable, settings: object) -> tuple[Measure, ...]:
        """Return the published versions, the version of the settings first; each is a measure with its own name."""
        if cls.version_of:
            return (cls.of(settings),)
        information, uncertainty, followed = cls.versions()
        variant = getattr(settings, "variant", "information")
        if variant == "uncertainty":
            versions = [uncertainty, information]
        elif variant == "followed":
            versions = [followed, information, uncertainty]
        else:
            versions = [information, uncertainty]
        return tuple([version.of(settings) for version in versions])

    @classmethod
    @abstractmethod
    def versions(cls) -> tuple[type[Measure], type[Measure], type[Measure]]:
        """Return the measures with the second term of the thesis, of PSD 2014, and with people followed."""


class _Weighted(_After):
    """Base class of both versions of R2."""

    weights: tuple[float, ...]

    @classmethod
    def versions(cls) -> tuple[type[Measure], type[Measure], type[Measure]]:
        """Return R2 with the second term of the thesis, of PSD 2014, and with people followed."""
        return R2, R2Uncertainty, R2Followed

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return w · y of each slice in each replicate."""
        after, variant = _after_with(self, batch, axis)
        return after.r2(self.weights, variant)

    def before(self, table: FrequencyTable) -> float:
        """Return R1."""
        return R1.of(self).before(table)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the terms of one replicate, and their weighted sum."""
        y = _term_values(self, batch)
        weighted = float(y @ np.asarray(self.weights))
        return [
            *_terms_after_told(self, batch),
            [
                Piece("R₂ of this replicate = "),
                Piece(" + ".join(f"{w:.3g} · {term:.4f}" for w, term in zip(self.weights, y, strict=True))),
                Piece(f" = {weighted:.4f}"),
            ],
        ]


class _Unweighted(_After):
    """Base class of both versions of R2*."""

    @classmethod
    def versions(cls) -> tuple[type[Measure], type[Measure], type[Measure]]:
        """Return R2* with the second term of the thesis, of PSD 2014, and with people followed."""
        return R2Star, R2StarUncertainty, R2StarFollowed

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return ‖y‖ / √3 of each slice in each replicate."""
        after, variant = _after_with(self, batch, axis)
        return after.r2_star(variant)

    def before(self, table: FrequencyTable) -> float:
        """Return R1*."""
        return R1Star.of(self).before(table)

    def explain(self, batch: Batch) -> list[Line]:
        """Return the terms of one replicate, and the length of the vector of terms."""
        y = _term_values(self, batch)
        squares = " + ".join(f"{term:.4f}²" for term in y)
        total = float(np.sqrt((y**2).sum() / 3))
        return [
            *_terms_after_told(self, batch),
            [Piece(f"R₂* of this replicate = √((y₁² + y₂² + y₃²)/3) = √(({squares})/3) = {total:.4f}")],
        ]


@dataclass(frozen=True)
class ResidualTerm(Measure):
    """One weighted term of R2, for charts; the sum of the three terms is R2."""

    position: int = 0
    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"

    direction: ClassVar[Direction] = "risk"

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the weighted term of each slice in each replicate."""
        after, variant = _after_with(self, batch, axis)
        terms = after.terms(variant)
        weighted: Floats = self.weights[self.position] * terms[..., self.position]
        return weighted


@register
@dataclass(frozen=True)
class R2(_Weighted):
    """Residual disclosure risk after protection: information in zeros and in the distribution over cells.

    References
    ----------
    Thesis, (3.6.6).
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "information"
    label = "Residual disclosure risk"
    symbol = "R₂"
    source = "Antal 2016, equation (3.6.6)"


@register
@dataclass(frozen=True)
class R2Uncertainty(_Weighted):
    """Residual disclosure risk with the second term of PSD 2014, which grows with the uncertainty of a data user.

    References
    ----------
    PSD 2014, (5).
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "uncertainty"
    version_of = "r2"
    label = "Residual disclosure risk"
    symbol = "R₂"
    source = "Antal, Shlomo and Elliot 2014 (PSD 2014), equation (5)"


@register
@dataclass(frozen=True)
class R2Followed(_Weighted):
    """Residual disclosure risk if the people of record swapping or PRAM are followed to their published cells.

    The second term is (3.6.6) with the probabilities with which the method moves people, instead of the closest
    table. For methods without such probabilities, it equals `R2`.

    References
    ----------
    Thesis, section 3.6.5.
    """

    weights: Weights = population.DEFAULT_WEIGHTS
    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "followed"
    version_of = "r2"
    usual: ClassVar[bool] = False
    label = "Residual disclosure risk"
    symbol = "R₂"
    source = "Antal 2016, section 3.6.5"


@register
@dataclass(frozen=True)
class R2Star(_Unweighted):
    """Residual disclosure risk without weights: the scaled length of the vector of terms.

    References
    ----------
    Thesis, section 3.6.4.
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "information"
    label = "Unweighted residual disclosure risk"
    symbol = "R₂*"
    source = "Antal 2016, section 3.6.4"


@register
@dataclass(frozen=True)
class R2StarUncertainty(_Unweighted):
    """Residual disclosure risk without weights, with the second term of PSD 2014.

    References
    ----------
    PSD 2014, (5).
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "uncertainty"
    version_of = "r2_star"
    label = "Unweighted residual disclosure risk"
    symbol = "R₂*"
    source = "Antal, Shlomo and Elliot 2014 (PSD 2014), equation (5)"


@register
@dataclass(frozen=True)
class R2StarFollowed(_Unweighted):
    """Residual disclosure risk without weights, with people followed as in `R2Followed`.

    References
    ----------
    Thesis, sections 3.6.4 and 3.6.5.
    """

    third: Third = "h2"
    epsilon: Epsilon = 0.5

    variant = "followed"
    version_of = "r2_star"
    usual: ClassVar[bool] = False
    label = "Unweighted residual disclosure risk"
    symbol = "R₂*"
    source = "Antal 2016, section 3.6.5"


def published_version(variant: str) -> str:
    """Return the published version of the second term that methods without people to follow use."""
    return "information" if variant == "followed" else variant


def _after_with(measure: Any, batch: Batch, axis: int | None) -> tuple[After, str]:
    """Return the terms after protection, and the version of the second term to read from them."""
    after = batch.after(axis, measure.third, measure.epsilon)
    disclosed = batch.disclosed_of_followed(axis) if measure.variant == "followed" else None
    if disclosed is not None:
        unevenness = batch.terms(axis, measure.third, measure.epsilon)[:, 1]
        after = after._replace(information=np.broadcast_to(unevenness * disclosed, after.zeros.shape))
    return after, published_version(measure.variant)


def _term_values(measure: Any, batch: Batch) -> Floats:
    """Return y1, y2, y3 of the whole table in the first replicate."""
    after, variant = _after_with(measure, batch, None)
    terms = after.terms(variant)
    values: Floats = terms[0, 0]
    return values


def _terms_after_told(measure: Any, batch: Batch) -> list[Line]:
    """Return the steps to the three terms after protection in one replicate."""
    after = batch.after(None, measure.third, measure.epsilon)
    y1, y2, y3 = _term_values(measure, batch)
    if np.isnan(y1):
        return text_lines(
            f"The risk is undefined: {_EMPTY if batch.table.cells > 1 else 'the table has only one cell'}."
        )
    F, G = batch.table.counts, batch.filled[0]
    empty, empty_after, cells = F == 0, G == 0, batch.table.cells
    both, either = int((empty & empty_after).sum()), int((empty | empty_after).sum())
    entropy, unknown = float(after.entropy[0, 0]), float(after.entropy_left[0, 0])
    x2 = 1 - entropy / float(np.log(cells))
    lines = [
        [
            Piece(
                f"Number of empty cells: {int(empty.sum())} before protection, {int(empty_after.sum())} "
                f"after, {both} in both tables, {either} in at least one table."
            )
        ],
        *_on_unknown_counts(batch.table),
        [
            Piece(
                f"Zeros: ({int(empty.sum())}/{cells})^({either}/{both}) = {y1:.4f}"
                if both
                else "Zeros: no cell is zero before and after protection, so the term is 0.",
                ROLES[0],
            )
        ],
    ]
    disclosed = batch.disclosed_of_followed(None) if measure.variant == "followed" else None
    if disclosed is not None:
        remaining = (1 - float(disclosed[0])) * entropy
        lines += text_lines(
            f"Entropy H(X) = {entropy:.4f}; remaining uncertainty H(X|Y) = {remaining:.4f} if the method moves people "
            "with its own probabilities."
        )
        lines.append([Piece(f"Unevenness: {x2:.4f} · (1 − H(X|Y)/H(X)) = {y2:.4f}", ROLES[1])])
    elif np.isnan(unknown):
        lines += text_lines(
            "The published table has no people, so H(X|Y) is undefined and the second term is 0."
        )
    elif entropy == 0:
        lines += text_lines(
            "All people are in one cell, so H(X) = 0 and H(X|Y)/H(X) is 0/0. "
            + (
                f"The published counts are proportional to the original counts, so the second term is "
                f"unchanged: {y2:.4f}."
                if y2 > 0
                else "The second term is set to 0."
            )
        )
    else:
        share = "H(X|Y)/H(X)" if measure.variant == "uncertainty" else "(1 − H(X|Y)/H(X))"
        lines += text_lines(f"Entropy H(X) = {entropy:.4f}; remaining uncertainty H(X|Y) = {unknown:.4f}")
        lines.append([Piece(f"Unevenness: {x2:.4f} · {share} = {y2:.4f}", ROLES[1])])
    return [*lines, [Piece(f"Small size, a term that protection does not change: {y3:.4f}", ROLES[2])]]
