"""Secondary suppression: laws, enumeration on small tables, hierarchies, linked tables, and known traps."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.linalg import null_space

from sdcwidgets.core.suppression import (
    Contributions,
    Problem,
    Tree,
    Unprotectable,
    Work,
    audit,
    find_pattern,
    is_ring,
    linked,
    of_shape,
    of_trees,
    p_percent,
    small_union,
    threshold,
    tightened,
    union_rule,
    weigh,
    with_margins,
)
from sdcwidgets.core.suppression.elimination import by_elimination
from sdcwidgets.core.suppression.programs import Programs

TWO_WAY = arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(0, 9))
THREE_WAY = arrays(np.int64, st.tuples(*[st.integers(2, 3)] * 3), elements=st.integers(0, 9))


def problem_of(counts, least=3, width=1.0, **more):
    full = with_margins(counts)
    return Problem.of(of_shape(counts.shape), full, threshold(full, least), width=width, **more)


def found_or_none(problem, **how):
    try:
        return find_pattern(problem, **how)
    except Unprotectable:
        return None


def tables_like(full, hidden):
    """Every table that has what is published, by enumeration of all hidden entries."""
    shape = tuple(size - 1 for size in full.shape)
    most = int(full.max()) + 2
    cells = [
        range(most) if h else [int(v)]
        for v, h in zip(full[:-1, :-1].flat, hidden[:-1, :-1].flat, strict=True)
    ]
    every = np.array(list(itertools.product(*cells))).reshape(-1, *shape)
    whole = np.concatenate([every, every.sum(axis=1, keepdims=True)], axis=1)
    whole = np.concatenate([whole, whole.sum(axis=2, keepdims=True)], axis=2)
    fits = ((whole == full) | hidden).reshape(len(whole), -1).all(axis=1)
    return whole[fits]


@given(arrays(np.int64, (2, 3), elements=st.integers(0, 2)), st.data())
@settings(max_examples=25, deadline=None)
def test_the_audit_and_enumeration_agree(counts, data):
    full = with_margins(counts)
    hidden = np.zeros(full.shape, dtype=bool)
    hidden[:-1, :-1] = data.draw(arrays(bool, counts.shape))
    tables = tables_like(full, hidden)
    lower, upper = audit(of_shape(counts.shape), full, hidden)
    np.testing.assert_allclose(lower.reshape(full.shape), tables.min(axis=0), atol=1e-6)
    np.testing.assert_allclose(upper.reshape(full.shape), tables.max(axis=0), atol=1e-6)


@given(st.one_of(TWO_WAY, THREE_WAY), st.integers(1, 4), st.sampled_from(["exact", "heuristic"]))
@settings(max_examples=60, deadline=None)
def test_no_suppressed_entry_is_recoverable_and_none_narrower_than_asked(counts, width, method):
    problem = problem_of(counts, width=width)
    pattern = found_or_none(problem, method=method)
    if pattern is None:
        return
    assert np.all(pattern.suppressed[problem.primary])
    lower, upper = audit(problem.relations, problem.values, pattern.suppressed)
    hidden = pattern.suppressed
    assert np.all((lower <= problem.values + 1e-6) & (problem.values - 1e-6 <= upper))
    assert np.all(upper[hidden] - lower[hidden] >= 1 - 1e-6)
    assert np.all((upper - lower)[problem.primary] >= width - 1e-6)
    assert pattern.least <= pattern.cost + 1e-6


@given(arrays(np.int64, (3, 3), elements=st.integers(0, 6)))
@settings(max_examples=25, deadline=None)
def test_the_exact_pattern_is_the_cheapest_of_all(counts):
    problem = problem_of(counts, least=2, width=2)
    inner = np.zeros((4, 4), dtype=bool)
    inner[:3, :3] = True
    # Margins stay published, so that all patterns can be tried.
    problem = Problem.of(
        problem.relations,
        problem.values,
        problem.primary & inner.ravel(),
        width=2,
        usable=(problem.values > 0) & inner.ravel(),
    )
    if not problem.primary.any():
        return
    pattern = found_or_none(problem, method="exact")
    free = np.flatnonzero(problem.usable & ~problem.primary)
    best = np.inf
    for chosen in itertools.product((False, True), repeat=len(free)):
        hidden = problem.primary.copy()
        hidden[free[list(chosen)]] = True
        cost = problem.weights[hidden & ~problem.primary].sum()
        if cost < best:
            lower, upper = audit(problem.relations, problem.values, hidden)
            if np.all((upper - lower)[problem.primary] >= 2 - 1e-6):
                best = cost
    assert (pattern.cost if pattern else np.inf) == pytest.approx(best)
    if pattern:
        assert pattern.optimal
        greedy = find_pattern(problem, method="heuristic")
        assert greedy.least - 1e-6 <= best <= greedy.cost + 1e-6


def test_weights_choose_the_cells():
    counts = np.array([[1, 9, 8], [7, 20, 5], [6, 5, 30]])
    by_value = find_pattern(problem_of(counts), method="exact")
    assert by_value.secondary.reshape(4, 4)[:3, :3].sum() == 3
    costs = np.ones((4, 4))
    costs[1:3, 1] = costs[1:3, 0] = 50
    own = find_pattern(
        problem_of(counts, weights=weigh(with_margins(counts).ravel(), costs=costs)), method="exact"
    )
    assert own.cost < find_pattern(problem_of(counts, weights=1.0), method="exact").cost * 60
    few = find_pattern(problem_of(counts, weights=weigh(by_value.lower, by="cell")), method="exact")
    assert few.cost == 3


def test_a_row_of_two_ones_tells_each_where_the_other_is():
    """The trap of singletons: the sum of two suppressed ones is 2, so each of the two knows the other cell."""
    counts = np.array([[1, 1, 9, 7], [1, 1, 8, 9], [9, 8, 7, 8]])
    plain = problem_of(counts, least=3)
    without = find_pattern(plain, method="exact")
    assert without.secondary.sum() == 0
    known = np.zeros(plain.values.shape, dtype=bool)
    known[0] = True
    lower, upper = audit(plain.relations, plain.values, without.suppressed, known=known)
    assert np.all(lower == upper)  # who is the first one knows all four
    for method in ("exact", "heuristic"):
        covered = problem_of(counts, least=3, union=small_union(plain.values, 3))
        pattern = find_pattern(covered, method=method)
        lower, upper = audit(covered.relations, covered.values, pattern.suppressed, known=known)
        others = pattern.suppressed & ~known
        assert np.all(upper[others] - lower[others] >= 1 - 1e-6)


def test_a_contributor_in_two_cells_is_one_contributor():
    """Holder 1 has the larger part of both suppressed cells of the first row; together they are its own."""
    values = np.array([90.0, 12, 80, 15, 60, 55, 40, 30, 20, 70, 50, 45, 35, 25, 65, 44])
    entries = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5])
    holders = np.array([1, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    relations = of_shape((2, 3))
    numbers = np.arange(6).reshape(2, 3)
    full = with_margins(np.bincount(entries, values).reshape(2, 3))
    given = Contributions(relations.tables[0][:2, :3].ravel()[entries], values, holders)
    rule = lambda one, size: p_percent(one, size, 20)  # noqa: E731
    sensitive = rule(given, full.size)
    assert sensitive.flags[relations.tables[0][0, 0]]
    row = given.relabelled(np.where(np.isin(np.arange(full.size), [0, 1]), 0, -1))
    apart = Contributions(row.entries, row.values, np.arange(len(row.values)))
    assert rule(row, 1).flags[0]  # one holder has 170 of 197
    assert not rule(apart, 1).flags[0]  # as if the holders were all different
    asked = dict(above=sensitive.needed, below=sensitive.needed, width=1.0)
    plain = Problem.of(relations, full, sensitive.flags, **asked)
    covered = Problem.of(relations, full, sensitive.flags, union=union_rule(given, rule), **asked)
    narrow, wide = (find_pattern(problem, method="exact") for problem in (plain, covered))
    assert wide.cost >= narrow.cost
    hidden = wide.suppressed.reshape(full.shape)
    for i in range(2):
        inside = numbers[i][hidden[i, :3]]
        if len(inside) and not hidden[i, 3]:
            cells = relations.tables[0][i, :3][hidden[i, :3]]
            together = given.relabelled(np.where(np.isin(np.arange(full.size), cells), 0, -1))
            assert not rule(together, 1).flags[0]


def test_hierarchies_are_protected_on_every_level():
    tree = Tree([4, 4, 5, 5, 6, 6, -1])
    other = Tree.flat(3)
    rng = np.random.default_rng(4)
    for _ in range(4):
        full = with_margins(rng.integers(2, 20, (4, 3)), [tree, other])
        relations = of_trees([tree, other])
        primary = threshold(full, 4)
        for method in ("exact", "heuristic"):
            problem = Problem.of(relations, full, primary, width=3)
            pattern = found_or_none(problem, method=method)
            if pattern is None:
                continue
            lower, upper = audit(relations, full, pattern.suppressed)
            assert np.all((upper - lower)[pattern.suppressed] >= 1 - 1e-6)
            assert np.all((upper - lower)[primary.ravel()] >= 3 - 1e-6)


def test_a_hierarchy_is_the_sum_of_its_levels():
    tree = Tree([4, 4, 5, 5, 6, 6, -1])
    full = with_margins([1, 2, 3, 4], [tree])
    assert full.tolist() == [1, 2, 3, 4, 3, 7, 10]
    of_trees([tree]).check(full)


def test_linked_tables_share_what_is_suppressed():
    """Age by area and age by sex, with the age totals in both: a suppressed total is a gap in both tables."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        cube = rng.integers(0, 6, (3, 3, 2))
        first, second = with_margins(cube.sum(axis=2)), with_margins(cube.sum(axis=1))
        a = np.arange(16).reshape(4, 4)
        b = np.empty((4, 3), dtype=np.int64)
        b[:, 2] = a[:, 3]  # the totals of each age and of all
        b[:, :2] = 16 + np.arange(8).reshape(4, 2)
        values = np.empty(24)
        values[a], values[b] = first, second
        relations = linked([a, b])
        relations.check(values)
        problem = Problem.of(relations, values, threshold(values, 3))
        patterns = [found_or_none(problem, method=method) for method in ("exact", "heuristic")]
        assert (patterns[0] is None) == (patterns[1] is None)
        for pattern in filter(None, patterns):
            lower, upper = audit(relations, values, pattern.suppressed)
            assert np.all((upper - lower)[pattern.suppressed] >= 1 - 1e-6)
        if patterns[0]:
            assert patterns[0].cost <= patterns[1].cost


