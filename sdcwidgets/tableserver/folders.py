"""Files of a generator: where they are, whether they changed, and who can read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def absolute(source: str) -> str:
    """Return a source as it is named from any folder."""
    return source if "://" in source else str(Path(source).resolve())


def mark_of(source: str) -> list[int] | None:
    """Return what tells whether a file has changed; nothing of a database, which may be asked for nothing like it."""
    try:
        status = Path(source).stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


@contextmanager
def private() -> Iterator[None]:
    """Let only its owner read what is made inside."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
