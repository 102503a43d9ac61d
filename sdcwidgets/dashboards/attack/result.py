"""Every number about an attack so far: what each line of numbers leaves, and what an automated attack finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks import Finding
from sdcwidgets.attacks.base import interval
from sdcwidgets.attacks.knowledge import System
from sdcwidgets.core.sums import extremes
from sdcwidgets.dashboards.attack.automated import Outcome, outcome, setting
from sdcwidgets.dashboards.attack.state import COSTS, AttackState


class SavedCombination(NamedTuple):
    """A line of numbers: its terms, what it comes to, and the counts it is the number of."""

    terms: tuple[tuple[int, str], ...]
    """Sign and text of each."""
    lower: float
    upper: float
    row: Floats


@dataclass(frozen=True, eq=False)
class AttackResult:
    """Every number about an attack so far; it never changes.

    Attributes
    ----------
    state : AttackState
    given : System
        The published numbers.
    lower, upper : ndarray
        What each wanted count can be after the lines kept and the present one.
    before : tuple of ndarray
        What it could be before.
    kept : tuple of SavedCombination
    line : SavedCombination or None
    steps : tuple of pair of ndarray
        What each can be after the first line that was kept, the second, and so on; the present one is last.
    machine : Finding or None
    problem : str
        Why the machine finds nothing, "" if it does.
    outcomes : tuple of Outcome
    """

    state: AttackState
    given: System
    lower: Floats
    upper: Floats
    before: tuple[Floats, Floats]
    kept: tuple[SavedCombination, ...]
    line: SavedCombination | None
    steps: tuple[tuple[Floats, Floats], ...]
    machine: Finding | None
    problem: str
    outcomes: tuple[Outcome, ...]

    @property
    def found(self) -> bool:
        """Whether all that is wanted is known by the lines that were kept."""
        return all(low == high for low, high in map(self.bounds, self.state.known.targets))

    @property
    def right(self) -> bool:
        """Whether the answer is that of the agency."""
        return self.state.answer == self.state.known.right

    @property
    def explained(self) -> bool:
        """Whether the machine's lines may be seen: they were bought, or nothing is left to find."""
        return self.state.machine or (self.found and self.right)

    @property
    def score(self) -> int:
        """Points, of 100."""
        state = self.state
        lost = COSTS["hint"] * state.hints + COSTS["machine"] * state.machine + COSTS["wrong"] * state.wrong
        return max(0, 100 - lost)

    def bounds(
        self, cell: tuple[str, ...], stage: tuple[Floats, Floats] | None = None
    ) -> tuple[float, float]:
        """Return what a wanted count can be, or could at another stage."""
        place = tuple(axis.position(label) for axis, label in zip(self.given.axes, cell, strict=True))
        lower, upper = stage or (self.lower, self.upper)
        return float(lower[place]), float(upper[place])


def compute(state: AttackState) -> AttackResult:
    """Return every number about an attack so far.

    Raises
    ------
    InputError
        If a line contradicts what is known.

    Examples
    --------
    >>> found = compute(AttackState(kept=((1, 7), (3, 9), (5, 11))))
    >>> found.found, [found.bounds(cell) for cell in found.state.known.targets]
    (True, [(1.0, 1.0), (0.0, 0.0), (0.0, 0.0)])
    """
    found = setting(state.known, state.protection, state.machines)
    given = found.given
    kept: list[SavedCombination] = []
    for numbers in state.kept:
        kept.append(_line(given, kept, numbers))
    line = _line(given, kept, state.line) if state.line else None
    now, steps = found.before, list[tuple[Floats, Floats]]()
    known = [*kept, *([line] if line is not None and len(state.line) > 1 else [])]
    for k in range(len(known)):
        now = _after(known[: k + 1], now)
        steps.append(now)
    return AttackResult(
        state,
        given,
        *now,
        found.before,
        tuple(kept),
        line,
        tuple(steps),
        found.finding,
        found.problem,
        tuple(outcome(state.known, name, state.machines) for name in state.known.protections),
    )


def _after(known: list[SavedCombination], bounds: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    from scipy import sparse

    telling = [one for one in known if np.isfinite([one.lower, one.upper]).any()]
    if not telling:
        return bounds
    lower, upper = bounds
    matrix = sparse.csr_array(np.stack([one.row for one in telling]))
    low, high = np.array([(one.lower, one.upper) for one in telling]).T
    try:
        least, most = extremes(matrix, (low, high), lower.ravel(), upper.ravel())
    except ValueError:
        raise InputError("This line contradicts what is known; take it back.") from None
    return (np.ceil(least - 1e-6) + 0.0).reshape(lower.shape), (np.floor(most + 1e-6) + 0.0).reshape(
        lower.shape
    )


def _line(given: System, kept: list[SavedCombination], line: tuple[int, ...]) -> SavedCombination:
    rows = given.matrix.toarray()
    size = len(given.numbers)
    row, lower, upper = np.zeros(rows.shape[1]), 0.0, 0.0
    terms = []
    for k, one in enumerate(line):
        sign = -1 if k else 1
        if one < size:
            part, low, high, text = rows[one], given.low[one], given.high[one], str(given.numbers[one])
        else:
            earlier = kept[one - size]
            part, low, high = earlier.row, earlier.lower, earlier.upper
            text = interval(low, high)
        row = row + sign * part
        lower, upper = lower + (low if sign > 0 else -high), upper + (high if sign > 0 else -low)
        terms.append((sign, text))
    if np.all(row >= 0):
        lower = max(lower, 0.0)
    return SavedCombination(tuple(terms), float(lower), float(upper), row)
