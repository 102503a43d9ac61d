"""What the lead of the page says: whether what is hidden is hidden, for whom, and why."""

from __future__ import annotations

import numpy as np

from sdcwidgets.pages.suppression.state import Suppressed, Suppressing
from sdcwidgets.pages.suppression.words import cell_labels, inside_told, values_told

FOOT = (
    "Oganian and Domingo-Ferrer 2003 (O&DF), sections 4.1, 4.4 and 4.5; Fischetti and Salazar 2001 (the optimiser). "
    "Our copy of O&DF Table 1 lacks eight numbers of activities 5 and 6: those shown are recalled and meet every sum "
    "that is printed; x₁ to x₄ are one choice among 407. O&DF Table 2 prints 1,148 as the total of size 4; its cells "
    "and 20,139 need 1,448."
)


def lead(result: Suppressed) -> tuple[str, str, str]:
    """Return whether what is hidden is hidden, for whom and why, and the tone of it."""
    state = result.state
    if not state.hidden:
        return "Nothing is hidden: every number is in print.", "Press a number to hide it.", ""
    whom = _whom(result)
    known = [cell for cell in state.hidden if result.values[cell] == 1]
    if known:
        row, column = cell_labels(result, known[0])
        value = f"{int(state.sheet.full[known[0]]):,}"
        return (
            f"No: {row}, {column} is found again, {value}.",
            f"The sums in print leave it no other value. {whom}",
            "stop",
        )
    if narrow := [cell for cell in state.hidden if result.narrow[cell]]:
        row, column = cell_labels(result, min(narrow, key=lambda one: float(result.values[one])))
        left = values_told(min(float(result.values[one]) for one in narrow))
        return (
            f"Not enough: {row}, {column} keeps {left}.",
            f"{state.asked.width:,} are asked. {whom}",
            "stop",
        )
    if result.inside is not None:
        return (
            f"Not for everyone in the table: {inside_told(result, result.inside)}",
            "Outsiders know less.",
            "stop",
        )
    left = values_told(result.weakest) if np.isfinite(result.weakest) else "any number of values"
    return f"Yes: every gap keeps at least {left}.", f"{state.asked.width:,} are asked. {whom}", "good"


def _whom(result: Suppressed) -> str:
    """Return for whom what is said of the gaps holds."""
    state = result.state
    # From inside only what is marked as sensitive is looked at.
    if state.source.unit != "people" or not state.coalition or not set(state.sensitive) & set(state.hidden):
        return "This holds for outsiders; who is in the table knows more."
    inside = "everyone" if state.coalition == 1 else f"any {state.coalition} together"
    return f"This holds for outsiders; what is marked, for {inside} in the table too."


def legend(state: Suppressing) -> str:
    """Return what the signs of the table mean."""
    return (
        f"⚑ sensitive{', ▣ stays in print' * bool(state.frozen)}. A bar is what a gap can still be; under it its "
        "risk, 1/log₂ of its values. Orange frame: fewer values than asked."
    )
