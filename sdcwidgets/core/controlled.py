r"""Controlled rounding: cells and margins become multiples of a base and still add up.

A rounded value of :math:`z = u b + r` is one of the multiples :math:`(u + j) b \ge 0` with j from -K to K, or to
K + 1 where r is not 0. They are chosen so that every margin is the sum of its cells and

.. math:: \min \sum_i |z_i - a_i|

over all cells and margins. Categories may have sub-totals, level above level: these are rounded like other margins.
An entry that may take n + 1 multiples has n variables of 0 or 1, the steps from one multiple to the next; the distance
is convex, so the cheapest steps come first by themselves.

Of two axes, one of them without sub-totals, the program is a flow in a network and its linear relaxation has a solution
in whole numbers: such a table is rounded as a whole, and with the least distance. So is a small one of more axes. In a
larger one the least distance is hard to find (the problem is NP-hard), and even some rounding may be. There the search
is local: it begins with the linear relaxation, whose distance no rounding is below, and whose cells go to the nearest
multiple; some margins are then out of their range. A part of the table after the other, some categories of each axis,
is rounded anew while the rest stays, at least cost, where a margin out of its range costs more than any distance. Parts
grow where they gain nothing. The random choice of parts is always the same, so that the same table is rounded alike.

The closest rounding is a function of the counts, so a data user who runs the program on every table that fits a
rounded one narrows the intervals. With a secret each multiple of an entry gets a random price besides its distance:
small in half of the draws, so that the median of the distance stays close to the least one, and large in the others.

References: handbook, chapter 5, section 5.5.1; Salazar, Lowthian, Young, Merola, Bond, Brown 2004; for the search,
Shaw 1998 (large neighbourhood search).
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


#: Entries, cells and margins, of a table that is rounded as a whole: a flow in a network, of up to three axes, of more.
#: Of larger ones the linear relaxation is solved, up to so many entries.
MOST_OF_NETWORK, MOST_OF_THREE, MOST_OF_MORE, MOST_RELAXED = 200_000, 3000, 500, 100_000

#: Up to so many entries the least distance is looked for; in larger tables one is content with this share above it.
EXACT, ENOUGH = 500, 0.02

#: So many programs of parts are solved at most, and so many times what it takes to go once through a large table.
EFFORT, ROUNDS = 400, 4

#: The entries of a part at first and at last; it grows by two from each part to the next.
SMALLEST, LARGEST = 250, 450

#: Branches of the program of a part, of a whole table, and of a small one; then the best that was found is taken.
NODES_OF_PART, NODES_OF_TABLE, NODES_OF_SMALL = 20, 100, 2000

#: What a margin costs for each multiple that it is out of its range, in bases.
OUTSIDE = 1000

#: Probability that the random prices of a secret are small, and the standard deviation of small and of large prices,
#: in bases for each multiple.
QUIET, QUIET_SPREAD, SPREAD = 0.5, 0.1, 0.8

#: In a large table a rounding that a secret chooses may be further above the bound by this share.
CHOSEN_ENOUGH = 0.1

#: What a search may stop at.
GOALS = ("optimal", "first", "rapid")


class Unroundable(ValueError):
    """No rounding is within the steps and adds up."""


class Rounded(NamedTuple):
    """A rounded table and how good it is."""

    cells: Whole
    """The rounded cells; margins are their sums."""
    distance: float
    """The sum of absolute distances of cells and margins."""
    bound: float
    """No rounding of this kind has a smaller distance."""
    rapid: bool = False
    """Whether cells went to their nearest multiple, and margins may be further away than K steps."""

    @property
    def gap(self) -> float:
        """How far the distance may be above the least one, as a share of it; 0: it is the least."""
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
    """Return the controlled rounding of a table with all of its margins: the last and best that `search` finds.

    It always ends: after so many programs at most, each with a limited number of branches. Whatever the machine has to
    do besides, the result is the same, unless `seconds` are given. Of 20 x 20 x 20 counts from a Poisson distribution
    with mean 3, to base 5, the distance found is within 4 % of the least, and of 6 x 6 x 6 x 6 such counts within 12 %
    of the linear relaxation's, below which none can be (measured; `gap` tells it of each table).

    Parameters
    ----------
    counts : ndarray of int64
        Any number of dimensions.
    base : int
    steps : int
        K: how many multiples further than the two adjacent ones an entry may go; 0: zero-restricted.
    goal : {"optimal", "first", "rapid"}
        The least distance, in tables of more than 500 cells and margins to 2 %; the first rounding that is
        found; or cells to the nearest multiple and margins as their sums, however far these are.
    seconds : float, optional
        Stop after this time with the best that was found.
    effort : float
        How many times as many programs as usual are solved at most.
    gap : float, optional
        Be content with a distance of at most this share above the least; otherwise the goal says it.
    trees : sequence of Tree, optional
        The hierarchy of each axis: its categories are the leaves, each node above them is a sub-total that is rounded
        too; without it an axis has its total only.
    secret : int, optional
        Choose a rounding that is close to the closest by this secret. None: the closest, which the counts alone
        determine.

    Returns
    -------
    Rounded
        With `rapid` where no rounding within K steps was found, though there may be one: cells are then at their
        nearest multiple. Tables of one or two axes without sub-totals always have one.

    Raises
    ------
    ValueError
        If it was proved that no such rounding exists.

    Examples
    --------
    The handbook's Table 5.18; the rounding that its Table 5.21 shows has the distance 22, the least is 18:

    >>> found = controlled(np.array([[1, 0], [3, 3], [12, 20]]), 5)
    >>> found.distance, found.gap, int(found.cells.sum())
    (18.0, 0.0, 40)
    """
    *_, best = search(counts, base, steps, goal, seconds, effort, gap, trees, secret)
    return best


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
    """Yield the best rounding so far, after each program that was solved; see `controlled`.

    The first is RAPID unless a small table or a network is solved at once. Between two of them whoever asks may do
    something else, or stop.
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
    room = _Room(base, *_reach(truth, base, steps), prices)
    network = counts.ndim <= 2 and sum(len(tree.groups) > 1 for tree in trees) <= 1
    most = MOST_OF_NETWORK if network else MOST_OF_THREE if counts.ndim <= 3 else MOST_OF_MORE
    if truth.size <= most:
        nodes = NODES_OF_SMALL if truth.size <= EXACT else NODES_OF_TABLE
        solved = _program(truth, room, trees, _options(until, gap, None if network else nodes))
        if solved is not None:
            distance = _distance(truth, base * solved[0], trees)
            # With random prices the bound of the program is not one on the distance.
            yield Rounded(
                base * solved[0], distance, min(best.bound if secret is not None else solved[1], distance)
            )
            return
    yield best
    # Running sums, rounded: each cell goes to one of its two multiples, and no sum of neighbours is far away.
    running = nearest(np.cumsum(counts), base) // base
    begin = np.diff(running, prepend=0).reshape(counts.shape)
    if truth.size <= MOST_RELAXED:
        exact = room._replace(prices=np.zeros(truth.shape))
        begin, bound = _program(truth, exact, trees, {}, whole=False) or (begin, 0.0)
        best = best._replace(bound=max(best.bound, bound))
    yield from _improved(best, truth, room, trees, begin, effort, gap, until, secret)


