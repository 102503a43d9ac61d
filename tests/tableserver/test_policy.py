"""Policies from files: what is not right is told by file and key, and geographies lie within each other."""

import json

import numpy as np
import pandas as pd
import pytest
from refusing import sentence

from sdcwidgets import methods
from sdcwidgets.tableserver import Rules, TableServer
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.geography import read_levels
from sdcwidgets.tableserver.policy import Policy

LABELS = {"Area": ["a", "b", "c"], "Sex": ["f", "m"]}
WIDE = methods.get("cell-key")(D=10, V=3)


def labels_of(name):
    return LABELS[name]


@pytest.fixture
def written(tmp_path):
    def write(section, method=""):
        path = tmp_path / "policy.toml"
        path.write_text(f'[rule]\nname = "Ours"\nsource = "Panel"\n{method}\n[generator]\n{section}', "utf-8")
        return path

    return write


def test_a_policy_says_rules_method_groups_and_comes_back(written, tmp_path):
    (tmp_path / "areas.csv").write_text(
        "label,parent\na,North\nb,North\nc,South\nNorth,All\nSouth,All\n", "utf-8"
    )
    path = written(
        'policy = "study"\npeople = 50\narea = "Area"\narea-people = 5\napart = [["Area", "Sex"]]\nrate = 9\n'
        '[generator.groups]\nArea = "areas.csv"\nSex = { both = ["f", "m"] }',
        '[method]\nname = "random-rounding"\nbase = 5',
    )
    policy = Policy.load(path, labels_of)
    assert (policy.kind, policy.rules.people, policy.rules.area_people, policy.rate) == ("study", 50, 5, 9)
    assert policy.rules.apart == (("Area", "Sex"),)
    assert policy.method.base == 5
    assert policy.groups["Area"] == [{"North": ("a", "b"), "South": ("c",)}, {"All": ("a", "b", "c")}]
    assert policy.groups["Sex"] == [{"both": ("f", "m")}]
    assert Policy.restored(json.loads(json.dumps(policy.saved()))) == policy


def test_what_a_policy_does_not_say_is_this(written):
    policy = Policy.load(written('policy = "public"'), labels_of)
    assert (policy.rate, policy.weighted_people, policy.weight) == (60, 10, "")


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("people = 5", "policy.toml, [generator] policy"),
        ('policy = "open"', "public or study"),
        ('policy = "public"\nspeed = 1', "[generator] speed: a policy file has no key of this name"),
        (
            'policy = "public"\narea_people = 1',
            "[generator] area_people: a policy file has no key of this name",
        ),
        (
            'policy = "public"\npeople = "many"',
            '"many"',
        ),
        ('policy = "public"\narea = 5', "name of"),
        ('policy = "public"\napart = ["Area"]', "two or"),
        ('policy = "public"\nrate = -1', "per minute"),
        ('policy = "public"\ngroups = 1', "a section"),
        ('policy = "public"\n[generator.groups]\nArea = 1', "group name"),
        (
            'policy = "public"\n[generator.groups]\nArea = { x = ["a", "q"] }',
            'the category "q" does not exist',
        ),
        ('policy = "public"\n[generator.groups]\nArea = "none.csv"', "none.csv"),
    ],
)
def test_what_is_wrong_with_a_policy_is_told_by_its_key(written, section, says):
    assert says in sentence(Policy.load, written(section), labels_of)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,N\nb,N\nc,N\na,S", 'line 4: "a"'),
        ("a,N\nb,N", 'no parent for "c"'),
        ("a,N\nb,N\nc,N\nq,N", '"q" are neither'),
        ("a,N\nb\nc,N", "line 2"),
        ("a,N\nb,N\nc,N\nN,M\nM,N", "own ancestor"),
    ],
)
def test_a_geography_lies_within_itself(tmp_path, text, says):
    path = tmp_path / "areas.csv"
    path.write_text(text, "utf-8")
    assert says in sentence(read_levels, path, LABELS["Area"])


def areas(sizes):
    frame = pd.DataFrame({"Area": np.repeat(list(sizes), list(sizes.values()))})
    rng = np.random.default_rng(1)
    return frame.assign(Sex=rng.choice(["f", "m"], len(frame)), Key=rng.integers(10**9, size=len(frame)))


def ask(frame, by=("Area", "Sex"), **rules):
    given = {"people": 1, "mean": 0, "small": 1, "after": 1, "utility": 0, **rules}
    return TableServer(frame, Rules(**given), WIDE, policy="public", key="Key", seed=1).request(by)


def test_only_the_areas_that_fail_are_hidden():
    frame = areas({"big": 900, "small": 40, "other": 800})
    release = ask(frame, area="Area", area_people=100)
    assert np.isnan(release.cells).tolist() == [[False, False], [False, False], [True, True]]
    assert release.axes[0].labels[2] == "small"
    assert np.isnan(release.marginal("Area")).tolist() == [False, False, True]
    assert not np.isnan(release.marginal("Sex")).any()
    assert 'Suppressed areas (c), because their numbers are too small: "small".' in release.notes
    shown = ask(frame, area="Area", area_people=10)
    np.testing.assert_array_equal(shown.cells[:2], release.cells[:2])
    assert ask(frame, area="Area", area_people=1000).rule == "area_people"
    turned = ask(frame, ("Sex", "Area"), area="Area", area_people=100)
    np.testing.assert_array_equal(turned.cells.T, release.cells)


def test_who_is_where_nearly_all_are_in_one_cell_is_not_shown():
    frame = areas({"big": 900, "even": 500})
    frame.loc[frame.Area == "big", "Sex"] = "f"
    release = ask(frame, area="Area", dominance=0.9)
    assert np.isnan(release.cells[0]).all()
    assert not np.isnan(release.cells[1]).any()


def test_variables_that_may_not_stand_together_and_tables_that_are_far_too_large(tmp_path):
    frame = areas({"big": 900, "even": 500})
    assert ask(frame, apart=(("Area", "Sex"),)).rule == "apart"
    assert ask(frame, ("Sex",), apart=(("Area", "Sex"),))
    wide = pd.DataFrame({name: np.arange(2000) % 500 for name in "abc"}).assign(Key=np.arange(2000))
    server = TableServer(wide, Rules(), WIDE, policy="public", key="Key")
    server.data.tabulate, made = None, server.data.tabulate
    server._everybody = 2000
    # Refused before it is made: 125 million cells.
    assert server.request(["a", "b", "c"]).rule == "mean"
    server.data.tabulate = made
    assert "no variable" in sentence(TableServer, frame, Rules(area="Nowhere"), key="Key")
    assert "no variable" in sentence(
        TableGenerator.init, tmp_path / "x", frame, Policy(rules=Rules(apart=(("Area", "Nothing"),)))
    )
