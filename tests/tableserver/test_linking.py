"""What all published tables give away together is seen, in whatever order they are asked for."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from sdcwidgets import methods
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Rules, TableServer
from sdcwidgets.tableserver.hypercube import hypercube
from sdcwidgets.tableserver.linking import LinkedTables
from sdcwidgets.tableserver.tabulate import KEYS, Query, Tabulator

ROUNDING = methods.get("random-rounding")(base=3)
OPEN = Rules(people=1, mean=0, small=1, before=0, after=1, utility=0)
GROUPS = {"Job": [{"a or b": ["a", "b"]}]}


def one_and_a_hundred(total_key, rules=OPEN, few=1):
    """A count of 1 and one of 100: both are rounded up, and their total, 101, as its key says."""
    # A key of 0 rounds up; the key of the total is the sum of those of its cells.
    frame = pd.DataFrame(
        {"Area": ["N", "N", "S"], "Sex": ["f", "m", "f"], "Count": [50, 50, few], "Key": [0, 0, total_key]}
    )
    return TableServer(Tabulator.open(frame, count="Count", key="Key"), rules, ROUNDING)


def people(seed, size=150):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "Area": rng.choice(list("NES"), size, p=[0.6, 0.3, 0.1]),
            "Sex": rng.choice(["f", "m"], size),
            "Job": rng.choice(["a", "b", "c"], size, p=[0.6, 0.35, 0.05]),
            "Key": rng.integers(10**9, size=size),
        }
    )
    return Tabulator.open(frame, key="Key")


def rounded(data, query, values):
    """A release of these numbers, all rounded to base 3."""
    axes = data.tabulate(query).axes
    arrays = {kept: np.array(array) for kept, array in values.items()}
    return Release.by_value(axes, arrays, lambda x: ROUNDING.conclusions(x.astype(int)), [])


def test_a_total_rounded_down_beside_cells_rounded_up_gives_a_one_away():
    data = one_and_a_hundred(0).data
    query = Query(["Area"])
    # Published: 102 for 100, 3 for 1, and 99 for their total of 101.
    group = LinkedTables(data, {}).with_(query, rounded(data, query, {(0,): [102, 3], (): 99})).small(2)
    assert (group.words, group.low, group.high) == ("Area: S", 1, 1)
    assert (
        LinkedTables(data, {}).with_(query, rounded(data, query, {(0,): [102, 3], (): 105})).small(2) is None
    )


def test_a_total_that_another_table_publishes_gives_it_away_too():
    data = one_and_a_hundred(0).data
    first = LinkedTables(data, {}).with_(Query(["Area"]), rounded(data, Query(["Area"]), {(0,): [102, 3]}))
    assert first.small(2) is None
    sexes = rounded(data, Query(["Sex"]), {(0,): [51, 51], (): 99})
    assert first.with_(Query(["Sex"]), sexes).small(2).words == "Area: S"


def test_a_population_and_everybody_else_give_it_away():
    data = one_and_a_hundred(0).data
    of_all = LinkedTables(data, {}).with_(
        Query(["Sex"]), rounded(data, Query(["Sex"]), {(0,): [51, 51], (): 99})
    )
    query = Query(["Sex"], {"Area": ["N"]})
    assert of_all.small(2) is None
    # 99 stands for at most 101, 102 for at least 100: at most one is left, and S is a listed category.
    known = of_all.with_(query, rounded(data, query, {(0,): [51, 51], (): 102}))
    group = known.small(2)
    assert (group.words, group.low, group.high) == ("Area: S", 1, 1)
    other = Query(["Sex"], {"Area": ["S"]})
    assert known.with_(other, rounded(data, other, {(0,): [3, 0], (): 3})).small(2) is not None


def test_groups_bound_their_categories():
    data = people(1)
    groups = {name: [dict(one)] for name, (one,) in GROUPS.items()}
    single = Query(["Job"], {"Sex": ["f"]})
    broad = Query(["Job"], {"Sex": ["f"]}, GROUPS["Job"][0] and {"Job": GROUPS["Job"][0]})
    known = LinkedTables(data, groups).with_(single, rounded(data, single, {(0,): [102, 3, 6]}))
    assert known.small(2) is None
    group = known.with_(broad, rounded(data, broad, {(0,): [99, 6]})).small(2)
    assert group.words == "Sex: f; Job: b"


def test_a_table_that_is_safe_by_itself_is_released_and_then_no_exact_total_undoes_it():
    # Exact areas 100 and 1 are never released; a total that is exact would leave 101 - 100 = 1.
    asked = one_and_a_hundred(0, Rules(**(vars(OPEN) | {"before": 0.2})))
    first = asked.request(["Area"])
    assert first.cells.tolist() == [102, 3]
    asked.request(["Sex"])
    assert not asked.log[1].exact


def test_that_totals_are_left_out_does_not_tell_a_one_or_a_two():
    # 102 and 3 are published without their total; all true counts behind it that a user must think possible.
    possible = set()
    for few in range(1, 6):
        for share in (0.1, 0.5, 0.9):
            answer = one_and_a_hundred(int(share * KEYS), OPEN, few).request(["Area"])
            if answer and list(answer.lower) == [(0,)] and answer.cells[1] == 3:
                possible.add(few)
    assert {1, 4} <= possible


def test_totals_that_are_left_out_are_not_had_by_asking_for_them():
    data = Tabulator.open(hypercube(), count="Count", key="Key")
    server = TableServer(data, Rules(before=0))
    region = {"Region": ["Region 1"]}
    whole = server.request(["Age", "Occupation", "Education"], region)
    assert list(whole.lower) == [(0, 1, 2)]
    assert server.log[0].singled[0].people in (1, 2)
    assert server.request(["Age", "Occupation"], region).rule == "difference"
    assert server.log[1].singled[0].people in (1, 2)


def sharp(data, log):
    """Yield the least and the greatest count of every published number, by linear programming over all of them."""
    names = data.names
    labels = [data.variable(name).labels for name in names]
    atoms = list(itertools.product(*labels))
    rows, low, high = [], [], []
    for line in log:
        if not isinstance(line.answer, Release):
            continue
        for kept, bounds in line.answer.lower.items():
            for place in np.ndindex(*bounds.shape):
                row = np.ones(len(atoms))
                for k, i in zip(kept, place, strict=True):
                    name, label = line.query.by[k], line.answer.axes[k].labels[i]
                    part = line.query.groups.get(name, {}).get(label, (label,))
                    row *= [atom[names.index(name)] in part for atom in atoms]
                for name, part in line.query.where.items():
                    row *= [atom[names.index(name)] in part for atom in atoms]
                rows.append(row)
                low.append(bounds[place])
                high.append(line.answer.upper[kept][place])
    A = np.array(rows)
    system = {"A_ub": np.vstack([A, -A]), "b_ub": np.concatenate([high, np.negative(low)])}
    for row in np.unique(A, axis=0):
        least, most = (linprog(sign * row, **system, bounds=(0, None), method="highs") for sign in (1, -1))
        yield np.ceil(least.fun - 1e-6), np.floor(-most.fun + 1e-6)


VARIABLES = {"Area": "NES", "Sex": "fm", "Job": "abc"}


@st.composite
def queries(draw):
    by = draw(st.lists(st.sampled_from(list(VARIABLES)), min_size=1, max_size=2, unique=True))
    rest = [None, *(name for name in VARIABLES if name not in by)]
    name = draw(st.sampled_from(rest))
    where = {} if name is None else {name: (draw(st.sampled_from(VARIABLES[name])),)}
    groups = {"Job": GROUPS["Job"][0]} if "Job" in by and draw(st.booleans()) else {}
    return Query(tuple(by), where, groups)


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.lists(queries(), min_size=2, max_size=6))
def test_no_sequence_of_protected_tables_gives_a_published_cell_away(seed, asked):
    server = TableServer(people(seed, 90), OPEN, ROUNDING, groups=GROUPS)
    for query in asked:
        server.request(query)
    for least, most in sharp(server.data, server.log) if any(one.answer for one in server.log) else ():
        assert not 1 <= least <= most <= OPEN.difference
