"""A generator in a folder: one state for all who open it, whatever happens in between."""

import json
import multiprocessing
import os
import sqlite3
import stat
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from integer_attack import Published, known_small, of_p_table, of_rounding
from refusing import sentence
from siege import besieged, same_noise

from sdcwidgets import InputError, methods
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver import generator as of_generator
from sdcwidgets.tableserver.generator import TableGenerator, hashed
from sdcwidgets.tableserver.noise_check import uncovered
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.store import Store
from sdcwidgets.tableserver.tabulate import Query

LABELS = {"Area": ("E", "N", "S"), "Job": ("a", "b", "c"), "Sex": ("f", "m")}
GROUPS = {"Job": [{"a or b": ("a", "b")}]}
OPEN = Rules(people=1, mean=0, small=1, after=1, utility=0)
PUBLIC = Policy("public", OPEN, groups=GROUPS)
STUDY = Policy("study", OPEN, methods.get("random-rounding")(base=3), GROUPS)


def people(seed=1, size=90):
    rng = np.random.default_rng(seed)
    chosen = {"Area": [0.3, 0.6, 0.1], "Sex": [0.5, 0.5], "Job": [0.6, 0.35, 0.05]}
    drawn = {name: rng.choice(LABELS[name], size, p=shares) for name, shares in chosen.items()}
    return pd.DataFrame({**drawn, "Job": [*"abc", *drawn["Job"][3:]], "Area": [*"ENS", *drawn["Area"][3:]]})


@pytest.fixture
def folder(tmp_path):
    TableGenerator.init(tmp_path / "made", people(), PUBLIC, secret=7)
    return tmp_path / "made"


QUESTIONS = [
    Query(by, {} if name is None else {name: (label,)}, groups)
    for by in (("Area",), ("Sex",), ("Job",), ("Area", "Sex"), ("Job", "Sex"), ("Area", "Job"))
    for name, label in [(None, ""), ("Area", "S"), ("Sex", "f"), ("Job", "c")]
    if name not in by
    for groups in ({}, *([{"Job": GROUPS["Job"][0]}] if "Job" in by else []))
]


def put(generator, query, **more):
    return generator.ask(query.by, query.where, query.groups, **more)