def _gap_of(goal: str, gap: float | None, entries: int, secret: int | None) -> float:
    """Return the relative gap between distance and bound at which the search ends."""
    is_large = entries > EXACT
    if gap is None and goal == "first":
        gap = 1e9
    elif gap is None:
        gap = ENOUGH if is_large else 0.0
    return gap + CHOSEN_ENOUGH if is_large and secret is not None else gap


def _random_prices(shape: tuple[int, ...], secret: int) -> Floats:
    """Return what each multiple of each entry costs besides its distance, in bases."""
    rng = np.random.default_rng(secret)
    spread = QUIET_SPREAD if rng.random() < QUIET else SPREAD
    return spread * rng.standard_normal(shape)


def nearest(counts: Whole, base: int) -> Whole:
    """Return each count rounded to its nearest multiple; a tie goes up."""
    return (2 * counts + base) // (2 * base) * base


class _Room(NamedTuple):
    """The least and the greatest number of bases of each entry, and how far a margin may be outside, at a price."""

    base: int
    low: Whole
    high: Whole
    prices: Floats
    outside: int = 0

    def off(self, chosen: Whole) -> Whole:
        """Return by how many bases each entry is out of its range."""
        off: Whole = np.maximum(self.low - chosen, 0) + np.maximum(chosen - self.high, 0)
        return off

    def cost(self, truth: Whole, chosen: Whole) -> Floats:
        """Return the distance of each entry with its random price, and what it costs that it is out of its range."""
        cost: Floats = np.abs(truth - self.base * chosen) + OUTSIDE * self.base * self.off(chosen)
        return cost + self.base * self.prices * chosen


