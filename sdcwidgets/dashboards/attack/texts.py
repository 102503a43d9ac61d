"""Texts of the page Attack: combinations, their meaning, the answer, and the score."""

from __future__ import annotations

from inspect import getdoc

import numpy as np

from sdcwidgets import attacks
from sdcwidgets._util.labels import listed
from sdcwidgets.attacks.base import interval
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.attack.automated import working
from sdcwidgets.dashboards.attack.result import AttackResult, SavedCombination
from sdcwidgets.dashboards.attack.state import COSTS, OWN, AttackState
from sdcwidgets.tables.io.sources.base import written
from sdcwidgets.widgets.texts.narration import Narration

PRICES = (
    f"A hint costs {COSTS['hint']} points, a wrong answer {COSTS['wrong']} points, and the automated attack "
    f"{COSTS['automated']} points. Hints and the automated attack are free after the case is solved."
)


def lead(result: AttackResult) -> tuple[str, str, str]:
    """Return the answer of the page, the next step, and the tone."""
    state, score = result.state, f"Your score is {result.score} points."
    after = _automated_sentence(result) if state.automated and not result.solved else next_step(result)
    if state.answer:
        tone = "stop"
        if result.right:
            tone = "good" if result.solved else ""
        return agency_says(result), f"{after} {score}", tone
    last = f"{line(result.line)}. " if result.line is not None and len(state.line) > 1 else ""
    now = ""
    if result.solved:
        now = "Determined: "
    elif not last and _asks_for_category(result):
        return _categories(result), f"{after} {score}", ""
    elif not last:
        now = "Not determined: "
    return f"{last}{now}{_possible(result)}.", f"{after} {score}", ""


def _possible(result: AttackResult) -> str:
    """Return the interval of each count of the question."""
    cells = result.state.known.targets
    return "; ".join(f"{wanted(result, cell)}: {interval(*result.bounds(cell))}" for cell in cells)


def _asks_for_category(result: AttackResult) -> bool:
    """Return whether the answers are the categories of the counts, one of which is the category of a person."""
    known = result.state.known
    return len(known.targets) > 1 and set(known.options) == {wanted(result, cell) for cell in known.targets}


def _categories(result: AttackResult) -> str:
    """Return which categories are still possible, and which are excluded because their count is 0."""
    targets = result.state.known.targets
    excluded = [wanted(result, cell) for cell in targets if result.bounds(cell)[1] == 0]
    possible = [wanted(result, cell) for cell in targets if result.bounds(cell)[1] > 0]
    return f"Still possible: {listed(possible)}.{f' Excluded: {listed(excluded)}.' if excluded else ''}"


def line(combination: SavedCombination) -> str:
    """Return a combination as an equation, such as 55 − 54 = 1."""
    words = [f"− {text}" if sign < 0 else text for sign, text in combination.terms]
    return f"{' '.join(words)} = {interval(combination.lower, combination.upper)}"


def wanted(result: AttackResult, cell: tuple[str, ...]) -> str:
    """Return a short name of a count of the question, without labels that all of them have."""
    targets = result.state.known.targets
    differs = [len(targets) == 1 or len(set(labels)) > 1 for labels in zip(*targets, strict=True)]
    return ", ".join(label for label, needed in zip(cell, differs, strict=True) if needed)


def meaning(result: AttackResult, combination: SavedCombination) -> str:
    """Return the people that a combination counts, in a sentence."""
    row, axes = combination.row, result.published.axes
    if np.any(row < 0) or not np.any(row):
        return "The result is not a number of people, because the first number does not include all people subtracted."
    cells = np.argwhere(row.reshape(result.published.shape))
    if len(cells) > 3:
        return f"The result of the combination is the sum of {len(cells)} confidential counts."
    names = [", ".join(axis.labels[i] for axis, i in zip(axes, cell, strict=True)) for cell in cells]
    counts = f"The result of the combination is the number of people in {' and '.join(names)}."
    if combination.lower == combination.upper:
        return f"{counts} The result is exact."
    return f"{counts} The result is an interval, because the published numbers are inexact."


def next_step(result: AttackResult) -> str:
    """Return the next step of the user."""
    state = result.state
    if result.right and result.solved:
        return "The attack case is solved. Try another protection method."
    if result.solved:
        return "All counts of the question are determined. Select your answer."
    if result.line is not None and len(state.line) > 1:
        return "Save the combination, or select another number to subtract it."
    if state.line:
        return "Select a published number that counts some of the same people. This number is subtracted."
    if state.combinations:
        return "Select the next two published numbers, or a saved combination."
    return "Select a published number. The first number is added, and all other numbers are subtracted."


