"""Storage of a table generator: one SQLite file of settings, requests and answers.

Several processes may use the file at the same time. A request is logged before its decision, so that a crash
loses no log entry. The decision, the answer and the released table are written in one transaction, so that a
crash releases nothing unrecorded.
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

#: File name in the folder of a generator.
FILE = "generator.sqlite"

#: Application id and version of the file; files with other values are rejected.
_APPLICATION, _VERSION = 0x53444357, 1

#: Maximum seconds to wait for the transaction of another process.
PATIENCE = 60.0

#: Setting of a generator to which a user was added at any time. From then on, requests need an access key, even if
#: all users are removed.
KEYS_REQUIRED = "keys needed"

#: Prefix of the error of a rejected request. Rejected requests do not count towards the rate limit.
TURNED_AWAY = "turned away: "

#: Maximum number of logged rejections per user and minute, to limit the size of the file.
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
    """File of a table generator.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InputError
        If the file does not exist, or if it is not a generator of this version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        if not path.is_file():
            raise InputError(
                f"{path.parent} contains no generator. Create one with `sdcwidgets tables init`."
            )
        try:
            marks = [
                self._connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version")
            ]
        except sqlite3.DatabaseError:
            marks = []
        if marks != [_APPLICATION, _VERSION]:
            raise InputError(f"{path} is not a table generator of this version of sdcwidgets.")

    @classmethod
    def create(cls, path: Path, settings: Mapping[str, object]) -> Store:
        """Create the file with its settings, readable by the owner only."""
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
        """Connection of this thread; a forked process opens a new one."""
        if getattr(self._local, "process", None) != os.getpid():
            connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            # Answers must be in the log even after a power failure.
            connection.executescript("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
            self._local.connection, self._local.process = connection, os.getpid()
        connection = self._local.connection
        assert isinstance(connection, sqlite3.Connection)
        return connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all changes of a block together or not at all, and block other writers."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise InputError(
                f"The table generator is busy or its folder is not writable ({error}). Try again."
            ) from None
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

    def record_question(
        self, user: str, door: str, question: str, answer: int | None = None, *, most: int = 0
    ) -> int | None:
        """Add a request to the log, unless the user has reached the maximum rate.

        The requests of the last minute are counted in the statement that adds the entry. The rate therefore also
        holds for parallel requests of several processes.

        Parameters
        ----------
        user : str
            User.
        door : str
            Interface.
        question : str
            Text of `question_of`, or the text that could not be parsed.
        answer : int, optional
            Id of an existing answer.
        most : int
            Maximum number of requests of this user per minute; 0: no maximum.

        Returns
        -------
        int or None
            Number of the log entry; None if the user has reached the maximum.
        """
        now = datetime.now(UTC).timestamp()
        cursor = self._connection.execute(
            "INSERT INTO log (time, user, door, question, answer) SELECT ?, ?, ?, ?, ? WHERE ? = 0 OR ? > "
            "(SELECT count(*) FROM log WHERE user = ? AND time > ? AND (error IS NULL OR error NOT GLOB ?))",
            [now, user, door, question, answer, most, most, user, now - 60, TURNED_AWAY + "*"],
        )
        return cursor.lastrowid if cursor.rowcount else None

    def failed(self, number: int, error: str) -> None:
        """Record the error of a request."""
        self._connection.execute("UPDATE log SET error = ? WHERE number = ?", [error, number])

    def turned_away(self, user: str, door: str, question: str, why: str) -> None:
        """Log a request that was rejected before it was parsed.

        Only the first `MOST_TURNED_AWAY` rejections per user and minute are logged.

        Parameters
        ----------
        user : str
            User.
        door : str
            Interface.
        question : str
            The request.
        why : str
            Reason, as a sentence.
        """
        (before,) = self._connection.execute(
            "SELECT count(*) FROM log WHERE user = ? AND time > ? AND error GLOB ?",
            [user, datetime.now(UTC).timestamp() - 60, TURNED_AWAY + "*"],
        ).fetchone()
        if before < MOST_TURNED_AWAY:
            last = (
                " Further messages within this minute are not logged."
                if before == MOST_TURNED_AWAY - 1
                else ""
            )
            number = self.record_question(user, door, question)
            assert number is not None  # because there is no maximum
            self.failed(number, f"{TURNED_AWAY}{why}{last}")

    def answer_to(self, question: str) -> int | None:
        """Return the id of the existing answer to a request, or None."""
        row = self._connection.execute("SELECT id FROM answer WHERE question = ?", [question]).fetchone()
        return None if row is None else int(row[0])

    def answer(self, number: int) -> Request:
        """Return an answer by its id."""
        return next(iter(self._answers("id = ?", number)))[1]

    def released_after(self, answer: int) -> Iterator[tuple[int, Request]]:
        """Yield the tables released after an answer, in order of release."""
        return self._answers("id > ? AND release IS NOT NULL", answer)

    def _answers(self, which: str, number: int) -> Iterator[tuple[int, Request]]:
        for row in self._connection.execute(
            f"SELECT id, question, exact, refusal, release, figures FROM answer WHERE {which} ORDER BY id",
            [number],
        ):
            yield row[0], _request(*row[1:])

    def answered(self, number: int, question: str, request: Request, seconds: float) -> int:
        """Store an answer with its release and computing time.

        If two processes store an answer to the same request, the first one is kept.

        Parameters
        ----------
        number : int
            Number of the log entry of the request.
        question : str
        request : Request
            The answer with its figures.
        seconds : float
            Computing time.

        Returns
        -------
        int
            Id of the answer.
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

    def log(self, last: int = -1) -> list[dict[str, object]]:
        """Return the log entries, newest first."""
        rows = self._connection.execute(
            "SELECT number, time, user, door, log.question, words, error, figures FROM log "
            "LEFT JOIN answer ON answer.id = log.answer ORDER BY number DESC LIMIT ?",
            [last],
        )
        return [_line(*row) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return the number of requests by answer."""
        rows = self._connection.execute(
            "SELECT coalesce(words, iif(error IS NULL, 'no answer', 'error')), count(*) FROM log "
            "LEFT JOIN answer ON answer.id = log.answer GROUP BY 1 ORDER BY 2 DESC"
        )
        return dict(rows.fetchall())

    def slowest(self, last: int) -> float:
        """Return the longest computing time of the last answers, in seconds."""
        rows = self._connection.execute("SELECT figures FROM answer ORDER BY id DESC LIMIT ?", [last])
        return max((_seconds(figures) for (figures,) in rows), default=0.0)

    def add_user(self, name: str, key: str, *, replace: bool = False) -> None:
        """Add a user with the hash of an access key.

        Parameters
        ----------
        name : str
        key : str
            Hash of the access key.
        replace : bool
            Whether to replace an existing key of the user.

        Raises
        ------
        InputError
            If the user exists and `replace` is False.
        """
        try:
            with self.transaction():
                self._require_keys()
                self._connection.execute(
                    f"INSERT {'OR REPLACE ' if replace else ''}INTO user VALUES (?, ?)", [name, key]
                )
        except sqlite3.IntegrityError:
            raise InputError(
                f"The user {quoted(name)} already has a key. Use --replace to create a new key and revoke the old one."
            ) from None

    def remove_user(self, name: str) -> bool:
        """Remove a user, and return whether the user existed; requests need a key even without users."""
        with self.transaction():
            if self.users():  # an earlier version added users without this setting
                self._require_keys()
            return self._connection.execute("DELETE FROM user WHERE name = ?", [name]).rowcount > 0

    def _require_keys(self) -> None:
        self._connection.execute("INSERT OR IGNORE INTO setting VALUES (?, 'true')", [KEYS_REQUIRED])

    def keys_required(self) -> bool:
        """Return whether requests need an access key, because a user was added at any time."""
        row = self._connection.execute(
            "SELECT EXISTS (SELECT 1 FROM user) OR EXISTS (SELECT 1 FROM setting WHERE name = ?)",
            [KEYS_REQUIRED],
        ).fetchone()
        return bool(row[0])

    def user_of(self, key: str) -> str | None:
        """Return the user with this hash of an access key, or None."""
        row = self._connection.execute("SELECT name FROM user WHERE key = ?", [key]).fetchone()
        return None if row is None else str(row[0])

    def users(self) -> list[str]:
        """Return the names of all users."""
        return [name for (name,) in self._connection.execute("SELECT name FROM user ORDER BY name")]


def question_of(query: Query) -> str:
    """Return a canonical text of a query, independent of the order of selections.

    Examples
    --------
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
    """Return a release as an array archive that contains no executable code."""
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
    """Return the computing time of an answer; 0 for answers of earlier versions."""
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
