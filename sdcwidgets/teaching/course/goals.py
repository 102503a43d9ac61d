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
        "people": "number of people",
        "zeros": "number of empty cells",
        "ones": "number of cells with one person",
        "moved": "number of people by which the table differs from the table at the start",
    },
    "protect": {
        "risk": "R₂ of the displayed replicate",
        "loss": "HD, the Hellinger distance of the displayed replicate",
        "gaps": "number of suppressed cells",
        "stops": "number of violations",
    },
    "suppression": {
        "gaps": "number of suppressed cells",
        "computable gaps": "number of suppressed cells that a reader can compute",
        "least values": "smallest number of possible values of a suppressed cell",
        "first gaps": "number of cells that were suppressed at the start and still are",
        "people hidden": "sum of the suppressed counts",
    },
    "attack": {
        "found": "1 if all counts of the question are known, otherwise 0",
        "right": "1 if the answer is right, otherwise 0",
        "points": "points, at most 100",
    },
    "who": {
        "ways": "number of assignments that are possible for a reader",
        "left": "H(X|Y), the remaining uncertainty of a reader",
        "people": "number of published people",
        "changed": "number of cells with a changed count",
    },
    "rounding": {
        "base": "the rounding base",
        "totals apart": "number of published totals that are not sums of the published cells, for the selected method",
        "distance": "sum of all absolute changes, for the selected method",
    },
    "cell_key": {
        "noise": "largest absolute noise of a published number",
        "changed": "share of the populated cells with a changed count",
        "asks": "number of requests for the count",
    },
    "sample": {
        "fraction": "n/N",
        "sampled": "number of people in the sample",
        "risk": "risk of the sample, computed with the known population",
        "uniques": "number of cells with one person in the sample",
    },
    "tables": {
        "released": "number of requests that were answered with a table",
        "refused": "number of refused requests",
        "learnt": "number of small groups whose count a user knows for certain",
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
    'risk: R₂ of the displayed replicate'
    """
    names = dict.fromkeys(goal.quantity for goal in goals)
    return "; ".join(f"{name}: {QUANTITIES[page][name]}" for name in names)
