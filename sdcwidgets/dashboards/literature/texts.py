"""Texts of the page Literature: the answer, the large number, and the code that computes it."""

from __future__ import annotations

from sdcwidgets.dashboards.literature.result import LiteratureResult, compute
from sdcwidgets.dashboards.literature.state import CARDS, LiteratureState
from sdcwidgets.widgets.texts.narration import Narration, Subject


def headline(result: LiteratureResult) -> tuple[str, str]:
    """Return the value of the measure, and the question that it answers."""
    return f"{result.worked.name}: {result.worked.value}.", result.state.card.question


def about_table(state: LiteratureState) -> str:
    """Return the description of the table."""
    if state.origin == state.name:
        return state.card.about
    title = CARDS[state.origin].title.partition(":")[0]
    return f"The table is the example of {title}."


def narration(result: LiteratureResult) -> Narration:
    """Return the value of the measure with its formula and its steps."""
    worked = result.worked
    return Narration(
        worked.value,
        "Select the number to see its computation.",
        formula=worked.formula,
        parts=[worked.share],
        explain=lambda: (worked.name, worked.steps),
        subject=Subject(f"{result.state.name}, {result.state.origin}", result.state.card.title),
    )


def as_code(state: LiteratureState) -> str:
    """Return the Python code that computes the value of the measure."""
    return compute(state).worked.code
