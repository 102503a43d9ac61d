"""Attack cell suppression and controlled rounding by running the program: `minimality.py [seconds] [seed]`.

The attacker knows the program, its settings and everything that is published, but not the secret. The attacker runs the
program under all secrets on every table that fits, and keeps the tables that lead to what is published (minimality
attack). For cell suppression, the secret selects one of four thresholds, so four secrets have all results. A count is
exact if all kept tables agree on it. The script prints, for tables of 2 x 2 to 4 x 4:

* of the suppressed small counts, how many are exact for the choice by a secret and for the cheapest pattern;
* of the intervals of controlled rounding, how many are narrower than stated;
* by how much the suppressed sum and the distance grow, compared with the optimum of the same table.

The seconds are processor time; tables are numbered from the seed, so that another seed gives fresh tables.
"""

from __future__ import annotations

import functools
import itertools
import sys
import time
from collections.abc import Iterator

import numpy as np
from scipy.stats import beta

from sdcwidgets import InputError
from sdcwidgets.core.suppression import SHARES, Problem, failures, first_level, pattern_with, raised
from sdcwidgets.core.suppression.certificate import fitting_tables, likely
from sdcwidgets.methods.canonical import canonical
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.rounding import ControlledRounding
from sdcwidgets.methods.suppressing import suppressed
from sdcwidgets.tables.table import FrequencyTable

#: Secrets that the attacker of controlled rounding tries on each table.
SECRETS = 150

#: Tables that the attacker of suppression tries, those next to the original first. With fewer tables fewer are kept, so
#: that more counts look exact: the rate is an upper bound.
TABLES = 100

#: Tables that fit, above which only those next to the original are tried.
MOST_TABLES = 3000

#: One secret for each threshold that a secret can select.
LEVELS = [
    next(secret for secret in itertools.count() if first_level(secret) == level)
    for level in range(len(SHARES) - 1)
]


def labelled(counts: np.ndarray) -> FrequencyTable:
    """Return a table whose columns come before its rows in canonical order, whatever its shape."""
    rows, columns = counts.shape
    axes = [("Row", [f"row {i}" for i in range(rows)]), ("Column", [f"column {j}" for j in range(columns)])]
    return FrequencyTable(counts, axes)


def with_totals(counts: np.ndarray) -> np.ndarray:
    """Return a table of two axes with its totals."""
    counts = np.concatenate([counts, counts.sum(axis=0, keepdims=True)])
    return np.concatenate([counts, counts.sum(axis=1, keepdims=True)], axis=1)


def tables_that_fit(published: np.ndarray, most: int = MOST_TABLES) -> list[np.ndarray]:
    """Return every table of two axes that fits what is published, or [] if there are more than `most`.

    Parameters
    ----------
    published : ndarray of float, shape (rows + 1, columns + 1)
        Cells and totals, nan where suppressed; a suppressed count is at least 1.
    most : int
    """
    rows, columns = published.shape[0] - 1, published.shape[1] - 1
    total = published[-1, -1]
    limits = [np.where(np.isnan(side), total, side) for side in (published[:-1, -1], published[-1, :-1])]
    fixed = [~np.isnan(side) for side in (published[:-1, -1], published[-1, :-1])]
    unknown = np.isnan(published[:-1, :-1])
    cells = np.where(unknown, 1.0, published[:-1, :-1])
    left_rows, left_columns = limits[0] - cells.sum(axis=1), limits[1] - cells.sum(axis=0)
    left = total - cells.sum()
    places = np.argwhere(unknown).tolist()
    # The last unknown cell of a row or column takes the rest.
    last_of_row = {
        i: max((k for k, place in enumerate(places) if place[0] == i), default=-1) for i in range(rows)
    }
    last_of_column = {
        j: max((k for k, place in enumerate(places) if place[1] == j), default=-1) for j in range(columns)
    }
    if min(left_rows.min(), left_columns.min(), left) < 0:  # no table
        return []
    found: list[np.ndarray] = []
    table = cells.astype(np.int64)

    def extend(k: int, left: float) -> bool:
        if k == len(places):
            if left == 0 and not left_rows[fixed[0]].any() and not left_columns[fixed[1]].any():
                found.append(table.copy())
            return len(found) <= most
        i, j = places[k]
        room = int(min(left_rows[i], left_columns[j], left))
        choices: list[int] = list(range(room + 1))
        for closes, rest in (
            (fixed[0][i] and last_of_row[i] == k, left_rows[i]),
            (fixed[1][j] and last_of_column[j] == k, left_columns[j]),
            (k == len(places) - 1, left),
        ):
            if closes:
                choices = [int(rest)] if int(rest) in choices else []
        for more in choices:
            table[i, j] += more
            left_rows[i] -= more
            left_columns[j] -= more
            going = extend(k + 1, left - more)
            table[i, j] -= more
            left_rows[i] += more
            left_columns[j] += more
            if not going:
                return False
        return True

    return found if extend(0, left) else []


