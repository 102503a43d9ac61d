"""Texts of the page Third term: the formulas with numbers, and a comparison with the published tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from sdcwidgets._util.formula_lines import signed, text_lines
from sdcwidgets.core.risk.population import h2
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.third_term.result import FUNCTIONS, PublishedTables, ThirdTermResult
from sdcwidgets.widgets.page_state import vector
from sdcwidgets.widgets.texts import Line, Quantity, people, reading

SYMBOLS = {"h1": "h₁", "h2": "h₂", "h3": "h₃"}
_LABELS = {
    "h1": "Power function of the number of people (h₁)",
    "h2": "Entropy function of the number of people (h₂)",
    "h3": "Mean entropy function of the cell counts (h₃)",
}


#: More people than live on Earth. If the third term is above a half up to here, all tables count as small.
EVERYBODY = 1e10


def headline(result: ThirdTermResult) -> tuple[str, str]:
    """Return the chosen function at the chosen size, and the largest size with a term of at least 0.5."""
    settings = result.state.settings
    symbol, value = SYMBOLS[settings.fan], result.at[settings.fan]
    answer = (
        f"For a table of {people(settings.people)}, the third term of the risk R₁ is {value:.3f} ({symbol})."
    )
    if settings.people == result.people and result.people > 0:
        h1, h2, h3 = (f"{result.terms[name]:.3f}" for name in FUNCTIONS)
        answer = f"For the row of {people(result.people)}, the third term of R₁ is {h1} (h₁), {h2} (h₂) or {h3} (h₃)."
    if settings.epsilon == 0:
        return answer, "With ε = 0, table size does not affect the disclosure risk."
    if result.half > EVERYBODY:
        return (
            answer,
            f"With ε = {settings.epsilon:g}, table size hardly affects the disclosure risk: {symbol} is at least 0.5 "
            "for tables of up to 10 billion people.",
        )
    return (
        answer,
        "The third term depends on the number of people: it is 1 for one person, and decreases to 0. With "
        f"ε = {settings.epsilon:g}, {symbol} is at least 0.5 for tables of up to {people(int(result.half))}.",
    )


def readings(result: ThirdTermResult) -> list[Quantity]:
    """Return the three values of the row, each with its formula."""
    return [reading(_LABELS[name], f"{result.terms[name]:.4f}", _filled(result, name)) for name in FUNCTIONS]


def explain(result: ThirdTermResult, name: str) -> list[Line]:
    """Return the derivation of one value of the row, one line per step."""
    epsilon, N = result.state.settings.epsilon, result.people
    lines = text_lines(
        f"F = {vector(result.state.counts)}, N = {people(N)}, ε = {epsilon:g}; log is the natural logarithm"
    )
    if name == "h3":
        populated = [count for count in result.state.counts if count]
        lines += text_lines("h₃ is the mean of h₂(F, ε) over the cells with F > 0, without empty cells")
        for count in sorted(set(populated)):
            cells = populated.count(count)
            lines += text_lines(
                f"{cells} × h₂({count:,}, {epsilon:g}) = {cells} · {float(h2(count, epsilon)):.4f}"
            )
        lines += text_lines(f"sum divided by {len(populated)} populated cells: h₃ = {result.terms['h3']:.4f}")
        return lines
    power = f"N^(−ε) = {N:,}^(−{epsilon:g}) = {float(N) ** -epsilon:.4f}"
    return [*lines, *text_lines(power, _filled(result, name))]


def at_size(result: ThirdTermResult) -> str:
    """Return the values of the two functions of N at the chosen size."""
    settings, at = result.state.settings, result.at
    return (
        f"For a table of {people(settings.people)} and ε = {settings.epsilon:g}, the power function (h₁) is "
        f"{at['h1']:.4f} and the entropy function (h₂) is {at['h2']:.4f}."
    )


def notice(result: ThirdTermResult) -> str:
    """Return the most important fact about this row."""
    settings, values, counts = result.state.settings, result.terms, result.state.counts
    if settings.epsilon == 0:
        return "With ε = 0, the third term is 1 for every table, so table size has no effect."
    if max(counts) == 1:
        return (
            f"No cell has more than one person, so h₃ is 1 for any number of people. h₂ depends on the total of "
            f"{people(result.people)} and is {values['h2']:.4f}."
            if result.people > 1
            else "With one person, all three functions have their maximum value, 1."
        )
    if sum(count > 0 for count in counts) == 1:
        return "Only one cell is populated, so h₃ equals h₂."
    return (
        f"h₃ = {values['h3']:.4f} depends on the count of each cell. h₂ = {values['h2']:.4f} depends on the total of "
        f"{people(result.people)}."
    )


def erratum(tables: PublishedTables) -> str:
    """Return the published figures that differ from the formulas, in words."""
    sentences = [
        f"{tables.differs.sum()} of the {tables.figures.size} published third terms differs from its formula."
    ]
    for row, column in np.argwhere(tables.differs):
        name, epsilon = tables.columns[column]
        figure, value = tables.figures[row, column], tables.values[row, column]
        sentences.append(
            f"For F = {vector(tables.vectors[row])} and ε = {epsilon:g}, the published {SYMBOLS[name]} is "
            f"{figure:.4f}, "
            f"but the formula gives {value:.4f}."
        )
        if row and figure == tables.figures[row - 1, column]:
            sentences.append(
                f"The published value equals the value in the row above, {vector(tables.vectors[row - 1])}."
            )
    return " ".join(sentences)


def explain_published(tables: PublishedTables, row: int) -> list[Line]:
    """Return the published and recomputed values of one row of the tables."""
    lines = text_lines(f"F = {vector(tables.vectors[row])}, N = {people(sum(tables.vectors[row]))}")
    for column, (name, epsilon) in enumerate(tables.columns):
        figure, value = tables.figures[row, column], tables.values[row, column]
        ending = " (differs)" if tables.differs[row, column] else ""
        lines += text_lines(
            f"{SYMBOLS[name]}, ε = {epsilon:g}: published {figure:.4f}, recomputed {value:.5f}{ending}"
        )
    return lines


def published_texts(tables: PublishedTables, which: str) -> list[list[str]]:
    """Return the cells of the tables: recomputed ("formula") or published ("print") values, or their "difference"."""
    difference = tables.figures - tables.values
    numbers = {"formula": tables.values, "print": tables.figures, "difference": difference}[which]
    write = partial(signed, digits=4) if which == "difference" else "{:.4f}".format
    return [[write(number) for number in row] for row in numbers]


def as_code(state: object) -> str:
    """Return the Python code that computes the values of a row."""
    return script(
        "from sdcwidgets.dashboards.third_term.result import compute, published_tables",
        "from sdcwidgets.dashboards.third_term.state import ThirdTermSettings, ThirdTermState",
        "",
        f"compute({state!r}).terms",
        "published_tables().differs  # where Tables A.1.1 and A.1.2 and the formulas differ",
    )


def _filled(result: ThirdTermResult, name: str) -> str:
    epsilon, value = result.state.settings.epsilon, result.terms[name]
    power = f"{result.people:,}^(−{epsilon:g})"
    return {
        "h1": f"h₁ = N^(−ε) = {power} = {value:.4f}",
        "h2": f"h₂ = −N^(−ε)·log(e⁻¹·N^(−ε)) = −{power}·log(e⁻¹·{power}) = {value:.4f}",
        "h3": f"h₃ = mean of −F^(−{epsilon:g})·log(e⁻¹·F^(−{epsilon:g})) over F > 0 = {value:.4f}",
    }[name]