def test_only_the_owner_can_read_it(folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {0o600}


def test_all_who_open_it_see_one_log_and_get_the_same_tables(folder):
    one, two = TableGenerator(folder), TableGenerator(folder)
    first = put(one, QUESTIONS[0], user="ann", door="http")
    again = put(two, QUESTIONS[0])
    assert again.answer == first.answer
    assert (again.id, again.number) == (first.id, 2)
    assert [line["user"] for line in one.store.log()] == ["", "ann"]
    assert one.to_frame()["answer"].tolist() == ["protected", "protected"]


def test_under_a_public_policy_no_answer_depends_on_what_was_asked_before(tmp_path):
    answers = []
    for number, order in enumerate((1, -1)):
        made = TableGenerator.init(tmp_path / str(number), people(), PUBLIC, secret=7)
        answers.append({str(query.key): put(made, query).answer for query in QUESTIONS[::order]})
    assert answers[0] == answers[1]
    assert all("as they are" not in " ".join(one.notes) for one in answers[0].values())


def test_the_same_people_have_the_same_number_in_every_table(folder):
    made = TableGenerator(folder)
    assert same_noise(LABELS, [Published.of(query, put(made, query).answer) for query in QUESTIONS])


def test_whatever_comes_of_a_question_it_stands_in_the_log(folder):
    made = TableGenerator(folder)
    for by, where in (
        (["Income"], {}),
        (["Sex"], {"Area": ["x'; DROP TABLE log; --"]}),
        ([], {}),
        (None, {}),
        (["Sex"], [1]),
        ([["Sex"]], {}),
        (["Sex"], {"Area": 5}),
    ):
        with pytest.raises(InputError):
            made.ask(by, where, user="eve")
    lines = made.store.log()
    assert len(lines) == 7
    assert all(line["answer"].startswith("error: ") and line["user"] == "eve" for line in lines)
    assert made.ask(["Sex"]).answer


def test_a_crash_between_decision_and_release_releases_nothing_and_loses_no_line(folder, monkeypatch):
    made = TableGenerator(folder)
    put(made, QUESTIONS[0])
    write = Store.answered

    def crash(*args):
        write(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "answered", crash)
    with pytest.raises(KeyboardInterrupt):
        put(made, QUESTIONS[1], user="ann")
    monkeypatch.undo()
    after = TableGenerator(folder)
    assert [line["answer"] for line in after.store.log()] == ["no answer", "protected"]
    assert after.store.log()[0]["user"] == "ann"
    assert put(after, QUESTIONS[1]).number == 3


def asking(folder, seed, told):
    made, rng = TableGenerator(folder), np.random.default_rng(seed)
    with open(told, "a", encoding="utf-8") as file:
        while True:
            answer = put(made, QUESTIONS[rng.integers(len(QUESTIONS))], user=str(seed))
            file.write(f"{answer.number} {answer.id}\n")
            file.flush()


@pytest.mark.slow
def test_killed_at_any_moment_the_log_is_complete_and_the_store_whole(tmp_path):
    folder, told = tmp_path / "made", tmp_path / "told"
    TableGenerator.init(folder, people(), STUDY)
    context = multiprocessing.get_context("spawn")
    for seed, wait in enumerate((0.2,)):
        processes = [context.Process(target=asking, args=(folder, 10 * seed + k, told)) for k in range(2)]
        for one in processes:
            one.start()
        size = told.stat().st_size if told.exists() else 0
        while not told.exists() or told.stat().st_size == size:
            processes[0].join(0.02)
        processes[0].join(wait)
        for one in processes:
            one.kill()
            one.join()
    check_store(folder, told)


def check_store(folder, told):
    """Everything that was handed out is in the log with the table it was; nothing is half there."""
    connection = sqlite3.connect(folder / "generator.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    log = dict(connection.execute("SELECT number, answer FROM log"))
    assert sorted(log) == list(range(1, len(log) + 1))
    answers = {one for (one,) in connection.execute("SELECT id FROM answer")}
    assert answers == {one for one in log.values() if one is not None}
    lines = told.read_text("utf-8").splitlines()
    handed = [line.split() for line in lines if len(line.split()) == 2]
    assert handed
    assert all(log[int(number)] == int(answer) for number, answer in handed)
    made = TableGenerator(folder)
    assert put(made, QUESTIONS[0]).number == len(log) + 1


@pytest.mark.parametrize("policy", [PUBLIC, STUDY], ids=["public", "study"])
def test_many_at_once_get_the_same_answers_and_nothing_is_lost(tmp_path, policy):
    folder = tmp_path / "made"
    TableGenerator.init(folder, people(), policy)
    found, failed = [], []

    def ask(seed):
        made = TableGenerator(folder)
        try:
            for k in np.random.default_rng(seed).permutation(len(QUESTIONS))[:12]:
                found.append((int(k), put(made, QUESTIONS[k], user=str(seed))))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failed == []
    assert (
        len({answer.number for _, answer in found})
        == len(found)
        == 72
        == len(Store(folder / "generator.sqlite").log())
    )
    answers = {}
    for k, answer in found:
        assert answers.setdefault(k, answer.answer) == answer.answer
    released(policy, [(QUESTIONS[k], answer.request) for k, answer in found])


def released(policy, answered):
    """Nobody may be known from all that was released: the intruder's program saw every table."""
    nobody_known(
        policy,
        [
            Published.of(query, one.answer, one.exact)
            for query, one in answered
            if isinstance(one.answer, Release)
        ],
    )


def nobody_known(policy, tables):
    """No group of any categories of each variable must have one or two people."""
    behind = of_p_table(policy.method.noise_table()) if policy.kind == "public" else of_rounding(3)
    assert list(known_small(LABELS, tables, behind, OPEN.difference, boxes=True)) == []
    assert same_noise(LABELS, tables)


@pytest.mark.slow
@pytest.mark.parametrize("policy", [PUBLIC, STUDY], ids=["public", "study"])
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6))
def test_no_sequence_of_questions_at_any_doors_tells_of_anybody(tmp_path_factory, policy, seed):
    """Two sessions, HTTP, the command line and the dashboard take turns; one dies in between."""
    folder = tmp_path_factory.mktemp("generator") / "made"
    TableGenerator.init(folder, people(seed), policy)
    rng = np.random.default_rng(seed)
    tables = besieged(folder, QUESTIONS, 12, rng, ["first", "second", "anew", "http", "command", "dashboard"])
    nobody_known(policy, tables)


