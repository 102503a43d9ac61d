"""Goals of tasks as conditions on named quantities, for example "risk < 0.2"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.lessons.goal import Goal

#: Quantities of each page with their descriptions.
QUANTITIES: Mapping[str, Mapping[str, str]] = {
    "explore": {
        "risk": "R₁ of the whole table",
        "highest row": "the highest R₁ of a row",
        "people": "the people counted",
        "zeros": "cells with nobody",
        "ones": "cells with one person",
        "moved": "the people by whom the table differs from the one at the start",
    },
    "protect": {
        "risk": "R₂ of the draw that is shown",
        "loss": "HD, the Hellinger distance of the draw that is shown",
        "gaps": "cells that are not published",
        "stops": "what stands against a release",
    },
    "suppression": {
        "gaps": "numbers that are not published",
        "computable gaps": "gaps of which a reader finds the value",
        "least values": "the least number of values that a gap keeps",
        "first gaps": "gaps of the start that are still gaps",
        "people hidden": "the sum of the counts that are gaps",
    },
    "attack": {
        "found": "1 where all that is wanted is known, else 0",
        "right": "1 where the answer is right, else 0",
        "points": "of 100",
    },
    "who": {
        "ways": "how many possibilities a reader must think of",
        "left": "H(X|Y), what the reader still doesn't know",
        "people": "the people published",
        "changed": "the cells whose published count is another",
    },
    "rounding": {
        "base": "the rounding base",
        "totals apart": "published totals that are not the sums of published cells, by the method looked at",
        "distance": "the sum of all changes, by the method looked at",
    },
    "cell_key": {
        "noise": "the most by which a published number of the table is another",
        "changed": "the share of the cells with people whose published count is another",
        "asks": "how often the count was asked for",
    },
    "sample": {
        "fraction": "n/N",
        "sampled": "the people in the sample",
        "risk": "the risk of the sample, where the population is known",
        "uniques": "cells with one person in the sample",
    },
    "tables": {
        "released": "requests that were answered with a table",
        "refused": "requests that were refused",
        "learnt": "small groups of which a user knows the number for certain",
    },
}

#: Quantities on the horizontal and the vertical axis of the map of solutions, by page.
MAPS: Mapping[str, tuple[str, str]] = {
    "explore": ("moved", "risk"),
    "protect": ("loss", "risk"),
    "suppression": ("people hidden", "least values"),
    "attack": ("points", "right"),
    "who": ("changed", "ways"),
    "rounding": ("distance", "totals apart"),
    "cell_key": ("changed", "noise"),
    "sample": ("sampled", "risk"),
    "tables": ("refused", "released"),
}


def goal_on(text: str, page: str) -> Goal:
    """Parse a goal and check that its quantity exists on a page.

    Raises
    ------
    InputError
        If the text is not a goal, or if the page does not have the quantity.

    Examples
    --------
    >>> str(goal_on("risk<0.2", "protect"))
    'risk < 0.2'
    >>> goal_on("risk < 0.2", "cell_key")
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: The page cell_key has no quantity 'risk'; its quantities are noise, changed, asks.
    """
    goal, known = Goal.parse(text), QUANTITIES.get(page, {})
    if goal.quantity not in known:
        there = f"its quantities are {', '.join(known)}" if known else "goals are not available there"
        raise InputError(f"The page {page} has no quantity '{goal.quantity}'; {there}.")
    return goal


def meaning(goals: Iterable[Goal], page: str) -> str:
    """Return a description of the quantities of goals.

    >>> meaning([goal_on("risk < 0.2", "protect"), goal_on("risk > 0.1", "protect")], "protect")
    'risk: R₂ of the draw that is shown'
    """
    names = dict.fromkeys(goal.quantity for goal in goals)
    return "; ".join(f"{name}: {QUANTITIES[page][name]}" for name in names)
