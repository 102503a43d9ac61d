"""What a generator keeps on disk: one SQLite file with its settings, every question, and every answer.

Several processes may use it at once. A question is written down before it is decided, so that a crash loses no line of
the log; the decision, the answer and the released table are written in one transaction, so that a crash between them
releases nothing.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.protecting import Figures
from sdcwidgets.tableserver.rules import Refusal
from sdcwidgets.tableserver.server import Request
from sdcwidgets.tableserver.tabulate import Query

#: What the file is called in the folder of a generator.
FILE = "generator.sqlite"

#: Another program's file, or one of a later version, is not opened.
_APPLICATION, _VERSION = 0x53444357, 1

#: So long one process waits for another one that is deciding.
PATIENCE = 60.0

#: How the line of a question begins that was turned away before it was read; it counts for no rate.
TURNED_AWAY = "turned away: "

#: So many of them in a minute are written down for each user, so that nobody fills the disk.
MOST_TURNED_AWAY = 60

_SCHEMA = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE user (name TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE answer (
    id INTEGER PRIMARY KEY, question TEXT NOT NULL UNIQUE, words TEXT NOT NULL, exact INTEGER NOT NULL,
    refusal TEXT, release BLOB, figures TEXT NOT NULL
);
CREATE TABLE log (
    number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, user TEXT NOT NULL, door TEXT NOT NULL,
    question TEXT NOT NULL, answer INTEGER REFERENCES answer (id), error TEXT
);
CREATE INDEX log_of_user ON log (user, time);
"""


