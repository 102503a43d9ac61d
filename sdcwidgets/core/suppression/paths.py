"""Patterns of tables of two axes, one of them with a hierarchy or none: the shortest way around what is too narrow.

What one entry changes must come back on a ring of others. As far as it goes on rings of what is suppressed already,
it costs nothing; for the rest the cheapest ring is suppressed that has room, until the entry is as wide as asked.

Reference: Castro 2007, A shortest-paths heuristic for statistical data protection in positive tables.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._arrays import Floats
from .._linear import whole_scale
from .._network import MOST, Network
from .exact import weak_relations
from .problem import Problem, Unprotectable

__all__ = ["Rings"]

Flags = NDArray[np.bool_]

#: Changing a suppressed entry costs this part of the least weight: of two rings as cheap the shorter one.
NOTHING = 1e-7
#: Flows that are looked at to find what is not needed, at most.
MOST_CHECKS = 20_000


class Rings:
    """How far entries can go on rings of a pattern, and what must be suppressed for more."""

    def __init__(self, problem: Problem, network: Network, scale: int) -> None:
        self._problem, self._network, self._scale = problem, network, scale
        self._columns = np.flatnonzero(problem.usable)
        self._place = np.full(len(problem.values), -1)
        self._place[self._columns] = np.arange(len(self._columns))
        self._costs = problem.weights[self._columns] / problem.weights.min()
        up, down = problem.ceiling - problem.values, problem.values - problem.floor
        self._up, self._down = (np.rint(np.minimum(scale * side[self._columns], MOST)) for side in (up, down))

    @classmethod
    def of(cls, problem: Problem) -> Rings | None:
        """Return the rings of a problem; None where entries are in three sums, or no whole numbers."""
        scale = whole_scale(problem.values, problem.floor, problem.ceiling)
        if scale is None or scale * np.abs(problem.values).sum() > MOST or not problem.usable.any():
            return None
        network = Network.of(problem.relations.lean.matrix[:, np.flatnonzero(problem.usable)])
        return None if network is None else cls(problem, network, scale)

    def widened(self, pattern: Flags) -> Flags:
        """Return the pattern with what keeps the bounds of each entry of it as far apart as asked.

        Raises
        ------
        Unprotectable
            If even all that may be suppressed leaves an entry too narrow.
        """
        widths = self._asked()
        inside = pattern[self._columns].copy()
        self._network.allow(np.where(inside, self._up, 0), np.where(inside, self._down, 0))
        low, high = np.zeros(len(inside)), np.zeros(len(inside))
        waiting = self._place[np.flatnonzero(pattern)]
        while len(waiting):
            added: list[int] = []
            for arc in waiting[np.argsort(-widths[2][waiting], kind="stable")].tolist():
                while True:
                    ring = self._ring(arc, inside, (low, high), [float(one[arc]) for one in widths])
                    if ring is None:
                        break
                    inside[ring] = True
                    self._network.open(ring, self._up[ring], self._down[ring])
                    added.extend(ring.tolist())
            # More gaps only widen what was wide enough.
            waiting = np.asarray(added, dtype=np.int64)
        wider = pattern.copy()
        wider[self._columns[inside]] = True
        return wider

    def thinned(self, pattern: Flags) -> Flags:
        """Return the pattern without what the others do not need, dear entries first; large ones stay as they are."""
        problem, widths = self._problem, self._asked()
        extra = np.flatnonzero(pattern & ~problem.primary)
        if len(extra) * int(pattern.sum()) > MOST_CHECKS:
            return pattern
        inside = pattern[self._columns].copy()
        self._network.allow(np.where(inside, self._up, 0), np.where(inside, self._down, 0))
        nothing = np.zeros(1)
        for entry in extra[np.argsort(-problem.weights[extra], kind="stable")].tolist():
            arc = self._place[[entry]]
            self._network.open(arc, nothing, nothing)
            inside[arc] = False
            thin = pattern.copy()
            thin[entry] = False
            seen = np.zeros(len(inside)), np.zeros(len(inside))
            rest = np.flatnonzero(inside).tolist()
            if not len(weak_relations(problem, thin)) and all(
                self._wide(one, seen, [float(w[one]) for w in widths]) is None for one in rest
            ):
                pattern = thin
            else:
                inside[arc] = True
                self._network.open(arc, self._up[arc], self._down[arc])
        return pattern

    def _asked(self) -> tuple[Floats, Floats, Floats]:
        """Return how far each must go down, up and in all, in steps."""
        problem = self._problem
        below, above, width = (
            np.ceil(self._scale * one[self._columns] - 1e-6)
            for one in (problem.below, problem.above, problem.asked[2])
        )
        return below, above, width

    def _wide(
        self, arc: int, seen: tuple[Floats, Floats], asked: list[float]
    ) -> tuple[Floats, Floats] | None:
        """Return None if an entry can go as far as asked, else how all change where it goes up, and down, as it can.

        `seen` is how far entries went until now; it is brought up to date.
        """
        below, above, width = asked
        low, high = seen

        def enough() -> bool:
            up, down = high[arc], -low[arc]
            return bool(up >= above and down >= below and up + down >= width)

        if enough():
            return None
        up, rise = self._network.push(arc, 1, max(above, width))
        np.minimum(low, rise, out=low)
        np.maximum(high, rise, out=high)
        if enough():
            return None
        fall = self._network.push(arc, -1, max(below, width - up))[1]
        np.minimum(low, fall, out=low)
        np.maximum(high, fall, out=high)
        return None if enough() else (rise, fall)

    def _ring(
        self, arc: int, inside: Flags, seen: tuple[Floats, Floats], asked: list[float]
    ) -> NDArray[np.int64] | None:
        """Return what to suppress next for an entry, or None if it is wide enough."""
        changes = self._wide(arc, seen, asked)
        if changes is None:
            return None
        (rise, fall), (below, above, width) = changes, asked
        up, down = rise[arc], -fall[arc]
        missing = width - up - down
        ways = []
        if up < above or (down >= below and up < self._up[arc]):
            ways.append((1, rise, min(max(above - up, missing), self._up[arc] - up)))
        if up >= above and down < self._down[arc]:
            ways.append((-1, fall, min(max(below - down, missing), self._down[arc] - down)))
        found = [self._cheapest(arc, sign, change, gain, inside) for sign, change, gain in ways if gain > 0]
        price, ring = min(found, key=lambda one: one[0], default=(np.inf, None))
        if not np.isfinite(price):
            entry = int(self._columns[arc])
            raise Unprotectable(
                entry,
                f"No pattern protects entry {entry} as asked: even all that may be suppressed leaves it too narrow.",
            )
        return ring

    def _cheapest(
        self, arc: int, sign: int, change: Floats, gain: float, inside: Flags
    ) -> tuple[float, NDArray[np.int64] | None]:
        """Return the price of one more step, and what is to be suppressed for it, of rings with much room at once."""
        costs = np.where(inside, NOTHING, self._costs)
        rooms = self._up - change, self._down + change
        while gain >= 1:
            price, way = self._network.way(arc, sign, (rooms[0] >= gain, rooms[1] >= gain), costs)
            if np.isfinite(price):
                return price / gain, way[~inside[way]]
            gain = gain // 2
        return np.inf, None
