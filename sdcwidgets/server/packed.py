"""Static files that are compressed once, not for every visitor."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tornado.web import HTTPError, StaticFileHandler

from sdcwidgets.server.refusals import ErrorPageMixin

_WORTH_IT = {".js", ".css", ".svg", ".json"}


class PrecompressedFileHandler(ErrorPageMixin, StaticFileHandler):
    """A static file handler whose text files are sent gzipped, from a copy that is made at first use.

    To be mixed into the handlers of Voila and Jupyter, which know where the files are.
    """

    _original: str | None = None

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Return the file to send: the packed copy, where the browser takes it."""
        try:
            path = super().validate_absolute_path(root, absolute_path)
        except ValueError:  # a path with a NUL in it
            raise HTTPError(404) from None
        if path is None or Path(path).suffix not in _WORTH_IT:
            return path
        if "gzip" not in self.request.headers.get("Accept-Encoding", ""):
            return path
        self._original = path
        return _packed(path, Path(path).stat().st_mtime_ns)

    def get_content_size(self) -> int:
        """Return the size of what is sent, which the checks of the original did not see."""
        return Path(str(self.absolute_path)).stat().st_size

    def set_extra_headers(self, path: str) -> None:
        """Say that the file is packed, and what it is."""
        super().set_extra_headers(path)
        self.set_header("Vary", "Accept-Encoding")
        if self._original is not None:
            self.set_header("Content-Encoding", "gzip")
            self.set_header("Content-Type", mimetypes.guess_type(self._original)[0] or "text/plain")


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="sdcwidgets_")


@cache
def _packed(path: str, changed: int) -> str:
    """Return the packed copy of a file as it was last changed."""
    name = sha256(f"{path} {changed}".encode()).hexdigest()
    copy = Path(_folder().name) / name
    copy.write_bytes(gzip.compress(Path(path).read_bytes(), compresslevel=6, mtime=0))
    return str(copy)