class Store:
    """The file of a generator.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InputError
        If there is no such file, or it is none of a generator.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        if not path.is_file():
            raise InputError(f"There is no generator in {path.parent}; `sdcwidgets tables init` makes one.")
        try:
            marks = [
                self._connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            ]
        except sqlite3.DatabaseError:
            marks = []
        if marks != [_APPLICATION, _VERSION]:
            raise InputError(f"{path} is no generator that this version can open.")

    @classmethod
    def create(cls, path: Path, settings: Mapping[str, object]) -> Store:
        """Make the file, with its settings."""
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION}; BEGIN; {_SCHEMA} COMMIT;"
        )
        connection.executemany(
            "INSERT INTO setting VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in settings.items()],
        )
        connection.close()
        return cls(path)

    @property
    def _connection(self) -> sqlite3.Connection:
        """The connection of this thread; a forked process opens one of its own."""
        if getattr(self._local, "process", None) != os.getpid():
            connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            # What was answered must be in the log even if the power fails.
            connection.executescript("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
            self._local.connection, self._local.process = connection, os.getpid()
        connection = self._local.connection
        assert isinstance(connection, sqlite3.Connection)
        return connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is written together, or not at all; no other process writes meanwhile."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise InputError(f"The generator is busy or cannot be written ({error}); ask again.") from None
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def setting(self, name: str) -> Any:
        """Return a setting."""
        (value,) = self._connection.execute("SELECT value FROM setting WHERE name = ?", [name]).fetchone()
        return json.loads(value)

    def record_question(self, user: str, door: str, question: str, answer: int | None = None) -> int:
        """Write a question into the log, with its answer if there is one already, and return its number.

        Parameters
        ----------
        user, door : str
            Who asks, and how.
        question : str
            As `question_of` writes it, or what could not be read.
        answer : int, optional
            The number of the answer.

        Returns
        -------
        int
            The number in the log.
        """
        now = datetime.now(UTC).timestamp()
        cursor = self._connection.execute(
            "INSERT INTO log (time, user, door, question, answer) VALUES (?, ?, ?, ?, ?)",
            [now, user, door, question, answer],
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def failed(self, number: int, error: str) -> None:
        """Write down that a question could not be answered."""
        self._connection.execute("UPDATE log SET error = ? WHERE number = ?", [error, number])

    def turned_away(self, user: str, door: str, question: str, why: str) -> None:
        """Write down a question that was turned away before it was read; of many in a minute only the first ones.

        Parameters
        ----------
        user, door, question : as for `asked`
        why : str
            A sentence.
        """
        (before,) = self._connection.execute(
            "SELECT count(*) FROM log WHERE user = ? AND time > ? AND error GLOB ?",
            [user, datetime.now(UTC).timestamp() - 60, TURNED_AWAY + "*"],
        ).fetchone()
        if before < MOST_TURNED_AWAY:
            last = " More of this minute are not written down." if before == MOST_TURNED_AWAY - 1 else ""
            self.failed(self.record_question(user, door, question), f"{TURNED_AWAY}{why}{last}")

    def answer_to(self, question: str) -> int | None:
        """Return the number of the answer that a question got before."""
        row = self._connection.execute("SELECT id FROM answer WHERE question = ?", [question]).fetchone()
        return None if row is None else int(row[0])

    def answer(self, number: int) -> Request:
        """Return an answer by its number."""
        (_, answer), *_ = self._answers("id = ?", number)
        return answer

    def released_after(self, answer: int) -> Iterator[tuple[int, Request]]:
        """Yield what was released after an answer, in the order of release."""
        return self._answers("id > ? AND release IS NOT NULL", answer)

    def _answers(self, which: str, number: int) -> Iterator[tuple[int, Request]]:
        for row in self._connection.execute(
            f"SELECT id, question, exact, refusal, release, figures FROM answer WHERE {which} ORDER BY id",
            [number],
        ):
            yield row[0], _request(*row[1:])

    def answered(self, number: int, question: str, request: Request, seconds: float) -> int:
        """Write an answer down, with the released table and how long it took, and return its number.

        Of two at once the first one stays.

        Parameters
        ----------
        number : int
            Of the question in the log.
        question : str
        request : Request
            The answer, with its figures.
        seconds : float

        Returns
        -------
        int
            The number of the answer.
        """
        refusal = None if isinstance(request.answer, Release) else json.dumps(asdict(request.answer))
        release = _bytes(request.answer) if isinstance(request.answer, Release) else None
        figures = json.dumps(
            [*asdict(request.true).values(), *asdict(request.read).values(), round(seconds, 3)]
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO answer (question, words, exact, refusal, release, figures) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [question, request.words, request.exact, refusal, release, figures],
        )
        (answer,) = self._connection.execute(
            "SELECT id FROM answer WHERE question = ?", [question]
        ).fetchone()
        self._connection.execute("UPDATE log SET answer = ? WHERE number = ?", [answer, number])
        return int(answer)

    def questions_since(self, user: str, time: float) -> int:
        """Return how many questions of a user were read since a time."""
        cursor = self._connection.execute(
            "SELECT count(*) FROM log WHERE user = ? AND time > ? AND (error IS NULL OR error NOT GLOB ?)",
            [user, time, TURNED_AWAY + "*"],
        )
        return int(cursor.fetchone()[0])

    def log(self, last: int = -1) -> list[dict[str, object]]:
        """Return the log, the newest line first; of each what was asked, by whom, when, and the answer."""
        rows = self._connection.execute(
            "SELECT number, time, user, door, log.question, words, error, figures FROM log "
            "LEFT JOIN answer ON answer.id = log.answer ORDER BY number DESC LIMIT ?",
            [last],
        )
        return [_line(*row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return how many questions got each answer."""
        rows = self._connection.execute(
            "SELECT coalesce(words, iif(error IS NULL, 'no answer', 'error')), count(*) FROM log "
            "LEFT JOIN answer ON answer.id = log.answer GROUP BY 1 ORDER BY 2 DESC"
        )
        return dict(rows.fetchall())

    def slowest(self, last: int) -> float:
        """Return how many seconds the slowest of the last answers took that were found anew."""
        rows = self._connection.execute("SELECT figures FROM answer ORDER BY id DESC LIMIT ?", [last])
        return max((_seconds(figures) for (figures,) in rows), default=0.0)

    def add_user(self, name: str, key: str, *, replace: bool = False) -> None:
        """Let a user in by a key, which is given as its hash; InputError where one would be replaced that is not to.

        Parameters
        ----------
        name : str
        key : str
            The hash of the key.
        replace : bool
            Whether a user of this name may be there already.

        Raises
        ------
        InputError
            If one is, and shall not be replaced.
        """
        try:
            self._connection.execute(
                f"INSERT {'OR REPLACE ' if replace else ''}INTO user VALUES (?, ?)", [name, key]
            )
        except sqlite3.IntegrityError:
            raise InputError(
                f"There is a user {quoted(name)} already; with a new key, which takes --replace, the old one ends."
            ) from None

    def remove_user(self, name: str) -> bool:
        """Let a user in no more; whether there was one."""
        return self._connection.execute("DELETE FROM user WHERE name = ?", [name]).rowcount > 0

    def user_of(self, key: str) -> str | None:
        """Return whose key has this hash."""
        row = self._connection.execute("SELECT name FROM user WHERE key = ?", [key]).fetchone()
        return None if row is None else str(row[0])

    def users(self) -> list[str]:
        """Return the names of all users."""
        return [name for (name,) in self._connection.execute("SELECT name FROM user ORDER BY name")]


