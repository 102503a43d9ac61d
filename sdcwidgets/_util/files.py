"""Writing of files, with one-sentence errors."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile

from sdcwidgets._util.errors import InputError, type_with_article


@contextmanager
def writes(path: str | PathLike[str] | None) -> Iterator[None]:
    """Convert an OSError in the body to an InputError with the file name; None is the standard output."""
    try:
        yield
    except OSError as error:
        subject, right = (
            (path, f"; name a file in {_folder_for(error)}") if path else ("The standard output", "")
        )
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{subject} cannot be written: {why}{right}.") from None


def _folder_for(error: OSError) -> str:
    """Return the folder in which a file could be written, in words."""
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "a folder in which you may write"
    return "an existing folder"


def put(content: str | bytes, path: str | PathLike[str]) -> None:
    """Write a file. An existing file stays as it is until the new one is complete.

    Raises
    ------
    InputError
        If the path is invalid or the file cannot be written.
    """
    if not isinstance(path, str | PathLike) or "\0" in str(path):
        raise InputError(f"The path is {type_with_article(path)}; pass a file name or a Path.")
    data = content.encode() if isinstance(content, str) else content
    target = Path(path)
    with writes(path):
        # A link and a device, such as /dev/stdout, are written to and not replaced.
        if target.is_file() and not target.is_symlink():
            _replace(target, data)
        else:
            target.write_bytes(data)


def _replace(target: Path, data: bytes) -> None:
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(data)
            file.close()
            shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def check_ending(path: object, endings: Collection[str]) -> None:
    """Raise InputError if a file name ends in none of these endings; names without an ending are accepted.

    Parameters
    ----------
    path : str, path or None
        Name of the file; None for no file.
    endings : collection of str
        Endings with a point, in lower case.
    """
    if not isinstance(path, str | PathLike):
        return
    ending = Path(path).suffix.lower()
    if ending and ending not in endings:
        raise InputError(f"{path} ends in {ending}; name a file that ends in {' or '.join(endings)}.")


def put_too(text: str, path: str | PathLike[str] | None) -> str:
    """Return a text, after writing it to a file if a path is given."""
    if path is not None:
        put(text, path)
    return text
