"""Contributions to one cell on the page Suppression: the primary rules, and the inferences of a contributor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.core.risk.cell import insider
from sdcwidgets.core.suppression.primary import Contributions, Sensitive, dominance, entropy_rule, pq
from sdcwidgets.dashboards.suppression.result import SuppressionResult
from sdcwidgets.widgets.binding import Part
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Page, Text, heading
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.texts import Quantity, reading

__all__ = ["contributions_to_a_cell", "insider_text", "rule_readings"]

#: Contributions at first: two that make up the cell of O&DF, section 4.5.4, where the second largest is 400.
EXAMPLE = (600, 400, 0, 0, 0, 0)

#: Definition of sensitive cells per rule; x₁ ≥ x₂ ≥ … are the contributions to the value X of a cell.
RULES = (
    "Sensitive if the n largest contributions x₁ + … + xₙ are more than k % of the value X.",
    "Sensitive if the other contributors, X − x₁ − x₂, are less than p % of the largest contribution x₁: the second "
    "largest contributor can then estimate the largest contribution to within p %.",
    "Sensitive if q % of the other contributors, X − x₁ − x₂, is less than p % of x₁. Before publication, everyone can "
    "estimate contributions to within q %.",
    "Sensitive if the entropy of the shares xᵢ/X, divided by its maximum log₂ N, is below t (O&DF, equation (1)).",
)

SETTINGS = (
    Parameter("n", int, 1, "Number of largest contributions (n)", range=Range(1, 5)),
    Parameter("k", float, 75.0, "Dominance limit (k %)", range=Range(1, 99, 1)),
    Parameter(
        "p", float, 10.0, "Required distance from the largest contribution (p %)", range=Range(1, 49, 1)
    ),
    Parameter("q", float, 50.0, "Knowledge before publication (q %)", range=Range(50, 100, 1)),
    Parameter("t", float, 0.5, "Limit of the entropy rule (t)", range=Range(0, 1, 0.05)),
)

BASE = Parameter("base", int, 10, "Rounding base of the published value", range=Range(1, 100))


def contributions_to_a_cell(page: Page) -> Part[SuppressionResult]:
    """Return the tab; it is about one cell, and independent of the table of the page."""
    introduction = Text(
        "A cell of amounts, such as turnover, is the sum of contributions. Edit the contributions to one cell, and see "
        "which rules call the cell sensitive. This example is independent of the table above."
    )
    grid = Grid(
        title="Contributions to one cell",
        row_name="Contributor",
        rows=("Amount",),
        columns=tuple(str(k + 1) for k in range(len(EXAMPLE))),
        counts=np.array([EXAMPLE]),
        hint="To edit an amount, type a number and press Enter.",
    ).add_class("sdc-compact")
    rules, learnt = Readings("Rules for sensitive cells"), Text()
    controls = {parameter.name: Control(parameter) for parameter in SETTINGS}
    base = Control(BASE)

    def results() -> list[Quantity]:
        return rule_readings(grid.counts[0], **{name: control.value for name, control in controls.items()})

    def show_all() -> None:
        rules.show(results())
        learnt.show(insider_text(grid.counts[0], base.value))

    def edit(counts: NDArray[np.int64]) -> None:
        if not counts.any():
            raise InputError("All contributions are 0. The cell needs at least one contribution above 0.")
        grid.counts = counts
        show_all()

    def explain(index: int) -> None:
        quantity = results()[index]
        numbers = "".join(piece.text for piece in quantity.formula)
        page.explain(quantity.label, text_lines(RULES[index], numbers))

    rules.on_explain(explain)
    grid.on_edit(edit)
    for control in (*controls.values(), base):
        control.observe(lambda _: show_all(), "value")
    show_all()
    insiders = heading("What a contributor learns from the published value")
    parts = (introduction, grid, *controls.values(), rules, insiders, base, learnt)
    return parts, lambda _: None


def rule_readings(
    amounts: NDArray[np.int64], n: int, k: float, p: float, q: float, t: float
) -> list[Quantity]:
    """Return the result of each rule for one cell, with its formula in numbers."""
    present = amounts[amounts > 0]
    given = Contributions(np.zeros(present.size, int), present.astype(float), np.arange(present.size))
    first, second = sorted([*present.tolist(), 0], reverse=True)[:2]
    total, top = int(present.sum()), int(np.sort(present)[::-1][:n].sum())
    rest = total - first - second
    shares = present / total
    bits = float(-(shares * np.log2(shares)).sum())
    relative = bits / np.log2(present.size) if present.size > 1 else 0.0
    return [
        reading(
            f"Dominance rule, ({n}, {k:g} %)",
            _answer(dominance(given, 1, n, k)),
            f"Sum of the {n} largest: {top:,}; {k:g} % of the value: {k / 100 * total:,.4g}",
        ),
        reading(
            f"p % rule, p = {p:g} %",
            _answer(pq(given, 1, p, 100)),
            f"Other contributors: {rest:,}; {p:g} % of the largest: {p / 100 * first:,.4g}",
        ),
        reading(
            f"pq rule, p = {p:g} %, q = {q:g} %",
            _answer(pq(given, 1, p, q)),
            f"{q:g} % of the other contributors: {q / 100 * rest:,.4g}; {p:g} % of the largest: {p / 100 * first:,.4g}",
        ),
        reading(
            f"Entropy rule, t = {t:g}",
            _answer(entropy_rule(given, 1, t)),
            f"H/log₂ N = {bits:.4f}/log₂ {present.size} = {relative:.4f}"
            if present.size > 1
            else "One contributor: the entropy is 0",
        ),
    ]


def _answer(result: Sensitive) -> str:
    return "sensitive" if result.flags[0] else "not sensitive"


def insider_text(amounts: NDArray[np.int64], base: int) -> str:
    """Return the interval that the second largest contributor infers for the largest from the rounded value."""
    descending = np.sort(amounts[amounts > 0])[::-1]
    total = int(descending.sum())
    published = base * ((2 * total + base) // (2 * base))
    low, high = max(published - base // 2, 0), published + (base - 1) // 2
    stated = f"The published value is {published:,}, so that the value is from {low:,} to {high:,}."
    if len(descending) < 2:
        return f"{stated} There is no second contributor."
    own = int(descending[1])
    if descending[0] == own:
        return f"{stated} The second largest contribution is as large as the largest, so this bound does not apply."
    bounds = insider(([low], [high]), own, largest=True)
    return (
        f"{stated} The second largest contributor, with {own:,}, learns that the largest contribution is from "
        f"{bounds.lower[0]:,.0f} to {bounds.upper[0]:,.0f} (O&DF, equation (22)). A data user without a contribution "
        f"learns only that it is at most {high:,}."
    )