def _reach(truth: Whole, base: int, steps: int) -> tuple[Whole, Whole]:
    """Return the least and the greatest number of bases that each entry may have."""
    return np.maximum(truth // base - steps, 0), -(-truth // base) + steps


def _distance(truth: Whole, cells: Whole, trees: Sequence[Tree]) -> float:
    return float(np.abs(truth - with_margins(cells, trees)).sum())


def _floor(truth: Whole, base: int) -> float:
    """Return the distance of every entry to its nearest multiple: less is not possible."""
    return float(np.minimum(truth % base, -truth % base).sum())


def rounds(entries: int, effort: float = 1.0) -> int:
    """Return how many parts of a table of so many cells and sums are rounded anew, at most."""
    return round(effort * max(EFFORT, ROUNDS * entries // SMALLEST))


def _improved(
    best: Rounded,
    truth: Whole,
    room: _Room,
    trees: Sequence[Tree],
    cells: Whole,
    effort: float,
    gap: float,
    until: float | None,
    secret: int | None,
) -> Iterator[Rounded]:
    """Yield the best rounding after each part of the table that was rounded anew; `cells` are where to begin."""
    rng = np.random.default_rng(truth.size if secret is None else (secret, truth.size))
    below = [tree.collected() for tree in trees]
    chosen = with_margins(cells, trees)
    off = room.off(chosen)
    if not off.any():
        best = _better(best, truth, room, chosen, cells)
        yield best
    for number in range(rounds(truth.size, effort)):
        if best.gap <= gap or (until is not None and time.perf_counter() > until):
            return
        picked = _part(below, min(SMALLEST + 2 * number, LARGEST), np.argwhere(off), rng)
        ours = np.ix_(*picked)
        nodes = [np.asarray(of[:, some].any(axis=1)) for of, some in zip(below, picked, strict=True)]
        here = np.ix_(*nodes)
        parts = [_pruned(tree, of) for tree, of in zip(trees, nodes, strict=True)]
        # What the rest of the table gives to each entry is no longer to be chosen.
        rest = chosen[here] - with_margins(cells[ours], parts)
        prices = room.prices[here]
        free = _Room(room.base, room.low[here] - rest, room.high[here] - rest, prices, int(off[here].max()))
        solved = _program(truth[here] - room.base * rest, free, parts, _options(until, 0.0, NODES_OF_PART))
        if solved is not None:
            trial = rest + with_margins(solved[0], parts)
            inside = _Room(room.base, room.low[here], room.high[here], prices)
            # The solver may have stopped at something worse.
            if inside.cost(truth[here], trial).sum() <= inside.cost(truth[here], chosen[here]).sum():
                cells[ours], chosen[here], off[here] = solved[0], trial, inside.off(trial)
                if not off.any():
                    best = _better(best, truth, room, chosen, cells)
        yield best


def _better(best: Rounded, truth: Whole, room: _Room, chosen: Whole, cells: Whole) -> Rounded:
    """Return a rounding that is in its ranges, with the bound that was known before."""
    distance = float(np.abs(truth - room.base * chosen).sum())
    return Rounded(room.base * cells, distance, min(best.bound, distance))


def _part(below: Sequence[Whole], size: int, wrong: Whole, rng: np.random.Generator) -> list[Whole]:
    """Return some categories of each axis, with about so many entries; where some are wrong, those of one of them."""
    numbers = np.array([of.shape[1] for of in below])
    share = rng.dirichlet(np.ones(len(below))) + 0.01
    while np.prod(numbers + 1.0) > size and numbers.max() > 1:
        open_ = share * (numbers > 1)
        axis = rng.choice(len(below), p=open_ / open_.sum())
        numbers[axis] -= max(1, numbers[axis] // 8)
    picked = [rng.permutation(of.shape[1]) for of in below]
    if len(wrong):
        at = wrong[rng.integers(len(wrong))]
        # Those that the wrong entry is the sum of come first.
        picked = [
            labels[np.argsort(-of[node, labels], kind="stable")]
            for labels, of, node in zip(picked, below, at, strict=True)
        ]
    return [np.sort(labels[:number]) for labels, number in zip(picked, numbers, strict=True)]


def _pruned(tree: Tree, nodes: Flags) -> Tree:
    """Return the tree of some of the nodes."""
    parents, number = np.array(tree.parents)[nodes], np.cumsum(nodes) - 1
    return Tree(np.where(parents < 0, -1, number[parents]))


def _options(until: float | None, gap: float, nodes: int | None) -> dict[str, float]:
    """Return what the solver is told: when to stop."""
    options: dict[str, float] = {"mip_rel_gap": gap}
    if nodes is not None:
        options["node_limit"] = nodes
    if until is not None:
        options["time_limit"] = max(until - time.perf_counter(), 0.01)
    return options


@lru_cache(maxsize=64)
def _sums(trees: tuple[Tree, ...]) -> Sparse:
    """Return the relations of a table, each sum once: a total over two axes is a sum along each of them."""
    relations = of_trees(trees).matrix
    totals = relations.indices[relations.indptr[:-1]]
    return relations[np.sort(np.unique(totals, return_index=True)[1])]


def _program(
    truth: Whole, room: _Room, trees: Sequence[Tree], options: dict[str, float], *, whole: bool = True
) -> tuple[Whole, float] | None:
    """Return the numbers of bases of the cells of least distance that are in their range and add up, and a bound.

    Without `whole` those of the linear relaxation, to the nearest one; None where the solver stopped with nothing.
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, linprog, milp

    cells = np.ix_(*(tree.leaves for tree in trees))
    margin = np.ones(truth.shape, dtype=np.int64)
    margin[cells] = 0
    low, high = room.low - room.outside * margin, room.high + room.outside * margin
    if np.any(low > high):
        raise Unroundable(INFEASIBLE)
    now, steps, prices = low, [], []
    for step in range(int((high - low).max(initial=0))):
        now = low + step
        open_ = np.flatnonzero(now < high)
        steps.append(open_)
        prices.append((room.cost(truth, now + 1) - room.cost(truth, now)).ravel()[open_])
    fixed, sums = float(room.cost(truth, low).sum()), _sums(tuple(trees))
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
    # The solver of SciPy 1.13 takes indices of 32 bits alone.
    moved.indices, moved.indptr = moved.indices.astype(np.int32), moved.indptr.astype(np.int32)
    if whole:
        if 0 < options["mip_rel_gap"] < 1:
            # The solver sees the prices alone; the share is meant of the whole distance.
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


INFEASIBLE = "No rounding is within these steps and adds up."
