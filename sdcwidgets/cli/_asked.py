"""The log of a table generator on the command line: what was asked before, so that tables are checked together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets.errors import InputError

if TYPE_CHECKING:
    from sdcwidgets.tableserver import Request, TableServer

__all__ = ["answer_again", "note"]


def answer_again(path: Path, server: TableServer) -> None:
    """Let a server answer what a log holds, so that it knows what was published.

    Raises
    ------
    InputError
        If the file is no log, or an answer would be another one now: then the data, the rules, the method or the seed
        are not those that it was given under.
    """
    from sdcwidgets.tabulate import Query

    if not path.exists():
        return
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        before = [(Query(one["by"], one["where"], one["groups"]), str(one["answer"])) for one in lines]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InputError):
        raise InputError(f"--log: {path} is no log of this command; give another file.") from None
    for number, (query, words) in enumerate(before, start=1):
        server.request(query)
        if server.log[-1].words != words:
            raise InputError(
                f"--log: request {number} of {path} was answered “{words}” and would be “{server.log[-1].words}” now; "
                "give the data, rules, method and seed that it was made with."
            )


def note(path: Path, request: Request) -> None:
    """Add a request to a log; it holds no counts."""
    query = request.query
    line = {
        "by": query.by,
        "where": dict(query.where),
        "groups": {name: dict(part) for name, part in query.groups.items()},
        "answer": request.words,
    }
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    except OSError as error:
        raise InputError(
            f"--log: {path} cannot be written: {(error.strerror or str(error)).lower()}."
        ) from None
