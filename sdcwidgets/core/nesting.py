"""Find lines of a table that are sums of other lines, and measure the evidence against coincidence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, log2

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats, Whole

#: Evidence in bits from which a sum is possibly, and from which it is certainly, not a coincidence.
#: `benchmarks/nesting.py` measures how often random tables without a hierarchy reach these values, and how
#: often hierarchies do not.
POSSIBLE, SURE = -1.0, 0.5

#: Maximum number of lines to search for sums of two, three and four other lines.
MOST_LINES = {2: 1500, 3: 600, 4: 120}

#: Maximum number of runs of neighbouring lines to compare.
MOST_RUNS = 1_000_000

#: Maximum number of lines to search for sums of any number of lines, and maximum number of steps of the search.
MOST_ANY, MOST_STEPS = 60, 5_000


@dataclass(frozen=True)
class LineSum:
    """Lines that equal the sum of other lines in every column.

    Attributes
    ----------
    totals : tuple of int
        The line that is the sum. Several neighbouring lines if they classify the same people as `parts`.
    parts : tuple of int
        The lines with this sum.
    bits : float
        Evidence against coincidence: minus the binary logarithm of its approximate probability.
    """

    totals: tuple[int, ...]
    parts: tuple[int, ...]
    bits: float


def find_sums(
    lines: Whole, suggested: Sequence[tuple[int, Sequence[int]]] = (), least: float = POSSIBLE
) -> list[LineSum]:
    """Return the lines that are sums of others, from the lowest level of a hierarchy to the highest.

    A line is part of at most one sum, so the sums form a hierarchy. The last result may have several totals:
    then two groups of lines classify the same people. A single pair of equal lines is not a hierarchy, unless
    the labels state it.

    Parameters
    ----------
    lines : ndarray of int, shape (n, columns)
        Counts, 0 or more.
    suggested : sequence of (int, sequence of int)
        Total and parts of each sum that the labels state.
    least : float
        Minimum evidence of a sum, in bits.

    Returns
    -------
    list of LineSum
        Empty if all sums are pairs of equal lines that no label states.

    Examples
    --------
    >>> lines = np.array([[61, 70], [33, 38], [1, 20], [32, 18], [28, 32], [13, 30], [15, 2]])
    >>> [(found.totals, found.parts) for found in find_sums(lines)]
    [((4,), (5, 6)), ((1,), (2, 3)), ((0,), (1, 4))]
    """
    lines = np.asarray(lines, dtype=np.int64)
    sizes, bits = lines.sum(axis=1), _bits(lines)
    active = np.flatnonzero(sizes > 0)
    accepted: list[LineSum] = []
    while len(active) > 1:
        sums = [
            line_sum for line_sum in _single(lines, active, bits, suggested, least) if line_sum.bits >= least
        ]
        # Smaller sums first: the parts of a grand total are the sub-totals, not the parts of these.
        sums.sort(key=lambda line_sum: (sizes[line_sum.totals[0]], len(line_sum.parts), -line_sum.bits))
        free, taken = set(active.tolist()), []
        for line_sum in sums:
            if free.issuperset((*line_sum.totals, *line_sum.parts)):
                free.difference_update(line_sum.parts)
                taken.append(line_sum)
        if not taken:
            break
        accepted += taken
        active = np.array([line for line in active.tolist() if line in free], dtype=np.intp)
    accepted += _repeated(lines, active, least)
    stated = {(total, tuple(parts)) for total, parts in suggested}
    no_accident = any(
        len(line_sum.parts) > 1 or (line_sum.totals[0], line_sum.parts) in stated for line_sum in accepted
    )
    return accepted if no_accident else []


def _bits(sums: Whole) -> Floats:
    """Return minus the binary logarithm of the probability that Poisson counts equal their expectations."""
    bits: Floats = 0.5 * np.log2(1 + 2 * np.pi * sums.astype(np.float64)).sum(axis=-1)
    return bits


def _single(
    lines: Whole,
    active: NDArray[np.intp],
    bits: Floats,
    suggested: Sequence[tuple[int, Sequence[int]]],
    least: float,
) -> Iterator[LineSum]:
    """Yield lines that are sums of other lines, with evidence reduced by the number of trials."""
    n = len(active)
    keys = _keys(lines[active])
    known = set(active.tolist())
    for total, parts in suggested:
        if known.issuperset((total, *parts)) and _is_sum(lines, [total], parts):
            yield LineSum((total,), tuple(parts), float(bits[total]) - log2(len(suggested)))
    trials = {"whole": n, "beside": n * n, "run": n**3 / 2}
    for total, parts, kind in _runs(keys):
        yield _line_sum(lines, active, bits, total, parts, trials[kind])
    for size in (2, 3, 4):
        cost = log2(max(n * comb(n - 1, size), 1))
        able = np.flatnonzero(bits[active] - cost >= least)
        if n <= MOST_LINES[size] and len(able):
            for total, chosen in _few(keys, able, size):
                yield _line_sum(lines, active, bits, total, chosen, 2**cost)
    cost = n - 1 + log2(n)
    if n <= MOST_ANY:
        steps = MOST_STEPS
        for total in np.flatnonzero(bits[active] - cost >= least).tolist():
            chosen, steps = _any(lines[active], total, steps)
            if chosen:
                yield _line_sum(lines, active, bits, total, chosen, 2.0**cost)


def _line_sum(
    lines: Whole, active: NDArray[np.intp], bits: Floats, total: int, parts: Sequence[int], trials: float
) -> LineSum:
    """Return a sum with line numbers of the whole table; the evidence is -inf if only the hashes agree."""
    places = tuple(active[list(parts)].tolist())
    line = int(active[total])
    sure = float(bits[line]) - log2(trials) if _is_sum(lines, [line], places) else -np.inf
    return LineSum((line,), places, sure)


def _is_sum(lines: Whole, totals: Sequence[int], parts: Sequence[int]) -> bool:
    return bool((lines[list(totals)].sum(axis=0) == lines[list(parts)].sum(axis=0)).all())


def _keys(lines: Whole) -> NDArray[np.uint64]:
    """Return a linear hash of each line, modulo 2**64: equal sums of lines have equal sums of hashes."""
    factors = np.random.default_rng(1).integers(1, 2**63, lines.shape[1], dtype=np.uint64) | np.uint64(1)
    keys: NDArray[np.uint64] = (lines.astype(np.uint64) * factors).sum(axis=1, dtype=np.uint64)
    return keys


def _ends(keys: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint64]]:
    """Return the first line, the line after the last, and the sum of the hashes of each run of lines."""
    n = len(keys)
    longest = min(n, max(1, MOST_RUNS // n))
    before = np.concatenate([[np.uint64(0)], np.cumsum(keys, dtype=np.uint64)])
    first = np.concatenate([np.arange(n + 1 - length) for length in range(1, longest + 1)])
    length = np.repeat(np.arange(1, longest + 1), n + 1 - np.arange(1, longest + 1))
    return first, first + length, before[first + length] - before[first]


def _runs(keys: NDArray[np.uint64]) -> Iterator[tuple[int, list[int], str]]:
    """Yield each line that is the sum of all others or of a run of lines, with the kind of sum."""
    n = len(keys)
    whole = np.flatnonzero(keys == keys.sum(dtype=np.uint64) - keys)
    for total in whole.tolist() if n > 2 else ():
        yield total, [line for line in range(n) if line != total], "whole"
    first, end, sums = _ends(keys)
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], sums)
    known = at < n
    hits = np.flatnonzero(known)[keys[order][at[known]] == sums[known]]
    for run in hits.tolist():
        start, stop = int(first[run]), int(end[run])
        for total in order[at[run] : np.searchsorted(keys[order], sums[run], side="right")].tolist():
            # If two lines are equal, the first is the total.
            if not start <= total < stop and (stop - start > 1 or total < start):
                kind = "beside" if total in (start - 1, stop) else "run"
                yield total, list(range(start, stop)), kind


def _few(keys: NDArray[np.uint64], able: NDArray[np.intp], size: int) -> Iterator[tuple[int, list[int]]]:
    """Yield lines of `able` that are the sum of two, three or four other lines."""
    n = len(keys)
    first, second = (side.astype(np.intp) for side in np.triu_indices(n, 1))
    pairs = keys[first] + keys[second]
    order = np.argsort(pairs, kind="stable")
    ordered = pairs[order]
    # In addition to a pair: nothing, another line, or another pair.
    more: list[NDArray[np.intp]] = [[], [np.arange(n)], [first, second]][size - 2]
    for total in able.tolist():
        rest = keys[[total]] - (np.add.reduce([keys[lines] for lines in more]) if more else np.uint64(0))
        at = np.searchsorted(ordered, rest)
        known = np.flatnonzero(at < len(ordered))
        for hit in known[ordered[at[known]] == rest[known]].tolist():
            pair = order[at[hit]]
            chosen = sorted({int(first[pair]), int(second[pair]), *(int(lines[hit]) for lines in more)})
            if len(chosen) == size and total not in chosen:
                yield total, chosen


def _any(lines: Whole, total: int, steps: int) -> tuple[list[int], int]:
    """Return lines that add up to a line, by depth-first search, and the remaining steps."""
    goal = lines[total]
    fitting = [i for i in range(len(lines)) if i != total and (lines[i] <= goal).all()]
    fitting.sort(key=lambda i: -int(lines[i].sum()))
    if not fitting:
        return [], steps
    # Sum of the lines from each position on.
    ahead = np.cumsum(lines[fitting][::-1], axis=0)[::-1]
    stack: list[tuple[int, NDArray[np.int64], list[int]]] = [(0, goal, [])]
    while stack and steps > 0:
        steps -= 1
        position, rest, chosen = stack.pop()
        if not rest.any():
            return (chosen, steps) if len(chosen) > 1 else ([], steps)
        if position == len(fitting) or (ahead[position] < rest).any():
            continue
        stack.append((position + 1, rest, chosen))
        line = lines[fitting[position]]
        if (line <= rest).all():
            stack.append((position + 1, rest - line, [*chosen, fitting[position]]))
    return [], steps


def _repeated(lines: Whole, active: NDArray[np.intp], least: float) -> list[LineSum]:
    """Return the pair of runs with equal sums that has the most evidence: two classifications of people."""
    n = len(active)
    if n < 4:
        return []
    first, end, sums = _ends(_keys(lines[active]))
    several = np.flatnonzero(end - first > 1)
    order = several[np.argsort(sums[several], kind="stable")]
    best: list[LineSum] = []
    for _, group in itertools.groupby(order.tolist(), key=lambda run: sums[run]):
        runs = sorted(group, key=lambda run: end[run])
        for first_run, second_run in itertools.pairwise(runs):
            if end[first_run] > first[second_run]:
                continue
            totals = tuple(active[first[first_run] : end[first_run]].tolist())
            parts = tuple(active[first[second_run] : end[second_run]].tolist())
            # Number of trials: two runs that cover all lines, adjacent runs, or any runs.
            if len(totals) + len(parts) == n:
                trials: float = n
            elif end[first_run] == first[second_run]:
                trials = n**2
            else:
                trials = n**4 / 8
            bits = float(_bits(lines[list(totals)].sum(axis=0))) - log2(trials)
            if bits >= least and _is_sum(lines, totals, parts) and (not best or bits > best[0].bits):
                best = [LineSum(totals, parts, bits)]
    return best
