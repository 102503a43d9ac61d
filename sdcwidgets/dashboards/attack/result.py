"""Result of the page Attack: the intervals after each combination, and the finding of an automated attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks import Finding
from sdcwidgets.attacks.base import interval
from sdcwidgets.attacks.knowledge import PublishedSystem
from sdcwidgets.core.bound_proofs import extremes
from sdcwidgets.dashboards.attack.automated import Outcome, automated_attack, outcome
from sdcwidgets.dashboards.attack.state import COSTS, AttackState


class SavedCombination(NamedTuple):
    """A combination of numbers: its terms, its value, and the counts that it adds up."""

    terms: tuple[tuple[int, str], ...]
    """Sign and text of each term."""
    lower: float
    upper: float
    row: Floats


@dataclass(frozen=True, eq=False)
class AttackResult:
    """All numbers about an attack; it is immutable.

    Attributes
    ----------
    state : AttackState
    published : PublishedSystem
        Published numbers.
    lower, upper : ndarray
        Bounds of each confidential count after the saved and the current combination.
    before : tuple of ndarray
        Bounds before any combination.
    combinations : tuple of SavedCombination
    line : SavedCombination or None
        The current combination.
    steps : tuple of pair of ndarray
        Bounds after each saved combination; those after the current one are last.
    finding : Finding or None
    problem : str
        Reason why the automated attack has no finding, "" if it has one.
    outcomes : tuple of Outcome
    """

    state: AttackState
    published: PublishedSystem
    lower: Floats
    upper: Floats
    before: tuple[Floats, Floats]
    combinations: tuple[SavedCombination, ...]
    line: SavedCombination | None
    steps: tuple[tuple[Floats, Floats], ...]
    finding: Finding | None
    problem: str
    outcomes: tuple[Outcome, ...]

    @property
    def solved(self) -> bool:
        """Whether the saved combinations determine all counts of the question."""
        return all(low == high for low, high in map(self.bounds, self.state.known.targets))

    @property
    def right(self) -> bool:
        """Whether the answer is correct."""
        return self.state.answer == self.state.known.right

    @property
    def explained(self) -> bool:
        """Whether the automated attack is shown: it was requested, or the case is solved."""
        return self.state.automated or (self.solved and self.right)

    @property
    def score(self) -> int:
        """Score from 0 to 100 points."""
        state = self.state
        cost = (
            COSTS["hint"] * state.hints + COSTS["automated"] * state.automated + COSTS["wrong"] * state.wrong
        )
        return max(0, 100 - cost)

    def bounds(
        self, cell: tuple[str, ...], stage: tuple[Floats, Floats] | None = None
    ) -> tuple[float, float]:
        """Return the bounds of a confidential count, after all combinations or at another stage."""
        position = tuple(axis.position(label) for axis, label in zip(self.published.axes, cell, strict=True))
        lower, upper = stage or (self.lower, self.upper)
        return float(lower[position]), float(upper[position])


def compute(state: AttackState) -> AttackResult:
    """Return all numbers about an attack.

    Raises
    ------
    InputError
        If a combination contradicts the published numbers.

    Examples
    --------
    >>> result = compute(AttackState(combinations=((1, 7), (3, 9), (5, 11))))
    >>> result.solved, [result.bounds(cell) for cell in result.state.known.targets]
    (True, [(1.0, 1.0), (0.0, 0.0), (0.0, 0.0)])
    """
    attack = automated_attack(state.known, state.protection, state.attack_name)
    published = attack.published
    combinations: list[SavedCombination] = []
    for numbers in state.combinations:
        combinations.append(_line(published, combinations, numbers))
    line = _line(published, combinations, state.line) if state.line else None
    lines = list(combinations)
    if line is not None and len(state.line) > 1:
        lines.append(line)
    bounds = attack.before
    steps = []
    for number in range(len(lines)):
        bounds = _after(lines[: number + 1], bounds)
        steps.append(bounds)
    lower, upper = bounds
    return AttackResult(
        state=state,
        published=published,
        lower=lower,
        upper=upper,
        before=attack.before,
        combinations=tuple(combinations),
        line=line,
        steps=tuple(steps),
        finding=attack.finding,
        problem=attack.problem,
        outcomes=tuple(outcome(state.known, name, state.attack_name) for name in state.known.protections),
    )


def _after(known: list[SavedCombination], bounds: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    from scipy import sparse

    informative = [
        combination for combination in known if np.isfinite([combination.lower, combination.upper]).any()
    ]
    if not informative:
        return bounds
    lower, upper = bounds
    matrix = sparse.csr_array(np.stack([combination.row for combination in informative]))
    low, high = np.array([(combination.lower, combination.upper) for combination in informative]).T
    try:
        least, most = extremes(matrix, (low, high), lower.ravel(), upper.ravel())
    except ValueError:
        raise InputError(
            "This combination of published numbers contradicts the known bounds "
            "of a count. Undo the combination."
        ) from None
    return (np.ceil(least - 1e-6) + 0.0).reshape(lower.shape), (np.floor(most + 1e-6) + 0.0).reshape(
        lower.shape
    )


def _line(
    published: PublishedSystem, combinations: list[SavedCombination], line: tuple[int, ...]
) -> SavedCombination:
    rows = published.matrix.toarray()
    size = len(published.numbers)
    row, lower, upper = np.zeros(rows.shape[1]), 0.0, 0.0
    terms = []
    for k, number in enumerate(line):
        sign = -1 if k else 1
        if number < size:
            part, low, high, text = (
                rows[number],
                published.low[number],
                published.high[number],
                str(published.numbers[number]),
            )
        else:
            earlier = combinations[number - size]
            part, low, high = earlier.row, earlier.lower, earlier.upper
            text = interval(low, high)
        row = row + sign * part
        lower, upper = lower + (low if sign > 0 else -high), upper + (high if sign > 0 else -low)
        terms.append((sign, text))
    if np.all(row >= 0):
        lower = max(lower, 0.0)
    return SavedCombination(tuple(terms), float(lower), float(upper), row)
