"""Quantities of lessons: label, value, bar and formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.assessment import Assessment
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.core.information import conditional_entropy, entropy
from sdcwidgets.core.risk.population import terms, terms_after
from sdcwidgets.core.utility import absolute_distance, hellinger, relative_distance, utility
from sdcwidgets.methods import Method
from sdcwidgets.widgets.texts import ROLES, Piece, Quantity, entropy_of, formula


def _guess(result: Assessment) -> Quantity:
    largest, people = int(result.table.counts.max()), result.table.total
    share = largest / people
    words = f"number of people in the largest cell ÷ number of all people = {largest:,}/{people:,}"
    return Quantity(
        "Probability that the best guess is correct", f"{share:.4f}", ((share, ""),), [Piece(words)]
    )


def _entropy(result: Assessment) -> Quantity:
    most, entropy = float(np.log(result.table.cells)), entropy_of(result.whole_slice, 0)
    words = f"from 0 to log {result.table.cells} = {most:.4f}"
    return Quantity("Entropy H", f"{entropy:.4f}", ((entropy / most, ""),), [Piece(words)])


def _zeros(result: Assessment) -> Quantity:
    whole = result.whole_slice
    return _term(
        result, 0, "Zeros x₁", f"number of empty cells ÷ number of all cells = {whole.zeros[0]}/{whole.cells}"
    )


def _unevenness(result: Assessment) -> Quantity:
    entropy, cells = entropy_of(result.whole_slice, 0), result.whole_slice.cells
    return _term(result, 1, "Unevenness x₂", f"1 − H/log K = 1 − {entropy:.4f}/{np.log(cells):.4f}")


def _size(result: Assessment) -> Quantity:
    return _term(result, 2, "Small size x₃", f"h₂(N) for N = {int(result.whole_slice.people[0]):,}")


def _term(result: Assessment, index: int, label: str, words: str) -> Quantity:
    value, role = float(result.whole_slice.terms[0, index]), ROLES[index]
    return Quantity(label, f"{value:.4f}", ((value, role),), [Piece(words, role)])


def _risk(result: Assessment) -> Quantity:
    weighted = (result.whole_slice.terms[0] * result.settings.weights).tolist()
    parts = tuple(zip(weighted, ROLES, strict=True))
    return Quantity("Risk R₁", f"{result.whole_slice.r1[0]:.4f}", parts, formula(result, result.whole_slice))


def _weight_free(result: Assessment) -> Quantity:
    value = float(result.whole_slice.r1_star[0])
    squares = " + ".join(f"{x:.4f}²" for x in result.whole_slice.terms[0])
    return Quantity("Weight-free R₁*", f"{value:.4f}", ((value, ""),), [Piece(f"√(({squares})/3)")])


#: Quantities of a row by name.
READINGS: Mapping[str, Callable[[Assessment], Quantity]] = MappingProxyType(
    {
        "guess": _guess,
        "entropy": _entropy,
        "zeros": _zeros,
        "unevenness": _unevenness,
        "size": _size,
        "risk": _risk,
        "weight-free": _weight_free,
    }
)


def pair_readings(before: NDArray[np.int64], after: NDArray[np.int64]) -> list[Quantity]:
    """Return the entropies and risk terms of counts before and after protection.

    Raises
    ------
    ValueError
        If one of the rows is empty.
    """
    most = float(np.log(before.size))
    whole, remaining = float(entropy(before)), float(conditional_entropy(before, after))
    first, second = float(terms(before)[1]), float(terms_after(before, after)[1])
    if whole > 0:
        known = f"x₂ · (1 − H(X|Y)/H(X)) = {first:.4f} · (1 − {remaining:.4f}/{whole:.4f})"
    elif second > 0:
        known = f"x₂ = {second:g}: H(X) = 0, and G is F or a multiple of it"
    else:
        known = "0: H(X) = 0, and G is not F or a multiple of it"
    role = ROLES[1]
    return [
        Quantity(
            "H(X), before",
            f"{whole:.4f}",
            ((whole / most, ""),),
            [Piece("uncertainty about the original cell, in nats")],
        ),
        Quantity(
            "H(X|Y), left",
            f"{remaining:.4f}",
            ((remaining / most, ""),),
            [Piece("remaining uncertainty if G is known, in nats")],
        ),
        Quantity("Unevenness before", f"{first:.4f}", ((first, role),), [Piece("x₂ = 1 − H(X)/log K", role)]),
        Quantity("Unevenness after", f"{second:.4f}", ((second, role),), [Piece(known, role)]),
    ]


def stay_reading(stay: int, people: int, most: int) -> Quantity:
    """Return the number of people who are in the same cell before and after."""
    words = "the maximum number of people" if stay == most else f"{most} could stay"
    return Quantity(
        "People who stay in their cell", f"{stay} of {people}", ((stay / people, ""),), [Piece(words)]
    )


def loss_readings(before: NDArray[np.int64], after: NDArray[np.int64]) -> list[Quantity]:
    """Return four measures of the difference between counts before and after.

    Raises
    ------
    ValueError
        If the counts before are all zero.
    """
    N, M, K = int(before.sum()), int(after.sum()), before.size
    if N == 0:
        raise ValueError("The counts before protection are all zero.")
    distance, most = float(hellinger(before, after)), float(np.sqrt((N + M) / 2))
    moved, relative = float(absolute_distance(before, after)), float(relative_distance(before, after))
    useful = float(utility(before, after))
    total = int(np.abs(after - before).sum())
    longest = "√N" if N == M else "√((N + M)/2)"
    people = "" if N == M else "; N people before and M after"
    return [
        Quantity(
            "Absolute distance",
            f"{moved:.4f}",
            ((moved / max(before.max(), after.max()), ""),),
            [Piece(f"sum of all absolute changes ÷ number of cells = {total:,}/{K}")],
        ),
        Quantity(
            "Relative distance",
            f"{relative:.4f}",
            ((min(relative, 1.0), ""),),
            [Piece("mean of (change ÷ original count) over cells with people")],
        ),
        Quantity(
            "Hellinger distance HD",
            f"{distance:.4f}",
            ((distance / most, ""),),
            [Piece(f"from 0 to {longest} = {most:.4f}{people}")],
        ),
        Quantity(
            "Utility",
            f"{useful:.4f}",
            ((max(useful, 0.0), ""),),
            [Piece(f"1 − HD/√N = 1 − {distance:.4f}/{np.sqrt(N):.4f}")],
        ),
    ]


def method_readings(risk: float, after: Replications) -> list[Quantity]:
    """Return the mean information loss and residual risk of a method."""
    whole, words = after.whole_slice, f"mean of {after.size:,} replicates"
    distance, useful = float(whole.hellinger.mean[0]), float(whole.utility.mean[0])
    residual = float(whole.r2.mean[0])
    # The bar of the distance is relative to √N, so that it and the bar of the utility add up to the full
    # length.
    return [
        Quantity("Hellinger distance HD", f"{distance:.4f}", ((1 - useful, ""),), [Piece(words)]),
        Quantity("Utility", f"{useful:.4f}", ((useful, ""),), [Piece(f"1 − HD/√N, {words}")]),
        Quantity(
            "Residual risk R₂",
            f"{residual:.4f}",
            ((residual, ""),),
            [Piece(f"before: R₁ = {risk:.4f}; {words}")],
        ),
    ]


def count_readings(method: Method, count: int) -> list[Quantity]:
    """Return the probability of each published count for an original count.

    The last item is the mean of the published count.

    Raises
    ------
    ValueError
        If the method does not perturb cells independently.
    """
    matrix = method.transition(count)
    if matrix is None:
        raise ValueError(f"{method.title} does not perturb cells independently.")
    chances = {value: float(matrix[count, value]) for value in np.flatnonzero(matrix[count]).tolist()}
    words = {value: _probability(chance) for value, chance in chances.items()}
    mean, most = sum(value * chance for value, chance in chances.items()), max(chances)
    readings = [
        Quantity(
            f"Published as {value}", f"{chance:.4f}", ((chance, ""),), [Piece(f"probability {words[value]}")]
        )
        for value, chance in chances.items()
    ]
    total = " + ".join(f"{words[value]} · {value}" for value in chances)
    share = mean / most if most else 0.0
    return [
        *readings,
        Quantity("On average", f"{mean:.4f}", ((share, ""),), [Piece(f"{total}; true: {count}")]),
    ]


def _probability(value: float) -> str:
    """Return a probability as a fraction, or with four decimals if it is not a simple fraction."""
    fraction = Fraction(value).limit_denominator(1000)
    return str(fraction) if abs(float(fraction) - value) < 1e-9 else f"{value:.4f}"