def question_of(query: Query) -> str:
    """Return a query as the text by which its answer is found; the order of what is selected does not count.

    >>> question_of(Query(["Sex"], {"Age": ["5-9", "0-4"]}))
    '[["Sex"], [["Age", ["0-4", "5-9"]]], []]'
    """
    return json.dumps(query.key, ensure_ascii=False)


def _query(question: str) -> Query:
    by, where, groups = json.loads(question)
    return Query(tuple(by), dict(where), {name: dict(part) for name, part in groups})


#: Names of arrays in a stored release, and the fields of `Release` that they hold.
_STORED_FIELDS = {"values": "values", "lower": "lower", "upper": "upper", "gaps": "symbols"}


def _bytes(release: Release) -> bytes:
    """Return a release as the bytes of an archive of arrays, nothing of which is code."""
    parts = {
        f"{name} {','.join(map(str, margin))}": array
        for name, field in _STORED_FIELDS.items()
        for margin, array in getattr(release, field).items()
    }
    head = {"axes": [[axis.name, axis.labels] for axis in release.axes], "notes": release.notes}
    content = io.BytesIO()
    np.savez_compressed(content, told=np.array(json.dumps(head)), **parts)
    return content.getvalue()


def _release(content: bytes) -> Release:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        head = json.loads(str(arrays["told"]))
        parts: dict[str, Any] = {}
        for name in arrays.files:
            if name != "told":
                kind, _, text = name.partition(" ")
                parts.setdefault(_STORED_FIELDS[kind], {})[
                    tuple(map(int, text.split(",") if text else ()))
                ] = arrays[name]
    return Release(
        tuple(Axis(name, tuple(labels)) for name, labels in head["axes"]), notes=tuple(head["notes"]), **parts
    )


def _request(question: str, exact: int, refusal: str | None, release: bytes | None, figures: str) -> Request:
    numbers = json.loads(figures)
    answer = _release(release) if release is not None else Refusal(**json.loads(refusal or "{}"))
    return Request(_query(question), answer, bool(exact), Figures(*numbers[:3]), Figures(*numbers[3:6]))


def _seconds(figures: str) -> float:
    """Return how long an answer took; earlier versions did not write it down."""
    numbers = json.loads(figures)
    return float(numbers[6]) if len(numbers) > 6 else 0.0


def _line(
    number: int,
    time: float,
    user: str,
    door: str,
    question: str,
    words: str | None,
    error: str | None,
    figures: str | None,
) -> dict[str, object]:
    try:
        table = _query(question).words
    except (ValueError, TypeError):
        table = question
    true = Figures(*json.loads(figures)[:3]) if figures else Figures()
    return {
        "number": number,
        "time": datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds"),
        "user": user,
        "door": door,
        "table": table,
        "answer": words or ("no answer" if error is None else f"error: {error}"),
        "risk before": true.before,
        "risk after": true.after,
        "utility": true.utility,
        "seconds": _seconds(figures) if figures else float("nan"),
    }
