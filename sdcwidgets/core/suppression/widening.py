"""Widen a pattern until every interval is wide enough for external intruders, respondents and coalitions.

Two changes of the table, one up and one down, prove the width of an entry. They are also a proof for every
respondent whose own contributions they do not change. For the few others a new proof is needed, and so on for
each larger coalition. Missing suppressions are added at least cost. Further suppressed entries never narrow an
interval, so no entry is checked twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from .._arrays import Flags, Floats, Whole
from .insiders import OUTSIDE, Coalition, InsiderView, Leeway
from .problem import Problem, Unprotectable, Work

TOLERANCE = 1e-6


class ChangeOracle(Protocol):
    """Interface of the search for reachable changes: `paths.CycleSearch` or `programs.Programs`."""

    columns: Whole

    @property
    def effort(self) -> float:
        """Cost of the check of one entry, in units of `Work`."""

    def allow(self, pattern: Flags) -> None:
        """Set the pattern."""

    def open(self, entries: Whole) -> None:
        """Suppress further entries."""

    def shut(self, entry: int) -> None:
        """Publish an entry again."""

    def set_insider(self, limits: Leeway | None) -> None:
        """Set the view of an insider; None is the view of an external intruder."""

    def reach(self, entry: int, sign: int, most: float, *, quick: bool = False) -> tuple[float, Floats]:
        """Return how far an entry can rise (sign 1) or fall (-1) up to a limit, and the changes of all.

        If `quick` is True, other entries may change more than necessary.
        """

    def augment(self, entry: int, sign: int, change: Floats, gain: float) -> tuple[float, Whole]:
        """Return the price of a further change of at most `gain`, and the entries to suppress for it."""

    def slack(self, entry: int, sign: int) -> float:
        """Return how far an entry can change by its own bounds alone."""

    def steps(self, amount: float) -> float:
        """Return an amount rounded up to possible steps."""


class Proof(NamedTuple):
    """Two changes, up and down, of the entries that they affect."""

    touched: Whole
    changes: Floats


class Failure(NamedTuple):
    """An entry with an interval that is too narrow for a coalition."""

    entry: int
    who: Coalition


class Widening:
    """Search that widens a pattern, with the proofs of its intervals."""

    def __init__(self, problem: Problem, moves: ChangeOracle, start: Flags, work: Work) -> None:
        self._problem, self._moves, self._work = problem, moves, work
        self.pattern = start.copy()
        self._insider_view = None if problem.insiders is None else InsiderView(problem, problem.insiders)
        self._required = tuple(
            np.array([moves.steps(amount) for amount in requirement]) if len(requirement) else requirement
            for requirement in (problem.below, problem.above, problem.required[2])
        )
        self._proofs: dict[int, list[Proof]] = {}
        self._who: Coalition = OUTSIDE
        self._changes: dict[Coalition, list[Floats]] = {}
        moves.set_insider(None)
        moves.allow(start)

    def widened(self) -> Flags:
        """Return the pattern with all missing suppressions added.

        Raises
        ------
        Unprotectable
            If an interval is too narrow even if all permitted entries are suppressed.
        """
        problem, waiting, held = self._problem, np.flatnonzero(self.pattern), self._insider_view is None
        while True:
            self._widen(waiting)
            before = self.pattern.copy()
            self._join()
            if np.array_equal(before, self.pattern) and not held:
                held = True
                for entry in np.flatnonzero(problem.primary).tolist():
                    self._proofs[entry] = self._hold(entry, add=True)
            waiting = np.flatnonzero(self.pattern & ~before)
            if not len(waiting):
                return self.pattern

    def failures(self) -> list[Failure]:
        """Return the entries with too narrow intervals, each with the first coalition found."""
        failed: list[Failure] = []
        for entry in np.flatnonzero(self.pattern).tolist():
            try:
                self._hold(entry, add=False)
            except _TooNarrow as narrow:
                failed.append(Failure(entry, narrow.who))
        return failed

    def thinned(self) -> Flags:
        """Return the pattern without unnecessary suppressions, expensive entries first, until the work ends."""
        problem = self._problem
        extra = np.flatnonzero(self.pattern & ~problem.primary)
        for entry in np.flatnonzero(self.pattern).tolist():
            if self._work.over:
                return self.pattern
            if entry not in self._proofs:
                self._proofs[entry] = self._hold(entry, add=False)
        needs: dict[int, set[int]] = {}
        for entry, proofs in self._proofs.items():
            for touched in _touched(proofs):
                needs.setdefault(touched, set()).add(entry)
        for gap in extra[np.argsort(-problem.weights[extra], kind="stable")].tolist():
            if self._work.over:
                break
            self.pattern[gap] = False
            self._moves.shut(gap)
            self._changes.clear()
            new: dict[int, list[Proof]] = {}
            try:
                if len(weak_relations(problem, self.pattern, gap)):
                    raise _TooNarrow(gap, OUTSIDE)
                for entry in sorted(needs.get(gap, set()) - {gap}):
                    if any(gap in proof.touched for proof in self._proofs.get(entry, ())):
                        new[entry] = self._hold(entry, add=False)
            except _TooNarrow:
                self.pattern[gap] = True
                self._moves.open(np.array([gap]))
                continue
            self._proofs.pop(gap, None)
            self._proofs.update(new)
            for entry, proofs in new.items():
                for touched in _touched(proofs):
                    needs.setdefault(touched, set()).add(entry)
        return self.pattern

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the least and the greatest value of each entry for an external intruder."""
        lower, upper = self._problem.values.copy(), self._problem.values.copy()
        room = self._problem.room
        self._look(OUTSIDE)
        for entry in np.flatnonzero(self.pattern).tolist():
            up, down = (self._moves.reach(entry, sign, np.inf, quick=True)[0] for sign in (1, -1))
            # An entry whose change reaches the artificial limit `room` is unbounded.
            upper[entry] += np.inf if up >= room[entry] > self._problem.values.sum() else up
            lower[entry] -= down
        return lower, upper

    def _widen(self, waiting: Whole) -> None:
        """Widen entries for an external intruder; each change can prove several entries."""
        self._look(OUTSIDE)
        low, high = np.zeros(len(self._problem.values)), np.zeros(len(self._problem.values))
        columns = self._moves.columns
        while len(waiting):
            added: list[int] = []
            for entry in waiting[np.argsort(-self._required[2][waiting], kind="stable")].tolist():
                required = self._outside(entry)
                while not _enough(high[entry], -low[entry], required):
                    rise, fall = self._reach(entry, required, quick=True)
                    for change in (rise, fall):
                        low[columns] = np.minimum(low[columns], change)
                        high[columns] = np.maximum(high[columns], change)
                    if not _enough(high[entry], -low[entry], required):
                        added.extend(self._more(entry, required, (rise, fall), OUTSIDE).tolist())
            # Further suppressed entries never narrow the intervals that were wide enough.
            waiting = np.asarray(added, dtype=np.int64)

    def _join(self) -> None:
        """Add a suppressed part to each sum whose suppressed parts are sensitive together."""
        problem = self._problem
        weak = weak_relations(problem, self.pattern)
        while len(weak):
            for relation in weak:
                members = problem.relations.matrix[[relation]].indices
                free = members[problem.usable[members] & ~self.pattern[members]]
                if not len(free):
                    inside = members[self.pattern[members]]
                    raise Unprotectable(
                        int(inside[0]),
                        "The suppressed parts of a sum are sensitive together, and no other part can be suppressed.",
                    )
                self._add(free[[np.argmin(problem.weights[free])]])
            weak = weak_relations(problem, self.pattern)

    def _hold(self, entry: int, *, add: bool) -> list[Proof]:
        """Return proofs for all views; if `add` is True, suppress missing entries, otherwise raise `_TooNarrow`."""
        proofs: list[Proof] = []
        waiting, looked = [OUTSIDE], {OUTSIDE}
        while waiting:
            who = waiting.pop()
            required = self._asks(entry, who)
            if required is None:
                continue  # the coalition makes up the whole entry
            # A proof for one coalition is often valid for others.
            proof = next((earlier for earlier in proofs if self._proves(earlier, entry, required, who)), None)
            if proof is None:
                proof = self._prove(entry, required, who, add)
                proofs.append(proof)
            if self._insider_view is None or not self._problem.primary[entry]:
                continue
            for holder in self._insider_view.doubters(who, *proof):
                larger = who | {holder}
                if larger not in looked:
                    looked.add(larger)
                    waiting.append(larger)
        return proofs

    def _proves(self, proof: Proof, entry: int, required: tuple[float, float, float], who: Coalition) -> bool:
        """Return whether a proof is sufficient for an entry and keeps the coalition's contributions."""
        rise, fall = _at(proof, np.array([entry]))[:, 0]
        if not _enough(rise, -fall, required):
            return False
        if not who:
            return True
        assert self._insider_view is not None
        limits = self._insider_view.limits(who)
        changes = _at(proof, limits.entries)
        slack = TOLERANCE * np.maximum(1, self._problem.values[limits.entries])
        return bool(np.all(changes <= limits.up + slack) and np.all(-changes <= limits.down + slack))

    def _prove(self, entry: int, required: tuple[float, float, float], who: Coalition, add: bool) -> Proof:
        # The other changes matter only for larger coalitions.
        quick = self._insider_view is not None and len(who) == self._insider_view.most
        column = np.searchsorted(self._moves.columns, entry)
        seen = self._changes.setdefault(who, []) if quick else []
        if seen:
            moved = [change[column] for change in seen]
            rise, fall = seen[int(np.argmax(moved))], seen[int(np.argmin(moved))]
            if _enough(max(rise[column], 0), max(-fall[column], 0), required):
                touched = np.flatnonzero((rise != 0) | (fall != 0))
                return Proof(self._moves.columns[touched], np.stack([rise[touched], fall[touched]]))
        self._look(who)
        while True:
            rise, fall = self._reach(entry, required, quick=quick)
            if quick:
                seen += [rise, fall]
            if _enough(rise[column], -fall[column], required):
                touched = np.flatnonzero((rise != 0) | (fall != 0))
                return Proof(self._moves.columns[touched], np.stack([rise[touched], fall[touched]]))
            if not add:
                raise _TooNarrow(entry, who)
            self._more(entry, required, (rise, fall), who)

    def _asks(self, entry: int, who: Coalition) -> tuple[float, float, float] | None:
        """Return the required distances below, above and in total, or None if the coalition is the whole entry."""
        below, above, width = self._outside(entry)
        if not who:
            return below, above, width
        assert self._insider_view is not None
        value, share = float(self._problem.values[entry]), self._insider_view.share(entry, who)
        if share >= value:
            return None
        # The coalition knows that the entry is at least its own contribution.
        return min(below, value - share), above, width

    def _outside(self, entry: int) -> tuple[float, float, float]:
        below, above, width = (float(requirement[entry]) for requirement in self._required)
        return below, above, width

    def _reach(
        self, entry: int, required: tuple[float, float, float], *, quick: bool
    ) -> tuple[Floats, Floats]:
        """Return a change in which an entry rises as far as required or possible, and one in which it falls."""
        below, above, width = required
        moves = self._moves
        effort = moves.effort / 5 if quick else moves.effort
        self._work.spend(effort)
        up, rise = moves.reach(entry, 1, max(above, width), quick=quick)
        if _enough(up, 0.0, required):
            return rise, np.zeros_like(rise)
        self._work.spend(effort)
        return rise, moves.reach(entry, -1, max(below, width - up), quick=quick)[1]

    def _more(
        self, entry: int, required: tuple[float, float, float], changes: tuple[Floats, Floats], who: Coalition
    ) -> Whole:
        """Suppress the cheapest entries that allow a further change, and return them."""
        (rise, fall), (below, above, width), moves = changes, required, self._moves
        column = np.searchsorted(moves.columns, entry)
        up, down = float(rise[column]), -float(fall[column])
        up_room, down_room = moves.slack(entry, 1), moves.slack(entry, -1)
        missing = width - up - down
        ways = []
        if up < above - TOLERANCE or (down >= below - TOLERANCE and up < up_room):
            ways.append((1, rise, min(max(above - up, missing), up_room - up)))
        if up >= above - TOLERANCE and down < down_room:
            ways.append((-1, fall, min(max(below - down, missing), down_room - down)))
        self._work.spend(4 * moves.effort)
        additions = [moves.augment(entry, sign, change, gain) for sign, change, gain in ways if gain > 0]
        # Options without a finite price or without new entries are useless.
        additions = [(price, more) for price, more in additions if np.isfinite(price) and len(more)]
        if not additions:
            raise Unprotectable(
                entry,
                f"No pattern protects the cell at position {entry}: even if all permitted cells are suppressed, its "
                f"interval is too narrow{' for an internal intruder' if who else ''}.",
                inside=bool(who),
            )
        more = min(additions, key=lambda addition: addition[0])[1]
        self._add(more)
        return more

    def _add(self, entries: Whole) -> None:
        self.pattern[entries] = True
        self._moves.open(entries)

    def _look(self, who: Coalition) -> None:
        if who != self._who:
            self._moves.set_insider(
                self._insider_view.limits(who) if who and self._insider_view is not None else None
            )
            self._who = who


