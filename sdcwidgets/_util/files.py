"""Bytes into files: what goes wrong is told in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from sdcwidgets._util.errors import InputError


@contextmanager
def writes(path: str | PathLike[str] | None) -> Iterator[None]:
    """Say which file cannot be written, None for the standard output, and what would be right."""
    try:
        yield
    except OSError as error:
        subject, right = (
            (path, "; name a file in a folder that is there") if path else ("The standard output", "")
        )
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{subject} cannot be written: {why}{right}.") from None


def put(content: str | bytes, path: str | PathLike[str]) -> None:
    """Write a file.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    if not isinstance(path, str | PathLike) or "\0" in str(path):
        raise InputError(f"A {type(path).__name__} names no file here; give a path.")
    with writes(path):
        Path(path).write_bytes(content.encode() if isinstance(content, str) else content)


def put_too(text: str, path: str | PathLike[str] | None) -> str:
    """Return a text, and write it to a file too if there is one."""
    if path is not None:
        put(text, path)
    return text
