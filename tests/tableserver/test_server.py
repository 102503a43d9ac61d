"""The table generator: its steps, its log, the same noise everywhere, and what two tables never give away."""

import itertools
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from stating import stating

from sdcwidgets import InputError, methods
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Refusal, Rules, TableServer
from sdcwidgets.tableserver.hypercube import hypercube
from sdcwidgets.tableserver.tabulate import KEYS, Query, Tabulator

OPEN = Rules(
    dimensions=6, selections=6, nested=False, people=1, mean=0, small=1, before=1, after=1, utility=0
)


@pytest.fixture(scope="module")
def data():
    return Tabulator.open(hypercube(), count="Count", key="Key")


def small_data(seed, size=60):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "Area": rng.choice(["N", "E", "S"], size, p=[0.6, 0.3, 0.1]),
            "Age": rng.choice(["young", "middle", "old"], size),
            "Sex": rng.choice(["f", "m"], size),
            "Key": rng.integers(KEYS, size=size),
        }
    )
    return Tabulator.open(frame, key="Key")


@pytest.mark.parametrize(
    ("rules", "by", "where", "rule"),
    [
        ({"dimensions": 2}, ["Sex", "Age", "Region"], {}, "dimensions"),
        ({"selections": 1}, ["Age"], {"Sex": ["Male"], "Region": ["Region 1"]}, "selections"),
        ({"people": 100_000}, ["Sex"], {"Age": ["100 and over"]}, "people"),
        ({"mean": 1000}, ["Age", "Occupation", "Education"], {}, "mean"),
        ({"small": 0.01, "mean": 0}, ["Age", "Occupation", "Education"], {}, "small"),
        ({"after": 0.01}, ["Age", "Occupation", "Education"], {}, "after"),
        ({"utility": 1.0}, ["Age", "Occupation", "Education"], {}, "utility"),
    ],
)
def test_each_rule_refuses_by_its_name_and_tells_no_count(data, rules, by, where, rule):
    server = TableServer(data, Rules(**rules))
    answer = server.request(by, where)
    assert isinstance(answer, Refusal)
    assert answer.rule == rule
    assert not answer
    people = server.original(server.log[-1])
    assert answer.required
    assert answer.advice
    words = f"{answer.reason} {answer.advice}"
    told = {int(word) for word in words.replace(",", "").split() if word.isdecimal()}
    assert not told & {people.total, *people.counts.ravel().tolist()} - {0, 1, 2}


def test_groups_must_be_those_that_are_offered(data):
    young = {"under 15": ["0-4", "5-9", "10-14"]}
    server = TableServer(data, OPEN, groups={"Age": [young]})
    release = server.request(["Age", "Sex"], groups={"Age": young})
    assert release.axes[0].labels[0] == "under 15"
    answer = server.request(["Age", "Sex"], groups={"Age": {"under 10": ["0-4", "5-9"]}})
    assert answer.rule == "groups"


def test_a_release_tells_its_utility_and_the_log_everything(data):
    server = TableServer(data)
    release = server.request(["Age", "Citizenship"], {"Region": ["Region 2"]})
    assert isinstance(release, Release)
    line = server.log[-1]
    assert f"{line.read.utility:.3f}" in release.notes[-1]
    assert line.read.utility == pytest.approx(line.true.utility, abs=0.002)
    assert 0 < line.true.after < line.true.before < 1
    assert server.to_frame().loc[0, "answer"] == "protected"
    assert set(np.unique(release.cells % 3)) == {0}


def test_a_table_of_low_risk_is_released_as_it_is(data):
    server = TableServer(data)
    release = server.request(["Region", "Sex"])
    assert server.log[-1].exact
    np.testing.assert_array_equal(release.cells, server.original(server.log[-1]).counts)


def test_totals_that_would_undo_a_cell_are_left_out(data):
    answer = TableServer(data).request(["Age", "Occupation", "Education"], {"Region": ["Region 1"]})
    assert np.isnan(answer.marginal("Age")).all()
    assert "Totals are" in answer.notes[-2]
    assert not any("Each total" in note for note in answer.notes)
    whole = TableServer(data).request(["Age", "Citizenship"], {"Region": ["Region 1"]})
    assert not np.isnan(whole.marginal("Age")).any()


def test_a_method_whose_every_one_tells_a_one_or_two_is_refused(data):
    # Zeros stay and others move by one: a published 1 was 1 or 2.
    rules = Rules(**(vars(OPEN) | {"before": 0.0}))
    assert (
        TableServer(data, rules, "barnardisation").request(["Age", "Citizenship", "Sex"]).rule == "difference"
    )


