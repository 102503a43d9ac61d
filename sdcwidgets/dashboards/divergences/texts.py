"""Texts of the page Divergences: each distance with its numbers, and facts about the two distributions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import percent
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.divergences.result import DivergencesResult
from sdcwidgets.widgets.texts import Line, Piece, Quantity, people, reading
from sdcwidgets.widgets.texts.narration import Narration

#: Maximum number of terms of a sum that is written on one line.
SHORT = 4


@dataclass(frozen=True)
class _Distance:
    """The name of a distance, and its formula as a sum over the categories."""

    label: str
    definition: str
    term: Callable[[float, float, float], str]
    value: Callable[[Floats, Floats, float], Floats]
    close: str = "{sum}"


def _root_term(p: float, q: float, order: float) -> str:
    return f"√({p:.3f}·{q:.3f})"


def _root(p: Floats, q: Floats, order: float) -> Floats:
    return np.sqrt(p * q)


def _difference_term(p: float, q: float, order: float) -> str:
    return f"|{p:.3f} − {q:.3f}|"


def _difference(p: Floats, q: Floats, order: float) -> Floats:
    return np.abs(p - q)


def _entropy_term(p: float, q: float, order: float) -> str:
    return f"{p:.3f}·log({p:.3f}/{q:.3f})"


def _entropy(p: Floats, q: Floats, order: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p * np.log(p / q), 0.0)


def _reverse_entropy_term(p: float, q: float, order: float) -> str:
    return _entropy_term(q, p, order)


def _reverse_entropy(p: Floats, q: Floats, order: float) -> Floats:
    return _entropy(q, p, order)


def _square_term(p: float, q: float, order: float) -> str:
    return f"({p:.3f} − {q:.3f})²/{q:.3f}"


def _square(p: Floats, q: Floats, order: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p == q, 0.0, (p - q) ** 2 / q)


def _power_term(p: float, q: float, order: float) -> str:
    return f"|{p:.3f} − {q:.3f}|^{order:g}"


def _power(p: Floats, q: Floats, order: float) -> Floats:
    return np.abs(p - q) ** order


#: Distances by symbol, in the order of the page.
_DISTANCES = {
    "HD": _Distance("Hellinger distance", "√(1 − Σ √(p·q))", _root_term, _root, "√(1 − ({sum}))"),
    "HD²": _Distance("Squared Hellinger distance", "1 − Σ √(p·q)", _root_term, _root, "1 − ({sum})"),
    "D(P‖Q)": _Distance(
        "Relative entropy of P with respect to Q",
        "Σ p·log(p/q)",
        _entropy_term,
        _entropy,
    ),
    "D(Q‖P)": _Distance(
        "Relative entropy of Q with respect to P",
        "Σ q·log(q/p)",
        _reverse_entropy_term,
        _reverse_entropy,
    ),
    "χ²": _Distance("Chi-squared", "Σ (p − q)²/q", _square_term, _square),
    "TV": _Distance("Total variation", "Σ |p − q|", _difference_term, _difference),
    "Lp": _Distance(
        "Lp distance",
        "(Σ |p − q|^{order:g})^(1/{order:g})",
        _power_term,
        _power,
        "({sum})^(1/{order:g})",
    ),
    "Lmax": _Distance("Maximum difference (L∞)", "max |p − q|", _difference_term, _difference),
}

#: Labels of the `PRESETS`, and of a pair that is none of them.
BEGINNINGS = {
    "thesis": "Example of Antal 2016",
    "equal": "Equal distributions",
    "near": "Nearly equal distributions",
    "one": "All people in one cell, and equal shares",
    "rounded": "Row of counts before and after rounding",
    "opposite": "Distributions without a common category",
    "own": "Your own",
}

#: Symbols of the distances in the list below the answer.
READ = ("HD²", "D(P‖Q)", "D(Q‖P)", "χ²", "TV", "Lp", "Lmax")


def number(value: float) -> str:
    """Return a number to four decimals, a small one to three digits, or the word "infinite".

    Examples
    --------
    >>> number(0.25), number(float("inf")), number(0.00012345)
    ('0.2500', 'infinite', '0.000123')
    """
    if np.isinf(value):
        return "infinite"
    return f"{value:.3g}" if 0 < abs(value) < 0.01 else f"{value:.4f}"


def formula(result: DivergencesResult, symbol: str) -> Line:
    """Return the formula of a distance on one line, with its numbers if there are only a few."""
    distance, value = _DISTANCES[symbol], result.distances[symbol]
    order = result.state.settings.order
    terms = distance.value(result.p, result.q, order)
    summands = [
        distance.term(float(p), float(q), order)
        for p, q, term in zip(result.p, result.q, terms, strict=True)
        if term != 0
    ]
    ending = (
        "" if np.isinf(value) or symbol == "Lmax" or not 0 < len(summands) <= SHORT else " + ".join(summands)
    )
    filled = f" = {distance.close.format(sum=ending, order=order)}" if ending else ""
    return [
        Piece(
            f"{_symbol(symbol, order)} = {distance.definition.format(order=order)}{filled} = {number(value)}"
        )
    ]


def readings(result: DivergencesResult) -> list[Quantity]:
    """Return every distance with its formula, in the order of `READ`."""
    return [
        reading(_DISTANCES[symbol].label, number(result.distances[symbol]), formula(result, symbol))
        for symbol in READ
    ]


def explain(result: DivergencesResult, symbol: str) -> list[Line]:
    """Return the computation of a distance, one line per category."""
    distance, value, order = _DISTANCES[symbol], result.distances[symbol], result.state.settings.order
    N, M = sum(result.state.before), sum(result.state.after)
    lines = text_lines(
        f"p = F/N with N = {people(N)}, q = G/M with M = {people(M)}; log is the natural logarithm, and 0·log 0 = 0",
        f"{_symbol(symbol, order)} = {distance.definition.format(order=order)}",
    )
    terms = distance.value(result.p, result.q, order)
    for index, (p, q, term) in enumerate(zip(result.p, result.q, terms, strict=True)):
        if p == q == 0:
            line = "0, because the category is empty in P and in Q"
        else:
            line = f"{distance.term(float(p), float(q), order)} = {number(float(term))}"
            line += " infinite because of a division by 0" if np.isinf(term) else ""
        lines += text_lines(f"category {index + 1}: {line}")
    total = number(float(terms.max() if symbol == "Lmax" else terms.sum()))
    how = "maximum" if symbol == "Lmax" else "sum"
    lines += text_lines(f"{how}: {total}")
    lines += text_lines(
        f"{_symbol(symbol, order)} = {distance.close.format(sum=total, order=order)} = {number(value)}"
    )
    return lines


def headline(result: DivergencesResult) -> tuple[str, str]:
    """Return the Hellinger distance between P and Q, and the category with the largest difference."""
    p, q, distance = result.p, result.q, result.distances["HD"]
    apart = np.abs(p - q)
    if apart.max() < 1e-12:
        return "P and Q are equal.", "Every distance between P and Q is 0."
    where = int(np.argmax(apart))
    why = (
        f"Category {where + 1} has the largest difference of shares: {percent(float(p[where]))} in P, "
        f"{percent(float(q[where]))} in Q."
    )
    if not np.minimum(p, q).any():
        return (
            "P and Q have no common category.",
            f"The Hellinger distance between P and Q is 1, its maximum. {why}",
        )
    infinite = " Some other distances between P and Q are infinite." if ((p > 0) != (q > 0)).any() else ""
    far = f"{distance:.3f}" if distance >= 0.001 else "less than 0.001"
    return (
        f"The Hellinger distance between P and Q is {far}.",
        "A Hellinger distance of 0 means that P and Q are equal; 1 means that they have no common "
        f"category. {why}{infinite}",
    )


def notice(result: DivergencesResult) -> str:
    """Return the most important fact about this pair."""
    p, q = result.p, result.q
    if np.allclose(p, q, rtol=0, atol=1e-12):
        return "P and Q are the same distribution, so all distances between them are 0."
    unseen, unexpected = result.unseen, tuple(np.flatnonzero((q > 0) & (p == 0)).tolist())
    stay = "The Hellinger distance, total variation and the Lp distance are finite."
    if unseen and unexpected:
        only = f"{_are(unseen).capitalize()} only in P, {_are(unexpected)} only in Q"
        return f"{only}. Therefore D(P‖Q), D(Q‖P) and χ² are infinite. {stay}"
    if unseen:
        return f"{_are(unseen).capitalize()} in P but not in Q, so D(P‖Q) and χ² are infinite. {stay}"
    index = int(np.argmax(np.abs(p - q)))
    most = f"Category {index + 1} has the largest difference of shares: {p[index]:.3f} in P, {q[index]:.3f} in Q."
    if unexpected:
        return f"{most} {_are(unexpected).capitalize()} in Q but not in P, so D(Q‖P) is infinite and D(P‖Q) is not."
    ratio = result.distances["D(P‖Q)"] / result.distances["χ²"]
    return f"{most} D(P‖Q)/χ² is {ratio:.3f}. This ratio approaches ½ if P approaches Q."


def narration(result: DivergencesResult) -> Narration:
    """Return the Hellinger distance in words."""
    return Narration(
        number(result.distances["HD"]),
        f"Hellinger distance of the distributions, from 0 to 1. Hellinger distance of the counts: HD(F, G) = "
        f"{number(result.counts)}.",
        notice(result),
        formula(result, "HD"),
        explain=lambda: ("Computation of the Hellinger distance", explain(result, "HD")),
    )


def as_code(state: object) -> str:
    """Return the Python code that computes the distances of a pair."""
    return script(
        "from sdcwidgets.dashboards.divergences.result import compute",
        "from sdcwidgets.dashboards.divergences.state import DistanceSettings, DivergencesState",
        "",
        f"result = compute({state!r})",
        "result.distances",
    )


def _symbol(symbol: str, order: float) -> str:
    return {"Lp": f"L{order:g}", "Lmax": "L∞", "χ²": "χ²(P, Q)", "HD": "HD(P, Q)", "HD²": "HD²(P, Q)"}.get(
        symbol, symbol
    )


def _are(indices: tuple[int, ...]) -> str:
    """Return "category 1 is" or "categories 1, 2 and 3 are"."""
    *names, last = (str(index + 1) for index in indices)
    return f"categories {', '.join(names)} and {last} are" if names else f"category {last} is"
