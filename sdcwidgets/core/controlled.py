r"""Controlled rounding: round cells and margins to multiples of a base so that the table stays additive.

A value :math:`z = u b + r` is rounded to a multiple :math:`(u + j) b \ge 0` with j from -K to K, or to K + 1 if
r is not 0. The multiples are chosen so that every margin is the sum of its cells and

.. math:: \min \sum_i |z_i - a_i|

over all cells and margins. Sub-totals of a hierarchy are rounded like other margins. An entry with n + 1
possible multiples has n binary variables, one for each step to the next multiple. The distance is convex, so
the optimum uses the cheapest steps first.

For a two-way table in which at most one axis has sub-totals, the program is a flow in a network and its linear
relaxation has an integer solution. Such a table is rounded as a whole, with the least distance. The same holds
for small tables of more axes. In larger tables the problem is NP-hard, and there may be no rounding at all. For
these tables the search is local (large neighbourhood search). It starts from the linear relaxation, which is a
lower bound of the distance, with each cell rounded to the nearest multiple. Some margins are then outside their
range. In each step, some categories of each axis are rounded again at least cost while the rest of the table is
fixed. A margin outside its range costs more than any distance. The random choice of categories has a fixed
seed, so that the result is reproducible.

The closest rounding is a function of the counts. A data user who computes it for every candidate table can
therefore narrow the intervals. With a secret, each multiple of an entry has a random price in addition to its
distance. The prices are small in half of the replicates, so that the median of the distance stays close to the
least distance, and large in the others.

References: handbook, chapter 5, section 5.5.1; Salazar, Lowthian, Young, Merola, Bond, Brown 2004; for the
search, Shaw 1998 (large neighbourhood search).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ._arrays import Flags, Floats, Sparse, Whole
from .suppression.relations import Tree, of_trees, with_margins

__all__ = ["EFFORT", "GOALS", "Rounded", "controlled", "nearest", "rounds", "search"]


#: Maximum number of cells and margins of a table that is rounded as a whole: network, up to three axes, more
#: axes. The last number is the maximum for which the linear relaxation is solved.
MOST_OF_NETWORK, MOST_OF_THREE, MOST_OF_MORE, MOST_RELAXED = 200_000, 3000, 500, 100_000

#: Maximum number of entries for an optimal solution, and the relative gap that is accepted in larger tables.
EXACT, ENOUGH = 500, 0.02

#: Minimum of the limit on the number of programs, and the factor that gives the limit of a large table.
EFFORT, ROUNDS = 400, 4

#: Number of entries of a part in the first and the last step; it increases by two per step.
SMALLEST, LARGEST = 250, 450

#: Maximum number of branches of the program of a part, of a whole table, and of a small table.
NODES_OF_PART, NODES_OF_TABLE, NODES_OF_SMALL = 20, 100, 2000

#: Cost of each multiple that a margin is outside its range, in bases.
OUTSIDE = 1000

#: Probability that a secret has small random prices, and the standard deviations of small and of large prices,
#: in bases per multiple.
QUIET, QUIET_SPREAD, SPREAD = 0.5, 0.1, 0.8

#: Additional relative optimality tolerance for a large table with a secret.
CHOSEN_ENOUGH = 0.1

#: Goals of a search.
GOALS = ("optimal", "first", "rapid")


class Unroundable(ValueError):
    """No additive rounding exists within the steps."""


class Rounded(NamedTuple):
    """A rounded table with its distance from the original counts."""

    cells: Whole
    """Rounded cells; the margins are their sums."""
    distance: float
    """Sum of the absolute distances of cells and margins."""
    bound: float
    """Lower bound of the distance of any rounding of this kind."""
    rapid: bool = False
    """Whether each cell has its nearest multiple, so that margins may differ by more than K steps."""

    @property
    def gap(self) -> float:
        """Upper limit of the relative excess over the least distance; 0 if the distance is the least."""
        return 0.0 if self.distance <= self.bound + 1e-6 else 1 - self.bound / self.distance


def controlled(
    counts: Whole,
    base: int,
    steps: int = 0,
    goal: str = "optimal",
    seconds: float | None = None,
    effort: float = 1.0,
    gap: float | None = None,
    trees: Sequence[Tree] | None = None,
    secret: int | None = None,
) -> Rounded:
    """Round a table with all of its margins; the result is the last one that `search` yields.

    The number of programs and of branches per program is limited. The result does not depend on the speed of
    the computer unless `seconds` is given. In a test with 20 x 20 x 20 Poisson counts with mean 3 and base 5,
    the distance was at most 4 % above the least distance. For 6 x 6 x 6 x 6 such counts it was at most 12 %
    above the linear relaxation, which is a lower bound. `Rounded.gap` reports this limit for each table.

    Parameters
    ----------
    counts : ndarray of int64
        Counts, with any number of dimensions.
    base : int
        Base b.
    steps : int
        K, the number of multiples beyond the two adjacent ones that an entry may move; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        "optimal": least distance, with a gap of up to 2 % in tables of more than 500 cells and margins.
        "first": first rounding within the steps. "rapid": each cell to its nearest multiple, with margins as
        their sums.
    seconds : float, optional
        Time limit; the result is then the best rounding up to that time.
    effort : float
        Factor of the maximum number of programs.
    gap : float, optional
        Relative excess over the least distance that is accepted; default: given by the goal.
    trees : sequence of Tree, optional
        The hierarchy of each axis. Its categories are the leaves, and each node above them is a sub-total that
        is rounded too. Default: each axis has only a total.
    secret : int, optional
        Seed of random prices, which select a rounding close to the closest one. None: the closest rounding,
        which the counts alone determine.

    Returns
    -------
    Rounded
        If no rounding within K steps was found, `rapid` is True and each cell has its nearest multiple. Tables
        of one or two axes without sub-totals always have a rounding.

    Raises
    ------
    ValueError
        If it is proved that no such rounding exists.

    Examples
    --------
    Table 5.18 of the handbook. Its rounding in Table 5.21 has the distance 22; the least distance is 18:

    >>> found = controlled(np.array([[1, 0], [3, 3], [12, 20]]), 5)
    >>> found.distance, found.gap, int(found.cells.sum())
    (18.0, 0.0, 40)
    """
    return list(search(counts, base, steps, goal, seconds, effort, gap, trees, secret))[-1]


def search(
    counts: Whole,
    base: int,
    steps: int = 0,
    goal: str = "optimal",
    seconds: float | None = None,
    effort: float = 1.0,
    gap: float | None = None,
    trees: Sequence[Tree] | None = None,
    secret: int | None = None,
) -> Iterator[Rounded]:
    """Yield the best rounding so far after each program; parameters as for `controlled`.

    The first result has `rapid` = True, except for small tables and networks, which are rounded optimally in
    one step. The caller can stop between two results.
    """
    trees = [Tree.flat(size) for size in counts.shape] if trees is None else trees
    truth = with_margins(counts, trees)
    until = None if seconds is None else time.perf_counter() + seconds
    cells = nearest(counts, base)
    best = Rounded(cells, _distance(truth, cells, trees), _floor(truth, base), rapid=True)
    if goal == "rapid":
        yield best
        return
    gap = _gap_of(goal, gap, truth.size, secret)
    prices = np.zeros(truth.shape) if secret is None else _random_prices(truth.shape, secret)
    allowed = _Multiples(base, *_reach(truth, base, steps), prices)
    network = counts.ndim <= 2 and sum(len(tree.groups) > 1 for tree in trees) <= 1
    if network:
        most = MOST_OF_NETWORK
    elif counts.ndim <= 3:
        most = MOST_OF_THREE
    else:
        most = MOST_OF_MORE
    if truth.size <= most:
        nodes = NODES_OF_SMALL if truth.size <= EXACT else NODES_OF_TABLE
        solved = _program(truth, allowed, trees, _options(until, gap, None if network else nodes))
        if solved is not None:
            distance = _distance(truth, base * solved[0], trees)
            # With random prices the bound of the program is not a bound of the distance.
            yield Rounded(
                base * solved[0], distance, min(best.bound if secret is not None else solved[1], distance)
            )
            return
    yield best
    # Starting point: differences of rounded running sums. Each cell gets one of its two adjacent multiples, and
    # sums of neighbouring cells stay close.
    running = nearest(np.cumsum(counts), base) // base
    begin = np.diff(running, prepend=0).reshape(counts.shape)
    if truth.size <= MOST_RELAXED:
        exact = allowed._replace(prices=np.zeros(truth.shape))
        begin, bound = _program(truth, exact, trees, {}, whole=False) or (begin, 0.0)
        best = best._replace(bound=max(best.bound, bound))
    yield from _improved(best, truth, allowed, trees, begin, effort, gap, until, secret)


def _gap_of(goal: str, gap: float | None, entries: int, secret: int | None) -> float:
    """Return the relative tolerance between distance and bound that ends the search."""
    is_large = entries > EXACT
    if gap is None and goal == "first":
        gap = 1e9
    elif gap is None:
        gap = ENOUGH if is_large else 0.0
    return gap + CHOSEN_ENOUGH if is_large and secret is not None else gap


def _random_prices(shape: tuple[int, ...], secret: int) -> Floats:
    """Return the random price of one multiple for each entry, in bases."""
    rng = np.random.default_rng(secret)
    spread = QUIET_SPREAD if rng.random() < QUIET else SPREAD
    return spread * rng.standard_normal(shape)


def nearest(counts: Whole, base: int) -> Whole:
    """Return each count rounded to its nearest multiple, with ties rounded up."""
    return (2 * counts + base) // (2 * base) * base


class _Multiples(NamedTuple):
    """Minimum and maximum number of bases of each entry, prices, and how far margins may be outside."""

    base: int
    low: Whole
    high: Whole
    prices: Floats
    outside: int = 0

    def off(self, chosen: Whole) -> Whole:
        """Return the number of bases by which each entry is outside its range."""
        off: Whole = np.maximum(self.low - chosen, 0) + np.maximum(chosen - self.high, 0)
        return off

    def cost(self, truth: Whole, chosen: Whole) -> Floats:
        """Return the cost of each entry: distance, random price, and penalty for being outside its range."""
        cost: Floats = np.abs(truth - self.base * chosen) + OUTSIDE * self.base * self.off(chosen)
        return cost + self.base * self.prices * chosen


def _reach(truth: Whole, base: int, steps: int) -> tuple[Whole, Whole]:
    """Return the minimum and the maximum number of bases of each entry."""
    return np.maximum(truth // base - steps, 0), -(-truth // base) + steps


def _distance(truth: Whole, cells: Whole, trees: Sequence[Tree]) -> float:
    return float(np.abs(truth - with_margins(cells, trees)).sum())


def _floor(truth: Whole, base: int) -> float:
    """Return the sum of the distances to the nearest multiples, a lower bound of the distance."""
    return float(np.minimum(truth % base, -truth % base).sum())


def rounds(entries: int, effort: float = 1.0) -> int:
    """Return the maximum number of parts to round again in a table with this number of entries."""
    return round(effort * max(EFFORT, ROUNDS * entries // SMALLEST))


def _improved(
    best: Rounded,
    truth: Whole,
    allowed: _Multiples,
    trees: Sequence[Tree],
    cells: Whole,
    effort: float,
    gap: float,
    until: float | None,
    secret: int | None,
) -> Iterator[Rounded]:
    """Yield the best rounding after each part that was rounded again, starting from `cells`."""
    rng = np.random.default_rng(truth.size if secret is None else (secret, truth.size))
    below = [tree.collected() for tree in trees]
    chosen = with_margins(cells, trees)
    off = allowed.off(chosen)
    if not off.any():
        best = _better(best, truth, allowed, chosen, cells)
        yield best
    for number in range(rounds(truth.size, effort)):
        if best.gap <= gap or (until is not None and time.perf_counter() > until):
            return
        picked = _part(below, min(SMALLEST + 2 * number, LARGEST), np.argwhere(off), rng)
        ours = np.ix_(*picked)
        nodes = [np.asarray(of[:, some].any(axis=1)) for of, some in zip(below, picked, strict=True)]
        here = np.ix_(*nodes)
        parts = [_pruned(tree, of) for tree, of in zip(trees, nodes, strict=True)]
        # The rest of the table is fixed, so its contribution to each entry is subtracted.
        rest = chosen[here] - with_margins(cells[ours], parts)
        prices = allowed.prices[here]
        free = _Multiples(
            allowed.base, allowed.low[here] - rest, allowed.high[here] - rest, prices, int(off[here].max())
        )
        solved = _program(truth[here] - allowed.base * rest, free, parts, _options(until, 0.0, NODES_OF_PART))
        if solved is not None:
            trial = rest + with_margins(solved[0], parts)
            inside = _Multiples(allowed.base, allowed.low[here], allowed.high[here], prices)
            # A solver that stopped early can return a worse solution.
            if inside.cost(truth[here], trial).sum() <= inside.cost(truth[here], chosen[here]).sum():
                cells[ours], chosen[here], off[here] = solved[0], trial, inside.off(trial)
                if not off.any():
                    best = _better(best, truth, allowed, chosen, cells)
        yield best


def _better(best: Rounded, truth: Whole, allowed: _Multiples, chosen: Whole, cells: Whole) -> Rounded:
    """Return a rounding within its ranges, with the known lower bound."""
    distance = float(np.abs(truth - allowed.base * chosen).sum())
    return Rounded(allowed.base * cells, distance, min(best.bound, distance))


def _part(below: Sequence[Whole], size: int, wrong: Whole, rng: np.random.Generator) -> list[Whole]:
    """Select categories of each axis with about `size` entries; prefer categories of an entry outside its range."""
    numbers = np.array([of.shape[1] for of in below])
    share = rng.dirichlet(np.ones(len(below))) + 0.01
    while np.prod(numbers + 1.0) > size and numbers.max() > 1:
        open_ = share * (numbers > 1)
        axis = rng.choice(len(below), p=open_ / open_.sum())
        numbers[axis] -= max(1, numbers[axis] // 8)
    picked = [rng.permutation(of.shape[1]) for of in below]
    if len(wrong):
        at = wrong[rng.integers(len(wrong))]
        # Categories that contribute to the entry outside its range come first.
        picked = [
            labels[np.argsort(-of[node, labels], kind="stable")]
            for labels, of, node in zip(picked, below, at, strict=True)
        ]
    return [np.sort(labels[:number]) for labels, number in zip(picked, numbers, strict=True)]


def _pruned(tree: Tree, nodes: Flags) -> Tree:
    """Return the tree that consists of the selected nodes."""
    parents, number = np.array(tree.parents)[nodes], np.cumsum(nodes) - 1
    return Tree(np.where(parents < 0, -1, number[parents]))


def _options(until: float | None, gap: float, nodes: int | None) -> dict[str, float]:
    """Return the solver's options: relative tolerance, maximum number of nodes, time limit."""
    options: dict[str, float] = {"mip_rel_gap": gap}
    if nodes is not None:
        options["node_limit"] = nodes
    if until is not None:
        options["time_limit"] = max(until - time.perf_counter(), 0.01)
    return options


