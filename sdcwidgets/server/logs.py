"""Logging without any data of visitors.

A URL may contain a link with a table, so the query of a URL is not logged. Messages of other packages and
output of sessions may contain any data, so only the type of an error is logged.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections import Counter
from functools import cache
from types import TracebackType

from tornado.log import access_log
from tornado.web import RequestHandler

#: Logger of this package.
log = logging.getLogger("sdcwidgets.server")

#: Maximum number of equal messages per minute.
MOST_ALIKE = 10

#: Logger of the notebook execution; its messages repeat what `rendering` logs.
_OF_CELLS = "traitlets"

#: Query of a URL, or id of a session. Anyone with a session id could join the session.
_SECRET = re.compile(r"(?<=\?)\S+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

#: The last line of a traceback begins with the type of the error. The other lines begin with a blank or with
#: one of these phrases.
_KIND, _OF_TRACEBACK = (
    re.compile(r"(?:([\w.]+)\.)?(\w+)(?=:|$)"),
    re.compile(r"\s|$|Traceback|During handling|The above"),
)


class _Plain(logging.Formatter):
    """Format a record as one line: time and message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return f"{self.formatTime(record, self.datefmt)} {vars(record).get('sentence') or _sentence(record)}"


def _sentence(record: logging.LogRecord) -> str:
    """Return the message of a record without queries, ids and control characters.

    An error is reduced to its type and location.
    """
    ours = record.name.startswith(log.name) or record.name == access_log.name
    sentence = record.getMessage() if ours else f"Error in {record.name}."
    kind, _, trace = record.exc_info or (None, None, None)
    if kind is not None and trace is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        sentence += f" ({kind.__name__} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno})"
    return "".join(char if char.isprintable() else " " for char in _SECRET.sub("…", sentence))


class _NotAgain(logging.Filter):
    """Limit the number of equal messages per minute to protect the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._minute, self._written = 0, Counter[str]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        minute = int(record.created // 60)
        if minute != self._minute:
            self._minute, self._written = minute, Counter()
        sentence = _sentence(record)
        self._written[sentence] += 1
        last = self._written[sentence] == MOST_ALIKE
        vars(record)["sentence"] = (
            sentence + " Further messages of this kind are not logged in this minute." * last
        )
        return self._written[sentence] <= MOST_ALIKE


def start(*, dev: bool) -> None:
    """Log messages of this server, and errors of its libraries, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    style = logging.Formatter if dev else _Plain
    if not dev:
        handler.addFilter(_NotAgain())
        sys.excepthook = _failed
        threading.excepthook = lambda failure: _failed(
            failure.exc_type, failure.exc_value, failure.exc_traceback
        )
    handler.setFormatter(style("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    levels = {
        log.name: logging.INFO,
        "tornado": logging.ERROR,
        _OF_CELLS: logging.CRITICAL,
        None: logging.ERROR,
    }
    for name, level in levels.items():
        logger = logging.getLogger(name)
        logger.setLevel(logging.DEBUG if dev and name else level)
        logger.handlers, logger.propagate = [handler], False


def _failed(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log an uncaught exception in one line."""
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        log.error("Something failed.", exc_info=(kind, error or kind(), trace))


@cache
def printed() -> int:
    """Return a file descriptor for the output of sessions.

    The server logs the type of an error in the output, and with `--dev` the whole output.
    """
    reads, writes = os.pipe()
    threading.Thread(target=_read, args=(reads,), daemon=True).start()
    return writes


def _read(printed: int) -> None:
    """Read the output of sessions until the server ends."""
    with open(printed, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            log.debug("A session printed: %s", line.rstrip())
            message = _of_session(line)
            if message:
                log.error(message)


def _of_session(line: str) -> str | None:
    """Return the log message for a line of output of a session, or None.

    >>> _of_session("ValueError: North has 3 people"), _of_session("    raise ValueError(label)")
    ('An error in a session (ValueError).', None)
    >>> _of_session("json.decoder.JSONDecodeError: North has 3 people")
    'An error in a session (JSONDecodeError).'
    >>> _of_session("North has 3 people")
    'A session printed something. Start the server with --dev to log it.'
    """
    match = _KIND.match(line)
    kind = getattr(sys.modules.get(match[1] or "builtins"), match[2], None) if match else None
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return f"An error in a session ({kind.__name__})."
    return (
        None
        if _OF_TRACEBACK.match(line)
        else "A session printed something. Start the server with --dev to log it."
    )


def record(handler: RequestHandler) -> None:
    """Log requests that failed because of the server, not because of the client."""
    status = handler.get_status()
    if status >= 500 and status != 503:
        access_log.error("%d %s %s", status, handler.request.method, handler.request.path)
