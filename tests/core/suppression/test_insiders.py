"""No outsider, nobody in the table and no coalition computes a sensitive value: by programs that share no code with it.

The intruder here is written anew: every published number is an equation between cells alone, whoever is in the table
adds what is theirs, and the least and greatest of a sensitive value come from scipy's `linprog`.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import one_of
from scipy import sparse
from scipy.optimize import linprog

from sdcwidgets import InputError
from sdcwidgets.core.suppression import (
    Contributions,
    Insiders,
    Problem,
    Tree,
    Unprotectable,
    Work,
    find_pattern,
    of_trees,
    small_union,
)
from sdcwidgets.core.suppression.programs import Programs
from sdcwidgets.core.suppression.relations import above
from sdcwidgets.core.suppression.widening import Proof, Widening
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables.magnitude import MagnitudeTable
from sdcwidgets.tables.table import FrequencyTable

#: The status of SciPy's `linprog` for a program without a bound.
UNBOUNDED = 3

#: Number of tables of each kind.
TWO_AXES, THREE_AXES, SUB_TOTALS, AMOUNTS = 50, 24, 24, 60


def sums_of(shape, parents=None):
    """Every cell, sub-total and total as a row of 0 and 1 over the cells, by the places that they are sums over."""
    groups = []
    for k, size in enumerate(shape):
        mine = [[i] for i in range(size)]
        if parents is not None and k == 0:
            mine += [[i for i in range(size) if parents[i] == one] for one in dict.fromkeys(parents)]
        groups.append([*mine, list(range(size))])
    rows = []
    for parts in itertools.product(*groups):
        row = np.zeros(shape)
        row[np.ix_(*parts)] = 1
        rows.append(row.ravel())
    return np.array(rows)


def ranges_of(sums, values, hidden, floors, targets, fixed=()):
    """The least and the greatest of some sums, given those in print, floors of each sum, and sums that are known.

    All are asked in one program, a copy of the cells for each end of each sum. Where the total is suppressed too, a sum
    can be as large as one likes: then each end has a program of its own.
    """
    known = ~hidden
    known[list(fixed)] = True
    open_ = np.flatnonzero(~known)

    def least(wanted):
        copies = sparse.eye_array(len(wanted), format="csr")
        return linprog(
            np.concatenate(wanted),
            A_eq=sparse.kron(copies, sums[known], format="csr") if known.any() else None,
            b_eq=np.tile(values[known], len(wanted)) if known.any() else None,
            A_ub=sparse.kron(copies, -sums[open_], format="csr") if len(open_) else None,
            b_ub=np.tile(-floors[open_], len(wanted)) if len(open_) else None,
            bounds=(0, None),
        )

    ends = [sign * sums[target] for target in targets for sign in (1, -1)]
    solved = least(ends)
    if solved.status == UNBOUNDED:
        alone = [least([end]) for end in ends]
        assert {one.status for one in alone} <= {0, UNBOUNDED}
        limits = [abs(one.fun) if one.status == 0 else np.inf for one in alone]
        return list(zip(limits[::2], limits[1::2], strict=True))
    assert solved.status == 0, solved.message
    cells = solved.x.reshape(len(targets), 2, -1)
    return [tuple(both @ sums[target]) for target, both in zip(targets, cells, strict=True)]


def seats_of_counts(sums, counts, values, size):
    """What each coalition of people gives to each sum, if it is all of one or several are in one cell."""
    cells = np.flatnonzero(counts)
    for members in itertools.combinations_with_replacement(cells.tolist(), size):
        mine = np.bincount(members, minlength=len(counts))
        if np.all(mine <= counts):
            own = sums @ mine
            if np.any((own == values) & (values > 0)) or np.any((mine > 1) & (mine < counts)):
                yield own


def check_counts(counts, hidden, sums, width, least, coalition):
    values = sums @ counts.ravel()
    assert np.all(values[~hidden] >= 0)
    sensitive = np.flatnonzero((values > 0) & (values < least) & (np.arange(len(values)) < len(values) - 1))
    assert np.all(hidden[sensitive])
    floors = np.minimum(values, 1.0)
    nobody = [np.zeros(len(values))]
    insiders = seats_of_counts(sums, counts.ravel(), values, coalition) if coalition else ()
    for own in itertools.chain(nobody, insiders):
        filled = np.flatnonzero((own == values) & hidden)
        targets = [int(target) for target in sensitive if own[target] < values[target]]
        if targets:
            found = ranges_of(sums, values, hidden, np.maximum(floors, own), targets, filled)
            for target, (low, high) in zip(targets, found, strict=True):
                assert high - low >= width - 1e-6, (counts.tolist(), own.tolist(), target)


def gaps(table, method, seed):
    try:
        return method.pattern(table, seed).suppressed
    except InputError:
        return None


@pytest.mark.parametrize("part", one_of(5, range(5)))
def test_tables_of_two_axes(part):
    done = 0
    for seed in range(part * TWO_AXES // 5, (part + 1) * TWO_AXES // 5):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.gamma(0.8, 10, tuple(rng.integers(2, 6, 2))))
        width, least = int(rng.integers(1, 4)), int(rng.integers(3, 5))
        if not counts.any():
            continue
        hidden = gaps(FrequencyTable(counts), CellSuppression(threshold=least, width=width), seed)
        if hidden is not None:
            check_counts(counts, hidden, sums_of(counts.shape), width, least, 1)
            done += 1
    assert done > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_tables_of_three_axes(part):
    """Takes more than 10 s of processor time, because linear programs attack for every respondent."""
    done = 0
    for seed in range(part * THREE_AXES // 3, (part + 1) * THREE_AXES // 3):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.gamma(0.8, 12, tuple(rng.integers(2, 4, 3))))
        hidden = gaps(FrequencyTable(counts), CellSuppression(), seed)
        if hidden is not None:
            check_counts(counts, hidden, sums_of(counts.shape), 2, 3, 1)
            done += 1
    assert done > 4


@pytest.mark.parametrize("part", one_of(3, range(3)))
def test_tables_with_sub_totals(part):
    parents = [0, 0, 1, 1]
    trees = (Tree([4, 4, 5, 5, 6, 6, -1]), Tree.flat(3))
    done = 0
    for seed in range(part * SUB_TOTALS // 3, (part + 1) * SUB_TOTALS // 3):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.gamma(0.8, 12, (4, 3)))
        sums = sums_of(counts.shape, parents)
        values = (sums @ counts.ravel()).astype(float)
        usable = values > 0
        usable[-1] = False
        primary = (values > 0) & (values < 3) & usable
        problem = Problem.of(
            of_trees(trees), values, primary, width=2, usable=usable, floor=np.minimum(values, 1),
            union=small_union(values, 3), insiders=Insiders.of_counts(counts, trees),
        )  # fmt: skip
        try:
            pattern = find_pattern(problem)
        except Unprotectable:
            continue
        check_counts(counts, pattern.suppressed, sums, 2, 3, 1)
        done += 1
    assert done > 4


@pytest.mark.parametrize("coalition", one_of(2, [2, 3]))
def test_so_many_people_together(coalition):
    done = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.gamma(0.8, 12, (3, 3)))
        hidden = gaps(FrequencyTable(counts), CellSuppression(threshold=4, coalition=coalition), seed)
        if hidden is not None:
            check_counts(counts, hidden, sums_of(counts.shape), 2, 4, coalition)
            done += 1
    assert done > 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_tables_of_amounts(part):
    """Holders in one cell or in several; half of the tables with sub-totals.

    Takes more than 10 s of processor time, because linear programs attack each table from the seat of every holder.
    """
    done = 0
    for seed in range(part * AMOUNTS // 3, (part + 1) * AMOUNTS // 3):
        rng = np.random.default_rng(seed)
        shape = tuple(int(n) for n in rng.integers(3, 5, 2))
        parents = [i // 2 for i in range(shape[0])] if seed % 2 and shape[0] == 4 else None
        records = []
        for cell in np.ndindex(shape):
            for _ in range(rng.integers(1, 5)):
                holder = int(rng.integers(0, 12)) if rng.random() < 0.3 else 1000 + len(records)
                records.append((str(cell[0]), str(cell[1]), holder, int(rng.integers(1, 200))))
        order = {str(i): f"group {parents[i]}" for i in range(shape[0])} if parents else {}
        table = MagnitudeTable.from_records(records, ["A", "B"], {"A": order} if order else None)
        rule = {"p": 10.0}
        try:
            pattern = table.suppress("p-percent", seed=seed, **rule)
        except InputError:
            continue
        check_amounts(records, shape, sums_of(shape, parents), pattern.suppressed, 10.0)
        done += 1
    assert done > 5


@pytest.mark.parametrize("tables", [[(0, 1), (1, 2)], [(0, 1), (0, 2)], [(0,), (1, 2)]])
def test_linked_tables_of_amounts(tables):
    """Holders are in one cell of all three axes or in several; only sums over axes are in print."""
    done, shape = 0, (3, 3, 2)
    every = sums_of(shape)
    places = np.array(list(np.ndindex(*(size + 1 for size in shape)))) == shape
    printed = [
        k
        for k, total in enumerate(places)
        if any(total[[i for i in range(3) if i not in one]].all() for one in tables)
    ]
    for seed in range(8):
        rng = np.random.default_rng(seed)
        records = []
        for cell in np.ndindex(shape):
            for _ in range(rng.integers(1, 3)):
                holder = int(rng.integers(0, 12)) if rng.random() < 0.3 else 1000 + len(records)
                records.append((*map(str, cell), holder, int(rng.integers(1, 200))))
        table = MagnitudeTable.from_records(records, ["A", "B", "C"])
        names = [["ABC"[axis] for axis in one] for one in tables]
        try:
            pattern = table.suppress("p-percent", p=10.0, tables=names, seed=seed)
        except InputError:
            continue
        frame = table.to_frame(pattern, names)
        assert len(frame) == len(printed)
        np.testing.assert_allclose(frame["amount"], every[printed] @ table.values.ravel())
        check_amounts(records, shape, every[printed], pattern.suppressed, 10.0)
        done += bool(pattern.suppressed.any())
    assert done > 1


def check_amounts(records, shape, sums, hidden, p):
    """The p % rule and what it asks for, written anew; then every holder in turn."""
    gave: dict[int, np.ndarray] = {}
    for *place, holder, amount in records:
        cells = gave.setdefault(holder, np.zeros(shape))
        cells[tuple(map(int, place))] += amount
    own = {holder: sums @ cells.ravel() for holder, cells in gave.items()}
    values = np.sum(list(own.values()), axis=0)
    top = np.sort(np.stack(list(own.values())), axis=0)
    needed = p / 100 * top[-1] - (values - top[-1] - top[-2])
    sensitive = np.flatnonzero((needed > 1e-9 * values) & (values > 0))
    assert np.all(hidden[sensitive])
    for holder in [None, *own]:
        mine = np.zeros(len(values)) if holder is None else own[holder]
        filled = np.flatnonzero((mine == values) & hidden)
        targets = [int(one) for one in sensitive if holder is None or mine[one] != values[one]]
        found = ranges_of(sums, values, hidden, mine, targets, filled) if targets else ()
        for target, (low, high) in zip(targets, found, strict=True):
            slack = 1e-6 * max(1.0, values[target])
            assert high >= values[target] + needed[target] - slack, (records, holder, target)
            below = min(needed[target], values[target] - mine[target])
            assert low <= values[target] - below + slack, (records, holder, target)


def test_the_diagonal():
    """In a square of gaps with ones on the diagonal each of the two people computes the other."""
    table = FrequencyTable([[1, 5, 20], [6, 1, 20], [20, 20, 20]])
    outside, inside = (CellSuppression(coalition=k, choice="optimal").pattern(table) for k in (0, 1))
    assert outside.suppressed.sum() == 4
    assert inside.suppressed.sum() > 4
    with pytest.raises(AssertionError, match=r"5, 20"):
        check_counts(table.counts, outside.suppressed, sums_of(table.shape), 2, 3, 1)


def test_nobody_is_in_an_empty_table():
    table = FrequencyTable(np.zeros((2, 3), dtype=int))
    assert not CellSuppression().pattern(table).suppressed.any()


@st.composite
def proofs(draw):
    """A table of amounts, who is in it, what is wanted of one of its sums, and two other tables as a proof."""
    shape = draw(st.tuples(st.integers(2, 3), st.integers(2, 3)))
    size = shape[0] * shape[1]
    gift = st.tuples(st.integers(0, size - 1), st.integers(1, 3), st.integers(0, 4))
    cells, amounts, holders = np.array([*draw(st.lists(gift, max_size=9)), (0, 1, 5)]).T
    who = draw(st.sets(st.sampled_from(holders), max_size=3))
    others = []
    for _ in range(2):
        other = np.bincount(cells, amounts, minlength=size)
        for k, step in draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(-3, 3)), max_size=3)):
            other[k] = max(0, other[k] + step)
        others.append(other)
    asked = draw(st.tuples(*[st.integers(0, 3)] * 3))
    return shape, (cells, amounts, holders), frozenset(who), others, asked, draw(st.integers(0, 2))


@pytest.mark.slow
@settings(max_examples=300)
@given(proofs())
def test_two_tables_prove_what_is_possible_for_a_coalition_and_no_more(drawn):
    """Both hold what it gave, and no more of what is all its own; and the entry is as far below and above as asked."""
    shape, (cells, amounts, holders), who, others, asked, floor = drawn
    trees, sums = [Tree.flat(n) for n in shape], sums_of(shape)
    own = sums @ np.bincount(cells, amounts * np.isin(holders, list(who)), minlength=sums.shape[1])
    values = sums @ np.bincount(cells, amounts, minlength=sums.shape[1])
    insiders = Insiders(above(Contributions(cells, amounts.astype(float), holders), shape, trees), 3)
    problem = Problem.of(
        of_trees(trees),
        values,
        values > 0,
        usable=values >= 0,
        floor=np.minimum(values, floor),
        insiders=insiders,
    )
    found = Widening(problem, Programs(problem), problem.usable, Work())
    changes = np.maximum(sums @ np.stack(others, axis=1), problem.floor[:, None]).T - values
    touched = np.flatnonzero(changes.any(axis=0))
    proof = Proof(touched, changes[:, touched])
    possible = np.all(np.where(own == values, changes == 0, changes >= own - values)[:, values > 0])
    below, beyond, width = asked
    for entry, (rise, fall) in enumerate(changes.T):
        wide = rise >= beyond and -fall >= below and rise - fall >= width
        assert found._proves(proof, entry, asked, who) == bool(wide and possible)
        assert found._proves(proof, entry, (-np.inf,) * 3, who) == possible


def test_a_coalition_is_one_person_unless_more_are_asked_for():
    insiders = Insiders.of_counts([1, 5], (Tree.flat(2),))
    assert insiders.coalition == 1
    assert insiders.contributions.entries.tolist() == [0, 2, 1, 2]