def agency_says(result: AttackResult) -> str:
    """Return whether the answer is correct."""
    state = result.state
    if not result.right:
        return f"The answer “{state.answer}” is wrong. A wrong answer costs {COSTS['wrong']} points."
    if result.solved:
        return f"The answer “{state.answer}” is correct, and your combinations prove this answer."
    if state.automated:
        return f"The answer “{state.answer}” is correct, but your combinations do not prove this answer."
    return f"The answer “{state.answer}” is correct, but your combinations do not prove this answer, so it was a guess."


def so_far(result: AttackResult) -> str:
    """Return the text below the score: check of the answer, finding of the automated attack, or next step."""
    answered = agency_says(result) if result.state.answer else ""
    if result.state.automated and not result.solved:
        return f"{answered} {_automated_sentence(result)}".strip()
    return answered or next_step(result)


def _automated_sentence(result: AttackResult) -> str:
    finding = result.finding
    if finding is None:
        return f"The automated attack has no result: {result.problem}"
    bounds = [finding.at(*cell) for cell in result.state.known.targets]
    intervals = ", ".join(interval(low, high) for low, high in bounds)
    if all(low == high for low, high in bounds):
        return (
            f"The automated attack determines the count: {intervals}. Now prove this count with your own "
            f"combinations."
        )
    return (
        f"The automated attack finds the interval {intervals}. Another attack may find a narrower interval."
    )


def automated_lines(result: AttackResult) -> list[tuple[str, str, str]]:
    """Return the combinations of the automated attack: count, combination and interval."""
    finding = result.finding
    if finding is None:
        return [("", result.problem, "")]
    lines = []
    for cell in result.state.known.targets:
        proof = finding.line(*cell)
        words = proof.text if proof else next(iter(finding.notes), "no combination of published numbers")
        lines.append((", ".join(cell), words, interval(*finding.at(*cell))))
    return lines


def attack_names(result: AttackResult) -> dict[str, str]:
    """Return the titles of the attacks that apply here, and of the selected one."""
    state = result.state
    names = dict.fromkeys((*working(state.known, state.protection), state.attack_name))
    return {name: name.replace("-", " ").capitalize() for name in names}


def attack_description(result: AttackResult) -> str:
    """Return a description of the automated attack, and the number of published numbers."""
    first = (getdoc(attacks.get(result.state.attack_name)) or "").partition("\n")[0]
    numbers = len(result.published.numbers)
    return f"{first} The attack uses {numbers} published numbers and no original count.".strip()


def outcome(result: AttackResult) -> str:
    """Return the effect of the current protection in words."""
    state = result.state
    now = next(outcome for outcome in result.outcomes if outcome.protection == state.protection)
    cost = (
        f"The protection changes the published numbers by {now.moved:.2f} on average."
        if now.moved
        else "The protection changes no published number."
    )
    return f"{state.known.protections[state.protection]}: {now.sentence} {cost}"


def narration(result: AttackResult) -> Narration:
    """Return the score, and the share of determined counts."""
    targets = result.state.known.targets
    known = sum(low == high for low, high in map(result.bounds, targets))
    alone = " by your combinations" if result.state.automated else ""
    return Narration(
        f"{result.score}",
        f"of 100 points. {known} of {len(targets)} counts of the question are determined{alone}.",
        so_far(result),
        parts=[("determined", known / len(targets))],
        ends=("none determined", "all determined"),
        of=result.state,
    )


def as_code(state: AttackState) -> str:
    """Return Python code of the automated attack.

    Examples
    --------
    >>> print(as_code(AttackState()).splitlines()[-1])
    attacks.get(case.attack)(releases, case.knowledge('published')).to_frame()
    """
    attack = repr(state.attack) if state.attack else "case.attack"
    if state.case == OWN:
        code = written(state.unfolded, state.title)
        names = ", ".join(sorted({"attacks", *code.imports}))
        head = [
            f"from sdcwidgets import {names}",
            "from sdcwidgets.dashboards.attack.own_table import own_case",
            "",
        ]
        intruder = "" if state.intruder == "external" else f", intruder={state.intruder!r}"
        case_lines = [*code.lines, f"case = own_case(table{intruder})"]
    else:
        head = ["from sdcwidgets import attacks", "from sdcwidgets.dashboards.attack.cases import CASES", ""]
        case_lines = [f"case = CASES[{state.case!r}]"]
    return script(
        *head,
        *case_lines,
        f"releases = [release for _, release in case.publish[{state.protection!r}]]",
        f"attacks.get({attack})(releases, case.knowledge({state.protection!r})).to_frame()",
    )
