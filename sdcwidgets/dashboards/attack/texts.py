"""An attack in words: the line of numbers, what it tells, and how it ended."""

from __future__ import annotations

from inspect import getdoc

import numpy as np

from sdcwidgets import attacks
from sdcwidgets.attacks.base import interval
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.attack.automated import working
from sdcwidgets.dashboards.attack.result import AttackResult, SavedCombination
from sdcwidgets.dashboards.attack.state import COSTS, OWN, AttackState
from sdcwidgets.tables.io.sources.base import written
from sdcwidgets.widgets.texts.narration import Narration

PRICES = (
    f"A hint costs {COSTS['hint']} points, a wrong answer {COSTS['wrong']}, the machine {COSTS['automated']}; "
    "nothing once you have found and proved it."
)


def lead(result: AttackResult) -> tuple[str, str, str]:
    """Return what is still possible of what is wanted, what can be done next, and the tone of it."""
    state, score = result.state, f"{result.score} points."
    after = _automated_sentence(result) if state.automated and not result.solved else next_step(result)
    if state.answer:
        tone = "" if result.right and not result.solved else "good" if result.right else "stop"
        return agency_says(result), f"{after} {score}", tone
    last = f"{line(result.line)}. " if result.line is not None and len(state.line) > 1 else ""
    now = "All is known: " if result.solved else "" if last else "Not found yet. "
    return f"{last}{now}{_possible(result)}.", f"{after} {score}", ""


def _possible(result: AttackResult) -> str:
    """Return what each count that is wanted can be."""
    cells = result.state.known.targets
    return "; ".join(f"{wanted(result, cell)}: {interval(*result.bounds(cell))}" for cell in cells)


def line(combination: SavedCombination) -> str:
    """Return a line as one writes it: 55 − 54 = 1."""
    words = [f"− {text}" if sign < 0 else text for sign, text in combination.terms]
    return f"{' '.join(words)} = {interval(combination.lower, combination.upper)}"


def wanted(result: AttackResult, cell: tuple[str, ...]) -> str:
    """Return what a wanted count is called beside the others: without the labels that all of them share."""
    targets = result.state.known.targets
    differs = [len(targets) == 1 or len(set(labels)) > 1 for labels in zip(*targets, strict=True)]
    return ", ".join(label for label, needed in zip(cell, differs, strict=True) if needed)


def meaning(result: AttackResult, combination: SavedCombination) -> str:
    """Return whom a line counts, in a sentence."""
    row, axes = combination.row, result.published.axes
    if np.any(row < 0) or not np.any(row):
        return "Some who are taken away were never counted in the first number: this is no number of people."
    cells = np.argwhere(row.reshape(result.published.shape))
    if len(cells) > 3:
        return f"It counts {len(cells)} of the counts that are wanted, together."
    names = [", ".join(axis.labels[i] for axis, i in zip(axes, cell, strict=True)) for cell in cells]
    sure = "Sure" if combination.lower == combination.upper else "Not sure: each number stands for several"
    return f"It counts {' and '.join(names)}. {sure}."


def next_step(result: AttackResult) -> str:
    """Return what a person can do next."""
    state = result.state
    if result.right and result.solved:
        return "Found, and proved. Change the protection and try again."
    if result.solved:
        return "All that is wanted is known. Give your answer."
    if result.line is not None and len(state.line) > 1:
        return "Keep the line, or press another number to take it away too."
    if state.line:
        return "Now press a number that counts a part of the same people."
    if state.combinations:
        return "Press the next two numbers; your kept lines are numbers too."
    return "Press a number in a table. The first is added, the others are taken away."


def agency_says(result: AttackResult) -> str:
    """Return whether the answer given is right, as the agency says."""
    state = result.state
    if not result.right:
        return f"“{state.answer}” is wrong, says the agency. A wrong answer costs {COSTS['wrong']} points."
    guess = "" if state.automated else ": it was a guess"
    proved = "and your lines prove it." if result.solved else f"but your lines do not prove it{guess}."
    return f"“{state.answer}” is right, says the agency, {proved}"


def so_far(result: AttackResult) -> str:
    """Return what stands below the score: what the agency says, what the machine found, or what can be done next."""
    answered = agency_says(result) if result.state.answer else ""
    if result.state.automated and not result.solved:
        return f"{answered} {_automated_sentence(result)}".strip()
    return answered or next_step(result)


def _automated_sentence(result: AttackResult) -> str:
    finding = result.finding
    if finding is None:
        return f"The machine found nothing: {result.problem}"
    bounds = [finding.at(*cell) for cell in result.state.known.targets]
    intervals = ", ".join(interval(low, high) for low, high in bounds)
    if all(low == high for low, high in bounds):
        return f"The machine found {intervals}: see below; now prove it yourself."
    return f"The machine leaves {intervals}: see below; another attack may do better."


def automated_lines(result: AttackResult) -> list[tuple[str, str, str]]:
    """Return the machine's lines for what is wanted: the count, the line, and what is left of it."""
    finding = result.finding
    if finding is None:
        return [("", result.problem, "")]
    lines = []
    for cell in result.state.known.targets:
        proof = finding.line(*cell)
        words = proof.text if proof else next(iter(finding.notes), "nothing beyond each number")
        lines.append((", ".join(cell), words, interval(*finding.at(*cell))))
    return lines


def attack_names(result: AttackResult) -> dict[str, str]:
    """Return what one calls each attack that can work here, and the one that was chosen."""
    state = result.state
    names = dict.fromkeys((*working(state.known, state.protection), state.attack_name))
    return {name: name.replace("-", " ").capitalize() for name in names}


def attack_description(result: AttackResult) -> str:
    """Return what the machine's attack does, as its definition says, and how much it sees."""
    first, *_ = (getdoc(attacks.get(result.state.attack_name)) or "").splitlines() or [""]
    return f"{first} It sees {len(result.published.numbers)} published numbers, and no true count.".strip()


def outcome(result: AttackResult) -> str:
    """Return what the present protection does, in a sentence."""
    state = result.state
    now = next(outcome for outcome in result.outcomes if outcome.protection == state.protection)
    cost = (
        f"A published number is moved by {now.moved:.2f} on average." if now.moved else "No number was moved."
    )
    return f"{state.known.protections[state.protection]}: {now.sentence} {cost}"


def narration(result: AttackResult) -> Narration:
    """Return the score, and how much of what is wanted is known."""
    targets = result.state.known.targets
    known = sum(low == high for low, high in map(result.bounds, targets))
    alone = " by your own lines" if result.state.automated else ""
    return Narration(
        f"{result.score}",
        f"points of 100. {known} of {len(targets)} wanted counts known{alone}.",
        so_far(result),
        parts=[("known", known / len(targets))],
        ends=("nothing known", "all that is wanted"),
        of=result.state,
    )


def as_code(state: AttackState) -> str:
    """Return Python code that does the machine's attack.

    >>> print(as_code(AttackState()).splitlines()[-1])
    attacks.get(case.attack)(releases, case.knowledge('published')).to_frame()
    """
    attack = repr(state.attack) if state.attack else "case.attack"
    if state.case == OWN:
        code = written(state.unfolded, state.title)
        names = ", ".join(sorted({"attacks", *code.imports}))
        head = [
            f"from sdcwidgets import {names}",
            "from sdcwidgets.dashboards.attack.own import own_case",
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
