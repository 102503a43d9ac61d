"""Goals of tasks as conditions on named quantities, for example "risk < 0.2"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from sdcwidgets._util.errors import InputError
from sdcwidgets.measures.settings import Settings
from sdcwidgets.teaching.course.course import Opening
from sdcwidgets.teaching.lessons.goal import Goal
from sdcwidgets.widgets.page_state.links import decode

#: Quantities of each page with their descriptions.
QUANTITIES: Mapping[str, Mapping[str, str]] = {
    "explore": {
        "risk": "risk of the whole table",
        "highest row": "highest disclosure risk R₁ of a row or column",
        "people": "total number of people in the table",
        "zeros": "number of empty cells in the table",
        "ones": "number of cells of the table with one person",
        "moved": "number of people moved to another cell since the start of the step",
    },
    "protect": {
        "risk": "risk of the displayed replicate after protection",
        "loss": "Hellinger distance HD between the original table and the displayed replicate",
        "expected risk": "mean of the disclosure risk after protection over all replicates",
        "expected loss": "mean over all replicates of the Hellinger distance HD between the original and the published "
        "table, which is 0 if no count changes",
        "suppressed cells": "number of suppressed cells",
        "violations": "number of rule violations",
    },
    "suppression": {
        "suppressed cells": "number of suppressed cells",
        "recalculable cells": "number of suppressed cells that a data user can recalculate",
        "possible values": "smallest number of possible values of a suppressed cell",
        "initially suppressed cells": "number of cells suppressed at the start of the step that are still "
        "suppressed",
        "suppressed people": "sum of the suppressed counts",
    },
    "attack": {
        "found": "1 if the saved combinations determine all counts of the question, otherwise 0",
        "right": "1 if the submitted answer is correct, otherwise 0",
        "points": "score from 0 to 100, reduced by hints, wrong answers and the automated attack",
    },
    "who": {
        "assignments": "number of assignments of people to cells that are possible for a data user",
        "uncertainty": "H(X|Y), the remaining uncertainty of a data user in nats",
        "people": "total of the published counts",
        "changed": "number of cells with a changed count",
    },
    "rounding": {
        "base": "rounding base",
        "nonadditive totals": "number of published totals that are not sums of their cells, for the selected method",
        "distance": "sum of the absolute changes of all cells and totals, for the selected method",
    },
    "cell_key": {
        "noise": "largest absolute noise of a published number",
        "changed": "share of the populated cells with a changed count",
        "asks": "number of requests for the count",
    },
    "sample": {
        "fraction": "n/N",
        "sampled": "number of people in the sample",
        "risk": "disclosure risk of the sample, computed with the known population",
        "expected risk": "mean disclosure risk of 1,000 samples with the same design and sampling fraction",
        "uniques": "number of cells with one person in the sample",
    },
    "tables": {
        "released": "number of requests for which a table was released",
        "refused": "number of refused requests for tables",
        "disclosed groups": "number of small groups whose exact count a data user can infer",
    },
}

#: Titles of quantities that have the same name on several pages, by page.
_TITLES: Mapping[str, Mapping[str, str]] = {
    "explore": {"risk": "disclosure risk R₁"},
    "protect": {
        "risk": "residual risk R₂",
        "loss": "information loss",
        "expected risk": "expected residual risk R₂",
        "expected loss": "expected information loss",
    },
    "sample": {"risk": "residual risk R₂", "expected risk": "expected residual risk R₂"},
}

#: Conditions in words, with "{}" for the comparison and the number, of quantities that are numbers of people or cells.
_COUNTED: Mapping[str, Mapping[str, str]] = {
    "explore": {
        "people": "{} people",
        "zeros": "{} empty cells",
        "ones": "{} cells with one person",
        "moved": "{} people moved",
    },
    "protect": {"suppressed cells": "{} suppressed cells", "violations": "{} rule violations"},
    "suppression": {
        "suppressed cells": "{} suppressed cells",
        "recalculable cells": "{} recalculable cells",
        "possible values": "{} possible values of each suppressed cell",
        "initially suppressed cells": "{} of the initially suppressed cells still suppressed",
        "suppressed people": "{} suppressed people",
    },
    "attack": {"points": "{} points"},
    "who": {"assignments": "{} assignments", "people": "{} people", "changed": "{} changed cells"},
    "rounding": {"nonadditive totals": "{} nonadditive totals"},
    "cell_key": {"asks": "{} requests"},
    "sample": {"sampled": "{} people in the sample", "uniques": "{} sample uniques"},
    "tables": {
        "released": "{} released tables",
        "refused": "{} refused requests",
        "disclosed groups": "{} disclosed groups",
    },
}

#: Conditions on quantities that are 0 or 1, in words, by page.
_TRUE: Mapping[str, Mapping[str, str]] = {
    "attack": {"found": "all counts of the question determined", "right": "correct answer submitted"}
}

#: Former names of quantities, which course files may contain.
_FORMER_NAMES: Mapping[str, str] = {
    "stops": "violations",
    "gaps": "suppressed cells",
    "computable gaps": "recalculable cells",
    "first gaps": "initially suppressed cells",
    "least values": "possible values",
    "people hidden": "suppressed people",
    "ways": "assignments",
    "left": "uncertainty",
    "totals apart": "nonadditive totals",
    "learnt": "disclosed groups",
}

#: Quantities on the horizontal and the vertical axis of the map of solutions, by page.
MAPS: Mapping[str, tuple[str, str]] = {
    "explore": ("moved", "risk"),
    "protect": ("loss", "risk"),
    "suppression": ("suppressed people", "possible values"),
    "attack": ("points", "right"),
    "who": ("changed", "assignments"),
    "rounding": ("distance", "nonadditive totals"),
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
    sdcwidgets.InputError: The page cell_key has no quantity 'risk'; the quantities of this page \
are noise, changed, asks.
    """
    goal = Goal.parse(text)
    goal = replace(goal, quantity=_FORMER_NAMES.get(goal.quantity, goal.quantity))
    known = QUANTITIES.get(page, {})
    if goal.quantity not in known:
        there = (
            f"the quantities of this page are {', '.join(known)}"
            if known
            else ("a goal is not available on this page")
        )
        raise InputError(f"The page {page} has no quantity '{goal.quantity}'; {there}.")
    return goal


