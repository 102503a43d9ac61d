"""Attacks on protective draws: an intruder runs the same program, or reads the order of the records."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sdcwidgets.cli import main
from sdcwidgets.core.microdata.pram import invariant_transition, post_randomise
from sdcwidgets.dashboards.microdata.report import as_code, report
from sdcwidgets.dashboards.microdata.result import as_it_came, compute
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.dashboards.tables import result as tables
from sdcwidgets.dashboards.tables import texts
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.microdata import Microdata
from sdcwidgets.tableserver import Rules, TableServer
from sdcwidgets.tableserver.protecting import Protector, keyed
from sdcwidgets.tableserver.tabulate import Tabulator

#: Seeds that an intruder tries first: what a program would draw from if nobody chose.
GUESSES = range(100)

JOBS = ("clerk", "cook", "judge", "nurse")


@pytest.fixture
def survey(tmp_path):
    """Return a file of 1,998 people of whom each has another weight, and its frame."""
    rng = np.random.default_rng(7)
    weights = 1 + rng.permutation(1998) / 8
    frame = pd.DataFrame({"wgt": weights, "job": rng.choice(JOBS, 1998, p=[0.4, 0.3, 0.2, 0.1])})
    path = tmp_path / "survey.csv"
    frame.to_csv(path, index=False)
    return path, frame


def recovered(frame, released, redrawn, rng):
    """Return the jobs before PRAM that follow from the random numbers; None where these do not explain the file.

    The intruder knows the order of the file, the weight of each person and the shares of the jobs, and looks for the
    jobs that turn into the published ones. A person whose job does not follow for certain has code -1.
    """
    published = pd.Categorical(frame["wgt"].map(released.set_index("wgt")["job"]), categories=JOBS).codes
    counts = frame["job"].value_counts()[list(JOBS)].to_numpy(dtype=float)
    transition = invariant_transition(counts, redrawn)
    start = rng.bit_generator.state
    possible = np.zeros((len(frame), len(JOBS)), dtype=bool)
    for code in range(len(JOBS)):
        rng.bit_generator.state = start
        possible[:, code] = post_randomise(np.full(len(frame), code), transition, rng) == published
    if not possible.any(axis=1).all():
        return None
    return np.where(possible.sum(axis=1) == 1, possible.argmax(axis=1), -1)


def run(*arguments):
    assert main([str(argument) for argument in arguments]) == 0


def generators(guess):
    """Return the random numbers that follow from a guess."""
    return np.random.default_rng(guess), np.random.default_rng([guess, 1])


def test_an_intruder_with_the_program_does_not_undo_pram(survey, tmp_path):
    path, frame = survey
    run("microdata", path, "--keys", "job", "--pram", "job=0.5", "-f", "-o", tmp_path / "out.csv")
    released = pd.read_csv(tmp_path / "out.csv")
    assert (released.sort_values("wgt")["job"].to_numpy() != frame.sort_values("wgt")["job"]).mean() > 0.2
    for guess in GUESSES:
        for rng in generators(guess):
            assert recovered(frame, released, 0.5, rng) is None
    # The attack works where the seed is known: this is what must not happen.
    run("microdata", path, "--keys", "job", "--pram", "job=0.5", "--seed", "1", "-o", tmp_path / "known.csv")
    found = recovered(frame, pd.read_csv(tmp_path / "known.csv"), 0.5, np.random.default_rng(1))
    truth = pd.Categorical(frame["job"], categories=JOBS).codes
    assert (found >= 0).sum() > 500
    assert (found == truth)[found >= 0].all()


def test_pram_draws_128_new_bits_each_time_and_again_with_the_same_ones(survey, tmp_path, capsys):
    path, _ = survey
    command = ("microdata", path, "--keys", "job", "--pram", "job=0.5", "-f", "-o", tmp_path / "out.csv")
    files, seeds = [], []
    for _ in range(2):
        run(*command)
        files.append((tmp_path / "out.csv").read_text("utf-8"))
        seeds.append(re.search(r"--seed (\d+)", capsys.readouterr().err)[1])
    assert files[0] != files[1]
    assert all(2**64 < int(seed) < 2**128 for seed in seeds)
    secret = tmp_path / "secret.txt"
    secret.write_text(seeds[0], "utf-8")
    for flags in (("--seed", seeds[0]), ("--secret-file", secret)):
        run(*command, *flags)
        assert (tmp_path / "out.csv").read_text("utf-8") == files[0]
        assert seeds[0] not in capsys.readouterr().err


def test_no_seed_of_pram_is_in_report_script_code_or_link(survey, tmp_path, capsys):
    path, frame = survey
    out, told, script = (tmp_path / name for name in ("out.csv", "internal-report.txt", "internal-script.py"))
    seed = 271828182845904523536
    command = ("microdata", path, "--keys", "job", "--pram", "job=0.5", "--seed", seed, "-f", "-o", out)
    run(*command, "--internal-report", told, "--script", script)
    printed = capsys.readouterr()
    run(*command)
    printed = (*printed, *capsys.readouterr())
    for text in (*printed, *(one.read_text("utf-8") for one in (out, told, script))):
        assert str(seed) not in text
        assert not re.search(r"default_rng\(\[?\d", text)
    state = MicrodataState(("job",), own=Microdata.from_frame(frame, weight="wgt")).randomised("job", 0.5)
    shown = (as_code(state), report(compute(state), as_it_came(state)), repr(state))
    linked = json.dumps(MicrodataState().randomised("age", 0.5).to_state())
    for text in (*shown, linked):
        assert str(state.secret) not in text
        assert not re.search(r"default_rng\(\[?\d", text)
    assert "secret" not in linked


def test_the_page_draws_pram_from_a_secret_of_the_session(survey):
    _, frame = survey
    file = Microdata.from_frame(frame, weight="wgt")
    state = MicrodataState(("job",), own=file).randomised("job", 0.5)
    released = compute(state).released.to_frame()
    for guess in GUESSES:
        for rng in generators(guess):
            assert recovered(frame, released, 0.5, rng) is None
    # The same choices in one session give one file: of two the noise could be averaged away.
    again = state.set(k=5).set(k=3)
    pd.testing.assert_frame_equal(compute(again).released.to_frame(), released)
    other = MicrodataState(("job",), own=file).randomised("job", 0.5)
    assert not compute(other).released.to_frame().equals(released)


@pytest.mark.parametrize(
    ("method", "stage"),
    [
        ("random-rounding", "after"),
        pytest.param("record-swapping", "before", marks=pytest.mark.slow),
    ],
)
def test_the_noise_of_a_users_file_on_tables_depends_on_a_secret(method, stage):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"Area": rng.choice(list("ABCDEF"), 3000), "Job": rng.choice(JOBS, 3000)})
    own = Microdata.from_frame(frame)
    state = TablesState(own=own, by=("Area", "Job"), population=("", ""), rules=Rules(before=0, utility=0))
    state = state.set(stage=stage).with_method(method).with_request()
    released = tables.compute(state).release
    assert (released.cells != pd.crosstab(frame["Area"], frame["Job"]).to_numpy()).any()
    for guess in range(20):
        data = keyed(Tabulator.open(frame), guess)
        again = TableServer(Protector(data, state.method, stage, guess), state.rules)
        assert (again.request(["Area", "Job"]).cells != released.cells).any()
    assert (tables.compute(state).release.cells == released.cells).all()
    assert (tables.compute(replace(state, secret=1)).release.cells != released.cells).any()
    notes = [note for _, note in texts.metadata(tables.compute(state))]
    for text in (texts.as_code(state), *notes, repr(state)):
        assert str(state.secret) not in text
        assert "seed=" not in text


@pytest.fixture
def census(tmp_path):
    """Return a file of 2,000 people that is sorted by ten areas, and its frame; each person has another pay.

    The numbers of persons, homes and dwellings go up with the file, and so does the office code of the area.
    """
    rng = np.random.default_rng(11)
    area = np.repeat([f"A{k}" for k in range(10)], 200)
    frame = pd.DataFrame(
        {
            "person": np.arange(100_001, 102_001),
            "home": 7_000 + np.arange(2000) // 2,
            "dwelling": np.arange(2000) // 4 + 1,
            "card": [f"X{k:05}" for k in 3 * np.arange(2000)],
            "office": np.repeat(np.arange(40, 50), 200),
            "area": area,
            "job": rng.choice(list("abcdefgh"), 2000),
            "pay": rng.permutation(2000) + 0.25,
            "must": np.where(np.arange(2000) % 250 == 0, "1", ""),
        }
    )
    path = tmp_path / "census.csv"
    frame.to_csv(path, index=False)
    return path, frame


def suspects(order):
    """Return the rows whose area is another one than the order of the file would have; swaps change no area's size."""
    return order.to_numpy() != np.sort(order.to_numpy())


