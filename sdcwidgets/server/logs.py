"""What the server writes down: what happened, and nothing that a visitor sent.

An address may hold a link, and a link holds a table; so addresses are written without what follows "?".
"""

from __future__ import annotations

import logging
import re
import sys
from collections import Counter
from typing import Any

from tornado.log import access_log

__all__ = ["log", "record", "start"]

#: What this project's server has to say.
log = logging.getLogger("sdcwidgets.server")

#: The same sentence is written so often a minute.
MOST_ALIKE = 10

_QUERY = re.compile(r"\?\S*")


class _Plain(logging.Formatter):
    """One line a record, without queries and control characters; of an error its kind and place, not its words."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        record.message = record.getMessage()
        line = f"{self.formatTime(record, self.datefmt)} {record.message}"
        kind, _, trace = record.exc_info or (None, None, None)
        if kind is not None and trace is not None:
            while trace.tb_next is not None:
                trace = trace.tb_next
            line += f" ({kind.__name__} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno})"
        return "".join(char if char.isprintable() else " " for char in _QUERY.sub("?…", line))


class _NotAgain(logging.Filter):
    """Lets the same sentence through so often a minute: who knocks without end fills no disk."""

    def __init__(self) -> None:
        super().__init__()
        self._minute, self._written = 0, Counter[str]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        minute = int(record.created // 60)
        if minute != self._minute:
            self._minute, self._written = minute, Counter()
        sentence = record.getMessage()
        self._written[sentence] += 1
        if self._written[sentence] == MOST_ALIKE:
            record.msg, record.args = f"{sentence} More of this in the same minute is not written.", ()
        return self._written[sentence] <= MOST_ALIKE


def start(*, dev: bool) -> None:
    """Write to the standard error: what this server says, and the errors of what it is built on."""
    handler = logging.StreamHandler(sys.stderr)
    style = logging.Formatter if dev else _Plain
    if not dev:
        handler.addFilter(_NotAgain())
    handler.setFormatter(style("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    for name, level in (("sdcwidgets.server", logging.INFO), ("tornado", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.setLevel(logging.DEBUG if dev else level)
        logger.handlers, logger.propagate = [handler], False


def record(handler: Any) -> None:
    """Note an answer that should not have been: the errors of the server, not those of who asks."""
    status = handler.get_status()
    if status >= 500 and status != 503:
        access_log.error("%d %s %s", status, handler.request.method, handler.request.path)
