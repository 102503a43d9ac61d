"""A data user combines all released tables with the list of categories: each listed category has somebody."""

import itertools

import numpy as np
import pandas as pd
import pytest
from integer_attack import Published, known_small, of_rounding

from sdcwidgets import methods
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.linking import LinkedTables
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.tabulate import Query, Tabulator

RULES = Rules(people=1, mean=0, small=1, before=0.05, after=1, utility=0)

#: Stands for a number that is only known to be 1 or more.
LISTED = -1


def people(seed, size=60):
    """Return people of whom one has a job that nobody else has."""
    rng = np.random.default_rng(seed)
    jobs = [*rng.choice(["a", "b", "c"], size - 1, p=[0.6, 0.3, 0.1]), "d"]
    return pd.DataFrame(
        {"Area": rng.choice(["E", "N", "S"], size), "Sex": rng.choice(["f", "m"], size), "Job": jobs}
    )


def questions(labels):
    """Return all questions of one or two variables, of everybody and of one category."""
    for size in (1, 2):
        for by in itertools.combinations(labels, size):
            yield Query(by)
            for name in set(labels) - set(by):
                yield from (Query(by, {name: (label,)}) for label in labels[name])


def behind(base):
    known = of_rounding(base)
    return lambda value: (1, 10**6) if value == LISTED else known(value)


def listed(labels):
    """Return what the lists of categories say, as a table of numbers of 1 or more."""
    return Published({}, {((name, frozenset([label])),): LISTED for name in labels for label in labels[name]})


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 8))])
def test_tables_and_lists_of_categories_single_out_nobody(tmp_path, seed):
    policy = Policy("study", RULES, methods.get("random-rounding")(base=3))
    generator = TableGenerator.init(tmp_path / "made", people(seed), policy, secret=seed)
    labels = {name: generator.variable(name).labels for name in generator.data.names}
    asked, tables = [*questions(labels)], [listed(labels)]
    for k in np.random.default_rng(seed).permutation(len(asked)):
        answer = generator.ask(asked[k].by, asked[k].where)
        if isinstance(answer.answer, Release):
            tables.append(Published.of(asked[k], answer.answer, answer.request.exact))
    assert len(tables) > 5
    # The lists alone tell of everybody that some number of people has each category, and nothing else.
    assert list(known_small(labels, tables, behind(3), RULES.difference)) == []


def test_a_group_of_as_many_people_as_categories_tells_of_each():
    """Exact numbers: six people in a group of six listed categories are one in each."""
    jobs = ["a", "b", "c", "d", "e", "f", *["g"] * 30]
    data = Tabulator.open(pd.DataFrame({"Job": jobs, "Key": np.arange(36)}), key="Key")
    group = {"rare": tuple("abcdef")}
    query = Query(["Job"], groups={"Job": group})
    counts = {(0,): np.array([6.0, 30.0]), (): np.array(36.0)}
    release = Release(data.tabulate(query).axes, counts, counts, counts)
    found = LinkedTables(data, {"Job": [group]}).with_(query, release).small(2)
    assert (found.low, found.high) == (1, 1)
    more = Tabulator.open(pd.DataFrame({"Job": [*jobs, *"abcdef"], "Key": np.arange(42)}), key="Key")
    counts = {(0,): np.array([12.0, 30.0]), (): np.array(42.0)}
    release = Release(more.tabulate(query).axes, counts, counts, counts)
    assert LinkedTables(more, {"Job": [group]}).with_(query, release).small(2) is None
