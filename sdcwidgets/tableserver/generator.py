"""Table generator in a folder, shared by command line, Python, dashboard and HTTP."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import shutil
import tempfile
import threading
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

#: Name of the built-in example data.
HYPERCUBE = "hypercube"

#: File name of the records with their keys.
RECORDS = "records.parquet"

#: Maximum number of answers in memory.
CACHE_SIZE = 128

#: Maximum number of logged characters of a malformed request.
LONGEST = 2_000

#: Seconds above which a check is reported as slow.
SLOW = 0.5

#: Number of recent answers that the warning about slow checks considers.
LATELY = 20

#: Number of random bits of the secret.
_BITS = 128


class TooManyQuestions(InputError):
    """Raised when a user exceeds the rate limit of the policy."""


@dataclass(frozen=True, eq=False)
class LoggedAnswer:
    """An answer with the number of its log entry and its id.

    Repeated requests get new log entries with the same id.
    """

    number: int
    id: int
    request: Request

    @property
    def answer(self) -> Release | Refusal:
        """The release or refusal."""
        return self.request.answer


class TableGenerator:
    """Table generator in a folder, which several processes may open at the same time.

    Parameters
    ----------
    folder : Path or str
        Folder created by `init`.

    Raises
    ------
    InputError
        If the folder contains no generator, or if its source has changed.

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
        """Create a generator in a new folder.

        Parameters
        ----------
        folder : Path or str
            New folder; only its owner can read its files.
        source : str or DataFrame
            As for `Tabulator.open`, or "hypercube".
        policy : Path or Policy, optional
            Rule file with a section [generator]; the default public policy if None.
        count : str, optional
            Column with the number of persons of each row.
        key : str, optional
            Column with the record keys. Without `key`, record keys are derived from the secret.
        identity : str
            As for `methods.cellkey.keys_of_records`.
        in_place : bool
            Whether to query the source in place instead of copying it into the folder; requires `key`.
        secret : int, optional
            Secret of the noise; generated if None.

        Returns
        -------
        TableGenerator

        Raises
        ------
        InputError
            If the folder exists, or if the source or the policy is invalid.
        """
        folder = Path(folder)
        if folder.exists():
            raise InputError(f"The folder {folder} already exists. Name a new folder.")
        if not folder.parent.is_dir():
            raise InputError(
                f"The folder {folder.parent} does not exist. Create it, or choose another place for {folder.name}."
            )
        secret = secrets.randbits(_BITS) if secret is None else secret
        study = isinstance(source, str) and source == HYPERCUBE
        if study:
            data = Tabulator.open(hypercube().drop(columns="Key"), count="Count")
        else:
            data = Tabulator.open(source, count=count, key=key)
        if in_place and (key is None or not isinstance(source, str)):
            raise InputError(
                "A source that is queried in place needs a column of record keys. Name it with --key."
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
        _server(data, policy, secret)  # an invalid policy must raise before any file is created
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
        """Data of the tables."""
        saved = dict(self.store.setting("data"))
        source, mark = saved.pop("source"), saved.pop("mark")
        if source is not None and mark != mark_of(source):
            raise InputError(
                f"{quoted(source)} has changed since the generator was created. Create a new generator."
            )
        return Tabulator.open(str(self.folder / RECORDS) if source is None else source, **saved)

    def recalled(self, query: Query) -> Request | None:
        """Return the existing answer to a request, or None, without logging."""
        number = self.store.answer_to(question_of(query))
        return None if number is None else self._answer(number)

    def server(self) -> TableServer:
        """Return an independent server with the same data and policy, for experiments."""
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
        limited: bool = False,
    ) -> LoggedAnswer:
        """Answer a request, and log it whatever the outcome.

        Parameters
        ----------
        by : sequence of str or str
            As for `tabulate.Query`.
        where : mapping, optional
            As for `tabulate.Query`.
        groups : mapping of str to int or mapping
            Groups of each variable, or the number of an available level, from 1.
        user : str
            User, for the log.
        door : str
            Interface, for the log.
        limited : bool
            Whether the maximum rate of the policy applies.

        Returns
        -------
        LoggedAnswer

        Raises
        ------
        InputError
            If a variable or a category does not exist, or the source cannot be read.
        TooManyQuestions
            If the user has reached the maximum rate of requests.
        """
        most = self.policy.rate if limited else 0
        try:
            query = Query(by, where or {}, self._groups(groups or {}))  # type: ignore[arg-type]
        except (InputError, AttributeError, TypeError, ValueError) as error:
            text = json.dumps([by, where, groups], ensure_ascii=False, default=str)[:LONGEST]
            sentence = (
                str(error)
                if isinstance(error, InputError)
                else "The request has a wrong form. A request names variables, and lists of categories."
            )
            self.store.failed(self._recorded(user, door, text, most=most), sentence)
            raise InputError(sentence) from None
        question = question_of(query)
        known = self.store.answer_to(question)
        if known is not None:
            number = self._recorded(user, door, question, known, most=most)
            return LoggedAnswer(number, known, self._answer(known))
        number = self._recorded(user, door, question, most=most)
        try:
            with self._lock:
                return self._decided(number, question, query)
        except InputError as error:
            self.store.failed(number, str(error))
            raise

    def _recorded(self, user: str, door: str, question: str, answer: int | None = None, *, most: int) -> int:
        """Add a request to the log and return its number, or raise TooManyQuestions."""
        number = self.store.record_question(user, door, question, answer, most=most)
        if number is None:
            raise TooManyQuestions(f"The limit of {most:,} requests per minute is reached. Wait a minute.")
        return number

    def _decided(self, number: int, question: str, query: Query) -> LoggedAnswer:
        """Decide a request, and store the decision and the table in one transaction."""
        start = perf_counter()
        if self.policy.kind == "public":
            request = self._evaluate(query)
            with self.store.transaction():
                seconds = perf_counter() - start
                return LoggedAnswer(number, self.store.answered(number, question, request, seconds), request)
        with self.store.transaction():
            start = perf_counter()  # exclude the time of waiting for other processes
            known = self.store.answer_to(question)
            if known is not None:
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
        """Warning for the agency if recent checks were slow, otherwise ""."""
        if self.policy.kind == "public":
            return ""
        seconds = self.store.slowest(LATELY)
        if seconds < SLOW:
            return ""
        return (
            f"One of the last {LATELY} new requests took {seconds:.1f} s. With the study policy, each "
            f"request is checked together with all released tables, so the checks become slower. The public "
            f"policy needs no such check."
        )

    def _answer(self, number: int) -> Request:
        """Return a stored answer, from memory if possible."""
        answered = self._answers.get(number)
        if answered is None:
            answered = self._answers[number] = self.store.answer(number)
            if len(self._answers) > CACHE_SIZE:
                with suppress(KeyError):  # another thread may have emptied the cache
                    self._answers.popitem(last=False)
        return answered

    def variable(self, name: str) -> SpanningVariable:
        """Return a variable with its categories; raise InputError if it does not exist."""
        with self._lock:
            return self.data.variable(name)

    def _evaluate(self, query: Query) -> Request:
        """Return the decision on a request without logging it."""
        self._server.request(query)
        return self._server.log.pop()

    def _groups(self, groups: Mapping[str, object]) -> dict[str, object]:
        """Return groups, with numbers of levels replaced by their groups."""
        values = {}
        for name, value in groups.items():
            if isinstance(value, int):
                levels = self.policy.groups.get(name, [])
                if not 1 <= value <= len(levels):
                    raise InputError(
                        f"{quoted(name)} has {len(levels)} levels of groups, so there is no level {value}."
                    )
                value = levels[value - 1]
            values[name] = value
        return values

    def new_key(self, user: str, *, replace: bool = False) -> str:
        """Create an access key for a user; only its hash is stored.

        Raises
        ------
        InputError
            If the name is invalid, or if the user has a key and `replace` is False.
        """
        if not user.strip() or len(user) > 100 or not user.isprintable():
            raise InputError("A user name must have 1 to 100 printable characters.")
        key = secrets.token_urlsafe(24)
        self.store.add_user(user, hashed(key), replace=replace)
        return key

    def to_frame(self) -> pd.DataFrame:
        """Return the log for the agency, one row per request, newest first."""
        import pandas as pd

        return pd.DataFrame(self.store.log())


def hashed(key: str) -> str:
    """Return the stored hash of an access key.

    Access keys have 192 random bits, so no salt is needed.
    """
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