def test_a_table_of_hundreds_of_cells_has_a_bound():
    rng = np.random.default_rng(1)
    counts = rng.poisson(rng.gamma(1, 20, (30, 30)))
    problem = problem_of(counts, least=4, width=3)
    pattern = find_pattern(problem)
    assert 0 < pattern.least <= pattern.cost <= 2 * pattern.least
    lower, upper = audit(problem.relations, problem.values, pattern.suppressed)
    assert np.all((upper - lower)[problem.primary] >= 3 - 1e-6)
    assert np.all(lower <= pattern.lower + 1e-6)
    assert np.all(pattern.upper <= upper + 1e-6)


def test_the_bound_of_a_dense_table_is_tightened_and_holds():
    """Counts of 20 and more beside few small ones: a gap is rarely alone, and covering alone proves little."""
    rng = np.random.default_rng(1)
    counts = rng.poisson(rng.gamma(0.7, 20, (16, 16)))
    problem = problem_of(counts, least=2, width=5)
    plain = find_pattern(problem, method="heuristic")
    better = tightened(problem, plain)
    best = find_pattern(problem, method="exact")
    assert best.optimal
    assert plain.least < better.least <= best.cost + 1e-6
    assert best.cost <= better.cost == plain.cost
    assert tightened(problem, best) is best