def found_by_order(frame, released):
    """Return for each order that an intruder tries how many moved people it finds, and how many it suspects."""
    truth = released["area"] != released["pay"].map(frame.set_index("pay")["area"])
    orders = {"as it stands": released.index}
    for name in released.columns.difference(["area", "pay"]):
        orders[name] = released.sort_values(name, kind="stable").index
        # Where a value stays in one area, the area that most have is the one of before.
        usual = released.groupby(name)["area"].transform(lambda part: part.mode()[0])
        orders[f"one {name}, one area"] = usual
    found = {}
    for name, order in orders.items():
        if name.startswith("one "):
            suspected = (released["area"] != order).to_numpy()
            moved = truth.to_numpy()
        else:
            suspected, moved = suspects(released["area"][order]), truth[order].to_numpy()
        found[name] = (int((suspected & moved).sum()), int(suspected.sum()))
    found["marked"] = (0, 0)
    if "must" in released:
        marked = released["must"].notna().to_numpy()
        found["marked"] = (int((marked & truth.to_numpy()).sum()), int(marked.sum()))
    return found, int(truth.sum())


@pytest.mark.parametrize("homes", [(), ("--household", "home")])
def test_nothing_in_a_swapped_file_tells_who_moved(census, tmp_path, homes):
    path, frame = census
    before = frame.assign(area=frame["area"])
    out, report = tmp_path / "out.csv", tmp_path / "internal-moves.csv"
    command = (
        "microdata",
        "swap",
        path,
        "--hierarchy",
        "area",
        "--risk",
        "job",
        "--rate",
        "0.1",
        "--forced",
        "must",
        *homes,
    )
    run(*command, "-o", out, "--internal-report", report)
    released = pd.read_csv(out)
    attacks, moved = found_by_order(before, released)
    assert moved >= 190
    for name, (hits, suspected) in attacks.items():
        # Whoever suspects people at random is right for one in ten.
        assert hits <= 0.25 * max(suspected, 4), (name, hits, suspected, moved)
    assert len(released) == len(frame)
    assert released["area"].value_counts().to_dict() == frame["area"].value_counts().to_dict()
    assert released.groupby("job").size().to_dict() == frame.groupby("job").size().to_dict()
    if homes:
        assert released.groupby("home")["area"].nunique().max() == 1
        assert sorted(released["home"].unique()) == list(range(1, 1001))
        pairs = set(map(frozenset, released.groupby("home")["pay"].apply(list)))
        assert pairs == set(map(frozenset, frame.groupby("home")["pay"].apply(list)))
    # The report counts the records of the original file, so that the agency finds them.
    assert pd.read_csv(report, skiprows=1)["unit"].isin(frame["home"] if homes else range(1, 2001)).all()


def test_what_tells_who_moved_stays_where_it_is_named(census, tmp_path, capsys):
    path, _ = census
    out = tmp_path / "out.csv"
    command = ("microdata", "swap", path, "--hierarchy", "area", "--risk", "job", "-o", out)
    run(*command)
    told = capsys.readouterr().err
    for name in ("person", "card", "dwelling", "home", "office"):
        assert f'"{name}"' in told
    assert set(pd.read_csv(out)) == {"area", "job", "pay", "must"}
    run(*command, "--force", "--keep", "card,office")
    assert set(pd.read_csv(out)) == {"card", "office", "area", "job", "pay", "must"}
    assert main([str(one) for one in (*command, "--keep", "cats")]) == 2