def pattern_of(counts: np.ndarray, choice: str, secret: int) -> np.ndarray | None:
    """Return the suppressed cells and totals, None if no pattern protects."""
    try:
        pattern = CellSuppression(choice=choice).pattern(labelled(counts), secret)
    except InputError:
        return None
    return pattern.suppressed.reshape(counts.shape[0] + 1, -1)


def problem_of(counts: np.ndarray, pattern: np.ndarray) -> Problem | None:
    """Return the problem of a table in canonical order, None if the program cannot publish this pattern for it."""
    totals = with_totals(counts)
    sensitive = (totals > 0) & (totals < 3)
    sensitive[-1, -1] = False
    if not sensitive.any() or (sensitive & ~pattern).any():
        return None
    try:
        # The program draws in canonical order, in which the columns come before the rows, by their labels.
        in_order = canonical(labelled(counts)).table
        problem = suppressed(in_order, choice="optimal", audited=False).problem
    except InputError:
        return None
    assert problem is not None
    hidden = pattern.T.ravel()
    covered = problem.primary.any() and not (problem.primary & ~hidden).any()
    return problem if covered and not failures(problem, hidden) else None


def leads_to(counts: np.ndarray, problem: Problem, pattern: np.ndarray) -> bool:
    """Return whether the program publishes this pattern for a table and at least one secret.

    The whole program is run with a secret only if the pattern is the one for the threshold that it selects.
    """
    shape = (counts.shape[1] + 1, counts.shape[0] + 1)
    leaves = np.zeros(shape, dtype=bool)
    leaves[:-1, :-1] = True
    for level in range(len(SHARES)):
        found = pattern_with(problem, raised(problem, level, 3, leaves.ravel()))
        secret = LEVELS[min(level, len(LEVELS) - 1)]
        if np.array_equal(found, pattern.T.ravel()) and publishes(counts, pattern, secret):
            return True
    return False


def publishes(counts: np.ndarray, pattern: np.ndarray, secret: int, choice: str = "secret") -> bool:
    """Return whether the program publishes this pattern for a table and secret."""
    found = pattern_of(counts, choice, secret)
    return found is not None and np.array_equal(found, pattern)


def agreed(tables: list[np.ndarray]) -> np.ndarray:
    """Return the cells that have the same count in all tables."""
    return (np.stack(tables) == tables[0]).all(axis=0)