@pytest.mark.parametrize("kind", ["spread", "uneven", "random"])
def test_wide_intervals_of_many_cells_are_found_soon_and_audited(kind):
    """A quarter of the cells sensitive, and wider than most counts are: each gap needs several others."""
    rng = np.random.default_rng(1)
    counts = rng.poisson(rng.gamma(0.7, 20, (25, 25)))
    if kind == "uneven":
        counts = rng.poisson(40 * rng.gamma(1, 1, (25, 1)) * rng.gamma(1, 1, (1, 25)))
    full = with_margins(counts)
    primary = np.zeros(full.shape, dtype=bool)
    small = np.argsort(counts, axis=None) if kind != "random" else rng.permutation(counts.size)
    small = small[counts.ravel()[small] > 0][:150]
    primary[np.unravel_index(small, counts.shape)] = True
    problem = Problem.of(of_shape(counts.shape), full, primary, width=100)
    pattern = find_pattern(problem)
    assert pattern.exact
    lower, upper = audit(problem.relations, problem.values, pattern.suppressed)
    np.testing.assert_array_equal([pattern.lower, pattern.upper], [lower, upper])
    assert np.all((upper - lower)[problem.primary] >= 100)
    assert np.all((upper - lower)[pattern.suppressed] >= 1)


@pytest.mark.parametrize("seed", range(6))
def test_the_pattern_of_rings_costs_little_more_than_the_cheapest(seed):
    counts = np.random.default_rng(seed).poisson(np.random.default_rng(seed).gamma(0.7, 20, (8, 8)))
    problem = problem_of(counts, least=3, width=6)
    found, best = (find_pattern(problem, method=method) for method in ("heuristic", "exact"))
    assert best.optimal
    assert best.cost - 1e-6 <= found.cost <= 2 * best.cost + 1e-6