@pytest.mark.parametrize("policy", [PUBLIC, STUDY], ids=["public", "study"])
def test_a_study_generator_says_when_its_check_is_slow(tmp_path, policy, monkeypatch, caplog):
    made = TableGenerator.init(tmp_path / "made", people(), policy)
    monkeypatch.setattr(of_generator, "SLOW", 1e9)
    put(made, QUESTIONS[0])
    assert made.to_frame()["seconds"][0] > 0
    assert made.slow == "" == caplog.text
    monkeypatch.setattr(of_generator, "SLOW", 0.0)
    put(made, QUESTIONS[1])
    assert ("together with" in made.slow) == (policy is STUDY)
    assert caplog.messages == ([made.slow] if policy is STUDY else [])


def weighted_people():
    rng = np.random.default_rng(4)
    return people(4, 400).assign(W=rng.choice([0.5, 12.25, 40], 400))


WEIGHTED = Policy("public", OPEN, groups=GROUPS, weight="W", weighted_people=12)


@pytest.mark.parametrize("in_place", [False, True])
def test_a_weighted_number_is_people_with_noise_times_their_mean_weight(tmp_path, in_place):
    frame = weighted_people().assign(Key=np.random.default_rng(5).integers(10**9, size=400))
    path = tmp_path / "people.parquet"
    frame.to_parquet(path)
    plain, weighted = (
        TableGenerator.init(
            tmp_path / name,
            str(path) if in_place else frame.drop(columns=drop),
            policy,
            key="Key",
            secret=7,
            in_place=in_place,
        )
        for name, policy, drop in (("plain", PUBLIC, ["W"]), ("weighted", WEIGHTED, []))
    )
    weighted = TableGenerator(weighted.folder)
    assert weighted.data.names == ("Area", "Sex", "Job")
    few = 0
    for query in (Query(("Area", "Job")), Query(("Job", "Sex"), {"Area": ("S",)}, {"Job": GROUPS["Job"][0]})):
        noisy, found = (put(one, query).answer for one in (plain, weighted))
        some = frame[frame.Area == "S"] if query.where else frame
        for kept, values in found.values.items():  # noqa: PD011
            for place in np.ndindex(np.shape(values)):
                inside = np.ones(len(some), dtype=bool)
                for k, i in zip(kept, place, strict=True):
                    label = found.axes[k].labels[i]
                    parts = query.groups.get(found.axes[k].name, {}).get(label, (label,))
                    inside &= some[found.axes[k].name].isin(parts).to_numpy()
                with_noise = np.asarray(noisy.values[kept])[place]  # noqa: PD011
                if 0 < with_noise < 12:
                    few += 1
                    assert np.isnan(np.asarray(values)[place])
                else:
                    mean = some.W[inside].sum() / max(inside.sum(), 1)
                    assert np.asarray(values)[place] == np.rint(with_noise * mean)
        assert np.isinf(found.upper[()]).all()
        assert "mean weight" in found.notes[1]
        assert "fewer than 12 people" in found.notes[2]
        assert found.notes[:1] + found.notes[3:] == noisy.notes
    assert few > 3
    # A rule looks at people, and not at whom they stand for.
    strict = Policy("public", Rules(people=100, mean=0, small=1, after=1, utility=0), weight="W")
    asked = TableGenerator.init(tmp_path / "strict", frame, strict, key="Key")
    assert asked.ask(["Sex"], {"Area": ["S"]}).answer.rule == "people"
    assert frame.W[frame.Area == "S"].sum() > 100


@pytest.mark.parametrize(
    ("policy", "weights", "says"),
    [
        (Policy("study", OPEN, STUDY.method, weight="W"), 1.0, "public policy"),
        (WEIGHTED, -1.0, "from 0 to below 1,000,000"),
        (WEIGHTED, np.inf, "from 0 to below 1,000,000"),
        (WEIGHTED, np.nan, "from 0 to below 1,000,000"),
        (WEIGHTED, "heavy", "contain numbers"),
        (Policy("public", OPEN, weight="Income"), 1.0, "no column"),
    ],
)
def test_weights_that_cannot_be_used_are_told(tmp_path, policy, weights, says):
    frame = people().assign(W=weights)
    frame.loc[0, "W"] = frame["W"][1]
    assert says in sentence(TableGenerator.init, tmp_path / "made", frame, policy)
    assert not list(tmp_path.iterdir())


