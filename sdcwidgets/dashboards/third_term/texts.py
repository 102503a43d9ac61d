"""Texts of the page Third term: the formulas with numbers, and notes on the printed tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from sdcwidgets._util.lines import signed, text_lines
from sdcwidgets.core.risk.population import h2
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.third_term.result import FUNCTIONS, PublishedTables, ThirdTermResult
from sdcwidgets.widgets.studies import vector
from sdcwidgets.widgets.texts import Line, Quantity, people, reading

SYMBOLS = {"h1": "h₁", "h2": "h₂", "h3": "h₃"}
_LABELS = {
    "h1": "h₁: one over a power of N",
    "h2": "h₂: the same, falling more slowly",
    "h3": "h₃: h₂ of each populated cell, averaged",
}


#: From so many people on a table has more than there are on Earth.
EVERYBODY = 1e10


def headline(result: ThirdTermResult) -> tuple[str, str]:
    """Return up to which size a table counts as small, and what the term of the chosen size is."""
    settings, at = result.state.settings, result.at
    why = f"Here small means that h₂ is at least a half; {people(settings.people)}: {at['h2']:.3f}."
    if result.half > EVERYBODY:
        return (
            f"Always: with ε = {settings.epsilon:g} size counts for {'almost ' * (settings.epsilon > 0)}nothing.",
            why,
        )
    return f"Up to {people(int(result.half))}, with ε = {settings.epsilon:g}.", why


def readings(result: ThirdTermResult) -> list[Quantity]:
    """Return the three values of the row, each with its formula."""
    return [reading(_LABELS[name], f"{result.terms[name]:.4f}", _filled(result, name)) for name in FUNCTIONS]


def explain(result: ThirdTermResult, name: str) -> list[Line]:
    """Return the derivation of one value of the row, one line per step."""
    epsilon, N = result.state.settings.epsilon, result.people
    lines = text_lines(
        f"F = {vector(result.state.counts)}, N = {people(N)}, ε = {epsilon:g}; natural logarithms"
    )
    if name == "h3":
        populated = [count for count in result.state.counts if count]
        lines += text_lines("h₃ is the mean of h₂(F, ε) over the cells with F > 0; empty cells do not count")
        for count in sorted(set(populated)):
            cells = populated.count(count)
            lines += text_lines(
                f"{cells} × h₂({count:,}, {epsilon:g}) = {cells} · {float(h2(count, epsilon)):.4f}"
            )
        lines += text_lines(f"divided by {len(populated)} populated cells: h₃ = {result.terms['h3']:.4f}")
        return lines
    power = f"N^(−ε) = {N:,}^(−{epsilon:g}) = {float(N) ** -epsilon:.4f}"
    return [*lines, *text_lines(power, _filled(result, name))]


def at_size(result: ThirdTermResult) -> str:
    """Return what the two functions of N say at the chosen size."""
    settings, at = result.state.settings, result.at
    return f"A table of {people(settings.people)}, ε = {settings.epsilon:g}: h₁ = {at['h1']:.4f}, h₂ = {at['h2']:.4f}."


def notice(result: ThirdTermResult) -> str:
    """Return one or two sentences about the most important fact of this row."""
    settings, values, counts = result.state.settings, result.terms, result.state.counts
    if settings.epsilon == 0:
        return "With ε = 0 every table has the term 1: size counts for nothing."
    if max(counts) == 1:
        return (
            f"Nobody shares a cell, so h₃ = 1 whether there is one person or a million. h₂ = {values['h2']:.4f} knows "
            f"that there are {people(result.people)}."
            if result.people > 1
            else "One person alone: all three functions are at their greatest value, 1."
        )
    if sum(count > 0 for count in counts) == 1:
        return "Only one cell has people, so h₃ is h₂: the mean over one cell."
    return (
        f"h₃ = {values['h3']:.4f} looks at each cell alone, and forgets that together there are "
        f"{people(result.people)}: h₂ = {values['h2']:.4f}."
    )


def erratum(tables: PublishedTables) -> str:
    """Return the sentence about the figures where print and formula differ."""
    sentences = [
        f"{tables.differs.sum()} of the {tables.figures.size} printed figures differs from its formula."
    ]
    for row, column in np.argwhere(tables.differs):
        name, epsilon = tables.columns[column]
        figure, value = tables.figures[row, column], tables.values[row, column]
        sentences.append(
            f"F = {vector(tables.vectors[row])}, ε = {epsilon:g}: {SYMBOLS[name]} is printed {figure:.4f}, "
            f"and the formula gives {value:.4f}."
        )
        if row and figure == tables.figures[row - 1, column]:
            sentences.append(f"The print repeats the line above it, {vector(tables.vectors[row - 1])}.")
    return " ".join(sentences)


def explain_published(tables: PublishedTables, row: int) -> list[Line]:
    """Return print and formula of one line of the tables."""
    lines = text_lines(f"F = {vector(tables.vectors[row])}, N = {people(sum(tables.vectors[row]))}")
    for column, (name, epsilon) in enumerate(tables.columns):
        figure, value = tables.figures[row, column], tables.values[row, column]
        ending = ", and so they differ" if tables.differs[row, column] else ""
        lines += text_lines(
            f"{SYMBOLS[name]}, ε = {epsilon:g}: printed {figure:.4f}, formula {value:.5f}{ending}"
        )
    return lines


def published_texts(tables: PublishedTables, which: str) -> list[list[str]]:
    """Return the cells of the tables: what the "formula" gives, the "print", or their "difference"."""
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
