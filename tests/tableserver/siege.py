"""A user who asks one generator through all of its doors, and has of each answer only what that door shows."""

import contextlib
import csv
import io
import json
import os
from dataclasses import replace

import numpy as np
from integer_attack import Published
from service_client import Client

from sdcwidgets.cli import main
from sdcwidgets.dashboards.tables import result, state
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.store import Store

#: What a release says whose numbers are true.
EXACT = "The published counts are the original counts."


class Doors:
    """One generator, asked through Python (two sessions), HTTP, the command line and the dashboard."""

    def __init__(self, folder):
        self.folder = folder
        self.sessions = [TableGenerator(folder), TableGenerator(folder)]
        self.served = None

    def __enter__(self):
        os.environ[state.FOLDER] = str(self.folder)
        self._forget()
        return self

    def __exit__(self, *_):
        del os.environ[state.FOLDER]
        self._forget()
        if self.served is not None:
            self.served.stop()

    @staticmethod
    def _forget():
        """A session keeps what it has read of its generator; the tests that follow have none."""
        for cached in (state.served, state.variables_of, result._server_of):
            cached.cache_clear()

    def ask(self, door, query):
        """Return what a door shows of the answer, or None where it refuses."""
        return getattr(self, door)(query)

    def first(self, query):
        return self._session(0, query)

    def second(self, query):
        return self._session(1, query)

    def anew(self, query):
        """A session ends, and another one takes its place."""
        self.sessions[0] = TableGenerator(self.folder)
        return self._session(0, query)

    def http(self, query):
        self.served = self.served or Client(self.sessions[1])
        by, where, groups = texts(query)
        status, _, body = self.served.table(by=by, where=where, groups=groups)
        if status != 200:
            assert status == 403, body
            return None
        found = json.loads(body)
        labels = [list(found["dimension"][name]["category"]["index"]) for name in found["id"]]
        numbers = {}
        for place, value in zip(np.ndindex(*found["size"]), found["value"], strict=True):
            at = {name: labels[k][i] for k, (name, i) in enumerate(zip(found["id"], place, strict=True))}
            numbers[tuple(at.items())] = value
        return published(query, numbers, EXACT in found["note"])

    def command(self, query):
        by, where, groups = texts(query)
        out, told = io.StringIO(), io.StringIO()
        asked = ["tables", str(self.folder), "--by", by, "--where", where, "--groups", groups]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
            code = main(asked)
        if code:
            assert "Refused (" in told.getvalue(), told.getvalue()
            return None
        head, *lines = csv.reader(io.StringIO(out.getvalue()))
        down, _, across = head[0].partition(" \\ ")
        numbers = {}
        for label, *values in lines:
            for other, text in zip(head[1:], values, strict=True):
                if text:
                    at = {down: label, **({across: other} if across else {})}
                    numbers[tuple(at.items())] = None if text == "c" else int(text)
        return published(query, numbers, EXACT in told.getvalue())

    def dashboard(self, query):
        """As the page does it on its button."""
        population = next(((name, part[0]) for name, part in query.where.items()), ("", ""))
        chosen = replace(
            state.TablesState.begun(), by=query.by, population=population, grouped=tuple(query.groups)
        )
        assert chosen.query.key == query.key
        chosen.generator.ask(query.by, query.where, query.groups, user="a session", door="dashboard")
        release = result.compute(chosen.with_request()).release
        return None if release is None else Published.of(query, release, EXACT in release.notes)

    def _session(self, number, query):
        answer = self.sessions[number].ask(query.by, query.where, query.groups).answer
        return Published.of(query, answer, EXACT in answer.notes) if isinstance(answer, Release) else None


def texts(query):
    """Return a question as the doors of text take it."""
    where = "; ".join(f"{name}={'|'.join(part)}" for name, part in query.where.items())
    return ",".join(query.by), where, ",".join(f"{name}:1" for name in query.groups)


def published(query, numbers, exact):
    """Return a table that was read as text; Total stands for all categories, a gap for nothing."""
    found = {}
    for at, value in numbers.items():
        if value is not None:
            parts = {
                name: frozenset(query.groups.get(name, {}).get(label, (label,)))
                for name, label in at
                if label != "Total"
            }
            found[tuple(parts.items())] = value
    return Published({name: frozenset(part) for name, part in query.where.items()}, found, exact)


@contextlib.contextmanager
def crash():
    """Whoever is to write an answer down inside dies before it is in the store."""
    write = Store.answered

    def dies(*args):
        write(*args)
        raise KeyboardInterrupt

    Store.answered = dies
    try:
        yield
    finally:
        Store.answered = write


def besieged(folder, questions, turns, rng, doors):
    """Ask so many questions, each at any of the doors, some of them again later; a session dies in between.

    Returns the released tables as they were read. Raises where a question has two answers, or the log is not complete.
    """
    order = list(rng.permutation(len(questions))[:turns])
    for k in order[: turns // 4]:  # to average, by asking again
        order.insert(int(rng.integers(len(order))), k)
    dies, tables, answers = int(rng.integers(len(order))), [], {}
    with Doors(folder) as asked:
        for turn, k in enumerate(order):
            if turn == dies:
                with crash(), contextlib.suppress(KeyboardInterrupt):
                    asked.anew(questions[k])
                asked.sessions[0] = TableGenerator(folder)
            found = asked.ask(str(rng.choice(doors)), questions[k])
            numbers = None if found is None else dict(found.numbers)
            assert answers.setdefault(k, numbers) == numbers, f"{questions[k].words} has two answers"
            if found is not None:
                tables.append(found)
        assert len(asked.sessions[1].store.log()) == len(order) + 1
    return tables


def same_noise(labels, tables):
    """Return whether each group of people has one number, wherever it stands; of several one could average."""
    seen = {}
    for table in tables:
        for at, value in table.numbers.items():
            box = {name: frozenset(part) for name, part in labels.items()} | dict(table.where) | dict(at)
            key = tuple(sorted((name, tuple(sorted(part))) for name, part in box.items()))
            if seen.setdefault((key, table.exact), value) != value:
                return False
    return True
