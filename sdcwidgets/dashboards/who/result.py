"""Where everyone may have gone when F is published as G: the Y variables, one by one and on average.

The Y variables stand in a sequence: all of them in the order of a dictionary, or uniform draws from them. A
person looks at one place of the sequence, and what was seen is the sequence up to there; so every number
follows from the state alone. References: thesis, sections 3.6.2 and 3.6.3.
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

#: So many people, or copies of them, are drawn as dots; with more there are only numbers.
DOTS = 400

#: So many Y variables are listed in order; of more there are draws.
LISTED = 5_000

#: So many draws are made.
DRAWS = 1_000

# The draws of a page are the same for everyone, so that a link shows what its maker saw.
_SEED = 36


@dataclass(frozen=True)
class Size:
    """How many Y variables there are.

    Attributes
    ----------
    exact : int or None
        None where there are more people, or copies, than dots.
    digits : float
        The decimal logarithm of the number.
    """

    exact: int | None
    digits: float


@dataclass(frozen=True)
class WhoResult:
    """Every number about one publication and one of its Y variables; it never changes.

    Attributes
    ----------
    state : WhoState
    people : Integers, shape (2, K)
        The tables that stand for F and G: themselves, or M·F and N·G where N ≠ M.
    sizes : dict of str to Size
        Of Ω, "all", and of Ω*, "closest".
    length : int
        How long the sequence is that can be gone through; 0 if there are too many people for dots.
    drawn : bool
        Whether the sequence is of draws.
    assignment : Integers or None, shape (dots,)
        The cell of each dot under the Y variable that is shown.
    average : Floats or None, shape (K, K)
        Mean of Pr(Y = c_j | X = c_i) over the sequence up to here.
    differences : Floats, shape (position + 1,)
        The largest difference between that mean and the theorem's matrix, at each place up to here.
    personal : Floats, shape (position + 1,)
        The same for single people: of the share of the Y variables that put a person into a cell.
    theorem : Floats, shape (K, K)
        The same mean over all of them, by the theorems.
    entropy, remaining_entropy : float
        H(X), and H(X|Y) by the theorem's matrix, in nats.
    parts : Decomposition
        The three sums of H(X|Y) over Ω*.
    first : float
        The second risk term before publication.
    second : dict of str to float
        The second risk term after it, by variant.
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
        """How many dots stand for one person."""
        return int(self.people[0].sum()) // sum(self.state.before)

    @property
    def size(self) -> Size:
        """How many Y variables are looked at."""
        return self.sizes[self.state.settings.among]

    @property
    def next_draw(self) -> WhoState:
        """The state that shows another random Y variable."""
        if self.drawn:
            return replace(self.state, position=self.state.position + 1)
        if not self.length:
            raise InputError(f"Nobody can be drawn here: it would take more than {DOTS} dots.")
        return self.state.set(order="drawn")

    @property
    def whole(self) -> WhoState:
        """The state that has seen the whole sequence: all that are listed in order, or else every draw."""
        exact = self.size.exact
        if exact is None:
            raise InputError(f"Nobody is listed here: it would take more than {DOTS} dots.")
        return replace(self.state.set(order="listed"), position=(exact if exact <= LISTED else DRAWS) - 1)

    @property
    def unknown(self) -> float:
        """H(X|Y)/H(X), 0 where nothing was unknown before."""
        return self.remaining_entropy / self.entropy if self.entropy else 0.0

    @property
    def left_closest(self) -> float:
        """H(X|Y) over Ω*, which is that of the risk measure whatever is looked at."""
        return float(sum(self.parts))

    @property
    def truth(self) -> Whole:
        """The cell of each dot under X."""
        return core.people(self.people[0])

    @property
    def stay(self) -> Whole:
        """How many dots of each cell may stay there."""
        stay: Whole = self.people.min(axis=0)
        return stay

    @property
    def fewest(self) -> int:
        """How many dots have to move at least."""
        return int((self.people[0] - self.stay).sum())


def compute(state: WhoState) -> WhoResult:
    """Return every number about a publication.

    Raises
    ------
    InputError
        If the sequence is shorter than the position.

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
    length = 0 if exact is None else DRAWS if drawn else exact
    if state.position >= max(length, 1):
        raise InputError(f"Possibility {state.position + 1} does not exist; there are {length:,}.")
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


# Stepping and playing ask for the same sequence again and again.
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
    # Sums of many fractions leave a little dust where they are equal.
    return _Sequence(
        cells, averages, *(np.where(series < 1e-12, 0.0, series) for series in (differences, personal))
    )


def _personal(cells: Whole, theorem: Floats) -> Floats:
    """Return the largest difference of any person's shares from theirs by the theorem, shape (dots, K)."""
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
    # The logarithm of what `count` counts; where all may move, nobody is chosen to stay.
    stay = people.min(axis=0) if closest else np.zeros_like(people[0])
    moved = people - stay
    ways = lgamma(moved[1].sum() + 1) + sum(
        lgamma(n + 1) - lgamma(staying + 1) - lgamma(leaving + 1) - lgamma(come + 1)
        for n, staying, leaving, come in zip(people[0], stay, *moved, strict=True)
    )
    return Size(None, ways / log(10))
