"""Who is in a table, and what that tells them: nobody is an outsider to what they contributed themselves.

Whoever is all of an entry knows it, and whoever is a part of it knows that it is no less. So a pattern that stops every
outsider may fall to one who is inside: in a square of four gaps with ones on a diagonal each of the two computes the
other. A coalition puts together what its members know.

Reference: Daalmans and de Waal 2010, An improved formulation of the disclosure auditing problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, Whole
from .primary import Contributions
from .relations import Tree, above

if TYPE_CHECKING:
    from .problem import Problem


#: Who puts together what they know, by their numbers; nobody is an outsider.
Coalition = frozenset[int]
OUTSIDE: Coalition = frozenset()

_SLACK = 1e-9


class Leeway(NamedTuple):
    """How far some entries can go up and down by what a coalition knows of them."""

    entries: Whole
    up: Floats
    down: Floats


@dataclass(frozen=True, eq=False)
class Seats:
    """Who is in a table, and how many of them may put together what they know.

    Attributes
    ----------
    contributions : Contributions
        To every entry, sums included: in a sum the contributions of one holder are one.
    coalition : int
        At least 1.
    """

    contributions: Contributions
    coalition: int = 1

    @classmethod
    def of_counts(cls, counts: ArrayLike, trees: tuple[Tree, ...], coalition: int = 1) -> Seats:
        """Return the people of a table of counts, entries as in `with_margins(counts, trees).ravel()`.

        Of each cell as many as may join a coalition; the others are as they are.

        Examples
        --------
        >>> seats = Seats.of_counts([1, 5], (Tree.flat(2),), coalition=2)
        >>> seats.contributions.entries.tolist(), seats.contributions.holders.tolist()
        ([0, 2, 1, 2, 1, 2], [0, 0, 1, 1, 2, 2])
        """
        array = np.asarray(counts)
        people = np.minimum(array.ravel(), coalition).astype(np.int64)
        cells = np.repeat(np.arange(array.size), people)
        alone = Contributions(cells, np.ones(len(cells)), np.arange(len(cells)))
        return cls(above(alone, array.shape, trees), coalition)

    def within(self, numbers: Whole) -> Seats:
        """Return the same for some of the entries only, by their numbers in order, numbered anew from 0."""
        return Seats(self.contributions.within(numbers), self.coalition)


class Seated:
    """The seats of a problem from which anything is seen that an outsider does not see."""

    def __init__(self, problem: Problem, seats: Seats) -> None:
        merged, size = seats.contributions.merged(), len(problem.values)
        self._problem, self.most = problem, seats.coalition
        top = merged.largest(size, seats.coalition)
        #: The most that so many can have contributed to an entry, by their number.
        self._together = np.cumsum(top, axis=1)
        self._slack = _SLACK * np.maximum(1, np.abs(problem.values))
        matters = (self._together[:, -1] >= problem.values - self._slack) | (
            self._together[:, -1] > problem.floor + self._slack
        )
        relevant = (matters & problem.usable & (problem.values > 0))[merged.entries]
        order = np.argsort(merged.holders[relevant], kind="stable")
        self._entries, self._values = merged.entries[relevant][order], merged.values[relevant][order]
        self._holders = merged.holders[relevant][order]
        self._limits: dict[Coalition, Leeway] = {}

    def limits(self, who: Coalition) -> Leeway:
        """Return what a coalition leaves of the room of the entries that it contributed to."""
        if who not in self._limits:
            self._limits[who] = self._leeway(who)
        return self._limits[who]

    def _leeway(self, who: Coalition) -> Leeway:
        problem, own = self._problem, self._own(who)
        entries = np.flatnonzero(own)
        values, own = problem.values[entries], own[entries]
        filled = own >= values - self._slack[entries]
        return Leeway(
            entries,
            np.where(filled, 0.0, problem.ceiling[entries] - values),
            np.where(filled, 0.0, values - np.maximum(own, problem.floor[entries])),
        )

    def share(self, entry: int, who: Coalition) -> float:
        """Return how much of an entry is the coalition's; all of it if that is so."""
        own = float(self._own(who)[entry])
        value = float(self._problem.values[entry])
        return value if own >= value - self._slack[entry] else own

    def doubters(self, who: Coalition, touched: Whole, changes: Floats) -> list[int]:
        """Return who could join a coalition so that it knows better than these tables.

        Parameters
        ----------
        who : frozenset of int
            The coalition.
        touched : ndarray of int
            Entries.
        changes : ndarray of float, shape (tables, touched)
            By how much each differs from the truth in each table.

        Returns
        -------
        list of int
            If a larger coalition of at most so many as are allowed knows better, one of its further members is here.
        """
        remaining = self.most - len(who)
        if remaining < 1:
            return []
        low, high = np.zeros(len(self._problem.values)), np.zeros(len(self._problem.values))
        low[touched], high[touched] = changes.min(axis=0), changes.max(axis=0)
        at, own = self._entries, self._own(who)
        values, slack = self._problem.values[at], self._slack[at]
        more = self._values if remaining == 1 else self._together[at, remaining - 1]
        known = own[at] + more
        moved = np.maximum(high, -low)[at] > 1e-7 * np.maximum(1, values)
        better = moved & (
            (known >= values - slack) | (values + low[at] < known - 1e-6 * np.maximum(1, values))
        )
        return sorted(set(self._holders[better].tolist()) - who)

    def _own(self, who: Coalition) -> Floats:
        """Return how much of each entry is the coalition's."""
        own = np.zeros(len(self._problem.values))
        for holder in who:
            first, last = np.searchsorted(self._holders, [holder, holder + 1])
            own[self._entries[first:last]] += self._values[first:last]
        return own