@pytest.mark.slow
def test_a_pattern_is_found_and_proved_however_little_work_is_allowed():
    """What an idle machine protects a busy one protects too: work is counted, not seconds."""
    counts = np.random.default_rng(1).poisson(6, (4, 4, 4))
    problem = problem_of(counts, least=4, width=30)
    little, more = (find_pattern(problem, method="heuristic", work=Work(most)) for most in (1, 1e6))
    assert more.cost <= little.cost
    for pattern in (little, more):
        assert np.all((pattern.upper - pattern.lower)[problem.primary] >= 30 - 1e-6)


def test_what_counts_the_work_can_end_it():
    class Stop(Exception):
        pass

    def tell(share):
        if share > 0.001:
            raise Stop

    with pytest.raises(Stop):
        find_pattern(problem_of(np.random.default_rng(1).poisson(6, (4, 4, 4))), work=Work(1e5, tell))


def test_nothing_sensitive_suppresses_nothing():
    pattern = find_pattern(problem_of(np.array([[5, 6], [7, 8]])))
    assert not pattern.suppressed.any()
    assert pattern.optimal


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: of_shape((2, 2)).check(np.ones((3, 3))), "parts have the sum"),
        (lambda: of_shape((2, 2)).check(np.ones(4)), "4 values for 9 cells and totals"),
        (lambda: Tree([1, 2, -1, -1]), "exactly one.*2"),
        (lambda: Tree([9, -1]), "not exist"),
        (lambda: Tree([1, 0, -1]), "own ancestor"),
        (lambda: linked([[0, 1, 5]]), "from 0"),
        (lambda: problem_of(np.array([[1, 0], [0, 9]])), None),
        (lambda: find_pattern(problem_of(np.array([[1, 0], [0, 9]]), usable=np.zeros(9, bool))), "pattern protects"),
        (lambda: find_pattern(problem_of(np.ones((2, 2), int)), method="magic"), "magic"),
        (lambda: weigh(np.ones(3), by="taste"), "taste"),
        (lambda: weigh(np.ones(3), costs=[1, 2]), "3 costs"),
    ],
)  # fmt: skip
def test_what_cannot_be_protected_is_said(act, words):
    if words is None:
        act()
        return
    with pytest.raises(ValueError, match=words):
        act()


