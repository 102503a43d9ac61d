"""Texts of the page Weights: the Cauchy-Schwarz inequality with the numbers of a table."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import percent
from sdcwidgets.assessment.assessment import TERMS
from sdcwidgets.dashboards.weights.result import MEANS, WeightsResult
from sdcwidgets.widgets.page_state import Property, vector
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts import ROLES, Line, Piece, Quantity, reading
from sdcwidgets.widgets.texts.narration import Narration

#: Keys of the numbers in the list below the answer.
READ = ("along", "weighted", "geometric", "length")


def lead(result: WeightsResult) -> tuple[str, str]:
    """Return the risk with the chosen weights, and the share of the maximum w·x that the weights reach."""
    greatest = int(np.argmax(result.x))
    share = result.along / result.means["length"]
    reach = (
        "Your weights reach the largest weighted sum"
        if share > 1 - 1e-6
        else f"Your weights reach {percent(share)} of the largest weighted sum"
    )
    return (
        f"With your weights, the disclosure risk (R₁) is {result.means['weighted']:.3f}. The weight-free risk (R₁*) is "
        f"{result.means['rms']:.3f}.",
        f"Both risks range from 0 (lowest) to 1. {TERMS[greatest]} is the largest of the three terms: "
        f"{result.x[greatest]:.3f}. Among all weights with the same sum of squares, weights proportional to the "
        f"terms have the largest weighted sum w·x. {reach}.",
    )


def parts(result: WeightsResult) -> list[tuple[str, float]]:
    """Return the contribution of each term to R1*: its weight at the maximum of w·x times its value, divided by √3."""
    shares = result.best * result.x / np.sqrt(3)
    return list(zip(("zeros", "unevenness", "small size"), shares.tolist(), strict=True))


def formula(result: WeightsResult) -> Line:
    """Return R1* on one line, with its numbers."""
    squares = [Piece(f"{x:.3f}²", role) for x, role in zip(result.x, ROLES, strict=True)]
    return [
        Piece("R₁* = ‖x‖/√3 = √("),
        squares[0],
        Piece(" + "),
        squares[1],
        Piece(" + "),
        squares[2],
        Piece(f")/√3 = {result.means['rms']:.4f}"),
    ]


def readings(result: WeightsResult) -> list[Quantity]:
    """Return the numbers for comparison with R1*, in the order of `READ`."""
    x, means = result.x, result.means
    product = " · ".join(f"{value:.3f}" for value in x)
    rows = {
        "along": ("w·x for your weights, scaled to length 1", result.along, _product("w·x", result.unit, x)),
        "weighted": (
            "Disclosure risk (R₁) with your weights",
            means["weighted"],
            _product("w·x", result.w, x),
        ),
        "geometric": ("Geometric mean", means["geometric"], [Piece(f"(x₁·x₂·x₃)^(1/3) = ({product})^(1/3)")]),
        "length": (
            "Maximum of w·x for weights of length 1",
            means["length"],
            _product("w·x", result.best, x),
        ),
    }
    return [reading(rows[key][0], f"{rows[key][1]:.4f}", rows[key][2]) for key in READ]


def explain(result: WeightsResult, key: str) -> list[Line]:
    """Return the derivation of a number, one line per step; `key` is one of `READ` or "rms"."""
    x, w, unit, means = result.x, result.w, result.unit, result.means
    lines: list[Line] = text_lines(f"x = {_point(x)}: {', '.join(TERMS).lower()} of the table")
    if key == "geometric":
        equation = f"(x₁·x₂·x₃)^(1/3) = {np.prod(x):.6f}^(1/3) = {means['geometric']:.4f}"
        return [*lines, *text_lines(equation, "The geometric mean of the three terms is 0 if any term is 0.")]
    if key == "weighted":
        return [*lines, *text_lines(f"w = {_point(w)}, with sum 1"), list(_product("R₁ = w·x", w, x))]
    lines += text_lines("Cauchy–Schwarz: w·x ≤ ‖w‖·‖x‖, with equality only if w = C·x for some C > 0")
    if key == "along":
        size = float(np.linalg.norm(w))
        lines += text_lines(
            f"Your weights w = {_point(w)} have length {size:.4f}, so w/‖w‖ = {_point(unit)}."
        )
        lines.append(_product("w·x", unit, x))
        cosine = f"‖x‖·cos {result.angle:.1f}° = {means['length']:.4f}·{np.cos(np.radians(result.angle)):.4f}"
        return [*lines, *text_lines(f"w·x is also {cosine} = {result.along:.4f}.")]
    lines += text_lines(
        f"With ‖w‖ = 1, C = 1/‖x‖ = 1/{means['length']:.4f}, and w·x has its maximum at w = {_point(result.best)}."
    )
    lines.append(_product("w·x = ‖x‖", result.best, x))
    if key == "rms":
        lines += text_lines("‖x‖ is at most √3 (if all three terms are 1), so it is divided by √3.")
        lines.append(formula(result))
    return lines


def explain_property(wish: Property) -> list[Line]:
    """Return the value of each mean for the tables that test a property."""
    lines: list[Line] = text_lines("Tested on F = " + " and F = ".join(map(vector, wish.tables)))
    for name, values in wish.values.items():
        series = " → ".join(f"{value:.4f}" for value in values)
        lines += text_lines(f"{MEANS[name]}: {series}: {'holds' if wish.holds[name] else 'does not hold'}")
    return lines


def notice(result: WeightsResult) -> str:
    """Return the most important fact about these weights."""
    share = result.along / result.means["length"]
    if share > 1 - 1e-6:
        return "Your weights have the same direction as x, so no other weights of length 1 give a larger w·x."
    order = np.argsort(-result.x, kind="stable")
    names = [TERMS[k].lower() for k in order]
    return (
        f"The largest term is {names[0]}, so it has the largest weight at the maximum of w·x. The angle between your "
        f"weights and x is {result.angle:.0f}°. Your weights, scaled to length 1, reach {percent(share)} of the "
        "maximum."
    )


def _product(name: str, w: Floats, x: Floats) -> Line:
    line = [Piece(f"{name} = ")]
    for index, (weight, term, role) in enumerate(zip(w, x, ROLES, strict=True)):
        line += [Piece(" + ")] if index else []
        line.append(Piece(f"{weight:.3f}·{term:.3f}", role))
    return [*line, Piece(f" = {float(np.dot(w, x)):.4f}")]


def _point(values: Floats) -> str:
    return f"({', '.join(f'{value:.3f}' for value in values)})"


def narration(result: WeightsResult, of: TableState) -> Narration:
    """Return the weight-free risk in words."""
    return Narration(
        f"{result.means['rms']:.4f}",
        "R₁* is the root mean square of the three terms: the maximum of w·x, divided by √3 so that it is from 0 to 1.",
        notice(result),
        formula(result),
        parts(result),
        explain=lambda: ("Risk without weights (R₁*)", explain(result, "rms")),
        of=of,
    )
