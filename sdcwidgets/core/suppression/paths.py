"""Patterns of two-way tables, at most one axis with a hierarchy, by shortest cycles in a network.

A change of one entry must be balanced by other entries on a cycle. Cycles of suppressed entries have no cost.
If they are not enough, the cheapest cycle with sufficient slack is suppressed, until the entry's interval is
wide enough.
Reference: Castro 2007, A shortest-paths heuristic for statistical data protection in positive tables.
"""

from __future__ import annotations

import numpy as np

from .._arrays import Flags, Floats, Whole
from .._linear import whole_scale
from .._network import MOST, Network
from .insiders import Leeway
from .problem import Problem

#: Cost of a suppressed entry, relative to the least weight: of two equally cheap cycles the shorter one is
#: chosen.
NOTHING = 1e-7


class CycleSearch:
    """Reach of entries on cycles of a pattern, and entries to suppress for more; see `programs.Programs`."""

    def __init__(self, problem: Problem, network: Network, scale: int) -> None:
        self._network, self._scale = network, scale
        self.columns = np.flatnonzero(problem.usable)
        self._position = np.full(len(problem.values), -1)
        self._position[self.columns] = np.arange(len(self.columns))
        self._costs = problem.weights[self.columns] / problem.weights.min()
        up, down = problem.ceiling - problem.values, problem.values - problem.floor
        self._up, self._down = (self._whole(side[self.columns]) for side in (up, down))
        self._seen_up, self._seen_down = self._up, self._down
        self._inside = np.zeros(len(self.columns), dtype=bool)
        self._seat = np.empty(0, dtype=np.int64)

    @classmethod
    def of(cls, problem: Problem) -> CycleSearch | None:
        """Return the search of a problem, or None if an entry is in three sums or numbers are not whole."""
        scale = whole_scale(problem.values, problem.floor, problem.ceiling)
        if scale is None or scale * np.abs(problem.values).sum() > MOST or not problem.usable.any():
            return None
        network = Network.of(problem.relations.lean.matrix[:, np.flatnonzero(problem.usable)])
        return None if network is None else cls(problem, network, scale)

    def allow(self, pattern: Flags) -> None:
        """Set the pattern."""
        self._inside = pattern[self.columns]
        self._network.allow(
            np.where(self._inside, self._seen_up, 0), np.where(self._inside, self._seen_down, 0)
        )

    def open(self, entries: Whole) -> None:
        """Suppress further entries."""
        arcs = self._position[entries]
        self._inside[arcs] = True
        self._network.open(arcs, self._seen_up[arcs], self._seen_down[arcs])

    def shut(self, entry: int) -> None:
        """Publish an entry again."""
        arc, nothing = self._position[[entry]], np.zeros(1)
        self._inside[arc] = False
        self._network.open(arc, nothing, nothing)

    def set_insider(self, limits: Leeway | None) -> None:
        """Set the view of an insider; None is the view of an external intruder."""
        before = self._seat
        self._seen_up, self._seen_down, self._seat = self._up, self._down, before[:0]
        if limits is not None:
            arcs = self._position[limits.entries]
            on_arcs = arcs >= 0
            self._seat = arcs[on_arcs]
            self._seen_up, self._seen_down = self._up.copy(), self._down.copy()
            self._seen_up[self._seat] = np.minimum(self._up[self._seat], self._whole(limits.up[on_arcs]))
            self._seen_down[self._seat] = np.minimum(
                self._down[self._seat], self._whole(limits.down[on_arcs])
            )
        arcs = np.union1d(before, self._seat)
        arcs = arcs[self._inside[arcs]]
        self._network.open(arcs, self._seen_up[arcs], self._seen_down[arcs])

    def reach(self, entry: int, sign: int, most: float, *, quick: bool = False) -> tuple[float, Floats]:
        """Return how far an entry can rise (sign 1) or fall (-1) up to a limit, and the changes of all."""
        flow, change = self._network.push(
            int(self._position[entry]), sign, np.ceil(self._scale * most - 1e-6)
        )
        return flow / self._scale, change / self._scale

    def augment(self, entry: int, sign: int, change: Floats, gain: float) -> tuple[float, Whole]:
        """Return the price per step of the cheapest cycle with large slack, and the entries to suppress for it."""
        costs = np.where(self._inside, NOTHING, self._costs)
        rooms = self._seen_up - self._scale * change, self._seen_down + self._scale * change
        steps = np.ceil(self._scale * gain - 1e-6)
        arc = int(self._position[entry])
        while steps >= 1:
            price, way = self._network.way(arc, sign, (rooms[0] >= steps, rooms[1] >= steps), costs)
            if np.isfinite(price):
                return price / steps, self.columns[way[~self._inside[way]]]
            steps = steps // 2
        return np.inf, np.empty(0, dtype=np.int64)

    def slack(self, entry: int, sign: int) -> float:
        """Return how far an entry can change by its own bounds alone."""
        return float((self._seen_up if sign > 0 else self._seen_down)[self._position[entry]]) / self._scale

    def steps(self, amount: float) -> float:
        """Return an amount rounded up to whole steps."""
        return float(np.ceil(self._scale * amount - 1e-6)) / self._scale

    @property
    def effort(self) -> float:
        """Cost of the check of one entry, in units of `problem.Work`."""
        return float(len(self.columns))

    def _whole(self, amounts: Floats) -> Floats:
        return np.floor(np.minimum(self._scale * amounts + 1e-6, MOST))