@pytest.mark.parametrize("scale", [1, 10, 1000])
def test_nothing_bounds_entries_whose_totals_are_all_hidden(scale):
    full = with_margins(np.array([[5, 1], [2, 3]]) * scale)
    hidden = np.zeros(full.shape, dtype=bool)
    hidden[[0, 0, 2, 2], [0, 2, 0, 2]] = True
    lower, upper = audit(of_shape((2, 2)), full, hidden)
    assert np.isinf(upper[hidden.ravel()]).all()
    assert np.isfinite(lower).all()


@pytest.mark.slow
@given(
    arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(1, 30)),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_a_pattern_has_the_room_that_is_asked_of_an_entry_also_of_a_total(counts, data):
    """What everybody knows beforehand leaves each entry room of its own up and down: a change must go the right way."""
    full = with_margins(counts)
    entry = data.draw(st.sampled_from([*np.ndindex(full.shape)]))
    room = arrays(np.int64, full.shape, elements=st.integers(0, 6))
    up, down = data.draw(room), data.draw(room)
    sensitive = np.zeros(full.shape, dtype=bool)
    sensitive[entry] = True
    above, below = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
    problem = Problem.of(
        of_shape(counts.shape),
        full,
        sensitive,
        above=above,
        below=below,
        floor=full - down,
        ceiling=full + up,
    )
    found = found_or_none(problem, method="heuristic")
    if found is not None:
        pattern = found.suppressed
        lower, upper = audit(
            problem.relations, problem.values, pattern, floor=problem.floor, ceiling=problem.ceiling
        )
        at = np.ravel_multi_index(entry, full.shape)
        assert upper[at] >= problem.values[at] + above - 1e-6
        assert lower[at] <= problem.values[at] - below + 1e-6
    # Where a box of four corners has enough room there is a pattern; a longer ring may have it too.
    free = [other for other in np.ndindex(full.shape) if other[0] != entry[0] and other[1] != entry[1]]
    if any(_moves(full, entry, other, up, down, above, below) for other in free):
        assert found is not None


def _moves(full, entry, other, up, down, above, below):
    """Whether the entry can rise and fall far enough along the box of these two corners."""

    corners = [entry, (entry[0], other[1]), (other[0], entry[1]), other]
    # The only change of these four that keeps all sums, found without the rules of signs.
    size = full.shape
    equations = []
    for axis in (0, 1):
        for line in range(size[1 - axis]):
            row = np.zeros(size)
            at = (slice(None), line) if axis == 0 else (line, slice(None))
            row[at] = 1
            row[(size[0] - 1, line) if axis == 0 else (line, size[1] - 1)] = -1
            equations.append([row[corner] for corner in corners])
    _, _, vectors = np.linalg.svd(np.array(equations))
    moved = vectors[-1] / vectors[-1][0]
    rise = min(up[c] if m > 0 else down[c] for c, m in zip(corners, moved, strict=True))
    fall = min(down[c] if m > 0 else up[c] for c, m in zip(corners, moved, strict=True))
    return rise >= above and fall >= below and rise + fall >= 1


@pytest.mark.slow
def test_a_good_pattern_costs_little_more_than_the_cheapest():
    """The good one is found without looking for the cheapest; on average it is 1.2 times as dear at most."""
    costs = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(2, 4, 3)) if seed % 3 == 0 else tuple(rng.integers(3, 6, 2))
        problem = problem_of(rng.poisson(rng.gamma(0.8, 10, shape)), width=2.0)
        good = found_or_none(problem, method="heuristic")
        if good is None or not good.secondary.any():
            continue
        exact = find_pattern(problem, method="exact")
        if exact.optimal:
            assert good.cost >= exact.cost - 1e-6
            costs.append((good.cost, exact.cost))
    assert len(costs) > 12
    assert sum(good for good, _ in costs) <= 1.2 * sum(cheapest for _, cheapest in costs)