def near_tables(counts: np.ndarray, pattern: np.ndarray) -> list[np.ndarray]:
    """Return tables that fit, of which one or two moves lead to the original."""
    hidden = np.argwhere(pattern[:-1, :-1]).tolist()
    published = ~pattern
    single: list[np.ndarray] = []
    for size in (2, 4, 6):
        for cells in itertools.combinations(hidden, size):
            for signs in {order for order in itertools.permutations([1, -1] * (size // 2)) if order[0] == 1}:
                move = np.zeros_like(counts)
                for (i, j), sign in zip(cells, signs, strict=True):
                    move[i, j] = sign
                if not with_totals(move)[published].any():
                    single.append(move)
        if len(single) > 40:
            break
    moves = [factor * move for move in single for factor in (-3, -2, -1, 1, 2, 3)]
    moves += [one + other for one, other in itertools.combinations(moves, 2)] if len(moves) < 400 else []
    tables = {(counts + move).tobytes(): counts + move for move in moves}
    return [
        table for table in tables.values() if (with_totals(table)[pattern] >= 1).all() and (table >= 0).all()
    ]


def examined_tables(counts: np.ndarray, pattern: np.ndarray) -> list[np.ndarray]:
    """Return the tables that the program examines before it publishes this pattern."""
    totals, shape = with_totals(counts).T, (counts.shape[1] + 1, counts.shape[0] + 1)
    sums = np.stack(
        [with_totals(cell).T.ravel() for cell in np.eye(counts.size, dtype=int).reshape(-1, *counts.shape)]
    )
    tables = fitting_tables(totals.ravel().astype(float), pattern.T.ravel(), sums.T)
    small = (tables > 0) & (tables < 3)
    small[:, -1] = False
    examined = likely(tables, pattern.T.ravel(), small, 2.0, sums.sum(axis=0) == 1)
    return [table.reshape(shape).T[:-1, :-1] for table in examined]


def exact_cells(counts: np.ndarray, choice: str, secret: int, tables: int = TABLES) -> tuple[int, int] | None:
    """Return how many small counts the attacker finds, and how many there are; None if there is no pattern.

    The attacker tries the tables next to the original first, unless a table agrees with the kept tables in all small
    counts that still look exact.
    """
    small = (counts > 0) & (counts < 3)
    pattern = pattern_of(counts, choice, secret)
    if pattern is None or not small.any():
        return None
    fitting = tables_that_fit(np.where(pattern, np.nan, with_totals(counts)))
    if not fitting:
        fitting = near_tables(counts, pattern)
    nearest = sorted(fitting, key=functools.partial(distance, counts))
    if choice == "secret":
        nearest = nearest[:10] + examined_tables(counts, pattern) + nearest[10:]
    # The original table leads to the pattern by its own secret.
    exact, tried, examined = small.copy(), 0, 0
    for one in nearest:
        if not exact.any() or tried == tables or examined == 4 * tables:
            break
        if not (exact & (one != counts)).any():
            continue
        examined += 1
        problem = problem_of(one, pattern)
        if problem is None:
            continue
        tried += 1
        found = leads_to(one, problem, pattern) if choice == "secret" else publishes(one, pattern, 0, choice)
        if found:
            exact &= one == counts
    return int(exact.sum()), int(small.sum())


def distance(counts: np.ndarray, other: np.ndarray) -> int:
    """Return the sum of the absolute differences of two tables."""
    return int(np.abs(other - counts).sum())


def narrow_intervals(
    counts: np.ndarray, choice: str, secret: int, base: int = 3, secrets: int = SECRETS, most: int = 40
) -> tuple[int, int]:
    """Return how many intervals of rounded cells the attacker makes narrower, and how many there are.

    Each end of an interval is tried with the tables next to the rounded one in which the cell has that count.
    """
    method = ControlledRounding(base=base, choice=choice)
    rounded = method.cells(labelled(counts), secret)
    release = method.release(labelled(counts), secret)
    lower, upper = (np.asarray(side).astype(int) for side in release.cell_bounds())
    # What is known of totals, for tables that fit.
    totals = with_totals(rounded)
    near = [
        np.array(one).reshape(counts.shape)
        for one in np.ndindex(*(upper - lower + 1).ravel().tolist())
        if (np.abs(with_totals(lower + np.array(one).reshape(counts.shape)) - totals) < base).all()
    ]
    near = sorted((lower + one for one in near), key=lambda one: int(np.abs(with_totals(one) - totals).sum()))
    narrow = 0
    rng = np.random.default_rng(secret)
    for cell in np.ndindex(counts.shape):
        for end in (lower[cell], upper[cell]):
            tables = [one for one in near if one[cell] == end][:most]
            tries = (
                (one, int(rng.integers(2**62)))
                for _ in range(secrets if choice == "secret" else 1)
                for one in tables
            )
            if not any(np.array_equal(method.cells(labelled(one), drawn), rounded) for one, drawn in tries):
                narrow += 1
                break
    return narrow, counts.size


def tables_of(first: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield random tables of 2 x 2 to 4 x 4, each with its number."""
    number = first
    while True:
        rng = np.random.default_rng(number)
        shape = tuple(rng.integers(2, 5, 2).tolist())
        yield number, rng.poisson(rng.gamma(1, rng.choice([3, 6, 10]), shape))
        number += 1


def upper_limit(found: int, cells: int) -> float:
    """Return the one-sided 95 % limit of Clopper and Pearson for a rate."""
    return float(beta.ppf(0.95, found + 1, cells - found)) if found < cells else 1.0


def resampled_limit(results: list[tuple[int, int]], draws: int = 20_000) -> float:
    """Return the one-sided 95 % limit for a rate if tables are resampled, as counts of one table are dependent."""
    numbers = np.array(results).reshape(-1, 2)
    if not numbers.size:
        return 1.0
    places = np.random.default_rng(1).integers(len(numbers), size=(draws, len(numbers)))
    sums = numbers[places].sum(axis=1)
    return float(np.quantile(sums[:, 0] / sums[:, 1], 0.95))


def growth(shape: tuple[int, int] | None, seconds: float, seed: int) -> list[float]:
    """Return the suppressed sum by a secret, as a multiple of that of the cheapest pattern."""
    ratios, begun = [], time.process_time()
    for number, counts in tables_of(seed + 9000):
        if time.process_time() - begun > seconds:
            break
        if shape is not None:
            counts = np.random.default_rng(number).poisson(np.random.default_rng(number).gamma(1, 8, shape))
        patterns = [pattern_of(counts, choice, number) for choice in ("optimal", "secret")]
        if patterns[0] is not None and patterns[0].any() and patterns[1] is not None:
            cheapest, chosen = (with_totals(counts)[one].sum() for one in patterns)
            ratios.append(chosen / cheapest)
    return ratios


def main() -> None:
    """Print the figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for choice, share in (("optimal", 0.1), ("secret", 0.6)):
        results, skipped = list[tuple[int, int]](), 0
        begun = time.process_time()
        for number, counts in tables_of(seed):
            if time.process_time() - begun > share * seconds:
                break
            result = exact_cells(counts, choice, number)
            skipped += result is None
            if result is not None:
                results.append(result)
        found, cells = (sum(one[k] for one in results) for k in (0, 1))
        print(
            f"{choice}: {found} of {cells} small counts are exact ({found / max(cells, 1):.1%}, "
            f"95 % limit {upper_limit(found, cells):.1%}, {resampled_limit(results):.1%} if tables are resampled); "
            f"{sum(one[0] > 0 for one in results)} of {len(results)} tables have exact counts, {skipped} are skipped",
            flush=True,
        )
    for choice in ("optimal", "secret"):
        narrow = intervals = 0
        begun = time.process_time()
        for number, counts in tables_of(seed):
            if time.process_time() - begun > 0.1 * seconds:
                break
            if counts.size <= 6:
                of_table = narrow_intervals(counts, choice, number)
                narrow, intervals = narrow + of_table[0], intervals + of_table[1]
        print(f"{choice} rounding: {narrow} of {intervals} intervals are narrower", flush=True)
    for shape in (None, (10, 10)):
        ratios = growth(shape, 0.05 * seconds, seed)
        quartiles = " ".join(f"{one:.3f}" for one in np.quantile(ratios, [0.25, 0.5, 0.75]))
        print(
            f"{shape or '2 x 2 to 4 x 4'}: suppressed sum {quartiles} times that of the cheapest pattern (quartiles), "
            f"mean {np.mean(ratios):.3f}, {len(ratios)} tables",
            flush=True,
        )
    distances = []
    for number, counts in itertools.islice(tables_of(seed), 60):
        table = labelled(counts)
        pair = [
            np.abs(
                with_totals(counts) - with_totals(ControlledRounding(choice=choice).cells(table, number))
            ).sum()
            for choice in ("optimal", "secret")
        ]
        if pair[0]:
            distances.append(pair[1] / pair[0])
    middle, mean = np.median(distances), np.mean(distances)
    print(f"controlled rounding: distance {middle:.3f} times the least (median), {mean:.3f} (mean)")


if __name__ == "__main__":
    main()
