"""Static files that are compressed once instead of for every visitor."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tornado.web import HTTPError, StaticFileHandler

from sdcwidgets.server.error_pages import ErrorPageMixin

_WORTH_IT = {".js", ".css", ".svg", ".json"}


class PrecompressedFileHandler(ErrorPageMixin, StaticFileHandler):
    """Static file handler that sends text files from a gzipped copy.

    The copy is made at first use. The class is a mixin for handlers of Voila and Jupyter that locate the
    files.
    """

    _original: str | None = None

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Return the file to send: the gzipped copy if the browser accepts gzip."""
        try:
            path = super().validate_absolute_path(root, absolute_path)
        except ValueError:  # the path contains a NUL character
            raise HTTPError(404) from None
        if path is None or Path(path).suffix not in _WORTH_IT:
            return path
        if "gzip" not in self.request.headers.get("Accept-Encoding", ""):
            return path
        self._original = path
        return _packed(path, Path(path).stat().st_mtime_ns)

    def get_content_size(self) -> int:
        """Return the size of the sent file, which differs from the original's."""
        return Path(str(self.absolute_path)).stat().st_size

    def set_extra_headers(self, path: str) -> None:
        """Set the encoding and the type of a gzipped copy."""
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
    """Return the path of the gzipped copy of a file version."""
    name = sha256(f"{path} {changed}".encode()).hexdigest()
    copy = Path(_folder().name) / name
    copy.write_bytes(gzip.compress(Path(path).read_bytes(), compresslevel=6, mtime=0))
    return str(copy)