@pytest.mark.parametrize("name", ["random-rounding", "cell-key", "barnardisation", "stochastic-perturbation"])
def test_the_same_cell_has_the_same_noise_in_every_table(data, name):
    server = TableServer(data, OPEN.__class__(**(vars(OPEN) | {"before": 0.0, "difference": 0})), name)
    whole = server.request(["Age", "Citizenship", "Sex"])
    again = server.request(["Citizenship", "Age"], {"Sex": ["Male"]})
    other = server.request(["Sex", "Age"])
    np.testing.assert_array_equal(whole.cells[:, :, 0].T, again.cells)
    np.testing.assert_array_equal(whole.marginal("Sex", "Age"), other.cells)
    np.testing.assert_array_equal(whole.marginal("Age"), other.marginal("Age"))


def test_methods_that_protect_a_table_as_a_whole_are_refused(data):
    with pytest.raises(InputError, match="a whole"):
        TableServer(data, method="record-swapping")


def test_methods_that_leave_large_counts_alone_are_refused(data):
    # 901 in all and 900 in the other cell are both published as they are.
    with pytest.raises(InputError, match="large counts"):
        TableServer(data, method="small-cell-adjustment")


def test_data_without_keys_cannot_be_protected():
    frame = pd.DataFrame({"Sex": ["f", "m"]})
    with pytest.raises(InputError, match="record keys"):
        TableServer(frame)
    assert TableServer(frame, OPEN, None).request(["Sex"]).rule == "difference"
    unchecked = Rules(**(vars(OPEN) | {"difference": 0}))
    assert TableServer(frame, unchecked, None).request(["Sex"]).cells.tolist() == [1, 1]


def test_without_protection_a_risky_table_is_refused(data):
    answer = TableServer(data, method=None).request(["Age", "Citizenship"])
    assert answer.rule == "before"


def test_a_source_that_goes_between_two_requests_is_told_and_the_server_goes_on(tmp_path):
    path, away = tmp_path / "people.parquet", tmp_path / "away"
    frame = pd.DataFrame({"Sex": ["f", "m"] * 2000, "Area": ["N", "S", "S", "N"] * 1000})
    frame.assign(Key=np.random.default_rng(1).integers(KEYS, size=4000)).to_parquet(path)
    server = TableServer(path, key="Key")
    assert server.request(["Sex"])
    server.request(["Area"])
    path.rename(away)
    with pytest.raises(InputError, match=r"people\.parquet"):
        server.request(["Sex", "Area"])
    assert len(server.log) == 2
    away.rename(path)
    assert server.request(["Sex", "Area"])


def test_a_source_that_goes_while_it_is_read_is_told_and_the_server_goes_on(tmp_path, monkeypatch):
    import ibis

    path, away = tmp_path / "people.csv", tmp_path / "away"
    frame = pd.DataFrame({"Sex": ["f", "m"] * 2000, "Area": ["N", "S", "S", "N"] * 1000})
    frame.assign(Key=np.random.default_rng(1).integers(KEYS, size=4000)).to_csv(path, index=False)
    server = TableServer(path, key="Key")
    assert server.request(["Sex"])
    server.request(["Area"])  # what is needed to plan the next query is now known
    read = ibis.expr.types.Table.to_pyarrow

    def gone(planned, *args, **kwargs):
        path.rename(away)
        return read(planned, *args, **kwargs)

    monkeypatch.setattr(ibis.expr.types.Table, "to_pyarrow", gone)
    with pytest.raises(InputError, match=r"people\.csv"):
        server.request(["Sex", "Area"])
    monkeypatch.undo()
    assert len(server.log) == 2
    away.rename(path)
    assert server.request(["Sex", "Area"])


def test_draws_before_tabulation_are_secret_unless_a_seed_is_given(data):
    swapping = methods.get("record-swapping")(axis="Region")
    servers = [TableServer(data, OPEN, swapping, stage="before", seed=seed) for seed in (None, None, 4, 4)]
    assert servers[0].protector.seed != servers[1].protector.seed
    assert servers[0].protector.seed > 2**90
    one, two, three, four = (server.request(["Region", "Citizenship"]) for server in servers)
    assert one != two
    assert three == four


