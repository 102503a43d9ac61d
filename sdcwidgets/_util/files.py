"""Writing of files, with one-sentence errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from sdcwidgets._util.errors import InputError


@contextmanager
def writes(path: str | PathLike[str] | None) -> Iterator[None]:
    """Convert an OSError in the body to an InputError with the file name; None is the standard output."""
    try:
        yield
    except OSError as error:
        subject, right = (
            (path, "; name a file in an existing folder") if path else ("The standard output", "")
        )
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{subject} cannot be written: {why}{right}.") from None


def put(content: str | bytes, path: str | PathLike[str]) -> None:
    """Write a file.

    Raises
    ------
    InputError
        If the path is invalid or the file cannot be written.
    """
    if not isinstance(path, str | PathLike) or "\0" in str(path):
        raise InputError(f"A {type(path).__name__} is not a path; pass a file name or a Path.")
    with writes(path):
        Path(path).write_bytes(content.encode() if isinstance(content, str) else content)


def put_too(text: str, path: str | PathLike[str] | None) -> str:
    """Return a text, after writing it to a file if a path is given."""
    if path is not None:
        put(text, path)
    return text