class _TooNarrow(Exception):
    """The interval of an entry is too narrow for a coalition."""

    def __init__(self, entry: int, who: Coalition) -> None:
        super().__init__(entry)
        self.who = who


def weak_relations(problem: Problem, pattern: Flags, entry: int | None = None) -> Whole:
    """Return the relations (all, or of one entry) whose suppressed parts are sensitive together."""
    if problem.union is None:
        return np.empty(0, dtype=np.int64)
    matrix = problem.relations.matrix
    chosen = np.arange(matrix.shape[0]) if entry is None else matrix[:, [entry]].tocoo().row
    entries = matrix[chosen].tocoo()
    total = np.zeros(len(chosen), dtype=np.int64)
    total[entries.row[entries.data < 0]] = entries.col[entries.data < 0]
    weak = (entries.data > 0) & pattern[entries.col] & ~pattern[total][entries.row]
    return problem.union(chosen[entries.row[weak]].astype(np.int64), entries.col[weak].astype(np.int64))


def _enough(up: float, down: float, required: tuple[float, float, float]) -> bool:
    below, above, width = required
    slack = TOLERANCE * max(1.0, width)
    return bool(up >= above - slack and down >= below - slack and up + down >= width - slack)


def _at(proof: Proof, entries: Whole) -> Floats:
    """Return the two changes of some entries, 0 if the proof does not affect them."""
    if not len(proof.touched):
        return np.zeros((2, len(entries)))
    at = np.minimum(np.searchsorted(proof.touched, entries), len(proof.touched) - 1)
    return np.where(proof.touched[at] == entries, proof.changes[:, at], 0.0)


def _touched(proofs: Iterable[Proof]) -> set[int]:
    return {column for proof in proofs for column in proof.touched.tolist()}