def title(quantity: str, page: str) -> str:
    """Return the name of a quantity as participants read it.

    Examples
    --------
    >>> title("risk", "explore"), title("risk", "protect"), title("moved", "explore")
    ('disclosure risk R₁', 'residual risk R₂', 'moved')
    """
    return _TITLES.get(page, {}).get(quantity, quantity)


def condition(goal: Goal, page: str) -> str:
    """Return a condition in words, with the title of its quantity.

    Examples
    --------
    >>> condition(goal_on("risk < 0.2", "protect"), "protect")
    'residual risk R₂ below 0.2'
    >>> condition(goal_on("moved <= 20", "explore"), "explore")
    'at most 20 people moved'
    >>> condition(goal_on("violations = 0", "protect"), "protect")
    'no rule violations'
    """
    if goal.quantity in _TRUE.get(page, {}) and (goal.compared, goal.number) == ("=", 1):
        return _TRUE[page][goal.quantity]
    counted = _COUNTED.get(page, {}).get(goal.quantity)
    if counted is None:
        return replace(goal, quantity=title(goal.quantity, page)).words
    return counted.format("no" if (goal.compared, goal.number) == ("=", 0) else goal.condition)


def conditions(goals: Iterable[Goal], page: str) -> list[str]:
    """Return all conditions of a task in words."""
    return [condition(goal, page) for goal in goals]


def axes_of_map(goals: Iterable[Goal], page: str) -> tuple[str, str]:
    """Return the quantities of the map of solutions; on Protect the expected values if the goals use these.

    Examples
    --------
    >>> axes_of_map([goal_on("risk < 0.2", "protect")], "protect")
    ('loss', 'risk')
    >>> axes_of_map([goal_on("expected risk < 0.2", "protect")], "protect")
    ('expected loss', 'expected risk')
    """
    across, up = MAPS[page]
    if any(goal.quantity.startswith("expected ") for goal in goals):
        return f"expected {across}", f"expected {up}"
    return across, up


def meaning(goals: Iterable[Goal], page: str) -> str:
    """Return a description of the quantities of goals.

    Examples
    --------
    >>> meaning([goal_on("risk < 0.2", "protect"), goal_on("risk > 0.1", "protect")], "protect")
    'residual risk R₂: risk of the displayed replicate after protection'
    """
    names = dict.fromkeys(goal.quantity for goal in goals)
    return "; ".join(f"{title(name, page)}: {QUANTITIES[page][name]}" for name in names)


def judged_with(start: Opening, state: str) -> str:
    """Return the settings of the risk that judge a state, or "" if the page of the state uses the same settings.

    Examples
    --------
    >>> from sdcwidgets.widgets.page_state.links import pack
    >>> judged_with(Opening("explore"), pack({"settings": {"weights": (0.2, 0.5, 0.3)}}))
    'weights of the task: 0.1, 0.8, 0.1'
    >>> judged_with(Opening("explore"), pack({"settings": {}}))
    ''
    """
    task, page = _settings(start.state), _settings(state)
    if task.weights != page.weights:
        return f"weights of the task: {', '.join(f'{weight:g}' for weight in task.weights)}"
    others = ("third", "epsilon", "variant")
    is_same = all(getattr(task, name) == getattr(page, name) for name in others)
    return "" if is_same else "risk settings of the task"


def _settings(state: str) -> Settings:
    saved = decode(state) if state else {}
    return Settings(**cast("dict[str, Any]", saved.get("settings", {})))
