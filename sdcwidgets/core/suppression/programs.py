"""Reach of entries within a pattern by linear programs, for tables of any kind.

Tables with three or more axes, tables with two hierarchies and linked tables are not networks. A linear program
finds the possible changes of such a table. Consecutive programs differ in few bounds, so each starts from the
last solution and needs few steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._arrays import Flags, Floats, Sparse, Whole
from .._linear import silent_solver
from .insiders import Leeway

if TYPE_CHECKING:
    from .problem import Problem


#: Cost of a suppressed entry, relative to the least weight: of two equally cheap changes the smaller one is
#: chosen.
NOTHING = 1e-4
#: Number of times that the requested gain is halved if an entry cannot change that far.
HALVES = 7
#: Changes below this value are treated as 0.
STILL = 1e-7


class Programs:
    """Reach of entries within a pattern, and entries to suppress for more; see `paths.CycleSearch`."""

    def __init__(self, problem: Problem) -> None:
        self.columns = np.flatnonzero(problem.usable)
        self._position = np.full(len(problem.values), -1)
        self._position[self.columns] = np.arange(len(self.columns))
        room = problem.room
        self._up = np.minimum(problem.ceiling - problem.values, room)[self.columns]
        self._down = np.minimum(problem.values - problem.floor, room)[self.columns]
        self._costs = problem.weights[self.columns] / problem.weights.min()
        self._inside = np.zeros(len(self.columns), dtype=bool)
        self._seen_up, self._seen_down = self._up.copy(), self._down.copy()
        self._matrix = problem.relations.lean.matrix[:, self.columns].tocsc()
        # One program for all entries that may be suppressed, and a smaller, faster one for the suppressed
        # entries.
        every = np.arange(len(self.columns))
        self._free, self._closed, self._quick = _Program(self._matrix), *self._begun()
        self._free.add(every, self._costs)
        self._free.bound(every, self._up, self._down)

    def allow(self, pattern: Flags) -> None:
        """Set the pattern."""
        self._free.price(np.flatnonzero(self._inside), self._costs[self._inside])
        self._inside = np.zeros(len(self.columns), dtype=bool)
        self._closed, self._quick = self._begun()
        self.open(np.flatnonzero(pattern))

    def open(self, entries: Whole) -> None:
        """Suppress further entries."""
        places = self._position[entries]
        self._inside[places] = True
        for program in (self._closed, self._quick):
            program.add(places, np.full(len(places), NOTHING))
            program.bound(places, self._seen_up[places], self._seen_down[places])
        self._free.price(places, np.full(len(places), NOTHING))

    def shut(self, entry: int) -> None:
        """Publish an entry again."""
        column = self._position[[entry]]
        self._inside[column] = False
        for program in (self._closed, self._quick):
            program.bound(column, np.zeros(1), np.zeros(1))
        self._free.price(column, self._costs[column])

    def set_insider(self, limits: Leeway | None) -> None:
        """Set the view of an insider; None is the view of an external intruder."""
        changed = np.flatnonzero((self._seen_up != self._up) | (self._seen_down != self._down))
        self._seen_up, self._seen_down = self._up.copy(), self._down.copy()
        if limits is not None:
            places = self._position[limits.entries]
            is_column = places >= 0
            places = places[is_column]
            self._seen_up[places] = np.minimum(self._seen_up[places], limits.up[is_column])
            self._seen_down[places] = np.minimum(self._seen_down[places], limits.down[is_column])
            changed = np.union1d(changed, places)
        self._free.bound(changed, self._seen_up[changed], self._seen_down[changed])
        inside = changed[self._inside[changed]]
        for program in (self._closed, self._quick):
            program.bound(inside, self._seen_up[inside], self._seen_down[inside])

    def reach(self, entry: int, sign: int, most: float, *, quick: bool = False) -> tuple[float, Floats]:
        """Return how far an entry can rise (sign 1) or fall (-1) up to a limit, and the changes of all.

        If `quick` is True, other entries may change more than necessary.
        """
        column = int(self._position[entry])
        limit = min(most, self.slack(entry, sign))
        if not self._inside[column] or limit <= 0:
            return 0.0, np.zeros(len(self.columns))
        program = self._quick if quick else self._closed
        change = program.moved(column, sign, limit)
        if change is None:
            change = program.pushed(column, sign, limit)
        return abs(float(change[column])), change

    def augment(self, entry: int, sign: int, change: Floats, gain: float) -> tuple[float, Whole]:
        """Return the price of a further change by about `gain`, and the entries to suppress for it."""
        column = int(self._position[entry])
        there, room = abs(float(change[column])), self.slack(entry, sign)
        for _ in range(HALVES):
            if there + gain <= room + STILL:
                moved = self._free.moved(column, sign, there + gain)
                if moved is not None:
                    new = np.flatnonzero((moved != 0) & ~self._inside)
                    return float(self._costs[new].sum()) / gain, self.columns[new]
            gain /= 2
        return np.inf, np.empty(0, dtype=np.int64)

    def slack(self, entry: int, sign: int) -> float:
        """Return how far an entry can change by its own bounds alone."""
        return float((self._seen_up if sign > 0 else self._seen_down)[self._position[entry]])

    def steps(self, amount: float) -> float:
        """Return the amount unchanged; a linear program has no whole steps."""
        return amount

    @property
    def effort(self) -> float:
        """Cost of the check of one entry, in units of `problem.Work`."""
        return 10.0 * float(self._inside.sum())

    def _begun(self) -> tuple[_Program, _Program]:
        return _Program(self._matrix), _Program(self._matrix, idle=True)


class _Program:
    """Linear program for a change of the table, with a price for each entry that rises or falls.

    If `idle` is True, all prices are 0. Such a program starts from the last change and needs few steps, but
    earlier changes of other entries may remain.
    """

    def __init__(self, matrix: Sparse, *, idle: bool = False) -> None:
        import highspy

        self._matrix, self._idle = matrix, idle
        self._solver = silent_solver()
        rows, nothing = matrix.shape[0], np.zeros(0)
        self._solver.addRows(
            rows, np.zeros(rows), np.zeros(rows), 0, np.zeros(rows, np.int32), np.zeros(0, np.int32), nothing
        )
        self._optimal = highspy.HighsModelStatus.kOptimal
        #: Signs of the columns of an entry: one for rising and, if not idle, another for falling.
        self._signs = np.array([1.0]) if idle else np.array([1.0, -1.0])
        self._turn = np.full(matrix.shape[1], -1)
        self._places = np.empty(0, dtype=np.int64)
        self._up, self._down, self._costs = np.empty(0), np.empty(0), np.empty(0)

    def add(self, places: Whole, costs: Floats) -> None:
        """Allow further entries to change."""
        old = self._turn[places] >= 0
        self.price(places[old], costs[old])
        new, costs, each = places[~old], costs[~old], len(self._signs)
        if not len(new):
            return
        parts = self._matrix[:, np.repeat(new, each)]
        data = parts.data * np.repeat(np.tile(self._signs, len(new)), np.diff(parts.indptr))
        nothing, price = np.zeros(each * len(new)), np.repeat(0 * costs if self._idle else costs, each)
        starts, rows = parts.indptr[:-1].astype(np.int32), parts.indices.astype(np.int32)
        self._solver.addCols(len(price), price, nothing, nothing, len(data), starts, rows, data)
        self._turn[new] = len(self._places) + np.arange(len(new))
        self._places = np.concatenate([self._places, new])
        zero = np.zeros(len(new))
        self._up, self._down = np.concatenate([self._up, zero]), np.concatenate([self._down, zero])
        self._costs = np.concatenate([self._costs, costs])

    def bound(self, places: Whole, up: Floats, down: Floats) -> None:
        """Set how far entries may rise and fall."""
        turns = self._turn[places]
        self._up[turns], self._down[turns] = up, down
        self._limit(turns, -down, up)

    def price(self, places: Whole, costs: Floats) -> None:
        """Set the cost per step of entries."""
        turns = self._turn[places]
        self._costs[turns] = costs
        if len(turns) and not self._idle:
            both = np.concatenate([2 * turns, 2 * turns + 1]).astype(np.int32)
            self._solver.changeColsCost(len(both), both, np.tile(costs, 2))

    def pushed(self, number: int, sign: int, limit: float) -> Floats:
        """Return the change in which an entry moves as far as possible, up to the limit."""
        turn = int(self._turn[number])
        column, cost = (turn, 0.0) if self._idle else (2 * turn + (sign < 0), float(self._costs[turn]))
        self._solver.changeColCost(column, -float(sign) if self._idle else -1.0)
        low, high = (0.0, limit) if sign > 0 else (-limit, 0.0)
        change = self._solved(turn, low, high)
        self._solver.changeColCost(column, cost)
        assert change is not None  # the zero change is feasible
        return change

    def moved(self, column: int, sign: int, wanted: float) -> Floats | None:
        """Return the cheapest change in which an entry moves by this amount, or None."""
        return self._solved(int(self._turn[column]), sign * wanted, sign * wanted)

    def _solved(self, turn: int, least: float, most: float) -> Floats | None:
        at = np.array([turn])
        self._limit(at, np.array([least]), np.array([most]))
        if not self._idle:
            # The zero change is a better starting point than the last change, which was for another entry.
            self._solver.clearSolver()
        self._solver.run()
        solution = None
        if self._solver.getModelStatus() == self._optimal:
            x = np.asarray(self._solver.getSolution().col_value).reshape(-1, len(self._signs)) @ self._signs
            x[np.abs(x) <= STILL] = 0
            solution = np.zeros(len(self._turn))
            solution[self._places] = x
        self._limit(at, -self._down[at], self._up[at])
        return solution

    def _limit(self, turns: Whole, least: Floats, most: Floats) -> None:
        """Set the bounds of the change of some entries."""
        if not len(turns):
            return
        if self._idle:
            self._solver.changeColsBounds(len(turns), turns.astype(np.int32), least, most)
            return
        both = np.concatenate([2 * turns, 2 * turns + 1]).astype(np.int32)
        low = np.maximum(np.concatenate([least, -most]), 0)
        self._solver.changeColsBounds(len(both), both, low, np.maximum(np.concatenate([most, -least]), 0))