@pytest.mark.parametrize("size", range(3, 8))
def test_a_chain_of_tables_is_no_ring_and_its_closing_makes_one(size):
    chain = [(k, k + 1) for k in range(size - 1)]
    assert not is_ring(chain)
    assert is_ring([*chain, (size - 1, 0)])
    assert not is_ring([*chain, (size - 1, 0), tuple(range(size))])


@given(
    arrays(np.int64, (3, 3, 2), elements=st.integers(1, 9))
    | arrays(np.int64, (3, 4), elements=st.integers(1, 9))
)
@settings(max_examples=30, deadline=None)
def test_elimination_hides_no_entry_that_sums_and_differences_would_not_need(counts):
    """No sensitive entry is a sum or difference of published ones; one more published, and some sensitive one is."""
    problem = problem_of(counts)
    pattern = by_elimination(problem)
    assert pattern[problem.primary].all()
    matrix = problem.relations.matrix.toarray().astype(float)

    def known(hidden):
        free = null_space(matrix[:, hidden], rcond=1e-9)
        return problem.primary[hidden] & (np.abs(free) < 1e-7).all(axis=1)

    assert not known(pattern).any()
    for entry in np.flatnonzero(pattern & ~problem.primary):
        one_less = pattern.copy()
        one_less[entry] = False
        assert known(one_less).any()


def test_the_cheapest_pattern_is_looked_for_where_it_is_asked_for_or_the_table_is_small(monkeypatch):
    counts = np.random.default_rng(1).poisson(4, (4, 5))

    def work(method):
        spent = Work()
        find_pattern(problem_of(counts), method=method, work=spent)
        return spent.done

    assert work("auto") == work("exact") > work("heuristic")
    monkeypatch.setitem(find_pattern.__globals__, "EXACT_ENTRIES", 29)
    assert work("auto") == work("heuristic")
    monkeypatch.setitem(find_pattern.__globals__, "EXACT_ENTRIES", 30)
    assert work("auto") == work("exact")


@pytest.mark.slow
@given(
    arrays(np.int64, (3, 4), elements=st.integers(1, 9))
    | arrays(np.int64, (2, 3, 2), elements=st.integers(1, 9)),
    st.integers(0, 5),
    st.integers(0, 2),
    st.sampled_from(["exact", "heuristic"]),
)
@settings(max_examples=40, deadline=None)
def test_a_sensitive_value_may_lie_as_far_on_each_side_as_is_asked(counts, above, below, method):
    full = with_margins(counts)
    problem = Problem.of(
        of_shape(counts.shape), full, threshold(full, 3), above=above, below=np.minimum(below, full)
    )
    pattern = found_or_none(problem, method=method)
    if pattern is not None:
        lower, upper = audit(problem.relations, problem.values, pattern.suppressed)
        assert ((upper - problem.values)[problem.primary] >= above - 1e-6).all()
        assert ((problem.values - lower)[problem.primary] >= problem.below[problem.primary] - 1e-6).all()


def test_the_price_of_a_further_change_is_per_unit_of_it():
    """A cell of 4 rises by 2 if its row and column, or the other cells of both, change too."""
    trees = (Tree.flat(2), Tree.flat(2))
    values = with_margins(np.array([[4, 6], [7, 8]]), trees).ravel().astype(float)
    problem = Problem.of(of_trees(trees), values, values == 4)
    programs = Programs(problem)
    programs.allow(problem.primary)
    price, entries = programs.augment(0, 1, np.zeros(len(programs.columns)), 2.0)
    costs = problem.weights / problem.weights.min()
    assert len(entries) == 3
    assert price == pytest.approx(costs[entries].sum() / 2)
