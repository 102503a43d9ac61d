"""Result of the page Who: Y variables, one by one and on average, if F is published as G.

The Y variables form a sequence: all of them in lexicographic order, or uniform random draws. The page shows one
place of the sequence and averages over all places up to it, so all numbers follow from the state. References:
thesis, sections 3.6.2 and 3.6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import lgamma, log, log10
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.core import assignment as core
from sdcwidgets.core.channel import Decomposition
from sdcwidgets.core.information import entropy
from sdcwidgets.core.risk.population import VARIANTS, terms, terms_after
from sdcwidgets.dashboards.who.state import WhoState

#: Maximum number of people, or copies of them, that are drawn as dots.
DOTS = 400

#: Maximum number of Y variables that are listed; otherwise they are drawn at random.
LISTED = 5_000

#: Number of random draws.
DRAWS = 1_000

# The draws use a fixed seed, so that a link shows the same draws to everyone.
_SEED = 36


@dataclass(frozen=True)
class Size:
    """Number of Y variables.

    Attributes
    ----------
    exact : int or None
        None if there are more people, or copies, than dots.
    digits : float
        Decimal logarithm of the number.
    """

    exact: int | None
    digits: float


@dataclass(frozen=True)
class WhoResult:
    """All numbers about a publication and one of its Y variables; it is immutable.

    Attributes
    ----------
    state : WhoState
    people : Integers, shape (2, K)
        Tables of the analysis: F and G, or M·F and N·G if N ≠ M.
    sizes : dict of str to Size
        Sizes of Ω, "all", and Ω*, "closest".
    length : int
        Length of the sequence; 0 if there are too many people for dots.
    drawn : bool
        Whether the sequence consists of random draws.
    assignment : Integers or None, shape (dots,)
        Cell of each dot under the current Y variable.
    average : Floats or None, shape (K, K)
        Mean of Pr(Y = c_j | X = c_i) over the sequence up to the current place.
    differences : Floats, shape (position + 1,)
        Largest difference between this mean and the matrix of the theorem, at each place up to the current one.
    personal : Floats, shape (position + 1,)
        The same difference for single people, by the share of Y variables with a person in a cell.
    theorem : Floats, shape (K, K)
        The mean over all Y variables, by the theorems.
    entropy, remaining_entropy : float
        H(X), and H(X|Y) by the matrix of the theorem, in nats.
    parts : Decomposition
        The three sums of H(X|Y) over Ω*.
    first : float
        Second risk term before protection.
    second : dict of str to float
        Second risk term after protection, by variant.
    """

    state: WhoState
    people: Whole
    sizes: Mapping[str, Size]
    length: int
    drawn: bool
    assignment: Whole | None
    average: Floats | None
    differences: Floats
    personal: Floats
    theorem: Floats
    entropy: float
    remaining_entropy: float
    parts: Decomposition
    first: float
    second: Mapping[str, float]

    @property
    def copies(self) -> int:
        """Number of dots per person."""
        return int(self.people[0].sum()) // sum(self.state.before)

    @property
    def size(self) -> Size:
        """Number of Y variables in the selected set."""
        return self.sizes[self.state.settings.among]

    @property
    def next_draw(self) -> WhoState:
        """State with another random Y variable."""
        if self.drawn:
            return replace(self.state, position=self.state.position + 1)
        if not self.length:
            raise InputError(
                f"The table has too many people: the page shows one dot per person, and at most {DOTS} "
                "dots. Choose a smaller table to draw possibilities."
            )
        return self.state.set(order="drawn")

    @property
    def whole(self) -> WhoState:
        """State after the whole sequence: all Y variables if they can be listed, otherwise all draws."""
        exact = self.size.exact
        if exact is None:
            raise InputError(
                f"The table has too many people: the page shows one dot per person, and at most {DOTS} "
                "dots. Choose a smaller table to list possibilities."
            )
        return replace(self.state.set(order="listed"), position=(exact if exact <= LISTED else DRAWS) - 1)

    @property
    def unknown(self) -> float:
        """H(X|Y)/H(X), 0 if H(X) is 0."""
        return self.remaining_entropy / self.entropy if self.entropy else 0.0

    @property
    def left_closest(self) -> float:
        """H(X|Y) over Ω*, which the risk measure uses for all settings."""
        return float(sum(self.parts))

    @property
    def truth(self) -> Whole:
        """Cell of each dot under X."""
        return core.people(self.people[0])

    @property
    def stay(self) -> Whole:
        """Maximum number of dots of each cell that may stay."""
        stay: Whole = self.people.min(axis=0)
        return stay

    @property
    def fewest(self) -> int:
        """Minimum number of dots that must move."""
        return int((self.people[0] - self.stay).sum())


def compute(state: WhoState) -> WhoResult:
    """Return all numbers about a publication.

    Raises
    ------
    InputError
        If the position is beyond the end of the sequence.

    Examples
    --------
    >>> found = compute(WhoState((0, 2, 4), (0, 3, 3)))
    >>> found.sizes["all"].exact, found.sizes["closest"].exact, round(found.remaining_entropy, 4)
    (20, 4, 0.3183)
    """
    F, G = np.array(state.before), np.array(state.after)
    people = np.array(core.same_total(F, G))
    closest = state.settings.closest
    sizes = {name: _size(people, name == "closest") for name in ("all", "closest")}
    exact = sizes[state.settings.among].exact
    drawn = exact is not None and (state.settings.order == "drawn" or exact > LISTED)
    length = 0
    if exact is not None:
        length = DRAWS if drawn else exact
    if state.position >= max(length, 1):
        raise InputError(
            f"There is no possibility with the number {state.position + 1}; the last number is {length:,}."
        )
    theorem = core.expected_channel(F, G, closest=closest)
    assignment, average, differences, personal = None, None, np.empty(0), np.empty(0)
    if length:
        every = _sequence(*map(tuple, people.tolist()), closest, drawn)
        assignment, average = every.cells[state.position], every.averages[state.position]
        differences = every.differences[: state.position + 1]
        personal = every.personal[: state.position + 1]
    return WhoResult(
        state,
        people,
        sizes,
        length,
        drawn,
        assignment,
        average,
        differences,
        personal,
        theorem,
        float(entropy(F)),
        float(core.channel_entropy(F, theorem)),
        core.decompose(F, G),
        float(terms(F)[1]),
        {variant: float(terms_after(F, G, variant=variant)[1]) for variant in VARIANTS},
    )


class _Sequence(NamedTuple):
    cells: Whole
    averages: Floats
    differences: Floats
    personal: Floats


# Stepping and playing use the same sequence repeatedly.
@lru_cache(maxsize=4)
def _sequence(before: tuple[int, ...], after: tuple[int, ...], closest: bool, drawn: bool) -> _Sequence:
    if drawn:
        cells = core.draw_assignments(before, after, DRAWS, np.random.default_rng(_SEED), closest=closest)
    else:
        cells = np.concatenate(list(core.assignment_chunks(before, after, closest)))
    averages = core.running_averages(before, cells)
    theorem = core.expected_channel(before, after, closest=closest)
    differences = np.abs(averages - theorem).max(axis=(1, 2))
    personal = _personal(cells, theorem[core.people(np.array(before))])
    # Rounding errors of sums are removed.
    return _Sequence(
        cells, averages, *(np.where(series < 1e-12, 0.0, series) for series in (differences, personal))
    )


def _personal(cells: Whole, theorem: Floats) -> Floats:
    """Return the largest difference between shares of people and those by the theorem, shape (dots, K)."""
    steps = np.arange(1, len(cells) + 1)[:, None]
    largest: Floats = np.zeros(len(cells))
    for k, expected in enumerate(theorem.T):
        shares = np.cumsum(cells == k, axis=0) / steps
        np.maximum(largest, np.abs(shares - expected).max(axis=1), out=largest)
    return largest


def _size(people: Whole, closest: bool) -> Size:
    if people[0].sum() <= DOTS:
        exact = core.count(people[0], people[1], closest)
        return Size(exact, log10(exact))
    # Logarithm of the number that `count` returns; in Ω, no people are fixed in their cells.
    stay = people.min(axis=0) if closest else np.zeros_like(people[0])
    moved = people - stay
    ways = lgamma(moved[1].sum() + 1) + sum(
        lgamma(n + 1) - lgamma(staying + 1) - lgamma(leaving + 1) - lgamma(come + 1)
        for n, staying, leaving, come in zip(people[0], stay, *moved, strict=True)
    )
    return Size(None, ways / log(10))
