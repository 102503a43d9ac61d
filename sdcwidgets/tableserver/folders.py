"""Files of a generator: their paths, changes and permissions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def absolute(source: str) -> str:
    """Return the absolute path or address of a source."""
    return source if "://" in source else str(Path(source).resolve())


def mark_of(source: str) -> list[int] | None:
    """Return size and time of a file, to detect changes, or None for a database."""
    try:
        status = Path(source).stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


@contextmanager
def private() -> Iterator[None]:
    """Create files in this context that only their owner can read."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
