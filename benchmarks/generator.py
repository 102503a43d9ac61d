"""A generator in a folder under siege: `python benchmarks/generator.py [attack|kills|requests|study|http] [N]`.

attack: N random sequences of 25 questions, half of them public and half study: two sessions, one of which dies between
decision and release, HTTP, and in a tenth of them the command line and the dashboard, take turns. An integer program
that shares no code with the generator then looks for groups of any categories that must have one or two people.
Measured: more than 500 sequences with 11,000 tables, and nobody known.
kills: a process that asks is killed at N random moments, and the store is checked each time.
requests: N questions of a public generator of 10^6 records; p95 of the first and of the last tenth, alternated with
questions of a generator that was asked nothing, so that a busy machine slows both.
study: N questions under the study policy, and the processor time of the slowest and of the last ones.
http: tables that were released before, N questions from twenty clients; questions a second.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "tableserver"))
from siege import besieged
from test_generator import PUBLIC, QUESTIONS, STUDY, asking, check_store, nobody_known, people, put

from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.hypercube import AXES, hypercube
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.tabulate import KEYS, Query


def attack(sequences: int = 1000, first: int = 0) -> None:
    rng, used, tables = np.random.default_rng(first), time.process_time(), 0
    for number in range(sequences):
        seed, policy = first + number, (PUBLIC, STUDY)[number % 2]
        # The command line and the page take seconds.
        doors = [
            *["first", "second", "http"] * 2,
            "anew",
            *(["command", "dashboard"] if number % 20 < 2 else []),
        ]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "made"
            TableGenerator.init(made, people(seed, int(rng.integers(30, 200))), policy)
            found = besieged(made, QUESTIONS, 20, rng, doors)
        nobody_known(policy, found)  # raises where somebody is
        tables += len(found)
        if (number + 1) % 20 == 0:
            cpu = time.process_time() - used
            print(
                f"{number + 1} sequences, {tables:,} tables: nobody known, {cpu:.0f} s of processor",
                flush=True,
            )


def kills(times: int = 50) -> None:
    context, rng = multiprocessing.get_context("fork"), random.Random(1)
    with tempfile.TemporaryDirectory() as place:
        folder, told = Path(place) / "made", Path(place) / "told"
        TableGenerator.init(folder, people(), STUDY)
        for number in range(times):
            process = context.Process(target=asking, args=(folder, number, told))
            process.start()
            process.join(rng.uniform(0.05, 1.5))
            process.kill()
            process.join()
        check_store(folder, told)
        log = TableGenerator(folder).store.log()
        without = sum(line["answer"] == "no answer" for line in log)
        print(f"{times} kills: {len(log):,} lines, {without} of them without an answer; the store is whole")


def million() -> pd.DataFrame:
    cells, rng = hypercube(seed=1), np.random.default_rng(1)
    lines = rng.choice(len(cells), 10**6, p=cells["Count"] / cells["Count"].sum())
    frame = cells[[axis.name for axis in AXES]].iloc[lines].reset_index(drop=True).astype(str)
    return frame.assign(Key=rng.integers(KEYS, size=len(frame)))


def questions(count: int, rng: np.random.Generator) -> list[Query]:
    """Return different questions of one and two variables."""
    labels, found = {axis.name: axis.labels for axis in AXES}, {}
    while len(found) < count:
        chosen = rng.permutation(list(labels))[: rng.integers(2, 4)].tolist()
        name, by = chosen[0], tuple(chosen[1:])
        size = int(rng.integers(1, len(labels[name]) + 1))
        query = Query(by, {name: tuple(rng.choice(labels[name], size, replace=False).tolist())})
        found[query.key] = query
    return list(found.values())


def requests(count: int = 10_000) -> None:
    rules = Rules(nested=False, people=1, mean=0, small=1, after=1, utility=0)
    with tempfile.TemporaryDirectory() as place:
        TableGenerator.init(Path(place) / "one", million(), Policy("public", rules), key="Key")
        TableGenerator.init(Path(place) / "two", million(), Policy("public", rules), key="Key")
        long, asked = TableGenerator(Path(place) / "one"), questions(count, np.random.default_rng(2))
        for query in asked[:20]:
            put(long, query)
        first, last, part = [], [], max(count // 10, 50)
        fresh = TableGenerator(Path(place) / "two")
        for number, query in enumerate(asked):
            if number < count - part:
                put(long, query)
                continue
            if number == count - part:
                for one in asked[:20]:
                    put(fresh, one)
            # In turns, so that what the second one finds ready is shared out.
            for which, times in ((long, last), (fresh, first))[:: 1 if number % 2 else -1]:
                start = time.process_time()
                put(which, query)
                times.append(time.process_time() - start)
        old, new = (np.percentile(part, 95) * 1e3 for part in (last, first))
        print(
            f"p95 after {count:,} requests {old:.1f} ms of processor, of a new generator {new:.1f}: {old / new:.2f}"
        )


def study(count: int = 200) -> None:
    with tempfile.TemporaryDirectory() as place:
        policy = Policy("study", Rules(people=100, mean=1, after=1, utility=0), STUDY.method)
        made = TableGenerator.init(Path(place) / "made", "hypercube", policy)
        labels, rng, used = {axis.name: axis.labels for axis in AXES}, np.random.default_rng(3), []
        for _ in range(count):
            name, *by = rng.permutation(list(labels))[: rng.integers(2, 4)].tolist()
            query = Query(tuple(by), {name: (str(rng.choice(labels[name])),)} if rng.random() < 0.7 else {})
            start = time.process_time()
            put(made, query)
            used.append(time.process_time() - start)
        told = ", ".join(f"{np.median(used[k : k + 20]):.2f}" for k in range(0, count, max(count // 8, 20)))
        print(f"study, {count} requests: slowest {max(used):.2f} s of processor; medians on the way {told}")
        print(made.store.counts())


def http(count: int = 2_000) -> None:
    from test_service import POLICY, Client
    from test_service import people as others

    with tempfile.TemporaryDirectory() as place:
        client = Client(TableGenerator.init(Path(place) / "made", others(), POLICY))
        asked = ["Sex", "Area", '"Job, now"', "Area,Sex"]
        for by in asked:
            client.table(by=by)
        start, used = time.perf_counter(), time.process_time()

        def ask(number: int) -> None:
            for k in range(count // 20):
                assert client.table(by=asked[(k + number) % 4])[0] == 200

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        wall, cpu = time.perf_counter() - start, time.process_time() - used
        lines = len(client.generator.store.log())
        client.stop()
        print(
            f"{count / wall:.0f} questions a second with twenty clients in the same process, {cpu / count * 1e3:.1f} ms"
        )
        print(f"of processor each, clients and all; {lines} lines in the log, {count + 4} asked")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [("attack" | "kills" | "requests" | "study" | "http") as name, *number]:
            globals()[name](*map(int, number))
        case _:
            print(__doc__)