def test_noise_that_could_give_somebody_away_is_no_public_policy(tmp_path):
    for method in (methods.get("cell-key")(), methods.get("random-rounding")(base=10)):
        told = sentence(TableGenerator.init, tmp_path / "x", people(), Policy("public", OPEN, method))
        assert "cell-key with D = 10 and V = 3" in told
    assert not list(tmp_path.iterdir())
    assert uncovered(PUBLIC.method, 2) < 1e-6 < uncovered(PUBLIC.method, 3)


def test_the_intruders_program_finds_what_a_careless_office_publishes():
    frame = people()
    frame = pd.concat([frame[frame.Area != "S"], pd.DataFrame({"Area": ["S"], "Sex": ["f"], "Job": ["a"]})])
    table = pd.crosstab(frame.Area, frame.Sex)
    numbers = {
        (("Area", frozenset([area])), ("Sex", frozenset([sex]))): int(table.loc[area, sex])
        for area in "EN"
        for sex in "fm"
    }
    totals = {(("Sex", frozenset([sex])),): int(table[sex].sum()) for sex in "fm"}
    found = list(known_small(LABELS, [Published({}, {**numbers, **totals}, exact=True)], of_rounding(3), 2))
    assert [(low, high) for group, low, high in found] == []  # a group of S and f is no published one
    single = Published({"Area": frozenset("S")}, {(("Sex", frozenset("f")),): 0}, exact=False)
    (hit,) = known_small(
        LABELS, [Published({}, {**numbers, **totals}, exact=True), single], of_rounding(3), 2
    )
    assert hit[1:] == (1, 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"folder": "there"}, "already exists"),
        ({"folder": "no/such"}, "not exist"),
        ({"source": "none.csv"}, "There is no file"),
        ({"source": "duckdb://none.db#people"}, "database file"),
        ({"key": "Nothing"}, "no column"),
        ({"identity": "Nothing"}, "no column"),
        ({"in_place": True}, "record keys"),
    ],
)
def test_what_cannot_be_made_is_told_and_leaves_nothing(tmp_path, change, says):
    (tmp_path / "there").mkdir()
    given = {"folder": "made", "source": people(), **change}
    given["folder"] = tmp_path / given["folder"]
    assert says in sentence(TableGenerator.init, **given)
    assert [one.name for one in tmp_path.iterdir()] == ["there"]


def test_what_is_no_generator_is_not_opened(tmp_path):
    assert "tables init" in sentence(TableGenerator, tmp_path)
    (tmp_path / "generator.sqlite").write_bytes(b"no database at all" * 100)
    assert "table generator" in sentence(TableGenerator, tmp_path)


def test_a_source_that_is_asked_where_it_is_must_not_change(tmp_path):
    path = tmp_path / "people.parquet"
    people().assign(Key=np.arange(90)).to_parquet(path)
    made = TableGenerator.init(tmp_path / "made", str(path), PUBLIC, key="Key", in_place=True)
    assert made.ask(["Sex"]).answer
    people(2, 91).assign(Key=np.arange(91)).to_parquet(path)
    assert "changed since" in sentence(TableGenerator(tmp_path / "made").ask, ["Job"])
    assert TableGenerator(tmp_path / "made").ask(["Sex"]).answer


def test_keys_of_users_are_kept_as_hashes(folder):
    made = TableGenerator(folder)
    key = made.new_key("ann")
    assert key.encode() not in (folder / "generator.sqlite").read_bytes()
    assert made.store.users() == ["ann"]
    assert "--replace" in sentence(made.new_key, "ann")
    assert made.store.user_of(hashed(key)) == "ann"
    assert made.new_key("ann", replace=True) != key
    assert "printable" in sentence(made.new_key, "bob\n9999 ann")
    assert made.store.user_of(hashed(key)) is None
    assert made.store.remove_user("ann")
    assert made.store.users() == []


def test_a_policy_comes_back_as_it_was(folder):
    assert TableGenerator(folder).policy == PUBLIC
    assert json.loads(json.dumps(STUDY.saved()))["kind"] == "study"
    assert os.listdir(folder)
