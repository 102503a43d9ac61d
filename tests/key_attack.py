"""An intruder who enumerates all tables and all keys that agree with a release of the cell key method.

The intruder knows the p-table, the published cells and margins of a two-way table, and how noise follows from keys. The
programs share no code with the package: sets of people, noise and keys are written anew from the handbook, section 5.4.
"""

import itertools
import math

import numpy as np
from scipy.optimize import linprog

#: Keys have nine decimals, and intervals are half-open: an interval ends this much before its upper bound.
STEP = 1e-9


def sources(p_table, published):
    """Return the counts behind each value, with the interval of keys that gives the noise."""
    last = int(p_table.i.max())
    found = {}
    for value in published:
        options = [(0, 0.0, 0.0)] if value == 0 else []
        for i, v, low, high in zip(p_table.i, p_table.v, p_table.p_int_lb, p_table.p_int_ub, strict=True):
            count = value - v
            if count > 0 and min(count, last) == i and high > low:
                options.append((int(count), float(low), float(high)))
        found[value] = options
    return found


def possible_lines(p_table, first, second, total, *, plain):
    """Return all pairs of counts behind two published cells and their total.

    With plain keys the key of the total is the sum of the two keys. With mixed keys only equal people tie values.
    """
    behind = sources(p_table, {first, second, total})
    totals = {count: (low, high) for count, low, high in behind[total]}
    found = []
    for (a, a_low, a_high), (b, b_low, b_high) in itertools.product(behind[first], behind[second]):
        if a + b not in totals:
            continue
        if plain:
            low, high = totals[a + b]
            # Nobody has the key 0, so the sum of the keys is then the key of the others.
            least, most = a_low + b_low, a_high + b_high - STEP
            fits = any(least <= high - STEP + turn and low + turn <= most for turn in (0, 1)) or a + b == 0
        else:
            fits = (a > 0 or second == total) and (b > 0 or first == total)
        if fits:
            found.append((a, b))
    return np.array(found).reshape(-1, 2)


def possible_tables(p_table, cells, rows, columns, total, *, plain, tries=400):
    """Return all 2 x 2 tables behind published cells and margins, shape (tables, 2, 2)."""
    behind = sources(p_table, {*cells.ravel().tolist(), *rows.tolist(), *columns.tolist(), total})
    rng = np.random.default_rng(1)
    found = []
    for options in itertools.product(*(behind[value] for value in cells.ravel().tolist())):
        counts = np.array([count for count, _, _ in options]).reshape(2, 2)
        sums = [*zip(counts.sum(axis=1), rows, strict=True), *zip(counts.sum(axis=0), columns, strict=True)]
        sums.append((counts.sum(), total))
        ends = []
        for count, value in sums:
            fits = [(low, high) for other, low, high in behind[int(value)] if other == count]
            ends += fits[:1]
        if len(ends) < len(sums):
            continue
        agrees = keys_exist if plain else people_agree
        if agrees(counts, cells, rows, columns, total, options, ends, rng, tries):
            found.append(counts)
    return np.array(found).reshape(-1, 2, 2)


def people_agree(counts, cells, rows, columns, total, *_):
    """Return whether published values of the same people are equal: the only tie between mixed keys."""
    same = [
        (rows[k] == cells[k, j]) for k in range(2) for j in range(2) if counts[k, 1 - j] == 0 and counts[k, j]
    ]
    same += [
        (columns[j] == cells[k, j])
        for k in range(2)
        for j in range(2)
        if counts[1 - k, j] == 0 and counts[k, j]
    ]
    for side, published in ((1, rows), (0, columns)):
        sums = counts.sum(axis=side)
        same += [published[k] == total for k in range(2) if sums[1 - k] == 0 and sums[k]]
    return all(same)


#: Which of four cells are in both rows, both columns and the total.
SUMS = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])


def keys_exist(counts, cells, rows, columns, total, options, ends, rng, tries):
    """Return whether some keys of the cells give all the noise: by trying some, then by linear programs."""
    low = np.array([start for _, start, _ in options])
    high = np.array([max(end - STEP, start) for _, start, end in options])
    empty = SUMS @ counts.ravel() == 0
    of_sums = [
        (0.0, 0.0) if nobody else (start, end - STEP)
        for nobody, (start, end) in zip(empty, ends, strict=True)
    ]
    keys = low + rng.random((tries, 4)) * (high - low)
    drawn = keys @ SUMS.T % 1
    fits = [(drawn[:, k] >= start) & (drawn[:, k] <= end) for k, (start, end) in enumerate(of_sums)]
    if np.all(fits, axis=0).any():
        return True
    least, most = SUMS @ low, SUMS @ high
    turns = [
        range(math.floor(least[k] - end), math.ceil(most[k] - start) + 1)
        for k, (start, end) in enumerate(of_sums)
    ]
    for turn in itertools.product(*turns):
        starts = np.array([start + n for (start, _), n in zip(of_sums, turn, strict=True)])
        stops = np.array([end + n for (_, end), n in zip(of_sums, turn, strict=True)])
        if (starts > most).any() or (stops < least).any():
            continue
        # As much room on all sides as possible: keys on an edge only are no keys.
        room = np.concatenate([np.ones(5), np.ones(5)])[:, None]
        solved = linprog(
            [0, 0, 0, 0, -1],
            A_ub=np.hstack([np.vstack([SUMS, -SUMS]), np.where(np.r_[empty, empty][:, None], 0, room)]),
            b_ub=np.concatenate([stops, -starts]),
            bounds=[*zip(low, high, strict=True), (0, 1)],
        )
        if solved.status == 0 and -solved.fun > 1e-7:
            return True
    return False


def certain_lines(tables, counts):
    """Return how many rows and columns hold all their people in one cell, in every possible table."""
    number = 0
    for axis in (0, 1):
        for k in range(2):
            line = tables.take(k, axis=axis + 1)
            if counts.take(k, axis=axis).sum() and ((line > 0).sum(axis=0) > 0).sum() == 1:
                number += 1
    whole = [tables.sum(axis=2), tables.sum(axis=1)]
    return number + sum(int((side.sum(axis=0) > 0).sum() == 1) for side in whole if counts.sum())
