"""Internal intruders: respondents in a table know their own contributions, and coalitions share them.

A respondent who is the only contributor of an entry knows its value, and every contributor knows a lower bound.
A pattern can therefore protect against external intruders, but not against respondents. For example, in a
square of four suppressed cells with ones on a diagonal, each of these two people can compute the other cells. A
coalition combines the knowledge of its members.

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


#: Numbers of the contributors who share their knowledge; the empty set is an external intruder.
Coalition = frozenset[int]
OUTSIDE: Coalition = frozenset()

_SLACK = 1e-9


class Leeway(NamedTuple):
    """How far some entries can rise and fall, given the knowledge of a coalition."""

    entries: Whole
    up: Floats
    down: Floats


@dataclass(frozen=True, eq=False)
class Insiders:
    """Respondents in a table, and the maximum size of a coalition.

    Attributes
    ----------
    contributions : Contributions
        Contributions to every entry, including sums; those of one holder to a sum count as one.
    coalition : int
        Maximum size of a coalition, 1 or more.
    """

    contributions: Contributions
    coalition: int = 1

    @classmethod
    def of_counts(cls, counts: ArrayLike, trees: tuple[Tree, ...], coalition: int = 1) -> Insiders:
        """Return the people of a table of counts, with entries as in `with_margins(counts, trees).ravel()`.

        Each cell needs only as many people as a coalition can have, because the others are in the same position.

        Examples
        --------
        >>> insiders = Insiders.of_counts([1, 5], (Tree.flat(2),), coalition=2)
        >>> insiders.contributions.entries.tolist(), insiders.contributions.holders.tolist()
        ([0, 2, 1, 2, 1, 2], [0, 0, 1, 1, 2, 2])
        """
        array = np.asarray(counts)
        people = np.minimum(array.ravel(), coalition).astype(np.int64)
        cells = np.repeat(np.arange(array.size), people)
        alone = Contributions(cells, np.ones(len(cells)), np.arange(len(cells)))
        return cls(above(alone, array.shape, trees), coalition)

    def within(self, numbers: Whole) -> Insiders:
        """Return the respondents for these entries only, renumbered from 0 in the given order."""
        return Insiders(self.contributions.within(numbers), self.coalition)


class InsiderView:
    """Views of the respondents of a problem who know more than an external intruder."""

    def __init__(self, problem: Problem, insiders: Insiders) -> None:
        merged, size = insiders.contributions.merged(), len(problem.values)
        self._problem, self.most = problem, insiders.coalition
        top = merged.largest(size, insiders.coalition)
        #: Largest possible contribution of coalitions of each size to each entry.
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
        """Return how far the entries with a contribution of the coalition can change in its view."""
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
        """Return the coalition's contribution to an entry; the value itself if it is the whole entry."""
        own = float(self._own(who)[entry])
        value = float(self._problem.values[entry])
        return value if own >= value - self._slack[entry] else own

    def doubters(self, who: Coalition, touched: Whole, changes: Floats) -> list[int]:
        """Return contributors who could extend a coalition to one that excludes these tables.

        Parameters
        ----------
        who : frozenset of int
            The coalition.
        touched : ndarray of int
            Entries that change.
        changes : ndarray of float, shape (tables, touched)
            Difference from the original value in each table.

        Returns
        -------
        list of int
            If a larger permitted coalition can exclude one of the tables, at least one of its further members
            is listed.
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
        """Return the coalition's contribution to each entry."""
        own = np.zeros(len(self._problem.values))
        for holder in who:
            first, last = np.searchsorted(self._holders, [holder, holder + 1])
            own[self._entries[first:last]] += self._values[first:last]
        return own
