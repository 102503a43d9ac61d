"""A table generator that lives in a folder: one state for the command line, Python, the dashboard and HTTP."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.folders import absolute, mark_of, private
from sdcwidgets.tableserver.hypercube import GROUPS, hypercube
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.protecting import keyed
from sdcwidgets.tableserver.rules import Refusal
from sdcwidgets.tableserver.server import Request, TableServer
from sdcwidgets.tableserver.store import FILE, Store, question_of
from sdcwidgets.tableserver.tabulate import Query, SpanningVariable, Tabulator

if TYPE_CHECKING:
    import pandas as pd

#: The source that is not a file.
HYPERCUBE = "hypercube"

#: The records with their keys, in the folder.
RECORDS = "records.parquet"

#: Maximum number of answers in memory.
CACHE_SIZE = 128

#: So much of a question that cannot be read is kept in the log.
LONGEST = 2_000

#: From so many seconds on the check of a question is slow.
SLOW = 0.5

#: So many of the last answers are looked at to say that it is.
LATELY = 20

#: The seed, the keys and what noise follows from have so many bits.
_BITS = 128


class TooManyQuestions(InputError):
    """A user has asked as many questions this minute as the policy allows."""


@dataclass(frozen=True, eq=False)
class LoggedAnswer:
    """An answer, its number in the log, and the number of the table or refusal, the same whenever it is asked for."""

    number: int
    id: int
    request: Request

    @property
    def answer(self) -> Release | Refusal:
        """What the user gets."""
        return self.request.answer


class TableGenerator:
    """A table generator that lives in a folder, and may be open in several processes at once.

    Parameters
    ----------
    folder : Path or str
        One that `init` made.

    Raises
    ------
    InputError
        If there is none, or its records are not those that it was made with.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp()) / "census"
    >>> generator = TableGenerator.init(folder, "hypercube")
    >>> release = generator.ask(["Region", "Sex"]).answer
    >>> again = TableGenerator(folder).ask(["Region", "Sex"]).answer
    >>> again == release, len(generator.store.log())
    (True, 2)
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.store = Store(self.folder / FILE)
        self.policy = Policy.restored(self.store.setting("policy"))
        self.title = str(self.store.setting("title"))
        self._lock = threading.RLock()
        self._seen = 0
        self._answers: OrderedDict[int, Request] = OrderedDict()

    @classmethod
    def init(
        cls,
        folder: Path | str,
        source: str | pd.DataFrame,
        policy: Path | Policy | None = None,
        *,
        count: str | None = None,
        key: str | None = None,
        identity: str = "",
        in_place: bool = False,
        secret: int | None = None,
    ) -> TableGenerator:
        """Make a generator in a folder that is not there yet, and return it.

        Parameters
        ----------
        folder : Path or str
            It is made so that only its owner can read it.
        source : str or DataFrame
            As for `Tabulator.open`, or "hypercube".
        policy : Path or Policy, optional
            A rule file with a section [generator]; the usual public policy if not given.
        count, key : str, optional
            As for `Tabulator.open`. Without a key, keys are made of the secret.
        identity : str
            As for `methods.cellkey.keys_of_records`.
        in_place : bool
            Whether the source is asked where it is, and not copied into the folder; it needs a column of keys.
        secret : int, optional
            A new one if not given.

        Returns
        -------
        TableGenerator

        Raises
        ------
        InputError
            If the folder is there, or source and policy cannot be used.
        """
        folder = Path(folder)
        if folder.exists():
            raise InputError(f"{folder} is there already; name a new folder.")
        if not folder.parent.is_dir():
            raise InputError(f"There is no folder {folder.parent} to make {folder.name} in.")
        secret = secrets.randbits(_BITS) if secret is None else secret
        study = isinstance(source, str) and source == HYPERCUBE
        if study:
            data = Tabulator.open(hypercube().drop(columns="Key"), count="Count")
        else:
            data = Tabulator.open(source, count=count, key=key)
        if in_place and (key is None or not isinstance(source, str)):
            raise InputError(
                "A source that is asked where it is needs a column of record keys; name it with --key."
            )
        if not isinstance(policy, Policy):
            policy = (
                Policy()
                if policy is None
                else Policy.load(Path(policy), lambda name: data.variable(name).labels)
            )
        if policy.weight:
            data = data.with_weight(policy.weight)
        if key is None:
            data = keyed(data, secret, identity)
        if study:
            offered = {name: [dict(groups)] for name, groups in GROUPS.items()}
            policy = Policy.restored({**policy.saved(), "groups": {**offered, **policy.groups}})
        _server(data, policy, secret)  # what is wrong with the policy is told before anything is made
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            if in_place:
                saved: dict[str, object] = {
                    "source": absolute(str(source)),
                    "count": count,
                    "key": key,
                    "labels": {},
                    "weight": policy.weight or None,
                }
                saved["mark"] = mark_of(str(saved["source"]))
            else:
                with private():
                    saved = {"source": None, **data.save(temporary / RECORDS), "mark": None}
            title = "the data" if not isinstance(source, str) else Path(source.partition("#")[0]).name
            settings = {
                "policy": policy.saved(),
                "secret": str(secret),
                "data": saved,
                "title": title,
            }
            with private():
                Store.create(temporary / FILE, settings)
            temporary.rename(folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        return cls(folder)

    @cached_property
    def data(self) -> Tabulator:
        """What tables are made of."""
        saved = dict(self.store.setting("data"))
        source, mark = saved.pop("source"), saved.pop("mark")
        if source is not None and mark != mark_of(source):
            raise InputError(f"{quoted(source)} has changed since the generator was made; make a new one.")
        return Tabulator.open(str(self.folder / RECORDS) if source is None else source, **saved)

    def check_rate(self, user: str) -> None:
        """Raise TooManyQuestions where a user has asked all that the policy allows in a minute."""
        rate = self.policy.rate
        if rate and self.store.questions_since(user, time.time() - 60) >= rate:
            raise TooManyQuestions(f"At most {rate:,} questions a minute are answered; wait a minute.")

    def recalled(self, query: Query) -> Request | None:
        """Return the answer that a question got before; the log does not tell of it."""
        number = self.store.answer_to(question_of(query))
        return None if number is None else self._answer(number)

    def server(self) -> TableServer:
        """Return a server with the same data, policy and noise that remembers nothing, for the agency to try things."""
        return _server(self.data, self.policy, int(self.store.setting("secret")))

    @cached_property
    def _server(self) -> TableServer:
        return self.server()

    def ask(
        self,
        by: Sequence[str] | str,
        where: Mapping[str, Sequence[str]] | None = None,
        groups: Mapping[str, object] | None = None,
        *,
        user: str = "",
        door: str = "python",
    ) -> LoggedAnswer:
        """Answer a question, and log it whatever the outcome.

        Parameters
        ----------
        by : sequence of str or str
            As for `tabulate.Query`.
        where : mapping, optional
            As for `tabulate.Query`.
        groups : mapping of str to int or mapping
            For each variable the number of a level that is offered, from 1, or its groups.
        user, door : str
            Who asks, and how.

        Returns
        -------
        LoggedAnswer
            With its number in the log.

        Raises
        ------
        InputError
            If it cannot be answered: a variable, a category or the source is not there.
        """
        try:
            query = Query(by, where or {}, self._groups(groups or {}))  # type: ignore[arg-type]
        except (InputError, AttributeError, TypeError, ValueError) as error:
            text = json.dumps([by, where, groups], ensure_ascii=False, default=str)[:LONGEST]
            sentence = (
                str(error)
                if isinstance(error, InputError)
                else "This is no question: name variables and lists."
            )
            self.store.failed(self.store.record_question(user, door, text), sentence)
            raise InputError(sentence) from None
        question = question_of(query)
        if (known := self.store.answer_to(question)) is not None:
            return LoggedAnswer(
                self.store.record_question(user, door, question, known), known, self._answer(known)
            )
        number = self.store.record_question(user, door, question)
        try:
            with self._lock:
                return self._decided(number, question, query)
        except InputError as error:
            self.store.failed(number, str(error))
            raise

    def _decided(self, number: int, question: str, query: Query) -> LoggedAnswer:
        """Decide, and write decision and table down together."""
        start = perf_counter()
        if self.policy.kind == "public":
            request = self._evaluate(query)
            with self.store.transaction():
                seconds = perf_counter() - start
                return LoggedAnswer(number, self.store.answered(number, question, request, seconds), request)
        with self.store.transaction():
            start = perf_counter()  # without the time in which others were answered
            if (known := self.store.answer_to(question)) is not None:
                request = self._answer(known)
            else:
                for seen, noted in self.store.released_after(self._seen):
                    assert isinstance(noted.answer, Release)
                    self._server.remember(noted.query, noted.answer, noted.exact)
                    self._seen = seen
                request = self._evaluate(query)
            seconds = perf_counter() - start
            answered = LoggedAnswer(number, self.store.answered(number, question, request, seconds), request)
        if seconds >= SLOW:
            logging.getLogger(__name__).warning(self.slow)
        return answered

    @property
    def slow(self) -> str:
        """A sentence for the agency where the check of new questions has become slow; empty where it has not."""
        if self.policy.kind == "public" or (seconds := self.store.slowest(LATELY)) < SLOW:
            return ""
        return (
            f"One of the last {LATELY} new questions took {seconds:.1f} s: under a study policy each is checked "
            "together with all tables that were released before, and the check grows with them. A public policy needs "
            "no such check."
        )

    def _answer(self, number: int) -> Request:
        """Return an answer that was given before."""
        if (answered := self._answers.get(number)) is None:
            answered = self._answers[number] = self.store.answer(number)
            if len(self._answers) > CACHE_SIZE:
                with suppress(KeyError):  # another thread was there first
                    self._answers.popitem(last=False)
        return answered

    def variable(self, name: str) -> SpanningVariable:
        """Return a variable with its categories, or raise InputError."""
        with self._lock:
            return self.data.variable(name)

    def _evaluate(self, query: Query) -> Request:
        """Return what the rules make of a question."""
        self._server.request(query)
        return self._server.log.pop()

    def _groups(self, groups: Mapping[str, object]) -> dict[str, object]:
        """Return groups, where a level was named by its number."""
        values = {}
        for name, value in groups.items():
            if isinstance(value, int):
                levels = self.policy.groups.get(name, [])
                if not 1 <= value <= len(levels):
                    raise InputError(
                        f"{quoted(name)} has {len(levels)} levels of groups; {value} is none of them."
                    )
                value = levels[value - 1]
            values[name] = value
        return values

    def new_key(self, user: str, *, replace: bool = False) -> str:
        """Return a new key for a user, of which only the hash is kept.

        Raises
        ------
        InputError
            If the user has a key already, and it is not to be replaced.
        """
        if not user.strip() or len(user) > 100 or not user.isprintable():
            raise InputError("A user needs a name of 1 to 100 characters, in one line.")
        key = secrets.token_urlsafe(24)
        self.store.add_user(user, hashed(key), replace=replace)
        return key

    def to_frame(self) -> pd.DataFrame:
        """Return the log as the agency sees it, a line a question, the newest first."""
        import pandas as pd

        return pd.DataFrame(self.store.log())


def hashed(key: str) -> str:
    """Return what is kept of a key; a key has 192 random bits, so that no salt is needed."""
    return hashlib.sha256(key.encode()).hexdigest()


def _server(data: Tabulator, policy: Policy, secret: int) -> TableServer:
    return TableServer(
        data,
        policy.rules,
        policy.method,
        policy=policy.kind,
        groups=policy.groups,
        seed=secret,
        weighted_from=policy.weighted_people,
    )