@pytest.mark.slow
def test_the_solver_is_there_before_the_first_request():
    code = """
import sys, pandas as pd
from sdcwidgets.tableserver import TableServer
assert "scipy.optimize" not in sys.modules
TableServer(pd.DataFrame({"Sex": ["f", "m"]}), method=None)
assert "scipy.optimize" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_bad_requests_raise_and_the_server_goes_on(data):
    server = TableServer(data)
    with pytest.raises(InputError, match="no variable"):
        server.request(["Income"])
    with pytest.raises(InputError, match="no category"):
        server.request(["Sex"], {"Age": ["x'; DROP TABLE records; --"]})
    with pytest.raises(InputError, match="at least one"):
        server.request(["Sex"], {"Age": []})
    with pytest.raises(InputError, match="or more"):
        server.request([])
    assert server.request(["Sex"])


def test_a_table_that_singles_out_few_people_is_refused_or_protected():
    frame = pd.DataFrame(
        {
            "Area": ["N"] * 40 + ["S"] * 40 + ["W"],
            "Sex": ["f", "m"] * 40 + ["f"],
            "Key": np.arange(81) * 10_000_019 % KEYS,
        }
    )
    rules = Rules(**(vars(OPEN) | {"people": 10}))
    server = TableServer(Tabulator.open(frame, key="Key"), rules, None)
    assert server.request(["Sex"])
    answer = server.request(["Sex"], {"Area": ["N", "S"]})
    assert answer.rule == "difference"
    assert server.log[-1].singled[0].people == 1
    assert "W" not in answer.reason
    protecting = TableServer(Tabulator.open(frame, key="Key"), rules, "cell-key")
    protecting.request(["Sex"])
    assert protecting.request(["Sex"], {"Area": ["N", "S"]})
    assert not protecting.log[-1].exact
    assert protecting.log[-1].singled


VARIABLES = {"Area": ("N", "E", "S"), "Age": ("young", "middle", "old"), "Sex": ("f", "m")}


@st.composite
def queries(draw):
    by = draw(st.lists(st.sampled_from(list(VARIABLES)), min_size=1, max_size=2, unique=True))
    chosen = draw(st.lists(st.sampled_from(list(VARIABLES)), max_size=2, unique=True))
    where = {
        name: draw(st.lists(st.sampled_from(VARIABLES[name]), min_size=1, max_size=3, unique=True))
        for name in chosen
    }
    return Query(tuple(by), {name: tuple(labels) for name, labels in where.items()})


def boxes(query, release):
    """Every published number as the categories of its people, variable by variable."""
    whole = {name: frozenset(query.where.get(name, labels)) for name, labels in VARIABLES.items()}
    for kept, values in sorted(release.values.items()):  # noqa: PD011
        for place in itertools.product(*(range(n) for n in np.shape(values))):
            at = {
                release.axes[k].name: frozenset([release.axes[k].labels[i]])
                for k, i in zip(kept, place, strict=True)
            }
            yield {**whole, **at}, int(np.asarray(values)[place])


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(queries(), min_size=2, max_size=6), st.integers(0, 5), st.sampled_from([None, "cell-key"]))
def test_no_two_exact_tables_difference_to_a_small_group(asked, seed, method):
    rules = Rules(**(vars(OPEN) | {"difference": 2}))
    server = TableServer(small_data(seed), rules, method)
    for query in asked:
        server.request(query)
    exact = [one for one in server.log if one.exact]
    for first, second in itertools.permutations(exact, 2):
        people = [
            {name: frozenset(one.query.where.get(name, VARIABLES[name])) for name in VARIABLES}
            for one in (first, second)
        ]
        if people[0] == people[1]:
            continue
        for (small, n), (large, m) in itertools.product(
            boxes(first.query, first.answer), boxes(second.query, second.answer)
        ):
            if small != large and all(small[name] <= large[name] for name in VARIABLES):
                assert m - n == 0 or m - n > 2, (first.query.words, second.query.words)
    assert_nobody_is_left_alone(exact)


def assert_nobody_is_left_alone(exact):
    """No sum of published numbers, with any signs, counts one or two people: for all that is known they may be more."""
    atoms = list(itertools.product(*VARIABLES.values()))
    numbers = {}
    for one in exact:
        for box, n in boxes(one.query, one.answer):
            inside = tuple(
                float(all(label in box[name] for name, label in zip(VARIABLES, atom, strict=True)))
                for atom in atoms
            )
            numbers[inside] = n
    if numbers:
        for k in range(len(atoms)):
            aim = -np.eye(len(atoms))[k]
            found = linprog(aim, A_eq=np.array(list(numbers)), b_eq=list(numbers.values()))
            assert found.status == 3 or -found.fun > 2 + 1e-6, (atoms[k], [one.query.words for one in exact])


def test_three_tables_that_single_out_together_are_seen():
    frame = pd.DataFrame(
        {
            "Area": ["N"] * 40 + ["S"] * 41 + ["W"],
            "Sex": ["f", "m"] * 40 + ["f", "f"],
            "Key": np.arange(82) * 10_000_019 % KEYS,
        }
    )
    rules = Rules(**(vars(OPEN) | {"people": 10}))
    server = TableServer(Tabulator.open(frame, key="Key"), rules, None)
    assert server.request(["Sex"])
    assert server.request(["Sex"], {"Area": ["N"]})
    # Everybody less those of N and those of S are those of W; no two of the tables tell.
    answer = server.request(["Sex"], {"Area": ["S"]})
    assert answer.rule == "difference"
    assert server.log[-1].singled[0].around == stating("exact tables")


def test_a_population_is_one_category_or_one_offered_group(data):
    young = {"under 15": ["0-4", "5-9", "10-14"]}
    server = TableServer(data, groups={"Age": [young]})
    assert server.request(["Sex"], {"Age": young["under 15"]})
    assert server.request(["Sex"], {"Age": ["0-4", "5-9"]}).rule == "nested"
    part = server.request(["Age", "Sex"], {"Age": ["0-4", "15-19"]}, {"Age": young})
    assert part.rule == "nested"


def test_groups_that_overlap_are_refused(data):
    with pytest.raises(InputError, match="overlap at"):
        TableServer(data, groups={"Age": [{"a": ["0-4", "5-9"]}, {"b": ["5-9", "10-14"]}]})


def test_some_categories_of_a_variable_have_no_total(data):
    release = TableServer(data).request(["Sex", "Education"], {"Education": ["Primary", "None"]})
    assert np.isnan(release.marginal("Sex")).all()
    assert not np.isnan(release.marginal("Education")).any()


class Twins:
    """Data of which only one count differs, so that what is published is the same."""

    def __init__(self, method, rules):
        self.servers = []
        for few in (1, 2):
            frame = pd.DataFrame({"Area": ["N", "S"], "Sex": ["f", "f"], "Count": [900, few], "Key": [5, 0]})
            data = Tabulator.open(frame, count="Count", key="Key")
            self.servers.append(TableServer(data, rules, method))


@pytest.mark.parametrize("rules", [OPEN, Rules(people=1, mean=0), Rules(people=902), Rules(people=904)])
@pytest.mark.parametrize("base", [3, 5, 10])
def test_an_answer_is_a_function_of_the_protected_table(base, rules):
    # The small count, 1 or 2 with a key of 0, is rounded up in both: neither rules nor utility tell which it is.
    one, two = (
        server.request(["Area"]) for server in Twins(methods.get("random-rounding")(base=base), rules).servers
    )
    assert type(one) is type(two)
    if rules is OPEN:
        assert one.cells.tolist() == [900, base]
    assert one == two


@pytest.mark.parametrize("name", ["record-swapping", "semi-controlled-rounding", "random-rounding"])
def test_before_tabulation_all_tables_fit_together(data, name):
    options = {"axis": "Region"} if name == "record-swapping" else {}
    server = TableServer(data, OPEN, methods.get(name)(**options), stage="before")
    sexes = server.request(["Region", "Sex"])
    ages = server.request(["Age", "Region"])
    np.testing.assert_array_equal(sexes.marginal("Region"), ages.marginal("Region"))
    assert sexes.additive
    assert not server.log[0].exact
    assert 0 < server.log[-1].true.utility <= 1
    if name == "record-swapping":
        np.testing.assert_array_equal(
            sexes.marginal("Sex"), server.original(server.log[0]).counts.sum(axis=0)
        )


@dataclass(frozen=True)
class Stirred(methods.Method):
    """A method of another package, of neither kind, which says that it works before and who stayed."""

    works_before = follows = True

    def replicate(self, table, size, rng):
        return self.follow(table, size, rng)[0]

    def follow(self, table, size, rng):
        drawn = np.broadcast_to(np.roll(table.counts, 1, axis=0), (size, *table.shape))
        return drawn, np.minimum(drawn, table.counts)


def test_a_method_says_itself_that_it_works_before_and_who_stayed(data):
    server = TableServer(data, OPEN, Stirred(), stage="before")
    release = server.request([data.names[0]])
    true = server.original(server.log[0]).counts
    assert release.cells.tolist() == np.roll(true, 1).tolist()
    whole = data.tabulate(Query(data.names)).table.counts
    stay = np.minimum(whole, np.roll(whole, 1, axis=0)).sum() / whole.sum()
    assert server.protector.prepare(server.log[0].query).stay == pytest.approx(stay)


def test_a_method_needs_the_right_stage(data):
    with pytest.raises(InputError, match="applied before"):
        TableServer(data, method="controlled-rounding", stage="before")
    with pytest.raises(InputError, match='must be "after" or "before"'):
        TableServer(data, stage="later")


def test_keys_are_mixed_with_a_seed_and_stay_mixed_under_another_method(data):
    def noise(seed=None, method="cell-key", **options):
        server = TableServer(data, OPEN, method, seed=seed, **options)
        return server, server.request(["Age", "Citizenship"]).cells

    plain, mixed, other = noise()[1], noise(3**63)[1], noise(3**63 + 2)[1]
    assert (plain == noise()[1]).all()
    assert (mixed == noise(3**63)[1]).all()
    assert (plain == noise(3**63, mixed_keys=False)[1]).all()
    assert (mixed != plain).any()
    assert (mixed != other).any()
    server, _ = noise(3**63, "random-rounding")
    server.method = "cell-key"
    assert (server.request(["Age", "Citizenship"]).cells == mixed).all()