@lru_cache(maxsize=64)
def _sums(trees: tuple[Tree, ...]) -> Sparse:
    """Return the sums of a table without duplicates: a grand total is a sum along each of its axes."""
    relations = of_trees(trees).matrix
    totals = relations.indices[relations.indptr[:-1]]
    return relations[np.sort(np.unique(totals, return_index=True)[1])]


def _program(
    truth: Whole, allowed: _Multiples, trees: Sequence[Tree], options: dict[str, float], *, whole: bool = True
) -> tuple[Whole, float] | None:
    """Return the cells of least distance as numbers of bases, and a lower bound of the distance.

    If `whole` is False, solve the linear relaxation and round its cells to the nearest whole number. Return
    None if the solver stops without a solution.

    Raises
    ------
    Unroundable
        If no additive rounding exists within the ranges.
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, linprog, milp

    cells = np.ix_(*(tree.leaves for tree in trees))
    margin = np.ones(truth.shape, dtype=np.int64)
    margin[cells] = 0
    low, high = allowed.low - allowed.outside * margin, allowed.high + allowed.outside * margin
    if np.any(low > high):
        raise Unroundable(INFEASIBLE)
    now, steps, prices = low, [], []
    for step in range(int((high - low).max(initial=0))):
        now = low + step
        open_ = np.flatnonzero(now < high)
        steps.append(open_)
        prices.append((allowed.cost(truth, now + 1) - allowed.cost(truth, now)).ravel()[open_])
    fixed, sums = float(allowed.cost(truth, low).sum()), _sums(tuple(trees))
    right = -(sums @ low.ravel()).astype(np.float64)
    if not steps:
        if right.any():
            raise Unroundable(INFEASIBLE)
        return low[cells], fixed
    places, price = np.concatenate(steps), np.concatenate(prices).astype(np.float64)
    steps_of = sparse.csr_array(
        (np.ones(places.size), (places, np.arange(places.size))), shape=(truth.size, places.size)
    )
    moved = sparse.csc_array(sums @ steps_of)
    # SciPy 1.13 accepts only 32-bit indices.
    moved.indices, moved.indptr = moved.indices.astype(np.int32), moved.indptr.astype(np.int32)
    if whole:
        if 0 < options["mip_rel_gap"] < 1:
            # The solver's objective contains only the prices, but the tolerance refers to the whole distance.
            gain = float(price[price < 0].sum())
            options = options | {"mip_rel_gap": options["mip_rel_gap"] * (fixed + gain) / max(abs(gain), 1.0)}
        solved = milp(
            price,
            integrality=np.ones(places.size),
            bounds=Bounds(0, 1),
            constraints=[LinearConstraint(moved, right, right)],
            options=options,
        )
        least = solved.mip_dual_bound
    else:
        solved = linprog(price, A_eq=moved, b_eq=right, bounds=(0, 1), method="highs-ipm", options=options)
        least = solved.fun
    if solved.x is None:
        if solved.status == 2:
            raise Unroundable(INFEASIBLE)
        return None
    taken = np.rint(steps_of @ solved.x).astype(np.int64).reshape(truth.shape)
    return (low + taken)[cells], fixed + float(solved.fun if least is None else least)


INFEASIBLE = "No additive rounding exists within these steps."
